"""Simulated games: what is counted, that it is counted right, and that runs can be split and repeated."""

from __future__ import annotations

import math
import random
import statistics
import tracemalloc
from collections.abc import Sequence
from typing import Any

import attrs
import pytest

from heartsrules import (
    AwaitingDeal,
    Card,
    Cards,
    ChooseMoon,
    ChoosingMoon,
    DealScore,
    GameOver,
    IllegalMove,
    Move,
    Pass,
    Passing,
    Phase,
    Play,
    PlayedDeal,
    Playing,
    Rules,
    State,
    View,
    apply,
    deal,
    legal_moves,
    new_game,
    presets,
    to_act,
)
from heartsrules.analysis.policies import Policy, Watchful
from heartsrules.bots import Bot, heuristic, uniform
from heartsrules.chance import Bits, RandomStream
from heartsrules.play.dealing import chance_to_act
from heartsrules.play.legality import CardChoice
from heartsrules.rules import (
    HOLD,
    Bonus,
    BonusFloor,
    Doubler,
    HeartsLead,
    HeartValues,
    Kitty,
    Moon,
    MoonCards,
    OpeningCard,
    OpeningLeader,
    PassOptional,
    Tie,
    VoidLastTrick,
    left,
)
from heartsrules.simulation import play_match
from heartsrules.simulation.executors import Chunked, Processes, ThisProcess
from heartsrules.simulation.many_games import simulate
from heartsrules.simulation.statistics import Distribution, Moments, Statistics, wilson_interval

pytestmark = pytest.mark.once_compiled

SHORT = Rules(target=30)
ONE_DEAL = Rules(target=None, max_deals=1, tie=Tie.SHARED)
LONE_QUEEN = Rules(heart_values=(0,) * 13, moon=Moon.SHOOTER_DOWN, queen_points=13, target=13)


# Moments


@pytest.mark.parametrize("numbers", [[1, 2], [5, 5, 5], [-7, 3, 0, 12, 12], [10**30, -(10**30), 1]])
def test_moments_agree_with_the_statistics_module(numbers: list[int]) -> None:
    moments = Moments.of(numbers)
    assert moments.count == len(numbers)
    assert moments.mean == pytest.approx(statistics.mean(numbers))
    assert moments.variance == pytest.approx(statistics.variance(numbers))
    assert moments.standard_error == pytest.approx(statistics.stdev(numbers) / math.sqrt(len(numbers)))
    assert (moments.lowest, moments.highest) == (min(numbers), max(numbers))


def test_moments_of_too_few_numbers_are_nan() -> None:
    assert math.isnan(Moments().mean)
    assert math.isnan(Moments().variance)
    assert math.isnan(Moments().standard_error)
    assert Moments.of([4]).mean == 4
    assert math.isnan(Moments.of([4]).variance)
    assert math.isnan(Moments.of([4]).standard_error)


def test_moments_add_up_in_any_order_and_grouping() -> None:
    one, two, three = Moments.of([3, -1]), Moments.of([8]), Moments.of([])
    whole = Moments.of([3, -1, 8])
    assert one + two + three == whole == three + (two + one)
    assert one + Moments() == one
    with pytest.raises(TypeError):
        _ = one + 1  # type: ignore[operator]


# Distributions and intervals


def test_distributions_agree_with_the_statistics_module() -> None:
    numbers = [5, -3, 0, 0, 26, 5, 5, 13]
    got = Distribution.of(numbers)
    assert got.counts == ((-3, 1), (0, 2), (5, 3), (13, 1), (26, 1))
    assert got.count == 8
    assert got.moments == Moments.of(numbers)
    assert got.share(0, 5) == 5 / 8
    assert [got.quantile(share) for share in (0, 0.25, 0.375, 0.376, 0.5, 1)] == [-3, 0, 0, 5, 5, 26]
    assert got + Distribution.of([5, 7]) == Distribution.of([*numbers, 7, 5])
    with pytest.raises(TypeError):
        _ = got + 1  # type: ignore[operator]
    with pytest.raises(ValueError, match=r"share is 1.5: choose 0 to 1"):
        got.quantile(1.5)


