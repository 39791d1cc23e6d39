"""The search for a way to share out cards so that each pile has its value and its count of cards."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import accumulate
from typing import Final, TypeAlias

from heartsrules.setup.row_check._deck import Facts

__all__ = ["FIRST_NODES", "MOST_NODES", "Bin", "Search", "TooHardError"]

MOST_NODES: Final = 50_000
"""How many steps the search for one row may take before the row is refused as too hard to judge."""

FIRST_NODES: Final = 5_000
"""After so many steps of giving out the cards value by value, it is tried bin by bin for as many: with large values
that are all different, few sets of cards make a sum."""


Bin: TypeAlias = tuple[int, int, bool]
"""A pile, or what is in no pile: the value that its cards must have; how many cards worth something it has room for,
negative if it must grow first; and whether it can grow by tricks that were set aside."""


class TooHardError(Exception):
    """The search has taken all its steps."""


class Search:
    """Looks for distributions of the penalty cards. It counts its steps and remembers what did not work."""

    facts: Facts

    def __init__(self) -> None:
        self.nodes = 0
        self.limit = MOST_NODES
        """How many steps may be taken."""
        self._most = MOST_NODES
        self._counts: tuple[int, ...] = (-1,)
        self._failed: dict[tuple[int, tuple[int, ...]], set[tuple[int, int, tuple[Bin, ...]]]] = {}

    def _set(self, facts: Facts, counts: tuple[int, ...]) -> None:
        self.facts = facts
        self._counts = counts
        self._from = tuple(accumulate(reversed(counts), initial=0))[::-1]
        self._bad = self._failed.setdefault((facts.split, counts), set())

    def fits(self, facts: Facts, bins: Sequence[Bin], extra: int, counts: tuple[int, ...]) -> bool:
        """Whether these counts of cards can be put into the bins, which may grow by `extra` tricks together.

        The bins' values must add up to that of the cards.

        Raises:
            TooHardError: the search would take too many steps.
        """
        if counts != self._counts or facts is not self.facts:
            self._set(facts, counts)
        opened = self._open(bins, extra)
        if opened is None:
            return False
        wanting, left = opened
        for attempt in range(3):
            # What the first attempt has found out is still known in the third.
            self._most = min(self.nodes + FIRST_NODES, self.limit) if attempt < 2 else self.limit
            try:
                if attempt == 1:
                    return self._fill(wanting, left, counts, set())
                return self._node(0, wanting, left)
            except TooHardError:
                pass
        raise TooHardError

    def _open(self, bins: Sequence[Bin], extra: int) -> tuple[tuple[Bin, ...], int] | None:
        """The bins that still want cards, and the tricks that are left when the others have grown as they must."""
        wanting: list[Bin] = []
        for part in bins:
            value, room, grows = part
            if value:
                wanting.append(part)
            elif room < 0:
                extra -= -(room // self.facts.players)
                if not grows or extra < 0:
                    return None
        wanting.sort(reverse=True)
        return tuple(wanting), extra

    def count(self) -> None:
        """Count a step that was taken outside of the search.

        Raises:
            TooHardError: it was one too many.
        """
        self._most = self.limit
        self._step()

    def _step(self) -> None:
        self.nodes += 1
        if self.nodes > self._most:
            raise TooHardError

    def _node(self, place: int, bins: tuple[Bin, ...], extra: int) -> bool:
        """Whether the cards from that place in the values on can be put into the bins."""
        self._step()
        facts = self.facts
        players = facts.players
        cards = self._from[place]
        fewest = 0
        spans: list[tuple[int, int]] = []
        growth: list[int] = []
        for value, room, grows in bins:
            span = facts.span(place, value)
            if span is None:
                return False
            fewest += span[0]
            spans.append(span)
            growth.append(0)
            if span[0] > room:
                if not grows:
                    return False
                growth[-1] = -((room - span[0]) // players)
        spare = extra - sum(growth)
        if fewest > cards or spare < 0:
            return False
        most = 0
        for (_, room, grows), span, grown in zip(bins, spans, growth, strict=True):
            most += min(span[1], room + players * (spare + grown) if grows else room)
        if most < cards:
            return False
        if place >= len(facts.values) - 1:
            # Cards of one value alone are left: the bounds are exact, and the values add up.
            return True
        key = (place, extra, bins)
        if key in self._bad:
            return False
        count = self._counts[place]
        choices: list[list[int]] = []
        for (value, room, grows), grown in zip(bins, growth, strict=True):
            most_room = room + players * (spare + grown) if grows else room
            choices.append(self._choices(place, value, most_room, count))
        if self._spread(place, bins, extra, choices, count, []):
            return True
        self._bad.add(key)
        return False

    def _choices(self, place: int, value: int, room: int, count: int) -> list[int]:
        """How many of `count` cards of the value at that place a bin can take, most first."""
        facts = self.facts
        worth = facts.values[place]
        choices: list[int] = []
        for taken in range(min(count, value // worth), -1, -1):
            span = facts.span(place + 1, value - taken * worth)
            if span is not None and taken + span[0] <= room:
                choices.append(taken)
        return choices

    def _spread(
        self,
        place: int,
        bins: tuple[Bin, ...],
        extra: int,
        choices: list[list[int]],
        left: int,
        taken: list[int],
    ) -> bool:
        """Give the cards of one value to the bins from `len(taken)` on, in every way, and go on with the next value."""
        number = len(taken)
        if number == len(bins):
            worth = self.facts.values[place]
            after = [
                (value - count * worth, room - count, grows)
                for (value, room, grows), count in zip(bins, taken, strict=True)
            ]
            opened = self._open(after, extra)
            return opened is not None and self._node(place + 1, *opened)
        self._step()
        if left > sum([max(options, default=0) for options in choices[number:]]):
            return False
        rest = sum([max(options, default=0) for options in choices[number + 1 :]])
        # Of bins that are alike, the first takes most.
        limit = taken[-1] if number and bins[number] == bins[number - 1] else left
        for count in choices[number]:
            if count <= min(left, limit) and left - count <= rest:
                taken.append(count)
                if self._spread(place, bins, extra, choices, left - count, taken):
                    return True
                taken.pop()
        return False

    def _fill(
        self, bins: tuple[Bin, ...], extra: int, counts: tuple[int, ...], bad: set[tuple[int, int, tuple[int, ...]]]
    ) -> bool:
        """Whether all these cards can be put into the bins, filling the last one (of the least value) first."""
        self._step()
        if not bins:
            return True
        key = (len(bins), extra, counts)
        if key in bad:
            return False
        facts = self.facts
        spans = [facts.span(0, value) for value, _, _ in bins]
        cards = sum(counts)
        if sum([span[0] if span else cards + 1 for span in spans]) <= cards <= sum([s[1] for s in spans if s]):
            value, room, grows = bins[-1]
            most = room + facts.players * extra if grows else room
            for taken in self._sets(0, value, most, counts):
                used = sum(taken)
                left = extra + (room - used) // facts.players if used > room else extra
                if self._fill(bins[:-1], left, tuple([a - b for a, b in zip(counts, taken, strict=True)]), bad):
                    return True
        bad.add(key)
        return False

    def _sets(self, place: int, value: int, room: int, counts: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
        """The sets of at most so many cards, from that place on, that have that value, as counts by place."""
        self._step()
        facts = self.facts
        if place == len(counts):
            yield ()
            return
        worth = facts.values[place]
        for taken in range(min(counts[place], value // worth), -1, -1):
            span = facts.span(place + 1, value - taken * worth)
            if span is not None and taken + span[0] <= room:
                for rest in self._sets(place + 1, value - taken * worth, room - taken, counts):
                    yield (taken, *rest)
