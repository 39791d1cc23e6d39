"""Self-inflicted Q♠ of a bot, and its strength against the heuristic bot of 0.1.0.

The first figure counts, in deals of four players of one kind, who captured the Q♠ after leading her, or after playing
the A♠ or K♠ before her in the trick, with another legal card. The others are of duplicate deals: half of the seats
(with teams, one side) are today's players, the rest those of `players/heuristic_0_1.py`, and the same cards are played
again with the seats exchanged.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from concurrent.futures import Executor, ProcessPoolExecutor
from itertools import combinations
from pathlib import Path

import attrs
from players import heuristic_0_1

from heartsrules import AwaitingDeal, Card, GameOver, Move, Play, Playing, Rules, State, legal_moves, new_game, presets
from heartsrules.bots import Bot, heuristic
from heartsrules.rules import Kitty
from heartsrules.simulation import Estimate, play_match
from heartsrules.simulation.matches import Seated

TIMES = 4
"""Factor of the number of deals for counting queens, which are rare."""
QUEEN = Card("QS")
HIGHER = (Card("KS"), Card("AS"))

GAMES: dict[str, Rules] = {
    "the default rules": Rules(),
    "gong_zhu(4)": presets.gong_zhu(4),
    "gong_zhu(5)": presets.gong_zhu(5),
    "leekha()": presets.leekha(),
    "leekha(teams=0)": presets.leekha(teams=0),
    "five players with a kitty": Rules(players=5, kitty=Kitty.FIRST_POINT),
    "pagat_cancellation(8)": presets.pagat_cancellation(8),
    "two teams": Rules(teams=2),
    "omnibus(4)": presets.omnibus(4),
    "black_maria()": presets.black_maria(),
    "heartsette(4)": presets.heartsette(4),
    "spot_hearts()": presets.spot_hearts(),
}


# ---------------------------------------------------------------------------------------------------------- the queens


@attrs.frozen
class Queens:
    """Counts of the Q♠ captured by the player's own fault."""

    deals: int
    inflicted: int
    """Deals in which a player captured it by leading it, or playing the A♠ or K♠ before it, with another legal card."""
    bare: int
    """Those in which only the A♠ and the K♠ were legal."""
    moons: int
    """The rest of those in which the player shot the moon."""

    @property
    def needless(self) -> int:
        """Deals with another legal card and without a moon."""
        return self.inflicted - self.bare - self.moons

    def rate(self, count: int) -> str:
        """Format a count in per cent of the deals, with half the width of its 95 % confidence interval."""
        rate = count / self.deals
        return f"{100 * rate:.2f} ± {196 * (rate * (1 - rate) / self.deals) ** 0.5:.2f} %"


def queens(rules: Rules, bot: Bot, *, deals: int, seed: str) -> Queens:
    """Let a bot play against itself, and count."""
    match = attrs.evolve(rules, target=None, bonus_target=None, max_deals=deals)
    seated = Seated(match, [bot] * rules.players, seed)
    now: AwaitingDeal | GameOver = new_game(match)
    inflicted = bare = moons = 0
    while not isinstance(now, GameOver):
        choices: dict[tuple[int, int], bool] = {}

        def watch(state: State, move: Move, choices: dict[tuple[int, int], bool] = choices) -> None:
            if isinstance(state, Playing) and isinstance(move, Play) and len(legal_moves(state)) > 1:
                only = all(play.card in HIGHER for play in legal_moves(state))
                choices[state.trick_number, move.seat] = only

        now = seated.play(now, watch)
        assert now.last_deal is not None
        for number, trick in enumerate(now.last_deal.tricks):
            cards = [play.card for play in trick.plays]
            if QUEEN not in cards or trick.winner is None or (number, trick.winner) not in choices:
                continue
            own = [play.seat for play in trick.plays].index(trick.winner)
            led = own == 0 and cards[own] is QUEEN
            if not led and (cards[own] not in HIGHER or own > cards.index(QUEEN)):
                continue
            inflicted += 1
            if choices[number, trick.winner]:
                bare += 1
            elif now.score_sheet[-1].shooter == trick.winner:
                moons += 1
    return Queens(deals, inflicted, bare, moons)


