"""The score of a deal, and the end of a game."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from heartsrules.cards import Cards, popcount, with_bag
from heartsrules.play.board import Board, SeatState
from heartsrules.play.sheet import DealScore
from heartsrules.rules import MOON_CODES, Moon, Seat, switch
from heartsrules.rules import resolved as C
from heartsrules.rules.resolved import ResolvedRules

if TYPE_CHECKING:
    from mypy_extensions import i64

_SUN: Final[i64] = switch("sun")
_TOTAL_FLOOR: Final[i64] = switch("total_floor")
_EFFECTS: Final[dict[int, Moon]] = {code: effect for effect, code in MOON_CODES.items()}
_NO_TRICKS_BONUS_ON_MOON: Final[i64] = switch("no_tricks_bonus_on_moon")


def card_points(resolved: ResolvedRules, lo: i64, hi: i64) -> int:
    points = 0
    if lo & resolved.penalty:
        for each in resolved.worth:
            faces = lo & each.faces
            if faces:
                points += each.points * int(popcount(faces))
                twice = hi & faces
                if twice:
                    points += each.points * int(popcount(twice))
    return points


def _shooting_group(resolved: ResolvedRules, board: Board) -> i64:
    if resolved.moon == C.MOON_OFF:
        return -1
    seats = board.seats
    players = resolved.players
    groups: i64 = len(resolved.moon_sides)
    group: i64 = 0
    while group < groups:
        lo: i64 = 0
        hi: i64 = 0
        number = group
        while number < players:
            seat = seats[number]
            lo, hi = with_bag(lo, hi, seat.pile_lo, seat.pile_hi)
            number += groups
        if not (resolved.moon_lo & ~lo or resolved.moon_hi & ~hi):
            return group
        group += 1
    return -1


def who_shot(resolved: ResolvedRules, captured: Sequence[Cards], dealer: Seat) -> Seat:
    """Return the seat that shot the moon, or -1."""
    nothing = (0,) * len(captured)
    board = Board.of(resolved, nothing, tuple(captured), nothing)
    _find_moon(resolved, board, dealer)
    return board.shooter


def leading_shooter(resolved: ResolvedRules, side: Sequence[Seat], in_piles: Sequence[int], dealer: Seat) -> Seat:
    """Return the shooter of a side that has shot the moon together.

    It is the seat with the most penalty points, on a tie the first from the dealer's left.
    """
    players = int(resolved.players)
    return min(side, key=lambda seat: (-in_piles[seat], (seat - dealer - 1) % players))


def open_moons(resolved: ResolvedRules, captured: Sequence[Cards]) -> i64:
    """Return the groups that can still shoot the moon, as a mask of `moon_sides`."""
    bit: i64 = 1
    groups: i64 = len(resolved.moon_sides)
    found: i64 = 0 if resolved.moon == C.MOON_OFF else (bit << groups) - 1
    for seat, pile in enumerate(captured):
        if pile.lo & resolved.moon_lo:
            found &= bit << seat % groups
    return found


def shooter_by_dealer(resolved: ResolvedRules) -> bool:
    """Return True if points can depend on which of two partners is the shooter.

    The dealer decides between them.
    """
    return resolved.moon > C.MOON_OTHERS_UP and len(resolved.moon_sides) < resolved.players


def open_sun(resolved: ResolvedRules, moons: i64, tricks_won: Sequence[int]) -> bool:
    return moons != 0 and sun_allows(resolved, tricks_won)


def sun_allows(resolved: ResolvedRules, tricks_won: Sequence[int]) -> bool:
    """Return True if the rules have a sun and only one group has won tricks."""
    if not resolved.switches & _SUN:
        return False
    return len({seat % int(resolved.sun_groups) for seat, won in enumerate(tricks_won) if won}) < 2


def _is_sun(resolved: ResolvedRules, board: Board) -> bool:
    if not sun_allows(resolved, [int(seat.won) for seat in board.seats]):
        return False
    lo: i64 = 0
    hi: i64 = 0
    for seat in board.seats:
        lo, hi = with_bag(lo, hi, seat.pile_lo, seat.pile_hi)
    # After the last trick a kitty remains only if no seat has won a card that brings it.
    waits = resolved.kitty == C.KITTY_FIRST_POINT or resolved.kitty == C.KITTY_FIRST_HEART
    untaken: i64 = resolved.kitty_size if waits and not lo & resolved.kitty_marks else 0
    return popcount(lo) + popcount(hi) == popcount(resolved.deck_lo) + popcount(resolved.deck_hi) - untaken


def deal_outcome(
    resolved: ResolvedRules,
    captured: Sequence[Cards],
    tricks_won: tuple[int, ...],
    totals: tuple[int, ...],
    deal_number: int,
    exposed: tuple[Cards, ...],
) -> tuple[Seat, list[DealScore]]:
    """Return the score of a finished deal without checking its piles.

    Returns:
        -1 and the row of the score sheet, or the shooter who must choose and the rows for `OTHERS_UP` and
            `SHOOTER_DOWN`.
    """
    return board_outcome(resolved, Board.of(resolved, totals, tuple(captured), tricks_won), deal_number, exposed)


def board_outcome(
    resolved: ResolvedRules, board: Board, deal_number: int, exposed: tuple[Cards, ...]
) -> tuple[Seat, list[DealScore]]:
    count_piles(resolved, board, resolved.dealer(deal_number))
    if board.shooter < 0 or resolved.moon != C.MOON_CHOICE:
        return -1, [score_board(resolved, board, deal_number, exposed, None)]
    up = score_board(resolved, board, deal_number, exposed, Moon.OTHERS_UP)
    return board.shooter, [up, score_board(resolved, board, deal_number, exposed, Moon.SHOOTER_DOWN)]


def _copies(seat: SeatState, face: i64) -> i64:
    if seat.pile_hi & face:
        return 2
    if seat.pile_lo & face:
        return 1
    return 0


def count_pile(resolved: ResolvedRules, seat: SeatState) -> None:
    seat.card_points = card_points(resolved, seat.pile_lo, seat.pile_hi)
    if resolved.bonus_faces:
        points = 0
        if seat.pile_lo & resolved.bonus_faces:
            for each in resolved.bonuses:
                points += each.points * int(_copies(seat, each.faces))
        seat.bonus = points
    if resolved.doubler:
        seat.doublers = _copies(seat, resolved.doubler)
        seat.scoring = seat.pile_lo & resolved.scoring != 0


def count_piles(resolved: ResolvedRules, board: Board, dealer: Seat) -> None:
    """Set the facts of all piles and the moon, from the piles and the tricks won."""
    seats = board.seats
    for seat in seats:
        count_pile(resolved, seat)
    _find_moon(resolved, board, dealer)
    board.queen_taker = -1
    if resolved.one_queen:
        for seat in seats:
            if seat.pile_lo & C.QUEEN:
                board.queen_taker = int(seat.seat)


def _find_moon(resolved: ResolvedRules, board: Board, dealer: Seat) -> None:
    board.shooter = -1
    board.sun = False
    board.moon = 0
    board.has_apart = False
    group = _shooting_group(resolved, board)
    if group < 0:
        return
    side = resolved.moon_sides[group]
    seats = board.seats
    in_piles = [card_points(resolved, seat.pile_lo, seat.pile_hi) for seat in seats]
    shooter = leading_shooter(resolved, side, in_piles, dealer)
    board.shooter = shooter
    board.sun = _is_sun(resolved, board)
    board.moon = resolved.moon_value
    others: i64 = resolved.moon_apart
    if resolved.moon_queens and _holds_queens(resolved, board, side):
        board.moon += resolved.moon_queens_value
        others &= ~resolved.moon_queens
    if others:
        board.has_apart = True
        for seat in seats:
            seat.apart = card_points(resolved, seat.pile_lo & others, seat.pile_hi & others)


def _holds_queens(resolved: ResolvedRules, board: Board, side: Sequence[Seat]) -> bool:
    left: i64 = 2 if resolved.deck_hi & C.QUEEN else 1
    for number in side:
        left -= _copies(board.seats[number], C.QUEEN)
    return left == 0


def score_finished_deal(
    resolved: ResolvedRules,
    captured: Sequence[Cards],
    tricks_won: tuple[int, ...],
    totals: tuple[int, ...],
    deal_number: int,
    exposed: tuple[Cards, ...],
    effect: Moon | None,
) -> DealScore:
    """Score a finished deal without checking its piles.

    Exposed cards must be doubled in the resolved rules (see `resolved_with`). `totals` are before the deal, and
    `effect` is the shooter's choice.
    """
    board = Board.of(resolved, totals, tuple(captured), tricks_won)
    count_piles(resolved, board, resolved.dealer(deal_number))
    return score_board(resolved, board, deal_number, exposed, effect)


def score_board(
    resolved: ResolvedRules, board: Board, deal_number: int, exposed: tuple[Cards, ...], effect: Moon | None
) -> DealScore:
    """Return the row of a board with counted piles, and set its points and totals."""
    shooter = board.shooter
    effect = settle(resolved, board, deal_number, effect)
    seats = board.seats
    return DealScore(
        tuple([seat.points for seat in seats]),
        tuple([seat.card_points for seat in seats]),
        None if shooter < 0 else shooter,
        effect,
        board.sun,
        tuple([seat.won for seat in seats]),
        tuple([seat.after for seat in seats]),
        None if board.queen_taker < 0 else board.queen_taker,
        exposed if resolved.exposable else (),
    )


def settle(resolved: ResolvedRules, board: Board, deal_number: int, effect: Moon | None) -> Moon | None:
    """Set the points and totals after the deal, and return the moon's effect.

    The piles must be counted, and exposed cards doubled in the resolved rules. `effect` is the shooter's choice under
    `Moon.CHOICE`.
    """
    if board.shooter < 0:
        _settle(resolved, board, C.MOON_OFF)
        return None
    code = resolved.moon
    if code == C.MOON_CHOICE:
        code = C.MOON_SHOOTER_DOWN if effect is Moon.SHOOTER_DOWN else C.MOON_OTHERS_UP
    elif is_automatic(resolved):
        _settle(resolved, board, C.MOON_OTHERS_UP)
        code = automatic_effect(resolved, board, deal_number)
    _settle(resolved, board, code)
    return _EFFECTS[int(code)]


def is_automatic(resolved: ResolvedRules) -> bool:
    """Return True if the totals after the deal decide the effect."""
    return resolved.moon == C.MOON_AUTO_SAVE or resolved.moon == C.MOON_AUTO_EXTEND


def effect_codes(resolved: ResolvedRules) -> list[int]:
    if resolved.moon == C.MOON_CHOICE or is_automatic(resolved):
        return [C.MOON_OTHERS_UP, C.MOON_SHOOTER_DOWN]
    return [] if resolved.moon == C.MOON_OFF else [int(resolved.moon)]


def effect_code(effect: Moon | None) -> int:
    """Return the code of an effect for `set_points`, or of `Moon.OFF` for None."""
    return MOON_CODES[effect or Moon.OFF]


def _settle(resolved: ResolvedRules, board: Board, effect: i64) -> None:
    set_points(resolved, board, effect)
    for seat in board.seats:
        seat.after = _total_after(resolved, seat.total, seat.points)


def automatic_effect(resolved: ResolvedRules, board: Board, deal_number: int) -> i64:
    """Return the code of an automatic moon's effect, from the totals of `OTHERS_UP`."""
    winners = game_winners(resolved, [seat.after for seat in board.seats], deal_number + 1)
    if winners is None or (resolved.moon == C.MOON_AUTO_SAVE and board.shooter in winners):
        return C.MOON_OTHERS_UP
    return C.MOON_SHOOTER_DOWN


