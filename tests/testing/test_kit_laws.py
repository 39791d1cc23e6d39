"""The test kit: laws, perft and the machine hold for the library itself, and catch what is wrong on purpose."""

from __future__ import annotations

import pickle
import subprocess
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, ClassVar, Final

import attrs
import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis.stateful import run_state_machine_as_test

from heartsrules import (
    AwaitingDeal,
    Card,
    Cards,
    ChooseMoon,
    ChoosingMoon,
    Deal,
    Event,
    Expose,
    Exposing,
    GameOver,
    IllegalMove,
    Move,
    Pass,
    Passing,
    Play,
    Playing,
    Rules,
    ScoreSheet,
    Seat,
    State,
    Suit,
    View,
    advance,
    apply,
    deal,
    is_legal,
    legal_moves,
    new_game,
    presets,
    view,
    why_illegal,
)
from heartsrules.analysis import assess
from heartsrules.base.values import replaced
from heartsrules.bots import heuristic, uniform
from heartsrules.chance import SeededBits
from heartsrules.play.game import replay_strict
from heartsrules.play.transitions import transition
from heartsrules.play.violations import PointsOnFirstTrick
from heartsrules.rules import Compulsory, Exposure, FirstTrick, Kitty, KittyShownTo, Moon, PassOptional, Tie, scatter
from heartsrules.simulation import tournament
from heartsrules.simulation.many_games import simulate
from heartsrules.testing import names
from heartsrules.testing.laws import (
    Viewer,
    attempts,
    check_conservation,
    check_indistinguishable,
    check_legality,
    check_pure,
    check_verdicts,
    check_views,
    random_games,
    reproduction,
)
from heartsrules.testing.machine import TableMachine
from heartsrules.testing.perft import divide, perft
from heartsrules.views import ChoosingMoonView, PlayingView
from heartsrules.views import view_of as seen
from support.builds import wrong_type
from support.parts import with_parts
from support.tables import rules_of

pytestmark = pytest.mark.once_compiled

NAMES: Final = names()
"""What a reproduction needs to be evaluated."""

ANY_LEAD: Final = rules_of("hand_size=5 kitty=first-trick opening_leader=dealer-left opening_card=non-point target=20")
SHORT: Final = attrs.evolve(ANY_LEAD, moon=Moon.CHOICE)
OPTIONAL: Final = attrs.evolve(
    ANY_LEAD, players=3, hand_size=4, kitty=Kitty.LAST_TRICK, pass_cycle=[((1, 2),)], pass_optional=PassOptional.SKIP
)
SCATTERED: Final = attrs.evolve(
    ANY_LEAD, players=3, hand_size=6, kitty=Kitty.FIRST_POINT, pass_cycle=[scatter(players=3)]
)
SINGLE: Final = attrs.evolve(ANY_LEAD, hand_size=1, pass_cycle=[()], target=None, max_deals=1, tie=Tie.SHARED)
MANY: Final = presets.dicegamedepot_cancellation(8)
FAMILY: Final = rules_of(
    "opening_leader=queen-taker opening_card=unrestricted first_trick=no-hearts hearts_lead=points-when-broken "
    "hearts_break=discarded compulsory=safe compulsory_cards=JD,QS extra_penalties=AS:4 bonuses=JD:10,TS:3 "
    "doubler=TC:3:7 moon_cards=hearts moon=choice target=60 bonus_target=60 tie=shared",
    deck="TC JC QC KC AC TD JD QD KD AD TS JS QS KS AS TH JH QH KH AH",
)
"""What the other rule sets leave at its default."""
SHOWN: Final = attrs.evolve(FAMILY, exposable="QS JD TC AH", compulsory=Compulsory.NO, compulsory_cards="QS")
IN_TURN: Final = attrs.evolve(SHOWN, exposure=Exposure.IN_TURN, pass_cycle=[()])
RULE_SETS: Final = (SHORT, OPTIONAL, SCATTERED, SINGLE, FAMILY, SHOWN, IN_TURN)


def reproduced(error: pytest.ExceptionInfo[AssertionError]) -> State:
    """The state that the last line of a message leads to."""
    last = str(error.value).splitlines()[-1]
    assert last.startswith("state: replay_strict(")
    state: State = eval(last.removeprefix("state: "), dict(NAMES))
    return state


