"""How likely the play was in a world: against the engine and the policy, play by play, and against the hands held."""

from __future__ import annotations

from collections import Counter
from math import exp, log, sqrt
from random import Random

import pytest
from hypothesis import event, given, settings
from hypothesis import strategies as st

from heartsrules import Card, Cards, Play, Playing, Rules, State, apply, deal, legal_moves, new_game, to_act, view
from heartsrules.analysis.card_choice import Situation, lead_chance
from heartsrules.analysis.likelihood import Likelihood
from heartsrules.analysis.policies import Policy, Watchful
from heartsrules.analysis.trials import Trials
from heartsrules.base.values import replaced
from heartsrules.bots import heuristic
from heartsrules.cards import face
from heartsrules.chance import RandomStream
from heartsrules.play.board import Board
from heartsrules.play.legality import CardChoice
from heartsrules.rules import Compulsory, Kitty, KittyShownTo, OpeningCard, OpeningLeader
from heartsrules.rules import resolved as C
from heartsrules.rules.presets import cardstock, gong_zhu, microsoft, pagat_cancellation
from heartsrules.testing import strategies as hearts
from heartsrules.views import PlayingView
from heartsrules.views.worlds import sample_world
from support.rounds import examples
from support.strategies import FACES
from support.variations import KNOWN

pytestmark = pytest.mark.once_compiled

OFTEN = {"lead": 0.54, "follow": 0.76, "discard": 0.72}
TRUST = {"lead": 0.25, "follow": 0.15, "discard": 0.25}

Step = tuple[Playing, Card]
"""A position, and the card that was played in it."""


def plays_of(rules: Rules, seed: int, heuristically: bool) -> list[Step]:
    """The plays of a deal, of heuristic players or of uniform ones."""
    state: State = apply(new_game(rules), deal(new_game(rules), seed=seed))
    bits = RandomStream(seed)
    steps: list[Step] = []
    while to_act(state):
        seat = min(to_act(state))
        moves = legal_moves(state, seat)
        move = heuristic(view(state, seat), bits) if heuristically else moves[bits.below(len(moves))]
        if isinstance(state, Playing):
            assert isinstance(move, Play)
            steps.append((state, move.card))
        state = apply(state, move)
    return steps


def seen_by(state: Playing, seat: int) -> PlayingView:
    seen = view(state, seat)
    assert isinstance(seen, PlayingView)
    return seen


def by_definition(steps: list[Step], seat: int, hands: tuple[Cards, ...]) -> float:
    """What the likelihood is of some plays, position by position, if these are the hands after them."""
    likely = 1.0
    for number, (before, card) in enumerate(steps):
        turn = before.turn
        if turn == seat:
            continue
        rules = before.rules
        hand = hands[turn] + Cards([later for state, later in steps[number:] if state.turn == turn])
        there = replaced(before, hands=(*before.hands[:turn], hand, *before.hands[turn + 1 :]))
        legal = {move.card for move in legal_moves(there) if isinstance(move, Play)}
        if len(legal) == 1:
            continue
        captured = seen_by(before, seat).captured
        choice = CardChoice(
            rules, turn, hand, Cards(legal), before.trick, before.trick_number, before.hearts_broken, captured
        )
        stream = RandomStream.from_bits(0)
        stream._jump_to(0, before.trick_number * rules.players + turn)
        chances = led(choice) if not before.trick else {Watchful(0).choose_card(choice, stream): 1.0}
        known = {*hand, *(play.card for play in before.trick), *(each for pile in captured for each in pile)}
        kind = "lead"
        if before.trick:
            kind = "follow" if any(each.suit is before.trick[0].card.suit for each in hand) else "discard"
        chance = sum([each for chosen, each in chances.items() if alike(rules, chosen, card, known)])
        likely *= (OFTEN[kind] * chance + (1 - OFTEN[kind]) * (1 - chance) / (len(legal) - 1)) ** TRUST[kind]
    return likely


