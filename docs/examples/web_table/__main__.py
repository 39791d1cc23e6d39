"""Start the server: `python docs/examples/web_table`, or `python -m web_table` in the directory around it."""

from __future__ import annotations

import argparse
import socket
import sys
from pathlib import Path

if not __package__:
    # Started by the name of the directory, which then stands in the path itself instead of the one around it.
    sys.path[0] = str(Path(__file__).resolve().parent.parent)

try:
    import msgspec  # noqa: F401
    import starlette  # noqa: F401
    import uvicorn
except ImportError as missing:
    raise SystemExit(f"{missing.name} is missing: `pip install 'heartsrules[web]'` installs what is needed") from None

from web_table.app import make_app
from web_table.messages import MAX_MESSAGE
from web_table.rooms import Pace, Settings


def parsed(arguments: list[str] | None = None) -> argparse.Namespace:
    """The options of the command line."""
    parser = argparse.ArgumentParser(prog="web_table", description="Serve Hearts tables for browsers.")
    parser.add_argument("--host", default="127.0.0.1", help="the address to listen on (default: this machine only)")
    parser.add_argument("--port", type=int, default=8000, help="the port to listen on; 0: a free one (default 8000)")
    parser.add_argument("--fd", type=int, help="listen on this inherited socket instead")
    parser.add_argument("--database", type=Path, default=Path("tables.sqlite3"), help="where the moves are kept")
    parser.add_argument("--public-host", action="append", default=[], help="a name by which browsers may address it")
    parser.add_argument("--pace", type=float, default=1, help="how slow bots and deals are (default 1; 0: at once)")
    parser.add_argument("--max-tables", type=int, default=1000, help="how many tables may be played at at once")
    parser.add_argument("--request-rate", type=float, default=1, help="tables and seats an address may take a second")
    parser.add_argument("--seed", help="draw deals and bots from this seed (for tests: players could know it)")
    return parser.parse_args(arguments)


def main() -> None:
    """Serve until interrupted."""
    options = parsed()
    settings = Settings(
        database=options.database,
        pace=Pace().times(options.pace),
        hosts=(*Settings(options.database).hosts, *options.public_host),
        max_rooms=options.max_tables,
        request_rate=options.request_rate,
        request_burst=max(30, 10 * options.request_rate),
        seed=options.seed,
    )
    if options.fd is None:
        listener = socket.create_server((options.host, options.port), backlog=1024)
    else:
        listener = socket.socket(fileno=options.fd)
    host, port = listener.getsockname()[:2]
    print(f"Hearts tables at http://{host}:{port}/ (stop with Ctrl+C)", flush=True)
    config = uvicorn.Config(
        make_app(settings),
        log_level="warning",
        access_log=False,
        ws="websockets-sansio",
        ws_max_size=4 * MAX_MESSAGE,
        ws_per_message_deflate=False,
        server_header=False,
        timeout_graceful_shutdown=2,
    )
    uvicorn.Server(config).run(sockets=[listener])


if __name__ == "__main__":
    main()
