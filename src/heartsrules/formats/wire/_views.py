"""Reading views from documents: a view is accepted if some state that `check` accepts has it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from itertools import pairwise
from typing import Any, Final

import attrs

from heartsrules.base.errors import InvalidState, Problem, TooManyWorlds
from heartsrules.cards import NO_CARDS, Card, Cards
from heartsrules.formats.wire import _types as W
from heartsrules.formats.wire._convert import Context, NotADocument, placed, read_view, row_of, rules_at, write_document
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

    Its counts, its seats and its cards must be those of the rules, its score sheet must be possible, and there must be
    a state that has this view.

    Raises:
        NotADocument: they are not, or the view has too many worlds to count.
    """
    rules = rules_at(wire.rules, "/rules")
    _refuse(_shape_problems(wire, rules.players))
    _refuse(_size_problems(wire, rules))
    seen = _view(wire, rules)
    _refuse(_contradictions(wire, write_document(seen)))
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


def _sheet(wire: Any, rules: Rules) -> ScoreSheet:
    """The score sheet of a view, checked; without the row of the last deal if that has just ended."""
    last = getattr(wire, "last_deal", None) is not None and not isinstance(wire, W.ChoosingMoonViewDocument)
    over = isinstance(wire, W.GameOverViewDocument)
    rows = tuple([row_of(row) for row in wire.score_sheet])
    number = wire.deal_number + over - last
    if last and not rows:
        raise NotADocument(Problem.of("wrong-count", ("/score_sheet", "/deal_number"), "array-of-rows"))
    if number < 0:
        raise NotADocument(Problem.of("out-of-range", ("/deal_number",), "first-deal"))
    start = wire.start
    setup = Setup(
        phase=Phase.DEAL,
        rules=rules,
        deal_number=number,
        first=0 if start is None else start.deal_number,
        start=None if start is None else start.scores,
        queen_taker=None if start is None else start.queen_taker,
        score_sheet=rows[:-1] if last else rows,
        scores=None if last else wire.scores,
    )
    try:
        state = check(setup)
    except InvalidState as error:
        raise NotADocument(*placed(error.problems)) from None
    assert isinstance(state, AwaitingDeal)
    return state.score_sheet


def _view(wire: Any, rules: Rules) -> View:
    before = sheet = _sheet(wire, rules)
    if getattr(wire, "last_deal", None) is not None and not isinstance(wire, W.ChoosingMoonViewDocument):
        sheet = before.with_row(row_of(wire.score_sheet[-1]))
    both = {"rules": rules, "seat": wire.seat}
    match = {**both, "score_sheet": sheet}
    deal = {**both, "score_sheet": before}
    seen: View = read_view(wire, Context(rules, getattr(wire, "leader", 0), wire.seat, deal), match)
    return seen


def _contradictions(wire: Any, expected: Any, under: str = "") -> Iterator[Problem]:
    """Keys of a document that contradict what follows from the rest of it."""
    for name in wire.__struct_fields__:
        found, right = getattr(wire, name), getattr(expected, name)
        if name in ("rules", "start") or found == right:
            continue
        if isinstance(found, W.PlayedDealViewWire):
            yield from _contradictions(found, right, f"{under}/{name}")
        else:
            yield Problem.of("contradiction", (f"{under}/{name}",), "rest")


def _shape_problems(wire: Any, players: int, under: str = "") -> Iterator[Problem]:
    """Problems of counts of arrays by seat, and of seats outside the table."""
    for key in W.keys_of(wire.__class__):
        value = getattr(wire, key.name)
        look = _SHAPES.get(key.kind)
        if look is not None and value is not None and key.is_read:
            yield from look(value, players, f"{under}/{key.name}")


def _seat_shape(seat: int, players: int, at: str) -> Iterator[Problem]:
    if seat >= players:
        yield Problem.of("no-such-seat", (at,), "number", seat=seat, last=players - 1)


