"""The command line: `heartsrules presets`, `rules`, `simulate`, `compare`, `verify` and `show` (extra `cli`).

Data goes to stdout, errors and the progress bar to stderr. Exit codes: 0 for success, 1 for a rule set that cannot be
played, a record that is not valid, workers that died, or output that cannot be written, 2 for a wrong use or a file
without a record, 130 for an interruption. No message has more than 2,000 characters.
"""

from __future__ import annotations

import contextlib
import csv
import enum
import gzip
import importlib
import io
import json
import math
import re
import secrets
import stat
import sys
import time
import typing
import zlib
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Executor
from importlib import metadata
from itertools import chain
from pathlib import Path
from typing import Annotated, Any, Final, TypeAlias

import attrs
import typer
from rich.box import SIMPLE
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskID, TextColumn, TimeRemainingColumn
from rich.table import Table
from typer.core import TyperGroup

from heartsrules import presets
from heartsrules.cards import Card, Cards, Suit
from heartsrules.engine import legal_moves, to_act
from heartsrules.errors import MAX_MESSAGE, InvalidNotation, InvalidRules, InvalidState, cut, in_words
from heartsrules.executors import Processes, WorkFailed, usable_cores
from heartsrules.figures import COLUMNS, MissingExtra, Run, check_path, plot, plot_comparison, rows, to_data
from heartsrules.game import Record, RefusedMove, Replay, ScoreMismatch, replay
from heartsrules.judging import (
    Judgement,
    Tags,
    Unreadable,
    Written,
    WrittenJson,
    in_portions,
    judge_written,
    read_written,
    written_in_text,
)
from heartsrules.moves import Pass, Play
from heartsrules.notation import MAX_LINE, format_field, format_rules, parse_field, parse_position
from heartsrules.notation.fields import one_of, parse_bool
from heartsrules.notation.record import lines_of
from heartsrules.presets import Preset
from heartsrules.rules import MAX_DEALS, Reckoning, Rules, Seat
from heartsrules.scoring import display_score
from heartsrules.sheet import DealScore
from heartsrules.simulate import (
    MAX_DEALS_PER_GAME,
    MAX_GAMES,
    Distribution,
    Moments,
    SimulationFailed,
    SimulationInterrupted,
    Statistics,
)
from heartsrules.simulate import simulate as play
from heartsrules.state import AwaitingDeal, ChoosingMoon, GameOver, Passing, PlayedDeal, Playing, State
from heartsrules.terminal import register_play
from heartsrules.views import (
    AwaitingDealView,
    ChoosingMoonView,
    GameOverView,
    PassingView,
    PlayedDealView,
    PlayingView,
    View,
    view,
)
from heartsrules.violations import PRECEDENCE

__all__ = ["app"]

_FIELDS: Final = tuple(field.name for field in attrs.fields(Rules) if field.init)

# ---------------------------------------------------------------------------------------------------------------
# From arguments to a rule set


def _preset(name: str) -> Preset:
    preset = presets.ALL.get(name.lower().replace("-", "_"))
    if preset is None:
        raise typer.BadParameter(f"there is no {name!r}: {one_of(name, presets.ALL)}", param_hint="PRESET")
    return preset


def _wrong_setting(message: str) -> typer.BadParameter:
    return typer.BadParameter(message, param_hint="--set")


def _texts(preset: Preset, settings: Iterable[str]) -> dict[str, str]:
    """What `--set` gives for each field of `Rules` and each option of the preset, still as text."""
    known = dict.fromkeys([*_FIELDS, *preset.options])
    texts: dict[str, str] = {}
    for setting in settings:
        given, equals, text = setting.partition("=")
        name = given.strip().lower().replace("-", "_")
        if not equals:
            raise _wrong_setting(f"{setting!r} has no '=': write field=value")
        if name not in known:
            raise _wrong_setting(f"there is no field {given!r}: {one_of(name, known)}")
        if name in texts:
            raise _wrong_setting(f"{name} is given twice")
        texts[name] = text
    return texts


def _parsed(preset: Preset, name: str, text: str, players: int) -> Any:
    try:
        return parse_field(name, text, players) if name in _FIELDS else _parse_own_option(preset, name, text)
    except ValueError as error:
        raise _wrong_setting(f"{name}: {error}") from None


def _parse_own_option(preset: Preset, name: str, text: str) -> object:
    """The value of an option of a preset that is no field of `Rules`: a bool, or one of several names."""
    kind = typing.get_type_hints(preset.make)[name]
    if kind is bool:
        return parse_bool(text)
    names = [name for part in typing.get_args(kind) for name in typing.get_args(part)]
    chosen = text.strip().lower()
    if chosen not in names:
        raise ValueError(f"there is no {text!r}: {one_of(chosen, names)}")
    return chosen


def _players(preset: Preset, players: int | None, texts: dict[str, str]) -> int:
    """How many play: given by `--players`, as a field (which is taken out of `texts`), or not at all."""
    where = "--players"
    if "players" in texts:
        if players is not None:
            raise _wrong_setting("players is given by --players too")
        where = "--set"
        players = _parsed(preset, "players", texts.pop("players"), preset.default_players)
    if players is None:
        return preset.default_players
    if players not in preset.players:
        counts = ", ".join(map(str, preset.players))
        said = f"{preset.name} is not for {in_words(players)} players: choose from {counts}"
        raise typer.BadParameter(said, param_hint=where)
    return players


def _offers(preset: Preset, players: int, name: str, value: object) -> bool:
    """Whether the preset itself has this choice; otherwise it is a house rule, set on the finished rule set."""
    if name not in preset.options:
        return False
    try:
        preset.rules(players, **{name: value})
    except (InvalidRules, TypeError):
        return name not in _FIELDS
    return True


def _make(preset: Preset, players: int, values: Mapping[str, Any]) -> Rules:
    """The preset's rule set with these values.

    Choices that the preset offers are made by the preset: with a kitty it may deal fewer cards too.

    Raises:
        InvalidRules: with the problems of the preset and of the finished rule set.
    """
    choices = {name: value for name, value in values.items() if _offers(preset, players, name, value)}
    fields = {name: value for name, value in values.items() if name in _FIELDS}
    try:
        chosen = preset.rules(players, **choices)
    except InvalidRules as error:
        problems = list(error.problems)
        try:
            attrs.evolve(preset.rules(players), **fields)
        except InvalidRules as other:
            problems += [problem for problem in other.problems if problem not in problems]
        raise InvalidRules(problems, error.further) from None
    return attrs.evolve(chosen, **fields)


