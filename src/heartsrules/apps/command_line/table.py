"""`heartsrules table`, which serves tables for play in browsers."""

from __future__ import annotations

import ipaddress
import sys
from collections.abc import Sequence
from contextlib import closing
from math import isnan
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

import attrs
import typer

from heartsrules.apps.command_line import options as O
from heartsrules.apps.command_line.messages import fail, reason_of, values_refused, wrong_use
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
_HERE: Final = {EVERYWHERE: LOOPBACK, "::": "::1"}
"""The loopback address for each address of all interfaces."""
_SLOWEST: Final = 100
"""The greatest pace, with more than a minute before each card of a bot."""
_LONGEST: Final = 36_500
"""The limit on days for saving tables, 100 years."""

_PING_SECONDS: Final = 15.0
"""Seconds between pings to a page, and until a page that does not answer one is away."""


@attrs.frozen(kw_only=True)
class AddressOptions:
    lan: Annotated[bool, flag("--lan", "Let all devices in your network play, and print the address for phones.")] = (
        False
    )
    host: O.HostOption = None
    port: Annotated[int, flag("--port N", "The port to listen on; 0 is any free one.", min=0, max=65535)] = 8000
    fd: O.SocketOption = None
    public_host: Annotated[
        list[str] | None, flag("--public-host NAME", "A name for this server in browsers. Repeatable.")
    ] = None
    proxy: Annotated[
        list[str] | None,
        flag("--proxy ADDRESS", "A web server in front of this one, trusted to name its visitors. Repeatable."),
    ] = None


def _number(value: float) -> float:
    if isnan(value):
        raise typer.BadParameter("nan is not a number")
    return value


@attrs.frozen(kw_only=True)
class TableOptions:
    database: Annotated[Path, flag("--database FILE", "The file for the moves, created if needed.")] = Path(
        "tables.sqlite3"
    )
    pace: Annotated[
        float,
        flag(
            "--pace FACTOR",
            "The delay of bots and deals as a factor; 0 is none.",
            min=0,
            max=_SLOWEST,
            callback=_number,
        ),
    ] = 1
    max_tables: Annotated[int, flag("--max-tables N", "The maximum number of tables in play.", min=1)] = 1000
    keep_days: Annotated[
        float,
        flag(
            "--keep-days N",
            "The days without activity after which tables are deleted, at most 7 after a match.",
            min=0,
            max=_LONGEST,
            callback=_number,
        ),
    ] = 30
    request_rate: Annotated[
        float,
        flag(
            "--request-rate N",
            "The maximum number of tables and seats that an address can take per second; 0 is no limit.",
            min=0,
            callback=_number,
        ),
    ] = 1
    player: O.PlayerOption = None
    playouts: O.PlayoutsOption = O.PLAYOUTS
    seed: Annotated[
        str | None, flag("--seed TEXT", "The seed of deals and bots, only for tests, because players could know it.")
    ] = None


@attrs.frozen(kw_only=True)
class StaticOptions:
    """Options for writing the page as files instead of serving it."""

    static: Annotated[
        Path | None,
        flag(
            "--static FOLDER",
            "Write the page to this folder as files that play against bots without a server, and end.",
        ),
    ] = None
    pyodide: Annotated[
        Path | None,
        flag(
            "--pyodide FOLDER",
            "For --static: a folder with the npm package pyodide and its wheel of msgspec.  [default: fetched with npm "
            "and pip]",
        ),
    ] = None


def serve_tables(
    *,
    preset: Annotated[
        str | None,
        argument(
            "PRESET", f"The form's initial choice.  [default: {O.USUAL_PRESET}]", autocompletion=presets_that_begin
        ),
    ] = None,
    rule_set: O.RuleSetOptions,
    address: AddressOptions,
    tables: TableOptions,
    static: StaticOptions,
) -> None:
    """Serve tables where people play in their browsers.

    Open a table on the page, with any rules, and send the link to the others. Only browsers of this machine reach it;
    with --lan all devices in your network do. Every move is saved before it is shown. Ctrl-C stops the server; started
    again with the same database, it resumes the games. With --static it writes files that need no server, and ends. It
    needs the extra `web`.
    """
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
            fail("this machine has no network address; connect it to a network, or omit --lan", 1)
        usual = (LOOPBACK, _LOCALHOST) if address.lan else settings.hosts
        names = (*usual, *(address.public_host or ()), *[_host(page) for page in (here, *in_network)])
        settings = attrs.evolve(settings, hosts=tuple(dict.fromkeys(names)), reached_at=tuple(in_network))
        server = web_server(make_app(settings), **_uvicorn_options(address.proxy or []))
        ways = f"{here} or {_page(_LOCALHOST, port)}" if address.lan else here
        typer.echo(f"Hearts tables at {ways} (stop with Ctrl-C)")
        for page in in_network:
            typer.echo(f"For everyone in your network: {page}")
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
        raise wrong_use("--pyodide", "it is in the folder of --static, whose files are replaced; choose another one")
    try:
        sizes = build_page(folder, pyodide, proposal)
    except CannotBuild as error:
        fail(str(error), 1)
    except OSError as error:
        fail(reason_of(error), 1)
    typer.echo(f"{len(sizes)} files, {sum(sizes.values()) / 1e6:.1f} MB, in {folder}, for any web server.")


def _check_address(address: AddressOptions) -> None:
    if address.lan and address.host is not None:
        raise wrong_use("--host", "--lan listens on every address; omit one of them")
    if address.fd is not None and (address.lan or address.host is not None):
        other = "--lan" if address.lan else "--host"
        raise wrong_use("--fd", f"the socket has its own address; omit it or {other}")
    for each in address.proxy or ():
        with values_refused("--proxy"):
            ipaddress.ip_network(each)


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
    return f"http://[{address}]:{port}/" if ":" in address else f"http://{address}:{port}/"


def _host(page: str) -> str:
    return page.removeprefix("http://").rpartition(":")[0]


def print_code(code: str) -> None:
    """Print a QR code, if the terminal's encoding has its characters."""
    if has_symbols(sys.stdout, code):
        typer.echo(code)


def _check_database(path: Path) -> None:
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
        # A ValueError means an impossible character in the path, such as NUL.
        raise wrong_use("--database", f"{str(path)[:200]!r}: {error}") from None
