"""The engine in TypeScript of docs/examples/engine: planted faults, and games that it must play as Python does.

    python -m support.typescript_engine --games 1000000

plays random games of random rule sets and lets the engine judge every step. A game is a deal.
"""

from __future__ import annotations

import argparse
import json
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Final

import attrs

from heartsrules import (
    AwaitingDeal,
    Deal,
    GameOver,
    Move,
    Play,
    Playing,
    State,
    apply,
    deal,
    legal_moves,
    new_game,
    public_view,
    view,
    why_illegal,
)
from heartsrules.formats.wire import to_json
from heartsrules.play.dealing import chance_to_act
from heartsrules.testing.rule_sets import random_rules

__all__ = ["ENGINE", "FAULTS", "Fault", "Missing", "built", "games", "hunt", "played"]

ENGINE: Final = Path(__file__).parents[2] / "docs" / "examples" / "engine"
SOURCES: Final = {path.name: path.read_text(encoding="utf-8") for path in sorted(ENGINE.glob("*.ts"))}
_PROGRAM: Final = Path(__file__).with_suffix(".mjs")
_GAMES_OF_EACH: Final = 25
"""How many games of each rule set are played."""
_MOST_LISTED: Final = 1000
"""Above so many moves of a seat the engine is not asked how many it finds."""


class Missing(Exception):
    """Node.js or the compiler of TypeScript is not there; the text says which."""


def built(folder: Path) -> Path:
    """Compile the engine, with all types checked, in an empty folder.

    Raises:
        Missing: Node.js is not installed, or npm cannot install TypeScript.
        ValueError: the compiler finds an error.
    """
    npm = shutil.which("npm")
    if npm is None or shutil.which("node") is None:
        raise Missing("Node.js is not installed: node and npm are needed to compile the engine")
    for path in ENGINE.iterdir():
        if path.is_file():
            shutil.copy(path, folder)
    command = [npm, "ci", "--ignore-scripts", "--no-audit", "--no-fund"]
    try:
        installed = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False, timeout=180)
    except subprocess.TimeoutExpired:
        raise Missing("npm could not install TypeScript within three minutes") from None
    if installed.returncode:
        raise Missing(f"npm could not install TypeScript: {installed.stderr.strip()[-300:]}")
    done = subprocess.run([npm, "run", "build"], cwd=folder, capture_output=True, text=True, check=False, timeout=180)
    if done.returncode:
        raise ValueError(done.stdout)
    return folder


# -------------------------------------------------------------------------------------------------------------- faults


@attrs.frozen
class Fault:
    """A small change of the engine."""

    name: str
    old: str
    """A text that one of the sources has, once."""
    new: str
    """What stands there instead."""

    @property
    def file(self) -> str:
        """The name of the source.

        Raises:
            ValueError: the sources have not just one such place.
        """
        places = [name for name, source in SOURCES.items() for _ in range(source.count(self.old))]
        if len(places) != 1:
            raise ValueError(f"{self.name}: the engine has {len(places)} places to plant it")
        return places[0]


def hunt(engine: Path, suites: Sequence[Path], faults: Iterable[Fault]) -> dict[str, str | None]:
    """Plant each fault alone: by its name, the line of the suites that notices it, or None."""
    given = [{**attrs.asdict(fault), "file": fault.file} for fault in faults]
    command = ["node", "--max-old-space-size=8000", str(_PROGRAM), str(engine), "faults", *map(str, suites)]
    done = subprocess.run(command, input=json.dumps(given), capture_output=True, text=True, check=True)
    return dict(json.loads(line) for line in done.stdout.splitlines())


FAULTS: Final = [
    Fault(*told)
    for told in json.loads((ENGINE.parents[2] / "tests" / "data" / "engine_faults.json").read_text(encoding="utf-8"))
]


# --------------------------------------------------------------------------------------------------------------- games


def games(seed: str, number: int) -> Iterator[bytes]:
    """The games of one random rule set, which a seed and a number choose: a line of JSON for each."""
    rng = Random(f"{seed} {number}")
    start = new_game(random_rules(rng))
    state: State = start
    told = b'"start":%b' % to_json(start)
    for _ in range(_GAMES_OF_EACH):
        steps: list[bytes] = []
        while not steps or not isinstance(state, AwaitingDeal | GameOver):
            step, state = _step(state, rng)
            steps.append(step)
        yield b'{%b,"steps":[%b],"to":%b}' % (told, b",".join(steps), to_json(state))
        told = b'"again":%b' % (b"false" if isinstance(state, AwaitingDeal) else b"true")
        if isinstance(state, GameOver):
            state = start


def _step(state: State, rng: Random) -> tuple[bytes, State]:
    """A random move as a part of a line, and the state that follows."""
    legal, more = b"null", b""
    move: Move
    if chance_to_act(state):
        move = deal(state, rng=rng)
    else:
        moves = legal_moves(state)
        move = moves[int(rng.random() * len(moves))]
        assert not isinstance(move, Deal)
        if isinstance(move, Play):  # all of them are of the seat whose turn it is
            legal = b'"%b"' % " ".join([str(each.card) for each in moves if isinstance(each, Play)]).encode()
        else:
            count = len(legal_moves(state, move.seat))
            legal = b"%d" % count if count <= _MOST_LISTED else legal
    if rng.random() < 0.05:
        seat = int(rng.random() * (state.rules.players + 1)) - 1
        seen = public_view(state) if seat < 0 else view(state, seat)
        codes = _codes(state) if isinstance(state, Playing) else []
        more = b",%b,%b" % (json.dumps(codes).encode(), to_json(seen))
    written = b'"%b"' % str(move.card).encode() if isinstance(move, Play) else to_json(move)
    return b"[%b,%b%b]" % (written, legal, more), apply(state, move)


def _codes(state: Playing) -> list[list[str]]:
    """The reasons against each card of the hand whose turn it is."""
    faces = state.hands[state.turn].distinct()
    return [[reason.code for reason in why_illegal(state, Play(state.turn, card))] for card in faces]


def played(engine: Path, count: int, seed: str = "1", part: int = 1, parts: int = 1) -> str:
    """Let the engine play this many games after Python, or a part of them. Returns what it says of them.

    Raises:
        ValueError: it plays one of them otherwise.
    """
    command = ["node", str(_PROGRAM), str(engine), "games"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        # It stops reading when it has found a difference.
        with suppress(BrokenPipeError), process.stdin as told:
            for number in range(part - 1, -(-count // _GAMES_OF_EACH), parts):
                told.writelines([line + b"\n" for line in games(seed, number)])
        said = process.stdout.read().decode()
    if process.returncode:
        raise ValueError(said)
    return said.strip()


def main() -> int:
    """Play as many games as the command line asks for. Returns the exit code."""
    parser = argparse.ArgumentParser(prog="python -m support.typescript_engine", description=__doc__)
    parser.add_argument("--games", type=int, default=1_000_000, help="how many games to play (a million)")
    parser.add_argument("--seed", default="1", help="of the rules, the deals and the moves")
    parser.add_argument("--part", default="1/1", help="such as 2/3: only the second of every three rule sets")
    asked = parser.parse_args()
    part, parts = map(int, asked.part.split("/"))
    with tempfile.TemporaryDirectory() as folder:
        try:
            print(played(built(Path(folder)), asked.games, asked.seed, part, parts))
        except Missing as error:
            print(f"left out: {error}")
        except ValueError as error:
            print(error)
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