def _rule_set(name: str, players: int | None, settings: Iterable[str]) -> tuple[Rules, str]:
    """The rule set and a line that names it; if it cannot be played, prints every problem and exits with 1."""
    preset = _preset(name)
    texts = _texts(preset, settings)
    count = _players(preset, players, texts)
    values = {field: _parsed(preset, field, text, count) for field, text in texts.items()}
    try:
        rules = _make(preset, count, values)
    except InvalidRules as error:
        typer.echo("Error: this rule set cannot be played:", err=True)
        for line in _problem_lines(error):
            typer.echo(line, err=True)
        raise typer.Exit(1) from None
    shown = {field: getattr(rules, field) if field in _FIELDS else value for field, value in values.items()}
    given = [f"{field}={format_field(field, value, count)}" for field, value in shown.items()]
    return rules, ", ".join([preset.name, f"{count} players", *given])


_ROOM: Final = 200
"""What stands before and after the problems of a rule set."""


def _problem_lines(error: InvalidRules) -> Iterator[str]:
    """A line for each problem, as many as one message has room for, and how many more there are."""
    room = MAX_MESSAGE - _ROOM
    for number, problem in enumerate(error.problems):
        line = cut(f"  {problem.code}: {problem.message}", MAX_MESSAGE // 2)
        room -= len(line)
        if room < 0:
            yield f"  and {len(error.problems) - number + error.further} further problems"
            return
        yield line
    if error.further:
        yield f"  and {error.further} further problems"


# ---------------------------------------------------------------------------------------------------------------
# Tables

_PIPE_WIDTH: Final = 10_000
"""Columns of output that goes to no terminal: no line of a table is ever that long, so none is wrapped."""


_BAR: Final = (TextColumn("{task.description}"), BarColumn())


def _console(*, stderr: bool = False) -> Console:
    console = Console(stderr=stderr, markup=False, highlight=False, emoji=False)
    if isinstance(console.file, io.TextIOWrapper):
        # A character that the encoding lacks must not end the program.
        console.file.reconfigure(errors="backslashreplace")
    if not console.is_terminal:
        console.width = _PIPE_WIDTH
    return console


def _table(*columns: str, right: Iterable[str] = ()) -> Table:
    table = Table(box=SIMPLE, pad_edge=False, show_edge=False)
    for column in columns:
        table.add_column(column, justify="right" if column in right else "left", overflow="fold")
    return table


def _counts(players: Sequence[int]) -> str:
    return str(players[0]) if len(players) == 1 else f"{players[0]}-{players[-1]}"


def _number(value: float, digits: int = 2) -> str:
    """A mean or a rate; nothing to take it of shows as a dash."""
    return "-" if math.isnan(value) else f"{value:.{digits}f}"


def _share(part: int, whole: int, of: str) -> str:
    return f"{part} ({100 * part / whole:.2f} % of {of})" if whole else f"{part}"


def _range(moments: Moments) -> str:
    return f"{moments.lowest} to {moments.highest}" if moments.count else "-"


def _with_error(moments: Moments) -> str:
    error = moments.standard_error
    return _number(moments.mean) + ("" if math.isnan(error) else f" +/- {error:.2f}")


def _figures(statistics: Statistics, max_deals: int) -> Table:
    s = statistics
    table = _table("figure", "value")
    for figure, value in (
        ("games", str(s.games)),
        (f"unfinished games (stopped after {max_deals} deals)", str(s.unfinished)),
        ("games tied for the first place", _share(s.tied_games, s.games, "games")),
        ("deals", str(s.deals)),
        ("extra deals after a tie", str(s.extra_deals)),
        ("deals per game, mean", _with_error(s.deals_per_game)),
        ("deals per game, range", _range(s.deals_per_game)),
        ("decisions", str(s.decisions)),
        ("cards played", str(s.plays)),
        ("legal cards per decision, mean", _number(s.mean_choices, 4)),
        ("legal cards per decision, most", str(s.most_choices)),
        ("forced cards per deal", _with_error(s.forced_per_deal)),
        ("passes", str(s.passes.count)),
        ("passes declined", _share(s.declined, s.passes.count, "passes")),
        ("legal passes per decision, mean", _number(s.passes.mean)),
        ("legal passes per decision, most", str(s.passes.highest or 0)),
        ("choices of the moon", str(s.moon_choices)),
        ("moons", _share(s.moons, s.deals, "deals")),
        ("suns", _share(s.suns, s.deals, "deals")),
        ("void tricks", _share(s.void_tricks, s.tricks, "tricks")),
        ("deals that ended with cards set aside", _share(s.unclaimed, s.deals, "deals")),
        ("kitties taken", _share(s.kitties_taken, s.kitties, "kitties")),
    ):
        table.add_row(figure, value)
    return table


def _by_seat(statistics: Statistics) -> Table:
    s = statistics
    right = ("seat", "mean total", "range of totals")
    table = _table("seat", "mean total", "range of totals", "games won", "95 %", right=right)
    for seat, (totals, wins, (low, high)) in enumerate(zip(s.totals, s.wins, s.win_intervals, strict=True)):
        won = _share(wins, s.finished, "games")
        interval = "-" if math.isnan(low) else f"{100 * low:.2f} to {100 * high:.2f} %"
        table.add_row(str(seat), _with_error(totals), _range(totals), won, interval)
    return table


def _by_position(statistics: Statistics) -> Table:
    table = _table("left of the dealer", "points of a deal", right=("left of the dealer", "points of a deal"))
    for position, points in enumerate(statistics.points_by_position):
        table.add_row(str(position), _with_error(points))
    return table


_QUANTILES: Final = (0.05, 0.25, 0.5, 0.75, 0.95)


def _spreads(statistics: Statistics) -> Table:
    columns = ["mean", "deviation", "lowest", *[f"{100 * share:.0f} %" for share in _QUANTILES], "highest"]
    table = _table("of each player", *columns, right=columns)
    for name, distribution in (
        ("points of a deal", statistics.deal_points),
        ("final total", statistics.final_totals),
    ):
        table.add_row(name, *_spread(distribution))
    return table


def _spread(distribution: Distribution) -> list[str]:
    moments = distribution.moments
    values = [moments.lowest, *[distribution.quantile(share) for share in _QUANTILES], moments.highest]
    numbers = ["-" if value is None else str(value) for value in values]
    return [_number(moments.mean), _number(math.sqrt(moments.variance)), *numbers]


def _by_trick(statistics: Statistics) -> Table:
    """The branching factor: a line for each trick, a column for each place in it."""
    players = statistics.rules.players
    places = ["leader", "others", *[_ordinal(place) for place in range(2, players + 1)]]
    table = _table("legal cards in trick", *places, right=("legal cards in trick", *places))
    means = [moments.mean for moments in statistics.branching]
    for number, (_, follow) in enumerate(statistics.mean_choices_by_trick):
        leader, *others = means[number * players : (number + 1) * players]
        table.add_row(str(number + 1), *[_number(mean, 3) for mean in (leader, follow, *others)])
    return table


def _ordinal(number: int) -> str:
    return f"{number}{ {2: 'nd', 3: 'rd'}.get(number, 'th') }"


def _compared(runs: Iterable[Run]) -> Table:
    numbers = (
        "players",
        "games",
        "unfinished",
        "deals per game",
        "legal cards",
        "most",
        "forced per deal",
        "moons %",
        "ties %",
        "points of a deal",
        "deviation",
        "by position",
        "wins by seat %",
    )
    table = _table("preset", *numbers, right=numbers)
    for run in runs:
        s = run.statistics
        points = s.deal_points.moments
        table.add_row(
            run.preset,
            str(run.players),
            str(s.games),
            str(s.unfinished),
            _with_error(s.deals_per_game),
            _number(s.mean_choices, 3),
            str(s.most_choices),
            _number(s.forced_per_deal.mean),
            _number(100 * s.moon_rate),
            _number(100 * s.tie_rate),
            _number(points.mean),
            _number(math.sqrt(points.variance)),
            _extremes([moments.mean for moments in s.points_by_position]),
            _extremes([100 * wins / s.finished for wins in s.wins if s.finished]),
        )
    return table


def _extremes(values: Sequence[float]) -> str:
    return f"{min(values):.2f} to {max(values):.2f}" if values else "-"


# ---------------------------------------------------------------------------------------------------------------
# Workers

_SOON: Final = 1.0
"""Work that takes fewer seconds than this is done here: starting processes would take as long."""
_TRIAL: Final = 5
"""So many games tell how long all of them take."""
_ANSWER: Final = "10s"
"""How long a scheduler may take to answer."""


class _Workers:
    """Who does the work: this process, more of them, or a cluster; none is started before it is needed."""

    def __init__(self, jobs: int | None, dask: str | None) -> None:
        if jobs is not None and dask is not None:
            raise _wrong("--jobs", "a Dask cluster decides itself how many jobs it runs at once")
        self.jobs: Final = jobs or usable_cores()
        self.dask: Final = dask
        self._stack = contextlib.ExitStack()
        self._executor: Executor | None = None

    @property
    def far(self) -> bool:
        """Whether they are on other machines."""
        return self.dask is not None

    @property
    def running(self) -> bool:
        """Whether there are any beside this process."""
        return self._executor is not None

    def executor(self) -> Executor | None:
        """Their executor; None: this process alone."""
        if self._executor is None and self.dask is not None:
            self._executor = self._cluster(self.dask)
        elif self._executor is None and self.jobs > 1:
            self._executor = self._stack.enter_context(Processes(self.jobs))
        return self._executor

    def _cluster(self, address: str) -> Executor:
        try:
            distributed: Any = importlib.import_module("distributed")
        except ImportError:
            _fail("Dask needs one more package: pip install 'heartsrules[dask]'", 2)
        try:
            client = self._stack.enter_context(distributed.Client(address, timeout=_ANSWER))
        except (OSError, ValueError) as error:
            _fail(f"no Dask scheduler answers at {address!r}: {error}", 1)
        return typing.cast("Executor", client.get_executor())

    def __enter__(self) -> _Workers:
        return self

    def __exit__(self, *error: Any) -> None:
        self._stack.__exit__(*error)

    def play(
        self, rules: Rules, games: int, seed: str, max_deals: int, progress: Callable[[int], object]
    ) -> Statistics:
        """Play games; errors are those of `simulate`."""
        if self.far or self.jobs == 1:
            return play(rules, games, seed=seed, max_deals=max_deals, progress=progress, executor=self.executor())
        trial = min(games, _TRIAL)
        started = time.perf_counter()
        first = play(rules, trial, seed=seed, max_deals=max_deals, progress=progress)
        seconds = (time.perf_counter() - started) * (games - trial) / trial
        try:
            return first + play(
                rules,
                games - trial,
                seed=seed,
                max_deals=max_deals,
                first_game=trial,
                progress=lambda played: progress(trial + played),
                executor=self.executor() if self.running or seconds > _SOON else None,
            )
        except SimulationInterrupted as stop:
            raise SimulationInterrupted(first + stop.partial, stop.missing) from None
        except SimulationFailed as failure:
            raise SimulationFailed(
                failure.chunk, failure.attempts, first + failure.partial, failure.missing
            ) from failure.__cause__


# ---------------------------------------------------------------------------------------------------------------
# Records from files


class _Format(enum.StrEnum):
    """How records are written in a file."""

    AUTO = "auto"
    TEXT = "text"
    JSON = "json"
    JSONL = "jsonl"


_Item: TypeAlias = Record | Unreadable
_Stream: TypeAlias = io.BufferedReader | gzip.GzipFile

_T = typing.TypeVar("_T")

_GZIP: Final = b"\x1f\x8b"
_BOM: Final = b"\xef\xbb\xbf"
_LONGEST_NAME: Final = 200
_STDIN: Final = Path("-")
_BUFFER: Final = 2**16


class _Input:
    """A file, or standard input, and how far it has been read."""

    def __init__(self, path: Path) -> None:
        self.name: Final = "(standard input)" if path == _STDIN else str(path)
        self.path: Final = path
        self.size: int | None = None
        """Its bytes; None: nobody knows."""
        if path != _STDIN:
            status = path.stat()
            self.size = status.st_size if stat.S_ISREG(status.st_mode) else None
        self._raw: io.FileIO | None = None
        self._ended = False

    @property
    def position(self) -> int:
        """How many of its bytes have been read."""
        if self.size is None or self._ended:
            return self.size or 0
        return 0 if self._raw is None else self._raw.tell()

    @contextlib.contextmanager
    def opened(self) -> Iterator[_Stream]:
        """Its bytes; those that a gzipped file stands for."""
        stream: io.BufferedReader
        with contextlib.ExitStack() as stack:
            if self.path == _STDIN:
                stdin = sys.stdin.buffer
                # A stand-in for it may have no buffer to look ahead in.
                raw = typing.cast("io.RawIOBase", stdin)
                stream = stdin if isinstance(stdin, io.BufferedReader) else io.BufferedReader(raw)
            else:
                self._raw = stack.enter_context(self.path.open("rb", buffering=0))
                stream = io.BufferedReader(self._raw, _BUFFER)
            if stream.peek(len(_GZIP)).startswith(_GZIP):
                # It gives out all that it can unpack before it says that the rest is damaged.
                yield stack.enter_context(gzip.GzipFile(fileobj=stream))
            else:
                yield stream
            self._raw = None
            self._ended = True


def _input(path: Path, argument: str) -> _Input:
    """The file of an argument of the command line, which must exist."""
    try:
        if path.is_dir():
            raise _wrong(argument, f"{_shown(path)} is a directory")
        return _Input(path)
    except (OSError, ValueError) as error:
        # ValueError: no path has such a character.
        reason = error.strerror if isinstance(error, OSError) else str(error)
        raise _wrong(argument, f"{_shown(path)}: {reason}") from None


def _shown(path: Path) -> str:
    return repr(str(path)[:_LONGEST_NAME])


def _items(source: _Input, read: Callable[[_Stream], Iterator[_T]]) -> Iterator[_T | Unreadable]:
    """What a file holds, one after the other; what cannot be read comes as a value in its place."""
    try:
        with source.opened() as stream:
            yield from read(stream)
    except EOFError:
        yield Unreadable("the compressed data ends too early")
    except (OSError, zlib.error) as error:
        yield Unreadable(f"the file cannot be read: {error}")


def _records(stream: _Stream, format_: _Format) -> Iterator[_Item]:
    for written in _written(stream, format_):
        yield from read_written(written)


def _written(stream: _Stream, format_: _Format) -> Iterator[Written]:
    """What a file holds, cut into parts that can be read by themselves."""
    if format_ is _Format.TEXT or (format_ is _Format.AUTO and not _looks_like_json(stream)):
        return _written_text(stream)
    return _written_json(stream, format_)


def _looks_like_json(stream: _Stream) -> bool:
    return stream.peek(1).removeprefix(_BOM).lstrip()[:1] in (b"{", b"[")


@contextlib.contextmanager
def _text(stream: _Stream) -> Iterator[io.TextIOWrapper]:
    # What is no UTF-8 can be in a name or a comment, which are not judged; anywhere else it is refused there.
    text = io.TextIOWrapper(stream, encoding="utf-8", errors="replace")
    try:
        yield text
    finally:
        text.detach()


def _written_text(stream: _Stream) -> Iterator[Written]:
    with _text(stream) as text:
        yield from written_in_text(lines_of(text, MAX_LINE))


def _written_json(stream: _Stream, format_: _Format) -> Iterator[Written]:
    try:
        from heartsrules.wire import MAX_BYTES
    except ImportError:
        _fail("JSON needs one more package: pip install 'heartsrules[json]'", 2)
    lines = _lines(stream, MAX_BYTES)
    first = next(lines, None)
    if first is None:
        return
    # A document on one line ends there; of one that is spread over lines, the first line ends in the middle.
    spread = format_ is _Format.JSON or (format_ is _Format.AUTO and first[1].rstrip()[-1:] in (b"{", b"[", b",", b":"))
    lines = chain([first], lines)
    for number, data in _spread_documents(lines, MAX_BYTES) if spread else lines:
        yield WrittenJson(number, data)


def _lines(stream: _Stream, most: int) -> Iterator[tuple[int, bytes]]:
    """The lines that are not blank, with their numbers from 1; of a line of more bytes than `most` one byte more."""
    number = 0
    while line := stream.readline(most + 1):
        number += 1
        if number == 1:
            line = line.removeprefix(_BOM)
        if line.strip():
            yield number, line
        while not line.endswith(b"\n") and (line := stream.readline(_BUFFER)):
            pass


def _spread_documents(lines: Iterable[tuple[int, bytes]], most: int) -> Iterator[tuple[int, bytes]]:
    """Documents of several lines: each begins with a brace at the very beginning of a line."""
    start = 0
    data = bytearray()
    for number, line in lines:
        if line.startswith(b"{") and data:
            yield start, bytes(data)
            data.clear()
        if not data:
            start = number
        if len(data) <= most:
            data += line
    yield start, bytes(data)


# ---------------------------------------------------------------------------------------------------------------
# Verdicts

_SECTIONS: Final = {kind.code: f"reference/violations#{kind.__name__.lower()}" for kind in PRECEDENCE}
"""By the code of a violation, the section of the documentation that explains it."""
_POINTS_SECTION: Final = "reference/rules#9-the-score"
_END_SECTION: Final = "reference/rules#10-the-end"

_SHOWN_TAGS: Final = ("Event", "Site", "Date", "Round")
_LONGEST_TAG: Final = 60


@attrs.frozen
class _Judged:
    """A record of a file, or what stands there instead, and what the rules say of it."""

    file: str
    number: int
    """The place of the record in the file, from 1."""
    tags: Tags
    outcome: Judgement | Unreadable

    @property
    def word(self) -> str:
        """`valid`, `invalid` or `unreadable`."""
        if isinstance(self.outcome, Unreadable):
            return "unreadable"
        return "valid" if self.outcome.valid else "invalid"

    def line(self) -> str:
        """One line for people."""
        outcome = self.outcome
        tags = ", ".join([f"{name} {text[:_LONGEST_TAG]!r}" for name, text in self.tags if name in _SHOWN_TAGS])
        failure = outcome if isinstance(outcome, Unreadable) else outcome.failure
        if isinstance(outcome, Unreadable):
            said = f", {outcome.place}: {outcome}" if outcome.place else f": {outcome}"
        elif failure is None:
            moves = _counted(outcome.moves, "move")
            said = f", {'finished' if outcome.finished else 'not finished'}, {moves}"
        else:
            said = f": {failure}"
        sections = [] if failure is None else _sections(failure)
        see = f"; see {', '.join(sections)}" if sections else ""
        return _said(f"{self.file} #{self.number}{f' [{tags}]' if tags else ''}: {self.word}{said}{see}")

    def data(self) -> dict[str, object]:
        """One line for programs."""
        outcome = self.outcome
        data: dict[str, object] = {"file": self.file, "record": self.number, "verdict": self.word}
        if isinstance(outcome, Unreadable):
            return data | {"failure": _failure_data(outcome)}
        data |= {"tags": self.tags, "finished": outcome.finished, "moves": outcome.moves}
        return data if outcome.failure is None else data | {"failure": _failure_data(outcome.failure)}


def _counted(count: int, what: str) -> str:
    return f"{count} {what}{'' if count == 1 else 's'}"


def _said(text: str) -> str:
    """A message that a terminal may print: one line of bounded length."""
    return cut(_printable(text))


def _printable(text: str) -> str:
    """A text in which nothing can move the cursor of a terminal, or begin another line."""
    if text.isprintable():
        return text
    return "".join([character if character.isprintable() else repr(character)[1:-1] for character in text])


def _sections(failure: RefusedMove | ScoreMismatch | Unreadable) -> list[str]:
    """The sections of the documentation that explain a failure."""
    if isinstance(failure, RefusedMove):
        return list(dict.fromkeys(_SECTIONS[violation.code] for violation in failure.violations))
    if isinstance(failure, ScoreMismatch):
        return [_END_SECTION if failure.deal is None else _POINTS_SECTION]
    return [] if failure.see is None else [failure.see]


def _failure_data(failure: RefusedMove | ScoreMismatch | Unreadable) -> dict[str, object]:
    data: dict[str, object]
    if isinstance(failure, RefusedMove):
        reasons = [
            {"code": violation.code, "message": str(violation), "see": _SECTIONS[violation.code]}
            for violation in failure.violations
        ]
        move = {"move": failure.index, "deal": failure.deal, "trick": failure.trick}
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
    return {**data, "message": cut(str(failure)), "see": _sections(failure)}


class _Tally:
    """How many records there were of each kind."""

    def __init__(self) -> None:
        self.counts: Final[Counter[str]] = Counter()

    def add(self, judged: _Judged) -> None:
        """Count one more."""
        self.counts[judged.word] += 1
        outcome = judged.outcome
        self.counts["finished"] += isinstance(outcome, Judgement) and outcome.valid and outcome.finished

    @property
    def total(self) -> int:
        """All of them."""
        return self.counts["valid"] + self.bad

    @property
    def bad(self) -> int:
        """Those that are not valid."""
        return self.counts["invalid"] + self.counts["unreadable"]

    def __str__(self) -> str:
        c = self.counts
        return (
            f"{_counted(self.total, 'record')}: {c['valid']} valid ({c['finished']} finished), "
            f"{c['invalid']} invalid, {c['unreadable']} unreadable"
        )


def _judged(
    sources: Sequence[_Input], format_: _Format, workers: _Workers, ended: Callable[[_Input, int], object]
) -> Iterator[_Judged]:
    """Judge what files hold, in its order; `ended` is told of each file that ends, with the count of its records."""
    order: deque[tuple[_Input, bool]] = deque()
    """For each part of a file that is being judged, the file; and for each that ends, that it does."""

    def parts() -> Iterator[Written]:
        for source in sources:
            for part in _items(source, lambda stream: _written(stream, format_)):
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
            yield _Judged(source.name, number, tags, outcome)
    for source, _ in order:
        ended(source, number)
        number = 0


def _judged_parts(parts: Iterator[Written], workers: _Workers) -> Iterator[list[tuple[Tags, Judgement | Unreadable]]]:
    started = time.perf_counter()
    if not workers.far:
        for part in parts:
            yield from judge_written([part])
            if workers.jobs > 1 and time.perf_counter() - started > _SOON:
                break
    if workers.far or workers.jobs > 1:
        executor = workers.executor()
        assert executor is not None
        yield from in_portions(judge_written, parts, executor)


# ---------------------------------------------------------------------------------------------------------------
# Positions

_POSITION: Final = re.compile(r"\ufeff?\s*hearts/[0-9]+\s*;", re.IGNORECASE)
"""The beginning of a position; a record begins in another way."""
_NOTE: Final = re.compile(r"\ufeff?\s*([%#]|$)")
"""A line of a file of positions that holds none."""


class _Artist:
    """Draws a position: a state, or what one seat may know of it."""

    def __init__(self, shown: State | View, *, symbols: bool) -> None:
        self.shown: Final = shown
        self.symbols: Final = symbols

    def card(self, card: Card) -> str:
        """`Q♠`, or `QS` where there are no symbols."""
        return f"{card.rank.letter}{card.suit.symbol}" if self.symbols else str(card)

    def cards(self, bag: Cards) -> str:
        """Cards by suit: `♣ 3 T  ♠ Q`."""
        suits: list[str] = []
        for suit in Suit:
            ranks = " ".join([card.rank.letter for card in bag.of_suit(suit)])
            if ranks:
                suits.append(f"{suit.symbol if self.symbols else suit.letter} {ranks}")
        return "  ".join(suits) or "-"

    def gifts(self, move: Pass) -> str:
        """What a pass gives away."""
        return " / ".join(map(self.cards, move.gifts)) or "declines"

    def lines(self) -> Iterator[str | Table]:
        """What there is to see, from top to bottom."""
        shown = self.shown
        yield f"rules: {format_rules(shown.rules)}"
        yield ", ".join(self.situation())
        yield ""
        yield self.seats()
        yield ""
        yield from self.middle()
        yield from self.awaited()
        if shown.deal_scores:
            yield ""
            yield self.sheet()

    def situation(self) -> Iterator[str]:
        """Where in the game this is."""
        shown = self.shown
        yield f"deal {shown.deal_number}"
        if isinstance(shown, (Playing, PlayingView)):
            yield f"trick {shown.trick_number}"
        yield f"seat {shown.dealer} {'deals' if isinstance(shown, (AwaitingDeal, AwaitingDealView)) else 'dealt'}"
        if isinstance(shown, (Playing, PlayingView)):
            yield "hearts are broken" if shown.hearts_broken else "hearts are not broken"

    def seats(self) -> Table:
        """A row for each seat."""
        shown = self.shown
        rules = shown.rules
        columns: dict[str, list[str]] = {"seat": [str(seat) for seat in range(rules.players)]}
        if isinstance(shown, (Passing, PassingView, Playing, PlayingView)):
            columns["hand"] = self.hands(shown)
        if isinstance(shown, (Passing, PassingView)):
            columns["passes"] = self.passes(shown)
        played = _deal_of(shown)
        if played is not None:
            columns["captured"] = [self.cards(pile) for pile in played.captured]
            columns["tricks"] = [str(count) for count in played.tricks_won]
        columns["total"] = [str(total) for total in shown.scores]
        if rules.reckoning is not Reckoning.PENALTY:
            columns["shown as"] = [str(display_score(rules, total)) for total in shown.scores]
        table = _table(*columns, right=("seat", "tricks", "total", "shown as"))
        for row in zip(*columns.values(), strict=True):
            table.add_row(*row)
        return table

    def hands(self, shown: Passing | PassingView | Playing | PlayingView) -> list[str]:
        """By seat, the hand, or how many cards it has."""
        if isinstance(shown, (Passing, Playing)):
            return [self.cards(hand) for hand in shown.hands]
        return [
            self.cards(shown.hand) if seat == shown.seat else _counted(size, "card")
            for seat, size in enumerate(shown.hand_sizes)
        ]

    def passes(self, shown: Passing | PassingView) -> list[str]:
        """By seat, what it has committed, or that it has."""
        if isinstance(shown, Passing):
            return ["not yet" if move is None else self.gifts(move) for move in shown.commitments]
        texts = ["committed" if seat in shown.committed else "not yet" for seat in range(shown.rules.players)]
        if shown.commitment is not None:
            texts[shown.commitment.seat] = self.gifts(shown.commitment)
        return texts

    def middle(self) -> Iterator[str]:
        """What lies on the table."""
        shown = self.shown
        if isinstance(shown, (Playing, PlayingView)):
            plays = ", ".join([f"seat {play.seat} {self.card(play.card)}" for play in shown.trick])
            yield f"the trick: {plays or '-'}"
        played = _deal_of(shown)
        if played is not None and played.set_aside:
            yield f"set aside: {self.cards(played.set_aside)}"
        taker = None if played is None else played.kitty_taker
        kitty = shown.kitty if isinstance(shown, Passing) else None if played is None else played.kitty
        if taker is not None:
            yield f"the kitty, taken by seat {taker}: {'hidden' if kitty is None else self.cards(kitty)}"
        elif kitty:
            yield f"the kitty: {self.cards(kitty)}"
        elif shown.rules.kitty_size and not isinstance(shown, (AwaitingDeal, AwaitingDealView)):
            yield f"the kitty: {_counted(shown.rules.kitty_size, 'card')}"

    def awaited(self) -> Iterator[str]:
        """Who is to act, and how."""
        shown = self.shown
        if isinstance(shown, (AwaitingDeal, AwaitingDealView)):
            yield "to act: chance, which deals"
        elif isinstance(shown, (GameOver, GameOverView)):
            yield f"the game is over; won by {_seats(shown.winners)}"
        elif isinstance(shown, (ChoosingMoon, ChoosingMoonView)):
            yield f"to act: seat {shown.shooter}, who shot the moon and chooses what it does"
            for score in (shown.others_up, shown.shooter_down):
                yield f"  {score.effect}: {' '.join(map(str, score.points))}"
        else:
            yield f"to act: {_seats(sorted(to_act(shown)))}"
            yield from self.moves(shown)

    def moves(self, shown: Passing | PassingView | Playing | PlayingView) -> Iterator[str]:
        """The legal plays, or how many passes there are, of those whose moves may be known."""
        own = shown.seat if isinstance(shown, (PassingView, PlayingView)) else None
        for seat in sorted(to_act(shown)):
            if own is not None and seat != own:
                continue
            found = legal_moves(shown, seat)
            if isinstance(shown, (Playing, PlayingView)):
                plays = Cards([move.card for move in found if isinstance(move, Play)])
                yield f"legal cards: {self.cards(plays)}"
            else:
                yield f"legal passes of seat {seat}: {len(found)}"

    def sheet(self) -> Table:
        """The points of each deal."""
        shown = self.shown
        seats = [f"seat {seat}" for seat in range(shown.rules.players)]
        table = _table("deal", *seats, "moon", right=("deal", *seats))
        # Of a game that was set up in its middle, only the last deals may be known.
        ended = isinstance(shown, (GameOver, GameOverView))
        first = shown.deal_number + ended - len(shown.deal_scores)
        for number, row in enumerate(shown.deal_scores, first):
            table.add_row(str(number), *map(str, row.points), _moon(row))
        return table


def _moon(row: DealScore) -> str:
    if row.shooter is None:
        return ""
    return f"seat {row.shooter}, {row.effect}{', sun' if row.sun else ''}"


def _seats(seats: Sequence[Seat]) -> str:
    return f"{'seat' if len(seats) == 1 else 'seats'} {', '.join(map(str, seats))}"


def _deal_of(shown: State | View) -> PlayedDeal | PlayedDealView | None:
    """The deal as far as its tricks are completed, or the one that has just ended."""
    if isinstance(shown, (Passing, PassingView)):
        return None
    return shown.deal if isinstance(shown, (Playing, PlayingView)) else shown.last_deal


def _fail(message: str, code: int) -> typing.NoReturn:
    typer.echo(_said(f"Error: {message}"), err=True)
    raise typer.Exit(code)


def _wrong(option: str, message: str) -> typer.BadParameter:
    return typer.BadParameter(_printable(message), param_hint=option)


def _positions(stream: _Stream) -> Iterator[str]:
    """The positions of a file, a line for each."""
    with _text(stream) as lines:
        while line := lines.readline(MAX_LINE + 2):
            if not _NOTE.match(line):
                yield line


def _holds_positions(stream: _Stream) -> bool:
    lines = stream.peek(1).decode(errors="replace").splitlines()
    return any([_POSITION.match(line) for line in lines if not _NOTE.match(line)][:1])


def _positions_or_records(stream: _Stream) -> Iterator[str | _Item]:
    return _positions(stream) if _holds_positions(stream) else _records(stream, _Format.AUTO)


def _to_show(given: str, number: int) -> tuple[str | _Item, str]:
    """The position or the record that is asked for, and where it stands."""
    if _POSITION.match(given):
        return given, "the position"
    source = _input(Path(given), "RECORD")
    count = 0
    for count, item in enumerate(_items(source, _positions_or_records), 1):
        if count == number or (isinstance(item, Unreadable) and item.line is None):
            return item, f"{source.name} #{count}"
    raise _wrong("--record", f"there is no record {number}: {source.name} holds {count}")


def _state_of_position(text: str, where: str, ply: int | None, seat: Seat | None) -> State:
    if ply is not None:
        raise _wrong("--ply", "a position has no plies")
    try:
        return parse_position(text.strip())
    except (InvalidNotation, InvalidState) as error:
        _fail(f"{where} cannot be read{_unless_secret(seat, f': {error}')}", 1)


def _game_of_record(item: _Item, where: str, seat: Seat | None) -> Replay:
    if isinstance(item, Unreadable):
        place = f" ({item.place})" if item.place else ""
        _fail(f"{where} cannot be read{place}{_unless_secret(seat, f': {item}')}", 1)
    return replay(item.rules, item.moves)


def _unless_secret(seat: Seat | None, text: str) -> str:
    """A text that may quote what not every seat may know: nothing where only one seat is to be served."""
    return text if seat is None else ""


# ---------------------------------------------------------------------------------------------------------------
# The commands

_USAGE_ERROR: Final = typing.cast("type[Exception]", typer.BadParameter.__base__)
"""What every wrong use is; where it stands in typer depends on its version."""
_LONGEST_USE: Final = 1000
"""The most characters that are said of a wrong use, besides how it should be."""


class _Group(TyperGroup):
    """The commands. What they say of a wrong use quotes it, but never at length."""

    def make_context(self, *args: Any, **options: Any) -> Any:
        """The context of the arguments, as typer makes it."""
        with _short_errors():
            return super().make_context(*args, **options)

    def invoke(self, ctx: Any) -> Any:
        """Run a command, as typer does."""
        with _short_errors():
            return super().invoke(ctx)


@contextlib.contextmanager
def _short_errors() -> Iterator[None]:
    try:
        yield
    except _USAGE_ERROR as error:
        message = getattr(error, "message", None)
        if isinstance(message, str):
            error.message = cut(message, _LONGEST_USE)  # type: ignore[attr-defined]
        raise


app: Final = typer.Typer(
    cls=_Group,
    add_completion=False,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    help="The rules of Hearts: look at rule sets, play whole games with random moves, judge and show recorded games.",
)

_PresetArgument = Annotated[str, typer.Argument(metavar="PRESET", help="A name from `heartsrules presets`.")]
_PlayersOption = Annotated[int | None, typer.Option("--players", metavar="N", help="How many play.")]
_SetOption = Annotated[
    list[str] | None,
    typer.Option(
        "--set",
        metavar="FIELD=VALUE",
        help="Change a field, such as target=50, moon=choice, bonus=JD:10 or 'pass_cycle=L3 R3 hold'. Repeatable.",
    ),
]


_GamesOption = Annotated[
    int, typer.Option("--games", metavar="N", min=1, max=MAX_GAMES, help="How many games to play.")
]
_SeedOption = Annotated[
    str | None, typer.Option("--seed", metavar="TEXT", help="Equal seeds give equal games. Without one, one is drawn.")
]
_MaxDealsOption = Annotated[
    int,
    typer.Option(
        "--max-deals-per-match", metavar="N", min=1, max=MAX_DEALS, help="Stop a game that takes more deals than this."
    ),
]
_JobsOption = Annotated[
    int | None,
    typer.Option("--jobs", "-j", metavar="N", min=1, help="How many processes work; without it, one for each core."),
]
_DaskOption = Annotated[
    str | None,
    typer.Option("--dask", metavar="ADDRESS", help="Work on the Dask cluster of this scheduler (tcp://host:8786)."),
]


class _Output(enum.StrEnum):
    """How figures are printed."""

    TABLE = "table"
    JSON = "json"
    CSV = "csv"


_OutputOption = Annotated[_Output, typer.Option("--format", help="How to print the figures.")]
_PlotOption = Annotated[
    Path | None, typer.Option("--plot", metavar="FILE", help="Draw the figures too, as .svg or .png (extra `plot`).")
]


def _version(wanted: bool) -> None:
    if wanted:
        try:
            version = metadata.version("heartsrules")
        except metadata.PackageNotFoundError:
            version = "(not installed)"
        typer.echo(f"heartsrules {version}")
        raise typer.Exit


@app.callback()
def _main(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Show the version and exit.")
    ] = False,
) -> None:
    pass


