"""Conversions between values of the library and the types of documents, as these types declare them.

A `Form` is derived from each type of `_types`; what a field's type alone does not convert is in `_CONVERSIONS`. Reading
assumes that a document has the right types, which msgspec has seen to.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator, Mapping
from enum import Enum
from functools import lru_cache, partial
from operator import attrgetter, itemgetter
from typing import Any, Final, TypeAlias, final, get_args, get_origin

import attrs
import msgspec
from msgspec import UNSET
from msgspec.structs import astuple

from heartsrules.base.errors import MAX_MESSAGE, InvalidRules, InvalidState, Problem
from heartsrules.base.values import digits_if_many
from heartsrules.cards import Card, Cards, Suit
from heartsrules.formats.wire import _types as W
from heartsrules.formats.wire._texts import decode_custom
from heartsrules.messages import catalogue, key
from heartsrules.play.events import ExposureCommitted, PassCommitted
from heartsrules.play.game import Record
from heartsrules.play.moves import Expose, Pass, Play, play_table
from heartsrules.play.phases import PLAY, Phase
from heartsrules.play.public import DealStart, PublicDeal, Trick, with_item
from heartsrules.play.sheet import DealScore, ScoreSheet
from heartsrules.play.state import MidDealPosition, State
from heartsrules.play.transitions import Transition
from heartsrules.play.violations import PRECEDENCE
from heartsrules.rules import Bonus, Doubler, HeartValues, Kind, KittyShownTo, Moon, Rules, Seat
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
)


class NotADocument(Exception):
    """The problems of a document; `from_json` and `judge` turn it into a public error."""

    def __init__(self, *problems: Problem) -> None:
        super().__init__(problems)
        self.problems: Final = problems


def pointer(*parts: str | int) -> str:
    """A JSON pointer (RFC 6901) of these parts."""
    return "".join(f"/{str(part).replace('~', '~0').replace('/', '~1')}" for part in parts)


def place_of(field: str, under: str = "") -> str:
    """The JSON pointer of a field in a problem of a setup or a rule set, such as `captured[2]`."""
    place = field.replace("[", "/").replace("]", "").replace(".", "/")
    return f"{under}/{_RENAMED.get(place) or place.replace('/plays', '/cards')}"


_RENAMED: Final = {"first": "start/deal_number", "start": "start/scores", "queen_taker": "start/queen_taker"}
"""The attributes of a setup that have another place in a document."""


def placed(problems: Iterable[Problem], under: str = "") -> tuple[Problem, ...]:
    """Problems with JSON pointers in place of fields."""
    return tuple(attrs.evolve(each, fields=tuple(place_of(field, under) for field in each.fields)) for each in problems)


# ---------------------------------------------------------------------------------------------------------- rules


class _RulesCache:
    """A cache of written rule sets, by identity: hashing a rule set takes longer than writing a play."""

    def __init__(self, size: int) -> None:
        self.size: Final = size
        self.kept: Final[dict[int, tuple[Rules, Any]]] = {}

    def __call__(self, rules: Rules) -> Any:
        found = self.kept.get(id(rules))
        if found is None:
            if len(self.kept) >= self.size:
                self.kept.clear()
            found = self.kept[id(rules)] = (rules, _rules_wire(rules))
        return found[1]


_NAMED: Final = {values.values: values for values in HeartValues}
_SPELLED: Final[dict[Kind, tuple[Callable[[Any], Any], Callable[[Any], Any]]]] = {
    Kind.HEART_VALUES: (lambda values: _NAMED.get(values, values), lambda values: values),
    Kind.BONUSES: (
        lambda bonuses: tuple([W.BonusWire(bonus.card, bonus.points) for bonus in bonuses]),
        lambda wires: tuple([Bonus(wire.card, wire.points) for wire in wires]),
    ),
    Kind.DOUBLER: (
        lambda doubler: W.DoublerWire(doubler.card, doubler.factor, doubler.alone),
        lambda wire: Doubler(wire.card, wire.factor, wire.alone),
    ),
}
"""Writer and reader of the kinds of options that a document spells differently; None stays null."""
_KINDS: Final = {option.name: option.kind for option in Rules.OPTIONS if option.kind in _SPELLED}


def _rules_wire(rules: Rules) -> Any:
    return _options_wire(rules.changes())


def every_option(rules: Rules) -> Any:
    """The object of a rule set with all options, those with default values included."""
    return _options_wire({option.name: getattr(rules, option.name) for option in Rules.OPTIONS})


def _options_wire(options: dict[str, Any]) -> Any:
    for name, kind in _KINDS.items():
        if options.get(name) is not None:
            options[name] = _SPELLED[kind][0](options[name])
    return W.RULES(**options)


rules_to_wire: Final = _RulesCache(256)


_ReadRules: TypeAlias = tuple[int, Rules | None, tuple[Problem, ...]]
"""The number of keys of a rule set's object, nested ones included; the rule set, or None; and its problems."""


