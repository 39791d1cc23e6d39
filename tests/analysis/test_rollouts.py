"""Many deals played out at once against `playout`, deal by deal; and what `rollouts` refuses."""

from __future__ import annotations

import copy
import pickle
import statistics
from collections.abc import Sequence
from random import Random
from typing import Any, Final

import pytest

from heartsrules import (
    AwaitingDeal,
    Card,
    Cards,
    ChooseMoon,
    ChoosingMoon,
    Exposing,
    GameOver,
    IllegalMove,
    Pass,
    Passing,
    Playing,
    Rules,
    ScoreSheet,
    State,
    apply,
    deal,
    legal_moves,
    new_game,
    presets,
    to_act,
)
from heartsrules.analysis import rollouts as module
from heartsrules.analysis.playout import playout
from heartsrules.analysis.policies import Policy, Watchful
from heartsrules.analysis.rollouts import Rollouts, rollout_points, rollouts
from heartsrules.chance import RandomStream
from heartsrules.play.dealing import chance_to_act
from heartsrules.play.legality import CardChoice
from heartsrules.rules import HOLD, MAX_DEALS, KittyShownTo, Moon
from heartsrules.setup import set_up
from heartsrules.testing.rule_sets import random_rules
from support.builds import wrong_type
from support.rounds import rounds
from support.strategies import FACES

pytestmark = pytest.mark.once_compiled


class Last(Policy):
    """Takes the last of what there is, most of the time."""

    def choose_card(self, choice: CardChoice, stream: RandomStream) -> Card:
        cards = list(choice.legal)
        return cards[stream.below(len(cards)) if choice.trick else -1]

    def choose_pass(self, passes: Sequence[Pass], stream: RandomStream) -> Pass:
        return passes[len(passes) - 1 - stream.below(2) % len(passes)]

    def choose_moon(self, state: ChoosingMoon, choices: tuple[ChooseMoon, ...], stream: RandomStream) -> ChooseMoon:
        return choices[(len(state.last_deal.tricks) + stream.below(3)) % 2]


class AsWatchful(Watchful):
    """Chooses as a watchful player does, but has to be asked."""


POLICIES: Final = (None, Policy(), Watchful(), Watchful(0), AsWatchful(0.2), Last())


def phases_of(rules: Rules, rng: Random, deals: int) -> list[State]:
    """Some states of every phase that a match comes to."""
    found: list[State] = []
    state: State = new_game(rules)
    for _ in range(deals):
        if isinstance(state, GameOver):
            break
        found.append(state)
        state = apply(state, deal(state, rng=rng)) if isinstance(state, AwaitingDeal) else state
        while not isinstance(state, AwaitingDeal | GameOver):
            if isinstance(state, ChoosingMoon) or rng.randrange(4) == 0:
                found.append(state)
            if chance_to_act(state):
                state = apply(state, deal(state, rng=rng))
                continue
            moves = legal_moves(state, min(to_act(state)))
            state = apply(state, moves[int(rng.random() * len(moves))])
    return found


def summed(ends: Sequence[AwaitingDeal | GameOver]) -> Rollouts:
    """What `rollouts` should have made of the deals that ended so."""
    rows = [end.score_sheet[-1] for end in ends]
    seats = range(ends[0].rules.players)
    over = [end.winners for end in ends if isinstance(end, GameOver)]
    return Rollouts(
        len(ends),
        tuple([sum(row.points[seat] for row in rows) for seat in seats]),
        tuple([sum(row.points[seat] ** 2 for row in rows) for seat in seats]),
        tuple([sum(row.shooter == seat for row in rows) for seat in seats]),
        tuple([sum(seat in winners for winners in over) for seat in seats]),
        len(over),
    )


def assert_equal_to_playouts(state: State, seed: int, count: int, policy: Policy | None) -> None:
    one, two, three = (RandomStream(seed) for _ in range(3))
    ends = [playout(state, one, policy=policy) for _ in range(count)]
    assert rollout_points(state, two, count, policy=policy) == [end.score_sheet[-1].points for end in ends]
    assert rollouts(state, three, count, policy=policy) == summed(ends)
    assert repr(one) == repr(two) == repr(three)


@pytest.mark.parametrize("part", range(6))
def test_rollouts_equal_playouts_under_any_rules(part: int) -> None:
    rng = Random(f"rollouts {part}")
    for number in range(25):
        rules = random_rules(rng)
        for state in phases_of(rules, rng, 2):
            assert_equal_to_playouts(state, number, 2, POLICIES[rng.randrange(len(POLICIES))])


