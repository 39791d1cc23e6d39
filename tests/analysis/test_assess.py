"""What the moves of a seat are worth: the same draws for every move, endings known exactly, nothing that is hidden; and
the sentences of hints."""

from __future__ import annotations

import pickle
import re
from collections.abc import Iterator
from itertools import pairwise
from math import inf, sqrt
from random import Random
from typing import Any, Final

import attrs
import pytest

from heartsrules import (
    AwaitingDeal,
    Card,
    Cards,
    ChooseMoon,
    ChoosingMoon,
    Expose,
    Exposing,
    GameOver,
    InvalidState,
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
    public_view,
    to_act,
    view,
)
from heartsrules.analysis import MOST_MOVES, AssessedMove, Assessment, _hints, assess, hint
from heartsrules.analysis._assessing import _mean, assessed_move
from heartsrules.analysis.allocation import promising_passes, try_where_close
from heartsrules.analysis.calibration import TABLE, Correction, correction_of, possible_moons, situation_of
from heartsrules.analysis.passes import drawn_pass, likely_passes
from heartsrules.analysis.policies import Policy, Watchful
from heartsrules.analysis.rollouts import score
from heartsrules.analysis.trials import Trials, Tried, lead
from heartsrules.bots import Learned, Sampling, uniform
from heartsrules.chance import RandomStream
from heartsrules.messages import UnknownLanguage, catalogue, phrase
from heartsrules.play.legality import CardChoice
from heartsrules.rules import ANY_NUMBER, HOLD, Moon, PassOptional, ScoreDisplay, Tie
from heartsrules.setup import set_up
from heartsrules.testing import names, random_rules
from heartsrules.views import PassingView, View
from heartsrules.views.worlds import sample_world
from support.strategies import match

pytestmark = pytest.mark.once_compiled

NO_PASS = Rules(pass_cycle=((),))


def dealt(rules: Rules, seed: int | str) -> Any:
    start = new_game(rules)
    return apply(start, deal(start, seed=seed))


def late(rules: Rules, tricks: int, seed: int | str) -> Playing:
    """A position with so many tricks to come, a trick to be led, and several legal moves."""
    rng = Random(seed)
    while True:
        state: State = dealt(rules, rng.randrange(10**6))
        while not isinstance(state, Playing) or state.trick or len(state.hands[state.turn]) > tricks:
            moves = legal_moves(state, min(to_act(state)))
            state = apply(state, moves[rng.randrange(len(moves))])
        if len(legal_moves(state)) > 1:
            return state


def of_every_phase(rng: Random) -> Iterator[State]:
    """For ever, states of random rule sets in which a seat has something to do."""
    while True:
        rules = random_rules(rng)
        for _, _, state in match(rules, rng, 2):
            if isinstance(state, Passing | Exposing | Playing | ChoosingMoon) and rng.randrange(12) == 0:
                yield state


# ------------------------------------------------------------------------------------------------------- what it says


def test_moves_of_every_phase_are_assessed() -> None:
    source = of_every_phase(Random("every phase"))
    seen: set[str] = set()
    for _ in range(25):
        state = next(source)
        seen.add(type(state).__name__)
        seat = min(to_act(state))
        found = assess(view(state, seat), RandomStream("phases"), worlds=2)
        legal = legal_moves(state, seat)
        moves = [each.move for each in found.moves]
        assert found.seat == seat
        assert len(set(moves)) == len(moves)
        assert all(move in legal for move in moves)
        assert len(moves) == len(legal) if isinstance(state, Playing | ChoosingMoon) else 0 < len(moves) <= MOST_MOVES
        values = [each.value for each in found.moves]
        # Of many passes, some are tried in fewer worlds: they come last.
        assert isinstance(state, Passing) or values == sorted(values, reverse=True)
        for each in found.moves:
            assert found.of(each.move) is each
            for chance in (each.moon, each.moon_against, each.win):
                assert 0 <= chance <= 1
            assert each.points_interval is not None
            for figure, (low, high) in (
                (each.points, each.points_interval),
                (each.moon, each.moon_interval),
                (each.moon_against, each.moon_against_interval),
                (each.win, each.win_interval),
            ):
                assert low <= figure + 1e-9
                assert figure <= high + 1e-9
    assert {"Passing", "Playing"} <= seen


def test_a_shooter_is_told_what_both_choices_bring() -> None:
    rng = Random("moons")
    rules = Rules(moon=Moon.CHOICE)
    state: Any = next(
        after
        for _ in range(200)
        for _, _, after in match(rules, rng, 2, aim="strong")
        if isinstance(after, ChoosingMoon)
    )
    found = assess(view(state, state.shooter), RandomStream(1), worlds=3)
    points = {each.move.effect: each.points for each in found.moves}  # type: ignore[union-attr]
    shooter = state.shooter
    assert points == {
        Moon.OTHERS_UP: state.others_up.points[shooter],
        Moon.SHOOTER_DOWN: state.shooter_down.points[shooter],
    }
    assert [(each.moon, each.moon_against) for each in found.moves] == [(1, 0)] * 2
    assert all(each.points_interval == (each.points, each.points) for each in found.moves)


# ------------------------------------------------------------------------------------------------------ the same draws


