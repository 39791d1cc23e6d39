"""The rules of docs/reference/rules.md as worked cases, a line for each: adding a regression is adding a line.

The cards that may be played are sections 3 to 5 of that page, the trick section 7, the score section 9, the end of a
game section 10.
"""

from __future__ import annotations

from collections.abc import Sequence

import attrs
import pytest

from heartsrules import (
    AwaitingDeal,
    Card,
    Cards,
    ChooseMoon,
    ChoosingMoon,
    Deal,
    GameOver,
    Pass,
    Passing,
    Play,
    Playing,
    Rules,
    Suit,
    apply,
    display_score,
    legal_cards,
    legal_moves,
    new_game,
    score_deal,
    standings,
    trick_winner,
    why_illegal_card,
)
from heartsrules.rules import (
    Bonus,
    BonusFloor,
    Duplicates,
    HeartsLead,
    HeartValues,
    Kitty,
    Moon,
    MoonScope,
    OpeningCard,
    OpeningLeader,
    PassOptional,
    QueenBreaks,
    QueenCompulsory,
    Reckoning,
    TargetTest,
    Tie,
    across,
)
from heartsrules.violations import MustFollowSuit

FIVE = Rules(players=5, removed="2D 2C")
CANCELLATION = Rules(
    players=8,
    decks=2,
    opening_leader=OpeningLeader.DEALER_LEFT,
    opening_card=OpeningCard.NON_POINT,
    two_pairs_void=True,
    target=150,
)
ALWAYS = Rules(queen_compulsory=QueenCompulsory.ALWAYS)
SAFE = Rules(queen_compulsory=QueenCompulsory.SAFE)
WAITS = Rules(queen_discard_after_hearts=True)
SPARES = Rules(heart_lead_spares_queen=True)
ANY_TIME = Rules(hearts_lead=HeartsLead.ANY_TIME)
OPEN = Rules(opening_card=OpeningCard.ANY)
TURN_BASED = Rules(opening_leader=OpeningLeader.DEALER_LEFT)
ANY_CLUB = Rules(opening_card=OpeningCard.ANY_CLUB)
OMNIBUS = Rules(bonus=Bonus(Card("JD"), 10))

