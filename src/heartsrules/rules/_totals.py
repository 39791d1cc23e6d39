"""The bounds of totals under a rule set, whatever happens."""

from __future__ import annotations

from typing import Final

from heartsrules.rules import resolved as C
from heartsrules.rules._choices import BonusFloor, Moon, MoonCards, TargetScope, TargetTest
from heartsrules.rules._fields import RuleFields
from heartsrules.rules.resolved import deck_of, moon_faces, penalty_faces, values_of

_OFF_SHOOTER: Final = (Moon.SHOOTER_DOWN, Moon.BOTH, Moon.OTHERS_PAY, Moon.CHOICE)
"""The moons that can subtract points from a shooter's total of 0."""
_ON_NOBODY: Final = (Moon.SHOOTER_DOWN, Moon.SHOOTER_TO_ZERO)
"""The moons that add points to no total."""


def _moon_worth(rules: RuleFields) -> int | None:
    deck = deck_of(rules)
    faces = moon_faces(rules, deck, penalty_faces(rules, deck))
    if rules.moon is Moon.OFF or not faces:
        return None
    values = values_of(rules)
    worth = rules.moon_points or sum([values[card.index] for card in deck if card.bit & faces])
    if rules.moon_cards is MoonCards.HEARTS:
        worth += sum([values[card.index] for card in deck if card.bit == C.QUEEN])
    return max(worth, rules.sun_points or 0) if rules.sun else worth


def can_end_by_moon(rules: RuleFields) -> bool:
    return rules.moon is Moon.SHOOTER_WINS and _moon_worth(rules) is not None


def can_rise(rules: RuleFields) -> bool:
    """Return True if a deal can raise a total."""
    if penalty_faces(rules, deck_of(rules)):
        return True
    return rules.moon not in _ON_NOBODY and (_moon_worth(rules) or 0) > 0


def lowest_total(rules: RuleFields) -> int | None:
    """Return the lowest total to compare with `bonus_target`, or None without a bound.

    A reset counts if totals can rise to its exact total, or if a moon or a floor can leave a total at exactly 0. The
    values of the cards do not have to add up to that total. `Moon.AUTO_SAVE` subtracts points only if another side
    would win. That side's total is lower, so the shooter's stays at 0 or more, unless a reset or a bonus card lowers
    the other side, a doubler multiplies the points, or exactly the target wins. A member's own total can fall below 0.
    """
    if rules.total_floor:
        return 0
    worth = _moon_worth(rules)
    by_moon = worth is not None and worth > 0
    takes_off = rules.moon in _OFF_SHOOTER
    # An automatic moon subtracts points only if adding them to the others would end the game.
    may_end = rules.target is not None or rules.max_deals is not None
    if rules.moon is Moon.AUTO_EXTEND:
        takes_off = may_end
    alone = 0 if rules.doubler is None else rules.doubler.alone
    free_bonus = len(rules.bonuses) > 0 and rules.bonus_floor is BonusFloor.NONE
    if free_bonus or alone > 0 or rules.no_tricks_bonus > 0 or (by_moon and takes_off):
        return None
    to_zero = worth is not None and rules.moon is Moon.SHOOTER_TO_ZERO
    to_zero = to_zero or (len(rules.bonuses) > 0 and rules.bonus_floor is BonusFloor.TOTAL)
    lowest = 0
    if can_rise(rules):
        for exact, lower in sorted(rules.exact_resets, reverse=True):
            if exact > lowest or (exact == 0 and to_zero):
                lowest = min(lowest, lower)
    of_player = rules.target_scope is TargetScope.PLAYER
    members = -(-rules.players // rules.teams) if rules.teams else 1
    uneven = rules.exact_resets or rules.bonuses or rules.doubler is not None or (members > 1 and of_player)
    uneven = uneven or (rules.target is not None and rules.target_test is TargetTest.EXACT_WINS)
    if rules.moon is Moon.AUTO_SAVE and by_moon and may_end and uneven:
        return None
    return lowest if of_player else lowest * members
