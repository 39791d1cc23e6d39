"""The rules without a state: what each function answers and refuses, and a judge made of them, against the engine.

The judge is the one of docs/how-to/keep-your-own-state.md: its code is taken from the page.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import event, given

from heartsrules import (
    AwaitingDeal,
    Card,
    Cards,
    ChooseMoon,
    ChoosingMoon,
    Deal,
    DealingBack,
    Expose,
    Exposing,
    GameOver,
    InvalidState,
    Pass,
    Passing,
    Play,
    PlayedDeal,
    Playing,
    Rules,
    State,
    Suit,
    deal,
    legal_cards,
    legal_moves,
    new_game,
    presets,
    score_deal,
    to_act,
    trick_winner,
    why_illegal,
    why_illegal_card,
    winning_seat,
)
from heartsrules.play.stateless import (
    card_breaks_hearts,
    exchange_gifts,
    first_leader,
    may_expose,
    moon_shooter,
    why_illegal_deal,
    why_illegal_exposure,
    why_illegal_pass,
    winners,
    wins_kitty,
)
from heartsrules.rules import HOLD, HeartsBreak, Kitty, Moon, OpeningLeader, QueenBreaks, left, right
from support.rounds import SEED, laws, rounds
from support.strategies import FACES, generators, match, random_rules, rules_sets
from support.tables import rules_of

PAGE = Path(__file__).resolve().parents[2] / "docs" / "how-to" / "keep-your-own-state.md"
ROUNDS = rounds(2400)


def _judge_of_the_page() -> Any:
    """The class `Table` of the page."""
    code = re.findall(r"^```python\n((?!>>> ).*?)^```", PAGE.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    names: dict[str, Any] = {}
    exec("".join(code), names)
    return names["Table"]


Table = _judge_of_the_page()

# --------------------------------------------------------------------------------------- the judge and the engine


def agree(table: Any, state: State, rng: Random) -> None:
    """The judge's state is the engine's, and both accept and refuse the same moves, for the same reasons."""
    assert table.scores == state.scores
    assert table.phase == PHASES[type(state)]
    if isinstance(state, (AwaitingDeal, GameOver)):
        assert table.winners == (state.winners if isinstance(state, GameOver) else None)
        assert table.deals_played == len(state.score_sheet)
        assert table.queen_taker == state.score_sheet.queen_taker
        if state.score_sheet:
            assert table.row == state.score_sheet[-1]
    elif isinstance(state, ChoosingMoon):
        assert table.shooter == state.shooter
        _same_deal(table, state.last_deal)
    else:
        assert tuple(table.hands) == state.hands
    if isinstance(state, Passing):
        _same_passes(table, state, rng)
    elif isinstance(state, Exposing):
        assert set(may_expose(table.rules, table.dealer, table.decided)) == to_act(state)
        seat = rng.choice(sorted(to_act(state)))
        hand = list(state.hands[seat])
        for cards in (Cards(), Cards(rng.sample(FACES, 2)), Cards(rng.sample(hand, min(2, len(hand))))):
            reasons = why_illegal_exposure(table.rules, state.hands[seat], cards, state.start.exposed[seat])
            assert reasons == why_illegal(state, Expose(seat, cards))
    elif isinstance(state, Playing):
        _same_deal(table, state)
        assert (table.turn, tuple(table.trick), table.hearts_broken) == (state.turn, state.trick, state.hearts_broken)
        assert [Play(state.turn, card) for card in table.legal_cards()] == list(legal_moves(state))
        for card in {*state.hands[state.turn], rng.choice(FACES)}:
            assert table.why_illegal(card) == why_illegal(state, Play(state.turn, card))


PHASES = {
    AwaitingDeal: "deal",
    Passing: "pass",
    DealingBack: "middle",
    Exposing: "show",
    Playing: "play",
    ChoosingMoon: "choose",
    GameOver: "over",
}


def _same_deal(table: Any, played: Playing | PlayedDeal) -> None:
    assert tuple(table.captured) == played.captured
    assert tuple(table.tricks_won) == played.tricks_won
    assert (table.set_aside, table.kitty_winner) == (played.set_aside, played.kitty_winner)
    assert table.tricks_played == played.trick_number
    assert tuple([table.exposed[seat] for seat in table.seats]) == played.exposed


def _same_passes(table: Any, state: Passing, rng: Random) -> None:
    seat = rng.choice(sorted(to_act(state)))
    hand = list(state.hands[seat])
    for _ in range(3):
        stray = rng.choice(FACES)
        cards = [*hand, stray] if hand.count(stray) < 2 and rng.randrange(2) else list(hand)
        rng.shuffle(cards)
        gifts = []
        for _, count in state.plan:
            count = max(count + rng.choice((0, 0, 0, 1, -1)), 0)
            gift = [card for number, card in enumerate(cards[:count]) if cards[:number].count(card) < 2]
            gifts.append(Cards(gift))
            cards = cards[count:]
        if not rng.randrange(4):
            gifts = gifts[1:]
        reasons = why_illegal_pass(table.rules, state.hands[seat], gifts, table.plan)
        assert reasons == why_illegal(state, Pass(seat, *gifts))


def make(table: Any, move: Any) -> None:
    """The same move at the judge's table, which must accept it."""
    if isinstance(move, Deal):
        if table.phase == "middle":
            table.exchange(move.hands)
        else:
            table.deal(move.hands, move.kitty)
        return
    if isinstance(move, Pass):
        refused = table.pass_cards(move.seat, move.cards)
    elif isinstance(move, Expose):
        refused = table.show(move.seat, move.cards)
    elif isinstance(move, Play):
        refused = table.play(move.seat, move.card)
    else:
        assert isinstance(move, ChooseMoon)
        refused = table.choose(move.seat, move.effect)
    assert not refused


