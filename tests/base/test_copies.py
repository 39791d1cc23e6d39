"""Copies and pickles: every object that is handed out can be copied and pickled, with every protocol."""

from __future__ import annotations

import copy
import pickle
import re
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import pytest

from heartsrules import Cards, DealingBack, Rules, legal_moves, new_game
from heartsrules.chance import RandomStream, SeededBits
from heartsrules.play.exposing import exposures_in
from heartsrules.play.lazy_moves import Choices
from heartsrules.rules import middle
from support import public_calls
from support.random_play import reached

PROGRAMS = ("apps.", "simulation.executors.")
"""Programs and their processes, which hold locks and sockets."""


def ways() -> Iterator[Callable[[Any], Any]]:
    """The ways to make another object of the same value."""
    yield copy.copy
    yield copy.deepcopy
    for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
        yield partial(pickled, protocol)


def pickled(protocol: int, one: object) -> Any:
    return pickle.loads(pickle.dumps(one, protocol))


def lazy_moves() -> Iterator[Any]:
    """The lazy sequences of moves: before a deal, while passing and exposing, and before a pile is dealt back."""
    for place, one in public_calls.instances().items():
        if place.endswith((".DealMoves", ".Choices")):
            yield one
    yield Choices((exposures_in(Rules(exposable="QS")._resolved, 0, Cards("QS"), Cards()),))
    state = reached(new_game(Rules(pass_cycle=[middle(3)])), lambda state: isinstance(state, DealingBack))
    yield legal_moves(state)


def test_what_is_handed_out_can_be_copied_and_pickled() -> None:
    found = [one for place, one in public_calls.instances().items() if not place.startswith(PROGRAMS)]
    for one in (*found, *lazy_moves()):
        for way in ways():
            made = way(one)
            assert type(made) is type(one)
            # Streams and environments are not compared by their values.
            assert made == one or re.sub("0x[0-9a-f]+", "", f"{made!r}") == re.sub("0x[0-9a-f]+", "", f"{one!r}")


def test_a_lazy_sequence_of_moves_cannot_be_changed() -> None:
    for moves in lazy_moves():
        for name in ("novel", "_parts", "_count", "_rules", "_laid", "count"):
            with pytest.raises(AttributeError):
                setattr(moves, name, getattr(moves, name, 1))
            with pytest.raises(AttributeError):
                delattr(moves, name)


@pytest.mark.parametrize("kind", [RandomStream, SeededBits])
def test_a_copy_of_a_stream_goes_on_where_the_stream_is(kind: Callable[[int], RandomStream | SeededBits]) -> None:
    for drawn in (0, 1, 4, 5):
        stream = kind(7)
        for _ in range(drawn):
            stream.getrandbits(64)
        copies = [way(stream) for way in ways()]
        if isinstance(stream, RandomStream):
            copies += [stream.copy(), eval(repr(stream))]
        going_on = [stream.getrandbits(64) for _ in range(9)]
        assert all([[made.getrandbits(64) for _ in range(9)] == going_on for made in copies])


def test_iterators_cannot_be_copied_whatever_they_are_written_in() -> None:
    for moves in lazy_moves():
        for way in ways():
            with pytest.raises(TypeError, match=r"^cannot pickle 'generator' object$"):
                way(iter(moves))
