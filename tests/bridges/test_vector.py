"""The vector environment: each table goes step by step as the single environment does, whatever the rules are.

The rows of words are unpacked and compared with the observations that the PettingZoo environment gives of the states of
the engine, with its masks and its rewards.
"""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from random import Random
from typing import Any, Final

import attrs
import gymnasium
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_array_equal

from heartsrules import (
    AwaitingDeal,
    Card,
    DealingBack,
    GameOver,
    InvalidRules,
    Rules,
    State,
    apply,
    deal,
    new_game,
    presets,
    view,
)
from heartsrules.bridges import pettingzoo
from heartsrules.bridges.vector import (
    ACTIONS,
    DECLINE,
    HeartsVectorEnv,
    Observe,
    layout,
    unpack,
    unpack_masks,
    word_layout,
    words_of,
)
from heartsrules.chance import RandomStream
from heartsrules.rules import (
    Bonus,
    Doubler,
    Exposure,
    Kitty,
    KittyShownTo,
    Moon,
    OpeningLeader,
    PassOptional,
    Tie,
    left,
    middle,
    scatter,
)
from support.rounds import laws
from support.strategies import TABLES, covered, rules_sets

pytestmark = pytest.mark.once_compiled

SHOWING: Final = Rules(
    exposable="QS JD TC AH",
    pass_cycle=[left(3), ()],
    pass_optional=PassOptional.SKIP,
    bonuses=[Bonus(Card("JD"), 10)],
    doubler=Doubler(Card("TC"), 2, 5),
)

RARE: Final = {
    "together": SHOWING,
    "in turn": attrs.evolve(SHOWING, exposure=Exposure.IN_TURN),
    "rounds": attrs.evolve(SHOWING, exposure=Exposure.ROUNDS),
    "rounds in turn": attrs.evolve(SHOWING, exposure=Exposure.ROUNDS_IN_TURN),
    "scatter": Rules(pass_cycle=[scatter(players=4), ((1, 2), (-1, 1))]),
    "middle": Rules(pass_cycle=[middle(3), left(3)], pass_optional=PassOptional.SKIP),
    "scatter or decline": Rules(pass_cycle=[scatter(players=4)], pass_optional=PassOptional.SKIP),
    "unanimous": Rules(pass_optional=PassOptional.UNANIMOUS),
    "queen taker": Rules(opening_leader=OpeningLeader.QUEEN_TAKER, max_deals=3, target=None, tie=Tie.SHARED),
    **{
        f"kitty {shown_to.value}": Rules(players=5, kitty=Kitty.FIRST_POINT, kitty_shown_to=shown_to, moon=Moon.CHOICE)
        for shown_to in KittyShownTo
    },
    "choice": Rules(moon=Moon.CHOICE, heart_values=[0] * 13, pass_cycle=[()]),
}


class Single(pettingzoo.HeartsEnv):
    """A single environment whose piles in the middle are dealt back from a given stream."""

    stream: RandomStream

    @property
    def picks(self) -> tuple[Card | None, ...]:
        """The cards that who is to act has picked."""
        return self._picks

    def _enter(self, state: State) -> None:
        if isinstance(state, DealingBack):
            state = apply(state, deal(state, rng=self.stream))
        super()._enter(state)


class Match:
    """The match of one table beside it, in the single environment, which is given each deal."""

    def __init__(self, rules: Rules, seed: int, reward: Any, max_deals: int) -> None:
        self.single = Single(rules, reward=reward, max_deals=1)
        self.stream = self.single.stream = RandomStream(seed)
        self.max_deals = max_deals
        self.begin()

    def begin(self) -> None:
        """The next match of the table."""
        self.deals = 0
        self.take_up(new_game(self.single.rules))

    def take_up(self, state: State) -> None:
        dealt = apply(state, deal(state, rng=self.stream))
        self.single.reset(seed=1, options={"state": dealt})

    @property
    def seat(self) -> int:
        """Who is to act."""
        return self.single.possible_agents.index(self.single.agent_selection)

    def seen(self, seat: int) -> Any:
        """What a seat observes."""
        return self.single.observe(f"player_{seat}")

    def step(self, action: int) -> tuple[list[float], bool, bool, Any]:
        """The rewards by seat, whether the match is over, whether it is cut off, and what who acted sees at its end."""
        seat = self.seat
        self.single.step(action)
        rewards = list(self.single.rewards.values())
        state = self.single.game
        if not isinstance(state, (AwaitingDeal, GameOver)):
            return rewards, False, False, None
        self.deals += 1
        over = isinstance(state, GameOver)
        cut = not over and self.deals == self.max_deals
        final = self.seen(seat)
        if over or cut:
            self.begin()
        elif isinstance(state, AwaitingDeal):
            self.take_up(state)
        return rewards, over, cut, final if over or cut else None


