"""The Hypothesis strategies that users are given: what they draw is valid, what they shrink to, what they refuse."""

from __future__ import annotations

import contextlib
import importlib
import pkgutil
import random
import subprocess
import sys
import typing
from collections.abc import Callable
from typing import Any

import attrs
import hypothesis
import pytest
from hypothesis import HealthCheck, find, given, settings
from hypothesis import strategies as st
from hypothesis.errors import InvalidArgument, NoSuchExample, Unsatisfiable

import heartsrules
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
    Pass,
    Passing,
    Phase,
    Play,
    Playing,
    Rank,
    Rules,
    State,
    View,
    apply,
    deal,
    is_legal,
    legal_moves,
    new_game,
    public_view,
    view,
)
from heartsrules import testing as kit
from heartsrules.cards import ALL_FACES
from heartsrules.formats.notation import format_record, parse_record
from heartsrules.formats.wire import from_json, to_json
from heartsrules.play.game import Game, Record, replay_strict, verify
from heartsrules.rules import (
    HOLD,
    Bonus,
    BonusFloor,
    Compulsory,
    Doubler,
    Exposure,
    HeartValues,
    Kitty,
    Moon,
    MoonCards,
    MoonScope,
    OpeningLeader,
    PassOptional,
    PassPlan,
    TargetScope,
    Tie,
    left,
)
from heartsrules.testing import _hypothesis_plugin, strategies
from heartsrules.views import (
    AwaitingDealView,
    ChoosingMoonView,
    DealingBackView,
    ExposingView,
    GameOverView,
    PassingView,
    PlayingView,
)
from support.rounds import examples
from support.tables import rules_of

pytestmark = pytest.mark.once_compiled

EXAMPLES = settings(max_examples=20, deadline=None, suppress_health_check=[HealthCheck.too_slow])
FINDING = settings(
    max_examples=2000,
    database=None,
    deadline=None,
    derandomize=True,
    phases=[hypothesis.Phase.generate, hypothesis.Phase.shrink],
    suppress_health_check=[HealthCheck.too_slow],
)
SMALL = Rules(removed=Cards([card for card in ALL_FACES if card.rank < Rank.QUEEN]))
"""Twelve cards, the Q, K and A of each suit: three to a hand."""
CHOICE = rules_of(
    "players=3 hand_size=1 kitty=last-trick opening_leader=dealer-left opening_card=any pass_cycle=hold moon=choice"
)


def simplest(strategy: st.SearchStrategy[Any], condition: Callable[[Any], bool] = lambda _: True) -> Any:
    """What a strategy shrinks to."""
    return find(strategy, condition, settings=FINDING)


# ----------------------------------------------------------------------------------------------------------- cards


@EXAMPLES
@given(kit.cards(among="QS 2H QS"))
def test_cards_come_from_those_that_are_given(card: Card) -> None:
    assert card in Cards("QS 2H")


@EXAMPLES
@given(st.data())
def test_bags_keep_to_their_sizes_and_cards(data: st.DataObject) -> None:
    among = data.draw(kit.bags())
    least = data.draw(st.integers(0, len(among)))
    most = data.draw(st.none() | st.integers(least, len(among) + 3))
    bag = data.draw(kit.bags(among=among, min_size=least, max_size=most))
    assert bag <= among
    assert least <= len(bag) <= (len(among) if most is None else most)


@pytest.mark.parametrize(
    ("strategy", "condition", "expected"),
    [
        (kit.cards(), lambda _: True, Card("2C")),
        (kit.cards(), lambda card: card > Card("AD"), Card("2S")),
        (kit.bags(), lambda _: True, Cards()),
        (kit.bags(), lambda bag: len(bag) == 3, Cards("2C 3C 4C")),
        (kit.bags(among="QS QS"), lambda bag: bag.count(Card("QS")) == 2, Cards("QS QS")),
        (kit.bags(), lambda bag: Card("AH") in bag and len(bag) > 1, Cards("2C AH")),
        (kit.bags(among="3D 3D 9S", min_size=3), lambda _: True, Cards("3D 3D 9S")),
    ],
)
def test_cards_and_bags_shrink_in_card_order(
    strategy: st.SearchStrategy[Any], condition: Callable[[Any], bool], expected: object
) -> None:
    assert simplest(strategy, condition) == expected


