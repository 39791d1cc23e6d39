"""The image and the services of docs/examples/serve, run as processes with the commands of those files."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import httpx2
import pytest
import yaml

from heartsrules.formats.wire import from_json
from heartsrules.views import PassingView
from support.commands import SOURCE

pytestmark = pytest.mark.once_compiled

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "docs" / "examples" / "serve"
DOCKERFILE = (FOLDER / "Dockerfile").read_text("utf-8")
SERVICES = yaml.safe_load((FOLDER / "compose.yaml").read_text("utf-8"))["services"]


def instruction(name: str) -> list[str]:
    """The command of an instruction of the Dockerfile."""
    (command,) = re.findall(rf"^{name} (?:--\S+ )*(?:CMD )?(\[.*\])$", DOCKERFILE, re.MULTILINE)
    return [str(word) for word in json.loads(command)]


@contextmanager
def running(command: Sequence[str], **environment: str) -> Iterator[tuple[subprocess.Popen[str], int]]:
    """A process that says in its first line which port it listens to."""
    process = subprocess.Popen(
        command, cwd=FOLDER, env={**os.environ, "PYTHONPATH": SOURCE, **environment}, stdout=subprocess.PIPE, text=True
    )
    try:
        assert process.stdout is not None
        first = process.stdout.readline()
        port = re.search(r"(?::|port )(\d+)", first)
        assert port is not None, first
        yield process, int(port[1])
        process.terminate()
        assert process.wait(60) == 0
    finally:
        process.kill()
        process.communicate()


def on_a_free_port(command: Sequence[str]) -> list[str]:
    """A command of the image, with the port 0."""
    assert command[:2] == ["heartsrules", "serve"]
    port = command.index("--port") + 1
    assert command[port] == "8001"
    return [sys.executable, "-m", *command[:port], "0", *command[port + 1 :]]


def healthy(port: int) -> bool:
    """Whether the check of the image finds the server healthy."""
    python, *check = instruction("HEALTHCHECK")
    assert python == "python"
    asked = [word.replace(":8001/", f":{port}/") for word in check]
    assert asked != check
    return subprocess.run([sys.executable, *asked], check=False, capture_output=True, timeout=60).returncode == 0


def test_the_image_serves_others_by_the_name_that_is_allowed() -> None:
    with running(on_a_free_port([*instruction("ENTRYPOINT"), *instruction("CMD")])) as (_, port):
        assert healthy(port)
        url = f"http://127.0.0.1:{port}"
        assert httpx2.post(f"{url}/v1/presets", json={}, headers={"host": "hearts:8001"}).json()["ok"]
        assert httpx2.post(f"{url}/v1/presets", json={}, headers={"host": "rebound.example"}).status_code == 403
    assert not healthy(port)


def test_the_app_of_the_services_asks_the_server_beside_it() -> None:
    node = shutil.which("node")
    if node is None:
        pytest.skip("Node.js is not installed: node is needed to run the app")
    hearts, app = SERVICES["hearts"], SERVICES["app"]
    assert app["environment"]["HEARTS_URL"] == f"http://{hearts['command'][-1]}:8001"
    assert app["depends_on"] == {"hearts": {"condition": "service_healthy"}}
    assert "ports" not in hearts
    with running(on_a_free_port([*instruction("ENTRYPOINT"), *hearts["command"]])) as (_, port):
        assert healthy(port)
        url = f"http://127.0.0.1:{port}"  # nothing here is called hearts
        command = [node, *app["command"][1:]]
        with running(command, **{**app["environment"], "HEARTS_URL": url, "PORT": "0"}) as (_, page):
            seen = from_json(httpx2.get(f"http://127.0.0.1:{page}/").content, PassingView)
            assert (seen.seat, len(seen.hand)) == (0, 13)


def test_the_files_fit_together() -> None:
    build = SERVICES["hearts"]["build"]
    assert (FOLDER / build["context"]).resolve() == ROOT
    assert (ROOT / build["dockerfile"]) == FOLDER / "Dockerfile"
    for volume in SERVICES["app"]["volumes"]:
        source, target, _ = volume.split(":")
        assert (FOLDER / source).is_file()
        assert Path(target).parent == Path(SERVICES["app"]["working_dir"])
    (published,) = SERVICES["app"]["ports"]
    assert published.rpartition(":")[2] == SERVICES["app"]["environment"]["PORT"]
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["optional-dependencies"]
    (installed,) = re.findall(r"\.whl\)\[([\w,]+)\]", DOCKERFILE)
    assert set(installed.split(",")) <= set(extras)
