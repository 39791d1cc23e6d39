"""The browser table in Chromium: whole matches, reconnecting, secrecy, the keyboard, small screens and dark ones."""

from __future__ import annotations

import json
import re
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import attrs
import pytest

from heartsrules import GameOver, Rules, presets
from heartsrules.messages import describe
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

from support.web_browser import DIMMED, Visitor, play_to_the_end, play_until, seated, sit_down, unfolded, with_sources

pytestmark = pytest.mark.web

FOUR = Rules(max_deals=2, target=None)
FIVE = Rules(players=5, kitty=Kitty.FIRST_TRICK, max_deals=1, target=None, pass_cycle=(HOLD,))
EIGHT = attrs.evolve(presets.dicegamedepot_cancellation(8), max_deals=1, target=None, tie=Tie.SHARED)
MOONS = attrs.evolve(TWO_MOONS, max_deals=1)


@pytest.fixture
def server(tmp_path: Path, nursery: Nursery) -> Iterator[Server]:
    with served(tmp_path, nursery=nursery) as server:
        yield server


def open_by_form(visitor: Visitor, preset: str, rules: Rules) -> str:
    """Open a table by the form, with options that are not the preset's: its invitation, as a path."""
    page = unfolded(visitor)
    page.get_by_label("Your name").fill("Ann")
    page.get_by_label("Game", exact=True).select_option(value=preset)
    page.locator("#players").select_option(value=str(rules.players))
    options = presets.ALL[preset]
    standard = rules_document(options(rules.players) if rules.players in options.players else options())
    page.get_by_text("All options").click()
    for name, value in rules_document(rules).items():
        if name != "players" and (name not in standard or standard[name] != value):
            set_option(page, name, value)
    page.get_by_role("button", name="Open the table").click()
    page.wait_for_selector("#invitation")
    return page.url.removeprefix(visitor.url)


def set_option(page: Page, name: str, value: Any) -> None:
    """Set one option in the form. (What the tests need: all but pairs and cycles with gifts.)"""
    label = name.replace("_", " ").capitalize()
    if name == "bonuses":
        for number, bonus in enumerate(value, 1):
            page.get_by_role("button", name=f"Add to {label}").click()
            for part, entered in bonus.items():
                page.get_by_label(f"{label} {number}, {part}", exact=True).fill(str(entered))
        return
    if name == "doubler":
        page.locator(".options").get_by_label(label, exact=True).select_option(label="Doubler")
        for part, entered in value.items():
            page.get_by_label(f"{label}: value, {part}", exact=True).fill(str(entered))
        return
    if name == "pass_cycle":
        # Take away every deal but the first one, in which nobody passes then.
        while page.get_by_label("Remove deal 2 of the cycle").count():
            page.get_by_label("Remove deal 2 of the cycle").click()
        page.get_by_label("Passing in deal 1", exact=True).select_option("nobody passes")
        return
    if name == "heart_values":
        page.locator(".options").get_by_label(label, exact=True).select_option(label="A list")
        for index, points in enumerate(value, 1):
            page.get_by_label(f"{label}: value {index}", exact=True).fill(str(points))
        return
    control = page.locator(".options").get_by_label(label, exact=True)
    kinds = control.evaluate(
        "(control) => control.tagName === 'SELECT' ? [...control.options].map((each) => each.text) : []"
    )
    if "None" in kinds and "A number" in kinds:
        control.select_option(label="None" if value is None else "A number")
        if value is not None:
            page.get_by_label(f"{label}: value", exact=True).fill(str(value))
    elif kinds:
        control.select_option(value=json.dumps(value))
    elif isinstance(value, bool):
        control.set_checked(value)
    else:
        control.fill(str(value))


def join(guest: Visitor, name: str) -> None:
    sit_down(guest, name)
    guest.page.get_by_text("Ann begins the game.").wait_for()


