"""Positions with the values of their moves, by search: what the learned player imitates before it plays against itself.

The teacher tries every move in sampled worlds, as the sampling player does. The worlds of a position are few, so its
values are noisy; the gradient of the expected value is linear in them, and so the noise averages out over positions.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from heartsrules import Rules, apply, deal, legal_moves, new_game, view
from heartsrules.analysis.endings import distinct_plays
from heartsrules.analysis.policies import Watchful
from heartsrules.analysis.seat_words import FAILED, PLAY, TRICK
from heartsrules.analysis.trials import Trials
from heartsrules.bots import heuristic
from heartsrules.bots._network import ACTIONS
from heartsrules.bots.heuristic import heuristic_passes
from heartsrules.bridges.vector import DECLINE, word_layout, words_of
from heartsrules.cards import ALL_FACES
from heartsrules.chance import RandomStream
from heartsrules.play.moves import Expose, Move, Pass, Play
from heartsrules.play.public import faces_of
from heartsrules.play.state import AwaitingDeal, ChoosingMoon, GameOver, Passing, Playing, State
from heartsrules.views import ExposingView, PassingView, PlayingView, View

Ints: TypeAlias = NDArray[np.int64]
Floats: TypeAlias = NDArray[Any]

PASSES: Final = 8
"""Number of passes that the teacher compares."""
WARMTH: Final = 0.5
"""Difference of values for which one pass or exposure is e times as likely as another, in their standard deviation."""
ODD_MOVES: Final = (0.0, 0.0, 0.03, 0.1)
"""Rates of random moves, one for each game, so that positions after mistakes occur."""
MOON_WEIGHT: Final = 7.0
"""Weight of a world in which another side, the only one with points, shoots the moon."""
UNKNOWN: Final = -9.0
"""The value of an action without one."""
_FIRST: Final = 10_000
"""The number of positions that tell how much a game's values differ."""
_MASKS: Final = ("legal", "hand", "gifts", "received", "showing", "kitty", "exposed", "trick", "played", "captured")
_CLUBS: Final = 8191
_DIAMONDS: Final = 8191 << 13


class Positions(NamedTuple):
    """Positions and what the teacher says of their actions. All have a row for each position."""

    words: Ints
    values: Floats
    """By action, its value in play (`UNKNOWN` if it is not legal); otherwise its chance."""
    plays: NDArray[np.bool_]
    """Whether it is a play."""


def teach(rules: Rules, seed: int, worlds: int) -> Positions:
    """Play one deal by search, and return its decisions."""
    rng, stream = np.random.default_rng(seed), RandomStream(seed)
    odd = rng.choice(ODD_MOVES)
    found: list[tuple[Ints, Floats, bool]] = []
    start = new_game(rules)
    state: State = apply(start, deal(start, rng=stream))
    while not isinstance(state, (AwaitingDeal, GameOver)):
        seat = seat_to_move(state)
        seen = view(state, seat)
        moves = candidates(seen, stream)
        best = 0
        if len(moves) > 1:
            values = values_by_search(seen, moves, stream, worlds)
            found += decisions(seen, moves, values, rng)
            best = int(rng.integers(len(moves))) if rng.random() < odd else int(values.argmax())
        state = apply(state, moves[best])
    words, targets, plays = zip(*found, strict=True)
    return Positions(np.array(words), np.array(targets, np.float16), np.array(plays, bool))


def seat_to_move(state: State) -> int:
    """The seat that moves first of those that may."""
    if isinstance(state, Playing):
        return state.turn
    if isinstance(state, Passing):
        return state.commitments.index(None)
    return state.shooter if isinstance(state, ChoosingMoon) else state.to_act[0]


def candidates(seen: View, stream: RandomStream) -> Sequence[Move]:
    """The moves that are compared: one of each run of equivalent cards, and likely passes."""
    if isinstance(seen, PassingView):
        return heuristic_passes(seen, stream, PASSES)
    moves = legal_moves(seen)
    if isinstance(seen, PlayingView):
        return distinct_plays(seen.rules, moves, between(seen), faces_of(seen.exposed))
    return moves if isinstance(seen, ExposingView) else [heuristic(seen, stream)]


