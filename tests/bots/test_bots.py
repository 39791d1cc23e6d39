"""Bots: legal moves in every phase of every rule set, from nothing but the view; sense; and matches between them."""

from __future__ import annotations

import pickle
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from hashlib import sha256
from pathlib import Path
from random import Random
from typing import Any

import attrs
import pytest
from hypothesis import event, given, settings
from hypothesis import strategies as st

from heartsrules import (
    AwaitingDeal,
    Card,
    Cards,
    ChooseMoon,
    ChoosingMoon,
    Deal,
    Expose,
    GameOver,
    IllegalMove,
    InvalidSeat,
    Move,
    Pass,
    Play,
    Playing,
    Rules,
    ScoreSheet,
    State,
    Suit,
    View,
    apply,
    deal,
    legal_moves,
    new_game,
    presets,
    public_view,
    to_act,
    view,
)
from heartsrules.analysis import prospects
from heartsrules.analysis.allocation import try_where_close
from heartsrules.analysis.playout import playout
from heartsrules.analysis.policies import Policy, Watchful
from heartsrules.analysis.trials import Trials, Tried, lead
from heartsrules.bots import Bot, Learned, Sampling, bot_named, heuristic, options, uniform
from heartsrules.bots.heuristic import _card_values, _PlayEvaluator, heuristic_passes
from heartsrules.bots.sampling import _best
from heartsrules.chance import Bits, RandomStream
from heartsrules.play.legality import CardChoice
from heartsrules.play.phases import Phase
from heartsrules.rules import (
    Bonus,
    Compulsory,
    Doubler,
    FirstTrick,
    Kitty,
    Moon,
    MoonCards,
    OpeningCard,
    OpeningLeader,
    PassOptional,
    TargetScope,
)
from heartsrules.setup import set_up
from heartsrules.simulation import Comparison, Estimate, play_deal, play_match, tournament
from heartsrules.simulation.ratings import student
from heartsrules.testing import strategies as hearts
from heartsrules.views import PassingView, PlayingView
from heartsrules.views.worlds import sample_world
from support.rounds import examples

pytestmark = pytest.mark.once_compiled

QUICK = Sampling(worlds=2)
BOTS: dict[str, Bot] = {"uniform": uniform, "heuristic": heuristic, "sampling": QUICK, "learned": Learned()}
EVERY_BOT = pytest.mark.parametrize("bot", BOTS.values(), ids=BOTS)
ACTING = (Phase.PASS, Phase.EXPOSE, Phase.PLAY, Phase.MOON)


# -------------------------------------------------------------------------------------------------- any rules, any view


@pytest.mark.untraced
@EVERY_BOT
@settings(max_examples=examples(60))
@given(data=st.data())
def test_a_bot_makes_legal_moves_in_every_phase_of_every_rule_set(bot: Bot, data: st.DataObject) -> None:
    state = data.draw(hearts.states(phases=ACTING))
    seed = data.draw(st.integers(0, 999))
    event(f"phase {state.phase.name}")
    for seat in sorted(to_act(state)):
        seen = view(state, seat)
        move = bot(seen, Random(seed))
        assert move in legal_moves(state, seat)
        assert move == bot(seen, Random(seed)), "equal views and equal bits give equal moves"


@EVERY_BOT
def test_a_hand_is_passed_to_the_last_card(bot: Bot) -> None:
    """The hand can be passed in two ways, of which a bot that samples tries one or none in worlds."""
    removed = Rules().deck - Cards("2C 3C 4D KD QS AH")
    state = new_game(Rules(players=3, removed=removed, pass_cycle=(((1, 1), (-1, 1)),)))
    for number in range(8):
        passing = apply(state, deal(state, seed=number))
        assert bot(view(passing, 0), Random(number)) in legal_moves(passing, 0)


@EVERY_BOT
@settings(max_examples=examples(40))
@given(data=st.data())
def test_a_bot_chooses_by_its_view_alone(bot: Bot, data: st.DataObject) -> None:
    state = data.draw(hearts.states(phases=ACTING).filter(to_act))
    seed = data.draw(st.integers(0, 999))
    seat = min(to_act(state))
    seen = view(state, seat)
    # Another state that this seat cannot tell from the first.
    world = sample_world(seen, Random(seed))
    event(f"another state: {world != state}")
    assert bot(view(world, seat), RandomStream(seed)) == bot(seen, RandomStream(seed))


@pytest.mark.long
@EVERY_BOT
@settings(max_examples=examples(15))
@given(table=hearts.rules(), seed=st.integers(0, 999))
def test_bots_play_whole_deals_of_every_rule_set(bot: Bot, table: Rules, seed: int) -> None:
    end = play_match(table, [bot] * table.players, seed=seed, deals=1)
    assert isinstance(end, GameOver) or end.deal_number == 1


@pytest.mark.sampled(4)
@pytest.mark.parametrize("name", sorted(presets.ALL))
def test_bots_play_every_preset(name: str) -> None:
    preset = presets.ALL[name]
    for players in {preset.players[0], preset.players[-1]}:
        rules = preset(players)
        seats: list[Bot] = [QUICK, heuristic, uniform, *[heuristic] * (players - 3)]
        # Two deals: the second one passes where the first did not, or the other way round.
        end = play_match(rules, seats, seed=name, deals=2)
        assert end.score_sheet


@EVERY_BOT
def test_a_bot_has_nothing_to_do_out_of_turn(bot: Bot) -> None:
    start = new_game(Rules(pass_cycle=[()]))
    dealt = apply(start, deal(start, seed=1))
    assert isinstance(dealt, Playing)
    waiting = (dealt.turn + 1) % 4
    with pytest.raises(ValueError, match=f"seat {waiting} has nothing to do"):
        bot(view(dealt, waiting), Random(1))
    with pytest.raises(ValueError, match="a spectator has nothing to do"):
        bot(public_view(dealt), Random(1))
    with pytest.raises(TypeError, match="view must be a View, not a Playing"):
        bot(dealt, Random(1))  # type: ignore[arg-type]


def test_options_are_the_legal_moves_of_the_seat() -> None:
    start = new_game(Rules())
    dealt = apply(start, deal(start, seed=1))
    assert options(view(dealt, 2)) == legal_moves(dealt, 2)


def test_uniform_chooses_every_move_equally_often() -> None:
    state = set_up(
        Rules(),
        hands=[Cards("2D 9D QS"), Cards("3D 4D 5D"), Cards("6D 7D 8D"), Cards("TD JD QD")],
        leader=0,
        captured=[Rules().deck - Cards("2D 9D QS 3D 4D 5D 6D 7D 8D TD JD QD"), Cards(), Cards(), Cards()],
    )
    rng = Random(1)
    chosen = [uniform(view(state, 0), rng) for _ in range(3000)]
    for move in legal_moves(state):
        assert 900 < chosen.count(move) < 1100


# ------------------------------------------------------------------------------------------ sense, position by position

PLAIN = Rules(pass_cycle=[()])
OMNIBUS = Rules(pass_cycle=[()], bonuses=[Bonus(Card("JD"), 10)])
PARTNERS = Rules(pass_cycle=[()], teams=2)
DOUBLED = Rules(pass_cycle=[()], bonuses=[Bonus(Card("JD"), 30)], doubler=Doubler(Card("TC"), 2, 20))
NOW = Rules(pass_cycle=[()], compulsory=Compulsory.ALWAYS)
ALL_HEARTS = Rules(pass_cycle=[()], moon_cards=MoonCards.HEARTS)
KINGS = Rules(pass_cycle=[()], extra_penalties=[(Card("KS"), 5)], moon_cards=MoonCards.HEARTS_AND_QUEEN)


