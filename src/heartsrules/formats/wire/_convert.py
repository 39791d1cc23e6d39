"""Conversions between values of the library and the types of documents.

Readers rely on the right types, which msgspec has checked.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from enum import Enum
from functools import lru_cache, partial
from operator import attrgetter, itemgetter
from typing import Any, Final, final, get_args

import attrs
from msgspec import UNSET
from msgspec.structs import asdict

from heartsrules.base.errors import MAX_MESSAGE, InvalidRules, InvalidState, Problem
from heartsrules.base.values import digits_if_many
from heartsrules.cards import Card, Cards, Suit
from heartsrules.formats.wire import _types as W
from heartsrules.formats.wire._texts import decode_custom
from heartsrules.messages import arguments, catalogue, key, text
from heartsrules.play.events import Event, ExposureCommitted, PassCommitted
from heartsrules.play.game import Record
from heartsrules.play.moves import Expose, Pass, Play, pass_of, play_table
from heartsrules.play.phases import Phase
from heartsrules.play.public import DealStart, PublicDeal, Trick, with_item
from heartsrules.play.sheet import DealScore, ScoreSheet
from heartsrules.play.state import MidDealPosition, State
from heartsrules.play.transitions import Transition
from heartsrules.play.violations import PRECEDENCE, Violation
from heartsrules.rules import Bonus, Doubler, HeartValues, KittyShownTo, Moon, Rules, Seat
from heartsrules.setup import NO_DEAL_TOLD, NOTHING_TOLD, DealSetup, Setup, check, known, told_parts
from heartsrules.views import (
    AwaitingDealView,
    ChoosingMoonView,
    DealingBackView,
    ExposingView,
    GameOverView,
    OwnKnowledge,
    PassingView,
    PlayingView,
    SeenDeal,
    View,
)


class NotADocument(Exception):
    """The problems of a document, inside a reader."""

    def __init__(self, *problems: Problem) -> None:
        super().__init__(problems)
        self.problems: Final = problems


def pointer(*parts: str | int) -> str:
    """Return the JSON pointer (RFC 6901) to nested parts."""
    return "".join(f"/{str(part).replace('~', '~0').replace('/', '~1')}" for part in parts)


def place_of(field: str, under: str = "") -> str:
    """Return the JSON pointer for a problem's field, such as `captured[2]`."""
    return f"{under}/{field.replace('[', '/').replace(']', '').replace('.', '/')}"


def placed(problems: Iterable[Problem], under: str = "") -> tuple[Problem, ...]:
    return tuple(attrs.evolve(each, fields=tuple(place_of(field, under) for field in each.fields)) for each in problems)


# ---------------------------------------------------------------------------------------------------------- rules

_NAMED: Final = {values.values: values for values in HeartValues}


@lru_cache(maxsize=256)
def _written_rules(rules: Rules) -> tuple[Rules, Any]:
    """Return a rule set with its object."""
    return rules, options_to_wire(rules.changes())


def rules_to_wire(rules: Rules) -> Any:
    return _written_rules(rules)[1]


def options_to_wire(options: dict[str, Any]) -> Any:
    values = options.get("heart_values")
    return W.RULES(**options | ({"heart_values": _NAMED[values]} if values in _NAMED else {}))


def rules_at(wire: Any, under: str) -> Rules:
    """Read a rule set's object, or raise `NotADocument` if it cannot be played."""
    try:
        return _rules_of(wire)
    except InvalidRules as error:
        raise NotADocument(*placed(error.problems, under)) from None


def options_at(wire: Any) -> dict[str, Any]:
    options = {name: value for name, value in asdict(wire).items() if value is not UNSET}
    if "bonuses" in options:
        options["bonuses"] = tuple([Bonus(bonus.card, bonus.points) for bonus in options["bonuses"]])
    doubler = options.get("doubler")
    if doubler is not None:
        options["doubler"] = Doubler(doubler.card, doubler.factor, doubler.alone)
    return options


@lru_cache(maxsize=256)
def _rules_of(wire: Any) -> Rules:
    return _written_rules(Rules(**options_at(wire)))[0]


# ------------------------------------------------------------------------------------------------------- sentences

_LANGUAGE: Final = ContextVar[str | None]("language", default="en")