@pytest.mark.long
@pytest.mark.parametrize(
    ("preset", "rules", "persons"),
    [("microsoft", FOUR, 2), ("microsoft", FIVE, 3), ("dicegamedepot_cancellation", EIGHT, 3), ("microsoft", MOONS, 3)],
    ids=["four", "five", "eight", "moons"],
)
def test_a_whole_match_and_no_frame_says_too_much(
    server: Server, visit: Callable[..., Visitor], preset: str, rules: Rules, persons: int
) -> None:
    ann = visit()
    path = open_by_form(ann, preset, rules)
    table = path.removeprefix("#t/")
    guests = [visit(path) for _ in range(persons - 1)]
    for number, guest in enumerate(guests, 2):
        join(guest, f"<b>Guest</b> {number}")
    watcher = visit(path)
    watcher.page.get_by_role("button", name="Watch").click()
    ann.page.get_by_role("button", name="Begin").click()
    for visitor in (ann, *guests, watcher):
        visitor.page.wait_for_selector(".game[data-ply]:not([hidden])")
    play_to_the_end([ann, *guests])
    watcher.page.wait_for_selector(".game[data-phase=game-over]")

    states = states_of(server.database, table)
    final = states[-1]
    assert isinstance(final, GameOver)
    assert final.rules == rules
    for seat, visitor in [*enumerate([ann, *guests]), (None, watcher)]:
        (frames,) = visitor.frames
        assert check_messages(frames, states, seat) > 0
        assert not [message for message in visitor.told if message["type"] == "refused"]
        totals = visitor.page.locator(".sheet .totals td").all_inner_texts()
        assert totals == [str(score) for score in final.scores]
        assert visitor.page.locator(".sheet tbody tr").count() == len(final.score_sheet)
        assert "The match is over. 1. " in visitor.page.locator("#prompt").inner_text()
        assert visitor.page.evaluate("window.animated") == 0, "motion was to be reduced"
        names = visitor.page.locator(".name").all_text_contents()
        assert names[1] == ("You" if seat == 1 else "<b>Guest</b> 2"), "what somebody types is text"
    assert watcher.page.locator(".hand .card").count() == 0
    if rules is MOONS:
        assert any(score.shooter is not None for score in final.score_sheet)
        assert "☾" in ann.page.locator(".sheet tbody").inner_text()


@pytest.mark.long
def test_a_host_who_watches_sees_the_table_at_once(visit: Callable[..., Visitor]) -> None:
    ann = visit()
    unfolded(ann).get_by_label("I play").uncheck()
    # Bots alone play so fast that a page has no time for anything else.
    ann.page.get_by_text("All options").click()
    set_option(ann.page, "max_deals", 1)
    ann.page.get_by_role("button", name="Open the table").click()
    ann.page.wait_for_selector(".game[data-ply]:not([hidden])")
    assert ann.page.url.startswith(f"{ann.url}#t/")
    assert not ann.page.get_by_text("You are invited to a table").count()
    assert len(ann.frames) == 1, "one socket is enough"
    ann.page.go_back()
    ann.page.get_by_role("button", name="Play now").wait_for()


def test_a_page_comes_back_when_its_socket_breaks_and_when_the_server_is_killed(
    server: Server, visit: Callable[..., Visitor]
) -> None:
    ann = visit(None)
    table = seated(ann, Rules(max_deals=1, target=None))
    assert ann.url + f"#t/{table}" == ann.page.url, "the token does not stay in the address"
    ann.act_and_see()
    status = ann.page.locator("#connection")
    for _ in range(2):
        ann.wait_for_turn()
        before = ann.hand
        ply = ann.state["ply"]
        ann.page.evaluate("window.sockets.at(-1).close()")
        ann.page.wait_for_function("() => window.sockets.length > 1 && window.sockets.at(-1).readyState === 1")
        ann.page.wait_for_selector("#connection.connected")
        assert ann.state["ply"] == ply
        assert ann.hand == before
        ann.act_and_see()
    ann.wait_for_turn()
    ply = ann.state["ply"]
    server.kill()
    ann.page.wait_for_selector("#connection.lost")
    assert "Connection lost" in status.inner_text()
    # A card that is chosen while nobody listens is played once somebody does.
    card = ann.page.locator(".hand .card:not([aria-disabled])").first.get_attribute("data-card")
    ann.act()
    assert ann.state["ply"] == ply
    server.start()
    ann.wait_for_ply(int(ply) + 1)
    assert ann.page.locator("#connection").inner_text() == "Connected"
    assert ann.page.locator(f".hand [data-card='{card}']").count() == 0
    play_to_the_end([ann])
    states = states_of(server.database, table)
    assert isinstance(states[-1], GameOver)
    assert len(ann.frames) >= 4
    for frames in ann.frames:
        check_messages(frames, states, 0)
    # Who opens the address again is on the same seat; who has no token is not.
    ann.page.reload()
    ann.page.wait_for_selector(".game[data-phase=game-over]")


def test_a_table_or_a_token_that_is_unknown_is_said_to_be_so(visit: Callable[..., Visitor]) -> None:
    lost = visit("#t/nowhere/nobody")
    lost.page.get_by_text("is not there").wait_for()
    lost.page.get_by_text("There is no such table.").wait_for()
    assert lost.page.locator("#connection").inner_text() == "", "nothing is tried again"
    lost.page.get_by_role("link", name="Open another table").click()
    lost.page.get_by_role("button", name="Play now").wait_for()


