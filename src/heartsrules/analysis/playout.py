"""Play deals and matches to their end without building intermediate states.

The rules are the engine's own functions, applied to a mutable board.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, TypeVar, final

from heartsrules.analysis.card_choice import Situation, any_face, shown_faces, watchful_face
from heartsrules.analysis.policies import Policy, Watchful
from heartsrules.base.interrupts import pause
from heartsrules.base.values import Unchecked, checked_count, type_phrase, with_article, wrong_type
from heartsrules.cards import Card, bag_of, popcount, suit_faces
from heartsrules.chance import Bits, RandomStream, as_stream
from heartsrules.play.board import Board
from heartsrules.play.dealing import deal
from heartsrules.play.engine import all_passed, all_shown, begin_deal, exchanged, finish_board, next_deal, why_illegal
from heartsrules.play.exposing import exposures_in, reasons_against_exposure
from heartsrules.play.lazy_moves import Choices
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
from heartsrules.play.passing import choice_at, passes_of, ways_to_choose
from heartsrules.play.public import Trick, seats_to_expose, with_item
from heartsrules.play.sheet import DealScore
from heartsrules.play.state import (
    AwaitingDeal,
    ChoosingMoon,
    DealingBack,
    DealtState,
    Exposing,
    GameOver,
    Passing,
    PlayedDeal,
    Playing,
    State,
)
from heartsrules.play.tricks import breaks_hearts, fixed_leader, opening_suit, winning_face
from heartsrules.play.violations import IllegalMove, NotYourTurn
from heartsrules.rules import MAX_DEALS, Moon
from heartsrules.rules.resolved import ResolvedRules

if TYPE_CHECKING:
    from mypy_extensions import i64

__all__ = ["playout"]
__dir__ = __all__.copy

_C = TypeVar("_C", bound=Pass | Expose)


@final
class _Counter:
    def __init__(self) -> None:
        self.count: i64 = 0


@final
class ChoiceCounts:
    """The numbers of legal moves at a deal's decisions."""

    def __init__(self, resolved: ResolvedRules) -> None:
        self._players: Final[i64] = resolved.players
        self._width: Final[i64] = resolved.hand_size + 1
        tricks = int(resolved.hand_size)
        self.cells: Final[list[_Counter]] = [_Counter() for _ in range(int(resolved.players) * tricks * (tricks + 1))]
        """How often each card played, in order, was one of 0, 1, 2 and more legal cards.

        Totals over all deals, in rows of `hand_size` + 1.
        """
        self.followers: Final[list[_Counter]] = [_Counter() for _ in range(tricks)]
        """The sum of the followers' numbers of legal cards, by trick."""
        self.passes: Final[list[int]] = []
        self.exposures: Final[list[int]] = []
        self.declined: int = 0
        self.moons: int = 0
        """The number of shooters' decisions."""
        self.legal_cards: i64 = 0
        self.forced: i64 = 0
        """The number of cards that were the only legal ones."""
        self._row: i64 = 0
        self._trick: i64 = 0
        self._place: i64 = 0

    def begin(self) -> None:
        """Begin a deal, resetting everything except `cells`."""
        self.passes.clear()
        self.exposures.clear()
        self.declined = 0
        self.moons = 0
        self.legal_cards = 0
        self.forced = 0
        self._row = 0
        self._trick = 0
        self._place = 0
        for follower in self.followers:
            follower.count = 0

    def add_card(self, count: i64) -> None:
        """Count a card played and its number of legal alternatives."""
        self.cells[self._row + count].count += 1
        self._row += self._width
        self.legal_cards += count
        if count == 1:
            self.forced += 1
        if self._place:
            self.followers[self._trick].count += count
        self._place += 1
        if self._place == self._players:
            self._place = 0
            self._trick += 1


_UNIFORM: Final = 0
_WATCHFUL: Final = 1
_CUSTOM: Final = 2