def judged(rules: Rules, rng: Random, max_deals: int) -> Counter[str]:
    """Play a match in the engine and at the judge's table; what came up in it."""
    table = Table(rules)
    seen: Counter[str] = Counter()
    for state, move, following in match(rules, rng, max_deals):
        agree(table, state, rng)
        make(table, move)
        agree(table, following, rng)
        seen["moves"] += 1
        seen["exposures"] += isinstance(move, Expose) and bool(move.cards)
        seen["declined passes"] += isinstance(move, Pass) and not move.cards
        seen["choices"] += isinstance(move, ChooseMoon)
        if isinstance(following, (AwaitingDeal, GameOver)) and following.last_deal is not None:
            played = following.last_deal
            seen["kitties"] += bool(played.kitty) and played.kitty_winner is not None
            seen["void tricks"] += sum([trick.winner is None for trick in played.tricks])
            seen["moons of teams"] += bool(rules.teams) and following.score_sheet[-1].shooter is not None
            seen["queen takers"] += rules.opening_leader is OpeningLeader.QUEEN_TAKER and bool(state.deal_number)
        seen["ends"] += isinstance(following, GameOver)
    return seen


@pytest.mark.once_compiled
def test_the_judge_of_the_page_agrees_with_the_engine() -> None:
    rng = Random(SEED)
    seen: Counter[str] = Counter()
    for _ in range(80):
        seen += judged(random_rules(rng), rng, 2)
    assert seen["moves"] > 1000
    rare = ("exposures", "declined passes", "kitties", "void tricks", "moons of teams", "queen takers", "ends")
    assert [name for name in rare if not seen[name]] == []


@pytest.mark.long
@pytest.mark.parametrize("part", range(2))
def test_the_judge_agrees_over_many_rule_sets(part: int) -> None:
    """A failure names its round, which is a test by itself."""
    seen: Counter[str] = Counter()
    for number in range(part, ROUNDS, 2):
        rng = Random(f"{SEED} {number}")
        try:
            seen += judged(random_rules(rng), rng, 3)
        except Exception as error:
            error.add_note(f"HEARTSRULES_SEED={SEED!r}, round {number}")
            raise
    assert seen["choices"]


@laws(25)
@given(rules_sets(), generators())
def test_the_judge_agrees_and_shrinks(rules: Rules, rng: Random) -> None:
    seen = judged(rules, rng, 1)
    for name in seen:
        event(name)


def test_the_judge_refuses_whoever_is_not_to_move() -> None:
    table = Table(rules_of("exposable=QS exposure=in-turn"))
    assert table.show(0, Cards()) == table.play(0, Card("2C")) == table.choose(0, Moon.OTHERS_UP) == ["not your turn"]
    deck = list(table.rules.deck)
    table.deal([Cards(deck[seat::4]) for seat in table.seats], Cards())
    for seat in table.seats:
        gifts = [Cards(list(table.hands[seat])[:3])]
        assert table.pass_cards(seat, gifts) == ()
        assert table.pass_cards(seat, gifts) == ["not your turn"]
    assert table.show(0, Cards()) == ["not your turn"]
    assert [table.show(seat, Cards()) for seat in (1, 2, 3, 0)] == [()] * 4
    assert table.play((table.turn + 1) % 4, Card("2C")) == ["not your turn"]
    assert [reason.code for reason in table.play(table.turn, Card("AH"))] == ["not-in-hand"]


