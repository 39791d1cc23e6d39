"""The values that options take: seats, pass steps, the enums, bonus cards, the doubler, and the bounds of numbers."""

from __future__ import annotations

import enum
from typing import Any, Final, Literal, TypeAlias

import attrs

from heartsrules.base.values import checked_int, checked_players, int_text, wrong_type
from heartsrules.cards import Card

__all__ = [
    "ANY_NUMBER",
    "HOLD",
    "MAX_DEALS",
    "MAX_ENTRIES",
    "MAX_FACTOR",
    "MAX_POINTS",
    "MAX_TOTAL",
    "Bonus",
    "BonusFloor",
    "Choice",
    "Compulsory",
    "Doubler",
    "Duplicates",
    "ExposeBeforePass",
    "ExposedCardPlay",
    "Exposure",
    "FirstTrick",
    "HeartValues",
    "HeartsBreak",
    "HeartsLead",
    "Kitty",
    "KittyShownTo",
    "Moon",
    "MoonCards",
    "MoonScope",
    "OpeningCard",
    "OpeningLeader",
    "PassOptional",
    "PassPlan",
    "PassStep",
    "QueenBreaks",
    "ScoreDisplay",
    "Seat",
    "TargetScope",
    "TargetTest",
    "Tie",
    "VoidLastTrick",
    "across",
    "default_pass_cycle",
    "left",
    "middle",
    "right",
    "scatter",
]

Seat: TypeAlias = int
"""A place at the table, 0 to players - 1, clockwise: left of seat s is seat s + 1."""

PassPlan: TypeAlias = tuple[tuple[int, int], ...]
"""What everybody passes in one deal: a tuple of gifts (offset, count); the empty tuple is a hold.

A single gift of offset 0 goes through the middle: `middle`. Only there a count may be 0: any number."""

PassStep: TypeAlias = tuple[tuple[int | Literal["across"], int], ...]
"""A step of a pass cycle: a `PassPlan` in which the offset to the seat opposite is `"across"`, whatever the table.

Functions that take a step also take its text: `L3` for `left(3)`, `L2+R1` for two gifts, `scatter`, `hold`."""

HOLD: Final[PassPlan] = ()
"""The step of a deal without passing."""

ANY_NUMBER: Final[PassPlan] = ((0, 0),)
"""The step `middle(None)`: everybody lays any number of cards into the middle, or none."""


OFFSETS: Final[dict[str, int | Literal["across"]]] = {"L": 1, "R": -1, "A": "across", "M": 0}
"""The offset of a gift by its letter in texts: `L3` is `left(3)`."""
MAX_POINTS: Final = 100_000
"""The most that points, values and bonuses may be."""
MAX_FACTOR: Final = 10
"""The most that `moon_factor` and the factor of a doubler may be."""
MAX_TOTAL: Final = 1_000_000_000
"""The most that `target`, `bonus_target`, and a total of `exact_resets` with or without its sign, may be."""
MAX_DEALS: Final = 1_000_000
"""The most deals of a game, whether its rules have `max_deals` or not: deals 0 to 999,999.

With it and with the bounds of the points no total is ever so large that JavaScript or a double could not hold it.
"""
MAX_PER_SEAT: Final = 4
"""The most cards that each seat may lay into the middle, with two decks."""
MAX_ENTRIES: Final = 1000
"""The most steps of `pass_cycle`, and the most pairs of `exact_resets`."""
_LARGEST_HAND: Final = 34
"""The most cards in a hand: two decks for three players."""
_LARGEST_HAND_OF_ONE_DECK: Final = 17


def left(count: int = 3) -> PassPlan:
    """Make the step that passes `count` cards to the left.

    >>> left(3), right(2), across(3)
    (((1, 3),), ((-1, 2),), (('across', 3),))

    Raises:
        ValueError: `count` is not from 1 to 34, the largest hand of any game.
        TypeError: `count` is not an int.
    """
    return ((1, _checked_gift(count)),)


def right(count: int = 3) -> PassPlan:
    """Make the step that passes `count` cards to the right. The errors are those of `left`."""
    return ((-1, _checked_gift(count)),)