def check(
    rules: Rules, seed: int, steps: int, *, tables: int = 3, max_deals: int = 2, reward: Any = "points"
) -> set[str]:
    """Plays at some tables and in as many single environments at once; says what came up.

    Every ninth step is taken by a copy of the tables out of a pickle.
    """
    env = HeartsVectorEnv(tables, rules, reward=reward, max_deals=max_deals)
    beside = [Match(rules, seed + number, reward, max_deals) for number in range(tables)]
    rng = Random(seed)
    seen, infos = env.reset(seed=seed)
    came: set[str] = set()
    for step in range(steps):
        if step % 9 == 8:
            env = pickle.loads(pickle.dumps(env))
        seats = infos["seat"].tolist()
        assert seats == [each.seat for each in beside]
        masks = unpack_masks(seen[:, 0])
        assert_array_equal(masks, [each.single.infos[f"player_{each.seat}"]["action_mask"] for each in beside])
        numbers = unpack(rules, seen)
        for words, row, each in zip(seen, numbers, beside, strict=True):
            wanted = each.seen(each.seat)
            game = each.single.game
            assert_array_equal(words_of(view(game, each.seat), each.single.picks), words, err_msg=game.phase.name)
            for name, place in layout(rules).items():
                assert_array_equal(row[place], wanted[place], err_msg=f"{name} in {each.single.game.phase}")
            came.add(each.single.game.phase.name)
        actions = [rng.choice(np.flatnonzero(mask).tolist()) for mask in masks]
        # Passes are declined more often than one time in fourteen.
        actions = [
            DECLINE if mask[DECLINE] and rng.random() < 0.3 else a for a, mask in zip(actions, masks, strict=True)
        ]
        seen, rewards, over, cut, infos = env.step(np.array(actions))
        told = [each.step(action) for each, action in zip(beside, actions, strict=True)]
        assert_array_equal(infos["rewards"], [gained for gained, *_ in told])
        assert_array_equal(rewards, [gained[seat] for (gained, *_), seat in zip(told, seats, strict=True)])
        assert_array_equal(over, [ends for _, ends, _, _ in told])
        assert_array_equal(cut, [ends for _, _, ends, _ in told])
        came |= {"over"} if over.any() else set()
        came |= {"cut"} if cut.any() else set()
        assert ("final_obs" in infos) == bool((over | cut).any())
        if "final_obs" in infos:
            assert_array_equal(infos["_final_obs"], over | cut)
            for final, (_, _, _, wanted) in zip(infos["final_obs"], told, strict=True):
                assert (final is None) == (wanted is None)
                if final is not None:
                    assert_array_equal(unpack(rules, final[None])[0], wanted)
    return came


@pytest.mark.sampled(18)
@pytest.mark.parametrize("rules", TABLES.values(), ids=TABLES)
def test_every_preset_goes_as_the_single_environment_does(rules: Rules) -> None:
    size = rules.cards_per_hand * rules.players + 40
    assert {"PLAY"} <= check(rules, 7, min(size, 110), tables=2)


@pytest.mark.sampled(8)
@pytest.mark.parametrize("rules", RARE.values(), ids=RARE)
@pytest.mark.parametrize("reward", ["points", "win"])
def test_rare_rules_too(rules: Rules, reward: str) -> None:
    check(rules, 3, 150, tables=2, max_deals=3, reward=reward)


