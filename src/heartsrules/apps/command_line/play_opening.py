"""Conversion of the options of `heartsrules play` to a sitting and its screen.

Wrong options end the program.
"""

from __future__ import annotations

import contextlib
import secrets
from collections.abc import Iterator
from typing import Final

import typer

from heartsrules import Rules
from heartsrules.apps.command_line.messages import fail, paths_refused, wrong_use
from heartsrules.apps.command_line.options import RuleSetOptions
from heartsrules.apps.command_line.play_options import PlayOptions
from heartsrules.apps.command_line.players import players_named, playouts_of
from heartsrules.apps.terminal.keeping import Keeper, Saved, UnusableRecord, load
from heartsrules.apps.terminal.screen import Screen
from heartsrules.apps.terminal.seating import ALONE, DEFAULT_BOT, Seating, WrongSeating, seat_players
from heartsrules.apps.terminal.sitting import Sitting
from heartsrules.bots import BOTS
from heartsrules.formats.files import LockedFile
from heartsrules.play.game import Game

_LONGEST_SEED: Final = 200


@contextlib.contextmanager
def locked_record(options: PlayOptions) -> Iterator[LockedFile | None]:
    """Lock the output file, if there is one."""
    path = options.path
    if path is None:
        yield None
        return
    with paths_refused(options.option, path):
        if options.record is not None and path.exists():
            raise wrong_use(
                options.option, f"{str(path)!r} already exists; resume it with --resume, or choose another file"
            )
        file = LockedFile(path)
    with file:
        yield file


def load_saved(options: PlayOptions, preset: str | None, rule_set: RuleSetOptions) -> Saved | None:
    if options.resume is None:
        return None
    if preset is not None or rule_set:
        raise typer.BadParameter("the record determines the rules; omit PRESET, --players and --set")
    with paths_refused("--resume", options.resume):
        try:
            return load(options.resume)
        except UnusableRecord as error:
            fail(f"{str(options.resume)!r} cannot be resumed: {error}", 1)


def open_game(
    rules: Rules, saved: Saved | None, options: PlayOptions, file: LockedFile | None
) -> tuple[Sitting, Screen]:
    """Seat the players, choose the screen, and start the record."""
    seed = _seed(options.seed, saved)
    policy = playouts_of(options.playouts, rules)
    seated = _seating(rules, saved, options)
    screen = Screen(plain=options.plain)
    if len(seated.humans) > 1 and not screen.can_clear:
        raise wrong_use("--humans", "several people need a terminal that can clear its screen between their turns")
    game = saved.game if saved is not None else Game.start(rules)
    return Sitting(game, seated, seed, _keeper(game, saved, seated, seed, options, file), policy), screen


def _seed(given: str | None, saved: Saved | None) -> str:
    saved_seed = None if saved is None else saved.seed
    seed = given if given is not None else saved_seed or secrets.token_hex(16)
    if not seed.isprintable() or len(seed) > _LONGEST_SEED:
        raise wrong_use("--seed", f"a seed has at most {_LONGEST_SEED} printable characters")
    return seed


def _seating(rules: Rules, saved: Saved | None, options: PlayOptions) -> Seating:
    humans, bots = options.humans, options.bots
    names = humans.split(",") if humans is not None else saved.humans if saved is not None else [ALONE]
    kinds = bots.split(",") if bots is not None else saved.bots if saved is not None else []
    named = {each.name: each.bot for each in players_named(options.player or (), BOTS)}
    try:
        seating = seat_players(rules, names, kinds or [DEFAULT_BOT], named)
    except WrongSeating as error:
        if saved is not None and (humans if error.option == "humans" else bots) is None:
            way = "--humans" if error.option == "humans" else "--bots, or --player NAME=BOT as before"
            raise wrong_use("--resume", f"in the record, {error}; give {way}") from None
        raise wrong_use(f"--{error.option}", str(error)) from None
    if bots is not None and not any(seating.bots):
        raise wrong_use("--bots", "no seat is left for a bot; omit --bots")
    return seating


def _keeper(
    game: Game, saved: Saved | None, seating: Seating, seed: str, options: PlayOptions, file: LockedFile | None
) -> Keeper | None:
    if file is None:
        return None
    tags, comments = ((), ()) if saved is None else (saved.tags, saved.comments)
    keeper = Keeper(file, seating, seed, tags, comments)
    with paths_refused(options.option, file.path):
        keeper.write(game)
    return keeper
