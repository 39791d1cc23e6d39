"""The documents as msgspec types, which alone declare their keys and their order.

msgspec also generates their JSON Schema. A key is named after its attribute: in a state, of `Setup`; in a view, of the
view or its parts. Objects of a union have a tag: `phase` for states and views, `move` for moves, `code` for events and
violations.
"""

from __future__ import annotations

import inspect
import types
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Annotated, Any, Final, Literal, TypeAlias, Union, get_args, get_origin, get_type_hints

import attrs
import msgspec
from msgspec import UNSET, Meta, UnsetType

from heartsrules.base.errors import Problem
from heartsrules.cards import Card, Cards, Suit
from heartsrules.formats.wire._texts import LONGEST
from heartsrules.play.events import Event, ExposureCommitted, PassCommitted
from heartsrules.play.moves import ChooseMoon, Deal, Expose, Pass, Play
from heartsrules.play.sheet import DealScore
from heartsrules.play.violations import PRECEDENCE
from heartsrules.rules import MAX_FACTOR, HeartValues, Kind, Moon, Option, Rules

VERSION: Final = 1
"""The version of the document format."""

MAX_INTEGER: Final = 2**53 - 1
"""The largest absolute value of an integer, because JavaScript rounds larger ones."""


Version: TypeAlias = Annotated[Literal[1], Meta(description="The version of the format.")]
Integer: TypeAlias = Annotated[int, Meta(ge=-MAX_INTEGER, le=MAX_INTEGER)]
Count: TypeAlias = Annotated[int, Meta(ge=0, le=MAX_INTEGER)]
SeatNumber: TypeAlias = Annotated[int, Meta(ge=0, le=10, description="A seat, clockwise from 0.")]
Letter: TypeAlias = Annotated[Literal["C", "D", "S", "H"], Meta(description="A suit.")]
Gifts: TypeAlias = tuple[Cards, ...]
Passes: TypeAlias = tuple[Gifts | None, ...]
"""Each seat's passed cards, one item per recipient."""
Plays: TypeAlias = tuple[Card, ...]
"""The cards of a trick, the leader's first."""
Suits: TypeAlias = tuple[Letter, ...]
Effect: TypeAlias = Literal["others-up", "shooter-down", "both", "others-pay", "shooter-to-zero", "shooter-wins"]
Seats: TypeAlias = tuple[SeatNumber, ...]
"""Seats in rising order."""
Totals: TypeAlias = tuple[Integer, ...]
Counts: TypeAlias = tuple[Count, ...]

_CARD: Final = "[2-9TJQKA][CDSH]"


# No object is in a cycle, so garbage collection skips them.
class Wire(msgspec.Struct, frozen=True, forbid_unknown_fields=True, gc=False):
    """The base of all objects, which refuses unknown keys."""


class Document(Wire, frozen=True):
    """The base of all documents."""

    heartsrules: Version


def schema_of_custom(kind: type) -> dict[str, Any]:
    if kind is Card:
        return {"type": "string", "pattern": f"^{_CARD}$", "description": "A card: rank, then suit."}
    return {
        "type": "string",
        "pattern": f"^({_CARD}( {_CARD})*)?$",
        "maxLength": LONGEST,
        "description": "Cards separated by single spaces, written in the order C D S H, 2 to A.",
    }


# ------------------------------------------------------------------------------------------ derived from classes


_Scalar: TypeAlias = bool | Integer | str | None
PROBLEM_PARAMS: Final = "The problem's parameters by name; omitted if empty."
Arguments: TypeAlias = Annotated[
    dict[str, str | int],
    Meta(description="The arguments of the catalogue's pattern, in the language of the message; omitted if empty."),
]
PROBLEM_DETAIL: Final = "The variant of the message, if the code has several."


class ProblemWire(Wire, frozen=True, omit_defaults=True):
    """A problem of an argument or a document."""

    code: str
    fields: tuple[str, ...]
    message: str
    params: Annotated[
        dict[str, _Scalar | tuple[_Scalar | tuple[_Scalar, ...], ...]], Meta(description=PROBLEM_PARAMS)
    ] = {}
    detail: Annotated[str, Meta(description=PROBLEM_DETAIL)] = ""
    arguments: Arguments = {}