# name, rules, the trick so far, "first" on the first trick, hand, legal cards
LEGAL = [
    ("the lowest club opens", Rules(), "", "first", "2C 7C KD 4H QS", "2C"),
    ("the lowest club in play opens", FIVE, "", "first", "3C 9C 4D 5S", "3C"),
    ("follow suit", Rules(), "6S", "", "7S 9S 2D QH QS", "7S 9S QS"),
    ("no points on the first trick", Rules(), "2C", "first", "4D JD QS 3H AH", "4D JD"),
    ("a bonus card on the first trick", OMNIBUS, "2C", "first", "4D JD QS 3H AH", "4D JD"),
    ("anything goes on a later trick", Rules(), "KC", "", "4D QS 5H", "4D QS 5H"),
    ("hearts are not led before they are broken", Rules(), "", "", "5C QS 2H", "5C QS"),
    ("lone queen", Rules(), "", "", "QS 2H 9H", "QS"),
    ("lone queen spared", SPARES, "", "", "QS 2H 9H", "QS 2H 9H"),
    ("the queen is not alone", SPARES, "", "", "QS KS 9H", "QS KS"),
    ("nothing but hearts", Rules(), "", "", "2H 9H KH", "2H 9H KH"),
    ("hearts at any time", ANY_TIME, "", "", "5C QS 2H", "5C QS 2H"),
    ("always, following", ALWAYS, "4S", "", "5S QS KS 2H", "QS"),
    ("always, void", ALWAYS, "9C", "", "QS 2D 2H", "QS"),
    ("always on lead", ALWAYS, "", "", "QS 2D 3C", "QS"),
    ("not on lead", Rules(queen_compulsory=QueenCompulsory.NOT_LEAD), "", "", "QS 2D 3C", "QS 2D 3C"),
    ("not lead, following", Rules(queen_compulsory=QueenCompulsory.NOT_LEAD), "4S", "", "QS 2S", "QS"),
    ("discard, following", Rules(queen_compulsory=QueenCompulsory.DISCARD), "AS", "", "QS 2S", "QS 2S"),
    ("discard, void", Rules(queen_compulsory=QueenCompulsory.DISCARD), "4D", "", "QS 2S", "QS"),
    ("discard, void in clubs", Rules(queen_compulsory=QueenCompulsory.DISCARD), "4C", "", "QS 2S", "QS"),
    ("not lead, clubs led", Rules(queen_compulsory=QueenCompulsory.NOT_LEAD), "4C", "", "QS 2S", "QS"),
    ("safe, no high spade", SAFE, "4S JS", "", "QS 2S", "QS 2S"),
    ("safe under the king", SAFE, "4S KS", "", "QS 2S", "QS"),
    ("safe under the ace led", SAFE, "AS 2D", "", "QS 2S", "QS"),
    ("safe, void", SAFE, "4D", "", "QS 2S", "QS"),
    ("safe, a king discarded on diamonds", SAFE, "4D KS", "", "QS 2S 3D", "3D"),
    ("the queen waits for hearts", WAITS, "4D", "", "AS KS QS JS TS QC", "AS KS JS TS QC"),
    ("dealer's left opens with the lowest club", TURN_BASED, "", "first", "6C 9C 2D AS 3H", "6C"),
    ("any card opens, but no heart", OPEN, "", "first", "6C 2D QS 3H", "6C 2D QS"),
    ("a card without points opens", CANCELLATION, "", "first", "4C 4C 9D QS KH", "4C 9D"),
    ("dealer's left opens with any card",
     Rules(opening_leader=OpeningLeader.DEALER_LEFT, opening_card=OpeningCard.ANY), "", "first",
     "2C 8S QS 4H", "2C 8S QS"),
    ("any club opens", ANY_CLUB, "", "first", "2C 7C KC 4H", "2C 7C KC"),
    ("no club to open", ANY_CLUB, "", "first", "7D QS 4H", "7D"),
    ("only penalty cards to open with", CANCELLATION, "", "first", "QS 2H 9H", "QS 2H 9H"),
    ("the queen waits, the first-trick ban is waived", WAITS, "2C", "first", "QS 2H 9H", "2H 9H"),
    ("nothing but penalty cards", Rules(), "2C", "first", "QS 2H 9H", "QS 2H 9H"),
    ("always, after the first-trick ban", ALWAYS, "2C", "first", "QS 2H 9D", "9D"),
    ("always, the ban waived", ALWAYS, "2C", "first", "QS 2H 9H", "QS"),
    ("a heart worth nothing is not a point", Rules(heart_values=(0,) + (1,) * 12), "2C", "first", "2H 3H", "2H"),
    ("a heart worth nothing opens", Rules(heart_values=(0,) + (1,) * 12, opening_card=OpeningCard.NON_POINT), "",
     "first", "2H 3H QS", "2H"),
    ("a heart worth nothing is still a heart", Rules(heart_values=(0,) + (1,) * 12), "", "", "2H 3C", "3C"),
]  # fmt: skip


@pytest.mark.parametrize(("rules", "trick", "first", "hand", "legal"), [row[1:] for row in LEGAL],
                         ids=[row[0] for row in LEGAL])  # fmt: skip
def test_legal_cards(rules: Rules, trick: str, first: str, hand: str, legal: str) -> None:
    led = [Card(text) for text in trick.split()]
    cards = Cards(hand)
    assert legal_cards(rules, cards, trick=led, first_trick=bool(first)) == Cards(legal).faces()
    for card in cards:
        reasons = why_illegal_card(rules, cards, card, trick=led, first_trick=bool(first))
        assert (reasons == ()) == (card in Cards(legal)), card


def test_a_card_has_no_more_reasons_against_it_than_there_are() -> None:
    # The Q♠ is the only spade: the others do not follow suit, and nothing else is wrong with them.
    hand = Cards("QS 2D 3H")
    for card in Cards("2D 3H"):
        reasons = why_illegal_card(ALWAYS, hand, card, trick=[Card("4S")])
        assert reasons == (MustFollowSuit(card, Suit.SPADES, 1),)


