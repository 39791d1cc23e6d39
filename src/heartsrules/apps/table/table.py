"""One table: its seats, its game, and each seat's permissions."""

from __future__ import annotations

import enum
import hmac
from collections.abc import Collection, Iterable
from random import Random

import attrs

from heartsrules import (
    AwaitingDeal,
    ChooseMoon,
    ChoosingMoon,
    Deal,
    Event,
    Expose,
    Exposing,
    GameOver,
    IllegalMove,
    InvalidState,
    Move,
    Pass,
    Passing,
    Play,
    Playing,
    Rules,
    Seat,
    State,
    deal,
    new_game,
    pass_options,
    redact,
    to_act,
    transition,
    view,
)
from heartsrules.analysis.endings import can_claim, is_settled, play_out, take_the_rest
from heartsrules.apps.table.bots import HintQuestion, Question, choose_for
from heartsrules.apps.table.log import Entry, Log, Note
from heartsrules.apps.table.messages import Refused, log_message, options_message, origin_of, read_move, view_message
from heartsrules.apps.table.names import told_apart
from heartsrules.apps.table.positions import sheet_message, teams_of
from heartsrules.apps.table.protocol import AWAY, AskHint, Choose, Claim, Hints, Person, SheetMessage, Try, Welcome
from heartsrules.apps.table.seats import Holder, TableSeat, bot_name, hashed, seats_near
from heartsrules.apps.table.wording import rules_wording
from heartsrules.play.dealing import chance_to_act
from heartsrules.rules import Exposure
from heartsrules.views import PassingView, view_of


@attrs.frozen
class Step:
    move: Move
    state: State
    events: tuple[Event, ...]
    """The full events, which must be redacted for each seat before they are sent."""


@attrs.frozen
class _Before:
    """The table before a move of the current deal, or of the last one between two deals."""

    state: State
    asked: tuple[int, ...]
    mover: Seat | None


@attrs.frozen
class _Left:
    """A person who has given up a seat."""

    holder: Holder
    near: frozenset[Seat]
    """The seats whose people had the same address then."""
    deal: int


class Role(enum.Enum):
    PLAYS = enum.auto()
    OWNS = enum.auto()
    """The owner of a seat that someone took over while they were away."""
    WAITS = enum.auto()


