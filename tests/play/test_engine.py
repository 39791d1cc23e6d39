"""What is refused in each phase, with its reasons in order; wrong types; the order of legal moves; to_act."""

from __future__ import annotations

import pickle
import re
from collections.abc import Callable
from typing import Any, get_args

import pytest

from heartsrules import (
    AwaitingDeal,
    Card,
    Cards,
    ChooseMoon,
    ChoosingMoon,
    Deal,
    GameOver,
    HeartsError,
    IllegalMove,
    InvalidSeat,
    Move,
    Pass,
    Passing,
    Phase,
    Play,
    Playing,
    Rules,
    ScoreSheet,
    State,
    Suit,
    Violation,
    apply,
    deal,
    is_legal,
    legal_cards,
    legal_moves,
    new_game,
    to_act,
    view,
    why_illegal,
    why_illegal_card,
)
from heartsrules.analysis.playout import playout
from heartsrules.chance import RandomStream
from heartsrules.play import legality, stateless
from heartsrules.play.dealing import deal_problems
from heartsrules.play.game import replay
from heartsrules.play.violations import (
    PRECEDENCE,
    AlreadyPassed,
    BadDeal,
    CardIsCompulsory,
    ExposedCardRestricted,
    GameIsOver,
    HeartsNotBroken,
    MayNotDecline,
    MustFollowSuit,
    NoSuchEffect,
    NoSuchSeat,
    NotInHand,
    NotTheShooter,
    NotYourTurn,
    OpeningCardRequired,
    PointsOnFirstTrick,
    QueenBeforeHearts,
    TooManyDeals,
    UnpassableCards,
    WrongNumberOfCards,
    WrongPhase,
)
from heartsrules.rules import (
    HOLD,
    MAX_DEALS,
    Compulsory,
    Duplicates,
    FirstTrick,
    HeartsLead,
    Kitty,
    Moon,
    OpeningCard,
    OpeningLeader,
    PassOptional,
    Tie,
    left,
    scatter,
)
from support.builds import wrong_type
from support.random_play import play_cards
from support.tables import fields_of, rules_of

HEARTS_FOUR = Cards("JH QH KH AH")


def hands_of(*texts: str) -> list[Cards]:
    return [Cards(text) for text in texts]


def playing(*texts: str, **options: Any) -> Playing:
    """A deal of exactly these hands, dealer's left (seat 1) first, without passing."""
    hands = hands_of(*texts)
    deck = Cards(card for hand in hands for card in hand)
    options = {"opening_leader": OpeningLeader.DEALER_LEFT, "opening_card": OpeningCard.ANY, "pass_cycle": (HOLD,),
               "moon": Moon.OFF, "max_deals": 1, **options}  # fmt: skip
    full = Rules(decks=options.get("decks", 1), max_deals=1, players=4)
    rules = Rules(players=len(hands), removed=full.deck - deck, **options)
    state = apply(new_game(rules), Deal(hands))
    assert isinstance(state, Playing)
    return state


def shoot(**options: Any) -> State:
    """Seat 1 leads the ace and takes every heart in play: a moon."""
    return play_cards(playing("JH", "AH", "QH", "KH", moon=Moon.CHOICE, **options), "AH QH KH JH")


def passing(**options: Any) -> Passing:
    state = apply(new_game(Rules(**options)), deal(new_game(Rules(**options)), seed="passing"))
    assert isinstance(state, Passing)
    return state


def check(state: State, move: Move, *expected: Violation) -> None:
    assert why_illegal(state, move) == expected
    assert not is_legal(state, move)
    assert move not in legal_moves(state)
    before = repr(state)
    with pytest.raises(IllegalMove) as caught:
        apply(state, move)
    error = caught.value
    assert error.violations == expected
    assert error.move == (None if isinstance(move, Deal) else move)
    assert error.code == "illegal-move"
    assert isinstance(error, HeartsError)
    assert isinstance(error, ValueError)
    assert str(error) == "; ".join(map(str, expected))
    assert error.__cause__ is None
    assert repr(state) == before
    again = pickle.loads(pickle.dumps(error))
    assert (again.violations, again.move) == (error.violations, error.move)
    order = [PRECEDENCE.index(type(reason)) for reason in expected]
    assert order == sorted(order)


