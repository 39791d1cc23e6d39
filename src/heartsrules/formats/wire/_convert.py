"""Conversions between our classes and the types of the documents. Views are read in `_views`.

Reading assumes that a document has the right types, which msgspec has seen to.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator, Mapping
from enum import Enum
from functools import lru_cache, partial
from typing import Any, Final, Literal, TypeAlias, TypeVar, get_type_hints

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
from heartsrules.play.events import CardPlayed, Event, ExposureCommitted, PassCommitted
from heartsrules.play.game import Record
from heartsrules.play.moves import ChooseMoon, Deal, Expose, Move, Pass, Play, play_table
from heartsrules.play.phases import Phase
from heartsrules.play.sheet import DealScore
from heartsrules.play.state import Middle, State, Trick
from heartsrules.play.violations import PRECEDENCE, Violation
from heartsrules.rules import Bonus, Doubler, HeartValues, Kind, Moon, PassOptional, Rules
from heartsrules.setup import NO_DEAL_TOLD, NOTHING_TOLD, DealSetup, Setup, check, known, told_parts
from heartsrules.views import (
    AwaitingDealView,
    ChoosingMoonView,
    DealStartView,
    ExposingView,
    PassingView,
    PlayedDealView,
    PlayingView,
    View,
)

T = TypeVar("T")

_Sheet: TypeAlias = tuple[W.DealScoreWire, ...]
_StateStart: TypeAlias = tuple[
    Literal[1], Literal["state"], bool, W.RulesWire, int, tuple[int, ...], _Sheet, W.StartWire | None
]
_ViewStart: TypeAlias = tuple[
    Literal[1], Literal["view"], int | None, W.RulesWire, int, int, tuple[int, ...], _Sheet, W.StartWire | None
]


class NotADocument(Exception):
    """What is wrong with a document; only `from_json` and `judge` see it."""

    def __init__(self, *problems: Problem) -> None:
        super().__init__(problems)
        self.problems: Final = problems


def pointer(*parts: str | int) -> str:
    """A JSON pointer."""
    return "".join(f"/{str(part).replace('~', '~0').replace('/', '~1')}" for part in parts)


def place_of(field: str, under: str = "") -> str:
    """The JSON pointer of what a problem of a state or a rule set calls a field, such as `captured[2]`."""
    place = field.replace("[", "/").replace("]", "").replace(".", "/")
    return f"{under}/{_RENAMED.get(place) or place.replace('/plays', '/cards')}"


_RENAMED: Final = {"first": "start/deal_number", "start": "start/scores", "queen_taker": "start/queen_taker"}
"""The parts of a setup that stand elsewhere in a document."""


def placed(problems: Iterable[Problem], under: str = "") -> tuple[Problem, ...]:
    """The same problems with places in a document instead of fields."""
    return tuple(attrs.evolve(each, fields=tuple(place_of(field, under) for field in each.fields)) for each in problems)


# ---------------------------------------------------------------------------------------------------------- rules


class _Written:
    """The rule sets written last, by identity: hashing a rule set takes longer than writing a play."""

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
"""The kinds of options that look different in a document: how a value other than None is written and read."""
_KINDS: Final = {option.name: option.kind for option in Rules.OPTIONS if option.kind in _SPELLED}


def _rules_wire(rules: Rules) -> Any:
    return _options_wire(rules.changes())


def every_option(rules: Rules) -> Any:
    """A rule set as a part of a document, with the options that have default values too."""
    return _options_wire({option.name: getattr(rules, option.name) for option in Rules.OPTIONS})


def _options_wire(options: dict[str, Any]) -> Any:
    for name, kind in _KINDS.items():
        if options.get(name) is not None:
            options[name] = _SPELLED[kind][0](options[name])
    return W.RULES(**options)


rules_to_wire: Final = _Written(256)


_ReadRules: TypeAlias = tuple[int, Rules | None, tuple[Problem, ...]]
"""How many keys the object of a rule set has, with those of the objects in it; the rule set, or why there is none."""


def rules_keys(wire: Any) -> int:
    """How many keys the object of a rule set has, with those of the objects in it."""
    return _read_rules(wire)[0]


def _read_rules(wire: Any) -> _ReadRules:
    """What is known of a rule set; a document is asked twice for its own."""
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


def state_keys(wire: W.StateDocument, keys: int) -> int:
    """How many keys the objects of the document of a state have, of which the rule set has so many."""
    count = len(wire.__struct_fields__) + 1 + keys + _ROW_KEYS * len(wire.deal_scores)
    if wire.start is not None:
        count += _START_KEYS
    told: Any = wire if isinstance(wire, W.PlayingDocument) else getattr(wire, "last_deal", None)
    if told is not None:
        count += _TRICK_KEYS * len(told.tricks) + (0 if told.middle is None else _MIDDLE_KEYS)
        if told is not wire:
            count += _DEAL_KEYS
    return count


def move_keys(wire: Any) -> int:
    """How many keys the object of the document of a move has."""
    return len(wire.__struct_fields__) + 1


_ROW_KEYS: Final = len(W.DealScoreWire.__struct_fields__)
_TRICK_KEYS: Final = len(W.TrickWire.__struct_fields__)
_START_KEYS: Final = len(W.StartWire.__struct_fields__)
_MIDDLE_KEYS: Final = len(W.MiddleWire.__struct_fields__)
_DEAL_KEYS: Final = len(W.FinishedDealWire.__struct_fields__)


def rules_at(wire: Any, under: str) -> Rules:
    """The rule set, or what is wrong with it."""
    _, rules, problems = _read_rules(wire)
    if rules is None:
        raise NotADocument(*placed(problems, under))
    return rules


# ------------------------------------------------------------------------------------ moves, events and violations


def move_to_wire(move: Move) -> W.AnyMove:
    """A move as a part of a document."""
    if isinstance(move, Play):
        return W.PlayWire(move.seat, move.card)
    if isinstance(move, Pass):
        return W.PassWire(move.seat, move.gifts)
    if isinstance(move, Expose):
        return W.ExposeWire(move.seat, move.cards)
    if isinstance(move, Deal):
        return W.DealWire(move.hands, move.kitty)
    return W.ChooseMoonWire(move.seat, move.effect)


def move_of(wire: Any) -> Move:
    """The move of a part or a document."""
    match wire.__struct_config__.tag:
        case "play":
            return Play(wire.seat, wire.card)
        case "pass":
            return Pass(wire.seat, wire.gifts)
        case "expose":
            return Expose(wire.seat, wire.cards)
        case "deal":
            return Deal(wire.hands, wire.kitty)
    return ChooseMoon(wire.seat, wire.effect)


def score_to_wire(score: DealScore) -> W.DealScoreWire:
    """A row of the score sheet as a part of a document."""
    effect: Any = None if score.effect is None else score.effect.value
    return W.DealScoreWire(
        score.points,
        score.card_points,
        score.shooter,
        effect,
        score.sun,
        score.tricks_won,
        score.totals,
        score.queen_taker,
        score.shown,
    )


def score_of(wire: Any) -> DealScore:
    """The row of the score sheet of a part or a document."""
    return DealScore(
        wire.points,
        wire.card_points,
        wire.shooter,
        None if wire.effect is None else Moon(wire.effect),
        wire.sun,
        wire.tricks_won,
        wire.totals,
        wire.queen_taker,
        wire.shown,
    )


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
"""The most items of a parameter that are written."""


def params_to_wire(problem: Problem) -> dict[str, Any]:
    """The parameters of a problem, of any size, as parts of a document of bounded size."""
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
    return violation_to_wire(value) if isinstance(value, PRECEDENCE) else value


def _param_of(name: str, value: Any) -> Any:
    """The parameter of a part: what its name ends with says what a text in it is."""
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


def suits_to_wire(suits: Iterable[Suit]) -> tuple[Any, ...]:
    """The letters of suits."""
    return tuple([suit.letter for suit in suits])


def suits_of(letters: Iterable[str]) -> tuple[Suit, ...]:
    """The suits of letters."""
    return tuple([_SUIT_OF[letter] for letter in letters])


_CONVERTED: Final[dict[Any, tuple[Callable[[Any], Any], Callable[[Any], Any]]]] = {
    Suit: (lambda suit: suit.letter, _SUIT_OF.__getitem__),
    frozenset[int]: (lambda seats: tuple(sorted(seats)), frozenset),
    DealScore: (score_to_wire, score_of),
    tuple[Problem, ...]: (_problems_to_wire, _problems_of),
}
"""The types of attributes that look different in a document: how they are written and read."""


def _same(value: T) -> T:
    return value


def _attributes(kind: type) -> list[tuple[str, Callable[[Any], Any], Callable[[Any], Any]]]:
    hints = get_type_hints(kind)
    return [(field.name, *_CONVERTED.get(hints[field.name], (_same, _same))) for field in attrs.fields(kind)]


_FLAT: Final = {kind: _attributes(kind) for kind in (*W.EVENTS, *W.VIOLATIONS)}
_BY_CODE: Final[dict[Any, type]] = {
    wire.__struct_config__.tag: kind for kind, wire in (*W.EVENTS.items(), *W.VIOLATIONS.items())
}


_CARD_PLAYED: Final = W.EVENTS[CardPlayed]


def event_to_wire(event: Event) -> Any:
    """An event as a part of a document."""
    if isinstance(event, PassCommitted):
        return W.PassCommittedWire(event.move.seat, event.move.gifts)
    if isinstance(event, ExposureCommitted):
        return W.ExposureCommittedWire(event.move.seat, event.move.cards)
    if isinstance(event, CardPlayed):
        return _CARD_PLAYED(event.seat, event.card)
    kind = type(event)
    return W.EVENTS[kind](*[write(getattr(event, name)) for name, write, _ in _FLAT[kind]])


def violation_to_wire(violation: Violation) -> Any:
    """A violation as a part of a document, with its sentence."""
    kind = type(violation)
    values = [write(getattr(violation, name)) for name, write, _ in _FLAT[kind]]
    return W.VIOLATIONS[kind](*values, str(violation))


def flat_of(wire: Any) -> Any:
    """The event or the violation of a part or a document."""
    kind = _BY_CODE[wire.__struct_config__.tag]
    if kind is PassCommitted:
        return PassCommitted(Pass(wire.seat, wire.gifts))
    if kind is ExposureCommitted:
        return ExposureCommitted(Expose(wire.seat, wire.cards))
    return kind(**{name: read(getattr(wire, name)) for name, _, read in _FLAT[kind]})


# ------------------------------------------------------------------------------------------------- states and views


def _tricks_to_wire(tricks: Iterable[Trick]) -> tuple[W.TrickWire, ...]:
    return tuple(
        [W.TrickWire(trick.leader, tuple([play.card for play in trick.plays]), trick.winner) for trick in tricks]
    )


def tricks_of(wires: Iterable[W.TrickWire], players: int) -> tuple[Trick, ...]:
    """The completed tricks of a document."""
    return tuple([Trick(wire.leader, plays_from(wire.leader, wire.cards, players), wire.winner) for wire in wires])


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


def _cards(plays: Iterable[Play]) -> tuple[Any, ...]:
    return tuple([play.card for play in plays])


def _middle_to_wire(middle: Middle | None) -> W.MiddleWire | None:
    if middle is None:
        return None
    return W.MiddleWire(
        middle.leader,
        middle.captured,
        middle.tricks_won,
        middle.set_aside,
        middle.kitty_taker,
        middle.hearts_broken,
        suits_to_wire(middle.suits_led),
    )


def _middle_of(wire: W.MiddleWire | None) -> Middle | None:
    if wire is None:
        return None
    return Middle(
        wire.leader,
        wire.captured,
        wire.tricks_won,
        wire.set_aside,
        wire.kitty_taker,
        wire.hearts_broken,
        suits_of(wire.suits_led),
    )


def _kitty(told: DealSetup) -> Cards:
    assert told.kitty is not None
    return told.kitty


def _finished_to_wire(told: DealSetup) -> W.FinishedDealWire:
    return W.FinishedDealWire(
        _kitty(told), _gifts(told.passes), told.shown, _tricks_to_wire(told.tricks), _middle_to_wire(told.middle)
    )


def _finished_of(wire: W.FinishedDealWire | None, players: int) -> DealSetup | None:
    if wire is None:
        return None
    parts = NO_DEAL_TOLD.copy()
    parts["kitty"] = wire.kitty
    parts["passes"] = _passes_of(wire.passes)
    parts["shown"] = wire.shown
    parts["tricks"] = tricks_of(wire.tricks, players)
    parts["middle"] = _middle_of(wire.middle)
    return known(DealSetup, parts)


def _gifts(passes: Iterable[Pass | None]) -> tuple[tuple[Cards, ...] | None, ...]:
    return tuple([None if move is None else move.gifts for move in passes])


def _passes_of(gifts: Iterable[tuple[Cards, ...] | None]) -> tuple[Pass | None, ...]:
    return tuple([None if each is None else Pass(seat, each) for seat, each in enumerate(gifts)])


def _exposed(exposures: Iterable[Expose | None]) -> tuple[Cards | None, ...]:
    return tuple([None if move is None else move.cards for move in exposures])


def _exposures_of(bags: Iterable[Cards | None]) -> tuple[Expose | None, ...]:
    return tuple([None if each is None else Expose(seat, each) for seat, each in enumerate(bags)])


# Compiled, a member of an enum is looked up by Python code, each time.
_DEAL: Final = Phase.DEAL
_PASS: Final = Phase.PASS
_EXPOSE: Final = Phase.EXPOSE
_PLAY: Final = Phase.PLAY
_MOON: Final = Phase.MOON
_OVER: Final = Phase.OVER

_MUST_SAY: Final[dict[Phase, tuple[str, ...]]] = {
    Phase.DEAL: ("whole", "scores"),
    Phase.PASS: ("whole", "scores", "kitty"),
    Phase.EXPOSE: ("whole", "scores", "kitty"),
    Phase.PLAY: ("whole", "scores", "kitty", "leader", "turn", "hearts_broken"),
    Phase.MOON: ("whole", "scores", "last_deal", "shooter"),
    Phase.OVER: ("whole", "scores", "last_deal", "winners"),
}
"""What the document of a phase cannot leave out."""
_OF_PLAY: Final = _MUST_SAY[_PLAY]
"""An enum's own hash is Python code, too."""
_LEFT_OUT: Final = ("captured", "tricks_won", "trick_number", "set_aside", "kitty_taker")
"""The claims about a deal that no document makes; of a finished deal, also its last leader."""


