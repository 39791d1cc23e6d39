"""The name of a build changes with the sources alone."""

from __future__ import annotations

from importlib import resources
from pathlib import Path

import pytest

from heartsrules.simulation import builds


def test_a_build_is_named_after_its_sources(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def name(**files: str) -> str:
        for stem, text in files.items():
            path = tmp_path / "base" / f"{stem}.py"
            path.parent.mkdir(exist_ok=True)
            path.write_text(text, encoding="utf-8")
        return builds.build_name.__wrapped__()

    whole = builds.build_name()
    monkeypatch.setattr(resources, "files", lambda _: tmp_path)
    first = name(one="1", two="2")
    (tmp_path / "base" / "one.pyc").write_bytes(b"compiled by Python")
    assert name() == first != whole
    assert len({first, name(two="3"), name(one="2", two="1"), name(three="")}) == 4
    assert {each.split()[1] for each in (whole, first)} < {"compiled", "interpreted"}
