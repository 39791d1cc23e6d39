"""The browser table in Chromium: whole matches, reconnecting, secrecy, the keyboard, small screens and dark ones."""

from __future__ import annotations

import json
import re
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any, get_args

import attrs
import pytest

from heartsrules import GameOver, Rules, presets
from heartsrules.apps.table.log import NoteCode
from heartsrules.play import events
from heartsrules.rules import HOLD, Exposure, Kitty, PassOptional, Tie, scatter
from support.bundle import PAGE
from support.tables import rules_of
from support.web_knowledge import check_messages
from support.web_player import MOONS as TWO_MOONS
from support.web_player import rules_document, states_of, tiny
from support.web_process import Nursery, Server, served

pytest.importorskip("playwright.sync_api", reason="the tests in a browser need the package playwright")
from playwright.sync_api import Page, Route

from support.web_browser import DIMMED, Visit, play_to_the_end, play_until, seated, sit_down, unfolded

pytestmark = pytest.mark.web

FOUR = Rules(max_deals=2, target=None)
FIVE = Rules(players=5, kitty=Kitty.FIRST_TRICK, max_deals=1, target=None, pass_cycle=(HOLD,))
MOONS = attrs.evolve(TWO_MOONS, max_deals=1)
EIGHT = attrs.evolve(presets.dicegamedepot_cancellation(8), max_deals=1, target=None, tie=Tie.SHARED)


def set_option(page: Page, name: str, value: Any) -> None:
    """Set one option in the form. (What the tests need: numbers, cards, choices, bonus cards and a doubler.)"""
    label = name.replace("_", " ").capitalize()
    options = page.locator(".options")
    if name == "bonuses":
        for number, bonus in enumerate(value, 1):
            page.get_by_role("button", name=f"Add to {label}").click()
            for part, entered in bonus.items():
                page.get_by_label(f"{label} {number}, {part}", exact=True).fill(str(entered))
    elif name == "doubler":
        options.get_by_label(label, exact=True).select_option(label="Doubler")
        for part, entered in value.items():
            page.get_by_label(f"{label}: value, {part}", exact=True).fill(str(entered))
    else:
        control = options.get_by_label(label, exact=True)
        kinds = control.evaluate("({ options }) => [...(options ?? [])].map((each) => each.text)")
        if "None" in kinds and "A number" in kinds:
            control.select_option(label="None" if value is None else "A number")
            if value is not None:
                page.get_by_label(f"{label}: value", exact=True).fill(str(value))
        elif kinds:
            control.select_option(value=json.dumps(value))
        else:
            control.fill(str(value))


@pytest.mark.long
@pytest.mark.parametrize(
    ("rules", "persons"), [(FOUR, 2), (FIVE, 3), (EIGHT, 3), (MOONS, 3)], ids=["four", "five", "eight", "moons"]
)
def test_a_whole_match_and_no_frame_says_too_much(server: Server, visit: Visit, rules: Rules, persons: int) -> None:
    ann = visit(None)
    table = seated(ann, rules, begin=False)
    guests = [visit(f"#t/{table}") for _ in range(persons - 1)]
    for number, guest in enumerate(guests, 2):
        sit_down(guest, f"<b>Guest</b> {number}")
        guest.page.get_by_text("Ann begins the game.").wait_for()
    watcher = visit(f"#t/{table}")
    watcher.page.get_by_role("button", name="Watch").click()
    ann.page.get_by_role("button", name="Begin").click()
    for visitor in (ann, *guests, watcher):
        visitor.page.wait_for_selector(".game[data-ply]:not([hidden])")
    play_to_the_end([ann, *guests])
    watcher.page.wait_for_selector(".game[data-phase=game-over]")

    states = states_of(server.database, table)
    final = states[-1]
    assert isinstance(final, GameOver)
    for seat, visitor in [*enumerate([ann, *guests]), (None, watcher)]:
        (frames,) = visitor.frames
        assert check_messages(frames, states, seat) > 0
        totals = visitor.page.locator(".sheet .totals td").all_inner_texts()
        assert totals == [str(score) for score in final.scores]
        names = visitor.page.locator(".name").all_text_contents()
        assert names[1] == ("You" if seat == 1 else "<b>Guest</b> 2"), "what somebody types is text"
    assert watcher.page.locator(".hand .card").count() == 0
    assert "☾" in ann.page.locator(".sheet tbody").inner_text() or rules is not MOONS


