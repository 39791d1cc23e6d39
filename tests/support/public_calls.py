"""Calls of everything public: with arguments of wrong types, too few, too many and unknown ones, and with operators.

What is public, and the types of its parameters, are read from the sources. `python -m support.public_calls` prints the
outcomes as JSON, so that a test can compare those of two builds.
"""

from __future__ import annotations

import ast
import enum
import importlib
import inspect
import json
import logging
import operator
import random
import re
import sys
import weakref
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from functools import cache, partial
from itertools import islice, takewhile
from typing import Any, Final

import attrs

import heartsrules
from heartsrules import (
    Card,
    Cards,
    ChoosingMoon,
    Exposing,
    GameOver,
    Play,
    Playing,
    Rules,
    analysis,
    apply,
    bots,
    deal,
    legal_moves,
    new_game,
    presets,
    simulation,
    transition,
    view,
    violations,
)
from heartsrules.analysis import policies
from heartsrules.base.extras import MissingExtra
from heartsrules.formats import wire
from heartsrules.play import exposing, passing
from heartsrules.play.game import Game, Record
from heartsrules.play.state import MidDealPosition
from heartsrules.rules import Moon, left
from heartsrules.setup import Setup
from heartsrules.simulation.executors import Chunked
from heartsrules.simulation.many_games import simulate
from heartsrules.simulation.parts import RunPart, Tables
from support import reference
from support.random_play import reached

__all__ = [
    "Answered",
    "Foreign",
    "PublicCall",
    "Refused",
    "instances",
    "modules",
    "names_arguments",
    "outcomes",
    "public_calls",
    "wrong_types",
]


class Answered(Exception):
    """The foreign operand was asked for the result of an operator."""


class Foreign:
    """A type that the package does not know, with all operators."""

    __module__ = "abroad"

    def _answer(self, *_: object) -> None:
        raise Answered

    __add__ = __radd__ = __sub__ = __rsub__ = __and__ = __rand__ = __or__ = __ror__ = __xor__ = __rxor__ = _answer
    __mul__ = __rmul__ = __truediv__ = __rtruediv__ = __lt__ = __le__ = __gt__ = __ge__ = _answer

    def __repr__(self) -> str:
        return "Foreign()"


def _played_to(rules: Rules, kind: Any, cards: int = 999) -> Any:
    """Play at random to a state of a class in which the seats hold few cards."""
    rng = random.Random(7)

    def stops(state: Any) -> bool:
        return isinstance(state, kind) and (kind is not Playing or sum([len(hand) for hand in state.hands]) <= cards)

    return reached(new_game(rules), lambda state: stops(state) or isinstance(state, GameOver), rng)


_RULES: Final = Rules(target=20)
_START: Final = new_game(_RULES)
_DEAL: Final = deal(_START, seed=7)
_PASSING: Final[Any] = apply(_START, _DEAL)
_HAND: Final = _PASSING.hands[0]
_ENDING: Final[Any] = _played_to(_RULES, Playing, 8)
_EXPOSING: Final[Any] = _played_to(presets.charged_hearts(), Exposing)
_FEW_CARDS: Final = Cards([card for card in Rules().deck if card not in Cards("KC AC KD AD QS KS KH AH")][:40])
_CHOOSING: Final[Any] = _played_to(Rules(removed=_FEW_CARDS, moon=Moon.CHOICE), ChoosingMoon)
_OVER: Final[Any] = _played_to(_RULES, GameOver)

