"""The course of a deal, ruling by ruling: small games that are played, and what the table looks like after them."""

from __future__ import annotations

from random import Random
from typing import Any

import attrs
import pytest

from heartsrules import (
    AwaitingDeal,
    Card,
    Cards,
    Deal,
    Expose,
    Exposing,
    InvalidRules,
    Pass,
    Passing,
    Play,
    Playing,
    Rules,
    State,
    apply,
    cut_for_deal,
    deal,
    deal_cards,
    legal_moves,
    new_game,
    presets,
    score_deal,
    to_act,
    view,
    why_illegal,
)
from heartsrules.chance import SeededBits
from heartsrules.play.scoring import game_winners
from heartsrules.play.sheet import ScoreSheet
from heartsrules.rules import (
    HOLD,
    MAX_DEALS,
    Bonus,
    BonusFloor,
    FirstTrick,
    HeartsLead,
    Kitty,
    Moon,
    OpeningCard,
    OpeningLeader,
    PassOptional,
    TargetTest,
    Tie,
    VoidLastTrick,
    left,
    right,
)
from heartsrules.setup import set_up
from heartsrules.views.worlds import sample_world
from support.random_play import play_cards

FREE: dict[str, Any] = {
    "pass_cycle": (HOLD,),
    "first_dealer": 3,
    "opening_leader": OpeningLeader.DEALER_LEFT,
    "opening_card": OpeningCard.UNRESTRICTED,
    "first_trick": FirstTrick.FREE,
    "hearts_lead": HeartsLead.ANY_TIME,
    "tie": Tie.SHARED,
}
"""Rules that restrict little; seat 0 leads first."""


def small(deck: str, **fields: Any) -> Rules:
    """Rules for a deck of few cards."""
    whole = Rules(decks=fields.get("decks", 1)).deck
    return Rules(**{**FREE, "removed": whole - Cards(deck), "moon": Moon.OFF, "max_deals": 1, **fields})


def hands_of(text: str) -> list[Cards]:
    return [Cards(hand) for hand in text.split("/")]


def start(rules: Rules, hands: str) -> State:
    """The state after the deal of these hands; the rest of the deck is the kitty."""
    bags = hands_of(hands)
    kitty = rules.deck
    for bag in bags:
        kitty -= bag
    return apply(new_game(rules), Deal(bags, kitty))


def played(rules: Rules, hands: str, cards: str) -> State:
    """The state after these cards were played, each by the seat whose turn it was."""
    return play_cards(start(rules, hands), cards)


def told(state: Any, what: str) -> str:
    """One thing of a state, as the table below writes it."""
    finished = state if isinstance(state, Playing) else state.last_deal
    if what == "phase":
        return type(state).__name__
    if what == "piles":
        return "/".join([str(pile) for pile in finished.captured])
    if what == "legal":
        return " ".join([str(move.card) for move in legal_moves(state)])
    places = {"won": "tricks_won", "aside": "set_aside", "taker": "kitty_winner", "broken": "hearts_broken"}
    value = getattr(finished if what in ("won", "aside", "taker") else state, places.get(what, what))
    return " ".join([str(item) for item in value]) if isinstance(value, tuple) else str(value)


PLAIN = small("2C 3C 4C 5C 2D 3D 4D 5D")
PAIRS = small("2C 2C 3C 3C 4C 4C 5D 6D", decks=2, queen_points=0)
THREE_ROUNDS = small("2C 2C 3C 3C 4C 4C 5C 6C 5H 6H 7H 8H", decks=2)
HEART_LAST = small("2C 3C 4C 5C 2H 3H 4H 5H")
KITTY = small("2C 3C 4C 5C 2D 3D 4D 5D 2H 3H", kitty=Kitty.FIRST_TRICK, hand_size=2)
ONE_VOID = "2C 5D/2C 6D/3C 4C/3C 4C"
WAITS = small("2C 3C 4C 5C 2D 2H 3D QS", first_trick=FirstTrick.NO_POINTS)

