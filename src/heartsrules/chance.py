"""Chance: shuffles, deals and the cut for the deal.

The seeded shuffle is a specification of its own, so that any language can reproduce and audit a deal; it does not
depend on the version of Python. See "The shuffle" in the documentation for its wording and test vectors.
"""

from __future__ import annotations

import hashlib
import random
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, Final, NoReturn, Protocol, TypeVar, final, overload

from heartsrules.cards import ALL_FACES, NO_CARDS, Card, Cards, cards_of
from heartsrules.errors import InvalidState, Problem
from heartsrules.moves import Deal
from heartsrules.rules import Rules, Seat
from heartsrules.state import AwaitingDeal
from heartsrules.values import IntOrBool, own_registry

if TYPE_CHECKING:
    from mypy_extensions import i64

__all__ = [
    "Bits",
    "DealMoves",
    "Draws",
    "SeededBits",
    "as_draws",
    "below",
    "cut_for_deal",
    "deal",
    "deal_cards",
    "deal_problems",
    "shuffled",
]

T = TypeVar("T")


class Bits(Protocol):
    """A source of random bits: `random.Random` and `random.SystemRandom` are some."""

    def getrandbits(self, k: int, /) -> int:
        """An integer of k random bits."""
        ...


class SeededBits:
    """The bit stream of a seed: SHA-256 in counter mode, cut into 64-bit words.

    Args:
        seed: a text, or an int, which stands for its decimal text.
        label: what the bits are for; streams with different labels are independent of each other.

    >>> hex(SeededBits("table 7", "deal 0").getrandbits(64))
    '0x564fec0f4fd384c'
    """

    def __init__(self, seed: str | int, label: str = "") -> None:
        if isinstance(seed, bool) or not isinstance(seed, (str, int)):
            raise TypeError(f"seed must be a str or an int, not {type(seed).__name__}")
        self._key = hashlib.sha256(f"heartsrules 1\n{label}\n{seed}".encode()).digest()
        self._counter = 0
        self._words: list[int] = []

    def getrandbits(self, k: int, /) -> int:
        """The first k bits of the next 64-bit word (k from 1 to 64)."""
        if not 1 <= k <= 64:
            raise ValueError(f"k must be from 1 to 64, not {k}")
        if not self._words:
            block = hashlib.sha256(self._key + self._counter.to_bytes(8, "big")).digest()
            self._counter += 1
            self._words = [int.from_bytes(block[at : at + 8], "big") for at in (24, 16, 8, 0)]
        return self._words.pop() >> (64 - k)


_FEW: Final = 4096


