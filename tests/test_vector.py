"""The vector environment: each table goes step by step as the single environment does, whatever the rules are.

The rows of words are unpacked and compared with the observations that the PettingZoo environment gives of the states of
the engine, with its masks and its rewards.
"""

from __future__ import annotations

from random import Random
from typing import Any, Final

import attrs
import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from numpy.testing import assert_array_equal

from heartsrules import (
    AwaitingDeal,
    Card,
    GameOver,
    Rules,
    apply,
    deal,
    new_game,
    presets,
)
from heartsrules.chance import RandomStream
from heartsrules.compat import pettingzoo
from heartsrules.compat.vector import (
    DECLINE,
    HeartsVectorEnv,
    layout,
    unpack,
    unpack_masks,
)
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
    scatter,
)
from support.strategies import rules_sets

TABLES: Final = {
    f"{preset.name}-{players}": preset.rules(players) for preset in presets.ALL.values() for players in preset.players
}
"""Every preset for every count of players."""

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
    "scatter": Rules(pass_cycle=[scatter(4), ((1, 2), (-1, 1))]),
    "unanimous": Rules(pass_optional=PassOptional.UNANIMOUS),
    "queen taker": Rules(opening_leader=OpeningLeader.QUEEN_TAKER, max_deals=3, target=None, tie=Tie.SHARED),
    **{
        f"kitty {shown_to.value}": Rules(players=5, kitty=Kitty.FIRST_POINT, kitty_shown_to=shown_to, moon=Moon.CHOICE)
        for shown_to in KittyShownTo
    },
    "choice": Rules(moon=Moon.CHOICE, heart_values=[0] * 13, pass_cycle=[()]),
}


class Match:
    """The match of one table beside it, in the single environment, which is given each deal."""

    def __init__(self, rules: Rules, seed: int, reward: Any, max_deals: int) -> None:
        self.single = pettingzoo.raw_env(rules, reward=reward, max_deals=1)
        self.stream = RandomStream(seed)
        self.max_deals = max_deals
        self.begin()

    def begin(self) -> None:
        """The next match of the table."""
        self.deals = 0
        self.take_up(new_game(self.single.rules))

    def take_up(self, state: AwaitingDeal) -> None:
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
    """Plays at some tables and in as many single environments at once; says what came up."""
    env = HeartsVectorEnv(tables, rules, reward=reward, max_deals=max_deals)
    beside = [Match(rules, seed + number, reward, max_deals) for number in range(tables)]
    rng = Random(seed)
    seen, infos = env.reset(seed=seed)
    came: set[str] = set()
    for _ in range(steps):
        seats = infos["seat"].tolist()
        assert seats == [each.seat for each in beside]
        masks = unpack_masks(seen[:, 0])
        assert_array_equal(masks, [each.single.infos[f"player_{each.seat}"]["action_mask"] for each in beside])
        numbers = unpack(rules, seen)
        for row, each in zip(numbers, beside, strict=True):
            wanted = each.seen(each.seat)
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


@pytest.mark.parametrize("rules", TABLES.values(), ids=TABLES)
def test_every_preset_goes_as_the_single_environment_does(rules: Rules) -> None:
    size = rules.cards_per_hand * rules.players + 40
    assert {"PLAY"} <= check(rules, 7, min(2 * size, 200), tables=2)


@pytest.mark.parametrize("rules", RARE.values(), ids=RARE)
@pytest.mark.parametrize("reward", ["points", "win"])
def test_rare_rules_too(rules: Rules, reward: str) -> None:
    check(rules, 3, 300, tables=2, max_deals=3, reward=reward)


@pytest.mark.untraced
@settings(deadline=None, max_examples=60, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
@given(rules_sets(), st.integers(0, 999))
def test_any_rules_go_as_in_the_single_environment(rules: Rules, seed: int) -> None:
    check(rules, seed, 90, tables=2)