_PASSES: Final = 256
"""The stream offset of the draws for passes, one per seat, after those for cards."""
_EXPOSURES: Final = 288
"""The stream offset of the draws for exposures, one per seat and round."""
_SEATS: Final = 16
_PILE: Final = 2048
"""The stream offset of the draws for the middle pile, after those for exposures."""
_SHOWN_AGAIN: Final = 2304
"""The stream offset for exposures after a pass if there is also one before it."""


@final
class ResolvedPolicy:
    """A policy, resolved once per playout."""

    def __init__(self, policy: Policy | None) -> None:
        # mypyc would refuse a `Policy` method's result with its own message.
        self.policy: Final[Any] = policy
        kind: i64 = _UNIFORM
        limit: i64 = 0
        if type(policy) is Watchful:
            kind = _WATCHFUL
            limit = policy.limit
        elif policy is not None and type(policy) is not Policy:
            kind = _CUSTOM
        self.kind: Final[i64] = kind
        self.mistake_limit: Final[i64] = limit
        """The frequency of uniform choices by watchful players, out of 1,024."""
        self.custom: Final[Any] = policy if kind == _CUSTOM else None
        """A user's policy, if it also chooses passes, exposures and moons.

        This package's own policies choose these uniformly.
        """
        self.watchful: Final = kind == _WATCHFUL
        self.shows: Final = isinstance(policy, Watchful) and type(policy).choose_exposure is Policy.choose_exposure
        """True if the players expose the cards that gain by counting double."""
        self.deal_seed: i64 = -1
        """The 32-bit seed of this deal's draws, or -1 for consecutive draws.

        With a seed, each draw has an offset that depends on its seat and trick.
        """


def playout(
    state: Unchecked[State], rng: RandomStream | Bits, *, deals: Unchecked[int] | None = 1, policy: Policy | None = None
) -> AwaitingDeal | GameOver:
    """Play to the end of a deal or match, without building intermediate states.

    The result is the same as stepping through the engine with an equal random stream, here called `stream`. Passes and
    exposures are made seat by seat from `legal_moves(state, seat)`, the lowest seat of `to_act(state)` first. Deals,
    also from a pile, use `deal(state, rng=stream)`. Any other decision takes `moves[stream.below(len(moves))]` from the
    legal moves. A decision with a single legal move draws nothing.

    >>> from heartsrules.play.engine import new_game
    >>> from heartsrules.rules import Rules
    >>> playout(new_game(Rules()), RandomStream("table 7"), deals=None).winners
    (1,)

    Args:
        state: any state. It is returned unchanged if the game is over or has had 1,000,000 deals.
        rng: the random stream. From another source of random bits, such as `random.Random`, 64 bits seed a stream.
        deals: the number of deals to finish (1 or more), including the current one. None plays to the end of the match,
            but no more than 1,000,000 deals, because some rule sets allow endless matches.
        policy: the policy of all players. Defaults to uniform choices among the legal moves.

    Raises:
        IllegalMove: the policy chose an illegal move.
        ValueError: `deals` is too low.
        TypeError: an argument, or the policy's choice, has the wrong type.
    """
    most = None if deals is None else checked_count("deals", deals)
    if not isinstance(state, State):
        wrong_type("state", "a State", state)
    stream = as_stream(rng)
    chooser = ResolvedPolicy(policy)
    ended = 0
    while not isinstance(state, GameOver) and (most is None or ended < most):
        if isinstance(state, AwaitingDeal) and state.deal_number >= MAX_DEALS:
            break
        pause()
        state = playout_deal(state, stream, chooser, None)
        ended += 1
    assert isinstance(state, (AwaitingDeal, GameOver))
    return state


def playout_deal(
    state: AwaitingDeal | DealtState | ChoosingMoon,
    stream: RandomStream,
    policy: ResolvedPolicy,
    counts: ChoiceCounts | None,
) -> AwaitingDeal | GameOver:
    now: State = to_lead(state, stream, policy, counts)
    if isinstance(now, Playing):
        now = _play_tricks(now, stream, policy, counts)
    if isinstance(now, ChoosingMoon):
        now = next_deal(now.last_deal, choose_moon(now, stream, policy, counts))
    assert isinstance(now, (AwaitingDeal, GameOver))
    return now


