"""The learned player's networks and their critic, each with two hidden layers, evaluated by NumPy."""

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
"""The number of actions: 52 cards, and the end of an exposure."""
ARRAYS: Final = ("position", "rules", "first", "between", "second", "out", "last")
"""The weights by name: inputs of the position and of the rules to the first layer, its biases, first to second layer,
biases, second layer to outputs, biases."""
OTHER: Final = "other_"
"""What the names of the second player's weights begin with, who plays with partners, exposures, other penalty cards."""
PLAYERS: Final = "", OTHER
"""What the names of the weights of each player begin with."""
CRITIC: Final = "critic_"
"""What the names of the critic's weights begin with."""


class Layers(NamedTuple):
    """The activations of a network, layer by layer."""

    first: Floats
    second: Floats
    out: Floats


def activations(arrays: Mapping[str, Floats], first: Floats, prefix: str = "") -> Layers:
    """The activations that follow from the sums of the first layer, which become its own.

    Args:
        arrays: the weights.
        first: the sums, by position if there are several.
        prefix: what the names of the weights begin with.
    """
    np.maximum(first, 0, out=first)
    second = first @ arrays[prefix + "between"]
    second += arrays[prefix + "second"]
    np.maximum(second, 0, out=second)
    out = second @ arrays[prefix + "out"]
    out += arrays[prefix + "last"]
    return Layers(first, second, out)


def player_of(rules: Rules) -> str:
    """What the names of the weights begin with of the player by these rules."""
    other = rules.teams or rules.exposable or rules.doubler or rules._resolved.penalty & ~HEARTS != QUEEN
    return OTHER if other else ""


class Network:
    """Networks from positions to preferences for actions, and a critic that judges positions with all hands open.

    One network plays where the Q♠ is the only penalty card beside the hearts, nobody has a partner, no card is
    exposed and none doubles; another one plays the other games.

    Args:
        arrays: the weights, by the names of `ARRAYS`; those of the second player with `OTHER` before each name, and
            those of the critic with `CRITIC`.
    """

    def __init__(self, arrays: Mapping[str, Floats]) -> None:
        self.arrays: Final = {
            prefix + name: np.asarray(arrays[prefix + name], np.float32)
            for prefix in (*PLAYERS, CRITIC)
            for name in ARRAYS
        }
        self._biases: Final[dict[tuple[Rules, str], Floats]] = {}

    def biases(self, rules: Rules, prefix: str) -> Floats:
        """The biases of a first layer under a rule set."""
        found = self._biases.get((rules, prefix))
        if found is None:
            if len(self._biases) >= 64:
                self._biases.clear()
            found = rule_inputs(rules) @ self.arrays[prefix + "rules"] + self.arrays[prefix + "first"]
            self._biases[rules, prefix] = found
        return found

    def preferences(self, rules: Rules, words: NDArray[np.int64]) -> Floats:
        """The preferences for all actions at each position, a row of `ACTIONS` numbers; -inf: the action is illegal."""
        prefix = player_of(rules)
        first = inputs(rules, words) @ self.arrays[prefix + "position"]
        first += self.biases(rules, prefix)
        found = activations(self.arrays, first, prefix).out
        legal = words[:, LEGAL, None] >> np.arange(ACTIONS) & 1
        found[legal == 0] = -np.inf
        return found

    def judge(self, rules: Rules, words: NDArray[np.int64], others: NDArray[np.int64]) -> tuple[Floats, Floats]:
        """What the critic expects of the deal for the side of each seat.

        Args:
            rules: the rule set.
            words: positions of seats that are to act, as rows of words.
            others: the hands of the other seats, clockwise from the observer's left.

        Returns:
            Two matrices by position and seat, clockwise from the observer, of shape (count, `MOST_PLAYERS`): how many
            points better than the average side it does, and the chance that it shoots the moon.
        """
        first = critic_inputs(rules, inputs(rules, words), others) @ self.arrays[CRITIC + "position"]
        first += self.biases(rules, CRITIC)
        found = activations(self.arrays, first, CRITIC).out
        return found[:, :MOST_PLAYERS] * margin_unit(rules), 1 / (1 + np.exp(-found[:, MOST_PLAYERS:]))

    def best(self, seen: SeatKnowledge) -> int:
        """The preferred legal action at one position."""
        legal = seen.legal()
        preferences = self.alone(seen)
        return max([action for action in range(ACTIONS) if legal >> action & 1], key=preferences.__getitem__)

    def alone(self, seen: SeatKnowledge) -> list[float]:
        """The preferences for all actions at one position, legal or not."""
        rules = seen.view.rules
        prefix = player_of(rules)
        found = Sparse(seen, values_of(rules))
        hidden = np.array(found.numbers, np.float32) @ self.arrays[prefix + "position"].take(found.places, axis=0)
        hidden += self.biases(rules, prefix)
        preferences: list[float] = activations(self.arrays, hidden, prefix).out.tolist()
        return preferences


def margin_unit(rules: Rules) -> float:
    """The unit of the critic's outputs, in points: all penalty points, by member of a side."""
    return values_of(rules).unit * 2 * (rules.players / len(rules.sides))


@lru_cache(maxsize=1)
def shipped() -> Network:
    """The networks in this package."""
    data = files("heartsrules.bots").joinpath("weights.npz").read_bytes()
    with np.load(BytesIO(data)) as arrays:
        return Network(arrays)


def state_dict(rules: Rules) -> dict[str, Floats]:
    """The weights of the player by these rules, by PyTorch's names of the layers of a `Sequential`."""
    arrays, prefix = shipped().arrays, player_of(rules)
    position, by_rules, first, between, second, out, last = [arrays[prefix + name] for name in ARRAYS]
    layers = (np.concatenate([position, by_rules]), first), (between, second), (out, last)
    found: dict[str, Floats] = {}
    for number, (weights, biases) in enumerate(layers):
        found[f"{2 * number}.weight"] = np.array(weights.T, order="C")
        found[f"{2 * number}.bias"] = biases.copy()
    return found


def all_inputs(rules: Rules, words: NDArray[np.int64]) -> Floats:
    """The inputs of position and rules for a batch of rows of words."""
    width = encoder_of(rules).at.places["totals"].stop
    if not isinstance(words, np.ndarray) or words.dtype != np.int64:
        wrong_type("words", "an array of int64", words)
    if words.ndim != 2 or words.shape[1] != width:
        raise ValueError(f"words have the shape {words.shape}: give rows of {width} words")
    shared = rule_inputs(rules)
    return np.hstack([inputs(rules, words), np.broadcast_to(shared, (len(words), len(shared)))])
