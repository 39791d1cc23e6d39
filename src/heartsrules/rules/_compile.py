"""The compilation of a rule set to the masks, numbers and flags of `Tables`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from heartsrules import tables as T
from heartsrules.cards import ALL_FACES, FULL, Cards, bag_of
from heartsrules.rules._choices import (
    BonusFloor,
    Duplicates,
    FirstTrick,
    HeartsLead,
    Kitty,
    Moon,
    MoonScope,
    OpeningCard,
    PassOptional,
    QueenBreaks,
    QueenCompulsory,
    TargetTest,
    Tie,
    VoidLastTrick,
)
from heartsrules.tables import Tables

if TYPE_CHECKING:
    from heartsrules.rules._rules import Rules


def deck_of(rules: Rules) -> Cards:
    """The cards in play."""
    return bag_of(FULL, FULL if rules.decks == 2 else 0) - rules.removed


def sizes_of(rules: Rules) -> tuple[int, int]:
    """Cards in each hand and in the kitty; the second is negative if there are not enough."""
    total = len(deck_of(rules))
    hand = total // rules.players if rules.hand_size is None else rules.hand_size
    return hand, total - hand * rules.players


def values_of(rules: Rules) -> list[int]:
    """The penalty value of every face, whether it is in play or not."""
    values = [0] * 52
    values[39:] = rules.heart_values
    values[36] = rules.queen_points
    for card, points in rules.extra_penalties:
        values[card.index] += points
    return values


def penalty_faces(rules: Rules, deck: Cards) -> int:
    """The faces of the deck whose penalty value is greater than 0."""
    values = values_of(rules)
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


def work_out(rules: Rules) -> Tables:
    """The tables of a rule set that can be played."""
    deck = deck_of(rules)
    hand, kitty = sizes_of(rules)
    values = values_of(rules)
    breaks = rules.queen_breaks
    penalty = penalty_faces(rules, deck)
    penalty_total = sum(values[card.index] for card in deck)
    bonus = 0 if rules.bonus is None else rules.bonus.card.bit
    shot = penalty | (bonus & deck.lo if rules.moon_needs_bonus else 0)
    team_moon = rules.moon_scope is MoonScope.TEAM
    facts: dict[str, Any] = {option.name: getattr(rules, option.name) for option in rules.OPTIONS}
    # Each of these is something else than the option of that name, or not the name of an option.
    facts |= {
        "deck_lo": deck.lo,
        "deck_hi": deck.hi,
        "hand_size": hand,
        "kitty_size": kitty,
        "values": tuple(values),
        "penalty": penalty,
        "penalty_total": penalty_total,
        "opening": _OPENING[rules.opening_card],
        "first_trick_bans_points": rules.first_trick is FirstTrick.NO_POINTS,
        "hearts_wait": rules.hearts_lead is HeartsLead.WHEN_BROKEN,
        "break_lead": T.HEARTS | (T.QUEEN if breaks in (QueenBreaks.LED, QueenBreaks.PLAYED) else 0),
        "break_follow": T.HEARTS | (T.QUEEN if breaks is QueenBreaks.PLAYED else 0),
        "break_discard": T.HEARTS | (T.QUEEN if breaks in (QueenBreaks.DISCARDED, QueenBreaks.PLAYED) else 0),
        "compulsory": _COMPULSORY[rules.queen_compulsory],
        "duplicates": _DUPLICATES[rules.duplicates] if rules.decks == 2 else T.SINGLE,
        "leader_takes_void_last_trick": rules.void_last_trick is VoidLastTrick.LEADER,
        "kitty": _KITTY[rules.kitty] if kitty else T.KITTY_NONE,
        "resets": dict(rules.exact_resets),
        "worth": _worth(values, penalty),
        "moon": _MOON[rules.moon],
        "moon_lo": shot,
        "moon_hi": shot & deck.hi,
        "moon_sides": rules.sides if team_moon else tuple([(seat,) for seat in range(rules.players)]),
        "moon_points": rules.moon_points or penalty_total,
        "sides": rules.teams or rules.players,
        "bonus_bit": bonus,
        "bonus_points": 0 if rules.bonus is None else rules.bonus.points,
        "bonus_floor": _FLOOR[rules.bonus_floor],
        "target": rules.target or 0,
        "target_exceeded": rules.target_test is TargetTest.EXCEEDED,
        "max_deals": rules.max_deals or 0,
        "shares_ties": rules.tie is Tie.SHARED,
        "gift_sizes": tuple([tuple([count for _, count in step]) for step in rules.pass_cycle]),
        "unpassable": rules.unpassable.lo,
        "switches": sum([option.switch for option in rules.OPTIONS if option.switch and getattr(rules, option.name)]),
        "may_decline": rules.pass_optional is not PassOptional.NO,
    }
    return Tables(facts)
