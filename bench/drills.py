"""Make the drills that are shipped with the package.

    python bench/drills.py FILE [--seed SEED] [--count N] [--worlds N]

Heuristic players play matches of the usual game. A position is kept if one move is surely the best: in a thousand
worlds the lower end of the 95 % interval of every other move's cost is well over zero. Of a pass, what is not surely
worse is not offered. Each theme has its part of the drills, and no deal gives two. In at most a third of a theme, but
for moons, the heuristic player finds the best move.

The shipped costs are plain means of a thousand worlds. They were not made anew when costs became posterior means, which
are 0.03 points lower on average there and 0.1 at most, and would change no answer from right to wrong.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random
from typing import Any, Final

from heartsrules import AwaitingDeal, GameOver, Rules, apply, deal, legal_moves, new_game, to_act, view
from heartsrules.analysis import ComparedMove, Drill, Theme
from heartsrules.analysis._drills import offered, theme_of
from heartsrules.analysis._reasons import Reason
from heartsrules.analysis._reviewing import choices_of
from heartsrules.bots import heuristic
from heartsrules.chance import RandomStream
from heartsrules.formats.notation import format_position
from heartsrules.pictures.facts import cards_in_move
from heartsrules.play.moves import Pass
from heartsrules.play.state import Passing, State

_PARTS: Final = {
    Theme.PASSING: 0.15,
    Theme.LEADING: 0.15,
    Theme.FOLLOWING: 0.15,
    Theme.DISCARDING: 0.15,
    Theme.QUEEN: 0.15,
    Theme.OWN_MOON: 0.1,
    Theme.OTHER_MOON: 0.15,
}
"""The part of each theme in the drills."""
_LOOKS: Final = ((25, -0.005), (5, 0.0))
"""The looks at a position before the last: the part of the worlds that each takes is one in so many, and the least
lower end of the costs in value."""
_CLEAR: Final = 0.005
"""The least lower end of the costs in value, at the last look."""
_MOONS: Final = (Theme.OWN_MOON, Theme.OTHER_MOON)
_FEWEST: Final = 3
"""The fewest moves that a drill offers."""
_LOOKED_AT: Final = 0.5
"""The fraction of decisions that are looked at."""


def positions(seed: str) -> Iterator[tuple[int, State, int, RandomStream]]:
    """States of matches: the number of the deal, counted over all matches, the state, a seat to act, and a stream."""
    rng = Random(seed)
    state: State = new_game(Rules())
    ply = deals = 0
    while True:
        ply += 1
        if isinstance(state, GameOver):
            state = new_game(Rules())
        if isinstance(state, AwaitingDeal):
            deals += 1
            state = apply(state, deal(state, rng=rng))
            continue
        seat = min(to_act(state))
        if len(legal_moves(view(state, seat))) >= _FEWEST and rng.random() < _LOOKED_AT:
            yield deals, state, seat, RandomStream(f"{seed}/{ply}")
        state = apply(state, heuristic(view(state, seat), rng))


def clear(choices: tuple[ComparedMove, ...], least: float) -> tuple[ComparedMove, ...]:
    """The choices of a drill whose best move is clear; none if it is not."""
    best = choices[0].best
    rest = [each for each in choices if each.move not in best]
    sure = [each for each in rest if each.cost.low >= least]
    if len(sure) < _FEWEST - 1 or (len(sure) < len(rest) and not _is_pass(choices)):
        return ()
    if _is_pass(choices):
        return offered((choices[0], *sure))
    return choices


def _is_pass(choices: Sequence[ComparedMove]) -> bool:
    return isinstance(choices[0].move, Pass)


def make(seed: str, count: int, worlds: int) -> Iterator[str]:
    """Lines of the file of drills, as they are found."""
    wanted = {theme: max(1, round(part * count)) for theme, part in _PARTS.items()}
    easy = {theme: number if theme in _MOONS else max(1, number // 3) for theme, number in wanted.items()}
    last = done = 0
    for number, state, seat, stream in positions(seed):
        if number == last or (isinstance(state, Passing) and not wanted[Theme.PASSING]):
            continue
        seen = view(state, seat)
        liked = heuristic(seen, stream)
        choices: tuple[ComparedMove, ...] = ()
        theme, is_easy = Theme.OTHER, False
        for divisor, least in (*_LOOKS, (1, _CLEAR)):
            choices = clear(choices_of(seen, stream, max(2, worlds // divisor)), least)
            theme = theme_of(seen, choices) if choices else Theme.OTHER
            is_easy = bool(choices) and liked in choices[0].best
            if not wanted.get(theme) or (is_easy and not easy[theme]):
                break
        else:
            wanted[theme] -= 1
            easy[theme] -= is_easy
            last = number
            done += 1
            yield drill_line(format_position(state), Drill(seen, theme, choices))
            if done == count:
                return


def drill_line(position: str, drill: Drill) -> str:
    """Write a drill as a line of the file.

    Args:
        position: the notation of the position, with all hands, from which the view follows.
        drill: the drill.
    """
    moves = [
        [
            "=" if each.move in drill.best else "",
            str(cards_in_move(each.move)),
            *[
                [round(number, digits) for number in figure]
                for figure, digits in ((each.cost, 4), (each.cost_points, 2), (each.cost_win, 4))
            ],
            [_reason_data(reason) for reason in each.reasons],
        ]
        for each in drill.choices
    ]
    data = {"theme": drill.theme.value, "seat": drill.seat, "position": position, "moves": moves}
    return json.dumps(data, separators=(",", ":"))


def _reason_data(reason: Reason) -> dict[str, Any]:
    data = {
        "code": reason.code,
        "suit": reason.suit.letter if reason.suit is not None else None,
        "seats": list(reason.seats),
        "points": reason.points,
        "percent": list(reason.percent) if any(reason.percent) else None,
        "cards": str(reason.cards),
    }
    return {name: value for name, value in data.items() if value}


def main(arguments: Sequence[str] | None = None) -> None:
    """Do what the command line asks for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", type=Path)
    parser.add_argument("--seed", default="drills")
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--worlds", type=int, default=1000)
    asked = parser.parse_args(arguments)
    order = list(Theme)
    lines = sorted(make(asked.seed, asked.count, asked.worlds), key=lambda line: order.index(_theme(line)))
    asked.file.write_text("".join([f"{line}\n" for line in lines]), encoding="utf-8")


def _theme(line: str) -> Theme:
    return next(theme for theme in Theme if line.startswith(f'{{"theme":"{theme.value}"'))


if __name__ == "__main__":
    main()