A_PLAY = Play(0, Card("AH"))
A_PASS = Pass(0, Cards("2H 3H 4H"))
A_CHOICE = ChooseMoon(1, Moon.OTHERS_UP)
A_DEAL = Deal([HEARTS_FOUR])

PHASES: list[tuple[Phase, State]] = [
    (Phase.DEAL, new_game(Rules())),
    (Phase.PASS, passing()),
    (Phase.PLAY, playing("JH", "AH", "QH", "KH")),
    (Phase.MOON, shoot()),
    (Phase.OVER, play_cards(playing("JH", "AH", "QH", "KH", tie=Tie.SHARED), "AH QH KH JH")),
]
KINDS: list[tuple[Phase, Move]] = [
    (Phase.DEAL, A_DEAL),
    (Phase.PASS, A_PASS),
    (Phase.PLAY, A_PLAY),
    (Phase.MOON, A_CHOICE),
]


@pytest.mark.parametrize(("now", "state"), PHASES)
@pytest.mark.parametrize(("kind", "move"), KINDS)
def test_moves_of_another_phase(now: Phase, state: State, kind: Phase, move: Move) -> None:
    assert state.phase is now
    if now is Phase.OVER:
        check(state, move, GameIsOver())
    elif now is not kind:
        check(state, move, WrongPhase(now, kind))


@pytest.mark.parametrize("call", [legal_moves, to_act])
def test_states_are_states(call: Any) -> None:
    """The law of arguments names a seat, too; here none is named."""
    with wrong_type("state must be a State"):
        call("state")


@pytest.mark.parametrize("state", [state for _, state in PHASES])
def test_a_seat_is_one_of_the_table(state: State) -> None:
    for none in (4, 99, -1, 2**63, -(2**63) - 1, 10**5000):
        with pytest.raises(InvalidSeat, match="seats are 0 to 3") as caught:
            legal_moves(state, none)
        assert (caught.value.seat, caught.value.players, caught.value.code) == (none, 4, "no-such-seat")
        with pytest.raises(InvalidSeat, match="seats are 0 to 3"):
            view(state, none)
        with pytest.raises(InvalidSeat, match="seats are 0 to 3"):
            legal_moves(view(state, 0), none)


FOUR = "2C 3C 4H|5C 6C 7H|8C 9C QS|TD JD KD"
NON_POINT = OpeningCard.NON_POINT
# name, rules, hands, the plays so far, the seat and the card that is refused, the reasons
REFUSED: list[tuple[Any, ...]] = [
    ("out of turn", "", "JH|AH|QH|KH", "", "0 JH", NotYourTurn(0, 1)),
    ("out of turn, and not held", "", "JH|AH|QH|KH", "", "0 AH", NotYourTurn(0, 1), NotInHand(Cards("AH"))),
    ("not held", "", "JH|AH|QH|KH", "", "1 JH", NotInHand(Cards("JH"))),
    ("not in play", "", "JH|AH|QH|KH", "", "1 2C", NotInHand(Cards("2C"))),
    ("not following suit", "", "2C 3C 4H|5C 6D 7D|8C 9C QS|TD JD KD", "5C", "2 QS",
     MustFollowSuit(Card("QS"), Suit.CLUBS, 2)),
    ("another club than the lowest", "opening_card=lowest-club", FOUR, "", "1 6C",
     OpeningCardRequired(Card("6C"), OpeningCard.LOWEST_CLUB)),
    ("no club, but a heart", "opening_card=lowest-club", FOUR, "", "1 7H",
     OpeningCardRequired(Card("7H"), OpeningCard.LOWEST_CLUB)),
    ("not any club", "opening_card=any-club", FOUR, "", "1 7H", OpeningCardRequired(Card("7H"), OpeningCard.ANY_CLUB)),
    ("a penalty card opens", "opening_card=non-point", FOUR, "", "1 7H", OpeningCardRequired(Card("7H"), NON_POINT)),
    ("a penalty card opens where there is no club", "opening_card=lowest-club", "2C 3C|7H 7D|8C QS|TD JD", "", "1 7H",
     OpeningCardRequired(Card("7H"), NON_POINT)),
    ("two reasons against the queen", "queen_discard_after_hearts=yes", "2C 3C 4H|5C 6C 7C|QS 9D 2H|TD JD KD", "5C",
     "2 QS", QueenBeforeHearts(), PointsOnFirstTrick(Card("QS"))),
    ("points on the first trick", "queen_discard_after_hearts=yes", "2C 3C 4H|5C 6C 7C|QS 9D 2H|TD JD KD", "5C",
     "2 2H", PointsOnFirstTrick(Card("2H"))),
    ("a heart too early", "", FOUR, "", "1 7H", HeartsNotBroken(Card("7H"))),
    ("the queen is due", "compulsory=always", "2C 3C 4H|5C 6C QS|8C 9C 2H|TD JD KD", "", "1 5C",
     CardIsCompulsory(Card("5C"), Cards("QS"), Compulsory.ALWAYS)),
    ("a heart too early when the queen is due", "compulsory=always", "2C 3C 4H|5C 6H QS|8C 9C 2H|TD JD KD", "", "1 6H",
     HeartsNotBroken(Card("6H")), CardIsCompulsory(Card("6H"), Cards("QS"), Compulsory.ALWAYS)),
]  # fmt: skip