def test_a_table_that_cannot_go_on_is_said_to_be_so_and_the_seat_is_kept(
    server: Server, visit: Callable[..., Visitor]
) -> None:
    ann = visit(None)
    table = seated(ann, Rules(max_deals=1, target=None, pass_cycle=(HOLD,)))
    server.kill()
    with closing(sqlite3.connect(server.database)) as connection, connection:
        move = b'{"heartsrules":1,"kind":"move","move":"play","seat":0,"card":"QS"}'
        connection.execute("UPDATE moves SET move = ? WHERE table_id = ? AND ply = 0", (move, table))
    server.start()
    ann.page.get_by_role("heading", name="This table cannot go on.").wait_for()
    assert "The rules refuse move 1 of the " in ann.page.locator(".problems").inner_text()
    assert ann.page.locator("#connection").inner_text() == ""
    assert ann.page.evaluate("table => localStorage.getItem(`hearts-seat ${table}`)", table)


@pytest.mark.long
def test_what_is_asked_for_while_the_connection_is_lost_is_said_to_be_lost(
    server: Server, visit: Callable[..., Visitor]
) -> None:
    ann = visit(None)
    seated(ann, Rules(max_deals=1, target=None, pass_cycle=(HOLD,)), begin=False)
    begin, undo = [ann.page.get_by_role("button", name=name) for name in ("Begin", "Take back")]
    notice = ann.page.get_by_role("alert").filter(has_text="That was not sent: the connection is lost.")
    for button in (begin, undo):
        button.wait_for()
        server.kill()
        ann.page.wait_for_selector("#connection.lost")
        button.click()
        notice.wait_for()
        server.start()
        ann.page.wait_for_selector("#connection.connected")
        notice.wait_for(state="hidden")
        ply = ann.state.get("ply")
        button.click()
        ann.page.wait_for_function("ply => document.querySelector('.game')?.dataset.ply !== ply", arg=ply)
        ann.wait_for_turn()
        if button is begin:
            ann.act_and_see()
            ann.wait_for_turn()
    # A card is not pressed in vain.
    before = int(ann.state["ply"])
    server.kill()
    ann.page.wait_for_selector("#connection.lost")
    ann.act()
    ann.page.get_by_role("alert").filter(has_text="The connection is lost: this is sent once it is back.").wait_for()
    server.start()
    ann.wait_for_ply(before + 1)
    play_to_the_end([ann])


def test_rules_that_are_refused_are_explained_at_their_fields(visit: Callable[..., Visitor]) -> None:
    ann = visit()
    unfolded(ann).get_by_label("Your name").fill("Ann")
    ann.page.get_by_text("All options").click()
    set_option(ann.page, "unpassable", "QS")
    ann.page.locator("#players").select_option(value="5")
    set_option(ann.page, "target", None)
    # It is said before anybody tries to open the table.
    problems = ann.page.locator("[role=alert] li")
    problems.nth(1).wait_for()
    assert problems.count() == 2
    removed = ann.page.locator("[data-place='/removed']")
    assert removed.get_attribute("aria-invalid") == "true"
    described = removed.get_attribute("aria-describedby") or ""
    assert "do not divide evenly" in ann.page.locator(f"#{described.split()[-1]}").inner_text()
    # The browser reports the answer 400, before or after the page has shown it.
    with ann.page.expect_console_message(lambda said: "status of 400" in said.text):
        ann.page.get_by_role("button", name="Open the table").click()
    ann.page.wait_for_function(
        "document.querySelector('form [role=alert]').innerText.includes('These rules cannot be played')"
    )
    (complaint,) = ann.complaints
    assert "status of 400" in complaint
    ann.complaints.clear()
    removed.fill("2C 2D")
    set_option(ann.page, "max_deals", 1)
    problems.first.wait_for(state="detached")
    assert ann.page.locator("[aria-invalid]").count() == 0
    told = ann.page.locator("#sentences")
    assert "5 players use a deck of 52 cards without ♣2 ♦2" in (told.text_content() or "")
    assert "♠Q may not be passed" in (told.text_content() or ""), "what was typed is kept"
    ann.page.get_by_role("button", name="Open the table").click()
    ann.page.wait_for_selector("#invitation")


def test_a_server_that_fails_is_not_said_to_be_out_of_reach(visit: Callable[..., Visitor]) -> None:
    ann = visit()
    unfolded(ann).get_by_label("Your name").fill("Ann")
    busy = '{"code": "unavailable", "message": "the server cannot read or keep anything now", "problems": []}'
    answers: list[tuple[int, str] | None] = [
        (502, "<h1>Bad gateway</h1>"),
        (200, "<h1>Sign in</h1>"),
        (503, busy),
        None,
    ]

    def answer(route: Route) -> None:
        given = answers.pop(0)
        if given is None:
            route.abort("connectionrefused")
        else:
            route.fulfill(status=given[0], body=given[1])

    ann.page.route("**/api/tables*", answer)
    told = ann.page.locator(".problems:not([data-before])")
    lost = "The server has failed, or its answer was lost: try again."
    for said in (lost, lost, "The server cannot read or keep anything now.", "The server cannot be reached."):
        ann.page.get_by_role("button", name="Open the table").click()
        told.wait_for()
        assert told.inner_text() == said
        told.evaluate("(shown) => { shown.dataset.before = true; }")
    assert all(["status of 50" in complaint for complaint in ann.complaints])
    ann.complaints.clear()


