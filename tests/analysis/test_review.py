"""Reviews: what decisions cost, told from views alone, in every game; their words; and the script that proves them."""

from __future__ import annotations

import inspect
import json
import math
import re
from collections import Counter
from pathlib import Path
from random import Random
from typing import Any

import attrs
import pytest

from heartsrules import (
    AwaitingDeal,
    Card,
    Cards,
    ChooseMoon,
    Expose,
    GameOver,
    InvalidSeat,
    Pass,
    Passing,
    Play,
    Playing,
    Rules,
    State,
    Suit,
    apply,
    deal,
    legal_moves,
    new_game,
    presets,
    to_act,
    view,
)
from heartsrules.analysis import (
    AssessedMove,
    Cause,
    ComparedMove,
    Difference,
    Quality,
    Reason,
    Review,
    Scale,
    _reasons,
    drills_of,
    explain,
    review,
)
from heartsrules.analysis._assessing import COSTS, cost_of, difference
from heartsrules.analysis._reasons import reasons_of
from heartsrules.analysis._reviewing import BOUNDS, move_data, quality_of, review_move
from heartsrules.analysis.calibration import Correction
from heartsrules.analysis.hand_forecasts import average_points, hand_forecast
from heartsrules.analysis.policies import Policy, Watchful
from heartsrules.analysis.trials import Played, Trials
from heartsrules.bots import Learned, heuristic, uniform
from heartsrules.chance import RandomStream
from heartsrules.formats.notation import parse_position
from heartsrules.formats.wire import to_json
from heartsrules.messages import UnknownLanguage, catalogue
from heartsrules.pictures.reviews import review_html, review_lines, review_page
from heartsrules.play.game import Game, replay_strict
from heartsrules.play.moves import Move
from heartsrules.rules import Moon
from heartsrules.views.worlds import sample_world
from support.benches import bench

pytestmark = pytest.mark.once_compiled

NO_PASS = Rules(pass_cycle=((),))


def played(rules: Rules, seed: str, moves: int, careful: bool = False) -> Game:
    """A game of this many moves after its first deal, or to the end of that deal."""
    rng = Random(seed)
    game = Game.start(rules)
    state: Any = game.state
    game = game.play(deal(state, rng=rng))
    while len(game.moves) <= moves and not isinstance(game.state, AwaitingDeal | GameOver):
        state = game.state
        if not to_act(state):
            game = game.play(deal(state, rng=rng))
            continue
        seen = view(state, min(to_act(state)))
        game = game.play((heuristic if careful else uniform)(seen, rng))
    return game


@pytest.fixture(scope="module")
def usual() -> Review:
    """The review of a deal of the usual game."""
    return review(played(NO_PASS, "usual", 60), worlds=10)


# ------------------------------------------------------------------------------------------------------ what it tells


def test_every_choice_of_every_seat_is_reviewed(usual: Review) -> None:
    game = usual.game
    choices = [
        ply
        for ply, move in enumerate(game.moves)
        if isinstance(move, Play) and len(legal_moves(view(game.at(ply), move.seat))) > 1
    ]
    assert [each.ply for each in usual.decisions] == choices
    for each in usual.decisions:
        state = game.at(each.ply)
        assert isinstance(state, Playing)
        assert (each.move, each.seat, each.trick) == (game.moves[each.ply], state.turn, state.trick_number)
        assert each.best[0] in legal_moves(state)
        assert 0 <= each.win <= 1
        assert {move.move for move in each.moves} >= {each.move, each.best[0]}
        for cost in (each.cost, each.cost_points, each.cost_win):
            assert cost.low <= cost.mean <= cost.high
        if each.quality is Quality.BEST:
            assert each.move in each.best
            assert each.cost == (0, 0, 0)
        # Class, number and interval are of one scale.
        assert (each.shown_cost.low > 0) == (each.quality not in (Quality.BEST, Quality.FINE))
        assert bool(each.reasons) == (each.quality not in (Quality.BEST, Quality.FINE))
    assert sum(usual.count(2).values()) == len([each for each in usual.decisions if each.seat == 2])


