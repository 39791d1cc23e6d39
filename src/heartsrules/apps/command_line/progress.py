"""Progress bars. Few commands need them, and importing them takes longer than most commands run."""

from __future__ import annotations

from typing import Final

from rich.progress import BarColumn, TextColumn

BAR: Final = (TextColumn("{task.description}"), BarColumn())
"""The first columns of every progress bar."""
