"""Dealing a deck or the middle of a pass, all possible deals, and checks of deals."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, Final, NoReturn, TypeGuard, overload

from heartsrules.base.errors import InvalidState, Problem
from heartsrules.base.values import (
    Unchecked,
    as_index,
    checked_players,
    closed,
    immutable,
    items_in,
    own_registry,
    wrong_type,
)
from heartsrules.cards import ALL_FACES, NO_CARDS, Card, Cards, bag_of, cards_of, with_bag, with_card
from heartsrules.chance.bits import Bits, SeededBits, secret_unless
from heartsrules.chance.shuffling import shuffled
from heartsrules.play.moves import Deal
from heartsrules.play.state import AwaitingDeal, DealingBack, State
from heartsrules.rules import Rules, Seat

if TYPE_CHECKING:
    from mypy_extensions import i64

__all__ = ["DealMoves", "chance_to_act", "cut_for_deal", "deal", "deal_cards", "deal_faults", "deal_problems"]
__dir__ = __all__.copy


def _source(seed: Unchecked[str | int] | None, rng: Bits | None, label: str) -> Bits:
    if seed is None:
        return secret_unless(rng)
    if rng is not None:
        raise TypeError("give either seed or rng, not both")
    return SeededBits(seed, label)


def chance_to_act(state: Unchecked[State]) -> TypeGuard[AwaitingDeal | DealingBack]:
    """Return True if hands must be dealt, or the cards in the middle dealt back."""
    if not isinstance(state, State):
        wrong_type("state", "a State", state)
    return isinstance(state, (AwaitingDeal, DealingBack))


def _awaiting(state: object) -> AwaitingDeal | DealingBack:
    if not isinstance(state, (AwaitingDeal, DealingBack)):
        wrong_type("state", "a state that awaits a deal", state)
    return state


@overload
def deal(state: State, *, seed: str | int | None = None) -> Deal: ...
@overload
def deal(state: State, *, rng: Bits) -> Deal: ...
def deal(state: Unchecked[State], *, seed: Unchecked[str | int] | None = None, rng: Bits | None = None) -> Deal:
    """Shuffle and deal.

    For a game between people, call `deal(state)`: it uses `random.SystemRandom()`, which cannot be predicted. Use a
    seed only for reproducible deals: a player can try thousands of seeds a second until one gives their own hand, and
    so all hands (see "The seeded shuffle" in the documentation).

    After a pass through the middle, the cards there are shuffled and dealt back one at a time to the players who put
    some in.

    Args:
        state: a state that awaits a deal (`chance_to_act`).
        seed: a text or an int, which is converted to its decimal text. The deal's number is mixed in, so one seed
            serves a whole match. To prevent guessing, use 128 random bits, such as `secrets.token_hex(16)`, and keep it
            secret until the match is over.
        rng: a source of random bits instead, such as `random.Random(7)`.

    Returns:
        The move to apply. It does not contain the seed or the generator.

    Raises:
        ValueError: `seed` contains a lone surrogate, which is not a character, or has more than 600 digits.
        TypeError: the state does not await a deal, or both `seed` and `rng` are given.
    """
    state = _awaiting(state)
    if isinstance(state, DealingBack):
        bits = _source(seed, rng, f"middle {state.deal_number}")
        pile = sum(state.middle_cards, NO_CARDS)
        return _dealt_back(state, shuffled(cards_of(pile.lo, pile.hi), bits))
    bits = _source(seed, rng, f"deal {state.deal_number}")
    resolved = state.rules._resolved
    return _handed_out(state, shuffled(cards_of(resolved.deck_lo, resolved.deck_hi), bits))


def deal_cards(state: Unchecked[State], order: Iterable[Card]) -> Deal:
    """Deal a pack in a given order, one card at a time from the dealer's left.

    The remaining cards are the kitty.

    Args:
        state: a state that awaits a deal (`chance_to_act`).
        order: every card of the deck in play, or of the middle, top card first.

    Raises:
        InvalidState: the cards are not the ones of the deck in play, or of the middle.
    """
    state = _awaiting(state)
    pack = list(items_in("order", order, Card, "Card", "the cards in the order of the pack", Cards))
    places = [(f"order[{place}]", card) for place, card in enumerate(pack)]
    whole = sum(state.middle_cards, NO_CARDS) if isinstance(state, DealingBack) else state.rules.deck
    problems = pack_problems(whole, "order", places)
    if problems:
        raise InvalidState(tuple(problems))
    return _dealt_back(state, pack) if isinstance(state, DealingBack) else _handed_out(state, pack)


def _dealt_back(state: DealingBack, pile: list[Card]) -> Deal:
    laid = state.middle_cards
    hands: list[list[Card]] = [[] for _ in laid]
    for card, seat in zip(pile, turns_back(laid, state.dealer), strict=True):
        hands[seat].append(card)
    return Deal(tuple(map(Cards, hands)))


def turns_back(laid: tuple[Cards, ...], dealer: Seat) -> list[Seat]:
    """Return the seat of each card dealt back, given the cards each seat put in."""
    players = len(laid)
    around = [(dealer + 1 + place) % players for place in range(players)]
    most = max([len(cards) for cards in laid])
    return [seat for turn in range(most) for seat in around if len(laid[seat]) > turn]


def _handed_out(state: AwaitingDeal, pack: list[Card]) -> Deal:
    resolved = state.rules._resolved
    players: i64 = resolved.players
    first: i64 = state.dealer + 1
    dealt = resolved.hand_size * players
    hands = [_every(pack, (seat - first) % players, dealt, players) for seat in range(players)]
    return Deal(tuple(hands), _every(pack, dealt, len(pack), 1))


def _every(pack: list[Card], start: i64, stop: i64, step: i64) -> Cards:
    lo: i64 = 0
    hi: i64 = 0
    while start < stop:
        lo, hi = with_card(lo, hi, pack[start].bit)
        start += step
    return bag_of(lo, hi)


def cut_for_deal(players: Unchecked[int], rng: Bits | None = None) -> Seat:
    """Cut for the first deal.

    Each player cuts a different card from one pack of 52, and the lowest rank deals. Players who share the lowest rank
    cut again, from the whole pack.

    Args:
        players: 3 to 11.
        rng: a source of random bits, such as `random.Random(7)` or `SeededBits("seed", "cut")`. Defaults to
            `random.SystemRandom()`.

    Returns:
        The seat that deals first, for `Rules.first_dealer`.

    Raises:
        ValueError: `players` is not from 3 to 11.
    """
    count = checked_players(players)
    bits = secret_unless(rng)
    cutters = list(range(count))
    while len(cutters) > 1:
        pack = shuffled(ALL_FACES, bits)
        lowest = min(pack[place].rank for place in range(len(cutters)))
        cutters = [seat for place, seat in enumerate(cutters) if pack[place].rank == lowest]
    return cutters[0]


# ------------------------------------------------------------------------------------------------------- a given deal


_NAMED: Final = 5
"""The maximum number of cards that a problem names."""


def pack_problems(deck: Cards, name: str, pack: list[tuple[str, Card]], named: int = _NAMED) -> list[Problem]:
    """Return the problems of missing, extra and foreign cards in a pack.

    Args:
        deck: the deck in play, or the cards in the middle.
        name: the field that the problems are about.
        pack: the cards, each with its position.
        named: the maximum number of cards that each problem names.
    """
    lo = hi = third = 0
    for _, card in pack:
        bit = card.bit
        third |= hi & bit
        lo, hi = with_card(lo, hi, bit)
    if not third and lo == deck.lo and hi == deck.hi:
        return []
    left = dict.fromkeys(ALL_FACES, 0)
    for card in deck:
        left[card] += 1
    for _, card in pack:
        left[card] -= 1
    missing = [(card, count) for card, count in left.items() if count > 0]
    extra = [(card, -count) for card, count in left.items() if count < 0 and card in deck]
    foreign = [(card, -count) for card, count in left.items() if count < 0 and card not in deck]
    problems: list[Problem] = []
    if missing:
        problems.append(_about_cards("missing-cards", name, missing, pack, named))
    if extra:
        problems.append(_about_cards("extra-cards", name, extra, pack, named))
    if foreign:
        problems.append(_about_cards("foreign-cards", name, foreign, pack, named))
    return problems


def _about_cards(
    code: str, name: str, cards: list[tuple[Card, int]], pack: list[tuple[str, Card]], named: int
) -> Problem:
    named_cards: list[tuple[Any, ...]] = []
    for card, _ in cards[:named]:
        places = [place for place, other in pack if other is card]
        named_cards.append((card, *places[:_NAMED]))
    total = sum([count for _, count in cards])
    more = total - sum([count for _, count in cards[:named]])
    return Problem.of(code, (name,), "dealt", count=total, cards=tuple(named_cards), more=more)


def deal_problems(rules: Rules, move: Unchecked[Deal]) -> tuple[Problem, ...]:
    """Return the problems of a deal, for the dealer.

    They are wrong sizes, and the first cards that are missing, extra or foreign, each with the hands that contain it.
    """
    move = _checked_deal(rules, move)
    if _is_dealt_right(rules, move):
        return ()
    places = [(f"hands[{seat}]", card) for seat, hand in enumerate(move.hands) for card in hand]
    places += [("kitty", card) for card in move.kitty]
    return (*_size_problems(rules, move), *pack_problems(rules.deck, "hands", places))


def deal_faults(rules: Rules, move: Unchecked[Deal]) -> tuple[Problem, ...]:
    """Return the problems of a deal without any card, for the whole table."""
    move = _checked_deal(rules, move)
    if _is_dealt_right(rules, move):
        return ()
    cards = [("", card) for bag in (*move.hands, move.kitty) for card in bag]
    return (*_size_problems(rules, move), *pack_problems(rules.deck, "hands", cards, named=0))


def back_problems(rules: Rules, laid: tuple[Cards, ...], move: Deal) -> tuple[Problem, ...]:
    """Return the problems of dealing the middle back, for the dealer.

    Their codes are those of `deal_problems`.
    """
    places = [(f"hands[{seat}]", card) for seat, hand in enumerate(move.hands) for card in hand]
    sizes = _wrong_sizes(move, rules.players, [len(cards) for cards in laid], 0)
    return (*sizes, *pack_problems(sum(laid, NO_CARDS), "hands", places))


def back_faults(rules: Rules, laid: tuple[Cards, ...], move: Deal) -> tuple[Problem, ...]:
    """Return whether dealing the middle back has problems, for the whole table.

    Details would reveal who declined.
    """
    return (Problem.of("wrong-pile", ("hands",)),) if back_problems(rules, laid, move) else ()


def _checked_deal(rules: object, move: object) -> Deal:
    if not isinstance(rules, Rules):
        wrong_type("rules", "a Rules", rules)
    if not isinstance(move, Deal):
        wrong_type("move", "a Deal", move)
    return move


def _size_problems(rules: Rules, move: Deal) -> list[Problem]:
    return _wrong_sizes(move, rules.players, [rules.cards_per_hand] * len(move.hands), rules.kitty_size)


def _wrong_sizes(move: Deal, players: int, sizes: Sequence[int], kitty: int) -> list[Problem]:
    problems: list[Problem] = []
    if len(move.hands) != players:
        hands = len(move.hands)
        problems.append(Problem.of("wrong-number-of-hands", ("hands",), count=hands, players=players))
    for seat, (hand, size) in enumerate(zip(move.hands, sizes, strict=False)):
        if len(hand) != size:
            params = {"seat": seat, "count": len(hand), "expected": size}
            problems.append(Problem.of("wrong-hand-size", (f"hands[{seat}]",), "dealt", **params))
    if len(move.kitty) != kitty:
        counts = {"count": len(move.kitty), "expected": kitty}
        problems.append(Problem.of("wrong-kitty-size", ("kitty",), "dealt", **counts))
    return problems


def _is_dealt_right(rules: Rules, move: Deal) -> bool:
    resolved = rules._resolved
    if len(move.hands) != resolved.players or len(move.kitty) != resolved.kitty_size:
        return False
    lo, hi = move.kitty.lo, move.kitty.hi
    for hand in move.hands:
        if len(hand) != resolved.hand_size or hand.hi & lo or hand.lo & hi:
            return False
        lo, hi = with_bag(lo, hi, hand.lo, hand.hi)
    return lo == resolved.deck_lo and hi == resolved.deck_hi


# ---------------------------------------------------------------------------------------------------------- all deals


def _too_many() -> NoReturn:
    raise OverflowError(
        "there are too many deals to count or to index: iterate, test with `in`, or make one with deal()"
    )


class DealMoves(Sequence[Deal]):
    """All deals of a rule set or of the middle, generated lazily.

    Iteration, `in` and truth work. `len`, indexing, `count`, `index` and `reversed` raise `OverflowError`. The deals
    are ordered by seat 0's sorted hand, compared card by card, then by seat 1's, and so on.
    """

    __slots__ = ("__weakref__", "_laid", "_rules")

    def __init__(self, rules: Rules, laid: tuple[Cards, ...] | None = None) -> None:
        self._rules = rules
        self._laid = laid
        """The cards each seat put into the middle, or None for the deck."""

    def __bool__(self) -> bool:
        return True

    def __len__(self) -> int:
        _too_many()

    def __getitem__(self, index: Any) -> Any:
        if not isinstance(index, slice):
            as_index(index)
        _too_many()

    def count(self, value: object) -> int:  # noqa: ARG002
        """Refuse to count, since there are too many deals. Use `in` to find one.

        Raises:
            OverflowError: always.
        """
        _too_many()

    def index(self, value: object, start: object = 0, stop: object = None) -> int:  # noqa: ARG002
        """Refuse to search, since there are too many deals. Use `in` to find one.

        Raises:
            OverflowError: always.
        """
        _too_many()

    def __contains__(self, move: object) -> bool:
        if not isinstance(move, Deal):
            return False
        laid = self._laid
        return not (deal_problems(self._rules, move) if laid is None else back_problems(self._rules, laid, move))

    def __iter__(self) -> Iterator[Deal]:
        if self._laid is None:
            return self._deals((), self._rules.deck, [self._rules.cards_per_hand] * self._rules.players)
        return self._deals((), sum(self._laid, NO_CARDS), [len(cards) for cards in self._laid])

    def _deals(self, hands: tuple[Cards, ...], left: Cards, sizes: list[int]) -> Iterator[Deal]:
        if len(hands) == self._rules.players:
            yield Deal(hands, left)
            return
        for hand in _sub_bags(left, sizes[len(hands)]):
            yield from self._deals((*hands, hand), left - hand, sizes)

    def __reversed__(self) -> Iterator[Deal]:
        _too_many()

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, DealMoves):
            return NotImplemented
        return self._rules == other._rules and self._laid == other._laid

    def __hash__(self) -> int:
        return hash((DealMoves, self._rules, self._laid))

    def __reduce__(self) -> tuple[Any, ...]:
        return DealMoves, (self._rules, self._laid)

    def __repr__(self) -> str:
        return f"<all deals of {self._rules!r}>" if self._laid is None else f"<all deals back of {self._laid!r}>"


own_registry(DealMoves)
closed(DealMoves)
immutable(DealMoves)


def _sub_bags(bag: Cards, size: int) -> Iterator[Cards]:
    if size == 0:
        yield NO_CARDS
        return
    if len(bag) < size:
        return
    face = cards_of(bag.lo)[0]
    rest = bag - Cards([face, face])
    for copies in range(min(bag.count(face), size), -1, -1):
        head = Cards([face] * copies)
        for tail in _sub_bags(rest, size - copies):
            yield head + tail
