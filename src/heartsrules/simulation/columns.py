"""Deals as rows of a table, the form of kept games in Parquet (extra `parquet`).

The page "Simulate many games" describes the columns.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import accumulate
from operator import attrgetter
from typing import Any, Final

import attrs

from heartsrules.cards import ALL_FACES, Card, Cards
from heartsrules.play.game import Record, moves_of
from heartsrules.play.moves import ChooseMoon, Deal, Expose, Move, Pass, Play
from heartsrules.play.state import AwaitingDeal, GameOver
from heartsrules.rules import ANY_NUMBER, Moon, Rules

COLUMNS: Final = frozenset(
    ["game", "deal", "owner", "passes", "leaders", "plays", "points", "shooter", "effect", "winners", "players"]
)
"""The columns of every table."""
_KITTY: Final = 255
_NOWHERE: Final = 254
_ROWS: Final = 1000
_PREFIX: Final = "heartsrules."


@attrs.frozen
class DealRow:
    """One deal: the columns but `game` and `players`. Bytes are columns of int8."""

    deal: int
    owner: bytes
    passes: tuple[bytes, ...]
    dealt_back: bytes
    """Empty without a pass through the middle."""
    exposures: tuple[tuple[int, bytes, bool], ...]
    leaders: bytes
    plays: bytes
    points: tuple[int, ...]
    shooter: int | None
    effect: str | None
    winners: tuple[int, ...] | None


# ---------------------------------------------------------------------------------------------------------- writing


def deal_row(number: int, end: AwaitingDeal | GameOver) -> DealRow:
    """Return the row of a game's deal `number`, which ended in a state."""
    rules = end.rules
    deals: list[Deal] = []
    passes: list[bytes] = []
    exposures: list[tuple[int, bytes, bool]] = []
    plays: list[Play] = []
    for move in moves_of(end):
        if isinstance(move, Play):
            plays.append(move)
        elif isinstance(move, Deal):
            deals.append(move)
        elif isinstance(move, Pass):
            passes.append(bytes([card.index for cards in move.cards for card in cards]))
        elif isinstance(move, Expose):
            exposures.append((move.seat, bytes([card.index for card in move.cards]), False))
    if passes and exposures and rules._resolved.shows_before_pass(number):
        # Every seat exposed nothing before the pass, and decides again after it.
        exposures = [(seat, cards, place < rules.players) for place, (seat, cards, _) in enumerate(exposures)]
    score = end.score_sheet[-1]
    return DealRow(
        number,
        _owners(deals[0].hands, deals[0].kitty, rules.decks),
        tuple(passes),
        _owners(deals[1].hands, Cards(), rules.decks) if len(deals) > 1 else b"",
        tuple(exposures),
        bytes([play.seat for play in plays[:: rules.players]]),
        bytes([play.card.index for play in plays]),
        score.points,
        score.shooter,
        None if score.effect is None else str(score.effect),
        end.winners if isinstance(end, GameOver) else None,
    )


def _owners(hands: Sequence[Cards], kitty: Cards, decks: int) -> bytes:
    owners = bytearray([_NOWHERE]) * (52 * decks)
    for owner, cards in ((_KITTY, kitty), *enumerate(hands)):
        for card in cards:
            place = card.index
            if owners[place] != _NOWHERE:
                place += 52
            owners[place] = owner
    return bytes(owners)


def has_dealing_back(rules: Rules) -> bool:
    """Return True if the rules have a pass through the middle."""
    return any([rules._resolved.through_middle(number) for number in range(len(rules.pass_cycle))])


def schema_of(rules: Rules, metadata: Mapping[str, str]) -> Any:
    """Return the Arrow schema of the table for a rule set.

    `metadata` describes the run, as from `metadata_of`.
    """
    import pyarrow as pa

    number = pa.int8()
    by_card = pa.list_(number, 52 * rules.decks)
    fields = [("game", pa.int64()), ("deal", pa.int32()), ("owner", by_card), ("passes", pa.list_(pa.list_(number)))]
    if has_dealing_back(rules):
        fields.append(("dealt_back", by_card))
    if rules.exposable:
        exposure = [("seat", number), ("cards", pa.list_(number)), ("before_pass", pa.bool_())]
        fields.append(("exposures", pa.list_(pa.struct(exposure))))
    fields += [
        ("leaders", pa.list_(number, rules.cards_per_hand)),
        ("plays", pa.list_(number, rules.cards_per_hand * rules.players)),
        ("points", pa.list_(pa.int64(), rules.players)),
        ("shooter", number),
        ("effect", pa.string()),
        ("winners", pa.list_(number)),
        ("players", pa.list_(pa.string(), rules.players)),
    ]
    return pa.schema(fields, {f"{_PREFIX}{name}": value for name, value in metadata.items()})


def table_of(schema: Any, rows: Sequence[DealRow], games: Sequence[int], players: Sequence[Sequence[str]]) -> Any:
    """Return the Arrow table of deals.

    `schema` is from `schema_of`. The other arguments have an item for each deal: its row, its game's number, and its
    players' names by seat.
    """
    import pyarrow as pa

    def column(field: Any) -> Any:
        name, kind = field.name, field.type
        if name == "game":
            return pa.array(games, kind)
        if name == "players":
            return pa.array(players, kind)
        values = list(map(attrgetter(name), rows))
        if name == "passes":
            return _nested(values)
        if name == "dealt_back":
            values = [each or bytes([_NOWHERE]) * kind.list_size for each in values]
        if values and isinstance(values[0], bytes):
            return pa.FixedSizeListArray.from_arrays(_int8(b"".join(values)), type=kind)
        if name == "exposures":
            keys = ("seat", "cards", "before_pass")
            values = [
                [dict(zip(keys, (seat, list(cards), first), strict=True)) for seat, cards, first in each]
                for each in values
            ]
        return pa.array(values, kind)

    return pa.Table.from_arrays([column(field) for field in schema], schema=schema)


