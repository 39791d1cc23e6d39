"""Every phase of a game as the messages that a page is sent, and a script that feeds them to a page without a table."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Final, Literal

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
from heartsrules.apps.table import protocol as P
from heartsrules.apps.table.messages import encoded, origin_of, view_message
from heartsrules.apps.table.positions import sheet_message, teams_of
from heartsrules.apps.table.seats import bot_name
from heartsrules.apps.table.wording import in_parts, rules_wording
from heartsrules.formats.wire.parts import wire_parts
from heartsrules.play.moves import Play

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
  for (let tries = 0; window.socket === before; tries += 1) {
    if (tries > 5000) throw new Error("the page has opened no socket");
    await new Promise((done) => setTimeout(done, 1));
  }
  for (const data of messages) window.socket.onmessage({ data });
};
"""
"""Put into a page: its socket leads nowhere, and `feed` shows a table by its messages."""
HINTS: Final = {
    "en": "⟦QS⟧: 12.3 points expected, 10.4 with the next best move (⟦TD⟧); 38% to win the match, 36% with ⟦TD⟧",
    "de": "⟦QS⟧: 12,3 Punkte erwartet, 10,4 mit dem nächstbesten Zug (⟦TD⟧); 38 % Siegchance, 36 % mit ⟦TD⟧",
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
        rules, over = self.state.rules, isinstance(self.state, GameOver)

        def person(name: str, kind: Literal["person", "bot"], here: bool = True) -> P.Person:
            return P.Person(name, kind, here, False, "usual", None, False, ())

        people = [person("Ann", "person"), person("Wolfeschlegelsteinhausen", "person", not self.vote)]
        people += [person(bot_name(seat), "bot") for seat in range(2, rules.players)]
        absent = (P.Absent(1, (2,), 2),) if self.vote else ()
        newcomers = (P.Newcomer(2, "Maximiliane", (1,), (0,)),) if self.newcomer else ()
        seen = view(self.state, 0)
        texts = [
            encoded(
                P.Welcome(
                    "",
                    "fed",
                    "",
                    origin_of(preset, rules),
                    teams_of(rules),
                    rules_wording(rules, language),
                    "alone",
                    120,
                )
            ),
            encoded(P.TableMessage(0, None, True, over, 1, tuple(people), absent, newcomers, None, (), 0, None)),
            encoded(sheet_message(rules, seen.score_sheet)),
            view_message(9, 9, seen, (), isinstance(self.state, Playing), language, True),
        ]
        if self.hint:
            (move,) = wire_parts([Play(0, next(iter(seen.hand)))])  # type: ignore[union-attr]
            texts.append(encoded(P.HintMessage(1, 9, in_parts(HINTS[language]), move)))
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
