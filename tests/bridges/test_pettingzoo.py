"""The PettingZoo environment: it conforms, it plays by the rules, and it shows a seat nothing that its view does not.

PettingZoo's own tests decide what conforms; warnings are errors here, and its log of warnings must stay empty too.
"""

from __future__ import annotations

import copy
import importlib
import itertools
import pickle
import subprocess
import sys
import types
import warnings
from collections import Counter
from collections.abc import Iterator, Sequence
from random import Random
from typing import Any, Final, TypeAlias

import attrs
import gymnasium
import numpy as np
import pytest
from hypothesis import event, given
from hypothesis import strategies as st
from numpy.testing import assert_array_equal
from pettingzoo import AECEnv
from pettingzoo.utils import wrappers
from pettingzoo.utils.conversions import aec_to_parallel, turn_based_aec_to_parallel
from pettingzoo.utils.env_logger import EnvLogger

from heartsrules import (
    AwaitingDeal,
    Card,
    Cards,
    ChooseMoon,
    ChoosingMoon,
    Deal,
    Expose,
    Exposing,
    GameOver,
    IllegalMove,
    Move,
    Pass,
    Passing,
    Phase,
    Play,
    Playing,
    Rules,
    ScoreSheet,
    State,
    Suit,
    View,
    apply,
    deal,
    legal_moves,
    new_game,
    presets,
    public_view,
    to_act,
    view,
)
from heartsrules.base.values import type_phrase
from heartsrules.bots import heuristic
from heartsrules.bridges.pettingzoo import (
    ACTIONS,
    DECLINE,
    OTHERS_UP,
    SHOOTER_DOWN,
    ActionPolicy,
    HeartsEnv,
    action_mask,
    actions_for,
    choose,
    env,
    layout,
    observation,
    raw_env,
    state_layout,
)
from heartsrules.chance import RandomStream
from heartsrules.play.dealing import chance_to_act
from heartsrules.rules import (
    Bonus,
    Exposure,
    Kitty,
    Moon,
    MoonCards,
    OpeningCard,
    OpeningLeader,
    PassOptional,
    left,
    scatter,
)
from heartsrules.setup import set_up
from heartsrules.views import (
    AwaitingDealView,
    ChoosingMoonView,
    DealingBackView,
    ExposingView,
    PassingView,
    PlayingView,
)
from heartsrules.views.worlds import sample_world
from support.rounds import laws
from support.strategies import (
    SHOWING,
    TABLES,
    Match,
    covered,
    generators,
    match,
    matches,
    random_rules,
    rules_sets,
    states_of,
)
from test_views import Line, Twins, lines_of, random_line, twins_of

pytestmark = pytest.mark.once_compiled

conformance: Any = importlib.import_module("pettingzoo.test")

Table: TypeAlias = AECEnv[str, Any, Any]

every_table = pytest.mark.parametrize("rules", TABLES.values(), ids=TABLES)

ONE_DEAL: Final = presets.cardstock()


class Legal(wrappers.BaseWrapper[str, Any, Any]):
    """Makes a legal action of any: some of PettingZoo's tests never look at the mask in `infos`."""

    def step(self, action: int | None) -> None:
        if action is not None:
            legal = np.flatnonzero(self.infos[self.agent_selection]["action_mask"])
            action = int(legal[action % len(legal)])
        super().step(action)

    def __str__(self) -> str:
        return str(self.env)


@pytest.fixture(autouse=True)
def quiet() -> Iterator[list[str]]:
    """What PettingZoo's logger has warned of: nothing, unless the test takes it away."""
    EnvLogger.flush()
    yield EnvLogger.mqueue
    assert EnvLogger.mqueue == []


def steps_of(table: Table, rng: Random) -> Iterator[tuple[str, float]]:
    """Plays an episode to its end, uniformly at random: who was selected, and its reward since it was last selected."""
    for agent in table.agent_iter():
        _, reward, terminated, truncated, info = table.last()
        yield agent, reward
        table.step(None if terminated or truncated else rng.choice(np.flatnonzero(info["action_mask"]).tolist()))


def raw_text(rules: Rules, seed: int) -> str | None:
    """The table at the beginning of an episode."""
    table = raw_env(rules, render_mode="ansi")
    table.reset(seed=seed)
    return table.render()


def enact(table: HeartsEnv, move: Move) -> None:
    """Makes a move of a seat, action by action."""
    assert not isinstance(move, Deal)
    for action in actions_for(move, table.game.plan if isinstance(table.game, Passing) else None):
        assert table.agent_selection == f"player_{move.seat}"
        assert table.infos[table.agent_selection]["action_mask"][action] == 1
        table.step(action)


def seeded(table: Table, seed: int = 1) -> Table:
    """An environment whose deals and samples are the same in every run, whatever PettingZoo's test does with it."""
    table.reset(seed=seed)
    for seat, agent in enumerate(table.possible_agents):
        table.action_space(agent).seed(seed + seat)
    return table


def at(state: State, **options: Any) -> HeartsEnv:
    """An environment in a given state."""
    table = raw_env(state.rules, **options)
    table.reset(seed=1, options={"state": state})
    return table


# ---------------------------------------------------------------------------------------------------- it conforms


@pytest.mark.sampled(5)
@every_table
def test_every_preset_passes_the_api_test(rules: Rules) -> None:
    conformance.api_test(seeded(env(rules)), num_cycles=50)


@pytest.mark.sampled(5)
@every_table
def test_every_preset_passes_the_seed_test(rules: Rules) -> None:
    conformance.seed_test(lambda: env(rules), num_cycles=30)


@pytest.mark.parametrize("make", [env, raw_env])
@pytest.mark.parametrize("options", [{}, {"reward": "win"}, {"max_deals": 1}], ids=str)
def test_whole_matches_pass_the_api_test(make: Any, options: dict[str, Any]) -> None:
    conformance.api_test(seeded(make(presets.black_maria(), **options)), num_cycles=1000)


def test_the_api_test_of_observations_with_a_mask() -> None:
    with warnings.catch_warnings():
        # PettingZoo warns of every dictionary that is not of one of its own games.
        warnings.filterwarnings("ignore", "Observation is not a NumPy array")
        warnings.filterwarnings("ignore", "Observation space for each agent probably should be")
        warnings.filterwarnings("ignore", "Action mask numpy array is all zeros")
        conformance.api_test(seeded(env(mask_in_observation=True)), num_cycles=300)


@pytest.mark.parametrize("rules", [Rules(), presets.dicegamedepot_cancellation(8)], ids=["Rules", "cancellation"])
def test_the_state_test(rules: Rules) -> None:
    # Its second half is for parallel environments, and asks no more of one than this adapter has.
    conformance.state_test(Legal(seeded(env(rules))), turn_based_aec_to_parallel(env(rules)), num_cycles=60)


def test_the_render_test(capsys: pytest.CaptureFixture[str]) -> None:
    conformance.render_test(lambda render_mode: Legal(seeded(env(render_mode=render_mode))))
    # In the mode "human": five calls, and three actions before each but the first.
    assert capsys.readouterr().out.count("\ndeal 1, ") == 17


