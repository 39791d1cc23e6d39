"""How strong the bots are: the figures of "How strong the bots are" in the documentation, which a seed reproduces.

Every table is played from every seat with the same cards; see `heartsrules.simulation.tournament`. The rows of one
player count and preset play the same tables, so the cards are the same for all that are compared. Of games in which
cards are shown, or a bonus card is hunted, it says also how often the heuristic player does so.

With `--line-ups` it plays two against two instead, in several games: the heuristic player against the sampling one at
three budgets, and the learned one against both. `--write` writes that table into the page. Players named by
`--against`, such as `xinxin=external:./xinxin`, meet ours too; so does an earlier version that is installed in an
environment of its own: `earlier=external:earlier/bin/heartsrules bot heuristic`.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Executor, ProcessPoolExecutor
from contextlib import nullcontext
from pathlib import Path

import attrs

import heartsrules
from heartsrules import Cards, Expose, Exposing, Move, Rules, View, apply, deal, new_game, presets, view
from heartsrules.bots import Bot, Learned, Sampling, bot_named, heuristic, uniform
from heartsrules.chance import Bits, RandomStream
from heartsrules.rules import Kitty
from heartsrules.simulation import Comparison, Estimate, play_match, seatings_of, tournament
from heartsrules.simulation.executors import Processes
from heartsrules.simulation.tournaments import Seatings

BOTS: dict[str, Bot] = {
    "uniform": uniform,
    "heuristic": heuristic,
    "sampling": Sampling(),
    "sampling, uniform playouts": Sampling(policy=None),
}
CHOSEN = ("heuristic", "sampling", "sampling, uniform playouts")
PUBLISHED = {3: 75, 4: 64, 5: 59}
"""Percentage of wins of CardStock's player, which sees all hands, against uniform ones, ties counted, by players."""


@attrs.frozen
class Contest:
    """Bots that play the same tables against the same opponents."""

    title: str
    rules: Rules
    field: str
    bots: tuple[str, ...]
    deals: int | None
    weight: float
    """The relative number of tables."""


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

FAMILY = {
    "gong_zhu(4)": presets.gong_zhu(4),
    "gong_zhu(5)": presets.gong_zhu(5),
    "gong_zhu(4, teams=2)": presets.gong_zhu(4, teams=2),
    "gong_zhu(4, exposable=Cards())": presets.gong_zhu(4, exposable=Cards()),
    "leekha()": presets.leekha(),
    "leekha(teams=0)": presets.leekha(teams=0),
    "heartsette(3)": presets.heartsette(3),
    "heartsette(4)": presets.heartsette(4),
    "heartsette(4, queen_points=0)": presets.heartsette(4, queen_points=0),
    "heartsette(5)": presets.heartsette(5),
    "heartsette(6)": presets.heartsette(6),
}
"""Rule sets in which the heuristic bot plays single deals against uniform ones."""
SHOWING = {name: FAMILY[name] for name in ("gong_zhu(4)", "gong_zhu(5)")}
HUNTING = {name: rules for name, rules in FAMILY.items() if rules.bonuses} | {
    f"omnibus({players})": presets.omnibus(players) for players in (3, 4, 5)
}
FAMILY_WEIGHT = 5
"""The number of tables of each, relative to a contest."""


def row(name: str, result: Comparison, games: int) -> str:
    """Format a row of a contest's table."""
    return (
        f"| {name} | {games} | {per_cent(result.wins)} | {per_cent(result.share)} "
        f"| {result.margin.mean:+.2f} ± {result.margin.error:.2f} |"
    )


def family_row(name: str, rules: Rules, result: Comparison) -> str:
    """Format a row of the table of the family."""
    sides = len(rules.sides)
    return row(f"`{name}` | {100 / sides:.1f}", result, len(result.margins) * sides)


def per_cent(rate: Estimate) -> str:
    """Format a rate and its interval in per cent."""
    return f"{100 * rate.mean:.1f} ± {100 * rate.error:.1f}"


def shown(rules: Rules, bot: Bot, *, deals: int, seed: str) -> dict[str, tuple[int, int]]:
    """Count how often a bot holds and shows each exposable card: (held, shown) by card, and for "any" of them.

    Every seat of every deal is asked as the first one."""
    bags = {"any": rules.exposable} | {str(card): Cards([card]) for card in rules.exposable}
    counts = {name: [0, 0] for name in bags}
    for number in range(deals):
        start = new_game(rules)
        state = apply(start, deal(start, seed=f"{seed} {number}"))
        assert isinstance(state, Exposing)
        for seat, hand in enumerate(state.hands):
            move = bot(view(state, seat), RandomStream(f"{seed} {number} {seat}"))
            assert isinstance(move, Expose)
            for name, cards in bags.items():
                counts[name][0] += bool(hand & cards)
                counts[name][1] += bool(move.cards & cards)
    return {name: (held, done) for name, (held, done) in counts.items()}


def showing_row(name: str, counts: dict[str, tuple[int, int]]) -> str:
    """Format a row of the table of exposures."""
    rates = " | ".join([f"{100 * done / held:.1f}" for held, done in counts.values()])
    return f"| `{name}` | {counts['any'][0]} | {rates} |"


