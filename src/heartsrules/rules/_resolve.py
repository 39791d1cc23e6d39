"""The resolution of a rule set to the masks, numbers and flags of `ResolvedRules`."""

from __future__ import annotations

import functools
import operator
from collections.abc import Iterable
from enum import Enum
from typing import Any, Final, TypeVar

from heartsrules.cards import ALL_FACES, FULL, NO_CARDS, SUIT_MASKS, Cards, bag_of, cards_of
from heartsrules.rules import resolved as C
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
    PassPlan,
    QueenBreaks,
    Seat,
    TargetScope,
    TargetTest,
    Tie,
    VoidLastTrick,
)
from heartsrules.rules._fields import RuleFields
from heartsrules.rules.resolved import ResolvedRules, Valued

Chosen = TypeVar("Chosen", bound=Enum)


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


def shows_before(rules: RuleFields, step: PassPlan) -> bool:
    """Whether cards are shown before the pass of such a step."""
    if not rules.exposable:
        return False
    if rules.expose_before_pass is ExposeBeforePass.MIDDLE:
        return [offset for offset, _ in step] == [0]
    return bool(step) and rules.expose_before_pass is ExposeBeforePass.ALWAYS


def _codes(members: Iterable[Chosen], prefix: str) -> dict[Chosen, int]:
    """Return the code of each value of an option: the constant of `resolved` with its name."""
    return {member: getattr(C, prefix + member.name) for member in members}


_LEADER: Final = _codes(OpeningLeader, "LEADER_")
_OPENING: Final = _codes(OpeningCard, "OPEN_")
_COMPULSORY: Final = _codes(Compulsory, "COMPULSORY_")
_DUPLICATES: Final = _codes(Duplicates, "")
MOON_CODES: Final = _codes(Moon, "MOON_")
"""What a moon does, as its code in resolved rules."""
_FLOOR: Final = _codes(BonusFloor, "FLOOR_")
_SHOWN: Final = _codes(ExposedCardPlay, "SHOWN_")
_KITTY: Final = _codes(Kitty, "KITTY_")


def _worth(values: list[int], penalty: int) -> list[Valued]:
    """Group penalty faces by their value, the dearest first."""
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
    return deck.lo & (C.HEARTS if rules.moon_cards is MoonCards.HEARTS else C.HEARTS | C.QUEEN)


def named_masks(rules: RuleFields) -> dict[str, int]:
    """The faces that a rule of the play or of the score names one by one, by attribute of `ResolvedRules`."""
    spares = rules.heart_lead_spares_queen and rules.hearts_lead is not HeartsLead.ANY_TIME
    if rules.hearts_lead is HeartsLead.POINTS_WHEN_BROKEN and values_of(rules)[36]:
        spares = False
    return {
        "compulsory_faces": rules.compulsory_cards.lo if rules.compulsory is not Compulsory.NO else 0,
        "discard_waits": C.QUEEN if rules.queen_discard_after_hearts else 0,
        "lead_spared": C.QUEEN if spares else 0,
        "bonus_faces": any_of([each.card.bit for each in rules.bonuses]),
        "doubler": 0 if rules.doubler is None else rules.doubler.card.bit,
    }


def class_masks(rules: RuleFields, deck: Cards, bonus: int) -> dict[str, int]:
    """The classes of faces that a rule of the play or of the score treats apart, by attribute of `ResolvedRules`."""
    penalty = penalty_faces(rules, deck)
    breaks = rules.queen_breaks
    in_suit = C.HEARTS if rules.hearts_break is HeartsBreak.PLAYED else 0
    points_wait = rules.hearts_lead is HeartsLead.POINTS_WHEN_BROKEN
    any_time = rules.hearts_lead is HeartsLead.ANY_TIME
    _, kitty = sizes_of(rules)
    marks = {Kitty.FIRST_POINT: penalty, Kitty.FIRST_HEART: C.HEARTS} if kitty else {}
    moon = moon_faces(rules, deck, penalty)
    shot = moon | (bonus if moon and rules.moon_needs_bonus else 0)
    return {
        "penalty": penalty,
        "first_trick_bars": {
            FirstTrick.NO_POINTS: penalty,
            FirstTrick.NO_HEARTS: C.HEARTS,
            FirstTrick.NO_SCORING: penalty | C.HEARTS | bonus,
        }.get(rules.first_trick, 0),
        "lead_waits": 0 if any_time else C.HEARTS | (penalty if points_wait else 0),
        "break_lead": in_suit | (C.QUEEN if breaks in (QueenBreaks.LED, QueenBreaks.PLAYED) else 0),
        "break_follow": in_suit | (C.QUEEN if breaks is QueenBreaks.PLAYED else 0),
        "break_discard": C.HEARTS | (C.QUEEN if breaks in (QueenBreaks.DISCARDED, QueenBreaks.PLAYED) else 0),
        "kitty_marks": marks.get(rules.kitty, 0),
        "scoring": penalty | bonus | (deck.lo & C.HEARTS),
        "moon_lo": shot,
        "moon_hi": shot & deck.hi,
        "moon_apart": penalty & ~moon,
        "moon_queens": deck.lo & C.QUEEN & ~moon if rules.moon_cards is MoonCards.HEARTS else 0,
    }


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