def rules_keys(wire: Any) -> int:
    """The number of keys of a rule set's object, nested ones included."""
    return _read_rules(wire)[0]


def _read_rules(wire: Any) -> _ReadRules:
    """Read a rule set, or recall the last one: each document is asked twice for its own."""
    kept = _LAST_RULES[0]
    if kept[0] is not wire:
        kept = _LAST_RULES[0] = (wire, _rules_of(wire))
    return kept[1]


@lru_cache(maxsize=256)
def _rules_of(wire: Any) -> _ReadRules:
    told = [value for value in astuple(wire) if value is not UNSET]
    inner = itertools.chain.from_iterable([value if isinstance(value, tuple) else (value,) for value in told])
    keys = len(told) + sum([len(part.__struct_fields__) for part in inner if isinstance(part, W.Wire)])
    fields = {name: value for name, value in msgspec.structs.asdict(wire).items() if value is not UNSET}
    for name, kind in _KINDS.items():
        if fields.get(name) is not None:
            fields[name] = _SPELLED[kind][1](fields[name])
    try:
        return keys, Rules(**fields), ()
    except InvalidRules as error:
        return keys, None, error.problems


_LAST_RULES: Final[list[tuple[Any, _ReadRules]]] = [(None, (0, None, ()))]


def count_keys(wire: Any, of_rules: int = 0) -> int:
    """The number of keys of an object, nested ones included, given those of its rule set."""
    found = _KEY_COUNTS.get(type(wire))
    if found is None:
        found = _KEY_COUNTS[type(wire)] = _key_counts(type(wire))
    count, parts, optional = found
    count += of_rules
    for name in optional:
        if getattr(wire, name):
            count += 1
    for name, each in parts:
        part = getattr(wire, name)
        if part is not None:
            count += each * len(part) if each else count_keys(part)
    return count


_KeyCounts: TypeAlias = tuple[int, list[tuple[str, int]], list[str]]
_KEY_COUNTS: Final[dict[Any, _KeyCounts]] = {}
"""By class: the number of own keys that are always there; the keys that hold objects, each with the number of keys of
an array's item, or 0 if it holds a single object; and the keys that are left out if they are empty."""


def _key_counts(wire: Any) -> _KeyCounts:
    fields = msgspec.structs.fields(wire)
    optional = [field.name for field in fields if field.default is not msgspec.NODEFAULT]
    own = len(fields) - len(optional) + (wire.__struct_config__.tag is not None)
    parts = []
    for part in W.keys_of(wire):
        kind = _without_null(part.kind)
        item = get_args(kind)[0] if get_origin(kind) is tuple else None
        if isinstance(item, type) and issubclass(item, W.Wire):
            parts.append((part.name, len(item.__struct_fields__)))
        elif isinstance(kind, type) and issubclass(kind, W.Wire) and part.name != "rules":
            parts.append((part.name, 0))
    return own, parts, optional


