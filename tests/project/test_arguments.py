"""Refused calls: the error names the argument, what it must be and what it is, and both builds say the same."""

from __future__ import annotations

import json
import operator
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from fractions import Fraction
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

import pytest

import heartsrules
import heartsrules.analysis.playout
from heartsrules import COMPILED, AwaitingDeal, Rules, apply, chance, deal, new_game
from heartsrules.chance import RandomStream, SeededBits
from heartsrules.formats import notation
from heartsrules.rules import across, default_pass_cycle, left, middle, right, scatter
from support import public_calls

START = new_game(Rules())
DEAL = deal(START, seed=7)
PASSING: Any = apply(START, DEAL)
PASSES = heartsrules.legal_moves(PASSING)
NO_INT: tuple[Any, ...] = (1.0, "1", None, True, Fraction(1), [])


UNWORDED = re.compile(
    r"(Assertion|Attribute|Name|Recursion|ZeroDivision)Error: |TypeError: (?!.* must |Rules has no option)"
)
"""The errors of code that was not made for an argument. `Rules` is callable, and refuses what callbacks get."""


@pytest.mark.once_interpreted
@pytest.mark.parametrize("module", public_calls.modules())
def test_a_type_error_names_the_argument(module: str) -> None:
    """It is the package that words it; a value that is surely of a wrong type is always refused."""
    faults = []
    for call in public_calls.public_calls(module):
        if public_calls.names_arguments(call):
            for each in public_calls.wrong_types(call):
                name = each.parameter.name
                if each.surely_wrong:
                    named = rf"TypeError: (.*\W)?{name}\b.* must |(ValueError|InvalidRules): {name} is .*: choose "
                    fault = not re.match(named, each.outcome)
                else:
                    fault = bool(UNWORDED.match(each.outcome))
                if fault:
                    faults.append(f"{call.place}({name}: {each.parameter.type}): {each.outcome}")
    assert faults == []


class Integer:
    """An integer that is no int, as arrays hold."""

    def __init__(self, number: int) -> None:
        self.number = number

    def __index__(self) -> int:
        return self.number


@pytest.mark.parametrize("module", public_calls.modules())
def test_seats_and_seeds_may_come_from_arrays(module: str) -> None:
    """Values that keep what they are given, such as a `Setup`, take plain ints only."""
    for call in public_calls.public_calls(module):
        for name in {"seat", "seed", "dealer", "viewer"} & {each.name for each in call.parameters}:
            if public_calls.names_arguments(call):
                plain, other = (public_calls.outcome_with(call, name, kind(1)) for kind in (int, Integer))
                assert other == plain, f"{call.place}({name})"


MYPYC_CHECKS = re.compile(r"TypeError: .* object expected; got ")
"""mypyc looks at the class of an argument before a function begins, without a name for the argument. Interpreted, a
function that trusts its callers does not look. Both builds are the same in everything that checks its arguments.

NumPy takes a bag for a sequence only where it is interpreted: mypyc makes a mapping of what has subscripts.

From CPython 3.12 on, the lazy sequences of moves take weak references only where they are interpreted: their base class
is not compiled.

Not tried are special methods that are called by their names (`hand.__len__(1)`), and methods of a class that are given
an object of another one (`Cards.faces(1)`): CPython words these refusals for whatever is written in C."""


@pytest.mark.once_compiled
@pytest.mark.skipif(not COMPILED, reason="there is one build")
def test_both_builds_refuse_the_same_in_the_same_words(tmp_path: Path) -> None:
    source = Path(str(heartsrules.__file__)).parent
    shutil.copytree(source, tmp_path / "heartsrules", ignore=shutil.ignore_patterns("*.so", "*.pyd", "__pycache__"))
    folders = [str(tmp_path), str(Path(__file__).parents[1])]
    ran = subprocess.run(
        [sys.executable, "-m", "support.public_calls"],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(folders)},
        capture_output=True,
        check=True,
        timeout=600,
    )
    interpreted = json.loads(ran.stdout)
    assert not interpreted["compiled"]
    resolved = public_calls.outcomes()
    assert len(resolved) > 60_000
    assert resolved.keys() == interpreted["outcomes"].keys()
    trusting = {
        call.place
        for module in public_calls.modules()
        for call in public_calls.public_calls(module)
        if not public_calls.names_arguments(call)
    }
    different = {
        what: (text, interpreted["outcomes"][what])
        for what, text in resolved.items()
        if text != interpreted["outcomes"][what]
        and not re.fullmatch(r"play\.\w+\.(Deal|Expose|Pass)Moves weak reference", what)
        and not what.startswith("bridges.vector.unpack_masks(legal: ")
        and not (what.partition("(")[0] in trusting and MYPYC_CHECKS.match(text))
    }
    assert different == {}


@pytest.mark.parametrize("name", ["add", "sub", "and_", "or_", "xor", "mul", "truediv", "lt", "le", "gt", "ge"])
def test_operators_let_the_other_operand_answer(name: str) -> None:
    call = getattr(operator, name)
    for one in public_calls.instances().values():
        for operands in ((one, public_calls.Foreign()), (public_calls.Foreign(), one)):
            with pytest.raises(public_calls.Answered):
                call(*operands)