def _set_shape(seats: tuple[int, ...], players: int, at: str) -> Iterator[Problem]:
    for place, seat in enumerate(seats):
        yield from _seat_shape(seat, players, f"{at}/{place}")
    if any(later <= earlier for earlier, later in pairwise(seats)):
        yield Problem.of("wrong-order", (at,), "array-of-seats")


def _array_shape(detail: str, items: tuple[Any, ...], players: int, at: str) -> Iterator[Problem]:
    if len(items) != players:
        yield Problem.of("wrong-count", (at,), detail, count=len(items), players=players)


def _pass_counts_shape(counts: tuple[int, ...], players: int, at: str) -> Iterator[Problem]:
    if counts:
        yield from _array_shape("array", counts, players, at)


def _trick_shape(cards: tuple[Card, ...], players: int, at: str) -> Iterator[Problem]:
    if len(cards) >= players:
        yield Problem.of("complete-trick", (at,), "array", count=len(cards), most=players - 1)


def _suits_shape(letters: tuple[str, ...], _: int, at: str) -> Iterator[Problem]:
    places = ["CDSH".index(letter) for letter in letters]
    if any(later <= earlier for earlier, later in pairwise(places)):
        yield Problem.of("wrong-order", (at,), "array-of-suits")


def _rows_shape(rows: tuple[W.DealScoreWire, ...], players: int, at: str) -> Iterator[Problem]:
    for place, row in enumerate(rows):
        yield from _shape_problems(row, players, f"{at}/{place}")


def _tricks_shape(tricks: tuple[W.TrickWire, ...], players: int, at: str) -> Iterator[Problem]:
    for place, trick in enumerate(tricks):
        yield from _seat_shape(trick.leader, players, f"{at}/{place}/leader")
        if trick.winner is not None:
            yield from _seat_shape(trick.winner, players, f"{at}/{place}/winner")
        yield from _array_shape("array-of-cards", trick.cards, players, f"{at}/{place}/cards")


_SHAPES: Final[dict[Any, Callable[[Any, int, str], Iterator[Problem]]]] = {
    W.SeatNumber: _seat_shape,
    W.SeatNumber | None: _seat_shape,
    W.Seats: _set_shape,
    W.SetOfSeats: _set_shape,
    **dict.fromkeys((W.Totals, W.Counts, W.Piles), partial(_array_shape, "array")),
    W.PassCounts: _pass_counts_shape,
    W.Shown: partial(_array_shape, "array-of-shown"),
    W.Plays: _trick_shape,
    W.Suits: _suits_shape,
    tuple[W.DealScoreWire, ...]: _rows_shape,
    tuple[W.TrickWire, ...]: _tricks_shape,
    W.DealScoreWire: _shape_problems,
    W.PlayedDealViewWire: _shape_problems,
    W.PlayedDealViewWire | None: _shape_problems,
}
"""Checks by JSON type: of a value, the number of players and the place of the value."""


def _size_problems(wire: Any, rules: Rules) -> Iterator[Problem]:
    """Problems of the cards of a view: the size of the hand, cards not in play, cards that may not be shown."""
    seat, size = wire.seat, rules.cards_per_hand
    phase = wire.__struct_config__.tag
    if phase in ("passing", "dealing-back"):
        yield from _seen_problems(rules, seat, wire.hand, size, [wire.hand], "")
    elif phase == "exposing":
        yield from _seen_problems(rules, seat, wire.hand, size, [wire.hand], "")
        yield from placed(shown_problems(rules, wire.exposed, "exposed"))
    elif phase == "playing":
        played = seat is not None and (seat - wire.leader) % rules.players < len(wire.trick)
        left = size - wire.trick_number - played
        yield from _deal_problems_of(rules, seat, wire, wire.hand, left, wire.trick, "")
    elif wire.last_deal is not None:
        yield from _deal_problems_of(rules, seat, wire.last_deal, NO_CARDS, 0, (), "/last_deal")


def _deal_problems_of(
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
