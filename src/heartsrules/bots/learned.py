"""A bot that plays with a trained network, without search.

The first move requires the extra `learned`.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from functools import lru_cache
from math import exp, log
from typing import TYPE_CHECKING, Any, Final

import attrs

from heartsrules.analysis.policies import Expected
from heartsrules.analysis.seat_words import DECLINE_BIT, SeatKnowledge
from heartsrules.bots._sparse import has_inputs
from heartsrules.bots.heuristic import heuristic
from heartsrules.bots.interface import options
from heartsrules.bots.sampling import Sampling
from heartsrules.cards import ALL_FACES, NO_CARDS, Card, Cards
from heartsrules.chance import Bits
from heartsrules.chance.bits import checked_bits
from heartsrules.play.board import Board
from heartsrules.play.moves import Expose, Move, Pass, Play
from heartsrules.play.state import Passing, Playing
from heartsrules.play.view_classes import ChoosingMoonView, ExposingView, PassingView, View
from heartsrules.rules import Compulsory, Moon, Rules, Seat
from heartsrules.rules.arguments import check_rules
from heartsrules.rules.presets import gong_zhu
from heartsrules.rules.resolved import HEARTS, QUEEN

if TYPE_CHECKING:
    from heartsrules.bots._network import Network

_log: Final = logging.getLogger(__name__)
_STAND_IN: Final = Sampling()
_LEEKHA: Final = Cards("TD QS")
"""The penalty cards of Leekha besides the hearts."""
_USUAL_POINTS: Final = 26
_GONG_ZHU: Final = gong_zhu(4)
_MAY_DIFFER: Final = (
    *("players", "removed", "first_dealer", "exposable", "target", "target_test", "bonus_target", "max_deals"),
    *("exact_resets", "tie", "score_display"),
)
"""Options in which rules can differ from the Gong Zhu preset and still be covered."""


@attrs.frozen
class Learned:
    """A bot that plays its network's preferred move, without using the random bits.

    The network was trained to imitate a search, and then against itself. Its inputs are the view's information and the
    rules: card values, the moon, and kitties. It covers rule sets with one deck, three to five players, plain passes, a
    moon, and the queen of spades as the only penalty card besides the hearts. It does not cover exposed, compulsory or
    doubling cards, or a reward for winning no trick. Another network covers the usual game and Leekha with partners,
    and Gong Zhu without. For all other rules (see `covers`) `Sampling` plays instead, which is logged when a game
    begins. The heuristic bot chooses the effect of a moon.

    >>> from heartsrules import apply, deal, new_game, presets, view
    >>> from heartsrules.chance import RandomStream
    >>> start = new_game(presets.microsoft())
    >>> seen = view(apply(start, deal(start, seed=7)), 0)
    >>> Learned()(seen, RandomStream("any")) == Learned()(seen, RandomStream("other"))
    True
    """

    def covers(self, rules: Rules) -> bool:
        """Return True if the network itself plays a rule set.

        It was also trained on Black Maria and Heartsette, but `Sampling` is better there.

        >>> from heartsrules import presets
        >>> [Learned().covers(rules) for rules in (presets.omnibus(5), presets.gong_zhu(4), presets.black_maria(3))]
        [True, True, False]
        """
        check_rules(rules)
        return _plays(rules)

    def state_dict(self, rules: Rules) -> dict[str, Any]:
        """Return the weights for a rule set, in the format of a PyTorch model.

        The network is `Sequential(Linear, ReLU, Linear, ReLU, Linear)` from `torch.nn`. It takes rows of `inputs`. Its
        53 outputs are preferences for the first 53 actions of `heartsrules.bridges.vector`, legal or not.

        >>> {name: array.shape for name, array in Learned().state_dict(Rules()).items()}["4.weight"]
        (53, 128)

        Returns:
            New float32 NumPy arrays by name: `0.weight`, of shape (outputs, inputs) of the first layer, `0.bias`, and
            likewise for the layers `2` and `4`.

        Raises:
            ValueError: the network does not cover these rules.
            MissingExtra: NumPy is not installed.
        """
        self._check_covered(rules)
        from heartsrules.bots._network import state_dict

        return state_dict(rules)

    def inputs(self, rules: Rules, words: Any) -> Any:
        """Compute the inputs of the network for a batch of rows of words.

        Args:
            words: an int64 NumPy matrix of rows in the `word_layout` of `heartsrules.bridges.vector`.

        Returns:
            A new float32 matrix with one row per row of words.

        Raises:
            ValueError: the network does not cover these rules, or `words` has the wrong shape.
            TypeError: `words` is not an array of int64.
            MissingExtra: NumPy is not installed.
        """
        self._check_covered(rules)
        from heartsrules.bots._network import all_inputs

        return all_inputs(rules, words)

    def _check_covered(self, rules: Rules) -> None:
        if not self.covers(rules):
            raise ValueError("the network does not play by these rules: ask covers first")

    def begin(self, rules: Rules, seat: Seat, /) -> None:
        """Log at the beginning of a game if the sampling bot will play."""
        if not _plays(rules):
            _log.info("seat %d: the learned player does not play by these rules; the sampling player stands in", seat)

    def __call__(self, view: View, rng: Bits, /) -> Move:
        """Choose a legal move of the view's seat.

        Raises:
            ValueError: the seat has no decision.
            MissingExtra: NumPy is not installed.
        """
        moves = options(view)
        checked_bits(rng)
        if len(moves) == 1:
            return moves[0]
        if not _plays(view.rules):
            return _STAND_IN(view, rng)
        return heuristic(view, rng) if isinstance(view, ChoosingMoonView) else self.choose(view)

    def choose(self, view: View, /) -> Move:
        """Return the network's preferred pass or play under covered rules."""
        from heartsrules.bots._network import shipped

        return preferred(shipped(), view)

    def passes(self, view: PassingView, most: int, /) -> Sequence[Pass]:
        """Return at most `most` passes, in the network's order of preference."""
        from heartsrules.bots._network import shipped

        return _likely_passes(shipped(), view, most)

    def play_out(
        self, view: View, worlds: Sequence[Passing | Playing], moves: Sequence[Move], /
    ) -> tuple[Sequence[float], Sequence[Sequence[Board]]]:
        """Play every move in every world to the end of the deal with the network.

        Args:
            worlds: worlds of the view. In a pass, the others have committed theirs.

        Returns:
            The likelihood of the play so far in each world, and the boards by world and move, without scores.
        """
        from heartsrules.bots._lockstep import play_out_batch
        from heartsrules.bots._network import shipped

        return play_out_batch(shipped(), view, worlds, moves)

    def finish(self, starts: Sequence[Playing], /) -> Sequence[Board]:
        """Play deals of one rule set from their first leads to their ends.

        Returns:
            The boards by deal, without scores.
        """
        from heartsrules.bots._lockstep import Lockstep
        from heartsrules.bots._network import shipped

        deals = Lockstep(shipped(), starts)
        deals.finish()
        return deals.boards

    def judge(
        self, view: View, worlds: Sequence[Passing | Playing], moves: Sequence[Move], /
    ) -> tuple[Sequence[float], Sequence[Sequence[Expected]]]:
        """Judge every move in every world with a critic that sees all hands.

        The network plays until the seat's next choice, where the critic evaluates the deal. The arguments are as for
        `play_out`.

        Returns:
            The likelihood of the play so far in each world, and the expected result of the deal by world and move.
        """
        from heartsrules.bots._lockstep import judge_batch
        from heartsrules.bots._network import shipped

        return judge_batch(shipped(), view, worlds, moves)


