"""Position keys: hashable values that are equal for states with the same rest of the deal."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import TYPE_CHECKING, Final

from heartsrules.base.values import Unchecked, wrong_type
from heartsrules.cards import Cards
from heartsrules.play.exposing import resolved_with
from heartsrules.play.moves import Play
from heartsrules.play.scoring import card_points
from heartsrules.play.sheet import ScoreSheet
from heartsrules.play.state import AwaitingDeal, ChoosingMoon, Exposing, GameOver, Passing, Playing, State
from heartsrules.play.tricks import masks_of
from heartsrules.rules import MAX_DEALS, OpeningLeader, Rules, switch
from heartsrules.rules import resolved as C
from heartsrules.rules.resolved import ResolvedRules

if TYPE_CHECKING:
    from mypy_extensions import i64

__all__ = ["position_key"]

_SUN: Final[i64] = switch("sun")
_TOTAL_FLOOR: Final[i64] = switch("total_floor")
_TWO_PAIRS_VOID: Final[i64] = switch("two_pairs_void")

_NONE_YET: Final = -1
_SEVERAL: Final = -2


def position_key(state: Unchecked[State]) -> Hashable:
    """A key for the memo of a search: what the rest of the deal depends on, and nothing else of its history.

    Two states with equal keys have equal legal moves; until the deal ends, the states after the same move have equal
    keys again; and then the deal has brought every seat the same points. So what a search has found out for one of them
    holds for the other. Equal states have equal keys. A key can be hashed, compared and pickled; what it is made of may
    change with any version.

    Args:
        state: a state of any phase. While cards are passed, shown or played, its key is of that deal; while a shooter
            chooses, of the points to choose from. Before a deal it is of the points of the deal that has just ended and
            of what the coming one depends on; when the game is over, of the points of the last deal.

    Returns:
        A key. The running totals are in it only where the rules make the points of a deal depend on them: under a floor
        of the total, and as long as it can still be shot under a moon that is automatic or takes a total to 0. So it
        does not say whether the game ends after the deal.

    >>> from heartsrules.play.dealing import deal
    >>> from heartsrules.play.engine import apply, new_game
    >>> from heartsrules.play.sheet import ScoreSheet
    >>> from heartsrules.play.state import AwaitingDeal
    >>> from heartsrules.rules import HOLD
    >>> start = new_game(Rules(pass_cycle=[HOLD]))
    >>> state = apply(start, deal(start, seed=7))
    >>> richer = AwaitingDeal(start.rules, ScoreSheet((30, 12, 30, 54), first=5), None)
    >>> later = apply(richer, deal(start, seed=7))
    >>> state == later, position_key(state) == position_key(later)
    (False, True)

    Raises:
        TypeError: `state` is not a state; a view does not know what the rest of the deal depends on.
    """
    if isinstance(state, Playing):
        return _play_key(state)
    if isinstance(state, Passing):
        parts: list[object] = [state.rules, "pass", state.plan]
        parts += _coming_play_parts(state.rules, state.deal_number, state.scores, state.score_sheet)
        parts += _card_parts(state.rules.resolved, state.hands, state.kitty)
        parts += state.commitments
        return tuple(parts)
    if isinstance(state, Exposing):
        parts = [state.rules, "expose", state.rules.pass_plan(state.deal_number) if state.before_pass else None]
        parts += _coming_play_parts(state.rules, state.deal_number, state.scores, state.score_sheet)
        parts += _card_parts(state.rules.resolved, state.hands, state.kitty)
        parts += state.commitments
        if state.rules.resolved.shows_in_rounds:
            parts += state.start.exposed
        return tuple(parts)
    if isinstance(state, ChoosingMoon):
        return state.rules, "moon", state.shooter, state.others_up.points, state.shooter_down.points
    if isinstance(state, AwaitingDeal):
        parts = [state.rules, "deal", _last_points(state.score_sheet), state.deal_number >= MAX_DEALS]
        parts.append(state.rules.pass_plan(state.deal_number))
        parts += _coming_play_parts(state.rules, state.deal_number, state.scores, state.score_sheet)
        return tuple(parts)
    if not isinstance(state, GameOver):
        wrong_type("state", "a State", state)
    return state.rules, "over", _last_points(state.score_sheet)


def _last_points(sheet: ScoreSheet) -> tuple[int, ...]:
    return sheet[-1].points if sheet else ()


def _card_parts(resolved: ResolvedRules, hands: Sequence[Cards], kitty: Cards) -> list[object]:
    """The parts of a key that the cards before the first lead make: hands, and the kitty as far as it counts."""
    parts: list[object] = [hand.lo for hand in hands]
    if resolved.deck_hi:
        parts += [hand.hi for hand in hands]
    if resolved.kitty != C.KITTY_NONE:
        relevant = resolved.counting
        parts += [kitty.lo & relevant, kitty.hi & relevant]
    return parts


def _coming_play_parts(rules: Rules, number: int, totals: tuple[int, ...], sheet: ScoreSheet) -> list[object]:
    """The parts of a key that the play to come depends on, beside its cards."""
    resolved = rules.resolved
    leader = rules.opening_leader
    parts: list[object] = []
    # With two decks two seats can hold the lowest card; the one nearer to the dealer's left leads.
    if (
        leader is OpeningLeader.DEALER_LEFT
        or resolved.deck_hi
        or (resolved.exposable and resolved.shows_in_turn)
        or _shooter_by_dealer(resolved)
    ):
        parts.append(rules.dealer(number))
    if leader is OpeningLeader.QUEEN_TAKER:
        parts.append(sheet.queen_taker)
    if _moon_by_totals(resolved):
        parts.append(_is_last(resolved, number))
        parts.append(totals)
    elif _has_total_floor(resolved):
        parts.append(totals)
    return parts


def _shooter_by_dealer(resolved: ResolvedRules) -> bool:
    """Whether the shooter among partners with equal points depends on the dealer, and it makes a difference."""
    return resolved.moon > C.MOON_OTHERS_UP and len(resolved.moon_sides) < resolved.players


def _has_total_floor(resolved: ResolvedRules) -> bool:
    return resolved.bonus_floor == C.FLOOR_TOTAL or resolved.switches & _TOTAL_FLOOR != 0


def _moon_by_totals(resolved: ResolvedRules) -> bool:
    return resolved.moon >= C.MOON_AUTO_SAVE


def _is_last(resolved: ResolvedRules, number: int) -> bool:
    """Whether this deal ends the game by its number."""
    return 0 < resolved.max_deals <= number + 1


def _play_key(state: Playing) -> Hashable:
    played = state.public
    start = played.start
    resolved = played.resolved
    parts: list[object] = [start.rules, state.turn]
    held: i64 = 0
    for hand in state.hands:
        held |= hand.lo
        parts.append(hand.lo)
    if resolved.deck_hi:
        parts += [hand.hi for hand in state.hands]
    # Broken hearts make a difference only while somebody holds a card that waits for it.
    parts.append(state.hearts_broken and held & (resolved.lead_waits | resolved.discard_waits) != 0)
    if resolved.exposable:
        parts.append(start.exposed_mask)
        parts.append(played.waiting & held)
        if start.exposed_mask:
            resolved = resolved_with(start.rules, start.exposed)
    captured = state.captured
    parts += [card_points(resolved, pile.lo, pile.hi) if pile.lo & resolved.penalty else 0 for pile in captured]
    moon = resolved.moon != C.MOON_OFF and _add_moon(parts, resolved, state)
    if _has_total_floor(resolved):
        parts.append(start.scores)
    if resolved.no_tricks_bonus:
        parts += [won > 0 for won in played.tricks_won]
    if resolved.bonus_faces:
        parts += [_bonus(resolved, pile.lo, pile.hi) for pile in captured]
    trick = state.trick
    kitty = state.kitty
    kitty_waits = resolved.kitty != C.KITTY_NONE and played.kitty_winner is None
    if resolved.doubler:
        # Scoring cards make a difference only beside a doubler, which must be in the pile or can still come.
        free = held | played.set_aside.lo
        for play in trick:
            free |= play.bit
        if kitty_waits:
            free |= kitty.lo
        for pile in captured:
            copies = _copies(pile.lo, pile.hi, resolved.doubler)
            parts.append(copies)
            parts.append((copies > 0 or free & resolved.doubler != 0) and pile.lo & resolved.scoring != 0)
    if trick:
        lo, hi = masks_of(trick)
        if resolved.switches & _TWO_PAIRS_VOID:
            parts.append(trick)
        else:
            _add_winner(parts, resolved, trick, held)
            _add_cards(parts, resolved, lo, hi, moon, kitty_waits)
    else:
        parts.append(())
    if resolved.duplicates == C.CANCEL:
        _add_cards(parts, resolved, played.set_aside.lo, played.set_aside.hi, moon, kitty_waits)
    if resolved.kitty != C.KITTY_NONE:
        if kitty_waits:
            _add_cards(parts, resolved, kitty.lo, kitty.hi, moon, False)
        else:
            _add_cards(parts, resolved, 0, 0, moon, False)
    return tuple(parts)


def _add_winner(parts: list[object], resolved: ResolvedRules, trick: tuple[Play, ...], held: i64) -> None:
    """Add what decides how an unfinished trick may go on, and who wins it."""
    led = trick[0].suit_mask
    if resolved.duplicates == C.CANCEL:
        # All cards of the suit led, which may still cancel each other; the first is the leader's.
        parts.append(tuple([play for play in trick if play.suit_mask == led]))
        return
    last = resolved.duplicates == C.LAST_WINS
    best: i64 = 0
    seat = 0
    for play in trick:
        bit = play.bit & led
        if bit > best or (last and bit and bit == best):
            best = bit
            seat = play.seat
    if not resolved.deck_hi:
        # Of the suit and its best card it matters only which cards in hand are of it, and higher.
        higher = held & led & ~(best | (best - 1))
        best = higher & -higher
        if not held & led:
            led = 0
    parts.append(led)
    parts.append(best)
    parts.append(seat)


def _add_cards(parts: list[object], resolved: ResolvedRules, lo: i64, hi: i64, moon: bool, kitty_waits: bool) -> None:
    """Add what matters of cards that nobody has captured yet: while a moon can be shot, the cards themselves, and
    otherwise only their worth."""
    if moon:
        relevant = resolved.counting
        parts.append(lo & relevant)
        if resolved.deck_hi:
            parts.append(hi & relevant)
        return
    parts.append(card_points(resolved, lo, hi) if lo & resolved.penalty else 0)
    if resolved.bonus_faces:
        parts.append(_bonus(resolved, lo, hi))
    if resolved.doubler:
        parts.append(_copies(lo, hi, resolved.doubler))
        parts.append(lo & resolved.scoring != 0)
    marks = resolved.kitty_marks
    if marks:
        parts.append(kitty_waits and lo & marks != 0)


def _bonus(resolved: ResolvedRules, lo: i64, hi: i64) -> int:
    bonus = 0
    if lo & resolved.bonus_faces:
        for each in resolved.bonuses:
            bonus += each.points * _copies(lo, hi, each.faces)
    return bonus


def _copies(lo: i64, hi: i64, face: i64) -> int:
    return 2 if hi & face else 1 if lo & face else 0


def _add_moon(parts: list[object], resolved: ResolvedRules, state: Playing) -> bool:
    """Add what a moon depends on, and return whether it can still be shot.

    It can until a second group of seats has captured a moon card.
    """
    played = state.public
    captured = state.captured
    groups = len(resolved.moon_sides)
    group = _NONE_YET
    for seat, pile in enumerate(captured):
        if pile.lo & resolved.moon_lo:
            own = seat % groups
            if group == _NONE_YET:
                group = own
            elif group != own:
                group = _SEVERAL
                break
    parts.append(group)
    if group == _SEVERAL:
        return False
    if resolved.moon_apart:
        # Penalty cards that count for their takers even then, and queens that count with the moon if all are there.
        apart: i64 = resolved.moon_apart & ~resolved.moon_queens
        queens: i64 = resolved.moon_apart & resolved.moon_queens
        for pile in captured:
            parts.append(card_points(resolved, pile.lo & apart, pile.hi & apart))
            if queens:
                parts.append(_copies(pile.lo, pile.hi, queens))
    if resolved.switches & _SUN:
        sides = int(resolved.sides)
        side = _NONE_YET
        for seat, won in enumerate(played.tricks_won):
            if won:
                own = seat % sides
                if side == _NONE_YET:
                    side = own
                elif side != own:
                    side = _SEVERAL
                    break
        parts.append(side)
    if _shooter_by_dealer(resolved):
        parts.append(played.start.dealer)
    if _moon_by_totals(resolved):
        parts.append(_is_last(resolved, played.start.deal_number))
        if not _has_total_floor(resolved):
            parts.append(played.start.scores)
    return True