def _without_null(kind: Any) -> Any:
    """The other member of a union with null."""
    members = [member for member in get_args(kind) if member is not type(None)]
    return members[0] if len(members) == 1 and type(None) in get_args(kind) else kind


def rules_at(wire: Any, under: str) -> Rules:
    """The rule set of an object at a place; `NotADocument` if it cannot be played."""
    _, rules, problems = _read_rules(wire)
    if rules is None:
        raise NotADocument(*placed(problems, under))
    return rules


# ---------------------------------------------------------------------------------------------------------- forms


@final
class Context:
    """The surroundings that reading a part depends on."""

    def __init__(
        self, rules: Rules, leader: Seat = 0, seat: Seat | None = None, deal: dict[str, Any] | None = None
    ) -> None:
        self.rules: Final = rules
        self.players: Final[int] = rules.resolved.players
        self.leader: Final = leader
        """The leader of the current trick."""
        self.seat: Final = seat
        """The seat of the view."""
        self.deal: Final[dict[str, Any]] = {} if deal is None else deal
        """The attributes that the parts of a deal's view take from the match."""


_NO_CONTEXT: Final = Context(Rules())

_Write: TypeAlias = Callable[[Any], Any]
_Read: TypeAlias = Callable[[Any, Context], Any]


@final
class Form:
    """A two-way mapping between a class and a type of objects, derived from the keys of the type."""

    def __init__(self, kind: Any, wire: Any, *start: Any) -> None:
        keys = W.keys_of(wire)
        self.kind: Final = kind
        self.wire: Final = wire
        self.start: Final = start
        """The version and the kind of a document; empty for a part."""
        self.keys: Final[list[W.Key]] = list(keys)
        read = [key for key in keys if key.is_read]
        sources: list[Any] = [key.source for key in keys]
        self.paths: Final[list[Any]] = [key.source for key in read]
        """The paths of the attributes that are read."""
        self.get: Final = _getter(attrgetter, [each if isinstance(each, str) else "__class__" for each in sources])
        fields = list(wire.__struct_fields__)
        self.skipped: Final[int] = len(fields) - len(keys)
        places = [fields.index(key.name) for key in read]
        self.pick: Final = None if len(read) == len(keys) else _getter(itemgetter, places)
        self.computed: Final = [(place, each) for place, each in enumerate(sources) if not isinstance(each, str)]
        written = [(place, _conversion(key.kind)) for place, key in enumerate(keys) if isinstance(key.source, str)]
        self.writes: Final = [(place, found[0]) for place, found in written if found is not None]
        converted = [(place, _conversion(key.kind)) for place, key in enumerate(read)]
        self.reads: Final = [(place, found[1]) for place, found in converted if found is not None]
        self.is_flat: Final = self.paths == list(getattr(kind, "__match_args__", ()))
        """Whether the constructor takes the values in this order."""
        self.is_plain: Final = not (start or self.writes or self.computed)
        """Whether writing is copying."""

    def write(self, value: Any) -> Any:
        """Write a value as an object."""
        parts = self.get(value)
        return self.wire(*parts) if self.is_plain else self.wire(*self.start, *self.written(parts, value))

    def written(self, parts: Iterable[Any], value: Any) -> list[Any]:
        """Convert the attributes of a value for writing."""
        values = list(parts)
        for place, write in self.writes:
            part = values[place]
            if part is not None:
                values[place] = write(part)
        for place, compute in self.computed:
            values[place] = compute(value)
        return values

    def read(self, wire: Any, context: Context = _NO_CONTEXT) -> Any:
        """Read a value from an object."""
        values = self.values(wire, context)
        return (
            self.kind(*values)
            if self.is_flat
            else built(self.kind, dict(zip(self.paths, values, strict=True)), context.deal)
        )

    def values(self, wire: Any, context: Context) -> list[Any]:
        """The converted attributes of an object, in the order of `paths`."""
        fields: tuple[Any, ...] = astuple(wire)
        values = list(fields[self.skipped :]) if self.pick is None else list(self.pick(fields))
        for place, read in self.reads:
            part = values[place]
            if part is not None:
                values[place] = read(part, context)
        return values

    def fill(self, parts: dict[str, Any], wire: Any, context: Context) -> None:
        """Set the attributes of an object, all of whose keys are read, in a dictionary."""
        fields: tuple[Any, ...] = astuple(wire)
        place = self.skipped
        for path in self.paths:
            parts[path] = fields[place]
            place += 1
        for index, read in self.reads:
            part = fields[self.skipped + index]
            if part is not None:
                parts[self.paths[index]] = read(part, context)


