"""What the judge tries: who has shot the moon, what each seat took of the special cards, and where cards must lie."""

from __future__ import annotations

from collections.abc import Sequence

import attrs

from heartsrules.setup.row_check._deck import Facts
from heartsrules.setup.row_check._search import Bin

__all__ = ["Case", "Layout", "Need", "Share"]


@attrs.frozen
class Case:
    """How the moon was shot, or that it was not."""

    moon: int
    """Its value; 0 without one."""
    apart: tuple[int | None, ...]
    """By seat, what the pile has of penalty cards that make no moon, None where the row does not tell; empty: nothing
    matters but the card points."""
    queens: bool | None
    """Whether the shooter's side has every Q♠; None: it makes no difference."""
    split: int
    """The faces that make the moon, where its cards must be told apart in the piles of several seats; else 0."""


@attrs.frozen
class Share:
    """What a seat may have, so that its points are right."""

    bonus: int
    """The points of its bonus cards."""
    doublers: int
    """How many copies of the doubler."""
    heart: bool | None
    """Whether it must have a heart that is worth nothing, or must have none; None: it makes no difference."""
    apart: int
    """The value of its penalty cards that make no moon."""


@attrs.frozen
class Need:
    """A card that must lie in one of some places."""

    places: tuple[int, ...]
    hearts: bool
    """A heart will do."""
    queens: bool
    """A Q♠ will do."""

    def is_met(self, pins: Sequence[tuple[int, bool]]) -> bool:
        return any([place in self.places and (self.hearts if heart else self.queens) for place, heart in pins])


@attrs.frozen
class Layout:
    """Cards that have their place already, and the room that is left for the others. The places are the piles by seat,
    and last what is in no pile."""

    facts: Facts
    bins: tuple[Bin, ...]
    counts: tuple[int, ...]
    """By place in the numbers of the cards, how many cards have no place yet."""
    hearts: tuple[int, ...]
    """By place in the numbers of the cards, how many hearts have no place yet, last those of the number 0."""
    queens: int
    """How many Q♠ have no place yet."""
    plain: int
    """How many cards have no place yet that have the number 0 and are not hearts."""
    pins: tuple[tuple[int, bool], ...] = ()
    """The places of cards that were put there: of a heart, or not: of a Q♠."""

    def with_cards(self, place: int, at: int, count: int, heart: bool) -> Layout | None:
        """The layout after so many hearts, or Q♠, have got their place; None: they cannot be there."""
        value, room, grows = self.bins[place]
        worthless = at == len(self.counts)
        counts, hearts, plain = self.counts, self.hearts, self.plain
        if not worthless:
            value -= count * self.facts.values[at]
            counts = _less(counts, at, count)
        elif not heart:
            plain -= count
        if heart:
            hearts = _less(hearts, at, count)
        queens = self.queens if heart else self.queens - count
        if min(value, queens, plain, *counts, *hearts) < 0:
            return None
        bins = (*self.bins[:place], (value, room - count, grows), *self.bins[place + 1 :])
        pins = (*self.pins, (place, heart)) if count else self.pins
        return Layout(self.facts, bins, counts, hearts, queens, plain, pins)

    def with_room(self, place: int, room: int) -> Layout:
        """The layout with more room in one place."""
        value, before, grows = self.bins[place]
        bins = (*self.bins[:place], (value, before + room, grows), *self.bins[place + 1 :])
        return attrs.evolve(self, bins=bins)

    def with_hearts(self, place: int) -> Layout | None:
        """The layout after all hearts that are left have got their place."""
        layout: Layout | None = self
        for at, count in enumerate(self.hearts):
            if count and layout is not None:
                layout = layout.with_cards(place, at, count, True)
        return layout

    def without_lonely(self, lonely: Sequence[int], extra: int) -> tuple[Layout, int] | None:
        """The layout without piles that are filled with plain cards, and the tricks that are left then, which some
        pile can grow by; None: there are not enough plain cards."""
        if any([heart and place in lonely for place, heart in self.pins]):
            return None
        if not lonely or not self.hearts[-1]:
            return self, extra
        players = self.facts.players
        bins = list(self.bins)
        filled = 0
        for place in lonely:
            _, room, grows = bins[place]
            grown = max(-(room // players), 0)
            if grown and not grows:
                return None
            extra -= grown
            filled += room + players * grown
            bins[place] = (0, 0, False)
        if extra > 0 and not any([grows for _, _, grows in bins]):
            filled += players * extra
            extra = 0
        if extra < 0 or filled > self.plain:
            return None
        return attrs.evolve(self, bins=tuple(bins), plain=self.plain - filled), extra


def _less(counts: tuple[int, ...], at: int, count: int) -> tuple[int, ...]:
    return (*counts[:at], counts[at] - count, *counts[at + 1 :])