def position(
    rules: Rules,
    hands: list[str],
    trick: str = "",
    *,
    leader: int = 0,
    piles: list[str] | None = None,
    scores: tuple[int, ...] | None = None,
) -> Playing:
    """A position in the middle of a deal. The cards that are nowhere else have been won, in card order and a trick at a
    time, by each seat in turn; or, if piles are given, by seat 1, besides those piles."""
    bags = [Cards(hand) for hand in hands]
    won = [Cards(pile) for pile in piles or [""] * rules.players]
    rest = list(rules.deck - sum([*bags, *won], start=Cards(trick)))
    for number in range(0, len(rest), rules.players):
        seat = number // rules.players % rules.players if piles is None else 1
        won[seat] += Cards(rest[number : number + rules.players])
    plays = [Card(card) for card in trick.split()]
    return set_up(
        rules,
        hands=bags,
        leader=leader,
        trick=plays,
        captured=won,
        hearts_broken=True,
        scores=scores,
        deal_number=0 if scores is None else 4,
    )


SENSIBLE: dict[str, tuple[Playing, str]] = {
    "plays as high as is safe": (position(PLAIN, ["9D", "2D", "3S 7S", "AS KD"], "8S 4S"), "7S"),
    "wins the last place high": (position(PLAIN, ["9D 2C", "2D 4C", "3C 5C", "9S JS 5D"], "2S 3S 4S"), "JS"),
    "lets the queen go under the king": (position(PLAIN, ["9D", "2S QS", "3S 5D", "7S 6S"], "KS"), "QS"),
    "discards the queen": (position(PLAIN, ["9D", "2S QS", "3S 5D", "7S JS"], "KD"), "QS"),
    "does not take the queen": (position(PLAIN, ["3S AS", "2D 9D", "7S 6S", "5D"], "QS", leader=3), "3S"),
    "takes the bonus card": (position(OMNIBUS, ["9S", "8C", "6S", "2D KD"], "5D JD 3D"), "KD"),
    "does not discard the bonus card": (position(OMNIBUS, ["9D", "2H JD", "3S 5D", "7S JS"], "KS"), "2H"),
    "discards hearts on an opponent": (position(PARTNERS, ["9D", "AH AC", "3S 5D", "7S JS"], "KS"), "AH"),
    "stops a shooter": (
        position(
            PLAIN, ["2S", "3D", "9C", "2H KH"], "9H 5H 7H", piles=["3H 4H 6H 8H TH JH QH AH JS QS KS AS", "", "", ""]
        ),
        "KH",
    ),
    "keeps the ace of hearts from a shooter": (
        position(
            PLAIN,
            ["KH 8H 6D QD", "QH 2H 4D 9S", "AH 7D 9D TD 7S", "9H 6H 7H 8C 2D"],
            "AC QS",
            piles=["3H 4H 5H TH JH 2S 3S 4S", "", "", ""],
        ),
        "7S",
    ),
    "stops a shooter with a club, early enough": (
        position(
            PLAIN,
            ["KH QS QH AH", "7D KC 3C TS 8D", "9S 4C 8S 2C 2D", "2H 6H JH 9H"],
            "TC 5H",
            leader=3,
            piles=["", "", "", "7H 8H TH 3H 4H 2S 3S 4S"],
        ),
        "KC",
    ),
    "takes the doubler when there is nothing else to take": (
        position(DOUBLED, ["9S", "8D", "6S", "2C KC"], "5C TC 3C", piles=["2D 3D 4D JD", "", "2H 6C 7C 8C", ""]),
        "KC",
    ),
    "takes the doubler with a bonus card": (
        position(DOUBLED, ["9S", "8D", "6S", "2C KC"], "5C TC 3C", piles=["2D 3D 4D 5D", "", "", "2H 3H 6D JD"]),
        "KC",
    ),
    "does not take the doubler with the queen": (
        position(DOUBLED, ["9S", "8D", "6S", "2C KC"], "5C TC 3C", piles=["2D 3D 4D JD", "", "", "2H 4C 6C QS"]),
        "2C",
    ),
    "does not take a heart that ends the doubler's being alone": (
        position(
            attrs.evolve(DOUBLED, heart_values=(0,) * 12 + (1,)),
            ["9S", "8D", "6S", "2C KC"],
            "JC 4H 3C",
            piles=["2D 3D 4D JD", "", "2H 6D 7D AH", "4C 6C 7C TC"],
        ),
        "2C",
    ),
    "gives the doubler to who has the queen": (
        position(
            Rules(pass_cycle=[()], doubler=Doubler(Card("TC"))),
            ["9S", "8D", "6S", "TC KD"],
            "9H 4H 3H",
            piles=["2D 3D 4D QS", "", "2H 6C 7C 8C", "2C 3C 4C 5C"],
        ),
        "TC",
    ),
    "drives out a queen that must be played": (position(NOW, ["2S AS 3D", "QS 7D JD", "9D 4D QD", "TD 8D KD"]), "2S"),
    "stops a shooter of the hearts, whoever has the queen": (
        position(
            ALL_HEARTS,
            ["2S", "3D", "9C", "2H KH"],
            "9H 5H 7H",
            piles=["3H 4H 6H 8H TH JH QH AH JS KS AS 2C", "QS 3C 4C 5C", "", ""],
        ),
        "KH",
    ),
    "keeps the queen for the end of a moon": (
        position(PLAIN, ["JD QS", "2C 2S", "3C 3S", "4C 2H"], piles=["3H 4H 5H 6H 7H 8H 9H TH JH QH KH AH"] + [""] * 3),
        "JD",
    ),
    "draws the queen at the end of a moon": (
        position(PLAIN, ["JD KS", "2C QS", "3C 3S", "4C 2H"], piles=["3H 4H 5H 6H 7H 8H 9H TH JH QH KH AH"] + [""] * 3),
        "JD",
    ),
    "leads what it can lose": (position(PLAIN, ["2D AD", "7D 2H", "9D 3H", "TD 4H"]), "2D"),
}


@pytest.mark.parametrize(("state", "card"), SENSIBLE.values(), ids=SENSIBLE)
def test_the_heuristic_player_is_sensible(state: Playing, card: str) -> None:
    assert heuristic(view(state, state.turn), Random(1)) == Play(state.turn, Card(card))


@pytest.mark.parametrize(
    ("kitty", "card"),
    [(Kitty.FIRST_TRICK, "7D"), (Kitty.FIRST_POINT, "AD"), (Kitty.FIRST_HEART, "AD"), (Kitty.LAST_TRICK, "AD")],
)
def test_the_heuristic_player_leaves_a_kitty_to_others(kitty: Kitty, card: str) -> None:
    # The last player to a first trick without points gets rid of its ace, unless it would be given the kitty for it.
    rules = Rules(
        pass_cycle=[()],
        hand_size=12,
        kitty=kitty,
        opening_leader=OpeningLeader.DEALER_LEFT,
        opening_card=OpeningCard.ANY,
        first_dealer=3,
    )
    own = Cards("7D AD 2C 3C 4C 5C 6C 2S 3S 4S 2H 3H")
    trick = [Card("8D"), Card("4D"), Card("3D")]
    rest = list(rules.deck - own - Cards(trick))
    hands = [Cards(rest[:11]), Cards(rest[11:22]), Cards(rest[22:33]), own]
    state = set_up(rules, hands=hands, leader=0, trick=trick)
    assert heuristic(view(state, 3), Random(1)) == Play(3, Card(card))


