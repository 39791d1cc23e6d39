"""Wrong types: whatever argument of a public function or constructor has one, the `TypeError` names that argument.

`support/refused_lines.py` makes the file `data/type_errors.txt` of the messages.
"""

from __future__ import annotations

import importlib
import inspect
import re
from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import partial
from random import Random
from typing import Any

import pytest

import heartsrules
import heartsrules.analysis.playout
import heartsrules.play.game
import heartsrules.setup
from heartsrules import (
    AwaitingDeal,
    Card,
    Cards,
    ChooseMoon,
    Deal,
    Expose,
    Pass,
    Passing,
    Play,
    Playing,
    Rank,
    Rules,
    Suit,
    analysis,
    apply,
    bots,
    chance,
    deal,
    messages,
    new_game,
    presets,
    simulation,
    view,
    views,
)
from heartsrules.analysis import policies, rollouts
from heartsrules.bridges import openspiel
from heartsrules.chance import RandomStream, SeededBits
from heartsrules.formats import notation, wire
from heartsrules.formats.foreign import turbo_hearts, xinxin
from heartsrules.formats.notation.fields import parse_bool
from heartsrules.pictures import diagrams, notebooks, svg, viewer
from heartsrules.play import dealing, exposing, passing, stateless
from heartsrules.play.game import Game, Record
from heartsrules.play.state import State
from heartsrules.play.violations import GameIsOver
from heartsrules.rules import HOLD, Bonus, Moon, across, default_pass_cycle, left, scatter
from heartsrules.rules import right as to_the_right
from heartsrules.simulation import tally
from heartsrules.simulation.batch_analysis import assess_all, solve_all
from heartsrules.simulation.batch_judge import judge_record, verify_all
from heartsrules.views import worlds

MODULES = (
    "chance",
    "play.dealing",
    "play.passing",
    "play.scoring",
    "play.tricks",
    "play.stateless",
    "play.position_keys",
    "play.legality",
    "analysis.playout",
    "analysis.policies",
    "analysis.rollouts",
    "simulation.tally",
    "views.worlds",
    "play.game",
    "formats.notation",
    "setup",
    "bots",
    "simulation",
    "simulation.batch_judge",
    "simulation.batch_analysis",
    "bridges.openspiel",
    "formats.foreign.turbo_hearts",
    "formats.foreign.xinxin",
    "pictures.diagrams",
    "pictures.svg",
    "pictures.viewer",
    "pictures.notebooks",
    "formats.wire",
)

START = new_game(Rules())
DEAL = deal(START, seed=7)
PASSING = apply(START, DEAL)
PLAYING = apply(new_game(Rules(pass_cycle=[HOLD])), DEAL)
ENDED = heartsrules.analysis.playout.playout(PLAYING, RandomStream(7)).last_deal
assert ENDED is not None
assert isinstance(PASSING, Passing)
assert isinstance(PLAYING, Playing)
HAND = PASSING.hands[0]
PASSES = heartsrules.legal_moves(PASSING)
ASSESSMENT = analysis.assess(view(PLAYING, PLAYING.turn), Random(7), worlds=1)
SEAT_PASSES = passing.passes_of(Rules(), 0, 0, HAND)
SEAT_EXPOSURES = exposing.exposures_in(Rules().compiled, 0, HAND, Cards())
GAME = Game.start(Rules())
RECORD = Record.of(GAME)
TRICK = [Play(seat, card) for seat, card in enumerate(Cards("2C 3C 4C 5C"))]
TEXT = notation.format_record(RECORD)

GIFTS = [[Cards(list(hand)[:3])] for hand in DEAL.hands]

NO_INT: tuple[Any, ...] = (1.0, "1", None, True, Fraction(1), [])
NO_OPTIONAL_INT: tuple[Any, ...] = (1.0, "1", True, Fraction(1), [])
NO_TEXT: tuple[Any, ...] = (1, b"QS", None, [], Card("QS"))
NO_BOOL = (1, "yes", None, 0.0)
NO_CARD = (3, "QS", None, Cards("QS"), Play(0, Card("QS")))
NO_BAG = (3, "QS", None, [Card("QS")], Card("QS"), 2.5)
NO_BAGS = (3, "QS", None, Cards("QS"), [Card("QS")], (3,))
NO_STEP: tuple[Any, ...] = (3, "L3", None, [(1, 3)], (1, 3), ((1,),), ((1, 3, 5),), ((1.0, 3),), ((1, True),))
NO_SEED: tuple[Any, ...] = (1.5, True, b"seed", [])
NO_BITS = (3, "seed", Random, None)
NO_RULES: tuple[Any, ...] = (None, {}, "default", PLAYING, Rules)
NO_STATE = (None, 3, "state", Rules(), Card("QS"), view(PLAYING, 0))
NO_STATE_OR_VIEW = (None, 3, "state", Rules(), Card("QS"), State)
NO_MOVE = (None, 3, "AH", Card("AH"), (0, "AH"), PLAYING)
NO_ITERABLE = (3, None, 2.5)
NO_VIEW = (None, 3, PLAYING, Rules())
NO_BOTS = (3, None, "bots", [3] * 4, [None] * 4)
NO_CALLABLE = (3, "uniform", PLAYING)
NO_WIDTH: tuple[Any, ...] = ("60", True, [])
NO_LABEL: tuple[Any, ...] = (3, b"label", [])
NO_COLOURS: tuple[Any, ...] = (None, "dark", {"felt": "green"})
NO_CARDS_OF: tuple[Any, ...] = (3, None, "QS", ["QS"], [3])
NO_SIGNS: tuple[Any, ...] = (3, "QS", [Card("QS")], {"QS": "x"}, {Card("QS"): 3})
NO_NAMES: tuple[Any, ...] = (3, "Ann", [3] * 4, [None] * 4)
NO_DOCUMENT: tuple[Any, ...] = (None, 3, bytearray(b"{}"), {})
DRAWN: dict[str, Any] = {"width": 60, "colours": svg.LIGHT, "language": "en"}
NO_DRAWN: dict[str, Any] = {"width": NO_WIDTH, "colours": NO_COLOURS, "language": (None, 3)}
LOOK: dict[str, Any] = {**DRAWN, "label": "a picture"}
NO_LOOK: dict[str, Any] = {**NO_DRAWN, "label": NO_LABEL}
NO_MOON = (1, "others up", Suit.HEARTS)

