"""A visitor of the browser table: a page in Chromium, what was sent to it, and what it shows."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from typing import Any, TypeAlias

import attrs
from playwright.sync_api import Browser, BrowserContext, Error, Locator, Page

from heartsrules import Rules
from support.web_player import rules_document

CHROMIUM = shutil.which("chromium")
FLAGS = [
    *("--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync"),
    *("--disable-background-networking", "--disable-component-update"),
]
WATCHED = """
window.sockets = [];
window.WebSocket = class extends WebSocket {
  constructor(...given) { super(...given); window.sockets.push(this); }
};
window.animated = 0;
const animate = Element.prototype.animate;
Element.prototype.animate = function (...given) { window.animated += 1; return animate.apply(this, given); };
"""
"""What is put into each page: its sockets can be broken, and its animations counted."""
UNPAINTED = """
addEventListener("DOMContentLoaded", () => { document.documentElement.style.opacity = "0"; });
"""
"""Put into a page whose pixels nobody looks at: it is laid out as ever, but nothing is drawn, which would be a third of
the work. Axe does not judge what cannot be seen."""
PLAYS = """(seconds) => {
  const game = document.querySelector(".game");
  const free = () => [...document.querySelectorAll(".hand .card:not([aria-disabled]):not([aria-pressed=true])")];
  const press = (selector) => document.querySelector(selector).click();
  let done = null;
  const act = () => {
    const { phase, ply, mine } = game.dataset;
    if (phase === "game-over" || (UNTIL)) return true;
    if (mine !== "true") done = null;
    // While others pass or show cards, moves are made, but what was asked of this seat stays the same.
    const asked = ["passing", "exposing"].includes(phase) ? phase : `${phase} ${ply}`;
    if (mine !== "true" || done === asked) return false;
    if (phase === "passing") {
      if (document.querySelector(".hand[data-asking]")) return false;
      if (document.querySelector("#pass[aria-disabled]")) {
        free()[0].click();
        return false;
      }
    }
    done = asked;
    if (phase === "playing") free()[0].click();
    else if (phase === "passing") press("#pass");
    else if (phase === "exposing") {
      free().forEach((card) => card.click());
      press("#show");
    } else press("#others-up");
    return false;
  };
  window.over = new Promise((end, fail) => {
    const late = setTimeout(() => fail(new Error("the match does not come to its end")), 1000 * seconds);
    const watch = new MutationObserver(() => look());
    const look = () => {
      if (!act()) return;
      watch.disconnect();
      clearTimeout(late);
      end(true);
    };
    const attributeFilter = ["data-ply", "data-phase", "data-mine", "data-asking"];
    watch.observe(game, { subtree: true, attributes: true, attributeFilter });
    look();
  });
}"""
"""Has a page play by itself, always the first that is allowed, to the end of the match or until `UNTIL`, for which a
condition is put: `window.over`."""
DIMMED = "phase === 'playing' && mine === 'true' && document.querySelector('.hand .dim')"
"""Condition: this seat is to play, and may not play every card."""


@attrs.define
class Pages:
    """Pages in contexts of their own, which serve one visitor after the other. For a new one Chromium starts three
    processes, which is more work than most visitors make."""

    browser: Browser
    left: dict[str, list[Page]] = attrs.Factory(dict)

    def take(self, painted: bool, **options: Any) -> Page:
        """A page that nobody uses. What is painted is always new: axe tries it in other colours."""
        left = self.left.get(json.dumps(options), [])
        if left and not painted:
            return left.pop()
        context = self.browser.new_context(**options)
        context.add_init_script(WATCHED if painted else WATCHED + UNPAINTED)
        page = context.new_page()
        page.set_default_timeout(20_000)
        return page

    def give_back(self, page: Page, painted: bool, **options: Any) -> None:
        """Take a page from its visitor, with all that it has kept of them."""
        try:
            page.unroute_all()
            # A navigation that the page makes itself stays in its process.
            page.evaluate("() => { localStorage.clear(); sessionStorage.clear(); location.replace('about:blank'); }")
            page.wait_for_url("about:blank")
            page.context.clear_cookies()
        except Error:
            painted = True
        if painted or len(page.context.pages) > 1:
            page.context.close()
        else:
            self.left.setdefault(json.dumps(options), []).append(page)


@attrs.define
class Visitor:
    """A browser context with one page, and the frames that it received."""

    page: Page
    context: BrowserContext
    url: str
    frames: list[list[str]] = attrs.Factory(list)
    """By socket, in their order."""
    complaints: list[str] = attrs.Factory(list)
    """Errors, what the content security policy forbade, and requests to elsewhere."""
    heard: dict[str, Callable[[Any], None]] = attrs.Factory(dict)

    def listen(self) -> None:
        """Record what comes in, and what goes wrong."""

        def opened(socket: Any) -> None:
            frames: list[str] = []
            self.frames.append(frames)
            socket.on("framereceived", lambda frame: frames.append(str(frame)))

        def requested(request: Any) -> None:
            if not request.url.startswith(self.url):
                self.complaints.append(request.url)

        def said(message: Any) -> None:
            if message.type == "error" and "ERR_CONNECTION" not in message.text and "WebSocket" not in message.text:
                self.complaints.append(message.text)

        def failed(error: Any) -> None:
            self.complaints.append(str(error))

        self.heard = {"websocket": opened, "request": requested, "console": said, "pageerror": failed}
        for event, hear in self.heard.items():
            self.page.on(event, hear)  # type: ignore[call-overload]

    def leave(self) -> None:
        """Record nothing any more."""
        for event, hear in self.heard.items():
            self.page.remove_listener(event, hear)

    @property
    def told(self) -> list[dict[str, Any]]:
        """What the server has said."""
        return [json.loads(text) for frames in self.frames for text in frames]

    @property
    def state(self) -> dict[str, str]:
        """What the page shows: `phase`, `ply`, `mine`."""
        state: dict[str, str] = self.page.evaluate("({...document.querySelector('.game')?.dataset})")
        return state

    @property
    def hand(self) -> list[str]:
        """The cards that are shown in the hand."""
        cards: list[str] = self.page.evaluate(
            "[...document.querySelectorAll('.hand .card')].map((each) => each.dataset.card)"
        )
        return cards

    def wait_for_ply(self, ply: int) -> None:
        """Wait until the page shows how things stand after so many moves, or later."""
        self.page.wait_for_function("ply => Number(document.querySelector('.game').dataset.ply) >= ply", arg=ply)

    def wait_for_turn(self) -> None:
        """Wait until this seat is to act."""
        self.page.wait_for_selector(".game[data-mine=true]")

    def wait_for_answer(self) -> None:
        """Wait until the server has said how the pass may go on."""
        self.page.wait_for_selector(".hand:not([data-asking])")

    def press(self, card: Locator, dimmed: bool = False) -> None:
        """Press a card of the hand where it can be seen: the next one lies upon the rest of it."""
        card.click(position={"x": 10, "y": 24}, force=dimmed)

    def act(self) -> None:
        """Do what is asked for: the first that is allowed."""
        phase = self.state["phase"]
        if phase == "playing":
            self.press(self.page.locator(".hand .card:not([aria-disabled])").first)
        elif phase == "passing":
            cards = self.page.locator(".hand .card[aria-pressed=false]:not([aria-disabled])")
            for _ in self.hand:
                if not self.page.locator("#pass[aria-disabled]").count():
                    break
                self.press(cards.first)
                self.wait_for_answer()
            self.page.locator("#pass").click()
        elif phase == "exposing":
            cards = self.page.locator(".hand .card[aria-pressed=false]:not([aria-disabled])")
            for _ in range(cards.count()):
                self.press(cards.first)
            self.page.locator("#show").click()
        else:
            self.page.locator("#others-up").click()

    def act_and_see(self) -> int:
        """Do what is asked for, and wait until the page shows it: how many moves have been made then, at least."""
        state = self.state
        ply = int(state["ply"])
        self.act()
        self.wait_for_ply(ply + 1)
        if state["phase"] in ("passing", "exposing"):
            # It may have been somebody else who made that move.
            self.page.wait_for_selector(f".game:not([data-phase={state['phase']}][data-mine=true])")
        return ply + 1


Visit: TypeAlias = Callable[..., Visitor]
"""What makes visitors: the fixture `visit`."""


def wait_until(page: Page, condition: Callable[[], bool]) -> None:
    """Wait for something that no page shows, for twenty seconds at most."""
    for _ in range(1000):
        if condition():
            return
        page.wait_for_timeout(20)
    raise AssertionError("that does not happen")


def play_until(visitor: Visitor, condition: str) -> None:
    """Have a page go on by itself until a condition in JavaScript holds, of `phase`, `ply` and `mine` too."""
    visitor.page.evaluate(PLAYS.replace("UNTIL", condition), 120)
    visitor.page.evaluate("() => window.over")


def play_to_the_end(visitors: list[Visitor]) -> None:
    """Have whoever is to act press something once; then their pages go on by themselves, to the end of the match."""
    for visitor in visitors:
        if visitor.state["mine"] == "true":
            visitor.act_and_see()
    for visitor in visitors:
        visitor.page.evaluate(PLAYS.replace("UNTIL", "false"), 120)
    for visitor in visitors:
        visitor.page.evaluate("() => window.over")


def unfolded(visitor: Visitor) -> Page:
    """Unfold the form that opens a table: its page."""
    visitor.page.locator("#more > summary").click()
    visitor.page.locator("#open").wait_for()
    return visitor.page


def sit_down(guest: Visitor, name: str = "Bob") -> None:
    """Take a seat by the invitation that a guest sees."""
    guest.page.get_by_label("Your name").fill(name)
    guest.page.get_by_role("button", name="Take a seat").click()


def seated(visitor: Visitor, rules: Rules, begin: bool = True) -> str:
    """Open a table by a request, sit down, and begin with bots: the name of the table."""
    answer = visitor.context.request.post(
        f"{visitor.url}api/tables",
        data={"rules": rules_document(rules), "name": "Ann"},
        headers={"Origin": visitor.url.rstrip("/")},
    )
    opened: dict[str, Any] = answer.json()
    visitor.page.goto(f"{visitor.url}#t/{opened['table']}/{opened['token']}")
    visitor.page.wait_for_selector("#invitation")
    if begin:
        visitor.page.get_by_role("button", name="Begin").click()
        visitor.wait_for_turn()
    table: str = opened["table"]
    return table