# ------------------------------------------------------------------------------------------------------ random games


def test_games_are_reproducible_and_differ() -> None:
    once, again = (list(random_games(RULE_SETS, games=3, seed="x")) for _ in range(2))
    assert once == again
    assert len({game.moves for game in once}) == len(once) == 3 * len(RULE_SETS)
    assert once != list(random_games(RULE_SETS, games=3, seed="y"))


def test_games_end_or_stop() -> None:
    for game in random_games(Rules(target=1), games=3, max_deals=20):
        assert isinstance(game.state, GameOver)
    for game in random_games(Rules(target=1000), games=3, max_deals=2):
        assert isinstance(game.state, AwaitingDeal)
        assert game.state.deal_number == 2


def test_games_reach_what_is_rare() -> None:
    games = list(random_games(presets.pagat()))
    states = [state for game in games for state in game.states]
    assert any(isinstance(state, ChoosingMoon) for state in states)
    barred = [
        state
        for state in states
        if isinstance(state, Playing)
        for card in state.hands[state.turn]
        for reason in why_illegal(state, Play(state.turn, card))
        if isinstance(reason, PointsOnFirstTrick)
    ]
    assert len(barred) >= 10


def test_games_reach_what_the_options_of_the_family_are_about() -> None:
    games = list(random_games(FAMILY, games=25, max_deals=3))
    states = [state for game in games for state in game.states]
    rows = [row for game in games for row in game.state.score_sheet]
    codes = {
        reason.code
        for state in states
        if isinstance(state, Playing)
        for card in state.hands[state.turn]
        for reason in why_illegal(state, Play(state.turn, card))
    }
    assert codes >= {"card-compulsory", "hearts-not-broken", "points-on-first-trick"}
    takers = [state for state in states if isinstance(state, Playing) and state.deal_number and not state.tricks]
    assert any(state.turn == state.score_sheet.queen_taker for state in takers if not state.trick)
    assert any(row.shooter is not None for row in rows)
    # With the doubler, more than all penalty cards, or a score below what the bonus cards take off.
    assert any(max(row.points) > FAMILY.penalty_total for row in rows)
    assert any(-7 in row.points for row in rows)


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"rules": []}, ValueError, "rules is empty"),
        ({"rules": Rules(), "games": 0}, ValueError, "games is 0: choose 1 or more"),
        ({"rules": Rules(), "games": True}, TypeError, "games must be an int, not a bool"),
        ({"rules": Rules(), "max_deals": "2"}, TypeError, "max_deals must be an int, not a str"),
        ({"rules": Rules(), "seed": None}, TypeError, "seed must be a str or an int, not None"),
    ],
)
def test_wrong_arguments(arguments: dict[str, Any], error: type[Exception], message: str) -> None:
    with wrong_type(message) if error is TypeError else pytest.raises(error, match=message):
        random_games(**arguments)


def test_attempts_are_moves_of_every_kind() -> None:
    for game in random_games(RULE_SETS, games=2):
        for state, move in zip(game.states, (*game.moves, None), strict=True):
            tried = attempts(state)
            assert len(set(tried)) == len(tried)
            assert not any(isinstance(attempt, Deal) for attempt in tried)
            assert any(not is_legal(state, attempt) for attempt in tried)
            if isinstance(state, (Passing, Playing, ChoosingMoon)):
                assert any(is_legal(state, attempt) for attempt in tried)
            if isinstance(move, (Play, ChooseMoon)):
                assert move in tried


def test_attempts_give_all_reasons_against_a_pass() -> None:
    codes = {
        reason.code
        for game in random_games((Rules(unpassable="2C"), MANY), games=3)
        for state in game.states
        if isinstance(state, Passing)
        for attempt in attempts(state)
        for reason in why_illegal(state, attempt)
    }
    assert codes >= {
        "already-passed",
        "may-not-decline",
        "no-such-seat",
        "not-in-hand",
        "card-may-not-be-passed",
        "wrong-number-of-cards",
        "wrong-phase",
    }