def led(choice: CardChoice) -> dict[Card, float]:
    """What a watchful player leads who makes no mistakes, and how likely."""
    board = Board(choice.rules._resolved, (0,) * choice.rules.players)
    for seat in board.seats:
        seat.pile_lo, seat.pile_hi = choice.captured[seat.seat].lo, choice.captured[seat.seat].hi
    board.seats[choice.seat].hand_lo = choice.hand.lo
    board.begin(choice.seat, 0)
    situation = Situation()
    situation.look_at_piles(board)
    situation.look(board)
    suits = [C.CLUBS << 13 * number for number in range(4)]
    chances = [lead_chance(choice.rules._resolved, situation, choice.legal.lo, suit) for suit in suits]
    board.open_ring()
    return {face(bit): chance for bit, chance in chances if bit}


@pytest.mark.parametrize("rules", [microsoft(), gong_zhu(4)])
def test_the_chance_of_a_lead_is_how_often_it_is_drawn(rules: Rules) -> None:
    drawn_often: list[float] = []
    bits = RandomStream("leads")
    for seed in range(2):
        for state, _ in plays_of(rules, seed, heuristically=False)[::2]:
            legal = Cards([move.card for move in legal_moves(state) if isinstance(move, Play)])
            if state.trick or len(legal) == 1:
                continue
            captured = seen_by(state, state.turn).captured
            choice = CardChoice(
                rules, state.turn, state.hands[state.turn], legal, (), state.trick_number, state.hearts_broken, captured
            )
            drawn = Counter([Watchful(0).choose_card(choice, bits) for _ in range(100)])
            chances = led(choice)
            assert sum(chances.values()) == pytest.approx(1)
            assert set(drawn) <= {card for card, chance in chances.items() if chance}
            for card, chance in chances.items():
                assert drawn[card] / 100 == pytest.approx(chance, abs=0.01 + 0.23 * sqrt(4 * chance * (1 - chance)))
            drawn_often += chances.values()
    assert len([chance for chance in drawn_often if 0 < chance < 1]) > 5


def alike(rules: Rules, one: Card, other: Card, known: set[Card]) -> bool:
    """Whether it makes no difference which of two cards is played."""
    if one == other:
        return True
    if one.suit is not other.suit:
        return False
    if (one.bit | other.bit) & rules._resolved.named_faces:
        return False
    low, high = sorted((one, other))
    return all(each in known for each in set(rules.deck) if low < each < high)


def compared(steps: list[Step], now: int) -> bool:
    """Compare three worlds of whose turn it is; whether the play was not as likely in all of them."""
    state = steps[now][0]
    seen = seen_by(state, state.turn)
    likelihood = Likelihood(seen)
    bits = RandomStream(now)
    likely = set()
    for _ in range(3):
        world = sample_world(seen, bits)
        assert isinstance(world, Playing)
        told = likelihood.of(world.hands)
        assert told == pytest.approx(by_definition(steps[:now], state.turn, world.hands))
        likely.add(told)
    return len(likely) > 1


@settings(max_examples=examples(60))
@given(data=st.data())
def test_it_is_that_of_watchful_players_who_make_mistakes(data: st.DataObject) -> None:
    rules = data.draw(hearts.rules())
    steps = plays_of(rules, data.draw(st.integers(0, 999)), data.draw(st.booleans()))
    if steps:
        differ = compared(steps, data.draw(st.integers(0, len(steps) - 1)))
        event(f"worlds differ: {differ}")


FEW = "2C QC KC AC KD AD QS KS AS QH KH AH "
RARE = (
    Rules(compulsory=Compulsory.SAFE),
    Rules(
        players=4,
        hand_size=8,
        opening_leader=OpeningLeader.DEALER_LEFT,
        opening_card=OpeningCard.ANY,
        kitty=Kitty.FIRST_TRICK,
        kitty_shown_to=KittyShownTo.EVERYBODY,
    ),
    Rules(players=4, decks=2, removed=Cards(FACES * 2) - Cards(FEW * 2)),
)
"""What the others seldom come to: a queen that is safe, a kitty with many hearts, tricks that nobody wins."""


