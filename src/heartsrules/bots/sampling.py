"""A bot that samples worlds and plays them out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import attrs

from heartsrules.analysis.allocation import Trying, promising_passes, try_where_close
from heartsrules.analysis.endings import distinct_plays
from heartsrules.analysis.policies import BatchPolicy, Policy, Watchful
from heartsrules.analysis.trials import Trials, Tried, lead, may_end_match, policy_for
from heartsrules.base.errors import InvalidState, TooManyWorlds
from heartsrules.base.values import checked_count
from heartsrules.bots.heuristic import heuristic, heuristic_passes
from heartsrules.bots.interface import Preparing, options
from heartsrules.cards import Cards
from heartsrules.chance import Bits, RandomStream, as_stream
from heartsrules.chance.bits import checked_bits
from heartsrules.play.engine import legal_moves
from heartsrules.play.legality import CardChoice
from heartsrules.play.moves import Move, Play
from heartsrules.play.public import faces_of
from heartsrules.rules import Rules, Seat
from heartsrules.views import ExposingView, PassingView, PlayingView, View
from heartsrules.views.worlds import sample_world

_PASSES: Final = 8
"""The number of passes to compare, since a hand can have millions."""

_SCREENED: Final = 0.6
"""The number of passes screened per world."""

_FEWEST_WITH_JUDGEMENT: Final = 1_600
"""The fewest worlds with which a batch policy judges moves.

In a smaller search, judging would take most of the time.
"""

_PLAYED_FOR_PASSES: Final = 50
"""The number of worlds for each one in which a batch policy plays out passes."""

_FEWEST_FOR_PASSES: Final = 64
"""The fewest worlds for playing out passes.

With fewer, the policy's own pass is as good."""

_JUDGEMENT: Final = 0.25, 50
"""The weight of judgements relative to playouts, and the playouts per judgement."""

_JUDGEMENT_WITH_PARTNERS: Final = 0.5, 25
"""The same with partners, where a weight of a quarter loses points."""

_MOON_WEIGHT: Final = 7.0
"""The weight of worlds with a moon by another side, the only one with points.

Shooters' hands are rare among evenly sampled worlds. In self-play, such moons were about this many times as frequent as
the worlds predicted.
"""


def _check_worlds(instance: object, attribute: attrs.Attribute[int], worlds: int) -> None:  # noqa: ARG001
    checked_count("worlds", worlds)