def test_a_distribution_of_nothing() -> None:
    nothing = Distribution()
    assert nothing == Distribution.of([])
    assert (nothing.count, nothing.moments, nothing.quantile(0.5)) == (0, Moments(), None)
    assert math.isnan(nothing.share(0, 9))
    assert nothing + Distribution.of([1]) == Distribution.of([1])


def test_intervals_are_those_of_the_textbook() -> None:
    # Wilson's interval of 10 of 100, and that of a mean of 4 with a standard error of 1.
    assert wilson_interval(10, 100) == pytest.approx((0.05522914, 0.17436566), abs=1e-8)
    assert wilson_interval(0, 10)[0] == pytest.approx(0.0)
    assert wilson_interval(10, 10)[1] == pytest.approx(1.0)
    assert all(map(math.isnan, wilson_interval(0, 0)))
    series = Moments.of([2, 4, 4, 6, 3, 5])
    assert series.interval == pytest.approx(
        (4 - 1.959964 * series.standard_error, 4 + 1.959964 * series.standard_error)
    )
    assert all(map(math.isnan, Moments.of([1]).interval))


def test_the_share_of_wins_that_is_fair() -> None:
    # All hearts and no queen count nothing but the A♥: three of four share the first place, for certain.
    rules = Rules(
        heart_values=(0,) * 12 + (1,), queen_points=0, moon=Moon.OFF, target=None, max_deals=1, tie=Tie.SHARED
    )
    got = simulate(rules, 50, seed=1)
    assert got.fair_win_rate == 0.75
    assert got.win_intervals == tuple(wilson_interval(wins, 50) for wins in got.wins)
    assert math.isnan(simulate(rules, 0, seed=1).fair_win_rate)


# Splitting and repeating


def test_equal_arguments_give_equal_statistics() -> None:
    assert simulate(SHORT, 3, seed="a") == simulate(SHORT, 3, seed="a")
    assert simulate(SHORT, 3, seed=12) == simulate(SHORT, 3, seed="12")
    assert simulate(SHORT, 3, seed="a") != simulate(SHORT, 3, seed="b")


def test_the_global_generator_is_neither_used_nor_disturbed() -> None:
    random.seed(1)
    before = random.getstate()
    first = simulate(SHORT, 2, seed=3)
    assert random.getstate() == before
    random.seed(2)
    assert simulate(SHORT, 2, seed=3) == first


@pytest.mark.parametrize(
    "rules",
    [
        SHORT,
        presets.pagat_cancellation(6),
        presets.cardzmania(4, pass_optional=PassOptional.SKIP, kitty=Kitty.FIRST_POINT, teams=2),
        LONE_QUEEN,
    ],
    ids=["short", "cancellation", "kitty", "lone queen"],
)
def test_parts_of_a_run_add_up_to_the_whole(rules: Rules) -> None:
    def part(first: int, games: int) -> Statistics:
        return simulate(rules, games, seed=5, first_game=first, max_deals=6)

    whole = part(0, 5)
    assert part(0, 2) + (part(2, 0) + part(2, 3)) == whole
    assert part(4, 1) + part(1, 3) + part(0, 1) == whole
    assert whole.games == 5


def test_statistics_of_different_rules_do_not_add_up() -> None:
    with pytest.raises(ValueError, match="different rule sets"):
        _ = simulate(SHORT, 1, seed=1) + simulate(ONE_DEAL, 1, seed=1)
    with pytest.raises(TypeError):
        _ = simulate(SHORT, 1, seed=1) + 1  # type: ignore[operator]


