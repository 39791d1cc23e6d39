"""The environment with one agent: it conforms to Gymnasium, and its rewards are the points of its seat."""

from __future__ import annotations

import copy
from typing import Any

import attrs
import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from gymnasium.wrappers import RecordEpisodeStatistics
from numpy.testing import assert_array_equal
from pettingzoo.utils.env_logger import EnvLogger

from heartsrules import Card, IllegalMove, Play, Rules, View, presets
from heartsrules.bots import heuristic, uniform
from heartsrules.bridges.gymnasium import HeartsSeatEnv
from heartsrules.bridges.pettingzoo import ACTIONS, observation
from heartsrules.views import view

pytestmark = pytest.mark.once_compiled

ID = "heartsrules.bridges.gymnasium:heartsrules/Hearts-v0"


def play(table: gymnasium.Env[Any, Any], seed: int | None = None) -> tuple[list[Any], float, dict[str, Any]]:
    """Play an episode with the first legal action: the observations, the sum of the rewards and the last infos."""
    observed, info = table.reset(seed=seed)
    seen, total, over = [observed], 0.0, False
    while not over:
        assert info["action_mask"].any()
        observed, reward, terminated, truncated, info = table.step(int(info["action_mask"].argmax()))
        seen.append(observed)
        total += float(reward)
        over = terminated or truncated
    assert not info["action_mask"].any()
    return seen, total, info


@pytest.mark.parametrize("options", [{}, {"mask_in_observation": True, "seat": None, "reward": "win"}])
def test_it_passes_the_check_of_gymnasium(options: dict[str, Any], capsys: pytest.CaptureFixture[str]) -> None:
    check_env(gymnasium.make(ID, rules=presets.cardstock(), **options).unwrapped)
    assert "deal 1" in capsys.readouterr().out
    EnvLogger.flush()


@pytest.mark.parametrize("seat", [0, 2])
@pytest.mark.parametrize(
    "rules", [presets.microsoft(), presets.gong_zhu(4), presets.omnibus(5), presets.cardstock()], ids=str
)
def test_statistics_are_those_of_the_seat(rules: Rules, seat: int) -> None:
    table = RecordEpisodeStatistics(gymnasium.make(ID, rules=rules, seat=seat, max_deals=3))
    bare: Any = table.unwrapped
    for episode in range(2):
        _, total, info = play(table, seed=7 if not episode else None)
        scores = bare.game.scores
        assert total == pytest.approx(sum(scores) / rules.players - scores[seat])
        assert info["episode"]["r"] == total
        assert info["seat"] == seat


def test_the_agent_sees_what_its_seat_sees() -> None:
    table = HeartsSeatEnv(presets.cardstock(), seat=3, mask_in_observation=True)
    seen, _ = table.reset(seed=1)
    while seen["action_mask"].any():
        assert table.observation_space.contains(seen)
        assert_array_equal(seen["observation"], observation(view(table.game, 3)))
        seen, *_ = table.step(int(seen["action_mask"].argmax()))


def test_opponents_sit_clockwise_from_the_agent() -> None:
    asked: dict[str, list[int | None]] = {"left": [], "across": [], "right": []}

    class Preparing:
        """A bot that is told where it sits."""

        begun: list[tuple[Rules, int]]

        def __init__(self, name: str) -> None:
            self.name = name
            self.begun = []

        def begin(self, rules: Rules, seat: int, /) -> None:
            self.begun.append((rules, seat))

        def __call__(self, known: View, rng: Any, /) -> Any:
            asked[self.name].append(known.seat)
            return uniform(known, rng)

    bots = [Preparing(name) for name in asked]
    table = HeartsSeatEnv(presets.cardstock(), seat=None, opponents=bots)
    seats = set()
    for seed in range(12):
        play(table, seed)
        seats.add(table.seat)
        assert [set(each) for each in asked.values()] == [{(table.seat + step) % 4} for step in (1, 2, 3)]
        assert [bot.begun[-1] for bot in bots] == [(table.rules, (table.seat + step) % 4) for step in (1, 2, 3)]
        for each in asked.values():
            each.clear()
    assert seats == {0, 1, 2, 3}


