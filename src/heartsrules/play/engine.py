"""The engine: the legal moves of a state, and the state after a move. Nothing else makes successor states."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Final, Never, NoReturn, cast, overload

from heartsrules.base.errors import InvalidSeat
from heartsrules.base.values import Unchecked, replaced, type_phrase, wrong_type
from heartsrules.cards import NO_CARDS, Card, Cards, bag_of, with_bag
from heartsrules.play.board import Board
from heartsrules.play.dealing import DealMoves, back_faults, deal_faults, middle_cards
from heartsrules.play.exposing import ExposeMoves, exposures_in, reasons_against_exposure, resolved_with_exposed
from heartsrules.play.legality import beaten_by, playable, reasons_against, reasons_by_card
from heartsrules.play.moves import ChooseMoon, Deal, Expose, Move, Pass, Play, plays_of
from heartsrules.play.passing import (
    PassMoves,
    PassOptions,
    exchange,
    options_with,
    passes_in,
    passes_of,
    reasons_against_pass,
    why_not_passed,
)
from heartsrules.play.phases import Phase
from heartsrules.play.scoring import board_outcome, row_winners
from heartsrules.play.sheet import DealScore, ScoreSheet
from heartsrules.play.state import (
    AwaitingDeal,
    BaseView,
    ChoosingMoon,
    DealStart,
    Exposing,
    GameOver,
    Passing,
    PlayedDeal,
    Playing,
    State,
    Trick,
    after_play,
    after_trick,
    legal_faces,
    shown_by,
    with_item,
)
from heartsrules.play.tricks import breaks_hearts, complete_trick, led_suit, masks_of, opening_leader
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
from heartsrules.rules import MAX_DEALS, Moon, Rules, Seat

if TYPE_CHECKING:
    from heartsrules.play.view_classes import (
        AwaitingDealView,
        ChoosingMoonView,
        ExposingView,
        GameOverView,
        PassingView,
        PlayingView,
        View,
    )

__all__ = [
    "apply",
    "is_legal",
    "legal_moves",
    "new_game",
    "pass_options",
    "to_act",
    "why_illegal",
    "why_illegal_cards",
]

# Compiled code looks a member of an enum up by Python code, each time.
_DEAL: Final = Phase.DEAL
_PASS: Final = Phase.PASS
_EXPOSE: Final = Phase.EXPOSE
_PLAY: Final = Phase.PLAY
_MOON: Final = Phase.MOON
_OVER: Final = Phase.OVER

_NOBODY: Final[frozenset[Seat]] = frozenset()
_EFFECTS: Final = (Moon.OTHERS_UP, Moon.SHOOTER_DOWN)


def new_game(rules: Rules) -> AwaitingDeal:
    """The state before the first deal.

    >>> state = new_game(Rules())
    >>> state.deal_number, state.dealer, state.scores
    (0, 0, (0, 0, 0, 0))
    """
    if not isinstance(rules, Rules):
        wrong_type("rules", "a Rules", rules)
    return AwaitingDeal(rules, ScoreSheet((0,) * rules.players), None)


def _no_state(state: object) -> NoReturn:
    wrong_type("state", "a State or a View", state)


def _one(state: Unchecked[State | View]) -> State | View:
    """Check that an argument is a state or a view, and return it."""
    if isinstance(state, State):
        return state
    if isinstance(state, BaseView):
        return state
    _no_state(state)


def to_act(state: Unchecked[State | View]) -> frozenset[Seat]:
    """The seats that may make a move; empty when chance is to act or the game is over."""
    if isinstance(state, Playing):
        return frozenset([state.turn])
    if isinstance(state, Passing):
        return frozenset([seat for seat, commitment in enumerate(state.commitments) if commitment is None])
    if isinstance(state, Exposing):
        return frozenset(state.to_expose)
    if isinstance(state, ChoosingMoon):
        return frozenset([state.shooter])
    if isinstance(state, (AwaitingDeal, GameOver)):
        return _NOBODY
    if not isinstance(state, BaseView):
        _no_state(state)
    if state.phase is _PLAY:
        return frozenset([state.turn])
    if state.phase is _PASS:
        return frozenset(range(state.rules.players)) - state.committed
    if state.phase is _EXPOSE:
        return frozenset(state.to_expose)
    return frozenset([state.shooter]) if state.phase is _MOON else _NOBODY


@overload
def legal_moves(state: Playing | PlayingView, seat: Unchecked[int] | None = ...) -> Sequence[Play]: ...
@overload
def legal_moves(state: PassingView, seat: Unchecked[int] | None = ...) -> Sequence[Pass]: ...
@overload
def legal_moves(state: Passing, seat: Unchecked[int]) -> Sequence[Pass]: ...
@overload
def legal_moves(state: Passing, seat: None = ...) -> Sequence[Pass] | Sequence[Deal]: ...
@overload
def legal_moves(state: Exposing | ExposingView, seat: Unchecked[int] | None = ...) -> Sequence[Expose]: ...
@overload
def legal_moves(state: ChoosingMoon | ChoosingMoonView, seat: Unchecked[int] | None = ...) -> Sequence[ChooseMoon]: ...
@overload
def legal_moves(state: AwaitingDeal, seat: Unchecked[int] | None = ...) -> Sequence[Deal]: ...
@overload
def legal_moves(
    state: AwaitingDealView | GameOver | GameOverView, seat: Unchecked[int] | None = ...
) -> Sequence[Never]: ...
@overload
def legal_moves(state: State | View, seat: Unchecked[int] | None = ...) -> Sequence[Move]: ...
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
    if isinstance(state, Passing):
        if state.chance_to_act:
            return DealMoves(state.rules, middle_cards(state)) if seat is None else ()
        resolved = state.rules.resolved
        sizes = resolved.sizes_of(state.deal_number)
        parts = []
        for passer, commitment in enumerate(state.commitments):
            if commitment is None and (seat is None or seat == passer):
                parts.append(passes_in(resolved, sizes, passer, state.hands[passer]))
        return PassMoves(tuple(parts))
    if isinstance(state, Exposing):
        resolved = state.rules.resolved
        showing = [one for one in state.to_expose if seat is None or seat == one]
        exposed = state.start.exposed
        return ExposeMoves(tuple([exposures_in(resolved, one, state.hands[one], exposed[one]) for one in showing]))
    if isinstance(state, AwaitingDeal):
        return DealMoves(state.rules) if seat is None and state.deal_number < MAX_DEALS else ()
    if isinstance(state, ChoosingMoon):
        if seat is None or seat == state.shooter:
            return tuple([ChooseMoon(state.shooter, effect) for effect in _EFFECTS])
        return ()
    if isinstance(state, GameOver):
        return ()
    if isinstance(state, BaseView):
        return _moves_of_view(state, seat)
    _no_state(state)


def _moves_of_view(seen: View, seat: Seat | None) -> Sequence[Move]:
    own = seen.seat
    if own is None or (seat is not None and seat != own):
        return ()
    if seen.phase is _PLAY and own == seen.turn:
        trick = seen.trick
        mask = playable(
            seen.rules.resolved,
            seen.hand.lo,
            led_suit(trick),
            seen.trick_number == 0,
            seen.hearts_broken,
            beaten_by(seen.rules.resolved, trick),
            seen.deal.waiting,
            None,
        )
        return plays_of(own, mask)
    if seen.phase is _PASS:
        if own in seen.committed:
            return PassMoves(())
        return PassMoves((passes_of(seen.rules, seen.deal_number, own, seen.hand),))
    if seen.phase is _EXPOSE:
        if own not in seen.to_expose:
            return ExposeMoves(())
        return ExposeMoves((exposures_in(seen.rules.resolved, own, seen.hand, seen.exposed[own]),))
    if seen.phase is _MOON and own == seen.shooter:
        return tuple([ChooseMoon(own, effect) for effect in _EFFECTS])
    return ()


def _seat_of(state: Unchecked[State | View], seat: object) -> Seat:
    """Check a seat of the table, and return it."""
    if not isinstance(seat, int) or isinstance(seat, bool):
        wrong_type("seat", "an int or None", seat)
    players = _one(state).rules.players
    if not 0 <= seat < players:
        raise InvalidSeat(seat, players)
    return seat


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
    if isinstance(state, Playing) and isinstance(move, Play) and 0 <= move.seat < len(state.hands):
        hand = state.hands[move.seat]
        if move.seat != state.turn:
            return _why_not_play(state, move, state.turn, hand)
        played = state.deal
        trick = state.trick
        first = played.trick_number == 0
        beaten = beaten_by(played.resolved, trick)
        broken = state.hearts_broken
        rules = played.start.rules
        return reasons_against(rules, hand, move.card, led_suit(trick), first, broken, beaten, played.waiting)
    state = _one(state)
    now = state.phase
    if not isinstance(move, Move):
        wrong_type("move", "a Move", move)
    kind = _kind(move)
    if now is _OVER:
        return (GameIsOver(),)
    if isinstance(move, Deal) and isinstance(state, Passing) and state.chance_to_act:
        problems = back_faults(state.rules, middle_cards(state), move)
        return (BadDeal(problems),) if problems else ()
    if isinstance(move, Deal) and isinstance(state, BaseView) and state.phase is _PASS and state.chance_to_act:
        # No seat knows the pile.
        return ()
    if now is not kind:
        return (WrongPhase(now, kind),)
    if isinstance(move, Deal):
        if state.deal_number >= MAX_DEALS:
            return (TooManyDeals(),)
        problems = deal_faults(state.rules, move)
        return (BadDeal(problems),) if problems else ()
    players = state.rules.players
    seat = move.seat
    if not 0 <= seat < players:
        return (NoSuchSeat(seat, players),)
    if isinstance(move, Pass) and isinstance(state, Passing):
        return _why_not_pass(state, move, state.commitments[seat] is not None, state.hands[seat])
    if isinstance(move, Expose) and isinstance(state, Exposing):
        return _why_not_expose(state, move, state.commitments[seat] is not None, state.hands[seat])
    if isinstance(state, BaseView):
        if isinstance(move, Expose) and state.phase is _EXPOSE:
            return _why_not_expose(state, move, seat in state.committed, state.hand if seat == state.seat else None)
        if isinstance(move, Play) and state.phase is _PLAY:
            return _why_not_play(state, move, state.turn, state.hand if seat == state.seat else None)
        if isinstance(move, Pass) and state.phase is _PASS:
            return _why_not_pass(state, move, seat in state.committed, state.hand if seat == state.seat else None)
    reasons: list[Violation] = []
    if isinstance(move, ChooseMoon) and state.phase is _MOON:
        if seat != state.shooter:
            reasons.append(NotTheShooter(seat, state.shooter))
        if move.effect not in _EFFECTS:
            reasons.append(NoSuchEffect(move.effect))
    return tuple(reasons)


def why_illegal_cards(
    state: Unchecked[State | View], seat: Unchecked[int] | None = None
) -> tuple[tuple[Card, tuple[Violation, ...]], ...]:
    """For every card of a hand, in card order, why it could not be played or passed now; `()`: it could.

    A card that is held twice comes twice. While playing, when it is another seat's turn, every card has `NotYourTurn`
    first; if this seat has still to play to the current trick, the reasons that the cards already played give follow.
    While passing, a card has the reasons why it may not be part of a pass, and while cards are shown, why it may not
    be shown. In the other phases nobody holds cards. A front end dims cards with it.

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
    if isinstance(state, (Playing, Passing, Exposing)):
        if seat is None:
            if isinstance(state, Passing):
                wrong_type("seat", "an int, because several seats pass at once", seat)
            if isinstance(state, Exposing):
                if state.rules.resolved.shows_in_turn:
                    seat = min(state.to_expose)
                else:
                    wrong_type("seat", "an int, because several seats show cards at once", seat)
            else:
                seat = state.turn
        hand = state.hands[seat]
    elif isinstance(state, BaseView):
        if state.phase is not _PLAY and state.phase is not _PASS and state.phase is not _EXPOSE:
            return ()
        if state.seat is None or (seat is not None and seat != state.seat):
            return ()
        seat, hand = state.seat, state.hand
    elif isinstance(state, (AwaitingDeal, ChoosingMoon, GameOver)):
        return ()
    else:
        _no_state(state)
    if isinstance(state, Playing):
        return _against_hand(state, seat, hand)
    if state.phase is _PASS:
        committed = state.commitments[seat] is not None if isinstance(state, Passing) else seat in state.committed
        done: tuple[Violation, ...] = (AlreadyPassed(seat),) if committed else ()
        return tuple([(card, why_not_passed(state.rules, card, done)) for card in hand])
    if state.phase is _EXPOSE:
        moved = state.commitments[seat] is not None if isinstance(state, Exposing) else seat in state.committed
        return tuple([(card, _why_not_show(state, seat, card, moved)) for card in hand])
    return _against_hand(state, seat, hand)