def test_what_may_be_left_out() -> None:
    hand = Cards("4D QS 3H")
    assert legal_cards(Rules(), hand, trick=[Card("2C")]) == hand
    assert why_illegal_card(Rules(), hand, Card("QS"), trick=[Card("2C")]) == ()
    assert legal_cards(Rules(), hand) == Cards("4D QS")
    assert why_illegal_card(Rules(), hand, Card("3H")) != ()
    assert legal_cards(OPEN, Cards("4D 3H")) == Cards("4D")


# name, rules, cards in order from seat 0, the winner ("-": nobody)
TRICKS = [
    ("the highest of the suit led", Rules(), "6S 5S TC 9S", "3"),
    ("an ace of another suit", Rules(), "6S AC AD AH", "0"),
    ("equal cards cancel", Rules(players=6, decks=2, kitty=Kitty.FIRST_TRICK), "JC TC 9C 8C 4C JC", "1"),
    ("first of equals", Rules(players=6, decks=2, kitty=Kitty.FIRST_TRICK, duplicates=Duplicates.FIRST_WINS),
     "5C AC AC 8D KS 9D", "1"),
    ("last of equals", Rules(players=6, decks=2, kitty=Kitty.FIRST_TRICK, duplicates=Duplicates.LAST_WINS),
     "5C AC AC 8D KS 9D", "2"),
    ("everything cancels", Rules(players=6, decks=2, kitty=Kitty.FIRST_TRICK), "JC JC TC TC 9C 9C", "-"),
    ("only other suits left", Rules(players=6, decks=2, kitty=Kitty.FIRST_TRICK), "JC JC TD 9D 8D 7D", "-"),
    ("a pair of another suit", Rules(players=6, decks=2, kitty=Kitty.FIRST_TRICK), "3C TD TD 2C 5C 4C", "4"),
    ("two pairs without the rule", Rules(players=6, decks=2, kitty=Kitty.FIRST_TRICK), "3C TD TD 3C 5C 4C", "4"),
    ("two pairs", Rules(players=6, decks=2, kitty=Kitty.FIRST_TRICK, two_pairs_void=True), "3C TD TD 3C 5C 4C", "-"),
    ("one pair", Rules(players=6, decks=2, kitty=Kitty.FIRST_TRICK, two_pairs_void=True), "3C TD TD 2C 5C 4C", "4"),
]  # fmt: skip


@pytest.mark.parametrize(("rules", "cards", "winner"), [row[1:] for row in TRICKS], ids=[row[0] for row in TRICKS])
def test_trick_winner(rules: Rules, cards: str, winner: str) -> None:
    plays = [Play(seat, Card(text)) for seat, text in enumerate(cards.split())]
    assert trick_winner(rules, plays) == (None if winner == "-" else int(winner))


ALL_HEARTS = "2H 3H 4H 5H 6H 7H 8H 9H TH JH QH KH AH"
POINTS = f"{ALL_HEARTS} QS"
SHARED_HEARTS = f"JD 2H/QS/3H/{ALL_HEARTS[6:]}"
QUEEN_25 = Rules(queen_points=25)
TEAMS = Rules(teams=2)
NO_TRICKS = Rules(no_tricks_bonus=5)
EIGHT = Rules(players=8, decks=2)
MARIA = Rules(
    players=3, removed="2C", extra_penalties=((Card("KS"), 10), (Card("AS"), 7)), moon=Moon.OFF, pass_cycle=((),)
)
SUN = Rules(sun=True)
RESETS = Rules(exact_resets=((100, 50), (50, 0)), target=200)


def down(rules: Rules) -> Rules:
    return attrs.evolve(rules, moon=Moon.SHOOTER_DOWN)


