"""`heartsrules drill`: positions that ask for the best move."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from random import Random
from typing import Annotated, Final

import attrs
import typer

from heartsrules.analysis import Drill, Theme, drills, drills_of, review
from heartsrules.apps.command_line.files import STDIN
from heartsrules.apps.command_line.messages import wrong_use
from heartsrules.apps.command_line.options import Output, OutputOption, chosen_seed, takes_options
from heartsrules.apps.command_line.printing import document, make_console, print_json
from heartsrules.apps.command_line.review import check_language, game_to_review
from heartsrules.apps.terminal.keeping import Saved
from heartsrules.apps.terminal.streams import has_symbols
from heartsrules.base.errors import HeartsError
from heartsrules.cards import Cards
from heartsrules.messages import phrase
from heartsrules.pictures.diagrams import diagram
from heartsrules.play.moves import ChooseMoon, Expose, Move, Pass, Play
from heartsrules.views import PassingView

__all__ = ["ask_drills"]

_QUIT: Final = ("q", "quit", "exit")


@attrs.frozen(kw_only=True)
class MistakeOptions:
    """Whose mistakes of which record are asked for."""

    number: Annotated[
        int | None,
        typer.Option("--record", metavar="N", min=1, help="Which one of the file, from 1; if not given, the first."),
    ] = None
    seat: Annotated[
        int | None,
        typer.Option("--seat", metavar="S", min=0, help="Whose mistakes; if not given, the player's, or everybody's."),
    ] = None
    worlds: Annotated[
        int | None, typer.Option("--worlds", metavar="N", min=2, help="How many worlds review the record.")
    ] = None

    def drills_of(self, record: str) -> Iterator[Drill]:
        """Review a record, and make drills of the mistakes."""
        item, result, seat = game_to_review(record, self.number, self.seat)
        if seat is None:
            saved = Saved(result.game, item.tags, ())
            humans = [each for each, name in enumerate(saved.humans) if name and saved.seed is not None]
            seat = humans[0] if len(humans) == 1 else None
        if self.worlds is None:
            return drills_of(review(result.game, seat))
        return drills_of(review(result.game, seat, worlds=self.worlds), worlds=2 * self.worlds)


@takes_options
def ask_drills(
    *,
    record: Annotated[
        str | None,
        typer.Argument(
            metavar="RECORD",
            show_default=False,
            help="A file of records: ask for the mistakes made there; if not given, ask the drills that are shipped.",
        ),
    ] = None,
    mistakes: MistakeOptions,
    theme: Annotated[Theme | None, typer.Option("--theme", help="Ask only drills of this theme.")] = None,
    count: Annotated[int, typer.Option("--count", metavar="N", min=1, help="How many drills to ask at most.")] = 10,
    seed: Annotated[
        str | None, typer.Option("--seed", metavar="TEXT", help="Equal seeds ask the same drills in the same order.")
    ] = None,
    language: Annotated[str, typer.Option("--language", metavar="TAG", help="The language: en or de.")] = "en",
    format_: OutputOption = Output.TEXT,
) -> None:
    """Ask for the best move in one position after the other.

    Positions are those that a seat sees. They are shipped with the package, or come from the mistakes of a recorded
    game. With --format json they are printed with their answers, one on each line.
    """
    check_language(language)
    own = record is not None
    if own and record == str(STDIN) and format_ is Output.TEXT:
        raise wrong_use("RECORD", "answers are read from standard input: give a file")
    for name, given in (("record", mistakes.number), ("seat", mistakes.seat), ("worlds", mistakes.worlds)):
        if not own and given is not None:
            raise wrong_use(f"--{name}", "it is about a RECORD: name one")
    own_drills = () if record is None else mistakes.drills_of(record)
    found = list(drills(theme)) if record is None else [each for each in own_drills if theme in (None, each.theme)]
    Random(chosen_seed(seed)).shuffle(found)
    del found[count:]
    if format_ is Output.JSON:
        for each in found:
            print_json(each.data(language) | {"view": document(each.view)})
    elif found:
        _Session(language).ask(found)
    else:
        make_console().print(phrase("drill.nothing", language, own=own))


class _Session:
    """Drills that are asked one after the other, and a count of right answers."""

    def __init__(self, language: str) -> None:
        self._language: Final = language
        self._console: Final = make_console()
        self._symbols: Final = has_symbols(self._console.file)

    def ask(self, asked: list[Drill]) -> None:
        """Ask drills until all are answered, the player leaves, or the input ends; then tell the score."""
        right = answered = 0
        for number, drill in enumerate(asked, 1):
            self._say("heading", number=number, count=len(asked), theme=drill.theme)
            self._console.print(diagram(drill.view, symbols=self._symbols))
            move = self._answer(drill)
            if move is None:
                break
            answered += 1
            right += drill.is_right(move)
            verdict, reason, *costs = drill.judge(move, self._language)
            self._console.print("\n".join([verdict, reason, *[f"  {cost}" for cost in costs], ""]))
        self._say("score", right=right, asked=answered)

    def _say(self, name: str, **params: object) -> None:
        self._console.print(phrase(f"drill.{name}", self._language, **params))

    def _answer(self, drill: Drill) -> Move | None:
        """The move that the player chooses; None to end."""
        moves = _sorted([each.move for each in drill.choices])
        self._console.print("   ".join([f"{place} {_typed(move)}" for place, move in enumerate(moves, 1)]))
        self._say("question", passing=isinstance(drill.view, PassingView))
        while True:
            self._console.print("> ", end="")
            line = sys.stdin.readline()
            text = line.strip()
            if not line or text.lower() in _QUIT:
                return None
            move = _move_of(text, moves)
            if move is not None:
                return move
            self._say("unclear", count=len(moves))


def _typed(move: Move) -> str:
    """A move as it can be typed."""
    if isinstance(move, Play):
        return str(move.card)
    if isinstance(move, Pass):
        return str(_cards_of(move)) or "-"
    if isinstance(move, Expose):
        return str(move.cards) or "-"
    assert isinstance(move, ChooseMoon)
    return move.effect.value


def _sorted(moves: list[Move]) -> list[Move]:
    """Moves in an order that does not tell which is the best: that of cards."""
    faces = Cards({card for move in moves for card in _cards_of(move)})
    order = {card: place for place, card in enumerate(faces)}
    return sorted(moves, key=lambda move: ([order[card] for card in _cards_of(move)], _typed(move)))


def _move_of(text: str, moves: list[Move]) -> Move | None:
    if text.isdecimal() and text.isascii() and len(text) <= 3:
        place = int(text)
        return moves[place - 1] if 1 <= place <= len(moves) else None
    for move in moves:
        if _typed(move) == text.lower():
            return move
    try:
        cards = Cards(text.replace(",", " "))
    except (HeartsError, ValueError):
        return None
    return next((move for move in moves if cards and cards == _cards_of(move)), None)


def _cards_of(move: Move) -> Cards:
    if isinstance(move, Play):
        return Cards([move.card])
    if isinstance(move, Pass):
        return sum(move.gifts, start=Cards())
    return move.cards if isinstance(move, Expose) else Cards()
