"""The options of a game: `Rules`, its enums, and what combinations of them are refused.

A rule set is flat, frozen, hashable data without callables: it can be compared, sent, stored and shown.
"""

from __future__ import annotations

import enum
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any, Final, NoReturn, TypeAlias

import attrs

from heartsrules import tables as T
from heartsrules.cards import ALL_FACES, FULL, NO_CARDS, SUIT_MASKS, Card, Cards, bag_of
from heartsrules.errors import InvalidRules, Problem, in_words, listed
from heartsrules.tables import Tables

__all__ = [
    "HOLD",
    "MAX_DEALS",
    "MAX_ENTRIES",
    "MAX_POINTS",
    "MAX_TOTAL",
    "Bonus",
    "BonusFloor",
    "Duplicates",
    "FirstTrick",
    "HeartValues",
    "HeartsLead",
    "Kitty",
    "KittyShownTo",
    "Moon",
    "MoonScope",
    "OpeningCard",
    "OpeningLeader",
    "PassOptional",
    "PassStep",
    "QueenBreaks",
    "QueenCompulsory",
    "Reckoning",
    "Rules",
    "Seat",
    "TargetTest",
    "Tie",
    "VoidLastTrick",
    "across",
    "default_pass_cycle",
    "left",
    "right",
    "scatter",
]

Seat: TypeAlias = int
"""A place at the table, 0 to players - 1, clockwise: left of seat s is seat s + 1."""

PassStep: TypeAlias = tuple[tuple[int, int], ...]
"""What everybody passes in one deal: a tuple of gifts (offset, count); the empty tuple is a hold."""

HOLD: Final[PassStep] = ()
"""The step of a deal without passing."""


MAX_POINTS: Final = 100_000
"""The most that points, values and bonuses may be."""
MAX_TOTAL: Final = 1_000_000_000
"""The most that `target`, and a total of `exact_resets` with or without its sign, may be."""
MAX_DEALS: Final = 1_000_000
"""The most deals of a game, whether its rules have `max_deals` or not: deals 0 to 999,999.

With it and with the bounds of the points no total is ever so large that JavaScript or a double could not hold it.
"""
MAX_ENTRIES: Final = 1000
"""The most steps of `pass_cycle`, and the most pairs of `exact_resets`."""


def left(count: int = 3) -> PassStep:
    """The step that passes `count` cards to the left.

    >>> left(3), right(2)
    (((1, 3),), ((-1, 2),))
    """
    return ((1, count),)


def right(count: int = 3) -> PassStep:
    """The step that passes `count` cards to the right."""
    return ((-1, count),)