# ------------------------------------------------------------------------------------------------ one by one

FOUR = list(Rules().deck)
DEALT = [Cards(FOUR[seat::4]) for seat in range(4)]
SIX = rules_of("players=6 decks=2 hand_size=17 kitty=first-point")
LATER: Any = {"first_trick": False, "hearts_broken": False}
"""A later trick, before hearts are broken."""


def refusals(ask: Callable[..., object], *arguments: Any, **named: Any) -> list[tuple[str, tuple[str, ...]]]:
    with pytest.raises(InvalidState) as caught:
        ask(*arguments, **named)
    return [(problem.code, problem.fields) for problem in caught.value.problems]


@pytest.mark.parametrize("name", presets.ALL)
def test_a_deal_is_judged_as_the_engine_judges_it(name: str) -> None:
    start = new_game(presets.ALL[name]())
    fair = deal(start, seed=name)
    assert why_illegal_deal(start.rules, fair.hands, fair.kitty) == ()
    first, second, *others = fair.hands
    for hands in (fair.hands[1:], [second, second, *others], [first[1:], second, *others]):
        reasons = why_illegal_deal(start.rules, hands, fair.kitty)
        assert reasons == why_illegal(start, Deal(hands, fair.kitty))
        assert [reason.code for reason in reasons] == ["bad-deal"]


def test_what_may_be_passed() -> None:
    hand = Cards("2C 3C QS KS")
    scatter = Rules(pass_cycle=[((1, 2), (-1, 1)), HOLD])
    assert why_illegal_pass(scatter, hand, [Cards("2C 3C"), Cards("QS")], ((1, 2), (3, 1))) == ()
    codes = [
        reason.code for reason in why_illegal_pass(scatter, hand, [Cards("2C QS"), Cards("QS")], ((1, 2), (-1, 1)))
    ]
    assert codes == ["not-in-hand"]
    (reason,) = why_illegal_pass(Rules(), hand, [], left(3))
    assert reason.code == "may-not-decline"
    optional = rules_of("pass_optional=skip unpassable=QS")
    assert why_illegal_pass(optional, hand, (), left(3)) == ()
    (reason,) = why_illegal_pass(optional, hand, [Cards("2C 3C QS")], right(3))
    assert reason.code == "card-may-not-be-passed"


def test_what_is_no_pass_at_all() -> None:
    hand = Cards("2C 3C QS KS")
    assert refusals(why_illegal_pass, Rules(), hand, [Cards("2C")], left(2)) == [("wrong-plan", ("plan",))]
    assert refusals(why_illegal_pass, Rules(), hand, [Cards("2C")], HOLD) == [("wrong-plan", ("plan",))]
    assert refusals(why_illegal_pass, Rules(), Cards("2C 2C"), [Cards("2C")], HOLD) == [
        ("wrong-plan", ("plan",)),
        ("too-many-copies", ("hand",)),
    ]


def test_the_exchange() -> None:
    gifts = [[Cards(list(hand)[:3])] for hand in DEALT]
    after = exchange_gifts(Rules(), DEALT, gifts, left(3))
    assert after == tuple([DEALT[seat] - gifts[seat][0] + gifts[seat - 1][0] for seat in range(4)])
    skipping = rules_of("pass_optional=skip")
    declined = [gifts[0], [], *gifts[2:]]
    after = exchange_gifts(skipping, DEALT, declined, left(3))
    assert after[1] == DEALT[1]
    assert after[2] == DEALT[2] - gifts[2][0] + gifts[0][0]
    together = rules_of("pass_optional=unanimous")
    assert exchange_gifts(together, DEALT, declined, left(3)) == tuple(DEALT)


def test_what_is_no_exchange() -> None:
    gifts = [[Cards(list(hand)[:3])] for hand in DEALT]
    assert refusals(exchange_gifts, Rules(), DEALT[:3], gifts[:2], left(2)) == [
        ("wrong-plan", ("plan",)),
        ("wrong-count", ("hands",)),
        ("wrong-count", ("cards",)),
    ]
    assert refusals(exchange_gifts, Rules(), [DEALT[0]] * 4, gifts, left(3)) == [("extra-cards", ("hands",))]
    wrong = [gifts[0], gifts[0], [], gifts[3]]
    assert refusals(exchange_gifts, Rules(), DEALT, wrong, left(3)) == [
        ("illegal-pass", ("cards[1]", "hands[1]")),
        ("illegal-pass", ("cards[2]", "hands[2]")),
    ]


