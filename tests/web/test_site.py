"""The built documentation in Chromium: nothing is cut at the edge, and the search finds the laws.

HEARTSRULES_SITE names the folder of the built pages; `nox -s docs web` builds them first.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import pytest

from support.web_files import hosted_files

pytest.importorskip("playwright.sync_api", reason="the tests in a browser need the package playwright")
from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.web

WIDTHS: Final = (390, 820, 1440)
PAGES: Final = (
    *("index", "tutorial", "reference/laws", "reference/rules", "reference/disputes", "reference/protocol"),
    *("reference/api/rules", "how-to/keep-games", "how-to/serve-other-languages"),
    *("explanation/scope", "contributing/tests"),
)
"""Pages of every kind, among them those with the longest lines."""
CUT: Final = """() => {
  const cut = [...document.querySelectorAll("article pre, article .table-wrapper")].filter((block) =>
    block.scrollWidth > block.clientWidth && !["auto", "scroll"].includes(getComputedStyle(block).overflowX));
  const pushed = [...document.querySelectorAll("article pre")].filter((block) => block.scrollWidth > block.clientWidth);
  const text = (blocks) => blocks.map((block) => block.innerText.slice(0, 80));
  return { cut: text(cut), pushed: text(pushed), wider: document.documentElement.scrollWidth - innerWidth };
}"""


@pytest.fixture(scope="module")
def site() -> Path:
    built = os.environ.get("HEARTSRULES_SITE")
    if built is None:
        pytest.skip("HEARTSRULES_SITE does not say where the built documentation is: run nox -s docs web")
    return Path(built).resolve()


@pytest.fixture(scope="module")
def page(browser: Browser) -> Page:
    """One page, which goes from one place of the documentation to the next."""
    return browser.new_page()


@pytest.mark.sampled(3)
@pytest.mark.parametrize("name", PAGES)
def test_nothing_is_cut_at_the_edge(page: Page, site: Path, name: str) -> None:
    page.goto((site / f"{name}.html").as_uri())
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 900})
        seen: dict[str, Any] = page.evaluate(CUT)
        assert (seen["cut"], seen["wider"]) == ([], 0), width
        if width == max(WIDTHS):
            assert seen["pushed"] == [], "a line that must be pushed to be read"


@pytest.mark.parametrize(
    ("words", "wanted"),
    [
        ("queen of spades", {"reference/laws.html#the-queen-of-spades", "reference/rules.html"}),
        ("who leads", {"reference/laws.html", "reference/rules.html"}),
        ("moon", {"reference/rules.html#moon", "reference/disputes.html#the-moon"}),
        ("three players", {"reference/presets.html#for-three-players"}),
    ],
)
def test_a_search_lists_the_laws_first(page: Page, site: Path, words: str, wanted: set[str]) -> None:
    page.goto(f"{(site / 'search.html').as_uri()}?q={words.replace(' ', '+')}")
    page.locator(".search-summary", has_text="matching").wait_for()
    links = page.locator("ul.search > li > a").evaluate_all("all => all.map((each) => each.getAttribute('href'))")
    assert wanted <= {re.sub(r"\?[^#]*", "", link) for link in links[:5]}


@pytest.fixture
def served(site: Path) -> Iterator[str]:
    """The address of the site: what a search quotes is fetched, and files cannot be."""
    with hosted_files(site) as host:
        yield host.url.rstrip("/")


@pytest.mark.parametrize(
    ("words", "question", "answer"),
    [
        ("queen break hearts", "does-the-queen-of-spades-break-hearts", "No at most tables"),
        ("keep hand", "i-like-my-hand-may-i-keep-it", "No. Only where passing is optional"),
        ("revoked table", "a-player-revoked-at-our-table-what-now", "The offender pays"),
    ],
)
def test_a_search_quotes_the_answer(page: Page, served: str, words: str, question: str, answer: str) -> None:
    page.goto(f"{served}/search.html?q={words.replace(' ', '+')}")
    page.locator(".search-summary", has_text="matching").wait_for()
    result = page.locator("ul.search > li").filter(has=page.locator('a[href*="reference/disputes"]')).first
    result.locator("p.context").wait_for()
    text = result.locator("p.context").inner_text()
    assert answer in text
    assert ">>>" not in text
    assert (result.locator("a").first.get_attribute("href") or "").endswith(f"#{question}")


def test_a_dispute_fits_on_the_screen_of_a_phone(page: Page, site: Path) -> None:
    """From the question to the next one, with its proof closed."""
    page.set_viewport_size({"width": 390, "height": 664})
    page.goto((site / "reference/disputes.html").as_uri())
    questions = page.locator("article section > h3")
    assert questions.count() > 35
    for section in page.locator("article section:has(> h3)").all():
        if section.locator("table").count() == 0:
            box = section.bounding_box()
            assert box is not None
            assert box["height"] <= 664, section.locator("h3").inner_text()
    page.set_viewport_size({"width": 1440, "height": 900})


def test_a_picture_of_the_front_page_is_shown_by_day_and_one_by_night(browser: Browser, site: Path) -> None:
    for scheme, name in (("light", "web-table"), ("dark", "web-table-dark")):
        page = browser.new_page(color_scheme=scheme)  # type: ignore[arg-type]
        page.goto((site / "index.html").as_uri())
        shown = page.locator("article img:visible")
        assert [Path(src).stem for src in shown.evaluate_all("all => all.map((each) => each.src)")] == [name]
        assert shown.evaluate_all("all => all.map((each) => each.naturalWidth > 0)") == [True]
        page.close()