# name, rules, hands, the plays, what is then true
COURSE = [
    ("HR-7.2 the winner captures the trick", PLAIN, "2C 2D/5C 3D/3C 4D/4C 5D", "2C 5C 3C 4C",
     {"piles": "/2C 3C 4C 5C//", "won": "0 1 0 0"}),
    ("HR-7.3 HR-usual.4 the winner leads to the next trick", PLAIN, "2C 2D/5C 3D/3C 4D/4C 5D", "2C 5C 3C 4C",
     {"turn": "1"}),
    ("HR-7.4 HR-duplicates.2 nobody wins, and the same seat leads again", PAIRS, ONE_VOID, "2C 2C 3C 3C",
     {"turn": "0", "piles": "///", "won": "0 0 0 0", "aside": "2C 2C 3C 3C"}),
    ("HR-7.5 HR-7.6 HR-ruling.20 the next winner captures what is set aside, and has won one trick", PAIRS, ONE_VOID,
     "2C 2C 3C 3C 5D 6D 4C 4C", {"piles": "/2C 2C 3C 3C 4C 4C 5D 6D//", "won": "0 1 0 0", "aside": ""}),
    ("HR-void_last_trick.1 a last trick that nobody wins is nobody's",
     attrs.evolve(THREE_ROUNDS, max_deals=2), "2C 3C 5H/2C 3C 6H/4C 5C 7H/4C 6C 8H",
     "2C 2C 5C 6C 8H 5H 6H 7H 4C 3C 3C 4C", {"won": "0 0 0 2", "aside": "3C 3C 4C 4C"}),
    ("HR-void_last_trick.2 a last trick that nobody wins is its leader's",
     attrs.evolve(THREE_ROUNDS, max_deals=2, void_last_trick=VoidLastTrick.LEADER),
     "2C 3C 5H/2C 3C 6H/4C 5C 7H/4C 6C 8H", "2C 2C 5C 6C 8H 5H 6H 7H 4C 3C 3C 4C", {"won": "0 0 0 3", "aside": ""}),
    ("HR-8.1 HR-kitty.1 HR-8.3 HR-8.4 the first trick brings the kitty, which does not count as a trick", KITTY,
     "2C 2D/5C 3D/3C 4D/4C 5D", "2C 5C 3C 4C", {"piles": "/2C 3C 4C 5C 2H 3H//", "won": "0 1 0 0", "taker": "1"}),
    ("HR-8.1 the kitty is taken once", KITTY, "2C 2D/5C 3D/3C 4D/4C 5D", "2C 5C 3C 4C 3D 4D 5D 2D",
     {"piles": "/2C 3C 4C 5C 2H 3H//2D 3D 4D 5D", "taker": "1"}),
    ("HR-6.6 a heart in the kitty breaks nothing", KITTY, "2C 2D/5C 3D/3C 4D/4C 5D", "2C 5C 3C 4C",
     {"broken": "False"}),
    ("HR-8.2 a heart that was set aside brings the kitty to the next winner",
     small("2C 2C 3C 5D 6D 7D 8D KD QH KH", decks=2, kitty=Kitty.FIRST_HEART, hand_size=2),
     "2C 5D/2C 6D/QH 7D/8D KD", "2C 2C QH 8D 5D 6D 7D KD", {"taker": "3", "piles": "///2C 2C 3C 5D 6D 7D 8D KD QH KH"}),
    ("HR-8.5 HR-ruling.23 a kitty whose condition never comes true is nobody's",
     small("2C 3C 4C 5C 2D 3D 4D 5D 2H 3H", kitty=Kitty.FIRST_HEART, hand_size=2),
     "2C 2D/5C 3D/3C 4D/4C 5D", "2C 5C 3C 4C 3D 4D 5D 2D", {"taker": "None", "scores": "0 0 0 0"}),
    ("the result is added to the totals", attrs.evolve(HEART_LAST, max_deals=2), "2C 2H/5C 3H/3C 4H/4C 5H",
     "2C 5C 3C 4C 3H 4H 5H 2H", {"scores": "0 0 0 4", "phase": "AwaitingDeal"}),
    ("HR-10.1 a total that passes the target in mid-deal ends nothing",
     attrs.evolve(HEART_LAST, max_deals=None, target=1, heart_values=(9,) * 13), "2C 2H/3H 4C/4H 5C/5H 3C",
     "2H 3H 4H 5H", {"phase": "Playing", "turn": "3"}),
    ("HR-10.4 the last deal ends the game", HEART_LAST, "2C 2H/5C 3H/3C 4H/4C 5H", "2C 5C 3C 4C 3H 4H 5H 2H",
     {"phase": "GameOver"}),
    ("HR-10.6 HR-usual.7 the lowest total wins, and of equals all", HEART_LAST, "2C 2H/5C 3H/3C 4H/4C 5H",
     "2C 5C 3C 4C 3H 4H 5H 2H", {"winners": "0 1 2"}),
    ("HR-6.1 HR-usual.5 HR-hearts_break.1 HR-dispute.13 a heart that is led breaks hearts", HEART_LAST,
     "2C 2H/5C 3H/3C 4H/4C 5H", "2H", {"broken": "True"}),
    ("HR-6.4 hearts are broken at once, within the trick",
     small("2C 3C 4C 5C 2H 3D 4D QS", queen_discard_after_hearts=True), "2C 3C/2H 3D/QS 4D/4C 5C", "2C 2H",
     {"broken": "True", "legal": "4D QS"}),
    ("HR-6.5 hearts are broken too where they may be led at any time", HEART_LAST, "2C 3C/2H 3H/4C 4H/5C 5H", "2C 2H",
     {"broken": "True"}),
    ("HR-6.3 HR-ruling.2 the queen that is led breaks hearts in dicegamedepot's game",
     small("2C 3C 4C 5C QS 2H 3H 4H", queen_breaks=presets.dicegamedepot(4).queen_breaks), "QS 2C/3C 2H/4C 3H/5C 4H",
     "QS", {"broken": "True"}),
    ("HR-dispute.12 the queen breaks no hearts in the usual game", small("2C 3C 4C 5C QS 2H 3H 4H"),
     "QS 2C/3C 2H/4C 3H/5C 4H", "QS", {"broken": "False"}),
]  # fmt: skip


