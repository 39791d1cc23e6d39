"""The learned player's network: two hidden layers, evaluated by NumPy."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from importlib.resources import files
from io import BytesIO
from typing import Any, Final, NamedTuple, TypeAlias

from heartsrules.base.extras import needs

with needs("learned", "heartsrules.bots.learned"):
    import numpy as np
    from numpy.typing import NDArray

from heartsrules.bots._inputs import inputs, rule_inputs, values_of
from heartsrules.bots._positions import at
from heartsrules.bots._sparse import Sparse
from heartsrules.rules import Rules

Floats: TypeAlias = NDArray[Any]

ACTIONS: Final = 53
"""The number of actions: 52 cards, and the end of an exposure."""
ARRAYS: Final = ("position", "rules", "first", "between", "second", "out", "last")
"""The weights by name: inputs of the position and of the rules to the first layer, its biases, first to second layer,
biases, second layer to outputs, biases."""


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


class Network:
    """A network from positions to preferences for actions.

    Args:
        arrays: the weights, by the names of `ARRAYS`.
    """

    def __init__(self, arrays: Mapping[str, Floats]) -> None:
        self.arrays: Final = {name: np.asarray(arrays[name], np.float32) for name in ARRAYS}
        self._biases: Final[dict[Rules, Floats]] = {}

    def biases(self, rules: Rules) -> Floats:
        """The biases of the first layer under a rule set."""
        found = self._biases.get(rules)
        if found is None:
            if len(self._biases) >= 64:
                self._biases.clear()
            found = self._biases[rules] = rule_inputs(rules) @ self.arrays["rules"] + self.arrays["first"]
        return found

    def preferences(self, rules: Rules, rows: NDArray[np.int64]) -> Floats:
        """The preferences for all actions at each position, a row of `ACTIONS` numbers; -inf: the action is illegal."""
        first = inputs(rules, rows) @ self.arrays["position"]
        first += self.biases(rules)
        found = activations(self.arrays, first).out
        legal = rows[:, at["legal"], None] >> np.arange(ACTIONS) & 1
        found[legal == 0] = -np.inf
        return found

    def best(self, rules: Rules, row: Sequence[int]) -> int:
        """The preferred legal action at one position."""
        legal = row[at["legal"]]
        preferences = self.alone(rules, row)
        return max([action for action in range(ACTIONS) if legal >> action & 1], key=preferences.__getitem__)

    def alone(self, rules: Rules, row: Sequence[int]) -> list[float]:
        """The preferences for all actions at one position, legal or not."""
        arrays = self.arrays
        found = Sparse(row, values_of(rules))
        hidden = np.array(found.numbers, np.float32) @ arrays["position"].take(found.places, axis=0)
        hidden += self.biases(rules)
        preferences: list[float] = activations(arrays, hidden).out.tolist()
        return preferences


@lru_cache(maxsize=1)
def shipped() -> Network:
    """The network in this package."""
    data = files("heartsrules.bots").joinpath("weights.npz").read_bytes()
    with np.load(BytesIO(data)) as arrays:
        return Network({name: arrays[name].astype(np.float32) for name in ARRAYS})