@pytest.mark.untraced
@pytest.mark.parametrize("start", range(4))
def test_rules_of_a_small_deck_shrink_to_the_whole_deck_wherever_the_search_starts(start: int) -> None:
    found = find(
        kit.rules(no_tricks_bonus=1),
        lambda rules: rules.bonus_target is not None,
        settings=settings(FINDING, derandomize=False),
        random=random.Random(start),
    )
    assert found == Rules(no_tricks_bonus=1, bonus_target=1)


# ----------------------------------------------------------------------------------------------------------- rules


@pytest.mark.untraced
@settings(EXAMPLES, max_examples=100)
@given(kit.rules())
def test_rules_can_be_played(rules: Rules) -> None:
    assert Rules(**rules.changes()) == rules
    assert isinstance(new_game(rules), AwaitingDeal)


FIXED: list[dict[str, Any]] = [
    {"players": 5},
    {"players": 11, "hand_size": 9},
    {"players": 3, "hand_size": 1, "kitty": Kitty.NONE},
    {"hand_size": 20},
    {"hand_size": None, "decks": 2},
    {"removed": "2C 2C"},
    {"removed": "2C 2D 3D", "players": 7, "hand_size": 2},
    {"kitty": Kitty.FIRST_HEART, "unpassable": "AC KC"},
    {"teams": 3},
    {"moon_scope": MoonScope.TEAM},
    {"first_dealer": 9},
    {"pass_cycle": [left(20)]},
    {"pass_cycle": iter([left(2), HOLD])},
    {"pass_optional": PassOptional.SKIP},
    {"sun": True, "heart_values": (0,) * 13},
    {"queen_points": 0, "heart_values": (0,) * 13, "moon": Moon.CHOICE, "bonuses": [Bonus(Card("2C"), 5)]},
    {"queen_points": 0, "heart_values": (0,) * 13, "moon": Moon.CHOICE, "doubler": Doubler(Card("2C"))},
    {"bonuses": [Bonus(Card("QS"), 5), Bonus(Card("2C"), 5)]},
    {"bonuses": iter([Bonus(Card("3C"), 5)]), "players": 7},
    {"bonus_floor": BonusFloor.DEAL},
    {"bonus_floor": BonusFloor.DEAL, "extra_penalties": [(Card("2C"), 5)], "heart_values": HeartValues.SPOT},
    {"two_pairs_void": True},
    {"compulsory": Compulsory.SAFE, "hand_size": 2, "decks": 2},
    {"compulsory": Compulsory.SAFE, "removed": "QS", "players": 3},
    {"compulsory_cards": "2C TD", "players": 5},
    {"opening_leader": OpeningLeader.QUEEN_TAKER, "decks": 2},
    {"opening_leader": OpeningLeader.QUEEN_TAKER, "decks": 2, "hand_size": 3, "players": 5},
    {"opening_leader": OpeningLeader.QUEEN_TAKER, "kitty": Kitty.FIRST_HEART},
    {"doubler": Doubler(Card("2C"), 3, 50), "players": 6},
    {"doubler": Doubler(Card("QS")), "moon_needs_bonus": True},
    {"doubler": Doubler(Card("2D")), "bonuses": [Bonus(Card("2C"), 5)], "extra_penalties": [(Card("2S"), 5)]},
    {"moon_cards": MoonCards.HEARTS_AND_QUEEN, "hand_size": 1},
    {"moon_cards": MoonCards.HEARTS, "hand_size": 1},
    {"moon_cards": MoonCards.HEARTS, "heart_values": (0,) * 13},
    {"bonus_target": 10},
    {"bonus_target": 10, "bonuses": ()},
    {"bonus_target": 10, "bonuses": (), "no_tricks_bonus": 0},
    {"target_scope": TargetScope.PLAYER, "teams": 2},
    {"target": None},
    {"max_deals": None},
    {name: getattr(Rules(), name) for name in attrs.fields_dict(Rules) if name != "_resolved"},
]


