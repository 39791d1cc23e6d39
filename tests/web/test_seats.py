"""Before the game, and seats, in Chromium: a game at one press, the form, the invitation, and keys of seats."""

from __future__ import annotations

import json
import re
from pathlib import Path

import attrs
import pytest

from heartsrules import Rules, presets
from heartsrules.rules import HOLD, scatter
from support.web_player import rules_document, states_of
from support.web_process import Nursery, Server, served

pytest.importorskip("playwright.sync_api", reason="the tests in a browser need the package playwright")
from playwright.sync_api import Route, WebSocketRoute

from support.web_browser import Visit, play_until, seated, sit_down, unfolded, wait_until

pytestmark = pytest.mark.web

SHORT = Rules(max_deals=2, target=None, pass_cycle=(HOLD,))


def test_one_press_deals_thirteen_cards_against_three_bots(visit: Visit, server: Server) -> None:
    ann = visit(viewport={"width": 360, "height": 640})
    page = ann.page
    asked: list[str] = []
    page.on("request", lambda request: asked.append(f"{request.method} {request.url.removeprefix(ann.url)}"))
    button = page.get_by_role("button", name="Play now")
    box = button.bounding_box()
    assert box is not None
    assert box["y"] + box["height"] < 640, "it is seen without scrolling"
    assert page.evaluate("document.documentElement.scrollWidth") == 360
    page.get_by_text("New to Hearts?").click()
    page.get_by_text("the queen of spades 13").wait_for()
    assert page.evaluate("() => { try { return trustedTypes.createPolicy('x', {}); } catch { return null; } }") is None
    assert "trusted-types" in ann.complaints.pop(), "no script may make a policy of its own"
    button.click()
    page.wait_for_selector(".game[data-phase=passing]")
    assert len(ann.hand) == 13
    assert page.locator(".papers .introduction li").count() == 5
    people = next(told for told in ann.told if told["type"] == "table")["people"]
    assert [person["kind"] for person in people] == ["person", "bot", "bot", "bot"]
    assert people[0]["name"] == "Guest", "nobody is asked for a name"
    assert states_of(server.database, page.url.split("#t/")[1])[0].rules == presets.microsoft()
    # Opening the table is the one request between the press and the socket.
    assert [each for each in asked if "POST" in each] == ["POST api/tables?language=en"]
    # Whoever goes back finds the way to the game.
    page.go_back()
    page.get_by_role("link", name="Back to your game").click()
    page.wait_for_selector(".game[data-phase=passing]")


@pytest.mark.long
def test_a_name_and_the_strength_of_bots_hold_for_friends_and_for_every_game(visit: Visit, server: Server) -> None:
    ann = visit(viewport={"width": 390, "height": 844})
    page = ann.page
    friends = page.get_by_role("button", name="Play with friends")
    friends.click()
    page.locator("#name:focus:invalid").wait_for()
    page.locator("#name").fill("Zoë")
    page.locator("#bots").select_option(label="Novice")
    boxes = [page.locator(each).bounding_box() for each in ("#play-with-friends", "#name", "#bots")]
    assert all(box is not None and box["y"] + box["height"] < 844 for box in boxes), "they are on the first screen"
    page.route("**/api/tables*", lambda route: route.abort("connectionrefused"))
    friends.click()
    page.get_by_role("alert").filter(has_text="The server cannot be reached.").wait_for()
    page.unroute_all()
    friends.click()
    page.wait_for_selector("#invitation")

    def people() -> list[tuple[str, str, str]]:
        told = next(each for each in reversed(ann.told) if each["type"] == "table")["people"]
        return [(each["name"], each["kind"], each["level"]) for each in told]

    assert people()[:2] == [("Zoë", "person", "usual"), ("", "free", "beginner")]
    page.go_back()
    page.locator(".game-card", has_text="Omnibus").click()
    page.wait_for_selector(".game[data-phase=passing]")
    assert people()[:2] == [("Zoë", "person", "usual"), ("Bruno", "bot", "beginner")]
    assert states_of(server.database, page.url.split("#t/")[1])[0].rules == presets.omnibus(4)


