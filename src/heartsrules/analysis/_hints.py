"""Describe an assessment in words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import attrs

from heartsrules.analysis._assessing import AssessedMove, Assessment
from heartsrules.analysis._reasons import Reason, reasons_of
from heartsrules.cards import Cards
from heartsrules.messages import catalogue, phrase, term
from heartsrules.play.moves import ChooseMoon, Expose, Move, Pass, Play

_WORTH_SAYING: Final = 0.05
"""The smallest moon chance or win-chance difference that a hint mentions."""

_MOST_NAMED: Final = 3
"""The most equally good moves that a hint lists individually."""


def hint(
    assessment: Assessment, language: str = "en", *, move: Move | None = None, names: Sequence[str] | None = None
) -> str:
    """Describe an assessed move in a sentence without a full stop.

    It compares the move's expected points with the best alternative's, signed as on the score sheet. It then lists
    moves with the same figures, moon chances of at least 5 %, the chances to win if they differ, and the main reason
    for the better move.

    >>> from heartsrules import apply, deal, new_game, presets, view
    >>> from heartsrules.analysis import assess
    >>> from heartsrules.chance import RandomStream
    >>> start = new_game(presets.cardstock())
    >>> state = apply(start, deal(start, seed=7))
    >>> hint(assess(view(state, 0), RandomStream("any"), worlds=200))
    '♣6: 6.1 points expected, 5.9 with the next best move (♣8); with ♣6 the match is won a little more often'

    Args:
        assessment: the result of `assess`.
        language: one of `heartsrules.messages.languages()`.
        move: the move to describe. Defaults to the best one.
        names: the players' names, one for each seat. Defaults to their seat numbers.

    Raises:
        UnknownLanguage: there is no catalogue for the language.
        ValueError: the move was not assessed.
    """
    # Refuses an unknown language before anything is rendered.
    catalogue(language)
    described = assessment.best if move is None else assessment.of(move)
    if described is None:
        raise ValueError("this move was not assessed: name one of those in `moves`")
    rest = [each for each in assessment.moves if each is not described]
    equal = [each for each in rest if _figures(each) == _figures(described)]
    others = [each for each in rest if each not in equal]
    best = _figures(described) == _figures(assessment.best)
    parts = [_points(assessment, described, others[0] if others else None, best, language)]
    if equal:
        listed = [move_name(each.move, language) for each in equal[:_MOST_NAMED]]
        if len(equal) > _MOST_NAMED:
            listed = [term("more", language, named=listed[0], more=len(equal) - 1)]
        parts.append(phrase("hint.equal", language, others=", ".join(listed)))
    reason, main = "", None
    other = others[0] if others else None
    if other is not None:
        better, worse = (described, other) if best else (other, described)
        if _seems_worse(better, worse):
            code = "match" if better.win - worse.win > _beside_match(better) - _beside_match(worse) else "others"
            reason = phrase("hint.reason", language, better=move_name(better.move, language), reason=code)
        elif round(10 * better.points) < round(10 * worse.points):
            main = reasons_of(assessment.view, worse, better)[0]
            reason = reason_text(main, worse.move, better.move, language, names)
    moons = (("moon", "own-moon", described.moon), ("moon-against", "other-moon", described.moon_against))
    for name, code, chance in moons:
        # The reason may compare the same chances.
        if chance >= _WORTH_SAYING and (main is None or main.code != code):
            parts.append(phrase(f"hint.{name}", language, percent=round(100 * chance)))
    if other is not None and _compares_wins(described, other):
        percents = {"percent": round(100 * described.win), "other_percent": round(100 * other.win)}
        parts.append(phrase("hint.win", language, other=move_name(other.move, language), **percents))
    return "; ".join([*parts, reason] if reason else parts)


def _figures(move: AssessedMove) -> tuple[int, int]:
    return round(10 * move.points), round(100 * move.win)


def _compares_wins(described: AssessedMove, other: AssessedMove) -> bool:
    """Return True if a hint compares win chances.

    It does if they differ clearly, or favour the move with more points.
    """
    if round(100 * described.win) == round(100 * other.win):
        return False
    return (
        abs(described.win - other.win) >= _WORTH_SAYING
        or round(10 * described.points) == round(10 * other.points)
        or (described.points - other.points) * (described.win - other.win) > 0
    )


def _seems_worse(better: AssessedMove, worse: AssessedMove) -> bool:
    win_shown = _compares_wins(better, worse) and better.win > worse.win
    return round(10 * better.points) > round(10 * worse.points) and not win_shown


def _beside_match(move: AssessedMove) -> float:
    """Return the part of a move's value other than the win chance."""
    return move.value - move.win


def _points(
    assessment: Assessment, described: AssessedMove, other: AssessedMove | None, best: bool, language: str
) -> str:
    def shown(move: AssessedMove) -> str:
        return decimal(assessment.shown(move.points), language)

    params: dict[str, Any] = {"move": move_name(described.move, language), "points": shown(described)}
    if other is None:
        return phrase("hint.only", language, **params)
    params |= {"other": move_name(other.move, language), "other_points": shown(other)}
    return phrase("hint.best" if best else "hint.other", language, **params)


def reason_text(reason: Reason, made: Move, best: Move, language: str, names: Sequence[str] | None) -> str:
    """Say why one of two moves is better, with both of them."""
    named = names is not None and len(reason.seats) > 0
    seats = reason.seats if names is None else tuple([names[seat] for seat in reason.seats])
    parameters = attrs.asdict(reason, recurse=False) | {"seats": seats, "before": reason.percent[1]}
    if isinstance(made, Pass) and isinstance(best, Pass):
        one, other = [sum(each.cards, start=Cards()) for each in (made, best)]
        parameters["instead"] = other - one if reason.cards - other else one - other
    return phrase(
        f"review.{reason.code}",
        language,
        **parameters,
        after=reason.percent[0],
        who=phrase("review.seats", language, named=named, seats=seats),
        move=move_name(made, language),
        best=move_name(best, language),
    )


def move_name(move: Move, language: str) -> str:
    if isinstance(move, Play):
        return term("card", language, rank=move.card.rank.letter, suit=move.card.suit.letter)
    if isinstance(move, Pass):
        return phrase("hint.pass", language, gifts=move.cards)
    if isinstance(move, Expose):
        return phrase("hint.expose", language, cards=move.cards)
    assert isinstance(move, ChooseMoon)
    return phrase("hint.choose-moon", language, effect=move.effect)


def decimal(number: float, language: str) -> str:
    tenths = round(abs(number) * 10)
    sign = "-" if number < 0 and tenths else ""
    return term("decimal", language, sign=sign, whole=tenths // 10, tenth=tenths % 10)
