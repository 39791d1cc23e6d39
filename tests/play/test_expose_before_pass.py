"""Showing before a pass, which is made only if nobody has shown any card; and any number of cards into the middle."""

from __future__ import annotations

from random import Random
from typing import Any

import attrs
import pytest

from heartsrules import (
    AwaitingDeal,
    Card,
    Cards,
    DealingBack,
    Expose,
    Exposing,
    IllegalMove,
    InvalidRules,
    InvalidState,
    Pass,
    Passing,
    Playing,
    Rules,
    ScoreSheet,
    State,
    Suit,
    advance,
    apply,
    deal,
    deal_cards,
    legal_cards,
    legal_moves,
    new_game,
    pass_options,
    presets,
    public_view,
    redact,
    to_act,
    transition,
    trick_winner,
    view,
    why_illegal,
    winning_seat,
)
from heartsrules.analysis import assess
from heartsrules.analysis.playout import playout
from heartsrules.bots import Bot, Sampling, heuristic, uniform
from heartsrules.chance import RandomStream
from heartsrules.formats.notation import format_position, format_record, parse_position, parse_record
from heartsrules.formats.wire import from_json, to_json
from heartsrules.play.dealing import chance_to_act
from heartsrules.play.game import Game, Record, moves_of, verify
from heartsrules.play.moves import Play
from heartsrules.play.passing import passes_of
from heartsrules.play.position_keys import position_key
from heartsrules.play.violations import WrongNumberOfCards
from heartsrules.rules import ANY_NUMBER, ExposeBeforePass, Exposure, PassOptional, left, middle
from heartsrules.setup import Setup, check
from heartsrules.simulation import play_match
from heartsrules.views.worlds import consistent, sample_world
from support.random_play import random_move

CHARGED = attrs.evolve(presets.charged_hearts(), pass_cycle=(middle(None),))
ANY = Rules(players=3, removed="2D", pass_cycle=(middle(None),))
NOTHING = Cards()


def dealt(rules: Rules, seed: Any = "show first") -> Any:
    start = new_game(rules)
    return apply(start, deal(start, seed=seed))


def exposed(state: State, *cards: str) -> State:
    """The state after all have shown these cards, by seat, those who are asked first first."""
    left_to_expose = dict(enumerate(map(Cards, cards)))
    while isinstance(state, Exposing) and left_to_expose:
        seat = next(iter(state.to_act))
        state = apply(state, Expose(seat, left_to_expose.pop(seat)))
    return state


def laid(state: State, *cards: str) -> State:
    for seat, text in enumerate(cards):
        state = apply(state, Pass(seat, *(Cards(text),) if text else ()))
    return state


@pytest.mark.parametrize("exposure", Exposure)
def test_who_shows_a_card_ends_the_pass(exposure: Exposure) -> None:
    """HR-expose_before_pass.2: the first lead follows, with nothing passed."""
    state = dealt(attrs.evolve(CHARGED, exposure=exposure))
    holder = next(seat for seat, hand in enumerate(state.hands) if hand & CHARGED.exposable)
    card = next(iter(state.hands[holder] & CHARGED.exposable))
    shows = [str(card) if seat == holder else "" for seat in range(4)]
    after = exposed(state, *shows)
    while isinstance(after, Exposing):  # in rounds, all others decide again
        assert exposure in (Exposure.ROUNDS, Exposure.ROUNDS_IN_TURN)
        after = apply(after, Expose(after.to_act[0], NOTHING))
    assert isinstance(after, Playing)
    assert (after.passes, after.hands, after.has_full_history) == ((), state.hands, True)
    assert after.exposed[holder] == Cards([card])
    assert view(after, 0).start.pass_counts == ()  # type: ignore[union-attr]


@pytest.mark.parametrize("exposure", Exposure)
def test_if_nobody_shows_all_pass_and_may_show_again(exposure: Exposure) -> None:
    """HR-expose_before_pass.3, HR-expose_before_pass.4: from the dealer's left again where they show in turn."""
    state = dealt(attrs.evolve(CHARGED, exposure=exposure))
    assert isinstance(state, Exposing)
    first = to_act(state)
    assert state.before_pass
    assert [reason.code for reason in why_illegal(state, Pass(0))] == ["wrong-phase"]
    passing = exposed(state, "", "", "", "")
    assert isinstance(passing, Passing)
    assert (passing.hands, passing.commitments) == (state.hands, (None,) * 4)
    again = laid(passing, "", "", "", "")
    assert chance_to_act(again)
    again = apply(again, deal(again))
    assert isinstance(again, Exposing)
    assert (to_act(again), again.before_pass, again.has_full_history) == (first, False, True)
    assert isinstance(exposed(again, "", "", "", ""), Playing)