def test_games_are_dealt_with_the_seed_and_their_number() -> None:
    seen: list[tuple[int, ...]] = []
    for game in (0, 1):
        state = apply(new_game(ONE_DEAL), deal(new_game(ONE_DEAL), rng=RandomStream(f"s/{game}")))
        assert isinstance(state, Passing)
        seen.append(tuple(hand.lo for hand in state.hands))
    assert seen[0] != seen[1]
    # A pass leaves one card: the number of legal passes of a seat is then the number of its faces.
    two_decks = attrs.evolve(ONE_DEAL, decks=2, pass_cycle=(((1, 25),),))
    start = new_game(two_decks)
    dealt = deal(start, rng=RandomStream("s/1")).hands
    state = apply(start, deal(start, rng=RandomStream("s/1")))
    passes = [len(legal_moves(state, seat)) for seat in range(4)]
    assert passes == [len(hand.distinct()) for hand in dealt]
    assert simulate(two_decks, 1, seed="s", first_game=1).passes == Moments.of(passes)


# Every figure against a plain recount


class Recount:
    """The figures of games that a naive loop plays with the same decisions, from lists that keep everything."""

    def __init__(self, rules: Rules, seed: str, games: int, max_deals: int, *, first: bool = False) -> None:
        self.first = first
        """Whether everybody makes the first of the legal moves, and no random one."""
        self.legal_cards: list[tuple[int, int, int]] = []
        """(trick, place in the trick, legal cards) of each play."""
        self.by_deal: list[list[int]] = []
        """The legal cards of each play, by deal."""
        self.legal_passes: list[int] = []
        self.declined = 0
        self.choices_of_moon = 0
        self.finals: list[GameOver] = []
        self.unfinished = 0
        self.rows: list[DealScore] = []
        self.deals_played: list[PlayedDeal] = []
        self.dealers: list[int] = []
        for game in range(games):
            self._play(rules, f"{seed}/{game}", max_deals)

    def _play(self, rules: Rules, seed: str, max_deals: int) -> None:
        stream = RandomStream(seed)
        state: State = new_game(rules)
        for _ in range(max_deals):
            if isinstance(state, AwaitingDeal):
                state = self._play_deal(apply(state, deal(state, rng=stream)), stream)
        if isinstance(state, GameOver):
            self.finals.append(state)
        else:
            self.unfinished += 1

    def _play_deal(self, state: State, stream: RandomStream) -> State:
        counts: list[int] = []
        self.dealers.append(state.dealer)
        while not isinstance(state, (AwaitingDeal, GameOver)):
            if chance_to_act(state):
                state = apply(state, deal(state, rng=stream))
                continue
            moves = legal_moves(state, min(to_act(state)))
            if isinstance(state, Playing):
                self.legal_cards.append((state.trick_number, len(state.trick), len(moves)))
                counts.append(len(moves))
                state = apply(state, moves[0 if self.first else stream.below(len(moves))])
                continue
            move = moves[0 if self.first else stream.below(len(moves))]
            if isinstance(move, Pass):
                self.legal_passes.append(len(moves))
                self.declined += not move.cards
            else:
                self.choices_of_moon += 1
            state = apply(state, move)
        self.by_deal.append(counts)
        self.rows.append(state.score_sheet[-1])
        assert state.last_deal is not None
        self.deals_played.append(state.last_deal)
        return state


RECOUNTED = {
    "default": Rules(target=40),
    "choice": attrs.evolve(presets.pagat(), heart_values=(0,) * 12 + (1,), queen_points=0, target=5),
    "cancellation": attrs.evolve(presets.dicegamedepot_cancellation(7), target=40),
    "kitty": presets.catsatcards(5, target=30),
    "optional": presets.cardzmania(4, pass_optional=PassOptional.SKIP, target=35, pass_cycle=(left(1),)),
    "teams": attrs.evolve(presets.partner_hearts(), target=40),
    "first heart": Rules(
        players=3,
        kitty=Kitty.FIRST_HEART,
        hand_size=2,
        opening_leader=OpeningLeader.DEALER_LEFT,
        opening_card=OpeningCard.ANY,
        pass_cycle=(HOLD,),
        moon=Moon.OFF,
        target=10,
    ),
    "lone queen": LONE_QUEEN,
}