class DealScoreWire(Wire, frozen=True):
    """The result of one deal, a row of the score sheet.

    Arrays have one item per seat. `queen_taker` is the seat that captured the ♠Q, or null if none did or not exactly
    one ♠Q is in play. `exposed` are each seat's exposed cards, empty if none may be.
    """

    points: Totals
    card_points: Counts
    shooter: SeatNumber | None
    effect: Effect | None
    sun: bool
    tricks_won: Counts
    totals: Totals
    queen_taker: SeatNumber | None
    exposed: tuple[Cards, ...]


_TYPES: Final[dict[Any, Any]] = {int: Integer, Suit: Letter, Problem: ProblemWire, DealScore: DealScoreWire}


def wire_type(hint: Any) -> Any:
    if hint in _TYPES:
        return _TYPES[hint]
    origin: Any = get_origin(hint)
    parts = tuple(arg if arg is Ellipsis else wire_type(arg) for arg in get_args(hint))
    if origin is tuple:
        return types.GenericAlias(tuple, parts)
    return union(parts) if origin in (Union, types.UnionType) else hint


def _struct(
    name: str, fields: Iterable[tuple[Any, ...]], description: str | None, base: type[Wire] = Wire, **tags: Any
) -> type[msgspec.Struct]:
    return msgspec.defstruct(
        name, fields, bases=(base,), frozen=True, module=__name__, namespace={"__doc__": description}, **tags
    )


def _tags_of(wire: type[msgspec.Struct]) -> dict[str, Any]:
    config = wire.__struct_config__
    return {"tag_field": config.tag_field, "tag": config.tag, "omit_defaults": config.omit_defaults}


_ARGUMENTS: Final[tuple[Any, ...]] = ("arguments", Arguments, msgspec.field(default_factory=dict))
"""The key of events and violations with the arguments for other ICU MessageFormat libraries."""


def _flat(kind: type, tag: str, more: Iterable[tuple[str, Any]] = ()) -> type[msgspec.Struct]:
    """Derive the class of JSON objects for an attrs class with a code."""
    hints = get_type_hints(kind)
    fields: list[tuple[Any, ...]] = [(field.name, wire_type(hints[field.name])) for field in attrs.fields(kind)]
    fields = [*fields, *more, _ARGUMENTS]
    return _struct(
        f"{kind.__name__}Wire", fields, _first_paragraph(kind), tag_field="code", tag=tag, omit_defaults=True
    )


def _first_paragraph(kind: type) -> str:
    return " ".join(inspect.cleandoc(kind.__doc__ or "").partition("\n\n")[0].split())


def document_of(part: type[msgspec.Struct], kind: str) -> type[msgspec.Struct]:
    fields: list[tuple[Any, ...]] = []
    for field in msgspec.structs.fields(part):
        default: tuple[Any, ...] = () if field.default is msgspec.NODEFAULT else (field.default,)
        if field.default_factory is not msgspec.NODEFAULT:
            default = (msgspec.field(default_factory=field.default_factory),)
        fields.append((field.name, field.type, *default))
    start = [("heartsrules", Version), ("kind", Literal[kind])]
    return _struct(f"{part.__name__.removesuffix('Wire')}Document", [*start, *fields], part.__doc__, **_tags_of(part))


def union(members: Iterable[Any]) -> Any:
    return Union[tuple(members)]  # noqa: UP007


def _bounded(least: int, most: int) -> Any:
    """Return the type of ints with bounds that only the schema states.

    `Rules` enforces them, with better messages.
    """
    return Annotated[int, Meta(extra_json_schema={"minimum": least, "maximum": most})]


def _number(option: Option) -> Any:
    choices = option.choices
    if choices and choices == tuple(range(choices[0], choices[-1] + 1)):
        return Annotated[int, Meta(ge=choices[0], le=choices[-1])]
    if choices:
        return Literal[choices]
    most = MAX_INTEGER if option.most is None else option.most
    return _bounded(-most if option.least is None else option.least, most)


_NUMBER_OF: Final = {
    option.name: _number(option) for option in Rules.OPTIONS if option.kind in (Kind.BONUSES, Kind.DOUBLER)
}
if TYPE_CHECKING:
    BonusPoints: TypeAlias = int
    Factor: TypeAlias = int
    Alone: TypeAlias = int