def test_reproduction() -> None:
    game = next(random_games(SHORT))
    for ply in (0, 3, game.ply):
        assert eval(reproduction(game, ply), dict(NAMES)) == game.at(ply)
    middle = replay_strict(game.at(4), game.moves[4:6])
    assert eval(reproduction(middle), dict(NAMES)) == game.at(6)
    with pytest.raises(IndexError):
        reproduction(game, game.ply + 1)


# ---------------------------------------------------------------------------------------------------- laws that hold


@pytest.mark.untraced
def test_what_is_counted_assessed_and_compared_can_be_evaluated_again() -> None:
    rules = attrs.evolve(SINGLE, max_deals=1)
    game = next(random_games(rules, games=1))
    playing = next(state for state in game.states if isinstance(state, Playing))
    for value in (
        simulate(rules, 3, seed="1"),
        assess(view(playing, playing.turn), SeededBits("1"), worlds=2),
        tournament(rules, uniform, heuristic, tables=2, seed="1"),
        transition(playing, legal_moves(playing)[0]),
    ):
        assert eval(repr(value), NAMES) == value


def test_the_library_obeys_its_laws() -> None:
    games = list(random_games(RULE_SETS, games=3))
    states = [state for game in games for state in game.states]
    moves = sum(game.ply for game in games)
    assert check_conservation(states) == len(states)
    assert check_legality(legal_moves, RULE_SETS, games=3) == sum(state.rules.players for state in states)
    assert check_verdicts(is_legal, RULE_SETS, games=3) > 20 * len(states)
    assert check_pure(new_game, apply, RULE_SETS, games=3) == moves
    assert check_views(seen, advance, RULE_SETS, games=3) == sum(game.ply * (game.rules.players + 1) for game in games)
    assert check_indistinguishable(seen, RULE_SETS, games=3) > 300
    assert check_indistinguishable(lambda state, viewer: pickle.dumps(seen(state, viewer)), RULE_SETS, games=3) > 300


def test_two_decks_obey_the_laws() -> None:
    assert check_verdicts(is_legal, MANY, games=1, max_deals=1) > 1000
    assert check_indistinguishable(seen, MANY, games=2, max_deals=1, positions=5, spectators=False) > 50
    assert check_views(seen, advance, MANY, games=1, max_deals=1) > 500
    assert check_conservation(state for game in random_games(MANY, games=3) for state in game.states) > 300


def test_views_of_a_choice_of_the_moon_obey_the_laws() -> None:
    """In an aimed sample: enough of the games stop at the choice, and go on from it either way."""
    games = list(random_games(SHORT, games=30, seed="moon"))
    choices = [move.effect for game in games for move in game.moves if isinstance(move, ChooseMoon)]
    assert choices.count(Moon.OTHERS_UP) >= 3
    assert choices.count(Moon.SHOOTER_DOWN) >= 3
    compared = check_views(seen, advance, SHORT, games=30, seed="moon")
    assert compared == sum(game.ply * (game.rules.players + 1) for game in games)


# ------------------------------------------------------------------------------------------------- and wrong on purpose


def without_the_ban(state: State, seat: Seat | None = None) -> list[Move]:
    """Legal moves under rules that have forgotten what may not be discarded on the first trick."""
    return list(legal_moves(forgetful(state), seat))


def forgetful(state: State) -> State:
    if not isinstance(state, Playing):
        return state
    return with_parts(state, rules=attrs.evolve(state.rules, first_trick=FirstTrick.FREE))


LISTS: Final[Mapping[str, tuple[Callable[[State, Seat], Iterable[Move]], str]]] = {
    "forgets the ban": (without_the_ban, "illegal: Play"),
    "hides the last": (lambda state, seat: list(legal_moves(state, seat))[:-1], "missing: Pass"),
    "lists twice": (lambda state, seat: [*legal_moves(state, seat)] * 2, "listed twice: Pass"),
    "forgets whose turn it is": (lambda state, _: [] if isinstance(state, AwaitingDeal) else legal_moves(state), "ill"),
}


@pytest.mark.parametrize(("listing", "message"), LISTS.values(), ids=LISTS)
def test_wrong_lists_are_found(listing: Callable[[State, Seat], Iterable[Move]], message: str) -> None:
    with pytest.raises(AssertionError, match=message) as error:
        check_legality(listing, Rules(), games=6, max_deals=1, seed="found")
    assert "seed: 'found', ply: " in str(error.value)
    state = reproduced(error)
    seats = range(state.rules.players)
    assert any(sorted(map(repr, listing(state, seat))) != sorted(map(repr, legal_moves(state, seat))) for seat in seats)