def _not_told(parts: dict[str, Any]) -> list[Problem]:
    missing = [name for name in _MUST_SAY[parts["phase"]] if parts[name] is None]
    problems = [Problem.of("not-told", (f"/{name}",), "phase", name=name) for name in missing]
    last = parts["last_deal"]
    if last is not None and last.kitty is None:
        problems.append(Problem.of("not-told", ("/last_deal/kitty",), "kitty"))
    return problems


def _unwritable(told: Setup, read: Setup) -> Iterator[Problem]:
    nothing: dict[str, Any] = dict.fromkeys(_LEFT_OUT)
    last = told.last_deal
    if last is not None:
        last = attrs.evolve(last, leader=None, **nothing)
    left = attrs.evolve(told, last_deal=last, others_up=None, shooter_down=None, **nothing)
    for field in attrs.fields(Setup):
        if getattr(left, field.name) != getattr(read, field.name):
            yield Problem.of("unwritable", (place_of(field.name),), "document", name=field.name)


def refuse_unwritable(told: Setup, document: W.AnyState) -> None:
    """Refuse a setup if its document leaves out anything but claims.

    Raises:
        NotADocument: more of the setup than its claims would be lost.
    """
    problems = tuple(_unwritable(told, setup_of(document)))
    if problems:
        raise NotADocument(*problems)


