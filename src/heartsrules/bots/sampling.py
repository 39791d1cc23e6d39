"""The player that draws worlds and plays them out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import attrs

from heartsrules import tables as T
from heartsrules.bots.heuristic import heuristic, heuristic_passes, worth
from heartsrules.bots.interface import options
from heartsrules.bots.prospects import prospects
from heartsrules.cards import Card
from heartsrules.chance import Bits, as_stream
from heartsrules.engine import apply
from heartsrules.errors import InvalidState, in_words
from heartsrules.moves import Move, Play
from heartsrules.playout import playout
from heartsrules.policies import Careful, Policy
from heartsrules.rules import Seat
from heartsrules.state import AwaitingDeal, GameOver, faces_of
from heartsrules.values import wrong_type
from heartsrules.views import ExposingView, PassingView, PlayingView, View
from heartsrules.worlds import sample_world

__all__ = ["Sampling"]

_ROUNDS: Final = 4
"""In how many parts the worlds are drawn; after each the worse half of the moves is dropped."""
_PASSES: Final = 8
"""How many passes are tried; a hand may have millions."""
_POINTS: Final = 0.1
"""What all the points of a deal are worth beside winning. It tells moves apart that win equally often."""


def _check_worlds(instance: object, attribute: attrs.Attribute[int], worlds: int) -> None:  # noqa: ARG001
    if not isinstance(worlds, int) or isinstance(worlds, bool):
        wrong_type("worlds", "an int", worlds)
    if worlds < 1:
        raise ValueError(f"worlds is {in_words(worlds)}: choose 1 or more")


def _check_policy(instance: object, attribute: attrs.Attribute[Policy | None], policy: Policy | None) -> None:  # noqa: ARG001
    if policy is not None and not isinstance(policy, Policy):
        wrong_type("policy", "a Policy or None", policy)


@attrs.frozen
class Sampling:
    """A player that guesses the hidden cards many times, and plays the move that does best in its guesses.

    It draws worlds from its view with `sample_world`, tries its moves in each, plays on to the end of the deal with
    `playout`, and judges the result by who wins, or is likely to win, the match. Its worlds are guesses: it knows
    no hidden card, and gives every hand that the play has left possible the same chance. The worlds are drawn in four
    parts, and after each of the first three the worse half of the moves is dropped. What the shooter of a moon
    decides needs no guessing; the heuristic player decides it. So it does in a position that was set up without its
    history, of which no worlds can be drawn.

    Args:
        worlds: how many worlds to draw for each decision (1 or more): time and strength grow with it.
        policy: how all players of a playout choose; `Careful()` by default. None: uniformly, which takes a third of
            the time and is right about players who know nothing.

    >>> from heartsrules import apply, deal, new_game, presets, view
    >>> from heartsrules.chance import RandomStream
    >>> start = new_game(presets.cardstock())
    >>> seen = view(apply(start, deal(start, seed=7)), 0)
    >>> bot = Sampling(worlds=10)
    >>> bot(seen, RandomStream("any")) == bot(seen, RandomStream("any"))
    True

    Raises:
        ValueError: `worlds` is too low.
        TypeError: an argument has the wrong type.
    """

    worlds: int = attrs.field(default=100, validator=_check_worlds)
    policy: Policy | None = attrs.field(factory=Careful, validator=_check_policy)

    def __call__(self, view: View, rng: Bits, /) -> Move:
        """Choose a legal move of the view's seat.

        Raises:
            ValueError: the seat has nothing to do.
            TypeError: `view` is not a view.
        """
        moves = options(view)
        if len(moves) == 1:
            return moves[0]
        if isinstance(view, PlayingView):
            candidates: Sequence[Move] = _different(view, moves)
        elif isinstance(view, PassingView):
            candidates = heuristic_passes(view, rng, _PASSES)
        elif isinstance(view, ExposingView):
            candidates = moves
        else:
            return heuristic(view, rng)
        if len(candidates) == 1:
            return candidates[0]
        try:
            sample_world(view, rng)
        except InvalidState:
            # The position was set up without its history, so it has no worlds.
            return heuristic(view, rng)
        return self._best(view, candidates, rng)

    def _best(self, view: View, moves: Sequence[Move], rng: Bits) -> Move:
        seat = view.seat
        assert seat is not None
        stream = as_stream(rng)
        sums = [0.0] * len(moves)
        left = list(range(len(moves)))
        for world_number in range(self.worlds):
            if world_number and world_number * _ROUNDS // self.worlds > (world_number - 1) * _ROUNDS // self.worlds:
                left.sort(key=sums.__getitem__, reverse=True)
                del left[max(2, (len(left) + 1) // 2) :]
            world = sample_world(view, stream)
            for number in left:
                sums[number] += _value(playout(apply(world, moves[number]), stream, policy=self.policy), seat)
        return moves[max(left, key=sums.__getitem__)]


def _value(state: AwaitingDeal | GameOver, seat: Seat) -> float:
    """How good the end of a deal is for a seat."""
    rules = state.rules
    side = rules.sides[rules.side(seat)]
    own = sum([state.scores[member] for member in side]) / len(side)
    everybody = sum(state.scores) / rules.players
    return prospects(state, seat) + _POINTS * (everybody - own) / max(1, rules.penalty_total)


def _different(view: PlayingView, moves: Sequence[Move]) -> list[Move]:
    """The plays without those that have the same result: of cards of equal worth next to each other, only the lowest.

    They are next to each other if no card between them is in another hand, the kitty or the trick.
    """
    rules = view.rules
    if rules.decks > 1:
        return list(moves)
    gone = sum(view.captured, start=view.hand)
    between = rules.deck - gone
    # Cards that the rules name are like no others, even if they are worth as much.
    tables = rules.tables
    named = int(tables.doubler | tables.compulsory_faces | T.QUEEN | faces_of(view.shown))
    chosen: list[Move] = []
    last: Card | None = None
    for move in moves:
        assert isinstance(move, Play)
        card = move.card
        same = (
            last is not None
            and last.suit is card.suit
            and not (last.bit | card.bit) & named
            and worth(rules, last) == worth(rules, card)
            and not any([last < other < card for other in between.of_suit(card.suit)])
        )
        if not same:
            chosen.append(move)
        last = card
    return chosen