class Noting(Policy):
    """Notes what it is asked, and the draw that it makes for it."""

    def __init__(self) -> None:
        self.draws: dict[tuple[int, int], set[int]] = {}
        self.asked = 0

    def choose_card(self, choice: CardChoice, stream: RandomStream) -> Card:
        self.asked += 1
        drawn = stream.below(4096)
        self.draws.setdefault((choice.trick_number, choice.seat), set()).add(drawn)
        return tuple(choice.legal)[drawn % len(choice.legal)]


def test_every_move_of_a_world_is_tried_with_the_same_draws() -> None:
    state = dealt(NO_PASS, 4)
    state = apply(state, legal_moves(state)[0])
    assert isinstance(state, Playing)
    policy = Noting()
    found = assess(view(state, state.turn), RandomStream(1), worlds=1, policy=policy)
    assert len(found.moves) > 1
    assert policy.asked > 4 * 13
    # A seat draws the same in a trick of a world, wherever it sits in it, and whatever was drawn before.
    assert found.worlds == max([len(drawn) for drawn in policy.draws.values()]) == 2
    assert len({min(drawn) for drawn in policy.draws.values()}) > 40


def test_cards_that_make_no_difference_come_to_the_same() -> None:
    state = late(NO_PASS, 9, 1)
    while True:
        hand = state.hands[state.turn]
        others = sum([cards for seat, cards in enumerate(state.hands) if seat != state.turn], start=Cards())
        diamonds = [card for card in legal_cards(state) if card.suit.letter == "D"]
        pairs = [(low, high) for low, high in pairwise(diamonds) if not any(low < card < high for card in others)]
        if pairs:
            break
        state = late(NO_PASS, 9, Random(hand.lo).randrange(10**6))
    found = assess(view(state, state.turn), RandomStream(1), worlds=40, policy=Watchful(0))
    for low, high in pairs:
        one, other = found.of(Play(state.turn, low)), found.of(Play(state.turn, high))
        assert one is not None
        assert other is not None
        assert (one.points, one.win, one.moon) == (other.points, other.win, other.moon)


def legal_cards(state: Playing) -> list[Card]:
    return [move.card for move in legal_moves(state) if isinstance(move, Play)]


# --------------------------------------------------------------------------------------------------- what it depends on


def test_it_depends_on_nothing_but_the_view_and_the_bits() -> None:
    source = of_every_phase(Random("views"))
    others = 0
    for number in range(8):
        state = next(source)
        seat = min(to_act(state))
        seen = view(state, seat)
        world = sample_world(seen, Random(number))
        others += world != state
        first = assess(seen, RandomStream(number), worlds=2)
        assert first == assess(view(world, seat), RandomStream(number), worlds=2)
        assert first == assess(pickle.loads(pickle.dumps(seen)), RandomStream(number), worlds=2)
    assert others > 5


def test_a_budget_of_time_ends_it() -> None:
    state = late(NO_PASS, 6, 2)
    seen = view(state, state.turn)
    assert assess(seen, RandomStream(1), seconds=0).worlds == 2
    # With both, it ends with what comes first.
    assert assess(seen, RandomStream(1), seconds=0, worlds=1).worlds == 1
    for long in (3600, inf):
        assert assess(seen, RandomStream(1), seconds=long, worlds=7) == assess(seen, RandomStream(1), worlds=7)
    assert 100 <= assess(seen, RandomStream(1)).worlds <= 200


@pytest.mark.parametrize("number", range(2))
def test_worlds_go_where_moves_are_close(number: int) -> None:
    """Every move takes the usual number of worlds, what is close up to twice as many; and the seed gives it all."""
    state = late(NO_PASS, 6, number)
    seen = view(state, state.turn)
    found = assess(seen, RandomStream(number), worlds=24)
    assert found == assess(seen, RandomStream(number), worlds=24)
    assert 24 <= found.worlds <= 48
    trials = Trials(seen, list(legal_moves(seen)), RandomStream(number), Watchful(), correction=correction_of(seen))
    left = try_where_close(trials, 24, every=True)
    worlds = {move: len(tried.values) for move, tried in zip(trials.moves, trials.tried, strict=True)}
    assert [trials.moves[place] for place in left] == [each.move for each in found.moves[: len(left)]]
    assert max(worlds.values()) == found.worlds
    assert min(worlds.values()) >= 24
    for place, move in enumerate(trials.moves):
        if place not in left:
            ahead, error = lead(trials.tried[left[0]], trials.tried[place])
            assert ahead > (0 if worlds[move] < found.worlds else error)


def test_moves_can_be_named() -> None:
    state = late(NO_PASS, 6, 2)
    seen = view(state, state.turn)
    first, *_, last = legal_moves(state)
    found = assess(seen, RandomStream(1), worlds=5, moves=[last, first, last])
    assert {each.move for each in found.moves} == {first, last}
    everything = assess(seen, RandomStream(1), worlds=5)
    assert [each for each in everything.moves if each.move in (first, last)] == list(found.moves)


def test_intervals_become_narrower_with_more_worlds() -> None:
    state = dealt(NO_PASS, 8)
    state = apply(state, legal_moves(state)[0])
    assert isinstance(state, Playing)
    few, many = (assess(view(state, state.turn), RandomStream(1), worlds=count) for count in (20, 320))
    for less in many.moves:
        more = few.of(less.move)
        assert more is not None
        for name in ("points", "moon_against", "win"):
            widths = [high - low for low, high in (getattr(each, f"{name}_interval") for each in (more, less))]
            assert widths[1] < 0.6 * widths[0], name
    one = assess(view(state, state.turn), RandomStream(1), worlds=1, moves=[few.best.move]).best
    assert (one.points_interval, one.win_interval) == (None, (0, 1))
    assert one.moon_interval[1] > 0.7