def _against_hand(
    state: Playing | PlayingView, seat: Seat, hand: Cards
) -> tuple[tuple[Card, tuple[Violation, ...]], ...]:
    """For every card of a hand, the reasons against playing it now."""
    turn = state.turn
    trick = state.trick
    first: tuple[Violation, ...] = () if seat == turn else (NotYourTurn(seat, turn),)
    # When somebody else is to lead, what this seat may play to it cannot be known yet.
    if first and (not trick or any([play.seat == seat for play in trick])):
        return tuple([(card, first) for card in hand])
    played = state.deal
    rules = played.start.rules
    return reasons_by_card(
        rules,
        hand,
        first,
        led_suit(trick),
        played.trick_number == 0,
        state.hearts_broken,
        beaten_by(rules.resolved, trick),
        played.waiting,
    )


def pass_options(view: Unchecked[PassingView], cards: Iterable[Cards] = ()) -> PassOptions:
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
    given: object = view
    if not isinstance(given, BaseView) or getattr(given, "phase", None) is not _PASS:
        wrong_type("view", "a PassingView", given)
    seen = cast("PassingView", given)
    chosen = Pass(0, cards).cards
    seat = seen.seat
    return options_with(seen.rules, seen.deal_number, seat, seen.hand, seat in seen.committed, chosen)


