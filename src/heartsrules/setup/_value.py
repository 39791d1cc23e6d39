"""An untrusted position."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from types import GenericAlias
from typing import Any, Final, TypeVar, get_type_hints

import attrs

from heartsrules.base.typed import misfit, phrase_of, plural_of, without_none
from heartsrules.base.values import wrong_item, wrong_type
from heartsrules.cards import Cards, Suit
from heartsrules.play.moves import Expose, Pass, Play
from heartsrules.play.phases import Phase
from heartsrules.play.public import Trick
from heartsrules.play.sheet import ROW_TYPES, DealScore
from heartsrules.play.state import MidDealPosition, State
from heartsrules.rules import Moon, Rules, Seat
from heartsrules.setup._parts import known, told_parts

V = TypeVar("V")
S = TypeVar("S", bound="DealSetup")


_INSIDE: Final[dict[type, dict[str, Any]]] = {
    Trick: {"leader": int, "plays": tuple[Play, ...], "winner": int | None},
    MidDealPosition: {
        "leader": int,
        "captured": tuple[Cards, ...],
        "tricks_won": tuple[int, ...] | None,
        "set_aside": Cards,
        "kitty_winner": int | None,
        "hearts_broken": bool | None,
        "suits_led": tuple[Suit, ...],
    },
    DealScore: ROW_TYPES,
}
"""The attribute types of values whose constructors check nothing."""


def item(name: str, value: object, hint: Any) -> None:
    found = misfit(value, hint, _INSIDE)
    if found is not None:
        wrong_type(name + found.place, phrase_of(found.expected), found.value)


def items(name: str, values: object, kind: type[V], *, or_none: bool = False) -> tuple[V, ...]:
    """Check the types of values and return a tuple."""
    if isinstance(values, (str, Cards)) or not isinstance(values, Iterable):
        wrong_type(name, f"an iterable of {plural_of(kind)}", values)
    found = tuple(values)
    for value in found:
        if not (or_none and value is None) and misfit(value, kind, {}) is not None:
            wrong_item(name, plural_of(kind), value)
    return found


_hints_of = cache(get_type_hints)


# A dictionary of attributes is faster to fill than slots, and a server makes two setups for every move.
@attrs.frozen(kw_only=True, slots=False)
class DealSetup:
    """An untrusted deal.

    Tuples have one item per seat unless stated otherwise. The current hands and the plays are required. The attributes
    from `leader` on are derived from the others: you can omit them (None), but they must match if given.

    Attributes:
        hands: each seat's current hand, or empty for a finished deal.
        kitty: the cards left over after dealing, won or not. None means the cards that are nowhere else.
        passes: the passes, with None for a seat that has not passed. It is empty without a pass or if unknown.
        dealt_back: the cards each seat was dealt back after a pass through the middle. It is empty without one,
            before that, or if unknown.
        exposures: the exposures while cards may be exposed, with None for a seat that has not decided. In rounds, a
            seat has an entry once it has moved since another seat last exposed a card. The entry lists all of its
            exposed cards, like `exposed`.
        exposed: the exposed cards. Except in rounds, it is empty until all have decided.
        tricks: the completed tricks in order, from the first lead or `resumed_from`.
        trick: the plays of the current trick, in order.
        resumed_from: the position before the first of `tricks`, if not the first lead.
        leader: the leader to the current trick, or to the last one of a finished deal.
        captured: the cards won, including the kitty.
        tricks_won: the number of tricks won.
        trick_number: the number of completed tricks.
        set_aside: the cards of tricks still to be won.
        kitty_winner: the seat that won the kitty.
        hearts_broken: True if hearts are broken.
    """

    hands: tuple[Cards, ...] = ()
    kitty: Cards | None = None
    passes: tuple[Pass | None, ...] = ()
    dealt_back: tuple[Cards, ...] = ()
    exposures: tuple[Expose | None, ...] = ()
    exposed: tuple[Cards, ...] = ()
    tricks: tuple[Trick, ...] = ()
    trick: tuple[Play, ...] = ()
    resumed_from: MidDealPosition | None = None
    leader: Seat | None = None
    captured: tuple[Cards, ...] | None = None
    tricks_won: tuple[int, ...] | None = None
    trick_number: int | None = None
    set_aside: Cards | None = None
    kitty_winner: Seat | None = None
    hearts_broken: bool | None = None

    def __attrs_post_init__(self) -> None:
        own: Any = type(self)
        for name, hint in _hints_of(own).items():
            given = getattr(self, name)
            kind = without_none(hint)
            if isinstance(kind, GenericAlias) and not (given is None and kind is not hint):
                entry = kind.__args__[0]
                bare = without_none(entry)
                found: tuple[object, ...] = items(name, given, bare, or_none=bare is not entry)
                if type(given) is not tuple:
                    object.__setattr__(self, name, found)
                given = found
            item(name, given, hint)


@attrs.frozen(kw_only=True, slots=False)
class Setup(DealSetup):
    """An untrusted position of a match, which only `check` turns into a state.

    Only its types are checked. Between deals and at the end, the previous deal is in `last_deal`; during a deal, its
    parts are the setup's own attributes. The attributes from `has_full_history` on are derived from the others and can
    be omitted.

    Attributes:
        phase: the phase of the game.
        deal_number: the number of the current, next or (at the end) last deal, from 0.
        first: the number of the first deal in `score_sheet`, from 0.
        start: the running totals before deal `first`, required unless that is 0.
        queen_taker: the seat that captured the ♠Q before deal `first`, or None.
        score_sheet: the row of each finished deal from `first` on. The row of `last_deal` can be omitted.
        last_deal: the deal just played, between deals, during a shooter's choice and at the end.
        effect: the last shooter's choice, if the row is omitted.
        has_full_history: True if the history is complete.
        scores: the running totals, during a deal the ones before it.
        turn: the seat to play.
        shooter: the shooter who must choose.
        others_up: the deal's row under `Moon.OTHERS_UP`.
        shooter_down: the deal's row under `Moon.SHOOTER_DOWN`.
        winners: the winners.

    >>> from heartsrules import Cards, Phase, Rules
    >>> from heartsrules.setup import Setup, check
    >>> rules = Rules(players=3, removed="2D", pass_cycle=((),))
    >>> hands = [Cards("2C 5C"), Cards("3C 6C"), Cards("4C 7C")]
    >>> check(Setup(phase=Phase.PLAY, rules=rules, hands=hands, turn=3))
    Traceback (most recent call last):
        ...
    heartsrules.base.errors.InvalidState: turn is 3, but the seats are 0 to 2
    """

    phase: Phase
    rules: Rules
    deal_number: int = 0
    first: int = 0
    start: tuple[int, ...] | None = None
    queen_taker: Seat | None = None
    score_sheet: tuple[DealScore, ...] = ()
    last_deal: DealSetup | None = None
    effect: Moon | None = None
    has_full_history: bool | None = None
    scores: tuple[int, ...] | None = None
    turn: Seat | None = None
    shooter: Seat | None = None
    others_up: DealScore | None = None
    shooter_down: DealScore | None = None
    winners: tuple[Seat, ...] | None = None

    @staticmethod
    def of(state: State) -> Setup:
        """Return the setup of a state, the inverse of `check`."""
        if not isinstance(state, State):
            wrong_type("state", "a State", state)
        return known(Setup, told_parts(state, NOTHING_TOLD.copy(), DealSetup, NO_DEAL_TOLD))


def _defaults(kind: type[attrs.AttrsInstance]) -> dict[str, Any]:
    return {field.name: field.default for field in attrs.fields(kind)}


NO_DEAL_TOLD: Final = _defaults(DealSetup)
"""The default attributes of a `DealSetup`."""
NOTHING_TOLD: Final = _defaults(Setup)
"""The default attributes of a `Setup`, with placeholders for its phase and rules."""
