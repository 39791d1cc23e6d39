"""A host of static files, which can be stopped."""

from __future__ import annotations

import functools
import http.server
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import attrs

__all__ = ["Host", "hosted_files"]


class _Files(http.server.SimpleHTTPRequestHandler):
    """Gives out files, and says nothing."""

    def guess_type(self, path: Any) -> str:
        """Return the type of a file, whatever this machine calls those of programs."""
        types = {".mjs": "text/javascript", ".wasm": "application/wasm"}
        return types.get(Path(path).suffix) or super().guess_type(path)

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - the name is the library's
        """Say nothing."""


@attrs.define
class Host:
    """A host that gives out the files of a folder."""

    server: http.server.ThreadingHTTPServer
    thread: threading.Thread

    @property
    def url(self) -> str:
        """The address of the folder."""
        return f"http://127.0.0.1:{self.server.server_port}/"

    def stop(self) -> None:
        """Give out nothing any more."""
        if self.thread.is_alive():
            self.server.shutdown()
            self.server.server_close()
            self.thread.join()


@contextmanager
def hosted_files(folder: Path) -> Iterator[Host]:
    """Give out the files of a folder, unless the host is stopped before."""
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(_Files, directory=str(folder)))
    host = Host(server, threading.Thread(target=server.serve_forever))
    host.thread.start()
    try:
        yield host
    finally:
        host.stop()