def across(players: int, count: int = 3) -> PassStep:
    """The step that passes `count` cards to the seat opposite, or with an odd count the one before it.

    >>> across(4), across(7)
    (((2, 3),), ((3, 3),))
    """
    return ((players // 2, count),)


def scatter(players: int) -> PassStep:
    """The step that passes one card to every other player, the left neighbour first.

    >>> scatter(4)
    ((1, 1), (2, 1), (-1, 1))
    """
    return tuple((_unify_offset(offset, players), 1) for offset in range(1, players))


def default_pass_cycle(players: int) -> tuple[PassStep, ...]:
    """Left, right, across, hold with an even count of players; left, right, hold with an odd one.

    >>> default_pass_cycle(4)
    (((1, 3),), ((-1, 3),), ((2, 3),), ())
    """
    if players % 2:
        return (left(), right(), HOLD)
    return (left(), right(), across(players), HOLD)


def _unify_offset(offset: int, players: int) -> int:
    """The one spelling of an offset: from -((players - 1) // 2) to players // 2."""
    offset %= players
    return offset if offset <= players // 2 else offset - players


class Option(enum.Enum):
    """The base of the enums of `Rules`: the values are stable kebab-case names."""

    def __repr__(self) -> str:
        return f"{type(self).__name__}.{self.name}"

    def __str__(self) -> str:
        return str(self.value)


class Kitty(Option):
    """Who collects the cards that are left over after dealing: the first winner of a trick, of a penalty card, of
    a heart, or the winner of the last trick."""

    NONE = "none"
    FIRST_TRICK = "first-trick"
    FIRST_POINT = "first-point"
    FIRST_HEART = "first-heart"
    LAST_TRICK = "last-trick"


class KittyShownTo(Option):
    """Who may see the kitty when it is taken."""

    TAKER = "taker"
    NOBODY = "nobody"
    EVERYBODY = "everybody"


class PassOptional(Option):
    """Whether a player may decline to pass, and what happens then."""

    NO = "no"
    SKIP = "skip"
    UNANIMOUS = "unanimous"


class OpeningLeader(Option):
    """Who leads to the first trick of a deal."""

    LOWEST_CLUB = "lowest-club"
    DEALER_LEFT = "dealer-left"


class OpeningCard(Option):
    """What may be led to the first trick of a deal."""

    LOWEST_CLUB = "lowest-club"
    ANY_CLUB = "any-club"
    NON_POINT = "non-point"
    ANY = "any"


class FirstTrick(Option):
    """Whether penalty cards may be discarded on the first trick of a deal."""

    NO_POINTS = "no-points"
    FREE = "free"


class HeartsLead(Option):
    """When a heart may be led."""

    WHEN_BROKEN = "when-broken"
    ANY_TIME = "any-time"


class QueenBreaks(Option):
    """How the Q♠ breaks hearts: not at all, when led, when discarded on another suit, when played in any way."""

    NEVER = "never"
    LED = "led"
    DISCARDED = "discarded"
    PLAYED = "played"


class QueenCompulsory(Option):
    """When the holder of the Q♠ must play it: never, when the suit led cannot be followed, then and under a K♠ or
    A♠, whenever it is legal to follow with it, whenever it is legal."""

    NO = "no"
    DISCARD = "discard"
    SAFE = "safe"
    NOT_LEAD = "not-lead"
    ALWAYS = "always"


class Duplicates(Option):
    """What equal cards in one trick do: cancel each other, or the first or the last of them wins."""

    CANCEL = "cancel"
    FIRST_WINS = "first-wins"
    LAST_WINS = "last-wins"


class VoidLastTrick(Option):
    """Who takes a last trick that nobody wins."""

    NOBODY = "nobody"
    LEADER = "leader"


class HeartValues(Option):
    """Named penalty values of the hearts: one each (13 in all), spot values with 11 to 14 for J Q K A (104), one
    each but 2 to 5 for J Q K A (23), spot values with 10 for J Q K A (94)."""

    ONE = "one"
    SPOT = "spot"
    FACE = "face"
    PIPS = "pips"

    @property
    def values(self) -> tuple[int, ...]:
        """The values of 2♥ to A♥."""
        return _HEART_VALUES[self.value]


_HEART_VALUES: Final[dict[str, tuple[int, ...]]] = {
    "one": (1,) * 13,
    "spot": (2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14),
    "face": (1, 1, 1, 1, 1, 1, 1, 1, 1, 2, 3, 4, 5),
    "pips": (2, 3, 4, 5, 6, 7, 8, 9, 10, 10, 10, 10, 10),
}


class BonusFloor(Option):
    """How far the bonus card may lower a score: without limit, the deal's points to 0, the running total to 0."""

    NONE = "none"
    DEAL = "deal"
    TOTAL = "total"


class Moon(Option):
    """What shooting the moon does. `OTHERS_UP` and `SHOOTER_DOWN` are also the two effects that it can have."""

    OFF = "off"
    OTHERS_UP = "others-up"
    SHOOTER_DOWN = "shooter-down"
    CHOICE = "choice"
    AUTO_SAVE = "auto-save"
    AUTO_EXTEND = "auto-extend"


class MoonScope(Option):
    """Who can shoot the moon: one player, or a team together."""

    PLAYER = "player"
    TEAM = "team"


class TargetTest(Option):
    """Whether a game ends when a total reaches the target or only when it exceeds it."""

    REACHED = "reached"
    EXCEEDED = "exceeded"


class Tie(Option):
    """What happens when the lowest total is not unique at the end: another whole deal, or several winners."""

    EXTRA_DEAL = "extra-deal"
    SHARED = "shared"


class Reckoning(Option):
    """How totals are shown: as penalties, as negative points, or as what is left of the target."""

    PENALTY = "penalty"
    NEGATIVE = "negative"
    COUNTDOWN = "countdown"


def _wrong_type(name: str, expected: str, value: object) -> NoReturn:
    raise TypeError(f"{name} must be {expected}, not {type(value).__name__}")


def _is_int(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


@attrs.frozen
class Bonus:
    """A card that lowers its taker's score.

    >>> Bonus(Card("JD"), 10)
    Bonus(card=Card('JD'), points=10)
    """

    card: Card
    points: int
    """How much is subtracted, 1 to 100,000."""

    def __attrs_post_init__(self) -> None:
        if not isinstance(self.card, Card):
            _wrong_type("card", "a Card", self.card)
        if not _is_int(self.points):
            _wrong_type("points", "an int", self.points)


def _as_cards(value: str | Iterable[Card]) -> Cards:
    return Cards(value)


def _as_faces(value: str | Iterable[Card]) -> Cards:
    return Cards(value).faces()


def _as_heart_values(value: HeartValues | Iterable[int]) -> tuple[int, ...]:
    if isinstance(value, HeartValues):
        return value.values
    if isinstance(value, str) or not isinstance(value, Iterable):
        _wrong_type("heart_values", "a HeartValues or 13 ints", value)
    return tuple(value if isinstance(value, tuple) else islice(value, 14))


def _as_cycle(value: Iterable[Iterable[tuple[int, int]]]) -> tuple[PassStep, ...]:
    return tuple(_as_step(step) for step in _first("pass_cycle", value, MAX_ENTRIES))


def _cycle_of_players(rules: Rules) -> tuple[PassStep, ...]:
    return default_pass_cycle(rules.players) if _is_int(rules.players) else (HOLD,)


def _as_step(step: object) -> PassStep:
    # More gifts than there are other players at any table are refused: two of them are to one seat.
    gifts = [tuple(_first("pass_cycle", gift, 2)) for gift in _first("pass_cycle", step, 10)]
    if any(len(gift) != 2 for gift in gifts):
        raise TypeError("pass_cycle must hold steps of gifts (offset, count)")
    return tuple((gift[0], gift[1]) for gift in gifts)


def _as_pairs(value: Iterable[Any], most: int) -> tuple[tuple[Any, Any], ...]:
    pairs = [tuple(_first("a field of pairs", pair, 2)) for pair in _first("a field of pairs", value, most)]
    if any(len(pair) != 2 for pair in pairs):
        raise TypeError("extra_penalties and exact_resets must hold pairs")
    return tuple((pair[0], pair[1]) for pair in pairs)


def _as_penalties(value: Iterable[tuple[Card, int]]) -> tuple[tuple[Card, int], ...]:
    pairs = _as_pairs(value, len(ALL_FACES))
    for card, points in pairs:
        if not isinstance(card, Card):
            _wrong_type("extra_penalties", "pairs of a Card and an int", card)
        if not _is_int(points):
            _wrong_type("extra_penalties", "pairs of a Card and an int", points)
    return tuple(sorted(pairs))


def _as_resets(value: Iterable[tuple[int, int]]) -> tuple[tuple[int, int], ...]:
    pairs = _as_pairs(value, MAX_ENTRIES)
    for number in (number for pair in pairs for number in pair):
        if not _is_int(number):
            _wrong_type("exact_resets", "pairs of ints", number)
    return tuple(sorted(pairs))


def _first(name: str, value: object, most: int) -> Iterable[Any]:
    """The items of a field that may have so many, and one more if there are more: it is refused for that."""
    if isinstance(value, str) or not isinstance(value, Iterable):
        _wrong_type(name, "a tuple", value)
    return islice(value, most + 1)


@attrs.frozen(kw_only=True, repr=False)
class Rules:
    """A rule set. Every field has a default; the defaults are the four-player game to 100.

    Spellings of one and the same rule set are unified, so that equal games are equal values: pass offsets to the
    range -((players - 1) // 2) to players // 2, collections of cards to card order, named heart values to 13
    ints. `attrs.evolve` makes a changed copy, with all checks.

    >>> Rules(players=5, removed="2D 2C")
    Rules(players=5, removed=Cards('2C 2D'))
    >>> Rules(players=5)
    Traceback (most recent call last):
    heartsrules.errors.InvalidRules: 52 cards do not divide evenly among 5 players: remove 2 cards with removed, or \
choose who collects them with kitty

    Raises:
        InvalidRules: the combination cannot be played; it lists all problems at once.
        InvalidNotation: a text given for a collection of cards holds something that is no card.
        TypeError: a field has the wrong type (a bool is not taken for an int).
    """

    players: int = 4
    """3 to 11."""
    decks: int = 1
    """1 or 2."""
    removed: Cards = attrs.field(default=NO_CARDS, converter=_as_cards)
    """The cards that are taken out of the decks before play; never assumed from the count of players."""
    hand_size: int | None = None
    """Cards dealt to each player, or None: as many as deal out evenly."""
    kitty: Kitty = Kitty.NONE
    """Who collects the cards left over after dealing."""
    kitty_shown_to: KittyShownTo = KittyShownTo.TAKER
    """Who may see the kitty when it is taken."""
    teams: int = 0
    """0 (each for themselves), 2 or 3; seat s plays for team s mod teams."""
    first_dealer: Seat = 0
    """The dealer of the first deal."""
    pass_cycle: tuple[PassStep, ...] = attrs.field(
        converter=_as_cycle, default=attrs.Factory(_cycle_of_players, takes_self=True)
    )
    """The pass steps; at most 1,000; deal k uses step k mod their number. By default `default_pass_cycle(players)`."""
    pass_optional: PassOptional = PassOptional.NO
    """Whether a player may decline to pass."""
    unpassable: Cards = attrs.field(default=NO_CARDS, converter=_as_faces)
    """The faces that may not be passed, in any copy."""
    opening_leader: OpeningLeader = OpeningLeader.LOWEST_CLUB
    """Who leads to the first trick."""
    opening_card: OpeningCard = OpeningCard.LOWEST_CLUB
    """What may be led to the first trick."""
    first_trick: FirstTrick = FirstTrick.NO_POINTS
    """Whether penalty cards may be discarded on the first trick."""
    hearts_lead: HeartsLead = HeartsLead.WHEN_BROKEN
    """When a heart may be led."""
    queen_breaks: QueenBreaks = QueenBreaks.NEVER
    """How the Q♠ breaks hearts."""
    heart_lead_spares_queen: bool = False
    """Whether a leader who holds nothing but hearts and Q♠ may lead a heart before hearts are broken."""
    queen_compulsory: QueenCompulsory = QueenCompulsory.NO
    """When the Q♠ must be played."""
    queen_discard_after_hearts: bool = False
    """Whether the Q♠ may be discarded only once hearts are broken."""
    duplicates: Duplicates = Duplicates.CANCEL
    """What equal cards in one trick do (two decks)."""
    two_pairs_void: bool = False
    """Whether two or more pairs in one trick mean that nobody wins it."""
    void_last_trick: VoidLastTrick = VoidLastTrick.NOBODY
    """Who takes a last trick that nobody wins."""
    heart_values: tuple[int, ...] = attrs.field(default=HeartValues.ONE.values, converter=_as_heart_values)
    """The penalty values of 2♥ to A♥; a `HeartValues` or 13 ints, each from 0 to 100,000."""
    queen_points: int = 13
    """The penalty value of the Q♠, 0 to 100,000."""
    extra_penalties: tuple[tuple[Card, int], ...] = attrs.field(default=(), converter=_as_penalties)
    """(card, points) pairs, a card once, 1 to 100,000 points: added to what the card is worth."""
    bonus: Bonus | None = None
    """A card whose points are subtracted from its taker's score."""
    bonus_floor: BonusFloor = BonusFloor.NONE
    """How far the bonus card may lower a score."""
    no_tricks_bonus: int = 0
    """Points subtracted for winning no trick, 0 to 100,000."""
    no_tricks_bonus_on_moon: bool = True
    """Whether it counts on a deal in which the moon was shot."""
    moon: Moon = Moon.OTHERS_UP
    """What shooting the moon does."""
    moon_points: int | None = None
    """The moon's value, 1 to 100,000, or None: the total penalty value in play."""
    moon_needs_bonus: bool = False
    """Whether shooting the moon takes every copy of the bonus card too."""
    moon_scope: MoonScope = MoonScope.PLAYER
    """Who can shoot the moon."""
    sun: bool = False
    """Whether taking every trick doubles the moon's value."""
    target: int | None = 100
    """The total that ends the game, 1 to 1,000,000,000, or None."""
    target_test: TargetTest = TargetTest.REACHED
    """Whether the target must be reached or exceeded."""
    max_deals: int | None = None
    """The number of deals that ends the game, 1 to 1,000,000, or None. No game has more than 1,000,000."""
    exact_resets: tuple[tuple[int, int], ...] = attrs.field(default=(), converter=_as_resets)
    """(exact total, new lower total) pairs, at most 1,000, a total once; none beyond 1,000,000,000 with either sign."""
    tie: Tie = Tie.EXTRA_DEAL
    """What happens when the lowest total is not unique at the end."""
    reckoning: Reckoning = Reckoning.PENALTY
    """How totals are shown; play is unaffected."""

    tables: Tables = attrs.field(init=False, eq=False, repr=False)

    def __attrs_post_init__(self) -> None:
        _check_types(self)
        if 3 <= self.players <= 11:
            cycle = tuple(
                tuple((_unify_offset(offset, self.players), count) for offset, count in step)
                for step in self.pass_cycle
            )
            object.__setattr__(self, "pass_cycle", cycle)
        problems = tuple(_problems(self))
        if problems:
            raise InvalidRules(problems)
        object.__setattr__(self, "tables", _work_out(self))

    @property
    def deck(self) -> Cards:
        """The cards in play: all decks less `removed`."""
        return bag_of(self.tables.deck_lo, self.tables.deck_hi)

    @property
    def cards_per_hand(self) -> int:
        """How many cards each player is dealt, whether `hand_size` says so or not."""
        return self.tables.hand_size

    @property
    def kitty_size(self) -> int:
        """How many cards are left over after dealing."""
        return self.tables.kitty_size

    @property
    def penalty_cards(self) -> Cards:
        """The cards in play whose penalty value is greater than 0, as often as they are in play."""
        tables = self.tables
        return bag_of(tables.penalty, tables.penalty & tables.deck_hi)

    @property
    def penalty_total(self) -> int:
        """The penalty value of all cards in play, the kitty's included."""
        return self.tables.penalty_total

    def penalty(self, card: Card) -> int:
        """The penalty value of one card.

        >>> Rules().penalty(Card("QS")), Rules().penalty(Card("KS"))
        (13, 0)
        """
        if not isinstance(card, Card):
            _wrong_type("card", "a Card", card)
        return self.tables.values[card.index]

    @property
    def sides(self) -> tuple[tuple[Seat, ...], ...]:
        """The seats of each side: the teams, or each player alone.

        >>> Rules(teams=2).sides
        ((0, 2), (1, 3))
        """
        count = self.teams or self.players
        return tuple(tuple(range(side, self.players, count)) for side in range(count))

    def side(self, seat: Seat) -> int:
        """The side that a seat plays for: its place in `sides`."""
        return seat % (self.teams or self.players)

    def step(self, deal_number: int) -> PassStep:
        """The pass step of a deal, numbered from 0."""
        return self.pass_cycle[deal_number % len(self.pass_cycle)]

    def dealer(self, deal_number: int) -> Seat:
        """The dealer of a deal, numbered from 0: the deal rotates one seat to the left."""
        return (self.first_dealer + deal_number) % self.players

    def changes(self) -> dict[str, Any]:
        """The fields that differ from the defaults for that count of players, by name.

        >>> Rules(target=50).changes()
        {'target': 50}
        """
        changed: dict[str, Any] = {}
        for field in _FIELDS:
            value = getattr(self, field.name)
            default = default_pass_cycle(self.players) if field.name == "pass_cycle" else field.default
            if value != default:
                changed[field.name] = value
        return changed

    def __repr__(self) -> str:
        changed = self.changes()
        named = {values: name for name, values in _HEART_VALUES.items()}
        if changed.get("heart_values") in named:
            changed["heart_values"] = HeartValues(named[changed["heart_values"]])
        return f"Rules({', '.join(f'{name}={value!r}' for name, value in changed.items())})"

    def __reduce__(self) -> tuple[Any, ...]:
        return _restore, (self.changes(),)

    def __copy__(self) -> Rules:
        return self

    def __deepcopy__(self, memo: object) -> Rules:
        return self


def _restore(changes: dict[str, Any]) -> Rules:
    return Rules(**changes)


_FIELDS: Final = tuple(field for field in attrs.fields(Rules) if field.init)

_ENUMS: Final[dict[str, type[Option]]] = {
    "kitty": Kitty,
    "kitty_shown_to": KittyShownTo,
    "pass_optional": PassOptional,
    "opening_leader": OpeningLeader,
    "opening_card": OpeningCard,
    "first_trick": FirstTrick,
    "hearts_lead": HeartsLead,
    "queen_breaks": QueenBreaks,
    "queen_compulsory": QueenCompulsory,
    "duplicates": Duplicates,
    "void_last_trick": VoidLastTrick,
    "bonus_floor": BonusFloor,
    "moon": Moon,
    "moon_scope": MoonScope,
    "target_test": TargetTest,
    "tie": Tie,
    "reckoning": Reckoning,
}
_INTS: Final = ("players", "decks", "teams", "first_dealer", "queen_points", "no_tricks_bonus")
_OPTIONAL_INTS: Final = ("hand_size", "moon_points", "target", "max_deals")
_BOOLS: Final = (
    "heart_lead_spares_queen",
    "queen_discard_after_hearts",
    "two_pairs_void",
    "no_tricks_bonus_on_moon",
    "moon_needs_bonus",
    "sun",
)


def _check_types(rules: Rules) -> None:
    for name in _INTS:
        if not _is_int(getattr(rules, name)):
            _wrong_type(name, "an int", getattr(rules, name))
    for name in _OPTIONAL_INTS:
        value = getattr(rules, name)
        if value is not None and not _is_int(value):
            _wrong_type(name, "an int or None", value)
    for name in _BOOLS:
        if not isinstance(getattr(rules, name), bool):
            _wrong_type(name, "a bool", getattr(rules, name))
    for name, kind in _ENUMS.items():
        if not isinstance(getattr(rules, name), kind):
            _wrong_type(name, f"a {kind.__name__}", getattr(rules, name))
    for number in (number for step in rules.pass_cycle for gift in step for number in gift):
        if not _is_int(number):
            _wrong_type("pass_cycle", "a tuple of steps of gifts (offset, count), all ints", number)
    for value in rules.heart_values:
        if not _is_int(value):
            _wrong_type("heart_values", "a HeartValues or 13 ints", value)
    if rules.bonus is not None and not isinstance(rules.bonus, Bonus):
        _wrong_type("bonus", "a Bonus or None", rules.bonus)


def _range_problems(rules: Rules) -> Iterator[Problem]:
    """What is wrong with single fields; while anything is, the combinations cannot all be judged."""

    def outside(name: str, say: str) -> Problem:
        return Problem("out-of-range", (name,), f"{name} is {in_words(getattr(rules, name))}: {say}")

    if not 3 <= rules.players <= 11:
        yield outside("players", "choose 3 to 11")
    if rules.decks not in (1, 2):
        yield outside("decks", "choose 1 or 2")
    if rules.hand_size is not None and rules.hand_size < 1:
        yield outside("hand_size", "deal at least 1 card, or give None to deal as many as go out evenly")
    if rules.teams not in (0, 2, 3):
        yield outside("teams", "choose 0 (each for themselves), 2 or 3")
    seats = min(max(rules.players, 3), 11)
    if not 0 <= rules.first_dealer < seats:
        yield outside("first_dealer", f"choose a seat from 0 to {seats - 1}")
    if len(rules.pass_cycle) > MAX_ENTRIES:
        yield _too_many("pass_cycle", "steps")
    if len(rules.heart_values) != 13 or any(value < 0 for value in rules.heart_values):
        yield outside("heart_values", "give a HeartValues or 13 ints of at least 0, for 2 to A")
    if rules.queen_points < 0:
        yield outside("queen_points", "choose 0 or more")
    if any(points < 1 for _, points in rules.extra_penalties):
        yield outside("extra_penalties", "every card's points must be more than 0")
    if len({card for card, _ in rules.extra_penalties}) < len(rules.extra_penalties):
        yield outside("extra_penalties", "name every card once")
    if rules.bonus is not None and rules.bonus.points < 1:
        yield outside("bonus", "its points must be more than 0; they are subtracted")
    if rules.no_tricks_bonus < 0:
        yield outside("no_tricks_bonus", "choose 0 or more; it is subtracted")
    if rules.moon_points is not None and rules.moon_points < 1:
        yield outside("moon_points", "choose more than 0, or None for the total penalty value in play")
    if rules.target is not None and rules.target < 1:
        yield outside("target", "choose more than 0, or None")
    if rules.max_deals is not None and rules.max_deals < 1:
        yield outside("max_deals", "choose more than 0, or None")
    if len(rules.exact_resets) > MAX_ENTRIES:
        yield _too_many("exact_resets", "pairs")
    yield from _size_problems(rules)


def _too_many(name: str, what: str) -> Problem:
    return Problem("too-many", (name,), f"{name} has more than {MAX_ENTRIES} {what}: leave some out")


def _size_problems(rules: Rules) -> Iterator[Problem]:
    """The numbers that are so large that totals would leave what every reader of them can hold."""
    bonus = None if rules.bonus is None else rules.bonus.points
    for name, most, numbers in (
        ("heart_values", MAX_POINTS, rules.heart_values),
        ("queen_points", MAX_POINTS, (rules.queen_points,)),
        ("extra_penalties", MAX_POINTS, tuple([points for _, points in rules.extra_penalties])),
        ("bonus", MAX_POINTS, (bonus,)),
        ("no_tricks_bonus", MAX_POINTS, (rules.no_tricks_bonus,)),
        ("moon_points", MAX_POINTS, (rules.moon_points,)),
        ("target", MAX_TOTAL, (rules.target,)),
        ("max_deals", MAX_DEALS, (rules.max_deals,)),
        ("exact_resets", MAX_TOTAL, tuple([abs(total) for pair in rules.exact_resets for total in pair])),
    ):
        largest = max([number for number in numbers if number is not None], default=0)
        if largest > most:
            signs = ", with or without a minus sign" if name == "exact_resets" else ""
            yield Problem(
                "too-large",
                (name,),
                f"{name} has {in_words(largest)}, which is too large: choose at most {most:,}{signs}",
            )


def _problems(rules: Rules) -> Iterator[Problem]:
    """Everything that forbids the rule set, in the order of the fields of `Rules`."""
    ranges = tuple(_range_problems(rules))
    yield from ranges
    broken = {problem.fields[0] for problem in ranges}
    if broken.isdisjoint(("players", "decks")):
        yield from _deck_problems(rules)
        if broken.isdisjoint(("hand_size", "pass_cycle")):
            yield from _pass_problems(rules)
    yield from _option_problems(rules, broken)


def _deck(rules: Rules) -> Cards:
    return bag_of(FULL, FULL if rules.decks == 2 else 0) - rules.removed


def _sizes(rules: Rules) -> tuple[int, int]:
    """Cards in each hand and in the kitty; the second is negative if there are not enough."""
    total = len(_deck(rules))
    hand = total // rules.players if rules.hand_size is None else rules.hand_size
    return hand, total - hand * rules.players


def _deck_problems(rules: Rules) -> Iterator[Problem]:
    full = bag_of(FULL, FULL if rules.decks == 2 else 0)
    foreign = rules.removed - full
    if foreign:
        yield Problem(
            "not-in-the-decks",
            ("removed", "decks"),
            f"removed names {listed(foreign)} more often than {_decks(rules)} hold it: remove only cards that are "
            "there",
        )
    total = len(_deck(rules))
    hand, kitty = _sizes(rules)
    if rules.hand_size is None:
        if hand < 1:
            yield Problem(
                "too-few-cards",
                ("removed", "players"),
                f"{total} cards are not enough for {rules.players} players: remove fewer cards",
            )
        elif kitty and rules.kitty is Kitty.NONE:
            yield Problem(
                "uneven-deal",
                ("removed", "kitty", "players", "decks"),
                f"{total} cards do not divide evenly among {rules.players} players: remove {kitty} "
                f"{'card' if kitty == 1 else 'cards'} with removed, or choose who collects them with kitty",
            )
    elif rules.hand_size >= 1:
        if kitty < 0:
            yield Problem(
                "too-few-cards",
                ("hand_size", "players", "decks", "removed"),
                f"hands of {in_words(hand)} for {rules.players} players need {in_words(hand * rules.players)} cards, "
                f"but {total} are in play: choose a hand_size of at most {total // rules.players}",
            )
        elif kitty and rules.kitty is Kitty.NONE:
            yield Problem(
                "cards-left-over",
                ("hand_size", "kitty", "players", "decks"),
                f"hands of {hand} for {rules.players} players leave {kitty} of {total} cards over: choose who collects "
                "them with kitty, remove them with removed, or give hand_size None",
            )
    clubs = len(_deck(rules) & bag_of(SUIT_MASKS[0], SUIT_MASKS[0]))
    if hand >= 1 and clubs <= max(kitty, 0):
        for name in ("opening_leader", "opening_card"):
            if getattr(rules, name).name == "LOWEST_CLUB":
                yield Problem(
                    "no-club-to-open",
                    (name, "removed", "kitty", "hand_size"),
                    f"{name} is LOWEST_CLUB, but all {clubs} clubs in play may lie in the kitty: choose another {name} "
                    "or keep more clubs in play",
                )


def _decks(rules: Rules) -> str:
    return "one deck" if rules.decks == 1 else "two decks"


def _pass_problems(rules: Rules) -> Iterator[Problem]:
    deck = _deck(rules)
    foreign = rules.unpassable - deck
    if foreign:
        yield Problem(
            "not-in-the-deck",
            ("unpassable", "removed"),
            f"unpassable names {listed(foreign)}, which is not in play: name only cards in play",
        )
    if not rules.pass_cycle:
        yield Problem(
            "empty-pass-cycle",
            ("pass_cycle",),
            "pass_cycle is empty: give at least one step; a cycle without passing is (HOLD,)",
        )
    hand, _ = _sizes(rules)
    locked = min(hand, len(deck & bag_of(rules.unpassable.lo, rules.unpassable.lo)))
    for number, step in enumerate(rules.pass_cycle):
        where = f"step {number} of pass_cycle"
        receivers = [offset for offset, _ in step]
        if 0 in receivers:
            yield Problem(
                "gift-to-oneself",
                ("pass_cycle", "players"),
                f"{where} gives cards to the giver: use an offset that is no multiple of {rules.players}",
            )
        if len(set(receivers)) < len(receivers):
            yield Problem(
                "two-gifts-to-one-seat",
                ("pass_cycle", "players"),
                f"{where} gives twice to the same seat: make one gift of them",
            )
        if any(count < 1 for _, count in step):
            yield Problem(
                "empty-gift", ("pass_cycle",), f"{where} has a gift of no cards: give at least 1, or leave it out"
            )
        wanted = sum(count for _, count in step)
        if wanted > hand:
            yield Problem(
                "gifts-too-large",
                ("pass_cycle", "hand_size"),
                f"{where} passes {in_words(wanted)} cards, but a hand holds {in_words(hand)}: pass fewer",
            )
        elif wanted > hand - locked:
            yield Problem(
                "gifts-too-large",
                ("pass_cycle", "unpassable", "hand_size"),
                f"{where} passes {in_words(wanted)} cards, but a hand of {in_words(hand)} may hold {locked} that may "
                "not be passed: pass fewer or make fewer cards unpassable",
            )
    if rules.pass_optional is not PassOptional.NO:
        if rules.pass_cycle and not any(rules.pass_cycle):
            yield Problem(
                "nothing-to-decline",
                ("pass_optional", "pass_cycle"),
                "pass_optional needs a pass_cycle that is not only holds: add a step or choose NO",
            )
        if any(len(step) > 1 for step in rules.pass_cycle):
            yield Problem(
                "optional-with-several-gifts",
                ("pass_optional", "pass_cycle"),
                "pass_optional needs steps of a single gift: take the steps of several gifts out or choose NO",
            )


def _option_problems(rules: Rules, broken: set[str]) -> Iterator[Problem]:
    deck = _deck(rules) if rules.decks in (1, 2) else NO_CARDS
    deck_known = rules.decks in (1, 2)
    if deck_known and not deck.lo & T.QUEEN:
        for name, default in (
            ("queen_breaks", QueenBreaks.NEVER),
            ("queen_compulsory", QueenCompulsory.NO),
            ("queen_discard_after_hearts", False),
        ):
            if getattr(rules, name) != default:
                yield Problem(
                    "no-queen",
                    (name, "removed"),
                    f"{name} needs the QS, which is not in play: leave {name} at its default or keep the QS",
                )
    if rules.two_pairs_void and (rules.decks == 1 or rules.duplicates is not Duplicates.CANCEL):
        yield Problem(
            "no-pairs",
            ("two_pairs_void", "decks", "duplicates"),
            "two_pairs_void needs two decks and duplicates CANCEL: change these or switch it off",
        )
    foreign = list(dict.fromkeys([card for card, _ in rules.extra_penalties if card not in deck]))
    if deck_known and foreign:
        yield Problem(
            "not-in-the-deck",
            ("extra_penalties", "removed"),
            f"extra_penalties names {listed(foreign)}, which is not in play: name only cards in play",
        )
    values_known = deck_known and broken.isdisjoint(("heart_values", "queen_points", "extra_penalties"))
    penalty = _penalty_faces(rules, deck) if values_known else 0
    if rules.bonus is None:
        if rules.bonus_floor is not BonusFloor.NONE:
            yield Problem(
                "no-bonus",
                ("bonus_floor", "bonus"),
                "bonus_floor needs a bonus card: give one with bonus or choose NONE",
            )
        if rules.moon_needs_bonus:
            yield Problem(
                "no-bonus",
                ("moon_needs_bonus", "bonus"),
                "moon_needs_bonus needs a bonus card: give one with bonus or switch it off",
            )
    else:
        card = rules.bonus.card
        if deck_known and card not in deck:
            yield Problem(
                "not-in-the-deck",
                ("bonus", "removed"),
                f"the bonus card {card} is not in play: choose another or do not remove it",
            )
        if penalty & card.bit:
            yield Problem(
                "bonus-is-a-penalty",
                ("bonus", "heart_values", "queen_points", "extra_penalties"),
                f"the bonus card {card} is a penalty card: choose a card that is worth no points",
            )
    if values_known and not penalty:
        if rules.moon is not Moon.OFF:
            yield Problem(
                "no-penalty-cards",
                ("moon", "heart_values", "queen_points"),
                "no card in play has a penalty value, so nobody could shoot the moon: choose moon OFF or give some "
                "card a value",
            )
        if rules.target is not None and rules.max_deals is None:
            yield Problem(
                "endless-game",
                ("target", "max_deals", "heart_values", "queen_points"),
                "no card in play has a penalty value, so no total would ever reach the target: give max_deals or give "
                "some card a value",
            )
    if rules.sun and rules.moon is Moon.OFF:
        yield Problem(
            "sun-without-moon", ("sun", "moon"), "sun needs a moon that it doubles: choose a moon or switch it off"
        )
    if rules.moon_scope is MoonScope.TEAM and rules.teams == 0:
        yield Problem(
            "no-teams", ("moon_scope", "teams"), "moon_scope TEAM needs teams: choose 2 or 3 teams, or scope PLAYER"
        )
    if rules.teams in (2, 3) and "players" not in broken:
        if rules.players == rules.teams:
            yield Problem(
                "teams-of-one",
                ("teams", "players"),
                f"{rules.teams} teams of {rules.players} players are no teams: choose 0",
            )
        elif rules.players % rules.teams:
            yield Problem(
                "uneven-teams",
                ("teams", "players"),
                f"{rules.players} players do not divide into {rules.teams} teams: choose another count of either",
            )
    if rules.target is None and rules.max_deals is None:
        yield Problem(
            "endless-game", ("target", "max_deals"), "neither target nor max_deals is given: give at least one"
        )
    if any(new >= exact for exact, new in rules.exact_resets):
        yield Problem(
            "reset-not-lower",
            ("exact_resets",),
            "exact_resets must lower the total: each new total must be less than the exact one",
        )
    if len({exact for exact, _ in rules.exact_resets}) < len(rules.exact_resets):
        yield Problem("repeated-reset", ("exact_resets",), "exact_resets names a total twice: name it once")
    if rules.exact_resets and rules.teams:
        yield Problem(
            "resets-with-teams",
            ("exact_resets", "teams"),
            "exact_resets cannot be combined with teams: leave out either",
        )
    if rules.reckoning is Reckoning.COUNTDOWN and rules.target is None:
        yield Problem(
            "countdown-without-target",
            ("reckoning", "target"),
            "reckoning COUNTDOWN counts down from the target: give one or choose another reckoning",
        )


def _values(rules: Rules) -> list[int]:
    """The penalty value of every face, whether it is in play or not."""
    values = [0] * 52
    values[39:] = rules.heart_values
    values[36] = rules.queen_points
    for card, points in rules.extra_penalties:
        values[card.index] += points
    return values


def _penalty_faces(rules: Rules, deck: Cards) -> int:
    values = _values(rules)
    return sum(card.bit for card in ALL_FACES if values[card.index] > 0) & deck.lo


_OPENING: Final = {
    OpeningCard.LOWEST_CLUB: T.OPEN_LOWEST_CLUB,
    OpeningCard.ANY_CLUB: T.OPEN_ANY_CLUB,
    OpeningCard.NON_POINT: T.OPEN_NON_POINT,
    OpeningCard.ANY: T.OPEN_ANY,
}
_COMPULSORY: Final = {
    QueenCompulsory.NO: T.COMPULSORY_NO,
    QueenCompulsory.DISCARD: T.COMPULSORY_DISCARD,
    QueenCompulsory.SAFE: T.COMPULSORY_SAFE,
    QueenCompulsory.NOT_LEAD: T.COMPULSORY_NOT_LEAD,
    QueenCompulsory.ALWAYS: T.COMPULSORY_ALWAYS,
}
_DUPLICATES: Final = {
    Duplicates.CANCEL: T.CANCEL,
    Duplicates.FIRST_WINS: T.FIRST_WINS,
    Duplicates.LAST_WINS: T.LAST_WINS,
}
_MOON: Final = {
    Moon.OFF: T.MOON_OFF,
    Moon.OTHERS_UP: T.MOON_OTHERS_UP,
    Moon.SHOOTER_DOWN: T.MOON_SHOOTER_DOWN,
    Moon.CHOICE: T.MOON_CHOICE,
    Moon.AUTO_SAVE: T.MOON_AUTO_SAVE,
    Moon.AUTO_EXTEND: T.MOON_AUTO_EXTEND,
}
_FLOOR: Final = {
    BonusFloor.NONE: T.FLOOR_NONE,
    BonusFloor.DEAL: T.FLOOR_DEAL,
    BonusFloor.TOTAL: T.FLOOR_TOTAL,
}
_KITTY: Final = {
    Kitty.NONE: T.KITTY_NONE,
    Kitty.FIRST_TRICK: T.KITTY_FIRST_TRICK,
    Kitty.FIRST_POINT: T.KITTY_FIRST_POINT,
    Kitty.FIRST_HEART: T.KITTY_FIRST_HEART,
    Kitty.LAST_TRICK: T.KITTY_LAST_TRICK,
}


def _worth(values: list[int], penalty: int) -> tuple[tuple[int, int], ...]:
    """The points and the mask of the faces of each penalty value among these faces."""
    masks: dict[int, int] = {}
    for card in ALL_FACES:
        if card.bit & penalty:
            masks[values[card.index]] = masks.get(values[card.index], 0) | card.bit
    return tuple(masks.items())


def _work_out(rules: Rules) -> Tables:
    deck = _deck(rules)
    hand, kitty = _sizes(rules)
    values = _values(rules)
    breaks = rules.queen_breaks
    penalty = _penalty_faces(rules, deck)
    penalty_total = sum(values[card.index] for card in deck)
    bonus = 0 if rules.bonus is None else rules.bonus.card.bit
    shot = penalty | (bonus & deck.lo if rules.moon_needs_bonus else 0)
    team_moon = rules.moon_scope is MoonScope.TEAM
    return Tables(
        players=rules.players,
        deck_lo=deck.lo,
        deck_hi=deck.hi,
        hand_size=hand,
        kitty_size=kitty,
        values=tuple(values),
        penalty=penalty,
        penalty_total=penalty_total,
        opening=_OPENING[rules.opening_card],
        first_trick_bans_points=rules.first_trick is FirstTrick.NO_POINTS,
        hearts_wait=rules.hearts_lead is HeartsLead.WHEN_BROKEN,
        spares_queen=rules.heart_lead_spares_queen,
        break_lead=T.HEARTS | (T.QUEEN if breaks in (QueenBreaks.LED, QueenBreaks.PLAYED) else 0),
        break_follow=T.HEARTS | (T.QUEEN if breaks is QueenBreaks.PLAYED else 0),
        break_discard=T.HEARTS | (T.QUEEN if breaks in (QueenBreaks.DISCARDED, QueenBreaks.PLAYED) else 0),
        compulsory=_COMPULSORY[rules.queen_compulsory],
        queen_waits=rules.queen_discard_after_hearts,
        duplicates=_DUPLICATES[rules.duplicates] if rules.decks == 2 else T.SINGLE,
        two_pairs_void=rules.two_pairs_void,
        leader_takes_void_last_trick=rules.void_last_trick is VoidLastTrick.LEADER,
        kitty=_KITTY[rules.kitty] if kitty else T.KITTY_NONE,
        resets=dict(rules.exact_resets),
        worth=_worth(values, penalty),
        moon=_MOON[rules.moon],
        moon_lo=shot,
        moon_hi=shot & deck.hi,
        moon_sides=rules.sides if team_moon else tuple([(seat,) for seat in range(rules.players)]),
        moon_points=rules.moon_points or penalty_total,
        sun=rules.sun,
        sides=rules.teams or rules.players,
        bonus_bit=bonus,
        bonus_points=0 if rules.bonus is None else rules.bonus.points,
        bonus_floor=_FLOOR[rules.bonus_floor],
        no_tricks_bonus=rules.no_tricks_bonus,
        no_tricks_bonus_on_moon=rules.no_tricks_bonus_on_moon,
        target=rules.target or 0,
        target_exceeded=rules.target_test is TargetTest.EXCEEDED,
        max_deals=rules.max_deals or 0,
        shares_ties=rules.tie is Tie.SHARED,
        first_dealer=rules.first_dealer,
        gift_sizes=tuple([tuple([count for _, count in step]) for step in rules.pass_cycle]),
        unpassable=rules.unpassable.lo,
        may_decline=rules.pass_optional is not PassOptional.NO,
    )
