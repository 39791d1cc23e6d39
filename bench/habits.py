"""Fit the tables of `heartsrules.analysis.habits` to the choices of the sampling player in self-play.

    python bench/habits.py [--deals N] [--worlds N] [--seed TEXT] [--jobs N] [--write FILE]

Half the seats pass as the network does, the others as the heuristic player. A card's probability is its share of the
exponentials of all scores of its position (a softmax). One deal in ten is kept apart: of its choices, it is printed how
many are the most probable card, and how many a watchful player's.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from heartsrules import Play, Playing, apply, deal, legal_moves, new_game, presets, view
from heartsrules.analysis import habits
from heartsrules.analysis.card_choice import taker_of, watchful_face
from heartsrules.analysis.policies import position_of
from heartsrules.bots import Learned, Sampling
from heartsrules.bots.heuristic import heuristic_passes
from heartsrules.cards import Cards
from heartsrules.chance import RandomStream
from heartsrules.play.legality import CardChoice
from heartsrules.play.state import Passing, State
from heartsrules.views import PassingView, PlayingView

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

_KINDS: Final = "leads", "follows", "discards"
_DEALS_AT_ONCE: Final = 20
_APART: Final = 10
"""One deal in so many is kept apart."""
_STEPS: Final = 300
_DECAY: Final = 3.0
"""The pull of all scores towards 0."""


class Choice(NamedTuple):
    """A choice of one of several cards."""

    kind: int
    places: list[tuple[int, ...]]
    """The places in the tables, card by card."""
    chosen: int
    """The index of the card chosen."""
    watchful: bool
    """Whether a watchful player would choose it."""


def passed(state: State, seed: int) -> State:
    """The deal after the passes."""
    assert isinstance(state, Passing)
    for seat in range(4):
        seen = view(state, seat)
        assert isinstance(seen, PassingView)
        network = (seat + seed) % 2
        state = apply(state, Learned().choose(seen) if network else heuristic_passes(seen, RandomStream(seat), 1)[0])
    return state


def choices(seen: PlayingView, card: int) -> Iterator[Choice]:
    """The choice of a card, given by its bit, if there was one."""
    legal = Cards([move.card for move in legal_moves(seen) if isinstance(move, Play)])
    given = CardChoice(
        seen.rules, seen.turn, seen.hand, legal, seen.trick, seen.trick_number, seen.hearts_broken, seen.captured
    )
    board, situation = position_of(given)
    known, draws = habits.Habits(habits.shipped_tables()), RandomStream.from_bits(0)
    known.look(board.compiled, situation, legal.lo, board.trick_number, taker_of(board), draws)
    usual = watchful_face(board.compiled, situation, legal.lo, 0, RandomStream.from_bits(0))
    board.open_ring()
    places = known.choices()
    if len(places) > 1:
        stands = max(bit for bit in places if bit <= card)
        yield Choice(known.kind, list(places.values()), list(places).index(stands), usual == stands)


def played(numbers: range, worlds: int, seed: str) -> list[list[Choice]]:
    """The choices of some deals."""
    rules, bot = presets.microsoft(), Sampling(worlds)
    found: list[list[Choice]] = []
    for number in numbers:
        name = f"{seed} {number}"
        state = passed(apply(new_game(rules), deal(new_game(rules), seed=name)), number)
        found.append([])
        while isinstance(state, Playing):
            seen = view(state, state.turn)
            move = bot(seen, RandomStream(f"{name} {state.trick_number} {state.turn}"))
            assert isinstance(seen, PlayingView)
            assert isinstance(move, Play)
            found[-1].extend(choices(seen, move.card.bit))
            state = apply(state, move)
    return found


class Table:
    """Choices of one kind as arrays: a row for each card of each choice."""

    def __init__(self, listed: list[Choice]) -> None:
        counts = [len(each.places) for each in listed]
        self.starts: Final[Ints] = np.cumsum([0, *counts[:-1]])
        self.counts: Final[Ints] = np.array(counts)
        self.places: Final[Ints] = np.array([place for each in listed for place in each.places])
        self.chosen: Final[Ints] = self.starts + np.array([each.chosen for each in listed])
        self.watchful: Final = float(np.mean([each.watchful for each in listed]))

    def chances(self, scores: Floats) -> Floats:
        """The probability of each card."""
        sums = scores[self.places].sum(axis=1)
        sums = np.exp(sums - np.maximum.reduceat(sums, self.starts).repeat(self.counts))
        chances: Floats = sums / np.add.reduceat(sums, self.starts).repeat(self.counts)
        return chances

    def agreement(self, scores: Floats) -> float:
        """The fraction of choices of the most probable card."""
        chances = self.chances(scores)
        return float(np.mean(chances[self.chosen] == np.maximum.reduceat(chances, self.starts)))


def fitted(table: Table, size: int) -> Floats:
    """The scores that make the choices most probable, by Adam."""
    scores, mean, square = np.zeros((3, size))
    count = len(table.counts)
    for step in range(1, _STEPS + 1):
        off = table.chances(scores)
        off[table.chosen] -= 1
        sums = np.bincount(table.places.ravel(), off.repeat(table.places.shape[1]), minlength=size)
        slope = (sums + _DECAY * scores) / count
        mean += 0.1 * (slope - mean)
        square += 0.01 * (slope * slope - square)
        pace = 0.1 if step <= _STEPS * 2 // 3 else 0.02
        scores -= pace * mean / (1 - 0.9**step) / (np.sqrt(square / (1 - 0.99**step)) + 1e-6)
    return scores


def main() -> None:
    """Play, fit, and write the tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--deals", type=int, default=9000)
    parser.add_argument("--worlds", type=int, default=100)
    parser.add_argument("--seed", default="habits")
    parser.add_argument("--jobs", type=int, default=2, help="how many processes")
    parser.add_argument("--write", type=Path, default=Path(habits.__file__).parent / habits.SHIPPED)
    options = parser.parse_args()
    parts = [
        range(start, min(start + _DEALS_AT_ONCE, options.deals)) for start in range(0, options.deals, _DEALS_AT_ONCE)
    ]
    with ProcessPoolExecutor(options.jobs) as workers:
        count = len(parts)
        found = workers.map(played, parts, [options.worlds] * count, [options.seed] * count)
        deals = [listed for part in found for listed in part]
    tables: list[Any] = []
    for kind, size in enumerate(habits.SIZES):
        rows: list[list[Choice]] = [[], []]
        for number, listed in enumerate(deals):
            rows[number % _APART == 0].extend([each for each in listed if each.kind == kind])
        learned, apart = map(Table, rows)
        scores = fitted(learned, size)
        print(
            f"{_KINDS[kind]}: {len(rows[0])} and {len(rows[1])} apart, of which {apart.agreement(scores):.1%} are the "
            f"most probable card, and {apart.watchful:.1%} a watchful player's",
            flush=True,
        )
        tables.append([round(score) for score in (habits.UNIT * scores).tolist()])
    lines = ",\n".join(json.dumps(each, separators=(",", ":")) for each in tables)
    options.write.write_text(f"[\n{lines}\n]\n", encoding="utf-8")


if __name__ == "__main__":
    main()