def setup_to_wire(told: Setup) -> W.AnyState:
    """The document of a setup.

    Raises:
        NotADocument: it does not tell what a document must.
    """
    return _document_of(vars(told))


def _last_to_wire(told: DealSetup | None) -> Any:
    """The part of a deal that is over; None only where there may be none."""
    return None if told is None else _finished_to_wire(told)


def _document_of(parts: dict[str, Any]) -> W.AnyState:
    """The document of the attributes of a setup."""
    phase = parts["phase"]
    for name in _OF_PLAY if phase is _PLAY else _MUST_SAY[phase]:
        if parts[name] is None:
            raise NotADocument(*_not_told(parts))
    told: DealSetup | None = parts["last_deal"]
    if told is not None and told.kitty is None:
        raise NotADocument(*_not_told(parts))
    last = _last_to_wire(told)
    start: Any = parts["start"]
    common: _StateStart = (
        W.VERSION,
        "state",
        parts["whole"] is not False,
        rules_to_wire(parts["rules"]),
        parts["deal_number"],
        parts["scores"],
        tuple([score_to_wire(row) for row in parts["deal_scores"]]),
        None if start is None else W.StartWire(parts["first"], start, parts["queen_taker"]),
    )
    if phase is _DEAL:
        return W.AwaitingDealDocument(*common, last)
    if phase is _MOON:
        return W.ChoosingMoonDocument(*common, last, parts["shooter"])
    if phase is _OVER:
        return W.GameOverDocument(*common, last, parts["winners"])
    hands: tuple[Cards, ...] = parts["hands"]
    kitty: Cards = parts["kitty"]
    gifts = _gifts(parts["passes"])
    if phase is _PASS:
        return W.PassingDocument(*common, hands, kitty, gifts)
    if phase is _EXPOSE:
        return W.ExposingDocument(*common, hands, kitty, gifts, _exposed(parts["exposures"]))
    return W.PlayingDocument(
        *common,
        hands,
        kitty,
        gifts,
        parts["shown"],
        _tricks_to_wire(parts["tricks"]),
        parts["leader"],
        _cards(parts["trick"]),
        parts["turn"],
        parts["hearts_broken"],
        _middle_to_wire(parts["middle"]),
    )


