"""The contents of a page: a view, and the consequences that the page cannot derive without the rules.

Everything here is built from a `View`, so it cannot reveal anything hidden.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from statistics import fmean
from typing import Literal

import msgspec

from heartsrules import (
    Card,
    Cards,
    Play,
    Rules,
    Seat,
    View,
    Violation,
    display_score,
    pass_options,
    standings,
    to_act,
    why_illegal_cards,
)
from heartsrules.analysis.endings import can_claim, is_settled
from heartsrules.apps.table import protocol as P
from heartsrules.apps.table.wording import violation_wording
from heartsrules.formats.wire.parts import view_parts
from heartsrules.pictures.facts import TableFacts, change, changes, displayed
from heartsrules.play.passing import PassOptions
from heartsrules.play.phases import Phase
from heartsrules.play.sheet import ScoreSheet
from heartsrules.play.violations import NotYourTurn, WrongNumberOfCards
from heartsrules.rules import Duplicates
from heartsrules.views import ExposingView, PassingView, PlayingView, deal_of


def view_shown(seen: View) -> msgspec.Struct:
    return view_parts(seen, P.SEEN)


def teams_of(rules: Rules) -> tuple[int, ...]:
    """Return each seat's team number, or nothing if there are no teams."""
    return tuple([seat % rules.teams for seat in range(rules.players)]) if rules.teams else ()


# ------------------------------------------------------------------------------------------------------- facts


def facts_of(seen: View) -> P.Facts:
    rules, facts = seen.rules, TableFacts(seen)
    doing = [facts.doing(seat) for seat in range(rules.players)]
    moon: P.MoonEffects | None = None
    if seen.phase is Phase.MOON:
        effects = [[change(rules, points) for points in row.points] for row in (seen.others_up, seen.shooter_down)]
        moon = P.MoonEffects(*map(tuple, effects))
    ranked = standings(rules, seen.scores) if rules.teams or seen.phase is Phase.OVER else ()
    return P.Facts(
        doing=tuple([None if each is None else each.value for each in doing]),
        totals=facts.totals,
        plan=tuple(rules.pass_plan(seen.deal_number)) if seen.phase in (Phase.PASS, Phase.DEAL_BACK) else (),
        marks=_marks(facts),
        open=tuple(map(_texts, facts.face_up)),
        hand_sizes=facts.hand_sizes,
        scored=seen.phase in (Phase.DEAL, Phase.OVER),
        lying=_current(seen) or _last(seen),
        last=_last(seen),
        kitty=_kitty(facts),
        taken=_taken(seen, facts),
        aside=P.Counting(*_counting(facts, seen.set_aside)) if seen.phase is Phase.PLAY else None,
        moon=moon,
        standings=tuple([P.StandingShown(each.place, each.seats, display_score(rules, each.total)) for each in ranked]),
    )


def _texts(cards: Iterable[Card]) -> tuple[str, ...]:
    return tuple(map(str, cards))


def _counting(facts: TableFacts, cards: Cards) -> tuple[int, tuple[str, ...]]:
    hearts, others = facts.counting(cards)
    return len(hearts), _texts(others)


def _marks(facts: TableFacts) -> dict[str, P.CardMark]:
    marks: dict[str, P.CardMark] = {}
    for card, worth in facts.marks.items():
        bonus = card != facts.doubler
        sign = _signed(change(facts.rules, -worth)) if bonus else f"×{worth}"
        marks[str(card)] = P.CardMark(sign, "bonus" if bonus else "doubler", worth)
    return marks


def _signed(points: int) -> str:
    return f"{points:+}".replace("-", "\N{MINUS SIGN}")


def _current(seen: View) -> P.ShownTrick | None:
    return _trick(seen.rules, seen.trick, seen.winning_seat) if seen.phase is Phase.PLAY and seen.trick else None


def _last(seen: View) -> P.ShownTrick | None:
    """Return the last complete trick of the current deal, or else of the last one."""
    deal = deal_of(seen)
    return _trick(seen.rules, deal.tricks[-1].plays, deal.tricks[-1].winner, True) if deal and deal.tricks else None


def _trick(rules: Rules, plays: Iterable[Play], winner: Seat | None, complete: bool = False) -> P.ShownTrick:
    cards = [play.card for play in plays]
    cancel = rules.decks == 2 and rules.duplicates is Duplicates.CANCEL
    played = [P.PlayedCard(play.seat, str(play.card), cancel and cards.count(play.card) > 1) for play in plays]
    return P.ShownTrick(tuple(played), winner, complete)


def _kitty(facts: TableFacts) -> P.KittyPile | None:
    if not facts.rules.kitty_size:
        return None
    return P.KittyPile(facts.rules.kitty_size, facts.kitty_winner, _texts(facts.kitty or ()))


def _taken(seen: View, facts: TableFacts) -> tuple[P.Taken, ...]:
    rules, played, sheet = facts.rules, deal_of(seen), seen.score_sheet
    if played is None:
        return ()
    points = [change(rules, each) for each in played.card_points]
    if seen.phase in (Phase.DEAL, Phase.OVER) and len(sheet):
        points = list(sheet_rows(rules, sheet)[-1].points)
    taken = zip(played.captured, points, played.tricks_won, strict=True)
    return tuple([P.Taken(*_counting(facts, cards), each, tricks, _texts(cards)) for cards, each, tricks in taken])


