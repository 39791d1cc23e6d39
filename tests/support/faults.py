"""Faults of the engine, which must be noticed: each is a small change of its source, and breaks some rulings.

`python -m support.faults` plants one after the other, each in a process of its own. A case of each ruling that it
breaks must notice it. So must the conformance suite of the rule set that the fault names, which the engine without the
fault has written and the engine with it checks. `tests/data/faults.toml` lists the faults.
"""

from __future__ import annotations

import argparse
import os
import random
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from importlib import machinery
from pathlib import Path
from types import CodeType
from typing import Final

import attrs

from support import rulings

__all__ = ["FAULTS", "SOURCE", "Fault", "hunt"]

SOURCE: Final = rulings.ROOT / "src" / "heartsrules"


@attrs.frozen
class Fault:
    """One change of the engine."""

    name: str
    rulings: Sequence[str]
    """The rulings that it breaks; each of them has a case that must notice it."""
    module: str
    """A path below the package, without `.py`."""
    old: str
    """A text that the source of the module has once."""
    new: str
    """The text that replaces it."""
    suite: str = ""
    """The id of a rule set whose conformance suite must notice it, if there is one."""

    @property
    def places(self) -> int:
        """How often the text stands in the module."""
        return (SOURCE / f"{self.module}.py").read_text(encoding="utf-8").count(self.old)


def _listed() -> Iterator[Fault]:
    """The faults of the file, and one for each refused combination: a constructor of rules that accepts it."""
    text = (rulings.ROOT / "tests" / "data" / "faults.toml").read_text(encoding="utf-8")
    for fault in tomllib.loads(text)["fault"]:
        yield Fault(**fault | {"rulings": [f"HR-{id_}" for id_ in fault["rulings"]]})
    for ruling in rulings.rulings():
        _, _, code = ruling.id.partition("HR-refused.")
        if code:
            yield Fault(
                f"{code} is not refused",
                [ruling.id],
                "rules/_rules",
                "problems = tuple(unknown or problems_of(self))",
                f'problems = tuple([each for each in unknown or problems_of(self) if each.code != "{code}"])',
            )


FAULTS: Final = tuple(_listed())


def _plant(fault: Fault) -> str:
    """Have the module of a fault loaded with the change, and return its name."""
    name = f"heartsrules.{fault.module.replace('/', '.')}"
    assert name not in sys.modules, f"{name} was imported before"

    class Loader(machinery.SourceFileLoader):
        def get_code(self, fullname: str) -> CodeType | None:
            if fullname != name:
                return super().get_code(fullname)
            # Past the cache of byte code.
            source = (self.get_source(fullname) or "").replace(fault.old, fault.new)
            return compile(source, self.path, "exec", dont_inherit=True)

    extensions = (machinery.ExtensionFileLoader, machinery.EXTENSION_SUFFIXES)
    sys.path_hooks.insert(0, machinery.FileFinder.path_hook(extensions, (Loader, machinery.SOURCE_SUFFIXES)))
    sys.path_importer_cache.clear()
    return name


def missed(fault: Fault, folder: Path) -> list[str]:
    """Plant a fault, and return the rulings without a case that notices it, and its suite if that does not.

    The process is spoiled by it.
    """
    planted = _plant(fault)
    unnoticed = []
    if fault.suite:
        from support import conforming  # with the fault

        unnoticed = [] if conforming.first_mistake([folder / f"{fault.suite}.jsonl"]) else [fault.suite]
    found = rulings.noticed(fault.rulings)
    assert planted in sys.modules
    return [*[id_ for id_ in fault.rulings if id_ not in found], *unnoticed]


def write_suites(faults: Iterable[Fault], folder: Path) -> None:
    """Write the suites that faults name, a file for each rule set."""
    import msgspec

    from heartsrules import presets
    from heartsrules.testing.conformance import OPTIONS, lines

    rule_sets = {f"options-{name}": rules for name, rules in OPTIONS.items()}
    for name, preset in presets.ALL.items():
        rule_sets |= {f"{name}-{players}": preset(players) for players in preset.players}
    for name in sorted({fault.suite for fault in faults if fault.suite}):
        written = map(msgspec.json.encode, lines(rule_sets[name], name, name))
        (folder / f"{name}.jsonl").write_bytes(b"".join([line + b"\n" for line in written]))


def hunt(faults: Sequence[Fault], folder: Path) -> Iterator[tuple[Fault, list[str]]]:
    """Plant each fault alone, and yield it with what does not notice it.

    Args:
        faults: the faults.
        folder: an empty folder for the suites that they name.

    Raises:
        RuntimeError: a process ended otherwise than it should.
    """

    def one(fault: Fault) -> tuple[Fault, list[str]]:
        command = [sys.executable, "-m", "support.faults", "--plant", fault.name, str(folder)]
        paths = os.pathsep.join([str(SOURCE.parent), str(rulings.ROOT / "tests")])
        run = subprocess.run(
            command, env={**os.environ, "PYTHONPATH": paths}, capture_output=True, text=True, check=False
        )
        lines = run.stdout.splitlines()
        if not lines or not lines[-1].startswith("missed:"):
            raise RuntimeError(f"{fault.name}: {run.stdout}{run.stderr}")
        return fault, lines[-1].split()[1:]

    write_suites(faults, folder)
    with ThreadPoolExecutor(os.cpu_count()) as threads:
        yield from threads.map(one, faults)


def main() -> int:
    """Plant the faults, and print what does not notice them. Returns the exit code."""
    parser = argparse.ArgumentParser(prog="python -m support.faults", description=__doc__)
    parser.add_argument("--fault", metavar="TEXT", default="", help="only faults with this text in their name or an id")
    parser.add_argument("--sample", type=int, help="the number of faults to draw at random, instead of all")
    parser.add_argument("--seed", default="1", help="of the sample")
    parser.add_argument("--plant", nargs=2, metavar=("NAME", "FOLDER"), help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.plant:
        (fault,) = [fault for fault in FAULTS if fault.name == asked.plant[0]]
        print("missed:", *missed(fault, Path(asked.plant[1])))
        return 0
    faults = [fault for fault in FAULTS if asked.fault in fault.name or asked.fault in fault.rulings]
    if asked.sample is not None:
        faults = random.Random(asked.seed).sample(faults, min(asked.sample, len(faults)))
    problems = 0
    with tempfile.TemporaryDirectory() as folder:
        for fault, unnoticed in hunt(faults, Path(folder)):
            for each in unnoticed:
                problems += 1
                print(f"not noticed: {fault.name}: {each}", flush=True)
    print(f"{len(faults)} faults: {problems} problems")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
