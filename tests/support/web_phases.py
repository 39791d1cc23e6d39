"""Every phase of a game as the messages that a page is sent, and a script that feeds them to a page without a table."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from typing import Any, Final

import attrs

from heartsrules import (
    AwaitingDeal,
    ChoosingMoon,
    Exposing,
    GameOver,
    Passing,
    Playing,
    Rules,
    State,
    apply,
    deal,
    legal_moves,
    new_game,
    to_act,
    view,
)
from heartsrules.apps.table.messages import Person, encoded, told_game, view_message
from heartsrules.apps.table.seats import bot_name
from heartsrules.messages import describe

FED: Final = """
window.WebSocket = class {
  static OPEN = 1;
  readyState = 1;
  constructor() { window.socket = this; }
  send() {}
  close() {}
};
window.feed = async (messages) => {
  window.count = (window.count ?? 0) + 1;
  const before = window.socket;
  location.hash = `#t/fed${window.count}/key`;
  while (window.socket === before) await new Promise((done) => setTimeout(done, 1));
  for (const data of messages) window.socket.onmessage({ data });
};
"""
"""Put into a page: its socket leads nowhere, and `feed` shows a table by its messages."""
HINTS: Final = {
    "en": "QS: 12.3 points expected, 10.4 with the next best move (10D); 38% to win the match, 36% with 10D",
    "de": "Pik-Dame: 12,3 Punkte erwartet, 10,4 mit dem nächstbesten Zug (Karo-10); 38 % Siegchance, 36 % mit Karo-10",
}
"""A hint of usual length, by language."""


@attrs.frozen
class Shown:
    """A position of a seat as a page shows it."""

    name: str
    state: State
    vote: bool = False
    """Whether a vote for a stand-in is open."""
    newcomer: bool = False
    """Whether somebody asks for a seat."""
    hint: bool = False

    def messages(self, preset: str, language: str) -> list[str]:
        """The messages that a page is sent, in their order."""
        rules = self.state.rules
        people = [Person("Ann", "person", True)]
        people += [Person(bot_name(seat), "bot", True) for seat in range(1, rules.players)]
        people[1] = Person("Wolfeschlegelsteinhausen", "person", not self.vote)
        over = isinstance(self.state, GameOver)
        more: dict[str, Any] = {
            "host": 1,
            "away": 120,
            "hints": "alone",
            "over": over,
            "game": told_game(preset, rules),
        }
        more |= {"teams": rules.teams, "rules": describe(rules, language), "paused": None, "look": 0, "next": None}
        more |= {"votes": {}, "needed": {}, "newcomers": {}, "waits_for": None}
        if self.vote:
            more |= {"votes": {1: [2]}, "needed": {1: 2}}
        if self.newcomer:
            more |= {"newcomers": {2: {"name": "Maximiliane", "near": [1], "asked": [0]}}}
        seen = view(self.state, 0)
        texts = [
            encoded("table", table="fed", seat=0, started=True, people=people, **more),
            view_message(9, 9, seen, (), isinstance(self.state, Playing), language, True),
        ]
        if self.hint:
            card = str(next(iter(seen.hand)))  # type: ignore[union-attr]
            move = {"move": "play", "card": card}
            hint = {"type": "hint", "id": 1, "ply": 9, "sentence": f"{HINTS[language]}.", "move": move}
            texts.append(json.dumps(hint).encode())
        return [text.decode() for text in texts]


def states(rules: Rules, seed: int) -> Iterator[State]:
    """The states of a match that is played at random, but in which every card that may be shown is."""
    chance = random.Random(seed)
    state: State = new_game(rules)
    while True:
        yield state
        if isinstance(state, GameOver):
            return
        if isinstance(state, AwaitingDeal):
            state = apply(state, deal(state, seed=chance.getrandbits(32)))
            continue
        seat = min(to_act(state))
        moves = legal_moves(state, seat)
        if isinstance(state, Exposing):
            state = apply(state, max(moves, key=lambda move: len(move.cards)))  # type: ignore[union-attr]
        else:
            state = apply(state, moves[chance.randrange(len(moves))])


def phases(rules: Rules, seed: int = 1) -> list[Shown]:
    """Positions of the first seat: one of each phase, in play the fullest table, and the fullest plates."""
    found: dict[str, State] = {}
    fullest = -1
    for state in states(rules, seed):
        if isinstance(state, Passing) and 0 in to_act(state):
            found.setdefault("passing", state)
        elif isinstance(state, Exposing) and 0 in to_act(state):
            found.setdefault("exposing", state)
        elif isinstance(state, Playing) and state.deal_number == 0:
            lying = len(state.trick)
            if state.trick_number == 0 and 0 in to_act(state):
                found["leading"] = state
            if state.trick_number in (1, 2) and lying > fullest:
                fullest = lying
                found["playing"] = state
            if lying == rules.players - 1:
                found["late"] = state
        elif isinstance(state, ChoosingMoon) and state.shooter == 0:
            found.setdefault("moon", state)
        elif isinstance(state, AwaitingDeal) and state.deal_number:
            found.setdefault("deal-end", state)
        elif isinstance(state, GameOver):
            found["over"] = state
    shown = [Shown(name, state) for name, state in found.items()]
    shown.append(Shown("vote", found["playing"], vote=True))
    shown.append(Shown("newcomer", found["playing"], newcomer=True))
    shown.append(Shown("hint", found["leading"], hint=True))
    shown.append(Shown("vote-hint", found["leading"], vote=True, hint=True))
    return shown