class First(Policy):
    """Everybody makes the first of the legal moves."""

    def choose_card(self, choice: CardChoice, stream: RandomStream) -> Card:  # noqa: ARG002
        return next(iter(choice.legal))

    def choose_pass(self, passes: Sequence[Pass], stream: RandomStream) -> Pass:  # noqa: ARG002
        return passes[0]

    def choose_moon(
        self,
        state: ChoosingMoon,  # noqa: ARG002
        choices: tuple[ChooseMoon, ...],
        stream: RandomStream,  # noqa: ARG002
    ) -> ChooseMoon:
        return choices[0]


@pytest.mark.sampled(4)
@pytest.mark.parametrize("policy", [None, First()], ids=["uniform", "first"])
@pytest.mark.parametrize("rules", RECOUNTED.values(), ids=RECOUNTED.keys())
def test_every_figure_agrees_with_a_recount(rules: Rules, policy: Policy | None) -> None:
    games, max_deals = 12, 20
    got = simulate(rules, games, seed="r", max_deals=max_deals, players=policy)
    told = Recount(rules, "r", games, max_deals, first=policy is not None)
    cards = [count for _, _, count in told.legal_cards]
    tricks = range(rules.cards_per_hand)

    assert got.games == games
    assert got.unfinished == told.unfinished
    assert got.finished == games - told.unfinished
    assert got.deals == len(told.by_deal)
    assert got.deals_per_game == Moments.of(len(final.score_sheet) for final in told.finals)
    assert got.totals == tuple(Moments.of(final.scores[seat] for final in told.finals) for seat in range(rules.players))
    assert got.wins == tuple(sum(seat in final.winners for final in told.finals) for seat in range(rules.players))

    assert got.plays == len(cards) == got.deals * rules.players * rules.cards_per_hand
    assert got.choices == tuple(cards.count(number) for number in range(rules.cards_per_hand + 1))
    assert got.mean_choices == pytest.approx(statistics.mean(cards))
    assert got.most_choices == max(cards)
    assert got.choices_per_deal == Moments.of(sum(counts) for counts in told.by_deal)
    assert got.forced_per_deal == Moments.of(counts.count(1) for counts in told.by_deal)
    for trick in tricks:
        lead = [count for number, place, count in told.legal_cards if number == trick and place == 0]
        others = [count for number, place, count in told.legal_cards if number == trick and place > 0]
        assert got.leader_choices[trick] == Moments.of(lead)
        assert got.follower_choices[trick].count == got.deals
        assert got.mean_choices_by_trick[trick] == pytest.approx((statistics.mean(lead), statistics.mean(others)))

    assert got.choices_by_decision == tuple(
        tuple([counts[decision] for counts in told.by_deal].count(number) for number in range(rules.cards_per_hand + 1))
        for decision in range(rules.players * rules.cards_per_hand)
    )
    assert got.branching == tuple(map(Moments.of, zip(*told.by_deal, strict=True)))
    for position in range(rules.players):
        points = [
            row.points[(dealer + position) % rules.players] for row, dealer in zip(told.rows, told.dealers, strict=True)
        ]
        assert got.points_by_position[position] == Moments.of(points)
    assert got.deal_points == Distribution.of(points for row in told.rows for points in row.points)
    assert got.final_totals == Distribution.of(total for final in told.finals for total in final.scores)
    assert got.final_totals.moments == sum(got.totals, Moments())

    assert got.passes == Moments.of(told.legal_passes)
    assert got.declined == told.declined
    assert got.moon_choices == told.choices_of_moon
    assert got.decisions == len(cards) + len(told.legal_passes) + told.choices_of_moon

    assert got.moons == sum(row.shooter is not None for row in told.rows)
    assert got.suns == sum(row.sun for row in told.rows)
    assert got.tricks == sum(len(played.tricks) for played in told.deals_played)
    assert got.void_tricks == sum(trick.winner is None for played in told.deals_played for trick in played.tricks)
    assert got.unclaimed == sum(len(played.set_aside) > 0 for played in told.deals_played)
    assert got.kitties == (got.deals if rules.kitty_size else 0)
    assert got.kitties_taken == sum(
        played.kitty_winner is not None and len(played.kitty) > 0 for played in told.deals_played
    )


