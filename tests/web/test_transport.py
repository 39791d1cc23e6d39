"""What the browser table sends over the network: few files, compressed, and cached where they stay the same."""

from __future__ import annotations

import gzip
import re
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from heartsrules import Rules
from heartsrules.apps.table.documents import page_routes
from support.bundle import PAGE
from support.icons import ICONS, source_digest
from support.web_player import TINY, SetClock, first_message, hosted, open_table, rules_document, server

if TYPE_CHECKING:
    from starlette.testclient import TestClient

    from support.web_browser import Visitor

MOST_FILES = 7
"""Limit of the requests for the first page: the page, two scripts, styles, words and icon, the choices."""
MOST_SCRIPT = 25_000
"""Limit of the compressed bytes of its scripts, without the words."""
MOST_BYTES = 75_000


def urls(client: TestClient) -> list[str]:
    """The URLs of all documents that stay the same."""
    page = client.get("/").text
    files = dict.fromkeys(re.findall(r'"(/[^"]+)"', page))
    (folder,) = {file.rpartition("/")[0] for file in files if file.startswith("/static/")}
    return ["/", *files, f"{folder}/en.js", f"{folder}/de.js"]


def test_what_stays_the_same_is_compressed_once_and_not_sent_again(tmp_path: Path) -> None:
    with server(tmp_path) as client:
        known = urls(client)
        for url in known:
            plain = client.get(url, headers={"Accept-Encoding": "identity"})
            assert "content-encoding" not in plain.headers
            with client.stream("GET", url, headers={"Accept-Encoding": "gzip"}) as packed:
                assert packed.headers["content-encoding"] == "gzip"
                assert packed.headers["vary"] == "Accept-Encoding, Accept-Language"
                assert gzip.decompress(b"".join(packed.iter_raw())) == plain.content
            etag = plain.headers["etag"]
            assert client.get(url, headers={"If-None-Match": f'"other", {etag}'}).status_code == 304
            assert client.get(url, headers={"If-None-Match": '"other"'}).status_code == 200
            assert plain.headers["cache-control"].endswith("immutable") == url.startswith("/static/")
            assert client.post(url).status_code == 405
    page_routes.cache_clear()
    with server(tmp_path) as client:
        assert urls(client) == known, "the URLs of another server are the same"


def test_a_phone_finds_icons_of_the_sizes_that_it_is_told(tmp_path: Path) -> None:
    with server(tmp_path) as client:
        page = client.get("/").text
        assert '<meta name="theme-color" content="#' in page
        manifest = client.get("/manifest.webmanifest")
        assert manifest.headers["content-type"] == "application/manifest+json"
        icons = {each["src"]: each["sizes"] for each in manifest.json()["icons"]}
        (touch,) = re.findall(r'rel="apple-touch-icon" href="([^"]+)"', page)
        icons[touch] = "180x180"
        answers = [client.get(url) for url in icons]
    assert [answer.status_code for answer in answers] == [200] * 4
    drawn = [answer.content for answer in answers if answer.headers["content-type"] == "image/png"]
    sizes = [f"{int.from_bytes(png[16:20])}x{int.from_bytes(png[20:24])}" for png in drawn]
    assert sizes == [size for size in icons.values() if size != "any"]
    assert sorted(drawn) == sorted((PAGE / name).read_bytes() for name in ICONS)
    stale = "the icon has changed: run python -m support.icons"
    assert all(source_digest() in png for png in drawn), stale


def test_answers_larger_than_a_kilobyte_are_compressed(tmp_path: Path) -> None:
    with server(tmp_path) as client:
        table, _ = open_table(client, Rules())
        told = client.get(f"/api/tables/{table}")
        checked = client.post("/api/rules", json=rules_document(Rules()))
        small = client.get("/api/tables/none")
    assert [answer.headers.get("content-encoding") for answer in (told, checked, small)] == ["gzip", "gzip", None]


@pytest.mark.web
@pytest.mark.long
@pytest.mark.parametrize("language", ["en", "de"])
def test_the_first_page_takes_few_requests_and_bytes(visit: Callable[..., Visitor], language: str) -> None:
    ann = visit(None, locale=language)
    network = ann.context.new_cdp_session(ann.page)
    asked: dict[str, str] = {}
    cached: set[str] = set()
    sizes: dict[str, int] = {}

    def answered(told: dict[str, Any]) -> None:
        if told["response"]["fromDiskCache"]:
            cached.add(told["requestId"])

    network.on("Network.requestWillBeSent", lambda told: asked.update({told["requestId"]: told["request"]["url"]}))
    network.on("Network.requestServedFromCache", lambda told: cached.add(told["requestId"]))
    network.on("Network.responseReceived", answered)
    network.on("Network.loadingFinished", lambda told: sizes.update({told["requestId"]: told["encodedDataLength"]}))
    network.send("Network.enable")

    def load() -> list[str]:
        """Load the page until a game can be begun: what was asked for over the network."""
        for known in (asked, cached, sizes):
            known.clear()
        ann.page.goto("about:blank")
        ann.page.goto(ann.url)
        ann.page.get_by_role("button", name=re.compile("Play now|Jetzt spielen")).wait_for()
        sent = [url.removeprefix(ann.url) for key, url in asked.items() if key not in cached and url != "about:blank"]
        return [url for url in sent if not url.startswith("api/rules")]

    first = load()
    assert len(first) <= MOST_FILES, first
    assert sum(sizes.values()) <= MOST_BYTES
    scripts = {url.rpartition("/")[2]: size for key, size in sizes.items() if (url := asked[key]).endswith(".js")}
    assert {name for name in scripts if not name.startswith("chunk-")} == {"main.js", f"{language}.js"}
    assert sum(scripts.values()) - scripts[f"{language}.js"] < MOST_SCRIPT
    assert load() == ["", "api/choices"], "the rest is cached"
    assert sum(sizes.values()) <= 5_000


def test_a_page_is_told_the_version_that_it_should_have(tmp_path: Path) -> None:
    with server(tmp_path) as client:
        version = first_message(client, *open_table(client, TINY))["version"]
        assert f'<meta name="hearts-version" content="{version}">' in client.get("/").text


def test_a_sign_of_life_is_answered_and_keeps_no_table_awake(tmp_path: Path) -> None:
    clock = SetClock()
    with server(tmp_path, clock) as client, hosted(client, TINY) as (_, _, ann):
        clock.advance(3599)
        ann.send({"type": "ping"})
        ann.until("pong")
        clock.advance(1)
        assert ann.until("refused")["code"] == "asleep"