@final
class Draws:
    """A fast stream of random numbers, for playouts: Chris Doty-Humphrey's sfc32 generator.

    Unlike all values of this package it changes with every draw. It is as good as `random.Random` where one is asked
    for, and several times as fast in a compiled build. It is not for deals that players must not foresee: those
    are made by `deal(state)`.

    Args:
        seed: a text, or an int, which stands for its decimal text: it is hashed, so that similar seeds give
            unrelated streams.
        words: the four words of a stream to go on with; `repr` shows them. The seed is not looked at then.

    Raises:
        ValueError: `words` are not all from 0 to 2**32 - 1.
        TypeError: `seed` is no text and no int, or `words` are no four ints.

    >>> draws = Draws("table 7")
    >>> [draws.below(6) + 1 for _ in range(10)]
    [1, 1, 2, 4, 2, 3, 5, 6, 5, 6]
    """

    __slots__ = ("_a", "_b", "_c", "_counter")

    _a: i64
    _b: i64
    _c: i64
    _counter: i64

    def __init__(self, seed: str | int, words: tuple[int, int, int, int] | None = None) -> None:
        if words is not None:
            if len(words) != 4:
                raise TypeError(f"words must be four ints, not {len(words)}")
            if not 0 <= min(words) <= max(words) < 2**32:
                raise ValueError(f"words must be from 0 to 2**32 - 1, not {words}")
            self._a, self._b, self._c, self._counter = words
            return
        if isinstance(seed, bool) or not isinstance(seed, (str, int)):
            raise TypeError(f"seed must be a str or an int, not {type(seed).__name__}")
        digest = hashlib.sha256(f"heartsrules 1\ndraws\n{seed}".encode()).digest()
        self._a = 0
        self._b = int.from_bytes(digest[4:8], "big")
        self._c = int.from_bytes(digest[:4], "big")
        self._counter = 1
        self._stir()

    @staticmethod
    def from_bits(bits: IntOrBool) -> Draws:
        """The stream of 64 random bits, without hashing.

        Raises:
            ValueError: `bits` is not from 0 to 2**64 - 1.
            TypeError: `bits` is no int.
        """
        if not isinstance(bits, int) or isinstance(bits, bool):
            raise TypeError(f"bits must be an int, not {type(bits).__name__}")
        if not 0 <= bits < 2**64:
            raise ValueError(f"bits must be from 0 to 2**64 - 1, not {bits}")
        draws = Draws(0, (0, bits & 0xFFFFFFFF, bits >> 32, 1))
        draws._stir()
        return draws

    def copy(self) -> Draws:
        """Another stream that goes on as this one does from here."""
        return Draws(0, (self._a, self._b, self._c, self._counter))

    def __copy__(self) -> Draws:
        return self.copy()

    def __deepcopy__(self, memo: object) -> Draws:
        return self.copy()

    def __reduce__(self) -> tuple[Any, ...]:
        return Draws, (0, (self._a, self._b, self._c, self._counter))

    def __repr__(self) -> str:
        return f"Draws(0, words=({self._a}, {self._b}, {self._c}, {self._counter}))"

    def _stir(self) -> None:
        """Leave the first words out, which still resemble the seed."""
        for _ in range(12):
            self.word()

    def word(self) -> i64:
        """The next 32 random bits."""
        a = self._a
        b = self._b
        c = self._c
        counter = self._counter
        word = (a + b + counter) & 0xFFFFFFFF
        self._counter = (counter + 1) & 0xFFFFFFFF
        self._a = b ^ (b >> 9)
        self._b = (c + (c << 3)) & 0xFFFFFFFF
        self._c = (((c << 21) | (c >> 11)) + word) & 0xFFFFFFFF
        return word

    def pick(self, bound: i64) -> i64:
        """A number from 0 to bound - 1, for a bound from 1 to 4096: the upper half of bound times 32 random bits.

        No number is more likely than another by more than one part in a million; a bound of 1 draws nothing.
        """
        return (self.word() * bound) >> 32 if bound > 1 else 0

    def fair(self, bound: i64) -> i64:
        """What `heartsrules.chance.below` takes from 64 bits, for a bound from 1 to 2**31, in machine integers."""
        ones = 0xFFFFFFFF % bound + 1
        # 2**64 % bound: so many of the highest numbers would make some remainders more likely.
        excess = ones * ones % bound
        while True:
            high = self.word()
            low = self.word()
            if high < 0xFFFFFFFF or 0xFFFFFFFF - low >= excess:
                return (high % bound * ones + low) % bound

    def below(self, bound: int) -> int:
        """A number from 0 to bound - 1: `pick` for bounds up to 4096, above them 64 bits as `heartsrules.chance.below`
        takes them.

        Raises:
            ValueError: `bound` is not from 1 to 2**64.
        """
        return self.pick(bound) if 1 <= bound <= _FEW else below(self, bound)

    def getrandbits(self, k: int, /) -> int:
        """The first k bits of the next two words (k from 1 to 64)."""
        if not 1 <= k <= 64:
            raise ValueError(f"k must be from 1 to 64, not {k}")
        high = int(self.word())
        return (high << 32 | int(self.word())) >> (64 - k)


def as_draws(rng: Draws | Bits) -> Draws:
    """The stream itself, or one of 64 bits of another source.

    Raises:
        TypeError: `rng` is no source of random bits.
    """
    return rng if isinstance(rng, Draws) else Draws.from_bits(_checked_bits(rng).getrandbits(64))


def below(bits: Bits, bound: int) -> int:
    """A number from 0 to bound - 1, all equally likely: draws of 64 bits, refused above the last whole multiple.

    Raises:
        ValueError: `bound` is not from 1 to 2**64.
    """
    if not 1 <= bound <= 2**64:
        raise ValueError(f"bound must be from 1 to 2**64, not {bound}")
    limit = 2**64 - 2**64 % bound
    while True:
        number = bits.getrandbits(64)
        if number < limit:
            return number % bound


def shuffled(items: Sequence[T], bits: Bits) -> list[T]:
    """The items in a random order: Fisher and Yates, from the last place down."""
    order = list(items)
    for last in range(len(order) - 1, 0, -1):
        other = bits.fair(last + 1) if isinstance(bits, Draws) else below(bits, last + 1)
        order[last], order[other] = order[other], order[last]
    return order


