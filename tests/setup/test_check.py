"""Setups and `check`: every problem with its code and its fields, one by one, and the value that carries them."""

from __future__ import annotations

import ast
import copy
import pickle
import re
from collections.abc import Callable, Iterator
from itertools import chain
from pathlib import Path
from random import Random
from typing import Any, Final, TypeVar

import attrs
import pytest

import heartsrules
from heartsrules import (
    AwaitingDeal,
    Card,
    Cards,
    ChoosingMoon,
    DealScore,
    Expose,
    Exposing,
    GameOver,
    InvalidState,
    Pass,
    Passing,
    Phase,
    Play,
    Playing,
    Rules,
    State,
    Suit,
    apply,
    is_legal,
    legal_moves,
    new_game,
    presets,
    view,
)
from heartsrules.base.errors import MAX_PROBLEMS
from heartsrules.base.values import replaced
from heartsrules.cards import ALL_FACES
from heartsrules.play.board import Board
from heartsrules.play.game import Game
from heartsrules.play.state import MidDealPosition
from heartsrules.rules import HOLD, MAX_DEALS, Bonus, Exposure, Kitty, Moon, OpeningLeader, PassOptional, QueenBreaks
from heartsrules.setup import DealSetup, Setup, check
from heartsrules.setup import replay as replay_module
from heartsrules.setup.replay import replayed
from heartsrules.testing import names
from support.problems import name_called
from support.random_play import is_playing, random_move, reached
from support.setups import CODES, true_setups, with_deal
from support.strategies import AIMS, match, play_highest, play_lowest, random_rules

T = TypeVar("T")

KITTY: Final = Rules(players=5, kitty=Kitty.FIRST_POINT, queen_breaks=QueenBreaks.LED)
CHOICE: Final = Rules(moon=Moon.CHOICE, target=20)
TEAMS: Final = Rules(players=6, decks=2, hand_size=17, kitty=Kitty.FIRST_HEART, teams=2, moon=Moon.CHOICE, target=30)
SOURCES: Final = Path(heartsrules.__file__).parent


def states_of(rules: Rules, seed: int, deals: int = 2) -> list[State]:
    """The states of a match with random moves."""
    game, rng = Game.start(rules), Random(seed)
    while not isinstance(game.state, GameOver) and game.state.deal_number < deals:
        game = game.play(random_move(game.state, rng))
    return list(game.states)


def first_of(kind: type[T], states: list[State], test: Callable[[T], bool] | None = None) -> T:
    return next(state for state in states if isinstance(state, kind) and (test is None or test(state)))


MATCH: Final = states_of(Rules(), 1)
KITTIES: Final = states_of(KITTY, 5)


def moon_states() -> list[State]:
    """A deal in which a seat shoots the moon."""
    for seed in range(400):
        states = [after for _, _, after in match(CHOICE, Random(seed), 1, (play_highest, *[play_lowest] * 3), "strong")]
        if any(isinstance(state, ChoosingMoon) for state in states):
            return states
    raise AssertionError("nobody shot the moon")


PASSING: Final[Any] = Setup.of(first_of(Passing, MATCH, lambda state: state.commitments.count(None) == 2))
PLAYING: Final[Any] = Setup.of(first_of(Playing, MATCH, lambda state: len(state.tricks) == 4 and len(state.trick) == 2))
LEADING: Final[Any] = Setup.of(first_of(Playing, MATCH, lambda state: len(state.tricks) == 4 and not state.trick))
DEALT: Final[Any] = Setup.of(first_of(Playing, MATCH))
LATER: Final[Any] = Setup.of(first_of(Playing, MATCH, lambda state: state.deal_number == 1 and bool(state.tricks)))
AFTER: Final[Any] = Setup.of(first_of(AwaitingDeal, MATCH, lambda state: state.deal_number == 1))
MOON: Final[Any] = Setup.of(first_of(ChoosingMoon, moon_states()))
CHOSEN: Final[Any] = Setup.of(apply(check(MOON), legal_moves(check(MOON))[0]))
OVER: Final[Any] = CHOSEN
TAKEN: Final = first_of(
    Playing, KITTIES, lambda state: state.trick_number == 5 and len(state.trick) == 2 and state.kitty_winner is not None
)
UNTAKEN: Final = first_of(Playing, KITTIES, lambda state: state.trick_number == 1 and state.kitty_winner is None)


def from_middle(state: Playing, **changes: Any) -> Setup:
    middle = MidDealPosition(state.leader, state.captured, state.tricks_won, state.set_aside, state.kitty_winner)
    return Setup(
        phase=Phase.PLAY,
        rules=state.rules,
        deal_number=state.deal_number,
        hands=state.hands,
        kitty=state.kitty,
        trick=state.trick,
        resumed_from=replaced(middle, **changes),
    )


MIDDLE: Final[Any] = from_middle(TAKEN)
PLAIN: Final[Any] = from_middle(
    first_of(Playing, MATCH, lambda state: state.trick_number == 5 and not state.trick and state.deal_number == 0)
)


def test_what_the_cases_start_from_can_be() -> None:
    starts = [
        PASSING, PLAYING, LEADING, DEALT, LATER, AFTER, MOON, CHOSEN, MIDDLE, PLAIN, from_middle(UNTAKEN), QUEEN_OUT,
        SET_ASIDE, UNSHOWN, IN_TURN, IN_KITTY, SHOWN, SHOWN_FIRST, SHOWN_AFTER,
        shown_middle(Kitty.FIRST_TRICK, s0="QS"), shown_middle(Kitty.LAST_TRICK, s0="QS"),
    ]  # fmt: skip
    assert [check(setup).rules for setup in starts] == [setup.rules for setup in starts]
    assert CHOSEN.phase is Phase.OVER


def but(setup: Setup, **changes: Any) -> Setup:
    return attrs.evolve(setup, **changes)


def last(setup: Setup, **changes: Any) -> Setup:
    assert setup.last_deal is not None
    return attrs.evolve(setup, last_deal=attrs.evolve(setup.last_deal, **changes))


def middle(setup: Setup, **changes: Any) -> Setup:
    assert setup.resumed_from is not None
    return attrs.evolve(setup, resumed_from=replaced(setup.resumed_from, **changes))


def put(items: tuple[Any, ...], place: int, item: Any) -> tuple[Any, ...]:
    return (*items[:place], item, *items[place + 1 :])


def trick(setup: Setup, number: int, **changes: Any) -> Setup:
    return but(setup, tricks=put(setup.tricks, number, replaced(setup.tricks[number], **changes)))


def row(setup: Setup, **changes: Any) -> Setup:
    return but(setup, score_sheet=put(setup.score_sheet, 0, replaced(setup.score_sheet[0], **changes)))


def without(bag: Cards, count: int = 1) -> Cards:
    """The bag without its first cards."""
    return Cards(list(bag)[count:])


def first(bag: Cards, count: int = 1) -> Cards:
    return Cards(list(bag)[:count])


def pile(setup: Setup, seat: int) -> Cards:
    assert setup.resumed_from is not None
    return setup.resumed_from.captured[seat]


def moved(setup: Setup, giver: int, taker: int, count: int, **changes: Any) -> Setup:
    """Some cards of a pile lie in another one."""
    assert setup.resumed_from is not None
    bag = first(pile(setup, giver), count)
    piles = put(setup.resumed_from.captured, giver, pile(setup, giver) - bag)
    return middle(setup, captured=put(piles, taker, piles[taker] + bag), **changes)


def shifted(setup: Setup) -> Setup:
    """Every seat has passed what the seat before it has."""
    gifts = [move.cards for move in setup.passes if move is not None]
    return but(setup, passes=tuple([Pass(seat, *gifts[seat - 1]) for seat in range(len(gifts))]))


def out_of_turn(setup: Setup) -> Setup:
    """The seat after the leader plays first."""
    assert setup.leader is not None
    seat = (setup.leader + 1) % setup.rules.players
    hand = setup.hands[seat]
    return but(setup, hands=put(setup.hands, seat, without(hand)), trick=(Play(seat, next(iter(hand))),))


def in_play(setup: Setup) -> Setup:
    """The last deal as if it was still going on."""
    told = setup.last_deal
    assert told is not None
    return Setup(phase=Phase.PLAY, rules=setup.rules, hands=(Cards(),) * 4, tricks=told.tricks, passes=told.passes)


PLAIN_RULES: Final = Rules()


def before(*rows: DealScore, rules: Rules = PLAIN_RULES, number: int = 1, **more: Any) -> Setup:
    """The score sheet before a deal."""
    return Setup(phase=Phase.DEAL, rules=rules, deal_number=number, score_sheet=rows, **more)


def scored(*points: int, won: tuple[int, ...] = (4, 4, 4, 1), **changes: Any) -> DealScore:
    """A row without a moon; the Q♠ is with the most points."""
    return replaced(DealScore(points, points, None, None, False, won, points, points.index(max(points))), **changes)