def _against_card(state: Playing | PlayingView, hand: Cards, card: Card) -> tuple[Violation, ...]:
    """The reasons against playing a card of the hand to the trick as it is."""
    trick = state.trick
    return reasons_against(
        state.rules,
        hand,
        card,
        led_suit(trick),
        state.trick_number == 0,
        state.hearts_broken,
        beaten_by(state.rules.resolved, trick),
        state.deal.waiting,
    )


def _kind(move: Move) -> Phase:
    if isinstance(move, Play):
        return _PLAY
    if isinstance(move, Pass):
        return _PASS
    if isinstance(move, Expose):
        return _EXPOSE
    return _DEAL if isinstance(move, Deal) else _MOON


def _why_not_play(state: Playing | PlayingView, move: Play, turn: Seat, hand: Cards | None) -> tuple[Violation, ...]:
    """The reasons against a play; `hand` is None where it may not be known."""
    if move.seat != turn:
        reasons: list[Violation] = [NotYourTurn(move.seat, turn)]
        if hand is not None and move.card not in hand:
            reasons.append(NotInHand(Cards([move.card])))
        return tuple(reasons)
    return () if hand is None else _against_card(state, hand, move.card)


def _why_not_pass(
    state: Passing | PassingView, move: Pass, committed: bool, hand: Cards | None
) -> tuple[Violation, ...]:
    """The reasons against a pass; `hand` is None where it may not be known."""
    reasons = reasons_against_pass(state.rules, state.plan, move.cards, hand)
    return (AlreadyPassed(move.seat), *reasons) if committed else reasons