def _source(seed: str | int | None, rng: Bits | None, label: str) -> Bits:
    if seed is None:
        return _secret_unless(rng)
    if rng is not None:
        raise TypeError("give either seed or rng, not both")
    return SeededBits(seed, label)


def _secret_unless(rng: Bits | None) -> Bits:
    """A source of random bits, by default that of the operating system, which nobody can foresee."""
    return random.SystemRandom() if rng is None else _checked_bits(rng)


def _checked_bits(rng: Bits | None) -> Bits:
    if rng is None or not hasattr(rng, "getrandbits"):
        raise TypeError(f"rng must have getrandbits, as random.Random has, not be a {type(rng).__name__}")
    return rng


def _awaiting(state: object) -> AwaitingDeal:
    if not isinstance(state, AwaitingDeal):
        raise TypeError(f"state must be an AwaitingDeal, not {type(state).__name__}")
    return state


@overload
def deal(state: AwaitingDeal, *, seed: str | int | None = None) -> Deal: ...
@overload
def deal(state: AwaitingDeal, *, rng: Bits) -> Deal: ...
def deal(state: AwaitingDeal, *, seed: str | int | None = None, rng: Bits | None = None) -> Deal:
    """Shuffle and deal: `deal(state)` where people play, by `random.SystemRandom()`, which nobody can foresee.

    A seed is for what must come out the same again, such as an example or a test. Whoever guesses it knows every hand,
    and a player can try thousands of seeds a second against the own hand; "The shuffle" in the documentation shows it.

    Args:
        state: a state that awaits a deal.
        seed: the seed of the deal, a text or an int (which stands for its decimal text). The number of the deal is
            mixed in, so one seed serves a whole match. To keep it from being guessed, give it 128 random bits, as
            `secrets.token_hex(16)` does, and tell nobody before the match is over.
        rng: or a source of random bits instead, such as `random.Random(7)`.

    Returns:
        The move to apply. Neither seed nor generator is kept in it, or in any state.

    Raises:
        TypeError: the state awaits no deal, an argument has the wrong type, or both `seed` and `rng` are given.
    """
    _awaiting(state)
    bits = _source(seed, rng, f"deal {state.deal_number}")
    tables = state.rules._tables
    return _handed_out(state, shuffled(cards_of(tables.deck_lo, tables.deck_hi), bits))


def deal_cards(state: AwaitingDeal, order: Iterable[Card]) -> Deal:
    """Deal a pack that lies in a given order: one card at a time, dealer's left first; what is left is the kitty.

    Args:
        state: a state that awaits a deal.
        order: every card of the deck in play, the card on top first.

    Raises:
        InvalidState: the cards are not those of the deck in play.
        TypeError: an argument has the wrong type.
    """
    rules = _awaiting(state).rules
    if isinstance(order, (str, Cards)) or not isinstance(order, Iterable):
        raise TypeError(f"order must be the cards in the order of the pack, not {type(order).__name__}")
    pack = list(order)
    for card in pack:
        if not isinstance(card, Card):
            raise TypeError(f"order must hold only Card, not {type(card).__name__}")
    problems = _pack_problems(rules, "order", pack)
    if problems:
        raise InvalidState(tuple(problems))
    return _handed_out(state, pack)


def _handed_out(state: AwaitingDeal, pack: list[Card]) -> Deal:
    tables = state.rules._tables
    players: i64 = tables.players
    first: i64 = state.dealer + 1
    dealt = tables.hand_size * players
    hands = [_every(pack, (seat - first) % players, dealt, players) for seat in range(players)]
    return Deal(tuple(hands), _every(pack, dealt, len(pack), 1))


def _every(pack: list[Card], start: i64, stop: i64, step: i64) -> Cards:
    """The cards of a slice of a pack."""
    lo: i64 = 0
    hi: i64 = 0
    while start < stop:
        bit = pack[start].bit
        hi |= lo & bit
        lo |= bit
        start += step
    return Cards((), lo, hi)