def test_a_page_comes_back_when_its_socket_breaks_and_when_the_server_is_killed(server: Server, visit: Visit) -> None:
    ann = visit(None)
    page = ann.page
    table = seated(ann, Rules(max_deals=1, target=None, pass_cycle=(HOLD,)))
    assert page.url == f"{ann.url}#t/{table}", "the token does not stay in the address"
    before, ply = ann.hand, ann.state["ply"]
    page.evaluate("window.sockets.at(-1).close()")
    page.wait_for_function("() => window.sockets.length > 1 && window.sockets.at(-1).readyState === 1")
    page.wait_for_selector("#connection.connected")
    assert (ann.state["ply"], ann.hand) == (ply, before)
    server.kill()
    page.wait_for_selector("#connection.lost")
    assert "Connection lost" in page.locator("#connection").inner_text()
    # A card that is chosen while nobody listens is played once somebody does.
    card = page.locator(".hand .card:not([aria-disabled])").first.get_attribute("data-card")
    ann.act()
    page.get_by_role("alert").filter(has_text="The connection is lost: this will be sent once it is back.").wait_for()
    assert ann.state["ply"] == ply
    server.start()
    ann.wait_for_ply(int(ply) + 1)
    assert page.locator("#connection").inner_text() == "Connected"
    assert page.locator(f".hand [data-card='{card}']").count() == 0
    play_to_the_end([ann])
    states = states_of(server.database, table)
    assert isinstance(states[-1], GameOver)
    assert len(ann.frames) >= 3
    for frames in ann.frames:
        check_messages(frames, states, 0)
    # Who opens the address again is on the same seat.
    page.reload()
    page.wait_for_selector(".game[data-phase=game-over]")


def test_a_table_or_a_token_that_is_unknown_is_said_to_be_so(visit: Visit) -> None:
    lost = visit("#t/nowhere/nobody")
    lost.page.get_by_text("does not exist").wait_for()
    lost.page.get_by_text("There is no such table.").wait_for()
    assert lost.page.locator("#connection").inner_text() == "", "nothing is tried again"
    lost.page.get_by_role("link", name="Open another table").click()
    lost.page.get_by_role("button", name="Play now").wait_for()


def test_a_table_that_cannot_go_on_is_said_to_be_so_and_the_seat_is_kept(server: Server, visit: Visit) -> None:
    ann = visit(None)
    table = seated(ann, Rules(max_deals=1, target=None, pass_cycle=(HOLD,)))
    server.kill()
    with closing(sqlite3.connect(server.database)) as connection, connection:
        move = b'{"heartsrules":1,"kind":"move","move":"play","seat":0,"card":"QS"}'
        connection.execute(
            "UPDATE parts SET document = ? WHERE table_id = ? AND kind = 'move' AND number = 0", (move, table)
        )
    server.start()
    ann.page.get_by_role("heading", name="This table cannot go on.").wait_for()
    assert ann.page.locator(".problems").inner_text().startswith("What the server has stored of it cannot be continued")
    assert ann.page.locator("#connection").inner_text() == ""
    assert ann.page.evaluate("table => localStorage.getItem(`hearts-seat ${table}`)", table)