def test_a_class_follows_from_the_cost_and_from_what_of_it_is_sure(usual: Review) -> None:
    for each in usual.decisions:
        if each.quality is not Quality.BEST:
            assert (each.quality, each.scale) == quality_of(each.cost, each.cost_points, each.cost_win)
    sure, unsure = Difference(0.5, 0.1, 0.9), Difference(0.5, -0.1, 1.1)
    # Whatever is shown with "fine" is not sure.
    assert quality_of(unsure, sure, unsure) == (Quality.FINE, Scale.WIN)
    assert quality_of(unsure, unsure, sure) == (Quality.FINE, Scale.POINTS)
    assert quality_of(sure, unsure, unsure) == (Quality.FINE, Scale.POINTS)
    for number, quality in enumerate((Quality.INACCURACY, Quality.MISTAKE, Quality.BLUNDER)):
        points, win = [
            Difference([0.0, *BOUNDS[scale]][number] + 1e-6, 1e-9, 30.0) for scale in (Scale.POINTS, Scale.WIN)
        ]
        small = Difference(1e-9, 1e-9, 1.0)
        assert quality_of(sure, points, unsure) == quality_of(sure, points, small) == (quality, Scale.POINTS)
        assert quality_of(sure, unsure, win) == (quality, Scale.WIN)
        assert quality_of(sure, small, win)[0] is quality
    assert len({each.quality for each in usual.decisions}) >= 4


def test_no_error_is_shown_with_an_interval_that_contains_0() -> None:
    """Whatever the figures are, an error is sure on the scale that is shown with it, and no other move is."""
    rng = Random("scales")
    found: Counter[tuple[Quality, Scale]] = Counter()
    for _ in range(2000):
        lows = [rng.uniform(-1, 1) for _ in range(3)]
        value, points, win = [Difference(low + 3 * rng.random() ** 4, low, low + 9) for low in lows]
        quality, scale = quality_of(value, points, win)
        shown = points if scale is Scale.POINTS else win
        assert (shown.low > 0) == (quality is not Quality.FINE)
        found[quality, scale] += 1
    assert len(found) >= 6


def test_accuracy_is_the_share_of_good_decisions_weighted_by_the_stake(usual: Review) -> None:
    stakes = dict.fromkeys(Quality, 0.0)
    for each in usual.decisions:
        stakes[each.quality] += max(0.0, each.at_random) if each.seat == 0 else 0.0
    good = stakes[Quality.BEST] + stakes[Quality.FINE]
    assert usual.accuracy(0) == pytest.approx(good / sum(stakes.values()))
    assert 0 < good < sum(stakes.values())
    # However dear the errors are, the good moves count.
    dear = [attrs.evolve(each, cost=Difference(9.0, 9.0, 9.0)) for each in usual.decisions]
    assert attrs.evolve(usual, decisions=tuple(dear)).accuracy(0) == usual.accuracy(0)


def test_a_decision_has_the_same_review_wherever_it_is_asked_for(usual: Review) -> None:
    """A browser table reviews move by move, and the command line whole records."""
    for each in usual.decisions[::9]:
        alone = Game(usual.game.at(each.ply)).play(usual.game.moves[each.ply])
        (found,) = review(alone, each.seat, worlds=10).decisions
        assert attrs.evolve(found, ply=each.ply) == each


def test_until_the_pass_is_over_nothing_of_the_others_is_a_turning_point() -> None:
    game = played(Rules(), "kitchen", 12)
    found = review(game, worlds=6)
    turns = [each for each in found.turning_points if isinstance(game.at(each.ply), Passing)]
    assert {each.cause for each in turns} <= {Cause.OWN, Cause.PASS}
    assert Cause.PASS in {each.cause for each in turns}