@pytest.mark.long
def test_an_invitation_is_followed_and_a_seat_taken_over_and_given_back(visit: Visit) -> None:
    ann = visit(None)
    table = seated(ann, SHORT, begin=False)
    guest = visit(f"#t/{table}")
    page = guest.page
    page.get_by_role("heading", name="Ann invites you to a table").wait_for()
    assert page.locator(".sitting li").all_inner_texts() == ["Ann", "free", "free", "free"]
    # The host lets a strong bot play on one seat before the game.
    plan = ann.page.get_by_label("Who plays in seat 3")
    ann.page.get_by_text("The rules in sentences").click()
    for level, value in (("Strong", "bot strong"), ("Novice", "bot beginner")):
        plan.focus()
        plan.select_option(label=f"Bot ({level})")
        ann.page.wait_for_function("(value) => document.querySelector('#plan-2').value === value", arg=value)
        assert ann.page.evaluate("document.activeElement.id") == "plan-2", "the focus stays where it was"
    assert ann.page.get_by_text("♠Q counts 13.").is_visible(), "what was opened stays open"
    ann.page.get_by_role("button", name="Begin").click()
    ann.wait_for_turn()
    ann.act_and_see()
    # Who comes late may take over from a bot, here or while watching: with the next deal, and if all agree, since the
    # two of them have the same address.
    page.reload()
    page.get_by_text("The game has begun. You can take over from a bot with the next deal, or watch.").wait_for()
    page.get_by_role("button", name="Watch").click()
    page.locator("#seats-menu summary").click()
    page.get_by_role("button", name="Take over from a bot with the next deal").click()
    page.get_by_label("Your name").fill("Eve")
    page.get_by_role("button", name="Take a seat").click()
    page.get_by_text("you must wait until Ann agrees").wait_for()
    assert page.locator(".hand .card").count() == 0
    ann.page.get_by_role("button", name="Let Eve play", exact=True).click()
    page.get_by_text("You play from the next deal; until then Bruno plays on, and you see no hand.").wait_for()
    deals = ann.page.locator(".sheet tbody tr").count()
    play_until(ann, f"mine === 'true' && document.querySelectorAll('.sheet tbody tr').length > {deals}")
    page.locator(".seat[data-seat='1'] .name", has_text="You").wait_for()
    ann.page.locator(".seat[data-seat='1'] .name", has_text="Eve").wait_for()
    page.locator("#seats-menu summary").click()
    page.get_by_role("button", name="Give up my seat: a bot plays on").click()
    page.get_by_role("button", name="Sure? Press again to leave the seat").click()
    page.get_by_role("heading", name="You have left your seat").wait_for()
    assert page.evaluate("document.activeElement.tagName") == "H2"
    page.get_by_role("button", name="Watch").click()
    page.wait_for_selector(".game[data-ply]:not([hidden])")
    ann.page.locator(".seat[data-seat='1'] .name", has_text="Bruno").wait_for()
    said = [text for text in ann.page.locator(".log li").all_inner_texts() if "Eve" in text]
    assert said == ["Eve takes over from Bruno: everyone agreed.", "Eve gave up the seat. Bruno plays on."]


def test_who_cannot_come_in_now_is_told_and_may_try_again(visit: Visit) -> None:
    ann = visit(None)
    table = seated(ann, SHORT, begin=False)
    guest = visit(None)
    page = guest.page
    full = {"code": "too-many-tables", "message": "too many tables are in play: try again later", "problems": []}
    page.route("**/api/tables/*?language=en", lambda route: route.fulfill(status=503, json=full))
    page.goto(f"{ann.url}#t/{table}")
    page.get_by_text("Too many tables are in play: try again later.").wait_for()
    assert page.evaluate("document.activeElement.tagName") == "H2"
    assert "status of 503" in guest.complaints.pop()
    page.unroute_all()
    page.get_by_role("button", name="Try again").click()
    page.get_by_role("heading", name="Ann invites you to a table").wait_for()
    assert "♠Q counts 13." in (page.locator(".sentences").text_content() or "")
    # Whoever watches may change their mind while seats are free.
    page.get_by_role("button", name="Watch").click()
    page.get_by_role("button", name="Take a seat").click()
    sit_down(guest)
    page.get_by_role("button", name="Give up my seat").click()
    page.get_by_role("button", name="Watch").click()
    page.get_by_role("button", name="Take a seat").click()
    page.get_by_role("heading", name="Ann invites you to a table").wait_for()
    page.route("**/api/choices", lambda route: route.abort("connectionrefused"))
    page.goto(ann.url)
    page.get_by_text("The server cannot be reached.").wait_for()
    page.unroute_all()
    page.get_by_role("button", name="Try again").click()
    page.get_by_role("button", name="Play now").wait_for()


def test_who_has_a_seat_is_told_why_it_has_to_wait(visit: Visit, tmp_path: Path, nursery: Nursery) -> None:
    with served(tmp_path, "--max-tables", "1", nursery=nursery) as small:
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


