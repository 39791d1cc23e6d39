"""What both builds must do alike."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from _pytest.raises import RaisesExc


def wrong_type(words: str) -> RaisesExc[TypeError]:
    """A `TypeError` is expected with these words, which name the argument, in either build."""
    return pytest.raises(TypeError, match=words)