def test_what_may_be_shown_and_when() -> None:
    pig = Rules(exposable="QS AH")
    hand = Cards("QS KS 2H")
    assert [why_illegal_exposure(pig, hand, Cards(cards)) for cards in ("", "QS")] == [(), ()]
    assert [reason.code for reason in why_illegal_exposure(pig, hand, Cards("AH"))] == ["not-in-hand"]
    assert [reason.code for reason in why_illegal_exposure(pig, hand, Cards("KS"))] == ["not-exposable"]
    assert [reason.code for reason in why_illegal_exposure(pig, hand, Cards("QS QS"))] == ["not-in-hand"]
    assert refusals(why_illegal_exposure, pig, Cards("2C 2C"), Cards()) == [("too-many-copies", ("hand",))]
    assert refusals(why_illegal_exposure, pig, hand, Cards(), Cards("KS")) == [("not-exposable", ("exposed",))]
    assert [may_expose(pig, 3, done) for done in ((), (3, 0), range(4))] == [(0, 1, 2, 3), (1, 2), ()]
    turns = rules_of("exposable=QS exposure=in-turn")
    assert [may_expose(turns, 3, done) for done in ((), (0,), (0, 1, 2, 3))] == [(0,), (1,), ()]
    assert [may_expose(Rules(), 3, done) for done in ((), (0,))] == [(), ()]
    assert refusals(may_expose, pig, 4, [0, -1]) == [("no-such-seat", ("dealer",)), ("no-such-seat", ("done[1]",))]


def test_who_leads_first() -> None:
    assert [first_leader(Rules(), DEALT[turn:] + DEALT[:turn], 0) for turn in range(4)] == [0, 3, 2, 1]
    queen = rules_of("opening_leader=queen-taker")
    assert [first_leader(queen, DEALT, 1, taker) for taker in (None, 3)] == [DEALT.index(Cards(FOUR[2::4])), 3]
    assert first_leader(rules_of("opening_leader=dealer-left"), DEALT, 3, 2) == 0
    pack = list(SIX.deck)[: 6 * 17]
    hands = [Cards(pack[seat::6]) for seat in range(6)]
    assert [first_leader(SIX, hands, dealer) for dealer in (0, 5)] == [1, 0]


def test_what_is_no_first_lead() -> None:
    short = [DEALT[0] - Cards("2C"), *DEALT[1:]]
    assert refusals(first_leader, Rules(), short, -1, 4) == [
        ("wrong-hand-size", ("hands[0]",)),
        ("no-such-seat", ("dealer",)),
        ("no-such-seat", ("queen_taker",)),
    ]
    assert refusals(first_leader, Rules(), [DEALT[0]] * 4, 0) == [("extra-cards", ("hands",))]
    bags = [Cards()] * 200
    assert refusals(first_leader, Rules(), bags, 0)[0] == ("wrong-count", ("hands",))
    pack = list(SIX.deck)[: 6 * 17]
    hands = [Cards(pack[seat::6]) for seat in range(6)]
    assert refusals(first_leader, SIX, hands, 0, 1) == [("wrong-queen-taker", ("queen_taker", "rules"))]


@pytest.mark.parametrize(
    ("options", "card", "trick", "breaks"),
    [
        ({}, "2H", "", True),
        ({}, "2H", "AH", True),
        ({}, "2H", "9C", True),
        ({}, "QS", "9C", False),
        ({"hearts_break": HeartsBreak.DISCARDED}, "2H", "AH", False),
        ({"hearts_break": HeartsBreak.DISCARDED}, "2H", "9C", True),
        ({"queen_breaks": QueenBreaks.LED}, "QS", "", True),
        ({"queen_breaks": QueenBreaks.LED}, "QS", "9C", False),
        ({"queen_breaks": QueenBreaks.DISCARDED}, "QS", "9S", False),
        ({"queen_breaks": QueenBreaks.DISCARDED}, "QS", "9C", True),
        ({"queen_breaks": QueenBreaks.PLAYED}, "QS", "9S", True),
    ],
)
def test_what_breaks_hearts(options: dict[str, Any], card: str, trick: str, breaks: bool) -> None:
    cards = [Card(text) for text in trick.split()]
    assert card_breaks_hearts(Rules(**options), Card(card), cards) is breaks
    assert card_breaks_hearts(Rules(**options), Card(card), [Play(3, each) for each in cards]) is breaks


