"""Passing through the middle: who acts, what is dealt back, and what is refused."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

import attrs
import pytest

from heartsrules import (
    AwaitingDeal,
    Card,
    Cards,
    Deal,
    DealingBack,
    Expose,
    IllegalMove,
    InvalidState,
    Pass,
    Passing,
    Phase,
    Play,
    Playing,
    Rules,
    ScoreSheet,
    State,
    apply,
    deal,
    deal_cards,
    is_legal,
    legal_moves,
    new_game,
    public_view,
    to_act,
    view,
    why_illegal,
)
from heartsrules.analysis.playout import playout
from heartsrules.base.values import replaced
from heartsrules.bots import heuristic, uniform
from heartsrules.chance import RandomStream
from heartsrules.formats.notation import format_position
from heartsrules.formats.wire import to_json
from heartsrules.play.dealing import DealMoves, back_problems, chance_to_act
from heartsrules.play.engine import why_illegal_cards
from heartsrules.play.stateless import exchange_gifts
from heartsrules.play.violations import WrongPhase
from heartsrules.rules import PassOptional, left, middle
from heartsrules.setup import Setup, check
from heartsrules.simulation import play_match
from heartsrules.testing.perft import perft
from heartsrules.views import DealingBackView

KINDS = {Pass: Phase.PASS, Play: Phase.PLAY, Expose: Phase.EXPOSE}
THREE = Rules(players=3, removed="2D", pass_cycle=(middle(1),))


def laid(rules: Rules, *gifts: str, seed: str = "middle") -> DealingBack:
    """The state after these cards are laid, seat by seat; an empty text declines."""
    start = new_game(rules)
    state: State = apply(start, deal(start, seed=seed))
    for seat, cards in enumerate(gifts):
        state = apply(state, Pass(seat, *(Cards(cards),) if cards else ()))
    assert isinstance(state, DealingBack)
    return state


def firsts(rules: Rules, declining: Sequence[int] = (), seed: str = "middle") -> DealingBack:
    """The state after every seat has made its first pass, or declined."""
    start = new_game(rules)
    state: State = apply(start, deal(start, seed=seed))
    for seat in range(rules.players):
        state = apply(state, Pass(seat) if seat in declining else legal_moves(state, seat)[0])
    assert isinstance(state, DealingBack)
    return state


def test_the_pile_is_dealt_back() -> None:
    """HR-pass_cycle.4: as many cards to each as it laid."""
    state = firsts(THREE)
    one, two, three = state.middle_cards
    after = apply(state, Deal([two, three, one]))
    assert isinstance(after, Playing)
    assert after.passed == (one, two, three)
    assert after.received == (two, three, one)
    assert after.hands == (state.hands[0] - one + two, state.hands[1] - two + three, state.hands[2] - three + one)


def test_chance_acts_when_all_have_committed() -> None:
    """HR-pass_cycle.5: nobody else may, and not before."""
    start = new_game(THREE)
    state: State = apply(start, deal(start, seed=3))
    for seat in range(3):
        assert not chance_to_act(state)
        assert [reason.code for reason in why_illegal(state, Deal([Cards()] * 3))] == ["wrong-phase"]
        state = apply(state, legal_moves(state, seat)[0])
    assert chance_to_act(state)
    assert isinstance(state, DealingBack)
    assert state.phase is Phase.DEAL_BACK
    assert to_act(state) == frozenset()
    assert [legal_moves(state, seat) for seat in range(3)] == [(), (), ()]
    assert isinstance(legal_moves(state), DealMoves)
    for move in (state.commitments[0], Pass(1), Play(0, Card("2C")), Expose(0, Cards())):
        assert why_illegal(state, move) == (WrongPhase(Phase.DEAL_BACK, KINDS[type(move)]),)
        assert why_illegal(view(state, 0), move) == why_illegal(state, move)
    assert [legal_moves(seen) for seen in (view(state, 0), public_view(state))] == [(), ()]
    assert why_illegal_cards(state, 0) == why_illegal_cards(view(state, 0)) == ()
    assert isinstance(apply(state, deal(state)), Playing)


def test_a_card_may_come_back() -> None:
    """HR-pass_cycle.6: passed and received all the same."""
    state = firsts(THREE)
    after = apply(state, Deal(state.middle_cards))
    assert isinstance(after, Playing)
    assert after.passed == after.received == state.middle_cards
    assert after.hands == state.hands


def test_a_seat_knows_its_own_cards_alone() -> None:
    """HR-pass_cycle.7: what others laid and got is not in its view."""
    state = firsts(THREE)
    one, two, three = state.middle_cards
    turned, swapped = apply(state, Deal([two, three, one])), apply(state, Deal([two, one, three]))
    seen = view(turned, 0)
    assert isinstance(seen, type(view(swapped, 0)))
    assert (seen.passed, seen.received) == (one, two)  # type: ignore[union-attr]
    assert seen.start == view(swapped, 0).start  # type: ignore[union-attr]
    assert public_view(turned).received == Cards()  # type: ignore[union-attr]


def test_a_view_hides_what_others_laid() -> None:
    """HR-pass_cycle.7: not even how many cards, until the pile is dealt back."""
    rules = Rules(pass_cycle=(middle(None),))
    start = new_game(rules)
    state: State = apply(start, deal(start, seed="middle"))
    assert isinstance(state, Passing)
    tried = [Pass(0, cards) in legal_moves(state, 0) for cards in (state.hands[0][:2], "", "2C 2D")]
    assert tried == [True, False, False]
    hands = [str(hand) for hand in state.hands]
    one = laid(rules, hands[0][:5], hands[1][:2], "", hands[3])
    other = laid(rules, hands[0][:5], "", hands[2], hands[3][:2])
    seen = view(one, 0)
    assert isinstance(seen, DealingBackView)
    assert (seen.seat, seen.hand, seen.commitment) == (0, one.hands[0], one.commitments[0])
    assert seen.hand_sizes == (13,) * 4
    assert seen == view(other, 0)
    assert to_json(seen) == to_json(view(other, 0))
    assert public_view(one) == public_view(other) == DealingBackView(rules, None, one.score_sheet, Cards(), None)


def test_the_pile_goes_round_from_the_dealers_left() -> None:
    """HR-pass_cycle.8: to those who laid any, a card at a time."""
    rules = Rules(first_dealer=1, pass_cycle=(middle(2),), pass_optional=PassOptional.SKIP)
    state = firsts(rules, declining=[3])
    pile = list(sum(state.middle_cards, Cards()))
    assert deal_cards(state, pile).hands == (
        Cards([pile[1], pile[4]]), Cards([pile[2], pile[5]]), Cards([pile[0], pile[3]]), Cards(),
    )  # fmt: skip


@pytest.mark.parametrize(("optional", "back"), [(PassOptional.SKIP, [1, 0, 0]), (PassOptional.UNANIMOUS, [0, 0, 0])])
def test_who_lays_alone(optional: PassOptional, back: list[int]) -> None:
    """HR-pass_optional.5: gets its own cards, or keeps them."""
    rules = Rules(players=3, removed="2D", pass_cycle=(middle(1),), pass_optional=optional)
    state = firsts(rules, declining=[1, 2])
    after = apply(state, deal(state, seed=1))
    assert isinstance(after, Playing)
    assert [len(cards) for cards in after.passed] == [len(cards) for cards in after.received] == back
    assert after.hands == state.hands


WRONG: dict[str, Callable[[Cards, Cards, Cards], Deal]] = {
    "too few hands": lambda _, two, three: Deal([two, three]),
    "a card too few": lambda _, two, three: Deal([two, three, Cards()]),
    "a card for another seat": lambda one, two, three: Deal([two + one, three, Cards()]),
    "a card that nobody laid": lambda _, two, three: Deal([two, three, Cards("KH")]),
    "a kitty": lambda one, two, three: Deal([two, three, Cards()], one),
}  # fmt: skip


@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_pile_is_refused(name: str) -> None:
    """Everybody is told only that it is wrong, and whoever dealt it what is."""
    state = firsts(THREE)
    move = WRONG[name](*state.middle_cards)
    (reason,) = why_illegal(state, move)
    assert reason.code == "bad-deal"
    assert [problem.code for problem in reason.problems] == ["wrong-pile"]  # type: ignore[union-attr]
    assert back_problems(THREE, state.middle_cards, move)
    assert move not in legal_moves(state)
    with pytest.raises(IllegalMove):
        apply(state, move)
    assert why_illegal(view(state, 0), move) == ()


def test_every_way_to_deal_back_is_legal() -> None:
    state = firsts(THREE)
    ways = [way for way in legal_moves(state)]  # noqa: C416 - `list` asks for the length
    assert len(ways) == len(set(ways)) == 6
    assert all(is_legal(state, way) and way in legal_moves(state) for way in ways)
    assert perft(state, 1) == 6
    assert perft(state, 2) == sum(perft(apply(state, way), 1) for way in ways)


def test_a_pile_is_audited_like_a_deal() -> None:
    """The same seed gives the same pile, of another deal another; a bot's stream gives one too."""
    state = firsts(Rules(pass_cycle=(middle(3),)))
    assert deal(state, seed="x") == deal(state, seed="x")
    assert deal(state, seed="x") != deal(state, seed="y")
    later = replaced(state, score_sheet=ScoreSheet(state.scores, 4))
    assert deal(later, seed="x") != deal(state, seed="x")
    pile = sum(state.middle_cards, Cards())
    assert sum(deal(state, rng=RandomStream(1)).hands, Cards()) == pile
    with pytest.raises(TypeError, match="awaits a deal"):
        deal(apply(state, deal(state, seed="x")))