def test_a_moon_that_no_world_had_is_not_said_to_be_impossible() -> None:
    state = dealt(presets.cardstock(3), 8)
    found = assess(view(state, state.turn), RandomStream(1), worlds=100, moves=[legal_moves(state)[0]]).best
    assert (found.moon, found.moon_interval[0]) == (0, 0)
    # Wilson's interval of 0 times in 100.
    assert found.moon_interval[1] == pytest.approx(1.96**2 / (100 + 1.96**2))


def test_the_usual_game_is_corrected_by_how_deals_of_self_play_ended() -> None:
    """A world with a moon counts as often as the table says, and points are moved by their spread."""
    state = dealt(NO_PASS, 8)
    rng = RandomStream(3)
    corrected = 0
    while isinstance(state, Playing):
        seen = view(state, state.turn)
        moves = list(legal_moves(seen))
        trials = Trials(seen, moves, RandomStream(5), Watchful())
        trials.go_on(60, range(len(moves)))
        for move, tried in zip(moves, trials.tried, strict=True):
            correction = TABLE[situation_of(seen)].at(tried.moon.worlds, 60)
            each = assess(seen, RandomStream(5), worlds=60, moves=[move]).best
            weights = (1.0, correction.moon, correction.against)
            kinds = (tried.plain, tried.moon, tried.against)
            total = sum(weight * kind.worlds for weight, kind in zip(weights, kinds, strict=True))
            assert each.moon_against == pytest.approx(correction.against * tried.against.worlds / total)
            points = [weight * kind.points for weight, kind in zip(weights, kinds, strict=True)]
            squares = [weight * kind.points_squared for weight, kind in zip(weights, kinds, strict=True)]
            mean = sum(points) / total
            spread = max(0.0, sum(squares) / total - mean * mean) ** 0.5
            failed = tried.plain.worlds + correction.against * tried.against.worlds
            room = 25 * failed / total - mean
            assert each.points == pytest.approx(mean + correction.points * spread + correction.lost * room)
            corrected += each.points > mean
        state = apply(state, moves[rng.below(len(moves))])
    assert corrected > 50


def test_an_own_moon_has_one_weight_in_chance_points_and_value() -> None:
    """Its log odds grow more slowly with the frequency in the worlds than the frequency's own."""
    state = own_moon()
    seen = view(state, state.turn)
    moves = list(legal_moves(seen))
    correction = correction_of(seen)
    assert correction.slope != 1
    trials = Trials(seen, moves, RandomStream(5), Watchful(), correction=correction)
    for _ in range(2):
        trials.go_on(40, range(len(moves)))
    shares = set[float]()
    for move, tried in zip(moves, trials.tried, strict=True):
        share = tried.moon.worlds / 80
        shares.add(share)
        odds = (80 * share + 0.5) / (80.5 - 80 * share)
        weight = correction.moon * odds ** (correction.slope - 1)
        found = assessed_move(move, tried, correction, ())
        chance = weight * share / (weight * share + 1 - share)
        assert found.moon == pytest.approx(chance)
        assert found.moon_interval[0] <= found.moon <= found.moon_interval[1]
        plain = tried.plain.points / max(1, tried.plain.worlds)
        assert found.points == pytest.approx((1 - chance) * (plain + correction.lost * (25 - plain)))
        kinds = ((tried.plain, 1 - chance), (tried.moon, chance))
        assert found.win == pytest.approx(sum([part * kind.win / max(1, kind.worlds) for kind, part in kinds]))
        assert found.value == pytest.approx(tried.value / tried.weight, rel=0.01)
        assert found.value == pytest.approx(sum([part * kind.value / max(1, kind.worlds) for kind, part in kinds]))
    assert len([share for share in shares if 0 < share < 1]) > 1


def own_moon() -> Playing:
    """A deal of sampling players in which the seat on lead has all points so far, and moons succeed in some worlds."""
    state = dealt(NO_PASS, "moon 6")
    rng = RandomStream(4)
    bot = Sampling(20)
    while isinstance(state, Playing):
        seen = view(state, state.turn)
        if situation_of(seen)[1] == "own" and len(legal_moves(seen)) > 3:
            return state
        state = apply(state, bot(seen, rng))
    raise AssertionError


def test_games_that_were_not_measured_are_not_corrected() -> None:
    usual = [Rules(), presets.microsoft(), Rules(target=50), Rules(max_deals=3, pass_cycle=(HOLD,))]
    others = [presets.gong_zhu(4), presets.cardstock(3), presets.omnibus(4), Rules(moon=Moon.SHOOTER_DOWN)]
    for rules in [*usual, *others]:
        state: Any = apply(new_game(rules), deal(new_game(rules), seed=1))
        correction = correction_of(view(state, min(to_act(state))))
        assert (correction != Correction()) == (rules in usual), rules