def _too_early(state: Exposing | ExposingView, seat: Seat, moved: bool) -> tuple[Violation, ...]:
    """The reasons why a seat may not show any card now, whatever it holds."""
    if moved:
        return (AlreadyDecided(seat),)
    return () if seat in state.to_expose else (NotYourTurn(seat, state.to_expose[0]),)


def _shown_before(state: Exposing | ExposingView, seat: Seat) -> Cards:
    """What a seat has shown in earlier rounds."""
    return state.start.exposed[seat] if state.rules.resolved.shows_in_rounds else NO_CARDS


def _why_not_show(state: Exposing | ExposingView, seat: Seat, card: Card, moved: bool) -> tuple[Violation, ...]:
    one = Cards([card])
    return _too_early(state, seat, moved) + reasons_against_exposure(
        state.rules.resolved, one, None, _shown_before(state, seat)
    )


def _why_not_expose(
    state: Exposing | ExposingView, move: Expose, moved: bool, hand: Cards | None
) -> tuple[Violation, ...]:
    """The reasons against an exposure; `hand` is None where it may not be known."""
    return _too_early(state, move.seat, moved) + reasons_against_exposure(
        state.rules.resolved, move.cards, hand, _shown_before(state, move.seat)
    )


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
        if isinstance(state, BaseView):
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
    if isinstance(state, Passing) and isinstance(move, Deal):
        return exchanged(state, tuple([each for each in state.commitments if each is not None]), move.hands)
    if isinstance(state, ChoosingMoon) and isinstance(move, ChooseMoon):
        chosen = state.others_up if move.effect is Moon.OTHERS_UP else state.shooter_down
        return next_deal(state.last_deal, chosen)
    _no_state(state)


