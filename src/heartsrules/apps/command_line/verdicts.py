"""Judge the records of files, and format the verdicts."""

from __future__ import annotations

import time
from collections import Counter, deque
from collections.abc import Callable, Iterator, Sequence
from typing import Final

import attrs

from heartsrules.apps.command_line.files import Format, Input, items_of, parts_of
from heartsrules.apps.command_line.messages import one_line
from heartsrules.apps.command_line.workers import Workers
from heartsrules.base.errors import counted, truncated
from heartsrules.play.game import RefusedMove, ScoreMismatch
from heartsrules.simulation.batch_judge import Judgement, Tags, Unreadable, Written, in_portions, judge_written

__all__ = ["Judged", "VerdictTally", "judge_files"]

_SHOWN_TAGS: Final = ("Event", "Site", "Date", "Round")
_LONGEST_TAG: Final = 60


@attrs.frozen
class Judged:
    """The verdict on a record of a file."""

    file: str
    number: int
    """Number of the record in the file, from 1."""
    tags: Tags
    outcome: Judgement | Unreadable

    @property
    def word(self) -> str:
        """`valid`, `invalid` or `unreadable`."""
        if isinstance(self.outcome, Unreadable):
            return "unreadable"
        return "valid" if self.outcome.valid else "invalid"

    def line(self) -> str:
        """Format the verdict as one line."""
        outcome = self.outcome
        tags = ", ".join([f"{name} {text[:_LONGEST_TAG]!r}" for name, text in self.tags if name in _SHOWN_TAGS])
        failure = outcome if isinstance(outcome, Unreadable) else outcome.failure
        if isinstance(outcome, Unreadable):
            details = f", {outcome.place}: {outcome}" if outcome.place else f": {outcome}"
        elif failure is None:
            moves = counted(outcome.moves, "move")
            details = f", {'finished' if outcome.finished else 'not finished'}, {moves}"
        else:
            details = f": {failure}" if outcome.line is None else f", line {outcome.line}: {failure}"
        if isinstance(failure, RefusedMove):
            details += f" ({', '.join(dict.fromkeys([violation.code for violation in failure.violations]))})"
        return one_line(f"{self.file} #{self.number}{f' [{tags}]' if tags else ''}: {self.word}{details}")

    def data(self) -> dict[str, object]:
        """Convert the verdict to JSON data."""
        outcome = self.outcome
        data: dict[str, object] = {"file": self.file, "record": self.number, "verdict": self.word}
        if isinstance(outcome, Unreadable):
            return data | {"failure": _failure_data(outcome)}
        data |= {"tags": self.tags, "finished": outcome.finished, "moves": outcome.moves}
        return data if outcome.failure is None else data | {"failure": _failure_data(outcome.failure, outcome.line)}


def _failure_data(failure: RefusedMove | ScoreMismatch | Unreadable, line: int | None = None) -> dict[str, object]:
    data: dict[str, object]
    if isinstance(failure, RefusedMove):
        from heartsrules.formats.wire.parts import violation_data  # which needs msgspec

        reasons = [violation_data(violation) for violation in failure.violations]
        move = {"move": failure.index, "deal": failure.deal, "trick": failure.trick, "line": line}
        data = {"kind": "illegal-move", **move, "violations": reasons}
    elif isinstance(failure, ScoreMismatch):
        data = {
            "kind": "wrong-winners" if failure.deal is None else "wrong-points",
            "deal": failure.deal,
            "claimed": failure.claimed,
            "actual": failure.actual,
        }
    else:
        data = {"kind": "unreadable", "line": failure.line, "column": failure.column}
    return {**data, "message": truncated(str(failure))}


class VerdictTally:
    """Counts of verdicts."""

    def __init__(self) -> None:
        self.counts: Final[Counter[str]] = Counter()

    def add(self, judged: Judged) -> None:
        """Count a verdict."""
        self.counts[judged.word] += 1
        outcome = judged.outcome
        self.counts["finished"] += isinstance(outcome, Judgement) and outcome.valid and outcome.finished

    @property
    def total(self) -> int:
        """The count of records."""
        return self.counts["valid"] + self.bad

    @property
    def bad(self) -> int:
        """The count of records that are not valid."""
        return self.counts["invalid"] + self.counts["unreadable"]

    def __str__(self) -> str:
        c = self.counts
        return (
            f"{counted(self.total, 'record')}: {c['valid']} valid ({c['finished']} finished), "
            f"{c['invalid']} invalid, {c['unreadable']} unreadable"
        )


def judge_files(
    sources: Sequence[Input], format_: Format, workers: Workers, ended: Callable[[Input, int], object]
) -> Iterator[Judged]:
    """Judge the records of files in order. `ended` is called at the end of each file, with the count of its records."""
    order: deque[tuple[Input, bool]] = deque()
    """`(file, True)` for each part of a file that is being judged, and `(file, False)` for its end."""

    def parts() -> Iterator[Written]:
        for source in sources:
            for part in items_of(source, lambda stream: parts_of(stream, format_)):
                order.append((source, True))
                yield part
            order.append((source, False))

    number = 0
    for outcomes in _judged_parts(parts(), workers):
        while not order[0][1]:
            ended(order.popleft()[0], number)
            number = 0
        source, _ = order.popleft()
        for tags, outcome in outcomes:
            number += 1
            yield Judged(source.name, number, tags, outcome)
    for source, _ in order:
        ended(source, number)
        number = 0


def _judged_parts(parts: Iterator[Written], workers: Workers) -> Iterator[list[tuple[Tags, Judgement | Unreadable]]]:
    started = time.perf_counter()
    if not workers.far:
        for part in parts:
            yield from judge_written([part])
            if workers.jobs > 1 and workers.would_help(time.perf_counter() - started):
                break
    if workers.far or workers.jobs > 1:
        executor = workers.executor()
        assert executor is not None
        yield from in_portions(judge_written, parts, executor)
