"""Diagrams: what `str` shows of states, views, hands, tricks, score sheets, games and records."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import attrs
import pytest

from heartsrules import (
    AwaitingDeal,
    Card,
    Cards,
    Expose,
    Exposing,
    Play,
    Playing,
    Rules,
    ScoreSheet,
    State,
    Trick,
    View,
    apply,
    deal,
    legal_moves,
    new_game,
    presets,
    public_view,
    view,
)
from heartsrules.bots import uniform
from heartsrules.formats.notation import format_rules
from heartsrules.pictures.diagrams import diagram
from heartsrules.pictures.facts import TableFacts
from heartsrules.play.game import Record
from heartsrules.play.moves import Deal
from heartsrules.rules import HOLD, Bonus, Doubler, Exposure, MoonCards, OpeningLeader, ScoreDisplay
from heartsrules.rules.presets import ALL
from heartsrules.simulation import play_match
from heartsrules.testing import names
from support.builds import wrong_type
from support.pictures import played

pytestmark = pytest.mark.once_compiled

GAME = played(presets.whisthub(), 4 + 18)


def cells(position: State | View, header: str) -> list[str]:
    """A column of the table of seats; the numbers in the column behind it are not wider than their head."""
    lines = str(position).split("\n")
    at = next(number for number, line in enumerate(lines) if line.startswith("seat  "))
    start = lines[at].index(f"  {header}") + 2
    behind = lines[at][start + len(header) :]
    end = start + len(header) + len(behind) - len(behind.lstrip())
    return [line[start:end].strip() for line in lines[at + 1 : at + 1 + position.rules.players]]


def test_rules_are_wrapped_between_words_at_80_columns() -> None:
    rules = presets.gong_zhu(4)
    lines = str(new_game(rules)).split("\n")
    first = lines[: next(number for number, line in enumerate(lines) if line.startswith("deal"))]
    assert max(map(len, first)) <= 80
    assert len(first) > 2
    assert all([line.startswith("  ") for line in first[1:]])
    assert " ".join(map(str.strip, first)) == f"rules: {format_rules(rules)}"


def test_a_state_is_a_diagram_with_all_that_there_is() -> None:
    state = GAME.state
    assert isinstance(state, Playing)
    lines = str(state).split("\n")
    assert lines[:3] == ["rules: default", "deal 1, trick 5, seat 0 dealt, hearts are not broken", ""]
    assert cells(state, "hand") == [diagram(hand) for hand in state.hands]
    assert f"the trick: {', '.join([f'seat {play.seat} {play.card}' for play in state.trick])}" in lines
    for seat, pile in enumerate(state.captured):
        assert (f"captured by seat {seat}: {diagram(pile)}" in lines) == bool(pile)
    assert f"to act: seat {state.turn}" in lines


def test_a_view_is_a_diagram_of_what_its_seat_may_know() -> None:
    state = GAME.state
    assert isinstance(state, Playing)
    for seat, hand in enumerate(state.hands):
        assert cells(view(state, seat), "hand") == [
            diagram(hand) if other == seat else f"{len(cards)} cards" for other, cards in enumerate(state.hands)
        ]
    assert "legal cards" in str(view(state, state.turn))
    assert "legal cards" not in str(view(state, (state.turn + 1) % 4))
    assert "S " not in "".join(cells(public_view(state), "hand"))


def test_parts_are_diagrams_too() -> None:
    state = GAME.state
    assert isinstance(state, Playing)
    first = state.tricks[0]
    assert str(first) == ", ".join([f"seat {p.seat} {p.card}" for p in first.plays]) + f": seat {first.winner} wins"
    assert str(Trick(0, (Play(0, Card("2C")),), None)) == "seat 0 2C: no seat wins"
    assert diagram(Cards("QS 2H TC KS 2H"), symbols=True) == "♣ 10  ♠ Q K  ♥ 2 2"
    assert diagram(Cards()) == "-"
    assert str(GAME) == f"after {GAME.ply} moves\n{state}"


def test_what_is_read_again_is_written_as_ever() -> None:
    """A bag of cards is written in texts and JSON, and a `repr` is Python."""
    assert str(Cards("QS 2C")) == "2C QS"
    for value in (GAME.state, GAME, GAME.state.score_sheet, Record.of(GAME)):
        assert eval(repr(value), {**names(), "Record": Record}) == value


@pytest.mark.sampled(4)
@pytest.mark.parametrize("preset", ALL)
def test_every_position_of_every_preset_has_a_diagram_in_plain_letters(preset: str) -> None:
    for players in ALL[preset].players:
        rules = ALL[preset](players)
        game = played(rules, 2 * players)
        over = play_match(rules, [uniform] * players, seed=7, deals=2)
        for state in (game.at(0), game.at(1), game.state, over):
            for shown in (state, public_view(state), view(state, 1)):
                text = str(shown)
                assert text.isascii()
                assert text == diagram(shown)
                assert [line for line in text.split("\n") if line != line.rstrip()] == []
                assert diagram(shown, symbols=True).count("\n") == text.count("\n")


def test_a_record_says_what_its_writer_says_and_what_is_wrong() -> None:
    record = Record.of(GAME, [("Event", "club\x1b[2J\nnight")])
    assert str(record).split("\n")[:2] == [r"Event: club\x1b[2J\nnight", f"after {GAME.ply} moves"]
    assert "wrong" not in str(record)
    deals = [move for move in GAME.moves if isinstance(move, Deal)]
    again = attrs.evolve(record, moves=(*GAME.moves[:-1], *deals))
    assert str(again).split("\n")[-1] == (
        f"wrong: moves[{GAME.ply - 1}] (Deal 1), the deal: the game is waiting for a play, not for a deal"
    )


def test_a_long_score_sheet_shows_its_end() -> None:
    rules = Rules(target=None, max_deals=70)
    over = play_match(rules, [uniform] * 4, seed=1)
    lines = str(over.score_sheet).split("\n")
    assert len(lines) == 1 + 1 + 50 + 1
    assert lines[1].split() == ["to", "20", *map(str, over.score_sheet.head(20).totals)]
    assert lines[2].split()[0] == "21"
    assert lines[-1].split() == ["total", *map(str, over.scores)]
    assert str(over).endswith(str(over.score_sheet))


def test_a_sheet_that_begins_later_says_with_what() -> None:
    sheet = ScoreSheet((5, 6, 7, -8), 3)
    assert [line.split() for line in str(sheet).split("\n")][1:] == [
        ["to", "3", "5", "6", "7", "-8"],
        ["total", "5", "6", "7", "-8"],
    ]
    assert str(ScoreSheet((0, 0, 0))).split("\n")[1].split() == ["total", "0", "0", "0"]


def test_a_moon_stands_in_its_row() -> None:
    over = play_match(presets.omnibus(6), [uniform] * 6, seed=1)
    shooters = {number: row.shooter for number, row in enumerate(over.score_sheet, 1) if row.shooter is not None}
    assert shooters
    lines = {line.split()[0]: line for line in str(over.score_sheet).split("\n")}
    for number, shooter in shooters.items():
        assert f"seat {shooter}, others-up" in lines[str(number)]


@pytest.mark.parametrize("leader", OpeningLeader)
def test_the_sheet_says_who_took_the_queen_where_that_matters(leader: OpeningLeader) -> None:
    rules = Rules(opening_leader=leader, target=None, max_deals=5)
    over = play_match(rules, [uniform] * 4, seed=1)
    *_, head, first, _second, _third, _fourth, _fifth, _total = str(over).split("\n")
    taker = f"seat {over.score_sheet[0].queen_taker}"
    assert ("queen" in head) == first.endswith(taker) == (leader is OpeningLeader.QUEEN_TAKER)


@pytest.mark.parametrize("exposure", list(Exposure))
def test_exposed_cards_are_drawn(exposure: Exposure) -> None:
    rules = Rules(exposable="QS AH", exposure=exposure, pass_cycle=[HOLD], target=None, max_deals=1)
    start = new_game(rules)
    state: State = apply(start, deal(start, seed=3))
    assert isinstance(state, Exposing)
    queen = next(seat for seat in range(4) if Card("QS") in state.hands[seat])
    own = state.hands[queen] & rules.exposable
    assert cells(state, "exposes") == ["not yet"] * 4
    assert f"seat {queen} may expose: {diagram(own)}" in str(state) or exposure is not Exposure.TOGETHER
    while isinstance(state, Exposing):
        seat = state.to_act[0]
        before = state
        state = apply(state, Expose(seat, Cards("QS") if seat == queen else Cards()))
        if isinstance(state, Exposing):
            assert cells(state, "exposes")[seat] == ("S Q" if seat == queen else "-")
            assert cells(view(state, seat), "exposes")[seat] == ("S Q" if seat == queen else "-")
            other = cells(view(state, (seat + 1) % 4), "exposes")[seat]
            assert other == ("decided" if exposure is Exposure.TOGETHER else cells(state, "exposes")[seat])
            assert "may expose" in str(view(before, seat))
    assert cells(state, "exposed") == ["S Q" if seat == queen else "-" for seat in range(4)]


def test_exposed_cards_and_shown_scores_have_heads_of_their_own() -> None:
    rules = Rules(exposable="QS", pass_cycle=[HOLD], score_display=ScoreDisplay.NEGATIVE, target=None, max_deals=2)
    state: State = apply(AwaitingDeal(rules, ScoreSheet((3, 0, 5, 18)), None), deal(new_game(rules), seed=3))
    while isinstance(state, Exposing):
        state = apply(state, legal_moves(state)[-1])
    assert isinstance(state, Playing)
    assert any(state.exposed)
    assert sorted(cells(state, "exposed")) == ["-", "-", "-", "S Q"]
    assert cells(state, "score") == ["-3", "0", "-5", "-18"]


def test_exposed_cards_lie_open_until_they_are_played() -> None:
    rules = Rules(
        pass_cycle=[HOLD],
        exposable="QS JD TC AH",
        exposure=Exposure.IN_TURN,
        bonuses=[Bonus(Card("JD"), 10)],
        doubler=Doubler(Card("TC"), 2, 50),
    )
    game = played(rules, 4 + 52)
    assert TableFacts(game.at(0)).face_up == (Cards(),) * 4
    for state in game.states[5:-1]:
        assert isinstance(state, Playing)
        expected = tuple([shown & hand for shown, hand in zip(state.exposed, state.hands, strict=True)])
        assert [TableFacts(each).face_up for each in (state, public_view(state), view(state, 2))] == [expected] * 3
    assert any(state.exposed for state in game.states if isinstance(state, Playing))


def test_cards_count_for_their_points_and_not_for_a_moon_of_every_card() -> None:
    facts = TableFacts(new_game(Rules(moon_cards=MoonCards.EVERY_CARD, bonuses=[Bonus(Card("JD"), 10)])))
    assert facts.counting(Cards("2C JD QS 2H")) == (Cards("2H"), Cards("JD QS"))


@pytest.mark.parametrize("wrong", [None, 3, "QS", Card("QS"), [Card("QS")], Rules(), Path()])
def test_of_anything_else_there_is_no_diagram(wrong: Any) -> None:
    with wrong_type("shown must be a State, a View, a Cards, a Trick, a ScoreSheet, a Game or a Record, not"):
        diagram(wrong)
