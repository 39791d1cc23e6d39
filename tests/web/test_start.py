"""The first page in Chromium: a game at one press, the others by picture, and every choice behind a fold."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from heartsrules import presets
from support.web_player import states_of
from support.web_process import Server

pytest.importorskip("playwright.sync_api", reason="the tests in a browser need the package playwright")

from support.web_browser import Visitor

pytestmark = pytest.mark.web


def test_one_press_deals_thirteen_cards_against_three_bots(visit: Callable[..., Visitor], server: Server) -> None:
    ann = visit(viewport={"width": 360, "height": 640})
    page = ann.page
    asked: list[str] = []
    page.on("request", lambda request: asked.append(f"{request.method} {request.url.removeprefix(ann.url)}"))
    button = page.get_by_role("button", name="Play now")
    box = button.bounding_box()
    assert box is not None
    assert box["y"] + box["height"] < 640, "it is seen without scrolling"
    page.get_by_text("New to Hearts?").click()
    assert page.locator(".hero .introduction li").count() == 5
    page.get_by_text("the queen of spades 13").wait_for()
    button.click()
    page.wait_for_selector(".game[data-phase=passing]")
    assert len(ann.hand) == 13
    assert page.locator(".papers .introduction li").count() == 5
    people = next(told for told in ann.told if told["type"] == "table")["people"]
    assert [person["kind"] for person in people] == ["person", "bot", "bot", "bot"]
    assert people[0]["name"] == "Guest", "nobody is asked for a name"
    table = page.url.split("#t/")[1]
    assert states_of(server.database, table)[0].rules == presets.microsoft()
    # Opening the table is the one request between the press and the socket.
    assert [each for each in asked if "POST" in each] == ["POST api/tables?language=en"]
    # Whoever goes back finds the way to the game.
    page.go_back()
    page.get_by_role("link", name="Back to your game").click()
    page.wait_for_selector(".game[data-phase=passing]")


@pytest.mark.long
def test_a_name_and_the_strength_of_bots_hold_for_friends_and_for_every_game(
    visit: Callable[..., Visitor], server: Server
) -> None:
    ann = visit(viewport={"width": 390, "height": 844})
    page = ann.page
    friends = page.get_by_role("button", name="Play with friends")
    friends.click()
    page.locator("#name:focus:invalid").wait_for()
    page.locator("#name").fill("Zoë")
    page.locator("#bots").select_option(label="Novice")
    boxes = [page.locator(each).bounding_box() for each in ("#play-with-friends", "#name", "#bots")]
    assert all(box is not None and box["y"] + box["height"] < 844 for box in boxes), "they are on the first screen"
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
def test_a_press_that_the_server_refuses_says_why(visit: Callable[..., Visitor]) -> None:
    ann = visit()
    page = ann.page
    page.route("**/api/tables*", lambda route: route.abort("connectionrefused"))
    page.get_by_role("button", name="Play now").click()
    page.get_by_role("alert").filter(has_text="The server cannot be reached.").wait_for()
    page.unroute_all()
    page.get_by_role("button", name="Play now").click()
    page.wait_for_selector(".game[data-phase=passing]")
