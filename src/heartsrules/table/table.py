"""One table: who sits where, the state of the game, and whether a seat may do what it asks for."""

from __future__ import annotations

import hashlib
import hmac
import secrets
from collections.abc import Iterable
from random import Random

import attrs

from heartsrules import (
    AwaitingDeal,
    ChooseMoon,
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
    Rules,
    Seat,
    State,
    deal,
    new_game,
    pass_options,
    public_view,
    redact,
    to_act,
    transition,
    view,
)
from heartsrules.endings import can_claim, take_the_rest
from heartsrules.rules import Exposure
from heartsrules.table.bots import choose_for
from heartsrules.table.messages import (
    Choose,
    Claim,
    Person,
    Refused,
    Try,
    options_message,
    read_move,
    table_message,
    view_message,
)
from heartsrules.views import PassingView


def new_token() -> str:
    """A name that nobody can guess: 128 random bits."""
    return secrets.token_urlsafe(16)


def hashed(token: str) -> str:
    """What is kept of a token: somebody who reads the database cannot sit down with it."""
    return hashlib.sha256(token.encode()).hexdigest()


@attrs.frozen
class Step:
    """A legal move with what it leads to."""

    move: Move
    state: State
    events: tuple[Event, ...]
    """In full: they are redacted before anybody is told."""


@attrs.define
class Sitter:
    """Who sits on a seat."""

    name: str = ""
    kind: str = "free"
    """`person`, `bot` or `free`."""
    token_hash: str = ""
    stand_in: bool = False
    """Whether a bot plays for this person, who is away."""

    @property
    def automatic(self) -> bool:
        """Whether a bot makes the moves."""
        return self.kind == "bot" or self.stand_in


