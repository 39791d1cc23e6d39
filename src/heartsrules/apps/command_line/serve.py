"""`heartsrules serve`, the rules for apps in other languages."""

from __future__ import annotations

import ipaddress
import signal
import socket
from typing import TYPE_CHECKING, Annotated, Any, Final, Literal

import attrs
import typer

from heartsrules.apps.command_line.messages import fail, values_refused, wrong_use
from heartsrules.apps.command_line.options import HostOption, SocketOption, flag
from heartsrules.apps.serve.printing import printed as text_of
from heartsrules.base.extras import MissingExtra

if TYPE_CHECKING:
    from heartsrules.apps.serve.answering import Service

_KEEP_ALIVE_SECONDS: Final = 75
_SHUTDOWN_SECONDS: Final = 5


@attrs.frozen(kw_only=True)
class HttpOptions:
    host: HostOption = None
    allow_host: Annotated[
        list[str] | None, flag("--allow-host NAME", "A name for this server in other machines' Host headers.")
    ] = None
    port: Annotated[
        int | None, flag("--port N", "The port for HTTP; 0 is any free one.  [default: 8001]", min=0, max=65535)
    ] = None
    fd: SocketOption = None
    rate: Annotated[
        float | None, flag("--rate N", "The maximum number of HTTP requests per second.  [default: no limit]", min=0)
    ] = None
    waiting: Annotated[
        int | None, flag("--waiting N", "The maximum number of incomplete HTTP requests.  [default: 256]", min=1)
    ] = None


def serve_rules(
    *,
    stdio: Annotated[bool, flag("--stdio", "Answer lines of JSON on standard input instead of HTTP.")] = False,
    http: HttpOptions,
    max_bytes: Annotated[
        int | None, flag("--max-bytes N", "The maximum size of a request in bytes.  [default: 1 MiB]")
    ] = None,
    printed: Annotated[
        Literal["openapi", "client", "javascript", "declarations", "engine", "engine-javascript", "engine-declarations"]
        | None,
        flag(
            "--print WHAT",
            "Print the OpenAPI description (openapi); or the client in TypeScript (client), in JavaScript "
            "(javascript) or its types (declarations); or the engine: engine, engine-javascript, engine-declarations.",
        ),
    ] = None,
) -> None:
    """Serve the rules to apps in other languages.

    It takes requests over HTTP or standard input. They contain whole states with every hand, so it is for your own
    backend, listens to this machine only unless --host is given, and sends no CORS header. Ctrl-C or SIGTERM ends it.
    HTTP needs the extra `web`.
    """
    if printed is not None:
        try:
            typer.echo(text_of(printed), nl=False)
        except FileNotFoundError as error:
            fail(str(error), 1)
        return
    given = [name for name, value in attrs.asdict(http).items() if value is not None]
    if stdio and given:
        raise wrong_use(f"--{given[0].replace('_', '-')}", "this option is for HTTP; omit it or --stdio")
    from heartsrules.apps.serve.answering import Service

    with values_refused("--max-bytes"):
        service = Service() if max_bytes is None else Service(max_bytes=max_bytes)
    if stdio:
        from heartsrules.apps.serve.lines import serve_lines

        serve_lines(service)
    else:
        _check_hosts(http)
        _serve_http(service, http)


def _check_hosts(http: HttpOptions) -> None:
    """Refuse a public address without a host name for it, and the reverse."""
    is_local = http.host is None or _is_local(http.host)
    if http.host is not None and http.fd is not None:
        raise wrong_use("--host", "the socket of --fd has its own address; omit one of them")
    if not is_local and not http.allow_host:
        raise wrong_use(
            "--host", "other machines can reach this address; add their name for the server with --allow-host"
        )
    if http.allow_host and http.fd is None and is_local:
        raise wrong_use("--allow-host", "only this machine can reach the server; add --host, such as --host 0.0.0.0")


def _is_local(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host.lower() == "localhost"


def _serve_http(service: Service, http: HttpOptions) -> None:
    try:
        from heartsrules.apps.serve.http import HttpApp, HttpLimits
        from heartsrules.apps.web_server import web_server
    except MissingExtra as missing:
        fail(f"{missing}, or use --stdio", 2)
    given: dict[str, Any] = {"rate": http.rate, "waiting": http.waiting}
    http_limits = HttpLimits(**{name: value for name, value in given.items() if value is not None})
    with values_refused("--allow-host"):
        application = HttpApp(service, http_limits, hosts=http.allow_host or ())
    with listening(http.host or "127.0.0.1", 8001 if http.port is None else http.port, http.fd) as listener:
        server = web_server(
            application,
            ws="none",
            lifespan="off",
            proxy_headers=False,
            timeout_keep_alive=_KEEP_ALIVE_SECONDS,
            timeout_graceful_shutdown=_SHUTDOWN_SECONDS,
        )
        address, number = listener.getsockname()[:2]
        shown = f"[{address}]" if ":" in address else address
        typer.echo(f"Answering at http://{shown}:{number}/v1/ (stop with Ctrl-C)")
        # After its graceful shutdown, uvicorn raises the signal again for the previous handler.
        before = signal.signal(signal.SIGTERM, lambda *_: None)
        try:
            server.run(sockets=[listener])
        except KeyboardInterrupt:
            raise typer.Exit(130) from None
        finally:
            signal.signal(signal.SIGTERM, before)


def listening(host: str, port: int, fd: int | None) -> socket.socket:
    """Return a socket that listens on an address, or an inherited one."""
    try:
        if fd is not None:
            listener = socket.socket(fileno=fd)
            if listener.family in (socket.AF_INET, socket.AF_INET6) and listener.type is socket.SOCK_STREAM:
                return listener
            listener.close()
            raise OSError("it is not a TCP socket")
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        # From its number, asyncio recognizes TCP and turns off Nagle's algorithm, which would delay answers.
        return socket.socket(fileno=socket.create_server((host, port), family=family, backlog=1024).detach())
    except OSError as error:
        where = f"the socket {fd}" if fd is not None else f"{host[:100]!r}, port {port},"
        fail(f"{where} cannot be listened on: {error.strerror or error}", 1)