@pytest.mark.sampled(5)
@pytest.mark.parametrize("rules", [*KNOWN, *RARE])
def test_it_is_so_with_kitties_exposed_cards_and_tricks_that_nobody_wins(rules: Rules) -> None:
    different = 0
    for seed in range(8):
        steps = plays_of(rules, seed, heuristically=bool(seed % 2))
        different += sum([compared(steps, now) for now in range(len(steps) // 4, len(steps), 3)])
    assert different > 10


@pytest.mark.long
def test_it_finds_the_queen() -> None:
    """Of heuristic players: the chance that even guesses give to the holder of the Q♠, and that of weighed ones."""
    queen = Card("QS")
    even = weighed = 0.0
    views = 0
    for seed in range(40):
        for state, _ in plays_of(microsoft(), seed, heuristically=True):
            holder = next((seat for seat, hand in enumerate(state.hands) if queen in hand), state.turn)
            if state.trick_number not in (5, 7, 9) or len(state.trick) != 1 or holder == state.turn:
                continue
            seen = seen_by(state, state.turn)
            likelihood = Likelihood(seen)
            bits = RandomStream(seed)
            worlds = [sample_world(seen, bits) for _ in range(60)]
            weights = [likelihood.of(world.hands) for world in worlds if isinstance(world, Playing)]
            right = [queen in world.hands[holder] for world in worlds if isinstance(world, Playing)]
            even += log((sum(right) + 0.5) / (len(right) + 1.5))
            share = sum(weight for weight, hit in zip(weights, right, strict=True) if hit) / sum(weights)
            weighed += log((share * len(right) + 0.5) / (len(right) + 1.5))
            views += 1
    assert views > 40
    assert exp(weighed / views) > exp(even / views) + 0.05


def middle(rules: Rules) -> list[PlayingView]:
    """Views of the fifth trick."""
    views = []
    for seed in range(10):
        state = next(state for state, _ in plays_of(rules, seed, heuristically=False) if state.trick_number == 4)
        views.append(seen_by(state, state.turn))
    return views


@pytest.mark.parametrize("rules", [cardstock(), pagat_cancellation(6)])
@pytest.mark.parametrize("policy", [Watchful(), Watchful(0.5), Policy(), None])
def test_worlds_count_by_it_with_watchful_players_and_one_deck(policy: Policy | None, rules: Rules) -> None:
    weighs = isinstance(policy, Watchful) and rules.decks == 1
    different = 0
    for seen in middle(rules):
        moves = legal_moves(seen)
        for number in range(4):
            once, weighed = (Trials(seen, moves, RandomStream(number), policy, weighs=asked) for asked in (False, True))
            once.go_on(1, range(len(moves)))
            weighed.go_on(1, range(len(moves)))
            world = sample_world(seen, RandomStream(number))
            assert isinstance(world, Playing)
            weight = Likelihood(seen).of(world.hands) if weighs else 1.0
            different += weight != 1
            for plain, other in zip(once.tried, weighed.tried, strict=True):
                assert other.value == pytest.approx(weight * plain.value)
                for kind in ("plain", "moon", "against"):
                    one, same = getattr(plain, kind), getattr(other, kind)
                    assert (same.points, same.win, same.worlds) == (one.points, one.win, one.worlds)
    assert (different > 20) == weighs


def test_before_the_first_play_of_another_all_worlds_are_alike() -> None:
    state, _ = plays_of(cardstock(), 3, heuristically=False)[0]
    seen = seen_by(state, state.turn)
    likelihood = Likelihood(seen)
    bits = Random(1)
    for _ in range(5):
        world = sample_world(seen, bits)
        assert isinstance(world, Playing)
        assert likelihood.of(world.hands) == 1.0