def _getter(getter: Any, items: list[Any]) -> Callable[[Any], tuple[Any, ...]]:
    """An `attrgetter` or `itemgetter` that returns a tuple even of none or one."""
    if not items:
        return lambda _: ()
    get = getter(*items)
    return get if len(items) > 1 else lambda value: (get(value),)


def built(kind: Any, values: Mapping[str, Any], deal: Mapping[str, Any], under: str = "") -> Any:
    """Build a value and its flattened parts from attributes by path.

    Attributes without a path come from `deal`, or have a default.
    """
    if kind in (PlayingView, SeenDeal):
        values = _with_kitty_apart(values, deal["rules"])
    arguments: dict[str, Any] = {}
    names: Iterable[str] = _ARGUMENTS.get(kind) or kind.__match_args__
    for name in names:
        path = under + name
        if path in values:
            arguments[name] = values[path]
        elif name in deal:
            arguments[name] = deal[name]
        elif (kind, name) in _INNER:
            inner, prefix = _INNER[kind, name]
            arguments[name] = built(inner, values, deal, prefix)
    return kind(**arguments)


def _with_kitty_apart(values: Mapping[str, Any], rules: Rules) -> Mapping[str, Any]:
    """The attributes of a deal whose document has the kitty among the captured cards of its winner."""
    taker, kitty = values["kitty_winner"], values["kitty"]
    captured = values["captured"]
    if taker is not None and kitty is not None and 0 <= taker < len(captured):
        captured = with_item(captured, taker, captured[taker] - kitty)
    seen_by_all = rules.kitty_shown_to is KittyShownTo.EVERYBODY
    apart = {"kitty": kitty if seen_by_all else None, "own.kitty": None if seen_by_all else kitty}
    return {**values, **apart, "captured": captured}


_ARGUMENTS: Final[dict[Any, list[str]]] = {Record: [field.name for field in attrs.fields(Record)]}
"""The arguments of classes with keyword-only constructors."""
_INNER: Final[dict[tuple[Any, str], tuple[Any, str]]] = {
    (PassCommitted, "move"): (Pass, "move."),
    (ExposureCommitted, "move"): (Expose, "move."),
    (PublicDeal, "start"): (DealStart, "start."),
    **{(kind, "start"): (DealStart, "start.") for kind in (ExposingView, PlayingView, SeenDeal)},
    **{(kind, "public"): (PublicDeal, "") for kind in (PlayingView, SeenDeal)},
    **{(kind, "own"): (OwnKnowledge, "own.") for kind in (ExposingView, PlayingView, SeenDeal)},
}
"""The classes of attributes that are flattened, and the prefix of the paths of their own attributes."""


def part_to_wire(value: Any) -> Any:
    """Write a move, an event or a violation as a part of a document."""
    return _PARTS[type(value)].write(value)


def write_document(value: Any) -> Any:
    """Write the document of a value other than a rule set, a state or a setup."""
    return _WHOLE[type(value)].write(value)


def part_of_wire(wire: Any, context: Context = _NO_CONTEXT) -> Any:
    """Read a document or a part; one with rules needs a context."""
    return _BY_WIRE[type(wire)].read(wire, context)


