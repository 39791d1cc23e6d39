"""Seats of humans and bots."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Final

import attrs

from heartsrules import Rules, Seat
from heartsrules.bots import BOTS, Bot

DEFAULT_BOT: Final = "heuristic"
LONGEST_NAME: Final = 20
"""The limit on characters of a name, which fits in a narrow terminal."""
ALONE: Final = "You"
"""The default name of a human."""


class WrongSeating(ValueError):
    """Names or bots that cannot be seated.

    `option` is `humans` or `bots`.
    """

    def __init__(self, option: str, message: str) -> None:
        super().__init__(message)
        self.option = option


@attrs.frozen
class Seating:
    names: tuple[str, ...]
    bots: tuple[str | None, ...]
    """Each seat's kind of bot, or None for a human."""
    players: Mapping[str, Bot] = MappingProxyType({})

    @property
    def humans(self) -> tuple[Seat, ...]:
        return tuple([seat for seat, bot in enumerate(self.bots) if bot is None])


def seat_players(
    rules: Rules, humans: Sequence[str], bots: Sequence[str], players: Mapping[str, Bot] = MappingProxyType({})
) -> Seating:
    """Seat humans and bots.

    Args:
        humans: names from seat 0 on. Bots take seats with empty names, and all after the last one.
        bots: one kind for all bots, or one for each in order.
        players: players of `--player`, by name.

    Raises:
        WrongSeating: there are too many names, or one cannot be used.
    """
    count = rules.players
    given = [name.strip() for name in humans]
    if len(given) > count:
        raise WrongSeating("humans", f"{len(given)} names for {count} players")
    given += [""] * (count - len(given))
    if not any(given):
        raise WrongSeating("humans", "there is no human; give at least one name")
    bot_seats = [seat for seat, name in enumerate(given) if not name]
    kinds = [kind.strip() if kind.strip() in players else kind.strip().lower() for kind in bots]
    for kind in kinds:
        if kind not in BOTS and kind not in players:
            choices = ", ".join([*BOTS, *players])
            raise WrongSeating("bots", f"there is no bot {kind[:LONGEST_NAME]!r}; choose from {choices}")
    if len(kinds) != 1 and len(kinds) != len(bot_seats):
        raise WrongSeating("bots", f"got {len(kinds)} bots for {len(bot_seats)} seats; name one, or one for each")
    kind_of = dict(zip(bot_seats, kinds * len(bot_seats) if len(kinds) == 1 else kinds, strict=True))
    names = [name or f"Bot {seat}" for seat, name in enumerate(given)]
    seen: set[str] = set()
    for name in names:
        if not name.isprintable() or len(name) > LONGEST_NAME:
            what = f"{name[:LONGEST_NAME]!r} cannot be the name"
            raise WrongSeating("humans", f"{what}: a name must have at most {LONGEST_NAME} printable characters")
        if name.casefold() in seen:
            raise WrongSeating("humans", f"two players are called {name!r}; choose another name")
        seen.add(name.casefold())
    return Seating(tuple(names), tuple([kind_of.get(seat) for seat in range(count)]), players)
