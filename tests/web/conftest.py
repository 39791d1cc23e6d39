"""The browser, and the visitors of a server, for the tests in Chromium. Each file of tests has its own `server`."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Browser

    from support.web_browser import Visitor
    from support.web_process import Server


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    # Playwright is missing where the tests in a browser do not run.
    from playwright.sync_api import sync_playwright

    from support.web_browser import CHROMIUM, FLAGS

    if CHROMIUM is None:
        pytest.skip("there is no Chromium: on Debian, apt-get install chromium")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, headless=True, args=FLAGS)
        yield browser
        browser.close()


@pytest.fixture
def visit(browser: Browser, server: Server) -> Iterator[Callable[..., Visitor]]:
    """Makes visitors, each in a context of their own; at the end, that nothing went wrong on their pages."""
    from support.web_browser import WATCHED, Visitor

    visitors: list[Visitor] = []

    def make(path: str = "", url: str = server.url, **options: Any) -> Visitor:
        options.setdefault("reduced_motion", "reduce")
        context = browser.new_context(**options)
        context.add_init_script(WATCHED)
        page = context.new_page()
        page.set_default_timeout(20_000)
        visitor = Visitor(page, context, url)
        visitor.listen()
        visitors.append(visitor)
        page.goto(url + path)
        return visitor

    yield make
    complaints = [complaint for visitor in visitors for complaint in visitor.complaints]
    for visitor in visitors:
        visitor.context.close()
    assert complaints == []