def test_what_cannot_break_hearts() -> None:
    two = [Card("2C"), Card("3C")]
    assert refusals(card_breaks_hearts, Rules(), Card("2C"), two) == [("too-many-copies", ("card", "trick"))]
    assert refusals(card_breaks_hearts, Rules(), Card("2H"), [*two, Card("4C"), Card("4C")]) == [
        ("complete-trick", ("trick",)),
        ("too-many-copies", ("trick",)),
    ]
    assert card_breaks_hearts(SIX, Card("2H"), [Card("2H")])


def test_who_takes_the_kitty() -> None:
    plain, point, heart = Cards("2C 3C 4C 5C 6C 7C"), Cards("2C 3C 4C 5C 6C QS"), Cards("2C 3C 4C 5C 6C 2H")
    taken = {
        kitty: [
            wins_kitty(Rules(players=6, decks=2, hand_size=17, kitty=kitty), cards, last_trick=last)
            for cards in (plain, point, heart)
            for last in (False, True)
        ]
        for kitty in Kitty
        if kitty is not Kitty.NONE
    }
    assert taken == {
        Kitty.FIRST_TRICK: [True] * 6,
        Kitty.FIRST_POINT: [False, False, True, True, True, True],
        Kitty.FIRST_HEART: [False, False, False, False, True, True],
        Kitty.LAST_TRICK: [False, True] * 3,
    }
    assert wins_kitty(SIX, plain + heart)
    assert not wins_kitty(Rules(), Cards("2H 3H 4H 5H"), last_trick=True)
    assert refusals(wins_kitty, SIX, Cards()) == [("part-of-a-trick", ("cards",))]
    assert refusals(wins_kitty, Rules(), Cards("2C 3C 4C 5C 6C 7C 8C 9C")) == [("part-of-a-trick", ("cards",))]
    assert refusals(wins_kitty, Rules(), Cards("2C 2C 4C")) == [
        ("extra-cards", ("cards",)),
        ("part-of-a-trick", ("cards",)),
    ]


def test_who_has_shot_the_moon() -> None:
    deck = Rules().deck
    hearts, queen = deck.of_suit(Suit.HEARTS), Cards("QS")
    rest = deck - hearts - queen
    assert moon_shooter(Rules(), [rest, hearts + queen, Cards(), Cards()], 0) == 1
    assert moon_shooter(Rules(), [rest, hearts, queen, Cards()], 0) is None
    assert moon_shooter(Rules(), [Cards()] * 4, 0) is None
    teams = rules_of("teams=2 moon_scope=team")
    assert moon_shooter(teams, [queen, rest, hearts, Cards()], 0) == 2
    assert moon_shooter(teams, [queen, rest, hearts, Cards()], 1) == 2
    assert moon_shooter(rules_of("moon=off"), [deck, Cards(), Cards(), Cards()], 0) is None
    assert refusals(moon_shooter, teams, [deck, queen], 7, exposed=[queen]) == [
        ("wrong-count", ("captured",)),
        ("wrong-count", ("exposed",)),
        ("extra-cards", ("captured",)),
        ("no-such-seat", ("dealer",)),
        ("not-exposable", ("exposed[0]",)),
    ]


def test_what_is_shown_may_say_which_partner_is_the_shooter() -> None:
    """Its taker has 12 points against 13 and is not the shooter; with 24 it is. `score_deal` asks the same player."""
    rules = rules_of("teams=2 moon_scope=team moon=choice exposable=QS queen_points=12")
    hearts = rules.deck.of_suit(Suit.HEARTS)
    piles = [
        Cards("QS 2C 3C 4C"),
        Cards(),
        hearts + Cards("5C 6C 7C"),
        rules.deck - hearts - Cards("QS 2C 3C 4C 5C 6C 7C"),
    ]
    exposed = [Cards("QS"), Cards(), Cards(), Cards()]
    assert moon_shooter(rules, piles, 0, exposed=()) == 2
    assert moon_shooter(rules, piles, 0, exposed=exposed) == 0
    for cards, shooter in (((), 2), (exposed, 0)):
        with pytest.raises(InvalidState, match=f"seat {shooter} shot the moon and must choose"):
            score_deal(rules, piles, (1, 0, 4, 8), deal_number=0, exposed=cards)


