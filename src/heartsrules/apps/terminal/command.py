"""The command `heartsrules play`."""

from __future__ import annotations

import secrets
import shlex
from collections.abc import Callable, Collection, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NoReturn, TypeAlias

import typer

from heartsrules import Rules
from heartsrules.apps.completion import presets_that_begin, settings_that_begin
from heartsrules.base.extras import MissingExtra
from heartsrules.play.game import Game

if TYPE_CHECKING:
    from heartsrules.apps.terminal.screen import Screen
    from heartsrules.apps.terminal.sitting import Sitting
    from heartsrules.bots import Named

__all__ = ["PlayersNamed", "RuleSet", "register_play"]

RuleSet: TypeAlias = Callable[[str, int | None, Iterable[str]], tuple[Rules, str]]
"""Makes the rule set of a preset, a count of players and the texts of `--set`, and a line that names it."""

_LONGEST_SEED = 200


PlayersNamed: TypeAlias = "Callable[[Iterable[str], Collection[str]], tuple[Named, ...]]"
"""Makes the players of the texts of `--player`, none of which may have one of these names."""


def register_play(app: typer.Typer, rule_set: RuleSet, players_named: PlayersNamed) -> None:
    """Add the command to the others, which name rule sets and players in the same way."""

    @app.command("play")
    def play(
        preset: Annotated[
            str | None,
            typer.Argument(
                metavar="PRESET",
                help="A name from `heartsrules presets`; microsoft if not given.",
                autocompletion=presets_that_begin,
            ),
        ] = None,
        players: Annotated[int | None, typer.Option("--players", metavar="N", help="How many play.")] = None,
        setting: Annotated[
            list[str] | None,
            typer.Option(
                "--set",
                metavar="FIELD=VALUE",
                help="Change a field, such as target=50. Repeatable.",
                autocompletion=settings_that_begin,
            ),
        ] = None,
        humans: Annotated[
            str | None,
            typer.Option(
                "--humans",
                metavar="NAMES",
                help="Who plays at this terminal, with commas between the names, from the first seat on. Bots sit "
                "where a name is empty. If not given, you play in the first seat.",
            ),
        ] = None,
        bots: Annotated[
            str | None,
            typer.Option(
                "--bots",
                metavar="NAMES",
                help="How the bots play: uniform, heuristic (if not given) or sampling; or, with commas, a name for "
                "each of them.",
            ),
        ] = None,
        player: Annotated[
            list[str] | None,
            typer.Option(
                "--player",
                metavar="NAME=BOT",
                help="A player that --bots can name too, such as 'NAME=external:COMMAND', which is a program, or "
                "NAME=sampling:400. Repeatable.",
            ),
        ] = None,
        seed: Annotated[
            str | None,
            typer.Option(
                "--seed", metavar="TEXT", help="Equal seeds give equal deals. Without one, a secret one is drawn."
            ),
        ] = None,
        record: Annotated[
            Path | None,
            typer.Option("--record", metavar="FILE", help="Write the game to a new file, after every move."),
        ] = None,
        resume: Annotated[
            Path | None,
            typer.Option(
                "--resume",
                metavar="FILE",
                help="Go on with a recorded game, and with its record, unless --record names another.",
            ),
        ] = None,
        plain: Annotated[
            bool,
            typer.Option(
                "--plain", help="Sentences without colours or symbols, as for screen readers. Pipes get them anyway."
            ),
        ] = False,
        full_screen: Annotated[
            bool,
            typer.Option(
                "--full-screen",
                help="Use the whole screen, with keys and mouse. For one player; needs the extra tui.",
            ),
        ] = False,
        pace: Annotated[
            float | None,
            typer.Option(
                "--pace",
                metavar="SECONDS",
                min=0.0,
                max=10.0,
                help="With --full-screen: how long a card lies on the table before the next one; 0.5 if not given.",
            ),
        ] = None,
    ) -> None:
        """Play against bots, or with others, at this terminal.

        Several people take turns at the keyboard. Type ? at any prompt for what can be typed there. Exits with 0 when
        the game is over or a player has left it, and with 130 after Ctrl-C. A record is complete in every case in which
        it can be written; otherwise a message says so, and without Ctrl-C the exit code is 1.
        """
        from heartsrules.apps.terminal.keeping import Keeper, Saved, UnusableRecord, load
        from heartsrules.apps.terminal.screen import Screen
        from heartsrules.apps.terminal.seating import ALONE, DEFAULT_BOT, WrongSeating, seat_players
        from heartsrules.apps.terminal.session import Session
        from heartsrules.apps.terminal.sitting import Sitting
        from heartsrules.bots import BOTS

        saved: Saved | None = None
        if resume is not None:
            if preset is not None or players is not None or setting:
                raise typer.BadParameter("the record says what is played: give no PRESET, --players or --set with it")
            try:
                saved = load(resume)
            except UnusableRecord as error:
                _fail(f"{str(resume)!r} cannot be resumed: {error}", 1)
            except (OSError, ValueError) as error:
                _wrong("--resume", resume, error)
            rules, ply = saved.game.rules, saved.game.ply
            name = f"resumed after {ply} move{'' if ply == 1 else 's'}"
        else:
            rules, name = rule_set(preset or "microsoft", players, setting or ())
        if seed is None:
            seed = saved.seed if saved is not None and saved.seed else secrets.token_hex(16)
        if not seed.isprintable() or len(seed) > _LONGEST_SEED:
            raise typer.BadParameter(f"a seed has at most {_LONGEST_SEED} printable characters", param_hint="--seed")
        names = humans.split(",") if humans is not None else saved.humans if saved is not None else [ALONE]
        kinds = bots.split(",") if bots is not None else saved.bots if saved is not None else []
        try:
            named = {each.name: each.bot for each in players_named(player or (), BOTS)}
            seating = seat_players(rules, names, kinds or [DEFAULT_BOT], named)
        except WrongSeating as error:
            if saved is not None and (humans if error.option == "humans" else bots) is None:
                way = "--humans" if error.option == "humans" else "--bots, or --player NAME=BOT as before"
                raise typer.BadParameter(f"in the record, {error}; give {way}", param_hint="--resume") from None
            raise typer.BadParameter(str(error), param_hint=f"--{error.option}") from None
        if bots is not None and not any(seating.bots):
            raise typer.BadParameter("no seat is left for a bot: leave out --bots", param_hint="--bots")
        if pace is not None and not full_screen:
            raise typer.BadParameter("cards lie on the table for a time only with --full-screen", param_hint="--pace")
        if full_screen and plain:
            raise typer.BadParameter("choose one of --plain and --full-screen", param_hint="--full-screen")
        screen = Screen(plain=plain)
        if full_screen and (screen.plain or not screen.reads_keys):
            raise typer.BadParameter(
                "--full-screen needs a terminal that can move the cursor (TERM is not dumb)",
                param_hint="--full-screen",
            )
        if full_screen and len(seating.humans) > 1:
            raise typer.BadParameter(
                "only one player can use the whole screen: several take turns without it", param_hint="--full-screen"
            )
        if len(seating.humans) > 1 and not screen.can_clear:
            raise typer.BadParameter(
                "several people need a terminal, whose screen can be cleared between their turns", param_hint="--humans"
            )
        game = saved.game if saved is not None else Game.start(rules)
        keeper: Keeper | None = None
        path = record or resume
        if path is not None:
            try:
                if record is not None and record.exists():
                    raise typer.BadParameter(
                        f"{str(record)!r} exists: go on with it by --resume, or choose another", param_hint="--record"
                    )
                tags, comments = ((), ()) if saved is None else (saved.tags, saved.comments)
                keeper = Keeper(path, seating, seed, tags, comments)
                keeper.write(game)
            except (OSError, ValueError) as error:
                _wrong("--record" if record is not None else "--resume", path, error)
        if full_screen:
            _play_on_the_whole_screen(Sitting(game, seating, seed, keeper), screen, pace, path)
            return
        screen.say(f"{name}; {', '.join(seating.names)}. Type ? for help.")
        session = Session(game, seating, seed, screen, keeper)
        try:
            over = session.run()
        except KeyboardInterrupt:
            screen.say("", "Interrupted.", *_way_back(path))
            _complain_of_record(session.sitting)
            raise typer.Exit(130) from None
        if not over:
            screen.say("You have left the game.", *_way_back(path))
        if _complain_of_record(session.sitting):
            raise typer.Exit(1)


