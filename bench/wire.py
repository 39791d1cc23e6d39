"""Speed of the judge compared with OpenSpiel, msgspec with cattrs, views and replays; and sizes of documents.

The judge's round is: state and move as JSON in, check both, apply, next state as JSON out. OpenSpiel's is
`deserialize_state`, a look into `legal_actions`, `apply_action`, `serialize`; and the same with the game in the text
too, as the judge has its rules in the document. Both sides take turns on the same deals, at their first lead and with
half of the cards played; what is compared is ratios within a round, so that a machine whose speed drifts does no harm.
"""

from __future__ import annotations

import argparse
import gc
import json
import pickle
import platform
import random
import statistics
import time
from collections.abc import Callable
from typing import Any

import attrs
import cattrs
import msgspec
import pyspiel
from cattrs.gen import make_dict_structure_fn, make_dict_unstructure_fn

import heartsrules
from heartsrules import (
    AwaitingDeal,
    Card,
    GameOver,
    Play,
    Playing,
    Rules,
    State,
    apply,
    deal,
    deal_cards,
    legal_moves,
    new_game,
    public_view,
    view,
    why_illegal_cards,
)
from heartsrules.formats.notation import format_position, format_record
from heartsrules.formats.wire import _texts, _types, from_json, judge, to_json
from heartsrules.play.game import Game, Record, replay, verify
from heartsrules.rules import HOLD, Tie

RULES = Rules(pass_cycle=(HOLD,), target=None, max_deals=1, tie=Tie.SHARED)


HALF = 26
"""Number of cards played at mid-deal."""


def action_of(card: Card) -> int:
    """The number of a card in OpenSpiel."""
    return (card.rank - 2) * 4 + (0, 1, 3, 2)[card.suit]


def pairs(count: int, seed: int, plays: int) -> tuple[list[tuple[bytes, bytes]], list[tuple[str, str, int]]]:
    """Draw deals after this many random plays, each with a legal play: as documents, and as OpenSpiel's texts (of the
    state, and of the game with the state)."""
    rng = random.Random(seed)
    game = pyspiel.load_game("hearts(pass_cards=false)")
    ours: list[tuple[bytes, bytes]] = []
    peers: list[tuple[str, str, int]] = []
    for _ in range(count):
        pack = list(RULES.deck)
        rng.shuffle(pack)
        start = new_game(RULES)
        state = apply(start, deal_cards(start, pack))
        peer = game.new_initial_state()
        peer.apply_action(0)
        for card in pack:
            peer.apply_action(action_of(card))
        for _ in range(plays):
            move: Any = rng.choice(legal_moves(state))
            state = apply(state, move)
            peer.apply_action(action_of(move.card))
        chosen: Any = legal_moves(state)[0]
        ours.append((to_json(state), to_json(chosen)))
        both = pyspiel.serialize_game_and_state(game, peer)
        peers.append((peer.serialize(), both, action_of(chosen.card)))
    return ours, peers


def round_of_peer(peers: list[tuple[str, str, int]]) -> int:
    """Read, check, apply and write in OpenSpiel."""
    game = pyspiel.load_game("hearts(pass_cards=false)")
    for text, _, action in peers:
        state = game.deserialize_state(text)
        if action in state.legal_actions():
            state.apply_action(action)
            state.serialize()
    return len(peers)


def round_of_peer_with_game(peers: list[tuple[str, str, int]]) -> int:
    """Read, check, apply and write in OpenSpiel, with the game in the text."""
    for _, text, action in peers:
        game, state = pyspiel.deserialize_game_and_state(text)
        if action in state.legal_actions():
            state.apply_action(action)
            pyspiel.serialize_game_and_state(game, state)
    return len(peers)


def round_of_ours(documents: list[tuple[bytes, bytes]]) -> int:
    """Judge each document."""
    for state, move in documents:
        judge(state, move)
    return len(documents)


# A state of the first lead and of mid-game as attrs classes, for cattrs: the same keys, the same nesting.


@attrs.frozen
class TrickRow:
    """A completed trick."""

    leader: int
    cards: tuple[str, ...]
    winner: int | None