class Table:
    """One table. It does no input or output, and trusts no client.

    Attributes:
        id: the table's name, which cannot be guessed: anyone who knows it can watch, and ask for a free seat.
        state: the game's state. It leaves this class only as views and redacted events.
        asked: for each seat, the ply at which it was last asked for a move, or 0.
        rest: the remaining plays of a claim, which the server makes. If it is interrupted, the seat on lead can claim
            again.
        host: the seat that can begin the game and choose the bots, or None for a table of bots, which begins by itself.
        away: seconds until a bot plays for an absent person, or None to leave it to the others.
        hints: the players who can ask for hints.
        game: the preset that the rules are based on, or empty.
    """

    def __init__(self, table_id: str, rules: Rules, rng: Random) -> None:
        self.id = table_id
        self.state: State = new_game(rules)
        self.ply = 0
        self.asked = [0] * rules.players
        self.seats = [TableSeat() for _ in range(rules.players)]
        self.started = False
        self.rest: list[Play] = []
        self.host: Seat | None = 0
        self.away: int | None = AWAY
        self.hints: Hints = "alone"
        self.game = ""
        self.log = Log()
        self._before: list[_Before] = []
        self._left: dict[Seat, _Left] = {}
        self._undealt: tuple[int, State] | None = None
        """The ply and the state before the first deal, or None if it was dealt elsewhere."""
        self._rng = rng

    @property
    def rules(self) -> Rules:
        return self.state.rules

    @property
    def over(self) -> bool:
        return isinstance(self.state, GameOver)

    @property
    def between_deals(self) -> bool:
        """True if no cards are dealt, so that no seat shows a hand."""
        return isinstance(self.state, AwaitingDeal)

    @property
    def unplayed(self) -> bool:
        """True if no card has been played in the match."""
        state = self.state
        before = not state.trick and not state.trick_number if isinstance(state, Playing) else not self.over
        return before and not state.deal_number and not isinstance(state, ChoosingMoon)

    # ------------------------------------------------------------------------------------------------- the seats

    def seat_for(self, wanted: Seat | None, here: Collection[Seat | None]) -> Seat:
        """Return the seat for a newcomer to wait for: before the game a free one, later a bot's.

        Args:
            wanted: the requested seat. Defaults to the first available one.
            here: the connected seats. A connected person keeps the seat, even while a bot plays there.

        Raises:
            Refused: the seat, or every seat, is taken.
        """
        if wanted is not None and wanted >= self.rules.players:
            raise Refused("no-such-seat", f"`seat` is {wanted}, but this table has seats 0 to {self.rules.players - 1}")
        if self.over:
            raise Refused("game-over", "the match is over, so no seat can be taken")
        for seat in range(self.rules.players):
            if wanted in (None, seat) and self.is_open(seat, here) and self.seats[seat].newcomer is None:
                return seat
        if wanted is None:
            raise Refused("table-full", f"all {self.rules.players} seats are taken, but you can watch")
        if self.started and self.is_open(wanted, here):
            raise Refused("seat-taken", f"another newcomer is waiting for seat {wanted}: choose a different seat")
        choice = "one that a bot plays" if self.started else "a free one"
        raise Refused("seat-taken", f"another player has seat {wanted}: choose {choice}")

    def is_open(self, seat: Seat, here: Collection[Seat | None]) -> bool:
        """Return True if a newcomer can play at a seat: its person is not there to play on."""
        state = self.seats[seat]
        if not self.started:
            return state.kind == "free"
        return not self.over and (state.kind == "bot" or (state.stand_in and seat not in here))

    def name(self, seat: Seat) -> str:
        """Return a player's name, or an empty string if the seat is free."""
        state = self.seats[seat]
        if state.holder is not None:
            return state.holder.name
        return bot_name(seat) if state.kind == "bot" else ""

    @property
    def names(self) -> list[str]:
        """Return the names of the table's people, and of the bots that may still play."""
        people = [each.name for state in self.seats for each in state.people]
        return people + [bot_name(seat) for seat in range(self.rules.players)]

    def near(self, seat: Seat) -> list[Seat]:
        """Return the other seats at the address of a seat's newcomer, or else of its holder."""
        person = self.seats[seat].newcomer or self.seats[seat].holder
        return [] if person is None else seats_near(self.seats, person.addresses, seat)

    def consent_needed(self, seat: Seat) -> set[Seat]:
        """Return the seats whose people must agree before a seat's newcomer plays.

        A newcomer whose address already has a seat could be one person who wants to see two hands. In the game all
        other people must agree, and before its first card those at other addresses. No one is asked about a person who
        has left this seat, unless someone else has come to that address.
        """
        newcomer = self.seats[seat].newcomer
        if newcomer is None:
            return set()
        near = self.near(seat)
        if not near or self._knows(seat, newcomer):
            return set()
        return {
            other
            for other, state in enumerate(self.seats)
            if other != seat and state.kind == "person" and (not self.unplayed or other not in near)
        }

    def _knows(self, seat: Seat, person: Holder) -> bool:
        """Return True if a person gave up this seat and shares their address with no one new."""
        left = self._left.get(seat)
        near = seats_near(self.seats, person.addresses, seat)
        return left is not None and left.holder.key_hash == person.key_hash and left.near.issuperset(near)

    def remember(self, seat: Seat) -> None:
        """Record a person who gives up their own seat."""
        state = self.seats[seat]
        if state.holder is not None and state.owner is None:
            self._left[seat] = _Left(state.holder, frozenset(self.near(seat)), self.state.deal_number)

    def returning(self, seat: Seat, token: str, address: str) -> Holder | None:
        """Return the person who gave up a seat, identified by its former key."""
        left = self._left.get(seat)
        if left is None or not hmac.compare_digest(left.holder.key_hash, hashed(token)):
            return None
        return attrs.evolve(left.holder.seen_at(address), name=told_apart(left.holder.name, self.names))

    def has_left_now(self, seat: Seat, person: Holder) -> bool:
        """Return True if a person left this seat in the current deal, so that they may see its hand at once."""
        now = self._left[seat].deal == self.state.deal_number and self.seats[seat].kind == "bot"
        return now and self._knows(seat, person)

    def admitted(self, seat: Seat, newcomer: Holder) -> TableSeat:
        """Return a seat after a newcomer has taken it. An absent person owns the seat, and gets it back on return."""
        state = self.seats[seat]
        holder = attrs.evolve(newcomer, since=self._next_deal)
        return TableSeat("person", state.level, holder, owner=state.owner or state.holder)

    def given_up(self, seat: Seat) -> TableSeat:
        """Return a seat without its holder: its owner's again, or a bot's, or before the game free."""
        state = self.seats[seat]
        if state.owner is not None:
            owner = attrs.evolve(state.owner, since=self._next_deal)
            return TableSeat("person", state.level, owner, newcomer=state.newcomer, stand_in=True)
        return TableSeat("bot" if self.started else "free", state.level, newcomer=state.newcomer)

    @property
    def _next_deal(self) -> int:
        return self.state.deal_number + (not self.between_deals)

    def find_key(self, token: str) -> tuple[Seat, Role, Holder]:
        """Return a key's seat, role and person, or raise `Refused` if it is unknown here."""
        key_hash = hashed(token)
        for seat, state in enumerate(self.seats):
            for role, person in ((Role.PLAYS, state.holder), (Role.OWNS, state.owner), (Role.WAITS, state.newcomer)):
                if person is not None and hmac.compare_digest(person.key_hash, key_hash):
                    return seat, role, person
        raise Refused("unknown-token", "`token` does not belong to this table")

    def people(self, here: Iterable[Seat | None]) -> tuple[Person, ...]:
        """Return the public facts about the players. `here` are the connected seats."""
        present = set(here)
        people = [
            Person(
                name=self.name(seat),
                kind=state.kind,
                here=state.kind == "bot" or seat in present,
                stand_in=state.stand_in,
                level=state.level,
                owner=None if state.owner is None else state.owner.name,
                takeable=self.started and self.is_open(seat, present) and state.newcomer is None,
                near=() if state.newcomer is not None else tuple(self.near(seat)),
                since=0 if state.holder is None else state.holder.since,
            )
            for seat, state in enumerate(self.seats)
        ]
        return tuple(people)

    def next_host(self, here: Collection[Seat | None]) -> Seat | None:
        """Return the next person to the left of the host who is here and plays, or None."""
        start = self.host or 0
        for offset in range(1, self.rules.players + 1):
            seat = (start + offset) % self.rules.players
            state = self.seats[seat]
            if state.kind == "person" and not state.stand_in and seat in here:
                return seat
        return None

    # -------------------------------------------------------------------------------------------------- the game

    def judge(self, seat: Seat | None, tried: Try) -> Step:
        """Return the step for a page's move, or raise `Refused`. The table does not change.

        `seat` is the page's seat according to its key, or None for a spectator. The move must be by that seat.
        """
        return self.step_of(self._own_move(seat, tried))

    def claim(self, seat: Seat | None, claimed: Claim) -> None:
        """Play out a deal, for a seat on lead that is sure of the rest, or a seat to act in a settled deal."""
        seat = self._player(seat)
        self._check_asked(seat, claimed.ply)
        seen = view(self.state, seat)
        if can_claim(seen):
            self.rest = list(take_the_rest(self.state))
        elif seat in to_act(seen) and is_settled(seen):
            self.rest = list(play_out(self.state))
        else:
            raise Refused("cannot-claim", "you cannot claim the rest: you are not on lead, or not sure of every trick")

    def options(self, seat: Seat | None, asked: Choose, language: str = "en") -> bytes:
        move = self._own_move(seat, asked)
        seen = view(self.state, move.seat)
        if not isinstance(move, Pass) or not isinstance(seen, PassingView):
            raise Refused(
                "not-passing", "`move` must be a pass, in the passing phase: other moves are not chosen card by card"
            )
        try:
            options = pass_options(seen, move.cards)
        except InvalidState as error:
            raise Refused("not-a-pass", str(error), problems=error.problems) from None
        return options_message(asked.id, self.ply, options, language)

    def may_have_hints(self, seat: Seat) -> bool:
        """Return True if a seat can ask for hints on its turn."""
        return self.hints == "always" or (self.hints == "alone" and self._alone(seat))

    def hint_question(self, seat: Seat | None, asked: AskHint, worlds: int, seconds: float | None) -> HintQuestion:
        """Return the question for a hint. It contains only the view of the seat that asks."""
        seat = self._player(seat)
        if not self.may_have_hints(seat):
            whom = "no player" if self.hints == "never" else "only a player alone against bots"
            raise Refused("no-hints", f"you cannot have hints: at this table, {whom} can")
        self._check_asked(seat, asked.ply)
        if seat not in to_act(self.state):
            raise Refused("nothing-to-do", "there is nothing to hint at: it is not your turn")
        return HintQuestion(view(self.state, seat), f"hint {self.id} {seat} {self.ply}", worlds, seconds)

    def _own_move(self, seat: Seat | None, tried: Try | Choose) -> Pass | Expose | Play | ChooseMoon:
        """Return a message's move, checked to be the sender's own and an answer to its latest question."""
        seat = self._player(seat)
        move = read_move(bytes(tried.move))
        if isinstance(move, Deal) or move.seat != seat:
            raise Refused("not-your-seat", f"`move` must be by seat {seat}, your own")
        self._check_asked(seat, tried.ply)
        return move

    def _player(self, seat: Seat | None) -> Seat:
        if seat is None:
            raise Refused("spectator", "spectators may not make moves")
        if not self.started:
            raise Refused("not-started", "the game has not started")
        return seat

    def _check_asked(self, seat: Seat, ply: int) -> None:
        if self.seats[seat].stand_in:
            raise Refused("stand-in", "a bot is playing for you: take your seat back first")
        if self.rest:
            raise Refused(
                "claimed",
                "another move is not possible: a player has claimed the rest, and the deal is being played out",
            )
        if not self.asked[seat] <= ply <= self.ply:
            raise Refused("stale", f"`ply` is {ply}, but you were last asked for a move at ply {self.asked[seat]}")

    def step_of(self, move: Move) -> Step:
        try:
            moved = transition(self.state, move)
        except IllegalMove as error:
            raise Refused("illegal-move", str(error), violations=error.violations) from None
        return Step(move, moved.state, moved.events)

    @property
    def due(self) -> bool:
        """True if the server must make a move: a deal or a bot's."""
        return self.started and (
            bool(self.rest)
            or chance_to_act(self.state)
            or any(self.seats[seat].automatic for seat in to_act(self.state))
        )

    def next_due(self) -> Step:
        if self.rest:
            return self.step_of(self.rest[0])
        if chance_to_act(self.state):
            return self.step_of(deal(self.state, rng=self._rng))
        seat = self.acting_bot
        assert seat is not None
        return self.step_of(choose_for(self.question(seat)))

    @property
    def acting_bot(self) -> Seat | None:
        if not self.started or self.rest:
            return None
        return min([seat for seat in to_act(self.state) if self.seats[seat].automatic], default=None)

    def question(self, seat: Seat) -> Question:
        return Question(view(self.state, seat), self.seats[seat].plays_as, self._rng.getrandbits(64))

    def take(self, step: Step) -> None:
        before = self.state
        self.log.add(
            Entry(self.ply, step.state.deal_number if isinstance(step.move, Deal) else before.deal_number, step.events)
        )
        if isinstance(before, AwaitingDeal):
            self._before.clear()
            if not before.deal_number:
                self._undealt = self.ply, before
        else:
            self._before.append(_Before(before, tuple(self.asked), getattr(step.move, "seat", None)))
        self.state = step.state
        self.ply += 1
        del self.rest[:1]
        together = (isinstance(before, Passing) and isinstance(self.state, Passing)) or (
            isinstance(before, Exposing)
            and isinstance(self.state, Exposing)
            and self.state.start == before.start
            and self.rules.exposure in (Exposure.TOGETHER, Exposure.ROUNDS)
        )
        if not together:
            # While seats pass or show cards at the same time, a move of one asks the others nothing new.
            for seat in to_act(self.state):
                self.asked[seat] = self.ply

    def resume(self, moves: Iterable[Move]) -> None:
        """Replay stored moves, or raise `IllegalMove` if the rules now refuse one."""
        for move in moves:
            moved = transition(self.state, move)
            self.take(Step(move, moved.state, moved.events))

    # --------------------------------------------------------------------------------------------- taking moves back

    def may_undo(self, seat: Seat | None) -> bool:
        """Return True if a seat can take back its last move: all others are bots, and the match goes on."""
        return seat is not None and not self.over and self._alone(seat) and self._last_move(seat) is not None

    def undo(self, seat: Seat | None) -> tuple[int, State]:
        """Return the ply and the state before a seat's last move, or raise `Refused` if it cannot go back to it."""
        if seat is None:
            raise Refused("spectator", "spectators may not make moves")
        if not self._alone(seat):
            raise Refused("cannot-undo", "you cannot take back a move, because other people play too")
        at = self._last_move(seat)
        if at is None or self.over:
            raise Refused("cannot-undo", "you have no move in this deal to take back")
        return self.ply - len(self._before) + at, self._before[at].state

    def take_back(self, ply: int) -> None:
        """Go back to a ply of this deal that `undo` has returned."""
        at = len(self._before) - (self.ply - ply)
        before = self._before[at]
        del self._before[at:]
        self.state, self.asked, self.ply = before.state, list(before.asked), ply
        self.rest.clear()
        self.log.take_back(ply)

    @property
    def first_deal(self) -> int | None:
        """The ply of the first deal while it can be dealt again, before any card is played, or None."""
        again = self.started and self.unplayed and not self.between_deals and self._undealt is not None
        return self._undealt[0] if again and self._undealt is not None else None

    def undeal(self) -> None:
        assert self._undealt is not None
        self.ply, self.state = self._undealt
        self.asked = [0] * self.rules.players
        self._before.clear()
        self.log.take_back(self.ply)

    def _alone(self, seat: Seat) -> bool:
        others = [state for at, state in enumerate(self.seats) if at != seat]
        return self.seats[seat].owner is None and all([state.kind == "bot" for state in others])

    def _last_move(self, seat: Seat) -> int | None:
        for at in range(len(self._before) - 1, -1, -1):
            if self._before[at].mover == seat:
                return at
        return None

    def note(self, note: Note) -> None:
        self.log.add(Entry(self.ply, self.state.deal_number, note=note))

    # ------------------------------------------------------------------------------------------- messages to pages

    def logged(self, seat: Seat | None) -> bytes:
        """Return the message with the latest log entries, for a seat or with None for a spectator."""
        holder = None if seat is None else self.seats[seat].holder
        return log_message(self.log.seen_by(seat, 0 if holder is None else holder.since))

    def told(self, seat: Seat | None, events: tuple[Event, ...] = (), language: str = "en") -> bytes:
        """Return the message with the view and the redacted events of a seat, or with None of a spectator."""
        asked = 0 if seat is None else self.asked[seat]
        hints = seat is not None and self.may_have_hints(seat) and not self.seats[seat].stand_in
        seen, heard = view_of(self.state, seat), redact(events, seat)
        return view_message(self.ply, asked, seen, heard, self.may_undo(seat), language, hints)

    def sheet(self) -> SheetMessage:
        return sheet_message(self.rules, self.state.score_sheet)

    def welcome(self, version: str, link: str, language: str) -> Welcome:
        return Welcome(
            version,
            self.id,
            link,
            origin_of(self.game, self.rules),
            teams_of(self.rules),
            rules_wording(self.rules, language),
            self.hints,
            self.away,
        )
