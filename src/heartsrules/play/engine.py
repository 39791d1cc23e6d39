"""The engine, which finds legal moves and makes all successor states."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final, Never, NoReturn, overload

from heartsrules.base.errors import InvalidSeat
from heartsrules.base.values import Drawable, Unchecked, plain_int, type_phrase, wrong_type
from heartsrules.cards import NO_CARDS, Card, Cards, bag_of, with_bag
from heartsrules.play.board import Board
from heartsrules.play.dealing import DealMoves, back_faults, deal_faults
from heartsrules.play.exposing import exposures_in, reasons_against_exposure, resolved_with_exposed
from heartsrules.play.lazy_moves import Choices
from heartsrules.play.moves import ChooseMoon, Deal, Expose, Move, Pass, Play, plays_of
from heartsrules.play.passing import (
    PassOptions,
    exchange,
    options_with,
    pass_counts_of,
    passes_in,
    reasons_against_pass,
    why_not_passed,
)
from heartsrules.play.phases import DEAL, DEAL_BACK, EXPOSE, MOON, OVER, PASS, PLAY, Phase
from heartsrules.play.public import (
    DealStart,
    InChoice,
    InEnd,
    InExposure,
    InMatch,
    InPass,
    InPlay,
    PublicDeal,
    Trick,
    after_trick,
    first_trick,
    playable_now,
    reasons_now,
    shown_by,
    with_exposed,
    with_item,
)
from heartsrules.play.scoring import board_outcome, row_winners
from heartsrules.play.sheet import DealScore, first_sheet
from heartsrules.play.state import (
    AwaitingDeal,
    ChoosingMoon,
    DealingBack,
    Exposing,
    GameOver,
    Passing,
    PlayedDeal,
    Playing,
    Secrets,
    State,
    after_play,
    hand_of,
    legal_faces,
)
from heartsrules.play.tricks import breaks_hearts, complete_trick, led_suit, masks_of, opening_leader
from heartsrules.play.view_classes import (
    AwaitingDealView,
    ChoosingMoonView,
    DealingBackView,
    ExposingView,
    GameOverView,
    PassingView,
    PlayingView,
    View,
)
from heartsrules.play.violations import (
    AlreadyDecided,
    AlreadyPassed,
    BadDeal,
    GameIsOver,
    IllegalMove,
    NoSuchEffect,
    NoSuchSeat,
    NotInHand,
    NotTheShooter,
    NotYourTurn,
    TooManyDeals,
    Violation,
    WrongPhase,
)
from heartsrules.rules import MAX_DEALS, KittyShownTo, Moon, Rules, Seat
from heartsrules.rules.arguments import gifts_in

__all__ = ["apply", "is_legal", "legal_moves", "new_game", "pass_options", "to_act", "why_illegal", "why_illegal_cards"]
__dir__ = __all__.copy


_EFFECTS: Final = (Moon.OTHERS_UP, Moon.SHOOTER_DOWN)
_KINDS: Final[dict[type, Phase]] = {Deal: DEAL, Pass: PASS, Expose: EXPOSE, Play: PLAY, ChooseMoon: MOON}


def new_game(rules: Rules) -> State:
    """Return the state before the first deal.

    >>> state = new_game(Rules())
    >>> state.deal_number, state.dealer, state.scores
    (0, 0, (0, 0, 0, 0))
    """
    if not isinstance(rules, Rules):
        wrong_type("rules", "a Rules", rules)
    return AwaitingDeal(rules, first_sheet(rules.players), None)


def _no_state(state: object) -> NoReturn:
    wrong_type("state", "a State or a View", state)


def _one(state: object) -> InMatch:
    # The parts of a deal are in a match too, but are not states.
    if isinstance(state, InMatch) and isinstance(state, Drawable):
        return state
    _no_state(state)


def to_act(state: Unchecked[State | View]) -> frozenset[Seat]:
    """Return the seats that may move.

    It is empty if chance is to act or the game is over.
    """
    return frozenset(_one(state).to_act)


@overload
def legal_moves(state: Playing | PlayingView, seat: int | None = ...) -> Sequence[Play]: ...
@overload
def legal_moves(state: Passing | PassingView, seat: int | None = ...) -> Sequence[Pass]: ...
@overload
def legal_moves(state: Exposing | ExposingView, seat: int | None = ...) -> Sequence[Expose]: ...
@overload
def legal_moves(state: ChoosingMoon | ChoosingMoonView, seat: int | None = ...) -> Sequence[ChooseMoon]: ...
@overload
def legal_moves(state: AwaitingDeal | DealingBack, seat: int | None = ...) -> Sequence[Deal]: ...
@overload
def legal_moves(
    state: AwaitingDealView | DealingBackView | GameOver | GameOverView, seat: int | None = ...
) -> Sequence[Never]: ...
@overload
def legal_moves(state: State | View, seat: int | None = ...) -> Sequence[Move]: ...
def legal_moves(state: Unchecked[State | View], seat: Unchecked[int] | None = None) -> Sequence[Move]:
    """Return the legal moves. For a view, only moves of its own seat are returned.

    Args:
        seat: the seat whose moves to return. Defaults to all seats that may act.

    Returns:
        While playing, a tuple of plays in card order; for the shooter's choice, one of `OTHERS_UP` and `SHOOTER_DOWN`.
            While passing, a lazy sequence seat by seat: passes are ordered by the sorted cards for each recipient in
            turn, and declining is last. While exposing, a lazy sequence too: for each seat, first no card, then the
            first card, the second, both, the third and so on. When chance is to act, all deals: iteration, `in` and
            truth work, but `len` and indexing raise `OverflowError`. It is empty after the game or its 1,000,000th
            deal, for a seat that has nothing to do, for a spectator, and for another seat than the view's.

    Raises:
        InvalidSeat: the table has no such seat.
    """
    if seat is not None:
        seat = _seat_of(state, seat)
    if isinstance(state, Playing):
        if seat is not None and seat != state.turn:
            return ()
        return plays_of(state.turn, legal_faces(state))
    now = _one(state)
    if isinstance(now, InPlay):
        turn = now.turn
        hand = _known_hand(now, turn) if seat is None or seat == turn else None
        return () if hand is None else plays_of(turn, playable_now(now, hand.lo))
    if isinstance(now, InPass):
        resolved = now.rules._resolved
        sizes = resolved.sizes_of(now.deal_number)
        passes = []
        for one, hand in _choosing(now, seat):
            passes.append(passes_in(resolved, sizes, one, hand))
        return Choices(tuple(passes)) if passes else ()
    if isinstance(now, InExposure):
        exposures = []
        for one, hand in _choosing(now, seat):
            exposures.append(exposures_in(now.rules._resolved, one, hand, now.start.exposed[one]))
        return Choices(tuple(exposures)) if exposures else ()
    if isinstance(now, InChoice):
        shooter = now.shooter
        if seat in (None, shooter) and (not isinstance(now, ChoosingMoonView) or now.seat == shooter):
            return tuple([ChooseMoon(shooter, effect) for effect in _EFFECTS])
        return ()
    if isinstance(now, AwaitingDeal) and seat is None and now.deal_number < MAX_DEALS:
        return DealMoves(now.rules)
    if isinstance(now, DealingBack) and seat is None:
        return DealMoves(now.rules, now.middle_cards)
    return ()


def _choosing(now: InMatch, seat: Seat | None) -> list[tuple[Seat, Cards]]:
    choosing = []
    for one in now.to_act:
        hand = _known_hand(now, one) if seat is None or seat == one else None
        if hand is not None:
            choosing.append((one, hand))
    return choosing


def _seat_of(state: Unchecked[State | View], seat: object) -> Seat:
    number = plain_int("seat", seat, "an int or None")
    players = _one(state).rules.players
    if not 0 <= number < players:
        raise InvalidSeat(number, players)
    return number


def is_legal(state: Unchecked[State | View], move: Unchecked[Move]) -> bool:
    """Return True if `why_illegal` finds no violation."""
    return not why_illegal(state, move)


def why_illegal(state: Unchecked[State | View], move: Unchecked[Move]) -> tuple[Violation, ...]:
    """Return the reasons against a move, in the order of `violations.PRECEDENCE`.

    It is empty for a legal move. For a view and a move by its own seat, the result is the same as for the state. For
    another seat's move it contains only reasons that the whole table may know. A server must authenticate `move.seat`
    before it returns reasons.

    >>> from heartsrules.cards import Card
    >>> for reason in why_illegal(new_game(Rules()), Play(2, Card("AH"))):
    ...     print(reason.code, "-", reason)
    wrong-phase - the game is waiting for the deal, not for a play
    """
    now = _one(state)
    if not isinstance(move, Move):
        wrong_type("move", "a Move", move)
    phase = _phase(now)
    kind = _KINDS[type(move)]
    if phase is OVER:
        return (GameIsOver(),)
    if phase is DEAL_BACK and isinstance(move, Deal):
        # No seat knows the cards in the middle.
        problems = back_faults(now.rules, now.middle_cards, move) if isinstance(now, DealingBack) else ()
        return (BadDeal(problems),) if problems else ()
    if phase is not kind:
        return (WrongPhase(phase, kind),)
    if isinstance(move, Deal):
        if now.deal_number >= MAX_DEALS:
            return (TooManyDeals(),)
        problems = deal_faults(now.rules, move)
        return (BadDeal(problems),) if problems else ()
    players = now.rules.players
    seat = move.seat
    if not 0 <= seat < players:
        return (NoSuchSeat(seat, players),)
    if isinstance(move, Play) and isinstance(now, InPlay):
        return _why_not_play(now, move)
    if isinstance(move, Pass) and isinstance(now, InPass):
        reasons = reasons_against_pass(now.rules, now.plan, move.cards, _known_hand(now, seat))
        return reasons if seat in now.to_act else (AlreadyPassed(seat), *reasons)
    if isinstance(move, Expose) and isinstance(now, InExposure):
        return _too_early(now, seat) + reasons_against_exposure(
            now.rules._resolved, move.cards, _known_hand(now, seat), _shown_before(now, seat)
        )
    assert isinstance(move, ChooseMoon)
    assert isinstance(now, InChoice)
    wrong_seat: tuple[Violation, ...] = () if seat == now.shooter else (NotTheShooter(seat, now.shooter),)
    return wrong_seat if move.effect in _EFFECTS else (*wrong_seat, NoSuchEffect(move.effect))


def why_illegal_cards(
    state: Unchecked[State | View], seat: Unchecked[int] | None = None
) -> tuple[tuple[Card, tuple[Violation, ...]], ...]:
    """Return the reasons against playing, passing or exposing each card of a hand now.

    A front end can use it to dim cards. In other phases no seat chooses a card. During another seat's turn, the first
    reason against every card is `NotYourTurn`; if the seat has yet to play to the current trick, the reasons from the
    cards already played follow.

    Args:
        seat: the owner of the hand. Defaults to the view's seat, or for a state to the seat to act.

    Returns:
        A pair of card and reasons for each card, in card order, copies included. It is empty for a spectator and for
            another seat than the view's.

    >>> from heartsrules.play.dealing import deal
    >>> from heartsrules.rules import HOLD
    >>> start = new_game(Rules(pass_cycle=(HOLD,)))
    >>> for card, reasons in why_illegal_cards(apply(start, deal(start, seed="table 7")))[:3]:
    ...     print(card, [reason.code for reason in reasons])
    2C []
    3C ['opening-card']
    9C ['opening-card']

    Raises:
        InvalidSeat: the table has no such seat.
        TypeError: `seat` is None for a state in which several seats pass or expose at once.
    """
    if seat is not None:
        seat = _seat_of(state, seat)
    now = _one(state)
    if seat is None:
        if isinstance(now, Passing):
            wrong_type("seat", "an int, because several seats pass at once", seat)
        if isinstance(now, Exposing):
            if not now.rules._resolved.shows_in_turn:
                wrong_type("seat", "an int, because several seats show cards at once", seat)
            seat = min(now.to_act)
        elif isinstance(now, Playing):
            seat = now.turn
        elif isinstance(now, (PassingView, ExposingView, PlayingView)):
            seat = now.seat
    hand = None if seat is None else _known_hand(now, seat)
    if seat is None or hand is None:
        return ()
    if isinstance(now, InPlay):
        return _against_hand(now, seat, hand)
    if isinstance(now, InExposure):
        early = _too_early(now, seat)
        before = _shown_before(now, seat)
        resolved = now.rules._resolved
        return tuple([(card, early + reasons_against_exposure(resolved, Cards([card]), None, before)) for card in hand])
    assert isinstance(now, InPass)
    done: tuple[Violation, ...] = (AlreadyPassed(seat),) if seat in now.committed else ()
    return tuple([(card, why_not_passed(now.rules, card, done)) for card in hand])


def _against_hand(now: InPlay, seat: Seat, hand: Cards) -> tuple[tuple[Card, tuple[Violation, ...]], ...]:
    turn = now.turn
    trick = now.trick
    first: tuple[Violation, ...] = () if seat == turn else (NotYourTurn(seat, turn),)
    # Before another seat's lead, the legal cards of this seat are unknown.
    if first and (not trick or any([play.seat == seat for play in trick])):
        return tuple([(card, first) for card in hand])
    against = reasons_now(now, hand)
    return tuple([(card, first + reasons) for card, reasons in against]) if first else against


def pass_options(view: Unchecked[PassingView], cards: Cards | Iterable[Cards] = ()) -> PassOptions:
    """Return the cards that can still be added to a pass.

    Args:
        view: the view of the seat that passes.
        cards: the cards chosen so far, one `Cards` per recipient. Missing ones at the end are empty.

    Returns:
        The options. After the seat has passed, and for a spectator, no card can be added and nothing is complete. To
            decline, if the rules allow it, submit a pass without cards instead.

    >>> from heartsrules.play.dealing import deal
    >>> from heartsrules.views import view
    >>> start = new_game(Rules(unpassable="QS"))
    >>> seen = view(apply(start, deal(start, seed="table 7")), 0)
    >>> options = pass_options(seen, [Cards("KS KH")])
    >>> options.addable, options.missing, options.complete
    ((Cards('JC 2D 3D TD AD 2S 4S 8S 5H 6H'),), (1,), False)
    >>> [(str(card), reason.code) for card, reasons in options.reasons[0] for reason in reasons]
    [('QS', 'card-may-not-be-passed')]
    >>> pass_options(seen, [Cards("KS KH JC")]).complete
    True

    Raises:
        InvalidState: the cards are not part of any pass by this seat. Each problem has its position, such as
            `cards[1]`.
    """
    if not isinstance(view, PassingView):
        wrong_type("view", "a PassingView", view)
    chosen = gifts_in("cards", cards, len(view.plan))
    seat = view.seat
    return options_with(view.rules, view.deal_number, seat, view.hand, seat in view.committed, chosen)


def _phase(now: InMatch) -> Phase:
    """Return the phase. Compiled code finds no class attribute in a subclass."""
    if isinstance(now, InPlay):
        return PLAY
    if isinstance(now, InPass):
        return PASS
    if isinstance(now, InExposure):
        return EXPOSE
    if isinstance(now, InChoice):
        return MOON
    if isinstance(now, InEnd):
        return OVER
    return DEAL_BACK if isinstance(now, (DealingBack, DealingBackView)) else DEAL


def _why_not_play(now: InPlay, move: Play) -> tuple[Violation, ...]:
    seat = move.seat
    hand = _known_hand(now, seat)
    early: tuple[Violation, ...] = () if seat == now.turn else (NotYourTurn(seat, now.turn),)
    if hand is not None and not hand.lo & move.bit:
        return (*early, NotInHand(Cards([move.card])))
    return early if early or hand is None else reasons_now(now, hand, move.bit)[0][1]


def _known_hand(now: InMatch, seat: Seat) -> Cards | None:
    if isinstance(now, Playing):
        return hand_of(now, seat)
    if isinstance(now, (Passing, Exposing)):
        return now.hands[seat]
    return now.hand if isinstance(now, (PassingView, ExposingView, PlayingView)) and seat == now.seat else None


def _too_early(now: InExposure, seat: Seat) -> tuple[Violation, ...]:
    if seat in now.committed:
        return (AlreadyDecided(seat),)
    return () if seat in now.to_act else (NotYourTurn(seat, now.to_act[0]),)


def _shown_before(now: InExposure, seat: Seat) -> Cards:
    return now.start.exposed[seat] if now.rules._resolved.shows_in_rounds else NO_CARDS


def apply(state: Unchecked[State], move: Unchecked[Move]) -> State:
    """Apply a move and return the new state. The old state is unchanged.

    Returns:
        The new state, which after a deal's last card is an `AwaitingDeal`, `ChoosingMoon` or `GameOver`.

    Raises:
        IllegalMove: the rules refuse the move. See its `violations`.
    """
    if isinstance(state, Playing) and isinstance(move, Play):
        if move.seat == state.turn and move.bit & legal_faces(state):
            return _play(state, move)
        raise IllegalMove(why_illegal(state, move), move)
    if not isinstance(state, State):
        if isinstance(state, InMatch) and isinstance(state, Drawable):
            raise TypeError(f"state must be a State, not {type_phrase(state)}: a view cannot be played on")
        wrong_type("state", "a State", state)
    # Compiled, a union is slower.
    if not isinstance(move, (Play, Pass, Expose, Deal, ChooseMoon)):
        wrong_type("move", "a Move", move)
    violations = why_illegal(state, move)
    if violations:
        raise IllegalMove(violations, move)
    if isinstance(state, Passing) and isinstance(move, Pass):
        return _pass(state, move)
    if isinstance(state, Exposing) and isinstance(move, Expose):
        return _expose(state, move)
    if isinstance(state, AwaitingDeal) and isinstance(move, Deal):
        return begin_deal(state, move)
    if isinstance(state, DealingBack) and isinstance(move, Deal):
        return exchanged(state, state.commitments, move.hands)
    if isinstance(state, ChoosingMoon) and isinstance(move, ChooseMoon):
        chosen = state.others_up if move.effect is Moon.OTHERS_UP else state.shooter_down
        return next_deal(state.last_deal, chosen)
    _no_state(state)


def begin_deal(state: AwaitingDeal, move: Deal) -> Passing | Exposing | Playing:
    rules = state.rules
    sheet = state.score_sheet
    if rules._resolved.sizes_of(state.deal_number) and not rules._resolved.shows_before_pass(state.deal_number):
        return Passing(rules, sheet, move.hands, move.kitty, (None,) * rules.players)
    nothing = rules._resolved.nothing
    return begin_exposure(DealStart(rules, sheet, (), nothing), Secrets(move.kitty, (), nothing, nothing), move.hands)


def _pass(state: Passing, move: Pass) -> Passing | DealingBack | Exposing | Playing:
    seat = move.seat
    commitments = (*state.commitments[:seat], move, *state.commitments[seat + 1 :])
    passes = tuple([commitment for commitment in commitments if commitment is not None])
    if len(passes) < len(commitments):
        return Passing(state.rules, state.score_sheet, state.hands, state.kitty, commitments)
    return all_passed(state, passes)


def all_passed(state: Passing, passes: tuple[Pass, ...]) -> DealingBack | Exposing | Playing:
    """Return the state after every seat has passed.

    The cards are exchanged, or chance deals the middle back.
    """
    if state.rules._resolved.through_middle(state.deal_number):
        return DealingBack(state.rules, state.score_sheet, state.hands, state.kitty, passes)
    return exchanged(state, passes)


def exchanged(
    state: Passing | DealingBack, passes: tuple[Pass, ...], dealt_back: tuple[Cards, ...] = ()
) -> Exposing | Playing:
    """Return the state after the exchange of the passes.

    `state` is before the last pass, or before the middle is dealt back. `dealt_back` are the cards each seat is dealt
    back.
    """
    passed, received = exchange(state.rules, state.deal_number, passes, dealt_back)
    hands = tuple([hand - given + gotten for hand, given, gotten in zip(state.hands, passed, received, strict=True)])
    start = DealStart(state.rules, state.score_sheet, pass_counts_of(passes), state.rules._resolved.nothing)
    return begin_exposure(start, Secrets(state.kitty, passes, passed, received), hands)


def begin_exposure(start: DealStart, secrets: Secrets, hands: tuple[Cards, ...]) -> Exposing | Playing:
    if start.rules._resolved.exposable:
        return Exposing(start, secrets, hands, (None,) * len(hands))
    return first_lead(start, secrets, hands)


def _expose(state: Exposing, move: Expose) -> Passing | Exposing | Playing:
    start = state.start
    seat = move.seat
    before = state.commitments
    if start.rules._resolved.shows_in_rounds:
        if move.cards:
            # All others may expose more.
            before = (None,) * len(before)
            start = with_exposed(start, with_item(start.exposed, seat, start.exposed[seat] + move.cards))
        move = Expose(seat, start.exposed[seat])
    commitments = (*before[:seat], move, *before[seat + 1 :])
    after = Exposing(start, state.secrets, state.hands, commitments)
    return after if None in commitments else all_shown(after)


def all_shown(state: Exposing) -> Passing | Playing:
    """Return the state after the last exposure, before the pass or the first lead."""
    if not state.before_pass or any(shown_by(state.commitments)):
        return begin_play(state)
    nobody = (None,) * len(state.hands)
    return Passing(state.rules, state.score_sheet, state.hands, state.kitty, nobody)


def begin_play(state: Exposing) -> Playing:
    return first_lead(with_exposed(state.start, shown_by(state.commitments)), state.secrets, state.hands)


def first_lead(start: DealStart, secrets: Secrets, hands: tuple[Cards, ...]) -> Playing:
    leader = opening_leader(start.rules._resolved, start.dealer, hands, start.score_sheet.queen_taker)
    return Playing(first_trick(start, leader), secrets, hands, leader, (), False)


def _play(state: Playing, move: Play) -> State:
    played = state.public
    resolved = played._resolved
    trick = state.trick
    broken = state.hearts_broken or breaks_hearts(resolved, led_suit(trick), move.bit)
    plays = trick + move._alone
    if len(plays) < resolved.players:
        following = state.turn + 1
        if following == resolved.players:
            following = 0
        return after_play(state, move, played, following, plays, broken)
    played = completed(played, plays, state.secrets.kitty)
    if played.trick_number < resolved.hand_size:
        return after_play(state, move, played, played.leader, (), broken)
    return finish_deal(PlayedDeal(played, state.secrets))


def completed(played: PublicDeal, plays: tuple[Play, ...], kitty: Cards | None) -> PublicDeal:
    """Add a completed trick to a deal.

    `kitty` is None if unknown. It becomes public if the trick wins it and all players may see it.
    """
    resolved = played._resolved
    lo, hi = masks_of(plays)
    number = played.trick_number + 1
    last = number == resolved.hand_size
    aside = played.set_aside
    taker = played.kitty_winner
    position, lo, hi, takes = complete_trick(resolved, plays, lo, hi, aside.lo, aside.hi, taker is None, last)
    if position < 0:
        tricks = played.tricks + (Trick(played.leader, plays, None),)
        won = played.tricks_won
        aside = bag_of(lo, hi)
        return PublicDeal(played.start, played.leader, tricks, played.captured, won, number, aside, taker, played.kitty)
    winner = plays[position].seat
    leader = played.leader if last else winner
    tricks = played.tricks + (Trick(played.leader, plays, winner),)
    if not takes and not aside.lo:
        # The winner takes only this trick, whose cards are counted on demand.
        return after_trick(played, leader, tricks, number)
    shown = played.kitty
    if takes:
        taker = winner
        if played.start.rules.kitty_shown_to is KittyShownTo.EVERYBODY:
            shown = kitty
    pile = played.captured[winner]
    lo, hi = with_bag(lo, hi, pile.lo, pile.hi)
    captured = with_item(played.captured, winner, bag_of(lo, hi))
    won = with_item(played.tricks_won, winner, played.tricks_won[winner] + 1)
    return PublicDeal(played.start, leader, tricks, captured, won, number, NO_CARDS, taker, shown)


def finish_deal(played: PlayedDeal) -> AwaitingDeal | ChoosingMoon | GameOver:
    board = Board.of(played.public._resolved, played.scores, played.captured, played.tricks_won)
    return finish_board(played, board)


def finish_board(played: PlayedDeal, board: Board) -> AwaitingDeal | ChoosingMoon | GameOver:
    """Return the state after the last trick of a deal whose piles are on a board."""
    start = played.public.start
    resolved = resolved_with_exposed(start.rules, start.exposed_mask)
    shooter, rows = board_outcome(resolved, board, start.deal_number, start.exposed)
    return next_deal(played, rows[0]) if shooter < 0 else ChoosingMoon(played, shooter, rows[0], rows[1])


def next_deal(played: PlayedDeal, score: DealScore) -> AwaitingDeal | GameOver:
    start = played.public.start
    sheet = start.score_sheet.with_row(score)
    winners = row_winners(played.public._resolved, score, sheet.next_deal)
    return AwaitingDeal(start.rules, sheet, played) if winners is None else GameOver(sheet, played, winners)