def test_only_moons_that_may_still_be_shot_are_possible() -> None:
    """Whoever has taken a penalty card alone may shoot; nobody may once two have."""
    state: Any = apply(new_game(NO_PASS), deal(new_game(NO_PASS), seed=1))
    rng, seen = RandomStream("moons"), set[tuple[int, ...]]()
    while isinstance(state, Playing):
        for seat in range(4):
            mine: Any = view(state, seat)
            takers = {at for at, pile in enumerate(mine.captured) if pile & NO_PASS.penalty_cards}
            own = [(1, 0)] if takers <= {seat} else []
            against = [(2, 26)] if len(takers - {seat}) + len(takers & {seat}) * 2 < 2 else []
            assert possible_moons(mine) == own + against
            seen.add(tuple([points for _, points in own + against]))
        moves = legal_moves(state)
        state = apply(state, moves[rng.below(len(moves))])
    assert seen == {(0, 26), (0,), (26,), ()}
    kitty = view(apply(new_game(presets.cardstock(3)), deal(new_game(presets.cardstock(3)), seed=1)), 0)
    assert possible_moons(kitty) == []


def test_the_error_of_a_mean_is_taken_where_the_weights_are() -> None:
    worlds = [(1.0, 4.0)] * 30 + [(1.0, 9.0)] * 60 + [(8.0, 26.0)] * 2
    total = sum([weight for weight, _ in worlds])
    mean = sum([weight * value for weight, value in worlds]) / total
    error = sqrt(sum([(weight * (value - mean) / total) ** 2 for weight, value in worlds]) * 92 / 91)
    spread = sqrt(sum([weight * (value - mean) ** 2 for weight, value in worlds]) / total)
    plain = 1.0, 90, 30 * 4.0 + 60 * 9.0, 30 * 16.0 + 60 * 81.0
    assert _mean([plain, (8.0, 2, 52.0, 1352.0)]) == pytest.approx((mean, error, spread))


def test_a_moon_that_was_not_drawn_widens_the_interval_of_the_points() -> None:
    tried = Tried()
    tried.plain.worlds, tried.plain.points, tried.plain.points_squared = 100, 500, 2600
    tried.squares = 100.0
    move, correction = Play(0, Card("2C")), Correction(moon=2.0, against=8.0)
    narrow, wide = [assessed_move(move, tried, correction, moons).points_interval for moons in ((), ((2, 26),))]
    assert narrow is not None
    assert wide is not None
    assert wide[0] < narrow[0] < narrow[1] < wide[1]


def test_situations_are_those_of_the_table() -> None:
    """Every situation that a game comes to is in the table, and each of the table is reached."""
    seen: set[tuple[str, str]] = set()
    for seed in range(200):
        state: Any = apply(new_game(Rules()), deal(new_game(Rules()), seed=seed))
        rng = RandomStream(seed)
        while not isinstance(state, AwaitingDeal | GameOver):
            seat = min(to_act(state))
            seen.add(situation_of(view(state, seat)))
            moves = legal_moves(state, seat)
            state = apply(state, moves[rng.below(len(moves))])
        if seen == set(TABLE):
            return
    pytest.fail(f"never reached: {set(TABLE) - seen}")


def test_passes_assessed_with_the_network_cost_what_comes_of_them() -> None:
    """Learned players make 9.1 points a deal; with another model of what the others pass this was told as 13.4."""
    told = []
    for seed in range(8):
        state = dealt(Rules(), seed)
        for seat in range(4):
            seen = view(state, seat)
            found = assess(seen, RandomStream(seed), worlds=16, moves=[Learned().choose(seen)], policy=Learned())
            told.append(found.best.points)
    assert 7 < sum(told) / len(told) < 11


def test_what_cannot_be_assessed_is_refused() -> None:
    state = dealt(NO_PASS, 1)
    waiting = (state.turn + 1) % 4
    seen = view(state, state.turn)
    legal = legal_moves(state)[0]
    rng = RandomStream(1)
    with pytest.raises(ValueError, match=f"seat {waiting} has nothing to do"):
        assess(view(state, waiting), rng)
    with pytest.raises(ValueError, match="a spectator has nothing to do"):
        assess(public_view(state), rng)
    with pytest.raises(ValueError, match="worlds is 0: choose 1 or more"):
        assess(seen, rng, worlds=0)
    for wrong in (-1, float("nan")):
        with pytest.raises(ValueError, match=r"seconds is .*: choose 0 or more"):
            assess(seen, rng, seconds=wrong)
    with pytest.raises(ValueError, match="seconds is inf: without a number of worlds it would never end"):
        assess(seen, rng, seconds=inf)
    with pytest.raises(ValueError, match="moves is empty"):
        assess(seen, rng, moves=[])
    with pytest.raises(ValueError, match=f"not a legal move of seat {state.turn}"):
        assess(seen, rng, moves=[legal, Play(waiting, Card("2C"))])
    hands = [Cards("9D 2C"), Cards("2D 4C"), Cards("3C 5C"), Cards("9S 5D")]
    piles = [NO_PASS.deck - sum(hands, start=Cards()), Cards(), Cards(), Cards()]
    lost = set_up(NO_PASS, hands=hands, leader=0, captured=piles, hearts_broken=True)
    with pytest.raises(InvalidState, match="without its completed tricks"):
        assess(view(lost, 0), rng)


def test_an_assessment_is_a_value() -> None:
    state = late(NO_PASS, 6, 2)
    found, again = (assess(view(state, state.turn), RandomStream(1), worlds=5) for _ in range(2))
    assert found == again
    assert hash(found) == hash(again)
    assert pickle.loads(pickle.dumps(found)) == found
    known = {**names(), "Assessment": Assessment, "AssessedMove": AssessedMove}
    assert eval(repr(found), known) == found
    assert found.best is found.moves[0]
    assert found.of(Play(0, Card("2C"))) is None
    with pytest.raises(AttributeError):
        found.worlds = 3  # type: ignore[misc]


