"""The law of the window: in every game, phase and size, what a player needs is seen unscrolled and uncovered."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import pytest

from heartsrules import presets
from heartsrules.apps.table.games import GAMES, OfferedGame
from support.web_process import Server

pytest.importorskip("playwright.sync_api", reason="the tests in a browser need the package playwright")
from playwright.sync_api import Browser, Page

from support.web_browser import UNPAINTED
from support.web_phases import FED, Shown, phases
from support.web_window import SEEN, SIZES

pytestmark = pytest.mark.web

USUAL, SHOWING = [next(game for game in GAMES if game.preset == name) for name in ("microsoft", "gong_zhu")]
EACH: Final = f"""async (told) => {{
  const seen = {SEEN};
  const found = [];
  for (const [name, messages] of told) {{
    await window.feed(messages);
    await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
    found.push(...seen().map((problem) => `${{name}} ${{innerWidth}}x${{innerHeight}}: ${{problem}}`));
  }}
  return found;
}}"""
"""The same of several positions, one after the other."""


@pytest.fixture(params=["en", "de"])
def page(request: pytest.FixtureRequest, browser: Browser, server: Server) -> Iterator[Page]:
    context = browser.new_context(locale=request.param, reduced_motion="reduce")
    context.add_init_script(FED + UNPAINTED)
    page = context.new_page()
    page.goto(server.url)
    yield page
    context.close()


def problems(page: Page, game: OfferedGame, shown: list[Shown], every: int = 1) -> list[str]:
    """What breaks the law in these positions, at all sizes or some."""
    language = page.evaluate("document.documentElement.lang")
    told = [[position.name, position.messages(game.preset, language)] for position in shown]
    found: list[str] = []
    for width, height in SIZES[::every]:
        page.set_viewport_size({"width": width, "height": height})
        found += page.evaluate(EACH, told)
    return found


def playing(game: OfferedGame) -> Shown:
    """A position of play with most of a trick, and with the cards that were shown."""
    return next(each for each in phases(presets.ALL[game.preset](game.players)) if each.name == "playing")


@pytest.mark.parametrize("page", ["en"], indirect=True)
@pytest.mark.sampled(2)
@pytest.mark.parametrize("game", [USUAL, SHOWING], ids=lambda game: game.preset)
def test_a_trick_is_in_the_window_with_the_whole_hand(page: Page, game: OfferedGame) -> None:
    assert problems(page, game, [playing(game)], every=3) == []


@pytest.mark.long
@pytest.mark.parametrize("game", GAMES, ids=lambda game: f"{game.preset}-{game.players}")
def test_what_a_player_needs_is_in_the_window(page: Page, game: OfferedGame) -> None:
    shown = phases(presets.ALL[game.preset](game.players))
    assert problems(page, game, shown) == []


@pytest.mark.parametrize("page", ["en"], indirect=True)
def test_what_is_beside_the_table_is_a_sheet_where_the_window_is_narrow(page: Page) -> None:
    page.set_viewport_size({"width": 390, "height": 664})
    page.evaluate("messages => window.feed(messages)", playing(USUAL).messages(USUAL.preset, "en"))
    sheet, log = page.get_by_role("table"), page.get_by_role("log", name="What has happened")
    button = page.get_by_role("button", name="Scores")
    assert (sheet.count(), log.count()) == (0, 1), "the log is read aloud all the same"
    button.press("Enter")
    sheet.wait_for()
    page.keyboard.press("Escape")
    sheet.wait_for(state="hidden")
    assert button.evaluate("(button) => button === document.activeElement")
    page.set_viewport_size({"width": 1280, "height": 720})
    sheet.wait_for()
    assert not button.count()