else:
    BonusPoints = _NUMBER_OF["bonuses"]
    Factor = _bounded(2, MAX_FACTOR)
    Alone = _NUMBER_OF["doubler"]


class BonusWire(Wire, frozen=True):
    """A card whose points are subtracted from its taker's score."""

    card: Card
    points: BonusPoints


class DoublerWire(Wire, frozen=True):
    """A card that multiplies its taker's score.

    If the taker has no scoring card, `alone` is subtracted instead.
    """

    card: Card
    factor: Factor
    alone: Alone


def _tuple(*parts: Any, **bounds: Any) -> Any:
    kind = types.GenericAlias(tuple, parts)
    return Annotated[kind, Meta(**bounds)] if bounds else kind


def _heart_values(option: Option) -> Any:
    return HeartValues | _tuple(_number(option), ..., min_length=13, max_length=13)


def _pass_cycle(option: Option) -> Any:
    gift = _tuple(Integer | Literal["across"], Integer)
    return _tuple(_tuple(gift, ..., max_length=10), ..., max_length=option.entries)


_OPTIONS: Final[dict[Kind, Callable[[Option], Any]]] = {
    Kind.BOOL: lambda _: bool,
    Kind.INT: _number,
    Kind.CHOICE: lambda option: type(option.default),
    Kind.CARDS: lambda _: Cards,
    Kind.PASS_CYCLE: _pass_cycle,
    Kind.HEART_VALUES: _heart_values,
    Kind.CARD_POINTS: lambda option: _tuple(_tuple(Card, _number(option)), ..., max_length=52),
    Kind.BONUSES: lambda _: _tuple(BonusWire, ..., max_length=52),
    Kind.DOUBLER: lambda _: DoublerWire,
    Kind.TOTALS: lambda option: _tuple(_tuple(_number(option), _number(option)), ..., max_length=option.entries),
}
"""The type of an option in a document, by its kind."""


def _rules_wire() -> Any:
    fields: list[tuple[str, Any, Any]] = []
    for option in Rules.OPTIONS:
        kind = _OPTIONS[option.kind](option)
        described: Any = Annotated[union((kind, None)) if option.optional else kind, Meta(description=option.sentence)]
        fields.append((option.name, union((described, UnsetType)), UNSET))
    return _struct(
        "RulesWire", fields, "A rule set: the options that differ from the defaults for that count of players."
    )


RULES: Final = _rules_wire()
RulesDocument: Any = document_of(RULES, "rules")
DealScoreDocument: Any = document_of(DealScoreWire, "deal-score")

# ---------------------------------------------------------------------------------------------------------- moves


class DealWire(Wire, frozen=True, tag_field="move", tag="deal"):
    """The chance move that deals each seat's hand and the kitty.

    After a pass through the middle, a second one deals the pile back, without a kitty.
    """

    hands: tuple[Cards, ...]
    kitty: Cards


class PassWire(Wire, frozen=True, tag_field="move", tag="pass"):
    """A seat's pass, with the cards for each recipient.

    `cards` is empty if the seat declines.
    """

    seat: Integer
    cards: Gifts


class ExposeWire(Wire, frozen=True, tag_field="move", tag="expose"):
    """A seat exposes cards of its hand, or none, before the first lead."""

    seat: Integer
    cards: Cards


class PlayWire(Wire, frozen=True, tag_field="move", tag="play"):
    """A seat plays a card."""

    seat: Integer
    card: Card


class ChooseMoonWire(Wire, frozen=True, tag_field="move", tag="choose-moon"):
    """The shooter chooses the effect of the moon."""

    seat: Integer
    effect: Moon


MOVES: Final[dict[type, type[msgspec.Struct]]] = {
    Deal: DealWire,
    Pass: PassWire,
    Expose: ExposeWire,
    Play: PlayWire,
    ChooseMoon: ChooseMoonWire,
}
AnyMove: TypeAlias = DealWire | PassWire | ExposeWire | PlayWire | ChooseMoonWire

# ----------------------------------------------------------------------------------------- events and violations

EVENTS: Final[dict[type, type[msgspec.Struct]]] = {
    kind: _flat(kind, kind.code) for kind in get_args(Event) if kind not in (PassCommitted, ExposureCommitted)
}


