"""Train the networks of the learned player, resumably, with NumPy alone.

    python bench/learn.py --hours 4 --taught 2 --folder learning --write src/heartsrules/bots/weights.npz

In the first hours, `--taught` of them, the network imitates a search: half of the time positions are made, see
`teaching.py`, and half of it they are learned. Then it plays against itself. Each round plays one deal at every table
of a few rule sets, with the network in every seat, and improves it by proximal policy optimisation; with `--processes`
several do so at once, and every few minutes go on from the mean of their weights. The critic that judges positions sees
all hands; a search asks it about the worlds that it draws. Checkpoints, positions and the curve go to the folder, and a
later run goes on from there. `--write` rounds the weights to 16 bits.

    python bench/learn.py --begin src/heartsrules/bots/weights.npz --games leekha leekha_single --sharper 1 ...

trains what there is for some games; only the weights of their player change in what is written.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any, Final, NamedTuple, TypeAlias

import attrs
import numpy as np
from numpy.typing import NDArray
from teaching import UNKNOWN, Library, Positions, joined_positions, teach

from heartsrules import Rules, presets
from heartsrules.analysis.seat_words import LEADS, PASS, PLAY
from heartsrules.bots._inputs import CRITIC_INPUTS, INPUTS, RULE_INPUTS, critic_inputs, inputs, rule_inputs
from heartsrules.bots._network import (
    ACTIONS,
    ARRAYS,
    CRITIC,
    OTHER,
    PLAYERS,
    Layers,
    Network,
    activations,
    margin_unit,
    player_of,
)
from heartsrules.bots._sparse import MOST_PLAYERS
from heartsrules.bridges.vector import OTHERS_UP, HeartsVectorEnv, word_layout
from heartsrules.rules import Kitty

Floats: TypeAlias = NDArray[Any]
Ints: TypeAlias = NDArray[np.int64]
Arrays: TypeAlias = dict[str, Floats]

GAMES: Final[dict[str, Rules]] = {
    "microsoft": presets.microsoft(),
    "omnibus3": presets.omnibus(3),
    "omnibus4": presets.omnibus(4),
    "omnibus5": presets.omnibus(5),
    "spot_hearts": presets.spot_hearts(),
    "black_maria3": presets.black_maria(3),
    "partner_hearts": presets.partner_hearts(),
    "leekha": presets.leekha(),
    "leekha_single": presets.leekha(teams=0),
    "gong_zhu4": presets.gong_zhu(4),
    "gong_zhu5": presets.gong_zhu(5),
    "gong_zhu_teams": presets.gong_zhu(4, teams=2),
    "cardstock3": presets.cardstock(3),
    "cardstock4": presets.cardstock(4),
    "cardstock5": presets.cardstock(5),
    "pagat": presets.pagat(),
    "kitty3": presets.dicegamedepot(3, kitty=Kitty.FIRST_TRICK),
    "kitty5": presets.dicegamedepot(5, kitty=Kitty.FIRST_TRICK),
    "board_game_arena3": presets.board_game_arena(3),
    "board_game_arena4": presets.board_game_arena(4),
    "heartsette3": presets.heartsette(3),
    "heartsette4": presets.heartsette(4),
    "greek_hearts": presets.greek_hearts(),
}
"""The rule sets of the training; about half of all deals are of the first."""
HIDDEN: Final = (256, 128)
CRITIC_HIDDEN: Final = (256, 128)
CLIP: Final = 0.2
DECAY: Final = 0.8
"""The weight of the critic's judgement at the next decision but one, and so on, when an advantage is estimated."""
WORLDS: Final = 12
"""The number of worlds of the search that is imitated."""
TEMPERATURE: Final = 0.14
"""Difference of values for which imitation makes one play e times as likely as another, in spreads of the game's."""
AVERAGING: Final = 1 / 300
"""The part of the weights of a step in their moving average."""
CRITIC_FIRST: Final = 10
"""The number of rounds in which only the critic learns."""
CRITIC_RATE: Final = 1e-3
CRITIC_WEIGHTS: Final = np.array([4] + [1] * (MOST_PLAYERS - 1), np.float32)
"""The weights of the squared errors of the critic, by seat."""
MOON_WEIGHT: Final = np.float32(0.1)
"""The weight of what the critic says of moons, beside its squared errors."""
SHARPER: Final = 2.5
"""Factor of the preferences when self-play begins: imitation leaves a player too random to learn from its own games."""
TOGETHER: Final = 240.0
"""Seconds of self-play until a checkpoint, and the mean of the weights of all processes."""
ANCHORED: Final = 0.01
"""The weight of the divergence from an earlier policy, the anchor, in standard deviations of the advantage."""
ANCHOR_ROUNDS: Final = 300
"""The number of rounds after which the anchor is renewed."""