@pytest.mark.parametrize(
    ("expose_before_pass", "kinds"),
    [
        (ExposeBeforePass.NEVER, [Passing, Passing, Exposing]),
        (ExposeBeforePass.MIDDLE, [Passing, Exposing, Exposing]),
        (ExposeBeforePass.ALWAYS, [Exposing, Exposing, Exposing]),
    ],
)
def test_in_which_deals(expose_before_pass: ExposeBeforePass, kinds: list[type[State]]) -> None:
    """HR-expose_before_pass.1: of a pass to the left, one through the middle, and a hold."""
    rules = Rules(pass_cycle=(left(), middle(), ()), exposable="QS", expose_before_pass=expose_before_pass)
    for number, kind in enumerate(kinds):
        state = apply(AwaitingDeal(rules, ScoreSheet((0,) * 4, number), None), deal(new_game(rules)))
        assert isinstance(state, kind)
        assert not isinstance(state, Exposing) or state.before_pass is rules.shows_before_pass(number)
    assert [rules.shows_before_pass(number) for number in range(3)] == [
        expose_before_pass is ExposeBeforePass.ALWAYS,
        expose_before_pass is not ExposeBeforePass.NEVER,
        False,
    ]


def test_the_options_that_contradict_each_other() -> None:
    """HR-refused.any-number-with-two-decks, HR-refused.optional-with-any-number."""
    for wrong, code in (
        ({"pass_cycle": [middle(None)], "decks": 2, "players": 8}, "any-number-with-two-decks"),
        ({"pass_cycle": [middle(None)], "pass_optional": PassOptional.UNANIMOUS}, "optional-with-any-number"),
        ({"pass_cycle": [((1, 0),)]}, "empty-gift"),
    ):
        options: dict[str, Any] = dict(wrong)
        with pytest.raises(InvalidRules) as refused:
            Rules(**options)
        assert code in [problem.code for problem in refused.value.problems]
    with pytest.raises(ValueError, match="1 to 17 cards, or None"):
        middle(0)


# -------------------------------------------------------------------------------------------------------- any number


@pytest.mark.long
def test_any_number_may_be_laid() -> None:
    """HR-pass_cycle.9: from none to all that may be passed, in the order of binary numbers."""
    state = dealt(attrs.evolve(ANY, unpassable="QS KS"))
    free = [card for card in state.hands[1] if card not in state.rules.unpassable]
    moves = legal_moves(state, 1)
    assert len(moves) == 2 ** len(free) == len(set(moves))
    assert moves[0] == Pass(1)
    assert [moves[index].cards[0] for index in (1, 2, 3)] == [Cards(free[:1]), Cards(free[1:2]), Cards(free[:2])]
    assert moves[-1] == Pass(1, Cards(free))
    assert all(not why_illegal(state, move) for move in moves[:200])
    assert list(moves) == [move for move in moves if move in moves]


def test_laying_none_has_one_spelling() -> None:
    """HR-pass_cycle.9: a pass without gifts."""
    state = dealt(ANY)
    assert why_illegal(state, Pass(0)) == ()
    empty = Pass(0, NOTHING)
    assert why_illegal(state, empty) == (WrongNumberOfCards(0, 0, 0),)
    assert empty not in legal_moves(state)
    assert [reason.code for reason in why_illegal(state, Pass(0, NOTHING, NOTHING))] == ["wrong-number-of-cards"]
    with pytest.raises(IllegalMove):
        apply(state, empty)
    assert passes_of(ANY, 0, 0, Cards("2C")).count == 2


def test_options_of_a_pass_of_any_number() -> None:
    seen = view(dealt(ANY), 0)
    assert seen.may_decline  # type: ignore[union-attr]
    nothing = pass_options(seen)  # type: ignore[arg-type]
    assert (nothing.addable, nothing.missing, nothing.complete) == ((seen.hand,), (0,), True)  # type: ignore[union-attr]
    some = pass_options(seen, [Cards(list(seen.hand)[:5])])  # type: ignore[arg-type, union-attr]
    assert (len(some.addable[0]), some.missing, some.complete) == (12, (0,), True)


