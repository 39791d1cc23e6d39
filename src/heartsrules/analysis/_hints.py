"""Describe an assessment in words."""

from __future__ import annotations

from typing import Any, Final

from heartsrules.analysis._assessing import AssessedMove, Assessment
from heartsrules.messages import catalogue, phrase, term
from heartsrules.play.moves import ChooseMoon, Expose, Move, Pass, Play

_WORTH_SAYING: Final = 0.05
"""The smallest moon chance or win-chance difference that a hint mentions."""

_MOST_NAMED: Final = 3
"""The most equally good moves that a hint lists individually."""


def hint(assessment: Assessment, language: str = "en", *, move: Move | None = None) -> str:
    """Describe an assessed move in a sentence without a full stop.

    The sentence compares the move's expected points with the best alternative's, signed as on the score
    sheet. It then lists moves that are just as good, moon chances of at least 5 %, and the chances to win the match if
    they differ. If the better move has more points and the win chances do not explain it, a reason follows.

    >>> from heartsrules import apply, deal, new_game, presets, view
    >>> from heartsrules.analysis import assess
    >>> from heartsrules.chance import RandomStream
    >>> start = new_game(presets.cardstock())
    >>> state = apply(start, deal(start, seed=7))
    >>> hint(assess(view(state, 0), RandomStream("any"), worlds=200))
    '6C: 6.1 points expected, 5.9 with the next best move (8C); with 6C the match is won a little more often'

    Args:
        assessment: the result of `assess`.
        language: one of `heartsrules.messages.languages()`.
        move: the move to describe. Defaults to the best one.

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
    equal = [each for each in rest if _look_equal(each, described)]
    others = [each for each in rest if each not in equal]
    best = _look_equal(described, assessment.best)
    parts = [_points(assessment, described, others[0] if others else None, best, language)]
    if equal:
        names = [move_name(each.move, language) for each in equal[:_MOST_NAMED]]
        if len(equal) > _MOST_NAMED:
            names = [term("more", language, named=names[0], more=len(equal) - 1)]
        parts.append(phrase("hint.equal", language, others=", ".join(names)))
    for name, chance in (("moon", described.moon), ("moon-against", described.moon_against)):
        if chance >= _WORTH_SAYING:
            parts.append(phrase(f"hint.{name}", language, percent=round(100 * chance)))
    if others:
        other = others[0]
        if _compares_wins(described, other):
            percents = {"percent": round(100 * described.win), "other_percent": round(100 * other.win)}
            parts.append(phrase("hint.win", language, other=move_name(other.move, language), **percents))
        better, worse = (described, other) if best else (other, described)
        if _seems_worse(better, worse):
            reason = "match" if better.win - worse.win > _beside_match(better) - _beside_match(worse) else "others"
            parts.append(phrase("hint.reason", language, better=move_name(better.move, language), reason=reason))
    return "; ".join(parts)


def _look_equal(one: AssessedMove, other: AssessedMove) -> bool:
    return round(10 * (one.points - other.points)) == 0 and round(100 * (one.win - other.win)) == 0


def _compares_wins(described: AssessedMove, other: AssessedMove) -> bool:
    """Return True if a hint compares win chances.

    It does if they differ clearly, or favour the move with more points.
    """
    if round(100 * described.win) == round(100 * other.win):
        return False
    return (
        abs(described.win - other.win) >= _WORTH_SAYING
        or (described.points - other.points) * (described.win - other.win) > 0
    )


def _seems_worse(better: AssessedMove, worse: AssessedMove) -> bool:
    """Return True if the better move has more points and no visibly better win chance."""
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