@pytest.mark.long
@pytest.mark.untraced
@laws(60)
@given(rules_sets().map(covered), st.integers(0, 999))
def test_any_rules_go_as_in_the_single_environment(rules: Rules, seed: int) -> None:
    check(rules, seed, 90, tables=2)


@pytest.mark.long
def test_a_moon_is_chosen_at_some_of_the_tables() -> None:
    # Without penalty cards but the queen, whoever takes her has shot the moon.
    rules = Rules(moon=Moon.CHOICE, heart_values=[0] * 13, pass_cycle=[()], queen_points=13, target=26)
    assert {"MOON", "over", "PLAY"} <= check(rules, 5, 500, max_deals=1000)
    assert {"MOON", "cut"} <= check(rules, 5, 200, max_deals=2)


# ------------------------------------------------------------------------------------------ nothing else is observed


@pytest.mark.parametrize("rules", [*RARE.values(), *[TABLES[name] for name in ("microsoft-4", "pagat_cancellation-6")]])
def test_a_seat_is_given_no_word_of_another(rules: Rules) -> None:
    """What a seat may not see of the others stands in words that no row takes in."""
    env = HeartsVectorEnv(2, rules)
    at: Any = env._batch.at
    private = {
        name: range(first, first + rules.players * (at.gifts if name.startswith("gifts") else 1))
        for name in (
            *("hand_lo", "hand_hi", "next_gift", "received_lo", "received_hi", "showing", "kitty_lo", "kitty_hi"),
            *("own_captured_lo", "own_captured_hi", "gifts_lo", "gifts_hi"),
        )
        if (first := getattr(at, name)) >= 0
    }
    assert "hand_lo" in private
    for seat in range(rules.players):
        seen = at.seen_by(seat)
        assert len(set(seen)) == len(seen) == word_layout(rules)["totals"].stop
        for places in private.values():
            assert {(place - places.start) % rules.players for place in seen if place in places} <= {seat}


# -------------------------------------------------------------------------------------------- Gymnasium's conventions


@pytest.mark.parametrize("observe", ["words", "floats"])
def test_spaces_and_conventions(observe: Any) -> None:
    rules = presets.cardstock()
    env = HeartsVectorEnv(6, rules, observe=observe)
    assert isinstance(env, gymnasium.vector.VectorEnv)
    assert env.metadata["autoreset_mode"] is gymnasium.vector.AutoresetMode.SAME_STEP
    assert env.single_action_space == gymnasium.spaces.Discrete(ACTIONS)
    seen, infos = env.reset(seed=1)
    ended = 0
    for _ in range(120):
        assert seen in env.observation_space
        assert seen[0] in env.single_observation_space
        assert infos["seat"].tolist() == env.seats.tolist()
        assert ("action_mask" in infos) == (observe == "floats")
        actions = env.draw()
        assert actions in env.action_space
        seen, rewards, over, cut, infos = env.step(actions)
        assert rewards.shape == over.shape == cut.shape == (6,)
        assert infos["rewards"].shape == (6, 4)
        assert_array_equal(infos["rewards"].sum(axis=1), np.zeros(6))
        ended += int(over.sum())
        if over.any():
            assert all(final in env.single_observation_space for final in infos["final_obs"][over])
    assert ended == 12
    env.close()


def test_infos_have_the_returns_of_all_seats() -> None:
    env = HeartsVectorEnv(5, presets.trend_hearts(), max_deals=2)
    env.reset(seed=[1, 2, 3, 1, 2])
    sums, steps, ended = np.zeros((5, 4)), np.zeros(5, int), 0
    for step in range(400):
        if step == 70:
            env.reset(seed=np.arange(5), options={"reset_mask": np.arange(5) < 2})
            sums[:2], steps[:2] = 0, 0
        if step == 90:
            env = pickle.loads(pickle.dumps(env))
        *_, terminations, truncations, infos = env.step(env.draw())
        sums, steps, over = sums + infos["rewards"], steps + 1, terminations | truncations
        assert ("episode" in infos) == ("_episode" in infos) == over.any()
        if over.any():
            assert_array_equal(infos["_episode"], over)
            assert_array_equal(infos["episode"]["r"], sums * over[:, None])
            assert_array_equal(infos["episode"]["l"], steps * over)
            sums[over], steps[over] = 0, 0
            ended += int(over.sum())
    assert ended > 5


