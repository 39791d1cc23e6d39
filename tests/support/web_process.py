"""The server as a process of its own, which can be killed and started again at the same address."""

from __future__ import annotations

import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import attrs

from support.commands import heed_interrupts
from support.web_nursery import Nursery


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
