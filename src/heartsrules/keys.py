"""What the rest of a deal depends on, as a key: states with equal keys are one position to a search."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import TYPE_CHECKING, Final

from heartsrules import tables as T
from heartsrules.cards import Cards
from heartsrules.exposing import tables_with
from heartsrules.moves import Play
from heartsrules.rules import MAX_DEALS, OpeningLeader, Rules, switch
from heartsrules.scoring import card_points
from heartsrules.sheet import ScoreSheet
from heartsrules.state import AwaitingDeal, ChoosingMoon, Exposing, GameOver, Passing, Playing, State
from heartsrules.tables import Tables
from heartsrules.tricks import kitty_marks, masks_of
from heartsrules.values import Unchecked, wrong_type

if TYPE_CHECKING:
    from mypy_extensions import i64

__all__ = ["counting_faces", "position_key"]

_QUEEN_WAITS: Final[i64] = switch("queen_discard_after_hearts")
_SUN: Final[i64] = switch("sun")
_TWO_PAIRS_VOID: Final[i64] = switch("two_pairs_void")

_NONE_YET: Final = -1
_SEVERAL: Final = -2


def position_key(state: State | Unchecked) -> Hashable:
    """What the rest of the deal depends on, and nothing of how it came about: a key for the tables of a search.

    Two states with equal keys have equal legal moves; until the deal ends, the states after the same move have equal
    keys again; and then the deal has brought every seat the same points. So what a search has found out for one of them
    holds for the other. Equal states have equal keys. A key can be hashed, compared and pickled; what it is made of may
    change with any version.

    Args:
        state: a state of any phase. While cards are passed, shown or played, its key is of that deal; while a shooter
            chooses, of the points to choose from. Before a deal it is of the points of the deal that has just ended and
            of what the coming one depends on; when the game is over, of the points of the last deal.

    Returns:
        A key. The running totals are in it only where the rules make the points of a deal depend on them: under a bonus
        floor of the total, and under an automatic moon as long as it can still be shot. So it does not say whether the
        game ends after the deal.

    >>> from heartsrules.chance import deal
    >>> from heartsrules.engine import apply, new_game
    >>> from heartsrules.rules import HOLD
    >>> start = new_game(Rules(pass_cycle=[HOLD]))
    >>> state = apply(start, deal(start, seed=7))
    >>> richer = start.replace(scores=(30, 12, 30, 54), deal_number=5)
    >>> later = apply(richer, deal(start, seed=7))
    >>> state == later, position_key(state) == position_key(later)
    (False, True)

    Raises:
        TypeError: `state` is not a state; a view does not know what the rest of the deal depends on.
    """
    if isinstance(state, Playing):
        return _of_play(state)
    if isinstance(state, Passing):
        parts: list[object] = [state.rules, "pass", state.step]
        parts += _of_coming_play(state.rules, state.deal_number, state.scores, state.deal_scores)
        parts += _of_cards(state.rules.tables, state.hands, state.kitty)
        parts += state.commitments
        return tuple(parts)
    if isinstance(state, Exposing):
        parts = [state.rules, "expose"]
        parts += _of_coming_play(state.rules, state.deal_number, state.scores, state.deal_scores)
        parts += _of_cards(state.rules.tables, state.hands, state.kitty)
        parts += state.commitments
        return tuple(parts)
    if isinstance(state, ChoosingMoon):
        return state.rules, "moon", state.shooter, state.others_up.points, state.shooter_down.points
    if isinstance(state, AwaitingDeal):
        parts = [state.rules, "deal", _last_points(state.deal_scores), state.deal_number >= MAX_DEALS]
        parts.append(state.rules.step(state.deal_number))
        parts += _of_coming_play(state.rules, state.deal_number, state.scores, state.deal_scores)
        return tuple(parts)
    if not isinstance(state, GameOver):
        wrong_type("state", "a State", state)
    return state.rules, "over", _last_points(state.deal_scores)


def _last_points(sheet: ScoreSheet) -> tuple[int, ...]:
    return sheet[-1].points if sheet else ()


def counting_faces(tables: Tables) -> i64:
    """The faces that make a difference to the points of whoever captures them, as a mask."""
    return tables.scoring | tables.doubler | tables.moon_lo


def _of_cards(tables: Tables, hands: Sequence[Cards], kitty: Cards) -> list[object]:
    """Of the cards before the first lead: the hands, and of the kitty what can make a difference."""
    parts: list[object] = [hand.lo for hand in hands]
    if tables.deck_hi:
        parts += [hand.hi for hand in hands]
    if tables.kitty != T.KITTY_NONE:
        relevant = counting_faces(tables)
        parts += [kitty.lo & relevant, kitty.hi & relevant]
    return parts


def _of_coming_play(rules: Rules, number: int, totals: tuple[int, ...], sheet: ScoreSheet) -> list[object]:
    """What the play of a deal that has not begun depends on beside its cards."""
    tables = rules.tables
    leader = rules.opening_leader
    parts: list[object] = []
    # Of two seats that hold the lowest card, which there are with two decks, the one nearer to the dealer's left leads.
    if (
        leader is OpeningLeader.DEALER_LEFT
        or tables.deck_hi
        or (tables.exposable and tables.shows_in_turn)
        or _shooter_by_dealer(tables)
    ):
        parts.append(rules.dealer(number))
    if leader is OpeningLeader.QUEEN_TAKER:
        parts.append(sheet.queen_taker)
    if _is_automatic(tables):
        parts.append(_is_last(tables, number))
        parts.append(totals)
    elif tables.bonus_floor == T.FLOOR_TOTAL:
        parts.append(totals)
    return parts


def _shooter_by_dealer(tables: Tables) -> bool:
    """Whether it can make a difference which of two partners with equal points is nearer to the dealer's left."""
    return tables.moon > T.MOON_OTHERS_UP and len(tables.moon_sides) < tables.players


