"""How strong the bots are: they beat chance, in the family too, and the documented figures are those of their seed."""

from __future__ import annotations

from itertools import combinations
from pathlib import Path

import pytest

from heartsrules import Card, Cards, Rules, presets
from heartsrules.bots import Sampling, heuristic, uniform
from heartsrules.rules import FirstTrick, HeartsLead, MoonCards
from heartsrules.simulation import seatings_of, tournament
from support.benches import bench

pytestmark = pytest.mark.once_compiled

BENCH = bench("bots")
EXPLOIT = bench("exploit")
PAGE = Path(__file__).parents[2] / "bench" / "results" / "bots-measured.md"
GAMES: dict[str, Rules] = {
    **BENCH.FAMILY,
    "cardstock(4)": presets.cardstock(),
    "points when broken": Rules(
        first_trick=FirstTrick.NO_HEARTS,
        hearts_lead=HeartsLead.POINTS_WHEN_BROKEN,
        extra_penalties=[(Card("AS"), 7)],
        moon_cards=MoonCards.HEARTS_AND_QUEEN,
    ),
}


@pytest.mark.sampled(8)
@pytest.mark.untraced
@pytest.mark.parametrize("rules", GAMES.values(), ids=GAMES)
def test_the_heuristic_player_is_better_than_chance(rules: Rules) -> None:
    assert tournament(rules, heuristic, uniform, tables=20, seed=1, deals=1).margin.low > 0


@pytest.mark.untraced
def test_a_player_that_samples_is_better_than_chance() -> None:
    assert tournament(presets.cardstock(), Sampling(worlds=8), uniform, tables=8, seed=1).margin.low > 0


def documented(name: str) -> list[str]:
    """The lines of the page's tables that tell of a game."""
    return [line for line in PAGE.read_text(encoding="utf-8").splitlines() if line.startswith(f"| `{name}` |")]


@pytest.mark.untraced
@pytest.mark.parametrize("name", BENCH.SHOWING)
def test_the_heuristic_player_shows_in_some_deals_and_not_in_others(name: str) -> None:
    counts = BENCH.shown(BENCH.SHOWING[name], heuristic, deals=1000, seed="bots")
    assert BENCH.showing_row(name, counts) in documented(name)
    held, shown = counts.pop("any")
    assert 0.1 * held < shown < 0.9 * held
    for card, (held, shown) in counts.items():
        assert 0 < shown < 0.9 * held, card


@pytest.mark.long
@pytest.mark.untraced
@pytest.mark.parametrize("name", ["gong_zhu(4)", "gong_zhu(4, exposable=Cards())", "omnibus(4)"])
def test_the_heuristic_player_takes_the_bonus_card_more_often_than_its_share(name: str) -> None:
    rules = BENCH.HUNTING[name]
    assert BENCH.taken(rules, heuristic, uniform, tables=40, seed="hunt").low > 1 / rules.players


def test_a_line_of_the_line_ups_is_a_tournament() -> None:
    players = {"heuristic": heuristic, "uniform": uniform}
    pair = ("heuristic", "uniform")
    row = BENCH.line_up_row("leekha()", presets.leekha(), players, pair, BENCH.Played(1, "x", "", None))
    names = ["heuristic", "uniform"] * 2
    seatings = seatings_of(names, "rotations")
    result = tournament(presets.leekha(), players, seatings, tables=15, seed="x", deals=1)
    difference = result.duel(*pair).difference
    assert row.startswith(
        f"| `leekha()` | heuristic | uniform | 30 | {difference.mean:+.2f} ± {difference.error:.2f} | "
    )
    assert BENCH.line_up_of(presets.dicegamedepot(5), "a", "b") == ["a", "b", "a", "b", "a"]
    assert list(BENCH.line_up_rows([pair], players, BENCH.Played(1, "x", "no such game", None))) == []


@pytest.mark.long
@pytest.mark.parametrize("players", [3, *[pytest.param(count, marks=pytest.mark.figures) for count in (4, 5)]])
def test_the_documented_figures_are_those_of_their_seed(players: int) -> None:
    text = PAGE.read_text(encoding="utf-8")
    section = text[text.index(f"**cardstock, {players} players, single deals**, against uniform") :]
    row = next(line for line in section.splitlines() if line.startswith("| heuristic |"))
    games = int(row.split("|")[2])
    result = tournament(presets.cardstock(players), heuristic, uniform, tables=games // players, seed="bots")
    assert row == BENCH.row("heuristic", result, games)


@pytest.mark.long
@pytest.mark.parametrize(
    "name",
    [
        pytest.param("gong_zhu(4)", marks=pytest.mark.figures),
        pytest.param("leekha()", marks=pytest.mark.figures),
        pytest.param("heartsette(4)", marks=pytest.mark.figures),
    ],
)
def test_the_documented_margins_of_the_family_are_those_of_their_seed(name: str) -> None:
    rules = BENCH.FAMILY[name]
    result = tournament(rules, heuristic, uniform, tables=1000, seed="bots", deals=1)
    assert result.margin.low > 0
    assert BENCH.family_row(name, rules, result) in documented(name)


@pytest.mark.long
@pytest.mark.figures
def test_the_documented_hunt_is_that_of_its_seed() -> None:
    name = "gong_zhu(4)"
    rules = BENCH.HUNTING[name]
    rate = BENCH.taken(rules, heuristic, uniform, tables=1000, seed="bots")
    assert BENCH.hunting_row(name, rules, 1000, rate) in documented(name)


def test_a_best_response_is_as_good_as_the_player_itself_at_least() -> None:
    rules = EXPLOIT.small(2)
    assert (len(rules.deck), rules.cards_per_hand) == (6, 2)
    found = EXPLOIT.gains("uniform", EXPLOIT.small(3), 3)
    assert min(found) > -1e-9
    assert max(found) > 0.1
    player = EXPLOIT.Player("heuristic")
    # What equal players save adds up to nothing over all seats and hands.
    total = sum(
        EXPLOIT.value(worlds, seat, player, responds=False)
        for seat in range(3)
        for hand in combinations(rules.deck, 2)
        for worlds in EXPLOIT.deals(rules, seat, Cards(hand))
    )
    assert abs(total) < 1e-6