POOR: Final = next(seat for seat in range(4) if not pile(PLAIN, seat))
RICH: Final = next(seat for seat in range(4) if pile(PLAIN, seat))
FULL: Final = next(seat for seat in range(4) if seat != RICH and pile(PLAIN, seat))
TAKER: Final[Any] = TAKEN.kitty_winner
NOT_TAKER: Final = next(seat for seat in range(5) if seat != TAKER)
DEALER_LEFT: Final[Any] = from_middle(
    first_of(
        Playing, states_of(Rules(opening_leader=OpeningLeader.DEALER_LEFT, decks=2, two_pairs_void=True), 2),
        lambda state: state.trick_number == 1,
    )
)  # fmt: skip
ALL_OF_THEM: Final = Rules().deck - Cards("2C 3C 4C 5C")


def two_decks(
    hands: str, passes: tuple[str, ...] = (), *, middle: MidDealPosition | None = None, **options: Any
) -> Setup:
    """A deal of two decks of twelve cards for three players, as far as it is told."""
    deck = Cards("2C 2C 3C 3C 4C 4C 5C 5C 6C 6C 2H 2H")
    everything = Rules(players=4, decks=2).deck
    rules = Rules(players=3, decks=2, removed=everything - deck, **options)
    moves = [Pass(seat, *tuple(map(Cards, gifts.split("/")))) for seat, gifts in enumerate(passes)]
    return Setup(
        phase=Phase.PLAY,
        rules=rules,
        hands=tuple(map(Cards, hands.split(", "))),
        passes=tuple(moves),
        resumed_from=middle,
    )


HELD: Final = "2C 2C 6C 6C, 4C 4C 3C 3C, 5C 5C 2H 2H"
DOUBLY_PASSED: Final[Any] = two_decks(
    HELD, ("5C 5C/2C 2C", "2C 2C/6C 6C", "3C 3C/4C 4C"), pass_cycle=[((1, 2), (2, 2))]
)
DOUBLY_DEALT: Final[Any] = two_decks(HELD, ("2C 2C", "5C 5C", "6C 6C"), pass_cycle=[((1, 2),)])
VOID: Final = MidDealPosition(2, (Cards(),) * 3, None, Cards("2C 2C 3C"))
NOBODY_WON: Final[Any] = two_decks(
    "3C 6C 6C, 4C 4C 5C, 5C 2H 2H", middle=VOID, opening_leader=OpeningLeader.DEALER_LEFT
)
QUEEN_STATE: Final = first_of(
        Playing, list(chain.from_iterable(states_of(Rules(queen_breaks=QueenBreaks.LED), seed) for seed in range(30))),
        lambda state: not state.trick and Card("QS") in sum(state.captured, Cards()) and not any(
            card.suit is Card("2H").suit for pile in state.captured for card in pile
    ),
)  # fmt: skip
QUEEN_OUT: Final[Any] = from_middle(QUEEN_STATE)

# The cards that two seats have shown: the ace of hearts seat 2, the queen of spades seat 3.
SHOWING: Final = states_of(Rules(exposable="QS AH"), 1, 1)
SHOWING_STATE: Final = first_of(Exposing, SHOWING)
UNSHOWN: Final[Any] = Setup.of(SHOWING_STATE)
SHOWN: Final[Any] = Setup.of(first_of(Playing, SHOWING, lambda state: len(state.tricks) == 4 and not state.trick))
SHOWN_FIRST: Final[Any] = Setup.of(first_of(Playing, SHOWING))
SHOWN_AFTER: Final[Any] = Setup.of(first_of(AwaitingDeal, SHOWING, lambda state: state.deal_number == 1))
IN_TURN: Final[Any] = but(UNSHOWN, rules=Rules(exposable="QS AH", exposure=Exposure.IN_TURN))
IN_ROUNDS: Final[Any] = but(UNSHOWN, rules=Rules(exposable="QS AH", exposure=Exposure.ROUNDS))
IN_KITTY: Final[Any] = Setup(
    phase=Phase.EXPOSE,
    rules=Rules(exposable="QS AH", hand_size=12, kitty=Kitty.FIRST_TRICK, pass_cycle=[()]),
    hands=tuple([Rules().deck.of_suit(suit) - Cards("QS 2C 2D 2H") for suit in Suit]),
    kitty=Cards("QS 2C 2D 2H"),
)


def exposed(setup: Setup, **cards: str) -> Setup:
    """What seats are told to have shown: of `s3` seat 3."""
    bags = [Cards(cards.get(f"s{seat}", "")) for seat in range(setup.rules.players)]
    return with_deal(setup, exposed=tuple(bags))


def shows(setup: Setup, **cards: str) -> Setup:
    """What seats are told to show while cards are shown; the others have not decided."""
    moves = [Expose(seat, Cards(cards[f"s{seat}"])) if f"s{seat}" in cards else None for seat in range(4)]
    return but(setup, exposures=tuple(moves))


def shown_middle(kitty: Kitty, **cards: str) -> Setup:
    """The last two tricks, before which seat 1 has won all cards, and what seats are told to have shown."""
    rules = Rules(exposable="QS AH", hand_size=12, kitty=kitty, pass_cycle=[()])
    hands = tuple(map(Cards, ("QS 3S", "4S 5S", "6S 7S", "8S 9S")))
    left_over = Cards("2C 2D AH 3H")
    taken = kitty is Kitty.FIRST_TRICK
    pile = rules.deck - sum(hands, Cards()) - (Cards() if taken else left_over)
    won = MidDealPosition(1, (Cards(), pile, Cards(), Cards()), None, Cards(), 1 if taken else None)
    setup = Setup(phase=Phase.PLAY, rules=rules, hands=hands, kitty=left_over, resumed_from=won)
    return exposed(setup, **cards)


def led_in_no_trick(*suits: Suit) -> Setup:
    """A middle before the first trick, of which suits are told all the same."""
    rules = Rules(exposable="QS AH", pass_cycle=[()])
    deck = list(rules.deck)
    hands = tuple([Cards(deck[seat::4]) for seat in range(4)])
    before = MidDealPosition(0, rules._resolved.nothing, suits_led=suits)
    return Setup(phase=Phase.PLAY, rules=rules, hands=hands, resumed_from=before)


# Nobody won the third trick.
SET_ASIDE: Final[Any] = Setup.of(
    first_of(
        Playing, states_of(two_decks(HELD).rules, 3, 1),
        lambda state: len(state.tricks) == 3 and state.tricks[2].winner is None,
    )
)  # fmt: skip
QUEEN_LEADS: Final[Any] = from_middle(
    first_of(Playing, states_of(Rules(opening_leader=OpeningLeader.QUEEN_TAKER), 1, 1))
)
ENDLESS: Final = Rules(target=None, max_deals=5)
MOST_A_DEAL: Final = 9_000_000_000

TRICK: Final = PLAYING.tricks[0]
ROW: Final = AFTER.score_sheet[0]

WRONG_CARDS: Final = "wrong-cards hands trick resumed_from.captured resumed_from.set_aside kitty"

