"""Compute the likelihood of a deal's play, given the hands of a world."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, final

from heartsrules.analysis.card_choice import Situation, lead_chance, watchful_face
from heartsrules.cards import Cards, popcount, with_card
from heartsrules.chance import RandomStream
from heartsrules.play.board import Board, TrickState
from heartsrules.play.taking_back import plays_of_tricks
from heartsrules.rules.resolved import ResolvedRules
from heartsrules.views import PlayingView

if TYPE_CHECKING:
    from mypy_extensions import i64

_LEAD: Final = 0
_FOLLOW: Final = 1
_DISCARD: Final = 2

_AS_EXPECTED: Final = (0.54, 0.76, 0.72)
"""Fractions of leads, follows and discards that match a watchful player's choice.

Only decisions with a choice count. Measured in self-play of heuristic and sampling players.
"""
_TRUST: Final = (0.25, 0.15, 0.25)
"""Exponents of the likelihoods of leads, follows and discards.

They are below 1 because a player who differs from the model once will do so again, and a few worlds should not
dominate.
"""


@final
class _Decision:
    def __init__(self, bit: i64, later: i64, trick: TrickState, situation: Situation) -> None:
        self.bit: Final[i64] = bit
        self.later: Final[i64] = later
        """The cards that the seat has played since, and this one."""
        self.trick: Final = trick
        self.situation: Final = situation
        """The seat's knowledge, without its hand."""


@final
class Likelihood:
    """The likelihood of the plays in a view, given a world.

    Other seats are assumed to play mostly like `heartsrules.analysis.policies.Watchful`, otherwise any legal card.
    """

    def __init__(self, view: PlayingView) -> None:
        resolved = view.rules._resolved
        self._resolved: Final[ResolvedRules] = resolved
        self._stream: Final = RandomStream.from_bits(0)
        self._decisions: Final[list[_Decision]] = []
        self._expected: Final[list[float]] = []
        """The likelihood of the expected card, for each kind of play."""
        self._other: Final[list[list[float]]] = []
        """The likelihood of each other card, by kind of play and number of such cards."""
        for kind, often in enumerate(_AS_EXPECTED):
            trust = _TRUST[kind]
            self._expected.append(often**trust)
            self._other.append(
                [1.0] + [((1 - often) / others) ** trust for others in range(1, int(resolved.hand_size))]
            )
        self._read(view)

    def _read(self, view: PlayingView) -> None:
        plays = plays_of_tricks(view.tricks, view.trick)
        kitty = view.kitty
        board = Board(self._resolved, (0,) * view.rules.players)
        # The board's hands contain only the cards played from them.
        for play in plays:
            seat = board.seats[play.seat]
            seat.hand_lo, seat.hand_hi = with_card(seat.hand_lo, seat.hand_hi, play.bit)
        board.kitty_waits = view.kitty_winner is not None
        if kitty is not None:
            board.kitty_lo = kitty.lo
            board.kitty_hi = kitty.hi
        board.begin(plays[0].seat if plays else view.turn, view.start.exposed_mask)
        situation = Situation()
        situation.look_at_piles(board)
        for play in plays:
            if play.seat != view.seat:
                situation.look(board)
                self._decisions.append(_Decision(play.bit, situation.held, board.trick(), situation.copy()))
            if board.play(play.bit):
                situation.look_at_winner(board)
        board.open_ring()

    def of(self, hands: tuple[Cards, ...]) -> float:
        """Compute the likelihood of the play, given the current hands of all seats."""
        resolved = self._resolved
        likelihood = 1.0
        for decision in self._decisions:
            situation = decision.situation
            led = situation.led
            held = hands[situation.seat].lo | decision.later
            legal = decision.trick.legal_of(held)
            if not legal & (legal - 1):
                continue
            situation.held = held
            known = held | situation.gone | situation.lo
            others = popcount(legal) - 1
            if not led:
                suit: i64 = 0x1FFF
                while not suit & decision.bit:
                    suit <<= 13
                chosen, chance = lead_chance(resolved, situation, legal, suit)
                if not self._alike(chosen, decision.bit, known):
                    chance = 0.0
                often = _AS_EXPECTED[_LEAD]
                likelihood *= (often * chance + (1 - often) * (1 - chance) / float(int(others))) ** _TRUST[_LEAD]
                continue
            chosen = watchful_face(resolved, situation, legal, 0, self._stream)
            kind = _FOLLOW if held & led else _DISCARD
            if self._alike(chosen, decision.bit, known):
                likelihood *= self._expected[kind]
            else:
                likelihood *= self._other[kind][others]
        return likelihood

    def _alike(self, one: i64, other: i64, known: i64) -> bool:
        resolved = self._resolved
        if one == other:
            return True
        both = one | other
        if not one or both & resolved.named_faces:
            return False
        low = one if one < other else other
        high = both ^ low
        suit: i64 = 0x1FFF
        while low & ~suit:
            suit <<= 13
        return high & suit != 0 and not (high - 1) & ~(low + low - 1) & resolved.deck_lo & ~known