def test_the_review_of_one_seat_is_part_of_that_of_all(usual: Review) -> None:
    alone = review(usual.game, 1, worlds=10)
    assert alone.decisions == tuple([each for each in usual.decisions if each.seat == 1])
    assert alone.deals == tuple([each for each in usual.deals if each.seat == 1])
    assert alone.accuracy(1) == usual.accuracy(1)
    assert alone.curve == tuple([point for point in usual.curve if point[1] == 1])
    assert alone != review(usual.game, 1, worlds=10, seed="another")
    with pytest.raises(InvalidSeat):
        alone.accuracy(0)


def test_nothing_depends_on_hidden_cards() -> None:
    """A world that the seat could not tell from the true one gives the same review of its decision."""
    game = played(NO_PASS, "hidden", 30)
    others = 0
    for ply in range(2, 30, 7):
        state, move = game.at(ply), game.moves[ply]
        world = sample_world(view(state, move.seat), Random(ply))  # type: ignore[union-attr]
        others += world != state
        found = [review_move(ply, each, move, RandomStream(ply), 4) for each in (state, world)]
        assert found[0] == found[1]
    assert others >= 3


def test_luck_and_skill_add_up_to_the_points(usual: Review) -> None:
    assert [each.seat for each in usual.deals] == [0, 1, 2, 3]
    for each in usual.deals:
        assert each.points == usual.game.state.score_sheet[0].points[each.seat]
        assert each.average + each.cards + each.play + each.others == pytest.approx(each.points)
    assert len({each.average for each in usual.deals}) == 1


def test_the_curve_begins_and_ends_with_the_totals(usual: Review) -> None:
    for seat in range(4):
        points = [(ply, chance) for ply, each, chance in usual.curve if each == seat]
        assert points[0] == (0, 0.25)
        assert [ply for ply, _ in points] == sorted([ply for ply, _ in points])
        assert points[-1][0] == usual.game.ply
    assert {turn.cause for turn in usual.turning_points} >= {Cause.OWN, Cause.TABLE}
    assert Counter([turn.seat for turn in usual.turning_points]).most_common(1)[0][1] <= 5


def test_a_random_player_is_less_accurate_than_a_careful_one() -> None:
    careful, random = (review(played(NO_PASS, "two", 60, good), worlds=16) for good in (True, False))
    lost = [sum([each.cost.mean for each in one.decisions]) for one in (careful, random)]
    assert lost[0] < lost[1]


@pytest.mark.sampled(6)
@pytest.mark.parametrize("preset", presets.ALL)
def test_every_game_can_be_reviewed(preset: str) -> None:
    players = presets.ALL[preset].players[0]
    rules = presets.ALL[preset](players)
    game = played(rules, preset, 3 * rules.players)
    found = review(game, worlds=2)
    assert found.decisions
    assert json.loads(json.dumps(found.data()))["decisions"]
    for each in found.decisions:
        for language in ("en", "de"):
            assert explain(each, language)


def test_a_deal_that_is_not_over_has_no_points_yet() -> None:
    found = review(played(presets.cardstock(3), "part", 7), worlds=2)
    assert found.deals == ()
    assert found.decisions
    assert review(Game.start(Rules())).decisions == ()
    assert review(Game.start(Rules())).accuracy(0) is None


def test_the_network_reviews_what_a_view_tells() -> None:
    game, policy = played(Rules(), "network", 24), Learned()
    for ply in (1, 20):
        state, move = game.at(ply), game.moves[ply]
        world: Any = sample_world(view(state, move.seat), Random(ply))  # type: ignore[union-attr]
        assert world != state
        found = [review_move(ply, each, move, RandomStream(ply), 4, policy) for each in (state, world)]
        assert found[0] == found[1] != review_move(ply, state, move, RandomStream(ply), 4)
    end = replay_strict(game.at(game.ply - 6), game.moves[-6:])
    one, again = [review(end, worlds=2, policy=policy) for _ in range(2)]
    assert one == again
    assert one.decisions
    drills = [list(drills_of(one, worlds=2, policy=each)) for each in (policy, policy)]
    assert drills[0] == drills[1]