@pytest.mark.parametrize("case", REFUSED, ids=[case[0] for case in REFUSED])
def test_refused_plays(case: tuple[Any, ...]) -> None:
    _, text, hands, plays, refused, *reasons = case
    seat, card = refused.split()
    state = play_cards(playing(*hands.split("|"), **fields_of(text)), plays)
    check(state, Play(int(seat), Card(card)), *reasons)


Told = dict[str, Any]
Barred = dict[str, list[tuple[Any, ...]]]
DECKS = "decks=2 players=8"
ALWAYS = "compulsory=always"
ALWAYS_TWO = "compulsory=always compulsory_cards=QS,TS"
WAITS = "hearts_lead=points-when-broken"
QUEEN_WAITS = "queen_discard_after_hearts=yes"
FIRST: Told = {"first_trick": True}
BROKEN: Told = {"hearts_broken": True}


def led(card: str, **told: Any) -> Told:
    return {"trick": [Card(card)], **told}


def barred(cards: str, *reasons: tuple[Any, ...]) -> Barred:
    """For each of the cards, the classes of its reasons with what they tell beside the card."""
    return {card: list(reasons) for card in cards.split()}


def follow(suit: Suit, count: int) -> tuple[Any, ...]:
    return MustFollowSuit, suit, count


def due(cards: str, when: Compulsory = Compulsory.ALWAYS) -> tuple[Any, ...]:
    return CardIsCompulsory, Cards(cards), when


