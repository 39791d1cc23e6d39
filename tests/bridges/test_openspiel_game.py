"""The game that OpenSpiel loads: its rules, its bounds, what players see of it, and OpenSpiel's own checks of games."""

from __future__ import annotations

import pickle
import random
import subprocess
import sys
import unittest
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import attrs
import pytest

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
    IllegalMove,
    InvalidNotation,
    InvalidRules,
    Pass,
    Passing,
    Play,
    Playing,
    Rules,
    State,
    apply,
    deal,
    legal_moves,
    new_game,
    presets,
    to_act,
    view,
)
from heartsrules.bridges.openspiel import DEFAULTS, PASS_DIRECTIONS, action_of, card_of, rules_of
from heartsrules.bridges.pettingzoo import layout, observation
from heartsrules.chance import RandomStream
from heartsrules.formats.notation import parse_position
from heartsrules.play.exposing import resolved_with
from heartsrules.play.scoring import deal_outcome
from heartsrules.rules import (
    HOLD,
    Bonus,
    Compulsory,
    Doubler,
    ExposeBeforePass,
    Exposure,
    FirstTrick,
    HeartsBreak,
    Kitty,
    KittyShownTo,
    Moon,
    MoonCards,
    OpeningCard,
    OpeningLeader,
    PassOptional,
    Tie,
    left,
    middle,
    scatter,
)
from support.rounds import rounds
from support.strategies import SHOWING, choose, covered, random_rules, random_table

pytestmark = pytest.mark.once_compiled

# Any, as OpenSpiel has no types.
pyspiel: Any = pytest.importorskip("pyspiel", reason="OpenSpiel is not installed (pip install open_spiel)")
np: Any = pytest.importorskip("numpy")
flags: Any = pytest.importorskip("absl.flags")
api_test: Any = pytest.importorskip("open_spiel.integration_tests.api_test")
games_sim_test: Any = pytest.importorskip("open_spiel.python.tests.games_sim_test")
generate_playthrough: Any = pytest.importorskip("open_spiel.python.algorithms.generate_playthrough")
get_all_states: Any = pytest.importorskip("open_spiel.python.algorithms.get_all_states")
ismcts: Any = pytest.importorskip("open_spiel.python.algorithms.ismcts")
mcts: Any = pytest.importorskip("open_spiel.python.algorithms.mcts")
outcome_sampling_mccfr: Any = pytest.importorskip("open_spiel.python.algorithms.outcome_sampling_mccfr")
make_observation: Any = pytest.importorskip("open_spiel.python.observation").make_observation

from heartsrules.bridges.openspiel import game as hearts  # noqa: E402
from heartsrules.bridges.openspiel.game import (  # noqa: E402
    ACTIONS,
    DECLINE,
    OTHERS_UP,
    SHOOTER_DOWN,
    SHORT_NAME,
    HeartsState,
    PlayoutEvaluator,
    game_string,
    resampler,
)

QUEEN: Final = Card("QS")
CHANCE: Final = pyspiel.PlayerId.CHANCE
TERMINAL: Final = pyspiel.PlayerId.TERMINAL
OBSERVED: Final = [
    pyspiel.IIGObservationType(public_info=public, perfect_recall=recall, private_info=private)
    for public in (False, True)
    for recall in (False, True)
    for private in (
        pyspiel.PrivateInfoType.NONE,
        pyspiel.PrivateInfoType.SINGLE_PLAYER,
        pyspiel.PrivateInfoType.ALL_PLAYERS,
    )
]
OWN_OR_PUBLIC: Final = [kind for kind in OBSERVED if kind.private_info != pyspiel.PrivateInfoType.ALL_PLAYERS]


def load(rules: Rules, **options: Any) -> Any:
    return pyspiel.load_game(game_string(rules, **options))


def only(cards: str, decks: int = 1, **fields: Any) -> Rules:
    """Rules of three players with a deck of few cards."""
    kept = Cards(cards)
    whole = Cards([card for card in Rules().deck for _ in range(decks)])
    return Rules(**{"players": 3, "decks": decks, "removed": whole - kept, **fields})


TINY: Final = {
    "two decks": only("2C 2C QS QS 2H 2H", 2, pass_cycle=(HOLD,)),
    "passing": only("2C 2C QS QS 2H 2H", 2, pass_cycle=(left(1),)),
    "kitty, declining, choice": only(
        "2C QS 2H 3H",
        hand_size=1,
        kitty=Kitty.FIRST_TRICK,
        pass_cycle=(left(1),),
        pass_optional=PassOptional.SKIP,
        moon=Moon.CHOICE,
        opening_leader=OpeningLeader.DEALER_LEFT,
        opening_card=OpeningCard.ANY,
    ),
}
"""Rules whose whole tree can be gone through."""

ALONE: Final = only(
    "2C 3C 3D TD QS 2H",
    pass_cycle=(HOLD,),
    doubler=Doubler(Card("TD"), 3, 2),
    opening_card=OpeningCard.UNRESTRICTED,
    first_trick=FirstTrick.FREE,
    moon=Moon.OFF,
)
"""Two cards each; the doubler can be taken with all penalty cards, and with none."""

NINE: Final = only("2C 3C 4C KS QS 2S 2H 3H 4H", pass_cycle=(left(1),), moon=Moon.CHOICE)
"""Three cards each."""


def steps(game: Any, seed: object, aimed: bool = True) -> Iterator[HeartsState]:
    """The states of a game: aimed or fair deals, random passes, policies that aim at rare situations."""
    rng = random.Random(f"{seed}")
    state = game.new_initial_state()
    table = random_table(rng, game.rules)
    while True:
        yield state
        if state.is_terminal():
            return
        position = state.position
        if isinstance(position, DealingBack):
            move: Any = deal(position, rng=rng)
        elif isinstance(position, (Passing, Exposing)):
            seat = min(to_act(position))
            passes = legal_moves(position, seat)
            declines = position.rules.pass_optional is not PassOptional.NO and rng.random() < 0.3
            move = passes[-1 if declines else rng.randrange(len(passes))]
        elif isinstance(position, AwaitingDeal) and not aimed:
            move = deal(position, rng=rng)
        else:
            move = choose(position, table, rng)
        actions = state.actions_for(move)
        if isinstance(move, Pass) and len(move.cards) == 1:
            rng.shuffle(actions)
        for action in actions[:-1]:
            state.apply_action(action)
            yield state
        state.apply_action(actions[-1])
        after = apply(position, move)
        if isinstance(after, DealingBack) and not any(after.middle_cards):
            # Nothing lies in the middle: there is no chance node for it.
            after = apply(after, Deal(after.middle_cards))
        assert state.position == after


def finished(game: Any, seed: object) -> HeartsState:
    return list(steps(game, seed))[-1]


# ------------------------------------------------------------------------------------------- parameters and texts


