"""Verification of the records in files, and formatted verdicts."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Final

import attrs

from heartsrules.apps.command_line.files import Format, Input, items_of, parts_of
from heartsrules.apps.command_line.messages import one_line
from heartsrules.apps.command_line.workers import Workers
from heartsrules.base.errors import counted, truncated
from heartsrules.play.game import RefusedMove, ScoreMismatch
from heartsrules.simulation.batch_judge import (
    Judgement,
    Tags,
    Unreadable,
    Written,
    in_portions,
    judge_written,
    one_by_one,
)
from heartsrules.simulation.parts import Verdicts

_SHOWN_TAGS: Final = ("Event", "Site", "Date", "Round")
_LONGEST_TAG: Final = 60


@attrs.frozen
class Judged:
    file: str
    number: int
    """The number of the record in the file, from 1."""
    tags: Tags
    outcome: Judgement | Unreadable
    place: int
    """The number of the record in all files, from 0."""

    @property
    def verdicts(self) -> Verdicts:
        """The verdict as numbers of records."""
        word = self.word
        if word == "valid":
            return Verdicts(valid=1, finished=int(isinstance(self.outcome, Judgement) and self.outcome.finished))
        return Verdicts(**{word: 1}, failures=((self.place, self.line()),))

    @property
    def word(self) -> str:
        """`valid`, `invalid` or `unreadable`."""
        if isinstance(self.outcome, Unreadable):
            return "unreadable"
        return "valid" if self.outcome.valid else "invalid"

    def line(self) -> str:
        outcome = self.outcome
        tags = ", ".join([f"{name} {text[:_LONGEST_TAG]!r}" for name, text in self.tags if name in _SHOWN_TAGS])
        said = str(outcome)
        if isinstance(outcome, Unreadable):
            said = f"unreadable, {outcome.place}: {said}" if outcome.place else f"unreadable: {said}"
        elif isinstance(outcome.failure, RefusedMove):
            said += f" ({', '.join(dict.fromkeys([violation.code for violation in outcome.failure.violations]))})"
        return one_line(f"{self.file} #{self.number}{f' [{tags}]' if tags else ''}: {said}")

    def data(self) -> dict[str, object]:
        outcome = self.outcome
        data: dict[str, object] = {"file": self.file, "record": self.number, "verdict": self.word}
        if isinstance(outcome, Unreadable):
            return data | {"failure": _failure_data(outcome)}
        data |= {"tags": self.tags, "finished": outcome.finished, "moves": outcome.moves}
        return data if outcome.failure is None else data | {"failure": _failure_data(outcome.failure, outcome.line)}


def _failure_data(failure: RefusedMove | ScoreMismatch | Unreadable, line: int | None = None) -> dict[str, object]:
    data: dict[str, object]
    if isinstance(failure, RefusedMove):
        from heartsrules.formats.wire.parts import violation_data  # needs msgspec

        reasons = [violation_data(violation) for violation in failure.violations]
        place = {"move": failure.index, "deal": failure.deal, "trick": failure.trick, "line": line}
        data = {"kind": "illegal-move", **place, "violations": reasons}
    elif isinstance(failure, ScoreMismatch):
        kind = "wrong-winners" if failure.deal is None else "wrong-points"
        compared = {"claimed": failure.claimed, "actual": failure.actual}
        data = {"kind": kind, "deal": failure.deal, "line": line, **compared}
    else:
        data = {"kind": "unreadable", "line": failure.line, "column": failure.column}
    return {**data, "message": truncated(str(failure))}


def summary(verdicts: Verdicts) -> str:
    """Write the numbers of verdicts as a line."""
    v = verdicts
    return (
        f"{counted(v.valid + v.bad, 'record')}: {v.valid} valid ({v.finished} finished), "
        f"{v.invalid} invalid, {v.unreadable} unreadable"
    )


def records_of(source: Input, format_: Format) -> Iterator[Written]:
    """Yield the records of a file, one by one, not parsed yet."""
    return one_by_one(items_of(source, partial(parts_of, format_=format_)))


def judge_files(
    sources: Sequence[Input],
    format_: Format,
    workers: Workers,
    empty: Callable[[Input], object],
    wanted: Sequence[range] | None = None,
) -> Iterator[Judged]:
    """Verify the records of files in order.

    Args:
        empty: a function called with each file that has no records.
        wanted: the records to verify, numbered from 0 over all files. Defaults to all.
    """
    order: deque[tuple[Input, int, int]] = deque()
    """Each submitted record's file, number in the file and place."""

    def parts() -> Iterator[Written]:
        place = 0
        for source in sources:
            number = 0
            for number, part in enumerate(records_of(source, format_), 1):
                if wanted is None or any([place in places for places in wanted]):
                    order.append((source, number, place))
                    yield part
                place += 1
            if not number:
                empty(source)

    for outcomes in in_portions(judge_written, parts(), workers.chunked(chunk_alone=1)):
        for tags, outcome in outcomes:
            source, number, place = order.popleft()
            yield Judged(source.name, number, tags, outcome, place)
