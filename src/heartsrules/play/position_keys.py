"""Hashable keys that are equal for states with the same rest of the deal."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import TYPE_CHECKING, Final

from heartsrules.base.values import Unchecked, wrong_type
from heartsrules.cards import Cards
from heartsrules.play.board import SeatState
from heartsrules.play.exposing import resolved_with
from heartsrules.play.moves import Play
from heartsrules.play.score_traits import open_faces, open_tricks, traits_of
from heartsrules.play.scoring import count_pile, open_moons, shooter_by_dealer
from heartsrules.play.sheet import ScoreSheet
from heartsrules.play.state import AwaitingDeal, ChoosingMoon, DealingBack, Exposing, GameOver, Passing, Playing, State
from heartsrules.play.tricks import masks_of
from heartsrules.rules import MAX_DEALS, OpeningLeader, Rules, switch
from heartsrules.rules import resolved as C
from heartsrules.rules.resolved import ResolvedRules

if TYPE_CHECKING:
    from mypy_extensions import i64

__all__ = ["position_key"]
__dir__ = __all__.copy

_TWO_PAIRS_VOID: Final[i64] = switch("two_pairs_void")


def position_key(state: Unchecked[State]) -> Hashable:
    """Return a key for a search's transposition table, which ignores irrelevant history.

    Two states with equal keys have equal legal moves. After the same move they have equal keys again until the deal
    ends, and then every seat gets the same points in the deal. So a search result for one also applies to the other.
    Equal states have equal keys. A key can be hashed, compared and pickled, but its content can change between
    versions.

    Args:
        state: a state of any phase. The key describes the current deal, or the points to choose from. Before a deal it
            describes the previous deal's points and the next deal; after the game, the last deal's points.

    Returns:
        A key. It contains the running totals only if a deal's points depend on them: under a floor of the total, and
            under a moon that is automatic or takes a total to 0 while one is possible. So it does not determine whether
            the game ends after the deal.

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
        TypeError: `state` is not a state. A view does not contain the necessary facts.
    """
    if isinstance(state, Playing):
        return _play_key(state)
    if isinstance(state, (Passing, DealingBack)):
        parts: list[object] = [state.rules, "pass", state.rules.pass_plan(state.deal_number)]
        parts += _coming_play_parts(state.rules, state.deal_number, state.scores, state.score_sheet)
        parts += _card_parts(state.rules._resolved, state.hands, state.kitty)
        parts += state.commitments
        return tuple(parts)
    if isinstance(state, Exposing):
        parts = [state.rules, "expose", state.rules.pass_plan(state.deal_number) if state.before_pass else None]
        parts += _coming_play_parts(state.rules, state.deal_number, state.scores, state.score_sheet)
        parts += _card_parts(state.rules._resolved, state.hands, state.kitty)
        parts += state.commitments
        if state.rules._resolved.shows_in_rounds:
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
    parts: list[object] = [hand.lo for hand in hands]
    if resolved.deck_hi:
        parts += [hand.hi for hand in hands]
    if resolved.kitty != C.KITTY_NONE:
        relevant = resolved.counting | resolved.moon_lo
        parts += [kitty.lo & relevant, kitty.hi & relevant]
    return parts


def _coming_play_parts(rules: Rules, number: int, totals: tuple[int, ...], sheet: ScoreSheet) -> list[object]:
    resolved = rules._resolved
    leader = rules.opening_leader
    parts: list[object] = []
    # With two decks two seats can have the lowest card; the one nearer to the dealer's left leads.
    if (
        leader is OpeningLeader.DEALER_LEFT
        or resolved.deck_hi
        or (resolved.exposable and resolved.shows_in_turn)
        or shooter_by_dealer(resolved)
    ):
        parts.append(rules.dealer(number))
    if leader is OpeningLeader.QUEEN_TAKER:
        parts.append(sheet.queen_taker)
    traits = traits_of(resolved)
    if traits.moon_by_total:
        parts.append(_is_last(resolved, number))
    if traits.by_total or traits.moon_by_total:
        parts.append(totals)
    return parts


def _is_last(resolved: ResolvedRules, number: int) -> bool:
    return 0 < resolved.max_deals <= number + 1


def _play_key(state: Playing) -> Hashable:
    played = state.public
    start = played.start
    resolved = played._resolved
    parts: list[object] = [start.rules, state.turn]
    held: i64 = 0
    for hand in state.hands:
        held |= hand.lo
        parts.append(hand.lo)
    if resolved.deck_hi:
        parts += [hand.hi for hand in state.hands]
    # Broken hearts matter only while a hand has a card that waits for them.
    parts.append(state.hearts_broken and held & (resolved.lead_waits | resolved.discard_waits) != 0)
    if resolved.exposable:
        parts.append(start.exposed_mask)
        parts.append(played._waiting & held)
        if start.exposed_mask:
            resolved = resolved_with(start.rules, start.exposed)
    captured = state.captured
    pile = SeatState(0, 0)
    for each in captured:
        parts.append(_facts(resolved, pile, each.lo, each.hi))
    moons = open_moons(resolved, captured)
    parts.append(moons)
    tricks = open_tricks(resolved, moons, played.tricks_won)
    if tricks:
        parts.append(tuple([min(won, tricks) for won in played.tricks_won]))
    if moons:
        _add_moon(parts, resolved, state)
    traits = traits_of(resolved)
    if traits.by_total or (moons and traits.moon_by_total):
        parts.append(start.scores)
    trick = state.trick
    kitty = state.kitty
    kitty_waits = resolved.kitty != C.KITTY_NONE and played.kitty_winner is None
    if trick:
        lo, hi = masks_of(trick)
        if resolved.switches & _TWO_PAIRS_VOID:
            parts.append(trick)
        else:
            _add_winner(parts, resolved, trick, held)
            _add_cards(parts, resolved, pile, lo, hi, moons, kitty_waits)
    else:
        parts.append(())
    if resolved.duplicates == C.CANCEL:
        _add_cards(parts, resolved, pile, played.set_aside.lo, played.set_aside.hi, moons, kitty_waits)
    if resolved.kitty != C.KITTY_NONE:
        if kitty_waits:
            _add_cards(parts, resolved, pile, kitty.lo, kitty.hi, moons, False)
        else:
            _add_cards(parts, resolved, pile, 0, 0, moons, False)
    return tuple(parts)


def _add_winner(parts: list[object], resolved: ResolvedRules, trick: tuple[Play, ...], held: i64) -> None:
    led = trick[0]._suit_mask
    if resolved.duplicates == C.CANCEL:
        # All cards of the suit led, which may still cancel each other; the first is the leader's.
        parts.append(tuple([play for play in trick if play._suit_mask == led]))
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
        # The suit and its best card matter only for the cards in hand that follow suit or beat it.
        higher = held & led & ~(best | (best - 1))
        best = higher & -higher
        if not held & led:
            led = 0
    parts.append(led)
    parts.append(best)
    parts.append(seat)


def _facts(resolved: ResolvedRules, pile: SeatState, lo: i64, hi: i64) -> object:
    pile.pile_lo = lo
    pile.pile_hi = hi
    count_pile(resolved, pile)
    return pile.facts()


def _add_cards(
    parts: list[object], resolved: ResolvedRules, pile: SeatState, lo: i64, hi: i64, moons: i64, kitty_waits: bool
) -> None:
    if moons:
        relevant = open_faces(resolved, moons)
        parts.append(lo & relevant)
        if resolved.deck_hi:
            parts.append(hi & relevant)
        return
    parts.append(_facts(resolved, pile, lo, hi))
    marks = resolved.kitty_marks
    if marks:
        parts.append(kitty_waits and lo & marks != 0)


def _add_moon(parts: list[object], resolved: ResolvedRules, state: Playing) -> None:
    if resolved.moon_apart:
        # Penalty cards outside the moon, and queens that join it if the shooter has all of them.
        for pile in state.captured:
            parts.append(pile.lo & resolved.moon_apart)
            parts.append(pile.hi & resolved.moon_apart)
    if shooter_by_dealer(resolved):
        parts.append(state.start.dealer)
    if traits_of(resolved).moon_by_total:
        parts.append(_is_last(resolved, state.start.deal_number))
