"""Perft, the number of sequences of legal moves, for comparing move generators.

If your generator counts another number, compare `divide` for each first move; make a differing move on both sides, and
repeat with a depth of one less, until you reach the position in which they disagree.
"""

from __future__ import annotations

from heartsrules.base.values import checked_count
from heartsrules.play.dealing import chance_to_act
from heartsrules.play.engine import apply, legal_moves
from heartsrules.play.moves import Move
from heartsrules.play.state import AwaitingDeal, GameOver, State

__all__ = ["divide", "perft"]
__dir__ = __all__.copy


def perft(state: State, depth: int) -> int:
    """Count the sequences of `depth` legal moves of players.

    Passes count one by one, in every order in which the seats can commit them. A pile in the middle is dealt back in
    every way, each of which counts as a move. Sequences end with the deal, so before a deal and after the game there is
    only the empty one.

    >>> from heartsrules import Rules, deal, new_game
    >>> start = new_game(Rules(pass_cycle=[()]))
    >>> state = apply(start, deal(start, seed="table 7"))
    >>> [perft(state, depth) for depth in range(5)]
    [1, 1, 2, 2, 10]

    Args:
        state: any state.
        depth: the number of moves, 0 or more.

    Raises:
        ValueError: `depth` is negative.
    """
    checked_count("depth", depth, 0)
    return _count(state, depth)


def divide(state: State, depth: int) -> dict[Move, int]:
    """Count like `perft`, by first move, in the order of `legal_moves`.

    >>> from heartsrules import Rules, deal, new_game
    >>> start = new_game(Rules(pass_cycle=[()]))
    >>> state = apply(start, deal(start, seed="table 7"))
    >>> state = apply(state, legal_moves(state)[0])
    >>> for move, count in divide(state, 3).items():
    ...     print(move, count)
    Play(3, Card('6C')) 5
    Play(3, Card('KC')) 5

    Args:
        state: any state.
        depth: the number of moves including the first, 1 or more.

    Raises:
        ValueError: `depth` is less than 1.
    """
    checked_count("depth", depth, 0)
    if depth < 1:
        raise ValueError("depth is 0: choose at least 1, the first move")
    if isinstance(state, (AwaitingDeal, GameOver)):
        return {}
    return {move: _count(apply(state, move), depth - 1) for move in legal_moves(state)}


def _count(state: State, depth: int) -> int:
    if depth == 0:
        return 1
    if isinstance(state, (AwaitingDeal, GameOver)):
        return 0
    moves = legal_moves(state)
    if depth == 1 and not chance_to_act(state):
        return len(moves)
    return sum([_count(apply(state, move), depth - 1) for move in moves])