def test_long_lists_are_cut() -> None:
    with pytest.raises(AssertionError, match="and 274 more\nillegal: none"):
        check_legality(lambda *_: (), Rules(), games=1)


def refuses_the_queen(state: State, move: Move) -> bool:
    return is_legal(state, move) and not (isinstance(move, Play) and move.card is Card("QS"))


VERDICTS: Final[Mapping[str, tuple[Callable[[State, Move], Any], str]]] = {
    "forgets the ban": (lambda state, move: is_legal(forgetful(state), move), "illegal, but accepted"),
    "refuses the queen": (refuses_the_queen, r"Play\(\d, Card\('QS'\)\) is legal, but refused"),
    "lets all decline": (lambda state, move: is_legal(state, move) or move == Pass(2), "illegal, but accepted"),
    "says None of deals": (
        lambda state, move: True if is_legal(state, move) and not isinstance(move, Deal) else None,
        "legal, but refused",
    ),
    "accepts all": (lambda *_: True, "illegal, but accepted"),
    "refuses deals": (lambda state, move: is_legal(state, move) and not isinstance(move, Deal), "legal, but refused"),
}


@pytest.mark.parametrize(("judge", "message"), VERDICTS.values(), ids=VERDICTS)
def test_wrong_verdicts_are_found(judge: Callable[[State, Move], Any], message: str) -> None:
    with pytest.raises(AssertionError, match=message) as error:
        check_verdicts(judge, Rules(), games=6, max_deals=1)
    state = reproduced(error)
    assert isinstance(state, (AwaitingDeal, Passing, Playing))


def test_any_answer_is_a_verdict() -> None:
    assert check_verdicts(lambda state, move: "yes" if is_legal(state, move) else None, SINGLE, games=1) > 0  # type: ignore[arg-type, return-value]


def test_errors_come_with_the_place() -> None:
    def fails(*_: object) -> Any:
        raise KeyError("lost")

    for law in (check_legality, check_verdicts, check_indistinguishable):
        with pytest.raises(KeyError) as error:
            law(fails, SHORT, games=1)
        assert "state: replay_strict(" in error.value.__notes__[0]
    for second, first in ((fails, seen), (advance, fails)):
        with pytest.raises(KeyError) as error:
            check_views(first, second, SHORT, games=1)
        assert "state: replay_strict(" in error.value.__notes__[0]
    for begin, make in ((fails, apply), (new_game, fails)):
        with pytest.raises(KeyError) as error:
            check_pure(begin, make, SHORT, games=1)
        assert "state: replay_strict(" in error.value.__notes__[0]


def forgets_the_trick(before: View, events: tuple[Event, ...]) -> View:
    after = advance(before, events)
    if isinstance(after, PlayingView) and not after.hearts_broken and isinstance(before, PlayingView):
        return replaced(after, public=before.public)
    return after


def test_a_client_that_loses_track_is_found() -> None:
    with pytest.raises(AssertionError, match=r"the views of seat 0 differ\nevents: .*CardPlayed") as error:
        check_views(seen, forgets_the_trick, Rules(), games=1)
    assert reproduced(error).rules == Rules()

    def blind_in_the_end(state: State, viewer: Viewer) -> object:
        return None if viewer is None and isinstance(state, GameOver) else seen(state, viewer)

    assert check_views(blind_in_the_end, lambda old, new: advance(old, new), Rules(target=1), games=1, spectators=False)  # type: ignore[arg-type]
    with pytest.raises(AssertionError, match="the views of a spectator differ"):
        check_views(blind_in_the_end, lambda old, new: advance(old, new), Rules(target=1), games=1, max_deals=9)  # type: ignore[arg-type]