# name, rules, captured by seat ("/" between), tricks won, totals before or "", effect or "", points
SCORES: list[tuple[str, Rules, str, str, str, str, str]] = [
    ("hearts and the queen", Rules(), "2H 3H 4H 5H QS/6H 7H/8H 9H TH JH QH KH AH/", "4 4 5 0", "", "", "17 2 7 0"),
    ("moon", Rules(), f"{POINTS}///", "12 1 0 0", "", "", "0 26 26 26"),
    ("moon, shooter down", Rules(moon=Moon.SHOOTER_DOWN), f"{POINTS}///", "12 1 0 0", "", "", "-26 0 0 0"),
    ("moon, choice: others up", Rules(moon=Moon.CHOICE), f"//{POINTS}/", "0 1 12 0", "", "up", "26 26 0 26"),
    ("moon, choice: shooter down", Rules(moon=Moon.CHOICE), f"//{POINTS}/", "0 1 12 0", "", "down", "0 0 -26 0"),
    ("the shooter has the bonus", OMNIBUS, f"{POINTS} JD///", "12 1 0 0", "", "", "-10 26 26 26"),
    ("another has the bonus", OMNIBUS, f"{POINTS}/JD//", "12 1 0 0", "", "", "0 16 26 26"),
    ("the moon needs the bonus", Rules(bonus=Bonus(Card("JD"), 10), moon_needs_bonus=True), f"{POINTS}/JD//",
     "12 1 0 0", "", "", "26 -10 0 0"),
    ("queen 25, the moon 26", Rules(queen_points=25, moon_points=26), f"/{POINTS}//", "0 12 1 0", "", "", "26 0 26 26"),
    ("queen 25 by its value", QUEEN_25, f"/{POINTS}//", "0 12 1 0", "", "", "38 0 38 38"),
    ("spot hearts, shooter down", Rules(heart_values=HeartValues.SPOT, queen_points=25, moon=Moon.SHOOTER_DOWN),
     f"/{POINTS}//", "0 12 1 0", "", "", "0 -129 0 0"),
    ("no tricks", NO_TRICKS, f"{ALL_HEARTS}/QS//", "11 1 0 1", "", "", "13 13 -5 0"),
    ("no tricks on a moon", NO_TRICKS, f"{POINTS}///", "12 0 1 0", "", "", "0 21 26 21"),
    ("not on a moon", Rules(no_tricks_bonus=5, no_tricks_bonus_on_moon=False), f"{POINTS}///", "12 0 1 0", "", "",
     "0 26 26 26"),
    ("sun", SUN, "///ALL", "0 0 0 13", "", "", "52 52 52 0"),
    ("no sun with twelve tricks", SUN, f"//2C 3C 4C 5C/{POINTS}", "0 0 1 12", "", "", "26 26 26 0"),
    ("sun, shooter down", down(SUN), "///ALL", "0 0 0 13", "", "", "0 0 0 -52"),
    ("no floor in reach", Rules(bonus=Bonus(Card("JD"), 10), bonus_floor=BonusFloor.TOTAL), SHARED_HEARTS, "1 1 1 10",
     "30 0 0 0", "", "-9 13 1 11"),
    ("floor at the total", Rules(bonus=Bonus(Card("JD"), 10), bonus_floor=BonusFloor.TOTAL), SHARED_HEARTS,
     "1 1 1 10", "4 0 0 0", "", "-4 13 1 11"),
    ("a floor never raises", Rules(bonus=Bonus(Card("JD"), 10), bonus_floor=BonusFloor.TOTAL), SHARED_HEARTS,
     "1 1 1 10", "-7 0 0 0", "", "1 13 1 11"),
    ("floor of the deal", Rules(bonus=Bonus(Card("JD"), 10), bonus_floor=BonusFloor.DEAL), SHARED_HEARTS,
     "1 1 1 10", "30 0 0 0", "", "0 13 1 11"),
    ("two decks, moon", EIGHT, f"{POINTS} {POINTS}///////", "13 0 0 0 0 0 0 0", "", "", "0 52 52 52 52 52 52 52"),
    ("one queen of two is not a moon", EIGHT, f"{POINTS} {ALL_HEARTS}/QS//////", "12 1 0 0 0 0 0 0", "", "",
     "39 13 0 0 0 0 0 0"),
    ("partners, moon", TEAMS, f"{POINTS}///", "12 1 0 0", "", "", "0 26 0 26"),
    ("partners, moon of both", Rules(teams=2, moon_scope=MoonScope.TEAM), f"{ALL_HEARTS}//QS/", "11 1 1 0", "", "",
     "0 26 0 26"),
    ("partners, no moon of one", TEAMS, f"{ALL_HEARTS}//QS/", "11 1 1 0", "", "", "13 0 13 0"),
    ("team, most points shoots", down(Rules(teams=2, moon_scope=MoonScope.TEAM, queen_points=12)),
     f"{ALL_HEARTS}//QS/", "11 1 1 0", "", "", "-25 0 0 0"),
    ("team, a tie: first from the dealer's left", down(Rules(teams=2, moon_scope=MoonScope.TEAM)),
     f"{ALL_HEARTS}//QS/", "11 1 1 0", "", "", "0 0 -26 0"),
    ("save: no end", Rules(moon=Moon.AUTO_SAVE), f"{POINTS}///", "12 1 0 0", "90 10 20 30", "", "0 26 26 26"),
    ("save: the end with others lower", Rules(moon=Moon.AUTO_SAVE), f"{POINTS}///", "12 1 0 0", "90 10 20 80", "",
     "-26 0 0 0"),
    ("save: the end, and the shooter wins", Rules(moon=Moon.AUTO_SAVE), f"{POINTS}///", "12 1 0 0", "9 10 20 80", "",
     "0 26 26 26"),
    ("save: a tie goes on", Rules(moon=Moon.AUTO_SAVE), f"{POINTS}///", "12 1 0 0", "90 10 10 80", "", "0 26 26 26"),
    ("extend: the end", Rules(moon=Moon.AUTO_EXTEND), f"{POINTS}///", "12 1 0 0", "9 10 20 80", "", "-26 0 0 0"),
    ("extend: no end", Rules(moon=Moon.AUTO_EXTEND), f"{POINTS}///", "12 1 0 0", "9 10 20 30", "", "0 26 26 26"),
    ("Black Maria", MARIA, "AS KS QS 2H/3H 4H 5H 6H 7H 8H 9H TH JH QH KH AH/", "2 15 0", "", "", "31 12 0"),
    ("nobody captures an untaken kitty's heart", Rules(decks=2, kitty=Kitty.LAST_TRICK, hand_size=25),
     f"{POINTS} {POINTS.replace('2H ', '')}///", "24 0 0 0", "", "", "51 0 0 0"),
]  # fmt: skip