class Spy:
    """A bot that plays at random and keeps how many legal moves it had."""

    def __init__(self) -> None:
        self.had: dict[Phase, list[int]] = {phase: [] for phase in Phase}
        self.declined = 0

    def __call__(self, view: View, rng: Bits, /) -> Move:
        move = uniform(view, rng)
        self.had[view.phase].append(len(legal_moves(view)))
        self.declined += isinstance(move, Pass) and not move.cards
        return move


@pytest.mark.parametrize(
    "rules",
    [*[RECOUNTED[name] for name in ("choice", "cancellation", "kitty", "optional", "teams")], presets.gong_zhu(5)],
    ids=["choice", "cancellation", "kitty", "optional", "teams", "exposures"],
)
def test_games_of_bots_are_matches_and_every_choice_is_counted(rules: Rules) -> None:
    spy = Spy()
    ends = [play_match(rules, [spy] * rules.players, seed=f"b/{game}", deals=15) for game in range(4)]
    got = simulate(rules, 4, seed="b", max_deals=15, players=[uniform] * rules.players)
    finals = [end for end in ends if isinstance(end, GameOver)]
    assert (got.games, got.finished, got.deals) == (4, len(finals), sum(len(end.score_sheet) for end in ends))
    assert got.totals == tuple(Moments.of(end.scores[seat] for end in finals) for seat in range(rules.players))
    assert got.wins == tuple(sum(seat in end.winners for end in finals) for seat in range(rules.players))
    assert got.final_totals == Distribution.of(total for end in finals for total in end.scores)
    assert got.deal_points == Distribution.of(
        points for end in ends for row in end.score_sheet for points in row.points
    )
    assert got.passes == Moments.of(spy.had[Phase.PASS])
    assert got.exposures == Moments.of(spy.had[Phase.EXPOSE])
    assert got.declined == spy.declined
    assert got.moon_choices == len(spy.had[Phase.MOON])
    plays = spy.had[Phase.PLAY]
    size = rules.players * rules.cards_per_hand
    assert got.branching == tuple([Moments.of(plays[decision::size]) for decision in range(size)])
    assert got.decisions == sum(map(len, spy.had.values()))


def test_each_bot_plays_at_its_own_seat() -> None:
    rules = attrs.evolve(ONE_DEAL, players=3, removed="2D", pass_cycle=(HOLD,))
    asked: list[int] = []

    def bot(seat: int) -> Bot:
        def choose(view: View, rng: Bits, /) -> Move:
            assert view.seat == seat
            asked.append(seat)
            return uniform(view, rng)

        return choose

    simulate(rules, 1, seed=1, players=[bot(seat) for seat in range(3)])
    assert sorted(asked) == [0] * 17 + [1] * 17 + [2] * 17


@pytest.mark.long
def test_runs_of_policies_and_of_bots_can_be_split_and_shared_out() -> None:
    kinds: list[dict[str, Any]] = [{"players": Watchful()}, {"players": [heuristic, uniform] * 2}]
    for who in kinds:
        whole = simulate(SHORT, 5, seed="s", **who)
        assert whole != simulate(SHORT, 5, seed="s")
        assert whole == simulate(SHORT, 2, seed="s", **who) + simulate(SHORT, 3, seed="s", first_game=2, **who)
        with Processes(2) as executor:
            assert simulate(SHORT, 5, seed="s", executor=Chunked(executor, chunk=1), **who) == whole


