"""Views of positions without their history: those of true states are believed, and others are not."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from heartsrules import Playing, Rules, apply, deal, new_game
from heartsrules.base.values import replaced
from heartsrules.rules import Duplicates, Kitty, KittyShownTo, Moon, OpeningLeader, PassOptional, middle
from heartsrules.views import PassingView, PlayingView, View, deal_of, view_of
from heartsrules.views.view_check import believable
from support.history import forgotten
from support.setups import played_on, without_history
from support.strategies import match, random_rules

FIXED: tuple[dict[str, Any], ...] = (
    {"kitty": Kitty.FIRST_POINT, "kitty_shown_to": KittyShownTo.TAKER},
    {"kitty": Kitty.FIRST_TRICK, "kitty_shown_to": KittyShownTo.EVERYBODY},
    {"kitty": Kitty.FIRST_TRICK, "kitty_shown_to": KittyShownTo.NOBODY},
    {"moon": Moon.CHOICE},
    {"decks": 2, "duplicates": Duplicates.CANCEL},
    {"opening_leader": OpeningLeader.QUEEN_TAKER},
    {"exposable": "QS AH"},
)


def kinds(seen: View) -> Iterator[str]:
    """What is remarkable about such a view."""
    played = deal_of(seen)
    assert played is not None
    yield type(seen).__name__
    if played.kitty_winner is not None:
        before = len(played.tricks) < played.tricks_won[played.kitty_winner]
        known = "hidden" if played.kitty is None else "seen"
        yield f"a {known} kitty taken {'before, perhaps' if before else 'since'}"
    yield "a spectator" * (seen.seat is None)
    yield "cards set aside" * bool(played.set_aside)
    yield "shown cards" * any(played.exposed)
    yield "a sheet that begins later" * (seen.score_sheet.first > 0)
    yield "a taker of the queen before" * (seen.score_sheet.queen_taker_before is not None)
    yield "no tricks since" * (not played.tricks)


EXPECTED = (
    *("PlayingView", "GameOverView", "AwaitingDealView", "ChoosingMoonView", "no tricks since", "a spectator"),
    *("a hidden kitty taken since", "a hidden kitty taken before, perhaps", "a seen kitty taken since"),
    *("a seen kitty taken before, perhaps", "a sheet that begins later", "a taker of the queen before"),
    *("cards set aside", "shown cards"),
)


def test_the_view_of_every_seat_is_believed() -> None:
    rng = Random("believed")
    reached: Counter[str] = Counter()
    for number in range(70):
        rules = random_rules(rng, **FIXED[number % len(FIXED)])
        states = [state for _, _, state in match(rules, rng, 2) if isinstance(state, Playing) and state.trick_number]
        if not states:
            continue
        for state in played_on(rng, without_history(rng, rng.choice(states))):
            for seat in (None, *range(rules.players)):
                seen = view_of(state, seat)
                played = deal_of(seen)
                if played is not None and len(played.tricks) < played.trick_number:
                    reached.update(kinds(seen))
                    assert believable(seen), seen
    assert min([reached[kind] for kind in EXPECTED]) > 5, reached


def test_only_views_are_believed() -> None:
    start = new_game(Rules())
    with pytest.raises(TypeError, match=r"^view must be a View, not an AwaitingDeal"):
        believable(start)  # type: ignore[arg-type]
    dealt = apply(start, deal(start, seed=1))
    states = [state for _, _, state in match(Rules(), Random(1), 1) if isinstance(state, Playing)]
    for state in (dealt, states[20], forgotten(states[20])):
        seen = view_of(state, 0)
        assert isinstance(seen, (PassingView, PlayingView))
        assert believable(seen)
        assert not believable(replaced(seen, hand=seen.hand - seen.hand))


UNANIMOUS = PassOptional.UNANIMOUS


@pytest.mark.parametrize("viewer", [0, 1, None])
@pytest.mark.parametrize(
    ("rules", "wrong"),
    [
        *[(Rules(), count) for count in (100, 2, 0)],
        (Rules(pass_cycle=(middle(2),)), 0),
        (Rules(pass_cycle=(middle(2),), pass_optional=UNANIMOUS), 3),
        (Rules(pass_cycle=(middle(None),)), 14),
    ],
)
def test_a_view_of_passes_that_nobody_can_have_made_is_not_believed(
    rules: Rules, wrong: int, viewer: int | None
) -> None:
    """Where each pass may be declined, somebody did, so that the cards stayed where they were."""
    seen = next(
        view_of(state, viewer)
        for number in range(40)
        for _, _, state in match(rules, Random(number), 1)
        if isinstance(state, Playing) and (0 in state.start.pass_counts) is (rules.pass_optional is UNANIMOUS)
    )
    assert isinstance(seen, PlayingView)
    assert believable(seen)
    counts = list(seen.start.pass_counts)
    counts[max([seat for seat, count in enumerate(counts) if count])] = wrong
    start = replaced(seen.start, pass_counts=tuple(counts))
    assert not believable(replaced(seen, public=replaced(seen.public, start=start)))
