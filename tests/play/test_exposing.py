"""Exposure: who may show what and when, what becomes of it, what each seat learns, and what shown cards count."""

from __future__ import annotations

from itertools import product
from random import Random
from typing import Any

import attrs
import pytest

from heartsrules import (
    Card,
    Cards,
    Deal,
    Expose,
    Exposing,
    IllegalMove,
    InvalidState,
    Pass,
    Passing,
    Phase,
    Play,
    Playing,
    Rules,
    State,
    apply,
    deal,
    legal_cards,
    legal_moves,
    new_game,
    public_view,
    score_deal,
    to_act,
    view,
    why_illegal,
    why_illegal_cards,
)
from heartsrules.play.dealing import deal_cards
from heartsrules.play.exposing import exposures_in, resolved_with
from heartsrules.play.lazy_moves import Choices
from heartsrules.play.view_selection import view_of
from heartsrules.play.violations import AlreadyDecided, AlreadyExposed, NotExposable, NotInHand, NotYourTurn, WrongPhase
from heartsrules.rules import Exposure
from heartsrules.setup import Setup, check
from heartsrules.testing.laws import check_views, random_games
from heartsrules.views import ExposingView, PlayingView, advance
from heartsrules.views.worlds import consistent, sample_world
from support.random_play import random_move, reached
from support.tables import rules_of

HEARTS = "2H 3H 4H 5H 6H 7H 8H 9H TH JH QH KH AH"


def gong_zhu(text: str = "") -> Rules:
    return rules_of(text, "gong_zhu score_display=penalty")


LATER: Any = {"first_trick": False, "hearts_broken": False}
"""A later trick, before hearts are broken."""
TOGETHER = gong_zhu()
IN_TURN = gong_zhu("exposure=in-turn")
BOTH = pytest.mark.parametrize("rules", [TOGETHER, IN_TURN], ids=["together", "in turn"])


def dealt(rules: Rules, seed: int = 7) -> Exposing:
    state = reached(new_game(rules), lambda state: isinstance(state, Exposing), seed=seed)
    assert isinstance(state, Exposing)
    return state


def holder(state: Exposing, card: str) -> int:
    return next(seat for seat, hand in enumerate(state.hands) if Card(card) in hand)


def shown_by(state: State, cards: str) -> Playing:
    """The state after every holder has shown those of these cards that it holds."""
    while isinstance(state, Exposing):
        seat = min(to_act(state))
        state = apply(state, Expose(seat, state.hands[seat] & Cards(cards)))
    assert isinstance(state, Playing)
    return state


# ------------------------------------------------------------------------------------------------- what may be shown


@BOTH
def test_every_subset_of_the_exposable_cards_of_a_hand_may_be_shown_the_empty_one_first(rules: Rules) -> None:
    pack = [*Cards("QS JD TC 2C 3C"), *(rules.deck - Cards("QS JD TC 2C 3C AH")), Card("AH")]
    order = [pack.pop(0 if seat == 1 else -1) for _ in range(13) for seat in (1, 2, 3, 0)]
    start = new_game(rules)
    state = apply(start, deal_cards(start, order))
    assert isinstance(state, Exposing)
    assert Cards("QS JD TC") <= state.hands[1]
    moves = legal_moves(state, 1)
    texts = ["", "TC", "JD", "TC JD", "QS", "TC QS", "JD QS", "TC JD QS"]
    assert list(moves) == [Expose(1, Cards(text)) for text in texts]
    assert [moves[index] for index in range(-8, 8)] == list(moves) * 2
    assert moves[2:4] == (Expose(1, Cards("JD")), Expose(1, Cards("TC JD")))
    assert len(moves) == 8
    assert Expose(1, Cards("TC JD")) in moves
    assert Expose(1, Cards("2C")) not in moves
    assert Expose(2, Cards("")) not in moves
    # Nobody has a card twice, whatever the hand is.
    assert why_illegal(view(state, 2), Expose(1, Cards("QS QS"))) == (NotExposable(Cards("QS")),)
    assert moves == legal_moves(state, 1)
    assert hash(moves) == hash(legal_moves(state, 1))
    with pytest.raises(IndexError, match="there are 8 exposures, so there is none at 8"):
        moves[8]