def test_an_illegal_choice_ends_the_run() -> None:
    class Highest(First):
        def choose_card(self, choice: CardChoice, stream: RandomStream) -> Card:  # noqa: ARG002
            return list(choice.hand)[-1]

    with pytest.raises(IllegalMove):
        simulate(SHORT, 5, seed=1, players=Highest())

    def nobody(view: View, _: Bits, /) -> Move:
        return Play(view.seat or 0, Card("2C"))

    with pytest.raises(IllegalMove):
        simulate(attrs.evolve(SHORT, pass_cycle=(HOLD,)), 5, seed=1, players=[nobody] * 4)


def test_the_recounted_games_reach_what_is_counted() -> None:
    got = {name: simulate(rules, 12, seed="r", max_deals=20) for name, rules in RECOUNTED.items()}
    assert got["choice"].moon_choices > 0
    assert got["choice"].moons > 0
    assert got["cancellation"].void_tricks > 0
    assert got["kitty"].kitties_taken == got["kitty"].deals
    assert 0 < got["first heart"].kitties_taken < got["first heart"].kitties
    assert 0 < got["optional"].declined < got["optional"].passes.count
    assert got["lone queen"].unfinished == 12
    assert got["default"].unfinished == 0


# Single figures whose value is known beforehand


def test_a_match_that_cannot_end_is_stopped_and_counted() -> None:
    got = simulate(LONE_QUEEN, 2, seed=1, max_deals=15)
    assert (got.unfinished, got.finished, got.deals, got.moons) == (2, 0, 30, 30)
    assert got.deals_per_game == Moments()
    assert got.totals == (Moments(),) * 4
    assert got.wins == (0,) * 4
    assert simulate(Rules(target=100), 2, seed=1, max_deals=1).unfinished == 2


def test_shared_ties_count_once_a_game() -> None:
    # All hearts and no queen count nothing but the A♥: three of four share the first place, for certain.
    rules = Rules(
        heart_values=(0,) * 12 + (1,), queen_points=0, moon=Moon.OFF, target=None, max_deals=1, tie=Tie.SHARED
    )
    got = simulate(rules, 5, seed=1)
    assert (got.tied_games, got.tie_rate, got.extra_deals, sum(got.wins)) == (5, 1.0, 0, 15)


def test_extra_deals_count_each_and_tied_games_once() -> None:
    rules = Rules(heart_values=(0,) * 12 + (1,), queen_points=0, moon=Moon.OFF, target=None, max_deals=1)
    got = simulate(rules, 8, seed=1, max_deals=200)
    # With a target of one deal, every deal but the first is an extra one.
    assert got.tied_games == 8
    assert got.extra_deals == got.deals - 8 > 8
    assert sum(got.wins) == got.finished == 8
    stopped = simulate(rules, 8, seed=1, max_deals=1)
    assert (stopped.tied_games, stopped.extra_deals, stopped.unfinished) == (8, 0, 8)


def test_a_team_that_wins_alone_is_no_tie() -> None:
    rules = attrs.evolve(presets.partner_hearts(), target=None, max_deals=1, tie=Tie.SHARED, moon=Moon.OFF)
    got = simulate(rules, 20, seed=1)
    assert got.tied_games < 20
    assert got.wins[0] == got.wins[2]
    assert got.wins[1] == got.wins[3]
    assert sum(got.wins) == 2 * (20 + got.tied_games)


def test_one_card_each_is_forced_and_may_be_a_sun() -> None:
    rules = Rules(
        removed=Cards(tuple(card for card in Rules().deck if str(card) not in ("2C", "3C", "4C", "QS"))),
        target=None,
        max_deals=1,
        tie=Tie.SHARED,
        pass_cycle=(HOLD,),
        sun=True,
    )
    got = simulate(rules, 6, seed=1)
    assert got.choices == (0, 24)
    assert (got.forced_per_deal.mean, got.mean_choices, got.most_choices) == (4.0, 1.0, 1)
    assert (got.moons, got.moon_rate, got.suns, got.sun_rate) == (6, 1.0, 6, 1.0)


