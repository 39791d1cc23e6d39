"""Who sits where: the names of the players, and which seats bots play."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Final

import attrs

from heartsrules import Rules, Seat
from heartsrules.bots import BOTS, Bot

__all__ = ["ALONE", "DEFAULT_BOT", "LONGEST_NAME", "Seating", "WrongSeating", "seat_players"]

DEFAULT_BOT: Final = "heuristic"
LONGEST_NAME: Final = 20
"""The characters that a player's name may have: more would not fit into a narrow terminal."""
ALONE: Final = "You"
"""The name of a player who gives none."""


class WrongSeating(ValueError):
    """Names or bots that do not make a table; its text says why, `option` which of the two it is."""

    def __init__(self, option: str, message: str) -> None:
        super().__init__(message)
        self.option = option


@attrs.frozen
class Seating:
    """The players by seat."""

    names: tuple[str, ...]
    bots: tuple[str | None, ...]
    """What kind of bot plays a seat; None: a human does."""
    players: Mapping[str, Bot] = MappingProxyType({})
    """The players that can be asked for besides our bots, by name."""

    @property
    def humans(self) -> tuple[Seat, ...]:
        """The seats of the humans, in order."""
        return tuple([seat for seat, bot in enumerate(self.bots) if bot is None])

    def who(self, seat: Seat, reader: Seat | None) -> str:
        """How a text calls a player; `reader` is the seat that reads it, None: everybody does."""
        return "You" if seat == reader else self.names[seat]


def seat_players(
    rules: Rules, humans: Sequence[str], bots: Sequence[str], players: Mapping[str, Bot] = MappingProxyType({})
) -> Seating:
    """Seat humans and bots.

    Args:
        rules: how many play.
        humans: names from seat 0 on; where one is empty, and behind the last one, a bot sits.
        bots: one kind of bot for all of their seats, or one for each of them in order.
        players: those that can be asked for besides our bots, by name.

    Raises:
        WrongSeating: there are too many of them, or a name cannot be used.
    """
    count = rules.players
    given = [name.strip() for name in humans]
    if len(given) > count:
        raise WrongSeating("humans", f"{len(given)} names are given for {count} players")
    given += [""] * (count - len(given))
    if not any(given):
        raise WrongSeating("humans", "nobody is left to play: give at least one name")
    bot_seats = [seat for seat, name in enumerate(given) if not name]
    kinds = [kind.strip() if kind.strip() in players else kind.strip().lower() for kind in bots]
    for kind in kinds:
        if kind not in BOTS and kind not in players:
            known = ", ".join([*BOTS, *players])
            raise WrongSeating("bots", f"there is no bot {kind[:LONGEST_NAME]!r}: choose from {known}")
    if len(kinds) != 1 and len(kinds) != len(bot_seats):
        raise WrongSeating("bots", f"{len(kinds)} bots are named for {len(bot_seats)} seats: name one, or one for each")
    kind_of = dict(zip(bot_seats, kinds * len(bot_seats) if len(kinds) == 1 else kinds, strict=True))
    names = [name or f"Bot {seat}" for seat, name in enumerate(given)]
    seen: set[str] = set()
    for name in names:
        if not name.isprintable() or len(name) > LONGEST_NAME:
            what = f"{name[:LONGEST_NAME]!r} cannot be the name"
            raise WrongSeating("humans", f"{what}: a name has at most {LONGEST_NAME} printable characters")
        if name.casefold() in seen:
            raise WrongSeating("humans", f"two players are called {name!r}: choose another name")
        seen.add(name.casefold())
    return Seating(tuple(names), tuple([kind_of.get(seat) for seat in range(count)]), players)