@pytest.mark.sampled(4)
@pytest.mark.parametrize("fixed", FIXED, ids=lambda fixed: " ".join(fixed) if len(fixed) < 9 else "all fields")
def test_fixed_fields_stay_and_the_rest_is_made_to_fit(fixed: dict[str, Any]) -> None:
    strategy = kit.rules(**fixed)
    least = simplest(strategy)
    expected = {name: getattr(least, name) for name in fixed}

    @settings(EXAMPLES, max_examples=15)
    @given(strategy)
    def keep(rules: Rules) -> None:
        assert {name: getattr(rules, name) for name in fixed} == expected

    keep()


@pytest.mark.long
@pytest.mark.untraced
def test_every_field_takes_another_value_than_the_default() -> None:
    missing = {option.name for option in Rules.OPTIONS}

    def nothing_is_missing(rules: Rules) -> bool:
        missing.difference_update(rules.changes())
        return not missing

    # A few hundred rule sets will do, but how many, changes with every option: it goes on until nothing is missing.
    # One field needs two decks, which are rare among all rule sets.
    with contextlib.suppress(NoSuchExample):
        find(
            kit.rules() | kit.rules(decks=2),
            nothing_is_missing,
            settings=settings(FINDING, max_examples=3000, phases=[hypothesis.Phase.generate]),
        )
    assert not missing


@pytest.mark.sampled(4)
@pytest.mark.untraced
@pytest.mark.parametrize(
    ("strategy", "condition", "expected"),
    [
        (kit.rules(), lambda _: True, Rules()),
        (kit.rules(), lambda rules: rules.moon is Moon.CHOICE, Rules(moon=Moon.CHOICE)),
        (kit.rules(), lambda rules: rules.first_dealer == 3, Rules(first_dealer=3)),
        (kit.rules(), lambda rules: rules.tie is Tie.SHARED, Rules(tie=Tie.SHARED)),
        (kit.rules(players=5), lambda _: True, Rules(players=5, removed="2D 2C")),
        (kit.rules(teams=2), lambda rules: rules.sun, Rules(teams=2, sun=True)),
        (kit.rules(decks=2), lambda rules: rules.two_pairs_void, Rules(decks=2, two_pairs_void=True)),
        (kit.rules(), lambda rules: rules.compulsory is not Compulsory.NO, Rules(compulsory=Compulsory.DISCARD)),
        (kit.rules(), lambda rules: bool(rules.bonuses), Rules(bonuses=[Bonus(Card("2C"), 10)])),
        (
            kit.rules(decks=1, removed=(), players=4),
            lambda rules: len(rules.bonuses) == 2,
            Rules(bonuses=[Bonus(Card("2C"), 10), Bonus(Card("3C"), 10)]),
        ),
        (
            kit.rules(decks=1, removed=(), players=4),
            lambda rules: rules.doubler is not None,
            Rules(doubler=Doubler(Card("2C"))),
        ),
        (
            kit.rules(no_tricks_bonus=1),
            lambda rules: rules.bonus_target is not None,
            Rules(bonus_target=1, no_tricks_bonus=1),
        ),
        (kit.rules(bonus_target=9), lambda _: True, Rules(bonus_target=9, bonuses=[Bonus(Card("2C"), 10)])),
        (kit.rules(exposable="JD"), lambda _: True, Rules(exposable="JD")),
        (kit.rules(exposure=Exposure.IN_TURN), lambda _: True, Rules(exposure=Exposure.IN_TURN)),
        (kit.rules(compulsory_cards="TD"), lambda _: True, Rules(compulsory_cards="TD")),
    ],
)
def test_rules_shrink_to_the_defaults(
    strategy: st.SearchStrategy[Rules], condition: Callable[[Rules], bool], expected: Rules
) -> None:
    assert simplest(strategy, condition) == expected