def test_cards_that_nobody_wins_are_counted() -> None:
    # Two copies each of three clubs, dealt to six players: every trick is void.
    rules = Rules(
        players=6,
        decks=2,
        removed=Cards([card for card in Rules().deck if str(card) not in ("2C", "3C", "4C")] * 2),
        moon=Moon.OFF,
        target=None,
        max_deals=1,
        tie=Tie.SHARED,
        pass_cycle=(HOLD,),
    )
    got = simulate(rules, 3, seed=1)
    assert (got.void_tricks, got.tricks, got.unclaimed, got.tied_games) == (3, 3, 3, 3)
    leader = simulate(attrs.evolve(rules, void_last_trick=VoidLastTrick.LEADER), 3, seed=1)
    assert (leader.void_tricks, leader.unclaimed) == (0, 0)


def test_passes_are_counted_and_indexed_without_being_listed() -> None:
    # Without pairs, a seat has 20!/(5!5!5!5!) = 11,732,745,024 ways to give three times five of its twenty cards.
    rules = Rules(players=5, decks=2, removed="2C 2D 2S 2H", pass_cycle=(((1, 5), (-1, 5), (2, 5)),), max_deals=1)
    tracemalloc.start()
    try:
        got = simulate(rules, 1, seed=1, max_deals=1)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert got.passes.count == 5
    assert got.passes.highest is not None
    assert got.passes.highest > 10**8
    assert peak < 50_000_000


@pytest.mark.long
@pytest.mark.untraced
def test_memory_does_not_grow_with_the_number_of_games() -> None:
    def peak(games: int) -> int:
        tracemalloc.start()
        try:
            simulate(ONE_DEAL, games, seed=1, executor=one)
            return tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()

    # Every game is a chunk: then equally many are in hand at any time.
    one = Chunked(ThisProcess(), chunk=1)
    peak(300)  # fills the tables of the rules, which are kept
    # What would be kept of a game is 10,000 bytes of statistics, or several times as much of states.
    assert peak(600) < peak(300) + 250_000


def test_no_games_are_the_zero_of_addition() -> None:
    nothing = simulate(SHORT, 0, seed=1)
    assert nothing.games == nothing.deals == nothing.plays == nothing.decisions == nothing.most_choices == 0
    for rate in (nothing.mean_choices, nothing.moon_rate, nothing.sun_rate, nothing.tie_rate):
        assert math.isnan(rate)
    some = simulate(SHORT, 2, seed=1)
    assert nothing + some == some


def test_every_preset_plays_to_the_end() -> None:
    for preset in presets.ALL.values():
        for players in preset.players:
            got = simulate(preset(players), 1, seed=preset.name)
            assert (got.games, got.unfinished) == (1, 0), (preset.name, players)
            assert sum(got.wins) >= 1


def test_odd_corners_play_too() -> None:
    rules = Rules(
        players=11,
        decks=2,
        kitty=Kitty.LAST_TRICK,
        heart_values=HeartValues.FACE,
        bonuses=[Bonus(Card("JD"), 40), Bonus(Card("TC"), 7)],
        bonus_floor=BonusFloor.DEAL,
        hearts_lead=HeartsLead.ANY_TIME,
        target=60,
    )
    got = simulate(rules, 2, seed=1)
    assert got.kitties_taken == got.deals - got.unclaimed


