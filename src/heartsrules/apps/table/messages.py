"""The messages between a page and the server.

What a page is told is made from a `View` and from events that are redacted for its seat, and from nothing else:
the functions here never see a state, so they cannot tell a seat what it may not know.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Annotated, Any, Final, Literal, TypeAlias

import attrs

from heartsrules.base.extras import needs

with needs("web", "the browser table"):
    import msgspec

from heartsrules import (
    Cards,
    Event,
    InvalidWire,
    Move,
    Problem,
    Rules,
    Seat,
    Suit,
    View,
    Violation,
    display_score,
    pass_options,
    presets,
    standings,
    to_act,
    why_illegal_cards,
)
from heartsrules.apps.table.bots import LEVELS, USUAL
from heartsrules.apps.table.names import BadName, clean_name
from heartsrules.formats.wire import from_json, to_json
from heartsrules.formats.wire.parts import problem_params, write_part
from heartsrules.messages import languages, text
from heartsrules.play.passing import PassOptions
from heartsrules.rules import Duplicates, PassOptional
from heartsrules.search.analysis import Assessment, hint
from heartsrules.search.endings import can_claim
from heartsrules.views import (
    ChoosingMoonView,
    ExposingView,
    GameOverView,
    PassingView,
    PlayedDealView,
    PlayingView,
    deal_of,
)

MAX_MESSAGE: Final = 4096
"""The longest message of a page, in characters; a pass of a whole hand is far shorter."""

AWAY: Final = 120
"""After how many seconds a bot plays for somebody who is away, if the host has not chosen."""

Hints: TypeAlias = Literal["alone", "always", "never"]
"""Who may ask for hints: `alone`, whoever plays against bots alone; `always`, everybody who plays; `never`, nobody."""

_Number: TypeAlias = Annotated[int, msgspec.Meta(ge=0, le=2**53 - 1)]
_Token: TypeAlias = Annotated[str, msgspec.Meta(max_length=64)]


class Message(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The base of what a page sends."""


class Hello(Message, frozen=True, tag="hello"):
    """The first message on a socket: the token of a seat, or null to watch, and the language of the page."""

    token: _Token | None
    language: Annotated[str, msgspec.Meta(max_length=35)] = "en"


class Start(Message, frozen=True, tag="start"):
    """The host asks to begin; bots take the seats that are free."""

    id: _Number


class StandIn(Message, frozen=True, tag="stand-in"):
    """The host asks a bot to play for somebody who is away, until they are back."""

    id: _Number
    seat: _Number


class Vote(Message, frozen=True, tag="vote"):
    """A person who plays wants a bot to play for somebody who is away or does nothing, or wants it no more."""

    id: _Number
    seat: _Number
    wanted: bool = True


class Back(Message, frozen=True, tag="back"):
    """Somebody for whom a bot plays wants to play on."""

    id: _Number


class Leave(Message, frozen=True, tag="leave"):
    """Somebody gives up their seat: its owner gets it back, or a bot plays on, or before the game it is free."""

    id: _Number


class Fill(Message, frozen=True, tag="fill"):
    """The host chooses who plays where nobody sits: a bot of this level at once, or with `friend` whoever comes, and a
    bot of this level if nobody does."""

    id: _Number
    seat: _Number
    level: str
    friend: bool = False


class Undo(Message, frozen=True, tag="undo"):
    """A seat takes back its last move, where all others are bots."""

    id: _Number


class Again(Message, frozen=True, tag="again"):
    """Somebody who has played wants another game with the same people, at another table."""

    id: _Number


class GoOn(Message, frozen=True, tag="go-on"):
    """Somebody is still here: the bots are to play on."""

    id: _Number


class Try(Message, frozen=True, tag="move"):
    """A seat tries a move. `ply` is the number of moves that the page had seen when the move was chosen."""

    id: _Number
    ply: _Number
    move: msgspec.Raw


class Claim(Message, frozen=True, tag="claim"):
    """The seat on lead takes all the tricks that are left. `ply` is as in `Try`."""

    id: _Number
    ply: _Number


class Choose(Message, frozen=True, tag="choose"):
    """A seat that chooses the cards to pass asks how it may go on. `move` is the pass as far as it is chosen, and `ply`
    as for a move."""

    id: _Number
    ply: _Number
    move: msgspec.Raw


class AskHint(Message, frozen=True, tag="hint"):
    """A seat asks what it might do. `ply` is as in `Try`."""

    id: _Number
    ply: _Number


AnyMessage: TypeAlias = (
    Hello | Start | StandIn | Vote | Back | Leave | Fill | Undo | Again | GoOn | Try | Claim | Choose | AskHint
)


class SeatPlan(Message, frozen=True):
    """Who is to play on a seat: a bot of this level, or with `friend` whoever comes, and if nobody does the bot."""

    level: str = USUAL
    friend: bool = True


