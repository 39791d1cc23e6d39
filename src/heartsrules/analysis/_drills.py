"""Drills that ask for the best move, shipped or extracted from reviewed games."""

from __future__ import annotations

import enum
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from importlib import resources
from typing import Any, Final

import attrs

from heartsrules.analysis._assessing import Difference
from heartsrules.analysis._hints import decimal, move_name
from heartsrules.analysis._reasons import Reason
from heartsrules.analysis._reviewing import (
    RIGHT,
    WORLDS,
    ComparedMove,
    Quality,
    Review,
    Scale,
    choices_of,
    compared_data,
    explain,
    move_data,
    quality_of,
)
from heartsrules.analysis.hand_forecasts import stream_for
from heartsrules.analysis.policies import BatchPolicy, Policy, Watchful
from heartsrules.base.values import checked_count, wrong_type
from heartsrules.cards import Card, Cards, Suit
from heartsrules.formats.notation import parse_position
from heartsrules.messages import catalogue, phrase
from heartsrules.play.moves import Move, Pass, Play
from heartsrules.play.view_selection import view_of
from heartsrules.rules import Seat
from heartsrules.views import PassingView, PlayingView, View

SHIPPED: Final = "drills.jsonl"
"""The file of shipped drills in this package, one per line."""
_MOST_PASSES: Final = 6
"""The most passes that a drill offers."""
_QUEEN: Final = ("over-queen", "led-queen", "drive-out")
"""The reasons related to the queen of spades."""
_MOONS: Final = {"own-moon": "own-moon", "other-moon": "other-moon", "fed-moon": "other-moon"}
"""The themes of the reasons related to moons."""


class Theme(enum.StrEnum):
    """The skill that a drill trains."""

    PASSING = "passing"
    LEADING = "leading"
    FOLLOWING = "following"
    """Following suit, to duck or to win a trick."""
    DISCARDING = "discarding"
    QUEEN = "queen"
    """Driving out, discarding or avoiding the queen of spades."""
    OWN_MOON = "own-moon"
    """Shooting the moon."""
    OTHER_MOON = "other-moon"
    """Stopping another player's moon."""
    OTHER = "other"
    """Exposing cards, or choosing the effect of a moon."""


@attrs.frozen
class Drill:
    """A position that asks for the best move, with the cost of each move.

    Attributes:
        view: the acting seat's view.
        theme: the skill that it trains.
        choices: the choices, best first and then by cost. They are all legal plays, or some of the passes. At least one
            is surely worse than the best.
    """

    view: View
    theme: Theme
    choices: tuple[ComparedMove, ...]

    @property
    def seat(self) -> Seat:
        """The seat that is to act."""
        assert self.view.seat is not None
        return self.view.seat

    @property
    def best(self) -> tuple[Move, ...]:
        """The best move, and the moves with the same result in every world."""
        return self.choices[0].best

    def answered(self, move: Move) -> ComparedMove:
        """Return a choice compared with the best move.

        Raises:
            ValueError: the move is not one of `choices`.
        """
        for each in self.choices:
            if each.move == move:
                return each
        raise ValueError("this move is not one of the choices of the drill")

    def is_right(self, move: Move) -> bool:
        """Return True if a move is the best one or not surely worse.

        Raises:
            ValueError: the move is not one of `choices`.
        """
        return self.answered(move).quality in RIGHT

    def judge(self, move: Move, language: str = "en", names: Sequence[str] | None = None) -> tuple[str, ...]:
        """Explain a move's verdict in lines of text.

        The lines give the verdict, the reason (for a right move about the least costly alternative), and each move's
        cost with its 95 % interval. Players are called by `names`, one for each seat, or by seat number.

        Raises:
            UnknownLanguage: there is no catalogue for the language.
            ValueError: the move is not one of `choices`.
        """
        catalogue(language)
        choice, right = self.answered(move), self.is_right(move)
        named = move_name(move if right else self.best[0], language)
        if right:
            worse = next(each for each in self.choices if each.quality not in RIGHT)
            other = move_name(worse.move, language)
            reason = phrase("drill.instead", language, move=other, reason=explain(worse, language, names))
        else:
            reason = explain(choice, language, names)
        verdict = phrase("drill.right" if right else "drill.wrong", language, move=named)
        return (verdict, reason, *[self._cost(each, language) for each in self.choices])

    def _cost(self, choice: ComparedMove, language: str) -> str:
        times = 1 if choice.scale is Scale.POINTS else 100
        mean, low, high = [decimal(times * each, language) for each in choice.shown_cost]
        return phrase(
            "drill.cost",
            language,
            move=move_name(choice.move, language),
            best=choice.move in self.best,
            scale=choice.scale,
            cost=mean,
            low=low,
            high=high,
        )

    def data(self, language: str = "en", names: Sequence[str] | None = None) -> dict[str, Any]:
        """Return the question and its answer as plain JSON data.

        Moves are as in JSON documents, and `names` as for `judge`.
        """
        return {
            "theme": self.theme.value,
            "seat": self.seat,
            "best": [move_data(move) for move in self.best],
            "choices": [compared_data(each, language, names) for each in self.choices],
        }


class _Shipped(Sequence[Drill]):
    """The shipped drills, parsed on first use."""

    def __init__(self, lines: Iterable[Mapping[str, Any]]) -> None:
        self._lines: Final = tuple(lines)
        self._read: Final[dict[int, Drill]] = {}

    def __len__(self) -> int:
        return len(self._lines)

    def __getitem__(self, index: Any) -> Any:
        places = range(len(self._lines))[index]
        if isinstance(places, range):
            return tuple([self[each] for each in places])
        if places not in self._read:
            self._read[places] = _parsed(self._lines[places])
        return self._read[places]


