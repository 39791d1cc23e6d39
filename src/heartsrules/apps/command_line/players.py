"""The players of the games of a command: bots, or a policy."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import TYPE_CHECKING, Literal, TypeAlias

import attrs
import typer

from heartsrules.apps.command_line.messages import extras_needed, fail, wrong_use

if TYPE_CHECKING:
    from heartsrules.analysis.policies import BatchPolicy, Policy
    from heartsrules.bots import Bot, Named
    from heartsrules.rules import Rules


PolicyName: TypeAlias = Literal["uniform", "watchful"]
"""The policies that all players can follow."""


@attrs.frozen
class Players:
    """The players of a game: bots, or a policy for all of them."""

    given: tuple[Named, ...] = ()
    """The bots, which take the seats in turn; empty: no bots."""
    policy_name: str = ""
    """The name of the policy; empty: the uniform one."""

    def names(self, players: int) -> tuple[str, ...]:
        """The names of the bots by seat; empty without bots."""
        return tuple([each.name for each in self._seated(players)])

    def _seated(self, players: int) -> list[Named]:
        return [self.given[seat % len(self.given)] for seat in range(players)] if self.given else []

    def bots(self, players: int) -> list[Bot] | None:
        """The bots by seat; None without bots."""
        return [each.bot for each in self._seated(players)] or None

    @property
    def policy(self) -> Policy | None:
        """The policy of all players; None: the uniform one."""
        from heartsrules.analysis.policies import Watchful

        return Watchful() if self.policy_name == "watchful" else None

    @property
    def label(self) -> str:
        """The players as a part of the first line of the output."""
        if self.given:
            return f", bots {','.join([each.name for each in self.given])}"
        return f", policy {self.policy_name}" if self.policy_name else ""


def players_of(bots: str | None, policy: PolicyName | None, counts: Iterable[int]) -> Players:
    """The players of `--bots` and `--policy`."""
    if bots is None:
        return Players(policy_name=policy or "")
    if policy is not None:
        raise wrong_use("--policy", "it is for all players in place of --bots: leave out one of them")
    given = tuple([bot_of("--bots", name) for name in bots.split(",")])
    seats = min(counts)
    if len(given) > seats:
        raise wrong_use("--bots", f"{len(given)} bots for {seats} seats: name at most {seats}")
    return Players(given)


def bot_of(argument: str, text: str, seconds: float | None = 10.0) -> Named:
    """The bot that a text names."""
    from heartsrules.bots import bot_named

    with extras_needed():
        try:
            return bot_named(text, seconds=seconds)
        except ValueError as error:
            raise wrong_use(argument, str(error)) from None


def playouts_of(text: str, rules: Rules | None = None) -> Policy | BatchPolicy:
    """The policy of `--playouts`. If rules are given that it does not play by, a note says who stands in."""
    from heartsrules.analysis.policies import BatchPolicy
    from heartsrules.bots import policy_named

    with extras_needed():
        try:
            policy = policy_named(text)
        except ValueError as error:
            raise wrong_use("--playouts", str(error)) from None
    if rules is not None and isinstance(policy, BatchPolicy) and not policy.covers(rules):
        typer.echo("The learned player does not play by these rules: watchful ones stand in.", err=True)
    return policy


def policies_that_begin(incomplete: str) -> list[str]:
    """Complete the name of a policy of playouts."""
    from heartsrules.bots import POLICIES

    return [name for name in POLICIES if name.startswith(incomplete.lower())]


def players_named(texts: Iterable[str], names: Collection[str]) -> tuple[Named, ...]:
    """The players of `--player`. Programs are started, to see whether they work.

    Args:
        texts: each as `bot_named` takes it, with a name of its own.
        names: the names of other bots, which may not be used again.
    """
    found: dict[str, Named] = {}
    for text in texts:
        named = bot_of("--player", text)
        if ":" in named.name:
            # The name of a player that is given none is the text itself.
            raise wrong_use("--player", f"{named.name[:100]!r}: give it a name of its own, NAME=BOT")
        if named.name in names or named.name in found:
            raise wrong_use("--player", f"{named.name!r}: there is a player of that name: choose another")
        found[named.name] = named
        start_program(named)
    return tuple(found.values())


def start_program(player: Named) -> None:
    """Start a player that is a program, to see whether it works."""
    from heartsrules.bots.failures import ProgramError

    introduce = getattr(player.bot, "introduce", None)
    try:
        if introduce is not None:
            introduce()
    except ProgramError as error:
        fail(str(error), 1)


def one_bot_that_begins(incomplete: str) -> list[str]:
    """Complete the name of a bot."""
    from heartsrules.bots import BOTS

    return [name for name in (*BOTS, "sampling:", "external:") if name.startswith(incomplete.lower())]


def bots_that_begin(incomplete: str) -> list[str]:
    """Complete the last of several names of bots with commas between them."""
    before, comma, last = incomplete.rpartition(",")
    return [f"{before}{comma}{name}" for name in one_bot_that_begins(last)]
