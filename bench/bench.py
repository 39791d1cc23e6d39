"""The speed of a play and the size of a state, beside OpenSpiel, in one process on the same work.

The work: four-player deals without passing, all cards played uniformly at random. All sides play the same deals,
taking turns; what is compared is ratios within a round, so that a machine whose speed drifts does no harm. Times are
processor time. The compiled and the interpreted build of this package stand side by side in the process.

Stepping is measured by two drivers. One asks before each play whether the deal is over, as a program does that does not
know; the other is the loop that everybody writes, for as many plays as the deal has:
`m = legal_moves(s); s = apply(s, m[int(rnd.random() * len(m))])`.

`--keep` writes the ratios behind those of earlier runs, in `bench/history.jsonl`; `--compare OLD` prints them beside
those of an earlier run.
"""

from __future__ import annotations

import argparse
import functools
import os
import platform
import random
import statistics
import sys
import tempfile
from collections.abc import Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any, Final

from deals import all_states, loop_ours, our_starts, packs, play_out, single_deal, step_ours
from measuring import Work, growth, import_time, measure, positive, ratios, spread, timed
from openspiel import (
    all_clones,
    evaluate_bots,
    loop_children,
    loop_in_place,
    peer_action,
    peer_starts,
    play_children,
    play_in_place,
)
from plain_c import compare_random_deals

import heartsrules
import history
from builds import Build, interpreted, whole

_ENOUGH: Final = 30
"""The least number of deals with which the process grows enough to measure the size of a state."""


# Other queries of our states than playing.


def explain(build: Build, starts: list[Any]) -> int:
    """Call `why_illegal` for every card of the leader's hand."""
    why_illegal, play = build.why_illegal, build.Play
    for state in starts:
        seat = state.turn
        for card in state.hands[seat]:
            why_illegal(state, play(seat, card))
    return len(starts)


def passing_starts(build: Build, decks: list[list[str]]) -> list[Any]:
    """The states before the passes."""
    start = build.new_game(build.Rules())
    return [build.apply(start, build.deal_cards(start, [build.Card(text) for text in pack])) for pack in decks]


def first_passes(build: Build, starts: list[Any]) -> int:
    """Find the first legal move of each pass phase."""
    legal_moves = build.legal_moves
    for state in starts:
        legal_moves(state)[0]
    return len(starts)


def random_passes(build: Build, starts: list[Any], seed: int, seat: int | None) -> int:
    """Draw a legal move of each pass phase, of all seats or of one."""
    legal_moves = build.legal_moves
    draw = random.Random(seed).random
    for state in starts:
        moves = legal_moves(state, seat)
        moves[int(draw() * len(moves))]
    return len(starts)


# Worlds in mid-deal.


def middles(build: Build, starts: list[Any], seed: int) -> tuple[list[Any], list[list[Any]]]:
    """States with six completed tricks of thirteen and two cards of the next, and the random plays that led there."""
    draw = random.Random(seed).random
    states, plays = [], []
    for start in starts:
        state = start
        made = []
        while state.trick_number < 6 or len(state.trick) < 2:
            moves = build.legal_moves(state)
            made.append(moves[int(draw() * len(moves))])
            state = build.apply(state, made[-1])
        states.append(state)
        plays.append(made)
    return states, plays


def peer_middles(starts: list[Any], plays: list[list[Any]]) -> list[Any]:
    """The same positions in OpenSpiel."""
    states = []
    for start, made in zip(starts, plays, strict=True):
        state = start.clone()
        for play in made:
            state.apply_action(peer_action(play.card))
        states.append(state)
    return states


def views_of(build: Build, states: list[Any], *, spectator: bool) -> list[Any]:
    """Make a view of each state: of the seat whose turn it is, or of a spectator."""
    return [build.public_view(state) if spectator else build.view(state, state.turn) for state in states]


def draw_worlds(build: Build, views: list[Any], count: int, seed: int) -> int:
    """Draw `count` worlds of each view."""
    stream = build.chance.RandomStream(seed)
    sample_world = build.views.worlds.sample_world
    for seen in views:
        for _ in range(count):
            sample_world(seen, stream)
    return len(views) * count