@pytest.mark.long
@pytest.mark.parametrize("part", range(rounds(20)))
def test_rollouts_equal_playouts_under_many_rules(part: int) -> None:
    rng = Random(f"many rollouts {part}")
    for number in range(100):
        rules = random_rules(rng)
        states = phases_of(rules, rng, 2)
        for state in rng.sample(states, min(12, len(states))):
            assert_equal_to_playouts(state, number, 2, POLICIES[rng.randrange(len(POLICIES))])


@pytest.mark.parametrize("name", presets.ALL)
def test_rollouts_equal_playouts_under_presets(name: str) -> None:
    preset = presets.ALL[name]
    rng = Random(name)
    for players in (min(preset.players), max(preset.players)):
        states = phases_of(preset(players), rng, 1)
        for state in [states[0], *rng.sample(states, min(3, len(states)))]:
            assert_equal_to_playouts(state, players, 1, POLICIES[rng.randrange(len(POLICIES))])


@pytest.mark.parametrize("policy", POLICIES, ids=lambda policy: type(policy).__name__)
def test_every_phase_and_every_policy(policy: Policy | None) -> None:
    rng = Random("phases")
    deck = Cards("2C 3C 4C 5C 6C 2D 3D QS KS")
    shown = {"exposable": "QS", "moon": Moon.CHOICE, "pass_cycle": (((1, 1),), HOLD), "max_deals": 2}
    rules = Rules(players=3, removed=Cards(FACES) - deck, **shown)  # type: ignore[arg-type]
    met: set[type] = set()
    for number in range(12):
        for state in phases_of(rules, rng, 3):
            met.add(type(state))
            assert_equal_to_playouts(state, number, 4, policy)
    assert met == {AwaitingDeal, Passing, Exposing, Playing, ChoosingMoon}


@pytest.mark.parametrize("mistakes", [0, 0.2, 1])
def test_watchful_players_choose_alike_whether_they_are_asked_or_not(mistakes: float) -> None:
    rng = Random(f"watchful {mistakes}")
    for number in range(40):
        # A kitty that not everybody may see is in the pile of its taker, but not in what the others see of it.
        rules = random_rules(rng, kitty_shown_to=rng.choice(list(KittyShownTo)), moon=Moon.OTHERS_UP)
        for state in phases_of(rules, rng, 1):
            one, two = RandomStream(number), RandomStream(number)
            known = rollout_points(state, one, 3, policy=Watchful(mistakes))
            assert known == rollout_points(state, two, 3, policy=AsWatchful(mistakes))
            assert repr(one) == repr(two)


def test_a_position_without_history() -> None:
    rules = presets.omnibus(4)
    rng = Random("history")
    for number in range(20):
        state = next(one for one in reversed(phases_of(rules, rng, 1)) if isinstance(one, Playing))
        names = (
            *("hands", "leader", "trick", "captured", "tricks_won", "set_aside", "kitty", "kitty_winner"),
            *("hearts_broken", "scores", "deal_number", "score_sheet"),
        )
        told: dict[str, Any] = {name: getattr(state, name) for name in names}
        bare = set_up(rules, **told)
        assert isinstance(bare, Playing)
        if state.trick_number:
            assert bare.tricks == ()
        assert_equal_to_playouts(bare, number, 3, None)


def test_several_states_go_on_with_one_stream() -> None:
    states = phases_of(presets.cardstock(), Random(3), 1)[:4]
    one, two, three = (RandomStream("several") for _ in range(3))
    ends = [playout(state, one) for state in states for _ in range(3)]
    assert rollouts(states, two, 3) == summed(ends)
    assert rollout_points(iter(states), three, 3) == [end.score_sheet[-1].points for end in ends]
    assert repr(one) == repr(two) == repr(three)


def test_points_of_states_of_several_rule_sets() -> None:
    states = [new_game(Rules()), new_game(presets.cardstock(3)), new_game(presets.pagat_cancellation(8))]
    rows = rollout_points(states, RandomStream(1), 2)
    assert [len(row) for row in rows] == [4, 4, 3, 3, 8, 8]
    with pytest.raises(ValueError, match="several rule sets"):
        rollouts(states, RandomStream(1))
    equal = [new_game(Rules(target=50)), new_game(Rules(target=50))]
    assert rollouts(equal, RandomStream(1)).count == 2


def test_another_source_of_bits_gives_64_of_them() -> None:
    state = new_game(presets.cardstock())
    bits = Random(7).getrandbits(64)
    assert rollouts(state, Random(7), 3) == rollouts(state, RandomStream.from_bits(bits), 3)
    assert rollout_points(state, Random(7)) == rollout_points(state, RandomStream.from_bits(bits))