def test_the_heuristic_player_shoots_when_all_the_rest_is_its_own() -> None:
    hands = ["AC AH", "2C 3C", "4C 2H", "5C 3H"]
    state: State = position(PLAIN, hands, piles=["QS 4H 5H 6H 7H 8H 9H TH JH QH KH 2S", "", "", ""])
    while isinstance(state, Playing):
        state = apply(state, heuristic(view(state, state.turn), Random(1)))
    assert state.score_sheet[-1].shooter == 0


@pytest.mark.parametrize(
    ("pile", "left", "worth"),
    [
        ("", "", -20.0),
        ("2C", "3C 4C", -20.0),
        ("QS", "", 26.0),
        ("JD", "", -60.0),
        ("JD QS 2H", "3C", -32.0),
        # A heart worth 1 is still to be won, by a quarter of the players and so with this chance not by this one.
        ("2C", "2H 3C", -20 * 0.75**0.5 + (1 - 0.75**0.5) * 2 * 0.2),
    ],
)
def test_the_doubler_is_worth_what_it_does_to_the_pile(pile: str, left: str, worth: float) -> None:
    rules = Rules(bonuses=[Bonus(Card("JD"), 30)], doubler=Doubler(Card("TC"), 3, 20))
    worths = _card_values(rules, Cards(pile), Cards(left), rules._resolved)
    assert worths[Card("TC")] == pytest.approx(worth)
    assert (worths[Card("JD")], worths[Card("QS")], worths[Card("2C")]) == (-30, 13, 0)


# Another seat leads first, so that a test may say which.
GONG_ZHU = attrs.evolve(presets.gong_zhu(4), opening_leader=OpeningLeader.DEALER_LEFT)


@pytest.mark.parametrize("teams", [0, 2])
@pytest.mark.parametrize(
    ("hand", "shown"),
    [
        # The queen with low cards below her, and without.
        ("2S 3S 4S 5S 6S QS 2C 3C 4C 2D 3D 4D 5D", "QS"),
        ("QS AS KS 2C 3C 4C 5C 6C 2D 3D 4D 5D 9H", ""),
        # The jack with higher cards, with many lower ones, and alone.
        ("2D 3D JD KD AD 9C QC KC 8S 9S JS KS 9H", "JD"),
        ("2D 3D 4D 5D 6D JD 9C QC KC 8S 9S JS KH", "JD"),
        ("JD 7C 9C QC KC 8S 9S JS KS AS 9H TH KH", ""),
        # The doubler with low cards below it, and with higher ones.
        ("2C 3C 4C 5C 6C TC 8S 9S JS KS 9D TD KH", "TC"),
        ("TC JC QC AC 8S 9S JS KS AS 9D TD QD KH", ""),
        # The ace with low cards in all suits, with the moon, and with high cards.
        ("2C 3C 4C 2D 3D 4D 2S 3S 4S 2H 3H 4H AH", "AH"),
        ("AC KC AD KD AS KS 8H 9H TH JH QH KH AH", "AH"),
        ("9C QC KC 9D QD KD 8S 9S JS KS JH QH AH", ""),
    ],
)
def test_what_the_heuristic_player_shows(hand: str, shown: str, teams: int) -> None:
    # A partner changes nothing: it takes its share of what this hand does not take.
    start = new_game(attrs.evolve(GONG_ZHU, teams=teams))
    own = list(Cards(hand))
    rest = list(GONG_ZHU.deck - Cards(hand))
    hands = [Cards(own), *[Cards(rest[number::3]) for number in range(3)]]
    state = apply(start, Deal(hands, Cards()))
    assert heuristic(view(state, 0), Random(1)) == Expose(0, Cards(shown))


def test_a_shown_card_comes_only_from_its_holder_and_not_while_it_is_held_back() -> None:
    start = new_game(GONG_ZHU)
    hands = [Cards(hand) for hand in ("QS 2S 3S", "4S 5S 6S", "7S 8S 9S", "TS JS KS")]
    rest = list(GONG_ZHU.deck - sum(hands, start=Cards()))
    dealt = apply(start, Deal([hand + Cards(rest[n::4]) for n, hand in enumerate(hands)], Cards()))
    for shown in ("QS", ""):
        state: State = dealt
        for seat in range(4):
            state = apply(state, Expose(seat, Cards(shown if seat == 0 else "")))
        for play in (Play(1, Card("4S")), Play(2, Card("7S"))):
            state = apply(state, play)
        seen = view(state, 3)
        assert isinstance(seen, PlayingView)
        evaluator = _PlayEvaluator(seen)
        # Only seat 0 is still to play: of the higher cards it may hold the queen, which it must hold back, and the ace.
        assert evaluator._may_come(Card("QS")) is (not shown)
        assert evaluator._may_come(Card("AS"))
        assert evaluator.worth[Card("QS")] == (200 if shown else 100)


@pytest.mark.parametrize("factor", [2, 5])
def test_who_has_the_doubler_pays_for_each_point_as_often(factor: int) -> None:
    def price(holder: int) -> float:
        """What it costs seat 3 more to take a trick of two points than not to take it."""
        rules = Rules(pass_cycle=[()], doubler=Doubler(Card("TC"), factor))
        piles = ["2D 3D 4D 7C", "", "4H 6H 7D 8C", "QS 5H 9D 9C"]
        piles[holder] = piles[holder].replace(piles[holder][-2:], "TC")
        state = position(rules, ["9S", "8D", "6S", "2C KC"], "5C 3H 2H", piles=piles)
        seen = view(state, 3)
        assert isinstance(seen, PlayingView)
        evaluator = _PlayEvaluator(seen)
        liability = evaluator.hand_evaluator.liability
        dearer = liability(Suit.CLUBS, Cards("2C")) - liability(Suit.CLUBS, Cards("KC"))
        return evaluator.cost(Play(3, Card("KC"))) - evaluator.cost(Play(3, Card("2C"))) - dearer

    assert price(0) == pytest.approx(2)
    assert price(3) == pytest.approx(2 * factor)


@pytest.mark.parametrize(("spoiled", "shot"), [("KS", True), ("QS", False)])
def test_only_the_cards_of_the_moon_spoil_it(spoiled: str, shot: bool) -> None:
    hands = ["AC AH", "2C 3C", "4C 2H", "5C 3H"]
    own = "QS 4H 5H 6H 7H 8H 9H TH JH QH KH KS".replace(spoiled, "2S")
    state: State = position(KINGS, hands, piles=[own, f"{spoiled} 2D 3D 4D", "", ""])
    first = heuristic(view(state, 0), Random(1))
    assert first == Play(0, Card("AH" if shot else "AC"))
    while isinstance(state, Playing):
        state = apply(state, heuristic(view(state, state.turn), Random(1)))
    assert (state.score_sheet[-1].shooter == 0) == shot


@pytest.mark.parametrize(
    ("options", "threat"),
    [
        ({}, 1.0),
        ({"moon": Moon.BOTH}, 2.0),
        ({"moon": Moon.OTHERS_PAY}, 4.0),
        ({"moon_factor": 3}, 3.0),
        ({"moon": Moon.SHOOTER_TO_ZERO}, 52 / 26),
        ({"moon": Moon.SHOOTER_WINS}, 100 / 26),
    ],
)
def test_a_moon_threatens_what_it_does(options: Any, threat: float) -> None:
    hands = ["AC", "2C", "QH", "KH"]
    piles = ["QS 2H 3H 4H 5H 6H 7H 8H 9H TH JH AH", "", "", ""]

    def of(rules: Rules) -> float:
        seen = view(position(rules, hands, piles=piles, scores=(52, 10, 20, 30)), 1)
        assert isinstance(seen, PlayingView)
        return _PlayEvaluator(seen).stake

    assert of(attrs.evolve(PLAIN, **options)) == pytest.approx(threat * of(PLAIN))


