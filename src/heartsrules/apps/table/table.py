"""One table: who sits where, the state of the game, and whether a seat may do what it asks for."""

from __future__ import annotations

import hashlib
import hmac
import secrets
from collections.abc import Collection, Iterable, Mapping
from random import Random
from types import MappingProxyType
from typing import Any, Final

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
from heartsrules.apps.table.bots import USUAL, HintQuestion, Question, choose_for
from heartsrules.apps.table.messages import (
    AWAY,
    AskHint,
    Choose,
    Claim,
    Hints,
    Person,
    Refused,
    Try,
    options_message,
    read_move,
    table_message,
    told_game,
    view_message,
)
from heartsrules.messages import describe
from heartsrules.rules import Exposure
from heartsrules.search.endings import can_claim, take_the_rest
from heartsrules.views import PassingView

NOTHING: Final[Mapping[str, Any]] = MappingProxyType({})


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
    """Who sits on a seat, or what is to happen to it before the game."""

    name: str = ""
    kind: str = "free"
    """`person`, `bot` or `free`."""
    token_hash: str = ""
    level: str = USUAL
    """Of a bot, or of the bot that fills a free seat, how strong it is: a name of `LEVELS`."""
    owner_name: str = ""
    """Whose seat this is, if somebody else has taken it over until they are back."""
    owner_hash: str = ""
    """The hash of the token of the owner; empty: nobody has taken this seat over."""
    stand_in: bool = False
    """Whether a bot plays for this person, who is away."""

    @property
    def automatic(self) -> bool:
        """Whether a bot makes the moves."""
        return self.kind == "bot" or self.stand_in

    @property
    def plays_as(self) -> str:
        """The level of the bot that makes the moves."""
        return self.level if self.kind == "bot" else USUAL


def bot_sitter(seat: Seat, level: str = USUAL) -> Sitter:
    """A bot for a seat."""
    return Sitter(f"Bot {seat + 1}", "bot", level=level)


@attrs.frozen
class _Before:
    """How things stood before a move of the deal that is being played, or has just ended."""

    state: State
    asked: tuple[int, ...]
    mover: Seat | None