def to_lead(
    state: AwaitingDeal | DealtState | ChoosingMoon,
    stream: RandomStream,
    policy: ResolvedPolicy,
    counts: ChoiceCounts | None,
) -> Playing | ChoosingMoon:
    """Play until cards can be led, if they cannot yet."""
    now: State = state
    if isinstance(now, AwaitingDeal):
        now = begin_deal(now, deal(now, rng=stream))
    while isinstance(now, (Passing, DealingBack, Exposing)):
        if isinstance(now, Passing):
            now = _pass_cards(now, stream, policy, counts)
        elif isinstance(now, DealingBack):
            if policy.deal_seed >= 0:
                stream._jump_to(policy.deal_seed, _PILE)
            now = exchanged(now, now.commitments, deal(now, rng=stream).hands)
        else:
            now = _show_cards(now, stream, policy, counts)
    assert isinstance(now, (Playing, ChoosingMoon))
    return now


def lead_on_board(board: Board, state: AwaitingDeal, stream: RandomStream, counts: ChoiceCounts | None) -> bool:
    """Deal and pass at random on a board, with the same draws as `to_lead`.

    This requires one deck, a pass to one other seat that cannot be declined, and no exposure.

    Args:
        board: a board for the same number of seats, on which all data for the play is set.
        state: the state before the deal.

    Returns:
        True if the board is at the first lead. Otherwise nothing was drawn.
    """
    resolved = state.rules._resolved
    number = state.deal_number
    sizes = resolved.sizes_of(number)
    if resolved.deck_hi or resolved.exposable or resolved.may_decline or len(sizes) > 1:
        return False
    if sizes and resolved.through_middle(number):
        return False
    dealer = resolved.dealer(number)
    players = resolved.players
    seats = board.seats
    kitty = board.shuffle_and_deal(resolved, dealer, stream)
    if sizes:
        size = sizes[0]
        offset: i64 = resolved.pass_plan(number)[0][0]
        gifts: list[i64] = []
        for seat in seats:
            held = seat.hand_lo & ~resolved.unpassable
            count = ways_to_choose(held, size)
            gifts.append(choice_at(held, size, stream.below(count)))
            if counts is not None:
                counts.passes.append(count)
        for giver, gift in enumerate(gifts):
            seats[giver].hand_lo ^= gift
            seats[(giver + offset) % players].hand_lo ^= gift
    leader = fixed_leader(resolved, dealer, state.score_sheet.queen_taker)
    first = board.lowest_holder(opening_suit(resolved)) if leader is None else leader
    board.set_first_lead(state.rules, resolved, kitty, first)
    return True


def _pass_cards(
    state: Passing, stream: RandomStream, policy: ResolvedPolicy, counts: ChoiceCounts | None
) -> DealingBack | Exposing | Playing:
    custom = policy.custom
    passes: list[Pass] = []
    for seat, commitment in enumerate(state.commitments):
        if commitment is not None:
            passes.append(commitment)
            continue
        legal = passes_of(state.rules, state.deal_number, seat, state.hands[seat])
        if policy.deal_seed >= 0:
            stream._jump_to(policy.deal_seed, _PASSES + seat)
        if custom is None:
            chosen = legal.at(stream.below(legal.count))
        else:
            moves = Choices((legal,))
            chosen = _own_choice(custom.choose_pass(moves, stream), Pass, seat)
            if chosen not in moves:
                raise IllegalMove(why_illegal(state, chosen), chosen)
        if counts is not None:
            counts.passes.append(legal.count)
            counts.declined += not chosen.cards
        passes.append(chosen)
    return all_passed(state, tuple(passes))


