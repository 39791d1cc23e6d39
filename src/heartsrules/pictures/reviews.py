"""Reviews as lines of text, HTML fragments and self-contained pages."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from html import escape
from typing import Final
from urllib.parse import quote

from heartsrules.analysis import DealReview, Decision, Quality, Review, TurningPoint, explain
from heartsrules.base.errors import printable
from heartsrules.formats.notation import format_position
from heartsrules.pictures import svg
from heartsrules.pictures.diagrams import in_columns
from heartsrules.pictures.facts import cards_in_move
from heartsrules.pictures.pages import THEMED, Page, head_and_rows, html, make_page, themed
from heartsrules.pictures.wording import Wording
from heartsrules.play.state import GameOver
from heartsrules.rules import Seat
from heartsrules.views import view

__all__ = ["review_html", "review_lines", "review_page"]
__dir__ = __all__.copy

_ERRORS: Final = (Quality.INACCURACY, Quality.MISTAKE, Quality.BLUNDER)
_SURE: Final = (Quality.MISTAKE, Quality.BLUNDER)
_SEAT_COLOURS: Final = (
    *("#1f77b4", "#d9480f", "#2b8a3e", "#9c36b5", "#b8860b", "#0b7285"),
    *("#c2255c", "#5c940d", "#364fc7", "#862e9c", "#495057"),
)
_CURVE: Final = (720.0, 220.0)


class _Words(Wording):
    prefix = "review"

    def __init__(self, review: Review, language: str, names: Iterable[str] | None) -> None:
        super().__init__(language)
        players = review.game.rules.players
        self.review: Final = review
        listed = [self.say("seat", seat=seat) for seat in range(players)] if names is None else list(names)
        if len(listed) != players:
            raise ValueError(f"names has {len(listed)} of them for {players} players: give one for each seat")
        self.names: Final = listed

    def place(self, at: Decision | TurningPoint) -> str:
        if at.trick is None:
            return self.say("before-tricks", deal=at.deal + 1)
        return self.say("place", deal=at.deal + 1, trick=at.trick + 1)

    def explain(self, decision: Decision) -> str:
        return explain(decision, self.language, self.names)

    def seat(self, seat: Seat) -> tuple[str, str]:
        accuracy = self.review.accuracy(seat)
        counts = {quality.value: count for quality, count in self.review.count(seat).items()}
        head = (
            self.say("no-accuracy") if accuracy is None else self.say("accuracy", percent=max(0, round(100 * accuracy)))
        )
        return head, self.say("counts", **counts)

    def errors(self) -> list[Decision]:
        return [each for each in self.review.decisions if each.quality in _ERRORS]

    def turn(self, turn: TurningPoint) -> str:
        chances = {"before": round(100 * turn.before), "after": round(100 * turn.after)}
        return self.say("turn", cause=turn.cause, **chances)

    def luck(self) -> tuple[list[str], list[list[str]]]:
        deals = self.review.deals
        heads = ["", "", *self.say("columns").split(",")]
        return heads, [
            [self.say("deal", deal=each.deal + 1), self.names[each.seat], *self.parts(each)] for each in deals
        ]

    def parts(self, deal: DealReview) -> list[str]:
        figures = [f"{part:+.1f}" for part in (deal.average, deal.cards, deal.play, deal.others)]
        for place, margin in ((1, deal.cards_margin), (2, deal.play_margin)):
            figures[place] += f" ± {margin:.1f}"
        return [str(deal.points), *figures]


def review_lines(review: Review, language: str = "en", names: Iterable[str] | None = None) -> tuple[str, ...]:
    """Write a review as lines of text.

    They list each seat, costly moves, luck and skill, and the turning points. Arguments and errors are the same as for
    `review_page`.
    """
    words = _Words(review, language, names)
    return tuple([printable(line) for line in _lines(words)])


def _lines(words: _Words) -> Iterator[str]:
    review = words.review
    for seat in review.seats:
        head, counts = words.seat(seat)
        yield f"{words.names[seat]}: {head}; {counts}"
    yield f"({words.say('accuracy-note')})"
    yield ""
    yield words.say("errors")
    errors = words.errors()
    for each in errors:
        quality = words.say("quality", quality=each.quality)
        yield f"  {words.place(each)}, {words.names[each.seat]}: {quality}: {words.explain(each)}"
    if not errors:
        yield f"  {words.say('no-errors')}"
    if review.deals:
        yield ""
        yield words.say("luck")
        heads, rows = words.luck()
        for line in in_columns(zip(heads, *rows, strict=True), right=range(2, len(heads))):
            yield f"  {line}"
    if review.turning_points:
        yield ""
        yield words.say("turns")
        for turn in review.turning_points:
            yield f"  {words.place(turn)}, {words.names[turn.seat]}: {words.turn(turn)}"


def review_html(review: Review, language: str = "en", names: Iterable[str] | None = None) -> str:
    """Write a review as an HTML fragment without pictures, for a notebook.

    Arguments and errors are the same as for `review_page`.
    """
    words = _Words(review, language, names)
    return f"<div>\n{_summary(words)}{_curve(words)}{_errors(words, pictures=False)}{_luck(words)}</div>\n"


def review_page(
    review: Review, language: str = "en", names: Iterable[str] | None = None, *, table: str | None = None
) -> Page:
    """Write a review as a self-contained HTML page in a light and a dark theme.

    For every mistake and blunder it shows the table as the player saw it, with the played and the best card marked.

    Args:
        language: one of `heartsrules.messages.languages()`.
        names: the players' names by seat. Defaults to seat numbers.
        table: the address of a page of the browser table, which links then open at each position of a finished deal,
            with all hands. Defaults to no links.

    Raises:
        UnknownLanguage: there is no catalogue for the language.
        ValueError: there is not one name for each seat.
    """
    words = _Words(review, language, names)
    title = words.say("title")
    body = f"{_summary(words)}{_curve(words)}{_errors(words, pictures=True, table=table)}{_luck(words)}{_turns(words)}"
    return make_page(title, f"<main>\n<h1>{html(title)}</h1>\n{body}</main>", style=_STYLE, language=language)


_STYLE: Final = """
main { max-width: 60rem; margin: auto; padding: 1rem; }
h1, h2 { line-height: 1.2; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; background: var(--sheet); font-variant-numeric: tabular-nums; }
th, td { padding: .3rem .6rem; border: 1px solid var(--rule); text-align: right; }
th[scope=row] { text-align: left; }
article { background: var(--sheet); border: 1px solid var(--rule); padding: .75rem; margin: 1rem 0; }
article h3 { margin: 0 0 .25rem; font-size: 1rem; }
article p { margin: .25rem 0; }
svg { max-width: 100%; height: auto; }
figure { margin: 1rem 0; }
figcaption, .note { color: var(--muted); font-size: .9rem; }
.blunder h3 { color: #d6336c; } .mistake h3 { color: #d9730d; }
"""


def _summary(words: _Words) -> str:
    lines = []
    for seat in words.review.seats:
        head, counts = words.seat(seat)
        mark = f'<span style="color:{_SEAT_COLOURS[seat]}">●</span>'
        lines.append(f"<li>{mark} <strong>{html(words.names[seat])}</strong>: {html(head)}; {html(counts)}</li>\n")
    note = html(_capital(words.say("accuracy-note")))
    return f'<ul style="list-style:none;padding:0">\n{"".join(lines)}</ul>\n<p class="note">{note}.</p>\n'


def _curve(words: _Words) -> str:
    review = words.review
    wide, high = _CURVE
    left, top, right, bottom = 40.0, 8.0, wide - 8.0, high - 24.0
    last = max(1, review.game.ply)

    def x(ply: int) -> float:
        return left + (right - left) * ply / last

    def y(chance: float) -> float:
        return bottom - (bottom - top) * chance

    parts: list[str] = []
    for tenths in (0, 5, 10):
        at = y(tenths / 10)
        parts.append(
            f'<path d="M{left:.1f} {at:.1f}H{right:.1f}" stroke="currentColor" stroke-opacity=".2"/>'
            f'<text x="{left - 4:.1f}" y="{at + 4:.1f}" text-anchor="end">{10 * tenths}%</text>'
        )
    # The curve restarts after each deal, whose number is below.
    begins = [each for each in review.decisions if each.seat == review.seats[0]]
    seen: set[int] = set()
    for each in begins:
        if each.deal not in seen:
            seen.add(each.deal)
            parts.append(
                f'<path d="M{x(each.ply):.1f} {top:.1f}V{bottom:.1f}" stroke="currentColor" stroke-opacity=".15"/>'
                f'<text x="{x(each.ply) + 2:.1f}" y="{high - 8:.1f}">{each.deal + 1}</text>'
            )
    for seat in review.seats:
        points = " ".join([f"{x(ply):.1f},{y(chance):.1f}" for ply, each, chance in review.curve if each == seat])
        parts.append(f'<polyline points="{points}" fill="none" stroke="{_SEAT_COLOURS[seat]}" stroke-width="2"/>')
    caption = html(words.say("curve"))
    return (
        f'<figure><svg viewBox="0 0 {wide:.0f} {high:.0f}" width="{wide:.0f}" height="{high:.0f}" role="img" '
        f'aria-label="{caption}" font-family="sans-serif" font-size="11" fill="currentColor">{"".join(parts)}</svg>'
        f"<figcaption>{caption}</figcaption></figure>\n"
    )


def _errors(words: _Words, *, pictures: bool, table: str | None = None) -> str:
    parts = [f"<h2>{html(words.say('errors'))}</h2>\n"]
    errors = words.errors()
    if pictures and errors:
        parts.append(f'<p class="note">{html(words.say("signs"))}</p>\n')
    for each in errors:
        quality = words.say("quality", quality=each.quality)
        head = f"{words.place(each)}, {words.names[each.seat]}: {quality}"
        drawn = _picture(words, each) if pictures and each.quality in _SURE else ""
        parts.append(
            f'<article class="{each.quality}"><h3>{html(head)}</h3>'
            f"<p>{html(_capital(words.explain(each)))}.</p>{drawn}{_link(words, each, table)}</article>\n"
        )
    if not errors:
        parts.append(f"<p>{html(words.say('no-errors'))}</p>\n")
    return "".join(parts)


def _link(words: _Words, decision: Decision, table: str | None) -> str:
    """Link to the position, unless its deal is unfinished and the hands are secret."""
    game = words.review.game
    if table is None or (decision.deal == game.state.deal_number and not isinstance(game.state, GameOver)):
        return ""
    position = quote(format_position(game.at(decision.ply)))
    address = f"{table}#position={position}&seat={decision.seat}"
    return f'<p><a href="{escape(address)}">{html(words.say("play"))}</a></p>'


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _picture(words: _Words, decision: Decision) -> str:
    seen = view(words.review.game.at(decision.ply), decision.seat)
    signs = dict.fromkeys(cards_in_move(decision.best[0]), "✓")
    signs |= {card: "✗" for card in cards_in_move(decision.move) if card not in signs}
    return themed(
        svg.table(seen, names=words.names, colours=THEMED, signs=signs, last_trick=False, language=words.language)
    )


def _luck(words: _Words) -> str:
    if not words.review.deals:
        return ""
    head, rows = head_and_rows(*words.luck())
    lines = "".join([f"{row}\n" for row in rows])
    return (
        f"<h2>{html(words.say('luck'))}</h2>\n"
        f'<div class="wide"><table>{head}\n<tbody>{lines}</tbody></table></div>\n'
        f'<p class="note">{html(words.say("luck-note"))}</p>\n'
    )


def _turns(words: _Words) -> str:
    turns = words.review.turning_points
    if not turns:
        return ""
    lines = [
        f"<li>{html(f'{words.place(turn)}, {words.names[turn.seat]}: {words.turn(turn)}')}</li>\n" for turn in turns
    ]
    return f"<h2>{html(words.say('turns'))}</h2>\n<ul>\n{''.join(lines)}</ul>\n"
