"""What the type checkers must say: revealed types, exhaustive matches, and lines that must not type-check.

A line that must fail carries an ignore comment; each checker reports one that it does not need.
"""

# pyright: reportUnnecessaryTypeIgnoreComment=true

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Never, assert_never, assert_type

import attrs
import pytest

from heartsrules import (
    AwaitingDeal,
    Card,
    Cards,
    ChooseMoon,
    ChoosingMoon,
    Deal,
    DealScore,
    Expose,
    Exposing,
    GameOver,
    IllegalMove,
    Move,
    Pass,
    Passing,
    Play,
    PlayedDeal,
    Playing,
    Rules,
    Standing,
    State,
    Suit,
    View,
    Violation,
    apply,
    deal,
    is_legal,
    legal_cards,
    legal_moves,
    new_game,
    score_deal,
    standings,
    to_act,
    trick_winner,
    why_illegal,
    why_illegal_card,
)
from heartsrules.setup import set_up
from heartsrules.views import (
    AwaitingDealView,
    ChoosingMoonView,
    ExposingView,
    GameOverView,
    PassingView,
    PlayingView,
)
from heartsrules.violations import (
    AlreadyPassed,
    GameIsOver,
    MustFollowSuit,
    NoSuchSeat,
    NotYourTurn,
    TooManyDeals,
    WrongPhase,
)


def test_the_functions_have_these_types() -> None:
    start = assert_type(new_game(Rules()), AwaitingDeal)
    state = assert_type(apply(start, assert_type(deal(start), Deal)), State)
    assert_type(deal(start, seed=1), Deal)
    assert_type(deal(start, rng=Random(1)), Deal)
    assert_type(to_act(state), frozenset[int])
    moves = assert_type(legal_moves(state), Sequence[Move])
    assert_type(is_legal(state, moves[0]), bool)
    assert_type(why_illegal(state, moves[0]), tuple[Violation, ...])
    hand = Cards("2C QS")
    assert_type(legal_cards(Rules(), hand), Cards)
    assert_type(why_illegal_card(Rules(), hand, Card("QS")), tuple[Violation, ...])
    trick = [Play(seat, card) for seat, card in enumerate(Cards("2C 3C 4C 5C"))]
    assert_type(trick_winner(Rules(), trick), int | None)
    row = assert_type(score_deal(Rules(), [Rules().deck, Cards(), Cards(), Cards()], (13, 0, 0, 0)), DealScore)
    assert_type(row.totals, tuple[int, ...])
    assert_type(standings(Rules(), row.totals), tuple[Standing, ...])
    assert_type(attrs.evolve(Rules(), target=50), Rules)
    assert_type([card for card in hand], list[Card])  # noqa: C416
    assert_type(hand + hand, Cards)
    assert_type(start.last_deal, PlayedDeal | None)


def check_the_moves_of_each_phase(state: State, seen: View) -> None:
    """Of each phase `legal_moves` is known to give moves of one kind, of states and of views."""
    assert_type(legal_moves(state), Sequence[Move])
    assert_type(legal_moves(seen), Sequence[Move])
    assert_type(legal_moves(state, 2), Sequence[Move])
    match state:
        case AwaitingDeal():
            assert_type(legal_moves(state), Sequence[Deal])
        case Passing():
            assert_type(legal_moves(state), Sequence[Pass])
        case Exposing():
            assert_type(legal_moves(state), Sequence[Expose])
        case Playing():
            assert_type(legal_moves(state), Sequence[Play])
            assert_type(legal_moves(state, seat=2), Sequence[Play])
        case ChoosingMoon():
            assert_type(legal_moves(state), Sequence[ChooseMoon])
        case GameOver():
            assert_type(legal_moves(state), Sequence[Never])
    match seen:
        case AwaitingDealView() | GameOverView():
            assert_type(legal_moves(seen), Sequence[Never])
        case PassingView():
            assert_type(legal_moves(seen), Sequence[Pass])
        case ExposingView():
            assert_type(legal_moves(seen), Sequence[Expose])
        case PlayingView():
            assert_type(legal_moves(seen), Sequence[Play])
            assert_type(legal_moves(seen)[0].card, Card)
        case ChoosingMoonView():
            assert_type(legal_moves(seen), Sequence[ChooseMoon])


def describe_state(state: State) -> str:
    match state:
        case AwaitingDeal():
            return "deal"
        case Passing():
            return "pass"
        case Exposing():
            return "expose"
        case Playing():
            return "play"
        case ChoosingMoon():
            return "moon"
        case GameOver():
            return "over"
        case _:
            assert_never(state)


def describe_move(move: Move) -> str:
    match move:
        case Deal(hands, kitty):
            assert_type(hands, tuple[Cards, ...])
            return f"deal with a kitty of {len(kitty)}"
        case Pass(seat, gifts):
            assert_type(gifts, tuple[Cards, ...])
            return f"{seat} passes"
        case Expose(seat, cards):
            assert_type(cards, Cards)
            return f"{seat} shows {len(cards)}"
        case Play(seat, card):
            assert_type(card, Card)
            return f"{seat} plays {card}"
        case ChooseMoon(seat, effect):
            return f"{seat} chooses {effect}"
        case _:
            assert_never(move)


def describe_violation(violation: Violation) -> str:
    match violation:
        case GameIsOver() | WrongPhase() | TooManyDeals() | NoSuchSeat() | NotYourTurn() | AlreadyPassed():
            return "not now"
        case MustFollowSuit(card, suit, count):
            assert_type(card, Card)
            assert_type(suit, Suit)
            return f"{count} cards of {suit} in the hand"
        case _:
            return violation.code


def test_matches_are_exhaustive() -> None:
    start = new_game(Rules())
    move = deal(start, seed=1)
    passing = apply(start, move)
    assert (describe_state(start), describe_state(passing)) == ("deal", "pass")
    assert describe_move(move) == "deal with a kitty of 0"
    assert describe_move(legal_moves(passing)[0]) == "0 passes"
    assert describe_move(Play(2, Card("AH"))) == "2 plays AH"
    (violation,) = why_illegal(passing, Play(2, Card("AH")))
    assert describe_violation(violation) == "not now"


def test_lines_that_must_not_type_check() -> None:
    state = new_game(Rules())
    with pytest.raises(AttributeError):
        state.scores = (1, 2, 3, 4)  # type: ignore[misc]
    with pytest.raises(AttributeError):
        Card("QS").index = 3  # type: ignore[misc]
    with pytest.raises(TypeError):
        Rules(4)  # type: ignore[call-arg]
    with pytest.raises(TypeError):
        Rules(players="4")  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        Play("0", Card("QS"))  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        Play(0, "QS")  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        deal(state, seed=1, rng=Random(1))  # type: ignore[call-overload]
    with pytest.raises(TypeError):
        set_up(Rules())  # type: ignore[call-arg]
    with pytest.raises(AttributeError):
        state.hands  # type: ignore[attr-defined]  # noqa: B018
    with pytest.raises(TypeError):
        IllegalMove()  # type: ignore[call-arg]
