"""Files that one process at a time changes: locks that end with their process, and replacement in one step."""

from __future__ import annotations

import errno
import os
import pickle
import signal
import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest

import heartsrules
from heartsrules.formats.files import FileInUse, LockedFile, lock, same_file

pytestmark = pytest.mark.once_interpreted

POSIX: Final = pytest.mark.skipif(os.name != "posix", reason="signals and links as POSIX has them")
HOLDER: Final = """
import os, sys, time
from pathlib import Path
from heartsrules.formats.files import LockedFile
file = LockedFile(Path(sys.argv[1]))
forked, begins = os.pipe()
child = os.fork()
if not child:
    os.write(begins, b"!")  # it has let the lock go
    time.sleep(60)
    os._exit(0)
os.read(forked, 1)
print(child, flush=True)
file.replace(b"mine")
print("written", flush=True)
time.sleep(60)
"""


def names(folder: Path) -> list[str]:
    return sorted([path.name for path in folder.iterdir()])


def test_a_file_is_locked_until_it_is_closed(tmp_path: Path) -> None:
    path = tmp_path / "file"
    with LockedFile(path) as file:
        for again in (path, tmp_path / "." / "file", tmp_path / ".." / tmp_path.name / "file"):
            with pytest.raises(FileInUse, match="Another process uses this file") as caught:
                LockedFile(again)
            assert caught.value.filename == str(again)
            assert str(pickle.loads(pickle.dumps(caught.value))) == str(caught.value)
        file.replace(b"one")
        file.replace(b"two")
        assert names(tmp_path) == [".file.lock", "file"]
    assert names(tmp_path) == ["file"]
    with LockedFile(path):
        assert path.read_bytes() == b"two"


@POSIX
def test_the_file_of_a_link_is_locked_and_replaced(tmp_path: Path) -> None:
    real, link = tmp_path / "real", tmp_path / "link"
    link.symlink_to(real)
    with LockedFile(link) as file:
        with pytest.raises(FileInUse):
            LockedFile(real)
        file.replace(b"text", private=True)
    assert (link.is_symlink(), real.read_bytes(), real.stat().st_mode & 0o777) == (True, b"text", 0o600)
    real.chmod(0o640)
    with LockedFile(link) as file:
        file.replace(b"more", private=True)
    assert real.stat().st_mode & 0o777 == 0o640


@POSIX
def test_a_lock_ends_with_a_killed_process_even_if_its_child_lives(tmp_path: Path) -> None:
    path = tmp_path / "file"
    source = str(Path(heartsrules.__file__).parents[1])
    with subprocess.Popen(
        [sys.executable, "-c", HOLDER, str(path)], stdout=subprocess.PIPE, env={**os.environ, "PYTHONPATH": source}
    ) as holder:
        assert holder.stdout is not None
        child = int(holder.stdout.readline())
        try:
            assert holder.stdout.readline() == b"written\n"
            with pytest.raises(FileInUse):
                LockedFile(path)
            holder.kill()
            holder.wait()
            assert names(tmp_path) == [".file.lock", "file"]
            os.kill(child, 0)
            with LockedFile(path):
                assert path.read_bytes() == b"mine"
            assert names(tmp_path) == ["file"]
        finally:
            holder.kill()
            os.kill(child, signal.SIGKILL)


def test_what_another_process_removes_or_leaves_is_no_lock(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A lock that was removed between its opening and its locking would exclude nobody."""
    path, beside = tmp_path / "file", tmp_path / ".file.lock"
    removed = 0

    def removing(file: object, name: Path) -> None:
        nonlocal removed
        if removed < 2:
            beside.unlink()
            removed += 1
        lock(file, name)  # type: ignore[arg-type]

    monkeypatch.setattr("heartsrules.formats.files.lock", removing)
    (tmp_path / ".file.new").write_bytes(b"of a killed process")
    with LockedFile(path) as file:
        assert (removed, beside.exists()) == (2, True)
        file.replace(b"text")
        # The lock of whoever removed this one and made another is left alone.
        beside.unlink()
        beside.touch()
    assert names(tmp_path) == [".file.lock", "file"]


def test_without_locks_of_the_file_system_nothing_is_locked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fcntl = pytest.importorskip("fcntl")
    code = errno.ENOLCK
    monkeypatch.setattr(fcntl, "flock", lambda *_: (_ for _ in ()).throw(OSError(code, "no locks")))
    with LockedFile(tmp_path / "file"), LockedFile(tmp_path / "file"):
        pass
    code = errno.EIO
    with pytest.raises(OSError, match="no locks") as caught:
        LockedFile(tmp_path / "file")
    assert caught.value.filename == str(tmp_path / "file")


def test_a_failure_leaves_the_old_content(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "file"
    with LockedFile(path) as file:
        file.replace(b"old")
        for raised in (OSError(errno.ENOSPC, "No space left on device"), KeyboardInterrupt()):
            with monkeypatch.context() as patch:
                patch.setattr(os, "fsync", lambda _, error=raised: (_ for _ in ()).throw(error))
                with pytest.raises(type(raised)) as caught:
                    file.replace(b"new")
            if isinstance(caught.value, OSError):
                assert caught.value.filename == str(path)
        assert (path.read_bytes(), names(tmp_path)) == (b"old", [".file.lock", "file"])


@POSIX
def test_what_is_no_regular_file_is_refused(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "to the pipe").symlink_to("pipe")
    (tmp_path / "loop").symlink_to("loop")
    for path, said in (
        (tmp_path, "directory"),
        (tmp_path / "pipe", "Not a regular file"),
        (tmp_path / "to the pipe", "Not a regular file"),
        (tmp_path / "loop", "symbolic links"),
        (tmp_path / "none" / "file", "No such file"),
        (Path(os.devnull), "Not a regular file"),
    ):
        with pytest.raises(OSError, match=said):
            LockedFile(path)
    assert names(tmp_path) == ["loop", "pipe", "to the pipe"]


@POSIX
def test_names_of_one_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("file").touch()
    Path("hard").hardlink_to("file")
    Path("soft").symlink_to("file")
    Path("ahead").symlink_to("new")
    Path("folder").mkdir()
    Path("other").touch()
    for one, other, same in (
        ("file", "file", True),
        ("file", "hard", True),
        ("soft", "hard", True),
        ("file", "folder/../FILE", True),
        ("new", "folder/../new", True),
        ("ahead", "new", True),
        ("file", "other", False),
        ("file", "new", False),
        ("folder", "folder", False),
        (os.devnull, os.devnull, False),
        ("a\0", "a\0", False),
    ):
        assert same_file(Path(one), Path(other)) is same_file(Path(other), Path(one)) is same, (one, other)