def view_and_draw(build: Build, states: list[Any], count: int, seed: int) -> int:
    """Do what a bot does: make the view of the seat to play, and draw `count` worlds of it."""
    stream = build.chance.RandomStream(seed)
    sample_world, view = build.views.worlds.sample_world, build.view
    for state in states:
        seen = view(state, state.turn)
        for _ in range(count):
            sample_world(seen, stream)
    return len(states) * count


def resample(states: list[Any], count: int, seed: int) -> int:
    """OpenSpiel: resample each state `count` times. The samples ignore known voids."""
    draw = random.Random(seed).random
    for state in states:
        player = state.current_player()
        for _ in range(count):
            state.resample_from_infostate(player, draw)
    return len(states) * count


# Reports.


def compare(sides: dict[str, Build], options: argparse.Namespace) -> dict[str, list[float]]:
    """Measure four-player deals: print ratios and microseconds, and return the ratios."""
    seed = options.seed
    decks = packs(options.deals, seed)
    peers = peer_starts(decks)
    works: dict[str, Work] = {
        "OpenSpiel in place": lambda: timed(play_in_place, peers, seed),
        "OpenSpiel child": lambda: timed(play_children, peers, seed),
        "OpenSpiel in place, loop": lambda: timed(loop_in_place, peers, seed),
        "OpenSpiel child, loop": lambda: timed(loop_children, peers, seed),
        "OpenSpiel evaluate_bots": lambda: evaluate_bots(peers, seed),
    }

    def add(name: str, build: Build) -> None:
        starts, before = our_starts(build, decks), passing_starts(build, decks)
        works[f"{name}: stepping"] = lambda: timed(step_ours, build, starts, seed)
        works[f"{name}: stepping, loop"] = lambda: timed(loop_ours, build, starts, seed)
        works[f"{name}: playout"] = lambda: timed(play_out, build, starts, seed, 52)
        works[f"{name}: first pass"] = lambda: timed(first_passes, build, before)
        works[f"{name}: random pass"] = lambda: timed(random_passes, build, before, seed, None)
        works[f"{name}: random pass of a seat"] = lambda: timed(random_passes, build, before, seed, 0)
        works[f"{name}: why_illegal of 13 cards"] = lambda: timed(explain, build, starts)

    for name, build in sides.items():
        add(name, build)
    times = measure(works, options.rounds)
    pairs = []
    for name in sides:
        step, out = f"{name}: stepping", f"{name}: playout"
        pairs += [
            (step, "OpenSpiel in place"),
            (step, "OpenSpiel child"),
            (f"{step}, loop", "OpenSpiel in place, loop"),
            (f"{step}, loop", "OpenSpiel child, loop"),
            (out, "OpenSpiel evaluate_bots"),
            (f"{name}: first pass", step),
            (f"{name}: random pass", step),
            (f"{name}: random pass of a seat", step),
            (f"{name}: why_illegal of 13 cards", step),
        ]
    if len(sides) == 2:
        pairs += [(f"interpreted: {work}", f"compiled: {work}") for work in ("stepping", "playout")]
    found = {f"{one} / {other}": ratios(times, one, other) for one, other in pairs}
    print("\ntime ratios within a round: median (10th to 90th percentile)")
    for name, values in found.items():
        print(f"  {name:66}{spread(values)}")
    print("\nmicroseconds a play, a pass or a hand: median (10th to 90th percentile)")
    for name, values in times.items():
        print(f"  {name:39}{spread(values)}")
    if sys.platform == "linux" and options.deals >= _ENOUGH:
        print("\nbytes of a state when every state of the deals is kept (growth of the process)")
        size, clones = growth(lambda: all_clones(peers, seed))
        peer = size / len(clones)
        print(f"  {'OpenSpiel clone':39}{peer:8.0f}")
        for name, build in sides.items():
            starts = our_starts(build, decks)
            size, states = growth(functools.partial(all_states, build, starts, seed))
            each = size / len(states)
            print(f"  {name:39}{each:8.0f}   ratio {each / peer:.3f}")
            found[f"{name}: memory of a state / OpenSpiel clone"] = [each / peer]
    return found


