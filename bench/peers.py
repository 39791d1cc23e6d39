"""The speed of a move, compared with OpenSpiel's Hearts, chess in python-chess and hold'em in pokerkit.

    python bench/peers.py [--games 20] [--rounds 15]

All games are played uniformly at random: ask what is legal, choose, make the move. Two of the libraries have other
games than this one, with more moves to choose from or with more to do for one, so a ratio says what a program pays for
a move and not which library is written better. A library that is not installed is left out, and said to be.

The works take turns in every round; what is compared is ratios within a round. Times are processor time, of

- a new state for each move, while the old one stays as it was;
- a move in place, where a library has that;
- a move that is told: it is checked, and made, as by a judge of games that were written down.
"""

from __future__ import annotations

import argparse
import copy
import importlib
import os
import platform
import random
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any, Final

import attrs
from deals import all_states, our_starts, packs, step_ours
from measuring import Work, growth, import_time, measure, positive, ratios, spread, timed

import heartsrules
from builds import Build, interpreted, whole

NEW: Final = "a new state for each move"
IN_PLACE: Final = "in place"
CHECKED: Final = "a move that is told: checked and made"

OURS: Final = "heartsrules"
PACKAGES: Final = {"OpenSpiel": "open_spiel", "python-chess": "chess", "pokerkit": "pokerkit"}
"""Distribution names by library."""
MODULES: Final = {"OpenSpiel": "pyspiel", "python-chess": "chess", "pokerkit": "pokerkit"}
PLAYED: Final = "heartsrules.play.dealing, heartsrules.play.engine"
"""The modules that a game needs; the package itself loads almost nothing."""

PLIES: Final = 100
"""Limit on the plies of a game of chess."""
DEALS: Final = 25
"""Deals of Hearts for each game of another kind, so that all works take milliseconds: shorter ones would be disturbed
by the processor caches of the work before."""


@attrs.frozen
class Side:
    """The measured works of one library."""

    works: dict[str, Work]
    """Functions that return the microseconds of a move, by kind of work."""
    choices: Callable[[], float]
    """The mean number of legal moves."""
    states: Callable[[], list[Any]]
    """A function that makes all states of the games before a move."""
    states_are: str
    """A word for such a state."""


# Hearts, here and in OpenSpiel: deals of 52 plays.


def ours(build: Build, deals: int, seed: int) -> Side:
    """Hearts in a build of this package."""
    starts = our_starts(build, packs(deals, seed))
    legal_moves, apply = build.legal_moves, build.apply
    lines = []
    draw = random.Random(seed).random
    for start in starts:
        state, line = start, []
        while type(state) is build.Playing:
            moves = legal_moves(state)
            line.append(moves[int(draw() * len(moves))])
            state = apply(state, line[-1])
        lines.append(line)

    def told() -> int:
        for start, line in zip(starts, lines, strict=True):
            state = start
            for move in line:
                state = apply(state, move)
        return 52 * len(starts)

    return Side(
        {NEW: lambda: timed(step_ours, build, starts, seed), CHECKED: lambda: timed(told)},
        lambda: statistics.mean([len(legal_moves(state)) for state in all_states(build, starts, seed)]),
        lambda: all_states(build, starts, seed),
        "a state",
    )


def openspiel(module: Any, deals: int, seed: int) -> Side:
    """The same deals in OpenSpiel."""
    starts = module.peer_starts(packs(deals, seed))
    lines = []
    draw = random.Random(seed).random
    for start in starts:
        state, line = start.clone(), []
        while not state.is_terminal():
            actions = state.legal_actions()
            line.append(actions[int(draw() * len(actions))])
            state.apply_action(line[-1])
        lines.append(line)

    def told() -> int:
        for start, line in zip(starts, lines, strict=True):
            state = start.clone()
            for action in line:
                state.apply_action_with_legality_check(action)
        return 52 * len(starts)

    return Side(
        {
            NEW: lambda: timed(module.play_children, starts, seed),
            IN_PLACE: lambda: timed(module.play_in_place, starts, seed),
            CHECKED: lambda: timed(told),
        },
        lambda: statistics.mean([len(state.legal_actions()) for state in module.all_clones(starts, seed)]),
        lambda: module.all_clones(starts, seed),
        "a clone",
    )


# Chess: games of at most `PLIES` moves.