def test_the_statistics_of_gymnasium_are_refused() -> None:
    """It would add up the rewards of whoever has acted."""
    env = HeartsVectorEnv(2, presets.cardstock())
    recorded = gymnasium.wrappers.vector.RecordEpisodeStatistics(env)
    recorded.reset(seed=1)
    for _ in range(51):
        recorded.step(env.draw())
    with pytest.raises(ValueError, match="episode"):
        recorded.step(env.draw())


def test_the_id_in_the_registry_of_gymnasium() -> None:
    env: Any = gymnasium.make_vec(
        "heartsrules.bridges.vector:heartsrules/HeartsSelfPlay-v0", 3, rules=presets.cardstock(), observe="floats"
    )
    assert (env.num_envs, env.rules, env.observe) == (3, presets.cardstock(), "floats")
    assert env.spec.id == "heartsrules/HeartsSelfPlay-v0"


def test_observations_are_written_where_they_are_wanted() -> None:
    rules = presets.microsoft()
    env = HeartsVectorEnv(5, rules)
    kept = np.empty((3, 5, word_layout(rules)["totals"].stop), np.int64)
    seen, _ = env.reset(seed=1, out=kept[0])
    assert seen.base is kept
    plain = HeartsVectorEnv(5, rules)
    wanted, _ = plain.reset(seed=1)
    for step in (1, 2):
        assert_array_equal(kept[step - 1], wanted)
        actions = plain.draw()
        env.step(actions, out=kept[step])
        wanted, *_ = plain.step(actions)
    numbers = np.empty((5, max([part.stop for part in layout(rules).values()])), np.float64)
    assert unpack(rules, kept[2], numbers) is numbers
    assert_array_equal(numbers.astype(np.float32), unpack(rules, wanted))
    floats = HeartsVectorEnv(5, rules, observe="floats")
    single = numbers.astype(np.float32)
    assert floats.reset(seed=1, out=single)[0] is single
    assert_array_equal(single, unpack(rules, kept[0]))


@pytest.mark.parametrize("observe", ["words", "floats"])
def test_buffers_of_the_caller_get_what_is_returned_without_them(observe: Observe) -> None:
    rules = attrs.evolve(presets.cardstock(), max_deals=2, target=None)
    env, plain = [HeartsVectorEnv(3, rules, observe=observe, max_deals=1) for _ in range(2)]
    wanted, told = plain.reset(seed=1)
    kind: Any = np.int64 if observe == "words" else np.float16
    out: dict[str, Any] = {
        "observations": np.empty(wanted.shape, kind),
        "seat": np.empty(3, np.uint8),
        "action_mask": np.empty((3, ACTIONS), bool),
        "rewards": np.empty(3, np.float32),
        "seat_rewards": np.empty((3, 4), np.float32),
        "terminations": np.empty(3, bool),
        "truncations": np.ones(3, bool),
    }
    seen, infos = env.reset(seed=1, out=out)
    assert out["truncations"].all(), "no reset writes there"
    for _ in range(52):
        assert seen is out["observations"]
        assert_array_equal(seen, wanted.astype(seen.dtype))
        assert infos["seat"] is out["seat"]
        assert_array_equal(infos["seat"], told["seat"])
        assert infos["action_mask"] is out["action_mask"]
        assert_array_equal(infos["action_mask"], unpack_masks(plain._table_words[:, 0]))
        actions = plain.draw()
        seen, *results, infos = env.step(actions, out=out)
        wanted, *expected, told = plain.step(actions)
        assert infos["rewards"] is out["seat_rewards"]
        assert_array_equal(infos["rewards"], told["rewards"].astype(np.float32))
        for name, result, value in zip(("rewards", "terminations", "truncations"), results, expected, strict=True):
            assert result is out[name]
            assert_array_equal(result, value)
    assert out["truncations"].all()
    assert out["seat_rewards"].any()


