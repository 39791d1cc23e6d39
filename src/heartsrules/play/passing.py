"""Passing: legal passes as a lazy sequence or card by card, and the exchange."""

from __future__ import annotations

from functools import lru_cache
from math import comb
from typing import TYPE_CHECKING, ClassVar, Final

import attrs

from heartsrules.base.errors import InvalidState, Problem
from heartsrules.cards import NO_CARDS, Card, Cards, bag_of, cards_of, either, popcount
from heartsrules.play.lazy_moves import SeatChoices, chosen_of
from heartsrules.play.moves import Pass, pass_of
from heartsrules.play.violations import (
    AlreadyPassed,
    MayNotDecline,
    NotInHand,
    UnpassableCards,
    Violation,
    WrongNumberOfCards,
)
from heartsrules.rules import ANY_NUMBER, PassOptional, PassPlan, Rules, Seat
from heartsrules.rules.resolved import ResolvedRules

if TYPE_CHECKING:
    from mypy_extensions import i64

__all__ = ["PassOptions"]
__dir__ = __all__.copy


_ANY_SIZE: Final = (0,)
"""The sizes for a pass of any number of cards into the middle."""
_CHOOSE: Final = [[comb(number, chosen) for chosen in range(53)] for number in range(53)]
"""Binomial coefficients, indexed [n][k]."""


def _count(singles: int, doubles: int, wanted: tuple[int, ...]) -> int:
    """Return the number of ways to choose cards for recipients in turn.

    `wanted` has the number of cards for each. `singles` cards are held once, `doubles` twice.
    """
    if not wanted:
        return 1
    return _count_partly(singles, doubles, wanted[0], 0, 0, wanted[1:])


