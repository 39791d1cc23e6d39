"""`heartsrules show`: draw a position of a recorded game."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from heartsrules.apps.command_line.files import POSITION, STDIN, Item, input_of, items_of, positions_or_records
from heartsrules.apps.command_line.messages import fail, wrong_use
from heartsrules.apps.command_line.options import Output, OutputOption
from heartsrules.apps.command_line.printing import document, make_console, print_json
from heartsrules.apps.terminal.streams import has_symbols
from heartsrules.base.errors import InvalidNotation, InvalidState, printable
from heartsrules.formats.notation import parse_position
from heartsrules.pictures.diagrams import diagram
from heartsrules.play.game import Replay, replay
from heartsrules.play.state import State
from heartsrules.rules import Seat
from heartsrules.simulation.batch_judge import Unreadable
from heartsrules.views import view

__all__ = ["chosen_item", "show_position"]


def show_position(
    record: Annotated[
        str,
        typer.Argument(
            metavar="RECORD",
            show_default=False,
            help="A file of records or positions, or a position itself; - or none: standard input.",
        ),
    ] = str(STDIN),
    number: Annotated[
        int | None,
        typer.Option("--record", metavar="N", min=1, help="Which one of the file, from 1; if not given, the first."),
    ] = None,
    ply: Annotated[
        int | None, typer.Option("--ply", metavar="N", min=0, help="After how many moves; if not given, after all.")
    ] = None,
    seat: Annotated[
        int | None, typer.Option("--seat", metavar="S", min=0, help="Show only what this seat may know.")
    ] = None,
    format_: OutputOption = Output.TEXT,
) -> None:
    """Draw a position of a recorded game.

    The drawing has the hands, the trick, captured cards, totals, and the legal moves.
    """
    item, where = chosen_item(record, number)
    refused = False
    if isinstance(item, str):
        state = _state_of_position(item, where, ply, seat)
    else:
        result = _game_of_record(item, where, seat)
        last = result.game.ply
        refused = ply is None and result.failure is not None
        ply = last if ply is None else ply
        if ply > last:
            why = ": the next move is illegal" if result.failure else ""
            raise wrong_use("--ply", f"there is no ply {ply}: this record goes from 0 to {last}{why}")
        where = f"{where}, ply {ply} of {last}"
        state = result.game.at(ply)
    players = state.rules.players
    if seat is not None and seat >= players:
        raise wrong_use("--seat", f"there is no seat {seat}: seats are 0 to {players - 1}")
    drawn = state if seat is None else view(state, seat)
    if format_ is Output.JSON:
        print_json({"where": where, "seat": seat, "state" if seat is None else "view": document(drawn)})
    else:
        console = make_console()
        console.print(printable(where) + ("" if seat is None else f", as seat {seat} sees it"))
        console.print(diagram(drawn, symbols=has_symbols(console.file)))
    if refused:
        fail("the next move of this record is illegal: see what heartsrules verify says", 1)


def chosen_item(given: str, number: int | None) -> tuple[str | Item, str]:
    """The position or record that the arguments name, and its name."""
    if POSITION.match(given):
        if number is not None:
            raise wrong_use("--record", "a position is not a file of records: leave out --record")
        return given, "the position"
    source = input_of(Path(given), "RECORD")
    wanted, count = number or 1, 0
    for count, item in enumerate(items_of(source, positions_or_records), 1):
        if count == wanted or (isinstance(item, Unreadable) and item.line is None):
            return item, f"{source.name} #{count}"
    raise wrong_use("--record", f"there is no record {wanted}: {source.name} holds {count}")


def _state_of_position(text: str, where: str, ply: int | None, seat: Seat | None) -> State:
    if ply is not None:
        raise wrong_use("--ply", "a position has no plies: leave out --ply")
    try:
        return parse_position(text.strip())
    except (InvalidNotation, InvalidState) as error:
        fail(f"{where} cannot be read{_unless_secret(seat, f': {error}')}", 1)


def _game_of_record(item: Item, where: str, seat: Seat | None) -> Replay:
    if isinstance(item, Unreadable):
        place = f" ({item.place})" if item.place else ""
        fail(f"{where} cannot be read{place}{_unless_secret(seat, f': {item}')}", 1)
    return replay(item.rules, item.moves)


def _unless_secret(seat: Seat | None, text: str) -> str:
    """A text that may quote hidden cards; empty if the output is for one seat."""
    return text if seat is None else ""
