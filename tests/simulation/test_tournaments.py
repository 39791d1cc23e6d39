"""Matches between players: line-ups and their seatings, duplicate results, ratings, and bots by name."""

from __future__ import annotations

import itertools
import math
import pickle
from concurrent.futures import ThreadPoolExecutor
from typing import Any, cast

import attrs
import pytest

from heartsrules import GameOver, Rules, presets
from heartsrules.bots import BOTS, Bot, Sampling, bot_named, heuristic, uniform
from heartsrules.bots.external import External
from heartsrules.play.stateless import standings
from heartsrules.rules import HOLD
from heartsrules.simulation import (
    Comparison,
    Duel,
    Estimate,
    Results,
    bradley_terry,
    play_match,
    seatings_of,
    tournament,
)
from heartsrules.simulation.executors import Chunked, WorkFailed
from support.chores import Losing

pytestmark = pytest.mark.once_compiled

PLAYERS: dict[str, Bot] = {"h": heuristic, "u": uniform, "s": Sampling(worlds=4)}
SHORT = Rules(pass_cycle=[HOLD], max_deals=1, target=None)


# ---------------------------------------------------------------------------------------------------------- seatings


@pytest.mark.parametrize("line_up", ["ABB", "AABB", "ABCD", "AABCC", "AAAABBBB"])
def test_all_seatings_are_the_different_ones(line_up: str) -> None:
    found = seatings_of(line_up)
    assert len(found) == len(set(found))
    assert set(found) == set(itertools.permutations(line_up))
    assert found[0] == tuple(line_up)


@pytest.mark.parametrize(
    ("line_up", "seatings"),
    [("ABB", {"ABB", "BAB", "BBA"}), ("AABB", {"AABB", "BAAB", "BBAA", "ABBA"}), ("ABAB", {"ABAB", "BABA"})],
)
def test_rotations_move_everybody_on(line_up: str, seatings: set[str]) -> None:
    found = seatings_of(line_up, "rotations")
    assert len(found) == len(seatings)
    assert {"".join(names) for names in found} == seatings


def test_an_unknown_way_to_seat_is_refused() -> None:
    with pytest.raises(ValueError, match="seatings is 'some': choose from all, rotations"):
        seatings_of("hhuu", cast("Any", "some"))


def test_too_many_seatings_are_refused() -> None:
    with pytest.raises(ValueError, match=r"has 39,916,800 seatings, and at most 120 are played: choose seatings='rot"):
        seatings_of("ABCDEFGHIJK")
    assert len(seatings_of("ABCDEFGHIJK", "rotations")) == 11
    assert len(seatings_of("ABCDE")) == 120


# ------------------------------------------------------------------------------------------------------------ results


def test_a_line_up_is_every_match_of_its_seatings() -> None:
    """Worked out once more, by plain loops."""
    names = ["h", "h", "u", "u"]
    results = tournament(SHORT, PLAYERS, names, tables=3, seed="x")
    assert results.seatings == seatings_of(names)
    assert results.players == ("h", "u")
    assert results.unfinished == 0
    alone = tournament(SHORT, heuristic, uniform, tables=3, seed="x")
    for number, table in enumerate(results.tables):
        games = dict(zip(results.seatings, table, strict=True))
        saved: list[float] = []
        own: list[int] = []
        differences: list[int] = []
        fewer: list[float] = []
        ahead: list[float] = []
        for seating, scores in games.items():
            for seat, name in enumerate(seating):
                if name == "h":
                    own.append(scores[seat])
                    saved.append((sum(scores) - scores[seat]) / 3 - scores[seat])
                    ahead += [
                        (scores[seat] < scores[other]) + (scores[seat] == scores[other]) / 2
                        for other in range(4)
                        if seating[other] == "u"
                    ]
                    for other_seating, other_scores in games.items():
                        if other_seating[seat] == "u":
                            differences.append(other_scores[seat] - scores[seat])
                            fewer.append((differences[-1] > 0) + (differences[-1] == 0) / 2)
        duel = results.duel("h", "u")
        assert results.of("h").margins[number] == pytest.approx(sum(saved) / len(saved))
        assert duel.differences[number] == pytest.approx(sum(differences) / len(differences))
        assert duel.matchpoints[number] == results.matchpoints("h")[number] == pytest.approx(sum(fewer) / len(fewer))
        assert duel.ahead[number] == pytest.approx(sum(ahead) / len(ahead))
        assert results.points("h")[number] == pytest.approx(sum(own) / len(own))
    # The cards of a table are those of the simple call.
    alike = tournament(SHORT, PLAYERS, ["h", "u", "u", "u"], tables=3, seed="x")
    assert alike.of("h") == alone
    assert tournament(SHORT, PLAYERS, seatings_of(["h", "u", "u", "u"], "rotations"), tables=3, seed="x") == alike