def _problems_to_wire(problems: Iterable[Problem]) -> tuple[W.ProblemWire, ...]:
    return tuple(
        [W.ProblemWire(each.code, each.fields, each.message, params_to_wire(each), each.detail) for each in problems]
    )


def _problems_of(wires: Iterable[W.ProblemWire]) -> tuple[Problem, ...]:
    return tuple([_problem_of(wire) for wire in wires])


def _problem_of(wire: W.ProblemWire) -> Problem:
    params = tuple([(name, _param_of(name, value)) for name, value in wire.params.items()])
    problem = Problem(wire.code, wire.fields, params, wire.detail)
    # What no catalogue has keeps the sentence that it came with.
    return problem if key(problem) in catalogue() else attrs.evolve(problem, message=wire.message)


_ITEMS: Final = 100
"""The most items of a parameter in a document."""


def params_to_wire(problem: Problem) -> dict[str, Any]:
    """The parameters of a problem as JSON values of bounded size."""
    return {name: _param_to_wire(value) for name, value in problem.params}


def _param_to_wire(value: Any) -> Any:
    if isinstance(value, Suit):
        return value.letter
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, int) and not -W.MAX_INTEGER <= value <= W.MAX_INTEGER:
        # JavaScript would round it, and nobody reads more digits.
        digits = digits_if_many(value)
        return str(value) if digits is None else f"{'-' if value < 0 else ''}1e{digits - 1}"
    if isinstance(value, str):
        return value[:MAX_MESSAGE].encode("utf-8", "replace").decode()
    if isinstance(value, tuple):
        return tuple([_param_to_wire(item) for item in value[:_ITEMS]])
    return part_to_wire(value) if isinstance(value, PRECEDENCE) else value


def _param_of(name: str, value: Any) -> Any:
    """Read a parameter: the end of its name tells how to read a text."""
    if isinstance(value, tuple):
        return tuple([_param_of(name.removesuffix("s"), item) for item in value])
    read = _READ.get(name.rpartition("_")[2])
    if read is None or not isinstance(value, str):
        return value
    try:
        return read(value)
    except (LookupError, ValueError):  # another writer's name for something else
        return value


_SUIT_OF: Final = {suit.letter: suit for suit in Suit}
_READ: Final[dict[str, Callable[[str], Any]]] = {
    "card": partial(decode_custom, Card),
    "cards": partial(decode_custom, Cards),
    "suit": _SUIT_OF.__getitem__,
}


# ---------------------------------------------------------------------------------------------------- conversions


# Of tricks and rows a state has many. By hand, compiled, a row is written in 0.15 microseconds and read in 0.2; by a
# form in 0.6 and 0.5, with which a move in the sixth deal is judged 5 % slower.


def _tricks_to_wire(tricks: Iterable[Trick]) -> tuple[W.TrickWire, ...]:
    return tuple(
        [W.TrickWire(trick.leader, tuple([play.card for play in trick.plays]), trick.winner) for trick in tricks]
    )


def _tricks_of(wires: Iterable[W.TrickWire], context: Context) -> tuple[Trick, ...]:
    players = context.players
    return tuple([Trick(wire.leader, plays_from(wire.leader, wire.cards, players), wire.winner) for wire in wires])


def _row_to_wire(row: DealScore) -> W.DealScoreWire:
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
    """Read a row of the score sheet."""
    return DealScore(
        wire.points,
        wire.card_points,
        wire.shooter,
        None if wire.effect is None else Moon(wire.effect),
        wire.sun,
        wire.tricks_won,
        wire.totals,
        wire.queen_taker,
        wire.exposed,
    )


def plays_from(leader: int, cards: tuple[Card, ...], players: int) -> tuple[Play, ...]:
    """The plays of a trick: its cards clockwise from the leader's."""
    plays: list[Play] = []
    seat = leader % players
    for card in cards:
        plays.append(play_table(seat)[card.bit % 53])
        seat += 1
        if seat == players:
            seat = 0
    return tuple(plays)


