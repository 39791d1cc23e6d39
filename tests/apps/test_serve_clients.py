"""The client in TypeScript, from Node.js over both transports, and the web app of the how-to."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, TypeAlias

import pytest

import heartsrules
from heartsrules.apps.serve import OPERATIONS
from heartsrules.apps.serve.openapi import example_request, example_response
from support.serving import running_http
from support.typescript import CLIENT

pytestmark = pytest.mark.once_compiled

ROOT = Path(__file__).resolve().parents[2]
PROJECT = ROOT / "docs" / "examples" / "client"
PAGE = ROOT / "docs" / "how-to" / "serve-other-languages.md"
APP = dict(re.findall(r"^```typescript\n// ([\w-]+\.ts)\n(.*?)^```", PAGE.read_text("utf-8"), re.MULTILINE | re.DOTALL))
"""The web app of the page: the name of each file, and its text."""

Run: TypeAlias = Callable[..., subprocess.CompletedProcess[str]]

CONNECT = """
import { spawn } from "node:child_process";
import { HeartsRules, NoAnswer, overHttp, overLines, Refused } from "./heartsrules.js";
const [python, source, url, ...more] = process.argv.slice(2);
const child = () => spawn(python, ["-m", "heartsrules.apps.serve"], {
  stdio: ["pipe", "pipe", "inherit"], env: { ...process.env, PYTHONPATH: source },
});
"""
EXAMPLES = """
import { readFileSync } from "node:fs";
const results = {};
const examples = JSON.parse(readFileSync(0, "utf8"));
const lines = overLines(child());
for (const [name, transport] of [["http", overHttp(url + "/")], ["lines", lines]]) {
  const hearts = new HeartsRules(transport);
  results[name] = await Promise.all(examples.map(({ id, op, ...request }) => hearts.ask(op, request)));
}
lines.close();
console.log(JSON.stringify(results));
"""
REFUSALS = """
const said = [];
const trying = async (transport, op, request) => {
  try {
    said.push(await new HeartsRules(transport).ask(op, request));
  } catch (error) {
    const refused = error instanceof Refused;
    said.push([error.name, refused ? error.problems.map(({ place, code }) => [place, code]) : error.message,
      refused ? error.violations.map(({ code }) => code) : error instanceof NoAnswer]);
  }
};
const [state, wrong] = more.map((text) => JSON.parse(text));
const lines = overLines(child());
for (const transport of [overHttp(url), lines]) {
  await trying(transport, "view", { state, seat: 9 });
  await trying(transport, "judge", { state, move: wrong });
  await trying(transport, "none", {});
}
await trying(overHttp("http://127.0.0.1:9"), "presets", {});
await trying(overHttp(url, { fetch: async () => new Response("[]") }), "presets", {});
await trying(overHttp(url, { signal: () => AbortSignal.abort() }), "presets", {});
lines.close();
const killed = child();
const over = overLines(killed);
await new HeartsRules(over).ask("presets", {});
killed.kill("SIGSTOP");
const last = trying(over, "presets", {});
killed.kill("SIGKILL");
await last;
await trying(over, "presets", {});
await trying(overLines(spawn("/no/such/program")), "presets", {});
console.log(JSON.stringify(said));
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the client and the web app as JavaScript, made by the compiler, which has checked all types."""
    node, npm = shutil.which("node"), shutil.which("npm")
    if node is None or npm is None:
        pytest.skip("Node.js is not installed: node and npm are needed to run the client")
    made = tmp_path_factory.mktemp("client")
    for path in (*PROJECT.iterdir(), CLIENT):
        if path.is_file():
            shutil.copy(path, made)
    for name, text in APP.items():
        (made / name).write_text(text, encoding="utf-8")
    install = [npm, "ci", "--ignore-scripts", "--no-audit", "--no-fund"]
    try:
        installed = subprocess.run(install, cwd=made, capture_output=True, text=True, check=False, timeout=180)
    except subprocess.TimeoutExpired:
        pytest.skip("npm could not install TypeScript within three minutes")
    if installed.returncode:
        pytest.skip(f"npm could not install TypeScript: {installed.stderr.strip()[-300:]}")
    built = subprocess.run([npm, "run", "build"], cwd=made, capture_output=True, text=True, check=False, timeout=300)
    assert built.returncode == 0, built.stdout
    shutil.copy(made / "package.json", made / "built")
    return made / "built"


@pytest.fixture(scope="module")
def run(folder: Path) -> Run:
    """Run a program in JavaScript beside the client, with Python, the sources and the address of a server."""

    def run(program: str, url: str, *more: str, given: str = "") -> subprocess.CompletedProcess[str]:
        path = folder / f"program-{abs(hash(program))}.js"
        path.write_text(program, encoding="utf-8")
        source = str(Path(heartsrules.__file__).parents[1])
        command = ["node", str(path), sys.executable, source, url, *more]
        done = subprocess.run(
            command,
            input=given,
            capture_output=True,
            text=True,
            check=False,
            timeout=300,
            cwd=folder,
            env={**os.environ, "HEARTS_URL": url},
        )
        assert done.returncode == 0, done.stderr
        return done

    return run


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    with running_http() as (_, url):
        yield url


def test_the_client_in_javascript_is_what_the_compiler_makes(folder: Path) -> None:
    """`npm ci && npm run build` in docs/examples/client, with the client beside, makes it anew."""
    made = (folder / CLIENT.with_suffix(".js").name).read_text(encoding="utf-8")
    assert made == CLIENT.with_suffix(".js").read_text(encoding="utf-8")


def test_the_client_gets_the_result_of_every_operation_over_both_transports(run: Run, url: str) -> None:
    requests = [json.loads(example_request(operation)) for operation in OPERATIONS.values()]
    expected = [json.loads(example_response(operation))["result"] for operation in OPERATIONS.values()]
    assert json.loads(run(CONNECT + EXAMPLES, url, given=json.dumps(requests)).stdout) == {
        "http": expected,
        "lines": expected,
    }


def test_the_client_tells_refusals_and_lost_servers(run: Run, url: str) -> None:
    asked = json.loads(example_request(OPERATIONS["why-illegal"]))
    said = json.loads(run(CONNECT + REFUSALS, url, json.dumps(asked["state"]), json.dumps(asked["move"])).stdout)
    refused: list[Any] = [
        ["Refused", [["/seat", "no-such-seat"]], []],
        ["Refused", [["/move", "must-follow-suit"]], ["must-follow-suit"]],
        ["Refused", [["/op", "no-such-operation"]], []],
    ]
    assert said[:6] == refused * 2
    assert [name for name, *_ in said[6:]] == ["NoAnswer"] * 6
    assert all(last is True for *_, last in said[6:])
    assert [message for _, message, _ in said[6:]] == [
        "presets: http://127.0.0.1:9 gave no answer",
        f"presets: what {url} said is not an answer",
        f"presets: {url} gave no answer",
        "the process has ended",
        "the process has ended",
        "the process could not be started",
    ]


def test_the_types_are_checked_where_they_should_fail() -> None:
    """The compiler refuses a `@ts-expect-error` above a line without an error."""
    assert (PROJECT / "types.ts").read_text("utf-8").count("@ts-expect-error") == 9


def test_the_web_app_of_the_how_to_runs(run: Run, url: str, folder: Path) -> None:
    assert list(APP) == ["app.ts", "try.ts"]
    shown = re.findall(r"^```text\n(.*?)^```", PAGE.read_text("utf-8"), re.MULTILINE | re.DOTALL)
    assert run((folder / "try.js").read_text("utf-8"), url).stdout in shown