def test_a_fair_pile() -> None:
    """Every way to deal back three cards comes about equally often."""
    state = firsts(THREE)
    found = Counter(deal(state, seed=number) for number in range(1200))
    assert len(found) == 6
    assert min(found.values()) > 150


def test_other_games_are_written_as_ever() -> None:
    start = new_game(Rules())
    state: State = apply(start, deal(start, seed=1))
    for seat in range(4):
        state = apply(state, legal_moves(state, seat)[0])
    assert b"dealt_back" not in to_json(state)
    assert "back" not in format_position(state)


def test_what_is_dealt_back_is_checked() -> None:
    state = firsts(Rules(pass_cycle=(middle(2),)))
    after = Setup.of(apply(state, deal(state, seed=2)))

    def codes(setup: Setup) -> list[str]:
        with pytest.raises(InvalidState) as caught:
            check(setup)
        return [problem.code for problem in caught.value.problems]

    assert codes(attrs.evolve(after, dealt_back=())) == ["wrong-deal-back"]
    assert codes(attrs.evolve(after, dealt_back=after.dealt_back[:3])) == ["wrong-count"]
    assert codes(attrs.evolve(after, dealt_back=after.dealt_back[::-1])) == ["illegal-pass"] * 4
    assert codes(attrs.evolve(after, passes=())) == ["wrong-deal-back"]
    assert codes(attrs.evolve(after, rules=Rules(pass_cycle=(left(2),)))) == ["wrong-deal-back"]
    fewer = (after.dealt_back[0] - after.dealt_back[0], *after.dealt_back[1:])
    assert codes(attrs.evolve(after, dealt_back=fewer)) == ["wrong-hand-size", "missing-cards"]


