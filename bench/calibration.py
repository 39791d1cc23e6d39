"""What playouts tell beside how deals of self-play ended: makes the table of `heartsrules.analysis.calibration`.

    python bench/calibration.py play DEALS FILE [SEED]   plays deals and adds what was told and what came to a file
    python bench/calibration.py fit FILE                 fits the table's rows for a file to its deals, and tells how
                                                         well rows that are fitted to the even deals do in the others
    python bench/calibration.py moons FILE               tells how often own moons came
    python bench/calibration.py cover DEALS              tells how often the 95 % intervals cover what many worlds tell

Four sampling players, or those of `--player`, play the usual game. At some of their decisions worlds are drawn anew,
other than the player's, and only the move that was made is tried in them: nobody has chosen it because of them. With
`--alone` it is all decisions of those who alone have points so far.
With `--policy learned` the network plays on in the worlds, and its table is made.
"""

from __future__ import annotations

import argparse
import json
import statistics
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from math import exp, log, sqrt
from pathlib import Path
from random import Random
from typing import Final, NamedTuple

from heartsrules import AwaitingDeal, GameOver, Passing, Rules, apply, deal, legal_moves, new_game, to_act, view
from heartsrules.analysis import assess, calibration
from heartsrules.analysis.calibration import FAILED, Correction, situation_of
from heartsrules.analysis.policies import BatchPolicy, Policy
from heartsrules.analysis.trials import Outcomes, Trials, Tried
from heartsrules.bots import POLICIES, Bot, bot_named, policy_named
from heartsrules.chance import RandomStream
from heartsrules.play.moves import Move
from heartsrules.views import View

WORLDS: Final = 100
_SHARE: Final = 0.4
"""Of the decisions, so many are looked at."""
_MANY: Final = 3000
"""Worlds that tell nearly what infinitely many would."""
_STEADY: Final = 20
"""A chance is drawn towards that of the playouts as by so many decisions."""
_MOST: Final = 20.0
"""The largest weight of a world."""
_CHANCES: Final = (0.0, 0.05, 0.2, 0.4, 0.6, 0.8, 0.95, 1.0)
"""The limits of the chances of a moon that are counted together."""
MODULE: Final = Path(calibration.__file__)


class Decision(NamedTuple):
    """What worlds told of a move, by the kind of moon in them, and what came."""

    deal: int
    situation: tuple[str, str]
    worlds: Sequence[float]
    points: Sequence[float]
    squares: Sequence[float]
    came: int
    moon: bool
    against: bool

    def told(self, correction: Correction) -> tuple[float, float, float, float]:
        """The points, their standard deviation before their own correction, and the chances of both moons."""
        correction = correction.at(self.worlds[1], sum(self.worlds))
        weights = (1.0, correction.moon, correction.against)
        total = sum(map(float.__mul__, weights, map(float, self.worlds)))
        points = sum(map(float.__mul__, weights, map(float, self.points))) / total
        squares = sum(map(float.__mul__, weights, map(float, self.squares))) / total
        moon, against = (weight * count / total for weight, count in zip(weights[1:], self.worlds[1:], strict=True))
        spread = sqrt(max(0.0, squares - points * points))
        points += correction.points * spread + correction.lost * ((1 - moon) * FAILED - points)
        return points, spread, moon, against


def tried(seen: View, move: Move, stream: RandomStream, worlds: int, policy: Policy | BatchPolicy) -> Tried:
    """The totals of one move."""
    trials = Trials(seen, [move], stream, policy)
    trials.go_on(worlds, [0])
    return trials.tried[0]


def kinds(totals: Tried) -> tuple[Outcomes, Outcomes, Outcomes]:
    """By the kind of moon."""
    return totals.plain, totals.moon, totals.against


def play(deals: int, file: Path, seed: str, bot: Bot, policy: Policy | BatchPolicy, *, alone: bool = False) -> None:
    """Play deals, and add a line for each to a file."""
    rng, rules = Random(seed), Rules()
    with file.open("a", encoding="utf-8") as out:
        for number in range(deals):
            stream = RandomStream(f"{seed} {number}")
            state = apply(new_game(rules), deal(new_game(rules), rng=rng))
            looked: list[tuple[int, tuple[str, str], list[list[float]]]] = []
            while not isinstance(state, AwaitingDeal | GameOver):
                seat = min(to_act(state))
                seen = view(state, seat)
                move = bot(seen, stream)
                looks = situation_of(seen)[1] == "own" if alone else rng.random() < _SHARE
                if looks and len(legal_moves(seen)) > 1:
                    found = kinds(tried(seen, move, stream, WORLDS, policy))
                    sums = [[kind.worlds, kind.points, kind.points_squared] for kind in found]
                    looked.append((seat, situation_of(seen), sums))
                state = apply(state, move)
            row = state.score_sheet[-1]
            line = {"seed": seed, "points": row.points, "shooter": row.shooter, "looked": looked}
            out.write(json.dumps(line) + "\n")