def test_a_client_that_does_not_see_the_choice_coming_is_found() -> None:
    def waits(before: View, events: tuple[Event, ...]) -> View:
        after = advance(before, events)
        return before if isinstance(after, ChoosingMoonView) else after

    with pytest.raises(AssertionError, match="the views of seat 0 differ") as error:
        check_views(seen, waits, SHORT, games=30, seed="moon")
    assert isinstance(reproduced(error), ChoosingMoon)

    def ignores(before: View, events: tuple[Event, ...]) -> View:
        return before if isinstance(before, ChoosingMoonView) else advance(before, events)

    with pytest.raises(AssertionError, match="the views of seat 0 differ") as error:
        check_views(seen, ignores, SHORT, games=30, seed="moon")
    assert "MoonChosen" in str(error.value)


def next_hand(state: State, viewer: Viewer) -> object:
    """The first card of the next seat's hand."""
    if viewer is None or not isinstance(state, (Passing, Playing)):
        return None
    return list(state.hands[(viewer + 1) % state.rules.players])[:1]


def next_void(state: State, viewer: Viewer) -> object:
    """Whether the next seat has a spade."""
    if viewer is None or not isinstance(state, Playing):
        return None
    return any(card.suit.letter == "S" for card in state.hands[(viewer + 1) % state.rules.players])


def commitments(state: State, viewer: Viewer) -> object:
    return seen(state, viewer), state.commitments if isinstance(state, Passing) else None


def declining(state: State, viewer: Viewer) -> object:
    """Who has declined, before everybody has committed."""
    if not isinstance(state, Passing):
        return seen(state, viewer)
    return seen(state, viewer), [made is not None and not made.cards for made in state.commitments]


def kitty(state: State, viewer: Viewer) -> object:
    return seen(state, viewer), state.kitty if isinstance(state, Playing) else None


def passes_afterwards(state: State, viewer: Viewer) -> object:
    """What everybody had passed, told when the deal is over."""
    last = state.last_deal if isinstance(state, (AwaitingDeal, GameOver)) else None
    return seen(state, viewer), None if last is None else last.passes


def only_to_spectators(state: State, viewer: Viewer) -> object:
    return seen(state, viewer), state.hands if viewer is None and isinstance(state, Playing) else None


LEAKS: Final[Mapping[str, tuple[Callable[[State, Viewer], object], Rules]]] = {
    "a card": (next_hand, Rules()),
    "a void": (next_void, Rules()),
    "commitments": (commitments, Rules()),
    "declining": (declining, OPTIONAL),
    "the kitty": (kitty, attrs.evolve(SHORT, kitty_shown_to=KittyShownTo.NOBODY)),
    "the kitty before it is taken": (kitty, attrs.evolve(OPTIONAL, kitty_shown_to=KittyShownTo.EVERYBODY)),
    "passes of a deal that is over": (passes_afterwards, Rules()),
    "hands to spectators": (only_to_spectators, Rules()),
}


@pytest.mark.parametrize(("look", "rules"), LEAKS.values(), ids=LEAKS)
def test_leaks_are_found(look: Callable[[State, Viewer], object], rules: Rules) -> None:
    with pytest.raises(AssertionError, match=r"can tell two states apart .*\nit is shown: ") as error:
        check_indistinguishable(look, rules)
    state = reproduced(error)
    twin: State = eval(str(error.value).splitlines()[-3].removeprefix("twin: "), dict(NAMES))
    viewers = (*range(rules.players), None)
    assert any(look(state, viewer) != look(twin, viewer) for viewer in viewers)
    assert any(seen(state, viewer) == seen(twin, viewer) for viewer in viewers)


def test_what_spectators_see_may_be_left_out() -> None:
    assert check_indistinguishable(only_to_spectators, Rules(), games=2, spectators=False) > 50


@pytest.mark.parametrize("name", ["positions", "twins"])
def test_numbers_of_twins_are_checked(name: str) -> None:
    with pytest.raises(ValueError, match=f"{name} is 0: choose 1 or more"):
        check_indistinguishable(seen, Rules(), **{name: 0})  # type: ignore[arg-type]


def playing() -> Playing:
    """The start of the third trick of some deal."""
    for state in next(random_games(SHORT)).states:
        if isinstance(state, Playing) and state.trick_number == 2:
            return state
    raise LookupError


