"""Rules resolved to masks, numbers and flags, for code that runs on every play.

That code reads no enum and no field of `Rules`. Masks and small numbers are machine integers when compiled; points can
be integers of any size.
"""

from __future__ import annotations

import functools
import operator
from collections.abc import Iterable
from enum import Enum
from typing import TYPE_CHECKING, Final, TypeVar, final

from heartsrules.cards import ALL_FACES, FULL, NO_CARDS, SUIT_MASKS, Cards, bag_of, cards_of
from heartsrules.rules._choices import (
    BonusFloor,
    Compulsory,
    Duplicates,
    ExposeBeforePass,
    ExposedCardPlay,
    Exposure,
    FirstTrick,
    HeartsBreak,
    HeartsLead,
    Kitty,
    Moon,
    MoonCards,
    MoonScope,
    OpeningCard,
    OpeningLeader,
    PassOptional,
    PassStep,
    QueenBreaks,
    Seat,
    TargetScope,
    TargetTest,
    Tie,
    VoidLastTrick,
    resolved_step,
)
from heartsrules.rules._fields import RuleFields

if TYPE_CHECKING:
    from mypy_extensions import i64

Chosen = TypeVar("Chosen", bound=Enum)

CLUBS: Final = 0x1FFF
SPADES: Final = 0x7FFC000000
HEARTS: Final = 0xFFF8000000000
QUEEN: Final = 0x1000000000
"""The bit of the ♠Q (26 + 10)."""

OPEN_ANY: Final = 0
OPEN_LOWEST_CLUB: Final = 1
OPEN_ANY_CLUB: Final = 2
OPEN_NON_POINT: Final = 3
OPEN_UNRESTRICTED: Final = 4

LEADER_LOWEST_CLUB: Final = 0
LEADER_DEALER_LEFT: Final = 1
LEADER_QUEEN_TAKER: Final = 2

COMPULSORY_NO: Final = 0
COMPULSORY_DISCARD: Final = 1
COMPULSORY_SAFE: Final = 2
COMPULSORY_NOT_LEAD: Final = 3
COMPULSORY_ALWAYS: Final = 4

SHOWN_FREE: Final = 0
SHOWN_WAIT_IN_SUIT: Final = 1
SHOWN_WAIT_ON_LEAD: Final = 2

SINGLE: Final = 0
CANCEL: Final = 1
FIRST_WINS: Final = 2
LAST_WINS: Final = 3

KITTY_NONE: Final = 0
KITTY_FIRST_TRICK: Final = 1
KITTY_FIRST_POINT: Final = 2
KITTY_FIRST_HEART: Final = 3
KITTY_LAST_TRICK: Final = 4

MOON_OFF: Final = 0
MOON_OTHERS_UP: Final = 1
MOON_SHOOTER_DOWN: Final = 2
MOON_CHOICE: Final = 3
MOON_BOTH: Final = 4
MOON_OTHERS_PAY: Final = 5
MOON_SHOOTER_WINS: Final = 6
# For these the running totals decide the moon's effect.
MOON_AUTO_SAVE: Final = 7
MOON_AUTO_EXTEND: Final = 8
MOON_SHOOTER_TO_ZERO: Final = 9

FLOOR_NONE: Final = 0
FLOOR_DEAL: Final = 1
FLOOR_TOTAL: Final = 2


def deck_of(rules: RuleFields) -> Cards:
    return bag_of(FULL, FULL if rules.decks == 2 else 0) - rules.removed


def sizes_of(rules: RuleFields) -> tuple[int, int]:
    """Return the size of each hand and of the kitty, negative if cards are missing."""
    total = len(deck_of(rules))
    hand = total // rules.players if rules.hand_size is None else rules.hand_size
    return hand, total - hand * rules.players


def sides_of(rules: RuleFields) -> tuple[tuple[Seat, ...], ...]:
    count = rules.teams or rules.players
    return tuple(tuple(range(side, rules.players, count)) for side in range(count))


def values_of(rules: RuleFields, doubled: int = 0) -> list[int]:
    """Return the penalty value of all 52 cards, in play or not, with some doubled."""
    values = [0] * 52
    for index, points in enumerate(rules.heart_values[:13], 39):
        values[index] = points
    values[36] = rules.queen_points
    for card, points in rules.extra_penalties:
        values[card.index] += points
    return [value * 2 if card.bit & doubled else value for card, value in zip(ALL_FACES, values, strict=True)]


