"""Decisions from kept games as NumPy arrays, for imitation and offline learning.

`decisions` replays every game in tables of deals from `heartsrules simulate --keep games.parquet` and `match --keep`.
Observations and actions are as in `heartsrules.bridges.vector`, so a network trained on them can play there.

This module needs the extras `vector` and `parquet`.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import pairwise
from operator import index
from pathlib import Path
from typing import Any, Final, Literal, NamedTuple, TypeAlias, get_args

from heartsrules.base.extras import needs

with needs("vector", "heartsrules.bridges.datasets"):
    import numpy as np
    from numpy.typing import NDArray

with needs("parquet", "heartsrules.bridges.datasets"):
    import pyarrow
    import pyarrow.parquet

from heartsrules.base.errors import InvalidWire, in_words
from heartsrules.base.values import checked_count, wrong_type
from heartsrules.bridges._actions import DECLINE, OTHERS_UP, SHOOTER_DOWN, pass_size
from heartsrules.bridges._batch import Batch
from heartsrules.bridges._layout import encoder_of
from heartsrules.bridges.vector import Observe, unpack, unpack_masks
from heartsrules.cards import Cards, bag_of
from heartsrules.play.moves import Deal
from heartsrules.rules import Moon, Rules
from heartsrules.simulation.columns import COLUMNS, has_dealing_back, metadata_of, rules_in_metadata

__all__ = ["Decisions", "Returns", "decisions"]
__dir__ = __all__.copy

Returns: TypeAlias = Literal["deal", "game"]
"""The kind of returns: for the deal, or for this deal and all later ones of the game."""
_MANY: Final = 10**9
_POWERS: Final = 1 << np.arange(52, dtype=np.int64)
_ROWS: Final = 1000


class Decisions(NamedTuple):
    """Decisions of whole games, in order. Each array has one item per decision.

    Attributes:
        observations: the observations of the seats to act.
        masks: the masks of the legal actions, 1 for each legal one.
        actions: the actions taken.
        returns: the points saved by the seat, compared with the mean of all sides.
    """

    observations: NDArray[Any]
    masks: NDArray[np.int8]
    actions: NDArray[np.int64]
    returns: NDArray[np.float32]


def decisions(
    paths: str | os.PathLike[str] | Iterable[str | os.PathLike[str]],
    *,
    observe: Observe = "floats",
    returns: Returns = "deal",
    players: Collection[str] | None = None,
    deals: int = 100,
) -> Iterator[Decisions]:
    """Read kept games, and yield their decisions in batches of whole games.

    A pass is several decisions, one for each card, as in the environments.

    Args:
        paths: the Parquet files, all with one rule set, or a single path.
        observe: the kind of observations, floats, or words that `unpack` converts later.
        returns: the kind of returns. The return of a deal is the mean points of all sides, minus those of the seat's
            side.
        players: the names of the players whose decisions are yielded. Defaults to all players.
        deals: the number of deals in a batch, plus the rest of the last game. A deal has 64 decisions in the usual
            game, each of 3.4 kB as floats or 0.2 kB as words.

    Raises:
        InvalidRules: the rules have moves without actions; see `heartsrules.bridges.vector.layout`.
        OSError: a file cannot be read, or has other columns, such as records.
        ValueError: an argument has a wrong value, the files have different rules, or a game is illegal.
    """
    if isinstance(paths, (str, os.PathLike)):
        paths = [paths]
    if not isinstance(paths, Iterable):
        wrong_type("paths", "a path or an iterable of paths", paths)
    for name, value, choices in (("observe", observe, get_args(Observe)), ("returns", returns, get_args(Returns))):
        if value not in choices:
            raise ValueError(f"{name} is {in_words(value)}: choose one of {', '.join(choices)}")
    if isinstance(players, str):
        wrong_type("players", "a collection of names or None", players)
    checked_count("deals", deals)
    return _read([Path(path) for path in paths], observe, returns, players, deals)


def _read(
    paths: Sequence[Path], observe: Observe, returns: Returns, players: Collection[str] | None, deals: int
) -> Iterator[Decisions]:
    replayer: _Replayer | None = None
    for path in paths:
        rules, tables = _tables(path)
        if replayer is None:
            replayer = _Replayer(rules, observe, returns, players)
        elif rules != replayer.rules:
            raise ValueError(f"{path} has other rules than {paths[0]}: read them apart")
        for table in _whole_games(tables, deals):
            try:
                batch = replayer.replay(table)
            except (TypeError, ValueError, LookupError) as error:
                raise ValueError(f"{path}: {error}") from error
            yield batch


def _tables(path: Path) -> tuple[Rules, Iterator[Any]]:
    try:
        file: Any = pyarrow.parquet.ParquetFile(path)
        missing = COLUMNS - set(file.schema_arrow.names)
        if missing:
            raise OSError(f"{path} has no column {', '.join(sorted(missing))}: keep games with --keep-as columns")
        rules = rules_in_metadata(metadata_of(file.schema_arrow).get("rules", ""))
    except (pyarrow.ArrowException, InvalidWire) as error:
        raise OSError(f"{path}: {error}") from None
    return rules, (pyarrow.Table.from_batches([batch]) for batch in file.iter_batches(_ROWS))


def _whole_games(tables: Iterable[Any], deals: int) -> Iterator[Any]:
    """Cut rows between games into tables of at least this many rows, except the last."""
    held: Any = None
    for table in tables:
        held = table if held is None else pyarrow.concat_tables([held, table])
        games = held.column("game").to_numpy()
        ends = np.flatnonzero(games[1:] != games[:-1]) + 1
        start = 0
        for end in ends.tolist():
            if end - start >= deals:
                yield held.slice(start, end - start)
                start = end
        held = held.slice(start)
    if held is not None and len(held):
        yield held


class _Replayer:
    def __init__(self, rules: Rules, observe: Observe, returns: Returns, players: Collection[str] | None) -> None:
        self.rules: Final = rules
        self._observe: Final = observe
        self._returns: Final = returns
        self._players: Final = players
        at = encoder_of(rules).at
        self._size: Final[int] = at.size
        words, rewards = np.zeros(at.size, np.int64), np.zeros(rules.players)
        self._batch: Final = Batch(at, [words.data.cast("B").cast("q")], [rewards.data], True, _MANY)
        self._seen_by: Final = np.array([at.seen_by(seat) for seat in range(rules.players)], np.intp)
        self._deals_back: Final = has_dealing_back(rules)
        self._sizes: Final = [pass_size(rules.pass_plan(number)) for number in range(len(rules.pass_cycle))]

    def replay(self, table: Any) -> Decisions:
        games = table.column("game").to_numpy()
        dealt = self._dealt(table)
        taken = self._taken(table)
        counts = np.array([len(each) for each in taken])
        rows = np.empty((int(counts.sum()), self._size), np.int64)
        buffer = rows.reshape(-1).data.cast("B").cast("q") if rows.size else memoryview(b"")
        edges = [0, *(np.flatnonzero(games[1:] != games[:-1]) + 1).tolist(), len(games)]
        start = 0
        for first, stop in pairwise(edges):
            actions = [action for each in taken[first:stop] for action in each]
            end = start + len(actions) * self._size
            try:
                self._batch.replay([deal for each in dealt[first:stop] for deal in each], actions, buffer[start:end])
            except (ValueError, LookupError) as error:
                raise ValueError(f"game {games[first]}: {error}") from None
            start = end
        deal_of = np.repeat(np.arange(len(games)), counts)
        seats = rows[:, 1]
        found = self._returns_of(table, games)[deal_of, seats].astype(np.float32)
        chosen = np.array([action for each in taken for action in each], np.int64)
        if self._players is not None:
            wanted = np.array(
                [[name in self._players for name in each] for each in table.column("players").to_pylist()]
            )
            places = np.flatnonzero(wanted[deal_of, seats])
            rows, seats, found, chosen = rows[places], seats[places], found[places], chosen[places]
        words = rows[np.arange(len(rows))[:, None], self._seen_by[seats]]
        seen = words if self._observe == "words" else unpack(self.rules, words)
        return Decisions(seen, unpack_masks(rows[:, 0]), chosen, found)

    def _returns_of(self, table: Any, games: NDArray[np.int64]) -> NDArray[np.float64]:
        points = _matrix(table, "points", self.rules.players)
        sides = self.rules.sides
        lost = np.stack([points[:, list(side)].sum(axis=1) for side in sides], axis=1).astype(float)
        saved = lost.mean(axis=1, keepdims=True) - lost
        if self._returns == "game":
            for place in range(len(games) - 2, -1, -1):
                if games[place] == games[place + 1]:
                    saved[place] += saved[place + 1]
        by_seat: NDArray[np.float64] = saved[:, np.arange(self.rules.players) % len(sides)]
        return by_seat

    def _dealt(self, table: Any) -> list[list[Deal]]:
        hands = self._hands(table, "owner")
        found = [[Deal(each[:-1], each[-1])] for each in hands]
        if self._deals_back:
            through_middle = self.rules._resolved.through_middle
            for row, number, back in zip(
                found, table.column("deal").to_pylist(), self._hands(table, "dealt_back"), strict=True
            ):
                if through_middle(number):
                    row.append(Deal(back[:-1]))
        return found

    def _hands(self, table: Any, column: str) -> list[tuple[Cards, ...]]:
        decks, players = self.rules.decks, self.rules.players
        owners = _matrix(table, column, 52 * decks).reshape(-1, decks, 52)
        by_owner = []
        for owner in (*range(players), -1):
            copies = (owners == owner).sum(axis=1)
            once, twice = ((copies > many) @ _POWERS for many in (0, 1))
            by_owner.append([bag_of(lo, hi) for lo, hi in zip(once.tolist(), twice.tolist(), strict=True)])
        return list(zip(*by_owner, strict=True))

    def _taken(self, table: Any) -> list[list[int]]:
        rules = self.rules
        found: list[list[int]] = []
        numbers = table.column("deal").to_pylist()
        passes = table.column("passes").to_pylist()
        for number, each in zip(numbers, passes, strict=True):
            size = self._sizes[number % len(self._sizes)]
            found.append([action for cards in each for action in cards or [DECLINE] * size])
        if rules.exposable:
            for actions, exposures in zip(found, table.column("exposures").to_pylist(), strict=True):
                for exposure in exposures:
                    actions += [*exposure["cards"], DECLINE]
        plays = _matrix(table, "plays", rules.cards_per_hand * rules.players).tolist()
        for actions, each in zip(found, plays, strict=True):
            actions += map(index, each)
        if rules.moon is Moon.CHOICE:
            for actions, effect in zip(found, table.column("effect").to_pylist(), strict=True):
                if effect is not None:
                    actions.append(OTHERS_UP if effect == Moon.OTHERS_UP else SHOOTER_DOWN)
        return found


def _matrix(table: Any, column: str, width: int) -> NDArray[Any]:
    values: NDArray[Any] = table.column(column).combine_chunks().flatten().to_numpy(zero_copy_only=False)
    if len(values) != len(table) * width:
        raise ValueError(f"the column {column} has {len(values)} items in {len(table)} rows: expected {width} a row")
    return values.reshape(-1, width)
