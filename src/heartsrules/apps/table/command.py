"""The command `heartsrules table`."""

from __future__ import annotations

import sys
from collections.abc import Callable, Collection, Iterable
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final, NoReturn, TypeAlias

import typer

from heartsrules import Rules
from heartsrules.apps.completion import presets_that_begin, settings_that_begin
from heartsrules.apps.table.games import USUAL_PRESET
from heartsrules.base.extras import MissingExtra, needs

if TYPE_CHECKING:
    from socket import socket

    from heartsrules.bots import Named

__all__ = ["PlayersNamed", "RuleSet", "print_code", "register_table"]

LOOPBACK: Final = "127.0.0.1"
_LOCALHOST: Final = "localhost"
EVERYWHERE: Final = "0.0.0.0"
"""To listen on every address of this machine."""
_HERE: Final = {EVERYWHERE: LOOPBACK, "::": "::1"}
"""By the address that stands for all of this machine, the one by which it reaches itself."""
_SLOWEST: Final = 100
"""The greatest pace: bots wait for more than a minute before each card."""
_LONGEST: Final = 36_500
"""For how many days tables may be kept: 100 years."""


RuleSet: TypeAlias = Callable[[str, int | None, Iterable[str]], tuple[Rules, str]]
"""Makes the rule set of a preset, a count of players and the texts of `--set`, and a line that names it."""


PlayersNamed: TypeAlias = "Callable[[Iterable[str], Collection[str]], tuple[Named, ...]]"
"""Makes the players of the texts of `--player`, none of which may have one of these names."""