@contextmanager
def written_in(language: str | None) -> Iterator[None]:
    """Write messages and their arguments in a language, or without arguments for None."""
    token = _LANGUAGE.set(language)
    try:
        yield
    finally:
        _LANGUAGE.reset(token)


def spoken_language() -> str:
    """Return the current language of messages."""
    return _LANGUAGE.get() or "en"


def told(thing: Violation | Event | Problem) -> tuple[str, dict[str, str | int]]:
    """Return a thing's message and its arguments."""
    language = _LANGUAGE.get()
    return text(thing, language or "en"), _filling(thing, language)


@lru_cache(maxsize=1024)
def _filling(thing: Violation | Event | Problem, language: str | None) -> dict[str, str | int]:
    return {} if language is None else arguments(thing, language)


# -------------------------------------------------------------------------------------------- moves, events, reasons

_PARTS: Final = {**W.MOVES, **W.EVENTS, **W.VIOLATIONS}
_DOCUMENTS: Final[dict[Any, tuple[str, Any]]] = {
    **{kind: ("move", wire) for kind, wire in W.MOVE_DOCUMENTS.items()},
    **{kind: ("event", wire) for kind, wire in W.EVENT_DOCUMENTS.items()},
    **{kind: ("violation", wire) for kind, wire in W.VIOLATION_DOCUMENTS.items()},
    DealScore: ("deal-score", W.DealScoreDocument),
}
_KINDS: Final = {
    **{wire: kind for kind, wire in _PARTS.items()},
    **{wire: kind for kind, (_, wire) in _DOCUMENTS.items()},
}


def part_to_wire(value: Any) -> Any:
    return _PARTS[type(value)](*_parts_of(value))


def document_to_wire(value: Any) -> Any:
    name, wire = _DOCUMENTS[type(value)]
    return wire(W.VERSION, name, *_parts_of(value))


def _parts_of(value: Any) -> list[Any]:
    if type(value) in (PassCommitted, ExposureCommitted):
        return [*_parts_of(value.move), _filling(value, _LANGUAGE.get())]
    parts = [_part_to_wire(getattr(value, name)) for name in value.__match_args__]
    if type(value) in W.VIOLATIONS:
        parts += told(value)
    elif type(value) in W.EVENTS:
        parts.append(_filling(value, _LANGUAGE.get()))
    return parts


def _part_to_wire(part: Any) -> Any:
    if isinstance(part, Suit):
        return part.letter
    if isinstance(part, DealScore):
        return row_to_wire(part)
    if isinstance(part, tuple) and part and isinstance(part[0], Problem):
        return tuple([_problem_to_wire(each) for each in part])
    return part


def part_of_wire(wire: Any) -> Any:
    kind = _KINDS[type(wire)]
    if kind is DealScore:
        return row_of(wire)
    if kind is PassCommitted:
        return PassCommitted(pass_of(wire.seat, wire.cards))
    if kind is ExposureCommitted:
        return ExposureCommitted(Expose(wire.seat, wire.cards))
    if kind is Pass:
        return pass_of(wire.seat, wire.cards)
    return kind(*[_part_of(name, getattr(wire, name)) for name in kind.__match_args__])


def _part_of(name: str, part: Any) -> Any:
    if name == "suit":
        return _SUIT_OF[part]
    if isinstance(part, W.DealScoreWire):
        return row_of(part)
    if isinstance(part, tuple) and part and isinstance(part[0], W.ProblemWire):
        return tuple([_problem_of(each) for each in part])
    return part


def parts_to_wire(values: Iterable[Any]) -> tuple[Any, ...]:
    return tuple([part_to_wire(value) for value in values])


def parts_of_wire(wires: Iterable[Any]) -> tuple[Any, ...]:
    return tuple([part_of_wire(wire) for wire in wires])


def _problem_to_wire(problem: Problem) -> W.ProblemWire:
    message, arguments = told(problem)
    return W.ProblemWire(problem.code, problem.fields, message, params_to_wire(problem), problem.detail, arguments)


