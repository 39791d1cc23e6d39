"""Several interpreters in one process: compiled, all but the first one are refused; interpreted, all of them play."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import Final

import pytest

from heartsrules import COMPILED

PROGRAM: Final = '''
import gc
import sys

try:
    import _interpreters as interpreters

    create = interpreters.create
except ImportError:
    import _xxsubinterpreters as interpreters

    def create(kind):
        return interpreters.create(isolated=kind == "isolated")


PLAY = """
try:
    import heartsrules as h
    state = h.new_game(h.presets.cardstock())
    state = h.apply(state, h.deal(state, seed=1))
    print(h.legal_moves(state)[0], flush=True)
except ImportError as error:
    print(error, flush=True)
"""
created = {}
for name in sys.argv[1:]:
    if name == "main":
        exec(PLAY, {})
    elif name.startswith("destroy "):
        interpreters.destroy(created.pop(name.removeprefix("destroy ")))
        gc.collect()
    else:
        if name not in created:
            created[name] = create(name.split()[0])
        interpreters.run_string(created[name], PLAY)
'''
"""Plays a move in each interpreter that its arguments name, and prints the move or the refusal."""
REFUSAL: Final = "heartsrules is compiled, and only the first interpreter of a process that imports it can use it: "
MOVE: Final = "Play(0, Card('6C'))"
PROBE: Final = """
import _xxsubinterpreters
_xxsubinterpreters.run_string(_xxsubinterpreters.create(isolated=True), "import hashlib")
"""


def kinds() -> list[str]:
    """The kinds of interpreters. CPython 3.12.1 itself aborts at its end if an isolated one has imported hashlib."""
    if sys.version_info[:2] == (3, 12):
        done = subprocess.run([sys.executable, "-c", PROBE], capture_output=True, check=False)
        return ["legacy"] if done.returncode else ["legacy", "isolated"]
    return ["legacy", "isolated"]


def printed(*steps: str) -> list[str]:
    """The lines that the program prints for these steps."""
    # Without `site`, an interpreter starts in a third of the time.
    given = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}
    command = [sys.executable, "-S", "-c", PROGRAM, *steps]
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=given)
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout.splitlines()


@pytest.mark.once_compiled
@pytest.mark.parametrize("first", ["main", "legacy", "isolated"])
def test_compiled_only_the_first_interpreter_plays(first: str) -> None:
    if not COMPILED:
        pytest.skip("the interpreted build plays in all of them")
    if first not in ("main", *kinds()):
        pytest.skip("this CPython aborts after the import of hashlib in an isolated interpreter")
    others = [name for name in ("main", "legacy 2", "isolated 2") if name != first]
    steps = [first, *others, *others, *[f"destroy {name}" for name in others if name != "main"], first]
    if first != "main":
        steps += [f"destroy {first}", "main", "isolated 3"]
    names = [name for name in steps if not name.startswith("destroy ")]
    for name, line in zip(names, printed(*steps), strict=True):
        if name == first:
            assert line == MOVE
        else:
            assert line.startswith(REFUSAL)
            assert "WSGIApplicationGroup %{GLOBAL}" in line


@pytest.mark.once_interpreted
def test_interpreted_every_interpreter_plays() -> None:
    if COMPILED:
        pytest.skip("the compiled build plays in the first one only")
    steps = ["main", *kinds(), *[f"destroy {kind}" for kind in kinds()], "main"]
    assert printed(*steps) == [MOVE] * (len(kinds()) + 2)
