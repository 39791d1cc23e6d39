"""The setup: a position that is not trusted yet."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from types import UnionType
from typing import Any, Final, TypeGuard, TypeVar, get_args, get_origin, get_type_hints

import attrs

from heartsrules.base.values import with_article, wrong_item, wrong_type
from heartsrules.cards import Cards, Suit
from heartsrules.play.moves import Expose, Pass, Play
from heartsrules.play.phases import Phase
from heartsrules.play.public import Trick
from heartsrules.play.sheet import DealScore
from heartsrules.play.state import MidDealPosition, State
from heartsrules.rules import Moon, Rules, Seat
from heartsrules.setup._parts import known, told_parts

V = TypeVar("V")
S = TypeVar("S", bound="DealSetup")


def item(name: str, value: object, kind: type[V]) -> V:
    """Check the type of a value; a bool is not an int."""
    if not _is_a(value, kind):
        wrong_type(name, with_article(kind.__name__), value)
    return value


def _is_a(value: object, kind: type[V]) -> TypeGuard[V]:
    return isinstance(value, kind) and not (kind is int and isinstance(value, bool))


def items(name: str, values: object, kind: type[V], *, or_none: bool = False) -> tuple[V, ...]:
    """Check the types of values, and return them as a tuple."""
    if isinstance(values, (str, Cards)) or not isinstance(values, Iterable):
        wrong_type(name, f"an iterable of {_several(kind)}", values)
    found = tuple(values)
    for value in found:
        if not _is_a(value, kind) and not (or_none and value is None):
            wrong_item(name, _several(kind), value)
    return found


def _several(kind: type) -> str:
    return "ints" if kind is int else kind.__name__


def _look_inside(name: str, value: object) -> None:
    """Check the types inside a value whose constructor checks nothing."""
    if isinstance(value, Trick):
        item(f"{name}.leader", value.leader, int)
        _tuple(f"{name}.plays", value.plays, Play)
        if value.winner is not None:
            item(f"{name}.winner", value.winner, int)
    elif isinstance(value, MidDealPosition):
        item(f"{name}.leader", value.leader, int)
        _tuple(f"{name}.captured", value.captured, Cards)
        if value.tricks_won is not None:
            _tuple(f"{name}.tricks_won", value.tricks_won, int)
        item(f"{name}.set_aside", value.set_aside, Cards)
        if value.kitty_winner is not None:
            item(f"{name}.kitty_winner", value.kitty_winner, int)
        if value.hearts_broken is not None:
            item(f"{name}.hearts_broken", value.hearts_broken, bool)
        _tuple(f"{name}.suits_led", value.suits_led, Suit)
    elif isinstance(value, DealScore):
        _tuple(f"{name}.points", value.points, int)
        _tuple(f"{name}.card_points", value.card_points, int)
        if value.shooter is not None:
            item(f"{name}.shooter", value.shooter, int)
        if value.effect is not None:
            item(f"{name}.effect", value.effect, Moon)
        item(f"{name}.sun", value.sun, bool)
        _tuple(f"{name}.tricks_won", value.tricks_won, int)
        _tuple(f"{name}.totals", value.totals, int)
        if value.queen_taker is not None:
            item(f"{name}.queen_taker", value.queen_taker, int)
        _tuple(f"{name}.exposed", value.exposed, Cards)


def _tuple(name: str, values: object, kind: type) -> None:
    if not isinstance(values, tuple):
        wrong_type(name, f"a tuple of {_several(kind)}", values)
    if not {type(value) for value in values} <= {kind}:
        for place, value in enumerate(values):
            item(f"{name}[{place}]", value, kind)


@cache
def _types_of(kind: type) -> tuple[tuple[str, type, bool, bool, bool], ...]:
    """The attributes of a class of setups, as they are declared: of each its name, its type or that of its items,
    whether it may be None, whether it is a tuple, and whether items may be None."""
    found = []
    for name, hint in get_type_hints(kind).items():
        bare = _without_none(hint)
        several = get_origin(bare) is tuple
        entry = get_args(bare)[0] if several else bare
        of = _without_none(entry)
        found.append((name, of, bare is not hint, several, of is not entry))
    return tuple(found)


def _without_none(hint: Any) -> Any:
    return get_args(hint)[0] if isinstance(hint, UnionType) else hint


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
        # Of iterables it makes tuples.
        own: Any = type(self)
        for name, kind, optional, several, or_none in _types_of(own):
            given = getattr(self, name)
            if given is None and optional:
                continue
            if several:
                found: tuple[object, ...] = items(name, given, kind, or_none=or_none)
                if kind in (Trick, DealScore):
                    for place, value in enumerate(found):
                        _look_inside(f"{name}[{place}]", value)
                if type(given) is not tuple:
                    object.__setattr__(self, name, found)
            else:
                item(name, given, kind)
                _look_inside(name, given)


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
