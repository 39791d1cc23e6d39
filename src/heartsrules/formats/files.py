"""Files that one process at a time changes and replaces in one step."""

from __future__ import annotations

import contextlib
import errno
import os
import re
import shutil
import stat
import sys
from collections.abc import Iterator
from pathlib import Path
from types import TracebackType
from typing import IO, Any, Final
from weakref import WeakSet

if sys.platform == "win32":
    import msvcrt
else:
    import fcntl

_UNSUPPORTED: Final = (errno.ENOLCK, errno.ENOSYS, errno.EOPNOTSUPP)
_FAR: Final = 2**31 - 2
"""The byte that is locked on Windows, beyond the data.

Other processes cannot read or write a locked byte there."""


class FileInUse(OSError):
    """Another process has locked a file."""

    def __init__(self, path: Path) -> None:
        super().__init__(errno.EAGAIN, "Another process uses this file", str(path))

    def __reduce__(self) -> tuple[Any, ...]:
        return FileInUse, (Path(self.filename),)


@contextlib.contextmanager
def naming(path: Path) -> Iterator[None]:
    """Add a file's name to system errors in a block."""
    try:
        yield
    except FileInUse:
        raise
    except OSError as error:
        if error.errno is None:
            raise
        raise OSError(error.errno, error.strerror, str(path)) from None


def check_regular(mode: int) -> None:
    """Raise an `OSError` unless the mode is a regular file's."""
    if stat.S_ISDIR(mode):
        raise OSError(errno.EISDIR, os.strerror(errno.EISDIR))
    if not stat.S_ISREG(mode):
        raise OSError(errno.EINVAL, "Not a regular file")


_SCHEME: Final = re.compile(r"([A-Za-z][A-Za-z0-9+.-]+):[/\\\\]+")
"""The beginning of a URL."""

_LONGEST_ADDRESS: Final = 300


def check_local(name: str, path: Path) -> None:
    """Raise a `ValueError` if a path is a URL such as `s3://bucket/games.gz`.

    The message calls the path by this name.
    """
    found = _SCHEME.match(str(path))
    if found:
        address = repr(f"{found[1]}://{str(path)[found.end() :]}")[:_LONGEST_ADDRESS]
        raise ValueError(f"{name} is the address {address}: choose a path of the file system, and copy the file there")


def same_file(one: Path, other: Path) -> bool:
    """Return True if two paths lead to one regular file, or would if it existed.

    Names that differ only in case count as one, as on some systems.
    """
    try:
        paths = [Path(os.path.realpath(path)) for path in (one, other)]
        if not all([stat.S_ISREG(path.stat().st_mode) for path in paths if path.exists()]):
            return False
        return str(paths[0]).casefold() == str(paths[1]).casefold() or paths[0].samefile(paths[1])
    except (OSError, ValueError):
        return False


_locked: Final[WeakSet[IO[Any]]] = WeakSet()


def lock(file: IO[Any], path: Path) -> None:
    """Lock an open file until it is closed or this process ends, however it ends.

    This does nothing on a file system without locks.

    Raises:
        FileInUse: the file is locked by another process, or through another opening in this process.
        OSError: it cannot be locked.
    """
    try:
        if sys.platform == "win32":
            at = os.lseek(file.fileno(), 0, os.SEEK_CUR)
            os.lseek(file.fileno(), _FAR, os.SEEK_SET)
            try:
                msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
            finally:
                os.lseek(file.fileno(), at, os.SEEK_SET)
        else:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        if error.errno in (errno.EACCES, errno.EAGAIN, errno.EDEADLK):
            raise FileInUse(path) from None
        if error.errno not in _UNSUPPORTED:
            raise
    else:
        _locked.add(file)


def _leave_locks() -> None:
    """Close the files that the parent has locked, in a forked process."""
    # It would otherwise keep their locks after its parent ends.
    null = os.open(os.devnull, os.O_RDWR)
    for file in [file for file in _locked if not file.closed]:
        os.dup2(null, file.fileno(), inheritable=False)
    os.close(null)
    _locked.clear()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_leave_locks)


class LockedFile:
    """A context manager for a file that no other process uses until it is closed.

    The lock is on an empty hidden file next to it. If the process is killed, that file stays and the next process takes
    it over.
    """

    def __init__(self, path: Path) -> None:
        """Lock a file, which does not have to exist.

        Raises:
            FileInUse: another process uses it.
            OSError: it is not a regular file, or its folder cannot be written.
        """
        with naming(path):
            with contextlib.suppress(FileNotFoundError):
                check_regular(path.stat().st_mode)
            self.path: Final = Path(os.path.realpath(path))
            self._beside: Final = self.path.with_name(f".{self.path.name}.lock")
            self._lock: Final = self._taken(path)

    def _taken(self, path: Path) -> IO[bytes]:
        while True:
            file = self._beside.open("ab")
            try:
                lock(file, path)
                if self._is_there(file):
                    return file
            except BaseException:
                file.close()
                raise
            file.close()

    def _is_there(self, file: IO[bytes]) -> bool:
        """Return True unless the lock's file has been removed since it was opened."""
        try:
            return os.path.samestat(os.fstat(file.fileno()), self._beside.stat())
        except FileNotFoundError:
            return False

    def replace(self, data: bytes, *, private: bool = False) -> None:
        """Write the file in one step.

        A reader sees either the old content or the new one, even after a power loss.

        Args:
            data: the new content.
            private: True if only the user may read a new file. An old one keeps its permissions.

        Raises:
            OSError: it cannot be written. It is unchanged.
        """
        fresh = self.path.with_name(f".{self.path.name}.new")
        with naming(self.path):
            fresh.unlink(missing_ok=True)
            try:
                flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
                with os.fdopen(os.open(fresh, flags, 0o600 if private else 0o666), "wb") as file:
                    file.write(data)
                    file.flush()
                    os.fsync(file.fileno())
                with contextlib.suppress(FileNotFoundError):
                    shutil.copymode(self.path, fresh)
                fresh.replace(self.path)
            except BaseException:
                fresh.unlink(missing_ok=True)
                raise

    def close(self) -> None:
        """Let other processes use the file."""
        if self._lock.closed:
            return
        is_there = self._is_there(self._lock)
        if os.name == "nt":
            self._lock.close()  # an open file cannot be removed there
        if is_there:
            with contextlib.suppress(OSError):
                self._beside.unlink()
        self._lock.close()

    def __enter__(self) -> LockedFile:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()
