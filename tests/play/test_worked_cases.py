"""The rules of docs/reference/rules.md as worked cases, a line for each: adding a regression is adding a line.

The cards that may be played are sections 3 to 5 of that page, the trick section 7, the score section 9, the end of a
game section 10.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

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
    State,
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
from heartsrules.play.scoring import game_winners
from heartsrules.play.sheet import ScoreSheet
from heartsrules.play.violations import CardIsCompulsory, MustFollowSuit, QueenBeforeHearts
from heartsrules.rules import Compulsory, Moon
from support.tables import named, rules_of

FIVE = "players=5 removed=2C,2D"
CANCELLATION = "players=8 decks=2 opening_leader=dealer-left opening_card=non-point two_pairs_void=yes target=150"
ALWAYS = "compulsory=always"
SAFE = "compulsory=safe"
WAITS = "queen_discard_after_hearts=yes"
SPARES = "heart_lead_spares_queen=yes"
ANY_TIME = "hearts_lead=any-time"
OPEN = "opening_card=any"
TURN_BASED = "opening_leader=dealer-left"
ANY_CLUB = "opening_card=any-club"
OMNIBUS = "bonuses=JD:10"
NEEDS_BONUS = f"{OMNIBUS} moon_needs_bonus=yes"
TO_TOTAL = f"{OMNIBUS} bonus_floor=total"
TO_DEAL = f"{OMNIBUS} bonus_floor=deal"
TWO_DECKS = "players=6 decks=2 kitty=first-trick compulsory=safe"
NO_SCORING = f"{OMNIBUS} first_trick=no-scoring"
UNRESTRICTED = "opening_card=unrestricted"
POINTS_WAIT = "hearts_lead=points-when-broken"
NO_HEARTS = "first_trick=no-hearts"
TEN = "extra_penalties=TD:10"
HEARTS_FREE = "heart_values=0,0,0,0,0,0,0,0,0,0,0,0,0"
TWO_FREE = "heart_values=0,1,1,1,1,1,1,1,1,1,1,1,1"
LEEKHA = (
    "opening_leader=dealer-left opening_card=unrestricted first_trick=free hearts_lead=any-time "
    "extra_penalties=TD:10 compulsory=discard compulsory_cards=TD,QS moon=off teams=2 target=101 "
    "target_scope=player"
)
GONG_ZHU = (
    "pass_cycle=hold opening_leader=queen-taker opening_card=unrestricted first_trick=free hearts_lead=any-time "
    "heart_values=0,0,0,10,10,10,10,10,10,20,30,40,50 queen_points=100 bonuses=JD:100 doubler=TC:2:50 "
    "moon=shooter-down moon_cards=hearts target=1000 bonus_target=1000 score_display=negative tie=shared"
)

# The rules of a row are fields of the notation; none: the usual game.

# name, rules, the trick so far, "first" on the first trick, hand, legal cards
LEGAL = [
    ("HR-5.3 HR-usual.3 the lowest club opens", "", "", "first", "2C 7C KD 4H QS", "2C"),
    ("HR-ruling.3 the lowest club in play opens", FIVE, "", "first", "3C 9C 4D 5S", "3C"),
    ("HR-4.1 HR-5.2 HR-usual.4 follow suit", "", "6S", "", "7S 9S 2D QH QS", "7S 9S QS"),
    ("HR-5.13 HR-usual.4 no points on the first trick", "", "2C", "first", "4D JD QS 3H AH", "4D JD"),
    ("HR-first_trick.4 HR-ruling.5 no points on the first trick, whatever suit was led", OPEN, "4D", "first",
     "5C QS 2H", "5C"),
    ("a bonus card on the first trick", OMNIBUS, "2C", "first", "4D JD QS 3H AH", "4D JD"),
    ("HR-first_trick.6 no scoring card on the first trick", NO_SCORING, "2C", "first", "4D JD QS 3H AH", "4D"),
    ("HR-first_trick.7 the bonus card goes before the queen", NO_SCORING, "2C", "first", "JD QS 3H AH", "JD"),
    ("HR-first_trick.7 the queen goes before a heart", NO_SCORING, "2C", "first", "QS 3H AH", "QS"),
    ("nothing but hearts on a first trick without scoring cards", NO_SCORING, "2C", "first", "3H AH", "3H AH"),
    ("a bonus card follows suit to the first trick", f"{NO_SCORING} opening_card=any", "4D", "first", "JD QS 3H", "JD"),
    ("no scoring card may be discarded, yet one is led", f"{NO_SCORING} opening_card=any", "", "first", "JD 3H", "JD"),
    ("hearts that cost nothing are scoring cards", f"{NO_SCORING} {HEARTS_FREE}", "2C", "first", "3H 5D", "5D"),
    ("an extra penalty goes before a heart", f"{NO_SCORING} extra_penalties=KS:5", "2C", "first", "KS QS 3H", "QS KS"),
    ("the queen waits for hearts, so a heart must go", f"{NO_SCORING} queen_discard_after_hearts=yes", "2C", "first",
     "QS 3H", "3H"),
    ("a compulsory queen that the first trick bars", f"{NO_SCORING} compulsory=always", "2C", "first", "JD QS 3H",
     "JD"),
    ("HR-4.2 HR-usual.4 anything goes on a later trick", "", "KC", "", "4D QS 5H", "4D QS 5H"),
    ("HR-5.5 HR-usual.5 hearts are not led before they are broken", "", "", "", "5C QS 2H", "5C QS"),
    ("HR-5.7 HR-ruling.6 lone queen", "", "", "", "QS 2H 9H", "QS"),
    ("lone queen spared", SPARES, "", "", "QS 2H 9H", "QS 2H 9H"),
    ("the queen is not alone", SPARES, "", "", "QS KS 9H", "QS KS"),
    ("HR-5.1 nothing but hearts", "", "", "", "2H 9H KH", "2H 9H KH"),
    ("hearts at any time", ANY_TIME, "", "", "5C QS 2H", "5C QS 2H"),
    ("HR-5.15 always, following", ALWAYS, "4S", "", "5S QS KS 2H", "QS"),
    ("always, void", ALWAYS, "9C", "", "QS 2D 2H", "QS"),
    ("always on lead", ALWAYS, "", "", "QS 2D 3C", "QS"),
    ("not on lead", "compulsory=not-lead", "", "", "QS 2D 3C", "QS 2D 3C"),
    ("not on lead, with the lowest club beside it", "compulsory=not-lead", "", "", "2C QS 5D", "2C QS 5D"),
    ("not lead, following", "compulsory=not-lead", "4S", "", "QS 2S", "QS"),
    ("discard, following", "compulsory=discard", "AS", "", "QS 2S", "QS 2S"),
    ("discard, following with the lowest club", "compulsory=discard compulsory_cards=2C extra_penalties=2C:5", "4C", "",
     "2C 3C", "2C 3C"),
    ("discard, void", "compulsory=discard", "4D", "", "QS 2S", "QS"),
    ("discard, void in clubs", "compulsory=discard", "4C", "", "QS 2S", "QS"),
    ("not lead, clubs led", "compulsory=not-lead", "4C", "", "QS 2S", "QS"),
    ("safe on lead", SAFE, "", "", "2C QS 5D", "2C QS 5D"),
    ("HR-compulsory.2 safe, no high spade", SAFE, "4S JS", "", "QS 2S", "QS 2S"),
    ("safe under the king", SAFE, "4S KS", "", "QS 2S", "QS"),
    ("safe under the ace led", SAFE, "AS 2D", "", "QS 2S", "QS"),
    ("safe, void", SAFE, "4D", "", "QS 2S", "QS"),
    ("safe, a king discarded on diamonds", SAFE, "4D KS", "", "QS 2S 3D", "3D"),
    ("the queen waits for hearts", WAITS, "4D", "", "AS KS QS JS TS QC", "AS KS JS TS QC"),
    ("the queen does not wait where she is the only card", WAITS, "4D", "", "QS", "QS"),
    ("dealer's left opens with the lowest club", TURN_BASED, "", "first", "6C 9C 2D AS 3H", "6C"),
    ("any card opens, but no heart", OPEN, "", "first", "6C 2D QS 3H", "6C 2D QS"),
    ("a card without points opens", CANCELLATION, "", "first", "4C 4C 9D QS KH", "4C 9D"),
    ("dealer's left opens with any card", "opening_leader=dealer-left opening_card=any", "", "first", "2C 8S QS 4H",
     "2C 8S QS"),
    ("any club opens", ANY_CLUB, "", "first", "2C 7C KC 4H", "2C 7C KC"),
    ("HR-opening_card.6 no club to open", ANY_CLUB, "", "first", "7D QS 4H", "7D"),
    ("HR-ruling.4 only penalty cards to open with", CANCELLATION, "", "first", "QS 2H 9H", "QS 2H 9H"),
    ("HR-5.1 HR-5.12 the queen waits, the first-trick ban is waived", WAITS, "2C", "first", "QS 2H 9H", "2H 9H"),
    ("HR-5.1 HR-first_trick.5 HR-ruling.4 nothing but penalty cards", "", "2C", "first", "QS 2H 9H", "QS 2H 9H"),
    ("always, after the first-trick ban", ALWAYS, "2C", "first", "QS 2H 9D", "9D"),
    ("always, the ban waived", ALWAYS, "2C", "first", "QS 2H 9H", "QS"),
    ("HR-ruling.8 a heart worth nothing is not a point", TWO_FREE, "2C", "first", "2H 3H", "2H"),
    ("HR-ruling.8 HR-opening_card.8 a heart worth nothing opens", f"{TWO_FREE} opening_card=non-point", "", "first",
     "2H 3H QS", "2H"),
    ("HR-ruling.8 a heart worth nothing is still a heart", TWO_FREE, "", "", "2H 3C", "3C"),
    ("HR-5.4 HR-ruling.25 any card at all opens, a heart too", UNRESTRICTED, "", "first", "6C 2D QS 3H", "6C 2D QS 3H"),
    ("HR-opening_card.9 any card at all opens, but only the first lead is free", UNRESTRICTED, "", "", "5C QS 2H",
     "5C QS"),
    ("HR-ruling.15 a compulsory card opens where any card may", "opening_card=unrestricted compulsory=always", "",
     "first", "2C QS 5H", "QS"),
    ("HR-ruling.7 HR-opening_card.8 a club that costs points opens", "opening_card=any-club extra_penalties=2C:5", "",
     "first", "2C 7C 4H", "2C 7C"),
    ("HR-5.6 HR-5.17 penalty cards wait on lead", POINTS_WAIT, "", "", "5C QS 2H", "5C"),
    ("HR-ruling.6 penalty cards wait on lead, but there is nothing else", POINTS_WAIT, "", "", "QS 2H 9H", "QS 2H 9H"),
    ("HR-ruling.25 penalty cards wait to open with any card", f"{POINTS_WAIT} opening_card=any", "", "first",
     "5C QS 2H", "5C"),
    ("an extra penalty card waits on lead", f"{POINTS_WAIT} extra_penalties=TD:10", "", "", "5C TD", "5C"),
    ("a heart worth nothing waits on lead with the penalty cards", f"{POINTS_WAIT} {TWO_FREE}", "", "", "5C 2H", "5C"),
    ("HR-heart_lead_spares_queen.3 a queen that costs nothing is spared where penalty cards wait",
     f"{POINTS_WAIT} queen_points=0 heart_lead_spares_queen=yes", "", "", "QS 2H", "QS 2H"),
    ("HR-heart_lead_spares_queen.3 but not beside another card that waits",
     f"{POINTS_WAIT} queen_points=0 extra_penalties=TD:10 heart_lead_spares_queen=yes", "", "", "QS TD 2H", "QS"),
    ("HR-5.7 a queen that costs nothing goes before hearts where penalty cards wait", f"{POINTS_WAIT} queen_points=0",
     "", "", "QS 2H 9H", "QS"),
    ("no hearts on the first trick", NO_HEARTS, "2C", "first", "4D QS 3H", "4D QS"),
    ("HR-ruling.9 HR-first_trick.2 no heart worth nothing on the first trick", f"{NO_HEARTS} {TWO_FREE}", "2C", "first",
     "4D 2H", "4D"),
    ("no hearts on the first trick, but there is nothing else", NO_HEARTS, "2C", "first", "2H 9H", "2H 9H"),
    ("HR-5.16 Leekha, void in clubs", LEEKHA, "9C", "", "QS TD 2D 2H", "QS TD"),
    ("Leekha, following", LEEKHA, "9D", "", "QS TD 2D 2H", "TD 2D"),
    ("the ten of diamonds waits and the queen is due", f"{LEEKHA} first_trick=no-points queen_points=0", "9C", "first",
     "QS TD 2H", "QS"),
    ("HR-ruling.14 safe, but the kings cancel", TWO_DECKS, "4S KS KS", "", "QS 3S", "QS 3S"),
    ("safe, but the kings that were played first cancel", TWO_DECKS, "KS KS 3S", "", "QS 2S", "QS 2S"),
    ("safe under the king led", SAFE, "KS 3S 4S", "", "QS 2S", "QS"),
    ("safe under the ace, the kings cancel", TWO_DECKS, "KS KS AS", "", "QS 2S", "QS"),
    ("safe under the ace", SAFE, "4S AS", "", "QS 3S", "QS"),
    ("safe under a king, the aces cancel", TWO_DECKS, "AS AS KS", "", "QS 3S", "QS"),
    ("HR-ruling.14 safe under two kings that do not cancel", f"{TWO_DECKS} duplicates=first-wins", "4S KS KS", "",
     "QS 3S", "QS"),
    ("HR-compulsory.7 HR-ruling.14 not safe under its own like", TWO_DECKS, "4S QS", "", "QS 3S", "QS 3S"),
    ("HR-ruling.14 safe under a king in a trick that two pairs make void", f"{TWO_DECKS} two_pairs_void=yes",
     "KS 4D 4D 3C 3C", "", "QS 3S", "QS"),
    ("HR-compulsory.5 safe, each card by itself", f"{SAFE} compulsory_cards=TS,QS", "4S JS", "", "QS TS 3S", "TS"),
    ("safe in another suit than spades", f"{SAFE} compulsory_cards=TD", "4D JD", "", "TD 3D", "TD"),
    ("safe, void, with two compulsory cards", f"{SAFE} compulsory_cards=TS,QS", "4C", "", "QS TS 3S", "QS TS"),
]  # fmt: skip


LATER: Any = {"first_trick": False, "hearts_broken": False}
"""A later trick, before hearts are broken."""


@named("rules trick first hand legal", LEGAL)
def test_legal_cards(rules: Rules, trick: str, first: str, hand: str, legal: str) -> None:
    led = [Card(text) for text in trick.split()]
    cards = Cards(hand)
    assert legal_cards(rules, cards, trick=led, first_trick=bool(first), hearts_broken=False) == Cards(legal).distinct()
    for card in cards:
        reasons = why_illegal_card(rules, cards, card, trick=led, first_trick=bool(first), hearts_broken=False)
        assert (reasons == ()) == (card in Cards(legal)), card


@pytest.mark.parametrize("exposed_card_play", ["wait-in-suit", "wait-on-lead"])
def test_a_shown_card_that_may_not_open_is_held_back_as_well(exposed_card_play: str) -> None:
    text = f"doubler=8D exposable=8D,TD opening_card=non-point exposed_card_play={exposed_card_play}"
    rules = rules_of(text, DIAMONDS)
    hand, exposed = Cards("7D 8D TD KH"), Cards("8D TD")
    told = [
        [
            each.code
            for each in why_illegal_card(rules, hand, card, first_trick=True, exposed=exposed, hearts_broken=False)
        ]
        for card in hand
    ]
    assert told == [[], ["exposed-card-restricted"], ["opening-card", "exposed-card-restricted"], ["opening-card"]]


def test_a_card_has_no_more_reasons_against_it_than_there_are() -> None:
    # The Q♠ is the only spade: the others do not follow suit, and nothing else is wrong with them.
    hand = Cards("QS 2D 3H")
    for card in Cards("2D 3H"):
        reasons = why_illegal_card(rules_of(ALWAYS), hand, card, trick=[Card("4S")], **LATER)
        assert reasons == (MustFollowSuit(card, Suit.SPADES, 1),)


# name, rules, the trick so far, "first" on the first trick, hand and what of it was shown, a card that only the last
# stage is against, the card that is due
NOT_DUE = [
    ("on the first trick, beside cards that it bars", f"{LEEKHA} first_trick=no-points queen_points=0", "9C", "first",
     "QS TD 3D", "", "3D", "QS"),
    ("opening, beside cards that may not", f"{ALWAYS} opening_card=non-point opening_leader=dealer-left queen_points=0",
     "", "first", "2D QS 3H", "", "2D", "QS"),
    ("on lead, beside a card that was shown", f"{ALWAYS} exposable=QS compulsory_cards=TD", "", "", "QS 3S TD 5D", "QS",
     "5D", "TD"),
]  # fmt: skip


@named("rules trick first hand exposed card due", NOT_DUE)
def test_only_a_compulsory_card_is_against_a_card_that_might_go(
    rules: Rules, trick: str, first: str, hand: str, exposed: str, card: str, due: str
) -> None:
    told: Any = {"trick": [Card(text) for text in trick.split()], "exposed": Cards(exposed), "suits_led": ()}
    reasons = why_illegal_card(rules, Cards(hand), Card(card), first_trick=bool(first), hearts_broken=False, **told)
    assert reasons == (CardIsCompulsory(Card(card), Cards(due), rules.compulsory),)


def test_a_card_is_safe_under_every_higher_one_of_its_suit() -> None:
    spades = list(Rules().deck.of_suit(Suit.SPADES))
    for place, card in enumerate(spades):
        rules = rules_of(f"compulsory=safe compulsory_cards={card} extra_penalties={card}:5 queen_points=0")
        for other, highest in enumerate(spades):
            if other != place:
                hand = Cards([card, *[each for each in spades if each not in (card, highest)][:1]])
                legal = legal_cards(rules, hand, trick=[highest], **LATER)
                assert legal == (Cards([card]) if other > place else hand), (card, highest)


def test_the_queen_is_due_as_soon_as_she_need_not_wait_for_hearts() -> None:
    rules = rules_of("compulsory=discard", WAITS)
    hand = Cards("QS 5D")
    for broken, legal, waits in (
        (False, "5D", (QueenBeforeHearts(),)),
        (True, "QS", (CardIsCompulsory(Card("5D"), Cards("QS"), Compulsory.DISCARD),)),
    ):
        trick = [Card("4C")]
        assert legal_cards(rules, hand, trick=trick, hearts_broken=broken, first_trick=False) == Cards(legal)
        (other,) = hand - Cards(legal)
        assert why_illegal_card(rules, hand, other, trick=trick, hearts_broken=broken, first_trick=False) == waits
        assert why_illegal_card(rules, hand, Card(legal), trick=trick, hearts_broken=broken, first_trick=False) == ()


def test_the_trick_is_told_as_cards_or_as_plays() -> None:
    hand = Cards("7S 9S 2D")
    for trick in ([Card("6S"), Card("AD")], [Play(2, Card("6S")), Play(3, Card("AD"))]):
        assert legal_cards(Rules(), hand, trick=trick, **LATER) == Cards("7S 9S")
        assert why_illegal_card(Rules(), hand, Card("2D"), trick=trick, **LATER) == (
            MustFollowSuit(Card("2D"), Suit.SPADES, 2),
        )


def test_what_may_be_left_out() -> None:
    hand = Cards("4D QS 3H")
    assert legal_cards(Rules(), hand, trick=[Card("2C")], **LATER) == hand
    assert why_illegal_card(Rules(), hand, Card("QS"), trick=[Card("2C")], **LATER) == ()
    assert legal_cards(Rules(), hand, **LATER) == Cards("4D QS")
    assert why_illegal_card(Rules(), hand, Card("3H"), **LATER) != ()
    assert legal_cards(rules_of(OPEN), Cards("4D 3H"), **LATER) == Cards("4D")


# name, rules, cards in order from seat 0, the winner ("-": nobody)
TRICKS = [
    ("HR-7.1 HR-usual.4 the highest of the suit led", "", "6S 5S TC 9S", "3"),
    ("an ace of another suit", "", "6S AC AD AH", "0"),
    ("equal cards cancel", "players=6 decks=2 kitty=first-trick", "JC TC 9C 8C 4C JC", "1"),
    ("first of equals", "players=6 decks=2 kitty=first-trick duplicates=first-wins", "5C AC AC 8D KS 9D", "1"),
    ("last of equals", "players=6 decks=2 kitty=first-trick duplicates=last-wins", "5C AC AC 8D KS 9D", "2"),
    ("everything cancels", "players=6 decks=2 kitty=first-trick", "JC JC TC TC 9C 9C", "-"),
    ("only other suits left", "players=6 decks=2 kitty=first-trick", "JC JC TD 9D 8D 7D", "-"),
    ("a pair of another suit", "players=6 decks=2 kitty=first-trick", "3C TD TD 2C 5C 4C", "4"),
    ("two pairs without the rule", "players=6 decks=2 kitty=first-trick", "3C TD TD 3C 5C 4C", "4"),
    ("two pairs", "players=6 decks=2 kitty=first-trick two_pairs_void=yes", "3C TD TD 3C 5C 4C", "-"),
    ("one pair", "players=6 decks=2 kitty=first-trick two_pairs_void=yes", "3C TD TD 2C 5C 4C", "4"),
]  # fmt: skip


@named("rules cards winner", TRICKS)
def test_trick_winner(rules: Rules, cards: str, winner: str) -> None:
    plays = [Play(seat, Card(text)) for seat, text in enumerate(cards.split())]
    assert trick_winner(rules, plays) == (None if winner == "-" else int(winner))


SHOWN = f"{GONG_ZHU} exposable=TC,JD,QS,AH"
NOT_BROKEN = "exposable=QS,AH"
CLUBS_FIRST = "doubler=TC:2:0 exposable=TC,QS opening_leader=dealer-left moon=off"
DIAMONDS = f"{POINTS_WAIT} extra_penalties=TD:10 bonuses=JD:10 exposable=TD,JD"
FREE = f"{SHOWN} exposed_card_play=free"
ON_LEAD = f"{SHOWN} exposed_card_play=wait-on-lead"
CHARGED = f"{ON_LEAD} hearts_lead=when-broken"
SPARED = f"{CHARGED} heart_lead_spares_queen=yes"

# name, rules, the cards of the hand that were shown, the suits of the earlier tricks, the trick so far, hand, legal
# cards; no suit: the first trick of the deal, "-": of none of the suits in the hand
HELD_BACK = [
    ("HR-5.8 HR-2a.4 HR-dispute.31 L39", SHOWN, "QS", "-", "4S", "QS 3S", "3S"),
    ("HR-5.10 HR-ruling.27 HR-dispute.31 L40", SHOWN, "QS", "-", "4S", "QS 3D", "QS"),
    ("L41", SHOWN, "QS", "S", "4S", "QS 3S", "QS 3S"),
    ("HR-5.9 HR-dispute.32 L42", SHOWN, "QS", "-", "", "QS 3S 5D", "3S 5D"),
    ("L43", SHOWN, "QS", "-", "", "QS 5D", "QS 5D"),
    ("HR-5.11 HR-dispute.33 L44", SHOWN, "QS", "-", "9D", "QS 3S 4C", "QS 3S 4C"),
    ("HR-ruling.27 only shown cards wait", SHOWN, "AH", "-", "4S", "QS 3S", "QS 3S"),
    ("the opening waits too where any card may be led", SHOWN, "QS", "", "", "QS 3S 5D", "3S 5D"),
    ("each shown card waits for its own suit", SHOWN, "QS JD", "D", "", "QS 3S JD 3D", "3S JD 3D"),
    ("a card waits beside one of another suit that was shown", SHOWN, "QS JD", "-", "4S", "QS 3S JD", "3S"),
    ("a card that is discarded waits for nothing, two suits shown", SHOWN, "QS JD", "-", "4C", "QS 3S JD 3D",
     "QS 3S JD 3D"),
    ("two shown cards wait, each beside another of its suit", SHOWN, "QS AH", "-", "", "QS 3S AH 4H", "3S 4H"),
    ("one of two waits no more", SHOWN, "QS AH", "S", "", "QS 3S AH 4H", "QS 3S 4H"),
    ("a shown ace of hearts waits where hearts were led", SHOWN, "QS AH", "-", "2H", "QS 3S AH 4H", "4H"),
    ("the only heart follows", SHOWN, "QS AH", "S", "2H", "QS 3S AH", "AH"),
    ("four shown cards, each alone in its suit", SHOWN, "TC JD QS AH", "-", "", "TC JD QS AH", "TC JD QS AH"),
    ("the ten of clubs waits alone of four", SHOWN, "TC JD QS AH", "DSH", "", "TC 2C JD QS AH", "2C JD QS AH"),
    ("a shown heart is free once hearts were led", NOT_BROKEN, "AH", "CH", "2H", "AH 4H", "AH 4H"),
    ("the ten of clubs is the lowest club", CLUBS_FIRST, "TC", "", "", "TC KC 5D", "TC"),
    ("a bonus card waits for no penalty card that may not be led", DIAMONDS, "JD", "C", "", "JD TD 2H", "JD"),
    ("no heart is led for a shown queen before hearts are broken", NOT_BROKEN, "QS", "C", "", "QS 2H", "QS"),
    ("a compulsory card that was shown waits", f"{SHOWN} compulsory=always", "QS", "-", "4S", "QS 3S", "3S"),
    ("a compulsory card that was shown is discarded", f"{SHOWN} compulsory=discard", "QS", "-", "4D", "QS 3S", "QS"),
    ("safe under the king, but it was shown", f"{SHOWN} compulsory=safe", "QS", "C", "4S KS", "QS 3S", "3S"),
    ("a shown queen still waits for hearts", f"{WAITS} exposable=QS", "QS", "C", "4D", "QS 3S", "3S"),
    ("HR-5.19 HR-2a.7 a shown queen is still a penalty card of the first trick", NOT_BROKEN, "QS", "", "2C", "QS 3S",
     "3S"),
    ("HR-exposed_card_play.1 she follows at once", FREE, "QS", "-", "4S", "QS 3S", "QS 3S"),
    ("HR-exposed_card_play.1 she leads her suit", FREE, "QS", "-", "", "QS 3S 5D", "QS 3S 5D"),
    ("a shown heart is led only once hearts are broken, though it waits for nothing", f"{FREE} hearts_lead=when-broken",
     "AH", "C", "", "AH 4H 5D", "5D"),
    ("a free compulsory card is due", f"{FREE} compulsory=always", "QS", "-", "4S", "QS 3S", "QS"),
    ("HR-exposed_card_play.2 she waits for any other card", ON_LEAD, "QS", "-", "", "QS 5D 5H", "5D 5H"),
    ("alone in her suit she follows", ON_LEAD, "QS", "-", "4S", "QS 3D", "QS"),
    ("following she waits for her suit", ON_LEAD, "QS", "-", "4S", "QS 3S 5D", "3S"),
    ("she may be discarded", ON_LEAD, "QS", "-", "4C", "QS 3S 5D", "QS 3S 5D"),
    ("she waits no more once spades were led", ON_LEAD, "QS", "S", "", "QS 5D", "QS 5D"),
    ("HR-exposed_card_play.2 a card that waits no more is another card", ON_LEAD, "QS JD", "D", "", "QS JD", "JD"),
    ("nothing but cards that wait", ON_LEAD, "QS JD TC", "-", "", "QS JD TC", "QS JD TC"),
    ("she does not wait for hearts that may not be led", CHARGED, "QS", "C", "", "QS 2H", "QS"),
    ("nor do several of them", CHARGED, "QS TC", "D", "", "QS TC 2H", "QS TC"),
    ("an ace of hearts waits among hearts alone", CHARGED, "AH", "C", "", "AH 4H", "4H"),
    ("an only card is led", CHARGED, "AH", "C", "", "AH", "AH"),
    ("HR-exposed_card_play.3 she may be led where she is spared", SPARED, "QS", "C", "", "QS 2H", "QS 2H"),
    ("HR-exposed_card_play.4 not where any card opens", SPARED, "QS", "", "", "QS 2H", "2H"),
    ("HR-exposed_card_play.4 but where no heart may open", f"{SPARED} opening_card=any", "QS", "", "", "QS 2H",
     "QS 2H"),
    ("HR-exposed_card_play.2 a shown heart waits for a queen that is not shown", SPARED, "AH", "C", "", "QS AH", "QS"),
    ("HR-exposed_card_play.5 but with her not for one that is spared", SPARED, "QS AH", "C", "", "QS AH", "QS AH"),
    ("a shown heart waits beside her", SPARED, "AH", "C", "", "QS AH 2H", "QS 2H"),
    ("spared for no heart, she waits for a club", SPARED, "QS", "D", "", "QS 2H 5C", "5C"),
    ("a compulsory card waits on the lead", f"{ON_LEAD} compulsory=always", "QS", "-", "", "QS 5D", "5D"),
    ("the opening lead waits too", ON_LEAD, "QS", "", "", "QS 5D", "5D"),
    ("the lowest club opens though it was shown", f"{CLUBS_FIRST} exposed_card_play=wait-on-lead", "TC", "", "",
     "TC KC 5D", "TC"),
]  # fmt: skip


@named("rules exposed led trick hand legal", HELD_BACK)
def test_exposed_cards_wait(rules: Rules, exposed: str, led: str, trick: str, hand: str, legal: str) -> None:
    cards = Cards(hand)
    suits = [suit for suit in Suit if suit.letter in led]
    plays = [Card(text) for text in trick.split()]
    bag = Cards(exposed)
    assert legal_cards(
        rules, cards, trick=plays, first_trick=not led, exposed=bag, suits_led=suits, hearts_broken=False
    ) == Cards(legal)
    for card in cards:
        reasons = why_illegal_card(
            rules, cards, card, trick=plays, first_trick=not led, exposed=bag, suits_led=suits, hearts_broken=False
        )
        assert (reasons == ()) == (card in Cards(legal)), card


def test_hearts_discarded_before_leave_a_shown_ace_of_hearts_waiting() -> None:
    hand = Cards("AH 4H 5C")
    told: Any = {"exposed": Cards("AH"), "suits_led": [Suit.CLUBS]}
    legal = legal_cards(rules_of(NOT_BROKEN), hand, first_trick=False, hearts_broken=True, **told)
    assert legal == Cards("4H 5C")


ALL_HEARTS = "2H 3H 4H 5H 6H 7H 8H 9H TH JH QH KH AH"
POINTS = f"{ALL_HEARTS} QS"
SHARED_HEARTS = f"JD 2H/QS/3H/{ALL_HEARTS[6:]}"
QUEEN_25 = "queen_points=25"
TEAMS = "teams=2"
NO_TRICKS = "no_tricks_bonus=5"
EIGHT = "players=8 decks=2"
MARIA = "players=3 removed=2C extra_penalties=KS:10,AS:7 moon=off pass_cycle=hold"
SUN = "sun=yes"
SUN_TEAMS = "teams=2 sun=yes"
SUN_ALONE = f"{SUN_TEAMS} sun_scope=player"
RESETS = "exact_resets=50:0,100:50 target=200"


DOWN = "moon=shooter-down"
EXACT = "target_test=exact-wins"
EXACT_BELOW = f"{EXACT} bonus_target=50 moon=shooter-down"
PLAYERS_END = "teams=2 target=50 target_scope=player"
TWO_BONUSES = "bonuses=TD:5,JD:10"
HEARTS_MOON = "moon=shooter-down moon_cards=hearts"
PAIRED = f"{GONG_ZHU} players=4 decks=2 opening_leader=dealer-left doubler=TC:3:50 moon=off moon_cards=all"
PAIR_REST = f"{POINTS} {ALL_HEARTS} QS".replace(" AH", "")
AUTO_GONG = f"{GONG_ZHU} moon=auto-extend"
BOTH = "moon=both"
PAY = "moon=others-pay"
TO_ZERO = "moon=shooter-to-zero"
WINS = "moon=shooter-wins"
FLOOR = "total_floor=yes moon=shooter-down"
EVERY = "moon_cards=every-card"
SUN_39 = "sun=yes sun_points=39"
FOURFOLD = "moon_factor=4"


# name, rules, captured by seat ("/" between), tricks won, points, totals before if any, effect if any
SCORES = [
    ("HR-9.1 HR-usual.6 hearts and the queen", "", "2H 3H 4H 5H QS/6H 7H/8H 9H TH JH QH KH AH/", "4 4 5 0", "17 2 7 0"),
    ("HR-9.7 HR-usual.6 moon", "", f"{POINTS}///", "12 1 0 0", "0 26 26 26"),
    ("moon, shooter down", "moon=shooter-down", f"{POINTS}///", "12 1 0 0", "-26 0 0 0"),
    ("moon, choice: others up", "moon=choice", f"//{POINTS}/", "0 1 12 0", "26 26 0 26", "", "up"),
    ("moon, choice: shooter down", "moon=choice", f"//{POINTS}/", "0 1 12 0", "0 0 -26 0", "", "down"),
    ("HR-9.11 the shooter has the bonus", OMNIBUS, f"{POINTS} JD///", "12 1 0 0", "-10 26 26 26"),
    ("HR-bonuses.3 another has the bonus", OMNIBUS, f"{POINTS}/JD//", "12 1 0 0", "0 16 26 26"),
    ("HR-9.8 the moon needs the bonus", NEEDS_BONUS, f"{POINTS}/JD//", "12 1 0 0", "26 -10 0 0"),
    ("queen 25, the moon 26", "queen_points=25 moon_points=26", f"/{POINTS}//", "0 12 1 0", "26 0 26 26"),
    ("queen 25 by its value", QUEEN_25, f"/{POINTS}//", "0 12 1 0", "38 0 38 38"),
    ("spot hearts, shooter down", "heart_values=spot queen_points=25 moon=shooter-down", f"/{POINTS}//", "0 12 1 0",
     "0 -129 0 0"),
    ("HR-9.13 no tricks", NO_TRICKS, f"{ALL_HEARTS}/QS//", "11 1 0 1", "13 13 -5 0"),
    ("no tricks on a moon", NO_TRICKS, f"{POINTS}///", "12 0 1 0", "0 21 26 21"),
    ("not on a moon", "no_tricks_bonus=5 no_tricks_bonus_on_moon=no", f"{POINTS}///", "12 0 1 0", "0 26 26 26"),
    ("sun", SUN, "///ALL", "0 0 0 13", "52 52 52 0"),
    ("no sun with twelve tricks", SUN, f"//2C 3C 4C 5C/{POINTS}", "0 0 1 12", "26 26 26 0"),
    ("sun, shooter down", f"{SUN} moon=shooter-down", "///ALL", "0 0 0 13", "0 0 0 -52"),
    ("HR-sun_scope.1 a team's sun", SUN_TEAMS, f"{POINTS}//2C 3C 4C 5C/", "12 0 1 0", "0 52 0 52"),
    ("a team's sun, all tricks by one player", SUN_TEAMS, "ALL///", "13 0 0 0", "0 52 0 52"),
    ("HR-sun_scope.2 one player's sun, the partner wins a trick", SUN_ALONE, f"{POINTS}//2C 3C 4C 5C/", "12 0 1 0",
     "0 26 0 26"),
    ("HR-sun_scope.2 HR-sun_scope.4 one player's sun", SUN_ALONE, "ALL///", "13 0 0 0", "0 52 0 52"),
    ("HR-sun_scope.3 partners may shoot together, and one has won every trick", f"{SUN_ALONE} moon_scope=team",
     "//ALL/", "0 0 13 0", "0 52 0 52"),
    ("partners shoot together, and each has won tricks", f"{SUN_ALONE} moon_scope=team", f"{ALL_HEARTS}//QS/",
     "12 0 1 0", "0 26 0 26"),
    ("every card of a team, taken by both partners", f"{SUN_ALONE} moon_scope=team moon_cards=every-card",
     f"{POINTS}//2C 3C 4C 5C/", "12 0 1 0", "0 26 0 26"),
    ("no floor in reach", TO_TOTAL, SHARED_HEARTS, "1 1 1 10", "-9 13 1 11", "30 0 0 0"),
    ("HR-9.11 floor at the total", TO_TOTAL, SHARED_HEARTS, "1 1 1 10", "-4 13 1 11", "4 0 0 0"),
    ("a floor never raises", TO_TOTAL, SHARED_HEARTS, "1 1 1 10", "1 13 1 11", "-7 0 0 0"),
    ("floor of the deal", TO_DEAL, SHARED_HEARTS, "1 1 1 10", "0 13 1 11", "30 0 0 0"),
    ("two decks, moon", EIGHT, f"{POINTS} {POINTS}///////", "13 0 0 0 0 0 0 0", "0 52 52 52 52 52 52 52"),
    ("one queen of two is not a moon", EIGHT, f"{POINTS} {ALL_HEARTS}/QS//////", "12 1 0 0 0 0 0 0",
     "39 13 0 0 0 0 0 0"),
    ("partners, moon", TEAMS, f"{POINTS}///", "12 1 0 0", "0 26 0 26"),
    ("partners, moon of both", "teams=2 moon_scope=team", f"{ALL_HEARTS}//QS/", "11 1 1 0", "0 26 0 26"),
    ("partners, no moon of one", TEAMS, f"{ALL_HEARTS}//QS/", "11 1 1 0", "13 0 13 0"),
    ("team, most points shoots", "teams=2 moon_scope=team queen_points=12 moon=shooter-down", f"{ALL_HEARTS}//QS/",
     "11 1 1 0", "-25 0 0 0"),
    ("team, a tie: first from the dealer's left", "teams=2 moon_scope=team moon=shooter-down", f"{ALL_HEARTS}//QS/",
     "11 1 1 0", "0 0 -26 0"),
    ("save: no end", "moon=auto-save", f"{POINTS}///", "12 1 0 0", "0 26 26 26", "90 10 20 30"),
    ("save: the end with others lower", "moon=auto-save", f"{POINTS}///", "12 1 0 0", "-26 0 0 0", "90 10 20 80"),
    ("save: the end, and the shooter wins", "moon=auto-save", f"{POINTS}///", "12 1 0 0", "0 26 26 26", "9 10 20 80"),
    ("HR-moon.7 save: a tie goes on", "moon=auto-save", f"{POINTS}///", "12 1 0 0", "0 26 26 26", "90 10 10 80"),
    ("extend: the end", "moon=auto-extend", f"{POINTS}///", "12 1 0 0", "-26 0 0 0", "9 10 20 80"),
    ("extend: no end", "moon=auto-extend", f"{POINTS}///", "12 1 0 0", "0 26 26 26", "9 10 20 30"),
    ("Black Maria", MARIA, "AS KS QS 2H/3H 4H 5H 6H 7H 8H 9H TH JH QH KH AH/", "2 15 0", "31 12 0"),
    ("Gong Zhu, everything", GONG_ZHU, f"{POINTS} JD TC///", "4 3 3 3", "-800 0 0 0"),
    ("Gong Zhu, each has something", GONG_ZHU, f"TC 3H/{ALL_HEARTS.replace('3H ', '')}/JD/QS", "3 4 3 3",
     "0 200 -100 100"),
    ("HR-5.18 the doubler alone", GONG_ZHU, f"TC/{ALL_HEARTS[:-3]}/JD AH/QS", "3 4 3 3", "-50 150 -50 100"),
    ("HR-9.12 HR-5.18 the doubler and a bonus card", GONG_ZHU, f"TC JD/{ALL_HEARTS[:-3]}/AH/QS", "3 4 3 3",
     "-200 150 50 100"),
    ("a factor of three", f"{GONG_ZHU} doubler=TC:3:0", f"TC AH/{ALL_HEARTS[:-3]}/JD/QS", "3 4 3 3",
     "150 150 -100 100"),
    ("HR-doubler.2 two doublers in one pile", PAIRED, f"TC TC AH AH/{PAIR_REST}/JD JD/", "6 14 3 3", "900 500 -200 0"),
    ("two doublers alone", PAIRED, f"TC TC/AH AH {PAIR_REST}/JD JD/", "6 14 3 3", "-100 600 -200 0"),
    ("a doubler each", PAIRED, f"TC AH AH/{PAIR_REST}/TC JD JD/", "6 14 3 3", "300 500 -600 0"),
    ("HR-ruling.13 the doubler under somebody else's moon", f"{GONG_ZHU} moon=others-up", f"{ALL_HEARTS}/TC JD/QS/",
     "4 3 3 3", "0 200 300 200"),
    ("the doubler alone under somebody else's moon", f"{GONG_ZHU} moon=others-up", f"{ALL_HEARTS} JD/TC/QS/", "4 3 3 3",
     "-100 150 300 200"),
    ("HR-doubler.4 HR-doubler.5 HR-ruling.13 a partner's moon does not pass the doubler",
     f"{GONG_ZHU} teams=2 moon_scope=team", f"{ALL_HEARTS}//QS TC/JD", "4 3 3 3", "-300 0 0 -100"),
    ("hearts make a moon without the queen", HEARTS_MOON, f"{ALL_HEARTS}/QS//", "11 1 1 0", "-13 13 0 0"),
    ("HR-moon_cards.4 hearts make a moon with the queen", HEARTS_MOON, f"{POINTS}///", "12 1 0 0", "-26 0 0 0"),
    ("the queen counts on top of the points of a moon of hearts", f"{HEARTS_MOON} moon_points=50", f"{POINTS}///",
     "12 1 0 0", "-63 0 0 0"),
    ("the points of a moon of hearts alone", f"{HEARTS_MOON} moon_points=50", f"{ALL_HEARTS}/QS//", "11 1 1 0",
     "-50 13 0 0"),
    ("the sun doubles the queen on top too", f"{HEARTS_MOON} moon_points=50 sun=yes", "ALL///", "13 0 0 0",
     "-126 0 0 0"),
    ("one queen of two does not count for a moon of hearts", f"{HEARTS_MOON} players=8 decks=2",
     f"{POINTS} {ALL_HEARTS}/QS//////", "12 1 0 0 0 0 0 0", "-13 13 0 0 0 0 0 0"),
    ("both queens of two decks count for a moon of hearts", f"{HEARTS_MOON} players=8 decks=2",
     f"{POINTS} {POINTS}///////", "13 0 0 0 0 0 0 0", "-52 0 0 0 0 0 0 0"),
    ("a team's moon of hearts with the partner's queen", f"{HEARTS_MOON} teams=2 queen_points=12 moon_scope=team",
     f"{ALL_HEARTS}//QS/", "11 1 1 0", "-25 0 0 0"),
    ("one player's moon of hearts, the partner has the queen", f"{HEARTS_MOON} teams=2", f"{ALL_HEARTS}//QS/",
     "11 1 1 0", "-13 0 13 0"),
    ("a moon of hearts takes every heart, of whatever value", f"{HEARTS_MOON} {TWO_FREE}", f"{ALL_HEARTS[3:]} QS/2H//",
     "11 1 1 0", "25 0 0 0"),
    ("Black Maria with a moon of hearts and queen", f"{MARIA} moon=others-up moon_cards=hearts-and-queen",
     f"{POINTS}/AS KS/", "15 2 0", "0 43 26"),
    ("HR-9.10 Black Maria, the shooter has the king too", f"{MARIA} moon=shooter-down moon_cards=hearts-and-queen",
     f"{POINTS} KS/AS/", "15 2 0", "-16 7 0"),
    ("a partner's other penalty card under the own moon", "teams=2 extra_penalties=TD:10 moon_cards=hearts-and-queen",
     f"{POINTS}//TD/", "11 1 1 0", "0 26 10 26"),
    ("HR-9.9 HR-ruling.24 every penalty card is a moon card", "extra_penalties=TD:10", f"{POINTS}//TD/", "11 1 1 0",
     "26 0 10 0"),
    ("the lowest club is a moon card where it costs points", "extra_penalties=2C:5", f"{POINTS}//2C/", "12 0 1 0",
     "26 0 5 0"),
    ("each copy of it is a moon card", f"{EIGHT} extra_penalties=2C:5", f"{POINTS} {POINTS} 2C/2C//////",
     "12 1 0 0 0 0 0 0", "57 5 0 0 0 0 0 0"),
    ("the moon needs both bonus cards", f"{TWO_BONUSES} moon_needs_bonus=yes", f"{POINTS} JD/TD//", "12 1 0 0",
     "16 -5 0 0"),
    ("each bonus card its own points", TWO_BONUSES, f"JD 2H/TD 3H/{POINTS[6:]}/", "1 1 11 0", "-9 -4 24 0"),
    ("the floor is for all bonuses together", f"{TWO_BONUSES} bonus_floor=total", f"JD TD 3H/2H/{POINTS[6:]}/",
     "1 1 11 0", "-8 1 24 0", "8 0 0 0"),
    ("HR-ruling.12 the floor is met by all bonuses together", f"{TWO_BONUSES} bonus_floor=total",
     f"JD TD 3H 4H 5H 6H 7H 8H/2H/{POINTS[21:]}/", "2 1 10 0", "-8 1 19 0", "8 0 0 0"),
    ("HR-moon.7 an automatic moon looks at the doubler", AUTO_GONG, f"{ALL_HEARTS}/TC JD/QS/", "4 3 3 3",
     "-200 -200 100 0", "0 800 0 0"),
    ("an automatic moon without an end", AUTO_GONG, f"{ALL_HEARTS}/TC JD/QS/", "4 3 3 3", "0 200 300 200", "0 799 0 0"),
    ("HR-ruling.16 an automatic moon looks at the bonus target", f"{OMNIBUS} moon=auto-extend bonus_target=60",
     f"{POINTS} JD///", "12 1 0 0", "-36 0 0 0", "-50 0 0 0"),
    ("HR-target_scope.3 HR-ruling.10 save: sides are compared even where each player's total ends the game",
     "teams=2 target_scope=player moon=auto-save", f"{POINTS}///", "12 1 0 0", "0 26 0 26", "80 75 0 0"),
    ("extend: a player ends the game, no team does", "teams=2 target_scope=player moon=auto-extend", f"{POINTS}///",
     "12 1 0 0", "-26 0 0 0", "0 80 0 -80"),
    ("HR-moon.4 save: another side would hit the target exactly", f"{EXACT} moon=auto-save", f"{POINTS}///", "12 1 0 0",
     "-26 0 0 0", "10 74 40 40"),
    ("save: the shooter is exactly at the target after an extra deal", f"{EXACT} moon=auto-save", f"{POINTS}///",
     "12 1 0 0", "0 26 26 26", "100 80 40 100"),
    ("HR-moon.8 both", BOTH, f"{POINTS}///", "12 1 0 0", "-26 26 26 26"),
    ("both, partners: only the shooter goes down", f"{BOTH} teams=2", f"{POINTS}///", "12 1 0 0", "-26 26 0 26"),
    ("both, a sun", f"{BOTH} sun=yes", "ALL///", "13 0 0 0", "-52 52 52 52"),
    ("HR-moon.9 the others pay", PAY, f"{POINTS}///", "12 1 0 0", "-78 26 26 26"),
    ("HR-moon.9 the others pay, partners do not", f"{PAY} teams=2", f"{POINTS}///", "12 1 0 0", "-52 26 0 26"),
    ("the others pay a sun of its own value", f"{PAY} sun=yes sun_points=39", "ALL///", "13 0 0 0", "-117 39 39 39"),
    ("who pays may have a bonus card", f"{OMNIBUS} moon=others-pay", f"{POINTS}/JD//", "12 1 0 0", "-78 16 26 26"),
    ("the others pay, and one doubles", f"{PAY} doubler=TC:3:50 moon_cards=hearts bonuses=JD:10",
     f"{ALL_HEARTS}/TC JD/QS/", "4 3 3 3", "-39 9 26 13"),
    ("a floor of the deal lets the moon through", f"{TO_DEAL} moon=others-pay", f"{POINTS} JD///", "12 1 0 0",
     "-78 26 26 26"),
    ("HR-moon.10 HR-9.16 to 0", TO_ZERO, f"{POINTS}///", "12 1 0 0", "-60 0 0 0", "60 10 20 30"),
    ("to 0 from 0", TO_ZERO, f"{POINTS}///", "12 1 0 0", "0 0 0 0"),
    ("HR-moon.12 a total below 0 is not raised", TO_ZERO, f"{POINTS}///", "12 1 0 0", "0 0 0 0", "-9 10 20 30"),
    ("to 0, and the bonus goes below", f"{OMNIBUS} moon=shooter-to-zero", f"{POINTS} JD///", "12 1 0 0", "-10 0 0 0",
     "4 0 0 0"),
    ("to 0 whatever the bonus", f"{OMNIBUS} moon=shooter-to-zero", f"{POINTS} JD///", "12 1 0 0", "-40 0 0 0",
     "40 0 0 0"),
    ("to 0 whatever the shooter's other penalty cards cost",
     "moon=shooter-to-zero extra_penalties=TD:10 moon_cards=hearts-and-queen", f"{POINTS} TD///", "12 1 0 0",
     "-40 0 0 0", "40 0 0 0"),
    ("to 0, no doubler multiplies it", "moon=shooter-to-zero doubler=TC:3:0", f"{POINTS} TC///", "12 1 0 0",
     "-40 0 0 0", "40 0 0 0"),
    ("to 0, a partner's total stays", f"{TO_ZERO} teams=2", f"{POINTS}///", "12 1 0 0", "-60 0 0 0", "60 10 50 30"),
    ("to 0, the team's shooter has most points", f"{TO_ZERO} teams=2 moon_scope=team queen_points=12",
     f"{ALL_HEARTS}//QS/", "11 1 1 0", "-60 0 0 0", "60 10 50 30"),
    ("HR-moon.11 a moon that wins adds to the others", WINS, f"{POINTS}///", "12 1 0 0", "0 26 26 26", "60 10 20 30"),
    ("HR-moon_cards.6 every penalty card is not every card", EVERY, f"{POINTS}///", "12 1 0 0", "26 0 0 0"),
    ("HR-moon_cards.6 every card is a moon", EVERY, "ALL///", "13 0 0 0", "0 26 26 26"),
    ("every card, each copy", f"{EIGHT} moon_cards=every-card", "ALL///////", "13 0 0 0 0 0 0 0",
     "0 52 52 52 52 52 52 52"),
    ("every card of a team", f"{EVERY} teams=2 moon_scope=team", f"{POINTS}///", "10 0 3 0", "0 26 0 26"),
    ("a sun alone", f"{EVERY} sun=yes sun_points=39 moon=both", "ALL///", "13 0 0 0", "-39 39 39 39"),
    ("a sun of its own value", SUN_39, "///ALL", "0 0 0 13", "39 39 39 0"),
    ("no sun, so the moon's value", SUN_39, f"//2C 3C 4C 5C/{POINTS}", "0 0 1 12", "26 26 26 0"),
    ("a sun of a value below the moon's", f"{SUN_39} sun_points=10", "///ALL", "0 0 0 13", "10 10 10 0"),
    ("HR-moon_factor.1 four times the moon", FOURFOLD, f"{POINTS}///", "12 1 0 0", "0 104 104 104"),
    ("HR-moon_factor.1 four times its points", f"{FOURFOLD} moon_points=30", f"{POINTS}///", "12 1 0 0",
     "0 120 120 120"),
    ("HR-moon_factor.2 four times the queen too", f"{HEARTS_MOON} moon_points=50 moon_factor=4", f"{POINTS}///",
     "12 1 0 0", "-252 0 0 0"),
    ("the sun doubles what was multiplied", f"{FOURFOLD} sun=yes", "ALL///", "13 0 0 0", "0 208 208 208"),
    ("HR-sun_points.2 nothing multiplies the sun's own value", f"{SUN_39} moon_factor=4", "ALL///", "13 0 0 0",
     "0 39 39 39"),
    ("save: the end with others lower, four times", "moon=auto-save moon_factor=4", f"{POINTS}///", "12 1 0 0",
     "0 104 104 104", "90 10 20 0"),
    ("extend: four times the moon would end it", "moon=auto-extend moon_factor=4", f"{POINTS}///", "12 1 0 0",
     "-104 0 0 0", "9 10 20 0"),
    ("HR-total_floor.1 a moon stops at 0", FLOOR, f"{POINTS}///", "12 1 0 0", "-10 0 0 0", "10 3 9 0"),
    ("HR-total_floor.1 bonus cards stop at 0", f"{OMNIBUS} total_floor=yes", SHARED_HEARTS, "1 1 1 10", "-4 13 1 11",
     "4 0 0 0"),
    ("HR-total_floor.2 HR-9.16 no tricks stop at 0", f"{NO_TRICKS} total_floor=yes", f"{ALL_HEARTS}/QS//", "11 1 0 1",
     "13 13 -3 0", "0 0 3 0"),
    ("a doubler alone stops at 0", f"{GONG_ZHU} bonus_target=none total_floor=yes", f"TC/{ALL_HEARTS[:-3]}/JD AH/QS",
     "3 4 3 3", "-20 150 -50 100", "20 0 70 0"),
    ("the floor of the deal comes before", f"{TO_DEAL} total_floor=yes no_tricks_bonus=5",
     f"QS JD 2H/{ALL_HEARTS[3:]}//", "4 8 0 1", "4 12 -3 0", "9 9 3 0"),
    ("HR-total_floor.4 a total below 0 is lowered no further", FLOOR, f"{POINTS}///", "12 1 0 0", "0 0 0 0",
     "-7 3 9 0"),
    ("a total below 0 rises with what is added", FLOOR, f"QS/{ALL_HEARTS}//", "5 8 0 0", "13 13 0 0", "-7 3 9 0"),
    ("HR-total_floor.3 each partner has a floor", f"{FLOOR} teams=2", f"{POINTS}///", "12 1 0 0", "-10 0 0 0",
     "10 3 90 0"),
    ("to 0, and no lower", f"{OMNIBUS} moon=shooter-to-zero total_floor=yes", f"{POINTS} JD///", "12 1 0 0", "-4 0 0 0",
     "4 0 0 0"),
    ("the others pay down to 0", f"{PAY} total_floor=yes", f"{POINTS}///", "12 1 0 0", "-50 26 26 26", "50 0 0 0"),
    ("extend: the floor changes nothing of what would end", f"{FLOOR} moon=auto-extend", f"{POINTS}///", "12 1 0 0",
     "-9 0 0 0", "9 10 20 80"),
    ("HR-8.6 HR-ruling.23 nobody captures an untaken kitty's heart", "decks=2 kitty=last-trick hand_size=25",
     f"{POINTS} {POINTS.replace('2H ', '')}///", "24 0 0 0", "51 0 0 0"),
]  # fmt: skip


MOON_26 = "exposable=QS,AH moon_points=26"
FROM_ACES = "exposable=QS,AH"
TREND = "exposable=AH doubler=TC:2:0 moon=shooter-down moon_factor=4"
TOTAL_JACK = f"{TO_TOTAL} exposable=JD"

# name, rules, the shown cards, captured by seat, tricks won, points, totals before if any
SHOWN_SCORES = [
    ("HR-2a.6 HR-9.2 HR-9.3 HR-9.6 S31", f"{SHOWN} bonuses=none exposable=TC,QS,AH", "QS TC AH",
     f"QS TC AH/{ALL_HEARTS[:-3]}//", "3 4 3 3", "1200 300 0 0"),
    ("S31, with the jack", SHOWN, "QS TC AH", f"QS TC AH/{ALL_HEARTS[:-3]}//JD", "3 4 3 3", "1200 300 0 -100"),
    ("S33, with a moon beside it", SHOWN, "TC", f"TC/{ALL_HEARTS}/JD/QS", "3 4 3 3", "-100 -200 -100 100"),
    ("the doubler alone and a bonus were shown", SHOWN, "TC JD", "TC/2H 3H 4H 5H/6H 7H 8H 9H TH JH QH KH AH/QS JD",
     "3 4 3 3", "-100 10 190 -100"),
    ("S33", SHOWN, "TC", f"TC/{ALL_HEARTS[:-3]}/JD AH/QS", "3 4 3 3", "-100 150 -50 100"),
    ("a shown card doubles for its taker, whoever showed it", SHOWN, "QS", f"{ALL_HEARTS[:-3]}/QS/AH JD/TC", "4 3 3 3",
     "150 200 -50 -50"),
    ("a shown heart doubles no queen", FROM_ACES, "AH", f"QS/{ALL_HEARTS}//", "3 4 3 3", "13 26 0 0"),
    ("HR-9.3 HR-ruling.28 a shown heart doubles what it costs besides", "exposable=AH extra_penalties=5H:5", "AH",
     f"5H/QS/{ALL_HEARTS.replace('5H ', '')}/", "3 3 4 3", "12 13 24 0"),
    ("a heart worth nothing doubles the others", f"exposable=2H {TWO_FREE}", "2H", f"2H/QS/{ALL_HEARTS[3:]}/",
     "3 3 4 3", "0 13 24 0"),
    ("a shown penalty card of another suit", f"{MARIA} exposable=KS", "KS",
     "AS KS QS 2H/3H 4H 5H 6H 7H 8H 9H TH JH QH KH AH/", "2 15 0", "41 12 0"),
    ("a shown queen that costs more", "exposable=QS extra_penalties=QS:5", "QS", f"QS/{ALL_HEARTS}//", "3 4 3 3",
     "36 13 0 0"),
    ("HR-9.4 HR-ruling.28 a moon of all its doubled cards", FROM_ACES, "QS", f"{POINTS}///", "12 1 0 0", "0 39 39 39"),
    ("HR-9.4 HR-ruling.28 a moon of a fixed figure", MOON_26, "QS AH", f"{POINTS}///", "12 1 0 0", "0 26 26 26"),
    ("the sun doubles what is doubled", f"{FROM_ACES} sun=yes", "AH", "ALL///", "13 0 0 0", "0 78 78 78"),
    ("a moon of hearts leaves a shown queen to her taker", f"{HEARTS_MOON} exposable=QS,AH", "QS AH",
     f"{ALL_HEARTS}/QS//", "11 1 1 0", "-26 26 0 0"),
    ("the partner with the shown queen has shot the moon",
     "teams=2 moon_scope=team queen_points=12 exposable=QS moon=shooter-down", "QS", f"{ALL_HEARTS}//QS/", "11 1 1 0",
     "0 0 -37 0"),
    ("a doubled moon would end the game", "moon=auto-extend exposable=QS,AH", "AH", f"{POINTS}///", "12 1 0 0",
     "-39 0 0 0", "0 70 0 0"),
    ("a moon that nobody doubled would not", "moon=auto-extend exposable=QS,AH", "", f"{POINTS}///", "12 1 0 0",
     "0 26 26 26", "0 70 0 0"),
    ("the floor holds the doubled bonus", TOTAL_JACK, "JD", SHARED_HEARTS, "1 1 1 10", "-12 13 1 11", "12 0 0 0"),
    ("the floor of the deal holds the doubled bonus", f"{TO_DEAL} exposable=JD", "JD", f"JD {ALL_HEARTS}/QS//",
     "4 3 3 3", "0 13 0 0"),
    ("HR-9.5 the doubled bonus where there is no floor", f"{OMNIBUS} exposable=JD", "JD", SHARED_HEARTS, "1 1 1 10",
     "-19 13 1 11"),
    ("one bonus card of two was shown", f"{TWO_BONUSES} exposable=TD,JD", "TD", f"JD TD/QS/{ALL_HEARTS}/", "3 3 4 3",
     "-20 13 13 0"),
    ("the doubled bonus of a shooter", f"{NEEDS_BONUS} exposable=JD", "JD", f"{POINTS} JD///", "12 1 0 0",
     "-20 26 26 26"),
    ("a shown doubler of three", f"{SHOWN} doubler=TC:3:0", "TC", f"TC AH/{ALL_HEARTS[:-3]}/JD/QS", "3 4 3 3",
     "300 150 -100 100"),
    ("a shown doubler alone that costs nothing", f"{SHOWN} doubler=TC:2:0", "TC", f"TC/{ALL_HEARTS[:-3]}/JD AH/QS",
     "3 4 3 3", "0 150 -50 100"),
    ("a shown doubler multiplies a bonus alone", SHOWN, "TC", f"TC JD/{ALL_HEARTS[:-3]}/AH/QS", "3 4 3 3",
     "-400 150 50 100"),
    ("no trick is worth no more", f"{NO_TRICKS} exposable=AH", "AH", f"{ALL_HEARTS}/QS//", "11 1 0 1", "26 13 -5 0"),
    ("HR-moon_factor.1 four times what is doubled", TREND, "AH", f"{POINTS}/TC//", "12 1 0 0", "-156 0 0 0"),
    ("four times what is doubled, and the doubler", TREND, "AH", f"{POINTS} TC///", "12 1 0 0", "-312 0 0 0"),
    ("four times a fixed figure that nothing doubles", f"{MOON_26} moon_factor=4", "QS AH", f"{POINTS}///", "12 1 0 0",
     "0 104 104 104"),
    ("HR-sun_points.2 a shown card does not double the sun's own value", f"{FROM_ACES} sun=yes sun_points=39", "AH",
     "ALL///", "13 0 0 0", "0 39 39 39"),
    ("the others pay what is doubled", f"{FROM_ACES} moon=others-pay", "QS", f"{POINTS}///", "12 1 0 0",
     "-117 39 39 39"),
    ("the floor of totals holds the doubled bonus", f"{OMNIBUS} exposable=JD total_floor=yes", "JD", SHARED_HEARTS,
     "1 1 1 10", "-12 13 1 11", "12 0 0 0"),
    ("a heart that could have been shown", FROM_ACES, "", f"QS/{ALL_HEARTS}//", "3 4 3 3", "13 13 0 0"),
]  # fmt: skip


@pytest.mark.parametrize("owner", [0, -1])
@named("rules exposed captured won points totals", SHOWN_SCORES)
def test_score_of_exposed_cards(
    rules: Rules, exposed: str, captured: str, won: str, points: str, totals: str, owner: int
) -> None:
    tricks = [int(word) for word in won.split()]
    bags = [Cards()] * rules.players
    bags[owner] = Cards(exposed)
    before = [int(word) for word in totals.split()] or [0] * rules.players
    score = score_deal(rules, piles(rules, captured, tricks), tricks, before, deal_number=0, exposed=bags)
    assert score.points == tuple(int(word) for word in points.split())
    assert score.exposed == tuple(bags)


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


@named("rules captured won points totals effect", SCORES)
def test_score_deal(rules: Rules, captured: str, won: str, points: str, totals: str, effect: str) -> None:
    tricks = [int(word) for word in won.split()]
    score = score_deal(
        rules,
        piles(rules, captured, tricks),
        tricks,
        [int(word) for word in totals.split()] or [0] * rules.players,
        {"": None, "up": Moon.OTHERS_UP, "down": Moon.SHOOTER_DOWN}[effect],
        deal_number=0,
        exposed=(),
    )
    assert score.points == tuple(int(word) for word in points.split())


# name, rules, totals before, points by captured piles, totals after
RESET_CASES = [
    ("HR-9.15 lands on 100", RESETS, "87 0 0 0", f"QS/{ALL_HEARTS}//", "50 13 0 0"),
    ("lands on 50", RESETS, "37 0 0 0", f"QS/{ALL_HEARTS}//", "0 13 0 0"),
    ("HR-ruling.18 once, not again from 50", RESETS, "87 50 0 0", f"QS//{ALL_HEARTS}/", "50 50 13 0"),
    ("HR-9.14 passes 100", RESETS, "88 0 0 0", f"QS/{ALL_HEARTS}//", "101 13 0 0"),
    ("HR-total_floor.5 a reset stops at the floor", "exact_resets=13:-20 total_floor=yes", "0 9 0 0",
     f"QS/{ALL_HEARTS}//", "0 22 0 0"),
    ("the floor is met, and 0 is reset to nothing lower", "exact_resets=0:-20 total_floor=yes no_tricks_bonus=5",
     "0 9 0 3", f"QS/{ALL_HEARTS}//", "13 22 0 0"),
    ("a moon takes a total to 0, which is reset", "exact_resets=0:-20 moon=shooter-to-zero", "60 9 0 3", f"{POINTS}///",
     "-20 9 0 3"),
]  # fmt: skip


@named("rules before captured after", RESET_CASES)
def test_exact_resets(rules: Rules, before: str, captured: str, after: str) -> None:
    totals = [int(word) for word in before.split()]
    score = score_deal(rules, piles(rules, captured, (5, 4, 4, 0)), (5, 4, 4, 0), totals)
    assert score.totals == tuple(int(word) for word in after.split())


SHORT = "pass_cycle=hold opening_leader=dealer-left opening_card=any"
ONE_CARD_DEAL = Deal([Cards("AH"), Cards("KH"), Cards("QH"), Cards("JH")])
"""A deal in which seat 0 takes every heart, if seat 0 leads or the highest card is its own."""


def finish(rules: Rules, totals_wanted: tuple[int, ...], sheet: ScoreSheet | None = None) -> GameOver | AwaitingDeal:
    """Play one deal of one card each, after which the totals are `totals_wanted`."""
    start = new_game(rules) if sheet is None else AwaitingDeal(rules, sheet, None)
    state = apply(start, ONE_CARD_DEAL)
    for _ in range(4):
        assert isinstance(state, Playing)
        state = apply(state, legal_moves(state)[0])
    assert isinstance(state, (GameOver, AwaitingDeal))
    assert state.scores == totals_wanted
    return state


def short_rules(value: int, text: str = "tie=shared") -> Rules:
    """Hands of one heart each; whoever holds the ace takes them all, `value` points."""
    base = f"heart_values={'0,' * 12}{value} queen_points=0 moon=off {SHORT}"
    return rules_of(text, base, deck="AH KH QH JH")


@pytest.mark.parametrize(
    ("test", "value", "over"),
    [("reached", 99, False), ("reached", 100, True), ("exceeded", 100, False), ("exceeded", 101, True)],
)
def test_the_target(test: str, value: int, over: bool) -> None:
    state = finish(short_rules(value, f"tie=shared target_test={test}"), (value, 0, 0, 0))
    assert isinstance(state, GameOver) is over


def test_a_total_that_stays_at_the_target_wins_after_an_extra_deal() -> None:
    """HR-target_test.6."""
    rules = short_rules(13, "target_test=exact-wins")
    state = finish(rules, (113, 100, 20, 0), ScoreSheet((100, 100, 20, 0), 1))
    assert isinstance(state, GameOver)
    assert state.winners == (1,)


def test_a_tie_for_the_lowest_total() -> None:
    """HR-10.8."""
    shared = finish(short_rules(102), (102, 0, 0, 0))
    assert isinstance(shared, GameOver)
    assert shared.winners == (1, 2, 3)
    extra = finish(short_rules(102, ""), (102, 0, 0, 0))
    assert isinstance(extra, AwaitingDeal)
    assert extra.deal_number == 1


@pytest.mark.parametrize(("value", "over"), [(100, False), (101, True)])
def test_negative_score_display(value: int, over: bool) -> None:
    rules = short_rules(value, "tie=shared target_test=exceeded score_display=negative")
    state = finish(rules, (value, 0, 0, 0))
    assert display_score(rules, state.scores[0]) == -value
    assert isinstance(state, GameOver) is over
    assert [standing.seats for standing in standings(rules, (101, 20, 6, 4))] == [(3,), (2,), (1,), (0,)]


def test_skip_passes_over_those_who_decline() -> None:
    """HR-2.6."""
    rules = rules_of("pass_cycle=A3 pass_optional=skip")
    start = new_game(rules)
    hands = [Cards(card for card in rules.deck if card.index % 4 == seat) for seat in range(4)]
    state = apply(start, Deal(hands))
    gifts = {seat: Cards(list(hands[seat])[:3]) for seat in (0, 1, 2)}
    for seat in range(4):
        assert isinstance(state, Passing)
        state = apply(state, Pass(seat, *(gifts[seat],) if seat in gifts else ()))
    assert isinstance(state, Playing)
    assert state.hands[0] == hands[0] - gifts[0] + gifts[2]
    assert state.hands[2] == hands[2] - gifts[2] + gifts[0]
    assert state.hands[1] == hands[1]
    assert state.hands[3] == hands[3]
    assert state.passed == (gifts[0], Cards(), gifts[2], Cards())
    assert state.received == (gifts[2], Cards(), gifts[0], Cards())


# rules, totals, deals played, the winners ("-": another deal follows)
ENDS = [
    ("HR-10.2 HR-10.5 HR-10.7 HR-target_scope.2 HR-ruling.10 Leekha: a player ends the game and loses it for both",
     LEEKHA, "101 0 20 60", "1 3"),
    ("HR-10.2 no player reaches 50, the team has 51", PLAYERS_END, "30 0 21 0", "-"),
    ("HR-10.3 Gong Zhu: a total a thousand below nothing", GONG_ZHU, "-1000 200 300 500", "0"),
    ("Gong Zhu: not quite a thousand below nothing", GONG_ZHU, "-999 200 300 500", "-"),
    ("HR-bonus_target.2 a bonus target that must be exceeded", f"{GONG_ZHU} target_test=exceeded", "-1000 200 300 500",
     "-"),
    ("a bonus target that is exceeded", f"{GONG_ZHU} target_test=exceeded", "-1001 200 300 500", "0"),
    ("no bonus target", f"{GONG_ZHU} bonus_target=none", "-1000 200 300 500", "-"),
    ("HR-ruling.10 a player's bonus target, the team is not below nothing",
     f"{PLAYERS_END} bonus_target=20 moon=shooter-down", "-20 0 30 0", "1 3"),
    ("a team's bonus target, a player is below it", "teams=2 bonus_target=20 moon=shooter-down", "-20 0 30 0", "-"),
    ("a team's bonus target, no player is below it", "teams=2 bonus_target=20 moon=shooter-down", "-10 0 -10 0", "0 2"),
    ("HR-target_test.2 HR-10.10 exactly the target wins", EXACT, "20 100 30 40", "1"),
    ("a total past the target, and none is exact", EXACT, "20 101 30 40", "0"),
    ("HR-target_test.3 exactly the target wins where another is past it", EXACT, "20 100 113 40", "1"),
    ("HR-target_test.3 exactly the target wins in the last deal", f"{EXACT} max_deals=3", "20 100 30 40", "1"),
    ("the last deal, and no total is exact", f"{EXACT} max_deals=3", "20 99 30 40", "0"),
    ("HR-target_test.3 exactly the target wins where another is far below nothing", EXACT_BELOW, "100 -50 30 40", "0"),
    ("HR-target_test.5 HR-tie.1 two exact totals: an extra deal", EXACT, "100 20 30 100", "-"),
    ("HR-target_test.5 HR-tie.2 two exact totals: both win", f"{EXACT} tie=shared", "100 20 30 100", "0 3"),
    ("the lowest total is shared, and one is exact", EXACT, "20 20 30 100", "3"),
    ("HR-target_test.5 two players' exact totals: the lower total of a side wins",
     f"{EXACT} teams=2 target_scope=player", "100 100 20 10", "1 3"),
    ("a player's exact total wins for the team", f"{EXACT} teams=2 target_scope=player", "100 20 20 10", "0 2"),
    ("a team's exact total", f"{EXACT} teams=2", "60 20 40 10", "0 2"),
    ("a player's exact total is not the team's", f"{EXACT} teams=2", "100 20 40 10", "1 3"),
    ("HR-target_test.7 the bonus target is reached", EXACT_BELOW, "20 -50 30 40", "1"),
    ("HR-target_test.7 exactly the bonus target wins nothing by itself", EXACT_BELOW, "20 -50 30 -60", "3"),
    ("no target, so no total is exact", f"{EXACT} target=none max_deals=3", "20 0 100 40", "1"),
]  # fmt: skip


@named("rules totals winners", ENDS)
def test_the_end(rules: Rules, totals: str, winners: str) -> None:
    expected = None if winners == "-" else tuple(int(word) for word in winners.split())
    assert game_winners(rules._resolved, [int(word) for word in totals.split()], 3) == expected


# rules, totals, the shooter, the winners
WON_BY_THE_MOON = [
    ("HR-moon.11 HR-10.9 whatever the totals", WINS, "90 10 20 30", 0, "0"),
    ("with all partners", f"{WINS} teams=2", "90 10 20 30", 3, "1 3"),
    ("though the target is passed", WINS, "190 10 20 30", 0, "0"),
    ("though the lowest total is shared, which would mean an extra deal", WINS, "190 10 10 30", 3, "3"),
    ("though the last deal was played", f"{WINS} max_deals=3", "90 10 20 30", 0, "0"),
    ("another moon ends nothing", "", "90 10 20 30", 0, "-"),
    ("HR-target_test.4 before a total of exactly the target", f"{WINS} target_test=exact-wins", "90 100 20 30", 0, "0"),
]  # fmt: skip


@named("rules totals shooter winners", WON_BY_THE_MOON)
def test_a_moon_that_wins(rules: Rules, totals: str, shooter: int, winners: str) -> None:
    expected = None if winners == "-" else tuple(int(word) for word in winners.split())
    assert game_winners(rules._resolved, [int(word) for word in totals.split()], 3, shooter) == expected


def test_a_game_ends_with_the_moon_that_wins_it() -> None:
    """HR-moon.11 HR-10.9."""
    rules = short_rules(13, "tie=shared moon=shooter-wins")
    state = finish(rules, (0, 13, 13, 13))
    assert isinstance(state, GameOver)
    assert state.winners == (0,)
    assert state.score_sheet[-1].effect is Moon.SHOOTER_WINS


def test_the_shooter_chooses() -> None:
    rules = rules_of("moon=choice target=10", SHORT, deck="AH KH QH JH")
    state = apply(new_game(rules), ONE_CARD_DEAL)
    for _ in range(4):
        state = apply(state, legal_moves(state)[0])
    assert isinstance(state, ChoosingMoon)
    assert state.shooter == 0
    assert legal_moves(state) == (ChooseMoon(0, Moon.OTHERS_UP), ChooseMoon(0, Moon.SHOOTER_DOWN))
    assert state.others_up.points == (0, 4, 4, 4)
    assert state.shooter_down.points == (-4, 0, 0, 0)
    for move, score in zip(legal_moves(state), (state.others_up, state.shooter_down), strict=True):
        after = apply(state, move)
        assert after.score_sheet.rows == (score,)
        assert after.scores == score.points


# How the queen breaks hearts: name, option, the trick that holds the queen, whether hearts are broken after it
BREAKS = [
    ("never", "never", "QS 2S", False),
    ("HR-6.3 HR-ruling.2 led, when led", "led", "QS 2S", True),
    ("led, when followed", "led", "2S QS", False),
    ("led, when discarded", "led", "2D QS", False),
    ("discarded, when led", "discarded", "QS 2S", False),
    ("discarded, when followed", "discarded", "2S QS", False),
    ("discarded, when discarded", "discarded", "2D QS", True),
    ("played, when led", "played", "QS 2S", True),
    ("played, when followed", "played", "2S QS", True),
    ("played, when discarded", "played", "2D QS", True),
    ("HR-6.1 HR-6.4 HR-usual.5 a heart discarded", "never", "2D 2H", True),
]


@named("option cards broken", BREAKS)
def test_breaking_hearts_counts_at_once(option: str, cards: str, broken: bool) -> None:
    first, second = (Card(text) for text in cards.split())
    others = [card for card in Rules().deck if card.suit.letter not in "SDC" and card not in (first, second)]
    deck = " ".join(map(str, Cards([first, second, Card("QS"), *others[:3]])))
    text = f"hand_size=1 kitty=first-trick queen_breaks={option} moon=off {SHORT}"
    rules = rules_of(text, deck=deck)
    north, west, *kitty = rules.deck - Cards([first, second])
    hands = [Cards([north]), Cards([first]), Cards([second]), Cards([west])]
    state = apply(new_game(rules), Deal(hands, Cards(kitty)))
    state = apply(apply(state, Play(1, first)), Play(2, second))
    assert isinstance(state, Playing)
    assert state.hearts_broken is broken


# How hearts break hearts: name, options, the plays so far, whether hearts are broken after them
HEARTS = [
    ("HR-6.2 by discards only, led", "discarded", "never", "2H", False),
    ("by discards only, followed", "discarded", "never", "2H 3H", False),
    ("by discards only, discarded", "discarded", "never", "2D 3H", True),
    ("by discards only, the queen led", "discarded", "led", "QS", True),
    ("by discards only, the queen followed", "discarded", "played", "2S QS", True),
    ("HR-hearts_break.4 not led, led", "not-led", "never", "2H", False),
    ("HR-hearts_break.4 not led, followed", "not-led", "never", "2H 3H", True),
    ("not led, discarded", "not-led", "never", "2D 3H", True),
    ("HR-hearts_break.5 never, led", "never", "played", "2H", False),
    ("HR-hearts_break.5 never, followed", "never", "played", "2H 3H", False),
    ("HR-hearts_break.5 never, discarded", "never", "played", "2D 3H", False),
    ("HR-hearts_break.6 never, the queen led", "never", "played", "QS", True),
    ("HR-hearts_break.6 never, the queen discarded", "never", "played", "2D QS", True),
    ("played, led", "played", "never", "2H", True),
    ("played, discarded", "played", "never", "2D 3H", True),
]


@named("hearts queen cards broken", HEARTS)
def test_how_a_heart_breaks_hearts(hearts: str, queen: str, cards: str, broken: bool) -> None:
    plays = [Card(text) for text in cards.split()]
    rules = rules_of(
        f"hand_size=1 kitty=first-trick hearts_break={hearts} queen_breaks={queen} pass_cycle=hold first_dealer=3 "
        "opening_leader=dealer-left opening_card=unrestricted first_trick=free",
        deck="QS 2S 2D 2H 3H",
    )
    hands = [Cards([card]) for card in (*plays, *(rules.deck - Cards(plays)))][:4]
    state = apply(new_game(rules), Deal(hands, rules.deck - sum(hands, Cards())))
    for seat, card in enumerate(plays):
        state = apply(state, Play(seat, card))
    assert isinstance(state, Playing)
    assert state.hearts_broken is broken


@pytest.mark.parametrize(("option", "legal"), [("discarded", "5C"), ("played", "5C 9H")])
def test_hearts_led_and_followed_break_no_hearts_that_only_discards_break(option: str, legal: str) -> None:
    """HR-hearts_break.3."""
    rules = rules_of(f"hearts_break={option}", SHORT, deck="2H 3H 4H 5C 9H TH 6H 6C 6D 7H 7C 7D")
    state = apply(new_game(rules), Deal([Cards("7H 7C 7D"), Cards("2H 3H 4H"), Cards("5C 9H TH"), Cards("6H 6C 6D")]))
    for seat, card in ((1, "2H"), (2, "TH"), (3, "6H"), (0, "7H")):
        state = apply(state, Play(seat, Card(card)))
    assert isinstance(state, Playing)
    assert state.turn == 2
    assert Cards(move.card for move in legal_moves(state) if isinstance(move, Play)) == Cards(legal)


def test_who_opens_under_the_queen_taker() -> None:
    """HR-3.2 HR-opening_leader.3 HR-opening_leader.4 HR-ruling.31: three players, and a card that nobody takes."""
    rules = rules_of(
        "players=3 hand_size=1 kitty=first-heart pass_cycle=hold opening_leader=queen-taker opening_card=unrestricted "
        "moon=off",
        deck="2S 5S QS KS",
    )
    state: State = new_game(rules)
    seen = []
    # In the first deal the queen lies in the kitty, so that nobody takes it. In the second the king takes it, and in
    # the third the queen wins herself, while somebody else holds the two.
    for hands, kitty in (("KS 5S 2S", "QS"), ("5S KS QS", "2S"), ("2S 5S QS", "KS"), ("2S KS 5S", "QS")):
        state = apply(state, Deal([Cards(hand) for hand in hands.split()], Cards(kitty)))
        assert isinstance(state, Playing)
        seen.append(state.turn)
        for _ in range(3):
            state = apply(state, legal_moves(state)[0])
    assert seen == [2, 0, 1, 2]
    assert [row.queen_taker for row in state.score_sheet] == [None, 1, 2, None]


def test_of_two_lowest_spades_the_one_nearer_to_the_dealers_left_opens() -> None:
    """HR-opening_leader.5."""
    text = "decks=2 pass_cycle=hold opening_leader=queen-taker opening_card=unrestricted"
    for dealer, opener in ((0, 1), (1, 3), (2, 3), (3, 1)):
        rules = rules_of(f"{text} first_dealer={dealer}", deck="2S 2S QS KS 2C 3C 4C 5C")
        state = apply(new_game(rules), Deal([Cards("QS 2C"), Cards("2S 3C"), Cards("KS 4C"), Cards("2S 5C")]))
        assert isinstance(state, Playing)
        assert state.turn == opener