def test_the_average_deal_of_the_network_is_its_own() -> None:
    """Every deal brings 26 points, or 78 with a moon, whoever plays."""
    average, again = [average_points(Rules(moon=Moon.OFF), 10, policy) for policy in (Learned(), Watchful())]
    assert average == again == 6.5
    assert average_points(Rules(), 20, Learned()) >= 6.5
    state = played(NO_PASS, "forecast", 0).state
    for seat in range(4):
        seen, stream = view(state, seat), RandomStream(seat)
        assert hand_forecast(seen, stream, 20, Learned()) == hand_forecast(seen, RandomStream(seat), 20, Learned())
    unhashable = Unhashable()
    assert average_points(presets.cardstock(), 5, unhashable) == average_points(presets.cardstock(), 5, None)


class Unhashable(Policy):
    """The uniform policy, but for that."""

    __hash__ = None  # type: ignore[assignment]


def test_what_is_refused() -> None:
    game = Game.start(Rules())
    with pytest.raises(ValueError, match="worlds is 1"):
        review(game, worlds=1)
    with pytest.raises(InvalidSeat):
        review(game, 4)
    found = review(played(NO_PASS, "refused", 6), worlds=2)
    with pytest.raises(UnknownLanguage):
        explain(found.decisions[0], "xx")


# ---------------------------------------------------------------------------------------------------- paired worlds


def test_a_difference_of_paired_results_is_their_mean_with_its_deviations() -> None:
    rng = Random(1)
    worlds = [(rng.randrange(20), rng.randrange(3)) for _ in range(50)]
    one = [Played(0, base + more, 0.0, 0.0, 1.0) for base, more in worlds]
    other = [Played(0, base, 0.0, 0.0, 1.0) for base, _ in worlds]
    found, deviations = difference(one, other, Correction(), lambda each: each.points)
    more = [extra for _, extra in worlds]
    mean = sum(more) / 50
    assert found == pytest.approx(mean)
    assert deviations == pytest.approx([each - mean for each in more])
    cost = cost_of(one, other, Correction()).points
    error = math.sqrt(sum([(each - mean) ** 2 for each in more]) / 49 / 50)
    # In value they are equal, so that there is no reason to tell another one.
    assert cost == pytest.approx((mean, *[mean + sign * 2.2 * (1 + 1.2 / 49) * error for sign in (-1, 1)]))


def test_worlds_with_moons_count_as_the_correction_says() -> None:
    one = [Played(2, 26, 0.0, 0.0, 1.0), Played(0, 2, 0.0, 0.0, 1.0)]
    other = [Played(0, 0, 0.0, 0.0, 1.0)] * 2
    found, _ = difference(one, other, Correction(against=3.0), lambda each: each.points)
    assert found == pytest.approx((3 * 26 + 2) / 4)


def test_of_costs_that_look_alike_the_mean_is_told() -> None:
    """True costs are drawn from the prior, and worlds around each: by what is told, it is right on average."""
    rng = Random(2)
    above, below = COSTS
    told: list[tuple[float, float, float]] = []
    for _ in range(4000):
        positive = rng.random() < above / (above + below)
        true = rng.expovariate(1 / above) if positive else -rng.expovariate(1 / below)
        worlds = [rng.gauss(true, 1.0) for _ in range(20)]
        made = [Played(0, round(1e6 * value), 0.0, 0.0, 1.0) for value in worlds]
        best = [Played(0, 0, value, value, 1.0) for value in worlds]
        cost = cost_of(made, best, Correction())
        assert cost.win == pytest.approx(cost.value)
        raw = sum(worlds) / 20
        told.append((cost.value.mean, true, raw))
        # Points that follow the value change with it.
        assert cost.points.mean - 1e6 * raw == pytest.approx(1e6 * (cost.value.mean - raw), abs=1)
    told.sort()
    for tenth in range(10):
        own = told[400 * tenth : 400 * (tenth + 1)]
        means = [sum(each) / 400 for each in zip(*own, strict=True)]
        assert means[0] == pytest.approx(means[1], abs=0.025)
    least, most = told[:400], told[-400:]
    assert sum([each[2] - each[1] for each in least]) / 400 < -0.1
    assert sum([each[2] - each[1] for each in most]) / 400 > 0.1


