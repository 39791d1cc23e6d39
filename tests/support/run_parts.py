"""Parts of runs for tests: golden ones, and those that are refused; and a run that takes long enough to be stopped."""

from __future__ import annotations

import importlib
import os
import signal
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

import attrs

from heartsrules import Card, Rules, presets
from heartsrules.analysis.policies import Policy
from heartsrules.chance import RandomStream
from heartsrules.play.legality import CardChoice
from heartsrules.simulation import kept_games
from heartsrules.simulation.executors import Chunked, Processes, ThisProcess
from heartsrules.simulation.kept_games import Shard
from heartsrules.simulation.many_games import simulate
from heartsrules.simulation.parts import Resumable, RunIdentity, RunPart, Setting, Tables, Verdicts
from heartsrules.simulation.statistics import Statistics

__all__ = [
    "GAMES",
    "GOLDEN",
    "KEPT_GAMES",
    "REFUSED",
    "Slow",
    "golden_files",
    "keep_games",
    "part",
    "samples",
    "slow_games",
]

SHARD: Final = Shard("games-00000.parquet", 6, 512, "columns")
BUILD: Final = "3f2a9c0d1e7b compiled"
GOLDEN: Final = Path(__file__).resolve().parents[1] / "data" / "parts"


def part(
    *done: range,
    version: str = "0.1.0",
    builds: tuple[str, ...] = (BUILD,),
    rules: Rules | None = None,
    **settings: Any,
) -> RunPart[Tables]:
    """Tables of a match of four."""
    run = RunIdentity(
        work="match", rules=rules or Rules(), seed="7", whole=range(9), settings=settings, version=version
    )
    tables = Tables({table: ((table, 26 - table, 0, 0),) for span in done for table in span})
    return RunPart(run, done, tables, builds=builds)


def samples() -> dict[str, RunPart[Any]]:
    """A part of each kind of run."""
    rules = Rules(target=20)
    settings: dict[str, Setting] = {"max_deals": 1000, "players": ("Watchful",), "preset": "microsoft"}
    run = RunIdentity(work="simulate", rules=rules, seed="table 7", whole=range(9), settings=settings, version="0.1.0")
    judged = RunIdentity(
        work="verify",
        rules=None,
        seed="",
        whole=range(5),
        settings={"files": ("a.hearts",), "bytes": (700,)},
        version="0.1.0",
    )
    return {
        "simulate": RunPart(run, (range(2, 4),), simulate(rules, 2, seed="table 7", first_game=2), (SHARD,), (BUILD,)),
        "match": part(range(3), range(5, 6), deals=None, seatings=("heuristic", "uniform")),
        "verify": RunPart(
            judged, (range(5),), Verdicts(3, 2, 1, 1, ((1, "a.hearts #2: invalid"), (4, "unreadable"))), (), (BUILD,)
        ),
    }


def golden_files() -> dict[Path, bytes]:
    """The golden files as they are written now."""
    return {GOLDEN / f"{name}.json": sample.to_json() for name, sample in samples().items()}


def _broken(old: str, new: str, name: str = "match") -> object:
    text = (GOLDEN / f"{name}.json").read_text(encoding="utf-8")
    assert old in text, (old, text)
    return RunPart.from_json(text.replace(old, new).encode())


def _resumed(**changes: Any) -> object:
    """Continue a part whose shard has changed, or without changes another part in its file."""
    with TemporaryDirectory() as folder:
        path, rules = Path(folder, "part.json"), Rules(target=20)
        if changes:
            whole = Resumable(path, keep=Path(folder, "games.gz"))
            simulate(rules, 2, seed=1, executor=whole)
            done = RunPart.from_json(path.read_bytes())
            shards = (attrs.evolve(done.shards[0], **changes),)
            path.write_bytes(attrs.evolve(done, shards=shards).to_json())
            return simulate(rules, 2, seed=1, executor=whole)
        simulate(rules, 4, seed=1, executor=Resumable(path, part=(1, 2)))
        return simulate(rules, 4, seed=1, executor=Resumable(path, part=(2, 2)))


def _kept_no_more() -> object:
    with TemporaryDirectory() as folder:
        path, rules = Path(folder, "part.json"), Rules(target=20)
        simulate(rules, 2, seed=1, executor=Resumable(path))
        return simulate(rules, 2, seed=1, executor=Resumable(path, keep=Path(folder, "games.gz")))


