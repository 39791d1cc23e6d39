"""The inputs of the learned player's network: floats, from rows of positions and from the rules."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Final, TypeAlias

from heartsrules.base.extras import needs

with needs("learned", "heartsrules.bots.learned"):
    import numpy as np
    from numpy.typing import NDArray

from heartsrules.bots._positions import MOST_PLAYERS, PARTS, WIDTH, at
from heartsrules.bots._sparse import CardValues
from heartsrules.rules import Rules
from heartsrules.rules.resolved import (
    COMPULSORY_ALWAYS,
    FLOOR_TOTAL,
    KITTY_LAST_TRICK,
    MOON_SHOOTER_TO_ZERO,
    OPEN_UNRESTRICTED,
    SHOWN_WAIT_ON_LEAD,
)

Floats: TypeAlias = NDArray[np.float32]

_SEATS: Final = MOST_PLAYERS
_OTHERS: Final = MOST_PLAYERS - 1
_SETS: Final = 8 + 2 * _OTHERS
"""The number of sets of cards among the inputs: hand, legal, picked, received, outside, trick, winning, beating;
known and played by other seat."""
_PRODUCTS: Final = 4
"""The numbers by card: how many cards outside are below and above a card in hand, and its value in hand or outside."""
_SUITS: Final = 4 * (2 + _OTHERS)
_SCALARS: Final = 11
_BY_SEAT: Final = 9
INPUTS: Final = 52 * (_SETS + _PRODUCTS) + _SUITS + _SCALARS + _BY_SEAT * _SEATS
"""The number of inputs that depend on the position."""
_REST: Final = 52 * (_SETS + _PRODUCTS)
"""The offset of the inputs that are not by card."""
CRITIC_INPUTS: Final = 52 * 5 + (INPUTS - _REST) + 2 * 52 * _OTHERS
"""The number of the critic's inputs that depend on the position."""


values_of = lru_cache(maxsize=64)(CardValues)
"""The cached values of a rule set's cards."""


def _bits(masks: NDArray[np.int64]) -> NDArray[np.uint8]:
    """The 52 card bits of masks, along a new last axis."""
    raw = np.ascontiguousarray(masks, "<i8").view(np.uint8).reshape(*masks.shape, 8)
    return np.unpackbits(raw, axis=-1, count=52, bitorder="little")


def _highest(masks: NDArray[np.int64]) -> NDArray[np.int64]:
    """The highest bit of each mask; 0 of 0."""
    exponents: NDArray[Any] = np.frexp(masks.astype(np.float64))[1]
    return np.where(masks > 0, np.int64(1) << np.maximum(exponents.astype(np.int64) - 1, 0), 0)


def inputs(rules: Rules, rows: NDArray[np.int64]) -> Floats:
    """Compute the inputs that depend on the position.

    Args:
        rules: the rule set of all rows.
        rows: positions, of shape (count, `WIDTH`).

    Returns:
        Numbers of the order of 1, of shape (count, `INPUTS`).
    """
    count = len(rows)
    assert rows.shape == (count, WIDTH)
    led, winning = _led_and_winning(rows)
    legal = rows[:, at["legal"]]
    masks = np.column_stack(
        [
            rows[:, [at[name] for name in ("hand", "legal", "picked", "received", "outside")]],
            np.bitwise_or.reduce(_part(rows, "trick"), axis=1),
            winning,
            legal & np.where(led > 0, led & ~(2 * winning - 1), (1 << 52) - 1),
            _part(rows, "known"),
            _part(rows, "played")[:, 1:],
            _part(rows, "captured"),
        ]
    )
    bits = _bits(masks)
    out = np.empty((count, INPUTS), np.float32)
    out[:, : 52 * _SETS].reshape(count, _SETS, 52)[...] = bits[:, :_SETS]
    worth = np.broadcast_to(np.array(values_of(rules).by_card, np.float32), (count, 52))
    if rules.exposable:
        worth = worth * (1 + _bits(np.bitwise_or.reduce(_part(rows, "exposed"), axis=1)))
    start = 52 * _SETS
    by_card = out[:, start : start + 52 * _PRODUCTS].reshape(count, _PRODUCTS, 52)
    _write_cards(by_card, out[:, :52], out[:, 52 * 4 : 52 * 5], worth)
    start += 52 * _PRODUCTS
    _write_suits(out[:, start : start + _SUITS], out, rows)
    costs, gains = _sums(bits[:, _SETS:], worth)
    numbers = out[:, start + _SUITS :]
    _write_numbers(numbers, rows, led, _sums(bits[:, 5:6], worth), costs.sum(axis=1))
    by_seat = numbers[:, _SCALARS:].reshape(count, _BY_SEAT, _SEATS)
    _write_seats(by_seat, rows, winning, costs, gains)
    by_seat[:, 8] += _part(rows, "captured") & values_of(rules).doubler != 0
    return out