def test_the_performance_benchmark(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    ticks = itertools.count(step=0.01)
    benchmark = sys.modules["pettingzoo.test.performance_benchmark"]
    monkeypatch.setattr(benchmark, "time", types.SimpleNamespace(time=lambda: next(ticks)))
    monkeypatch.setattr(benchmark, "random", Random(1))
    conformance.performance_benchmark(env(ONE_DEAL, mask_in_observation=True))
    assert "Finished performance benchmark" in capsys.readouterr().out


def test_agents_spaces_and_metadata() -> None:
    table = env(presets.pagat_cancellation(10))
    assert table.possible_agents == [f"player_{seat}" for seat in range(10)]
    assert str(table) == "hearts_v0"
    for agent in table.possible_agents:
        assert table.action_space(agent) == gymnasium.spaces.Discrete(55)
        assert table.observation_space(agent) == table.observation_space("player_0")
    assert table.action_space("player_0") is not table.action_space("player_1")
    assert table.metadata["is_parallelizable"] is False
    with pytest.raises(AssertionError, match="is_parallelizable"):
        aec_to_parallel(table)


# ----------------------------------------------------------------------------------------------------- the wrappers


@pytest.mark.parametrize("make", [env, raw_env])
def test_order_is_enforced(quiet: list[str], make: Any) -> None:
    table = make(ONE_DEAL)
    for attribute in (
        *("rewards", "terminations", "truncations", "infos", "agent_selection", "num_agents", "agents"),
        "game",
    ):
        # `__getattr__` with another message would slow down every step.
        with pytest.raises(AttributeError):
            getattr(table, attribute)
    calls = (table.render, table.state, table.agent_iter, lambda: table.step(0), lambda: table.observe("player_0"))
    for call in (*calls, lambda: table.step_move(Play(0, "2C"))):
        with pytest.raises(AssertionError, match=r"^reset\(\) needs to be called before"):
            call()
    table.reset(seed=1)
    with pytest.raises(AssertionError, match="need to call step"):
        list(table.agent_iter())
    table.reset(seed=1)
    list(steps_of(table, Random(1)))
    table.step(None)
    (warning,) = quiet
    assert "called after all agents are terminated" in warning
    quiet.clear()


@pytest.mark.parametrize("make", [env, raw_env])
@pytest.mark.parametrize(
    ("action", "error", "message"),
    [
        (-1, ValueError, "there is no action -1"),
        (ACTIONS, ValueError, "there is no action 55: an action is from 0 to 54"),
        *((action, TypeError, "action must be an int from 0 to 54, not ") for action in (None, "QS", 0.5)),
    ],
)
def test_actions_out_of_bounds(make: Any, action: Any, error: type[Exception], message: str) -> None:
    table = make()
    table.reset(seed=1)
    with pytest.raises(error, match=message):
        table.step(action)


@pytest.mark.parametrize(
    ("rules", "reward", "value"),
    [
        (Rules(), "points", -26.0),
        (Rules(), "win", -1.0),
        (presets.spot_hearts(), "points", -258.0),
        (presets.pagat_cancellation(6), "points", -52.0),
        (Rules(moon_points=30), "points", -30.0),
        (Rules(moon_cards=MoonCards.HEARTS, moon_points=30, sun=True), "points", -86.0),
        (attrs.evolve(presets.black_maria(), moon_cards=MoonCards.HEARTS_AND_QUEEN, moon=Moon.CHOICE), "points", -26.0),
        (Rules(moon=Moon.OFF, heart_values=[0] * 13, queen_points=0, target=None, max_deals=1), "points", -1.0),
    ],
)
def test_an_illegal_action_ends_the_episode(quiet: list[str], rules: Rules, reward: Any, value: float) -> None:
    table = env(rules, reward=reward)
    table.reset(seed=1)
    agent = table.agent_selection
    table.step(int(np.flatnonzero(table.infos[agent]["action_mask"] == 0)[0]))
    assert table.rewards == {other: value if other == agent else 0 for other in table.possible_agents}
    assert all(table.terminations.values())
    assert not any(info["action_mask"].any() for info in table.infos.values())
    assert table.infos[agent]["episode"] == {"r": value, "l": 1}
    selected = []
    for agent in table.agent_iter():
        selected.append(agent)
        table.step(None)
    assert selected == table.possible_agents
    (warning,) = quiet
    assert "Illegal move made" in warning
    quiet.clear()


def test_other_wrappers() -> None:
    repeated = wrappers.MultiEpisodeEnv(raw_env(ONE_DEAL), num_episodes=3)
    repeated.reset(seed=1)
    steps = list(steps_of(repeated, Random(1)))
    assert len(steps) == 3 * (52 + 4)
    table = wrappers.CaptureStdoutWrapper(raw_env(ONE_DEAL, render_mode="human"))
    table.reset(seed=1)
    assert table.render() == f"{raw_text(ONE_DEAL, 1)}\n"
    with pytest.raises(AssertionError, match="Box"):
        wrappers.ClipOutOfBoundsWrapper(raw_env())


def test_the_turn_based_adapter() -> None:
    table = turn_based_aec_to_parallel(env(ONE_DEAL))
    rng = Random(1)
    _, infos = table.reset(seed=1)
    agent, steps, total = "player_0", 0, Counter[str]()
    while table.agents:
        action = rng.choice(np.flatnonzero(infos[agent]["action_mask"]).tolist())
        observations, rewards, _, _, infos = table.step({agent: action})
        assert set(observations) == set(table.possible_agents)
        total.update(rewards)
        steps += 1
        agent = infos["player_0"].get("active_agent", agent)
    assert (steps, sum(total.values())) == (52, 0)
    assert any(total.values())


# --------------------------------------------------------------------------------------------- it plays by the rules


def gifts_of(state: Passing, picks: Sequence[Card]) -> list[Cards]:
    cards = iter(picks)
    return [Cards(list(itertools.islice(cards, count))) for _, count in state.plan]


CARDS: Final = list(Cards(" ".join(f"{rank}{suit}" for suit in "CDSH" for rank in "23456789TJQKA")))


def move_of(state: State, seat: int, actions: Sequence[int]) -> Move | None:
    """The move that a seat's actions since its last move make; None if it is a pass that wants more cards, or an
    exposure that has not ended."""
    if actions[-1] in (OTHERS_UP, SHOOTER_DOWN):
        return ChooseMoon(seat, Moon.OTHERS_UP if actions[-1] == OTHERS_UP else Moon.SHOOTER_DOWN)
    if isinstance(state, Exposing):
        return Expose(seat, Cards([CARDS[action] for action in actions[:-1]])) if actions[-1] == DECLINE else None
    if isinstance(state, Passing):
        if len(actions) < sum(count for _, count in state.plan):
            return None
        declined = actions[0] == DECLINE
        return Pass(seat, *() if declined else gifts_of(state, [CARDS[action] for action in actions]))
    return Play(seat, CARDS[actions[0]])


def expected_rewards(before: State, after: State) -> list[float]:
    """A deal's rewards with `"points"`."""
    rules = before.rules
    rises = [sum(after.scores[seat] - before.scores[seat] for seat in side) for side in rules.sides]
    return [sum(rises) / len(rises) - rises[rules.side(seat)] for seat in range(rules.players)]


def check_match(rules: Rules, seed: int, max_deals: int) -> None:
    """Plays by the environment, and the same moves by `apply` beside it."""
    table = raw_env(rules, max_deals=max_deals)
    table.reset(seed=seed)
    rng = Random(seed)
    start = new_game(rules)
    state = apply(start, deal(start, seed=seed))
    actions: list[int] = []
    while not any(table.terminations.values()) and not any(table.truncations.values()):
        assert table.game == state
        agent = table.agent_selection
        seat = table.possible_agents.index(agent)
        assert seat == min(to_act(state))
        legal = np.flatnonzero(table.infos[agent]["action_mask"])
        if not isinstance(state, (Passing, Exposing)):
            assert legal.tolist() == sorted(action for move in legal_moves(state) for action in actions_for(move))
        actions.append(rng.choice(legal.tolist()))
        table.step(actions[-1])
        before, move = state, move_of(state, seat, actions)
        if move is not None:
            state = apply(state, move)
            actions = []
        if isinstance(state, (AwaitingDeal, GameOver)):
            assert list(table.rewards.values()) == expected_rewards(before, state)
            if isinstance(state, AwaitingDeal) and len(state.score_sheet) < max_deals:
                state = apply(state, deal(state, seed=seed))
        elif chance_to_act(state):
            state = apply(state, deal(state, seed=seed))
        else:
            assert not any(table.rewards.values())
    assert table.game == state
    over = isinstance(state, GameOver)
    assert set(table.terminations.values()) == {over}
    assert set(table.truncations.values()) == {not over}


@every_table
def test_an_episode_is_a_match_of_its_seed(rules: Rules) -> None:
    check_match(rules, seed=5, max_deals=2)


@laws(60)
@given(rules_sets().map(covered), st.integers(0, 999))
def test_episodes_of_any_rules(rules: Rules, seed: int) -> None:
    check_match(rules, seed, max_deals=3)


@laws(60)
@given(matches().filter(lambda match: covered(match.rules) == match.rules))
def test_given_moves_lead_where_apply_leads(played: Match) -> None:
    for line in lines_of(played):
        if any(isinstance(move, Deal) for move in line.moves[1:]):
            continue  # the environment deals a pile back by chance of its own
        table = at(line.states[1], max_deals=1)
        passes = sorted([move for move in line.moves if isinstance(move, Pass)], key=lambda move: move.seat)
        shows = [move for move in line.moves if isinstance(move, Expose)]
        state = line.states[1]
        if state.rules.exposure is Exposure.TOGETHER:
            shows.sort(key=lambda move: move.seat)
        rest = [move for move in line.moves[1:] if not isinstance(move, (Pass, Expose))]
        for move in (*passes, *shows, *rest):
            if isinstance(move, (Pass, Expose)) and move.seat != min(to_act(state)):
                break  # the limit of the match came when only some of the seats had committed
            enact(table, move)
            state = apply(state, move)
            event(type(state).__name__)
            assert table.game == state
        else:
            assert table.game == line.state


LOW: Final = Cards("3C 4C 5C 6C 7C 8C 9C TC JC QC KC AC 2D 3D 4D 5D 6D 7D 8D 9D TD 2S 3S 4S 5S 6S 7S 8S 9S")


@pytest.mark.parametrize(
    "options",
    [
        {"pass_cycle": [left(3)]},
        {"pass_cycle": [((1, 2), (-1, 1))]},
        {"pass_cycle": [scatter(players=4)], "unpassable": "QS AH"},
        {"pass_cycle": [left(2)], "pass_optional": PassOptional.SKIP, "unpassable": "KS"},
        {"pass_cycle": [left(3)], "decks": 2, "removed": LOW + LOW},
        {"pass_cycle": [((1, 2), (2, 2))], "decks": 2, "removed": LOW + LOW + Cards("AD AD QS QS AS AS")},
    ],
    ids=str,
)
def test_picking_cards_leads_to_every_legal_pass_and_to_no_other(options: dict[str, Any]) -> None:
    opening = {"opening_leader": OpeningLeader.DEALER_LEFT, "opening_card": OpeningCard.ANY}
    fields: dict[str, Any] = {"removed": LOW, "kitty": Kitty.FIRST_TRICK} | opening | options
    rules = Rules(**fields)
    start = new_game(rules)
    state = apply(start, deal(start, seed=3))
    assert isinstance(state, Passing)
    known = view(state, 0)
    wanted = sum(count for _, count in state.plan)
    found: set[Move] = set()

    def pick(picks: tuple[Card | None, ...]) -> None:
        for action in np.flatnonzero(action_mask(known, picks)).tolist():
            move = move_of(state, 0, [*[DECLINE if card is None else card.index for card in picks], action])
            if move is not None:
                found.add(move)
            else:
                pick((*picks, None if action == DECLINE else CARDS[action]))

    pick(())
    assert wanted > 1
    assert found == set(legal_moves(state, 0))


@pytest.mark.parametrize("moon", [Moon.OTHERS_UP, Moon.SHOOTER_DOWN])
def test_the_shooter_chooses(moon: Moon) -> None:
    played = (step for seed in range(99) for step in match(presets.pagat(), Random(seed), 2, aim="strong"))
    choosing = next(before for before, move, _ in played if isinstance(move, ChooseMoon))
    table = at(choosing)
    assert isinstance(choosing, ChoosingMoon)
    agent = f"player_{choosing.shooter}"
    assert table.agent_selection == agent
    assert np.flatnonzero(table.infos[agent]["action_mask"]).tolist() == [OTHERS_UP, SHOOTER_DOWN]
    table.step(OTHERS_UP if moon is Moon.OTHERS_UP else SHOOTER_DOWN)
    assert table.game.score_sheet[-1].effect is moon
    # Either way the shooter is 26 points better off than each of the others.
    assert table.rewards == {other: 19.5 if other == agent else -6.5 for other in table.possible_agents}


# ----------------------------------------------------------------------------------------------------------- rewards


@pytest.mark.parametrize(
    "rules",
    [
        presets.microsoft(),
        presets.partner_hearts(),
        presets.cardzmania(6, teams=3),
        Rules(exact_resets=[(total, total - 20) for total in range(21, 90, 2)]),
        presets.cardzmania(5, bonuses=(Bonus(Card("JD"), 10),)),
    ],
    ids=["microsoft", "partner_hearts", "three teams", "resets", "bonus"],
)
def test_rewards_add_up_to_the_mean_less_the_own_total(rules: Rules) -> None:
    table = raw_env(rules)
    table.reset(seed=2)
    collected: Counter[str] = Counter()
    for agent, reward in steps_of(table, Random(2)):
        collected[agent] += reward  # type: ignore[assignment] # a Counter adds up floats too
    scores = table.game.scores
    totals = [sum(scores[seat] for seat in side) for side in rules.sides]
    for seat, agent in enumerate(table.possible_agents):
        assert collected[agent] == pytest.approx(sum(totals) / len(totals) - totals[rules.side(seat)])


@pytest.mark.parametrize(
    ("rules", "values"),
    [
        (presets.microsoft(), [(1, 0.75), (3, -0.25)]),
        (presets.partner_hearts(), [(2, 0.5), (2, -0.5)]),
        (presets.cardstock(5), [(1, 0.8), (4, -0.2)]),
        (presets.cardstock(5), [(2, 0.3), (3, -0.2)]),
    ],
)
def test_a_match_won(rules: Rules, values: list[tuple[int, float]]) -> None:
    table = raw_env(rules, reward="win")
    (winners, won), (_, lost) = values
    for seed in range(50):
        table.reset(seed=seed)
        collected = dict(steps_of(table, Random(seed)))
        assert isinstance(table.game, GameOver)
        if len(table.game.winners) == winners:
            for seat, agent in enumerate(table.possible_agents):
                assert collected[agent] == pytest.approx(won if seat in table.game.winners else lost)
            break
    else:
        pytest.fail("no match has as many winners")


@pytest.mark.parametrize("make", [env, raw_env])
def test_infos_have_the_returns_at_the_end(make: Any) -> None:
    table = make(max_deals=3)
    table.reset(seed=7)
    rewards: Counter[str] = Counter()
    ends = {}
    steps = 0
    for agent in table.agent_iter():
        _, reward, _, over, info = table.last()
        rewards[agent] += reward
        assert ("episode" in info) == over
        if over:
            ends[agent] = info["episode"]
        steps += not over
        table.step(None if over else int(info["action_mask"].argmax()))
    assert ends == {agent: {"r": rewards[agent], "l": steps} for agent in table.possible_agents}
    assert any(rewards.values())


def test_whole_moves_lead_where_their_actions_lead() -> None:
    by_move, by_action = raw_env(SHOWING, max_deals=2), env(SHOWING, max_deals=2)
    by_move.reset(seed=7)
    by_action.reset(seed=7)
    rng = RandomStream("moves")
    move: Move | None = None
    while "episode" not in by_move.infos["player_0"]:
        move = heuristic(view(by_move.game, by_move.possible_agents.index(by_move.agent_selection)), rng)
        by_move.step_move(move)
        enact(by_action, move)
        assert by_move.game == by_action.game
        assert by_move.agent_selection == by_action.agent_selection
        assert by_move.rewards == by_action.rewards
    returns = [[info["episode"]["r"] for info in table.infos.values()] for table in (by_move, by_action)]
    assert returns[0] == returns[1]
    assert move is not None
    with pytest.raises(ValueError, match="the episode is over: no agent can move"):
        by_move.step_move(move)


def test_wrong_whole_moves_change_nothing() -> None:
    table = raw_env()
    table.reset(seed=1)
    before = table.game
    assert isinstance(before, Passing)
    three = Cards(list(before.hands[0])[:3])
    wrong: Any = 3
    with pytest.raises(TypeError, match="move must be a Pass, an Expose, a Play or a ChooseMoon, not an int"):
        table.step_move(wrong)
    with pytest.raises(ValueError, match="it is the turn of player_0, who cannot make this move"):
        table.step_move(Pass(1, three))
    with pytest.raises(IllegalMove):
        table.step_move(Pass(0, "2C"))
    table.step(int(table.infos["player_0"]["action_mask"].argmax()))
    with pytest.raises(ValueError, match="player_0 has begun to pick cards: go on with step"):
        table.step_move(Pass(0, three))
    assert table.game == before


def test_the_id_in_the_registry_of_pettingzoo() -> None:
    pettingzoo = pytest.importorskip("pettingzoo", "1.27")
    table = pettingzoo.make("aec", "heartsrules/hearts_v0", rules=ONE_DEAL, reward="win")
    assert (table.rules, table.reward) == (ONE_DEAL, "win")
    assert pettingzoo.spec("aec", "heartsrules/hearts").id == "heartsrules/hearts-v0"


def test_nothing_is_won_by_a_match_that_is_cut_off() -> None:
    table = raw_env(reward="win", max_deals=2)
    table.reset(seed=1)
    assert {reward for _, reward in steps_of(table, Random(1))} == {0}
    assert isinstance(table.game, AwaitingDeal)
    assert table.game.deal_number == 2
    places, whole = state_layout(table.rules), table.state()
    assert not whole[: places["phase"].start].any()
    check_observation(public_view(table.game), (), whole[places["phase"].start :])


# ------------------------------------------------------------------------------------------------- what is observed


def by_card(cards: Any) -> list[float]:
    counts = Counter(cards)
    return [float(counts[card]) for card in CARDS]


def expected(known: View, picks: Sequence[Card | None]) -> dict[str, list[float]]:
    """The parts of an observation that are not all zeros, in the plainest words."""
    rules = known.rules
    players = rules.players
    own = 0 if known.seat is None else known.seat
    around = [(own + place) % players for place in range(players)]

    def seat_is(*seats: int | None) -> list[float]:
        return [float(seat in seats) for seat in around]

    phase = Phase.PASS if known.phase is Phase.DEAL_BACK else known.phase
    parts = {
        "phase": [float(phase is each) for each in Phase if each is not Phase.DEAL_BACK],
        "pass_step": [
            float(known.deal_number % len(rules.pass_cycle) == number) for number in range(len(rules.pass_cycle))
        ],
        "dealer": seat_is(known.dealer),
    }
    unit = rules.target or rules.penalty_total or 1
    parts["totals"] = [min(max(known.scores[seat] / unit, -4), 4) for seat in around]
    if rules.max_deals:
        parts["deal_number"] = [min(known.deal_number / rules.max_deals, 1)]
    if rules.opening_leader is OpeningLeader.QUEEN_TAKER and known.score_sheet:
        parts["queen_taker"] = seat_is(known.score_sheet[-1].queen_taker)
    gifts: Sequence[Cards] = ()
    if isinstance(known, PassingView):
        parts["hand"] = by_card(known.hand)
        parts["committed"] = seat_is(*known.committed)
        if known.commitment is not None:
            gifts = known.commitment.cards
        elif known.seat is not None:
            gifts, left_over, number = [], list(picks), 0
            while len(left_over) >= known.plan[number][1]:
                gifts.append(Cards([card for card in left_over[: known.plan[number][1]] if card]))
                left_over = left_over[known.plan[number][1] :]
                number += 1
            gifts.append(Cards([card for card in left_over if card]))
            parts["next_gift"] = [float(number == each) for each in range(max(map(len, rules.pass_cycle)))]
    elif isinstance(known, DealingBackView):
        parts["hand"] = by_card(known.hand)
        parts["committed"] = seat_is(*range(players))
        gifts = () if known.commitment is None else known.commitment.cards
    elif isinstance(known, ExposingView):
        parts["hand"] = by_card(known.hand)
        parts["committed"] = seat_is(*known.committed)
        shows = [card for card in picks if card] if known.exposure is None else known.exposure.cards
        parts["showing"] = by_card(shows)
        parts["exposed"] = [n for seat in around for n in by_card(known.exposed[seat])]
        parts["received"] = by_card(known.received)
        parts["declined"] = seat_is(*known.declined)
        if known.own.commitment is not None:
            gifts = known.own.commitment.cards
    elif not isinstance(known, AwaitingDealView):
        played = known if isinstance(known, PlayingView) else known.last_deal
        trick = known.trick if isinstance(known, PlayingView) else ()
        if isinstance(known, PlayingView):
            parts["hand"] = by_card(known.hand)
            parts["turn"] = seat_is(known.turn)
            parts["hearts_broken"] = [float(known.hearts_broken)]
            parts["trick"] = [n for seat in around for n in by_card([play.card for play in trick if play.seat == seat])]
        if isinstance(known, ChoosingMoonView):
            parts["turn"] = seat_is(known.shooter)
        plays = [*itertools.chain(*[done.plays for done in played.tricks]), *trick]
        parts["played"] = [n for seat in around for n in by_card([play.card for play in plays if play.seat == seat])]
        parts["captured"] = [n for seat in around for n in by_card(played.captured[seat])]
        failed = {
            (play.seat, trick[0].card.suit)
            for trick in [*[done.plays for done in played.tricks], *([trick] if trick else [])]
            for play in trick
            if play.card.suit != trick[0].card.suit
        }
        parts["failed_to_follow"] = [float((seat, suit) in failed) for seat in around for suit in Suit]
        parts["leader"] = seat_is(played.leader)
        parts["trick_number"] = [played.trick_number / rules.cards_per_hand]
        parts["tricks_won"] = [played.tricks_won[seat] / rules.cards_per_hand for seat in around]
        parts["set_aside"] = by_card(played.set_aside)
        parts["kitty"] = by_card(played.kitty or ())
        parts["kitty_winner"] = seat_is(played.kitty_winner)
        parts["received"] = by_card(played.received)
        parts["exposed"] = [n for seat in around for n in by_card(played.exposed[seat])]
        parts["declined"] = seat_is(*played.declined)
        if played.own.commitment is not None:
            gifts = played.own.commitment.cards
    parts["gifts"] = list(itertools.chain(*[by_card(gift) for gift in gifts]))
    return parts


def check_observation(known: View, picks: Sequence[Card | None], seen: np.ndarray[Any, Any]) -> None:
    parts = expected(known, picks)
    places = layout(known.rules)
    assert [*itertools.chain(*[range(part.start, part.stop) for part in places.values()])] == [*range(len(seen))]
    for name, part in places.items():
        wanted = np.zeros(part.stop - part.start, dtype=np.float32)
        given_part = parts.pop(name, [])
        wanted[: len(given_part)] = given_part
        assert_array_equal(seen[part], wanted, err_msg=name)
    assert not any(itertools.chain(*parts.values())), "a part that the layout leaves out has something to say"


@laws(80)
@given(states_of(rules=rules_sets().map(covered)), generators())
def test_an_observation_says_what_the_layout_says(state: State, rng: Random) -> None:
    rules = state.rules
    space = raw_env(rules).observation_space("player_0")
    for seat in (*range(rules.players), None):
        known = public_view(state) if seat is None else view(state, seat)
        seen = observation(known)
        assert space.contains(seen)
        check_observation(known, (), seen)
    if isinstance(state, Passing):
        table = at(state)
        agent = table.agent_selection
        picks: tuple[Card, ...] = ()
        while table.game == state:
            seat = table.possible_agents.index(agent)
            check_observation(view(state, seat), picks, table.observe(agent))
            for other in table.possible_agents:
                if other != agent:
                    check_observation(view(state, table.possible_agents.index(other)), (), table.observe(other))
            action = rng.choice([a for a in np.flatnonzero(table.infos[agent]["action_mask"]).tolist() if a != DECLINE])
            picks = (*picks, CARDS[action])
            table.step(action)
        event(f"{len(picks)} picks of {len(state.plan)} gifts")


@laws(80)
@given(states_of(rules=rules_sets().map(covered)), generators())
def test_a_state_vector_tells_everything(state: State, rng: Random) -> None:
    if isinstance(state, GameOver):
        return
    table = at(state)
    for agent in itertools.islice(table.agent_iter(), rng.randrange(4)):
        mask = table.infos[agent]["action_mask"]
        over = table.terminations[agent] or table.truncations[agent]
        table.step(None if over else rng.choice(np.flatnonzero(mask).tolist()))
    game, whole, places = table.game, table.state(), state_layout(state.rules)
    assert table.state_space.contains(whole)
    assert [*itertools.chain(*[range(part.start, part.stop) for part in places.values()])] == [*range(len(whole))]
    assert list(places)[-len(layout(state.rules)) :] == list(layout(state.rules))
    check_observation(public_view(game), (), whole[places["phase"].start :])
    deck = np.array(by_card(state.rules.deck), dtype=np.float32)
    if isinstance(game, (Passing, Playing)):
        hands = whole[places["all_hands"]].reshape(-1, 52)
        assert_array_equal(hands, [by_card(hand) for hand in game.hands])
        lying = hands.sum(axis=0) + whole[places["played"]].reshape(-1, 52).sum(axis=0)
        if "whole_kitty" in places:
            lying += whole[places["whole_kitty"]]
        assert_array_equal(lying, deck)
    if "all_gifts" in places and isinstance(game, (Passing, Playing)):
        gifts = whole[places["all_gifts"]].reshape(state.rules.players, -1, 52)
        for seat, agent in enumerate(table.possible_agents):
            own = table.observe(agent)[layout(state.rules)["gifts"]].reshape(-1, 52)
            assert_array_equal(gifts[seat], own)
        event("gifts are told")


def test_a_position_without_its_history() -> None:
    hands = [Cards("2C 3C"), Cards("4C 5C"), Cards("6C 7C"), Cards("8C 9C")]
    rest = presets.microsoft().deck - sum(hands, start=Cards())
    state = set_up(
        presets.microsoft(),
        hands=hands,
        captured=[rest, Cards(), Cards(), Cards()],
        tricks_won=[11, 0, 0, 0],
        leader=0,
        hearts_broken=True,
    )
    for seat in range(4):
        check_observation(view(state, seat), (), at(state).observe(f"player_{seat}"))


# ------------------------------------------------------------------------------------------ nothing else is observed


def enacted(line: Line, viewer: int) -> list[object]:
    """What an agent is given while a deal is played: after the deal, after each pass, play and choice."""
    table = at(line.states[1], max_deals=1)
    agent = table.possible_agents[viewer]
    passes = sorted([move for move in line.moves if isinstance(move, Pass)], key=lambda move: move.seat)
    if line.states[1].rules._resolved.through_middle(line.states[1].deal_number):
        del passes[-1:]  # after the last of them the environment deals a pile by itself
    given: list[object] = [given_to(table, agent)]
    for move in (*passes, *[move for move in line.moves[1:] if not isinstance(move, Pass)]):
        if isinstance(move, Deal) or table.agent_selection != f"player_{move.seat}":
            break  # only some of the seats had committed
        enact(table, move)
        given.append(given_to(table, agent))
    return given


def given_to(table: HeartsEnv, agent: str) -> object:
    selected = (table.agent_selection, table.agents, table.terminations, table.truncations, table.rewards)
    known = (table.observe(agent).tobytes(), table.infos[agent]["action_mask"].tobytes(), list(table.infos[agent]))
    if table.agent_selection != agent:
        return copy.deepcopy((selected, known))
    seen, *rest, _ = table.last()
    assert seen is not None
    return copy.deepcopy((selected, known, seen.tobytes(), rest))


@pytest.fixture(scope="module")
def pairs() -> list[Twins]:
    """Deals that a seat cannot tell apart, of every preset and of random rule sets."""
    rng = Random(7)
    found: list[Twins] = []
    for rules in (*TABLES.values(), *[covered(random_rules(rng)) for _ in range(60)]):
        steps = list(match(rules, rng, 1))
        played = Match(rules, (*[state for state, _, _ in steps], steps[-1][2]), tuple([move for _, move, _ in steps]))
        for line in lines_of(played):
            for _ in range(2):
                found += list(twins_of(random_line(line, rng), rng.randrange(rules.players), rng, 12))[:2]
    # A game that is over has no environment: there is nothing to do in it.
    return [pair for pair in found if not isinstance(pair.one.state, GameOver)]


@pytest.mark.untraced
def test_no_agent_is_told_what_its_seat_may_not_know(pairs: list[Twins]) -> None:
    told = [pair for pair in pairs if enacted(pair.one, pair.viewer or 0) != enacted(pair.other, pair.viewer or 0)]
    assert told == []


@pytest.mark.long
def test_the_twins_would_show_a_leak(pairs: list[Twins]) -> None:
    kinds = Counter(kind for pair in pairs for kind in set(pair.kinds()))
    enough = {"hands in Passing": 20, "hands in Playing": 20, "commitments": 5, "kitty in Playing": 5, "declining": 1}
    assert {kind: kinds[kind] for kind, least in enough.items() if kinds[kind] < least} == {}
    apart = [pair for pair in pairs if at(pair.one.state).state().tobytes() != at(pair.other.state).state().tobytes()]
    assert len(apart) > len(pairs) / 2
    neighbours = [
        pair
        for pair in pairs
        for seat in [((pair.viewer or 0) + 1) % pair.one.state.rules.players]
        if at(pair.one.state).observe(f"player_{seat}").tobytes()
        != at(pair.other.state).observe(f"player_{seat}").tobytes()
    ]
    assert len(neighbours) > 20


@pytest.mark.long
@pytest.mark.untraced
@laws(80)
@given(states_of(Passing, Playing, ChoosingMoon), generators())
def test_an_agent_sees_the_same_in_every_world_of_its_view(state: State, rng: Random) -> None:
    if isinstance(state, GameOver) or covered(state.rules) != state.rules:
        return
    for seat in range(state.rules.players):
        world = sample_world(view(state, seat), rng)
        assert given_to(at(world), f"player_{seat}") == given_to(at(state), f"player_{seat}")


def test_idle_agents_have_empty_masks_that_cannot_be_written_to() -> None:
    table = raw_env(mask_in_observation=True)
    table.reset(seed=1)
    table.step(int(np.flatnonzero(table.infos["player_0"]["action_mask"])[0]))
    for agent in table.possible_agents:
        seen = table.observe(agent)
        assert table.observation_space(agent).contains(seen)
        assert list(seen) == ["observation", "action_mask"]
        assert seen["action_mask"] is table.infos[agent]["action_mask"]
        assert seen["action_mask"].any() == (agent == "player_0")
    with pytest.raises(ValueError, match="read-only"):
        table.infos["player_1"]["action_mask"][0] = 1


# ------------------------------------------------------------------------------------------- policies, by views alone


def moody(seen: Any, mask: Any) -> int:
    """A policy that looks at all that it is given."""
    legal = np.flatnonzero(mask)
    return int(legal[hash(seen.tobytes()) % len(legal)])


@pytest.mark.parametrize("name", ["microsoft-4", "dicegamedepot_cancellation-8", "black_maria-3", "openspiel-4"])
def test_a_policy_plays_the_same_at_a_table_of_views(name: str) -> None:
    table = raw_env(TABLES[name], max_deals=2)
    table.reset(seed=3)
    while not any(table.terminations.values()) and not any(table.truncations.values()):
        seen, _, _, _, info = table.last()
        table.step(moody(seen, info["action_mask"]))
    state: State = new_game(TABLES[name])
    while not isinstance(state, GameOver) and (not isinstance(state, AwaitingDeal) or len(state.score_sheet) < 2):
        if chance_to_act(state):
            state = apply(state, deal(state, seed=3))
        else:
            state = apply(state, choose(view(state, min(to_act(state))), moody))
    assert table.game == state


def test_declining_takes_as_many_steps_as_passing() -> None:
    """Otherwise the count of steps would tell who has declined, before the exchange."""
    rules = Rules(pass_optional=PassOptional.SKIP, pass_cycle=[left(4)])
    one, other = raw_env(rules), raw_env(rules)
    for table in (one, other):
        table.reset(seed=1)
    for number in range(4):
        assert one.agent_selection == other.agent_selection == "player_0"
        one.step(DECLINE)
        other.step(int(np.flatnonzero(other.infos["player_0"]["action_mask"])[number]))
        if number < 3:
            assert np.flatnonzero(one.infos["player_0"]["action_mask"]).tolist() == [DECLINE]
            check_observation(view(one.game, 0), [None] * (number + 1), one.observe("player_0"))
            with pytest.raises(ValueError, match="player_0 has begun to decline"):
                one.step(int(np.flatnonzero(other.infos["player_0"]["action_mask"])[number]))
        for agent in one.possible_agents[1:]:
            assert given_to(one, agent) == given_to(other, agent)
    assert isinstance(one.game, Passing)
    assert one.game.commitments[0] == Pass(0)
    assert actions_for(Pass(0), one.game.plan) == (DECLINE,) * 4
    with pytest.raises(ValueError, match="depends on the plan of the deal"):
        actions_for(Pass(0))


def test_a_policy_can_decline() -> None:
    start = new_game(Rules(pass_optional=PassOptional.SKIP))
    dealt = apply(start, deal(start, seed=1))
    assert choose(view(dealt, 2), lambda _, mask: int(np.flatnonzero(mask)[-1])) == Pass(2)


def constant(action: int) -> ActionPolicy:
    return lambda _seen, _mask: action


def test_choosing_where_there_is_nothing_to_choose() -> None:
    start = new_game(ONE_DEAL)
    dealt = apply(start, deal(start, seed=1))
    for known in (view(start, 0), view(dealt, 1), public_view(dealt)):
        with pytest.raises(ValueError, match=f"seat {known.seat} has nothing to choose"):
            choose(known, moody)
    for action in (DECLINE, -1, ACTIONS):
        with pytest.raises(ValueError, match=f"action {action}, which is not legal"):
            choose(view(dealt, 0), constant(action))


def test_who_has_not_to_act_has_an_empty_mask() -> None:
    start = new_game(Rules())
    dealt = apply(start, deal(start, seed=1))
    over = list(match(ONE_DEAL, Random(1)))[-1][2]
    for known in (view(start, 0), public_view(dealt), view(over, 0)):
        assert not action_mask(known).any()


def test_actions_of_a_move() -> None:
    assert actions_for(Pass(1, Cards("QS"), Cards("2C AH"))) == (36, 0, 51)
    assert actions_for(ChooseMoon(1, Moon.OTHERS_UP)) == (OTHERS_UP,)
    assert actions_for(ChooseMoon(1, Moon.SHOOTER_DOWN)) == (SHOOTER_DOWN,)
    assert [actions_for(Play(0, card)) for card in CARDS] == [(action,) for action in range(52)]
    with pytest.raises(TypeError, match="not a Deal"):
        actions_for(Deal([]))


WITH_PICKS: Final = Rules(unpassable="QS")


@pytest.mark.parametrize(
    ("known", "picks", "message"),
    [
        ("playing", "2C", "not about to pass"),
        ("spectator", "2C", "not about to pass"),
        ("committed", "2C", "not about to pass"),
        ("passing", "2C 3C 4C", "a whole pass or more"),
        ("passing", "AH", "not among the cards"),
        ("passing", "QS", "not among the cards"),
        ("passing", "2C 2C", "not among the cards"),
    ],
)
def test_picks_that_nobody_can_have_made(known: str, picks: str, message: str) -> None:
    hands = [Cards("2C 3C 4C 5C 6C 7C 8C 9C TC JC QC KC QS")]
    rest = list(WITH_PICKS.deck - hands[0])
    hands += [Cards(rest[:13]), Cards(rest[13:26]), Cards(rest[26:])]
    start = new_game(WITH_PICKS)
    passing = apply(start, Deal(hands))
    committed = apply(passing, Pass(0, Cards("2C 3C 4C")))
    playing = set_up(WITH_PICKS, hands=hands)
    views = {
        "passing": view(passing, 0),
        "committed": view(committed, 0),
        "spectator": public_view(passing),
        "playing": view(playing, 0),
    }
    cards = [Card(text) for text in picks.split()]
    for function in (observation, action_mask):
        with pytest.raises(ValueError, match=message):
            function(views[known], cards)


# -------------------------------------------------------------------------------------------------- reset and errors


def deals_of(table: HeartsEnv, seed: int | None) -> object:
    table.reset(seed=seed)
    assert isinstance(table.game, Passing)
    return table.game.hands


def test_the_seed_that_is_drawn_cannot_be_guessed(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn = []

    def randbits(count: int) -> int:
        drawn.append(count)
        return 0

    monkeypatch.setattr("secrets.randbits", randbits)
    assert deals_of(raw_env(), None) == deal(new_game(Rules()), seed=0).hands
    assert drawn == [128]


def test_seeds() -> None:
    start = new_game(Rules())

    def dealt(seed: str | int) -> object:
        return deal(start, seed=seed).hands

    table = raw_env()
    assert [deals_of(table, seed) for seed in (7, None, None)] == [dealt(7), dealt("7/1"), dealt("7/2")]
    assert [deals_of(table, seed) for seed in (8, None, 7)] == [dealt(8), dealt("8/1"), dealt(7)]
    assert deals_of(table, np.int64(7)) == dealt(7)  # type: ignore[arg-type]
    drawn = raw_env(), raw_env()
    assert deals_of(drawn[0], None) != deals_of(drawn[1], None)
    assert deals_of(drawn[0], None) != deals_of(drawn[0], None)
    with pytest.raises(TypeError):
        table.reset(seed="seven")  # type: ignore[arg-type]


def test_a_state_to_begin_with() -> None:
    table = raw_env(ONE_DEAL)
    start = new_game(ONE_DEAL)
    table.reset(seed=7, options={"state": start, "something": "else"})
    dealt = apply(start, deal(start, seed=7))
    assert table.game == dealt
    over = list(match(ONE_DEAL, Random(1)))[-1][2]
    for state, error, message in (
        (over, ValueError, "is over"),
        (new_game(Rules()), ValueError, "other rules"),
        (view(dealt, 0), TypeError, "must be a State, not a PlayingView"),
        (None, TypeError, "must be a State, not None"),
    ):
        with pytest.raises(error, match=message):
            table.reset(options={"state": state})
    assert table.game == dealt


def test_an_environment_can_be_copied() -> None:
    table = raw_env()
    table.reset(seed=1)
    for _ in itertools.islice(steps_of(table, Random(1)), 40):
        pass
    table.step(int(np.flatnonzero(table.last()[4]["action_mask"])[0]))
    copies = [copy.deepcopy(table), pickle.loads(pickle.dumps(table))]
    assert [twin.game for twin in copies] == [table.game] * 2
    matches_of = [list(steps_of(twin, Random(2))) for twin in (*copies, table)]
    assert len(matches_of[0]) > 52
    assert matches_of[0] == matches_of[1] == matches_of[2]


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"reward": "money"}, ValueError, "reward is 'money': choose one of points, win"),
        ({"max_deals": 0}, ValueError, "max_deals is 0: choose 1 or more"),
        ({"max_deals": -(10**5000)}, ValueError, "max_deals is a number of about 5001 digits: choose 1 or more"),
        ({"max_deals": True}, TypeError, "max_deals must be an int, not a bool"),
        ({"max_deals": None}, TypeError, "max_deals must be an int, not None"),
        ({"render_mode": "rgb_array"}, ValueError, "render_mode is 'rgb_array': choose one of human, ansi"),
    ],
)
def test_wrong_options(options: dict[str, Any], error: type[Exception], message: str) -> None:
    for make in (env, raw_env):
        with pytest.raises(error, match=message):
            make(**options)


