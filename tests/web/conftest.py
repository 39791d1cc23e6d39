"""The browser, and the visitors of a server, for the tests in Chromium."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Literal

import pytest

if TYPE_CHECKING:
    from pathlib import Path

    from playwright.sync_api import Browser
    from starlette.testclient import TestClient

    from heartsrules.analysis import Assessment
    from heartsrules.apps.table.bots import HintQuestion
    from support.web_browser import Pages, Visit, Visitor
    from support.web_process import Nursery, Server


@pytest.fixture
def client(tmp_path: Path) -> Iterator[TestClient]:
    """A server in this process, with its database in `tmp_path`."""
    from support.web_player import server

    with server(tmp_path) as client:
        yield client


@pytest.fixture
def at_once(monkeypatch: pytest.MonkeyPatch) -> list[HintQuestion]:
    """Has hints thought out in this process, so that they always come at the same place; what was asked."""
    from heartsrules.apps.table.bots import assess_for
    from heartsrules.apps.table.thinkers import Thinkers

    asked: list[HintQuestion] = []

    async def assess(_: Thinkers, question: HintQuestion) -> Assessment:
        asked.append(question)
        return assess_for(question)

    monkeypatch.setattr(Thinkers, "assess", assess)
    return asked


@pytest.fixture(scope="session")
def nursery() -> Iterator[Nursery]:
    """What starts the servers of the tests in Chromium."""
    from support.web_process import nursery

    with nursery() as started:
        yield started


def as_long_as_possible(
    fixture_name: str,  # noqa: ARG001 - pytest gives both
    config: pytest.Config,
) -> Literal["module", "session"]:
    """The scope of the browser: that of a process which runs tests in a browser alone. Others must not find its event
    loop running, so there it ends with its module."""
    return "session" if config.option.markexpr.startswith("web") else "module"


@pytest.fixture(scope=as_long_as_possible)
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


@pytest.fixture(scope=as_long_as_possible)
def pages(browser: Browser) -> Pages:
    from support.web_browser import Pages

    return Pages(browser)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory, nursery: Nursery) -> Iterator[Server]:
    """The server of a file of tests, unless the file has one of its own."""
    from support.web_process import served

    with served(tmp_path_factory.mktemp("server"), nursery=nursery) as started:
        yield started


@pytest.fixture
def visit(pages: Pages, server: Server) -> Iterator[Visit]:
    """Makes visitors, each in a context of their own; at the end, that nothing went wrong on their pages."""
    from support.web_browser import Visitor

    visitors: list[tuple[Visitor, dict[str, Any]]] = []

    def make(path: str | None = "", url: str = server.url, painted: bool = False, **options: Any) -> Visitor:
        """A visitor who has followed a path; with None they have not gone anywhere yet."""
        given = {"painted": painted, "reduced_motion": "reduce", **options}
        page = pages.take(**given)
        visitor = Visitor(page, page.context, url)
        visitor.listen()
        visitors.append((visitor, given))
        if path is not None:
            page.goto(url + path)
        return visitor

    yield make
    complaints = [complaint for visitor, _ in visitors for complaint in visitor.complaints]
    for visitor, given in visitors:
        visitor.leave()
        pages.give_back(visitor.page, **given)
    assert complaints == []