OPENING = (OpeningCardRequired, OpeningCard.NON_POINT)
HEARTS_WAIT = (HeartsNotBroken, HeartsLead.WHEN_BROKEN)
POINTS_WAIT = (HeartsNotBroken, HeartsLead.POINTS_WHEN_BROKEN)
NO_POINTS = (PointsOnFirstTrick, FirstTrick.NO_POINTS)
OF_HANDS: list[tuple[str, str, Told, Barred]] = [
    ("", "2C 3C 4D QS", led("AC"), barred("4D QS", follow(Suit.CLUBS, 2))),
    ("", "2C 4D 5D QS", led("AC"), barred("4D 5D QS", follow(Suit.CLUBS, 1))),
    (DECKS, "2C 3C 3C 4D", led("AC"), barred("4D", follow(Suit.CLUBS, 3))),
    (DECKS, "2C 3C 4D 4D", led("AC"), barred("4D", follow(Suit.CLUBS, 2))),
    ("", "2C 4D 5D QS", led("AD"), barred("2C QS", follow(Suit.DIAMONDS, 2))),
    ("", "2S 4S 5D QH", led("AS"), barred("5D QH", follow(Suit.SPADES, 2))),
    ("", "2S 4S 5D QH", led("AH"), barred("2S 4S 5D", follow(Suit.HEARTS, 1))),
    ("", "2C 3C 4D 3H", FIRST, barred("3C 4D 3H", (OpeningCardRequired, OpeningCard.LOWEST_CLUB))),
    ("opening_card=any-club", "2C 3C 4D", FIRST,
     barred("4D", (OpeningCardRequired, OpeningCard.ANY_CLUB))),
    ("opening_card=non-point", "2C 3H", FIRST, barred("3H", OPENING)),
    ("", "4D QS 3H", FIRST, barred("QS 3H", OPENING)),
    ("", "4D QS 3H", {}, barred("3H", HEARTS_WAIT)),
    (WAITS, "4D QS 3H", {}, barred("QS 3H", POINTS_WAIT)),
    ("", "4D QS 3H", BROKEN, {}),
    ("", "4D QS 3H", led("AC", **FIRST), barred("QS 3H", NO_POINTS)),
    ("first_trick=no-hearts", "4D QS 3H", led("AC", **FIRST),
     barred("3H", (PointsOnFirstTrick, FirstTrick.NO_HEARTS))),
    (QUEEN_WAITS, "4D QS 3H", led("AC"), barred("QS", (QueenBeforeHearts,))),
    (QUEEN_WAITS, "4D QS 3H", led("AC", **BROKEN), {}),
    (QUEEN_WAITS, "4D QS 3H", led("AC", **FIRST),
     barred("QS", (QueenBeforeHearts,), NO_POINTS) | barred("3H", NO_POINTS)),
    ("exposable=QS", "2S QS 4D", led("AS", exposed=Cards("QS")),
     barred("QS", (ExposedCardRestricted,)) | barred("4D", follow(Suit.SPADES, 2))),
    ("exposable=QS", "2S QS 4D", {"exposed": Cards("QS")}, barred("QS", (ExposedCardRestricted,))),
    ("exposable=QS", "2S QS 4D", {"exposed": Cards("QS"), "suits_led": [Suit.SPADES]}, {}),
    (ALWAYS, "2D QS 3H", {}, barred("2D", due("QS")) | barred("3H", HEARTS_WAIT, due("QS"))),
    (ALWAYS, "2D QS TS 3H", led("KS"), barred("2D 3H", follow(Suit.SPADES, 2), due("QS")) | barred("TS", due("QS"))),
    (ALWAYS_TWO, "2D 5S QS TS", led("KS"),
     barred("2D", follow(Suit.SPADES, 3), due("QS TS")) | barred("5S", due("QS TS"))),
    (ALWAYS_TWO, "2D QS TS", led("KS"), barred("2D", follow(Suit.SPADES, 2))),
    # Second copies count.
    *[
        (DECKS, f"{spades} 4H 4H", led("9S"), barred("4H", follow(Suit.SPADES, count)))
        for spades, count in (("2S 3S", 2), ("2S 2S 3S", 3), ("2S 2S 3S 3S", 4), ("2S 2S", 2), ("2S", 1))
    ],
    # Each reason tells its own card and the suits of this hand.
    *[
        ("", f"2C 2D 3D {'2S ' * spades}", led(f"A{suit.letter}"), barred(cards, follow(suit, count)))
        for spades, suit, cards, count in ((1, Suit.DIAMONDS, "2C 2S", 2), (0, Suit.CLUBS, "2D 3D", 1))
    ],
    # Each value of an option is named, also where two values bar the same cards.
    *[
        (f"compulsory={when}", "2D 3D 4H QS", led("AC"), barred("2D 3D 4H", due("QS", when)))
        for when in Compulsory if when is not Compulsory.NO
    ],
    *[
        (f"compulsory=discard compulsory_cards={cards}", "QS 2H TD 4D", led("AC"),
         barred(others, due(cards.replace(",", " "), Compulsory.DISCARD)))
        for cards, others in (("QS,TD", "2H 4D"), ("QS", "2H TD 4D"), ("TD", "QS 2H 4D"))
    ],
    ("compulsory=discard compulsory_cards=5C,4D", "QS 2H TD 4D", led("AC"),
     barred("QS 2H TD", due("4D", Compulsory.DISCARD))),
    *[
        (f"queen_points=0 hearts_lead={lead}", "5C 7H TD 4D", {}, barred("7H", (HeartsNotBroken, lead)))
        for lead in (HeartsLead.WHEN_BROKEN, HeartsLead.POINTS_WHEN_BROKEN) * 2
    ],
    *[
        (f"queen_points=0 first_trick={kind}", "5C 7H TD", led("2S", **FIRST), barred("7H", (PointsOnFirstTrick, kind)))
        for kind in (FirstTrick.NO_POINTS, FirstTrick.NO_HEARTS) * 2
    ],
    *[
        (f"opening_card={required}", hand, FIRST, barred(card, (OpeningCardRequired, told)))
        for required in (OpeningCard.LOWEST_CLUB, OpeningCard.ANY_CLUB, OpeningCard.LOWEST_CLUB)
        for hand, card, told in (("2C 3D", "3D", required), ("3D 4H", "4H", NON_POINT))
    ],
    ("first_trick=free", "4D QS 3H", led("AC", **FIRST), {}),
]  # fmt: skip
"""Rules, a hand, what else is known, and the cards that may not be played."""