# The cases: a setup, and the code and the fields of each of its problems.
CASES: Final[list[tuple[Setup, str]]] = [
    (two_decks("AS 2C 6C 6C, 4C 4C 3C 3C, 5C 5C 2H 2H", pass_cycle=[()]),
     "wrong-kitty-size kitty; foreign-cards hands"),
    (middle(PLAIN, captured=(Cards(),) * 4), WRONG_CARDS),
    (but(PLAYING, hands=PLAYING.hands[:3]), "wrong-count hands"),
    (but(PLAYING, captured=PLAYING.captured[:3], tricks_won=(1,), scores=()),
     "wrong-count captured; wrong-count tricks_won; wrong-count scores"),
    (but(PLAYING, passes=PLAYING.passes[:3]), "wrong-count passes"),
    (but(AFTER, start=(0, 0)), "wrong-count start"),
    (trick(PLAYING, 2, plays=PLAYING.tricks[2].plays[:3]), "wrong-count tricks[2].plays"),
    (middle(MIDDLE, captured=(Cards(),) * 2, tricks_won=(0,)),
     "wrong-count resumed_from.captured; wrong-count resumed_from.tricks_won"),
    (last(AFTER, hands=(Cards(),) * 3), "wrong-count last_deal.hands"),
    (row(AFTER, points=(1, 2), card_points=(), tricks_won=(13,), totals=(26,)),
     ("contradiction score_sheet[0].points; contradiction score_sheet[0].card_points; "
     "contradiction score_sheet[0].tricks_won; contradiction score_sheet[0].totals")),
    (but(AFTER, score_sheet=(), first=1, start=AFTER.scores), "wrong-count score_sheet deal_number"),
    (but(AFTER, deal_number=3), "wrong-count score_sheet deal_number"),
    (Setup(phase=Phase.DEAL, rules=Rules(), deal_number=3), "wrong-count score_sheet deal_number"),
    (but(LATER, deal_number=2), "wrong-count score_sheet deal_number"),
    (but(PLAYING, leader=4, turn=-1, kitty_winner=2**70),
     "no-such-seat turn; no-such-seat leader; no-such-seat kitty_winner"),
    (but(MOON, shooter=4), "no-such-seat shooter"),
    (but(OVER, winners=(4,)), "no-such-seat winners[0]"),
    (trick(PLAYING, 0, leader=4, winner=-1), "no-such-seat tricks[0].leader; no-such-seat tricks[0].winner"),
    (trick(PLAYING, 0, plays=put(PLAYING.tricks[0].plays, 1, Play(9, Card("2C")))), "no-such-seat tricks[0].plays[1]"),
    # Each alone, and next to those that the table has.
    *[(trick(PLAYING, 0, **{name: seat}), f"no-such-seat tricks[0].{name}")
      for name in ("leader", "winner") for seat in (-1, 4)],
    *[(trick(PLAYING, 0, plays=put(PLAYING.tricks[0].plays, 1, Play(seat, Card("2C")))),
       "no-such-seat tricks[0].plays[1]") for seat in (-1, 4)],
    (middle(MIDDLE, leader=5, kitty_winner=9),
     "no-such-seat resumed_from.leader; no-such-seat resumed_from.kitty_winner"),
    (but(PLAYING, trick=(Play(7, Card("2C")),)), "no-such-seat trick"),
    (but(PLAYING, trick=(Play(0, Card("2C")), Play(2, Card("3C")))), "wrong-order trick"),
    (but(PLAYING, trick=(Play(0, Card("2C")), Play(1, Card("2C")))), "too-many-copies trick"),
    (but(PLAYING, trick=tuple([Play(seat, card) for seat, card in enumerate(Cards("2C 3C 4C 5C"))])),
     "complete-trick trick"),
    (but(PLAYING, deal_number=-1), "out-of-range deal_number"),
    (but(PLAYING, first=-1), "out-of-range first"),
    (but(AFTER, deal_number=0, score_sheet=()), "out-of-range deal_number last_deal"),
    (but(PASSING, trick=(Play(0, Card("2C")),), winners=(), hearts_broken=False),
     "not-in-phase trick phase; not-in-phase hearts_broken phase; not-in-phase winners phase"),
    (but(AFTER, kitty=Cards(), captured=()),
     "not-in-phase kitty phase; not-in-phase captured phase; wrong-count captured"),
    (but(PLAYING, effect=Moon.OTHERS_UP), "not-in-phase effect phase"),
    (last(AFTER, hearts_broken=True), "not-in-phase last_deal.hearts_broken phase"),
    (last(AFTER, hands=put((Cards(),) * 4, 0, Cards("2C")), trick=(Play(0, Card("2C")),)),
     "deal-not-over last_deal.hands; deal-not-over last_deal.trick"),
    (but(LATER, first=1, score_sheet=(), start=None), "no-start start first"),
    (but(PLAYING, start=(0, 0, 0, 1)), "wrong-scores start first"),
    (row(LATER, totals=(1, 2, 3, 4)), "wrong-scores score_sheet[0].totals"),
    (but(LATER, first=1, start=(0, 100, 1, 2), score_sheet=(), scores=None), "game-is-over start"),
    (before(scored(200, 0, 0, 0), scored(26, 0, 0, 0), number=2),
     "wrong-sum score_sheet[0].card_points; wrong-scores score_sheet[1].totals; wrong-moon score_sheet[1].shooter"),
    (but(PASSING, deal_number=3, first=3, start=(0, 0, 0, 0), scores=None), "no-passing phase"),
    (but(PASSING, passes=tuple([Pass(seat, first(hand, 3)) for seat, hand in enumerate(PASSING.hands)])),
     "wrong-phase phase passes"),
    (but(PASSING, hands=put(PASSING.hands, 0, Cards("2C"))),
     "wrong-hand-size hands[0]; missing-cards hands; extra-cards hands"),
    (but(PASSING, passes=(Pass(0), None, None, None)), "illegal-pass passes[0]"),
    (but(PASSING, passes=(None, Pass(0), None, None)), "wrong-seat passes[1]"),
    (but(DEALT, deal_number=3, first=3, start=(0, 0, 0, 0), scores=None), "no-passing passes"),
    (but(DEALT, passes=put(DEALT.passes, 2, None)), "missing-pass passes[2]"),
    (but(DEALT, rules=Rules(unpassable=first(DEALT.passes[2].cards[0]))), "illegal-pass passes[2]"),
    (but(Setup.of(TAKEN), kitty=Cards()), "wrong-kitty-size kitty; missing-cards hands"),
    (but(DEALT, dealt_back=(Cards(),) * 4), "wrong-deal-back dealt_back"),
    (but(DEALT, dealt_back=(Cards(),) * 4, passes=()), "wrong-deal-back dealt_back passes"),
    (but(DEALT, dealt_back=(Cards(),) * 3), "wrong-count dealt_back"),
    (but(DEALT, rules=Rules(pass_cycle=(((0, 3),),))), "wrong-deal-back dealt_back"),
    (but(DEALT, passes=put(DEALT.passes, 2, Pass(2, Cards("2C")))), "illegal-pass passes[2]"),
    (shifted(DEALT), "illegal-pass passes[0]; illegal-pass passes[1]; illegal-pass passes[2]; illegal-pass passes[3]"),
    (but(PLAYING, hands=put(PLAYING.hands, 0, without(PLAYING.hands[0])), passes=()),
     "wrong-hand-size hands[0]; missing-cards hands"),
    (but(PLAYING, hands=put(PLAYING.hands, 0, Cards([PLAYING.tricks[0].plays[0].card] * 2))),
     "wrong-hand-size hands[0]; missing-cards hands; extra-cards hands"),
    (but(PLAYING, tricks=PLAYING.tricks * 3), "extra-cards hands"),
    (but(DEALT, kitty=Cards("2C"), passes=()), "wrong-kitty-size kitty; extra-cards hands"),
    (but(PLAYING, tricks=PLAYING.tricks[::-1]), "illegal-play tricks[0].plays[0]"),
    (trick(PLAYING, 1, winner=None), "wrong-trick tricks[1].winner"),
    (trick(PLAYING, 1, leader=(PLAYING.tricks[1].leader + 1) % 4), "wrong-trick tricks[1].leader"),
    (out_of_turn(LEADING), "illegal-play trick[0]"),
    (but(PLAYING, leader=(PLAYING.leader + 1) % 4), "contradiction leader"),
    (but(PLAYING, tricks_won=(9, *PLAYING.tricks_won[1:]), trick_number=3),
     "contradiction tricks_won[0]; contradiction trick_number"),
    (but(PLAYING, captured=put(PLAYING.captured, 2, Cards("2C")), set_aside=Cards("2C"), kitty_winner=0),
     "contradiction captured[2]; contradiction set_aside; contradiction kitty_winner"),
    (but(PLAYING, turn=PLAYING.leader, hearts_broken=not PLAYING.hearts_broken, has_full_history=False, scores=(0, 1, 0,
     0)), "contradiction has_full_history; contradiction scores[1]; contradiction turn; contradiction hearts_broken"),
    (but(OVER, winners=(0, 1, 2, 3)), "contradiction winners"),
    (but(OVER, winners=()), "contradiction winners"),
    (but(MOON, shooter=(MOON.shooter + 1) % 4, others_up=MOON.shooter_down),
     ("contradiction shooter; contradiction others_up.points; contradiction others_up.effect; "
     "contradiction others_up.totals")),
    (last(AFTER, tricks_won=(13, 0, 0, 0), trick_number=12),
     ("contradiction last_deal.tricks_won[0]; contradiction last_deal.tricks_won[1]; "
     "contradiction last_deal.tricks_won[2]; contradiction last_deal.trick_number")),
    (but(AFTER, last_deal=None, effect=Moon.OTHERS_UP), "no-last-deal last_deal effect"),
    (but(MOON, last_deal=None), "no-last-deal last_deal"),
    (but(OVER, last_deal=None), "no-last-deal last_deal"),
    (last(AFTER, tricks=AFTER.last_deal.tricks[:5]),
     ("wrong-hand-size last_deal.tricks; wrong-hand-size last_deal.tricks; wrong-hand-size last_deal.tricks; "
     "wrong-hand-size last_deal.tricks; missing-cards last_deal.tricks")),
    (last(AFTER, tricks=LATER.tricks[:0], resumed_from=MidDealPosition(0, (Cards(),) * 4)),
     "passes-without-history last_deal.passes last_deal.resumed_from"),
    (but(AFTER, phase=Phase.MOON, deal_number=0, score_sheet=(), scores=None), "no-choice phase last_deal"),
    (but(AFTER, phase=Phase.OVER, deal_number=0), "wrong-phase phase"),
    (but(OVER, phase=Phase.DEAL, deal_number=1, winners=None), "wrong-phase phase"),
    (but(CHOSEN, score_sheet=()), "wrong-moon effect"),
    (but(CHOSEN, score_sheet=(), effect=Moon.CHOICE), "wrong-moon effect"),
    (row(CHOSEN, effect=None), "wrong-moon score_sheet[0].effect"),
    (but(AFTER, effect=Moon.SHOOTER_DOWN), "contradiction effect"),
    (but(OVER, effect=Moon.SHOOTER_DOWN), "contradiction effect"),
    (row(AFTER, points=(26, 0, 0, 0)), "contradiction score_sheet[0].points"),
    (but(PLAYING, hands=(Cards(),) * 4),
     ("wrong-hand-size hands[0]; wrong-hand-size hands[1]; wrong-hand-size hands[2]; wrong-hand-size hands[3]; "
     "missing-cards hands")),
    (in_play(AFTER), "deal-is-over hands"),
    (middle(PLAIN, tricks_won=(-1, 0, 0, 0)), ("wrong-tricks-won resumed_from.tricks_won[0] resumed_from.captured[0]; "
     "wrong-tricks-won resumed_from.tricks_won[1] resumed_from.captured[1]; "
     "wrong-tricks-won resumed_from.tricks_won[2] resumed_from.captured[2]; "
     "wrong-leader resumed_from.leader resumed_from.captured")),
    (middle(PLAIN, captured=(without(pile(PLAIN, 0)), *PLAIN.resumed_from.captured[1:])), WRONG_CARDS),
    (but(PLAIN, hands=put(PLAIN.hands, 0, Cards())), "wrong-hand-size hands tricks trick"),
    (but(PLAIN, hands=(Cards(),) * 4), "deal-is-over hands"),
    (but(PLAIN, kitty=Cards("2C")), WRONG_CARDS),
    (but(PLAIN, passes=PLAYING.passes), "passes-without-history passes resumed_from"),
    (but(MIDDLE, kitty=None), "no-kitty kitty resumed_from.kitty_winner"),
    (but(MIDDLE, kitty=Cards("2C 3C")), "wrong-kitty kitty resumed_from.captured[0]"),
    (middle(MIDDLE, kitty_winner=None), WRONG_CARDS),
    (middle(MIDDLE, hearts_broken=False), "wrong-hearts-broken resumed_from.hearts_broken"),
    (middle(MIDDLE, set_aside=Cards("2C")), WRONG_CARDS),
    (moved(PLAIN, RICH, FULL, 1, tricks_won=None),
     "part-of-a-trick resumed_from.captured[0]; part-of-a-trick resumed_from.captured[1]"),
    (moved(PLAIN, RICH, FULL, 4), ("wrong-tricks-won resumed_from.tricks_won[0] resumed_from.captured[0]; "
     "wrong-tricks-won resumed_from.tricks_won[1] resumed_from.captured[1]")),
    (moved(PLAIN, RICH, FULL, 4, leader=POOR, tricks_won=None),
     "wrong-leader resumed_from.leader resumed_from.captured"),
    (middle(PLAIN, leader=POOR), "wrong-leader resumed_from.leader resumed_from.captured"),
    (middle(moved(PLAIN, RICH, FULL, 0), captured=put(PLAIN.resumed_from.captured, RICH, without(pile(PLAIN, RICH), 4)),
     set_aside=first(pile(PLAIN, RICH), 4), tricks_won=None), "wrong-set-aside resumed_from.set_aside"),
    (moved(MIDDLE, TAKER, NOT_TAKER, 0, kitty_winner=NOT_TAKER), "wrong-kitty kitty resumed_from.captured[1]"),
    (middle(MIDDLE, kitty_winner=None, captured=put(MIDDLE.resumed_from.captured, TAKER, pile(MIDDLE,
     TAKER) - MIDDLE.kitty)), "wrong-kitty-winner resumed_from.kitty_winner resumed_from.captured"),
    (but(from_middle(UNTAKEN, kitty_winner=UNTAKEN.leader), resumed_from=from_middle(UNTAKEN,
     kitty_winner=UNTAKEN.leader, captured=put(UNTAKEN.captured, UNTAKEN.leader,
     UNTAKEN.captured[UNTAKEN.leader] + UNTAKEN.kitty)).resumed_from),
     "wrong-kitty-winner resumed_from.kitty_winner resumed_from.captured"),
    (before(scored(13, 13, 0, 0, won=(4, 4, 4))), "wrong-count score_sheet[0].tricks_won"),
    (before(scored(13, 13, 0, 0, totals=(0, 0, 0, 0))), "wrong-scores score_sheet[0].totals"),
    (before(scored(13, 13, 0, 0, won=(14, -1, 0, 0))),
     "out-of-range score_sheet[0].tricks_won[0]; out-of-range score_sheet[0].tricks_won[1]"),
    (before(scored(13, 12, 0, 0)), "wrong-sum score_sheet[0].card_points"),
    (before(scored(-1, 27, 0, 0)), "out-of-range score_sheet[0].card_points[0]"),
    (before(scored(13, 12, 0, 1, won=(5, 4, 4, 0))), "wrong-sum score_sheet[0].card_points[3]"),
    (before(scored(26, 0, 0, 0)), "wrong-moon score_sheet[0].shooter"),
    (before(scored(13, 13, 0, 0, effect=Moon.OTHERS_UP, sun=True)),
     "wrong-moon score_sheet[0].effect; wrong-moon score_sheet[0].sun"),
    (before(scored(13, 13, 0, 0, shooter=4)), "wrong-moon score_sheet[0].shooter"),
    (before(scored(13, 13, 0, 0, card_points=(12, 14, 0, 0), queen_taker=1)),
     "wrong-points score_sheet[0].points[0]; wrong-points score_sheet[0].points[1]"),
    (before(scored(25, 1, 0, 0, won=(1, 4, 4, 4))), "wrong-sum score_sheet[0].card_points[0]"),
    (before(scored(13, 12, 1, 0), rules=Rules(max_deals=1)), "game-is-over score_sheet[0].totals"),
    (before(scored(13, 12, 1, 0, queen_taker=1)), "wrong-queen-taker score_sheet[0].queen_taker"),
    (before(scored(13, 12, 1, 0, queen_taker=None)), "wrong-queen-taker score_sheet[0].queen_taker"),
    (before(scored(13, 12, 1, 0, queen_taker=4)), "wrong-queen-taker score_sheet[0].queen_taker"),
    (before(scored(16, 10, 0, 0, won=(1, 12, 0, 0), queen_taker=1)), "wrong-queen-taker score_sheet[0].queen_taker"),
    (row(AFTER, queen_taker=None), "contradiction score_sheet[0].queen_taker"),
    (but(AFTER, queen_taker=0), "wrong-queen-taker queen_taker first"),
    (but(AFTER, queen_taker=4), "no-such-seat queen_taker"),
    (Setup(phase=Phase.DEAL, rules=Rules(decks=2), deal_number=1, first=1, start=(1, 2, 3, 4), queen_taker=2),
     "wrong-queen-taker queen_taker rules"),
    (Setup(phase=Phase.DEAL, rules=Rules(decks=2), queen_taker=2),
     "wrong-queen-taker queen_taker first; wrong-queen-taker queen_taker rules"),
    (before(scored(13, 12, 1, 0, exposed=(Cards(),) * 4)), "wrong-count score_sheet[0].exposed"),
    (before(scored(13, 12, 1, 0), rules=SHOWN.rules), "wrong-count score_sheet[0].exposed"),
    (before(scored(13, 12, 1, 0, exposed=tuple(map(Cards, ("KS", "", "QS QS", "")))), rules=SHOWN.rules),
     "not-exposable score_sheet[0].exposed[0]; not-exposable score_sheet[0].exposed[2]"),
    (before(scored(13, 12, 1, 0, exposed=tuple(map(Cards, ("QS", "AH", "", "QS AH")))), rules=SHOWN.rules),
     "exposed-twice score_sheet[0].exposed[3]"),
    (DOUBLY_PASSED, "extra-cards passes"),
    (DOUBLY_DEALT, "illegal-pass passes[0]; illegal-pass passes[1]"),
    (NOBODY_WON, "wrong-leader resumed_from.leader"),
    (but(AFTER, last_deal=DealSetup(tricks=AFTER.last_deal.tricks * 3)), "extra-cards last_deal.tricks"),
    (middle(PLAIN, set_aside=first(pile(PLAIN, RICH)) + first(pile(PLAIN, RICH))), WRONG_CARDS),
    (but(MIDDLE, kitty=first(MIDDLE.kitty)), WRONG_CARDS),
    (middle(PLAIN, captured=(*PLAIN.resumed_from.captured[:3], Cards([next(iter(pile(PLAIN, RICH)))] * 2))),
     WRONG_CARDS),
    (but(in_play(AFTER), resumed_from=MidDealPosition(AFTER.last_deal.tricks[3].leader, (Cards(),) * 4)),
     "passes-without-history passes resumed_from"),
    (middle(NOBODY_WON, set_aside=Cards("2C 2C"), captured=(Cards("3C"), Cards(), Cards())),
     ("part-of-a-trick resumed_from.captured[0]; wrong-set-aside resumed_from.set_aside; "
     "wrong-leader resumed_from.leader")),
    (but(MIDDLE, trick=(MIDDLE.trick[0], Play(MIDDLE.trick[1].seat, next(iter(pile(MIDDLE, TAKER)))))), WRONG_CARDS),
    (but(LEADING, tricks=LEADING.tricks[:3], passes=()),
     ("wrong-hand-size hands[0]; wrong-hand-size hands[1]; wrong-hand-size hands[2]; wrong-hand-size hands[3]; "
     "missing-cards hands")),
    (row(LATER, totals=(1, 2)), "wrong-count score_sheet[0].totals"),
    (but(MOON, others_up=replaced(MOON.others_up, totals=(1,))), "contradiction others_up.totals"),
    (but(AFTER, score_sheet=(replaced(ROW, points=(1,)), ROW), deal_number=2, last_deal=None),
     "wrong-count score_sheet[0].points; wrong-scores score_sheet[1].totals"),
    (last(MOON, kitty=Cards("2C")), "wrong-kitty-size last_deal.kitty; extra-cards last_deal.tricks"),
    (last(MOON, tricks=put(MOON.last_deal.tricks, 3, replaced(MOON.last_deal.tricks[3], winner=None))),
     "wrong-trick last_deal.tricks[3].winner"),
    (last(CHOSEN, leader=9), "no-such-seat last_deal.leader"),
    (last(AFTER, trick=(Play(0, Card("2C")),)), "deal-not-over last_deal.trick"),
    (last(AFTER, trick=(Play(7, Card("2C")),)), "deal-not-over last_deal.trick; no-such-seat last_deal.trick"),
    (but(PASSING, passes=(Pass(0, first(PASSING.hands[1])), None, None, None)), "illegal-pass passes[0]"),
    (trick(SET_ASIDE, 2, winner=0), "wrong-trick tricks[2].winner"),
    (but(DEALT, deal_number=MAX_DEALS, first=MAX_DEALS), "out-of-range deal_number; out-of-range first"),
    (before(number=MAX_DEALS + 1, first=MAX_DEALS + 1), "out-of-range deal_number; out-of-range first"),
    (before(rules=ENDLESS, first=1, start=(MOST_A_DEAL + 1, 0, 0, 0)), "out-of-range start[0]"),
    (before(rules=ENDLESS, number=2, first=2, start=(-2 * MOST_A_DEAL - 1, 0, 0, 2 * MOST_A_DEAL + 1)),
     "out-of-range start[0]; out-of-range start[3]"),
    (but(AFTER, deal_number=3, scores=None), "wrong-count score_sheet deal_number"),
    (before(number=3, scores=(1, 2, 3, 4)), "wrong-count score_sheet deal_number"),
    (but(AFTER, deal_number=2, score_sheet=(scored(13, 12, 0, 0),), scores=None),
     "wrong-sum score_sheet[0].card_points"),
    (before(scored(13, 13, 0, 0, totals=(13,))), "wrong-count score_sheet[0].totals"),
    (but(OVER, deal_number=1, score_sheet=(scored(20, 3, 2, 1),)), "game-is-over score_sheet[0].totals"),
    # Seat 2 took the queen in the deal before, so it leads and no other.
    (but(middle(QUEEN_LEADS, leader=3), deal_number=4, first=4, start=(0, 0, 0, 0), queen_taker=2),
     "wrong-leader resumed_from.leader"),
    (from_middle(first_of(Playing, MATCH), hearts_broken=True), "wrong-hearts-broken resumed_from.hearts_broken"),
    (before(scored(13, 12, 1, 0), scored(13, 12, 1, 0, totals=(26, 24, 2, 0)), number=5, first=3, start=(0, 0, 0, 0),
     rules=Rules(max_deals=5)), "game-is-over score_sheet[1].totals"),
    # Seats have passed what they hold now, one card each, or a card that is not in play twice.
    (but(DEALT, passes=tuple([Pass(seat, first(hand)) for seat, hand in enumerate(DEALT.hands)])),
     "illegal-pass passes[0]; illegal-pass passes[1]; illegal-pass passes[2]; illegal-pass passes[3]"),
    (but(DEALT, passes=put(DEALT.passes, 2, Pass(2, Cards("2C 2C 3C")))), "illegal-pass passes[2]"),
    # One seat declined, so no card moved; another one chose cards that it does not hold.
    (but(DEALT, rules=Rules(pass_optional=PassOptional.UNANIMOUS), passes=(Pass(0), *[Pass(seat,
     first(DEALT.hands[held], 3)) for seat, held in ((1, 2), (2, 2), (3, 0))])),
     "illegal-pass passes[1]; illegal-pass passes[3]"),
    # A seat keeps a card and has passed it twice; it keeps it twice and has passed it.
    (two_decks("2C 3C 6C 6C, 4C 4C 3C 2C, 5C 5C 2H 2H", ("2C 2C", "5C 5C", "6C 6C"), pass_cycle=[((1, 2),)]),
     "illegal-pass passes[0]; illegal-pass passes[1]"),
    (two_decks("2C 2C 6C 6C, 4C 4C 3C 3C, 5C 5C 2H 2H", ("2C 3C", "5C 5C", "6C 6C"), pass_cycle=[((1, 2),)]),
     "illegal-pass passes[0]; illegal-pass passes[1]"),
    # Of two ways to have broken hearts, the one with the fewest problems is told: the first, and the second.
    (but(middle(QUEEN_OUT, hearts_broken=None), hands=put(QUEEN_OUT.hands, QUEEN_STATE.leader,
     QUEEN_OUT.hands[QUEEN_STATE.leader] - Cards("2H")), trick=(Play(QUEEN_STATE.leader, Card("2H")),),
     leader=(QUEEN_STATE.leader + 1) % 4, trick_number=0), "illegal-play trick[0]"),
    (but(middle(QUEEN_OUT, hearts_broken=None), leader=(QUEEN_STATE.leader + 1) % 4, hearts_broken=True),
     "contradiction leader"),
    # What is shown.
    (but(UNSHOWN, rules=Rules()), "no-exposure phase"),
    (shows(UNSHOWN, s0="", s1="", s2="AH", s3="QS"), "all-exposed exposures"),
    (shows(UNSHOWN, s2="QS"), "illegal-exposure exposures[2]"),
    (shows(UNSHOWN, s2=str(SHOWING_STATE.hands[2])), "illegal-exposure exposures[2]"),
    (shows(UNSHOWN, s0="QS AH KS", s2="AH AH"), "illegal-exposure exposures[2]; illegal-exposure exposures[0]"),
    (shows(IN_TURN, s2="AH", s0=""), "illegal-exposure exposures[2]; illegal-exposure exposures[0]"),
    (shows(IN_KITTY, s3="QS"), "illegal-exposure exposures[3]"),
    (but(IN_ROUNDS, exposed=tuple(map(Cards, ("", "", "AH", "")))), "impossible-rounds exposures exposed"),
    (but(IN_ROUNDS, exposed=tuple(map(Cards, ("", "", "AH", "KS")))), "illegal-exposure exposed[3]"),
    (but(IN_ROUNDS, exposed=(Cards("AH"),)), "wrong-count exposed"),
    (but(UNSHOWN, exposures=(None, None, Expose(3, Cards()), Expose(2, Cards()))),
     "wrong-seat exposures[2]; wrong-seat exposures[3]"),
    (but(UNSHOWN, exposures=(None,) * 3), "wrong-count exposures"),
    (but(UNSHOWN, passes=put(UNSHOWN.passes, 1, None)), "missing-pass passes[1]"),
    (but(UNSHOWN, hands=UNSHOWN.hands[:3]), "wrong-count hands"),
    (but(exposed(UNSHOWN, s2="AH"), turn=0), "not-in-phase exposed phase; not-in-phase turn phase"),
    (but(SHOWN, exposures=UNSHOWN.exposures), "not-in-phase exposures phase"),
    (last(SHOWN_AFTER, exposures=(None, Expose(0, Cards()))), "not-in-phase last_deal.exposures phase"),
    (but(SHOWN, exposed=SHOWN.exposed[:3]), "wrong-count exposed"),
    (last(SHOWN_AFTER, exposed=SHOWN.exposed * 2), "wrong-count last_deal.exposed"),
    (but(LEADING, exposed=SHOWN.exposed), "no-exposure exposed"),
    (last(AFTER, exposed=SHOWN.exposed), "no-exposure last_deal.exposed"),
    (but(PLAIN, exposed=(Cards(),) * 3), "no-exposure exposed"),
    (exposed(SHOWN, s1="AH", s3="QS"), "illegal-exposure exposed[1]"),
    (exposed(SHOWN, s2="QS AH", s3="QS"), "illegal-exposure exposed[2]"),
    (exposed(SHOWN, s1="KH", s2="AH", s3="QS"), "illegal-exposure exposed[1]"),
    (exposed(SHOWN_AFTER, s0="AH", s3="QS QS"),
     "illegal-exposure last_deal.exposed[3]; illegal-exposure last_deal.exposed[0]"),
    (shown_middle(Kitty.LAST_TRICK, s0="QS KS", s2="QH QH"), "not-exposable exposed[0]; not-exposable exposed[2]"),
    (shown_middle(Kitty.LAST_TRICK, s0="QS", s1="QS"), "exposed-twice exposed[1]; exposed-elsewhere exposed[1]"),
    (shown_middle(Kitty.FIRST_TRICK, s1="QS"), "exposed-elsewhere exposed[1]"),
    (shown_middle(Kitty.LAST_TRICK, s3="AH"), "exposed-elsewhere exposed[3]"),
    (shown_middle(Kitty.FIRST_TRICK, s1="AH"), "exposed-elsewhere exposed[1]"),
    (but(shown_middle(Kitty.FIRST_TRICK), exposed=(Cards("QS"),)), "wrong-count exposed"),
    (exposed(last(SHOWN_AFTER, tricks=(), passes=(), resumed_from=shown_middle(Kitty.FIRST_TRICK).resumed_from),
     s2="AH"), "deal-is-over last_deal.hands"),
    (led_in_no_trick(Suit.CLUBS), "too-many-suits resumed_from.suits_led"),
    (row(SHOWN_AFTER, exposed=(Cards(),) * 4), "contradiction score_sheet[0].exposed"),
]  # fmt: skip


