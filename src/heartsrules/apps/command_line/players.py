"""Who plays the games of a command: bots, or a policy."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import TYPE_CHECKING

import attrs

from heartsrules.apps.command_line.messages import fail, wrong_use
from heartsrules.apps.command_line.options import PolicyName
from heartsrules.base.extras import MissingExtra

if TYPE_CHECKING:
    from heartsrules.bots import Bot, Named
    from heartsrules.search.policies import Policy

__all__ = ["Players", "bot_of", "players_named", "players_of"]


@attrs.frozen
class Players:
    """Who plays."""

    given: tuple[Named, ...] = ()
    """Bots, as many as there are seats at most; empty: no bots."""
    policy_name: str = ""
    """The name of a policy for all players; empty: no other than the uniform one."""

    def names(self, players: int) -> tuple[str, ...]:
        """The names of the bots by seat: those that are given, in turn; empty without bots."""
        return tuple([each.name for each in self._seated(players)])

    def _seated(self, players: int) -> list[Named]:
        return [self.given[seat % len(self.given)] for seat in range(players)] if self.given else []

    def bots(self, players: int) -> list[Bot] | None:
        """The bots by seat."""
        return [each.bot for each in self._seated(players)] or None

    @property
    def policy(self) -> Policy | None:
        """The policy of all players."""
        from heartsrules.search.policies import Careful

        return Careful() if self.policy_name == PolicyName.CAREFUL else None

    @property
    def label(self) -> str:
        """How the first line of the output says it."""
        if self.given:
            return f", bots {','.join([each.name for each in self.given])}"
        return f", policy {self.policy_name}" if self.policy_name else ""


def players_of(bots: str | None, policy: PolicyName | None, counts: Iterable[int]) -> Players:
    """Who is meant by `--bots` and `--policy`.

    Args:
        bots: names with commas between them.
        policy: the name of a policy.
        counts: for how many players the rule sets are.
    """
    if bots is None:
        return Players(policy_name="" if policy is None else policy.value)
    if policy is not None:
        raise wrong_use("--policy", "it is for all players in place of --bots: leave out one of them")
    given = tuple([bot_of("--bots", name) for name in bots.split(",")])
    seats = min(counts)
    if len(given) > seats:
        raise wrong_use("--bots", f"{len(given)} bots for {seats} seats: name at most {seats}")
    return Players(given)


def bot_of(argument: str, text: str, seconds: float | None = 10.0) -> Named:
    """The bot that a text names.

    Args:
        argument: where it is given.
        text: as `bot_named` takes it.
        seconds: how long a program may think about a move.
    """
    from heartsrules.bots import bot_named

    try:
        return bot_named(text, seconds=seconds)
    except ValueError as error:
        raise wrong_use(argument, str(error)) from None
    except MissingExtra as missing:
        fail(str(missing), 2)


def players_named(texts: Iterable[str], taken: Collection[str]) -> tuple[Named, ...]:
    """The players that the texts of `--player` name; programs are tried at once.

    Args:
        texts: each as `bot_named` takes it, with a name of its own.
        taken: the names that bots have already.
    """
    from heartsrules.bots.failures import ProgramError

    found: dict[str, Named] = {}
    for text in texts:
        named = bot_of("--player", text)
        if ":" in named.name:
            # The name of a player that is given none is the text itself.
            raise wrong_use("--player", f"{named.name[:100]!r}: give it a name of its own, NAME=BOT")
        if named.name in taken or named.name in found:
            raise wrong_use("--player", f"{named.name!r}: there is a player of that name: choose another")
        found[named.name] = named
        introduce = getattr(named.bot, "introduce", None)
        try:
            if introduce is not None:
                introduce()
        except ProgramError as error:
            fail(str(error), 1)
    return tuple(found.values())