def piles(rules: Rules, text: str, won: Sequence[int]) -> list[Cards]:
    """The piles, with cards that count nothing added up to whole tricks."""
    given = [rules.deck if pile == "ALL" else Cards(pile) for pile in text.split("/")]
    rest = rules.deck
    for pile in given:
        rest -= pile
    free = [card for card in rest if not rules.penalty(card)]
    whole = []
    for pile, tricks in zip(given, won, strict=True):
        missing = rules.players * tricks - len(pile)
        whole.append(pile + Cards(free[:missing]))
        del free[:missing]
    return whole


@pytest.mark.parametrize(("rules", "captured", "won", "totals", "effect", "points"), [row[1:] for row in SCORES],
                         ids=[row[0] for row in SCORES])  # fmt: skip
def test_score_deal(rules: Rules, captured: str, won: str, totals: str, effect: str, points: str) -> None:
    tricks = [int(word) for word in won.split()]
    score = score_deal(
        rules,
        piles(rules, captured, tricks),
        tricks,
        [int(word) for word in totals.split()] or None,
        {"": None, "up": Moon.OTHERS_UP, "down": Moon.SHOOTER_DOWN}[effect],
    )
    assert score.points == tuple(int(word) for word in points.split())


# name, rules, totals before, points by captured piles, totals after
RESET_CASES = [
    ("lands on 100", RESETS, "87 0 0 0", f"QS/{ALL_HEARTS}//", "50 13 0 0"),
    ("lands on 50", RESETS, "37 0 0 0", f"QS/{ALL_HEARTS}//", "0 13 0 0"),
    ("once, not again from 50", RESETS, "87 50 0 0", f"QS//{ALL_HEARTS}/", "50 50 13 0"),
    ("passes 100", RESETS, "88 0 0 0", f"QS/{ALL_HEARTS}//", "101 13 0 0"),
]


