"""The values of options, such as seats, pass steps and enums."""

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
"""A seat number from 0 to players - 1, clockwise. Seat s + 1 is to the left of seat s."""

PassPlan: TypeAlias = tuple[tuple[int, int], ...]
"""The pass of one deal, as (offset, count) pairs. An empty tuple is a hold.

A single pair with offset 0 is a pass through the middle (`middle`). Only there the count can be 0, for any number."""

PassStep: TypeAlias = tuple[tuple[int | Literal["across"], int], ...]
"""A step of a pass cycle, like a `PassPlan` but with `"across"` as the offset to the opposite seat.

Functions also accept its text: `L3` for `left(3)`, `L2+R1` for two recipients, `scatter`, `hold`."""

HOLD: Final[PassPlan] = ()
"""The step of a deal without passing."""

ANY_NUMBER: Final[PassPlan] = ((0, 0),)
"""The step `middle(None)`, in which each player puts any number of cards into the middle."""


OFFSETS: Final[dict[str, int | Literal["across"]]] = {"L": 1, "R": -1, "A": "across", "M": 0}
"""The offset for each letter in a step's text, such as the `L` of `L3`."""
MAX_POINTS: Final = 100_000
"""The maximum of points, values and bonuses."""
MAX_FACTOR: Final = 10
"""The maximum of `moon_factor` and of a doubler's factor."""
MAX_TOTAL: Final = 1_000_000_000
"""The maximum of `target` and `bonus_target`, and of the absolute totals in `exact_resets`."""
MAX_DEALS: Final = 1_000_000
"""The maximum number of deals of a game, whatever its rules.

Together with the bounds of points it keeps every total exact in a JavaScript number."""
MAX_PER_SEAT: Final = 4
"""The maximum number of cards that a seat may put into the middle with two decks."""
MAX_ENTRIES: Final = 1000
"""The maximum number of steps in `pass_cycle` and of pairs in `exact_resets`."""
_LARGEST_HAND: Final = 34
_LARGEST_HAND_OF_ONE_DECK: Final = 17


def left(count: int = 3) -> PassPlan:
    """Make the step that passes `count` cards to the left.

    >>> left(3), right(2), across(3)
    (((1, 3),), ((-1, 2),), (('across', 3),))

    Raises:
        ValueError: `count` is not from 1 to 34, the largest hand of any game.
    """
    return ((1, _checked_gift(count)),)


def right(count: int = 3) -> PassPlan:
    """Make the step that passes `count` cards to the right.

    The errors are those of `left`.
    """
    return ((-1, _checked_gift(count)),)


def across(count: int = 3) -> PassStep:
    """Make the step that passes `count` cards to the opposite seat.

    `Rules` refuses it for an odd number of players. The errors are those of `left`.
    """
    return (("across", _checked_gift(count)),)


def _checked_gift(count: int, most: int = _LARGEST_HAND, otherwise: str = "") -> int:
    if not 1 <= checked_int("count", count) <= most:
        raise ValueError(f"count is {int_text(count)}: choose from 1 to {most} cards{otherwise}")
    return count


def middle(count: int | None = 3) -> PassPlan:
    """Make the step in which each player puts `count` cards into the middle.

    The pile is shuffled and dealt back. With None each player may put in any number of cards.

    >>> middle(2), middle(None)
    (((0, 2),), ((0, 0),))

    Raises:
        ValueError: `count` is not from 1 to 17, the largest hand of one deck.
    """
    if count is None:
        return ANY_NUMBER
    return ((0, _checked_gift(count, _LARGEST_HAND_OF_ONE_DECK, ", or None for any number")),)


def scatter(*, players: int) -> PassStep:
    """Make the step that passes one card to every other player, starting on the left.

    >>> scatter(players=4)
    ((1, 1), ('across', 1), (-1, 1))

    Raises:
        ValueError: `players` is not from 3 to 11.
    """
    return tuple((unify_offset(offset, players), 1) for offset in range(1, checked_players(players)))


def default_pass_cycle(players: int) -> tuple[PassStep, ...]:
    """Make the usual cycle of left, right, across, hold.

    For an odd number of players it has no across.

    >>> default_pass_cycle(4)
    (((1, 3),), ((-1, 3),), (('across', 3),), ())

    Raises:
        ValueError: `players` is not from 3 to 11.
    """
    if checked_players(players) % 2:
        return (left(), right(), HOLD)
    return (left(), right(), across(), HOLD)


def unify_offset(offset: int | Literal["across"], players: int) -> int | Literal["across"]:
    """Normalize an offset to -((players - 1) // 2) to (players - 1) // 2, or "across".

    0 is the middle. Other multiples of `players`, which `Rules` refuses, are unchanged.
    """
    if offset == "across":
        return offset
    wrapped = offset % players
    if not wrapped:
        return offset
    if 2 * wrapped == players:
        return "across"
    return wrapped if 2 * wrapped < players else wrapped - players


