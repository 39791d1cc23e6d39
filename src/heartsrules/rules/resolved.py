"""Resolved rules: a rule set as masks, counts and flags, for what is done on every play, trick or deal.

Code on that path looks at no enum and at no field of `Rules`. Masks and
counts are machine integers when compiled; points may be integers of any size.
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
"""The bits of all clubs."""
SPADES: Final = 0x7FFC000000
"""The bits of all spades."""
HEARTS: Final = 0xFFF8000000000
"""The bits of all hearts."""
QUEEN: Final = 0x1000000000
"""The bit of the Q♠ (26 + 10)."""

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
# From here on the running totals decide what the moon does.
MOON_AUTO_SAVE: Final = 7
MOON_AUTO_EXTEND: Final = 8
MOON_SHOOTER_TO_ZERO: Final = 9

FLOOR_NONE: Final = 0
FLOOR_DEAL: Final = 1
FLOOR_TOTAL: Final = 2


def deck_of(rules: RuleFields) -> Cards:
    """The cards in play."""
    return bag_of(FULL, FULL if rules.decks == 2 else 0) - rules.removed


def sizes_of(rules: RuleFields) -> tuple[int, int]:
    """Cards in each hand and in the kitty; the second is negative if there are not enough."""
    total = len(deck_of(rules))
    hand = total // rules.players if rules.hand_size is None else rules.hand_size
    return hand, total - hand * rules.players


def sides_of(rules: RuleFields) -> tuple[tuple[Seat, ...], ...]:
    """The seats of each side: the teams, or each player alone."""
    count = rules.teams or rules.players
    return tuple(tuple(range(side, rules.players, count)) for side in range(count))


def values_of(rules: RuleFields, doubled: int = 0) -> list[int]:
    """The penalty value of every face, in play or not, with some faces doubled."""
    values = [0] * 52
    for index, points in enumerate(rules.heart_values[:13], 39):
        values[index] = points
    values[36] = rules.queen_points
    for card, points in rules.extra_penalties:
        values[card.index] += points
    return [value * 2 if card.bit & doubled else value for card, value in zip(ALL_FACES, values, strict=True)]


def penalty_faces(rules: RuleFields, deck: Cards) -> int:
    """The faces of the deck whose penalty value is greater than 0."""
    values = values_of(rules)
    return sum(card.bit for card in ALL_FACES if values[card.index] > 0) & deck.lo


def shows_before(rules: RuleFields, step: PassStep) -> bool:
    """Whether cards are shown before the pass of such a step."""
    if not rules.exposable:
        return False
    if rules.expose_before_pass is ExposeBeforePass.MIDDLE:
        return [offset for offset, _ in step] == [0]
    return bool(step) and rules.expose_before_pass is ExposeBeforePass.ALWAYS


def _codes(members: Iterable[Chosen], prefix: str) -> dict[Chosen, int]:
    """Return the code of each value of an option: the constant with its name."""
    return {member: globals()[prefix + member.name] for member in members}


_LEADER: Final = _codes(OpeningLeader, "LEADER_")
_OPENING: Final = _codes(OpeningCard, "OPEN_")
_COMPULSORY: Final = _codes(Compulsory, "COMPULSORY_")
_DUPLICATES: Final = _codes(Duplicates, "")
MOON_CODES: Final = _codes(Moon, "MOON_")
"""What a moon does, as its code in resolved rules."""
_FLOOR: Final = _codes(BonusFloor, "FLOOR_")
_SHOWN: Final = _codes(ExposedCardPlay, "SHOWN_")
_KITTY: Final = _codes(Kitty, "KITTY_")


def _worth(values: tuple[int, ...], penalty: int) -> list[Valued]:
    """Group penalty faces by their value, the highest first."""
    masks: dict[int, int] = {}
    for card in ALL_FACES:
        if card.bit & penalty:
            masks[values[card.index]] = masks.get(values[card.index], 0) | card.bit
    return [Valued(value, masks[value]) for value in sorted(masks, reverse=True)]


def moon_faces(rules: RuleFields, deck: Cards, penalty: int) -> int:
    """The faces that make every moon. Where hearts alone do, a side with every Q♠ makes a moon of the queens too."""
    if rules.moon_cards is MoonCards.ALL or rules.moon is Moon.OFF:
        return penalty
    if rules.moon_cards is MoonCards.EVERY_CARD:
        return deck.lo
    return deck.lo & (HEARTS if rules.moon_cards is MoonCards.HEARTS else HEARTS | QUEEN)


def any_of(masks: Iterable[int]) -> int:
    """The faces of any of these masks."""
    return functools.reduce(operator.or_, masks, 0)


def face_kinds(masks: Iterable[int]) -> list[int]:
    """Number the kinds of faces: those of one kind are of one suit and in the same of these masks.

    Returns:
        The kind of each face, at the remainder of its bit by 53.
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
    """Faces of equal worth."""

    __slots__ = ("faces", "points")

    def __init__(self, points: int, faces: i64) -> None:
        self.points: Final = points
        """The worth of each card."""
        self.faces: Final[i64] = faces


