"""What an assessment says, in a sentence."""

from __future__ import annotations

from typing import Any, Final

from heartsrules.base.values import wrong_type
from heartsrules.messages import catalogue, phrase, term
from heartsrules.play.moves import ChooseMoon, Expose, Move, Pass, Play
from heartsrules.search._assessing import AssessedMove, Assessment

__all__ = ["hint"]

_TOLD: Final = 0.05
"""A chance is told from here on, or if two moves differ by as much."""

_FEW: Final = 3
"""So many moves that are just as good are named."""


def hint(assessment: Assessment, language: str = "en", *, move: Move | None = None) -> str:
    """What an assessment says of a move, as a sentence without a full stop.

    It says how many points the move is expected to bring, with the sign that totals have, beside the next best move, or
    the best one; then which moves are just as good, how likely moons are if somebody may shoot one, and how the match
    stands if the moves differ in that. If it is not the points that make the better move, it says what does.

    >>> from heartsrules import apply, deal, new_game, presets, view
    >>> from heartsrules.search.analysis import assess
    >>> from heartsrules.chance import RandomStream
    >>> start = new_game(presets.cardstock())
    >>> state = apply(start, deal(start, seed=7))
    >>> hint(assess(view(state, 0), RandomStream("any"), worlds=200))
    '6C: 6.7 points expected, 6.4 with the next best move (8C); 38% to win the match, 36% with 8C'

    Args:
        assessment: of the moves of a seat.
        language: one of `heartsrules.messages.languages()`.
        move: which move; None: the best.

    Raises:
        UnknownLanguage: there is no catalogue for the language.
        ValueError: the move was not assessed.
        TypeError: an argument has the wrong type.
    """
    if not isinstance(assessment, Assessment):
        wrong_type("assessment", "an Assessment", assessment)
    # Whether there is such a language is checked before anything is said in it.
    catalogue(language)
    told = assessment.best if move is None else assessment.of(move)
    if told is None:
        raise ValueError("this move was not assessed: name one of those in `moves`")
    rest = [each for each in assessment.moves if each is not told]
    equal = [each for each in rest if _look_equal(each, told)]
    others = [each for each in rest if each not in equal]
    best = _look_equal(told, assessment.best)
    parts = [_points(assessment, told, others[0] if others else None, best, language)]
    if equal:
        names = [_name(each.move, language) for each in equal[:_FEW]]
        if len(equal) > _FEW:
            names = [term("more", language, named=names[0], more=len(equal) - 1)]
        parts.append(phrase("hint.equal", language, others=", ".join(names)))
    for name, chance in (("moon", told.moon), ("moon-against", told.moon_against)):
        if chance >= _TOLD:
            parts.append(phrase(f"hint.{name}", language, percent=round(100 * chance)))
    if others:
        other = others[0]
        if _tells_of_match(told, other):
            share = {"percent": round(100 * told.win), "other_percent": round(100 * other.win)}
            parts.append(phrase("hint.win", language, other=_name(other.move, language), **share))
        better, worse = (told, other) if best else (other, told)
        if _seems_worse(better, worse):
            reason = "match" if better.win - worse.win > _beside_match(better) - _beside_match(worse) else "others"
            parts.append(phrase("hint.reason", language, better=_name(better.move, language), reason=reason))
    return "; ".join(parts)


def _look_equal(one: AssessedMove, other: AssessedMove) -> bool:
    """Whether two moves differ in no figure that is told."""
    return round(10 * (one.points - other.points)) == 0 and round(100 * (one.win - other.win)) == 0


def _tells_of_match(told: AssessedMove, other: AssessedMove) -> bool:
    """Whether two moves differ in the chance of the match, or the one with more points is the better one for it."""
    if round(100 * told.win) == round(100 * other.win):
        return False
    return abs(told.win - other.win) >= _TOLD or (told.points - other.points) * (told.win - other.win) > 0


def _seems_worse(better: AssessedMove, worse: AssessedMove) -> bool:
    """Whether the better one of two moves looks worse: it has more points, and no better chance is told."""
    told_of_match = _tells_of_match(better, worse) and better.win > worse.win
    return round(10 * better.points) > round(10 * worse.points) and not told_of_match


def _beside_match(move: AssessedMove) -> float:
    """What a move is compared by beside the chance of the match: the points of all others."""
    return move.value - move.win


def _points(assessment: Assessment, told: AssessedMove, other: AssessedMove | None, best: bool, language: str) -> str:
    def shown(move: AssessedMove) -> str:
        return _decimal(assessment.shown(move.points), language)

    params: dict[str, Any] = {"move": _name(told.move, language), "points": shown(told)}
    if other is None:
        return phrase("hint.only", language, **params)
    params |= {"other": _name(other.move, language), "other_points": shown(other)}
    return phrase("hint.best" if best else "hint.other", language, **params)


def _name(move: Move, language: str) -> str:
    if isinstance(move, Play):
        return term("card", language, rank=move.card.rank.letter, suit=move.card.suit.letter)
    if isinstance(move, Pass):
        return phrase("hint.pass", language, gifts=move.gifts)
    if isinstance(move, Expose):
        return phrase("hint.expose", language, cards=move.cards)
    assert isinstance(move, ChooseMoon)
    return phrase("hint.choose-moon", language, effect=move.effect)


def _decimal(number: float, language: str) -> str:
    """A number with one digit after the decimal mark."""
    tenths = round(abs(number) * 10)
    sign = "-" if number < 0 and tenths else ""
    return term("decimal", language, sign=sign, whole=tenths // 10, tenth=tenths % 10)
