"""Chance: shuffles, deals and the cut for the deal.

The seeded shuffle is a specification of its own, so that any language can reproduce and audit a deal; it does not
depend on the version of Python. See "The shuffle" in the documentation for its wording and test vectors.
"""

from __future__ import annotations

import hashlib
import random
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, Final, NoReturn, Protocol, TypeVar, final, overload

from heartsrules.cards import ALL_FACES, NO_CARDS, Card, Cards, bag_of, cards_of
from heartsrules.errors import InvalidState, Problem
from heartsrules.moves import Deal
from heartsrules.rules import Rules, Seat
from heartsrules.state import AwaitingDeal
from heartsrules.values import Unchecked, as_index, checked_int, own_registry, shown, wrong_type

if TYPE_CHECKING:
    from mypy_extensions import i64

__all__ = [
    "Bits",
    "DealMoves",
    "RandomStream",
    "SeededBits",
    "as_stream",
    "below",
    "cut_for_deal",
    "deal",
    "deal_cards",
    "deal_faults",
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
        seed: a text, or an int of at most 600 digits, which stands for its decimal text.
        label: what the bits are for; streams with different labels are independent of each other.

    Raises:
        ValueError: `seed` or `label` holds a lone surrogate, which is no character, or `seed` has too many digits.
        TypeError: `seed` is no text and no int, or `label` no text.

    >>> hex(SeededBits("table 7", "deal 0").getrandbits(64))
    '0x564fec0f4fd384c'
    """

    def __init__(self, seed: str | int | Unchecked, label: str | Unchecked = "") -> None:
        text = _seed_text(seed)
        self._key = hashlib.sha256(f"heartsrules 1\n{_text('label', label)}\n{text}".encode()).digest()
        self._counter = 0
        self._words: list[int] = []

    def getrandbits(self, k: int | Unchecked, /) -> int:
        """The first k bits of the next 64-bit word (k from 1 to 64)."""
        count = _bit_count(k)
        if not self._words:
            block = hashlib.sha256(self._key + self._counter.to_bytes(8, "big")).digest()
            self._counter += 1
            self._words = [int.from_bytes(block[at : at + 8], "big") for at in (24, 16, 8, 0)]
        return self._words.pop() >> (64 - count)


_LONGEST: Final = 10**600


def _seed_text(seed: object) -> str:
    """The text of a seed."""
    if isinstance(seed, str):
        return _text("seed", seed)
    if not isinstance(seed, int) or isinstance(seed, bool):
        wrong_type("seed", "a str or an int", seed)
    if not -_LONGEST < seed < _LONGEST:
        raise ValueError(f"seed is {shown(seed)}: give at most 600 digits, or a text")
    return str(seed)


def _text(name: str, value: object) -> str:
    """A text that can be written as UTF-8."""
    if not isinstance(value, str):
        wrong_type(name, "a str", value)
    try:
        value.encode()
    except UnicodeEncodeError as error:
        raise ValueError(
            f"{name} holds a lone surrogate at index {error.start}, which is no character: leave it out"
        ) from None
    return value


def _bit_count(k: object) -> int:
    count = checked_int("k", k)
    if not 1 <= count <= 64:
        raise ValueError(f"k must be from 1 to 64, not {shown(count)}")
    return count


_FEW: Final = 4096


@final
class RandomStream:
    """A fast stream of random numbers, for playouts: Chris Doty-Humphrey's sfc32 generator.

    Unlike all values of this package it changes with every draw. It is as good as `random.Random` where one is asked
    for, and several times as fast in a compiled build. It is not for deals that players must not foresee: those
    are made by `deal(state)`.

    Args:
        seed: a text, or an int of at most 600 digits, which stands for its decimal text: it is hashed, so that similar
            seeds give unrelated streams.
        words: the four words of a stream to go on with; `repr` shows them. The seed is not looked at then.

    Raises:
        ValueError: `words` are not all from 0 to 2**32 - 1, or `seed` holds a lone surrogate or too many digits.
        TypeError: `seed` is no text and no int, or `words` are no tuple of four ints.

    >>> stream = RandomStream("table 7")
    >>> [stream.below(6) + 1 for _ in range(10)]
    [1, 1, 2, 4, 2, 3, 5, 6, 5, 6]
    """

    __slots__ = ("_a", "_b", "_c", "_counter")

    _a: i64
    _b: i64
    _c: i64
    _counter: i64

    def __init__(self, seed: str | int | Unchecked, words: tuple[int, int, int, int] | Unchecked | None = None) -> None:
        if words is not None:
            self._a, self._b, self._c, self._counter = _four_words(words)
            return
        digest = hashlib.sha256(f"heartsrules 1\ndraws\n{_seed_text(seed)}".encode()).digest()
        self._a = 0
        self._b = int.from_bytes(digest[4:8], "big")
        self._c = int.from_bytes(digest[:4], "big")
        self._counter = 1
        self._stir()

    @staticmethod
    def from_bits(bits: int | Unchecked) -> RandomStream:
        """The stream of 64 random bits, without hashing.

        Raises:
            ValueError: `bits` is not from 0 to 2**64 - 1.
            TypeError: `bits` is no int.
        """
        number = checked_int("bits", bits)
        if not 0 <= number < 2**64:
            raise ValueError(f"bits must be from 0 to 2**64 - 1, not {shown(number)}")
        stream = RandomStream(0, (0, number & 0xFFFFFFFF, number >> 32, 1))
        stream._stir()
        return stream

    def copy(self) -> RandomStream:
        """Another stream that goes on as this one does from here."""
        return RandomStream(0, (self._a, self._b, self._c, self._counter))

    def __copy__(self) -> RandomStream:
        return self.copy()

    def __deepcopy__(self, memo: object) -> RandomStream:
        return self.copy()

    def __reduce__(self) -> tuple[Any, ...]:
        return RandomStream, (0, (self._a, self._b, self._c, self._counter))

    def __repr__(self) -> str:
        return f"RandomStream(0, words=({self._a}, {self._b}, {self._c}, {self._counter}))"

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

    def pick(self, bound: int | Unchecked) -> int:
        """A number from 0 to bound - 1, for a bound from 1 to 4096: the upper half of bound times 32 random bits.

        No number is more likely than another by more than one part in a million; a bound of 1 draws nothing.

        Raises:
            ValueError: `bound` is not from 1 to 4096.
            TypeError: `bound` is no int.
        """
        number = checked_int("bound", bound)
        if not 1 <= number <= _FEW:
            raise ValueError(f"bound must be from 1 to {_FEW}, not {shown(number)}")
        return self._pick(number)

    def _pick(self, bound: i64) -> i64:
        return (self.word() * bound) >> 32 if bound > 1 else 0

    def fair(self, bound: int | Unchecked) -> int:
        """What `heartsrules.chance.below` takes from 64 bits, for a bound from 1 to 2**31, in machine integers.

        Raises:
            ValueError: `bound` is not from 1 to 2**31.
            TypeError: `bound` is no int.
        """
        number = checked_int("bound", bound)
        if not 1 <= number <= 2**31:
            raise ValueError(f"bound must be from 1 to 2**31, not {shown(number)}")
        return self._fair(number)

    def _fair(self, bound: i64) -> i64:
        ones = 0xFFFFFFFF % bound + 1
        # 2**64 % bound: so many of the highest numbers would make some remainders more likely.
        excess = ones * ones % bound
        while True:
            high = self.word()
            low = self.word()
            if high < 0xFFFFFFFF or 0xFFFFFFFF - low >= excess:
                return (high % bound * ones + low) % bound

    def below(self, bound: int | Unchecked) -> int:
        """A number from 0 to bound - 1: `pick` for bounds up to 4096, above them 64 bits as `heartsrules.chance.below`
        takes them.

        Raises:
            ValueError: `bound` is not from 1 to 2**64.
            TypeError: `bound` is no int.
        """
        number = checked_int("bound", bound)
        return self._pick(number) if 1 <= number <= _FEW else below(self, number)

    def getrandbits(self, k: int | Unchecked, /) -> int:
        """The first k bits of the next two words (k from 1 to 64)."""
        count = _bit_count(k)
        high = int(self.word())
        return (high << 32 | int(self.word())) >> (64 - count)


def _four_words(words: object) -> tuple[int, int, int, int]:
    if not isinstance(words, tuple):
        wrong_type("words", "a tuple of four ints", words)
    if len(words) != 4:
        raise TypeError(f"words must be four ints, not {len(words)}")
    for word in words:
        if not isinstance(word, int) or isinstance(word, bool):
            raise TypeError(f"words must hold only ints, not {type(word).__name__}")
        if not 0 <= word < 2**32:
            raise ValueError(f"words must be from 0 to 2**32 - 1, not {shown(word)}")
    a, b, c, counter = words
    return a, b, c, counter


def as_stream(rng: RandomStream | Bits) -> RandomStream:
    """The stream itself, or one of 64 bits of another source.

    Raises:
        TypeError: `rng` is no source of random bits.
    """
    return rng if isinstance(rng, RandomStream) else RandomStream.from_bits(_checked_bits(rng).getrandbits(64))


def below(bits: Bits, bound: int | Unchecked) -> int:
    """A number from 0 to bound - 1, all equally likely: draws of 64 bits, refused above the last whole multiple.

    Raises:
        ValueError: `bound` is not from 1 to 2**64.
        TypeError: `bits` is no source of random bits, or `bound` no int.
    """
    count = checked_int("bound", bound)
    if not 1 <= count <= 2**64:
        raise ValueError(f"bound must be from 1 to 2**64, not {shown(count)}")
    limit = 2**64 - 2**64 % count
    source = _checked_bits(bits, "bits")
    while True:
        number = source.getrandbits(64)
        if number < limit:
            return number % count


def shuffled(items: Iterable[T], bits: Bits) -> list[T]:
    """The items in a random order: Fisher and Yates, from the last place down.

    Raises:
        TypeError: `items` are no iterable, or `bits` is no source of random bits.
    """
    if not isinstance(items, Iterable):
        wrong_type("items", "an iterable", items)
    _checked_bits(bits, "bits")
    order = list(items)
    for last in range(len(order) - 1, 0, -1):
        other = bits._fair(last + 1) if isinstance(bits, RandomStream) else below(bits, last + 1)
        order[last], order[other] = order[other], order[last]
    return order


def _source(seed: str | int | Unchecked | None, rng: Bits | None, label: str) -> Bits:
    if seed is None:
        return _secret_unless(rng)
    if rng is not None:
        raise TypeError("give either seed or rng, not both")
    return SeededBits(seed, label)


def _secret_unless(rng: Bits | None) -> Bits:
    """A source of random bits, by default that of the operating system, which nobody can foresee."""
    return random.SystemRandom() if rng is None else _checked_bits(rng)


def _checked_bits(rng: Bits | None, name: str = "rng") -> Bits:
    if rng is None or not hasattr(rng, "getrandbits"):
        raise TypeError(f"{name} must have getrandbits, as random.Random has, not be a {type(rng).__name__}")
    return rng


def _awaiting(state: object) -> AwaitingDeal:
    if not isinstance(state, AwaitingDeal):
        wrong_type("state", "an AwaitingDeal", state)
    return state


@overload
def deal(state: AwaitingDeal, *, seed: str | int | None = None) -> Deal: ...
@overload
def deal(state: AwaitingDeal, *, rng: Bits) -> Deal: ...
def deal(
    state: AwaitingDeal | Unchecked, *, seed: str | int | Unchecked | None = None, rng: Bits | None = None
) -> Deal:
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
        ValueError: `seed` holds a lone surrogate, which is no character, or has more than 600 digits.
        TypeError: the state awaits no deal, an argument has the wrong type, or both `seed` and `rng` are given.
    """
    state = _awaiting(state)
    bits = _source(seed, rng, f"deal {state.deal_number}")
    tables = state.rules.tables
    return _handed_out(state, shuffled(cards_of(tables.deck_lo, tables.deck_hi), bits))


def deal_cards(state: AwaitingDeal | Unchecked, order: Iterable[Card]) -> Deal:
    """Deal a pack that lies in a given order: one card at a time, dealer's left first; what is left is the kitty.

    Args:
        state: a state that awaits a deal.
        order: every card of the deck in play, the card on top first.

    Raises:
        InvalidState: the cards are not those of the deck in play.
        TypeError: an argument has the wrong type.
    """
    state = _awaiting(state)
    given: object = order
    if isinstance(given, (str, Cards)) or not isinstance(given, Iterable):
        wrong_type("order", "the cards in the order of the pack", given)
    pack = list(order)
    items: Iterable[object] = pack
    for card in items:
        if not isinstance(card, Card):
            raise TypeError(f"order must hold only Card, not {type(card).__name__}")
    problems = _pack_problems(state.rules, "order", [(f"order[{place}]", card) for place, card in enumerate(pack)])
    if problems:
        raise InvalidState(tuple(problems))
    return _handed_out(state, pack)


def _handed_out(state: AwaitingDeal, pack: list[Card]) -> Deal:
    tables = state.rules.tables
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
    return bag_of(lo, hi)


_NAMED: Final = 5
"""How many cards of each kind a problem names."""


def _pack_problems(rules: Rules, name: str, pack: list[tuple[str, Card]], named: int = _NAMED) -> list[Problem]:
    """What forbids that these cards, each with the place where it lies, are the deck in play: missing, extra and
    foreign cards. Of each kind so many are named."""
    lo = hi = third = 0
    for _, card in pack:
        bit = card.bit
        third |= hi & bit
        hi |= lo & bit
        lo |= bit
    if not third and lo == rules.tables.deck_lo and hi == rules.tables.deck_hi:
        return []
    left = dict.fromkeys(ALL_FACES, 0)
    for card in rules.deck:
        left[card] += 1
    known = rules.deck
    for _, card in pack:
        left[card] -= 1
    missing = [(card, count) for card, count in left.items() if count > 0]
    extra = [(card, -count) for card, count in left.items() if count < 0 and card in known]
    foreign = [(card, -count) for card, count in left.items() if count < 0 and card not in known]
    problems: list[Problem] = []
    if missing:
        problems.append(_about_cards("missing-cards", name, missing, pack, named, "not dealt, but in play"))
    if extra:
        problems.append(_about_cards("extra-cards", name, extra, pack, named, "dealt more often than in play"))
    if foreign:
        problems.append(_about_cards("foreign-cards", name, foreign, pack, named, "not in play under these rules"))
    return problems


def _about_cards(
    code: str, name: str, cards: list[tuple[Card, int]], pack: list[tuple[str, Card]], named: int, what: str
) -> Problem:
    total = sum([count for _, count in cards])
    return Problem(code, (name,), f"{_named(cards[:named], total, pack)} {'is' if total == 1 else 'are'} {what}")


def _named(cards: list[tuple[Card, int]], total: int, pack: list[tuple[str, Card]]) -> str:
    """Some cards by name, each with the first places where it lies, and how many more there are."""
    if not cards:
        return "1 card" if total == 1 else f"{total} cards"
    names: list[str] = []
    for card, _ in cards:
        places = [place for place, other in pack if other is card][:_NAMED]
        names.append(f"{card} ({', '.join(places)})" if places else str(card))
    more = total - sum([count for _, count in cards])
    return f"{', '.join(names)} and {more} more" if more else ", ".join(names)


def deal_problems(rules: Rules, move: Deal | Unchecked) -> tuple[Problem, ...]:
    """Everything that forbids a deal, for whoever told it: wrong sizes, and the first cards that are missing, extra or
    foreign, each with the hands that hold it.

    Raises:
        TypeError: an argument has the wrong type.
    """
    move = _checked_deal(rules, move)
    if _is_dealt_right(rules, move):
        return ()
    places = [(f"hands[{seat}]", card) for seat, hand in enumerate(move.hands) for card in hand]
    places += [("kitty", card) for card in move.kitty]
    return (*_size_problems(rules, move), *_pack_problems(rules, "hands", places))


def deal_faults(rules: Rules, move: Deal | Unchecked) -> tuple[Problem, ...]:
    """The same for anybody: sizes and counts, and no card.

    Raises:
        TypeError: an argument has the wrong type.
    """
    move = _checked_deal(rules, move)
    if _is_dealt_right(rules, move):
        return ()
    cards = [("", card) for bag in (*move.hands, move.kitty) for card in bag]
    return (*_size_problems(rules, move), *_pack_problems(rules, "hands", cards, named=0))


def _checked_deal(rules: object, move: object) -> Deal:
    if not isinstance(rules, Rules):
        wrong_type("rules", "a Rules", rules)
    if not isinstance(move, Deal):
        wrong_type("move", "a Deal", move)
    return move


def _size_problems(rules: Rules, move: Deal) -> list[Problem]:
    """The hands and the kitty that have not the sizes that the rules deal."""
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
    return problems


def _is_dealt_right(rules: Rules, move: Deal) -> bool:
    """Whether nothing is wrong with a deal, as quickly as the masks tell it."""
    tables = rules.tables
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
        """How often a deal is among them: that is for `in` to say."""
        _too_many()

    def index(self, value: object, start: int = 0, stop: int | None = None) -> int:  # noqa: ARG002
        """Where a deal is among them."""
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


def cut_for_deal(players: int | Unchecked, rng: Bits | None = None) -> Seat:
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
    count = checked_int("players", players)
    if not 3 <= count <= 11:
        raise ValueError(f"players is {shown(count)}: choose 3 to 11")
    bits = _secret_unless(rng)
    cutters = list(range(count))
    while len(cutters) > 1:
        pack = shuffled(ALL_FACES, bits)
        lowest = min(pack[place].rank for place in range(len(cutters)))
        cutters = [seat for place, seat in enumerate(cutters) if pack[place].rank == lowest]
    return cutters[0]
