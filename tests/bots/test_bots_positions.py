"""Positions in which an earlier heuristic player chose badly, a line each, and the queens that players invite."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import attrs
import pytest

from heartsrules import Card, Cards, Pass, Passing, Play, Playing, Rules, to_act, view
from heartsrules.analysis import solve
from heartsrules.bots import Bot, Sampling, heuristic
from heartsrules.chance import RandomStream
from heartsrules.formats.notation import parse_position
from heartsrules.views.worlds import sample_world
from support.benches import bench

pytestmark = pytest.mark.once_compiled

QUEENS = bench("queens")
PATH = Path(__file__).parents[1] / "data" / "bot_positions.txt"
PLAYERS: dict[str, tuple[Bot, int]] = {"heuristic": (heuristic, 5), "sampling": (Sampling(worlds=400), 2)}
"""The players, and how many times each of them is asked."""


@attrs.frozen
class Case:
    """A position and the moves that are bad in it."""

    name: str
    players: tuple[str, ...]
    bad: Cards
    """Cards that are not to be played; while passing, cards that are not to be passed."""
    state: Playing | Passing

    @property
    def seat(self) -> int:
        """Who is to choose; while passing, the first who has not."""
        return min(to_act(self.state))


def cases() -> Iterator[Case]:
    """The lines of the file."""
    for number, line in enumerate(PATH.read_text(encoding="utf-8").splitlines(), 1):
        if line and not line.startswith("#"):
            players, bad, text = line.split(" | ")
            state = parse_position(text)
            assert isinstance(state, (Playing, Passing))
            yield Case(f"line {number}", tuple(players.split()), Cards(bad), state)


CASES = list(cases())


@pytest.mark.sampled(4)
@pytest.mark.parametrize(
    ("case", "player"),
    [pytest.param(case, player, id=f"{case.name}, {player}") for case in CASES for player in case.players],
)
def test_a_player_makes_no_bad_move(case: Case, player: str) -> None:
    bot, times = PLAYERS[player]
    seen = view(case.state, case.seat)
    for seed in range(times):
        move = bot(seen, RandomStream(seed))
        assert isinstance(move, (Play, Pass))
        cards = Cards([move.card]) if isinstance(move, Play) else sum(move.cards, start=Cards())
        assert not cards & case.bad, f"asked for the {seed + 1}. time"


ENDINGS = [case for case in CASES if isinstance(case.state, Playing) and sum(map(len, case.state.hands)) <= 28]
"""Those that the solver can judge."""


@pytest.mark.long
@pytest.mark.parametrize("case", ENDINGS, ids=[case.name for case in ENDINGS])
def test_with_open_cards_what_is_bad_costs_more_on_average(case: Case) -> None:
    state, rules = case.state, case.state.rules
    seen, stream = view(state, case.seat), RandomStream("worlds")
    costs: dict[Card, float] = {}
    for _ in range(24):
        world = sample_world(seen, stream)
        assert isinstance(world, Playing)
        solution = solve(world)
        for move, points in zip(solution.moves, solution.points, strict=True):
            assert isinstance(move, Play)
            cost = sum([points[seat] for seat in rules.sides[rules.side(case.seat)]])
            costs[move.card] = costs.get(move.card, 0) + cost / 24
    least = min(costs.values())
    for card in case.bad:
        assert costs[card] > least + rules.penalty_total / rules.decks / 26, card


def test_there_are_endings_enough() -> None:
    assert len(ENDINGS) >= 30
    assert len({case.state.rules for case in ENDINGS}) >= 5


@pytest.mark.long
@pytest.mark.untraced
def test_the_heuristic_player_does_not_bring_the_queen_on_itself() -> None:
    found = QUEENS.queens(Rules(), heuristic, deals=100, seed="test")
    assert found.needless <= 3