@pytest.mark.parametrize(
    ("fixed", "words"),
    [
        ({"foo": 1, "bar": 2}, "bar, foo: Rules has no such option"),
        ({"tie": 1}, "tie must be a Tie"),
        ({"players": 2}, "choose 3 to 11"),
        ({"decks": 3, "first_dealer": 9}, "decks is 3"),
        ({"hand_size": 40}, "hands of 40"),
        ({"removed": "xx"}, "expected a rank"),
        ({"players": 4, "teams": 3}, "4 players do not divide into 3 teams"),
        ({"players": 5, "removed": (), "kitty": Kitty.NONE, "decks": 1}, "do not divide evenly among 5 players"),
        ({"bonuses": [Bonus(Card("AH"), 5)], "heart_values": (1,) * 13}, "the bonus card AH is a penalty card"),
        ({"doubler": Doubler(Card("2C")), "bonuses": [Bonus(Card("2C"), 5)]}, "the doubler 2C is a bonus card"),
        (
            {"bonus_floor": BonusFloor.TOTAL, "bonuses": [Bonus(Card("JD"), 5)], "doubler": Doubler(Card("2C"))},
            "bonus_floor",
        ),
        (
            {"bonus_target": 5, "bonuses": (), "no_tricks_bonus": 0, "moon": Moon.OFF, "doubler": None},
            "cannot be reached",
        ),
    ],
)
def test_fields_that_make_no_rule_set_are_refused_at_once(fixed: dict[str, Any], words: str) -> None:
    with pytest.raises(InvalidArgument, match=words):
        kit.rules(**fixed)


# --------------------------------------------------------------------------------------------------- deals and moves


@EXAMPLES
@given(kit.rules().flatmap(lambda rules: st.tuples(st.just(rules), kit.deals(rules))))
def test_deals_are_legal(drawn: tuple[Rules, Deal]) -> None:
    rules, dealt = drawn
    assert is_legal(new_game(rules), dealt)


@pytest.mark.long
@pytest.mark.untraced
@pytest.mark.parametrize("rules", [Rules(), SMALL, CHOICE, Rules(decks=2, players=8)])
def test_deals_shrink_to_the_sorted_deal_which_is_the_first_legal_move(rules: Rules) -> None:
    first = next(iter(legal_moves(new_game(rules))))
    assert simplest(kit.deals(rules)) == first
    assert simplest(kit.moves(new_game(rules))) == first


def test_deals_shrink_towards_card_order() -> None:
    dealt = simplest(kit.deals(SMALL), lambda dealt: Card("QS") in dealt.hands[0])
    assert Cards("QC QS") <= dealt.hands[0]
    assert Cards("QH KH AH") <= dealt.hands[3]


@EXAMPLES
@given(kit.states(phases=[Phase.DEAL, Phase.PASS, Phase.PLAY, Phase.MOON]), st.data())
def test_moves_are_legal(state: State, data: st.DataObject) -> None:
    assert is_legal(state, data.draw(kit.moves(state)))


@EXAMPLES
@given(kit.states(phases=[Phase.PASS]).filter(heartsrules.to_act), st.data())
def test_moves_of_a_seat_and_of_a_view_are_that_seats(state: State, data: st.DataObject) -> None:
    seat = data.draw(st.sampled_from(sorted(heartsrules.to_act(state))))
    for where in (state, view(state, seat)):
        move = data.draw(kit.moves(where, seat=seat))
        assert isinstance(move, Pass)
        assert move.seat == seat
        assert is_legal(state, move)


@pytest.mark.long
@pytest.mark.parametrize("wanted", [Phase.PASS, Phase.PLAY, Phase.MOON])
def test_moves_shrink_to_the_first(wanted: Phase) -> None:
    state = simplest(kit.states(phases=[wanted]))
    assert simplest(kit.moves(state)) == legal_moves(state)[0]


# ------------------------------------------------------------------------------------------- games, states and views


@EXAMPLES
@given(kit.games())
def test_games_are_made_of_legal_moves(game: Game) -> None:
    assert game.ply <= 60
    assert replay_strict(game.rules, game.moves) == game


@EXAMPLES
@given(kit.games(start=apply(new_game(SMALL), deal(new_game(SMALL), seed=1)), max_plies=3))
def test_games_may_start_from_a_state(game: Game) -> None:
    assert game.at(0).deal_number == 0
    assert isinstance(game.at(0), Passing)
    assert game.ply <= 3