def _problem_of(wire: W.ProblemWire) -> Problem:
    params = tuple([(name, _param_of(name, value)) for name, value in wire.params.items()])
    problem = Problem(wire.code, wire.fields, params, wire.detail)
    # Without a catalogue entry it keeps its own message.
    return problem if key(problem) in catalogue() else attrs.evolve(problem, message=wire.message)


_ITEMS: Final = 100
"""The limit on items of a parameter in a document."""


def params_to_wire(problem: Problem) -> dict[str, Any]:
    """Return a problem's parameters as JSON values of bounded size."""
    return {name: _param_to_wire(value) for name, value in problem.params}


def _param_to_wire(value: Any) -> Any:
    if isinstance(value, Suit):
        return value.letter
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, int) and not -W.MAX_INTEGER <= value <= W.MAX_INTEGER:
        # JavaScript would round it.
        digits = digits_if_many(value)
        return str(value) if digits is None else f"{'-' if value < 0 else ''}1e{digits - 1}"
    if isinstance(value, str):
        return value[:MAX_MESSAGE].encode("utf-8", "replace").decode()
    if isinstance(value, tuple):
        return tuple([_param_to_wire(item) for item in value[:_ITEMS]])
    return part_to_wire(value) if isinstance(value, PRECEDENCE) else value


def _param_of(name: str, value: Any) -> Any:
    """Read a parameter, whose name's suffix gives the type of a text."""
    if isinstance(value, tuple):
        return tuple([_param_of(name.removesuffix("s"), item) for item in value])
    read = _READ.get(name.rpartition("_")[2])
    if read is None or not isinstance(value, str):
        return value
    try:
        return read(value)
    except (LookupError, ValueError):  # another writer's parameter
        return value


_SUIT_OF: Final = {suit.letter: suit for suit in Suit}
_READ: Final[dict[str, Callable[[str], Any]]] = {
    "card": partial(decode_custom, Card),
    "cards": partial(decode_custom, Cards),
    "suit": _SUIT_OF.__getitem__,
}


# ------------------------------------------------------------------------------------------- parts of states and views


_ROW: Final[Callable[[Any], tuple[Any, ...]]] = attrgetter(*W.DealScoreWire.__struct_fields__)
_EFFECT: Final = W.DealScoreWire.__struct_fields__.index("effect")
_MIDDLE: Final[Callable[[Any], tuple[Any, ...]]] = attrgetter(*W.MidDealPositionWire.__struct_fields__[:-1])
"""A position's attributes without the suits, which a document spells as letters."""


def row_to_wire(row: DealScore) -> W.DealScoreWire:
    # One by one: compiled code gets attributes much faster than a loop over their names.
    effect: Any = None if row.effect is None else row.effect.value
    return W.DealScoreWire(
        row.points,
        row.card_points,
        row.shooter,
        effect,
        row.sun,
        row.tricks_won,
        row.totals,
        row.queen_taker,
        row.exposed,
    )


def row_of(wire: Any) -> DealScore:
    values = _ROW(wire)
    if wire.effect is None:
        return DealScore(*values)
    return DealScore(*[*values[:_EFFECT], Moon(wire.effect), *values[_EFFECT + 1 :]])


def _rows_to_wire(rows: Iterable[DealScore]) -> tuple[W.DealScoreWire, ...]:
    return tuple([row_to_wire(row) for row in rows])


def _suits_to_wire(suits: Iterable[Suit]) -> tuple[Any, ...]:
    return tuple([suit.letter for suit in suits])


def _suits_of(letters: Iterable[str]) -> tuple[Suit, ...]:
    return tuple([_SUIT_OF[letter] for letter in letters])


def _cards_of(moves: Iterable[Any]) -> tuple[Any, ...]:
    return tuple([None if move is None else move.cards for move in moves])


def _plays_to_wire(plays: Iterable[Play]) -> tuple[Card, ...]:
    return tuple([play.card for play in plays])


def plays_from(leader: int, cards: tuple[Card, ...], players: int) -> tuple[Play, ...]:
    """Return a trick's plays, from its cards clockwise from the leader's."""
    plays: list[Play] = []
    seat = leader % players
    for card in cards:
        plays.append(play_table(seat)[card.bit % 53])
        seat += 1
        if seat == players:
            seat = 0
    return tuple(plays)


