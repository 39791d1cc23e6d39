"""Ctrl-C and closed streams of the command line, in real processes and process groups.

Nothing here is judged by the clock: the deadlines only keep a failing test from waiting for ever.
"""

from __future__ import annotations

import os
import shlex
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

import heartsrules
from heartsrules.base import interrupts as _interrupts
from heartsrules.simulation.executors import Processes
from support.chores import count_to

pytestmark = [
    pytest.mark.once_interpreted,
    pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="the processes of a group are read in /proc"),
]

DEADLINE = 120.0
ENDLESS = ("simulate", "whisthub", "--games", "100000000", "--seed", "s")


def _heed_interrupts() -> None:
    # A job in the background of a shell is started with SIGINT ignored, and hands that on to its children.
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def members(group: int) -> set[int]:
    """The processes of a group that have not ended."""
    found: set[int] = set()
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            state, _, its_group = path.read_text().rpartition(")")[2].split()[:3]
        except OSError:
            continue
        if int(its_group) == group and state != "Z":
            found.add(int(path.parent.name))
    return found


def wait_until(happened: Callable[[], bool]) -> bool:
    """Wait for something to happen; false if it does not."""
    end = time.monotonic() + DEADLINE
    while not happened():
        if time.monotonic() > end:
            return False
        time.sleep(0.02)
    return True


def start(arguments: tuple[str, ...], environ: dict[str, str]) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "heartsrules", *arguments],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": str(Path(heartsrules.__file__).parents[1]), **environ},
        preexec_fn=_heed_interrupts,
        start_new_session=True,
    )


@contextmanager
def running(*arguments: str, **environ: str) -> Iterator[subprocess.Popen[str]]:
    with start(arguments, environ) as process:
        try:
            yield process
        finally:
            for left in members(process.pid):
                os.kill(left, signal.SIGKILL)


def check_end(process: subprocess.Popen[str]) -> str:
    """It ends with 130, quietly, and leaves no process; what it has printed."""
    out, err = process.communicate(timeout=DEADLINE)
    assert wait_until(lambda: not members(process.pid)), members(process.pid)
    assert "Traceback" not in err
    assert "Exception" not in err
    assert process.returncode == 130
    return out + err


@pytest.mark.long
@pytest.mark.parametrize("pauses", [(), (0.3,), (0.3, 0.3), (0.0, 0.0, 0.0, 0.01, 0.05, 0.1)])
def test_ctrl_c_ends_workers_and_all_however_often(pauses: tuple[float, ...]) -> None:
    with running(*ENDLESS, "-j", "2") as process:
        # This process, the tracker of its semaphores, and two workers.
        assert wait_until(lambda: len(members(process.pid)) == 4)
        os.killpg(process.pid, signal.SIGINT)
        for pause in pauses:
            time.sleep(pause)
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGINT)
        said = check_end(process)
    assert "Interrupted after " in said or len(pauses) > 1


def test_ctrl_c_while_workers_start() -> None:
    with running(*ENDLESS, "-j", "2") as process:
        assert wait_until(lambda: len(members(process.pid)) > 2)
        os.killpg(process.pid, signal.SIGINT)
        assert "Interrupted after " in check_end(process)


@pytest.mark.long
def test_ctrl_c_ends_the_programs_that_play_in_workers(tmp_path: Path) -> None:
    """They are in groups of their own, so Ctrl-C does not reach them; but their input ends."""
    fake = [
        sys.executable,
        "-I",
        "-S",
        str(Path(__file__).parents[1] / "support" / "fake_player.py"),
        "good",
        str(tmp_path),
    ]

    def programs() -> set[int]:
        return {int(path.stem) for path in tmp_path.glob("*.jsonl")}

    tables = ("--tables", "1000000", "--deals", "1", "-j", "2", "--seed", "s")
    with running("match", f"external:{shlex.join(fake)}", "uniform", *tables) as process:
        assert wait_until(lambda: len(programs()) > 8)
        os.killpg(process.pid, signal.SIGINT)
        assert "Interrupted after " in check_end(process)
    assert wait_until(lambda: not [number for number in programs() if Path(f"/proc/{number}").exists()])


