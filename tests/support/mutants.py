"""Mutation testing: changes the package one operator at a time, and lists the changes that no test notices.

mutmut makes the changes and runs, of the tests named here, those that reach the function that was changed. It works on
a copy of the checkout.

A change of the text of a type in `cast()` is not counted: only type checkers read it. What runs while a module is
imported is changed as well, but mutmut makes its change after that: only a test that imports the module once more
notices it, as `test_wire_parts.py` does.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from fnmatch import fnmatch
from pathlib import Path
from typing import Final

import attrs

__all__ = ["Outcome", "for_type_checkers", "mutate"]

ROOT: Final = Path(__file__).resolve().parents[2]
PLAY: Final = ("play/legality", "play/passing", "play/exposing", "play/scoring", "play/tricks", "setup/_check")
"""The rules of play: every change of these is tried."""
REST: Final = ("views/*", "play/events", "formats/notation/*", "formats/wire/*")
"""Of these, a sample."""
_RULES: Final = (
    "worked_cases legality tricks passing exposing scoring engine check setup rules row_check events messages"
    " arguments stateless"
)
TESTS: Final[Mapping[str, str]] = {
    "views/*": (
        "views events following refused_events refusals worlds hidden_pile view_check counting endings check messages"
        " arguments"
    ),
    "play/events": "views events following refused_events refusals messages arguments",
    "formats/notation/*": (
        "notation notation_standard move_text refused_texts refusals readers errors setup check messages arguments"
    ),
    "formats/wire/*": "wire wire_parts refused_documents refusals readers errors setup check arguments messages",
}
"""By module, the tests that import it and prove it; of the rules of play `_RULES`."""

_SETTINGS: Final = """
[tool.mutmut]
source_paths = ["src/heartsrules"]
only_mutate = {modules}
also_copy = ["conftest.py", "docs", "README.md", "CHANGELOG.md"]
pytest_add_cli_args = ["-p", "no:cacheprovider", "-p", "no:xdist", "-m", "not long and not web and not types",
    {left_out}]
pytest_add_cli_args_test_selection = {tests}
use_git_change_detection = false
timeout_constant = 30.0
timeout_multiplier = 3.0
process_isolation = "forkserver"
"""
_ELSEWHERE: Final = (".*", "_build", "build", "dist", "__pycache__", "mutants", "node_modules")
_LEFT_OUT: Final = (
    "setup/test_check.py::test_every_code_has_a_case",
    "messages/test_messages.py::test_every_problem_that_is_made_has_words",
    "rules/test_rules.py::test_every_problem_code_of_a_rule_set_is_in_the_table",
)
"""Tests that read the source, which is full of changes."""
_VALUE_CLASS: Final = re.compile(
    r"^@final\n(?:@mypyc_attr\(.*\)\n)?class .*\((?:Value|Hashed|StartedDeal|KnownDeal|In[A-Z]\w+)\b.*\):$",
    re.MULTILINE,
)
_CAST: Final = re.compile(r'\bcast\((?:"[^"]*"|None), ')
_SPINNING: Final = tuple("⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏")
_ENDS: Final = {0: "survived", 5: "untested", 33: "untested", None: "not tried", 34: "left out"}
"""How a mutant ended, by the exit code that mutmut keeps; any other one means that a test noticed it."""


@attrs.frozen
class Outcome:
    """What became of the mutants that were tried."""

    tried: frozenset[str]
    """Their names."""
    unnoticed: Mapping[str, str]
    """For each mutant that no test noticed, what was changed in it."""

    @property
    def share(self) -> float:
        """The share of the mutants that were noticed."""
        return 1 - len(self.unnoticed) / len(self.tried)

    @property
    def by_package(self) -> dict[str, tuple[int, int]]:
        """For each package, such as `play` or `formats.wire`, how many were not noticed and how many were tried."""
        unnoticed, tried = (Counter(map(_package_of, names)) for names in (self.unnoticed, self.tried))
        return {package: (unnoticed[package], tried[package]) for package in sorted(tried)}


def mutate(
    modules: Sequence[str],
    tests: Iterable[str],
    folder: Path,
    *,
    only: Sequence[str] = (),
    sample: int | None = None,
    seed: str = "",
) -> Outcome:
    """Try mutants of some modules.

    Args:
        modules: paths under `src/heartsrules`, without `.py`; a pattern may end in `*`.
        tests: which tests to run, as pytest's arguments.
        folder: where to make the copy; it must not exist.
        only: patterns of mutmut's names of mutants: only these are tried; none: all.
        sample: how many of them are tried, drawn with `seed`; None: all.
        seed: of the draw.

    Raises:
        ValueError: there is no such module.
        RuntimeError: the tests fail without any change, or reach nothing that can be changed.
    """
    chosen = [f"src/heartsrules/{module}" + (".py" if not module.endswith("*") else "") for module in modules]
    for module, pattern in zip(modules, chosen, strict=True):
        if not any(ROOT.glob(pattern)):
            raise ValueError(f"there is no module {module}: name one such as {', '.join([*PLAY, *REST])}")
    shutil.copytree(ROOT, folder, ignore=shutil.ignore_patterns(*_ELSEWHERE))
    with (folder / "pyproject.toml").open("a", encoding="utf-8") as file:
        left_out = ", ".join([f'"--deselect=tests/{test}"' for test in _LEFT_OUT])
        file.write(_SETTINGS.format(modules=json.dumps(chosen), tests=json.dumps([*tests]), left_out=left_out))
    # Sealing takes the constructor of a value apart, so it must be as it was written.
    for path in (folder / "src").rglob("*.py"):
        source = path.read_text(encoding="utf-8")
        path.write_text(_VALUE_CLASS.sub(r"\g<0>  # pragma: no mutate block", source), encoding="utf-8")
    mutated = folder / "mutants"
    # Python takes a folder that is not there when it starts for one that never will be.
    for part in ("src", "tests"):
        (mutated / part).mkdir(parents=True)
    environment = {**os.environ, "PYTHONPATH": f"{mutated / 'src'}{os.pathsep}{mutated / 'tests'}"}

    def mutmut(*arguments: str, may_fail: bool = False) -> str:
        done = subprocess.run(
            [sys.executable, "-m", "mutmut", *arguments],
            cwd=folder,
            env=environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode and not may_fail:
            lines = [line for line in (done.stdout + done.stderr).splitlines() if not line.startswith(_SPINNING)]
            raise RuntimeError("\n".join([f"mutmut {arguments[0]} failed", *lines[-60:]]))
        return done.stdout

    if sample is None:
        mutmut("run", *only)
    else:
        # Before it finds that none has this name, it has made them all.
        mutmut("run", "none of them", may_fail=True)
        names = sorted([name for name in _ended(mutated) if not only or any(fnmatch(name, each) for each in only)])
        mutmut("run", *random.Random(seed).sample(names, min(sample, len(names))))
    ended = {name: code for name, code in _ended(mutated).items() if _ENDS.get(code) != "not tried"}
    unnoticed = {name: mutmut("show", name) for name, code in ended.items() if _ENDS.get(code) is not None}
    counted = {name: change for name, change in unnoticed.items() if not for_type_checkers(change)}
    return Outcome(frozenset(ended.keys() - unnoticed.keys() | counted.keys()), counted)


def for_type_checkers(change: str) -> bool:
    """Whether a change, as mutmut shows it, is of nothing but the text of a type in `cast()`."""
    lines = [line for line in change.splitlines() if line.startswith(("-", "+")) and line[:3] not in ("---", "+++")]
    return len({_CAST.sub("cast(", line[1:]) for line in lines}) == 1


def _ended(mutated: Path) -> dict[str, int | None]:
    """Of each mutant, the exit code of its tests; None: it was not tried."""
    codes: dict[str, int | None] = {}
    for path in mutated.rglob("*.meta"):
        codes |= json.loads(path.read_text(encoding="utf-8"))["exit_code_by_key"]
    return codes


def _package_of(name: str) -> str:
    """The package of a mutant's module: `formats.wire` of `heartsrules.formats.wire.parts.x__shape__mutmut_3`."""
    _, package, inner, *_ = name.split(".")
    return f"{package}.{inner}" if package == "formats" else package


