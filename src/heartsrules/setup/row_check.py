"""Check of a row of the score sheet: by conditions on its numbers, and by a search for piles that are scored so.

A row has the tricks won and the penalty value of each pile, but not the cards. The search has a step budget; a row that
exhausts it is accepted, so that every row of a real deal is.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from heartsrules.base.errors import Problem
from heartsrules.play.pile_check import endings, shown_problems, trick_count_problems
from heartsrules.play.scoring import leading_shooter, new_totals
from heartsrules.play.sheet import DealScore
from heartsrules.rules import MoonCards, Rules, Seat
from heartsrules.rules import resolved as C
from heartsrules.rules.arguments import wrong_count
from heartsrules.rules.resolved import ResolvedRules
from heartsrules.setup._row_search import RowSearch, sorted_deck

MOST_STEPS: Final = 20_000
"""The step budget of the search for one row."""


def row_problems(
    rules: Rules, row: DealScore, before: tuple[int, ...], deal_number: int, where: str, steps: int = MOST_STEPS
) -> tuple[list[Problem], int]:
    """Check a row of the score sheet.

    A row is right if some distribution of the deck in play to piles, cards set aside to the end and an untaken kitty,
    with those tricks won, is scored so by `score_deal` with those totals before (under `Moon.CHOICE` with the row's
    effect). Whether an order of legal plays leads there is not asked.

    Args:
        rules: the rule set.
        row: the row, of ints of any size and tuples of any length.
        before: by seat, the running totals before the deal.
        deal_number: the number of the deal, from 0.
        where: the name of the row: the problems' fields are `where` and a field of the row.
        steps: the step budget; a row that exhausts it is accepted.

    Returns:
        The problems, none if the row is right or the budget exhausted, and how many steps were taken. Their codes:

        - `wrong-count`: not one item for each seat;
        - `wrong-scores`: totals that are not those before with the points;
        - `out-of-range`, `wrong-sum`: tricks or card points that no deal has;
        - `wrong-moon`: a shooter, an effect or a sun that the rest of the row does not give;
        - `wrong-queen-taker`: a taker of the Q♠ that the rest of the row does not allow;
        - `wrong-points`: points of a seat that no cards give with its card points;
        - `impossible-row`: no distribution of the cards is scored so.
    """
    problems = _shape_problems(rules, row, before, where)
    if problems:
        return problems, 0
    problems = []
    if row.totals != new_totals(rules.resolved, before, row.points):
        resets = bool(rules.exact_resets)
        problems.append(Problem.of("wrong-scores", (f"{where}.totals",), "row", row=where, resets=resets))
    resolved = sorted_deck(rules, row.exposed).resolved
    found = trick_count_problems(rules, row.tricks_won, f"{where}.tricks_won")
    found += _card_point_problems(rules, resolved, row, f"{where}.card_points")
    odd = _moon_field_problems(rules, row, where) + _queen_field_problems(rules, row, f"{where}.queen_taker")
    if not found and not odd:
        found = _queen_problems(resolved, row, _all_in_piles(rules), f"{where}.queen_taker")
        found += _moon_problems(rules, resolved, row, deal_number, where)
    problems += found + odd
    if found or odd:
        return problems, 0
    search = RowSearch(rules, row, before, deal_number, steps)
    points, cards = search.impossible_seats()
    places = [f"{where}.points[{seat}]" for seat in points]
    problems += [Problem.of("wrong-points", (place,), "seat", name=place) for place in places]
    if not points and (cards or not search.may_find()):
        problems.append(Problem.of("impossible-row", (where,), row=where, players=rules.players))
    return problems, search.steps


def _shape_problems(rules: Rules, row: DealScore, before: tuple[int, ...], where: str) -> list[Problem]:
    """Problems with the lengths of the tuples, and with the cards shown."""
    problems = [
        wrong_count(f"{where}.{name}", len(items), rules.players)
        for name, items in (
            ("points", row.points),
            ("card_points", row.card_points),
            ("tricks_won", row.tricks_won),
            ("totals", row.totals),
        )
        if len(items) != rules.players
    ]
    if len(row.exposed) != (rules.players if rules.exposable else 0):
        name = f"{where}.exposed"
        problems.append(Problem.of("wrong-count", (name,), "exposed", name=name, count=len(row.exposed)))
    if len(before) != rules.players:
        problems.append(
            Problem.of("wrong-count", (where,), "totals-before", row=where, count=len(before), players=rules.players)
        )
    if not problems and rules.exposable:
        problems = shown_problems(rules, row.exposed, f"{where}.exposed")
    return problems


def _all_in_piles(rules: Rules) -> bool:
    """Whether every card in play lies in a pile at the end."""
    return rules.kitty_size == 0 and rules.resolved.duplicates != C.CANCEL


def _card_point_problems(rules: Rules, resolved: ResolvedRules, row: DealScore, name: str) -> list[Problem]:
    problems: list[Problem] = []
    for seat, points in enumerate(row.card_points):
        place = f"{name}[{seat}]"
        if points < 0:
            problems.append(Problem.of("out-of-range", (place,), "card-points", name=place))
        elif points and not row.tricks_won[seat]:
            problems.append(Problem.of("wrong-sum", (place,), "no-trick", name=place))
    found = sum(row.card_points)
    exact = _all_in_piles(rules)
    if not problems and (found > resolved.penalty_total or (exact and found != resolved.penalty_total)):
        problems.append(Problem.of("wrong-sum", (name,), "card-points", name=name, exact=exact))
    return problems


# ---------------------------------------------------------------------------------------------------------- the queen


def _queen_field_problems(rules: Rules, row: DealScore, name: str) -> list[Problem]:
    taker = row.queen_taker
    if taker is None:
        return []
    if not rules.resolved.one_queen:
        queens = sum([card.bit == C.QUEEN for card in rules.deck])
        return [Problem.of("wrong-queen-taker", (name,), "not-one", name=name, queens=queens)]
    if not 0 <= taker < rules.players:
        return [Problem.of("wrong-queen-taker", (name,), "no-seat", name=name, last=rules.players - 1)]
    return []


def _queen_problems(resolved: ResolvedRules, row: DealScore, all_in_piles: bool, name: str) -> list[Problem]:
    taker = row.queen_taker
    value = resolved.queens_value
    if taker is None:
        if resolved.one_queen and (all_in_piles or resolved.penalty_total - sum(row.card_points) < value):
            return [Problem.of("wrong-queen-taker", (name,), "somebody", name=name)]
    elif not row.tricks_won[taker]:
        return [Problem.of("wrong-queen-taker", (name,), "no-trick", name=name, seat=taker)]
    elif row.card_points[taker] < value:
        return [Problem.of("wrong-queen-taker", (name,), "too-few-points", name=name, seat=taker)]
    return []


# ----------------------------------------------------------------------------------------------------------- the moon


def _moon_field_problems(rules: Rules, row: DealScore, where: str) -> list[Problem]:
    """Problems with the shooter, the effect and the sun, whatever the points."""
    shooter, effect, sun = f"{where}.shooter", f"{where}.effect", f"{where}.sun"
    problems: list[Problem] = []
    if row.shooter is None:
        if row.effect is not None:
            problems.append(Problem.of("wrong-moon", (effect,), "effect-without-shooter", name=effect))
        if row.sun:
            problems.append(Problem.of("wrong-moon", (sun,), "sun-without-shooter", name=sun))
        return problems
    if rules.resolved.moon == C.MOON_OFF:
        problems.append(Problem.of("wrong-moon", (shooter,), "no-moon", name=shooter))
    elif not 0 <= row.shooter < rules.players:
        problems.append(Problem.of("wrong-moon", (shooter,), "no-seat", name=shooter, last=rules.players - 1))
    else:
        if row.effect not in rules.moon.effects:
            problems.append(Problem.of("wrong-moon", (effect,), "no-effect", name=effect, moon=rules.moon))
    if row.sun and not rules.sun:
        problems.append(Problem.of("wrong-moon", (sun,), "no-sun", name=sun))
    return problems


def _moon_problems(
    rules: Rules, resolved: ResolvedRules, row: DealScore, deal_number: int, where: str
) -> list[Problem]:
    """Problems with the shooter and the sun, as card points and tricks tell."""
    name = f"{where}.shooter"
    by_points = rules.moon_cards is MoonCards.ALL
    if by_points:
        sides = [] if resolved.moon == C.MOON_OFF else resolved.moon_sides
        side = next((seats for seats in sides if _points_of(row, seats) == resolved.penalty_total), None)
    elif row.shooter is None:
        return []
    else:
        side = next((seats for seats in resolved.moon_sides if row.shooter in seats), None)
        needed = sum([resolved.values[card.index] for card in rules.deck if card.bit & resolved.moon_lo])
        queen_missing = resolved.one_queen and resolved.moon_lo & C.QUEEN != 0 and row.queen_taker not in (side or ())
        if side is None or queen_missing or _points_of(row, side) < needed:
            return [Problem.of("wrong-moon", (name,), "cards-missing", name=name)]
    if side is None:
        if row.shooter is None:
            return []
        return [Problem.of("wrong-moon", (name,), "points-missing", name=name)]
    shooter = leading_shooter(resolved, side, row.card_points, rules.dealer(deal_number))
    if row.shooter is None:
        if rules.moon_needs_bonus:
            return []
        return [Problem.of("wrong-moon", (name,), "no-shooter", name=name, seat=shooter)]
    if row.shooter != shooter:
        return [Problem.of("wrong-moon", (name,), "other-shooter", name=name, seat=shooter)]
    others_won = any([won and rules.side(seat) != rules.side(shooter) for seat, won in enumerate(row.tricks_won)])
    suns = [not left_aside for left_aside in endings(resolved, row.tricks_won)]
    if not rules.sun or others_won:
        suns = [False]
    if row.sun in suns:
        return []
    name = f"{where}.sun"
    return [Problem.of("wrong-moon", (name,), "other-sun", name=name, sun=suns[0])]


def _points_of(row: DealScore, seats: Sequence[Seat]) -> int:
    return sum([row.card_points[seat] for seat in seats])
