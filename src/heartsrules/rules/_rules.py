"""`Rules`: the options of a game, each with its default."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice
from typing import Any, Final

import attrs

from heartsrules.cards import ALL_FACES, NO_CARDS, Card, Cards, bag_of
from heartsrules.errors import InvalidRules
from heartsrules.rules._choices import (
    HEART_VALUES,
    HOLD,
    MAX_ENTRIES,
    Bonus,
    BonusFloor,
    Choice,
    Duplicates,
    FirstTrick,
    HeartsLead,
    HeartValues,
    Kitty,
    KittyShownTo,
    Moon,
    MoonScope,
    OpeningCard,
    OpeningLeader,
    PassOptional,
    PassStep,
    QueenBreaks,
    QueenCompulsory,
    Reckoning,
    Seat,
    TargetTest,
    Tie,
    VoidLastTrick,
    default_pass_cycle,
    is_int,
    unify_offset,
)
from heartsrules.rules._compile import work_out
from heartsrules.rules._problems import problems_of
from heartsrules.tables import Tables
from heartsrules.values import wrong_type


def _as_cards(value: str | Iterable[Card]) -> Cards:
    return Cards(value)


def _as_faces(value: str | Iterable[Card]) -> Cards:
    return Cards(value).faces()


def _as_heart_values(value: HeartValues | Iterable[int]) -> tuple[int, ...]:
    if isinstance(value, HeartValues):
        return value.values
    if isinstance(value, str) or not isinstance(value, Iterable):
        wrong_type("heart_values", "a HeartValues or 13 ints", value)
    return tuple(value if isinstance(value, tuple) else islice(value, 14))


def _as_cycle(value: Iterable[Iterable[tuple[int, int]]]) -> tuple[PassStep, ...]:
    return tuple(_as_step(step) for step in _first("pass_cycle", value, MAX_ENTRIES))


def _cycle_of_players(rules: Rules) -> tuple[PassStep, ...]:
    return default_pass_cycle(rules.players) if is_int(rules.players) else (HOLD,)


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
            wrong_type("extra_penalties", "pairs of a Card and an int", card)
        if not is_int(points):
            wrong_type("extra_penalties", "pairs of a Card and an int", points)
    return tuple(sorted(pairs))


def _as_resets(value: Iterable[tuple[int, int]]) -> tuple[tuple[int, int], ...]:
    pairs = _as_pairs(value, MAX_ENTRIES)
    for number in (number for pair in pairs for number in pair):
        if not is_int(number):
            wrong_type("exact_resets", "pairs of ints", number)
    return tuple(sorted(pairs))


def _first(name: str, value: object, most: int) -> Iterable[Any]:
    """The items of a field that may have so many, and one more if there are more: it is refused for that."""
    if isinstance(value, str) or not isinstance(value, Iterable):
        wrong_type(name, "a tuple", value)
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
                tuple((unify_offset(offset, self.players), count) for offset, count in step) for step in self.pass_cycle
            )
            object.__setattr__(self, "pass_cycle", cycle)
        problems = tuple(problems_of(self))
        if problems:
            raise InvalidRules(problems)
        object.__setattr__(self, "tables", work_out(self))

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
            wrong_type("card", "a Card", card)
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
        named = {values: name for name, values in HEART_VALUES.items()}
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

_ENUMS: Final[dict[str, type[Choice]]] = {
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
        if not is_int(getattr(rules, name)):
            wrong_type(name, "an int", getattr(rules, name))
    for name in _OPTIONAL_INTS:
        value = getattr(rules, name)
        if value is not None and not is_int(value):
            wrong_type(name, "an int or None", value)
    for name in _BOOLS:
        if not isinstance(getattr(rules, name), bool):
            wrong_type(name, "a bool", getattr(rules, name))
    for name, kind in _ENUMS.items():
        if not isinstance(getattr(rules, name), kind):
            wrong_type(name, f"a {kind.__name__}", getattr(rules, name))
    for number in (number for step in rules.pass_cycle for gift in step for number in gift):
        if not is_int(number):
            wrong_type("pass_cycle", "a tuple of steps of gifts (offset, count), all ints", number)
    for value in rules.heart_values:
        if not is_int(value):
            wrong_type("heart_values", "a HeartValues or 13 ints", value)
    if rules.bonus is not None and not isinstance(rules.bonus, Bonus):
        wrong_type("bonus", "a Bonus or None", rules.bonus)