def _gifts(passes: Iterable[Pass | None]) -> tuple[tuple[Cards, ...] | None, ...]:
    return tuple([None if move is None else move.cards for move in passes])


def _passes_of(gifts: Iterable[tuple[Cards, ...] | None]) -> tuple[Pass | None, ...]:
    return tuple([None if each is None else Pass(seat, each) for seat, each in enumerate(gifts)])


def _exposed(exposures: Iterable[Expose | None]) -> tuple[Cards | None, ...]:
    return tuple([None if move is None else move.cards for move in exposures])


def _exposures_of(bags: Iterable[Cards | None]) -> tuple[Expose | None, ...]:
    return tuple([None if each is None else Expose(seat, each) for seat, each in enumerate(bags)])


def _finished_of(wire: W.FinishedDealWire, context: Context) -> DealSetup:
    parts = NO_DEAL_TOLD.copy()
    _FINISHED.fill(parts, wire, context)
    return known(DealSetup, parts)


def _start_of_sheet(sheet: ScoreSheet) -> W.StartWire | None:
    return W.StartWire(sheet.first, sheet.start, sheet.queen_taker_before) if sheet.first else None


_CONVERSIONS: Final[dict[Any, tuple[_Write, _Read]]] = {
    W.Letter: (lambda suit: suit.letter, lambda letter, _: _SUIT_OF[letter]),
    W.Suits: (
        lambda suits: tuple([suit.letter for suit in suits]),
        lambda letters, _: tuple([_SUIT_OF[letter] for letter in letters]),
    ),
    W.SetOfSeats: (lambda seats: tuple(sorted(seats)), lambda seats, _: frozenset(seats)),
    W.Effect: (lambda effect: effect.value, lambda name, _: Moon(name)),
    W.Passes: (_gifts, lambda gifts, _: _passes_of(gifts)),
    W.Exposures: (_exposed, lambda bags, _: _exposures_of(bags)),
    W.ShownInRounds: (lambda bags: bags or UNSET, lambda bags, _: () if bags is UNSET else bags),
    W.OwnPass: (
        lambda move: move.cards,
        lambda gifts, context: None if context.seat is None else Pass(context.seat, gifts),
    ),
    W.OwnExposure: (
        lambda move: move.cards,
        lambda cards, context: None if context.seat is None else Expose(context.seat, cards),
    ),
    W.Plays: (
        lambda plays: tuple([play.card for play in plays]),
        lambda cards, context: plays_from(context.leader, cards, context.players),
    ),
    tuple[W.TrickWire, ...]: (_tricks_to_wire, _tricks_of),
    W.DealScoreWire: (_row_to_wire, lambda wire, _: row_of(wire)),
    tuple[W.DealScoreWire, ...]: (
        lambda rows: tuple([_row_to_wire(row) for row in rows]),
        lambda wires, _: tuple([row_of(wire) for wire in wires]),
    ),
    tuple[W.ProblemWire, ...]: (_problems_to_wire, lambda wires, _: _problems_of(wires)),
    W.RULES: (rules_to_wire, lambda _, context: context.rules),
    W.SheetStart: (_start_of_sheet, lambda start, _: start.scores),
}
"""Writer and reader by JSON type. None is never converted, and values of other types stay as they are."""


def _conversion(kind: Any) -> tuple[_Write, _Read] | None:
    return _CONVERSIONS.get(kind) or _CONVERSIONS.get(_without_null(kind))