def shares_of(names: Sequence[str], usual: float, most: int, rng: np.random.Generator) -> dict[str, float]:
    """Parts of a round: the first game has its own, and some others at random share the rest."""
    if len(names) == 1:
        return {names[0]: 1.0}
    chosen = rng.choice(len(names) - 1, min(most, len(names) - 1), replace=False) + 1
    return {names[0]: usual} | {names[int(other)]: (1 - usual) / len(chosen) for other in chosen}


def rotated(rules: Rules, first: int) -> Rules:
    """The rule set with a pass cycle that begins with another step."""
    cycle = rules.pass_cycle
    first %= len(cycle)
    return attrs.evolve(rules, pass_cycle=cycle[first:] + cycle[:first]) if first else rules


# ---------------------------------------------------------------------------------------------------------- networks


def new_weights(rng: np.random.Generator) -> Arrays:
    """Make the random weights of the two players and of the critic, by the beginnings of their names."""
    arrays: Arrays = {}
    for prefix, size, (one, two), count in (
        ("", INPUTS, HIDDEN, ACTIONS),
        (OTHER, INPUTS, HIDDEN, ACTIONS),
        (CRITIC, CRITIC_INPUTS, CRITIC_HIDDEN, 2 * MOST_PLAYERS),
    ):
        for name, bias, rows, columns in (
            ("position", "first", size, one),
            ("rules", "first", RULE_INPUTS, one),
            ("between", "second", one, two),
            ("out", "last", two, count),
        ):
            # A rule that no game of the training has keeps weights of 0.
            scale = {"out": 0.01, "rules": 0.0}.get(name, float(np.sqrt(2 / min(rows, 150))))
            arrays[prefix + name] = (rng.standard_normal((rows, columns)) * scale).astype(np.float32)
            arrays[prefix + bias] = np.zeros(columns, np.float32)
    return arrays


class Adam:
    """The optimiser of Kingma and Ba, with decoupled weight decay, and a moving average of the weights."""

    def __init__(self, weights: Arrays) -> None:
        self.weights = weights
        self.average = {name: array.copy() for name, array in weights.items()}
        """The average of the weights over about the last 300 steps: it plays better than the weights themselves."""
        self.mean = {name: np.zeros_like(array) for name, array in weights.items()}
        self.square = {name: np.zeros_like(array) for name, array in weights.items()}
        self.steps = dict.fromkeys(weights, 0)

    @property
    def kinds(self) -> tuple[Arrays, Arrays, Arrays]:
        """All arrays beside the weights."""
        return self.average, self.mean, self.square

    def step(self, gradients: Mapping[str, Floats], rate: float, limit: float = 1.0, decay: float = 1e-4) -> None:
        """Take a step along gradients, clipped to a norm."""
        norm = float(np.sqrt(sum([float(np.vdot(each, each)) for each in gradients.values()])))
        factor = np.float32(min(1.0, limit / (norm + 1e-9)))
        for name, gradient in gradients.items():
            self.steps[name] += 1
            count = self.steps[name]
            gradient = gradient * factor
            mean, square = self.mean[name], self.square[name]
            mean += np.float32(0.1) * (gradient - mean)
            gradient *= gradient
            gradient -= square
            gradient *= np.float32(0.001)
            square += gradient
            root = np.sqrt(square, out=gradient)
            root *= np.float32(1 / np.sqrt(1 - 0.999**count))
            root += np.float32(1e-7)
            np.divide(mean, root, out=root)
            root *= np.float32(rate / (1 - 0.9**count))
            weights = self.weights[name]
            if decay and weights.ndim == 2:
                weights *= np.float32(1 - rate * decay)
            weights -= root
            average = self.average[name]
            average += np.float32(max(AVERAGING, 1 / count)) * (weights - average)