def test_what_one_player_gains_the_other_loses() -> None:
    results = tournament(SHORT, PLAYERS, seatings_of(["h", "u", "s", "u"], "rotations"), tables=3, seed=2)
    assert results.players == ("h", "u", "s")
    for one, other in itertools.permutations(results.players, 2):
        ours, theirs = results.duel(one, other), results.duel(other, one)
        assert ours.differences == pytest.approx([-value for value in theirs.differences])
        assert ours.matchpoints == pytest.approx([1 - value for value in theirs.matchpoints])
        assert ours.ahead == pytest.approx([1 - value for value in theirs.ahead])
        assert ours.difference.mean == pytest.approx(sum(ours.differences) / 3)
        assert ours.lead.mean + theirs.lead.mean == pytest.approx(1)
        assert ours.matchpoint.error == pytest.approx(theirs.matchpoint.error)
    assert sum(rating.value for rating in results.ratings().values()) == pytest.approx(0)
    assert set(results.ratings()) == {"h", "u", "s"}


def test_equal_players_are_exactly_equal_in_every_line_up() -> None:
    players = {"a": heuristic, "b": heuristic}
    results = tournament(SHORT, players, ["a", "b", "b", "a"], tables=4, seed=1)
    duel = results.duel("a", "b")
    assert duel == Duel((0,) * 4, (0.5,) * 4, (0.5,) * 4)
    assert [rating.value for rating in results.ratings().values()] == pytest.approx([0, 0])


def test_partners_are_one_side() -> None:
    """In teams a seat has the total of its side, and partners are not compared with each other."""
    rules = attrs.evolve(presets.leekha(), max_deals=1, target=None)
    results = tournament(rules, PLAYERS, seatings_of(["h", "u", "h", "u"], "rotations"), tables=3, seed=1)
    assert len(results.seatings) == 2
    assert results.of("h") == tournament(rules, heuristic, uniform, tables=3, seed=1)
    for number, (first, second) in enumerate(results.tables):
        ends = [{each.seats: each.total for each in standings(rules, scores)} for scores in (first, second)]
        ahead = [ends[0][0, 2] < ends[0][1, 3], ends[1][1, 3] < ends[1][0, 2]]
        assert results.duel("h", "u").ahead[number] == sum(ahead) / 2


def test_players_who_are_always_partners_are_not_compared() -> None:
    """Nobody would be told who of them came out ahead, after all tables have been played."""
    asked: list[int] = []
    rules, line_up = Rules(teams=2), ["h", "u", "h", "s"]
    message = "'u' and 's' are partners in every seating, so they cannot be compared: choose seatings='all' or another"
    with pytest.raises(ValueError, match=message):
        tournament(rules, PLAYERS, seatings_of(line_up, "rotations"), tables=1, deals=1, progress=asked.append)
    assert not asked
    results = tournament(rules, PLAYERS, line_up, tables=1, seed=1, deals=1)
    assert len(results.duel("u", "s").ahead) == 1
    assert set(results.ratings()) == {"h", "u", "s"}


def test_a_line_up_does_not_depend_on_who_plays() -> None:
    seen: list[int] = []
    given: Any = {"tables": 4, "seed": 1}
    alone = tournament(SHORT, PLAYERS, ["h", "h", "u", "u"], progress=seen.append, **given)
    assert seen == [1, 2, 3, 4]
    with ThreadPoolExecutor(2) as executor:
        assert tournament(SHORT, PLAYERS, ["h", "h", "u", "u"], executor=executor, **given) == alone
    assert pickle.loads(pickle.dumps(alone)) == alone
    assert isinstance(alone, Results)
    assert isinstance(alone.of("h"), Comparison)