def begin_deal(state: AwaitingDeal, move: Deal) -> Passing | Exposing | Playing:
    """The state after a legal deal."""
    rules = state.rules
    if rules.resolved.sizes_of(state.deal_number) and not rules.resolved.shows_before_pass(state.deal_number):
        return Passing(
            rules,
            state.score_sheet,
            move.hands,
            move.kitty,
            (None,) * rules.players,
        )
    nothing = rules.resolved.nothing
    start = DealStart(rules, state.score_sheet, move.kitty, (), nothing, nothing, nothing)
    return begin_exposure(start, move.hands)


def _pass(state: Passing, move: Pass) -> Passing | Exposing | Playing:
    seat = move.seat
    commitments = (*state.commitments[:seat], move, *state.commitments[seat + 1 :])
    passes = tuple([commitment for commitment in commitments if commitment is not None])
    if len(passes) < len(commitments) or state.rules.resolved.through_middle(state.deal_number):
        return Passing(
            state.rules,
            state.score_sheet,
            state.hands,
            state.kitty,
            commitments,
        )
    return exchanged(state, passes)


def exchanged(state: Passing, passes: tuple[Pass, ...], dealt_back: tuple[Cards, ...] = ()) -> Exposing | Playing:
    """The state after the exchange of these passes, one of each seat.

    Args:
        state: the state before the last of them.
        passes: the passes by seat.
        dealt_back: of a pass through the middle, the cards that each seat is dealt back.
    """
    passed, received = exchange(state.rules, state.deal_number, passes, dealt_back)
    hands = tuple([hand - given + gotten for hand, given, gotten in zip(state.hands, passed, received, strict=True)])
    start = DealStart(
        state.rules,
        state.score_sheet,
        state.kitty,
        passes,
        passed,
        received,
        state.rules.resolved.nothing,
    )
    return begin_exposure(start, hands)


def begin_exposure(start: DealStart, hands: tuple[Cards, ...]) -> Exposing | Playing:
    """The state in which cards may be shown, or the first trick is to be led."""
    if start.rules.resolved.exposable:
        return Exposing(start, hands, (None,) * len(hands))
    return first_lead(start, hands)


def _expose(state: Exposing, move: Expose) -> Passing | Exposing | Playing:
    start = state.start
    seat = move.seat
    before = state.commitments
    if start.rules.resolved.shows_in_rounds:
        if move.cards:
            # All others may show more.
            before = (None,) * len(before)
            start = replaced(start, exposed=with_item(start.exposed, seat, start.exposed[seat] + move.cards))
        move = Expose(seat, start.exposed[seat])
    commitments = (*before[:seat], move, *before[seat + 1 :])
    after = Exposing(start, state.hands, commitments)
    return after if None in commitments else all_shown(after)


