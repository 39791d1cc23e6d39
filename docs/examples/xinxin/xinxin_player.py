"""Let xinxin play for heartsrules: python xinxin_player.py ./xinxin WORLDS SIMULATIONS."""

import itertools
import subprocess
import sys

import attrs

from heartsrules import Card, Cards, Deal, Move, Pass, Play, Rank, Rules, Suit, View
from heartsrules.apps.serve import Service
from heartsrules.apps.serve.lines import serve_lines
from heartsrules.apps.serve.playing import player_operations
from heartsrules.bots import options
from heartsrules.chance import Bits
from heartsrules.formats.foreign.xinxin import rules_of_flags
from heartsrules.play.game import moves_of
from heartsrules.views import PassingView, PlayingView
from heartsrules.views.worlds import sample_world

QUEEN, JACK, NO_TRICKS, TWO_LEADS, CLUBS_LEAD, BARRED = 0x1, 0x2, 0x4, 0x20, 0x40, 0x180
QUEEN_BREAKS, PASSES, MUST_BREAK = 0x200, 0x400, 0x800
SUITS = (Suit.SPADES, Suit.DIAMONDS, Suit.CLUBS, Suit.HEARTS)
ELSEWHERE = ("first_dealer", "pass_cycle", "target", "target_test", "max_deals", "tie", "score_display", "moon_points")
"""The options that xinxin does not need during a deal."""


def number(card: Card) -> int:
    """Return xinxin's number of a card: 16 times the suit, plus 0 for the ace to 12 for the two."""
    return 16 * SUITS.index(card.suit) + (Rank.ACE - card.rank)


def flags_of(rules: Rules) -> int:
    """Return xinxin's flags for these rules."""
    kept = {name: getattr(rules, name) for name in ELSEWHERE}
    choices = [(0, JACK), (0, NO_TRICKS), (0, TWO_LEADS, CLUBS_LEAD), (0, BARRED), (0, QUEEN_BREAKS), (0, MUST_BREAK)]
    for chosen in itertools.product(*choices):
        flags = QUEEN + sum(chosen)
        if attrs.evolve(rules_of_flags(flags), no_tricks_bonus_on_moon=rules.no_tricks_bonus_on_moon, **kept) == rules:
            return flags | PASSES
    raise ValueError("xinxin does not play these rules")


class Xinxin:
    """A bot that asks the program."""

    def __init__(self, program: str, worlds: int, simulations: int) -> None:
        self.process = subprocess.Popen([program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.budget = [worlds, simulations]

    def __call__(self, view: View, rng: Bits, /) -> Move:
        moves = options(view)
        # The program wants a whole state. It gets one that the view could come from, so it knows no hidden card.
        deal, *made = moves_of(sample_world(view, rng))
        assert isinstance(deal, Deal)
        assert isinstance(view, PassingView | PlayingView)  # there is nothing else to decide in these rules
        assert view.seat is not None
        me, players = view.seat, 4
        turned = [(me + seat) % players for seat in range(players)]  # the program passes first in its seat 0
        step = view.rules.pass_plan(view.deal_number)
        direction = {0: 0, 1: 1, 2: 2, 3: -1}[step[0][0] % players if step else 0]
        passes = {move.seat: move.cards[0] for move in made if isinstance(move, Pass)}
        told = [*self.budget, flags_of(view.rules), direction, (view.dealer + 1 - me) % players]
        told += [number(card) for seat in turned for card in deal.hands[seat]]
        passing = isinstance(view, PassingView)
        given = [] if passing else [number(card) for seat in turned for card in passes.get(seat, ())]
        played = [number(move.card) for move in made if isinstance(move, Play)]
        told += [len(given), *given, len(played), *played]
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        print(*told, file=self.process.stdin, flush=True)
        answer = [int(word) for word in self.process.stdout.readline().split()]
        chosen = Cards([card for card in view.hand if number(card) in answer])
        if passing:
            return Pass(me, chosen)
        return next(move for move in moves if isinstance(move, Play) and move.card in chosen)


program, worlds, simulations = sys.argv[1:]
bot = Xinxin(program, int(worlds), int(simulations))
named = f"xinxin, {worlds} worlds, {simulations} simulations"
serve_lines(Service(operations=player_operations(bot, named)))
