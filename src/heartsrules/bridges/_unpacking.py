"""Rows of words as vectors of floats, laid out by `layout`."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any, Final, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from heartsrules.analysis.seat_words import (
    BROKEN,
    COMMITTED,
    DEALER,
    DECLINED,
    FAILED,
    HAD_QUEEN,
    LEADS,
    NUMBER,
    PHASES,
    STEP,
    TAKER,
    TRICK,
    TURN,
    WON,
)
from heartsrules.base.values import type_phrase
from heartsrules.bridges._actions import ACTIONS
from heartsrules.bridges._layout import observed, words_under
from heartsrules.cards import Card
from heartsrules.play.view_classes import View
from heartsrules.rules import Rules

Ints: TypeAlias = NDArray[np.int64]

_CARDS: Final = 52
_BITS: Final[dict[str, tuple[str, int, int]]] = {
    "phase": ("deal", 1, len(PHASES)),
    "hearts_broken": ("deal", BROKEN, 1),
    "next_gift": ("next_gift", 1, 0),
    "committed": ("about", COMMITTED, 1),
    "declined": ("about", DECLINED, 1),
    "kitty_winner": ("about", TAKER, 1),
    "leader": ("about", LEADS, 1),
    "turn": ("about", TURN, 1),
    "dealer": ("about", DEALER, 1),
    "queen_taker": ("about", HAD_QUEEN, 1),
    "failed_to_follow": ("about", FAILED[0], 4),
}
"""The parts of a vector that are bits of words: (word, lowest bit, number of bits); 0: one for each gift.
Other parts are cards, by the name of their word, or numbers."""
_NUMBERS: Final[dict[str, tuple[str, int, int]]] = {
    "trick_number": ("deal", TRICK, 0xFF),
    "tricks_won": ("about", WON, 0x3F),
    "totals": ("totals", 1, -1),
    "deal_number": ("deal", NUMBER, -1),
}
"""The parts that are numbers: (word, lowest bit, mask of the number)."""
_FEW: Final = 32
"""The number of rows from which on it is faster to copy part by part than to pick bit by bit: a fifth at a thousand,
where a single row takes five times as long."""
_UNUSED: Final = 63
"""A bit of the first word that is always 0."""


class _Plan(NamedTuple):
    """Where the entries of a vector come from under a rule set."""

    places: NDArray[np.intp]
    """By entry, the index of its bit in a row; `_UNUSED` if it is a number."""
    parts: list[tuple[slice, slice, slice]]
    """The same by parts: entries, words, and the bits of each word."""
    twice: list[tuple[slice, slice, slice]]
    """The parts with second copies of cards, likewise."""
    deal: slice
    """The word of the deal."""
    steps: slice
    """The entries of the pass step."""
    numbers: NDArray[np.intp]
    """The entries that are numbers."""
    words: NDArray[np.intp]
    """For each number, its word."""
    shifts: Ints
    """For each number, the index of its lowest bit."""
    masks: Ints
    units: NDArray[np.float64]
    bounds: NDArray[np.float64]
    """The bounds of the numbers in units, on either side of 0."""


@lru_cache(maxsize=64)
def _plan(rules: Rules) -> _Plan:
    at, (blocks, starts, size) = words_under(rules).places, observed(rules)
    parts: list[tuple[slice, slice, slice]] = []
    twice: list[tuple[slice, slice, slice]] = []
    numbers: list[tuple[int, int, int, int, float, float]] = []
    for name, count, _, bound in blocks:
        place = slice(starts[name], starts[name] + count)
        if name in _NUMBERS:
            word, lowest, mask = _NUMBERS[name]
            unit = {"totals": unit_of(rules), "deal_number": rules.max_deals or 1}.get(name, rules.cards_per_hand)
            entries = zip(range(place.start, place.stop), range(at[word].start, at[word].stop), strict=True)
            numbers += [(entry, column, _shift(lowest), mask, unit, bound) for entry, column in entries]
        elif name != "pass_step":
            word, lowest, width = _BITS.get(name, (name, 1, _CARDS))
            bits = slice(_shift(lowest), _shift(lowest) + (width or count))
            parts.append((place, at[word], bits))
            if f"{name}_twice" in at:
                twice.append((place, at[f"{name}_twice"], bits))
    places = np.full(size, _UNUSED, np.intp)
    every_bit = np.arange(64 * at["totals"].stop).reshape(-1, 64)
    for place, words, bits in parts:
        places[place] = every_bit[words, bits].ravel()
    steps = slice(starts["pass_step"], starts["pass_step"] + len(rules.pass_cycle))
    columns = [np.array(column) for column in zip(*numbers, strict=True)]
    return _Plan(places, parts, twice, at["deal"], steps, *columns)


def _shift(bit: int) -> int:
    return bit.bit_length() - 1


def unit_of(rules: Rules) -> int:
    """The unit of totals in observations: the target, or else the penalty value in play."""
    return rules.target or rules.penalty_total or 1


def bytes_of(words: Ints) -> NDArray[np.uint8]:
    """The bytes of rows of words, in little-endian order."""
    return np.ascontiguousarray(words, dtype="<i8").view(np.uint8)


def unpack(rules: Rules, words: NDArray[np.int64], out: NDArray[Any] | None = None) -> NDArray[Any]:
    """Convert a batch of rows of words to rows of floats, laid out by `layout`: the input of a network.

    >>> from heartsrules.bridges.vector import HeartsVectorEnv
    >>> env = HeartsVectorEnv(3)
    >>> words, _ = env.reset(seed=7)
    >>> words.shape, unpack(env.rules, words).shape
    ((3, 26), (3, 833))

    Args:
        rules: the rule set.
        words: a matrix of shape (rows, words of `word_layout`).
        out: the matrix to write to, of shape (rows, entries of `layout`) and any float type; None: a new float32 one.

    Returns:
        The matrix written to.

    Raises:
        ValueError: a shape is wrong.
    """
    plan, width = _plan(rules), words_under(rules).places["totals"].stop
    if not isinstance(words, np.ndarray) or words.dtype != np.int64:
        raise TypeError(f"words must be an array of int64, not {kind_of(words)}")
    if words.ndim != 2 or words.shape[1] != width:
        raise ValueError(f"words have the shape {words.shape}: give rows of {width} words")
    shape = len(words), len(plan.places)
    if out is not None and (not isinstance(out, np.ndarray) or out.dtype.kind != "f"):
        raise TypeError(f"out must be an array of floats or None, not {kind_of(out)}")
    if out is not None and out.shape != shape:
        raise ValueError(f"out has the shape {out.shape}: give one of {shape}")
    if out is None:
        out = np.empty(shape, np.float32)
    bits = np.unpackbits(bytes_of(words), axis=1, bitorder="little")
    by_word = bits.reshape(len(words), -1, 64)
    if len(words) < _FEW:
        out[...] = bits.take(plan.places, axis=1)
    else:
        for entries, columns, of_word in plan.parts:
            part = by_word[:, columns, of_word]
            out[:, entries].reshape(part.shape, copy=False)[...] = part
    for entries, columns, of_word in plan.twice:
        part = by_word[:, columns, of_word]
        cells = out[:, entries].reshape(part.shape, copy=False)
        cells += part
    numbers = words[:, plan.words] >> plan.shifts & plan.masks
    out[:, plan.numbers] = (numbers / plan.units).clip(-plan.bounds, plan.bounds)
    out[:, plan.steps] = words[:, plan.deal] // STEP % STEP == np.arange(len(rules.pass_cycle))
    return out


def kind_of(value: object) -> str:
    """Describe a value for a message: `an array of int32 and of the shape (3, 26)`, `a list`."""
    if isinstance(value, np.ndarray):
        return f"an array of {value.dtype} and of the shape {value.shape}"
    return type_phrase(value)


def unpack_masks(legal: NDArray[np.int64]) -> NDArray[np.int8]:
    """Convert the words `legal` of a batch to masks: 1 for each legal action, 0 for the others.

    >>> unpack_masks(np.array([0b1011]))[0, :6]
    array([1, 1, 0, 1, 0, 0], dtype=int8)

    Args:
        legal: a word for each row.

    Returns:
        A matrix of shape (rows, `ACTIONS`).
    """
    bits = np.unpackbits(bytes_of(np.asarray(legal, dtype=np.int64)[:, None]), axis=1, count=ACTIONS, bitorder="little")
    return bits.view(np.int8)


def vector_of(view: View, picks: Sequence[Card | None] = (), last_deal: bool = False) -> NDArray[np.float32]:
    """Encode a view as a vector; the arguments are those of `SeatKnowledge`."""
    row = words_under(view.rules).row(view, picks, last_deal)
    vector: NDArray[np.float32] = unpack(view.rules, np.array([row], np.int64))[0]
    return vector


def mask_of(legal: int) -> NDArray[np.int8]:
    """Convert a word of legal actions to a mask."""
    mask: NDArray[np.int8] = unpack_masks(np.array([legal]))[0]
    return mask