@pytest.mark.long
@pytest.mark.untraced
def test_games_shrink_to_the_first_moves() -> None:
    assert simplest(kit.games()) == Game.start(Rules())
    game = simplest(kit.games(rules=SMALL), lambda game: isinstance(game.state, Playing))
    assert game.ply == 5
    assert all(move == next(iter(legal_moves(game.at(ply)))) for ply, move in enumerate(game.moves))


STATES = {
    Phase.DEAL: (AwaitingDeal, AwaitingDealView),
    Phase.PASS: (Passing, PassingView),
    Phase.DEAL_BACK: (DealingBack, DealingBackView),
    Phase.EXPOSE: (Exposing, ExposingView),
    Phase.PLAY: (Playing, PlayingView),
    Phase.MOON: (ChoosingMoon, ChoosingMoonView),
    Phase.OVER: (GameOver, GameOverView),
}


@pytest.mark.sampled(3)
@pytest.mark.untraced
@pytest.mark.parametrize("wanted", Phase)
def test_states_and_views_are_of_the_phases_that_are_wanted(wanted: Phase) -> None:
    state_class, view_class = STATES[wanted]

    @settings(EXAMPLES, max_examples=10)
    @given(kit.states(phases={wanted}), kit.views(phases={wanted}))
    def check(state: State, seen: View) -> None:
        assert isinstance(state, state_class)
        assert isinstance(seen, view_class)

    check()


@pytest.mark.long
@pytest.mark.untraced
def test_all_phases_and_all_kinds_of_views_come() -> None:
    phases: set[tuple[Phase, bool]] = set()

    @settings(EXAMPLES, max_examples=300, derandomize=True)
    @given(kit.views())
    def collect(seen: View) -> None:
        phases.add((seen.phase, seen.seat is None))

    collect()
    assert {one for one, _ in phases} == set(Phase)
    assert {spectator for _, spectator in phases} == {False, True}


@EXAMPLES
@given(kit.views(spectators=False, rules=st.sampled_from([SMALL, Rules()]), max_plies=8))
def test_views_without_spectators_have_a_seat(seen: View) -> None:
    assert seen.seat in range(4)
    assert seen.rules in (SMALL, Rules())


@pytest.mark.long
@pytest.mark.untraced
def test_states_and_views_shrink_to_the_first_of_their_phase() -> None:
    start = new_game(Rules())
    assert simplest(kit.states()) == start
    assert simplest(kit.views()) == view(start, 0)
    assert simplest(kit.views(), lambda seen: seen.seat is None) == public_view(start)
    dealt = apply(start, next(iter(legal_moves(start))))
    assert simplest(kit.states(phases=[Phase.PASS])) == dealt
    assert simplest(kit.states(rules=Rules()), lambda state: state.phase is Phase.PASS) == dealt


def test_rule_sets_are_made_to_pass_at_once() -> None:
    def beginning_with(*steps: PassPlan) -> Rules:
        return strategies._beginning_with(Rules(pass_cycle=steps, unpassable="QS"), bool, left(1))

    assert beginning_with(HOLD) == Rules(pass_cycle=[left(1)])
    assert beginning_with(HOLD, left(2)) == Rules(pass_cycle=[left(2), HOLD], unpassable="QS")


def test_states_of_a_rule_set_come_to_its_rare_phases() -> None:
    assert isinstance(simplest(kit.states(rules=CHOICE, phases=[Phase.MOON])), ChoosingMoon)
    once = attrs.evolve(SMALL, max_deals=1, tie=Tie.SHARED)
    state = simplest(kit.states(rules=once, phases=[Phase.OVER], max_plies=0))
    assert isinstance(state, GameOver)
    assert state.deal_number == 0


