"""The engine: the legal moves of a state, and the state after a move. Nothing else makes successor states."""

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


def new_game(rules: Rules) -> State:
    """The state before the first deal.

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
    """Check that an argument is a state or a view, and return it."""
    # The parts of a deal have a place in a match too, but are not drawn.
    if isinstance(state, InMatch) and isinstance(state, Drawable):
        return state
    _no_state(state)


def to_act(state: Unchecked[State | View]) -> frozenset[Seat]:
    """The seats that may make a move; empty when chance is to act or the game is over."""
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
    """All moves that `apply` accepts, without duplicates; of a view, those of its own seat.

    Args:
        state: any state or view.
        seat: only this seat's moves; None: those of every seat that may act.

    Returns:
        While playing, a tuple of plays in card order (clubs, diamonds, spades, hearts; within a suit 2 to ace). For
        the shooter's choice, `OTHERS_UP` before `SHOOTER_DOWN`. While passing, a lazy sequence, seat by seat; the
        passes of a seat come gift by gift in the order of their sorted cards, and declining comes last. While cards are
        shown, a lazy sequence too: for each seat, first the move that shows nothing, then the first card, the second,
        both, the third and so on. Before a deal, and before a pile in the middle is dealt back, all deals: iterating,
        `in` and truth work, `len` and indexing raise `OverflowError`. When the game is over or has had 1,000,000 deals,
        or the seat has nothing to do, nothing. Of a view, what `legal_moves` of the state gives for the seat of the
        view; for a spectator, and for any other `seat`, nothing.

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
    """List the seats that may choose cards now, or one of them, with the hands that are known."""
    choosing = []
    for one in now.to_act:
        hand = _known_hand(now, one) if seat is None or seat == one else None
        if hand is not None:
            choosing.append((one, hand))
    return choosing


def _seat_of(state: Unchecked[State | View], seat: object) -> Seat:
    """Check a seat of the table, and return it."""
    number = plain_int("seat", seat, "an int or None")
    players = _one(state).rules.players
    if not 0 <= number < players:
        raise InvalidSeat(number, players)
    return number


def is_legal(state: Unchecked[State | View], move: Unchecked[Move]) -> bool:
    """Whether `apply` accepts a move; of a view, whether nothing is known that speaks against it."""
    return not why_illegal(state, move)


