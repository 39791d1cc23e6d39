"""Every ruling of the reference has an id, a case that proves it, and a fault of the engine that is noticed."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from heartsrules import Rules
from support import faults, rulings

pytestmark = pytest.mark.once_compiled

RULINGS = {ruling.id: ruling for ruling in rulings.rulings()}
OPTIONS = {option.name for option in Rules.OPTIONS}
SAMPLES = rulings.ROOT / "tests" / "data" / "conformance"


def test_every_id_is_given_once_and_to_a_ruling_of_its_part() -> None:
    assert len(RULINGS) == len(rulings.rulings()) > 300
    for id_, ruling in RULINGS.items():
        part = id_.removeprefix("HR-").rpartition(".")[0]
        assert ruling.sentence, id_
        if part in OPTIONS:
            assert part in ruling.options, id_
    assert {id_.removeprefix("HR-").rpartition(".")[0] for id_ in RULINGS} >= OPTIONS


def test_nothing_is_ruled_without_an_id() -> None:
    assert rulings.unmarked() == []


def test_every_ruling_has_a_case_and_every_case_a_ruling() -> None:
    cited = {id_ for case in rulings.cases() for id_ in case.ids}
    assert set(RULINGS) - cited == set(), "rulings without a case"
    assert cited - set(RULINGS) == set(), "cases of no ruling"


def test_the_list_has_every_ruling_with_its_sources_and_cases() -> None:
    listed = {item["id"]: item for item in json.loads(rulings.FILE.read_bytes())["rulings"]}
    assert list(listed) == list(RULINGS)
    queen = listed["HR-queen_breaks.2"]
    assert queen["sentence"] == "when it is led"
    assert queen["options"] == ["queen_breaks"]
    assert "dicegamedepot" in queen["sources"]
    assert all([item["cases"] and item["tests"] for item in listed.values()])
    assert "tests/play/test_worked_cases.py::test_legal_cards" in listed["HR-4.1"]["tests"]


# ----------------------------------------------------------------------------------------------------------- the faults


def test_every_ruling_is_broken_by_a_fault_that_can_be_planted() -> None:
    assert len({fault.name for fault in faults.FAULTS}) == len(faults.FAULTS)
    assert {fault.name: fault.places for fault in faults.FAULTS if fault.places != 1} == {}
    assert {id_ for fault in faults.FAULTS for id_ in fault.rulings} == set(RULINGS)


def test_a_fault_is_noticed_by_a_case_of_each_ruling_and_by_a_suite(tmp_path: Path) -> None:
    """`nox -s faults` plants all of them."""
    names = ("the deal moves to the right", "endless-game is not refused")
    chosen = [fault for fault in faults.FAULTS if fault.name in names]
    assert list(faults.hunt(chosen, tmp_path)) == [(fault, []) for fault in chosen]
    assert [fault.suite for fault in chosen] == ["microsoft-4", ""]


def test_what_is_no_fault_is_not_noticed() -> None:
    program = f"""
from pathlib import Path
from support.faults import Fault, missed
line = "    over = lo & led\\n    if hi"
fault = Fault("nothing at all", ("HR-7.1", "HR-duplicates.1"), "play/tricks", line, line, "sample")
print(missed(fault, Path({str(SAMPLES)!r})))
"""
    paths = f"{faults.SOURCE.parent}:{rulings.ROOT / 'tests'}"
    run = subprocess.run(
        [sys.executable, "-c", program], env={"PYTHONPATH": paths}, capture_output=True, text=True, check=False
    )
    assert run.stdout == "['HR-7.1', 'HR-duplicates.1', 'sample']\n", run.stderr
