"""Many positions solved or assessed at once: what `solve` and `assess` find of each, in order, on any executor."""

from __future__ import annotations

from typing import Final

import pytest

from heartsrules import Playing, Rules, apply, deal, legal_moves, new_game, view
from heartsrules.analysis import TooManyPositions, assess, solve
from heartsrules.analysis.policies import BatchPolicy, Policy, Watchful
from heartsrules.bots import Learned
from heartsrules.chance import RandomStream
from heartsrules.simulation.batch_analysis import assess_all, solve_all
from heartsrules.simulation.executors import Chunked, Processes, WorkFailed
from support.chores import Losing, OneByOne


def ending(seed: int, tricks: int = 3) -> Playing:
    """A deal that is played at random up to its last tricks."""
    start = new_game(Rules(pass_cycle=[()]))
    state = apply(start, deal(start, seed=seed))
    stream = RandomStream(seed)
    while not isinstance(state, Playing) or state.trick_number < 13 - tricks:
        moves = legal_moves(state)
        state = apply(state, moves[stream.below(len(moves))])
    return state


ENDINGS: Final = [ending(seed) for seed in range(7)]
VIEWS: Final = [view(state, state.turn) for state in ENDINGS]


def test_solutions_are_those_of_solve_whoever_finds_them() -> None:
    solutions = [solve(state) for state in ENDINGS]
    assert list(solve_all(iter(ENDINGS))) == solutions
    with OneByOne(3) as executor:
        assert list(solve_all(iter(ENDINGS), executor=Chunked(executor, chunk=2))) == solutions
    assert list(solve_all(ENDINGS, paranoid=True)) == [solve(state, paranoid=True) for state in ENDINGS]


def test_an_ending_that_is_too_large_is_told_in_its_place() -> None:
    small = ending(1, tricks=1)
    found = list(solve_all([ENDINGS[0], small, ENDINGS[1]], most_positions=2))
    assert [type(each) for each in found] == [TooManyPositions, type(solve(small)), TooManyPositions]
    assert found[1] == solve(small)


@pytest.mark.parametrize("policy", [Watchful(), Learned()])
def test_assessments_are_those_of_assess_whoever_makes_them(policy: Policy | BatchPolicy) -> None:
    wanted = [assess(seen, RandomStream(f"7/{number}"), worlds=5, policy=policy) for number, seen in enumerate(VIEWS)]
    assert list(assess_all(iter(VIEWS), 7, worlds=5, policy=policy)) == wanted
    with OneByOne(1) as executor:
        assert list(assess_all(VIEWS, "7", worlds=5, policy=policy, executor=executor)) == wanted
    assert list(assess_all(VIEWS[:2], 8, worlds=5, policy=policy)) != wanted[:2]


@pytest.mark.long
def test_processes_find_the_same() -> None:
    with Processes(2) as executor:
        found = list(solve_all([*ENDINGS, *ENDINGS], most_positions=3, executor=Chunked(executor, chunk=3)))
        assert [str(each) for each in found] == [str(each) for each in solve_all(ENDINGS, most_positions=3)] * 2
        assert list(assess_all(VIEWS, 7, worlds=3, executor=executor)) == list(assess_all(VIEWS, 7, worlds=3))


def test_what_cannot_be_done_is_named() -> None:
    with Losing(lambda call, _: "lost" if call > 2 else "done") as executor, pytest.raises(WorkFailed) as caught:
        list(solve_all(ENDINGS, executor=Chunked(executor, chunk=2, in_flight=1)))
    assert caught.value.chunk == "the chunk of positions 4 to 5"
    with pytest.raises(TypeError, match="state must be a Playing or a ChoosingMoon, not an int"):
        next(solve_all([5]))  # type: ignore[list-item] # pyright: ignore[reportArgumentType]
    with pytest.raises((AttributeError, TypeError)):
        next(assess_all(ENDINGS, 1))  # type: ignore[arg-type] # pyright: ignore[reportArgumentType]