@pytest.mark.long
@pytest.mark.untraced
@pytest.mark.parametrize(
    ("rules", "wanted"),
    [
        (st.just(Rules(moon=Moon.OFF)), Phase.MOON),  # no match comes to it
        (st.just(Rules(pass_cycle=[HOLD])), Phase.PASS),
        (
            attrs.evolve(SMALL, pass_cycle=[HOLD, left()], max_deals=1, tie=Tie.SHARED),
            Phase.PASS,
        ),  # the match ends first
        (Rules(target=100000), Phase.OVER),  # it is too far away
    ],
)
def test_states_that_do_not_come_up_are_not_made_up(rules: Any, wanted: Phase, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(strategies, "_FAR", 30)
    few = settings(FINDING, max_examples=1, suppress_health_check=[HealthCheck.filter_too_much, HealthCheck.too_slow])
    with pytest.raises(Unsatisfiable):
        find(kit.states(rules=rules, phases=[wanted], max_plies=1), lambda _: True, settings=few)


@pytest.mark.untraced
@EXAMPLES
@given(kit.records(max_plies=25))
def test_records_are_valid_and_can_be_written(record: Record) -> None:
    assert verify(record).valid
    assert len(record.moves) <= 25
    assert parse_record(format_record(record)) == record
    assert from_json(to_json(record), Record) == record


@pytest.mark.long
def test_records_shrink_to_an_empty_one() -> None:
    assert simplest(kit.records()) == Record(rules=Rules())
    tagged = simplest(kit.records(), lambda record: bool(record.tags and record.comments))
    assert (tagged.tags, tagged.comments) == ((("Event", ""),), ((0, ""),))


# ---------------------------------------------------------------------------------------------- arguments, reprs


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: kit.cards(among=""), "there is no card"),
        (lambda: kit.cards(among="QX"), "expected a suit"),
        (lambda: kit.bags(among=typing.cast(Any, 7)), "among=7 is not a collection of cards"),
        (lambda: kit.bags(min_size=-1), "min_size=-1"),
        (lambda: kit.bags(max_size=True), "max_size=True"),
        (lambda: kit.bags(among="QS", min_size=2), "more than the 1 cards to choose from"),
        (lambda: kit.bags(min_size=200), "more than the 104 cards to choose from"),
        (lambda: kit.bags(min_size=3, max_size=2), "max_size=2 is less than min_size=3"),
        (lambda: kit.deals(typing.cast(Any, "default")), "must be a Rules or a strategy"),
        (lambda: kit.games(rules=typing.cast(Any, 4)), "must be a Rules or a strategy"),
        (lambda: kit.games(max_plies=-1), "max_plies=-1"),
        (lambda: kit.games(max_plies=typing.cast(Any, 1.5)), "max_plies=1.5"),
        (lambda: kit.games(rules=Rules(), start=new_game(Rules())), "either rules or start"),
        (lambda: kit.games(start=typing.cast(Any, Rules())), "must be a State"),
        (lambda: kit.states(phases=[]), "not empty"),
        (lambda: kit.states(phases=typing.cast(Any, "play")), "must be a collection of Phase"),
        (lambda: kit.states(phases=typing.cast(Any, Phase.PLAY)), "must be a collection of Phase"),
        (lambda: kit.states(phases=typing.cast(Any, ["play"])), "must hold only Phase"),
        (lambda: kit.states(rules=Rules(), phases=[Phase.MOON]), "comes to the phase Phase.MOON"),
        (lambda: kit.states(rules=Rules(pass_cycle=[HOLD]), phases=[Phase.PASS]), "comes to the phase Phase.PASS"),
        (lambda: kit.views(spectators=typing.cast(Any, 1)), "spectators=1 must be a bool"),
        (lambda: kit.views(phases=[]), "not empty"),
        (lambda: kit.records(max_plies=typing.cast(Any, None)), "max_plies=None"),
        (lambda: kit.moves(typing.cast(Any, Rules())), "state must be a State"),
        (lambda: kit.moves(new_game(Rules()), seat=typing.cast(Any, "0")), "seat must be an int"),
        (lambda: kit.moves(public_view(new_game(Rules()))), "no legal move in the phase deal"),
        (lambda: kit.moves(typing.cast(Any, new_game(Rules())), seat=0), "no legal move of seat 0"),
    ],
)
def test_bad_arguments_are_refused_at_once(call: Callable[[], object], words: str) -> None:
    with pytest.raises(InvalidArgument, match=words):
        call()