# For each function: arguments that it takes, by name, and values that are of a wrong type for some of them.
CALLS: dict[str, tuple[Callable[..., Any], dict[str, Any], dict[str, tuple[Any, ...]]]] = {
    "Card": (Card, {"text": "QS"}, {"text": NO_TEXT[:-1]}),
    "Card.of": (Card.of, {"rank": Rank.ACE, "suit": Suit.CLUBS}, {"rank": (14, "A", None), "suit": (0, "C", None)}),
    "Card.from_index": (Card.from_index, {"index": 36}, {"index": NO_INT}),
    "Cards": (Cards, {"cards": ()}, {"cards": (3, None, 2.5, [3], ["QS"])}),
    "Cards.count": (HAND.count, {"card": Card("QS")}, {"card": NO_CARD}),
    "Cards.of_suit": (HAND.of_suit, {"suit": Suit.CLUBS}, {"suit": (0, "C", None)}),
    "Deal": (Deal, {"hands": DEAL.hands, "kitty": Cards()}, {"hands": NO_BAGS, "kitty": NO_BAG}),
    "Pass": (Pass, {"seat": 0, "gifts": ()}, {"seat": NO_INT, "gifts": NO_BAGS}),
    "Expose": (Expose, {"seat": 0, "cards": Cards("QS")}, {"seat": NO_INT, "cards": NO_BAG}),
    "Play": (Play, {"seat": 0, "card": Card("QS")}, {"seat": NO_INT, "card": NO_CARD}),
    "ChooseMoon": (ChooseMoon, {"seat": 0, "effect": Moon.OTHERS_UP}, {"seat": NO_INT, "effect": (*NO_MOON, None)}),
    "new_game": (new_game, {"rules": Rules()}, {"rules": NO_RULES}),
    "to_act": (heartsrules.to_act, {"state": PLAYING}, {"state": NO_STATE_OR_VIEW}),
    "legal_moves": (
        heartsrules.legal_moves,
        {"state": PLAYING, "seat": None},
        {"state": NO_STATE_OR_VIEW, "seat": NO_OPTIONAL_INT},
    ),
    "is_legal": (
        heartsrules.is_legal,
        {"state": PLAYING, "move": TRICK[0]},
        {"state": NO_STATE_OR_VIEW, "move": NO_MOVE},
    ),
    "why_illegal": (
        heartsrules.why_illegal,
        {"state": PASSING, "move": TRICK[0]},
        {"state": NO_STATE_OR_VIEW, "move": NO_MOVE},
    ),
    "apply": (apply, {"state": START, "move": DEAL}, {"state": NO_STATE, "move": NO_MOVE}),
    "transition": (heartsrules.transition, {"state": START, "move": DEAL}, {"state": NO_STATE, "move": NO_MOVE}),
    "why_illegal_cards": (
        heartsrules.why_illegal_cards,
        {"state": PLAYING, "seat": None},
        {"state": NO_STATE_OR_VIEW, "seat": NO_OPTIONAL_INT},
    ),
    "pass_options": (
        heartsrules.pass_options,
        {"view": view(PASSING, 0), "gifts": ()},
        {"view": (*NO_VIEW, PASSING, view(PLAYING, 0)), "gifts": NO_BAGS},
    ),
    "view": (view, {"state": PLAYING, "seat": 0}, {"state": NO_STATE, "seat": NO_INT}),
    "public_view": (heartsrules.public_view, {"state": PLAYING}, {"state": NO_STATE}),
    "view_of": (views.view_of, {"state": PLAYING, "seat": None}, {"state": NO_STATE, "seat": NO_OPTIONAL_INT}),
    "redact": (
        heartsrules.redact,
        {"events": (), "seat": None},
        {"events": (*NO_ITERABLE, (3,)), "seat": NO_OPTIONAL_INT},
    ),
    "awaits_deal": (dealing.awaits_deal, {"state": START}, {"state": NO_STATE}),
    "deal": (deal, {"state": START, "seed": 7}, {"state": (PLAYING, None, 3), "seed": NO_SEED}),
    "deal with rng": (deal, {"state": START, "rng": Random(7)}, {"state": (PLAYING, None, 3), "rng": NO_BITS[:3]}),
    "deal_cards": (
        heartsrules.deal_cards,
        {"state": START, "order": list(Rules().deck)},
        {"state": (PLAYING, None, 3), "order": (3, "QS", Cards("QS"), ["QS"])},
    ),
    "deal_problems": (
        dealing.deal_problems,
        {"rules": Rules(), "move": DEAL},
        {"rules": NO_RULES, "move": (None, 3, DEAL.hands, TRICK[0])},
    ),
    "deal_faults": (
        dealing.deal_faults,
        {"rules": Rules(), "move": DEAL},
        {"rules": NO_RULES, "move": (None, 3, DEAL.hands, TRICK[0])},
    ),
    "cut_for_deal": (
        heartsrules.cut_for_deal,
        {"players": 4, "rng": Random(7)},
        {"players": NO_INT, "rng": NO_BITS[:3]},
    ),
    "SeededBits": (SeededBits, {"seed": 7, "label": ""}, {"seed": (*NO_SEED, None), "label": NO_TEXT}),
    "RandomStream": (
        RandomStream,
        {"seed": 7, "words": None},
        {"seed": (*NO_SEED, None), "words": (3, "1234", [1, 2, 3, 4], (1, 2, 3))},
    ),
    "RandomStream.from_bits": (RandomStream.from_bits, {"bits": 7}, {"bits": NO_INT}),
    "RandomStream.below": (RandomStream(7).below, {"bound": 7}, {"bound": NO_INT}),
    "RandomStream.pick": (RandomStream(7).pick, {"bound": 7}, {"bound": NO_INT}),
    "RandomStream.fair": (RandomStream(7).fair, {"bound": 7}, {"bound": NO_INT}),
    "as_stream": (chance.as_stream, {"rng": Random(7)}, {"rng": NO_BITS}),
    "below": (chance.below, {"bits": Random(7), "bound": 7}, {"bits": NO_BITS, "bound": NO_INT}),
    "shuffled": (
        chance.shuffled,
        {"items": [1, 2], "bits": Random(7)},
        {"items": NO_ITERABLE, "bits": NO_BITS},
    ),
    "playout": (
        heartsrules.analysis.playout.playout,
        {"state": PLAYING, "rng": RandomStream(7), "deals": 1, "policy": None},
        {"state": NO_STATE, "rng": NO_BITS, "deals": NO_OPTIONAL_INT, "policy": (3, "uniform")},
    ),
    "rollouts": (
        rollouts.rollouts,
        {"states": PLAYING, "rng": RandomStream(7), "count": 1, "policy": None},
        {"states": (3, None, "state", [3]), "rng": NO_BITS, "count": NO_INT, "policy": (3, "uniform")},
    ),
    "rollout_points": (
        rollouts.rollout_points,
        {"states": PLAYING, "rng": RandomStream(7), "count": 1, "policy": None},
        {"states": (3, None, "state", [3]), "rng": NO_BITS, "count": NO_INT, "policy": (3, "uniform")},
    ),
    "legal_cards": (
        heartsrules.legal_cards,
        {"rules": Rules(), "hand": HAND},
        {
            "rules": NO_RULES,
            "hand": NO_BAG,
            "trick": (3, "QS", Cards("QS"), ["QS"]),
            "first_trick": NO_BOOL,
            "hearts_broken": NO_BOOL,
            "shown": (*NO_ITERABLE, "QS", ["QS"], [3]),
            "suits_led": (*NO_ITERABLE, "CS", ["C"], [0]),
        },
    ),
    "why_illegal_card": (
        heartsrules.why_illegal_card,
        {"rules": Rules(), "hand": HAND, "card": Card("QS")},
        {
            "rules": NO_RULES,
            "hand": NO_BAG,
            "card": NO_CARD,
            "trick": (3, "QS", Cards("QS"), ["QS"]),
            "first_trick": NO_BOOL,
            "hearts_broken": NO_BOOL,
            "shown": (*NO_ITERABLE, "QS", ["QS"], [3]),
            "suits_led": (*NO_ITERABLE, "CS", ["C"], [0]),
        },
    ),
    "trick_winner": (
        heartsrules.trick_winner,
        {"rules": Rules(), "plays": TRICK, "last_trick": False},
        {"rules": NO_RULES, "plays": (3, "QS", None, ["QS"]), "last_trick": NO_BOOL},
    ),
    "why_illegal_pass": (
        stateless.why_illegal_pass,
        {"rules": Rules(), "hand": HAND, "gifts": (), "step": left(3)},
        {"rules": NO_RULES, "hand": NO_BAG, "gifts": NO_BAGS, "step": NO_STEP},
    ),
    "exchange_gifts": (
        stateless.exchange_gifts,
        {
            "rules": Rules(),
            "hands": DEAL.hands,
            "gifts": [[Cards(list(hand)[:3])] for hand in DEAL.hands],
            "step": left(3),
        },
        {
            "rules": NO_RULES,
            "hands": NO_BAGS,
            "gifts": (*NO_BAGS[:5], [[3]], [Cards("QS")], [None], ["QS"]),
            "step": NO_STEP,
        },
    ),
    "why_illegal_exposure": (
        stateless.why_illegal_exposure,
        {"rules": Rules(), "hand": HAND, "cards": Cards()},
        {"rules": NO_RULES, "hand": NO_BAG, "cards": NO_BAG},
    ),
    "may_show": (
        stateless.may_show,
        {"rules": Rules(), "dealer": 0, "done": ()},
        {"rules": NO_RULES, "dealer": NO_INT, "done": (3, "0", None, (True,), ("0",))},
    ),
    "first_leader": (
        stateless.first_leader,
        {"rules": Rules(), "hands": DEAL.hands, "dealer": 0, "queen_taker": None},
        {"rules": NO_RULES, "hands": NO_BAGS, "dealer": NO_INT, "queen_taker": NO_OPTIONAL_INT},
    ),
    "card_breaks_hearts": (
        stateless.card_breaks_hearts,
        {"rules": Rules(), "card": Card("QS"), "trick": ()},
        {"rules": NO_RULES, "card": NO_CARD, "trick": (3, "QS", Cards("QS"), ["QS"])},
    ),
    "wins_kitty": (
        stateless.wins_kitty,
        {"rules": Rules(), "cards": Cards("2C 3C 4C 5C"), "last_trick": False},
        {"rules": NO_RULES, "cards": NO_BAG, "last_trick": NO_BOOL},
    ),
    "moon_shooter": (
        stateless.moon_shooter,
        {"rules": Rules(), "captured": ENDED.captured, "dealer": 0, "shown": ()},
        {"rules": NO_RULES, "captured": NO_BAGS, "dealer": NO_INT, "shown": NO_BAGS},
    ),
    "winners": (
        stateless.winners,
        {"rules": Rules(), "scores": (1, 2, 3, 4), "deals_played": 1},
        {"rules": NO_RULES, "scores": (3, "1234", b"1234", None, (1, 2, 3, True)), "deals_played": NO_INT},
    ),
    "Rules.penalty": (Rules().penalty, {"card": Card("QS")}, {"card": NO_CARD}),
    "Rules.side": (Rules().side, {"seat": 3}, {"seat": NO_INT}),
    "Rules.step": (Rules().step, {"deal_number": 3}, {"deal_number": NO_INT}),
    "Rules.dealer": (Rules().dealer, {"deal_number": 3}, {"deal_number": NO_INT}),
    "left": (left, {"count": 3}, {"count": NO_INT}),
    "right": (to_the_right, {"count": 3}, {"count": NO_INT}),
    "across": (across, {"players": 4, "count": 3}, {"players": NO_INT, "count": NO_INT}),
    "scatter": (scatter, {"players": 4}, {"players": NO_INT}),
    "default_pass_cycle": (default_pass_cycle, {"players": 4}, {"players": NO_INT}),
    "position_key": (heartsrules.position_key, {"state": PLAYING}, {"state": NO_STATE}),
    "winning_seat": (
        heartsrules.winning_seat,
        {"rules": Rules(), "plays": TRICK[:2]},
        {"rules": NO_RULES, "plays": (3, "QS", None, ["QS"])},
    ),
    "score_deal": (
        heartsrules.score_deal,
        {
            "rules": Rules(),
            "captured": ENDED.captured,
            "tricks_won": ENDED.tricks_won,
        },
        {
            "rules": NO_RULES,
            "captured": NO_BAGS,
            "tricks_won": (3, "4333", None, (4, 3, 3, True), (4, 3, 3, 3.0)),
            "totals": (3, "0000", (0, 0, 0, True)),
            "effect": NO_MOON,
            "deal_number": NO_INT,
            "shown": NO_BAGS,
        },
    ),
    "standings": (
        heartsrules.standings,
        {"rules": Rules(), "scores": (1, 2, 3, 4)},
        {"rules": NO_RULES, "scores": (3, "1234", b"1234", None, (1, 2, 3, True))},
    ),
    "display_score": (heartsrules.display_score, {"rules": Rules(), "total": 3}, {"rules": NO_RULES, "total": NO_INT}),
    "Game": (Game, {"start": START}, {"start": NO_STATE}),
    "Game.start": (Game.start, {"rules": Rules()}, {"rules": NO_RULES}),
    "Game.play": (GAME.play, {"move": DEAL}, {"move": NO_MOVE}),
    "Game.step": (GAME.step, {"move": DEAL}, {"move": NO_MOVE}),
    "Game.of": (Game.of, {"state": PLAYING}, {"state": NO_STATE}),
    "moves_of": (heartsrules.play.game.moves_of, {"state": PLAYING}, {"state": NO_STATE}),
    "Game.at": (GAME.at, {"ply": 0}, {"ply": NO_INT}),
    "Game.fork": (GAME.fork, {"ply": 0}, {"ply": NO_INT}),
    "Game.view": (GAME.view, {"seat": 0}, {"seat": NO_OPTIONAL_INT}),
    "Record.of": (Record.of, {"game": GAME}, {"game": (None, 3, PLAYING)}),
    "replay": (
        heartsrules.play.game.replay,
        {"start": Rules(), "moves": ()},
        {"start": (None, 3, "start"), "moves": NO_ITERABLE},
    ),
    "replay_strict": (
        heartsrules.play.game.replay_strict,
        {"start": Rules(), "moves": ()},
        {"start": (None, 3, "start"), "moves": NO_ITERABLE},
    ),
    "verify": (heartsrules.play.game.verify, {"record": RECORD}, {"record": (None, 3, GAME, TEXT)}),
    "judge_record": (judge_record, {"record": RECORD}, {"record": (None, 3, GAME, TEXT)}),
    "solve_all": (
        lambda states, **options: list(solve_all(states, **options)),
        {"states": [], "paranoid": False, "most_positions": 3, "executor": None},
        {"states": NO_ITERABLE, "executor": (3, "processes")},
    ),
    "assess_all": (
        lambda views, seed, **options: list(assess_all(views, seed, **options)),
        {"views": [], "seed": 1, "worlds": 1, "policy": None, "executor": None},
        {"views": NO_ITERABLE, "seed": NO_SEED, "executor": (3, "processes")},
    ),
    "verify_all": (
        lambda records, **options: list(verify_all(records, **options)),
        {"records": [RECORD], "executor": None},
        {
            "records": NO_ITERABLE,
            "executor": (3, "processes"),
        },
    ),
    "passes_of": (
        passing.passes_of,
        {"rules": Rules(), "deal_number": 0, "seat": 0, "hand": HAND},
        {"rules": NO_RULES, "deal_number": NO_INT, "seat": NO_INT, "hand": NO_BAG},
    ),
    "SeatPasses.at": (SEAT_PASSES.at, {"index": 0}, {"index": NO_INT}),
    "SeatExposures.holds": (SEAT_EXPOSURES.holds, {"move": Expose(0, Cards())}, {"move": (3, None, TRICK[0])}),
    "SeatPasses.holds": (SEAT_PASSES.holds, {"move": Pass(0, ())}, {"move": (3, None, TRICK[0])}),
    "receivers": (
        passing.receivers,
        {"rules": Rules(), "deal_number": 0, "declined": frozenset()},
        {"rules": NO_RULES, "deal_number": NO_INT, "declined": (3, None, [])},
    ),
    "exchange": (
        passing.exchange,
        {"rules": Rules(pass_cycle=[HOLD]), "deal_number": 0, "commitments": ()},
        {"rules": NO_RULES, "deal_number": NO_INT, "commitments": (3, None, (3,), "passes")},
    ),
    "Tally": (tally.Tally, {"rules": Rules()}, {"rules": NO_RULES}),
    "Tally.play_game": (
        tally.Tally(Rules()).play_game,
        {"seed": "7", "max_deals": 1},
        {"seed": (*NO_SEED, None), "max_deals": NO_INT},
    ),
    "sample_world": (
        worlds.sample_world,
        {"view": view(PLAYING, 0), "rng": Random(7)},
        {"view": (None, 3, PLAYING), "rng": NO_BITS},
    ),
    "consistent": (
        worlds.consistent,
        {"view": view(PLAYING, 0), "state": PLAYING},
        {"view": (None, 3, PLAYING), "state": NO_STATE},
    ),
    "options": (bots.options, {"view": view(PLAYING, PLAYING.turn)}, {"view": NO_VIEW}),
    "uniform": (
        lambda view, rng: bots.uniform(view, rng),
        {"view": view(PLAYING, PLAYING.turn), "rng": Random(7)},
        {"view": NO_VIEW, "rng": NO_BITS[:3]},
    ),
    "heuristic": (
        lambda view, rng: bots.heuristic(view, rng),
        {"view": view(PLAYING, PLAYING.turn), "rng": Random(7)},
        {"view": NO_VIEW, "rng": NO_BITS[:3]},
    ),
    "Sampling": (bots.Sampling, {"worlds": 7, "policy": None}, {"worlds": NO_INT, "policy": (3, bots.heuristic)}),
    "Sampling()": (
        lambda view, rng: bots.Sampling(1)(view, rng),
        {"view": view(PLAYING, PLAYING.turn), "rng": Random(7)},
        {"view": NO_VIEW, "rng": NO_BITS[:3]},
    ),
    "Learned()": (
        lambda view, rng: bots.Learned()(view, rng),
        {"view": view(PLAYING, PLAYING.turn), "rng": Random(7)},
        {"view": NO_VIEW, "rng": NO_BITS[:3]},
    ),
    "Learned.covers": (bots.Learned().covers, {"rules": Rules()}, {"rules": NO_RULES}),
    "Careful": (policies.Careful, {"mistakes": 0.5}, {"mistakes": (None, "much", True)}),
    "Watchful": (policies.Watchful, {"mistakes": 0.5}, {"mistakes": (None, "much", True)}),
    "assess": (
        analysis.assess,
        {
            "view": view(PLAYING, PLAYING.turn),
            "rng": Random(7),
            "worlds": 1,
            "seconds": 0,
            "policy": None,
            "moves": None,
        },
        {
            "view": NO_VIEW,
            "rng": NO_BITS,
            "worlds": NO_OPTIONAL_INT,
            "seconds": ("1", True),
            "policy": (3, bots.heuristic),
        },
    ),
    "Assessment.of": (ASSESSMENT.of, {"move": ASSESSMENT.best.move}, {"move": (3, None, "2C")}),
    "hint": (
        analysis.hint,
        {"assessment": ASSESSMENT, "language": "de", "move": None},
        {"assessment": (3, None, PLAYING), "language": (3, None), "move": (3, "2C")},
    ),
    "prospects": (analysis.prospects, {"state": START, "seat": 0}, {"state": (*NO_STATE, PLAYING), "seat": NO_INT}),
    "play_deal": (
        simulation.play_deal,
        {"state": PLAYING, "bots": [bots.uniform] * 4, "rngs": [Random(7)] * 4},
        {"state": (*NO_STATE, START), "bots": NO_BOTS, "rngs": (3, None, "bits", [3] * 4, [None] * 4)},
    ),
    "play_match": (
        simulation.play_match,
        {"rules": Rules(), "bots": [bots.uniform] * 4, "seed": 7, "deals": 1},
        {"rules": NO_RULES, "bots": NO_BOTS, "seed": NO_SEED, "deals": NO_OPTIONAL_INT},
    ),
    "bot_named": (bots.bot_named, {"text": "uniform"}, {"text": (3, None)}),
    "policy_named": (bots.policy_named, {"text": "uniform"}, {"text": (3, None)}),
    "bradley_terry": (
        simulation.bradley_terry,
        {"tables": []},
        {"tables": (3, None, "0", [1], ["0"], [[1]], [["0"]], [[["0"]]])},
    ),
    "Comparison.against": (
        simulation.Comparison((1.0,), (1.0,), (0.0,), 0).against,
        {"other": simulation.Comparison((1.0,), (1.0,), (0.0,), 0)},
        {"other": (None, 5, (1.0,))},
    ),
    "parameters": (messages.parameters, {"thing": GameIsOver()}, {"thing": (None, 5, "no", PLAYING)}),
    "seatings_of": (simulation.seatings_of, {"line_up": "AAB"}, {"line_up": (3, [3], None)}),
    "tournament": (
        simulation.tournament,
        {
            "rules": Rules(),
            "bot": bots.uniform,
            "field": bots.uniform,
            "tables": 1,
            "seed": 7,
            "deals": 1,
            "executor": None,
            "progress": None,
        },
        {
            "rules": NO_RULES,
            "bot": (*NO_CALLABLE, None),
            "field": (*NO_CALLABLE, None),
            "tables": NO_INT,
            "seed": NO_SEED,
            "deals": NO_OPTIONAL_INT,
            "executor": (3, "processes"),
            "progress": NO_CALLABLE,
        },
    ),
    "read_xinxin": (xinxin.read_xinxin, {"text": "0", "target": 100}, {"text": NO_TEXT, "target": NO_OPTIONAL_INT}),
    "rules_of_flags": (
        xinxin.rules_of_flags,
        {"flags": 1, "target": 100},
        {"flags": NO_INT, "target": NO_OPTIONAL_INT},
    ),
    "read_turbo_hearts": (turbo_hearts.read_turbo_hearts, {"text": ""}, {"text": NO_TEXT}),
    "card_of": (openspiel.card_of, {"action": 0}, {"action": NO_INT}),
    "action_of": (openspiel.action_of, {"card": Card("QS")}, {"card": NO_CARD}),
    "actions_of": (openspiel.actions_of, {"move": DEAL}, {"move": NO_MOVE}),
    "moves_of_history": (
        openspiel.moves_of_history,
        {"history": [], "parameters": {}},
        {"history": (*NO_ITERABLE, "0", [1.5]), "parameters": (3, None)},
    ),
    "replay_history": (
        openspiel.replay_history,
        {"history": [], "parameters": {}},
        {"history": (*NO_ITERABLE, "0", [1.5]), "parameters": (3, None)},
    ),
    "history_of": (
        openspiel.history_of,
        {"rules": presets.openspiel(), "moves": []},
        {"rules": NO_RULES, "moves": NO_ITERABLE},
    ),
    "parameters_of": (openspiel.parameters_of, {"rules": presets.openspiel()}, {"rules": NO_RULES}),
    "pass_direction_of": (openspiel.pass_direction_of, {"rules": presets.openspiel()}, {"rules": NO_RULES}),
    "rules_of": (
        openspiel.rules_of,
        {"parameters": {}, "pass_direction": "left"},
        {"parameters": (3, None), "pass_direction": (3, [1])},
    ),
    "returns_of": (
        openspiel.returns_of,
        {"points": (1, 2, 3, 20)},
        {"points": (*NO_ITERABLE, "1234", (None,), ("1",), (True,), (1.5,))},
    ),
    "points_of": (
        openspiel.points_of,
        {"returns": (25.0, 24.0, 23, 6)},
        {"returns": (*NO_ITERABLE, "1234", (None,), ("1",), (True,))},
    ),
    "format_position": (notation.format_position, {"state": PLAYING}, {"state": NO_STATE}),
    "parse_position": (
        notation.parse_position,
        {"text": notation.format_position(PLAYING), "max_bytes": 10**6},
        {"text": NO_TEXT, "max_bytes": NO_INT},
    ),
    "parse_setup": (
        notation.parse_setup,
        {"text": notation.format_position(PLAYING), "max_bytes": 10**6},
        {"text": NO_TEXT, "max_bytes": NO_INT},
    ),
    "Setup": (
        heartsrules.setup.Setup,
        {"phase": heartsrules.Phase.DEAL, "rules": Rules()},
        {"phase": (None, "deal", 3), "rules": NO_RULES},
    ),
    "DealSetup": (
        heartsrules.setup.DealSetup,
        {"hands": DEAL.hands, "leader": 0, "kitty": Cards()},
        {"hands": NO_BAGS, "leader": (1.0, "1", True), "kitty": NO_BAG[:2]},
    ),
    "Record": (
        heartsrules.play.game.Record,
        {"rules": Rules(), "moves": TRICK, "points": ((1, 2, 3, 4),), "winners": None},
        {"rules": NO_RULES, "moves": (3, "abc", ["QS"]), "points": (3, "1", [[1.5]], [3]), "winners": (3, (True,))},
    ),
    "check": (heartsrules.setup.check, {"setup": heartsrules.setup.Setup.of(PLAYING)}, {"setup": (None, 3, PLAYING)}),
    "ScoreSheet": (
        heartsrules.ScoreSheet,
        {"start": (0, 0, 0, 0), "first": 0, "rows": ()},
        {"start": (None, 3, [0, 0], (0.0,)), "first": NO_INT, "rows": (3, None, "row", [3])},
    ),
    "Evaluation": (
        notation.Evaluation,
        {"quality": "fine", "points": (0, 0, 0), "win": (0, 0, 0), "text": ""},
        {
            "quality": (None, 3),
            "points": (None, 3, (1, 2), (1, 2, "3")),
            "win": (None, (1, 2, True)),
            "text": (None, 3),
        },
    ),
    "format_evaluation": (
        notation.format_evaluation,
        {"evaluation": notation.Evaluation("fine", (0, 0, 0), (0, 0, 0))},
        {"evaluation": (None, "fine")},
    ),
    "Variation": (
        notation.Variation,
        {"moves": [Play(0, Card("QS"))], "text": ""},
        {"moves": (None, 3, [3]), "text": (None, 3)},
    ),
    "format_variation": (
        notation.format_variation,
        {"variation": notation.Variation([Play(0, Card("QS"))])},
        {"variation": (None, "play")},
    ),
    "parse_variation": (notation.parse_variation, {"comment": ""}, {"comment": (None, 3)}),
    "parse_evaluation": (notation.parse_evaluation, {"comment": ""}, {"comment": (None, 3)}),
    "review": (
        analysis.review,
        {"game": GAME.fork(0), "seat": 0, "worlds": 2, "seed": "x", "policy": None},
        {
            "game": (None, 3, PLAYING),
            "seat": ("0", 1.5),
            "worlds": (None, "2", 1.5),
            "seed": (None, 3),
            "policy": (3, bots.heuristic),
        },
    ),
    "drills_of": (
        lambda review, **options: list(analysis.drills_of(review, **options)),
        {"review": analysis.review(GAME.fork(0), worlds=2), "worlds": 2, "seed": "x", "policy": None},
        {
            "review": (None, 3, GAME),
            "worlds": (None, "2", 1.5),
            "seed": (None, 3),
            "policy": (3, bots.heuristic),
        },
    ),
    "format_record": (notation.format_record, {"record": RECORD}, {"record": (None, 3, GAME)}),
    "format_records": (
        lambda records: list(notation.format_records(records)),
        {"records": [RECORD]},
        {"records": NO_ITERABLE},
    ),
    "parse_record": (
        notation.parse_record,
        {"source": TEXT, "max_line": 10**6, "max_tokens": 10**6, "max_bytes": 10**6},
        {"source": (3, None, b"Hearts/1", [3]), "max_line": NO_INT, "max_tokens": NO_INT, "max_bytes": NO_INT},
    ),
    "parse_records": (
        lambda source, **most: list(notation.parse_records(source, **most)),
        {"source": TEXT, "max_line": 10**6, "max_tokens": 10**6, "max_bytes": 10**6},
        {"source": (3, None, b"Hearts/1", [3]), "max_line": NO_INT, "max_tokens": NO_INT, "max_bytes": NO_INT},
    ),
    "scan_records": (
        lambda source, **most: list(notation.scan_records(source, **most)),
        {"source": TEXT, "max_line": 10**6, "max_tokens": 10**6, "max_bytes": 10**6},
        {"source": (3, None, b"Hearts/1", [3]), "max_line": NO_INT, "max_tokens": NO_INT, "max_bytes": NO_INT},
    ),
    "game_page": (
        viewer.game_page,
        {"game": Game(PLAYING), "seat": None, "names": None, "ply": 0, "language": "en"},
        {
            "game": (None, 3, "game", PLAYING),
            "seat": NO_OPTIONAL_INT,
            "names": NO_NAMES,
            "ply": NO_INT,
            "language": (None, 3),
        },
    ),
    "names_of": (
        viewer.names_of,
        {"record": RECORD, "language": "en"},
        {"record": (None, 3, "record", Game(PLAYING)), "language": (None, 3)},
    ),
    "diagram": (
        diagrams.diagram,
        {"shown": PLAYING, "symbols": False, "language": "en"},
        {"shown": (None, 3, "QS", Card("QS"), Rules()), "symbols": NO_BOOL, "language": (None, 3)},
    ),
    "card": (
        svg.card,
        {"card": Card("QS"), "dimmed": False, "sign": "", **LOOK},
        {"card": NO_CARD[:2], "dimmed": NO_BOOL, "sign": (None, 3), **NO_LOOK},
    ),
    "hand": (
        svg.hand,
        {"cards": HAND, "dimmed": (), "raised": (), "signs": {Card("QS"): "-5"}, **LOOK},
        {"cards": NO_CARDS_OF, "dimmed": NO_CARDS_OF, "raised": NO_CARDS_OF, "signs": NO_SIGNS, **NO_LOOK},
    ),
    "trick": (
        svg.trick,
        {"plays": TRICK, "first": 0, "names": None, "dimmed": (), "signs": None, **DRAWN},
        {
            "plays": (3, None, "QS", [Card("QS")]),
            "first": NO_INT,
            "names": NO_NAMES,
            "dimmed": NO_CARDS_OF,
            "signs": NO_SIGNS,
            **NO_DRAWN,
        },
    ),
    "table": (
        svg.table,
        {"shown": PLAYING, "first": 0, "names": None, "dimmed": None, "signs": None, **DRAWN},
        {
            "shown": (None, 3, "state", Rules(), Card("QS")),
            "first": NO_OPTIONAL_INT,
            "names": NO_NAMES,
            "dimmed": (3, "QS", ["QS"]),
            "signs": NO_SIGNS,
            **NO_DRAWN,
        },
    ),
    "score_sheet": (
        svg.score_sheet,
        {"shown": PLAYING, "names": None, "rows": 30, **LOOK},
        {"shown": (None, 3, "sheet", Rules()), "names": NO_NAMES, "rows": NO_INT, **NO_LOOK},
    ),
    "Colours": (svg.Colours, {"felt": "green", "red": "#f00"}, {"felt": (None, 3), "red": (None, 0xFF0000)}),
    "card_name": (svg.card_name, {"card": Card("QS"), "language": "en"}, {"card": NO_CARD, "language": (None, 3)}),
    "as_svg": (notebooks.as_svg, {"shown": PLAYING}, {"shown": (None, 3, Rules(), Card("QS"))}),
    "as_html": (notebooks.as_html, {"shown": Rules()}, {"shown": (None, 3, PLAYING)}),
    "parse_bool": (parse_bool, {"text": "yes"}, {"text": NO_TEXT}),
    "to_json": (
        wire.to_json,
        {"value": PLAYING, "indent": None},
        {"value": (None, 3, "QS", Card("QS"), HAND, Rules, [], (3,), (TRICK[0],)), "indent": (*NO_WIDTH, 2.0, False)},
    ),
    "from_json": (
        wire.from_json,
        {"data": wire.to_json(PLAYING), "kind": State, "max_bytes": 10**6},
        {
            "data": NO_DOCUMENT,
            "kind": (None, "State", int, list, tuple[int, ...]),
            "max_bytes": NO_INT,
        },
    ),
    "judge": (
        wire.judge,
        {"state": wire.to_json(PLAYING), "move": wire.to_json(TRICK[0]), "whole": True, "max_bytes": 10**6},
        {"state": NO_DOCUMENT, "move": NO_DOCUMENT, "whole": NO_BOOL, "max_bytes": NO_INT},
    ),
    "format_rules": (notation.format_rules, {"rules": Rules()}, {"rules": NO_RULES}),
    "parse_rules": (notation.parse_rules, {"text": "default"}, {"text": NO_TEXT}),
    "format_field": (
        notation.format_field,
        {"name": "pass_cycle", "value": (), "players": 4},
        {"name": NO_TEXT, "value": (3, None, "hold", (1,), ((1,),), (((1,),),)), "players": NO_INT},
    ),
    "format_field of bonuses": (
        partial(notation.format_field, players=4),
        {"name": "bonuses", "value": (Bonus(Card("JD"), 10),)},
        {"value": (3, (1,), ((Card("JD"), 10),))},
    ),
    "format_field of pairs": (
        partial(notation.format_field, players=4),
        {"name": "exact_resets", "value": ((100, 50),)},
        {"value": ((1,), ((1,),), ((1, 2, 3),))},
    ),
    "parse_field": (
        notation.parse_field,
        {"name": "players", "text": "4", "players": 4},
        {"name": NO_TEXT, "text": NO_TEXT, "players": NO_INT},
    ),
}

