"""The two builds: the sources as they are, and the same compiled."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from heartsrules import COMPILED

if TYPE_CHECKING:
    from _pytest.raises import RaisesExc


def wrong_type(words: str) -> RaisesExc[TypeError]:
    """A `TypeError` is expected; its words are this package's own only where the build lets it say them."""
    return pytest.raises(TypeError, match=None if COMPILED else words)