def compare_worlds(build: Build, options: argparse.Namespace) -> dict[str, list[float]]:
    """Measure worlds in mid-deal, with passes and without, compared with OpenSpiel's without; return the ratios."""
    seed = options.seed
    decks = packs(options.deals, seed)
    states, plays = middles(build, our_starts(build, decks), seed)
    peers = peer_middles(peer_starts(decks), plays)
    passed, _ = middles(build, first_leads(build, build.Rules(), options.deals, seed), seed)
    works: dict[str, Work] = {"OpenSpiel resample": lambda: timed(resample, peers, 10, seed)}

    def add(name: str, states: list[Any], *, spectator: bool = False) -> None:
        kept = views_of(build, states[:8], spectator=spectator)
        works[f"{name}: first world"] = lambda: timed(
            draw_worlds, build, views_of(build, states, spectator=spectator), 1, seed
        )
        works[f"{name}: next world"] = lambda: timed(draw_worlds, build, kept, 100, seed)
        works[f"{name}: view and 100 worlds"] = lambda: timed(view_and_draw, build, states[:8], 100, seed)

    add("no passes", states)
    add("passes", passed)
    add("passes, spectator", passed, spectator=True)
    times = measure(works, options.rounds)
    print("\nworlds in mid-deal: microseconds each (minimum to maximum), and millions a minute")
    for name, values in times.items():
        print(f"  {name:39}{spread(values)}   {60 / statistics.median(values):8.2f}")
    found = {}
    for work in ("first world", "next world", "view and 100 worlds"):
        values = ratios(times, f"no passes: {work}", "OpenSpiel resample")
        found[f"{work} / OpenSpiel resample"] = values
        print(f"  {work:37} / {'OpenSpiel resample':25}{spread(values)}")
    return found


def compare_imports(sides: dict[str, Build], rounds: int) -> dict[str, list[float]]:
    """Measure imports in fresh processes, in turns; return the ratios."""
    with tempfile.TemporaryDirectory() as bytecode:
        works: dict[str, Work] = {"attrs": lambda: import_time("attrs", None, bytecode)}

        def add(name: str, folder: Path) -> None:
            works[name] = lambda: import_time("heartsrules", folder, bytecode)

        for name, build in sides.items():
            add(name, Path(build.__file__).parent.parent)
        times = measure(works, rounds)
    print("\nmilliseconds of an import in a fresh process: median (10th to 90th percentile)")
    for name, values in times.items():
        print(f"  {name:39}{spread(values, 1)}")
    found = {f"{name}: import / attrs": ratios(times, name, "attrs") for name in sides}
    for name, values in found.items():
        print(f"  {name:39}{spread(values, 2)}")
    return found


def first_leads(build: Build, rules: Any, count: int, seed: int) -> list[Any]:
    """States at the first lead of a first deal, after random passes."""
    rng = random.Random(seed)
    start = build.new_game(rules)
    found = []
    for _ in range(count):
        state = build.apply(start, build.deal(start, rng=rng))
        while type(state) is not build.Playing:
            moves = build.legal_moves(state, min(build.to_act(state)))
            state = build.apply(state, moves[int(rng.random() * len(moves))])
        found.append(state)
    return found


