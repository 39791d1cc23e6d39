"""The replay of plays from a position, without a state for each play."""

from __future__ import annotations

from heartsrules.cards import bag_of
from heartsrules.play.board import Board
from heartsrules.play.engine import finish_board
from heartsrules.play.moves import Play
from heartsrules.play.public import Trick
from heartsrules.play.state import PlayedDeal, Playing, State


def replayed(start: Playing, plays: list[Play]) -> tuple[State, int]:
    """Replay plays up to the first illegal one.

    Returns:
        The state after the last legal play, and the number of plays made.
    """
    board = Board(start.public._resolved, start.scores)
    board.set_from(start)
    tricks: list[Trick] = list(start.tricks)
    count = 0
    for play in plays:
        if play.seat != board.turn.seat or not play.bit & board.legal():
            break
        count += 1
        leader = board.leader
        if board.play(play.bit):
            tricks.append(board.last_trick(leader))
    if not count:
        board.open_ring()
        return start, 0
    board.show_kitty()
    trick = board.plays_from(board.leader, board.count)
    board.open_ring()
    played = board.deal(start.start, tricks)
    if board.trick_number == board.resolved.hand_size:
        return finish_board(PlayedDeal(played, start.secrets), board), count
    hands = tuple([bag_of(seat.hand_lo, seat.hand_hi) for seat in board.seats])
    return Playing(played, start.secrets, hands, int(board.turn.seat), trick, board.broken), count
