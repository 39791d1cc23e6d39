"""The messages between a page and the server.

Messages to a page are made from its `View` and from redacted events alone: the functions here never see a state, so
they cannot tell a seat what it may not know.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Annotated, Any, Final, Literal, TypeAlias, TypeVar, Union

import attrs

from heartsrules.base.extras import needs

with needs("web", "the browser table"):
    import msgspec

from heartsrules import (
    Cards,
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
    display_score,
    pass_options,
    presets,
    standings,
    to_act,
    why_illegal_cards,
)
from heartsrules.analysis import Assessment, Drill, Review, hint
from heartsrules.analysis.endings import can_claim, is_settled
from heartsrules.apps.table.bots import LEVELS, USUAL
from heartsrules.apps.table.log import Entry
from heartsrules.apps.table.names import BadName, clean_name
from heartsrules.formats.notation import parse_position
from heartsrules.formats.wire import from_json, to_json
from heartsrules.formats.wire.parts import problem_params, write_part
from heartsrules.messages import languages, text
from heartsrules.pictures.facts import TableFacts, change, displayed
from heartsrules.play.game import Game
from heartsrules.play.passing import PassOptions
from heartsrules.play.phases import Phase
from heartsrules.rules import Duplicates
from heartsrules.views import ExposingView, PassingView, PlayingView, deal_of

MAX_MESSAGE: Final = 4096
"""Limit of a message of a page, in characters; a pass of a whole hand is far shorter."""

AWAY: Final = 120
"""Seconds after which a bot plays for an absent person, if the host has not chosen."""

Hints: TypeAlias = Literal["alone", "always", "never"]
"""Who may ask for hints: `alone`, a person who plays against bots only; `always`, every player; `never`, nobody."""

Phrase: TypeAlias = Literal["hello", "luck", "nice", "ouch", "sorry", "thanks", "moment", "game", "again", "bye"]
"""What players may say to each other; the catalogues of the page have the words."""

Pace: TypeAlias = Literal["slow", "usual", "fast"]
"""How fast the bots play."""

_Number: TypeAlias = Annotated[int, msgspec.Meta(ge=0, le=2**53 - 1)]
_Token: TypeAlias = Annotated[str, msgspec.Meta(max_length=64)]


class Message(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The base of all messages of a page."""


class Hello(Message, frozen=True, tag="hello"):
    """The first message on a socket: the key of a seat, or null to watch, and the language of the page."""

    token: _Token | None
    language: Annotated[str, msgspec.Meta(max_length=35)] = "en"


class Request(Message, frozen=True):
    """The base of messages that are answered: the answer has the same id."""

    id: _Number


class Timely(Request, frozen=True):
    """The base of requests for one position: `ply` is the number of moves that the page had seen then."""

    ply: _Number


class Start(Request, frozen=True, tag="start"):
    """The host begins the game; bots take the free seats."""


class StandIn(Request, frozen=True, tag="stand-in"):
    """The host has a bot play for a person who has been away for long, until they are back."""

    seat: _Number


class Vote(Request, frozen=True, tag="vote"):
    """A vote for a bot to play for a person who has been away or idle for long, or the withdrawal of that vote."""

    seat: _Number
    wanted: bool = True


class Back(Request, frozen=True, tag="back"):
    """A person for whom a bot plays wants to play on."""


class Leave(Request, frozen=True, tag="leave"):
    """A person gives up a seat, or no longer waits for it."""


class Agree(Request, frozen=True, tag="agree"):
    """A person consents to the newcomer of a seat, or declines: then the newcomer has to go."""

    seat: _Number
    agreed: bool = True


class Fill(Request, frozen=True, tag="fill"):
    """The host chooses who plays on a vacant seat: a bot of this level; with `friend` only if nobody comes."""

    seat: _Number
    level: str
    friend: bool = False


class Undo(Request, frozen=True, tag="undo"):
    """A seat takes back its last move; all others must be bots."""


class Again(Request, frozen=True, tag="again"):
    """A player wants another match with the same people, at a new table."""


class Say(Request, frozen=True, tag="say"):
    """A player says one of the fixed phrases to everybody at the table."""

    phrase: Phrase


class SetPace(Request, frozen=True, tag="pace"):
    """A person wants the bots to play at another pace."""

    pace: Pace


