"""Score sheets with a row for each deal, and the totals."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from heartsrules.base.values import wrong_type
from heartsrules.pictures.facts import changes, displayed
from heartsrules.pictures.svg._look import LIGHT, Checked, Colours, ground
from heartsrules.pictures.svg._xml import Picture, element, fitting, group, picture, words
from heartsrules.pictures.wording import Wording, signed
from heartsrules.play.sheet import DealScore, ScoreSheet
from heartsrules.play.state import GameOver, State
from heartsrules.rules import Rules
from heartsrules.views import GameOverView, View

_ROW: Final = 25.0
_DEALS: Final = 84.0
_SEAT: Final = 84.0
_MARGIN: Final = 10.0
_MOON: Final = "M0-5.5a5.5 5.5 0 1 0 5.2 7.4A4.6 4.6 0 1 1 0-5.5Z"
MOST: Final = 10_000
"""The limit on rows of a picture."""


def score_sheet(
    shown: ScoreSheet | State | View,
    *,
    names: Iterable[str] | None = None,
    rows: int = 30,
    width: float | None = None,
    colours: Colours = LIGHT,
    label: str | None = None,
    language: str = "en",
) -> Picture:
    """Draw a score sheet.

    It has a row of changes for each deal, a moon next to its shooter, and the totals.

    Args:
        shown: a state or a view, whose rules determine sides and the display of totals; or only a score sheet, with
            totals as counted.
        names: the players' names by seat. Defaults to `Seat 0` and so on.
        rows: the maximum number of rows, 1 to 10,000, for the last deals. Earlier deals share one row.
        width: the width in pixels. Defaults to 84 for each player and for the deals.
        label: the title for assistive technology, read before the rows. Defaults to `Score sheet`.
        language: one of `heartsrules.messages.languages()`, for ranks and words.
    """
    if isinstance(shown, ScoreSheet):
        sheet, rules = shown, Rules()
    elif isinstance(shown, (State, View)):
        sheet, rules = shown.score_sheet, shown.rules
    else:
        wrong_type("shown", "a ScoreSheet, a State or a View", shown)
    asked = Checked(width, colours, language)
    players = len(sheet.start)
    called = asked.names(names, players)
    most = asked.whole("rows", rows, 1, MOST)
    asked.done()
    winners = shown.winners if isinstance(shown, (GameOver, GameOverView)) else ()
    left_out = max(0, len(sheet) - most)
    first = sheet.first + left_out
    # The first row can sum up all earlier deals.
    lines: list[tuple[int, int, list[str], DealScore | None]] = []
    before = sheet.head(left_out).totals
    if first:
        lines.append((int(first > 1), first, list(map(signed, displayed(rules, before))), None))
    for number, score in enumerate(sheet[left_out:], first + 1):
        lines.append((0, number, list(map(signed, changes(rules, before, score.totals))), score))
        before = score.totals
    totals = list(map(signed, displayed(rules, sheet.totals)))
    says = [
        _said(asked, asked.say("sheet-row", **{"from": start, "to": end}), called, cells, row)
        for start, end, cells, row in lines
    ]
    says.append(_said(asked, asked.say("sheet-total"), called, totals, None))
    if winners:
        says.append(asked.say("sheet-won", names=asked.joined([called[seat] for seat in winners])))

    wide = _DEALS + _SEAT * players
    heads = 40.0 if rules.teams else 26.0
    high = heads + _ROW * (len(lines) + 1)
    size = wide + 2 * _MARGIN, high + 2 * _MARGIN
    parts = [element("rect", width=wide, height=high, rx=8, fill=colours.paper, stroke=colours.line)]
    parts.append(words(asked.say("sheet-deal"), 12, 18, colours.soft, size=12, bold=True))
    for seat, name in enumerate(called):
        right = _DEALS + _SEAT * (seat + 1) - 12
        colour = colours.accent if seat in winners else colours.ink
        parts.append(words(fitting(name, _SEAT - 16, 12), right, 18, colour, size=12, bold=True, anchor="end"))
        if rules.teams:
            parts.append(
                words(asked.say("team", team=rules.side(seat) + 1), right, 33, colours.soft, size=10.5, anchor="end")
            )
    y = heads
    for start, end, cells, row in lines:
        head = asked.say("sheet-range", **{"from": start, "to": end})
        shooter = None if row is None else row.shooter
        parts.append(group(0, y, _line(head, cells, shooter, row is None, colours, wide)))
        y += _ROW
    parts.append(element("rect", y=y, width=wide, height=2, fill=colours.soft))
    parts.append(words(asked.say("sheet-total"), 12, y + 18, colours.ink, size=13, bold=True))
    for seat, total in enumerate(totals):
        colour = colours.accent if seat in winners else colours.ink
        right = _DEALS + _SEAT * (seat + 1) - 12
        parts.append(words(total, right, y + 18, colour, size=13.5, bold=True, anchor="end"))
    body = group(_MARGIN, _MARGIN, "\n".join(parts))
    return picture(size, asked.width, label or asked.say("score-sheet"), " ".join(says), *ground(size, colours), body)


def _line(head: str, cells: list[str], shooter: int | None, sum_of_many: bool, colours: Colours, wide: float) -> str:
    parts = [element("rect", width=wide, height=1, fill=colours.line)]
    parts.append(words(head, 12, 17, colours.soft, size=12))
    for seat, cell in enumerate(cells):
        right = _DEALS + _SEAT * (seat + 1) - 12
        colour = colours.soft if sum_of_many or cell == "0" else colours.ink
        parts.append(words(cell, right, 17, colour, size=13, anchor="end"))
        if seat == shooter:
            parts.append(group(right - 48, 12.5, element("path", d=_MOON, fill=colours.accent)))
    return "".join(parts)


def _said(asked: Wording, head: str, called: list[str], cells: list[str], row: DealScore | None) -> str:
    told = f"{head}: {', '.join([f'{name} {cell}' for name, cell in zip(called, cells, strict=True)])}."
    if row is None or row.shooter is None:
        return told
    return f"{told} {asked.say('sheet-moon', name=called[row.shooter], sun=row.sun)}"
