"""The messages between a page and the server: the one description of both directions, and of the answers over HTTP.

`protocol.d.ts` is generated from these structs. `messages` reads and builds them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Final, Literal, TypeAlias, Union

from heartsrules.base.extras import needs

with needs("web", "the browser table"):
    import msgspec

from heartsrules import Seat
from heartsrules.apps.table.bots import USUAL
from heartsrules.apps.table.log import Note
from heartsrules.formats.wire.parts import AnyEvent, AnyMove, component, views_without

AWAY: Final = 120
"""Seconds after which a bot plays for an absent person, if the host has not chosen."""

Hints: TypeAlias = Literal["alone", "always", "never"]
"""Who may ask for hints: `alone`, a person who plays against bots only; `always`, every player; `never`, nobody."""

Phrase: TypeAlias = Literal["hello", "luck", "nice", "ouch", "sorry", "thanks", "moment", "game", "again", "bye"]
"""What players may say to each other; the catalogues of the page have the words."""

Pace: TypeAlias = Literal["slow", "usual", "fast"]
"""How fast the bots play."""

CardText: TypeAlias = Annotated[str, msgspec.Meta(pattern="^[2-9TJQKA][CDSH]$")]
"""A card, such as `QS`."""
_Number: TypeAlias = Annotated[int, msgspec.Meta(ge=0, le=2**53 - 1)]
_Token: TypeAlias = Annotated[str, msgspec.Meta(max_length=64)]
_MoveDocument: TypeAlias = Annotated[msgspec.Raw, component("Move")]
_RulesDocument: TypeAlias = Annotated[msgspec.Raw, component("RulesDocument")]


# ------------------------------------------------------------------------------------------------ from a page


class FromPage(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The base of all that a page sends."""


class Hello(FromPage, frozen=True, tag="hello"):
    """The first message on a socket: the key of a seat, or null to watch, and the language of the page."""

    token: _Token | None
    language: Annotated[str, msgspec.Meta(max_length=35)] = "en"


class Ping(FromPage, frozen=True, tag="ping"):
    """A sign of life, answered at once by `PongMessage`. It does not keep a table awake."""


class Request(FromPage, frozen=True):
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

    move: _MoveDocument


class Claim(Timely, frozen=True, tag="claim"):
    """The seat on lead claims all remaining tricks, or the seat to act has a settled deal played out."""


class Choose(Timely, frozen=True, tag="choose"):
    """A question about an incomplete pass: which cards may be added to `move`."""

    move: _MoveDocument


class AskHint(Timely, frozen=True, tag="hint"):
    """A request for a hint."""


class AskReview(Request, frozen=True, tag="review"):
    """A request for a review of what a seat did in a finished deal."""

    deal: _Number


class AskDrill(Request, frozen=True, tag="drill"):
    """A request for a drill of a mistake in a finished deal: `ply` is the number of the move."""

    deal: _Number
    ply: _Number


AnyMessage: TypeAlias = Hello | Ping | Request
MESSAGES: Final[tuple[type[FromPage], ...]] = (
    *(Hello, Ping),
    *[each for base in (Request, Timely) for each in base.__subclasses__() if each is not Timely],
)
"""All messages of a page."""


class SeatPlan(FromPage, frozen=True):
    """Who is to play on a seat: a bot of this level; with `friend` only if nobody comes."""

    level: str = USUAL
    friend: bool = True


class Opening(FromPage, frozen=True):
    """The body of `POST /api/tables`, which opens a table.

    `rules` is a document of kind `rules`, and `game` the preset that it was made from. The host has this `name` and
    plays on the first seat, or watches if not `play`. `seats` are plans by seat; friends where it is too short. `away`
    is the number of seconds after which a bot plays for an absent person, or null for never.
    """

    rules: _RulesDocument
    name: str = ""
    play: bool = True
    seats: Annotated[list[SeatPlan], msgspec.Meta(max_length=11)] = []
    away: Annotated[int, msgspec.Meta(ge=10, le=86_400)] | None = AWAY
    hints: Hints = "alone"
    game: Annotated[str, msgspec.Meta(max_length=64)] = ""


class PlayOn(FromPage, frozen=True):
    """The body of `POST /api/positions`, which opens a table at which a position is played on against bots.

    `position` is a line of the notation, or a document of kind `state`. The host plays the cards of `seat`; null: of
    whom the position asks a move first, or the first seat.
    """

    position: str
    name: str
    seat: _Number | None = None


class Joining(FromPage, frozen=True):
    """The body of `POST /api/tables/TABLE/seats`: the request for this seat, or the first one that may be taken."""

    name: str
    seat: _Number | None = None