@attrs.frozen
class PlayingRow:
    """A `Playing` state as texts and numbers."""

    heartsrules: int
    kind: str
    phase: str
    whole: bool
    rules: dict[str, Any]
    deal_number: int
    scores: tuple[int, ...]
    score_sheet: tuple[Any, ...]
    start: dict[str, Any] | None
    hands: tuple[str, ...]
    kitty: str
    passes: tuple[tuple[str, ...], ...]
    exposed: tuple[str, ...]
    tricks: tuple[TrickRow, ...]
    leader: int
    trick: tuple[str, ...]
    turn: int
    hearts_broken: bool
    middle: dict[str, Any] | None


def cattrs_converter() -> cattrs.Converter:
    """The strictest converter possible: no unknown keys, no coercion of scalars."""
    converter = cattrs.Converter(forbid_extra_keys=True)

    def strict(kind: type) -> Callable[[Any, Any], Any]:
        def check(value: Any, _: Any) -> Any:
            if type(value) is not kind:
                raise TypeError(f"expected {kind.__name__}, not {type(value).__name__}")
            return value

        return check

    for kind in (int, str, bool):
        converter.register_structure_hook(kind, strict(kind))
    for row in (TrickRow, PlayingRow):
        converter.register_structure_hook(row, make_dict_structure_fn(row, converter, _cattrs_forbid_extra_keys=True))
        converter.register_unstructure_hook(row, make_dict_unstructure_fn(row, converter))
    return converter


def microseconds(work: Callable[[], int]) -> float:
    """Microseconds of processor time per unit of work, which other processes disturb less than wall-clock time."""
    gc.collect()
    begin = time.process_time()
    units = work()
    return (time.process_time() - begin) / units * 1e6


def spread(values: list[float]) -> str:
    """Format the median, the minimum and the maximum."""
    return f"{statistics.median(values):8.2f}   ({min(values):.2f} to {max(values):.2f})"


def repeat(function: Callable[[], object], count: int) -> Callable[[], int]:
    """Make a work that calls a function `count` times."""

    def work() -> int:
        for _ in range(count):
            function()
        return count

    return work


def records(count: int, seed: int) -> list[bytes]:
    """Make records of whole random matches as JSON."""
    rng = random.Random(seed)
    found: list[bytes] = []
    for number in range(count):
        game = Game.start(Rules(target=50))
        while not isinstance(game.state, GameOver):
            if isinstance(game.state, AwaitingDeal):
                game = game.play(deal(game.state, seed=f"{seed}/{number}/{game.ply}"))
            else:
                moves = legal_moves(game.state)
                game = game.play(moves[rng.randrange(len(moves))])
        found.append(to_json(Record.of(game)))
    return found


def apply_all(record: Record) -> State:
    """Apply all moves of a record."""
    state: State = new_game(record.rules)
    for move in record.moves:
        state = apply(state, move)
    return state


def voids_of(seen: Any) -> object:
    """The voids of a view: the first query of a bot."""
    return seen.voids


def line_of_play(state: State, seed: int) -> list[State]:
    """The states of a random line of play from a first lead."""
    rng = random.Random(seed)
    line: list[State] = []
    while isinstance(state, Playing):
        line.append(state)
        state = apply(state, rng.choice(legal_moves(state)))
    return line


