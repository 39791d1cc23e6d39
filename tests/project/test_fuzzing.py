"""Every reader keeps its promises on the corpus and on a few thousand corrupted inputs; `nox -s fuzz` tries more."""

from __future__ import annotations

from random import Random

import pytest

from fuzzing import corpus
from fuzzing.mutations import mutated
from fuzzing.run import fuzz
from fuzzing.targets import TARGETS, Broken, same


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


def test_mutations_spoil_what_they_are_given() -> None:
    rng = Random(1)
    (own,) = corpus.read()["rules"][:1]
    changed = [mutated(own, rng, [own]) for _ in range(200)]
    assert sum([data != own for data in changed]) > 150
    assert len(set(changed)) > 100


def test_a_broken_promise_is_told() -> None:
    with pytest.raises(Broken, match="JSON: 1 is not 2"):
        same(1, 2, "JSON")