def test_rules_that_are_refused_are_explained_at_their_fields(visit: Visit) -> None:
    ann = visit()
    page = unfolded(ann)
    page.get_by_label("Your name").fill("Ann")
    page.get_by_text("All options").click()
    set_option(page, "target", -3)
    page.get_by_text("All options").click()
    # A number out of bounds is shown even where the options are closed.
    target = page.get_by_label("Target: value", exact=True)
    target.wait_for(state="hidden")
    page.get_by_role("button", name="Open the table").click()
    target.wait_for()
    assert target.evaluate("(control) => control.validity.rangeUnderflow && document.activeElement === control")
    set_option(page, "unpassable", "QS")
    page.locator("#players").select_option(value="5")
    set_option(page, "target", None)
    # It is said before anybody tries to open the table.
    problems = page.locator("[role=alert] li")
    problems.nth(1).wait_for()
    assert problems.count() == 2
    removed = page.locator("[data-place='/removed']")
    assert removed.get_attribute("aria-invalid") == "true"
    described = removed.get_attribute("aria-describedby") or ""
    assert "do not divide evenly" in page.locator(f"#{described.split()[-1]}").inner_text()
    # The browser reports the answer 400, before or after the page has shown it.
    with page.expect_console_message(lambda said: "status of 400" in said.text):
        page.get_by_role("button", name="Open the table").click()
    page.locator("form [role=alert]", has_text="These rules cannot be played").wait_for()
    assert "status of 400" in ann.complaints.pop()
    removed.fill("2C 2D")
    set_option(page, "max_deals", 1)
    problems.first.wait_for(state="detached")
    assert page.locator("[aria-invalid]").count() == 0
    assert "♠Q may not be passed" in (page.locator("#sentences").text_content() or ""), "what was typed is kept"
    page.get_by_role("button", name="Open the table").click()
    page.wait_for_selector("#invitation")


def test_a_server_that_fails_is_not_said_to_be_out_of_reach(visit: Visit) -> None:
    ann = visit()
    unfolded(ann).get_by_label("Your name").fill("Ann")
    busy = '{"code": "unavailable", "message": "the server cannot read or keep anything now", "problems": []}'
    lost = "The server has failed, or its answer was lost: try again."
    told = ann.page.locator(".problems:not([data-before])")
    cases: list[tuple[str, Callable[[Route], None]]] = [
        (lost, lambda route: route.fulfill(status=502, body="<h1>Bad gateway</h1>")),
        (lost, lambda route: route.fulfill(body="<h1>Sign in</h1>")),
        ("The server could not save that: try again.", lambda route: route.fulfill(status=503, body=busy)),
        ("The server cannot be reached.", lambda route: route.abort("connectionrefused")),
    ]
    for said, answer in cases:
        ann.page.unroute_all()
        ann.page.route("**/api/tables*", answer)
        ann.page.get_by_role("button", name="Open the table").click()
        told.wait_for()
        assert told.inner_text() == said
        told.evaluate("(shown) => { shown.dataset.before = true; }")
    assert all(["status of 50" in complaint for complaint in ann.complaints])
    ann.complaints.clear()


@pytest.mark.long
def test_bonus_cards_and_a_doubler_are_set_in_the_form(server: Server, visit: Visit) -> None:
    rules = rules_of(
        "bonuses=JD:10,TD:5 doubler=TC:3:20 compulsory=discard compulsory_cards=QS,AS opening_leader=queen-taker "
        "moon_cards=hearts bonus_target=50"
    )
    ann = visit()
    page = unfolded(ann)
    page.get_by_text("All options").click()
    standard = rules_document(presets.microsoft())
    for name, value in rules_document(rules).items():
        if name not in standard or standard[name] != value:
            set_option(page, name, value)
    page.get_by_role("button", name="Open the table").click()
    page.wait_for_selector("#invitation")
    assert states_of(server.database, page.url.split("#t/")[1])[0].rules == rules


MARKED = rules_of("pass_cycle=hold bonuses=TD:5,JD:100 doubler=TC:3:0 first_dealer=0", tiny("TC TD JD"))
"""A deal of one trick, whose three cards are marked."""


def test_bonus_cards_and_the_doubler_are_marked(visit: Visit) -> None:
    ann = visit(None)
    page = ann.page
    seated(ann, MARKED)
    signs = {"ten of clubs, multiplies by 3": "×3", "ten of diamonds, bonus of 5": "−5"}
    signs["jack of diamonds, bonus of 100"] = "−100"
    held = page.locator(".hand button")
    assert held.locator(".sign").all_text_contents() == [signs[held.get_attribute("aria-label") or ""]]
    play_to_the_end([ann])
    played = page.locator(".played")
    named = [text.partition(": ")[2] for text in played.locator(".sr").all_text_contents()]
    named = [text.removesuffix(", took the trick") for text in named]
    assert sorted(named) == sorted(signs)
    assert played.locator(".sign").all_text_contents() == [signs[name] for name in named]
    # What is seen of a card in a full hand on a phone is 24 pixels of 62.
    ends = "(all) => all.map((each) => { const { x, width } = each.getBBox(); return x + width; })"
    wide = page.evaluate("Number(document.querySelector('.played .face').getAttribute('viewBox').split(' ')[2])")
    assert max(played.locator(".label, .sign").evaluate_all(ends)) <= wide * 24 / 62
    # What the pile cost is what the sheet says, with the doubler, and not "so far" any more.
    cost = [text.rpartition(", ")[2].removesuffix(" points") for text in page.locator(".piles li").all_text_contents()]
    assert cost == page.locator(".sheet tbody td").all_inner_texts()
    assert sorted(cost) == ["0", "0", "−315"]


