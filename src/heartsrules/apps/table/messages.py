"""Reading messages from a page, and building messages to it.

Readers raise `Refused`, with the problems of a document. Messages are built only from a seat's `View` and from redacted
events, never from a state, so they cannot reveal anything hidden.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from math import hypot
from typing import Any, Final, TypeVar, Union

import attrs

from heartsrules.base.extras import needs

with needs("web", "the browser table"):
    import msgspec

from heartsrules import (
    Event,
    GameOver,
    InvalidNotation,
    InvalidState,
    InvalidWire,
    Move,
    Problem,
    Rules,
    Seat,
    State,
    View,
    Violation,
    presets,
    to_act,
)
from heartsrules.analysis import Assessment, DealReview, Drill, Review, hint
from heartsrules.apps.table import protocol as P
from heartsrules.apps.table.bots import LEVELS
from heartsrules.apps.table.log import Entry
from heartsrules.apps.table.names import BadName, clean_name
from heartsrules.apps.table.positions import (
    choice_of,
    facts_of,
    options_shown,
    reasons_shown,
    sheet_rows,
    teams_of,
    view_shown,
)
from heartsrules.apps.table.wording import in_parts, marked_names, problem_wording
from heartsrules.formats.notation import parse_position
from heartsrules.formats.wire import from_json
from heartsrules.formats.wire.parts import wire_parts, write_part
from heartsrules.messages import languages, marked
from heartsrules.play.game import Game
from heartsrules.play.passing import PassOptions

MAX_MESSAGE: Final = 4096
"""Maximum length of a message from a page, in characters."""
_TURNS: Final = 5
"""Maximum number of turning points in a review."""


class Refused(Exception):
    """A refused request. Nothing has changed.

    Attributes:
        code: the reason, in kebab case.
    """

    def __init__(
        self, code: str, message: str, violations: Iterable[Violation] = (), problems: Iterable[Problem] = ()
    ) -> None:
        super().__init__(message)
        self.code = code
        self.violations = tuple(violations)
        self.problems = tuple(problems)


_messages: Final[msgspec.json.Decoder[P.AnyMessage]] = msgspec.json.Decoder(Union[P.MESSAGES])  # noqa: UP007 - a tuple
T = TypeVar("T")


def read_message(text: str) -> P.AnyMessage:
    """Read a message of a page, or refuse one that is too long or malformed."""
    if len(text) > MAX_MESSAGE:
        raise Refused("too-long", f"a message has at most {MAX_MESSAGE} characters")
    return _read(_messages, text)


@attrs.frozen
class TableConfig:
    """The host's choices for a table."""

    rules: Rules
    host: Seat | None = 0
    """The host's seat, or None if the host watches."""
    away: int | None = None
    hints: P.Hints = "alone"
    game: str = ""
    """The preset, as in `Opening`, or empty."""
    start: State | None = None
    """The position where the match begins, or None if it begins with its first deal."""


@attrs.frozen
class Opened:
    """A checked request to open a table."""

    config: TableConfig
    name: str
    """The host's name, or empty if the host watches."""
    seats: tuple[P.SeatPlan, ...] = ()
    moves: tuple[Move, ...] = ()
    """The moves made since the start."""

    def plan(self, seat: Seat) -> P.SeatPlan:
        return self.seats[seat] if seat < len(self.seats) else P.SeatPlan(friend=self.config.host is not None)


def read_opening(body: bytes, levels: Collection[str] = LEVELS) -> Opened:
    opening = _read(msgspec.json.Decoder(P.Opening), body)
    rules = wanted_rules(bytes(opening.rules))
    for plan in opening.seats:
        check_level(plan.level, levels)
    name = read_name(opening.name) if opening.play else ""
    game = opening.game if opening.game in presets.ALL else ""
    config = TableConfig(rules, 0 if opening.play else None, opening.away, opening.hints, game)
    return Opened(config, name, tuple(opening.seats))


