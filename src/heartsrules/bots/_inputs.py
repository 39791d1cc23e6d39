"""Compute the learned network's inputs for many positions."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Final, TypeAlias

from heartsrules.base.extras import needs

with needs("learned", "heartsrules.bots.learned"):
    import numpy as np
    from numpy.typing import NDArray

from heartsrules.analysis.seat_words import (
    BROKEN,
    DECLINE_BIT,
    EXPOSE,
    FAILED,
    LEADS,
    PASS,
    PLAY,
    STEP,
    TAKER,
    WON,
    encoder_of,
)
from heartsrules.bots._sparse import MOST_PLAYERS, CardValues
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
Ints: TypeAlias = NDArray[np.int64]

_SEATS: Final = MOST_PLAYERS
_OTHERS: Final = MOST_PLAYERS - 1
_SETS: Final = 8 + 2 * _OTHERS
"""The number of sets of cards among the inputs.

They are hand, legal, picked, received, outside, trick, winning and beating, plus known and played of each other seat.
"""
_PRODUCTS: Final = 4
"""The number of inputs per card.

They are the outside cards below and above a card in hand, and the card's value in hand or outside.
"""
_SUITS: Final = 4 * (2 + _OTHERS)
_SCALARS: Final = 11
_BY_SEAT: Final = 9
INPUTS: Final = 52 * (_SETS + _PRODUCTS) + _SUITS + _SCALARS + _BY_SEAT * _SEATS
"""The number of inputs that depend on the position."""
_REST: Final = 52 * (_SETS + _PRODUCTS)
CRITIC_INPUTS: Final = 52 * 5 + (INPUTS - _REST) + 2 * 52 * _OTHERS
"""The number of the critic's inputs that depend on the position."""


values_of = lru_cache(maxsize=64)(CardValues)
"""The cached values of a rule set's cards."""


def _bits(masks: Ints) -> NDArray[np.uint8]:
    raw = np.ascontiguousarray(masks, "<i8").view(np.uint8).reshape(*masks.shape, 8)
    return np.unpackbits(raw, axis=-1, count=52, bitorder="little")


def _highest(masks: Ints) -> Ints:
    exponents: NDArray[Any] = np.frexp(masks.astype(np.float64))[1]
    return np.where(masks > 0, np.int64(1) << np.maximum(exponents.astype(np.int64) - 1, 0), 0)


class _Positions:
    """The parts of rows of words, for `MOST_PLAYERS` seats from the observer on."""

    def __init__(self, rules: Rules, words: Ints) -> None:
        self.rules: Final = rules
        self.words: Final = words
        self.places: Final = encoder_of(rules).at.places
        self.legal: Final = self.one("legal")
        self.deal: Final = self.one("deal")
        self.about: Final = self.part("about")
        self.trick: Final = self.part("trick")
        self.played: Final = self.part("played")
        self.captured: Final = self.part("captured")
        self.passing: Final = self.deal & PASS > 0

    def part(self, name: str) -> Ints:
        """Return a part's words, or 0 if the rules have no such part."""
        place = self.places.get(name)
        return np.zeros((len(self.words), 1), np.int64) if place is None else self.words[:, place]

    def one(self, name: str) -> Ints:
        return self.part(name)[:, 0]

    def led_and_winning(self) -> tuple[Ints, Ints]:
        lead = np.where(self.about & LEADS, self.trick, 0).max(axis=1)
        led = np.zeros(len(self.words), np.int64)
        for suit in range(4):
            mask = 8191 << 13 * suit
            led |= np.where(lead & mask, mask, 0)
        return led, _highest(np.bitwise_or.reduce(self.trick, axis=1) & led)

    def gifts(self, known: Ints) -> tuple[Ints, Ints, Ints]:
        """Add the passed cards to other seats' known cards.

        Returns:
            The picked cards, the recipient of the next card picked or of the first passed ones (0 for none), and the
            number of cards still to pick.
        """
        gifts, next_gift = self.part("gifts"), self.one("next_gift")
        picked, to, left = np.zeros((3, len(gifts)), np.int64)
        some_pass = self.passing.any()
        steps = self.deal // STEP & 0xFFFF
        for step in set(steps.tolist()):
            now = steps == step
            for number, (offset, size) in enumerate(self.rules.pass_plan(step)):
                place = offset % self.rules.players
                given = np.where(now & ~self.passing, gifts[:, number], 0)
                known[:, place - 1] |= given
                if not number:
                    to[given > 0] = place
                if some_pass:
                    to[now & (next_gift >> number & 1 > 0)] = place
                    left[now & self.passing] += size
        if some_pass:
            picked = np.where(self.passing, np.bitwise_or.reduce(gifts, axis=1), 0)
        left -= np.bitwise_count(picked)
        return picked, to, left


