"""The operations of the protocol. To add one, write its function here, and declare it.

Each calls one public function of the library.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Annotated, Any, Final, Literal, TypeAlias, TypeVar

import attrs

from heartsrules.base.extras import needs

with needs("json", "serving"):
    from msgspec import Meta

from heartsrules.apps.serve.declaring import Operation, Result, declare, unknown_key
from heartsrules.base.errors import InvalidRules, InvalidWire, Problem, near_names
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
    placed_at,
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
"""The most legal moves of one answer."""
MOST_WORLDS: Final = 100
"""The most worlds of one answer."""
_STATE: Final = ("state", "view")


def _json(value: object) -> Json:
    try:
        return Json(to_json(value))
    except InvalidWire:
        # The place is in the result; it would be mistaken for one in the request.
        raise InvalidWire((Problem.of("unwritable", ("",), "result"),)) from None


def _each(values: Iterable[object]) -> tuple[Json, ...]:
    return tuple([_json(value) for value in values])


# ------------------------------------------------------------------------------------------------------- examples
#
# One small fixed deal, so that generated files do not change.


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
    """An option of a preset. Its value is a `bool`, one of `choices` (a `choice`), an integer (`int`), or any value of
    this option in a document of rules (`other`), and `null` if it is `optional`."""

    name: str
    kind: Literal["bool", "choice", "int", "other"]
    choices: tuple[Json, ...]
    optional: bool
    default: Json


class PresetEntry(Result, frozen=True):
    """A published rule set. `players` are the numbers of players that it is for, `options` what its source leaves
    open."""

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
    return Presets(
        tuple(
            [
                PresetEntry(each.name, each.source, each.summary, each.players, each.default_players, _offers(each))
                for each in ALL.values()
            ]
        )
    )


def _offers(preset: Preset) -> tuple[OfferedOption, ...]:
    return tuple(
        [
            OfferedOption(
                each.name,
                each.kind,
                tuple([option_json(each.name, value) for value in each.choices]),
                each.optional,
                option_json(each.name, each.default),
            )
            for each in preset.offers
        ]
    )


class RuleSet(Result, frozen=True):
    """A rule set. `rules` leaves the defaults out and is what other requests take; `full` has every option. `deck` are
    all cards in play; `kitty_size` is how many of them are left over in each deal, and `penalty_total` how many penalty
    points there are in all."""

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
    players: Annotated[Count | None, "How many play; if it is not given, the preset's own default."] = None,
    options: Annotated[
        dict[str, Json] | None, "Values for `options` of the preset, by name; if one is not given, its default."
    ] = None,
) -> RuleSet:
    """Make the rule set of a preset."""
    found = ALL.get(name)
    if found is None:
        near = tuple(near_names(name, [*ALL]))
        detail, more = ("preset-near", {"near": near}) if near else ("preset", {})
        raise InvalidWire((Problem.of("foreign-value", ("/name",), detail, value=name, **more),))
    try:
        rules = found(players, **_chosen(found, options or {}))
    except InvalidRules as error:
        # The sentence for Python says which function changes a finished rule set.
        raise InvalidRules(
            [
                attrs.evolve(each, detail="request") if each.code == "unsupported-option" else each
                for each in error.problems
            ]
        ) from None
    return _rule_set(rules)


def _chosen(preset: Preset, given: Mapping[str, Json]) -> dict[str, Any]:
    """Decode the options of a preset."""
    unknown = [
        unknown_key(f"/options{pointer(name)}", name, preset.options, "preset", preset=preset.name)
        for name in given
        if name not in preset.options
    ]
    if unknown:
        raise InvalidWire(unknown)
    try:
        values = read_options({name: bytes(value) for name, value in given.items()})
    except InvalidWire as error:
        raise InvalidWire(placed_at("options", error.problems)) from None
    # The preset compares values itself, but for one of another type it raises `TypeError`.
    offers = [each for each in preset.offers if each.name in values]
    problems = [_misfit(preset, each, values[each.name]) for each in offers if not _fits(each, values[each.name])]
    if problems:
        raise InvalidRules(problems)
    return values


def _fits(option: PresetOption, value: object) -> bool:
    """Return True if a value has the type of an option."""
    if value is None or not option.choices:
        return option.optional or value is not None
    return type(value) in [type(choice) for choice in option.choices]


def _misfit(preset: Preset, option: PresetOption, value: object) -> Problem:
    if not option.choices:
        return Problem.of("wrong-shape", (option.name,), reason="Expected a value, got `null`")
    name, offered = option.name, as_data(option.choices)
    return Problem.of(
        "unsupported-option", (name,), name=name, value=as_data(value), preset=preset.name, offered=offered
    )


@declare(lambda: {"rules": Rules(target=50)})
def _rules(*, rules: Annotated[Rules, "The options that differ from the defaults."]) -> RuleSet:
    """Check a rule set and write its defaults out.

    One that cannot be played is refused with everything that is wrong with it.
    """
    return _rule_set(rules)


class Described(Result, frozen=True):
    """The rule set in sentences, in the order of play."""

    sentences: tuple[str, ...]


@declare(lambda: {"rules": Rules(target=50)})
def _describe(*, rules: Annotated[Rules, "The rule set."]) -> Described:
    """Tell a rule set in sentences."""
    return Described(describe(rules, spoken_language()))


class Catalogue(Result, frozen=True):
    """The patterns of a language by their keys, in ICU MessageFormat, and the languages that there are. A violation is
    told by `violation.<code>`, an event by `event.<code>`, a problem by `problem.<code>` or
    `problem.<code>.<detail>`; their `arguments`, of a request in the same language, fill it."""

    patterns: dict[str, str]
    languages: tuple[str, ...]


@declare(dict)
def _catalogue() -> Catalogue:
    """Give the words of a language, for pages that tell players why a move is refused in words of their own."""
    return Catalogue(dict(catalogue(spoken_language())), languages())


# ------------------------------------------------------------------------------------------------ states and moves


class NewGame(Result, frozen=True):
    """A state: the first deal is to be dealt. `to_act` is empty, because chance is to act."""

    state: AwaitingDealJson
    to_act: tuple[SeatNumber, ...]


@declare(lambda: {"rules": Rules(target=50)})
def _new_game(*, rules: Annotated[Rules, "The rule set."]) -> NewGame:
    """Begin a match."""
    state = new_game(rules)
    return NewGame(_json(state), tuple(sorted(to_act(state))))


class SoFar(Result, frozen=True):
    """What a page shows of a deal and would otherwise have to work out from the view: who would win the trick if it
    ended now, `null` if nobody would; and the penalty points of the captured cards, by seat and by side, as far as the
    seat of the view may count them."""

    winning_seat: SeatNumber | None
    card_points: tuple[Integer, ...]
    side_card_points: tuple[Integer, ...]


def _so_far(seen: View) -> SoFar | None:
    """Of the deal that is played, or was played last; None before its first lead."""
    played = deal_of(seen)
    if played is None:
        return None
    winning = seen.winning_seat if isinstance(seen, PlayingView) else None
    return SoFar(winning, played.card_points, played.side_card_points)


class SeatUpdate(Result, frozen=True):
    """What a seat may know of a move: its redacted events and, if views were asked for, its view and what it has
    `so_far`, otherwise `null`. `seat` is `null` for spectators."""

    seat: SeatNumber | None
    events: EventsJson
    view: ViewJson | None
    so_far: SoFar | None


class Moved(Result, frozen=True):
    """The result of a move: the next state and all events, both for the server alone; an update for each seat in order
    and then for spectators; and the seats that may act now, none if chance is to act or the game is over."""

    move: MoveJson
    state: StateJson
    events: EventsJson
    updates: tuple[SeatUpdate, ...]
    to_act: tuple[SeatNumber, ...]


class Dealt(Moved, frozen=True):
    """The result of a deal: that of a move, and in the next state the cards are to be passed, shown or played."""

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
    seed: Annotated[str | Integer | None, "What the deal follows from, for tests and audits."] = None,
    deal: Annotated[Deal | None, "A deal of your own, to be checked."] = None,
    views: Annotated[bool, "Whether to tell each seat its view too."] = False,
) -> Dealt:
    """Deal the cards, or deal back a pile in the middle.

    Without a seed or a deal, chance comes from the operating system, and nobody can foresee or repeat it. For people,
    give neither.
    """
    return _moved(Dealt, state, _dealt(state, seed) if deal is None else deal, views)


def _dealt(state: State, seed: str | int | None) -> Deal:
    if not chance_to_act(state):
        raise IllegalMove((WrongPhase(state.phase, Phase.DEAL),), None)
    return deal(state) if seed is None else deal(state, seed=seed)


class LegalMoves(Result, frozen=True):
    """Legal moves in the documented order, and how many there are in all. Of deals, which are too many to be counted,
    none are listed, and `total` is `null`."""

    moves: tuple[MoveJson, ...]
    total: Count | None


@declare(lambda: {"state": _playing()}, one_of=_STATE)
def _legal_moves(
    *,
    state: Annotated[State | None, "The state."] = None,
    view: Annotated[View | None, "The view of a seat, in place of the state."] = None,
    seat: Annotated[SeatNumber | None, "Whose moves; if it is not given, those of every seat that may act."] = None,
    offset: Annotated[Count, "How many moves to leave out at the beginning."] = 0,
    limit: Annotated[int, Meta(ge=0, le=MOST_MOVES), "How many moves to list at most."] = 1000,
) -> LegalMoves:
    """List the moves that may be made now."""
    asked = _either(state, view)
    moves = legal_moves(asked, seat)
    if isinstance(moves, DealMoves):
        return LegalMoves((), None)
    # In a browser, where Python has 32 bits, `len` counts no further than they do. JSON can say them all: the most
    # passes that a hand has are 34! / (11! 11! 12!).
    total = moves.__len__()
    return LegalMoves(_each([moves[place] for place in range(offset, min(offset + limit, total))]), total)


def _either(state: State | None, seen: View | None) -> State | View:
    given = seen if state is None else state
    assert given is not None, "the keys of the request have been checked"
    return given


class WhyIllegal(Result, frozen=True):
    """The reasons against a move, in order of precedence. None: it is legal."""

    violations: tuple[ViolationJson, ...]


@declare(lambda: {"state": _playing(), "move": _wrong_play()}, one_of=_STATE)
def _why_illegal(
    *,
    move: Annotated[Move, "The move."],
    state: Annotated[State | None, "The state."] = None,
    view: Annotated[View | None, "The view of a seat, in place of the state."] = None,
) -> WhyIllegal:
    """Say why a move may not be made now.

    Authenticate its seat before you pass the reasons on: of a state, they speak of the cards of that seat.
    """
    return WhyIllegal(_each(why_illegal(_either(state, view), move)))


class JudgedMove(Result, frozen=True):
    """The next state, and what happened in full; both are for the server alone."""

    state: StateJson
    events: EventsJson


@declare(lambda: {"state": _playing(), "move": _next_play()})
def _judge(
    *,
    state: Annotated[State, "The state, whoever wrote it."],
    move: Annotated[Move, "The move."],
    has_full_history: Annotated[bool, "Whether to refuse a state that does not tell its whole history."] = True,
) -> JudgedMove:
    """Judge a move in a state that a stranger may have written.

    An illegal move is refused with its reasons. Of a state that does not tell its whole history a part can only be
    believed; your own states need no such care, and `transition` does not ask for it.
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
    views: Annotated[bool, "Whether to tell each seat its view too."] = False,
) -> Moved:
    """Make a move, and say what each seat may know of it.

    An illegal move is refused with its reasons.
    """
    return _moved(Moved, state, move, views)


