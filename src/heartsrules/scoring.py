"""What a deal is worth, when a game ends and who has won it. Sections cited are those of the rules reference."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

import attrs

from heartsrules import tables as T
from heartsrules.cards import Cards, popcount
from heartsrules.errors import InvalidState, Problem
from heartsrules.rules import Moon, Reckoning, Rules, Seat
from heartsrules.state import DealScore
from heartsrules.tables import Tables
from heartsrules.values import Unchecked, checked_int, wrong_type

if TYPE_CHECKING:
    from mypy_extensions import i64

__all__ = [
    "Standing",
    "display_score",
    "game_winners",
    "needs_choice",
    "score_deal",
    "score_finished_deal",
    "standings",
]


@attrs.frozen
class Standing:
    """A side's place in the game."""

    place: int
    """From 1; sides with equal totals share a place, and the next one is as many places further on."""
    seats: tuple[Seat, ...]
    """The seats of the side."""
    total: int
    """The side's total: the sum of its seats' totals."""


def card_points(tables: Tables, lo: i64, hi: i64) -> int:
    """The penalty value of the cards of two masks."""
    points = 0
    for value, faces in tables.worth:
        mask: i64 = faces
        points += value * int(popcount(lo & mask) + popcount(hi & mask))
    return points


def _shooting_side(tables: Tables, captured: Sequence[Cards]) -> tuple[Seat, ...]:
    """The seats that hold every penalty card in play together, if they are one player or, in TEAM scope, one team;
    otherwise nobody."""
    if tables.moon == T.MOON_OFF:
        return ()
    for seats in tables.moon_sides:
        lo: i64 = 0
        hi: i64 = 0
        for seat in seats:
            pile = captured[seat]
            hi |= pile.hi | lo & pile.lo
            lo |= pile.lo
        if not (tables.moon_lo & ~lo or tables.moon_hi & ~hi):
            return seats
    return ()


def _shooter(tables: Tables, captured: Sequence[Cards], dealer: Seat) -> Seat:
    """Who has shot the moon: in a team the member with most penalty points, on a tie first from the dealer's left.
    -1: nobody has."""
    shooter = -1
    most = -1
    nearest = 0
    for seat in _shooting_side(tables, captured):
        points = card_points(tables, captured[seat].lo, captured[seat].hi)
        distance = (seat - dealer - 1) % int(tables.players)
        if points > most or (points == most and distance < nearest):
            shooter, most, nearest = seat, points, distance
    return shooter


def _took_every_trick(tables: Tables, captured: Sequence[Cards], tricks_won: Sequence[int], side: int) -> bool:
    """Whether one side won every trick that was won, and none was left set aside at the end."""
    lo: i64 = 0
    hi: i64 = 0
    for seat, won in enumerate(tricks_won):
        if won and seat % int(tables.sides) != side:
            return False
        hi |= captured[seat].hi | lo & captured[seat].lo
        lo |= captured[seat].lo
    # Every kitty but one is taken for certain once somebody holds all penalty cards and has won the last trick.
    untaken: i64 = tables.kitty_size if tables.kitty == T.KITTY_FIRST_HEART and not lo & T.HEARTS else 0
    return popcount(lo) + popcount(hi) == popcount(tables.deck_lo) + popcount(tables.deck_hi) - untaken


def needs_choice(tables: Tables, captured: Sequence[Cards], dealer: Seat) -> Seat:
    """The shooter, if somebody has shot the moon and is to choose what it does; otherwise -1."""
    return _shooter(tables, captured, dealer) if tables.moon == T.MOON_CHOICE else -1


def score_finished_deal(
    tables: Tables,
    captured: Sequence[Cards],
    tricks_won: tuple[int, ...],
    totals: tuple[int, ...],
    deal_number: int,
    effect: Moon | None,
) -> DealScore:
    """Score a deal whose piles are known to be right; `effect` is what a shooter chose."""
    shooter = _shooter(tables, captured, (int(tables.first_dealer) + deal_number) % int(tables.players))
    if shooter < 0:
        return _score(tables, captured, tricks_won, totals, shooter, None)
    moon = tables.moon
    if moon == T.MOON_OTHERS_UP:
        effect = Moon.OTHERS_UP
    elif moon == T.MOON_SHOOTER_DOWN:
        effect = Moon.SHOOTER_DOWN
    if moon in (T.MOON_OTHERS_UP, T.MOON_SHOOTER_DOWN, T.MOON_CHOICE):
        return _score(tables, captured, tricks_won, totals, shooter, effect)
    up = _score(tables, captured, tricks_won, totals, shooter, Moon.OTHERS_UP)
    if game_winners(tables, up.totals, deal_number + 1) is None:
        return up
    if moon == T.MOON_AUTO_SAVE:
        sides = side_totals(tables, up.totals)
        if min(sides) == sides[shooter % int(tables.sides)]:
            return up
    return _score(tables, captured, tricks_won, totals, shooter, Moon.SHOOTER_DOWN)


