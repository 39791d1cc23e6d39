"""The learned player: its inputs are what the view tells, however they are made; its network is small and fixed."""

from __future__ import annotations

import logging
import pickle
import re
from collections.abc import Sequence
from importlib.resources import files
from pathlib import Path
from random import Random
from typing import Any

import attrs
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from heartsrules import Move, Rules, ScoreSheet, View, apply, deal, legal_moves, new_game, presets, to_act, view
from heartsrules.analysis import prospects
from heartsrules.analysis.policies import Expected, Policy, Watchful
from heartsrules.analysis.seat_words import SeatKnowledge
from heartsrules.analysis.trials import Trials, may_end_match
from heartsrules.base.values import replaced
from heartsrules.bots import Learned, Named, Sampling, bot_named, learned, policy_named, sampling, uniform
from heartsrules.bots._inputs import INPUTS, inputs, values_of
from heartsrules.bots._lockstep import Lockstep
from heartsrules.bots._network import ACTIONS, OTHER, Network, shipped
from heartsrules.bots._sparse import MOST_PLAYERS, Sparse, has_inputs
from heartsrules.bridges.pettingzoo import actions_for
from heartsrules.bridges.vector import HeartsVectorEnv, unpack_masks, words_of
from heartsrules.cards import NO_CARDS, Card, Cards
from heartsrules.chance import Bits, RandomStream
from heartsrules.play.board import Board
from heartsrules.play.moves import Expose, Pass, Play
from heartsrules.play.state import AwaitingDeal, ChoosingMoon, Passing, Playing, State
from heartsrules.rules import ANY_NUMBER, Compulsory, Moon, MoonScope, PassOptional
from heartsrules.simulation import tournament
from heartsrules.testing import strategies as hearts
from heartsrules.views import PassingView
from support.benches import bench
from support.rounds import examples

pytestmark = pytest.mark.once_compiled

LEARN, TEACHING = bench("learn"), bench("teaching")
TINY = Rules(removed=Rules().deck - Cards("2C 3C 4C 5C 2D 3D 4D 5D 2S 3S 4S QS 2H 3H 4H 5H"))
"""A game with four cards a hand."""
OTHERS = {
    "two decks": presets.pagat_cancellation(8),
    "six players": presets.heartsette(6),
    "optional pass": Rules(pass_optional=list(PassOptional)[1]),
    "any number to the middle": Rules(pass_cycle=[ANY_NUMBER]),
    "cards exposed": presets.trend_hearts(),
    "a card that doubles": attrs.evolve(presets.microsoft(), doubler=presets.trend_hearts().doubler),
    "Gong Zhu with partners": presets.gong_zhu(4, teams=2),
    "Gong Zhu for three": attrs.evolve(presets.gong_zhu(5), players=3, removed=Cards("2C")),
    "Gong Zhu with one card shown": attrs.evolve(presets.gong_zhu(4), exposable=Cards("QS")),
    "Gong Zhu with other values": attrs.evolve(presets.gong_zhu(4), queen_points=50),
    "compulsory cards": Rules(compulsory=Compulsory.SAFE),
    "partners without a moon": attrs.evolve(presets.partner_hearts(), moon=Moon.OFF),
    "partners with other values": attrs.evolve(presets.partner_hearts(), queen_points=10),
    "partners with a bonus card": attrs.evolve(presets.omnibus(4), teams=2),
    "Leekha alone": presets.leekha(teams=0),
    "Leekha with a bonus card": attrs.evolve(presets.leekha(), bonuses=presets.omnibus(4).bonuses),
    "one compulsory card": attrs.evolve(presets.leekha(), compulsory_cards=Cards("QS")),
    "partners with a compulsory queen": attrs.evolve(
        presets.partner_hearts(), compulsory=Compulsory.DISCARD, compulsory_cards=Cards("QS")
    ),
    "compulsory cards at once": attrs.evolve(presets.leekha(), compulsory=Compulsory.SAFE),
    "three cards beside the hearts": attrs.evolve(presets.black_maria(3), moon=Moon.OTHERS_UP),
    "another card beside the hearts": attrs.evolve(presets.black_jack(4), moon=Moon.OTHERS_UP),
    "hearts alone": attrs.evolve(presets.plain_hearts(4), moon=Moon.OTHERS_UP),
    "no moon": presets.heartsette(4),
    "no trick pays": presets.gonzo(4),
}


