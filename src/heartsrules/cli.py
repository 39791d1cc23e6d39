"""The command line: `heartsrules presets`, `rules`, `simulate`, `verify` and `show` (extra `cli`).

Data goes to stdout, errors and the progress bar to stderr. Exit codes: 0 for success, 1 for a rule set that cannot be
played, a record that is not valid, or output that cannot be written, 2 for a wrong use, 130 for an interruption.
"""

from __future__ import annotations

import contextlib
import enum
import gzip
import io
import json
import math
import re
import secrets
import stat
import sys
import typing
import zlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
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

from heartsrules import presets
from heartsrules.cards import Card, Cards, Suit
from heartsrules.engine import legal_moves, to_act
from heartsrules.errors import InvalidNotation, InvalidRules, InvalidState, InvalidWire
from heartsrules.game import Failure, Record, Replay, ScoreMismatch, Verdict, replay, verify
from heartsrules.moves import Pass, Play
from heartsrules.notation import MAX_LINE, format_field, format_rules, parse_field, parse_position, scan_records
from heartsrules.notation.fields import one_of, parse_bool
from heartsrules.presets import Preset
from heartsrules.rules import Reckoning, Rules, Seat
from heartsrules.scoring import display_score
from heartsrules.simulate import MAX_DEALS_PER_GAME, Moments, Statistics
from heartsrules.simulate import simulate as play
from heartsrules.state import AwaitingDeal, ChoosingMoon, Course, DealScore, GameOver, Passing, Playing, State
from heartsrules.views import (
    AwaitingDealView,
    ChoosingMoonView,
    CourseView,
    GameOverView,
    PassingView,
    PlayerView,
    PlayingView,
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
        raise typer.BadParameter(f"{preset.name} is not for {players} players: choose from {counts}", param_hint=where)
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
        raise InvalidRules(tuple(problems)) from None
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
        for problem in error.problems:
            typer.echo(f"  {problem.code}: {problem.message}", err=True)
        raise typer.Exit(1) from None
    shown = {field: getattr(rules, field) if field in _FIELDS else value for field, value in values.items()}
    given = [f"{field}={format_field(field, value, count)}" for field, value in shown.items()]
    return rules, ", ".join([preset.name, f"{count} players", *given])


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
    table = _table(
        "seat", "mean total", "range of totals", "games won", right=("seat", "mean total", "range of totals")
    )
    for seat, (totals, wins) in enumerate(zip(statistics.totals, statistics.wins, strict=True)):
        table.add_row(str(seat), _with_error(totals), _range(totals), _share(wins, statistics.finished, "games"))
    return table


def _by_trick(statistics: Statistics) -> Table:
    leader, others = "legal cards, leader", "legal cards, others"
    table = _table("trick", leader, others, right=("trick", leader, others))
    for number, (lead, follow) in enumerate(statistics.mean_choices_by_trick, 1):
        table.add_row(str(number), _number(lead, 3), _number(follow, 3))
    return table


# ---------------------------------------------------------------------------------------------------------------
# Records from files


class _Format(enum.StrEnum):
    """How records are written in a file."""

    AUTO = "auto"
    TEXT = "text"
    JSON = "json"
    JSONL = "jsonl"


@attrs.frozen
class _Unreadable:
    """Where a file holds no record but should."""

    message: str
    see: str | None = None
    """The section of the documentation."""
    line: int | None = None
    """From 1."""
    column: int | None = None
    """From 1."""

    def __str__(self) -> str:
        return self.message

    @property
    def place(self) -> str:
        """Where in the file it is, if that is known."""
        if self.line is None:
            return ""
        return f"line {self.line}" if self.column is None else f"line {self.line}, column {self.column}"


_Item: TypeAlias = Record | _Unreadable
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

    @property
    def position(self) -> int:
        """How many of its bytes have been read."""
        return self._raw.tell() if self._raw is not None and self.size is not None else 0

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


def _items(source: _Input, read: Callable[[_Stream], Iterator[_T]]) -> Iterator[_T | _Unreadable]:
    """What a file holds, one after the other; what cannot be read comes as a value in its place."""
    try:
        with source.opened() as stream:
            yield from read(stream)
    except EOFError:
        yield _Unreadable("the compressed data ends too early")
    except (OSError, zlib.error) as error:
        yield _Unreadable(f"the file cannot be read: {error}")


def _records(stream: _Stream, format_: _Format) -> Iterator[_Item]:
    if format_ is _Format.TEXT or (format_ is _Format.AUTO and not _looks_like_json(stream)):
        return _text_records(stream)
    return _json_records(stream, format_)


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


def _text_records(stream: _Stream) -> Iterator[_Item]:
    with _text(stream) as lines:
        for item in scan_records(lines):
            yield _unreadable(item) if isinstance(item, InvalidNotation) else item


def _unreadable(error: InvalidNotation) -> _Unreadable:
    return _Unreadable(error.reason, "reference/notation#what-is-refused", error.line, error.column)


def _json_records(stream: _Stream, format_: _Format) -> Iterator[_Item]:
    try:
        from heartsrules.wire import MAX_BYTES, from_json
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
        try:
            record = from_json(data, Record)
        except InvalidWire as error:
            yield _Unreadable(str(error), "reference/wire#problems", number)
        else:
            yield record


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
    tags: tuple[tuple[str, str], ...]
    outcome: Verdict | _Unreadable

    @property
    def word(self) -> str:
        """`valid`, `invalid` or `unreadable`."""
        if isinstance(self.outcome, _Unreadable):
            return "unreadable"
        return "valid" if self.outcome.valid else "invalid"

    def line(self) -> str:
        """One line for people."""
        outcome = self.outcome
        tags = ", ".join([f"{name} {text[:_LONGEST_TAG]!r}" for name, text in self.tags if name in _SHOWN_TAGS])
        failure = outcome if isinstance(outcome, _Unreadable) else outcome.failure
        if isinstance(outcome, _Unreadable):
            said = f", {outcome.place}: {outcome}" if outcome.place else f": {outcome}"
        elif failure is None:
            moves = _counted(outcome.game.ply, "move")
            said = f", {'finished' if outcome.finished else 'not finished'}, {moves}"
        else:
            said = f": {failure}"
        sections = [] if failure is None else _sections(failure)
        see = f"; see {', '.join(sections)}" if sections else ""
        return _printable(f"{self.file} #{self.number}{f' [{tags}]' if tags else ''}: {self.word}{said}{see}")

    def data(self) -> dict[str, object]:
        """One line for programs."""
        outcome = self.outcome
        data: dict[str, object] = {"file": self.file, "record": self.number, "verdict": self.word}
        if isinstance(outcome, _Unreadable):
            return data | {"failure": _failure_data(outcome)}
        data |= {"tags": self.tags, "finished": outcome.finished, "moves": outcome.game.ply}
        return data if outcome.failure is None else data | {"failure": _failure_data(outcome.failure)}


def _counted(count: int, what: str) -> str:
    return f"{count} {what}{'' if count == 1 else 's'}"


def _printable(text: str) -> str:
    """A text in which nothing can move the cursor of a terminal, or begin another line."""
    if text.isprintable():
        return text
    return "".join([character if character.isprintable() else repr(character)[1:-1] for character in text])


def _sections(failure: Failure | ScoreMismatch | _Unreadable) -> list[str]:
    """The sections of the documentation that explain a failure."""
    if isinstance(failure, Failure):
        return list(dict.fromkeys(_SECTIONS[violation.code] for violation in failure.violations))
    if isinstance(failure, ScoreMismatch):
        return [_END_SECTION if failure.deal is None else _POINTS_SECTION]
    return [] if failure.see is None else [failure.see]


def _failure_data(failure: Failure | ScoreMismatch | _Unreadable) -> dict[str, object]:
    data: dict[str, object]
    if isinstance(failure, Failure):
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
    return {**data, "message": str(failure), "see": _sections(failure)}


class _Tally:
    """How many records there were of each kind."""

    def __init__(self) -> None:
        self.counts: Final[Counter[str]] = Counter()

    def add(self, judged: _Judged) -> None:
        """Count one more."""
        self.counts[judged.word] += 1
        outcome = judged.outcome
        self.counts["finished"] += isinstance(outcome, Verdict) and outcome.valid and outcome.finished

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


def _judged(source: _Input, format_: _Format) -> Iterator[_Judged]:
    for number, item in enumerate(_items(source, lambda stream: _records(stream, format_)), 1):
        if isinstance(item, Record):
            yield _Judged(source.name, number, item.tags, verify(item))
        else:
            yield _Judged(source.name, number, (), item)


# ---------------------------------------------------------------------------------------------------------------
# Positions

_POSITION: Final = re.compile(r"\ufeff?\s*hearts/[0-9]+\s*;", re.IGNORECASE)
"""The beginning of a position; a record begins in another way."""
_NOTE: Final = re.compile(r"\ufeff?\s*([%#]|$)")
"""A line of a file of positions that holds none."""


class _Artist:
    """Draws a position: a state, or what one seat may know of it."""

    def __init__(self, shown: State | PlayerView, *, symbols: bool) -> None:
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
        course = _course_of(shown)
        if course is not None:
            columns["captured"] = [self.cards(pile) for pile in course.captured]
            columns["tricks"] = [str(count) for count in course.tricks_won]
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
        course = _course_of(shown)
        if course is not None and course.set_aside:
            yield f"set aside: {self.cards(course.set_aside)}"
        taker = None if course is None else course.kitty_taker
        kitty = shown.kitty if isinstance(shown, Passing) else None if course is None else course.kitty
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


def _course_of(shown: State | PlayerView) -> Course | CourseView | None:
    """The deal as far as its tricks are completed, or the one that has just ended."""
    if isinstance(shown, (Passing, PassingView)):
        return None
    return shown.course if isinstance(shown, (Playing, PlayingView)) else shown.last_deal


def _fail(message: str, code: int) -> typing.NoReturn:
    typer.echo(f"Error: {_printable(message)}", err=True)
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
        if count == number or (isinstance(item, _Unreadable) and item.line is None):
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
    if isinstance(item, _Unreadable):
        place = f" ({item.place})" if item.place else ""
        _fail(f"{where} cannot be read{place}{_unless_secret(seat, f': {item}')}", 1)
    return replay(item.rules, item.moves)


def _unless_secret(seat: Seat | None, text: str) -> str:
    """A text that may quote what not every seat may know: nothing where only one seat is to be served."""
    return text if seat is None else ""


# ---------------------------------------------------------------------------------------------------------------
# The commands

app: Final = typer.Typer(
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
    games: Annotated[int, typer.Option("--games", metavar="N", min=1, help="How many games to play.")] = 100,
    seed: Annotated[
        str | None,
        typer.Option("--seed", metavar="TEXT", help="Equal seeds give equal games. Without one, one is drawn."),
    ] = None,
    setting: _SetOption = None,
    max_deals: Annotated[
        int,
        typer.Option("--max-deals-per-match", metavar="N", min=1, help="Stop a game that takes more deals than this."),
    ] = MAX_DEALS_PER_GAME,
) -> None:
    """Play whole games in which everybody chooses uniformly among the legal moves."""
    rules, name = _rule_set(preset, players, setting or ())
    if seed is None:
        seed = str(secrets.randbelow(10**9))
    elif not seed.isprintable():
        raise typer.BadParameter("a seed must be printable text", param_hint="--seed")
    errors = _console(stderr=True)
    progress = Progress(*_BAR, MofNCompleteColumn(), TimeRemainingColumn(), console=errors, transient=True)
    done = 0

    def show(played: int) -> None:
        nonlocal done
        done = played
        progress.update(task, completed=played)

    try:
        with progress if errors.is_terminal else contextlib.nullcontext():
            task = progress.add_task("games", total=games)
            statistics = play(rules, games, seed=seed, max_deals=max_deals, progress=show)
    except KeyboardInterrupt:
        typer.echo(f"Interrupted after {done} of {games} games (seed {seed}).", err=True)
        raise typer.Exit(130) from None
    console = _console()
    console.print(f"{name}, seed {seed}")
    for table in (_figures(statistics, max_deals), _by_seat(statistics), _by_trick(statistics)):
        console.print()
        console.print(table)


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
) -> None:
    """Judge recorded games: replay every record, and compare the points and winners that it gives.

    Prints a line for each record. Exits with 0 if all are valid, and with 1 if one is not or cannot be read.
    """
    sources = [_input(path, "FILE") for path in files or [_STDIN]]
    _console()  # for its way with characters that the encoding lacks
    tally = _Tally()
    interrupted = False
    try:
        with _bar_of_files(sources) as advance:
            for source in sources:
                before = tally.total
                for judged in _judged(source, format_):
                    tally.add(judged)
                    advance(source, tally.total)
                    if not (quiet and judged.word == "valid"):
                        sys.stdout.write(f"{json.dumps(judged.data()) if as_json else judged.line()}\n")
                if tally.total == before:
                    typer.echo(_printable(f"{source.name}: there is no record in it"), err=True)
    except KeyboardInterrupt:
        interrupted = True
        typer.echo("Interrupted.", err=True)
    typer.echo(str(tally), err=as_json)
    if interrupted:
        raise typer.Exit(130)
    raise typer.Exit(1 if tally.bad else 0)


@contextlib.contextmanager
def _bar_of_files(sources: Sequence[_Input]) -> Iterator[Callable[[_Input, int], None]]:
    """A progress bar over the bytes of files, or, where their size is not known, with a count of the records."""
    errors = _console(stderr=True)
    if not errors.is_terminal:
        yield lambda _source, _count: None
        return
    sizes = [source.size for source in sources]
    total = None if None in sizes else sum(size or 0 for size in sizes)
    # Verdicts that go to the same terminal must be printed above the bar; those that go elsewhere must go there.
    progress = Progress(
        *_BAR, TimeRemainingColumn(), console=errors, transient=True, redirect_stdout=sys.stdout.isatty()
    )

    with progress:
        task: TaskID = progress.add_task("records", total=total)

        def advance(source: _Input, count: int) -> None:
            done = sum(other.size or 0 for other in sources[: sources.index(source)]) + source.position
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
