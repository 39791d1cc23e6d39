"""Make pictures of the browser table: run `shots.py [FOLDER [WORD ...]]` with `src:tests` in the path.

Without a folder, make the two of the documentation. With one, show the page each phase of each table, or of those whose
names have one of the words, at three widths, light and dark.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from typing import Final

import attrs
from PIL import Image
from playwright.sync_api import Browser, sync_playwright

from heartsrules import Rules, presets
from heartsrules.rules import Kitty
from support.web_browser import CHROMIUM, FLAGS, Visitor, seated
from support.web_phases import FED, phases
from support.web_player import MOONS
from support.web_process import served

DOCS: Final = Path(__file__).resolve().parents[2] / "docs" / "how-to"
DOCUMENTED: Final = {"light": DOCS / "web-table.png", "dark": DOCS / "web-table-dark.png"}
SIZES: Final = {390: 844, 820: 1180, 1440: 900}

TABLES: Final = {
    "four": Rules(max_deals=4, target=None),
    "teams": attrs.evolve(presets.partner_hearts(), max_deals=2, target=None),
    "showing": attrs.evolve(presets.gong_zhu(4), max_deals=2, target=None),
    "five-kitty": Rules(players=5, kitty=Kitty.FIRST_TRICK, max_deals=2, target=None),
    "eight": attrs.evolve(presets.dicegamedepot_cancellation(8), max_deals=2, target=None),
    "eleven": Rules(players=11, decks=2, kitty=Kitty.LAST_TRICK, max_deals=3, target=None),
    "moon": attrs.evolve(MOONS, max_deals=6),
}


def document(browser: Browser, url: str) -> None:
    """Play to the middle of the fourth deal or later by a fixed seed, and take the pictures of the documentation."""
    context = browser.new_context(viewport={"width": 1280, "height": 800}, reduced_motion="reduce")
    visitor = Visitor(context.new_page(), context, url)
    page = visitor.page
    page.goto(url)
    seated(visitor, Rules())
    while (
        page.locator(".sheet tbody tr").count() < 3
        or visitor.state["phase"] != "playing"
        or page.locator(".played svg").count() != 3
        or not 0 < page.locator(".hand .dim").count() < len(visitor.hand) < 10
    ):
        visitor.act_and_see()
        visitor.wait_for_turn()
    page.mouse.move(0, 0)
    page.locator(".hand .dim .card").first.hover(position={"x": 10, "y": 24})
    for scheme, path in DOCUMENTED.items():
        page.emulate_media(color_scheme=scheme, reduced_motion="reduce")  # type: ignore[arg-type]
        page.screenshot(path=path)
        Image.open(path).convert("RGB").quantize(160).save(path, optimize=True)


def picture_all(browser: Browser, url: str, folder: Path, words: list[str]) -> None:
    """Show each table in each of its phases."""
    folder.mkdir(parents=True, exist_ok=True)
    page = browser.new_context(reduced_motion="reduce").new_page()
    page.add_init_script(FED)
    page.on("pageerror", lambda error: print("page error:", error))
    page.goto(url)
    for name, shown in [(f"{table}-{shown.name}", shown) for table, rules in TABLES.items() for shown in phases(rules)]:
        if words and not any(word in name for word in words):
            continue
        page.evaluate("(messages) => window.feed(messages)", shown.messages("microsoft", "en"))
        for width, height in SIZES.items():
            page.set_viewport_size({"width": width, "height": height})
            for scheme in ("light", "dark"):
                page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
                page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
                page.screenshot(path=folder / f"{name}-{width}-{scheme}.png", full_page=width == 390)


if __name__ == "__main__":
    given = sys.argv[1:]
    with tempfile.TemporaryDirectory() as directory, served(Path(directory)) as server, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, headless=True, args=FLAGS)
        if given:
            picture_all(browser, server.url, Path(given[0]), given[1:])
        else:
            document(browser, server.url)
        browser.close()