@settings(max_examples=examples(40))
@given(data=st.data())
def test_the_network_prefers_a_legal_action_alone_or_in_a_batch(data: st.DataObject) -> None:
    state = data.draw(hearts.states(rules=hearts.rules().filter(has_inputs)).filter(to_act))
    if isinstance(state, ChoosingMoon):
        return
    rng, network = RandomStream(0), shipped()
    views = [view(state, seat) for seat in sorted(to_act(state))]
    picks = [some_picks(uniform(each, rng), rng) for each in views]
    words = np.array([words_of(*each) for each in zip(views, picks, strict=True)])
    outputs = network.preferences(state.rules, words)
    assert outputs.shape == (len(views), ACTIONS)
    assert not np.isnan(outputs).any()
    everything = zip(views, picks, inputs(state.rules, words), outputs, strict=True)
    for each, picked, line, preferences in everything:
        seen = SeatKnowledge(each, picked)
        found = Sparse(seen, values_of(state.rules))
        assert len(set(found.places)) == len(found.places)
        expected = np.zeros(INPUTS, np.float32)
        expected[found.places] = found.numbers
        np.testing.assert_allclose(line, expected, rtol=1e-5, atol=1e-5)
        action = network.best(seen)
        assert seen.legal() >> action & 1
        assert preferences[action] >= preferences.max() - 1e-3


def some_picks(move: Move, rng: RandomStream) -> list[Card]:
    """The first cards that a seat picks for its pass or exposure."""
    if isinstance(move, Pass):
        cards = [card for gift in move.cards for card in gift]
        return cards[: rng.below(len(cards))]
    return list(move.cards)[: rng.below(3)] if isinstance(move, Expose) else []


def test_another_network_plays_with_partners_exposures_doublers_and_other_penalty_cards() -> None:
    arrays = shipped().arrays
    without = Network({name: array * (not name.startswith(OTHER)) for name, array in arrays.items()})
    by_the_other = set()
    games = {**LEARN.GAMES, "nothing shown": presets.gong_zhu(4, exposable=NO_CARDS)}
    for name, rules in games.items():
        state = first_play(rules, 5)
        words = words_of(view(state, state.turn))[None]
        if (shipped().preferences(rules, words) != without.preferences(rules, words)).any():
            by_the_other.add(name)
    partners, doublers = {"partner_hearts", "leekha"}, {"gong_zhu4", "gong_zhu5", "gong_zhu_teams", "nothing shown"}
    assert by_the_other == partners | doublers | {"black_maria3", "leekha_single"}


def test_inputs_have_their_number_and_order_of_magnitude() -> None:
    for rules in (presets.microsoft(), presets.gong_zhu(5), presets.spot_hearts()):
        start = new_game(rules)
        dealt = apply(start, deal(start, seed=1))
        found = inputs(rules, np.array([words_of(view(dealt, seat)) for seat in sorted(to_act(dealt))]))
        assert found.shape == (len(to_act(dealt)), INPUTS)
        assert 0.2 < np.abs(found).max() <= 4