def python_chess(chess: Any, games: int, seed: int) -> Side:
    """Chess from the usual beginning."""

    def walk(*, copies: bool) -> list[list[Any]]:
        """Draw the moves of each game, on copies of boards without their past moves."""
        draw = random.Random(seed).random
        lines = []
        for _ in range(games):
            board = chess.Board()
            line: list[Any] = []
            while len(line) < PLIES:
                moves = list(board.legal_moves)
                if not moves:
                    break
                line.append(moves[int(draw() * len(moves))])
                if copies:
                    board = board.copy(stack=False)
                board.push(line[-1])
            lines.append(line)
        return lines

    lines = walk(copies=False)
    made = sum(map(len, lines))

    def told() -> int:
        for line in lines:
            board = chess.Board()
            for move in line:
                if not board.is_legal(move):
                    raise ValueError(move)
                board.push(move)
        return made

    def boards() -> list[Any]:
        kept = []
        for line in lines:
            board = chess.Board()
            for move in line:
                kept.append(board.copy(stack=False))
                board.push(move)
        return kept

    return Side(
        {
            NEW: lambda: timed(lambda: len(walk(copies=True)) and made),
            IN_PLACE: lambda: timed(lambda: len(walk(copies=False)) and made),
            CHECKED: lambda: timed(told),
        },
        lambda: statistics.mean([board.legal_moves.count() for board in boards()]),
        boards,
        "a copy of a board, without its past moves",
    )


# Poker: hands of no-limit hold'em, six players with a hundred big blinds each.


def pokerkit(module: Any, games: int, seed: int) -> Side:
    """Hold'em: fold, check or call, or the least raise. Everything but players' decisions is automatic."""
    automatic = [one for one in module.Automation if one is not module.Automation.RUNOUT_COUNT_SELECTION]
    table = module.NoLimitTexasHoldem(tuple(automatic), True, 0, (1, 2), 2)
    # pokerkit shuffles with Python's own generator.
    random.seed(seed)
    starts = [table(200, 6) for _ in range(games)]

    def options(state: Any) -> list[str]:
        """The names of the legal actions."""
        found = ["fold"] if state.can_fold() else []
        if state.can_check_or_call():
            found.append("check_or_call")
        if state.can_complete_bet_or_raise_to():
            found.append("complete_bet_or_raise_to")
        return found

    def walk(states: list[Any], *, copies: bool) -> list[list[str]]:
        """Draw the actions of each hand."""
        draw = random.Random(seed).random
        lines = []
        for start in states:
            state, line = start, []
            while state.status:
                names = options(state)
                line.append(names[int(draw() * len(names))])
                if copies:
                    state = copy.deepcopy(state)
                getattr(state, line[-1])()
            lines.append(line)
        return lines

    lines = walk(copy.deepcopy(starts), copies=False)
    made = sum(map(len, lines))

    def on_copies(work: Callable[[list[Any]], object]) -> float:
        """The time of a work on copies of the hands; copying is not timed."""
        states = copy.deepcopy(starts)
        return timed(lambda: 0 if work(states) is None else made)

    def told(states: list[Any]) -> int:
        for state, line in zip(states, lines, strict=True):
            for name in line:
                getattr(state, name)()
        return made

    def kept() -> list[Any]:
        found = []
        for start, line in zip(copy.deepcopy(starts), lines, strict=True):
            for name in line:
                found.append(copy.deepcopy(start))
                getattr(start, name)()
        return found

    return Side(
        {
            NEW: lambda: timed(lambda: len(walk(starts, copies=True)) and made),
            IN_PLACE: lambda: on_copies(lambda states: walk(states, copies=False)),
            CHECKED: lambda: on_copies(told),
        },
        lambda: statistics.mean([len(options(state)) for state in kept()]),
        kept,
        "a deep copy of a state",
    )


# Reports.


def side_of(name: str, deals: int, games: int, seed: int) -> Side | None:
    """Make a side with this many deals of Hearts or other games; None if it is not installed."""
    if name == OURS:
        return ours(whole(heartsrules), deals, seed)
    if name == f"{OURS}, interpreted":
        return ours(interpreted(), deals, seed) if heartsrules.COMPILED else None
    try:
        if name == "OpenSpiel":
            return openspiel(importlib.import_module("openspiel"), deals, seed)
        module = importlib.import_module(MODULES[name])
    except ImportError:
        return None
    return (python_chess if name == "python-chess" else pokerkit)(module, games, seed)