def test_ctrl_c_while_records_are_judged_from_a_pipe() -> None:
    with running("verify", "-j", "2", FORCE_COLOR="1", COLUMNS="80") as process:
        assert process.stderr is not None
        seen = ""
        # The bar shows that it has begun.
        while "records" not in seen:
            character = process.stderr.read(1)
            assert character, seen
            seen += character
        os.killpg(process.pid, signal.SIGINT)
        assert "Interrupted." in check_end(process)


STOP = """
import os, signal, sys
class Stop:
    # Interrupts this process when a module is about to be imported, again and again.
    def find_spec(self, name, path=None, target=None):
        if name == os.environ["STOP_AT"]:
            os.kill(os.getpid(), signal.SIGINT)
sys.meta_path.insert(0, Stop())
"""


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    "module",
    [
        "heartsrules.rules.presets",
        pytest.param(
            "heartsrules.play.engine",
            marks=pytest.mark.skipif(heartsrules.COMPILED, reason="compiled modules import each other unseen"),
        ),
        "heartsrules.__main__",
        "heartsrules.apps.command_line",
        "typer",
        "rich.table",
    ],
)
def test_ctrl_c_while_modules_are_imported(module: str, tmp_path: Path) -> None:
    (tmp_path / "sitecustomize.py").write_text(STOP)
    path = os.pathsep.join([str(tmp_path), str(Path(heartsrules.__file__).parents[1])])
    with running(*ENDLESS, PYTHONPATH=path, STOP_AT=module) as process:
        assert check_end(process) == ""


def test_another_program_that_imports_the_package_keeps_its_ctrl_c() -> None:
    code = "import signal, heartsrules; print(signal.getsignal(signal.SIGINT) is signal.default_int_handler)"
    environ = {**os.environ, "PYTHONPATH": str(Path(heartsrules.__file__).parents[1])}
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, env=environ, preexec_fn=_heed_interrupts
    )
    assert done.stdout == "True\n"
    assert not _interrupts.COMMAND


@pytest.mark.parametrize(
    ("program", "started", "expected"),
    [
        ("-m", ["python", "-m", "heartsrules", "rules"], True),
        ("-m", ["python", "-X", "dev", "-m", "heartsrules"], True),
        ("-m", ["python", "-m", "heartsrules.formats.wire"], False),
        ("-m", ["python", "-m", "pytest"], False),
        ("/usr/bin/heartsrules", ["/usr/bin/python", "/usr/bin/heartsrules", "rules"], True),
        (r"C:\Scripts\heartsrules.exe", ["python.exe", r"C:\Scripts\heartsrules.exe"], True),
        ("/usr/bin/heartsrules", ["/usr/bin/python", "-c", "from multiprocessing.spawn import spawn_main"], False),
        ("heartsrules", ["pytest"], False),
        ("server.py", ["python", "server.py", "heartsrules"], False),
        ("", ["python"], False),
    ],
)
def test_which_process_is_the_command(
    monkeypatch: pytest.MonkeyPatch, program: str, started: list[str], expected: bool
) -> None:
    monkeypatch.setattr(sys, "argv", [program])
    monkeypatch.setattr(sys, "orig_argv", started)
    assert _interrupts.is_command() is expected


def test_a_process_without_arguments_is_not_the_command(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "argv", [])
    assert not _interrupts.is_command()


def test_killed_workers_end_though_they_are_at_work() -> None:
    processes = Processes(2)
    futures = [processes.submit(time.sleep, 10 * DEADLINE) for _ in range(8)]
    assert wait_until(lambda: len(processes.workers) == 2 and all(worker.is_alive() for worker in processes.workers))
    processes.kill()
    assert wait_until(lambda: all(worker.exitcode == -signal.SIGKILL for worker in processes.workers))
    assert all(future.cancelled() or future.exception() is not None for future in futures)
    processes.kill()
    with pytest.raises(RuntimeError):
        processes.submit(count_to, 1)


def test_a_block_that_ctrl_c_interrupts_does_not_wait_for_its_workers() -> None:
    processes = Processes(1)
    future = processes.submit(time.sleep, 10 * DEADLINE)
    with pytest.raises(KeyboardInterrupt), processes:
        raise KeyboardInterrupt
    assert future.cancelled() or future.exception() is not None


