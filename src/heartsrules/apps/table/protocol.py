"""The messages between a page and the server, in both directions, and the answers over HTTP.

`protocol.d.ts` is generated from these structs.
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
"""Seconds until a bot plays for an absent player, unless the host chooses otherwise."""

Hints: TypeAlias = Literal["alone", "always", "never"]
"""The players who can ask for hints: `alone` means a person who plays only against bots."""

Phrase: TypeAlias = Literal["hello", "luck", "nice", "ouch", "sorry", "thanks", "moment", "game", "again", "bye"]
"""A phrase that players can say to each other. The page's catalogues contain the words."""

Pace: TypeAlias = Literal["slow", "usual", "fast"]
"""The bots' speed of play."""

CardText: TypeAlias = Annotated[str, msgspec.Meta(pattern="^[2-9TJQKA][CDSH]$")]
"""A card, such as `QS`."""
_Number: TypeAlias = Annotated[int, msgspec.Meta(ge=0, le=2**53 - 1)]
_Token: TypeAlias = Annotated[str, msgspec.Meta(max_length=64)]
_MoveDocument: TypeAlias = Annotated[msgspec.Raw, component("Move")]
_RulesDocument: TypeAlias = Annotated[msgspec.Raw, component("RulesDocument")]


# ------------------------------------------------------------------------------------------------ from a page