UNCHECKED = {
    # What functions of the package give; the constructors check nothing.
    *(
        "AwaitingDeal",
        "Passing",
        "Exposing",
        "Playing",
        "ChoosingMoon",
        "GameOver",
        "DealStart",
        "PlayedDeal",
        "Trick",
        "DealScore",
    ),
    *("AwaitingDealView", "PassingView", "PlayingView", "ChoosingMoonView", "ExposingView", "GameOverView"),
    *(
        "DealStartView",
        "PlayedDealView",
        "PassMoves",
        "PassOptions",
        "SeatPasses",
        "Standing",
        "Transition",
        "CardChoice",
        "Rollouts",
        "ChoiceCounts",
    ),
    *("Comparison", "Duel", "Estimate", "Named", "Rating", "Results"),
    *("RefusedMove", "Middle", "Replay", "ScoreMismatch", "Verdict"),
    # Functions of masks and tables on the path of a play, which trust their callers: all are in the package.
    *(
        "breaks_hearts",
        "broken_before",
        "led_suit",
        "pack_problems",
        "masks_of",
        "takes_kitty",
        "trick_outcome",
        "winning_position",
    ),
    *(
        "complete_trick",
        "deal_outcome",
        "fixed_leader",
        "opening_leader",
        "opening_suit",
        "seats_before",
    ),
    *(
        "effect_code",
        "row_winners",
        "game_winners",
        "playout_deal",
        "playable",
        "reasons_against",
        "score_finished_deal",
    ),
    *("beaten_by", "beaten_faces", "board_outcome", "count_piles", "score_board", "set_points", "settle"),
    *(
        "ResolvedPolicy",
        "choose_moon",
        "lead_on_board",
        "play_tricks",
        "roll_out",
        "score",
        "set_row",
        "to_lead",
        "who_shot",
        "winners_among",
        "winning_sides",
        "winning_face",
    ),
    *("reasons_against_pass", "reasons_by_card", "unfinished_trick"),
    # Their types are tested beside what they do, or they are for others to fill in.
    *("Bonus", "Policy", "Problem", "Rules", "advance", "set_up"),
    *("believable", "may_hold"),
    # What this package makes, and what its own ways of drawing share; a player without arguments.
    *("Learned", "Picture", "deal_of", "lying_open", "may_be_shown"),
    # The command line judges files with them.
    *("Judgement", "Unreadable", "WrittenGame", "WrittenJson"),
    *("in_portions", "judge_written", "one_by_one", "read_written", "written_in_text"),
}


