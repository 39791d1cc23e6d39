"""Moves as text: what is written is read back, whatever is left out that is clear."""

from __future__ import annotations

import pytest
from hypothesis import given, settings

from heartsrules import (
    Card,
    Deal,
    Game,
    IllegalMove,
    InvalidNotation,
    Pass,
    Play,
    Rules,
    State,
    View,
    format_move,
    legal_moves,
    parse_move,
    public_view,
    to_act,
    view,
)
from heartsrules.rules import middle
from support.builds import wrong_type
from support.rounds import examples
from support.strategies import Match, any_rules, matches


@settings(max_examples=examples(30), deadline=None)
@given(matches(any_rules()))
def test_what_is_written_is_read_back(played: Match) -> None:
    for state, move in zip(played.states, played.moves, strict=False):
        text = format_move(move)
        assert parse_move(state, f"  {text.lower()} ") == move
        if isinstance(move, Deal):
            continue
        shorter = text.partition(":")[2]
        assert parse_move(view(state, move.seat), shorter) == move
        if len(to_act(state)) == 1:
            assert parse_move(state, shorter) == move
        else:
            with pytest.raises(InvalidNotation, match="expected a seat, a colon and "):
                parse_move(state, shorter)


PASSING = Game.start(Rules(pass_cycle=[((1, 2), (-1, 1))])).dealt(seed="table 7").state
PLAYING = Game.start(Rules(pass_cycle=[()])).dealt(seed="table 7").state
PILE = Game.start(Rules(pass_cycle=[middle(None)], pass_optional="skip")).dealt(seed=7).state
SHOWING = Game.start(Rules(pass_cycle=[()], exposable="QS AH")).dealt(seed="table 7").state
OVER = Game.start(Rules(max_deals=1)).play_on(lambda seen: legal_moves(seen)[0], seed=1).state


@pytest.mark.parametrize(
    ("now", "text", "move"),
    [
        (view(PASSING, 0), "QS ks/jc", "Pass(0, Cards('QS KS'), Cards('JC'))"),
        (view(PASSING, 0), " SQK / cj", "Pass(0, Cards('QS KS'), Cards('JC'))"),
        (PASSING, "0: QS KS /JC", "Pass(0, Cards('QS KS'), Cards('JC'))"),
        (PASSING, "0:QS,KS/JC", "Pass(0, Cards('QS KS'), Cards('JC'))"),
        (PILE, "2:NO", "Pass(2)"),
        (PLAYING, "2♣", "Play(2, Card('2C'))"),
        (public_view(PLAYING), "2:2c", "Play(2, Card('2C'))"),
        (view(SHOWING, 0), "-", "Expose(seat=0, cards=Cards(''))"),
        (view(SHOWING, 0), "Expose qs", "Expose(seat=0, cards=Cards('QS'))"),
    ],
)
def test_players_may_type_it_as_they_like(now: State | View, text: str, move: str) -> None:
    assert repr(parse_move(now, text)) == move


@pytest.mark.parametrize(
    ("now", "text", "words"),
    [
        (PLAYING, "", "expected the card to play, such as QS, found nothing"),
        (PLAYING, "QX", "expected a card such as QS, found 'QX'"),
        (PLAYING, "x:QS", "expected a seat, found 'x'"),
        (PASSING, "QS KS/JC", "expected a seat, a colon and the cards to pass"),
        (view(PASSING, 0), "QS KX/JC", "expected a card such as QS, found 'KX'"),
        (view(PASSING, 0), "help", "expected the cards to pass, such as QS KS AS, or no to decline, found 'help'"),
        (view(PASSING, 0), "1:QS KS/JC", "expected a move of seat 0, which sees this view, found '1:QS'"),
        (public_view(SHOWING), "QS", "expected a seat, a colon and the cards to show"),
        (OVER, "QS", "expected nothing: the game is over"),
    ],
)
def test_what_is_no_move_is_refused_where_it_is_wrong(now: State | View, text: str, words: str) -> None:
    with pytest.raises(InvalidNotation) as caught:
        parse_move(now, text)
    assert words in str(caught.value)


@pytest.mark.parametrize(
    ("now", "text", "code"),
    [(PLAYING, "QS", "not-in-hand"), (view(PLAYING, 1), "4C", "not-your-turn"), (PASSING, "1:no", "may-not-decline")],
)
def test_an_illegal_move_is_refused_with_its_reasons(now: State | View, text: str, code: str) -> None:
    with pytest.raises(IllegalMove) as caught:
        parse_move(now, text)
    assert code in [reason.code for reason in caught.value.violations]
    assert isinstance(caught.value.move, Play | Pass)


def test_only_moves_are_written_and_only_texts_read() -> None:
    with wrong_type("move must be a move, not a Card"):
        format_move(Card("QS"))  # type: ignore[arg-type]
    with wrong_type("state must be a State or a View, not a str"):
        parse_move("QS", PLAYING)  # type: ignore[arg-type]
    with wrong_type("text must be a str, not a Card"):
        parse_move(PLAYING, Card("QS"))  # type: ignore[arg-type]
