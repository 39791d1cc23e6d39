"""The settings of a server."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import attrs

from heartsrules import Rules
from heartsrules.analysis.policies import BatchPolicy, Policy
from heartsrules.apps.table.bots import WATCHFUL
from heartsrules.bots import Named

FINISHED_DAYS: Final = 7
"""Maximum number of days for which a finished match is kept, so that people can look at it and save its record."""


@attrs.frozen
class RoomPace:
    """Delays of the server's own moves, in seconds, so that people can follow."""

    play: float = 0.7
    """Before a bot makes a move."""
    trick: float = 1.3
    """Added before a bot leads to a new trick, and before pages show a deal's result."""
    deal: float = 5.0
    """Before the next deal."""

    def times(self, factor: float) -> RoomPace:
        return RoomPace(factor * self.play, factor * self.trick, factor * self.deal)


@attrs.frozen
class Proposal:
    """The rule set that the form offers first."""

    name: str
    rules: Rules


@attrs.frozen
class Settings:
    database: Path = Path("tables.sqlite3")
    pace: RoomPace = RoomPace()
    hosts: tuple[str, ...] = ("localhost", "127.0.0.1", "[::1]")
    """The server's host names. Pages of any other origin are refused."""
    max_rooms: int = 1000
    """Maximum number of tables in play."""
    max_sockets: int = 64
    """Maximum number of sockets at a table."""
    linger_seconds: float = 60
    """Time until a room without sockets is closed."""
    idle_seconds: float = 3600
    """Time until a room with open sockets, but no activity, is closed."""
    unattended_deals: int = 50
    """Number of deals without any human action after which bots wait for one."""
    max_deals: int = 1000
    """Maximum number of deals at a table: some rules never end."""
    keep_days: float = 30
    """Days without activity after which a table is deleted. Finished matches are deleted after `FINISHED_DAYS` at most.
    """
    message_rate: float = 10
    """Average number of messages per second that a socket can send."""
    message_burst: float = 40
    """Number of messages that a socket can send at once. After that many refused ones in a row it is closed."""
    request_rate: float = 1
    """Average number of tables opened and seats taken per second by an address, or 0 for no limit."""
    request_burst: float = 30
    """Number of tables opened and seats taken at once by an address."""
    check_rate: float = 10
    """Average number of rule checks and questions about tables per second by an address."""
    hello_seconds: float = 10
    """Seconds until a new socket without a first message is closed."""
    reached_at: tuple[str, ...] = ()
    """The page's URLs in the network, for invitations. If empty, invitations have the URL that the browser used."""
    bot_processes: int | None = None
    """Number of processes for slow bots, hints and reviews. Defaults to all cores but one."""
    policy: Policy | BatchPolicy = WATCHFUL
    """The policy of the playouts for hints and reviews."""
    hint_worlds: int = 500
    """Number of worlds drawn for a hint."""
    hint_seconds: float | None = 1.0
    """Approximate time limit of a hint, or None for no limit."""
    review_worlds: int = 140
    """Number of worlds drawn to review a move."""
    forecast_worlds: int = 140
    """Number of worlds drawn to forecast a hand's points."""
    average_deals: int = 400
    """Number of deals to average over for the points of an average deal."""
    players: tuple[Named, ...] = ()
    """Players that hosts can choose in addition to the built-in bots, such as programs."""
    proposal: Proposal | None = None
    """The initial choice in the form that opens a table. Defaults to the usual game."""
    seed: str | None = None
    """Seed of deals and bots, for tests. Defaults to the operating system's randomness."""