def inputs(rules: Rules, words: Ints) -> Floats:
    """Compute the inputs that depend on the position.

    Args:
        words: positions, as rows of `heartsrules.analysis.seat_words`.

    Returns:
        Numbers of the order of 1, of shape (count, `INPUTS`).
    """
    count, players = len(words), rules.players
    seen = _Positions(rules, words)
    led, winning = seen.led_and_winning()
    hand, kitty, exposed = seen.one("hand"), seen.one("kitty"), seen.part("exposed")
    gone = np.bitwise_or.reduce(seen.played | seen.captured, axis=1)
    legal = seen.legal & ~DECLINE_BIT
    masks = np.zeros((count, _SETS + _SEATS), np.int64)
    known, others = masks[:, 8 : 8 + _OTHERS], masks[:, 8 + _OTHERS : 8 + 2 * _OTHERS]
    others[:, : players - 1] = seen.played[:, 1:]
    if rules.exposable:
        known[:, : players - 1] = exposed[:, 1:]
    picked, gift_to, gift_left = seen.gifts(known)
    known &= ~others
    masks[:, 0] = hand & ~picked
    masks[:, 1] = legal
    masks[:, 2] = picked | seen.one("showing")
    masks[:, 3] = seen.one("received")
    masks[:, 4] = rules.deck.lo & ~(hand | gone | kitty)
    masks[:, 5] = np.bitwise_or.reduce(seen.trick, axis=1)
    masks[:, 6] = winning
    masks[:, 7] = legal & np.where(led > 0, led & ~(2 * winning - 1), legal)
    masks[:, _SETS : _SETS + players] = seen.captured
    bits = _bits(masks)
    out = np.empty((count, INPUTS), np.float32)
    out[:, : 52 * _SETS].reshape(count, _SETS, 52)[...] = bits[:, :_SETS]
    worth = np.broadcast_to(np.array(values_of(rules).by_card, np.float32), (count, 52))
    if rules.exposable:
        worth = worth * (1 + _bits(np.bitwise_or.reduce(exposed, axis=1)))
    start = 52 * _SETS
    by_card = out[:, start : start + 52 * _PRODUCTS].reshape(count, _PRODUCTS, 52)
    _write_cards(by_card, out[:, :52], out[:, 52 * 4 : 52 * 5], worth)
    start += 52 * _PRODUCTS
    _write_suits(out[:, start : start + _SUITS], out, seen)
    costs, gains = _sums(bits[:, _SETS:], worth)
    numbers = out[:, start + _SUITS :]
    trick_costs, trick_gains = _sums(bits[:, 5:6], worth)
    numbers[:, 5] = trick_costs[:, 0]
    numbers[:, 6] = trick_gains[:, 0]
    numbers[:, 7] = costs.sum(axis=1) / 2
    numbers[:, 8] = gift_left / 3
    _write_numbers(numbers, seen, masks[:, 0], led)
    by_seat = numbers[:, _SCALARS:].reshape(count, _BY_SEAT, _SEATS)
    by_seat[...] = 0
    by_seat[:, 0] = costs
    by_seat[:, 1] = gains
    _write_seats(by_seat[:, :, :players], seen, winning, gift_to)
    by_seat[:, 8, :players] += seen.captured & values_of(rules).doubler != 0
    return out