class Table:
    """One table. It does no input or output, and it trusts nobody.

    Attributes:
        id: the name of the table, which nobody can guess: anybody who knows it may watch, and take a free seat.
        state: the state of the game. It leaves this class only as views and redacted events.
        ply: how many moves have been made.
        asked: by seat, the ply at which the seat was last asked for a move; 0 before.
        rest: the plays that are still to be made of a claim; the server makes them. One that is stopped before forgets
            them, and the seat on lead may claim again.
        host: the seat that may begin the game and choose the bots; None: a table of bots, which nobody has to begin.
        away: after how many seconds a bot plays for somebody who is away; None: only when the others want it.
        hints: who may ask for hints.
        game: the preset that the rules were made from; empty: none.
        undone_deal: the deal in which a move was last taken back; -1: none.
    """

    def __init__(self, table_id: str, rules: Rules, rng: Random) -> None:
        self.id = table_id
        self.state: State = new_game(rules)
        self.ply = 0
        self.asked = [0] * rules.players
        self.sitters = [Sitter() for _ in range(rules.players)]
        self.started = False
        self.rest: list[Play] = []
        self.host: Seat | None = 0
        self.away: int | None = AWAY
        self.hints: Hints = "alone"
        self.game = ""
        self.undone_deal = -1
        self._before: list[_Before] = []
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

    def seat_for(self, wanted: Seat | None, here: Collection[Seat | None]) -> Seat:
        """The seat that somebody gets who asks for one, or for any: before the game a free one, and then that of a bot.

        Args:
            wanted: which; None: the first that is free before the game.
            here: the seats that are connected. Whoever is here keeps a seat, even while a bot plays on it.

        Raises:
            Refused: the seat, or every one, is taken; or a move was taken back in this deal.
        """
        if wanted is not None and wanted >= self.rules.players:
            raise Refused("no-such-seat", "this table has no such seat")
        if not self.started:
            for seat, sitter in enumerate(self.sitters):
                if sitter.kind == "free" and wanted in (None, seat):
                    return seat
            if wanted is not None:
                raise Refused("seat-taken", "this seat is taken: choose another one")
            raise Refused("table-full", "every seat is taken: you can watch")
        if wanted is None:
            raise Refused("already-started", "the game has begun: you can watch it, or take over from a bot")
        if self.over:
            raise Refused("game-over", "the match is over: there is nothing to play")
        if not self.may_be_taken(wanted, here):
            raise Refused("seat-taken", "somebody sits there: only a seat that a bot plays can be taken over")
        if self.undone_deal == self.state.deal_number:
            raise Refused("undone", "a move was taken back in this deal: take a seat over in the next one")
        return wanted

    def may_be_taken(self, seat: Seat, here: Collection[Seat | None]) -> bool:
        """Whether a seat can be taken over in the game: a bot plays it, and nobody waits there to play on."""
        sitter = self.sitters[seat]
        return self.started and not self.over and (sitter.kind == "bot" or (sitter.stand_in and seat not in here))

    @property
    def names_taken(self) -> list[str]:
        """What those are called who sit here, who may come back to their seats, and the bots that may still come."""
        named = [(each.name, each.owner_name, bot_sitter(seat).name) for seat, each in enumerate(self.sitters)]
        return [name for names in named for name in names if name]

    def taken_over(self, seat: Seat, name: str, token_hash: str) -> Sitter:
        """Somebody new on a seat. Somebody away whose seat it is gets it back when they return."""
        sitter = self.sitters[seat]
        if sitter.kind != "person":
            return Sitter(name, "person", token_hash, sitter.level)
        owner = (sitter.owner_name, sitter.owner_hash) if sitter.owner_hash else (sitter.name, sitter.token_hash)
        return Sitter(name, "person", token_hash, sitter.level, *owner)

    def given_back(self, seat: Seat) -> Sitter:
        """A seat without who plays there now: its owner's again, or a bot's, or before the game free."""
        sitter = self.sitters[seat]
        if sitter.owner_hash:
            return Sitter(sitter.owner_name, "person", sitter.owner_hash, sitter.level, stand_in=True)
        return bot_sitter(seat, sitter.level) if self.started else Sitter(level=sitter.level)

    def seat_of(self, token: str) -> Seat:
        """Whose token this is: the person's on a seat, or its owner's.

        Raises:
            Refused: no seat at this table has it.
        """
        told = hashed(token)
        for seat, sitter in enumerate(self.sitters):
            if sitter.kind != "person":
                continue
            if hmac.compare_digest(sitter.token_hash, told) or hmac.compare_digest(sitter.owner_hash, told):
                return seat
        raise Refused("unknown-token", "no seat at this table has that token")

    def is_owner(self, seat: Seat, token: str) -> bool:
        """Whether a token is that of the owner of a seat which somebody else has taken over."""
        return hmac.compare_digest(self.sitters[seat].owner_hash, hashed(token))

    def people(self, here: Iterable[Seat | None]) -> list[Person]:
        """What everybody may know about who sits where; `here` are the seats that are connected."""
        present = set(here)
        return [
            Person(
                sitter.name,
                sitter.kind,
                sitter.kind == "bot" or seat in present,
                sitter.stand_in,
                sitter.level,
                sitter.owner_name or None,
                self.may_be_taken(seat, present),
            )
            for seat, sitter in enumerate(self.sitters)
        ]

    def next_host(self, here: Collection[Seat | None]) -> Seat | None:
        """The next person to the left of the host who is here and plays; None: there is nobody else."""
        start = self.host or 0
        for offset in range(1, self.rules.players + 1):
            seat = (start + offset) % self.rules.players
            sitter = self.sitters[seat]
            if sitter.kind == "person" and not sitter.stand_in and seat in here:
                return seat
        return None

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
            Refused: the seat may not ask this now, or the cards cannot be part of a pass: `problems` says why.
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

    def may_have_hints(self, seat: Seat) -> bool:
        """Whether a seat may ask for hints, when it is its turn."""
        return self.hints == "always" or (self.hints == "alone" and self._alone(seat))

    def hint_question(self, seat: Seat | None, asked: AskHint, worlds: int, seconds: float | None) -> HintQuestion:
        """What is to be thought about for a seat that asks for a hint: what it sees, and nothing else.

        Args:
            seat: as for `judge`.
            asked: the message.
            worlds: how many worlds are drawn.
            seconds: how long that may take, roughly; None: as long as it does.

        Raises:
            Refused: there are no hints for this seat, or it has nothing to do; or it is refused like a move.
        """
        seat = self._player(seat)
        if not self.may_have_hints(seat):
            whom = "there are none" if self.hints == "never" else "they are for those who play against bots alone"
            raise Refused("no-hints", f"the host has chosen who may have hints at this table: {whom}")
        self._check_asked(seat, asked.ply)
        if seat not in to_act(self.state):
            raise Refused("nothing-to-do", "it is not your turn: hints are for what you are to do yourself")
        return HintQuestion(view(self.state, seat), f"hint {self.id} {seat} {self.ply}", worlds, seconds)

    def _own_move(self, seat: Seat | None, tried: Try | Choose) -> Pass | Expose | Play | ChooseMoon:
        """The move of a message, which is one of the seat that sent it and answers what that seat was asked."""
        seat = self._player(seat)
        move = read_move(bytes(tried.move))
        if isinstance(move, Deal) or move.seat != seat:
            raise Refused("not-your-seat", "this is not a move of your own seat")
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
            raise Refused("stand-in", "a bot plays for you: take over from it first")
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
        seat = self.acting_bot
        assert seat is not None
        return self.answered(choose_for(self.question(seat)))

    @property
    def acting_bot(self) -> Seat | None:
        """The seat that a bot is to move for now; None: there is none."""
        if not self.started or self.rest:
            return None
        return min([seat for seat in to_act(self.state) if self.sitters[seat].automatic], default=None)

    def question(self, seat: Seat) -> Question:
        """What the bot of a seat is asked."""
        return Question(view(self.state, seat), self.sitters[seat].plays_as, self._rng.getrandbits(64))

    def answered(self, move: Move) -> Step:
        """What the move of a bot leads to."""
        return self._judged(move)

    def take(self, step: Step) -> None:
        """Go on to what a legal move has led to."""
        before = self.state
        if isinstance(before, AwaitingDeal):
            self._before.clear()
        else:
            self._before.append(_Before(before, tuple(self.asked), getattr(step.move, "seat", None)))
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

    # --------------------------------------------------------------------------------------------- taking moves back

    def may_undo(self, seat: Seat | None) -> bool:
        """Whether a seat may take back its last move: it has made one in this deal, all others are bots, nobody else
        has a right to a seat, and the match goes on."""
        return seat is not None and not self.over and self._alone(seat) and self._last_move(seat) is not None

    def undo(self, seat: Seat | None) -> tuple[int, State]:
        """Where a seat comes out that takes back its last move and all that came after it: the ply and the state.

        Raises:
            Refused: it may not.
        """
        if seat is None:
            raise Refused("spectator", "spectators may not make moves")
        if not self._alone(seat):
            raise Refused("cannot-undo", "a move can be taken back only where all others are bots")
        at = self._last_move(seat)
        if at is None or self.over:
            raise Refused("cannot-undo", "you have made no move in this deal that could be taken back")
        return self.ply - len(self._before) + at, self._before[at].state

    def take_back(self, ply: int) -> None:
        """Go back to a ply of this deal, as `undo` has found it."""
        at = len(self._before) - (self.ply - ply)
        before = self._before[at]
        del self._before[at:]
        self.state, self.asked, self.ply = before.state, list(before.asked), ply
        self.rest.clear()
        self.undone_deal = before.state.deal_number

    def _alone(self, seat: Seat) -> bool:
        others = [sitter for at, sitter in enumerate(self.sitters) if at != seat]
        return not self.sitters[seat].owner_hash and all([sitter.kind == "bot" for sitter in others])

    def _last_move(self, seat: Seat) -> int | None:
        """The place in the deal of the last move of a seat that was its own choice."""
        for at in range(len(self._before) - 1, -1, -1):
            if self._before[at].mover == seat:
                return at
        return None

    # ----------------------------------------------------------------------------------------------- what is told

    def told(self, seat: Seat | None, events: tuple[Event, ...] = (), language: str = "en") -> bytes:
        """The message that tells a seat, or with None a spectator, how things stand and what has happened."""
        if seat is None:
            return view_message(self.ply, 0, public_view(self.state), redact(events, None), False, language)
        undo = self.may_undo(seat)
        seen = view(self.state, seat)
        hints = self.may_have_hints(seat) and not self.sitters[seat].stand_in
        return view_message(self.ply, self.asked[seat], seen, redact(events, seat), undo, language, hints)

    def described(
        self,
        seat: Seat | None,
        here: Iterable[Seat | None],
        more: Mapping[str, Any] = NOTHING,
        language: str = "en",
    ) -> bytes:
        """The message that tells a seat, or with None a spectator, who sits where and what is played; `more` is what
        its room says."""
        facts = {
            "host": self.host,
            "away": self.away,
            "hints": self.hints,
            "game": told_game(self.game, self.rules),
            "over": self.over,
            "teams": self.rules.teams,
            "rules": describe(self.rules, language),
            **more,
        }
        return table_message(self.id, seat, self.started, self.people(here), facts)
