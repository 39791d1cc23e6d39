"""`heartsrules play`, a game at the terminal."""

from __future__ import annotations

import shlex
from typing import Annotated

import typer

from heartsrules.apps.command_line import options as O
from heartsrules.apps.command_line.options import argument
from heartsrules.apps.command_line.play_options import PlayOptions
from heartsrules.apps.completion import presets_that_begin


def play_game(
    *,
    preset: Annotated[
        str | None,
        argument(
            "PRESET",
            f"A name from `heartsrules presets`.  [default: {O.USUAL_PRESET}]",
            autocompletion=presets_that_begin,
        ),
    ] = None,
    rule_set: O.RuleSetOptions,
    options: PlayOptions,
) -> None:
    """Play against bots, or with others, at this terminal.

    Several people take turns at the keyboard. Type ? at any prompt for the possible answers. Exits with 0 when the game
    is over or a player has left it, and with 130 after Ctrl-C. The record is complete whenever it can be written;
    otherwise a message reports the error, and without Ctrl-C the exit code is 1.
    """
    from heartsrules.apps.command_line.play_opening import load_saved, locked_record, open_game
    from heartsrules.apps.terminal.drawing import Pen
    from heartsrules.apps.terminal.session import Session
    from heartsrules.apps.terminal.words import Phrases

    with locked_record(options) as file:
        saved = load_saved(options, preset, rule_set)
        rules, name = rule_set.apply_to(preset or O.USUAL_PRESET) if saved is None else (saved.game.rules, "")
        sitting, shown = open_game(rules, saved, options, file)
        words = Phrases(options.language)
        count = rules.players
        game = name.replace(f"{count} players", words.tell("players", count=count), 1)
        game = game or words.tell("resumed", moves=sitting.game.ply)
        names = Pen(sitting.seating, None, plain=True, words=words).names
        shown.say(words.say("opening", game=game, names=", ".join(names)))
        try:
            ending = "over" if Session(sitting, shown, words).run() else "left"
        except KeyboardInterrupt:
            shown.say("")
            ending = "interrupted"
        if ending != "over":
            shown.say(words.say(ending))
        if ending != "over" and options.path is not None:
            command = f"heartsrules play --resume {shlex.quote(str(options.path))}"
            shown.say(words.say("go-on-with", command=command))
        if sitting.unkept is not None:
            typer.echo(f"Error: the record is not complete: {sitting.unkept}", err=True)
        if ending == "interrupted" or sitting.unkept is not None:
            raise typer.Exit(130 if ending == "interrupted" else 1)
