"""Perft: counting the sequences of legal moves, to compare whole move generators by one number.

`data/perft_presets.json` pins counts for one deal of every preset and player count. Run as a program, this writes the
file again (`--write`), or compares all of it, to the full depth, with the naive model (`--check`, a minute or so).
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Final, Generic, NotRequired, TypedDict, TypeVar

import attrs

from heartsrules import (
    AwaitingDeal,
    ChoosingMoon,
    DealingBack,
    Exposing,
    GameOver,
    Move,
    Passing,
    Playing,
    Rules,
    State,
    apply,
    deal,
    legal_moves,
    new_game,
    presets,
)
from heartsrules.cards import NO_CARDS
from heartsrules.chance import SeededBits, below
from heartsrules.rules import Exposure
from heartsrules.testing.perft import perft as perft
from support.against_model import PHASES, make_in_model
from support.naive import Model

S = TypeVar("S")

PINNED: Final = Path(__file__).parents[1] / "data" / "perft_presets.json"
PROVENANCE: Final = (
    "Counts for the deal with seed 'perft' of every preset: the passes of all seats, where cards may be shown the "
    "sequences of 1, 2, 3... exposures, the sequences of 1, 2, 3... plays from the opening lead, and for the last "
    "tricks all ways to the end of the deal with the sum of the points over all of them, by seat. Made with "
    "tests/support/perft.py --write, agreed by the naive model with --check."
)
SEED: Final = "perft"
MOST_SEQUENCES: Final = 30_000
MOST_ENDINGS: Final = 6_000


class Ending(TypedDict):
    """All ways to the end of a deal from a position at the start of a trick."""

    tricks: int
    """How many tricks are left to play."""
    endings: int
    """In how many ways they can be played."""
    points: list[int]
    """By seat, the sum of the deal's points over all of those."""


class Counts(TypedDict):
    """What is pinned for one preset."""

    passes: int
    """The legal passes of all seats together; 0 without passing."""
    exposures: NotRequired[list[int]]
    """The sequences of 1, 2, 3... exposures up to one of each seat; left out where no card may be shown."""
    plays: list[int]
    """The sequences of 1, 2, 3... plays from the opening lead."""
    endings: list[Ending]


def after(state: State) -> list[State]:
    """The states after each legal move; none where the deal has ended."""
    if isinstance(state, (AwaitingDeal, GameOver)):
        return []
    return [apply(state, move) for move in legal_moves(state)]


def endings(position: S, after: Callable[[S], list[S]]) -> Iterator[S]:
    """The end of the deal for every sequence of legal moves from a position of the engine or of the model."""
    following = after(position)
    if not following:
        yield position
    for each in following:
        yield from endings(each, after)


def summed(tricks: int, rows: list[tuple[int, ...]]) -> Ending:
    """The endings of a position in short."""
    return {"tricks": tricks, "endings": len(rows), "points": [sum(column) for column in zip(*rows, strict=True)]}


# ------------------------------------------------------------------------------------------------- the same, naively


def after_in_model(model: Model) -> list[Model]:
    """What `after` returns."""
    found: list[Model] = []
    for move in () if model.phase in ("deal", "over") else model.legal_moves():
        found.append(model.branch())
        found[-1].apply(move)
    return found


def model_perft(model: Model, depth: int) -> int:
    """What `perft` counts."""
    if depth == 1 and model.phase not in ("deal", "over"):
        return len(model.legal_moves())
    return sum([model_perft(each, depth - 1) for each in after_in_model(model)]) if depth else 1


# ---------------------------------------------------------------------------------------------------- the pinned deals


def pinned_rules() -> dict[str, Rules]:
    """The rule set of every preset for each player count that it takes, by a name such as `bicycle 5`; and of the one
    in which cards may be shown, the games in which none may be and in which they are shown in turn, also in rounds."""
    rules = {
        f"{preset.name} {players}": preset(players) for preset in presets.ALL.values() for players in preset.players
    }
    rules["gong_zhu 4 plain"] = presets.gong_zhu(4, exposable=NO_CARDS)
    rules["gong_zhu 4 in turn"] = attrs.evolve(presets.gong_zhu(4), exposure=Exposure.IN_TURN)
    rules["charged_hearts 4 in turn"] = presets.charged_hearts(exposure=Exposure.ROUNDS_IN_TURN)
    return rules


def pinned_game(rules: Rules, name: str) -> list[tuple[Move, State]]:
    """One deal played by chance, the same every time: its moves, each with the state after it."""
    bits = SeededBits(SEED, name)
    start = new_game(rules)
    move: Move = deal(start, seed=SEED)
    state = apply(start, move)
    game: list[tuple[Move, State]] = [(move, state)]
    while isinstance(state, (Passing, DealingBack, Exposing, Playing, ChoosingMoon)):
        moves = legal_moves(state)
        move = moves[below(bits, len(moves))]
        state = apply(state, move)
        game.append((move, state))
    return game


