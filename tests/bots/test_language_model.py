"""The table for language models of the examples: what it tells a player, how it reads answers, and what it counts."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any, Final

import pytest

from heartsrules import (
    Card,
    Cards,
    ChooseMoon,
    Expose,
    Pass,
    Play,
    Playing,
    Rules,
    apply,
    deal,
    new_game,
    presets,
    view,
)
from heartsrules.rules import Moon
from heartsrules.views import PlayingView
from support.benches import program

SCRIPT: Final = Path(__file__).resolve().parents[2] / "docs" / "examples" / "language_model" / "table.py"


@pytest.fixture(scope="module")
def table() -> Any:
    """The script as a module."""
    return program(SCRIPT)


def test_the_script_is_short() -> None:
    assert len(SCRIPT.read_text(encoding="utf-8").splitlines()) <= 150


@pytest.mark.parametrize(
    ("answer", "move"),
    [
        ("play QS", Play(2, Card("QS"))),
        ("pass 2C 3C / AH", Pass(2, Cards("2C 3C"), Cards("AH"))),
        ("pass", Pass(2)),
        ("show AH QS", Expose(2, Cards("AH QS"))),
        ("show", Expose(2, Cards())),
        ("moon others-up", ChooseMoon(2, Moon.OTHERS_UP)),
        *[(text, None) for text in ("", "QS", "play", "play qs", "play QS.", "play QS 2C", "Play QS", " play QS")],
        *[(text, None) for text in ("play QS\n", "play 10H", "I play QS", "play Q♠", "moon both", "moon")],
        *[(text, None) for text in ("pass 2C,3C", "pass 2C  3C", "pass 2C/3C", "pass 2C 2C 2C")],
    ],
)
def test_answers_are_read_strictly(table: Any, answer: str, move: object) -> None:
    found = table.parsed(answer, 2)
    assert found == move or (move is None and isinstance(found, str) and found)


def test_a_refusal_is_told_with_its_reasons(table: Any) -> None:
    rules = presets.cardstock()
    state = apply(new_game(rules), deal(new_game(rules), seed=7))
    assert isinstance(state, Playing)
    prompts: list[str] = []

    def player(prompt: str) -> str:
        prompts.append(prompt)
        return ("I lead the ace", "play AH", f"play {right}")[len(prompts) - 1]

    seen = view(state, state.turn)
    assert isinstance(seen, PlayingView)
    right = min(seen.hand)
    counts: Any = table.Counter()
    move = table.decide(player, seen, Random(1), counts, 3)
    assert move == Play(state.turn, right)
    assert counts == {"decisions": 1, "unreadable": 1, "illegal": 1}
    assert "refused" not in prompts[0]
    assert "Your answer was refused: this is not of the form that was asked for: 'I lead the ace'" in prompts[1]
    assert "refused: " in prompts[2]
    assert "AH" in prompts[2].partition("refused: ")[2].partition("\n")[0]
    assert f"Your hand: {seen.hand}\n" in prompts[0]


def test_what_happens_is_counted_by_option(table: Any) -> None:
    found = table.measure(table.Scripted(), 3, seed=4)
    whole = found["all"]
    assert whole["deals"] == 3
    assert whole["illegal"] > 0
    for option in Rules.OPTIONS:
        of_option = [counts for name, counts in found.items() if name.startswith(f"{option.name}=")]
        assert sum(counts["illegal"] for counts in of_option) == whole["illegal"]
    counts = table.play_deal(presets.cardstock(), lambda _: "hello", Random(1), tries=2)
    assert counts["given up"] == counts["decisions"] == 13
    assert counts["unreadable"] == 26
    assert counts["of all"] in (26, 78)