def public_callables() -> Iterator[str]:
    """The names of all that can be called and is neither an enum, nor an error, violation, event or protocol."""
    for module in (heartsrules, *(importlib.import_module(f"heartsrules.{name}") for name in MODULES)):
        for name in module.__all__:
            thing = getattr(module, name)
            if inspect.isclass(thing):
                told = thing.__module__ in ("heartsrules.play.events", "heartsrules.play.violations") or thing is int
                if told or type(thing) is not type or issubclass(thing, Exception):
                    continue
            elif not inspect.isroutine(thing):
                continue
            yield name


@pytest.mark.parametrize("name", sorted({name for name in public_callables() if name not in UNCHECKED}))
def test_every_public_callable_is_tried(name: str) -> None:
    assert name in CALLS


@pytest.mark.parametrize("name", CALLS)
def test_right_types_are_taken(name: str) -> None:
    call, right, _ = CALLS[name]
    call(**right)


@pytest.mark.parametrize(
    ("name", "argument"), [(name, argument) for name, (_, _, wrong) in CALLS.items() for argument in wrong]
)
def test_a_type_error_names_the_argument(name: str, argument: str) -> None:
    call, right, wrong = CALLS[name]
    for value in wrong[argument]:
        with pytest.raises(TypeError, match=rf"(?<!\w){argument}(?!\w)") as caught:
            call(**{**right, argument: value})
        # Neither Python nor mypyc has said it.
        assert "object expected" not in str(caught.value)
        assert "unexpected keyword" not in str(caught.value)
        assert len(str(caught.value)) < 200


