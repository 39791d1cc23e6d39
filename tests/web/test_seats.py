"""Before the game, and seats, in Chromium: games by their pictures, the invitation, the QR code, and keys of seats."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import attrs
import pytest

from heartsrules import Rules, presets
from heartsrules.rules import HOLD, scatter
from support.web_player import states_of
from support.web_process import Nursery, Server, served

pytest.importorskip("playwright.sync_api", reason="the tests in a browser need the package playwright")
from playwright.sync_api import Route

from support.web_browser import Visitor, play_until, seated, sit_down, unfolded, wait_until

pytestmark = pytest.mark.web

SHORT = Rules(max_deals=2, target=None, pass_cycle=(HOLD,))


@pytest.fixture
def server(tmp_path: Path, nursery: Nursery) -> Iterator[Server]:
    with served(tmp_path, nursery=nursery) as server:
        yield server


@pytest.fixture
def hurried(tmp_path: Path, nursery: Nursery) -> Iterator[Server]:
    """A server for which two seconds are two minutes: after them a bot plays for whoever is away."""
    (tmp_path / "hurried").mkdir()
    with served(tmp_path / "hurried", nursery=nursery, hurry=60) as server:
        yield server


@pytest.mark.long
def test_an_invitation_is_followed_and_a_seat_taken_over_and_given_back(visit: Callable[..., Visitor]) -> None:
    ann = visit(None)
    table = seated(ann, SHORT, begin=False)
    guest = visit(f"#t/{table}")
    page = guest.page
    page.get_by_role("heading", name="Ann invites you to a table").wait_for()
    assert page.locator(".sitting li").all_inner_texts() == ["Ann", "free", "free", "free"]
    assert (
        "4 players use a deck of 52 cards; each is dealt 13 cards." in page.locator(".sentences li").all_inner_texts()
    )
    # The host lets a strong bot play on one seat before the game.
    ann.page.get_by_label("Who plays on seat 3").focus()
    ann.page.get_by_label("Who plays on seat 3").select_option(label="Bot (Strong)")
    ann.page.wait_for_function("() => document.querySelector('#plan-2').value === 'bot strong'")
    assert ann.page.evaluate("document.activeElement.id") == "plan-2", "the focus stays where it was"
    ann.page.get_by_text("The rules in sentences").click()
    ann.page.get_by_label("Who plays on seat 3").select_option(label="Bot (Novice)")
    ann.page.wait_for_function("() => document.querySelector('#plan-2').value === 'bot beginner'")
    assert ann.page.get_by_text("♠Q counts 13.").is_visible(), "what was opened stays open"
    ann.page.get_by_role("button", name="Begin").click()
    ann.wait_for_turn()
    # Who comes late may take over from a bot, here or while watching: with the next deal, and if all agree, since the
    # two of them have the same address.
    page.reload()
    page.get_by_text("The game has begun. You can take over from a bot with the next deal, or watch.").wait_for()
    page.get_by_role("button", name="Watch").click()
    page.locator("#seats-menu summary").click()
    page.locator("#own-name").fill("Eve")
    page.get_by_role("button", name="Take over from Bruno with the next deal").click()
    page.get_by_text("you wait until Ann agrees").wait_for()
    assert page.locator(".hand .card").count() == 0
    ann.page.locator(".log li", has_text="Eve wants to play for Bruno, from the next deal.").wait_for()
    ann.page.get_by_role("button", name="Let Eve play", exact=True).click()
    page.get_by_text("You play from the next deal; until then Bruno plays on, and you see no hand.").wait_for()
    deals = ann.page.locator(".sheet tbody tr").count()
    play_until(ann, f"mine === 'true' && document.querySelectorAll('.sheet tbody tr').length > {deals}")
    page.wait_for_function("() => document.querySelector('.seat[data-seat=\"1\"] .name')?.textContent === 'You'")
    ann.page.locator(".seat[data-seat='1'] .name", has_text="Eve").wait_for()
    page.locator("#seats-menu summary").click()
    page.get_by_role("button", name="Give up my seat: a bot plays on").click()
    page.get_by_role("button", name="Sure? Press again to leave the seat").click()
    page.get_by_role("heading", name="You have left your seat").wait_for()
    assert page.evaluate("document.activeElement.tagName") == "H2"
    page.get_by_role("button", name="Watch").click()
    page.wait_for_selector(".game[data-ply]:not([hidden])")
    ann.page.locator(".seat[data-seat='1'] .name", has_text="Bruno").wait_for()
    page.reload()
    page.get_by_role("heading", name="Ann invites you to a table").wait_for()
    said = ann.page.locator(".log li").all_inner_texts()
    assert [text for text in said if "Eve" in text] == [
        "Eve takes over from Bruno: everybody agreed.",
        "Eve gave up the seat. Bruno plays on.",
    ]
    ann.page.reload()
    ann.page.locator(".log li", has_text="Eve gave up the seat. Bruno plays on.").wait_for()
    assert ann.page.locator(".log li").all_inner_texts() == said, "the log is there after a reload"


@pytest.mark.long
def test_everybody_is_told_who_goes_who_plays_on_and_who_is_host(
    visit: Callable[..., Visitor], hurried: Server
) -> None:
    ann, bob, eve = [visit(None, hurried.url) for _ in range(3)]
    table = seated(ann, SHORT, begin=False)
    for guest, name in ((bob, "Bob"), (eve, "Eve")):
        guest.page.goto(f"{ann.url}#t/{table}")
        sit_down(guest, name)
        ann.page.locator(".sitting li", has_text=name).wait_for()
    ann.page.get_by_role("button", name="Begin").click()

    def said(visitor: Visitor, text: str) -> None:
        visitor.page.get_by_role("log").get_by_text(text, exact=True).wait_for()

    # Whoever goes without a word is replaced by the host; the seat is taken over, and given back.
    eve.page.goto("about:blank")
    said(bob, "A bot plays for Eve: away for too long.")
    eve.page.goto(f"{ann.url}#t/{table}")
    said(bob, "Eve plays on.")
    ann.page.locator("#seats-menu summary").click()
    ann.page.get_by_role("button", name="Give up my seat: a bot plays on").click()
    ann.page.get_by_role("button", name="Sure? Press again to leave the seat").click()
    for visitor, host in ((bob, "You are the host now."), (eve, "Bob is the host now.")):
        said(visitor, "Ann gave up the seat. Alma plays on.")
        said(visitor, host)


def test_who_cannot_come_in_now_is_told_and_may_try_again(visit: Callable[..., Visitor], server: Server) -> None:
    ann = visit(None)
    table = seated(ann, SHORT, begin=False)
    guest = visit(None)
    page = guest.page
    full = {"code": "too-many-tables", "message": "too many tables are in play: try again later", "problems": []}
    page.route("**/api/tables/*?language=en", lambda route: route.fulfill(status=503, json=full))
    page.goto(f"{server.url}#t/{table}")
    page.get_by_text("Too many tables are in play: try again later.").wait_for()
    assert page.evaluate("document.activeElement.tagName") == "H2"
    page.unroute_all()
    page.get_by_role("button", name="Try again").click()
    page.get_by_role("heading", name="Ann invites you to a table").wait_for()
    sentences = page.locator(".sentences")
    assert "♠Q counts 13." in (sentences.text_content() or "")
    # Whoever watches may change their mind while seats are free.
    page.get_by_role("button", name="Watch").click()
    assert "♠Q counts 13." in (sentences.text_content() or "")
    page.get_by_role("button", name="Take a seat").click()
    page.get_by_label("Your name").fill("Bob")
    page.get_by_role("button", name="Take a seat").click()
    page.get_by_role("button", name="Give up my seat").click()
    page.get_by_role("button", name="Watch").click()
    page.get_by_role("button", name="Take a seat").click()
    page.get_by_role("heading", name="Ann invites you to a table").wait_for()
    (complaint,) = guest.complaints
    assert "status of 503" in complaint
    guest.complaints.clear()


def test_who_has_a_seat_is_told_why_it_has_to_wait(
    visit: Callable[..., Visitor], tmp_path: Path, nursery: Nursery
) -> None:
    directory = tmp_path / "small"
    directory.mkdir()
    with served(directory, "--max-tables", "1", nursery=nursery) as small:
        ann, bob = visit(None, url=small.url), visit(None, url=small.url)
        table = seated(bob, SHORT, begin=False)
        bob.page.goto("about:blank")
        # The server may hear of it later than of the next table.
        asked = f"{small.url}api/tables/{table}"
        wait_until(ann.page, lambda: not any(each["here"] for each in ann.context.request.get(asked).json()["people"]))
        seated(ann, SHORT, begin=False)
        bob.page.goto(f"{small.url}#t/{table}")
        bob.page.get_by_text("Too many tables are in play: try again later. Trying again…").wait_for()
        ann.page.goto("about:blank")
        bob.page.get_by_role("button", name="Begin").wait_for()
        assert bob.page.locator("#connection").inner_text() == "Connected"
        bob.page.goto("about:blank")


def test_the_form_that_cannot_be_made_is_asked_for_again(visit: Callable[..., Visitor]) -> None:
    ann = visit(None)
    seated(ann, SHORT)
    ann.page.route("**/api/choices", lambda route: route.abort("connectionrefused"))
    ann.page.goto(ann.url)
    ann.page.get_by_text("The server cannot be reached.").wait_for()
    assert ann.page.locator(".game").count() == 0
    ann.page.unroute_all()
    ann.page.get_by_role("button", name="Try again").click()
    ann.page.get_by_role("button", name="Play now").wait_for()


@pytest.mark.long
def test_a_link_does_not_take_the_place_of_a_seat(visit: Callable[..., Visitor], server: Server) -> None:
    ann = visit(None)
    page = ann.page
    table = seated(ann, SHORT, begin=False)
    kept = "table => localStorage.getItem(`hearts-seat ${table}`)"
    own = page.evaluate(kept, table)
    bob = page.evaluate(
        """async (table) => (await (await fetch(`/api/tables/${table}/seats`, {
          method: "POST", headers: {"Content-Type": "application/json"}, body: JSON.stringify({name: "Bob"}),
        })).json()).token""",
        table,
    )
    for token in (bob, "forged"):
        page.goto("about:blank")
        page.goto(f"{server.url}#t/{table}/{token}")
        page.get_by_role("heading", name="You have a seat at this table already").wait_for()
        assert page.evaluate(kept, table) == own
    page.get_by_role("button", name="Sit on the other seat").click()
    page.get_by_role("button", name="Back to my seat").click()
    page.get_by_role("button", name="Begin").wait_for()
    assert page.evaluate(kept, table) == own, "a forged key has not cost the seat"
    page.goto("about:blank")
    page.goto(f"{server.url}#t/{table}/{bob}")
    page.get_by_role("button", name="Keep my seat").click()
    page.get_by_role("button", name="Begin").wait_for()
    page.goto("about:blank")
    page.goto(f"{server.url}#t/{table}/{own}")
    page.get_by_role("button", name="Begin").wait_for()


@pytest.mark.long
def test_a_seat_is_taken_along_to_another_device(visit: Callable[..., Visitor]) -> None:
    ann = visit(permissions=["clipboard-read", "clipboard-write"])
    page = unfolded(ann)
    page.get_by_label("Your name").fill("Ann")
    page.get_by_label("Game", exact=True).select_option("Gong Zhu")
    page.get_by_role("button", name="Open the table").click()
    invitation = page.get_by_label("Send this link to whoever is to play or to watch").input_value()
    page.get_by_text("Game: Gong Zhu", exact=True).wait_for()
    page.get_by_role("button", name="Copy").click()
    page.get_by_text("Copied").wait_for()
    assert page.evaluate("navigator.clipboard.readText()") == invitation
    guest = visit(invitation.removeprefix(ann.url))
    guest.page.get_by_text("Game: Gong Zhu", exact=True).wait_for()
    page.get_by_role("button", name="Begin").click()
    page.locator("#seats-menu summary").click()
    elsewhere = page.get_by_role("button", name="Continue on another device")
    elsewhere.click()
    key = page.get_by_label("The link with the key to your seat").input_value()
    page.get_by_text("send it to nobody else: whoever has it sees your cards and plays them.").wait_for()
    own = page.evaluate("table => localStorage.getItem(`hearts-seat ${table}`)", invitation.split("#t/")[1])
    assert key == f"{invitation}/{own}"
    # A page of a network has no clipboard; the field is copied from.
    page.evaluate("() => Object.defineProperty(navigator, 'clipboard', {value: undefined})")
    page.locator("#key-copy").click()
    page.locator("#key-copied", has_text="Copied").wait_for()
    elsewhere.click()
    page.locator("#key").wait_for(state="detached")
    phone = visit(key.removeprefix(ann.url))
    phone.page.wait_for_selector(".game[data-ply]")
    assert phone.page.url == invitation, "the key does not stay in the address"
    assert phone.page.locator(".seat[data-seat='0'] .name").inner_text() == "You"
    assert own not in json.dumps([guest.told, ann.told])


def test_the_link_for_phones_is_shown_as_a_code(visit: Callable[..., Visitor]) -> None:
    ann = visit()
    page = ann.page
    link = "http://192.168.1.20:8000/#t/x"
    # What a server says that is started with --lan; the machine of the tests may be in no network.

    def answer(route: Route) -> None:
        if route.request.method == "GET":
            route.fulfill(json={"link": link})
        else:
            route.fallback()

    page.route("**/api/tables/*", answer)
    seated(ann, SHORT, begin=False)
    page.get_by_role("img", name="The link as a QR code").wait_for()
    page.wait_for_function("() => document.querySelector('.code').naturalWidth > 0")
    assert page.get_by_label("Send this link to whoever is to play or to watch").input_value() == link


def test_a_game_is_chosen_by_its_name_and_the_bots_by_their_strength(
    visit: Callable[..., Visitor], server: Server
) -> None:
    ann = visit()
    page = unfolded(ann)
    page.get_by_label("Your name").fill("Ann")
    page.get_by_label("Game", exact=True).select_option("Five, with a kitty")
    page.locator("#sentences li").first.wait_for(state="attached")
    page.wait_for_function("() => document.querySelector('#sentences').textContent.includes('5 players')")
    page.get_by_text("All options").click()
    page.get_by_label("Passing in deal 1", exact=True).select_option("one card to each of the others")
    page.locator("#others").select_option("each")
    for seat, level in ((2, "bot beginner"), (3, "bot usual"), (4, "bot beginner"), (5, "bot beginner")):
        page.get_by_label(f"Seat {seat}", exact=True).select_option(level)
    page.get_by_role("button", name="Open the table").click()
    page.wait_for_selector(".game[data-phase=passing]")  # nobody is waited for
    people = next(told for told in reversed(ann.told) if told["type"] == "table")["people"]
    assert [person["level"] for person in people][1:] == ["beginner", "usual", "beginner", "beginner"]
    table = page.url.split("#t/")[1]
    rules = states_of(server.database, table)[0].rules
    cycle = presets.catsatcards(5).pass_cycle
    assert rules == attrs.evolve(presets.catsatcards(5), pass_cycle=(scatter(players=5), *cycle[1:]))


@pytest.mark.long
def test_who_only_watches_gives_no_name(visit: Callable[..., Visitor]) -> None:
    ann = visit()
    page = unfolded(ann)
    name = page.get_by_label("Your name")
    name.fill("Ann")
    play = page.get_by_label("I play")
    play.uncheck()
    name.wait_for(state="hidden")
    play.check()
    assert name.input_value() == "Ann"
    name.fill("")
    play.uncheck()
    # Bots alone play so fast that a page has no time for anything else.
    page.get_by_text("All options").click()
    page.get_by_label("Max deals", exact=True).select_option(label="A number")
    page.get_by_label("Max deals: value", exact=True).fill("1")
    page.get_by_role("button", name="Open the table").click()
    page.wait_for_selector(".game[data-phase]")


def test_a_table_that_its_host_has_left_says_so(visit: Callable[..., Visitor]) -> None:
    ann = visit(None)
    table = seated(ann, SHORT, begin=False)
    ann.page.get_by_role("button", name="Give up my seat").click()
    ann.page.get_by_role("heading", name="You have left your seat").wait_for()
    guest = visit(f"#t/{table}")
    guest.page.get_by_role("heading", name="You are invited to a table").wait_for()
    guest.page.get_by_role("button", name="Watch").click()
    guest.page.get_by_text("Whoever sits down first begins the game.").wait_for()
    assert guest.page.locator(".waiting .sitting li").all_inner_texts() == ["free"] * 4
    ann.page.get_by_role("button", name="Sit down again").click()
    ann.page.get_by_role("button", name="Begin").wait_for()


def test_a_button_that_is_pressed_twice_asks_once(visit: Callable[..., Visitor]) -> None:
    ann, bob = visit(None), visit(None)
    table = seated(ann, SHORT, begin=False)
    page = bob.page
    page.goto(f"{ann.url}#t/{table}")
    asked: list[Route] = []
    page.route("**/api/tables/*/seats", lambda route: asked.append(route))
    page.get_by_label("Your name").fill("Bob")
    page.get_by_role("button", name="Take a seat").dblclick()
    page.locator("button[aria-busy=true]").wait_for()
    assert len(asked) == 1
    asked[0].continue_()
    ann.page.locator(".sitting li", has_text="Bob").wait_for()
    assert ann.page.locator(".sitting li.free").count() == 2, "he has one seat"


def test_what_could_not_be_sent_is_not_shown_as_chosen(visit: Callable[..., Visitor], server: Server) -> None:
    ann = visit(None)
    seated(ann, SHORT, begin=False)
    plan = ann.page.locator("#plan-2")
    before = plan.input_value()
    server.kill()
    ann.page.wait_for_selector("#connection.lost")
    plan.select_option("bot expert")
    ann.page.get_by_role("alert").filter(has_text="That was not sent").wait_for()
    assert plan.input_value() == before
    server.start()
    ann.page.wait_for_selector("#connection.connected")


def test_what_somebody_types_or_reads_stays_while_others_come_and_go(visit: Callable[..., Visitor]) -> None:
    ann, bob, eve = visit(permissions=["clipboard-read", "clipboard-write"]), visit(None), visit(None)
    table = seated(ann, SHORT, begin=False)
    ann.page.locator("#invitation-copy").click()
    copied = ann.page.locator("#invitation-copied", has_text="Copied")
    copied.wait_for()
    bob.page.goto(f"{ann.url}#t/{table}")
    sit_down(bob)
    ann.page.locator(".sitting li", has_text="Bob").wait_for()
    assert copied.is_visible()
    ann.page.get_by_role("button", name="Begin").click()
    eve.page.goto(f"{ann.url}#t/{table}")
    eve.page.get_by_role("button", name="Watch").click()
    eve.page.locator("#seats-menu summary").click()
    name = eve.page.locator("#own-name")
    name.fill("Ee")
    name.evaluate("(field) => field.setSelectionRange(1, 1)")
    bob.page.goto("about:blank")
    eve.page.locator(".seat[data-seat='1'] .state", has_text="away").wait_for(state="attached")
    eve.page.keyboard.type("v")
    assert name.input_value() == "Eve"


def test_a_page_that_is_older_than_the_server_asks_to_be_loaded_again(visit: Callable[..., Visitor]) -> None:
    ann = visit(None)
    seated(ann, SHORT, begin=False)
    bar = ann.page.get_by_text("There is a newer version of this page.")
    assert bar.count() == 0
    ann.page.evaluate("() => { document.querySelector('meta[name=hearts-version]').content = 'old'; }")
    ann.page.evaluate("window.sockets.at(-1).close()")
    bar.wait_for()
    with ann.page.expect_navigation():
        ann.page.get_by_role("button", name="Load it").click()


def test_a_part_that_is_not_there_any_more_asks_to_load_the_page_again(visit: Callable[..., Visitor]) -> None:
    ann = visit()
    ann.page.route("**/form.js", lambda route: route.abort("connectionrefused"))
    ann.page.locator("#more > summary").click()
    ann.page.get_by_text("There is a newer version of this page.").wait_for()


def test_a_page_without_words_says_that_it_has_to_be_loaded_again(visit: Callable[..., Visitor]) -> None:
    ann = visit(None)
    ann.page.route("**/en.js", lambda route: route.abort("connectionrefused"))
    ann.page.goto(ann.url)
    ann.page.get_by_role("alert").filter(has_text="load it again").wait_for()