@pytest.mark.parametrize(("rules", "before", "captured", "after"), [row[1:] for row in RESET_CASES],
                         ids=[row[0] for row in RESET_CASES])  # fmt: skip
def test_exact_resets(rules: Rules, before: str, captured: str, after: str) -> None:
    totals = [int(word) for word in before.split()]
    score = score_deal(rules, piles(rules, captured, (5, 4, 4, 0)), (5, 4, 4, 0), totals)
    assert score.totals == tuple(int(word) for word in after.split())


def one_card_deal(rules: Rules) -> Deal:
    """A deal of hands of one card in which seat 0 takes a heart, if seat 0 leads or the highest card is its own."""
    assert rules.cards_per_hand == 1
    return Deal([Cards("AH"), Cards("KH"), Cards("QH"), Cards("JH")])


SHORT = Cards(card for card in Rules().deck if card not in Cards("AH KH QH JH"))


def finish(rules: Rules, totals_wanted: tuple[int, ...]) -> GameOver | AwaitingDeal:
    """Play one deal of one card each whose points are `totals_wanted` by giving the hearts such values."""
    state = apply(new_game(rules), one_card_deal(rules))
    for _ in range(4):
        assert isinstance(state, Playing)
        state = apply(state, legal_moves(state)[0])
    assert isinstance(state, (GameOver, AwaitingDeal))
    assert state.scores == totals_wanted
    return state


def short_rules(value: int, target: int, test: TargetTest = TargetTest.REACHED, tie: Tie = Tie.SHARED) -> Rules:
    """Hands of one heart each; whoever holds the ace takes them all, `value` points."""
    return Rules(
        removed=SHORT,
        pass_cycle=((),),
        opening_leader=OpeningLeader.DEALER_LEFT,
        opening_card=OpeningCard.ANY,
        heart_values=(0,) * 12 + (value,),
        queen_points=0,
        moon=Moon.OFF,
        target=target,
        target_test=test,
        tie=tie,
    )


@pytest.mark.parametrize(
    ("test", "value", "over"),
    [
        (TargetTest.REACHED, 99, False),
        (TargetTest.REACHED, 100, True),
        (TargetTest.EXCEEDED, 100, False),
        (TargetTest.EXCEEDED, 101, True),
    ],
)
def test_the_target(test: TargetTest, value: int, over: bool) -> None:
    state = finish(short_rules(value, 100, test), (value, 0, 0, 0))
    assert isinstance(state, GameOver) is over


def test_a_tie_for_the_lowest_total() -> None:
    shared = finish(short_rules(102, 100), (102, 0, 0, 0))
    assert isinstance(shared, GameOver)
    assert shared.winners == (1, 2, 3)
    extra = finish(short_rules(102, 100, tie=Tie.EXTRA_DEAL), (102, 0, 0, 0))
    assert isinstance(extra, AwaitingDeal)
    assert extra.deal_number == 1


@pytest.mark.parametrize(("value", "over"), [(100, False), (101, True)])
def test_negative_reckoning(value: int, over: bool) -> None:
    rules = attrs.evolve(short_rules(value, 100, TargetTest.EXCEEDED), reckoning=Reckoning.NEGATIVE)
    state = finish(rules, (value, 0, 0, 0))
    assert display_score(rules, state.scores[0]) == -value
    assert isinstance(state, GameOver) is over
    assert [standing.seats for standing in standings(rules, (101, 20, 6, 4))] == [(3,), (2,), (1,), (0,)]


