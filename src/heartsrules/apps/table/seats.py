"""A table's seats, each with its player, owner and newcomer."""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Collection, Iterable, Sequence
from typing import Final, Literal, TypeAlias

import attrs

from heartsrules import Seat
from heartsrules.apps.table.bots import USUAL

_MOST_ADDRESSES: Final = 8
"""Maximum number of addresses remembered per person. The oldest is forgotten first."""


def new_token() -> str:
    """Return a random name of 128 bits, for a table or as a seat's key."""
    return secrets.token_urlsafe(16)


def hashed(token: str) -> str:
    """Hash a token for storage, so that a reader of the database cannot take the seat."""
    return hashlib.sha256(token.encode()).hexdigest()


def address_hash(table_id: str, address: str) -> str:
    """Hash a network address for storage, differently for each table."""
    return hashed(f"{table_id} {address}")[:22]


@attrs.frozen
class Holder:
    """A person with a seat's key."""

    name: str
    key_hash: str
    addresses: tuple[str, ...] = ()
    """Hashes of the network addresses that have used the key, the newest last."""
    since: int = 0
    """The number of the first deal that this person plays at the seat."""

    def seen_at(self, address: str) -> Holder:
        """Return the same person after using the key from this address."""
        others = [each for each in self.addresses if each != address]
        return attrs.evolve(self, addresses=(*others, address)[-_MOST_ADDRESSES:])


PlayerKind: TypeAlias = Literal["free", "bot", "person"]


@attrs.define
class TableSeat:
    kind: PlayerKind = "free"
    level: str = USUAL
    """The level of the bot that plays here, or would play on a free seat."""
    holder: Holder | None = None
    """The person who plays here."""
    owner: Holder | None = None
    """The absent person whose seat the holder has taken over, and who gets it back on return."""
    newcomer: Holder | None = None
    """The person waiting to play here."""
    stand_in: bool = False
    """True if a bot plays for the absent holder."""

    @property
    def automatic(self) -> bool:
        return self.kind == "bot" or self.stand_in

    @property
    def plays_as(self) -> str:
        """The level of the bot that makes the moves."""
        return self.level if self.kind == "bot" else USUAL

    @property
    def people(self) -> list[Holder]:
        return [each for each in (self.holder, self.owner, self.newcomer) if each is not None]


_BOTS: Final = ("Alma", "Bruno", "Carla", "Dario", "Elsa", "Felix", "Greta", "Hugo", "Ida", "Jonas", "Kira")


def bot_name(seat: Seat) -> str:
    return _BOTS[seat]


def seats_near(seats: Sequence[TableSeat], addresses: Collection[str], but: Seat) -> list[Seat]:
    """Return the other seats with a person who has used a key from one of these addresses."""
    return [
        seat
        for seat, state in enumerate(seats)
        if seat != but and any(not set(addresses).isdisjoint(each.addresses) for each in state.people)
    ]


def count_people(holders: Iterable[Holder]) -> int:
    """Count the people among the holders of some seats. Those who share an address count as one."""
    groups: list[set[str]] = []
    for holder in holders:
        own = {holder.key_hash, *holder.addresses}
        joined = own.union(*[group for group in groups if not group.isdisjoint(own)])
        groups = [*[group for group in groups if group.isdisjoint(own)], joined]
    return len(groups)