def across(count: int = 3) -> PassStep:
    """Make the step that passes `count` cards to the seat opposite, at any table with an even number of players.

    `Rules` refuses it at other tables. The errors are those of `left`.
    """
    return (("across", _checked_gift(count)),)


def _checked_gift(count: int, most: int = _LARGEST_HAND, otherwise: str = "") -> int:
    if not 1 <= checked_int("count", count) <= most:
        raise ValueError(f"count is {int_text(count)}: choose from 1 to {most} cards{otherwise}")
    return count


def middle(count: int | None = 3) -> PassPlan:
    """Make the step in which everybody lays `count` cards into one pile, which is shuffled and dealt back.

    With None everybody lays any number of cards, or none.

    >>> middle(2), middle(None)
    (((0, 2),), ((0, 0),))

    Raises:
        ValueError: `count` is not from 1 to 17, the largest hand of one deck.
        TypeError: `count` is neither an int nor None.
    """
    if count is None:
        return ANY_NUMBER
    return ((0, _checked_gift(count, _LARGEST_HAND_OF_ONE_DECK, ", or None for any number")),)


def scatter(*, players: int) -> PassStep:
    """Make the step that passes one card to every other player, the left neighbour first.

    >>> scatter(players=4)
    ((1, 1), ('across', 1), (-1, 1))

    Raises:
        ValueError: `players` is not from 3 to 11.
        TypeError: `players` is not an int.
    """
    return tuple((unify_offset(offset, players), 1) for offset in range(1, checked_players(players)))


def default_pass_cycle(players: int) -> tuple[PassStep, ...]:
    """Make the usual cycle: left, right, across, hold; without across for an odd number of players.

    >>> default_pass_cycle(4)
    (((1, 3),), ((-1, 3),), (('across', 3),), ())

    Raises:
        ValueError: `players` is not from 3 to 11.
        TypeError: `players` is not an int.
    """
    if checked_players(players) % 2:
        return (left(), right(), HOLD)
    return (left(), right(), across(), HOLD)


def unify_offset(offset: int | Literal["across"], players: int) -> int | Literal["across"]:
    """The one spelling of an offset: from -((players - 1) // 2) to (players - 1) // 2, or "across".

    0 is the middle; any other multiple of `players`, which `Rules` refuses, stays as it is."""
    if offset == "across":
        return offset
    wrapped = offset % players
    if not wrapped:
        return offset
    if 2 * wrapped == players:
        return "across"
    return wrapped if 2 * wrapped < players else wrapped - players