# --------------------------------------------------------------------------------------------------------- views


class Seen(Result, frozen=True):
    """What a seat may know. `so_far` is `null` before the first lead of a deal; after a deal it is about that."""

    view: ViewJson
    so_far: SoFar | None


def _view_of(seen: View) -> Seen:
    return Seen(_json(seen), _so_far(seen))


@declare(lambda: {"state": _playing(), "seat": 2})
def _view(
    *, state: Annotated[State, "The state."], seat: Annotated[SeatNumber | None, "Whose view; null: a spectator's."]
) -> Seen:
    """Say what one seat, or a spectator, may know of a state."""
    return _view_of(view_of(state, seat))


class CardReasons(Result, frozen=True):
    """A card of the hand, and why it could not be played, passed or shown now: nothing if it could."""

    card: Annotated[str, Meta(pattern="^[2-9TJQKA][CDSH]$")]
    violations: tuple[ViolationJson, ...]


class Playability(Result, frozen=True):
    """The cards of the hand in card order; one that is held twice comes twice. Where nobody holds cards, none."""

    cards: tuple[CardReasons, ...]


@declare(lambda: {"view": view(_playing(), 2)}, one_of=_STATE)
def _playability(
    *,
    state: Annotated[State | None, "The state; say the seat with it while cards are passed or shown together."] = None,
    view: Annotated[View | None, "The view of a seat, in place of the state."] = None,
    seat: Annotated[SeatNumber | None, "Whose hand; if it is not given, that of the view or of the turn."] = None,
) -> Playability:
    """Say of every card of a hand why it could not be played, passed or shown now, so that a page can dim it."""
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
    events: Annotated[tuple[Event, ...], "The events of that seat since then, in order."],
) -> Seen:
    """Update a view by the events of its seat.

    Everything that the view can work out is compared with what the events say.
    """
    return _view_of(advance(view, events))