@attrs.frozen
class Hunt:
    """A deal in which one side hunts the first bonus card, played once for every side."""

    rules: Rules
    bot: Bot
    field: Bot
    seed: str

    def share(self) -> float:
        """The fraction of games in which the side of the bot captures the card."""
        rules = self.rules
        taken = 0
        for members in rules.sides:
            bots = [self.bot if seat in members else self.field for seat in range(rules.players)]
            end = play_match(rules, bots, seed=self.seed, deals=1)
            assert end.last_deal is not None
            taken += any(rules.bonuses[0].card in end.last_deal.captured[seat] for seat in members)
        return taken / len(rules.sides)


def taken(rules: Rules, bot: Bot, field: Bot, *, tables: int, seed: str, executor: Executor | None = None) -> Estimate:
    """Estimate how often the side of a bot captures the first bonus card, in deals played once for every side."""
    hunts = [Hunt(rules, bot, field, f"{seed} {number}") for number in range(tables)]
    return Estimate.of(map(Hunt.share, hunts) if executor is None else executor.map(Hunt.share, hunts))


def hunting_row(name: str, rules: Rules, tables: int, rate: Estimate) -> str:
    """Format a row of the table of the bonus card."""
    sides = len(rules.sides)
    return f"| `{name}` | {tables * sides} | {per_cent(rate)} | {100 / sides:.1f} |"


def milliseconds(bot: Bot, deals: int) -> float:
    """The mean processor time of a bot's play in milliseconds, forced plays included."""
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


def print_family(tables: int, seed: str, only: str, executor: Executor | None) -> None:
    """Play the games of the family, and print their tables."""
    print_table(
        "\n**The family, single deals**, the heuristic player against uniform ones\n\n"
        "| game | equal players share (%) | games | wins, ties counted (%) | wins, ties shared (%) "
        "| points saved a game |\n| --- | --- | --- | --- | --- | --- |",
        (
            family_row(
                name, rules, tournament(rules, heuristic, uniform, tables=tables, seed=seed, deals=1, executor=executor)
            )
            for name, rules in FAMILY.items()
            if only in name
        ),
    )
    print_table(
        "\n**What the heuristic player shows**, in per cent of the hands that hold it\n\n"
        "| game | hands that may show | any | ♣10 | ♦J | ♠Q | ♥A |\n| --- | --- | --- | --- | --- | --- | --- |",
        (
            showing_row(name, shown(rules, heuristic, deals=tables, seed=seed))
            for name, rules in SHOWING.items()
            if only in name
        ),
    )
    print_table(
        "\n**How often the heuristic player's side takes the ♦J** from uniform players\n\n"
        "| game | games | takes it (%) | equal players (%) |\n| --- | --- | --- | --- |",
        (
            hunting_row(
                name, rules, tables, taken(rules, heuristic, uniform, tables=tables, seed=seed, executor=executor)
            )
            for name, rules in HUNTING.items()
            if only in name
        ),
    )


# ----------------------------------------------------------------------------------------------------------- line-ups

PAGE = Path(__file__).parent.parent / "bench" / "results" / "bots-measured.md"
GAMES: dict[str, Rules] = {
    "microsoft()": presets.microsoft(),
    "dicegamedepot(5, kitty=FIRST_TRICK)": presets.dicegamedepot(5, kitty=Kitty.FIRST_TRICK),
    "gong_zhu(4)": presets.gong_zhu(4),
    "leekha()": presets.leekha(),
    "pagat_cancellation(8)": presets.pagat_cancellation(8),
}
"""The rule sets of line-ups, played as single deals."""
LEARNED_GAMES: dict[str, Rules] = {
    "omnibus(3)": presets.omnibus(3),
    "omnibus(4)": presets.omnibus(4),
    "omnibus(5)": presets.omnibus(5),
    "spot_hearts()": presets.spot_hearts(),
    "partner_hearts()": presets.partner_hearts(),
    "pagat()": presets.pagat(),
    "cardstock(3)": presets.cardstock(3),
    "cardstock(4)": presets.cardstock(4),
    "cardstock(5)": presets.cardstock(5),
    "board_game_arena(3)": presets.board_game_arena(3),
    "board_game_arena(4)": presets.board_game_arena(4),
    "dicegamedepot(3, kitty=FIRST_TRICK)": presets.dicegamedepot(3, kitty=Kitty.FIRST_TRICK),
    "greek_hearts()": presets.greek_hearts(),
    "openspiel()": presets.openspiel(),
    "bicycle(3)": presets.bicycle(3),
    "bicycle(5)": presets.bicycle(5),
    "gnome_hearts()": presets.gnome_hearts(),
    "trickster()": presets.trickster(),
}
"""Further rule sets, in which only the learned player meets the sampling one."""
PAIRS: tuple[tuple[str, str], ...] = (
    ("sampling:25", "heuristic"),
    ("sampling:100", "heuristic"),
    ("sampling:400", "heuristic"),
    ("learned", "heuristic"),
    ("learned", "sampling:100"),
)
"""Pairs of players."""
COSTS = {"sampling": 1.0, "learned": 1.0, "sampling:25": 0.3, "sampling:100": 1.0, "sampling:400": 3.0}
"""Approximate time of a player, relative to `sampling`."""
LINE_UP_HEAD = (
    "| game | player | against | deals | points saved with the same cards | matchpoints (%) | rating above |\n"
    "| --- | --- | --- | --- | --- | --- | --- |"
)


