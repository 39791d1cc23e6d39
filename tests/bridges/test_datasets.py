"""Decisions of kept games: those of the games, seen as the environments show them, with the returns of the points."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import attrs
import numpy as np
import pytest

from heartsrules import Card, InvalidRules, Rules, presets, view
from heartsrules.bots import heuristic, uniform
from heartsrules.bridges.datasets import Decisions, decisions
from heartsrules.bridges.pettingzoo import actions_for
from heartsrules.bridges.vector import DECLINE, layout, unpack, unpack_masks, word_layout, words_of
from heartsrules.play.game import Game, Record
from heartsrules.play.moves import Deal
from heartsrules.play.state import AwaitingDeal, Passing
from heartsrules.rules import ExposeBeforePass, Kitty, Moon, Tie, middle
from heartsrules.simulation import tournament
from heartsrules.simulation.columns import GameRows, game_record
from heartsrules.simulation.kept_games import parquet_games
from heartsrules.simulation.many_games import simulate
from heartsrules.simulation.parts import Resumable

ONE_DEAL = Rules(target=None, max_deals=1, tie=Tie.SHARED)
COVERED = {
    "usual": Rules(target=30),
    "exposures": presets.gong_zhu(4),
    "rounds": attrs.evolve(presets.charged_hearts(), expose_before_pass=ExposeBeforePass.NEVER, pass_cycle=[middle(3)]),
    "two decks": presets.dicegamedepot_cancellation(6),
    "kitty": presets.dicegamedepot(5, kitty=Kitty.FIRST_TRICK),
    "middle": Rules(pass_cycle=[middle(3)], target=30),
    "choice": Rules(moon=Moon.CHOICE, target=60),
    "teams": presets.leekha(),
}


def kept(folder: Path, rules: Rules, games: int = 3, **more: Any) -> list[Path]:
    simulate(rules, games, seed=3, max_deals=5, executor=Resumable(keep=folder / "games.parquet", **more))
    return sorted(folder.glob("games-*.parquet"))


def records(paths: list[Path]) -> Iterator[Record]:
    for path in paths:
        with path.open("rb") as file:
            yield from [game_record(game) for game in parquet_games(file) if isinstance(game, GameRows)]


def expected(record: Record) -> Iterator[tuple[Any, int, int, int]]:
    """The words, the action, the seat and the deal of each decision of a game, by its states."""
    game, number = Game.start(record.rules), -1
    for move in record.moves:
        if isinstance(move, Deal):
            number += isinstance(game.state, AwaitingDeal)
        else:
            seen = view(game.state, move.seat)
            picks: list[Card | None] = []
            for action in actions_for(move, game.state.plan if isinstance(game.state, Passing) else None):
                yield words_of(seen, picks), action, move.seat, number
                picks.append(None if action == DECLINE else Card.from_index(action) if action < DECLINE else None)
        game = game.play(move)


def joined(batches: Iterator[Decisions]) -> Decisions:
    return Decisions(*[np.concatenate(each) for each in zip(*batches, strict=True)])


@pytest.mark.parametrize("name", list(COVERED))
def test_decisions_are_those_of_the_games(tmp_path: Path, name: str) -> None:
    rules = COVERED[name]
    paths = kept(tmp_path, rules)
    found = joined(decisions(paths, observe="words", deals=1))
    games = list(records(paths))
    rows = [row for record in games for row in expected(record)]
    words = np.array([row[0] for row in rows])
    assert found.actions.tolist() == [row[1] for row in rows]
    assert (found.observations == words).all()
    assert (found.masks == unpack_masks(words[:, word_layout(rules)["legal"]].ravel())).all()
    assert found.masks[np.arange(len(rows)), found.actions].all()
    returns = []
    for record in games:
        for _, _, seat, number in expected(record):
            lost = [sum([record.points[number][each] for each in side]) for side in rules.sides]
            side = next(place for place, each in enumerate(rules.sides) if seat in each)
            returns.append(sum(lost) / len(lost) - lost[side])
    assert found.returns.tolist() == pytest.approx(returns, abs=1e-4)
    floats = joined(decisions(paths, deals=100))
    assert (floats.observations == unpack(rules, words)).all()
    assert floats.observations.shape[1] == list(layout(rules).values())[-1].stop


def test_returns_of_a_game_add_up_from_each_deal_on(tmp_path: Path) -> None:
    paths = kept(tmp_path, Rules(target=60))
    by_deal, by_game = (joined(decisions(paths, observe="words", returns=each)) for each in ("deal", "game"))
    (first, *_) = records(paths)
    lost = np.array(first.points).sum(axis=0)
    seat = first.moves[1].seat  # type: ignore[union-attr]
    assert by_game.returns[0] == pytest.approx(lost.mean() - lost[seat])
    assert by_game.returns[-1] == by_deal.returns[-1]


def test_batches_have_whole_games(tmp_path: Path) -> None:
    paths = kept(tmp_path, ONE_DEAL, 25)
    assert [len(each.actions) for each in decisions(paths[0], deals=10)] == [640, 640, 320]
    assert list(decisions([])) == []


def test_decisions_of_one_player_can_be_chosen(tmp_path: Path) -> None:
    files = Resumable(keep=tmp_path / "games.parquet", names=("hero", "others"))
    tournament(ONE_DEAL, heuristic, uniform, tables=2, seed=1, executor=files)
    path = tmp_path / "games-00000.parquet"
    assert sum([len(each.actions) for each in decisions(path, players=["hero"])]) == 8 * 16
    assert sum([len(each.actions) for each in decisions(path, players=["others"])]) == 8 * 48
    assert sum([len(each.actions) for each in decisions(path, players={"nobody"})]) == 0


def test_rules_without_actions_are_refused(tmp_path: Path) -> None:
    paths = kept(tmp_path, Rules(pass_cycle=[middle(None)], target=20))
    with pytest.raises(InvalidRules):
        list(decisions(paths))


def test_wrong_files_are_refused(tmp_path: Path) -> None:
    import pyarrow.parquet

    for name in ("one", "two", "texts"):
        (tmp_path / name).mkdir()
    (one,) = kept(tmp_path / "one", ONE_DEAL)
    (two,) = kept(tmp_path / "two", Rules(target=20))
    with pytest.raises(ValueError, match="has other rules than"):
        list(decisions([one, two]))
    (texts,) = kept(tmp_path / "texts", ONE_DEAL, keep_as="records")
    with pytest.raises(OSError, match="keep games with --keep-as columns"):
        list(decisions(texts))
    with pytest.raises(FileNotFoundError):
        list(decisions(tmp_path / "nothing.parquet"))
    table = pyarrow.parquet.read_table(one)
    plays = pyarrow.array([each[::-1] for each in table["plays"].to_pylist()], table.schema.field("plays").type)
    wrong = table.set_column(table.schema.get_field_index("plays"), "plays", plays)
    pyarrow.parquet.write_table(wrong, one)
    with pytest.raises(ValueError, match=r"game 0: decision 12 is action \d+, which is not legal"):
        list(decisions(one))
    pyarrow.parquet.write_table(table.replace_schema_metadata({}), one)
    with pytest.raises(OSError, match=r"one.games-00000\.parquet: "):
        list(decisions(one))


@pytest.mark.parametrize(
    ("arguments", "kind", "message"),
    [
        ({"paths": 3}, TypeError, "paths must be a path or an iterable of paths"),
        ({"observe": "bits"}, ValueError, "observe is 'bits': choose one of words, floats"),
        ({"returns": "trick"}, ValueError, "returns is 'trick': choose one of deal, game"),
        ({"players": "learned"}, TypeError, "players must be a collection of names or None"),
        ({"deals": 0}, ValueError, "deals is 0: choose 1 or more"),
    ],
)
def test_wrong_arguments_are_refused(arguments: dict[str, Any], kind: type[Exception], message: str) -> None:
    with pytest.raises(kind, match=message):
        decisions(**{"paths": "games.parquet", **arguments})