# Without the cache, five gifts from a hand of pairs take up to 24 times as long.
@lru_cache(maxsize=65536)
def _count_partly(
    singles: int, doubles: int, left: int, kept_singles: int, kept_doubles: int, later: tuple[int, ...]
) -> int:
    """Return the number of ways to complete a first choice and make the later ones.

    `left` cards of the first choice are still missing and can be taken from `singles` and `doubles`. The cards already
    visited have left `kept_singles` and `kept_doubles` for the later choices.
    """
    if not later:
        return sum(
            comb(doubles, twice) * comb(singles + doubles - twice, left - 2 * twice) for twice in range(left // 2 + 1)
        )
    total = 0
    for twice in range(min(doubles, left // 2) + 1):
        for once in range(min(doubles - twice, left - 2 * twice) + 1):
            taken = left - 2 * twice - once
            if taken > singles:
                continue
            ways = comb(doubles, twice) * comb(doubles - twice, once) * comb(singles, taken)
            total += ways * _count(kept_singles + singles - taken + once, kept_doubles + doubles - twice - once, later)
    return total


class SeatPasses(SeatChoices[Pass]):
    """The possible passes of one seat, in order.

    They are ordered by the sorted cards for each recipient in turn, compared card by card; declining, if allowed, is
    last. Passes of any number of cards are in the order of binary numbers: no card, the first card, the second, both,
    the third, and so on.
    """

    __slots__ = ("optional", "sizes")
    _what: ClassVar[tuple[str, str]] = ("pass", "passes")

    def __init__(self, seat: Seat, cards: Cards, sizes: tuple[int, ...], optional: bool) -> None:
        self.sizes: Final = sizes
        """The number of cards for each recipient, or (0,) for any number."""
        # No card is one of any number, so it does not decline.
        self.optional: Final = optional and sizes != _ANY_SIZE
        if sizes == _ANY_SIZE:
            # There is one deck.
            count = 1 << popcount(cards.lo)
        elif cards.hi or len(sizes) != 1:
            twice = popcount(cards.hi)
            count = _count(popcount(cards.lo) - twice, twice, sizes)
        else:
            count = ways_to_choose(cards.lo, sizes[0])
        super().__init__(seat, cards, count + self.optional)

    def at(self, index: int) -> Pass:
        bag = self.cards
        if self.sizes == _ANY_SIZE:
            return pass_of(self.seat, (chosen_of(bag.lo, index),) if index else ())
        if self.optional and index == self.count - 1:
            return Pass(self.seat)
        if not bag.hi and len(self.sizes) == 1:
            # By `_unrank` a pass takes 80 % more instructions.
            return pass_of(self.seat, (bag_of(choice_at(bag.lo, self.sizes[0], index), 0),))
        gifts: list[Cards] = []
        for number, size in enumerate(self.sizes):
            gift, index = _unrank(bag, size, self.sizes[number + 1 :], index)
            gifts.append(gift)
            bag -= gift
        return pass_of(self.seat, tuple(gifts))

    def holds(self, move: object) -> bool:
        if not isinstance(move, Pass) or move.seat != self.seat:
            return False
        if not move.cards:
            return self.optional or self.sizes == _ANY_SIZE
        if len(move.cards) != len(self.sizes):
            return False
        bag = self.cards
        for gift, size in zip(move.cards, self.sizes, strict=True):
            if (len(gift) != size if size else not gift) or not gift <= bag:
                return False
            bag -= gift
        return True

    def _key(self) -> tuple[object, ...]:
        return self.seat, self.cards, self.sizes, self.optional


def ways_to_choose(lo: i64, size: int) -> int:
    """Return the number of ways to choose `size` different cards of a mask."""
    return _CHOOSE[popcount(lo)][size]


def choice_at(lo: i64, size: i64, index: i64) -> i64:
    """Return the choice of `size` different cards at an index, by unranking."""
    chosen: i64 = 0
    left = popcount(lo)
    while size:
        bit = lo & -lo
        lo ^= bit
        left -= 1
        size -= 1
        ways: i64 = _CHOOSE[left][size]
        if index < ways:
            chosen |= bit
        else:
            index -= ways
            size += 1
    return chosen


def _unrank(bag: Cards, size: int, later: tuple[int, ...], index: int) -> tuple[Cards, int]:
    """Return the first recipient's cards at an index, and the index of the rest."""
    faces: list[tuple[Card, int]] = [(card, bag.count(card)) for card in cards_of(bag.lo)]
    doubles = popcount(bag.hi)
    singles = len(faces) - doubles
    kept_singles = kept_doubles = 0
    chosen: list[Card] = []
    for card, copies in faces:
        if len(chosen) == size:
            break
        if copies == 2:
            doubles -= 1
        else:
            singles -= 1
        # Sorted cards compare card by card: of two gifts that begin alike, the one with this card again comes first.
        for taken in range(min(copies, size - len(chosen)), 0, -1):
            kept = copies - taken
            ways = _count_partly(
                singles, doubles, size - len(chosen) - taken, kept_singles + (kept == 1), kept_doubles, later
            )
            if index < ways:
                chosen += [card] * taken
                kept_singles += kept == 1
                break
            index -= ways
        else:
            kept_singles += copies == 1
            kept_doubles += copies == 2
    return Cards(chosen), index


def passes_of(rules: Rules, deal_number: int, seat: Seat, hand: Cards) -> SeatPasses:
    return passes_in(rules._resolved, rules._resolved.sizes_of(deal_number), seat, hand)


def passes_in(resolved: ResolvedRules, sizes: tuple[int, ...], seat: Seat, hand: Cards) -> SeatPasses:
    locked = resolved.unpassable
    return SeatPasses(
        seat, bag_of(hand.lo & ~locked, hand.hi & ~locked) if locked else hand, sizes, resolved.may_decline
    )


def reasons_against_pass(
    rules: Rules, step: PassPlan, gifts: tuple[Cards, ...], hand: Cards | None
) -> tuple[Violation, ...]:
    """Return the reasons against a pass, in order of precedence.

    An empty pass declines. `hand` is None if it must stay unknown.
    """
    if not gifts:
        optional = rules.pass_optional is not PassOptional.NO or step == ANY_NUMBER
        return () if optional else (MayNotDecline(),)
    reasons: list[Violation] = []
    if len(gifts) != len(step):
        reasons.append(WrongNumberOfCards(None, len(gifts), len(step), len(step)))
    else:
        for number, (gift, (_, count)) in enumerate(zip(gifts, step, strict=True)):
            if len(gift) != count if count else not gift:
                reasons.append(WrongNumberOfCards(number, len(gift), count, len(step)))
    lacking = NO_CARDS
    locked = NO_CARDS
    left = hand
    for gift in gifts:
        if left is not None:
            lacking = either(lacking, gift - left)
            left -= gift
        locked = either(locked, (gift & rules.unpassable).distinct())
    if lacking and hand is not None:
        held = bag_of(hand.lo, hand.lo)
        reasons.append(NotInHand(lacking, lacking & held))
    if locked:
        reasons.append(UnpassableCards(locked))
    return tuple(reasons)


@attrs.frozen
class PassOptions:
    """The options of a player who has chosen some cards to pass.

    Tuples have one item per recipient.

    Attributes:
        addable: the cards that can be added, copies included.
        missing: the number of missing cards, or 0 if any number may be passed.
        complete: True if no card is missing and the seat has not passed. `Pass(seat, *cards)` is then legal.
            Without any card into the middle, the legal pass is `Pass(seat)`.
        reasons: the reasons against adding each of the other cards, in card order, copies included. They apply to
            every pass with the card there.
    """

    addable: tuple[Cards, ...]
    missing: tuple[int, ...]
    complete: bool
    reasons: tuple[tuple[tuple[Card, tuple[Violation, ...]], ...], ...]


def why_not_passed(rules: Rules, card: Card, before: tuple[Violation, ...]) -> tuple[Violation, ...]:
    return (*before, UnpassableCards(Cards([card]))) if card in rules.unpassable else before


def options_with(
    rules: Rules, deal_number: int, seat: Seat | None, hand: Cards, committed: bool, gifts: tuple[Cards, ...]
) -> PassOptions:
    """Return the options of a seat that has chosen some cards.

    `seat` is None for a spectator, and `committed` is True after the seat has passed. Missing recipients at the end are
    empty.

    Raises:
        InvalidState: the cards are not part of a pass from this hand. It lists every problem.
    """
    step = rules.pass_plan(deal_number)
    problems = _gift_problems(rules, step, hand, gifts)
    if problems:
        raise InvalidState(tuple(problems))
    chosen = (*gifts, *[NO_CARDS] * (len(step) - len(gifts)))
    left = hand
    for gift in chosen:
        left -= gift
    done: tuple[Violation, ...] = (AlreadyPassed(seat),) if committed and seat is not None else ()
    addable: list[Cards] = []
    missing: list[int] = []
    reasons: list[tuple[tuple[Card, tuple[Violation, ...]], ...]] = []
    for number, (_, count) in enumerate(step):
        size = len(chosen[number])
        before = done if size < count or not count else (*done, WrongNumberOfCards(number, size + 1, count, len(step)))
        against = tuple([(card, why_not_passed(rules, card, before)) for card in left])
        addable.append(Cards([card for card, why in against if not why]))
        missing.append(count - size if count else 0)
        reasons.append(against)
    complete = seat is not None and not committed and not any(missing)
    return PassOptions(tuple(addable), tuple(missing), complete, tuple(reasons))


def _gift_problems(
    rules: Rules, step: tuple[tuple[int, int], ...], hand: Cards, gifts: tuple[Cards, ...]
) -> list[Problem]:
    problems: list[Problem] = []
    if len(gifts) > len(step):
        problems.append(
            Problem.of("wrong-number-of-cards", ("cards",), "recipients", count=len(gifts), expected=len(step))
        )
    left = hand
    for number, gift in enumerate(gifts):
        place = f"cards[{number}]"
        if number < len(step) and len(gift) > step[number][1] > 0:
            problems.append(
                Problem.of(
                    "wrong-number-of-cards", (place,), "cards", name=place, count=len(gift), most=step[number][1]
                )
            )
        lacking = gift - left
        if lacking:
            problems.append(Problem.at("not-in-hand", place, cards=lacking))
        left -= gift
        locked = (gift & rules.unpassable).distinct()
        if locked:
            problems.append(Problem.at("card-may-not-be-passed", place, cards=locked))
    return problems


def receivers(rules: Rules, deal_number: int, declined: frozenset[Seat]) -> dict[tuple[Seat, int], Seat]:
    """Return the receiver of each choice, by (passer, recipient index).

    Cards that stay with their passer, or are put into the middle, have none.
    """
    players = rules.players
    step = rules._resolved.pass_plan(deal_number)
    routes: dict[tuple[Seat, int], Seat] = {}
    for giver in range(players):
        for number, (offset, _) in enumerate(step):
            to = receiver(rules, declined, giver, offset)
            if to != giver:
                routes[giver, number] = to
    return routes


def receiver(rules: Rules, declined: frozenset[Seat], giver: Seat, offset: int) -> Seat:
    """Return the receiver of cards, or the passer if they stay or go into the middle.

    `offset` is the distance to the intended recipient.
    """
    if giver in declined or not moves_cards(rules, declined):
        return giver
    players = rules.players
    to = (giver + offset) % players
    while to in declined:
        to = (to + offset) % players
    return to


def moves_cards(rules: Rules, declined: frozenset[Seat]) -> bool:
    """Return True if any cards leave a hand, given the seats that declined."""
    return not declined or rules.pass_optional is not PassOptional.UNANIMOUS


def pass_counts_of(passes: tuple[Pass, ...]) -> tuple[int, ...]:
    return tuple([sum([len(gift) for gift in each.cards]) for each in passes])


def laid_cards(rules: Rules, commitments: tuple[Pass, ...]) -> tuple[Cards, ...]:
    """Return the cards each seat put into the middle, or none in other deals."""
    if not moves_cards(rules, frozenset([each.seat for each in commitments if not each.cards])):
        return rules._resolved.nothing
    return tuple([each.cards[0] if each.cards else NO_CARDS for each in commitments])


def exchange(
    rules: Rules, deal_number: int, commitments: tuple[Pass, ...], dealt_back: tuple[Cards, ...] = ()
) -> tuple[tuple[Cards, ...], tuple[Cards, ...]]:
    """Return the cards that leave and that join each hand."""
    if rules._resolved.through_middle(deal_number):
        return laid_cards(rules, commitments), dealt_back
    declined = frozenset([each.seat for each in commitments if not each.cards])
    passed = [NO_CARDS] * rules.players
    received = [NO_CARDS] * rules.players
    for (giver, number), to in receivers(rules, deal_number, declined).items():
        gift = commitments[giver].cards[number]
        passed[giver] += gift
        received[to] += gift
    return tuple(passed), tuple(received)