def test_who_has_won() -> None:
    assert winners(Rules(), (99, 0, 0, 3), 5) is None
    assert winners(Rules(), (100, 0, 0, 3), 5) is None
    assert winners(Rules(), (100, 1, 0, 3), 5) == (2,)
    assert winners(Rules(teams=2), (100, 1, 0, 3), 5) == (1, 3)
    assert winners(Rules(max_deals=5), (9, 1, 0, 3), 4) is None
    assert winners(Rules(max_deals=5), (9, 1, 0, 3), 5) == (2,)
    by_moon = rules_of("teams=2 moon=shooter-wins")
    assert winners(by_moon, (40, 1, 0, 3), 2, shooter=None) is None
    assert winners(by_moon, (40, 1, 0, 3), 2, shooter=2) == (0, 2)
    assert winners(Rules(), (40, 1, 0, 3), 2, shooter=2) is None
    assert refusals(winners, by_moon, (40, 1, 0, 3), 2, shooter=4) == [("no-such-seat", ("shooter",))]
    assert refusals(winners, Rules(), (1, 2, 3), -5) == [
        ("wrong-count", ("scores",)),
        ("out-of-range", ("deals_played",)),
    ]
    assert refusals(winners, Rules(), (1, 2, 3, 4), 10**5000) == [("out-of-range", ("deals_played",))]


def test_the_winner_of_the_last_trick() -> None:
    void = [Play((2 + place) % 6, Card(text)) for place, text in enumerate(["JC", "JC", "TC", "TC", "9C", "9C"])]
    leader = rules_of("players=6 decks=2 hand_size=17 kitty=last-trick void_last_trick=leader")
    assert [trick_winner(leader, void, last_trick=last) for last in (False, True)] == [None, 2]
    assert [trick_winner(SIX, void, last_trick=last) for last in (False, True)] == [None, None]


# ------------------------------------------------------------------------------------ facts that cannot be


@pytest.mark.parametrize(
    ("hand", "trick", "expected"),
    [
        ("7S QS", "6S QS", [("too-many-copies", ("hand", "trick"))]),
        ("7S", "6S 5S TC 9S", [("complete-trick", ("trick",))]),
        ("7S 7S", "", [("too-many-copies", ("hand",))]),
        ("7S 7S", "7S", [("too-many-copies", ("hand",))]),
        ("7S", "6S 6S", [("too-many-copies", ("trick",))]),
        ("6S", "6S 6S", [("too-many-copies", ("trick",))]),
        (
            "7S QS QS",
            "6S 6S 7S 2C 3C",
            [
                ("complete-trick", ("trick",)),
                ("too-many-copies", ("trick",)),
                ("too-many-copies", ("hand",)),
                ("too-many-copies", ("hand", "trick")),
            ],
        ),
    ],
)
def test_cards_that_cannot_be_in_hand_and_trick(
    hand: str, trick: str, expected: list[tuple[str, tuple[str, ...]]]
) -> None:
    cards = [Card(text) for text in trick.split()]
    assert refusals(legal_cards, Rules(), Cards(hand), trick=cards, **LATER) == expected
    assert refusals(why_illegal_card, Rules(), Cards(hand), Card("7S"), trick=cards, **LATER) == expected


def test_two_decks_have_every_card_twice() -> None:
    assert legal_cards(SIX, Cards("QS QS 2H"), trick=[Card("6S"), Card("6S")], **LATER) == Cards("QS")
    assert legal_cards(SIX, Cards("QS 2H"), trick=[Card("6S"), Card("QS")], **LATER) == Cards("QS")
    both = [("too-many-copies", ("hand", "trick"))]
    assert refusals(legal_cards, SIX, Cards("QS QS"), trick=[Card("QS")], **LATER) == both
    assert refusals(legal_cards, SIX, Cards("QS"), trick=[Card("QS"), Card("QS")], **LATER) == both
    few = Rules(players=5, removed="2D 2C")
    assert refusals(legal_cards, few, Cards("2D 3D"), **LATER) == [("foreign-cards", ("hand",))]
    assert refusals(legal_cards, few, Cards("3D"), trick=[Card("2D")], **LATER) == [("foreign-cards", ("trick",))]


def test_the_plays_of_a_trick_go_round() -> None:
    hand = Cards("7S")
    wrong = [("wrong-order", ("trick",))]
    assert legal_cards(Rules(), hand, trick=[Play(3, Card("2S")), Play(0, Card("3S"))], **LATER) == hand
    assert legal_cards(Rules(), hand, trick=[Card("2S"), Play(0, Card("3S")), Card("4S")], **LATER) == hand
    for trick in ([Play(3, "2S"), Play(1, "3S")], [Play(3, "2S"), Card("3S"), Play(2, "4S")]):
        assert refusals(legal_cards, Rules(), hand, trick=trick, **LATER) == wrong
    assert refusals(legal_cards, Rules(), hand, trick=[Play(4, "2S")], **LATER) == [("no-such-seat", ("trick",))]


TOGETHER = "`hand` and `trick` together have more copies of"


