"""The leader of the first trick, and the winner of a trick and their cards."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from heartsrules.base.errors import Problem
from heartsrules.cards import Cards, bag_of, popcount, with_bag
from heartsrules.play.moves import Play
from heartsrules.rules import Rules, Seat, switch
from heartsrules.rules import resolved as C
from heartsrules.rules.arguments import removed_problems
from heartsrules.rules.resolved import ResolvedRules

if TYPE_CHECKING:
    from mypy_extensions import i64

_TWO_PAIRS_VOID: Final[i64] = switch("two_pairs_void")


def fixed_leader(resolved: ResolvedRules, dealer: Seat, queen_taker: Seat | None) -> Seat | None:
    """Return the leader to a deal's first trick, or None if a lowest card decides."""
    if resolved.opening_leader == C.LEADER_QUEEN_TAKER:
        return queen_taker
    return (dealer + 1) % int(resolved.players) if resolved.opening_leader == C.LEADER_DEALER_LEFT else None


def opening_suit(resolved: ResolvedRules) -> i64:
    """Return the mask of the suit whose lowest card leads if no leader is fixed."""
    return C.SPADES if resolved.opening_leader == C.LEADER_QUEEN_TAKER else C.CLUBS


def opening_leader(resolved: ResolvedRules, dealer: Seat, hands: tuple[Cards, ...], queen_taker: Seat | None) -> Seat:
    fixed = fixed_leader(resolved, dealer, queen_taker)
    if fixed is not None:
        return fixed
    suit: i64 = opening_suit(resolved)
    held: i64 = 0
    for hand in hands:
        held |= hand.lo & suit
    lowest = held & -held
    players = int(resolved.players)
    first = (dealer + 1) % players
    # If two seats have the lowest card, the one nearer to the dealer's left leads.
    seat = first
    while not hands[seat].lo & lowest:
        seat = (seat + 1) % players
        assert seat != first, "somebody holds a card of the suit"
    return seat


def seats_before(rules: Rules, dealer: Seat, leader: Seat) -> list[Seat]:
    """Return the seats from the dealer's left to the leader.

    None of them has the same lowest card.
    """
    players = rules.players
    first = (dealer + 1) % players
    return [(first + place) % players for place in range((leader - first) % players)]


def led_suit(trick: tuple[Play, ...]) -> i64:
    """Return the mask of the suit led to a trick, or 0 before a lead."""
    # As one expression, mypyc would box the number.
    if trick:
        return trick[0]._suit_mask
    return 0


def breaks_hearts(resolved: ResolvedRules, led: i64, bit: i64) -> bool:
    """Return True if playing a card breaks hearts, given the `led_suit` before it."""
    if not led:
        return bit & resolved.break_lead != 0
    if bit & led:
        return bit & resolved.break_follow != 0
    return bit & resolved.break_discard != 0


def broken_before(resolved: ResolvedRules, played: i64) -> tuple[bool, ...]:
    """Return whether hearts can be broken after these cards, played in some order.

    If some orders break hearts and others do not, it returns both, False first.
    """
    if played & resolved.break_lead & resolved.break_follow & resolved.break_discard:
        return (True,)
    if played & (resolved.break_lead | resolved.break_follow | resolved.break_discard):
        return (False, True)
    return (False,)


def masks_of(plays: tuple[Play, ...]) -> tuple[i64, i64]:
    lo: i64 = 0
    hi: i64 = 0
    for play in plays:
        # `with_card` written out: a call for each card costs an interpreted playout 2 %.
        bit = play.bit
        hi |= lo & bit
        lo |= bit
    return lo, hi


def winning_face(resolved: ResolvedRules, led: i64, lo: i64, hi: i64) -> i64:
    """Return the card that wins a trick with these masks, or 0."""
    over = lo & led
    if hi and resolved.duplicates == C.CANCEL:
        if resolved.switches & _TWO_PAIRS_VOID and hi & (hi - 1):
            return 0
        over &= ~hi
    # Every bit below the highest one, in a suit of thirteen.
    below = over >> 1
    below |= below >> 1
    below |= below >> 2
    below |= below >> 4
    below |= below >> 8
    return over & ~below


def winning_position(resolved: ResolvedRules, plays: tuple[Play, ...], hi: i64) -> i64:
    """Return the index of the winning play, or -1."""
    lo: i64 = 0
    for play in plays:
        lo |= play.bit
    face = winning_face(resolved, plays[0]._suit_mask, lo, hi)
    position: i64 = -1
    winner: i64 = -1
    for play in plays:
        position += 1
        if play.bit == face:
            winner = position
            if resolved.duplicates != C.LAST_WINS:
                break
    return winner


def trick_outcome(resolved: ResolvedRules, plays: tuple[Play, ...], hi: i64, last: bool) -> i64:
    """Return the index of the winning play of a trick, or -1."""
    position = winning_position(resolved, plays, hi)
    return 0 if position < 0 and last and resolved.leader_takes_void_last_trick else position


def takes_kitty(resolved: ResolvedRules, won: i64, last: bool) -> bool:
    """Return True if winning these cards wins the kitty too."""
    if resolved.kitty == C.KITTY_NONE:
        return False
    if resolved.kitty == C.KITTY_FIRST_TRICK:
        return True
    if resolved.kitty == C.KITTY_LAST_TRICK:
        return last
    return won & resolved.kitty_marks != 0


def complete_trick(
    resolved: ResolvedRules,
    plays: tuple[Play, ...],
    lo: i64,
    hi: i64,
    aside_lo: i64,
    aside_hi: i64,
    kitty_waits: bool,
    last: bool,
) -> tuple[i64, i64, i64, bool]:
    """Find the winner of a trick and the cards that go with it.

    The masks `lo` and `hi` are the cards played, `aside_lo` and `aside_hi` those set aside. `kitty_waits` is True if
    the kitty is still in the game, `last` for the deal's last trick.

    Returns:
        The index of the winning play, or -1; the masks of the cards won or now set aside; and True if the winner takes
            the kitty.
    """
    position = trick_outcome(resolved, plays, hi, last)
    if aside_lo:
        lo, hi = with_bag(lo, hi, aside_lo, aside_hi)
    return position, lo, hi, position >= 0 and kitty_waits and takes_kitty(resolved, lo, last)


def trick_problems(rules: Rules, plays: tuple[Play, ...], name: str = "plays") -> list[Problem]:
    problems: list[Problem] = []
    players = rules.players
    for number, play in enumerate(plays):
        if not 0 <= play.seat < players:
            problems.append(
                Problem.of("no-such-seat", (name,), "play", name=f"{name}[{number}]", seat=play.seat, last=players - 1)
            )
        elif number and play.seat != (plays[0].seat + number) % players:
            problems.append(Problem.of("wrong-order", (name,), "plays", name=f"{name}[{number}]", seat=play.seat))
    resolved = rules._resolved
    lo, hi = masks_of(plays)
    if not (lo & ~resolved.deck_lo or hi & ~resolved.deck_hi) and popcount(lo) + popcount(hi) == len(plays):
        return problems
    deck = rules.deck
    problems += removed_problems(rules, name, bag_of(lo, 0))
    for play in dict.fromkeys(plays):
        count = sum(1 for other in plays if other.card is play.card)
        copies = deck.count(play.card)
        if count > copies > 0:
            problem = Problem.of(
                "too-many-copies", (name,), "trick", name=name, card=play.card, count=count, copies=copies
            )
            if problem not in problems:
                problems.append(problem)
    return problems