def passing(rules: Rules, hand: str) -> PassingView:
    """A view of seat 0 that has been dealt a hand."""
    rest = list(rules.deck - Cards(hand))
    size = rules.cards_per_hand
    dealt = len(rest) - rules.kitty_size
    hands = [Cards(hand), *[Cards(rest[start : start + size]) for start in range(0, dealt, size)]]
    seen = view(apply(new_game(rules), Deal(hands, Cards(rest[dealt:]))), 0)
    assert isinstance(seen, PassingView)
    return seen


PASSES: dict[str, tuple[Rules, str, str]] = {
    "high spades without cover": (Rules(), "2C 4C 5C 7C 3D 6D 8D 9D QS KS AS 2H 3H", "QS KS AS"),
    "the ace and the king, with few low spades": (Rules(), "2C 4C 5C 7C 3D 6D 8D 4S 7S KS AS 2H 3H", "8D KS AS"),
    "of the ace and the king one, with low spades beside the other": (
        Rules(),
        "2C 4C 5C 7C 3D 6D 8D 2S 4S 7S KS AS KH",
        "8D AS KH",
    ),
    "a guarded queen stays": (Rules(), "2C 3C 2D 3D 2S 3S 4S 5S 7S QS QH KH AH", "QH KH AH"),
    "a queen that is played at once": (
        Rules(compulsory=Compulsory.NOT_LEAD),
        "2C 3C 2D 3D 2S 3S 4S 5S 7S QS QH KH AH",
        "QS KH AH",
    ),
    "what may be passed only": (
        Rules(unpassable=Cards("QS KS AS")),
        "2C 3C 4C 5C 2D 3D 4D AD QS KS AS 2H AH",
        "AD 2H AH",
    ),
}


@pytest.mark.parametrize(("rules", "hand", "best"), PASSES.values(), ids=PASSES)
def test_the_heuristic_player_passes_what_is_dangerous(rules: Rules, hand: str, best: str) -> None:
    seen = passing(rules, hand)
    passes = heuristic_passes(seen, Random(1), 8)
    assert passes[0] == Pass(0, Cards(best))
    assert heuristic(seen, Random(2)) == passes[0]
    assert len(set(passes)) == len(passes) == 8
    assert all(move in legal_moves(seen) for move in passes)


def test_a_partner_gets_the_harmless_gifts() -> None:
    rules = Rules(teams=2, pass_cycle=[((2, 1), (1, 2))])
    move = heuristic(passing(rules, "2C 4C 5C 7C 3D 6D 8D 9D QS KS AS 2H 3H"), Random(1))
    assert isinstance(move, Pass)
    assert Card("QS") in move.cards[1]


def test_the_heuristic_player_declines_with_a_good_hand_alone() -> None:
    rules = Rules(pass_optional=PassOptional.SKIP)
    assert heuristic(passing(rules, "2C 3C 4C 5C 2D 3D 4D 5D 2S 3S 2H 3H 4H"), Random(1)) == Pass(0)
    assert heuristic(passing(rules, "JC QC KC AC JD QD KD AD QS KS AS KH AH"), Random(1)) != Pass(0)


def choosing(scores: tuple[int, ...], rules: Rules) -> ChoosingMoon:
    """Seat 0 has shot the moon and has the choice."""
    hands = ["AC", "2C", "3C", "4C"]
    rest = rules.deck - Cards(" ".join(hands))
    state: State = set_up(
        rules,
        hands=[Cards(hand) for hand in hands],
        leader=0,
        captured=[rest, Cards(), Cards(), Cards()],
        hearts_broken=True,
        scores=scores,
    )
    while isinstance(state, Playing):
        state = apply(state, legal_moves(state)[0])
    assert isinstance(state, ChoosingMoon)
    return state


def choosing_after_play(scores: tuple[int, ...]) -> ChoosingMoon:
    """The same with the history of its deal, which is one trick that has all 14 points."""
    rules = Rules(
        pass_cycle=[()],
        moon=Moon.CHOICE,
        hand_size=1,
        removed=Rules().deck - Cards("AC KC 2H QS"),
        first_trick=FirstTrick.FREE,
        opening_card=OpeningCard.ANY,
        opening_leader=OpeningLeader.DEALER_LEFT,
        first_dealer=2,
    )
    state: State = AwaitingDeal(rules, ScoreSheet(scores, 1), None)
    state = apply(state, Deal([Cards("AC"), Cards("KC"), Cards("2H"), Cards("QS")]))
    while isinstance(state, Playing):
        state = apply(state, legal_moves(state)[0])
    assert isinstance(state, ChoosingMoon)
    return state


@pytest.mark.parametrize("bot", [heuristic, QUICK], ids=["heuristic", "sampling"])
@pytest.mark.parametrize(
    ("scores", "effect"),
    [
        # Adding 14 to the others would end the match, and seat 1 would win it.
        ((80, 10, 90, 40), Moon.SHOOTER_DOWN),
        # It would end the match, and the shooter would win it.
        ((20, 30, 90, 40), Moon.OTHERS_UP),
    ],
)
def test_the_shooter_chooses_what_wins_the_match(bot: Bot, scores: tuple[int, ...], effect: Moon) -> None:
    state = choosing_after_play(scores)
    assert bot(view(state, 0), Random(1)) == ChooseMoon(0, effect)


@pytest.mark.parametrize("bot", [heuristic, QUICK], ids=["heuristic", "sampling"])
def test_positions_without_history_are_played_too(bot: Bot) -> None:
    rules = Rules(pass_cycle=[()], moon=Moon.CHOICE)
    chooser = choosing((0, 0, 0, 0), rules)
    assert bot(view(chooser, 0), Random(1)) in legal_moves(chooser)
    state = SENSIBLE["plays as high as is safe"][0]
    assert bot(view(state, 2), Random(1)) == Play(2, Card("7S"))


# ------------------------------------------------------------------------------------------------ sampling and policies


def test_sampling_finds_what_wins() -> None:
    # Against players that choose at random, as it guesses; chance alone would win one deal in four.
    rules = presets.cardstock()
    start = new_game(rules)
    bot = Sampling(worlds=12, policy=None)
    won = 0
    for seed in range(16):
        state: State = apply(start, deal(start, seed=seed))
        rng = RandomStream("sampling")
        while isinstance(state, Playing):
            state = apply(state, (bot if state.turn == 0 else uniform)(view(state, state.turn), rng))
        assert isinstance(state, GameOver)
        won += state.winners == (0,)
    assert won >= 8


class Counting(Policy):
    """Chooses at random, and counts the cards of the deal before each choice."""

    def __init__(self) -> None:
        self.tried: list[int] = []

    def choose_card(self, choice: CardChoice, stream: RandomStream) -> Card:
        self.tried.append(choice.trick_number * 4 + len(choice.trick))
        return super().choose_card(choice, stream)


