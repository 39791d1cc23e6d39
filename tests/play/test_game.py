"""Games with their history, replay, and records."""

from __future__ import annotations

import copy
import pickle
import random
import threading
from typing import Any

import attrs
import pytest
from hypothesis import event, given, settings

from heartsrules import (
    AwaitingDeal,
    Card,
    Cards,
    ChooseMoon,
    Deal,
    Expose,
    GameOver,
    IllegalMove,
    InvalidState,
    Move,
    Pass,
    Play,
    Playing,
    Rules,
    Seat,
    View,
    advance,
    apply,
    deal,
    legal_moves,
    new_game,
    presets,
    public_view,
    redact,
    transition,
    view,
)
from heartsrules.base.values import replaced
from heartsrules.play.game import Game, Record, RefusedMove, ScoreMismatch, moves_of, replay, replay_strict, verify
from heartsrules.play.violations import NotYourTurn
from heartsrules.rules import Exposure, Moon, Tie, middle
from heartsrules.setup import set_up
from heartsrules.testing import names
from support.builds import wrong_type
from support.history import forgotten
from support.random_play import play_on, random_game
from support.rounds import examples
from support.strategies import Match, matches, rules_sets

ONE_DEAL = Rules(max_deals=1, target=None, tie=Tie.SHARED)


GAME = random_game(ONE_DEAL, 1)


def test_a_game_holds_its_states_and_moves() -> None:
    assert GAME.ply == len(GAME) == len(GAME.moves) == 1 + 4 + 52
    assert len(GAME.states) == 58
    assert GAME.rules == ONE_DEAL
    state: Any = new_game(ONE_DEAL)
    for ply, move in enumerate(GAME.moves):
        assert GAME.at(ply) == state
        state = apply(state, move)
    assert GAME.state == state == GAME.at(57)


def test_games_of_one_line_share_their_states() -> None:
    fork = GAME.fork(20)
    assert fork.ply == 20
    assert all(one is other for one, other in zip(fork.states, GAME.states, strict=False))
    assert fork.back() == GAME.fork(19)
    assert fork.back().state is GAME.at(19)
    moves = legal_moves(fork.state)
    lines = [fork.play(move) for move in moves]
    assert [line.moves[-1] for line in lines] == list(moves)
    assert random_game(ONE_DEAL, 1) == GAME
    assert fork == GAME.fork(20) != GAME
    assert fork != "fork"


def test_playing_on_leaves_every_game_as_it_was() -> None:
    start = Game.start(ONE_DEAL)
    one = start.play(deal(new_game(ONE_DEAL), seed="one"))
    two = start.play(deal(new_game(ONE_DEAL), seed="two"))
    three = one.play(legal_moves(one.state)[0])
    assert (start.ply, one.ply, two.ply, three.ply) == (0, 1, 1, 2)
    assert start.moves == ()
    assert one.state != two.state
    assert three.back() == one
    assert three.at(1) is one.state


@pytest.mark.parametrize("ply", [-1, 58, 1000, 10**5000], ids=range(4))
def test_plies_that_are_not_there(ply: int) -> None:
    for call in (GAME.at, GAME.fork, GAME.events):
        with pytest.raises(IndexError, match="0 to 57"):
            call(ply)
    with pytest.raises(IndexError):
        Game.start(ONE_DEAL).back()
    with pytest.raises(IndexError):
        GAME.fork(3).at(4)


def test_games_are_values() -> None:
    assert pickle.loads(pickle.dumps(GAME)) == GAME
    assert copy.copy(GAME) is GAME
    assert copy.deepcopy(GAME) is GAME
    assert hash(GAME) == hash(random_game(ONE_DEAL, 1))
    with pytest.raises(attrs.exceptions.FrozenInstanceError):
        GAME.ply = 3  # type: ignore[misc]
    with pytest.raises(attrs.exceptions.FrozenInstanceError):
        GAME.__delattr__("_ply")

    small = random_game(ONE_DEAL, 1, 6)
    assert eval(repr(small), names()) == small


# ----------------------------------------------------------------------------------------------------- undo and redo


def test_forward_goes_again_where_back_came_from() -> None:
    game = GAME
    for ply in range(57, 0, -1):
        assert game.undone == GAME.moves[ply:]
        game = game.back()
        assert game.ply == ply - 1
    with pytest.raises(IndexError):
        game.back()
    assert game.undone == GAME.moves
    for ply in range(1, 58):
        game = game.forward()
        assert (game.ply, game.state, game.undone) == (ply, GAME.at(ply), GAME.moves[ply:])
        assert game.state is GAME.at(ply)
    with pytest.raises(IndexError, match="no move is undone: this game ends at ply 57"):
        game.forward()


