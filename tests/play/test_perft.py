"""Counts of legal sequences, pinned: with OpenSpiel's for its deals, and for a deal of every preset."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from heartsrules import Card, Deal, Exposing, Passing, Playing, Rules, apply, legal_moves, new_game, presets
from heartsrules.bridges.openspiel import action_of, replay_history
from support import perft
from support.against_model import to_model

pytestmark = [pytest.mark.long, pytest.mark.once_compiled]

OPENSPIEL = Path(__file__).parents[1] / "data" / "perft_openspiel.txt"
PARAMETERS = {
    "default": {},
    "points_first_trick": {"no_pts_on_first_trick": False},
    "any_club": {"can_lead_any_club": True},
    "no_break": {"must_break_hearts": False},
    "qs_no_break": {"qs_breaks_hearts": False},
    "hearts_instead_of_qs": {"can_lead_hearts_instead_of_qs": True},
}
PINNED = perft.read()
RULES = perft.pinned_rules()
BY_THE_MODEL = 300
"""The model is slow: it counts what is no more than this."""


def actions(cards: str) -> list[int]:
    return [action_of(Card(card)) for card in cards.split()]


def openspiel_rows() -> Iterator[tuple[str, list[int], str, list[int]]]:
    """The rows of the file: a name, a history, the parameters and the counts."""
    history: list[int] = []
    name = ""
    for line in OPENSPIEL.read_text().splitlines():
        if line.startswith("#"):
            continue
        text, _, counts = line.rstrip().partition("[")
        if line.startswith("deal"):
            _, number, cards = text.split(maxsplit=2)
            name, history = f"deal {number}", [0, *actions(cards)]
        elif line.startswith("late"):
            _, number, cards = text.split(maxsplit=2)
            dealt, _, line_of_play = cards.rstrip(" |").partition(" | line ")
            yield f"late {number}", [0, *actions(dealt), *actions(line_of_play)], "default", json.loads(f"[{counts}")
        else:
            yield f"{name} {text.strip()}", history, text.strip(), json.loads(f"[{counts}")


ROWS = list(openspiel_rows())


def test_the_file_is_read_whole() -> None:
    assert len(ROWS) == 3 * len(PARAMETERS) + 3


@pytest.mark.parametrize(("history", "parameters", "counts"), [pytest.param(*row[1:], id=row[0]) for row in ROWS])
def test_openspiel_counts_the_same(history: list[int], parameters: str, counts: list[int]) -> None:
    state = replay_history(history, PARAMETERS[parameters])[-1]
    assert [perft.perft(state, depth) for depth in range(1, len(counts) + 1)] == counts


def test_every_preset_is_pinned() -> None:
    assert list(PINNED) == list(RULES), "write them with: python -m support.perft --write"


@pytest.mark.parametrize("name", RULES)
def test_pinned(name: str) -> None:
    assert perft.count(RULES[name], name) == PINNED[name]


@pytest.mark.parametrize("name", RULES)
def test_the_model_agrees(name: str) -> None:
    assert perft.disagreements(RULES[name], name, PINNED[name], BY_THE_MODEL) == []


def test_the_model_would_disagree() -> None:
    """A count that is wrong by one is found, in each of the three kinds."""
    name = "microsoft 4"
    pinned = PINNED[name]
    ending = pinned["endings"][1]
    wrong: list[perft.Counts] = [
        {**pinned, "passes": pinned["passes"] + 1},
        {**pinned, "plays": [*pinned["plays"][:3], pinned["plays"][3] + 1]},
        {**pinned, "endings": [{**ending, "endings": ending["endings"] + 1}]},
        {**pinned, "endings": [{**ending, "points": [points + 1 for points in ending["points"]]}]},
    ]
    assert [len(perft.disagreements(RULES[name], name, counts, BY_THE_MODEL)) for counts in wrong] == [1, 1, 1, 1]


def test_counting_by_hand() -> None:
    """In the whole first trick of a deal of complete suits nobody can follow; only the 2♣ opens."""
    rules = presets.openspiel(pass_direction="none")
    suits = [rules.deck.of_suit(card.suit) for card in map(Card, ("2C", "2D", "2S", "2H"))]
    state = apply(new_game(rules), Deal(tuple(suits)))
    # 2♣; any diamond; any spade but the Q♠; nothing but hearts, so any of them; and of the 12 clubs left any.
    assert [perft.perft(state, depth) for depth in range(6)] == [1, 1, 13, 13 * 12, 13 * 12 * 13, 13 * 12 * 13 * 12]


def test_passes_are_moves_too() -> None:
    """Four seats may pass; once one has, each of the others still has its 286 ways, in any order."""
    dealt = perft.positions(RULES["microsoft 4"], "microsoft 4").dealt
    assert isinstance(dealt, Passing)
    assert perft.perft(dealt, 1) == 4 * 286
    assert perft.perft(apply(dealt, legal_moves(dealt, 2)[0]), 1) == 3 * 286


def test_exposures_are_moves_too() -> None:
    """Each of the four cards may be shown or not: 16 ways, in each of the 24 orders in which seats decide together."""
    counts = PINNED["gong_zhu 4"].get("exposures", [])
    start = perft.positions(RULES["gong_zhu 4"], "gong_zhu 4").exposing
    assert isinstance(start, Exposing)
    shown = RULES["gong_zhu 4"].exposable
    assert counts[0] == sum([2 ** len([card for card in hand if card in shown]) for hand in start.hands])
    assert counts[-1] == 24 * 16
    assert PINNED["gong_zhu 5"].get("exposures", [0])[-1] == 120 * 16
    assert PINNED["gong_zhu 4 in turn"].get("exposures", [0])[-1] == 16
    assert "exposures" not in PINNED["gong_zhu 4 plain"]


def test_nothing_is_counted_past_the_end_of_a_deal() -> None:
    for name, rules in (("microsoft 4", Rules()), ("openspiel 4", RULES["openspiel 4"])):
        last = perft.positions(rules, name).last
        assert perft.perft(last[1], 4) == 1
        assert perft.perft(last[1], 5) == 0
        assert len(list(perft.endings(last[1]))) == 1


def test_a_branch_of_the_model_is_a_copy() -> None:
    name = "microsoft 4"
    opening = perft.model_positions(RULES[name], name).opening
    state = perft.positions(RULES[name], name).opening
    other = opening.branch()
    before = repr(vars(opening))
    assert repr(vars(other)) == before
    while other.phase == "play":
        other.apply(other.legal_moves()[0])
    assert repr(vars(opening)) == before
    assert isinstance(state, Playing)
    assert [to_model(move) for move in legal_moves(state)] == opening.legal_moves()
