"""Failed requests. The server's own errors are logged once, refused, and end no table."""

from __future__ import annotations

import logging
import traceback
from typing import Final

from heartsrules.apps.table.messages import Refused
from heartsrules.apps.table.storage import StorageError

_log: Final = logging.getLogger("heartsrules.apps.table")


class Failures:
    """A server's failures.

    An unexpected error is logged with its traceback when a line of the program raises it for the first time. A failing
    request can be repeated endlessly, and must not fill the log.
    """

    def __init__(self) -> None:
        self._known: set[tuple[object, ...]] = set()

    def refusal_of(self, error: Exception, where: str) -> Refused:
        """Return the refusal for a failed request, and log every error that is not a refusal.

        Args:
            where: the beginning of the log line.
        """
        if isinstance(error, Refused):
            return error
        if isinstance(error, StorageError):
            _log.error("%s: the database cannot be used", where, exc_info=error)
            return Refused("unavailable", "the server cannot read or store anything now: try again")
        self.log(error, where)
        return Refused("internal", "an internal error occurred: try again")

    def log(self, error: Exception, where: str) -> None:
        last = traceback.extract_tb(error.__traceback__, limit=-1)
        kind = (type(error), *[(frame.filename, frame.name, frame.lineno) for frame in last])
        if kind not in self._known:
            self._known.add(kind)
            _log.error("%s: a mistake in the program; it is logged once", where, exc_info=error)
