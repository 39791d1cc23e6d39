"""Positions and records as text: round trips, leniency, refusals at the right place, budgets, and spoiled records."""

from __future__ import annotations

import gc
import importlib
import io
import pickle
import random
import tracemalloc
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
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
    DealScore,
    Expose,
    Exposing,
    GameOver,
    InvalidNotation,
    InvalidRules,
    InvalidState,
    Move,
    Pass,
    Passing,
    Play,
    Playing,
    Rules,
    ScoreSheet,
    State,
    Suit,
    apply,
    deal,
    presets,
)
from heartsrules.base.errors import suggestion
from heartsrules.base.values import replaced
from heartsrules.bridges.openspiel import PASS_DIRECTIONS, moves_of_history, points_of, rules_of
from heartsrules.formats.notation import (
    MAX_LINE,
    Evaluation,
    Variation,
    format_field,
    format_position,
    format_record,
    format_records,
    format_rules,
    format_variation,
    line_of,
    parse_field,
    parse_position,
    parse_record,
    parse_records,
    parse_rules,
    parse_setup,
    parse_variation,
    scan_records,
)
from heartsrules.play.game import Game, Record, RefusedMove, ScoreMismatch, replay_strict, verify
from heartsrules.play.violations import MustFollowSuit, NotExposable, NotInHand, NotYourTurn
from heartsrules.rules import (
    HOLD,
    Bonus,
    Compulsory,
    Doubler,
    Exposure,
    HeartsLead,
    HeartValues,
    Kitty,
    KittyShownTo,
    Moon,
    OpeningLeader,
    PassOptional,
    Tie,
)
from heartsrules.setup import set_up
from support import strategies
from support.rounds import SEED, rounds

pytestmark = pytest.mark.once_compiled

pyspiel: Any
try:
    pyspiel = importlib.import_module("pyspiel")
except ImportError:
    pyspiel = None

DATA: Final = Path(__file__).parents[1] / "data" / "records"
FIELDS: Final = tuple(field.name for field in attrs.fields(Rules) if field.init)


def read(name: str) -> str:
    return (DATA / name).read_text(encoding="utf-8")


def random_game(rng: random.Random, rules: Rules, deals: int = 2) -> Game:
    return replay_strict(rules, [move for _, move, _ in strategies.match(rules, rng, deals)])


# ------------------------------------------------------------------------------------------------------- the error


def test_where_a_text_is_wrong_follows_from_the_position() -> None:
    with pytest.raises(InvalidNotation) as caught:
        Cards("2C 3C\nQX 4C")
    error = caught.value
    assert (error.position, error.line, error.column) == (7, 2, 2)
    assert error.expected == "a suit (C, D, S, H or ♣, ♦, ♠, ♥)"
    assert error.found == "X 4C"
    assert str(error) == "expected a suit (C, D, S, H or ♣, ♦, ♠, ♥), at position 7 of '2C 3C\\nQX 4C'"
    again = pickle.loads(pickle.dumps(error))
    assert (str(again), vars(again)) == (str(error), vars(error))
    assert InvalidNotation("x", 0, "not so").expected == ""


def test_the_message_shows_an_excerpt_of_a_long_text() -> None:
    text = "2C " * 100 + "3C " * 20 + "?" + " 4C" * 100
    error = InvalidNotation(text, text.index("?"), "expected a card")
    assert error.text == text
    assert str(error) == f"expected a card, at position 360 of '...{'3C ' * 20}?{' 4C' * 19} 4...'"
    assert str(InvalidNotation(text, 0, "no")).startswith("no, at position 0 of '2C 2C ")
    assert str(InvalidNotation(text, len(text), "no")).endswith("4C 4C'")


# ------------------------------------------------------------------------------------------------------- rule sets


def test_a_message_names_the_first_of_many_names_and_tells_how_many_more_there_are() -> None:
    with pytest.raises(InvalidNotation) as refused:
        parse_rules("zzz")
    names = list(presets.ALL)
    assert f"choose from {', '.join(names[:16])} and {len(names) - 16} more, found 'zzz'" in str(refused.value)
    with pytest.raises(InvalidNotation, match="choose from extra-deal, shared, at line 1"):
        parse_rules("tie=zzz")
    numbers = [str(number) for number in range(18)]
    assert suggestion("zzz", numbers[:16]) == f"choose from {', '.join(numbers[:16])}"
    assert suggestion("zzz", numbers[:17]) == f"choose from {', '.join(numbers[:16])} and 1 more"
    assert suggestion("zzz", iter(numbers)) == f"choose from {', '.join(numbers[:16])} and 2 more"
    assert suggestion("targt", ["moon", "target", "targets"]) == "did you mean target or targets?"


@pytest.mark.long
@pytest.mark.untraced
def test_random_rule_sets_come_back() -> None:
    rng = random.Random("rules")
    for _ in range(250):
        rules = strategies.random_rules(rng)
        text = format_rules(rules)
        assert parse_rules(text) == rules
        assert format_rules(parse_rules(text)) == text
        for name in FIELDS:
            value = getattr(rules, name)
            read_back: Any = parse_field(name, format_field(name, value, rules.players), rules.players)
            assert attrs.evolve(rules, **{name: read_back}) == rules


@pytest.mark.parametrize("name", presets.ALL)
def test_presets_come_back_and_are_understood_by_name(name: str) -> None:
    preset = presets.ALL[name]
    for players in preset.players:
        rules = preset(players)
        assert parse_rules(format_rules(rules)) == rules
        assert parse_rules(f"{name.upper().replace('_', '-')} players={players}") == rules
    assert parse_rules(name) == preset()
    assert parse_rules(f"{name} no_tricks_bonus=7") == attrs.evolve(preset(), no_tricks_bonus=7)


@pytest.mark.parametrize(
    ("text", "changes"),
    [
        ("default", {}),
        ("DEFAULT players=4 target=100", {}),
        ("  Target=50\tKITTY-SHOWN-TO=Nobody ", {"target": 50, "kitty_shown_to": KittyShownTo.NOBODY}),
        ("players=5 removed=2♦,10c", {"players": 5, "removed": Cards("2D TC")}),
        ("pass_cycle=l3,r2,a1,HOLD,1:1+2:2,scatter", {
            "pass_cycle": (((1, 3),), ((-1, 2),), ((2, 1),), HOLD, ((1, 1), (2, 2)), ((1, 1), (2, 1), (-1, 1))),
        }),
        ("hearts_lead=ANY_TIME sun=on moon=Shooter_Down", {
            "hearts_lead": HeartsLead.ANY_TIME, "sun": True, "moon": Moon.SHOOTER_DOWN,
        }),
        ("sun=true moon_needs_bonus=off bonuses=none doubler=none", {"sun": True}),
        ("heart_values=pips", {"heart_values": HeartValues.PIPS}),
        ("heart_values=1,2,3,4,5,6,7,8,9,10,11,12,13", {"heart_values": tuple(range(1, 14))}),
        ("extra_penalties=KS:10,AS:7", {"extra_penalties": ((Card("KS"), 10), (Card("AS"), 7))}),
        ("bonuses=JD:10 unpassable=", {"bonuses": (Bonus(Card("JD"), 10),)}),
        ("bonuses=TD:5,jd:+10 Bonus-Target=60", {
            "bonuses": (Bonus(Card("JD"), 10), Bonus(Card("TD"), 5)), "bonus_target": 60,
        }),
        ("doubler=10C", {"doubler": Doubler(Card("TC"))}),
        ("doubler=T♣:3", {"doubler": Doubler(Card("TC"), 3)}),
        ("doubler=tc:2:+50", {"doubler": Doubler(Card("TC"), 2, 50)}),
        ("compulsory=NOT_LEAD compulsory_cards=10d,QS,QS", {
            "compulsory": Compulsory.NOT_LEAD, "compulsory_cards": Cards("TD QS"),
        }),
        ("exact_resets=100:50,51:-3 moon_points=none", {"exact_resets": ((100, 50), (51, -3))}),
    ],
)  # fmt: skip
def test_rule_sets_are_read_leniently(text: str, changes: dict[str, Any]) -> None:
    assert parse_rules(text) == Rules(**changes)


