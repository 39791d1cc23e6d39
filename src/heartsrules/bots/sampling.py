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
"""Number of passes that are compared: a hand may have millions of passes."""

_SCREENED: Final = 0.6
"""How many passes are screened for each world."""

_FEWEST_WITH_JUDGEMENT: Final = 1_600
"""The fewest worlds with which a batch policy judges moves: in a smaller search it would take most of the time."""

_PLAYED_FOR_PASSES: Final = 50
"""How many worlds of a play there are for one in which a batch policy plays out passes."""

_FEWEST_FOR_PASSES: Final = 64
"""The fewest worlds in which it does: with fewer its own pass is as good."""

_JUDGEMENT: Final = 0.25, 50
"""The weight of what it says, while the playouts have the rest of 1; and how many worlds are played out for one that it
judges."""

_JUDGEMENT_WITH_PARTNERS: Final = 0.5, 25
"""The same with partners, where a quarter loses points."""

_MOON_WEIGHT: Final = 7.0
"""Weight of a world in which another side, the only one with points, shoots the moon. A shooter's hand is rare among
worlds drawn evenly: in self-play such moons were about this many times as frequent as the worlds predicted."""


def _check_worlds(instance: object, attribute: attrs.Attribute[int], worlds: int) -> None:  # noqa: ARG001
    checked_count("worlds", worlds)


@attrs.frozen
class Sampling:
    """A bot that samples the hidden cards many times, and plays the move with the best average result.

    It draws worlds from its view, tries its moves in each, plays on to the end of the deal as `rollouts` does, and
    evaluates the result by the chance of winning the match. It knows no hidden card. With a watchful policy and one
    deck, a world has a weight: how likely the play so far was in it. While one other side has all points captured so
    far, a world in which another side shoots the moon counts up to seven times, since evenly drawn worlds have too few
    moons.
    All moves are tried in the same worlds, with the same draws. A move is dropped once it is worse by two standard
    errors, so that a clear decision takes a quarter of the worlds, and a close one twice as many. Passes are screened
    first: all likely ones in a few worlds, of which the best eight are compared. If the move that the policy would
    make, or the pass that the heuristic bot likes best, is within one standard error of the best, it is played: so
    equally good cards do not depend on the draws. The heuristic bot decides what a moon does, and plays where no worlds
    can be drawn: in positions that were set up without their history, or if there are too many worlds to count.

    Args:
        worlds: the number of worlds for a decision that is neither clear nor close (1 or more): time and strength grow
            with it.
        policy: the policy of all players in a playout; `Watchful()` by default; None: uniform. A policy of your own
            is called for every card, and takes many times as long. Worlds have weights only with a `Watchful` policy.
            With a `BatchPolicy` watchful players play the worlds out, and the policy passes. With 1,600 worlds or more
            it also judges each move, unless the match may end with the deal: in one further world for 50 of them, which
            counts for a quarter, or with partners in one for 25, which counts for one half. With 3,200 or more it
            compares eight passes, half of them those that it likes best, and plays a world out for 50 of them.
            `Learned()` is one: its network plays on after all moves, in lockstep, to the seat's next choice, where a
            critic that sees the hands of the world judges the deal. Where it does not play by the rules, or the history
            is missing, `Sampling()` stands in.

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
        """Let the policy log at a game's beginning that it does not play by these rules."""
        if isinstance(self.policy, Preparing):
            self.policy.begin(rules, seat)

    def __call__(self, view: View, rng: Bits, /) -> Move:
        """Choose a legal move of the view's seat.

        Raises:
            ValueError: the seat has nothing to do.
        """
        moves = options(view)
        checked_bits(rng)
        if len(moves) == 1:
            return moves[0]
        policy = self.policy
        if policy_for(view, policy) is not policy:
            return Sampling(self.worlds)(view, rng)
        if isinstance(view, PlayingView):
            candidates: Sequence[Move] = moves
            if view.rules.decks == 1:
                between = view.rules.deck - sum(view.captured, start=view.hand)
                candidates = distinct_plays(view.rules, moves, between.lo, faces_of(view.exposed))
        elif isinstance(view, PassingView):
            if isinstance(policy, BatchPolicy) and self.worlds < _PLAYED_FOR_PASSES * _FEWEST_FOR_PASSES:
                return policy.choose(view)
            candidates = moves
        elif isinstance(view, ExposingView):
            candidates = moves
        else:
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
        """The index of the play that stands for the policy's choice, of passes and exposures the first; -1: none."""
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
    """The index of the candidate for a play: of cards that are interchangeable only the lowest is one."""
    assert isinstance(move, Play)
    below = [place for place, each in enumerate(candidates) if isinstance(each, Play) and each.card <= move.card]
    return below[-1] if below else 0


class _Joined:
    """Trials whose values are joined with judgements of the moves."""

    def __init__(self, trials: Trials, judgements: Sequence[float], part: float) -> None:
        self._trials: Final = trials
        self._judgements: Final = judgements
        self.part: Final = part
        """The weight of the judgements; the trials have the rest of 1."""
        self.tried: Final[Sequence[Tried]] = trials.tried

    def go_on(self, worlds: int, places: Sequence[int], /) -> None:
        """Try some of the moves in further worlds."""
        before = [len(tried.values) for tried in self.tried]
        self._trials.go_on(worlds, places)
        for place in places:
            tried = self.tried[place]
            for number in range(before[place], len(tried.values)):
                more = self.part * (self._judgements[place] * tried.weights[number] - tried.values[number])
                tried.values[number] += more
                tried.value += more


def _best(trials: Trying, worlds: int, preferred: int) -> int:
    """The index of the best move, or of the preferred one if it is within one standard error.

    Args:
        trials: the trials, none of them made yet.
        worlds: the number of worlds for a decision that is neither clear nor close.
        preferred: the index of a move; -1: none.
    """
    left = try_where_close(trials, worlds)
    if preferred in left:
        ahead, error = lead(trials.tried[left[0]], trials.tried[preferred])
        if ahead <= error:
            return preferred
    return left[0]