def _tricks_to_wire(tricks: Iterable[Trick]) -> tuple[W.TrickWire, ...]:
    return tuple([W.TrickWire(trick.leader, _plays_to_wire(trick.plays), trick.winner) for trick in tricks])


def _tricks_of(wires: Iterable[W.TrickWire], players: int) -> tuple[Trick, ...]:
    return tuple([Trick(wire.leader, plays_from(wire.leader, wire.plays, players), wire.winner) for wire in wires])


# --------------------------------------------------------------------------------------------------------- states

_STATES: Final[dict[Phase, Any]] = {kind.phase: getattr(W, f"{kind.__name__}Document") for kind in get_args(State)}
_PHASES: Final = {wire: phase for phase, wire in _STATES.items()}
_VALUES: Final[dict[Any, Callable[[Any], tuple[Any, ...]]]] = {
    # The first two keys are common to all documents.
    **{wire: itemgetter(*wire.__struct_fields__[2:]) for wire in _PHASES},
    W.FinishedDealWire: itemgetter(*W.FinishedDealWire.__struct_fields__),
}
"""Getters of the values of each class's keys, from a setup or a deal setup."""


def setup_to_wire(told: Setup) -> W.AnyState:
    return _position_to_wire(vars(told))


def state_to_wire(state: State) -> W.AnyState:
    return _position_to_wire(told_parts(state, NOTHING_TOLD.copy(), DealSetup, NO_DEAL_TOLD))


def _position_to_wire(told: dict[str, Any]) -> W.AnyState:
    parts = _deal_to_wire(told)
    parts["rules"] = rules_to_wire(told["rules"])
    parts["score_sheet"] = _rows_to_wire(told["score_sheet"])
    last = told["last_deal"]
    if last is not None:
        parts["last_deal"] = W.FinishedDealWire(*_VALUES[W.FinishedDealWire](_deal_to_wire(vars(last))))
    wire = _STATES[told["phase"]]
    document: W.AnyState = wire(W.VERSION, "state", *_VALUES[wire](parts))
    return document


def _deal_to_wire(told: dict[str, Any]) -> dict[str, Any]:
    parts = told.copy()
    parts["passes"] = _cards_of(told["passes"])
    parts["exposures"] = _cards_of(told["exposures"])
    parts["tricks"] = _tricks_to_wire(told["tricks"])
    parts["trick"] = _plays_to_wire(told["trick"])
    middle = told["resumed_from"]
    if middle is not None:
        parts["resumed_from"] = W.MidDealPositionWire(*[*_MIDDLE(middle), _suits_to_wire(middle.suits_led)])
    return parts


def setup_of(wire: W.AnyState, under: str = "") -> Setup:
    """Read a setup unchecked, or raise `NotADocument` if its rules cannot be played."""
    rules = rules_at(wire.rules, f"{under}/rules")
    players = rules._resolved.players
    parts = {**NOTHING_TOLD, **asdict(wire)}
    del parts["heartsrules"], parts["kind"]
    _read_deal(parts, players)
    parts["phase"] = _PHASES[type(wire)]
    parts["rules"] = rules
    parts["score_sheet"] = tuple([row_of(row) for row in wire.score_sheet])
    last = parts["last_deal"]
    if last is not None:
        deal = {**NO_DEAL_TOLD, **asdict(last)}
        _read_deal(deal, players)
        parts["last_deal"] = known(DealSetup, deal)
    return known(Setup, parts)


def _read_deal(parts: dict[str, Any], players: int) -> None:
    """Convert the attributes that a document spells differently."""
    parts["passes"] = tuple(
        [None if gifts is None else pass_of(seat, gifts) for seat, gifts in enumerate(parts["passes"])]
    )
    parts["exposures"] = tuple(
        [None if cards is None else Expose(seat, cards) for seat, cards in enumerate(parts["exposures"])]
    )
    parts["tricks"] = _tricks_of(parts["tricks"], players)
    if parts["trick"]:
        parts["trick"] = plays_from(parts["leader"], parts["trick"], players)
    middle = parts["resumed_from"]
    if middle is not None:
        parts["resumed_from"] = MidDealPosition(*[*_MIDDLE(middle), _suits_of(middle.suits_led)])


