"""`python -m support.icons`: draws the icons of the page as PNG, of its icon as SVG; needs Chromium.

Each has the digest of the SVG, by which a test knows whether it is fresh.
"""

from __future__ import annotations

import hashlib
import zlib
from typing import Final

from support.bundle import PAGE

__all__ = ["ICONS", "SOURCE", "mark", "source_digest"]

SOURCE: Final = PAGE / "icon.svg"
ICONS: Final = {"apple-touch-icon.png": 180, "icon-192.png": 192, "icon-512.png": 512}
"""The sizes of the icons in pixels, by file."""
_END: Final = 12
"""The bytes of the last chunk of a PNG."""
_PAGE: Final = (
    "<style>body {{ margin: 0; background: #14603a; display: grid; place-items: center; height: 100vh; }}"
    " svg {{ width: 62vw; }}</style>{}"
)
"""The heart upon the felt: a phone cuts what is at the edge, and shows what is transparent as black."""


def source_digest() -> bytes:
    """The digest of the SVG."""
    return hashlib.sha256(SOURCE.read_bytes()).hexdigest().encode()


def mark(png: bytes) -> bytes:
    """A PNG with the digest of its source as a text chunk."""
    chunk = b"tEXtSource\0" + source_digest()
    text = (len(chunk) - 4).to_bytes(4) + chunk + zlib.crc32(chunk).to_bytes(4)
    return png[:-_END] + text + png[-_END:]


def _main() -> None:
    from playwright.sync_api import sync_playwright

    from support.web_browser import CHROMIUM, FLAGS

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        for name, size in ICONS.items():
            page = browser.new_page(viewport={"width": size, "height": size})
            page.set_content(_PAGE.format(SOURCE.read_text("utf-8")))
            (PAGE / name).write_bytes(mark(page.screenshot()))
        browser.close()


if __name__ == "__main__":
    _main()