@pytest.mark.parametrize("wrong", [None, new_game(Rules()), "view"])
def test_what_is_no_view_or_no_rule_set(wrong: Any) -> None:
    for function in (observation, action_mask):
        with pytest.raises(TypeError, match=f"view must be a View, not {type_phrase(wrong)}"):
            function(wrong)
    with pytest.raises(TypeError, match="view must be a View"):
        choose(wrong, moody)


@pytest.mark.parametrize(
    ("rules", "steps", "action", "error", "message"),
    [
        (ONE_DEAL, 1, DECLINE, IllegalMove, "a pass"),
        (ONE_DEAL, 1, OTHERS_UP, IllegalMove, "choice of the moon"),
        (Rules(), 0, DECLINE, IllegalMove, "declin"),
        (Rules(), 1, SHOOTER_DOWN, IllegalMove, "choice of the moon"),
        (Rules(pass_optional=PassOptional.SKIP), 1, DECLINE, ValueError, "player_0 has begun to pick"),
        (ONE_DEAL, 1, ACTIONS, ValueError, "there is no action 55"),
        (ONE_DEAL, 1, -1, ValueError, "there is no action -1"),
        (ONE_DEAL, 1, None, TypeError, "action must be an int"),
        (ONE_DEAL, 1, "QS", TypeError, "str"),
    ],
)
def test_illegal_actions_change_nothing(
    rules: Rules, steps: int, action: Any, error: type[Exception], message: str
) -> None:
    table = raw_env(rules)
    table.reset(seed=1)
    for _ in range(steps):
        table.step(int(np.flatnonzero(table.last()[4]["action_mask"])[0]))
    agent = table.agent_selection
    before = table.game, table.agent_selection, table.state().tobytes(), table.infos, given_to(table, agent)
    with pytest.raises(error, match=message):
        table.step(action)
    after = table.game, table.agent_selection, table.state().tobytes(), table.infos, given_to(table, agent)
    assert after[:3] == before[:3]
    assert after[3] is before[3]
    assert after[4] == before[4]