def test_a_seed_decides_everything() -> None:
    rules = presets.cardstock()
    one, other = [HeartsSeatEnv(rules, seat=None, opponents=["uniform", heuristic, "uniform"]) for _ in range(2)]
    for seed in (5, None, None, 5):
        found, expected = [play(table, seed)[0] for table in (one, other)]
        assert_array_equal(found, expected)
        assert one.seat == other.seat
    one.reset(seed=5)
    twin = copy.deepcopy(one)
    found, expected = [table.step(int(table.reset(seed=6)[1]["action_mask"].argmax()))[0] for table in (one, twin)]
    assert_array_equal(found, expected)
    secret = [play(HeartsSeatEnv(rules))[0] for _ in range(2)]
    assert not np.array_equal(secret[0][0], secret[1][0])


def test_an_illegal_action_ends_the_episode() -> None:
    table = HeartsSeatEnv(presets.cardstock(), seat=1)
    _, info = table.reset(seed=1)
    _, reward, terminated, truncated, after = table.step(int(info["action_mask"].argmin()))
    assert (reward, terminated, truncated) == (-26.0, True, False)
    assert not after["action_mask"].any()
    with pytest.raises(ValueError, match="the only valid action is None"):
        table.step(0)
    table.reset()
    with pytest.raises(ValueError, match="there is no action 55"):
        table.step(ACTIONS)
    EnvLogger.flush()


def test_episodes_are_truncated() -> None:
    table = HeartsSeatEnv(max_deals=1)
    _, info = table.reset(seed=1)
    terminated = truncated = False
    while not truncated:
        assert not terminated
        *_, terminated, truncated, info = table.step(int(info["action_mask"].argmax()))


def test_a_bot_that_breaks_the_rules() -> None:
    def cheat(known: View, _: Any, /) -> Any:
        return Play(known.seat or 0, Card("QS"))

    table = HeartsSeatEnv(attrs.evolve(presets.cardstock()), opponents=cheat)
    with pytest.raises(IllegalMove):
        play(table, seed=1)


@pytest.mark.parametrize("mode", [None, "async"])
def test_many_of_them(mode: Any) -> None:
    tables: Any = gymnasium.make_vec(
        ID, 2, vectorization_mode=mode, rules=presets.cardstock(), opponents="uniform", seat=2
    )
    _, infos = tables.reset(seed=1)
    rewards = terminated = np.empty(0)
    for _ in range(13):
        _, rewards, terminated, _, infos = tables.step(infos["action_mask"].argmax(axis=1))
    assert terminated.all()
    assert infos["seat"].tolist() == [2, 2]
    expected = [play(HeartsSeatEnv(presets.cardstock(), opponents="uniform", seat=2), seed)[1] for seed in (1, 2)]
    assert rewards.tolist() == expected
    tables.close()


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"seat": 4}, ValueError, "seat is 4: choose one from 0 to 3, or None"),
        ({"seat": "west"}, TypeError, "str"),
        ({"opponents": "magic"}, ValueError, "there is no bot"),
        ({"opponents": ["uniform"] * 4}, ValueError, "there are 4 opponents: give one, or one for each of the 3"),
        ({"opponents": 3}, TypeError, "opponents must be a bot, the name of one, or a sequence of them, not an int"),
        ({"opponents": ["uniform", 3, "uniform"]}, TypeError, "each of opponents must be a bot or the name of one"),
        ({"reward": "money"}, ValueError, "reward is 'money'"),
        ({"render_mode": "rgb_array"}, ValueError, "render_mode is 'rgb_array'"),
    ],
)
def test_wrong_options(options: dict[str, Any], error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        HeartsSeatEnv(**options)