def test_sampling_tries_touching_cards_once() -> None:
    policy = Counting()
    rules = presets.cardstock()
    hands = [rules.deck.of_suit(suit) for suit in (Suit.DIAMONDS, Suit.CLUBS, Suit.SPADES, Suit.HEARTS)]
    state = apply(new_game(rules), Deal(hands))
    assert Sampling(worlds=1, policy=policy)(view(state, 0), Random(1)) == Play(0, Card("2D"))
    # Thirteen diamonds in a row are one move, and a single move needs no trying.
    assert not policy.tried
    hands = [hands[0] - Cards("9D") + Cards("9C"), hands[1] - Cards("9C") + Cards("9D"), *hands[2:]]
    Sampling(worlds=1, policy=policy)(view(apply(new_game(rules), Deal(hands)), 0), Random(1))
    # The diamonds below the nine, those above it, and the nine of clubs, in two worlds, since nothing parts them.
    assert policy.tried.count(1) == 2 * 3


class Counted:
    """Trials of moves whose values are given, world by world."""

    def __init__(self, *values: list[float]) -> None:
        self.worlds: list[int] = []
        self.tried: list[Tried] = [Tried() for _ in values]
        self._values = values

    def go_on(self, worlds: int, places: Sequence[int], /) -> None:
        self.worlds.append(worlds * len(places))
        for place in places:
            tried = self.tried[place]
            done = len(tried.values)
            more = [self._values[place][number % len(self._values[place])] for number in range(done, done + worlds)]
            tried.values.extend(more)
            tried.value += sum(more)
            tried.weights.extend([1.0] * worlds)
            tried.weight += worlds


@pytest.mark.parametrize(
    ("values", "preferred", "chosen", "tried"),
    [
        # Clear: a quarter of the worlds will do.
        (([5.0, 6.0], [1.0, 2.2], [0.0, 0.9]), 2, 0, [75]),
        # Of two that come to the same the preferred one is played, and they take no more worlds than others.
        (([5.0, 6.0], [5.0, 6.0], [0.0, 0.9]), 1, 1, [75, 50, 50, 50]),
        # Close: twice the worlds, for those that are left.
        (([5.0, 6.0], [6.1, 5.0], [0.0, 0.9]), 0, 0, [75, *[50] * 7]),
        (([5.0, 6.0], [6.1, 5.0], [0.0, 0.9]), -1, 1, [75, *[50] * 7]),
    ],
)
def test_a_decision_takes_worlds_where_moves_are_close(
    values: tuple[list[float], ...], preferred: int, chosen: int, tried: list[int]
) -> None:
    trials = Counted(*values)
    assert _best(trials, 100, preferred) == chosen
    assert trials.worlds == tried


def test_every_move_of_an_assessment_takes_the_usual_worlds() -> None:
    trials = Counted([5.0, 6.0], [1.0, 2.2], [0.0, 0.9])
    assert try_where_close(trials, 100, every=True) == [0]
    assert trials.worlds == [300]
    close = Counted([0.0, 0.9], [6.1, 5.0], [5.0, 6.0])
    assert try_where_close(close, 100, every=True) == [1, 2]
    assert close.worlds == [300, *[50] * 4]
    alone = Counted([1.0, 2.0])
    assert try_where_close(alone, 90, every=True) == [0]
    assert alone.worlds == [90]


def test_the_lead_of_a_move_is_a_difference_of_weighted_means() -> None:
    one, other, weights = [3.0, 5.0, 4.0, 9.0], [2.0, 6.0, 1.0], [1.0, 1.0, 4.0, 1.0]
    tried = [Tried(), Tried()]
    for sums, values, scale in zip(tried, (one, other), (1.0, 2.0), strict=True):
        for value, weight in zip(values, weights, strict=False):
            sums.values.append(scale * weight * value)
            sums.weights.append(scale * weight)
        sums.value, sums.weight = sum(sums.values), sum(sums.weights)
    ahead, error = lead(*tried)
    # Over the first three worlds, as if that of weight 4 had been drawn four times.
    assert ahead == pytest.approx((3 + 5 + 4 * 4) / 6 - (2 + 6 + 4 * 1) / 6)
    deviations = [(1 - ahead) / 6, (-1 - ahead) / 6, 4 * (3 - ahead) / 6]
    assert error == pytest.approx((sum([each * each for each in deviations]) * 3 / 2) ** 0.5)
    assert lead(tried[0], tried[0]) == (0, 0)


def with_points(rules: Rules, seed: int) -> tuple[Playing, set[int]]:
    """A position after half of a deal of uniform players, and who has taken cards of the moon."""
    state: State = apply(new_game(rules), deal(new_game(rules), seed=seed))
    rng = RandomStream(seed)
    while isinstance(state, Playing) and (state.trick_number < 6 or state.trick or len(legal_moves(state)) == 1):
        state = apply(state, uniform(view(state, state.turn), rng))
    assert isinstance(state, Playing)
    return state, {seat for seat, pile in enumerate(state.captured) if pile.lo & rules._resolved.moon_lo}


def sums(tried: Tried) -> tuple[float, ...]:
    """All that was added up of a move but its weighted value."""
    kinds = (tried.plain, tried.moon, tried.against)
    names = ("worlds", "points", "points_squared", "win", "win_squared", "value")
    return tuple(getattr(kind, name) for kind in kinds for name in names)


def test_worlds_with_moons_count_more_while_one_other_side_has_all_points() -> None:
    rules = presets.cardstock()
    seen: set[str] = set()
    for seed in range(300):
        state, takers = with_points(rules, seed)
        moves = legal_moves(state)
        alone = len(takers) == 1 and state.turn not in takers
        if not alone and "others" in seen:
            continue
        for number in range(12):
            once, often = (
                Trials(view(state, state.turn), moves, RandomStream(number), Watchful(), alarm) for alarm in (1.0, 7.0)
            )
            once.go_on(1, range(len(moves)))
            often.go_on(1, range(len(moves)))
            moons = sum(tried.against.worlds for tried in once.tried)
            weight = 1 + 6 * moons / len(moves) if alone else 1
            for plain, weighed in zip(once.tried, often.tried, strict=True):
                assert sums(weighed) == sums(plain)
                assert weighed.value == pytest.approx(weight * plain.value)
                assert weighed.values == pytest.approx([weighed.value])
            if alone and moons:
                seen.add("all" if moons == len(moves) else "some")
            elif not alone:
                seen.add("others")
        if {"all", "some", "others"} <= seen:
            break
    assert {"all", "some", "others"} <= seen


@pytest.mark.parametrize(
    "options", [{"doubler": Doubler(Card("9D"))}, {"compulsory": Compulsory.SAFE, "compulsory_cards": "9D"}]
)
def test_sampling_tries_a_card_that_the_rules_name_by_itself(options: Any) -> None:
    policy = Counting()
    rules = attrs.evolve(presets.cardstock(), **options)
    hands = [rules.deck.of_suit(suit) for suit in (Suit.DIAMONDS, Suit.CLUBS, Suit.SPADES, Suit.HEARTS)]
    Sampling(worlds=1, policy=policy)(view(apply(new_game(rules), Deal(hands)), 0), Random(1))
    # The diamonds below the nine, the nine, and those above it, in two worlds.
    assert policy.tried.count(1) == 2 * 3


FULL_HEARTS = "4H 5H 6H 7H 8H 9H TH JH QH KH AH"
"""What somebody has taken who is on the way to a moon."""