def test_ctrl_c_during_a_start_is_heeded_after_it(monkeypatch: pytest.MonkeyPatch) -> None:
    heard: list[int] = []
    before = signal.signal(signal.SIGINT, lambda number, _: heard.append(number))
    try:
        with Processes(1) as processes:
            submit = processes._pool.submit

            def interrupted(*arguments: object) -> object:
                signal.raise_signal(signal.SIGINT)
                assert not heard
                return submit(*arguments)  # type: ignore[arg-type]

            monkeypatch.setattr(processes._pool, "submit", interrupted)
            assert processes.submit(count_to, 3).result() == [0, 1, 2]
            assert heard == [signal.SIGINT]
    finally:
        signal.signal(signal.SIGINT, before)


def test_work_may_be_submitted_by_any_thread() -> None:
    got: list[list[int]] = []
    with Processes(1) as processes:
        thread = threading.Thread(target=lambda: got.append(processes.submit(count_to, 2).result()))
        thread.start()
        thread.join(DEADLINE)
    assert got == [[0, 1]]


# ---------------------------------------------------------------------------------------------- streams


SHELL = pytest.mark.skipif(not Path("/bin/sh").exists(), reason="there is no shell")


def in_shell(command: str, module: str = "heartsrules") -> subprocess.CompletedProcess[str]:
    environ = {**os.environ, "PYTHONPATH": str(Path(heartsrules.__file__).parents[1])}
    return subprocess.run(
        ["/bin/sh", "-c", f'"{sys.executable}" -m {module} {command}'],
        capture_output=True,
        text=True,
        env=environ,
        timeout=DEADLINE,
    )


@pytest.mark.sampled(7)
@SHELL
@pytest.mark.parametrize(
    ("command", "code", "said"),
    [
        ("verify <&-", 2, "(standard input): there is no record in it\n"),
        ("simulate cardstock --games 10 --format json >&-", 1, "heartsrules: [Errno 9] standard output is closed\n"),
        ("simulate cardstock --games 10 >&-", 1, "heartsrules: [Errno 9] standard output is closed\n"),
        ("simulate cardstock --games 10 --format json >&- 2>&-", 1, ""),
        ("presets >&-", 1, "heartsrules: [Errno 9] standard output is closed\n"),
        ("--help >&-", 1, "heartsrules: [Errno 9] standard output is closed\n"),
        ("rules microsoft 2>&-", 0, ""),
        ("rules nothing 2>&-", 2, ""),
        ("rules nothing <&- >&- 2>&-", 2, ""),
        ("play microsoft <&-", 0, ""),
        ("presets >/dev/full", 1, "heartsrules: [Errno 28] No space left on device\n"),
        (
            "simulate cardstock --games 10 --format json >/dev/full",
            1,
            "heartsrules: [Errno 28] No space left on device\n",
        ),
        ("simulate cardstock --games 10 2>/dev/full", 0, ""),
    ],
)
def test_streams_that_are_closed_or_full(command: str, code: int, said: str) -> None:
    done = in_shell(command)
    assert (done.returncode, done.stderr) == (code, said)
    assert "Traceback" not in done.stdout


@pytest.mark.sampled(4)
@SHELL
@pytest.mark.parametrize("command", ["heartsrules.apps.serve", "heartsrules serve --stdio", "heartsrules bot uniform"])
@pytest.mark.parametrize(
    ("streams", "code", "said"),
    [
        ("<requests >&-", 1, "heartsrules: [Errno 9] standard output is closed\n"),
        ("</dev/null >&-", 1, "heartsrules: [Errno 9] standard output is closed\n"),
        ("<requests >/dev/full", 1, "heartsrules: [Errno 28] No space left on device\n"),
        ("<requests | true", 0, ""),
        ("<&-", 0, ""),
        ("<&- >&- 2>&-", 1, ""),
    ],
)
def test_streams_of_a_service(command: str, streams: str, code: int, said: str, tmp_path: Path) -> None:
    (tmp_path / "requests").write_text('{"op":"none"}\n' * 1000)
    module, _, arguments = command.partition(" ")
    done = in_shell(f"{arguments} {streams.replace('<requests', f'<{tmp_path}/requests')}", module)
    assert (done.returncode, done.stdout, done.stderr) == (code, "", said)


@SHELL
def test_a_reader_that_goes_away_is_no_error_to_speak_of() -> None:
    done = in_shell("simulate cardstock --games 200 | true")
    assert (done.returncode, done.stderr) == (0, "")