def read(file: Path) -> Iterator[Decision]:
    """The decisions of a file."""
    for number, line in enumerate(file.read_text(encoding="utf-8").splitlines()):
        told = json.loads(line)
        shooter = told["shooter"]
        for seat, situation, sums in told["looked"]:
            worlds, points, squares = zip(*sums, strict=True)
            came: int = told["points"][seat]
            stage, taken = situation
            ends = (shooter == seat, shooter not in (None, seat))
            yield Decision(number, (stage, taken), worlds, points, squares, came, *ends)


def fit(decisions: Sequence[Decision]) -> dict[tuple[str, str], Correction]:
    """The table that makes what is told what came, on average, in each situation that is not too rare."""
    table: dict[tuple[str, str], Correction] = {}
    for situation in sorted({each.situation for each in decisions}):
        own = [each for each in decisions if each.situation == situation]
        found = table[situation] = Correction()
        if len(own) < _STEADY:
            continue
        if situation[1] == "own":
            intercept, slope = fitted_line(own)
            found = Correction(moon=round(exp(intercept), 2), slope=round(slope, 2))
            told = [each.told(found) for each in own]
            room = sum((1 - each[2]) * FAILED - each[0] for each in told)
            short = sum(each.came for each in own) - sum(each[0] for each in told)
            table[situation] = found._replace(lost=round(short / room, 3))
            continue
        plain = [each.told(found) for each in own]
        moons = _chance([each[2] for each in plain], [each.moon for each in own])
        others = _chance([each[3] for each in plain], [each.against for each in own])
        for _ in range(40):
            told = [each.told(found) for each in own]
            moon = found.moon * _step([each[2] for each in told], moons)
            against = found.against * _step([each[3] for each in told], others)
            found = Correction(min(_MOST, max(1 / _MOST, moon)), min(_MOST, max(1 / _MOST, against)))
        told = [each.told(found) for each in own]
        short = sum(each.came for each in own) - sum(each[0] for each in told)
        spread = sum(each[1] for each in told)
        table[situation] = Correction(
            round(found.moon, 2), round(found.against, 2), round(short / spread if spread else 0.0, 3)
        )
    return table


def _chance(told: Sequence[float], came: Sequence[bool]) -> float:
    """The share of moons that came, drawn a little towards what the playouts tell."""
    return (sum(came) + _STEADY * statistics.fmean(told)) / (len(came) + _STEADY)


def _step(told: Sequence[float], right: float) -> float:
    """How much the odds of a moon are to grow, at most twofold."""
    chance = statistics.fmean(told)
    if not 0 < chance < 1 or not 0 < right < 1:
        return 1.0
    return min(2.0, max(0.5, right / (1 - right) * (1 - chance) / chance))


def write(table: dict[tuple[str, str], Correction], name: str) -> None:
    """Write rows of the table into its module."""
    table = dict(sorted({**getattr(calibration, name), **table}.items()))
    text = MODULE.read_text(encoding="utf-8")
    begin, end = f"# {name.lower()}: written by bench/calibration.py\n", f"# end of {name.lower()}\n"
    lines = [f'    ("{stage}", "{taken}"): {correction!r},\n' for (stage, taken), correction in table.items()]
    body = f"{name}: Final = {{\n" + "".join(lines) + "}\n"
    before, after = text[: text.index(begin) + len(begin)], text[text.index(end) :]
    MODULE.write_text(before + body + after, encoding="utf-8")


def report(name: str, decisions: Sequence[Decision], table: dict[tuple[str, str], Correction]) -> None:
    """Print what was told beside what came."""
    print(f"{name}\n{'stage':8}{'decisions':>10}  points told, came (error)      own moons %    moons against %")
    for stage in ("pass", "early", "middle", "late"):
        own = [each for each in decisions if each.situation[0] == stage]
        if not own:
            continue
        told = [each.told(table[each.situation]) for each in own]
        points = [each[0] for each in told]
        error = statistics.stdev([one - each.came for one, each in zip(points, own, strict=True)]) / sqrt(len(own))
        mean = statistics.fmean
        print(
            f"{stage:8}{len(own):10}  {mean(points):6.2f} {mean(each.came for each in own):6.2f} ({error:.2f})"
            f"      {100 * mean(each[2] for each in told):6.2f} {100 * mean(each.moon for each in own):6.2f}"
            f"   {100 * mean(each[3] for each in told):6.2f} {100 * mean(each.against for each in own):6.2f}"
        )


def moons(decisions: Sequence[Decision], table: Mapping[tuple[str, str], Correction]) -> None:
    """Print how often own moons came, by what was told of them while the mover alone had points."""
    own = [each for each in decisions if each.situation[1] == "own"]
    for name, used in (("as the playouts tell", {}), ("by the table", table)):
        print(f"{name}\n{'told %':>12}{'decisions':>11}{'told':>8}{'came':>8}")
        told = [(each.told(used.get(each.situation, Correction()))[2], each.moon) for each in own]
        for low, high in pairwise(_CHANCES):
            some = [each for each in told if low <= each[0] < high or each[0] == high == 1]
            if some:
                means = [100 * statistics.fmean(column) for column in zip(*some, strict=True)]
                print(f"{100 * low:5.0f} to {100 * high:3.0f}{len(some):11}{means[0]:8.1f}{means[1]:8.1f}")