@app.command("presets")
def _presets() -> None:
    """List the presets with their counts of players and their sources."""
    table = _table("preset", "players", "summary", "source")
    for preset in presets.ALL.values():
        table.add_row(preset.name, _counts(preset.players), preset.summary, preset.source)
    _console().print(table)


@app.command("rules")
def _show_rules(preset: _PresetArgument, players: _PlayersOption = None, setting: _SetOption = None) -> None:
    """Show a rule set field by field, or everything that forbids it.

    A star marks the fields that differ from the defaults. Values are written as --set takes them.
    """
    rules, name = _rule_set(preset, players, setting or ())
    changed = rules.changes()
    table = _table("", "field", "value")
    for field in _FIELDS:
        value = format_field(field, getattr(rules, field), rules.players)
        table.add_row("*" if field in changed else "", field, value)
    console = _console()
    console.print(name)
    console.print(
        f"{len(rules.deck)} cards: {rules.cards_per_hand} for each player and {rules.kitty_size} left over; "
        f"{rules.penalty_total} penalty points in all"
    )
    own = [option for option in _preset(preset).options if option not in _FIELDS]
    if own:
        console.print(f"--set takes further options of this preset: {', '.join(own)}")
    console.print()
    console.print(table)


@app.command("simulate")
def _simulate(
    preset: _PresetArgument,
    players: _PlayersOption = None,
    games: _GamesOption = 100,
    seed: _SeedOption = None,
    setting: _SetOption = None,
    max_deals: _MaxDealsOption = MAX_DEALS_PER_GAME,
    jobs: _JobsOption = None,
    dask: _DaskOption = None,
    format_: _OutputOption = _Output.TABLE,
    picture: _PlotOption = None,
) -> None:
    """Play whole games in which everybody chooses uniformly among the legal moves.

    Ctrl-C ends it, and prints what the games came to that have been played; the exit code is then 130.
    """
    rules, name = _rule_set(preset, players, setting or ())
    seed = _seed(seed)
    _check_picture(picture)
    runs, code = _play_all([(_preset(preset).name, rules)], games, seed, max_deals, _Workers(jobs, dask))
    for run in runs:
        if format_ is _Output.TABLE:
            s = run.statistics
            console = _console()
            console.print(f"{name}, seed {seed}")
            for table in (_figures(s, max_deals), _spreads(s), _by_seat(s), _by_position(s), _by_trick(s)):
                console.print()
                console.print(table)
        else:
            _print_data(runs, format_)
        if picture is not None:
            plot(run, picture, about=f"{name}, seed {seed}")
    if code:
        raise typer.Exit(code)


