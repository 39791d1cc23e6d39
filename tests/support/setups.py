"""Random setups for the tests of whatever reads positions: true ones of every phase, and corrupted copies of them.

Everything is drawn from a `random.Random`.
"""

from __future__ import annotations

import enum
import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from random import Random
from typing import Any, Final

import attrs

from heartsrules import (
    AwaitingDeal,
    Card,
    Cards,
    ChoosingMoon,
    DealingBack,
    Exposing,
    GameOver,
    Phase,
    Playing,
    Rules,
    State,
    apply,
    new_game,
)
from heartsrules.base.values import replaced
from heartsrules.play.state import MidDealPosition
from heartsrules.rules import Exposure, Kitty, Moon, QueenBreaks
from heartsrules.setup import DealSetup, Setup, check
from support.strategies import FACES, choose, match, one_in, random_rules, random_table

_PAGE: Final = Path(__file__).parents[2] / "docs" / "reference" / "setup.md"
_PROBLEMS: Final = _PAGE.read_text(encoding="utf-8").split("\n## Problems\n")[1]
CODES: Final = frozenset(re.findall(r"^\| `([a-z-]+)` \| ", _PROBLEMS, re.MULTILINE)) - {"no-history"}
"""Every code that `check` can give, as the reference lists them; test_check.py finds them in the sources."""

IN_HAND: Final = (Phase.PASS, Phase.DEAL_BACK, Phase.EXPOSE, Phase.PLAY)

# --------------------------------------------------------------------------------------------------- true setups


def some_rules(rng: Random) -> Rules:
    """A random rule set; now and then the everyday ones, whose deals are long."""
    kind = rng.randrange(14)
    if kind == 0:
        return Rules(target=rng.choice((10, 50)), moon=rng.choice(tuple(Moon)))
    if kind == 1:
        return Rules(players=5, kitty=Kitty.FIRST_POINT, queen_breaks=QueenBreaks.LED, moon=Moon.CHOICE)
    if kind == 2:
        return Rules(players=6, decks=2, hand_size=17, kitty=Kitty.FIRST_TRICK, target=30, teams=rng.choice((0, 2)))
    if kind == 3:
        exposure = rng.choice(tuple(Exposure))
        return Rules(exposable="QS AH", exposure=exposure, hand_size=12, kitty=Kitty.LAST_TRICK, target=30)
    return random_rules(rng)


def true_setups(rng: Random) -> Iterator[Setup]:
    """Setups of some states of a match, whole or without parts of its history; `check` believes all of them."""
    rules = some_rules(rng)
    states = [new_game(rules), *[after for _, _, after in match(rules, rng, 2)]]
    rare = [state for state in states if not isinstance(state, Playing)]
    often = [state for state in states if isinstance(state, Playing)]
    picked: list[State] = [rng.choice(rare), *[state for state in rare if isinstance(state, (ChoosingMoon, GameOver))]]
    for kind in (DealingBack, Exposing):
        of_kind = [state for state in states if isinstance(state, kind)]
        if of_kind:
            picked.append(rng.choice(of_kind))
    if often:
        picked += [rng.choice(often), rng.choice(often)]
        picked += played_on(rng, without_history(rng, rng.choice(often)))
    for state in picked:
        setup = Setup.of(state)
        yield setup
        yield without_claims(rng, setup)
        argued = for_set_up(setup)
        if argued is not None and one_in(rng, 2):
            yield argued
        if setup.deal_number and one_in(rng, 2):
            yield without_sheet(setup)


def without_history(rng: Random, state: Playing) -> Setup:
    """The same position from the middle of the deal on."""
    middle = MidDealPosition(
        state.leader,
        state.captured,
        rng.choice((state.tricks_won, state.tricks_won, None)) if not state.rules.decks > 1 else state.tricks_won,
        state.set_aside,
        state.kitty_winner,
        state.hearts_broken if not state.trick else None,
        tuple(sorted({*state.start.led_before, *[trick.plays[0].card.suit for trick in state.tricks]})),
    )
    setup = attrs.evolve(
        Setup.of(state), passes=(), dealt_back=(), tricks=(), resumed_from=middle, has_full_history=False
    )
    if state.trick_number or state.trick:
        return without_sheet(setup) if state.deal_number and one_in(rng, 2) else setup
    return setup


def without_sheet(setup: Setup) -> Setup:
    """The same position without the rows of the score sheet, but for that of the last deal."""
    known = 1 if setup.last_deal is not None and setup.phase is not Phase.MOON else 0
    rows = setup.score_sheet
    if len(rows) <= known:
        return setup
    at = len(rows) - known
    before = rows[at - 1]
    return attrs.evolve(
        setup,
        first=setup.first + at,
        start=before.totals,
        queen_taker=before.queen_taker,
        score_sheet=rows[at:],
        has_full_history=False,
    )


def without_claims(rng: Random, setup: Setup) -> Setup:
    """The same position without any of its claims, without those that no document makes, or without some."""
    kind = rng.randrange(3)
    if kind == 0:
        names: list[str] = list(CLAIMS)
    elif kind == 1:
        names = [*CLAIMS_OF_DEAL[1:], "others_up", "shooter_down"]
    else:
        names = [name for name in CLAIMS if not one_in(rng, 2)]
    nothing: dict[str, Any] = dict.fromkeys(names)
    if setup.last_deal is not None:
        of_deal: dict[str, Any] = dict.fromkeys(CLAIMS_OF_DEAL)
        if kind == 2 and setup.last_deal.resumed_from is None:
            of_deal["kitty"] = None
        nothing["last_deal"] = attrs.evolve(setup.last_deal, **of_deal)
    if setup.phase in IN_HAND and not setup.resumed_from and kind == 2 and one_in(rng, 2):
        nothing["kitty"] = None
    return attrs.evolve(setup, **nothing)