@pytest.mark.parametrize(("setup", "expected"), CASES)
def test_each_problem_has_its_code_and_its_fields(setup: Setup, expected: str) -> None:
    with pytest.raises(InvalidState) as caught:
        check(setup)
    assert "; ".join([" ".join([problem.code, *problem.fields]) for problem in caught.value.problems]) == expected
    assert all(problem.message for problem in caught.value.problems)


def made_in(module: str, *functions: str) -> Iterator[str]:
    """The codes of the problems that a module, or some functions of it, can find."""
    tree: ast.AST = ast.parse((SOURCES / module).read_text(encoding="utf-8"))
    nodes = [node for node in ast.walk(tree) if not functions or getattr(node, "name", "") in functions]
    for node in chain.from_iterable(map(ast.walk, nodes)) if functions else nodes:
        if isinstance(node, ast.Call):
            makers = ("Problem", "add", "fail", "_problem", "_about_cards", "_of_size")
            if name_called(node) in makers and isinstance(node.args[0], ast.Constant):
                yield str(node.args[0].value)


def test_every_code_has_a_case() -> None:
    codes = {
        *made_in("setup/_check.py"), *made_in("setup/_middle.py"), *made_in("setup/row_check.py"),
        *made_in("play/pile_check.py", "trick_count_problems", "shown_problems"),
        *made_in("play/tricks.py", "trick_problems"),
        *made_in("play/dealing.py", "_wrong_sizes", "pack_problems"),
        *made_in("rules/arguments.py", "wrong_count"),
    } - {"wrong-number-of-hands"}  # fmt: skip
    assert codes == CODES
    assert {problem.split()[0] for _, expected in CASES for problem in expected.split("; ")} == CODES