class FromPage(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A message from a page."""


class Hello(FromPage, frozen=True, tag="hello"):
    """The first message on a socket: a seat's key, or null to watch, and the page's language."""

    token: _Token | None
    language: Annotated[str, msgspec.Meta(max_length=35)] = "en"


class Ping(FromPage, frozen=True, tag="ping"):
    """A keep-alive, answered at once by `PongMessage`. It does not keep a table awake."""


class Request(FromPage, frozen=True):
    """A message with an answer, which has the same id."""

    id: _Number


class Timely(Request, frozen=True):
    """A request about one position, in which `ply` is the number of moves that the page had seen."""

    ply: _Number


class Start(Request, frozen=True, tag="start"):
    """The host's request to begin the game. Bots take the free seats."""


class StandIn(Request, frozen=True, tag="stand-in"):
    """The host's request that a bot play for a long-absent person until they return."""

    seat: _Number


class Vote(Request, frozen=True, tag="vote"):
    """A vote for a bot to play for someone who has been away or idle too long, or its withdrawal."""

    seat: _Number
    wanted: bool = True


class Back(Request, frozen=True, tag="back"):
    """A person's request to play on instead of the bot that plays for them."""


class Leave(Request, frozen=True, tag="leave"):
    """A person's request to give up a seat, or to stop waiting for it."""


class Agree(Request, frozen=True, tag="agree"):
    """A person's consent to a seat's newcomer, or their refusal, which sends the newcomer away."""

    seat: _Number
    agreed: bool = True


class Fill(Request, frozen=True, tag="fill"):
    """The host's choice for a vacant seat: a bot of this level, or with `friend` only if no one takes it."""

    seat: _Number
    level: str
    friend: bool = False


class Undo(Request, frozen=True, tag="undo"):
    """A seat's request to take back its last move. All other players must be bots."""


class Again(Request, frozen=True, tag="again"):
    """A player's request for another match with the same people, at a new table."""


class Say(Request, frozen=True, tag="say"):
    """A fixed phrase that a player says to the whole table."""

    phrase: Phrase


class SetPace(Request, frozen=True, tag="pace"):
    """A person's request for another speed of the bots."""

    pace: Pace


class Reviewing(Request, frozen=True, tag="reviewing"):
    """A person opens a review, or closes it: meanwhile no deal is dealt."""

    open: bool


class GoOn(Request, frozen=True, tag="go-on"):
    """A sign that a person is still there, so the bots can play on."""


class Try(Timely, frozen=True, tag="move"):
    """A move that a seat attempts."""

    move: _MoveDocument


class Claim(Timely, frozen=True, tag="claim"):
    """A claim of all remaining tricks, or a request to play out a settled deal."""


class Choose(Timely, frozen=True, tag="choose"):
    """A question about an incomplete pass: the cards that can be added to `move`."""

    move: _MoveDocument


class AskHint(Timely, frozen=True, tag="hint"):
    """A request for a hint."""


class AskReview(Request, frozen=True, tag="review"):
    """A request to review a seat's moves in finished deals."""

    deals: Annotated[tuple[_Number, ...], msgspec.Meta(min_length=1)]


class AskDrill(Request, frozen=True, tag="drill"):
    """A request for a drill from a mistake in a finished deal, the move number `ply`."""

    deal: _Number
    ply: _Number


AnyMessage: TypeAlias = Hello | Ping | Request
MESSAGES: Final[tuple[type[FromPage], ...]] = (
    *(Hello, Ping),
    *[each for base in (Request, Timely) for each in base.__subclasses__() if each is not Timely],
)
"""All messages from a page."""


class SeatPlan(FromPage, frozen=True):
    """The plan for a seat, as in `Fill`."""

    level: str = USUAL
    friend: bool = True


class Opening(FromPage, frozen=True):
    """The body of `POST /api/tables`, which opens a table.

    `rules` is a document of kind `rules`, and `game` its preset. `name` is the host's, who plays on the first seat, or
    watches unless `play`. `seats` has one plan per seat; seats without a plan are for friends. `away` is the number of
    seconds until a bot plays for an absent person, or null for never.
    """

    rules: _RulesDocument
    name: str = ""
    play: bool = True
    seats: Annotated[list[SeatPlan], msgspec.Meta(max_length=11)] = []
    away: Annotated[int, msgspec.Meta(ge=10, le=86_400)] | None = AWAY
    hints: Hints = "alone"
    game: Annotated[str, msgspec.Meta(max_length=64)] = ""


class PlayOn(FromPage, frozen=True):
    """The body of `POST /api/positions`, which opens a table to play a position on against bots.

    `position` is a line of the notation, or a document of kind `state`. The host plays the cards of `seat`, by default
    of the first seat to act, or of the first seat if there is none.
    """

    position: str
    name: str
    seat: _Number | None = None


class Joining(FromPage, frozen=True):
    """The body of `POST /api/tables/TABLE/seats`: the requested seat, by default the first available one.

    `token` is the key of this seat if its person gave it up and wants it again.
    """

    name: str
    seat: _Number | None = None
    token: str = ""


class OwnKey(FromPage, frozen=True):
    """The body of `POST /api/tables/TABLE/key`, which asks for a seat's key as a link."""

    token: _Token


BODIES: Final = (Opening, PlayOn, Joining, OwnKey)
"""The bodies of HTTP requests, except for `POST /api/rules`, whose body is a document of kind `rules`."""


# ---------------------------------------------------------------------------------------------------- sentences


class Part(msgspec.Struct, frozen=True, tag_field="type"):
    """A part of a sentence that is not plain text."""


class CardPart(Part, frozen=True, tag="card"):
    card: CardText


class PersonPart(Part, frozen=True, tag="person"):
    """The player of a seat."""

    seat: Seat


class OptionPart(Part, frozen=True, tag="option"):
    """An option of the rules, or with a `value` that value of it."""

    option: str
    value: str | None


Wording: TypeAlias = tuple[str | CardPart | PersonPart | OptionPart, ...]
"""A sentence in parts: plain text, and parts displayed in another way. Only sentences of the rules end with a full
stop.
"""


# -------------------------------------------------------------------------------------------------- to a page


class ToPage(msgspec.Struct, frozen=True, tag_field="type"):
    """A message to a page."""


class Shown(msgspec.Struct, frozen=True):
    """A part of a message, or an answer over HTTP. All keys are always present."""


class Origin(Shown, frozen=True):
    """The preset that a table was opened from, and whether its rules were changed."""

    preset: str
    changed: bool


class Welcome(ToPage, frozen=True, tag="welcome"):
    """The first message on a socket: the constants of a table.

    `version` is the version of the server's page, and empty if the page is its own server; a page of another version
    must be reloaded. `link` is the table's link for others, and empty if they cannot reach it. `teams` has each seat's
    team number, and is empty if there are no teams. `away` is as in `Opening`.
    """

    version: str
    table: str
    link: str
    game: Origin | None
    teams: tuple[int, ...]
    rules: tuple[Wording, ...]
    hints: Hints
    away: int | None


class Person(Shown, frozen=True):
    """The public facts about a seat's player.

    `here` is true if one of their pages is connected, `stand_in` if a bot plays for them, and `takeable` if a spectator
    can ask for the seat. `level` is that of the present or future bot. `owner` is the absent person who owns the seat.
    `near` lists the other seats whose people have the same network address, and `since` is their first deal here.
    """

    name: str
    kind: Literal["person", "bot", "free"]
    here: bool
    stand_in: bool
    level: str
    owner: str | None
    takeable: bool
    near: tuple[Seat, ...]
    since: int = 0


class Absent(Shown, frozen=True):
    """A person who has been away or idle too long, and the votes for a bot."""

    seat: Seat
    votes: tuple[Seat, ...]
    needed: int


class Newcomer(Shown, frozen=True):
    """A person waiting for a seat, the seats at the same address, and those that have yet to agree."""

    seat: Seat
    name: str
    near: tuple[Seat, ...]
    asked: tuple[Seat, ...]


class TableMessage(ToPage, frozen=True, tag="table"):
    """The players, sent whenever they change.

    `seat` is the page's seat. `paused` is the reason why no further deal is dealt, `look` the number of seconds for
    which a deal's last trick stays, and `next` the table of the next match with the same people.
    """

    seat: Seat | None
    waits_for: Seat | None
    started: bool
    over: bool
    host: Seat | None
    people: tuple[Person, ...]
    absent: tuple[Absent, ...]
    newcomers: tuple[Newcomer, ...]
    paused: Literal["limit", "unattended", "review"] | None
    reviewing: tuple[Seat, ...]
    look: float
    next: str | None


class SheetRow(Shown, frozen=True):
    """A finished deal: the change of each displayed total, the new totals, and the seat that shot the moon."""

    points: tuple[int, ...]
    totals: tuple[int, ...]
    shooter: Seat | None


class SeatStatistics(Shown, frozen=True):
    """A seat's statistics over the finished deals of a match.

    `average` and `most` are displayed points per deal, `clean` is the number of deals without penalty points, and
    `queens` is null unless some deal had exactly one queen of spades.
    """

    average: float
    most: int
    clean: int
    tricks: int
    queens: int | None
    moons: int


class SheetMessage(ToPage, frozen=True, tag="sheet"):
    """The score sheet. It is sent before the view that it belongs to, and only if it has changed.

    `zero` is the display of a total of 0, and `start` has the displayed totals before the first row. `statistics` has
    one item per seat, and is empty until the first deal has ended.
    """

    zero: int
    start: tuple[int, ...]
    rows: tuple[SheetRow, ...]
    statistics: tuple[SeatStatistics, ...]


SEEN: Final = views_without(
    *("heartsrules", "kind", "rules", "scores", "score_sheet", "first", "start", "queen_taker"),
    *("passed", "received", "pass_counts", "unpassable", "led_before", "kitty", "kitty_winner"),
    *("trick", "tricks", "captured", "tricks_won", "last_deal"),
)
"""The views on the wire, by phase, without the fields that pages do not show, or that are in `Facts`."""
if TYPE_CHECKING:
    AnySeen: TypeAlias = Any
else:
    AnySeen = Union[tuple(SEEN.values())]  # noqa: UP007 - a tuple

Action: TypeAlias = Literal["choosing", "has-chosen", "to-play", "shot-moon", "wins"]


class CardMark(Shown, frozen=True):
    """The sign on a bonus card or on the doubler, and its value."""

    sign: str
    kind: Literal["bonus", "doubler"]
    worth: int


class Counting(Shown, frozen=True):
    """Cards that count: the number of hearts, and the names of the others."""

    hearts: int
    cards: tuple[CardText, ...]


class Taken(Counting, frozen=True):
    """The cards that a seat has taken in the current deal, or in the last one, and its points and tricks.

    `points` are those of the cards, or all of the deal once it is scored. `pile` are all the cards.
    """

    points: int
    tricks: int
    pile: tuple[CardText, ...]


class PlayedCard(Shown, frozen=True):
    """A card of a trick, and whether an equal one cancels it."""

    seat: Seat
    card: CardText
    cancelled: bool


class ShownTrick(Shown, frozen=True):
    """A trick; `winner` is the seat that wins so far, or has won."""

    plays: tuple[PlayedCard, ...]
    winner: Seat | None
    complete: bool


class KittyPile(Shown, frozen=True):
    """The kitty, with its cards if they are visible."""

    size: int
    winner: Seat | None
    cards: tuple[CardText, ...]


class MoonEffects(Shown, frozen=True):
    """The change of each displayed total by each effect of shooting the moon."""

    others_up: tuple[int, ...]
    shooter_down: tuple[int, ...]


class StandingShown(Shown, frozen=True):
    """A place in the standings, and its displayed total."""

    place: int
    seats: tuple[Seat, ...]
    total: int


class Facts(Shown, frozen=True):
    """The consequences of a view that a page cannot derive without the rules. Tuples have one item per seat.

    `plan` has the transfers of the pass: the number of seats to the left, or 0 for the middle, and the number of cards.
    `open` are each seat's exposed cards, and `aside` the cards that no one has won. `scored` is true once the deal is
    over. `lying` is the current trick, or else the `last` one, which is complete.
    """

    doing: tuple[Action | None, ...]
    totals: tuple[int, ...]
    plan: tuple[tuple[int, int], ...]
    marks: dict[CardText, CardMark]
    open: tuple[tuple[CardText, ...], ...]
    hand_sizes: tuple[int, ...]
    scored: bool
    lying: ShownTrick | None
    last: ShownTrick | None
    kitty: KittyPile | None
    taken: tuple[Taken, ...]
    aside: Counting | None
    moon: MoonEffects | None
    standings: tuple[StandingShown, ...]


class ReasonShown(Shown, frozen=True):
    """A reason against a card or a move.

    `kind` says when it ends: `turn`, at the seat's turn; `full`, when another card is taken back; `barred`, only when
    the position changes.
    """

    code: str
    kind: Literal["turn", "full", "barred"]
    sentence: Wording


class PassOptionsShown(Shown, frozen=True):
    """The ways to complete a pass.

    For each transfer, `missing` is the number of missing cards, and `cards` has the reasons against each card, as
    indices into `reasons`.
    """

    missing: tuple[int, ...]
    complete: bool
    reasons: tuple[ReasonShown, ...]
    cards: tuple[dict[CardText, tuple[int, ...]], ...]


class SeatChoice(Shown, frozen=True):
    """A seat's choices: whether it can act, claim the rest, have a settled deal played out, or decline to pass.

    `cards` are the cards of the hand, each with the reasons against it as indices into `reasons`.
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
    """A view, the events that led to it and the choices of its seat, sent after every move.

    `ply` is the number of moves made, and `since` the ply at which the seat was last asked for one. `events` are empty
    for a page that has just connected.
    """

    ply: int
    since: int
    view: AnySeen
    facts: Facts
    choice: SeatChoice
    events: tuple[AnyEvent, ...]


class LogEntry(Shown, frozen=True):
    """A note, or a move's events."""

    deal: int
    events: tuple[AnyEvent, ...]
    note: Note | None


class LogMessage(ToPage, frozen=True, tag="log"):
    """The latest entries of the log, for a page that has just connected, or after a move was taken back."""

    entries: tuple[LogEntry, ...]


class NoteMessage(ToPage, frozen=True, tag="note"):
    """An announcement to the whole table."""

    note: Note


class PhraseMessage(ToPage, frozen=True, tag="phrase"):
    """A phrase that a player says."""

    seat: Seat
    phrase: Phrase


class OptionsMessage(ToPage, frozen=True, tag="options"):
    """The answer to `Choose`."""

    id: int
    ply: int
    options: PassOptionsShown


class HintMessage(ToPage, frozen=True, tag="hint"):
    """The answer to `AskHint`: a sentence, and the move that it recommends."""

    id: int
    ply: int
    sentence: Wording
    move: AnyMove


class EstimateShown(Shown, frozen=True):
    """An estimate, with its 95 % interval."""

    mean: float
    interval: tuple[float, float]


class CostShown(Shown, frozen=True):
    """The cost of a move relative to the best one.

    `value` combines the points and the chance to win.
    """

    points: EstimateShown
    win: EstimateShown
    value: EstimateShown


Grade: TypeAlias = Literal["best", "fine", "inaccuracy", "mistake", "blunder"]
"""The quality of a move."""


class ReviewedMove(Shown, frozen=True):
    """A move that was made, and the best ones.

    `scale` names the cost that goes with `quality`, `at_random` is the cost of a random move, and `win` the chance to
    win the match before the move.
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
    """The parts of the points of some deals: the average, the dealt hands (luck), one's own play (skill) and the rest.

    All are rounded, and add up to `points`.
    """

    deals: int
    points: int
    average: int
    cards: int
    play: int
    others: int
    cards_margin: int
    play_margin: int


class Turn(Shown, frozen=True):
    """A turning point of a match: a deal that changed a seat's chance to win considerably."""

    ply: int
    deal: int
    trick: int | None
    seat: Seat
    before: float
    after: float
    cause: Literal["cards", "pass", "own", "table"]


class ReviewedMessage(ToPage, frozen=True, tag="reviewed"):
    """An answer to `AskReview` after each deal, about all decisions so far.

    `done` are the deals that were reviewed, `accuracy` is null if no choice mattered, `win` is the chance to win after
    the last of the deals, and `luck` is null if the beginning of no deal is known.
    """

    id: int
    done: tuple[int, ...]
    accuracy: float | None
    counts: dict[Grade, int]
    win: float
    luck: LuckAndSkill | None
    turns: tuple[Turn, ...]


class DrillChoice(Shown, frozen=True):
    """A move to choose from, with the sentences for someone who chooses it."""

    move: AnyMove
    quality: Grade
    cost: CostShown
    right: bool
    verdict: Wording
    reason: Wording
    costs: Wording


class DrillShown(Shown, frozen=True):
    """A position that asks for the best move, with the answers. `names` has one item per seat."""

    theme: str
    seat: Seat
    names: tuple[str, ...]
    teams: tuple[int, ...]
    rows: tuple[SheetRow, ...]
    choices: tuple[DrillChoice, ...]
    view: AnySeen
    facts: Facts
    choice: SeatChoice


class DrillMessage(ToPage, frozen=True, tag="drill"):
    """The answer to `AskDrill`: a drill, or null if the move makes none."""

    id: int
    drill: DrillShown | None


class AcceptedMessage(ToPage, frozen=True, tag="accepted"):
    """The answer to a request that has been carried out and has no answer of its own."""

    id: int
    ply: int


class ProblemShown(Shown, frozen=True):
    """A problem in a document, and pointers to the faulty fields."""

    code: str
    fields: tuple[str, ...]
    sentence: Wording


class RefusedMessage(ToPage, frozen=True, tag="refused"):
    """The answer to a refused request, or to an unreadable message, which has no id."""

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
    """The answer to a refused HTTP request."""

    code: str
    message: str
    problems: tuple[ProblemShown, ...]


class OpenedTable(Shown, frozen=True):
    """The answer to `Opening` and `PlayOn`: the table, and the host's seat and key."""

    table: str
    seat: Seat | None
    token: str | None


class TakenSeat(Shown, frozen=True):
    """The answer to `Joining`: the seat, its key, and whether the person has to wait for it."""

    seat: Seat
    token: str
    waits: bool


class KeyLink(Shown, frozen=True):
    """The answer to `OwnKey`: a link, and the rows of its QR code, in which `1` is dark."""

    link: str
    code: tuple[str, ...]


class Invitation(Shown, frozen=True):
    """The answer to `GET /api/tables/TABLE`: the public facts about a table."""

    host: str | None
    started: bool
    over: bool
    hints: Hints
    game: Origin | None
    people: tuple[Person, ...]
    sentences: tuple[Wording, ...]


class PictureCard(Shown, frozen=True):
    """A card of a picture, with the sign below it."""

    card: CardText
    sign: str | None


class RulesPicture(Shown, frozen=True):
    """The content of a rule set's picture: players, decks, special cards, and the size of the kitty.

    `teams` is as in `Welcome`.
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
    """The answer to `GET /api/drills`: a drill, and the number of drills on its theme."""

    count: int
    drill: DrillShown


_RuleSet: TypeAlias = Annotated[msgspec.Raw, component("RulesWire")]


class OfferedPreset(Shown, frozen=True):
    """A published rule set.

    For each number of players, `rules` has the options that differ from `OfferedChoices.defaults`. `named` are the
    numbers of players that its source names.
    """

    name: str
    source: str
    summary: str
    players: int
    named: tuple[int, ...]
    rules: dict[int, _RuleSet]


class NamedGame(Shown, frozen=True):
    """A game of the first page: a preset for a number of players, with a `name` if the server proposes it."""

    preset: str
    players: int
    name: str | None
    picture: RulesPicture


class BotLevel(Shown, frozen=True):
    """A bot that hosts can choose. The page's catalogues have titles for those that are `ours`."""

    name: str
    ours: bool
    usual: bool


class OfferedChoices(Shown, frozen=True):
    """The answer to `GET /api/choices`: everything that the page offers.

    `defaults` has the values of all options by number of players. "Play now" starts the first of `games`.
    """

    defaults: dict[int, Annotated[msgspec.Raw, component("FullRules")]]
    presets: tuple[OfferedPreset, ...]
    games: tuple[NamedGame, ...]
    levels: tuple[BotLevel, ...]
    away: int


ANSWERS: Final = (Refusal, OpenedTable, TakenSeat, KeyLink, Invitation, CheckedRules, DrillAnswer, OfferedChoices)
"""The answers over HTTP."""

ALIASES: Final = {"AnySeen": AnySeen, "Wording": Wording, "GameEvent": AnyEvent, "GameMove": AnyMove}
"""The types with names in TypeScript, in addition to the structs."""
