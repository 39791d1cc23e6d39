"""The operations of the protocol, each based on a public function of the library."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Annotated, Any, Final, Literal, TypeAlias, TypeVar

import attrs

from heartsrules.base.extras import needs

with needs("json", "serving"):
    from msgspec import Meta

from heartsrules.apps.serve.declaring import Operation, Result, declare, under_key, wrong_name
from heartsrules.base.errors import InvalidRules, InvalidWire, Problem
from heartsrules.cards import Cards
from heartsrules.chance import SeededBits
from heartsrules.chance.bits import secret_unless
from heartsrules.formats.notation import format_position, format_record
from heartsrules.formats.wire import to_json
from heartsrules.formats.wire.parts import (
    Bags,
    Count,
    Integer,
    Json,
    SeatNumber,
    component,
    option_json,
    pointer,
    read_options,
    rules_in_full,
    spoken_language,
)
from heartsrules.messages import catalogue, describe, languages
from heartsrules.pictures import svg
from heartsrules.play.dealing import DealMoves, chance_to_act, deal
from heartsrules.play.engine import apply, legal_moves, new_game, to_act, why_illegal, why_illegal_cards
from heartsrules.play.events import Event, redact
from heartsrules.play.game import Record, RefusedMove, ScoreMismatch, verify
from heartsrules.play.moves import Deal, Move, Play
from heartsrules.play.phases import Phase
from heartsrules.play.state import Exposing, Passing, Playing, State
from heartsrules.play.stateless import score_deal
from heartsrules.play.transitions import transition
from heartsrules.play.violations import IllegalMove, Violation, WrongPhase
from heartsrules.rules import HOLD, Moon, Rules, as_data
from heartsrules.rules.presets import ALL, Preset, PresetOption
from heartsrules.views import PlayingView, View, advance, deal_of, view, view_of
from heartsrules.views.worlds import sample_world

RulesJson: TypeAlias = Annotated[Json, component("RulesDocument")]
StateJson: TypeAlias = Annotated[Json, component("State")]
AwaitingDealJson: TypeAlias = Annotated[Json, component("AwaitingDealDocument")]
DealtJson: TypeAlias = Annotated[Json, component("PassingDocument", "ExposingDocument", "PlayingDocument")]
DealJson: TypeAlias = Annotated[Json, component("DealDocument")]
MoveJson: TypeAlias = Annotated[Json, component("Move")]
ViewJson: TypeAlias = Annotated[Json, component("View")]
EventsJson: TypeAlias = Annotated[Json, component("EventsDocument")]
ViolationJson: TypeAlias = Annotated[Json, component("Violation")]
DealScoreJson: TypeAlias = Annotated[Json, component("DealScoreDocument")]

MOST_MOVES: Final = 10_000
"""The limit on legal moves in one answer."""
MOST_WORLDS: Final = 100
"""The limit on worlds in one answer."""
_STATE: Final = ("state", "view")


def _json(value: object) -> Json:
    try:
        return Json(to_json(value))
    except InvalidWire:
        # A place in the result would be mistaken for one in the request.
        raise InvalidWire((Problem.of("unwritable", ("",), "result"),)) from None


def _each(values: Iterable[object]) -> tuple[Json, ...]:
    return tuple([_json(value) for value in values])


# ------------------------------------------------------------------------------------------------------- examples
#
# They use one small fixed deal, so that generated files are stable.


def _start() -> State:
    return new_game(Rules(pass_cycle=(HOLD,), target=None, max_deals=1))


def _playing() -> Playing:
    start = _start()
    state = apply(start, deal(start, seed="protocol"))
    for _ in range(2):
        state = apply(state, legal_moves(state)[0])
    assert isinstance(state, Playing)
    return state


def _next_play() -> Move:
    return legal_moves(_playing())[0]


def _finished() -> dict[str, Any]:
    rules = Rules()
    low, queen = Cards("2H 3H 4H 5H"), Cards("2S 3S AS QS")
    return {"rules": rules, "captured": [queen, low, Cards(), rules.deck - queen - low], "tricks_won": [1, 1, 0, 11]}


def _advancing() -> dict[str, Any]:
    state = _playing()
    moved = transition(state, _next_play())
    return {"view": view(state, 2), "events": redact(moved.events, 2)}


def _record() -> Record:
    state: State = _start()
    moves: list[Move] = [deal(_start(), seed="protocol")]
    for _ in range(6):
        state = apply(state, moves[-1])
        moves.append(legal_moves(state)[0])
    return Record(rules=state.rules, moves=moves[:-1], tags=[("Event", "club night")])


def _wrong_play() -> Move:
    state = _playing()
    plays = [Play(state.turn, card) for card in state.hands[state.turn]]
    return next(play for play in plays if why_illegal(state, play))


# ---------------------------------------------------------------------------------------------------- rule sets


class OfferedOption(Result, frozen=True):
    """An option of a preset.

    Its value is a `bool`, one of `choices` (a `choice`), an integer (`int`), or any value of this option in a document
    of rules (`other`), and `null` if it is `optional`.
    """

    name: str
    kind: Literal["bool", "choice", "int", "other"]
    choices: tuple[Json, ...]
    optional: bool
    default: Json


class PresetEntry(Result, frozen=True):
    """A published rule set.

    `players` are its possible numbers of players, `options` the choices left open by its source.
    """

    name: str
    source: str
    summary: str
    players: tuple[Count, ...]
    default_players: Count
    options: tuple[OfferedOption, ...]


class Presets(Result, frozen=True):
    """The presets, in the order of their sources."""

    presets: tuple[PresetEntry, ...]


@declare(dict)
def _presets() -> Presets:
    """List the published rule sets that have a name."""
    return Presets(tuple(map(_entry, ALL.values())))


def _entry(each: Preset) -> PresetEntry:
    offers = tuple(map(_offered, each.offers))
    return PresetEntry(each.name, each.source, each.summary, each.players, each.default_players, offers)


def _offered(each: PresetOption) -> OfferedOption:
    choices = tuple([option_json(each.name, value) for value in each.choices])
    return OfferedOption(each.name, each.kind, choices, each.optional, option_json(each.name, each.default))


class RuleSet(Result, frozen=True):
    """A rule set.

    `rules` omits the defaults, as in other requests; `full` has every option. `deck` are all cards in play;
    `kitty_size` is the number of cards left over in each deal, and `penalty_total` the total of all penalty points.
    """

    rules: RulesJson
    full: RulesJson
    deck: Cards
    cards_per_hand: Count
    kitty_size: Count
    penalty_total: Integer


def _rule_set(rules: Rules) -> RuleSet:
    return RuleSet(
        _json(rules),
        Json(rules_in_full(rules)),
        rules.deck,
        rules.cards_per_hand,
        rules.kitty_size,
        rules.penalty_total,
    )


_OPTIONS: Final = {option: f"/options/{option}" for preset in ALL.values() for option in preset.options}


@declare(lambda: {"name": "leekha", "options": {"target": 151, "teams": 0}}, places={"": "/name", **_OPTIONS})
def _preset(
    *,
    name: Annotated[str, "The name of the preset."],
    players: Annotated[Count | None, "The number of players; defaults to the preset's own."] = None,
    options: Annotated[
        dict[str, Json] | None, "Values for `options` of the preset, by name; others keep their defaults."
    ] = None,
) -> RuleSet:
    """Make the rule set of a preset."""
    found = ALL.get(name)
    if found is None:
        raise InvalidWire([wrong_name("foreign-value", "/name", name, ALL, "preset", value=name)])
    try:
        rules = found(players, **_chosen(found, options or {}))
    except InvalidRules as error:
        # Python's message names a function that changes a finished rule set.
        raise InvalidRules(
            [
                attrs.evolve(each, detail="request") if each.code == "unsupported-option" else each
                for each in error.problems
            ]
        ) from None
    return _rule_set(rules)


def _chosen(preset: Preset, given: Mapping[str, Json]) -> dict[str, Any]:
    unknown = [
        wrong_name("unknown-key", f"/options{pointer(name)}", name, preset.options, "preset", preset=preset.name)
        for name in given
        if name not in preset.options
    ]
    if unknown:
        raise InvalidWire(unknown)
    with under_key("options"):
        values = read_options({name: bytes(value) for name, value in given.items()})
    # The preset checks values itself, but raises `TypeError` for another type.
    offers = [each for each in preset.offers if each.name in values]
    problems = [_misfit(preset, each, values[each.name]) for each in offers if not _fits(each, values[each.name])]
    if problems:
        raise InvalidRules(problems)
    return values


def _fits(option: PresetOption, value: object) -> bool:
    if value is None or not option.choices:
        return option.optional or value is not None
    return type(value) in [type(choice) for choice in option.choices]


def _misfit(preset: Preset, option: PresetOption, value: object) -> Problem:
    if not option.choices:
        return Problem.of("wrong-shape", (option.name,), "null")
    name, offered = option.name, as_data(option.choices)
    return Problem.of(
        "unsupported-option", (name,), name=name, value=as_data(value), preset=preset.name, offered=offered
    )


@declare(lambda: {"rules": Rules(target=50)})
def _rules(*, rules: Annotated[Rules, "The options that differ from the defaults."]) -> RuleSet:
    """Check a rule set and write all of its options.

    A rule set that cannot be played is refused with all of its problems.
    """
    return _rule_set(rules)


class Described(Result, frozen=True):
    """A rule set in sentences, in the order of play."""

    sentences: tuple[str, ...]


@declare(lambda: {"rules": Rules(target=50)})
def _describe(*, rules: Annotated[Rules, "The rule set."]) -> Described:
    """Describe a rule set in sentences."""
    return Described(describe(rules, spoken_language()))


class Catalogue(Result, frozen=True):
    """A language's patterns by key, in ICU MessageFormat, and the available languages.

    Violations use `violation.<code>`, events `event.<code>`, and problems `problem.<code>` or
    `problem.<code>.<detail>`, filled with their `arguments` from a request in the same language.
    """

    patterns: dict[str, str]
    languages: tuple[str, ...]


@declare(dict)
def _catalogue() -> Catalogue:
    """Return the messages of a language, for pages that explain refusals themselves."""
    return Catalogue(dict(catalogue(spoken_language())), languages())


# ------------------------------------------------------------------------------------------------ states and moves


class NewGame(Result, frozen=True):
    """A state that waits for the first deal.

    `to_act` is empty, because it is chance's turn.
    """

    state: AwaitingDealJson
    to_act: tuple[SeatNumber, ...]


@declare(lambda: {"rules": Rules(target=50)})
def _new_game(*, rules: Annotated[Rules, "The rule set."]) -> NewGame:
    """Start a match."""
    state = new_game(rules)
    return NewGame(_json(state), tuple(sorted(to_act(state))))


class SoFar(Result, frozen=True):
    """Derived facts about a deal.

    They are the seat that would win the trick if it ended now, or `null` if no seat would, and the penalty points of
    the captured cards known to the view's seat, by seat and by side.
    """

    winning_seat: SeatNumber | None
    card_points: tuple[Integer, ...]
    side_card_points: tuple[Integer, ...]


def _so_far(seen: View) -> SoFar | None:
    played = deal_of(seen)
    if played is None:
        return None
    winning = seen.winning_seat if isinstance(seen, PlayingView) else None
    return SoFar(winning, played.card_points, played.side_card_points)


class SeatUpdate(Result, frozen=True):
    """A seat's view of a move.

    It has the redacted events and, if views were requested, the view and `so_far`, otherwise `null`. `seat` is `null`
    for spectators.
    """

    seat: SeatNumber | None
    events: EventsJson
    view: ViewJson | None
    so_far: SoFar | None


class Moved(Result, frozen=True):
    """The result of a move.

    The next state and all events are for the server only. Each seat, in order, and then spectators have an update.
    `to_act` are the seats that can act now, empty if it is chance's turn or the game is over.
    """

    move: MoveJson
    state: StateJson
    events: EventsJson
    updates: tuple[SeatUpdate, ...]
    to_act: tuple[SeatNumber, ...]


class Dealt(Moved, frozen=True):
    """The result of a deal, as for a move.

    In the next state, players pass, expose or play cards.
    """

    move: DealJson
    state: DealtJson


M = TypeVar("M", bound=Moved)


def _moved(result: type[M], state: State, move: Move, views: bool) -> M:
    moved = transition(state, move)
    after = moved.state
    updates: list[SeatUpdate] = []
    for seat in (*range(after.rules.players), None):
        seen = view_of(after, seat) if views else None
        told = (None, None) if seen is None else (_json(seen), _so_far(seen))
        updates.append(SeatUpdate(seat, _json(redact(moved.events, seat)), *told))
    return result(_json(move), _json(after), _json(moved.events), tuple(updates), tuple(sorted(to_act(after))))


@declare(lambda: {"state": _start(), "seed": "protocol"}, not_both=("seed", "deal"), places={"move": "/deal"})
def _deal(
    *,
    state: Annotated[State, "The state before the deal, or before a pile in the middle is dealt back."],
    seed: Annotated[str | Integer | None, "A seed that determines the deal, for tests and audits."] = None,
    deal: Annotated[Deal | None, "Your own deal, which is checked."] = None,
    views: Annotated[bool, "True to include each seat's view."] = False,
) -> Dealt:
    """Deal the cards, or deal back a pile in the middle.

    Without a seed or a deal, chance comes from the operating system and cannot be predicted or repeated. For people,
    give neither.
    """
    return _moved(Dealt, state, _dealt(state, seed) if deal is None else deal, views)


def _dealt(state: State, seed: str | int | None) -> Deal:
    if not chance_to_act(state):
        raise IllegalMove((WrongPhase(state.phase, Phase.DEAL),), None)
    return deal(state) if seed is None else deal(state, seed=seed)


class LegalMoves(Result, frozen=True):
    """Legal moves in the documented order, and their total.

    Deals, which are too many to count, are not listed, and their `total` is `null`.
    """

    moves: tuple[MoveJson, ...]
    total: Count | None


@declare(lambda: {"state": _playing()}, one_of=_STATE)
def _legal_moves(
    *,
    state: Annotated[State | None, "The state."] = None,
    view: Annotated[View | None, "A seat's view instead of the state."] = None,
    seat: Annotated[SeatNumber | None, "The seat of the moves; defaults to every seat that can act."] = None,
    offset: Annotated[Count, "The number of moves to skip at the beginning."] = 0,
    limit: Annotated[int, Meta(ge=0, le=MOST_MOVES), "The maximum number of moves."] = 1000,
) -> LegalMoves:
    """List the legal moves."""
    asked = _either(state, view)
    moves = legal_moves(asked, seat)
    if isinstance(moves, DealMoves):
        return LegalMoves((), None)
    # In a browser, where Python has 32 bits, `len` has a lower limit than JSON: the most
    # passes that a hand has are 34! / (11! 11! 12!).
    total = moves.__len__()
    return LegalMoves(_each([moves[place] for place in range(offset, min(offset + limit, total))]), total)


def _either(state: State | None, seen: View | None) -> State | View:
    given = seen if state is None else state
    assert given is not None, "the keys of the request have been checked"
    return given


class WhyIllegal(Result, frozen=True):
    """The move's violations, in order of precedence.

    Empty if it is legal.
    """

    violations: tuple[ViolationJson, ...]


@declare(lambda: {"state": _playing(), "move": _wrong_play()}, one_of=_STATE)
def _why_illegal(
    *,
    move: Annotated[Move, "The move."],
    state: Annotated[State | None, "The state."] = None,
    view: Annotated[View | None, "A seat's view instead of the state."] = None,
) -> WhyIllegal:
    """Explain why a move is illegal now.

    Authenticate its seat before you forward the reasons: those from a state mention the cards of that seat.
    """
    return WhyIllegal(_each(why_illegal(_either(state, view), move)))


class JudgedMove(Result, frozen=True):
    """The next state and the full events, both for the server only."""

    state: StateJson
    events: EventsJson


@declare(lambda: {"state": _playing(), "move": _next_play()})
def _judge(
    *,
    state: Annotated[State, "The state, from any source."],
    move: Annotated[Move, "The move."],
    has_full_history: Annotated[bool, "True to refuse a state without its full history."] = True,
) -> JudgedMove:
    """Judge a move in a state from an untrusted source.

    An illegal move is refused with its violations. Parts of a state without its full history cannot be verified; for
    your own states use `transition`, which does not require it.
    """
    if has_full_history and not state.has_full_history:
        raise InvalidWire((Problem.of("not-whole", ("/state/has_full_history",), "request"),))
    moved = transition(state, move)
    return JudgedMove(_json(moved.state), _json(moved.events))


@declare(lambda: {"state": _playing(), "move": _next_play()})
def _transition(
    *,
    state: Annotated[State, "The state before the move."],
    move: Annotated[Move, "The move."],
    views: Annotated[bool, "True to include each seat's view."] = False,
) -> Moved:
    """Make a move, and return every seat's view of it.

    An illegal move is refused with its violations.
    """
    return _moved(Moved, state, move, views)


# --------------------------------------------------------------------------------------------------------- views


class Seen(Result, frozen=True):
    """A seat's view.

    `so_far` is `null` before the first lead of a deal; after a deal it refers to that deal.
    """

    view: ViewJson
    so_far: SoFar | None


def _view_of(seen: View) -> Seen:
    return Seen(_json(seen), _so_far(seen))


@declare(lambda: {"state": _playing(), "seat": 2})
def _view(
    *,
    state: Annotated[State, "The state."],
    seat: Annotated[SeatNumber | None, "The seat of the view, or null for a spectator."],
) -> Seen:
    """Return the view of one seat, or a spectator."""
    return _view_of(view_of(state, seat))


class CardReasons(Result, frozen=True):
    """A card of the hand, and why it is illegal to play, pass or expose now."""

    card: Annotated[str, Meta(pattern="^[2-9TJQKA][CDSH]$")]
    violations: tuple[ViolationJson, ...]


class Playability(Result, frozen=True):
    """The cards of the hand in card order, twice if there are two copies.

    Empty if no seat holds cards.
    """

    cards: tuple[CardReasons, ...]


@declare(lambda: {"view": view(_playing(), 2)}, one_of=_STATE)
def _playability(
    *,
    state: Annotated[State | None, "The state; needs `seat` while players pass, or expose cards at once."] = None,
    view: Annotated[View | None, "A seat's view instead of the state."] = None,
    seat: Annotated[SeatNumber | None, "The seat of the hand; defaults to the view's seat or the seat to play."] = None,
) -> Playability:
    """Explain for each card of a hand why it is illegal now, for dimming it."""
    asked = _either(state, view)
    together = isinstance(asked, Passing) or (isinstance(asked, Exposing) and len(asked.to_act) > 1)
    if seat is None and together:
        raise InvalidWire((Problem.of("missing-key", ("/seat",), "whose-hand"),))
    found = why_illegal_cards(asked, seat)
    return Playability(tuple([CardReasons(str(card), _each(reasons)) for card, reasons in found]))


@declare(_advancing, places={"before": "/view", "events": "/events/events"})
def _advance(
    *,
    view: Annotated[View, "A view of any seat."],
    events: Annotated[tuple[Event, ...], "That seat's later events, in order."],
) -> Seen:
    """Update a view with its seat's events.

    The events are checked against everything that the view implies.
    """
    return _view_of(advance(view, events))


class Worlds(Result, frozen=True):
    """Complete states that have the view.

    They are guesses: they contain nothing of the true state except the view.
    """

    states: tuple[StateJson, ...]


@declare(lambda: {"view": view(_playing(), 2), "seed": 1})
def _sample_world(
    *,
    view: Annotated[View, "The view of a seat or of a spectator."],
    seed: Annotated[str | Integer | None, "A seed that determines the worlds; defaults to a random one."] = None,
    count: Annotated[int, Meta(ge=1, le=MOST_WORLDS), "The number of worlds."] = 1,
) -> Worlds:
    """Draw complete states that are possible for a view, for bots that must not cheat."""
    rng = secret_unless(None if seed is None else SeededBits(seed, "protocol"))
    return Worlds(_each([sample_world(view, rng) for _ in range(count)]))


# ------------------------------------------------------------------------------------------------ scores and records


class Scored(Result, frozen=True):
    """The row of the score sheet."""

    score: DealScoreJson


@declare(_finished)
def _score_deal(
    *,
    rules: Annotated[Rules, "The rule set."],
    captured: Annotated[Bags, "Each seat's captured cards, including the kitty."],
    tricks_won: Annotated[tuple[Count, ...], "Each seat's number of tricks."],
    totals: Annotated[
        tuple[Integer, ...] | None, "Each seat's total before the deal; needed if the score depends on it."
    ] = None,
    effect: Annotated[
        Literal["others-up", "shooter-down"] | None, "The shooter's choice, if the rules have one."
    ] = None,
    deal_number: Annotated[Count | None, "The number of the deal, from 0; needed if the score depends on it."] = None,
    exposed: Annotated[Bags | None, "Each seat's exposed cards; needed if the rules allow exposing."] = None,
) -> Scored:
    """Score a finished deal, for apps that store their own state."""
    chosen = None if effect is None else Moon(effect)
    return Scored(
        _json(score_deal(rules, captured, tricks_won, totals, chosen, deal_number=deal_number, exposed=exposed))
    )


class IllegalMoveFound(Result, frozen=True, tag_field="kind", tag="illegal-move"):
    """The first illegal move, with its number, its deal's, and its trick's or `null`."""

    move: Count
    deal: Count
    trick: Count | None
    violations: tuple[ViolationJson, ...]
    message: str


class WrongPoints(Result, frozen=True, tag_field="kind", tag="wrong-points"):
    """A deal's points differ from those in the record.

    `actual` is `null` if the deal was not finished.
    """

    deal: Count
    claimed: tuple[Integer, ...]
    actual: tuple[Integer, ...] | None
    message: str


class WrongWinners(Result, frozen=True, tag_field="kind", tag="wrong-winners"):
    """The winners differ from those in the record.

    `actual` is `null` if the game was not finished.
    """

    claimed: tuple[Integer, ...]
    actual: tuple[Integer, ...] | None
    message: str


class Verified(Result, frozen=True):
    """The verdict on a record.

    It has the first error, or `null`, the number of legal moves before it, whether they finish the game, and the state
    after them.
    """

    valid: bool
    finished: bool
    moves: Count
    failure: IllegalMoveFound | WrongPoints | WrongWinners | None
    state: StateJson


@declare(lambda: {"record": _record()})
def _verify(*, record: Annotated[Record, "The record."]) -> Verified:
    """Verify the moves, points and winners of a record."""
    verdict = verify(record)
    return Verified(verdict.valid, verdict.finished, verdict.plies, _failure(verdict.failure), _json(verdict.state))


def _failure(failure: RefusedMove | ScoreMismatch | None) -> IllegalMoveFound | WrongPoints | WrongWinners | None:
    if failure is None:
        return None
    if isinstance(failure, RefusedMove):
        reasons: tuple[Violation, ...] = failure.violations
        return IllegalMoveFound(failure.index, failure.deal, failure.trick, _each(reasons), str(failure))
    if failure.deal is None:
        return WrongWinners(failure.claimed, failure.actual, str(failure))
    return WrongPoints(failure.deal, failure.claimed, failure.actual, str(failure))


class Rendered(Result, frozen=True):
    """The text, or the SVG document."""

    text: str


@declare(lambda: {"state": _playing()}, one_of=(*_STATE, "record"), places={"": "/record"})
def _render(
    *,
    state: Annotated[State | None, "A state, with every hand."] = None,
    view: Annotated[View | None, "A seat's view instead of a state, for a diagram or a picture."] = None,
    record: Annotated[Record | None, "A record instead of a state, for notation or a diagram."] = None,
    form: Annotated[
        Literal["notation", "diagram", "svg"],
        "The form: a line or a game of notation, a diagram of several lines of text, or a picture of the table.",
    ] = "notation",
    first: Annotated[SeatNumber | None, "A picture's seat at the bottom; defaults to the view's seat or 0."] = None,
    names: Annotated[
        tuple[str, ...] | None, "A picture's names of the players, by seat; default to `Seat 0` and so on."
    ] = None,
    width: Annotated[Count | None, "A picture's width in pixels; defaults to 680."] = None,
    dark: Annotated[bool, "True to draw a picture for dark pages."] = False,
) -> Rendered:
    """Write a position or a game as notation or as a diagram, or draw the table.

    The text or picture of a state has every hand, so use the view for a player. The picture is a single SVG document
    without external references.
    """
    asked = record if state is None and view is None else _either(state, view)
    assert asked is not None, "the keys of the request have been checked"
    if form != "svg":
        for name, value in (("first", first), ("names", names), ("width", width), ("dark", dark or None)):
            if value is not None:
                raise InvalidWire((Problem.of("excluded-key", (f"/{name}",), "picture"),))
    if form == "diagram":
        return Rendered(str(asked))
    if form == "svg":
        if isinstance(asked, Record):
            raise InvalidWire((Problem.of("foreign-value", ("/form",), "picture-of-record"),))
        colours = svg.DARK if dark else svg.LIGHT
        return Rendered(str(svg.table(asked, first=first, names=names, width=width, colours=colours)))
    if isinstance(asked, Record):
        return Rendered(format_record(asked))
    if not isinstance(asked, State):
        raise InvalidWire((Problem.of("foreign-value", ("/form",), "notation-of-view"),))
    return Rendered(format_position(asked))


OPERATIONS: Final[Mapping[str, Operation]] = MappingProxyType(
    {each.name: each for each in tuple(vars().values()) if isinstance(each, Operation)}
)
"""The operations by name, in the order of the reference."""