@pytest.mark.parametrize(("rules", "hands", "cards", "expected"), [row[1:] for row in COURSE],
                         ids=[row[0] for row in COURSE])  # fmt: skip
def test_what_the_table_looks_like(rules: Rules, hands: str, cards: str, expected: dict[str, str]) -> None:
    state = played(rules, hands, cards)
    assert {what: told(state, what) for what in expected} == expected


# ------------------------------------------------------------------------------------------------ the deal and the pass


def test_cards_go_round_one_at_a_time() -> None:
    """HR-1.1 HR-1.2 HR-ruling.17: the dealer's left neighbour has the first card, and nobody cuts."""
    rules = Rules(hand_size=12, kitty=Kitty.FIRST_POINT, first_dealer=1)
    pack = list(rules.deck)
    move = deal_cards(new_game(rules), pack)
    assert move.hands == tuple([Cards(pack[place:48:4]) for place in (2, 3, 0, 1)])
    assert move.kitty == Cards(pack[48:])
    assert isinstance(apply(new_game(rules), move), Passing)


def test_the_deal_moves_to_the_left() -> None:
    """HR-1.3 HR-ruling.33 HR-usual.1: whoever won before."""
    state = played(attrs.evolve(HEART_LAST, max_deals=9, first_dealer=2), "2C 2H/5C 3H/3C 4H/4C 5H", "")
    dealers = []
    for _ in range(5):
        while isinstance(state, Playing):
            state = apply(state, legal_moves(state)[-1])
        assert isinstance(state, AwaitingDeal)
        dealers.append(state.dealer)
        state = apply(state, deal(state, seed=1))
    assert dealers == [3, 0, 1, 2, 3]


def passing(rules: Rules) -> Passing:
    state = apply(new_game(rules), deal_cards(new_game(rules), list(rules.deck)))
    assert isinstance(state, Passing)
    return state


def first_pass(state: State, seat: int) -> Pass:
    move = legal_moves(state, seat)[0]
    assert isinstance(move, Pass)
    return move


@pytest.mark.parametrize(
    ("step", "receiver"), [(left(3), 1), (right(3), 3), (((2, 3),), 2)], ids=["left", "right", "across"]
)
def test_a_gift_goes_so_many_places_to_the_left(step: Any, receiver: int) -> None:
    """HR-2.1 HR-pass_cycle.2: from seat 0."""
    state: State = passing(Rules(pass_cycle=(step,)))
    gift = first_pass(state, 0).cards[0]
    for seat in range(4):
        state = apply(state, first_pass(state, seat))
    assert isinstance(state, Playing)
    assert state.received[receiver] == gift
    assert state.passed[0] == gift


def test_nobody_passes_in_a_hold() -> None:
    """HR-2.2 HR-usual.2: the fourth deal of the usual game."""
    rules = Rules()
    before = AwaitingDeal(rules, ScoreSheet((9, 9, 4, 4), 3), None)
    assert isinstance(apply(before, deal(before, seed=1)), Playing)
    assert [rules.pass_plan(number) for number in range(4)] == [((1, 3),), ((-1, 3),), ((2, 3),), ()]


