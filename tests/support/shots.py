"""Pictures of the browser table in every phase: `python -m support.shots FOLDER [WORD ...]`, with `src:tests` in the
path.

Each table is played to a phase once; then the page is pictured at three widths, in the light and in the dark. Words
choose tables or phases by their names.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Final

import attrs
from playwright.sync_api import sync_playwright

from heartsrules import Rules, presets
from heartsrules.rules import HOLD, Kitty, Moon, MoonCards, OpeningCard, OpeningLeader, scatter
from support.web_browser import CHROMIUM, FLAGS, Visitor, seated
from support.web_process import served

HELD: Final = """
window.held = null;
const deliver = (event, listener) => {
  if (window.held) { window.held.push(() => deliver(event, listener)); return; }
  listener(event);
  const { view } = JSON.parse(event.data);
  if (view?.phase === "awaiting-deal" && view.last_deal) window.held = [];
};
window.WebSocket = class extends WebSocket {
  set onmessage(listener) { super.onmessage = (event) => deliver(event, listener); }
};
window.release = () => { const held = window.held ?? []; window.held = null; held.forEach((each) => each()); };
"""
"""What is put into the page: when a deal has ended, the page is told nothing more until it is released."""

DRAWN: Final = "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"
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
    "moon": Rules(
        players=3,
        hand_size=2,
        kitty=Kitty.LAST_TRICK,
        opening_leader=OpeningLeader.DEALER_LEFT,
        opening_card=OpeningCard.ANY,
        heart_values=(0,) * 13,
        moon=Moon.CHOICE,
        moon_cards=MoonCards.ALL,
        pass_cycle=(HOLD,),
        max_deals=6,
        target=None,
    ),
}


def _at(phase: str) -> Callable[[Visitor], bool]:
    return lambda visitor: visitor.state["phase"] == phase and visitor.state["mine"] == "true"


def _mid_trick(visitor: Visitor) -> bool:
    page = visitor.page
    return (
        _at("playing")(visitor)
        and page.locator(".played svg").count() > 0
        and page.locator(".hand .dim").count() > 0
        and page.locator(".chip").count() > 0
        and page.locator(".board.over").count() == 0
    )


PHASES: Final[dict[str, Callable[[Visitor], bool]]] = {
    "passing": _at("passing"),
    "exposing": _at("exposing"),
    "playing": _mid_trick,
    "moon": _at("choosing-moon"),
    "deal-end": lambda visitor: visitor.state["phase"] == "awaiting-deal",
    "over": lambda visitor: visitor.state["phase"] == "game-over",
}


def picture(visitor: Visitor, folder: Path, name: str) -> None:
    """Take the pictures of what a page shows now."""
    for width, height in SIZES.items():
        visitor.page.set_viewport_size({"width": width, "height": height})
        for scheme in ("light", "dark"):
            visitor.page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
            visitor.page.mouse.move(0, 0)
            visitor.page.evaluate(
                "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"
            )
            visitor.page.screenshot(path=folder / f"{name}-{width}-{scheme}.png", full_page=width == 390)


def main(folder: Path, words: list[str]) -> None:
    """Play each table through its phases."""
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as directory, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, headless=True, args=FLAGS)
        with served(Path(directory), "--pace", "0.02") as server:
            for table, rules in TABLES.items():
                wanted = {f"{table}-{phase}": test for phase, test in PHASES.items()}
                if words:
                    wanted = {name: test for name, test in wanted.items() if any(word in name for word in words)}
                if not wanted:
                    continue
                context = browser.new_context(viewport={"width": 1280, "height": 900}, reduced_motion="reduce")
                visitor = Visitor(context.new_page(), context, server.url)
                visitor.page.add_init_script(HELD)
                visitor.page.on("pageerror", lambda error: print("page error:", error))
                visitor.page.on("console", lambda said: print("console:", said.text) if said.type == "error" else None)
                visitor.page.goto(server.url)
                seated(visitor, rules)
                over = False
                while wanted and not over:
                    over = visitor.state["phase"] == "game-over"
                    for name in [name for name, test in wanted.items() if test(visitor)]:
                        picture(visitor, folder, name)
                        del wanted[name]
                        visitor.page.set_viewport_size({"width": 1280, "height": 900})
                    if visitor.state["phase"] == "awaiting-deal":
                        visitor.page.evaluate("window.release()")
                    elif not over:
                        visitor.act_and_see()
                    ready = "[data-mine=true], [data-phase=game-over], [data-phase=awaiting-deal]"
                    visitor.page.wait_for_selector(f".game:is({ready})")
                context.close()
        browser.close()


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2:])