@pytest.mark.long
def test_a_link_does_not_take_the_place_of_a_seat(visit: Visit) -> None:
    ann = visit(None)
    page = ann.page
    table = seated(ann, SHORT, begin=False)
    kept = "table => localStorage.getItem(`hearts-seat ${table}`)"
    own = page.evaluate(kept, table)
    bob = ann.context.request.post(f"{ann.url}api/tables/{table}/seats", data={"name": "Bob"}).json()["token"]

    def follow(token: str) -> None:
        page.goto("about:blank")
        page.goto(f"{ann.url}#t/{table}/{token}")

    for token in (bob, "forged"):
        follow(token)
        page.get_by_role("heading", name="You have a seat at this table already").wait_for()
        assert page.evaluate(kept, table) == own
    page.get_by_role("button", name="Take the other seat").click()
    page.get_by_role("button", name="Back to my seat").click()
    page.get_by_role("button", name="Begin").wait_for()
    assert page.evaluate(kept, table) == own, "a forged key has not cost the seat"
    follow(bob)
    page.get_by_role("button", name="Keep my seat").click()
    page.get_by_role("button", name="Begin").wait_for()


@pytest.mark.long
def test_a_seat_is_taken_along_to_another_device(visit: Visit) -> None:
    ann = visit(None)
    page = ann.page
    table = seated(ann, SHORT)
    page.locator("#seats-menu summary").click()
    elsewhere = page.get_by_role("button", name="Continue on another device")
    elsewhere.click()
    key = page.get_by_label("The link with the key to your seat").input_value()
    page.get_by_text("send it to no one else: anyone who has it can see your cards and play them.").wait_for()
    own = page.evaluate("table => localStorage.getItem(`hearts-seat ${table}`)", table)
    assert key == f"{ann.url}#t/{table}/{own}"
    # A page of a network has no clipboard; the field is copied from.
    page.evaluate("() => Object.defineProperty(navigator, 'clipboard', {value: undefined})")
    page.locator("#key-copy").click()
    page.locator("#key-copied", has_text="Copied").wait_for()
    elsewhere.click()
    page.locator("#key").wait_for(state="detached")
    phone = visit(key.removeprefix(ann.url))
    phone.page.wait_for_selector(".game[data-ply]")
    assert phone.page.url == f"{ann.url}#t/{table}", "the key does not stay in the address"
    assert phone.page.locator(".seat[data-seat='0'] .name").inner_text() == "You"
    assert own not in json.dumps(ann.told)


def test_the_link_for_phones_is_shown_as_a_code(visit: Visit) -> None:
    ann = visit()
    page = ann.page
    link = "http://192.168.1.20:8000/#t/x"

    # What a server says that is started with --lan; the machine of the tests may be in no network.
    def reached(route: WebSocketRoute) -> None:
        to_page = route.connect_to_server().on_message
        to_page(lambda text: route.send(re.sub('"link":"[^"]*"', f'"link":"{link}"', str(text))))

    page.route_web_socket("**/socket", reached)
    seated(ann, SHORT, begin=False)
    page.get_by_role("img", name="The link as a QR code").wait_for()
    page.wait_for_function("() => document.querySelector('.code').naturalWidth > 0")
    assert page.get_by_label("Send this link to anyone who should play or watch").input_value() == link


def test_a_game_is_chosen_by_its_name_and_the_bots_by_their_strength(visit: Visit, server: Server) -> None:
    ann = visit()
    page = unfolded(ann)
    page.get_by_label("Your name").fill("Ann")
    page.get_by_label("Game", exact=True).select_option("Five, with a kitty")
    page.wait_for_function("() => document.querySelector('#sentences').textContent.includes('5 players')")
    page.get_by_text("All options").click()
    page.get_by_label("Pass cycle 1", exact=True).select_option(label="One card to each of the others")
    page.locator("#others").select_option("beginner")
    page.get_by_role("button", name="Open the table").click()
    page.wait_for_selector(".game[data-phase=passing]")  # nobody is waited for
    people = next(told for told in reversed(ann.told) if told["type"] == "table")["people"]
    assert [person["level"] for person in people][1:] == ["beginner"] * 4
    rules = states_of(server.database, page.url.split("#t/")[1])[0].rules
    cycle = presets.catsatcards(5).pass_cycle
    assert rules == attrs.evolve(presets.catsatcards(5), pass_cycle=(scatter(players=5), *cycle[1:]))


@pytest.mark.long
def test_a_host_who_only_watches_sees_the_table_at_once(visit: Visit) -> None:
    ann = visit()
    page = unfolded(ann)
    page.get_by_label("I play").uncheck()
    # Bots alone play so fast that a page has no time for anything else.
    page.get_by_text("All options").click()
    page.get_by_label("Max deals", exact=True).select_option(label="A number")
    page.get_by_label("Max deals: value", exact=True).fill("1")
    page.get_by_role("button", name="Open the table").click()
    page.wait_for_selector(".game[data-ply]:not([hidden])")
    assert page.url.startswith(f"{ann.url}#t/")
    assert len(ann.frames) == 1, "one socket is enough"
    page.go_back()
    page.get_by_role("button", name="Play now").wait_for()