@attrs.frozen
class Played:
    """The extent of a run of line-ups."""

    tables: int
    seed: str
    only: str
    executor: Executor | None


def line_up_of(rules: Rules, one: str, other: str) -> list[str]:
    """Seat two players alternately, so that partners in teams are the same player."""
    return [(one, other)[seat % 2] for seat in range(rules.players)]


def line_up_row(game: str, rules: Rules, players: Mapping[str, Bot], pair: tuple[str, str], given: Played) -> str:
    """Play two players against each other in all seatings, or in large games and teams in rotations; format the row."""
    one, other = pair
    names = line_up_of(rules, one, other)
    how: Seatings = "rotations" if rules.teams or rules.players > 5 else "all"
    seatings = seatings_of(names, how)
    tables = max(2, round(given.tables * 6 / len(seatings) / COSTS.get(one, 0.2)))
    result = tournament(
        rules,
        {name: players[name] for name in pair},
        seatings,
        tables=tables,
        seed=given.seed,
        deals=1,
        executor=given.executor,
    )
    duel = result.duel(one, other)
    rating = result.ratings()[one]
    assert rating.error is not None
    return (
        f"| `{game}` | {one} | {other} | {tables * len(result.seatings)} "
        f"| {duel.difference.mean:+.2f} ± {duel.difference.error:.2f} | {per_cent(duel.matchpoint)} "
        f"| {2 * rating.value:+.0f} ± {2 * rating.error:.0f} |"
    )


def line_up_rows(pairs: Sequence[tuple[str, str]], players: Mapping[str, Bot], given: Played) -> Iterator[str]:
    """Yield the rows of the table."""
    for game, rules in (GAMES | LEARNED_GAMES).items():
        for pair in pairs:
            if ("learned" in pair and not Learned().covers(rules)) or (
                game in LEARNED_GAMES and pair != ("learned", "sampling:100")
            ):
                continue
            if given.only in f"{game} {' '.join(pair)}":
                yield line_up_row(game, rules, players, pair, given)


def print_line_ups(against: Sequence[str], given: Played, *, write: bool) -> None:
    """Play line-ups, print their table, and on request write it into the page."""
    pairs = PAIRS
    players = {name: bot_named(name).bot for pair in PAIRS for name in pair}
    if against:
        others = [bot_named(text, seconds=None) for text in against]
        players |= {each.name: each.bot for each in others}
        pairs = tuple([(one, each.name) for one in ("heuristic", "sampling:100", "sampling:400") for each in others])
    rows = []
    started = time.perf_counter()
    print(f"\n{LINE_UP_HEAD}", flush=True)
    for row in line_up_rows(pairs, players, given):
        rows.append(row)
        print(row, flush=True)
    build = "compiled" if heartsrules.COMPILED else "interpreted"
    said = f"The run: seed `{given.seed}`, `--tables {given.tables}`, Python {sys.version.split()[0]}, {build}."
    print(f"\n{said} It took {(time.perf_counter() - started) / 60:.1f} minutes.", flush=True)
    if write:
        text = PAGE.read_text(encoding="utf-8")
        before, begin, rest = text.partition("<!-- line-ups: written by bench/bots.py -->\n")
        _, end, after = rest.partition("<!-- end of line-ups -->")
        assert begin, PAGE
        assert end, PAGE
        table = "\n".join([LINE_UP_HEAD, *rows])
        PAGE.write_text(f"{before}{begin}\n{said}\n\n{table}\n\n{end}{after}", encoding="utf-8")


def print_table(head: str, rows: Iterable[str]) -> None:
    """Print rows as they come, under a head unless there are none."""
    for number, line in enumerate(rows):
        print(line if number else f"{head}\n{line}", flush=True)


def main() -> None:
    """Play, and print the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=200, help="tables of a contest (some have more or fewer)")
    parser.add_argument("--seed", default="bots")
    parser.add_argument("--jobs", type=int, default=1, help="how many processes")
    parser.add_argument("--only", default="", help="contests whose title contains this")
    parser.add_argument("--line-ups", action="store_true", help="play two against two instead")
    parser.add_argument("--against", action="append", default=[], help="a player that meets ours in line-ups")
    parser.add_argument("--write", action="store_true", help="write the table of line-ups into the page")
    options = parser.parse_args()
    if options.line_ups:
        with Processes(options.jobs) if options.jobs > 1 else nullcontext() as workers:
            given = Played(options.tables, options.seed, options.only, workers)
            print_line_ups(options.against, given, write=options.write)
        return
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
        print_family(FAMILY_WEIGHT * options.tables, options.seed, options.only, executor)


if __name__ == "__main__":
    main()