class Opening(Message, frozen=True):
    """What opens a table: a document of kind `rules`, and whether the host plays, with a name, or watches.

    `seats` says who is to play on the seats, the first one too where the host watches; friends, where it says nothing.
    `away` is how many seconds somebody may be away before a bot plays for them; null: as long as they like. `hints`
    says who may ask for hints, and `game` from which preset the rules were made.
    """

    rules: msgspec.Raw
    name: str = ""
    play: bool = True
    seats: Annotated[list[SeatPlan], msgspec.Meta(max_length=11)] = []
    away: Annotated[int, msgspec.Meta(ge=10, le=86_400)] | None = AWAY
    hints: Hints = "alone"
    game: Annotated[str, msgspec.Meta(max_length=64)] = ""


class Joining(Message, frozen=True):
    """What takes a seat: this one, or before the game the first that is free."""

    name: str
    seat: _Number | None = None


class OwnKey(Message, frozen=True):
    """What asks for the key to a seat as a link: the token that is that key."""

    token: _Token


class Refused(Exception):
    """What somebody asked for is refused, and nothing has changed.

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


_messages: Final = msgspec.json.Decoder(AnyMessage)
_openings: Final = msgspec.json.Decoder(Opening)
_joinings: Final = msgspec.json.Decoder(Joining)
_keys: Final = msgspec.json.Decoder(OwnKey)


def read_message(text: str) -> AnyMessage:
    """Read a message of a page.

    Raises:
        Refused: it is too long or malformed.
    """
    if len(text) > MAX_MESSAGE:
        raise Refused("too-long", f"a message has at most {MAX_MESSAGE} characters")
    message: AnyMessage = _read(_messages, text)
    return message


@attrs.frozen
class Opened:
    """What somebody wants to open."""

    rules: Rules
    name: str
    """The host's, who plays; empty: the host watches."""
    play: bool = True
    seats: tuple[SeatPlan, ...] = ()
    away: int | None = AWAY
    hints: Hints = "alone"
    game: str = ""
    """The preset that the rules were made from; empty: none."""

    def plan(self, seat: Seat) -> SeatPlan:
        """Who is to play on a seat."""
        return self.seats[seat] if seat < len(self.seats) else SeatPlan(friend=self.play)


def read_opening(body: bytes, levels: Collection[str] = LEVELS) -> Opened:
    """Read what opens a table.

    Raises:
        Refused: it is malformed, or the rules are refused; `problems` has all that is wrong with them.
    """
    opening: Opening = _read(_openings, body)
    rules = wanted_rules(bytes(opening.rules))
    for plan in opening.seats:
        check_level(plan.level, levels)
    name = read_name(opening.name) if opening.play else ""
    game = opening.game if opening.game in presets.ALL else ""
    return Opened(rules, name, opening.play, tuple(opening.seats), opening.away, opening.hints, game)


def wanted_rules(document: bytes) -> Rules:
    """Read a document of kind `rules`.

    Raises:
        Refused: the rules are refused; `problems` has all that is wrong with them.
    """
    try:
        rules: Rules = from_json(document, Rules)
    except InvalidWire as error:
        raise Refused("invalid-rules", "these rules cannot be played", problems=error.problems) from None
    return rules


def check_level(level: str, levels: Collection[str]) -> None:
    """Check how strong a bot is to be, by the names of those that there are.

    Raises:
        Refused: there is no such level.
    """
    if level not in levels:
        raise Refused("no-such-level", f"there is no such bot: choose from {', '.join(levels)}")


def read_joining(body: bytes) -> tuple[str, Seat | None]:
    """Read what takes a seat: a name, and which seat.

    Raises:
        Refused: it is malformed.
    """
    joining: Joining = _read(_joinings, body)
    return read_name(joining.name), joining.seat


def read_key(body: bytes) -> str:
    """Read what asks for the key to a seat: the token.

    Raises:
        Refused: it is malformed.
    """
    key: OwnKey = _read(_keys, body)
    return key.token


def read_move(document: bytes) -> Move:
    """Read the document of a move.

    Raises:
        Refused: it is not a move; `problems` says why.
    """
    try:
        move: Move = from_json(document, Move)
    except InvalidWire as error:
        raise Refused("malformed", "this is not a move", problems=error.problems) from None
    return move


def _read(decoder: msgspec.json.Decoder[Any], data: bytes | str) -> Any:
    try:
        return decoder.decode(data)
    except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
        # An error of msgspec names keys and types; the only value that it quotes is the tag.
        raise Refused("malformed", f"this is not a message: {str(error)[:200]}") from None


def read_name(name: str) -> str:
    """A name of a person, as it is kept.

    Raises:
        Refused: nobody may be called that.
    """
    try:
        return clean_name(name)
    except BadName as error:
        raise Refused("bad-name", str(error)) from None