for _event, _cards, _said in (
    (PassCommitted, Gifts, "A seat committed its pass."),
    (ExposureCommitted, Cards, "A seat decided which cards it exposes, if all seats expose at once."),
):
    EVENTS[_event] = _struct(
        f"{_event.__name__}Wire",
        [("seat", Integer), ("cards", _cards), _ARGUMENTS],
        _said,
        tag_field="code",
        tag=_event.code,
        omit_defaults=True,
    )

_MESSAGE: Final = "The reason in words, in English unless another language was requested."
VIOLATIONS: Final[dict[type, type[msgspec.Struct]]] = {
    kind: _flat(kind, kind.code, [("message", Annotated[str, Meta(description=_MESSAGE)])]) for kind in PRECEDENCE
}
if TYPE_CHECKING:
    RulesWire: TypeAlias = Any
    AnyEvent: TypeAlias = Any
    AnyViolation: TypeAlias = Any
else:
    RulesWire = RULES
    AnyEvent = union(EVENTS.values())
    AnyViolation = union(VIOLATIONS.values())


class EventsDocument(Document, frozen=True):
    """Events in order of occurrence."""

    kind: Literal["events"]
    events: tuple[AnyEvent, ...]


# --------------------------------------------------------------------------------------------------------- states


class TrickWire(Wire, frozen=True):
    """A completed trick.

    `plays` are its cards, the leader's first. `winner` is null if no seat won it and it was set aside.
    """

    leader: SeatNumber
    plays: Plays
    winner: SeatNumber | None


class MidDealPositionWire(Wire, frozen=True):
    """A deal's position before its first recorded trick.

    Arrays have one item per seat. `suits_led` are the suits led in the earlier tricks, which matters only for exposed
    cards.
    """

    leader: SeatNumber
    captured: tuple[Cards, ...]
    tricks_won: tuple[Count, ...] | None
    set_aside: Cards
    kitty_winner: SeatNumber | None
    hearts_broken: bool | None
    suits_led: Suits


class FinishedDealWire(Wire, frozen=True, omit_defaults=True):
    """A finished deal.

    `passes` are each seat's passed cards, and `exposed` its exposed cards, empty if there are none. `resumed_from` is
    null if all tricks are recorded. `dealt_back`, present only after a pass through the middle, are the cards dealt
    back to each seat.
    """

    kitty: Cards
    passes: Passes
    exposed: tuple[Cards, ...]
    tricks: tuple[TrickWire, ...]
    resumed_from: MidDealPositionWire | None
    dealt_back: tuple[Cards, ...] = ()


class StateDocument(Document, frozen=True, tag_field="phase"):
    """The base of the states.

    `has_full_history` is false if part of the match is not recorded. `scores` are each seat's totals; during a deal,
    those before it. `first` is the number of the first deal in `score_sheet`. Unless it is 0, `start` are each seat's
    totals before that deal, and `queen_taker` is the seat that captured the ♠Q in the previous deal, or null if none
    did or it does not matter.
    """

    kind: Literal["state"]
    has_full_history: bool
    rules: RulesWire
    deal_number: Count
    scores: tuple[Integer, ...]
    score_sheet: tuple[DealScoreWire, ...]
    first: Count
    start: Totals | None
    queen_taker: SeatNumber | None


class AwaitingDealDocument(StateDocument, frozen=True, tag="awaiting-deal"):
    """Waiting for the next deal.

    `last_deal` is null before the first deal, or if the last deal is unknown.
    """

    last_deal: FinishedDealWire | None


class _DealtDocument(StateDocument, frozen=True):
    """The base of the states in which players hold cards."""

    hands: tuple[Cards, ...]
    kitty: Cards
    passes: Passes


class PassingDocument(_DealtDocument, frozen=True, tag="passing"):
    """Waiting for passes.

    `passes` are each seat's passed cards, or null until it commits.
    """


class DealingBackDocument(_DealtDocument, frozen=True, tag="dealing-back"):
    """All seats have passed cards into the middle, and the pile will be dealt back.

    `hands` are the cards as dealt, and `passes` each seat's passed cards.
    """