def test_skip_passes_over_those_who_decline() -> None:
    rules = Rules(pass_cycle=(across(4),), pass_optional=PassOptional.SKIP)
    start = new_game(rules)
    hands = [Cards(card for card in rules.deck if card.index % 4 == seat) for seat in range(4)]
    state = apply(start, Deal(hands))
    gifts = {seat: Cards(list(hands[seat])[:3]) for seat in (0, 1, 2)}
    for seat in range(4):
        assert isinstance(state, Passing)
        state = apply(state, Pass(seat, (gifts[seat],) if seat in gifts else ()))
    assert isinstance(state, Playing)
    assert state.hands[0] == hands[0] - gifts[0] + gifts[2]
    assert state.hands[2] == hands[2] - gifts[2] + gifts[0]
    assert state.hands[1] == hands[1]
    assert state.hands[3] == hands[3]
    assert state.passed == (gifts[0], Cards(), gifts[2], Cards())
    assert state.received == (gifts[2], Cards(), gifts[0], Cards())


def test_the_shooter_chooses() -> None:
    rules = Rules(
        removed=SHORT,
        pass_cycle=((),),
        opening_leader=OpeningLeader.DEALER_LEFT,
        opening_card=OpeningCard.ANY,
        moon=Moon.CHOICE,
        target=10,
    )
    state = apply(new_game(rules), one_card_deal(rules))
    for _ in range(4):
        state = apply(state, legal_moves(state)[0])
    assert isinstance(state, ChoosingMoon)
    assert state.shooter == 0
    assert legal_moves(state) == (ChooseMoon(0, Moon.OTHERS_UP), ChooseMoon(0, Moon.SHOOTER_DOWN))
    assert state.others_up.points == (0, 4, 4, 4)
    assert state.shooter_down.points == (-4, 0, 0, 0)
    for move, score in zip(legal_moves(state), (state.others_up, state.shooter_down), strict=True):
        after = apply(state, move)
        assert after.deal_scores.rows == (score,)
        assert after.scores == score.points


# How the queen breaks hearts: name, option, the trick that holds the queen, whether hearts are broken after it
BREAKS = [
    ("never", QueenBreaks.NEVER, "QS 2S", False),
    ("led, when led", QueenBreaks.LED, "QS 2S", True),
    ("led, when followed", QueenBreaks.LED, "2S QS", False),
    ("led, when discarded", QueenBreaks.LED, "2D QS", False),
    ("discarded, when led", QueenBreaks.DISCARDED, "QS 2S", False),
    ("discarded, when followed", QueenBreaks.DISCARDED, "2S QS", False),
    ("discarded, when discarded", QueenBreaks.DISCARDED, "2D QS", True),
    ("played, when led", QueenBreaks.PLAYED, "QS 2S", True),
    ("played, when followed", QueenBreaks.PLAYED, "2S QS", True),
    ("played, when discarded", QueenBreaks.PLAYED, "2D QS", True),
    ("a heart discarded", QueenBreaks.NEVER, "2D 2H", True),
]


@pytest.mark.parametrize(("option", "cards", "broken"), [row[1:] for row in BREAKS], ids=[row[0] for row in BREAKS])
def test_breaking_hearts_counts_at_once(option: QueenBreaks, cards: str, broken: bool) -> None:
    first, second = (Card(text) for text in cards.split())
    others = [card for card in Rules().deck if card.suit.letter not in "SDC" and card not in (first, second)]
    rules = Rules(
        removed=Rules().deck - Cards([first, second, Card("QS"), *others[:3]]),
        hand_size=1,
        kitty=Kitty.FIRST_TRICK,
        queen_breaks=option,
        pass_cycle=((),),
        opening_leader=OpeningLeader.DEALER_LEFT,
        opening_card=OpeningCard.ANY,
        moon=Moon.OFF,
    )
    north, west, *kitty = rules.deck - Cards([first, second])
    hands = [Cards([north]), Cards([first]), Cards([second]), Cards([west])]
    state = apply(new_game(rules), Deal(hands, Cards(kitty)))
    state = apply(apply(state, Play(1, first)), Play(2, second))
    assert isinstance(state, Playing)
    assert state.hearts_broken is broken