def drills(theme: Theme | None = None) -> Sequence[Drill]:
    """Return the 200 shipped drills.

    Each is a position of the usual game with one clearly best move.

    Args:
        theme: the theme to select. Defaults to all themes.

    >>> first = drills()[0]
    >>> first.theme, first.is_right(first.best[0])
    (<Theme.PASSING: 'passing'>, True)
    """
    if not isinstance(theme, (Theme, type(None))):
        wrong_type("theme", "a Theme or None", theme)
    return _shipped(theme)


@cache
def _shipped(theme: Theme | None) -> _Shipped:
    text = resources.files("heartsrules.analysis").joinpath(SHIPPED).read_text(encoding="utf-8")
    found = [json.loads(line) for line in text.splitlines()]
    return _Shipped([each for each in found if theme in (None, each["theme"])])


def drills_of(
    review: Review,
    *,
    worlds: int = 2 * WORLDS,
    seed: str = "drills",
    policy: Policy | BatchPolicy | None = Watchful(),  # noqa: B008 - it is immutable
) -> Iterator[Drill]:
    """Yield drills from the mistakes and blunders of a review.

    Errors that other worlds do not confirm are left out.

    Args:
        review: the review of one seat or all.
        worlds: the number of worlds for the costs (2 or more).
        seed: equal reviews and seeds give equal drills.
        policy: the policy of the playouts, as for `review`.

    Raises:
        ValueError: `worlds` is too low.
    """
    count = checked_count("worlds", worlds)
    if count < 2:
        raise ValueError("worlds is 1: choose 2 or more, or no cost has an interval")
    return _made(review, count, seed, policy)


def _made(review: Review, worlds: int, seed: str, policy: Policy | BatchPolicy | None) -> Iterator[Drill]:
    for each in review.decisions:
        if each.quality in (Quality.MISTAKE, Quality.BLUNDER):
            state = review.game.at(each.ply)
            view = view_of(state, each.seat)
            stream = stream_for(state, each.seat, seed)
            choices = offered(choices_of(view, stream, worlds, [each.move], policy), each.move)
            drill = Drill(view, theme_of(view, choices), choices)
            if not drill.is_right(each.move):
                yield drill


def offered(choices: tuple[ComparedMove, ...], made: Move | None = None) -> tuple[ComparedMove, ...]:
    """Select the choices that a drill offers.

    It offers all plays. For passes it offers the best, the one made, and others from good to bad.
    """
    if not isinstance(choices[0].move, Pass) or len(choices) <= _MOST_PASSES:
        return choices
    best = choices[0].best
    rest = [each for each in choices if each.move not in best]
    step = max(1, len(rest) // (_MOST_PASSES - 1))
    kept = [each for place, each in enumerate(rest) if each.move == made or place % step == 0]
    while len(kept) > _MOST_PASSES - 1:
        kept.remove(next(each for each in reversed(kept) if each.move != made))
    return (choices[0], *kept)


def theme_of(view: View, choices: Sequence[ComparedMove]) -> Theme:
    """Classify a drill by the main reasons against the worse moves, and the trick."""
    if isinstance(view, PassingView):
        return Theme.PASSING
    if not isinstance(view, PlayingView):
        return Theme.OTHER
    codes = [each.reasons[0].code for each in choices if each.reasons]
    for theme in (Theme.OWN_MOON, Theme.OTHER_MOON):
        if 2 * len([code for code in codes if _MOONS.get(code) == theme]) >= len(codes) > 0:
            return theme
    queen = any([isinstance(each, Play) and each.card == Card("QS") for each in choices[0].best])
    if queen or 2 * len([code for code in codes if code in _QUEEN]) >= len(codes) > 0:
        return Theme.QUEEN
    if not view.trick:
        return Theme.LEADING
    led = view.trick[0].card.suit
    return Theme.FOLLOWING if view.hand.of_suit(led) else Theme.DISCARDING


# The file of the shipped drills.


def _parsed(data: Mapping[str, Any]) -> Drill:
    seat = data["seat"]
    view = view_of(parse_position(data["position"]), seat)
    moves: list[Move] = [
        Pass(seat, Cards(text)) if isinstance(view, PassingView) else Play(seat, next(iter(Cards(text))))
        for _, text, *_ in data["moves"]
    ]
    best = tuple([move for move, row in zip(moves, data["moves"], strict=True) if row[0]])
    choices: list[ComparedMove] = []
    for move, (_, _, cost, points, win, reasons) in zip(moves, data["moves"], strict=True):
        figures = Difference(*cost), Difference(*points), Difference(*win)
        quality, scale = (Quality.BEST, Scale.POINTS) if move in best else quality_of(*figures)
        choices.append(
            ComparedMove(
                move=move,
                best=best,
                quality=quality,
                scale=scale,
                cost=figures[0],
                cost_points=figures[1],
                cost_win=figures[2],
                reasons=tuple([_reason(each) for each in reasons]),
            )
        )
    return Drill(view, Theme(data["theme"]), tuple(choices))


def _reason(data: Mapping[str, Any]) -> Reason:
    suits = {suit.letter: suit for suit in Suit}
    return Reason(
        data["code"],
        suits[data["suit"]] if "suit" in data else None,
        tuple(data.get("seats", ())),
        data.get("points", 0),
        tuple(data.get("percent", (0, 0))),
        Cards(data.get("cards", "")),
    )