def test_cards_that_may_not_be_played_or_picked() -> None:
    codes: set[str] = set()
    for rules in (ONE_DEAL, Rules(unpassable="QS"), Rules(pass_cycle=(scatter(players=4),))):
        table = raw_env(rules)
        table.reset(seed=1)
        refused = 0
        for _, _ in zip(range(20), table.agent_iter(), strict=False):
            mask = table.infos[table.agent_selection]["action_mask"]
            game = table.game
            for action in range(52):
                if not mask[action]:
                    with pytest.raises(IllegalMove) as caught:
                        table.step(action)
                    # The reasons are of the card, not of a pass that is not complete yet.
                    found = {violation.code for violation in caught.value.violations}
                    codes |= found if isinstance(game, Passing) else set()
                    assert found
                    refused += 1
            assert table.game is game
            table.step(int(np.flatnonzero(mask)[-1]))
        assert refused > 500
    assert codes == {"not-in-hand", "card-may-not-be-passed"}


def test_after_the_end() -> None:
    table = raw_env(ONE_DEAL)
    table.reset(seed=1)
    while not table.terminations["player_0"]:
        table.step(int(np.flatnonzero(table.last()[4]["action_mask"])[0]))
    assert not any(info["action_mask"].any() for info in table.infos.values())
    with pytest.raises(ValueError, match="the only valid action is None"):
        table.step(0)
    for agent in table.possible_agents:
        assert table.agent_selection == agent
        table.step(None)
    assert table.agents == []
    assert table.observation_space("player_0").contains(table.observe("player_0"))