def test_the_default_is_the_common_game() -> None:
    game = pyspiel.load_game(SHORT_NAME)
    assert game.rules == presets.board_game_arena(4)
    assert (game.deals, game.utility) == (1, "points")
    assert attrs.evolve(game.rules, tie=Tie.EXTRA_DEAL, score_display=Rules().score_display) == Rules()
    assert str(game) == "python_heartsrules()"
    assert game.num_distinct_actions() == ACTIONS == 55
    assert (game.max_chance_outcomes(), game.max_chance_nodes_in_history()) == (52, 52)
    assert (game.max_game_length(), game.min_utility(), game.max_utility()) == (64, -26, 0)
    kind = game.get_type()
    assert kind.default_loadable
    assert kind.utility == pyspiel.GameType.Utility.GENERAL_SUM
    assert pickle.loads(pickle.dumps(kind)) == kind


PARAMETERS: Final[list[tuple[str, Rules]]] = [
    ("preset=microsoft", Rules()),
    ("preset=default", Rules()),
    ("preset=bicycle", presets.bicycle(4)),
    ("preset=bicycle,players=5", presets.bicycle(5)),
    ("preset=black_maria", presets.black_maria()),
    ("preset=default,players=5,removed=2C 2D", Rules(players=5, removed="2C 2D")),
    ("preset=whisthub,target=0,max_deals=4", Rules(target=None, max_deals=4)),
    ("preset=default,sun=yes,no_tricks_bonus=5,no_tricks_bonus_on_moon=no", Rules(
        sun=True, no_tricks_bonus=5, no_tricks_bonus_on_moon=False
    )),
    ("preset=default,pass_cycle=L2+R1 scatter hold", Rules(pass_cycle=(((1, 2), (-1, 1)), scatter(players=4), HOLD))),
    ("preset=default,moon=choice,bonuses=JD:10,queen_points=0", Rules(
        moon=Moon.CHOICE, bonuses=presets.OMNIBUS, queen_points=0
    )),
    ("preset=default,heart_values=0 0 0 1 1 1 1 1 2 2 2 2 5", Rules(
        heart_values=(0, 0, 0, 1, 1, 1, 1, 1, 2, 2, 2, 2, 5)
    )),
    ("preset=default,bonuses=JD:10 TD:5,doubler=TC:2:50,compulsory=discard,compulsory_cards=QS TD", Rules(
        bonuses=[Bonus(Card("JD"), 10), Bonus(Card("TD"), 5)],
        doubler=Doubler(Card("TC"), 2, 50),
        compulsory=Compulsory.DISCARD,
        compulsory_cards="QS TD",
    )),
    ("preset=default,bonuses=JD:10,bonus_target=50,moon_cards=hearts,hearts_break=discarded", Rules(
        bonuses=presets.OMNIBUS, bonus_target=50, moon_cards=MoonCards.HEARTS, hearts_break=HeartsBreak.DISCARDED
    )),
    ("preset=default,doubler=none,bonuses=none,bonus_target=0", Rules()),
    ("preset=default,exact_resets=100:50 50:0,teams=0", Rules(exact_resets=((100, 50), (50, 0)))),
]  # fmt: skip


@pytest.mark.parametrize(("text", "rules"), PARAMETERS)
def test_parameters_name_rules(text: str, rules: Rules) -> None:
    game = pyspiel.load_game(f"{SHORT_NAME}({text})")
    assert game.rules == rules
    for again in (pyspiel.load_game(str(game)), load(rules), pickle.loads(pickle.dumps(game))):
        assert again.rules == rules
    assert str(pyspiel.load_game(str(game))) == str(game)


def test_parameters_may_come_in_a_dict_with_commas() -> None:
    game = pyspiel.load_game(SHORT_NAME, {"players": 5, "preset": "default", "removed": "2C, 2D", "deals": 2})
    assert game.rules == Rules(players=5, removed="2C 2D")
    assert str(game) == "python_heartsrules(deals=2,players=5,preset=default,removed=2C 2D)"
    assert pyspiel.load_game(str(game)).deals == 2


EVERY_PRESET: Final = [
    (name, players)
    for name, preset in presets.ALL.items()
    if covered(preset()) == preset()
    for players in sorted({preset.players[0], preset.players[-1]})
]  # fmt: skip


@pytest.mark.parametrize(("name", "players"), EVERY_PRESET)
def test_every_preset_goes_round_as_text(name: str, players: int) -> None:
    rules = presets.ALL[name](players)
    assert pyspiel.load_game(f"{SHORT_NAME}(preset={name},players={players})").rules == rules
    assert load(rules, deals=3, utility="win").rules == rules


@pytest.mark.parametrize(
    ("rules", "details"),
    [
        (presets.charged_hearts(), ["any-number", "expose-before-pass"]),
        (Rules(pass_cycle=(middle(None),)), ["any-number"]),
        (Rules(exposable="QS", expose_before_pass=ExposeBeforePass.ALWAYS), ["expose-before-pass"]),
    ],
)
def test_rules_that_there_are_no_actions_for_are_refused(rules: Rules, details: list[str]) -> None:
    with pytest.raises(InvalidRules) as refused:
        load(rules)
    assert [(problem.code, problem.detail) for problem in refused.value.problems] == [
        ("no-actions", detail) for detail in details
    ]


@pytest.mark.long
def test_random_rules_go_round_as_text() -> None:
    rng = random.Random("texts")
    for _ in range(200):
        rules = covered(random_rules(rng))
        assert load(rules).rules == rules


