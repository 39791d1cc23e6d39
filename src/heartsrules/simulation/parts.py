"""Parts of runs, which add up, and files from which an interrupted run continues.

A run has numbered items: the games of a simulation, the tables of a match, or the records to verify. Each result
depends only on the item's number, so parts computed anywhere add up to the whole run.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Executor
from contextlib import closing
from functools import partial
from itertools import chain, zip_longest
from pathlib import Path
from types import TracebackType
from typing import Any, ClassVar, Final, Generic, Literal, Protocol, TypeAlias, TypeVar

import attrs

from heartsrules._version import __version__
from heartsrules.base.errors import InvalidWire, Problem, in_words
from heartsrules.base.extras import needs
from heartsrules.base.signals import interrupts_deferred
from heartsrules.base.values import checked_count
from heartsrules.formats.files import LockedFile, check_local, same_file
from heartsrules.rules import Rules
from heartsrules.simulation.builds import build_name
from heartsrules.simulation.columns import schema_of
from heartsrules.simulation.counts import counts_of, statistics_of
from heartsrules.simulation.data_card import data_card
from heartsrules.simulation.executors import Chunked, Job, Pace, described, run
from heartsrules.simulation.kept_games import KeptGame, KeptGames, PlayersOf, Shard, check_keep, is_shard, writer_of
from heartsrules.simulation.limits import KeepAs
from heartsrules.simulation.statistics import Statistics

__all__ = ["Resumable", "RunIdentity", "RunPart", "Setting", "Tables", "Verdicts"]
__dir__ = __all__.copy

Setting: TypeAlias = bool | int | str | tuple[int | str, ...] | None
"""The value of a setting of a run."""
Work: TypeAlias = Literal["simulate", "match", "verify"]

_SECONDS: Final = 1.0
"""Seconds between two writes of a file, which a killed process loses."""
_WAITING: Final = 8
"""Limit on the tallies in memory that have not been added up."""
_WRITING: Final = 20
"""Writing may take 1/20 of the processor time."""


@attrs.frozen
class Tables:
    """Results of tables of a match.

    Attributes:
        games: for each table number, the totals by seat of each game.
        unfinished: the number of games stopped early.
    """

    games: Mapping[int, tuple[tuple[int, ...], ...]] = attrs.field(factory=dict)
    unfinished: int = 0

    def __add__(self, other: Tables) -> Tables:
        if not isinstance(other, Tables):
            return NotImplemented
        return Tables({**self.games, **other.games}, self.unfinished + other.unfinished)


@attrs.frozen
class Verdicts:
    """Counts of verdicts on records.

    Attributes:
        valid: the number of valid records.
        finished: the number of valid records of finished games.
        invalid: the number of records with a failure.
        unreadable: the number of records that cannot be read.
        failures: the numbers of the first 100 bad records, each with a line of text that names the fault.
    """

    MOST_FAILURES: ClassVar[int] = 100
    """The number of failures that are kept."""

    valid: int = 0
    finished: int = 0
    invalid: int = 0
    unreadable: int = 0
    failures: tuple[tuple[int, str], ...] = ()

    @property
    def bad(self) -> int:
        """The number of invalid and unreadable records."""
        return self.invalid + self.unreadable

    def __add__(self, other: Verdicts) -> Verdicts:
        if not isinstance(other, Verdicts):
            return NotImplemented
        sums = {field.name: getattr(self, field.name) + getattr(other, field.name) for field in attrs.fields(Verdicts)}
        return Verdicts(**{**sums, "failures": tuple(sorted(sums["failures"])[: self.MOST_FAILURES])})


def qualified_names(players: object) -> tuple[str, ...]:
    """Return the Python names of a policy or of bots."""
    each = () if players is None else players if isinstance(players, tuple) else (players,)
    return tuple([str(getattr(bot, "__qualname__", type(bot).__qualname__)) for bot in each])


class _Addable(Protocol):
    def __add__(self, other: Any, /) -> Any: ...


T = TypeVar("T", bound=_Addable)
J = TypeVar("J", bound=Job)


@attrs.frozen(kw_only=True)
class RunIdentity:
    """A run's identity: what it plays or verifies.

    Only parts with equal identities can be added.

    Attributes:
        work: the kind of work.
        rules: the rule set, or None if records are verified.
        seed: the seed, or "" if records are verified.
        whole: the numbers of the games, tables or records of the whole run.
        settings: everything else that affects the results or is printed with them.
        version: the version of this package.
    """

    work: Work
    rules: Rules | None
    seed: str
    whole: range
    settings: Mapping[str, Setting] = attrs.field(factory=dict)
    version: str = __version__

    def differences(self, other: RunIdentity) -> list[Problem]:
        """Return a problem for each part in which another identity differs."""
        if other is self:
            return []
        one, two = (
            {**attrs.asdict(run, recurse=False), **{f"settings/{name}": value for name, value in run.settings.items()}}
            for run in (self, other)
        )
        return [
            Problem.of("other-run", (f"/{name}",), found=in_words(two.get(name)), expected=in_words(one.get(name)))
            for name in dict.fromkeys([*one, *two])
            if name != "settings" and one.get(name) != two.get(name)
        ]


@attrs.frozen
class RunPart(Generic[T]):
    """The results of some items of a run. Parts of a run add up, in any order.

    >>> from heartsrules import Rules
    >>> run = RunIdentity(work="match", rules=Rules(), seed="7", whole=range(4))
    >>> one = RunPart(run, (range(0, 1),), Tables({0: ((26, 0, 0, 0),)}))
    >>> two = RunPart(run, (range(2, 4),), Tables({2: ((0, 26, 0, 0),), 3: ((5, 8, 6, 7),)}))
    >>> (one + two).missing, RunPart.from_json((one + two).to_json()) == two + one
    ((range(1, 2),), True)

    Attributes:
        run: the whole run.
        done: the numbers of the items, as disjoint ranges in ascending order.
        tally: their results.
        shards: the files of this part's games, if they are kept. A sum has none.
        builds: the builds of this package that computed the items, in ascending order, such as `3f2a9c0d1e7b compiled`:
            a digest of the sources.
    """

    run: RunIdentity
    done: tuple[range, ...]
    tally: T
    shards: tuple[Shard, ...] = attrs.field(default=(), eq=False)
    builds: tuple[str, ...] = ()

    @property
    def missing(self) -> tuple[range, ...]:
        """The numbers of the whole run's missing items."""
        return self.missing_of(self.run.whole)

    def missing_of(self, share: range) -> tuple[range, ...]:
        """Return the numbers in a share that are not done."""
        edges = [share.start, *[edge for span in self.done for edge in (span.start, span.stop)], share.stop]
        pairs = zip(edges[::2], edges[1::2], strict=True)
        gaps = [range(max(first, share.start), min(stop, share.stop)) for first, stop in pairs]
        return tuple([gap for gap in gaps if gap])

    def __add__(self, other: RunPart[T]) -> RunPart[T]:
        """Add two parts of a run with `add`."""
        return self.add(other) if isinstance(other, RunPart) else NotImplemented

    def add(self, other: RunPart[T], *, mixed_builds: bool = False) -> RunPart[T]:
        """Add two parts of a run.

        Args:
            mixed_builds: True if the parts may be from different builds of this package.

        Raises:
            InvalidWire: the runs or builds differ, or both parts have an item.
        """
        problems = self.run.differences(other.run)
        if not mixed_builds:
            problems += _other_builds(other.builds, self.builds)
        done = _joined([*self.done, *other.done])
        if not problems and sum(map(len, done)) < sum(map(len, self.done + other.done)):
            both = next(gap for span in self.done for gap in other._done_of(span))
            problems.append(Problem.of("parts-overlap", ("/done",), first=both[0], last=both[-1]))
        if problems:
            raise InvalidWire(problems)
        builds = tuple(sorted({*self.builds, *other.builds}))
        return RunPart(self.run, done, self.tally + other.tally, builds=builds)

    def _done_of(self, span: range) -> list[range]:
        cut = [range(max(each.start, span.start), min(each.stop, span.stop)) for each in self.done]
        return [each for each in cut if each]

    def to_json(self) -> bytes:
        """Write the document of this part.

        Raises:
            InvalidWire: a number is too large for JSON, or a text is not Unicode.
            MissingExtra: the extra `json` is missing.
        """
        from heartsrules.formats.wire.parts import write_run_part

        tally: Any = self.tally
        if isinstance(tally, Statistics):
            data: dict[str, Any] = counts_of(tally, str)
        elif isinstance(tally, Tables):
            data = {"tables": [games for _, games in sorted(tally.games.items())], "unfinished": tally.unfinished}
        else:
            data = attrs.asdict(tally)
        keys = attrs.asdict(self.run, recurse=False)
        keys["whole"] = (self.run.whole.start, self.run.whole.stop)
        done = [(span.start, span.stop) for span in self.done]
        keys["shards"] = [attrs.asdict(shard) for shard in self.shards]
        keys["builds"] = self.builds
        return write_run_part(keys.pop("work"), keys.pop("rules"), data, **keys, done=done)

    @staticmethod
    def from_json(data: bytes) -> RunPart[Any]:
        """Read the document of a part.

        Raises:
            InvalidWire: the document is refused; `problems` lists every fault found.
            MissingExtra: the extra `json` is missing.
        """
        from heartsrules.formats.wire.parts import read_run_part

        work, rules, tally, keys = read_run_part(data)
        whole = range(*keys.pop("whole"))
        done = tuple([range(*span) for span in keys.pop("done")])
        shards = tuple([Shard(**shard) for shard in keys.pop("shards")])
        builds = keys.pop("builds")
        if not all(done) or _joined(done) != done or (done and (done[0][0] not in whole or done[-1][-1] not in whole)):
            raise InvalidWire((Problem.of("wrong-spans", ("/done",)),))
        if (rules is None) != (work == "verify"):
            raise InvalidWire((Problem.of("wrong-tally", ("/rules",)),))
        run: Any = RunIdentity(work=work, rules=rules, whole=whole, **keys)  # type: ignore[arg-type]
        try:
            return RunPart(run, done, _tally_of(rules, tally, done), shards, builds)
        except (ValueError, TypeError):
            raise InvalidWire((Problem.of("wrong-tally", ("/tally",)),)) from None


