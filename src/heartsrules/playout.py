"""Playing on to the end of deals and matches without building the states between.

What is legal, who wins a trick, who takes the kitty and what a deal is worth come from the same functions as the
engine's. Only where things are kept is different: in a few objects that change, instead of states that do not.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, final

from heartsrules.cards import Card, Cards, bag_of, popcount, with_bag
from heartsrules.chance import Bits, RandomStream, as_stream, deal
from heartsrules.engine import begin_deal, exchanged, finish_deal, first_lead, next_deal, why_illegal
from heartsrules.exposing import ExposeMoves, exposures_in
from heartsrules.legality import CardChoice, beaten_by, beaten_faces, playable, reasons_against
from heartsrules.moves import ChooseMoon, Pass, Play, play_table
from heartsrules.passing import PassMoves, passes_of
from heartsrules.policies import Policy
from heartsrules.rules import MAX_DEALS, Moon
from heartsrules.state import (
    AwaitingDeal,
    ChoosingMoon,
    Exposing,
    GameOver,
    Passing,
    PlayedDeal,
    Playing,
    State,
    Trick,
    shown_by,
)
from heartsrules.tricks import breaks_hearts, complete_trick, masks_of
from heartsrules.values import Unchecked, kind_of, shown, wrong_type
from heartsrules.violations import IllegalMove, NotYourTurn

if TYPE_CHECKING:
    from mypy_extensions import i64

__all__ = ["Widths", "playout", "playout_deal"]


@final
class Widths:
    """How many legal moves the decisions of a deal had."""

    __slots__ = ("cards", "declined", "exposures", "moons", "passes")

    def __init__(self) -> None:
        self.cards: Final[list[int]] = []
        """Of each decision to play a card, in order."""
        self.passes: Final[list[int]] = []
        """Of each decision to pass, in order."""
        self.exposures: Final[list[int]] = []
        """Of each decision to show cards, in order."""
        self.declined: int = 0
        """How many seats declined to pass."""
        self.moons: int = 0
        """How many decisions of a shooter there were."""


@final
class _Chair:
    """What a seat holds and has won, as it changes."""

    __slots__ = ("hand_hi", "hand_lo", "next", "pile_hi", "pile_lo", "plays", "seat", "won")

    def __init__(self, seat: i64, hand: Cards, pile: Cards, won: i64) -> None:
        self.seat: Final[i64] = seat
        self.hand_lo: i64 = hand.lo
        self.hand_hi: i64 = hand.hi
        self.pile_lo: i64 = pile.lo
        self.pile_hi: i64 = pile.hi
        self.won: i64 = won
        self.plays: Final[list[Play]] = play_table(seat)
        self.next: _Chair = self

    def take(self, lo: i64, hi: i64) -> None:
        self.pile_lo, self.pile_hi = with_bag(self.pile_lo, self.pile_hi, lo, hi)


def playout(
    state: State | Unchecked,
    rng: RandomStream | Bits,
    *,
    deals: int | Unchecked | None = 1,
    policy: Policy | None = None,
) -> AwaitingDeal | GameOver:
    """Play on at random, without building the states between.

    The result equals the state that these steps lead to with an equal random stream, called `stream` here: commit the
    passes seat by seat with `legal_moves(state, seat)`, deal with `deal(state, rng=stream)`, and choose
    `moves[stream.below(len(moves))]` of the legal moves. A decision with a single legal move draws nothing.

    >>> from heartsrules.engine import new_game
    >>> from heartsrules.rules import Rules
    >>> playout(new_game(Rules()), RandomStream("table 7"), deals=None).winners
    (1,)

    Args:
        state: any state; one whose game is over, or has had 1,000,000 deals, comes back as it is.
        rng: the stream to draw from; another source of random bits, such as `random.Random`, gives 64 bits for a
            stream of its own.
        deals: after the end of how many deals to stop (1 or more); the one that `state` is in counts. None: play to
            the end of the match, which chance can put off for ever under some rule sets: after 1,000,000 deals there
            are no more.
        policy: how all players choose; None: uniformly among the legal moves.

    Raises:
        IllegalMove: the policy has chosen an illegal move.
        ValueError: `deals` is too low.
        TypeError: an argument has the wrong type, or the policy has chosen something other than a card to play.
    """
    if deals is not None:
        if not isinstance(deals, int) or isinstance(deals, bool):
            wrong_type("deals", "an int or None", deals)
        if deals < 1:
            raise ValueError(f"deals is {shown(deals)}: choose 1 or more, or None")
    if policy is not None and not isinstance(policy, Policy):
        wrong_type("policy", "a Policy or None", policy)
    if not isinstance(state, State):
        wrong_type("state", "a State", state)
    stream = as_stream(rng)
    ended = 0
    while not isinstance(state, GameOver) and (deals is None or ended < deals):
        if isinstance(state, AwaitingDeal) and state.deal_number >= MAX_DEALS:
            break
        state = playout_deal(state, stream, policy, None)
        ended += 1
    if isinstance(state, (AwaitingDeal, GameOver)):
        return state
    raise AssertionError  # pragma: no cover - a deal has been played


def playout_deal(
    state: AwaitingDeal | Passing | Exposing | Playing | ChoosingMoon,
    stream: RandomStream,
    policy: Policy | None,
    widths: Widths | None,
) -> AwaitingDeal | GameOver:
    """Play to the end of the deal, and note in `widths` how many legal moves the decisions had."""
    now: State = state
    if isinstance(now, AwaitingDeal):
        now = begin_deal(now, deal(now, rng=stream))
    if isinstance(now, Passing):
        now = _pass_cards(now, stream, policy, widths)
    if isinstance(now, Exposing):
        now = _show_cards(now, stream, policy, widths)
    if isinstance(now, Playing):
        now = finish_deal(_play_tricks(now, stream, policy, widths))
    if isinstance(now, ChoosingMoon):
        now = _choose_moon(now, stream, policy, widths)
    assert isinstance(now, (AwaitingDeal, GameOver))
    return now


def _pass_cards(
    state: Passing, stream: RandomStream, policy: Policy | None, widths: Widths | None
) -> Exposing | Playing:
    passes: list[Pass] = []
    for seat, commitment in enumerate(state.commitments):
        if commitment is not None:
            passes.append(commitment)
            continue
        legal = passes_of(state.rules, state.deal_number, seat, state.hands[seat])
        if policy is None:
            chosen = legal._at(stream.below(legal.count))
        else:
            moves = PassMoves((legal,))
            chosen = policy.choose_pass(moves, stream)
            if chosen not in moves:
                raise IllegalMove(why_illegal(state, chosen) or (NotYourTurn(chosen.seat, seat),), chosen)
        if widths is not None:
            widths.passes.append(legal.count)
            widths.declined += not chosen.gifts
        passes.append(chosen)
    return exchanged(state, tuple(passes))


def _show_cards(state: Exposing, stream: RandomStream, policy: Policy | None, widths: Widths | None) -> Playing:
    """The first lead, after every seat that has not moved has shown cards or none.

    They are asked in the order of the seats, or in turn from the dealer's left.
    """
    tables = state.rules.tables
    players = state.rules.players
    moves = list(state.commitments)
    first = state.dealer + 1 if tables.shows_in_turn else 0
    for place in range(players):
        seat = (first + place) % players
        if moves[seat] is not None:
            continue
        legal = exposures_in(tables, seat, state.hands[seat])
        if policy is None:
            chosen = legal._at(stream.below(legal.count))
        else:
            choices = ExposeMoves((legal,))
            chosen = policy.choose_exposure(choices, stream)
            if chosen not in choices:
                raise IllegalMove(why_illegal(state, chosen) or (NotYourTurn(chosen.seat, seat),), chosen)
        if widths is not None:
            widths.exposures.append(legal.count)
        moves[seat] = chosen
    return first_lead(state.start.replace(shown=shown_by(moves)), state.hands)


def _choose_moon(
    state: ChoosingMoon, stream: RandomStream, policy: Policy | None, widths: Widths | None
) -> AwaitingDeal | GameOver:
    choices = (ChooseMoon(state.shooter, Moon.OTHERS_UP), ChooseMoon(state.shooter, Moon.SHOOTER_DOWN))
    if policy is None:
        chosen = choices[stream.below(2)]
    else:
        chosen = policy.choose_moon(state, choices, stream)
        if chosen not in choices:
            raise IllegalMove(why_illegal(state, chosen), chosen)
    if widths is not None:
        widths.moons += 1
    return next_deal(state.last_deal, state.others_up if chosen.effect is Moon.OTHERS_UP else state.shooter_down)


def _chairs(state: Playing) -> list[_Chair]:
    played = state.deal
    chairs = [
        _Chair(seat, hand, played.captured[seat], played.tricks_won[seat]) for seat, hand in enumerate(state.hands)
    ]
    for seat, chair in enumerate(chairs):
        chair.next = chairs[seat + 1 if seat + 1 < len(chairs) else 0]
    return chairs


def _play_tricks(state: Playing, stream: RandomStream, policy: Policy | None, widths: Widths | None) -> PlayedDeal:
    """The deal, played to its end."""
    played = state.deal
    tables = played.tables
    chairs = _chairs(state)
    chair = chairs[state.turn]
    leader = chairs[played.leader]
    broken = state.hearts_broken
    plays = list(state.trick)
    lo, hi = masks_of(state.trick)
    led: i64 = plays[0].suit_mask if plays else 0
    aside_lo = played.set_aside.lo
    aside_hi = played.set_aside.hi
    taker = played.kitty_taker
    number: i64 = played.trick_number
    tricks = list(played.tricks)
    waiting: i64 = played.waiting
    while number < tables.hand_size:
        while len(plays) < tables.players:
            legal = playable(
                tables,
                chair.hand_lo,
                led,
                number == 0,
                broken,
                beaten_faces(tables, led, lo, hi),
                waiting,
                None,
            )
            if widths is not None:
                widths.cards.append(popcount(legal))
            if policy is None:
                if legal & (legal - 1):
                    # Every bit that is cleared skips a card.
                    skipped = stream._pick(popcount(legal))
                    while skipped:
                        legal &= legal - 1
                        skipped -= 1
                bit = legal & -legal
            else:
                bit = _chosen_bit(state, chair, legal, led, tuple(plays), number, broken, waiting, policy, stream)
            if chair.hand_hi & bit:
                chair.hand_hi ^= bit
            else:
                chair.hand_lo ^= bit
            if not broken:
                broken = breaks_hearts(tables, led, bit)
            play = chair.plays[bit % 53]
            plays.append(play)
            # `with_card` written out, as in `masks_of`.
            hi |= lo & bit
            lo |= bit
            if not led:
                led = play.suit_mask
            chair = chair.next
        number += 1
        last = number == tables.hand_size
        made = tuple(plays)
        position, lo, hi, takes = complete_trick(tables, made, lo, hi, aside_lo, aside_hi, taker is None, last)
        if position < 0:
            tricks.append(Trick(leader.seat, made, None))
            aside_lo = lo
            aside_hi = hi
            chair = leader
        else:
            seat = made[position].seat
            tricks.append(Trick(leader.seat, made, seat))
            chair = chairs[seat]
            chair.won += 1
            aside_lo = 0
            aside_hi = 0
            if takes:
                taker = seat
                chair.take(played.start.kitty.lo, played.start.kitty.hi)
            chair.take(lo, hi)
            if not last:
                leader = chair
        waiting &= ~led
        plays.clear()
        lo = 0
        hi = 0
        led = 0
    return PlayedDeal(
        played.start,
        leader.seat,
        tuple(tricks),
        tuple([bag_of(one.pile_lo, one.pile_hi) for one in chairs]),
        tuple([int(one.won) for one in chairs]),
        number,
        bag_of(aside_lo, aside_hi),
        taker,
    )


def _chosen_bit(
    state: Playing,
    chair: _Chair,
    legal: i64,
    led: i64,
    plays: tuple[Play, ...],
    number: int,
    broken: bool,
    waiting: i64,
    policy: Policy,
    stream: RandomStream,
) -> i64:
    """The bit of the card that a policy chooses."""
    rules = state.rules
    hand = bag_of(chair.hand_lo, chair.hand_hi)
    card = policy.choose_card(CardChoice(rules, chair.seat, hand, bag_of(legal, 0), plays, number, broken), stream)
    if not isinstance(card, Card):
        raise TypeError(f"a policy must choose a Card, not {kind_of(card)}")
    if not card.bit & legal:
        reasons = reasons_against(rules, hand, card, led, number == 0, broken, beaten_by(rules.tables, plays), waiting)
        raise IllegalMove(reasons, Play(chair.seat, card))
    return card.bit