def penalty_faces(rules: RuleFields, deck: Cards) -> int:
    """Return the mask of the deck's cards with a penalty value above 0."""
    values = values_of(rules)
    return sum(card.bit for card in ALL_FACES if values[card.index] > 0) & deck.lo


def shows_before(rules: RuleFields, step: PassStep) -> bool:
    if not rules.exposable:
        return False
    if rules.expose_before_pass is ExposeBeforePass.MIDDLE:
        return [offset for offset, _ in step] == [0]
    return bool(step) and rules.expose_before_pass is ExposeBeforePass.ALWAYS


def _codes(members: Iterable[Chosen], prefix: str) -> dict[Chosen, int]:
    return {member: globals()[prefix + member.name] for member in members}


_LEADER: Final = _codes(OpeningLeader, "LEADER_")
_OPENING: Final = _codes(OpeningCard, "OPEN_")
_COMPULSORY: Final = _codes(Compulsory, "COMPULSORY_")
_DUPLICATES: Final = _codes(Duplicates, "")
MOON_CODES: Final = _codes(Moon, "MOON_")
"""The code of each effect of the moon."""
_FLOOR: Final = _codes(BonusFloor, "FLOOR_")
_SHOWN: Final = _codes(ExposedCardPlay, "SHOWN_")
_KITTY: Final = _codes(Kitty, "KITTY_")


def _worth(values: tuple[int, ...], penalty: int) -> list[Valued]:
    masks: dict[int, int] = {}
    for card in ALL_FACES:
        if card.bit & penalty:
            masks[values[card.index]] = masks.get(values[card.index], 0) | card.bit
    return [Valued(value, masks[value]) for value in sorted(masks, reverse=True)]


def moon_faces(rules: RuleFields, deck: Cards, penalty: int) -> int:
    """Return the mask of the cards that make every moon.

    If only hearts do, a side that also has every ♠Q makes a moon of the queens too.
    """
    if rules.moon_cards is MoonCards.ALL or rules.moon is Moon.OFF:
        return penalty
    if rules.moon_cards is MoonCards.EVERY_CARD:
        return deck.lo
    return deck.lo & (HEARTS if rules.moon_cards is MoonCards.HEARTS else HEARTS | QUEEN)


def any_of(masks: Iterable[int]) -> int:
    return functools.reduce(operator.or_, masks, 0)


def face_kinds(masks: Iterable[int]) -> list[int]:
    """Return the kind of each card, at index `bit % 53`.

    Cards of one kind have the same suit and are in the same masks.
    """
    groups: list[int] = [*SUIT_MASKS]
    for mask in dict.fromkeys(masks):
        groups = [part for group in groups for part in (group & mask, group & ~mask) if part]
    kinds = [0] * 53
    for kind, group in enumerate(groups):
        for card in cards_of(group):
            kinds[card.bit % 53] = kind
    return kinds


@final
class Valued:
    """Cards of equal value, as a mask."""

    __slots__ = ("faces", "points")

    def __init__(self, points: int, faces: i64) -> None:
        self.points: Final = points
        """The value of each card."""
        self.faces: Final[i64] = faces