def resolved_step(step: PassStep, players: int) -> PassPlan:
    """Return a step with a number instead of `"across"`."""
    return tuple([(players // 2 if offset == "across" else offset, count) for offset, count in step])


class Choice(enum.Enum):
    """The base class of option enums, whose values are stable kebab-case names."""

    @classmethod
    def named(cls, text: str) -> Any:
        """Return the member with this name, or None.

        The text can be in any case, with hyphens, underscores or spaces.
        """
        name = text.lower().replace("_", "-").replace(" ", "-") if text.isascii() else text
        return next((each for each in cls if each.value == name), None)

    def __repr__(self) -> str:
        return f"{type(self).__name__}.{self.name}"

    def __str__(self) -> str:
        return str(self.value)


class Kitty(Choice):
    """The winner of the cards left over after dealing.

    That is the first player to win a trick, a penalty card or a heart, or the winner of the last trick.
    """

    NONE = "none"
    FIRST_TRICK = "first-trick"
    FIRST_POINT = "first-point"
    FIRST_HEART = "first-heart"
    LAST_TRICK = "last-trick"


class KittyShownTo(Choice):
    """The players who may see the kitty when it is won."""

    TAKER = "taker"
    NOBODY = "nobody"
    EVERYBODY = "everybody"


class PassOptional(Choice):
    """The effect of declining to pass, if that is allowed."""

    NO = "no"
    SKIP = "skip"
    UNANIMOUS = "unanimous"


class Exposure(Choice):
    """The order of exposing cards before the first lead.

    `TOGETHER` has any order and hides the cards until all have moved. `IN_TURN` goes from the dealer's left, with each
    decision seen at once. In rounds, when a seat exposes cards, all others may expose more.
    """

    TOGETHER = "together"
    IN_TURN = "in-turn"
    ROUNDS = "rounds"
    ROUNDS_IN_TURN = "rounds-in-turn"


class ExposeBeforePass(Choice):
    """The deals in which cards are exposed before the pass.

    These are none, the ones that pass through the middle, or all with a pass. The pass then takes place only if no card
    is exposed, and is followed by another chance to expose.
    """

    NEVER = "never"
    MIDDLE = "middle"
    ALWAYS = "always"


class ExposedCardPlay(Choice):
    """The limit on playing an exposed card before its suit has been led.

    There is no limit, or it waits while its holder has another card of the suit. With `WAIT_ON_LEAD` that holds when
    following; on the lead it waits while any other card may be led.
    """

    FREE = "free"
    WAIT_IN_SUIT = "wait-in-suit"
    WAIT_ON_LEAD = "wait-on-lead"


class OpeningLeader(Choice):
    """The leader to the first trick of a deal.

    That is the holder of the lowest club, the seat to the dealer's left, or the player who took the ♠Q in the previous
    deal. If there is none, the holder of the lowest spade leads.
    """

    LOWEST_CLUB = "lowest-club"
    DEALER_LEFT = "dealer-left"
    QUEEN_TAKER = "queen-taker"


class OpeningCard(Choice):
    """The cards that may be led to the first trick of a deal.

    These are the lowest club, any club, all but penalty cards, the ones that `hearts_lead` allows, or all.
    """

    LOWEST_CLUB = "lowest-club"
    ANY_CLUB = "any-club"
    NON_POINT = "non-point"
    ANY = "any"
    UNRESTRICTED = "unrestricted"


class FirstTrick(Choice):
    """The cards that may not be discarded on the first trick of a deal.

    These are penalty cards, hearts, scoring cards (hearts, penalty and bonus cards), or none.
    """

    NO_POINTS = "no-points"
    NO_HEARTS = "no-hearts"
    NO_SCORING = "no-scoring"
    FREE = "free"


class HeartsLead(Choice):
    """The condition for leading a heart.

    Hearts must be broken to lead a heart, or to lead any penalty card, or there is no condition.
    """

    WHEN_BROKEN = "when-broken"
    POINTS_WHEN_BROKEN = "points-when-broken"
    ANY_TIME = "any-time"


class HeartsBreak(Choice):
    """The way in which a heart breaks hearts.

    It breaks them when played, when played but not led, when discarded on another suit, or never.
    """

    PLAYED = "played"
    NOT_LED = "not-led"
    DISCARDED = "discarded"
    NEVER = "never"


class QueenBreaks(Choice):
    """The way in which the ♠Q breaks hearts.

    It breaks them never, when led, when discarded on another suit, or when played.
    """

    NEVER = "never"
    LED = "led"
    DISCARDED = "discarded"
    PLAYED = "played"


class Compulsory(Choice):
    """The condition under which a compulsory card must be played.

    Its holder must play it never, when void in the suit led, then or under a higher card of its suit, whenever
    following with it is legal, or whenever it is legal.
    """

    NO = "no"
    DISCARD = "discard"
    SAFE = "safe"
    NOT_LEAD = "not-lead"
    ALWAYS = "always"


class Duplicates(Choice):
    """The effect of equal cards in one trick.

    They cancel each other, or the first or the last of them wins.
    """

    CANCEL = "cancel"
    FIRST_WINS = "first-wins"
    LAST_WINS = "last-wins"


class VoidLastTrick(Choice):
    """The taker of a last trick without a winner."""

    NOBODY = "nobody"
    LEADER = "leader"


class HeartValues(Choice):
    """Named penalty values of the hearts.

    These are 1 each (13 in all), spot values with 11 to 14 for J Q K A (104), 1 each but 2 to 5 for J Q K A (23), or
    spot values with 10 for J Q K A (94).
    """

    ONE = "one"
    SPOT = "spot"
    FACE = "face"
    PIPS = "pips"

    @property
    def values(self) -> tuple[int, ...]:
        """The values of ♥2 to ♥A."""
        return HEART_VALUES[self.value]


HEART_VALUES: Final[dict[str, tuple[int, ...]]] = {
    "one": (1,) * 13,
    "spot": (2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14),
    "face": (1, 1, 1, 1, 1, 1, 1, 1, 1, 2, 3, 4, 5),
    "pips": (2, 3, 4, 5, 6, 7, 8, 9, 10, 10, 10, 10, 10),
}


class BonusFloor(Choice):
    """The limit to which bonus cards can lower a score.

    There is none, or the deal's points or the running total do not fall below 0.
    """

    NONE = "none"
    DEAL = "deal"
    TOTAL = "total"


class Moon(Choice):
    """The effect of shooting the moon.

    `OFF`, `CHOICE`, `AUTO_SAVE` and `AUTO_EXTEND` are settings only; the other members are also effects of a moon.
    """

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
        """The possible effects of a moon under this setting."""
        if self in (Moon.CHOICE, Moon.AUTO_SAVE, Moon.AUTO_EXTEND):
            return (Moon.OTHERS_UP, Moon.SHOOTER_DOWN)
        return () if self is Moon.OFF else (self,)


class MoonCards(Choice):
    """The cards that make a moon.

    These are all penalty cards, all hearts and the ♠Q, all hearts (which take the ♠Q with them if the shooter has it),
    or all cards in play, which requires every trick.
    """

    ALL = "all"
    HEARTS_AND_QUEEN = "hearts-and-queen"
    HEARTS = "hearts"
    EVERY_CARD = "every-card"


class MoonScope(Choice):
    """The shooter of a moon, or the winner of every trick for the sun.

    That is one player, or a team together.
    """

    PLAYER = "player"
    TEAM = "team"


class TargetTest(Choice):
    """The comparison of a total with the target.

    The game ends when a total reaches it, or only when one exceeds it. With `EXACT_WINS`, a total of exactly the target
    wins.
    """

    REACHED = "reached"
    EXCEEDED = "exceeded"
    EXACT_WINS = "exact-wins"


class TargetScope(Choice):
    """The total that is compared with the target.

    That is a side's (the sum for a team), or each player's own.
    """

    SIDE = "side"
    PLAYER = "player"


class Tie(Choice):
    """The effect of a tie for the lowest total at the end.

    It leads to an extra deal, or to several winners.
    """

    EXTRA_DEAL = "extra-deal"
    SHARED = "shared"


class ScoreDisplay(Choice):
    """The display of totals.

    They are shown as penalties, as negative points, or as points left to the target.
    """

    PENALTY = "penalty"
    NEGATIVE = "negative"
    COUNTDOWN = "countdown"


def is_int(value: object) -> bool:
    """Return True if a value is an int and not a bool."""
    return isinstance(value, int) and not isinstance(value, bool)


def _as_card(value: Card | str) -> Card:
    return Card(value) if isinstance(value, str) else value


@attrs.frozen
class Bonus:
    """A card that lowers its taker's score.

    >>> Bonus(Card("JD"), 10)
    Bonus(card=Card('JD'), points=10)

    Attributes:
        card: the card.
        points: the points subtracted, 1 to 100,000.
    """

    card: Card = attrs.field(converter=_as_card)
    points: int

    def __attrs_post_init__(self) -> None:
        if not isinstance(self.card, Card):
            wrong_type("card", "a Card", self.card)
        if not is_int(self.points):
            wrong_type("points", "an int", self.points)


@attrs.frozen
class Doubler:
    """A card that multiplies its taker's score, if they captured a scoring card too.

    >>> Doubler(Card("TC"))
    Doubler(card=Card('TC'), factor=2, alone=0)

    Attributes:
        card: the card.
        factor: the factor, 2 to 10.
        alone: the points subtracted instead if its taker captured no scoring card, 0 to 100,000.
    """

    card: Card = attrs.field(converter=_as_card)
    factor: int = 2
    alone: int = 0

    def __attrs_post_init__(self) -> None:
        if not isinstance(self.card, Card):
            wrong_type("card", "a Card", self.card)
        for name in ("factor", "alone"):
            if not is_int(getattr(self, name)):
                wrong_type(name, "an int", getattr(self, name))
