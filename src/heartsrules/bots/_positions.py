"""Positions as seen by one seat, as rows of 64-bit integers: the input of the learned player.

A row has the same layout under all rule sets that `plays_here` accepts. Seats are counted clockwise from the observer,
so seat 0 is its own and seat 1 its left neighbour. A mask of cards has bit i for the card with `index` i.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from heartsrules.cards import Card
from heartsrules.play.engine import legal_moves
from heartsrules.play.moves import Play
from heartsrules.play.view_classes import ExposingView, PassingView, PlayingView, View
from heartsrules.rules import ANY_NUMBER, ExposeBeforePass, PassOptional, PassPlan, Rules

MOST_PLAYERS: Final = 5
"""The largest table that a row has room for."""
DECLINE: Final = 52
"""The action that ends an exposure. The actions below it are cards, in card order."""
_DECLINE_BIT: Final = 0x10000000000000

PARTS: Final[dict[str, int]] = {
    "legal": 1,  # the legal actions
    "hand": 1,  # without cards picked for a pass
    "picked": 1,  # picked so far, for a pass or an exposure
    "received": 1,
    "outside": 1,  # in other hands or hidden in a kitty
    "known": 4,  # by other seat: the cards that it is known to hold
    "trick": 4,  # by other seat: its card in the current trick
    "played": 5,  # by seat, the current trick included
    "captured": 5,  # by seat, as far as they may be seen
    "exposed": 5,  # by seat: the cards shown in this deal
    "failed": 5,  # by seat: bit s if it did not follow suit s
    "won": 5,  # by seat: tricks won
    "phase": 1,  # 0 passing, 1 showing, 2 playing
    "broken": 1,
    "tricks": 1,  # completed tricks
    "leader": 1,  # seat; -1 before the play
    "taker": 1,  # seat that took the kitty; -1 nobody
    "gift_to": 1,  # seat that gets the next card picked, or got the first gift; 0 nobody
    "gift_left": 1,  # cards that are still to be picked
}
"""The number of words of each part of a row."""


def _starts() -> dict[str, int]:
    starts: dict[str, int] = {}
    start = 0
    for name, size in PARTS.items():
        starts[name] = start
        start += size
    return starts


at: Final[dict[str, int]] = _starts()
"""The offset of each part of a row."""
WIDTH: Final = sum(PARTS.values())
"""The number of words of a row."""


def plays_here(rules: Rules) -> bool:
    """Whether rows describe positions under a rule set: one deck, up to five players, plain passes."""
    return (
        rules.decks == 1
        and rules.players <= MOST_PLAYERS
        and rules.pass_optional is PassOptional.NO
        and rules.expose_before_pass is ExposeBeforePass.NEVER
        and ANY_NUMBER not in rules.pass_cycle
        and not any([offset == 0 for step in rules.pass_cycle for offset, _ in step])
    )


def _may_pass(rules: Rules, hand: int, picked: int) -> int:
    """The cards that may be picked next for a pass, as a mask."""
    return hand & ~picked & ~rules.unpassable.lo


def _may_expose(rules: Rules, hand: int, exposed: int, picked: int) -> int:
    """The actions of a seat that shows cards, as a mask: cards above all that are picked, in card order, or the end."""
    below = int(2 ** picked.bit_length()) - 1
    return hand & ~exposed & rules.exposable.lo & ~below | _DECLINE_BIT


def encode(view: View, picks: Sequence[Card] = ()) -> list[int]:
    """Encode the position of a seat, with the cards that it has picked so far for a pass or an exposure.

    While cards are played, a seat that is not to act has no legal action.

    Raises:
        ValueError: no cards are passed, shown or played.
    """
    row = [0] * WIDTH
    row[at["leader"]] = row[at["taker"]] = -1
    rules = view.rules
    picked = sum([card.bit for card in picks])
    row[at["picked"]] = picked
    if isinstance(view, PassingView):
        step = view.plan
        row[at["legal"]] = _may_pass(rules, view.hand.lo, picked)
        row[at["hand"]] = view.hand.lo & ~picked
        row[at["outside"]] = rules.deck.lo & ~view.hand.lo
        to, left = _next_gift(step, len(picks))
        row[at["gift_to"]] = to % rules.players
        row[at["gift_left"]] = left
        return row
    if isinstance(view, ExposingView):
        own = view.exposed[view.seat or 0].lo if view.exposed else 0
        row[at["legal"]] = _may_expose(rules, view.hand.lo, own, picked)
        row[at["hand"]] = view.hand.lo
        row[at["outside"]] = rules.deck.lo & ~view.hand.lo
        row[at["phase"]] = 1
        _encode_start(row, view, rules)
        return row
    if isinstance(view, PlayingView):
        row[at["phase"]] = 2
        row[at["hand"]] = view.hand.lo
        row[at["broken"]] = int(view.hearts_broken)
        legal = 0
        for move in legal_moves(view):
            assert isinstance(move, Play)
            legal |= move.card.bit
        row[at["legal"]] = legal
        _encode_play(row, view, rules)
        return row
    raise ValueError("no cards are passed, shown or played")


def _next_gift(step: PassPlan, picked: int) -> tuple[int, int]:
    """The offset of the receiver of the next card picked, and the number of cards still to be picked."""
    left = sum([count for _, count in step]) - picked
    for offset, count in step:
        if picked < count:
            return offset, left
        picked -= count
    return 0, left


def _encode_start(row: list[int], view: ExposingView | PlayingView, rules: Rules) -> None:
    """Write the pass and the cards shown."""
    players = rules.players
    seat = view.seat or 0
    commitment = view.own.commitment
    if commitment is not None:
        row[at["received"]] = view.received.lo
        step = rules.pass_plan(view.deal_number)
        row[at["gift_to"]] = step[0][0] % players
        for (offset, _), gift in zip(step, commitment.cards, strict=True):
            row[at["known"] + offset % players - 1] |= gift.lo
    for number, cards in enumerate(view.exposed):
        place = (number - seat) % players
        row[at["exposed"] + place] = cards.lo
        if place:
            row[at["known"] + place - 1] |= cards.lo


def _encode_play(row: list[int], view: PlayingView, rules: Rules) -> None:
    """Write the tricks of a deal."""
    players = rules.players
    seat = view.seat or 0
    captured = view.captured
    _encode_start(row, view, rules)
    played = at["played"]
    failed = at["failed"]
    gone = view.hand.lo
    for plays in [*[trick.plays for trick in view.tricks], view.trick]:
        for play in plays:
            place = (play.seat - seat) % players
            row[played + place] |= play.bit
            if play.suit != plays[0].suit:
                row[failed + place] |= 2 ** int(plays[0].suit)
    for play in view.trick:
        row[at["trick"] + (play.seat - seat) % players - 1] = play.bit
    for place in range(players):
        other = (seat + place) % players
        row[at["captured"] + place] = captured[other].lo
        # Without its history a position has cards in piles that nobody is known to have played.
        gone |= row[played + place] | captured[other].lo
        row[at["won"] + place] = view.tricks_won[other]
        if place:
            row[at["known"] + place - 1] &= ~row[played + place]
    row[at["outside"]] = rules.deck.lo & ~gone & ~(view.kitty.lo if view.kitty is not None else 0)
    row[at["tricks"]] = view.trick_number
    row[at["leader"]] = (view.leader - seat) % players
    if view.kitty_winner is not None:
        row[at["taker"]] = (view.kitty_winner - seat) % players