def read_position(body: bytes) -> Opened:
    wish = _read(msgspec.json.Decoder(P.PlayOn), body)
    name = read_name(wish.name)
    try:
        text = wish.position
        state: State = from_json(text, State) if text.lstrip().startswith("{") else parse_position(text)
    except (InvalidWire, InvalidNotation, InvalidState) as error:
        problems = getattr(error, "problems", ())
        raise Refused("bad-position", f"`position` cannot be read: {str(error)[:500]}", problems=problems) from None
    if isinstance(state, GameOver):
        raise Refused("bad-position", "`position` is the end of a match, with nothing to play")
    seat = min(to_act(state), default=0) if wish.seat is None else wish.seat
    if seat >= state.rules.players:
        raise Refused("no-such-seat", f"`seat` is {seat}, but this table has seats 0 to {state.rules.players - 1}")
    try:
        start = Game.of(state)
    except InvalidState:
        start = Game(state)  # it was set up without its history
    bots = tuple([P.SeatPlan(friend=False)] * state.rules.players)
    return Opened(TableConfig(state.rules, seat, P.AWAY, start=start.at(0)), name, bots, start.moves)


def wanted_rules(document: bytes) -> Rules:
    """Read a document of kind `rules`."""
    rules: Rules = _document(document, Rules, Refused("invalid-rules", "`rules` cannot be played"))
    return rules


def check_level(level: str, levels: Collection[str]) -> None:
    if level not in levels:
        raise Refused("no-such-level", f"`level` must be one of {', '.join(levels)}")


def read_joining(body: bytes) -> tuple[str, Seat | None, str]:
    """Read the name, the seat and its former key from a request for a seat."""
    joining = _read(msgspec.json.Decoder(P.Joining), body)
    return read_name(joining.name), joining.seat, joining.token


def read_key(body: bytes) -> str:
    return _read(msgspec.json.Decoder(P.OwnKey), body).token


def read_move(document: bytes) -> Move:
    move: Move = _document(document, Move, Refused("malformed", "`move` is not the document of a move"))
    return move


def _document(document: bytes, kind: Any, refused: Refused) -> Any:
    try:
        return from_json(document, kind)
    except InvalidWire as error:
        refused.problems = error.problems
        raise refused from None


def _read(decoder: msgspec.json.Decoder[T], data: bytes | str) -> T:
    try:
        return decoder.decode(data)
    except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
        # An error of msgspec names keys and types; the only value that it quotes is the tag.
        raise Refused("malformed", f"this is not a message: {str(error)[:200]}") from None


def read_name(name: str) -> str:
    """Normalize a person's name, or raise `Refused` if it is invalid."""
    try:
        return clean_name(name)
    except BadName as error:
        raise Refused("bad-name", str(error)) from None


def spoken(language: str) -> str:
    """Return the language of the rules for a page: the requested one, or English."""
    return language if language in languages() else "en"


def origin_of(preset: str, rules: Rules) -> P.Origin | None:
    found = presets.ALL.get(preset)
    if found is None:
        return None
    players = rules.players
    return P.Origin(preset, players not in found.players or found(players) != rules)


def encoded(message: msgspec.Struct) -> bytes:
    return write_part(message)


def view_message(
    ply: int,
    since: int,
    seen: View,
    events: tuple[Event, ...],
    undo: bool = False,
    language: str = "en",
    hints: bool = False,
) -> bytes:
    """Return the message with a view, the events that led to it and its seat's choices.

    Args:
        since: the ply at which the seat was last asked for a move, or 0 before that and for spectators.
        events: the last move's events, redacted for the seat, or empty for a page that has just connected.
    """
    choice = choice_of(seen, language, undo, hints)
    return encoded(P.ViewMessage(ply, since, view_shown(seen), facts_of(seen), choice, wire_parts(events)))


def decision_message(
    number: int, seen: View, decision: Mapping[str, Any], position: str | None, language: str = "en"
) -> bytes:
    """Return an answer to `AskReview` about one move.

    Args:
        decision: the decision as in `Review.data`, in the marked language and with marked names.
        position: the notation of the position with all hands, once they are public.
    """
    names = ("ply", "deal", "trick", "move", "best", "quality", "scale", "cost", "at_random", "win")
    judged = P.ReviewedMove(**{name: decision[name] for name in names}, sentence=in_parts(decision["sentence"]))
    choice = choice_of(seen, language)
    return encoded(P.DecisionMessage(number, judged, position, view_shown(seen), facts_of(seen), choice))