def setup_of(wire: W.AnyState, under: str = "", rules: Rules | None = None) -> Setup:
    """The setup that a document tells; whether to believe it is for `check` to decide. Its rules may be known already.

    Raises:
        NotADocument: its rules cannot be played.
    """
    if rules is None:
        rules = rules_at(wire.rules, f"{under}/rules")
    players: int = rules.compiled.players
    start = wire.start
    parts = NOTHING_TOLD.copy()
    parts["rules"] = rules
    parts["whole"] = wire.whole
    parts["deal_number"] = wire.deal_number
    parts["scores"] = wire.scores
    rows = wire.deal_scores
    if rows:
        parts["deal_scores"] = tuple([score_of(row) for row in rows])
    if start is not None:
        parts["first"] = start.deal_number
        parts["start"] = start.scores
        parts["queen_taker"] = start.queen_taker
    if isinstance(wire, W.PlayingDocument):
        leader = wire.leader
        parts["phase"] = _PLAY
        parts["hands"] = wire.hands
        parts["kitty"] = wire.kitty
        parts["passes"] = _passes_of(wire.passes)
        parts["shown"] = wire.shown
        parts["tricks"] = tricks_of(wire.tricks, players)
        parts["leader"] = leader
        parts["trick"] = plays_from(leader, wire.trick, players)
        parts["turn"] = wire.turn
        parts["hearts_broken"] = wire.hearts_broken
        parts["middle"] = _middle_of(wire.middle)
        return known(Setup, parts)
    if isinstance(wire, (W.PassingDocument, W.ExposingDocument)):
        parts["hands"] = wire.hands
        parts["kitty"] = wire.kitty
        parts["passes"] = _passes_of(wire.passes)
        if isinstance(wire, W.PassingDocument):
            parts["phase"] = _PASS
        else:
            parts["phase"] = _EXPOSE
            parts["exposures"] = _exposures_of(wire.exposures)
        return known(Setup, parts)
    parts["last_deal"] = _finished_of(wire.last_deal, players)
    if isinstance(wire, W.AwaitingDealDocument):
        parts["phase"] = _DEAL
    elif isinstance(wire, W.ChoosingMoonDocument):
        parts["phase"] = _MOON
        parts["shooter"] = wire.shooter
    else:
        parts["phase"] = _OVER
        parts["winners"] = wire.winners
    return known(Setup, parts)