def test_the_last_trick_of_a_deal_is_seen_before_its_result(tmp_path: Path, nursery: Nursery, visit: Visit) -> None:
    with served(tmp_path, "--pace", "0.2", nursery=nursery) as paced:
        ann = visit(None, url=paced.url)
        page = ann.page
        seated(ann, attrs.evolve(MARKED, max_deals=2))
        ann.act()
        seen = page.wait_for_function(
            """() => {
              const shown = (selector) => document.querySelector(selector).checkVisibility();
              if (document.querySelector(".game").dataset.phase !== "awaiting-deal") return false;
              return [document.querySelectorAll(".played svg").length, shown(".surface"), shown(".centre")];
            }"""
        )
        assert seen.json_value() == [3, True, False]
        centre = page.locator(".centre", has_text="After deal 1")
        centre.wait_for()
        cost = [text for text in page.locator(".sheet tbody td").all_inner_texts() if text != "0"]
        assert [text.lstrip("+") for text in page.locator(".deal").all_inner_texts()] == cost, "the plates tell it too"
        page.get_by_role("button", name="Last trick").click()
        assert page.locator("#last-trick > [aria-hidden] .card-in-text").count() == 3
        assert centre.is_visible()


def test_passing_may_be_declined_where_the_rules_allow_it(visit: Visit) -> None:
    ann = visit(None)
    seated(ann, Rules(max_deals=1, target=None, pass_optional=PassOptional.SKIP))
    ann.page.get_by_role("button", name="Decline to pass").click()
    ann.page.wait_for_selector(".game[data-phase=playing]")
    assert "You decline to pass." in ann.page.locator(".log").inner_text()


SHOWING = rules_of(
    "exposable=QS,JD,TC,AH pass_cycle=hold bonuses=JD:100 doubler=TC:2:50 max_deals=1 target=none tie=shared"
)


COVERED = """() => {
  const boxes = (selector) => [...document.querySelectorAll(selector)].map((each) => each.getBoundingClientRect());
  const apart = (a, b) => a.right <= b.left || b.right <= a.left || a.bottom <= b.top || b.bottom <= a.top;
  return boxes(".open .face").filter((open) => boxes(".played .face").some((card) => !apart(open, card))).length;
}"""
"""How many shown cards a card on the table covers."""


@pytest.mark.long
@pytest.mark.parametrize("exposure", [Exposure.TOGETHER, Exposure.ROUNDS])
def test_cards_are_shown_before_the_first_lead(visit: Visit, exposure: Exposure) -> None:
    ann = visit(None)
    seated(ann, attrs.evolve(SHOWING, exposure=exposure))
    page = ann.page
    names = {"QS": "queen of spades", "JD": "jack of diamonds", "TC": "ten of clubs", "AH": "ace of hearts"}
    own = [card for card in ann.hand if card in names]
    free = page.locator(".hand .card:not([aria-disabled])")
    assert [card.get_attribute("data-card") for card in free.all()] == own
    show = page.locator("#show")
    assert show.inner_text() == "Expose no card"
    if own:
        ann.press(free.first)
        assert show.inner_text() == f"Expose {names[own[0]]}"
        ann.press(free.first)
    ann.press(page.locator(".hand .card[aria-disabled]").first, dimmed=True)
    assert "may not be" in page.locator("#notice").inner_text()
    ann.act()
    # In rounds, whoever has shown cards is asked again when somebody else has shown some.
    play_until(ann, "phase === 'playing' && mine === 'true'")
    views = [told for told in ann.told if told["type"] == "view"]
    shown: list[str] = views[-1]["view"]["exposed"] or [""] * 4
    assert shown[0].split() == own
    log = page.locator(".log").inner_text()
    assert len(re.findall(r"(?:You expose|\w+ exposes) (?!no card)", log)) >= sum(map(bool, shown))
    assert ("You will expose " in log) is (exposure is Exposure.TOGETHER)
    # What a seat has shown lies open before it until it is played.
    while ann.state["phase"] == "playing":
        told = [event for told in ann.told if told["type"] == "view" for event in told["events"]]
        played = {event["card"] for event in told if event["code"] == "card-played"}
        for seat, cards in enumerate(shown):
            lying = [card for card in cards.split() if card not in played]
            assert page.locator(f"[data-seat='{seat}'] .open svg").count() == len(lying)
            said = "".join(page.locator(f"[data-seat='{seat}'] .open .sr").all_text_contents())
            assert all(names[card] in said for card in lying)
        assert page.evaluate(COVERED) == 0
        ann.act_and_see()
        page.wait_for_selector(".game[data-mine=true], .game[data-phase=game-over]")