@app.command("compare")
def _compare(
    preset: Annotated[
        list[str] | None, typer.Argument(metavar="PRESET", help="Names from `heartsrules presets`; all, if none.")
    ] = None,
    players: Annotated[
        int | None, typer.Option("--players", metavar="N", help="How many play; without it, every count of a preset.")
    ] = None,
    games: _GamesOption = 100,
    seed: _SeedOption = None,
    max_deals: _MaxDealsOption = MAX_DEALS_PER_GAME,
    jobs: _JobsOption = None,
    dask: _DaskOption = None,
    format_: _OutputOption = _Output.TABLE,
    picture: _PlotOption = None,
) -> None:
    """Play games of several presets, and print their figures side by side.

    The games of each are those that `heartsrules simulate` plays with the same seed.
    """
    chosen = [_preset(name) for name in preset or presets.ALL]
    variants = [
        (each.name, each.rules(count))
        for each in dict.fromkeys(chosen)
        for count in each.players
        if players in (None, count)
    ]
    if not variants:
        raise _wrong("--players", f"none of these presets is for {in_words(players)} players")
    seed = _seed(seed)
    _check_picture(picture)
    runs, code = _play_all(variants, games, seed, max_deals, _Workers(jobs, dask))
    if format_ is _Output.TABLE:
        console = _console()
        console.print(f"{_counted(games, 'game')} of each, seed {seed}")
        console.print()
        console.print(_compared(runs))
    else:
        _print_data(runs, format_, many=True)
    if picture is not None and runs:
        plot_comparison(runs, picture, about=f"{_counted(games, 'game')} of each, seed {seed}")
    if code:
        raise typer.Exit(code)