def state_to_wire(state: State) -> W.AnyState:
    """The document of a state."""
    return _document_of(told_parts(state, NOTHING_TOLD.copy(), DealSetup, NO_DEAL_TOLD))


def state_of(wire: W.AnyState, under: str = "", rules: Rules | None = None) -> State:
    """The state of a document, believed. Its rules may be known already.

    Raises:
        NotADocument: the rules cannot lead to it.
    """
    try:
        return check(setup_of(wire, under, rules))
    except InvalidState as error:
        raise NotADocument(*placed(error.problems, under)) from None


def _deal_view(played: PlayedDealView) -> W.PlayedDealViewWire:
    start = played.start
    return W.PlayedDealViewWire(
        commitment=_own_gifts(start),
        passed=start.passed,
        received=start.received,
        declined=tuple(sorted(start.declined)),
        shown=start.shown,
        led_before=suits_to_wire(played.led_before),
        leader=played.leader,
        tricks=_tricks_to_wire(played.tricks),
        captured=played.captured,
        tricks_won=played.tricks_won,
        trick_number=played.trick_number,
        set_aside=played.set_aside,
        kitty_taker=played.kitty_taker,
        kitty=played.kitty,
    )


def _own_gifts(start: DealStartView) -> W.Gifts | None:
    return None if start.commitment is None else start.commitment.gifts


