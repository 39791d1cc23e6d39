"""Self-inflicted ♠Q: how often a bot captures her without need, in deals of four players of one kind.

Counted is who captured her after leading her, or after playing the ♠A or ♠K before her in the trick, with another legal
card.
"""

from __future__ import annotations

import argparse

import attrs

from heartsrules import AwaitingDeal, Card, Move, Play, Playing, Rules, State, legal_moves, new_game
from heartsrules.bots import Bot, bot_named
from heartsrules.simulation.matches import Seated

QUEEN = Card("QS")
HIGHER = (Card("KS"), Card("AS"))


@attrs.frozen
class Queens:
    """Counts of the ♠Q captured by the player's own fault."""

    deals: int
    inflicted: int
    """Deals in which a player captured it by leading it, or playing the ♠A or ♠K before it, with another legal card."""
    bare: int
    """Those in which only the ♠A and the ♠K were legal."""
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
    now: State = new_game(match)
    inflicted = bare = moons = 0
    while isinstance(now, AwaitingDeal):
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


def main() -> None:
    """Count, and print a table in Markdown."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("bots", nargs="*", default=["heuristic"], help="players by name")
    parser.add_argument("--deals", type=int, default=8000)
    parser.add_argument("--seed", default="queens", help="of the cards")
    args = parser.parse_args()
    print("| player | deals | ♠Q by its own doing | nothing but ♠A, ♠K to play | on the way to a moon | needless |")
    print("| --- | --- | --- | --- | --- | --- |")
    for name in args.bots:
        found = queens(Rules(), bot_named(name).bot, deals=args.deals, seed=args.seed)
        counts = (found.inflicted, found.bare, found.moons, found.needless)
        print(f"| {name} | {found.deals} | {' | '.join([found.rate(count) for count in counts])} |", flush=True)


if __name__ == "__main__":
    main()
