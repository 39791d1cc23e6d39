"""A page for going through a game with a slider, buttons and keys.

A seat's page contains only views of that seat.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from importlib import resources
from itertools import pairwise
from typing import Any, Final

from heartsrules.pictures.pages import THEMED, Page, make_page, themed
from heartsrules.pictures.svg import card_name, table
from heartsrules.pictures.wording import Wording
from heartsrules.play.game import Game, Record, replay
from heartsrules.play.moves import ChooseMoon, Deal, Expose, Move, Pass, Play
from heartsrules.play.public import Trick
from heartsrules.play.state import Playing, State
from heartsrules.rules import Seat
from heartsrules.views import deal_of, view

__all__ = ["game_page", "names_of"]
__dir__ = __all__.copy

_PARTS: Final = re.compile(r"(?<=>)(?=<)|(?<=\. )")
"""The borders of parts that lines share, between elements or sentences."""
_NARROW: Final = 400
_CHOSE: Final[dict[type[Move], str]] = {Pass: "chose-pass", Expose: "chose-show", ChooseMoon: "chose-moon"}
_BODY, _STYLE, _SCRIPT = [
    "\n" + resources.files("heartsrules.pictures").joinpath(f"viewer.{kind}").read_text("utf-8")
    for kind in ("html", "css", "js")
]


def game_page(
    game: Game | Record,
    *,
    seat: Seat | None = None,
    names: Iterable[str] | None = None,
    ply: int | None = None,
    language: str = "en",
) -> Page:
    """Write a page with a picture of every position of a game.

    Keys: left and right move by moves, up and down by tricks, Home and End by deals, space plays.

    Args:
        game: the game, or a record, drawn up to its first illegal move.
        seat: the seat whose views are shown. Defaults to all hands.
        names: the players' names by seat. Defaults to the tags of a record, or `Seat 0` and so on.
        ply: the number of moves before the first position shown. Defaults to the first position with cards.
        language: one of `heartsrules.messages.languages()`.

    Raises:
        InvalidSeat: the table has no such seat.
        InvalidPicture: there are too few or too many names.
        IndexError: the game has no such ply.
        UnknownLanguage: there is no catalogue for the language.
    """
    if isinstance(game, Record):
        names = names_of(game, language) if names is None else names
        game = replay(game.rules, game.moves).game
    wording = Wording(language)
    called = wording.seat_names(game.rules.players) if names is None else list(names)
    if ply is None:
        ply = next((place for place, move in enumerate(game.moves, 1) if isinstance(move, Deal)), 0)
    game.at(ply)
    # Pictures share lines, and lines share parts, such as a card's face.
    parts: dict[str, int] = {}
    lines: list[list[int]] = []
    numbers: dict[str, int] = {}

    def packed(picture: str) -> list[int]:
        split = picture.splitlines()
        for line in split:
            if numbers.setdefault(line, len(lines)) == len(lines):
                lines.append([parts.setdefault(part, len(parts)) for part in _PARTS.split(themed(line))])
        return [numbers[line] for line in split]

    states = list(game.states)
    frames: list[list[Any]] = []
    for number, state in enumerate(states):
        shown = state if seat is None else view(state, seat)
        pictures = [
            table(shown, names=called, width=width, colours=THEMED, language=language) for width in (None, _NARROW)
        ]
        frames.append([_caption(number, states, game.moves, called, wording), *map(packed, pictures)])
    places = [_place(state) for state in states]
    starts = [number for number, (before, after) in enumerate(pairwise(places), 1) if before != after]
    buttons = wording.say("page-buttons").split(",")
    data = {
        "start": buttons[5],
        "pause": buttons[6],
        "of": buttons[10],
        "parts": list(parts),
        "lines": lines,
        "frames": frames,
        "ply": ply,
        "deals": [0, *[number for number in starts if places[number][0] != places[number - 1][0]]],
        "tricks": [0, *starts],
    }
    title = wording.say("page-title", seen=seat is not None, name="" if seat is None else called[seat])
    body = _BODY.strip().format(*buttons)
    return make_page(title, body, style=_STYLE, script=_SCRIPT, data=data, language=language)


def names_of(record: Record, language: str = "en") -> tuple[str, ...]:
    """Return the players' names from a record's tags, or `Seat 0` and so on."""
    tags, seats = dict(record.tags), Wording(language).seat_names(record.rules.players)
    return tuple([tags.get(f"Seat{seat}") or name for seat, name in enumerate(seats)])


def _place(state: State) -> tuple[int, int]:
    return state.deal_number, state.trick_number if isinstance(state, Playing) else -1


def _caption(
    number: int, states: Sequence[State], moves: Sequence[Move], called: Sequence[str], wording: Wording
) -> str:
    say = wording.say
    if not number:
        return say("begins")
    move, before, after = moves[number - 1], states[number - 1], states[number]
    if isinstance(move, Deal):
        return say("cards-dealt")
    name = called[move.seat]
    if not isinstance(move, Play):
        return say(_CHOSE[type(move)], name=name)
    told = say("plays", name=name, card=card_name(move.card, wording.language))
    ended = _tricks(after)[-1] if len(_tricks(after)) > len(_tricks(before)) else None
    if ended is None:
        return told
    winner = "" if ended.winner is None else called[ended.winner]
    return f"{told} {say('takes', nobody=ended.winner is None, name=winner)}"


def _tricks(state: State) -> Sequence[Trick]:
    deal = deal_of(state)
    return () if deal is None else deal.tricks