def test_a_number_out_of_bounds_is_shown_even_where_the_options_are_closed(visit: Callable[..., Visitor]) -> None:
    ann = visit()
    unfolded(ann).get_by_label("Your name").fill("Ann")
    ann.page.get_by_text("All options").click()
    set_option(ann.page, "target", -3)
    ann.page.get_by_text("All options").click()
    target = ann.page.get_by_label("Target: value", exact=True)
    target.wait_for(state="hidden")
    ann.page.get_by_role("button", name="Open the table").click()
    target.wait_for()
    assert target.evaluate("(control) => control.validity.rangeUnderflow && document.activeElement === control")


@pytest.mark.long
def test_bonus_cards_and_a_doubler_are_set_in_the_form(server: Server, visit: Callable[..., Visitor]) -> None:
    rules = rules_of(
        "bonuses=JD:10,TD:5 doubler=TC:3:20 compulsory=discard compulsory_cards=QS,AS opening_leader=queen-taker "
        "moon_cards=hearts bonus_target=50"
    )
    ann = visit()
    open_by_form(ann, "microsoft", rules)
    ann.page.get_by_role("button", name="Begin").click()
    ann.page.wait_for_selector(".game[data-phase=passing]")
    table = ann.page.url.split("#t/")[1]
    assert states_of(server.database, table)[0].rules == rules
    sentences = ann.page.locator(".rules li").all_text_contents()
    assert sentences == list(describe(rules))


MARKED = rules_of("pass_cycle=hold bonuses=TD:5,JD:10 doubler=TC:3:0 first_dealer=0", tiny("TC TD JD"))
"""A deal of one trick, whose three cards are marked."""


def test_bonus_cards_and_the_doubler_are_marked(visit: Callable[..., Visitor]) -> None:
    ann = visit(None)
    seated(ann, MARKED, begin=False)
    ann.page.get_by_role("button", name="Begin").click()
    signs = {
        "ten of clubs, multiplies by 3": "×3",
        "ten of diamonds, bonus of 5": "−5",
        "jack of diamonds, bonus of 10": "−10",
    }
    ann.page.wait_for_selector(".game[data-mine=true]")
    held = ann.page.locator(".hand button")
    assert held.locator(".sign").all_text_contents() == [signs[held.get_attribute("aria-label") or ""]]
    play_to_the_end([ann])
    played = ann.page.locator(".played")
    said = [text.partition(": ")[2] for text in played.locator(".sr").all_text_contents()]
    named = [text.removesuffix(", took the trick") for text in said]
    assert len(set(said) - set(named)) == 1
    assert sorted(named) == sorted(signs)
    assert played.locator(".sign").all_text_contents() == [signs[name] for name in named]
    taken = ann.page.locator(".piles li").all_text_contents()
    for marked in ("jack of diamonds (bonus of 10)", "ten of diamonds (bonus of 5)", "ten of clubs (multiplies by 3)"):
        assert sum(marked in text for text in taken) == 1
    # What the pile cost is what the sheet says, with the doubler, and not "so far" any more.
    cost = [text.rpartition(", ")[2].removesuffix(" points") for text in taken]
    assert cost == ann.page.locator(".sheet tbody td").all_inner_texts()
    assert sorted(cost) == ["0", "0", "−45"]


NOTES_THE_END = """() => {
  const game = document.querySelector(".game");
  const shown = (selector) => document.querySelector(selector).checkVisibility();
  const watch = new MutationObserver(() => {
    if (!["awaiting-deal", "game-over"].includes(game.dataset.phase)) return;
    watch.disconnect();
    window.sockets.at(-1).onmessage = null;
    window.seen = [document.querySelectorAll(".played svg").length, shown(".surface"), shown(".centre"), document.querySelector("#facts").innerText];
  });
  watch.observe(game, { attributes: true });
}"""  # noqa: E501
"""Notes what is seen when a deal has just ended: cards, the table, its result and which deal it is. No other comes."""