class _Deal:
    """The deck, the hands, the pass and the exposure."""

    def __init__(self, rules: RuleFields, doubled: int) -> None:
        deck = deck_of(rules)
        hand, kitty = sizes_of(rules)
        self.players: Final[i64] = rules.players
        self.first_dealer: Final[i64] = rules.first_dealer
        self.sides: Final[i64] = rules.teams or rules.players
        """The number of sides. Seat s belongs to side s mod sides."""
        self.deck_lo: Final[i64] = deck.lo
        self.deck_hi: Final[i64] = deck.hi
        """The cards in play twice."""
        self.hand_size: Final[i64] = hand
        self.kitty_size: Final[i64] = kitty
        self.nothing: Final[tuple[Cards, ...]] = (NO_CARDS,) * rules.players
        """An empty `Cards` for each seat."""
        self.values: Final[tuple[int, ...]] = tuple(values_of(rules, doubled))
        """The penalty value of each of the 52 cards, by index."""
        self.penalty: Final[i64] = penalty_faces(rules, deck)
        self.penalty_total: Final[int] = sum([self.values[card.index] for card in deck])
        self.bonuses: Final[list[Valued]] = [
            Valued(each.points * (2 if each.card.bit & doubled else 1), each.card.bit) for each in rules.bonuses
        ]
        """The bonus cards, one by one. Do not change the list."""
        self.bonus_faces: Final[i64] = any_of([each.card.bit for each in rules.bonuses])
        self.pass_cycle: Final[tuple[tuple[tuple[int, int], ...], ...]] = tuple(
            [resolved_step(step, rules.players) for step in rules.pass_cycle]
        )
        self.gift_sizes: Final[tuple[tuple[int, ...], ...]] = tuple(
            [tuple([count for _, count in step]) for step in rules.pass_cycle]
        )
        """The number of cards for each recipient, for each step of the pass cycle."""
        self.unpassable: Final[i64] = rules.unpassable.lo
        self.may_decline: Final[bool] = rules.pass_optional is not PassOptional.NO
        self.exposable: Final[i64] = rules.exposable.lo
        self.shows_in_turn: Final[bool] = rules.exposure in (Exposure.IN_TURN, Exposure.ROUNDS_IN_TURN)
        self.shows_in_rounds: Final[bool] = rules.exposure in (Exposure.ROUNDS, Exposure.ROUNDS_IN_TURN)
        """True if all others may expose more whenever a seat does."""
        self.shows_openly: Final[bool] = rules.exposure is not Exposure.TOGETHER
        """True if exposed cards are seen at once."""
        self.shows_first: Final[tuple[bool, ...]] = tuple([shows_before(rules, step) for step in rules.pass_cycle])
        """True for each step of the pass cycle with exposing before the pass."""


class _Play(_Deal):
    """The legal plays, the tricks and the kitty."""

    def __init__(self, rules: RuleFields, doubled: int) -> None:
        super().__init__(rules, doubled)
        penalty, bonus = self.penalty, self.bonus_faces
        self.opening_leader: Final[i64] = _LEADER[rules.opening_leader]
        self.opening: Final[i64] = _OPENING[rules.opening_card]
        self.first_trick_bars: Final[i64] = {
            FirstTrick.NO_POINTS: penalty,
            FirstTrick.NO_HEARTS: HEARTS,
            FirstTrick.NO_SCORING: penalty | HEARTS | bonus,
        }.get(rules.first_trick, 0)
        """The cards barred on the first trick."""
        self.first_trick_bars_bonus: Final[bool] = rules.first_trick is FirstTrick.NO_SCORING
        """True if `first_trick_bars` includes bonus cards.

        They go first from a hand with nothing else, and hearts last."""
        points_wait = rules.hearts_lead is HeartsLead.POINTS_WHEN_BROKEN
        any_time = rules.hearts_lead is HeartsLead.ANY_TIME
        self.lead_waits: Final[i64] = 0 if any_time else HEARTS | (penalty if points_wait else 0)
        """The cards that may not be led before hearts are broken."""
        spares = rules.heart_lead_spares_queen and not any_time
        if points_wait and self.values[36]:
            spares = False
        self.lead_spared: Final[i64] = QUEEN if spares else 0
        """The ♠Q, if a leader with only hearts and ♠Q may lead either and `lead_waits` does not include her, or 0."""
        self.discard_waits: Final[i64] = QUEEN if rules.queen_discard_after_hearts else 0
        """The cards that may not be discarded before hearts are broken."""
        breaks = rules.queen_breaks
        hearts = rules.hearts_break
        led = HEARTS if hearts is HeartsBreak.PLAYED else 0
        followed = HEARTS if hearts in (HeartsBreak.PLAYED, HeartsBreak.NOT_LED) else 0
        discarded = 0 if hearts is HeartsBreak.NEVER else HEARTS
        self.break_lead: Final[i64] = led | (QUEEN if breaks in (QueenBreaks.LED, QueenBreaks.PLAYED) else 0)
        self.break_follow: Final[i64] = followed | (QUEEN if breaks is QueenBreaks.PLAYED else 0)
        self.break_discard: Final[i64] = discarded | (
            QUEEN if breaks in (QueenBreaks.DISCARDED, QueenBreaks.PLAYED) else 0
        )
        self.exposed_card_play: Final[i64] = _SHOWN[rules.exposed_card_play]
        self.compulsory: Final[i64] = _COMPULSORY[rules.compulsory]
        self.compulsory_faces: Final[i64] = rules.compulsory_cards.lo if rules.compulsory is not Compulsory.NO else 0
        """The compulsory cards, or 0 with COMPULSORY_NO."""
        self.duplicates: Final[i64] = _DUPLICATES[rules.duplicates] if rules.decks == 2 else SINGLE
        self.leader_takes_void_last_trick: Final[bool] = rules.void_last_trick is VoidLastTrick.LEADER
        self.kitty: Final[i64] = _KITTY[rules.kitty] if self.kitty_size else KITTY_NONE
        """The way of winning the kitty. It is also KITTY_NONE if there are no cards in it."""
        self.kitty_marks: Final[i64] = {KITTY_FIRST_POINT: penalty, KITTY_FIRST_HEART: HEARTS}.get(self.kitty, 0)
        """The cards that win the kitty for the first seat to take one, or 0 if it depends on no card."""


