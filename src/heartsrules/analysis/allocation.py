"""Allocate worlds to moves, few for clear decisions and many for close ones."""

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
"""The number of parts in which worlds are sampled.

Surely worse moves are dropped after each.
"""
_MOST: Final = 2
"""The most worlds of a close decision, in multiples of the usual number."""
_SURELY: Final = 2.0
"""The difference in standard errors from which a move is surely worse."""
_FEW: Final = 1.2
"""The increase of this threshold for few worlds.

The factor is 1 + `_FEW` / (worlds - 1).
"""
_AT_ONCE: Final = 2
"""The worlds between two checks of the clock."""

_MOST_SCREENED: Final = 300
"""The most passes screened, enough for all 286 three-card passes of 13 cards."""
_SCREENING: Final = 16
"""The divisor of the main search's worlds for each part of the screening."""
_MOST_AT_ONCE: Final = 16
"""The most worlds of a screening part."""


class Trying(Protocol):
    """The part of `Trials` used by an allocation."""

    @property
    def tried(self) -> Sequence[Tried]:
        """The running totals of each move."""
        ...

    def go_on(self, worlds: int, places: Sequence[int], /) -> None:
        """Try the moves with these indices in further worlds."""
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
    """Select the passes that look best in a few worlds.

    All likely passes are tried in the same worlds, and the worse half is dropped repeatedly. Declining is never
    dropped. With a batch policy, watchful players screen the passes, and half of the result are the policy's own
    preferences.

    Args:
        view: the view of a seat that has yet to pass.
        most: the number of passes requested, at least 2. There can be fewer if the hand has no others.
        worlds: the number of worlds for the later comparison.
        screened: the number of passes screened, at most 300.
        first: passes to screen too, listed first if they remain.
        seconds: the approximate wall-clock limit. Unlimited by default.
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
    trials = Trials(view, passes, stream, policy, correction=correction)
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
    """Try all moves, repeatedly dropping those surely worse than the best.

    Args:
        trials: the trials, none made yet.
        worlds: the number of worlds for a decision that is neither clear nor close.
        most: the number for a close decision. Defaults to twice as many.
        every: True to try every move in `worlds` worlds even if the decision is clear.
        seconds: the approximate wall-clock limit. Unlimited by default.
        least: the minimum number of worlds sampled together and between checks of the clock.

    Returns:
        The indices of the remaining moves, best first.
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
    return tried.value / tried.weight
