"""Policies of the players in playouts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple, Protocol, runtime_checkable

from heartsrules.analysis.card_choice import Situation, watchful_face
from heartsrules.base.errors import in_words
from heartsrules.cards import Card, face
from heartsrules.chance import RandomStream
from heartsrules.play.board import Board
from heartsrules.play.legality import CardChoice
from heartsrules.play.moves import ChooseMoon, Expose, Move, Pass
from heartsrules.play.scoring import row_winners
from heartsrules.play.state import ChoosingMoon, Passing, Playing
from heartsrules.play.view_classes import PassingView, View
from heartsrules.rules import Rules

__all__ = ["BatchPolicy", "Policy", "Watchful"]
__dir__ = __all__.copy


class Policy:
    """The policy of every player in a playout, uniform unless methods are overridden.

    A policy must choose legally, depend only on its arguments, and draw all randomness from `stream`.
    """

    def choose_card(self, choice: CardChoice, stream: RandomStream) -> Card:
        """Choose the card to play from `choice.legal`."""
        cards = list(choice.legal)
        return cards[stream.below(len(cards))]

    def choose_pass(self, passes: Sequence[Pass], stream: RandomStream) -> Pass:
        """Choose one of a seat's legal passes (a lazy sequence that knows its length)."""
        return passes[stream.below(len(passes))]

    def choose_exposure(self, exposures: Sequence[Expose], stream: RandomStream) -> Expose:
        """Choose one of a seat's legal exposures (a lazy sequence, starting with none)."""
        return exposures[stream.below(len(exposures))]

    def choose_moon(
        self,
        state: ChoosingMoon,  # noqa: ARG002
        choices: tuple[ChooseMoon, ...],
        stream: RandomStream,
    ) -> ChooseMoon:
        """Choose the effect of the shooter's moon."""
        return choices[stream.below(len(choices))]


class Expected(NamedTuple):
    """The expected result of a deal."""

    points: Sequence[float]
    """The points of each seat."""
    moons: Sequence[float]
    """The chance of a moon by each seat's side."""


@runtime_checkable
class BatchPolicy(Protocol):
    """A policy that plays many worlds at once, such as `Learned`.

    It is for `assess`, `review` and `Sampling`.
    """

    def covers(self, rules: Rules) -> bool:
        """Return True if the policy supports a rule set."""
        ...

    def choose(self, view: View, /) -> Move:
        """Return a seat's preferred move."""
        ...

    def passes(self, view: PassingView, most: int, /) -> Sequence[Pass]:
        """Return the best passes to try, between one and `most`, preferred first."""
        ...

    def play_out(
        self, view: View, worlds: Sequence[Passing | Playing], moves: Sequence[Move], /
    ) -> tuple[Sequence[float], Sequence[Sequence[Board]]]:
        """Play every move in every world to the end of the deal.

        Returns:
            The likelihood of the play so far by world, and the boards by world and move, without scores.
        """
        ...

    def finish(self, starts: Sequence[Playing], /) -> Sequence[Board]:
        """Play deals of one rule set from their first leads to their ends.

        Returns:
            The boards, without scores.
        """
        ...

    def judge(
        self, view: View, worlds: Sequence[Passing | Playing], moves: Sequence[Move], /
    ) -> tuple[Sequence[float], Sequence[Sequence[Expected]]]:
        """Predict the points and moons that follow each move in every world.

        Returns:
            The likelihood of the play so far in each world, and the deal's expected result by world and move.
        """
        ...


class Watchful(Policy):
    """The policy of players who avoid points and watch for moons.

    The players lead low, where others will probably win, and drive out a costly card if it is no danger to them. They
    follow as high as is safe, and discard the costliest card or one above it. A player with all the points so far, or
    on lead with a hand that wins nearly every trick, tries to shoot the moon. When a single player has taken a third of
    the moon, the others keep high cards and take a point if they can. Players take a bonus card if they are sure to win
    it and it outweighs the penalty cards in the trick, and never give away their own or the cards that can win it. They
    expose the cards that gain by counting double, like the heuristic bot, unless a subclass overrides
    `choose_exposure`. A card is chosen uniformly with the probability `mistakes`, but not while shooting or stopping a
    moon. Passes are uniform. A shooter adds the moon to the others, unless that would make another player win the
    match.

    Args:
        mistakes: a probability from 0 to 1.

    >>> from heartsrules import Cards, Card, Play, Rules
    >>> hand, pile = Cards("2S 5S 3H"), Rules().deck.of_suit(Suit.HEARTS) - Cards("3H 4H 5H")
    >>> trick = (Play(0, Card("AD")),)
    >>> choice = CardChoice(Rules(), 1, hand, hand, trick, 9, True, (Cards(), Cards(), pile, Cards()))
    >>> Watchful(0).choose_card(choice, RandomStream(1))
    Card('3H')

    Raises:
        ValueError: `mistakes` is not from 0 to 1.
    """

    def __init__(self, mistakes: float = 0.08) -> None:
        if not 0 <= mistakes <= 1:
            raise ValueError(f"mistakes is {in_words(mistakes)}: choose 0 to 1")
        self.mistakes: Final = mistakes
        self.limit: Final[int] = round(self.mistakes * 1024)
        """The frequency of uniform choices, out of 1,024."""

    def __repr__(self) -> str:
        return f"Watchful({self.mistakes!r})"

    def choose_card(self, choice: CardChoice, stream: RandomStream) -> Card:
        resolved = choice.rules._resolved
        nothing = (0,) * choice.rules.players
        board = Board.of(resolved, nothing, choice.captured or resolved.nothing, nothing)
        board.begin(choice.trick[0].seat if choice.trick else choice.seat, 0)
        for play in choice.trick:
            board.seats[play.seat].hand_lo = play.bit
            board.play(play.bit)
        board.turn.hand_lo = choice.hand.lo
        situation = Situation()
        situation.look_at_piles(board)
        situation.look(board)
        bit = watchful_face(resolved, situation, choice.legal.lo, self.limit, stream)
        board.open_ring()
        return face(bit)

    def choose_moon(
        self,
        state: ChoosingMoon,
        choices: tuple[ChooseMoon, ...],
        stream: RandomStream,  # noqa: ARG002
    ) -> ChooseMoon:
        winners = row_winners(state.rules._resolved, state.others_up, state.deal_number + 1)
        return choices[0 if winners is None or state.shooter in winners else 1]