def test_at_most_a_hundred_problems_are_told() -> None:
    rows = [scored(1, 2, 3, 4, totals=(number, 0, 0, 0)) for number in range(300)]
    with pytest.raises(InvalidState) as caught:
        check(before(*rows, number=300))
    assert len(caught.value.problems) == 100


def test_no_more_rows_are_judged_once_there_are_more_problems_than_are_told() -> None:
    rows = [scored(13, 12, 1, 0, totals=(0, 0, 0, 0)) for _ in range(300)]
    with pytest.raises(InvalidState) as caught:
        check(before(*rows, number=300))
    assert [problem.code for problem in caught.value.problems] == ["wrong-scores"] * MAX_PROBLEMS
    assert caught.value.further == 1


def test_a_sheet_that_begins_with_the_last_deal() -> None:
    later = check(but(AFTER, deal_number=5, first=4, start=(0, 0, 0, 0), queen_taker=2, has_full_history=None))
    assert isinstance(later, AwaitingDeal)
    sheet = later.score_sheet
    assert (sheet.first, sheet.rows, sheet.queen_taker_before) == (4, AFTER.score_sheet, 2)
    assert later == check(but(Setup.of(later), score_sheet=()))


def test_the_largest_numbers_that_can_be() -> None:
    start = (0, 0, 0, 0)
    state = check(before(number=MAX_DEALS, first=MAX_DEALS, start=start))
    assert (state.phase, state.deal_number) == (Phase.DEAL, MAX_DEALS)
    # The last of them has no passing.
    told = but(
        DEALT,
        deal_number=MAX_DEALS - 1,
        first=MAX_DEALS - 1,
        start=start,
        scores=None,
        passes=(),
        has_full_history=None,
    )
    assert (check(told).phase, check(told).deal_number) == (Phase.PLAY, MAX_DEALS - 1)
    for deals in (1, 2, 3):
        most = deals * MOST_A_DEAL
        totals = (most, -most, 0, 1)
        assert check(before(rules=ENDLESS, number=deals, first=deals, start=totals)).scores == totals