def _score(
    tables: Tables,
    captured: Sequence[Cards],
    tricks_won: tuple[int, ...],
    totals: tuple[int, ...],
    shooter: Seat,
    effect: Moon | None,
) -> DealScore:
    in_piles = tuple([card_points(tables, pile.lo, pile.hi) for pile in captured])
    points = list(in_piles)
    sun = False
    if shooter >= 0:
        sides = int(tables.sides)
        side = shooter % sides
        sun = tables.sun and _took_every_trick(tables, captured, tricks_won, side)
        value = tables.moon_points * (2 if sun else 1)
        for seat in range(len(points)):
            if effect is Moon.SHOOTER_DOWN:
                points[seat] = -value if seat == shooter else 0
            else:
                points[seat] = 0 if seat % sides == side else value
    if tables.bonus_bit:
        for seat, pile in enumerate(captured):
            if pile.lo & tables.bonus_bit:
                bonus = tables.bonus_points * (2 if pile.hi & tables.bonus_bit else 1)
                points[seat] = _less_bonus(tables.bonus_floor, points[seat], bonus, totals[seat])
    if tables.no_tricks_bonus and (shooter < 0 or tables.no_tricks_bonus_on_moon):
        for seat, won in enumerate(tricks_won):
            if not won:
                points[seat] -= tables.no_tricks_bonus
    return DealScore(
        tuple(points),
        in_piles,
        None if shooter < 0 else shooter,
        effect,
        sun,
        tricks_won,
        new_totals(tables, totals, points),
    )


def new_totals(tables: Tables, totals: Sequence[int], points: Sequence[int]) -> tuple[int, ...]:
    """The running totals after a deal of these points: `exact_resets` on each total that they changed, once."""
    after = [total + added for total, added in zip(totals, points, strict=True)]
    if tables.resets:
        for seat, added in enumerate(points):
            if added:
                after[seat] = tables.resets.get(after[seat], after[seat])
    return tuple(after)


def _less_bonus(floor: i64, points: int, bonus: int, total: int) -> int:
    """A deal's points less the bonus; a floor stops it at 0 of the deal's points or of the total, and never raises."""
    if floor == T.FLOOR_NONE:
        return points - bonus
    base = total if floor == T.FLOOR_TOTAL else 0
    return min(points, max(base + points - bonus, 0) - base)


def side_totals(tables: Tables, totals: Sequence[int]) -> list[int]:
    """The total of each side, in the order of `Rules.sides`."""
    if tables.sides == len(totals):
        return list(totals)
    sides = [0] * tables.sides
    for seat, total in enumerate(totals):
        sides[seat % int(tables.sides)] += total
    return sides


def game_winners(tables: Tables, totals: Sequence[int], deals_played: int) -> tuple[Seat, ...] | None:
    """The winners, if the game is over with these totals after that many deals; None: another deal follows."""
    sides = side_totals(tables, totals)
    over = tables.max_deals > 0 and deals_played >= tables.max_deals
    if tables.target:
        highest = max(sides)
        over = over or highest > tables.target or (highest == tables.target and not tables.target_exceeded)
    if not over:
        return None
    lowest = min(sides)
    if not tables.shares_ties and sides.count(lowest) > 1:
        return None
    return tuple([seat for seat in range(len(totals)) if sides[seat % len(sides)] == lowest])


def _check_rules(rules: object) -> None:
    if not isinstance(rules, Rules):
        wrong_type("rules", "a Rules", rules)


def _ints(name: str, values: object) -> tuple[int, ...]:
    if isinstance(values, str) or not isinstance(values, Iterable):
        wrong_type(name, "a tuple of ints", values)
    numbers = tuple(values)
    for number in numbers:
        if not isinstance(number, int) or isinstance(number, bool):
            raise TypeError(f"{name} must hold only ints, not {type(number).__name__}")
    return numbers


def wrong_count(name: str, count: int, players: int) -> Problem:
    """The problem of a collection by seat that has too many or too few items."""
    return Problem("wrong-count", (name,), f"{name} has {count} items for {players} players: give one for each seat")