@attrs.frozen
class Person:
    """What everybody may know about who sits on a seat."""

    name: str
    kind: str
    """`person`, `bot` or `free`."""
    here: bool
    """Whether a page of theirs is connected."""
    stand_in: bool = False
    """Whether a bot plays for them."""
    level: str = USUAL
    """How strong the bot is that plays here, or will."""
    owner: str | None = None
    """Whose seat this is, if somebody else plays there until they are back."""
    takeable: bool = False
    """Whether somebody who watches may take the seat over."""


def spoken(language: str) -> str:
    """The language in which a page is told what the rules say: the one that it asks for, or English."""
    return language if language in languages() else "en"


def told_game(preset: str, rules: Rules) -> dict[str, Any] | None:
    """What a page is told of the preset that a table was opened from: its name, and whether its rules were changed.

    None: it was not opened from a preset.
    """
    found = presets.ALL.get(preset)
    if found is None:
        return None
    players = rules.players
    return {"preset": preset, "changed": players not in found.players or found.rules(players) != rules}


def table_message(
    table: str, seat: Seat | None, started: bool, people: Sequence[Person], more: Mapping[str, Any]
) -> bytes:
    """Who sits where, and what else is told of the table; `seat` is that of the page that is told so."""
    return msgspec.json.encode(
        {
            "type": "table",
            "table": table,
            "seat": seat,
            "started": started,
            "people": [attrs.asdict(person) for person in people],
            **more,
        }
    )


def view_message(
    ply: int,
    since: int,
    seen: View,
    events: tuple[Event, ...],
    undo: bool = False,
    language: str = "en",
    hints: bool = False,
) -> bytes:
    """What a seat, or a spectator, may know now, what has just happened, and what may be done.

    Args:
        ply: how many moves have been made.
        since: the ply at which the seat was last asked for a move; 0 before, and for spectators.
        seen: the view of the seat.
        events: what the last move did, redacted for the seat; empty for a page that has just connected.
        undo: whether the seat may take back its last move.
        language: that of the reasons against cards.
        hints: whether the seat may ask for hints.
    """
    choice = _choice(seen, language)
    return msgspec.json.encode(
        {
            "type": "view",
            "ply": ply,
            "since": since,
            "view": msgspec.Raw(to_json(seen)),
            "events": msgspec.Raw(to_json(events)),
            "facts": _facts(seen),
            "choice": {**choice, "undo": undo, "hint": hints and choice["mine"]},
        }
    )


def _facts(seen: View) -> dict[str, Any]:
    """What follows from a view by the rules, for a page that does not know the rules."""
    rules = seen.rules
    facts: dict[str, Any] = {
        "dealer": seen.dealer,
        "totals": [display_score(rules, total) for total in seen.scores],
        "zero": display_score(rules, 0),
        "start": [display_score(rules, total) for total in seen.deal_scores.start],
        "sheet": [[display_score(rules, total) for total in score.totals] for score in seen.deal_scores],
        "step": (),
        "marks": _marks(rules, _shown(seen)),
        "kitty_size": rules.kitty_size,
        "equal_cards_cancel": rules.decks == 2 and rules.duplicates is Duplicates.CANCEL,
    }
    if isinstance(seen, (ExposingView, PlayingView)):
        facts["open"] = [[str(card) for card in cards] for cards in seen.lying_open]
    if isinstance(seen, (PassingView, ExposingView, PlayingView)):
        facts["hand_sizes"] = seen.hand_sizes
    played = deal_of(seen)
    if played is not None:
        facts["taken"] = _taken(rules, played)
    if isinstance(seen, PlayingView):
        facts["winning_seat"] = seen.winning_seat
        facts["aside"] = _counting(rules, seen.set_aside)
    if isinstance(seen, ChoosingMoonView):
        facts["moon"] = {
            "others_up": [_as_shown(rules, points) for points in seen.others_up.points],
            "shooter_down": [_as_shown(rules, points) for points in seen.shooter_down.points],
        }
    if isinstance(seen, PassingView):
        facts["step"] = seen.step
    if rules.teams or isinstance(seen, GameOverView):
        facts["standings"] = [
            {"place": standing.place, "seats": standing.seats, "total": display_score(rules, standing.total)}
            for standing in standings(rules, seen.scores)
        ]
    return facts


def _as_shown(rules: Rules, points: int) -> int:
    """What points do to a total as it is shown: where the highest total wins, a penalty lowers it."""
    return display_score(rules, points) - display_score(rules, 0)


def _taken(rules: Rules, played: PlayedDealView) -> list[dict[str, Any]]:
    """By seat, what it has captured that counts, and the points of all of it, before the moon and the bonus cards."""
    return [
        {**_counting(rules, cards), "points": _as_shown(rules, points)}
        for cards, points in zip(played.captured, played.card_points, strict=True)
    ]