def _int8(data: bytes) -> Any:
    import pyarrow as pa

    return pa.Array.from_buffers(pa.int8(), len(data), [None, pa.py_buffer(data)])


def _nested(values: Sequence[Sequence[bytes]]) -> Any:
    import pyarrow as pa

    inner = [cards for each in values for cards in each]
    lists = pa.ListArray.from_arrays(_offsets(inner), _int8(b"".join(inner)))
    return pa.ListArray.from_arrays(_offsets(values), lists)


def _offsets(values: Sequence[Sequence[Any]]) -> Any:
    import pyarrow as pa

    offsets = array("i", accumulate(map(len, values), initial=0))
    return pa.Array.from_buffers(pa.int32(), len(offsets), [None, pa.py_buffer(offsets.tobytes())])


# ---------------------------------------------------------------------------------------------------------- reading


@attrs.frozen
class GameRows:
    """The rows of a game, as Arrow converts them to Python."""

    rules: str
    """The rules in the metadata, or ""."""
    rows: Sequence[Mapping[str, Any]]

    @property
    def size(self) -> int:
        """The approximate number of bytes of the rows."""
        return sum([len(row["owner"]) + len(row["plays"]) for row in self.rows])


def metadata_of(schema: Any) -> dict[str, str]:
    """Return the metadata of a run from the schema of its table."""
    found = {key.decode(): value.decode() for key, value in (schema.metadata or {}).items()}
    return {key.removeprefix(_PREFIX): value for key, value in found.items() if key.startswith(_PREFIX)}


@lru_cache(maxsize=16)
def rules_in_metadata(text: str) -> Rules:
    """Return the rules of the metadata.

    Raises:
        InvalidWire: they are not the document of a rule set.
        MissingExtra: the extra `json` is missing.
    """
    from heartsrules.formats.wire import from_json

    return from_json(text.encode(), Rules)


def game_rows(parquet: Any) -> Iterator[GameRows]:
    """Read the rows of each game of an open Parquet file."""
    rules = metadata_of(parquet.schema_arrow).get("rules", "")
    held: list[dict[str, Any]] = []
    for batch in parquet.iter_batches(_ROWS):
        for row in batch.to_pylist():
            if held and row["game"] != held[0]["game"]:
                yield GameRows(rules, held)
                held = []
            held.append(row)
    if held:
        yield GameRows(rules, held)


def game_record(game: GameRows) -> Record:
    """Return the record of a game.

    Raises:
        InvalidWire: the metadata has no valid rule set.
        MissingExtra: the extra `json` is missing.
        ValueError: the rows are not a game.
    """
    rules, rows = rules_in_metadata(game.rules), game.rows
    moves: list[Move] = []
    for number, row in enumerate(rows):
        if row["deal"] != number:
            raise ValueError(f"deal is {row['deal']} in row {number} of the game: expected {number}")
        try:
            moves += moves_of_row(rules, row)
        except (KeyError, IndexError, TypeError) as error:
            raise ValueError(f"a column has a wrong value: {error!r}") from None
    return Record(
        rules=rules,
        moves=moves,
        tags=[("Round", str(rows[0]["game"]))],
        points=[row["points"] for row in rows],
        winners=rows[-1]["winners"],
    )


def moves_of_row(rules: Rules, row: Mapping[str, Any]) -> list[Move]:
    """Return a deal's moves, in order."""
    hands = _hands(rules, row["owner"])
    moves: list[Move] = [Deal(hands[:-1], hands[-1])]
    exposures = row.get("exposures", ())
    moves += [Expose(each["seat"], _cards(each["cards"])) for each in exposures if each["before_pass"]]
    plan = rules.pass_plan(row["deal"])
    for seat, cards in enumerate(row["passes"]):
        moves.append(Pass(seat, *_transfers(cards, [len(cards)] if plan == ANY_NUMBER else [size for _, size in plan])))
    if row["passes"] and rules._resolved.through_middle(row["deal"]):
        moves.append(Deal(_hands(rules, row["dealt_back"])[:-1]))
    moves += [Expose(each["seat"], _cards(each["cards"])) for each in exposures if not each["before_pass"]]
    players = rules.players
    for place, index in enumerate(row["plays"]):
        moves.append(Play((row["leaders"][place // players] + place) % players, _card(index)))
    if rules.moon is Moon.CHOICE and row["shooter"] is not None:
        moves.append(ChooseMoon(row["shooter"], row["effect"]))
    return moves


def _card(index: int) -> Card:
    if not 0 <= index < 52:
        raise IndexError(f"{index} is not a card: expected 0 to 51")
    return ALL_FACES[index]


def _cards(indices: Iterable[int]) -> Cards:
    return Cards([_card(index) for index in indices])


def _transfers(cards: Sequence[int], sizes: Sequence[int]) -> Iterator[Cards]:
    """Split the cards of a pass into transfers. Cards that are too many or too few make an illegal pass."""
    start = 0
    for size in sizes:
        if start < len(cards):
            yield _cards(cards[start : start + size])
        start += size
    if start < len(cards):
        yield _cards(cards[start:])


def _hands(rules: Rules, owners: Sequence[int]) -> list[Cards]:
    hands: list[list[Card]] = [[] for _ in range(rules.players + 1)]
    for place, owner in enumerate(owners):
        if not -2 <= owner < rules.players:
            raise IndexError(f"owner is {owner}: expected a seat, -1 or -2")
        if owner != -2:
            hands[owner].append(ALL_FACES[place % 52])
    return [Cards(hand) for hand in hands]