class ExposingDocument(_DealtDocument, frozen=True, tag="exposing", omit_defaults=True):
    """Some seats have yet to decide which cards they expose.

    `hands` are each seat's current cards, `passes` its passed cards (empty if there was no pass), and `exposures` its
    exposed cards, or null until it decides. `dealt_back`, present only after a pass through the middle, are the cards
    dealt back to each seat. In rounds, a seat has to decide again once another seat has exposed cards, and `exposed`
    are the cards face up so far, omitted while there are none.
    """

    exposures: tuple[Cards | None, ...]
    dealt_back: tuple[Cards, ...] = ()
    exposed: tuple[Cards, ...] = ()


class PlayingDocument(_DealtDocument, frozen=True, tag="playing", omit_defaults=True):
    """The cards are being played.

    `hands` are each seat's current cards, `passes` its passed cards (empty if there was no pass), and `exposed` its
    exposed cards (empty if there are none). `turn` is the seat that plays next. `dealt_back`, present only after a pass
    through the middle, are the cards dealt back to each seat.
    """

    exposed: tuple[Cards, ...]
    tricks: tuple[TrickWire, ...]
    leader: SeatNumber
    trick: Plays
    turn: SeatNumber
    hearts_broken: bool
    resumed_from: MidDealPositionWire | None
    dealt_back: tuple[Cards, ...] = ()


class ChoosingMoonDocument(StateDocument, frozen=True, tag="choosing-moon"):
    """A player shot the moon and chooses its effect."""

    last_deal: FinishedDealWire
    shooter: SeatNumber


class GameOverDocument(StateDocument, frozen=True, tag="game-over"):
    """The game is over."""

    last_deal: FinishedDealWire
    winners: Seats


AnyState: TypeAlias = (
    AwaitingDealDocument
    | PassingDocument
    | DealingBackDocument
    | ExposingDocument
    | PlayingDocument
    | ChoosingMoonDocument
    | GameOverDocument
)

# ---------------------------------------------------------------------------------------------------------- views


class PlayedDealViewWire(Wire, frozen=True):
    """A finished deal as one seat knows it.

    `commitment` are this seat's cards for each recipient, or null. `pass_counts` is the number of cards that each seat
    committed, empty if the deal had no pass. `exposed` are each seat's exposed cards; `led_before` are the suits led
    before the first recorded trick, empty if no cards were exposed. `kitty` is null if hidden.
    """

    commitment: Gifts | None
    passed: Cards
    received: Cards
    pass_counts: Counts
    exposed: tuple[Cards, ...]
    led_before: Suits
    leader: SeatNumber
    tricks: tuple[TrickWire, ...]
    captured: tuple[Cards, ...]
    tricks_won: Counts
    trick_number: Count
    set_aside: Cards
    kitty_winner: SeatNumber | None
    kitty: Cards | None


class ViewDocument(Document, frozen=True, tag_field="phase"):
    """The base of the views.

    `seat` is null for a spectator. `dealer` is the dealer of deal `deal_number`.
    """

    kind: Literal["view"]
    seat: SeatNumber | None
    rules: RulesWire
    dealer: SeatNumber
    deal_number: Count
    scores: Totals
    score_sheet: tuple[DealScoreWire, ...]
    first: Count
    start: Totals | None
    queen_taker: SeatNumber | None


class AwaitingDealViewDocument(ViewDocument, frozen=True, tag="awaiting-deal"):
    """Waiting for the next deal."""

    last_deal: PlayedDealViewWire | None


class PassingViewDocument(ViewDocument, frozen=True, tag="passing"):
    """Waiting for passes.

    Other seats' passes are hidden. `plan` has a pair for each recipient: how many seats to the left, or 0 for the
    middle, and the number of cards, or 0 for any number. `to_act` are the seats that have not committed yet.
    """

    hand: Cards
    plan: tuple[tuple[Integer, Count], ...]
    may_decline: bool
    unpassable: Cards
    commitment: Gifts | None
    committed: Seats
    to_act: Seats


class DealingBackViewDocument(ViewDocument, frozen=True, tag="dealing-back"):
    """All seats have passed, and the pile in the middle will be dealt back.

    Other seats' passes are hidden, and `hand` is the hand as dealt.
    """

    hand: Cards
    commitment: Gifts | None