def _show_cards(
    state: Exposing, stream: RandomStream, policy: ResolvedPolicy, counts: ChoiceCounts | None
) -> Passing | Playing:
    """Let the remaining seats expose cards or decline, and return the next state.

    They act in seat order, or in turn from the dealer's left in repeated rounds.
    """
    resolved = state.rules._resolved
    players = state.rules.players
    custom = policy.custom
    moves: list[Expose | None] = list(state.commitments)
    exposed = list(state.start.exposed)
    asked = [0] * players
    offset = _SHOWN_AGAIN if state.passes and resolved.shows_before_pass(state.deal_number) else _EXPOSURES
    while None in moves:
        seat = seats_to_expose(state.rules, state.dealer, [move is not None for move in moves])[0]
        legal = exposures_in(resolved, seat, state.hands[seat], exposed[seat])
        if policy.deal_seed >= 0:
            stream._jump_to(policy.deal_seed, offset + seat + _SEATS * asked[seat])
        asked[seat] += 1
        if policy.shows:
            chosen = Expose(seat, bag_of(shown_faces(resolved, state.hands[seat].lo, legal.cards.lo), 0))
        elif custom is None:
            chosen = legal.at(stream.below(legal.count))
        else:
            choices = Choices((legal,))
            chosen = _own_choice(custom.choose_exposure(choices, stream), Expose, seat)
            if chosen not in choices:
                # The state does not include exposures by the seats before this one.
                reasons = reasons_against_exposure(resolved, chosen.cards, state.hands[seat], exposed[seat])
                raise IllegalMove(reasons, chosen)
        if counts is not None:
            counts.exposures.append(legal.count)
        if resolved.shows_in_rounds:
            if chosen.cards:
                moves = [None] * players
                exposed[seat] += chosen.cards
            chosen = Expose(seat, exposed[seat])
        moves[seat] = chosen
    return all_shown(Exposing(state.start, state.secrets, state.hands, tuple(moves)))


def _own_choice(answer: object, kind: type[_C], seat: int) -> _C:
    if not isinstance(answer, kind):
        raise TypeError(f"a policy must choose {with_article(kind.__name__)}, not {type_phrase(answer)}")
    if answer.seat != seat:
        raise IllegalMove((NotYourTurn(answer.seat, seat),), answer)
    return answer


def choose_moon(
    state: ChoosingMoon, stream: RandomStream, policy: ResolvedPolicy, counts: ChoiceCounts | None
) -> DealScore:
    choices = (ChooseMoon(state.shooter, Moon.OTHERS_UP), ChooseMoon(state.shooter, Moon.SHOOTER_DOWN))
    asked = policy.policy if policy.watchful else policy.custom
    if asked is None:
        chosen = choices[stream.below(2)]
    else:
        answer: object = asked.choose_moon(state, choices, stream)
        if not isinstance(answer, ChooseMoon):
            raise TypeError(f"a policy must choose a ChooseMoon, not {type_phrase(answer)}")
        chosen = answer
        if chosen not in choices:
            raise IllegalMove(why_illegal(state, chosen), chosen)
    if counts is not None:
        counts.moons += 1
    return state.others_up if chosen.effect is Moon.OTHERS_UP else state.shooter_down


def play_tricks(
    board: Board,
    state: Playing | None,
    stream: RandomStream,
    policy: ResolvedPolicy,
    counts: ChoiceCounts | None,
    tricks: list[Trick] | None,
) -> None:
    """Play a deal to its end on a board.

    Args:
        board: the board of a deal in progress.
        state: the state on the board, required for a user's policy, otherwise None.
        tricks: a list for the completed tricks, or None to discard them.
    """
    resolved = board.resolved
    players = resolved.players
    hand_size = resolved.hand_size
    kind = policy.kind
    limit = policy.mistake_limit
    seed = policy.deal_seed
    situation: Situation | None = None
    if kind == _WATCHFUL:
        situation = Situation()
        situation.look_at_piles(board)
    waits = board.kitty_waits or board.waiting != 0
    if kind == _UNIFORM and seed < 0 and tricks is None and not resolved.deck_hi and not waits:
        _play_uniformly(board, stream, counts)
    while board.trick_number < hand_size:
        leader = board.leader
        completed = False
        while not completed:
            legal = board.legal()
            if counts is not None:
                counts.add_card(popcount(legal))
            if seed >= 0:
                stream._jump_to(seed, board.trick_number * players + board.turn.seat)
            bit = legal
            if kind == _CUSTOM and state is not None:
                bit = _chosen_bit(state, board, legal, policy, stream)
            elif not legal & (legal - 1):
                # A single legal card takes no draw.
                pass
            elif kind == _UNIFORM:
                bit = any_face(legal, stream)
            elif situation is not None:
                situation.look(board)
                bit = watchful_face(resolved, situation, legal, limit, stream)
            completed = board.play(bit)
        if tricks is not None:
            tricks.append(board.last_trick(leader))
        if situation is not None:
            situation.look_at_winner(board)
    board.show_kitty()
    board.open_ring()