_SAMPLES: Final[dict[str, Callable[[], Any]]] = {
    "bool": lambda: False,
    "bytes": lambda: b"{}",
    "float": lambda: 0.5,
    "i64": lambda: 1,
    "int": lambda: 1,
    "range": lambda: range(2),
    "str": lambda: "QS",
    "Assessment": lambda: analysis.assess(view(_ENDING, _ENDING.turn), random.Random(7), worlds=1),
    "AwaitingDeal": lambda: _START,
    "Bits": lambda: random.Random(7),
    "Bot": lambda: bots.uniform,
    "Card": lambda: Card("QS"),
    "Cards": lambda: _HAND,
    "Choices": lambda: legal_moves(_PASSING),
    "ChoosingMoon": lambda: _CHOOSING,
    "Chunked": lambda: Chunked(_new("Executor")),
    "Deal": lambda: _DEAL,
    "DealMoves": lambda: legal_moves(_START),
    "DealtState": lambda: _PASSING,
    "Drawable": lambda: _ENDING,
    "Event": lambda: transition(_START, _DEAL).events[0],
    "Executor": lambda: ThreadPoolExecutor(1),
    "Exposing": lambda: _EXPOSING,
    "Game": lambda: Game.start(_RULES),
    "GameOver": lambda: _OVER,
    "Kind": lambda: Rules.OPTIONS[0].kind,
    "MidDealPosition": lambda: MidDealPosition(0, (Cards(),) * 4),
    "Move": lambda: Play(_ENDING.turn, Card("QS")),
    "Parameters": dict,
    "Pass": lambda: legal_moves(_PASSING)[0],
    "PassDirection": lambda: "left",
    "PassStep": lambda: left(3),
    "Passing": lambda: _PASSING,
    "PlayedDeal": lambda: _OVER.last_deal,
    "Playing": lambda: _ENDING,
    "Policy": policies.Watchful,
    "Quality": lambda: "fine",
    "Record": lambda: Record.of(Game.start(_RULES)),
    "Results": lambda: simulation.tournament(
        _RULES, {"A": bots.uniform, "B": bots.uniform}, ["A", "A", "B", "B"], tables=1, seed=7, deals=1
    ),
    "Review": lambda: analysis.review(Game.start(_RULES), worlds=2),
    "Rules": lambda: _RULES,
    "RunPart": lambda: RunPart(run=sample("RunIdentity"), done=(), tally=Tables()),
    "ScoreSheet": lambda: _OVER.score_sheet,
    "SeatExposures": lambda: exposing.exposures_in(_RULES._resolved, 0, _HAND, Cards()),
    "SeatPasses": lambda: passing.passes_of(_RULES, 0, 0, _HAND),
    "Setup": lambda: Setup.of(_ENDING),
    "Solution": lambda: analysis.solve(_ENDING),
    "State": lambda: _ENDING,
    "Statistics": lambda: simulate(_RULES, games=1, seed=7),
    "View": lambda: view(_ENDING, _ENDING.turn),
    "Violation": violations.GameIsOver,
}
"""Values by their types, where none can be made of a value for each parameter of the constructor."""
_CHANGING: Final = {"Bits", "Game", "RandomStream", "SeededBits"}
"""The types with objects that calls change."""
_NAMED: Final[dict[str, Any]] = {
    **dict.fromkeys(("deals", "games", "max_deals", "tables"), 1),
    **dict.fromkeys(("first", "index", "ply", "seat"), 0),
    **dict.fromkeys(("max_bytes", "max_line", "max_tokens"), 10**6),
    "language": "en",
    "most_positions": 1000,
    "players": 4,
    "quality": "fine",
    "worlds": 2,
}
"""Ints and texts by the names of their parameters, which are given even where there is a default."""
_GIVEN: Final[dict[str, dict[str, Callable[[], Any]]]] = {
    "bots.bot_named": {"text": lambda: "external:true"},
    "bots.policy_named": {"text": lambda: "watchful"},
    "bridges.openspiel.history_of": {"rules": presets.openspiel, "moves": list},
    "bridges.openspiel.parameters_of": {"rules": presets.openspiel},
    "bridges.openspiel.pass_direction_of": {"rules": presets.openspiel},
    "formats.notation.format_field": {"name": lambda: "pass_cycle", "value": tuple},
    "formats.notation.parse_field": {"name": lambda: "players", "text": lambda: "4"},
    "formats.wire.from_json": {"data": lambda: wire.to_json(_ENDING), "kind": lambda: Playing},
    "play.dealing.deal": {"state": lambda: new_game(Rules())},
    "play.dealing.deal_cards": {"state": lambda: new_game(Rules())},
    "play.stateless.exchange_gifts": {
        "hands": lambda: _DEAL.hands,
        "cards": lambda: [[Cards(list(hand)[:3])] for hand in _DEAL.hands],
    },
    "rules.presets.dicegamedepot_cancellation": {"players": lambda: 6},
    "simulation.play_deal": {"bots": lambda: [bots.uniform] * 4, "rngs": lambda: [random.Random(7)] * 4},
    "simulation.play_match": {"bots": lambda: [bots.uniform] * 4},
    "simulation.seatings_of": {"line_up": lambda: "AABB"},
}
"""Arguments of calls that need particular ones."""
_LEFT_OUT: Final = {
    # Functions of Hypothesis, and checks that play for long: nothing of them is compiled.
    *(
        f"heartsrules.testing{end}"
        for end in ("", ".conformance", ".laws", ".machine", ".perft", ".rule_sets", ".strategies")
    ),
    # Classes of OpenSpiel, which is written in C++ and crashes on wrong types, and of Ray, which need not be here.
    *("heartsrules.bridges.openspiel.game", "heartsrules.simulation.on_ray"),
}
"""Modules that are not tried."""
_CHECKING: Final = {
    *("cards.Card", "cards.Cards", "chance.RandomStream", "chance.SeededBits", "formats.notation.Evaluation"),
    *("formats.notation.Variation", "play.game.Game", "play.game.Record", "play.sheet.ScoreSheet", "rules.Bonus"),
    *("rules.Doubler", "rules.Rules", "setup.DealSetup", "setup.Setup"),
    *(f"play.moves.{name}" for name in ("ChooseMoon", "Deal", "Expose", "Pass", "Play")),
}
"""The constructors that check their arguments. The others are for this package: events, states, errors and results."""
_TRUSTING: Final = {
    # Around the core, type checkers check the types of arguments.
    *("analysis", "apps", "bots", "bridges", "pictures", "simulation"),
    # Parts of readers, errors and messages.
    *("base.errors", "base.extras", "formats.wire.parts", "messages.phrase", "rules.Option"),
    # Always refused.
    "play.dealing.DealMoves",
}
"""The beginnings of the names of what does not check its arguments."""