def _is_automatic(tables: Tables) -> bool:
    return tables.moon >= T.MOON_AUTO_SAVE


def _is_last(tables: Tables, number: int) -> bool:
    """Whether this deal ends the game by its number."""
    return 0 < tables.max_deals <= number + 1


def _of_play(state: Playing) -> Hashable:
    played = state.deal
    start = played.start
    tables = played.tables
    parts: list[object] = [start.rules, state.turn]
    held: i64 = 0
    for hand in state.hands:
        held |= hand.lo
        parts.append(hand.lo)
    if tables.deck_hi:
        parts += [hand.hi for hand in state.hands]
    # Hearts may be broken or not as far as somebody holds a card that has to wait for it.
    waits = tables.lead_waits
    if tables.switches & _QUEEN_WAITS:
        waits |= T.QUEEN
    parts.append(state.hearts_broken and held & waits != 0)
    if tables.exposable:
        parts.append(start.exposed)
        parts.append(played.waiting & held)
        if start.exposed:
            tables = tables_with(start.rules, start.shown)
    captured = played.captured
    parts += [card_points(tables, pile.lo, pile.hi) if pile.lo & tables.penalty else 0 for pile in captured]
    moon = tables.moon != T.MOON_OFF and _add_moon(parts, tables, state)
    if tables.bonus_floor == T.FLOOR_TOTAL:
        parts.append(start.scores)
    if tables.no_tricks_bonus:
        parts += [won > 0 for won in played.tricks_won]
    if tables.bonus_faces:
        parts += [_bonus(tables, pile.lo, pile.hi) for pile in captured]
    trick = state.trick
    kitty = start.kitty
    kitty_waits = tables.kitty != T.KITTY_NONE and played.kitty_taker is None
    if tables.doubler:
        # Scoring cards make a difference only beside a doubler, which must be in the pile or can still come.
        free = held | played.set_aside.lo
        for play in trick:
            free |= play.bit
        if kitty_waits:
            free |= kitty.lo
        for pile in captured:
            copies = _copies(pile.lo, pile.hi, tables.doubler)
            parts.append(copies)
            parts.append((copies > 0 or free & tables.doubler != 0) and pile.lo & tables.scoring != 0)
    if trick:
        lo, hi = masks_of(trick)
        if tables.switches & _TWO_PAIRS_VOID:
            parts.append(trick)
        else:
            _add_winner(parts, tables, trick, held)
            _add_cards(parts, tables, lo, hi, moon, kitty_waits)
    else:
        parts.append(())
    if tables.duplicates == T.CANCEL:
        _add_cards(parts, tables, played.set_aside.lo, played.set_aside.hi, moon, kitty_waits)
    if tables.kitty != T.KITTY_NONE:
        if kitty_waits:
            _add_cards(parts, tables, kitty.lo, kitty.hi, moon, False)
        else:
            _add_cards(parts, tables, 0, 0, moon, False)
    return tuple(parts)


