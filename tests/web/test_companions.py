"""What goes along with a table in Chromium: its keys, menus, settings, phrases, and what calls somebody back."""

from __future__ import annotations

import attrs
import pytest

from heartsrules import Rules
from heartsrules.rules import HOLD, Tie

pytest.importorskip("playwright.sync_api", reason="the tests in a browser need the package playwright")
from support.web_browser import DIMMED, Visit, Visitor, play_to_the_end, play_until, seated, sit_down

pytestmark = [pytest.mark.web, pytest.mark.long]

SHORT = Rules(max_deals=1, target=None, tie=Tie.SHARED)


@pytest.fixture
def friends(visit: Visit) -> tuple[Visitor, Visitor]:
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


def test_a_whole_deal_by_numbers_and_enter(visit: Visit) -> None:
    ann = visit(None)
    page = ann.page
    seated(ann, SHORT)
    page.evaluate("document.activeElement.blur()")
    hand = ann.hand
    chosen = page.locator(".hand .card[aria-pressed=true]")
    for key, places in (("1", [0]), ("3", [0, 2]), ("0", [0, 2, 9]), ("3", [0, 9]), ("3", [0, 2, 9])):
        page.keyboard.press(key)
        ann.wait_for_answer()
        now = [card.get_attribute("data-card") for card in chosen.all()]
        assert now == [hand[at] for at in places], "the numbers stay those of the same cards"
    page.keyboard.press("Enter")
    page.wait_for_selector(".game[data-phase=playing]")
    for _ in range(13):
        ann.wait_for_turn()
        ply = int(ann.state["ply"])
        page.keyboard.press("1")
        ann.wait_for_ply(ply + 1)
    assert not [message for message in ann.told if message["type"] == "refused"]


def test_tab_does_not_stop_at_a_dimmed_card_and_arrows_work_from_the_start(visit: Visit) -> None:
    ann = visit(None)
    page = ann.page
    seated(ann, attrs.evolve(SHORT, pass_cycle=(HOLD,)))
    play_until(ann, DIMMED)
    page.evaluate("document.activeElement.blur()")
    page.keyboard.press("ArrowRight")
    free = page.locator(".hand .card:not([aria-disabled])")
    at = "() => document.activeElement.dataset.card"
    for wanted in [*[each.get_attribute("data-card") for each in free.all()], None]:
        assert page.evaluate(at) == wanted
        page.keyboard.press("Tab")
    # Arrows lead to every card, where its reason is shown.
    free.first.focus()
    page.keyboard.press("Home")
    for _ in ann.hand:
        if page.locator(".dim .card:focus").count():
            break
        page.keyboard.press("ArrowRight")
    assert page.locator("#why").inner_text() != ""


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
    assert page.get_by_role("button", name="chosen; the others are still choosing").count() == 3
    raised, flat = [
        each.evaluate("(card) => card.getBoundingClientRect().top") for each in (committed.nth(2), cards.nth(3))
    ]
    assert raised < flat - 5
    bob.act()
    page.wait_for_selector(".game[data-phase=playing]")
    assert committed.count() == 0


def test_a_phrase_is_seen_and_heard_at_the_place_of_whoever_says_it(friends: tuple[Visitor, Visitor]) -> None:
    ann, bob = friends
    bob.page.evaluate(
        "() => { const wait = setTimeout; window.setTimeout = (end, ms) => wait((window.end = end), ms); }"
    )

    def say(visitor: Visitor, phrase: str) -> None:
        visitor.page.get_by_title("Say something").click()
        visitor.page.get_by_role("button", name=phrase).click()

    say(ann, "Well played!")
    bubble = bob.page.locator(".seat[data-seat='0'] .bubble")
    bubble.wait_for()
    assert bubble.inner_text() == "Well played!"
    heard = bob.page.get_by_role("status").filter(has_text="Ann:")
    assert heard.inner_text() == "Ann: Well played!"
    assert ann.page.evaluate("document.activeElement.title") == "Say something"
    bob.page.evaluate("window.end()")
    assert bubble.count() == 0
    # Whoever has muted the others is not told what they say, and says it still.
    bob.page.get_by_title("Settings").click()
    bob.page.get_by_label("Show what the others say").uncheck()
    say(ann, "Ouch!")
    ann.page.locator(".seat[data-seat='0'] .bubble", has_text="Ouch!").wait_for()
    say(bob, "Hello!")
    bob.page.locator(".seat[data-seat='1'] .bubble").wait_for()
    assert (bubble.count(), heard.count()) == (0, 0)


