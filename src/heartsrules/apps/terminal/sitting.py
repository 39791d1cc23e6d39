"""One sitting of a game: the moves of humans and bots, those that are taken back and made again, and the record.

Nothing is shown here; `Session` and the full screen show it.
"""

from __future__ import annotations

from typing import Final

from heartsrules import AwaitingDeal, Deal, GameOver, Move, Seat, deal, to_act
from heartsrules.apps.terminal.keeping import Keeper
from heartsrules.apps.terminal.seating import DEFAULT_BOT, Seating
from heartsrules.bots import BOTS
from heartsrules.bots.failures import ProgramError
from heartsrules.chance import Bits, SeededBits
from heartsrules.play.game import Game
from heartsrules.search.analysis import Assessment, assess
from heartsrules.search.endings import take_the_rest

__all__ = ["Sitting"]

_WORLDS: Final = 200
_SECONDS: float | None = 1.0
"""So many worlds an assessment looks at, and so long at most, roughly; None: as long as it takes."""


class Sitting:
    """A game while it is played.

    Args:
        game: where it begins; its start is before the first deal.
        seating: who plays.
        seed: shuffles the deals, and moves the bots; equal seeds and equal moves of the humans give equal games.
        keeper: writes it down after every move; it has written `game` already.
    """

    def __init__(self, game: Game, seating: Seating, seed: str, keeper: Keeper | None = None) -> None:
        self.game = game
        self.seating: Final = seating
        self.seed: Final = seed
        self.keeper: Final = keeper
        self.unkept: OSError | None = None
        """Why the record does not hold the last moves."""
        self.complaints: Final[list[str]] = []
        """What went wrong with players that are programs, and has not been said yet."""
        self._failed: Final[set[str]] = set()
        """The players that gave no legal move."""
        self._kept = game
        """What the record holds."""
        self._assessed: tuple[Game, Assessment] | None = None
        """The last assessment, and of which game it is."""
        self.alone: Final = seating.humans[0] if len(seating.humans) == 1 else None
        """The seat of the only human; None: there are several."""

    @property
    def over(self) -> bool:
        """Whether the game is over."""
        return isinstance(self.game.state, GameOver)

    @property
    def turn(self) -> Seat | None:
        """Who is asked for the next move; None: the next deal is due, or the game is over."""
        state = self.game.state
        if isinstance(state, (AwaitingDeal, GameOver)):
            return None
        waiting = to_act(state)
        # Humans pass last: the cards are exchanged in front of the last one's eyes.
        return min(waiting.difference(self.seating.humans) or waiting)

    def deal(self) -> None:
        """Deal the next hands."""
        state = self.game.state
        assert isinstance(state, AwaitingDeal)
        self.make(deal(state, seed=self.seed))

    def bots_move(self, seat: Seat) -> Move:
        """What the bot of a seat does now. The same each time: its chance depends on no other decision."""
        kind = self.seating.bots[seat]
        assert kind is not None
        player = self.seating.players.get(kind)
        if player is not None and kind not in self._failed:
            try:
                return player(self.game.view(seat), self._rng(f"bot {seat}"))
            except ProgramError as error:
                self._failed.add(kind)
                # What exactly it did could tell its hand.
                why = f"{kind} gives no answer, or none that the rules allow ({error.code})"
                self.complaints.append(f"{why}: a {DEFAULT_BOT} bot plays on for it.")
        return BOTS[kind if player is None else DEFAULT_BOT](self.game.view(seat), self._rng(f"bot {seat}"))

    def assessment(self, seat: Seat, move: Move | None = None) -> Assessment:
        """What the moves of a seat that is to act are worth, as far as that seat can tell.

        Args:
            seat: one of those whose turn it is.
            move: one that it must look at; of all passes it looks only at the most sensible ones otherwise.
        """
        game = self.game
        if self._assessed is None or self._assessed[0] is not game:
            self._assessed = game, self._assess(game, seat, None)
        found = self._assessed[1]
        if move is None or found.of(move) is not None:
            return found
        return self._assess(game, seat, [found.best.move, move])

    def _assess(self, game: Game, seat: Seat, moves: list[Move] | None) -> Assessment:
        return assess(game.view(seat), self._rng(f"hint {seat}"), worlds=_WORLDS, seconds=_SECONDS, moves=moves)

    def _rng(self, what: str) -> Bits:
        return SeededBits(self.seed, f"{what} move {self.game.ply}")

    def make(self, move: Move) -> None:
        """Make a move, and write it down. What was taken back can be made again as long as the same moves are made.

        Raises:
            IllegalMove: the rules refuse it.
        """
        again = self.game.undone[:1] == (move,)
        self.game = self.game.forward() if again else self.game.play(move)
        self.keep()

    def take_the_rest(self) -> None:
        """Play all tricks that are left, of which the player who leads is sure."""
        for play in take_the_rest(self.game.state):
            self.make(play)

    def undo(self) -> Move | None:
        """Take the last move of the only human back, with all that followed: that move, or None if there is none."""
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
        """Make the move again that was taken back last, with what followed, up to the next decision of the human or the
        end of the deal: that move, or None if there is none."""
        undone = self.game.undone
        for number, move in enumerate(undone):
            if number and (isinstance(move, Deal) or move.seat == self.alone):
                break
            self.game = self.game.forward()
        self.keep()
        return undone[0] if undone else None

    def keep(self) -> None:
        """Write the record, if there is one and it does not hold the game as it is now; `unkept` says what failed."""
        try:
            if self.keeper is not None and self._kept is not self.game:
                self.keeper.write(self.game)
        except OSError as error:
            self.unkept = error
        else:
            self.unkept = None
            self._kept = self.game
