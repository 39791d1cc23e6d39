"""How likely each card is to be chosen by typical players: against the draws, by other rules, and who holds the Q♠."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import pairwise
from math import exp, log
from typing import Any, TypeGuard

import attrs
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from heartsrules import (
    Card,
    Cards,
    Play,
    Playing,
    Rules,
    State,
    apply,
    deal,
    legal_moves,
    new_game,
    presets,
    to_act,
    view,
)
from heartsrules.analysis.card_choice import taker_of
from heartsrules.analysis.habits import DISCARD, FOLLOW, LEAD, SIZES, Habits, has_tables, shipped_tables
from heartsrules.analysis.likelihood import Likelihood
from heartsrules.analysis.playout import playout
from heartsrules.analysis.policies import Expected, Typical, Watchful, position_of
from heartsrules.analysis.rollouts import rollouts
from heartsrules.analysis.trials import Trials
from heartsrules.bots import Learned, Sampling
from heartsrules.chance import RandomStream
from heartsrules.play.legality import CardChoice
from heartsrules.play.moves import Move
from heartsrules.views import PlayingView, View
from heartsrules.views.worlds import sample_world
from support.rounds import examples

QUEEN = Card("QS")


def first_lead(rules: Rules, seed: int) -> State:
    """A deal with its cards passed, whatever they are."""
    state: State = apply(new_game(rules), deal(new_game(rules), seed=seed))
    while to_act(state) and not isinstance(state, Playing):
        state = apply(state, legal_moves(state, min(to_act(state)))[0])
    return state


def positions(seed: int) -> list[tuple[Playing, Card]]:
    """The plays of a deal of typical players in which there was a choice."""
    state, policy = first_lead(presets.microsoft(), seed), Typical()
    found: list[tuple[Playing, Card]] = []
    stream = RandomStream(seed)
    while isinstance(state, Playing):
        choice = choice_in(state)
        card = policy.choose_card(choice, stream)
        if len(choice.legal) > 1:
            found.append((state, card))
        state = apply(state, Play(state.turn, card))
    return found


def choice_in(state: Playing) -> CardChoice:
    seat = state.turn
    legal = Cards([move.card for move in legal_moves(state) if isinstance(move, Play)])
    captured = state.deal.captured
    return CardChoice(
        state.rules, seat, state.hands[seat], legal, state.trick, state.trick_number, state.hearts_broken, captured
    )


def looking_at(state: Playing) -> Habits:
    """Habits that look at a position."""
    choice = choice_in(state)
    board, situation = position_of(choice)
    known = Habits(shipped_tables())
    legal, draws = choice.legal.lo, RandomStream.from_bits(0)
    known.look(board.compiled, situation, legal, board.trick_number, taker_of(board), draws)
    board.open_ring()
    return known


def test_the_tables_are_complete() -> None:
    tables = shipped_tables()
    assert tuple(map(len, tables)) == SIZES
    assert all(any(table) for table in tables)


@given(st.integers(0, 10**6))
@settings(max_examples=examples(20))
def test_every_choice_has_places_of_its_own_in_the_tables(seed: int) -> None:
    kinds = set()
    for state, _ in positions(seed):
        known = looking_at(state)
        found = known.choices()
        kinds.add(known.kind)
        assert {len(places) for places in found.values()} == {{LEAD: 5, FOLLOW: 7, DISCARD: 6}[known.kind]}
        assert all(0 <= place < SIZES[known.kind] for places in found.values() for place in places)
        assert sum(exp(known.log_chance(bit)) for bit in found) == pytest.approx(1)
    assert kinds == {LEAD, FOLLOW, DISCARD}


def test_cards_between_which_none_is_out_are_one_choice() -> None:
    together = apart = 0
    for seed in range(20):
        for state, _ in positions(seed):
            known = looking_at(state)
            stands = sorted(known.choices())
            held = state.hands[state.turn]
            out = state.rules.deck - sum(state.deal.captured, start=held) - Cards([play.card for play in state.trick])
            cards = [move.card for move in legal_moves(state) if isinstance(move, Play)]
            for low, high in pairwise(cards):
                between = [card for card in out if low < card < high]
                joined = low.suit == high.suit and not between and QUEEN not in (low, high)
                assert joined == (high.bit not in stands), (low, high)
                if joined:
                    assert known.log_chance(low.bit) == known.log_chance(high.bit)
                together += joined
                apart += not joined
    assert min(together, apart) > 100


def test_cards_are_drawn_as_often_as_they_are_likely() -> None:
    tries, off, compared = 4000, 0.0, 0
    for state, _ in positions(5)[::4]:
        known = looking_at(state)
        stream = RandomStream(9)
        drawn = Counter(known.draw(stream) for _ in range(tries))
        for bit in known.choices():
            chance = exp(known.log_chance(bit))
            expected = tries * chance
            if expected > 5:
                off += (drawn[bit] - expected) ** 2 / (expected * (1 - chance) + 1)
                compared += 1
        assert set(drawn) <= set(known.choices())
    # Noise of 256 values follows the distribution closely, and not exactly.
    assert compared > 15
    assert off / compared < 4


def test_typical_players_play_as_they_choose() -> None:
    """A playout on a board is that of a policy that is asked card by card."""

    class Asked(Watchful):
        def choose_card(self, choice: CardChoice, stream: RandomStream) -> Card:
            return Typical().choose_card(choice, stream)

    for seed in range(6):
        start = first_lead(presets.cardstock(), seed)
        one = playout(start, RandomStream(seed), deals=1, policy=Typical())
        other = playout(start, RandomStream(seed), deals=1, policy=Asked())
        assert one == other


OTHERS = [presets.omnibus(4), presets.cardstock(3), presets.partner_hearts(), presets.leekha(), presets.gong_zhu(4)]


@pytest.mark.parametrize("rules", OTHERS)
def test_by_other_rules_typical_players_are_watchful(rules: Rules) -> None:
    start = first_lead(rules, 3)
    while len(legal_moves(start)) < 2:
        start = apply(start, legal_moves(start)[0])
    assert not has_tables(rules.compiled)
    assert rollouts(start, RandomStream(1), 20, policy=Typical()) == rollouts(
        start, RandomStream(1), 20, policy=Watchful()
    )
    assert isinstance(start, Playing)
    choice = choice_in(start)
    assert Typical().choose_card(choice, RandomStream(4)) == Watchful().choose_card(choice, RandomStream(4))
    seen = view(start, start.turn)
    typical, watchful = [
        Trials(seen, legal_moves(seen)[:2], RandomStream(1), policy, weighs=True) for policy in (Typical(), Watchful())
    ]
    for trials in (typical, watchful):
        trials.go_on(3, [0, 1])
    assert [each.values for each in typical.tried] == [each.values for each in watchful.tried]


def test_the_rules_that_fit() -> None:
    fitting = [presets.microsoft(), presets.cardstock(), presets.pagat(), presets.board_game_arena(4)]
    assert all(has_tables(rules.compiled) for rules in fitting)
    assert not has_tables(presets.pagat_cancellation(8).compiled)


def agreement(policy: Watchful, chosen: list[tuple[Playing, Card]]) -> float:
    """How many of the cards a policy would play too."""
    hits = [policy.choose_card(choice_in(state), RandomStream(number)) for number, (state, _) in enumerate(chosen)]
    return sum(hit == card for hit, (_, card) in zip(hits, chosen, strict=True)) / len(chosen)


def test_they_play_more_like_the_sampling_player_than_watchful_ones_do() -> None:
    chosen: list[tuple[Playing, Card]] = []
    for seed in range(3):
        state = first_lead(presets.microsoft(), seed)
        while isinstance(state, Playing):
            move = Sampling(20)(view(state, state.turn), RandomStream(seed))
            assert isinstance(move, Play)
            if len(choice_in(state).legal) > 1:
                chosen.append((state, move.card))
            state = apply(state, move)
    assert len(chosen) > 80
    chances = 0.0
    for state, card in chosen:
        known = looking_at(state)
        chances += exp(known.log_chance(card.bit))
    assert chances / len(chosen) > agreement(Watchful(0), chosen)


def seen_by(state: Playing) -> PlayingView:
    seen = view(state, state.turn)
    assert isinstance(seen, PlayingView)
    return seen


def test_the_likelihood_is_the_product_of_the_chances_with_the_hands_of_a_world() -> None:
    """Play by play with a state of the world, where none surprises."""
    compared = 0
    for seed in range(8):
        steps = positions(seed)
        for state, _ in steps[8::9]:
            seen = seen_by(state)
            bits = RandomStream(seed)
            for _ in range(3):
                world = sample_world(seen, bits)
                assert isinstance(world, Playing)
                held = list(world.hands)
                plays = [play for trick in seen.deal.tricks for play in trick.plays] + list(seen.trick)
                for play in plays:
                    held[play.seat] += Cards([play.card])
                at: State = first_lead(presets.microsoft(), seed)
                assert isinstance(at, Playing)
                at = at.replace(hands=tuple(held))
                logs = 0.0
                for play in plays:
                    assert isinstance(at, Playing)
                    if play.seat != seen.seat:
                        known = looking_at(at)
                        trust = 0.25 if known.kind == FOLLOW else 0.5
                        logs += trust * max(-7.0, known.log_chance(play.card.bit))
                    at = apply(at, play)
                # What a watchful player leads depends on its own draws, so where leads are close they may differ.
                found = log(Likelihood(seen, Habits(shipped_tables())).of(world.hands))
                compared += found == pytest.approx(logs, abs=1e-9)
    assert compared > 10


def test_it_finds_the_queen_where_a_watchful_model_does_not() -> None:
    """The chance that weighed worlds give to the holder of the Q♠, among typical players."""
    logs, views = [0.0, 0.0, 0.0], 0
    for seed in range(60):
        for state, _ in positions(seed):
            holder = next((seat for seat, hand in enumerate(state.hands) if QUEEN in hand), state.turn)
            if state.trick_number not in (5, 7, 9) or len(state.trick) != 1 or holder == state.turn:
                continue
            seen, bits = seen_by(state), RandomStream(seed)
            worlds = [world for world in (sample_world(seen, bits) for _ in range(40)) if isinstance(world, Playing)]
            right = [QUEEN in world.hands[holder] for world in worlds]
            for place, model in enumerate((None, Likelihood(seen), Likelihood(seen, Habits(shipped_tables())))):
                weights = [model.of(world.hands) if model else 1.0 for world in worlds]
                share = sum(weight for weight, hit in zip(weights, right, strict=True) if hit) / sum(weights)
                logs[place] += log((share * len(right) + 0.5) / (len(right) + 1.5))
            views += 1
    assert views > 25
    even, watchful, typical = [exp(each / views) for each in logs]
    assert even < watchful
    assert watchful + 0.03 < typical


@attrs.frozen
class Noting(Learned):
    """Judges nothing, and notes the worlds."""

    worlds: list[Playing]

    def judge(self, view: View, worlds: Sequence[Any], moves: Sequence[Move], weighs: bool = True, /) -> Any:  # noqa: ARG002
        assert not weighs
        self.worlds.extend(worlds)
        return [1.0] * len(worlds), [[Expected([6.5] * 4, [0] * 4)] * len(moves) for _ in worlds]


def test_judged_worlds_are_drawn_in_proportion_to_their_likelihood() -> None:
    for seed in range(2):
        seen = seen_by(positions(seed)[-12][0])
        model, bits = Likelihood(seen, Habits(shipped_tables())), RandomStream(2)
        even = [model.of(world.hands) for world in (sample_world(seen, bits) for _ in range(1500)) if playing(world)]
        judged: list[Playing] = []
        trials = Trials(seen, legal_moves(seen)[:1], RandomStream(1), Noting(judged), judges=True, weighs=True)
        trials.go_on(320, [0])
        assert len(judged) == 320
        assert trials.tried[0].weight == 320
        mean = sum(log(model.of(world.hands)) for world in judged) / len(judged)
        assert mean == pytest.approx(sum(each * log(each) for each in even) / sum(even), abs=0.25)
        assert mean > sum(map(log, even)) / len(even) + 0.5


def playing(world: object) -> TypeGuard[Playing]:
    return isinstance(world, Playing)
