"""The throughput, the 99th percentile of the latency, and the memory of `heartsrules serve` on one core.

One process serves; this one asks. How many requests it answers in a second of one core is measured by the processor
time that it has used, so that other work on the machine matters little; times are taken by the clock, from writing a
request to having its answer, one request at a time. Over lines and over HTTP, on one connection that is kept. `inside`
is the processor time of the answer alone, without any transport: its slowest hundredth is not other programs' doing.
"""

from __future__ import annotations

import argparse
import http.client
import json
import os
import re
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeAlias

from heartsrules import COMPILED, AwaitingDeal, GameOver, Rules, State, apply, deal, legal_moves, new_game, view
from heartsrules.apps.serve import Service
from heartsrules.formats.wire import to_json

Ask: TypeAlias = Callable[[str, bytes], bytes]
_TICKS = os.sysconf("SC_CLK_TCK")


def requests(kinds: tuple[str, ...]) -> dict[str, list[tuple[str, bytes]]]:
    """Make requests as in a match: one of each kind for every move of a deal in mid-match."""
    state: State = new_game(Rules(target=None, max_deals=7))
    found: dict[str, list[tuple[str, bytes]]] = {kind: [] for kind in kinds}
    while not isinstance(state, GameOver):
        if isinstance(state, AwaitingDeal):
            state = apply(state, deal(state, seed="bench"))
            continue
        move = legal_moves(state)[0]
        if state.deal_number == 4:
            for kind in kinds:
                found[kind].append((kind, _request(kind, state, move)))
        state = apply(state, move)
    return found


def _request(kind: str, state: Any, move: Any) -> bytes:
    written = to_json(state)
    seat = move.seat
    more = {
        "judge": b',"state":%b,"move":%b' % (written, to_json(move)),
        "transition": b',"views":true,"state":%b,"move":%b' % (written, to_json(move)),
        "view": b',"state":%b,"seat":%d' % (written, seat),
        "legal-moves": b',"limit":20,"view":%b' % to_json(view(state, seat)),
        "playability": b',"view":%b' % to_json(view(state, seat)),
        "sample-world": b',"view":%b' % to_json(view(state, seat)),
        "new-game": b',"rules":%b' % to_json(state.rules),
    }[kind]
    return b'{"id":1,"op":"%b"%b}' % (kind.encode(), more)


@contextmanager
def lines() -> Iterator[tuple[int, Ask]]:
    """Start a server of lines; yield its process id and a client function."""
    command = [sys.executable, "-m", "heartsrules", "serve", "--stdio"]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert process.stdin is not None
    assert process.stdout is not None
    sink, source = process.stdin, process.stdout

    def ask(_: str, body: bytes) -> bytes:
        sink.write(body + b"\n")
        sink.flush()
        return source.readline()

    try:
        yield process.pid, ask
    finally:
        process.stdin.close()
        process.wait()


@contextmanager
def over_http() -> Iterator[tuple[int, Ask]]:
    """Start an HTTP server; yield its process id and a client function."""
    command = [sys.executable, "-m", "heartsrules", "serve", "--port", "0"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    said = re.search(r"http://([\d.]+):(\d+)/", process.stdout.readline())
    assert said is not None
    connection = http.client.HTTPConnection(said[1], int(said[2]))
    headers = {"Content-Type": "application/json"}

    def ask(op: str, body: bytes) -> bytes:
        connection.request("POST", f"/v1/{op}", body, headers)
        return connection.getresponse().read()

    try:
        yield process.pid, ask
    finally:
        connection.close()
        process.terminate()
        process.wait()


@contextmanager
def inside() -> Iterator[tuple[int, Ask]]:
    """Answer in this process, without a server."""
    service = Service()
    yield os.getpid(), lambda _, body: service.answer(body).body


TRANSPORTS = {"inside": inside, "lines": lines, "http": over_http}


def processor_time(process: int) -> float:
    """The processor time of a process, in seconds."""
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / _TICKS


def memory(process: int) -> float:
    """The memory of a process, in MiB."""
    rolls = Path(f"/proc/{process}/smaps_rollup").read_text().splitlines()
    return sum([int(line.split()[1]) for line in rolls if line.startswith("Pss:")]) / 1024


def measure(transport: str, kinds: dict[str, list[tuple[str, bytes]]], count: int) -> None:
    """Measure and print a line for each kind of request."""
    clock = time.process_time if transport == "inside" else time.perf_counter
    for kind, asked in kinds.items():
        with TRANSPORTS[transport]() as (process, ask):
            for op, body in asked * 3:
                assert json.loads(ask(op, body))["ok"], (op, body)
            times = []
            used = processor_time(process)
            for number in range(count):
                op, body = asked[number % len(asked)]
                began = clock()
                ask(op, body)
                times.append(clock() - began)
            used = max(processor_time(process) - used, 1 / _TICKS)
            size = statistics.mean(len(body) for _, body in asked)
            slow = statistics.quantiles(times, n=100)[98]
            print(
                f"{transport:6} {kind:13} {size:6.0f} bytes  {count / used:7.0f} a second of one core  "
                f"median {statistics.median(times) * 1e3:6.2f} ms  99 % {slow * 1e3:6.2f} ms",
                flush=True,
            )


def watch(transport: str, kinds: dict[str, list[tuple[str, bytes]]], count: int) -> None:
    """Print the memory of a server while it answers `count` requests of all kinds, bad ones included."""
    bad = [
        ("judge", b'{"op":"judge","state":[]}'),
        ("view", b"{"),
        ("view", b'{"op":"view","x":"' + b"x" * 5000 + b'"}'),
    ]
    asked = [each for several in kinds.values() for each in several]
    with TRANSPORTS[transport]() as (process, ask):
        step = max(count // 10, 1)
        began = time.perf_counter()
        for number in range(count):
            op, body = bad[number // 20 % 3] if number % 20 == 19 else asked[number * 7 % len(asked)]
            ask(op, body)
            if number % step == step - 1:
                seconds = time.perf_counter() - began
                print(
                    f"{transport:6} after {number + 1:9,} requests, {seconds:6.0f} s: {memory(process):.1f} MiB",
                    flush=True,
                )


def main() -> None:
    """Run the command line."""
    parser = argparse.ArgumentParser(description="Measure heartsrules serve.")
    parser.add_argument("--requests", type=int, default=3000, help="how many requests of each kind")
    parser.add_argument("--memory", type=int, default=0, help="watch the memory over so many requests instead")
    parser.add_argument("--transport", choices=TRANSPORTS, action="append")
    asked = parser.parse_args()
    kinds = requests(("new-game", "legal-moves", "playability", "view", "judge", "transition", "sample-world"))
    print(f"heartsrules is {'compiled' if COMPILED else 'interpreted'}; Python {sys.version.split()[0]}", flush=True)
    for transport in asked.transport or TRANSPORTS:
        if asked.memory:
            watch(transport, kinds, asked.memory)
        else:
            measure(transport, kinds, asked.requests)


if __name__ == "__main__":
    main()
