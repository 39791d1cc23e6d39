"""What the browser table sends over the network: few files, compressed, and cached where they stay the same."""

from __future__ import annotations

import gzip
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from heartsrules.apps.table.documents import page_routes
from support.bundle import PAGE
from support.icons import ICONS, source_digest
from support.web_player import TINY, first_message, open_table, server

if TYPE_CHECKING:
    from starlette.testclient import TestClient

    from support.web_browser import Visit

MOST_FILES, MOST_SCRIPT, MOST_BYTES = 7, 25_000, 75_000
"""Limits of the first page: its requests (the page, two scripts, styles, words and icon, the choices), and the
compressed bytes of its scripts without the words, and of all."""


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
                assert ("Accept-Language" in packed.headers["vary"]) == (url == "/")
                assert gzip.decompress(b"".join(packed.iter_raw())) == plain.content
            etag = plain.headers["etag"]
            assert client.get(url, headers={"If-None-Match": f'"other", {etag}'}).status_code == 304
            assert client.get(url, headers={"If-None-Match": '"other"'}).status_code == 200
            assert plain.headers["cache-control"].endswith("immutable") == url.startswith("/static/")
            assert client.post(url).status_code == 405
        # Answers larger than a kilobyte are compressed. A page is told the version that it should have.
        table, token = open_table(client, TINY)
        answers = [client.get(f"/api/tables/{name}") for name in (table, "none")]
        assert [answer.headers.get("content-encoding") for answer in answers] == ["gzip", None]
        version = first_message(client, table, token)["version"]
        assert f'<meta name="hearts-version" content="{version}">' in client.get("/").text
    page_routes.cache_clear()
    with server(tmp_path) as client:
        assert urls(client) == known, "the URLs of another server are the same"


def test_a_phone_finds_icons_of_the_sizes_that_it_is_told(client: TestClient) -> None:
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


@pytest.mark.web
@pytest.mark.long
@pytest.mark.parametrize("language", ["en", "de"])
def test_the_first_page_takes_few_requests_and_bytes(visit: Visit, language: str) -> None:
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
