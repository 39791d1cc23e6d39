"""Broken events: what a view that is kept by them says of each, and of events of wrong types.

`support/refused_lines.py` makes the file `data/refused_events.txt` of them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import cache
from random import Random
from typing import Any, Final, get_args

import attrs

from heartsrules import (
    Card,
    Cards,
    DealScore,
    Event,
    Expose,
    Exposing,
    InvalidState,
    Pass,
    Rules,
    View,
    advance,
    new_game,
    presets,
    public_view,
    redact,
    transition,
)
from heartsrules.base.errors import Problem
from heartsrules.base.values import replaced
from heartsrules.play.events import CardsExposed, ExposureCommittedHidden
from heartsrules.rules import Bonus, Exposure, Kitty, KittyShownTo, Moon, PassOptional, middle
from heartsrules.views import view_of as seen
from support.corruptions import corrupted
from support.random_play import reached
from support.strategies import match

TRIES: Final = 6
"""How many corruptions of a kind are tried under one rule set."""

SMALL: Final[dict[str, Any]] = {
    "removed": "2C 3C 4C 5C 6C 7C 8C 9C TC 2D 3D 4D 5D 6D 7D 8D 9D TD 2S 3S",
    "max_deals": 2,
}
TABLES: Final[dict[str, Rules]] = {
    "usual": Rules(**SMALL),
    "declining": Rules(pass_optional=PassOptional.SKIP, unpassable="QS", **SMALL),
    "middle": Rules(pass_cycle=[middle(None)], unpassable="QS KS AS AH", **SMALL),
    "choice": Rules(moon=Moon.CHOICE, pass_cycle=[()], **SMALL),
    "together": Rules(exposable="QS AH JD", bonuses=[Bonus(Card("JD"), 10)], exposure=Exposure.TOGETHER, **SMALL),
    "in turn": Rules(exposable="QS AH JD", bonuses=[Bonus(Card("JD"), 10)], exposure=Exposure.IN_TURN, **SMALL),
    **{
        f"kitty, {shown.name.lower()}": Rules(players=5, kitty=Kitty.FIRST_TRICK, kitty_shown_to=shown, max_deals=2)
        for shown in KittyShownTo
    },
    "cancellation": presets.dicegamedepot_cancellation(6),
}
WRONG: Final[tuple[Any, ...]] = (
    None,
    True,
    "0",
    0.5,
    (0,),
    (True,),
    ("0", 1),
    [0],
    frozenset({"0"}),
    (Cards(), "2C"),
    Moon.OFF.value,
)
"""Values of other types than the parts of events."""


def refused(before: View, events: tuple[Event, ...]) -> Problem | None:
    """What is wrong with events, if anything."""
    try:
        advance(before, events)
    except InvalidState as error:
        (problem,) = error.problems
        return problem
    return None


def in_words(problem: Problem) -> str:
    told = " ".join([f"{name}={value!r}" for name, value in problem.params])
    return f"{problem.code} {' '.join(problem.fields)} {problem.detail} {told}".rstrip()


def spoiled(name: str, rules: Rules, said: dict[str, set[str]]) -> Iterator[tuple[str, Problem]]:
    """A line and the problem for each corruption of an event that is refused with other words than those before it.

    The events are those of some matches; `said` has the words so far, by the kind of corruption.
    """
    tried: Counter[str] = Counter()
    rng = Random(name)
    for _ in range(6):
        for state, move, _ in match(rules, rng, 2):
            told = transition(state, move).events
            viewers = (*range(rules.players), None)
            # A card alone is played often; whoever shows cards is told of every time.
            if len(told) == 1 and not isinstance(told[0], CardsExposed) and rng.randrange(3):
                continue
            viewer = rng.choice(viewers)
            before = seen(state, viewer)
            # Full events are taken too, as far as the seat may know of them.
            own = redact(told, viewer) if rng.randrange(3) else told
            for kind, events in corrupted(own, rules, rng):
                if tried[kind] >= TRIES:
                    continue
                tried[kind] += 1
                problem = refused(before, events)
                words = in_words(problem) if problem is not None else ""
                if problem is not None and words not in said.setdefault(kind, set()):
                    said[kind].add(words)
                    yield f"{name}: {kind}: {words}", problem


def of_wrong_types() -> Iterator[str]:
    """A line for each type of the parts of events, and each value of another type."""
    row = DealScore((0,), (0,), None, None, False, (0,), (0,), None)
    right: dict[str, Any] = {
        "Seat": 0,
        "Seat | None": 0,
        "Card": Card("2C"),
        "Cards": Cards(),
        "Pass": Pass(0),
        "Expose": Expose(0, Cards()),
        "Moon": Moon.OFF,
        "KittyShownTo": KittyShownTo.TAKER,
        "DealScore": row,
        "tuple[Seat, ...]": (0,),
        "tuple[Cards, ...]": (Cards(),),
        "tuple[int, ...]": (0,),
    }
    # What else could be wrong with a row, a compiled one cannot be made with.
    parts_of_row = ("points", "card_points", "tricks_won", "totals")
    rows = [*[replaced(row, **{part: ("0",)}) for part in parts_of_row], replaced(row, exposed=("2C",))]
    before = public_view(new_game(Rules()))
    types: set[str] = set()
    for kind in get_args(Event):
        fields = attrs.fields(kind)
        parts = {field.name: right[field.type] for field in fields}
        for field in fields:
            if field.type in types:
                continue
            types.add(field.type)
            for value in (*WRONG, *(rows if isinstance(parts[field.name], DealScore) else ())):
                event = kind(**{**parts, field.name: value})
                try:
                    advance(before, [event])
                except TypeError as error:
                    shown = "a row" if isinstance(value, DealScore) else repr(value)
                    yield f"{kind.__name__}({field.name}={shown}): {error}"
                except InvalidState:
                    pass  # of a right type


def lines() -> Iterator[str]:
    """A line for each broken event that is refused with other words than those before it."""
    yield from of_wrong_types()
    yield from [line for line, _ in broken()]


@cache
def broken() -> tuple[tuple[str, Problem], ...]:
    """The line and the problem of each event that is refused with other words than those before it."""
    said: dict[str, set[str]] = {}
    return tuple([each for name, rules in TABLES.items() for each in spoiled(name, rules, said)])


def test_a_seat_that_the_table_just_does_not_have() -> None:
    rules = TABLES["together"]
    state = reached(new_game(rules), lambda state: isinstance(state, Exposing))
    for seat in (-1, rules.players):
        problem = refused(public_view(state), (ExposureCommittedHidden(seat),))
        assert problem is not None
        assert in_words(problem).startswith("wrong-event events[0] seats ")