def reason_of(card: Card, kind: type[Any], *facts: Any) -> Violation:
    violation: Violation = kind() if kind is QueenBeforeHearts else kind(card, *facts)
    return violation


LATER: Any = {"first_trick": False, "hearts_broken": False, "exposed": (), "suits_led": ()}


def test_the_reasons_of_a_whole_hand_are_those_of_each_card() -> None:
    """Whatever was asked before: most reasons are made once and kept."""
    for fields, text, told, against in [*OF_HANDS, *reversed(OF_HANDS), *OF_HANDS[::3], *OF_HANDS]:
        rules, hand = rules_of(fields), Cards(text)
        expected = []
        for card in hand:
            reasons = tuple([reason_of(card, *facts) for facts in against.get(str(card), [])])
            assert why_illegal_card(rules, hand, card, **LATER | told) == reasons, (text, told, card)
            expected.append((card, reasons))
        given = {"trick": (), "first_trick": False, "hearts_broken": False, "exposed": (), "suits_led": (), **told}
        known = stateless._situation(rules, hand, *given.values())[2:]
        assert legality.reasons_by_card(rules, hand, *known) == tuple(expected), (text, told)


def test_a_reason_against_a_card_of_a_hand_is_made_once() -> None:
    hand = Cards("2C 3C 4D QS")
    known = stateless._situation(Rules(), hand, [Card("AC")], False, False, (), ())[2:]
    one, other = [legality.reasons_by_card(Rules(), hand, *known) for _ in range(2)]
    assert all(reasons is again for (_, reasons), (_, again) in zip(one, other, strict=True))
    assert [bool(reasons) for _, reasons in one] == [False, False, True, True]


def test_one_of_several_reasons_against_a_card_is_made_once() -> None:
    rules = Rules(queen_discard_after_hearts=True)
    hand = Cards("4S 6S QS 9H")
    known = stateless._situation(rules, hand, [Card("2C")], True, False, (), ())[2:]
    one, other = [legality.reasons_by_card(rules, hand, *known) for _ in range(2)]
    assert one == other
    assert max(len(reasons) for _, reasons in one) == 2
    assert all(reason is again for (_, told), (_, twice) in zip(one, other, strict=True)
               for reason, again in zip(told, twice, strict=True))  # fmt: skip


def test_a_shown_card_waits_for_any_other_card_of_its_suit() -> None:
    faces = list(Rules().deck)
    for exposed in faces:
        counts = exposed.suit is Suit.HEARTS or exposed is Card("QS")
        extra = () if counts else ((exposed, 1),)
        rules = Rules(exposable=Cards([exposed]), extra_penalties=extra, hearts_lead=HeartsLead.ANY_TIME)
        for other in faces:
            if other is not exposed:
                hand = Cards([exposed, other])
                led = legal_cards(rules, hand, **LATER | {"exposed": [exposed]})
                assert led == (Cards([other]) if other.suit is exposed.suit else hand), (exposed, other)


def test_lists_of_moves_are_equal_when_their_moves_are() -> None:
    rules = Rules(players=3, removed="2C", pass_cycle=((), ((1, 3),)))
    passing = [apply(new_game(some), deal(new_game(some), seed=1)) for some in (Rules(), Rules())]
    other = apply(new_game(Rules()), deal(new_game(Rules()), seed=2))
    two = apply(new_game(Rules(pass_cycle=(left(2),))), deal(new_game(Rules(pass_cycle=(left(2),))), seed=1))
    optional = Rules(pass_optional=PassOptional.SKIP)
    declined = apply(new_game(optional), deal(new_game(optional), seed=1))
    later = apply(passing[0], legal_moves(passing[0])[0])
    moves = legal_moves(passing[0])
    assert moves == legal_moves(passing[1])
    assert hash(moves) == hash(legal_moves(passing[1]))
    for state in (other, two, declined, later):
        assert moves != legal_moves(state)
    assert moves != ()
    deals = legal_moves(new_game(Rules()))
    assert deals == legal_moves(new_game(Rules()))
    assert hash(deals) == hash(legal_moves(new_game(Rules())))
    assert deals != legal_moves(new_game(rules))
    assert deals != moves
    assert deals != ()