def score_deal(
    rules: Rules,
    captured: Iterable[Cards],
    tricks_won: Iterable[int],
    totals: Iterable[int] | None = None,
    effect: Moon | None = None,
    *,
    deal_number: int | Unchecked = 0,
) -> DealScore:
    """Score a finished deal, for apps that keep their own state.

    Args:
        rules: the rule set.
        captured: by seat, the cards that each player won, the kitty with its taker. Cards that nobody took (set
            aside at the end, a kitty not taken) are in no pile.
        tricks_won: by seat, how many tricks each player won; a trick that was set aside and collected later is
            nobody's.
        totals: by seat, the running totals before this deal; None: all 0. Floors, resets and the automatic moon
            look at them.
        effect: what a shooter chose, `Moon.OTHERS_UP` or `Moon.SHOOTER_DOWN`. Needed when the moon was shot under
            `Moon.CHOICE`, and refused when it contradicts the rules or nobody shot the moon.
        deal_number: the number of this deal, from 0: it settles the dealer, and whether `max_deals` are played.

    Returns:
        The row of the score sheet.

    >>> piles = [Cards("2H 3H 4H 5H QS"), Cards("6H 7H"), Cards("8H 9H TH JH QH KH AH"), Cards()]
    >>> score_deal(Rules(), piles, (5, 4, 4, 0)).points
    (17, 2, 7, 0)

    Raises:
        InvalidState: the piles cannot be those of a finished deal, or `effect` does not fit; all problems at once.
        TypeError: an argument has the wrong type.
    """
    _check_rules(rules)
    if isinstance(captured, (str, Cards)) or not isinstance(captured, Iterable):
        wrong_type("captured", "a tuple of Cards", captured)
    piles = tuple(captured)
    given: Iterable[object] = piles
    for pile in given:
        if not isinstance(pile, Cards):
            raise TypeError(f"captured must hold only Cards, not {type(pile).__name__}")
    won = _ints("tricks_won", tricks_won)
    before = (0,) * rules.players if totals is None else _ints("totals", totals)
    number = checked_int("deal_number", deal_number)
    if effect is not None and not isinstance(effect, Moon):
        raise TypeError(f"effect must be a Moon or None, not {type(effect).__name__}")
    problems = [
        wrong_count(name, len(items), rules.players)
        for name, items in (("captured", piles), ("tricks_won", won), ("totals", before))
        if len(items) != rules.players
    ]
    if number < 0:
        problems.append(Problem("out-of-range", ("deal_number",), "deal_number counts from 0"))
    if any(count < 0 for count in won) or sum(won) > rules.cards_per_hand:
        problems.append(
            Problem(
                "out-of-range",
                ("tricks_won",),
                f"tricks_won must be counts of at least 0, at most {rules.cards_per_hand} together",
            )
        )
    problems += pile_problems(rules, "captured", piles)
    if not problems:
        problems += _effect_problems(rules, piles, number, effect)
    if problems:
        raise InvalidState(tuple(problems))
    return score_finished_deal(rules._tables, piles, won, before, number, effect)


def pile_problems(rules: Rules, name: str, piles: Iterable[Cards]) -> list[Problem]:
    """What forbids that these piles were taken from the deck in play."""
    left = rules.deck
    for pile in piles:
        extra = pile - left
        if extra:
            return [
                Problem("extra-cards", (name,), f"{name} holds {extra} more often than the deck: give every card once")
            ]
        left -= pile
    return []


def _effect_problems(rules: Rules, captured: Sequence[Cards], deal_number: int, effect: Moon | None) -> list[Problem]:
    shooter = _shooter(rules._tables, captured, rules.dealer(deal_number))
    if shooter >= 0 and rules.moon is Moon.CHOICE:
        if effect in (Moon.OTHERS_UP, Moon.SHOOTER_DOWN):
            return []
        message = f"seat {shooter} shot the moon and chooses: give effect Moon.OTHERS_UP or Moon.SHOOTER_DOWN"
    elif effect is None:
        return []
    elif shooter < 0:
        message = "nobody shot the moon: give no effect"
    else:
        message = f"these rules leave no choice ({rules.moon}): give no effect"
    return [Problem("wrong-effect", ("effect",), message)]


def standings(rules: Rules, scores: Iterable[int]) -> tuple[Standing, ...]:
    """The sides in the order of their totals, lowest first; equal totals share a place.

    >>> for standing in standings(Rules(), (30, 12, 30, 54)):
    ...     print(standing.place, standing.seats, standing.total)
    1 (1,) 12
    2 (0,) 30
    2 (2,) 30
    4 (3,) 54

    Raises:
        InvalidState: `scores` has not one total for each seat.
        TypeError: an argument has the wrong type.
    """
    _check_rules(rules)
    totals = _ints("scores", scores)
    if len(totals) != rules.players:
        raise InvalidState((wrong_count("scores", len(totals), rules.players),))
    by_side = side_totals(rules._tables, totals)
    order = sorted(range(len(by_side)), key=lambda side: by_side[side])
    return tuple(
        Standing(1 + sum(1 for total in by_side if total < by_side[side]), rules.sides[side], by_side[side])
        for side in order
    )


def display_score(rules: Rules, total: int | Unchecked) -> int:
    """How a total is shown: as it is, negative, or as what is left of the target (`Rules.reckoning`).

    >>> display_score(Rules(reckoning=Reckoning.COUNTDOWN), 26)
    74

    Raises:
        TypeError: an argument has the wrong type.
    """
    _check_rules(rules)
    number = checked_int("total", total)
    if rules.reckoning is Reckoning.NEGATIVE:
        return -number
    if rules.reckoning is Reckoning.COUNTDOWN and rules.target is not None:
        return rules.target - number
    return number