def test_only_what_may_be_shown_can_have_been() -> None:
    expected = [("not-exposable", ("exposed",))]
    assert refusals(legal_cards, Rules(), Cards("7S QS"), exposed=Cards("QS"), **LATER) == expected
    shown = {"exposed": Cards("QS KS"), "suits_led": ()}
    assert refusals(legal_cards, Rules(exposable="QS"), Cards("7S QS"), **shown, **LATER) == expected


@pytest.mark.parametrize(
    ("hand", "trick", "exposed", "expected"),
    [
        (
            "7S QS QS 2D 2D",
            "6S 6S 7S 2C 3C",
            "",
            [
                "trick has 5 cards, but an unfinished trick has at most 3",
                "trick contains 6S twice, but one copy is in play",
                "hand has more copies of 2D QS than are in play",
                f"{TOGETHER} 7S than are in play: remove played cards from `hand`",
            ],
        ),
        ("7S", "6S 6H TD TC", "", ["trick has 4 cards, but an unfinished trick has at most 3"]),
        (
            "7S QS",
            "",
            "2C QS KS",
            ["exposed contains 2C KS, but they may not be exposed under these rules: use only cards of `exposable`"],
        ),
    ],
)
def test_refusals_name_the_cards(hand: str, trick: str, exposed: str, expected: list[str]) -> None:
    cards = [Card(text) for text in trick.split()]
    with pytest.raises(InvalidState) as caught:
        legal_cards(Rules(exposable="QS"), Cards(hand), trick=cards, exposed=Cards(exposed), suits_led=(), **LATER)
    assert [str(problem) for problem in caught.value.problems] == expected


def test_only_of_the_last_trick_it_is_asked_who_takes_it_if_nobody_wins() -> None:
    rules = rules_of("void_last_trick=leader", SIX)
    plays = [Play(seat, Card(text)) for seat, text in enumerate(["5S", "5S", "6S", "6S", "7S", "7S"])]
    assert [winning_seat(rules, plays[:count]) for count in range(7)] == [None, 0, None, 2, None, 4, None]
    assert refusals(trick_winner, rules, plays) == [("missing-argument", ("last_trick",))]
    assert trick_winner(rules, plays, last_trick=False) is None
    assert trick_winner(rules, plays, last_trick=True) == 0


def test_too_many_plays_are_told_before_all_else() -> None:
    plays = [Play(seat % 4, Card(text)) for seat, text in enumerate(["2C", "2C", "3C", "4C", "5C"])]
    assert [code for code, _ in refusals(winning_seat, Rules(), plays)][:2] == ["too-many-plays", "too-many-copies"]


CLUBS_OF_SIX = Cards("2C 3C 4C 5C 6C 7C")
TAKEN_BY_ONE = [Rules().deck, Cards(), Cards(), Cards()]
ALONE = (13, 0, 0, 0)
MISSING: list[tuple[str, str, Callable[[Rules], object]]] = [
    ("exposed", "exposable=QS", lambda rules: legal_cards(rules, Cards("2C"), **LATER)),
    ("suits_led", "exposable=QS", lambda rules: legal_cards(rules, Cards("QS"), exposed=[Card("QS")], **LATER)),
    ("exposed", "exposable=QS exposure=rounds", lambda rules: why_illegal_exposure(rules, Cards("QS"), Cards("QS"))),
    (
        "dealt_back", "pass_cycle=M3",
        lambda rules: exchange_gifts(rules, DEALT, [hand[:3] for hand in DEALT], rules.pass_plan(0)),
    ),
    ("queen_taker", "opening_leader=queen-taker", lambda rules: first_leader(rules, DEALT, 0)),
    ("last_trick", "players=6 decks=2 kitty=last-trick", lambda rules: wins_kitty(rules, CLUBS_OF_SIX)),
    ("exposed", "exposable=QS", lambda rules: moon_shooter(rules, TAKEN_BY_ONE, 0)),
    ("exposed", "exposable=QS", lambda rules: score_deal(rules, TAKEN_BY_ONE, ALONE)),
    ("shooter", "moon=shooter-wins", lambda rules: winners(rules, (1, 2, 3, 4), 1)),
    *[
        ("totals", fields, lambda rules: score_deal(rules, TAKEN_BY_ONE, ALONE, deal_number=0))
        for fields in (
            "moon=auto-save", "moon=shooter-to-zero", "exact_resets=100:50",
            "bonuses=JD:10 bonus_floor=total", "no_tricks_bonus=5 total_floor=yes",
        )
    ],
    *[
        ("deal_number", fields, lambda rules: score_deal(rules, TAKEN_BY_ONE, ALONE, (0, 0, 0, 0)))
        for fields in ("teams=2 moon_scope=team", "moon=auto-save max_deals=8")
    ],
]  # fmt: skip


