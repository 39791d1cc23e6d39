"""When an option has no effect, option by option, as the reference says it; and values to try each option with."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from heartsrules import Card, Cards, Rules, Suit
from heartsrules.rules import (
    ANY_NUMBER,
    HOLD,
    Bonus,
    Compulsory,
    Doubler,
    Duplicates,
    HeartsLead,
    HeartValues,
    Moon,
    MoonCards,
    MoonScope,
    left,
    right,
    scatter,
)
from support.rarities import moon_cards

__all__ = ["ALWAYS", "IDLE", "VALUES", "changes_nothing", "idle"]

_QUEEN: Final = Card("QS")

_CHOSEN: Final[dict[str, tuple[Any, ...]]] = {
    "removed": (Cards(), Cards("2C"), Cards("2D"), Cards("2C 2D 2S 3D 4D")),
    "hand_size": (None, 5, 7),
    "pass_cycle": (
        (HOLD,),
        (left(),),
        (right(2),),
        (((2, 1),),),
        (((-2, 1),),),
        (scatter(players=3),),
        (left(), right(), HOLD),
    ),
    "unpassable": (Cards(), Cards("QS"), Cards("AH")),
    "exposable": (Cards(), Cards("QS"), Cards("AH QS")),
    "compulsory_cards": (Cards("QS"), Cards(), Cards("TD"), Cards("QS TD")),
    "heart_values": (*[each.values for each in HeartValues], (0,) * 13, (7,) * 13),
    "extra_penalties": ((), ((Card("KS"), 10),), ((Card("KS"), 10), (Card("AS"), 7))),
    "bonuses": ((), (Bonus(Card("JD"), 10),), (Bonus(Card("JD"), 5),), (Bonus(Card("JD"), 10), Bonus(Card("3D"), 1))),
    "doubler": (None, Doubler(Card("TC")), Doubler(Card("TC"), 3), Doubler(Card("TC"), 2, 50)),
    "moon_points": (None, 20, 1000),
    "target": (None, 50, 1000),
    "bonus_target": (None, 50, 1000),
    "max_deals": (None, 1, 4),
    "exact_resets": ((), ((50, 0),), ((50, 0), (100, 50))),
}
"""The values of options of which nobody has said which are typical, and large numbers."""
VALUES: Final = {option.name: _CHOSEN.get(option.name, option.samples) for option in Rules.OPTIONS}


def _no_pass(rules: Rules) -> bool:
    return not any(rules.pass_cycle)


def _queenless(rules: Rules) -> bool:
    return _QUEEN not in rules.deck


def _no_moon(rules: Rules) -> bool:
    return rules.moon is Moon.OFF or _no_moon_cards(rules)


def _no_moon_cards(rules: Rules) -> bool:
    return not moon_cards(rules)


def _one_has_every_card(rules: Rules) -> bool:
    """Whether one player must have every card to shoot the moon, and so has won every trick."""
    return rules.moon_cards is MoonCards.EVERY_CARD and (_no_partners(rules) or rules.moon_scope is MoonScope.PLAYER)


def _no_partners(rules: Rules) -> bool:
    return rules.teams in (0, rules.players)


def _never_broken(rules: Rules) -> bool:
    """Whether nothing waits for broken hearts."""
    return rules.hearts_lead is HeartsLead.ANY_TIME and (_queenless(rules) or not rules.queen_discard_after_hearts)


def _nobody_spared(rules: Rules) -> bool:
    costly = rules.hearts_lead is HeartsLead.POINTS_WHEN_BROKEN and rules.penalty(_QUEEN) > 0
    return rules.hearts_lead is HeartsLead.ANY_TIME or _queenless(rules) or costly


def _no_total_tested(rules: Rules) -> bool:
    return rules.target is None and rules.bonus_target is None


IDLE: Final[Mapping[str, Callable[[Rules], bool]]] = {
    "kitty": lambda rules: not rules.kitty_size,
    "kitty_shown_to": lambda rules: not rules.kitty_size,
    "pass_optional": _no_pass,
    "unpassable": _no_pass,
    "exposure": lambda rules: not rules.exposable,
    "expose_before_pass": lambda rules: not rules.exposable or _no_pass(rules),
    "exposed_card_play": lambda rules: not rules.exposable,
    "hearts_break": _never_broken,
    "queen_breaks": lambda rules: _never_broken(rules) or _queenless(rules),
    "heart_lead_spares_queen": _nobody_spared,
    "compulsory": lambda rules: not rules.compulsory_cards,
    "compulsory_cards": lambda rules: rules.compulsory is Compulsory.NO,
    "queen_discard_after_hearts": _queenless,
    "duplicates": lambda rules: rules.decks == 1,
    "two_pairs_void": lambda rules: rules.decks == 1,
    "void_last_trick": lambda rules: rules.decks == 1 or rules.duplicates is not Duplicates.CANCEL,
    "heart_values": lambda rules: not rules.deck.of_suit(Suit.HEARTS),
    "queen_points": _queenless,
    "bonus_floor": lambda rules: not rules.bonuses,
    "no_tricks_bonus_on_moon": lambda rules: not rules.no_tricks_bonus or _no_moon(rules),
    "moon": _no_moon_cards,
    "moon_cards": lambda rules: rules.moon is Moon.OFF,
    "moon_points": _no_moon,
    "moon_factor": _no_moon,
    "moon_needs_bonus": lambda rules: _no_moon(rules) or rules.moon_cards is MoonCards.EVERY_CARD or not rules.bonuses,
    "moon_scope": lambda rules: _no_moon(rules) or _no_partners(rules),
    "sun": _no_moon,
    "sun_scope": lambda rules: _no_moon(rules) or not rules.sun or _no_partners(rules) or _one_has_every_card(rules),
    "sun_points": lambda rules: _no_moon(rules) or not rules.sun,
    "target_test": _no_total_tested,
    "target_scope": lambda rules: _no_total_tested(rules) or _no_partners(rules),
}
"""By option, whether it has no effect under a rule set, whatever its value is."""

ALWAYS: Final = frozenset(
    [
        *("players", "decks", "removed", "hand_size", "teams", "first_dealer", "pass_cycle", "exposable"),
        *("opening_leader", "opening_card", "first_trick", "hearts_lead", "extra_penalties", "bonuses", "doubler"),
        *(
            "no_tricks_bonus",
            "total_floor",
            "target",
            "bonus_target",
            "max_deals",
            "exact_resets",
            "tie",
            "score_display",
        ),
    ]
)
"""The other options: of each some value has an effect under every rule set."""


def idle(option: str, rules: Rules) -> bool:
    """Whether an option has no effect under a rule set, whatever its value is."""
    return option in IDLE and IDLE[option](rules)


def _moon_worth(rules: Rules) -> tuple[int, int] | None:
    """What a moon and a sun count; None where they count nothing."""
    if _no_moon(rules) or rules.moon is Moon.SHOOTER_TO_ZERO:
        return None
    team = _no_partners(rules) or rules.sun_scope is MoonScope.TEAM
    every_card = rules.moon_cards is MoonCards.EVERY_CARD and (team or _one_has_every_card(rules))
    return rules.sun_value if every_card else rules.moon_value, rules.sun_value


def changes_nothing(option: str, rules: Rules, other: Rules) -> bool:
    """Whether two rule sets that differ in this option alone are one and the same game."""
    if idle(option, rules):
        return True
    any_number = {step for step in rules.pass_cycle if step} == {ANY_NUMBER}
    return {
        "hand_size": rules.cards_per_hand == other.cards_per_hand,
        "teams": _no_partners(rules) and _no_partners(other),
        "pass_cycle": _no_pass(rules) and _no_pass(other),
        "pass_optional": any_number,
        "expose_before_pass": rules._resolved.shows_first == other._resolved.shows_first,
        "moon_points": _moon_worth(rules) == _moon_worth(other),
        "moon_factor": _moon_worth(rules) == _moon_worth(other),
        "sun": _moon_worth(rules) == _moon_worth(other),
        "sun_scope": rules.moon is Moon.SHOOTER_TO_ZERO or rules.sun_value == rules.moon_value,
        "sun_points": _moon_worth(rules) == _moon_worth(other),
        "moon_cards": _no_moon(rules) and _no_moon(other),
        "target_test": rules.target is None and rules._resolved.target_exceeded == other._resolved.target_exceeded,
    }.get(option, False)