@pytest.mark.parametrize("number", [10**30, 10**5000], ids=["30 digits", "5000 digits"])
def test_long_numbers_are_not_spelled_out(number: int) -> None:
    for setup in (
        but(PLAYING, turn=number),
        but(AFTER, deal_number=number),
        but(AFTER, first=number),
        but(PASSING, deal_number=4 * number + 3, first=4 * number + 3, start=(0, 0, 0, 0), scores=None),
        but(LATER, deal_number=number, first=number, start=(100, 1, 2, 3), score_sheet=(), scores=None),
        but(DEALT, deal_number=4 * number + 3, first=4 * number + 3, start=(0, 0, 0, 0), scores=None),
        middle(MIDDLE, tricks_won=(number, 0, 0, 0, 0)),
    ):
        with pytest.raises(InvalidState) as caught:
            check(setup)
        assert all(len(problem.message) < 500 for problem in caught.value.problems)


def test_a_way_in_which_hearts_were_broken_is_found() -> None:
    bare = middle(QUEEN_OUT, hearts_broken=None)
    for broken in (False, True):
        state = check(but(bare, hearts_broken=broken))
        assert isinstance(state, Playing)
        assert state.hearts_broken is broken
        assert check(middle(QUEEN_OUT, hearts_broken=broken)) == state
    state = check(bare)
    assert isinstance(state, Playing)
    assert not state.hearts_broken


def test_of_several_ways_the_one_with_the_fewest_problems_is_told() -> None:
    bare = middle(QUEEN_OUT, hearts_broken=None)
    with pytest.raises(InvalidState) as caught:
        check(out_of_turn(but(bare, leader=QUEEN_STATE.leader)))
    assert [problem.fields for problem in caught.value.problems] == [("trick[0]",)]


def test_what_need_not_be_told() -> None:
    state = check(AFTER)
    bare = check(but(AFTER, last_deal=None, has_full_history=None))
    assert isinstance(bare, AwaitingDeal)
    assert (bare.scores, bare.last_deal, bare.has_full_history, state.has_full_history) == (
        state.scores,
        None,
        False,
        True,
    )
    assert bare == AwaitingDeal(state.rules, state.score_sheet, None)
    assert check(Setup(phase=Phase.DEAL, rules=TEAMS)) == new_game(TEAMS)
    undecided = check(but(PASSING, passes=()))
    assert isinstance(undecided, Passing)
    assert undecided == check(but(PASSING, passes=(None,) * 4))
    assert undecided.commitments == (None,) * 4
    assert check(but(AFTER, score_sheet=())) == state
    for move, effect in zip(legal_moves(check(MOON)), (Moon.OTHERS_UP, Moon.SHOOTER_DOWN), strict=True):
        after = apply(check(MOON), move)
        told = Setup.of(after)
        assert check(but(told, score_sheet=told.score_sheet[:-1], effect=effect)) == after
    unpassed = check(but(DEALT, passes=(), has_full_history=None))
    assert isinstance(unpassed, Playing)
    assert (unpassed.hands, unpassed.passed, unpassed.has_full_history) == (DEALT.hands, (Cards(),) * 4, False)
    nothing = (Cards(),) * 4
    start = unpassed.start
    assert (unpassed.passes, unpassed.received, start.exposed, unpassed.kitty) == ((), nothing, nothing, Cards())