def between(seen: PlayingView) -> int:
    """The cards that separate cards in the hand: those that neither it nor a pile has."""
    return (seen.rules.deck - sum(seen.captured, start=seen.hand)).lo


def values_by_search(seen: View, moves: Sequence[Move], stream: RandomStream, worlds: int) -> Floats:
    """The mean result of each move in the same worlds: the gain of the deal, as a fraction of all penalty points."""
    trials = Trials(seen, moves, stream, Watchful(), weighs=True, keeps=True)
    trials.go_on(worlds, range(len(moves)))
    weights = np.array([each.weight for each in trials.tried[0].played])
    if one_other_has_points(seen):
        # As the sampling player does, since drawn worlds have too few moons.
        moons = np.array([[each.shot == 2 for each in tried.played] for tried in trials.tried])
        weights *= 1 + (MOON_WEIGHT - 1) * moons.mean(axis=0)
    # A value is the chance to win and a tenth of the gain.
    gains = np.array([[10 * (each.value - each.win) for each in tried.played] for tried in trials.tried])
    found: Floats = gains @ weights / weights.sum() if weights.sum() > 0 else gains.mean(axis=1)
    return found


def one_other_has_points(seen: View) -> bool:
    """Whether exactly one side has taken cards of the moon, and it is another one."""
    if not isinstance(seen, PlayingView):
        return False
    sides = len(seen.rules.sides)
    having = {seat % sides for seat, pile in enumerate(seen.captured) if pile.lo & seen.rules._resolved.moon_lo}
    return len(having) == 1 and (seen.seat or 0) % sides not in having


def decisions(
    seen: View, moves: Sequence[Move], values: Floats, rng: np.random.Generator
) -> list[tuple[Ints, Floats, bool]]:
    """The decisions of a move: one for a play, one for each card of a pass or an exposure."""
    if isinstance(seen, PlayingView):
        words = words_of(seen)
        legal = words[word_layout(seen.rules)["legal"]].item()
        return [(words, spread(moves, values, legal, between(seen)), True)]
    chances = np.exp((values - values.max()) / (WARMTH * values.std() + 1e-9))
    chances /= chances.sum()
    sequences = [sequence(seen, move, rng) for move in moves]
    chosen = sequences[int(rng.choice(len(moves), p=chances))]
    found = []
    for count, action in enumerate(chosen):
        words = words_of(seen, [ALL_FACES[pick] for pick in chosen[:count]])
        target = np.zeros(ACTIONS)
        for other, chance in zip(sequences, chances, strict=True):
            rest = rest_of(seen, other, chosen[:count])
            for each in rest:
                target[each] += chance / len(rest)
        target[action] += 1e-6
        found.append((words, target / target.sum(), False))
    return found