def _plays(rules: Rules) -> bool:
    if not has_inputs(rules) or rules.no_tricks_bonus:
        return False
    if rules.exposable or rules.doubler:
        return _is_gong_zhu(rules)
    beside_hearts = rules._resolved.penalty & ~HEARTS
    if rules.compulsory is not Compulsory.NO:
        leekha = rules.compulsory is Compulsory.DISCARD and beside_hearts == rules.compulsory_cards.lo == _LEEKHA.lo
        return leekha and bool(rules.teams) and not rules.bonuses
    if rules.teams and (rules.bonuses or rules.penalty_total != _USUAL_POINTS):
        return False
    return beside_hearts == QUEEN and rules.moon is not Moon.OFF


@lru_cache(maxsize=64)
def _is_gong_zhu(rules: Rules) -> bool:
    """Return True for Gong Zhu with four or five players and no partners.

    The end of the match does not matter.
    """
    if rules.players < 4 or rules.exposable not in (NO_CARDS, _GONG_ZHU.exposable):
        return False
    fields = [field.name for field in attrs.fields(Rules) if field.eq and field.name not in _MAY_DIFFER]
    return all([getattr(rules, name) == getattr(_GONG_ZHU, name) for name in fields])


def preferred(network: Network, view: View) -> Move:
    """Return a network's move, chosen card by card in a pass or an exposure."""
    picks: list[Card] = []
    seat = view.seat or 0
    while True:
        action = network.best(SeatKnowledge(view, picks))
        if isinstance(view, PassingView):
            picks.append(ALL_FACES[action])
            if len(picks) == sum([count for _, count in view.plan]):
                return _pass_of(view, picks)
        elif not isinstance(view, ExposingView):
            return Play(seat, ALL_FACES[action])
        elif 1 << action == DECLINE_BIT:
            return Expose(seat, Cards(picks))
        else:
            picks.append(ALL_FACES[action])


def _likely_passes(network: Network, view: PassingView, most: int) -> list[Pass]:
    """Find a network's preferred passes, best first, with a beam search card by card."""
    beam: dict[tuple[int, ...], float] = {(): 0.0}
    for _ in range(sum([count for _, count in view.plan])):
        grown: dict[tuple[Cards, ...], tuple[float, tuple[int, ...]]] = {}
        for picks, sum_of_logs in beam.items():
            seen = SeatKnowledge(view, [ALL_FACES[pick] for pick in picks])
            preferences = network.alone(seen)
            mask = seen.legal()
            legal = [action for action in range(len(ALL_FACES)) if mask >> action & 1]
            total = log(sum([exp(preferences[action]) for action in legal]))
            for action in legal:
                more = sum_of_logs + preferences[action] - total, (*picks, action)
                gifts = _pass_of(view, [ALL_FACES[pick] for pick in more[1]]).cards
                grown[gifts] = max(more, grown.get(gifts, more))
        beam = {picks: sum_of_logs for sum_of_logs, picks in sorted(grown.values(), reverse=True)[:most]}
    found = [_pass_of(view, [ALL_FACES[pick] for pick in picks]) for picks in beam]
    first = preferred(network, view)
    assert isinstance(first, Pass)
    return [first, *[each for each in found if each != first]][:most]


def _pass_of(view: PassingView, picks: list[Card]) -> Pass:
    gifts: list[Cards] = []
    for _, count in view.plan:
        gifts.append(Cards(picks[:count]))
        picks = picks[count:]
    return Pass(view.seat or 0, *gifts)
