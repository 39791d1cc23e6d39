"""Deals as rows of a table: nothing is lost, whatever the rules, and a table explains itself."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given

from heartsrules import Card, Cards, Deal, Pass, Play, Rules, presets
from heartsrules.bots import heuristic, uniform
from heartsrules.formats.wire import from_json
from heartsrules.play.game import Record, verify
from heartsrules.rules import Moon, Tie, middle
from heartsrules.simulation import tournament
from heartsrules.simulation.batch_judge import Unreadable, read_written
from heartsrules.simulation.builds import build_name
from heartsrules.simulation.columns import COLUMNS, GameRows, game_record, metadata_of
from heartsrules.simulation.kept_games import parquet_games
from heartsrules.simulation.many_games import simulate
from heartsrules.simulation.parts import Resumable
from heartsrules.testing import strategies

pyarrow = pytest.importorskip("pyarrow")
parquet: Any = pytest.importorskip("pyarrow.parquet")

ONE_DEAL = Rules(target=None, max_deals=1, tie=Tie.SHARED)
RARE = [
    presets.gong_zhu(4),
    presets.charged_hearts(),
    presets.dicegamedepot_cancellation(6),
    Rules(players=5, removed="2C 2D"),
    Rules(pass_cycle=[middle(None)], moon=Moon.CHOICE, target=20),
    Rules(pass_cycle=[middle(3)], target=20),
]


def kept(folder: Path, rules: Rules, games: int = 2, **more: Any) -> Path:
    """Keep games, and return the shard."""
    simulate(rules, games, seed=1, max_deals=4, executor=Resumable(keep=folder / "games.parquet", **more))
    (shard,) = folder.glob("games-*.parquet")
    return shard


def games_of(path: Path) -> list[GameRows]:
    with path.open("rb") as file:
        return [game for game in parquet_games(file) if isinstance(game, GameRows)]


def assert_same_as_records(folder: Path, rules: Rules) -> None:
    """Check that columns and records have the same games, which are valid."""
    for form in ("columns", "records"):
        (folder / form).mkdir()
    columns = [game_record(game) for game in games_of(kept(folder / "columns", rules))]
    shard = kept(folder / "records", rules, keep_as="records")
    with shard.open("rb") as file:
        texts = [game for game in parquet_games(file) if isinstance(game, str)]
    assert columns == [record for text in texts for record in records_in(text)]
    assert all(verify(record).valid for record in columns)


def records_in(text: str) -> list[Record]:
    from heartsrules.formats.notation import parse_records

    return list(parse_records(text))


@pytest.mark.parametrize("rules", RARE, ids=range(len(RARE)))
def test_games_of_rare_rules_are_rebuilt_from_their_columns(tmp_path: Path, rules: Rules) -> None:
    assert_same_as_records(tmp_path, rules)


@pytest.mark.long
@pytest.mark.parametrize("name", list(presets.ALL))
def test_games_of_every_preset_are_rebuilt_from_their_columns(tmp_path: Path, name: str) -> None:
    for players in presets.ALL[name].players:
        (tmp_path / str(players)).mkdir()
        assert_same_as_records(tmp_path / str(players), presets.ALL[name](players))


@pytest.mark.long
@given(rules=strategies.rules())
def test_games_of_random_rules_are_rebuilt_from_their_columns(
    tmp_path_factory: pytest.TempPathFactory, rules: Rules
) -> None:
    assert_same_as_records(tmp_path_factory.mktemp("games"), rules)


def test_a_row_has_its_deal(tmp_path: Path) -> None:
    table = parquet.read_table(kept(tmp_path, Rules(target=20)))
    rows = table.to_pylist()
    assert set(table.schema.names) == COLUMNS
    assert [(row["game"], row["deal"]) for row in rows][:2] == [(0, 0), (0, 1)]
    (record, *_) = [game_record(game) for game in games_of(next(tmp_path.glob("games-*")))]
    dealt, passed = record.moves[0], record.moves[1]
    assert isinstance(dealt, Deal)
    assert isinstance(passed, Pass)
    row = rows[0]
    for seat, hand in enumerate(dealt.hands):
        assert hand == Cards([Card.from_index(place) for place, owner in enumerate(row["owner"]) if owner == seat])
    assert [Card.from_index(place) for place in row["passes"][0]] == [card for cards in passed.cards for card in cards]
    plays = [move for move in record.moves[:57] if isinstance(move, Play)]
    assert [Card.from_index(place) for place in row["plays"]] == [play.card for play in plays]
    assert row["leaders"] == [play.seat for play in plays[::4]]
    assert tuple(row["points"]) == record.points[0]
    assert row["winners"] is None
    assert row["players"] == ["uniform"] * 4


def test_moons_are_named(tmp_path: Path) -> None:
    rows = parquet.read_table(kept(tmp_path, ONE_DEAL, 3000)).to_pylist()
    moons = [row for row in rows if row["shooter"] is not None]
    assert moons
    for row in moons:
        assert (row["effect"], row["points"][row["shooter"]], sum(row["points"])) == ("others-up", 0, 78)
    assert {row["effect"] for row in rows if row["shooter"] is None} == {None}


def test_metadata_say_how_the_games_were_made(tmp_path: Path) -> None:
    schema = parquet.read_schema(kept(tmp_path, ONE_DEAL, command="heartsrules simulate", names=["Ann"]))
    found = metadata_of(schema)
    assert from_json(found.pop("rules").encode(), Rules) == ONE_DEAL
    assert found.pop("version")
    assert found.pop("build") == build_name()
    assert found == {"seed": "1", "command": "heartsrules simulate", "work": "simulate"}


def test_players_of_a_match_are_named_by_game(tmp_path: Path) -> None:
    files = Resumable(keep=tmp_path / "games.parquet", names=("hero", "others"))
    tournament(ONE_DEAL, heuristic, uniform, tables=2, seed=1, executor=files)
    rows = parquet.read_table(tmp_path / "games-00000.parquet").to_pylist()
    assert [row["players"].index("hero") for row in rows] == [0, 1, 2, 3] * 2
    assert [row["game"] for row in rows] == list(range(8))


def changed(path: Path, column: str, value: Any) -> list[Any]:
    """What is read after the first row of a column was changed."""
    table = parquet.read_table(path)
    values = table.column(column).to_pylist()
    place = table.schema.get_field_index(column)
    array = pyarrow.array([value, *values[1:]], table.schema.field(column).type)
    table = table.set_column(place, table.schema.field(column), array)
    file = io.BytesIO()
    parquet.write_table(table, file)
    file.seek(0)
    return [item for game in parquet_games(file) for item in read_written(game)]  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("column", "value", "message"),
    [
        ("deal", 3, "deal is 3 in row 0 of the game: expected 0"),
        ("owner", [9] * 52, "a column has a wrong value"),
        ("plays", [52] * 52, "52 is not a card: expected 0 to 51"),
        ("leaders", None, "a column has a wrong value"),
    ],
)
def test_wrong_values_make_a_game_unreadable(tmp_path: Path, column: str, value: Any, message: str) -> None:
    first, second = changed(kept(tmp_path, ONE_DEAL), column, value)
    assert isinstance(first, Unreadable)
    assert message in str(first)
    assert verify(second).valid


def test_wrong_plays_and_points_are_found(tmp_path: Path) -> None:
    path = kept(tmp_path, ONE_DEAL)
    plays = games_of(path)[0].rows[0]["plays"]
    assert "moves[" in str(verify(changed(path, "plays", plays[::-1])[0]).failure)
    assert "the points of Deal 0" in str(verify(changed(path, "points", [1, 2, 3, 4])[0]).failure)


def test_a_table_without_rules_or_columns_is_refused(tmp_path: Path) -> None:
    table = parquet.read_table(kept(tmp_path, ONE_DEAL))
    file = io.BytesIO()
    parquet.write_table(table.replace_schema_metadata({}), file)
    file.seek(0)
    (item, _) = [item for game in parquet_games(file) for item in read_written(game)]  # type: ignore[arg-type]
    assert isinstance(item, Unreadable)
    file = io.BytesIO()
    parquet.write_table(table.drop_columns(["plays"]), file)
    file.seek(0)
    with pytest.raises(OSError, match="it has no column 'record', and not all columns of deals: plays missing"):
        list(parquet_games(file))


@pytest.mark.parametrize(
    ("name", "form", "message"),
    [
        ("games.gz", "columns", "'games.gz' cannot have columns: choose a name that ends in .parquet, or records"),
        ("games.parquet", "rows", "keep_as is 'rows': choose columns or records"),
    ],
)
def test_a_wrong_form_is_refused(name: str, form: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Resumable(keep=Path(name), keep_as=form)


def test_a_wrong_number_of_names_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="names has 3 names: give one, or one for each of 4 seats"):
        kept(tmp_path, ONE_DEAL, names=("Ann", "Bob", "Cid"))


# The card


def test_a_card_describes_the_data_and_replaces_no_file(tmp_path: Path) -> None:
    path = kept(tmp_path, presets.dicegamedepot_cancellation(6), command="heartsrules simulate --seed 1")
    card = (tmp_path / "README.md").read_text(encoding="utf-8")
    assert card.startswith('---\npretty_name: "Hearts, 6 players"\n')
    assert "```shell\nheartsrules simulate --seed 1\n```" in card
    for name in parquet.read_schema(path).names:
        assert f"  - name: {name}\n" in card
        assert f"| `{name}` | " in card
    (tmp_path / "README.md").write_text("mine", encoding="utf-8")
    simulate(ONE_DEAL, 1, seed=1, executor=Resumable(keep=tmp_path / "others.parquet"))
    assert (tmp_path / "README.md").read_text(encoding="utf-8") == "mine"


def test_the_features_of_a_card_are_the_types_of_the_columns(tmp_path: Path) -> None:
    kept(tmp_path, RARE[1])
    card = (tmp_path / "README.md").read_text(encoding="utf-8")
    for lines in (
        ["- name: game", "  dtype: int64"],
        ["- name: owner", "  sequence: int8", "  length: 52"],
        ["- name: passes", "  sequence:", "    sequence: int8"],
        ["- name: exposures", "  list:", "  - name: seat", "    dtype: int8", "  - name: cards", "    sequence: int8"],
        ["- name: players", "  sequence: string", "  length: 4"],
    ):
        assert "".join([f"  {line}\n" for line in lines]) in card


def test_records_have_no_card(tmp_path: Path) -> None:
    kept(tmp_path, ONE_DEAL, keep_as="records")
    assert not (tmp_path / "README.md").exists()