# ---------------------------------------------------------------------------------------------------------- the network


def played_on(rules: Rules, plays: int, seed: int) -> Any:
    """A position of random play after so many cards, with a choice; or, with 0, the first one of the deal."""
    state: Any = dealt(rules, seed)
    rng = RandomStream(seed)
    done = 0
    while done < plays or (plays and len(legal_moves(state)) == 1):
        moves = legal_moves(state, min(to_act(state)))
        done += isinstance(state, Playing)
        state = apply(state, moves[rng.below(len(moves))])
    return state


@pytest.mark.parametrize(
    ("rules", "plays"), [(presets.omnibus(3), 9), (Rules(max_deals=1, tie=Tie.SHARED), 24), (Rules(), 0)]
)
def test_the_network_assesses_what_it_plays_in_worlds_that_agree_with_the_view(
    rules: Rules, plays: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A world counts by the likelihood of the play in it; no deal is judged before its end."""
    monkeypatch.setattr(Learned, "judge", lambda *_: pytest.fail("a deal was judged before its end"))
    state = played_on(rules, plays, 3)
    seat = min(to_act(state))
    seen, bot, worlds = view(state, seat), Learned(), 16
    moves = bot.passes(seen, MOST_MOVES) if isinstance(seen, PassingView) else legal_moves(seen)
    found = assess(seen, RandomStream(1), worlds=worlds, policy=bot, moves=moves[:1]).best
    other = view(sample_world(seen, Random(5)), seat)
    assert found == assess(other, RandomStream(1), worlds=worlds, policy=bot, moves=moves[:1]).best
    if isinstance(seen, PassingView):
        tried = {each.move for each in assess(seen, RandomStream(1), worlds=1, policy=bot).moves}
        assert len(tried) == MOST_MOVES
        assert tried > set(bot.passes(seen, MOST_MOVES // 2))
        return
    assert isinstance(state, Playing)
    stream = RandomStream(1)
    drawn: Any = [sample_world(seen, stream) for _ in range(worlds)]
    weights, boards = bot.play_out(seen, drawn, moves[:1])
    correction = correction_of(seen, batch=True)
    points, shares, shots, wins = [], [], [], []
    for weight, (board,) in zip(weights, boards, strict=True):
        score(board.resolved, board, 0)
        shot = 0 if board.shooter < 0 else 1 if board.shooter == seat else 2
        shots.append(shot)
        points.append(board.seats[seat].points)
        shares.append(weight * (1.0, correction.moon, correction.against)[shot])
        lowest = [each.seat for each in board.seats if each.after == min([other.after for other in board.seats])]
        wins.append(float(seat in lowest))
    total = sum(shares)
    mean = sum(map(float.__mul__, shares, map(float, points))) / total
    spread = sqrt(sum([share * (each - mean) ** 2 for share, each in zip(shares, points, strict=True)]) / total)
    assert found.points == pytest.approx(mean + correction.points * spread)
    against = sum([share for share, shot in zip(shares, shots, strict=True) if shot == 2]) / total
    assert found.moon_against == pytest.approx(against)
    if rules.max_deals == 1:
        assert found.win == pytest.approx(sum(map(float.__mul__, shares, wins)) / total)


def test_the_watchful_players_stand_in_where_the_network_cannot_play() -> None:
    rng = Random("moons")
    shooting = (after for _ in iter(int, 1) for _, _, after in match(Rules(moon=Moon.CHOICE), rng, 2, aim="strong"))
    states: list[Any] = [
        late(presets.black_maria(4), 6, 1),
        dealt(presets.gong_zhu(4), 1),
        next(after for after in shooting if isinstance(after, ChoosingMoon)),
    ]
    for state in states:
        seen = view(state, min(to_act(state)))
        assert assess(seen, RandomStream(1), worlds=2, policy=Learned()) == assess(seen, RandomStream(1), worlds=2)


def test_worlds_of_unequal_weights_make_intervals_wider() -> None:
    tried = Tried()
    tried.plain.worlds, tried.plain.points, tried.plain.points_squared = 100, 500, 2600
    widths = []
    for squares in (100.0, 400.0):
        tried.squares = squares
        found = assessed_move(Play(0, Card("2C")), tried, Correction(), ())
        assert found.points == 5
        assert found.points_interval is not None
        assert found.moon_interval[1] == pytest.approx(1.96**2 / (1e4 / squares + 1.96**2))
        widths.append(found.points_interval[1] - found.points_interval[0])
    # A fourth of the worlds, and Student's factor.
    assert widths[1] / widths[0] == pytest.approx(sqrt(99 / 24) * (1 + 1.2 / 24) / (1 + 1.2 / 99))


# --------------------------------------------------------------------------------------------------------------- passes


@pytest.mark.parametrize(
    ("hand", "best"),
    [("2C 4C 5C 7C 3D 6D 8D 9D QS KS AS 2H 3H", "QS KS AS"), ("2C 3C 2D 3D 2S 3S 4S 5S 7S QS QH KH AH", "QH KH AH")],
)
def test_the_likely_pass_gives_the_dangerous_cards(hand: str, best: str) -> None:
    rules = Rules()
    passes = list(likely_passes(rules, rules.pass_plan(0), 0, Cards(hand), 20))
    assert passes[0] == Pass(0, Cards(best))
    assert len(passes) == len(set(passes)) == 20


def test_each_dangerous_card_is_passed_as_often_as_not() -> None:
    rules, stream = Rules(), RandomStream("drawn")
    hand = Cards("2C 4C 5C 7C 3D 6D 8D 9D QS KS AS 2H 3H")
    drawn = [drawn_pass(rules, rules.pass_plan(0), 0, hand, stream).cards[0] for _ in range(2000)]
    for card in Cards("QS KS AS"):
        assert sum([card in gift for gift in drawn]) / 2000 == pytest.approx(0.5, abs=0.04)
    assert sum([gift == Cards("QS KS AS") for gift in drawn]) / 2000 == pytest.approx(1 / 8, abs=0.03)


def test_all_passes_are_likely_where_there_is_room() -> None:
    seen = view(dealt(Rules(), 1), 0)
    assert isinstance(seen, PassingView)
    assert {*likely_passes(seen.rules, seen.plan, 0, seen.hand, 300)} == {*legal_moves(seen)}


def test_likely_passes_void_short_suits_and_keep_a_hand_that_runs() -> None:
    """Of 2,380 passes of four cards."""
    rules = Rules(players=3, removed=Cards("2C"), pass_cycle=[((1, 4),)])
    hand = Cards("3C 5C 2D 4D 5D 7D JD QD 3S 4S 5S 8S 9S TS QH KH AH")
    passes = list(likely_passes(rules, rules.pass_plan(0), 0, hand, 100))
    assert len(set(passes)) == 100
    kept = [hand - each.cards[0] for each in passes]
    assert any([not each.of_suit(Suit.CLUBS) and len(each.of_suit(Suit.HEARTS)) == 1 for each in kept])
    assert any([{*each} >= {*Cards("JD QD TS QH KH AH")} for each in kept])


def test_any_number_of_cards_is_likely_to_be_put_in() -> None:
    rules = Rules(pass_cycle=[ANY_NUMBER])
    passes = list(likely_passes(rules, ANY_NUMBER, 0, Cards("2C 4C 5C 7C 3D 6D 8D 9D QS KS AS 2H 3H"), 60))
    assert len(set(passes)) == 60
    assert {len(each.cards[0]) if each.cards else 0 for each in passes} == set(range(7))


def test_a_named_pass_is_assessed_in_the_worlds_of_the_hint() -> None:
    seen = view(dealt(Rules(), 1), 0)
    found = assess(seen, RandomStream("passes"), worlds=8)
    named = Pass(0, Cards("2D 3D 9S"))
    moves = [*[each.move for each in found.moves], named]
    again = assess(seen, RandomStream("passes"), worlds=8, moves=moves)
    assert again.of(named) is not None
    assert [again.of(each.move) for each in found.moves] == list(found.moves)


def test_passes_are_screened() -> None:
    seen = view(dealt(Rules(pass_optional=PassOptional.SKIP), 3), 0)
    assert isinstance(seen, PassingView)
    legal = legal_moves(seen)
    best = next(likely_passes(seen.rules, seen.plan, 0, seen.hand, 1))
    found = promising_passes(seen, Watchful(), RandomStream("screened"), 8, 30, 90, first=[best])
    assert len(set(found)) == 8
    assert all([each in legal for each in found])
    assert Pass(0) in found
    seen = view(dealt(Rules(), 3), 0)
    assert isinstance(seen, PassingView)
    network = promising_passes(seen, Learned(), RandomStream("screened"), 8, 3, 12)
    assert network[:4] == list(Learned().passes(seen, 4))
    assert len(set(network)) == 8


def test_as_many_passes_are_assessed_as_are_told() -> None:
    """Declining is one of them."""
    for optional in PassOptional:
        state = dealt(Rules(pass_optional=optional), 1)
        assessed = assess(view(state, 0), RandomStream("passes"), worlds=2)
        assert len(assessed.moves) == MOST_MOVES
        assert (Pass(0) in [each.move for each in assessed.moves]) == (optional is not PassOptional.NO)


def test_likely_passes_are_legal_under_any_rules() -> None:
    rng = Random("passes")
    found = 0
    declined = 0
    while found < 25:
        state = dealt(random_rules(rng), rng.randrange(1000))
        if isinstance(state, Passing):
            found += 1
            legal = legal_moves(state, 1)
            step = state.rules.pass_plan(state.deal_number)
            for most in (1, 5):
                passes = list(likely_passes(state.rules, step, 1, state.hands[1], most))
                assert all(each in legal for each in passes)
                assert len(set(passes)) == len(passes)
                assert 0 < len(passes) <= most
            assert all(drawn_pass(state.rules, step, 1, state.hands[1], RandomStream(n)) in legal for n in range(5))
            declined += Pass(1) in passes
    assert declined


# ---------------------------------------------------------------------------------------------------------------- hints


def told(
    move: Any, points: float, *, win: float = 0.25, moon: float = 0, against: float = 0, others: float = 0
) -> AssessedMove:
    any_interval = (0.0, 1.0)
    return AssessedMove(
        move, points, None, moon, any_interval, against, any_interval, win, any_interval, win - (points - others) / 260
    )


def cards(*texts: str) -> list[Play]:
    return [Play(0, Card(text)) for text in texts]


def begun(rules: Rules) -> View:
    return view(new_game(rules), 0)


LOW, HIGH, MIDDLE = cards("7C", "AC", "8C")
SAFER: Final = "♣7 leaves you with safer cards than ♣A"
SICHERER: Final = "mit ♣7 behältst du sicherere Karten als mit ♣A"
HINTS: dict[str, tuple[Assessment, str, str]] = {
    "the only move": (
        Assessment(begun(Rules()), (told(LOW, 2.06),), 10),
        "♣7: 2.1 points expected; there is no better or worse move",
        "♣7: 2,1 Punkte erwartet; einen besseren oder schlechteren Zug gibt es nicht",
    ),
    "the next best": (
        Assessment(begun(Rules()), (told(LOW, 2.06), told(HIGH, 3.4)), 10),
        "♣7: 2.1 points expected, 3.4 with the next best move (♣A); " + SAFER,
        "♣7: 2,1 Punkte erwartet, 3,4 mit dem nächstbesten Zug (♣A); " + SICHERER,
    ),
    "moons": (
        Assessment(begun(Rules()), (told(LOW, -2.06, moon=0.12, against=0.05), told(HIGH, 3.4)), 10),
        (
            "♣7: -2.1 points expected, 3.4 with the next best move (♣A); someone else shoots the moon 5% of the time; "
            "♣7 keeps your moon alive: 12% of the time, 0% with ♣A"
        ),
        (
            "♣7: -2,1 Punkte erwartet, 3,4 mit dem nächstbesten Zug (♣A); in 5 % der Fälle marschiert jemand "
            "anderes durch; ♣7 erhält dir den Durchmarsch: in 12 % der Fälle, mit ♣A in 0 %"
        ),
    ),
    "the match": (
        Assessment(begun(Rules()), (told(LOW, 4, win=0.5), told(HIGH, 3, win=0.25)), 10),
        "♣7: 4.0 points expected, 3.0 with the next best move (♣A); 50% to win the match, 25% with ♣A",
        ("♣7: 4,0 Punkte erwartet, 3,0 mit dem nächstbesten Zug (♣A); Aussicht auf den Sieg 50 %, mit ♣A 25 %"),
    ),
    "totals with the opposite sign": (
        Assessment(begun(presets.gong_zhu(4)), (told(LOW, -34.8), told(MIDDLE, -34.8), told(HIGH, 236.3)), 10),
        "♣7: 34.8 points expected, -236.3 with the next best move (♣A); just as good: ♣8; " + SAFER,
        "♣7: 34,8 Punkte erwartet, -236,3 mit dem nächstbesten Zug (♣A); ebenso gut: ♣8; " + SICHERER,
    ),
    "what is left of a countdown": (
        Assessment(begun(Rules(score_display=ScoreDisplay.COUNTDOWN)), (told(LOW, 0), told(HIGH, 3.4)), 10),
        "♣7: 0.0 points expected, -3.4 with the next best move (♣A); " + SAFER,
        "♣7: 0,0 Punkte erwartet, -3,4 mit dem nächstbesten Zug (♣A); " + SICHERER,
    ),
    "what the others get": (
        Assessment(begun(presets.gong_zhu(4)), (told(LOW, 118.9, others=20), told(HIGH, 112.9)), 10),
        "♣7: -118.9 points expected, -112.9 with the next best move (♣A); with ♣7 the others do worse",
        ("♣7: -118,9 Punkte erwartet, -112,9 mit dem nächstbesten Zug (♣A); mit ♣7 kommen die anderen schlechter weg"),
    ),
    "a chance that looks the same": (
        Assessment(begun(Rules()), (told(LOW, 4.1, win=0.254), told(HIGH, 4, win=0.251)), 10),
        "♣7: 4.1 points expected, 4.0 with the next best move (♣A); with ♣7 the match is won a little more often",
        (
            "♣7: 4,1 Punkte erwartet, 4,0 mit dem nächstbesten Zug (♣A); "
            "mit ♣7 ist die Aussicht auf den Sieg etwas besser"
        ),
    ),
    "equal moves": (
        Assessment(begun(Rules()), (told(LOW, 0), told(MIDDLE, 0), told(HIGH, 1)), 10),
        "♣7: 0.0 points expected, 1.0 with the next best move (♣A); just as good: ♣8; " + SAFER,
        "♣7: 0,0 Punkte erwartet, 1,0 mit dem nächstbesten Zug (♣A); ebenso gut: ♣8; " + SICHERER,
    ),
    "many equal moves": (
        Assessment(begun(Rules()), tuple([told(move, 0) for move in cards("2C", "3C", "4C", "5C", "6C")]), 10),
        "♣2: 0.0 points expected; there is no better or worse move; just as good: ♣3 and 3 more",
        ("♣2: 0,0 Punkte erwartet; einen besseren oder schlechteren Zug gibt es nicht; ebenso gut: ♣3 und 3 weitere"),
    ),
    "passes": (
        Assessment(begun(Rules()), (told(Pass(0, Cards("QS")), 2), told(Pass(0), 3)), 10),
        (
            "passing ♠Q: 2.0 points expected, 3.0 with the next best move (passing nothing); "
            "passing ♠Q leaves you with safer cards than passing nothing"
        ),
        (
            "♠D weitergeben: 2,0 Punkte erwartet, 3,0 mit dem nächstbesten Zug (nichts weitergeben); "
            "mit ♠D weitergeben behältst du sicherere Karten als mit nichts weitergeben"
        ),
    ),
    "an exposure": (
        Assessment(begun(Rules()), (told(Expose(0, Cards("QS")), 2), told(Expose(0, Cards()), 3)), 10),
        (
            "exposing ♠Q: 2.0 points expected, 3.0 with the next best move (exposing nothing); "
            "exposing ♠Q gains more than it costs, and exposing nothing gives that up"
        ),
        (
            "♠D zeigen: 2,0 Punkte erwartet, 3,0 mit dem nächstbesten Zug (nichts zeigen); "
            "♠D zu zeigen bringt mehr, als es kostet, und nichts zeigen verschenkt das"
        ),
    ),
    "what the moon does": (
        Assessment(
            begun(Rules()),
            (told(ChooseMoon(0, Moon.OTHERS_UP), 0, moon=1), told(ChooseMoon(0, Moon.SHOOTER_DOWN), 1, moon=1)),
            10,
        ),
        (
            "the points to the others: 0.0 points expected, 1.0 with the next best move (the points off your total); "
            "you shoot the moon 100% of the time; "
            "the points to the others helps you more in the match than the points off your total"
        ),
        (
            "die Punkte den anderen: 0,0 Punkte erwartet, 1,0 mit dem nächstbesten Zug (die Punkte vom eigenen Stand); "
            "in 100 % der Fälle gelingt dir der Durchmarsch; "
            "die Punkte den anderen hilft dir in der Partie mehr als die Punkte vom eigenen Stand"
        ),
    ),
}


def test_just_as_good_agrees_with_the_table_of_moves() -> None:
    """Moves with the same figures are just as good; a next best move with the same points has another chance."""
    rng = Random("equal")
    equal = other = 0
    for _ in range(300):
        points = [rng.choice((19.549, 19.551, 19.649, 19.651, 18.0)) for _ in range(3)]
        wins = [rng.choice((0.2549, 0.2551, 0.26)) for _ in range(3)]
        moves = [told(move, *each) for move, *each in zip((LOW, MIDDLE, HIGH), points, strict=True)]
        moves = [attrs.evolve(each, win=win) for each, win in zip(moves, wins, strict=True)]
        shown = [(f"{each.points:.1f}", f"{100 * each.win:.0f}") for each in moves]
        said = hint(Assessment(begun(Rules()), tuple(moves), 10))
        named = re.search("just as good: ([^;]*)", said)
        assert len(named[1].split(", ") if named else []) == shown[1:].count(shown[0])
        equal += named is not None
        rest = [each for each in shown[1:] if each != shown[0]]
        if rest and rest[0][0] == shown[0][0]:
            other += 1
            assert "to win the match" in said
    assert equal > 20 < other


def test_a_hint_gives_the_reason_with_the_players_names() -> None:
    """A reader of hints learns why before the card is played, as a reader of reviews does afterwards."""
    state: Any = new_game(Rules(pass_cycle=((),)))
    state = apply(state, deal(state, seed="hint reason"))
    rng = Random(3)
    said = ""
    while "has no" not in said and isinstance(state, Playing):
        seen: Any = view(state, state.turn)
        if not state.trick and any(seen.voids):
            moves: Any = legal_moves(seen)
            by_void = [each for each in moves if any([each.card.suit in suits for suits in seen.voids])]
            other = [each for each in moves if each not in by_void]
            if by_void and len(other) > 1:
                # An equal move is named, too.
                figures = (told(other[0], 1.0), told(other[1], 1.0), told(by_void[0], 5.0))
                said = hint(Assessment(seen, figures, 10), names=("Ann", "Bob", "Carla", "Dan"))
        state = apply(state, uniform(seen, rng))
    assert re.search(
        "; (Ann|Bob|Carla|Dan)( and .*)? ha(s|ve) no (clubs|diamonds|spades|hearts) left, and can discard", said
    )


@pytest.mark.parametrize(("assessment", "english", "german"), HINTS.values(), ids=HINTS)
def test_a_hint_is_a_sentence(assessment: Assessment, english: str, german: str) -> None:
    assert hint(assessment) == hint(assessment, "en") == english
    assert hint(assessment, "de") == german


def test_a_hint_tells_of_another_move_than_the_best() -> None:
    assessment = HINTS["the next best"][0]
    assert hint(assessment, move=HIGH) == ("♣A: 3.4 points expected, 2.1 with the best move (♣7); " + SAFER)
    assert hint(assessment, move=LOW) == hint(assessment)
    others = HINTS["what the others get"][0]
    assert hint(others, move=HIGH) == (
        "♣A: -112.9 points expected, -118.9 with the best move (♣7); with ♣7 the others do worse"
    )
    with pytest.raises(ValueError, match="this move was not assessed"):
        hint(assessment, move=MIDDLE)
    with pytest.raises(UnknownLanguage):
        hint(assessment, "xx")


def test_every_pattern_of_hints_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    told: set[str] = set()

    def noting(name: str, language: str, **params: object) -> str:
        told.add(name)
        return phrase(name, language, **params)

    monkeypatch.setattr(_hints, "phrase", noting)
    for assessment, _, _ in HINTS.values():
        hint(assessment)
    hint(HINTS["the next best"][0], move=HIGH)
    assert {name for name in told if name.startswith("hint.")} == {
        name for name in catalogue() if name.startswith("hint.")
    }
