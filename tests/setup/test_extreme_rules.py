"""What is written of games that were really played can be read, under rule sets of extreme values."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any, Final

import pytest

from heartsrules import AwaitingDeal, GameOver, InvalidRules, Rules, State, Suit, new_game
from heartsrules.formats.notation import format_position, format_record, parse_position, parse_record
from heartsrules.formats.wire import from_json, to_json
from heartsrules.play.game import Game, Record, verify
from heartsrules.rules import Bonus, BonusFloor, Doubler, Duplicates, HeartValues, Kitty, Moon, MoonCards, MoonScope
from support.strategies import match

pytestmark = pytest.mark.once_compiled

FACES: Final = tuple(Rules().deck)
KINDS: Final = 24
"""Extreme rule sets that are tried."""


def extreme(rng: Random) -> Rules:
    """Eight to eleven players with two decks, or fewer with one; 38 faces of different large values."""
    while True:
        decks = rng.choice((1, 2, 2))
        players = rng.randint(8, 11) if decks == 2 else rng.choice((3, 4, 5, 7))
        values = rng.sample(range(500, 1_800), 52)
        rng.shuffle(values)
        dear = dict(zip(rng.sample(FACES, 38), values, strict=False))
        rest = [card for card in FACES if card not in dear and card.suit is not Suit.HEARTS]
        moon = rng.choice(tuple(Moon))
        many = rng.randrange(2)
        options: dict[str, Any] = {
            "players": players,
            "decks": decks,
            "kitty": rng.choice([kind for kind in Kitty if kind is not Kitty.NONE]),
            "duplicates": rng.choice(tuple(Duplicates)),
            "heart_values": rng.choice((HeartValues.ONE, HeartValues.SPOT, (0,) * 13, tuple(values[:13]))),
            "extra_penalties": tuple(dear.items()),
            "bonuses": [Bonus(card, rng.randint(1, 100_000)) for card in rest[1 : None if many else 3]],
            "moon": moon,
            "moon_cards": MoonCards.ALL if moon is Moon.OFF else rng.choice(tuple(MoonCards)),
            "moon_points": rng.choice((None, 100_000)),
            "moon_needs_bonus": rng.randrange(2) == 0,
            "sun": moon is not Moon.OFF and rng.randrange(2) == 0,
            "no_tricks_bonus": rng.choice((0, 99_999)),
            "exposable": [card for card in dear if card.suit is not Suit.HEARTS][:5] if rng.randrange(2) else (),
            "target": 1_000_000_000,
            "max_deals": rng.choice((None, 2)),
        }
        if rng.randrange(2):
            options["doubler"] = Doubler(rest[0], rng.randint(2, 10), rng.choice((0, 100_000)))
        else:
            options["bonus_floor"] = rng.choice(tuple(BonusFloor))
        if players % 2 == 0 and players > 4:
            options |= {"teams": 2, "moon_scope": rng.choice(tuple(MoonScope))}
        try:
            return Rules(**options)
        except InvalidRules:
            continue


@pytest.mark.sampled(4)
@pytest.mark.parametrize("seed", range(KINDS))
def test_what_is_written_of_real_games_can_be_read(seed: int) -> None:
    rng = Random(f"extreme {seed}")
    seen: Counter[str] = Counter()
    rules = extreme(rng)
    states: list[State] = []
    game = Game(new_game(rules))
    for _, move, after in match(rules, rng, max_deals=2):
        game = game.play(move)
        if isinstance(after, (AwaitingDeal, GameOver)) or not rng.randrange(40):
            states.append(after)
    for state in states:
        assert from_json(to_json(state), State) == state
        assert parse_position(format_position(state)) == state
        seen["rows"] += len(state.score_sheet)
    record = Record.of(game)
    assert parse_record(format_record(record)) == record
    assert from_json(to_json(record), Record) == record
    assert verify(record).valid
    assert seen["rows"]