def names_arguments(call: PublicCall) -> bool:
    """Return True if a call checks the types of its arguments."""
    if call.constructor:
        return call.place in _CHECKING
    return not any([f"{call.place}.".startswith(f"{place}.") for place in _TRUSTING])


_WRONG: Final[tuple[Callable[[], Any], ...]] = (
    Foreign,
    lambda: None,
    lambda: 1,
    lambda: -1.5,
    lambda: "x",
    lambda: True,
    lambda: b"x",
    list,
    lambda: ["QS"],
    lambda: (3,),
    dict,
    lambda: Card("QS"),
    lambda: Cards("QS"),
    lambda: Play(0, Card("QS")),
    lambda: _RULES,
    lambda: _ENDING,
    lambda: Rules,
)
"""Values, most of which are of a wrong type for a parameter; the first one always is."""
_SURELY_WRONG: Final = {
    **dict.fromkeys(("int", "i64", "Seat"), (3, 4, 5, 6, 7)),
    "bool": (2, 3, 4, 6, 7),
    **dict.fromkeys(("Compulsory", "Exposure", "HeartsLead", "Kitty", "KittyShownTo", "Moon"), (2, 3, 4, 5, 6, 7)),
    **dict.fromkeys(("Phase", "QueenBreaks", "Tie"), (2, 3, 4, 5, 6, 7)),
}
"""By the type of a parameter, the places of values that it does not take: no bool is an int, and no text a member."""
_OPERANDS: Final = (Foreign, lambda: None, lambda: 1, lambda: Card("QS"), lambda: Cards("QS"))


@attrs.frozen
class Parameter:
    """A parameter of something public."""

    name: str
    kind: Any
    type: str
    """Its type as in the source."""
    required: bool

    @property
    def many(self) -> bool:
        """True for `*args` and `**options`."""
        return self.kind in (self.kind.VAR_POSITIONAL, self.kind.VAR_KEYWORD)