@pytest.mark.parametrize(
    ("hand", "legal", "trick", "piles", "card"),
    [
        # It follows as high as is safe, discards the dearest card, and does not win with the Q♠.
        ("3C 9C KC QS", "3C 9C KC", "TC 2C", "", "9C"),
        ("3C 9C KC QS", "3C 9C KC", "TC 2C 4H", "", "9C"),
        ("2S QS", "2S QS", "KS", "", "QS"),
        ("TS QS AS", "TS QS AS", "7S 8S 9S", "", "AS"),
        ("TS QS AS", "TS QS AS", "7S 8S", "", "TS"),
        # What would have to be played over the Q♠ goes before a heart, and not when she is gone.
        ("2D KS AH", "2D KS AH", "TC", "", "KS"),
        ("2D KS AH", "2D KS AH", "TC", "QS 2C 3C 4C", "AH"),
        ("2D QS KS", "2D QS KS", "TC", "", "QS"),
        # It leads what others win, drives out the queen from below, and not from above.
        ("2D AD KC", "2D AD KC", "", "", "2D"),
        ("7S 5S KD QD", "7S 5S KD QD", "", "", "7S"),
        ("AS KD 2C", "AS KD 2C", "", "", "2C"),
        # Somebody else (seat 3) is shooting: a point for who wins against it, none for it, and high cards stay.
        ("2D KD 3H", "2D KD 3H", "4C AC", f"///{FULL_HEARTS}", "2D"),
        ("2D KD 3H", "2D KD 3H", "AC 4C", f"///{FULL_HEARTS}", "3H"),
        ("2H AC 3C", "AC 3C", "KC", f"///{FULL_HEARTS}", "AC"),
        # All points are its own: it plays for the rest.
        ("AC KC AD", "AC KC", "QC 4C 5C", FULL_HEARTS, "KC"),
        ("AC KC AD", "AC KC AD", "", f"{FULL_HEARTS} 2H 3H", "AD"),
    ],
)
def test_a_watchful_player_sees_queens_and_moons(hand: str, legal: str, trick: str, piles: str, card: str) -> None:
    # Seat 0 is to play; the last card of the trick is that of seat 3. The piles stand by seat.
    played = trick.split()
    plays = tuple([Play(4 - len(played) + place, Card(text)) for place, text in enumerate(played)])
    captured = [Cards(pile) for pile in [*piles.split("/"), "", "", ""][:4]]
    turn = CardChoice(Rules(), 0, Cards(hand), Cards(legal), plays, 8, True, tuple(captured))
    assert Watchful(0).choose_card(turn, RandomStream(1)) is Card(card)


@pytest.mark.parametrize(("trick", "card"), [("2D 3D 4D", "KD"), ("2D 3D QD", "KD"), ("JD 3D 4D", "KD")])
def test_a_watchful_player_wins_with_one_of_its_bonus_cards(trick: str, card: str) -> None:
    rules = Rules(bonuses=[Bonus(Card("TD"), 5), Bonus(Card("JD"), 10), Bonus(Card("KD"), 20)])
    plays = tuple([Play(1 + place, Card(text)) for place, text in enumerate(trick.split())])
    hand = Cards("TD KD AC")
    turn = CardChoice(rules, 0, hand, Cards("TD KD"), plays, 8, True, (Cards(),) * 4)
    assert Watchful(0).choose_card(turn, RandomStream(1)) is Card(card)


@pytest.mark.parametrize(
    ("hand", "legal", "trick", "piles", "card"),
    [
        # Nobody can win over the ace, and the bonus card lies there, led or discarded.
        ("2D AD 5C", "2D AD", "JD", "", "AD"),
        ("2C AC 5D", "2C AC", "9C JD", "", "AC"),
        # Somebody may have the ace, or the Q♠ costs more than the bonus card brings.
        ("2D KD 5C", "2D KD", "JD", "", "2D"),
        ("2C AC 5D", "2C AC", "9C JD QS", "", "2C"),
        ("2C AC 5D", "2C AC", "9C JD 3H", "", "AC"),
        # It keeps its own bonus card while others may win it, and plays it where it wins.
        ("2D JD 5C", "2D JD", "QD", "", "2D"),
        ("JD KD 5C", "JD KD", "TD", "", "KD"),
        ("2D JD 5C", "2D JD", "TD", "QD KD AD", "JD"),
        ("JD 5C", "JD 5C", "", "", "5C"),
        ("JD 5C", "JD 5C", "", "QD KD AD", "JD"),
        # What can take it is not given away while it is out.
        ("AD 5C 3C", "AD 5C 3C", "TS", "QD KD", "5C"),
        ("AD 5C 3C", "AD 5C 3C", "TS", "JD", "AD"),
    ],
)
def test_a_watchful_player_takes_a_bonus_card_that_it_can_win(
    hand: str, legal: str, trick: str, piles: str, card: str
) -> None:
    # The trick that is led by another ends after the player's card where it has three cards.
    played = trick.split()
    plays = tuple([Play(4 - len(played) + place, Card(text)) for place, text in enumerate(played)])
    captured = (Cards(), Cards(piles), Cards("5H"), Cards("6H"))
    turn = CardChoice(OMNIBUS, 0, Cards(hand), Cards(legal), plays, 8, True, captured)
    assert Watchful(0).choose_card(turn, RandomStream(1)) is Card(card)


def test_a_watchful_shooter_lets_the_others_pay_unless_another_wins() -> None:
    for scores, effect in (((80, 10, 90, 40), Moon.SHOOTER_DOWN), ((20, 30, 90, 40), Moon.OTHERS_UP)):
        state = choosing_after_play(scores)
        move = Watchful().choose_moon(
            state, (ChooseMoon(0, Moon.OTHERS_UP), ChooseMoon(0, Moon.SHOOTER_DOWN)), RandomStream(1)
        )
        assert move == ChooseMoon(0, effect)


def test_a_watchful_player_makes_mistakes_as_often_as_it_is_told() -> None:
    plays = (Play(0, Card("TC")),)
    turn = CardChoice(Rules(), 1, Cards("2C 9C"), Cards("2C 9C"), plays, 5, True)
    stream = RandomStream("mistakes")
    lows = sum(Watchful(0.5).choose_card(turn, stream) is Card("2C") for _ in range(2000))
    assert 420 < lows < 580


@pytest.mark.parametrize(
    ("error", "make"),
    [
        (ValueError, lambda: Watchful(1.5)),
        (TypeError, lambda: Watchful("much")),  # type: ignore[arg-type]
        (ValueError, lambda: Watchful(-0.1)),
        (ValueError, lambda: Sampling(worlds=0)),
        (TypeError, lambda: Sampling(worlds=2.5)),  # type: ignore[arg-type]
    ],
)
def test_arguments_are_checked(error: type[Exception], make: Any) -> None:
    with pytest.raises(error):
        make()


@settings(max_examples=examples(30))
@given(table=hearts.rules(), seed=st.integers(0, 999))
def test_a_watchful_player_plays_out_every_rule_set(table: Rules, seed: int) -> None:
    end = playout(new_game(table), RandomStream(seed), policy=Watchful())
    assert len(end.score_sheet) == 1
    assert end.last_deal is not None
    assert len(end.last_deal.tricks) == table.cards_per_hand
    assert end == playout(new_game(table), RandomStream(seed), policy=Watchful())


# ------------------------------------------------------------------------------------------------------------ prospects


