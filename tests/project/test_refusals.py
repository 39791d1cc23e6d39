"""Refusals, word for word: broken texts, documents and events are refused as the golden files say.

`nox -s generate` writes the files anew.
"""

from __future__ import annotations

import pytest

from support import refused_lines


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=[pytest.mark.untraced] if name == "refused_documents" else [])
        for name in refused_lines.MODULES
    ],
)
def test_refusals_are_word_for_word_those_of_the_file(name: str) -> None:
    written = refused_lines.golden_file(name).read_text(encoding="utf-8")
    assert refused_lines.contents(name).splitlines() == written.splitlines()
