"""`heartsrules show`, which draws a position of a recorded game."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from heartsrules.apps.command_line.files import POSITION, STDIN, Item, input_of, items_of, positions_or_records
from heartsrules.apps.command_line.messages import fail, refuse_same, write_file, wrong_use
from heartsrules.apps.command_line.options import ChosenOptions, LanguageOption, OutputOption, argument, flag
from heartsrules.apps.command_line.printing import document, make_console, print_json
from heartsrules.apps.terminal.keeping import Saved
from heartsrules.apps.terminal.streams import has_symbols
from heartsrules.base.errors import InvalidNotation, InvalidState
from heartsrules.formats.notation import parse_position
from heartsrules.messages import phrase
from heartsrules.pictures.diagrams import diagram
from heartsrules.pictures.viewer import game_page, names_of
from heartsrules.play.game import Game, Record, replay
from heartsrules.play.state import State
from heartsrules.rules import Rules, Seat
from heartsrules.simulation.batch_judge import Unreadable
from heartsrules.views import view


def show_position(
    *,
    record: Annotated[
        str,
        argument(
            "RECORD",
            "A file of records or positions, or a position itself; - or no file is standard input.",
            show_default=False,
        ),
    ] = str(STDIN),
    chosen: ChosenOptions,
    ply: Annotated[
        int | None, flag("--ply N", "The number of moves before the position.  [default: all]", min=0)
    ] = None,
    seat: Annotated[int | None, flag("--seat S", "Show only what this seat can see.", min=0)] = None,
    all_hands: Annotated[
        bool, flag("--all-hands", "Show every hand of an unfinished game saved by `heartsrules play`.")
    ] = False,
    html: Annotated[
        Path | None, flag("--html OUT", "Write a page for going through the game with slider and keys; - is stdout.")
    ] = None,
    language: LanguageOption = "en",
    format_: OutputOption = "text",
) -> None:
    """Draw a position of a recorded game.

    The drawing has the hands, the trick, captured cards, totals, and the legal moves. For an unfinished game saved by
    `heartsrules play`, it shows only what the player can see, unless --seat or --all-hands changes that.
    """
    if all_hands and seat is not None:
        raise wrong_use("--all-hands", "one seat cannot see all hands; omit --seat or --all-hands")
    if html is not None and format_ == "json":
        raise wrong_use("--html", "a page is not JSON; omit --html or --format")
    refuse_same({"--html": html}, {"RECORD": [Path(record)]})
    item, where = chosen_item(record, chosen.number, chosen.max_bytes)
    refused = in_play = False
    names = None
    begin = ply
    if isinstance(item, str):
        game = Game(_state_of_position(item, where, ply, seat))
        begin = ply = 0
    else:
        kept = readable(item, where, seat)
        names = names_of(kept, language)
        result = replay(kept.rules, kept.moves)
        game = result.game
        if seat is None and not all_hands:
            seat = seat_in_play(Saved(game, kept.tags), "give --seat, or --all-hands to see every hand")
            in_play = seat is not None
        refused = ply is None and result.failure is not None
        ply = game.ply if ply is None else ply
        if ply > game.ply:
            why = ": the next move is illegal" if result.failure else ""
            raise wrong_use("--ply", f"there is no ply {ply}; this record has plies 0 to {game.ply}{why}")
        where = phrase("picture.ply", language, where=where, ply=ply, plies=game.ply)
    check_seat(seat, game.rules)
    state = game.at(ply)
    drawn = state if seat is None else view(state, seat)
    if html is not None:
        page = game_page(game, seat=seat, names=names, ply=begin, language=language)
        write_file("--html", html, page)
    elif format_ == "json":
        print_json({"where": where, "seat": seat, "state" if seat is None else "view": document(drawn)})
    else:
        console = make_console()
        console.print(phrase("picture.where", language, where=where, seat=seat))
        if in_play:
            console.print(phrase("picture.in-play", language))
        console.print(diagram(drawn, symbols=has_symbols(console.file), language=language))
    if refused:
        fail("the next move of this record is illegal; heartsrules verify explains why", 1)


def check_seat(seat: Seat | None, rules: Rules) -> None:
    if seat is not None and seat >= rules.players:
        raise wrong_use("--seat", f"there is no seat {seat}; seats are 0 to {rules.players - 1}")


def chosen_item(given: str, number: int | None, limit: int) -> tuple[str | Item, str]:
    """Return the position or record of the arguments, and its name."""
    if POSITION.match(given):
        if number is not None:
            raise wrong_use("--record", "a position is not a file of records; omit --record")
        return given, "the position"
    source = input_of(Path(given), "RECORD", limit)
    wanted, count = number or 1, 0
    for count, item in enumerate(items_of(source, positions_or_records), 1):
        if count == wanted or (isinstance(item, Unreadable) and item.line is None):
            return item, f"{source.name} #{count}"
    raise wrong_use("--record", f"there is no record {wanted}; {source.name} has {count}")


def _state_of_position(text: str, where: str, ply: int | None, seat: Seat | None) -> State:
    if ply is not None:
        raise wrong_use("--ply", "a position has no plies; omit --ply")
    try:
        return parse_position(text.strip())
    except (InvalidNotation, InvalidState) as error:
        fail(f"{where} cannot be read{_unless_secret(seat, f': {error}')}", 1)


def readable(item: Item, where: str, seat: Seat | None) -> Record:
    """Return a record, or exit if it cannot be read."""
    if isinstance(item, Unreadable):
        place = f" ({item.place})" if item.place else ""
        fail(f"{where} cannot be read{place}{_unless_secret(seat, f': {item}')}", 1)
    return item


def seat_in_play(saved: Saved, way: str) -> Seat | None:
    """Return the only human's seat in an unfinished saved game, or None."""
    seats = saved.in_play
    if len(seats) > 1:
        raise wrong_use("RECORD", f"several people are still playing this game; {way}")
    return seats[0] if seats else None


def _unless_secret(seat: Seat | None, text: str) -> str:
    """Return a text that can quote hidden cards, or nothing in output for one seat."""
    return text if seat is None else ""
