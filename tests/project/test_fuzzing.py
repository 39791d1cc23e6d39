"""Every reader keeps its promises on the corpus and on a few thousand corrupted inputs; `nox -s fuzz` tries more."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from random import Random

import pytest

from fuzzing import corpus
from fuzzing.mutations import mutated
from fuzzing.run import fuzz
from fuzzing.targets import TARGETS, Broken, same
from support.rounds import rounds

pytestmark = pytest.mark.once_compiled

BOUNDED = pytest.mark.skipif(not hasattr(os, "fork"), reason="this system cannot limit the time")


def test_the_corpus_is_of_the_current_formats() -> None:
    """`nox -s generate` writes it anew."""
    found: dict[str, dict[bytes, None]] = {}
    for target, data in corpus.inputs():
        found.setdefault(target, {})[data] = None
    assert {target: list(own) for target, own in found.items()} == corpus.read()


def test_every_target_has_inputs() -> None:
    assert corpus.read().keys() == TARGETS.keys()


@pytest.mark.untraced
def test_spoiled_inputs_are_refused_as_documented() -> None:
    done = fuzz(3600, 20261122)
    assert min(done.values()) >= 60


@pytest.mark.untraced
def test_spoiled_texts_are_refused_as_documented() -> None:
    """More of them than of other inputs: people write them by hand."""
    fuzz(rounds(5000), 20261122, ("record-text", "position-text"))


def spoil_every_leaf(*options: str) -> None:
    environ = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[1])}
    command = [sys.executable, "-m", "fuzzing.bounded", *options]
    done = subprocess.run(command, env=environ, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, ""), done.stdout


@BOUNDED
def test_no_document_takes_a_second() -> None:
    spoil_every_leaf("--documents", "1000", "--one-in", "100", "--seed", "20261122")


@BOUNDED
@pytest.mark.long
def test_no_document_of_many_takes_a_second() -> None:
    spoil_every_leaf("--documents", "30000", "--one-in", "10", "--seed", "3")


def test_mutations_spoil_what_they_are_given() -> None:
    rng = Random(1)
    (own,) = corpus.read()["rules"][:1]
    changed = [mutated(own, rng, [own]) for _ in range(200)]
    assert sum([data != own for data in changed]) > 150
    assert len(set(changed)) > 100


def test_a_broken_promise_is_told() -> None:
    with pytest.raises(Broken, match="JSON: 1 is not 2"):
        same(1, 2, "JSON")
