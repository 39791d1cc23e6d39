"""The mutable board: it plays as the engine does, and what is taken back leaves no trace."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from random import Random
from typing import Any, Final

import pytest

from heartsrules import AwaitingDeal, Cards, ChoosingMoon, GameOver, Play, Playing, State, apply, deal, legal_moves
from heartsrules.base.values import replaced
from heartsrules.cards import ALL_FACES, bag_of
from heartsrules.play.board import Board, SeatState, UndoRecord
from heartsrules.play.engine import new_game
from heartsrules.rules import Duplicates, KittyShownTo, Rules
from heartsrules.testing.rule_sets import random_rules
from support.strategies import choose, random_table

pytestmark = pytest.mark.once_compiled

GAMES: Final = 100
PAIRS: Final[dict[str, Any]] = {"decks": 2, "duplicates": Duplicates.CANCEL}


def rule_sets(what: str) -> Iterator[tuple[Random, Rules]]:
    """Random rule sets: any, those with a kitty, and those with two decks in which equal cards cancel."""
    for number in range(GAMES):
        rng = Random(f"board {what} {number}")
        if what == "any":
            yield rng, random_rules(rng)
        elif what == "kitty":
            rules = random_rules(rng, kitty_shown_to=rng.choice(list(KittyShownTo)))
            if rules.kitty_size:
                yield rng, rules
        else:
            yield rng, random_rules(rng, **PAIRS)


def first_lead(rules: Rules, rng: Random) -> Playing:
    """A deal up to its first lead, with random passes and exposures."""
    table = random_table(rng, rules)
    state: State = new_game(rules)
    while not isinstance(state, Playing):
        move = deal(state, rng=rng) if isinstance(state, AwaitingDeal) else choose(state, table, rng)
        state = apply(state, move)
    return state


def slots(board: Board) -> dict[str, Any]:
    """Everything a board holds, with seats as numbers."""

    def plain(value: object) -> object:
        return value.seat if isinstance(value, SeatState) else value

    def attributes(thing: object) -> dict[str, Any]:
        named = {name: getattr(thing, name) for name in dir(thing) if not name.startswith("_")}
        return {name: plain(value) for name, value in named.items() if not callable(value)}

    held = attributes(board)
    held["seats"] = [attributes(seat) for seat in board.seats]
    return held


def board_of(state: Playing) -> Board:
    board = Board(state.rules._resolved, state.scores)
    board.set_from(state)
    return board


def bits(mask: int) -> list[int]:
    return [card.bit for card in ALL_FACES if card.bit & mask]


def test_the_slots_are_those_of_the_classes() -> None:
    state = first_lead(Rules(), Random(1))
    held = slots(board_of(state))
    assert {"turn", "allowed", "lo", "broken", "waiting", "kitty_waits", "moon", "seats"} <= held.keys()
    assert held["seats"][0].keys() >= {"hand_lo", "pile_hi", "bit", "won", "next", "points"}


PUBLIC: Final = (
    *("resolved", "turn", "leader", "count", "trick_number", "led", "lo", "hi", "broken", "waiting", "allowed"),
    *("aside_lo", "aside_hi", "kitty_lo", "kitty_hi", "kitty_waits", "kitty_open", "kitty_private", "taker"),
)
"""What a board that is set from a state has of one that was played on."""


@pytest.mark.sampled(3)
@pytest.mark.parametrize("what", ["any", "kitty", "pairs"])
def test_a_board_plays_as_the_engine(what: str) -> None:
    seen: Counter[str] = Counter()
    for rng, rules in rule_sets(what):
        state: State = first_lead(rules, rng)
        assert isinstance(state, Playing)
        board = board_of(state)
        while isinstance(state, Playing):
            moves = [move for move in legal_moves(state) if isinstance(move, Play)]
            assert bits(board.legal()) == [move.bit for move in moves]
            assert board.legal_of(board.turn.hand_lo) == board.legal()
            move = rng.choice(moves)
            leader, trick = board.leader, len(state.trick)
            completed = board.play(move.bit)
            assert completed == (trick + 1 == rules.players)
            if completed:
                seen["void"] += board.winner < 0
                after = apply(state, move)
                played = after if isinstance(after, Playing) else last_deal_of(after)
                winner = played.tricks[-1].winner
                assert board.winner == (-1 if winner is None else winner)
                assert board.plays_from(leader, rules.players) == played.tricks[-1].plays
            state = apply(state, move)
            if isinstance(state, Playing):
                ours, theirs = slots(board), slots(board_of(state))
                assert {name: ours[name] for name in PUBLIC} == {name: theirs[name] for name in PUBLIC}
                for name in ("hand_lo", "hand_hi", "pile_lo", "pile_hi", "won", "next"):
                    assert [each[name] for each in ours["seats"]] == [each[name] for each in theirs["seats"]], name
        played = last_deal_of(state)
        board.show_kitty()
        assert tuple(bag_of(seat.pile_lo, seat.pile_hi) for seat in board.seats) == played.captured
        assert tuple(seat.won for seat in board.seats) == played.tricks_won
        assert bag_of(board.aside_lo, board.aside_hi) == played.set_aside
        assert (None if board.taker < 0 else board.taker) == played.kitty_winner
        assert (board.leader.seat, board.trick_number) == (played.leader, rules.cards_per_hand)
        seen["set aside"] += bool(played.set_aside)
        seen["kitty"] += bool(played.kitty)
        seen["hidden kitty"] += bool(played.kitty) and not board.kitty_open
        seen["exposed"] += any(played.exposed)
        seen["two decks"] += rules.decks == 2
    expected = {
        "any": ("kitty", "exposed", "two decks", "void"),
        "kitty": ("kitty", "hidden kitty", "exposed"),
        "pairs": ("void", "two decks", "set aside"),
    }
    for name in expected[what]:
        assert seen[name] >= 5, (name, seen)


def last_deal_of(state: State) -> Any:
    assert isinstance(state, (AwaitingDeal, ChoosingMoon, GameOver))
    return state.last_deal


@pytest.mark.sampled(3)
@pytest.mark.parametrize("what", ["any", "kitty", "pairs"])
def test_a_play_that_is_taken_back_leaves_no_trace(what: str) -> None:
    seen: Counter[str] = Counter()
    for rng, rules in rule_sets(what):
        state = first_lead(rules, rng)
        board = board_of(state)
        path: list[tuple[dict[str, Any], UndoRecord]] = []
        while board.trick_number < rules.cards_per_hand:
            before = slots(board)
            undo = UndoRecord()
            for bit in bits(board.legal()):
                completed = board.try_play(bit, undo)
                seen["completed"] += completed
                seen["void"] += completed and board.winner < 0
                seen["kitty taken"] += undo.kitty_waits and not board.kitty_waits
                seen["broken"] += board.broken and not undo.broken
                board.undo(undo)
                assert slots(board) == before
            undo = UndoRecord()
            board.try_play(rng.choice(bits(board.legal())), undo)
            path.append((before, undo))
        seen["whole deals"] += 1
        seen["two decks"] += rules.decks == 2
        seen["exposed"] += state.start.exposed_mask != 0
        for before, undo in reversed(path):
            board.undo(undo)
            assert slots(board) == before
    for name in {"any": ("kitty taken", "exposed"), "kitty": ("kitty taken",), "pairs": ("void",)}[what]:
        assert seen[name] >= 5, (name, seen)
    assert seen["broken"] > 50
    assert seen["completed"] > seen["whole deals"] > 20


def test_a_card_played_twice_is_taken_back_singly() -> None:
    rules = Rules(decks=2, players=8)
    state = first_lead(rules, Random("twice"))
    board = board_of(state)
    pair = next(seat for seat in board.seats if seat.hand_hi)
    bit = pair.hand_hi & -pair.hand_hi
    board.turn = pair
    undo = UndoRecord()
    before = slots(board)
    board.try_play(bit, undo)
    assert (pair.hand_lo & bit, pair.hand_hi & bit) == (bit, 0)
    board.undo(undo)
    assert slots(board) == before


def test_a_complete_trick_is_no_position() -> None:
    """On the board, its winner would be searched for among the players of other cards."""
    state = first_lead(Rules(), Random("complete"))
    plays = tuple([Play(seat % 4, card) for seat, card in enumerate(Cards("2C 3C 4C 5C AH"))])
    for count in (4, 5):
        with pytest.raises(ValueError, match=f"the trick has {count} cards"):
            board_of(replaced(state, trick=plays[:count]))


def test_only_the_taker_of_a_private_kitty_knows_it() -> None:
    board = Board(Rules()._resolved, (0,) * 4)
    board.taker = 2
    assert not any(board.knows_kitty(seat) for seat in board.seats)
    board.kitty_private = True
    assert [board.knows_kitty(seat) for seat in board.seats] == [False, False, True, False]


def test_a_hidden_kitty_is_shown_when_the_deal_is_over() -> None:
    board = Board.of(Rules()._resolved, (0,) * 4, (Cards("2C"), Cards(), Cards(), Cards()), (1, 0, 0, 0))
    board.kitty_lo = Cards("3C").lo
    board.show_kitty()
    assert board.seats[0].pile_lo == Cards("2C").lo
    board.taker, board.kitty_open = 0, False
    board.show_kitty()
    assert board.seats[0].pile_lo == Cards("2C 3C").lo
