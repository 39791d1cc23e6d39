"""The setup: a position that is not trusted yet."""

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
"""The types of the attributes of values whose constructors check nothing."""


def item(name: str, value: object, hint: Any) -> None:
    """Check the type of a value and of what is inside it."""
    found = misfit(value, hint, _INSIDE)
    if found is not None:
        wrong_type(name + found.place, phrase_of(found.expected), found.value)


def items(name: str, values: object, kind: type[V], *, or_none: bool = False) -> tuple[V, ...]:
    """Check the types of values, and return them as a tuple."""
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
    """A deal that is not trusted yet. Tuples are by seat unless stated otherwise.

    The cards held now and the plays are needed. The rest follows from the rules; given as a claim, it must agree. None
    means: not given.
    """

    hands: tuple[Cards, ...] = ()
    """The cards that each seat holds now; empty for a deal that is over."""
    kitty: Cards | None = None
    """The cards left over after dealing, taken or not. None: those that are nowhere else."""
    passes: tuple[Pass | None, ...] = ()
    """The committed passes; None for a seat that has not committed. Empty: there was no passing, or it is unknown."""
    dealt_back: tuple[Cards, ...] = ()
    """After a pass through the middle, the cards that each seat was dealt back. Empty: there was none, they have not
    been dealt back yet, or it is unknown."""
    exposures: tuple[Expose | None, ...] = ()
    """While cards are shown, the committed exposures; None for a seat that has not committed. Empty: none. In rounds a
    seat is committed that has moved since another showed cards, to all that it has shown, which `exposed` tells too."""
    exposed: tuple[Cards, ...] = ()
    """The cards shown; empty: none, or they are being shown now."""
    tricks: tuple[Trick, ...] = ()
    """The completed tricks, in order: from the first lead or from `resumed_from` on."""
    trick: tuple[Play, ...] = ()
    """The plays of the current trick, in order."""
    resumed_from: MidDealPosition | None = None
    """Without the whole history: the position before the first of `tricks`."""
    leader: Seat | None = None
    """A claim: the leader of the current trick; of a deal that is over, of the last one."""
    captured: tuple[Cards, ...] | None = None
    """A claim: the cards won, the kitty with its taker."""
    tricks_won: tuple[int, ...] | None = None
    """A claim: the numbers of tricks won."""
    trick_number: int | None = None
    """A claim: the number of completed tricks, won or not."""
    set_aside: Cards | None = None
    """A claim: the cards of tricks that nobody has won yet."""
    kitty_winner: Seat | None = None
    """A claim: who took the kitty."""
    hearts_broken: bool | None = None
    """A claim: whether hearts are broken now."""

    def __attrs_post_init__(self) -> None:
        # Iterables become tuples.
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
    """A position of a match that is not trusted yet: `check` alone makes a state of it.

    Whatever comes from outside (JSON, text, another program's log, a puzzle) is read into a setup first; only its types
    are checked. Between two deals and at the end, the deal before is in `last_deal`; in the middle of a deal, that deal
    is in the setup's own attributes.

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
    """The phase of the game."""
    rules: Rules
    deal_number: int = 0
    """The number of the deal, from 0: between deals that of the next one, at the end that of the last one."""
    first: int = 0
    """The number of the first deal in `score_sheet`, from 0."""
    start: tuple[int, ...] | None = None
    """The running totals before deal `first`; needed unless that is 0."""
    queen_taker: Seat | None = None
    """Who captured the Q♠ in the deal before `first`; None: nobody, or it does not matter."""
    score_sheet: tuple[DealScore, ...] = ()
    """The score sheet: a row for each finished deal from `first` on; that of `last_deal` may be left out."""
    last_deal: DealSetup | None = None
    """The deal just played: between deals, while a shooter chooses, and at the end."""
    effect: Moon | None = None
    """What the shooter of the last deal chose, if its row is left out."""
    has_full_history: bool | None = None
    """A claim: whether the history is complete."""
    scores: tuple[int, ...] | None = None
    """A claim: the running totals; in a deal, those before it."""
    turn: Seat | None = None
    """A claim: whose turn it is to play."""
    shooter: Seat | None = None
    """A claim: who shot the moon and is to choose."""
    others_up: DealScore | None = None
    """A claim: the row of the deal if the shooter chooses `Moon.OTHERS_UP`."""
    shooter_down: DealScore | None = None
    """A claim: the row of the deal if the shooter chooses `Moon.SHOOTER_DOWN`."""
    winners: tuple[Seat, ...] | None = None
    """A claim: the seats that have won."""

    @staticmethod
    def of(state: State) -> Setup:
        """The setup of a state: the inverse of `check`, so that `check(Setup.of(state)) == state`."""
        if not isinstance(state, State):
            wrong_type("state", "a State", state)
        return known(Setup, told_parts(state, NOTHING_TOLD.copy(), DealSetup, NO_DEAL_TOLD))


def _defaults(kind: type[attrs.AttrsInstance]) -> dict[str, Any]:
    return {field.name: field.default for field in attrs.fields(kind)}


NO_DEAL_TOLD: Final = _defaults(DealSetup)
"""The default attributes of a `DealSetup`."""
NOTHING_TOLD: Final = _defaults(Setup)
"""The default attributes of a `Setup`; those of its phase and rules are placeholders."""