class Worlds(Result, frozen=True):
    """Whole states that have the view. They are guesses: nothing of the true state is in them but what the view has."""

    states: tuple[StateJson, ...]


@declare(lambda: {"view": view(_playing(), 2), "seed": 1})
def _sample_world(
    *,
    view: Annotated[View, "The view of a seat or of a spectator."],
    seed: Annotated[str | Integer | None, "Equal seeds give equal worlds; if it is not given, one is drawn."] = None,
    count: Annotated[int, Meta(ge=1, le=MOST_WORLDS), "How many worlds."] = 1,
) -> Worlds:
    """Draw whole states that a view could come from, for bots that must not cheat."""
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
    captured: Annotated[Bags, "By seat, all cards that it won, the kitty with its taker."],
    tricks_won: Annotated[tuple[Count, ...], "By seat, how many tricks it won."],
    totals: Annotated[
        tuple[Integer, ...] | None, "By seat, the totals before; needed where the score depends on them."
    ] = None,
    effect: Annotated[
        Literal["others-up", "shooter-down"] | None, "What a shooter chose, where the rules leave the choice."
    ] = None,
    deal_number: Annotated[Count | None, "The deal, numbered from 0; needed where the score depends on it."] = None,
    exposed: Annotated[Bags | None, "By seat, the cards that it had shown; needed where cards may be shown."] = None,
) -> Scored:
    """Score a finished deal, for apps that keep their own state."""
    chosen = None if effect is None else Moon(effect)
    return Scored(
        _json(score_deal(rules, captured, tricks_won, totals, chosen, deal_number=deal_number, exposed=exposed))
    )