def test_a_pass_is_not_changed() -> None:
    """HR-2.3: a second pass is refused."""
    state = passing(Rules())
    move = first_pass(state, 2)
    assert [reason.code for reason in why_illegal(apply(state, move), move)] == ["already-passed"]


def test_passes_commute() -> None:
    """HR-2.4: in two orders the same state follows."""
    ends = []
    for order in ((0, 1, 2, 3), (3, 1, 0, 2)):
        state: State = passing(Rules())
        for seat in order:
            assert seat in to_act(state)
            state = apply(state, first_pass(state, seat))
        ends.append(state)
    assert ends[0] == ends[1]


def test_nothing_leaves_a_hand_before_the_last_seat_has_passed() -> None:
    """HR-2.5: nor does anybody receive a card."""
    before = passing(Rules())
    state: State = before
    for seat in range(3):
        state = apply(state, first_pass(state, seat))
        assert isinstance(state, Passing)
        assert state.hands == before.hands
    after = apply(state, first_pass(state, 3))
    assert isinstance(after, Playing)
    assert after.hands != before.hands


def test_who_declined_is_known_after_the_exchange() -> None:
    """HR-pass_optional.4: to everybody."""
    state: State = passing(Rules(pass_optional=PassOptional.SKIP))
    for seat in range(4):
        state = apply(state, Pass(seat) if seat == 3 else first_pass(state, seat))
    assert isinstance(state, Playing)
    assert [move.seat for move in state.passes if not move.cards] == [3]
    assert view(state, 1).declined == frozenset([3])  # type: ignore[union-attr]


def test_any_card_may_be_passed() -> None:
    """HR-dispute.1: the queen, the lowest club and a heart."""
    state = passing(Rules(pass_cycle=(left(3),)))
    for seat in range(4):
        for card in Cards("QS 2C AH") & state.hands[seat]:
            others = list(state.hands[seat] - Cards([card]))[:2]
            assert not why_illegal(state, Pass(seat, Cards([card, *others])))


def test_every_deal_of_a_match_has_another_shuffle() -> None:
    """HR-ruling.34: by one seed."""
    first = new_game(Rules())
    second = AwaitingDeal(first.rules, ScoreSheet((0, 26, 0, 0), 1), None)
    hands = [{str(hand) for hand in deal(state, seed="match").hands} for state in (first, second)]
    assert hands[0] != hands[1]


def test_the_lowest_card_deals_and_only_the_lowest_cut_again() -> None:
    """HR-ruling.32: from one pack."""
    cuts = [cut_for_deal(4, SeededBits(str(seed), "cut")) for seed in range(12)]
    assert cuts == [2, 1, 2, 0, 1, 1, 0, 0, 2, 3, 1, 2]


# --------------------------------------------------------------------------------------------------------- the exposure


def exposing(rules: Rules) -> Exposing:
    state = apply(new_game(rules), deal_cards(new_game(rules), list(rules.deck)))
    assert isinstance(state, Exposing)
    return state


PIG = presets.gong_zhu(4)


def test_every_seat_is_asked_what_it_shows() -> None:
    """HR-2a.1 HR-2a.2 HR-dispute.35: in a hold too, and a seat that holds no such card as well."""
    state = exposing(PIG)
    assert to_act(state) == {0, 1, 2, 3}
    assert not state.hands[2] & PIG.exposable
    assert list(legal_moves(state, 2)) == [Expose(2, Cards())]


def test_every_seat_is_asked_though_the_card_lies_in_the_kitty() -> None:
    """HR-ruling.29: nobody can show it."""
    rules = Rules(hand_size=12, kitty=Kitty.FIRST_TRICK, exposable="AH", pass_cycle=(HOLD,))
    state = exposing(rules)
    assert "AH" in str(state.kitty)
    assert [list(legal_moves(state, seat)) for seat in range(4)] == [[Expose(seat, Cards())] for seat in range(4)]


def test_a_card_that_may_not_be_shown_is_refused() -> None:
    """HR-dispute.37: and one that is not in the hand."""
    state = exposing(PIG)
    assert [reason.code for reason in why_illegal(state, Expose(1, Cards("2C")))] == ["not-exposable"]
    assert [reason.code for reason in why_illegal(state, Expose(1, Cards("AH")))] == ["not-in-hand"]


def shown_by_all(rules: Rules) -> Playing:
    state: State = exposing(rules)
    for seat in range(rules.players):
        state = apply(state, legal_moves(state, seat)[-1])
    assert isinstance(state, Playing)
    return state