@pytest.mark.parametrize("rules", OTHERS.values(), ids=OTHERS)
def test_the_sampling_player_stands_in_where_the_network_knows_no_rules(
    rules: Rules, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    bot = Learned()
    assert not bot.covers(rules)
    with caplog.at_level(logging.INFO):
        bot.begin(rules, 2)
    assert [record.message for record in caplog.records] == [
        "seat 2: the learned player does not play by these rules; the sampling player stands in"
    ]
    start = new_game(rules)
    state = apply(start, deal(start, seed=3))
    seen = view(state, min(to_act(state)))
    assert isinstance(learned._STAND_IN, Sampling)
    move = uniform(seen, RandomStream(5))
    asked = []

    def stand_in(view: View, rng: Bits) -> Move:
        asked.append((view, rng))
        return move

    monkeypatch.setattr(learned, "_STAND_IN", stand_in)
    stream = RandomStream(6)
    assert bot(seen, stream) is move
    assert asked == [(seen, stream)]


def test_it_covers_the_games_that_it_was_trained_on_and_is_good_at(caplog: pytest.LogCaptureFixture) -> None:
    bot = Learned()
    with caplog.at_level(logging.INFO):
        for name, rules in LEARN.GAMES.items():
            worse = ("gong_zhu_teams", "leekha_single", "black_maria", "heartsette")
            assert bot.covers(rules) == (not name.startswith(worse))
            if bot.covers(rules):
                bot.begin(rules, 0)
    assert bot.covers(presets.gong_zhu(5, exposable=NO_CARDS, bonus_target=1000))
    assert caplog.records == []


@pytest.mark.sampled(8)
@pytest.mark.parametrize("name", LEARN.GAMES)
def test_positions_in_lockstep_are_those_of_views(name: str) -> None:
    rules, rng = LEARN.GAMES[name], RandomStream(name)
    starts = [first_play(rules, seed) for seed in (1, 2)]
    deals = Lockstep(shipped(), starts)
    states: list[State] = [*starts]
    while isinstance(states[0], Playing):
        played = []
        for number, state in enumerate(states):
            assert isinstance(state, Playing)
            assert deals.seen(np.array([number]))[0].tolist() == words_of(view(state, state.turn)).tolist()
            played.append(uniform(view(state, state.turn), rng))
        deals.play(np.arange(2), [move.card.index for move in played])  # type: ignore[union-attr]
        states = [apply(state, move) for state, move in zip(states, played, strict=True)]


def first_play(rules: Rules, seed: int, scores: tuple[int, ...] | None = None) -> Playing:
    """A deal that was passed at random."""
    start = new_game(rules)
    if scores is not None:
        start = replaced(start, score_sheet=ScoreSheet(scores))
    state: State = apply(start, deal(start, seed=seed))
    while not isinstance(state, Playing):
        state = apply(state, uniform(view(state, min(to_act(state))), RandomStream(seed)))
    return state


@pytest.mark.parametrize("plays", [0, 22])
def test_a_playout_is_what_learned_players_play_and_its_weight_what_they_think_of_the_play(plays: int) -> None:
    bot, rng, network = Learned(), RandomStream(plays), shipped()
    state: State = first_play(presets.microsoft(), 8)
    logs = []
    for _ in range(plays):
        assert isinstance(state, Playing)
        move = uniform(view(state, state.turn), rng)
        assert isinstance(move, Play)
        preferences = network.preferences(state.rules, words_of(view(state, state.turn))[None])[0]
        chances = np.exp(preferences - preferences.max())
        logs.append((state.turn, np.log(max(1e-3, chances[move.card.index] / chances.sum()))))
        state = apply(state, move)
    assert isinstance(state, Playing)
    seen, moves = view(state, state.turn), legal_moves(state)[-2:]
    weights, boards = bot.play_out(seen, [state, state], moves)
    likelihood = np.exp(0.25 * sum([log for seat, log in logs if seat != state.turn]))
    assert weights == pytest.approx([likelihood] * 2, rel=1e-5), "of 32-bit floats"
    for number, move in enumerate(moves):
        after = apply(state, move)
        while to_act(after):
            after = apply(after, bot(view(after, min(to_act(after))), rng))
        assert isinstance(after, AwaitingDeal)
        assert after.last_deal is not None
        piles = [(seat.pile_lo, seat.won) for seat in boards[1][number].seats]
        assert piles == [
            (pile.lo, won) for pile, won in zip(after.last_deal.captured, after.last_deal.tricks_won, strict=True)
        ]


@pytest.mark.parametrize("plays", [0, 21, 45])
@pytest.mark.parametrize("name", ["microsoft", "omnibus5", "kitty3", "partner_hearts"])
def test_a_judged_deal_goes_on_to_the_next_choice_of_the_seat(name: str, plays: int) -> None:
    bot, rng, network = Learned(), RandomStream(plays), shipped()
    rules = LEARN.GAMES[name]
    state: State = first_play(rules, 8)
    for _ in range(plays):
        state = apply(state, uniform(view(state, min(to_act(state))), rng))
    assert isinstance(state, Playing)
    seat = state.turn
    moves = legal_moves(state)[-3:]
    weights, judged = bot.judge(view(state, seat), [state, state], moves)
    assert len(weights) == 2
    for move, found in zip(moves, judged[1], strict=True):
        after = apply(state, move)
        while to_act(after) and (seat not in to_act(after) or len(legal_moves(after)) == 1):
            after = apply(after, learned.preferred(network, view(after, min(to_act(after)))))
        if isinstance(after, Playing):
            hands = [after.hands[(seat + place) % rules.players].lo for place in range(1, rules.players)]
            others = np.array([[*hands, 0, 0][: MOST_PLAYERS - 1]])
            (margins,), (chances,) = network.judge(rules, words_of(view(after, seat))[None], others)
            members = rules.players / len(rules.sides)
            mean = rules.penalty_total / rules.players
            places = [(each - seat) % rules.players for each in range(rules.players)]
            assert found.points == pytest.approx([mean - margins[place] / members for place in places], abs=1e-3)
            assert found.moons == pytest.approx([chances[place] for place in places], abs=1e-3)
        else:
            assert isinstance(after, AwaitingDeal)
            assert found.points == list(after.score_sheet[-1].points)
            assert sum(found.moons) == (after.score_sheet[-1].shooter is not None) * rules.players / len(rules.sides)


def test_a_search_passes_what_the_network_prefers_unless_it_draws_many_worlds(monkeypatch: pytest.MonkeyPatch) -> None:
    start = new_game(presets.omnibus(4))
    seen = view(apply(start, deal(start, seed=4)), 1)
    assert isinstance(seen, PassingView)
    passes = Learned().passes(seen, 5)
    assert len(set(passes)) == 5
    assert passes[0] == Learned()(seen, RandomStream(1))
    assert all(each in legal_moves(seen) for each in passes)
    monkeypatch.setattr(sampling, "_PASSES", 5)
    monkeypatch.setattr(sampling, "_FEWEST_FOR_PASSES", 4)
    # Half of the passes compared are the network's.
    for each in passes[:2]:
        assert Sampling(199, policy=Comparing(each))(seen, RandomStream(1)) == passes[0]
        assert Sampling(200, policy=Comparing(each))(seen, RandomStream(1)) == each


def test_the_others_pass_in_a_search_what_the_policy_prefers() -> None:
    start = new_game(presets.omnibus(4))
    seen = view(apply(start, deal(start, seed=4)), 1)
    assert isinstance(seen, PassingView)
    bot = Comparing()
    Trials(seen, bot.passes(seen, 2), RandomStream(1), bot).go_on(3, [0, 1])
    assert len(bot.worlds) == 3
    for world in bot.worlds:
        others = [bot.choose(view(replaced(world, commitments=(None,) * 4), seat)) for seat in (0, 2, 3)]
        assert world.commitments == (others[0], None, *others[1:])


@pytest.mark.parametrize(
    ("options", "scores", "ends"),
    [
        ({}, (73, 0, 0, 0), False),
        ({}, (0, 0, 74, 0), True),
        ({"max_deals": 2}, (0, 0, 0, 0), False),
        ({"max_deals": 1}, (0, 0, 0, 0), True),
        ({"bonus_target": 50, "moon": Moon.SHOOTER_DOWN}, (0, -23, 9, 9), False),
        ({"bonus_target": 50, "moon": Moon.SHOOTER_DOWN}, (0, -24, 9, 9), True),
        ({"moon": Moon.SHOOTER_WINS}, (0, 0, 0, 0), True),
        ({"sun": True}, (0, 0, 47, 0), False),
        ({"sun": True}, (0, 0, 48, 0), True),
    ],
)
def test_a_deal_may_end_the_match(options: dict[str, Any], scores: tuple[int, ...], ends: bool) -> None:
    state = first_play(attrs.evolve(presets.microsoft(), **options), 3, scores)
    assert may_end_match(view(state, state.turn)) == ends


@pytest.mark.parametrize(("deals", "asked"), [(1, set()), (2, {"judge"})])
def test_a_deal_that_may_end_the_match_is_not_judged_before_its_end(
    monkeypatch: pytest.MonkeyPatch, deals: int, asked: set[str]
) -> None:
    found: set[str] = set()
    network = {"judge": Learned.judge, "play_out": Learned.play_out}
    for name, method in network.items():

        def noted(*given: Any, name: str = name, method: Any = method) -> Any:
            found.add(name)
            return method(*given)

        monkeypatch.setattr(Learned, name, noted)
    monkeypatch.setattr(sampling, "_FEWEST_WITH_JUDGEMENT", 1)
    state: State = first_play(attrs.evolve(presets.microsoft(), max_deals=deals), 3)
    while isinstance(state, Playing):
        Sampling(50, policy=Learned())(view(state, state.turn), RandomStream(5))
        state = apply(state, legal_moves(state)[0])
    assert found == asked


@attrs.frozen
class Comparing(Learned):
    """Plays deals out so that another seat takes the queen after one of the moves, and its own after the others."""

    best: Move | None = None
    worlds: list[Passing] = attrs.field(factory=list)

    def play_out(self, view: View, worlds: Sequence[Any], moves: Sequence[Move], /) -> Any:
        self.worlds.extend(worlds)
        boards = [[Board(view.rules._resolved, view.scores) for _ in moves] for _ in worlds]
        for played in boards:
            for move, board in zip(moves, played, strict=True):
                taker = board.seats[0 if move == self.best else view.seat or 0]
                taker.pile_lo, taker.won = Cards("QS").lo, 13
        return [1.0] * len(worlds), boards


class Judging(Learned):
    """Says the same of every world: of each move another result."""

    def judge(self, view: View, worlds: Sequence[Any], moves: Sequence[Move], /) -> Any:  # noqa: ARG002
        return [float(number + 1) for number in range(len(worlds))], [list(RESULTS) for _ in worlds]


RESULTS = [
    Expected((6, 8, 12, 0), (0, 0, 0, 0)),
    Expected((6.5, 6.5, 6.5, 6.5), (0, 0, 0, 0)),
    # Either seat 1 shoots the moon, or it ends like the first: with 1/4 and 3/4.
    Expected((11, 6, 15.5, 6.5), (0, 0.25, 0, 0)),
    Expected((26, 26, 0, 26), (0, 0, 1, 0)),
]


def test_expected_points_and_moons_are_worth_what_the_match_is_worth_after_them() -> None:
    state: State = first_play(presets.microsoft(), 3)
    while not isinstance(state, Playing) or state.trick_number < 12 or state.trick:
        state = apply(state, legal_moves(state)[0])
    seat, move = state.turn, legal_moves(state)[0]
    trials = Trials(view(state, seat), [move] * 4, RandomStream(1), Judging(), judges=True)
    trials.go_on(3, range(4))

    def worth(points: Sequence[float]) -> float:
        totals: tuple[Any, ...] = tuple(points)
        after = AwaitingDeal(presets.microsoft(), replaced(ScoreSheet((0,) * 4, 1), start=totals), None)
        return prospects(after, seat) + 0.1 * (sum(points) / 4 - points[seat]) / 26

    moons = worth((26, 0, 26, 26)), worth((26, 26, 0, 26))
    own = worth((6, 8, 12, 0))
    expected = [own, 0.25, 0.25 * moons[0] + 0.75 * own, moons[1]]
    for tried, each in zip(trials.tried, expected, strict=True):
        assert tried.weight == 6
        assert tried.value == pytest.approx(6 * each)


@attrs.frozen
class Favouring(Learned):
    """Expects by far the best of one of the moves."""

    place: int

    def judge(self, view: View, worlds: Sequence[Any], moves: Sequence[Move], /) -> Any:
        best = [0 if seat == view.seat else 500 for seat in range(4)]
        results = [Expected(best if place == self.place else [9] * 4, [0] * 4) for place in range(len(moves))]
        return [1.0] * len(worlds), [results for _ in worlds]


def with_a_choice(rules: Rules | None = None) -> Playing:
    """A position of the third trick or later, with three cards at least that are not interchangeable."""
    state: State = first_play(rules or presets.microsoft(), 3)
    while not isinstance(state, Playing) or state.trick_number < 2 or len(compared(state)) < 3:
        state = apply(state, legal_moves(state)[0])
    return state


def compared(state: Playing) -> Sequence[Move]:
    """The moves that a search compares."""
    moves: Sequence[Move] = TEACHING.candidates(view(state, state.turn), RandomStream(1))
    return moves


def test_a_search_plays_what_is_judged_to_be_far_better(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sampling, "_FEWEST_WITH_JUDGEMENT", 1)
    state = with_a_choice()
    seen = view(state, state.turn)
    moves = compared(state)
    played = [Sampling(50, policy=Favouring(place))(seen, RandomStream(2)) for place in range(len(moves))]
    assert played == moves


@attrs.frozen
class Counting(Learned):
    """Notes how many worlds are judged at a time."""

    counts: list[int]

    def judge(self, view: View, worlds: Sequence[Any], moves: Sequence[Move], /) -> Any:  # noqa: ARG002
        self.counts.append(len(worlds))
        return [1.0] * len(worlds), [[RESULTS[0]] * len(moves) for _ in worlds]


@pytest.mark.parametrize(("worlds", "judged"), [(1, 0), (1599, 0), (1600, 32), (1649, 32), (1650, 33)])
def test_a_search_of_enough_worlds_judges_one_for_50_that_it_plays_out(
    monkeypatch: pytest.MonkeyPatch, worlds: int, judged: int
) -> None:
    assert judged_in(worlds, presets.microsoft(), monkeypatch) == judged


@pytest.mark.parametrize(("worlds", "judged"), [(1599, 0), (1600, 64), (1625, 65)])
def test_with_partners_it_judges_one_for_25(monkeypatch: pytest.MonkeyPatch, worlds: int, judged: int) -> None:
    assert judged_in(worlds, presets.partner_hearts(), monkeypatch) == judged


def judged_in(worlds: int, rules: Rules, monkeypatch: pytest.MonkeyPatch) -> int:
    """In how many worlds a search of so many judges the moves of a play."""
    monkeypatch.setattr(sampling, "_best", lambda *_: 0)
    state = with_a_choice(rules)
    counts: list[int] = []
    Sampling(worlds, policy=Counting(counts))(view(state, state.turn), RandomStream(2))
    return sum(counts)


@pytest.mark.parametrize(("rules", "part"), [(presets.microsoft(), 0.25), (presets.partner_hearts(), 0.5)])
def test_judgements_have_a_quarter_and_with_partners_half(
    monkeypatch: pytest.MonkeyPatch, rules: Rules, part: float
) -> None:
    parts: list[float] = []

    def best(joined: sampling._Joined, *_: int) -> int:
        parts.append(joined.part)
        return 0

    monkeypatch.setattr(sampling, "_best", best)
    state = with_a_choice(rules)
    Sampling(1600, policy=Counting([]))(view(state, state.turn), RandomStream(2))
    assert parts == [part]


def test_playouts_are_joined_with_judgements_of_the_moves() -> None:
    state = with_a_choice()
    seen = view(state, state.turn)
    moves = legal_moves(seen)
    plain, trials = [Trials(seen, moves, RandomStream(1), Watchful(), weighs=True) for _ in range(2)]
    part, judgements = 0.3, [0.5 + number for number in range(len(moves))]
    joined = sampling._Joined(trials, judgements, part)
    for worlds, places in ((3, range(len(moves))), (4, [0, len(moves) - 1])):
        plain.go_on(worlds, places)
        joined.go_on(worlds, places)
    for tried, one, judgement in zip(joined.tried, plain.tried, judgements, strict=True):
        assert tried.weights == one.weights
        each = zip(one.values, one.weights, strict=True)
        expected = [(1 - part) * value + part * judgement * weight for value, weight in each]
        assert tried.values == pytest.approx(expected)
        assert tried.value == pytest.approx(sum(expected))


def test_a_search_with_the_network_prefers_its_card_and_another_search_stands_in(
    caplog: pytest.LogCaptureFixture,
) -> None:
    bot = Sampling(2, policy=Learned())
    assert bot_named("learned:2") == Named("learned:2", bot)
    assert pickle.loads(pickle.dumps(bot)) == bot
    state = first_play(presets.microsoft(), 3)
    seen = view(state, min(to_act(state)))
    assert bot(seen, RandomStream(5)) == bot(seen, RandomStream(5))
    assert bot(seen, RandomStream(5)) in legal_moves(seen)
    rules = OTHERS["compulsory cards"]
    with caplog.at_level(logging.INFO):
        bot.begin(rules, 0)
    assert len(caplog.records) == 1
    state = first_play(rules, 1)
    seen = view(state, min(to_act(state)))
    assert bot(seen, RandomStream(5)) == Sampling(2)(seen, RandomStream(5))


def test_it_is_found_by_name_and_can_be_pickled_and_compared() -> None:
    bot = bot_named("Learned").bot
    assert bot == Learned() == pickle.loads(pickle.dumps(bot))
    assert repr(bot) == "Learned()"
    assert policy_named(" Learned ") == bot
    kinds = {name: type(policy_named(name)) for name in ("watchful", "uniform")}
    assert kinds == {"watchful": Watchful, "uniform": Policy}
    with pytest.raises(ValueError, match="there is no policy 'learnedd': did you mean learned"):
        policy_named("learnedd")


def test_its_weights_take_at_most_two_megabytes() -> None:
    assert len(files("heartsrules.bots").joinpath("weights.npz").read_bytes()) < 2_000_000


def test_it_needs_no_random_bits() -> None:
    start = new_game(presets.microsoft())
    seen = view(apply(start, deal(start, seed=9)), 3)
    assert len({Learned()(seen, RandomStream(seed)) for seed in range(5)}) == 1
    assert Learned()(seen, RandomStream(1)) in legal_moves(seen)


@pytest.mark.untraced
def test_it_is_better_than_chance() -> None:
    assert tournament(presets.microsoft(), Learned(), uniform, tables=10, seed=1, deals=1).margin.low > 0


@pytest.mark.parametrize(
    "rules",
    [TINY, attrs.evolve(TINY, teams=2), attrs.evolve(TINY, teams=2, moon_scope=MoonScope.TEAM), presets.omnibus(3)],
    ids=["alone", "partners", "team", "three players"],
)
def test_a_training_knows_the_piles_and_the_moon_of_a_deal(rules: Rules) -> None:
    env = HeartsVectorEnv(1, rules, max_deals=1)
    shooters = set()
    for seed in range(30 if rules.players == 4 else 2):
        words, _ = env.reset(seed=seed)
        start = new_game(rules)
        state: State = apply(start, deal(start, rng=RandomStream(seed)))
        seat, before = -1, words
        actions: tuple[int, ...] = (0,)
        while not state.score_sheet:
            seat = int(env.seats[0])
            move = uniform(view(state, seat), Random(repr(state)))
            actions = actions_for(move)
            state = apply(state, move)
            for action in actions:
                before = words
                words, *_ = env.step([action])
        assert isinstance(state, AwaitingDeal)
        assert state.last_deal is not None
        piles = LEARN.last_piles(rules, before, np.array(actions[-1:]))
        captured = np.roll(piles, seat, axis=1)
        assert captured[0].tolist() == [pile.lo for pile in state.last_deal.captured]
        shooter, sides = state.score_sheet[0].shooter, len(rules.sides)
        shot = [shooter is not None and shooter % sides == each % sides for each in range(rules.players)]
        assert LEARN.moons_of(rules, captured)[0].tolist() == shot
        shooters.add(shooter)
    assert len(shooters) > 2 or rules.players == 3, "there are moons and deals without one"


def test_what_is_imitated_does_not_depend_on_how_much_a_games_values_differ(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(LEARN, "GAMES", {"tiny": TINY})
    monkeypatch.setattr(LEARN, "HIDDEN", (8, 6))
    taught = LEARN.joined_positions([LEARN.teach(TINY, seed, 2) for seed in range(8)])
    known = taught.plays[:, None] & (taught.values > LEARN.UNKNOWN)
    values = np.where(known, np.round(taught.values * 64) / 64, taught.values)
    weights = []
    for factor in (1.0, 0.25):
        library = LEARN.Library(tmp_path)
        library.parts["tiny"] = [taught._replace(values=np.where(known, values * factor, values))]
        run = LEARN.Run.begin(2)
        LEARN.imitation_step(run, library, {"tiny": 1.0}, 1e-2, size=64)
        weights.append(run.weights)
    for name, array in weights[0].items():
        np.testing.assert_allclose(array, weights[1][name], atol=1e-4)
    start = new_game(TINY)
    seen = view(apply(start, deal(start, seed=2)), 0)
    moves = TEACHING.candidates(seen, RandomStream(1))
    numbers = np.random.default_rng(3).random(len(moves))
    found = [TEACHING.decisions(seen, moves, numbers * factor, np.random.default_rng(4)) for factor in (1.0, 0.01)]
    for (words, one, _), (other_words, other, _) in zip(*found, strict=True):
        assert (words == other_words).all()
        np.testing.assert_allclose(one, other, atol=1e-5)


def test_a_training_goes_on_from_its_checkpoint(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # Four times the same game, and small layers.
    monkeypatch.setattr(LEARN, "GAMES", dict.fromkeys("abcd", TINY))
    for name, value in {"HIDDEN": (8, 6), "CRITIC_HIDDEN": (8, 6), "WORLDS": 2, "CRITIC_FIRST": 1}.items():
        monkeypatch.setattr(LEARN, name, value)
    run = LEARN.Run.begin(1)
    playing: dict[str, Any] = {"sharper": 2.0, "processes": 1, "tables": 16, "rate": 1e-3, "usual": 0.5}
    for phase in range(4):
        if phase < 2:
            LEARN.imitate(run, "abcd", 1e-6, tmp_path, usual=0.5, rate=1e-3, games=1)
        else:
            run = LEARN.self_play(run, "abcd", 0.2 / 3600, tmp_path, **playing)
        again = LEARN.Run.load(tmp_path)
        assert (again.deals, again.rounds, again.curve) == (run.deals, run.rounds, run.curve)
        assert again.rng.random() == run.rng.random()
        for name, array in run.weights.items():
            assert (again.weights[name] == array).all()
        run = again
    assert run.rounds > 1
    taught = [figures for figures in run.curve if "positions" in figures]
    assert len(taught) > 1
    assert taught[0]["positions"] < taught[-1]["positions"]
    LEARN.write(run.network(), tmp_path / "weights.npz")
    with np.load(tmp_path / "weights.npz") as arrays:
        assert all(np.isfinite(array).all() for array in arrays.values())


def words_along(rules: Rules) -> Any:
    """Rows of words of random games."""
    env = HeartsVectorEnv(8, rules)
    rows = [env.reset(seed=1)[0], *[env.step(env.draw())[0] for _ in range(100)]]
    return np.concatenate(rows[::4])


PLAYED = [presets.microsoft(), presets.omnibus(5), presets.gong_zhu(4), presets.leekha()]
"""Rules that both networks play."""


@pytest.mark.parametrize("rules", PLAYED, ids=str)
def test_the_weights_by_the_names_of_pytorch(rules: Rules) -> None:
    words = words_along(rules)
    weights = Learned().state_dict(rules)
    seen = Learned().inputs(rules, words)
    assert {array.dtype for array in (seen, *weights.values())} == {np.dtype(np.float32)}
    for layer in (0, 2, 4):
        seen = seen @ weights[f"{layer}.weight"].T + weights[f"{layer}.bias"]
        seen = seen if layer == 4 else np.maximum(seen, 0)
    expected = shipped().preferences(rules, words)
    legal = np.isfinite(expected)
    np.testing.assert_allclose(seen[legal], expected[legal], atol=1e-3)
    weights["4.bias"][:] = 0
    assert Learned().state_dict(rules)["4.bias"].any()


@pytest.mark.parametrize("rules", PLAYED, ids=str)
def test_the_program_of_the_page_makes_the_network_in_pytorch(rules: Rules) -> None:
    torch = pytest.importorskip("torch")
    page = Path(__file__).parents[2] / "docs" / "how-to" / "train-an-agent.md"
    (program,) = re.findall(r"```python\n(from heartsrules.bots import Learned\n.*?)```", page.read_text(), re.DOTALL)
    names: dict[str, Any] = {"unpack_masks": unpack_masks}
    exec(program, names)
    net = names["learned_network"](rules)
    words = words_along(rules)
    expected = shipped().preferences(rules, words)
    legal = np.isfinite(expected)
    with torch.no_grad():
        found = net(torch.from_numpy(Learned().inputs(rules, words))).numpy()
    np.testing.assert_allclose(found[legal], expected[legal], atol=1e-3)
    actions = names["learned_actions"](net, rules, words)
    some = legal.any(axis=1)
    assert legal[np.arange(len(words)), actions][some].all()
    assert (actions == expected.argmax(axis=1))[some].mean() > 0.99


def test_weights_and_inputs_that_there_are_not() -> None:
    for call in (Learned().state_dict, lambda rules: Learned().inputs(rules, np.zeros((1, 26), np.int64))):
        with pytest.raises(ValueError, match="the network does not play by these rules: ask covers first"):
            call(presets.black_maria(3))
    with pytest.raises(TypeError, match="words must be an array of int64, not "):
        Learned().inputs(Rules(), [[1]])
    with pytest.raises(ValueError, match=r"words have the shape \(1, 27\): give rows of 26 words"):
        Learned().inputs(Rules(), np.zeros((1, 27), np.int64))