class GoOn(Request, frozen=True, tag="go-on"):
    """A person is still here: the bots may play on."""


class Try(Timely, frozen=True, tag="move"):
    """A seat tries a move."""

    move: msgspec.Raw


class Claim(Timely, frozen=True, tag="claim"):
    """The seat on lead claims all remaining tricks, or the seat to act has a settled deal played out."""


class Choose(Timely, frozen=True, tag="choose"):
    """A question about an incomplete pass: which cards may be added to `move`."""

    move: msgspec.Raw


class AskHint(Timely, frozen=True, tag="hint"):
    """A request for a hint."""


class AskReview(Request, frozen=True, tag="review"):
    """A request for a review of what a seat did in a finished deal."""

    deal: _Number


class AskDrill(Request, frozen=True, tag="drill"):
    """A request for a drill of a mistake in a finished deal: `ply` is the number of the move."""

    deal: _Number
    ply: _Number


AnyMessage: TypeAlias = Hello | Request
MESSAGES: Final = (Hello, *[each for base in (Request, Timely) for each in base.__subclasses__() if each is not Timely])
"""All messages of a page."""


class SeatPlan(Message, frozen=True):
    """Who is to play on a seat: a bot of this level; with `friend` only if nobody comes."""

    level: str = USUAL
    friend: bool = True


class Opening(Message, frozen=True):
    """The request that opens a table."""

    rules: msgspec.Raw
    """A document of kind `rules`."""
    name: str = ""
    """The host's, who plays."""
    play: bool = True
    """Whether the host plays on the first seat, or watches."""
    seats: Annotated[list[SeatPlan], msgspec.Meta(max_length=11)] = []
    """Plans by seat; friends where it is too short."""
    away: Annotated[int, msgspec.Meta(ge=10, le=86_400)] | None = AWAY
    """Seconds after which a bot plays for an absent person; null: never."""
    hints: Hints = "alone"
    game: Annotated[str, msgspec.Meta(max_length=64)] = ""
    """The preset that the rules were made from."""


class PlayOn(Message, frozen=True):
    """The request that opens a table at which a position is played on against bots."""

    position: str
    """A line of the notation, or a document of kind `state`."""
    name: str
    seat: _Number | None = None
    """Whose cards the host plays; null: of whom the position asks a move first, or the first seat."""


class Joining(Message, frozen=True):
    """The request for a seat: this one, or the first one that may be taken."""

    name: str
    seat: _Number | None = None


class OwnKey(Message, frozen=True):
    """The request for the key of a seat as a link."""

    token: _Token


class Refused(Exception):
    """A request is refused, and nothing has changed.

    Attributes:
        code: a kebab-case name of the reason.
        violations: the reasons of the rules, if the move is illegal.
        problems: what is wrong with a document, if one could not be read.
    """

    def __init__(
        self, code: str, message: str, violations: Iterable[Violation] = (), problems: Iterable[Problem] = ()
    ) -> None:
        super().__init__(message)
        self.code = code
        self.violations = tuple(violations)
        self.problems = tuple(problems)


_messages: Final[msgspec.json.Decoder[AnyMessage]] = msgspec.json.Decoder(Union[MESSAGES])  # noqa: UP007 - a tuple
T = TypeVar("T")


def read_message(text: str) -> AnyMessage:
    """Read a message of a page, or refuse one that is too long or malformed."""
    if len(text) > MAX_MESSAGE:
        raise Refused("too-long", f"a message has at most {MAX_MESSAGE} characters")
    return _read(_messages, text)


@attrs.frozen
class TableConfig:
    """What is chosen for a table when it is opened."""

    rules: Rules
    host: Seat | None = 0
    """The seat of the host; None if the host watches."""
    away: int | None = None
    hints: Hints = "alone"
    game: str = ""
    """As in `Opening`; empty: none."""
    start: State | None = None
    """The position where the match begins, or None if it begins with its first deal."""


@attrs.frozen
class Opened:
    """A checked request that opens a table."""

    config: TableConfig
    name: str
    """The host's; empty if the host watches."""
    seats: tuple[SeatPlan, ...] = ()
    moves: tuple[Move, ...] = ()
    """The moves that have been made since the start."""

    def plan(self, seat: Seat) -> SeatPlan:
        """The plan of a seat."""
        return self.seats[seat] if seat < len(self.seats) else SeatPlan(friend=self.config.host is not None)