@pytest.mark.parametrize(
    ("name", "value", "text"),
    [
        ("bonuses", (), "none"),
        ("bonuses", (Bonus(Card("TD"), 5), Bonus(Card("JD"), 10)), "TD:5,JD:10"),
        ("doubler", None, "none"),
        ("doubler", Doubler(Card("TC")), "TC:2:0"),
        ("doubler", Doubler(Card("9C"), 3, 50), "9C:3:50"),
        ("compulsory", Compulsory.SAFE, "safe"),
        ("compulsory_cards", Cards("QS TD"), "TD,QS"),
        ("removed", Cards(), "none"),
        ("target", None, "none"),
        ("target", -3, "-3"),
        ("sun", True, "yes"),
        ("sun", False, "no"),
        ("tie", Tie.EXTRA_DEAL, "extra-deal"),
        ("pass_cycle", (((1, 3),), ((-1, 2),), (("across", 1),), HOLD), "L3,R2,A1,hold"),
        ("pass_cycle", (((1, 1), (-1, 2)), ((-2, 3), (3, 1))), "L1+R2,-2:3+3:1"),
        ("heart_values", (0,) * 12 + (1,), "0,0,0,0,0,0,0,0,0,0,0,0,1"),
        ("extra_penalties", ((Card("KS"), 10), (Card("AS"), 7)), "KS:10,AS:7"),
        ("extra_penalties", (), "none"),
        ("exact_resets", ((100, 50), (51, -3)), "100:50,51:-3"),
    ],
)
def test_fields_are_written_in_one_way(name: str, value: object, text: str) -> None:
    assert format_field(name, value, 4) == text
    assert parse_field(name, text, 4) == value


def test_heart_values_that_have_a_name_are_written_by_it() -> None:
    for values in HeartValues:
        assert format_field("heart_values", values.values, 4) == str(values)
        assert parse_field("heart_values", str(values), 4) is values