# ------------------------------------------------------------------------------------------------------ choices


def choice_of(seen: View, language: str, undo: bool = False, hint: bool = False) -> P.SeatChoice:
    seat, acting = seen.seat, tuple(sorted(to_act(seen)))
    mine = seat is not None and seat in acting
    passing = isinstance(seen, PassingView) and seat is not None
    cards: Mapping[str, tuple[Violation, ...]] = {}
    if seat is not None and isinstance(seen, (PassingView, ExposingView, PlayingView)):
        cards = {str(card): tuple(reasons) for card, reasons in why_illegal_cards(seen)}
    reasons, (numbered,) = _numbered([cards], language)
    return P.SeatChoice(
        to_act=acting,
        mine=mine,
        claim=mine and can_claim(seen),
        settled=mine and is_settled(seen),
        may_decline=isinstance(seen, PassingView) and passing and seen.may_decline,
        undo=undo,
        hint=hint and mine,
        options=options_shown(pass_options(seen), language) if isinstance(seen, PassingView) and passing else None,
        reasons=reasons,
        cards=numbered,
    )


def options_shown(options: PassOptions, language: str) -> P.PassOptionsShown:
    by_transfer = [{str(card): tuple(reasons) for card, reasons in against} for against in options.reasons]
    reasons, numbered = _numbered(by_transfer, language)
    return P.PassOptionsShown(tuple(options.missing), options.complete, reasons, tuple(numbered))


def _numbered(
    bags: Iterable[Mapping[str, tuple[Violation, ...]]], language: str
) -> tuple[tuple[P.ReasonShown, ...], list[dict[str, tuple[int, ...]]]]:
    numbers: dict[Violation, int] = {}
    numbered = [
        {card: tuple([numbers.setdefault(each, len(numbers)) for each in against]) for card, against in bag.items()}
        for bag in bags
    ]
    return reasons_shown(numbers, language), numbered


def reasons_shown(violations: Iterable[Violation], language: str) -> tuple[P.ReasonShown, ...]:
    return tuple([P.ReasonShown(each.code, _kind(each), violation_wording(each, language)) for each in violations])


def _kind(violation: Violation) -> Literal["turn", "full", "barred"]:
    if isinstance(violation, NotYourTurn):
        return "turn"
    return "full" if isinstance(violation, WrongNumberOfCards) else "barred"


# -------------------------------------------------------------------------------------------------- score sheets


def sheet_message(rules: Rules, sheet: ScoreSheet) -> P.SheetMessage:
    rows = sheet_rows(rules, sheet)
    seats = [_statistics(rows, sheet, seat) for seat in range(rules.players)] if rows else []
    return P.SheetMessage(display_score(rules, 0), displayed(rules, sheet.start), rows, tuple(seats))


def sheet_rows(rules: Rules, sheet: ScoreSheet) -> tuple[P.SheetRow, ...]:
    """Return each deal's change of every displayed total."""
    rows, before = [], sheet.start
    for score in sheet:
        points = tuple(changes(rules, before, score.totals))
        rows.append(P.SheetRow(points, displayed(rules, score.totals), score.shooter))
        before = score.totals
    return tuple(rows)


def _statistics(rows: Iterable[P.SheetRow], sheet: ScoreSheet, seat: int) -> P.SeatStatistics:
    points = [row.points[seat] for row in rows]
    queens = [score.queen_taker for score in sheet]
    return P.SeatStatistics(
        average=fmean(points),
        most=max(points),
        clean=sum([score.card_points[seat] == 0 for score in sheet]),
        tricks=sum([score.tricks_won[seat] for score in sheet]),
        queens=None if not any([taker is not None for taker in queens]) else queens.count(seat),
        moons=sum([score.shooter == seat for score in sheet]),
    )


# ------------------------------------------------------------------------------------------------------ pictures


def picture_of(rules: Rules) -> P.RulesPicture:
    """Return the content of a rule set's picture.

    It has at most three special cards, or the ace of hearts if there are few.
    """
    queen = Card("QS")
    found: list[tuple[Card, str | None]] = []
    if rules.queen_points > 0:
        found.append((queen, None if rules.queen_points == 13 else _signed(change(rules, rules.queen_points))))
    found += [(each.card, _signed(change(rules, -each.points))) for each in rules.bonuses]
    if rules.doubler is not None:
        found.append((rules.doubler.card, f"×{rules.doubler.factor}"))
    found += [(card, _signed(change(rules, points))) for card, points in rules.extra_penalties]
    if len(found) < 2 and any(rules.heart_values):
        found.append((Card("AH"), None))
    cards = [P.PictureCard(str(card), sign) for card, sign in found if card in rules.deck]
    return P.RulesPicture(rules.players, rules.decks, teams_of(rules), tuple(cards[:3]), rules.kitty_size)