def _seed(given: str | None) -> str:
    if given is None:
        return str(secrets.randbelow(10**9))
    if not given.isprintable():
        raise typer.BadParameter("a seed must be printable text", param_hint="--seed")
    return given


def _check_picture(path: Path | None) -> None:
    """See that a plot can be made before the games are played."""
    try:
        if path is not None:
            check_path(path)
    except MissingExtra as error:
        _fail(str(error), 2)
    except (OSError, ValueError) as error:
        raise _wrong("--plot", str(error)) from None


def _play_all(
    variants: Sequence[tuple[str, Rules]], games: int, seed: str, max_deals: int, workers: _Workers
) -> tuple[list[Run], int]:
    """Play the games of some rule sets; if that ends early, says so, and gives what there is and the exit code."""
    errors = _console(stderr=True)
    progress = Progress(*_BAR, MofNCompleteColumn(), TimeRemainingColumn(), console=errors, transient=True)
    runs: list[Run] = []
    whole = games * len(variants)

    def keep(statistics: Statistics) -> None:
        if statistics.games:
            runs.append(Run(variants[len(runs)][0], statistics, seed))

    def played() -> str:
        return f"after {sum(run.statistics.games for run in runs)} of {whole} games (seed {seed})."

    try:
        with workers, progress if errors.is_terminal else contextlib.nullcontext():
            task = progress.add_task("games", total=whole)
            for number, (name, rules) in enumerate(variants):
                progress.update(task, description=f"{name}, {rules.players} players" if len(variants) > 1 else "games")

                def show(done: int, before: int = number * games) -> None:
                    progress.update(task, completed=before + done)

                keep(workers.play(rules, games, seed, max_deals, show))
    except SimulationInterrupted as stop:
        keep(stop.partial)
        typer.echo(f"Interrupted {played()}", err=True)
        return runs, 130
    except KeyboardInterrupt:
        typer.echo(f"Interrupted {played()}", err=True)
        return runs, 130
    except SimulationFailed as failure:
        keep(failure.partial)
        typer.echo(_said(f"Error: {failure} ({failure.__cause__})"), err=True)
        typer.echo(f"Ended {played()}", err=True)
        return runs, 1
    return runs, 0