class OwnKey(FromPage, frozen=True):
    """The body of `POST /api/tables/TABLE/key`: the request for the key of a seat as a link."""

    token: _Token


BODIES: Final = (Opening, PlayOn, Joining, OwnKey)
"""The bodies of a page's requests over HTTP; that of `POST /api/rules` is a document of kind `rules`."""


# ---------------------------------------------------------------------------------------------------- sentences


class Part(msgspec.Struct, frozen=True, tag_field="type"):
    """The base of the parts of a sentence that are not its own words."""


class CardPart(Part, frozen=True, tag="card"):
    """A card."""

    card: CardText


class PersonPart(Part, frozen=True, tag="person"):
    """The player of a seat."""

    seat: Seat


class OptionPart(Part, frozen=True, tag="option"):
    """An option of the rules, or with a `value` that value of it."""

    option: str
    value: str | None


Wording: TypeAlias = tuple[str | CardPart | PersonPart | OptionPart, ...]
"""A sentence, in parts: texts, and what is shown in another way. It has a full stop only if it is one of the rules."""


# -------------------------------------------------------------------------------------------------- to a page


class ToPage(msgspec.Struct, frozen=True, tag_field="type"):
    """The base of the messages to a page."""


class Shown(msgspec.Struct, frozen=True):
    """The base of their parts, and of the answers over HTTP. All keys are always there."""


class Origin(Shown, frozen=True):
    """The preset that a table was opened from, and whether its rules were changed."""

    preset: str
    changed: bool


class Welcome(ToPage, frozen=True, tag="welcome"):
    """The first message on a socket: what stays the same at a table.

    `version` is that of the page that the server gives out; a page of another version is to be loaded again. It is
    empty where the page is its own server. `teams` has the number of the team of each seat, and is empty if each plays
    for themselves. `rules` are sentences; `away` is the number of seconds after which a bot plays for an absent person,
    or null for never.
    """

    version: str
    table: str
    game: Origin | None
    teams: tuple[int, ...]
    rules: tuple[Wording, ...]
    hints: Hints
    away: int | None


class Person(Shown, frozen=True):
    """What everybody may know about the player of a seat.

    `here`: one of their pages is connected. `stand_in`: a bot plays for them. `level` is that of the bot that plays
    here, or will. `owner` is the absent person whose seat this is. `takeable`: a spectator may ask for the seat. `near`
    are the other seats whose people have the same network address.
    """

    name: str
    kind: Literal["person", "bot", "free"]
    here: bool
    stand_in: bool
    level: str
    owner: str | None
    takeable: bool
    near: tuple[Seat, ...]


class Absent(Shown, frozen=True):
    """A person who has been away or idle for long: the seats that want a bot for them, and how many votes it takes."""

    seat: Seat
    votes: tuple[Seat, ...]
    needed: int


class Newcomer(Shown, frozen=True):
    """Who waits for a seat, the seats at the same address, and those that have to agree yet."""

    seat: Seat
    name: str
    near: tuple[Seat, ...]
    asked: tuple[Seat, ...]


class TableMessage(ToPage, frozen=True, tag="table"):
    """Who plays. It comes whenever it changes.

    `seat` is the seat of this page and `waits_for` the one that it waits for. `paused` says why no further deal is
    dealt, and `look` for how many seconds the last trick of a deal stays. `next` is the table of the next match with
    the same people.
    """

    seat: Seat | None
    waits_for: Seat | None
    started: bool
    over: bool
    host: Seat | None
    people: tuple[Person, ...]
    absent: tuple[Absent, ...]
    newcomers: tuple[Newcomer, ...]
    paused: Literal["limit", "unattended"] | None
    look: float
    next: str | None


class SheetRow(Shown, frozen=True):
    """A finished deal: what it did to each displayed total, the totals after it, and who shot the moon."""

    points: tuple[int, ...]
    totals: tuple[int, ...]
    shooter: Seat | None


class SeatStatistics(Shown, frozen=True):
    """What a seat has done in the finished deals of a match.

    `average` and `most` are displayed points of a deal, `clean` counts deals without penalty points, and `queens` is
    null if no deal had one queen of spades.
    """

    average: float
    most: int
    clean: int
    tricks: int
    queens: int | None
    moons: int


