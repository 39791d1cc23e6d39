"""Pages to go through a game: each shows every position, and that of a seat nothing that its views do not tell."""

from __future__ import annotations

import json
import random
import re
from typing import Any, Final

import attrs
import pytest

from heartsrules import Passing, Playing, Rules, Seat, presets, view
from heartsrules.base.errors import InvalidPicture
from heartsrules.pictures import svg
from heartsrules.pictures.pages import THEMED, make_page, themed
from heartsrules.pictures.viewer import game_page, names_of
from heartsrules.play.game import Game, Record
from heartsrules.play.moves import Play
from heartsrules.rules import Kitty
from heartsrules.views.worlds import sample_world
from support.pictures import played

GAME: Final = played(presets.whisthub(), 9999)
NAMES: Final = ("Ann", "</script><b>", "Cleo", 'Dan "D"')


def data_of(page: str) -> dict[str, Any]:
    """What the script of a page works on."""
    (text,) = re.findall(r"^const data = (.*);$", page, re.MULTILINE)
    found: dict[str, Any] = json.loads(text)
    return found


def pictures_of(page: str, which: int) -> list[str]:
    """The pictures of a page as its script puts them together: 1 are the wide ones, 2 those for phones."""
    data = data_of(page)
    return [
        "\n".join(["".join([data["parts"][part] for part in data["lines"][line]]) for line in frame[which]])
        for frame in data["frames"]
    ]


def card_names(text: str) -> set[str]:
    """The names of all cards in a text."""
    ranks = "two|three|four|five|six|seven|eight|nine|ten|jack|queen|king|ace"
    return set(re.findall(rf"(?:{ranks}) of (?:clubs|diamonds|spades|hearts)", text))


@pytest.mark.once_compiled
@pytest.mark.parametrize("seat", [None, 2])
def test_a_page_has_the_picture_of_every_position(seat: Seat | None) -> None:
    page = game_page(GAME, seat=seat, names=NAMES, ply=7)
    for which, width in ((1, None), (2, 400)):
        drawn = [
            svg.table(state if seat is None else view(state, seat), names=NAMES, width=width, colours=THEMED)
            for state in GAME.states
        ]
        assert [f"{picture}\n" for picture in pictures_of(page, which)] == list(map(themed, drawn))
    data = data_of(page)
    assert data["ply"] == 7
    assert data["deals"] == [0, 57]
    # Before the deal; the pass; each trick; the end of the deal.
    assert data["tricks"] == [0, *range(5, 54, 4), 57]
    assert [frame[0] for frame in data["frames"][:3]] == [
        "The game begins.",
        "The cards are dealt.",
        "Ann has chosen cards to pass.",
    ]
    assert data["frames"][57][0].endswith("takes the trick.")


def test_a_page_opens_on_a_deal_with_cards() -> None:
    data = data_of(game_page(GAME, names=NAMES))
    assert data["frames"][data["ply"]][0] == "The cards are dealt."
    assert len(card_names(pictures_of(game_page(GAME), 1)[data["ply"]])) == 52
    assert data_of(game_page(GAME, ply=0))["ply"] == 0
    assert data_of(game_page(Game.start(GAME.rules)))["ply"] == 0


def test_a_page_stands_alone_and_is_small() -> None:
    page = game_page(GAME, names=NAMES)
    assert page == game_page(GAME, names=NAMES)
    assert len(page.encode()) < 170_000
    assert re.findall(r"(?:src|href)=|url\(|@import|https?://(?!www\.w3\.org/2000/svg)", page) == []
    assert "default-src 'none'" in page
    assert page.count("</script>") == 1, "no name ends the script"
    frame = page._repr_html_()
    assert frame.startswith('<iframe srcdoc="&lt;!doctype html&gt;')
    assert 'sandbox="allow-scripts"' in frame


@pytest.mark.parametrize("seat", [0, 3])
def test_a_page_of_a_seat_names_no_card_that_is_hidden_from_it(seat: Seat) -> None:
    game = GAME.fork(5 + 3 * 4 + 2)
    state = game.state
    assert isinstance(state, Playing)
    seen = {svg.card_name(card) for shown in game.states if isinstance(shown, Playing) for card in shown.hands[seat]}
    dealt = game.at(1)
    assert isinstance(dealt, Passing)
    seen |= {svg.card_name(card) for card in dealt.hands[seat]}
    seen |= {svg.card_name(move.card) for move in game.moves if isinstance(move, Play)}
    assert card_names(game_page(game, seat=seat)) == seen
    assert len(card_names(game_page(game))) == 52


@pytest.mark.parametrize(
    "rules",
    [Rules(), presets.gong_zhu(4), presets.dicegamedepot(5, kitty=Kitty.FIRST_TRICK)],
    ids=["usual", "gong zhu", "kitty"],
)
def test_a_page_of_a_seat_does_not_depend_on_what_it_may_not_know(rules: Rules) -> None:
    rng = random.Random(7)
    different = 0
    for moves in (2, 9, 20):
        state = played(rules, moves).state
        for seat in (0, rules.players - 1):
            other = sample_world(view(state, seat), rng)
            assert game_page(Game(state), seat=seat) == game_page(Game(other), seat=seat)
            different += game_page(Game(state)) != game_page(Game(other))
    assert different > 3


def test_a_record_gives_its_names_and_is_shown_as_far_as_it_is_legal() -> None:
    game = GAME.fork(9)
    record = Record.of(game, [("Seat1", "Bob"), ("Event", "club")])
    assert names_of(record) == ("Seat 0", "Bob", "Seat 2", "Seat 3")
    assert game_page(record) == game_page(game, names=names_of(record))
    spoiled = attrs.evolve(record, moves=(*record.moves[:7], record.moves[3]))
    assert game_page(spoiled) == game_page(GAME.fork(7), names=names_of(record))
    with pytest.raises(InvalidPicture):
        game_page(game, names=["Ann"])
    with pytest.raises(IndexError):
        game_page(game, ply=10)


def test_any_page_is_escaped() -> None:
    page = make_page("<b>\0", "<p>text</p>", data={"</script>": ["\u2028"]})
    assert "<title>&lt;b&gt;\\x00</title>" in page
    assert data_of(page) == {"</script>": ["\u2028"]}
    assert page.count("</script>") == 1