def test_a_sequence_of_exposures_is_a_value() -> None:
    one = exposures_in(TOGETHER._resolved, 0, Cards("QS 3S AH"), Cards())
    two = exposures_in(TOGETHER._resolved, 2, Cards("JD 3D AH"), Cards("AH"))
    assert (one.cards, two.cards) == (Cards("QS AH"), Cards("JD"))
    moves = Choices((one, two))
    assert moves == Choices((one, two))
    assert hash(moves) == hash(Choices((one, two)))
    others = [Choices((one,)), Choices((two, one)), Choices(()), list(moves), 6]
    assert all(moves != other for other in others)
    assert len({hash(Choices(parts)) for parts in [(one, two), (one,), (two, one), ()]}) == 4
    assert repr(moves) == "<6 exposures of seats 0, 2>"
    assert repr(Choices((one,))) == "<4 exposures of seat 0>"
    nothing = Choices((exposures_in(TOGETHER._resolved, 1, Cards("3S"), Cards()),))
    assert repr(nothing) == "<1 exposure of seat 1>"
    with pytest.raises(IndexError, match=r"there is 1 exposure, so there is none at 1$"):
        nothing[True]
    assert len(moves) == len(list(moves)) == 6
    assert moves[4] == Expose(2, Cards())


def test_whose_turn_it_is() -> None:
    state: State = dealt(TOGETHER)
    for seat in (2, 0, 3):
        state = apply(state, Expose(seat, Cards()))
    assert to_act(state) == {1}
    state = dealt(IN_TURN)
    for seat in (1, 2, 3, 0):
        assert to_act(state) == {seat}
        assert isinstance(state, Exposing)
        assert {move.seat for move in legal_moves(state)} == {seat}
        state = apply(state, Expose(seat, Cards()))
    assert isinstance(state, Playing)
    assert state.exposed == (Cards(),) * 4


def test_after_passing_what_is_shown_is_of_the_hand_after_the_exchange() -> None:
    rules = gong_zhu("pass_cycle=L3")
    start = new_game(rules)
    state = apply(start, deal(start, seed=3))
    assert state.phase is Phase.PASS
    assert isinstance(state, Passing)
    hands = state.hands
    giver = next(seat for seat in range(4) if Card("QS") in hands[seat])
    for seat, hand in enumerate(hands):
        gift = Cards([Card("QS"), *list(hand - Cards("QS"))[:2]]) if seat == giver else Cards(list(hand)[:3])
        state = apply(state, Pass(seat, gift))
    assert isinstance(state, Exposing)
    taker = (giver + 1) % 4
    assert holder(state, "QS") == taker
    assert [reason.code for reason in why_illegal(state, Expose(giver, Cards("QS")))] == ["not-in-hand"]
    assert not why_illegal(state, Expose(taker, Cards("QS")))
    assert state.passed[giver].count(Card("QS")) == 1


def test_without_exposable_cards_there_is_no_such_phase() -> None:
    rules = gong_zhu("exposable=none")
    start = new_game(rules)
    state = apply(start, deal(start, seed=3))
    assert isinstance(state, Playing)
    assert state.exposed == (Cards(),) * 4
    reason = why_illegal(state, Expose(0, Cards()))
    assert reason == (WrongPhase(Phase.PLAY, Phase.EXPOSE),)


def test_the_phase_takes_place_though_every_exposable_card_lies_in_the_kitty() -> None:
    rules = gong_zhu("exposable=QS hand_size=12 kitty=first-trick")
    start = new_game(rules)
    rest = rules.deck - Cards("QS 2C 2D 2H")
    state = apply(start, deal_cards(start, [*rest, *Cards("QS 2C 2D 2H")]))
    assert isinstance(state, Exposing)
    assert [len(legal_moves(state, seat)) for seat in range(4)] == [1, 1, 1, 1]
    assert shown_by(state, "QS").exposed == (Cards(),) * 4


# ---------------------------------------------------------------------------------------------------------- in rounds


