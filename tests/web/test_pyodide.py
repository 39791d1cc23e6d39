"""The rules in Pyodide, without a server: in Node.js, and on the page of the docs in Chromium.

HEARTSRULES_WHEEL names a wheel that is not compiled; else one is made of the sources. HEARTSRULES_DOCS, or else
HEARTSRULES_SITE, names the built documentation, whose page is then looked at; else the page is made of its Markdown.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import pytest

from heartsrules import Play, Playing, State, apply, deal, legal_moves, new_game, presets
from heartsrules.apps.serve import OPERATIONS
from heartsrules.apps.serve.openapi import example_request, example_response
from heartsrules.apps.table.static_site import build_page
from heartsrules.formats.wire import to_json
from support.digests import digest
from support.pyodide import gather
from support.random_play import reached
from support.rounds import rounds
from support.web_files import hosted_files

pytest.importorskip("playwright.sync_api", reason="the tests in a browser need the package playwright")
from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.web

ROOT: Final = Path(__file__).resolve().parents[2]
PAGE: Final = ROOT / "docs" / "how-to" / "serve-other-languages.md"
GAMES: Final = rounds(25)

NODE: Final = """
import { readFileSync } from "node:fs";
import { HeartsRules, NoAnswer, overPyodide } from "./heartsrules.js";
import { play, start, whyNot } from "./game.js";
import { loadPyodide } from "./pyodide/pyodide.mjs";

const { examples, state, moves, tests, games } = JSON.parse(readFileSync(0, "utf8"));
const wheels = JSON.parse(readFileSync("wheels.json", "utf8")).map((name) => `${process.cwd()}/wheels/${name}`);
const pyodide = await loadPyodide();
const nothing = await overPyodide(pyodide, []).catch((error) => error);
const transport = await overPyodide(pyodide, wheels);
const hearts = new HeartsRules(transport);
const said = { results: [], refused: [], scores: await play(hearts, "dicegamedepot", "table 7") };
for (const { id, op, ...request } of examples) {
  said.results.push(await hearts.ask(op, request));
}
for (const move of moves) {
  said.refused.push(await whyNot(hearts, state, move));
}
for (const [op, request] of [["view", { state, seat: 9 }], ["none", {}]]) {
  await hearts.ask(op, request).catch(({ name, problems }) => said.refused.push([name, problems[0].place]));
}
said.own = pyodide.runPython("str([name for name in globals() if not name.startswith('_')])");
pyodide.FS.mkdir("/tests");
pyodide.FS.mount(pyodide.FS.filesystems.NODEFS, { root: tests }, "/tests");
said.digest = pyodide.runPython(
  `import sys; sys.path.insert(0, "/tests"); from support.digests import digest; digest(${games})`,
);
const why = "No module named 'heartsrules'";
said.lost = [nothing instanceof NoAnswer, nothing.message, String(nothing.cause).includes(why)];
console.log(JSON.stringify(said));
"""


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A wheel of the package that is not compiled."""
    given = os.environ.get("HEARTSRULES_WHEEL")
    if given:
        return Path(given)
    made = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", str(made), str(ROOT)]
    subprocess.run(command, check=True, timeout=300, env={**os.environ, "HEARTSRULES_COMPILE": "0"})
    (found,) = made.glob("*.whl")
    return found