def test_copies_go_on_alike_and_apart() -> None:
    env = HeartsVectorEnv(4, presets.whisthub())
    fresh = pickle.loads(pickle.dumps(env))
    assert_array_equal(fresh.reset(seed=3)[0], env.reset(seed=3)[0])
    env.action_space.seed(5)
    stream = RandomStream(1)
    for _ in range(300):
        env.step(env.draw(stream))
    assert len(env._log) <= 256, "no deal needs older actions"
    copies = [pickle.loads(pickle.dumps(env)), copy.deepcopy(env), copy.copy(env)]
    spaces = [each.action_space.sample().tolist() for each in (env, *copies[:2])]
    assert spaces[1:] == spaces[:1] * 2
    for _ in range(200):
        actions = env.draw(stream)
        first, *_ = env.step(actions)
        for each in copies:
            assert_array_equal(each.step(actions)[0], first)
    assert env.totals(1) == copies[0].totals(1) != (0,) * 4
    assert_array_equal(copies[0].draw(), env.draw())


def hands_of(env: HeartsVectorEnv, words: Any) -> list[int]:
    return words[:, word_layout(env.rules)["hand"].start].tolist()  # type: ignore[no-any-return]


def test_seeds_are_by_table_and_streams_go_on() -> None:
    env = HeartsVectorEnv(4)
    first = hands_of(env, env.reset(seed=7)[0])
    start = new_game(env.rules)
    assert first == [deal(start, rng=RandomStream(7 + table)).hands[0].lo for table in range(4)]
    assert hands_of(env, env.reset(seed=[9, 8, 7, 10])[0])[:3] == [first[2], first[1], first[0]]
    again = hands_of(env, env.reset()[0])
    stream = RandomStream(7)
    deal(start, rng=stream)
    assert again[2] == deal(start, rng=stream).hands[0].lo
    some, _ = env.reset(seed=7, options={"reset_mask": np.array([True, False, False, True])})
    assert hands_of(env, some) == [first[0], again[1], again[2], first[3]]
    kept, _ = env.reset(seed=[7, None, None, None], options={"reset_mask": [True, False, False, False]})
    assert hands_of(env, kept) == [first[0], again[1], again[2], first[3]]
    secret = [HeartsVectorEnv(2).reset()[0].tobytes() for _ in range(2)]
    assert secret[0] != secret[1]
    assert [HeartsVectorEnv(2).reset(seed=[None, 3])[0][1].tobytes() for _ in range(2)] == [
        HeartsVectorEnv(1).reset(seed=3)[0][0].tobytes()
    ] * 2


@pytest.mark.parametrize(
    "seeds", [np.array([4, 5]), np.array([4, 5], object), np.int8(4), np.array(4), (4, np.int64(5))]
)
def test_seeds_of_numpy(seeds: Any) -> None:
    found, expected = [HeartsVectorEnv(2).reset(seed=seed)[0] for seed in (seeds, [4, 5])]
    assert_array_equal(found, expected)


def test_drawn_actions_are_uniform_and_from_the_stream_that_is_given() -> None:
    env = HeartsVectorEnv(2000, presets.microsoft())
    words, _ = env.reset(seed=[1] * 2000)
    legal = np.flatnonzero(unpack_masks(words[:1, 0])[0])
    counts = np.bincount(env.draw(RandomStream(1)), minlength=ACTIONS)
    assert counts[legal].min() > 2000 / len(legal) * 0.7
    assert counts.sum() == counts[legal].sum()
    assert_array_equal(env.draw(RandomStream(1)), env.draw(RandomStream(1)))
    with pytest.raises((TypeError, AttributeError)):
        env.draw(Random(1))  # type: ignore[arg-type]


def test_totals_at_a_table() -> None:
    env = HeartsVectorEnv(1, presets.microsoft())
    env.reset(seed=1)
    stream = RandomStream(2)
    for _ in range(64):
        env.step(env.draw(stream))
    assert sum(env.totals(0)) in (26, 78)