class SheetMessage(ToPage, frozen=True, tag="sheet"):
    """The score sheet. It comes before the view that it belongs to, and only when it changes.

    `zero` is what a total of 0 is displayed as, `start` are the displayed totals before the first row, and `statistics`
    are by seat, empty before the first deal has ended.
    """

    zero: int
    start: tuple[int, ...]
    rows: tuple[SheetRow, ...]
    statistics: tuple[SeatStatistics, ...]


SEEN: Final = views_without(
    *("heartsrules", "kind", "rules", "scores", "score_sheet", "first", "start", "queen_taker"),
    *("passed", "received", "pass_counts", "unpassable", "led_before", "kitty", "kitty_winner"),
)
"""The classes of views on the wire, by phase, with what pages show. Of `tricks` they have the last one alone."""
if TYPE_CHECKING:
    AnySeen: TypeAlias = Any
else:
    AnySeen = Union[tuple(SEEN.values())]  # noqa: UP007 - a tuple

Action: TypeAlias = Literal["choosing", "has-chosen", "to-play", "shot-moon", "wins"]


class CardMark(Shown, frozen=True):
    """The sign on a bonus card or on the doubler, and its worth."""

    sign: str
    kind: Literal["bonus", "doubler"]
    worth: int


class Counting(Shown, frozen=True):
    """Cards that count: the number of hearts, and the others by name."""

    hearts: int
    cards: tuple[CardText, ...]


class Taken(Shown, frozen=True):
    """What a seat has taken in the deal in play or the last one, and its points: once it is scored, all of the deal."""

    hearts: int
    cards: tuple[CardText, ...]
    points: int


class LyingTrick(Shown, frozen=True):
    """The cards in the middle: those of the current trick, or else of the last one, which is `complete`.

    `winner` is the seat that wins so far, or has won. `cancelled` are the seats whose cards cancel each other.
    """

    leader: Seat
    plays: tuple[CardText, ...]
    winner: Seat | None
    complete: bool
    cancelled: tuple[Seat, ...]


class KittyPile(Shown, frozen=True):
    """The kitty: how many cards it has, the seat that has taken it, and its cards if they may be seen."""

    size: int
    winner: Seat | None
    cards: tuple[CardText, ...]


class MoonEffects(Shown, frozen=True):
    """What each effect of the moon does to each displayed total."""

    others_up: tuple[int, ...]
    shooter_down: tuple[int, ...]


class StandingShown(Shown, frozen=True):
    """A place of the standings, and its displayed total."""

    place: int
    seats: tuple[Seat, ...]
    total: int


class Facts(Shown, frozen=True):
    """What follows from a view by the rules, which the page does not know. Tuples have one item per seat.

    `plan` are the transfers of the pass: how many seats to the left, or 0 for the middle, and how many cards. `open`
    are the cards that are face up before each seat, and `aside` those that nobody won. `scored`: the deal is over.
    """

    doing: tuple[Action | None, ...]
    totals: tuple[int, ...]
    plan: tuple[tuple[int, int], ...]
    marks: dict[CardText, CardMark]
    open: tuple[tuple[CardText, ...], ...]
    hand_sizes: tuple[int, ...]
    scored: bool
    lying: LyingTrick | None
    kitty: KittyPile | None
    taken: tuple[Taken, ...]
    aside: Counting | None
    moon: MoonEffects | None
    standings: tuple[StandingShown, ...]


class ReasonShown(Shown, frozen=True):
    """A reason against a card or a move.

    `kind` says when it goes away: `turn`, at the seat's turn; `full`, when another card is taken back; `barred`, not
    while the position stays the same.
    """

    code: str
    kind: Literal["turn", "full", "barred"]
    sentence: Wording


class PassOptionsShown(Shown, frozen=True):
    """How an incomplete pass may go on.

    By transfer, `missing` is the number of cards that are missing, and `cards` has the reasons against each card, as
    numbers in `reasons`.
    """

    missing: tuple[int, ...]
    complete: bool
    reasons: tuple[ReasonShown, ...]
    cards: tuple[dict[CardText, tuple[int, ...]], ...]


class SeatChoice(Shown, frozen=True):
    """What a seat may do: whether it is to act, may claim the rest, have a settled deal played out, or decline to pass.

    `cards` are the cards of the hand, each with the reasons against it as numbers in `reasons`.
    """

    to_act: tuple[Seat, ...]
    mine: bool
    claim: bool
    settled: bool
    may_decline: bool
    undo: bool
    hint: bool
    options: PassOptionsShown | None
    reasons: tuple[ReasonShown, ...]
    cards: dict[CardText, tuple[int, ...]]


