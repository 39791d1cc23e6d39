"""The same games on a real Dask cluster: a scheduler, and worker processes, one of which dies."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import Executor
from pathlib import Path

import pytest
from typer.testing import CliRunner

from heartsrules import Cards, Rules
from heartsrules.apps.command_line import app
from heartsrules.rules import Tie
from heartsrules.simulation import many_games as simulate_module
from heartsrules.simulation.executors import ATTEMPTS, Chunked, WorkFailed, run
from heartsrules.simulation.many_games import simulate
from support.chores import Chore, play_but_die_once, square

pytestmark = pytest.mark.once_compiled

dask = pytest.importorskip("dask")
distributed = pytest.importorskip("distributed")

QUICK = Rules(
    removed=Cards([card for card in Rules().deck if card.rank not in (2, 3, 12)]),
    target=None,
    max_deals=1,
    tie=Tie.SHARED,
)


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    """A cluster of this machine: two worker processes, each with a nanny that starts another when it dies."""
    # Dask itself tries work of dead workers three more times; here it hands the failure on at once.
    with (
        dask.config.set({"distributed.scheduler.allowed-failures": 0}),
        distributed.LocalCluster(
            n_workers=2,
            threads_per_worker=1,
            processes=True,
            host="127.0.0.1",
            scheduler_port=0,
            dashboard_address="127.0.0.1:0",
            silence_logs=50,
        ) as cluster,
    ):
        yield cluster.scheduler_address


@pytest.fixture(scope="module")
def executor(address: str) -> Iterator[Executor]:
    with distributed.Client(address) as client:
        yield client.get_executor()


@pytest.mark.sampled(2)
@pytest.mark.parametrize("chunk", [None, 7])
def test_a_cluster_plays_the_same_games(executor: Executor, chunk: int | None) -> None:
    told: list[int] = []
    got = simulate(QUICK, 40, seed="c", executor=Chunked(executor, chunk=chunk, in_flight=8), progress=told.append)
    assert got == simulate(QUICK, 40, seed="c")
    assert told[-1] == 40


def test_the_work_is_done_by_its_workers(executor: Executor) -> None:
    done = list(
        run(square, [Chore(number, delay=0.05) for number in range(20)], Chunked(executor, in_flight=8), in_order=True)
    )
    assert [item.result[0] for item in done] == [number**2 for number in range(20)]
    assert len({item.result[1] for item in done}) == 2


def test_a_worker_that_dies_changes_nothing(
    executor: Executor, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(simulate_module, "_play", play_but_die_once)
    seed = str(tmp_path / "died")
    got = simulate(QUICK, 12, seed=seed, executor=Chunked(executor, chunk=2))
    assert (tmp_path / "died").exists()
    assert got == simulate(QUICK, 12, seed=seed)


@pytest.mark.long
def test_a_chunk_that_kills_every_worker_is_named(executor: Executor, tmp_path: Path) -> None:
    deadly = Chore(1, deaths=99, log=tmp_path / "attempts")
    with pytest.raises(WorkFailed) as caught:
        list(run(square, [Chore(0), deadly], Chunked(executor, in_flight=8)))
    assert (caught.value.chunk, caught.value.attempts) == (repr(deadly), ATTEMPTS)
    assert isinstance(caught.value.__cause__, distributed.KilledWorker)
    assert len((tmp_path / "attempts").read_text(encoding="utf-8")) == ATTEMPTS


@pytest.mark.long
@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    "command",
    [
        ["simulate", "cardstock", "--games", "30", "--seed", "1"],
        ["compare", "cardstock", "openspiel", "--games", "9", "--seed", "1", "--format", "json"],
        ["verify", str(Path(__file__).parents[1] / "data" / "records" / "games.hearts")],
    ],
    ids=["simulate", "compare", "verify"],
)
def test_the_command_line_works_on_a_cluster(address: str, command: list[str]) -> None:
    near, far = [CliRunner().invoke(app, [*command, *where]) for where in (["--jobs", "1"], ["--dask", address])]
    assert (far.exit_code, far.stdout, far.stderr) == (near.exit_code, near.stdout, near.stderr)
    assert near.exit_code == 0