class IllegalMoveFound(Result, frozen=True, tag_field="kind", tag="illegal-move"):
    """A move that the rules refuse: its number, from 0, the number of its deal, that of its trick or `null`, and the
    reasons."""

    move: Count
    deal: Count
    trick: Count | None
    violations: tuple[ViolationJson, ...]
    message: str


class WrongPoints(Result, frozen=True, tag_field="kind", tag="wrong-points"):
    """The points of a deal are not those that the record says; `actual` is `null` if the deal was not finished."""

    deal: Count
    claimed: tuple[Integer, ...]
    actual: tuple[Integer, ...] | None
    message: str


class WrongWinners(Result, frozen=True, tag_field="kind", tag="wrong-winners"):
    """The winners are not those that the record says; `actual` is `null` if the game was not finished."""

    claimed: tuple[Integer, ...]
    actual: tuple[Integer, ...] | None
    message: str


class Verified(Result, frozen=True):
    """What the rules say of a record: what is wrong first, or `null`; how many of its moves are legal, from the first
    on; whether these play the game to its end; and the state that they lead to."""

    valid: bool
    finished: bool
    moves: Count
    failure: IllegalMoveFound | WrongPoints | WrongWinners | None
    state: StateJson


@declare(lambda: {"record": _record()})
def _verify(*, record: Annotated[Record, "The record."]) -> Verified:
    """Judge a record of a game: play its moves, and compare the points and the winners that it gives."""
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
    """The text, or the document of SVG."""

    text: str


@declare(lambda: {"state": _playing()}, one_of=(*_STATE, "record"), places={"": "/record"})
def _render(
    *,
    state: Annotated[State | None, "A state, with every hand."] = None,
    view: Annotated[View | None, "The view of a seat, in place of a state: a diagram or a picture."] = None,
    record: Annotated[Record | None, "A record, in place of a state: notation or a diagram."] = None,
    form: Annotated[
        Literal["notation", "diagram", "svg"],
        "The form: a line, or a game, of notation; a diagram of several lines of text; a picture of the table.",
    ] = "notation",
    first: Annotated[
        SeatNumber | None, "Of a picture, the seat that is drawn below; if it is not given, that of the view, or 0."
    ] = None,
    names: Annotated[
        tuple[str, ...] | None, "Of a picture, by seat, what the players are called; if they are not given, `Seat 0`..."
    ] = None,
    width: Annotated[Count | None, "Of a picture, how wide it is shown, in pixels; if it is not given, 680."] = None,
    dark: Annotated[bool, "Of a picture, whether it is for dark pages."] = False,
) -> Rendered:
    """Write a position or a game as notation or as a diagram that people read, or draw the table.

    What is written of a state, or drawn of it, has every hand: what a player is to see comes from the view. The picture
    is one document of SVG that refers to nothing outside of it.
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
