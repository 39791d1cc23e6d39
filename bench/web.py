"""The latencies of the browser table's server with many tables, over loopback.

One process serves, with the moves on disk before anybody is told of them; this one plays all seats of all tables, each
on a socket of its own. A latency is the time from sending a move to being told that it was made (`made`), or to every
other seat of the table being told of it (`told`); reading the messages, which both processes do, is part of it.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import resource
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request
from contextlib import suppress
from pathlib import Path
from typing import Any

import msgspec
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

RULES = {"heartsrules": 1, "kind": "rules", "target": None, "max_deals": 1000}


class Reason(msgspec.Struct):
    """A reason against a card; it is only counted."""


class Choice(msgspec.Struct):
    """The legal moves of the seat."""

    mine: bool
    cards: dict[str, list[Reason]] = {}


class Facts(msgspec.Struct):
    """The facts derived from a view."""

    plan: list[tuple[int, int]]


class Seen(msgspec.Struct):
    """The fields of a view used here."""

    phase: str
    seat: int
    hand: str = ""


class View(msgspec.Struct, tag="view"):
    """The message with the present view."""

    ply: int
    since: int
    view: Seen
    facts: Facts
    choice: Choice


class Accepted(msgspec.Struct, tag="accepted"):
    """The message that a move was made."""

    id: int


class Refused(msgspec.Struct, tag="refused"):
    """The message that a move was refused, which ends the test."""

    code: str
    message: str


class Described(msgspec.Struct, tag="table"):
    """The message with the players at the table."""


MESSAGES = msgspec.json.Decoder(View | Accepted | Refused | Described)


class Measured:
    """The measurements so far."""

    def __init__(self) -> None:
        self.running = False
        self.made: list[float] = []
        self.told: list[float] = []
        self.frames = 0
        self.bytes = 0
        self.used = 0.0
        """The processor seconds of the server during the measurement."""


class Seat:
    """A socket played by a bot that thinks for some time, then plays a random legal card."""

    def __init__(self, socket: ClientConnection, sent: dict[int, float], think: float, measured: Measured) -> None:
        self.socket = socket
        self.sent = sent
        """Times of sending the move that leads to a ply, by ply, shared by the table."""
        self.think = think
        self.measured = measured
        self.answered = -1
        self.sent_at = 0.0
        self.thinking: set[asyncio.Task[None]] = set()

    async def run(self) -> None:
        async for data in self.socket:
            measured = self.measured
            message = MESSAGES.decode(data)
            now = time.perf_counter()
            if measured.running:
                measured.frames += 1
                measured.bytes += len(data)
            match message:
                case Accepted():
                    if measured.running:
                        measured.made.append(now - self.sent_at)
                case Refused(code, said):
                    raise SystemExit(f"{code}: {said}")
                case View():
                    if measured.running and message.ply in self.sent:
                        measured.told.append(now - self.sent[message.ply])
                    if message.choice.mine and message.since > self.answered:
                        self.answered = message.ply
                        task = asyncio.create_task(self.answer(message))
                        self.thinking.add(task)
                        task.add_done_callback(self.thinking.discard)

    async def answer(self, message: View) -> None:
        await asyncio.sleep(random.uniform(0.5, 1.5) * self.think)
        document = json.dumps({"type": "move", "id": message.ply, "ply": message.ply, "move": self.move(message)})
        self.sent_at = time.perf_counter()
        if message.view.phase == "playing":
            self.sent[message.ply + 1] = self.sent_at
        with suppress(ConnectionClosed):  # the test may have ended meanwhile
            await self.socket.send(document)

    def move(self, message: View) -> dict[str, Any]:
        move: dict[str, Any] = {"heartsrules": 1, "kind": "move", "seat": message.view.seat}
        free = [card for card, reasons in message.choice.cards.items() if not reasons]
        if message.view.phase == "playing":
            return move | {"move": "play", "card": random.choice(free)}
        random.shuffle(free)
        return move | {"move": "pass", "cards": [" ".join(free[:count]) for _, count in message.facts.plan]}


def post(url: str, body: dict[str, Any]) -> dict[str, Any]:
    request = urllib.request.Request(url, json.dumps(body).encode(), {"Content-Type": "application/json"})
    with urllib.request.urlopen(request) as answer:
        found: dict[str, Any] = json.load(answer)
    return found


async def load(address: str, server: int, tables: int, think: float, seconds: float) -> Measured:
    """Open the tables, let all play, and measure for some seconds."""
    measured = Measured()
    tasks: list[asyncio.Task[None]] = []
    sockets: list[ClientConnection] = []
    for _ in range(tables):
        opened = post(f"http://{address}/api/tables", {"rules": RULES, "name": "Ann"})
        seats = f"http://{address}/api/tables/{opened['table']}/seats"
        tokens = [opened["token"], *(post(seats, {"name": "Bob"})["token"] for _ in range(3))]
        sent: dict[int, float] = {}
        for token in tokens:
            socket = await connect(f"ws://{address}/api/tables/{opened['table']}/socket", compression=None)
            await socket.send(json.dumps({"type": "hello", "token": token}))
            tasks.append(asyncio.create_task(Seat(socket, sent, think, measured).run()))
            sockets.append(socket)
    for host in sockets[::4]:
        await host.send(json.dumps({"type": "start", "id": 0}))
    await asyncio.sleep(3 * think + 2)
    measured.running = True
    used = cpu_seconds(server)
    done, _ = await asyncio.wait(tasks, timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
    measured.running = False
    measured.used = cpu_seconds(server) - used
    for task in done:
        task.result()
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    await asyncio.gather(*(socket.close() for socket in sockets))
    return measured


def quantiles(latencies: list[float]) -> str:
    cuts = statistics.quantiles(latencies, n=100)
    return f"median {1e3 * cuts[49]:7.1f} ms   95 % {1e3 * cuts[94]:7.1f} ms   99 % {1e3 * cuts[98]:7.1f} ms"


def run(tables: int, think: float, seconds: float) -> None:
    with tempfile.TemporaryDirectory() as directory:
        options = ["--port", "0", "--pace", "0", "--database", f"{directory}/tables.sqlite3", "--max-tables", "100000"]
        command = [sys.executable, "-m", "heartsrules", "table", *options, "--request-rate", "100000"]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
            assert server.stdout is not None
            address = server.stdout.readline().split("//")[1].split("/")[0]
            try:
                measured = asyncio.run(load(address, server.pid, tables, think, seconds))
            finally:
                server.terminate()
    moves = len(measured.made)
    print(f"{tables} tables, {4 * tables} sockets, {think} s to think: {moves / seconds:.0f} moves and ", end="")
    print(f"{measured.frames / seconds:.0f} frames a second of {measured.bytes / measured.frames:.0f} bytes; ", end="")
    print(f"the server used {measured.used / seconds:.0%} of a core")
    print(f"  made  {quantiles(measured.made)}")
    print(f"  told  {quantiles(measured.told)}")


def cpu_seconds(process: int) -> float:
    """The processor time of a process; 0 where the system does not provide it."""
    try:
        fields = Path(f"/proc/{process}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    except OSError:
        return 0.0
    return (int(fields[11]) + int(fields[12])) / 100


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tables", type=int, nargs="+", default=[200])
    parser.add_argument("--think", type=float, nargs="+", default=[1.0, 0.0], help="seconds, on average")
    parser.add_argument("--seconds", type=float, default=15, help="how long to measure")
    options = parser.parse_args()
    limit = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (limit, limit))
    for tables in options.tables:
        for think in options.think:
            run(tables, think, options.seconds)


if __name__ == "__main__":
    main()