def test_a_cost_that_is_the_same_in_all_worlds_is_told_as_it_is() -> None:
    made, best = [Played(0, 9, 0.1, 0.2, 1.0)] * 5, [Played(0, 2, 0.3, 0.5, 1.0)] * 5
    value, points, win = cost_of(made, best, Correction())
    assert (value, points) == (Difference(0.3, 0.3, 0.3), Difference(7, 7, 7))
    assert win == pytest.approx((0.2, 0.2, 0.2))


def test_results_are_kept_in_order_and_add_up() -> None:
    state = played(NO_PASS, "kept", 8).state
    seen = view(state, min(to_act(state)))
    moves = [*legal_moves(seen), None]
    trials = Trials(seen, moves, RandomStream(1), Watchful(), keeps=True)
    trials.go_on(5, range(len(moves)))
    for tried in trials.tried:
        kinds = (tried.plain, tried.moon, tried.against)
        assert len(tried.played) == 5
        assert sum([each.points for each in tried.played]) == sum([kind.points for kind in kinds])
        assert [sum([each.shot == kind for each in tried.played]) for kind in range(3)] == [
            kind.worlds for kind in kinds
        ]
    without = Trials(seen, moves[:1], RandomStream(1), Watchful())
    without.go_on(2, [0])
    assert without.tried[0].played == []


# ------------------------------------------------------------------------------------------------------- the reasons


def assessed(move: Move, moon: float = 0.0, against: float = 0.0) -> AssessedMove:
    nothing = (0.0, 1.0)
    return AssessedMove(move, 0.0, None, moon, nothing, against, nothing, 0.5, nothing, 0.5)


def position(hand: str, trick: str = "") -> State:
    """Seat 0 to play; the queen and low diamonds are in the other hands, and the leader has taken all the rest."""
    own = Cards(hand)
    lies = [Card(card) for card in trick.split()]
    rest = sorted(
        Rules().deck - own - Cards(lies), key=lambda card: (card != Card("QS"), card.suit.letter != "D", card)
    )
    first = -len(lies) % 4
    hands = {0: own}
    for other in (1, 2, 3):
        count = len(own) - (other in [(first + step) % 4 for step in range(len(lies))])
        hands[other], rest = Cards(rest[:count]), rest[count:]
    piles = " ".join([str_of(Cards(rest) if each == first else Cards()) for each in range(4)])
    told = " ".join([str_of(hands[each]) for each in range(4)])
    middle = f"; trick {first}:{''.join(map(str, lies))}" if lies else ""
    head = f"hearts/1; rules pass_cycle=hold; phase play; deal 0; hands {told}"
    return parse_position(f"{head}; captured {piles}; leader {first}; broken yes{middle}")


def str_of(cards: Cards) -> str:
    return "".join(map(str, cards)) or "-"


REASONS: list[tuple[str, str, str, str, str]] = [
    # hand, trick, made, better, code
    ("KS 3D 4D 5D", "", "KS", "3D", "over-queen"),
    ("QS 3D 4D 5D", "", "QS", "3D", "led-queen"),
    ("4S 3D KD 5D", "", "KD", "4S", "drive-out"),
    ("3H 3D KD 5D", "", "3H", "3D", "led-points"),
    ("KD 2D AC 5H", "", "KD", "2D", "led-high"),
    ("KS 2C 3C 4C", "", "2C", "KS", "led-low"),
    ("KS 2S 3D 4D", "5S", "KS", "2S", "over-queen"),
    ("KH 2H 3C 4C", "5H 4H", "KH", "2H", "took-points"),
    ("KD 2D 3C 4C", "5D 6D", "KD", "2D", "could-duck"),
    ("QS 2S 3C 4C", "AS", "2S", "QS", "could-dump"),
    ("KD 2D 3C 4C", "5D 6D 7D", "2D", "KD", "clean-trick"),
    ("KD AD 3C 4C", "5D 6D 7D", "KD", "AD", "higher-anyway"),
    ("JD 2D 3C 4C", "QD", "2D", "JD", "higher-under"),
    ("JD 2D 3C 4C", "QD", "JD", "2D", "follow-high"),
    ("QS 2S 3C 4C", "QD", "2S", "QS", "discard"),
    ("KD 2D 3C 4C", "5S", "2D", "KD", "discard-high"),
]