def test_passing_reasons() -> None:
    state = passing(unpassable="QS KS")
    hand = list(state.hands[0])
    free = [card for card in hand if card not in Cards("QS KS")]
    foreign = next(card for card in state.rules.deck if card not in state.hands[0] and card not in Cards("QS KS"))
    check(state, Pass(0), MayNotDecline())
    check(state, Pass(0, Cards(free[:2])), WrongNumberOfCards(0, 2, 3))
    check(state, Pass(0, Cards(free[:3]), Cards(free[3:6])), WrongNumberOfCards(None, 2, 1, 1))
    check(state, Pass(0, Cards([*free[:2], foreign])), NotInHand(Cards([foreign])))
    check(
        state,
        Pass(0, Cards([*free[:2], foreign, foreign])),
        WrongNumberOfCards(0, 4, 3),
        NotInHand(Cards([foreign, foreign])),
    )
    for card in Cards("QS KS"):
        seat = next(seat for seat in range(4) if card in state.hands[seat])
        rest = [other for other in state.hands[seat] if other not in Cards("QS KS")]
        check(state, Pass(seat, Cards([card, *rest[:2]])), UnpassableCards(Cards([card])))
    committed = apply(state, legal_moves(state, 0)[0])
    check(committed, legal_moves(state, 0)[1], AlreadyPassed(0))
    check(committed, Pass(0), AlreadyPassed(0), MayNotDecline())
    assert to_act(committed) == {1, 2, 3}
    assert list(legal_moves(committed, 0)) == []


def test_gifts_share_the_hand() -> None:
    state = passing(pass_cycle=(scatter(players=4),))
    one, two, three = list(state.hands[1])[:3]
    check(state, Pass(1, Cards([one]), Cards([one]), Cards([two])), NotInHand(Cards([one]), Cards([one])))
    assert is_legal(state, Pass(1, Cards([three]), Cards([one]), Cards([two])))


def test_the_shooter_alone_chooses_and_only_an_effect() -> None:
    state = shoot()
    assert isinstance(state, ChoosingMoon)
    assert to_act(state) == {1}
    assert legal_moves(state) == legal_moves(state, 1)
    assert legal_moves(state, 0) == ()
    check(state, ChooseMoon(0, Moon.OTHERS_UP), NotTheShooter(0, 1))
    check(state, ChooseMoon(1, Moon.AUTO_SAVE), NoSuchEffect(Moon.AUTO_SAVE))
    check(state, ChooseMoon(2, Moon.OFF), NotTheShooter(2, 1), NoSuchEffect(Moon.OFF))


A_CARD = r"\b(?:10|[2-9TJQKA])[CDSH]\b"
FULL_HANDS = [Cards(card for card in Rules().deck if card.index % 4 == seat) for seat in range(4)]


@pytest.mark.parametrize(
    ("move", "codes", "words"),
    [
        (Deal(FULL_HANDS[:3]), "wrong-number-of-hands missing-cards", "3 hands for 4"),
        (Deal([*FULL_HANDS[:3], FULL_HANDS[3] - Cards("AH")]), "wrong-hand-size missing-cards", "1 card is not dealt"),
        (Deal(FULL_HANDS, Cards("AH")), "wrong-kitty-size extra-cards", "1 card is dealt more often"),
        (
            Deal([*FULL_HANDS[:3], FULL_HANDS[3] - Cards("AH") + Cards("2C")]),
            "missing-cards extra-cards",
            "1 card is dealt",
        ),
        (Deal([]), "wrong-number-of-hands missing-cards", "0 hands"),
        (Deal([Cards(), *FULL_HANDS]), "wrong-number-of-hands wrong-hand-size", "hand 0 has 0"),
        (
            Deal([FULL_HANDS[0], *FULL_HANDS[:1], *FULL_HANDS[2:]]),
            "missing-cards extra-cards",
            "13 cards are not dealt, but in play; 13 cards are dealt more often than in play",
        ),
    ],
)
def test_impossible_deals(move: Deal, codes: str, words: str) -> None:
    state = new_game(Rules())
    (violation,) = why_illegal(state, move)
    assert isinstance(violation, BadDeal)
    assert [problem.code for problem in violation.problems] == codes.split()
    assert words in str(violation)
    check(state, move, violation)
    with pytest.raises(IllegalMove) as caught:
        apply(state, move)
    assert caught.value.move is None
    assert re.findall(A_CARD, f"{caught.value!r} {caught.value} {violation!r}") == []