def test_nobody_learns_early_who_laid_how_many() -> None:
    """HR-pass_cycle.7: all see the counts when all have committed, and nobody before."""
    state = dealt(ANY)
    mine, none, more = Pass(0, Cards(list(state.hands[0])[:2])), Pass(1), Pass(1, state.hands[1])
    before, twin = (apply(apply(state, mine), move) for move in (none, more))
    for seat in (0, 2):
        assert view(before, seat) == view(twin, seat)
        assert to_json(view(before, seat)) == to_json(view(twin, seat))
    assert public_view(before) == public_view(twin)
    last = Pass(2, Cards(list(state.hands[2])[:1]))
    # Nobody has laid a card but seats 0 and 2; still chance is to act, as in the twin.
    piles = [apply(each, last) for each in (before, twin)]
    assert [chance_to_act(each) for each in piles] == [True, True]
    assert public_view(piles[0]) == public_view(piles[1])
    for pile, counts in zip(piles, ((2, 0, 1), (2, 17, 1)), strict=True):
        assert isinstance(pile, DealingBack)
        result = transition(pile, deal(pile))
        (passed,) = [event for event in redact(result.events, None) if event.code == "cards-passed-hidden"]
        assert passed.counts == counts  # type: ignore[union-attr]
        assert public_view(result.state).start.pass_counts == counts  # type: ignore[union-attr]
        assert public_view(result.state).declined == {seat for seat in range(3) if not counts[seat]}  # type: ignore[union-attr]


def test_a_pile_of_unequal_parts_goes_round() -> None:
    """HR-pass_cycle.8: to those who have not as many back as they laid."""
    state: Any = dealt(ANY)
    hands = [list(hand) for hand in state.hands]
    for seat, count in enumerate((1, 3, 2)):
        state = apply(state, Pass(seat, Cards(hands[seat][:count])))
    pile = list(sum(state.middle_cards, Cards()))
    assert deal_cards(state, pile).hands == (
        Cards(pile[2:3]),
        Cards([pile[0], pile[3], pile[5]]),
        Cards([pile[1], pile[4]]),
    )


# ------------------------------------------------------------------------------------------- every form, every player

RULES = {
    "together": attrs.evolve(CHARGED, exposure=Exposure.TOGETHER),
    "in turn": attrs.evolve(CHARGED, exposure=Exposure.IN_TURN),
    "rounds": CHARGED,
    "rounds in turn": attrs.evolve(CHARGED, exposure=Exposure.ROUNDS_IN_TURN),
    "left": attrs.evolve(CHARGED, pass_cycle=(left(2),), expose_before_pass=ExposeBeforePass.ALWAYS),
    "three": attrs.evolve(CHARGED, pass_cycle=(middle(3),), exposure=Exposure.TOGETHER),
    **{
        f"after the pass, {optional}": Rules(pass_cycle=(middle(2), left(1)), pass_optional=optional, exposable="QS")
        for optional in (PassOptional.SKIP, PassOptional.UNANIMOUS)
    },
}


@pytest.mark.once_compiled
@pytest.mark.sampled(6)
@pytest.mark.parametrize("shows", [False, True])
@pytest.mark.parametrize("name", RULES)
def test_every_form_tells_it(name: str, shows: bool) -> None:
    """States, views, setups, texts and JSON come back; a client's view keeps up; worlds agree."""
    game = Game.start(RULES[name])
    rng = Random(f"{name} {shows}")
    while len(game.state.score_sheet) < len(RULES[name].pass_cycle):
        state = game.state
        move = random_move(state, rng)
        if isinstance(move, Expose) and not shows:
            move = Expose(move.seat, NOTHING)
        assert from_json(to_json(state), State) == state
        assert parse_position(format_position(state)) == state
        assert check(Setup.of(state)) == state
        events = transition(state, move).events
        game = game.play(move)
        for own in (0, 2, None):
            seen = view(state, own) if own is not None else public_view(state)
            after = view(game.state, own) if own is not None else public_view(game.state)
            assert advance(seen, redact(events, own)) == after
            assert from_json(to_json(after), type(after)) == after
            if not isinstance(game.state, Playing) or len(game.moves) % 9 == 0:
                world = sample_world(after, rng)
                assert consistent(after, world)
        if game.state.has_full_history:
            assert Game.of(game.state).state == game.state
            made = moves_of(game.state)
            assert len(made) == len(game.moves) or game.state.deal_number or RULES[name]._resolved.shows_in_rounds
    if RULES[name].shows_before_pass(0):
        assert any(isinstance(move, Pass) for move in game.moves) is not any(
            isinstance(move, Expose) and move.cards for move in game.moves[:9]
        )
    record = Record.of(game)
    assert ("Back:" in format_record(record)) is any(isinstance(state, DealingBack) for state in game.states)
    assert verify(record).valid
    assert parse_record(format_record(record)) == record
    assert from_json(to_json(record), Record) == record