REFUSED: Final[tuple[tuple[str, Callable[[], object]], ...]] = (
    ("/version other-run", lambda: part(range(2)) + part(range(2, 4), version="0.2.0")),
    ("/builds other-build", lambda: part(range(2)) + part(range(2, 4), builds=("9c0d1e7b3f2a compiled",))),
    ("/rules other-run", lambda: part(range(2)) + part(range(2, 4), rules=Rules(target=50))),
    ("/settings/deals other-run", lambda: part(range(2), deals=1) + part(range(2, 4), deals=2)),
    ("/done parts-overlap", lambda: part(range(3), range(5, 9)) + part(range(4, 7))),
    ("/done wrong-spans", partial(_broken, '"done":[[0,3],[5,6]]', '"done":[[5,6],[0,3]]')),
    ("/done wrong-spans", partial(_broken, '"done":[[0,3],[5,6]]', '"done":[[0,3],[2,3]]')),
    ("/done wrong-spans", partial(_broken, '"done":[[0,3],[5,6]]', '"done":[[0,3],[9,10]]')),
    ("/tally wrong-tally", partial(_broken, '"done":[[0,3],[5,6]]', '"done":[[0,3]]')),
    ("/tally wrong-tally", partial(_broken, '"games":2', '"games":3', "simulate")),
    ("/tally wrong-tally", partial(_broken, '"wins":[', '"wins":[1,', "simulate")),
    ("/tally wrong-tally", partial(_broken, '"valid":3,"finished":2', '"valid":3,"finished":4', "verify")),
    ("/tally wrong-tally", partial(_broken, "[[[0,26,0,0]]", "[[[0,26,0]]")),
    ("/rules wrong-tally", partial(_broken, '"rules":{}', '"rules":null')),
    ("/work wrong-shape", partial(_broken, '"work":"match"', '"work":"play"')),
    ("/seed repeated-key", partial(_broken, '"seed":"7"', '"seed":"7","seed":"7"')),
    ("/done other-part", _resumed),
    ("/shards lost-games", partial(_resumed, bytes=1000)),
    ("/shards other-keep", _kept_no_more),
    ("/shards other-form", partial(_resumed, form="columns")),
)
"""What is refused, with the place and the code of its problem."""


class Slow(Policy):
    """Takes a moment for each card, so that a run can be stopped while it goes on."""

    def choose_card(self, choice: CardChoice, stream: RandomStream) -> Card:
        time.sleep(0.001)
        return list(choice.legal)[stream.below(len(choice.legal))]


GAMES: Final = 300


def slow_games(files: Resumable | None = None) -> Statistics:
    """Games that take some twenty seconds in one process."""
    return simulate(presets.cardstock(), GAMES, seed="s", players=Slow(), executor=files)


KEPT_GAMES: Final = 60


def keep_games() -> None:
    """Play games, and keep them in small shards: `PART.json GAMES`, and the number of a step before which to die.

    The steps are the calls that open, rename and remove files in the folder of the part.
    """
    path, keep = Path(sys.argv[1]), Path(sys.argv[2])
    left = int(sys.argv[3]) if len(sys.argv) > 3 else 0

    def step(event: str, arguments: tuple[Any, ...]) -> None:
        nonlocal left
        if event in ("open", "os.rename", "os.remove") and str(path.parent) in str(arguments[0]):
            left -= 1
            if not left:
                os.kill(os.getpid(), signal.SIGKILL)

    sys.addaudithook(step)
    setattr(kept_games, "MAX_DEALS", 20)  # noqa: B010 - it is Final
    files = Resumable(path, keep=keep, executor=Chunked(ThisProcess(), chunk=2, in_flight=1))
    simulate(Rules(target=20), KEPT_GAMES, seed="1", executor=files)


def main() -> None:
    """Play the slow games: `PART.json` alone, on processes, or on the Dask cluster of an address."""
    path, where = Path(sys.argv[1]), sys.argv[2]
    if where == "alone":
        slow_games(Resumable(path))
    elif where == "processes":
        with Processes(2) as executor:
            slow_games(Resumable(path, executor=Chunked(executor, chunk=2)))
    else:
        distributed: Any = importlib.import_module("distributed")
        with distributed.Client(where, timeout="10s") as client:
            slow_games(
                Resumable(
                    path,
                    executor=Chunked(
                        client.get_executor(), chunk=2, in_flight=8, lost=lambda: client.status == "closed"
                    ),
                )
            )