def test_everybody_knows_who_showed_what() -> None:
    """HR-2a.5: and goes on knowing it."""
    state: State = shown_by_all(PIG)
    exposed = view(state, 2).exposed  # type: ignore[union-attr]
    assert [str(cards) for cards in exposed] == ["AH", "TC QS", "", "JD"]
    while isinstance(state, Playing):
        assert view(state, 2).exposed == exposed  # type: ignore[union-attr]
        state = apply(state, legal_moves(state)[0])


def test_showing_changes_nothing_but_what_cards_count() -> None:
    """HR-2a.7 HR-dispute.36: a heart that is shown breaks nothing."""
    assert not shown_by_all(attrs.evolve(PIG, hearts_lead=HeartsLead.WHEN_BROKEN)).hearts_broken


def test_hearts_that_were_discarded_leave_a_shown_ace_waiting() -> None:
    """HR-ruling.26 HR-dispute.34: until hearts are led."""
    rules = small("2C 3C 4C 5C AH 2H 3H 4H 5H 6H 7H 8H", exposable="AH")
    state = start(rules, "2C AH 2H/3C 3H 4H/5H 6H 4C/7H 8H 5C")
    assert isinstance(state, Exposing)
    for seat in range(4):
        state = apply(state, legal_moves(state, seat)[-1])
    for seat, card in ((0, "2C"), (1, "3C"), (2, "4C"), (3, "5C"), (3, "7H")):
        state = apply(state, Play(seat, Card(card)))
    assert [str(move.card) for move in legal_moves(state)] == ["2H"]  # type: ignore[union-attr]
    rules = attrs.evolve(rules, heart_values=(1,) * 13)
    state = start(rules, "2C AH 2H/3H 4H 5H/3C 4C 6H/7H 8H 5C")
    for seat in range(4):
        state = apply(state, legal_moves(state, seat)[-1])
    for seat, card in ((0, "2C"), (1, "3H"), (2, "4C"), (3, "5C"), (3, "8H")):
        state = apply(state, Play(seat, Card(card)))
    assert [str(move.card) for move in legal_moves(state)] == ["2H"]  # type: ignore[union-attr]


# ------------------------------------------------------------------------------------------------------ the first lead


def test_the_lead_is_settled_after_the_exchange() -> None:
    """HR-3.1 HR-dispute.4 HR-opening_leader.1 HR-usual.3: whoever was passed the 2C leads it."""
    state: State = passing(Rules())
    assert isinstance(state, Passing)
    (giver,) = [seat for seat in range(4) if Card("2C") in state.hands[seat]]
    for seat in range(4):
        state = apply(state, first_pass(state, seat))
    assert isinstance(state, Playing)
    assert state.turn == (giver + 1) % 4
    assert legal_moves(state) == (Play(state.turn, Card("2C")),)


def test_the_lowest_club_lies_in_the_kitty() -> None:
    """HR-ruling.3 HR-dispute.5: the lowest one in a hand opens."""
    rules = small(
        "2C 3C 4C 5C 6C", kitty=Kitty.FIRST_TRICK, hand_size=1, opening_leader=OpeningLeader.LOWEST_CLUB,
        opening_card=OpeningCard.LOWEST_CLUB,
    )  # fmt: skip
    state = start(rules, "4C/5C/3C/6C")
    assert isinstance(state, Playing)
    assert state.turn == 2


def test_of_two_lowest_clubs_the_one_nearer_to_the_dealers_left_opens() -> None:
    """HR-opening_leader.5: seats 0 and 2 hold it."""
    for dealer, opener in ((0, 2), (1, 2), (2, 0), (3, 0)):
        rules = small(
            "2C 2C 3C 4C", decks=2, first_dealer=dealer, opening_leader=OpeningLeader.LOWEST_CLUB, queen_points=0
        )
        state = start(rules, "2C/3C/2C/4C")
        assert isinstance(state, Playing)
        assert state.turn == opener


# ------------------------------------------------------------------------------------------------------------ the score


def test_the_sun_counts_tricks_that_were_set_aside() -> None:
    """HR-sun.2 HR-ruling.19: for whoever collected them; one that is left over prevents it."""
    rules = Rules(players=8, decks=2, sun=True)
    nothing = [Cards()] * 7
    assert score_deal(rules, [rules.deck, *nothing], (12, *(0,) * 7)).points == (0, *(104,) * 7)
    left_over = rules.deck - Cards("2C 2C 3C 3C 4C 4C 5C 5C")
    assert score_deal(rules, [left_over, *nothing], (12, *(0,) * 7)).points == (0, *(52,) * 7)