@pytest.mark.parametrize("deals", [1, 2])
def test_the_last_trick_of_a_deal_is_seen_before_its_result(
    tmp_path: Path, nursery: Nursery, visit: Callable[..., Visitor], deals: int
) -> None:
    # The other server of this test has its database in the folder itself.
    (tmp_path / "paced").mkdir()
    with served(tmp_path / "paced", "--pace", "0.2", nursery=nursery) as paced:
        ann = visit(None, url=paced.url)
        page = ann.page
        seated(ann, attrs.evolve(MARKED, max_deals=deals))
        page.evaluate(NOTES_THE_END)
        ann.act()
        page.wait_for_function("() => window.seen")
        assert page.evaluate("window.seen.slice(0, 3)") == [3, True, False]
        assert page.evaluate("window.seen[3]").startswith("Deal 1")
        if deals == 1:
            page.locator("#winner:focus").wait_for()
            assert not page.locator(".surface").is_visible()
            return
        centre = page.locator(".centre", has_text="After deal 1")
        centre.wait_for()
        cost = [text for text in page.locator(".sheet tbody td").all_inner_texts() if text != "0"]
        assert [text.lstrip("+") for text in page.locator(".deal").all_inner_texts()] == cost, "the plates tell it too"
        page.get_by_role("button", name="Last trick").click()
        assert page.locator("#last-trick > [aria-hidden] .card-in-text").count() == 3
        assert centre.is_visible()


@pytest.mark.parametrize("sign", ["×2", "−10", "−100"])
def test_a_mark_can_be_read_where_the_next_card_covers_the_rest(visit: Callable[..., Visitor], sign: str) -> None:
    page = with_sources(visit())
    drawn = page.evaluate(
        """(sign) => {
          const { cardFace, draw } = window.sources;
          const place = draw(cardFace("JD", sign));
          const face = place.firstChild;
          face.setAttribute("width", 62);
          document.body.append(place);
          const right = [...face.querySelectorAll(".label, .sign")].map((each) => each.getBoundingClientRect().right);
          return [Math.max(...right) - face.getBoundingClientRect().left, face.querySelector(".sign").textContent];
        }""",
        sign,
    )
    assert drawn[0] <= 24, "what is seen of a card in a full hand on a phone"
    assert drawn[1] == sign