def spoiled() -> Iterable[tuple[str, State, str]]:
    state = playing()
    seat = next(seat for seat, pile in enumerate(state.captured) if pile)
    lost = next(iter(state.hands[0]))
    fewer = (state.hands[0] - Cards([lost]), *state.hands[1:])
    yield "a lost card", Playing(state.public, state.secrets, fewer, state.turn, (), False), f"missing: {lost}"
    more = (state.hands[0], state.hands[1] + Cards([lost]), *state.hands[2:])
    yield "a card twice", Playing(state.public, state.secrets, more, state.turn, (), False), f"too many: {lost}"
    piles = [pile if at != seat else Cards() for at, pile in enumerate(state.captured)]
    yield "a lost pile", with_parts(state, captured=tuple(piles)), "missing: "
    yield "a trick won twice", with_parts(state, tricks_won=(3, 0, 0, 0)), "3 tricks are won, but only 2 have been"
    start = new_game(Rules())
    passing = apply(start, deal(start, seed=1))
    assert isinstance(passing, Passing)
    foreign = Pass(0, Cards(list(passing.hands[1])[:3]))
    yield "a foreign pass", replaced(passing, commitments=(foreign, None, None, None)), "seat 0 passes "
    yield "no kitty", replaced(passing, hands=(Cards(), *passing.hands[1:])), "missing: "
    exposing = apply(new_game(IN_TURN), deal(new_game(IN_TURN), seed=1))
    assert isinstance(exposing, Exposing)
    missing = next(iter(SHOWN.exposable - exposing.hands[0]))
    foreign_card = Expose(0, Cards([missing]))
    yield "a foreign exposure", replaced(exposing, commitments=(foreign_card, None, None, None)), "seat 0 shows "
    yield "a lost hand", replaced(exposing, hands=(Cards(), *exposing.hands[1:])), "missing: "
    now: State = exposing
    while isinstance(now, Exposing):
        now = apply(now, legal_moves(now)[0])
    assert isinstance(now, Playing)
    lying = with_parts(now, exposed=(foreign_card.cards, Cards(), Cards(), Cards()))
    yield "shown by the wrong seat", lying, "seat 0 has shown "
    over = next(random_games(Rules(target=1), games=1, max_deals=9)).state
    assert isinstance(over, GameOver)
    emptied = with_parts(over.last_deal, captured=(Cards(),) * 4, tricks_won=(0,) * 4)
    yield "an empty last deal", replaced(over, last_deal=emptied), "missing: "


@pytest.mark.parametrize(("state", "message"), [pytest.param(*row[1:], id=row[0]) for row in spoiled()])
def test_lost_cards_are_found(state: State, message: str) -> None:
    with pytest.raises(AssertionError, match="^state 1: .*" + message) as error:
        check_conservation([new_game(Rules()), state])
    rules, shown = str(error.value).splitlines()[-2:]
    assert eval(rules.removeprefix("rules: "), dict(NAMES)) == state.rules
    assert eval(shown.removeprefix("state: "), dict(NAMES)) == state


@attrs.define
class Scorer:
    """Somebody's mutable state: how many cards each seat has played."""

    played: list[int]
    turns: int = 0


def counted(scorer: Scorer, move: Move) -> Scorer:
    played = list(scorer.played)
    if isinstance(move, Play):
        played[move.seat] += 1
    return Scorer(played)


def in_place(scorer: Scorer, move: Move) -> Scorer:
    if isinstance(move, Play):
        scorer.played[move.seat] += 1
    return Scorer(list(scorer.played))


CALLS: Final = [0]


def moody(scorer: Scorer, _move: Move) -> Scorer:
    CALLS[0] += 1
    return Scorer(list(scorer.played), CALLS[0])


SHARED: Final = Scorer([0])


def sharing(scorer: Scorer, _move: Move) -> Scorer:
    """Gives the same object each time, and changes it afterwards."""
    if scorer is SHARED:
        return scorer
    SHARED.turns += 1
    return SHARED


def test_changes_in_place_are_found() -> None:
    def start(rules: Rules) -> Scorer:
        return Scorer([0] * rules.players)

    assert check_pure(start, counted, Rules(), games=1, max_deals=1) == 57
    with pytest.raises(AssertionError, match=r"Play\(.*\) changed the state that it was made in"):
        check_pure(start, in_place, Rules(), games=1)
    for other in (moody, sharing):
        with pytest.raises(AssertionError, match=r"Deal\(.*\) gave something else when it was made again"):
            check_pure(start, other, Rules(), games=1)
    with pytest.raises(AssertionError, match="states must compare by value") as error:
        check_pure(lambda _: Identical(), lambda state, _: state, Rules(), games=1)
    assert reproduced(error) == new_game(Rules())


