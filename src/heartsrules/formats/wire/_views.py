"""Reading views from documents: a view is believed if some state that `check` accepts has it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import attrs

from heartsrules.base.errors import InvalidState, Problem
from heartsrules.cards import NO_CARDS, Card, Cards
from heartsrules.formats.wire import _types as W
from heartsrules.formats.wire._convert import (
    NotADocument,
    placed,
    plays_from,
    rules_at,
    score_of,
    shape_problems,
    suits_of,
    tricks_of,
)
from heartsrules.play.moves import Expose, Pass
from heartsrules.play.phases import Phase
from heartsrules.play.pile_check import pile_problems, shown_problems
from heartsrules.play.sheet import ScoreSheet
from heartsrules.play.state import AwaitingDeal
from heartsrules.rules import PassOptional, Rules, Seat
from heartsrules.setup import Setup, check
from heartsrules.views import (
    AwaitingDealView,
    ChoosingMoonView,
    DealStartView,
    ExposingView,
    GameOverView,
    PassingView,
    PlayedDealView,
    PlayingView,
    View,
)
from heartsrules.views.view_check import believable

__all__ = ["view_from_wire"]


def view_from_wire(wire: W.AnyView) -> View:
    """The view of a document.

    Its counts, its seats and its cards must be those of the rules, its score sheet must be possible, and there must be
    a state that has this view.

    Raises:
        NotADocument: they are not.
    """
    rules = rules_at(wire.rules, "/rules")
    _refuse(shape_problems(wire, rules.players))
    _refuse(_size_problems(wire, rules))
    seen = _view(wire, rules)
    _refuse(_claim_problems(wire, seen))
    if not believable(seen):
        raise NotADocument(Problem.of("impossible-view", ("",)))
    return seen


def _refuse(problems: Iterable[Problem]) -> None:
    found = tuple(problems)
    if found:
        raise NotADocument(*found)


def _sheet(wire: W.AnyView, rules: Rules) -> ScoreSheet:
    """The score sheet of a view, without the row of the last deal where a state would have made that again."""
    last = getattr(wire, "last_deal", None) is not None and not isinstance(wire, W.ChoosingMoonViewDocument)
    over = isinstance(wire, W.GameOverViewDocument)
    rows = tuple([score_of(row) for row in wire.deal_scores])
    number = wire.deal_number + over - last
    if last and not rows:
        raise NotADocument(Problem.of("wrong-count", ("/deal_scores", "/deal_number"), "array-of-rows"))
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
        deal_scores=rows[:-1] if last else rows,
        scores=None if last else wire.scores,
    )
    try:
        state = check(setup)
    except InvalidState as error:
        raise NotADocument(*placed(error.problems)) from None
    assert isinstance(state, AwaitingDeal)
    return state.deal_scores


def _view(wire: W.AnyView, rules: Rules) -> View:
    seat, number = wire.seat, wire.deal_number
    before = _sheet(wire, rules)
    if isinstance(wire, W.PlayingViewDocument):
        trick = plays_from(wire.leader, wire.trick, rules.players)
        played = _played_deal(wire, rules, seat, number, before)
        return PlayingView(played, wire.hand, wire.turn, trick, wire.hearts_broken)
    if isinstance(wire, W.PassingViewDocument):
        own = _own(wire.commitment, seat)
        return PassingView(rules, seat, before.totals, number, before, wire.hand, own, frozenset(wire.committed))
    if isinstance(wire, W.ExposingViewDocument):
        start = _deal_start(wire, rules, seat, number, before)
        move = None if wire.exposure is None or seat is None else Expose(seat, wire.exposure)
        return ExposingView(start, wire.hand, move, frozenset(wire.committed))
    if isinstance(wire, W.ChoosingMoonViewDocument):
        played = _played_deal(wire.last_deal, rules, seat, number, before)
        return ChoosingMoonView(played, wire.shooter, score_of(wire.others_up), score_of(wire.shooter_down))
    if wire.last_deal is None:
        return AwaitingDealView(rules, seat, before.totals, number, before, None)
    sheet = before.with_row(score_of(wire.deal_scores[-1]))
    if isinstance(wire, W.GameOverViewDocument):
        played = _played_deal(wire.last_deal, rules, seat, number, before)
        return GameOverView(rules, seat, sheet.totals, number, sheet, played, wire.winners)
    played = _played_deal(wire.last_deal, rules, seat, number - 1, before)
    return AwaitingDealView(rules, seat, sheet.totals, number, sheet, played)


def _own(gifts: tuple[Cards, ...] | None, seat: Seat | None) -> Pass | None:
    return None if gifts is None or seat is None else Pass(seat, gifts)


def _deal_start(
    wire: W.ExposingViewDocument | W.PlayingViewDocument | W.PlayedDealViewWire,
    rules: Rules,
    seat: Seat | None,
    number: int,
    sheet: ScoreSheet,
) -> DealStartView:
    return DealStartView(
        rules=rules,
        seat=seat,
        scores=sheet.totals,
        deal_number=number,
        deal_scores=sheet,
        commitment=_own(wire.commitment, seat),
        passed=wire.passed,
        received=wire.received,
        declined=frozenset(wire.declined),
        shown=wire.shown,
    )


def _played_deal(
    wire: W.PlayingViewDocument | W.PlayedDealViewWire, rules: Rules, seat: Seat | None, number: int, sheet: ScoreSheet
) -> PlayedDealView:
    return PlayedDealView(
        start=_deal_start(wire, rules, seat, number, sheet),
        leader=wire.leader,
        tricks=tricks_of(wire.tricks, rules.players),
        captured=wire.captured,
        tricks_won=wire.tricks_won,
        trick_number=wire.trick_number,
        set_aside=wire.set_aside,
        kitty_taker=wire.kitty_taker,
        kitty=wire.kitty,
        led_before=suits_of(wire.led_before),
    )


def _claim_problems(wire: W.AnyView, seen: View) -> Iterator[Problem]:
    """Where a document says something else than what follows from the rest of it."""
    claims: list[tuple[str, Any, Any]] = [("dealer", wire.dealer, seen.dealer), ("scores", wire.scores, seen.scores)]
    if isinstance(wire, W.PassingViewDocument) and isinstance(seen, PassingView):
        rules = seen.rules
        waiting = tuple([seat for seat in range(rules.players) if seat not in seen.committed])
        claims += [
            ("step", wire.step, seen.step),
            ("may_decline", wire.may_decline, rules.pass_optional is not PassOptional.NO),
            ("unpassable", wire.unpassable, rules.unpassable),
            ("to_act", wire.to_act, waiting),
        ]
    if isinstance(wire, W.ExposingViewDocument) and isinstance(seen, ExposingView):
        claims += [("exposable", wire.exposable, seen.rules.exposable), ("to_act", wire.to_act, seen.to_show)]
    if wire.seat is None:
        if isinstance(wire, W.ExposingViewDocument):
            claims.append(("exposure", wire.exposure, None))
        if isinstance(wire, (W.PassingViewDocument, W.ExposingViewDocument, W.PlayingViewDocument)):
            claims.append(("commitment", wire.commitment, None))
        elif wire.last_deal is not None:
            claims.append(("last_deal/commitment", wire.last_deal.commitment, None))
    for name, told, actual in claims:
        if told != actual:
            yield Problem.of("contradiction", (f"/{name}",), "rest")


def _size_problems(wire: W.AnyView, rules: Rules) -> Iterator[Problem]:
    """What is wrong with the cards that a view shows: the size of the hand, cards that are not in play, and shown
    cards that may not be shown."""
    seat, size = wire.seat, rules.cards_per_hand
    if isinstance(wire, W.PassingViewDocument):
        yield from _seen_problems(rules, seat, wire.hand, size, [wire.hand], "")
    elif isinstance(wire, W.ExposingViewDocument):
        yield from _seen_problems(rules, seat, wire.hand, size, [wire.hand], "")
        yield from placed(shown_problems(rules, wire.shown, "shown"))
    elif isinstance(wire, W.PlayingViewDocument):
        played = {play.seat for play in plays_from(wire.leader, wire.trick, rules.players)}
        left = size - wire.trick_number - (seat in played)
        yield from _deal_problems_of(rules, seat, wire, wire.hand, left, wire.trick, "")
    elif wire.last_deal is not None:
        yield from _deal_problems_of(rules, seat, wire.last_deal, NO_CARDS, 0, (), "/last_deal")


def _deal_problems_of(
    rules: Rules,
    seat: Seat | None,
    wire: W.PlayingViewDocument | W.PlayedDealViewWire,
    hand: Cards,
    size: int,
    trick: tuple[Card, ...],
    under: str,
) -> Iterator[Problem]:
    try:
        bags = [hand, Cards(trick), wire.set_aside, *wire.captured]
    except ValueError:
        yield Problem.of("extra-cards", (f"{under}/trick",), "third-copy")
        return
    yield from _seen_problems(rules, seat, hand, size, bags, under)
    yield from placed(shown_problems(rules, wire.shown, "shown"), under)
    if len(wire.led_before) > wire.trick_number - len(wire.tricks):
        yield Problem.of("too-many-suits", (f"{under}/led_before", f"{under}/trick_number"), "view")
    elif wire.led_before and not any(wire.shown):
        yield Problem.of("contradiction", (f"{under}/led_before",), "nothing-shown")


def _seen_problems(
    rules: Rules, seat: Seat | None, hand: Cards, size: int, bags: Iterable[Cards], under: str
) -> Iterator[Problem]:
    expected = 0 if seat is None else size
    if len(hand) != expected:
        yield Problem.of("wrong-hand-size", (f"{under}/hand",), "view", count=len(hand), expected=expected)
    for problem in pile_problems(rules, "cards", bags):
        yield attrs.evolve(problem, fields=(under,))