class ViewMessage(ToPage, frozen=True, tag="view"):
    """A view, the events that led to it and the choices of its seat. It comes after every move.

    `ply` is the number of moves made, and `since` the ply at which the seat was last asked for one. `events` are empty
    for a page that has just connected. Of the tricks of a deal, `view` has the last one alone.
    """

    ply: int
    since: int
    view: AnySeen
    facts: Facts
    choice: SeatChoice
    events: tuple[AnyEvent, ...]


class LogEntry(Shown, frozen=True):
    """The events of a move in a deal, or a note."""

    deal: int
    events: tuple[AnyEvent, ...]
    note: Note | None


class LogMessage(ToPage, frozen=True, tag="log"):
    """The latest entries of the log, for a page that has just connected, or after a move was taken back."""

    entries: tuple[LogEntry, ...]


class NoteMessage(ToPage, frozen=True, tag="note"):
    """An announcement to everybody at the table."""

    note: Note


class PhraseMessage(ToPage, frozen=True, tag="phrase"):
    """A player says something."""

    seat: Seat
    phrase: Phrase


class OptionsMessage(ToPage, frozen=True, tag="options"):
    """The answer to `Choose`."""

    id: int
    ply: int
    options: PassOptionsShown


class HintMessage(ToPage, frozen=True, tag="hint"):
    """The answer to `AskHint`: a sentence, and the move that it is about."""

    id: int
    ply: int
    sentence: Wording
    move: AnyMove


class EstimateShown(Shown, frozen=True):
    """An estimate, with its 95 % interval."""

    mean: float
    interval: tuple[float, float]


class CostShown(Shown, frozen=True):
    """What a move cost compared with the best one: points, and the chance to win; `value` is both together."""

    points: EstimateShown
    win: EstimateShown
    value: EstimateShown


Grade: TypeAlias = Literal["best", "fine", "inaccuracy", "mistake", "blunder"]
"""How good a move was."""


class ReviewedMove(Shown, frozen=True):
    """A move that was made, beside the best ones.

    `scale` names the cost that goes with `quality`, `at_random` is what a random move would have cost, and `win` the
    chance to win the match before the move.
    """

    ply: int
    deal: int
    trick: int | None
    move: AnyMove
    best: tuple[AnyMove, ...]
    quality: Grade
    scale: Literal["points", "win"]
    cost: CostShown
    at_random: float
    win: float
    sentence: Wording


class DecisionMessage(ToPage, frozen=True, tag="decision"):
    """An answer to `AskReview`: a move, and the position before it.

    `position` is its notation with all hands, once they are public.
    """

    id: int
    decision: ReviewedMove
    position: str | None
    view: AnySeen
    facts: Facts
    choice: SeatChoice


class LuckAndSkill(Shown, frozen=True):
    """The parts of a deal's points: the average, the dealt hand (luck), the own play (skill) and the others."""

    deal: int
    seat: Seat
    points: float
    average: float
    cards: float
    play: float
    others: float
    cards_margin: float
    play_margin: float


class Turn(Shown, frozen=True):
    """A place of a match where the chance of a seat to win it changed much."""

    ply: int
    deal: int
    trick: int | None
    seat: Seat
    before: float
    after: float
    cause: Literal["cards", "pass", "own", "table"]


class ReviewedMessage(ToPage, frozen=True, tag="reviewed"):
    """The last answer to `AskReview`: the chance to win after the deal, luck and skill, and turning points."""

    id: int
    deal: int
    win: float
    parts: LuckAndSkill | None
    turns: tuple[Turn, ...]


class DrillChoice(Shown, frozen=True):
    """A move to choose from, with what is said to the person who chooses it."""

    move: AnyMove
    quality: Grade
    cost: CostShown
    right: bool
    verdict: Wording
    reason: Wording
    costs: Wording


class DrillShown(Shown, frozen=True):
    """A position that asks for the best move, with its answers. `names` and `teams` are by seat."""

    theme: str
    seat: Seat
    names: tuple[str, ...]
    teams: tuple[int, ...]
    choices: tuple[DrillChoice, ...]
    view: AnySeen
    facts: Facts
    choice: SeatChoice


class DrillMessage(ToPage, frozen=True, tag="drill"):
    """The answer to `AskDrill`; null: this move makes no drill."""

    id: int
    drill: DrillShown | None


class AcceptedMessage(ToPage, frozen=True, tag="accepted"):
    """The answer to a request that has none of its own: it was done."""

    id: int
    ply: int


class ProblemShown(Shown, frozen=True):
    """What is wrong with a document, and the fields at fault, as pointers into it."""

    code: str
    fields: tuple[str, ...]
    sentence: Wording