@pytest.fixture(scope="module")
def own(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What a page of one's own needs, as the how-to says."""
    if shutil.which("npm") is None:
        pytest.skip("Node.js is not installed: node and npm are needed for Pyodide")
    folder = tmp_path_factory.mktemp("own")
    try:
        gather(folder, wheel)
    except subprocess.CalledProcessError as error:
        pytest.skip(f"Pyodide could not be had: {str(error.stderr).strip()[-300:]}")
    return folder


@pytest.fixture(scope="module")
def site(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What a web server gives out: the page, and the table without a server, whose rules it uses."""
    built = os.environ.get("HEARTSRULES_DOCS") or os.environ.get("HEARTSRULES_SITE")
    if built and (Path(built) / "_static" / "play").exists():
        return Path(built)
    gathered = request.getfixturevalue("own")
    site = tmp_path_factory.mktemp("site")
    shutil.copytree(ROOT / "docs" / "_static", site / "_static")
    shutil.copy(gathered / "heartsrules.js", site / "_static")
    found = re.search(r"^```\{raw\} html\n(.*?)^```", PAGE.read_text("utf-8"), re.MULTILINE | re.DOTALL)
    assert found is not None
    (site / "how-to").mkdir()
    head = '<!doctype html><html lang="en"><meta charset="utf-8"><link rel="icon" href="data:,"><title>Try</title>'
    (site / "how-to" / "serve-other-languages.html").write_text(f"{head}<body>{found[1]}", encoding="utf-8")
    package = tmp_path_factory.mktemp("package")
    for path in [*(gathered / "pyodide").iterdir(), *(gathered / "wheels").glob("msgspec-*")]:
        shutil.copy(path, package)
    build_page(site / "_static" / "play", pyodide=package)
    return site


def dealt() -> Playing:
    start = new_game(presets.dicegamedepot(4))
    state = apply(start, deal(start, seed="table 7"))
    assert isinstance(state, Playing)
    return state


@pytest.fixture(scope="module")
def answers(own: Path) -> dict[str, Any]:
    """What a program in Node.js found out about the rules in Pyodide."""
    (program,) = re.findall(
        r"^```javascript\n// game\.js\n(.*?)^```", PAGE.read_text("utf-8"), re.MULTILINE | re.DOTALL
    )
    (own / "game.js").write_text(program, encoding="utf-8")
    (own / "package.json").write_text('{"type": "module"}', encoding="utf-8")
    (own / "test.js").write_text(NODE, encoding="utf-8")
    state = dealt()
    (first,) = legal_moves(state)
    wrong = next(Play(first.seat, card) for card in state.hands[first.seat] if card != first.card)
    given = {
        "examples": [json.loads(example_request(operation)) for operation in OPERATIONS.values()],
        "state": json.loads(to_json(state)),
        "moves": [json.loads(to_json(move)) for move in (first, wrong)],
        "tests": str(ROOT / "tests"),
        "games": GAMES,
    }
    done = subprocess.run(
        ["node", "test.js"],
        input=json.dumps(given),
        capture_output=True,
        text=True,
        check=False,
        timeout=60 + GAMES,
        cwd=own,
    )
    assert done.returncode == 0, done.stderr
    said: dict[str, Any] = json.loads(done.stdout)
    return said


@pytest.mark.long
def test_every_operation_is_answered_as_elsewhere(answers: dict[str, Any]) -> None:
    assert answers["results"] == [json.loads(example_response(each))["result"] for each in OPERATIONS.values()]


def test_the_rules_of_the_page_are_those_of_here_and_leave_no_name_there(answers: dict[str, Any]) -> None:
    state: State = reached(dealt(), lambda state: bool(state.score_sheet))
    assert answers["scores"] == list(state.scores)
    assert answers["refused"] == [[], ["opening-card"], ["Refused", "/seat"], ["Refused", "/op"]]
    assert answers["lost"] == [True, "the rules could not be loaded into Pyodide", True]
    assert answers["own"] == "[]"
    assert answers["digest"] == digest(GAMES)


@pytest.fixture(scope="module")
def url(site: Path) -> Iterator[str]:
    with hosted_files(site) as host:
        yield host.url.rstrip("/")


def settled(page: Page) -> None:
    page.wait_for_selector(".try:not([aria-busy]) [data-part=board]:not([hidden])", timeout=60_000)


def press(page: Page, part: str) -> None:
    page.locator(f"[data-part={part}]").click()
    settled(page)


def shown(page: Page, part: str) -> str:
    return page.locator(f"[data-part={part}]").inner_text()


def stored(page: Page) -> dict[str, Any]:
    state: dict[str, Any] = json.loads(page.locator("[data-part=json]").input_value())
    return state


def test_the_page_of_the_docs_plays_and_refuses(browser: Browser, url: str) -> None:
    page = browser.new_page()
    complaints: list[str] = []
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("console", lambda message: complaints.append(message.text) if message.type == "error" else None)
    page.on(
        "request",
        lambda request: None if request.url.startswith((url, "data:", "blob:")) else complaints.append(request.url),
    )
    page.goto(f"{url}/how-to/serve-other-languages.html")
    page.locator("[data-part=load]").click()
    settled(page)
    assert re.fullmatch(r"Seat \d plays: 1 move is legal", shown(page, "turn"))
    assert page.locator("[data-part=picture] svg").count() == 1

    # A card that may not be played says why, and nothing happens; one that may is played, and comes back.
    before = stored(page)
    cards = page.locator("[data-part=moves] button")
    assert cards.count() == 13
    page.locator("[data-part=moves] [aria-disabled]").first.click(force=True)
    assert "the first lead of the deal must be the lowest club, not " in shown(page, "said")
    assert stored(page) == before
    page.locator("[data-part=moves] button:not([aria-disabled])").click()
    settled(page)
    assert stored(page)["trick"] == ["2C"]
    press(page, "back")
    assert stored(page) == before

    # The trick to its end, then a document that cannot be.
    press(page, "on")
    assert len(stored(page)["tricks"]) == 1
    page.locator("summary").click()
    spoiled = stored(page)
    spoiled["hands"][0] = spoiled["hands"][1]
    page.locator("[data-part=json]").fill(json.dumps(spoiled))
    press(page, "read")
    assert "/state" in shown(page, "said")
    page.locator("[data-part=json]").fill("{")
    press(page, "read")
    assert "JSON" in shown(page, "said")
    page.locator("[data-part=json]").fill(json.dumps(before))
    press(page, "read")
    assert shown(page, "said") == ""
    assert stored(page) == before

    # Other phases: a pass is one of many, and everybody passes; cards are shown; a deal ends.
    page.locator("[data-part=preset]").select_option("charged_hearts")
    settled(page)
    assert re.fullmatch(r"Seat 0 passes: 286 moves are legal", shown(page, "turn"))
    assert "and 262 more" in shown(page, "moves")
    page.locator("[data-part=moves] button").first.click()
    settled(page)
    assert "Seat 1 passes" in shown(page, "turn")
    press(page, "on")
    assert "Seat 0 shows cards" in shown(page, "turn")
    for _ in range(14):
        press(page, "on")
    assert shown(page, "turn") == "The deal is over."
    press(page, "next")
    assert stored(page)["deal_number"] == 1
    assert [text for text in complaints if "JSON" not in text] == []
    page.close()


def test_a_page_without_pyodide_says_so(browser: Browser, url: str) -> None:
    page = browser.new_page()
    page.route("**/pyodide-lock.json", lambda route: route.fulfill(status=404))
    page.goto(f"{url}/how-to/serve-other-languages.html")
    page.locator("[data-part=load]").click()
    page.wait_for_function("document.querySelector('[data-part=progress]').textContent.includes('without Pyodide')")
    assert page.locator("[data-part=load]").is_enabled()
    page.close()