def reviewed_message(number: int, reviews: Mapping[int, Review]) -> bytes:
    """Return an answer to `AskReview` about the decisions of one seat in several deals, by the deal's number."""
    found = [*reviews.values()]
    whole = attrs.evolve(found[-1], decisions=tuple([each for review in found for each in review.decisions]))
    (seat,) = whole.seats
    turns = [turn for review in found for turn in review.turning_points]
    largest = sorted(turns, key=lambda turn: -abs(turn.after - turn.before))[:_TURNS]
    return encoded(
        P.ReviewedMessage(
            number,
            tuple(reviews),
            whole.accuracy(seat),
            {quality.value: count for quality, count in whole.count(seat).items()},
            whole.curve[-1][2],
            _luck([deal for review in found for deal in review.deals]),
            tuple([P.Turn(**attrs.asdict(each)) for each in sorted(largest, key=lambda turn: turn.ply)]),
        )
    )


def _luck(deals: Sequence[DealReview]) -> P.LuckAndSkill | None:
    def total(name: str) -> int:
        found: float = sum([getattr(deal, name) for deal in deals])
        return round(found)

    points, average, cards, play = map(total, ("points", "average", "cards", "play"))
    margins = [round(hypot(*[getattr(deal, name) for deal in deals])) for name in ("cards_margin", "play_margin")]
    others = points - average - cards - play
    return P.LuckAndSkill(len(deals), points, average, cards, play, others, *margins) if deals else None


def drill_shown(drill: Drill, language: str, names: Sequence[str]) -> P.DrillShown:
    tag, people = marked(language), marked_names(len(names))
    choices = []
    for place, (data, choice) in enumerate(zip(drill.data(tag, people)["choices"], drill.choices, strict=True)):
        verdict, reason, *costs = map(in_parts, drill.judge(choice.move, tag, people))
        right = drill.is_right(choice.move)
        choices.append(P.DrillChoice(data["move"], data["quality"], data["cost"], right, verdict, reason, costs[place]))
    seen = drill.view
    return P.DrillShown(
        drill.theme.value,
        drill.seat,
        tuple(names),
        teams_of(seen.rules),
        sheet_rows(seen.rules, seen.score_sheet),
        tuple(choices),
        view_shown(seen),
        facts_of(seen),
        choice_of(seen, language),
    )


def log_message(entries: Iterable[Entry]) -> bytes:
    """Return the message with the whole log, whose events must be redacted for the page."""
    return encoded(P.LogMessage(tuple([P.LogEntry(each.deal, wire_parts(each.events), each.note) for each in entries])))


def options_message(number: int, ply: int, options: PassOptions, language: str = "en") -> bytes:
    return encoded(P.OptionsMessage(number, ply, options_shown(options, language)))


def hint_message(number: int, ply: int, assessment: Assessment, language: str = "en") -> bytes:
    (best,) = wire_parts([assessment.best.move])
    people = marked_names(assessment.rules.players)
    return encoded(P.HintMessage(number, ply, in_parts(hint(assessment, marked(language), names=people)), best))


def problems_shown(problems: Iterable[Problem], language: str) -> tuple[P.ProblemShown, ...]:
    return tuple([P.ProblemShown(each.code, each.fields, problem_wording(each, language)) for each in problems])


def refused_message(refused: Refused, number: int | None = None, ply: int | None = None, language: str = "en") -> bytes:
    violations, problems = reasons_shown(refused.violations, language), problems_shown(refused.problems, language)
    return encoded(P.RefusedMessage(number, ply, refused.code, str(refused), violations, problems))


def refusal_shown(refused: Refused, language: str) -> P.Refusal:
    return P.Refusal(refused.code, str(refused), problems_shown(refused.problems, language))