def set_points(resolved: ResolvedRules, board: Board, effect: i64) -> None:
    """Set the points of a board whose piles are counted, given the moon's `effect_code`."""
    seats = board.seats
    shooter = board.shooter
    if shooter < 0:
        for seat in seats:
            seat.points = seat.card_points
    else:
        sides = int(resolved.sides)
        side = shooter % sides
        value = board.moon
        if board.sun:
            value = resolved.sun_value or value * 2
        up = value
        if effect == C.MOON_SHOOTER_DOWN or effect == C.MOON_SHOOTER_TO_ZERO:
            up = 0
        down = 0
        if effect == C.MOON_SHOOTER_DOWN or effect == C.MOON_BOTH:
            down = value
        elif effect == C.MOON_OTHERS_PAY:
            down = value * (len(seats) - len(seats) // sides)
        for seat in seats:
            number = int(seat.seat)
            points = 0
            if board.has_apart:
                points = seat.apart
            if number == shooter:
                points -= down
            elif number % sides != side:
                points += up
            seat.points = points
    if resolved.bonus_faces:
        for seat in seats:
            if seat.bonus:
                seat.points = _less_bonus(resolved.bonus_floor, seat.points, seat.bonus, seat.total)
    if resolved.doubler:
        for seat in seats:
            copies = int(seat.doublers)
            if not copies:
                continue
            if seat.scoring:
                seat.points *= resolved.doubler_factor
                if copies == 2:
                    seat.points *= resolved.doubler_factor
            else:
                seat.points -= resolved.doubler_alone * copies
    if resolved.no_tricks_bonus and (shooter < 0 or resolved.switches & _NO_TRICKS_BONUS_ON_MOON):
        for seat in seats:
            if not seat.won:
                seat.points -= resolved.no_tricks_bonus
    if shooter >= 0 and effect == C.MOON_SHOOTER_TO_ZERO:
        for seat in seats:
            if int(seat.seat) == shooter:
                seat.points = min(seat.points, -seat.total)
    if resolved.switches & _TOTAL_FLOOR:
        for seat in seats:
            if seat.points < 0:
                seat.points = max(seat.points, min(-seat.total, 0))


def _total_after(resolved: ResolvedRules, total: int, points: int) -> int:
    """Return the running total after a deal, with at most one reset, if it changed."""
    after = total + points
    if resolved.resets and points:
        return resolved.resets.get(after, after)
    return after


def new_totals(resolved: ResolvedRules, totals: Sequence[int], points: Sequence[int]) -> tuple[int, ...]:
    return tuple([_total_after(resolved, total, points[seat]) for seat, total in enumerate(totals)])


def _less_bonus(floor: i64, points: int, bonus: int, total: int) -> int:
    if floor == C.FLOOR_NONE:
        return points - bonus
    base = total if floor == C.FLOOR_TOTAL else 0
    return min(points, max(base + points - bonus, 0) - base)


def side_totals(resolved: ResolvedRules, totals: Sequence[int]) -> list[int]:
    if resolved.sides == len(totals):
        return list(totals)
    sides = [0] * resolved.sides
    for seat, total in enumerate(totals):
        sides[seat % int(resolved.sides)] += total
    return sides


def side_places(resolved: ResolvedRules, totals: Sequence[int]) -> list[int]:
    """Return the rank of each side, 1 for the lowest total. Equal totals share a rank.

    Under `TargetTest.EXACT_WINS`, sides with exactly the target are first.
    """
    sides = side_totals(resolved, totals)
    tested = totals if resolved.target_of_player else sides
    exact = {number % len(sides) for number, total in enumerate(tested) if total == resolved.winning_total}
    ranks = [(side not in exact, total) for side, total in enumerate(sides)]
    return [1 + sum([other < rank for other in ranks]) for rank in ranks]


def row_winners(resolved: ResolvedRules, row: DealScore, deals_played: int) -> tuple[Seat, ...] | None:
    return game_winners(resolved, row.totals, deals_played, -1 if row.shooter is None else row.shooter)


def game_winners(
    resolved: ResolvedRules, totals: Sequence[int], deals_played: int, shooter: Seat = -1
) -> tuple[Seat, ...] | None:
    """Compute `winners` for checked arguments.

    `shooter` is -1 without a moon.
    """
    winners = int(winning_sides(resolved, list(totals), deals_played, shooter))
    if not winners:
        return None
    sides = int(resolved.sides)
    return tuple([seat for seat in range(len(totals)) if winners >> seat % sides & 1])


def winning_sides(resolved: ResolvedRules, totals: list[int], deals_played: int, shooter: Seat) -> i64:
    """Return the sides of the `game_winners` as a mask, or 0 if another deal follows."""
    bit: i64 = 1
    if shooter >= 0 and resolved.moon == C.MOON_SHOOTER_WINS:
        return bit << shooter % int(resolved.sides)
    tested = totals
    if not resolved.target_of_player and resolved.sides != len(totals):
        tested = side_totals(resolved, totals)
    if not match_over(resolved, tested, deals_played):
        return 0
    winners: i64 = 0
    for place in side_places(resolved, totals):
        if place == 1:
            winners |= bit
        bit <<= 1
    if winners & (winners - 1) and not resolved.shares_ties:
        return 0
    return winners


def match_over(resolved: ResolvedRules, tested: list[int], deals_played: int) -> bool:
    """Return True if the last deal has been played or a total is at a target.

    Another deal still follows if sides tie for the win and cannot share it.
    """
    over = resolved.max_deals > 0 and deals_played >= resolved.max_deals
    exceeded = resolved.target_exceeded
    if resolved.target:
        highest = tested[0]
        for total in tested:
            if total > highest:
                highest = total
        over = over or highest > resolved.target or (highest == resolved.target and not exceeded)
    if resolved.bonus_target:
        depth = -tested[0]
        for total in tested:
            if -total > depth:
                depth = -total
        over = over or depth > resolved.bonus_target or (depth == resolved.bonus_target and not exceeded)
    return over
