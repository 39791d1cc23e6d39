"""The players of a command's games, as bots or a policy."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import TYPE_CHECKING, Literal, TypeAlias

import attrs
import typer

from heartsrules.apps.command_line.messages import fail, values_refused, wrong_use

if TYPE_CHECKING:
    from heartsrules.analysis.policies import BatchPolicy, Policy
    from heartsrules.bots import Bot, Named
    from heartsrules.rules import Rules


PolicyName: TypeAlias = Literal["uniform", "watchful"]
"""The policies that all players can follow."""


@attrs.frozen
class Players:
    """The players of a game, as bots or one policy for all."""

    given: tuple[Named, ...] = ()
    """The bots, which take the seats in turn, empty for a policy."""
    policy_name: str = ""
    """The policy's name, empty for the uniform one."""

    def names(self, players: int) -> tuple[str, ...]:
        """Return the bots' names by seat, empty without bots."""
        return tuple([each.name for each in self._seated(players)])

    def _seated(self, players: int) -> list[Named]:
        return [self.given[seat % len(self.given)] for seat in range(players)] if self.given else []

    def bots(self, players: int) -> list[Bot] | None:
        """Return the bots by seat, or None without bots."""
        return [each.bot for each in self._seated(players)] or None

    @property
    def policy(self) -> Policy | None:
        """The policy of all players, or None for the uniform one."""
        from heartsrules.analysis.policies import Watchful

        return Watchful() if self.policy_name == "watchful" else None

    @property
    def label(self) -> str:
        """A description of the players for the first line of the output."""
        if self.given:
            return f", bots {','.join([each.name for each in self.given])}"
        return f", policy {self.policy_name}" if self.policy_name else ""


def players_of(bots: str | None, policy: PolicyName | None, counts: Iterable[int]) -> Players:
    if bots is None:
        return Players(policy_name=policy or "")
    if policy is not None:
        raise wrong_use("--policy", "--policy replaces --bots; omit one of them")
    given = tuple([bot_of("--bots", name) for name in bots.split(",")])
    seats = min(counts)
    if len(given) > seats:
        raise wrong_use("--bots", f"got {len(given)} bots for {seats} seats; name at most {seats}")
    return Players(given)


def bot_of(argument: str, text: str, seconds: float | None = 10.0) -> Named:
    from heartsrules.bots import bot_named

    with values_refused(argument):
        return bot_named(text, seconds=seconds)


def playouts_of(text: str, rules: Rules | None = None) -> Policy | BatchPolicy:
    """Return the policy of `--playouts`, with a note if the given rules need another."""
    from heartsrules.analysis.policies import BatchPolicy
    from heartsrules.bots import policy_named

    with values_refused("--playouts"):
        policy = policy_named(text)
    if rules is not None and isinstance(policy, BatchPolicy) and not policy.covers(rules):
        typer.echo("The learned player does not support these rules; watchful players replace it.", err=True)
    return policy


def policies_that_begin(incomplete: str) -> list[str]:
    from heartsrules.bots import POLICIES

    return [name for name in POLICIES if name.startswith(incomplete.lower())]


def players_named(texts: Iterable[str], names: Collection[str]) -> tuple[Named, ...]:
    """Return the players of `--player`, starting programs to test them.

    Args:
        texts: specifications for `bot_named`, each with a name of its own.
        names: the names of other bots, which cannot be used again.
    """
    found: dict[str, Named] = {}
    for text in texts:
        named = bot_of("--player", text)
        if ":" in named.name:
            # A player without a name is called like the text.
            raise wrong_use("--player", f"{named.name[:100]!r} has no name of its own; write NAME=BOT")
        if named.name in names or named.name in found:
            raise wrong_use("--player", f"the name {named.name!r} is taken; choose another one")
        found[named.name] = named
        start_program(named)
    return tuple(found.values())


def start_program(player: Named) -> None:
    from heartsrules.bots.failures import ProgramError

    introduce = getattr(player.bot, "introduce", None)
    try:
        if introduce is not None:
            introduce()
    except ProgramError as error:
        fail(str(error), 1)


def one_bot_that_begins(incomplete: str) -> list[str]:
    from heartsrules.bots import BOTS

    return [name for name in (*BOTS, "sampling:", "external:") if name.startswith(incomplete.lower())]


def bots_that_begin(incomplete: str) -> list[str]:
    """Complete the last of several names of bots, separated by commas."""
    before, comma, last = incomplete.rpartition(",")
    return [f"{before}{comma}{name}" for name in one_bot_that_begins(last)]
