"""Claims about Pythons, dependencies and wheels agree wherever they are made; and the smoke test."""

from __future__ import annotations

import json
import re
import sys
import tomllib
from collections import defaultdict
from importlib import metadata
from pathlib import Path
from typing import Any, Final

import pytest
from cyclonedx.schema import SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator

import heartsrules
import smoke
from bill_of_materials import bill_of_materials
from support import digests

ROOT: Final = Path(__file__).resolve().parents[2]
PROJECT: Final[dict[str, Any]] = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
CLASSIFIERS: Final = "\n".join(PROJECT["project"]["classifiers"])
CLAIMED: Final = re.findall(r"Python :: (3\.\d+)", CLASSIFIERS)
WORKFLOWS: Final = {path.name: path.read_text(encoding="utf-8") for path in (ROOT / ".github/workflows").glob("*.yml")}


def numbers(version: str) -> tuple[int, ...]:
    """A version, as tuples are in order."""
    return tuple(map(int, version.split(".")))


def test_all_that_names_pythons_names_those_of_the_classifiers() -> None:
    first, last = CLAIMED[0], CLAIMED[-1]
    assert [f"3.{minor}" for minor in range(numbers(first)[1], numbers(last)[1] + 1)] == CLAIMED
    assert PROJECT["project"]["requires-python"] == f">={first}"
    tools = PROJECT["tool"]
    assert tools["cibuildwheel"]["build"] == [f"cp{version.replace('.', '')}-*" for version in CLAIMED]
    assert tools["mypy"]["python_version"] == tools["pyright"]["pythonVersion"] == first
    (matrix,) = re.findall(r"^ +python: (\[.*\])$", WORKFLOWS["ci.yml"], re.MULTILINE)
    assert json.loads(matrix) == CLAIMED
    assert set(re.findall(r'python-version: "(.*)"', "".join(WORKFLOWS.values()))) == {first}


def bounds() -> dict[str, dict[str, list[str]]]:
    """By the name of a package, its bounds, and where each stands."""
    project = PROJECT["project"]
    places = {
        "dependencies": project["dependencies"],
        "build-system": PROJECT["build-system"]["requires"],
        "compilers": PROJECT["tool"]["heartsrules"]["compilers"],
        **{f"extra {name}": wanted for name, wanted in project["optional-dependencies"].items()},
        **{f"group {name}": wanted for name, wanted in PROJECT["dependency-groups"].items()},
    }
    found: dict[str, dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
    for place, wanted in places.items():
        for requirement in wanted:
            if isinstance(requirement, str):
                parts = re.fullmatch(r"([\w-]+)(\[[\w,-]+\])?(.*)", requirement)
                assert parts is not None, requirement
                found[parts[1].replace("_", "-").lower()][parts[3]].append(place)
    return found


def test_the_bound_of_a_package_is_the_same_wherever_it_stands() -> None:
    assert {name: dict(places) for name, places in bounds().items() if len(places) > 1} == {}


def test_everything_that_an_extra_brings_is_there_for_the_tests() -> None:
    extras = {
        requirement
        for extra, wanted in PROJECT["project"]["optional-dependencies"].items()
        for requirement in wanted
        if extra not in ("cli", "ray", "train") and not requirement.startswith("heartsrules[")
    }
    # Gymnasium and NumPy come with PettingZoo; `nox -s tests` installs the extra `cli`, and `nox -s long` also `ray`.
    there = [*PROJECT["dependency-groups"]["test"], *PROJECT["project"]["optional-dependencies"]["pettingzoo"]]
    assert [requirement for requirement in sorted(extras) if requirement not in there] == []


@pytest.mark.parametrize("compiled", [False, True])
def test_a_bill_of_materials_is_valid_and_names_what_a_wheel_holds(compiled: bool) -> None:
    bill = bill_of_materials(PROJECT["project"], PROJECT["tool"]["heartsrules"]["compilers"], compiled=compiled)
    assert JsonStrictValidator(SchemaVersion.V1_6).validate_str(bill) is None
    held = json.loads(bill)
    assert held["metadata"]["component"]["purl"] == f"pkg:pypi/heartsrules@{PROJECT['project']['version']}"
    assert [part["purl"] for part in held["components"]] == (["pkg:pypi/mypy@2.4.1"] if compiled else [])
    spoiled = bill.replace('"library"', '"librarian"')
    assert JsonStrictValidator(SchemaVersion.V1_6).validate_str(spoiled) is not None


def test_what_is_installed_has_its_bill_of_materials() -> None:
    (path,) = [file for file in metadata.files("heartsrules") or () if file.match("sboms/*.json")]
    assert path.read_text(encoding="utf-8") == bill_of_materials(
        PROJECT["project"], PROJECT["tool"]["heartsrules"]["compilers"], compiled=heartsrules.COMPILED
    )


def test_the_smoke_test_tells_what_is_wrong_with_a_wheel(tmp_path: Path) -> None:
    installed = Path(str(heartsrules.__file__)).resolve().parent
    build, other = ("compiled", "interpreted") if heartsrules.COMPILED else ("interpreted", "compiled")
    wrong = smoke.faults(other, installed, compiled=heartsrules.COMPILED)
    right = smoke.faults(build, installed, compiled=heartsrules.COMPILED)
    assert set(right) <= {"it is the source and not a wheel"}
    assert wrong == [f"it is {'compiled' if heartsrules.COMPILED else 'not compiled'}", *right]
    for path in smoke.SOURCE.rglob("*.py"):
        copy = tmp_path / path.relative_to(smoke.SOURCE)
        copy.parent.mkdir(parents=True, exist_ok=True)
        copy.touch()
    left_out = smoke.faults("compiled", tmp_path, compiled=True)
    assert {"py.typed is not in it", "messages/de.json is not in it"} < set(left_out)
    assert not any(".py is" in fault for fault in left_out)


def test_the_smoke_test_fails_where_the_games_are_others(monkeypatch: pytest.MonkeyPatch) -> None:
    build = "compiled" if heartsrules.COMPILED else "interpreted"
    monkeypatch.setattr(sys, "argv", ["smoke.py", build])
    monkeypatch.setattr(digests, "digest", lambda games: f"{games} other games")
    with pytest.raises(SystemExit, match="its 2000 games are not those of other builds"):
        smoke.main()
