"""`heartsrules table`: tables where people play in their browsers."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from contextlib import closing
from math import isnan
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

import attrs
import typer

from heartsrules.apps.command_line import options as O
from heartsrules.apps.command_line.messages import extras_needed, fail, reason_of, wrong_use
from heartsrules.apps.command_line.options import argument, flag
from heartsrules.apps.command_line.players import players_named, playouts_of
from heartsrules.apps.command_line.serve import listening
from heartsrules.apps.completion import presets_that_begin
from heartsrules.apps.terminal.streams import has_symbols

if TYPE_CHECKING:
    from heartsrules.apps.table.settings import Proposal, Settings

LOOPBACK: Final = "127.0.0.1"
_LOCALHOST: Final = "localhost"
EVERYWHERE: Final = "0.0.0.0"
"""The address to listen on every interface of IPv4."""
_HERE: Final = {EVERYWHERE: LOOPBACK, "::": "::1"}
"""The loopback address, by the address that stands for every interface."""
_SLOWEST: Final = 100
"""The greatest pace: bots wait for more than a minute before each card."""
_LONGEST: Final = 36_500
"""The most days that tables are kept: 100 years."""

_PING_SECONDS: Final = 15.0
"""Seconds between pings to a page, and until a page that does not answer one is away."""


@attrs.frozen(kw_only=True)
class AddressOptions:
    """Where the server listens, and to what names it answers."""

    lan: Annotated[bool, flag("--lan", "Let everybody in your network play: print the address for their phones.")] = (
        False
    )
    host: Annotated[
        str | None, flag("--host ADDRESS", "The address to listen on; this machine only, if not given.")
    ] = None
    port: Annotated[int, flag("--port N", "The port to listen on; 0: a free one.", min=0, max=65535)] = 8000
    fd: Annotated[int | None, flag("--fd N", "Listen on this inherited socket instead.", min=0)] = None
    public_host: Annotated[
        list[str] | None, flag("--public-host NAME", "A name by which browsers may address it. Repeatable.")
    ] = None
    proxy: Annotated[
        list[str] | None,
        flag(
            "--proxy ADDRESS", "A web server in front of this one, which is believed who its visitors are. Repeatable."
        ),
    ] = None


def _number(value: float) -> float:
    """Refuse nan, which lies within any bounds."""
    if isnan(value):
        raise typer.BadParameter("nan is not a number: give one")
    return value


@attrs.frozen(kw_only=True)
class TableOptions:
    """How tables are run and kept."""

    database: Annotated[Path, flag("--database FILE", "Where the moves are kept; it is made if there is none.")] = Path(
        "tables.sqlite3"
    )
    pace: Annotated[
        float, flag("--pace FACTOR", "How slow bots and deals are; 0: at once.", min=0, max=_SLOWEST, callback=_number)
    ] = 1
    max_tables: Annotated[int, flag("--max-tables N", "How many tables may be in play at once.", min=1)] = 1000
    keep_days: Annotated[
        float,
        flag(
            "--keep-days N",
            "How long tables are kept where nothing happens; after a match, 7 days at most.",
            min=0,
            max=_LONGEST,
            callback=_number,
        ),
    ] = 30
    request_rate: Annotated[
        float,
        flag(
            "--request-rate N",
            "Tables and seats that an address may take a second; 0: no limit.",
            min=0,
            callback=_number,
        ),
    ] = 1
    player: Annotated[
        list[str] | None,
        flag(
            "--player NAME=BOT",
            "A player that hosts can choose too, such as 'NAME=external:COMMAND', which is a program, or "
            "NAME=sampling:400. Repeatable.",
        ),
    ] = None
    playouts: O.PlayoutsOption = O.PLAYOUTS
    seed: Annotated[
        str | None, flag("--seed TEXT", "Draw deals and bots from this seed. For tests: players could know it.")
    ] = None


@attrs.frozen(kw_only=True)
class StaticOptions:
    """The page as files, in place of a server."""

    static: Annotated[
        Path | None,
        flag(
            "--static FOLDER",
            "Write the page into this folder, as files that play against bots without a server, and end.",
        ),
    ] = None
    pyodide: Annotated[
        Path | None,
        flag(
            "--pyodide FOLDER",
            "For --static: a folder with the npm package pyodide and the wheel of msgspec for it; npm and pip "
            "get them, if it is not given.",
        ),
    ] = None


def serve_tables(
    *,
    preset: Annotated[
        str | None,
        argument(
            "PRESET", f"What the form proposes; {O.USUAL_PRESET} if not given.", autocompletion=presets_that_begin
        ),
    ] = None,
    rule_set: O.RuleSetOptions,
    address: AddressOptions,
    tables: TableOptions,
    static: StaticOptions,
) -> None:
    """Serve tables where people play in their browsers.

    Open a table on the page that it serves, with any rules, and send the others the link. Only browsers of this
    machine reach it; with --lan all in your network do, phones too. Every move is kept before anybody is told of
    it. Ctrl-C stops the server; started again with the same database, it goes on with the games. With --static it
    writes files that need no server, and ends. It needs the extra `web`.
    """
    with extras_needed():
        from heartsrules.apps.table.addresses import lan_addresses, qr_text
        from heartsrules.apps.table.app import make_app
        from heartsrules.apps.web_server import web_server
    proposal = _proposal(preset, rule_set)
    if static.static is not None:
        _write_page(static.static, static.pyodide, proposal)
        return
    _check_address(address)
    settings = _settings(tables, proposal)
    host = EVERYWHERE if address.lan else address.host or LOOPBACK
    with listening(host, address.port, address.fd) as listener:
        bound: str = listener.getsockname()[0]
        port: int = listener.getsockname()[1]
        here = _page(_HERE.get(bound, bound), port)
        in_network = [_page(each, port) for each in lan_addresses()] if address.lan else []
        if address.lan and not in_network:
            fail("this machine has no address in a network: connect it to one, or leave --lan out", 1)
        usual = (LOOPBACK, _LOCALHOST) if address.lan else settings.hosts
        names = (*usual, *(address.public_host or ()), *[_host(page) for page in (here, *in_network)])
        settings = attrs.evolve(settings, hosts=tuple(dict.fromkeys(names)), reached_at=tuple(in_network))
        server = web_server(make_app(settings), **_uvicorn_options(address.proxy or []))
        ways = f"{here} or {_page(_LOCALHOST, port)}" if address.lan else here
        typer.echo(f"Hearts tables at {ways} (stop with Ctrl-C)")
        for page in in_network:
            typer.echo(f"For everybody in your network: {page}")
        if in_network:
            print_code(qr_text(in_network[0]))
        elif bound in _HERE:
            typer.echo(f"It answers to {', '.join(settings.hosts)}, to no other name: --public-host adds one.")
        try:
            server.run(sockets=[listener])
        except KeyboardInterrupt:
            typer.echo("Stopped. Every move is kept: start it again to go on.", err=True)
            raise typer.Exit(130) from None


def _write_page(folder: Path, pyodide: Path | None, proposal: Proposal | None) -> None:
    from heartsrules.apps.table.static_site import CannotBuild, build_page

    if pyodide is not None and pyodide.resolve().is_relative_to(folder.resolve()):
        raise wrong_use("--pyodide", "it lies in the folder of --static, whose files are replaced: name another")
    try:
        sizes = build_page(folder, pyodide, proposal)
    except CannotBuild as error:
        fail(str(error), 1)
    except OSError as error:
        fail(reason_of(error), 1)
    typer.echo(
        f"{len(sizes)} files, {sum(sizes.values()) / 1e6:.1f} MB, in {folder}: any web server can give them out."
    )


def _check_address(address: AddressOptions) -> None:
    if address.lan and address.host is not None:
        raise wrong_use("--host", "--lan listens on every address: leave one of them out")
    if address.fd is not None and (address.lan or address.host is not None):
        other = "--lan" if address.lan else "--host"
        raise wrong_use("--fd", f"a socket has its own address: leave it or {other} out")
    for each in address.proxy or ():
        _check_proxy(each)


def _proposal(preset: str | None, rule_set: O.RuleSetOptions) -> Proposal | None:
    from heartsrules.apps.table.settings import Proposal

    if preset is None and not rule_set:
        return None
    rules, name = rule_set.apply_to(preset or O.USUAL_PRESET)
    return Proposal(name, rules)


def _settings(tables: TableOptions, proposal: Proposal | None) -> Settings:
    from heartsrules.apps.table.bots import LEVELS
    from heartsrules.apps.table.settings import RoomPace, Settings

    players = players_named(tables.player or (), LEVELS)
    _check_database(tables.database)
    return Settings(
        database=tables.database,
        pace=RoomPace().times(tables.pace),
        max_rooms=tables.max_tables,
        keep_days=tables.keep_days,
        request_rate=tables.request_rate,
        request_burst=max(30, 10 * tables.request_rate),
        players=players,
        policy=playouts_of(tables.playouts),
        proposal=proposal,
        seed=tables.seed,
    )


def _uvicorn_options(proxies: Sequence[str]) -> dict[str, Any]:
    from heartsrules.apps.table.messages import MAX_MESSAGE

    return {
        "ws": "websockets-sansio",
        "ws_max_size": 4 * MAX_MESSAGE,
        "ws_ping_interval": _PING_SECONDS,
        "ws_ping_timeout": _PING_SECONDS,
        "timeout_graceful_shutdown": 2,
        "proxy_headers": bool(proxies),
        "forwarded_allow_ips": list(proxies),
    }


def _page(address: str, port: int) -> str:
    """The URL of the page."""
    return f"http://[{address}]:{port}/" if ":" in address else f"http://{address}:{port}/"


def _host(page: str) -> str:
    """The host in the URL of a page, as browsers send it."""
    return page.removeprefix("http://").rpartition(":")[0]


def print_code(code: str) -> None:
    """Print a QR code, if the encoding of the terminal has its characters."""
    if has_symbols(sys.stdout, code):
        typer.echo(code)


def _check_proxy(address: str) -> None:
    """Check the address of a proxy: uvicorn ignores one that is malformed."""
    import ipaddress

    try:
        ipaddress.ip_network(address)
    except ValueError as error:
        raise wrong_use("--proxy", f"{error}"[:200]) from None


def _check_database(path: Path) -> None:
    """Check, before the server starts, that the moves can be kept, and that no other server keeps its own there."""
    import sqlite3

    from heartsrules.apps.table.store import DatabaseInUse, check_version, lock_database

    try:
        lock_database(path).close()
        with closing(sqlite3.connect(path)) as connection:
            check_version(connection)
            connection.execute("BEGIN IMMEDIATE")
    except DatabaseInUse as error:
        raise wrong_use("--database", str(error)) from None
    except (sqlite3.Error, ValueError) as error:
        # A ValueError says that the path has a character that no path can have, such as NUL.
        raise wrong_use("--database", f"{str(path)[:200]!r}: {error}") from None