def test_a_table_that_its_host_has_left_says_so(visit: Visit) -> None:
    ann = visit(None)
    table = seated(ann, SHORT, begin=False)
    ann.page.get_by_role("button", name="Give up my seat").click()
    ann.page.get_by_role("heading", name="You have left your seat").wait_for()
    guest = visit(f"#t/{table}")
    guest.page.get_by_role("heading", name="You are invited to a table").wait_for()
    guest.page.get_by_role("button", name="Watch").click()
    guest.page.get_by_text("The first player to sit down begins the game.").wait_for()
    ann.page.get_by_role("button", name="Sit down again").click()
    ann.page.get_by_role("button", name="Begin").wait_for()


@pytest.mark.parametrize(("at", "button"), [("api/tables?", "Play now"), ("/seats", "Take a seat")])
def test_a_button_asks_once_and_calls_nobody_back_who_has_gone_on(visit: Visit, at: str, button: str) -> None:
    ann, bob = visit(None), visit(None)
    table = seated(ann, SHORT, begin=False)
    page = bob.page
    page.goto(f"{ann.url}#t/{table}" if at == "/seats" else ann.url)
    asked: list[Route] = []
    page.route(lambda url: at in url, lambda route: asked.append(route))
    if at == "/seats":
        page.get_by_label("Your name").fill("Bob")
    page.get_by_role("button", name=button).dblclick()
    page.locator("button[aria-busy=true]").wait_for()
    (only,) = asked
    page.evaluate("() => { location.hash = '#drills'; }")
    page.locator("#skip-drill").wait_for()
    with page.expect_response(lambda answer: at in answer.url):
        only.continue_()
    page.evaluate("() => new Promise((done) => setTimeout(() => requestAnimationFrame(done)))")
    assert page.url == f"{ann.url}#drills"
    assert page.locator("#skip-drill").is_visible()


def test_what_could_not_be_sent_is_not_shown_as_chosen(visit: Visit, server: Server) -> None:
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


def test_what_somebody_reads_stays_while_others_come(visit: Visit) -> None:
    ann, bob = visit(permissions=["clipboard-read", "clipboard-write"]), visit(None)
    table = seated(ann, SHORT, begin=False)
    ann.page.locator("#invitation-copy").click()
    copied = ann.page.locator("#invitation-copied", has_text="Copied")
    copied.wait_for()
    assert ann.page.evaluate("navigator.clipboard.readText()") == f"{ann.url}#t/{table}"
    bob.page.goto(f"{ann.url}#t/{table}")
    sit_down(bob)
    ann.page.locator(".sitting li", has_text="Bob").wait_for()
    assert copied.is_visible()


def test_the_key_of_a_seat_is_shown_in_no_other_field(visit: Visit) -> None:
    ann = visit(None)
    page = ann.page
    wish = {"rules": rules_document(SHORT), "name": "Bob", "seats": [{"friend": False}] * 4}
    others = ann.context.request.post(f"{ann.url}api/tables", data=wish).json()["table"]
    seated(ann, SHORT)
    page.locator("#seats-menu summary").click()
    page.locator("#elsewhere-key").click()
    key = page.locator("#key").input_value()
    page.get_by_title("Settings").click()
    page.locator("#language").select_option("de")
    page.locator("html[lang=de]").wait_for()
    page.goto(f"{ann.url}#t/{others}")
    page.get_by_role("button", name="Zusehen").click()
    page.locator("#seats-menu summary").click()
    page.locator("#sit").click()
    page.locator("#name").wait_for()
    assert page.locator("#key").count() == 0
    assert key not in page.locator("input").evaluate_all("(all) => all.map((each) => each.value)")


def test_a_page_that_is_older_than_the_server_asks_to_be_loaded_again(visit: Visit) -> None:
    ann = visit(None)
    seated(ann, SHORT, begin=False)
    bar = ann.page.get_by_text("There is a newer version of this page.")
    assert bar.count() == 0
    ann.page.evaluate("() => { document.querySelector('meta[name=hearts-version]').content = 'old'; }")
    ann.page.evaluate("window.sockets.at(-1).close()")
    bar.wait_for()
    with ann.page.expect_navigation():
        ann.page.get_by_role("button", name="Load it").click()


def test_a_page_without_one_of_its_files_asks_to_be_loaded_again(visit: Visit) -> None:
    ann = visit()
    for name in ("form", "en"):
        ann.page.route(f"**/{name}.js", lambda route: route.abort("connectionrefused"))
    ann.page.locator("#more > summary").click()
    ann.page.get_by_text("There is a newer version of this page.").wait_for()
    ann.page.reload()
    ann.page.get_by_role("alert").filter(has_text="load it again").wait_for()
