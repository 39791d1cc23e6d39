"""The browser table as static files: how they are built, and in Chromium a match without a server, offline."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Final
from urllib.parse import quote, unquote

import pytest
from typer.testing import CliRunner

from heartsrules import GameOver, Rules, State, new_game
from heartsrules.apps.command_line import app as cli
from heartsrules.apps.table import static_site
from heartsrules.apps.table.settings import Proposal
from heartsrules.apps.table.static_site import PYODIDE, CannotBuild, build_page
from heartsrules.formats.notation import format_position, parse_position
from heartsrules.formats.wire import from_json
from heartsrules.play.game import Record, verify
from heartsrules.rules import Tie
from support.random_play import reached
from support.web_files import Host, hosted_files

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

ROOT: Final = Path(__file__).resolve().parents[2]
SHORT: Final = Rules(max_deals=1, target=None, tie=Tie.SHARED)
MOST: Final = 6_000_000
"""Limit of all files, in bytes."""


def test_it_is_the_same_pyodide_as_that_of_the_documentation() -> None:
    package = json.loads((ROOT / "docs" / "examples" / "pyodide" / "package.json").read_text("utf-8"))
    assert package["dependencies"] == {"pyodide": PYODIDE}


def test_what_is_missing_is_said_and_other_files_are_left_alone(tmp_path: Path) -> None:
    (tmp_path / "own").mkdir()
    (tmp_path / "own" / "index.html").write_text("mine", encoding="utf-8")
    done = CliRunner().invoke(cli, ["table", "--static", str(tmp_path / "own")])
    assert done.exit_code == 1
    assert "has other files: name a new folder, or an empty one" in done.output
    assert [path.name for path in (tmp_path / "own").iterdir()] == ["index.html"]
    with pytest.raises(CannotBuild, match=r"has no pyodide\.mjs: name a folder with the npm package pyodide"):
        build_page(tmp_path / "new", pyodide=tmp_path)
    assert not (tmp_path / "new").exists()


def test_another_package_of_npm_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fake(*_command: str, folder: Path) -> None:
        (folder / "pyodide.tgz").write_bytes(b"another one")

    monkeypatch.setattr(static_site, "_run", fake)
    with pytest.raises(CannotBuild, match="its digest differs"):
        build_page(tmp_path / "page")


def test_positions_that_pages_lead_to_can_be_played_on() -> None:
    pages = sorted((ROOT / "docs").rglob("*.md"))
    found = [each for page in pages for each in re.findall(r'index\.html#position=([^"&]+)', page.read_text("utf-8"))]
    assert found
    for each in found:
        state = parse_position(unquote(each))
        assert not isinstance(state, GameOver)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of a host, with the page in a folder of its own."""
    if shutil.which("npm") is None:
        pytest.skip("Node.js is not installed: node and npm are needed for Pyodide")
    root = tmp_path_factory.mktemp("host")
    try:
        sizes = build_page(root / "games" / "hearts", proposal=Proposal("short", SHORT))
    except CannotBuild as error:
        pytest.skip(f"the page could not be built: {error}")
    assert sum(sizes.values()) < MOST
    made = root / "games" / "hearts"
    page, manifest = (made / "index.html").read_text("utf-8"), json.loads((made / "manifest.webmanifest").read_bytes())
    assert "trusted-types hearts" in page
    assert "unsafe-eval" not in page, "Python runs in a worker, which has no policy of the page"
    linked = re.findall(r'(?:href|src)="([^"#][^"]*)"', page) + [each["src"] for each in manifest["icons"]]
    assert set(linked) <= set(sizes)
    assert {"manifest.webmanifest", "static/apple-touch-icon.png", "static/icon-512.png"} <= set(linked)
    return root


@pytest.fixture
def host(folder: Path) -> Iterator[Host]:
    with hosted_files(folder) as host:
        yield host


@pytest.fixture
def page(browser: Browser, host: Host) -> Iterator[Page]:
    context = browser.new_context(locale="en-US", viewport={"width": 390, "height": 844})
    page = context.new_page()
    page.set_default_timeout(180_000)
    complaints: list[str] = []
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("console", lambda message: complaints.append(message.text) if message.type == "error" else None)
    page.on("request", lambda asked: None if host.url in asked.url else complaints.append(asked.url))
    yield page
    context.close()
    assert complaints == []


def hand(page: Page) -> list[str]:
    page.wait_for_selector(".hand .card")
    cards: list[str] = page.evaluate("[...document.querySelectorAll('.hand .card')].map((each) => each.dataset.card)")
    return cards


@pytest.mark.web
@pytest.mark.long
def test_a_match_is_played_through_offline_below_another_path(page: Page, host: Host, tmp_path: Path) -> None:
    from support.web_browser import PLAYS

    page.goto(f"{host.url}games/hearts/")
    page.evaluate("localStorage.setItem('hearts-prefers-speed', 'fast')")
    page.locator("#play-now").click()
    before = hand(page)
    assert len(before) == 13
    assert not page.locator("#invite").is_visible()
    page.evaluate("navigator.serviceWorker.ready.then(() => true)")
    host.stop()

    # Everything comes from this browser now, the table too.
    page.reload()
    assert hand(page) == before
    page.wait_for_selector(".game[data-mine=true]")
    page.get_by_role("button", name="Hint").click()
    page.wait_for_function("/^Hint|[a-z]/.test(document.querySelector('#advice').textContent)")
    page.evaluate(PLAYS.replace("UNTIL", "false"), 900)
    page.evaluate("() => window.over")
    page.wait_for_selector("#winner")
    with page.expect_download() as saved:
        page.locator("#save").click()
    saved.value.save_as(tmp_path / "hearts.json")
    judged = verify(from_json((tmp_path / "hearts.json").read_bytes(), Record))
    assert (judged.valid, judged.finished) == (True, True)


@pytest.mark.web
@pytest.mark.long
def test_a_position_in_the_address_is_played_on(page: Page, host: Host) -> None:
    state: State = reached(new_game(SHORT), lambda state: bool(getattr(state, "trick", ())))
    for seat in ("", "&seat=0"):
        page.goto("about:blank")
        page.goto(f"{host.url}games/hearts/#position={quote(format_position(state))}{seat}")
        page.wait_for_selector(".game[data-phase=playing]")
        assert re.search(r"#t/[\w-]+$", page.url)
        assert len(hand(page)) in (12, 13)
    page.goto("about:blank")
    page.goto(f"{host.url}games/hearts/#position=nonsense")
    page.wait_for_selector("main [role=alert]")
    assert "This position cannot be played." in page.locator("main [role=alert]").inner_text()


@pytest.mark.web
@pytest.mark.long
def test_two_tabs_do_not_have_the_tables_at_once(page: Page, host: Host) -> None:
    page.goto(f"{host.url}games/hearts/")
    page.locator("#play-now").click()
    hand(page)
    other = page.context.new_page()
    other.goto(f"{host.url}games/hearts/")
    other.get_by_text("Your tables are open in another tab of this browser").wait_for(timeout=180_000)
    page.goto("about:blank")
    other.locator("#loading").wait_for(state="hidden", timeout=180_000)
    other.locator("#go-on-playing").click()
    assert len(hand(other)) > 0
