"""A program that plays, well or badly, as its first argument says; it knows nothing of heartsrules, and starts quickly.

Its second argument is a folder: there a file for each of its processes gets every line that the process reads.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

try:
    import fcntl
except ImportError:  # not on Windows
    fcntl = None  # type: ignore[assignment]

BIG = 10**6


def talk(how: str, log: Path) -> None:
    """Answer every line in the way of the first argument."""
    for line in sys.stdin:
        with log.open("a", encoding="utf-8") as file:
            file.write(line)
        request = json.loads(line)
        op, answer = request["op"], {"id": request["id"], "ok": True}
        if op == "hello":
            if how == "nurse":
                leave_a_child(log.parent / "lock", own_session=False)
            print(json.dumps(answer | {"result": hello(how)}), flush=True)
        elif op == "new-game":
            if how == "choosy":
                problem = {"place": "/rules", "code": "foreign-rules", "message": "only\nfour players"}
                print(json.dumps(answer | {"ok": False, "problems": [problem]}), flush=True)
            else:
                print(json.dumps(answer | {"result": {}}), flush=True)
        else:
            choose(how, request, answer, log)


def hello(how: str) -> dict[str, Any]:
    """The answer to `hello`."""
    if how == "modern":
        return {"protocol": 2, "name": "of tomorrow"}
    return {"protocol": 1, "name": "fake", "author": "the tests"}


def choose(how: str, request: dict[str, Any], answer: dict[str, Any], log: Path) -> None:
    """Answer a request for a move."""
    moves = request["moves"]
    move = moves[int(request["seed"], 16) % len(moves)]
    if how == "silent":
        return
    if how in ("parent", "daemons"):
        leave_a_child(log.parent / "lock", own_session=how == "daemons")
        sys.exit(4)
    if how == "mortal" and not (mark := log.parent / "mark").exists():
        mark.touch()
        how = "crash"
    if how == "crash":
        for number in range(9):
            print(f"thought {number} \x1b[2J" + "x" * 5000 * (number == 7), file=sys.stderr)
        sys.exit(3)
    if how == "illegal":
        # Not in anybody's hand, if it is the seat's own hand that is looked at.
        hand = request["view"]["hand"].split()
        move = {**move, "card": next(card for card in ("2C", "3C", "4C", "5C") if card not in hand)}
    if how == "other":
        move = {**move, "seat": (move["seat"] + 1) % 4}
    if how == "dealer":
        move = {"heartsrules": 1, "kind": "move", "move": "deal", "hands": [""] * 4, "kitty": ""}
    if how == "early":
        print(json.dumps(answer | {"result": {"move": move}}), flush=True)
    text = {
        "garbage": "I play the queen!",
        "number": "7",
        "strange": json.dumps(answer | {"result": {"move": move}, "thanks": True}),
        "empty": json.dumps(answer),
        "stale": json.dumps(answer | {"id": 99, "result": {"move": move}}),
        "no-move": json.dumps(answer | {"result": {"move": {"card": "QS"}}}),
        "long": "x" * BIG,
        "endless": "x" * BIG,
    }.get(how, json.dumps(answer | {"result": {"move": move}}))
    print(text, end="" if how == "endless" else "\n", flush=True)
    if how == "endless":
        wait()


def leave_a_child(lock: Path, *, own_session: bool) -> None:
    """Start a program that holds our output, and a lock for as long as it runs."""
    with lock.open("w") as file:
        assert fcntl is not None
        fcntl.flock(file, fcntl.LOCK_EX)
        child = subprocess.Popen(["sleep", "3600"], pass_fds=[file.fileno()], start_new_session=own_session)
        file.write(str(child.pid))


def wait() -> None:
    """Do nothing, until it is killed."""
    while True:
        time.sleep(3600)


if __name__ == "__main__":
    behaviour, folder = sys.argv[1], Path(sys.argv[2])
    talk(behaviour, folder / f"{os.getpid()}.jsonl")
    if behaviour == "stubborn":
        wait()