class ExposingViewDocument(ViewDocument, frozen=True, tag="exposing"):
    """Some seats have yet to decide which cards they expose.

    `exposable` are the cards that may be exposed.

    `exposure` are the cards that this seat exposes, or null until it decides. `exposed` are the cards face up, none yet
    if all seats expose at once. `committed` are the seats that have decided, and `to_act` the seats that can decide
    now. With `before_pass`, the pass of the deal follows if no card is exposed. `pass_counts` is the number of cards
    that each seat committed, empty if there has been no pass.
    """

    hand: Cards
    exposable: Cards
    exposure: Cards | None
    committed: Seats
    to_act: Seats
    before_pass: bool
    commitment: Gifts | None
    passed: Cards
    received: Cards
    pass_counts: Counts
    exposed: tuple[Cards, ...]


PlayingViewDocument: Any = _struct(
    "PlayingViewDocument",
    [
        *(("hand", Cards), ("turn", SeatNumber), ("leader", SeatNumber), ("trick", Plays), ("hearts_broken", bool)),
        *[(field.name, field.type) for field in msgspec.structs.fields(PlayedDealViewWire) if field.name != "leader"],
    ],
    """The cards are being played. `exposed` are the cards that each seat exposed, with those played since;
    `led_before` are the suits led before the first recorded trick, empty if no cards were exposed.""",
    ViewDocument,
    tag="playing",
)


class ChoosingMoonViewDocument(ViewDocument, frozen=True, tag="choosing-moon"):
    """A player shot the moon and chooses its effect."""

    last_deal: PlayedDealViewWire
    shooter: SeatNumber
    others_up: DealScoreWire
    shooter_down: DealScoreWire


class GameOverViewDocument(ViewDocument, frozen=True, tag="game-over"):
    """The game is over."""

    last_deal: PlayedDealViewWire
    winners: Seats


VIEWS: Final = tuple(ViewDocument.__subclasses__())


# ------------------------------------------------------------------------------------------ records and judgements


class RecordDocument(Document, frozen=True):
    """The record of a game.

    Reading it does not check the rules; `verify` does.
    """

    kind: Literal["record"]
    rules: RulesWire
    moves: tuple[AnyMove, ...]
    tags: tuple[tuple[str, str], ...]
    comments: tuple[tuple[Count, str], ...]
    points: tuple[tuple[Integer, ...], ...]
    winners: tuple[Integer, ...] | None


class TransitionDocument(Document, frozen=True):
    """The result of a move, with the next state and the events."""

    kind: Literal["transition"]
    state: AnyState
    events: tuple[AnyEvent, ...]


class WireProblem(Wire, frozen=True, omit_defaults=True):
    """A problem of one of the judged documents, with its place."""

    document: Literal["state", "move"]
    place: str
    code: str
    message: str
    params: Annotated[dict[str, Any], Meta(description=PROBLEM_PARAMS)] = {}
    detail: Annotated[str, Meta(description=PROBLEM_DETAIL)] = ""
    arguments: Arguments = {}


class LegalDocument(Document, frozen=True):
    """The judgement of a legal move, with the next state and the full events."""

    kind: Literal["judgement"]
    ok: Literal[True]
    state: AnyState
    events: tuple[AnyEvent, ...]


class IllegalDocument(Document, frozen=True):
    """The judgement of an illegal move, with its violations in order of precedence."""

    kind: Literal["judgement"]
    ok: Literal[False]
    violations: tuple[AnyViolation, ...]


class UnreadableDocument(Document, frozen=True):
    """The judgement of unreadable documents, with their problems."""

    kind: Literal["judgement"]
    ok: Literal[False]
    problems: tuple[WireProblem, ...]


# ---------------------------------------------------------------------------------------------------- parts of runs

Span: TypeAlias = Annotated[tuple[Count, Count], "first and stop"]
"""The first number of a range, and the number after its last."""
MomentsWire: TypeAlias = tuple[
    Count, Integer, Annotated[str, Meta(pattern="^(0|[1-9][0-9]{0,79})$")], Integer | None, Integer | None
]
"""Count, total, sum of squares in decimal digits, lowest and highest of a series of integers."""
DistributionWire: TypeAlias = tuple[tuple[Integer, Count], ...]
"""(value, count) pairs in rising order."""
Setting: TypeAlias = bool | Integer | str | tuple[Integer | str, ...] | None