class Table:
    """One table. It does no input or output, and it trusts nobody.

    Attributes:
        id: the name of the table, which nobody can guess: anybody who knows it may watch, and take a free seat.
        state: the state of the game. It leaves this class only as views and redacted events.
        ply: how many moves have been made.
        asked: by seat, the ply at which the seat was last asked for a move; 0 before.
        rest: the plays that are still to be made of a claim; the server makes them. One that is stopped before forgets
            them, and the seat on lead may claim again.
    """

    def __init__(self, table_id: str, rules: Rules, rng: Random) -> None:
        self.id = table_id
        self.state: State = new_game(rules)
        self.ply = 0
        self.asked = [0] * rules.players
        self.sitters = [Sitter() for _ in range(rules.players)]
        self.started = False
        self.rest: list[Play] = []
        self._rng = rng

    @property
    def rules(self) -> Rules:
        """The rules."""
        return self.state.rules

    @property
    def over(self) -> bool:
        """Whether the match has ended."""
        return isinstance(self.state, GameOver)

    # ------------------------------------------------------------------------------------------------- the seats

    def free_seat(self) -> Seat:
        """The seat that the next person gets.

        Raises:
            Refused: the game has begun, or no seat is free.
        """
        if self.started:
            raise Refused("already-started", "the game has begun: you can watch it")
        for seat, sitter in enumerate(self.sitters):
            if sitter.kind == "free":
                return seat
        raise Refused("table-full", "every seat is taken: you can watch")

    def seat_of(self, token: str) -> Seat:
        """Whose token this is.

        Raises:
            Refused: no seat at this table has it.
        """
        for seat, sitter in enumerate(self.sitters):
            if sitter.kind == "person" and hmac.compare_digest(sitter.token_hash, hashed(token)):
                return seat
        raise Refused("unknown-token", "no seat at this table has that token")

    def people(self, here: Iterable[Seat | None]) -> list[Person]:
        """What everybody may know about who sits where; `here` are the seats that are connected."""
        present = set(here)
        return [
            Person(sitter.name, sitter.kind, sitter.kind == "bot" or seat in present, sitter.stand_in)
            for seat, sitter in enumerate(self.sitters)
        ]

    # -------------------------------------------------------------------------------------------------- the game

    def judge(self, seat: Seat | None, tried: Try) -> Step:
        """What a message of a seat leads to; the table itself stays as it is.

        Args:
            seat: the seat of the page that sent it, as its token says; None: a spectator.
            tried: the message. Whatever seat its move names is only a claim.

        Raises:
            Refused: with the `violations` of the rules, the `problems` of the document, or another reason.
        """
        return self._judged(self._own_move(seat, tried))

    def claim(self, seat: Seat | None, claimed: Claim) -> None:
        """Take all the tricks that are left, for a seat on lead that is sure of them: the server plays them out.

        Args:
            seat: the seat of the page that asks, as its token says; None: a spectator.
            claimed: the message.

        Raises:
            Refused: the seat is not on lead, or not sure of every trick; or the message is refused like a move.
        """
        seat = self._player(seat)
        self._check_asked(seat, claimed.ply)
        if not can_claim(view(self.state, seat)):
            raise Refused("cannot-claim", "you cannot take the rest: you must be on lead and sure of every trick")
        self.rest = list(take_the_rest(self.state))

    def options(self, seat: Seat | None, asked: Choose, language: str = "en") -> bytes:
        """The message that tells a seat how it may go on with the pass that it is choosing.

        Args:
            seat: as for `judge`.
            asked: the message.
            language: that of the reasons.

        Raises:
            Refused: the seat may not ask this now, or the cards are no part of a pass: `problems` says why.
        """
        move = self._own_move(seat, asked)
        seen = view(self.state, move.seat)
        if not isinstance(move, Pass) or not isinstance(seen, PassingView):
            raise Refused("not-passing", "only a pass is chosen card by card, and only while cards are passed")
        try:
            options = pass_options(seen, move.gifts)
        except InvalidState as error:
            raise Refused("not-a-pass", str(error), problems=error.problems) from None
        return options_message(asked.id, self.ply, options, language)

    def _own_move(self, seat: Seat | None, tried: Try | Choose) -> Pass | Expose | Play | ChooseMoon:
        """The move of a message, which is one of the seat that sent it and answers what that seat was asked."""
        seat = self._player(seat)
        move = read_move(bytes(tried.move))
        if isinstance(move, Deal) or move.seat != seat:
            raise Refused("not-your-seat", f"you are seat {seat}, and this is not its move")
        self._check_asked(seat, tried.ply)
        return move

    def _player(self, seat: Seat | None) -> Seat:
        if seat is None:
            raise Refused("spectator", "spectators may not make moves")
        if not self.started:
            raise Refused("not-started", "the game has not begun")
        return seat

    def _check_asked(self, seat: Seat, ply: int) -> None:
        if self.sitters[seat].stand_in:
            raise Refused("stand-in", "a bot plays for you: connect anew to take over")
        if self.rest:
            raise Refused("claimed", "somebody has taken the rest: the deal is being played out")
        if not self.asked[seat] <= ply <= self.ply:
            raise Refused("stale", f"this answers ply {ply}, but you were asked at ply {self.asked[seat]}")

    def _judged(self, move: Move) -> Step:
        try:
            moved = transition(self.state, move)
        except IllegalMove as error:
            raise Refused("illegal-move", str(error), violations=error.violations) from None
        return Step(move, moved.state, moved.events)

    @property
    def due(self) -> bool:
        """Whether the server is to make a move now, a deal or that of a bot. If not, it waits for people."""
        return self.started and (
            bool(self.rest)
            or isinstance(self.state, AwaitingDeal)
            or any(self.sitters[seat].automatic for seat in to_act(self.state))
        )

    def next_due(self) -> Step:
        """The move that the server is to make now, and what it leads to."""
        if self.rest:
            return self._judged(self.rest[0])
        if isinstance(self.state, AwaitingDeal):
            return self._judged(deal(self.state, rng=self._rng))
        seat = min(seat for seat in to_act(self.state) if self.sitters[seat].automatic)
        return self._judged(choose_for(view(self.state, seat), self._rng))

    def take(self, step: Step) -> None:
        """Go on to what a legal move has led to."""
        before = self.state
        self.state = step.state
        self.ply += 1
        del self.rest[:1]
        together = (isinstance(before, Passing) and isinstance(self.state, Passing)) or (
            isinstance(before, Exposing)
            and isinstance(self.state, Exposing)
            and self.rules.exposure is Exposure.TOGETHER
        )
        if not together:
            # Seats that pass or show cards at the same time are not asked anew because somebody else has moved.
            for seat in to_act(self.state):
                self.asked[seat] = self.ply

    def resume(self, moves: Iterable[Move]) -> None:
        """Make moves that were made before: those of a server that was stopped.

        Raises:
            IllegalMove: the rules refuse one of them, which they did not when it was made.
        """
        for move in moves:
            moved = transition(self.state, move)
            self.take(Step(move, moved.state, moved.events))

    # ----------------------------------------------------------------------------------------------- what is told

    def told(self, seat: Seat | None, events: tuple[Event, ...] = (), language: str = "en") -> bytes:
        """The message that tells a seat, or with None a spectator, how things stand and what has happened."""
        if seat is None:
            return view_message(self.ply, 0, public_view(self.state), redact(events, None), language)
        return view_message(self.ply, self.asked[seat], view(self.state, seat), redact(events, seat), language)

    def described(self, seat: Seat | None, here: Iterable[Seat | None], language: str = "en") -> bytes:
        """The message that tells a seat, or with None a spectator, who sits where."""
        return table_message(self.id, seat, self.started, self.people(here), self.rules, language)
