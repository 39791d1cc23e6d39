"""The engine in TypeScript of clients/typescript: planted faults, and games that it must play as Python does.

    python -m support.typescript_engine --games 1000000

plays random games of random rule sets and lets the engine judge every step. A game is a deal.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Any, Final

import attrs

from heartsrules import (
    AwaitingDeal,
    Cards,
    ChooseMoon,
    ChoosingMoon,
    Deal,
    Expose,
    Exposing,
    GameOver,
    Move,
    Pass,
    Passing,
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
from heartsrules.cards import ALL_FACES
from heartsrules.formats.wire import to_json
from heartsrules.play.dealing import chance_to_act
from heartsrules.play.engine import pass_options
from heartsrules.play.violations import Violation
from heartsrules.rules import Moon
from heartsrules.rules.presets import ALL
from heartsrules.testing.rule_sets import random_rules
from heartsrules.views import PassingView, View
from support.typescript import PACKAGE, Missing, built

__all__ = ["FAULTS", "Fault", "bare", "games", "hunt", "played", "tried"]

SOURCES: Final = {path.name: path.read_text(encoding="utf-8") for path in sorted((PACKAGE / "src").glob("*.ts"))}
_PROGRAM: Final = Path(__file__).with_suffix(".mjs")
_GAMES_OF_EACH: Final = 25
"""How many games of each rule set are played."""


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
    for told in json.loads((PACKAGE.parents[1] / "tests" / "data" / "engine_faults.json").read_text(encoding="utf-8"))
]


# --------------------------------------------------------------------------------------------------------------- games


def games(seed: str, number: int) -> Iterator[bytes]:
    """Play the games of one rule set, a preset or a random one, and write a line of JSON for each."""
    rng = Random(f"{seed} {number}")
    start = new_game(rng.choice(list(ALL.values()))() if rng.random() < 0.25 else random_rules(rng))
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
    """Make a random move: the line's part for it, and the next state."""
    step: dict[str, Any] = {}
    move: Move
    if chance_to_act(state):
        move = deal(state, rng=rng)
    else:
        moves = legal_moves(state)
        step["at"] = int(rng.random() * len(moves))
        move = moves[step["at"]]
        assert not isinstance(move, Deal)
        if isinstance(move, Play):  # All moves are plays of the seat to act.
            step["legal"] = " ".join([str(each.card) for each in moves if isinstance(each, Play)])
        else:
            step["legal"] = len(legal_moves(state, move.seat))
    step["move"] = str(move.card) if isinstance(move, Play) else _document(move)
    if rng.random() < 0.05:
        seat = int(rng.random() * (state.rules.players + 1)) - 1
        seen = public_view(state) if seat < 0 else view(state, seat)
        step["view"] = _document(seen)
        if isinstance(state, Playing):
            faces = state.hands[state.turn].distinct()
            step["reasons"] = [_reasons(state, Play(state.turn, card)) for card in faces]
        attempt = tried(state, rng)
        step["tried"] = _document(attempt)
        step["refused"] = [_reasons(position, attempt) for position in (state, seen)]
        if isinstance(seen, PassingView) and isinstance(move, Pass):
            step["options"] = _options(seen, rng)
    return json.dumps(step).encode(), apply(state, move)


def _document(value: object) -> Any:
    return json.loads(to_json(value))


def tried(state: State, rng: Random) -> Move:
    """Draw any move, which is seldom legal."""
    seat = int(rng.random() * (state.rules.players + 1))
    if isinstance(state, ChoosingMoon):
        return ChooseMoon(seat, rng.choice(list(Moon)))
    held = list(state.hands[seat % state.rules.players]) if isinstance(state, Passing | Exposing | Playing) else []
    drawn = [rng.choice(held if held and rng.random() < 0.8 else list(state.rules.deck)) for _ in range(6)]
    cards = [card for number, card in enumerate(drawn) if drawn[:number].count(card) < 2]
    number = int(rng.random() * 4)
    if chance_to_act(state):
        right = deal(state, rng=rng)
        hands = [*right.hands, Cards(cards)][int(rng.random() * 2) : len(right.hands) + int(rng.random() * 2)]
        return Deal(hands, right.kitty if number else Cards([rng.choice(ALL_FACES)]))
    if isinstance(state, Passing):
        return Pass(seat, *[Cards(cards[3 * part : 3 * part + number]) for part in range(int(rng.random() * 3))])
    return Expose(seat, Cards(cards[:number])) if isinstance(state, Exposing) else Play(seat, cards[0])


def _options(seen: PassingView, rng: Random) -> list[Any]:
    """Choose a part of a legal pass, and return it with the ways to continue."""
    passes = [] if seen.seat is None else legal_moves(seen, seen.seat)
    whole = passes[int(rng.random() * len(passes))] if passes else None
    cards = whole.cards if isinstance(whole, Pass) else ()
    chosen = [Cards([card for card in part if rng.random() < 0.7]) for part in cards]
    found = pass_options(seen, chosen)
    reasons = [[[str(card), [bare(each) for each in why]] for card, why in each] for each in found.reasons]
    addable = [str(each) for each in found.addable]
    return [
        [str(each) for each in chosen],
        {"addable": addable, "missing": list(found.missing), "complete": found.complete, "reasons": reasons},
    ]


def _reasons(position: State | View, move: Move) -> list[Any]:
    return [bare(reason) for reason in why_illegal(position, move)]


def bare(reason: Violation) -> dict[str, Any]:
    """Write a violation as the engine does, without its envelope, its sentence and those of its problems."""
    left_out = ("heartsrules", "kind", "message", "arguments")
    found = {key: value for key, value in _document(reason).items() if key not in left_out}
    if "problems" in found:
        found["problems"] = [
            {key: value for key, value in each.items() if key not in left_out} for each in found["problems"]
        ]
    return found


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