def test_every_copy_of_a_bonus_card_counts() -> None:
    """HR-bonuses.1: in two decks."""
    rules = Rules(decks=2, bonuses=[Bonus(Card("JD"), 10)], moon=Moon.OFF)
    pile = Cards("JD JD 2H 2H")
    row = score_deal(rules, [pile, rules.deck - pile, Cards(), Cards()], (1, 25, 0, 0))
    assert row.points == (-18, 50, 0, 0)


def test_the_bonus_for_no_tricks_goes_below_a_floor() -> None:
    """HR-ruling.11: it comes after the floor."""
    rules = Rules(bonuses=[Bonus(Card("JD"), 10)], bonus_floor=BonusFloor.DEAL, no_tricks_bonus=5)
    pile = Cards("JD 2H 2C 3C")
    row = score_deal(rules, [pile, rules.deck - pile, Cards(), Cards()], (1, 12, 0, 0))
    assert row.points == (0, 25, -5, -5)


def test_a_game_has_a_million_deals_at_most() -> None:
    """HR-max_deals.2: the next one is refused."""
    state = AwaitingDeal(Rules(target=10**9), ScoreSheet((7, 40, 2, 1), MAX_DEALS), None)
    assert [reason.code for reason in why_illegal(state, deal(state, seed=1))] == ["too-many-deals"]


def test_an_extra_deal_may_pass_the_last_one_and_undo_the_end() -> None:
    """HR-tie.3: the whole test is made afresh."""
    rules = Rules(max_deals=3, target=None)
    assert game_winners(rules._resolved, [7, 7, 9, 9], 3) is None
    assert game_winners(rules._resolved, [7, 8, 9, 9], 4) == (0,)
    below = Rules(bonuses=[Bonus(Card("JD"), 10)])
    assert game_winners(below._resolved, [20, 20, 100, 50], 3) is None
    assert game_winners(below._resolved, [20, 40, 95, 50], 4) is None


def test_the_target_is_reached_where_a_source_says_both() -> None:
    """HR-ruling.1 HR-usual.7: at 100."""
    totals = [100, 20, 30, 40]
    assert presets.dicegamedepot(4).target_test is TargetTest.REACHED
    assert game_winners(presets.dicegamedepot(4)._resolved, totals, 5) == (1,)


def test_a_penalty_card_that_is_led_tells_of_the_hand() -> None:
    """HR-ruling.21: before hearts are broken, its leader held nothing else."""
    rules = small("5C 6C 7C 8C 2H 3H 4H 5H", hearts_lead=HeartsLead.POINTS_WHEN_BROKEN, opening_card=OpeningCard.ANY)
    seen = view(played(rules, "2H 3H/5C 6C/7C 8C/4H 5H", "2H"), 3)
    for seed in range(20):
        assert sample_world(seen, Random(seed)).hands[0] == Cards("3H")  # type: ignore[union-attr]


def test_a_shown_card_that_is_played_tells_of_the_hand() -> None:
    """HR-ruling.30: its holder has no other card of the suit."""
    rules = small("2S 3S 4S 5S QS 2C 3C 4C 5C 6C 2D 3D", exposable="QS", first_dealer=0)
    state = start(rules, "QS 2C 3C/2S 5S 4C/3S 5C 6C/4S 2D 3D")
    for seat in range(4):
        state = apply(state, legal_moves(state, seat)[-1])
    for seat, card in ((1, "2S"), (2, "3S"), (3, "4S"), (0, "QS")):
        state = apply(state, Play(seat, Card(card)))
    holders = {
        seat
        for seed in range(40)
        for seat, hand in enumerate(sample_world(view(state, 2), Random(seed)).hands)  # type: ignore[union-attr]
        if Card("5S") in hand
    }
    assert holders == {1, 3}


def test_a_position_may_say_who_took_the_queen() -> None:
    """HR-ruling.22: that seat is to lead."""
    rules = attrs.evolve(PIG, exposable="")
    hands = [Cards(list(rules.deck)[seat::4]) for seat in range(4)]
    state = set_up(rules, hands=hands, deal_number=1, scores=(0, 0, 0, 0), queen_taker=1)
    assert isinstance(state, Playing)
    assert state.turn == 1


def test_too_many_steps_are_refused() -> None:
    """HR-refused.too-many: and too many resets."""
    with pytest.raises(InvalidRules) as caught:
        Rules(pass_cycle=(left(3),) * 1001)
    assert [problem.code for problem in caught.value.problems] == ["too-many"]