def test_what_is_to_be_dealt_back_is_checked() -> None:
    """All must have passed, in a deal that passes through the middle."""
    state = firsts(Rules(pass_cycle=(middle(2), left(2))))
    setup = Setup.of(state)
    assert setup.phase is Phase.DEAL_BACK
    later = {"deal_number": 1, "first": 1, "start": (0,) * 4, "scores": None, "has_full_history": None}

    def problems(**changes: Any) -> list[tuple[str, tuple[str, ...]]]:
        with pytest.raises(InvalidState) as caught:
            check(attrs.evolve(setup, **changes))
        return [(problem.code, problem.fields) for problem in caught.value.problems]

    wrong = [("wrong-phase", ("phase", "passes"))]
    assert problems(phase=Phase.PASS) == problems(passes=()) == problems(passes=(None, *setup.passes[1:])) == wrong
    assert problems(**later) == wrong
    assert problems(rules=Rules(pass_cycle=[()])) == [("no-passing", ("phase",))]
    assert problems(passes=(*setup.passes[:3], Pass(3))) == [("illegal-pass", ("passes[3]",))]
    assert problems(dealt_back=state.middle_cards) == [("not-in-phase", ("dealt_back", "phase"))]


def test_exchange_by_itself() -> None:
    hands = [Cards("2C 3C"), Cards("4C 5C"), Cards("6C 7C")]
    gifts = [[Cards("2C")], [Cards("4C")], [Cards("6C")]]
    back = [Cards("4C"), Cards("2C"), Cards("6C")]
    assert exchange_gifts(THREE, hands, gifts, middle(1), back) == (Cards("3C 4C"), Cards("2C 5C"), Cards("6C 7C"))


def test_matches_of_bots_and_playouts() -> None:
    rules = Rules(pass_cycle=(middle(3),), pass_optional=PassOptional.SKIP, target=30)
    assert play_match(rules, [heuristic, uniform, heuristic, uniform], seed=1) == play_match(
        rules, [heuristic, uniform, heuristic, uniform], seed=1
    )
    state = new_game(rules)
    stream, other = RandomStream("m"), RandomStream("m")
    stepped: State = state
    while not (isinstance(stepped, AwaitingDeal) and stepped.deal_number):
        if chance_to_act(stepped):
            stepped = apply(stepped, deal(stepped, rng=stream))
            continue
        moves = legal_moves(stepped, min(to_act(stepped)))
        stepped = apply(stepped, moves[stream.below(len(moves))])
    assert playout(state, other) == stepped