def state_of(wire: W.AnyState, under: str = "") -> State:
    """Read and check a state, or raise `NotADocument` if the rules cannot lead to it."""
    try:
        return check(setup_of(wire, under))
    except InvalidState as error:
        raise NotADocument(*placed(map(_of_a_key, error.problems), under)) from None


def _of_a_key(problem: Problem) -> Problem:
    """Drop the advice to omit a claim, because documents need every key."""
    if problem.code == "contradiction" and problem.detail.startswith("part"):
        return attrs.evolve(problem, detail=problem.detail.replace("part", "item"))
    return problem


_CLAIMS: Final = ("captured", "tricks_won", "trick_number", "set_aside", "kitty_winner")
"""A setup's claims about a deal, which no document has."""


def refuse_unwritable(told: Setup, document: W.AnyState) -> None:
    """Raise `NotADocument` if a setup's document omits more than its claims."""
    problems = tuple(_unwritable(told, setup_of(document)))
    if problems:
        raise NotADocument(*problems)


def _unwritable(told: Setup, read: Setup) -> Iterator[Problem]:
    claims: dict[str, Any] = dict.fromkeys(_CLAIMS)
    last = told.last_deal
    if last is not None:
        last = attrs.evolve(last, leader=None, **claims)
    left = attrs.evolve(told, last_deal=last, others_up=None, shooter_down=None, **claims)
    for field in attrs.fields(Setup):
        if getattr(left, field.name) != getattr(read, field.name):
            yield Problem.of("unwritable", (place_of(field.name),), "document", name=field.name)


# ---------------------------------------------------------------------------------------------------------- views


_VIEWS: Final[dict[type, Any]] = {kind: getattr(W, f"{kind.__name__}Document") for kind in get_args(View)}


def _commitment_of(seen: Any) -> Any:
    owner = seen if isinstance(seen, (PassingView, DealingBackView)) else seen.own
    return _cards_of([owner.commitment])[0]


_SEEN: Final[dict[str, Callable[[Any], Any]]] = {
    "rules": lambda seen: rules_to_wire(seen.rules),
    "score_sheet": lambda seen: _rows_to_wire(seen.score_sheet),
    "first": attrgetter("score_sheet.first"),
    "start": lambda seen: seen.score_sheet.start if seen.score_sheet.first else None,
    "queen_taker": attrgetter("score_sheet.queen_taker_before"),
    "last_deal": lambda seen: None if seen.last_deal is None else _seen_to_wire(W.PlayedDealViewWire, seen.last_deal),
    "unpassable": attrgetter("rules.unpassable"),
    "exposable": attrgetter("rules.exposable"),
    "commitment": _commitment_of,
    "exposure": lambda seen: _cards_of([seen.exposure])[0],
    "committed": lambda seen: tuple(sorted(seen.committed)),
    "passed": attrgetter("own.passed"),
    "received": attrgetter("own.received"),
    "pass_counts": attrgetter("start.pass_counts"),
    "led_before": lambda seen: _suits_to_wire(seen.start.led_before),
    "trick": lambda seen: _plays_to_wire(seen.trick),
    "tricks": lambda seen: _tricks_to_wire(seen.tricks),
    "others_up": lambda seen: row_to_wire(seen.others_up),
    "shooter_down": lambda seen: row_to_wire(seen.shooter_down),
}
"""Keys of views and of their deals that are not attributes, or are spelled differently."""
_SEEN_BY_WIRE: Final[dict[Any, tuple[Callable[[Any], Any], ...]]] = {
    wire: tuple(
        [_SEEN.get(key, attrgetter(key)) for key in wire.__struct_fields__ if key not in ("heartsrules", "kind")]
    )
    for wire in (*_VIEWS.values(), W.PlayedDealViewWire)
}


def view_to_wire(seen: View) -> Any:
    return _seen_to_wire(_VIEWS[type(seen)], seen, W.VERSION, "view")


def _seen_to_wire(wire: Any, seen: Any, *head: Any) -> Any:
    return wire(*head, *[value(seen) for value in _SEEN_BY_WIRE[wire]])