@pytest.mark.parametrize(("hand", "trick", "made", "better", "code"), REASONS)
def test_the_position_gives_the_reason(hand: str, trick: str, made: str, better: str, code: str) -> None:
    state = position(hand, trick)
    seen = view(state, 0)
    found = reasons_of(seen, assessed(Play(0, Card(made))), assessed(Play(0, Card(better))))
    assert found[0].code == code


def test_a_moon_comes_before_all_other_reasons() -> None:
    seen = view(position("KS 3D 4D 5D"), 0)
    one, other = assessed(Play(0, Card("KS")), against=0.3), assessed(Play(0, Card("3D")), moon=0.2)
    assert [each.code for each in reasons_of(seen, one, other)] == ["own-moon", "other-moon", "over-queen"]


def test_a_moon_that_was_there_to_be_seen_is_seen() -> None:
    """A random player shot this moon, beginning with ♦J. Weights that ignore its frequency gave it 3 and 8 %."""
    state = parse_position(
        "hearts/1; rules default; phase play; deal 0; hands DJS5TKHQ C56D23H2 CAS234J D5AS79H3; passes 0:D3H9J 1:CKASJ "
        "2:DKAH8 3:STAHT; tricks 3:2C3CTCQC:2 2:KC4CJC8C:2 2:TD9DQD8D:0 0:ASJHQS8S:0 0:AH9H7C6H:0 0:TH5H4D7H:0 "
        "0:6D7D9CKD:3 3:8HKH4H6S:0"
    )
    found = review_move(0, state, Play(0, Card("JD")), RandomStream("moon"), 140)
    assert found is not None
    chances = {each.move: each.moon for each in found.moves}
    assert chances[Play(0, Card("QH"))] > 0.2
    assert chances[Play(0, Card("JD"))] > 0.12


def test_a_pass_is_explained_by_its_cards() -> None:
    start = new_game(Rules())
    dealt: Any = apply(start, deal(start, seed=3))
    hand = list(dealt.hands[0])
    one, other = Pass(0, Cards(hand[:3])), Pass(0, Cards(hand[3:6]))
    (found,) = reasons_of(view(dealt, 0), assessed(one), assessed(other))
    assert found.code in ("passed", "kept-spades", "passed-guards")
    assert found.cards


def test_every_code_has_a_sentence_in_every_language(usual: Review) -> None:
    codes = set(re.findall(r'Reason\("([a-z-]+)"', inspect.getsource(_reasons)))
    assert len(codes) == 27
    for language in ("en", "de"):
        assert {f"review.{code}" for code in codes} <= set(catalogue(language))
        for code in codes - {"passed", "kept-spades", "passed-guards", "showed"}:
            # A reader must see which move is meant, and those four name the cards of both.
            assert "{move}" in catalogue(language)[f"review.{code}"]
    for each in usual.decisions:
        assert {reason.code for reason in each.reasons} <= codes
        english, german = explain(each), explain(each, "de")
        assert english != german
        assert not english.endswith(".")
        assert "{" not in english + german


# -------------------------------------------------------------------------------------------- as text, page and data


def test_lines_tell_each_seat_what_cost_something_and_luck(usual: Review) -> None:
    names = ("Ann", "Bob", "Cleo", "Dan")
    lines = review_lines(usual, names=names)
    assert [line.split(":")[0] for line in lines[:4]] == ["Ann", "Bob", "Cleo", "Dan"]
    told = [explain(each, names=names) for each in usual.decisions if each.reasons]
    assert [line for line in lines if ": mistake: " in line or ": inaccuracy: " in line or ": blunder: " in line] == [
        line for line in lines if any([line.endswith(sentence) for sentence in told])
    ]
    assert review_lines(usual, "de") != lines
    with pytest.raises(ValueError, match="one for each seat"):
        review_lines(usual, names=("Ann",))


