"""The browser table for everybody: axe, the focus, a screen reader's tree, German, and what comes after a match."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from datetime import datetime
from typing import Any

import attrs
import pytest

from heartsrules import GameOver, Rules, new_game, presets, view
from heartsrules.apps.table.messages import view_message
from heartsrules.messages import describe
from heartsrules.pictures.svg import DRAWINGS
from heartsrules.rules import HOLD, Kitty, Tie
from support.random_play import reached
from support.tables import rules_of
from support.web_player import rules_document

pytest.importorskip("playwright.sync_api", reason="the tests in a browser need the package playwright")
pytest.importorskip("axe_playwright_python", reason="they need axe-playwright-python too")
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Locator, Page

from support.web_browser import DIMMED, Visit, Visitor, play_to_the_end, play_until, seated, unfolded

pytestmark = pytest.mark.web

SHORT = Rules(max_deals=1, target=None, tie=Tie.SHARED)
COUNTDOWN = rules_of(
    "players=3 hand_size=3 kitty=last-trick opening_leader=dealer-left opening_card=any score_display=countdown "
    "max_deals=2 pass_cycle=hold tie=shared"
)
CROWD = Rules(players=11, decks=2, kitty=Kitty.LAST_TRICK)


def check(page: Page) -> None:
    """Check with axe what a page shows; in the dark its colours alone are others."""
    told = {"resultTypes": ["violations"]}
    for scheme, options in (("light", told), ("dark", told | {"runOnly": ["color-contrast"]})):
        page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
        found = Axe().run(page, options=options).response
        assert [(each["id"], [node["html"][:200] for node in each["nodes"]]) for each in found["violations"]] == []
        assert "color-contrast" in {each["id"] for each in found["passes"]}, "nothing was judged"


@pytest.mark.parametrize("everywhere", [False, pytest.param(True, marks=pytest.mark.long)])
def test_axe_finds_nothing_on_any_screen(visit: Visit, everywhere: bool) -> None:
    ann = visit(painted=True)
    page = ann.page
    page.get_by_role("button", name="Play now").wait_for()
    unfolded(ann)
    check(page)
    seated(ann, SHORT, begin=False)
    if everywhere:
        check(page)
    page.get_by_role("button", name="Begin").click()
    ann.wait_for_turn()
    if everywhere:
        check(page)
    play_until(ann, DIMMED)
    check(page)
    if everywhere:
        page.get_by_title("Settings").click()
        check(page)
        play_to_the_end([ann])
        check(page)


@pytest.mark.long
def test_axe_finds_nothing_at_a_crowded_table(visit: Visit) -> None:
    ann = visit(None, painted=True, viewport={"width": 390, "height": 844})
    seated(ann, CROWD)
    check(ann.page)


PUT = """data => {
  const socket = window.sockets.at(-1);
  window.receive ??= socket.onmessage;
  socket.onmessage = null;
  for (const message of data) window.receive({data: message});
  return new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
}"""


def put(page: Page, *messages: dict[str, Any]) -> None:
    """Let a page show how things stand, and nothing that the server says afterwards: its bots play on."""
    page.evaluate(PUT, [json.dumps(message) for message in messages])


def last(visitor: Visitor, kind: str) -> dict[str, Any]:
    """The last message of a type that a page was sent."""
    return next(message for message in reversed(visitor.told) if message["type"] == kind)


def opened(visitor: Visitor, rules: Rules, seats: list[dict[str, Any]], *guests: str, **more: Any) -> list[str]:
    """Open a table by a request, and have guests sit down: the ways to the seats."""
    post = visitor.context.request.post
    wish = {"rules": rules_document(rules), "name": "Ann", "seats": [{}, *seats], **more}
    table = post(f"{visitor.url}api/tables", data=wish).json()
    seat = f"{visitor.url}api/tables/{table['table']}/seats"
    tokens = [table["token"], *[post(seat, data={"name": name}).json()["token"] for name in guests]]
    return [f"{visitor.url}#t/{table['table']}/{token}" for token in tokens]


FAMILY = "👨‍👩‍👧‍👦"
FRIEND: dict[str, Any] = {"level": "usual", "friend": True}
BOT: dict[str, Any] = {"level": "usual", "friend": False}


def test_a_key_that_is_pressed_twice_presses_the_same_button(visit: Visit) -> None:
    ann = visit(None)
    page = ann.page
    (way,) = opened(ann, attrs.evolve(SHORT, pass_cycle=(HOLD,)), [BOT] * 3, hints="never")
    page.goto(way)
    ann.wait_for_turn()
    play_until(ann, "mine === 'true' && document.querySelector('#again')")
    assert page.locator(".actions button").first.get_attribute("id") == "undo", "it would be found first"
    again = page.locator("#again")
    again.focus()
    for pressed in ("true", "false"):
        page.keyboard.press("Space")
        assert page.locator("#again:focus").get_attribute("aria-pressed") == pressed
    again.evaluate("(button) => button.remove()")
    page.locator("#prompt:focus").wait_for()  # no button, where the next press would take a move back
    # A vote is taken back by the key that gave it.
    table = last(ann, "table")
    put(page, table | {"absent": [{"seat": 3, "votes": [], "needed": 2}]})
    page.locator("#vote-3").focus()
    for votes, pressed in (([0], "true"), ([], "false")):
        page.keyboard.press("Space")
        put(page, table | {"absent": [{"seat": 3, "votes": votes, "needed": 2}]})
        page.locator(f"#vote-3[aria-pressed={pressed}]:focus").wait_for()


def speak(page: Page, language: str) -> None:
    """Choose a language by keyboard, and wait for the page that speaks it."""
    if not page.locator("#preferences-menu:popover-open").count():
        page.locator("#preferences > button").press("Enter")
    page.locator("#language").select_option(language)
    page.wait_for_function("language => document.documentElement.lang === language", arg=language)
    page.locator("#preferences-menu:popover-open #language:focus").wait_for()


@pytest.mark.long
def test_who_chooses_a_language_goes_on_where_they_were(visit: Visit) -> None:
    ann = visit()
    page = unfolded(ann)
    page.get_by_label("Your name").fill("Annika")
    page.get_by_label("Game", exact=True).select_option("Omnibus")
    page.locator("#players").select_option("5")
    page.get_by_text("All options").click()
    page.get_by_label("Queen points").fill("17")
    page.locator("#strength").select_option("expert")
    speak(page, "de")
    speak(page, "en")
    fields = [page.locator("#name"), page.locator("#players"), page.get_by_label("Queen points")]
    values = [field.input_value() for field in (*fields, page.locator("#strength"))]
    assert values == ["Annika", "5", "17", "expert"]
    assert page.locator("#game option:checked").inner_text() == "Omnibus"
    page.get_by_role("button", name="Open the table").click()
    page.get_by_role("button", name="Begin").wait_for()
    bob = visit(page.url.removeprefix(ann.url))
    speak(page, "de")
    page.get_by_role("button", name="Anfangen").wait_for()
    assert page.locator("#language:focus").count() == 1, "what comes does not take the focus away"
    bob.page.get_by_label("Your name").fill("Bob")
    speak(bob.page, "de")
    assert bob.page.get_by_label("Dein Name").input_value() == "Bob"
    bob.page.reload()
    bob.page.get_by_label("Dein Name").wait_for()


CUT_CHOICES = """(all) => all.flatMap((control) => {
  const brush = document.createElement("canvas").getContext("2d");
  brush.font = getComputedStyle(control).font;
  return [...control.options].filter(({ text }) => brush.measureText(text).width > control.clientWidth - 40);
}).map(({ text }) => text)"""


def test_in_german_everything_is_german(visit: Visit) -> None:
    ann = visit(locale="de-AT")
    page = unfolded(ann)
    page.get_by_role("button", name="Den Tisch eröffnen").wait_for()
    page.locator("#sentences li").first.wait_for(state="attached")
    page.set_viewport_size({"width": 390, "height": 844})
    assert page.locator("#hints, #away").evaluate_all(CUT_CHOICES) == []
    assert page.locator("#sentences li").all_text_contents() == [*describe(presets.microsoft(), "de")]
    page.get_by_text("Alle Regeln einzeln").click()
    page.get_by_label("Die erste Karte", exact=True).select_option(label="Das niedrigste Kreuz")
    page.locator("[data-place='/removed']").fill("2C 3C 4C 5C 6C 7C 8C 9C TC JC QC KC AC 2D 3D 4D")
    problem = page.locator("[role=alert] li", has_text=re.compile("Wer zuerst ausspielt.* ist .*as niedrigste Kreuz"))
    problem.wait_for()
    assert "_" not in (problem.text_content() or ""), "options are called what the form calls them"
    (way,) = opened(ann, SHORT, [BOT] * 3)
    page.goto(way)
    ann.wait_for_turn()
    assert page.locator("html").get_attribute("lang") == "de"
    assert "3 Karten an Bruno" in page.locator("#prompt").inner_text()
    assert page.get_by_role("button", name=re.compile("^(Kreuz|Karo|Pik|Herz)-")).count() == 13
    play_until(ann, DIMMED)
    dim = page.locator(".hand .dim .card").first
    why = page.locator(f"#{dim.get_attribute('aria-describedby')}").text_content() or ""
    assert any(word in why for word in ("bedient nicht", "darf nicht", "muss"))


HINTED = "() => [...document.querySelectorAll('.hand .advised .card')].map((each) => each.dataset.card)"


def until_hinted(visitor: Visitor) -> dict[str, Any]:
    """Wait until a page shows a hint: what the server has said."""
    visitor.page.locator("#advice", has_text=re.compile(r"\.$")).wait_for()
    return next(message for message in reversed(visitor.told) if message["type"] == "hint")


@pytest.mark.long
def test_a_hint_is_said_marked_and_asked_for_by_a_key(visit: Visit) -> None:
    ann = visit(None, painted=True)
    page = ann.page
    seated(ann, SHORT)
    page.locator(".hand .card").first.focus()
    page.keyboard.press("h")
    told = until_hinted(ann)
    assert page.evaluate(HINTED) == [each for each in ann.hand if each in told["move"]["cards"][0].split()]
    assert page.get_by_role("status").filter(has_text="points expected").count() == 1
    assert page.get_by_role("button", name=re.compile(r" of \w+, this is the hint$")).count() == 3
    assert page.evaluate("() => document.activeElement.matches('.hand .card')"), "the focus stays where it is"
    check(page)
    ann.act_and_see()
    ann.wait_for_turn()
    assert (page.locator("#advice").inner_text(), page.evaluate(HINTED)) == ("", [])
    page.locator("#hint").click()
    played = until_hinted(ann)["move"]["card"]
    assert page.evaluate(HINTED) == [played]
    assert page.locator("#hint:focus").count() == 1
    ann.press(page.locator(f".hand .card[data-card='{played}']"))
    page.locator("#advice:empty").wait_for(state="attached")


def numbers(row: Locator) -> list[int]:
    """The numbers of a row of the sheet."""
    return [int(cell.replace("−", "-").split()[0]) for cell in row.locator("td").all_inner_texts()]


@pytest.mark.long
def test_the_sheet_of_a_match_adds_up_and_the_match_can_be_kept(visit: Visit) -> None:
    ann = visit(None)
    page = ann.page
    table = seated(ann, COUNTDOWN)
    play_to_the_end([ann])
    rows = [numbers(row) for row in page.locator(".sheet tbody tr").all()]
    assert len(rows) == 3, "what they start with, and two deals"
    assert [sum(column) for column in zip(*rows, strict=True)] == numbers(page.locator(".sheet .totals"))
    assert page.locator(".curve .run").count() == 3
    # What a deal has done has one sign wherever it is told: here a penalty lowers what is left.
    assert min(rows[2]) < 0
    (told,) = re.findall(r"Points of the deal: (.*)\.", page.locator(".log li").all_inner_texts()[-2])
    assert [int(each.replace("−", "-")) for each in re.findall(r"[+−]?\d+(?=,|$)", told)] == rows[2]
    most = [int(each.replace("−", "-")) for each in page.locator(".statistics td:nth-child(3)").all_inner_texts()]
    assert most == [max(column[1:]) for column in zip(*rows, strict=True)]
    with page.expect_download() as saved:
        page.get_by_role("button", name="Save the record").click()
    assert json.loads(saved.value.path().read_bytes())["kind"] == "record"
    page.get_by_role("link", name="Open another table").click()
    mine = page.get_by_role("region", name="Your tables")
    assert "the match is over" in mine.inner_text()
    assert mine.get_by_role("link").first.get_attribute("href") == f"#t/{table}"


CUT = """() => {
  const wide = (each) => each.scrollWidth > each.clientWidth + 1;
  const found = (selector) => [...document.querySelectorAll(selector)];
  const texts = (selector, test) => found(selector).filter(test).map((each) => each.textContent);
  return [
    ...texts("table.sheet :is(th, td)", wide),
    ...texts(".fitted > :nth-child(2)", (number) => {
      const [own, all] = [number, number.parentElement].map((each) => each.getBoundingClientRect());
      return own.left < all.left - 1 || own.right > all.right + 1;
    }),
    document.documentElement.scrollWidth > innerWidth && "the page",
  ].filter(Boolean);
}"""
"""What is cut of the names and of the score sheet, but for the end of a long name."""


@pytest.mark.long
def test_long_names_and_numbers_fit_the_sheet_and_equal_names_keep_their_numbers(visit: Visit) -> None:
    ann = visit(None)
    page = ann.page
    long, hebrew = "Wolfeschlegelsteinhausen", "אברהם בן־יעקב"
    (way, *_) = opened(ann, CROWD, [FRIEND] * 10, hebrew, hebrew, long, long, FAMILY * 3)
    page.goto(way)
    page.locator("#begin").click()
    page.wait_for_selector(".game[data-phase=passing]")
    message = last(ann, "view")
    totals = [-122, -1304, 0, -3040, -26, 5, -122, -14, 0, 0, -200]
    message["facts"]["totals"] = totals
    put(page, last(ann, "sheet") | {"rows": [{"points": totals, "totals": totals, "shooter": 3}]}, message)
    assert page.locator(".sheet tbody td").nth(3).inner_text().startswith("\N{MINUS SIGN}3040")
    for width in (360, 390, 820, 1440):
        page.set_viewport_size({"width": width, "height": 844})
        assert page.evaluate(CUT) == []
    names = page.locator("table.sheet thead bdi")
    assert names.all_text_contents()[1:6] == [hebrew, f"{hebrew} (2)", long, f"{long} (2)", FAMILY * 3]
    assert f"\u2068{hebrew}\u2069" in page.locator("#prompt").inner_text(), "what stands around it is not turned"
    # Where a name is cut, it is so at its own end.
    looks = names.locator("> :first-child").evaluate_all("(all) => all.map(getComputedStyle)")
    assert [look["direction"] for look in looks[1:5]] == ["rtl", "rtl", "ltr", "ltr"]
    assert {(look["overflowX"], look["textOverflow"]) for look in looks} == {("hidden", "ellipsis")}


def test_small_cards_are_read_and_cancelled_ones_told_apart(visit: Visit) -> None:
    ann = visit(None, locale="de", viewport={"width": 390, "height": 844})
    page = ann.page
    (way,) = opened(ann, attrs.evolve(CROWD, pass_cycle=(HOLD,)), [BOT] * 10)
    page.goto(way)
    ann.wait_for_turn()
    message = last(ann, "view")
    trick = ["2C", "JC", "7C", "JC", "4C", "2C", "5C", "QC", "6C", "8C", "9C"]
    plays = [{"seat": seat, "card": card, "cancelled": seat in (0, 1, 3, 5)} for seat, card in enumerate(trick)]
    lying = {"plays": plays, "winner": None, "complete": False}
    message["view"]["set_aside"] = " ".join([f"{rank}C" for rank in "23456789TJQK"] * 2 + ["QS"] + ["AH"] * 8)
    message["facts"] |= {"lying": lying, "open": [["JD"], *[[]] * 10], "aside": {"hearts": 8, "cards": ["QS"]}}
    put(page, message)
    struck = page.locator(".seats > li.cancelled").evaluate_all("(all) => all.map((each) => Number(each.dataset.seat))")
    assert [trick[seat] for seat in struck] == ["2C", "JC", "JC", "2C"]
    said = page.locator(".played .sr").all_text_contents()
    assert [seat for seat, text in enumerate(said) if "von einer gleichen Karte aufgehoben" in text] == struck
    lost = page.locator("#lost")
    assert lost.locator(".chip").all_inner_texts() == ["8", ""]
    assert lost.locator(".chip .face.suit-S").count() == 1
    assert len(re.findall(r"(Kreuz|Pik|Herz)-", lost.locator(".sr").text_content() or "")) == 33
    drawings = json.loads(DRAWINGS.read_bytes())
    for face in (page.locator(".played .rank").nth(2), page.locator(".open .rank")):
        assert face.get_attribute("d") == drawings["letters"]["B"]["path"], "a jack is a Bube"


@pytest.mark.long
def test_teams_have_lines_in_the_order_of_their_totals(visit: Visit) -> None:
    ann = visit(None, locale="de", viewport={"width": 390, "height": 844})
    page = ann.page
    (way,) = opened(ann, attrs.evolve(presets.partner_hearts(), max_deals=1), [BOT] * 3)
    page.goto(way)
    ann.wait_for_turn()
    play_to_the_end([ann])
    ranked = sorted(last(ann, "view")["facts"]["standings"], key=lambda each: -each["total"])
    assert page.locator(".course li").all_text_contents() == [f"Team {each['seats'][0] + 1}" for each in ranked]
    message = last(ann, "view")
    totals = [-2160, 140, -800, -1080]
    message["facts"]["totals"] = totals
    put(page, last(ann, "sheet") | {"rows": [{"points": totals, "totals": totals, "shooter": None}]}, message)
    left = page.locator(".curve span").evaluate_all(
        "(all) => Math.min(...all.map((each) => each.getBoundingClientRect().x))"
    )
    assert left >= 0


def test_the_winners_are_those_of_the_view_even_if_others_have_a_better_total(visit: Visit) -> None:
    ann = visit(None)
    seated(ann, SHORT)
    state = reached(new_game(SHORT), lambda state: isinstance(state, GameOver), seed="winners")
    assert 0 not in state.winners
    shooter_wins = GameOver(state.score_sheet, state.last_deal, (0,))
    put(ann.page, json.loads(view_message(99, 0, view(shooter_wins, 0), ())))
    assert ann.page.locator("#winner").text_content() == "You win"
    assert ann.page.locator(".places .first bdi").all_text_contents() == ["You"]


DRAWN = "() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))"
"""Waits until the page is drawn at a new size."""
TOP_OF_HAND = "Math.round(document.querySelector('.hand').getBoundingClientRect().top + scrollY)"


@pytest.mark.long
@pytest.mark.parametrize("language", ["en", "de"])
def test_the_hand_stays_where_somebody_is_about_to_press_a_card(visit: Visit, language: str) -> None:
    ann = visit(None, locale=language)
    page = ann.page
    (way,) = opened(ann, attrs.evolve(SHORT, exposable="QS AH"), [BOT] * 3)
    page.goto(way)
    ann.wait_for_turn()
    heights: dict[int, set[int]] = {360: set(), 390: set()}

    def look() -> None:
        for width, found in heights.items():
            page.set_viewport_size({"width": width, "height": 844})
            page.evaluate(DRAWN)
            found.add(page.evaluate(TOP_OF_HAND))

    while not (ann.state["phase"] == "playing" and page.locator("#again").count()):
        look()
        ann.act_and_see()
        ann.wait_for_turn()
    look()
    # Once the rest may be taken, there is one button more; and some reasons are long.
    message = last(ann, "view")
    message["view"]["trick"] = []
    message["choice"] |= {"claim": True, "undo": True}
    put(page, message)
    look()
    page.evaluate("() => { document.querySelector('#why').textContent = 'why '.repeat(60); }")
    look()
    assert [len(found) for found in heights.values()] == [1, 1]


def test_the_last_trick_is_looked_at_again(visit: Visit) -> None:
    # The clock of what is painted is in no page of another test.
    ann = visit(None, painted=True)
    page = ann.page
    seated(ann, attrs.evolve(SHORT, pass_cycle=(HOLD,)))
    again = page.get_by_role("button", name="Last trick")
    play_until(ann, "mine === 'true' && document.querySelector('#again')")
    winner = last(ann, "view")["facts"]["last"]["winner"]
    whose = f"to {last(ann, 'table')['people'][winner]['name']}" if winner else "yours"
    shown = page.locator("#last-trick")
    now, top = page.locator(".board").inner_html(), page.locator(".hand").bounding_box()
    page.clock.install(time=datetime(2020, 1, 1))
    page.clock.pause_at(datetime(2020, 1, 2))
    escape, wait = (lambda: page.keyboard.press("Escape")), (lambda: page.clock.run_for(2000))
    ends: tuple[Callable[[], None], ...] = (again.click, escape, wait, ann.act)
    for end in ends:
        again.click()
        assert shown.is_visible()
        assert shown.locator("> [aria-hidden] .card-in-text").count() == 4
        assert whose in (shown.text_content() or ""), "assistive technology is told it too"
        assert page.locator(".board").inner_html() == now, "the trick that is played stays"
        assert page.locator(".hand").bounding_box() == top
        end()
        assert not shown.is_visible()


def test_cards_move_unless_somebody_or_the_system_prefers_that_they_do_not(visit: Visit) -> None:
    ann = visit(None, reduced_motion="no-preference", painted=True)
    page = ann.page
    box = page.get_by_label("Cards move")
    for moves in (False, True):
        page.goto(ann.url)
        page.get_by_text("Settings").click()
        assert box.is_checked()
        box.set_checked(moves)
        seated(ann, attrs.evolve(SHORT, pass_cycle=(HOLD,)))
        ann.act_and_see()
        ann.wait_for_turn()
        assert (page.evaluate("window.animated") > 0) is moves
        page.evaluate("localStorage.clear()")
    for hidden, motion in (("true", "no-preference"), ("false", "reduce")):
        page.add_init_script(f"Object.defineProperty(document, 'hidden', {{get: () => {hidden}, configurable: true}})")
        page.emulate_media(reduced_motion=motion)  # type: ignore[arg-type]
        page.goto(ann.url)
        page.get_by_text("Settings").click()
        assert box.is_checked() is box.is_enabled() is (motion != "reduce")
    page.get_by_text("Your system is set to reduce motion.").wait_for()