def test_a_new_move_drops_what_was_undone_and_leaves_the_other_games_alone() -> None:
    game = GAME.fork(20)
    undone = game.back().back()
    assert undone.undone == GAME.moves[18:20]
    first, other = GAME.moves[18], legal_moves(undone.state)[0]
    for move in (first, other):
        for again in (undone.play(move), undone.step(move)[0]):
            assert (again.ply, again.undone) == (19, ())
            with pytest.raises(IndexError):
                again.forward()
    assert undone.undone == GAME.moves[18:20]
    assert undone.forward().forward() == game
    assert undone.fork(18).undone == undone.fork(3).undone == ()


def test_a_game_goes_forward_only_to_its_own_moves() -> None:
    """Games of one line share their moves: those that another one has made are not undone here."""
    game = GAME.fork(20)
    for alone in (game, game.back().forward(), replay_strict(ONE_DEAL, GAME.moves[:20])):
        assert alone.undone == ()
        with pytest.raises(IndexError):
            alone.forward()
    assert game.back().undone == GAME.moves[19:20]
    refused = game.back()
    with pytest.raises(IllegalMove):
        refused.play(Play(99, Card("2C")))
    assert (refused, refused.undone) == (GAME.fork(19), GAME.moves[19:20])


def test_what_was_undone_is_kept_with_a_game_but_makes_no_other_value_of_it() -> None:
    undone = GAME.fork(20).back().back()
    assert undone == GAME.fork(18)
    assert hash(undone) == hash(GAME.fork(18))
    assert eval(repr(undone), names()) == undone
    for same in (pickle.loads(pickle.dumps(undone)), copy.copy(undone), copy.deepcopy(undone)):
        assert (same, same.undone) == (undone, undone.undone)
        assert same.forward().forward() == GAME.fork(20)


def test_a_step_tells_what_happened() -> None:
    game = Game.start(ONE_DEAL)
    for ply, move in enumerate(GAME.moves):
        game, events = game.step(move)
        assert events == transition(GAME.at(ply), move).events
        assert game == GAME.fork(ply + 1)
    with pytest.raises(IllegalMove):
        game.step(GAME.moves[-1])


# ------------------------------------------------------------------------------------------------- back to the moves


@pytest.mark.untraced
@settings(max_examples=examples(40), deadline=None)
@given(matches(rules_sets()))
def test_the_moves_of_a_state_lead_to_it(played: Match) -> None:
    """Passes, and exposures that are shown together, in the order of the seats; all else as it was played."""
    begun = 0
    for ply, state in enumerate(played.states):
        if ply and isinstance(played.states[ply - 1], AwaitingDeal):
            begun = ply - 1
        moves = moves_of(state)
        game = Game.of(state)
        assert (game.state, game.moves) == (state, moves)
        made = played.moves[begun:ply]
        if played.rules.exposure in (Exposure.ROUNDS, Exposure.ROUNDS_IN_TURN):
            # A state does not keep in which rounds its cards were shown.
            moves, made = (tuple([move for move in each if not isinstance(move, Expose)]) for each in (moves, made))
        assert sorted(map(repr, moves)) == sorted(map(repr, made))
        if played.rules.exposure is Exposure.IN_TURN:
            made = tuple([move for move in made if not isinstance(move, Pass)])
            moves = tuple([move for move in moves if not isinstance(move, Pass)])
            assert moves == made
        if made:
            before = played.states[begun]
            assert isinstance(before, AwaitingDeal)
            assert game.at(0) == replaced(before, last_deal=None)
        for kind in {type(move).__name__ for move in moves}:
            event(kind)


def test_a_state_without_its_history_has_no_moves_to_tell() -> None:
    state = GAME.at(30)
    assert isinstance(state, Playing)
    passed = set_up(ONE_DEAL, hands=state.hands, tricks=state.tricks, trick=state.trick)
    for without in (forgotten(state), passed):
        for call in (moves_of, Game.of):
            with pytest.raises(InvalidState) as caught:
                call(without)
            (problem,) = caught.value.problems
            assert (problem.code, problem.fields) == ("no-history", ("state",))
    assert moves_of(new_game(ONE_DEAL)) == ()
    assert Game.of(new_game(ONE_DEAL)) == Game.start(ONE_DEAL)