def _effective(rules: RuleFields, no_moon: bool) -> dict[str, Any]:
    """Return the values of the options, with the switches off that have no effect, so that nothing goes by them."""
    facts: dict[str, Any] = {option.name: getattr(rules, option.name) for option in rules.OPTIONS}
    facts["sun"] = rules.sun and not no_moon
    facts["two_pairs_void"] = rules.two_pairs_void and rules.decks == 2
    return facts


def work_out(rules: RuleFields, doubled: int = 0) -> ResolvedRules:
    """Resolve a rule set that can be played, with some faces counting double."""
    deck = deck_of(rules)
    hand, kitty = sizes_of(rules)
    values = values_of(rules, doubled)
    doubler = rules.doubler
    times = 1 if doubler is None or not doubler.card.bit & doubled else 2
    queens = deck.count(ALL_FACES[36])
    named = named_masks(rules)
    classes = class_masks(rules, deck, named["bonus_faces"])
    penalty, shot = classes["penalty"], classes["moon_lo"]
    moon = moon_faces(rules, deck, penalty)
    worth = _worth(values, penalty)
    bonuses = [Valued(each.points * (2 if each.card.bit & doubled else 1), each.card.bit) for each in rules.bonuses]
    moon_value = rules.moon_points or sum([values[card.index] for card in deck if card.bit & moon])
    # A moon of every card sets none apart.
    whole = ("moon_lo", "moon_hi") if shot == deck.lo else ()
    apart = [mask for name, mask in classes.items() if name not in whole]
    no_moon = rules.moon is Moon.OFF or not moon
    facts = _effective(rules, no_moon)
    # What follows replaces the option of that name, or is not an option.
    facts |= named
    facts |= classes
    facts |= {
        "named_faces": any_of(named.values()) | any_of(apart) & ~C.HEARTS,
        "counting": classes["scoring"] | named["doubler"] | shot,
        "kinds": face_kinds([*named.values(), *classes.values(), *[each.faces for each in (*worth, *bonuses)]]),
        "deck_lo": deck.lo,
        "deck_hi": deck.hi,
        "hand_size": hand,
        "kitty_size": kitty,
        "values": tuple(values),
        "penalty_total": sum(values[card.index] for card in deck),
        "opening_leader": _LEADER[rules.opening_leader],
        "opening": _OPENING[rules.opening_card],
        "compulsory": _COMPULSORY[rules.compulsory],
        "duplicates": _DUPLICATES[rules.duplicates] if rules.decks == 2 else C.SINGLE,
        "leader_takes_void_last_trick": rules.void_last_trick is VoidLastTrick.LEADER,
        "kitty": _KITTY[rules.kitty] if kitty else C.KITTY_NONE,
        "first_trick_bars_bonus": rules.first_trick is FirstTrick.NO_SCORING,
        # Where totals have a floor, a reset stops there too.
        "resets": {
            exact: max(lower, min(exact, 0)) if rules.total_floor else lower for exact, lower in rules.exact_resets
        },
        "worth": worth,
        # A moon that no card makes is shot by nobody.
        "moon": C.MOON_OFF if no_moon else MOON_CODES[rules.moon],
        "moon_sides": sides_of(rules) if rules.moon_scope is MoonScope.TEAM else tuple(zip(range(rules.players))),
        "moon_value": moon_value * rules.moon_factor,
        "moon_near": moon_value,
        "sun_value": rules.sun_points or 0,
        "queens_value": values[36] * queens,
        "moon_queens_value": values[36] * queens * rules.moon_factor,
        "one_queen": queens == 1,
        "sides": rules.teams or rules.players,
        "bonuses": bonuses,
        "doubler_factor": 1 if doubler is None else doubler.factor * times,
        "doubler_alone": 0 if doubler is None else doubler.alone * times,
        "bonus_floor": _FLOOR[rules.bonus_floor] if rules.bonuses else C.FLOOR_NONE,
        "target": rules.target or 0,
        "target_exceeded": rules.target_test is TargetTest.EXCEEDED,
        "target_of_player": rules.target_scope is TargetScope.PLAYER,
        "bonus_target": rules.bonus_target or 0,
        "max_deals": rules.max_deals or 0,
        "shares_ties": rules.tie is Tie.SHARED,
        "pass_cycle": rules.pass_cycle,
        "gift_sizes": tuple([tuple([count for _, count in step]) for step in rules.pass_cycle]),
        "unpassable": rules.unpassable.lo,
        "exposable": rules.exposable.lo,
        "shows_in_turn": rules.exposure in (Exposure.IN_TURN, Exposure.ROUNDS_IN_TURN),
        "shows_in_rounds": rules.exposure in (Exposure.ROUNDS, Exposure.ROUNDS_IN_TURN),
        "shows_openly": rules.exposure is not Exposure.TOGETHER,
        "exposed_card_play": _SHOWN[rules.exposed_card_play],
        "shows_first": tuple([shows_before(rules, step) for step in rules.pass_cycle]),
        "nothing": (NO_CARDS,) * rules.players,
        "switches": sum([option.switch for option in rules.OPTIONS if option.switch and facts[option.name]]),
        "may_decline": rules.pass_optional is not PassOptional.NO,
    }
    return ResolvedRules(facts)