def test_across_is_half_way_round_an_even_table() -> None:
    for players, text in ((3, "1:1,2:1"), (5, "2:1,3:1"), (6, "A1,4:1"), (7, "3:1,4:1"), (10, "A1,6:1")):
        steps = (((players // 2, 1),), ((players // 2 + 1, 1),))
        assert format_field("pass_cycle", steps, players) == text.replace("1:1", "L1")
        across = (("across", 1),) if players % 2 == 0 else steps[0]
        assert parse_field("pass_cycle", text, players) == (across, steps[1])
        assert format_field("pass_cycle", (across, steps[1]), players) == text.replace("1:1", "L1")


def test_rules_that_cannot_be_played_carry_their_problems() -> None:
    with pytest.raises(InvalidNotation, match="remove 2 cards") as caught:
        parse_rules("players=5 teams=3 target=none score_display=countdown")
    cause = caught.value.__cause__
    assert isinstance(cause, InvalidRules)
    assert len(cause.problems) == 4
    assert caught.value.reason.endswith("; ...")


# ------------------------------------------------------------------------------------------------------- positions


def assert_comes_back(state: State) -> str:
    text = format_position(state)
    again = parse_position(text)
    assert again == state
    assert hash(again) == hash(state)
    assert "\n" not in text
    return text


@pytest.mark.sampled(4)
@pytest.mark.parametrize("name", presets.ALL)
def test_positions_of_presets_come_back(name: str) -> None:
    rng = random.Random(name)
    for players in presets.ALL[name].players:
        game = random_game(rng, presets.ALL[name](players), 2)
        for state in rng.sample(game.states, 12):
            assert_comes_back(state)


def test_hands_after_an_unknown_exchange_come_back() -> None:
    game = random_game(random.Random(1), Rules(), 1)
    state = next(state for state in game.states if isinstance(state, Playing))
    later: State = set_up(state.rules, hands=state.hands)
    assert " hands " in assert_comes_back(later)
    for move in game.moves[5:]:
        later = apply(later, move)
        assert_comes_back(later)
    assert isinstance(later, AwaitingDeal)


def test_a_sheet_that_begins_later_with_a_reset() -> None:
    rules = Rules(exact_resets=((50, 25), (25, 0)), pass_cycle=(HOLD,), max_deals=9, tie=Tie.SHARED)
    points = (1, 12, 13, 0)
    row = DealScore(points, points, None, None, False, (4, 4, 5, 0), (25, 0, 0, 0), 2)
    start = AwaitingDeal(rules, ScoreSheet((49, 13, 12, 0), 5, (row,), 3), None)
    told = "start 5:49,13,12,0:Q3; sheet 1,12,13,0/=/4,4,5,0/25,0,0,0/Q2"
    assert told in assert_comes_back(start)
    assert told in assert_comes_back(apply(start, deal(start, seed="reset")))


def test_the_score_sheet_of_a_moon() -> None:
    text = read("positions.txt")
    assert "0,-32,0/0,16,0/0,3,0/0,-32,0/1down*" in text
    state = parse_position(next(line for line in text.splitlines() if "1down*" in line))
    row = state.score_sheet[0]
    assert (row.shooter, row.effect, row.sun, row.totals) == (1, Moon.SHOOTER_DOWN, True, (0, -32, 0))


POSITIONS: Final = [line for line in read("positions.txt").splitlines() if not line.startswith("#")]


@pytest.mark.parametrize("line", POSITIONS)
def test_canonical_positions(line: str) -> None:
    assert assert_comes_back(parse_position(line)) == line


def test_the_canonical_positions_are_of_every_phase() -> None:
    kinds = {type(parse_position(line)) for line in POSITIONS}
    assert kinds == {AwaitingDeal, Passing, DealingBack, Exposing, Playing, ChoosingMoon, GameOver}


SHORT: Final = (
    "hearts/1; rules players=3 hand_size=2 kitty=last-trick pass_cycle=L1 opening_leader=dealer-left opening_card=any "
    "first_trick=free moon=off; phase play; deal 0; hands H5 H3 -; "
    "kitty C56789TJQKAD23456789TJQKAS23456789TJQKAH26789TJQKA; passes 0:H3 1:H4 2:H5; tricks 1:3C4C2C:2; "
    "trick 2:4H"
)


@pytest.mark.parametrize(
    ("name", "change"),
    [
        ("lower case", str.lower),
        ("upper case", str.upper),
        ("a byte order mark", lambda text: "\ufeff" + text),
        ("white space", lambda text: text.replace(" ", " \t ").replace(";", "\r\n ;")),
        ("a semicolon at the end", lambda text: text + " ; "),
        ("no white space where there need not be any", lambda text: text.replace("; ", ";")),
        ("symbols", lambda text: text.replace("H5 H3", "♥5 ♡3").replace("3C4C2C", "3♣4♧2♣\ufe0e")),
        ("ten", lambda text: text.replace("9TJ", "910j")),
        ("cards in a row", lambda text: text.replace("H5 H3", "5h 3H")),
        ("any order of sections", lambda text: "; ".join([text.split("; ")[0], *reversed(text.split("; ")[1:])])),
        ("any order of passes", lambda text: text.replace("0:H3 1:H4 2:H5", "2:H5 0:H3 1:H4")),
        ("fields that say nothing", lambda text: text.replace("players=3", "default target=100 PLAYERS=3")),
        ("a start that says nothing", lambda text: text.replace("deal 0", "deal 0; start 0:0,0,+0")),
    ],
)
def test_positions_are_read_leniently(name: str, change: Callable[[str], str]) -> None:
    lenient = change(SHORT)
    assert lenient != SHORT, name
    assert parse_position(lenient) == parse_position(SHORT)
    assert format_position(parse_position(lenient)) == SHORT


def test_the_line_of_a_position_over_several_lines() -> None:
    with pytest.raises(InvalidNotation) as caught:
        parse_position(SHORT.replace("; ", ";\n").replace("3C4C2C", "3C4X2C"))
    assert (caught.value.line, caught.value.column, caught.value.found) == (8, 12, "4X2C")


DEALT: Final = "hands SQHA C2H3 C3H4; kitty C456789TJQKAD23456789TJQKAS23456789TJKAH256789TJQK; passes 0:H3 1:C3 2:HA"
EXPOSING: Final = (
    "hearts/1; rules players=3 hand_size=2 kitty=last-trick pass_cycle=L1 exposable=QS,AH opening_leader=dealer-left "
    f"opening_card=any first_trick=free moon=off; phase expose; deal 0; {DEALT}; exposures 0:SQHA 1:-"
)
"""The first seat shows both cards, the second nothing."""


def test_exposures_are_written_by_seat_and_read_in_any_order() -> None:
    state = parse_position(EXPOSING)
    assert isinstance(state, Exposing)
    assert state.commitments == (Expose(0, Cards("QS AH")), Expose(1, Cards()), None)
    assert format_position(state) == EXPOSING
    assert parse_position(EXPOSING.replace("0:SQHA 1:-", "1:- 0:AHQS")) == state
    assert parse_position(EXPOSING.lower()) == state
    fresh = parse_position(EXPOSING.replace("; exposures 0:SQHA 1:-", ""))
    assert isinstance(fresh, Exposing)
    assert fresh.commitments == (None, None, None)
    playing = apply(state, Expose(2, Cards()))
    assert "; exposed SQHA - -" in format_position(playing)
    assert parse_position(format_position(playing)) == playing
    quiet: State = fresh
    for seat in range(3):
        quiet = apply(quiet, Expose(seat, Cards()))
    assert " shown " not in assert_comes_back(quiet)


def test_exposed_cards_of_a_row_and_the_suits_led_of_a_middle() -> None:
    line = next(line for line in POSITIONS if "/exposed=" in line and " led " in line)
    state = parse_position(line)
    assert isinstance(state, Playing)
    assert state.score_sheet[0].exposed == (Cards("QS"), Cards(), Cards(), Cards())
    middle = state.resumed_from
    assert middle is not None
    assert middle.suits_led == (Suit.CLUBS, Suit.SPADES)
    assert state.exposed == (Cards(), Cards("QS"), Cards(), Cards())
    for change in (("led CS", "led sc"), ("/exposed=SQ,", "/EXPOSED=QS,")):
        assert change[0] in line
        assert parse_position(line.replace(*change)) == state


MIDDLE: Final = next(line for line in POSITIONS if " captured " in line)


def test_a_position_without_history_may_have_a_score_sheet() -> None:
    rows = " ".join(
        ["20,2,2,2/=/4,3,3,3/20,2,2,2/Q0", "1,25,0,0/=/3,4,3,3/21,27,2,2/Q1", "2,2,2,20/=/3,3,3,4/23,29,4,22/Q3"]
    )
    told = "start 3:10,20,30,18"
    state = parse_position(MIDDLE.replace(told, f"sheet {rows}"))
    assert [row.totals for row in state.score_sheet] == [(20, 2, 2, 2), (21, 27, 2, 2), (23, 29, 4, 22)]
    assert [row.queen_taker for row in state.score_sheet] == [0, 1, 3]
    assert state.scores == (23, 29, 4, 22)
    later = parse_position(MIDDLE.replace(told, f"start 1:20,2,2,2:Q0; sheet {rows.partition(' ')[2]}"))
    assert later.score_sheet.rows == state.score_sheet.rows[1:]
    assert (later.score_sheet.first, later.score_sheet.start) == (1, (20, 2, 2, 2))
    assert later.score_sheet.queen_taker_before == 0
    with pytest.raises(InvalidState, match="add a row for each deal from `first` on"):
        parse_position(MIDDLE.replace(told, f"sheet {rows[:60].partition(' ')[0]}"))


def test_the_choice_of_a_shooter_stands_in_the_row() -> None:
    line = next(line for line in POSITIONS if " phase moon;" in line)
    state = parse_position(line)
    assert isinstance(state, ChoosingMoon)
    up, down = [
        assert_comes_back(apply(state, ChooseMoon(state.shooter, effect)))
        for effect in (Moon.OTHERS_UP, Moon.SHOOTER_DOWN)
    ]
    assert "/1up*/Q1; passes " in up
    assert "/1down*/Q1; passes " in down
    assert parse_position(up.replace("/1up*", "/1Up*")) == parse_position(up)
    with pytest.raises(InvalidState, match="points is 32, 0, 32, but the deal makes it 0, -32, 0"):
        parse_position(up.replace("/1up*", "/1down*"))
    without = "; ".join([section for section in up.split("; ") if not section.startswith("sheet ")])
    with pytest.raises(InvalidState, match="seat 1 shot the moon, but its choice is missing"):
        parse_position(without)
    with pytest.raises(InvalidState, match="after this deal the game goes on"):
        parse_position(up.replace("phase deal; deal 1", "phase over; deal 0"))


def test_who_captured_the_queen_before_the_sheet_leads() -> None:
    line = next(line for line in POSITIONS if " opening_leader=queen-taker " in line)
    state = parse_position(line)
    assert isinstance(state, Playing)
    assert (state.turn, state.score_sheet.queen_taker_before, state.score_sheet.first) == (1, 1, 4)
    assert parse_position(line.replace(":Q1;", ":q1;")) == state
    # If nobody captured it, who holds the 2S.
    for taker, leader in ((":Q0", 0), (":Q3", 3), ("", 2)):
        other = parse_position(line.replace(":Q1;", f"{taker};"))
        assert isinstance(other, Playing)
        assert other.turn == leader


def test_who_captured_the_queen_stands_last_in_a_row() -> None:
    line = next(line for line in POSITIONS if "/1down*/Q1 " in line)
    state = parse_position(line)
    assert [row.queen_taker for row in state.score_sheet] == [1, 1]
    assert parse_position(line.replace("/Q1", "/q1")) == state
    # The row of the last deal must be its very result.
    for wrong in ("/1up*/Q0;", "/1up*;"):
        with pytest.raises(InvalidState) as caught:
            parse_position(line.replace("/1up*/Q1;", wrong))
        assert [(problem.code, problem.fields) for problem in caught.value.problems] == [
            ("contradiction", ("score_sheet[1].queen_taker",))
        ]


def test_a_setup_whose_queen_takers_no_line_can_say() -> None:
    told = parse_setup(next(line for line in POSITIONS if " opening_leader=queen-taker " in line))
    points = (13, 13, 0, 0)
    row = DealScore(points, points, None, None, False, (4, 4, 4, 1), points, 1)
    for wrong, fields in (
        (attrs.evolve(told, queen_taker=-1), ("setup",)),
        (attrs.evolve(told, queen_taker=10_000), ("setup",)),
        (attrs.evolve(told, score_sheet=(replaced(row, queen_taker=-1),)), ("setup",)),
        (attrs.evolve(told, start=None, first=0), ("queen_taker",)),
    ):
        with pytest.raises(InvalidState) as caught:
            format_position(wrong)
        assert [(problem.code, problem.fields) for problem in caught.value.problems] == [("unwritable", fields)]
    for fine in (told, attrs.evolve(told, queen_taker=9_999), attrs.evolve(told, score_sheet=(row,))):
        assert parse_setup(format_position(fine)) == fine


def test_the_row_of_the_last_deal_may_be_left_out() -> None:
    line = next(line for line in POSITIONS if " phase deal; deal 1;" in line)
    without = "; ".join([section for section in line.split("; ") if not section.startswith("sheet ")])
    assert without != line
    assert parse_position(without) == parse_position(line)


def test_states_that_contradict_themselves_are_not_written() -> None:
    game = random_game(random.Random(2), Rules(), 2)
    playing = next(state for state in game.states if isinstance(state, Playing))
    over = game.state
    assert isinstance(over, AwaitingDeal)
    puzzle = parse_position(MIDDLE)
    assert isinstance(puzzle, Playing)
    for state in (
        replaced(over, score_sheet=ScoreSheet((0, 0, 0, 0))),
        replaced(over, score_sheet=over.score_sheet.head(0)),
        Playing(playing.public, playing.secrets, playing.hands, playing.turn, playing.trick, True),
        Playing(playing.public, playing.secrets, playing.hands[::-1], playing.turn, playing.trick, False),
        Playing(playing.public, playing.secrets, playing.hands, playing.turn, (Play(9, Card("2C")),), False),
        Playing(playing.public, playing.secrets, (*playing.hands[:3], Cards()), playing.turn, (), False),
        Playing(puzzle.public, puzzle.secrets, puzzle.hands, 2, (), True),
    ):
        with pytest.raises(InvalidState):
            format_position(state)
    with pytest.raises(InvalidNotation, match="at most 20 bytes"):
        parse_position(SHORT, max_bytes=20)


# --------------------------------------------------------------------------------------------------------- records

ODD: Final = (
    "", "a", "Ann \"the Jack\" O'Neil", "back\\slash", "{nested {braces}}", "\\u0041 \\n", "tab\tline\nreturn\r", "%",
    ";", "  blanks  ", "♠♥", "\x00\x85\u2028\ufeff\ud800", "Hearts/1", "é" * 50,
)  # fmt: skip


def any_move(rng: random.Random) -> Move:
    seat = rng.choice((0, 1, 2, 3, 3, 7, -1, 12))
    bags = [Cards(rng.sample(strategies.FACES, rng.randrange(4))) for _ in range(rng.randrange(5))]
    kind = rng.randrange(9)
    if kind == 8:
        return Expose(seat, Cards(rng.sample(strategies.FACES, rng.randrange(4))))
    if kind == 0:
        return Deal(tuple(bags), Cards(rng.sample(strategies.FACES, rng.randrange(3))))
    if kind < 3:
        return Pass(seat, *bags)
    if kind == 3:
        return ChooseMoon(seat, rng.choice(list(Moon)))
    return Play(seat, rng.choice(strategies.FACES))


def any_record(rng: random.Random) -> Record:
    """A record with any moves at all: a legal game with some changes, or nonsense."""
    rules = strategies.random_rules(rng)
    moves = list(random_game(rng, rules, 1).moves) if rng.randrange(2) else []
    for _ in range(rng.randrange(8)):
        moves.insert(rng.randint(0, len(moves)), any_move(rng))
    for _ in range(rng.randrange(3)):
        if moves:
            moves.pop(rng.randrange(len(moves)))
    count = rng.randrange(6)
    return Record(
        rules=rules,
        moves=moves,
        tags=[(rng.choice(("Event", "Seat0", "x_9", "Rules")), rng.choice(ODD)) for _ in range(rng.randrange(4))],
        comments=[(ply, rng.choice(ODD)) for ply in sorted(rng.randint(0, len(moves)) for _ in range(count))],
        points=[tuple(rng.randint(-30, 130) for _ in range(rng.randrange(6))) for _ in range(rng.randrange(4))],
        winners=rng.choice((None, (), (0,), (2, 0), (-1, 15))),
    )


def test_any_records_come_back() -> None:
    """Illegal ones too: reading is syntax."""
    rng = random.Random("any")
    records = [any_record(rng) for _ in range(500)]
    for record in records:
        text = format_record(record)
        assert parse_record(text) == record
        assert text.isprintable() or set(filter(lambda letter: not letter.isprintable(), text)) <= {"\n"}
    text = "".join(format_records(records[:300]))
    assert list(parse_records(text)) == records[:300]
    assert "".join(format_records(parse_records(io.StringIO(text)))) == text


def test_any_variations_come_back_and_leave_the_record_as_it_is() -> None:
    rng = random.Random("variations")
    for _ in range(600):
        moves = [move for move in [any_move(rng) for _ in range(1 + rng.randrange(6))] if not isinstance(move, Deal)]
        moves = moves or [Play(0, Card("2C"))]
        variation = Variation(moves, rng.choice(["", "so", "]", "Grün ♠", "{[%line play 0:2C]} \\"]))
        text = format_variation(variation)
        assert parse_variation(text) == variation
        record = Record(rules=Rules(), moves=[Play(1, Card("2C"))], comments=[(0, text), (0, "Bob"), (1, text)])
        again = parse_record(format_record(record))
        assert again == record
        assert [parse_variation(comment) for _, comment in again.comments] == [variation, None, variation]


def test_a_variation_has_moves_that_are_no_deals() -> None:
    with pytest.raises(ValueError, match="moves has no move"):
        Variation(())
    for wrong in (3, [3], [Deal((), Cards())]):
        with pytest.raises(TypeError, match="moves"):
            Variation(wrong)  # type: ignore[arg-type]
    assert parse_variation("[%line pass 0:SQQQ]") is None


@pytest.mark.parametrize("wrong", [(1, 2), 3, (1, "2", 3), (1, 2, True)])
def test_costs_are_three_numbers(wrong: Any) -> None:
    with pytest.raises(TypeError, match=r"^points .*numbers, not "):
        Evaluation("best", wrong, (0, 0, 0))


def test_records_of_random_games_come_back_and_are_valid() -> None:
    rng = random.Random("games")
    for _ in range(120):
        game = random_game(rng, strategies.random_rules(rng), 3)
        record = Record.of(game, [("Event", "random")])
        text = format_record(record)
        again = parse_record(text)
        assert again == record
        assert verify(again).valid
        # Seats that follow are left out: only the first play of a trick names one.
        tricks = [line.partition(": ")[2].split() for line in text.splitlines() if line.startswith("Trick")]
        assert all([":" in play for play in trick] == [True] + [False] * (len(trick) - 1) for trick in tricks)
        assert len(tricks) == sum(len(played.tricks) + bool(trick) for played, trick in deals_of(game))


def deals_of(game: Game) -> Iterator[tuple[Any, Any]]:
    """The course of every deal of a game, and the trick that it broke off in."""
    for state, move in zip(game.states, game.moves, strict=False):
        if isinstance(state, Playing) and isinstance(move, Play):
            after = apply(state, move)
            if isinstance(after, (AwaitingDeal, ChoosingMoon, GameOver)):
                yield after.last_deal, ()
    if isinstance(game.state, Playing):
        yield game.state, game.state.trick


@pytest.mark.parametrize("name", ["hand-written.hearts", "games.hearts"])
def test_canonical_records(name: str) -> None:
    text = read(name)
    records = list(parse_records(text))
    assert len(records) == 3
    assert "".join(format_records(records)) == text
    assert list(parse_records("".join(format_records(records)))) == records
    if name == "games.hearts":
        assert all(verify(record).valid for record in records)
        assert [verify(record).finished for record in records] == [True, False, True]


@pytest.mark.parametrize("shows", Exposure)
def test_records_of_games_in_which_cards_are_shown(shows: Exposure) -> None:
    rules = Rules(exposable="QS AH", exposure=shows, target=None, max_deals=2)
    game = random_game(random.Random(f"exposed {shows}"), rules, 2)
    record = Record.of(game, tags=[("Event", "exposed")])
    text = format_record(record)
    lines = [line for line in text.splitlines() if line.startswith("Expose: ")]
    if rules._resolved.shows_in_rounds:
        assert sum([len(line.split()) - 1 for line in lines]) > 8
    else:
        assert [len(line.split()) for line in lines] == [5, 5]
    assert any("SQ" in line or "HA" in line for line in lines)
    assert any(":-" in line for line in lines)
    assert parse_record(text) == record
    assert verify(record).finished
    assert verify(record).valid
    spread = text.replace("Expose: ", "expose ").replace(":- ", ":-\nEXPOSE: ")
    assert spread != text
    assert parse_record(spread) == record
    commented = text.replace(lines[0], lines[0].replace(" ", " {who?} ", 2))
    assert parse_record(commented).moves == record.moves
    first = next(ply for ply, move in enumerate(record.moves) if isinstance(move, Expose))
    assert parse_record(commented).comments == ((first, "who?"), (first + 1, "who?"))
    assert format_record(parse_record(format_record(parse_record(commented)))).count("who?") == 2
    seat = min(seat for seat in range(4) if f" {seat}:-" in lines[0])
    forged = parse_record(text.replace(f" {seat}:-", f" {seat}:SK", 1))
    failure = verify(forged).failure
    assert isinstance(failure, RefusedMove)
    assert f"seat {seat} decides what it shows: " in str(failure)
    assert NotExposable(Cards("KS")) in failure.violations


def test_what_the_hand_written_records_say() -> None:
    first, second, third = parse_records(read("hand-written.hearts"))
    assert first.tags == (("Event", 'club night "B"'), ("Seat0", "Ann"), ("Seat1", "Bob \\ Co"))
    assert first.comments == (
        (0, "a long evening"), (3, "Bob thinks"), (5, "a brace } and a\nline"), (11, "they went home"),
    )  # fmt: skip
    assert verify(first).valid
    assert first.moves[-1] == Play(2, Card("4C"))
    assert second == Record(
        rules=Rules(),
        moves=[
            Play(1, Card("2C")),
            Play(2, Card("AC")),
            Play(1, Card("3C")),
            Pass(0),
            Pass(1, Cards(), Cards("2H 3H")),
            ChooseMoon(3, Moon.AUTO_SAVE),
        ],
        comments=[(2, "out of turn, and no cards were dealt"), (6, "the end")],
        points=[(13, 0, -13, 0), (1, 2)],
        winners=(0, 2),
    )
    assert third == Record(rules=Rules(target=None, max_deals=1), winners=())


TINY: Final = """\
Hearts/1
[Event "x"]
[Seat0 "Ann"]
Rules: players=3 hand_size=2 kitty=last-trick pass_cycle=L1 opening_leader=dealer-left opening_card=any \
first_trick=free moon=off target=none max_deals=1

{dealt by hand}
Deal 0: C2TH3 C3H4 C4H5 kitty D23
Pass: 0:H3 1:H4 2:H5
Trick 0: 1:3C {low} 4C 2C
Trick 1: 2:4H 5H 3H
Moon: 1 others-up
Points 0: 0 0 -5

Result: 0 1
"""


def test_the_line_of_a_failure_is_found_in_the_text() -> None:
    moves = [line_of(TINY, RefusedMove(index, None, 0, None, ())) for index in range(12)]
    assert moves == [7, *[8] * 3, *[9] * 3, *[10] * 3, 11, None]
    assert [line_of(TINY, ScoreMismatch(number, (), None)) for number in (0, 1, None)] == [12, None, 14]
    assert line_of(TINY, None) is None
    assert line_of(TINY.replace("Pass: 0", "Pass: x"), RefusedMove(4, None, 0, None, ())) is None
    wrong: Any = 3
    with pytest.raises(TypeError, match=r"^text must be a str, not an int$"):
        line_of(wrong, None)
    with pytest.raises(TypeError, match=r"^failure must be a RefusedMove, a ScoreMismatch or None, not an int$"):
        line_of(TINY, wrong)


def respelled(*pairs: str) -> Callable[[str], str]:
    def change(text: str) -> str:
        for old, new in zip(pairs[::2], pairs[1::2], strict=True):
            assert old in text
            text = text.replace(old, new)
        return text

    return change


@pytest.mark.parametrize(
    ("name", "change"),
    [
        (
            "lower case",
            respelled("Hearts", "hearts", "Rules", "rules", "Deal", "deal", "C2TH3", "c2th3", "1:3C", "1:3c"),
        ),
        ("upper case", respelled("Trick", "TRICK", "kitty D", "KITTY D", "others-up", "OTHERS_UP", "pass_c", "PASS-C")),
        ("symbols", respelled("C2TH3", "♣2T♥3", "3C {", "3♣ {", "H3", "♡3", "4H ", "4♥\ufe0f ")),
        ("ten", respelled("C2T", "C210")),
        (
            "white space",
            respelled(" ", "  \t", "\n", "  \n\n \t", "dealt  \tby  \thand", "dealt by hand"),
        ),
        ("no-break spaces", respelled("Trick 0: 1:3C", "\u00a0Trick\u00a00 : 1:3C")),
        ("no last line feed", lambda text: text.rstrip()),
        ("CRLF", respelled("\n", "\r\n")),
        ("CR", respelled("\n", "\r")),
        ("a byte order mark", lambda text: "\ufeff" + text),
        ("a byte order mark in the middle", respelled("Trick 1", "\ufeffTrick 1")),
        ("bags in any order", respelled("C2TH3", "CTH3C2", "C3H4", "C3H4", "D23", "3D2D")),
        ("comments to the end of the line", respelled("{dealt by hand}", ";  dealt by hand ")),
        (
            "a comment anywhere before the first move",
            respelled("{dealt by hand}\n", "", "Hearts/1", "Hearts/1\n{dealt by hand}"),
        ),
        ("notes", respelled("Pass:", "% a note\n  # another {\nPass:")),
        ("tags on one line", respelled('"]\n[', '"] [ ')),
        ("blanks in tags", respelled('[Event "x"]', '[ Event\t"x" ]')),
        ("tags after the rules", lambda text: "\n".join([text.splitlines()[0], *text.splitlines()[3:4],
            *text.splitlines()[1:3], *text.splitlines()[4:]])),
        ("no colons", respelled("Rules:", "Rules", "Pass:", "Pass", "Moon:", "moon", "Result:", "Result")),
        ("every seat", respelled("3C {low} 4C 2C", "3C {low} 2:4C 0:2C")),
        ("other lines of plays", respelled("4C 2C\nTrick 1: 2:4H", "\nTrick 1: 2:4C 0:2C 2:4H")),
        ("other lines of passes", respelled("0:H3 1:H4", "0:H3\nPass: 1:H4")),
        ("numbers", respelled("0 0 -5", "+0,0, −5,", "0 1\n", "0,1\n")),
        ("points anywhere", respelled("Points 0: 0 0 -5\n", "", "Trick 1", "Points 0: 0 0 -5\nTrick 1")),
        (
            "rules in any order",
            respelled("players=3 hand", "target=none hand", "moon=off target=none", "moon=off players=3"),
        ),
    ],
)  # fmt: skip
def test_records_are_read_leniently(name: str, change: Callable[[str], str]) -> None:
    lenient = change(TINY)
    assert lenient != TINY, name
    assert parse_record(lenient) == parse_record(TINY)
    assert format_record(parse_record(lenient)) == TINY


def test_comments_may_go_over_lines_and_stand_in_any_place() -> None:
    text = TINY.replace("{low} 4C", "{one\n  two \\q \\} {\n\n% three} 4C {\\} \\").replace(
        "2C\nTrick 1", "2C\n}\nTrick 1"
    )
    record = parse_record(text)
    assert record.comments[1:] == ((5, "one\n  two \\q } {\n\n% three"), (6, "} \\ 2C\n"))
    assert parse_record(format_record(record)) == record
    behind = TINY.replace("kitty D23", "kitty D23 {dealt}").replace("others-up", "others-up ; chosen")
    assert parse_record(behind).comments == ((0, "dealt by hand"), (1, "dealt"), (5, "low"), (11, "chosen"))
    assert parse_record(TINY + "# the end\n").comments == parse_record(TINY).comments
    assert parse_record(TINY.replace("Result: 0 1", "Result: 0 1 ;{bye")).comments[-1] == (11, "{bye")


def test_a_scan_goes_on_after_what_it_cannot_read() -> None:
    broken = TINY.replace("4H", "4X")
    cut = TINY[: TINY.index("Trick 1")]
    open_comment = TINY.replace("{low}", "{low")
    found = list(scan_records("junk\n" + broken + TINY + cut + TINY + open_comment + TINY + "more junk\nand more\n"))
    kinds = [type(item).__name__ for item in found]
    bad, good = "InvalidNotation", "Record"
    assert kinds == [bad, bad, good, bad, good, bad, good, bad]
    assert {item for item in found if isinstance(item, Record)} == {parse_record(TINY)}
    errors = [item for item in found if isinstance(item, InvalidNotation)]
    height = TINY.count("\n")
    assert [error.line for error in errors] == [1, 8, 2 * height + 11, 3 * height + 19, 5 * height + 11]
    with pytest.raises(InvalidNotation):
        list(parse_records(TINY + broken))


def test_sources() -> None:
    record = parse_record(TINY)
    lines = TINY.splitlines()
    for source in (TINY, io.StringIO(TINY), lines, iter(lines), [line + "\n" for line in lines], [TINY], (TINY,)):
        assert list(parse_records(source)) == [record]
    assert list(parse_records("")) == []
    assert list(parse_records(["% nothing", ""])) == []
    assert list(format_records([])) == []


@pytest.mark.parametrize("newline", ["", None])
def test_files(tmp_path: Path, newline: str | None) -> None:
    path = tmp_path / "games.hearts"
    path.write_bytes((TINY * 3).replace("\n", "\r\n").encode())
    with path.open(encoding="utf-8", newline=newline) as file:
        assert list(parse_records(file)) == [parse_record(TINY)] * 3


@pytest.mark.parametrize("source", [None, 3, b"Hearts/1", [b"Hearts/1"], [TINY, 3]])
def test_wrong_sources(source: Any) -> None:
    for reader in (parse_records, scan_records):
        with pytest.raises(TypeError, match="source must"):
            list(reader(source))
    with pytest.raises(TypeError, match="source must"):
        parse_record(source)


def test_what_cannot_be_written() -> None:
    record = Record(rules=Rules(), moves=[Play(0, Card("2C"))])
    for changes in (
        {"tags": [("a tag", "x")]},
        {"tags": [("", "x")]},
        {"tags": [("9", "x")]},
        {"comments": [(2, "x")]},
        {"comments": [(-1, "x")]},
        {"points": [(0, 10**600)]},
        {"winners": (-(10**600),)},
    ):
        with pytest.raises(InvalidState) as caught:
            format_record(attrs.evolve(record, **changes))
        assert [problem.code for problem in caught.value.problems] == ["out-of-range"]
    largest = attrs.evolve(record, points=[(0, 1 - 10**600)], winners=(10**600 - 1,))
    assert parse_record(format_record(largest)) == largest


# ------------------------------------------------------------------------------------------ budgets, time and memory


@pytest.mark.parametrize(
    ("limits", "line", "expected"),
    [
        ({"max_line": 40}, 4, "at most 40 characters in a line"),
        ({"max_tokens": 30}, 12, "at most 30 items in a game"),
        ({"max_tokens": 1}, 3, "at most 1 items in a game"),
        ({"max_bytes": 206}, 7, "at most 206 bytes in a game"),
    ],
)
def test_budgets(limits: dict[str, int], line: int, expected: str) -> None:
    for source in (TINY, io.StringIO(TINY), TINY.splitlines()):
        with pytest.raises(InvalidNotation) as caught:
            list(parse_records(source, **limits))
        assert (caught.value.line, caught.value.expected) == (line, expected)
    roomy = {name: 10 * limit + 200 for name, limit in limits.items()}
    assert parse_record(TINY, **roomy) == parse_record(TINY)
    found = list(scan_records(TINY + TINY, **limits))
    assert [type(item) for item in found] == [InvalidNotation] * 2


class Endless(io.TextIOBase):
    """A file of one line without an end; it counts what is asked for."""

    def __init__(self) -> None:
        self.given = 0

    def readline(self, size: int | None = -1, /) -> str:  # type: ignore[override]
        assert size is not None
        assert 0 < size <= MAX_LINE + 2
        self.given += size
        return "x" * size


def test_a_file_of_one_endless_line_is_refused_at_once() -> None:
    file = Endless()
    first = next(scan_records(file))
    assert isinstance(first, InvalidNotation)
    assert "at most" in first.expected
    assert file.given <= 2 * MAX_LINE
    assert len(str(first)) < 500
    assert len(first.text) < 500


def test_a_line_that_is_too_long_is_passed_over_as_one_line() -> None:
    file = io.StringIO("x" * 5000 + "\n" + TINY)
    error, record = scan_records(file, max_line=600)
    assert isinstance(error, InvalidNotation)
    assert record == parse_record(TINY)


SILENT = (
    "",
    " ",
    "\t",
    "\xa0",
    "%",
    "# x",
    " % \xe9",
    "%}",
    "#\\",
    "%{",
    " " * 150,
    "%" + "y" * 150,
    "\ufeff% q",
    "%\ud800",
)


def test_lines_are_read_the_same_one_by_one_and_many_at_once() -> None:
    """As a text, lines that say nothing are read many at once; as a list of lines, they are not."""
    rng = random.Random(f"silent lines {SEED}")
    others = ("{a", "b}", "Trick 0: 1:2C", ";c", "Result: *", "Hearts/1", "Rules: default", "x")
    for _ in range(rounds(500)):
        lines = ["Hearts/1", "Rules: default"]
        lines += [rng.choice(SILENT if rng.random() < 0.8 else others) for _ in range(rng.randint(1, 25))]
        limits = {"max_line": rng.choice([150, 198, 10**6]), "max_bytes": rng.choice([30, 60, 200, 10**6])}
        one_by_one, at_once = (
            [vars(each) if isinstance(each, InvalidNotation) else each for each in scan_records(source, **limits)]
            for source in (lines, "\n".join([*lines, ""]))
        )
        assert at_once == one_by_one, (lines, limits)


def many_lines(games: int) -> Iterator[str]:
    for _ in range(games):
        yield from TINY.splitlines(keepends=True)


def test_memory_does_not_grow_with_the_number_of_games() -> None:
    def peak(games: int) -> int:
        gc.collect()
        tracemalloc.start()
        try:
            assert sum(1 for _ in parse_records(many_lines(games))) == games
            return tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()

    peak(5)
    # Other threads of the process allocate too, but hardly in each of three runs.
    few, many = [min(peak(games) for _ in range(3)) for games in (20, 200)]
    assert many < few + 40_000
    assert many < 1_000_000


def test_writing_streams_too() -> None:
    texts = format_records(parse_records(many_lines(10**9)))
    assert next(texts) == TINY
    assert next(texts) == "\n" + TINY


# ---------------------------------------------------------------------------------------------------- hostile input


def test_every_truncation_of_a_document() -> None:
    for end in range(len(TINY.rstrip()) - len("0 1")):
        assert [type(item) for item in scan_records(TINY[:end])] in ([InvalidNotation], []), end
    assert list(scan_records(TINY[: len("Hearts/1")])) != []
    for end in range(len(SHORT)):
        try:
            parse_position(SHORT[:end])
        except (InvalidNotation, InvalidState):
            continue
        assert SHORT[:end].count(";") >= 2, "what is cut at the end of a section is an earlier position"


# ------------------------------------------------------------------------------------------------- spoiled records


def spoiled(rng: random.Random, record: Record) -> Iterator[tuple[str, Record, int]]:
    """A record spoiled in one place in each of four ways: what is wrong, the record, and the index of the move."""
    game = replay_strict(record.rules, record.moves)
    moves = list(record.moves)
    plays = [ply for ply, move in enumerate(moves) if isinstance(move, Play)]

    def changed(ply: int, move: Move) -> Record:
        return attrs.evolve(record, moves=[*moves[:ply], move, *moves[ply + 1 :]])

    revokes: list[tuple[int, Play]] = []
    for ply in plays:
        state = game.at(ply)
        assert isinstance(state, Playing)
        if state.trick:
            hand = state.hands[state.turn]
            led = hand.of_suit(state.trick[0].card.suit)
            if led and led != hand:
                revokes.append((ply, Play(state.turn, rng.choice(list(hand - led)))))
    if revokes:
        ply, move = rng.choice(revokes)
        yield "a revoke", changed(ply, move), ply
    ply = rng.choice(plays[1:])
    play = moves[ply]
    assert isinstance(play, Play)
    earlier = rng.choice([at for at in plays if at < ply])
    gone = moves[earlier]
    assert isinstance(gone, Play)
    yield "a card twice", changed(ply, Play(play.seat, gone.card)), ply
    ply = rng.choice(plays)
    play = moves[ply]
    assert isinstance(play, Play)
    other = (play.seat + rng.randrange(1, record.rules.players)) % record.rules.players
    yield "a wrong turn", changed(ply, Play(other, play.card)), ply
    rows = [list(row) for row in record.points]
    number = rng.randrange(len(rows))
    rows[number][rng.randrange(record.rules.players)] += rng.choice((-1, 1, 13))
    yield "a wrong score", attrs.evolve(record, points=rows), number


REASONS: Final = {"a revoke": MustFollowSuit, "a card twice": NotInHand, "a wrong turn": NotYourTurn}


def assert_spoiled_records_are_refused(rng: random.Random, record: Record, counted: Counter[str]) -> None:
    assert verify(record).valid
    for name, bad, place in spoiled(rng, record):
        text = format_record(bad)
        again = parse_record(text)
        assert again == bad, name
        failure = verify(again).failure
        if isinstance(failure, RefusedMove):
            assert name in REASONS
            assert failure.index == place
            assert failure.move == bad.moves[place]
            assert any(isinstance(reason, REASONS[name]) for reason in failure.violations)
        else:
            assert isinstance(failure, ScoreMismatch)
            assert name == "a wrong score"
            assert failure.deal == place
            assert failure.claimed == bad.points[place]
        counted[name] += 1


def test_spoiled_records_are_readable_and_refused_at_that_place() -> None:
    rng = random.Random("spoiled")
    counted: Counter[str] = Counter()
    rules_sets: Sequence[Rules] = [
        Rules(),
        presets.dicegamedepot_cancellation(6),
        presets.cardzmania(5),
        Rules(players=5, kitty=Kitty.FIRST_POINT, opening_leader=OpeningLeader.DEALER_LEFT),
        Rules(pass_optional=PassOptional.SKIP),
    ]  # fmt: skip
    for number in range(20):
        rules = rules_sets[number % len(rules_sets)]
        game = random_game(rng, rules, 2)
        for name, bad, place in spoiled(rng, Record.of(game)):
            if rules.decks == 2 and name == "a card twice":
                continue  # the other copy may be in the hand
            failure = verify(parse_record(format_record(bad))).failure
            assert isinstance(failure, (RefusedMove, ScoreMismatch))
            assert (failure.index if isinstance(failure, RefusedMove) else failure.deal) == place
            counted[name] += 1
    assert min(counted.values()) >= 10, counted


def games_of_openspiel(rng: random.Random, count: int) -> Iterator[Record]:
    """Records of random games of OpenSpiel, with the points that it gives."""
    options = ("avoid_all_tricks_bonus", "can_lead_any_club", "can_lead_hearts_instead_of_qs", "jd_bonus",
               "must_break_hearts", "no_pts_on_first_trick", "qs_breaks_hearts")  # fmt: skip
    for _ in range(count):
        parameters = {name: rng.random() < 0.5 for name in options}
        theirs = pyspiel.load_game("hearts", parameters).new_initial_state()
        while not theirs.is_terminal():
            theirs.apply_action(rng.choice(theirs.legal_actions()))
        history = theirs.history()
        yield Record(
            rules=rules_of(parameters, PASS_DIRECTIONS[history[0]]),
            moves=moves_of_history(history, parameters),
            tags=[("Site", "OpenSpiel")],
            points=[points_of(theirs.returns())],
        )


@pytest.mark.untraced
@pytest.mark.skipif(pyspiel is None, reason="OpenSpiel is not installed (pip install open_spiel)")
def test_games_of_openspiel_are_verified_and_spoiled() -> None:
    rng = random.Random(f"openspiel {SEED}")
    counted: Counter[str] = Counter()
    wanted = min(rounds(80), 2500)
    for record in games_of_openspiel(rng, wanted):
        assert parse_record(format_record(record)) == record
        assert verify(record).finished
        counted["games"] += 1
        assert_spoiled_records_are_refused(rng, record, counted)
    print(dict(counted))
    assert all(count >= 0.95 * wanted for count in counted.values())
    assert len(counted) == 5


def test_iterables_are_read_no_further_than_needed() -> None:
    taken: list[str] = []

    def lines() -> Iterable[str]:
        for line in many_lines(3):
            taken.append(line)
            yield line

    assert next(parse_records(lines())) == parse_record(TINY)
    assert len(taken) == TINY.count("\n")


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("pass_cycle", "L3"),
        ("exact_resets", "100:50"),
        ("extra_penalties", "KS:10"),
        ("bonuses", "JD:10"),
        ("heart_values", "1 " * 12 + "1"),
    ],
)
def test_a_list_is_surrounded_by_blanks_and_by_no_other_space(name: str, text: str) -> None:
    assert parse_field(name, f" \t\xa0{text} ", 4) == parse_field(name, text, 4)
    for space in ("\u2003", "\x1f"):
        with pytest.raises(ValueError, match="whole number"):
            parse_field(name, text + space, 4)


@pytest.mark.parametrize("name", ["targets", "Target", "", "exact resets"])
def test_there_is_no_such_field(name: str) -> None:
    with pytest.raises(KeyError, match=f"^{name!r}$"):
        parse_field(name, "3", 4)
    with pytest.raises(KeyError, match=f"^{name!r}$"):
        format_field(name, 3, 4)


@pytest.mark.parametrize(
    ("given", "name"),
    [
        (("target", 3, 4), "text"),
        (("target", None, 4), "text"),
        (("target", "3", "4"), "players"),
        (("target", "3", True), "players"),
    ],
)
def test_a_field_is_read_of_a_text_for_a_number_of_players(given: tuple[Any, Any, Any], name: str) -> None:
    with pytest.raises(TypeError, match=f"^{name} must be"):
        parse_field(*given)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("extra_penalties", "KS:1," * 20_001),
        ("pass_cycle", "x" * 10**6),
        ("target", "9" * 10**6),
        ("target", "9" * 601),
        ("bonuses", "JD:" + "9" * 99_000),
        ("doubler", "TC:2:" + "9" * 99_000),
        ("exact_resets", "9" * 5000 + ":1"),
        ("heart_values", "9" * 5000 + " 1"),
    ],
)
def test_a_value_of_a_field_that_is_too_long(name: str, text: str) -> None:
    with pytest.raises(ValueError, match=r" (characters|digits)") as caught:
        parse_field(name, text, 4)
    assert len(str(caught.value)) <= 200
    with pytest.raises(InvalidNotation) as refused:
        parse_rules(f"{name}={text.replace(' ', ',')}")
    assert len(str(refused.value)) <= 600


@pytest.mark.parametrize("players", [-(10**5000), 2, 12, 10**5000], ids=range(4))
def test_there_is_no_table_of_so_many(players: int) -> None:
    with pytest.raises(ValueError, match=r"^players is .*: choose 3 to 11$"):
        parse_field("target", "3", players)


def test_the_same_words_are_the_same_rules_object() -> None:
    rules = [parse_rules(f"target={50 + number}") for number in range(70)]
    assert [each.target for each in rules] == [50 + number for number in range(70)]
    assert parse_rules("target=119") is rules[-1]
    assert parse_rules("target=50 players=3 removed=2D") == Rules(target=50, players=3, removed="2D")
    assert parse_rules("players=3 removed=2D target=50") == Rules(target=50, players=3, removed="2D")
    for _ in range(2):
        with pytest.raises(InvalidNotation) as caught:
            parse_rules("target=50 target=50")
        assert caught.value.position == 10
