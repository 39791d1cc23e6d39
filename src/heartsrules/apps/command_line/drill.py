"""`heartsrules drill`, which asks for the best move in positions."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Annotated

import attrs

from heartsrules.analysis import Drill, Theme, drills, drills_of, review
from heartsrules.apps.command_line import options as O
from heartsrules.apps.command_line.files import STDIN
from heartsrules.apps.command_line.messages import wrong_use
from heartsrules.apps.command_line.options import argument, flag
from heartsrules.apps.command_line.players import playouts_of
from heartsrules.apps.command_line.printing import document, print_json
from heartsrules.apps.command_line.review import game_to_review
from heartsrules.apps.terminal.drilling import ask_in_turn
from heartsrules.apps.terminal.keeping import Saved
from heartsrules.apps.terminal.screen import Screen
from heartsrules.apps.terminal.words import Phrases
from heartsrules.messages import phrase
from heartsrules.pictures.viewer import names_of
from heartsrules.play.game import Record


@attrs.frozen(kw_only=True)
class MistakeOptions(O.ChosenOptions):
    seat: Annotated[
        int | None, flag("--seat S", "The seat whose mistakes become drills.  [default: the player's, or all]", min=0)
    ] = None
    worlds: Annotated[int | None, flag("--worlds N", "The number of worlds for reviewing the record.", min=2)] = None
    playouts: O.PlayoutsOption = O.PLAYOUTS

    def drills_of(self, record: str) -> tuple[Iterator[Drill], Record]:
        """Return drills of the mistakes in a record, and the record."""
        item, result, seat = game_to_review(record, self.number, self.seat, self.max_bytes)
        if seat is None:
            saved = Saved(result.game, item.tags)
            humans = [each for each, name in enumerate(saved.humans) if name and saved.seed is not None]
            seat = humans[0] if len(humans) == 1 else None
        policy = playouts_of(self.playouts, item.rules)
        if self.worlds is None:
            return drills_of(review(result.game, seat, policy=policy), policy=policy), item
        found = review(result.game, seat, worlds=self.worlds, policy=policy)
        return drills_of(found, worlds=2 * self.worlds, policy=policy), item


def ask_drills(
    *,
    record: Annotated[
        str | None,
        argument(
            "RECORD",
            "A file of records, whose mistakes become drills.  [default: the included drills]",
            show_default=False,
        ),
    ] = None,
    mistakes: MistakeOptions,
    theme: Annotated[Theme | None, flag("--theme", "Ask only drills of this theme.")] = None,
    count: Annotated[int, flag("--count N", "The maximum number of drills.", min=1)] = 10,
    seed: Annotated[str | None, flag("--seed TEXT", "Equal seeds ask the same drills in the same order.")] = None,
    language: O.LanguageOption = "en",
    format_: O.OutputOption = "text",
) -> None:
    """Ask for the best move in one position after the other.

    Positions are from a seat's view. They are included in the package, or taken from the mistakes of a recorded game.
    With --format json they are printed with their answers, one on each line.
    """
    own = record is not None
    if own and record == str(STDIN) and format_ == "text":
        raise wrong_use("RECORD", "standard input is for answers; name a file")
    for field in attrs.fields(MistakeOptions):
        if not own and getattr(mistakes, field.name) != field.default:
            option = "record" if field.name == "number" else field.name.replace("_", "-")
            raise wrong_use(f"--{option}", "this option needs a RECORD")
    if record is None:
        found, names = list(drills(theme)), None
    else:
        own_drills, item = mistakes.drills_of(record)
        found, names = [each for each in own_drills if theme in (None, each.theme)], names_of(item, language)
    Random(O.chosen_seed(seed)).shuffle(found)
    del found[count:]
    if format_ == "json":
        for each in found:
            print_json(each.data(language) | {"view": document(each.view)})
    elif found:
        ask_in_turn(found, Screen(), Phrases(language), names)
    else:
        Screen().say(phrase("drill.nothing", language, own=own))
