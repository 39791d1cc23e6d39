"""The browser table for everybody: axe, the focus, a screen reader's tree, German, and what comes after a match."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Any

import attrs
import pytest

from heartsrules import GameOver, Rules, new_game, presets, view
from heartsrules.apps.table.messages import view_message
from heartsrules.messages import describe
from heartsrules.pictures.svg import DRAWINGS
from heartsrules.rules import HOLD, Kitty, Tie
from support.bundle import PAGE
from support.random_play import reached
from support.tables import rules_of
from support.web_player import rules_document

pytest.importorskip("playwright.sync_api", reason="the tests in a browser need the package playwright")
pytest.importorskip("axe_playwright_python", reason="they need axe-playwright-python too")
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Locator, Page

from support.web_browser import (
    DIMMED,
    Visitor,
    play_to_the_end,
    play_until,
    seated,
    sit_down,
    unfolded,
    wait_until,
    with_sources,
)

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


def test_axe_finds_nothing_on_any_screen(visit: Callable[..., Visitor]) -> None:
    ann = visit(painted=True)
    page = ann.page
    page.get_by_role("button", name="Play now").wait_for()
    check(page)
    unfolded(ann)
    check(page)
    seated(ann, SHORT, begin=False)
    check(page)
    page.get_by_role("button", name="Begin").click()
    ann.wait_for_turn()
    check(page)
    play_until(ann, DIMMED)
    check(page)
    play_to_the_end([ann])
    check(page)


@pytest.mark.long
def test_axe_finds_nothing_at_a_crowded_table(visit: Callable[..., Visitor]) -> None:
    ann = visit(None, painted=True, viewport={"width": 390, "height": 844})
    seated(ann, CROWD)
    check(ann.page)


LOST = """() => {
  window.lost = [];
  const look = () => {
    const now = document.activeElement;
    const phase = document.querySelector(".game")?.dataset.phase;
    if (!now || now === document.body) window.lost.push(`in the phase ${phase}`);
  };
  const all = { childList: true, subtree: true, attributes: true };
  new MutationObserver(() => requestAnimationFrame(look)).observe(document.body, all);
}"""
"""Notes when nothing has the focus."""


@pytest.mark.long
def test_the_focus_never_falls_to_nowhere(visit: Callable[..., Visitor]) -> None:
    ann = visit(None)
    page = ann.page
    seated(ann, SHORT, begin=False)
    page.get_by_role("button", name="Begin").focus()
    # Not before: until somebody puts it somewhere, nothing has the focus, and the page changes all the same.
    page.evaluate(LOST)
    page.keyboard.press("Enter")
    ann.wait_for_turn()
    while ann.state["phase"] != "game-over":
        ply = int(ann.state["ply"])
        if ann.state["phase"] == "passing":
            for card in page.locator(".hand .card").all()[:3]:
                card.focus()
                page.keyboard.press("Space")
                ann.wait_for_answer()
            page.locator("#pass").focus()
        else:
            page.locator(".hand .card:not([aria-disabled])").first.focus()
        passing = ann.state["phase"] == "passing"
        page.keyboard.press("Enter")
        ann.wait_for_ply(ply + 1)
        if passing:
            # It may have been a bot that made that move.
            page.wait_for_selector(".game:not([data-phase=passing])")
        page.wait_for_selector(".game:is([data-mine=true], [data-phase=game-over])")
    page.locator("#winner:focus").wait_for()
    page.locator("#play-again").focus()
    page.keyboard.press("Enter")
    page.wait_for_selector(".game[data-phase=passing]")
    assert page.evaluate("window.lost") == []


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


def lying(plays: list[str], cancelled: Sequence[int] = ()) -> dict[str, Any]:
    """A trick that the first seat has led."""
    return {"leader": 0, "plays": plays, "winner": None, "complete": False, "cancelled": list(cancelled)}


def opened(visitor: Visitor, rules: Rules, seats: list[dict[str, Any]], *guests: str, **more: Any) -> list[str]:
    """Open a table by a request, and have guests sit down: the ways to the seats."""
    post = visitor.context.request.post
    wish = {"rules": rules_document(rules), "name": "Ann", "seats": [{}, *seats], **more}
    table = post(f"{visitor.url}api/tables", data=wish).json()
    seat = f"{visitor.url}api/tables/{table['table']}/seats"
    tokens = [table["token"], *[post(seat, data={"name": name}).json()["token"] for name in guests]]
    return [f"{visitor.url}#t/{table['table']}/{token}" for token in tokens]


FRIEND: dict[str, Any] = {"level": "usual", "friend": True}
BOT: dict[str, Any] = {"level": "usual", "friend": False}


def test_a_key_that_is_pressed_twice_presses_the_same_button(visit: Callable[..., Visitor]) -> None:
    ann = visit(None)
    page = ann.page
    (way,) = opened(ann, attrs.evolve(SHORT, pass_cycle=(HOLD,)), [BOT] * 3, hints="never")
    page.goto(way)
    ann.wait_for_turn()
    again = page.locator("#again")
    play_until(ann, "mine === 'true' && document.querySelector('#again')")
    assert page.locator(".actions button").first.get_attribute("id") == "undo", "it would be found first"
    again.focus()
    for pressed in ("true", "false"):
        page.keyboard.press("Space")
        assert page.locator("#again:focus").get_attribute("aria-pressed") == pressed
    again.evaluate("(button) => button.remove()")
    page.locator("#prompt:focus").wait_for()  # no button, where the next press would take a move back


def test_a_vote_is_taken_back_by_the_key_that_gave_it(visit: Callable[..., Visitor]) -> None:
    ann, bob = visit(None), visit(None)
    ways = opened(ann, attrs.evolve(SHORT, pass_cycle=(HOLD,)), [FRIEND] * 3, "Bob", "Cleo", "Dan", away=None)
    for visitor, way in zip((ann, bob), ways, strict=False):
        visitor.page.goto(way)
    ann.page.locator("#begin").click()
    bob.page.wait_for_selector(".game[data-ply]:not([hidden])")
    table = last(bob, "table")
    put(bob.page, table | {"absent": [{"seat": 3, "votes": [], "needed": 2}]})
    bob.page.locator("#vote-3").focus()
    for votes, pressed in (([1], "true"), ([], "false")):
        bob.page.keyboard.press("Space")
        put(bob.page, table | {"absent": [{"seat": 3, "votes": votes, "needed": 2}]})
        bob.page.locator(f"#vote-3[aria-pressed={pressed}]:focus").wait_for()


@pytest.mark.long
def test_at_the_end_the_focus_stays_when_somebody_goes(visit: Callable[..., Visitor]) -> None:
    ann, bob = visit(None), visit(None)
    for visitor, way in zip((ann, bob), opened(ann, COUNTDOWN, [FRIEND, BOT], "Bob"), strict=True):
        visitor.page.goto(way)
    ann.page.locator("#begin").click()
    for visitor in (ann, bob):
        visitor.page.wait_for_selector(".game[data-ply]:not([hidden])")
    play_to_the_end([ann, bob])
    ann.page.get_by_role("link", name="Save the record").focus()
    bob.page.goto("about:blank")
    wait_until(ann.page, lambda: not last(ann, "table")["people"][1]["here"])
    assert ann.page.evaluate("document.activeElement.textContent") == "Save the record"


def speak(page: Page, language: str) -> None:
    """Choose a language by keyboard, and wait for the page that speaks it."""
    if not page.locator(".settings[open]").count():
        page.locator(".settings summary").press("Enter")
    page.locator("#language").select_option(language)
    page.wait_for_function("language => document.documentElement.lang === language", arg=language)
    page.locator(".settings[open] #language:focus").wait_for()


@pytest.mark.long
def test_who_chooses_a_language_goes_on_where_they_were(visit: Callable[..., Visitor]) -> None:
    ann = visit()
    page = unfolded(ann)
    page.get_by_label("Your name").fill("Annika")
    page.get_by_label("Game", exact=True).select_option("Omnibus")
    page.locator("#players").select_option("5")
    page.get_by_text("All options").click()
    page.get_by_label("Queen points").fill("17")
    page.locator("#others").select_option("each")
    page.get_by_label("Seat 3").select_option("bot expert")
    speak(page, "de")
    speak(page, "en")
    assert page.locator("#name").input_value() == "Annika"
    assert page.locator("#game option:checked").inner_text() == "Omnibus"
    assert page.locator("#players").input_value() == "5"
    assert page.get_by_label("Queen points").input_value() == "17"
    assert page.get_by_label("Seat 3").input_value() == "bot expert"
    page.get_by_role("button", name="Open the table").click()
    page.get_by_role("button", name="Begin").wait_for()
    link = page.url
    speak(page, "de")
    page.get_by_role("button", name="Anfangen").wait_for()
    assert page.locator("#language:focus").count() == 1, "what comes does not take the focus away"
    bob = visit(link.removeprefix(ann.url))
    bob.page.get_by_label("Your name").fill("Bob")
    speak(bob.page, "de")
    assert bob.page.get_by_label("Dein Name").input_value() == "Bob"


@pytest.mark.long
def test_a_whole_match_with_a_screen_reader(visit: Callable[..., Visitor]) -> None:
    """Nothing is looked at but the names, roles and states that assistive technology is told."""
    ann = visit()
    page = ann.page
    seated(ann, attrs.evolve(SHORT, pass_cycle=(HOLD,)))
    card = re.compile(r'- button "((?:\w+) of (?:clubs|diamonds|spades|hearts))"(?! \[disabled\])')
    for number in range(13):
        page.get_by_role("status").filter(has_text="Your turn.").wait_for()
        told = page.locator("main").aria_snapshot()
        seats = re.findall(r"listitem: (.*)", told)
        assert any("to play" in seat for seat in seats), told
        hand = told.partition('list "Your hand"')[2].partition("- group")[0]
        allowed = card.findall(hand)
        assert len(re.findall(r'- button "', hand)) == 13 - number
        page.get_by_role("list", name="Your hand").get_by_role("button", name=allowed[0], exact=True).press("Enter")
        log = page.get_by_role("log").filter(has_text=f"You: {allowed[0]}.")
        log.wait_for()
    page.get_by_role("heading", name=re.compile("wins?$")).wait_for()


GERMAN = """() => {
  const { cardDrawn, cardSign, draw, say } = window.sources;
  return [
    cardSign("JD"),
    draw(cardDrawn("JD")).innerHTML.replace(/<svg.*<.svg>/, "<svg>"),
    say("end.win", { names: "Du und Cleo", count: 2, you: true }),
    say("end.win", { names: "Cleo und Dan", count: 2, you: false }),
    say("end.you-win"),
  ];
}"""
"""What German says in another order or form than English."""


def test_in_german_everything_is_german(visit: Callable[..., Visitor]) -> None:
    ann = visit(locale="de-AT")
    page = unfolded(ann)
    page.get_by_role("button", name="Den Tisch eröffnen").wait_for()
    page.locator("#sentences li").first.wait_for(state="attached")
    assert page.locator("#sentences li").all_text_contents() == [*describe(presets.microsoft(), "de")]
    seated(ann, SHORT, begin=False)
    assert page.locator("html").get_attribute("lang") == "de"
    page.get_by_role("button", name="Anfangen").click()
    ann.wait_for_turn()
    assert "3 Karten an Bruno" in page.locator("#prompt").inner_text()
    assert page.get_by_role("button", name=re.compile("^(Kreuz|Karo|Pik|Herz)-")).count() == 13
    assert page.locator(".rules li").all_text_contents() == [*describe(SHORT, "de")]
    assert with_sources(ann).evaluate(GERMAN) == [
        "♦B",
        "<svg>B",
        "Du und Cleo gewinnt",
        "Cleo und Dan gewinnen",
        "Du gewinnst",
    ]
    play_until(ann, DIMMED)
    dim = page.locator(".hand .dim .card").first
    why = page.locator(f"#{dim.get_attribute('aria-describedby')}").text_content() or ""
    assert any(word in why for word in ("bedient nicht", "darf nicht", "muss"))
    # Whoever wants another language chooses it, and the page keeps it.
    page.get_by_text("Einstellungen").click()
    page.get_by_label("Sprache").select_option("en")
    page.get_by_text("Settings").wait_for()
    page.reload()
    page.get_by_text("Settings").wait_for()
    ann.wait_for_turn()
    assert page.locator("#prompt").inner_text() == "Your turn."


SHOWN = """() => {
  const texts = (selector) => [...document.querySelectorAll(`.options ${selector}`)].map((each) => each.textContent);
  return {labels: texts(".field > label, legend"), values: texts("option"), parts: texts(".inner label")};
}"""


@pytest.mark.long
def test_the_form_is_german_to_its_last_value(visit: Callable[..., Visitor]) -> None:
    ann = visit(locale="de")
    page = unfolded(ann)
    page.get_by_text("Alle Regeln einzeln").click()
    words = json.loads((PAGE / "options.de.json").read_text("utf-8"))
    shown = page.evaluate(SHOWN)
    assert {each["label"] for name, each in words["options"].items() if name != "players"} <= set(shown["labels"])
    named = {told for each in words["options"].values() for told in each.get("values", {}).values()}
    values = {f"{told[0].upper()}{told[1:]}" for told in named}
    general = {
        "Keine Angabe",
        "Eine Zahl",
        "Eine Liste",
        "Ein Wert mit Namen",
        "Verdoppler",
        *(f"Platz {n}" for n in range(1, 5)),
    }
    # The pass is told in words of its own.
    passing = page.locator(".options .steps option").all_text_contents()
    assert values <= set(shown["values"])
    assert set(shown["values"]) - values - general <= set(passing)
    # What is wrong is told with the same names.
    page.get_by_label("Die erste Karte", exact=True).select_option(label="Das niedrigste Kreuz")
    page.locator("[data-place='/removed']").fill("2C 3C 4C 5C 6C 7C 8C 9C TC JC QC KC AC 2D 3D 4D")
    problem = page.locator("[role=alert] li", has_text="„Wer zuerst ausspielt“ ist „Das niedrigste Kreuz“")
    problem.wait_for()
    assert "_" not in (problem.text_content() or "")
    # Who tries all the same is told so again, in the same words.
    before = page.locator("[role=alert] li").all_text_contents()
    page.locator(".problems").evaluate("(shown) => { shown.dataset.before = true; }")
    page.get_by_label("Dein Name").fill("Ann")
    with page.expect_console_message(lambda said: "status of 400" in said.text):
        page.get_by_role("button", name="Den Tisch eröffnen").click()
    page.locator(".problems:not([data-before])").wait_for()
    assert page.locator("[role=alert] li").all_text_contents() == before
    ann.complaints.clear()
    page.get_by_label("Verdoppler", exact=True).select_option(label="Verdoppler")
    assert "Verdoppler: Wert, Faktor" in page.evaluate(SHOWN)["parts"]


HINTED = "() => [...document.querySelectorAll('.hand .advised .card')].map((each) => each.dataset.card)"


def until_hinted(visitor: Visitor) -> dict[str, Any]:
    """Wait until a page shows a hint: what the server has said."""
    visitor.page.locator("#advice", has_text=re.compile(r"\.$")).wait_for()
    return next(message for message in reversed(visitor.told) if message["type"] == "hint")


@pytest.mark.long
def test_a_hint_is_said_marked_and_asked_for_by_a_key(visit: Callable[..., Visitor]) -> None:
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
    while ann.state["phase"] != "playing":
        ann.act_and_see()
        ann.wait_for_turn()
    assert page.locator("#advice").inner_text() == ""
    assert page.evaluate(HINTED) == []
    page.locator("#hint").click()
    played = until_hinted(ann)["move"]["card"]
    assert page.evaluate(HINTED) == [played]
    assert page.locator("#hint:focus").count() == 1
    ann.press(page.locator(f".hand .card[data-card='{played}']"))
    page.locator("#advice:empty").wait_for(state="attached")


@pytest.mark.long
def test_hints_between_people_are_off_unless_the_host_turns_them_on(visit: Callable[..., Visitor]) -> None:
    ann = visit()
    unfolded(ann).get_by_label("Your name").fill("Ann")
    ann.page.get_by_label("Who may ask for hints").select_option("everyone (and all players see this)")
    ann.page.get_by_role("button", name="Open the table").click()
    ann.page.locator("#hints", has_text="Hints are on").wait_for()
    ann.page.wait_for_url(f"{ann.url}#t/*")
    guest = visit(ann.page.url.removeprefix(ann.url), locale="de")
    guest.page.locator("#hints", has_text="Tipps sind erlaubt").wait_for()
    guest.page.get_by_label("Dein Name").fill("Bob")
    guest.page.get_by_role("button", name="Platz nehmen").click()
    ann.page.get_by_text("Bob", exact=True).wait_for()
    ann.page.get_by_role("button", name="Begin").click()
    guest.wait_for_turn()
    guest.page.locator("#facts", has_text="mit Tipps").wait_for()
    guest.page.get_by_role("button", name="Tipp", exact=True).click()
    until_hinted(guest)
    assert "Punkte erwartet" in guest.page.locator("#advice").inner_text()
    assert ann.page.locator("#advice").inner_text() == ""
    quiet = visit()
    friend = visit(f"#t/{seated(quiet, SHORT, begin=False)}")
    sit_down(friend)
    quiet.page.get_by_text("Bob", exact=True).wait_for()
    quiet.page.get_by_role("button", name="Begin").click()
    quiet.wait_for_turn()
    assert quiet.page.locator("#hint").count() == 0
    quiet.page.locator(".hand .card").first.press("h")
    quiet.page.locator("#notice", has_text="only for a person who plays alone against bots").wait_for()
    friend.wait_for_turn()
    friend.act_and_see()
    quiet.wait_for_ply(4)  # the deal, the passes of two bots, and Bob's
    assert "alone against bots" in quiet.page.locator("#notice").inner_text(), "it stays while others move"


def numbers(row: Locator) -> list[int]:
    """The numbers of a row of the sheet."""
    return [int(cell.replace("−", "-").split()[0]) for cell in row.locator("td").all_inner_texts()]


@pytest.mark.long
def test_the_sheet_of_a_match_adds_up_and_the_match_can_be_kept(visit: Callable[..., Visitor]) -> None:
    ann = visit(None)
    page = ann.page
    table = seated(ann, COUNTDOWN)
    play_to_the_end([ann])
    rows = [numbers(row) for row in page.locator(".sheet tbody tr").all()]
    totals = numbers(page.locator(".sheet .totals"))
    assert len(rows) == 3, "what they start with, and two deals"
    assert [sum(column) for column in zip(*rows, strict=True)] == totals
    assert page.locator(".curve .run").count() == 3
    # What a deal has done has one sign wherever it is told: here a penalty lowers what is left.
    assert min(rows[2]) < 0
    (told,) = re.findall(r"Points of the deal: (.*)\.", page.locator(".log li").all_inner_texts()[-2])
    assert [int(each.replace("−", "-")) for each in re.findall(r"[+−]?\d+(?=,|$)", told)] == rows[2]
    most = [int(each.replace("−", "-")) for each in page.locator(".statistics td:nth-child(3)").all_inner_texts()]
    assert most == [max(column[1:]) for column in zip(*rows, strict=True)]
    with page.expect_download() as saved:
        page.get_by_role("link", name="Save the record").click()
    assert json.loads(saved.value.path().read_bytes())["kind"] == "record"
    page.get_by_role("link", name="Open another table").click()
    mine = page.get_by_role("region", name="Your tables")
    assert "the match is over" in mine.inner_text()
    assert mine.get_by_role("link").first.get_attribute("href") == f"#t/{table}"
    # The page remembers what its player is called.
    unfolded(ann).get_by_label("Your name").fill("Zoë")
    page.get_by_role("button", name="Open the table").click()
    page.wait_for_selector("#invitation")
    page.goto(ann.url)
    assert unfolded(ann).get_by_label("Your name").input_value() == "Zoë"


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
def test_long_names_and_numbers_fit_the_sheet_and_equal_names_keep_their_numbers(visit: Callable[..., Visitor]) -> None:
    ann = visit(None)
    page = ann.page
    long, hebrew = "Wolfeschlegelsteinhausen", "אברהם בן־יעקב"
    (way, *_) = opened(ann, CROWD, [FRIEND] * 10, long, long, hebrew, hebrew)
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
    assert names.all_text_contents()[1:5] == [long, f"{long} (2)", hebrew, f"{hebrew} (2)"]
    # Where a name is cut, it is so at its own end.
    looks = names.locator("> :first-child").evaluate_all("(all) => all.map(getComputedStyle)")
    assert [look["direction"] for look in looks[1:5]] == ["ltr", "ltr", "rtl", "rtl"]
    assert {(look["overflowX"], look["textOverflow"]) for look in looks} == {("hidden", "ellipsis")}


COVERING = """async () => {
  await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
  const parts = "#facts > *, .team, .pile, #lost > *, .who, .held, .centre .label, .head";
  const shown = [...document.querySelectorAll(parts)].filter((each) => each.checkVisibility());
  const boxes = shown.map((each) => [each, each.getBoundingClientRect()]);
  const board = document.querySelector(".board").getBoundingClientRect();
  const told = (each) => `${each.getAttribute("class") || each.tagName} ${each.textContent.slice(0, 20)}`;
  const out = (a) => a.left < board.left || a.right > board.right || a.top < board.top;
  const found = boxes.filter(([, a]) => out(a)).map(([each]) => told(each));
  boxes.forEach(([one, a], at) => boxes.slice(at + 1).forEach(([other, b]) => {
    const across = Math.min(a.right, b.right) - Math.max(a.left, b.left);
    const down = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
    if (across > 1.5 && down > 1.5 && !one.contains(other)) found.push(`${told(one)} and ${told(other)}`);
  }));
  return [innerWidth, ...found];
}"""
"""What lies upon each other on the board, or beyond its edge."""
LAID = [(players, name) for players in (5, 7) for name in ("Wolfeschlegelsteinhausen", "אברהם בן־יעקב")]


@pytest.mark.long
@pytest.mark.parametrize(("players", "name"), LAID)
def test_nothing_on_the_board_covers_anything_else(visit: Callable[..., Visitor], players: int, name: str) -> None:
    ann = visit(None, locale="de")
    page = ann.page
    rules = attrs.evolve(presets.catsatcards(players), max_deals=1, kitty=Kitty.LAST_TRICK)
    (way, *_) = opened(ann, rules, [FRIEND] * (players - 1), *[name] * (players - 1), hints="always")
    page.goto(way)
    page.locator("#begin").click()
    page.wait_for_selector(".game[data-phase=passing]")

    def look() -> None:
        for width in (360, 390, 820, 1440):
            page.set_viewport_size({"width": width, "height": 844})
            assert page.evaluate(COVERING) == [width]

    look()
    message = last(ann, "view")
    message["view"] |= {"phase": "playing", "trick": [], "trick_number": 11, "leader": 0, "hearts_broken": False}
    message["view"] |= {"tricks": [], "captured": [""] * players, "set_aside": "", "tricks_won": [0] * players}
    kitty = [f"{rank}{suit}" for suit in "CDSH" for rank in "23456789TJQ"]
    message["facts"] |= {"kitty": {"size": len(kitty), "winner": players - 1, "cards": kitty}, "lying": None}
    message["facts"]["taken"] = [{"hearts": 0, "cards": [], "points": 0}] * players
    message["facts"] |= {"aside": {"hearts": 0, "cards": []}, "plan": []}
    message["choice"] |= {"cards": {}, "reasons": [], "to_act": [1], "mine": False}
    put(page, message)
    look()
    assert page.locator("#kitty .face").count() == 5
    assert "und 39 weitere" in page.locator("#kitty").inner_text()


TOUCHING = """async () => {
  await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
  const boxes = (parts) => [...document.querySelectorAll(parts)].map((each) => each.getBoundingClientRect());
  const meet = (a, b) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
  const cards = boxes(".played .face");
  return [cards.length, cards.filter((card) => boxes(".who").some((plate) => meet(card, plate))).length];
}"""
"""How many cards lie in the trick, and how many of them touch a plate."""


def test_no_card_of_three_players_touches_a_plate_on_a_small_phone(visit: Callable[..., Visitor]) -> None:
    ann = visit(None, viewport={"width": 360, "height": 740}, reduced_motion="reduce")
    page = ann.page
    (way,) = opened(ann, attrs.evolve(CROWD, players=3, decks=1, removed="2D", pass_cycle=(HOLD,)), [BOT] * 2)
    page.goto(way)
    ann.wait_for_turn()
    message = last(ann, "view")
    message["facts"]["lying"] = lying(["7C", "JC", "4C"])
    put(page, message)
    assert page.evaluate(TOUCHING) == [3, 0]


def test_small_cards_are_read_and_cancelled_ones_told_apart(visit: Callable[..., Visitor]) -> None:
    ann = visit(None, locale="de", viewport={"width": 390, "height": 844})
    page = ann.page
    (way,) = opened(ann, attrs.evolve(CROWD, pass_cycle=(HOLD,)), [BOT] * 10)
    page.goto(way)
    ann.wait_for_turn()
    message = last(ann, "view")
    trick = ["2C", "JC", "7C", "JC", "4C", "2C", "5C", "QC", "6C", "8C", "9C"]
    message["facts"]["lying"] = lying(trick, [0, 1, 3, 5])
    message["facts"]["open"] = [["JD"], *[[]] * 10]
    put(page, message)
    struck = page.locator(".seats > li.cancelled").evaluate_all("(all) => all.map((each) => Number(each.dataset.seat))")
    assert [trick[seat] for seat in struck] == ["2C", "JC", "JC", "2C"]
    said = page.locator(".played .sr").all_text_contents()
    assert [seat for seat, text in enumerate(said) if "von einer gleichen Karte aufgehoben" in text] == struck
    # The corner with the rank lies under no other card.
    hidden = page.evaluate(
        """() => {
          const cards = [...document.querySelectorAll(".played")];
          for (const card of cards) card.style.pointerEvents = "auto";
          return cards.filter((card) => {
            const { left, top, width } = card.querySelector(".rank").getBoundingClientRect();
            return !card.contains(document.elementFromPoint(left + width / 2, top + 2));
          }).length;
        }"""
    )
    assert hidden == 0
    drawings = json.loads(DRAWINGS.read_bytes())
    for face in (page.locator(".played .rank").nth(2), page.locator(".open .rank")):
        assert face.get_attribute("d") == drawings["letters"]["B"]["path"], "a jack is a Bube"
    rank = page.locator(".open .rank").bounding_box()
    assert rank is not None
    assert rank["height"] > 12


@pytest.mark.long
def test_teams_have_lines_and_the_end_fits_a_phone(visit: Callable[..., Visitor]) -> None:
    ann = visit(None, locale="de", viewport={"width": 390, "height": 844})
    page = ann.page
    (way,) = opened(ann, attrs.evolve(presets.partner_hearts(), max_deals=1), [BOT] * 3)
    page.goto(way)
    ann.wait_for_turn()
    play_to_the_end([ann])
    assert page.locator(".curve .end").all_text_contents() == ["Team 1", "Team 2"]
    message = last(ann, "view")
    standings = message["facts"]["standings"]
    heights = page.locator(".curve circle").evaluate_all("(all) => all.map((each) => each.getAttribute('cy'))")
    higher = sorted(standings, key=lambda each: float(heights[each["seats"][0]]))
    assert [each["total"] for each in higher] == sorted((each["total"] for each in standings), reverse=True)
    totals = [-2160, 140, -800, -1080]
    message["facts"]["totals"] = totals
    put(page, last(ann, "sheet") | {"rows": [{"points": totals, "totals": totals, "shooter": None}]}, message)
    left = page.locator(".curve text").evaluate_all("(all) => Math.min(...all.map((each) => each.getBBox().x))")
    assert left >= 0
    for width in (360, 390, 820, 1440):
        page.set_viewport_size({"width": width, "height": 844})
        cut = "(all) => all.filter((each) => each.scrollWidth > each.clientWidth + 1).map((each) => each.textContent)"
        assert page.locator(".statistics :is(th, td)").evaluate_all(cut) == []


def test_the_winners_are_those_of_the_view_even_if_others_have_a_better_total(visit: Callable[..., Visitor]) -> None:
    ann = visit(None)
    seated(ann, SHORT)
    state = reached(new_game(SHORT), lambda state: isinstance(state, GameOver), seed="winners")
    assert 0 not in state.winners
    shooter_wins = GameOver(state.score_sheet, state.last_deal, (0,))
    put(ann.page, json.loads(view_message(99, 0, view(shooter_wins, 0), ())))
    assert ann.page.locator("#winner").text_content() == "You win"
    assert ann.page.locator(".places .first bdi").all_text_contents() == ["You"]


@pytest.mark.sampled(2)
@pytest.mark.parametrize("language", ["en", "de"])
def test_what_the_host_chooses_is_not_cut_on_a_phone(visit: Callable[..., Visitor], language: str) -> None:
    ann = visit(locale=language, viewport={"width": 390, "height": 844})
    unfolded(ann)
    cut = ann.page.locator("#hints, #away").evaluate_all(
        """(all) => all.flatMap((control) => {
          const brush = document.createElement("canvas").getContext("2d");
          brush.font = getComputedStyle(control).font;
          return [...control.options].filter(({ text }) => brush.measureText(text).width > control.clientWidth - 40);
        }).map(({ text }) => text)"""
    )
    assert cut == []


@pytest.mark.long
def test_what_is_set_aside_lies_under_no_plate_and_all_of_it_is_said(visit: Callable[..., Visitor]) -> None:
    ann = visit(None, viewport={"width": 390, "height": 844})
    page = ann.page
    seated(ann, attrs.evolve(CROWD, pass_cycle=(HOLD,)))
    message = last(ann, "view")
    message["view"]["set_aside"] = " ".join([f"{rank}C" for rank in "23456789TJQK"] * 2 + ["QS"] + ["AH"] * 8)
    message["facts"]["aside"] = {"hearts": 8, "cards": ["QS"]}
    put(page, message)
    lost = page.locator("#lost")
    assert lost.locator(".chip").all_inner_texts() == ["8", "Q"]
    assert (lost.locator(".sr").text_content() or "").count(" of ") == 33
    apart = """() => {
      const box = document.querySelector("#lost").getBoundingClientRect();
      const apart = (a) => a.right <= box.left || box.right <= a.left || a.bottom <= box.top || box.bottom <= a.top;
      const boxes = [...document.querySelectorAll(".who, .held")].map((each) => each.getBoundingClientRect());
      return boxes.map(apart);
    }"""
    assert all(page.evaluate(apart))


TOP_OF_HAND = "Math.round(document.querySelector('.hand').getBoundingClientRect().top + scrollY)"


@pytest.mark.long
@pytest.mark.sampled(2)
@pytest.mark.parametrize("language", ["en", "de"])
def test_the_hand_stays_where_somebody_is_about_to_press_a_card(visit: Callable[..., Visitor], language: str) -> None:
    ann = visit(None, locale=language)
    page = ann.page
    (way,) = opened(ann, attrs.evolve(SHORT, exposable="QS AH"), [BOT] * 3)
    page.goto(way)
    ann.wait_for_turn()
    heights: dict[int, set[int]] = {360: set(), 390: set()}

    def look() -> None:
        for width, found in heights.items():
            page.set_viewport_size({"width": width, "height": 844})
            found.add(page.evaluate(TOP_OF_HAND))
            assert page.evaluate("document.documentElement.scrollWidth") == width

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
    buttons = page.locator(".actions").first.locator("button").count()
    page.evaluate("() => { document.querySelector('#why').textContent = 'why '.repeat(60); }")
    look()
    message["view"]["hand"] = message["view"]["hand"].split()[0]
    put(page, message)
    assert page.locator(".actions").first.locator("button").count() == buttons - 1, "the last card is played"
    assert [len(found) for found in heights.values()] == [1, 1]


def test_the_last_trick_is_looked_at_again(visit: Callable[..., Visitor]) -> None:
    # The clock of what is painted is in no page of another test.
    ann = visit(None, painted=True)
    page = ann.page
    seated(ann, attrs.evolve(SHORT, pass_cycle=(HOLD,)))
    again = page.get_by_role("button", name="Last trick")
    play_until(ann, "mine === 'true' && document.querySelector('#again')")
    trick = last(ann, "view")["view"]["tricks"][-1]
    names = last(ann, "table")["people"]
    winner = "yours" if trick["winner"] == 0 else f"to {names[trick['winner']]['name']}"
    shown = page.locator("#last-trick")
    now = page.locator(".board").inner_html()
    top = page.locator(".hand").bounding_box()
    page.clock.install(time=datetime(2020, 1, 1))
    page.clock.pause_at(datetime(2020, 1, 2))
    ends: list[Callable[[], None]] = [
        again.click,
        lambda: page.keyboard.press("Escape"),
        lambda: page.clock.run_for(2000),
    ]
    for end in ends:
        again.click()
        assert shown.is_visible()
        assert shown.locator("> [aria-hidden] .card-in-text").count() == 4
        assert winner in (shown.text_content() or ""), "assistive technology is told it too"
        assert page.locator(".board").inner_html() == now, "the trick that is played stays"
        assert page.locator(".hand").bounding_box() == top
        end()
        assert not shown.is_visible()
    again.click()
    ann.act()
    assert not shown.is_visible()


LOG = "() => [...document.querySelectorAll('.log li')].map((each) => each.innerHTML)"


@pytest.mark.long
def test_the_log_is_the_same_after_a_reload_for_who_comes_late_and_without_what_was_taken_back(
    visit: Callable[..., Visitor],
) -> None:
    ann, early, late = visit(None), visit(None), visit(None)
    table = seated(ann, SHORT, begin=False)

    def watch(visitor: Visitor) -> None:
        visitor.page.goto(f"{ann.url}#t/{table}")
        visitor.page.get_by_role("button", name="Watch").click()

    watch(early)
    early.page.get_by_text("Ann begins the game.").wait_for()
    ann.page.get_by_role("button", name="Begin").click()
    ann.wait_for_turn()
    kept = []
    for _ in range(4):
        kept.append(ann.page.evaluate(LOG))
        ann.act_and_see()
        ann.wait_for_turn()
    watch(late)
    for visitor in (early, late):
        visitor.wait_for_ply(int(ann.state["ply"]))
    assert early.page.evaluate(LOG) == late.page.evaluate(LOG)
    assert 'class="face' in late.page.evaluate(LOG)[-1], "cards are pictures"
    said = ann.page.evaluate(LOG)
    ann.page.reload()
    ann.wait_for_turn()
    ann.page.wait_for_function(f"told => JSON.stringify(({LOG})()) === JSON.stringify(told)", arg=said)
    for lines in kept[:0:-1]:
        ann.page.get_by_role("button", name="Take back").click()
        for visitor in (ann, early, late):
            visitor.page.wait_for_function(f"count => ({LOG})().length === count", arg=len(lines))
        assert ann.page.evaluate(LOG) == lines
    assert early.page.evaluate(LOG) == late.page.evaluate(LOG)


def test_nothing_moves_once_that_is_chosen(visit: Callable[..., Visitor]) -> None:
    ann = visit(reduced_motion="no-preference")
    page = ann.page
    page.get_by_text("Settings").click()
    page.get_by_label("Cards move").uncheck()
    seated(ann, attrs.evolve(SHORT, pass_cycle=(HOLD,)))
    for _ in range(3):
        ann.act_and_see()
        ann.wait_for_turn()
    assert page.evaluate("window.animated") == 0
    assert page.evaluate("document.getAnimations().length") == 0


def test_whether_cards_move_is_set_as_it_is(visit: Callable[..., Visitor]) -> None:
    ann = visit(None, reduced_motion="no-preference", painted=True)
    page = ann.page
    page.add_init_script("Object.defineProperty(document, 'hidden', {get: () => true})")
    page.goto(ann.url)
    page.get_by_text("Settings").click()
    box = page.get_by_label("Cards move")
    assert box.is_checked(), "also in a tab that nobody looks at yet"
    page.emulate_media(reduced_motion="reduce")
    page.reload()
    page.get_by_text("Settings").click()
    assert box.is_disabled()
    assert not box.is_checked()
    page.get_by_text("Your system is set to reduce motion.").wait_for()


RTL = "שרה"
FAMILY = "👨‍👩‍👧‍👦"


@pytest.mark.long
def test_names_of_all_scripts_stay_whole(visit: Callable[..., Visitor]) -> None:
    ann = visit(None)
    table = seated(ann, SHORT, begin=False)
    for name in (RTL, FAMILY * 3):
        guest = visit(f"#t/{table}")
        sit_down(guest, name)
        guest.page.get_by_text("Ann begins the game.").wait_for()
    ann.page.get_by_role("button", name="Begin").click()
    ann.wait_for_turn()
    names = ann.page.locator("bdi.name")
    assert names.all_text_contents()[:3] == ["You", RTL, FAMILY * 3]
    assert f"\u2068{RTL}\u2069" in ann.page.locator("#prompt").inner_text(), "what stands around it is not turned"
    shortened = with_sources(ann).evaluate("(name) => window.sources.shortened(name, 3)", FAMILY * 6)
    assert shortened == f"{FAMILY * 2}…"