def _other_builds(found: tuple[str, ...], expected: tuple[str, ...]) -> list[Problem]:
    if found == expected:
        return []
    names = [" + ".join(builds) or "unknown" for builds in (found, expected)]
    return [Problem.of("other-build", ("/builds",), found=names[0], expected=names[1])]


def _tally_of(rules: Rules | None, data: dict[str, Any], done: tuple[range, ...]) -> Statistics | Tables | Verdicts:
    tally: Statistics | Tables | Verdicts
    if rules is None:
        tally = Verdicts(**data)
        count = tally.valid + tally.invalid + tally.unreadable
        right = tally.finished <= tally.valid and len(tally.failures) <= tally.invalid + tally.unreadable
    elif "tables" in data:
        tables = data["tables"]
        count = len(tables)
        shapes = {tuple(map(len, games)) for games in tables}
        right = len(shapes) < 2 and all(shape and set(shape) == {rules.players} for shape in shapes)
        tally = Tables(dict(zip(chain.from_iterable(done), tables, strict=False)), data["unfinished"])
    else:
        tally = statistics_of(rules, data)
        count, right = tally.games, True
    if count != sum(map(len, done)) or not right:
        raise ValueError("the counts are those of other items")
    return tally


def _joined(spans: Iterable[range]) -> tuple[range, ...]:
    found: list[range] = []
    for span in sorted(spans, key=lambda each: each.start):
        if found and span.start <= found[-1].stop:
            found[-1] = range(found[-1].start, max(found[-1].stop, span.stop))
        elif span:
            found.append(span)
    return tuple(found)


