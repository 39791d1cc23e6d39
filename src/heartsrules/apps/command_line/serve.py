"""`heartsrules serve`: the rules for apps in other languages."""

from __future__ import annotations

import signal
import socket
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, Any

import typer

from heartsrules.apps.command_line.messages import fail
from heartsrules.apps.serve import printed as text_of
from heartsrules.base.extras import MissingExtra

if TYPE_CHECKING:
    from heartsrules.apps.serve.answering import Limits


class Printed(StrEnum):
    """The texts that `--print` prints."""

    OPENAPI = "openapi"
    CLIENT = "client"
    JAVASCRIPT = "javascript"


def serve_rules(
    stdio: Annotated[
        bool, typer.Option("--stdio", help="Answer lines of JSON on standard input, in place of HTTP.")
    ] = False,
    port: Annotated[
        int | None,
        typer.Option(
            "--port", metavar="N", min=0, max=65535, help="The port for HTTP; 0: a free one.  [default: 8001]"
        ),
    ] = None,
    fd: Annotated[
        int | None, typer.Option("--fd", metavar="N", min=0, help="Listen on this inherited socket instead.")
    ] = None,
    max_bytes: Annotated[
        int | None,
        typer.Option("--max-bytes", metavar="N", help="The most bytes of a request; 1 MiB if not given."),
    ] = None,
    seconds: Annotated[
        float | None,
        typer.Option(
            "--seconds",
            metavar="S",
            help="The most processor time for a request; 0: no limit.  [default: 2]",
        ),
    ] = None,
    rate: Annotated[
        float | None,
        typer.Option("--rate", metavar="N", min=0, help="The most requests a second over HTTP.  [default: no limit]"),
    ] = None,
    waiting: Annotated[
        int | None,
        typer.Option("--waiting", metavar="N", min=1, help="The most HTTP requests at once.  [default: 256]"),
    ] = None,
    printed: Annotated[
        Printed | None,
        typer.Option(
            "--print", help="Print the description for programs, or the client in TypeScript or in JavaScript."
        ),
    ] = None,
) -> None:
    """Serve the rules to apps in other languages.

    Requests come over HTTP or standard input. Whole states travel, with every hand: it is for your own backend,
    listens to this machine only, and sends no CORS header. Ctrl-C or SIGTERM ends it. HTTP needs the extra `web`.
    """
    if printed is not None:
        try:
            typer.echo(text_of(printed), nl=False)
        except MissingExtra as missing:
            fail(str(missing), 2)
        return
    http = {"--port": port, "--fd": fd, "--rate": rate, "--waiting": waiting}
    given = [name for name, value in http.items() if value is not None]
    if stdio and given:
        raise typer.BadParameter("it is for HTTP: leave it or --stdio out", param_hint=given[0])
    limits = _limits(max_bytes, seconds)
    if stdio:
        from heartsrules.apps.serve.lines import serve_lines

        serve_lines(limits)
    else:
        _serve_http(limits, 8001 if port is None else port, fd, rate, waiting)


def _limits(max_bytes: int | None, seconds: float | None) -> Limits:
    try:
        from heartsrules.apps.serve.answering import asked_limits
    except MissingExtra as missing:
        fail(str(missing), 2)
    try:
        return asked_limits(max_bytes, seconds)
    except ValueError as error:
        raise typer.BadParameter(str(error)) from None


def _serve_http(limits: Limits, port: int, fd: int | None, rate: float | None, waiting: int | None) -> None:
    try:
        from heartsrules.apps.serve import Service
        from heartsrules.apps.serve.http import HttpApp, HttpLimits
        from heartsrules.apps.serve.http_server import http_server
        from heartsrules.apps.serve.timing import Timer
    except MissingExtra as missing:
        fail(f"{missing}, or use --stdio", 2)
    given: dict[str, Any] = {"rate": rate, "waiting": waiting}
    http_limits = HttpLimits(**{name: value for name, value in given.items() if value is not None})
    with _listening(port, fd) as listener, Timer(limits.seconds) as timer:
        server = http_server(HttpApp(Service(limits, timer=timer), http_limits))
        address, number = listener.getsockname()[:2]
        typer.echo(f"Answering at http://{address}:{number}/v1/ (stop with Ctrl-C)")
        # uvicorn shuts down gracefully, and then raises the signal again for the handler before its own.
        before = signal.signal(signal.SIGTERM, lambda *_: None)
        try:
            server.run(sockets=[listener])
        except KeyboardInterrupt:
            raise typer.Exit(130) from None
        finally:
            signal.signal(signal.SIGTERM, before)


def _listening(port: int, fd: int | None) -> socket.socket:
    try:
        if fd is not None:
            return socket.socket(fileno=fd)
        # Made from its number, its protocol is TCP, and asyncio turns off Nagle's algorithm, which would delay answers.
        return socket.socket(fileno=socket.create_server(("127.0.0.1", port), backlog=1024).detach())
    except OSError as error:
        where = f"the socket {fd}" if fd is not None else f"port {port}"
        fail(f"{where} cannot be listened on: {error.strerror or error}", 1)