# ------------------------------------------------------------------------------------------------------------ errors


def test_an_illegal_action_moves_no_table() -> None:
    env = HeartsVectorEnv(3, presets.cardstock())
    words, _ = env.reset(seed=1)
    actions = env.draw()
    for wrong in (DECLINE, -1, ACTIONS, 10**6):
        with pytest.raises(ValueError, match=f"table 2 may not take action {wrong} now"):
            env.step([int(actions[0]), int(actions[1]), wrong])
        assert_array_equal(env._gathered(None), words)
    with pytest.raises(ValueError, match="there are 2 actions: give one for each of the 3 tables"):
        env.step(actions[:2])
    with pytest.raises(TypeError):
        env.step([0.5, 1, 2])  # type: ignore[list-item]
    for wrong_type in (5, actions + 0.0, actions > 0, actions[:, None]):
        with pytest.raises(TypeError, match=r"^actions must be a vector of ints, not an (int|array of .*)$"):
            env.step(wrong_type)  # type: ignore[arg-type]
    assert_array_equal(env._gathered(None), words)


@pytest.mark.parametrize(("observe", "kind", "width"), [("words", np.int64, 26), ("floats", np.float32, 833)])
def test_what_cannot_be_written_to_moves_no_table(observe: Observe, kind: type[Any], width: int) -> None:
    env = HeartsVectorEnv(2, observe=observe)
    first, _ = env.reset(seed=1)
    fixed = np.empty((2, width), kind)
    fixed.flags.writeable = False
    for error, out in (
        (ValueError, np.empty((1, 1), kind)),
        (ValueError, np.empty((2, width), np.int32)),
        (ValueError, fixed),
        (AttributeError, [0]),
        (AttributeError, {"observations": [0]}),
        (ValueError, {"observations": fixed}),
        (ValueError, {"rewards": np.empty(2, np.int64)}),
        (ValueError, {"seat_rewards": np.empty(2)}),
        (ValueError, {"action_mask": np.empty((2, ACTIONS))}),
        (ValueError, {"terminations": np.empty(2, np.int8)}),
        (ValueError, {"masks": np.empty((2, ACTIONS), bool)}),
    ):
        message = r"^out[ \[]" if error is ValueError else None
        with pytest.raises(error, match=message):
            env.step(env.draw(), out=out)  # type: ignore[arg-type]
        with pytest.raises(error, match=message):
            env.reset(seed=2, out=out)  # type: ignore[arg-type]
    assert_array_equal(env._seen({}), first)