ROUNDS = pytest.mark.parametrize("exposure", [Exposure.ROUNDS, Exposure.ROUNDS_IN_TURN])


def after(state: State, *shows: tuple[int, str]) -> State:
    """The state after these seats have shown these cards."""
    for seat, cards in shows:
        state = apply(state, Expose(seat, Cards(cards)))
    return state


@ROUNDS
def test_who_sees_a_card_shown_may_show_more(exposure: Exposure) -> None:
    """HR-exposure.3, HR-exposure.4: seat 0 first shows nothing, then both its cards, one by one."""
    state = after(small(exposure), (1, ""), (2, ""), (3, ""))
    assert to_act(state) == {0}
    state = after(small(exposure), (1, ""), (2, "AH"), (3, ""), (0, "QS"), (1, "JD"))
    assert isinstance(state, Exposing)
    assert state.face_up == (Cards("QS"), Cards("JD"), Cards("AH"), Cards())
    assert list(legal_moves(after(state, (2, ""), (3, "")), 0)) == [Expose(0, Cards()), Expose(0, Cards("TC"))]
    state = after(state, (2, ""), (3, ""))
    assert why_illegal(state, Expose(0, Cards("QS TC"))) == (AlreadyExposed(Cards("QS")),)
    assert why_illegal(state, Expose(0, Cards("QS AH"))) == (NotInHand(Cards("AH")), AlreadyExposed(Cards("QS")))
    assert dict(why_illegal_cards(state, 0))[Card("QS")] == (AlreadyExposed(Cards("QS")),)
    assert why_illegal_cards(view(state, 0)) == why_illegal_cards(state, 0)
    end = after(state, (0, "TC"), (1, ""), (2, ""), (3, ""))
    assert isinstance(end, Playing)
    assert end.exposed == (Cards("TC QS"), Cards("JD"), Cards("AH"), Cards())


@ROUNDS
def test_the_first_lead_follows_when_all_others_have_decided(exposure: Exposure) -> None:
    """HR-exposure.5: whoever showed cards last is not asked again."""
    state = after(small(exposure), (1, "JD"), (2, ""), (3, ""))
    assert to_act(state) == {0}
    assert isinstance(after(state, (0, "")), Playing)
    state = after(small(exposure), (1, ""), (2, ""), (3, ""), (0, "TC"))
    assert to_act(state) == ({1, 2, 3} if exposure is Exposure.ROUNDS else {1})
    assert why_illegal(state, Expose(0, Cards("QS"))) == (AlreadyDecided(0),)
    assert isinstance(after(state, (1, ""), (2, ""), (3, "")), Playing)
    assert isinstance(after(small(exposure), (1, ""), (2, ""), (3, ""), (0, "")), Playing)


def test_rounds_in_any_order() -> None:
    """HR-exposure.6"""
    state = after(small(Exposure.ROUNDS), (3, ""), (0, ""), (2, "AH"))
    assert to_act(state) == {0, 1, 3}
    state = after(state, (3, ""), (1, ""), (0, "QS"))
    assert to_act(state) == {1, 2, 3}


def test_rounds_in_turn_go_round_and_round() -> None:
    """HR-exposure.7"""
    state: State = small(Exposure.ROUNDS_IN_TURN)
    asked = []
    for cards in ("", "AH", "", "QS", "", "", ""):
        (seat,) = to_act(state)
        asked.append(seat)
        assert why_illegal(state, Expose((seat + 1) % 4, Cards()))
        state = after(state, (seat, cards))
    assert asked == [1, 2, 3, 0, 1, 2, 3]
    assert isinstance(state, Playing)