@attrs.frozen
class Positions(Generic[S]):
    """The positions of a pinned game that are counted from."""

    dealt: S | None
    """The dealt position, if there is passing."""
    exposing: S | None
    """The position before anybody has shown cards, if any may be shown."""
    opening: S
    """The opening lead."""
    last: dict[int, S]
    """The starts of the tricks, by the number of tricks left."""


def _positions(game: Iterable[tuple[str, int, S]]) -> Positions[S]:
    """The positions of a game. Each is given with its phase and, between tricks, the number of tricks left."""
    first: dict[str, S] = {}
    last: dict[int, S] = {}
    for phase, tricks, position in game:
        first.setdefault(phase, position)
        if tricks:
            last[tricks] = position
    return Positions(first.get("pass"), first.get("expose"), first["play"], last)


def positions(rules: Rules, name: str) -> Positions[State]:
    """The positions of the pinned game of a rule set."""
    states = [state for _, state in pinned_game(rules, name)]
    return _positions(
        (PHASES[type(state)], len(state.hands[0]) if isinstance(state, Playing) and not state.trick else 0, state)
        for state in states
    )


def model_positions(rules: Rules, name: str) -> Positions[Model]:
    """The same positions of the model."""

    def game() -> Iterator[tuple[str, int, Model]]:
        model = Model(rules)
        for move, _ in pinned_game(rules, name):
            make_in_model(model, move)
            tricks = len(model.hands[0]) if model.phase == "play" and not model.trick else 0
            yield model.phase, tricks, model.branch()

    return _positions(game())


def count(rules: Rules, name: str) -> Counts:
    """The counts to pin: as deep as the limits allow."""
    start = positions(rules, name)
    plays: list[int] = []
    for depth in range(1, rules.players * rules.cards_per_hand + 1):
        number = perft(start.opening, depth)
        if number > MOST_SEQUENCES:
            break
        plays.append(number)
    found: list[Ending] = []
    for tricks in range(1, rules.cards_per_hand + 1):
        rows: list[tuple[int, ...]] = []
        for end in endings(start.last[tricks], after):
            rows.append(end.score_sheet[-1].points)
            if len(rows) > MOST_ENDINGS:
                break
        else:
            found.append(summed(tricks, rows))
            continue
        break
    counts: Counts = {"passes": perft(start.dealt, 1) if start.dealt else 0, "plays": plays, "endings": found}
    if start.exposing:
        counts["exposures"] = [perft(start.exposing, depth) for depth in range(1, rules.players + 1)]
    return counts


def disagreements(rules: Rules, name: str, pinned: Counts, most: int | None = None) -> list[str]:
    """Where the model counts otherwise; it is only asked for numbers up to `most`."""
    start = model_positions(rules, name)
    said: list[str] = []
    passes = len(start.dealt.legal_moves()) if start.dealt else 0
    if passes != pinned["passes"]:
        said.append(f"{name}: {pinned['passes']} passes, the model {passes}")
    exposures = pinned.get("exposures", [])
    counted = [model_perft(start.exposing, depth) for depth in range(1, rules.players + 1)] if start.exposing else []
    if counted != exposures:
        said.append(f"{name}: {exposures} sequences of exposures, the model {counted}")
    for depth, number in enumerate(pinned["plays"], 1):
        if (most is None or number <= most) and (theirs := model_perft(start.opening, depth)) != number:
            said.append(f"{name}: {number} sequences of {depth} plays, the model {theirs}")
    for ending in pinned["endings"]:
        tricks = ending["tricks"]
        if most is None or ending["endings"] <= most:
            ends = endings(start.last[tricks], after_in_model)
            reached = summed(tricks, [tuple(end.score_sheet[-1]["points"]) for end in ends])
            if reached != ending:
                said.append(f"{name}: {ending}, the model {reached}")
    return said


def read() -> dict[str, Counts]:
    """The pinned counts by the names of `pinned_rules`."""
    counts: dict[str, Counts] = json.loads(PINNED.read_text())["counts"]
    return counts


def _write() -> None:
    lines = [f"  {json.dumps(name)}: {json.dumps(count(rules, name))}" for name, rules in pinned_rules().items()]
    text = ",\n".join(lines)
    PINNED.write_text(f'{{\n "provenance": {json.dumps(PROVENANCE)},\n "counts": {{\n{text}\n }}\n}}\n')


def _check() -> None:
    pinned = read()
    said = [line for name, rules in pinned_rules().items() for line in disagreements(rules, name, pinned[name])]
    if said:
        raise SystemExit("\n".join(said))
    print(f"{len(pinned)} deals agree")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    choice = parser.add_mutually_exclusive_group(required=True)
    choice.add_argument("--write", action="store_true", help="count again and write the file")
    choice.add_argument("--check", action="store_true", help="compare the whole file with the naive model")
    _write() if parser.parse_args().write else _check()