def test_tables_of_a_lost_worker_are_played_again() -> None:
    given: Any = {"tables": 4, "seed": 1}
    with Losing(lambda call, _: "lost" if call in (1, 3) else "done") as executor:
        result = tournament(SHORT, heuristic, uniform, executor=Chunked(executor, chunk=2), **given)
    assert result == tournament(SHORT, heuristic, uniform, **given)
    with (
        Losing(lambda *_: "lost") as executor,
        pytest.raises(WorkFailed, match="the chunk of tables 0 to 0 failed 3 times"),
    ):
        tournament(SHORT, heuristic, uniform, executor=executor, **given)


def test_stopped_games_of_a_line_up_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("heartsrules.simulation.matches.MAX_DEALS_PER_GAME", 1)
    assert tournament(Rules(), PLAYERS, ["h", "u", "u", "u"], tables=2, seed=1).unfinished == 8
    assert tournament(Rules(), PLAYERS, ["h", "u", "u", "u"], tables=2, seed=1, deals=1).unfinished == 0


@pytest.mark.parametrize(
    ("error", "players", "line_up", "options", "message"),
    [
        (ValueError, PLAYERS, ["h", "u", "u"], {}, "4 players need a line-up of 4 names, not 3"),
        (ValueError, PLAYERS, ["h", "u", "v", "u"], {}, "there is no player 'v': choose from h, u, s"),
        (ValueError, PLAYERS, ["h"] * 4, {}, "at least two players"),
        (ValueError, PLAYERS, [tuple("hhuu"), tuple("huuu")], {}, "must have the same players"),
        (ValueError, PLAYERS, list("hhuu"), {"tables": 0}, "tables is 0"),
        (TypeError, PLAYERS, None, {}, "not iterable"),
        (TypeError, {"h": 3}, list("hhuu"), {}, "bot must hold bots by name"),
        (TypeError, "h", "u", {}, "bot must be a bot, not a str"),
    ],
)
def test_line_ups_are_checked(
    error: type[Exception], players: Any, line_up: Any, options: dict[str, Any], message: str
) -> None:
    given: Any = {"tables": 1, "seed": 1} | options
    with pytest.raises(error, match=message):
        tournament(SHORT, players, line_up, **given)


def test_results_are_asked_for_players_that_there_are() -> None:
    results = tournament(SHORT, PLAYERS, list("huuu"), tables=1, seed=1)
    with pytest.raises(ValueError, match="there is no player 'x': choose from h, u"):
        results.of("x")
    with pytest.raises(ValueError, match="there is no player 's'"):
        results.duel("h", "s")
    with pytest.raises(ValueError, match="'h' cannot be compared with itself"):
        results.duel("h", "h")


# ------------------------------------------------------------------------------------------------------------ ratings


def test_a_table_of_other_players_is_refused() -> None:
    fair = [[0.5, 0.5], [0.5, 0.5]]
    wrong: list[list[list[list[float]]]] = [[[]], [fair, [[0.5]]], [[[0.5], [1]]], [[[0.5, 0.5]]]]
    for tables in wrong:
        with pytest.raises(ValueError, match=r"tables\[\d\] must have a row for each of the same players"):
            bradley_terry(tables)


def table(*scores: tuple[int, int, float], players: int) -> list[list[float]]:
    """How often one came out ahead of another, by pairs."""
    found = [[0.0] * players for _ in range(players)]
    for one, other, score in scores:
        found[one][other] = score
        found[other][one] = 1 - score
    return found


def test_two_players_have_the_odds_of_their_results() -> None:
    tables = [table((0, 1, 0.75), players=2)] * 400
    first, second = bradley_terry(tables)
    odds = (300 + 0.5) / (100 + 0.5)
    assert first.value - second.value == pytest.approx(400 * math.log10(odds))
    assert first.value == pytest.approx(-second.value)
    # The tie that is added is the only thing in which the tables differ from the ratings.
    assert first.error == pytest.approx(0, abs=1)


