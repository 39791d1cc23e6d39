"""Games on local workers of Ray, in a process of their own: Ray leaves processes and warnings behind."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
import ray

from heartsrules import Rules
from heartsrules.simulation import many_games
from heartsrules.simulation.executors import Chunked, run
from heartsrules.simulation.many_games import simulate
from heartsrules.simulation.on_ray import RayTasks
from heartsrules.simulation.parts import Resumable
from support.chores import Chore, play_but_die_once, refuse

__all__ = ["main"]


def main() -> None:
    """Play in a folder, which the first argument names."""
    folder = Path(sys.argv[1])
    rules = Rules(target=20)
    seed = str(folder / "died")
    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False, _node_ip_address="127.0.0.1")
    tasks = RayTasks()
    whole = simulate(rules, 12, seed=seed)
    files = Resumable(folder / "part.json", executor=Chunked(tasks, chunk=3))
    assert simulate(rules, 12, seed=seed, executor=files) == whole
    with pytest.raises(LookupError, match="no 3"):
        list(run(refuse, [Chore(3)], tasks))
    many_games._play = play_but_die_once
    assert simulate(rules, 12, seed=seed, executor=Chunked(tasks, chunk=2)) == whole
    assert (folder / "died").exists(), "a worker has died"
    tasks.shutdown()
    with pytest.raises(RuntimeError, match="after shutdown"):
        tasks.submit(len, "")
    ray.shutdown()
