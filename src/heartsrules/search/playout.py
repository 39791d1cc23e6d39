"""Playing on to the end of deals and matches without building the states between.

What is legal, who wins a trick, who takes the kitty and what a deal is worth come from the same functions as the
engine's. Only where things are kept is different: in a few objects that change, instead of states that do not.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, final

from heartsrules.base.values import Unchecked, int_text, type_phrase, wrong_type
from heartsrules.cards import Card, bag_of, popcount, suit_faces, with_bag
from heartsrules.chance import Bits, RandomStream, as_stream
from heartsrules.play.board import Board, Chair
from heartsrules.play.dealing import deal
from heartsrules.play.engine import begin_deal, exchanged, finish_board, first_lead, next_deal, why_illegal
from heartsrules.play.exposing import ExposeMoves, exposures_in, reasons_against_exposure
from heartsrules.play.legality import (
    FREE_OTHERWISE,
    FREE_TO_FOLLOW,
    CardChoice,
    beaten_by,
    beaten_faces,
    freedom,
    playable,
    reasons_against,
)
from heartsrules.play.moves import ChooseMoon, Expose, Pass, Play
from heartsrules.play.passing import PassMoves, passes_of
from heartsrules.play.sheet import DealScore
from heartsrules.play.state import (
    AwaitingDeal,
    ChoosingMoon,
    DealStart,
    Exposing,
    GameOver,
    Passing,
    PlayedDeal,
    Playing,
    State,
    Trick,
    shown_by,
    with_item,
)
from heartsrules.play.tricks import breaks_hearts, takes_kitty, winning_face
from heartsrules.play.violations import IllegalMove, NotYourTurn
from heartsrules.rules import MAX_DEALS, KittyShownTo, Moon
from heartsrules.rules import compiled as C
from heartsrules.rules.compiled import CompiledRules
from heartsrules.search.card_choice import any_face, careful_face, highest_face, moon_in, sees_taker, watchful_face
from heartsrules.search.policies import Careful, Policy, Watchful

if TYPE_CHECKING:
    from mypy_extensions import i64

__all__ = ["Manner", "Widths", "choose_moon", "play_tricks", "playout", "playout_deal", "to_lead"]


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


_UNIFORM: Final = 0
_CAREFUL: Final = 1
_WATCHFUL: Final = 2
_OTHER: Final = 3

_PASSES: Final = 256
"""Where the draws for passes stand in a lot, seat by seat, after those for cards;"""
_EXPOSURES: Final = 288
"""and those for what is shown."""


@final
class Manner:
    """How the players of a playout choose: a policy, looked at once."""

    __slots__ = ("asked", "limit", "lot", "policy", "watches", "way")

    def __init__(self, policy: Policy | None) -> None:
        """See how a policy chooses; None: uniformly."""
        # Of a `Policy`, mypyc would check what it chooses, in words of its own.
        self.policy: Final[Any] = policy
        way: i64 = _UNIFORM
        limit: i64 = 0
        if type(policy) is Careful:
            way = _CAREFUL
            limit = policy.limit
        elif type(policy) is Watchful:
            way = _WATCHFUL
            limit = policy.limit
        elif policy is not None and type(policy) is not Policy:
            way = _OTHER
        self.way: Final[i64] = way
        """Uniformly, carefully, watchfully, or as the policy says when it is asked for a card."""
        self.limit: Final[i64] = limit
        """Of careful and watchful players, how many times in 1,024 one chooses uniformly."""
        self.asked: Final[Any] = policy if way == _OTHER else None
        """The policy, if it is to be asked for more than cards; those of this package choose the rest uniformly."""
        self.watches: Final = way == _WATCHFUL
        """Whether the players see who may shoot the moon."""
        self.lot: i64 = -1
        """32 bits that all draws of a deal follow from, each by its seat and its trick; -1: the stream just runs on."""


def playout(
    state: Unchecked[State],
    rng: RandomStream | Bits,
    *,
    deals: Unchecked[int] | None = 1,
    policy: Policy | None = None,
) -> AwaitingDeal | GameOver:
    """Play on at random, without building the states between.

    The result equals the state that these steps lead to with an equal random stream, called `stream` here: commit the
    passes, and show cards, seat by seat with `legal_moves(state, seat)` (the lowest seat of `to_act(state)` first),
    deal with `deal(state, rng=stream)`, and choose `moves[stream.below(len(moves))]` of the legal moves. A decision
    with a single legal move draws nothing.

    >>> from heartsrules.play.engine import new_game
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
        TypeError: an argument, or what the policy has chosen, has the wrong type.
    """
    if deals is not None:
        if not isinstance(deals, int) or isinstance(deals, bool):
            wrong_type("deals", "an int or None", deals)
        if deals < 1:
            raise ValueError(f"deals is {int_text(deals)}: choose 1 or more, or None")
    if policy is not None and not isinstance(policy, Policy):
        wrong_type("policy", "a Policy or None", policy)
    if not isinstance(state, State):
        wrong_type("state", "a State", state)
    stream = as_stream(rng)
    manner = Manner(policy)
    ended = 0
    while not isinstance(state, GameOver) and (deals is None or ended < deals):
        if isinstance(state, AwaitingDeal) and state.deal_number >= MAX_DEALS:
            break
        state = playout_deal(state, stream, manner, None)
        ended += 1
    if isinstance(state, (AwaitingDeal, GameOver)):
        return state
    raise AssertionError  # pragma: no cover - a deal has been played


def playout_deal(
    state: AwaitingDeal | Passing | Exposing | Playing | ChoosingMoon,
    stream: RandomStream,
    manner: Manner,
    widths: Widths | None,
) -> AwaitingDeal | GameOver:
    """Play to the end of the deal, and note in `widths` how many legal moves the decisions had."""
    now: State = to_lead(state, stream, manner, widths)
    if isinstance(now, Playing):
        now = _play_tricks(now, stream, manner, widths)
    if isinstance(now, ChoosingMoon):
        now = next_deal(now.last_deal, choose_moon(now, stream, manner, widths))
    assert isinstance(now, (AwaitingDeal, GameOver))
    return now


def to_lead(
    state: AwaitingDeal | Passing | Exposing | Playing | ChoosingMoon,
    stream: RandomStream,
    manner: Manner,
    widths: Widths | None,
) -> Playing | ChoosingMoon:
    """Play to where cards are led, if they have not been led yet."""
    now: State = state
    if isinstance(now, AwaitingDeal):
        now = begin_deal(now, deal(now, rng=stream))
    if isinstance(now, Passing):
        now = _pass_cards(now, stream, manner, widths)
    if isinstance(now, Exposing):
        now = _show_cards(now, stream, manner, widths)
    assert isinstance(now, (Playing, ChoosingMoon))
    return now


def _pass_cards(state: Passing, stream: RandomStream, manner: Manner, widths: Widths | None) -> Exposing | Playing:
    policy = manner.asked
    passes: list[Pass] = []
    for seat, commitment in enumerate(state.commitments):
        if commitment is not None:
            passes.append(commitment)
            continue
        legal = passes_of(state.rules, state.deal_number, seat, state.hands[seat])
        if manner.lot >= 0:
            stream.jump_to(manner.lot, _PASSES + seat)
        if policy is None:
            chosen = legal.at_unchecked(stream.below(legal.count))
        else:
            moves = PassMoves((legal,))
            answer: object = policy.choose_pass(moves, stream)
            if not isinstance(answer, Pass):
                raise TypeError(f"a policy must choose a Pass, not {type_phrase(answer)}")
            chosen = answer
            if chosen.seat != seat:
                raise IllegalMove((NotYourTurn(chosen.seat, seat),), chosen)
            if chosen not in moves:
                raise IllegalMove(why_illegal(state, chosen), chosen)
        if widths is not None:
            widths.passes.append(legal.count)
            widths.declined += not chosen.gifts
        passes.append(chosen)
    return exchanged(state, tuple(passes))


def _show_cards(state: Exposing, stream: RandomStream, manner: Manner, widths: Widths | None) -> Playing:
    """The first lead, after every seat that has not moved has shown cards or none.

    They are asked in the order of the seats, or in turn from the dealer's left.
    """
    compiled = state.rules.compiled
    players = state.rules.players
    policy = manner.asked
    moves = list(state.commitments)
    first = state.dealer + 1 if compiled.shows_in_turn else 0
    for place in range(players):
        seat = (first + place) % players
        if moves[seat] is not None:
            continue
        legal = exposures_in(compiled, seat, state.hands[seat])
        if manner.lot >= 0:
            stream.jump_to(manner.lot, _EXPOSURES + seat)
        if policy is None:
            chosen = legal.at_unchecked(stream.below(legal.count))
        else:
            choices = ExposeMoves((legal,))
            answer: object = policy.choose_exposure(choices, stream)
            if not isinstance(answer, Expose):
                raise TypeError(f"a policy must choose an Expose, not {type_phrase(answer)}")
            chosen = answer
            if chosen.seat != seat:
                raise IllegalMove((NotYourTurn(chosen.seat, seat),), chosen)
            if chosen not in choices:
                # The state does not know what the seats before this one have shown.
                raise IllegalMove(reasons_against_exposure(compiled, chosen.cards, state.hands[seat]), chosen)
        if widths is not None:
            widths.exposures.append(legal.count)
        moves[seat] = chosen
    return first_lead(state.start.replace(shown=shown_by(moves)), state.hands)


def choose_moon(state: ChoosingMoon, stream: RandomStream, manner: Manner, widths: Widths | None) -> DealScore:
    """The row of the deal that the shooter decides for."""
    choices = (ChooseMoon(state.shooter, Moon.OTHERS_UP), ChooseMoon(state.shooter, Moon.SHOOTER_DOWN))
    policy = manner.policy if manner.watches else manner.asked
    if policy is None:
        chosen = choices[stream.below(2)]
    else:
        answer: object = policy.choose_moon(state, choices, stream)
        if not isinstance(answer, ChooseMoon):
            raise TypeError(f"a policy must choose a ChooseMoon, not {type_phrase(answer)}")
        chosen = answer
        if chosen not in choices:
            raise IllegalMove(why_illegal(state, chosen), chosen)
    if widths is not None:
        widths.moons += 1
    return state.others_up if chosen.effect is Moon.OTHERS_UP else state.shooter_down


def play_tricks(
    board: Board,
    state: Playing,
    stream: RandomStream,
    manner: Manner,
    widths: Widths | None,
    tricks: list[Trick] | None,
) -> None:
    """Play a deal to its end on a board.

    Args:
        board: of the seats of the table; all that it says of piles, tricks and cards set aside is set here.
        state: where the deal stands.
        stream: where choices are drawn from.
        manner: how all players choose.
        widths: where the numbers of legal cards are noted; None: nowhere.
        tricks: where the completed tricks are kept; None: nowhere, and no objects are made of them.
    """
    played = state.deal
    compiled = played.compiled
    chairs = board.chairs
    players = compiled.players
    hand_size = compiled.hand_size
    way = manner.way
    lot = manner.lot
    hands = state.hands
    for chair in chairs:
        hand = hands[chair.seat]
        chair.hand_lo = hand.lo
        chair.hand_hi = hand.hi
    board.set_piles(played.captured, played.tricks_won)
    board.taker = -1 if played.kitty_taker is None else played.kitty_taker
    kitty = played.start.kitty
    kitty_waits = compiled.kitty != C.KITTY_NONE and board.taker < 0
    # A kitty that not everybody may see comes to the pile of its taker when the deal is over: until then the piles are
    # what everybody knows. `insider` is who knows more: the taker, if nobody else may see the kitty; -1: nobody.
    hides = False
    insider: i64 = -1
    if compiled.kitty != C.KITTY_NONE:
        shown_to = state.rules.kitty_shown_to
        hides = shown_to is not KittyShownTo.EVERYBODY
        if hides and not kitty_waits:
            known = played.captured[board.taker] - kitty
            chairs[board.taker].pile_lo = known.lo
            chairs[board.taker].pile_hi = known.hi
            if shown_to is KittyShownTo.TAKER:
                insider = board.taker
    board.close_ring()
    leader = chairs[played.leader]
    chair = leader
    lo: i64 = 0
    hi: i64 = 0
    led: i64 = 0
    count: i64 = 0
    for play in state.trick:
        chair.bit = play.bit
        if not led:
            led = play.suit_mask
        hi |= lo & play.bit
        lo |= play.bit
        chair = chair.next
        count += 1
    aside_lo = played.set_aside.lo
    aside_hi = played.set_aside.hi
    broken = state.hearts_broken
    number: i64 = played.trick_number
    waiting: i64 = played.waiting
    safe = compiled.compulsory == C.COMPULSORY_SAFE
    freedoms = freedom(compiled)
    board.voids = 0
    gone: i64 = 0
    moon: i64 = -2
    watches = False
    if way == _WATCHFUL:
        for chair in chairs:
            gone |= chair.pile_lo
        moon = moon_in(compiled, chairs)
        watches = sees_taker(compiled, moon)
        chair = leader
        skipped = count
        while skipped:
            chair = chair.next
            skipped -= 1
    while number < hand_size:
        first = number == 0
        # `playable` is slower.
        allowed: i64 = 0
        if not waiting:
            allowed = freedoms >> (4 if first else 0) + (2 if broken else 0)
        follows = allowed & FREE_TO_FOLLOW != 0
        free = allowed & FREE_OTHERWISE != 0
        while count < players:
            held = chair.hand_lo
            legal = held & led
            if not (legal and follows):
                if free:
                    legal = held
                else:
                    beaten: i64 = 0
                    if safe:
                        beaten = beaten_faces(compiled, led, lo, hi)
                    legal = playable(compiled, held, led, first, broken, beaten, waiting, None)
            if widths is not None:
                widths.cards.append(popcount(legal))
            if lot >= 0:
                stream.jump_to(lot, number * players + chair.seat)
            if way == _UNIFORM:
                bit = any_face(legal, stream)
            elif way == _CAREFUL:
                bit = careful_face(compiled, legal, led, lo, count == players - 1, manner.limit, stream)
            elif way == _WATCHFUL:
                seen = gone
                reading = moon
                if chair.seat == insider:
                    seen |= kitty.lo
                    reading = _moon_with(compiled, chairs, chair, kitty.lo)
                taker: i64 = -1
                if watches and led:
                    face = highest_face(lo & led)
                    winner = leader
                    while winner.bit != face:
                        winner = winner.next
                    taker = winner.seat
                bit = watchful_face(
                    compiled,
                    held,
                    legal,
                    led,
                    lo,
                    count,
                    seen,
                    reading,
                    chair.seat,
                    taker,
                    manner.limit,
                    stream,
                )
            else:
                bit = _chosen_bit(
                    state, board, leader, chair, insider, legal, led, number, broken, waiting, manner, stream
                )
            if chair.hand_hi & bit:
                chair.hand_hi ^= bit
            else:
                chair.hand_lo = held ^ bit
            if not broken and breaks_hearts(compiled, led, bit):
                broken = True
                if not waiting:
                    allowed = freedoms >> (6 if first else 2)
                follows = allowed & FREE_TO_FOLLOW != 0
                free = allowed & FREE_OTHERWISE != 0
            chair.bit = bit
            # `with_card` written out, as in `masks_of`.
            hi |= lo & bit
            lo |= bit
            if not led:
                led = suit_faces(bit)
            chair = chair.next
            count += 1
        number += 1
        last = number == hand_size
        winner = leader
        face = winning_face(compiled, led, lo, hi)
        if face:
            while winner.bit != face:
                winner = winner.next
            if hi & face and compiled.duplicates == C.LAST_WINS:
                winner = winner.next
                while winner.bit != face:
                    winner = winner.next
        won = face != 0 or (last and compiled.leader_takes_void_last_trick)
        if tricks is not None:
            tricks.append(Trick(leader.seat, _plays(leader, leader, players), winner.seat if won else None))
        if aside_lo:
            lo, hi = with_bag(lo, hi, aside_lo, aside_hi)
        if won:
            if kitty_waits and takes_kitty(compiled, lo, last):
                kitty_waits = False
                board.taker = winner.seat
                if not hides:
                    winner.take(kitty.lo, kitty.hi)
                elif state.rules.kitty_shown_to is KittyShownTo.TAKER:
                    insider = winner.seat
            winner.take(lo, hi)
            winner.won += 1
            aside_lo = 0
            aside_hi = 0
            if way == _WATCHFUL:
                gone |= winner.pile_lo
                if moon != -2 and winner.pile_lo & compiled.moon_lo:
                    moon = moon_in(compiled, chairs)
                    watches = sees_taker(compiled, moon)
        else:
            board.voids += 1
            aside_lo = lo
            aside_hi = hi
        waiting &= ~led
        if not last:
            leader = winner
        chair = winner
        lo = 0
        hi = 0
        led = 0
        count = 0
    board.leader = leader.seat
    board.aside_lo = aside_lo
    board.aside_hi = aside_hi
    if hides and board.taker >= 0:
        chairs[board.taker].take(kitty.lo, kitty.hi)
    board.open_ring()


def _moon_with(compiled: CompiledRules, chairs: list[Chair], taker: Chair, faces: i64) -> i64:
    """What `moon_in` says to a player who knows of more cards in a pile."""
    pile = taker.pile_lo
    taker.pile_lo = pile | faces
    moon = moon_in(compiled, chairs)
    taker.pile_lo = pile
    return moon


def _plays(leader: Chair, end: Chair, count: i64) -> tuple[Play, ...]:
    """The first plays of a trick, from its leader to the last seat before another one, at most so many."""
    plays: list[Play] = []
    chair = leader
    while count:
        plays.append(chair.plays[chair.bit % 53])
        chair = chair.next
        count -= 1
        if chair is end:
            break
    return tuple(plays)


def _deal_on(board: Board, start: DealStart, tricks: list[Trick], hand_size: int) -> PlayedDeal:
    """The finished deal that lies on a board."""
    chairs = board.chairs
    return PlayedDeal(
        start,
        int(board.leader),
        tuple(tricks),
        tuple([bag_of(chair.pile_lo, chair.pile_hi) for chair in chairs]),
        tuple([chair.won for chair in chairs]),
        hand_size,
        bag_of(board.aside_lo, board.aside_hi),
        None if board.taker < 0 else int(board.taker),
    )


def _play_tricks(
    state: Playing, stream: RandomStream, manner: Manner, widths: Widths | None
) -> AwaitingDeal | ChoosingMoon | GameOver:
    """The state after the last trick of the deal."""
    played = state.deal
    board = Board(state.scores)
    tricks = list(played.tricks)
    play_tricks(board, state, stream, manner, widths, tricks)
    return finish_board(_deal_on(board, played.start, tricks, played.compiled.hand_size), board)


def _chosen_bit(
    state: Playing,
    board: Board,
    leader: Chair,
    chair: Chair,
    insider: i64,
    legal: i64,
    led: i64,
    number: int,
    broken: bool,
    waiting: i64,
    manner: Manner,
    stream: RandomStream,
) -> i64:
    """The bit of the card that a policy chooses."""
    rules = state.rules
    hand = bag_of(chair.hand_lo, chair.hand_hi)
    plays = _plays(leader, chair, rules.compiled.players) if led else ()
    seat = int(chair.seat)
    captured = tuple([bag_of(each.pile_lo, each.pile_hi) for each in board.chairs])
    if chair.seat == insider:
        captured = with_item(captured, seat, captured[seat] + state.deal.start.kitty)
    choice = CardChoice(rules, seat, hand, bag_of(legal, 0), plays, number, broken, captured)
    card: object = manner.policy.choose_card(choice, stream)
    if not isinstance(card, Card):
        raise TypeError(f"a policy must choose a Card, not {type_phrase(card)}")
    if not card.bit & legal:
        reasons = reasons_against(
            rules, hand, card, led, number == 0, broken, beaten_by(rules.compiled, plays), waiting
        )
        raise IllegalMove(reasons, Play(seat, card))
    return card.bit
