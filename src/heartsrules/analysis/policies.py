"""The policies by which the players of a playout choose."""

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
    """How every player of a playout chooses; this one chooses uniformly. Override the methods for other choices.

    A policy must choose legally, depend on nothing but what it is given, and take all chance from `stream`.
    """

    def choose_card(self, choice: CardChoice, stream: RandomStream) -> Card:
        """The card to play: one of `choice.legal`."""
        cards = list(choice.legal)
        return cards[stream.below(len(cards))]

    def choose_pass(self, passes: Sequence[Pass], stream: RandomStream) -> Pass:
        """The pass to commit: one of the legal passes of a seat (a lazy sequence that knows its length)."""
        return passes[stream.below(len(passes))]

    def choose_exposure(self, exposures: Sequence[Expose], stream: RandomStream) -> Expose:
        """What to show: one of the legal exposures of a seat (a lazy sequence; the first shows nothing)."""
        return exposures[stream.below(len(exposures))]

    def choose_moon(
        self,
        state: ChoosingMoon,  # noqa: ARG002
        choices: tuple[ChooseMoon, ...],
        stream: RandomStream,
    ) -> ChooseMoon:
        """What the shooter decides: one of the choices."""
        return choices[stream.below(len(choices))]


class Expected(NamedTuple):
    """What is expected of a deal."""

    points: Sequence[float]
    """By seat, the points."""
    moons: Sequence[float]
    """By seat, the chance that its side shoots the moon."""


@runtime_checkable
class BatchPolicy(Protocol):
    """A policy that plays in many worlds at once, as `Learned` does; for `assess`, `review` and `Sampling`."""

    def covers(self, rules: Rules) -> bool:
        """Whether it plays by a rule set."""
        ...

    def choose(self, view: View, /) -> Move:
        """The preferred move of a seat."""
        ...

    def passes(self, view: PassingView, most: int, /) -> Sequence[Pass]:
        """The passes that are worth trying: at least one and at most `most`, the preferred one first."""
        ...

    def play_out(
        self, view: View, worlds: Sequence[Passing | Playing], moves: Sequence[Move], /
    ) -> tuple[Sequence[float], Sequence[Sequence[Board]]]:
        """Play every move in every world to the end of the deal.

        Returns:
            The likelihood of the play so far in each world, and the boards by world and move, without scores.
        """
        ...

    def finish(self, starts: Sequence[Playing], /) -> Sequence[Board]:
        """Play deals of one rule set from their first leads to their ends: the boards, without scores."""
        ...

    def judge(
        self, view: View, worlds: Sequence[Passing | Playing], moves: Sequence[Move], /
    ) -> tuple[Sequence[float], Sequence[Sequence[Expected]]]:
        """Judge every move in every world by the points and moons that it leads to.

        Returns:
            The likelihood of the play so far in each world, and by world and move what is expected of the deal.
        """
        ...


def _checked_mistakes(mistakes: float) -> float:
    if not 0 <= mistakes <= 1:
        raise ValueError(f"mistakes is {in_words(mistakes)}: choose 0 to 1")
    return mistakes


class Watchful(Policy):
    """Players of a playout who avoid points and look out for moons; a policy for `playout`, `rollouts` and `Sampling`.

    They lead low, where others will probably win, and drive out a dear card that they need not fear. They follow as
    high as is safe, and discard the dearest card, or what would have to be played over a dear one. One who has all the
    points so far, or leads and has a hand that wins nearly every trick, plays for the moon; when somebody has taken a
    third of the moon alone, the others keep their high cards, and take a point if they can. A bonus card is taken where
    it surely can be and is worth more than the penalty cards with it, and neither it nor what can take it is given
    away. Cards are shown that gain by counting double, as the heuristic bot shows them, unless a subclass has a
    `choose_exposure` of its own. A card is chosen uniformly
    with the probability `mistakes`, but not by who shoots a moon or stops one. Passes are uniform; a shooter lets the
    others pay, unless somebody else would win the match by that.

    Args:
        mistakes: from 0 to 1.

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
        self.mistakes: Final = _checked_mistakes(mistakes)
        self.limit: Final[int] = round(self.mistakes * 1024)
        """How many times in 1,024 a player who has a choice chooses uniformly."""

    def __repr__(self) -> str:
        return f"Watchful({self.mistakes!r})"

    def choose_card(self, choice: CardChoice, stream: RandomStream) -> Card:
        """The card to play."""
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
        """What the shooter decides."""
        winners = row_winners(state.rules._resolved, state.others_up, state.deal_number + 1)
        return choices[0 if winners is None or state.shooter in winners else 1]
