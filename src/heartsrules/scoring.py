"""What a deal is worth, when a game ends and who won it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Final, final

import attrs

from heartsrules import tables as T
from heartsrules.cards import Cards, popcount, with_bag
from heartsrules.errors import InvalidState, Problem
from heartsrules.exposing import tables_with
from heartsrules.piles import pile_problems, shown_problems, structure_problems, trick_count_problems
from heartsrules.rules import Moon, Reckoning, Rules, Seat, switch
from heartsrules.sheet import DealScore
from heartsrules.tables import Tables
from heartsrules.tricks import kitty_marks
from heartsrules.values import Unchecked, checked_int, wrong_item, wrong_type

if TYPE_CHECKING:
    from mypy_extensions import i64

__all__ = [
    "Haul",
    "Standing",
    "deal_outcome",
    "deal_points",
    "display_score",
    "game_winners",
    "needs_choice",
    "score_deal",
    "score_finished_deal",
    "score_haul",
    "standings",
    "who_shot",
]

_SUN: Final[i64] = switch("sun")
_NO_TRICKS_BONUS_ON_MOON: Final[i64] = switch("no_tricks_bonus_on_moon")


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
    """The penalty value of the cards of two masks: a face in `hi` is in `lo` too."""
    points: i64 = 0
    if lo & tables.penalty:
        for value, faces in tables.worth:
            each: i64 = value
            mask: i64 = faces
            if lo & mask:
                points += each * (popcount(lo & mask) + popcount(hi & mask))
    return points


def _shooting_side(tables: Tables, captured: Sequence[Cards]) -> tuple[Seat, ...]:
    """The seats that hold every moon card in play together, if they are one player or, in TEAM scope, one team;
    otherwise nobody."""
    if tables.moon == T.MOON_OFF:
        return ()
    for seats in tables.moon_sides:
        lo: i64 = 0
        hi: i64 = 0
        for seat in seats:
            pile = captured[seat]
            lo, hi = with_bag(lo, hi, pile.lo, pile.hi)
        if not (tables.moon_lo & ~lo or tables.moon_hi & ~hi):
            return seats
    return ()


def who_shot(tables: Tables, captured: Sequence[Cards], dealer: Seat) -> Seat:
    """Who has shot the moon, or -1: nobody has."""
    side = _shooting_side(tables, captured)
    if not side:
        return -1
    return leading_shooter(tables, side, [card_points(tables, pile.lo, pile.hi) for pile in captured], dealer)


def leading_shooter(tables: Tables, side: Sequence[Seat], in_piles: Sequence[int], dealer: Seat) -> Seat:
    """Of the seats that have shot the moon together, the one with most penalty points, on a tie the first from the
    dealer's left."""
    players = int(tables.players)
    return min(side, key=lambda seat: (-in_piles[seat], (seat - dealer - 1) % players))


def _took_every_trick(tables: Tables, captured: Sequence[Cards], tricks_won: Sequence[int], side: int) -> bool:
    """Whether one side won every trick that was won, and none was left set aside at the end."""
    lo: i64 = 0
    hi: i64 = 0
    for seat, won in enumerate(tricks_won):
        if won and seat % int(tables.sides) != side:
            return False
        pile = captured[seat]
        lo, hi = with_bag(lo, hi, pile.lo, pile.hi)
    # After the last trick a kitty is left only if it waits for a card that nobody has won.
    marks = kitty_marks(tables)
    untaken: i64 = tables.kitty_size if marks and not lo & marks else 0
    return popcount(lo) + popcount(hi) == popcount(tables.deck_lo) + popcount(tables.deck_hi) - untaken


def needs_choice(tables: Tables, captured: Sequence[Cards], dealer: Seat) -> Seat:
    """The shooter, if somebody has shot the moon and is to choose what it does; otherwise -1."""
    return who_shot(tables, captured, dealer) if tables.moon == T.MOON_CHOICE else -1


def deal_outcome(
    tables: Tables,
    captured: Sequence[Cards],
    tricks_won: tuple[int, ...],
    totals: tuple[int, ...],
    deal_number: int,
    shown: tuple[Cards, ...],
) -> tuple[Seat, list[DealScore]]:
    """What a finished deal is worth whose piles are known to be right.

    Returns:
        -1 and its row of the score sheet; or the seat that has shot the moon and is to choose what it does, and the
        rows of its choices: the points added to the others, and subtracted from the shooter.
    """
    shooter = needs_choice(tables, captured, (int(tables.first_dealer) + deal_number) % int(tables.players))
    effects = [None] if shooter < 0 else [Moon.OTHERS_UP, Moon.SHOOTER_DOWN]
    return shooter, [
        score_finished_deal(tables, captured, tricks_won, totals, deal_number, shown, effect) for effect in effects
    ]