def test_prospects_follow_the_totals() -> None:
    def at(*scores: int, teams: int = 0) -> list[float]:
        state = AwaitingDeal(Rules(teams=teams), ScoreSheet(scores, 3), None)
        return [prospects(state, seat) for seat in range(4)]

    assert at(30, 30, 30, 30) == [0.25] * 4
    early, late = at(0, 10, 10, 10), at(80, 90, 90, 90)
    assert 0.25 < early[0] < late[0] < 1
    assert sum(late) == pytest.approx(1)
    in_teams = at(10, 20, 30, 10, teams=2)
    assert in_teams[0] == in_teams[2] < in_teams[1] == in_teams[3]
    assert at(-(10**9), 10**9, 0, 0)[0] == pytest.approx(1)


def test_prospects_depend_on_how_soon_the_match_may_end() -> None:
    def at(rules: Rules, *scores: int) -> float:
        return prospects(AwaitingDeal(rules, ScoreSheet(scores, 3), None), 1)

    # A player's own total is farther from the target than the team's.
    scores = (40, 30, 50, 45)
    assert at(Rules(teams=2), *scores) > at(Rules(teams=2, target_scope=TargetScope.PLAYER), *scores) > 0.5
    # A side that is far below 0 may end the match with the next deal.
    low = Rules(bonuses=[Bonus(Card("JD"), 10)], target=1000)
    assert at(attrs.evolve(low, bonus_target=80), 0, -50, 0, 0) > at(low, 0, -50, 0, 0) > 0.25
    assert at(attrs.evolve(low, doubler=Doubler(Card("TC"), 5)), 0, -50, 0, 0) < at(low, 0, -50, 0, 0)


def test_prospects_are_certain_at_the_end() -> None:
    end = play_match(presets.cardstock(), [uniform] * 4, seed=1)
    assert isinstance(end, GameOver)
    assert [prospects(end, seat) for seat in range(4)] == [float(seat in end.winners) for seat in range(4)]


def test_there_are_prospects_of_seats_between_deals_alone() -> None:
    start = new_game(Rules())
    end = play_match(presets.cardstock(), [uniform] * 4, seed=1)
    for state in (start, end):
        for seat in (-1, 4, 10**5000):
            with pytest.raises(InvalidSeat, match=r"there is no seat .* at a table of 4"):
                prospects(state, seat)  # type: ignore[arg-type]
        for wrong in (True, 1.0, None, "1"):
            with pytest.raises(TypeError, match="seat must be an int, not"):
                prospects(state, wrong)  # type: ignore[arg-type]
    for no_state in (apply(start, deal(start, seed=1)), None, Rules()):
        with pytest.raises(TypeError, match="state must be an AwaitingDeal or a GameOver, not"):
            prospects(no_state, 0)  # type: ignore[arg-type]


# -------------------------------------------------------------------------------------------------------------- matches


def test_a_match_is_given_by_its_seed() -> None:
    bots: list[Bot] = [heuristic, uniform, uniform, QUICK]
    end = play_match(Rules(target=30), bots, seed="a")
    assert isinstance(end, GameOver)
    assert end == play_match(Rules(target=30), bots, seed="a") != play_match(Rules(target=30), bots, seed="b")


NO_PASS = Rules(pass_cycle=[()])


class Guesser:
    """A cheat who tries seeds until a deal gives its own hand: it then knows every card, and every deal to come."""

    def __init__(self, *seeds: str) -> None:
        self.seeds = (*seeds, *[f"{seed}/{n}" for seed in seeds for n in range(50)], *map(str, range(50)))
        self.hands: list[Cards] = []
        self.found: list[str] = []
        self.streams: set[str] = set()

    def __call__(self, view: View, rng: Bits, /) -> Move:
        if isinstance(view, PlayingView) and len(view.hand) == view.rules.cards_per_hand:
            self.hands.append(view.hand)
            state = AwaitingDeal(view.rules, ScoreSheet((0,) * view.rules.players, view.deal_number), None)
            assert isinstance(rng, RandomStream)
            self.streams.add(repr(rng))
            tries = [(seed, deal(state, seed=seed)) for seed in self.seeds]
            tries.append(("its own stream", deal(state, rng=rng.copy())))
            self.found += [name for name, dealt in tries if dealt.hands[view.seat or 0] == view.hand]
        return uniform(view, rng)


def test_a_guesser_finds_what_can_be_guessed() -> None:
    cheat = Guesser("1")
    state = new_game(NO_PASS)
    dealt = apply(state, deal(state, seed="1/7"))
    assert isinstance(dealt, Playing)
    play_deal(dealt, [cheat] * 4, [RandomStream(seat) for seat in range(4)])
    assert cheat.found == ["1/7"] * 4
    dealt = apply(state, deal(state, rng=RandomStream("shared")))
    assert isinstance(dealt, Playing)
    play_deal(dealt, [cheat, uniform, uniform, uniform], [RandomStream("shared")] * 4)
    assert cheat.found[4:] == ["its own stream"]


@pytest.mark.sampled(3)
@pytest.mark.untraced
@pytest.mark.parametrize("seed", [None, 1, "lobby 12"])
def test_no_seed_that_a_bot_can_guess_gives_the_cards(seed: str | int | None) -> None:
    """By a public seed too: the usual families of seeds are not what is dealt with."""
    cheat = Guesser("1", "lobby 12")
    tournament(NO_PASS, cheat, cheat, tables=4, seed=seed, deals=1)
    play_match(NO_PASS, [cheat] * 4, seed=seed, deals=2)
    assert len(cheat.hands) == 4 * 4 * 4 + 4 * 2
    assert cheat.found == []


def test_without_a_seed_every_match_is_another() -> None:
    """Two shuffles of 52 cards agree once in 52! = 8 * 10**67 times, two hands once in 6 * 10**11 times."""
    cheats = [Guesser(), Guesser(), Guesser()]
    play_match(NO_PASS, [cheats[0], uniform, uniform, uniform], deals=1)
    play_match(NO_PASS, [cheats[1], uniform, uniform, uniform], deals=1)
    tournament(NO_PASS, cheats[2], uniform, tables=2, deals=1)
    assert len({hand for cheat in cheats for hand in cheat.hands}) == 1 + 1 + 2 * 4
    assert len({stream for cheat in cheats for stream in cheat.streams}) == 1 + 1 + 2 * 4


def test_the_cards_are_those_of_a_derived_seed() -> None:
    """As documented, so that whoever is told the seed afterwards can check the deals."""

    def derived(seed: str, purpose: str) -> str:
        return sha256(f"heartsrules 1\nmatch {purpose}\n{seed}".encode()).hexdigest()

    cheat = Guesser()
    play_match(NO_PASS, [cheat, cheat, cheat, cheat], seed="x", deals=1)
    state = new_game(NO_PASS)
    assert set(cheat.hands) == set(deal(state, seed=derived("x", "cards")).hands)
    assert cheat.streams == {repr(RandomStream(derived("x", f"bot {seat}"))) for seat in range(4)}
    table = Guesser()
    tournament(NO_PASS, table, table, tables=2, seed="x", deals=1)
    assert set(table.hands) == {
        hand for n in range(2) for hand in deal(state, seed=derived(derived("x", f"table {n}"), "cards")).hands
    }


def test_a_match_refuses_a_wrong_seed() -> None:
    for wrong in (True, 1.5, b"x"):
        with pytest.raises(TypeError, match="seed must be a str or an int, not "):
            play_match(Rules(), [uniform] * 4, seed=wrong)  # type: ignore[arg-type]
        with pytest.raises(TypeError, match="seed must be a str or an int, not "):
            tournament(Rules(), uniform, uniform, tables=1, seed=wrong)  # type: ignore[call-overload]