@attrs.frozen
class Sampling:
    """A bot that plays the move with the best average result over sampled worlds.

    It samples worlds from its view, tries its moves in each, finishes the deal as `rollouts` does, and evaluates the
    chance to win the match. With a watchful policy and one deck, worlds are weighted by the likelihood of the play so
    far. While one other side has all captured points, a world with a moon by another side counts up to seven times.

    All moves get the same worlds and draws. A move is dropped once it is worse by two standard errors, so a clear
    decision takes a quarter of the worlds, and a close one twice as many. Likely passes are first screened in a few
    worlds, and the best eight are compared. If the policy's own move, or the heuristic bot's preferred pass, is within
    one standard error of the best, it is played. The heuristic bot chooses the effect of a moon, and plays if no worlds
    can be sampled, because the position was set up without its history or has too many worlds to count.

    Args:
        worlds: the number of worlds for a decision that is neither clear nor close (1 or more). Time and strength grow
            with it.
        policy: the policy of all players in a playout. Defaults to `Watchful()`. None means uniform moves. Your own
            policy is called for every card, which is much slower. Worlds have weights only with a `Watchful` policy.
            With a `BatchPolicy`, watchful players play the worlds out, and the policy passes. From 1,600 worlds on it
            also judges each move, unless the match can end with the deal. It does so in one further world per 50, with
            a weight of a quarter, or with partners in one per 25, with a weight of one half. From 3,200 on it compares
            eight passes, half of them its own preferences, and plays one world out per 50. `Learned()` is such a
            policy, whose critic judges the deal at the seat's next choice. If it does not cover the rules, or the
            history is missing, `Sampling()` is used instead.

    >>> from heartsrules import apply, deal, new_game, presets, view
    >>> from heartsrules.chance import RandomStream
    >>> start = new_game(presets.cardstock())
    >>> seen = view(apply(start, deal(start, seed=7)), 0)
    >>> bot = Sampling(worlds=10)
    >>> bot(seen, RandomStream("any")) == bot(seen, RandomStream("any"))
    True

    Raises:
        ValueError: `worlds` is too low.
    """

    worlds: int = attrs.field(default=100, validator=_check_worlds)
    policy: Policy | BatchPolicy | None = attrs.field(factory=Watchful)

    def begin(self, rules: Rules, seat: Seat, /) -> None:
        """Let the policy log at the beginning of a game that it does not cover the rules."""
        if isinstance(self.policy, Preparing):
            self.policy.begin(rules, seat)

    def __call__(self, view: View, rng: Bits, /) -> Move:
        """Choose a legal move of the view's seat.

        Raises:
            ValueError: the seat has no decision.
        """
        moves = options(view)
        checked_bits(rng)
        if len(moves) == 1:
            return moves[0]
        policy = self.policy
        if policy_for(view, policy) is not policy:
            return Sampling(self.worlds)(view, rng)
        candidates: Sequence[Move] = moves
        if isinstance(view, PlayingView):
            if view.rules.decks == 1:
                between = view.rules.deck - sum(view.captured, start=view.hand)
                candidates = distinct_plays(view.rules, moves, between.lo, faces_of(view.exposed))
        elif isinstance(view, PassingView):
            if isinstance(policy, BatchPolicy) and self.worlds < _PLAYED_FOR_PASSES * _FEWEST_FOR_PASSES:
                return policy.choose(view)
        elif not isinstance(view, ExposingView):
            return heuristic(view, rng)
        if len(candidates) == 1:
            return candidates[0]
        try:
            sample_world(view, rng)
        except (InvalidState, TooManyWorlds):
            # No worlds can be drawn: the position was set up without its history, or there are too many to count.
            return heuristic(view, rng)
        stream = as_stream(rng)
        if isinstance(view, PassingView):
            first = heuristic_passes(view, rng, 1)
            screened = round(_SCREENED * self.worlds)
            candidates = promising_passes(view, policy, stream, _PASSES, self.worlds, screened, first=first)
        preferred = self._preferred(view, candidates)
        if not isinstance(policy, BatchPolicy):
            trials = Trials(view, candidates, stream, policy, _MOON_WEIGHT, weighs=True)
            return candidates[_best(trials, self.worlds, preferred)]
        if isinstance(view, PassingView):
            trials = Trials(view, candidates, stream, policy)
            return candidates[_best(trials, self.worlds // _PLAYED_FOR_PASSES, preferred)]
        trials = Trials(view, candidates, stream, Watchful(), _MOON_WEIGHT, weighs=True)
        if self.worlds < _FEWEST_WITH_JUDGEMENT or may_end_match(view):
            return candidates[_best(trials, self.worlds, preferred)]
        part, played = _JUDGEMENT_WITH_PARTNERS if view.rules.teams else _JUDGEMENT
        judged = Trials(view, candidates, stream, policy, judges=True)
        judged.go_on(self.worlds // played, range(len(candidates)))
        joined = _Joined(trials, [each.value / each.weight for each in judged.tried], part)
        return candidates[_best(joined, self.worlds, preferred)]

    def _preferred(self, view: View, candidates: Sequence[Move]) -> int:
        """Return the index of the policy's play, 0 for a pass or exposure, or -1 for none."""
        if self.policy is None:
            return -1
        if not isinstance(view, PlayingView):
            return 0
        if isinstance(self.policy, BatchPolicy):
            return _stands_for(self.policy.choose(view), candidates)
        legal = Cards([move.card for move in legal_moves(view) if isinstance(move, Play)])
        choice = CardChoice(
            view.rules, view.turn, view.hand, legal, view.trick, view.trick_number, view.hearts_broken, view.captured
        )
        chosen = self.policy.choose_card(choice, RandomStream.from_bits(0))
        return _stands_for(Play(view.turn, chosen), candidates)


def _stands_for(move: Move, candidates: Sequence[Move]) -> int:
    """Return the index of the candidate for a play.

    Only the lowest of interchangeable cards is a candidate.
    """
    assert isinstance(move, Play)
    below = [place for place, each in enumerate(candidates) if isinstance(each, Play) and each.card <= move.card]
    return below[-1] if below else 0


class _Joined:
    """Trials whose values include judgements of the moves."""

    def __init__(self, trials: Trials, judgements: Sequence[float], part: float) -> None:
        self._trials: Final = trials
        self._judgements: Final = judgements
        self.part: Final = part
        """The weight of the judgements, while the trials have the rest of 1."""
        self.tried: Final[Sequence[Tried]] = trials.tried

    def go_on(self, worlds: int, places: Sequence[int], /) -> None:
        before = [len(tried.values) for tried in self.tried]
        self._trials.go_on(worlds, places)
        for place in places:
            tried = self.tried[place]
            for number in range(before[place], len(tried.values)):
                more = self.part * (self._judgements[place] * tried.weights[number] - tried.values[number])
                tried.values[number] += more
                tried.value += more


def _best(trials: Trying, worlds: int, preferred: int) -> int:
    """Return the index of the best move.

    The preferred move wins if it is within one standard error of the best.

    Args:
        worlds: the number of worlds for a decision that is neither clear nor close.
    """
    left = try_where_close(trials, worlds)
    # A single candidate is not tried in any world.
    if preferred in left[1:]:
        ahead, error = lead(trials.tried[left[0]], trials.tried[preferred])
        if ahead <= error:
            return preferred
    return left[0]
