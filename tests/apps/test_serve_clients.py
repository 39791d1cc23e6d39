"""The package in TypeScript: the client over both transports, the types, and the programs of the pages."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from importlib import resources
from pathlib import Path
from typing import Any, TypeAlias

import pytest

import client_types
import heartsrules
from heartsrules.apps.serve import CLIENTS, OPERATIONS, printing
from heartsrules.apps.serve.openapi import example_request, example_response
from support.serving import running_http
from support.typescript import NEWEST, PACKAGE, Missing, built, npm

pytestmark = pytest.mark.once_compiled

ROOT = Path(__file__).resolve().parents[2]
PAGES = [path for path in (ROOT / "docs").rglob("*.md") if "```typescript" in path.read_text("utf-8")]


def programs(page: Path) -> dict[str, str]:
    """The programs of a page: the names of their files, and their texts."""
    text = page.read_text("utf-8")
    found = re.findall(r"^```typescript\n// ([\w-]+\.ts)\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    assert len(found) == text.count("```typescript"), page
    return dict(found)


Run: TypeAlias = Callable[..., subprocess.CompletedProcess[str]]

CONNECT = """
import { spawn } from "node:child_process";
import { HeartsRules, NoAnswer, overHttp, overLines, Refused } from "heartsrules/client";
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
def package(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the compiled package."""
    try:
        return built(tmp_path_factory.mktemp("package"))
    except Missing as error:
        pytest.skip(str(error))


@pytest.fixture(scope="module")
def single(package: Path) -> Path:
    """A folder in the package with the single files, and the programs of the pages beside."""
    folder = package / "single"
    subprocess.run(["node", "build.mjs", str(folder)], cwd=package, check=True)
    options = '{"extends": "../tsconfig.json", "compilerOptions": {"isolatedDeclarations": false}, "include": ["*.ts"]}'
    (folder / "tsconfig.json").write_text(options, encoding="utf-8")
    for page in PAGES:
        for name, text in programs(page).items():
            (folder / name).write_text(text, encoding="utf-8")
    for name, text in programs(PACKAGE / "README.md").items():
        (package / "tests" / name).write_text(text, encoding="utf-8")
    return folder


@pytest.fixture(scope="module")
def compiled(package: Path, single: Path) -> Path:
    """A folder with the same in JavaScript, from the oldest compiler: Node.js before version 22.18 needs it."""
    compiler = package / "node_modules" / ".bin" / "tsc"
    command = [str(compiler), "-p", str(single), "--noEmit", "false", "--outDir", str(single / "js")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, "")
    return single / "js" / "single"


@pytest.fixture(scope="module")
def run(package: Path) -> Run:
    """Run a program in JavaScript beside the client, with Python, the sources and the address of a server."""

    def run(program: str, url: str, *more: str, given: str = "") -> subprocess.CompletedProcess[str]:
        path = package / f"program-{abs(hash(program))}.js"
        path.write_text(program, encoding="utf-8")
        source = str(Path(heartsrules.__file__).parents[1])
        command = ["node", str(path), sys.executable, source, url, *more]
        done = subprocess.run(command, input=given, capture_output=True, text=True, check=False, timeout=300)
        assert done.returncode == 0, done.stderr
        return done

    return run


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    with running_http() as (_, url):
        yield url


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
        f"presets: what {url} sent is not an answer",
        f"presets: {url} gave no answer",
        "the process has ended",
        "the process has ended",
        "the process could not be started",
    ]


def test_a_server_that_does_not_answer_is_given_up(run: Run) -> None:
    program = """
import { createServer } from "node:http";
import { HeartsRules, overHttp } from "heartsrules/client";
const server = createServer(() => undefined).listen(0, "127.0.0.1", async () => {
  const url = `http://127.0.0.1:${server.address().port}`;
  for (const options of [{ timeout: 50 }, { signal: () => AbortSignal.timeout(50) }]) {
    const hearts = new HeartsRules(overHttp(url, options));
    console.log(await hearts.presets().catch((error) => [error.name, error.cause.name].join(" ")));
  }
  server.closeAllConnections();
  server.close();
});
"""
    assert run(program, "").stdout == "NoAnswer TimeoutError\n" * 2


@pytest.mark.usefixtures("compiled")
def test_the_types_are_right(package: Path, single: Path) -> None:
    """The oldest and the newest compiler refuse any `@ts-expect-error` above a line without an error."""
    assert (PACKAGE / "tests" / "types.ts").read_text("utf-8").count("@ts-expect-error") == 12
    folder = package / "newest"
    folder.mkdir()
    try:
        npm(folder, "install", "--prefix", ".", "--no-save", "--ignore-scripts", "--no-audit", f"typescript@{NEWEST}")
    except ValueError as error:
        pytest.skip(f"npm could not install TypeScript {NEWEST}: {error}")
    for compiler, project in ((package, package), (folder, package), (folder, single)):
        command = [str(compiler / "node_modules" / ".bin" / "tsc"), "-p", str(project)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert (done.returncode, done.stdout) == (0, "")


def test_the_tests_of_the_package_pass(package: Path) -> None:
    npm(package, "test")


def test_the_package_is_ready_to_be_published(package: Path) -> None:
    (packed,) = json.loads(npm(package, "pack", "--dry-run", "--json"))
    files = {entry["path"] for entry in packed["files"]}
    described = json.loads((package / "package.json").read_text("utf-8"))
    assert "dependencies" not in described
    for entry in described["exports"].values():
        assert {entry.removeprefix("./"), entry.removeprefix("./").replace(".js", ".d.ts")} < files
    assert {name for name in files if not name.startswith("dist/")} == {"README.md", "LICENSE", "package.json"}
    assert packed["version"] == heartsrules.__version__
    assert (PACKAGE / "LICENSE").read_bytes() == (ROOT / "LICENSE").read_bytes()


def test_comments_are_sentences_and_no_name_hides_a_type_of_the_language() -> None:
    for text in client_types.modules().values():
        comments = [" ".join(each.replace("*", " ").split()) for each in re.findall(r"/\*\*(.*?)\*/", text, re.DOTALL)]
        assert [each for each in comments if not re.search(r"[.!?`]$", each)] == []
        assert [each for each in comments if re.search(r"or None\b|\bints\b|[A-Z]{4,}_", each)] == []
        declared = set(re.findall(r"^export (?:interface|type|(?:abstract )?class) (\w+)", text, re.MULTILINE))
        assert not declared & {
            "Array",
            "Error",
            "Map",
            "Object",
            "Partial",
            "Pick",
            "Promise",
            "Record",
            "Required",
            "Set",
        }


def test_the_single_files_are_printed_if_the_build_has_made_them(single: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert {path.name for path in single.glob("heartsrules*")} == set(CLIENTS.values())
    folder = single.parent / "clients"
    shutil.copytree(single, folder)
    monkeypatch.setattr(resources, "files", lambda _: single.parent)
    for what, name in CLIENTS.items():
        assert printing.printed(what) == (single / name).read_text("utf-8")
    shutil.rmtree(folder)
    with pytest.raises(FileNotFoundError, match=r"was built without Node\.js"):
        printing.printed("engine")


def test_the_web_app_of_the_how_to_runs(compiled: Path, url: str) -> None:
    page = ROOT / "docs" / "how-to" / "serve-other-languages.md"
    assert {"app.ts", "try.ts"} < set(programs(page))
    command = ["node", str(compiled / "try.js")]
    environment = {**os.environ, "HEARTS_URL": url}
    done = subprocess.run(command, capture_output=True, text=True, check=True, env=environment)
    assert done.stdout in re.findall(r"^```text\n(.*?)^```", page.read_text("utf-8"), re.MULTILINE | re.DOTALL)