def test_a_pass_that_did_not_happen_is_told_from_one_that_is_not_known() -> None:
    """Where somebody has shown a card, nothing was passed; where nobody has, it is not known what."""
    state = dealt(CHARGED)
    played = exposed(state, "", "", "", "")
    played = laid(played, "", "", "", "")
    assert isinstance(played, DealingBack)
    played = exposed(apply(played, deal(played)), "", "", "", "")
    setup = Setup.of(played)
    unknown = check(attrs.evolve(setup, passes=(), dealt_back=(), has_full_history=None))
    assert isinstance(unknown, Playing)
    assert (unknown.has_full_history, played.has_full_history) == (False, True)
    assert sample_world(view(unknown, 0), Random(1)).has_full_history is False
    with pytest.raises(InvalidState, match="history"):
        moves_of(unknown)
    assert from_json(to_json(unknown), State) == unknown


def test_a_position_before_the_pass_is_another_one() -> None:
    """A search must not take the showing before a pass for the one after it."""
    first = dealt(CHARGED)
    passing = laid(exposed(first, "", "", "", ""), "", "", "", "")
    assert isinstance(passing, DealingBack)
    second = apply(passing, deal(passing))
    assert isinstance(second, Exposing)
    assert second.hands == first.hands
    assert position_key(first) != position_key(second)


def test_playouts_go_by_the_engine() -> None:
    passes = 0
    for number in range(12):
        stream, other = RandomStream(number), RandomStream(number)
        stepped: State = new_game(CHARGED)
        while not stepped.score_sheet:
            if chance_to_act(stepped):
                passes += isinstance(stepped, DealingBack)
                stepped = apply(stepped, deal(stepped, rng=stream))
                continue
            moves = legal_moves(stepped, min(to_act(stepped)))
            stepped = apply(stepped, moves[stream.below(len(moves))])
        assert playout(new_game(CHARGED), other) == stepped
    assert passes


@pytest.mark.long
def test_bots_and_hints_lay_what_they_like() -> None:
    rules = presets.charged_hearts()
    bots: list[Bot] = [heuristic, uniform, Sampling(worlds=4), heuristic]
    assert play_match(rules, bots, seed=1) == play_match(rules, bots, seed=1)
    passing = exposed(dealt(CHARGED, "hints"), "", "", "", "")
    seen = view(passing, 0)
    assert heuristic(seen, Random(1)) in legal_moves(seen)
    found = assess(seen, Random(1), worlds=2)
    assert {len(each.move.cards) for each in found.moves} == {0, 1}  # type: ignore[union-attr]
    locked = attrs.evolve(CHARGED, unpassable=CHARGED.deck)
    nothing = view(exposed(dealt(locked), "", "", "", ""), 0)
    assert heuristic(nothing, Random(1)) == Pass(0)


# ------------------------------------------------------------------------------------- the positions of turbo-hearts


def test_the_plays_of_the_position_of_gottatry() -> None:
    """`test_play` of bot/src/gottatry.rs: south leads; spades, clubs and diamonds were led, the T♥ was discarded.

    south has charged the A♥ and the T♣; only the A♥ waits, and the bot leads the A♣."""
    legal = legal_cards(
        CHARGED,
        Cards("JH AH KC AC QC TC"),
        hearts_broken=True,
        exposed=Cards("AH TC"),
        suits_led=[Suit.CLUBS, Suit.DIAMONDS, Suit.SPADES],
        first_trick=False,
    )
    assert legal == Cards("JH KC AC QC TC")


@pytest.mark.parametrize(("cards", "winner"), [("5C", 2), ("5C 9D", 2), ("5C 9D TC 4C", 0)])
def test_the_tricks_of_turbo_hearts(cards: str, winner: int) -> None:
    """Of `test_winning_seat` and `test_is_complete` of api/src/trick.rs, those without a booster nine: south leads."""
    plays = [Play((2 + place) % 4, Card(card)) for place, card in enumerate(cards.split())]
    assert winning_seat(CHARGED, plays) == winner
    if len(plays) == 4:
        assert trick_winner(CHARGED, plays) == winner


def test_any_number_is_written_as_zero() -> None:
    assert middle(None) == ANY_NUMBER == ((0, 0),)
    assert "pass_cycle=M0" in format_position(new_game(ANY))
    assert parse_position(format_position(new_game(ANY))) == new_game(ANY)