def both_ways(works: dict[str, Work], name: str, build: Build, rules: Any, options: argparse.Namespace) -> None:
    """Add the works of stepping and of playouts under a rule set."""
    plays = rules.players * rules.cards_per_hand
    starts = first_leads(build, rules, max(5, options.deals * 52 // plays // 2), options.seed)
    works[f"{name}: stepping"] = lambda: timed(step_ours, build, starts, options.seed)
    works[f"{name}: playout"] = lambda: timed(play_out, build, starts, options.seed, plays)


def by_players(build: Build, options: argparse.Namespace) -> None:
    """Measure a single deal for 3 to 11 players, with the low cards removed that do not deal out evenly."""
    low = sorted((card for card in build.Rules().deck if card.suit < 3), key=lambda card: (card.rank, card.suit))
    works: dict[str, Work] = {}
    sizes = {}
    for players in range(3, 12):
        rules = single_deal(build, players=players, removed=low[: 52 % players])
        sizes[players] = rules.cards_per_hand
        both_ways(works, str(players), build, rules, options)
    times = measure(works, options.rounds)
    print("\nby players: microseconds a play, and a play beside one of four players (10th to 90th percentile)")
    print("  players cards  stepping   playout   stepping beside four       playout beside four")
    for players, size in sizes.items():
        cells = [f"{statistics.median(times[f'{players}: {way}']):8.3f}" for way in ("stepping", "playout")]
        beside = [spread(ratios(times, f"{players}: {way}", f"4: {way}"), 2) for way in ("stepping", "playout")]
        print(f"  {players:7} {size:5}  {cells[0]}  {cells[1]}{'  '.join(beside)}")


def by_preset(build: Build, options: argparse.Namespace) -> None:
    """Measure a deal of each preset, compared with the default rules for the same cards and players."""
    works: dict[str, Work] = {}
    counts = {}
    for name, preset in build.presets.ALL.items():
        rules = preset()
        plain = single_deal(
            build,
            players=rules.players,
            decks=rules.decks,
            removed=rules.removed,
            hand_size=rules.hand_size,
            kitty=rules.kitty,
        )
        counts[name] = rules.players
        both_ways(works, f"{name} plain", build, plain, options)
        both_ways(works, name, build, rules, options)
    times = measure(works, options.rounds)
    print("\nby preset: microseconds a play, and a play beside one of the same cards under the default rules")
    print(f"  {'':26} players  stepping   playout   stepping beside plain      playout beside plain")
    for name, players in counts.items():
        cells = [f"{statistics.median(times[f'{name}: {way}']):8.3f}" for way in ("stepping", "playout")]
        beside = [spread(ratios(times, f"{name}: {way}", f"{name} plain: {way}"), 2) for way in ("stepping", "playout")]
        print(f"  {name:26} {players:7}  {cells[0]}  {cells[1]}{'  '.join(beside)}")


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the benchmark and print it."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--deals", type=positive, help="four-player deals in each round (default: 200; quick: 30)")
    parser.add_argument("--rounds", type=positive, help="rounds; every side plays in each (default: 9; quick: 3)")
    parser.add_argument("--quick", action="store_true", help="few deals and rounds, to see that it works")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", action="store_true", help="write the ratios into the history")
    parser.add_argument("--compare", metavar="OLD", help="print the ratios beside those of a run of the history")
    parser.add_argument("--most", type=float, default=1.05, help="fail where a ratio is more times as large (1.05)")
    parser.add_argument("--history", metavar="FILE", type=Path, default=history.FILE, help=f"default: {history.FILE}")
    options = parser.parse_args(arguments)
    old = None if options.compare is None else history.find(options.compare, options.history)
    options.deals = options.deals or (30 if options.quick else 200)
    options.rounds = options.rounds or (3 if options.quick else 9)
    sides: dict[str, Build] = {"compiled": whole(heartsrules)} if heartsrules.COMPILED else {}
    sides["interpreted"] = interpreted()
    machine = f"Python {platform.python_version()} on {platform.system()} {platform.machine()}, {os.cpu_count()} cores"
    versions = {name: version(name) for name in ("open_spiel", "attrs")}
    print(
        f"{machine}; {', '.join(f'{name} {number}' for name, number in versions.items())}; "
        f"{options.rounds} rounds of {options.deals} deals, seed {options.seed}"
    )
    if hasattr(os, "getloadavg"):
        print(f"load of the machine over the last minute at the start: {os.getloadavg()[0]:.1f}")
    print(f"builds of heartsrules: {' and '.join(sides)}")
    if len(sides) == 1:
        print("the installed package is not compiled, so there is only the interpreted build to measure")
    found = compare(sides, options) | compare_imports(sides, options.rounds)
    name, build = next(iter(sides.items()))
    print(f"\nthe rest is of the {name} build")
    found |= compare_worlds(build, options)
    found |= compare_random_deals(options.deals * 10, options.rounds, options.seed)
    run = history.made(found, {"heartsrules": heartsrules.__version__, **versions}, machine)
    if old is not None:
        print("\nratios of this run beside those of an earlier one")
        print(*history.compare(old, run), sep="\n")
    if options.keep:
        history.keep(run, options.history)
    by_players(build, options)
    by_preset(build, options)
    worse = [] if old is None else history.slower(old, run, options.most)
    if old is not None and worse:
        raise SystemExit(f"more than {options.most} times as slow as in the run of {old['date']}: {'; '.join(worse)}")


if __name__ == "__main__":
    main()