def test_whoever_tells_a_deal_is_told_a_few_of_its_cards() -> None:
    missing, extra = deal_problems(Rules(), Deal([FULL_HANDS[0], FULL_HANDS[0], *FULL_HANDS[2:]]))
    assert missing.message == "3C, 7C, JC, 2D, 6D and 8 more are not dealt, but in play"
    assert extra.message.startswith("2C (hands[0], hands[1]), 6C (hands[0], hands[1]), ")
    assert extra.message.endswith(" and 8 more are dealt more often than in play")
    rules = Rules(players=3, removed="2D")
    hands = [Cards(list(rules.deck)[seat::3]) for seat in range(3)]
    sizes, missing, foreign = deal_problems(rules, Deal([*hands[:2], hands[2] - Cards("4C") + Cards("2D 2D")]))
    assert sizes.code == "wrong-hand-size"
    assert missing.message == "4C is not dealt, but in play"
    assert foreign.message == "2D (hands[2], hands[2]) are not in play under these rules"


@pytest.mark.parametrize(("now", "state"), PHASES)
@pytest.mark.parametrize("seat", [4, 10, 11, 99, -1, 2**62, 2**63 - 1, 2**63, 2**70, -(2**63) - 1, 10**599, -(10**599)])
def test_seats_of_any_size_are_no_seats(now: Phase, state: State, seat: int) -> None:
    moves: dict[Phase, Move] = {
        Phase.PLAY: Play(seat, Card("AH")),
        Phase.PASS: Pass(seat),
        Phase.MOON: ChooseMoon(seat, Moon.OTHERS_UP),
    }
    for kind, move in moves.items():
        reasons: tuple[Violation, ...] = (NoSuchSeat(seat, 4),)
        if kind is not now:
            reasons = (GameIsOver(),) if now is Phase.OVER else (WrongPhase(now, kind),)
        check(state, move, *reasons)
        assert why_illegal(view(state, 0), move) == reasons
        result = replay(state, [move])
        assert result.failure is not None
        assert result.failure.violations == reasons
        assert eval(repr(move)) == pickle.loads(pickle.dumps(move)) == move
        assert hash(eval(repr(move))) == hash(move)


@pytest.mark.parametrize("seat", [10**600, -(10**600), 10**5000], ids=["least", "negative", "more"])
def test_a_seat_has_at_most_600_digits(seat: int) -> None:
    makers: list[Callable[[], Move]] = [
        lambda: Play(seat, Card("AH")),
        lambda: Pass(seat),
        lambda: ChooseMoon(seat, Moon.OTHERS_UP),
    ]
    for make in makers:
        with pytest.raises(ValueError, match=r"^seat is a number of about \d+ digits: give at most 600 digits$"):
            make()


def test_foreign_cards_in_a_deal() -> None:
    rules = Rules(players=3, removed="2D")
    hands = [Cards(list(rules.deck)[seat::3]) for seat in range(3)]
    (violation,) = why_illegal(new_game(rules), Deal([hands[0] - Cards("2C") + Cards("2D"), *hands[1:]]))
    assert isinstance(violation, BadDeal)
    assert [problem.code for problem in violation.problems] == ["missing-cards", "foreign-cards"]


def before_deal(number: int) -> AwaitingDeal:
    """A game of which nothing is known but its totals, before a deal."""
    return AwaitingDeal(Rules(target=1_000_000_000), ScoreSheet((7, 40, 2, 1), number), None)


