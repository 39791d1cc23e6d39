"""What goes along with a table in Chromium: its keys, menus, settings, phrases, and what calls somebody back."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import attrs
import pytest

from heartsrules import Rules
from heartsrules.rules import HOLD, Tie

pytest.importorskip("playwright.sync_api", reason="the tests in a browser need the package playwright")
pytest.importorskip("axe_playwright_python", reason="they need axe-playwright-python too")
from axe_playwright_python.sync_playwright import Axe

from support.web_browser import DIMMED, Visitor, play_to_the_end, play_until, seated, sit_down

pytestmark = [pytest.mark.web, pytest.mark.long]

SHORT = Rules(max_deals=1, target=None, tie=Tie.SHARED)


@pytest.fixture
def friends(visit: Callable[..., Visitor]) -> tuple[Visitor, Visitor]:
    """Ann and Bob at a table that passes cards, with two bots."""
    ann, bob = visit(None), visit(None)
    table = seated(ann, SHORT, begin=False)
    bob.page.goto(f"{ann.url}#t/{table}")
    sit_down(bob)
    ann.page.locator(".sitting li", has_text="Bob").wait_for()
    ann.page.get_by_role("button", name="Begin").click()
    for visitor in (ann, bob):
        visitor.wait_for_turn()
    return ann, bob


def test_a_whole_deal_by_numbers_and_enter(visit: Callable[..., Visitor]) -> None:
    ann = visit(None)
    page = ann.page
    seated(ann, SHORT)
    page.evaluate("document.activeElement.blur()")
    hand = ann.hand
    for key in "130":
        page.keyboard.press(key)
        ann.wait_for_answer()
    chosen = page.locator(".hand .card[aria-pressed=true]")
    assert [card.get_attribute("data-card") for card in chosen.all()] == [hand[0], hand[2], hand[9]]
    page.keyboard.press("3")
    ann.wait_for_answer()
    assert chosen.count() == 2, "the numbers stay those of the same cards"
    page.keyboard.press("3")
    ann.wait_for_answer()
    page.keyboard.press("Enter")
    page.wait_for_selector(".game[data-phase=playing]")
    while ann.state["phase"] == "playing":
        page.wait_for_selector(".game:is([data-mine=true], [data-phase=game-over])")
        if ann.state["phase"] == "game-over":
            break
        ply = int(ann.state["ply"])
        page.keyboard.press("1")
        ann.wait_for_ply(ply + 1)
    assert not [message for message in ann.told if message["type"] == "refused"]


def test_tab_does_not_stop_at_a_dimmed_card_and_arrows_work_from_the_start(visit: Callable[..., Visitor]) -> None:
    ann = visit(None)
    page = ann.page
    seated(ann, attrs.evolve(SHORT, pass_cycle=(HOLD,)))
    play_until(ann, DIMMED)
    page.evaluate("document.activeElement.blur()")
    page.keyboard.press("ArrowRight")
    free = page.locator(".hand .card:not([aria-disabled])")
    at = "() => document.activeElement.dataset.card"
    assert page.evaluate(at) == free.first.get_attribute("data-card")
    seen = [page.evaluate(at)]
    page.keyboard.press("Tab")
    while (card := page.evaluate(at)) is not None:
        seen.append(card)
        page.keyboard.press("Tab")
    assert seen == [each.get_attribute("data-card") for each in free.all()]
    # Arrows lead to every card, where its reason is shown; a letter leads to a rank.
    free.first.focus()
    page.keyboard.press("Home")
    while not page.evaluate("() => document.activeElement.matches('.dim .card')"):
        page.keyboard.press("ArrowRight")
    assert page.locator("#why").inner_text() != ""
    card = free.last.get_attribute("data-card") or ""
    if card[0] in "AKQJT":
        page.keyboard.press(card[0].lower())
        assert page.evaluate(at)[0] == card[0]


def test_a_confirmed_pass_stays_raised_until_the_others_have_passed(friends: tuple[Visitor, Visitor]) -> None:
    ann, bob = friends
    page = ann.page
    cards = page.locator(".hand .card")
    for at in range(3):
        ann.press(cards.nth(at))
        ann.wait_for_answer()
    passed = ann.hand[:3]
    page.locator("#pass").click()
    committed = page.locator(".hand .committed .card")
    committed.nth(2).wait_for()
    assert [card.get_attribute("data-card") for card in committed.all()] == passed
    assert page.get_by_role("button", name="chosen, the others still choose").count() == 3
    box, flat = committed.nth(2).bounding_box(), cards.nth(3).bounding_box()
    assert box is not None
    assert flat is not None
    assert box["y"] < flat["y"] - 5
    bob.act()
    page.wait_for_selector(".game[data-phase=playing]")
    assert committed.count() == 0


def test_a_phrase_is_seen_and_heard_at_the_place_of_whoever_says_it(friends: tuple[Visitor, Visitor]) -> None:
    ann, bob = friends
    bob.page.evaluate(
        "() => { const wait = setTimeout; window.setTimeout = (end, ms) => wait((window.end = end), ms); }"
    )
    say = ann.page.get_by_title("Say something")
    say.click()
    ann.page.get_by_role("button", name="Well played!").click()
    bubble = bob.page.locator(".seat[data-seat='0'] .bubble")
    bubble.wait_for()
    assert bubble.inner_text() == "Well played!"
    heard = bob.page.get_by_role("status").filter(has_text="Ann:")
    assert heard.inner_text() == "Ann: Well played!"
    assert ann.page.evaluate("document.activeElement.tagName") == "SUMMARY"
    bob.page.evaluate("window.end()")
    assert bubble.count() == 0

    # Whoever has muted the others is not told what they say, and says it still.
    bob.page.get_by_title("Settings").click()
    bob.page.get_by_label("Show what the others say").uncheck()
    say.click()
    ann.page.get_by_role("button", name="Ouch!").click()
    ann.page.locator(".seat[data-seat='0'] .bubble", has_text="Ouch!").wait_for()
    bob.page.get_by_title("Say something").click()
    bob.page.get_by_role("button", name="Hello!").click()
    bob.page.locator(".seat[data-seat='1'] .bubble").wait_for()
    assert bubble.count() == 0
    assert heard.count() == 0
    bob.page.get_by_title("Settings").click()
    bob.page.get_by_label("Show what the others say").check()


def test_whoever_opens_the_link_of_a_game_takes_the_seat_of_a_bot(visit: Callable[..., Visitor]) -> None:
    ann, bob = visit(), visit(None)
    page = ann.page
    page.get_by_role("button", name="Play now").click()
    ann.wait_for_turn()
    before = ann.hand
    page.get_by_title("Invite others to this table").click()
    link = page.get_by_label("Link of this table").input_value()
    page.locator("#invite .sitting li", has_text="Bruno").get_by_text("steady").wait_for()
    page.keyboard.press("Escape")
    assert page.locator("#invite[open]").count() == 0
    bob.page.goto(link)
    sit_down(bob)
    # No card has been played: they start together, though both are at one address here.
    bob.wait_for_turn()
    page.locator(".seat[data-seat='1'] .name", has_text="Bob").wait_for()
    shown = "[...document.querySelectorAll('.hand .card')].map((each) => each.dataset.card).join()"
    page.wait_for_function(f"(before) => {shown} !== before", arg=",".join(before))
    assert len(bob.hand) == 13


SETTLED = """() => {
  const menu = document.querySelector("#settings-menu .menu").getBoundingClientRect();
  return menu.top >= 0 && menu.left >= 0 && menu.right <= innerWidth && menu.bottom <= innerHeight;
}"""


def test_the_settings_stay_in_the_window_and_are_kept(visit: Callable[..., Visitor]) -> None:
    ann = visit(None, painted=True)
    page = ann.page
    seated(ann, SHORT)
    for width, height in ((1440, 900), (390, 664), (360, 640), (640, 360)):
        page.set_viewport_size({"width": width, "height": height})
        page.get_by_title("Settings").click()
        assert page.evaluate(SETTLED)
        page.mouse.click(5, height - 5)
        assert page.locator("#settings-menu[open]").count() == 0, "a press elsewhere closes it"
    page.get_by_title("Settings").click()
    found = Axe().run(page, options={"resultTypes": ["violations"]}).response["violations"]
    assert [(each["id"], [node["html"][:200] for node in each["nodes"]]) for each in found] == []
    page.get_by_label("Hand", exact=True).select_option("by rank")
    ranks = ["23456789TJQKA".index(card[0]) for card in ann.hand]
    assert ranks == sorted(ranks)
    page.get_by_label("Suits").select_option("four colours")
    look = "(face) => getComputedStyle(face).color"
    colours = {card[1]: page.locator(f".hand [data-card='{card}'] .face").evaluate(look) for card in ann.hand}
    assert len(set(colours.values())) == len(colours)
    page.get_by_label("Speed").select_option("fast")
    page.reload()
    ann.wait_for_turn()
    assert page.get_by_label("Speed").input_value() == "fast"
    assert page.locator("html[data-four-colours]").count() == 1


HEARD = """
window.heard = [];
window.AudioContext = class {
  currentTime = 0; destination = {};
  resume() {}
};
window.GainNode = class { gain = { linearRampToValueAtTime() {}, exponentialRampToValueAtTime() {} }; connect(to) { return to; } };
window.OscillatorNode = class { constructor(_, { frequency }) { window.heard.push(frequency); } connect(to) { return { connect() {} }; } start() {} stop() {} };
"""  # noqa: E501


def test_forced_cards_are_played_and_sounds_are_heard_only_when_wanted(visit: Callable[..., Visitor]) -> None:
    ann = visit(None)
    page = ann.page
    page.add_init_script(HEARD)
    page.goto(ann.url)
    seated(ann, attrs.evolve(SHORT, pass_cycle=(HOLD,)))
    ann.act_and_see()
    ann.wait_for_turn()
    assert page.evaluate("window.heard") == []
    page.get_by_title("Settings").click()
    page.get_by_label("Play the only possible card by itself").check()
    page.get_by_label("Sound: your turn").check()
    page.keyboard.press("Escape")
    assert page.evaluate("window.heard") != []
    page.evaluate("window.heard.length = 0")
    forced = 0
    while ann.state["phase"] == "playing":
        page.wait_for_selector(".game:is([data-mine=true], [data-phase=game-over])")
        if ann.state["phase"] == "game-over":
            break
        assert page.title() == "Your turn – Hearts"
        ply = int(ann.state["ply"])
        if page.locator(".hand .card:not([aria-disabled])").count() == 1:
            forced += 1
        else:
            ann.act()
        ann.wait_for_ply(ply + 1)
    assert forced > 0, "the last card is forced at least"
    heard: list[Any] = page.evaluate("window.heard")
    assert 660 in heard
    assert 233 in heard, "somebody has played the queen of spades"
    assert page.title() == "Hearts"


def test_the_same_friends_play_again(friends: tuple[Visitor, Visitor]) -> None:
    ann, bob = friends
    play_to_the_end([ann, bob])
    ann.page.get_by_role("button", name="Play again with the same people").click()
    ann.page.wait_for_selector(".waiting, .game[data-phase=passing]")
    bob.page.get_by_role("button", name="Play on: the next table is open").click()
    ann.page.locator(".sitting li", has_text="Bob").wait_for()