def _play_on_the_whole_screen(sitting: Sitting, screen: Screen, pace: float | None, path: Path | None) -> None:
    try:
        from heartsrules.apps.terminal.full_screen import DEFAULT_PACE, FullScreen
    except MissingExtra as error:
        _fail(str(error), 2)
    try:
        ending = FullScreen(sitting, symbols=screen.symbols, pace=DEFAULT_PACE if pace is None else pace).run()
    finally:
        sitting.keep()
    if ending == "interrupted":
        screen.say("Interrupted.", *_way_back(path))
        _complain_of_record(sitting)
        raise typer.Exit(130)
    if ending != "over":
        screen.say("You have left the game.", *_way_back(path))
    if _complain_of_record(sitting):
        raise typer.Exit(1)


def _complain_of_record(sitting: Sitting) -> bool:
    """Say so if the record does not hold the whole game; whether there was anything to say."""
    if sitting.unkept is None:
        return False
    typer.echo(f"Error: the record is not complete: {sitting.unkept}", err=True)
    return True


def _way_back(path: Path | None) -> list[str]:
    return [] if path is None else [f"Go on with it: heartsrules play --resume {shlex.quote(str(path))}"]


def _wrong(option: str, path: Path, error: OSError | ValueError) -> NoReturn:
    # A ValueError says that the path has a character that no path can have, such as NUL.
    reason = error.strerror if isinstance(error, OSError) else str(error)
    raise typer.BadParameter(f"{str(path)!r}: {reason}", param_hint=option) from None


def _fail(message: str, code: int) -> NoReturn:
    typer.echo(f"Error: {message}", err=True)
    raise typer.Exit(code)