class StatisticsWire(Wire, frozen=True):
    """The counters of simulated games.

    `heartsrules.simulation.statistics.Statistics` explains them. Moments are arrays of count, total, sum of squares in
    decimal digits, lowest and highest; distributions are arrays of values with their counts.
    """

    games: Count
    unfinished: Count
    tied_games: Count
    extra_deals: Count
    deals: Count
    deals_per_game: MomentsWire
    totals: tuple[MomentsWire, ...]
    wins: tuple[Count, ...]
    choices_by_decision: tuple[tuple[Count, ...], ...]
    choices_per_deal: MomentsWire
    forced_per_deal: MomentsWire
    follower_choices: tuple[MomentsWire, ...]
    passes: MomentsWire
    declined: Count
    exposures: MomentsWire
    moon_choices: Count
    moons: Count
    suns: Count
    void_tricks: Count
    unclaimed: Count
    kitties_taken: Count
    points_by_position: tuple[MomentsWire, ...]
    deal_points: DistributionWire
    final_totals: DistributionWire


class TablesWire(Wire, frozen=True):
    """The tables of a match.

    `tables` has each seat's totals for each game of each table; `unfinished` is the number of games stopped early.
    """

    tables: tuple[tuple[tuple[Integer, ...], ...], ...]
    unfinished: Count


class VerdictsWire(Wire, frozen=True):
    """The number of each verdict on records.

    `finished` counts games among the valid records, and `failures` are the first messages about other records, each
    with the record's number.
    """

    valid: Count
    finished: Count
    invalid: Count
    unreadable: Count
    failures: Annotated[tuple[tuple[Count, str], ...], Meta(max_length=100)]


class ShardWire(Wire, frozen=True):
    """A file of games, with its name without a folder, number of deals, and bytes.

    `form` is `columns` for a row for each deal, or `records` for each game as text.
    """

    name: str
    deals: Count
    bytes: Count
    form: Literal["columns", "records"]


class RunPartDocument(Document, frozen=True, tag_field="work"):
    """The base of the parts of runs.

    Games, tables and records are numbered from 0: `whole` is the range of the complete run, `done` lists this part's
    ranges, each as the first number and the one after the last. Parts can be added if `version`, `rules`, `seed`,
    `whole` and `settings` are equal, and `builds`, the digests of their sources, unless different builds are allowed.
    `shards` are the files with this part's games, empty if they are not saved.
    """

    kind: Literal["run-part"]
    version: str
    builds: tuple[str, ...]
    rules: RulesWire | None
    seed: str
    whole: Span
    settings: dict[str, Setting]
    done: tuple[Span, ...]
    shards: tuple[ShardWire, ...]


class SimulatedPartDocument(RunPartDocument, frozen=True, tag="simulate"):
    """Simulated games."""

    tally: StatisticsWire


class MatchPartDocument(RunPartDocument, frozen=True, tag="match"):
    """Tables of a match between bots."""

    tally: TablesWire


class VerifiedPartDocument(RunPartDocument, frozen=True, tag="verify"):
    """Verified records.

    `rules` is null.
    """

    tally: VerdictsWire


RUN_PARTS: Final = (SimulatedPartDocument, MatchPartDocument, VerifiedPartDocument)

MOVE_DOCUMENTS: Final = {kind: document_of(part, "move") for kind, part in MOVES.items()}
EVENT_DOCUMENTS: Final = {kind: document_of(part, "event") for kind, part in EVENTS.items()}
VIOLATION_DOCUMENTS: Final = {kind: document_of(part, "violation") for kind, part in VIOLATIONS.items()}

DOCUMENTS: Final[dict[str, Any]] = {
    "rules": RulesDocument,
    "move": union(MOVE_DOCUMENTS.values()),
    "state": AnyState,
    "view": union(VIEWS),
    "event": union(EVENT_DOCUMENTS.values()),
    "events": EventsDocument,
    "violation": union(VIOLATION_DOCUMENTS.values()),
    "deal-score": DealScoreDocument,
    "record": RecordDocument,
    "transition": TransitionDocument,
}

JUDGEMENTS: Final = (LegalDocument, IllegalDocument, UnreadableDocument)