def test_a_doubler_and_a_bonus_target_play_too() -> None:
    rules = Rules(
        opening_leader=OpeningLeader.QUEEN_TAKER,
        opening_card=OpeningCard.UNRESTRICTED,
        bonuses=[Bonus(Card("JD"), 30)],
        doubler=Doubler(Card("TC"), 3, 20),
        moon_cards=MoonCards.HEARTS,
        target=None,
        max_deals=400,
        bonus_target=60,
        tie=Tie.SHARED,
    )
    got = simulate(rules, 30, seed=1)
    assert got.unfinished == 0
    # Every game ends long before the last deal, when somebody is 60 below 0.
    assert got.deals_per_game.highest is not None
    assert got.deals_per_game.highest < 200
    assert all(moments.lowest is not None for moments in got.totals)
    assert got.final_totals.counts[0][0] <= -60
    assert got.deal_points.counts[0][0] <= -90


# Progress and bad input


def test_progress_is_told_after_each_game() -> None:
    told: list[int] = []
    simulate(ONE_DEAL, 3, seed=1, first_game=7, progress=told.append)
    assert told == [1, 2, 3]


def test_an_interruption_passes_through() -> None:
    def interrupt(_: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        simulate(ONE_DEAL, 3, seed=1, progress=interrupt)


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"games": "3"}, TypeError, "games must be an int, not a str"),
        ({"games": True}, TypeError, "games must be an int, not a bool"),
        ({"games": -1}, ValueError, "games is -1: choose 0 or more"),
        ({"seed": 1.5}, TypeError, "seed must be a str or an int, not a float"),
        ({"seed": True}, TypeError, "seed must be a str or an int, not a bool"),
        ({"seed": None}, TypeError, "seed must be a str or an int, not None"),
        ({"seed": 10**600}, ValueError, "seed is a number of about 601 digits: give at most 600 digits"),
        ({"seed": 10**5000, "games": 1}, ValueError, "seed is a number of about 5001 digits"),
        ({"seed": "\ud800"}, ValueError, "seed holds a lone surrogate at index 0"),
        ({"max_deals": 0}, ValueError, "max_deals is 0: choose 1 or more"),
        ({"max_deals": None}, TypeError, "max_deals must be an int, not None"),
        ({"first_game": -1}, ValueError, "first_game is -1: choose 0 or more"),
        ({"players": [uniform] * 3}, ValueError, "4 players need 4 bots, not 3"),
    ],
)
def test_bad_arguments_are_named(arguments: dict[str, Any], error: type[Exception], message: str) -> None:
    good: dict[str, Any] = {"rules": SHORT, "games": 0, "seed": 1}
    with pytest.raises(error, match=message):
        simulate(**{**good, **arguments})


@pytest.mark.parametrize("name", ["games", "first_game"])
@pytest.mark.parametrize("number", [10**15 + 1, 2**63, 10**5000], ids=range(3))
def test_a_number_of_games_that_nobody_can_play(name: str, number: int) -> None:
    with pytest.raises(ValueError, match=f"^{name} is .*: choose 1,000,000,000,000,000 or less$"):
        simulate(Rules(), **{"games": 1, "seed": 1, name: number})  # type: ignore[arg-type]


@pytest.mark.parametrize("name", ["games", "first_game", "max_deals"])
def test_a_number_far_below_the_least(name: str) -> None:
    with pytest.raises(ValueError, match=f"^{name} is a number of about 5001 digits: choose "):
        simulate(Rules(), **{"games": 1, "seed": 1, name: -(10**5000)})  # type: ignore[arg-type]


def test_a_limit_on_deals_may_be_any_number() -> None:
    assert simulate(ONE_DEAL, 1, seed=1, max_deals=10**5000) == simulate(ONE_DEAL, 1, seed=1)


def test_statistics_of_the_largest_points_are_finite() -> None:
    rules = attrs.evolve(ONE_DEAL, heart_values=(100_000,) * 13, queen_points=100_000, sun=True, moon_points=100_000)
    got = simulate(rules, 20, seed=1)
    assert all(math.isfinite(moments.standard_error) for moments in got.totals)
    assert math.isfinite(got.deal_points.moments.variance)
