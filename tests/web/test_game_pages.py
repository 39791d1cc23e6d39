"""The page to go through a game, in Chromium: keys, slider, buttons, small screens and dark ones."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

pytest.importorskip("playwright.sync_api", reason="the tests in a browser need the package playwright")
from playwright.sync_api import Browser, Page, expect

from heartsrules import presets
from heartsrules.pictures.viewer import game_page
from support.pictures import played

pytestmark = pytest.mark.web

GAME = played(presets.whisthub(), 9999)


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("viewer") / "game.html"
    path.write_text(game_page(GAME, names=("Ann", "Bob", "Cleo", "Dan")), encoding="utf-8")
    return path


def opened(browser: Browser, file: Path, **options: object) -> tuple[Page, list[str]]:
    page = browser.new_page(**options)  # type: ignore[arg-type]
    wrong: list[str] = []
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.on("console", lambda message: wrong.append(message.text))
    page.goto(file.as_uri())
    return page, wrong


def ply(page: Page) -> int:
    return int(page.locator("#slider").input_value())


def test_keys_slider_and_buttons_go_through_the_game(browser: Browser, file: Path) -> None:
    page, wrong = opened(browser, file)
    places = [ply(page)]
    keys = "ArrowRight ArrowRight ArrowLeft ArrowDown ArrowDown ArrowUp End ArrowRight Home"
    for key in keys.split():
        page.keyboard.press(key)
        places.append(ply(page))
    assert places == [1, 2, 3, 2, 5, 9, 5, 57, 57, 0]
    page.locator("#slider").fill("30")
    assert page.locator("#caption").inner_text().split()[1] == "plays"
    assert page.locator("#stage svg").get_attribute("aria-label") == "Hearts. Deal 1, trick 7"
    page.get_by_role("button", name="Next trick").click()
    assert ply(page) == 33
    page.get_by_role("button", name="Previous deal").click()
    assert ply(page) == 0
    page.locator("body").click(position={"x": 2, "y": 2})
    page.keyboard.press(" ")
    expect(page.locator("#slider")).to_have_value(re.compile("[2-9]"))
    page.get_by_role("button", name="Pause").click()
    assert page.get_by_role("button", name="Play", exact=True).count() == 1
    assert wrong == []


@pytest.mark.long
@pytest.mark.parametrize(("width", "height"), [(390, 664), (1440, 900)])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_nothing_is_cut(browser: Browser, file: Path, width: int, height: int, scheme: str) -> None:
    page, wrong = opened(browser, file, viewport={"width": width, "height": height}, color_scheme=scheme)
    for key in ("ArrowDown", "ArrowRight"):
        page.keyboard.press(key)
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        box = page.locator("footer").bounding_box()
        assert box is not None
        assert box["y"] + box["height"] <= height + 0.5
    ground = page.evaluate("getComputedStyle(document.querySelector('#stage svg > rect')).fill")
    assert ground == ("rgb(41, 99, 74)" if scheme == "light" else "rgb(23, 57, 43)")
    words = page.locator("#stage svg text").first.bounding_box()
    assert words is not None
    assert words["height"] >= 11
    assert wrong == []


@pytest.mark.long
def test_the_frame_of_a_notebook_runs_it(browser: Browser, tmp_path: Path) -> None:
    outer = tmp_path / "notebook.html"
    outer.write_text(f"<!doctype html>{game_page(GAME)._repr_html_()}", encoding="utf-8")
    page, wrong = opened(browser, outer)
    inside = page.frame_locator("iframe")
    inside.get_by_role("button", name="Next move").click()
    assert inside.locator("#caption").inner_text() == "Seat 0 has chosen cards to pass."
    assert wrong == []
