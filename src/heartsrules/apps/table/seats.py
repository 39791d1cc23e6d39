"""The seats of a table: who plays on each, who owns it, and who waits for it."""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Collection, Iterable, Sequence
from typing import Final, Literal, TypeAlias

import attrs

from heartsrules import Seat
from heartsrules.apps.table.bots import USUAL

_MOST_ADDRESSES: Final = 8
"""Limit of addresses remembered of a person; the oldest is forgotten first."""


def new_token() -> str:
    """A random name of 128 bits, for a table or as the key of a seat."""
    return secrets.token_urlsafe(16)


def hashed(token: str) -> str:
    """The hash of a token that is stored in its place: whoever reads the database cannot sit down with it."""
    return hashlib.sha256(token.encode()).hexdigest()


def address_hash(table_id: str, address: str) -> str:
    """The hash of a network address that is stored in its place. It differs from table to table."""
    return hashed(f"{table_id} {address}")[:22]


@attrs.frozen
class Holder:
    """A person with the key of a seat."""

    name: str
    key_hash: str
    addresses: tuple[str, ...] = ()
    """Hashes of the network addresses that have used the key, the newest last."""
    since: int = 0
    """Number of the first deal that this person plays on the seat."""

    def seen_at(self, address: str) -> Holder:
        """The same person, who has used the key from this address too."""
        others = [each for each in self.addresses if each != address]
        return attrs.evolve(self, addresses=(*others, address)[-_MOST_ADDRESSES:])


PlayerKind: TypeAlias = Literal["free", "bot", "person"]


@attrs.define
class TableSeat:
    """Who plays on a seat, who owns it and who waits for it."""

    kind: PlayerKind = "free"
    level: str = USUAL
    """Level of the bot that plays here; on a free seat, of the one that will if nobody comes."""
    holder: Holder | None = None
    """The person who plays here."""
    owner: Holder | None = None
    """The absent person whose seat the holder has taken over, and who gets it back on return."""
    newcomer: Holder | None = None
    """The person who will play here once the table lets them."""
    stand_in: bool = False
    """Whether a bot plays for the holder, who is away."""

    @property
    def automatic(self) -> bool:
        """Whether a bot makes the moves."""
        return self.kind == "bot" or self.stand_in

    @property
    def plays_as(self) -> str:
        """Level of the bot that makes the moves."""
        return self.level if self.kind == "bot" else USUAL

    @property
    def people(self) -> list[Holder]:
        """All persons with a key of this seat."""
        return [each for each in (self.holder, self.owner, self.newcomer) if each is not None]


_BOTS: Final = ("Alma", "Bruno", "Carla", "Dario", "Elsa", "Felix", "Greta", "Hugo", "Ida", "Jonas", "Kira")


def bot_name(seat: Seat) -> str:
    """Name of the bot of a seat."""
    return _BOTS[seat]


def seats_near(seats: Sequence[TableSeat], addresses: Collection[str], but: Seat) -> list[Seat]:
    """The seats, except one, of which somebody has used a key from one of these addresses."""
    return [
        seat
        for seat, state in enumerate(seats)
        if seat != but and any(not set(addresses).isdisjoint(each.addresses) for each in state.people)
    ]


def count_people(holders: Iterable[Holder]) -> int:
    """Number of people among the holders of some seats: those who share an address count as one."""
    groups: list[set[str]] = []
    for holder in holders:
        joined = {holder.key_hash, *holder.addresses}
        apart = []
        for group in groups:
            if group.isdisjoint(joined):
                apart.append(group)
            else:
                joined |= group
        groups = [*apart, joined]
    return len(groups)