def test_large_points_are_summed_exactly() -> None:
    rules = Rules(
        players=3, removed=Cards(FACES) - Cards("2C 3C 4C 2H 3H QS"), heart_values=(10**5,) * 13, queen_points=10**5,
        doubler=None, extra_penalties=((Card("4C"), 10**5),), moon=Moon.OFF, pass_cycle=(HOLD,), target=10**9,
    )  # fmt: skip
    state = new_game(rules)
    assert_equal_to_playouts(state, 1, 30, None)
    assert max(rollouts(state, RandomStream(1), 3).squares) > 10**10


# ------------------------------------------------------------------------------------------------------ what came of it


def test_the_published_figures_of_random_play() -> None:
    # The system's bar charts: a moon in 1.06 % of the deals, a shared first place in 24.4 %.
    state = new_game(presets.cardstock())
    count = 2500
    played = rollouts(state, RandomStream("published"), count)
    rows = rollout_points(state, RandomStream("published"), count)
    assert abs(sum(played.moons) / count - 0.0106) < 0.0082
    assert abs(sum(row.count(min(row)) > 1 for row in rows) / count - 0.244) < 0.034
    assert played.ended == count
    assert sum(played.wins) == sum(row.count(min(row)) for row in rows)


def test_means_and_deviations_are_those_of_the_points() -> None:
    state = new_game(presets.cardstock())
    played = rollouts(state, RandomStream(2), 50)
    rows = rollout_points(state, RandomStream(2), 50)
    by_seat = list(zip(*rows, strict=True))
    assert played.means == pytest.approx([statistics.fmean(points) for points in by_seat])
    assert played.deviations == pytest.approx([statistics.pstdev(points) for points in by_seat])


def test_rollouts_can_be_added() -> None:
    state = new_game(presets.cardstock())
    stream, again = RandomStream(2), RandomStream(2)
    parts = [rollouts(state, stream, count) for count in (3, 4)]
    assert parts[0] + parts[1] == rollouts(state, again, 7)
    with pytest.raises(ValueError, match="rollouts of 4 seats and of 3 seats cannot be added"):
        _ = parts[0] + rollouts(new_game(presets.cardstock(3)), stream)
    with pytest.raises(TypeError):
        _ = parts[0] + 3  # type: ignore[operator]


def test_rollouts_are_values() -> None:
    played = rollouts(new_game(presets.cardstock()), RandomStream(2), 3)
    assert pickle.loads(pickle.dumps(played)) == copy.deepcopy(played) == played
    assert eval(repr(played)) == played
    assert hash(played) == hash(copy.copy(played))
    with pytest.raises(AttributeError):
        played.count = 4  # type: ignore[misc]


# ----------------------------------------------------------------------------------------------------------- refusals


def test_a_finished_game_has_no_deal_to_play() -> None:
    over = playout(new_game(presets.cardstock()), RandomStream(1))
    assert isinstance(over, GameOver)
    start = new_game(Rules())
    last = AwaitingDeal(start.rules, ScoreSheet(start.scores, MAX_DEALS), None)
    for call in (rollouts, rollout_points):
        with pytest.raises(ValueError, match="over"):
            call([start, over], RandomStream(1))
        with pytest.raises(ValueError, match="1,000,000 deals"):
            call(last, RandomStream(1))
        with pytest.raises(ValueError, match="states is empty"):
            call([], RandomStream(1))


@pytest.mark.parametrize("count", [0, -1, -(10**30)])
def test_counts_that_are_too_low(count: int) -> None:
    for call in (rollouts, rollout_points):
        with pytest.raises(ValueError, match=r"count is .*: choose 1 or more"):
            call(new_game(Rules()), RandomStream(1), count)


class Cheating(Policy):
    """Plays a card that nobody holds, or none at all."""

    def __init__(self, card: Any) -> None:
        self.card = card

    def choose_card(self, choice: CardChoice, stream: RandomStream) -> Card:  # noqa: ARG002
        card: Card = self.card
        return card


def test_policies_that_choose_wrongly() -> None:
    state = new_game(presets.cardstock(3))
    for call in (rollouts, rollout_points):
        with pytest.raises(IllegalMove):
            call(state, RandomStream(1), policy=Cheating(Card("2D")))
        with wrong_type("a policy must choose a Card, not None"):
            call(state, RandomStream(1), policy=Cheating(None))


def test_ctrl_c_has_its_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    turns = 0

    def interrupted() -> None:
        nonlocal turns
        turns += 1
        if turns == 2:
            raise KeyboardInterrupt

    monkeypatch.setattr(module, "pause", interrupted)
    deck = Cards("2C 2D 2S 2H")
    state = new_game(Rules(removed=Cards(FACES) - deck, pass_cycle=(HOLD,)))
    for call in (rollouts, rollout_points):
        turns = 0
        with pytest.raises(KeyboardInterrupt):
            call(state, RandomStream(1), 10**9)