@attrs.frozen
class PublicCall:
    """Something public that can be called."""

    place: str
    get: Callable[[], Any]
    """Get what is called, from a new object where calls change it."""
    parameters: tuple[Parameter, ...]
    constructor: bool


@attrs.frozen
class Refused:
    """The outcome of a call with a value of another type."""

    parameter: Parameter
    number: int
    """The place of the value in `_WRONG`; 0 is of a type that nothing takes."""
    outcome: str

    @property
    def surely_wrong(self) -> bool:
        """True if the parameter does not take a value of this type."""
        kind, _, optional = self.parameter.type.partition(" | ")
        if not self.number:
            return kind not in ("object", "Any")
        return optional in ("", "None") and self.number in _SURELY_WRONG.get(kind, ())


def _loaded(module: str) -> Any:
    """A module; None if it needs an extra that is not installed."""
    try:
        return importlib.import_module(module)
    except MissingExtra:
        return None


@cache
def _public() -> dict[str, Any]:
    """Everything public by its name."""
    found: dict[str, Any] = {}
    for loaded in filter(None, map(_loaded, modules())):
        for name in loaded.__all__:
            found.setdefault(name, getattr(loaded, name))
    return found


def _statements(kind: type) -> Iterator[ast.ClassDef]:
    """The class statements of a class and of the package's classes that it is derived from."""
    for each in kind.__mro__:
        if each.__module__.partition(".")[0] == "heartsrules":
            for node in reference.tree(each.__module__).body:
                if isinstance(node, ast.ClassDef) and node.name == each.__name__:
                    yield node


def _types_of(node: ast.FunctionDef) -> dict[str, str]:
    every = [part for part in ast.walk(node.args) if isinstance(part, ast.arg)]
    return {part.arg: ast.unparse(part.annotation) for part in every if part.annotation}


def _types_in(kind: type, methods: tuple[str, ...]) -> dict[str, str]:
    """The types of the parameters of methods; of a constructor, those of the attributes too."""
    found: dict[str, str] = {}
    for node in _statements(kind):
        for part in node.body:
            if isinstance(part, ast.FunctionDef) and part.name in methods:
                found = {**_types_of(part), **found}
            elif isinstance(part, ast.AnnAssign) and methods == _CONSTRUCTORS:
                found.setdefault(ast.unparse(part.target), ast.unparse(part.annotation))
    return found


_CONSTRUCTORS: Final = ("__init__", "__new__")


def _parameters(called: Any, types: Mapping[str, str], unseen: str = "") -> tuple[Parameter, ...]:
    try:
        found = inspect.signature(called).parameters.values()
    except ValueError:
        # An exception without a constructor of its own.
        return ()
    return tuple(
        [
            Parameter(each.name, each.kind, types.get(each.name, "object"), each.default is each.empty)
            for each in found
            if each.name not in ("self", *unseen.split(", "))
        ]
    )


def public_calls(module: str) -> Iterator[PublicCall]:
    """Every function, constructor and method on the page of a module in the API reference."""
    loaded = _loaded(module)
    for name in reference.names_of(module) if loaded else ():
        value = getattr(loaded, name.name)
        place = f"{module.removeprefix('heartsrules.')}.{name.name}"
        if isinstance(name.node, ast.FunctionDef):
            yield PublicCall(
                place, partial(getattr, loaded, name.name), _parameters(value, _types_of(name.node)), False
            )
        elif isinstance(name.node, ast.ClassDef) and not issubclass(value, enum.Enum):
            if getattr(value, "_is_protocol", False) or inspect.isabstract(value):
                continue
            parameters = _parameters(value, _types_in(value, _CONSTRUCTORS), "hi, lo" if value is Cards else "")
            yield PublicCall(place, partial(getattr, loaded, name.name), parameters, True)
            for method in _methods(value):
                parameters = _parameters(getattr(value, method), _types_in(value, (method,)))
                yield PublicCall(f"{place}.{method}", partial(_method, name.name, method), parameters, False)