class Identical:
    """Compares by identity, so nobody can tell whether it was changed."""


# ------------------------------------------------------------------------------------------------------------- perft


def test_perft_by_hand() -> None:
    """Nobody can follow in a deal of complete suits; the 2♣ opens."""
    rules = Rules(pass_cycle=[()])
    suits = [rules.deck.of_suit(card.suit) for card in map(Card, ("2C", "2D", "2S", "2H"))]
    state = apply(new_game(rules), Deal(suits))
    assert [perft(state, depth) for depth in range(5)] == [1, 1, 13, 13 * 12, 13 * 12 * 13]
    assert divide(state, 3) == {Play(0, Card("2C")): 13 * 12}
    assert divide(apply(state, Play(0, Card("2C"))), 2) == {
        Play(1, card): 12 for card in rules.deck.of_suit(Card("2D").suit)
    }


def test_divide_adds_up_to_perft() -> None:
    for state in next(random_games(SHORT, max_deals=1)).states:
        depth = 1 if isinstance(state, Passing) else 3
        counts = divide(state, depth)
        assert sum(counts.values()) == perft(state, depth)
        if isinstance(state, (Passing, Playing, ChoosingMoon)):
            assert list(counts) == list(legal_moves(state))
        else:
            assert counts == {}
            assert perft(state, 0) == 1


def test_passes_are_counted() -> None:
    start = new_game(Rules())
    state = apply(start, deal(start, seed=3))
    assert perft(state, 1) == 4 * 286
    assert set(divide(state, 2).values()) == {3 * 286}


@pytest.mark.parametrize("count", [perft, divide])
def test_wrong_arguments_of_perft(count: Callable[[Any, Any], object]) -> None:
    state = new_game(Rules())
    for arguments, error, message in (
        ((state, True), TypeError, "depth must be an int, not a bool"),
        ((state, -1), ValueError, "depth is -1: choose 0 or more"),
    ):
        with pytest.raises(error, match=message):
            count(*arguments)
    with pytest.raises(ValueError, match="depth is 0: choose at least 1"):
        divide(state, 0)


# ----------------------------------------------------------------------------------------------------------- machine


class Server:
    """A toy server with no faults."""

    state: State = new_game(Rules())

    def begin(self, rules: Rules) -> None:
        self.state = new_game(rules)

    def handle(self, move: Move) -> bool:
        try:
            self.state = self.made(move)
        except IllegalMove:
            return False
        return True

    def made(self, move: Move) -> State:
        return apply(self.state, move)

    def show(self, viewer: Viewer) -> object:
        return seen(self.state, viewer)


class LeaksAHand(Server):
    """Sends the taker's left neighbour's hand along when hearts are broken."""

    def show(self, viewer: Viewer) -> object:
        known = seen(self.state, viewer)
        if isinstance(known, PlayingView) and isinstance(self.state, Playing) and known.hearts_broken:
            return replaced(known, hand=self.state.hands[self.state.turn])
        return known


class ForgetsTheBan(Server):
    """Lets points be discarded on the first trick."""

    def made(self, move: Move) -> State:
        if isinstance(self.state, Playing) and move in legal_moves(forgetful(self.state)):
            return apply(self.state, move) if is_legal(self.state, move) else self.state
        return super().made(move)


class WrongWinner(Server):
    """Gives each trick to the highest card of it, whatever its suit."""

    def made(self, move: Move) -> State:
        after = apply(self.state, move)
        if not isinstance(after, Playing) or after.trick or not after.tricks:
            return after
        highest = max(after.tricks[-1].plays, key=lambda play: play.card.rank).seat
        return Playing(after.public, after.secrets, after.hands, highest, (), after.hearts_broken)


class LosesAPassedCard(Server):
    """Drops a card that the next seat was passed."""

    def made(self, move: Move) -> State:
        after = apply(self.state, move)
        if not isinstance(self.state, Passing) or not isinstance(after, Playing):
            return after
        hands = (after.hands[0] - Cards(list(after.received[0])[:1]), *after.hands[1:])
        return Playing(after.public, after.secrets, hands, after.turn, after.trick, after.hearts_broken)


