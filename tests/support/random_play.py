"""Games of random moves, and positions that games of random, first or given moves come to."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

from heartsrules import Card, GameOver, Move, Play, Playing, Rules, State, apply, deal, legal_moves
from heartsrules.chance import Bits
from heartsrules.play.dealing import chance_to_act
from heartsrules.play.game import Game

__all__ = ["first_move", "is_playing", "play_cards", "play_on", "random_game", "random_move", "reached"]


def first_move(state: State, seed: int | str = "first") -> Move:
    """The first legal move, or a deal that a seed chooses."""
    return deal(state, seed=seed) if chance_to_act(state) else legal_moves(state)[0]


def random_move(state: State, rng: Random, chance: Bits | None = None) -> Move:
    """A legal move of a seat that is to act; or a deal, with other bits if they are given."""
    if chance_to_act(state):
        return deal(state, rng=rng if chance is None else chance)
    moves = legal_moves(state)
    return moves[rng.randrange(len(moves))]


def play_on(game: Game, rng: Random, plies: int = 10_000, chance: Bits | None = None) -> Game:
    """A game played on at random to its end, or until it has so many moves."""
    while game.ply < plies and not isinstance(game.state, GameOver):
        game = game.play(random_move(game.state, rng, chance))
    return game


def random_game(rules: Rules, seed: object, plies: int = 10_000) -> Game:
    """A game that is played at random from its beginning."""
    return play_on(Game.start(rules), Random(seed), plies)  # type: ignore[arg-type]


def is_playing(state: State) -> bool:
    """True if the tricks of a deal are played."""
    return isinstance(state, Playing)


def play_cards(state: State, cards: str) -> State:
    """The state after these cards were played, each by the seat whose turn it was."""
    for card in cards.split():
        assert isinstance(state, Playing)
        state = apply(state, Play(state.turn, Card(card)))
    return state


def reached(state: State, stops: Callable[[Any], bool], rng: Random | None = None, *, seed: int | str = "first") -> Any:
    """The first state at which to stop, after first moves and deals that the seed chooses, or after random moves."""
    while not stops(state):
        state = apply(state, first_move(state, seed) if rng is None else random_move(state, rng))
    return state
