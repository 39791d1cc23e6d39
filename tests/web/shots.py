"""Makes pictures of the browser table in every phase: run `shots.py FOLDER [WORD ...]` with `src:tests` in the path.

The page is shown each phase of each table, and pictured at three widths, in the light and in the dark. Words choose
tables or phases by their names.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from typing import Final

import attrs
from playwright.sync_api import Page, sync_playwright

from heartsrules import Rules, presets
from heartsrules.rules import Kitty, scatter
from support.web_browser import CHROMIUM, FLAGS
from support.web_phases import FED, phases
from support.web_player import MOONS
from support.web_process import served

SIZES: Final = {390: 844, 820: 1180, 1440: 900}

TABLES: Final = {
    "three": attrs.evolve(presets.cardstock(3), max_deals=3, target=None),
    "four": Rules(max_deals=4, target=None),
    "teams": attrs.evolve(presets.partner_hearts(), max_deals=2, target=None),
    "showing": attrs.evolve(presets.gong_zhu(4), max_deals=2, target=None),
    "five-kitty": Rules(players=5, kitty=Kitty.FIRST_TRICK, max_deals=2, target=None),
    "scatter": Rules(pass_cycle=(scatter(players=4),), max_deals=1, target=None),
    "eight": attrs.evolve(presets.dicegamedepot_cancellation(8), max_deals=2, target=None),
    "eleven": Rules(players=11, decks=2, kitty=Kitty.LAST_TRICK, max_deals=3, target=None),
    "moon": attrs.evolve(MOONS, max_deals=6),
}


def picture(page: Page, folder: Path, name: str) -> None:
    """Take the pictures of what a page shows now."""
    for width, height in SIZES.items():
        page.set_viewport_size({"width": width, "height": height})
        for scheme in ("light", "dark"):
            page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
            page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
            page.screenshot(path=folder / f"{name}-{width}-{scheme}.png", full_page=width == 390)


def main(folder: Path, words: list[str]) -> None:
    """Show each table in each of its phases."""
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as directory, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, headless=True, args=FLAGS)
        with served(Path(directory)) as server:
            page = browser.new_context(reduced_motion="reduce").new_page()
            page.add_init_script(FED)
            page.on("pageerror", lambda error: print("page error:", error))
            page.goto(server.url)
            for table, rules in TABLES.items():
                for shown in phases(rules):
                    name = f"{table}-{shown.name}"
                    if not words or any(word in name for word in words):
                        page.evaluate("(messages) => window.feed(messages)", shown.messages("microsoft", "en"))
                        picture(page, folder, name)
        browser.close()


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2:])
