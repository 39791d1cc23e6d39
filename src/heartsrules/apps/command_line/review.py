"""`heartsrules review`, which shows the cost of each decision of a recorded game."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any

import attrs
from rich.progress import Progress

from heartsrules.analysis import Decision, explain, review
from heartsrules.apps.command_line import options as O
from heartsrules.apps.command_line.files import STDIN
from heartsrules.apps.command_line.messages import fail, refuse_same, write_file, wrong_use
from heartsrules.apps.command_line.options import argument, flag
from heartsrules.apps.command_line.players import playouts_of
from heartsrules.apps.command_line.printing import make_console, print_json
from heartsrules.apps.command_line.show import check_seat, chosen_item, readable, seat_in_play
from heartsrules.apps.terminal.keeping import Saved
from heartsrules.apps.terminal.streams import has_symbols
from heartsrules.bots import heuristic
from heartsrules.chance import SeededBits
from heartsrules.formats.notation import Evaluation, Variation, format_evaluation, format_record, format_variation
from heartsrules.messages import letters, phrase
from heartsrules.pictures.reviews import review_lines, review_page
from heartsrules.pictures.viewer import names_of
from heartsrules.play.engine import apply
from heartsrules.play.game import Game, Record, Replay, replay
from heartsrules.play.moves import Move, Play
from heartsrules.play.state import Playing
from heartsrules.rules import Seat
from heartsrules.views import view


@attrs.frozen(kw_only=True)
class WrittenOptions:
    page: Annotated[Path | None, flag("--html FILE", "Write one HTML page with pictures.")] = None
    table: Annotated[str | None, flag("--table URL", "A browser table, in which links of the page open positions.")] = (
        None
    )
    annotated: Annotated[Path | None, flag("--annotate FILE", "Write the record with costs and better moves.")] = None


def review_record(
    *,
    record: Annotated[
        str, argument("RECORD", "A file of records; - or no file is standard input.", show_default=False)
    ] = str(STDIN),
    chosen: O.ChosenOptions,
    seat: Annotated[int | None, flag("--seat S", "The seat to review.  [default: all]", min=0)] = None,
    language: O.LanguageOption = "en",
    written: WrittenOptions,
    worlds: Annotated[int | None, flag("--worlds N", "The number of worlds for each cost.", min=2)] = None,
    playouts: O.PlayoutsOption = O.PLAYOUTS,
    format_: O.OutputOption = "text",
) -> None:
    """Review a recorded game, its costs and its luck.

    Every decision is compared with the best one given what the player could know. A record that stops at an illegal
    move is reviewed up to there. For an unfinished game saved by `heartsrules play`, it reviews only the player.
    """
    if written.table is not None and written.page is None:
        raise wrong_use("--table", "links need a page; add --html")
    refuse_same({"--html": written.page, "--annotate": written.annotated}, {"RECORD": [Path(record)]})
    item, result, seat = game_to_review(record, chosen.number, seat, chosen.max_bytes)
    errors = make_console(stderr=True)
    options: dict[str, Any] = {} if worlds is None else {"worlds": worlds}
    options["policy"] = playouts_of(playouts, item.rules)
    with Progress(console=errors, transient=True, disable=not errors.is_terminal) as bar:
        task = bar.add_task(phrase("terminal.reviewing", language), total=result.game.ply)
        found = review(result.game, seat, **options, progress=lambda done, _: bar.update(task, completed=done))
    names = names_of(item, language)
    page, annotated = written.page, written.annotated
    if page is not None:
        write_file("--html", page, review_page(found, language, names, table=written.table))
    if annotated is not None:
        own = [(each.ply, text) for each in found.decisions for text in _comments(each, result.game, language)]
        comments = [*item.comments, *own]
        write_file("--annotate", annotated, format_record(attrs.evolve(item, comments=comments)))
    if format_ == "json":
        print_json(found.data(language))
    elif page is None and annotated is None:
        console = make_console()
        shown = language if has_symbols(console.file) else letters(language)
        for line in review_lines(found, shown, names):
            console.print(line)
    if result.failure is not None:
        fail("the next move of this record is illegal; heartsrules verify explains why", 1)


def game_to_review(
    record: str, number: int | None, seat: Seat | None, limit: int
) -> tuple[Record, Replay, Seat | None]:
    """Return the record of the arguments, its replay, and the seat to review, if any.

    By default, a game in progress is reviewed only for its player.
    """
    item, where = chosen_item(record, number, limit)
    if isinstance(item, str):
        raise wrong_use("RECORD", "a position is not a game; name a record")
    kept = readable(item, where, seat)
    check_seat(seat, kept.rules)
    result = replay(kept.rules, kept.moves)
    if seat is None:
        seat = seat_in_play(Saved(result.game, kept.tags), "give --seat")
    return kept, result, seat


def _comments(decision: Decision, game: Game, language: str) -> Iterator[str]:
    text = explain(decision, language) if decision.reasons else ""
    yield format_evaluation(Evaluation(decision.quality, decision.cost_points, decision.cost_win, text))
    if decision.reasons:
        yield format_variation(Variation(_better(decision, game)))


def _better(decision: Decision, game: Game) -> Iterator[Move]:
    move = decision.best[0]
    state = game.at(decision.ply)
    yield move
    if isinstance(move, Play):
        state = apply(state, move)
        while isinstance(state, Playing) and state.trick:
            move = heuristic(view(state, state.turn), SeededBits("a variation", str(decision.ply)))
            yield move
            state = apply(state, move)