def test_the_link_of_a_game_is_in_its_bar(visit: Visit) -> None:
    ann = visit()
    page = ann.page
    page.get_by_role("button", name="Play now").click()
    ann.wait_for_turn()
    page.get_by_title("Invite others to this table").click()
    assert page.get_by_label("Link of this table").input_value() == page.url
    page.locator("#invite .sitting li", has_text="Bruno").get_by_text("steady").wait_for()
    page.keyboard.press("Escape")
    assert page.locator("#invite-menu:popover-open").count() == 0


SETTLED = """() => {
  const menu = document.querySelector("#preferences-menu").getBoundingClientRect();
  return menu.top >= 0 && menu.left >= 0 && menu.right <= innerWidth && menu.bottom <= innerHeight;
}"""


def test_the_settings_stay_in_the_window_and_are_kept(visit: Visit) -> None:
    ann = visit(None, painted=True)
    page = ann.page
    seated(ann, SHORT)
    for width, height in ((1440, 900), (390, 664), (360, 640), (640, 360)):
        page.set_viewport_size({"width": width, "height": height})
        page.get_by_title("Settings").click()
        assert page.evaluate(SETTLED)
        page.mouse.click(5, height - 5)
        assert page.locator("#preferences-menu:popover-open").count() == 0, "a press elsewhere closes it"
    page.get_by_title("Settings").click()
    page.get_by_label("Hand", exact=True).select_option("by rank")
    assert ann.hand == sorted(ann.hand, key=lambda card: "23456789TJQKA".index(card[0]))
    page.get_by_label("Suits").select_option("four colours")
    look = "(face) => getComputedStyle(face).color"
    colours = {card[1]: page.locator(f".hand [data-card='{card}'] .face").evaluate(look) for card in ann.hand}
    assert len(set(colours.values())) == len(colours)
    page.get_by_label("Speed").select_option("fast")
    page.reload()
    ann.wait_for_turn()
    assert page.get_by_label("Speed").input_value() == "fast"


HEARD = """
window.heard = [];
window.AudioContext = class { currentTime = 0; destination = {}; resume() {} };
const ramp = { linearRampToValueAtTime() {}, exponentialRampToValueAtTime() {} };
window.GainNode = class { gain = ramp; connect(to) { return to; } };
window.OscillatorNode = class {
  constructor(_, { frequency }) { window.heard.push(frequency); }
  connect() { return { connect() {} }; }
  start() {}
  stop() {}
};
"""


def test_forced_cards_are_played_and_sounds_are_heard_only_when_wanted(visit: Visit) -> None:
    ann = visit(None)
    page = ann.page
    page.add_init_script(HEARD)
    page.goto(ann.url)
    seated(ann, attrs.evolve(SHORT, pass_cycle=(HOLD,)))
    ann.act_and_see()
    ann.wait_for_turn()
    assert page.evaluate("window.heard") == []
    page.get_by_title("Settings").click()
    page.get_by_label("Play a forced card automatically").check()
    page.get_by_label("Sound: your turn").check()
    page.keyboard.press("Escape")
    assert page.evaluate("window.heard.splice(0)") != []
    forced = 0
    for _ in range(12):
        ann.wait_for_turn()
        assert page.title() == "Your turn – Hearts"
        ply = int(ann.state["ply"])
        if page.locator(".hand .card:not([aria-disabled])").count() == 1:
            forced += 1
        else:
            ann.act()
        ann.wait_for_ply(ply + 1)
    page.wait_for_selector(".game[data-phase=game-over]")
    assert forced > 0, "the last card is forced at least"
    assert {660, 233} <= set(page.evaluate("window.heard")), "somebody has played the queen of spades"
    assert page.title() == "Hearts"


def test_the_same_friends_play_again(friends: tuple[Visitor, Visitor]) -> None:
    ann, bob = friends
    play_to_the_end([ann, bob])
    ann.page.get_by_role("button", name="Play again with the same people").click()
    ann.page.wait_for_selector(".waiting, .game[data-phase=passing]")
    bob.page.get_by_role("button", name="Play on: the next table is open").click()
    ann.page.locator(".sitting li", has_text="Bob").wait_for()
