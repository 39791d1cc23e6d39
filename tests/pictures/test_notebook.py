"""The notebook of the documentation: its cells run and show what is stored; and what values show of themselves."""

from __future__ import annotations

import json
from typing import Any
from xml.etree import ElementTree

import attrs
import pytest

from heartsrules import Card, Cards, GameOver, Play, Rules, new_game, presets, public_view, view
from heartsrules.bots import uniform
from heartsrules.pictures import svg
from heartsrules.pictures.notebooks import as_html, as_svg
from heartsrules.play.game import Record
from heartsrules.simulation import play_match
from support import notebook
from support.builds import wrong_type
from support.pictures import played

pytestmark = pytest.mark.once_interpreted

GAME = played(presets.whisthub(), 4 + 18)
STORED: dict[str, Any] = json.loads(notebook.FILE.read_bytes())


def test_the_cells_show_what_is_stored_with_them() -> None:
    """They run one after the other; `nox -s generate` stores what they show."""
    cells = notebook.code_cells(STORED)
    namespace: dict[str, Any] = {"__name__": "__main__"}
    for number, cell in enumerate(cells, 1):
        assert notebook.shown_by("".join(cell["source"]), namespace, number) == cell["outputs"], f"cell {number}"
    assert len(cells) > 5


def test_the_notebook_has_a_picture_a_table_and_a_text() -> None:
    outputs = [output for cell in notebook.code_cells(STORED) for output in cell["outputs"]]
    kinds = {kind for output in outputs for kind in output.get("data", {"text/plain": []})}
    assert kinds == {"image/svg+xml", "text/html", "text/plain"}
    assert {"stream", "execute_result"} == {output["output_type"] for output in outputs}


def test_a_cell_that_fails_stops_the_run() -> None:
    cells = [{"cell_type": "code", "source": ["1 / 0"]}]
    with pytest.raises(ZeroDivisionError):
        notebook.run(json.dumps({"cells": cells}).encode())


def test_the_notebook_is_one_for_every_front_end() -> None:
    """As its format 4.5 demands: every cell has an id of its own, a kind and a source."""
    assert (STORED["nbformat"], STORED["nbformat_minor"]) == (4, 5)
    assert len({cell["id"] for cell in STORED["cells"]}) == len(STORED["cells"])
    for cell in STORED["cells"]:
        assert cell["cell_type"] in ("code", "markdown")
        assert "".join(cell["source"]).strip()
        assert ("outputs" in cell) == ("execution_count" in cell) == (cell["cell_type"] == "code")


def test_values_show_their_pictures() -> None:
    state = GAME.state
    trick = GAME.at(GAME.ply).tricks[0]  # type: ignore[union-attr]
    for shown, picture in (
        (state, svg.table(state)),
        (GAME, svg.table(state)),
        (view(state, 2), svg.table(view(state, 2))),
        (public_view(state), svg.table(public_view(state))),
        (trick, svg.trick(trick)),
        (Cards("QS 2H"), svg.hand(Cards("QS 2H"))),
        (state.score_sheet, svg.score_sheet(state.score_sheet)),
    ):
        shows_itself: Any = shown
        assert shows_itself._repr_svg_() == as_svg(shows_itself) == picture
        assert not hasattr(shows_itself, "_repr_html_")


def test_every_state_and_every_view_shows_itself() -> None:
    over = play_match(Rules(max_deals=1, target=None), [uniform] * 4, seed=1)
    assert isinstance(over, GameOver)
    for state in (new_game(Rules()), *played(Rules(), 5).states, over):
        for shown in (state, view(state, 0)):
            assert shown._repr_svg_() == svg.table(shown)


def test_a_rule_set_lists_what_is_not_as_usual() -> None:
    table = ElementTree.fromstring(presets.omnibus(4)._repr_html_())
    rows = [[cell.text for cell in row] for row in table.iter("tr")][1:]
    assert [row[0] for row in rows] == list(presets.omnibus(4).changes())
    options = {option.name: option for option in Rules.OPTIONS}
    assert all([row[2] == options[row[0] or ""].sentence for row in rows])
    assert Rules()._repr_html_() == "<p>Hearts for 4 players: the usual game to 100.</p>\n"


def test_a_record_shows_its_tags_its_end_and_its_mistake() -> None:
    over = play_match(Rules(max_deals=1, target=None), [uniform] * 4, seed=1)
    tags = [("Event", "<b>club</b> & night\n"), ("Seat0", "\x1b")]
    record = Record.of(GAME, tags)
    html = ElementTree.fromstring(record._repr_html_())
    assert [[cell.text for cell in row] for row in html.iter("tr")] == [
        ["Event", "<b>club</b> & night\\n"],
        ["Seat0", "\\x1b"],
        ["Moves", str(GAME.ply)],
    ]
    assert svg.table(GAME.state) in as_html(record)
    assert svg.score_sheet(over) not in as_html(record)
    wrong = attrs.evolve(record, moves=(*GAME.moves, Play(0, Card("2C"))))
    assert html.find("p") is None
    mistake = ElementTree.fromstring(as_html(wrong)).find("p")
    assert mistake is not None
    assert f"moves[{GAME.ply}] (Deal 0, Trick 4)" in "".join(mistake.itertext())


@pytest.mark.parametrize("wrong", [None, 3, "QS", [Card("QS")], Card("QS")])
def test_nothing_else_is_shown(wrong: Any) -> None:
    with wrong_type("shown must be a State, a View, a Game, a Trick, a Cards or a ScoreSheet, not"):
        as_svg(wrong)
    with wrong_type("shown must be a Rules, a Record or a Review, not"):
        as_html(wrong)