def _method(kind: str, name: str) -> Any:
    return getattr(sample(kind), name)


def _methods(kind: type) -> list[str]:
    """The public methods of a class, without properties."""
    parts = [part.name for node in _statements(kind) for part in node.body if isinstance(part, ast.FunctionDef)]
    return [name for name in sorted(set(parts)) if name[0] != "_" and callable(getattr(kind, name))]


def sample(text: str, name: str = "") -> Any:
    """A value of a type that is given as in the source, for a parameter of some name."""
    return _sample(ast.parse(text, mode="eval").body, name)


def _sample(node: ast.expr, name: str) -> Any:
    match node:
        case ast.BinOp(left=one, right=other):
            return _sample(other if isinstance(one, ast.Constant) and one.value is None else one, name)
        case ast.Constant(value=str(text)):
            return sample(text, name)
        case ast.Constant(value=value):
            return value
        case ast.Attribute(attr=kind) | ast.Name(id=kind):
            if kind in ("int", "str", "i64", "Seat") and name in _NAMED:
                return _NAMED[name]
            return (_new if kind in _CHANGING else _kept)(kind)
        case ast.Subscript(value=ast.Name(id=outer) | ast.Attribute(attr=outer), slice=inner):
            items = inner.elts if isinstance(inner, ast.Tuple) else [inner]
            match outer:
                case "tuple":
                    return tuple(
                        [_sample(item, name) for item in takewhile(lambda item: ast.unparse(item) != "...", items)]
                    )
                case "Iterable" | "Sequence" | "Collection" | "list":
                    return [_sample(items[0], name)]
                case "frozenset":
                    return frozenset([_sample(items[0], name)])
                case "Mapping" | "dict":
                    return {}
                case "Callable":
                    return _called
                case "type":
                    return Rules
            return _sample(items[0], name)
    return None


def _new(kind: str) -> Any:
    """Make a value of the type with this name; None if it has no value here."""
    if kind in _SAMPLES:
        return _SAMPLES[kind]()
    value = _public().get(kind)
    if not inspect.isclass(value) or value is Any:
        return None
    if issubclass(value, enum.Enum):
        return next(iter(value))
    return value(**_samples(_parameters(value, _types_in(value, _CONSTRUCTORS))))


_kept: Final = cache(_new)


def _called(*_: object, **__: object) -> None:
    """A callback."""


def _samples(parameters: tuple[Parameter, ...], place: str = "") -> dict[str, Any]:
    """Arguments of right types."""
    given = _GIVEN.get(place, {})
    return {
        each.name: given[each.name]() if each.name in given else sample(each.type, each.name)
        for each in parameters
        if (each.required or each.name in _NAMED or each.name in given) and not each.many
    }


def _outcome(call: Callable[..., Any], *args: Any, **named: Any) -> str:
    """The outcome of a call: the error, word for word, or that there is none."""
    try:
        value = call(*args, **named)
        if hasattr(type(value), "__next__"):
            list(islice(value, 2))
        return "returns"
    except Exception as error:
        return re.sub(r"0x[0-9a-f]+", "0x", f"{type(error).__name__}: {error}")


def _call(call: PublicCall, given: Mapping[str, Any]) -> str:
    """Call with arguments by name, but for those that have none."""
    unnamed = [each.name for each in call.parameters if each.kind == each.kind.POSITIONAL_ONLY]
    named = {name: value for name, value in given.items() if name not in unnamed}
    return _outcome(call.get(), *[given[name] for name in unnamed if name in given], **named)


def outcome_with(call: PublicCall, name: str, value: object) -> str:
    """The outcome with one argument given, the others being right."""
    return _call(call, {**_samples(call.parameters, call.place), name: value})


def wrong_types(call: PublicCall) -> Iterator[Refused]:
    """The outcomes with each value in place of each argument, the others being right."""
    right = _samples(call.parameters, call.place)
    for parameter in call.parameters:
        if not parameter.many:
            for number, wrong in enumerate(_WRONG):
                yield Refused(parameter, number, _call(call, {**right, parameter.name: wrong()}))