def test_what_must_be_done_first() -> None:
    env = HeartsVectorEnv(2)
    with pytest.raises(ValueError, match="call reset before step"):
        env.step([0, 0])
    with pytest.raises(ValueError, match="call reset before draw"):
        env.draw()
    with pytest.raises(ValueError, match="the first reset begins every table"):
        env.reset(options={"reset_mask": np.array([True, False])})


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"seed": [1, 2]}, ValueError, "there are 2 seeds: give one for each of the 3 tables"),
        ({"seed": np.array([1, 2])}, ValueError, "there are 2 seeds: give one for each of the 3 tables"),
        ({"seed": np.array([1.0, 2.0, 3.0])}, TypeError, "float64"),
        ({"seed": "seven"}, TypeError, "str"),
        ({"options": {"reset_mask": np.ones(2, bool)}}, ValueError, "the reset mask has the shape"),
        ({"out": np.empty((3, 26), np.int32)}, ValueError, "out is of int32"),
        ({"out": np.empty((3, 25), np.int64)}, ValueError, r"give int64 and \(3, 26\)"),
    ],
)
def test_wrong_arguments_of_reset(options: dict[str, Any], error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        HeartsVectorEnv(3).reset(**options)


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"num_envs": 0}, ValueError, "num_envs is 0: choose 1 or more"),
        ({"num_envs": 1.5}, TypeError, "num_envs must be an int"),
        ({"max_deals": 0}, ValueError, "max_deals is 0: choose 1 or more"),
        ({"reward": "money"}, ValueError, "reward is 'money': choose one of points, win"),
        ({"observe": "cards"}, ValueError, "observe is 'cards': choose one of words, floats"),
    ],
)
def test_wrong_options(options: dict[str, Any], error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        HeartsVectorEnv(**{"num_envs": 1, **options})


def test_words_of_another_shape_are_not_unpacked() -> None:
    with pytest.raises(ValueError, match="give rows of 26 words"):
        unpack(Rules(), np.zeros((2, 27), np.int64))
    with pytest.raises(ValueError, match=r"give one of \(2, 833\)"):
        unpack(Rules(), np.zeros((2, 26), np.int64), np.zeros((2, 832)))
    wrong: Any
    for wrong in ([1], np.zeros((2, 26), np.int32)):
        with pytest.raises(TypeError, match="words must be an array of int64, not a"):
            unpack(Rules(), wrong)
    for wrong in ([1], np.zeros((2, 833), np.int32)):
        with pytest.raises(TypeError, match="out must be an array of floats or None, not a"):
            unpack(Rules(), np.zeros((2, 26), np.int64), wrong)


def libraries() -> list[Any]:
    """Make the functions that convert an array of NumPy to an array of another library, and back."""

    def strict() -> tuple[Any, Any]:
        xp = pytest.importorskip("array_api_strict")
        cpu = xp.Device("CPU_DEVICE")
        return lambda words: xp.asarray(words, device=xp.Device("device1")), lambda found: np.asarray(
            found.to_device(cpu)
        )

    def torch() -> tuple[Any, Any]:
        xp = pytest.importorskip("torch")
        return xp.from_numpy, lambda tensor: tensor.numpy()

    return [strict, torch]


@pytest.mark.parametrize("library", libraries(), ids=lambda make: make.__name__)
@pytest.mark.parametrize("rules", [*RARE.values(), presets.pagat_cancellation(6), Rules(max_deals=9)])
def test_arrays_of_other_libraries_are_unpacked_alike(library: Callable[[], Any], rules: Rules) -> None:
    to, back = library()
    env = HeartsVectorEnv(20, rules)
    words, _ = env.reset(seed=1)
    rows = [words, *[env.step(env.draw())[0] for _ in range(120)]]
    words = np.concatenate(rows[::3])
    given = to(words)
    floats, masks = unpack(rules, given), unpack_masks(given[:, 0])
    assert type(floats) is type(masks) is type(given)
    assert floats.device == masks.device == given.device
    for found, expected in ((floats, unpack(rules, words)), (masks, unpack_masks(words[:, 0]))):
        assert back(found).dtype == expected.dtype
        assert_array_equal(back(found), expected)
    with pytest.raises(TypeError, match="out is only for words in an array of NumPy"):
        unpack(rules, given, np.empty((len(words), 1), np.float32))


@pytest.mark.parametrize("library", libraries(), ids=lambda make: make.__name__)
def test_wrong_arrays_of_other_libraries(library: Callable[[], Any]) -> None:
    to, _ = library()
    with pytest.raises(TypeError, match=r"words must be an array of int64, not an array of .*int32 and of the shape"):
        unpack(Rules(), to(np.zeros((2, 26), np.int32)))
    with pytest.raises(ValueError, match=r"words have the shape \(2, 27\): give rows of 26 words"):
        unpack(Rules(), to(np.zeros((2, 27), np.int64)))
    with pytest.raises(TypeError, match="legal must be an array of int64, not an array"):
        unpack_masks(to(np.zeros(2, np.int32)))


@pytest.mark.parametrize(
    "make_of",
    [lambda rules: HeartsVectorEnv(2, rules), word_layout, pettingzoo.raw_env, layout, pettingzoo.state_layout],
)
def test_rules_that_there_are_no_actions_for_are_refused(make_of: Callable[[Rules], object]) -> None:
    with pytest.raises(InvalidRules) as refused:
        make_of(presets.charged_hearts())
    assert [problem.code for problem in refused.value.problems] == ["no-actions", "no-actions"]