class RefusesHearts(Server):
    """Refuses a heart that follows a heart."""

    def made(self, move: Move) -> State:
        state = self.state
        if isinstance(state, Playing) and isinstance(move, Play) and state.trick:
            reasons = why_illegal(state, move)
            if state.trick[0].card.suit == move.card.suit == Suit.HEARTS:
                raise IllegalMove(reasons, move)
        return apply(state, move)


class ShowsTooMuchToSpectators(Server):
    def show(self, viewer: Viewer) -> object:
        return seen(self.state, 0 if viewer is None else viewer)


class DoesNotStartAgain(Server):
    """Keeps the scores of the match before."""

    def begin(self, rules: Rules) -> None:
        scores = self.state.scores
        super().begin(rules)
        if any(scores):
            self.state = AwaitingDeal(rules, ScoreSheet(scores), None)


class Driver(TableMachine):
    """Drives a toy server."""

    rule_sets: ClassVar[Sequence[Rules]] = (Rules(), attrs.evolve(SHORT, target=10), OPTIONAL, FAMILY)
    spectators = True
    kind: ClassVar[type[Server]] = Server

    def __init__(self) -> None:
        super().__init__()
        self.server = self.kind()

    def start(self, rules: Rules) -> None:
        self.server.begin(rules)

    def submit(self, move: Move) -> bool:
        return self.server.handle(move)

    def seen_by(self, viewer: Viewer) -> object:
        return self.server.show(viewer)


def run(machine: type[TableMachine], examples: int) -> None:
    run_state_machine_as_test(
        machine,
        settings=settings(
            max_examples=examples,
            stateful_step_count=25,
            deadline=None,
            database=None,
            derandomize=True,
            print_blob=False,
            phases=[Phase.generate],
            suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
        ),
    )


def test_a_right_server_passes() -> None:
    run(Driver, 25)


FAULTS: Final[Mapping[type[Server], str]] = {
    LeaksAHand: "is shown something else",
    ForgetsTheBan: "was accepted, but is illegal: .* first trick",
    WrongWinner: "is shown something else",
    LosesAPassedCard: "is shown something else",
    RefusesHearts: "was refused, but is legal",
    ShowsTooMuchToSpectators: "a spectator is shown something else",
}


@pytest.mark.sampled(3)
@pytest.mark.untraced
@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.__name__)
def test_a_wrong_server_is_caught(fault: type[Server]) -> None:
    class Faulty(Driver):
        kind = fault

    with pytest.raises(AssertionError, match=FAULTS[fault]) as error:
        run(Faulty, 200)
    assert isinstance(reproduced(error), (AwaitingDeal, Passing, Playing, ChoosingMoon, GameOver))


def test_a_second_match_is_played() -> None:
    class Faulty(Driver):
        kind = DoesNotStartAgain
        rule_sets: ClassVar[Sequence[Rules]] = (SINGLE,)

    with pytest.raises(AssertionError, match="after the match started, seat 0 is shown something else"):
        run(Faulty, 60)


def test_what_is_expected_may_be_translated() -> None:
    class Texts(Driver):
        def seen_by(self, viewer: Viewer) -> object:
            return repr(self.server.show(viewer))

        def expected(self, seen: View) -> object:
            return repr(seen)

    run(Texts, 5)


def test_hooks_must_be_filled_in() -> None:
    machine: TableMachine = TableMachine()
    with pytest.raises(NotImplementedError):
        machine.start(Rules())
    with pytest.raises(NotImplementedError):
        machine.submit(Pass(0))
    with pytest.raises(NotImplementedError):
        machine.seen_by(0)


# ------------------------------------------------------------------------------------------------------------ imports


def test_laws_and_perft_need_no_hypothesis() -> None:
    code = (
        "import sys; sys.modules['hypothesis'] = None\n"
        "import heartsrules.testing.laws, heartsrules.testing.perft\n"
        "heartsrules.testing.laws.check_conservation(next(heartsrules.testing.laws.random_games(heartsrules.Rules())).states)\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True, timeout=60)