def fitted_line(decisions: Sequence[Decision]) -> tuple[float, float]:
    """The log of the weight and the slope under which the moons that came are likeliest, by Newton's steps.

    Where all worlds have a moon or none has, the weight does not matter.
    """
    intercept, slope = 0.0, 0.5
    told = [each for each in decisions if 0 < each.worlds[1] < sum(each.worlds)]
    for _ in range(50):
        gains, bend = [0.0, 0.0], [1e-6, 0.0, 1e-6]
        for each in told:
            count, moons = sum(each.worlds), each.worlds[1]
            x = log((moons + 0.5) / (count - moons + 0.5))
            chance = 1 / (1 + exp(-intercept - slope * x))
            weight = chance * (1 - chance)
            gains = [gains[0] + each.moon - chance, gains[1] + (each.moon - chance) * x]
            bend = [bend[0] + weight, bend[1] + weight * x, bend[2] + weight * x * x]
        size = bend[0] * bend[2] - bend[1] ** 2
        intercept += max(-0.5, min(0.5, (bend[2] * gains[0] - bend[1] * gains[1]) / size))
        slope += max(-0.1, min(0.1, (bend[0] * gains[1] - bend[1] * gains[0]) / size))
    return intercept, slope


def cover(deals: int, bot: Bot, policy: Policy | BatchPolicy) -> None:
    """Print how often the intervals of 100 worlds cover what many worlds tell, where these know a chance at all."""
    rng = Random("cover")
    hits: dict[str, list[bool]] = {name: [] for name in ("points", "win", "moon", "moon_against")}
    for number in range(deals):
        state = apply(new_game(Rules()), deal(new_game(Rules()), rng=rng))
        while not isinstance(state, AwaitingDeal | GameOver):
            seat = min(to_act(state))
            seen = view(state, seat)
            move = bot(seen, RandomStream(f"{number}"))
            if not isinstance(state, Passing) and len(legal_moves(seen)) > 1 and rng.random() < 0.1:
                long = assess(seen, RandomStream("many"), worlds=_MANY, moves=[move], policy=policy).best
                for again in range(5):
                    short = assess(seen, RandomStream(again), worlds=WORLDS, moves=[move], policy=policy).best
                    for name, found in hits.items():
                        right = getattr(long, name)
                        interval = getattr(short, f"{name}_interval")
                        if 0 < right < 1 or name == "points":
                            found.append(interval[0] - 1e-9 <= right <= interval[1] + 1e-9)
            state = apply(state, move)
    for name, found in hits.items():
        print(f"{name:14}{100 * statistics.fmean(found):6.1f} % of {len(found)}")


def main(arguments: Sequence[str] | None = None) -> None:
    """Do what the command line asks for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    does = parser.add_subparsers(dest="does", required=True)
    playing = does.add_parser("play")
    playing.add_argument("deals", type=int)
    playing.add_argument("file", type=Path)
    playing.add_argument("seed", nargs="?", default="1")
    playing.add_argument("--alone", action="store_true")
    fitting, counting = does.add_parser("fit"), does.add_parser("moons")
    for each in (fitting, counting):
        each.add_argument("file", type=Path)
    covering = does.add_parser("cover")
    covering.add_argument("deals", type=int)
    for each, player in ((playing, "sampling"), (covering, "sampling:25")):
        each.add_argument("--player", default=player)
    for each in (playing, fitting, counting, covering):
        each.add_argument("--policy", default="watchful", choices=POLICIES)
    asked = parser.parse_args(arguments)
    policy = policy_named(asked.policy)
    name = "BATCH_TABLE" if isinstance(policy, BatchPolicy) else "TABLE"
    if asked.does == "play":
        play(asked.deals, asked.file, asked.seed, bot_named(asked.player).bot, policy, alone=asked.alone)
    elif asked.does == "cover":
        cover(asked.deals, bot_named(asked.player).bot, policy)
    elif asked.does == "moons":
        moons(list(read(asked.file)), getattr(calibration, name))
    else:
        decisions = list(read(asked.file))
        even = [each for each in decisions if each.deal % 2 == 0]
        fitted = fit(even)
        plain = dict.fromkeys({each.situation for each in decisions}, Correction())
        others = [each for each in decisions if each.deal % 2]
        report("even deals, to which the table is fitted", even, fitted)
        report("the other deals, as the playouts tell", others, plain)
        report("the other deals, corrected", others, {**plain, **fitted})
        write(fit(decisions), name)


if __name__ == "__main__":
    main()