_MIDDLE: Final = Form(MidDealPosition, W.MidDealPositionWire)
_CONVERSIONS[W.MidDealPositionWire] = (_MIDDLE.write, _MIDDLE.read)
_DEAL_VIEW: Final = Form(SeenDeal, W.PlayedDealViewWire)
_CONVERSIONS[W.PlayedDealViewWire] = (_DEAL_VIEW.write, _DEAL_VIEW.read)
_FINISHED: Final = Form(DealSetup, W.FinishedDealWire)
_CONVERSIONS[W.FinishedDealWire] = (_FINISHED.write, _finished_of)
_PARTS: Final = {kind: Form(kind, wire) for kind, wire in (*W.MOVES.items(), *W.EVENTS.items(), *W.VIOLATIONS.items())}
_CONVERSIONS[tuple[W.AnyMove, ...]] = _CONVERSIONS[tuple[W.AnyEvent, ...]] = (
    lambda values: tuple([part_to_wire(value) for value in values]),
    lambda wires, _: tuple([part_of_wire(wire) for wire in wires]),
)
events_to_wire: Final = _CONVERSIONS[tuple[W.AnyEvent, ...]][0]


# ------------------------------------------------------------------------------------------------- states and views


@final
class _StateForm:
    """A two-way mapping between the setups of a phase and their documents."""

    def __init__(self, phase: Phase, wire: Any) -> None:
        self.phase: Final = phase
        self.form: Final = Form(Setup, wire, W.VERSION, "state")
        keys = self.form.keys
        self.get: Final = itemgetter(*self.form.paths)
        self.start: Final = self.form.paths.index("start")
        self.needed: Final = [
            key.name
            for key in keys
            if type(None) not in get_args(key.kind) and key.name != "rules" and NOTHING_TOLD[key.name] is None
        ]
        """The attributes that a document must have, though a setup may not tell them."""

    def write(self, parts: dict[str, Any]) -> Any:
        """Write the attributes of a setup as a document."""
        last: DealSetup | None = parts["last_deal"]
        if last is not None and last.kitty is None:
            raise NotADocument(*self.missing(parts))
        for name in self.needed:
            if parts[name] is None:
                raise NotADocument(*self.missing(parts))
        values = self.form.written(self.get(parts), parts)
        if values[self.start] is not None:
            values[self.start] = W.StartWire(parts["first"], parts["start"], parts["queen_taker"])
        return self.form.wire(W.VERSION, "state", *values)

    def missing(self, parts: dict[str, Any]) -> list[Problem]:
        """The problems of a setup that lacks what its document must have."""
        missing = [name for name in self.needed if parts[name] is None]
        problems = [Problem.of("missing-field", (f"/{name}",), "phase", name=name) for name in missing]
        last = parts["last_deal"]
        if last is not None and last.kitty is None:
            problems.append(Problem.of("missing-field", ("/last_deal/kitty",), "kitty"))
        return problems


_STATES: Final = {
    phase: _StateForm(phase, wire)
    for phase, wire in (
        (Phase.DEAL, W.AwaitingDealDocument),
        (Phase.PASS, W.PassingDocument),
        (Phase.DEAL_BACK, W.DealingBackDocument),
        (Phase.EXPOSE, W.ExposingDocument),
        (Phase.PLAY, W.PlayingDocument),
        (Phase.MOON, W.ChoosingMoonDocument),
        (Phase.OVER, W.GameOverDocument),
    )
}
_STATE_OF_PLAY: Final = _STATES[PLAY]
_BY_TAG: Final = {form.form.wire.__struct_config__.tag: form for form in _STATES.values()}
_BY_DOCUMENT: Final[dict[Any, _StateForm]] = {
    wire: _BY_TAG[wire.__struct_config__.tag] for wire in (*get_args(W.AnyState), *get_args(W.STATES_OF_KNOWN_RULES))
}
_CLAIMS: Final = ("captured", "tricks_won", "trick_number", "set_aside", "kitty_winner")
"""The claims of a setup about a deal, which no document has, since they follow from the rest."""


def _unwritable(told: Setup, read: Setup) -> Iterator[Problem]:
    claims: dict[str, Any] = dict.fromkeys(_CLAIMS)
    last = told.last_deal
    if last is not None:
        last = attrs.evolve(last, leader=None, **claims)
    left = attrs.evolve(told, last_deal=last, others_up=None, shooter_down=None, **claims)
    for field in attrs.fields(Setup):
        if getattr(left, field.name) != getattr(read, field.name):
            yield Problem.of("unwritable", (place_of(field.name),), "document", name=field.name)