def test_the_page_stands_alone_and_escapes_names(usual: Review) -> None:
    page = review_page(usual, "de", ("<b>Ann", "Bob", "Cleo", "Dan"))
    assert "<b>" not in page
    assert page.count("<article") == sum([each.reasons != () for each in usual.decisions])
    assert page.count("<svg") == 1 + sum([each.quality in ("mistake", "blunder") for each in usual.decisions])
    assert "://" not in page.replace("http://www.w3.org", "")
    assert '<html lang="de">' in page
    assert usual._repr_html_() == review_html(usual)
    assert review_html(usual).count("<svg") == 1


def test_data_has_every_decision(usual: Review) -> None:
    data = json.loads(json.dumps(usual.data("de")))
    assert len(data["decisions"]) == len(usual.decisions)
    first, told = data["decisions"][0], usual.decisions[0]
    assert first["move"] == {"move": "play", "seat": told.seat, "card": str(told.move.card)}  # type: ignore[union-attr]
    assert first["cost"]["points"]["mean"] == told.cost_points.mean
    assert data["accuracy"]["0"] == usual.accuracy(0)


# ---------------------------------------------------------------------------------------------------------- the proof


def test_the_script_that_proves_costs_runs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    proof = bench("review_proof")
    file = tmp_path / "moves.jsonl"
    proof.main(["play", "3", str(file), "1", "--worlds", "3", "--heuristic", "0.5"])
    moves = list(proof.read(file))
    assert [each.heuristic is None for each in moves] == [number % 2 == 0 for number in range(len(moves))]
    bests = [each for each in moves if each.quality == "best"]
    assert all([*each.policy, *(each.heuristic or ())] in ([0] * 2, [0] * 4) for each in bests)
    proof.tell(moves * 2)
    proof.main(["bounds", "0"])
    proof.main(["prior", "2", "--worlds", "5"])
    told = capsys.readouterr().out
    assert "came: policy" in told
    assert " costs: scales " in told


@pytest.mark.parametrize(
    ("seats", "names", "language", "told"),
    [
        ((1,), None, "en", "seat 1 has no spades left"),
        ((1, 2), None, "en", "seats 1 and 2 have no spades left"),
        ((1,), None, "de", "Platz 1 hat kein Pik mehr und kann auf"),
        ((1, 2), None, "de", "die Plätze 1 und 2 haben kein Pik mehr und können auf"),
        ((1,), ("Ann", "Bob", "Cleo"), "en", "Bob has no spades left"),
        ((1, 2), ("Ann", "Bob", "Cleo"), "de", "Bob und Cleo haben kein Pik mehr und können auf"),
    ],
)
def test_one_player_or_several_are_told_to_be_void(
    seats: tuple[int, ...], names: tuple[str, ...] | None, language: str, told: str
) -> None:
    cost = Difference(2.0, 1.0, 3.0)
    move = ComparedMove(
        move=Play(0, Card("4S")),
        best=(Play(0, Card("3H")),),
        quality=Quality.MISTAKE,
        scale=Scale.POINTS,
        cost_points=cost,
        cost_win=cost,
        cost=cost,
        reasons=(Reason("led-void", Suit.SPADES, seats),),
    )
    assert told in explain(move, language, names)


@pytest.mark.parametrize(
    "move",
    [
        Play(2, Card("QS")),
        Pass(1, Cards("2C 3D"), Cards("AH")),
        Pass(0),
        Expose(3, Cards("QS JD")),
        ChooseMoon(1, Moon.OTHERS_UP),
        ChooseMoon(1, Moon.SHOOTER_DOWN),
    ],
    ids=str,
)
def test_moves_are_written_as_in_json_documents(move: Move) -> None:
    written = json.loads(json.dumps(move_data(move)))
    assert {"heartsrules": 1, "kind": "move", **written} == json.loads(to_json(move))
