"""Reviews and drills in Chromium: what a mistake was, and what is the best move, at every size of the window."""

from __future__ import annotations

import functools
import re

import msgspec
import pytest

from heartsrules.apps.table.answering import drill_answer
from heartsrules.apps.table.messages import encoded
from support.web_player import TINY
from support.web_process import Server

pytest.importorskip("playwright.sync_api", reason="the tests in a browser need the package playwright")
from playwright.sync_api import Browser, Page, Route

from support.web_browser import UNPAINTED, Visit, play_to_the_end, seated
from support.web_window import SEEN, SIZES

pytestmark = pytest.mark.web


def test_a_drill_says_what_each_card_costs(visit: Visit) -> None:
    ann = visit()
    page = ann.page
    page.evaluate("localStorage.setItem('hearts-theme', 'queen')")
    page.get_by_role("link", name="Practise").click()
    page.wait_for_selector(".game[data-mine=true]")
    assert page.locator(".piles li").count() == 4
    assert page.locator(".sheet tbody").is_visible()
    page.locator(".hand .card:not([aria-disabled])").first.press("Enter")
    page.wait_for_selector("#next-drill")
    assert page.locator("#prompt").inner_text().startswith(("Right: ", "Wrong: "))
    legal = page.locator(".hand .free .card").count()
    assert page.locator(".hand .tag").count() == legal
    # The next one is a press of the same key away.
    page.keyboard.press("Enter")
    page.wait_for_selector(".game[data-mine=true]:not(:has(.tag))")
    assert page.locator("#skip-drill").count() == 1


def test_after_a_match_every_decision_is_shown_as_it_was(visit: Visit) -> None:
    ann = visit(None, viewport={"width": 1440, "height": 900})
    page = ann.page
    seated(ann, TINY)
    play_to_the_end([ann])
    page.locator("#review").click()
    page.wait_for_selector(".review:not(:has(.coming:not(:empty))) .move")
    decisions = [told for told in ann.told if told["type"] == "decision"]
    assert page.locator(".move").count() == len(decisions) > 0
    page.locator(".move").first.click()
    assert ann.hand == decisions[0]["view"]["hand"].split()
    tags = page.locator(".hand .tag").count()
    made, best = [decisions[0]["decision"][name] for name in ("move", "best")]
    assert tags == len({made["card"], best[0]["card"]})
    assert page.locator("#review-play").get_attribute("href").startswith("#position=hearts")  # type: ignore[union-attr]
    assert page.locator(".parts tr").count() == 5
    assert page.evaluate("JSON.parse(localStorage.getItem('hearts-tally-matches')).count") == 1
    # Going back closes the review, and leaves nobody's table.
    page.go_back()
    page.wait_for_selector("#winner")
    page.go_forward()
    page.locator("#review-back").click()
    page.wait_for_selector("#winner")


def with_number(number: int, route: Route) -> None:
    route.continue_(url=re.sub(r"\bnumber=\d+", f"number={number}", route.request.url))


@pytest.mark.long
@pytest.mark.parametrize("language", ["en", "de"])
def test_drills_are_in_the_window_whatever_its_size(browser: Browser, server: Server, language: str) -> None:
    context = browser.new_context(locale=language, reduced_motion="reduce")
    context.add_init_script(UNPAINTED)
    page = context.new_page()
    page.goto(server.url)
    found: list[str] = []
    for theme in ("passing", "queen", "leading"):
        number, answer = wordiest(theme, language)
        page.route("**/api/drills?*", functools.partial(with_number, number))
        page.evaluate(f"localStorage.setItem('hearts-theme', '{theme}')")
        page.goto(server.url)
        page.locator("#drills").click()
        page.wait_for_selector("#skip-drill")
        found += outside(page, f"{theme}, asked")
        page.locator(answer).press("Enter")
        page.wait_for_selector("#next-drill")
        found += outside(page, f"{theme}, answered")
        page.unroute_all()
    context.close()
    assert found == []


def wordiest(theme: str, language: str) -> tuple[int, str]:
    """The number of the drill of a theme of which most is said once it is answered, and the selector of the answer."""
    count = drill_answer(theme, "0", language).count
    told = [encoded(drill_answer(theme, str(number), language).drill) for number in range(count)]
    drills = [msgspec.json.decode(each)["choices"] for each in told]
    number, choice = max(
        [(number, choice) for number, choices in enumerate(drills) for choice in choices],
        key=lambda each: len(each[1]["reason"]) + len(each[1]["costs"]) * (each[1]["quality"] != "best"),
    )
    move = choice["move"]
    if "card" in move:
        return number, f".hand [data-card='{move['card']}']"
    # The page has the passes in the order of their cards.
    place = sorted([each["move"]["cards"] for each in drills[number]]).index(move["cards"])
    return number, f".choice >> nth={place}"


def outside(page: Page, name: str) -> list[str]:
    """What breaks the law of the window at any size."""
    found: list[str] = []
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
        found += [f"{name}, {width}x{height}: {problem}" for problem in page.evaluate(SEEN)]
    return found