def lines() -> Iterator[str]:
    """A line for each message of each function."""
    seen: set[str] = set()
    for name, (call, right, wrong) in CALLS.items():
        for argument, values in wrong.items():
            for value in values:
                try:
                    call(**{**right, argument: value})
                except TypeError as error:
                    # From Python 3.14 on the type of `int | str` has another name.
                    line = re.sub(f"not an {type(int | str).__name__}$", "not an UnionType", f"{name} | {error}")
                    if line not in seen:
                        seen.add(line)
                        yield line


def test_the_number_of_bits_is_an_int() -> None:
    for bits in (SeededBits(7), RandomStream(7)):
        for wrong in NO_INT:
            with pytest.raises(TypeError, match="k must be an int, not"):
                bits.getrandbits(wrong)
        for outside in (0, 65, -1, 2**63, 10**5000):
            with pytest.raises(ValueError, match="k must be from 1 to 64, not"):
                bits.getrandbits(outside)


def test_lazy_sequences_take_the_indices_that_tuples_take() -> None:
    class Second:
        def __index__(self) -> int:
            return 1

    moves: Any = PASSES
    assert moves[True] == moves[1] == moves[Second()] == tuple(moves)[1]
    assert moves[-1] == moves[len(moves) - 1]
    assert moves[1:3] == (moves[1], moves[2])
    deals: Any = heartsrules.legal_moves(START)
    for lazy in (moves, deals):
        for wrong in (1.5, "1", None, (1,)):
            with pytest.raises(TypeError, match="index must be an int or a slice, not"):
                lazy[wrong]
    for outside in (len(moves), -len(moves) - 1, 2**63, -(2**70), 10**5000):
        with pytest.raises(IndexError, match="there is none at"):
            moves[outside]
    for outside in (SEAT_PASSES.count, -1, 2**63, 10**5000):
        with pytest.raises(IndexError, match="there is none at"):
            SEAT_PASSES.at(outside)