def test_every_event_that_a_page_can_be_sent_has_a_sentence() -> None:
    told_in_full = {events.CardsDealt.code, events.CardsPassed.code}  # they hold every hand: no page is sent them
    codes = {getattr(events, name).code for name in events.__all__ if isinstance(getattr(events, name), type)}
    words = json.loads((PAGE / "words.en.json").read_text("utf-8"))
    notes = {*get_args(NoteCode), "received", "declined", "laid", "unknown"}
    assert {key[6:] for key in words if key.startswith("event.")} == (codes - told_in_full) | notes


def test_a_card_that_may_not_be_played_is_dimmed_and_says_why(visit: Visit) -> None:
    ann = visit(None)
    seated(ann, Rules(max_deals=1, target=None, pass_cycle=(HOLD,)))
    play_until(ann, DIMMED)
    ply = ann.state["ply"]
    card = ann.page.locator(".hand .dim .card").first
    text = ann.page.locator(f"#{card.get_attribute('aria-describedby')}").text_content() or ""
    assert card.get_attribute("aria-disabled") == "true"
    assert any(words in text for words in ("follow suit", "may not", "must"))
    shown = ann.page.locator(".said").get_by_text(text).locator("visible=true")
    assert shown.count() == 0
    card.hover(position={"x": 10, "y": 24})
    assert shown.count() == 1
    ann.press(card, dimmed=True)
    assert text in ann.page.locator("#notice").inner_text()
    assert shown.count() == 1, "it is said once"
    assert ann.state["ply"] == ply
    assert not [message for message in ann.told if message["type"] == "refused"], "nothing was even sent"


def test_a_scattered_pass_says_which_card_goes_where(visit: Visit) -> None:
    ann = visit(None)
    seated(ann, Rules(max_deals=1, target=None, pass_cycle=(scatter(players=4),)))
    page, cards = ann.page, ann.page.locator(".hand .card")
    assert "1 card to Bruno; 1 card to Carla; 1 card to Dario" in page.locator("#prompt").inner_text()
    for at in range(3):
        ann.press(cards.nth(at))
    ann.wait_for_answer()
    assert "1 card to Carla" in (cards.nth(1).get_attribute("aria-label") or "")
    ann.press(cards.nth(1))
    page.locator("#pass").click(force=True)
    # It is said when the server has answered what was chosen last.
    page.locator("#notice", has_text="First choose").wait_for()
    ann.press(cards.nth(5))
    chosen = [cards.nth(at).get_attribute("data-card") for at in (0, 5, 2)]
    page.locator("#pass").click()
    page.wait_for_selector(".game[data-phase=playing]")
    views = [message["view"] for message in ann.told if message["type"] == "view"]
    assert next(seen["commitment"] for seen in views if seen.get("commitment")) == chosen