class _Score(_Play):
    """The moon and the points of a deal."""

    def __init__(self, rules: RuleFields, doubled: int) -> None:
        super().__init__(rules, doubled)
        deck = deck_of(rules)
        moon = moon_faces(rules, deck, self.penalty)
        queens = deck.count(ALL_FACES[36])
        self.worth: Final[list[Valued]] = _worth(self.values, self.penalty)
        """The penalty cards in play by value, the highest first. Do not change the list."""
        # Without moon cards there is no shooter.
        self.moon: Final[i64] = MOON_CODES[rules.moon] if moon else MOON_OFF
        self.moon_lo: Final[i64] = moon | (self.bonus_faces if moon and rules.moon_needs_bonus else 0)
        """The cards that a shooter must have."""
        self.moon_hi: Final[i64] = self.moon_lo & self.deck_hi
        self.moon_apart: Final[i64] = self.penalty & ~moon
        """The penalty cards outside a moon, which count for their takers even if one is shot."""
        self.moon_queens: Final[i64] = deck.lo & QUEEN & ~moon if rules.moon_cards is MoonCards.HEARTS else 0
        """The ♠Q, if a shooter needs only hearts and also makes a moon of all the queens, or 0."""
        self.moon_sides: Final[tuple[tuple[int, ...], ...]] = (
            sides_of(rules) if rules.moon_scope is MoonScope.TEAM else tuple(zip(range(rules.players)))
        )
        """The groups of seats that can shoot the moon together."""
        self.sun_groups: Final[i64] = self.players if rules.sun_scope is MoonScope.PLAYER else self.sides
        """The number of groups of which one must win every trick for the sun. Seat s belongs to group s mod that
        number."""
        self.moon_near: Final[int] = rules.moon_points or sum(
            [self.values[card.index] for card in deck if card.bit & moon]
        )
        """Three times the penalty points at which a moon is near, which is `moon_value` without `moon_factor`."""
        self.moon_value: Final[int] = self.moon_near * rules.moon_factor
        """The moon's value without the queens of `moon_queens`."""
        self.sun_value: Final[int] = rules.sun_points or 0
        """The moon's value with every trick, or 0 if it is twice the usual one."""
        self.queens_value: Final[int] = self.values[36] * queens
        """The penalty value of every ♠Q in play together."""
        self.moon_queens_value: Final[int] = self.queens_value * rules.moon_factor
        """The addition to the moon's value for a moon of `moon_queens`."""
        self.one_queen: Final[bool] = queens == 1
        doubler = rules.doubler
        self.doubler: Final[i64] = 0 if doubler is None else doubler.card.bit
        """The card that multiplies its taker's score, or 0."""
        times = 2 if self.doubler & doubled else 1
        self.doubler_factor: Final[int] = 1 if doubler is None else doubler.factor * times
        self.doubler_alone: Final[int] = 0 if doubler is None else doubler.alone * times
        self.bonus_floor: Final[i64] = _FLOOR[rules.bonus_floor] if rules.bonuses else FLOOR_NONE
        self.no_tricks_bonus: Final[int] = rules.no_tricks_bonus
        self.scoring: Final[i64] = self.penalty | self.bonus_faces | (deck.lo & HEARTS)
        """The scoring cards, which are penalty cards, hearts and bonus cards."""
        self.counting: Final[i64] = self.scoring | self.doubler
        """The cards that affect the points of their taker, apart from a moon."""