def test_what_seats_have_decided_to_show_is_believed() -> None:
    assert check(but(UNSHOWN, exposures=())) == check(UNSHOWN) == SHOWING_STATE
    some = check(shows(UNSHOWN, s3="QS", s0=""))
    assert some == apply(apply(SHOWING_STATE, Expose(0, Cards())), Expose(3, Cards("QS")))
    in_turn = check(shows(IN_TURN, s1="", s2="AH", s3="QS"))
    assert isinstance(in_turn, Exposing)
    assert in_turn.commitments == (None, Expose(1, Cards()), Expose(2, Cards("AH")), Expose(3, Cards("QS")))
    assert in_turn.to_act == (0,)
    later = but(IN_TURN, deal_number=2, first=2, start=(0, 0, 0, 0), scores=None, passes=(), has_full_history=None)
    assert isinstance(check(shows(later, s3="", s0="")), Exposing)
    unpassed = check(but(UNSHOWN, passes=(), has_full_history=None))
    assert isinstance(unpassed, Exposing)
    assert (unpassed.hands, unpassed.passes, unpassed.has_full_history) == (UNSHOWN.hands, (), False)
    assert check(Setup.of(unpassed)) == unpassed


def test_exposed_cards_are_believed() -> None:
    nothing = (Cards(),) * 4
    for setup in (SHOWN_FIRST, SHOWN):
        state = check(setup)
        assert isinstance(state, Playing)
        assert state.exposed == (Cards(), Cards(), Cards("AH"), Cards("QS"))
        assert state == check(but(setup, passes=setup.passes, leader=None, turn=None))
    hidden = check(but(SHOWN_FIRST, exposed=()))
    assert isinstance(hidden, Playing)
    assert hidden.exposed == nothing
    assert hidden == check(but(SHOWN_FIRST, exposed=nothing))
    after = check(SHOWN_AFTER)
    assert isinstance(after, AwaitingDeal)
    assert after.last_deal is not None
    assert after.last_deal.start.exposed == after.score_sheet[0].exposed == (Cards(), Cards(), Cards("AH"), Cards("QS"))
    for kitty in (Kitty.FIRST_TRICK, Kitty.LAST_TRICK):
        # Seat 2 has shown a card that seat 1 has won, seat 0 one that it holds.
        told = shown_middle(kitty, s0="QS")
        told = but(told, rules=attrs.evolve(told.rules, exposable="QS KH"), exposed=put(told.exposed, 2, Cards("KH")))
        state = check(told)
        assert isinstance(state, Playing)
        assert state.exposed == (Cards("QS"), Cards(), Cards("KH"), Cards())
        bare = check(but(told, exposed=()))
        assert isinstance(bare, Playing)
        assert bare.exposed == nothing
        assert check(Setup.of(state)) == state


LED_ON: Final = first_of(
    Playing, states_of(Rules(opening_leader=OpeningLeader.DEALER_LEFT), 2),
    lambda state: state.trick_number == 2 and state.leader != 1 and state.deal_number == 0 and not state.trick,
)  # fmt: skip
TWINS: Final = first_of(
    Playing, list(chain.from_iterable(states_of(TEAMS, seed, 1) for seed in range(12))),
    lambda state: state.kitty_winner is None and any(pile & state.kitty for pile in state.captured)
    and not state.set_aside and sum(state.tricks_won) == state.trick_number,
)  # fmt: skip
"""A card of the kitty lies in a pile too."""
MIDDLES: Final[list[Playing]] = [
    TWINS,
    TAKEN,
    UNTAKEN,
    QUEEN_STATE,
    LED_ON,
    first_of(Playing, MATCH),
    first_of(Playing, KITTIES),
]


@pytest.mark.parametrize("state", MIDDLES)
def test_the_middle_of_a_deal_is_as_the_game_was(state: Playing) -> None:
    led = (Suit.HEARTS,) if state.trick_number else ()
    told = but(from_middle(state, tricks_won=None, suits_led=led), trick=(), hands=state.hands)
    told = but(told, hands=tuple([hand + played(state, seat) for seat, hand in enumerate(state.hands)]))
    totals = (5,) * state.rules.players
    told = but(told, deal_number=4 * state.rules.players, first=4 * state.rules.players, start=totals)
    assert told.resumed_from is not None
    now = check(told)
    assert isinstance(now, Playing)
    for name in ("leader", "captured", "tricks_won", "set_aside", "kitty_winner", "kitty", "trick_number"):
        assert getattr(now, name) == getattr(state, name), name
    assert (now.turn, now.trick, now.hands, now.scores) == (state.leader, (), told.hands, totals)
    start = now.start
    nothing = (Cards(),) * state.rules.players
    assert (start.scores, now.passes, now.passed, now.received, start.exposed) == (totals, (), *(nothing,) * 3)
    assert now.resumed_from == replaced(told.resumed_from, tricks_won=state.tricks_won, hearts_broken=now.hearts_broken)


def played(state: Playing, seat: int) -> Cards:
    """The card that a seat has played to the current trick."""
    return Cards([play.card for play in state.trick if play.seat == seat])


def test_where_nothing_was_shown_it_does_not_matter_which_suits_were_led() -> None:
    told = shown_middle(Kitty.FIRST_TRICK)
    one, two = (check(middle(told, suits_led=suits)) for suits in ((), (Suit.CLUBS,)))
    assert isinstance(one, Playing)
    assert isinstance(two, Playing)
    assert two.start.led_before == ()
    assert view(one, 0) == view(two, 0)


def test_suits_that_were_led_are_a_set() -> None:
    told = shown_middle(Kitty.FIRST_TRICK, s0="QS")
    once = check(middle(told, suits_led=(Suit.CLUBS, Suit.SPADES)))
    assert isinstance(once, Playing)
    assert once.start.led_before == (Suit.CLUBS, Suit.SPADES)
    assert check(middle(told, suits_led=(Suit.SPADES, Suit.CLUBS, Suit.SPADES))) == once
    assert check(middle(told, suits_led=(Suit.CLUBS,))) != once
    # Seat 0 may follow with its shown queen once spades were led.
    for suits, legal in (((Suit.CLUBS,), "3S"), ((Suit.SPADES,), "3S QS")):
        state = check(middle(told, suits_led=suits))
        for seat, card in ((1, "4S"), (2, "6S"), (3, "8S")):
            state = apply(state, Play(seat, Card(card)))
        assert Cards([move.card for move in legal_moves(state) if isinstance(move, Play)]) == Cards(legal)


class Points(int):
    """A number of a type of its own."""


def test_heirs_of_int_are_ints() -> None:
    row = replaced(ROW, points=tuple(map(Points, ROW.points)))
    assert check(but(AFTER, score_sheet=(row,))) == check(AFTER)


# ------------------------------------------------------------------------------------------- there and back again


@pytest.mark.once_compiled
def test_what_a_state_tells_is_that_state() -> None:
    seen: dict[tuple[str, bool], int] = {}
    rng = Random(12)
    for _ in range(150):
        for setup in true_setups(rng):
            state = check(setup)
            assert check(Setup.of(state)) == state
            assert Setup.of(check(Setup.of(state))) == Setup.of(state)
            key = (type(state).__name__, state.has_full_history)
            seen[key] = seen.get(key, 0) + 1
    kinds = {"AwaitingDeal", "Passing", "DealingBack", "Exposing", "Playing", "ChoosingMoon", "GameOver"}
    assert set(seen) == {(kind, whole) for kind in kinds for whole in (False, True)}


@pytest.mark.parametrize(
    ("rules", "aim"),
    [
        (TEAMS, "strong team"),
        (Rules(moon=Moon.CHOICE, bonuses=[Bonus(Card("JD"), 10)], target=20), "strong"),
        (Rules(teams=2, target=30), "strong"),
        (KITTY, "penalty cards in the kitty"),
        (Rules(exposable="QS AH", target=20), "strong"),
        (Rules(exposable="QS AH", exposure=Exposure.IN_TURN, hand_size=12, kitty=Kitty.FIRST_TRICK), "strong"),
    ],
)  # fmt: skip
def test_every_state_of_a_match_is_what_it_tells(rules: Rules, aim: str) -> None:
    assert aim in AIMS
    for number, (_, _, state) in enumerate(match(rules, Random(3), 2, aim=aim)):
        if number % 3 == 0 or not isinstance(state, Playing):
            assert check(Setup.of(state)) == state


# ---------------------------------------------------------------------------------------------- the setup itself

SAMPLES: Final = (PASSING, PLAYING, LATER, AFTER, MOON, CHOSEN, MIDDLE, NOBODY_WON, UNSHOWN, SHOWN, SHOWN_AFTER)