def _wrong_counts(call: PublicCall) -> Iterator[tuple[str, str]]:
    """The outcomes with too few, too many and unknown arguments."""
    right = _samples(call.parameters, call.place)
    ordered = [
        each.name
        for each in call.parameters
        if each.kind in (each.kind.POSITIONAL_ONLY, each.kind.POSITIONAL_OR_KEYWORD)
    ]
    called = call.get()
    yield "nothing", _outcome(called)
    for left_out in right:
        yield f"no {left_out}", _call(call, {name: value for name, value in right.items() if name != left_out})
    many = [right.get(name) for name in ordered]
    yield "too many", _outcome(called, *many, 1)
    yield "far too many", _outcome(called, *many, 1, 2, novel=3)
    yield "unknown", _call(call, {**right, "novel": 3})
    if ordered:
        yield "twice", _outcome(called, right.get(ordered[0]), **{ordered[0]: right.get(ordered[0])})


_BINARY: Final = (
    *("add", "sub", "and_", "or_", "xor", "mul", "truediv", "lt", "le", "gt", "ge", "eq", "ne"),
    *("contains", "getitem", "iadd", "isub", "iand"),
)
_UNARY: Final[dict[str, Callable[[Any], Any]]] = {
    "subclass": lambda one: type("Derived", (type(one),), {}),
    "weak reference": weakref.ref,
    **{
        call.__name__: call
        for call in (len, iter, next, reversed, bool, int, float, abs, hash, operator.neg, operator.index)
    },
    "call": operator.methodcaller("__call__"),
}


def _operators(one: Any) -> Iterator[tuple[str, str]]:
    """The outcomes of operators, with an object on either side."""
    others: tuple[Callable[[], Any], ...] = (*_OPERANDS, lambda: one)
    for name in _BINARY:
        call = getattr(operator, name)
        for number, other in enumerate(others):
            yield f"{name} {number}", _outcome(call, one, other())
            yield f"{number} {name}", _outcome(call, other(), one)
    for name, unary in _UNARY.items():
        yield name, _outcome(unary, one)


def _attributes(one: Any) -> Iterator[tuple[str, str]]:
    """The outcomes of setting every attribute, and a new one. attrs and mypyc have words of their own."""
    for name in ("novel", *[name for name in dir(one) if name[:2] != "__"]):
        try:
            own = name in getattr(one, "__dict__", ())
            setattr(one, name, getattr(one, name, None))
            if not own and name in getattr(one, "__dict__", ()):
                delattr(one, name)
            yield f"set {name}", "is set"
        except Exception as error:
            yield f"set {name}", "is refused" if isinstance(error, AttributeError) else type(error).__name__


def modules() -> list[str]:
    """The modules whose calls are tried."""
    return [name for name in reference.documented() if name not in _LEFT_OUT]


@cache
def instances() -> dict[str, Any]:
    """An object of each public class that has any, by the name of the class."""
    calls = [call for module in modules() for call in public_calls(module) if call.constructor]
    places = [*[call.place for call in calls], "play.lazy_moves.Choices"]
    return {place: _kept(place.rpartition(".")[2]) for place in places}


def outcomes() -> dict[str, str]:
    """Every outcome by its call."""
    found: dict[str, str] = {}
    logging.disable()
    try:
        for module in modules():
            for call in public_calls(module):
                place = call.place
                found |= {f"{place}({each.parameter.name}: {each.number})": each.outcome for each in wrong_types(call)}
                found |= {f"{place}({what})": text for what, text in _wrong_counts(call)}
    finally:
        logging.disable(logging.NOTSET)
    for place, one in instances().items():
        found |= {f"{place} {what}": text for what, text in (*_operators(one), *_attributes(one))}
    return found


if __name__ == "__main__":
    json.dump({"compiled": heartsrules.COMPILED, "outcomes": outcomes()}, sys.stdout)
