"""The history of the benchmark: the ratios of each run that was kept, with the versions, so that a regression is seen.

`bench/history.jsonl` has a run a line. A run is named by its date and the commit; `--compare` takes the beginning of
either, or the version of the package, of which the last run counts; `--keep` writes one.
"""

from __future__ import annotations

import json
import statistics
import subprocess
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final, TypeAlias

__all__ = ["FILE", "Run", "compare", "find", "keep", "made", "slower"]

Run: TypeAlias = dict[str, Any]
"""Its date, commit, versions by name, machine, and by name its ratios: the median, the 10th and 90th percentile."""

FILE: Final = Path(__file__).with_name("history.jsonl")


def tenths(values: Sequence[float]) -> tuple[float, float, float]:
    """The median, the 10th and the 90th percentile."""
    found = statistics.quantiles(values, n=10, method="inclusive") if len(values) > 1 else [*values] * 9
    return statistics.median(values), found[0], found[8]


def made(ratios: Mapping[str, Sequence[float]], versions: Mapping[str, str], machine: str) -> Run:
    """A run of this moment."""
    return {
        "date": f"{datetime.now(UTC):%Y-%m-%d}",
        "commit": _commit(),
        "versions": dict(versions),
        "machine": machine,
        "ratios": {name: [round(value, 4) for value in tenths(values)] for name, values in ratios.items()},
    }


def _commit() -> str:
    """The commit of this checkout, with a + if files differ from it; empty where there is no git."""
    command = ["git", "describe", "--always", "--dirty=+", "--exclude=*"]
    try:
        done = subprocess.run(command, cwd=FILE.parent, capture_output=True, text=True, check=False)
    except OSError:
        return ""
    return done.stdout.strip()


def keep(run: Run, file: Path = FILE) -> None:
    """Write a run behind the others."""
    with file.open("a", encoding="utf-8") as out:
        out.write(json.dumps(run, ensure_ascii=False) + "\n")


def find(name: str, file: Path = FILE) -> Run:
    """The last run of a name.

    Raises:
        SystemExit: no run is of that name.
    """
    runs: list[Run] = []
    if file.exists():
        runs = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
    for run in reversed(runs):
        names = (run["date"], run["commit"], run["versions"]["heartsrules"])
        if any(one.startswith(name) for one in names):
            return run
    known = ", ".join(f"{run['date']} ({run['commit'] or 'no commit'})" for run in runs) or "none"
    raise SystemExit(f"no run {name!r} in {file.name}: choose from {known}")


def slower(old: Run, new: Run, most: float) -> list[str]:
    """The ratios whose medians are more than `most` times as large as before."""
    before = old["ratios"]
    return [name for name, (middle, *_) in new["ratios"].items() if name in before and middle > most * before[name][0]]


def compare(old: Run, new: Run) -> list[str]:
    """A line for each ratio that both have, and a word where the two do not overlap."""
    lines = [f"{'':62}     old     new  new / old   (old: {old['date']} {old['commit']})"]
    for name, (middle, low, high) in new["ratios"].items():
        if name not in old["ratios"]:
            continue
        before, least, most = old["ratios"][name]
        word = "  slower" if low > most else "  faster" if high < least else ""
        lines.append(f"  {name:60}{before:8.3f}{middle:8.3f}{middle / before:11.3f}{word}")
    return lines