@final
class ResolvedRules(_Score):
    """The resolved form of a valid rule set. It is not part of the rule set's value."""

    def __init__(self, rules: RuleFields, doubled: int = 0) -> None:
        """Resolve a rule set, with some cards counting double."""
        super().__init__(rules, doubled)
        self.freedom: i64 = -1
        """The cached result of `legality.freedom`, or -1."""
        self.doubled: Final[dict[int, ResolvedRules]] = {}
        """The cached forms in which some cards count double, by the mask of these."""
        self.traits: object = None
        """The cached result of `score_traits.traits_of`, or None."""
        self.target: Final[int] = rules.target or 0
        """The total that ends the game, or 0."""
        self.target_exceeded: Final[bool] = rules.target_test is TargetTest.EXCEEDED
        self.winning_total: Final[int | None] = rules.target if rules.target_test is TargetTest.EXACT_WINS else None
        """The total that wins the game, or None if the lowest one always does."""
        self.target_of_player: Final[bool] = rules.target_scope is TargetScope.PLAYER
        self.bonus_target: Final[int] = rules.bonus_target or 0
        """The distance of a total below 0 that ends the game, or 0."""
        self.max_deals: Final[int] = rules.max_deals or 0
        """The number of deals that ends the game, or 0."""
        self.shares_ties: Final[bool] = rules.tie is Tie.SHARED
        self.resets: Final[dict[int, int]] = {
            # Where totals have a floor, a reset stops there too.
            exact: max(lower, min(exact, 0)) if rules.total_floor else lower
            for exact, lower in rules.exact_resets
        }
        """The new total for each total that is reset."""
        # A switch without effect is off, so that no code depends on it.
        idle = {"sun": self.moon == MOON_OFF, "two_pairs_void": rules.decks == 1}
        self.switches: Final[i64] = sum(
            [each.switch for each in rules.OPTIONS if getattr(rules, each.name) is True and not idle.get(each.name)]
        )
        """The bits of the bool options that are on (see `heartsrules.rules.switch`)."""
        # The faces that a rule of the play or of the score names one by one.
        named = [self.compulsory_faces, self.discard_waits, self.lead_spared, self.bonus_faces, self.doubler]
        # The classes of faces that a rule of the play or of the score treats apart.
        classes = [self.penalty, self.first_trick_bars, self.lead_waits, self.kitty_marks, self.scoring]
        classes += [self.break_lead, self.break_follow, self.break_discard, self.moon_apart, self.moon_queens]
        moon = [self.moon_lo, self.moon_hi]
        # A moon of every card sets none apart.
        apart = classes if self.moon_lo == self.deck_lo else classes + moon
        self.named_faces: Final[i64] = any_of(named) | any_of(apart) & ~HEARTS
        """The cards named in a rule of play or scoring, other than as hearts."""
        valued = [each.faces for each in (*self.worth, *self.bonuses)]
        self.kinds: Final[list[int]] = face_kinds([*named, *classes, *moon, *valued])
        """The kind of each card, at index `bit % 53`. Do not change it.

        Cards of one kind that are adjacent among the remaining cards of their suit are interchangeable in play and
        score, unless exposed."""

    def dealer(self, deal_number: int) -> int:
        return (int(self.first_dealer) + deal_number) % int(self.players)

    def pass_plan(self, deal_number: int) -> tuple[tuple[int, int], ...]:
        return self.pass_cycle[deal_number % len(self.pass_cycle)]

    def sizes_of(self, deal_number: int) -> tuple[int, ...]:
        """Return the number of cards for each recipient, or an empty tuple without a pass."""
        return self.gift_sizes[deal_number % len(self.gift_sizes)]

    def shows_before_pass(self, deal_number: int) -> bool:
        return self.shows_first[deal_number % len(self.shows_first)]

    def through_middle(self, deal_number: int) -> bool:
        step = self.pass_plan(deal_number)
        return len(step) == 1 and step[0][0] == 0