def main() -> None:
    """Run the benchmark and print it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--deals", type=int, default=400, help="deals in each round")
    parser.add_argument("--rounds", type=int, default=9, help="rounds; every side plays in each")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    ours, peers = pairs(options.deals, options.seed, 0)
    our_halves, peer_halves = pairs(options.deals, options.seed, HALF)
    state = from_json(ours[0][0], State)
    document = our_halves[0][0]
    middle: Any = from_json(document, State)
    pickled = pickle.dumps(middle, pickle.HIGHEST_PROTOCOL)
    line = line_of_play(state, options.seed)
    decoder = msgspec.json.Decoder(_types.PlayingDocument, dec_hook=_texts.decode_custom)
    encoder = msgspec.json.Encoder(enc_hook=_texts.encode_custom)
    decoded = decoder.decode(document)
    converter = cattrs_converter()
    row = converter.structure(json.loads(document), PlayingRow)
    written = records(20, options.seed)
    read = [from_json(data, Record) for data in written]
    plays = Play(0, Card("QS"))
    works: dict[str, Callable[[], int]] = {
        "judge": lambda: round_of_ours(ours),
        "OpenSpiel": lambda: round_of_peer(peers),
        "OpenSpiel with the game": lambda: round_of_peer_with_game(peers),
        "judge, mid-deal": lambda: round_of_ours(our_halves),
        "OpenSpiel, mid-deal": lambda: round_of_peer(peer_halves),
        "OpenSpiel with the game, mid-deal": lambda: round_of_peer_with_game(peer_halves),
        "from_json, first lead": repeat(lambda: from_json(ours[0][0], State), 500),
        "from_json, mid-game": repeat(lambda: from_json(document, State), 200),
        "to_json, mid-game": repeat(lambda: to_json(middle), 500),
        "to_json of a view, mid-game": repeat(lambda: to_json(view(middle, 1)), 500),
        "to_json of a play": repeat(lambda: to_json(plays), 500),
        "msgspec decode, mid-game": repeat(lambda: decoder.decode(document), 500),
        "msgspec encode, mid-game": repeat(lambda: encoder.encode(decoded), 500),
        "json + cattrs decode": repeat(lambda: converter.structure(json.loads(document), PlayingRow), 200),
        "cattrs + json encode": repeat(lambda: json.dumps(converter.unstructure(row)), 200),
        "from_json of a record": lambda: len([from_json(data, Record) for data in written]),
        "verify of a record": lambda: len([verify(record) for record in read]),
        "replay of its moves": lambda: len([replay(record.rules, record.moves) for record in read]),
        "the bare apply calls": lambda: len([apply_all(record) for record in read]),
        "view of a seat, mid-game": repeat(lambda: view(middle, 1), 2000),
        "views of a deal, all seats": lambda: len([view(each, seat) for each in line * 10 for seat in range(4)]),
        "the same and its voids": repeat(lambda: voids_of(view(middle, 1)), 500),
        "why_illegal_cards of a deal": lambda: len([why_illegal_cards(each) for each in line * 10]),
        "unpickle a state, mid-game": repeat(lambda: pickle.loads(pickled), 500),
    }
    for work in works.values():
        work()
    times: dict[str, list[float]] = {name: [] for name in works}
    for _ in range(options.rounds):
        for name, work in works.items():
            times[name].append(microseconds(work))
    build = "compiled" if heartsrules.COMPILED else "interpreted"
    print(f"heartsrules {build}, Python {platform.python_version()}, {options.rounds} rounds of {options.deals} deals")
    print("\nratios within a round: median (minimum to maximum)")
    for one, other in (
        ("judge", "OpenSpiel"),
        ("judge", "OpenSpiel with the game"),
        ("judge, mid-deal", "OpenSpiel, mid-deal"),
        ("judge, mid-deal", "OpenSpiel with the game, mid-deal"),
        ("json + cattrs decode", "msgspec decode, mid-game"),
        ("cattrs + json encode", "msgspec encode, mid-game"),
        ("replay of its moves", "the bare apply calls"),
    ):
        ratios = [a / b for a, b in zip(times[one], times[other], strict=True)]
        print(f"  {one} / {other:34}{spread(ratios)}")
    print("\nmicroseconds: median (minimum to maximum)")
    for name, values in times.items():
        print(f"  {name:34}{spread(values)}")
    both = [a + b for a, b in zip(times["from_json of a record"], times["verify of a record"], strict=True)]
    length = statistics.mean(len(record.moves) for record in read)
    print(f"\nrecords read and verified per second: {1e6 / statistics.median(both):.0f} (of {length:.0f} moves each)")
    print(f"views made per second, mid-game: {1e6 / statistics.median(times['view of a seat, mid-game']):.0f}")
    print("\nbytes of JSON")
    assert isinstance(middle, Playing)
    for name, value in (
        ("state, first lead", state),
        ("state, mid-game", middle),
        ("view, mid-game", view(middle, 1)),
        ("public view, mid-game", public_view(middle)),
        ("play", plays),
    ):
        print(f"  {name:30}{len(to_json(value)):8}")
    print(f"  {'record of a match':30}{statistics.mean(map(len, written)):8.0f}")
    print(f"  {'OpenSpiel state, first lead':30}{len(peers[0][0]):8}")
    print("\nbytes of text")
    for name, value in (("position, first lead", state), ("position, mid-game", middle)):
        print(f"  {name:30}{len(format_position(value).encode()):8}")
    print(f"  {'record of a match':30}{statistics.mean(len(format_record(record).encode()) for record in read):8.0f}")


if __name__ == "__main__":
    main()
