"""`heartsrules play`, a game at the terminal."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Annotated

import attrs
import typer

from heartsrules.apps.command_line import options as O
from heartsrules.apps.command_line.options import argument, flag
from heartsrules.apps.completion import presets_that_begin


@attrs.frozen(kw_only=True)
class PlayOptions:
    """Options for the players, the cards, the record and the display."""

    humans: Annotated[
        str | None,
        flag(
            "--humans NAMES",
            "The names of the humans at this terminal, separated by commas, from the first seat on. Bots take seats "
            "with empty names.  [default: you in the first seat]",
        ),
    ] = None
    bots: Annotated[
        str | None,
        flag(
            "--bots NAMES",
            "The kind of the bots: uniform, heuristic (the default), sampling or learned; or a name for each bot, "
            "separated by commas.",
        ),
    ] = None
    player: O.PlayerOption = None
    seed: Annotated[str | None, flag("--seed TEXT", "Equal seeds give equal deals.  [default: random and secret]")] = (
        None
    )
    playouts: O.PlayoutsOption = O.PLAYOUTS
    record: Annotated[Path | None, flag("--record FILE", "Save the game to a new file after every move.")] = None
    # Paths of typer 0.28 fail on a NUL.
    resume: Annotated[
        Path | None,
        flag(
            "--resume FILE", "Resume a recorded game, and extend its record unless --record names another.", parser=Path
        ),
    ] = None
    language: O.LanguageOption = "en"
    plain: Annotated[
        bool, flag("--plain", "Sentences without colours or symbols, for screen readers; always used for pipes.")
    ] = False

    @property
    def path(self) -> Path | None:
        return self.record or self.resume

    @property
    def option(self) -> str:
        """The option that names this file."""
        return "--resume" if self.record is None else "--record"


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