@final
class Haul:
    """The piles of a deal as the numbers that its score is made of. Lists are by seat; it is made anew for each deal.

    Args:
        card_points: the penalty value of each pile.
        tricks_won: how many tricks each seat won.
        shooter: who shot the moon; -1: nobody did.
        sun: whether the moon is doubled.
        moon: the value of the moon, before that; 0 without one.
        apart: what each pile has of penalty cards that make no moon; empty: nothing.
        bonuses: the points of the captured bonus cards; empty without bonus cards.
        doublers: how many copies of the doubler were captured; empty without one.
        scoring: whether a scoring card is in the pile; empty without a doubler.
        queen_taker: who captured the Q♠; -1: nobody did, or not exactly one is in play.
    """

    __slots__ = (
        "apart",
        "bonuses",
        "card_points",
        "doublers",
        "moon",
        "queen_taker",
        "scoring",
        "shooter",
        "sun",
        "tricks_won",
    )

    def __init__(
        self,
        card_points: tuple[int, ...],
        tricks_won: tuple[int, ...],
        shooter: int,
        sun: bool,
        moon: int,
        apart: list[int],
        bonuses: list[int],
        doublers: list[int],
        scoring: list[bool],
        queen_taker: int,
    ) -> None:
        self.card_points: Final = card_points
        self.tricks_won: Final = tricks_won
        self.shooter: Final = shooter
        self.sun: Final = sun
        self.moon: Final = moon
        self.apart: Final = apart
        self.bonuses: Final = bonuses
        self.doublers: Final = doublers
        self.scoring: Final = scoring
        self.queen_taker: Final = queen_taker


_NOTHING: Final[list[int]] = []
_NO_ANSWERS: Final[list[bool]] = []
"""Shared by all deals, and never changed."""


def _copies(pile: Cards, face: i64) -> int:
    return 2 if pile.hi & face else 1 if pile.lo & face else 0


def _haul(tables: Tables, captured: Sequence[Cards], tricks_won: tuple[int, ...], dealer: Seat) -> Haul:
    """What the score of a deal is made of."""
    card_points_of = [card_points(tables, pile.lo, pile.hi) for pile in captured]
    side = _shooting_side(tables, captured)
    shooter = -1
    sun = False
    moon = 0
    apart = _NOTHING
    if side:
        shooter = leading_shooter(tables, side, card_points_of, dealer)
        sun = tables.switches & _SUN != 0 and _took_every_trick(
            tables, captured, tricks_won, shooter % int(tables.sides)
        )
        moon = tables.moon_value
        others: i64 = tables.moon_apart
        if tables.moon_queens and _holds_queens(tables, captured, side):
            moon += tables.queens_value
            others &= ~tables.moon_queens
        if others:
            apart = [card_points(tables, pile.lo & others, pile.hi & others) for pile in captured]
    bonuses = _NOTHING
    if tables.bonus_faces:
        bonuses = []
        for pile in captured:
            points = 0
            if pile.lo & tables.bonus_faces:
                for each, face in tables.bonuses:
                    points += each * _copies(pile, face)
            bonuses.append(points)
    doublers = _NOTHING
    scoring = _NO_ANSWERS
    if tables.doubler:
        doublers = [_copies(pile, tables.doubler) for pile in captured]
        scoring = [pile.lo & tables.scoring != 0 for pile in captured]
    queen_taker = -1
    if tables.one_queen:
        for seat, pile in enumerate(captured):
            if pile.lo & T.QUEEN:
                queen_taker = seat
    return Haul(tuple(card_points_of), tricks_won, shooter, sun, moon, apart, bonuses, doublers, scoring, queen_taker)


def _holds_queens(tables: Tables, captured: Sequence[Cards], side: Sequence[Seat]) -> bool:
    """Whether these seats hold every Q♠ in play."""
    left = 2 if tables.deck_hi & T.QUEEN else 1
    for seat in side:
        left -= _copies(captured[seat], T.QUEEN)
    return left == 0


def score_finished_deal(
    tables: Tables,
    captured: Sequence[Cards],
    tricks_won: tuple[int, ...],
    totals: tuple[int, ...],
    deal_number: int,
    shown: tuple[Cards, ...],
    effect: Moon | None,
) -> DealScore:
    """Score a deal whose piles are known to be right.

    Args:
        tables: those in which the shown cards count double: see `tables_with`.
        captured: by seat, the piles.
        tricks_won: by seat.
        totals: by seat, the running totals before the deal.
        deal_number: the number of the deal, from 0.
        shown: by seat, the cards that were shown, for the row.
        effect: what a shooter chose.
    """
    dealer = (int(tables.first_dealer) + deal_number) % int(tables.players)
    return score_haul(tables, _haul(tables, captured, tricks_won, dealer), totals, deal_number, shown, effect)