# -------------------------------------------------------------------------------------------------------- half and half


def seatings(rules: Rules) -> list[tuple[int, ...]]:
    """Seats of the first kind: every half of four seats, with teams every side, else some of the halves."""
    if rules.teams:
        return list(rules.sides)
    players = rules.players
    if players == 4:
        return list(combinations(range(4), 2))
    # Every other seat from each seat on; with an odd number, the other kind has one seat more.
    return [
        tuple([(first + 2 * place) % players for place in range(players // 2)])
        for first in range(2 if players % 2 == 0 else players)
    ]


@attrs.frozen
class Table:
    """A match of two kinds of players in all seatings."""

    rules: Rules
    bot: Bot
    other: Bot
    seed: str

    def saved(self) -> float:
        """Play, and return how many fewer points per deal the first kind has than the second."""
        rules = self.rules
        halves = seatings(rules)
        total = 0.0
        for half in halves:
            bots = [self.bot if seat in half else self.other for seat in range(rules.players)]
            scores = play_match(rules, bots, seed=self.seed).scores
            rest = [score for seat, score in enumerate(scores) if seat not in half]
            total += sum(rest) / len(rest) - sum([scores[seat] for seat in half]) / len(half)
        return total / len(halves) / (rules.max_deals or 1)


def half_and_half(
    rules: Rules, bot: Bot, other: Bot, *, deals: int, seed: str, executor: Executor | None = None
) -> Estimate:
    """Estimate how many fewer points per deal one kind of player has than another, on half of the seats each.

    Args:
        rules: what is played, without its targets: a match goes once round the pass cycle, but over four deals at most.
        bot: one kind.
        other: the other.
        deals: how many deals there are, each of them played in every seating.
        seed: what the cards come from.
        executor: what plays the matches; None: this thread.
    """
    length = min(4, len(rules.pass_cycle))
    match = attrs.evolve(rules, target=None, bonus_target=None, max_deals=length)
    tables = [Table(match, bot, other, f"{seed} {number}") for number in range(deals // length)]
    return Estimate.of(map(Table.saved, tables) if executor is None else executor.map(Table.saved, tables))


def rows(deals: int, seed: str, names: Sequence[str], executor: Executor) -> Iterator[str]:
    """Yield the rows of the table of duplicate deals."""
    for name in names:
        rules = GAMES[name]
        saved = half_and_half(rules, heuristic, heuristic_0_1.heuristic, deals=deals, seed=seed, executor=executor)
        yield f"| {name} | {deals} | {len(seatings(rules))} | {saved.mean:+.2f} ± {saved.error:.2f} |"


def main() -> None:
    """Measure, and print tables in Markdown."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--deals", type=int, default=2000, help=f"deals of each game; queens: {TIMES} times")
    parser.add_argument("--seed", default="queens", help="what the cards come from")
    parser.add_argument("--only", default="", help="games whose names contain this; no queens unless it is empty")
    parser.add_argument("--jobs", type=int, default=2, help="processes")
    args = parser.parse_args()
    if not args.only:
        print("| player | deals | Q♠ by its own doing | nothing but A♠, K♠ to play | on the way to a moon | needless |")
        print("| --- | --- | --- | --- | --- | --- |")
        for name, bot in (("heuristic", heuristic), (Path(heuristic_0_1.__file__).stem, heuristic_0_1.heuristic)):
            found = queens(Rules(), bot, deals=TIMES * args.deals, seed=args.seed)
            counts = (found.inflicted, found.bare, found.moons, found.needless)
            print(f"| {name} | {found.deals} | {' | '.join([found.rate(count) for count in counts])} |", flush=True)
        print()
    print("| game | deals | seatings of each | points a deal fewer than the player of 0.1.0 |")
    print("| --- | --- | --- | --- |")
    with ProcessPoolExecutor(args.jobs) as executor:
        for line in rows(args.deals, args.seed, [name for name in GAMES if args.only in name], executor):
            print(line, flush=True)


if __name__ == "__main__":
    main()