def read_opening(body: bytes, levels: Collection[str] = LEVELS) -> Opened:
    """Read the request that opens a table, or refuse it with its problems."""
    opening = _read(msgspec.json.Decoder(Opening), body)
    rules = wanted_rules(bytes(opening.rules))
    for plan in opening.seats:
        check_level(plan.level, levels)
    name = read_name(opening.name) if opening.play else ""
    game = opening.game if opening.game in presets.ALL else ""
    config = TableConfig(rules, 0 if opening.play else None, opening.away, opening.hints, game)
    return Opened(config, name, tuple(opening.seats))


def read_position(body: bytes) -> Opened:
    """Read the request to play a position on, or refuse it with its problems."""
    wish = _read(msgspec.json.Decoder(PlayOn), body)
    name = read_name(wish.name)
    try:
        text = wish.position
        state: State = from_json(text, State) if text.lstrip().startswith("{") else parse_position(text)
    except (InvalidWire, InvalidNotation, InvalidState) as error:
        problems = getattr(error, "problems", ())
        raise Refused("bad-position", f"this is not a position: {str(error)[:500]}", problems=problems) from None
    if isinstance(state, GameOver):
        raise Refused("bad-position", "this match is over: there is nothing to play")
    seat = min(to_act(state), default=0) if wish.seat is None else wish.seat
    if seat >= state.rules.players:
        raise Refused("no-such-seat", "this table has no such seat")
    try:
        start = Game.of(state)
    except InvalidState:
        start = Game(state)  # it was set up without its history
    bots = tuple([SeatPlan(friend=False)] * state.rules.players)
    return Opened(TableConfig(state.rules, seat, AWAY, start=start.at(0)), name, bots, start.moves)


def wanted_rules(document: bytes) -> Rules:
    """Read a document of kind `rules`, or refuse it with its problems."""
    try:
        rules: Rules = from_json(document, Rules)
    except InvalidWire as error:
        raise Refused("invalid-rules", "these rules cannot be played", problems=error.problems) from None
    return rules


def check_level(level: str, levels: Collection[str]) -> None:
    """Refuse a level that does not exist."""
    if level not in levels:
        raise Refused("no-such-level", f"there is no such bot: choose from {', '.join(levels)}")


def read_joining(body: bytes) -> tuple[str, Seat | None]:
    """Read the request for a seat, or refuse it: a name, and the seat."""
    joining = _read(msgspec.json.Decoder(Joining), body)
    return read_name(joining.name), joining.seat


def read_key(body: bytes) -> str:
    """Read the request for a link, or refuse it: the key."""
    return _read(msgspec.json.Decoder(OwnKey), body).token


def read_move(document: bytes) -> Move:
    """Read the document of a move, or refuse it with its problems."""
    try:
        move: Move = from_json(document, Move)
    except InvalidWire as error:
        raise Refused("malformed", "this is not a move", problems=error.problems) from None
    return move


def _read(decoder: msgspec.json.Decoder[T], data: bytes | str) -> T:
    try:
        return decoder.decode(data)
    except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
        # An error of msgspec names keys and types; the only value that it quotes is the tag.
        raise Refused("malformed", f"this is not a message: {str(error)[:200]}") from None


def read_name(name: str) -> str:
    """Clean the name of a person, or refuse it."""
    try:
        return clean_name(name)
    except BadName as error:
        raise Refused("bad-name", str(error)) from None


@attrs.frozen
class Person:
    """What everybody may know about the player of a seat."""

    name: str
    kind: str
    """`person`, `bot` or `free`."""
    here: bool
    """Whether one of their pages is connected."""
    stand_in: bool = False
    """Whether a bot plays for them."""
    level: str = USUAL
    """Level of the bot that plays here, or will."""
    owner: str | None = None
    """The absent person whose seat this is."""
    takeable: bool = False
    """Whether a spectator may ask for the seat."""
    near: Sequence[Seat] = ()
    """The other seats whose people have the same network address."""


def spoken(language: str) -> str:
    """The language of the rules on a page: the one that it asks for, or English."""
    return language if language in languages() else "en"


def told_game(preset: str, rules: Rules) -> dict[str, Any] | None:
    """The preset that a table was opened from, and whether its rules were changed; None: no preset."""
    found = presets.ALL.get(preset)
    if found is None:
        return None
    players = rules.players
    return {"preset": preset, "changed": players not in found.players or found(players) != rules}