def share_of(whole: range, number: int, parts: int) -> range:
    """Return the items of part `number` (from 1) of a run that is divided evenly.

    >>> [share_of(range(10), number, 3) for number in (1, 2, 3)]
    [range(0, 3), range(3, 6), range(6, 10)]
    """
    first, stop = [whole.start + len(whole) * each // parts for each in (number - 1, number)]
    return range(first, stop)


# ----------------------------------------------------------------------------------------------------------- files


@attrs.frozen
class Resumable:
    """A part of a run and its files, to pass in place of an executor.

    The finished items are written to `path` about every second, in one step. After any interruption, the same call
    continues from there and counts nothing twice.

    With `keep`, the games are written in shards, and `path` whenever a shard is complete. Ctrl-C completes the open
    shard, as does SIGTERM if its handler raises an exception (such as `signal.default_int_handler`). After a kill, its
    games are played again.

    >>> import tempfile
    >>> from heartsrules import Rules
    >>> from heartsrules.simulation.many_games import simulate
    >>> rules = Rules(target=20)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     paths = [Path(folder) / f"{number}.json" for number in (1, 2)]
    ...     for number, path in enumerate(paths, 1):
    ...         _ = simulate(rules, 4, seed=1, executor=Resumable(path, part=(number, 2)))
    ...     one, two = [RunPart.from_json(path.read_bytes()) for path in paths]
    >>> (one + two).tally == simulate(rules, 4, seed=1)
    True

    While a run writes its files, another one raises `heartsrules.formats.files.FileInUse`.

    Attributes:
        path: the document of the part, possibly from an earlier attempt. None writes no document.
        part: the part's number, from 1, and the number of parts of the whole run.
        executor: the executor, or None for this process.
        keep: a path for the games, as text in gzip (`.gz`) or Parquet (`.parquet`). For `games.parquet` the shards are
            `games-00000.parquet` and so on, each with at most 100,000 deals from about a minute. Tables of deals get a
            data set card, `README.md`, unless there is one.
        keep_as: the form of the games: `columns` (a table of deals, the default for Parquet) or `records` (text).
        names: the names in the column `players`, one or one for each seat; in a match of two the bot's and the field's.
            Defaults to the Python names.
        command: the run's command, for the Parquet metadata.
        about: further settings that must be equal in all parts, such as the names of bots.
        mixed_builds: True if this build may continue another build's part.
        stopped: a function called with the error, or Ctrl-C, that ends the run early. If it returns True, nothing is
            raised, and the result covers the finished items.

    Raises:
        FileExistsError: a shard would overwrite a file.
        ValueError: the run has no such part, `keep` has another ending, `path` is the same file or has the name of a
            shard, or one of the two is an address such as `s3://bucket/games.gz`.
    """

    path: Path | None = None
    part: tuple[int, int] = attrs.field(default=(1, 1), kw_only=True)
    executor: Executor | Chunked | None = attrs.field(default=None, kw_only=True)
    keep: Path | None = attrs.field(default=None, kw_only=True)
    keep_as: KeepAs | None = attrs.field(default=None, kw_only=True)
    names: Sequence[str] = attrs.field(default=(), kw_only=True)
    command: str = attrs.field(default="", kw_only=True)
    about: Mapping[str, Setting] = attrs.field(factory=dict, kw_only=True)
    mixed_builds: bool = attrs.field(default=False, kw_only=True)
    stopped: Callable[[BaseException], bool] | None = attrs.field(default=None, kw_only=True)

    def __attrs_post_init__(self) -> None:
        if self.executor is not None:
            Chunked.of(self.executor)
        number, parts = self.part
        if checked_count("the number of parts", parts) < checked_count("the number of a part", number):
            raise ValueError(f"there is no part {number} of {parts}: choose 1 to {parts}")
        if self.path is not None:
            check_local("path", self.path)
        if self.keep is not None:
            check_keep(self.keep, self.keep_as)
            if self.path is None:
                return
            if same_file(self.path, self.keep):
                raise ValueError(f"path and keep are one file, {in_words(str(self.keep))}: choose two")
            if is_shard(self.keep, self.path.name) and same_file(self.path.parent / self.keep.name, self.keep):
                raise ValueError(f"path is {in_words(str(self.path))}, a name of a shard of keep: choose another")

    @staticmethod
    def of(executor: Executor | Chunked | Resumable | None) -> Resumable:
        """Wrap an executor in a `Resumable` without files, unless it is one."""
        return executor if isinstance(executor, Resumable) else Resumable(executor=executor)

    @property
    def form(self) -> KeepAs | None:
        """The form of the games, or None if they are not kept."""
        if self.keep is None:
            return None
        return self.keep_as or ("records" if self.keep.suffix == ".gz" else "columns")

    def count_done(self) -> int:
        """Return the number of items done earlier, or 0 if the file cannot be read."""
        try:
            return sum(map(len, RunPart.from_json(self.path.read_bytes()).done)) if self.path is not None else 0
        except (OSError, InvalidWire):
            return 0


def _metadata(files: Resumable, run: RunIdentity) -> dict[str, str]:
    from heartsrules.formats.wire.parts import rules_in_full

    assert run.rules is not None
    # All options, so that the meaning does not depend on the defaults.
    rules = rules_in_full(run.rules).decode()
    found = {"version": run.version, "build": build_name(), "rules": rules, "seed": run.seed, "command": files.command}
    return {**found, "work": run.work}


class Checkpoint(Generic[T]):
    """A context manager that collects a part's finished items, and writes them."""

    def __init__(self, files: Resumable, run: RunIdentity, nothing: T, players_of: PlayersOf = lambda _: ()) -> None:
        """Read the finished items, or begin from the tally `nothing`.

        Raises:
            FileInUse: another run writes one of the files.
            FileExistsError: a shard would overwrite a file.
            InvalidWire: the file belongs to another part or build, or has games in another form, or a shard is missing.
            OSError: a file cannot be read or written.
        """
        if files.names:
            run = attrs.evolve(run, settings={**run.settings, "names": tuple(files.names)})
        run = attrs.evolve(run, settings={**run.settings, **files.about})
        self._stopped: Final = files.stopped
        self._share: Final = share_of(run.whole, *files.part)
        builds = () if files.path is None else (build_name(),)
        self._state: tuple[RunPart[T], list[tuple[range, T]]] = (RunPart(run, (), nothing, builds=builds), [])
        self._due = 0.0
        self._failed = False
        """True if a file could not be written. Results since its last document do not count."""
        self._file: LockedFile | None = None
        self._games: KeptGames | None = None
        try:
            self._open(files, run, players_of)
        except BaseException:
            self._close()
            raise

    def _open(self, files: Resumable, run: RunIdentity, players_of: PlayersOf) -> None:
        if files.path is not None:
            self._file = LockedFile(files.path)
            if self._file.path.exists():
                self._state = (self._read(self._file.path, run, files.mixed_builds), [])
        part = self.part
        keeps = files.keep is not None
        if part.done and (self.missing or keeps) and bool(part.shards) != keeps:
            raise InvalidWire((Problem.of("other-keep", ("/shards",)),))
        if keeps and (form := next((shard.form for shard in part.shards if shard.form != files.form), None)):
            problem = Problem.of("other-form", ("/shards",), found=form, expected=str(files.form))
            raise InvalidWire((problem,))
        if files.keep is not None and files.form is not None and run.rules is not None:
            # Even for a finished part: the process might have been killed before its last shard got its name.
            metadata = _metadata(files, run) if files.keep.suffix == ".parquet" else {}
            new_shard = writer_of(files.form, files.keep, run.rules, metadata, players_of)
            card = ""
            if metadata and files.form == "columns":
                with needs("parquet", "a Parquet file"):
                    card = data_card(run.rules, schema_of(run.rules, metadata), metadata)
            self._games = KeptGames(files.keep, files.form, new_shard, part.shards, card)
        self._save()

    def _close(self) -> None:
        if self._games is not None:
            self._games.close()
        if self._file is not None:
            self._file.close()

    def _read(self, path: Path, run: RunIdentity, mixed_builds: bool) -> RunPart[T]:
        found = RunPart.from_json(path.read_bytes())
        problems = run.differences(found.run)
        own = self._state[0].builds
        if not mixed_builds:
            problems += _other_builds(found.builds, own)
        if not problems and any(span.start < self._share.start or span.stop > self._share.stop for span in found.done):
            first, last = self._share.start, self._share.stop - 1
            problems.append(Problem.of("other-part", ("/done",), first=first, last=last))
        if problems:
            raise InvalidWire(problems)
        # A complete part gets no items from this build.
        builds = {*found.builds, *own} if found.missing_of(self._share) else found.builds
        return attrs.evolve(found, builds=tuple(sorted(builds)))

    @property
    def part(self) -> RunPart[T]:
        """The finished items."""
        with interrupts_deferred():
            self._add_up()
            return self._state[0]

    def _add_up(self) -> None:
        known, fresh = self._state
        if fresh:
            # In pairs, because some tallies grow with their items.
            sums = [RunPart(known.run, (span,), tally, builds=known.builds) for span, tally in fresh]
            while len(sums) > 1:
                pairs = zip_longest(sums[::2], sums[1::2])
                sums = [one if two is None else one + two for one, two in pairs]
            self._state = (attrs.evolve(known + sums[0], shards=known.shards), [])

    @property
    def missing(self) -> tuple[range, ...]:
        """This part's missing items, as ranges in ascending order."""
        return self.part.missing_of(self._share)

    def work(
        self,
        play: Callable[[J], tuple[T, Sequence[KeptGame]]],
        job: J,
        where: Chunked,
        name: str,
        progress: Callable[[int], object] | None,
    ) -> T:
        """Do the missing items on an executor, and return the tally of all finished items.

        `play` does a chunk, given as the job with other numbers. `name` names the items in error messages.
        """
        pace = where.pace()
        count = 0
        in_order = self._games is not None
        chunks = run(play, self._chunks(job, pace), where, in_order=in_order, describe=partial(described, name))
        try:
            with closing(chunks):
                for done in chunks:
                    pace.record(len(done.chunk.numbers), done.seconds)
                    self.add(done.chunk.numbers, *done.result)
                    count += len(done.chunk.numbers)
                    if progress is not None:
                        progress(count)
        except BaseException as error:
            if self._stopped is None or not self._stopped(error):
                raise
        return self.part.tally

    def _chunks(self, job: J, pace: Pace) -> Iterator[J]:
        missing = self.missing
        waiting = sum(map(len, missing))
        for left in missing:
            while left:
                chunk = left[: pace.size(waiting)]
                yield attrs.evolve(job, numbers=chunk)
                left = left[len(chunk) :]
                waiting -= len(chunk)

    def add(self, items: range, tally: T, games: Sequence[KeptGame] = ()) -> None:
        """Add finished items, with their games if these are kept."""
        with interrupts_deferred():
            try:
                if self._games is not None:
                    if not self._games.has_room(games):
                        self._save()
                    self._games.write(games)
                self._state[1].append((items, tally))
                if self._is_due:
                    self._save()
                elif len(self._state[1]) >= _WAITING:
                    self._add_up()
            except BaseException:
                self._failed = True
                raise

    @property
    def _is_due(self) -> bool:
        """True if the file must be written.

        With shards, that is when a shard is complete.
        """
        return time.monotonic() >= self._due if self._games is None else self._games.is_due

    def _save(self) -> None:
        before = time.thread_time()
        part = self.part
        if self._games is not None:
            part = attrs.evolve(part, shards=self._games.finish())
            self._state = (part, [])
        if self._file is not None:
            self._file.replace(part.to_json())
        if self._games is not None:
            self._games.publish()
        self._due = time.monotonic() + max(_SECONDS, _WRITING * (time.thread_time() - before))

    def __enter__(self) -> Checkpoint[T]:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        with interrupts_deferred():
            try:
                if not self._failed:
                    self._save()
            finally:
                self._close()


def save_part(path: Path, part: RunPart[Any]) -> None:
    """Write a part to a file in one step, which survives a power failure.

    Raises:
        FileInUse: a run writes the file.
        OSError: the file cannot be written. It is unchanged.
    """
    with LockedFile(path) as file:
        file.replace(part.to_json())
