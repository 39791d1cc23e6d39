"""Makes the two pictures of the table that the documentation shows: run it with `tests` in the path."""

from __future__ import annotations

import tempfile
from pathlib import Path

from PIL import Image
from playwright.sync_api import sync_playwright

from heartsrules import Rules
from support.web_browser import CHROMIUM, FLAGS, Visitor, seated
from support.web_process import served

FOLDER = Path(__file__).resolve().parents[2] / "docs" / "how-to"
PICTURES = {"light": FOLDER / "web-table.png", "dark": FOLDER / "web-table-dark.png"}


def main() -> None:
    """Play to the middle of the fourth deal or later by a fixed seed, and take the pictures."""
    with tempfile.TemporaryDirectory() as directory, served(Path(directory)) as server, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, headless=True, args=FLAGS)
        context = browser.new_context(viewport={"width": 1280, "height": 800}, reduced_motion="reduce")
        visitor = Visitor(context.new_page(), context, server.url)
        visitor.page.goto(server.url)
        seated(visitor, Rules())
        while (
            visitor.page.locator(".sheet tbody tr").count() < 3
            or visitor.state["phase"] != "playing"
            or visitor.page.locator(".played svg").count() != 3
            or not 0 < visitor.page.locator(".hand .dim").count() < len(visitor.hand) < 10
        ):
            visitor.act_and_see()
            visitor.wait_for_turn()
        visitor.page.mouse.move(0, 0)
        visitor.page.locator(".hand .dim .card").first.hover(position={"x": 10, "y": 24})
        visitor.page.emulate_media(color_scheme="light", reduced_motion="reduce")
        visitor.page.screenshot(path=PICTURES["light"])
        visitor.page.emulate_media(color_scheme="dark", reduced_motion="reduce")
        visitor.page.screenshot(path=PICTURES["dark"])
        browser.close()
    for picture in PICTURES.values():
        Image.open(picture).convert("RGB").quantize(160).save(picture, optimize=True)


if __name__ == "__main__":
    main()
