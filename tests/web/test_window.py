"""The law of the window: in every game and phase, at every size, what a player needs is seen without scrolling, and uncovered."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

import attrs
import pytest

from heartsrules import presets
from heartsrules.apps.table.games import GAMES, OfferedGame
from support.web_nursery import Nursery
from support.web_process import Server, served

pytest.importorskip("playwright.sync_api", reason="the tests in a browser need the package playwright")
from playwright.sync_api import Browser, Page

from support.web_browser import UNPAINTED
from support.web_phases import FED, Shown, phases

pytestmark = pytest.mark.web

USUAL, SHOWING = [next(game for game in GAMES if game.preset == name) for name in ("microsoft", "gong_zhu")]
SIZES: Final = (
    *((1440, 900), (1536, 730), (1366, 657), (1280, 720), (768, 1024)),
    *((390, 844), (390, 664), (375, 553), (360, 640), (640, 360)),
)
SEEN: Final = """() => {
  const found = (selector) => [...document.querySelectorAll(selector)].filter((each) => each.checkVisibility({ visibilityProperty: true }));
  const told = (each) => `${each.getAttribute("class") || each.id || each.tagName} ${each.textContent.slice(0, 24)}`;
  const box = (each) => each.getBoundingClientRect();
  const problems = [];
  const over = document.querySelector(".game").dataset.phase === "game-over";
  const alone = over
    ? ["#winner", ".places li", ".crown .buttons > *"]
    : [".who", ".played .face", ".heading > *", ".centre .label", "#prompt", "#advice:not(:empty)", ".actions > *"];
  const read = alone.flatMap(found).map((each) => [each, box(each)]);
  const cards = found(".hand .card").map((each) => [each, box(each)]);
  const needed = over ? ["#winner", ".crown button"] : [".who", "#prompt"];
  for (const selector of needed) if (!found(selector).length) problems.push(`${selector} is not there`);
  for (const [each, { left, right, top, bottom }] of [...read, ...cards]) {
    if (left < -0.5 || top < -0.5 || right > innerWidth + 0.5 || bottom > innerHeight + 0.5) problems.push(`${told(each)} is outside`);
  }
  const { scrollWidth, scrollHeight } = document.documentElement;
  if (scrollWidth > innerWidth || scrollHeight > innerHeight) problems.push("the page scrolls");
  // A card that is turned does not fill its box.
  const inner = (each, own) => (each.matches(".played .face") ? 0.04 * own.height : 0.5);
  read.forEach(([one, a], at) => [...read.slice(at + 1), ...cards].forEach(([other, b]) => {
    const slack = inner(one, a) + inner(other, b);
    const across = Math.min(a.right, b.right) - Math.max(a.left, b.left);
    const down = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
    if (across > slack && down > slack && !one.contains(other)) problems.push(`${told(one)} and ${told(other)} cover each other`);
  }));
  for (const [card, own] of cards) {
    const { left, top, width, height } = box(card.querySelector(".rank"));
    if (document.elementFromPoint(left + width / 2, top + height / 2)?.closest(".card") !== card) problems.push(`${card.dataset.card} is covered`);
    const next = cards.map(([, each]) => each.left - own.left).filter((off, at) => off > 0 && Math.abs(cards[at][1].top - own.top) < own.height / 2);
    if (Math.min(own.width, ...next) < 23.5) problems.push(`${card.dataset.card} is ${Math.min(own.width, ...next)} wide`);
  }
  for (const button of found(".actions button, .crown button")) if (Math.min(box(button).width, box(button).height) < 24) problems.push(`${told(button)} is small`);
  for (const each of found("#prompt, .actions button, .centre .label, .newcomer")) {
    if (each.scrollHeight > each.clientHeight + 2 || each.scrollWidth > each.clientWidth + 1) problems.push(`${told(each)} is cut`);
  }
  for (const face of found(".played")) if (face.firstElementChild && face.offsetWidth < 20) problems.push(`a card of the trick is ${face.offsetWidth} wide`);
  return [...new Set(problems)];
}"""
"""What is outside the window, covered, cut or too small."""

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


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory, nursery: Nursery) -> Iterator[Server]:
    with served(tmp_path_factory.mktemp("window"), nursery=nursery) as server:
        yield server


@pytest.fixture(params=["en", "de"])
def page(request: pytest.FixtureRequest, browser: Browser, server: Server) -> Iterator[Page]:
    context = browser.new_context(locale=request.param, reduced_motion="reduce")
    context.add_init_script(FED + UNPAINTED)
    page = context.new_page()
    page.goto(server.url)
    yield page
    context.close()


def problems(page: Page, game: OfferedGame, shown: list[Shown]) -> list[str]:
    """What breaks the law in these positions, at all sizes."""
    language = page.evaluate("document.documentElement.lang")
    told = [[position.name, position.messages(game.preset, language)] for position in shown]
    found: list[str] = []
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        found += page.evaluate(EACH, told)
    return found


@pytest.mark.parametrize("page", ["en"], indirect=True)
@pytest.mark.parametrize("game", [USUAL, SHOWING], ids=lambda game: game.preset)
def test_a_trick_is_in_the_window_with_the_whole_hand(page: Page, game: OfferedGame) -> None:
    shown = [position for position in phases(presets.ALL[game.preset].rules(game.players)) if position.name == "playing"]
    assert problems(page, game, shown) == []


@pytest.mark.long
@pytest.mark.parametrize("game", GAMES, ids=lambda game: f"{game.preset}-{game.players}")
def test_what_a_player_needs_is_in_the_window(page: Page, game: OfferedGame) -> None:
    shown = phases(presets.ALL[game.preset].rules(game.players))
    assert problems(page, game, shown) == []


@pytest.mark.parametrize("page", ["en"], indirect=True)
def test_what_is_beside_the_table_is_a_sheet_where_the_window_is_narrow(page: Page) -> None:
    position = next(each for each in phases(presets.ALL[USUAL.preset].rules(USUAL.players)) if each.name == "playing")
    page.set_viewport_size({"width": 390, "height": 664})
    page.evaluate("messages => window.feed(messages)", position.messages(USUAL.preset, "en"))
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