# ----------------------------------------------------------------------------------------------------------- drawing


def test_the_table_as_a_text() -> None:
    table = raw_env(render_mode="ansi", max_deals=1)
    table.reset(seed=7)
    table.step(int(np.flatnonzero(table.infos["player_0"]["action_mask"])[0]))
    assert table.render() == f"{table.game}\n\nplayer_0 has picked 4C"
    texts = {table.render() for _ in steps_of(table, Random(7))}
    assert str(table.game) in texts
    assert any("captured by seat" in (text or "") for text in texts)


def test_a_declined_pass_as_a_text() -> None:
    table = raw_env(Rules(pass_optional=PassOptional.SKIP), render_mode="ansi")
    table.reset(seed=1)
    for _ in range(2):
        table.step(DECLINE)
        assert table.render() == f"{table.game}\n\nplayer_0 has picked no card, to decline"
    table.step(DECLINE)
    assert table.render() == str(table.game)


@pytest.mark.parametrize("deals", [6, 9])
def test_deals_are_counted_also_where_the_sheet_begins_late(deals: int) -> None:
    rules = attrs.evolve(ONE_DEAL, max_deals=deals)
    whole = new_game(rules)
    begun = AwaitingDeal(rules, ScoreSheet(whole.scores, 5), None)
    table = at(begun, render_mode="ansi", max_deals=1)
    numbers = {table.game.deal_number for _ in steps_of(table, Random(1))}
    assert numbers == {5} if deals == 6 else numbers == {5, 6}
    assert table.game.phase is (Phase.OVER if deals == 6 else Phase.DEAL)