def view_to_wire(seen: View) -> W.AnyView:
    """The document of a view."""
    rules = rules_to_wire(seen.rules)
    rows = tuple([score_to_wire(row) for row in seen.deal_scores])
    sheet = seen.deal_scores
    start: _ViewStart = (
        W.VERSION,
        "view",
        seen.seat,
        rules,
        seen.dealer,
        seen.deal_number,
        seen.scores,
        rows,
        W.StartWire(sheet.first, sheet.start, sheet.queen_taker_before) if sheet.first else None,
    )
    if isinstance(seen, PlayingView):
        played = _deal_view(seen.deal)
        return W.PlayingViewDocument(
            *start,
            hand=seen.hand,
            turn=seen.turn,
            leader=played.leader,
            trick=_cards(seen.trick),
            hearts_broken=seen.hearts_broken,
            commitment=played.commitment,
            passed=played.passed,
            received=played.received,
            declined=played.declined,
            shown=played.shown,
            led_before=played.led_before,
            tricks=played.tricks,
            captured=played.captured,
            tricks_won=played.tricks_won,
            trick_number=played.trick_number,
            set_aside=played.set_aside,
            kitty_taker=played.kitty_taker,
            kitty=played.kitty,
        )
    if isinstance(seen, PassingView):
        gifts = None if seen.commitment is None else seen.commitment.gifts
        committed = tuple(sorted(seen.committed))
        return W.PassingViewDocument(
            *start,
            hand=seen.hand,
            step=seen.step,
            may_decline=seen.rules.pass_optional is not PassOptional.NO,
            unpassable=seen.rules.unpassable,
            commitment=gifts,
            committed=committed,
            to_act=tuple([seat for seat in range(seen.rules.players) if seat not in seen.committed]),
        )
    if isinstance(seen, ExposingView):
        return W.ExposingViewDocument(
            *start,
            hand=seen.hand,
            exposable=seen.rules.exposable,
            exposure=None if seen.commitment is None else seen.commitment.cards,
            committed=tuple(sorted(seen.committed)),
            to_act=seen.to_show,
            commitment=_own_gifts(seen.start),
            passed=seen.passed,
            received=seen.received,
            declined=tuple(sorted(seen.declined)),
            shown=seen.shown,
        )
    if isinstance(seen, AwaitingDealView):
        return W.AwaitingDealViewDocument(*start, None if seen.last_deal is None else _deal_view(seen.last_deal))
    if isinstance(seen, ChoosingMoonView):
        return W.ChoosingMoonViewDocument(
            *start,
            _deal_view(seen.last_deal),
            seen.shooter,
            score_to_wire(seen.others_up),
            score_to_wire(seen.shooter_down),
        )
    return W.GameOverViewDocument(*start, _deal_view(seen.last_deal), seen.winners)