def resolved_step(step: PassStep, players: int) -> PassPlan:
    """A step with the offset to the seat opposite as a number."""
    return tuple([(players // 2 if offset == "across" else offset, count) for offset, count in step])


class Choice(enum.Enum):
    """The base of the enums that options take: the values are stable kebab-case names."""

    @classmethod
    def named(cls, text: str) -> Any:
        """Return the member that a text names, in any case, with hyphens or underscores; None if it names none."""
        name = text.lower().replace("_", "-").replace(" ", "-") if text.isascii() else text
        return next((each for each in cls if each.value == name), None)

    def __repr__(self) -> str:
        return f"{type(self).__name__}.{self.name}"

    def __str__(self) -> str:
        return str(self.value)


class Kitty(Choice):
    """Who collects the cards that are left over after dealing: the first winner of a trick, of a penalty card, of
    a heart, or the winner of the last trick."""

    NONE = "none"
    FIRST_TRICK = "first-trick"
    FIRST_POINT = "first-point"
    FIRST_HEART = "first-heart"
    LAST_TRICK = "last-trick"


class KittyShownTo(Choice):
    """Who may see the kitty when it is taken."""

    TAKER = "taker"
    NOBODY = "nobody"
    EVERYBODY = "everybody"


class PassOptional(Choice):
    """Whether a player may decline to pass, and what happens then."""

    NO = "no"
    SKIP = "skip"
    UNANIMOUS = "unanimous"


class Exposure(Choice):
    """How cards are shown before the first lead: in any order, and nobody sees them before all have moved; or one seat
    after the other from the dealer's left, each seen at once. In rounds, in any order or in turn, each is seen at once
    too, and whenever a seat shows cards all others may show more."""

    TOGETHER = "together"
    IN_TURN = "in-turn"
    ROUNDS = "rounds"
    ROUNDS_IN_TURN = "rounds-in-turn"


class ExposeBeforePass(Choice):
    """In which deals cards are shown before the pass, which is then made only if nobody has shown any, and again after
    it: in none; in those whose pass goes through the middle; or in all that have a pass."""

    NEVER = "never"
    MIDDLE = "middle"
    ALWAYS = "always"


class ExposedCardPlay(Choice):
    """How shown cards wait until an earlier trick was led in their suit: not at all; while their holder has another
    card of the suit; or so when following, and on the lead while their holder may lead any other card."""

    FREE = "free"
    WAIT_IN_SUIT = "wait-in-suit"
    WAIT_ON_LEAD = "wait-on-lead"


class OpeningLeader(Choice):
    """Who leads to the first trick of a deal: the holder of the lowest club, the seat to the dealer's left, or whoever
    captured the Q♠ in the deal before (in the first deal, and if nobody did, the holder of the lowest spade)."""

    LOWEST_CLUB = "lowest-club"
    DEALER_LEFT = "dealer-left"
    QUEEN_TAKER = "queen-taker"


class OpeningCard(Choice):
    """What may be led to the first trick of a deal: the lowest club, any club, a card that is not a penalty card,
    whatever `hearts_lead` allows, or any card at all."""

    LOWEST_CLUB = "lowest-club"
    ANY_CLUB = "any-club"
    NON_POINT = "non-point"
    ANY = "any"
    UNRESTRICTED = "unrestricted"


class FirstTrick(Choice):
    """What may not be discarded on the first trick of a deal: penalty cards; hearts; scoring cards, which are hearts,
    penalty cards and bonus cards; or nothing is barred."""

    NO_POINTS = "no-points"
    NO_HEARTS = "no-hearts"
    NO_SCORING = "no-scoring"
    FREE = "free"


class HeartsLead(Choice):
    """When a heart may be led: once hearts are broken; once they are broken, and until then no other penalty card may
    be led either; or at any time."""

    WHEN_BROKEN = "when-broken"
    POINTS_WHEN_BROKEN = "points-when-broken"
    ANY_TIME = "any-time"


class HeartsBreak(Choice):
    """How a heart breaks hearts: when it is played in any way, when it is played but not led, when it is discarded on
    another suit, or not at all."""

    PLAYED = "played"
    NOT_LED = "not-led"
    DISCARDED = "discarded"
    NEVER = "never"


class QueenBreaks(Choice):
    """How the Q♠ breaks hearts: not at all, when led, when discarded on another suit, when played in any way."""

    NEVER = "never"
    LED = "led"
    DISCARDED = "discarded"
    PLAYED = "played"


class Compulsory(Choice):
    """When the holder of a compulsory card must play it: never, when the suit led cannot be followed, then and under a
    higher card of its suit, whenever it is legal to follow with it, whenever it is legal."""

    NO = "no"
    DISCARD = "discard"
    SAFE = "safe"
    NOT_LEAD = "not-lead"
    ALWAYS = "always"


class Duplicates(Choice):
    """What equal cards in one trick do: cancel each other, or the first or the last of them wins."""

    CANCEL = "cancel"
    FIRST_WINS = "first-wins"
    LAST_WINS = "last-wins"


class VoidLastTrick(Choice):
    """Who takes a last trick that nobody wins."""

    NOBODY = "nobody"
    LEADER = "leader"


class HeartValues(Choice):
    """Named penalty values of the hearts: one each (13 in all), spot values with 11 to 14 for J Q K A (104), one
    each but 2 to 5 for J Q K A (23), spot values with 10 for J Q K A (94)."""

    ONE = "one"
    SPOT = "spot"
    FACE = "face"
    PIPS = "pips"

    @property
    def values(self) -> tuple[int, ...]:
        """The values of 2♥ to A♥."""
        return HEART_VALUES[self.value]


HEART_VALUES: Final[dict[str, tuple[int, ...]]] = {
    "one": (1,) * 13,
    "spot": (2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14),
    "face": (1, 1, 1, 1, 1, 1, 1, 1, 1, 2, 3, 4, 5),
    "pips": (2, 3, 4, 5, 6, 7, 8, 9, 10, 10, 10, 10, 10),
}


class BonusFloor(Choice):
    """How far the bonus cards may lower a score: without limit, the deal's points to 0, the running total to 0."""

    NONE = "none"
    DEAL = "deal"
    TOTAL = "total"


class Moon(Choice):
    """What shooting the moon does. All but `OFF`, `CHOICE` and the automatic ones are also the effects that it can
    have; a shooter who chooses has the first two."""

    OFF = "off"
    OTHERS_UP = "others-up"
    SHOOTER_DOWN = "shooter-down"
    BOTH = "both"
    OTHERS_PAY = "others-pay"
    SHOOTER_TO_ZERO = "shooter-to-zero"
    SHOOTER_WINS = "shooter-wins"
    CHOICE = "choice"
    AUTO_SAVE = "auto-save"
    AUTO_EXTEND = "auto-extend"

    @property
    def effects(self) -> tuple[Moon, ...]:
        """The effects that a moon may have under these rules: those to choose from, or one, or none."""
        if self in (Moon.CHOICE, Moon.AUTO_SAVE, Moon.AUTO_EXTEND):
            return (Moon.OTHERS_UP, Moon.SHOOTER_DOWN)
        return () if self is Moon.OFF else (self,)


class MoonCards(Choice):
    """Which cards make a moon: every penalty card; every heart and Q♠; every heart (and then the Q♠ too, for a shooter
    who holds it); or every card in play, which takes every trick."""

    ALL = "all"
    HEARTS_AND_QUEEN = "hearts-and-queen"
    HEARTS = "hearts"
    EVERY_CARD = "every-card"


class MoonScope(Choice):
    """Who can shoot the moon, or win every trick for the sun: one player, or a team together."""

    PLAYER = "player"
    TEAM = "team"


class TargetTest(Choice):
    """Whether a game ends when a total reaches the target or only when it exceeds it, or when a total reaches it and
    one of exactly the target wins."""

    REACHED = "reached"
    EXCEEDED = "exceeded"
    EXACT_WINS = "exact-wins"


class TargetScope(Choice):
    """Whose total is compared with the target: that of a side (a team's is the sum of its members'), or each player's
    own."""

    SIDE = "side"
    PLAYER = "player"


class Tie(Choice):
    """What happens when the lowest total is not unique at the end: another whole deal, or several winners."""

    EXTRA_DEAL = "extra-deal"
    SHARED = "shared"


class ScoreDisplay(Choice):
    """How totals are shown: as penalties, as negative points, or as what is left of the target."""

    PENALTY = "penalty"
    NEGATIVE = "negative"
    COUNTDOWN = "countdown"


def is_int(value: object) -> bool:
    """Whether a value is an int and not a bool."""
    return isinstance(value, int) and not isinstance(value, bool)


def _as_card(value: Card | str) -> Card:
    return Card(value) if isinstance(value, str) else value


@attrs.frozen
class Bonus:
    """A card that lowers its taker's score.

    >>> Bonus(Card("JD"), 10)
    Bonus(card=Card('JD'), points=10)
    """

    card: Card = attrs.field(converter=_as_card)
    points: int
    """How much is subtracted, 1 to 100,000."""

    def __attrs_post_init__(self) -> None:
        if not isinstance(self.card, Card):
            wrong_type("card", "a Card", self.card)
        if not is_int(self.points):
            wrong_type("points", "an int", self.points)


@attrs.frozen
class Doubler:
    """A card that multiplies its taker's score, if its taker captured a scoring card too.

    >>> Doubler(Card("TC"))
    Doubler(card=Card('TC'), factor=2, alone=0)
    """

    card: Card = attrs.field(converter=_as_card)
    factor: int = 2
    """By how much the score is multiplied, 2 to 10."""
    alone: int = 0
    """How much is subtracted instead if its taker captured no scoring card, 0 to 100,000."""

    def __attrs_post_init__(self) -> None:
        if not isinstance(self.card, Card):
            wrong_type("card", "a Card", self.card)
        for name in ("factor", "alone"):
            if not is_int(getattr(self, name)):
                wrong_type(name, "an int", getattr(self, name))
