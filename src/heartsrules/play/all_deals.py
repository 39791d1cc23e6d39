"""All deals of a rule set, as a lazy sequence of moves."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NoReturn

from heartsrules.base.values import as_index, own_registry
from heartsrules.cards import NO_CARDS, Cards, cards_of
from heartsrules.play.moves import Deal
from heartsrules.play.wrong_deals import deal_problems
from heartsrules.rules import Rules

__all__ = ["DealMoves"]


def _too_many() -> NoReturn:
    raise OverflowError(
        "there are too many deals to count or to index: iterate, test with `in`, or make one with deal()"
    )


class DealMoves(Sequence[Deal]):
    """All deals of a rule set. Iterating is lazy, `in` and truth work; `len`, indexing, `count`, `index` and `reversed`
    raise `OverflowError`.

    The order: the hand of seat 0 in the order of its sorted cards, compared card by card, then that of seat 1, and so
    on; the kitty is what remains.
    """

    __slots__ = ("_rules",)

    def __init__(self, rules: Rules) -> None:
        self._rules = rules

    def __bool__(self) -> bool:
        return True

    def __len__(self) -> int:
        _too_many()

    def __getitem__(self, index: Any) -> Any:
        if not isinstance(index, slice):
            as_index(index)
        _too_many()

    def count(self, value: object) -> int:  # noqa: ARG002
        """Refused: there are too many. `in` tells whether a deal is among them.

        Raises:
            OverflowError: always.
        """
        _too_many()

    def index(self, value: object, start: int = 0, stop: int | None = None) -> int:  # noqa: ARG002
        """Refused: there are too many. `in` tells whether a deal is among them.

        Raises:
            OverflowError: always.
        """
        _too_many()

    def __contains__(self, move: object) -> bool:
        return isinstance(move, Deal) and not deal_problems(self._rules, move)

    def __iter__(self) -> Iterator[Deal]:
        return self._deals((), self._rules.deck)

    def _deals(self, hands: tuple[Cards, ...], left: Cards) -> Iterator[Deal]:
        if len(hands) == self._rules.players:
            yield Deal(hands, left)
            return
        for hand in _sub_bags(left, self._rules.cards_per_hand):
            yield from self._deals((*hands, hand), left - hand)

    def __reversed__(self) -> Iterator[Deal]:
        _too_many()

    def __eq__(self, other: object) -> bool:
        return self._rules == other._rules if isinstance(other, DealMoves) else NotImplemented

    def __hash__(self) -> int:
        return hash((DealMoves, self._rules))

    def __repr__(self) -> str:
        return f"<all deals of {self._rules!r}>"


own_registry(DealMoves)


def _sub_bags(bag: Cards, size: int) -> Iterator[Cards]:
    """The bags of that size that a bag holds, in the order of their sorted cards."""
    if size == 0:
        yield NO_CARDS
        return
    if len(bag) < size:
        return
    face = cards_of(bag.lo)[0]
    rest = bag - Cards([face, face])
    for taken in range(min(bag.count(face), size), -1, -1):
        head = Cards([face] * taken)
        for tail in _sub_bags(rest, size - taken):
            yield head + tail