@pytest.mark.parametrize("setup", SAMPLES)
def test_a_setup_is_a_value(setup: Setup) -> None:
    assert eval(repr(setup), names()) == setup
    assert hash(eval(repr(setup), names())) == hash(setup)
    assert pickle.loads(pickle.dumps(setup)) == setup
    assert copy.copy(setup) == copy.deepcopy(setup) == setup
    assert setup != attrs.evolve(setup, deal_number=setup.deal_number + 1)
    for field in attrs.fields(Setup):
        with pytest.raises(attrs.exceptions.FrozenInstanceError):
            setattr(setup, field.name, None)


def test_iterables_become_tuples() -> None:
    fields: dict[str, Any] = {name: list(getattr(PLAYING, name)) for name in (
        "hands", "passes", "tricks", "trick", "captured", "tricks_won", "scores", "score_sheet"
    )}  # fmt: skip
    assert attrs.evolve(PLAYING, **fields) == PLAYING
    assert hash(attrs.evolve(PLAYING, **fields)) == hash(PLAYING)
    assert but(PLAYING, hands=iter(PLAYING.hands)) == PLAYING
    assert but(LATER, start=[0, 0, 0, 0]).start == (0, 0, 0, 0)
    assert but(OVER, winners=list(OVER.winners or ())) == OVER


WRONG_TYPES: Final[list[tuple[str, Any, str]]] = [
    ("rules", None, "rules must be a Rules, not None"),
    ("start", 3, "start must be an iterable of ints, not an int"),
    ("start", (0, False), "start must hold only ints, not a bool"),
    ("score_sheet", None, "score_sheet must be an iterable of DealScore, not None"),
    ("score_sheet", (1,), "score_sheet must hold only DealScore, not an int"),
    ("last_deal", PLAYING.tricks, "last_deal must be a DealSetup, not a tuple"),
    ("scores", ("0",), "scores must hold only ints, not a str"),
    ("others_up", (), "others_up must be a DealScore, not a tuple"),
    ("winners", 0, "winners must be an iterable of ints, not an int"),
    ("hands", Cards("2C"), "hands must be an iterable of Cards, not a Cards"),
    ("hands", None, "hands must be an iterable of Cards, not None"),
    ("hands", ("2C",), "hands must hold only Cards, not a str"),
    ("kitty", "2C", "kitty must be a Cards, not a str"),
    ("passes", (3,), "passes must hold only Pass, not an int"),
    ("tricks", (Play(0, Card("2C")),), "tricks must hold only Trick, not a Play"),
    ("trick", ("2C",), "trick must hold only Play, not a str"),
    ("resumed_from", PLAYING, "resumed_from must be a MidDealPosition, not a Setup"),
    ("captured", "2C", "captured must be an iterable of Cards, not a str"),
    ("tricks_won", (0.5,), "tricks_won must hold only ints, not a float"),
    ("set_aside", (), "set_aside must be a Cards, not a tuple"),
    ("exposures", (Cards("QS"),), "exposures must hold only Expose, not a Cards"),
    ("exposures", None, "exposures must be an iterable of Expose, not None"),
    ("exposed", (None,), "exposed must hold only Cards, not None"),
    ("exposed", None, "exposed must be an iterable of Cards, not None"),
    ("exposed", Cards("QS"), "exposed must be an iterable of Cards, not a Cards"),
]


@pytest.mark.parametrize(("name", "value", "words"), WRONG_TYPES)
def test_wrong_types_are_named(name: str, value: Any, words: str) -> None:
    with pytest.raises(TypeError, match=f"^{words}$"):
        attrs.evolve(PLAYING, **{name: value})


INSIDE: Final[list[tuple[str, str, Any, str]]] = [
    ("score_sheet[0]", "points", [1], "points must be a tuple of ints, not a list"),
    ("score_sheet[1]", "totals", (1, 0.5), "totals[1] must be an int, not a float"),
    ("score_sheet[0]", "card_points", (True,), "card_points[0] must be an int, not a bool"),
    ("score_sheet[0]", "tricks_won", "1111", "tricks_won must be a tuple of ints, not a str"),
    ("score_sheet[0]", "shooter", "1", "shooter must be an int, not a str"),
    ("score_sheet[0]", "effect", "up", "effect must be a Moon, not a str"),
    ("score_sheet[0]", "sun", 0, "sun must be a bool, not an int"),
    ("score_sheet[0]", "queen_taker", "1", "queen_taker must be an int, not a str"),
    ("score_sheet[0]", "exposed", None, "exposed must be a tuple of Cards, not None"),
    ("score_sheet[0]", "exposed", ("QS",), "exposed[0] must be a Cards, not a str"),
    ("shooter_down", "sun", None, "sun must be a bool, not None"),
    ("tricks[0]", "leader", "0", "leader must be an int, not a str"),
    ("tricks[1]", "plays", (1,), "plays[0] must be a Play, not an int"),
    ("tricks[0]", "plays", [], "plays must be a tuple of Play, not a list"),
    ("tricks[0]", "winner", "-", "winner must be an int, not a str"),
    ("resumed_from", "leader", "0", "leader must be an int, not a str"),
    ("resumed_from", "captured", 3, "captured must be a tuple of Cards, not an int"),
    ("resumed_from", "captured", ("2C",), "captured[0] must be a Cards, not a str"),
    ("resumed_from", "tricks_won", ("1",), "tricks_won[0] must be an int, not a str"),
    ("resumed_from", "set_aside", None, "set_aside must be a Cards, not None"),
    ("resumed_from", "kitty_winner", "0", "kitty_winner must be an int, not a str"),
    ("resumed_from", "hearts_broken", 1, "hearts_broken must be a bool, not an int"),
    ("resumed_from", "suits_led", [], "suits_led must be a tuple of Suit, not a list"),
    ("resumed_from", "suits_led", None, "suits_led must be a tuple of Suit, not None"),
    ("resumed_from", "suits_led", (Suit.CLUBS, 3), "suits_led[1] must be a Suit, not an int"),
    ("resumed_from", "suits_led", ("S",), "suits_led[0] must be a Suit, not a str"),
]


@pytest.mark.parametrize(("place", "field", "value", "words"), INSIDE)
def test_wrong_types_inside_a_part_are_named(place: str, field: str, value: Any, words: str) -> None:
    name = place.partition("[")[0]
    right: Any = {"tricks": TRICK, "resumed_from": VOID}.get(name, ROW)

    def spoiled() -> Setup:
        wrong = replaced(right, **{field: value})  # compiled, it cannot even be made
        items = (right, wrong) if "[1]" in place else (wrong,)
        return but(PLAYING, **{name: items if "[" in place else wrong})

    with pytest.raises(TypeError, match=None if heartsrules.COMPILED else f"^{re.escape(f'{place}.{words}')}$"):
        spoiled()


@pytest.mark.once_interpreted
@pytest.mark.skipif(heartsrules.COMPILED, reason="compiled code calls what it was compiled with")
def test_the_replay_asks_once_for_each_play_and_builds_nothing_between(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []
    built: list[int] = []

    def counted(count: list[int], function: Callable[..., Any]) -> Callable[..., Any]:
        def counting(*arguments: Any) -> Any:
            count.append(1)
            return function(*arguments)

        return counting

    monkeypatch.setattr(Board, "legal", counted(asked, Board.legal))
    monkeypatch.setattr(replay_module, "Playing", counted(built, Playing))
    rng = Random(4)
    for rules in (Rules(pass_cycle=(HOLD,)), presets.pagat_cancellation(6)):
        state: State = reached(new_game(rules), is_playing, rng)
        plays = 0
        while isinstance(state, Playing):
            asked.clear()
            built.clear()
            assert check(Setup.of(state)) == state
            assert (len(asked), len(built)) == (plays, min(plays, 1))
            state = apply(state, rng.choice(legal_moves(state)))
            plays += 1


def test_the_replay_goes_as_far_as_plays_are_legal() -> None:
    """As far as `apply` goes, and to the state that it leads to; from any state of a deal."""
    rng = Random(7)
    refused = 0
    for _ in range(150):
        rules = random_rules(rng)
        state: State = reached(new_game(rules), is_playing, rng)
        states: list[State] = []
        plays: list[Play] = []
        while isinstance(state, Playing):
            states.append(state)
            move = rng.choice(legal_moves(state))
            plays.append(move)
            state = apply(state, move)
        states.append(state)
        first = rng.randrange(len(plays))
        begun = states[first]
        assert isinstance(begun, Playing)
        told = plays[first : rng.randrange(first, len(plays)) + 1]
        assert replayed(begun, told) == (states[first + len(told)], len(told))
        place = rng.randrange(len(told))
        at = states[first + place]
        other = Play(told[place].seat, rng.choice(ALL_FACES))
        fine = is_legal(at, other)
        refused += not fine
        if not fine:
            assert replayed(begun, [*told[:place], other, *told[place + 1 :]]) == (at, place)
        assert replayed(begun, [*plays[first:], other]) == (states[-1], len(plays) - first)
    assert refused > 50