def _add_winner(parts: list[object], tables: Tables, trick: tuple[Play, ...], held: i64) -> None:
    """Add what decides how an unfinished trick may go on, and who wins it."""
    led = trick[0].suit_mask
    if tables.duplicates == T.CANCEL:
        # All cards of the suit led, which may still cancel each other; the first is the leader's.
        parts.append(tuple([play for play in trick if play.suit_mask == led]))
        return
    last = tables.duplicates == T.LAST_WINS
    best: i64 = 0
    seat = 0
    for play in trick:
        bit = play.bit & led
        if bit > best or (last and bit and bit == best):
            best = bit
            seat = play.seat
    if not tables.deck_hi:
        # All that can be asked of the suit and of its best card is which of the cards in hand are of it, and higher.
        higher = held & led & ~(best | (best - 1))
        best = higher & -higher
        if not held & led:
            led = 0
    parts.append(led)
    parts.append(best)
    parts.append(seat)


def _add_cards(parts: list[object], tables: Tables, lo: i64, hi: i64, moon: bool, kitty_waits: bool) -> None:
    """Add what matters about cards that nobody has captured yet.

    While a moon can be shot it takes the cards themselves, and else only what they are worth.
    """
    if moon:
        relevant = counting_faces(tables)
        parts.append(lo & relevant)
        if tables.deck_hi:
            parts.append(hi & relevant)
        return
    parts.append(card_points(tables, lo, hi) if lo & tables.penalty else 0)
    if tables.bonus_faces:
        parts.append(_bonus(tables, lo, hi))
    if tables.doubler:
        parts.append(_copies(lo, hi, tables.doubler))
        parts.append(lo & tables.scoring != 0)
    marks = kitty_marks(tables)
    if marks:
        parts.append(kitty_waits and lo & marks != 0)


def _bonus(tables: Tables, lo: i64, hi: i64) -> int:
    bonus = 0
    if lo & tables.bonus_faces:
        for each in tables.bonuses:
            bonus += each.points * _copies(lo, hi, each.faces)
    return bonus


def _copies(lo: i64, hi: i64, face: i64) -> int:
    return 2 if hi & face else 1 if lo & face else 0


def _add_moon(parts: list[object], tables: Tables, state: Playing) -> bool:
    """Add what a moon depends on, and say whether it can still be shot.

    The cards that make it are all with one group of seats, or with nobody yet: with a second group it is lost, and then
    nothing else about it makes a difference.
    """
    played = state.deal
    captured = played.captured
    groups = len(tables.moon_sides)
    group = _NONE_YET
    for seat, pile in enumerate(captured):
        if pile.lo & tables.moon_lo:
            own = seat % groups
            if group == _NONE_YET:
                group = own
            elif group != own:
                group = _SEVERAL
                break
    parts.append(group)
    if group == _SEVERAL:
        return False
    if tables.moon_apart:
        # Penalty cards that count for their takers even then, and queens that count with the moon if all are there.
        apart: i64 = tables.moon_apart & ~tables.moon_queens
        queens: i64 = tables.moon_apart & tables.moon_queens
        for pile in captured:
            parts.append(card_points(tables, pile.lo & apart, pile.hi & apart))
            if queens:
                parts.append(_copies(pile.lo, pile.hi, queens))
    if tables.switches & _SUN:
        sides = int(tables.sides)
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
    if _shooter_by_dealer(tables):
        parts.append(played.start.dealer)
    if _is_automatic(tables):
        parts.append(_is_last(tables, played.start.deal_number))
        if tables.bonus_floor != T.FLOOR_TOTAL:
            parts.append(played.start.scores)
    return True
