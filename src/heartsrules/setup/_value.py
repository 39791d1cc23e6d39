"""The setup: a position that somebody tells and that nobody believes yet."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final, TypeGuard, TypeVar

import attrs

from heartsrules.base.values import with_article, wrong_item, wrong_type
from heartsrules.cards import Cards, Suit
from heartsrules.play.moves import Expose, Pass, Play
from heartsrules.play.phases import Phase
from heartsrules.play.sheet import DealScore
from heartsrules.play.state import Middle, State, Trick
from heartsrules.rules import Moon, Rules, Seat
from heartsrules.setup._parts import known, told_parts

__all__ = ["NOTHING_TOLD", "NO_DEAL_TOLD", "DealSetup", "Setup", "item", "items"]

V = TypeVar("V")
S = TypeVar("S", bound="DealSetup")


def item(name: str, value: object, kind: type[V]) -> V:
    """The value, which must be of that type; a bool does not count as an int."""
    if not _is_a(value, kind):
        wrong_type(name, with_article(kind.__name__), value)
    return value


def _is_a(value: object, kind: type[V]) -> TypeGuard[V]:
    return isinstance(value, kind) and not (kind is int and isinstance(value, bool))


def items(name: str, values: object, kind: type[V], *, or_none: bool = False) -> tuple[V, ...]:
    """The values as a tuple; each must be of that type."""
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
    """Refuse parts of a wrong type in a value whose own constructor checks nothing."""
    if isinstance(value, Trick):
        item(f"{name}.leader", value.leader, int)
        _tuple(f"{name}.plays", value.plays, Play)
        if value.winner is not None:
            item(f"{name}.winner", value.winner, int)
    elif isinstance(value, Middle):
        item(f"{name}.leader", value.leader, int)
        _tuple(f"{name}.captured", value.captured, Cards)
        if value.tricks_won is not None:
            _tuple(f"{name}.tricks_won", value.tricks_won, int)
        item(f"{name}.set_aside", value.set_aside, Cards)
        if value.kitty_taker is not None:
            item(f"{name}.kitty_taker", value.kitty_taker, int)
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
        _tuple(f"{name}.shown", value.shown, Cards)


def _tuple(name: str, values: object, kind: type) -> None:
    if not isinstance(values, tuple):
        wrong_type(name, f"a tuple of {_several(kind)}", values)
    if not {type(value) for value in values} <= {kind}:
        for place, value in enumerate(values):
            item(f"{name}[{place}]", value, kind)


# A dictionary of attributes is much quicker to fill than slots, and a server makes two setups for every move.
@attrs.frozen(kw_only=True, slots=False)
class DealSetup:
    """A deal that somebody tells and that nobody believes yet. Tuples are by seat where nothing else is said.

    What is needed is the cards held now and what has been played; the rest follows from the rules and may be told as
    well, as a claim: then it must agree. None means: not told.

    Raises:
        TypeError: an argument has the wrong type.
    """

    hands: tuple[Cards, ...] = ()
    """The cards that each seat holds now; empty for a deal that is over."""
    kitty: Cards | None = None
    """The cards that were left over after dealing, taken or not. None: those that are nowhere else."""
    passes: tuple[Pass | None, ...] = ()
    """What each seat committed; None for a seat that has not committed yet. Empty: this deal has no passing, or what
    was passed is not known."""
    exposures: tuple[Expose | None, ...] = ()
    """While cards are shown: what each seat decided to show; None for a seat that has not. Empty: nobody has yet."""
    shown: tuple[Cards, ...] = ()
    """The cards that each seat has shown; empty: nobody has shown any, or cards are being shown now."""
    tricks: tuple[Trick, ...] = ()
    """The completed tricks, in order: from the first lead on, or from the middle on."""
    trick: tuple[Play, ...] = ()
    """The plays of the current trick, in order."""
    middle: Middle | None = None
    """Without the whole history: how things stood before the first play that is told."""
    leader: Seat | None = None
    """A claim: who led, or leads, to the current trick; of a deal that is over, to the last one."""
    captured: tuple[Cards, ...] | None = None
    """A claim: the cards that each seat has won by now, with the kitty if it has taken that."""
    tricks_won: tuple[int, ...] | None = None
    """A claim: how many tricks each seat has won by now."""
    trick_number: int | None = None
    """A claim: how many tricks are completed, won or not."""
    set_aside: Cards | None = None
    """A claim: the cards of tricks that nobody has won yet."""
    kitty_taker: Seat | None = None
    """A claim: who took the kitty."""
    hearts_broken: bool | None = None
    """A claim: whether hearts are broken now."""

    def __attrs_post_init__(self) -> None:
        self._look(_DEAL_TUPLES, _DEAL_VALUES)

    def _look(self, tuples: Iterable[tuple[str, type]], values: Iterable[tuple[str, type]]) -> None:
        """Check the types of attributes."""
        for name, kind in tuples:
            given = getattr(self, name)
            if given is None and name in _MAY_BE_NONE:
                continue
            found: tuple[object, ...] = items(name, given, kind, or_none=name in ("passes", "exposures"))
            if kind in (Trick, DealScore):
                for place, value in enumerate(found):
                    _look_inside(f"{name}[{place}]", value)
            if type(given) is not tuple:
                object.__setattr__(self, name, found)
        for name, kind in values:
            given = getattr(self, name)
            if given is not None:
                item(name, given, kind)
                _look_inside(name, given)


_DEAL_TUPLES: Final = (
    ("hands", Cards),
    ("passes", Pass),
    ("exposures", Expose),
    ("shown", Cards),
    ("tricks", Trick),
    ("trick", Play),
    ("captured", Cards),
    ("tricks_won", int),
)
_DEAL_VALUES: Final = (
    ("kitty", Cards),
    ("middle", Middle),
    ("leader", int),
    ("trick_number", int),
    ("set_aside", Cards),
    ("kitty_taker", int),
    ("hearts_broken", bool),
)
_MAY_BE_NONE: Final = ("captured", "tricks_won", "start", "scores", "winners")


@attrs.frozen(kw_only=True, slots=False)
class Setup(DealSetup):
    """A position of a match that somebody tells and that nobody believes yet: `check` alone makes a state of it.

    Whatever comes from outside (JSON, text, another program's log, a puzzle) is read into a setup first. It holds
    what was told, in the words of this class, and nothing in it has been compared with the rules. A setup of a
    position between two deals or at the end tells the deal before in `last_deal`; of one in the middle of a deal, that
    deal in its own attributes.

    >>> from heartsrules import Cards, Phase, Rules
    >>> from heartsrules.setup import Setup, check
    >>> rules = Rules(players=3, removed="2D", pass_cycle=((),))
    >>> hands = [Cards("2C 5C"), Cards("3C 6C"), Cards("4C 7C")]
    >>> check(Setup(phase=Phase.PLAY, rules=rules, hands=hands, turn=3))
    Traceback (most recent call last):
        ...
    heartsrules.base.errors.InvalidState: turn is 3, but the seats are 0 to 2

    Raises:
        TypeError: an argument has the wrong type.
    """

    phase: Phase
    """What the game is waiting for."""
    rules: Rules
    deal_number: int = 0
    """The number of the deal, from 0: before a deal that of the coming one, at the end that of the last one."""
    first: int = 0
    """The number of the deal of the first row of `deal_scores`, from 0."""
    start: tuple[int, ...] | None = None
    """The running totals before that row; needed if it is not the first deal's."""
    queen_taker: Seat | None = None
    """Who captured the Q♠ in the deal before that row; None: nobody did, or it does not matter."""
    deal_scores: tuple[DealScore, ...] = ()
    """The score sheet: a row for each finished deal from `first` on. The row of the `last_deal` may be left out."""
    last_deal: DealSetup | None = None
    """The deal that has just been played: before a deal, while a shooter chooses, and at the end."""
    effect: Moon | None = None
    """What the shooter of the last deal chose, if its row is left out."""
    whole: bool | None = None
    """A claim: whether the whole history is told."""
    scores: tuple[int, ...] | None = None
    """A claim: the running totals; in the middle of a deal those before it."""
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

    def __attrs_post_init__(self) -> None:
        super().__attrs_post_init__()
        for name, kind in (("phase", Phase), ("rules", Rules), ("deal_number", int), ("first", int)):
            item(name, getattr(self, name), kind)
        self._look(_TUPLES, _VALUES)

    @staticmethod
    def of(state: State) -> Setup:
        """What a state tells: the inverse of `check`, so that `check(Setup.of(state)) == state`.

        Raises:
            TypeError: `state` is not a state.
        """
        if not isinstance(state, State):
            wrong_type("state", "a State", state)
        return known(Setup, told_parts(state, NOTHING_TOLD.copy(), DealSetup, NO_DEAL_TOLD))


_TUPLES: Final = (("start", int), ("deal_scores", DealScore), ("scores", int), ("winners", int))
_VALUES: Final = (
    ("queen_taker", int),
    ("last_deal", DealSetup),
    ("effect", Moon),
    ("whole", bool),
    ("turn", int),
    ("shooter", int),
    ("others_up", DealScore),
    ("shooter_down", DealScore),
)


def _defaults(kind: type[attrs.AttrsInstance]) -> dict[str, Any]:
    return {field.name: field.default for field in attrs.fields(kind)}


NO_DEAL_TOLD: Final = _defaults(DealSetup)
"""The attributes of a setup of a deal that tells nothing."""
NOTHING_TOLD: Final = _defaults(Setup)
"""The attributes of a setup that tells nothing, not even its phase and its rules."""
