"""A game in progress, without output."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from heartsrules import AwaitingDeal, Deal, GameOver, Move, Seat, deal, to_act
from heartsrules.analysis import Assessment, Drill, Review, assess, drills_of, review
from heartsrules.analysis.endings import take_the_rest
from heartsrules.analysis.policies import BatchPolicy, Policy, Watchful
from heartsrules.apps.terminal.keeping import Keeper
from heartsrules.apps.terminal.seating import DEFAULT_BOT, Seating
from heartsrules.bots import BOTS
from heartsrules.bots.failures import ProgramError
from heartsrules.chance import Bits, SeededBits
from heartsrules.play.dealing import chance_to_act
from heartsrules.play.game import Game, replay_strict

_WORLDS: Final = 500
_SECONDS: float | None = 1.0
"""The approximate time limit of an assessment, or None for no limit."""


class Sitting:
    """A game in progress, with humans, bots, undo, redo and a record.

    Args:
        game: the game so far, from before its first deal.
        seed: the seed of the deals and of the bots: equal seeds and equal moves of the humans give equal games.
        keeper: the writer of the record after every move, which already contains `game`.
        policy: the players of playouts for hints and reviews.
    """

    def __init__(
        self,
        game: Game,
        seating: Seating,
        seed: str,
        keeper: Keeper | None = None,
        policy: Policy | BatchPolicy = Watchful(),  # noqa: B008 - it is immutable
    ) -> None:
        self.game = game
        self.seating: Final = seating
        self.seed: Final = seed
        self.keeper: Final = keeper
        self._policy: Final = policy
        self.unkept: OSError | None = None
        """The error that left the last moves unrecorded, or None."""
        self.failures: Final[list[tuple[str, str]]] = []
        """Unreported failures of players' programs, as the player and the error's code."""
        self._failed: Final[set[str]] = set()
        """Players that have failed, replaced by a bot."""
        self._kept = game
        self._assessed: tuple[Game, Assessment] | None = None
        self.alone: Final = seating.humans[0] if len(seating.humans) == 1 else None
        """The only human's seat, or None if there are several."""

    @property
    def over(self) -> bool:
        return isinstance(self.game.state, GameOver)

    @property
    def turn(self) -> Seat | None:
        """The seat to move, or None before the next deal and after the game."""
        state = self.game.state
        if chance_to_act(state) or isinstance(state, GameOver):
            return None
        waiting = to_act(state)
        # Humans pass last, so that the last one sees the exchange.
        return min(waiting.difference(self.seating.humans) or waiting)

    def deal(self) -> None:
        """Deal the next hands, or deal back the pile in the middle."""
        state = self.game.state
        assert chance_to_act(state)
        self.make(deal(state, seed=self.seed))

    def bots_move(self, seat: Seat) -> Move:
        """Return a bot's move, with random numbers from the seat and the ply."""
        kind = self.seating.bots[seat]
        assert kind is not None
        player = self.seating.players.get(kind)
        if player is not None and kind not in self._failed:
            try:
                return player(self.game.view(seat), self._rng(f"bot {seat}"))
            except ProgramError as error:
                self._failed.add(kind)
                # The error could reveal the bot's hand.
                self.failures.append((kind, error.code))
        return BOTS[kind if player is None else DEFAULT_BOT](self.game.view(seat), self._rng(f"bot {seat}"))

    def assessment(self, seat: Seat, move: Move | None = None) -> Assessment:
        """Assess the moves of a seat to act from its view.

        Args:
            move: a move to include; otherwise only the most sensible passes are assessed.
        """
        game = self.game
        if self._assessed is None or self._assessed[0] is not game:
            self._assessed = game, self._assess(game, seat, None)
        found = self._assessed[1]
        if move is None or found.of(move) is not None:
            return found
        # In the same worlds as the others, and with them: no later hint contradicts this one.
        found = self._assess(game, seat, [*[each.move for each in found.moves], move])
        self._assessed = game, found
        return found

    def review(self, *, whole: bool, progress: Callable[[int, int], None]) -> Review:
        """Review the moves of the only human.

        Args:
            whole: True for all deals, False for the last one that has begun.
            progress: a function of the number of reviewed moves, and of all moves.
        """
        game = self.game
        if not whole:
            states = enumerate(game.states[:-1])
            begun = max([ply for ply, state in states if isinstance(state, AwaitingDeal)])
            game = replay_strict(game.at(begun), game.moves[begun:])
        return review(game, self.alone, policy=self._policy, progress=progress)

    def drills(self, review: Review) -> list[Drill]:
        return list(drills_of(review, policy=self._policy))

    def _assess(self, game: Game, seat: Seat, moves: list[Move] | None) -> Assessment:
        rng = self._rng(f"hint {seat}")
        return assess(game.view(seat), rng, worlds=_WORLDS, seconds=_SECONDS, policy=self._policy, moves=moves)

    def _rng(self, what: str) -> Bits:
        return SeededBits(self.seed, f"{what} move {self.game.ply}")

    def make(self, move: Move) -> None:
        """Make a move, and record it.

        Redo stays possible while the moves repeat the undone ones.

        Raises:
            IllegalMove: the rules refuse it.
        """
        again = self.game.undone[:1] == (move,)
        self.game = self.game.forward() if again else self.game.play(move)
        self.keep()

    def take_the_rest(self) -> None:
        """Play all remaining tricks, which the leader is certain to win."""
        for play in take_the_rest(self.game.state):
            self.make(play)

    def undo(self) -> Move | None:
        """Undo the only human's last move and all later ones, and return it or None."""
        moves = self.game.moves
        game = self.game
        for move in reversed(moves):
            game = game.back()
            if not isinstance(move, Deal) and move.seat == self.alone:
                self.game = game
                self.keep()
                return move
        return None

    def redo(self) -> Move | None:
        """Redo moves up to the human's next decision or the end of the deal.

        Return the human's redone move, or None.
        """
        undone = self.game.undone
        for number, move in enumerate(undone):
            between = isinstance(self.game.state, AwaitingDeal)
            if number and (between if isinstance(move, Deal) else move.seat == self.alone):
                break
            self.game = self.game.forward()
        self.keep()
        return undone[0] if undone else None

    def keep(self) -> None:
        """Write the record if it is out of date, with any error in `unkept`."""
        try:
            if self.keeper is not None and self._kept is not self.game:
                self.keeper.write(self.game)
        except OSError as error:
            self.unkept = error
        else:
            self.unkept = None
            self._kept = self.game