@pytest.mark.parametrize(
    ("strategy", "shown"),
    [
        (kit.bags(min_size=2), "bags(min_size=2)"),
        (kit.rules(players=5), "rules(players=5)"),
        (kit.deals(), "deals()"),
        (kit.games(max_plies=3), "games(max_plies=3)"),
        (kit.states(phases=[Phase.PLAY]), "states(phases=[Phase.PLAY])"),
        (kit.views(spectators=False), "views(spectators=False)"),
        (kit.records(), "records()"),
        (kit.moves(new_game(Rules())), "moves(AwaitingDeal("),
    ],
)
def test_strategies_show_the_call_that_makes_them(strategy: st.SearchStrategy[Any], shown: str) -> None:
    assert repr(strategy).startswith(shown)


# ------------------------------------------------------------------------------------------------- registration

REGISTERED: list[Any] = [
    Card, Cards, Rules, Deal, Pass, Play, ChooseMoon, Game, Record,
    *(kind for both in STATES.values() for kind in both),
]  # fmt: skip


@pytest.mark.sampled(11)
@pytest.mark.untraced
@pytest.mark.parametrize("kind", REGISTERED, ids=lambda kind: kind.__name__)
def test_types_are_found_by_from_type(kind: Any) -> None:
    _hypothesis_plugin.register()
    value = simplest(st.from_type(kind))
    assert isinstance(value, kind)


ANY_MOVE: Any = heartsrules.Move
ANY_STATE: Any = State


@pytest.mark.long
@pytest.mark.untraced
def test_unions_are_found_by_from_type() -> None:
    _hypothesis_plugin.register()
    assert isinstance(simplest(st.from_type(ANY_MOVE), lambda move: isinstance(move, Play)), Play)
    assert isinstance(simplest(st.from_type(ANY_STATE), lambda state: isinstance(state, GameOver)), GameOver)


@settings(max_examples=examples(60))
@given(state=kit.states(phases=[Phase.EXPOSE]), data=st.data())
def test_states_in_which_cards_are_shown_are_drawn(state: State, data: st.DataObject) -> None:
    assert isinstance(state, Exposing)
    assert state.rules.exposable
    move = data.draw(kit.moves(state))
    assert move.seat in state.to_act
    assert move.cards <= state.hands[move.seat] & state.rules.exposable
    assert move in legal_moves(view(state, move.seat))


def test_rules_with_cards_to_show_come_up() -> None:
    shown = simplest(kit.rules(), lambda rules: bool(rules.exposable))
    assert len(shown.exposable) == 1
    with pytest.raises(InvalidArgument, match=r"no match by .* comes to the phase"):
        kit.states(rules=Rules(), phases=[Phase.EXPOSE])


def test_any_move_shrinks_to_the_least() -> None:
    assert simplest(strategies.any_plays()) == Play(0, Card("2C"))
    assert simplest(strategies.any_passes()) == Pass(0)
    assert simplest(strategies.any_passes(), lambda move: bool(move.cards)) == Pass(0, Cards("2C"))
    assert simplest(strategies.any_exposures()) == Expose(0, Cards())
    assert simplest(strategies.any_exposures(), lambda move: bool(move.cards)) == Expose(0, Cards("2C"))
    assert simplest(strategies.any_choices()) == ChooseMoon(0, Moon.OTHERS_UP)


def _run(code: str) -> str:
    return subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout.strip()


@pytest.mark.untraced
def test_the_package_itself_does_not_import_hypothesis() -> None:
    assert _run("import heartsrules, sys; print('hypothesis' in sys.modules)") == "False"
    assert _run("import heartsrules.testing, sys; print('hypothesis' in sys.modules)") == "False"


def test_registering_imports_no_strategies_before_they_are_asked_for() -> None:
    code = """
import sys
from heartsrules.testing._hypothesis_plugin import register
register()
before = 'heartsrules.testing.strategies' in sys.modules
from hypothesis import strategies as st
from heartsrules import Rules
st.from_type(Rules).validate()
print(before, 'heartsrules.testing.strategies' in sys.modules)
"""
    assert _run(code) == "False True"


def test_the_names_of_the_kit_are_there() -> None:
    # A module of the kit hides a function of its own name, once it has been imported.
    for module in pkgutil.iter_modules(kit.__path__):
        importlib.import_module(f"heartsrules.testing.{module.name}")
    assert kit.rules is strategies.rules
    for name in dir(kit):
        assert callable(getattr(kit, name))
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        getattr(kit, "nothing")  # noqa: B009
