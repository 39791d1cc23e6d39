"""Games played here, written in the formats of other programs: by their documentation, and independently of the
readers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from random import Random
from typing import Any, Final

from heartsrules import Card, Cards, Deal, Expose, Exposing, GameOver, Pass, Play, Rules, new_game
from heartsrules.play.game import Game, Record
from heartsrules.play.moves import Move
from support.random_play import random_move

__all__ = ["SEATS", "deals_of", "in_number", "turbo_hearts", "uniform_game", "xinxin"]

SEATS: Final = ("north", "east", "south", "west")


def uniform_game(rules: Rules, seed: int, *, passes: bool = False) -> Record:
    """A game of random moves, played to its end; `passes`: nobody shows a card before a pass that depends on it."""
    rng = Random(seed)
    game = Game(new_game(rules))
    while not isinstance(game.state, GameOver):
        move = random_move(game.state, rng)
        if passes and isinstance(move, Expose) and isinstance(game.state, Exposing) and game.state.before_pass:
            move = Expose(move.seat, Cards())
        game = game.play(move)
    return Record.of(game)


def deals_of(record: Record) -> Iterator[list[Move]]:
    """The moves of each deal, which begin with the deal."""
    moves: list[Move] = []
    for move in record.moves:
        if isinstance(move, Deal) and moves and not isinstance(moves[-1], Pass):
            yield moves
            moves = []
        moves.append(move)
    if moves:
        yield moves


# xinxin: spades, diamonds, clubs, hearts; each from the ace down.
_LETTERS: Final = "SDCH"
_RANKS: Final = "AKQJT98765432"


def in_number(card: Card) -> int:
    """The number of a card in xinxin's files."""
    rank, suit = str(card)[0], str(card)[1]
    return 16 * _LETTERS.index(suit) + _RANKS.index(rank)


def xinxin(records: Iterable[Record], flags: int, names: tuple[str, str, str] = ("Ann", "Bob", "Cleo")) -> str:
    """A `.play` file of whole deals."""
    games = list(records)
    lines = [f"{len(games)}"]
    for record in games:
        deals = list(deals_of(record))
        lines += [f"{len(deals)}", f"{' '.join(names)} {flags}"]
        for number, moves in enumerate(deals):
            lines.append(" ".join(map(str, record.points[number])) + " ")
            given = {move.seat: move.cards[0] for move in moves if isinstance(move, Pass)}
            for seat in range(4):
                hand = [move.card for move in moves if isinstance(move, Play) and move.seat == seat]
                masks = [sum(1 << in_number(card) % 16 for card in hand if str(card)[1] == suit) for suit in _LETTERS]
                lines.append(" ".join(map(str, masks)) + " ")
                passed = [in_number(card) for card in given[seat]] if given else [-1, -1, -1]
                lines.append(" ".join(map(str, passed)) + " ")
            lines.append(" ".join([str(in_number(move.card)) for move in moves if isinstance(move, Play)]) + " ")
    return "".join([line + "\n" for line in lines])


def turbo_hearts(record: Record, charging: str = "classic") -> Iterator[dict[str, Any]]:
    """The events of turbo-hearts, as its server keeps them, with those that tell where the game stands."""
    players = {name: {"type": "human", "user_id": f"u-{name}"} for name in SEATS}
    yield {"type": "sit", **players, "rules": charging, "seed": {"type": "redacted"}}
    for number, moves in enumerate(deals_of(record)):
        passed: dict[int, Cards] = {}
        for move in moves:
            if isinstance(move, Deal) and passed:
                for name, hand in zip(SEATS, move.hands, strict=True):
                    yield {"type": "recv_pass", "to": name, "cards": [str(card) for card in hand]}
            elif isinstance(move, Deal):
                hands = {name: [str(card) for card in hand] for name, hand in zip(SEATS, move.hands, strict=True)}
                yield {"type": "deal", **hands, "pass": ("left", "right", "across", "keeper")[number]}
                yield {"type": "start_passing"}
            elif isinstance(move, Pass):
                passed[move.seat] = move.cards[0] if move.cards else Cards()
                given = [str(card) for card in passed[move.seat]]
                yield {"type": "send_pass", "from": SEATS[move.seat], "cards": given}
                if len(passed) == 4 and number < 3:
                    offset = (1, 3, 2)[number]
                    for seat, cards in passed.items():
                        to = SEATS[(seat + offset) % 4]
                        yield {"type": "recv_pass", "to": to, "cards": [str(card) for card in cards]}
            elif isinstance(move, Expose):
                yield {"type": "charge", "seat": SEATS[move.seat], "cards": [str(card) for card in move.cards]}
            elif isinstance(move, Play):
                yield {"type": "play", "seat": SEATS[move.seat], "card": str(move.card)}
        if number < len(record.points):
            scores = zip(SEATS, record.points[number], strict=True)
            yield {"type": "hand_complete", **{f"{name}_score": points for name, points in scores}}
    yield {"type": "game_complete", "seed": {"type": "redacted"}}
