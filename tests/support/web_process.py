"""The server as a process of its own, which can be killed and started again at the same address.

`python -m support.web_process DESCRIPTOR` is a process that has imported everything and forks servers, so that they
start at once. It is told on a socket what to start and what to kill.
"""

from __future__ import annotations

import io
import json
import os
import signal
import socket
import subprocess
import sys
import tempfile
import traceback
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr, suppress
from pathlib import Path
from typing import Any, NoReturn

import attrs

from support.commands import heed_interrupts

__all__ = ["Nursery", "Server", "nursery", "served"]

MESSAGE = 65536


@attrs.define
class Nursery:
    """The client of that process."""

    channel: socket.socket

    def start(self, arguments: list[str], listener: int, hurry: float = 1) -> tuple[int, str]:
        """Start the command `heartsrules` with a listening socket, which is `--fd`: its number, and its first line.

        Its clock goes `hurry` times as fast.
        """
        reading, writing = os.pipe()
        with os.fdopen(reading, encoding="utf-8") as output:
            try:
                pid = int(self._ask({"start": arguments, "hurry": hurry}, [listener, writing]))
            finally:
                os.close(writing)
            return pid, output.readline()

    def kill(self, pid: int) -> None:
        """Kill what was started, without giving it any time to write something."""
        self._ask({"kill": pid}, [])

    def _ask(self, message: dict[str, Any], descriptors: list[int]) -> str:
        socket.send_fds(self.channel, [json.dumps(message).encode()], descriptors)
        return self.channel.recv(MESSAGE).decode()


@contextmanager
def nursery() -> Iterator[Nursery]:
    """A process that starts servers; those that are left end with it."""
    ours, theirs = socket.socketpair()
    with ours:
        with theirs:
            command = [sys.executable, "-m", "support.web_process", str(theirs.fileno())]
            # Python looks for this module where pytest does.
            path = os.pathsep.join([str(Path(__file__).parents[1]), *filter(None, [os.environ.get("PYTHONPATH")])])
            environ = {**os.environ, "PYTHONPATH": path}
            process = subprocess.Popen(command, pass_fds=(theirs.fileno(),), env=environ)
        try:
            yield Nursery(ours)
        finally:
            ours.close()
            process.wait()


def _serve(arguments: list[str], hurry: float, listener: int, output: int) -> NoReturn:
    from heartsrules.__main__ import main
    from heartsrules.apps.table import clock

    now, call_at = clock.Clock.now, clock.Clock.call_at
    clock.Clock.now = lambda self: hurry * now(self)  # type: ignore[method-assign]
    clock.Clock.call_at = lambda self, when, callback: call_at(  # type: ignore[method-assign]
        self, self.now() + (when - self.now()) / hurry, callback
    )
    os.dup2(output, sys.stdout.fileno())
    os.close(output)
    sys.argv = ["heartsrules", *arguments, "--fd", str(listener)]
    code: Any = 1
    try:
        main()
    except SystemExit as ended:
        code = ended.code
    except BaseException:
        traceback.print_exc()
    finally:
        os._exit(code if isinstance(code, int) else 1)


def _main(channel: socket.socket) -> None:
    import uvicorn.protocols.http.h11_impl
    import uvicorn.protocols.websockets.websockets_sansio_impl  # noqa: F401

    from heartsrules.apps.command_line import app
    from heartsrules.apps.table.app import make_app
    from heartsrules.apps.table.settings import Settings

    # What a server imports and compresses is the same for all: each would take a second for it.
    with suppress(SystemExit), redirect_stderr(io.StringIO()):
        app(["table", "--port", "none"], prog_name="heartsrules")
    with tempfile.TemporaryDirectory() as folder:
        make_app(Settings(database=Path(folder) / "tables.sqlite3"))
    children: set[int] = set()

    def kill(pid: int) -> None:
        os.kill(pid, signal.SIGKILL)
        os.waitpid(pid, 0)
        children.discard(pid)

    while True:
        data, descriptors, _, _ = socket.recv_fds(channel, MESSAGE, 2)
        if not data:
            break
        message = json.loads(data)
        if "kill" in message:
            kill(message["kill"])
            channel.send(b"0")
            continue
        pid = os.fork()
        if not pid:
            channel.close()
            _serve(message["start"], message["hurry"], *descriptors)
        children.add(pid)
        for descriptor in descriptors:
            os.close(descriptor)
        channel.send(str(pid).encode())
    for pid in list(children):
        kill(pid)


@attrs.define
class Server:
    """A server on a free port. The port is this process's own, so that it stays the same when the server is restarted:
    who connects meanwhile waits."""

    listener: socket.socket
    database: Path
    options: tuple[str, ...]
    nursery: Nursery | None = None
    """What starts it; None: it is a process of this one."""
    hurry: float = 1
    """How fast the clock of a server from the nursery goes."""
    process: subprocess.Popen[str] | None = None
    forked: int | None = None

    @property
    def address(self) -> str:
        """Host and port."""
        host, port = self.listener.getsockname()
        return f"{host}:{port}"

    @property
    def url(self) -> str:
        """The address of the page."""
        return f"http://{self.address}/"

    def start(self) -> None:
        """Start the server."""
        descriptor = self.listener.fileno()
        arguments = ["table", "--database", str(self.database), *self.options]
        if self.nursery is not None:
            self.forked, line = self.nursery.start(arguments, descriptor, self.hurry)
            assert self.url in line
            return
        command = [sys.executable, "-m", "heartsrules", *arguments, "--fd", str(descriptor)]
        self.process = subprocess.Popen(
            command, pass_fds=(descriptor,), stdout=subprocess.PIPE, text=True, preexec_fn=heed_interrupts
        )
        assert self.process.stdout is not None
        assert self.url in self.process.stdout.readline()

    def kill(self) -> None:
        """Kill the server, without giving it any time to write something."""
        if self.nursery is not None and self.forked is not None:
            self.nursery.kill(self.forked)
            self.forked = None
        if self.process is not None:
            self.process.kill()
            self.process.communicate()
            self.process = None


@contextmanager
def served(directory: Path, *options: str, nursery: Nursery | None = None, hurry: float = 1) -> Iterator[Server]:
    """A server that has been started; by default it does not wait, and draws all chance from a seed. With a nursery it
    starts sooner."""
    with socket.create_server(("127.0.0.1", 0), backlog=64) as listener:
        chosen = ("--pace", "0", "--seed", "tests", "--request-rate", "100", *options)
        server = Server(listener, directory / "tables.sqlite3", chosen, nursery, hurry)
        server.start()
        try:
            yield server
        finally:
            server.kill()


if __name__ == "__main__":
    _main(socket.socket(fileno=int(sys.argv[1])))