@pytest.mark.parametrize(("name", "fields", "ask"), MISSING)
def test_what_these_rules_depend_on_must_be_given(name: str, fields: str, ask: Callable[[Rules], object]) -> None:
    rules = rules_of(fields)
    with pytest.raises(InvalidState, match=f"^`{name}` is missing, but ") as caught:
        ask(rules)
    assert [(problem.code, problem.fields) for problem in caught.value.problems] == [("missing-argument", (name,))]


def test_what_no_rule_depends_on_may_be_left_out() -> None:
    assert first_leader(Rules(), DEALT, 0) == first_leader(Rules(), DEALT, 0, None)
    assert score_deal(Rules(), TAKEN_BY_ONE, ALONE).totals == (0, 26, 26, 26)
    assert winners(Rules(), (1, 2, 3, 4), 1) is None
    assert not wins_kitty(Rules(), Cards("2C 3C 4C 5C"))
    # Nothing is led before the first trick, and a card that nobody may show waits for nothing.
    assert legal_cards(
        Rules(exposable="QS"), Cards("QS 2C"), exposed=[Card("QS")], first_trick=True, hearts_broken=False
    )


CARDS_OF_DEAL = [Rules().deck[place::4] for place in range(4)]
ASKED: list[tuple[Callable[..., object], list[Any], dict[str, Any]]] = [
    (legal_cards, [Cards("QS 3C")], {"trick": [Card("2C"), Card("KC")], "exposed": Cards("QS"), "suits_led": ()}),
    (why_illegal_card, [Cards("QS 3C"), Card("QS")], {"trick": [Card("2C")], "exposed": Cards(), "suits_led": ()}),
    (why_illegal_deal, [CARDS_OF_DEAL], {}),
    (why_illegal_pass, [Cards("QS KS AS"), [Cards("QS"), Cards("KS 2H")], ((1, 1), (-1, 2))], {}),
    (why_illegal_exposure, [Cards("QS 2H"), Cards("QS 2H"), Cards()], {}),
    (exchange_gifts, [CARDS_OF_DEAL, [[hand[:1], hand[1:3]] for hand in CARDS_OF_DEAL], ((1, 1), (-1, 2))], {}),
    (first_leader, [CARDS_OF_DEAL, 0], {}),
    (card_breaks_hearts, [Card("2H"), [Card("9C")]], {}),
    (wins_kitty, [Cards("2C 3C 4C 2H")], {}),
    (moon_shooter, [[Cards(), Rules().deck, Cards(), Cards()], 0], {"exposed": [Cards()] * 4}),
    (score_deal, [[Cards(), Rules().deck, Cards(), Cards()], [0, 13, 0, 0]], {"exposed": [Cards()] * 4}),
]


def _as_texts(value: Any) -> Any:
    if isinstance(value, (Card, Cards)):
        return str(value)
    return [_as_texts(item) for item in value] if isinstance(value, list) else value


def _as_lists(value: Any) -> Any:
    if isinstance(value, Cards):
        return list(map(str, value))
    return [_as_lists(item) for item in value] if isinstance(value, list) else value


@pytest.mark.parametrize(("ask", "args", "named"), ASKED)
def test_cards_may_be_texts_or_lists(ask: Callable[..., object], args: list[Any], named: dict[str, Any]) -> None:
    rules = Rules(exposable="QS", exposure="rounds", pass_cycle=["L1+R2"], decks=1)
    if ask in (legal_cards, why_illegal_card):
        named = {**named, "first_trick": False, "hearts_broken": False}
    expected = ask(rules, *args, **named)
    for spelled in (_as_texts, _as_lists):
        assert ask(rules, *spelled(args), **{name: spelled(value) for name, value in named.items()}) == expected


def test_the_cards_of_the_only_gift_need_no_brackets() -> None:
    hand, gift = Cards("QS KS AS 2H"), Cards("QS KS AS")
    for cards in (gift, "QS KS AS", [gift], ["QS KS AS"], list(gift), ["QS", "KS", "AS"]):
        for plan in (left(3), "L3", "l3", [[1, 3]]):
            assert why_illegal_pass(Rules(), hand, cards, plan) == ()  # type: ignore[arg-type]
    with pytest.raises(InvalidState, match="`plan` is not in the pass cycle"):
        why_illegal_pass(Rules(), hand, gift, "left 3")
