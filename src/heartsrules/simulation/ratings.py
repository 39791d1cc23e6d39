"""Ratings in the Bradley-Terry model, on the Elo scale."""

from __future__ import annotations

from collections.abc import Sequence
from math import exp, log, sqrt
from typing import Final

import attrs

SCALE: Final = 400 / log(10)
"""Rating points per unit of the natural logarithm of the odds. A difference of 400 points means odds of 10 to 1."""
_ITERATIONS: Final = 200
_TOLERANCE: Final = 1e-12
_STEP: Final = 1.0
"""Limit on the step of Newton's method, which can diverge with longer steps far from the solution."""


@attrs.frozen
class Rating:
    """A player's rating. The mean of all players is 0.

    Attributes:
        value: the rating in points. A difference of 400 points means odds of 10 to 1 for coming out ahead.
        error: half the width of the 95 % confidence interval, or None with a single table.
    """

    value: float
    error: float | None


def bradley_terry(tables: Sequence[Sequence[Sequence[float]]]) -> tuple[Rating, ...]:
    """Fit ratings in the model of Bradley and Terry (1952).

    In the model, the odds of coming out ahead of another player are the quotient of the strengths. A table counts as
    one result for each pair that met there. The ratings maximize the likelihood with one additional table at which
    every pair tied, so that no player is infinitely strong. The intervals are based on the differences between tables
    (the sandwich estimator).

    >>> always = [[0.5, 1], [0, 0.5]]
    >>> [round(rating.value) for rating in bradley_terry([always] * 99)]
    [460, -460]

    Args:
        tables: a matrix for each table, indexed [player][other], with the fraction of games in which the player came
            out ahead of the other, counting ties as half. The two numbers for a pair sum to 1, or are both 0 if they
            did not meet.

    Raises:
        ValueError: a table has no players, or not a row with a number for each player.
    """
    _check(tables)
    if not tables:
        return ()
    players = range(len(tables[0]))
    pairs = [(one, other) for one in players for other in players if one < other]
    # By pair, the number of meetings and the score of the first player, both with the additional tie.
    met = dict.fromkeys(pairs, 1.0)
    scored = dict.fromkeys(pairs, 0.5)
    for table in tables:
        for one, other in pairs:
            both = table[one][other] + table[other][one]
            met[one, other] += both
            scored[one, other] += table[one][other]
    strengths = [0.0 for _ in players]
    for _ in range(_ITERATIONS):
        excess = _excess(strengths, scored, met)
        inverse = _inverse(_information(strengths, met))
        step = [max(-_STEP, min(_STEP, sum([a * b for a, b in zip(row, excess, strict=True)]))) for row in inverse]
        strengths = [value + more for value, more in zip(strengths, step, strict=True)]
        if max(map(abs, step)) < _TOLERANCE:
            break
    mean = sum(strengths) / len(strengths)
    inverse = _inverse(_information(strengths, met))
    spread = [0.0 for _ in players]
    for table in tables:
        here = {(one, other): table[one][other] for one, other in pairs}
        excess = _excess(strengths, here, {(one, other): here[one, other] + table[other][one] for one, other in pairs})
        for player, row in enumerate(inverse):
            spread[player] += sum([a * b for a, b in zip(row, excess, strict=True)]) ** 2
    count = len(tables)
    width = student(count - 1) if count > 1 else 0.0
    return tuple(
        [
            Rating(SCALE * (strength - mean), width * SCALE * sqrt(of * count / (count - 1)) if width else None)
            for strength, of in zip(strengths, spread, strict=True)
        ]
    )


def student(freedom: int) -> float:
    """Return the 97.5 % quantile of Student's t, within 0.2 %.

    It is half the width of a 95 % interval in standard errors.
    """
    if freedom < 3:
        return (12.7062, 4.3027)[freedom - 1]
    z: float = 1.959964
    # Hill's expansion in powers of 1 / freedom (Communications of the ACM 13, 1970).
    terms = (
        z**3 + z,
        5 * z**5 + 16 * z**3 + 3 * z,
        3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z,
        79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z,
    )
    divisors = (4, 96, 384, 92_160)
    return z + sum(
        [term / (by * float(freedom) ** power) for power, (term, by) in enumerate(zip(terms, divisors, strict=True), 1)]
    )


def _check(tables: Sequence[Sequence[Sequence[float]]]) -> None:
    for place, table in enumerate(tables):
        players = len(tables[0])
        if not players or {len(table), *map(len, table)} != {players}:
            raise ValueError(f"tables[{place}] must have a row for each of the same players, with a number for each")


def _chance(difference: float) -> float:
    return 1 / (1 + exp(-difference))


def _excess(
    strengths: Sequence[float], scored: dict[tuple[int, int], float], met: dict[tuple[int, int], float]
) -> list[float]:
    excess = [0.0 for _ in strengths]
    for (one, other), score in scored.items():
        more = score - met[one, other] * _chance(strengths[one] - strengths[other])
        excess[one] += more
        excess[other] -= more
    return excess


def _information(strengths: Sequence[float], met: dict[tuple[int, int], float]) -> list[list[float]]:
    """Return the Fisher information plus 1 / size, which makes it regular."""
    size = len(strengths)
    found = [[1 / size] * size for _ in strengths]
    for (one, other), count in met.items():
        chance = _chance(strengths[one] - strengths[other])
        sharp = count * chance * (1 - chance)
        found[one][one] += sharp
        found[other][other] += sharp
        found[one][other] -= sharp
        found[other][one] -= sharp
    return found


def _inverse(matrix: Sequence[Sequence[float]]) -> list[list[float]]:
    """Invert a symmetric, positive definite matrix."""
    # Gauss-Jordan elimination needs no pivoting for such a matrix.
    size = len(matrix)
    rows = [[*row, *[float(place == number) for place in range(size)]] for number, row in enumerate(matrix)]
    for number in range(size):
        head = rows[number][number]
        rows[number] = [value / head for value in rows[number]]
        for other in range(size):
            if other != number:
                factor = rows[other][number]
                rows[other] = [a - factor * b for a, b in zip(rows[other], rows[number], strict=True)]
    return [row[size:] for row in rows]