def all_shown(state: Exposing) -> Passing | Playing:
    """The state after every seat has shown cards or none: the pass that waited for it, or the first lead."""
    start = state.start
    if not state.before_pass or any(shown_by(state.commitments)):
        return begin_play(state)
    nobody = (None,) * len(state.hands)
    return Passing(start.rules, start.score_sheet, state.hands, start.kitty, nobody)


def begin_play(state: Exposing) -> Playing:
    """The first lead of a deal in which every seat has shown cards or none."""
    return first_lead(replaced(state.start, exposed=shown_by(state.commitments)), state.hands)


def first_lead(start: DealStart, hands: tuple[Cards, ...]) -> Playing:
    players = start.rules.players
    leader = opening_leader(start.rules.resolved, start.dealer, hands, start.score_sheet.queen_taker)
    played = PlayedDeal(start, leader, (), start.rules.resolved.nothing, (0,) * players, 0, NO_CARDS, None)
    return Playing(played, hands, leader, (), False)


def _play(state: Playing, move: Play) -> State:
    """The successor of a legal play."""
    played = state.deal
    resolved = played.resolved
    trick = state.trick
    broken = state.hearts_broken or breaks_hearts(resolved, led_suit(trick), move.bit)
    plays = trick + move.alone
    if len(plays) < resolved.players:
        following = state.turn + 1
        if following == resolved.players:
            following = 0
        return after_play(state, move, played, following, plays, broken)
    played = completed(played, plays)
    if played.trick_number < resolved.hand_size:
        return after_play(state, move, played, played.leader, (), broken)
    return finish_deal(played)


def completed(played: PlayedDeal, plays: tuple[Play, ...]) -> PlayedDeal:
    """Add a completed trick to a deal."""
    resolved = played.resolved
    lo, hi = masks_of(plays)
    number = played.trick_number + 1
    last = number == resolved.hand_size
    aside = played.set_aside
    taker = played.kitty_winner
    position, lo, hi, takes = complete_trick(resolved, plays, lo, hi, aside.lo, aside.hi, taker is None, last)
    if position < 0:
        trick = Trick(played.leader, plays, None)
        return PlayedDeal(
            played.start,
            played.leader,
            played.tricks + (trick,),
            played.captured,
            played.tricks_won,
            number,
            bag_of(lo, hi),
            taker,
        )
    winner = plays[position].seat
    leader = played.leader if last else winner
    tricks = played.tricks + (Trick(played.leader, plays, winner),)
    if not takes and not aside.lo:
        # The winner takes this trick and nothing else: its cards are counted when somebody asks.
        return after_trick(played, leader, tricks, number)
    if takes:
        kitty = played.start.kitty
        lo, hi = with_bag(lo, hi, kitty.lo, kitty.hi)
        taker = winner
    pile = played.captured[winner]
    lo, hi = with_bag(lo, hi, pile.lo, pile.hi)
    won = played.tricks_won
    return PlayedDeal(
        played.start,
        leader,
        tricks,
        with_item(played.captured, winner, bag_of(lo, hi)),
        with_item(won, winner, won[winner] + 1),
        number,
        NO_CARDS,
        taker,
    )


def finish_deal(played: PlayedDeal) -> AwaitingDeal | ChoosingMoon | GameOver:
    """The state after the last trick of a deal."""
    return finish_board(played, Board.of(played.resolved, played.start.scores, played.captured, played.tricks_won))


def finish_board(played: PlayedDeal, board: Board) -> AwaitingDeal | ChoosingMoon | GameOver:
    """Make the state after the last trick of a deal whose piles are on a board."""
    start = played.start
    resolved = resolved_with_exposed(start.rules, start.exposed_mask)
    shooter, rows = board_outcome(resolved, board, start.deal_number, start.exposed)
    return next_deal(played, rows[0]) if shooter < 0 else ChoosingMoon(played, shooter, rows[0], rows[1])


def next_deal(played: PlayedDeal, score: DealScore) -> AwaitingDeal | GameOver:
    """The state after a finished deal and its score."""
    start = played.start
    rules = start.rules
    sheet = start.score_sheet.with_row(score)
    winners = row_winners(played.resolved, score, sheet.next_deal)
    if winners is None:
        return AwaitingDeal(rules, sheet, played)
    return GameOver(rules, sheet, played, winners)