def register_table(app: typer.Typer, rule_set: RuleSet, players_named: PlayersNamed) -> None:
    """Add the command to the others, which name rule sets and players in the same way."""

    @app.command("table")
    def table(
        preset: Annotated[
            str | None,
            typer.Argument(
                metavar="PRESET",
                help=f"What the form proposes; {USUAL_PRESET} if not given.",
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
        lan: Annotated[
            bool, typer.Option("--lan", help="Let everybody in your network play: print the address for their phones.")
        ] = False,
        host: Annotated[
            str | None,
            typer.Option(
                "--host", metavar="ADDRESS", help="The address to listen on; this machine only, if not given."
            ),
        ] = None,
        port: Annotated[
            int, typer.Option("--port", metavar="N", min=0, max=65535, help="The port to listen on; 0: a free one.")
        ] = 8000,
        fd: Annotated[
            int | None, typer.Option("--fd", metavar="N", min=0, help="Listen on this inherited socket instead.")
        ] = None,
        database: Annotated[
            Path,
            typer.Option("--database", metavar="FILE", help="Where the moves are kept; it is made if there is none."),
        ] = Path("tables.sqlite3"),
        public_host: Annotated[
            list[str] | None,
            typer.Option("--public-host", metavar="NAME", help="A name by which browsers may address it. Repeatable."),
        ] = None,
        proxy: Annotated[
            list[str] | None,
            typer.Option(
                "--proxy",
                metavar="ADDRESS",
                help="A web server in front of this one, which is believed who its visitors are. Repeatable.",
            ),
        ] = None,
        pace: Annotated[
            float,
            typer.Option(
                "--pace", metavar="FACTOR", min=0, max=_SLOWEST, help="How slow bots and deals are; 0: at once."
            ),
        ] = 1,
        max_tables: Annotated[
            int, typer.Option("--max-tables", metavar="N", min=1, help="How many tables may be in play at once.")
        ] = 1000,
        keep_days: Annotated[
            float,
            typer.Option(
                "--keep-days",
                metavar="N",
                min=0,
                max=_LONGEST,
                help="How long tables are kept where nothing happens; after a match, 7 days at most.",
            ),
        ] = 30,
        request_rate: Annotated[
            float,
            typer.Option(
                "--request-rate", metavar="N", min=0, help="Tables and seats that an address may take a second."
            ),
        ] = 1,
        player: Annotated[
            list[str] | None,
            typer.Option(
                "--player",
                metavar="NAME=BOT",
                help="A player that hosts can choose too, such as 'NAME=external:COMMAND', which is a program, or "
                "NAME=sampling:400. Repeatable.",
            ),
        ] = None,
        seed: Annotated[
            str | None,
            typer.Option(
                "--seed", metavar="TEXT", help="Draw deals and bots from this seed. For tests: players could know it."
            ),
        ] = None,
    ) -> None:
        """Serve tables where people play in their browsers.

        Open a table on the page that it serves, with any rules, and send the others the link. Only browsers of this
        machine reach it; with --lan all in your network do, phones too. Every move is kept before anybody is told of
        it. Ctrl-C stops the server; started again with the same database, it goes on with the games. It needs the extra
        `web`.
        """
        try:
            with needs("web", "the browser table"):
                import uvicorn

            from heartsrules.apps.table.addresses import lan_addresses, qr_text
            from heartsrules.apps.table.app import make_app
            from heartsrules.apps.table.messages import MAX_MESSAGE
            from heartsrules.apps.table.settings import Proposal, RoomPace, Settings
        except MissingExtra as missing:
            _fail(str(missing), 2)
        if lan and host is not None:
            raise typer.BadParameter("--lan listens on every address: leave one of them out", param_hint="--host")
        if fd is not None and (lan or host is not None):
            other = "--lan" if lan else "--host"
            raise typer.BadParameter(f"a socket has its own address: leave it or {other} out", param_hint="--fd")
        for each in proxy or ():
            _check_proxy(each)
        proposal: Proposal | None = None
        if preset is not None or players is not None or setting:
            rules, name = rule_set(preset or USUAL_PRESET, players, setting or ())
            proposal = Proposal(name, rules)
        from heartsrules.apps.table.bots import LEVELS

        named_players = players_named(player or (), LEVELS)
        _check_database(database)
        with _listener(EVERYWHERE if lan else host or LOOPBACK, port, fd) as listener:
            address: str = listener.getsockname()[0]
            number: int = listener.getsockname()[1]
            here = _page(_HERE.get(address, address), number)
            in_network = [_page(each, number) for each in lan_addresses()] if lan else []
            if lan and not in_network:
                _fail("this machine has no address in a network: connect it to one, or leave --lan out", 1)
            named = tuple(public_host or ())
            usual = (LOOPBACK, _LOCALHOST) if lan else Settings(database).hosts
            hosts = tuple(dict.fromkeys((*usual, *named, *[_host(page) for page in (here, *in_network)])))
            settings = Settings(
                database=database,
                pace=RoomPace().times(pace),
                hosts=hosts,
                reached_at=tuple(in_network),
                max_rooms=max_tables,
                keep_days=keep_days,
                request_rate=request_rate,
                request_burst=max(30, 10 * request_rate),
                players=named_players,
                proposal=proposal,
                seed=seed,
            )
            config = uvicorn.Config(
                make_app(settings),
                log_level="warning",
                access_log=False,
                ws="websockets-sansio",
                ws_max_size=4 * MAX_MESSAGE,
                ws_per_message_deflate=False,
                server_header=False,
                timeout_graceful_shutdown=2,
                proxy_headers=bool(proxy),
                forwarded_allow_ips=list(proxy or ()),
            )
            ways = f"{here} or {_page(_LOCALHOST, number)}" if lan else here
            typer.echo(f"Hearts tables at {ways} (stop with Ctrl-C)")
            for page in in_network:
                typer.echo(f"For everybody in your network: {page}")
            if in_network:
                print_code(qr_text(in_network[0]))
            elif address in _HERE:
                typer.echo(f"It answers to {', '.join(hosts)}, to no other name: --public-host adds one.")
            try:
                uvicorn.Server(config).run(sockets=[listener])
            except KeyboardInterrupt:
                typer.echo("Stopped. Every move is kept: start it again to go on.", err=True)
                raise typer.Exit(130) from None


def _page(address: str, port: int) -> str:
    """The address of the page."""
    return f"http://{_in_url(address)}:{port}/"


def _in_url(address: str) -> str:
    return f"[{address}]" if ":" in address else address


def _host(page: str) -> str:
    """The host of the address of a page, as a browser sends it."""
    return page.removeprefix("http://").rpartition(":")[0]


def print_code(code: str) -> None:
    """Print a QR code, where the terminal has its characters."""
    try:
        code.encode(sys.stdout.encoding or "ascii")
    except UnicodeError:
        return
    typer.echo(code)


def _listener(host: str, port: int, fd: int | None) -> socket:
    import socket

    try:
        if fd is not None:
            listener = socket.socket(fileno=fd)
            if listener.family in (socket.AF_INET, socket.AF_INET6) and listener.type is socket.SOCK_STREAM:
                return listener
            listener.close()
            raise OSError("it is not a TCP socket")
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        return socket.create_server((host, port), family=family, backlog=1024)
    except OSError as error:
        where = f"the socket {fd}" if fd is not None else f"{host[:100]!r}, port {port},"
        _fail(f"{where} cannot be listened on: {error.strerror or error}", 1)


def _check_proxy(address: str) -> None:
    """Check the address of a proxy: an address that nothing can have would be taken, and nobody believed."""
    import ipaddress

    try:
        ipaddress.ip_network(address)
    except ValueError as error:
        raise typer.BadParameter(f"{error}"[:200], param_hint="--proxy") from None


def _check_database(path: Path) -> None:
    """Check, before the server starts, that the moves can be kept, and that no other server keeps its own there."""
    import sqlite3

    from heartsrules.apps.table.store import DatabaseInUse, lock_database

    try:
        lock_database(path).close()
        with closing(sqlite3.connect(path)) as connection:
            connection.execute("PRAGMA user_version")
            connection.execute("BEGIN IMMEDIATE")
    except DatabaseInUse as error:
        raise typer.BadParameter(str(error), param_hint="--database") from None
    except (sqlite3.Error, ValueError) as error:
        # A ValueError says that the path has a character that no path can have, such as NUL.
        raise typer.BadParameter(f"{str(path)[:200]!r}: {error}", param_hint="--database") from None


def _fail(message: str, code: int) -> NoReturn:
    typer.echo(f"Error: {message}", err=True)
    raise typer.Exit(code)