def test_a_foreign_type_is_named_with_its_module() -> None:
    numpy_bool: Any = type("bool", (), {"__module__": "numpy"})()
    with pytest.raises(TypeError, match=r"^sun must be a bool, not a numpy\.bool$"):
        Rules(sun=numpy_bool)
    own: Any = type("Card", (), {})()
    with pytest.raises(TypeError, match=rf"^card must be a Card, not a {re.escape(__name__)}\.Card$"):
        Rules().penalty(own)
    other: Any = type("Rules", (), {"__module__": "heartsrules.rules"})()
    with pytest.raises(TypeError, match=r"^rules must be a Rules, not a Rules of another import of heartsrules$"):
        new_game(other)


def test_the_number_of_bits_is_an_int() -> None:
    for bits in (SeededBits(7), RandomStream(7)):
        for wrong in NO_INT:
            with pytest.raises(TypeError, match="k must be an int, not"):
                bits.getrandbits(wrong)
        for outside in (0, 65, -1, 2**63, 10**5000):
            with pytest.raises(ValueError, match="k must be from 1 to 64, not"):
                bits.getrandbits(outside)


def test_lazy_sequences_take_the_indices_that_tuples_take() -> None:
    class Second:
        def __index__(self) -> int:
            return 1

    moves: Any = PASSES
    assert moves[True] == moves[1] == moves[Second()] == tuple(moves)[1]
    assert moves[-1] == moves[len(moves) - 1]
    assert moves[1:3] == (moves[1], moves[2])
    deals: Any = heartsrules.legal_moves(START)
    for lazy in (moves, deals):
        for wrong in (1.5, "1", None, (1,)):
            with pytest.raises(TypeError, match="index must be an int or a slice, not"):
                lazy[wrong]
    for outside in (len(moves), -len(moves) - 1, 2**63, -(2**70), 10**5000):
        with pytest.raises(IndexError, match="there is none at"):
            moves[outside]


def test_all_deals_are_not_counted_and_not_searched() -> None:
    deals: Any = heartsrules.legal_moves(START)
    calls: list[Callable[[], object]] = [
        lambda: len(deals),
        lambda: deals[0],
        lambda: deals[0:2],
        lambda: deals.count(DEAL),
        lambda: deals.index(DEAL),
        lambda: deals.index(DEAL, 1, 5),
        lambda: next(reversed(deals)),
    ]
    for call in calls:
        with pytest.raises(OverflowError, match="too many deals"):
            call()
    assert DEAL in deals


SURROGATE = "lobby \ud800"


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: SeededBits(SURROGATE), "seed holds a lone surrogate at index 6"),
        (lambda: SeededBits("lobby", SURROGATE), "label holds a lone surrogate at index 6"),
        (lambda: RandomStream(SURROGATE), "seed holds a lone surrogate at index 6"),
        (lambda: deal(START, seed=SURROGATE), "seed holds a lone surrogate at index 6"),
        (lambda: SeededBits(10**5000), "seed is a number of about 5001 digits: give at most 600 digits"),
        (lambda: RandomStream(-(10**600)), "seed is a number of about 601 digits: give at most 600 digits"),
        (lambda: deal(START, seed=10**5000), "seed is a number of about 5001 digits: give at most 600 digits"),
        *[
            (partial(call, count), f"count is {words}: choose from 1 to {most} cards")
            for call, most in ((left, 34), (right, 34), (across, 34), (middle, 17))
            for count, words in ((0, "0"), (-1, "-1"), (35, "35"), (10**30, "a number of about 31 digits"))
        ],
        (
            lambda: heartsrules.cut_for_deal(10**5000, Random(7)),
            "players is a number of about 5001 digits: choose 3 to 11",
        ),
        *[
            (partial(call, players=players), f"players is {words}: choose 3 to 11")
            for call in (scatter, default_pass_cycle)
            for players, words in ((2, "2"), (12, "12"), (-1, "-1"), (10**30, "a number of about 31 digits"))
        ],
        (
            lambda: heartsrules.analysis.playout.playout(START, Random(7), deals=-(10**5000)),
            "deals is a number of about 5001 digits",
        ),
        (lambda: chance.below(Random(7), 10**5000), "bound must be from 1 to .* not a number of about 5001 digits"),
        (lambda: RandomStream(7).below(10**5000), "bound must be from 1 to .* not a number of about 5001 digits"),
        (lambda: RandomStream(7).pick(4097), "bound must be from 1 to 4096, not 4097"),
        (lambda: RandomStream(7).fair(0), r"bound must be from 1 to 2\*\*31, not 0"),
        (lambda: RandomStream.from_bits(10**5000), "bits must be from 0 to .* not a number of about 5001 digits"),
        (lambda: RandomStream(0, (0, 0, 0, 10**5000)), "words must be from 0 to .* not a number of about 5001 digits"),
        (
            lambda: notation.parse_field("players", "4", 10**5000),
            "players is a number of about 5001 digits: choose 3 to 11",
        ),
    ],
)
def test_what_is_refused_is_named(call: Callable[[], object], words: str) -> None:
    with pytest.raises(ValueError, match=words) as caught:
        call()
    assert not isinstance(caught.value, UnicodeError)


def test_the_longest_seed_still_stands_for_its_decimal_text() -> None:
    longest = 10**600 - 1
    assert SeededBits(longest).getrandbits(64) == SeededBits("9" * 600).getrandbits(64)
    assert isinstance(START, AwaitingDeal)
    assert deal(START, seed=-longest) == deal(START, seed="-" + "9" * 600)
