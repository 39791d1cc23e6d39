"""The learned player's networks and their critic, evaluated with NumPy.

Each has two hidden layers.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from importlib.resources import files
from io import BytesIO
from typing import Any, Final, NamedTuple, TypeAlias

from heartsrules.base.extras import needs

with needs("learned", "heartsrules.bots.learned"):
    import numpy as np
    from numpy.typing import NDArray

from heartsrules.analysis.seat_words import LEGAL, SeatKnowledge, encoder_of
from heartsrules.base.values import wrong_type
from heartsrules.bots._inputs import critic_inputs, inputs, rule_inputs, values_of
from heartsrules.bots._sparse import MOST_PLAYERS, Sparse
from heartsrules.rules import Rules
from heartsrules.rules.resolved import HEARTS, QUEEN

Floats: TypeAlias = NDArray[Any]

ACTIONS: Final = 53
"""The number of actions, 52 cards and the end of an exposure."""
ARRAYS: Final = ("position", "rules", "first", "between", "second", "out", "last")
"""The names of the weights.

They are the position's and the rules' weights to the first layer, its biases, and the weights and biases of the second
layer and the output.
"""
OTHER: Final = "other_"
"""The name prefix of the second player's weights.

It plays with partners, exposures or other penalty cards.
"""
PLAYERS: Final = "", OTHER
CRITIC: Final = "critic_"
"""The name prefix of the critic's weights."""


class Layers(NamedTuple):
    """The activations of a network, layer by layer."""

    first: Floats
    second: Floats
    out: Floats


def activations(arrays: Mapping[str, Floats], first: Floats, prefix: str = "") -> Layers:
    """Compute activations from the sums of the first layer, which are overwritten.

    Args:
        first: the sums, for one or several positions.
        prefix: the name prefix of the weights.
    """
    np.maximum(first, 0, out=first)
    second = first @ arrays[prefix + "between"]
    second += arrays[prefix + "second"]
    np.maximum(second, 0, out=second)
    out = second @ arrays[prefix + "out"]
    out += arrays[prefix + "last"]
    return Layers(first, second, out)


def player_of(rules: Rules) -> str:
    other = rules.teams or rules.exposable or rules.doubler or rules._resolved.penalty & ~HEARTS != QUEEN
    return OTHER if other else ""


class Network:
    """Networks that map positions to action preferences, and a critic.

    Args:
        arrays: the weights, by the names in `ARRAYS`, prefixed by `OTHER` for the second player and `CRITIC` for the
            critic.
    """

    def __init__(self, arrays: Mapping[str, Floats]) -> None:
        self.arrays: Final = {
            prefix + name: np.asarray(arrays[prefix + name], np.float32)
            for prefix in (*PLAYERS, CRITIC)
            for name in ARRAYS
        }
        self._biases: Final[dict[tuple[Rules, str], Floats]] = {}

    def biases(self, rules: Rules, prefix: str) -> Floats:
        found = self._biases.get((rules, prefix))
        if found is None:
            if len(self._biases) >= 64:
                self._biases.clear()
            found = rule_inputs(rules) @ self.arrays[prefix + "rules"] + self.arrays[prefix + "first"]
            self._biases[rules, prefix] = found
        return found

    def preferences(self, rules: Rules, words: NDArray[np.int64]) -> Floats:
        """Return a row of `ACTIONS` preferences for each position, -inf if illegal."""
        prefix = player_of(rules)
        first = inputs(rules, words) @ self.arrays[prefix + "position"]
        first += self.biases(rules, prefix)
        found = activations(self.arrays, first, prefix).out
        legal = words[:, LEGAL, None] >> np.arange(ACTIONS) & 1
        found[legal == 0] = -np.inf
        return found

    def judge(self, rules: Rules, words: NDArray[np.int64], others: NDArray[np.int64]) -> tuple[Floats, Floats]:
        """Judge the deal for each seat's side.

        Args:
            words: positions of the seats to act, as rows of words.
            others: the other seats' hands, clockwise from the observer's left.

        Returns:
            Two matrices of shape (count, `MOST_PLAYERS`), with seats clockwise from the observer: the side's expected
            advantage over the average side in points, and its chance to shoot the moon.
        """
        first = critic_inputs(rules, inputs(rules, words), others) @ self.arrays[CRITIC + "position"]
        first += self.biases(rules, CRITIC)
        found = activations(self.arrays, first, CRITIC).out
        return found[:, :MOST_PLAYERS] * margin_unit(rules), 1 / (1 + np.exp(-found[:, MOST_PLAYERS:]))

    def best(self, seen: SeatKnowledge) -> int:
        legal = seen.legal()
        preferences = self.alone(seen)
        return max([action for action in range(ACTIONS) if legal >> action & 1], key=preferences.__getitem__)

    def alone(self, seen: SeatKnowledge) -> list[float]:
        """Return the preferences for all actions at one position, legal or not."""
        rules = seen.view.rules
        prefix = player_of(rules)
        found = Sparse(seen, values_of(rules))
        hidden = np.array(found.numbers, np.float32) @ self.arrays[prefix + "position"].take(found.places, axis=0)
        hidden += self.biases(rules, prefix)
        preferences: list[float] = activations(self.arrays, hidden, prefix).out.tolist()
        return preferences


def margin_unit(rules: Rules) -> float:
    """Return the critic's output unit, the penalty points per member of a side."""
    return values_of(rules).unit * 2 * (rules.players / len(rules.sides))


@lru_cache(maxsize=1)
def shipped() -> Network:
    data = files("heartsrules.bots").joinpath("weights.npz").read_bytes()
    with np.load(BytesIO(data)) as arrays:
        return Network(arrays)


def state_dict(rules: Rules) -> dict[str, Floats]:
    """Return a player's weights under PyTorch's names for a `Sequential`'s layers."""
    arrays, prefix = shipped().arrays, player_of(rules)
    position, by_rules, first, between, second, out, last = [arrays[prefix + name] for name in ARRAYS]
    layers = (np.concatenate([position, by_rules]), first), (between, second), (out, last)
    found: dict[str, Floats] = {}
    for number, (weights, biases) in enumerate(layers):
        found[f"{2 * number}.weight"] = np.array(weights.T, order="C")
        found[f"{2 * number}.bias"] = biases.copy()
    return found


def all_inputs(rules: Rules, words: NDArray[np.int64]) -> Floats:
    width = encoder_of(rules).at.places["totals"].stop
    if not isinstance(words, np.ndarray) or words.dtype != np.int64:
        wrong_type("words", "an array of int64", words)
    if words.ndim != 2 or words.shape[1] != width:
        raise ValueError(f"words have the shape {words.shape}: give rows of {width} words")
    shared = rule_inputs(rules)
    return np.hstack([inputs(rules, words), np.broadcast_to(shared, (len(words), len(shared)))])