def for_set_up(setup: Setup) -> Setup | None:
    """The same position in the middle of a deal, as the arguments of `set_up` say it."""
    if setup.phase is not Phase.PLAY or (setup.resumed_from is not None and setup.tricks):
        return None
    nothing: dict[str, Any] = {"has_full_history": None, "turn": None, "trick_number": None}
    middle = setup.resumed_from
    if middle is not None:
        nothing |= {"captured": None, "tricks_won": None, "set_aside": None, "kitty_winner": None}
        nothing |= {"resumed_from": replaced(middle, hearts_broken=None), "leader": middle.leader}
    return attrs.evolve(setup, **nothing)


def played_on(rng: Random, setup: Setup) -> Iterator[State]:
    """Some of the states from a position on, until the first few moves of the next deal."""
    state = check(setup)
    yield state
    table = random_table(rng, state.rules)
    number = state.deal_number
    left = 3
    while left and not isinstance(state, GameOver):
        state = apply(state, choose(state, table, rng))
        left -= state.deal_number > number and not isinstance(state, AwaitingDeal)
        if not isinstance(state, Playing) or one_in(rng, 8):
            yield state


CLAIMS_OF_DEAL: Final = ("leader", "captured", "tricks_won", "trick_number", "set_aside", "kitty_winner")
CLAIMS: Final = (
    *CLAIMS_OF_DEAL, "hearts_broken", "has_full_history", "scores", "turn", "shooter", "others_up", "shooter_down",
    "winners",
)  # fmt: skip

# ------------------------------------------------------------------------------------------------------- spoilers


def with_deal(setup: Setup, **changes: Any) -> Setup:
    """The setup with parts of its deal changed."""
    if setup.last_deal is None:
        return attrs.evolve(setup, **changes)
    return attrs.evolve(setup, last_deal=attrs.evolve(setup.last_deal, **changes))


def changed(rng: Random, value: Any) -> Any:
    """Another value of the same type, mostly a similar one.

    Raises:
        ValueError: there is no such value.
    """
    match value:
        case None | "":
            return rng.choice((0, False, Cards(), (), rng.choice(FACES)))
        case bool():
            return not value
        case enum.Enum():
            return rng.choice(tuple(type(value)))
        case int():
            return rng.choice((value + 1, value - 1, 0, rng.randrange(12), rng.choice((-1, 99, 2**40))))
        case Card():
            return rng.choice(FACES)
        case Cards():
            return value + Cards([rng.choice(FACES)]) if not value or one_in(rng, 3) else _less(rng, value)
        case tuple():
            return _changed_items(rng, value)
        case Rules():
            return _changed_field(rng, value, attrs.evolve, _OPTIONS)
        case DealSetup():
            told = [each.name for each in attrs.fields(type(value)) if getattr(value, each.name) not in (None, ())]
            every = [each.name for each in attrs.fields(type(value))]
            return _changed_field(rng, value, attrs.evolve, every if one_in(rng, 8) else told)
    return _changed_field(rng, value, replaced, type(value).__match_args__)


def _less(rng: Random, cards: Cards) -> Cards:
    """The cards with one less, which becomes another one now and then."""
    card = rng.choice(list(cards))
    return cards - Cards([card]) + (Cards([rng.choice(FACES)]) if one_in(rng, 2) else Cards())


def _changed_items(rng: Random, items: tuple[Any, ...]) -> tuple[Any, ...]:
    """A tuple with an item more or less, with one changed, with two that change places, or none."""
    if not items:
        raise ValueError("no item")
    at, other = rng.randrange(len(items)), rng.randrange(len(items))
    kind = rng.randrange(14)
    if kind == 0:
        return (*items[:at], *items[at + 1 :])
    if kind == 1:
        return (*items, items[at])
    if kind == 2:
        return items[:at] if one_in(rng, 4) else items[:-1]
    found = list(items)
    if kind == 3:
        found[at], found[other] = found[other], found[at]
    elif kind < 9 and isinstance(items[at], Cards) and items[at]:
        card = Cards([rng.choice(list(items[at]))])
        found[at] -= card
        found[other] = (found[other] or Cards()) + card
    else:
        found[at] = changed(rng, items[at])
    return tuple(found)


def _changed_field(rng: Random, value: Any, evolve: Callable[..., Any], names: Sequence[str]) -> Any:
    name = rng.choice(names)
    return evolve(value, **{name: changed(rng, getattr(value, name))})


_OPTIONS: Final = (
    *("target", "moon", "first_dealer", "sun", "max_deals", "no_tricks_bonus", "first_trick", "hearts_lead"),
    *("queen_points", "kitty", "opening_leader", "queen_breaks"),
)


def spoiled(rng: Random, setup: Setup, other: Setup) -> Setup:
    """The setup with one or two things changed; some are those of another setup."""
    done = 0
    wanted = 2 if one_in(rng, 4) else 1
    for _ in range(100):
        try:
            if one_in(rng, 5):
                name = rng.choice([each.name for each in attrs.fields(Setup) if each.name != "rules"])
                found = attrs.evolve(setup, **{name: getattr(other, name)})
            else:
                found = changed(rng, setup)
        except (TypeError, ValueError):
            continue
        if found != setup:
            setup = found
            done += 1
            if done == wanted:
                break
    return setup


def setups(rng: Random) -> Iterator[Setup]:
    """Endlessly many setups: one true one to three corrupted ones."""
    while True:
        own = list(true_setups(rng))
        for setup in own:
            yield setup
            for _ in range(3):
                yield spoiled(rng, setup, rng.choice(own))