def encoded(kind: str, /, **parts: Any) -> bytes:
    """Encode a message to a page."""
    return msgspec.json.encode({"type": kind, **parts})


def view_message(
    ply: int,
    since: int,
    seen: View,
    events: tuple[Event, ...],
    undo: bool = False,
    language: str = "en",
    hints: bool = False,
) -> bytes:
    """The message with a view, the events that led to it and the choices of its seat.

    Args:
        ply: the number of moves made.
        since: the ply at which the seat was last asked for a move; 0 before, and for spectators.
        seen: the view of the seat, or of a spectator.
        events: the events of the last move, redacted for the seat; empty for a page that has just connected.
        undo: whether the seat may take back its last move.
        language: the language of the reasons against cards.
        hints: whether the seat may ask for hints.
    """
    position = _position(seen, language)
    position["choice"] |= {"undo": undo, "hint": hints and position["choice"]["mine"]}
    return encoded("view", ply=ply, since=since, **position, events=msgspec.Raw(to_json(events)))


def _position(seen: View, language: str) -> dict[str, Any]:
    """A view with what follows from it."""
    return {"view": msgspec.Raw(to_json(seen)), "facts": _facts(seen), "choice": _choice(seen, language)}


def decision_message(
    number: int, seen: View, decision: Mapping[str, Any], position: str | None, language: str = "en"
) -> bytes:
    """One of the answers to `AskReview`.

    Args:
        number: the id of the request.
        seen: the view before the decision.
        decision: the decision as in `Review.data`.
        position: the notation of the position with all hands, once they are public.
        language: the language of the reasons against cards.
    """
    return encoded("decision", id=number, decision=decision, position=position, **_position(seen, language))


def reviewed_message(number: int, deal: int, found: Review) -> bytes:
    """The last answer to `AskReview`.

    It has the chance to win the match after the deal, what was luck and what was skill (None: the beginning of the deal
    is not known), and the turning points.
    """
    parts = found.deals[0] if found.deals else None
    return encoded("reviewed", id=number, deal=deal, win=found.curve[-1][2], parts=parts, turns=found.turning_points)


def drill_data(drill: Drill, language: str, names: Sequence[str]) -> dict[str, Any]:
    """A drill with its answers, for a page."""
    data = drill.data(language, names)
    for place, (told, choice) in enumerate(zip(data["choices"], drill.choices, strict=True)):
        verdict, reason, *costs = drill.judge(choice.move, language, names)
        told |= {"right": drill.is_right(choice.move), "verdict": verdict, "reason": reason, "costs": costs[place]}
    return {**data, **_position(drill.view, language), "names": list(names)}


def log_message(entries: Iterable[Entry]) -> bytes:
    """The message with the whole log; its events must be redacted for the page."""
    return encoded("log", entries=[_entry(entry) for entry in entries])


def _entry(entry: Entry) -> dict[str, Any]:
    if entry.note is not None:
        return {"deal": entry.deal, "note": entry.note}
    return {"deal": entry.deal, "events": msgspec.Raw(to_json(entry.events))}


def _facts(seen: View) -> dict[str, Any]:
    """What follows from a view by the rules, which the page does not know."""
    rules, sheet, facts = seen.rules, seen.score_sheet, TableFacts(seen)
    doing = [facts.doing(seat) for seat in range(rules.players)]
    told: dict[str, Any] = {
        "dealer": seen.dealer,
        "doing": doing,
        "totals": facts.totals,
        "zero": display_score(rules, 0),
        "start": displayed(rules, sheet.start),
        "sheet": [displayed(rules, row.totals) for row in sheet],
        "plan": rules.pass_plan(seen.deal_number) if seen.phase in (Phase.PASS, Phase.DEAL_BACK) else (),
        "marks": _marks(facts),
        "kitty_size": rules.kitty_size,
        "equal_cards_cancel": rules.decks == 2 and rules.duplicates is Duplicates.CANCEL,
        "open": [list(map(str, cards)) for cards in facts.face_up],
        "hand_sizes": facts.hand_sizes,
    }
    played = deal_of(seen)
    if played is not None:
        told["taken"] = [
            {**_counting(facts, cards), "points": change(rules, points)}
            for cards, points in zip(played.captured, played.card_points, strict=True)
        ]
    if seen.phase is Phase.PLAY:
        told["winning_seat"] = seen.winning_seat
        told["aside"] = _counting(facts, seen.set_aside)
    if seen.phase is Phase.MOON:
        told["moon"] = {
            name: [change(rules, points) for points in row.points]
            for name, row in (("others_up", seen.others_up), ("shooter_down", seen.shooter_down))
        }
    if rules.teams or seen.phase is Phase.OVER:
        told["standings"] = [
            {"place": standing.place, "seats": standing.seats, "total": display_score(rules, standing.total)}
            for standing in standings(rules, seen.scores)
        ]
    return told