class _Deal:
    """The deck, the hands, the pass and the exposure."""

    def __init__(self, rules: RuleFields, doubled: int) -> None:
        deck = deck_of(rules)
        hand, kitty = sizes_of(rules)
        self.players: Final[i64] = rules.players
        self.first_dealer: Final[i64] = rules.first_dealer
        self.sides: Final[i64] = rules.teams or rules.players
        """The number of sides: teams or players. Seat s is of side s mod sides."""
        self.deck_lo: Final[i64] = deck.lo
        """The faces in play."""
        self.deck_hi: Final[i64] = deck.hi
        """The faces in play twice."""
        self.hand_size: Final[i64] = hand
        self.kitty_size: Final[i64] = kitty
        self.nothing: Final[tuple[Cards, ...]] = (NO_CARDS,) * rules.players
        """An empty bag for each seat."""
        self.values: Final[tuple[int, ...]] = tuple(values_of(rules, doubled))
        """The penalty value of each of the 52 faces, by index."""
        self.penalty: Final[i64] = penalty_faces(rules, deck)
        """The faces whose penalty value is greater than 0."""
        self.penalty_total: Final[int] = sum([self.values[card.index] for card in deck])
        """The penalty value of all cards in play, the kitty's included."""
        self.bonuses: Final[list[Valued]] = [
            Valued(each.points * (2 if each.card.bit & doubled else 1), each.card.bit) for each in rules.bonuses
        ]
        """The bonus cards, one by one. Nobody changes the list."""
        self.bonus_faces: Final[i64] = any_of([each.card.bit for each in rules.bonuses])
        """The faces of all bonus cards."""
        self.pass_cycle: Final[tuple[tuple[tuple[int, int], ...], ...]] = tuple(
            [resolved_step(step, rules.players) for step in rules.pass_cycle]
        )
        self.gift_sizes: Final[tuple[tuple[int, ...], ...]] = tuple(
            [tuple([count for _, count in step]) for step in rules.pass_cycle]
        )
        """By step of the pass cycle, the number of cards in each gift."""
        self.unpassable: Final[i64] = rules.unpassable.lo
        """The faces that may not be passed."""
        self.may_decline: Final[bool] = rules.pass_optional is not PassOptional.NO
        """Passing is optional."""
        self.exposable: Final[i64] = rules.exposable.lo
        """The faces that may be shown before the first lead; none: there is no exposure."""
        self.shows_in_turn: Final[bool] = rules.exposure in (Exposure.IN_TURN, Exposure.ROUNDS_IN_TURN)
        """Cards are shown by one seat after the other, not by all at once."""
        self.shows_in_rounds: Final[bool] = rules.exposure in (Exposure.ROUNDS, Exposure.ROUNDS_IN_TURN)
        """Whenever a seat shows cards, all others may show more."""
        self.shows_openly: Final[bool] = rules.exposure is not Exposure.TOGETHER
        """What a seat shows is seen at once."""
        self.shows_first: Final[tuple[bool, ...]] = tuple([shows_before(rules, step) for step in rules.pass_cycle])
        """By step of the pass cycle, whether cards are shown before the pass, which is made only if none are."""


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
        """The faces that may not be discarded on the first trick."""
        self.first_trick_bars_bonus: Final[bool] = rules.first_trick is FirstTrick.NO_SCORING
        """Bonus cards are among `first_trick_bars`: in a hand of nothing else they go first, and hearts last."""
        points_wait = rules.hearts_lead is HeartsLead.POINTS_WHEN_BROKEN
        any_time = rules.hearts_lead is HeartsLead.ANY_TIME
        self.lead_waits: Final[i64] = 0 if any_time else HEARTS | (penalty if points_wait else 0)
        """The faces that may not be led before hearts are broken."""
        spares = rules.heart_lead_spares_queen and not any_time
        if points_wait and self.values[36]:
            spares = False
        self.lead_spared: Final[i64] = QUEEN if spares else 0
        """The Q♠, if a leader with nothing but her and hearts may lead either, and she is not in `lead_waits`; or 0."""
        self.discard_waits: Final[i64] = QUEEN if rules.queen_discard_after_hearts else 0
        """The faces that may not be discarded before hearts are broken."""
        breaks = rules.queen_breaks
        hearts = rules.hearts_break
        led = HEARTS if hearts is HeartsBreak.PLAYED else 0
        followed = HEARTS if hearts in (HeartsBreak.PLAYED, HeartsBreak.NOT_LED) else 0
        discarded = 0 if hearts is HeartsBreak.NEVER else HEARTS
        self.break_lead: Final[i64] = led | (QUEEN if breaks in (QueenBreaks.LED, QueenBreaks.PLAYED) else 0)
        """The faces that break hearts when they are led."""
        self.break_follow: Final[i64] = followed | (QUEEN if breaks is QueenBreaks.PLAYED else 0)
        """The faces that break hearts when they follow suit."""
        self.break_discard: Final[i64] = discarded | (
            QUEEN if breaks in (QueenBreaks.DISCARDED, QueenBreaks.PLAYED) else 0
        )
        """The faces that break hearts when they are discarded."""
        self.exposed_card_play: Final[i64] = _SHOWN[rules.exposed_card_play]
        self.compulsory: Final[i64] = _COMPULSORY[rules.compulsory]
        self.compulsory_faces: Final[i64] = rules.compulsory_cards.lo if rules.compulsory is not Compulsory.NO else 0
        """The faces that must be played when `compulsory` says so; none with COMPULSORY_NO."""
        self.duplicates: Final[i64] = _DUPLICATES[rules.duplicates] if rules.decks == 2 else SINGLE
        self.leader_takes_void_last_trick: Final[bool] = rules.void_last_trick is VoidLastTrick.LEADER
        self.kitty: Final[i64] = _KITTY[rules.kitty] if self.kitty_size else KITTY_NONE
        """When the kitty is taken; KITTY_NONE too when there is none."""
        self.kitty_marks: Final[i64] = {KITTY_FIRST_POINT: penalty, KITTY_FIRST_HEART: HEARTS}.get(self.kitty, 0)
        """The faces of which the first that is won brings the kitty; 0: the kitty depends on no card."""


