"""Evaluations of moves, stored as comments of a record."""

from __future__ import annotations

import re
from typing import Final

import attrs

from heartsrules.base.values import wrong_item, wrong_type
from heartsrules.formats.notation.scan import BLANK, check_text

_QUALITIES: Final = ("best", "fine", "inaccuracy", "mistake", "blunder")
_FIGURES: Final = rf"((?:{BLANK}+-?[0-9]{{1,9}}(?:\.[0-9]{{1,9}})?){{3}})"
_EVALUATION: Final = re.compile(
    rf"\[%cost{BLANK}+({'|'.join(_QUALITIES)}){BLANK}+points{_FIGURES}{BLANK}+win{_FIGURES}{BLANK}*\]{BLANK}*",
    re.IGNORECASE | re.ASCII,
)


def _check_quality(instance: object, attribute: attrs.Attribute[str], value: str) -> None:
    check_text(instance, attribute, value)
    if value not in _QUALITIES:
        raise ValueError(f"quality is not one of {', '.join(_QUALITIES)}")


def _check_figures(_: object, attribute: attrs.Attribute[tuple[float, float, float]], value: object) -> None:
    if not isinstance(value, tuple) or len(value) != 3:
        wrong_type(attribute.name, "a tuple of three numbers", value)
    for figure in value:
        if isinstance(figure, bool) or not isinstance(figure, (int, float)):
            wrong_item(attribute.name, "numbers", figure)


@attrs.frozen
class Evaluation:
    """The cost of a move relative to the best one.

    Each cost is a tuple: the estimate, and the two ends of its 95 % interval.

    Attributes:
        quality: `best`, `fine`, `inaccuracy`, `mistake` or `blunder`.
        points: the cost in points.
        win: the cost in chance to win the match, from 0 to 1.
        text: the rest of the comment.

    Raises:
        ValueError: there is no such quality.
    """

    quality: str = attrs.field(validator=_check_quality)
    points: tuple[float, float, float] = attrs.field(validator=_check_figures)
    win: tuple[float, float, float] = attrs.field(validator=_check_figures)
    text: str = attrs.field(default="", validator=check_text)


def format_evaluation(evaluation: Evaluation) -> str:
    """Write an evaluation as a comment, with at most three decimals.

    >>> format_evaluation(Evaluation("mistake", (2.0, 0.51, 3.5), (0.041, 0.01, 0.07), "led the king"))
    '[%cost mistake points 2 0.51 3.5 win 0.041 0.01 0.07] led the king'
    """
    if not isinstance(evaluation, Evaluation):
        wrong_type("evaluation", "an Evaluation", evaluation)
    points, win = [" ".join(map(_figure, figures)) for figures in (evaluation.points, evaluation.win)]
    return f"[%cost {evaluation.quality} points {points} win {win}] {evaluation.text}".rstrip(" ")


def _figure(value: float) -> str:
    text = f"{value:.3f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def parse_evaluation(comment: str) -> Evaluation | None:
    """Read an evaluation at the start of a comment, or return None if there is none.

    >>> parse_evaluation("[%cost fine points 0.3 -0.2 0.8 win 0 0 0.01]").points
    (0.3, -0.2, 0.8)
    >>> parse_evaluation("Bob thinks") is None
    True
    """
    if not isinstance(comment, str):
        wrong_type("comment", "a str", comment)
    found = _EVALUATION.match(comment)
    if found is None:
        return None
    points, win = [[float(figure) for figure in re.split(BLANK, group) if figure] for group in found.groups()[1:]]
    text = comment[found.end() :]
    return Evaluation(found[1].lower(), (points[0], points[1], points[2]), (win[0], win[1], win[2]), text)