def refuse_unwritable(told: Setup, document: W.AnyState) -> None:
    """Raise `NotADocument` for a setup if its document leaves out more than its claims."""
    problems = tuple(_unwritable(told, setup_of(document)))
    if problems:
        raise NotADocument(*problems)


def setup_to_wire(told: Setup) -> W.AnyState:
    """The document of a setup; `NotADocument` if it does not tell what a document must."""
    return _document_of(vars(told))


def _document_of(parts: dict[str, Any]) -> W.AnyState:
    """The document of the attributes of a setup."""
    phase = parts["phase"]
    form = _STATE_OF_PLAY if phase is PLAY else _STATES[phase]
    document: W.AnyState = form.write(parts)
    return document


def setup_of(wire: W.AnyState, under: str = "", rules: Rules | None = None) -> Setup:
    """Read a setup, unchecked; `NotADocument` if its rules cannot be played. They may have been read before."""
    if rules is None:
        rules = rules_at(wire.rules, f"{under}/rules")
    form = _BY_DOCUMENT[type(wire)]
    context = Context(rules, wire.leader if isinstance(wire, W.PlayingDocument) else 0)
    parts = NOTHING_TOLD.copy()
    parts["phase"] = form.phase
    form.form.fill(parts, wire, context)
    start = wire.start
    if start is not None:
        parts["first"] = start.deal_number
        parts["start"] = start.scores
        parts["queen_taker"] = start.queen_taker
    return known(Setup, parts)


def state_to_wire(state: State) -> W.AnyState:
    """The document of a state."""
    return _document_of(told_parts(state, NOTHING_TOLD.copy(), DealSetup, NO_DEAL_TOLD))


def state_of(wire: W.AnyState, under: str = "", rules: Rules | None = None) -> State:
    """Read a state and check it; `NotADocument` if the rules cannot lead to it. They may have been read before."""
    try:
        return check(setup_of(wire, under, rules))
    except InvalidState as error:
        raise NotADocument(*placed(error.problems, under)) from None


# ----------------------------------------------------------------------------------------------- whole documents

_CONVERSIONS[W.AnyState] = (state_to_wire, lambda wire, _: state_of(wire, "/state"))
_WHOLE: Final = {
    kind: Form(kind, wire, W.VERSION, name)
    for name, forms in (
        ("move", W.MOVE_DOCUMENTS),
        ("event", W.EVENT_DOCUMENTS),
        ("violation", W.VIOLATION_DOCUMENTS),
        ("deal-score", {DealScore: W.DealScoreDocument}),
        (
            "view",
            {
                AwaitingDealView: W.AwaitingDealViewDocument,
                PassingView: W.PassingViewDocument,
                DealingBackView: W.DealingBackViewDocument,
                ExposingView: W.ExposingViewDocument,
                PlayingView: W.PlayingViewDocument,
                ChoosingMoonView: W.ChoosingMoonViewDocument,
                GameOverView: W.GameOverViewDocument,
            },
        ),
        ("record", {Record: W.RecordDocument}),
        ("transition", {Transition: W.TransitionDocument}),
    )
    for kind, wire in forms.items()
}
_BY_WIRE: Final = {form.wire: form for form in (*_PARTS.values(), *_WHOLE.values())}


def read_view(wire: Any, context: Context, match: Mapping[str, Any]) -> Any:
    """Read a view, given its attributes of the match."""
    form = _BY_WIRE[type(wire)]
    return built(form.kind, {**dict(zip(form.paths, form.values(wire, context), strict=True)), **match}, context.deal)


def record_of(wire: W.RecordDocument) -> Record:
    """Read a record, unverified."""
    record: Record = part_of_wire(wire, Context(rules_at(wire.rules, "/rules")))
    return record
