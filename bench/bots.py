"""How strong the bots are: the figures of "How strong the bots are" in the documentation, which a seed reproduces.

Every table is played from every seat with the same cards; see `heartsrules.bots.tournament`. The rows of one player
count and preset play the same tables, so the cards are the same for all that are compared.
"""

from __future__ import annotations

import argparse
import sys
import time
from concurrent.futures import Executor, ProcessPoolExecutor
from contextlib import nullcontext

import attrs

import heartsrules
from heartsrules import Move, Rules, View, presets
from heartsrules.bots import Bot, Comparison, Sampling, heuristic, play_match, tournament, uniform
from heartsrules.chance import Bits

BOTS: dict[str, Bot] = {
    "uniform": uniform,
    "heuristic": heuristic,
    "sampling": Sampling(),
    "sampling, uniform playouts": Sampling(policy=None),
}
CHOSEN = ("heuristic", "sampling", "sampling, uniform playouts")
PUBLISHED = {3: 75, 4: 64, 5: 59}
"""How often CardStock's player, which sees all hands, wins against uniform ones, in per cent, ties counted."""


@attrs.frozen
class Contest:
    """Bots that play the same tables against the same opponents."""

    title: str
    rules: Rules
    field: str
    bots: tuple[str, ...]
    deals: int | None
    weight: float
    """How many tables it has, beside the others."""


CONTESTS = (
    *[
        Contest(f"cardstock, {players} players, single deals", presets.cardstock(players), "uniform", CHOSEN, None, 1)
        for players in (4, 3, 5)
    ],
    Contest(
        "cardstock, 4 players, single deals", presets.cardstock(), "heuristic", ("uniform", *CHOSEN[1:]), None, 1.5
    ),
    Contest("microsoft, single deals with passing", presets.microsoft(), "heuristic", ("uniform", "sampling"), 1, 0.75),
    Contest("omnibus, 4 players, single deals", presets.omnibus(4), "heuristic", ("uniform", "sampling"), 1, 0.5),
    Contest("spot_hearts, single deals", presets.spot_hearts(), "heuristic", ("uniform", "sampling"), 1, 0.5),
    Contest("black_maria, single deals", presets.black_maria(), "heuristic", ("uniform", "sampling"), 1, 0.5),
    Contest("partner_hearts, single deals", presets.partner_hearts(), "heuristic", ("uniform", "sampling"), 1, 0.5),
    Contest(
        "pagat_cancellation, 8 players, single deals",
        presets.pagat_cancellation(8),
        "heuristic",
        ("uniform", "sampling"),
        1,
        0.15,
    ),
)


def row(name: str, result: Comparison, games: int) -> str:
    """A line of a table."""
    wins, share, margin = result.wins, result.share, result.margin
    return (
        f"| {name} | {games} | {100 * wins.mean:.1f} ± {100 * wins.error:.1f} "
        f"| {100 * share.mean:.1f} ± {100 * share.error:.1f} | {margin.mean:+.2f} ± {margin.error:.2f} |"
    )


def milliseconds(bot: Bot, deals: int) -> float:
    """The time of the processor that a bot takes for a card, in milliseconds; forced cards are counted too."""
    rules = presets.cardstock()
    spent = 0.0

    def timed(seen: View, rng: Bits, /) -> Move:
        nonlocal spent
        started = time.process_time()
        move = bot(seen, rng)
        spent += time.process_time() - started
        return move

    for number in range(deals):
        play_match(rules, [timed, uniform, uniform, uniform], seed=number)
    return 1000 * spent / (deals * rules.cards_per_hand)


def main() -> None:
    """Play, and print the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=200, help="tables of a contest (some have more or fewer)")
    parser.add_argument("--seed", default="bots")
    parser.add_argument("--jobs", type=int, default=1, help="how many processes")
    parser.add_argument("--only", default="", help="contests whose title contains this")
    options = parser.parse_args()
    print(f"seed {options.seed}, {options.tables} tables, Python {sys.version.split()[0]}", end=", ")
    print(f"{'compiled' if heartsrules.COMPILED else 'interpreted'}", flush=True)
    print("\n| bot | ms a card (cardstock, 4 players) |\n| --- | --- |")
    for name, bot in BOTS.items():
        print(f"| {name} | {milliseconds(bot, 10):.2f} |", flush=True)
    executor: Executor | None = ProcessPoolExecutor(options.jobs) if options.jobs > 1 else None
    with executor or nullcontext():
        for contest in CONTESTS:
            if options.only not in contest.title:
                continue
            tables = max(2, round(options.tables * contest.weight))
            sides = len(contest.rules.sides)
            print(f"\n**{contest.title}**, against {contest.field}; equal players share {100 / sides:.1f} %", end="")
            published = PUBLISHED.get(contest.rules.players) if contest.field == "uniform" else None
            print(f"; published: {published} %\n" if published else "\n")
            print("| bot | games | wins, ties counted (%) | wins, ties shared (%) | points saved a game |")
            print("| --- | --- | --- | --- | --- |", flush=True)
            for name in contest.bots:
                bot, field = BOTS[name], BOTS[contest.field]
                result = tournament(
                    contest.rules, bot, field, tables=tables, seed=options.seed, deals=contest.deals, executor=executor
                )
                print(row(name, result, tables * sides), flush=True)


if __name__ == "__main__":
    main()