@ROUNDS
@pytest.mark.parametrize(
    ("exposures", "exposed", "code"),
    [
        ((None, None, None, None), "QS|JD||", "impossible-rounds"),
        ((None, "JD", None, None), "QS|JD||", ""),
        ((None, "", None, None), "QS|JD||", "impossible-rounds"),
        ((None, "JD", None, None), "QS|||", "impossible-rounds"),
        (("", None, None, None), "|JD||", "impossible-rounds"),
        ((None, "JD", None, None), "QS|JD|AH|AD", "illegal-exposure"),
        ((None, "JD", None, None), "QS|JD|TC|", "illegal-exposure"),
        (("QS", "JD", "", ""), "QS|JD||", "all-exposed"),
    ],
)
def test_a_position_that_no_rounds_lead_to_is_refused(
    exposure: Exposure, exposures: tuple[str | None, ...], exposed: str, code: str
) -> None:
    state = small(exposure)
    told = [None if text is None else Expose(seat, Cards(text)) for seat, text in enumerate(exposures)]
    setup = attrs.evolve(
        Setup.of(state), exposures=tuple(told), exposed=tuple(map(Cards, exposed.split("|"))), has_full_history=None
    )
    if not code:
        assert isinstance(check(setup), Exposing)
        return
    with pytest.raises(InvalidState) as refused:
        check(setup)
    assert {problem.code for problem in refused.value.problems} == {code}


# ---------------------------------------------------------------------------------------------------- what is refused


def test_what_may_not_be_shown() -> None:
    state = dealt(TOGETHER)
    seat = holder(state, "QS")
    other = (seat + 1) % 4
    low = Card(str(next(card for card in state.hands[seat] if not Cards([card]) & TOGETHER.exposable)))
    assert why_illegal(state, Expose(seat, Cards([low]))) == (NotExposable(Cards([low])),)
    assert why_illegal(state, Expose(other, Cards("QS"))) == (NotInHand(Cards("QS")),)
    assert why_illegal(state, Expose(seat, Cards("QS QS"))) == (NotInHand(Cards("QS"), Cards("QS")),)
    assert why_illegal(state, Expose(other, Cards([low]))) == (NotInHand(Cards([low])), NotExposable(Cards([low])))
    after = apply(state, Expose(seat, Cards("QS")))
    assert why_illegal(after, Expose(seat, Cards("QS"))) == (AlreadyDecided(seat),)
    assert why_illegal(after, Expose(seat, Cards([low]))) == (AlreadyDecided(seat), NotExposable(Cards([low])))
    with pytest.raises(IllegalMove, match="has already decided what to expose"):
        apply(after, Expose(seat, Cards()))


def test_out_of_turn() -> None:
    state = dealt(IN_TURN)
    assert why_illegal(state, Expose(3, Cards())) == (NotYourTurn(3, 1),)
    after = apply(state, Expose(1, Cards()))
    assert why_illegal(after, Expose(1, Cards())) == (AlreadyDecided(1),)
    assert why_illegal(after, Expose(0, Cards("2C")))[0] == NotYourTurn(0, 2)


@BOTH
def test_a_card_that_is_shown_twice_is_not_in_the_hand_twice(rules: Rules) -> None:
    state = dealt(rules)
    seats = [seat for seat in range(4) if not why_illegal(state, Expose(seat, Cards()))]
    may = [(seat, card) for seat in seats for card in state.hands[seat] if card in rules.exposable]
    may_not = [(seat, card) for seat in seats for card in state.hands[seat] if card not in rules.exposable]
    assert may_not
    for seat, card in may:
        reasons = why_illegal(state, Expose(seat, Cards([card, card])))
        assert reasons == (NotInHand(Cards([card]), Cards([card])),)
    for seat, card in may_not:
        reasons = why_illegal(state, Expose(seat, Cards([card, card])))
        assert reasons == (NotInHand(Cards([card]), Cards([card])), NotExposable(Cards([card, card])))


# --------------------------------------------------------------------------------------------- held back (rules.md 4)


def test_two_exposed_cards_of_one_suit_do_not_hold_each_other_back() -> None:
    rules = gong_zhu("exposable=QS,KS extra_penalties=KS:10")
    for hand, trick, exposed, legal in (
        ("QS KS 5D", [], "QS KS", "QS KS 5D"),
        ("QS KS", [Card("2S")], "QS KS", "QS KS"),
        ("QS KS 3S", [Card("2S")], "QS KS", "3S"),
        ("QS KS 3S", [Card("2S")], "QS", "KS 3S"),
    ):
        told: Any = {"trick": trick, "exposed": Cards(exposed), "suits_led": (), **LATER}
        assert legal_cards(rules, Cards(hand), **told) == Cards(legal)