def _file_of(name: str) -> str:
    """The file of some tests, in whatever room they are."""
    return str(next((ROOT / "tests").rglob(f"test_{name}.py")).relative_to(ROOT))


def main() -> None:
    """Try the mutants that the command line asks for, and print those that no test noticed."""
    parser = argparse.ArgumentParser(prog="python -m support.mutants", description=__doc__)
    parser.add_argument("modules", nargs="*", default=[*PLAY], help=f"such as {' '.join([*PLAY, *REST])}")
    parser.add_argument("--sample", type=int, help="how many mutants to try, instead of all")
    parser.add_argument("--seed", default="1", help="of the sample")
    parser.add_argument("--tests", help="the test files to run, such as `views events`")
    parser.add_argument("--only", nargs="+", default=[], help="names of mutants, as printed: only these are tried")
    parser.add_argument("--least", type=float, default=0.0, help="fail if a smaller share of them is noticed, 0 to 1")
    asked = parser.parse_args()
    tests = asked.tests or " ".join([TESTS.get(module, _RULES) for module in asked.modules])
    with tempfile.TemporaryDirectory() as folder:
        outcome = mutate(
            asked.modules,
            list(map(_file_of, dict.fromkeys(tests.split()))),
            Path(folder) / "copy",
            only=asked.only,
            sample=asked.sample,
            seed=asked.seed,
        )
    for name, change in sorted(outcome.unnoticed.items()):
        print(name, change, sep="\n")
    functions = Counter(name.partition("__mutmut_")[0] for name in outcome.unnoticed)
    for function, count in functions.most_common():
        print(f"{count:4} {function}")
    for package, (unnoticed, tried) in outcome.by_package.items():
        print(f"{package}: {unnoticed} of {tried} not noticed")
    print(f"{len(outcome.tried)} tried, {len(outcome.unnoticed)} not noticed: {outcome.share:.1%} were")
    if outcome.share < asked.least:
        raise SystemExit(f"fewer than {asked.least:.1%} were noticed")


if __name__ == "__main__":
    main()
