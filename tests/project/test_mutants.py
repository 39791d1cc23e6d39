"""Mutation testing: it separates the changes that a test notices from those that none does."""

from __future__ import annotations

from pathlib import Path

import pytest

from support.mutants import for_type_checkers, mutate

pytestmark = pytest.mark.once_interpreted


@pytest.mark.long
def test_a_change_that_no_test_notices_is_named(tmp_path: Path) -> None:
    tests = ["tests/play/test_sheet.py::test_it_is_the_sequence_of_its_rows"]
    only = ["heartsrules.play.sheet.x__totals__mutmut_*"]
    outcome = mutate(["play/sheet"], tests, tmp_path / "copy", only=only, sample=4, seed="1")
    assert len(outcome.tried) == 4, "as many as were asked for"
    assert 0 < len(outcome.unnoticed) < 4
    assert outcome.by_package == {"play": (len(outcome.unnoticed), 4)}
    assert 0 < outcome.share < 1
    assert all("x__totals" in name for name in outcome.unnoticed), "drawn of those that were asked for"
    assert all("-" in change and "+" in change for change in outcome.unnoticed.values())


@pytest.mark.parametrize(
    ("before", "after", "equal"),
    [
        ('f(cast("Setup", value), x)', 'f(cast("SETUP", value), x)', True),
        ('f(cast("Setup", value), x)', "f(cast(None, value), x)", True),
        ('f(cast("Setup", value), x)', 'f(cast("Setup", None), x)', False),
        ('f(cast("Setup", value), x)', 'f(cast("Setup", value), None)', False),
        ('f("cast", value)', 'f("CAST", value)', False),
    ],
)
def test_only_type_checkers_read_a_text_in_a_cast(before: str, after: str, equal: bool) -> None:
    lines = ("--- a.py", "+++ a.py", "@@ -1 +1 @@", " def f():", f"-    {before}", f"+    {after}")
    assert for_type_checkers("\n".join(lines)) is equal


def test_a_module_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="there is no module tricksy: name one such as play/legality, "):
        mutate(["tricksy"], [], tmp_path / "copy")