def _pack_problems(rules: Rules, name: str, pack: list[Card]) -> list[Problem]:
    """What forbids that these cards are the deck in play: missing, extra and foreign cards."""
    lo = hi = third = 0
    for card in pack:
        bit = card.bit
        third |= hi & bit
        hi |= lo & bit
        lo |= bit
    if not third and lo == rules._tables.deck_lo and hi == rules._tables.deck_hi:
        return []
    left = dict.fromkeys(ALL_FACES, 0)
    for card in rules.deck:
        left[card] += 1
    known = rules.deck
    for card in pack:
        left[card] -= 1
    problems: list[Problem] = []
    missing = [str(card) for card, count in left.items() for _ in range(count)]
    if missing:
        problems.append(Problem("missing-cards", (name,), f"{' '.join(missing)} must be dealt too"))
    extra = [str(card) for card, count in left.items() if card in known for _ in range(-count)]
    if extra:
        problems.append(
            Problem("extra-cards", (name,), f"{' '.join(extra)} is dealt more often than the deck in play holds it")
        )
    foreign = [str(card) for card, count in left.items() if card not in known for _ in range(-count)]
    if foreign:
        problems.append(Problem("foreign-cards", (name,), f"{' '.join(foreign)} is not in play under these rules"))
    return problems


def deal_problems(rules: Rules, move: Deal) -> tuple[Problem, ...]:
    """Everything that forbids a deal: wrong sizes, missing, extra or foreign cards; never whose a card is."""
    if _is_dealt_right(rules, move):
        return ()
    problems: list[Problem] = []
    if len(move.hands) != rules.players:
        problems.append(
            Problem(
                "wrong-number-of-hands",
                ("hands",),
                f"the deal has {len(move.hands)} hands for {rules.players} players",
            )
        )
    for seat, hand in enumerate(move.hands):
        if len(hand) != rules.cards_per_hand:
            problems.append(
                Problem(
                    "wrong-hand-size",
                    (f"hands[{seat}]",),
                    f"hand {seat} has {len(hand)} cards, but every hand is dealt {rules.cards_per_hand}",
                )
            )
    if len(move.kitty) != rules.kitty_size:
        problems.append(
            Problem(
                "wrong-kitty-size",
                ("kitty",),
                f"the kitty has {len(move.kitty)} cards, but {rules.kitty_size} are left over",
            )
        )
    cards = [card for bag in (*move.hands, move.kitty) for card in bag]
    return (*problems, *_pack_problems(rules, "hands", cards))


def _is_dealt_right(rules: Rules, move: Deal) -> bool:
    """Whether nothing is wrong with a deal, as quickly as the masks tell it."""
    tables = rules._tables
    if len(move.hands) != tables.players or len(move.kitty) != tables.kitty_size:
        return False
    lo, hi = move.kitty.lo, move.kitty.hi
    for hand in move.hands:
        if len(hand) != tables.hand_size or hand.hi & lo or hand.lo & hi:
            return False
        hi |= hand.hi | hand.lo & lo
        lo |= hand.lo
    return lo == tables.deck_lo and hi == tables.deck_hi


def _too_many() -> NoReturn:
    raise OverflowError(
        "there are too many deals to count or to index: iterate, test with `in`, or make one with deal()"
    )


class DealMoves(Sequence[Deal]):
    """All deals of a rule set. Iterating is lazy, `in` and truth work; `len` and indexing raise `OverflowError`.

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


def cut_for_deal(players: IntOrBool, rng: Bits | None = None) -> Seat:
    """Cut for the first deal: every player cuts a card, the lowest rank deals, and equal lowest ranks cut again.

    The players cut from one pack of 52 cards, so no two cut the same card; only those who share the lowest rank cut
    again, from the whole pack.

    Args:
        players: 3 to 11.
        rng: a source of random bits, such as `random.Random(7)` or `SeededBits("seed", "cut")`; None:
            `random.SystemRandom()`, which nobody can foresee.

    Returns:
        The seat that deals first, for `Rules.first_dealer`.

    Raises:
        ValueError: there is no table of so many players.
        TypeError: an argument has the wrong type.
    """
    if not isinstance(players, int) or isinstance(players, bool):
        raise TypeError(f"players must be an int, not {type(players).__name__}")
    if not 3 <= players <= 11:
        raise ValueError(f"players is {players}: choose 3 to 11")
    bits = _secret_unless(rng)
    cutters = list(range(players))
    while len(cutters) > 1:
        pack = shuffled(ALL_FACES, bits)
        lowest = min(pack[place].rank for place in range(len(cutters)))
        cutters = [seat for place, seat in enumerate(cutters) if pack[place].rank == lowest]
    return cutters[0]