def _print_data(runs: Sequence[Run], format_: _Output, *, many: bool = False) -> None:
    """Print runs as JSON, a list of them with a line for each, or as CSV."""
    _console()  # for its way with characters that the encoding lacks
    if format_ is _Output.CSV:
        writer = csv.writer(sys.stdout, lineterminator="\n")
        writer.writerow(COLUMNS)
        for run in runs:
            writer.writerows(rows(run))
        return
    texts = [json.dumps(to_data(run), separators=(",", ":")) for run in runs]
    sys.stdout.write("[\n" + ",\n".join(texts) + "\n]\n" if many else f"{texts[0]}\n")


@app.command("verify")
def _verify(
    files: Annotated[
        list[Path] | None,
        typer.Argument(
            metavar="FILE",
            help="Records as text, JSON or JSON Lines, also gzipped; - or none: standard input.",
        ),
    ] = None,
    format_: Annotated[
        _Format, typer.Option("--format", help="How the records are written; auto: found out for each file.")
    ] = _Format.AUTO,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Print only what is wrong, and the summary.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print the verdicts as JSON Lines.")] = False,
    jobs: _JobsOption = None,
    dask: _DaskOption = None,
) -> None:
    """Judge recorded games: replay every record, and compare the points and winners that it gives.

    Prints a line for each record. Exits with 0 if all are valid, with 1 if one is not or cannot be read, and with 2 if
    all are valid but a file holds none.
    """
    sources = [_input(path, "FILE") for path in files or [_STDIN]]
    _console()  # for its way with characters that the encoding lacks
    tally = _Tally()
    code = 0
    empty = False

    def ended(source: _Input, count: int) -> None:
        if not count:
            nonlocal empty
            empty = True
            typer.echo(_said(f"{source.name}: there is no record in it"), err=True)

    try:
        with _Workers(jobs, dask) as workers, _bar_of_files(sources) as advance:
            for judged in _judged(sources, format_, workers, ended):
                tally.add(judged)
                advance(tally.total)
                if not (quiet and judged.word == "valid"):
                    sys.stdout.write(f"{json.dumps(judged.data()) if as_json else judged.line()}\n")
    except KeyboardInterrupt:
        code = 130
        typer.echo("Interrupted.", err=True)
    except WorkFailed as failure:
        code = 1
        typer.echo(_said(f"Error: {failure} ({failure.__cause__})"), err=True)
    typer.echo(str(tally), err=as_json)
    raise typer.Exit(code or (1 if tally.bad else 2 if empty else 0))


