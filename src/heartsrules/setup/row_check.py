"""The check of a score sheet's row by arithmetic.

A row contains the tricks won and the penalty value of each pile, but not the cards. Every real row passes; some forged
rows do too.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import Final

from heartsrules.base.errors import Problem
from heartsrules.cards import popcount
from heartsrules.play.board import Board
from heartsrules.play.exposing import resolved_with
from heartsrules.play.pile_check import endings, kitty_winners, set_aside_tricks, shown_problems, trick_count_problems
from heartsrules.play.scoring import (
    card_points,
    effect_code,
    is_automatic,
    leading_shooter,
    new_totals,
    set_points,
    settle,
    sun_allows,
)
from heartsrules.play.sheet import DealScore
from heartsrules.rules import Moon, MoonCards, Rules, Seat, switch
from heartsrules.rules import resolved as C
from heartsrules.rules.arguments import wrong_count
from heartsrules.rules.resolved import ResolvedRules

_TOTAL_FLOOR: Final = switch("total_floor")
_TO_ZERO: Final = Moon.SHOOTER_TO_ZERO


def row_problems(rules: Rules, row: DealScore, before: tuple[int, ...], deal_number: int, where: str) -> list[Problem]:
    """Return the problems of a score sheet's row.

    Args:
        rules: the rule set.
        row: the row, with ints of any size and tuples of any length.
        before: the running totals before the deal.
        deal_number: the number of the deal, from 0.
        where: the row's name. The problems' fields are `where` and a field of the row.

    Returns:
        The problems, with these codes:

        - `wrong-count`: not one item per seat;
        - `wrong-scores`: totals that are not the earlier totals plus the points;
        - `out-of-range`, `wrong-sum`: impossible tricks or card points;
        - `wrong-moon`, `wrong-queen-taker`, `wrong-points`: a moon (shooter, effect, sun), a taker of the ♠Q, or points
          that contradict the rest of the row.
    """
    problems = _shape_problems(rules, row, before, where)
    if problems:
        return problems
    expected = new_totals(rules._resolved, before, row.points)
    if row.totals != expected:
        values = {"row": where, "given": row.totals, "expected": expected, "resets": bool(rules.exact_resets)}
        problems.append(Problem.of("wrong-scores", (f"{where}.totals",), "row", **values))
    resolved = resolved_with(rules, row.exposed)
    outside = _cards_outside(resolved, row)
    found = trick_count_problems(rules, row.tricks_won, f"{where}.tricks_won")
    found += _card_point_problems(resolved, row, outside, f"{where}.card_points")
    found += _moon_field_problems(rules, row, where) + _queen_field_problems(rules, row, f"{where}.queen_taker")
    if not found:
        found = _queen_problems(resolved, row, outside, f"{where}.queen_taker")
        found += _moon_problems(rules, resolved, row, outside, deal_number, where)
    found = found or _room_problems(resolved, row, outside, f"{where}.card_points")
    return problems + (found or _point_problems(resolved, row, before, outside, deal_number, where))


def _shape_problems(rules: Rules, row: DealScore, before: tuple[int, ...], where: str) -> list[Problem]:
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
        problems.append(Problem.at("wrong-count", name, "exposed", count=len(row.exposed)))
    if len(before) != rules.players:
        problems.append(
            Problem.of("wrong-count", (where,), "totals-before", row=where, count=len(before), players=rules.players)
        )
    if not problems and rules.exposable:
        problems = shown_problems(rules, row.exposed, f"{where}.exposed")
    return problems


def _copies(resolved: ResolvedRules, faces: int) -> int:
    return int(popcount(faces & resolved.deck_lo) + popcount(faces & resolved.deck_hi))


def _cards_outside(resolved: ResolvedRules, row: DealScore) -> int:
    marked = [points > 0 for points in row.card_points]
    ways = endings(resolved, row.tricks_won)
    most = 0 if ways else _copies(resolved, resolved.deck_lo)
    for left_aside in ways:
        left = set_aside_tricks(resolved, row.tricks_won) * int(resolved.players) if left_aside else 0
        # A seat without points can have won the kitty with a heart, and one with points may have none.
        if resolved.kitty == C.KITTY_FIRST_HEART or None in kitty_winners(resolved, row.tricks_won, left_aside, marked):
            left += int(resolved.kitty_size)
        most = max(most, left)
    return most


def _room(resolved: ResolvedRules, row: DealScore, seats: Sequence[Seat]) -> int:
    won = sum([row.tricks_won[seat] for seat in seats])
    if not won:
        return 0
    tricks = won + set_aside_tricks(resolved, row.tricks_won)
    return tricks * int(resolved.players) + int(resolved.kitty_size)


def _most_points(resolved: ResolvedRules, cards: int, queen: bool) -> int:
    points, barred = 0, 0
    if resolved.one_queen:
        barred = C.QUEEN
        if queen:
            points, cards = resolved.queens_value, cards - 1
    for each in resolved.worth:
        count = min(_copies(resolved, each.faces & ~barred), cards)
        points += count * each.points
        cards -= count
    return points


def _card_point_problems(resolved: ResolvedRules, row: DealScore, outside: int, name: str) -> list[Problem]:
    problems: list[Problem] = []
    for seat, points in enumerate(row.card_points):
        if points < 0:
            problems.append(Problem.at("out-of-range", f"{name}[{seat}]", "card-points", given=points))
        elif points and not row.tricks_won[seat]:
            problems.append(Problem.at("wrong-sum", f"{name}[{seat}]", "no-trick", given=points))
    found = sum(row.card_points)
    if not problems and (found > resolved.penalty_total or (not outside and found != resolved.penalty_total)):
        values = {"given": found, "expected": resolved.penalty_total}
        problems.append(Problem.at("wrong-sum", name, "card-points", **values, exact=not outside))
    return problems


def _room_problems(resolved: ResolvedRules, row: DealScore, outside: int, name: str) -> list[Problem]:
    problems: list[Problem] = []
    for seat, points in enumerate(row.card_points):
        most = _most_points(resolved, _room(resolved, row, [seat]), seat == row.queen_taker)
        if points > most:
            values = {"given": points, "tricks": row.tricks_won[seat], "most": most}
            problems.append(Problem.at("wrong-sum", f"{name}[{seat}]", "no-room", **values))
    least = resolved.penalty_total - _most_points(resolved, outside, row.queen_taker is None)
    found = sum(row.card_points)
    if found < least:
        problems.append(Problem.at("wrong-sum", name, "too-few", given=found, cards=outside, least=least))
    return problems


# ---------------------------------------------------------------------------------------------------------- the queen


def _queen_field_problems(rules: Rules, row: DealScore, name: str) -> list[Problem]:
    taker = row.queen_taker
    if taker is None:
        return []
    if not rules._resolved.one_queen:
        queens = sum([card.bit == C.QUEEN for card in rules.deck])
        return [Problem.at("wrong-queen-taker", name, "not-one", queens=queens)]
    if not 0 <= taker < rules.players:
        return [Problem.at("wrong-queen-taker", name, "no-seat", given=taker, last=rules.players - 1)]
    return []


def _queen_problems(resolved: ResolvedRules, row: DealScore, outside: int, name: str) -> list[Problem]:
    taker = row.queen_taker
    value = resolved.queens_value
    if taker is None:
        if resolved.one_queen and (not outside or resolved.penalty_total - sum(row.card_points) < value):
            return [Problem.at("wrong-queen-taker", name, "somebody")]
    elif not row.tricks_won[taker]:
        return [Problem.at("wrong-queen-taker", name, "no-trick", seat=taker)]
    elif row.card_points[taker] < value:
        return [Problem.at("wrong-queen-taker", name, "too-few-points", seat=taker)]
    return []


# ----------------------------------------------------------------------------------------------------------- the moon


def _moon_field_problems(rules: Rules, row: DealScore, where: str) -> list[Problem]:
    shooter, effect, sun = f"{where}.shooter", f"{where}.effect", f"{where}.sun"
    problems: list[Problem] = []
    if row.shooter is None:
        if row.effect is not None:
            problems.append(Problem.at("wrong-moon", effect, "effect-without-shooter"))
        if row.sun:
            problems.append(Problem.at("wrong-moon", sun, "sun-without-shooter"))
        return problems
    if rules._resolved.moon == C.MOON_OFF:
        problems.append(Problem.at("wrong-moon", shooter, "no-moon"))
    elif not 0 <= row.shooter < rules.players:
        problems.append(Problem.at("wrong-moon", shooter, "no-seat", given=row.shooter, last=rules.players - 1))
    else:
        if row.effect not in rules.moon.effects:
            problems.append(Problem.at("wrong-moon", effect, "no-effect", moon=rules.moon))
    if row.sun and not rules.sun:
        problems.append(Problem.at("wrong-moon", sun, "no-sun"))
    return problems


def _moon_problems(
    rules: Rules, resolved: ResolvedRules, row: DealScore, outside: int, deal_number: int, where: str
) -> list[Problem]:
    name = f"{where}.shooter"
    sides = [] if resolved.moon == C.MOON_OFF else resolved.moon_sides
    if row.shooter is None:
        side = next((seats for seats in sides if _must_have_shot(resolved, row, outside, seats)), None)
        if side is None:
            return []
        shooter = leading_shooter(resolved, side, row.card_points, rules.dealer(deal_number))
        return [Problem.at("wrong-moon", name, "no-shooter", seat=shooter)]
    if rules.moon_cards is MoonCards.ALL:
        side = next((seats for seats in sides if _points_of(row, seats) == resolved.penalty_total), None)
        if side is None:
            return [Problem.at("wrong-moon", name, "points-missing")]
    else:
        side = next(seats for seats in sides if row.shooter in seats)
    queen_missing = resolved.one_queen and resolved.moon_lo & C.QUEEN != 0 and row.queen_taker not in side
    if queen_missing or not _moons(resolved, row, side):
        return [Problem.at("wrong-moon", name, "cards-missing")]
    shooter = leading_shooter(resolved, side, row.card_points, rules.dealer(deal_number))
    if row.shooter != shooter:
        return [Problem.at("wrong-moon", name, "other-shooter", seat=shooter)]
    suns = [False]
    if sun_allows(resolved, row.tricks_won):
        suns = [not left_aside for left_aside in endings(resolved, row.tricks_won)]
    if row.sun in suns:
        return []
    name = f"{where}.sun"
    return [Problem.at("wrong-moon", name, "other-sun", sun=suns[0])]


def _must_have_shot(resolved: ResolvedRules, row: DealScore, outside: int, side: Sequence[Seat]) -> bool:
    if _points_of(row, side) != resolved.penalty_total:
        return False
    if resolved.moon_lo & ~resolved.penalty == 0:
        return True
    return not outside and sum([row.tricks_won[seat] for seat in side]) == sum(row.tricks_won)


def _moons(resolved: ResolvedRules, row: DealScore, side: Sequence[Seat]) -> list[tuple[int, int]]:
    queens = [False]
    if resolved.moon_queens:
        queens = [row.queen_taker in side] if resolved.one_queen else [False, True]
    moons: list[tuple[int, int]] = []
    for taken in queens:
        faces = resolved.moon_lo | (resolved.moon_queens if taken else 0)
        in_moon = card_points(resolved, faces, faces & resolved.deck_hi)
        if in_moon <= _points_of(row, side) and _copies(resolved, faces) <= _room(resolved, row, side):
            moons.append((resolved.moon_value + (resolved.moon_queens_value if taken else 0), in_moon))
    return moons


def _points_of(row: DealScore, seats: Sequence[Seat]) -> int:
    return sum([row.card_points[seat] for seat in seats])


# --------------------------------------------------------------------------------------------------------- the points


def _point_problems(
    resolved: ResolvedRules, row: DealScore, before: tuple[int, ...], outside: int, deal_number: int, where: str
) -> list[Problem]:
    """Return the problems of points outside the possible range.

    Bonus cards, the doubler and a moon shot by partners leave a range; otherwise only one result is possible.
    """
    board = Board(resolved, before)
    board.shooter = -1 if row.shooter is None else row.shooter
    board.sun = row.sun
    board.has_apart = row.shooter is not None and resolved.moon_apart != 0
    side: Sequence[Seat] = next((seats for seats in resolved.moon_sides if row.shooter in seats), ())
    moons = [(0, 0)] if row.shooter is None else _moons(resolved, row, side)
    bonus = sum([each.points * _copies(resolved, each.faces) for each in resolved.bonuses])
    doublers = _copies(resolved, resolved.doubler)
    ways = product(
        moons,
        (False, True) if board.has_apart and len(side) > 1 else (False,),
        (0, bonus) if bonus else (0,),
        range(doublers + 1),
        (False, True) if doublers else (False,),
    )
    found: list[list[int]] = []
    for (moon, in_moon), most_apart, taken, copies, scoring in ways:
        board.moon = moon
        spare = _points_of(row, side) - in_moon
        for seat in board.seats:
            number = int(seat.seat)
            points, won = row.card_points[number], row.tricks_won[number]
            seat.card_points, seat.won, seat.apart = points, won, points
            if number in side:
                seat.apart = min(points, spare) if most_apart else max(points - in_moon, 0)
            seat.bonus, seat.doublers = (taken, copies) if won else (0, 0)
            seat.scoring = scoring or points > 0 or seat.bonus > 0
        set_points(resolved, board, effect_code(row.effect))
        found.append([seat.points for seat in board.seats])
    problems = []
    for place, results in enumerate(zip(*found, strict=True)):
        name, given, least, most = f"{where}.points[{place}]", row.points[place], min(results), max(results)
        if least == most != given:
            problems.append(Problem.at("wrong-points", name, "exact", given=given, expected=least))
        elif not least <= given <= most:
            problems.append(Problem.at("wrong-points", name, "range", given=given, least=least, most=most))
    if problems:
        return problems
    if len(found) == 1 and is_automatic(resolved):
        effect = settle(resolved, board, deal_number, row.effect)
        if effect is not row.effect:
            return [Problem.at("wrong-moon", f"{where}.effect", "other-effect", effect=effect)]
    elif len(found) == 2 and bonus:
        # The points that all bonus cards subtract.
        taken = sum(found[0]) - sum(row.points)
        floors = resolved.bonus_floor != C.FLOOR_NONE or resolved.switches & _TOTAL_FLOOR or row.effect is _TO_ZERO
        if taken > bonus or (taken < bonus and not (outside or floors)):
            return [Problem.at("wrong-points", f"{where}.points", "seat")]
    return []
