"""`python -m fuzzing.guided TARGET [libFuzzer's options]`: coverage guides what is tried (needs atheris).

HEARTSRULES_CORPUS in the environment is a folder that keeps the inputs that have reached something new.
"""

from __future__ import annotations

import importlib
import os
import sys
import tempfile
from pathlib import Path
from random import Random
from typing import Any

atheris: Any = importlib.import_module("atheris")

with atheris.instrument_imports(include=["heartsrules"]):
    from fuzzing.targets import TARGETS

from fuzzing import corpus  # noqa: E402 - what is imported first is what coverage sees
from fuzzing.mutations import mutated  # noqa: E402


def main() -> None:
    """Fuzz one target from its corpus on."""
    name = sys.argv.pop(1)
    own = corpus.read()[name]

    def mutate(data: bytes, most: int, seed: int) -> bytes:
        rng = Random(seed)
        if rng.random() < 0.5:
            return bytes(atheris.Mutate(data, most))
        return mutated(data, rng, own)[:most]

    with tempfile.TemporaryDirectory() as folder:
        for number, data in enumerate(own):
            (Path(folder) / str(number)).write_bytes(data)
        kept = os.environ.get("HEARTSRULES_CORPUS")
        if kept:
            Path(kept).mkdir(parents=True, exist_ok=True)
        # libFuzzer writes to the first folder and reads from all.
        atheris.Setup([*sys.argv, *([kept] if kept else []), folder], TARGETS[name], custom_mutator=mutate)
        atheris.Fuzz()


if __name__ == "__main__":
    main()