@contextlib.contextmanager
def _bar_of_files(sources: Sequence[_Input]) -> Iterator[Callable[[int], None]]:
    """A progress bar over the bytes of files, or, where their size is not known, with a count of the records."""
    errors = _console(stderr=True)
    if not errors.is_terminal:
        yield lambda _count: None
        return
    sizes = [source.size for source in sources]
    total = None if None in sizes else sum(size or 0 for size in sizes)
    # Verdicts that go to the same terminal must be printed above the bar; those that go elsewhere must go there.
    progress = Progress(
        *_BAR, TimeRemainingColumn(), console=errors, transient=True, redirect_stdout=sys.stdout.isatty()
    )

    with progress:
        task: TaskID = progress.add_task("records", total=total)

        def advance(count: int) -> None:
            done = sum([source.position for source in sources])
            progress.update(task, completed=done, description=_counted(count, "record"))

        yield advance


@app.command("show")
def _show(
    record: Annotated[
        str, typer.Argument(metavar="RECORD", help="A file of records or positions, -, or a position itself.")
    ],
    number: Annotated[int, typer.Option("--record", metavar="N", min=1, help="Which of the file, from 1.")] = 1,
    ply: Annotated[
        int | None, typer.Option("--ply", metavar="N", min=0, help="After how many moves; if not given, after all.")
    ] = None,
    seat: Annotated[
        int | None, typer.Option("--seat", metavar="S", min=0, help="Show only what this seat may know.")
    ] = None,
) -> None:
    """Draw a position of a recorded game: hands, the trick, captured cards, totals, and the legal moves."""
    item, where = _to_show(record, number)
    refused = False
    if isinstance(item, str):
        state = _state_of_position(item, where, ply, seat)
    else:
        result = _game_of_record(item, where, seat)
        last = result.game.ply
        refused = ply is None and result.failure is not None
        ply = last if ply is None else ply
        if ply > last:
            why = ": the next move is illegal" if result.failure else ""
            raise _wrong("--ply", f"there is no ply {ply}: this record goes from 0 to {last}{why}")
        where = f"{where}, ply {ply} of {last}"
        state = result.game.at(ply)
    players = state.rules.players
    if seat is not None and seat >= players:
        raise _wrong("--seat", f"there is no seat {seat}: seats are 0 to {players - 1}")
    console = _console()
    artist = _Artist(state if seat is None else view(state, seat), symbols=_has_symbols(console))
    console.print(_printable(where) + ("" if seat is None else f", as seat {seat} sees it"))
    for line in artist.lines():
        console.print(line)
    if refused:
        _fail("the next move of this record is illegal: see what heartsrules verify says", 1)


def _has_symbols(console: Console) -> bool:
    """Whether what is printed can have the symbols of the suits."""
    try:
        "".join([suit.symbol for suit in Suit]).encode(getattr(console.file, "encoding", None) or "utf-8")
    except UnicodeEncodeError:
        return False
    return True


register_play(app, _rule_set)