def test_the_card_is_free_again_in_the_second_trick_of_its_suit() -> None:
    state = shown_by(dealt(TOGETHER), "QS JD TC AH")
    seen = set()
    rnd = Random(2)
    now: State = state
    while isinstance(now, Playing):
        led = {trick.plays[0].card.suit for trick in now.tricks}
        suit = now.trick[0].card.suit if now.trick else None
        legal = {move.card for move in legal_moves(now)}
        hand = now.hands[now.turn]
        for card in hand & now.exposed[now.turn]:
            others = (hand - now.exposed[now.turn]).of_suit(card.suit)
            held = card.suit not in led and bool(others) and suit in (None, card.suit)
            seen.add(held)
            follows = suit is None or card.suit == suit or not hand.of_suit(suit)
            assert (card in legal) is (follows and not held)
        now = apply(now, random_move(now, rnd))
    assert seen == {True, False}


# ----------------------------------------------------------------------------------------------------- what it counts

FACTOR = {False: 1, True: 2}


@pytest.mark.parametrize("exposed", list(product((False, True), repeat=4)))
@pytest.mark.parametrize("who", list(product((0, 1), repeat=3)))
@pytest.mark.parametrize("moon", [False, True])
def test_what_exposed_cards_count(exposed: tuple[bool, ...], who: tuple[int, int, int], moon: bool) -> None:
    """Seat 0 or 1 has the queen, the jack and the ten of clubs; seat 0 has every heart, or seat 2 has the 9 of them."""
    queen, jack, ten, ace = exposed
    hearts = 200 * FACTOR[ace]
    nine = 10 * FACTOR[ace]
    expected = [0, 0, 0, 0]
    if moon:
        expected[0] = -hearts
        expected[who[0]] += 100 * FACTOR[queen] * (-1 if who[0] == 0 else 1)
    else:
        expected[0] = hearts - nine
        expected[2] = nine
        expected[who[0]] += 100 * FACTOR[queen]
    expected[who[1]] -= 100 * FACTOR[jack]
    scoring = who[2] == 0 or 1 in (who[0], who[1])
    if scoring:
        expected[who[2]] *= 2 * FACTOR[ten]
    else:
        expected[who[2]] -= 50 * FACTOR[ten]
    piles = [Cards(HEARTS) - Cards("" if moon else "9H"), Cards(), Cards("" if moon else "9H"), Cards()]
    for seat, card in zip(who, ("QS", "JD", "TC"), strict=True):
        piles[seat] += Cards(card)
    rest = list(TOGETHER.deck - Cards(HEARTS) - Cards("QS JD TC"))
    piles, won = filled(piles, rest)
    bags = [
        Cards(),
        Cards(),
        Cards(),
        Cards(" ".join(text for text, is_shown in zip(("QS", "JD", "TC", "AH"), exposed, strict=True) if is_shown)),
    ]
    row = score_deal(TOGETHER, piles, won, exposed=bags)
    assert row.points == tuple(expected)
    assert row.exposed == tuple(bags)
    assert (row.shooter == 0) is moon
    assert row.queen_taker == who[0]


@pytest.mark.parametrize("rules", [TOGETHER, gong_zhu("exposable=none")], ids=["nobody shows", "nobody may show"])
def test_where_nothing_is_shown_every_card_counts_once(rules: Rules) -> None:
    assert resolved_with(rules, (Cards(),) * 4) is rules._resolved