def test_all_deals_are_not_counted_and_not_searched() -> None:
    deals: Any = heartsrules.legal_moves(START)
    calls: list[Callable[[], object]] = [
        lambda: len(deals),
        lambda: deals[0],
        lambda: deals[0:2],
        lambda: deals.count(DEAL),
        lambda: deals.index(DEAL),
        lambda: deals.index(DEAL, 1, 5),
        lambda: next(reversed(deals)),
    ]
    for call in calls:
        with pytest.raises(OverflowError, match="too many deals"):
            call()
    assert DEAL in deals


SURROGATE = "lobby \ud800"


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: SeededBits(SURROGATE), "seed holds a lone surrogate at index 6"),
        (lambda: SeededBits("lobby", SURROGATE), "label holds a lone surrogate at index 6"),
        (lambda: RandomStream(SURROGATE), "seed holds a lone surrogate at index 6"),
        (lambda: deal(START, seed=SURROGATE), "seed holds a lone surrogate at index 6"),
        (lambda: SeededBits(10**5000), "seed is a number of about 5001 digits: give at most 600 digits"),
        (lambda: RandomStream(-(10**600)), "seed is a number of about 601 digits: give at most 600 digits"),
        (lambda: deal(START, seed=10**5000), "seed is a number of about 5001 digits: give at most 600 digits"),
        (
            lambda: heartsrules.cut_for_deal(10**5000, Random(7)),
            "players is a number of about 5001 digits: choose 3 to 11",
        ),
        (
            lambda: heartsrules.analysis.playout.playout(START, Random(7), deals=-(10**5000)),
            "deals is a number of about 5001 digits",
        ),
        (lambda: chance.below(Random(7), 10**5000), "bound must be from 1 to .* not a number of about 5001 digits"),
        (lambda: RandomStream(7).below(10**5000), "bound must be from 1 to .* not a number of about 5001 digits"),
        (lambda: RandomStream(7).pick(4097), "bound must be from 1 to 4096, not 4097"),
        (lambda: RandomStream(7).fair(0), r"bound must be from 1 to 2\*\*31, not 0"),
        (lambda: RandomStream.from_bits(10**5000), "bits must be from 0 to .* not a number of about 5001 digits"),
        (lambda: RandomStream(0, (0, 0, 0, 10**5000)), "words must be from 0 to .* not a number of about 5001 digits"),
        (
            lambda: notation.parse_field("players", "4", 10**5000),
            "players is a number of about 5001 digits: choose 3 to 11",
        ),
    ],
)
def test_what_is_refused_is_named(call: Callable[[], object], words: str) -> None:
    with pytest.raises(ValueError, match=words) as caught:
        call()
    assert not isinstance(caught.value, UnicodeError)


def test_the_longest_seed_still_stands_for_its_decimal_text() -> None:
    longest = 10**600 - 1
    assert SeededBits(longest).getrandbits(64) == SeededBits("9" * 600).getrandbits(64)
    assert isinstance(START, AwaitingDeal)
    assert deal(START, seed=-longest) == deal(START, seed="-" + "9" * 600)