class _Score(_Play):
    """The moon and the points of a deal."""

    def __init__(self, rules: RuleFields, doubled: int) -> None:
        super().__init__(rules, doubled)
        deck = deck_of(rules)
        moon = moon_faces(rules, deck, self.penalty)
        queens = deck.count(ALL_FACES[36])
        self.worth: Final[list[Valued]] = _worth(self.values, self.penalty)
        """The penalty cards in play by their value, the highest first. Nobody changes the list."""
        # A moon that no card makes is shot by nobody.
        self.moon: Final[i64] = MOON_CODES[rules.moon] if moon else MOON_OFF
        self.moon_lo: Final[i64] = moon | (self.bonus_faces if moon and rules.moon_needs_bonus else 0)
        """The faces that a shooter must have."""
        self.moon_hi: Final[i64] = self.moon_lo & self.deck_hi
        """The faces that a shooter must have twice."""
        self.moon_apart: Final[i64] = self.penalty & ~moon
        """The penalty cards that make no moon: they count for their takers even then."""
        self.moon_queens: Final[i64] = deck.lo & QUEEN & ~moon if rules.moon_cards is MoonCards.HEARTS else 0
        """The Q♠, if a shooter needs only hearts and makes a moon of the queens too if that side holds all of them."""
        self.moon_sides: Final[tuple[tuple[int, ...], ...]] = (
            sides_of(rules) if rules.moon_scope is MoonScope.TEAM else tuple(zip(range(rules.players)))
        )
        """The groups of seats that can shoot the moon together: sides, or single players."""
        self.sun_groups: Final[i64] = self.players if rules.sun_scope is MoonScope.PLAYER else self.sides
        """The number of groups of which one must win every trick for the sun. Seat s is of group s mod that number."""
        self.moon_near: Final[int] = rules.moon_points or sum(
            [self.values[card.index] for card in deck if card.bit & moon]
        )
        """Three times the penalty points at which a moon is near: `moon_value`, not multiplied by `moon_factor`."""
        self.moon_value: Final[int] = self.moon_near * rules.moon_factor
        """What the moon is worth, without the queens of `moon_queens`."""
        self.sun_value: Final[int] = rules.sun_points or 0
        """What the moon is worth to a side that took every trick; 0: twice as much as otherwise."""
        self.queens_value: Final[int] = self.values[36] * queens
        """The penalty value of every Q♠ in play together."""
        self.moon_queens_value: Final[int] = self.queens_value * rules.moon_factor
        """What these add to the moon if the shooter's side makes one of `moon_queens` too."""
        self.one_queen: Final[bool] = queens == 1
        """Exactly one Q♠ is in play."""
        doubler = rules.doubler
        self.doubler: Final[i64] = 0 if doubler is None else doubler.card.bit
        """The face that multiplies its taker's score; 0 without one."""
        times = 2 if self.doubler & doubled else 1
        self.doubler_factor: Final[int] = 1 if doubler is None else doubler.factor * times
        self.doubler_alone: Final[int] = 0 if doubler is None else doubler.alone * times
        self.bonus_floor: Final[i64] = _FLOOR[rules.bonus_floor] if rules.bonuses else FLOOR_NONE
        self.no_tricks_bonus: Final[int] = rules.no_tricks_bonus
        self.scoring: Final[i64] = self.penalty | self.bonus_faces | (deck.lo & HEARTS)
        """The faces of all scoring cards: penalty cards, hearts and bonus cards."""
        self.counting: Final[i64] = self.scoring | self.doubler
        """The faces that make a difference to the points of whoever captures them, apart from a moon."""