# --------------------------------------------------------------------------------------------------------- records


def record_to_wire(record: Record) -> W.RecordDocument:
    """The document of a record."""
    return W.RecordDocument(
        W.VERSION,
        "record",
        rules_to_wire(record.rules),
        tuple([move_to_wire(move) for move in record.moves]),
        record.tags,
        record.comments,
        record.points,
        record.winners,
    )


def record_of(wire: W.RecordDocument) -> Record:
    """The record of a document, unverified."""
    return Record(
        rules=rules_at(wire.rules, "/rules"),
        moves=[move_of(move) for move in wire.moves],
        tags=wire.tags,
        comments=wire.comments,
        points=wire.points,
        winners=wire.winners,
    )


def as_document(part: Any, documents: Mapping[Any, type[msgspec.Struct]], kind: str) -> Any:
    """The document that consists of a part."""
    return documents[type(part)](W.VERSION, kind, *astuple(part))


def shape_problems(wire: Any, players: int, under: str = "") -> Iterator[Problem]:
    """What is wrong with the counts of arrays by seat, and with seats that the table does not have."""
    for name in _BY_SEAT:
        items = getattr(wire, name, None)
        if items is not None and len(items) != players:
            yield Problem.of("wrong-count", (f"{under}/{name}",), "array", count=len(items), players=players)
    for name in _SEATS:
        seat = getattr(wire, name, None)
        if seat is not None and seat >= players:
            yield _no_such_seat(seat, players, f"{under}/{name}")
    for name in ("winners", "declined", "committed"):
        seats = getattr(wire, name, ())
        for place, seat in enumerate(seats):
            if seat >= players:
                yield _no_such_seat(seat, players, f"{under}/{name}/{place}")
        if any(later <= earlier for earlier, later in itertools.pairwise(seats)):
            yield Problem.of("wrong-order", (f"{under}/{name}",), "array-of-seats")
    if isinstance(wire, (W.ExposingViewDocument, W.PlayingViewDocument, W.PlayedDealViewWire)):
        yield from _shown_shape(wire, players, under)
    for name in ("others_up", "shooter_down"):
        row = getattr(wire, name, None)
        if row is not None:
            yield from shape_problems(row, players, f"{under}/{name}")
    for place, row in enumerate(getattr(wire, "deal_scores", ())):
        yield from shape_problems(row, players, f"{under}/deal_scores/{place}")
    for place, trick in enumerate(getattr(wire, "tricks", ())):
        at = f"{under}/tricks/{place}"
        yield from shape_problems(trick, players, at)
        if trick.winner is not None and trick.winner >= players:
            yield _no_such_seat(trick.winner, players, f"{at}/winner")
        if len(trick.cards) != players:
            yield Problem.of("wrong-count", (f"{at}/cards",), "array-of-cards", count=len(trick.cards), players=players)
    count = len(getattr(wire, "trick", ()))
    if count >= players:
        yield Problem.of("complete-trick", (f"{under}/trick",), "array", count=count, most=players - 1)
    last = getattr(wire, "last_deal", None)
    if last is not None:
        yield from shape_problems(last, players, f"{under}/last_deal")


def _shown_shape(
    wire: W.ExposingViewDocument | W.PlayingViewDocument | W.PlayedDealViewWire, players: int, under: str
) -> Iterator[Problem]:
    if len(wire.shown) != players:
        yield Problem.of("wrong-count", (f"{under}/shown",), "array-of-shown", count=len(wire.shown), players=players)
    if not isinstance(wire, W.ExposingViewDocument):
        suits = suits_of(wire.led_before)
        if suits != tuple(sorted(set(suits))):
            yield Problem.of("wrong-order", (f"{under}/led_before",), "array-of-suits")


_BY_SEAT: Final = (
    "scores", "captured", "tricks_won", "points", "card_points", "totals",
)  # fmt: skip
_SEATS: Final = ("seat", "turn", "leader", "kitty_taker", "shooter", "queen_taker")


def _no_such_seat(seat: int, players: int, at: str) -> Problem:
    return Problem.of("no-such-seat", (at,), "number", seat=seat, last=players - 1)