def test_passing_may_be_declined_where_the_rules_allow_it(visit: Callable[..., Visitor]) -> None:
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
  return boxes(".open .face").filter((open) => boxes(".played .face").some((card) => !apart(open, card)));
}"""
"""The shown cards that a card on the table covers."""
OWN_SHOWINGS = "count => document.querySelector('.log').innerText.split('You show ').length > count"
"""Whether the log tells of so many moves with which the reader showed cards, or none."""


@pytest.mark.long
@pytest.mark.long
@pytest.mark.parametrize(
    ("exposure", "size"),
    [
        (Exposure.TOGETHER, {"width": 1000, "height": 860}),
        (Exposure.IN_TURN, {"width": 360, "height": 740}),
        (Exposure.ROUNDS, {"width": 1000, "height": 860}),
    ],
    ids=["together-desktop", "in-turn-phone", "rounds-desktop"],
)
def test_cards_are_shown_before_the_first_lead(
    visit: Callable[..., Visitor], exposure: Exposure, size: dict[str, int]
) -> None:
    ann = visit(None, viewport=size)
    seated(ann, attrs.evolve(SHOWING, exposure=exposure))
    page = ann.page
    assert ann.state["phase"] == "exposing"
    names = {"QS": "queen of spades", "JD": "jack of diamonds", "TC": "ten of clubs", "AH": "ace of hearts"}
    own = [card for card in ann.hand if card in names]
    free = page.locator(".hand .card:not([aria-disabled])")
    assert [card.get_attribute("data-card") for card in free.all()] == own
    assert page.locator("#show").inner_text() == "Show no card"
    if own:
        ann.press(free.first)
        assert page.locator("#show").inner_text() == f"Show {names[own[0]]}"
        ann.press(free.first)
        assert page.locator("#show").inner_text() == "Show no card"
        assert "Choose the cards that you show, or none." in page.locator("#prompt").inner_text()
    else:
        assert page.locator("#prompt").inner_text() == "You hold no card that may be shown."
    ann.press(page.locator(".hand .card[aria-disabled]").first, dimmed=True)
    assert "may not be shown" in page.locator("#notice").inner_text()
    ann.act()
    asked = 1
    while exposure is Exposure.ROUNDS and ann.state["phase"] == "exposing":
        # Until her own move is seen, the page asks for the one before.
        page.wait_for_function(OWN_SHOWINGS, arg=asked)
        ann.wait_for_turn()
        if ann.state["phase"] == "exposing":
            # Somebody has shown cards since: she is asked again, with nothing chosen, and what she has shown is barred.
            assert page.locator("#show").inner_text() == "Show no card"
            ann.act()
            asked += 1
    page.wait_for_selector(".game[data-phase=playing]")
    ann.wait_for_turn()
    log = page.locator(".log").inner_text()
    views = [told for told in ann.told if told["type"] == "view"]
    shown: list[str] = views[-1]["view"]["exposed"] or [""] * 4
    assert shown[0].split() == own
    told_of = len(re.findall(r"(?:You show|\w+ shows) (?!no card)", log))
    assert told_of == sum(map(bool, shown)) or (exposure is Exposure.ROUNDS and told_of > sum(map(bool, shown)))
    assert ("You will show " in log) is (exposure is Exposure.TOGETHER)
    # What a seat has shown lies open before it until it is played.
    while ann.state["phase"] == "playing":
        told = [event for told in ann.told if told["type"] == "view" for event in told["events"]]
        played = {event["card"] for event in told if event["code"] == "card-played"}
        for seat, cards in enumerate(shown):
            lying = [names[card] for card in cards.split() if card not in played]
            said = page.locator(f"[data-seat='{seat}'] .open .sr").all_text_contents()
            assert len(said) == bool(lying)
            assert all(name in said[0] for name in lying)
            assert page.locator(f"[data-seat='{seat}'] .open svg").count() == len(lying)
        assert page.evaluate(COVERED) == []
        ann.act_and_see()
        page.wait_for_selector(".game[data-mine=true], .game[data-phase=game-over]")
    assert page.evaluate("document.documentElement.scrollWidth") == size["width"]


def test_every_event_that_a_page_can_be_sent_has_a_sentence() -> None:
    told_in_full = {events.CardsDealt.code, events.CardsPassed.code}  # they hold every hand: no page is sent them
    codes = {getattr(events, name).code for name in events.__all__ if isinstance(getattr(events, name), type)}
    script = (PAGE / "narrate.ts").read_text("utf-8")
    assert set(re.findall(r'case "([a-z-]+)":', script)) == codes - told_in_full


def test_an_event_that_the_page_does_not_know_is_named_in_the_log(visit: Callable[..., Visitor]) -> None:
    ann = visit(None)
    seated(ann, Rules(max_deals=1, target=None))
    message = [message for message in ann.told if message["type"] == "view"][-1]
    message["events"] = [{"code": "cards-stolen"}]
    ann.page.evaluate("data => window.sockets.at(-1).onmessage({data})", json.dumps(message))
    ann.page.locator(".log li", has_text="cards-stolen").wait_for()
    # Meanwhile the bots play on: more may have been said since.
    said = ann.page.locator(".log li").all_inner_texts()
    assert said.count("An event that this page does not know: cards-stolen. Load the page again.") == 1


def test_a_card_that_may_not_be_played_is_dimmed_and_says_why(visit: Callable[..., Visitor]) -> None:
    ann = visit(None)
    seated(ann, Rules(max_deals=1, target=None, pass_cycle=(HOLD,)))
    play_until(ann, DIMMED)
    ply = int(ann.state["ply"])
    card = ann.page.locator(".hand .dim .card").first
    text = ann.page.locator(f"#{card.get_attribute('aria-describedby')}").text_content()
    assert card.get_attribute("aria-disabled") == "true"
    shown = ann.page.locator(".said").get_by_text(text or "").locator("visible=true")
    assert any(words in (text or "") for words in ("follow suit", "may not", "must"))
    assert shown.count() == 0
    card.hover(position={"x": 10, "y": 24})
    assert shown.count() == 1
    ann.press(card, dimmed=True)
    assert text
    assert text in ann.page.locator("#notice").inner_text()
    assert shown.count() == 1, "it is said once"
    assert int(ann.state["ply"]) == ply
    assert not [message for message in ann.told if message["type"] == "refused"], "nothing was even sent"


@pytest.mark.long
def test_cards_move_unless_somebody_prefers_that_they_do_not(visit: Callable[..., Visitor]) -> None:
    ann = visit(None, reduced_motion="no-preference")
    seated(ann, Rules(max_deals=1, target=None, pass_cycle=(HOLD,)))
    play_to_the_end([ann])
    assert ann.page.evaluate("window.animated") >= 13


def test_a_scattered_pass_says_which_card_goes_where(visit: Callable[..., Visitor]) -> None:
    ann = visit(None)
    seated(ann, Rules(max_deals=1, target=None, pass_cycle=(scatter(players=4),)))
    assert "1 card to Bruno; 1 card to Carla; 1 card to Dario" in ann.page.locator("#prompt").inner_text()
    cards = ann.page.locator(".hand .card")
    for at in range(3):
        ann.press(cards.nth(at))
    ann.wait_for_answer()
    assert "1 card to Carla" in (cards.nth(1).get_attribute("aria-label") or "")
    ann.press(cards.nth(1))
    ann.page.locator("#pass").click(force=True)
    # It is said when the server has answered what was chosen last.
    ann.page.locator("#notice", has_text="First choose").wait_for()
    ann.press(cards.nth(5))
    chosen = [cards.nth(at).get_attribute("data-card") for at in (0, 5, 2)]
    ply = int(ann.state["ply"])
    ann.page.locator("#pass").click()
    ann.wait_for_ply(ply + 1)
    commitment = next(
        message["view"]["commitment"] for message in ann.told if message.get("view", {}).get("commitment")
    )
    assert commitment == chosen


def test_a_pass_is_chosen_as_the_server_says(visit: Callable[..., Visitor]) -> None:
    ann = visit(None)
    seated(ann, Rules(max_deals=1, target=None, unpassable="2C 3C 4C 5C 6C 7C 8C 9C TC JC"))
    page = ann.page
    locked = page.locator(".hand .dim .card")
    assert [card.get_attribute("data-card") for card in locked.all()] == [
        card for card in ann.hand if card[1] == "C" and card[0] not in "QKA"
    ]
    free = page.locator(".hand .card[aria-pressed=false]:not([aria-disabled])")
    for _ in range(3):
        assert page.locator("#pass").get_attribute("aria-disabled") == "true"
        ann.press(free.first)
        ann.wait_for_answer()
    assert page.locator("#pass").get_attribute("aria-disabled") is None
    assert free.count() == 0
    ann.press(page.locator(".hand .card[aria-pressed=false]").last, dimmed=True)
    assert "That is enough cards. Press a chosen card to take it back." in page.locator("#notice").inner_text()
    # What is chosen may be taken back, and another card takes its place.
    ann.press(page.locator(".hand .card[aria-pressed=true]").first)
    ann.wait_for_answer()
    assert page.locator("#pass").get_attribute("aria-disabled") == "true"
    # Faster than the server: what is pressed meanwhile waits for its answer.
    page.evaluate(
        """() => {
          const free = [...document.querySelectorAll(".hand .card[aria-pressed=false]:not([aria-disabled])")];
          for (const card of free.slice(0, 3)) card.click();
          document.querySelector("#pass").click();
        }"""
    )
    page.wait_for_selector(".game[data-phase=playing]")
    (message,) = [told for told in ann.told if told["type"] == "view" and told["view"].get("commitment")][:1]
    assert len(message["view"]["commitment"][0].split()) == 3
    assert not [told for told in ann.told if told["type"] == "refused"]


@pytest.mark.long
def test_a_choice_that_was_lost_on_its_way_is_asked_again(visit: Callable[..., Visitor]) -> None:
    ann = visit(None)
    seated(ann, Rules(max_deals=1, target=None))
    ann.page.evaluate("window.sockets.at(-1).close()")
    card = ann.page.locator(".hand .card").first
    ann.press(card)
    assert card.get_attribute("aria-pressed") == "true"
    ann.wait_for_answer()
    assert card.get_attribute("aria-pressed") == "true"
    ann.act_and_see()


# ------------------------------------------------------------------------------------------------------ accessibility


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


def test_a_whole_deal_by_keyboard_alone(visit: Callable[..., Visitor]) -> None:
    ann = visit()
    page = ann.page
    page.get_by_role("button", name="Play now").wait_for()
    tab_to(page, lambda now: now["tag"] == "SUMMARY" and "More choices" in now["text"])
    page.keyboard.press("Enter")
    page.locator("#open").wait_for()
    tab_to(page, lambda now: now["id"] == "name")
    page.keyboard.type("Ann")
    tab_to(page, lambda now: now["id"] == "players")
    tab_to(page, lambda now: now["text"] == "All options")
    tab_to(page, lambda now: now["text"] == "Open the table")
    page.keyboard.press("Enter")
    page.wait_for_selector("#invitation")
    tab_to(page, lambda now: "Begin" in now["text"])
    page.keyboard.press("Enter")
    ann.wait_for_turn()
    order = [tab_to(page, lambda now: now["card"] is not None)["at"]]
    while (now := tab_to(page, lambda _: True))["card"] is not None:
        order.append(now["at"])
    assert order == [str(at) for at in range(13)], "the cards come in their order"
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
        now = focused(page)
        assert now["card"] is not None, "the focus has stayed in the hand"
        while int(now["at"]) > 0:
            page.keyboard.press("ArrowLeft")
            now = focused(page)
        while now["disabled"]:
            page.keyboard.press("ArrowRight")
            now = focused(page)
        ply = int(ann.state["ply"])
        page.keyboard.press("Enter")
        ann.wait_for_ply(ply + 1)
    page.wait_for_function("() => document.querySelectorAll('.sheet tbody tr').length === 1")
    assert not [message for message in ann.told if message["type"] == "refused"]


ELEVEN = Rules(players=11, decks=2, kitty=Kitty.LAST_TRICK, max_deals=1, target=None, tie=Tie.SHARED)


@pytest.mark.long
@pytest.mark.parametrize("rules", [Rules(max_deals=1, target=None), ELEVEN], ids=["four", "eleven"])
def test_it_fits_on_a_phone(visit: Callable[..., Visitor], rules: Rules) -> None:
    ann = visit(viewport={"width": 360, "height": 740}, has_touch=True, is_mobile=True)

    def check() -> None:
        wide = ann.page.evaluate(
            "[document.documentElement.scrollWidth, document.documentElement.clientWidth, innerWidth]"
        )
        assert wide == [360, 360, 360]

    ann.page.get_by_role("button", name="Play now").wait_for()
    check()
    ann.page.locator("#more > summary").tap()
    ann.page.get_by_text("All options").tap()
    check()
    seated(ann, rules, begin=False)
    check()
    ann.page.get_by_role("button", name="Begin").tap()
    ann.wait_for_turn()
    check()
    sizes = ann.page.evaluate(
        "[...document.querySelectorAll('.hand .card')].map((each) => each.getBoundingClientRect().width)"
    )
    assert min(sizes) >= 36
    ann.act()
    ann.page.wait_for_selector(".game[data-mine=true][data-phase=playing]")
    check()
    play_to_the_end([ann])
    check()


CONTRAST = """() => {
  const channels = (color) => color.match(/[\\d.]+/g).map(Number);
  const luminance = (color) => {
    const [r, g, b] = channels(color).map((each) => each / 255)
      .map((each) => (each <= 0.03928 ? each / 12.92 : ((each + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const behind = (element) => {
    for (let each = element; each; each = each.parentElement) {
      const color = getComputedStyle(each).backgroundColor;
      if ((channels(color)[3] ?? 1) === 1) return color;
    }
    return "rgb(255, 255, 255)";
  };
  const poor = [];
  const weigh = (element, color, ground) => {
    const [high, low] = [luminance(color), luminance(ground)].sort((a, b) => b - a);
    if ((high + 0.05) / (low + 0.05) < 4.5) poor.push(`${element.outerHTML.slice(0, 80)}: ${color} on ${ground}`);
  };
  for (const element of document.querySelectorAll("body *:not(svg *)")) {
    const text = [...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim());
    if (text && element.checkVisibility()) weigh(element, getComputedStyle(element).color, behind(element));
  }
  for (const face of document.querySelectorAll(".face")) {
    const ground = getComputedStyle(face.querySelector("rect")).fill;
    weigh(face, getComputedStyle(face.querySelector(".rank")).stroke, ground);
    for (const part of face.querySelectorAll(".pip, .sign")) weigh(part, getComputedStyle(part).fill, ground);
  }
  return {poor, dark: luminance(behind(document.body)) < 0.2};
}"""


@pytest.mark.sampled(2)
@pytest.mark.parametrize("rules", [Rules(max_deals=1, target=None), SHOWING], ids=["passing", "showing"])
def test_everything_can_be_read_in_the_light_and_in_the_dark(visit: Callable[..., Visitor], rules: Rules) -> None:
    ann = visit()

    def check() -> None:
        for scheme in ("dark", "light"):
            ann.page.emulate_media(color_scheme=scheme)
            assert ann.page.evaluate(CONTRAST) == {"poor": [], "dark": scheme == "dark"}

    ann.page.get_by_role("button", name="Play now").wait_for()
    check()
    unfolded(ann)
    check()
    seated(ann, rules)
    check()
    ann.act()
    ann.page.wait_for_selector(".game[data-mine=true][data-phase=playing]")
    # Whoever shows cards by chance: of the four seats, some bot mostly does.
    assert ann.page.locator(".open svg").count() > 0 or not rules.exposable
    check()


def test_the_form_starts_with_what_the_server_proposes(
    visit: Callable[..., Visitor], tmp_path: Path, nursery: Nursery
) -> None:
    directory = tmp_path / "proposing"
    directory.mkdir()
    with served(directory, "cardstock", "--players", "3", "--set", "target=50", nursery=nursery) as server:
        ann = visit(url=server.url)
        page = unfolded(ann)
        assert page.locator("#game option:checked").inner_text() == "As this server proposes"
        assert page.locator("#players").input_value() == "3"
        page.get_by_role("button", name="Play now").click()
        page.wait_for_selector(".game[data-ply]:not([hidden])")
        table = page.url.split("#t/")[1].split("/")[0]
        assert states_of(server.database, table)[0].rules == attrs.evolve(presets.cardstock(3), target=50)
        page.goto("about:blank")
