"""Pictures and tables of this package's values in notebooks."""

from __future__ import annotations

from collections.abc import Iterable

from heartsrules.analysis import Review
from heartsrules.base.errors import counted
from heartsrules.base.values import wrong_type
from heartsrules.cards import Cards
from heartsrules.formats.notation import format_field
from heartsrules.pictures.pages import head_and_rows, html
from heartsrules.pictures.reviews import review_html
from heartsrules.pictures.svg import hand, score_sheet, table, trick
from heartsrules.play.game import Game, Record, verify
from heartsrules.play.public import Trick
from heartsrules.play.sheet import ScoreSheet
from heartsrules.play.state import State
from heartsrules.rules import Rules
from heartsrules.views import View

__all__ = ["as_html", "as_svg"]
__dir__ = __all__.copy


def as_svg(shown: State | View | Game | Trick | Cards | ScoreSheet) -> str:
    """Draw a value at the default size in light colours, for `_repr_svg_`.

    Args:
        shown: a state, a view, or a game with its current table; a trick, cards or a score sheet.

    Raises:
        TypeError: `shown` is something else.
    """
    if isinstance(shown, Cards):
        return hand(shown)
    if isinstance(shown, Trick):
        return trick(shown)
    if isinstance(shown, ScoreSheet):
        return score_sheet(shown)
    if isinstance(shown, Game):
        return table(shown.state)
    if not isinstance(shown, (State, View)):
        wrong_type("shown", "a State, a View, a Game, a Trick, a Cards or a ScoreSheet", shown)
    return table(shown)


def as_html(shown: Rules | Record | Review) -> str:
    """Write a value as an HTML fragment, for `_repr_html_`.

    Args:
        shown: a rule set, whose unusual options are listed; a record, with its tags, its last legal position, the score
            sheet and the first mistake; or a review.

    Raises:
        TypeError: `shown` is something else.
    """
    if isinstance(shown, Rules):
        return _rules(shown)
    if isinstance(shown, Review):
        return review_html(shown)
    if not isinstance(shown, Record):
        wrong_type("shown", "a Rules, a Record or a Review", shown)
    return _record(shown)


def _table(caption: str, rows: Iterable[tuple[str, ...]], heads: tuple[str, ...] = ()) -> str:
    head, lines = head_and_rows(heads, rows)
    return f"<table><caption>{html(caption)}</caption>{head}<tbody>{''.join(lines)}</tbody></table>\n"


def _rules(rules: Rules) -> str:
    changes = rules.changes()
    rows = [
        (option.name, format_field(option.name, changes[option.name], rules.players), option.sentence)
        for option in Rules.OPTIONS
        if option.name in changes
    ]
    who = f"Hearts for {counted(rules.players, 'player')}"
    if not rows:
        return f"<p>{who}: the usual game to {rules.target}.</p>\n"
    return _table(f"{who}: what is not as usual", rows, ("option", "value", "what it says"))


def _record(record: Record) -> str:
    verdict = verify(record)
    parts = [_table("Record", [*record.tags, ("Moves", str(len(record.moves)))])]
    parts.append(table(verdict.state))
    if verdict.state.score_sheet:
        parts.append(score_sheet(verdict.state))
    if verdict.failure is not None:
        parts.append(f"<p><strong>Wrong:</strong> {html(str(verdict.failure))}</p>\n")
    return f"<div>\n{''.join(parts)}</div>\n"