def why_illegal(state: Unchecked[State | View], move: Unchecked[Move]) -> tuple[Violation, ...]:
    """Why a move is refused: every reason, in the order of `violations.PRECEDENCE`; `()` means that it is legal.

    Of a view, the reasons against a move of its own seat are those that the state gives. Against another seat's move
    it gives only the reasons that everybody may know; a server authenticates `move.seat` before it returns reasons.

    >>> from heartsrules.cards import Card
    >>> for reason in why_illegal(new_game(Rules()), Play(2, Card("AH"))):
    ...     print(reason.code, "-", reason)
    wrong-phase - the game is waiting for the deal, not for a play
    """
    now = _one(state)
    if not isinstance(move, Move):
        wrong_type("move", "a Move", move)
    phase = _phase(now)
    kind = _kind(move)
    if phase is OVER:
        return (GameIsOver(),)
    if phase is DEAL_BACK and isinstance(move, Deal):
        # No seat knows the pile.
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
    """For every card of a hand, in card order, why it could not be played or passed now; `()`: it could.

    A card that is held twice comes twice. While playing, when it is another seat's turn, every card has `NotYourTurn`
    first; if this seat has still to play to the current trick, the reasons that the cards already played give follow.
    While passing, a card has the reasons why it may not be part of a pass, and while cards are shown, why it may not
    be shown. In the other phases no seat chooses a card. A front end dims cards with it.

    Args:
        state: any state or view.
        seat: whose hand. None: of a view its own; of a state that of the seat whose turn it is.

    Returns:
        Pairs of a card and its reasons. Of a view, nothing for a spectator and for another seat than its own.

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
        TypeError: `state` is neither a state nor a view; or `seat` is not an int, or is None for a state in which
            several seats pass, or show cards, at once.
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
    """For every card of a hand, the reasons against playing it now."""
    turn = now.turn
    trick = now.trick
    first: tuple[Violation, ...] = () if seat == turn else (NotYourTurn(seat, turn),)
    # When somebody else is to lead, what this seat may play to it cannot be known yet.
    if first and (not trick or any([play.seat == seat for play in trick])):
        return tuple([(card, first) for card in hand])
    against = reasons_now(now, hand)
    return tuple([(card, first + reasons) for card, reasons in against]) if first else against


def pass_options(view: Unchecked[PassingView], cards: Cards | Iterable[Cards] = ()) -> PassOptions:
    """How a player who is choosing the cards to pass may go on, gift by gift; a front end asks after every card.

    Args:
        view: the view of the seat that passes.
        cards: what it has chosen so far, a bag for each gift of the step, in their order. Gifts that are left out at
            the end are empty.

    Returns:
        What may still be added to each gift, how many cards it lacks, why the other cards of the hand may not go
        there, and whether the pass is complete. After the seat has passed no card may be added, and nothing is
        complete; a spectator has no cards to add. Declining, where the rules allow it, is another pass: the one
        without gifts.

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
        InvalidState: the gifts are not part of any pass of this seat: cards that are not in the hand, or not as often,
            that may not be passed, or too many. All problems are listed, each with its place, such as `cards[1]`.
    """
    if not isinstance(view, PassingView):
        wrong_type("view", "a PassingView", view)
    chosen = gifts_in("cards", cards, len(view.plan))
    seat = view.seat
    return options_with(view.rules, view.deal_number, seat, view.hand, seat in view.committed, chosen)


def _phase(now: InMatch) -> Phase:
    """The phase of a state or a view; compiled code cannot look a class attribute up in a subclass."""
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


def _kind(move: Move) -> Phase:
    if isinstance(move, Play):
        return PLAY
    if isinstance(move, Pass):
        return PASS
    if isinstance(move, Expose):
        return EXPOSE
    return DEAL if isinstance(move, Deal) else MOON


def _why_not_play(now: InPlay, move: Play) -> tuple[Violation, ...]:
    """List the reasons against a play; those that depend on an unknown hand are left out."""
    seat = move.seat
    hand = _known_hand(now, seat)
    early: tuple[Violation, ...] = () if seat == now.turn else (NotYourTurn(seat, now.turn),)
    if hand is not None and not hand.lo & move.bit:
        return (*early, NotInHand(Cards([move.card])))
    return early if early or hand is None else reasons_now(now, hand, move.bit)[0][1]


def _known_hand(now: InMatch, seat: Seat) -> Cards | None:
    """The hand of a seat, or None if it is unknown here or if nobody holds cards."""
    if isinstance(now, Playing):
        return hand_of(now, seat)
    if isinstance(now, (Passing, Exposing)):
        return now.hands[seat]
    return now.hand if isinstance(now, (PassingView, ExposingView, PlayingView)) and seat == now.seat else None


def _too_early(now: InExposure, seat: Seat) -> tuple[Violation, ...]:
    """The reasons why a seat may not show any card now, whatever it holds."""
    if seat in now.committed:
        return (AlreadyDecided(seat),)
    return () if seat in now.to_act else (NotYourTurn(seat, now.to_act[0]),)


def _shown_before(now: InExposure, seat: Seat) -> Cards:
    """What a seat has shown in earlier rounds."""
    return now.start.exposed[seat] if now.rules._resolved.shows_in_rounds else NO_CARDS


def apply(state: Unchecked[State], move: Unchecked[Move]) -> State:
    """Make a move: the state that follows. The given state is a value and stays what it was.

    Args:
        state: any state.
        move: a legal move.

    Returns:
        The next state. The last card of a deal leads on to the next `AwaitingDeal`, to `ChoosingMoon` or to
        `GameOver`.

    Raises:
        IllegalMove: the rules refuse the move; its `violations` say why.
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
    """The state after a legal deal."""
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
    """The state after every seat has committed a pass: the exchange, or the pile in the middle is dealt back."""
    if state.rules._resolved.through_middle(state.deal_number):
        return DealingBack(state.rules, state.score_sheet, state.hands, state.kitty, passes)
    return exchanged(state, passes)