@pytest.mark.long
def test_three_players_have_the_ratings_that_predict_their_results() -> None:
    """Results that were made by the model, exactly, give its strengths back, but for the tie that is added."""
    strengths = (300.0, 0.0, -300.0)
    chances = {
        (one, other): 1 / (1 + 10 ** ((strengths[other] - strengths[one]) / 400))
        for one, other in itertools.combinations(range(3), 2)
    }
    made = table(*[(one, other, chance) for (one, other), chance in chances.items()], players=3)
    values = [rating.value for rating in bradley_terry([made] * 100_000)]
    assert values == pytest.approx(strengths, abs=0.1)


def test_the_intervals_of_ratings_are_those_of_the_mean() -> None:
    """Two players, near the middle: the interval of the difference is that of the mean score, by the slope there."""
    scores = [0.0, 1.0, 0.5, 1.0, 0.0, 1.0, 0.5, 0.0, 1.0, 0.0] * 40
    first, second = bradley_terry([table((0, 1, score), players=2) for score in scores])
    assert first.error is not None
    assert second.error == pytest.approx(first.error)
    slope = 4 * 400 / math.log(10)
    assert 2 * first.error == pytest.approx(slope * Estimate.of(scores).error, rel=0.01)


def test_who_always_wins_is_not_infinitely_strong() -> None:
    always = table((0, 1, 1.0), (1, 2, 1.0), (0, 2, 1.0), players=3)
    for count in (1, 10, 1000):
        first, second, third = bradley_terry([always] * count)
        assert math.inf > first.value > second.value > third.value
        assert (first.error is None) is (count == 1)
    assert bradley_terry([]) == ()


def test_pairs_that_never_met_are_rated_by_the_others() -> None:
    made = table((0, 1, 0.8), (1, 2, 0.8), players=3)
    first, second, third = [rating.value for rating in bradley_terry([made] * 1000)]
    assert first - second == pytest.approx(second - third, rel=0.01)
    assert first - second == pytest.approx(400 * math.log10(4), rel=0.01)


# ------------------------------------------------------------------------------------------------------- bots by name


@pytest.mark.parametrize(
    ("text", "name", "bot"),
    [
        ("uniform", "uniform", uniform),
        (" Heuristic ", "heuristic", heuristic),
        ("sampling", "sampling", BOTS["sampling"]),
        ("old=heuristic", "old", heuristic),
        ("a-b_c.d+1=UNIFORM", "a-b_c.d+1", uniform),
    ],
)
def test_a_bot_has_a_name(text: str, name: str, bot: object) -> None:
    found = bot_named(text)
    assert (found.name, found.bot) == (name, bot)


def test_a_name_may_have_an_option() -> None:
    found = bot_named("Sampling:020")
    assert isinstance(found.bot, Sampling)
    assert (found.name, found.bot.worlds) == ("sampling:20", 20)
    program = bot_named("mine=External: env A=1 Player --Fast", seconds=0.5)
    assert isinstance(program.bot, External)
    assert (program.name, program.bot.command, program.bot.seconds) == ("mine", ("env", "A=1", "Player", "--Fast"), 0.5)
    assert bot_named("external:env A=1 p").name == "external:env A=1 p"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("heuristik", "there is no bot 'heuristik': did you mean heuristic?"),
        ("", "there is no bot '': choose from uniform, heuristic, sampling, learned, external"),
        ("a b=uniform", "there is no bot 'a b=uniform'"),
        ("uniform:3", "uniform has no options: leave out ':3'"),
        ("sampling:", "must say how many worlds it draws, such as sampling:200"),
        ("sampling:0", "must say how many worlds"),
        ("sampling:-1", "must say how many worlds"),
        ("external", "external needs a command: external:COMMAND"),
        ("external: ", "external needs a command"),
        ("external:say 'ah", "No closing quotation"),
    ],
)
def test_a_name_of_nobody_is_refused(text: str, message: str) -> None:
    with pytest.raises(ValueError, match=message.replace("?", r"\?")):
        bot_named(text)


def test_bots_that_prepare_are_told_of_every_game() -> None:
    told: list[Any] = []

    class Prepared:
        def begin(self, rules: Rules, seat: int, /) -> None:
            told.append((rules, seat))

        def __call__(self, *given: Any) -> Any:
            return uniform(*given)

    bot = Prepared()
    end = play_match(SHORT, [uniform, bot, uniform, bot], seed=1)
    assert isinstance(end, GameOver)
    assert told == [(SHORT, 1), (SHORT, 3)]