def score_haul(
    tables: Tables,
    haul: Haul,
    totals: tuple[int, ...],
    deal_number: int,
    shown: tuple[Cards, ...],
    effect: Moon | None,
) -> DealScore:
    """The row of a deal with this haul."""
    shooter = haul.shooter
    if shooter < 0:
        effect = None
    elif tables.moon == T.MOON_OTHERS_UP:
        effect = Moon.OTHERS_UP
    elif tables.moon == T.MOON_SHOOTER_DOWN:
        effect = Moon.SHOOTER_DOWN
    elif tables.moon != T.MOON_CHOICE:
        up = deal_points(tables, haul, totals, Moon.OTHERS_UP)
        effect = automatic_effect(tables, up, totals, shooter, deal_number)
    points = deal_points(tables, haul, totals, effect)
    return DealScore(
        tuple(points),
        haul.card_points,
        None if shooter < 0 else shooter,
        effect,
        haul.sun,
        haul.tricks_won,
        new_totals(tables, totals, points),
        None if haul.queen_taker < 0 else haul.queen_taker,
        shown if tables.exposable else (),
    )


def automatic_effect(tables: Tables, up: Sequence[int], totals: Sequence[int], shooter: Seat, deal_number: int) -> Moon:
    """What an automatic moon does; `up` are the points of the deal with `Moon.OTHERS_UP`."""
    after = new_totals(tables, totals, up)
    if game_winners(tables, after, deal_number + 1) is None:
        return Moon.OTHERS_UP
    if tables.moon == T.MOON_AUTO_SAVE:
        sides = side_totals(tables, after)
        if min(sides) == sides[shooter % int(tables.sides)]:
            return Moon.OTHERS_UP
    return Moon.SHOOTER_DOWN


def deal_points(tables: Tables, haul: Haul, totals: Sequence[int], effect: Moon | None) -> list[int]:
    """The points of a deal by seat.

    Args:
        tables: of the rules.
        haul: what the deal is made of.
        totals: by seat, the running totals before the deal.
        effect: what the moon did; None without one.
    """
    points = list(haul.card_points)
    shooter = haul.shooter
    if shooter >= 0:
        sides = int(tables.sides)
        side = shooter % sides
        value = haul.moon * (2 if haul.sun else 1)
        for seat in range(len(points)):
            points[seat] = haul.apart[seat] if haul.apart else 0
            if effect is Moon.SHOOTER_DOWN:
                if seat == shooter:
                    points[seat] -= value
            elif seat % sides != side:
                points[seat] += value
    if haul.bonuses:
        for seat, bonus in enumerate(haul.bonuses):
            if bonus:
                points[seat] = _less_bonus(tables.bonus_floor, points[seat], bonus, totals[seat])
    if haul.doublers:
        for seat, copies in enumerate(haul.doublers):
            if not copies:
                continue
            if haul.scoring[seat]:
                points[seat] *= tables.doubler_factor**copies
            else:
                points[seat] -= tables.doubler_alone * copies
    if tables.no_tricks_bonus and (shooter < 0 or tables.switches & _NO_TRICKS_BONUS_ON_MOON):
        for seat, won in enumerate(haul.tricks_won):
            if not won:
                points[seat] -= tables.no_tricks_bonus
    return points


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
    tested = totals if tables.target_of_player else sides
    if tables.target:
        highest = max(tested)
        over = over or highest > tables.target or (highest == tables.target and not tables.target_exceeded)
    if tables.bonus_target:
        depth = -min(tested)
        over = over or depth > tables.bonus_target or (depth == tables.bonus_target and not tables.target_exceeded)
    if not over:
        return None
    lowest = min(sides)
    if not tables.shares_ties and sides.count(lowest) > 1:
        return None
    return tuple([seat for seat in range(len(totals)) if sides[seat % len(sides)] == lowest])


def check_rules(rules: object) -> None:
    if not isinstance(rules, Rules):
        wrong_type("rules", "a Rules", rules)


def ints_of(name: str, values: object) -> tuple[int, ...]:
    if isinstance(values, str) or not isinstance(values, Iterable):
        wrong_type(name, "a tuple of ints", values)
    numbers = tuple(values)
    for number in numbers:
        if not isinstance(number, int) or isinstance(number, bool):
            wrong_item(name, "ints", number)
    return numbers


def bags_in(name: str, values: object) -> tuple[Cards, ...]:
    if isinstance(values, (str, Cards)) or not isinstance(values, Iterable):
        wrong_type(name, "a tuple of Cards", values)
    bags = tuple(values)
    for bag in bags:
        if not isinstance(bag, Cards):
            wrong_item(name, "Cards", bag)
    return bags


def wrong_count(name: str, count: int, players: int) -> Problem:
    """The problem of a collection by seat that has too many or too few items."""
    return Problem.of("wrong-count", (name,), "by-seat", name=name, count=count, players=players)