def exchanged(
    state: Passing | DealingBack, passes: tuple[Pass, ...], dealt_back: tuple[Cards, ...] = ()
) -> Exposing | Playing:
    """The state after the exchange of these passes, one of each seat.

    Args:
        state: the state before the last of them, or before the pile is dealt back.
        passes: the passes by seat.
        dealt_back: of a pass through the middle, the cards that each seat is dealt back.
    """
    passed, received = exchange(state.rules, state.deal_number, passes, dealt_back)
    hands = tuple([hand - given + gotten for hand, given, gotten in zip(state.hands, passed, received, strict=True)])
    start = DealStart(state.rules, state.score_sheet, pass_counts_of(passes), state.rules._resolved.nothing)
    return begin_exposure(start, Secrets(state.kitty, passes, passed, received), hands)


def begin_exposure(start: DealStart, secrets: Secrets, hands: tuple[Cards, ...]) -> Exposing | Playing:
    """The state in which cards may be shown, or the first trick is to be led."""
    if start.rules._resolved.exposable:
        return Exposing(start, secrets, hands, (None,) * len(hands))
    return first_lead(start, secrets, hands)


def _expose(state: Exposing, move: Expose) -> Passing | Exposing | Playing:
    """The state after a legal exposure."""
    start = state.start
    seat = move.seat
    before = state.commitments
    if start.rules._resolved.shows_in_rounds:
        if move.cards:
            # All others may show more.
            before = (None,) * len(before)
            start = with_exposed(start, with_item(start.exposed, seat, start.exposed[seat] + move.cards))
        move = Expose(seat, start.exposed[seat])
    commitments = (*before[:seat], move, *before[seat + 1 :])
    after = Exposing(start, state.secrets, state.hands, commitments)
    return after if None in commitments else all_shown(after)


def all_shown(state: Exposing) -> Passing | Playing:
    """The state after every seat has shown cards or none: the pass that waited for it, or the first lead."""
    if not state.before_pass or any(shown_by(state.commitments)):
        return begin_play(state)
    nobody = (None,) * len(state.hands)
    return Passing(state.rules, state.score_sheet, state.hands, state.kitty, nobody)


def begin_play(state: Exposing) -> Playing:
    """The first lead of a deal in which every seat has shown cards or none."""
    return first_lead(with_exposed(state.start, shown_by(state.commitments)), state.secrets, state.hands)


def first_lead(start: DealStart, secrets: Secrets, hands: tuple[Cards, ...]) -> Playing:
    """The state before the first lead of a deal."""
    leader = opening_leader(start.rules._resolved, start.dealer, hands, start.score_sheet.queen_taker)
    return Playing(first_trick(start, leader), secrets, hands, leader, (), False)


def _play(state: Playing, move: Play) -> State:
    """The successor of a legal play."""
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

    Args:
        played: the deal before the trick.
        plays: the plays of the trick, in order.
        kitty: the kitty, or None if it is unknown. It becomes public if the trick takes it and everybody may see it.
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
        # The winner takes this trick and nothing else: its cards are counted when somebody asks.
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
    """The state after the last trick of a deal."""
    board = Board.of(played.public._resolved, played.scores, played.captured, played.tricks_won)
    return finish_board(played, board)


def finish_board(played: PlayedDeal, board: Board) -> AwaitingDeal | ChoosingMoon | GameOver:
    """Make the state after the last trick of a deal whose piles are on a board."""
    start = played.public.start
    resolved = resolved_with_exposed(start.rules, start.exposed_mask)
    shooter, rows = board_outcome(resolved, board, start.deal_number, start.exposed)
    return next_deal(played, rows[0]) if shooter < 0 else ChoosingMoon(played, shooter, rows[0], rows[1])


def next_deal(played: PlayedDeal, score: DealScore) -> AwaitingDeal | GameOver:
    """The state after a finished deal and its score."""
    start = played.public.start
    sheet = start.score_sheet.with_row(score)
    winners = row_winners(played.public._resolved, score, sheet.next_deal)
    return AwaitingDeal(start.rules, sheet, played) if winners is None else GameOver(sheet, played, winners)