@final
class ResolvedRules(_Score):
    """The resolved form of a rule set that can be played. It is not part of the value of the rule set."""

    def __init__(self, rules: RuleFields, doubled: int = 0) -> None:
        """Resolve a rule set, with some faces counting double."""
        super().__init__(rules, doubled)
        self.freedom: i64 = -1
        """The cached result of `legality.freedom`; -1: not computed yet."""
        self.doubled: Final[dict[int, ResolvedRules]] = {}
        """Cache by some faces: the forms in which these count double. Making one takes as long as ten rollouts."""
        self.traits: object = None
        """The cached result of `score_traits.traits_of`; None: not computed yet."""
        self.target: Final[int] = rules.target or 0
        """The total that ends the game; 0: no target."""
        self.target_exceeded: Final[bool] = rules.target_test is TargetTest.EXCEEDED
        """The target must be exceeded, not only reached."""
        self.winning_total: Final[int | None] = rules.target if rules.target_test is TargetTest.EXACT_WINS else None
        """The total that wins the game; None if the lowest one always does."""
        self.target_of_player: Final[bool] = rules.target_scope is TargetScope.PLAYER
        """Each player's own total is compared with the target, not a side's."""
        self.bonus_target: Final[int] = rules.bonus_target or 0
        """How far below 0 a total ends the game; 0: no such target."""
        self.max_deals: Final[int] = rules.max_deals or 0
        """The number of deals that ends the game; 0: no limit."""
        self.shares_ties: Final[bool] = rules.tie is Tie.SHARED
        self.resets: Final[dict[int, int]] = {
            # Where totals have a floor, a reset stops there too.
            exact: max(lower, min(exact, 0)) if rules.total_floor else lower
            for exact, lower in rules.exact_resets
        }
        """By total that falls back, the new total."""
        # A switch that has no effect is off, so that nothing goes by it.
        idle = {"sun": self.moon == MOON_OFF, "two_pairs_void": rules.decks == 1}
        self.switches: Final[i64] = sum(
            [each.switch for each in rules.OPTIONS if getattr(rules, each.name) is True and not idle.get(each.name)]
        )
        """The bits of the bool options that are on; see `heartsrules.rules.switch`."""
        # The faces that a rule of the play or of the score names one by one.
        named = [self.compulsory_faces, self.discard_waits, self.lead_spared, self.bonus_faces, self.doubler]
        # The classes of faces that a rule of the play or of the score treats apart.
        classes = [self.penalty, self.first_trick_bars, self.lead_waits, self.kitty_marks, self.scoring]
        classes += [self.break_lead, self.break_follow, self.break_discard, self.moon_apart, self.moon_queens]
        moon = [self.moon_lo, self.moon_hi]
        # A moon of every card sets none apart.
        apart = classes if self.moon_lo == self.deck_lo else classes + moon
        self.named_faces: Final[i64] = any_of(named) | any_of(apart) & ~HEARTS
        """The faces that a rule of the play or of the score names, other than as hearts."""
        valued = [each.faces for each in (*self.worth, *self.bonuses)]
        self.kinds: Final[list[int]] = face_kinds([*named, *classes, *moon, *valued])
        """The kind of each face, at the remainder of its bit by 53. Cards of one kind that are next to each other in
        what is left of their suit are interchangeable in play and score, unless they were shown. Nobody changes it."""

    def dealer(self, deal_number: int) -> int:
        """The seat that deals a deal."""
        return (int(self.first_dealer) + deal_number) % int(self.players)

    def pass_plan(self, deal_number: int) -> tuple[tuple[int, int], ...]:
        """The pass step of a deal."""
        return self.pass_cycle[deal_number % len(self.pass_cycle)]

    def sizes_of(self, deal_number: int) -> tuple[int, ...]:
        """The number of cards in each gift of a deal; empty: this deal has no passing."""
        return self.gift_sizes[deal_number % len(self.gift_sizes)]

    def shows_before_pass(self, deal_number: int) -> bool:
        """Whether cards are shown before the pass of a deal, which is made only if none are."""
        return self.shows_first[deal_number % len(self.shows_first)]

    def through_middle(self, deal_number: int) -> bool:
        """Whether the pass of a deal goes through the middle: one pile, which is dealt back."""
        step = self.pass_plan(deal_number)
        return len(step) == 1 and step[0][0] == 0
