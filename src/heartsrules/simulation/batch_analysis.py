"""Solve or assess many positions, on this machine or on a cluster.

`solve_all` and `assess_all` yield the results of `heartsrules.analysis.solve` and `assess` for each position, in order.
With `Processes`, they use all cores, and the workers import the script:

    if __name__ == "__main__":
        with Processes() as executor:
            for solution in solve_all(states, executor=executor):
                ...
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import Executor
from functools import partial

from heartsrules.analysis import MOST_POSITIONS, Assessment, Solution, TooManyPositions, assess, solve
from heartsrules.analysis.policies import BatchPolicy, Policy, Watchful
from heartsrules.chance import RandomStream
from heartsrules.chance.bits import seed_text
from heartsrules.play.state import ChoosingMoon, Playing
from heartsrules.simulation.batch_judge import in_portions
from heartsrules.simulation.executors import Chunked
from heartsrules.views import View

__all__ = ["assess_all", "solve_all"]
__dir__ = __all__.copy


def solve_all(
    states: Iterable[Playing | ChoosingMoon],
    *,
    paranoid: bool = False,
    most_positions: int = MOST_POSITIONS,
    executor: Executor | Chunked | None = None,
) -> Iterator[Solution | TooManyPositions]:
    """Solve endings in order, as `solve` does.

    States are read lazily, a bounded number ahead of the results.

    Args:
        states: the endings.
        paranoid: as in `solve`.
        most_positions: the node budget of each ending. Each worker needs memory for one.
        executor: an executor, such as `heartsrules.simulation.executors.Processes`, or a `Chunked` one. Defaults to
            this process.

    Returns:
        An iterator of solutions, or errors for endings that exceed the budget. It can be closed early.

    Raises:
        WorkFailed: workers died or could not be reached at every attempt for a chunk.
        ValueError: as in `solve`, except `TooManyPositions`.
    """
    work = partial(_solved, paranoid, most_positions)
    return in_portions(work, states, executor, "positions")


def _solved(
    paranoid: bool, most_positions: int, states: Sequence[Playing | ChoosingMoon]
) -> list[Solution | TooManyPositions]:
    found: list[Solution | TooManyPositions] = []
    for state in states:
        try:
            found.append(solve(state, paranoid=paranoid, most_positions=most_positions))
        except TooManyPositions as error:
            found.append(error)
    return found


def assess_all(
    views: Iterable[View],
    seed: str | int,
    *,
    worlds: int | None = None,
    policy: Policy | BatchPolicy | None = Watchful(),  # noqa: B008 - it is immutable
    executor: Executor | Chunked | None = None,
) -> Iterator[Assessment]:
    """Assess the moves of views in order, as `assess` does.

    View `k`, from 0, uses `RandomStream(f"{seed}/{k}")`. Views are read lazily, as in `solve_all`.

    Args:
        views: views of seats to act.
        worlds: the number of worlds for every move. Defaults to 100.
        policy: as in `assess`.
        executor: as in `solve_all`.

    Returns:
        An iterator of assessments, which can be closed early.

    Raises:
        WorkFailed: as in `solve_all`.
        ValueError: as in `assess`, or the seed contains a lone surrogate or too many digits.
        InvalidState, TooManyWorlds: as in `assess`.
    """
    text = seed_text(seed)
    work = partial(_assessed, worlds, policy)
    seeded = ((view, f"{text}/{number}") for number, view in enumerate(views))
    return in_portions(work, seeded, executor, "positions")


def _assessed(
    worlds: int | None, policy: Policy | BatchPolicy | None, views: Sequence[tuple[View, str]]
) -> list[Assessment]:
    return [assess(view, RandomStream(seed), worlds=worlds, policy=policy) for view, seed in views]