def test_a_game_has_a_million_deals_at_most() -> None:
    last = before_deal(MAX_DEALS - 1)
    state = apply(last, deal(last, seed=1))
    assert legal_moves(last)
    state = playout(state, RandomStream("the last deal"))
    assert isinstance(state, AwaitingDeal)
    assert state.deal_number == MAX_DEALS == 1_000_000
    check(state, deal(state, seed=1), TooManyDeals())
    assert why_illegal(view(state, 0), deal(state, seed=1)) == (TooManyDeals(),)
    check(state, Play(0, Card("2C")), WrongPhase(Phase.DEAL, Phase.PLAY))
    assert not legal_moves(state)
    assert list(legal_moves(state)) == []
    with pytest.raises(IllegalMove) as caught:
        apply(state, deal(state, seed=1))
    assert caught.value.violations == (TooManyDeals(),)
    assert str(caught.value) == "the game has had 1,000,000 deals, the most that any game can have"


@pytest.mark.parametrize("number", [MAX_DEALS, MAX_DEALS + 1, 2**53 - 1, 2**64])
def test_a_game_that_has_had_its_deals_stays_as_it_is(number: int) -> None:
    state = before_deal(number)
    assert why_illegal(state, deal(state, seed=1)) == (TooManyDeals(),)
    assert not legal_moves(state)
    for deals in (1, None):
        assert playout(state, RandomStream("no deal"), deals=deals) is state


def test_a_playout_without_end_stops_after_the_last_deal() -> None:
    assert playout(before_deal(MAX_DEALS - 3), RandomStream("three deals"), deals=None).deal_number == MAX_DEALS


def test_a_game_of_as_many_deals_as_may_be_is_decided_by_the_last() -> None:
    rules = Rules(target=None, max_deals=MAX_DEALS, tie=Tie.SHARED)
    end = playout(AwaitingDeal(rules, ScoreSheet((0,) * 4, MAX_DEALS - 1), None), RandomStream("decided"), deals=None)
    assert isinstance(end, GameOver)
    check(end, deal(before_deal(1), seed=1), GameIsOver())


def test_every_violation_has_a_code_of_its_own() -> None:
    codes = [kind.code for kind in PRECEDENCE]
    assert len(set(codes)) == len(codes)
    assert set(PRECEDENCE) == set(get_args(Violation))


def test_the_order_of_plays_is_card_order() -> None:
    state = playing("2C 3D 4H 5S", "6S 7C 8H 9D", "TC JD QH KS", "AC AD AH AS")
    assert [str(move.card) for move in legal_moves(state) if isinstance(move, Play)] == ["7C", "9D", "6S"]
    assert isinstance(legal_moves(state), tuple)
    assert legal_moves(state) is not None
    assert legal_moves(state, 1) == legal_moves(state)


def test_a_view_cannot_be_played_on() -> None:
    for _, state in PHASES:
        seen = view(state, 0)
        for move in (A_PLAY, A_PASS, A_CHOICE, A_DEAL, *list(legal_moves(seen))[:1]):
            with wrong_type("a view cannot be played on"):
                apply(seen, move)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "options", [{}, {"decks": 2, "duplicates": Duplicates.CANCEL}, {"players": 5, "kitty": Kitty.FIRST_HEART}]
)
def test_piles_are_the_same_whenever_they_are_read(options: dict[str, Any]) -> None:
    """They are counted when they are read: after every trick, now and then, or once at the end."""
    rules = Rules(pass_cycle=(HOLD,), target=None, max_deals=1, tie=Tie.SHARED, **options)
    start = new_game(rules)
    for seed in range(10):
        ends = []
        for every in (1, 3, 1000):
            stream = RandomStream(seed)
            state: State = apply(start, deal(start, seed=seed))
            while isinstance(state, Playing):
                if state.trick_number % every == every - 1:
                    taken = sum([len(pile) for pile in state.captured])
                    assert taken + len(state.set_aside) >= state.trick_number * rules.players
                    assert sum(state.tricks_won) <= state.trick_number
                moves = legal_moves(state)
                state = apply(state, moves[stream.below(len(moves))])
            assert isinstance(state, GameOver)
            ends.append(state)
        first = ends[0].last_deal
        for end in ends[1:]:
            assert end == ends[0]
            assert hash(end.last_deal) == hash(first)
            assert repr(end.last_deal) == repr(first)
            assert pickle.loads(pickle.dumps(end)) == ends[0]