class Batch(NamedTuple):
    """Positions of one rule set, and what is learned of them. Matrices have a row for each position."""

    rules: Rules
    x: Floats
    legal: NDArray[np.bool_]
    seen: Floats
    """The critic's inputs without those of the rules."""
    action: Ints
    log: Floats
    """The logarithm of the chance of the action when it was chosen."""
    advantage: Floats
    returns: Floats
    """What the critic should have said: by seat, counted from the observer, its value and the advantage."""
    moons: Floats
    """By seat, 1 if its side shot the moon."""
    anchor: Floats
    """The logarithms of the chances of all actions by the anchor."""


def some_of(batch: Batch, chosen: Any) -> Batch:
    """Some rows of a batch."""
    parts: list[Any] = [each[chosen] for each in batch[1:]]
    return Batch(batch.rules, *parts)


def forward(weights: Arrays, x: Floats, rules: Rules, prefix: str) -> Layers:
    """Evaluate the network whose weights have names that begin so."""
    first = x @ weights[prefix + "position"]
    first += rule_inputs(rules) @ weights[prefix + "rules"] + weights[prefix + "first"]
    return activations(weights, first, prefix)


def backward(weights: Arrays, x: Floats, rules: Rules, layers: Layers, slopes: Floats, prefix: str) -> Arrays:
    """The gradients of a network's weights, from those of its outputs."""
    found: Arrays = {"out": layers.second.T @ slopes, "last": slopes.sum(axis=0)}
    back = slopes @ weights[prefix + "out"].T
    back *= layers.second > 0
    found["between"], found["second"] = layers.first.T @ back, back.sum(axis=0)
    back = back @ weights[prefix + "between"].T
    back *= layers.first > 0
    found["position"], found["first"] = x.T @ back, back.sum(axis=0)
    found["rules"] = np.outer(rule_inputs(rules), found["first"])
    return {prefix + name: gradient for name, gradient in found.items()}


def chances_of(out: Floats, legal: NDArray[np.bool_]) -> Floats:
    """The chances of the actions."""
    logits = np.where(legal, out, np.float32(-1e9))
    logits -= logits.max(axis=1, keepdims=True)
    np.exp(logits, out=logits)
    logits /= logits.sum(axis=1, keepdims=True)
    return logits


# ---------------------------------------------------------------------------------------------------------- self-play


def play(env: HeartsVectorEnv, weights: Arrays, anchor: Arrays, rng: np.random.Generator) -> Batch:
    """Play one deal at every table, and return the decisions with their advantages."""
    rules, tables = env.rules, env.num_envs
    players, at = rules.players, word_layout(rules)
    words, infos = env.reset(seed=[int(each) for each in rng.integers(1 << 60, size=tables)])
    active = np.ones(tables, bool)
    gains = np.zeros((tables, players), np.float32)
    captured = np.zeros((tables, players), np.int64)
    dealt = np.zeros((tables, players), np.int64)
    kept: list[tuple[Any, ...]] = []
    plays: list[tuple[Ints, Ints]] = []
    everything = np.arange(tables)
    step = 0
    while active.any():
        seats = infos["seat"]
        legal, phases = words[:, at["legal"].start], words[:, at["deal"].start]
        if "gifts" in at:
            begins = active & (phases & PASS > 0) & ~words[:, at["gifts"]].any(axis=1)
            dealt[everything[begins], seats[begins]] = words[begins, at["hand"].start]
        # The lowest legal action; of a moon, that the others go up.
        actions = (np.frexp((legal & -legal).astype(np.float64))[1] - 1).astype(np.int64)
        actions[actions >= OTHERS_UP] = OTHERS_UP
        chosen = np.flatnonzero(active & (legal & (legal - 1) != 0) & (actions < OTHERS_UP))
        if len(chosen):
            x = inputs(rules, words[chosen])
            may = legal[chosen, None] >> np.arange(ACTIONS) & 1 > 0
            chances = chances_of(forward(weights, x, rules, player_of(rules)).out, may)
            draws = rng.random((len(chosen), 1), np.float32)
            drawn = np.minimum((chances.cumsum(axis=1) < draws).sum(axis=1), ACTIONS - 1)
            wrong = ~may[np.arange(len(chosen)), drawn]
            drawn[wrong] = chances[wrong].argmax(axis=1)
            actions[chosen] = drawn
            logs = np.log(chances[np.arange(len(chosen)), drawn] + 1e-20)
            kept.append((phases[chosen], x, may, chosen, seats[chosen], drawn, logs, np.full(len(chosen), step)))
        playing = active & (phases & PLAY > 0)
        plays.append((np.where(playing, np.int64(1) << np.minimum(actions, 52), 0), seats.copy()))
        before = words
        words, _, over, cut, infos = env.step(actions)
        ended = active & (over | cut)
        if ended.any():
            gains[ended] = infos["rewards"][ended]
            around = (seats[ended, None] + np.arange(players)) % players
            captured[everything[ended, None], around] = last_piles(rules, before[ended], actions[ended])
        active &= ~ended
        step += 1
    # A seat's hand at a step is what it plays from then on.
    hands = np.zeros((tables, players), np.int64)
    held: list[Ints] = [hands] * step
    for number in reversed(range(step)):
        bits, seats = plays[number]
        hands = hands.copy()
        hands[everything, seats] |= bits
        held[number] = hands
    gains /= margin_unit(rules)
    return _decisions(rules, weights, anchor, kept, held, dealt, gains, moons_of(rules, captured))


