"""A reader of views that accepts only those of states that pass `check`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import pairwise
from typing import Any, Final

import attrs

from heartsrules.base.errors import InvalidState, Problem, TooManyWorlds
from heartsrules.cards import NO_CARDS, Card, Cards
from heartsrules.formats.wire import _types as W
from heartsrules.formats.wire._convert import NotADocument, ViewReader, placed, row_of, rules_at, view_to_wire
from heartsrules.play.phases import Phase
from heartsrules.play.pile_check import pile_problems, shown_problems
from heartsrules.play.sheet import ScoreSheet
from heartsrules.play.state import AwaitingDeal
from heartsrules.rules import Rules, Seat
from heartsrules.setup import Setup, check
from heartsrules.views import View
from heartsrules.views.view_check import believable


def view_from_wire(wire: Any) -> View:
    """Read a view.

    Some state must have this view.

    Raises:
        NotADocument: the view is impossible, or has too many worlds to count.
    """
    rules = rules_at(wire.rules, "/rules")
    _refuse(_shape_problems(wire, rules.players))
    _refuse(_size_problems(wire, rules))
    seen = _view(wire, rules)
    _refuse(_contradictions(wire, view_to_wire(seen)))
    try:
        if believable(seen):
            return seen
    except TooManyWorlds as error:
        raise NotADocument(*[attrs.evolve(each, fields=("",)) for each in error.problems]) from None
    raise NotADocument(Problem.of("impossible-view", ("",)))


def _refuse(problems: Iterable[Problem]) -> None:
    found = tuple(problems)
    if found:
        raise NotADocument(*found)


def _sheet(wire: Any, rules: Rules, is_over: bool) -> ScoreSheet:
    rows = tuple([row_of(row) for row in wire.score_sheet])
    number = wire.deal_number + isinstance(wire, W.GameOverViewDocument) - is_over
    if is_over and not rows:
        raise NotADocument(Problem.of("wrong-count", ("/score_sheet", "/deal_number"), "array-of-rows"))
    if number < 0:
        raise NotADocument(Problem.of("out-of-range", ("/deal_number",), "first-deal"))
    setup = Setup(
        phase=Phase.DEAL,
        rules=rules,
        deal_number=number,
        first=wire.first,
        start=wire.start,
        queen_taker=wire.queen_taker,
        score_sheet=rows[:-1] if is_over else rows,
        scores=None if is_over else wire.scores,
    )
    try:
        state = check(setup)
    except InvalidState as error:
        raise NotADocument(*placed(error.problems)) from None
    assert isinstance(state, AwaitingDeal)
    return state.score_sheet


def _view(wire: Any, rules: Rules) -> View:
    is_over = isinstance(wire, (W.AwaitingDealViewDocument, W.GameOverViewDocument)) and wire.last_deal is not None
    before = _sheet(wire, rules, is_over)
    sheet = before.with_row(row_of(wire.score_sheet[-1])) if is_over else before
    return ViewReader(rules, wire.seat, sheet, before).read(wire)


def _contradictions(wire: Any, expected: Any, under: str = "") -> Iterator[Problem]:
    for name in wire.__struct_fields__:
        found, right = getattr(wire, name), getattr(expected, name)
        if name == "rules" or found == right:
            continue
        if isinstance(found, W.PlayedDealViewWire):
            yield from _contradictions(found, right, f"{under}/{name}")
        else:
            yield Problem.of("contradiction", (f"{under}/{name}",), "rest")


_SEATS: Final = ("seat", "turn", "leader", "shooter", "kitty_winner", "winner", "queen_taker")
_ARRAYS: Final = {
    **dict.fromkeys(("scores", "captured", "pass_counts", "tricks_won", "points", "card_points", "totals"), "array"),
    "plays": "array-of-cards",
    "exposed": "array-of-shown",
}
"""The arrays with one item per seat, and the message about a wrong number of items."""


def _shape_problems(wire: Any, players: int, under: str = "") -> Iterator[Problem]:
    for name in wire.__struct_fields__:
        value, at = getattr(wire, name), f"{under}/{name}"
        if isinstance(value, (W.PlayedDealViewWire, W.DealScoreWire)):
            yield from _shape_problems(value, players, at)
        elif name in ("score_sheet", "tricks"):
            for place, item in enumerate(value):
                yield from _shape_problems(item, players, f"{at}/{place}")
        elif (type(wire), name) == (W.DealScoreWire, "exposed") or (under == "" and name == "queen_taker"):
            continue  # the check of the score sheet has its own messages
        elif name in _ARRAYS and len(value) != players and (value or name != "pass_counts"):
            yield Problem.of("wrong-count", (at,), _ARRAYS[name], count=len(value), players=players)
        elif name in _SEATS:
            yield from _seat_problem(value, players, at)
        elif name in ("committed", "winners"):
            for place, seat in enumerate(value):
                yield from _seat_problem(seat, players, f"{at}/{place}")
            if not _is_rising(value):
                yield Problem.of("wrong-order", (at,), "array-of-seats")
        elif name == "led_before" and not _is_rising(["CDSH".index(letter) for letter in value]):
            yield Problem.of("wrong-order", (at,), "array-of-suits")
        elif name == "trick" and len(value) >= players:
            yield Problem.of("complete-trick", (at,), "array", count=len(value), most=players - 1)


def _seat_problem(seat: int | None, players: int, at: str) -> Iterator[Problem]:
    if seat is not None and seat >= players:
        yield Problem.of("no-such-seat", (at,), "number", seat=seat, last=players - 1)


def _is_rising(numbers: Iterable[int]) -> bool:
    return all(earlier < later for earlier, later in pairwise(numbers))


def _size_problems(wire: Any, rules: Rules) -> Iterator[Problem]:
    seat, size = wire.seat, rules.cards_per_hand
    phase = wire.__struct_config__.tag
    if phase in ("passing", "dealing-back", "exposing"):
        yield from _seen_problems(rules, seat, wire.hand, size, [wire.hand], "")
        if phase == "exposing":
            yield from placed(shown_problems(rules, wire.exposed, "exposed"))
    elif phase == "playing":
        played = seat is not None and (seat - wire.leader) % rules.players < len(wire.trick)
        left = size - wire.trick_number - played
        yield from _pile_problems(rules, seat, wire, wire.hand, left, wire.trick, "")
    elif wire.last_deal is not None:
        yield from _pile_problems(rules, seat, wire.last_deal, NO_CARDS, 0, (), "/last_deal")


def _pile_problems(
    rules: Rules, seat: Seat | None, wire: Any, hand: Cards, size: int, trick: tuple[Card, ...], under: str
) -> Iterator[Problem]:
    try:
        bags = [hand, Cards(trick), wire.set_aside, *wire.captured]
    except ValueError:
        yield Problem.of("extra-cards", (f"{under}/trick",), "third-copy")
        return
    yield from _seen_problems(rules, seat, hand, size, bags, under)
    yield from placed(shown_problems(rules, wire.exposed, "exposed"), under)
    if len(wire.led_before) > wire.trick_number - len(wire.tricks):
        yield Problem.of("too-many-suits", (f"{under}/led_before", f"{under}/trick_number"), "view")
    elif wire.led_before and not any(wire.exposed):
        yield Problem.of("contradiction", (f"{under}/led_before",), "nothing-shown")


def _seen_problems(
    rules: Rules, seat: Seat | None, hand: Cards, size: int, bags: Iterable[Cards], under: str
) -> Iterator[Problem]:
    expected = 0 if seat is None else size
    if len(hand) != expected:
        yield Problem.of("wrong-hand-size", (f"{under}/hand",), "view", count=len(hand), expected=expected)
    for problem in pile_problems(rules, "cards", bags):
        yield attrs.evolve(problem, fields=(under,))
