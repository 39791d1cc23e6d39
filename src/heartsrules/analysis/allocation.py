"""The allocation of worlds to moves: a clear decision takes few, and a close one many."""

from __future__ import annotations

from collections.abc import Sequence
from math import inf
from time import monotonic
from typing import Final, Protocol

from heartsrules.analysis.passes import likely_passes
from heartsrules.analysis.policies import BatchPolicy, Policy, Watchful
from heartsrules.analysis.trials import Trials, Tried, judging, lead
from heartsrules.chance import RandomStream
from heartsrules.play.moves import Pass
from heartsrules.views import PassingView

_PARTS: Final = 4
"""The worlds of a decision are drawn in parts of one in so many: after each, surely worse moves are dropped."""
_MOST: Final = 2
"""The most worlds of a close decision, in multiples of the usual number."""
_SURELY: Final = 2.0
"""A move is surely worse from so many standard errors on."""
_FEW: Final = 1.2
"""The increase of that for few worlds: it is 1 + `_FEW` / (worlds - 1) times as much."""
_AT_ONCE: Final = 2
"""The number of worlds drawn between two checks of the clock."""

_MOST_SCREENED: Final = 300
"""The most passes that are screened: of 13 cards all 286 with three."""
_SCREENING: Final = 16
"""Passes are screened in parts of one in so many of the worlds that the best of them are tried in later."""
_MOST_AT_ONCE: Final = 16
"""The most worlds of such a part."""


class Trying(Protocol):
    """The part of `Trials` that an allocation needs."""

    @property
    def tried(self) -> Sequence[Tried]:
        """The running totals of each move."""
        ...

    def go_on(self, worlds: int, places: Sequence[int], /) -> None:
        """Try some of the moves, by their indices, in further worlds."""
        ...


def promising_passes(
    view: PassingView,
    policy: Policy | BatchPolicy | None,
    stream: RandomStream,
    most: int,
    worlds: int,
    screened: int,
    *,
    first: Sequence[Pass] = (),
    seconds: float | None = None,
) -> list[Pass]:
    """The passes that are worth trying in more worlds: those that look best in a few.

    All likely passes are tried in the same worlds, and the worse half is dropped again and again; declining never is.
    With a batch policy the passes are screened by watchful players, and half of those found are the ones that the
    policy prefers.

    Args:
        view: the view of a seat that has still to pass.
        policy: the policy of all players.
        stream: where the worlds are drawn from.
        most: how many passes are wanted, at least 2; there are fewer if the hand has no others.
        worlds: how many worlds each of these will be tried in.
        screened: how many passes are screened, at most 300.
        first: passes that are screened too, and come first if they are left.
        seconds: the rough wall-clock limit; None: no limit.
    """
    assert view.seat is not None
    preferred: list[Pass] = []
    if isinstance(policy, BatchPolicy):
        preferred = list(policy.passes(view, most // 2))
        policy = Watchful()
    screened = max(most, min(_MOST_SCREENED, screened))
    likely = likely_passes(view.rules, view.plan, view.seat, view.hand, screened)
    passes = list(dict.fromkeys([*first, *likely]))
    _, correction, _ = judging(view, policy)
    trials = Trials(view, passes, stream, policy, moons=(correction.moon, correction.against))
    left = list(range(len(passes)))
    part = max(1, min(_MOST_AT_ONCE, worlds // _SCREENING))
    until = inf if seconds is None else monotonic() + seconds
    while len(left) > most and monotonic() < until:
        for _ in range(part):
            trials.go_on(1, left)
            if monotonic() >= until:
                break
        left.sort(key=lambda place: (not passes[place].cards, _mean(trials.tried[place])), reverse=True)
        del left[max(most, (len(left) + 1) // 2) :]
    del left[most:]
    left.sort(key=lambda place: place >= len(first))
    return list(dict.fromkeys([*preferred, *[passes[place] for place in left]]))[:most]


def try_where_close(
    trials: Trying,
    worlds: int,
    *,
    most: float | None = None,
    every: bool = False,
    seconds: float | None = None,
    least: int = 1,
) -> list[int]:
    """Try all moves, drop those that are surely worse than the best, and go on with the others.

    Worlds are drawn in parts, after each of which moves are dropped.

    Args:
        trials: the trials, none of them made yet.
        worlds: the number of worlds for a decision that is neither clear nor close.
        most: the number for a close one; None: twice as many.
        every: whether every move is tried in `worlds` worlds, however clear the decision is.
        seconds: the rough wall-clock limit; None: no limit.
        least: the number of worlds that are drawn together at least, also between two looks at the clock.

    Returns:
        The indices of the moves that are left, the best one first.
    """
    until = inf if seconds is None else monotonic() + seconds
    limit = _MOST * worlds if most is None else most
    part = max(least, worlds // _PARTS)
    left = list(range(len(trials.tried)))
    drawn = 0
    while drawn < limit and (len(left) > 1 or (every and not drawn)):
        end = min(limit, worlds if every and not drawn else drawn + part)
        while drawn < end:
            at_once = int(end - drawn) if seconds is None else int(min(max(_AT_ONCE, least), end - drawn))
            trials.go_on(at_once, left)
            drawn += at_once
            if monotonic() >= until:
                limit = end = drawn
        left.sort(key=lambda place: _mean(trials.tried[place]), reverse=True)
        leads = [lead(trials.tried[left[0]], trials.tried[place]) for place in left]
        if drawn >= worlds and not any([error for _, error in leads]):
            # More worlds would not tell these moves apart.
            break
        surely = _SURELY * (1 + _FEW / max(1, drawn - 1))
        left = [place for place, (ahead, error) in zip(left, leads, strict=True) if ahead <= surely * error]
    return left


def _mean(tried: Tried) -> float:
    """The mean value of a move."""
    return tried.value / tried.weight