def test_a_match_may_be_stopped() -> None:
    end = play_match(Rules(), [uniform] * 4, seed=1, deals=2)
    assert isinstance(end, AwaitingDeal)
    assert end.deal_number == 2


def cheat(view: View, rng: Bits, /) -> Move:  # noqa: ARG001
    """Pass for the next seat, or play a card that is not in the hand."""
    if isinstance(view, PassingView):
        return Pass((view.seat or 0) + 1, Cards("2C 3C 4C"))
    missing = next(iter(view.rules.deck - view.hand)) if isinstance(view, PlayingView) else Card("2C")
    return Play(view.seat or 0, missing)


def redeal(view: View, rng: Bits, /) -> Move:  # noqa: ARG001
    """Deal again."""
    return Deal([Cards()] * 4)


def test_a_bot_cannot_cheat() -> None:
    with pytest.raises(ValueError, match="the bot of seat 0 may not make this move: Pass"):
        play_match(Rules(), [cheat] * 4, seed=1)
    with pytest.raises(IllegalMove, match="is not in the hand"):
        play_match(Rules(pass_cycle=[()]), [cheat] * 4, seed=1)
    with pytest.raises(ValueError, match="may not make this move: Deal"):
        play_match(Rules(), [redeal] * 4, seed=1)


@pytest.mark.parametrize(("answer", "kind"), [(None, "None"), ("QS", "a str"), (Card("QS"), "a Card")])
def test_a_bot_must_return_a_move(answer: object, kind: str) -> None:
    def silent(view: View, rng: Bits, /) -> Any:  # noqa: ARG001
        return answer

    with pytest.raises(TypeError, match=f"the bot of seat 0 must return a move, not {kind}"):
        play_match(Rules(), [silent] * 4, seed=1)


@pytest.mark.parametrize(
    ("name", "make"),
    [
        ("deals", lambda: play_match(Rules(), [uniform] * 4, deals=-(10**5000))),
        ("tables", lambda: tournament(Rules(), uniform, uniform, tables=-(10**5000))),
        ("deals", lambda: tournament(Rules(), uniform, uniform, tables=1, deals=-(10**5000))),
        ("worlds", lambda: Sampling(worlds=-(10**5000))),
        ("mistakes", lambda: Watchful(10**5000)),
    ],
)
def test_a_number_of_any_size_is_refused_in_words(name: str, make: Any) -> None:
    with pytest.raises(ValueError, match=f"^{name} is a number of about 5001 digits: choose "):
        make()


def test_a_move_of_any_size_is_refused_in_words() -> None:
    def generous(view: View, rng: Bits, /) -> Move:  # noqa: ARG001
        return Pass(1, *[view.rules.deck] * 1000)

    with pytest.raises(ValueError, match="the bot of seat 0 may not make this move: Pass") as caught:
        play_match(Rules(), [generous] * 4, seed=1)
    assert len(str(caught.value)) < 1000


@pytest.mark.parametrize("seed", ["\ud800", 10**5000], ids=["surrogate", "digits"])
def test_a_seed_that_cannot_be_written_down_is_refused(seed: str | int) -> None:
    with pytest.raises(ValueError, match=r"^seed "):
        play_match(Rules(), [uniform] * 4, seed=seed)


def test_a_match_needs_a_bot_for_each_seat() -> None:
    with pytest.raises(ValueError, match="4 players need 4 bots and rngs, not 3 and 4"):
        play_match(Rules(), [uniform] * 3, seed=1)
    with pytest.raises(ValueError, match="deals is 0"):
        play_match(Rules(), [uniform] * 4, seed=1, deals=0)
    with pytest.raises(TypeError, match="deals must be an int"):
        play_match(Rules(), [uniform] * 4, seed=1, deals=True)


def test_equal_players_are_exactly_equal() -> None:
    result = tournament(presets.cardstock(), heuristic, heuristic, tables=5, seed=1)
    assert result.shares == (0.25,) * 5
    assert result.margins == (0,) * 5
    assert result.against(result).wins == Estimate(0, 0)


def test_a_comparison_rotates_teams_whole() -> None:
    result = tournament(Rules(teams=2, target=30), heuristic, heuristic, tables=3, seed=1)
    assert result.shares == (0.5,) * 3
    assert result.margins == (0,) * 3
    assert result.unfinished == 0


def test_a_comparison_does_not_depend_on_who_plays() -> None:
    seen: list[int] = []
    alone = tournament(presets.cardstock(), heuristic, uniform, tables=4, seed=1, progress=seen.append)
    assert seen == [1, 2, 3, 4]
    with ThreadPoolExecutor(2) as executor:
        assert tournament(presets.cardstock(), heuristic, uniform, tables=4, seed=1, executor=executor) == alone
    for bot in BOTS.values():
        assert pickle.loads(pickle.dumps(bot)) is not None


def test_unfinished_matches_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("heartsrules.simulation.matches.MAX_DEALS_PER_GAME", 1)
    assert tournament(Rules(), uniform, uniform, tables=2, seed=1).unfinished == 8
    assert tournament(Rules(), uniform, uniform, tables=2, seed=1, deals=1).unfinished == 0


def test_comparisons_are_checked() -> None:
    with pytest.raises(ValueError, match="tables is 0"):
        tournament(Rules(), uniform, uniform, tables=0, seed=1)
    with pytest.raises(ValueError, match="deals is 0"):
        tournament(Rules(), uniform, uniform, tables=1, seed=1, deals=0)
    one = tournament(presets.cardstock(), uniform, uniform, tables=1, seed=1)
    with pytest.raises(ValueError, match="at least 2 values, not 1"):
        _ = one.wins
    with pytest.raises(ValueError, match="2 tables cannot be compared with 1"):
        Comparison((0, 0), (0, 0), (0, 0), 0).against(one)


def test_an_estimate_is_an_interval() -> None:
    estimate = Estimate.of([1, 2, 3, 4])
    assert estimate.mean == 2.5
    assert estimate.error == pytest.approx(3.1824 * (5 / 3 / 4) ** 0.5, rel=0.002)
    for freedom, quantile in ((1, 12.7062), (2, 4.3027), (4, 2.7764), (9, 2.2622), (29, 2.0452), (10**6, 1.96)):
        assert student(freedom) == pytest.approx(quantile, rel=0.001)
    assert (estimate.low + estimate.high) / 2 == pytest.approx(2.5)


def test_a_function_in_a_file_or_a_module_is_a_bot(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    code = "from heartsrules import legal_moves\n\ndef first(view, rng):\n    return legal_moves(view)[0]\n\nnone = 3\n"
    (tmp_path / "some_bots.py").write_text(code, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    start = new_game(Rules(pass_cycle=[()]))
    state = apply(start, deal(start, seed=1))
    for source in ("some_bots.py", str(tmp_path / "some_bots.py"), "some_bots"):
        named = bot_named(f"{source}:first")
        assert named.name == "first"
        again = pickle.loads(pickle.dumps(named.bot))
        assert again(view(state, state.to_act[0]), RandomStream(1)) == legal_moves(state)[0]
        assert bot_named(f"ours={source}:first").name == "ours"
    for text, words in (
        ("some_bots.py:none", "some_bots.py has no function none"),
        ("some_bots:second", "some_bots has no function second"),
        ("no_bots.py:first", "no_bots.py cannot be imported: FileNotFoundError"),
        ("no_bots:first", "no_bots cannot be imported: ModuleNotFoundError"),
    ):
        with pytest.raises(ValueError, match=words):
            bot_named(text)