class RefusedMessage(ToPage, frozen=True, tag="refused"):
    """The answer to a request that was refused, and to a message that could not be read, which has no id."""

    id: int | None
    ply: int | None
    code: str
    message: str
    violations: tuple[ReasonShown, ...]
    problems: tuple[ProblemShown, ...]


class PongMessage(ToPage, frozen=True, tag="pong"):
    """The answer to `Ping`."""


SENT: Final = tuple(ToPage.__subclasses__())
"""All messages to a page."""


# ------------------------------------------------------------------------------------------- answers over HTTP


class Refusal(Shown, frozen=True):
    """The answer to a request over HTTP that was refused."""

    code: str
    message: str
    problems: tuple[ProblemShown, ...]


class OpenedTable(Shown, frozen=True):
    """The answer to `Opening` and `PlayOn`: the table, and the host's seat and key."""

    table: str
    seat: Seat | None
    token: str | None


class TakenSeat(Shown, frozen=True):
    """The answer to `Joining`: the seat, its key, and whether it has to be waited for."""

    seat: Seat
    token: str
    waits: bool


class KeyLink(Shown, frozen=True):
    """The answer to `OwnKey`: a link, and the rows of its QR code, in which `1` is dark."""

    link: str
    code: tuple[str, ...]


class Invitation(Shown, frozen=True):
    """The answer to `GET /api/tables/TABLE`: what whoever has the link may know before sitting down."""

    host: str | None
    started: bool
    over: bool
    hints: Hints
    game: Origin | None
    people: tuple[Person, ...]
    sentences: tuple[Wording, ...]
    link: str


class PictureCard(Shown, frozen=True):
    """A card of a picture, with the sign below it."""

    card: CardText
    sign: str | None


class RulesPicture(Shown, frozen=True):
    """What the picture of a rule set shows: its players, decks, special cards, and the number of cards in the kitty.

    `teams` has the number of the team of each seat, and is empty if each plays for themselves.
    """

    players: int
    decks: int
    teams: tuple[int, ...]
    cards: tuple[PictureCard, ...]
    kitty: int


class CheckedRules(Shown, frozen=True):
    """The answer to `POST /api/rules`: the problems of rules, or their sentences and their picture."""

    problems: tuple[ProblemShown, ...]
    sentences: tuple[Wording, ...]
    picture: RulesPicture | None


class DrillAnswer(Shown, frozen=True):
    """The answer to `GET /api/drills`: a drill, and how many there are of its theme."""

    count: int
    drill: DrillShown


_RuleSet: TypeAlias = Annotated[msgspec.Raw, component("RulesWire")]


class OfferedPreset(Shown, frozen=True):
    """A published rule set.

    `rules` has, by number of players, the options that differ from those of `OfferedChoices.defaults`, and
    `named` are the numbers of players that its source names.
    """

    name: str
    source: str
    summary: str
    players: int
    named: tuple[int, ...]
    rules: dict[int, _RuleSet]


class OptionSection(Shown, frozen=True):
    """A section of the options."""

    title: str
    options: tuple[str, ...]


class NamedGame(Shown, frozen=True):
    """A game of the first page: a preset for a number of players. What the server proposes may have a `name`."""

    preset: str
    players: int
    name: str | None
    picture: RulesPicture


class BotLevel(Shown, frozen=True):
    """A bot that hosts can choose; those that are `ours` have titles in the catalogues of the page."""

    name: str
    ours: bool
    usual: bool


class OfferedChoices(Shown, frozen=True):
    """The answer to `GET /api/choices`: all that the page offers.

    `schema` is the JSON Schema of documents of kind `rules`, and `defaults` the values of all options by number of
    players. The first of `games` is that of "Play now".
    """

    schema: Annotated[msgspec.Raw, msgspec.Meta(extra_json_schema={"description": "A JSON Schema."})]
    defaults: dict[int, Annotated[msgspec.Raw, component("FullRules")]]
    presets: tuple[OfferedPreset, ...]
    sections: tuple[OptionSection, ...]
    sentences: dict[str, str]
    games: tuple[NamedGame, ...]
    levels: tuple[BotLevel, ...]
    away: int


ANSWERS: Final = (Refusal, OpenedTable, TakenSeat, KeyLink, Invitation, CheckedRules, DrillAnswer, OfferedChoices)
"""The answers over HTTP."""

ALIASES: Final = {"AnySeen": AnySeen, "Wording": Wording, "GameEvent": AnyEvent, "GameMove": AnyMove}
"""The types that TypeScript has names for beside those of the structs."""