def test_a_pass_is_chosen_as_the_server_says(visit: Visit) -> None:
    ann = visit(None)
    seated(ann, Rules(max_deals=1, target=None, unpassable="2C 3C 4C 5C 6C 7C 8C 9C TC JC"))
    page = ann.page
    locked = [card.get_attribute("data-card") for card in page.locator(".hand .dim .card").all()]
    assert locked == [card for card in ann.hand if card[1] == "C" and card[0] not in "QKA"]
    free = page.locator(".hand .card[aria-pressed=false]:not([aria-disabled])")
    for missing in (3, 2, 1, 0):
        assert page.locator("#pass[aria-disabled]").count() == bool(missing)
        if missing:
            ann.press(free.first)
            ann.wait_for_answer()
    assert free.count() == 0
    ann.press(page.locator(".hand .card[aria-pressed=false]").last, dimmed=True)
    assert "That is enough cards. Press a chosen card to take it back." in page.locator("#notice").inner_text()
    # What is chosen may be taken back. Faster than the server: what is pressed meanwhile waits for its answer.
    ann.press(page.locator(".hand .card[aria-pressed=true]").first)
    ann.wait_for_answer()
    assert page.locator("#pass").get_attribute("aria-disabled") == "true"
    page.evaluate(
        """() => {
          const free = [...document.querySelectorAll(".hand .card[aria-pressed=false]:not([aria-disabled])")];
          const chosen = document.querySelectorAll(".hand .card[aria-pressed=true]");
          for (const card of [...chosen, ...free.slice(0, 3)]) card.click();
          document.querySelector("#pass").click();
        }"""
    )
    page.wait_for_selector(".game[data-phase=playing]")
    assert not [told for told in ann.told if told["type"] == "refused"]


@pytest.mark.long
def test_a_choice_that_was_lost_on_its_way_is_asked_again(visit: Visit) -> None:
    ann = visit(None)
    seated(ann, Rules(max_deals=1, target=None))
    ann.page.evaluate("window.sockets.at(-1).close(); document.querySelector('.hand .card').click()")
    card = ann.page.locator(".hand .card").first
    assert card.get_attribute("aria-pressed") == "true"
    ann.wait_for_answer()
    assert card.get_attribute("aria-pressed") == "true"
    ann.act_and_see()


def focused(page: Page) -> dict[str, Any]:
    """What has the focus."""
    found: dict[str, Any] = page.evaluate(
        """() => {
          const now = document.activeElement;
          const style = getComputedStyle(now);
          return {
            tag: now.tagName, id: now.id, text: now.textContent, at: now.dataset.at, card: now.dataset.card,
            disabled: now.getAttribute("aria-disabled"), pressed: now.getAttribute("aria-pressed"),
            seen: style.outlineStyle !== "none" && style.outlineWidth !== "0px",
          };
        }"""
    )
    return found


def tab_to(page: Page, wanted: Callable[[dict[str, Any]], bool], key: str = "Tab") -> dict[str, Any]:
    """Go on with a key until something has the focus."""
    for _ in range(120):
        page.keyboard.press(key)
        now = focused(page)
        if wanted(now):
            assert now["seen"], "who uses the keyboard sees where they are"
            return now
    raise AssertionError(f"nothing of that kind was reached with {key}")


LOST = """() => {
  window.lost = [];
  const look = () => {
    const now = document.activeElement;
    if (!now || now === document.body) window.lost.push(document.querySelector(".game")?.dataset.phase);
  };
  const all = { childList: true, subtree: true, attributes: true };
  new MutationObserver(() => requestAnimationFrame(look)).observe(document.body, all);
}"""
"""Notes the phases in which nothing has the focus."""