def spread(moves: Sequence[Move], values: Floats, legal: int, parting: int) -> Floats:
    """The values by action; equivalent cards have the same."""
    found = np.full(ACTIONS, UNKNOWN)
    for move, value in zip(moves, values, strict=True):
        assert isinstance(move, Play)
        found[move.card.index] = value
    known = found.copy()
    for card in range(DECLINE):
        if not legal >> card & 1 or known[card] != UNKNOWN:
            continue
        for other in sorted(range(card // 13 * 13, card // 13 * 13 + 13), key=lambda each: abs(each - card)):
            low, high = sorted((card, other))
            apart = sum([1 << place for place in range(low + 1, high)])
            if known[other] != UNKNOWN and not parting & apart:
                found[card] = known[other]
                break
    return found


def sequence(seen: View, move: Move, rng: np.random.Generator) -> list[int]:
    """The actions of a pass, in random order within each gift, or of an exposure."""
    if isinstance(move, Pass):
        return [int(each) for gift in move.cards for each in rng.permutation(np.array([card.index for card in gift]))]
    assert isinstance(move, Expose)
    assert isinstance(seen, ExposingView)
    return [*[card.index for card in move.cards], DECLINE]


def rest_of(seen: View, actions: list[int], picked: list[int]) -> list[int]:
    """The actions that may come next on the way to a move after some picks; empty: they lead elsewhere."""
    if not isinstance(seen, PassingView):
        return [actions[len(picked)]] if actions[: len(picked)] == picked and len(actions) > len(picked) else []
    first = 0
    for _, size in seen.plan:
        gift = set(actions[first : first + size])
        done = set(picked[first : first + size])
        if not done <= gift:
            return []
        if len(done) < size:
            return sorted(gift - done)
        first += size
    return []


def is_symmetric(rules: Rules) -> bool:
    """Whether clubs and diamonds are interchangeable after the first trick."""
    resolved = rules._resolved
    named = resolved.penalty | resolved.bonus_faces | resolved.doubler | resolved.exposable | resolved.moon_lo
    named |= resolved.compulsory_faces
    deck = resolved.deck_lo
    return not named & (_CLUBS | _DIAMONDS) and deck & _CLUBS == (deck & _DIAMONDS) >> 13


def swap_suits(rules: Rules, positions: Positions, chosen: Ints) -> None:
    """Exchange clubs and diamonds in some positions, in place."""
    words, values, _ = positions
    at = word_layout(rules)
    for name in _MASKS:
        if name in at:
            masks = words[chosen, at[name]]
            masks = masks & ~(_CLUBS | _DIAMONDS) | (masks & _CLUBS) << 13 | (masks & _DIAMONDS) >> 13
            words[chosen, at[name]] = masks
    about = words[chosen, at["about"]]
    clubs, diamonds = about & FAILED[0], about & FAILED[1]
    words[chosen, at["about"]] = about & ~(FAILED[0] | FAILED[1]) | clubs << 1 | diamonds >> 1
    old = values[chosen]
    values[chosen, :13], values[chosen, 13:26] = old[:, 13:26], old[:, :13]


class Library:
    """Positions on disk, by game, in files that are never changed."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.read: set[Path] = set()
        self.parts: dict[str, list[Positions]] = {}
        self._spreads: dict[str, float] = {}

    def add(self, number: int, by_game: dict[str, list[Positions]]) -> None:
        """Write positions to a new file."""
        self.folder.mkdir(parents=True, exist_ok=True)
        joined = {name: joined_positions(parts) for name, parts in by_game.items()}
        arrays: Any = {
            f"{name} {part}": getattr(positions, part)
            for name, positions in joined.items()
            for part in Positions._fields
        }
        np.savez_compressed(self.folder / f"{number:06}.npz", **arrays)

    def refresh(self) -> None:
        """Read new files."""
        for path in sorted(self.folder.glob("*.npz")):
            if path not in self.read:
                self.read.add(path)
                with np.load(path) as arrays:
                    for name in {key.partition(" ")[0] for key in arrays.files}:
                        fields: list[Any] = [arrays[f"{name} {field}"] for field in Positions._fields]
                        self.parts.setdefault(name, []).append(Positions(*fields))

    def size(self) -> int:
        """The number of positions."""
        return sum([len(part.words) for parts in self.parts.values() for part in parts])

    def spread(self, name: str) -> float:
        """The standard deviation of a legal play's value around the mean of its position, in some of a game."""
        if name not in self._spreads:
            first = self.parts[name][0]
            values = first.values[:_FIRST][first.plays[:_FIRST]].astype(np.float64)
            values[values <= UNKNOWN] = np.nan
            self._spreads[name] = float(np.nanstd(values - np.nanmean(values, axis=1, keepdims=True)))
        return self._spreads[name]

    def draw(self, name: str, rules: Rules, count: int, rng: np.random.Generator) -> Positions:
        """Draw positions of a game; where suits are interchangeable, half of them are exchanged."""
        self.parts[name] = [joined_positions(self.parts[name])]
        everything = self.parts[name][0]
        chosen = rng.integers(0, len(everything.words), count)
        drawn = Positions(everything.words[chosen], everything.values[chosen], everything.plays[chosen])
        if is_symmetric(rules):
            deal = drawn.words[:, word_layout(rules)["deal"].start]
            may = (deal & PLAY > 0) & (deal // TRICK & 0xFF > 0)
            swap_suits(rules, drawn, np.flatnonzero(may & (rng.random(count) < 0.5)))
        return drawn


def joined_positions(parts: Sequence[Positions]) -> Positions:
    """Positions one after the other."""
    joined: list[Any] = [np.concatenate(each) for each in zip(*parts, strict=True)]
    return Positions(*joined)
