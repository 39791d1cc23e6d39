"""A visitor of the browser table: a page in Chromium, what was sent to it, and what it shows."""

from __future__ import annotations

import json
import shutil
from typing import Any

import attrs
from playwright.sync_api import BrowserContext, Locator, Page

from heartsrules import Rules
from support.web_player import rules_document

CHROMIUM = shutil.which("chromium")
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
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

        self.page.on("websocket", opened)
        self.page.on("request", requested)
        self.page.on("console", said)
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))

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
            while self.page.locator("#pass[aria-disabled]").count():
                self.press(cards.first)
                self.wait_for_answer()
            self.page.locator("#pass").click()
        elif phase == "exposing":
            cards = self.page.locator(".hand .card[aria-pressed=false]:not([aria-disabled])")
            while cards.count():
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


def seated(visitor: Visitor, rules: Rules, begin: bool = True) -> str:
    """Open a table by a request of the page, sit down, and begin with bots: the name of the table."""
    opened: dict[str, Any] = visitor.page.evaluate(
        """async (rules) => (await fetch("/api/tables", {
          method: "POST", headers: {"Content-Type": "application/json"}, body: JSON.stringify({rules, name: "Ann"}),
        })).json()""",
        rules_document(rules),
    )
    visitor.page.goto(f"{visitor.url}#t/{opened['table']}/{opened['token']}")
    visitor.page.wait_for_selector("#invitation")
    if begin:
        visitor.page.get_by_role("button", name="Begin").click()
        visitor.wait_for_turn()
    table: str = opened["table"]
    return table