def test_threads_may_play_on_from_the_same_game() -> None:
    start = Game(apply(new_game(presets.cardstock()), deal(new_game(presets.cardstock()), seed=3)))
    results: list[Game] = []
    barrier = threading.Barrier(8)

    def run(number: int) -> None:
        rng = random.Random(number)
        barrier.wait()
        results.append(play_on(start, rng))

    threads = [threading.Thread(target=run, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(results) == 8
    for game in results:
        assert replay_strict(start.state, game.moves) == game


@pytest.mark.parametrize("name", presets.ALL)
def test_events_and_views_of_a_game(name: str) -> None:
    preset = presets.ALL[name]
    game = random_game(preset(preset.players[0]), 5, 70)
    events = [transition(game.at(ply), game.moves[ply]).events for ply in range(game.ply)]
    assert game.events() == tuple(event for batch in events for event in batch)
    assert game.events(game.ply) == ()
    assert game.events(game.ply - 1) == events[-1]
    assert game.view() == public_view(game.state)
    for seat in range(game.rules.players):
        assert game.view(seat) == view(game.state, seat)
        assert advance(view(game.at(0), seat), redact(game.events(), seat)) == game.view(seat)


def test_replay_gives_the_valid_prefix_and_the_failure() -> None:
    moves = list(GAME.moves)
    assert replay(ONE_DEAL, moves).game == GAME
    assert replay(ONE_DEAL, moves).failure is None
    assert replay(GAME.at(5), moves[5:]).game.state == GAME.state
    twice = [*moves[:31], moves[30], *moves[31:]]
    result = replay(ONE_DEAL, twice)
    assert result.game == GAME.fork(31)
    failure = result.failure
    assert failure is not None
    before = GAME.at(31)
    assert isinstance(before, Playing)
    assert (failure.index, failure.deal, failure.trick, failure.move) == (31, 0, 6, moves[30])
    assert isinstance(failure.violations[0], NotYourTurn)
    assert str(failure).startswith("moves[31] (Deal 0, Trick 6), seat")
    with pytest.raises(IllegalMove) as caught:
        replay_strict(ONE_DEAL, twice)
    assert caught.value.violations == failure.violations
    assert caught.value.__notes__ == [str(failure)]
    assert replay_strict(ONE_DEAL, moves) == GAME


@pytest.mark.parametrize(
    ("index", "move", "said"),
    [
        (0, Deal([]), "moves[0] (Deal 0), the deal: "),
        (1, Pass(0), "moves[1] (Deal 0), seat 0 passes: "),
        (1, Expose(0, Cards("QS")), "moves[1] (Deal 0), seat 0 decides what it shows: "),
        (7, Play(9, Card("2C")), "moves[7] (Deal 0, Trick 0), seat 9 plays 2C: "),
        (5, ChooseMoon(0, Moon.OFF), "moves[5] (Deal 0, Trick 0), seat 0 chooses off: "),
        (31, Deal([]), "moves[31] (Deal 1), the deal: "),
        (57, Deal([]), "moves[57] (Deal 1), the deal: the game is over"),
        (57, Play(0, Card("2C")), "moves[57] (Deal 0), seat 0 plays 2C: the game is over"),
    ],
)
def test_failures_say_where(index: int, move: Move, said: str) -> None:
    failure = replay(ONE_DEAL, [*GAME.moves[:index], move]).failure
    assert failure is not None
    assert str(failure).startswith(said)
    assert failure.move == (None if isinstance(move, Deal) else move)
    assert eval(repr(failure), names()) == failure


@pytest.mark.parametrize("moves", ["moves", 3, [3], [None]])
def test_replay_wants_moves(moves: Any) -> None:
    with wrong_type("move"):
        replay(ONE_DEAL, moves)


def test_a_game_deals_by_itself_and_asks_whoever_is_to_act() -> None:
    asked: list[Seat] = []

    def ask(seen: View) -> Move:
        assert seen.seat is not None
        asked.append(seen.seat)
        return legal_moves(seen)[-1]

    start = Game.start(Rules(exposable="QS", pass_cycle=[middle(1)], max_deals=2, tie=Tie.SHARED))
    game = start.play_on(ask, seed="table 7")
    state = start.state
    for move in game.moves:
        assert not isinstance(move, Deal) or move == deal(state, seed="table 7")
        state = apply(state, move)
    assert game.state == state
    assert isinstance(state, GameOver)
    assert (game.winners, game.to_act, start.winners) == (state.winners, (), None)
    assert asked == [move.seat for move in game.moves if not isinstance(move, Deal)]
    assert game.record([("Event", "club night")]) == Record.of(game, [("Event", "club night")])
    assert start.play_on([ask] * 4, rng=random.Random(7)) == start.play_on(ask, rng=random.Random(7))
    again = start.play_on(ask, seed="table 7", until=lambda so_far: so_far.ply == 9)
    assert again == game.fork(9)
    assert again.play_on(ask, seed="table 7") == game


def test_a_game_in_which_somebody_is_to_act_is_not_dealt() -> None:
    game = Game.start(Rules()).dealt(seed=1)
    assert game.dealt(seed=1) is game
    assert Game.start(Rules()).dealt().ply == 1
    assert Game.start(Rules()).dealt(rng=random.Random(3)) == Game.start(Rules()).dealt(rng=random.Random(3))
    with pytest.raises(TypeError, match="either seed or rng"):
        Game.start(Rules()).dealt(seed=1, rng=random.Random(1))


def test_there_is_one_function_for_all_seats_or_one_for_each() -> None:
    with pytest.raises(ValueError, match="ask has 3 functions: give one, or one for each of 4 seats"):
        Game.start(Rules()).play_on([lambda seen: legal_moves(seen)[0]] * 3)
    wrong: Any = 3
    with wrong_type("ask must be callable or a sequence of functions, not an int"):
        Game.start(Rules()).play_on(wrong)
    nothing: Any = None
    with wrong_type("move must be"):
        Game.start(Rules()).play_on(lambda _: nothing)
    with pytest.raises(IllegalMove):
        Game.start(Rules()).play_on(lambda _: Play(0, "2C"))
    with pytest.raises(ValueError, match="must return a move of seat 0, which it was asked for, not Pass"):
        Game.start(Rules()).play_on(lambda _: Pass(1, "QS KS AS"))


def test_a_record_tells_a_game() -> None:
    game = random_game(Rules(target=30), 2)
    record = Record.of(game, [("Event", "club night")])
    assert record.tags == (("Event", "club night"),)
    assert record.points == tuple(row.points for row in game.state.score_sheet)
    state = game.state
    assert isinstance(state, GameOver)
    assert record.winners == state.winners
    verdict = verify(record)
    assert verdict.valid
    assert verdict.finished
    assert (verdict.state, verdict.plies) == (game.state, game.ply)
    part = verify(Record.of(game.fork(100)))
    assert part.valid
    assert not part.finished
    with pytest.raises(InvalidState, match="before the first deal of its game"):
        Record.of(Game(game.at(1)))


def test_what_verify_refuses() -> None:
    game = random_game(Rules(target=30), 2)
    record = Record.of(game)
    deals = len(record.points)
    assert deals > 1
    wrong = attrs.evolve(record, points=[*record.points[:-1], (1, 2, 3, 4)])
    assert verify(wrong).failure == ScoreMismatch(deals - 1, (1, 2, 3, 4), record.points[-1])
    assert str(verify(wrong)) == f"invalid: {verify(wrong).failure}"
    assert str(verify(record)) == f"valid, finished, {len(record.moves)} moves"
    assert str(verify(wrong).failure).startswith(f"the points of Deal {deals - 1} are ")
    more = attrs.evolve(record, points=[*record.points, (0, 0, 0, 0)])
    assert verify(more).failure == ScoreMismatch(deals, (0, 0, 0, 0), None)
    assert str(verify(more).failure) == (f"the points of Deal {deals} are not decided yet, but the record says 0 0 0 0")
    winners = attrs.evolve(record, winners=(0, 1, 2, 3))
    assert verify(winners).failure == ScoreMismatch(None, (0, 1, 2, 3), record.winners)
    assert str(verify(winners).failure).startswith("the winners are ")
    assert str(ScoreMismatch(None, (), None)) == "the winners are not decided yet, but the record says nobody"
    assert str(ScoreMismatch(0, (), (1, 2, 3))) == "the points of Deal 0 are 1 2 3, but the record says nothing"
    early = attrs.evolve(record, moves=record.moves[:-1], points=record.points[:-1])
    assert verify(early).failure == ScoreMismatch(None, record.winners or (), None)
    both = attrs.evolve(wrong, moves=[*record.moves, record.moves[-1]])
    assert isinstance(verify(both).failure, ScoreMismatch)
    illegal = attrs.evolve(record, moves=[*record.moves, record.moves[-1]])
    failure = verify(illegal).failure
    assert isinstance(failure, RefusedMove)
    assert failure.index == len(record.moves)
    assert not verify(illegal).valid