def test_a_whole_match_by_keyboard_alone_and_the_focus_never_falls_to_nowhere(visit: Visit) -> None:
    ann = visit()
    page = ann.page
    page.get_by_role("button", name="Play now").wait_for()
    tab_to(page, lambda now: now["tag"] == "SUMMARY" and "More choices" in now["text"])
    page.keyboard.press("Enter")
    page.locator("#open").wait_for()
    tab_to(page, lambda now: now["id"] == "name")
    page.keyboard.type("Ann")
    tab_to(page, lambda now: now["text"] == "Open the table")
    page.keyboard.press("Enter")
    page.wait_for_selector("#invitation")
    seated(ann, Rules(max_deals=1, target=None, tie=Tie.SHARED), begin=False)
    tab_to(page, lambda now: "Begin" in now["text"])
    # Not before: until somebody puts it somewhere, nothing has the focus, and the page changes all the same.
    page.evaluate(LOST)
    page.keyboard.press("Enter")
    ann.wait_for_turn()
    order = [tab_to(page, lambda now: now["card"] is not None)["at"]]
    order += [tab_to(page, lambda _: True)["at"] for _ in range(13)]
    assert order == [*map(str, range(13)), None], "the cards come in their order"
    tab_to(page, lambda now: now["card"] is not None, "Shift+Tab")
    for _ in range(3):
        page.keyboard.press("Space")
        assert focused(page)["pressed"] == "true", "the focus stays where it was"
        ann.wait_for_answer()
        page.keyboard.press("ArrowLeft")
    tab_to(page, lambda now: now["id"] == "pass", "Shift+Tab")
    page.keyboard.press("Enter")
    for number in range(13):
        page.wait_for_selector(".game[data-mine=true][data-phase=playing]")
        if number == 0:
            tab_to(page, lambda now: now["card"] is not None)
        assert focused(page)["card"] is not None, "the focus has stayed in the hand"
        page.keyboard.press("Home")
        if focused(page)["disabled"]:
            tab_to(page, lambda now: not now["disabled"], "ArrowRight")
        # What assistive technology is told of it by names and roles.
        page.get_by_role("status").filter(has_text="Your turn.").wait_for()
        assert page.get_by_role("list", name="Your hand").get_by_role("button").count() == 13 - number
        card = (page.locator(":focus").get_attribute("aria-label") or "").partition(",")[0]
        page.keyboard.press("Enter")
        page.get_by_role("log").filter(has_text=f"You: {card}.").wait_for()
    page.locator("#winner:focus").wait_for()
    tab_to(page, lambda now: now["id"] == "play-again")
    page.keyboard.press("Enter")
    page.wait_for_selector(".game[data-phase=passing]")
    assert page.evaluate("window.lost") == []
    assert not [message for message in ann.told if message["type"] == "refused"]


POOR = """() => {
  const luminance = (color) => {
    const [r, g, b] = color.match(/[\\d.]+/g).map((each) => each / 255)
      .map((each) => (each <= 0.03928 ? each / 12.92 : ((each + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const contrast = (one, other) => {
    const [high, low] = [luminance(one), luminance(other)].sort((a, b) => b - a);
    return (high + 0.05) / (low + 0.05);
  };
  return [...document.querySelectorAll(".face")].flatMap((face) => {
    const ground = getComputedStyle(face.querySelector("rect")).fill;
    const inks = [...face.querySelectorAll(".pip, .sign")].map((part) => getComputedStyle(part).fill);
    inks.push(getComputedStyle(face.querySelector(".rank")).stroke);
    return inks.filter((ink) => contrast(ink, ground) < 4.5).map((ink) => `${ink} on ${ground}`);
  });
}"""
"""Inks of cards that axe does not judge, with too little contrast."""


def test_cards_can_be_read_in_the_light_and_in_the_dark(visit: Visit) -> None:
    ann = visit(None)
    seated(ann, SHOWING)
    ann.act()
    ann.page.wait_for_selector(".game[data-mine=true][data-phase=playing]")
    # Whoever shows cards by chance: of the four seats, some bot mostly does.
    assert ann.page.locator(".open svg").count() > 0
    for scheme in ("dark", "light"):
        ann.page.emulate_media(color_scheme=scheme)
        assert ann.page.evaluate(POOR) == []


def test_the_form_starts_with_what_the_server_proposes(visit: Visit, tmp_path: Path, nursery: Nursery) -> None:
    with served(tmp_path, "cardstock", "--players", "3", "--set", "target=50", nursery=nursery) as server:
        page = unfolded(visit(url=server.url))
        assert page.locator("#game option:checked").inner_text() == "As this server proposes"
        assert page.locator("#players").input_value() == "3"
        page.get_by_role("button", name="Play now").click()
        page.wait_for_selector(".game[data-ply]:not([hidden])")
        table = page.url.split("#t/")[1].split("/")[0]
        assert states_of(server.database, table)[0].rules == attrs.evolve(presets.cardstock(3), target=50)
        page.goto("about:blank")
