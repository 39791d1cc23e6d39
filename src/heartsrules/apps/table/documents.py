"""Documents that stay the same while the server runs: the page, its files, and the choices in its forms."""

from __future__ import annotations

import functools
from hashlib import sha256
from importlib import resources
from pathlib import Path
from typing import Final

from heartsrules.base.extras import needs

with needs("web", "the browser table"):
    from starlette.datastructures import Headers
    from starlette.routing import Route
    from starlette.types import Receive, Scope, Send

from heartsrules.apps.static_document import StaticDocument
from heartsrules.messages import languages

BUNDLE: Final = resources.files("heartsrules.apps.table").joinpath("bundle")
"""The page's files, built from the sources in `static` by `nox -s generate`."""
_TYPES: Final = {
    ".js": "text/javascript",
    ".css": "text/css",
    ".svg": "image/svg+xml",
    ".png": "image/png",
    ".html": "text/html",
    ".webmanifest": "application/manifest+json",
}
_ALWAYS: Final = "public, max-age=31536000, immutable"


class _Page:
    """The page.

    Its head names the catalogue for the browser's preferred language, so that it loads along with the script. A page
    set to another language asks for that language's catalogue itself.
    """

    def __init__(self, page: bytes, folder: str) -> None:
        preload = '<link rel="modulepreload" href="{}{}.js"></head>'
        self._pages = {}
        for language in languages():
            own = page.replace(b"</head>", preload.format(folder, language).encode())
            self._pages[language] = StaticDocument(own, "text/html", vary="Accept-Encoding, Accept-Language")

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        preferred = Headers(scope=scope).get("accept-language", "")[:2].lower()
        await self._pages.get(preferred, self._pages["en"])(scope, receive, send)


@functools.cache
def page_version() -> str:
    """Return the page's version, a digest of its files."""
    files = {path.name: path.read_bytes() for path in BUNDLE.iterdir() if Path(path.name).suffix in _TYPES}
    return sha256(repr(sorted(files.items())).encode()).hexdigest()[:16]


@functools.cache
def page_routes() -> list[Route]:
    """Return the routes of the page and its files.

    The URLs of the files contain a digest of all files, so browsers can cache them forever.
    """
    paths = sorted(BUNDLE.iterdir(), key=lambda path: path.name)
    files = {path.name: path.read_bytes() for path in paths if Path(path.name).suffix in _TYPES}
    folder = f"/static/{page_version()}/"
    version = f'<meta name="hearts-version" content="{page_version()}"></head>'
    page = files.pop("index.html").replace(b"/static/", folder.encode()).replace(b"</head>", version.encode())
    # Its paths are relative to the page.
    manifest = files.pop("manifest.webmanifest").replace(b"static/", folder[1:].encode())
    documents = [
        Route(f"{folder}{name}", StaticDocument(body, _TYPES[Path(name).suffix], _ALWAYS), methods=["GET"])
        for name, body in files.items()
    ]
    kept = StaticDocument(manifest, _TYPES[".webmanifest"])
    return [
        Route("/", _Page(page, folder), methods=["GET"]),
        Route("/manifest.webmanifest", kept, methods=["GET"]),
        *documents,
    ]