def filled(piles: list[Cards], rest: list[Card]) -> tuple[list[Cards], list[int]]:
    """The piles made whole tricks of four with other cards; what is left goes to seat 3."""
    full = []
    for seat, pile in enumerate(piles):
        count = -len(pile) % 4 if seat < 3 else len(rest)
        full.append(pile + Cards(rest[:count]))
        del rest[:count]
    return full, [len(pile) // 4 for pile in full]


def test_a_moon_that_is_given_is_not_doubled_but_its_queen_is() -> None:
    rules = gong_zhu("moon_points=300 doubler=none exposable=QS,AH")
    full, won = filled([Cards(f"{HEARTS} QS"), Cards(), Cards(), Cards()], list(rules.deck - Cards(f"{HEARTS} QS")))
    nothing = Cards()
    for exposed, points in (("", -400), ("AH", -400), ("QS", -500), ("QS AH", -500)):
        row = score_deal(rules, full, won, exposed=[Cards(exposed), nothing, nothing, nothing])
        assert row.points[0] == points - (0 if Card("JD") not in full[0] else 100), exposed


# ------------------------------------------------------------------------------------------------ who learns what, when


SMALL = [Cards("TC QS QH"), Cards("JC JD KS"), Cards("QD AS AH"), Cards("KD AD KH")]
"""Hands of a deck of twelve cards: four of them may be shown."""


def small(exposure: Exposure) -> Exposing:
    """These hands, before any card is shown; seat 1 is the first to show, and leads."""
    rules = gong_zhu(f"exposure={exposure} opening_leader=dealer-left")
    rules = attrs.evolve(rules, removed=rules.deck - sum(SMALL, start=Cards()))
    state = apply(new_game(rules), Deal(tuple(SMALL)))
    assert isinstance(state, Exposing)
    return state


def face_up(state: State) -> str:
    """What lies open before each seat: the state, every player and the public have the same."""
    assert isinstance(state, (Exposing, Playing))
    for seen in [public_view(state), *(view(state, seat) for seat in range(4))]:
        assert isinstance(seen, (ExposingView, PlayingView))
        assert seen.face_up == state.face_up
    return "|".join(map(str, state.face_up))


@BOTH
def test_what_lies_open_while_cards_are_shown(rules: Rules) -> None:
    in_turn = rules is IN_TURN
    state: State = small(rules.exposure)
    assert face_up(state) == "|||"
    for seat, cards, lying in ((1, "JD", "|JD||"), (2, "AH", "|JD|AH|"), (3, "", "|JD|AH|")):
        state = apply(state, Expose(seat, Cards(cards)))
        assert face_up(state) == (lying if in_turn else "|||")
    assert face_up(apply(state, Expose(0, Cards("TC QS")))) == "TC QS|JD|AH|"
    assert face_up(apply(state, Expose(0, Cards()))) == "|JD|AH|"


def test_what_lies_open_while_cards_are_played() -> None:
    state: State = shown_by(small(Exposure.TOGETHER), "TC JD QS AH")
    for seat, card, lying in (
        (1, "JC", "TC QS|JD|AH|"),
        (2, "QD", "TC QS|JD|AH|"),
        (3, "KD", "TC QS|JD|AH|"),
        (0, "TC", "QS|JD|AH|"),  # captured by seat 1
        (1, "KS", "QS|JD|AH|"),
        (2, "AS", "QS|JD|AH|"),
        (3, "AD", "QS|JD|AH|"),
        (0, "QS", "|JD|AH|"),  # captured by seat 2
        (2, "AH", "|JD||"),  # in the current trick
        (3, "KH", "|JD||"),
        (0, "QH", "|JD||"),
    ):
        state = apply(state, Play(seat, Card(card)))
        assert face_up(state) == lying
    assert isinstance(state, Playing)
    assert state.exposed == (Cards("TC QS"), Cards("JD"), Cards("AH"), Cards())


def test_nothing_lies_open_where_no_card_may_be_shown() -> None:
    rules = gong_zhu("exposable=none")
    assert face_up(apply(new_game(rules), deal(new_game(rules), seed=7))) == "|||"


@BOTH
def test_views_are_kept_by_events_and_worlds_have_them(rules: Rules) -> None:
    both = (rules, rules_of("pass_cycle=L3", rules))
    assert check_views(view_of, advance, both, games=3, max_deals=1) > 500
    rng = Random(1)
    for game in random_games(both, games=2, max_deals=1):
        for state in game.states[2::5]:
            assert check(Setup.of(state)) == state
            seen = view(state, rng.randrange(4))
            assert consistent(seen, sample_world(seen, rng))
