"""What the person who runs the server decides."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import attrs

from heartsrules import Rules
from heartsrules.analysis.policies import BatchPolicy, Policy
from heartsrules.apps.table.bots import WATCHFUL
from heartsrules.bots import Named

FINISHED_DAYS: Final = 7
"""The longest time, in days, that a finished match is kept, for people to look at it and to save its record."""


@attrs.frozen
class RoomPace:
    """Delays of the server's own moves, in seconds, so that people can follow."""

    play: float = 0.7
    """Before a bot makes a move."""
    trick: float = 1.3
    """Added before a bot leads to a new trick; pages wait as long before they show the result of a deal."""
    deal: float = 5.0
    """Before the next deal."""

    def times(self, factor: float) -> RoomPace:
        """All delays multiplied by a factor; 0 removes them."""
        return RoomPace(factor * self.play, factor * self.trick, factor * self.deal)


@attrs.frozen
class Proposal:
    """A rule set that the form proposes first."""

    name: str
    rules: Rules


@attrs.frozen
class Settings:
    """The settings of a server."""

    database: Path = Path("tables.sqlite3")
    pace: RoomPace = RoomPace()
    hosts: tuple[str, ...] = ("localhost", "127.0.0.1", "[::1]")
    """Host names that the server answers to. Pages of any other origin are refused."""
    max_rooms: int = 1000
    """Limit of tables in play."""
    max_sockets: int = 64
    """Limit of sockets at a table."""
    linger_seconds: float = 60
    """Time until a room without sockets is closed."""
    idle_seconds: float = 3600
    """Time until a room with open sockets, but no activity, is closed."""
    unattended_deals: int = 50
    """Number of deals without any action of a person after which bots wait for one."""
    max_deals: int = 1000
    """Limit of deals at a table: some rules never end."""
    keep_days: float = 30
    """Days without activity after which a table is deleted; a finished match is kept `FINISHED_DAYS` at most."""
    message_rate: float = 10
    """Messages that a socket may send each second, on average."""
    message_burst: float = 40
    """Messages that a socket may send at once; after as many refused ones in a row it is closed."""
    request_rate: float = 1
    """Tables that an address may open, and seats that it may take, each second, on average; 0: no limit."""
    request_burst: float = 30
    """How many of them at once."""
    check_rate: float = 10
    """Rule sets that an address may have checked, and tables that it may ask about, each second, on average."""
    hello_seconds: float = 10
    """Time that a new socket has for its first message."""
    reached_at: tuple[str, ...] = ()
    """URLs of the page in the network, for invitations; empty: the one that the browser used."""
    bot_processes: int | None = None
    """Processes for slow bots, hints and reviews; None: all cores but one."""
    policy: Policy | BatchPolicy = WATCHFUL
    """The policy of the playouts for hints and reviews."""
    hint_worlds: int = 200
    """Worlds drawn for a hint."""
    hint_seconds: float | None = 1.0
    """Approximate time limit of a hint; None: no limit."""
    review_worlds: int = 140
    """Worlds drawn to review a move."""
    forecast_worlds: int = 140
    """Worlds drawn to forecast the points of a hand."""
    average_deals: int = 400
    """Number of deals that tell the points of an average deal."""
    players: tuple[Named, ...] = ()
    """Players that hosts can choose besides the built-in bots, such as programs."""
    proposal: Proposal | None = None
    """What the form that opens a table starts with; None: the usual game."""
    seed: str | None = None
    """Seed of deals and bots, for tests; None: the randomness of the operating system."""