def seat_problems(name: str, seat: Seat, players: int) -> list[Problem]:
    """The problem of a seat that the table does not have; empty if it has it."""
    if 0 <= seat < players:
        return []
    return [Problem.of("no-such-seat", (name,), "named", name=name, seat=seat, last=players - 1)]


def score_deal(
    rules: Rules,
    captured: Iterable[Cards],
    tricks_won: Iterable[int],
    totals: Iterable[int] | None = None,
    effect: Moon | None = None,
    *,
    deal_number: int | Unchecked = 0,
    shown: Iterable[Cards] = (),
) -> DealScore:
    """Score a finished deal, for apps that keep their own state.

    Args:
        rules: the rule set.
        captured: by seat, all cards that each player won, those that are worth nothing too, and the kitty with its
            taker. Cards that nobody took (set aside at the end, a kitty not taken) are in no pile.
        tricks_won: by seat, how many tricks each player won; a trick that was set aside and collected later is
            nobody's.
        totals: by seat, the running totals before this deal; None: all 0. Floors, resets and the automatic moon
            look at them.
        effect: what a shooter chose, `Moon.OTHERS_UP` or `Moon.SHOOTER_DOWN`. Needed when the moon was shot under
            `Moon.CHOICE`, and refused when it contradicts the rules or nobody shot the moon.
        deal_number: the number of this deal, from 0: it settles the dealer, and whether `max_deals` are played.
        shown: by seat, the cards that each player had shown; empty: nobody showed any.

    Returns:
        The row of the score sheet.

    >>> queen, low = Cards("2S 3S AS QS"), Cards("2H 3H 4H 5H")
    >>> score_deal(Rules(), [queen, low, Cards(), Rules().deck - queen - low], (1, 1, 0, 11)).points
    (13, 4, 0, 9)

    The piles must be those of a whole deal with these tricks won: as many cards a trick as there are players, and the
    kitty with a seat that can have taken it. More cards (of tricks that were set aside) in a pile, or tricks that
    nobody took, there are only with two decks and `Duplicates.CANCEL`. Whether an order of legal plays leads to the
    piles is not asked.

    Raises:
        InvalidState: the piles cannot be those of a finished deal, or `effect` does not fit. Its fields are
            `captured[2]`, `tricks_won` and so on. Problems come together as far as one does not hide the other.
        TypeError: an argument has the wrong type.
    """
    check_rules(rules)
    piles = bags_in("captured", captured)
    won = ints_of("tricks_won", tricks_won)
    before = (0,) * rules.players if totals is None else ints_of("totals", totals)
    number = checked_int("deal_number", deal_number)
    exposed = bags_in("shown", shown) or rules.tables.nothing
    if effect is not None and not isinstance(effect, Moon):
        wrong_type("effect", "a Moon or None", effect)
    problems = [
        wrong_count(name, len(items), rules.players)
        for name, items in (("captured", piles), ("tricks_won", won), ("totals", before), ("shown", exposed))
        if len(items) != rules.players
    ]
    if number < 0:
        problems.append(Problem.of("out-of-range", ("deal_number",), "deal-number"))
    if len(won) == rules.players:
        problems += trick_count_problems(rules, won, "tricks_won")
    problems += pile_problems(rules, "captured", piles)
    problems += shown_problems(rules, exposed, "shown")
    if not problems:
        problems += structure_problems(rules, piles, won)
    if not problems:
        problems += _effect_problems(rules, piles, number, exposed, effect)
    if problems:
        raise InvalidState(tuple(problems))
    return score_finished_deal(tables_with(rules, exposed), piles, won, before, number, exposed, effect)


def _effect_problems(
    rules: Rules, captured: Sequence[Cards], deal_number: int, shown: tuple[Cards, ...], effect: Moon | None
) -> list[Problem]:
    shooter = who_shot(tables_with(rules, shown), captured, rules.dealer(deal_number))
    if shooter >= 0 and rules.moon is Moon.CHOICE:
        if effect in (Moon.OTHERS_UP, Moon.SHOOTER_DOWN):
            return []
        return [Problem.of("wrong-effect", ("effect",), "choice", seat=shooter)]
    if effect is None:
        return []
    if shooter < 0:
        return [Problem.of("wrong-effect", ("effect",), "no-moon")]
    return [Problem.of("wrong-effect", ("effect",), "no-choice", moon=rules.moon)]


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
    check_rules(rules)
    totals = ints_of("scores", scores)
    if len(totals) != rules.players:
        raise InvalidState((wrong_count("scores", len(totals), rules.players),))
    by_side = side_totals(rules.tables, totals)
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
    check_rules(rules)
    number = checked_int("total", total)
    if rules.reckoning is Reckoning.NEGATIVE:
        return -number
    if rules.reckoning is Reckoning.COUNTDOWN and rules.target is not None:
        return rules.target - number
    return number