@pytest.mark.parametrize(
    ("text", "error", "message"),
    [
        ("preset=microsoft,players=5", InvalidNotation, "players is 5, but microsoft is for 4"),
        ("preset=mikrosoft", InvalidNotation, "did you mean microsoft"),
        ("preset=default,players=5", InvalidNotation, "do not divide evenly among 5"),
        ("preset=default,removed=2C 2C", InvalidNotation, "2C"),
        ("moon=up", InvalidNotation, "moon"),
        ("deals=0", ValueError, "deals is 0: choose 1 to 1000"),
        ("deals=1001", ValueError, "choose 1 to 1000"),
        ("utility=gain", ValueError, "utility is 'gain': choose from points, margin, win"),
        ("sun=true", pyspiel.SpielError, "Wrong type for parameter sun"),
        ("target=none", pyspiel.SpielError, "Wrong type for parameter target"),
        ("queen=5", pyspiel.SpielError, "Unknown parameter 'queen'"),
    ],
)
def test_what_names_no_rules_is_refused(text: str, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        pyspiel.load_game(f"{SHORT_NAME}({text})")


def test_game_string_checks_its_arguments() -> None:
    with pytest.raises(TypeError, match="deals must be an int"):
        game_string(Rules(), deals=True)
    with pytest.raises(ValueError, match="deals is 0"):
        game_string(Rules(), deals=0)
    with pytest.raises(ValueError, match="utility is 'x'"):
        game_string(Rules(), utility="x")
    with pytest.raises(ValueError, match="take no parameters"):
        make_observation(pyspiel.load_game(SHORT_NAME), None, {"x": 1})


def test_the_bridge_alone_does_not_load_openspiel() -> None:
    code = "import sys, heartsrules.bridges.openspiel; sys.exit('pyspiel' in sys.modules or 'numpy' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


# ------------------------------------------------------------------------------------------ OpenSpiel's own checks

SIMULATED: Final = [
    *[(covered(presets.ALL[name]()), 1) for name in presets.ALL if "cancellation" not in name],
    (presets.dicegamedepot_cancellation(6), 1),
    (attrs.evolve(presets.pagat(), pass_optional=PassOptional.UNANIMOUS), 3),
    (NINE, 4),
]


@pytest.mark.sampled(4)
@pytest.mark.untraced
@pytest.mark.parametrize(("rules", "deals"), SIMULATED[: rounds(len(SIMULATED))])
def test_random_sim_test(rules: Rules, deals: int) -> None:
    pyspiel.random_sim_test(load(rules, deals=deals), num_sims=1, serialize=deals == 1, verbose=False)


@pytest.mark.sampled(3)
@pytest.mark.untraced
@pytest.mark.parametrize("utility", ["points", "margin", "win"])
def test_random_sim_test_of_each_utility(utility: str) -> None:
    pyspiel.random_sim_test(load(NINE, deals=2, utility=utility), num_sims=10, serialize=True, verbose=False)


@pytest.mark.parametrize("players", [3, 4, 5, 6])
def test_sim_game(players: int) -> None:
    # As OpenSpiel's own suite does with every game that is registered, for every count of players.
    np.random.seed(players)
    games_sim_test.GamesSimTest().sim_game(pyspiel.load_game(SHORT_NAME, {"players": players}))


def passes(case: type[unittest.TestCase]) -> int:
    suite = unittest.defaultTestLoader.loadTestsFromTestCase(case)
    result = unittest.TestResult()
    suite.run(result)
    assert [text for _, text in [*result.errors, *result.failures]] == []
    return result.testsRun


@pytest.mark.parametrize(
    "rules", [presets.board_game_arena(4), presets.dicegamedepot(5, kitty=Kitty.FIRST_TRICK), NINE]
)
def test_api_test_of_some_states(rules: Rules) -> None:
    random.seed(7)
    game = load(rules)
    case = type("Partial", (api_test.EnforceAPIOnPartialTreeBase,), {"game": game, "game_name": SHORT_NAME})
    assert passes(case) == 5


def all_states(game: Any) -> list[HeartsState]:
    return list(get_all_states.get_all_states(game, include_chance_states=True).values())


@pytest.mark.untraced
@pytest.mark.parametrize(
    "name", [name if name == "two decks" else pytest.param(name, marks=pytest.mark.long) for name in TINY]
)
def test_api_test_of_the_full_tree(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    game = load(TINY[name])
    states = all_states(game)
    kinds = Counter("chance" if s.is_chance_node() else "end" if s.is_terminal() else "player" for s in states)
    infostates = {
        (s.current_player(), s.information_state_string()) for s in states if s.current_player() >= 0
    }  # fmt: skip
    monkeypatch.setitem(api_test.TOTAL_NUM_STATES, name, (kinds["chance"], kinds["player"], kinds["end"]))
    monkeypatch.setitem(api_test.PERFECT_RECALL_NUM_STATES, name, len(infostates))
    if name == "passing":
        # Three walks through this tree take minutes; test_information_states_are_what_a_player_knows says more.
        monkeypatch.delattr(api_test.EnforceAPIOnFullTreeBase, "test_game_is_perfect_recall")
    case = type("Full", (api_test.EnforceAPIOnFullTreeBase,), {"game": game, "game_name": name})
    assert passes(case) >= 7


# OpenSpiel 2.0.2 uses a part of NumPy that NumPy 2.5 is about to remove.
@pytest.mark.long
@pytest.mark.filterwarnings("ignore:The chararray class:DeprecationWarning")
@pytest.mark.parametrize("rules", [presets.board_game_arena(4), presets.cardstock(3), NINE])
def test_playthroughs_are_replayed(rules: Rules, tmp_path: Path) -> None:
    if not flags.FLAGS.is_parsed():
        flags.FLAGS.mark_as_parsed()
    told = generate_playthrough.playthrough(game_string(rules, deals=2 if rules == NINE else 1), None, seed=3)
    path = tmp_path / "playthrough.txt"
    path.write_text(told, encoding="utf-8")
    original, again = generate_playthrough.replay(str(path))
    assert original == again == told
    assert "IsTerminal() = True" in told


# --------------------------------------------------------------------------------------------- the game in C++


def test_it_equals_the_game_in_cpp_action_by_action() -> None:
    rng = random.Random("both")
    met: Counter[str] = Counter()
    for number in range(60):
        parameters = {name: rng.random() < 0.5 for name in DEFAULTS} | {"pass_cards": True}
        direction = number % 4
        theirs = pyspiel.load_game("hearts", parameters).new_initial_state()
        theirs.apply_action(direction)
        # OpenSpiel deals from seat 0 on.
        rules = attrs.evolve(rules_of(parameters, PASS_DIRECTIONS[direction]), first_dealer=3)
        ours = load(rules).new_initial_state()
        while not theirs.is_terminal():
            assert ours.current_player() == theirs.current_player()
            assert ours.legal_actions() == theirs.legal_actions()
            if theirs.is_chance_node():
                assert dict(ours.chance_outcomes()) == pytest.approx(dict(theirs.chance_outcomes()))
            action = rng.choice(theirs.legal_actions())
            assert ours.action_to_string(action) == theirs.action_to_string(action)
            ours.apply_action(action)
            theirs.apply_action(action)
        assert ours.is_terminal()
        assert [value + 26 for value in ours.returns()] == theirs.returns()
        assert ours.history() == theirs.history()[1:]
        met[f"passed {PASS_DIRECTIONS[direction]}"] += 1
        met["moon"] += sorted(theirs.returns())[:3] == [0, 0, 0]
    assert set(met) >= {f"passed {name}" for name in PASS_DIRECTIONS}


# ------------------------------------------------------------------------------------------------ states and moves


def test_cards_are_dealt_one_by_one_from_the_dealers_left() -> None:
    game = load(attrs.evolve(NINE, first_dealer=1))
    state = game.new_initial_state()
    order = list(game.rules.deck)
    random.Random(1).shuffle(order)
    for place, card in enumerate(order):
        assert state.is_chance_node()
        assert dict(state.chance_outcomes()) == pytest.approx(
            {action_of(other): 1 / (9 - place) for other in order[place:]}
        )
        assert state.position == new_game(game.rules)
        state.apply_action(action_of(card))
    assert isinstance(state.position, Passing)
    assert state.position.hands == tuple(Cards(order[(seat - 2) % 3 :: 3]) for seat in range(3))
    assert state.current_player() == 0


def test_equal_cards_are_one_outcome_with_twice_the_chance() -> None:
    state = load(TINY["two decks"]).new_initial_state()
    assert state.chance_outcomes() == [
        (action, pytest.approx(1 / 3)) for action in sorted(map(action_of, Cards("2C QS 2H")))
    ]
    state.apply_action(action_of(QUEEN))
    assert [chance for _, chance in state.chance_outcomes()] == pytest.approx([0.4, 0.4, 0.2])


def test_what_is_left_over_is_the_kitty() -> None:
    rules = presets.dicegamedepot(5, kitty=Kitty.FIRST_TRICK)
    state = load(rules).new_initial_state()
    for action in range(50):
        state.apply_action(action)
    assert isinstance(state.position, Playing)
    assert state.position.kitty == Cards([card_of(50), card_of(51)])


def test_gifts_are_picked_card_by_card_and_in_any_order() -> None:
    rules = Rules(pass_cycle=(((1, 2), (-1, 1)),), unpassable="QS", pass_optional=PassOptional.NO)
    state = load(rules).new_initial_state()
    state.apply_action(action_of(QUEEN))
    for action in [action for action in range(52) if card_of(action) != QUEEN]:
        state.apply_action(action)
    hand = state.position.hands[1]
    assert QUEEN in hand
    for _ in range(3):
        state.apply_action(state.legal_actions()[0])
    assert state.current_player() == 1
    free = [action_of(card) for card in hand if str(card) != "QS"]
    assert state.legal_actions() == sorted(free)
    picks = [free[5], free[2], free[9]]
    for number, action in enumerate(picks):
        assert state.picks(1) == tuple(picks[:number])
        assert action in state.legal_actions()
        state.apply_action(action)
        assert action not in state.legal_actions()
    committed = Pass(1, Cards([card_of(free[5]), card_of(free[2])]), Cards([card_of(free[9])]))
    assert state.position.commitments[1] == committed
    assert state.picks(1) == tuple(picks)
    assert state.picks(0) != state.picks(1) != state.picks(2) == ()


def test_declining_is_an_action_of_its_own_and_only_the_first() -> None:
    state = load(attrs.evolve(presets.cardzmania(4), pass_optional=PassOptional.SKIP)).new_initial_state()
    for action in range(52):
        state.apply_action(action)
    assert state.legal_actions()[-1] == DECLINE
    assert state.action_to_string(DECLINE) == "decline"
    picking = state.clone()
    picking.apply_action(picking.legal_actions()[0])
    assert DECLINE not in picking.legal_actions()
    with pytest.raises(ValueError, match="may not both decline and pick cards"):
        picking.apply_action(DECLINE)
    with pytest.raises(ValueError, match="may not both decline and pick cards"):
        state.child(DECLINE).apply_action(picking.legal_actions()[0])
    told = []
    for _ in range(2):
        state.apply_action(DECLINE)
        assert state.current_player() == 0
        assert state.legal_actions() == [DECLINE]
        told += [state.information_state_string(0), str(state.information_state_tensor(0))]
    assert len(set(told)) == 4
    state.apply_action(DECLINE)
    assert state.position.commitments[0] == Pass(0)
    assert state.current_player() == 1


def test_the_shooter_chooses() -> None:
    rules = only("2C 3C QS KS AS 2H", pass_cycle=(HOLD,), moon=Moon.CHOICE)
    state = load(rules, deals=2).new_initial_state()
    # Seat 2 wins the first trick with the 3 of clubs, and leads the heart, on which the queen is discarded.
    for action in state.actions_for(Deal([Cards("2C AS"), Cards("QS KS"), Cards("3C 2H")])):
        state.apply_action(action)
    for card in ("2C", "KS", "3C", "2H", "AS", "QS"):
        assert action_of(Card(card)) in state.legal_actions()
        state.apply_action(action_of(Card(card)))
    assert isinstance(state.position, ChoosingMoon)
    assert state.current_player() == state.position.shooter == 2
    assert state.legal_actions() == [OTHERS_UP, SHOOTER_DOWN]
    assert [state.action_to_string(action) for action in state.legal_actions()] == ["others up", "shooter down"]
    assert state.actions_for(ChooseMoon(2, Moon.SHOOTER_DOWN)) == [SHOOTER_DOWN]
    for action, scores in ((OTHERS_UP, (14, 14, 0)), (SHOOTER_DOWN, (0, 0, -14))):
        chosen = state.child(action)
        assert chosen.position.scores == scores
        # The choice is part of what a player remembers, and of every world.
        world = chosen.resample_from_infostate(1, random.Random(1))
        assert world.history()[6:] == chosen.history()[6:]
        assert world.information_state_string(1) == chosen.information_state_string(1)
        assert world.information_state_tensor(1) == chosen.information_state_tensor(1)
    assert state.child(OTHERS_UP).information_state_tensor(0) != state.child(SHOOTER_DOWN).information_state_tensor(0)


def test_moves_make_actions_and_are_judged() -> None:
    state = load(Rules()).new_initial_state()
    move = deal(new_game(Rules()), seed=7)
    with pytest.raises(IllegalMove):
        state.actions_for(Deal(move.hands[:3]))
    actions = state.actions_for(move)
    for action in actions:
        state.apply_action(action)
    assert state.position == apply(new_game(Rules()), move)
    second = legal_moves(state.position, 1)[5]
    with pytest.raises(ValueError, match="seat 1 must wait: OpenSpiel asks player 0 first"):
        state.actions_for(second)
    state.apply_action(state.actions_for(legal_moves(state.position, 0)[0])[0])
    with pytest.raises(ValueError, match="a deal, a pass or an exposure has begun"):
        state.actions_for(legal_moves(state.position, 0)[0])
    with pytest.raises(IllegalMove):
        state.apply_action(DECLINE)
    end = finished(load(Rules()), 1)
    with pytest.raises(ValueError, match="the game has ended"):
        end.actions_for(deal(end.position, seed=1))


def test_what_comes_out_of_a_pickle_goes_on() -> None:
    for state in steps(load(presets.pagat()), "pickle"):
        if len(state.history()) % 20 != 10:
            continue
        text = pyspiel.serialize_game_and_state(state.get_game(), state)
        for again in (pickle.loads(pickle.dumps(state)), pyspiel.deserialize_game_and_state(text)[1]):
            assert again.position == state.position
            assert again.get_game().rules == presets.pagat()
            world = again.resample_from_infostate(2, random.Random(1))
            assert world.information_state_string(2) == state.information_state_string(2)
            while not again.is_terminal():
                again = again.child(again.legal_actions()[0])
            assert sum(again.returns()) <= -26
            assert again.get_game().max_chance_nodes_in_history() == 52


def test_an_observation_says_who_took_the_queen_where_that_decides_who_leads() -> None:
    rules = Rules(opening_leader=OpeningLeader.QUEEN_TAKER)
    observer = make_observation(load(rules, deals=4), pyspiel.IIGObservationType(perfect_recall=False))
    assert "queen_taker" not in make_observation(load(Rules()), pyspiel.IIGObservationType(perfect_recall=False)).dict
    said: set[int] = set()
    for state in steps(load(rules, deals=4), "queen"):
        if state.current_player() < 0:
            continue
        taker = state.position.score_sheet.queen_taker
        observer.set_from(state, state.current_player())
        shown = np.flatnonzero(observer.dict["queen_taker"]).tolist()
        assert shown == ([] if taker is None else [(taker - state.current_player()) % 4])
        text = observer.string_from(state, state.current_player())
        assert (f"the queen went to player {taker}" in text) == (taker is not None)
        said.update(shown)
    assert len(said) > 1


def test_the_text_of_a_state_is_its_position() -> None:
    rules = attrs.evolve(presets.pagat(), pass_optional=PassOptional.SKIP)
    said: Counter[str] = Counter()
    for state in steps(load(rules, deals=2), 5):
        position, *more = str(state).split("\n")
        assert parse_position(position) == state.position
        said.update(line.split()[0] for line in more)
        again = pickle.loads(pickle.dumps(state)) if len(state.history()) % 7 == 0 else state.clone()
        assert (str(again), again.history()) == (str(state), state.history())
        assert again.information_state_string(2) == state.information_state_string(2)
    assert said["dealt:"] == 2 * 51
    assert said["picked:"] > 0
    assert said["the"] == 1


# ------------------------------------------------------------------------------------------ lengths and returns


@pytest.mark.parametrize("utility", ["points", "margin", "win"])
def test_games_keep_to_the_bounds(utility: str) -> None:
    rng = random.Random(f"bounds {utility}")
    for number in range(40):
        rules = covered(random_rules(rng))
        deals = 1 + number % 3
        game = load(rules, deals=deals, utility=utility)
        state = finished(game, number)
        returns = state.returns()
        assert game.min_utility() < game.max_utility()
        assert all(game.min_utility() - 1e-9 <= value <= game.max_utility() + 1e-9 for value in returns)
        if utility != "points":
            assert game.get_type().utility == pyspiel.GameType.Utility.ZERO_SUM
            assert sum(returns) == pytest.approx(game.utility_sum(), abs=1e-9)
        players = [item.player for item in state.full_history()]
        chance = players.count(CHANCE)
        assert chance <= game.max_chance_nodes_in_history()
        assert len(players) - chance <= game.max_game_length()
        assert len(state.ended) == len(state.position.score_sheet) <= deals


@pytest.mark.parametrize(
    ("rules", "lowest", "highest"),
    [
        # With the doubler, all penalty cards, or the moon of another player. A bonus card lifts it either way.
        (Rules(doubler=Doubler(Card("TC"), 3)), -78, 0),
        (Rules(doubler=Doubler(Card("TC"), 3), bonuses=[Bonus(Card("JD"), 10), Bonus(Card("TD"), 5)]), -78, 45),
        (Rules(doubler=Doubler(Card("TC"), 2, 50), bonuses=presets.OMNIBUS), -52, 50),
        (Rules(doubler=Doubler(Card("TC"), 2, 50), bonuses=presets.OMNIBUS, teams=2, moon=Moon.OFF), -52, 60),
        # Both copies in one hand, or one of them alone.
        (Rules(decks=2, doubler=Doubler(Card("TC"), 2, 5), moon=Moon.OFF), -208, 10),
        (Rules(decks=2, doubler=Doubler(Card("TC"), 2, 5), moon=Moon.SHOOTER_DOWN, teams=2), -208, 208),
        (Rules(decks=2, doubler=Doubler(Card("TC"), 2, 500), moon=Moon.SHOOTER_DOWN, teams=2), -208, 1052),
        # Penalty cards that are not moon cards count beside somebody else's moon; so does the queen that the shooter
        # of the hearts did not get, but then the moon is as much less.
        (Rules(extra_penalties=[(Card("KS"), 10)], moon_cards=MoonCards.HEARTS_AND_QUEEN), -36, 0),
        # All that may be shown is shown: a moon of 13 hearts at 2, the queen at 26 and the bonus card, each doubled.
        (Rules(exposable="QS AH"), -52, 0),
        (Rules(exposable="JD TC", bonuses=presets.OMNIBUS, doubler=Doubler(Card("TC"), 2, 5), moon=Moon.OFF), -104, 80),
        (Rules(moon_cards=MoonCards.HEARTS, moon_points=20), -33, 0),
        (Rules(moon_cards=MoonCards.HEARTS, moon=Moon.CHOICE, sun=True), -52, 52),
        (Rules(moon_cards=MoonCards.HEARTS, teams=2, extra_penalties=[(Card("KS"), 10)]), -62, 0),
        (Rules(moon_cards=MoonCards.HEARTS, doubler=Doubler(Card("TC")), teams=2), -78, 0),
    ],
)
def test_bounds_of_a_deal(rules: Rules, lowest: int, highest: int) -> None:
    game = load(rules)
    assert (game.min_utility(), game.max_utility()) == (lowest, highest)


@pytest.mark.long
def test_no_piles_score_beyond_the_bounds() -> None:
    rng = random.Random("piles")
    doubled = 0
    for _ in range(400):
        rules = covered(random_rules(rng))
        game = load(rules)
        for _ in range(6):
            takers = rng.sample(range(rules.players), rng.randint(1, 3))
            by_seat: list[list[Card]] = [[] for _ in range(rules.players)]
            for card in rules.deck:
                by_seat[rng.choice(takers) if rng.random() < 0.9 else takers[0]].append(card)
            piles = [Cards(cards) for cards in by_seat]
            won = tuple([len(pile) // rules.players for pile in piles])
            # A moon that takes a total to 0 takes off what other deals have added.
            most = 0 if rules.moon is Moon.SHOOTER_TO_ZERO else 120
            totals = tuple([rng.randint(-20, most) for _ in piles])
            shown = tuple([pile & rules.exposable if rng.random() < 0.5 else Cards() for pile in piles])
            _, rows = deal_outcome(resolved_with(rules, shown), piles, won, totals, 0, shown)
            for row in rows:
                lost = [sum([row.points[seat] for seat in side]) for side in rules.sides]
                assert game.min_utility() <= -max(lost)
                assert -min(lost) <= game.max_utility()
                doubled += rules.doubler is not None and row.shooter is not None
    assert doubled > 50


@pytest.mark.sampled(4)
@pytest.mark.parametrize("rules", [*TINY.values(), ALONE], ids=[*TINY, "a doubler, alone or not"])
def test_the_bounds_are_met(rules: Rules) -> None:
    game = load(rules)
    ends = [state for state in all_states(game) if state.is_terminal()]
    values = {value for state in ends for value in state.returns()}
    assert (min(values), max(values)) == (game.min_utility(), game.max_utility())
    lengths = [sum(item.player != CHANCE for item in state.full_history()) for state in ends]
    assert max(lengths) == game.max_game_length()


def test_a_game_has_as_many_deals_as_it_may() -> None:
    for deals in (1, 3):
        state = finished(load(Rules(), deals=deals), "cut")
        assert isinstance(state.position, AwaitingDeal)
        assert state.position.deal_number == deals == len(state.ended)
        assert state.current_player() == TERMINAL
        assert state.legal_actions() == []
        assert state.returns() == [-score for score in state.position.scores]
    whole = finished(load(presets.whisthub(target=50), deals=1000), "whole")
    assert isinstance(whole.position, GameOver)
    assert load(presets.whisthub(max_deals=4), deals=9).max_game_length() == 4 * 52 + 3 * 12


def test_returns_of_sides() -> None:
    rules = attrs.evolve(presets.partner_hearts(), max_deals=2, target=None, tie=Tie.SHARED)
    ends = {name: finished(load(rules, deals=2, utility=name), "sides") for name in ("points", "margin", "win")}
    scores = ends["points"].position.scores
    mine, yours = scores[0] + scores[2], scores[1] + scores[3]
    assert mine != yours
    assert ends["points"].returns() == [-mine, -yours, -mine, -yours]
    margin = (yours - mine) / 2
    assert ends["margin"].returns() == [margin, -margin, margin, -margin]
    gain = 0.5 if mine < yours else -0.5
    assert ends["win"].returns() == [gain, -gain, gain, -gain]


def test_a_win_is_shared_even_when_the_match_is_cut_off() -> None:
    shares: Counter[int] = Counter()
    for seed in range(60):
        state = finished(
            load(only("2C 3C 4C KS 3S 2S 2H 3H 4H", moon=Moon.OFF, pass_cycle=(HOLD,)), utility="win"), seed
        )
        scores = state.position.scores
        won = [score == min(scores) for score in scores]
        assert state.returns() == pytest.approx([wins / sum(won) - 1 / 3 for wins in won])
        shares[sum(won)] += 1
    assert shares[1]
    assert shares[2]


def test_before_the_end_there_are_no_returns() -> None:
    for state in steps(load(NINE, deals=2), 3):
        if not state.is_terminal():
            assert state.returns() == [0, 0, 0]


# --------------------------------------------------------------------------------------------- who knows what


def seen_of(game: Any, state: HeartsState, player: int, kinds: list[Any]) -> list[Any]:
    """Everything that observers show a player."""
    seen: list[Any] = []
    for kind in kinds:
        observer = make_observation(game, kind)
        observer.set_from(state, player)
        seen += [observer.string_from(state, player), observer.tensor.tobytes()]
    return seen


WATCHED: Final = [
    (Rules(), 2),
    (NINE, 3),
    (attrs.evolve(presets.cardzmania(4), pass_optional=PassOptional.SKIP), 2),
    (attrs.evolve(Rules(), pass_cycle=(((1, 2), (2, 1)), HOLD), unpassable="QS"), 2),
    (attrs.evolve(presets.dicegamedepot(5, kitty=Kitty.FIRST_POINT), kitty_shown_to=KittyShownTo.NOBODY), 2),
    (attrs.evolve(presets.dicegamedepot(5, kitty=Kitty.FIRST_POINT), kitty_shown_to=KittyShownTo.EVERYBODY), 2),
    (presets.dicegamedepot(5, kitty=Kitty.FIRST_TRICK), 2),
    (presets.dicegamedepot_cancellation(6), 1),
]


@pytest.mark.sampled(4)
@pytest.mark.parametrize(("rules", "deals"), WATCHED, ids=range(len(WATCHED)))
def test_worlds_of_one_information_set_look_the_same(rules: Rules, deals: int) -> None:
    game = load(rules, deals=deals)
    rng = random.Random("worlds")
    different = 0
    for state in steps(game, "worlds"):
        if rng.random() > 0.12 and not (isinstance(state.position, Passing) and rng.random() < 0.5):
            continue
        player = rng.randrange(rules.players)
        if state.current_player() >= 0 and rng.random() < 0.5:
            player = state.current_player()
        before = str(state)
        world = state.resample_from_infostate(player, rng)
        assert str(state) == before
        different += str(world) != before
        assert world.current_player() == state.current_player()
        if not rules.exposable:  # how many cards others have picked to show is hidden
            assert len(world.history()) == len(state.history())
        assert world.returns() == state.returns()
        if player == state.current_player():
            assert world.legal_actions() == state.legal_actions()
        assert world.view(player) == state.view(player) == view(state.position, player)
        assert world.information_state_string(player) == state.information_state_string(player)
        assert world.observation_string(player) == state.observation_string(player)
        assert seen_of(game, world, player, OWN_OR_PUBLIC) == seen_of(game, state, player, OWN_OR_PUBLIC)
        again = game.new_initial_state()
        for action in world.history():
            assert action in again.legal_actions()
            again.apply_action(action)
        assert str(again) == str(world)
    assert different > 5


def test_random_rules_hide_the_same() -> None:
    rng = random.Random("hidden")
    for number in range(25):
        game = load(covered(random_rules(rng)), deals=2)
        states = [state.clone() for state in steps(game, f"hidden {number}")]
        for state in rng.sample(states, 4):
            player = rng.randrange(game.num_players())
            world = state.resample_from_infostate(player, rng)
            assert seen_of(game, world, player, OWN_OR_PUBLIC) == seen_of(game, state, player, OWN_OR_PUBLIC)


def told(state: HeartsState, player: int) -> tuple[Any, ...]:
    """What a player knows by the views: of the finished deals, of the current one, and its own picks in order."""
    past = tuple(view(end, player) for end in state.ended)
    return (*past, view(state.position, player), *[state.picks(player, number) for number in range(len(past) + 1)])


@pytest.mark.sampled(3)
@pytest.mark.untraced
@pytest.mark.parametrize("name", TINY)
def test_information_states_are_what_a_player_knows(name: str) -> None:
    """They tell apart whatever the views and the player's own picks tell apart, and nothing else."""
    game = load(TINY[name])
    states = [state for state in all_states(game) if not state.is_chance_node()]
    if name == "passing":
        states = random.Random(1).sample(states, 1500)
    observer = make_observation(game, pyspiel.IIGObservationType(perfect_recall=True))
    for player in range(3):
        by_text: defaultdict[str, set[Any]] = defaultdict(set)
        by_tensor: defaultdict[bytes, set[Any]] = defaultdict(set)
        by_knowledge: defaultdict[Any, set[Any]] = defaultdict(set)
        for state in states:
            known = told(state, player)
            text = state.information_state_string(player)
            observer.set_from(state, player)
            by_text[text].add(known)
            by_tensor[observer.tensor.tobytes()].add(known)
            by_knowledge[known].add((text, observer.tensor.tobytes()))
        assert {len(known) for known in by_text.values()} == {1}
        assert {len(known) for known in by_tensor.values()} == {1}
        assert {len(shown) for shown in by_knowledge.values()} == {1}


def test_another_players_picks_change_nothing() -> None:
    game = load(attrs.evolve(Rules(), pass_optional=PassOptional.SKIP))
    state = game.new_initial_state()
    for action in range(52):
        state.apply_action(action)
    before = [seen_of(game, state, player, OWN_OR_PUBLIC) for player in range(4)]
    state.apply_action(state.legal_actions()[0])
    after = [seen_of(game, state, player, OWN_OR_PUBLIC) for player in range(4)]
    assert before[1:] == after[1:]
    assert before[0] != after[0]
    picks = [state.clone(), state.clone()]
    for other, numbers in zip(picks, ((0, 1), (5, 3)), strict=True):
        for number in numbers:
            other.apply_action(other.legal_actions()[number])
    declined = game.new_initial_state()
    for action in [*range(52), DECLINE, DECLINE, DECLINE]:
        declined.apply_action(action)
    shown = [seen_of(game, other, 2, OWN_OR_PUBLIC) for other in (*picks, declined)]
    assert shown[0] == shown[1] == shown[2]


def test_observations_forget_the_order_and_information_states_do_not() -> None:
    game = load(Rules())
    state = game.new_initial_state()
    for action in range(52):
        state.apply_action(action)
    one, other = state.clone(), state.clone()
    hand = state.legal_actions()
    for first, second in zip((hand[0], hand[4], hand[7]), (hand[7], hand[4], hand[0]), strict=True):
        one.apply_action(first)
        other.apply_action(second)
    assert one.position == other.position
    assert one.observation_string(0) == other.observation_string(0)
    assert one.observation_tensor(0) == other.observation_tensor(0)
    assert one.information_state_string(0) != other.information_state_string(0)
    assert one.information_state_tensor(0) != other.information_state_tensor(0)


def test_a_spectator_sees_no_hand_and_everybody_together_see_all() -> None:
    game = load(Rules())
    *_, state = [state.clone() for state in steps(game, 2) if isinstance(state.position, Playing)][:20]
    kinds = {(k.public_info, k.perfect_recall, str(k.private_info)): k for k in OBSERVED}
    assert len(kinds) == 12
    for (public, recall, private), kind in kinds.items():
        observer = make_observation(game, kind)
        observer.set_from(state, 1)
        text = observer.string_from(state, 1)
        held = [f"seat {seat}: hand" in text for seat in range(4)]
        if "NONE" in private:
            assert not any(held)
            assert set(observer.dict) & {"hand", "gifts", "picks", "received", "own_past"} == set()
        elif "ALL" in private:
            assert all(held)
            assert observer.dict["hand"].shape == (4, 52)
            for seat, hand in enumerate(state.position.hands):
                assert set(np.flatnonzero(observer.dict["hand"][seat])) == {card.index for card in hand}
        else:
            assert held == [False, True, False, False]
            assert set(np.flatnonzero(observer.dict["hand"])) == {card.index for card in state.position.hands[1]}
        assert ("turn" in observer.dict) == public
        assert ("plays" in observer.dict) == (public and recall)
        assert observer.dict["player"].tolist() == [0, 1, 0, 0]
        assert sum(part.size for part in observer.dict.values()) == observer.tensor.size


def test_what_the_parts_of_the_tensors_say() -> None:
    game = load(presets.pagat(), deals=2)
    states = list(steps(game, 9))
    state = states[-1]
    info = make_observation(game, pyspiel.IIGObservationType(perfect_recall=True))
    info.set_from(state, 3)
    for number, end in enumerate(state.ended):
        played = end.last_deal
        assert played is not None
        for place, trick in enumerate(played.tricks):
            assert np.flatnonzero(info.dict["leaders"][13 * number + place]).tolist() == [(trick.leader - 3) % 4]
            for play in trick.plays:
                played_by = info.dict["plays"][13 * number + place, (play.seat - 3) % 4]
                assert np.flatnonzero(played_by).tolist() == [play.card.index]
        past = info.dict["own_past"][number]
        assert set(np.flatnonzero(past[52:104])) == {card.index for card in played.passed[3]}
        assert set(np.flatnonzero(past[-52:])) == {card.index for card in played.received[3]}
        picked = [card_of(action).index for action in state.picks(3, number)]
        assert [int(row.argmax()) for row in info.dict["picks"][number]] == picked
    scores = np.roll(np.array(state.position.scores), -3)
    assert info.dict["totals"] * (game.rules.target or 26) == pytest.approx(scores)
    table = make_observation(game, None)
    for state in steps(game, 10):
        if isinstance(state.position, Playing):
            table.set_from(state, 2)
            vector = observation(state.view(2))
            for name, part in layout(game.rules).items():
                assert table.dict[name].ravel().tolist() == vector[part].tolist(), name


# --------------------------------------------------------------------------------------------- algorithms


def test_numbers_make_random_bits() -> None:
    numbers = random.Random(4)
    bits = hearts._Uniform(numbers.random)
    stream = [bits.getrandbits(k) for k in (1, 3, 32, 33, 64) for _ in range(500)]
    for at, k in enumerate((1, 3, 32, 33, 64)):
        some = stream[500 * at : 500 * at + 500]
        assert 0 <= min(some) < 2**k / 4 or k == 1
        assert 2**k * 3 / 4 <= max(some) + (k == 1) < 2**k + (k == 1)
        assert abs(sum(some) / 500 / (2**k - 1) - 0.5) < 0.06
    state = load(NINE).new_initial_state()
    world = state.resample_from_infostate(0, pyspiel.UniformProbabilitySampler(1, 0.0, 1.0))
    assert str(world) == str(resampler(random.Random(1))(state, 0)) == str(state)
    with pytest.raises(TypeError, match="rng must be a source of random bits"):
        resampler(random.random)  # type: ignore[arg-type]


@pytest.mark.long
@pytest.mark.untraced
def test_the_evaluator_plays_on_to_the_end() -> None:
    """Its mean is that of OpenSpiel's random rollouts, and where nothing is left to choose it is the result."""
    for utility in ("points", "margin", "win"):
        game = load(NINE, deals=2, utility=utility)
        states = [state.clone() for state in steps(game, "evaluator")]
        evaluator = PlayoutEvaluator(RandomStream(3))
        rollout = mcts.RandomRolloutEvaluator(1, np.random.RandomState(1))
        for state in (states[0], states[10], states[30]):
            before = str(state)
            ours = np.array([evaluator.evaluate(state) for _ in range(150)])
            theirs = np.array([rollout.evaluate(state) for _ in range(150)])
            error = np.sqrt(ours.var(axis=0) / 150 + theirs.var(axis=0) / 150)
            assert (abs(ours.mean(axis=0) - theirs.mean(axis=0)) <= 4 * error + 1e-9).all()
            assert str(state) == before
        assert evaluator.evaluate(states[-1]).tolist() == states[-1].returns()
        assert evaluator.prior(states[0]) == states[0].chance_outcomes()
        actions = states[9].legal_actions()
        assert evaluator.prior(states[9]) == [(action, 1 / len(actions)) for action in actions]
    with pytest.raises(TypeError, match="rng must be a source of random bits"):
        PlayoutEvaluator(random.random)  # type: ignore[arg-type]


def played(rules: Rules, simulations: int, observation: bool) -> HeartsState:
    game = load(rules)
    rng = random.Random("ismcts")
    state: HeartsState = game.new_initial_state()
    evaluator = mcts.RandomRolloutEvaluator(1, np.random.RandomState(1))
    bot = ismcts.ISMCTSBot(
        game,
        evaluator,
        uct_c=10.0,
        max_simulations=simulations,
        random_state=np.random.RandomState(2),
        use_observation_string=observation,
    )
    bot.set_resampler(resampler(rng))
    while not state.is_terminal():
        actions = state.legal_actions()
        if state.current_player() == 0:
            action = int(bot.step(state))
            assert action in actions
        else:
            action = rng.choice(actions)
        state.apply_action(action)
    return state


@pytest.mark.long
@pytest.mark.parametrize(
    "rules",
    [Rules(), presets.dicegamedepot_cancellation(6), presets.dicegamedepot(5, kitty=Kitty.FIRST_POINT), NINE],
    ids=["standard", "cancellation", "kitty", "nine cards"],
)
def test_ismcts_plays_a_deal(rules: Rules) -> None:
    one = played(rules, 15, observation=False)
    assert one.is_terminal()
    assert one.history() == played(rules, 15, observation=False).history()
    assert played(rules, 15, observation=True).is_terminal()


@pytest.mark.long
def test_ismcts_beats_random_players_by_far() -> None:
    """In a game of three tricks it takes half as many points as each of the others."""
    points = np.zeros(3)
    game = load(NINE)
    rng = random.Random("beats")
    bot = ismcts.ISMCTSBot(game, PlayoutEvaluator(RandomStream(1)), 10.0, 30, random_state=np.random.RandomState(2))
    bot.set_resampler(resampler(rng))
    for _ in range(40):
        state = game.new_initial_state()
        while not state.is_terminal():
            mine = state.current_player() == 0
            state.apply_action(int(bot.step(state)) if mine else rng.choice(state.legal_actions()))
        points -= state.returns()
    assert points[0] < min(points[1:]) / 2


def test_monte_carlo_cfr_runs_on_the_game() -> None:
    np.random.seed(1)
    game = load(TINY["two decks"], utility="margin")
    solver = outcome_sampling_mccfr.OutcomeSamplingSolver(game)
    for _ in range(200):
        solver.iteration()
    policy = solver.average_policy()
    state = game.new_initial_state()
    while state.is_chance_node():
        state.apply_action(state.legal_actions()[0])
    chances = policy.action_probabilities(state)
    assert set(chances) == set(state.legal_actions())
    assert sum(chances.values()) == pytest.approx(1)


def test_everything_is_the_same_action_for_the_same_play() -> None:
    """A play's action does not depend on the rules."""
    for rules in (Rules(), NINE, presets.dicegamedepot_cancellation(6)):
        state: Any = next(s for s in steps(load(rules), 1) if isinstance(s.position, Playing))
        position: State = state.position
        moves = [move for move in legal_moves(position) if isinstance(move, Play)]
        assert [state.actions_for(move) for move in moves] == [[action_of(move.card)] for move in moves]
        assert [state.action_to_string(action_of(move.card)) for move in moves] == [str(move.card) for move in moves]


# ------------------------------------------------------------------------------------------------------- shown cards


@pytest.mark.parametrize("exposure", list(Exposure))
def test_cards_are_shown_one_by_one(exposure: Exposure) -> None:
    rules = attrs.evolve(SHOWING, exposure=exposure)
    game = load(rules)
    state = game.new_initial_state()
    rng = random.Random(4)
    while state.is_chance_node():
        state.apply_action(rng.choice([action for action, _ in state.chance_outcomes()]))
    asked = []
    while isinstance(state.position, Exposing):
        player = state.current_player()
        asked.append(player)
        position = state.position
        shows = Expose(player, (position.hands[player] & rules.exposable) - position.start.exposed[player])
        own = sorted([action_of(card) for card in shows.cards])
        strangers = [
            [state.information_state_string(seat), state.information_state_tensor(seat)]
            for seat in range(4)
            if seat != player
        ]
        for number, action in enumerate(own):
            assert state.legal_actions() == [*own[number:], DECLINE]
            assert not state.showing((player + 1) % 4)
            state.apply_action(action)
            assert list(state.showing(player)) == sorted([card_of(each) for each in own[: number + 1]])
        # What a seat has picked tells the others nothing before it ends.
        assert strangers == [
            [state.information_state_string(seat), state.information_state_tensor(seat)]
            for seat in range(4)
            if seat != player
        ]
        for seat in range(4):
            world = state.resample_from_infostate(seat, rng)
            assert world.current_player() == player
            assert world.information_state_string(seat) == state.information_state_string(seat)
            assert world.information_state_tensor(seat) == state.information_state_tensor(seat)
            assert world.observation_tensor(seat) == state.observation_tensor(seat)
        state.apply_action(DECLINE)
        assert state.position == apply(position, shows)
    assert asked[0] == (1 if rules._resolved.shows_in_turn else 0)
    if rules._resolved.shows_in_rounds:
        assert len(asked) > 4
    else:
        assert asked == ([0, 1, 2, 3] if exposure is Exposure.TOGETHER else [1, 2, 3, 0])
    assert sum(map(len, state.position.exposed)) == 4
    assert "exposed " in state.observation_string(0)
    while not state.is_terminal():
        seat = state.current_player()
        world = state.resample_from_infostate(seat, rng)
        assert world.information_state_string(seat) == state.information_state_string(seat)
        state.apply_action(rng.choice(state.legal_actions()))
