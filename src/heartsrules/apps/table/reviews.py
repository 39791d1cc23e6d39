"""Reviews of finished deals for a room's people, one move at a time."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final, Protocol

import attrs

from heartsrules import AwaitingDeal, Deal, Seat, legal_moves, view
from heartsrules.analysis import Decision, Drill, Review
from heartsrules.analysis.hand_forecasts import HandForecast
from heartsrules.apps.request_limits import Buckets
from heartsrules.apps.table.bots import HandQuestion, MistakeQuestion, ReviewQuestion, Studied, T, Thinking
from heartsrules.apps.table.clock import Clock
from heartsrules.apps.table.connection import Connection
from heartsrules.apps.table.failures import Failures
from heartsrules.apps.table.messages import Refused, decision_message, drill_shown, encoded, reviewed_message
from heartsrules.apps.table.protocol import AskDrill, AskReview, DrillMessage
from heartsrules.apps.table.settings import Settings
from heartsrules.apps.table.storage import Storage, StorageError, stored_game
from heartsrules.apps.table.table import Table
from heartsrules.apps.table.wording import marked_names
from heartsrules.formats.notation import format_position
from heartsrules.messages import marked
from heartsrules.play.game import Game

_RATE: Final = 0.5
"""Average number of reviews and drills per second that a seat can request."""
_BURST: Final = 40
"""Number of reviews and drills that a seat can request at once: a long match, and its mistakes."""


class ReviewServer(Protocol):
    """The parts of a server that reviews use."""

    settings: Settings
    clock: Clock
    store: Storage
    thinkers: Thinking
    failures: Failures


class Reviews:
    """A room's reviews and drills: for each seat one after the other, and one move after the other."""

    def __init__(self, table: Callable[[], Table], server: ReviewServer, is_here: Callable[[Connection], bool]) -> None:
        self._table = table
        self._server = server
        self._is_here = is_here
        self.tasks: set[asyncio.Task[None]] = set()
        self._locks: dict[Seat, asyncio.Lock] = {}
        self._buckets = Buckets(_RATE, _BURST)
        self._known: dict[Studied[Any], Any] = {}
        """The answers so far: a page asks for the same deals again, with others or after a break."""

    def stop(self) -> None:
        for task in self.tasks:
            task.cancel()

    def ask(self, connection: Connection, asked: AskReview | AskDrill) -> None:
        """Review deals, or make a drill from one move, and send it to the page that asks.

        Raises:
            Refused: a deal is not over, or someone else played it at this seat, or there were too many requests.
        """
        seat, table = connection.seat, self._table()
        if seat is None:
            raise Refused("spectator", "spectators have made no moves")
        holder = table.seats[seat].holder
        deals = _deals(asked)
        if max(deals) >= table.state.deal_number + table.over:
            raise Refused("deal-not-over", f"deal {max(deals)} is not over yet")
        if holder is None or min(deals) < holder.since:
            raise Refused("not-your-deal", f"another player had your seat in deal {min(deals)}")
        if not self._buckets.take(seat, self._server.clock.now()):
            raise Refused("too-many-reviews", "you have asked for too many reviews: wait a little")
        task = asyncio.create_task(self._answer(connection, seat, asked))
        self.tasks.add(task)
        task.add_done_callback(self.tasks.discard)

    async def _answer(self, connection: Connection, seat: Seat, asked: AskReview | AskDrill) -> None:
        try:
            async with self._locks.setdefault(seat, asyncio.Lock()):
                await self._send(connection, seat, asked)
        except Exception as error:  # the page is told, whatever it was; the log says more
            told = ", ".join([str(deal + 1) for deal in _deals(asked)])
            self._server.failures.log(error, f"table {self._table().id}: deal {told} could not be reviewed")
            connection.refuse(Refused("no-review", "the deal could not be reviewed: try again"), asked.id)

    async def _send(self, connection: Connection, seat: Seat, asked: AskReview | AskDrill) -> None:
        kept = await self._server.store.load(self._table().id)
        if kept is None:
            raise StorageError("there is no such table")
        game = await stored_game(kept)
        drill: Drill | None = None
        reviews: dict[int, Review] = {}
        for deal in _deals(asked):
            decisions: list[Decision] = []
            for question, ply in self._questions(game, seat, deal):
                if not self._is_here(connection) or connection.seat != seat:
                    return  # the page has gone, or may not know it any more
                if isinstance(asked, AskReview):
                    decisions += await self._review(connection, question, ply, asked)
                elif ply == asked.ply:
                    drill = await self._study(MistakeQuestion(question))
            if isinstance(asked, AskReview):
                reviews[deal] = await self._put_together(game, seat, deal, decisions)
                connection.send(reviewed_message(asked.id, reviews))
        if isinstance(asked, AskDrill):
            shown = None if drill is None else drill_shown(drill, connection.language, self._names)
            connection.send(encoded(DrillMessage(asked.id, shown)))

    async def _study(self, question: Studied[T]) -> T:
        if question not in self._known:
            self._known[question] = await self._server.thinkers.study(question)
        answer: T = self._known[question]
        return answer

    def _questions(self, game: Game, seat: Seat, deal: int) -> Iterator[tuple[ReviewQuestion, int]]:
        settings = self._server.settings
        for ply, move in enumerate(game.moves):
            state = game.at(ply)
            if isinstance(move, Deal) or move.seat != seat or state.deal_number != deal:
                continue
            if len(legal_moves(state, seat)) > 1:
                yield ReviewQuestion(state, move, settings.review_worlds, settings.policy), ply

    async def _review(
        self, connection: Connection, question: ReviewQuestion, ply: int, asked: AskReview
    ) -> list[Decision]:
        found = await self._study(question)
        # Until the match is over, what the others passed is secret.
        position = format_position(question.state) if self._table().over else None
        seen = view(question.state, question.move.seat)
        for decision in found.data(marked(connection.language), marked_names(len(self._names)))["decisions"]:
            told = decision | {"ply": ply}
            connection.send(decision_message(asked.id, seen, told, position, connection.language))
        return [attrs.evolve(decision, ply=ply) for decision in found.decisions]

    async def _put_together(self, game: Game, seat: Seat, deal: int, decisions: Sequence[Decision]) -> Review:
        plies = [ply for ply in range(game.ply) if game.at(ply).deal_number == deal]
        first, end = plies[0], plies[-1] + 1
        hands: dict[tuple[int, Seat], HandForecast] = {}
        average = 0.0
        if isinstance(game.at(first), AwaitingDeal):
            before, seen, settings = game.at(first), view(game.at(first + 1), seat), self._server.settings
            budget = settings.forecast_worlds, settings.average_deals
            hands[first, seat], average = await self._study(HandQuestion(before, seen, *budget, settings.policy))
        return Review.put_together(game.fork(end), (seat,), decisions, hands, average)

    @property
    def _names(self) -> list[str]:
        return [self._table().name(seat) for seat in range(self._table().rules.players)]


def _deals(asked: AskReview | AskDrill) -> list[int]:
    return sorted(set(asked.deals)) if isinstance(asked, AskReview) else [asked.deal]