def _counting(rules: Rules, cards: Cards) -> dict[str, Any]:
    """Of cards, those that count: hearts by their number, other cards by their names."""
    marked = {bonus.card for bonus in rules.bonuses} | ({rules.doubler.card} if rules.doubler else set())
    hearts = [card for card in cards if card.suit is Suit.HEARTS and rules.penalty(card) and card not in marked]
    others = [str(card) for card in cards if card in marked or (card.suit is not Suit.HEARTS and rules.penalty(card))]
    return {"hearts": len(hearts), "cards": others}


def _shown(seen: View) -> tuple[Cards, ...]:
    """By seat, the cards that were shown in the deal whose cards a page sees; empty where it has only just begun."""
    if isinstance(seen, (ExposingView, PlayingView)):
        return seen.shown
    return () if isinstance(seen, PassingView) or seen.last_deal is None else seen.last_deal.shown


def _marks(rules: Rules, shown: tuple[Cards, ...]) -> dict[str, dict[str, str | int]]:
    """Of the bonus cards and the doubler, a sign to stand on the card, what it does, and how much of that."""
    doubled = {card for cards in shown for card in cards}
    marks: dict[str, dict[str, str | int]] = {}
    for each in rules.bonuses:
        worth = each.points * (2 if each.card in doubled else 1)
        sign = f"{_as_shown(rules, -worth):+}".replace("-", "\N{MINUS SIGN}")
        marks[str(each.card)] = {"sign": sign, "kind": "bonus", "worth": worth}
    if rules.doubler is not None:
        factor = rules.doubler.factor * (2 if rules.doubler.card in doubled else 1)
        marks[str(rules.doubler.card)] = {"sign": f"×{factor}", "kind": "doubler", "worth": factor}
    return marks


def _choice(seen: View, language: str) -> dict[str, Any]:
    """Whether this seat is to act and may claim the rest, and the reasons against each card of its hand."""
    seat = seen.seat
    choice: dict[str, Any] = {"to_act": sorted(to_act(seen)), "mine": seat is not None and seat in to_act(seen)}
    if seat is None:
        return choice
    if choice["mine"]:
        choice["claim"] = can_claim(seen)
    if isinstance(seen, PassingView):
        choice["may_decline"] = seen.rules.pass_optional is not PassOptional.NO
        choice["options"] = _options(pass_options(seen), language)
    if isinstance(seen, (PassingView, ExposingView, PlayingView)):
        choice["cards"] = {str(card): _reasons(reasons, language) for card, reasons in why_illegal_cards(seen)}
    return choice


def _options(options: PassOptions, language: str) -> dict[str, Any]:
    """How a pass may go on: for each gift how many cards it lacks, and the reasons against the cards not chosen yet.

    Of two copies that are left, both have the same reasons.
    """
    return {
        "missing": options.missing,
        "complete": options.complete,
        "cards": [{str(card): _reasons(reasons, language) for card, reasons in against} for against in options.reasons],
    }


def options_message(number: int, ply: int, options: PassOptions, language: str = "en") -> bytes:
    """How the pass may go on that a page has asked about."""
    return msgspec.json.encode({"type": "options", "id": number, "ply": ply, **_options(options, language)})


def hint_message(number: int, ply: int, assessment: Assessment, language: str = "en") -> bytes:
    """The hint that a seat has asked for after so many moves: a sentence, and the move that it is about."""
    return msgspec.json.encode(
        {
            "type": "hint",
            "id": number,
            "ply": ply,
            "sentence": f"{hint(assessment, language)}.",
            "move": msgspec.Raw(to_json(assessment.best.move)),
        }
    )


def _reasons(violations: Iterable[Violation], language: str) -> list[dict[str, str]]:
    return [{"code": violation.code, "message": text(violation, language)} for violation in violations]


def problem_data(problem: Problem, language: str = "en") -> dict[str, Any]:
    """A problem as a page reads it, in its language."""
    return {
        "code": problem.code,
        "fields": problem.fields,
        "message": text(problem, language),
        "params": msgspec.Raw(write_part(problem_params(problem))),
        "detail": problem.detail,
    }


def accepted_message(number: int, ply: int) -> bytes:
    """What somebody asked for was done; `ply` is the number of moves that have been made."""
    return msgspec.json.encode({"type": "accepted", "id": number, "ply": ply})


def refused_message(refused: Refused, number: int | None = None, ply: int | None = None, language: str = "en") -> bytes:
    """What somebody asked for was not done, and why; `language` is that of the problems."""
    return msgspec.json.encode(
        {
            "type": "refused",
            "id": number,
            "ply": ply,
            "code": refused.code,
            "message": str(refused),
            "violations": [msgspec.Raw(to_json(violation)) for violation in refused.violations],
            "problems": [problem_data(problem, language) for problem in refused.problems],
        }
    )