def _play_uniformly(board: Board, stream: RandomStream, counts: ChoiceCounts | None) -> None:
    """Play a deal of one deck with uniform players, without kitty or restricted cards."""
    resolved = board.resolved
    players = resolved.players
    hand_size = resolved.hand_size
    number = board.trick_number
    broken = board.broken
    allowed = board.allowed
    led = board.led
    lo = board.lo
    turn = board.turn
    count = board.count
    while number < hand_size:
        while count < players:
            held = turn.hand_lo
            legal = held & led
            free = allowed & FREE_TO_FOLLOW
            if not legal:
                legal = held
                free = allowed & FREE_OTHERWISE
            if not free:
                beaten = beaten_faces(resolved, led, lo, 0)
                legal = playable(resolved, held, led, number == 0, broken, beaten, 0, None)
            if counts is not None:
                counts.add_card(popcount(legal))
            bit = any_face(legal, stream)
            turn.hand_lo = held ^ bit
            turn.bit = bit
            broken = broken or breaks_hearts(resolved, led, bit)
            lo |= bit
            if not led:
                led = suit_faces(bit)
            turn = turn.next
            count += 1
        face = winning_face(resolved, led, lo, 0)
        while turn.bit != face:
            turn = turn.next
        turn.pile_lo |= lo
        turn.won += 1
        number += 1
        allowed = freedom(resolved)
        if broken:
            allowed >>= 2
        led = 0
        lo = 0
        count = 0
    board.trick_number = number


def _play_tricks(
    state: Playing, stream: RandomStream, policy: ResolvedPolicy, counts: ChoiceCounts | None
) -> AwaitingDeal | ChoosingMoon | GameOver:
    played = state.public
    board = Board(played._resolved, state.scores)
    tricks = list(played.tricks)
    board.set_from(state)
    play_tricks(board, state, stream, policy, counts, tricks)
    return finish_board(PlayedDeal(board.deal(played.start, tricks), state.secrets), board)


def _chosen_bit(state: Playing, board: Board, legal: i64, policy: ResolvedPolicy, stream: RandomStream) -> i64:
    rules = state.rules
    mover = board.turn
    hand = bag_of(mover.hand_lo, mover.hand_hi)
    plays = board.plays_from(board.leader, board.count)
    seat = int(mover.seat)
    captured = tuple([bag_of(each.pile_lo, each.pile_hi) for each in board.seats])
    if board.knows_kitty(mover):
        captured = with_item(captured, seat, captured[seat] + state.kitty)
    choice = CardChoice(rules, seat, hand, bag_of(legal, 0), plays, int(board.trick_number), board.broken, captured)
    card: object = policy.policy.choose_card(choice, stream)
    if not isinstance(card, Card):
        raise TypeError(f"a policy must choose a Card, not {type_phrase(card)}")
    if not card.bit & legal:
        beaten = beaten_by(rules._resolved, plays)
        first = board.trick_number == 0
        raise IllegalMove(
            reasons_against(rules, hand, card, board.led, first, board.broken, beaten, board.waiting), Play(seat, card)
        )
    return card.bit
