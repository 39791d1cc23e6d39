"""The inputs that fuzzing begins with, in the current formats; `nox -s generate` writes them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Final

from heartsrules import Card, Cards, presets
from heartsrules.apps.serve import OPERATIONS
from heartsrules.apps.serve.openapi import example_request
from heartsrules.bridges import openspiel
from heartsrules.chance import RandomStream
from heartsrules.formats.notation import format_position, format_record, format_rules
from heartsrules.formats.wire import to_json
from heartsrules.play.dealing import deal
from heartsrules.play.engine import apply, legal_moves, new_game, why_illegal
from heartsrules.play.events import redact
from heartsrules.play.game import Game, Record
from heartsrules.play.moves import Deal, Pass, Play
from heartsrules.play.state import AwaitingDeal, GameOver, Passing, Playing, State
from heartsrules.play.transitions import events_between, transition
from heartsrules.rules import (
    HOLD,
    Bonus,
    Compulsory,
    Doubler,
    Exposure,
    HeartsBreak,
    HeartValues,
    Kitty,
    Moon,
    MoonCards,
    OpeningCard,
    OpeningLeader,
    PassOptional,
    Rules,
    TargetScope,
)
from heartsrules.views import public_view, view
from support.history import forgotten
from support.random_play import play_on

FOLDER: Final = Path(__file__).with_name("corpus")
LOGS: Final = Path(__file__).parents[1] / "data" / "foreign"

RULES: Final = (
    Rules(target=None, max_deals=2),
    Rules(players=3, removed="2D", moon=Moon.CHOICE, target=20),
    Rules(players=5, kitty=Kitty.FIRST_POINT, pass_optional=PassOptional.SKIP, max_deals=2),
    Rules(bonuses=[Bonus(Card("JD"), 10)], heart_values=HeartValues.SPOT, exact_resets=((100, 50),), max_deals=2),
    presets.dicegamedepot_cancellation(6),
    presets.openspiel(),
    Rules(
        opening_leader=OpeningLeader.QUEEN_TAKER,
        opening_card=OpeningCard.UNRESTRICTED,
        hearts_break=HeartsBreak.DISCARDED,
        compulsory=Compulsory.SAFE,
        compulsory_cards="QS TD",
        bonuses=[Bonus(Card("JD"), 10), Bonus(Card("9D"), 5)],
        doubler=Doubler(Card("TC"), 2, 50),
        moon=Moon.SHOOTER_DOWN,
        moon_cards=MoonCards.HEARTS,
        target_scope=TargetScope.PLAYER,
        bonus_target=500,
        max_deals=3,
    ),
    *[
        Rules(
            pass_cycle=(HOLD,),
            exposable="QS JD TC AH",
            exposure=exposure,
            bonuses=[Bonus(Card("JD"), 10)],
            doubler=Doubler(Card("TC"), 2, 50),
            max_deals=3,
        )
        for exposure in Exposure
    ],
)


def games() -> Iterator[tuple[Game, Random]]:
    """A game of each rule set, of up to three deals."""
    for number, rules in enumerate(RULES):
        rng, chance = Random(number), RandomStream(f"corpus {number}")
        yield play_on(Game.start(rules), rng, 150, chance), rng


def inputs() -> Iterator[tuple[str, bytes]]:
    """(name of the target, input) pairs."""
    for game, rng in games():
        rules = game.rules
        yield "rules", to_json(rules)
        yield "rules-text", format_rules(rules).encode()
        for field in format_rules(rules).split():
            yield "field-text", field.encode()
        record = Record.of(game.fork(min(game.ply, 70)), tags=[("Event", "club night")])
        yield "record", to_json(record)
        yield "replay", to_json(record)
        yield "winning-seat", to_json(Record.of(game.fork(20)))
        yield "record-text", format_record(record).encode()
        for ply in sorted({0, 2, rules.players, 40, rng.randrange(game.ply), game.ply - 1}):
            if ply < game.ply:
                yield from of_state(game.at(ply), game, ply, rng)
        yield from of_state(game.state, game, None, rng)
    for operation in OPERATIONS.values():
        yield "serve", example_request(operation)
    yield "card-text", b"QS"
    yield "cards-text", b"QS KS 2H 2H"
    yield from _own_states()
    for name in ("Ann", '<b>Bob & "Cleo"</b>', "\0\x1b[2J\ufffe", "#14603a", "url(x)"):
        yield "names", name.encode()
    moves = openspiel_game()
    for target, name in (("xinxin", "xinxin.play"), ("turbo-hearts", "turbo_hearts.jsonl")):
        log = (LOGS / name).read_bytes()
        yield target, log
        yield target, log[: len(log) // 3]
    yield "turbo-hearts", json.dumps([json.loads(line) for line in log.splitlines()[:30]]).encode()
    yield "openspiel", bytes([action + 1 for action in openspiel.history_of(presets.openspiel(), moves)])


def _own_states() -> Iterator[tuple[str, bytes]]:
    """What apps tell of their own states: each function asked something that can be, at each table."""
    pack = list(range(52))
    quarters = [pack[seat::4] for seat in range(4)]
    dealt = [card for quarter in quarters for card in (*quarter, 255)][:-1]
    tails = ([40, 41, 42, 43, 44], [0, 13, 36, 255, 36], dealt, [13, 14, 15, 16, 20, 1, 1, 11])
    for asked in range(13):
        for table in range(6):
            yield "own-state", bytes([asked, table, 1, 101, *tails[(asked + table) % 4]])


def openspiel_game() -> list[Deal | Pass | Play]:
    """The moves of a whole game that OpenSpiel could have played."""
    rng = Random(9)
    state: State = new_game(presets.openspiel())
    moves: list[Deal | Pass | Play] = []
    while not isinstance(state, GameOver):
        move = deal(state, rng=rng) if isinstance(state, AwaitingDeal) else legal_moves(state)[0]
        assert isinstance(move, (Deal, Pass, Play))
        moves.append(move)
        state = apply(state, move)
    return moves


def of_state(state: State, game: Game, ply: int | None, rng: Random) -> Iterator[tuple[str, bytes]]:
    """The inputs for each target made of a state of a game, and of the move that follows if its ply is given."""
    document = to_json(state)
    yield "state", document
    yield "setup", document
    line = format_position(state).encode()
    yield "position-text", line
    yield "setup-text", line
    seat = rng.randrange(state.rules.players)
    seen = view(state, seat)
    yield "view", to_json(rng.choice((seen, public_view(state))))
    if isinstance(state, Passing):
        cards = list(state.hands[seat])[::5]
        chosen = [Cards(cards[:1]), Cards(cards[1:])][: len(state.plan)]
        yield "pass-options", to_json(seen) + b"\n\n" + "\n".join(map(str, chosen)).encode()
    for row in state.score_sheet[-1:]:
        yield "deal-score", to_json(row)
    if ply is None:
        return
    move = game.moves[ply]
    yield "move", to_json(move)
    yield "judge", document + b"\n\n" + to_json(move)
    events = redact(events_between(state, move, game.at(ply + 1)), seat)
    yield "events", to_json(events)
    yield "event", to_json(events[-1])
    yield "advance", to_json(seen) + b"\n\n" + to_json(events)
    yield "serve", b'{"id":1,"op":"transition","state":%b,"move":%b}' % (document, to_json(move))
    yield "serve", b'{"id":[],"op":"playability","seat":%d,"view":%b}' % (seat, to_json(seen))
    yield "transition", to_json(transition(state, move))
    for reason in why_illegal(state, Play(seat, next(iter(state.rules.deck)))):
        yield "violation", to_json(reason)
    if isinstance(state, Playing) and state.trick_number:
        middle = forgotten(state)
        yield "state", to_json(middle)
        yield "position-text", format_position(middle).encode()


def files() -> dict[str, bytes]:
    """The files by name, one for each target: an array of texts, a character for each byte."""
    found: dict[str, dict[bytes, None]] = {}
    for target, data in inputs():
        found.setdefault(target, {})[data] = None
    texts = {target: [data.decode("latin-1") for data in own] for target, own in found.items()}
    return {f"{target}.json": (json.dumps(own, indent=0) + "\n").encode() for target, own in texts.items()}


def read(folder: Path = FOLDER) -> dict[str, list[bytes]]:
    """The inputs by target."""
    return {
        path.stem: [text.encode("latin-1") for text in json.loads(path.read_text(encoding="utf-8"))]
        for path in sorted(folder.iterdir())
    }