def _counting(facts: TableFacts, cards: Cards) -> dict[str, Any]:
    """The cards that count: the number of hearts, and the other cards by name."""
    hearts, others = facts.counting(cards)
    return {"hearts": len(hearts), "cards": list(map(str, others))}


def _marks(facts: TableFacts) -> dict[str, dict[str, str | int]]:
    """The signs on bonus cards and the doubler, each with its kind and its worth."""
    marks: dict[str, dict[str, str | int]] = {}
    for card, worth in facts.marks.items():
        kind = "bonus" if card != facts.doubler else "doubler"
        sign = f"{change(facts.rules, -worth):+}".replace("-", "\N{MINUS SIGN}") if kind == "bonus" else f"×{worth}"
        marks[str(card)] = {"sign": sign, "kind": kind, "worth": worth}
    return marks


def _choice(seen: View, language: str) -> dict[str, Any]:
    """Whether this seat is to act, claim or finish a settled deal, and the reasons against each card of its hand."""
    seat = seen.seat
    choice: dict[str, Any] = {"to_act": sorted(to_act(seen)), "mine": seat is not None and seat in to_act(seen)}
    if seat is None:
        return choice
    if choice["mine"]:
        choice["claim"] = can_claim(seen)
        choice["settled"] = is_settled(seen)
    if isinstance(seen, PassingView):
        choice["may_decline"] = seen.may_decline
        choice["options"] = _options(pass_options(seen), language)
    if isinstance(seen, (PassingView, ExposingView, PlayingView)):
        choice["cards"] = {str(card): _reasons(reasons, language) for card, reasons in why_illegal_cards(seen)}
    return choice


def _options(options: PassOptions, language: str) -> dict[str, Any]:
    """The options of an incomplete pass: by gift, the number of missing cards, and the reasons against others."""
    return {
        "missing": options.missing,
        "complete": options.complete,
        "cards": [{str(card): _reasons(reasons, language) for card, reasons in against} for against in options.reasons],
    }


def options_message(number: int, ply: int, options: PassOptions, language: str = "en") -> bytes:
    """The answer to `Choose`."""
    return encoded("options", id=number, ply=ply, **_options(options, language))


def hint_message(number: int, ply: int, assessment: Assessment, language: str = "en") -> bytes:
    """The answer to `AskHint`: a sentence, and the move that it is about."""
    best = msgspec.Raw(to_json(assessment.best.move))
    return encoded("hint", id=number, ply=ply, sentence=f"{hint(assessment, language)}.", move=best)


def _reasons(violations: Iterable[Violation], language: str) -> list[dict[str, str]]:
    return [{"code": violation.code, "message": text(violation, language)} for violation in violations]


def problem_data(problem: Problem, language: str = "en") -> dict[str, Any]:
    """A problem as data, with its sentence in the language of the page."""
    return {
        "code": problem.code,
        "fields": problem.fields,
        "message": text(problem, language),
        "params": msgspec.Raw(write_part(problem_params(problem))),
        "detail": problem.detail,
    }


def refused_message(refused: Refused, number: int | None = None, ply: int | None = None, language: str = "en") -> bytes:
    """The answer to a request that was refused; `language` is that of the problems."""
    violations = [msgspec.Raw(to_json(violation)) for violation in refused.violations]
    return encoded("refused", id=number, ply=ply, **refusal_data(refused, language, violations=violations))


def refusal_data(refused: Refused, language: str, **more: Any) -> dict[str, Any]:
    """A refusal as data, with more of it and its problems in a language."""
    problems = [problem_data(problem, language) for problem in refused.problems]
    return {"code": refused.code, "message": str(refused), **more, "problems": problems}
