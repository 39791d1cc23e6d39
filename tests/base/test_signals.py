"""SIGTERM as an exception, and signals that wait until the end of a block."""

from __future__ import annotations

import contextlib
import signal
import threading
import time
from collections.abc import Iterator
from unittest.mock import Mock

import pytest

from heartsrules.base.signals import Terminated, interrupts_deferred, termination_raised


def test_sigterm_is_raised_within_a_block_alone() -> None:
    before = signal.getsignal(signal.SIGTERM)
    with pytest.raises(Terminated), termination_raised():
        signal.raise_signal(signal.SIGTERM)
    assert signal.getsignal(signal.SIGTERM) is before


@pytest.fixture
def heeded() -> Iterator[None]:
    """Raise `KeyboardInterrupt` for SIGINT, which a shell has its jobs in the background ignore."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("heeded")
@pytest.mark.parametrize(("number", "kind"), [(signal.SIGTERM, Terminated), (signal.SIGINT, KeyboardInterrupt)])
def test_signals_wait_until_the_end_of_a_block(number: int, kind: type[BaseException]) -> None:
    done: list[int] = []

    def work() -> None:
        signal.raise_signal(number)
        done.append(number)

    with pytest.raises(kind) as caught, termination_raised(), interrupts_deferred():
        work()
    assert done == [number]
    assert type(caught.value) is kind


def test_a_second_sigterm_does_not_interrupt_the_end() -> None:
    done: list[str] = []

    def end() -> None:
        signal.raise_signal(signal.SIGTERM)
        done.append("saved")

    with pytest.raises(Terminated), termination_raised(), contextlib.closing(Mock(close=end)):
        signal.raise_signal(signal.SIGTERM)
    assert done == ["saved"]


def test_sigterm_in_a_finalizer_is_raised_after_it() -> None:
    class Terminating:
        def __del__(self) -> None:
            signal.raise_signal(signal.SIGTERM)

    def work() -> None:
        Terminating()
        for _ in range(1000):
            time.sleep(0.01)

    with pytest.raises(Terminated), termination_raised():
        work()


def test_sigterm_waits_where_ctrl_c_is_ignored() -> None:
    """A shell starts programs in the background so."""
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        with pytest.raises(Terminated), termination_raised(), interrupts_deferred():
            signal.raise_signal(signal.SIGTERM)
        assert signal.getsignal(signal.SIGINT) is signal.SIG_IGN
    finally:
        signal.signal(signal.SIGINT, before)


def test_another_handler_stays() -> None:
    received: list[int] = []
    before = signal.signal(signal.SIGTERM, lambda number, _: received.append(number))
    try:
        with termination_raised():
            signal.raise_signal(signal.SIGTERM)
    finally:
        signal.signal(signal.SIGTERM, before)
    assert received == [signal.SIGTERM]


def test_other_threads_change_no_handler() -> None:
    errors: list[BaseException] = []

    def enter() -> None:
        try:
            with termination_raised(), interrupts_deferred():
                pass
        except BaseException as error:
            errors.append(error)

    thread = threading.Thread(target=enter)
    thread.start()
    thread.join()
    assert errors == []