def last_piles(rules: Rules, words: Ints, actions: Ints) -> Ints:
    """The piles after the last cards of deals, clockwise from the seats that play them."""
    at, lines = word_layout(rules), np.arange(len(words))
    trick = words[:, at["trick"]].copy()
    trick[:, 0] = np.int64(1) << np.minimum(actions, 51)
    piles = words[:, at["captured"]].copy()
    suits = (np.bitwise_count(trick - 1) // 13).astype(np.int64)
    leaders = (words[:, at["about"]] & LEADS > 0).argmax(axis=1)
    winners = np.where(suits == suits[lines, leaders][:, None], trick, 0).argmax(axis=1)
    playing = words[:, at["deal"].start] & PLAY > 0
    piles[lines[playing], winners[playing]] |= np.bitwise_or.reduce(trick, axis=1)[playing]
    return piles


def moons_of(rules: Rules, captured: Ints) -> Floats:
    """By table and seat, whether its side has shot the moon: nobody else has cards of it at the end of the deal."""
    moon = int(rules._resolved.moon_lo) if rules._resolved.moon else 0
    takers = np.stack([np.bitwise_or.reduce(captured[:, list(each)], axis=1) for each in rules._resolved.moon_sides])
    took = takers & moon > 0
    shot = np.zeros(captured.shape, np.float32)
    for seats, taken in zip(rules._resolved.moon_sides, took, strict=True):
        sides = {seat % len(rules.sides) for seat in seats}
        for seat in range(rules.players):
            if seat % len(rules.sides) in sides:
                shot[:, seat] += taken & (took.sum(axis=0) == 1)
    return shot


def _decisions(
    rules: Rules,
    weights: Arrays,
    anchor: Arrays,
    kept: list[tuple[Any, ...]],
    held: list[Ints],
    dealt: Ints,
    gains: Floats,
    shot: Floats,
) -> Batch:
    """Judge the decisions of all tables, from the last to the first."""
    players = rules.players
    phases, x, legal, tables, seats, actions, logs, steps = [np.concatenate(each) for each in zip(*kept, strict=True)]
    others = np.zeros((len(x), MOST_PLAYERS - 1), np.int64)
    by_step = np.stack(held)
    passing = phases & PASS > 0
    for place in range(1, players):
        seat = (seats + place) % players
        others[:, place - 1] = np.where(passing, dealt[tables, seat], by_step[steps, tables, seat])
    seen = critic_inputs(rules, x, others)
    values = forward(weights, seen, rules, CRITIC).out[:, :MOST_PLAYERS]
    returns = np.zeros_like(values)
    # By table and observer, the gains of all seats, counted from the observer.
    following = np.zeros((*gains.shape, MOST_PLAYERS), np.float32)
    moons = np.zeros((len(x), MOST_PLAYERS), np.float32)
    for place in range(players):
        following[:, :, place] = np.roll(gains, -place, axis=1)
        moons[:, place] = shot[tables, (seats + place) % players]
    carried = np.zeros_like(following)
    bounds = np.searchsorted(steps, np.arange(len(held) + 1))
    for number in reversed(range(len(held))):
        now = slice(bounds[number], bounds[number + 1])
        table, seat = tables[now], seats[now]
        carried[table, seat] = following[table, seat] - values[now] + DECAY * carried[table, seat]
        following[table, seat] = values[now]
        returns[now] = values[now] + carried[table, seat]
    first = np.log(chances_of(forward(anchor, x, rules, player_of(rules)).out, legal) + 1e-9)
    return Batch(rules, x, legal, seen, actions, logs, (returns - values)[:, 0], returns, moons, first)


def learn(
    weights: Arrays,
    optimiser: Adam,
    batches: Sequence[Batch],
    rng: np.random.Generator,
    *,
    rate: float,
    entropy: float,
    policy: bool = True,
    epochs: int = 2,
    size: int = 4096,
) -> dict[str, float]:
    """Improve the player and the critic by the decisions of a round."""
    count = sum([len(batch.x) for batch in batches])
    steps = max(1, count // size)
    figures = np.zeros(4)
    for _ in range(epochs):
        orders = [np.array_split(rng.permutation(len(batch.x)), steps) for batch in batches]
        for number in range(steps):
            total: Arrays = {}
            critic: Arrays = {}
            rows = sum([len(order[number]) for order in orders])
            for batch, order in zip(batches, orders, strict=True):
                if not len(order[number]):
                    continue
                some = some_of(batch, order[number])
                scale = np.float32(1 / rows)
                if policy:
                    spread = float(batch.advantage.std()) + 1e-8
                    found, sums = _policy_slopes(weights, some, spread, entropy, scale)
                    figures += [*sums, len(some.x)]
                    add_to(total, found)
                layers = forward(weights, some.seen, some.rules, CRITIC)
                slopes = np.empty_like(layers.out)
                slopes[:, :MOST_PLAYERS] = (layers.out[:, :MOST_PLAYERS] - some.returns) * (scale * CRITIC_WEIGHTS)
                chances = 1 / (1 + np.exp(-layers.out[:, MOST_PLAYERS:]))
                slopes[:, MOST_PLAYERS:] = (chances - some.moons) * (scale * MOON_WEIGHT)
                add_to(critic, backward(weights, some.seen, some.rules, layers, slopes, CRITIC))
            optimiser.step(total, rate)
            optimiser.step(critic, CRITIC_RATE)
    means = figures / max(1.0, figures[3])
    unexplained = batches[0].advantage.var() / batches[0].returns[:, 0].var()
    return {"entropy": means[0], "kl": means[1], "clipped": means[2], "unexplained": unexplained}


def add_to(total: Arrays, gradients: Mapping[str, Floats]) -> None:
    """Add gradients to a sum of them."""
    for name, gradient in gradients.items():
        if name in total:
            total[name] += gradient
        else:
            total[name] = gradient


def _policy_slopes(
    weights: Arrays, some: Batch, spread: float, entropy: float, scale: np.float32
) -> tuple[Arrays, tuple[float, float, float]]:
    """The gradients of the player, with the sums of entropy, divergence and clipping."""
    player = player_of(some.rules)
    layers = forward(weights, some.x, some.rules, player)
    chances = chances_of(layers.out, some.legal)
    lines = np.arange(len(some.x))
    log_chances = np.log(chances + 1e-20)
    logs = log_chances[lines, some.action]
    ratio = np.exp(np.minimum(logs - some.log, 10))
    gain = np.clip((some.advantage - some.advantage.mean()) / spread, -4, 4)
    free = np.where(gain > 0, ratio < 1 + CLIP, ratio > 1 - CLIP)
    pull = np.where(free, gain * ratio, 0)
    # d(-gain)/d(logits) of a softmax, of the entropy, and of the divergence from the anchor.
    slopes = chances * pull[:, None]
    slopes[lines, some.action] -= pull
    own = -(chances * log_chances).sum(axis=1)
    slopes += entropy * chances * (log_chances + own[:, None])
    apart = log_chances - some.anchor
    slopes += ANCHORED * chances * (apart - (chances * apart).sum(axis=1, keepdims=True))
    slopes *= scale
    found = backward(weights, some.x, some.rules, layers, slopes, player)
    return found, (float(own.sum()), float((some.log - logs).sum()), float((~free).sum()))


# ---------------------------------------------------------------------------------------------------------- imitation


def imitate(
    run: Run, names: Sequence[str], hours: float, folder: Path, *, usual: float, rate: float, games: int = 24
) -> None:
    """Imitate the search for so long: play some games by it, learn for as long from all its positions, and so on."""
    library = Library(folder / "positions")
    library.refresh()
    begun, before = time.monotonic(), run.seconds
    while time.monotonic() - begun < 3600 * hours:
        started = time.monotonic()
        found: dict[str, list[Positions]] = {}
        for _ in range(games):
            name = names[0] if run.rng.random() < usual else names[int(run.rng.integers(len(names) > 1, len(names)))]
            rules = rotated(GAMES[name], int(run.rng.integers(len(GAMES[name].pass_cycle))))
            found.setdefault(name, []).append(teach(rules, int(run.rng.integers(1 << 60)), WORLDS))
        new = {name: joined_positions(parts) for name, parts in found.items()}
        gained = {name: gain_of(run.optimiser.average, GAMES[name], positions) for name, positions in new.items()}
        library.add(len(library.read), found)
        library.refresh()
        learned = time.monotonic()
        left = 1 - (learned - begun) / (3600 * hours)
        while time.monotonic() - learned < learned - started:
            shares = shares_of(names, usual, 4, run.rng)
            known = {name: share for name, share in shares.items() if name in library.parts}
            imitation_step(run, library, known, rate * max(0.02, left))
        run.seconds = before + time.monotonic() - begun
        entry = {"seconds": round(run.seconds), "positions": library.size()}
        run.curve.append(entry | {f"gain {name}": round(gain, 4) for name, gain in gained.items()})
        print(run.curve[-1], flush=True)
        run.save(folder)


def gain_of(weights: Arrays, rules: Rules, positions: Positions) -> float:
    """How much better the network's plays are than a legal play at random, by the values of positions new to it."""
    words, values = positions.words[positions.plays], positions.values[positions.plays]
    legal = values > UNKNOWN
    chosen = np.where(legal, forward(weights, inputs(rules, words), rules, player_of(rules)).out, -np.inf).argmax(
        axis=1
    )
    mean = np.where(legal, values, 0).sum(axis=1, dtype=np.float64) / legal.sum(axis=1)
    return float((values[np.arange(len(words)), chosen] - mean).mean())


def imitation_step(run: Run, library: Library, shares: Mapping[str, float], rate: float, size: int = 2048) -> None:
    """Take one step towards the better moves of positions of several games."""
    total: Arrays = {}
    for name, share in shares.items():
        rules = GAMES[name]
        words, values, plays = library.draw(name, rules, max(1, round(size * share)), run.rng)
        x = inputs(rules, words)
        legal = words[:, word_layout(rules)["legal"]] >> np.arange(ACTIONS) & 1 > 0
        layers = forward(run.weights, x, rules, player_of(rules))
        chances = chances_of(layers.out, legal)
        values = values.astype(np.float32)
        # A legal play without a value is equivalent to none that was tried: it counts as bad.
        wished = np.where(legal, np.where(values > UNKNOWN, values, np.float32(-0.3)), 0)
        better = wished - (chances * wished).sum(axis=1, keepdims=True)
        logs = np.log(chances + 1e-9)
        entropy = -(chances * logs).sum(axis=1, keepdims=True)
        # Towards the maximum of expected value and entropy; where the teacher gives chances, towards them.
        pull = better / (TEMPERATURE * library.spread(name))
        slopes = np.where(plays[:, None], chances * (logs + entropy - pull), chances - wished)
        slopes *= np.float32(1 / size)
        add_to(total, backward(run.weights, x, rules, layers, slopes, player_of(rules)))
    run.optimiser.step(total, rate, limit=2.0, decay=0.03)


# -------------------------------------------------------------------------------------------------------- checkpoints


@attrs.define
class Run:
    """A training, with everything that is needed to go on with it."""

    weights: Arrays
    optimiser: Adam
    rng: np.random.Generator
    anchor: Arrays = attrs.field(factory=dict)
    """The weights of the earlier policy that the player is kept near; empty before self-play."""
    deals: int = 0
    seconds: float = 0.0
    rounds: int = 0
    curve: list[dict[str, float]] = attrs.field(factory=list)

    @staticmethod
    def begin(seed: int, path: Path | None = None) -> Run:
        """Begin a training, with the weights of a file if there is one."""
        rng = np.random.default_rng(seed)
        weights = weights_in(path) if path else new_weights(rng)
        return Run(weights, Adam(weights), rng)

    @staticmethod
    def load(folder: Path) -> Run:
        """Read a checkpoint."""
        rng = np.random.default_rng()
        with np.load(folder / "checkpoint.npz") as arrays:
            by_kind: dict[str, Arrays] = {"weights": {}, "mean": {}, "square": {}, "average": {}, "anchor": {}}
            for key in arrays.files:
                kind, _, name = key.partition(" ")
                by_kind[kind][name] = arrays[key]
        document = json.loads((folder / "checkpoint.json").read_text(encoding="utf-8"))
        rng.bit_generator.state = document["rng"]
        optimiser = Adam(by_kind["weights"])
        optimiser.mean, optimiser.square, optimiser.average = by_kind["mean"], by_kind["square"], by_kind["average"]
        optimiser.steps = document["steps"]
        curve = json.loads((folder / "curve.json").read_text(encoding="utf-8"))
        return Run(
            by_kind["weights"],
            optimiser,
            rng,
            by_kind["anchor"],
            document["deals"],
            document["seconds"],
            document["rounds"],
            curve,
        )

    def save(self, folder: Path) -> None:
        """Write a checkpoint."""
        folder.mkdir(parents=True, exist_ok=True)
        optimiser = self.optimiser
        kinds = {
            "weights": self.weights,
            "mean": optimiser.mean,
            "square": optimiser.square,
            "average": optimiser.average,
            "anchor": self.anchor,
        }
        arrays: Any = {f"{kind} {name}": each for kind, named in kinds.items() for name, each in named.items()}
        partial = folder / "partial.npz"
        np.savez(partial, **arrays)
        partial.replace(folder / "checkpoint.npz")
        document = {
            "deals": self.deals,
            "seconds": self.seconds,
            "rounds": self.rounds,
            "steps": self.optimiser.steps,
            "rng": self.rng.bit_generator.state,
        }
        (folder / "checkpoint.json").write_text(json.dumps(document) + "\n", encoding="utf-8")
        (folder / "curve.json").write_text(json.dumps(self.curve, indent=1) + "\n", encoding="utf-8")

    def network(self) -> Network:
        """The player and the critic."""
        return Network(self.optimiser.average)


def self_play(
    run: Run,
    names: Sequence[str],
    hours: float,
    folder: Path,
    *,
    sharper: float,
    processes: int,
    tables: int,
    rate: float,
    usual: float,
) -> Run:
    """Train by self-play for so long, in one or more processes that go on from the mean of their weights."""
    if not run.anchor and hours > 0:
        run.weights |= {name: array.copy() for name, array in run.optimiser.average.items()}
        for prefix in {player_of(GAMES[name]) for name in names}:
            for each in ("out", "last"):
                run.weights[prefix + each] *= np.float32(sharper)
        run.optimiser = Adam(run.weights)
        run.anchor = players_of(run.weights)
    ends = run.seconds + 3600 * hours
    with ProcessPoolExecutor(processes) as pool:
        while (left := ends - run.seconds) > 0:
            seeds = run.rng.integers(1 << 60, size=processes).tolist()
            spent = min(left, TOGETHER)
            part = partial(train, run=run, names=names, seconds=spent, tables=tables, rate=rate, usual=usual)
            runs = list(pool.map(part, seeds)) if processes > 1 else [part(seeds[0])]
            run = mean_of(run, runs)
            run.save(folder)
    return run


def train(seed: int, run: Run, names: Sequence[str], seconds: float, *, tables: int, rate: float, usual: float) -> Run:
    """Train by self-play for so long, and return the run."""
    envs: dict[tuple[str, int], HeartsVectorEnv] = {}
    rng = np.random.default_rng(seed)
    begun, before = time.monotonic(), run.seconds
    while run.seconds - before < seconds:
        batches = []
        for name, share in shares_of(names, usual, 3, rng).items():
            first = int(rng.integers(len(GAMES[name].pass_cycle)))
            key = name, first
            if key not in envs:
                count = max(8, round(tables * share))
                envs[key] = HeartsVectorEnv(count, rotated(GAMES[name], first), max_deals=1)
            batches.append(play(envs[key], run.weights, run.anchor, rng))
            run.deals += envs[key].num_envs
        policy = run.rounds >= CRITIC_FIRST
        if run.rounds % ANCHOR_ROUNDS == 0:
            run.anchor = players_of(run.weights)
        figures = learn(run.weights, run.optimiser, batches, rng, rate=rate, entropy=0.003, policy=policy)
        run.rounds += 1
        run.seconds = before + time.monotonic() - begun
        rounded = {key: round(float(figure), 4) for key, figure in figures.items()}
        run.curve.append({"deals": run.deals, "seconds": round(run.seconds)} | rounded)
        print(run.curve[-1], flush=True)
    return run


def mean_of(before: Run, runs: Sequence[Run]) -> Run:
    """One run with the means of the weights of several that began with the same, and with the deals of all."""
    first = runs[0]
    kinds = [[each.weights, each.anchor, *each.optimiser.kinds] for each in runs]
    for arrays, *others in zip(*kinds, strict=True):
        for name, array in arrays.items():
            array += sum([other[name] - array for other in others]) / np.float32(len(runs))
    first.rng = before.rng
    first.deals = before.deals + sum([each.deals - before.deals for each in runs])
    return first


def players_of(weights: Arrays) -> Arrays:
    """A copy of the weights of the players, without those of the critic."""
    return {prefix + name: weights[prefix + name].copy() for prefix in PLAYERS for name in ARRAYS}


def weights_in(path: Path) -> Arrays:
    """Read the weights of a file."""
    with np.load(path) as arrays:
        return {name: arrays[name].astype(np.float32) for name in arrays.files}


def write(network: Network, path: Path) -> None:
    """Write the weights of a network in 16 bits."""
    np.savez_compressed(path, **{name: array.astype(np.float16) for name, array in network.arrays.items()})  # type: ignore[arg-type]


def main() -> None:
    """Train, and write what is asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--hours", type=float, default=1.0)
    parser.add_argument("--folder", type=Path, default=Path("learning"), help="where checkpoints and the curve go")
    parser.add_argument("--begin", type=Path, help="the weights that a training begins with")
    parser.add_argument("--games", nargs="+", choices=GAMES, metavar="GAME", help="the games that are learned")
    parser.add_argument("--taught", type=float, default=1.0, help="hours of imitation at the beginning of a training")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--tables", type=int, default=1024, help="deals of a round")
    parser.add_argument("--rate", type=float, default=1e-4, help="step size of self-play")
    parser.add_argument("--sharper", type=float, default=SHARPER, help="factor of the preferences before self-play")
    parser.add_argument("--usual", type=float, default=0.5, help="the part of the deals that is of the first game")
    parser.add_argument("--processes", type=int, default=1, help="how many play against themselves at once")
    parser.add_argument("--write", type=Path, help="where to write the weights")
    given = parser.parse_args()
    names = given.games or list(GAMES)
    there = (given.folder / "checkpoint.json").exists()
    run = Run.load(given.folder) if there else Run.begin(given.seed, given.begin)
    taught = min(given.hours, max(0.0, given.taught - run.seconds / 3600))
    imitate(run, names, taught, given.folder, usual=given.usual, rate=1e-3)
    run = self_play(
        run,
        names,
        given.hours - taught,
        given.folder,
        sharper=given.sharper,
        processes=given.processes,
        tables=given.tables,
        rate=given.rate,
        usual=given.usual,
    )
    if given.write:
        arrays = run.optimiser.average
        if given.begin and given.games:
            arrays |= {name: each for name, each in weights_in(given.begin).items() if name.startswith(CRITIC)}
        write(Network(arrays), given.write)


if __name__ == "__main__":
    main()