def critic_inputs(rules: Rules, x: Floats, others: Ints) -> Floats:
    """Compute the inputs of the critic, which sees all hands.

    Args:
        x: the player's inputs, from `inputs`.
        others: the hands, of shape (count, `MOST_PLAYERS` - 1).

    Returns:
        Numbers of the order of 1, of shape (count, `CRITIC_INPUTS`).
    """
    hands = _bits(others).reshape(len(x), -1).astype(np.float32)
    worth = np.tile(np.array(values_of(rules).by_card, np.float32), _OTHERS)
    chosen = [x[:, :104], x[:, 52 * 5 : 52 * 7], x[:, 52 * 18 : 52 * 19], x[:, _REST:], hands, hands * worth]
    return np.concatenate(chosen, axis=1)


def _sums(bits: NDArray[np.uint8], worth: Floats) -> tuple[Floats, Floats]:
    found = bits * worth[:, None]
    return np.maximum(found, 0).sum(axis=2), -np.minimum(found, 0).sum(axis=2)


def _write_cards(by_card: Floats, hand: Floats, outside: Floats, worth: Floats) -> None:
    count = len(hand)
    below = outside.reshape(count, 4, 13).cumsum(axis=2)
    above = below[:, :, -1:] - below
    by_card[:, 0] = below.reshape(count, 52) * hand * 0.125
    by_card[:, 1] = above.reshape(count, 52) * hand * 0.125
    by_card[:, 2] = hand * worth
    by_card[:, 3] = outside * worth


def _write_suits(suits: Floats, sets: Floats, seen: _Positions) -> None:
    count, others = len(sets), seen.rules.players - 1
    suits[:, 0:4] = sets[:, :52].reshape(count, 4, 13).sum(axis=2) * 0.125
    suits[:, 4:8] = sets[:, 52 * 4 : 52 * 5].reshape(count, 4, 13).sum(axis=2) * 0.125
    failed = suits[:, 8:].reshape(count, _OTHERS, 4)
    failed[:, :others] = seen.about[:, 1:, None] // FAILED[0] >> np.arange(4) & 1
    failed[:, others:] = 0


def _write_numbers(numbers: Floats, seen: _Positions, hand: Ints, led: Ints) -> None:
    left = np.bitwise_count(hand)
    numbers[:, 0] = seen.passing
    numbers[:, 1] = seen.deal & EXPOSE > 0
    numbers[:, 2] = seen.deal & BROKEN > 0
    numbers[:, 3] = left / 13
    numbers[:, 4] = left == 1
    numbers[:, 9] = seen.legal & DECLINE_BIT > 0
    numbers[:, 10] = (led == 0) & (seen.deal & PLAY > 0)


def _write_seats(by_seat: Floats, seen: _Positions, winning: Ints, gift_to: Ints) -> None:
    """Write the inputs by seat, except the doubler's taker.

    Penalties and bonuses are already in place.
    """
    costs = by_seat[:, 0]
    by_seat[:, 2] = costs > 0
    by_seat[:, 3] = (costs > 0) & (costs >= costs.sum(axis=1, keepdims=True) - 1e-6)
    by_seat[:, 4] = (seen.about // WON & 63) / 13
    by_seat[:, 5] = seen.about & LEADS > 0
    by_seat[:, 6, 1:] = (seen.trick[:, 1:] == winning[:, None]) & (winning[:, None] > 0)
    by_seat[:, 7, 1:] = gift_to[:, None] == np.arange(1, seen.rules.players)
    by_seat[:, 8] = 0.5 * (seen.about & TAKER > 0)


def _one_of(value: int, count: int) -> list[float]:
    return [float(value == number) for number in range(count)]


def _rule_inputs(rules: Rules) -> Floats:
    resolved = rules._resolved
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
"""The cached vector of `RULE_INPUTS` floats for a rule set."""
RULE_INPUTS: Final = len(_rule_inputs(Rules()))