def test_a_table_is_printed_after_each_action(capsys: pytest.CaptureFixture[str]) -> None:
    table = raw_env(ONE_DEAL, render_mode="human")
    table.reset(seed=1)
    for steps in range(1, 4):
        table.step(int(np.flatnonzero(table.last()[4]["action_mask"])[0]))
        assert capsys.readouterr().out.count("\ndeal 1, ") == 1, steps
    assert table.render() is None
    table.close()


def test_drawing_without_a_mode() -> None:
    table = raw_env()
    table.reset(seed=1)
    with pytest.warns(UserWarning, match="without a render mode"):
        assert table.render() is None


WITHOUT: Final = """
import sys
sys.modules[{module!r}] = None
import heartsrules.bridges
try:
    import heartsrules.bridges.pettingzoo
except ImportError as error:
    print(error)
"""


@pytest.mark.parametrize("module", ["pettingzoo", "numpy", "gymnasium"])
def test_without_the_extra(module: str) -> None:
    program = WITHOUT.format(module=module)
    printed = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout
    assert "pip install 'heartsrules[pettingzoo]'" in printed


# ------------------------------------------------------------------------------------------------------- shown cards


@pytest.mark.parametrize("exposure", list(Exposure))
def test_cards_are_shown_one_by_one_in_card_order(exposure: Exposure) -> None:
    table = raw_env(attrs.evolve(SHOWING, exposure=exposure))
    table.reset(seed=4)
    rules = table.rules
    asked = []
    while table.game.phase is Phase.EXPOSE:
        game = table.game
        assert isinstance(game, Exposing)
        agent = table.agent_selection
        seat = table.possible_agents.index(agent)
        asked.append(seat)
        own = list((game.hands[seat] & rules.exposable) - game.start.exposed[seat])
        for number, card in enumerate(own):
            mask = table.infos[agent]["action_mask"]
            assert mask.nonzero()[0].tolist() == sorted([later.index for later in own[number:]] + [DECLINE])
            check_observation(view(game, seat), own[:number], table.observe(agent))
            table.step(card.index)
            assert table.agent_selection == agent
            assert table.game is game
        seen = table.state()[state_layout(rules)["all_showing"]].reshape(4, 52)
        assert seen[seat].nonzero()[0].tolist() == [card.index for card in own]
        with pytest.raises(IllegalMove):
            table.step(next(card.index for card in rules.deck if card not in rules.exposable))
        table.step(DECLINE)
        assert apply(game, Expose(seat, Cards(own))) == table.game
        assert actions_for(Expose(seat, Cards(own))) == (*[card.index for card in own], DECLINE)
    assert asked[0] == (1 if rules._resolved.shows_in_turn else 0)
    if rules._resolved.shows_in_rounds:
        assert len(asked) > 4
    else:
        assert asked == ([0, 1, 2, 3] if exposure is Exposure.TOGETHER else [1, 2, 3, 0])
    assert isinstance(table.game, Playing)
    assert sum(map(len, table.game.exposed)) == 4
    for agent in table.possible_agents:
        seen = table.observe(agent)[layout(rules)["exposed"]].reshape(4, 52)
        assert seen.sum() == 4


def test_picks_of_an_exposure_must_be_its_beginning() -> None:
    start = new_game(SHOWING)
    own = Cards("2C TC QS AH") + Cards(list(SHOWING.deck.of_suit(Suit.SPADES))[:9])
    rest = list(SHOWING.deck - own)
    seat = 2
    hands = [Cards(rest[:13]), Cards(rest[13:26]), own, Cards(rest[26:])]
    dealt = apply(start, Deal(hands, Cards()))
    assert isinstance(dealt, Exposing)
    first, second, *_ = dealt.hands[seat] & SHOWING.exposable
    seen = view(dealt, seat)
    other = next(iter(dealt.hands[seat] - SHOWING.exposable))
    for picks in ([second, first], [first, first], [other]):
        with pytest.raises(ValueError, match="in card order"):
            observation(seen, picks)
    assert observation(seen, [first])[layout(SHOWING)["showing"]].sum() == 1
    assert choose(seen, lambda _, mask: int(mask.argmax())) == Expose(seat, dealt.hands[seat] & SHOWING.exposable)
    assert choose(seen, lambda _, mask: DECLINE) == Expose(seat, Cards())  # noqa: ARG005