def critic_inputs(rules: Rules, x: Floats, others: NDArray[np.int64]) -> Floats:
    """The inputs of the critic, who sees all hands: some of those of the player, and the hands of the other seats.

    Args:
        rules: the rule set of all positions.
        x: the player's inputs, as `inputs` makes them.
        others: the hands, of shape (count, `MOST_PLAYERS` - 1).

    Returns:
        Numbers of the order of 1, of shape (count, `CRITIC_INPUTS`).
    """
    hands = _bits(others).reshape(len(x), -1).astype(np.float32)
    worth = np.tile(np.array(values_of(rules).by_card, np.float32), _OTHERS)
    chosen = [x[:, :104], x[:, 52 * 5 : 52 * 7], x[:, 52 * 18 : 52 * 19], x[:, _REST:], hands, hands * worth]
    return np.concatenate(chosen, axis=1)


def _part(rows: NDArray[np.int64], name: str) -> NDArray[np.int64]:
    """The words of a part of rows."""
    return rows[:, at[name] : at[name] + PARTS[name]]


def _led_and_winning(rows: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Masks of the suit led and of the winning card; 0 before the lead."""
    trick = _part(rows, "trick")
    leader = rows[:, at["leader"]]
    lead = np.where(leader > 0, trick[np.arange(len(rows)), np.maximum(leader, 1) - 1], 0)
    led = np.zeros(len(rows), np.int64)
    for suit in range(4):
        mask = 8191 << 13 * suit
        led |= np.where(lead & mask, mask, 0)
    return led, _highest(np.bitwise_or.reduce(trick, axis=1) & led)


def _sums(bits: NDArray[np.uint8], worth: Floats) -> tuple[Floats, Floats]:
    """By pile, the sums of what cards cost and of what they bring."""
    found = bits * worth[:, None]
    return np.maximum(found, 0).sum(axis=2), -np.minimum(found, 0).sum(axis=2)


def _write_cards(by_card: Floats, hand: Floats, outside: Floats, worth: Floats) -> None:
    """Write the ranks of cards in hand among those outside, and values."""
    count = len(hand)
    below = outside.reshape(count, 4, 13).cumsum(axis=2)
    above = below[:, :, -1:] - below
    by_card[:, 0] = below.reshape(count, 52) * hand * 0.125
    by_card[:, 1] = above.reshape(count, 52) * hand * 0.125
    by_card[:, 2] = hand * worth
    by_card[:, 3] = outside * worth


def _write_suits(suits: Floats, sets: Floats, rows: NDArray[np.int64]) -> None:
    """Write the numbers of cards in hand and outside, and who did not follow suit."""
    count = len(rows)
    suits[:, 0:4] = sets[:, :52].reshape(count, 4, 13).sum(axis=2) * 0.125
    suits[:, 4:8] = sets[:, 52 * 4 : 52 * 5].reshape(count, 4, 13).sum(axis=2) * 0.125
    failed = _part(rows, "failed")[:, 1:, None] >> np.arange(4) & 1
    suits[:, 8:].reshape(count, _OTHERS, 4)[...] = failed


def _write_numbers(
    numbers: Floats, rows: NDArray[np.int64], led: NDArray[np.int64], trick: tuple[Floats, Floats], cost: Floats
) -> None:
    """Write the numbers that belong to no card or seat."""
    phase, legal = rows[:, at["phase"]], rows[:, at["legal"]]
    left = np.bitwise_count(rows[:, at["hand"]])
    numbers[:, 0] = phase == 0
    numbers[:, 1] = phase == 1
    numbers[:, 2] = rows[:, at["broken"]]
    numbers[:, 3] = left / 13
    numbers[:, 4] = left == 1
    numbers[:, 5] = trick[0][:, 0]
    numbers[:, 6] = trick[1][:, 0]
    numbers[:, 7] = cost / 2
    numbers[:, 8] = rows[:, at["gift_left"]] / 3
    numbers[:, 9] = legal >> 52 & 1
    numbers[:, 10] = (led == 0) & (phase == 2)


def _write_seats(
    by_seat: Floats, rows: NDArray[np.int64], winning: NDArray[np.int64], costs: Floats, gains: Floats
) -> None:
    """Write the numbers by seat, but for the doubler's taker."""
    own = np.arange(_SEATS)
    by_seat[:, 0] = costs
    by_seat[:, 1] = gains
    by_seat[:, 2] = costs > 0
    by_seat[:, 3] = (costs > 0) & (costs >= costs.sum(axis=1, keepdims=True) - 1e-6)
    by_seat[:, 4] = _part(rows, "won") / 13
    by_seat[:, 5] = _part(rows, "leader") == own
    by_seat[:, 6, 0] = 0
    by_seat[:, 6, 1:] = (_part(rows, "trick") == winning[:, None]) & (winning[:, None] > 0)
    by_seat[:, 7] = (_part(rows, "gift_to") == own) & (own > 0)
    by_seat[:, 8] = 0.5 * (_part(rows, "taker") == own)


def _one_of(value: int, count: int) -> list[float]:
    return [float(value == number) for number in range(count)]


def _rule_inputs(rules: Rules) -> Floats:
    resolved = rules.resolved
    values = values_of(rules)
    masks = [
        resolved.deck_lo,
        resolved.penalty,
        resolved.moon_lo if resolved.moon else 0,
        resolved.exposable,
        resolved.first_trick_bars,
        resolved.lead_waits,
        resolved.discard_waits,
        resolved.unpassable,
        resolved.compulsory_faces,
        resolved.break_lead | resolved.break_follow | resolved.break_discard,
        resolved.doubler,
    ]
    numbers = [
        *_one_of(rules.players - 3, 3),
        *[float(seat < rules.players and seat % len(rules.sides) == 0) for seat in range(1, _SEATS)],
        rules.cards_per_hand / 13,
        rules.kitty_size / 4,
        resolved.moon_value / values.unit / 2,
        float(rules.sun),
        resolved.doubler_factor / 2,
        resolved.doubler_alone / values.unit / 2,
        resolved.no_tricks_bonus / values.unit / 2,
        float(bool(rules.teams)),
        *_one_of(min(int(resolved.moon), MOON_SHOOTER_TO_ZERO), MOON_SHOOTER_TO_ZERO + 1),
        *_one_of(int(resolved.compulsory), COMPULSORY_ALWAYS + 1),
        *_one_of(int(resolved.kitty), KITTY_LAST_TRICK + 1),
        *_one_of(int(resolved.opening), OPEN_UNRESTRICTED + 1),
        *_one_of(int(resolved.bonus_floor), FLOOR_TOTAL + 1),
        *_one_of(SHOWN_WAIT_ON_LEAD if rules.exposable else 0, SHOWN_WAIT_ON_LEAD + 1),
    ]
    bits = _bits(np.array([int(mask) for mask in masks], np.int64)).reshape(-1)
    found = np.concatenate([np.array(values.by_card), bits, np.array(numbers)])
    return found.astype(np.float32)


rule_inputs = lru_cache(maxsize=64)(_rule_inputs)
"""The inputs that depend on the rules alone: a vector of `RULE_INPUTS` floats."""
RULE_INPUTS: Final = len(_rule_inputs(Rules()))
"""The number of inputs that depend on the rules alone."""