@final
class ViewReader:
    """A reader of views.

    Args:
        sheet: the view's score sheet.
        before: its score sheet without the row of the deal in the view.
    """

    def __init__(self, rules: Rules, seat: Seat | None, sheet: ScoreSheet, before: ScoreSheet) -> None:
        self.rules: Final = rules
        self.seat: Final = seat
        self.sheet: Final = sheet
        self.before: Final = before

    def read(self, wire: Any) -> View:
        rules, seat, sheet = self.rules, self.seat, self.sheet
        if isinstance(wire, W.PlayingViewDocument):
            public, own = self._deal(wire)
            trick = plays_from(wire.leader, wire.trick, rules.players)
            return PlayingView(public, own, wire.hand, wire.turn, trick, wire.hearts_broken)
        if isinstance(wire, W.ExposingViewDocument):
            exposure = None if wire.exposure is None or seat is None else Expose(seat, wire.exposure)
            start = DealStart(rules, self.before, wire.pass_counts, wire.exposed)
            return ExposingView(start, self._own(wire, None), wire.hand, exposure, frozenset(wire.committed))
        if isinstance(wire, W.PassingViewDocument):
            committed = frozenset(wire.committed)
            return PassingView(rules, seat, sheet, wire.hand, self._pass(wire.commitment), committed)
        if isinstance(wire, W.DealingBackViewDocument):
            return DealingBackView(rules, seat, sheet, wire.hand, self._pass(wire.commitment))
        if isinstance(wire, W.AwaitingDealViewDocument):
            return AwaitingDealView(rules, seat, sheet, None if wire.last_deal is None else self._seen(wire.last_deal))
        last = self._seen(wire.last_deal)
        if isinstance(wire, W.GameOverViewDocument):
            return GameOverView(sheet, last, wire.winners)
        return ChoosingMoonView(last, wire.shooter, row_of(wire.others_up), row_of(wire.shooter_down))

    def _pass(self, gifts: tuple[Cards, ...] | None) -> Pass | None:
        return None if gifts is None or self.seat is None else pass_of(self.seat, gifts)

    def _own(self, wire: Any, kitty: Cards | None) -> OwnKnowledge:
        return OwnKnowledge(self.seat, self._pass(wire.commitment), wire.passed, wire.received, kitty)

    def _seen(self, wire: W.PlayedDealViewWire) -> SeenDeal:
        return SeenDeal(*self._deal(wire))

    def _deal(self, wire: Any) -> tuple[PublicDeal, OwnKnowledge]:
        captured, winner, kitty = wire.captured, wire.kitty_winner, wire.kitty
        if winner is not None and kitty is not None and winner < len(captured):
            # A document has the kitty among the cards of its winner.
            captured = with_item(captured, winner, captured[winner] - kitty)
        seen_by_all = self.rules.kitty_shown_to is KittyShownTo.EVERYBODY
        public = PublicDeal(
            DealStart(self.rules, self.before, wire.pass_counts, wire.exposed, _suits_of(wire.led_before)),
            wire.leader,
            _tricks_of(wire.tricks, self.rules.players),
            captured,
            wire.tricks_won,
            wire.trick_number,
            wire.set_aside,
            winner,
            kitty if seen_by_all else None,
        )
        return public, self._own(wire, None if seen_by_all else kitty)


# ------------------------------------------------------------------------------------------ records and transitions


_TOLD: Final = ("tags", "comments", "points", "winners")
_RECORD: Final[Callable[[Any], tuple[Any, ...]]] = attrgetter(*_TOLD)


def record_to_wire(record: Record) -> W.RecordDocument:
    return W.RecordDocument(
        W.VERSION, "record", rules_to_wire(record.rules), parts_to_wire(record.moves), *_RECORD(record)
    )


def record_of(wire: W.RecordDocument) -> Record:
    """Read a record, unverified."""
    told = dict(zip(_TOLD, _RECORD(wire), strict=True))
    return Record(rules=rules_at(wire.rules, "/rules"), moves=parts_of_wire(wire.moves), **told)


def transition_to_wire(made: Transition) -> W.TransitionDocument:
    return W.TransitionDocument(W.VERSION, "transition", state_to_wire(made.state), parts_to_wire(made.events))


def transition_of(wire: W.TransitionDocument) -> Transition:
    return Transition(state_of(wire.state, "/state"), parts_of_wire(wire.events))