def bytes_of(name: str, kept: int, seed: int) -> float:
    """The size of a state in bytes, by the growth of a fresh process, which has no free memory to reuse."""
    command = [sys.executable, __file__, "--size-of", name, "--kept", str(kept), "--seed", str(seed)]
    return float(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the benchmark and print it."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "--games",
        type=positive,
        default=20,
        help=f"of chess and poker in a round, and {DEALS} times as many deals (default 20)",
    )
    parser.add_argument("--rounds", type=positive, default=15, help="rounds; all take turns in each (default 15)")
    parser.add_argument("--kept", type=positive, default=200, help="games whose states are weighed (default 200)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--size-of", metavar="LIBRARY", help="print the bytes of a state of one library, no more")
    options = parser.parse_args(arguments)
    games, seed = options.games, options.seed
    if options.size_of is not None:
        side = side_of(options.size_of, options.kept, options.kept, seed)
        if side is None:
            raise SystemExit(f"{options.size_of} is not installed")
        size, states = growth(side.states)
        print(size / len(states))
        return
    machine = f"Python {platform.python_version()} on {platform.system()} {platform.machine()}, {os.cpu_count()} cores"
    print(f"{machine}; {options.rounds} rounds of {DEALS * games} deals, or {games} games, seed {seed}")
    if hasattr(os, "getloadavg"):
        print(f"load of the machine over the last minute at the start: {os.getloadavg()[0]:.1f}")
    build = "compiled" if heartsrules.COMPILED else "interpreted"
    print(f"{OURS} {heartsrules.__version__}, {build}")
    sides: dict[str, Side] = {}
    for name in (OURS, f"{OURS}, interpreted", *PACKAGES):
        side = side_of(name, DEALS * games, games, seed)
        if side is not None:
            sides[name] = side
        if name in sides and name in PACKAGES:
            print(f"{name} {version(PACKAGES[name])}")
        elif name in PACKAGES:
            print(f"{name} is not installed and left out: pip install {PACKAGES[name]}")
    report(sides, options.rounds)
    print("\nmilliseconds of an import in a fresh process, of ours what a game needs; and beside that")
    imports: dict[str, tuple[str, Path | None]] = {OURS: (PLAYED, Path(heartsrules.__file__).parent.parent)}
    imports |= {name: (MODULES[name], None) for name in sides if name in MODULES}
    times = measure_imports(imports, options.rounds)
    for name in imports:
        print(f"  {name:26}{spread(times[name], 1)}    {spread(ratios(times, name, OURS), 2)}")
    if sys.platform == "linux":
        print("\nbytes of a state, by the growth of a process that keeps all states of the games")
        for name in imports:
            print(f"  {name:26}{bytes_of(name, options.kept, seed):8.0f}   {sides[name].states_are}")


def report(sides: dict[str, Side], rounds: int) -> None:
    """Measure the works of all sides, and print them and their ratios to ours."""
    works = {f"{name}: {kind}": work for name, side in sides.items() for kind, work in side.works.items()}
    times = measure(works, rounds)
    for kind in (NEW, IN_PLACE, CHECKED):
        beside = f"{OURS}: {CHECKED if kind == CHECKED else NEW}"
        print(f"\n{kind}: microseconds, and beside {beside}; median (10th to 90th percentile)")
        for name, side in sides.items():
            if kind in side.works:
                one = f"{name}: {kind}"
                print(f"  {name:26}{spread(times[one])}    {spread(ratios(times, one, beside), 2)}")
    print("\nlegal moves to choose from, mean")
    for name, side in sides.items():
        print(f"  {name:26}{side.choices():8.1f}")


def measure_imports(imports: dict[str, tuple[str, Path | None]], rounds: int) -> dict[str, list[float]]:
    """The milliseconds of each import, in turns, with bytecode cached."""
    with tempfile.TemporaryDirectory() as bytecode:
        works: dict[str, Work] = {}
        for name, (module, folder) in imports.items():
            works[name] = lambda module=module, folder=folder: import_time(module, folder, bytecode)  # type: ignore[misc]
        return measure(works, rounds)


if __name__ == "__main__":
    main()
