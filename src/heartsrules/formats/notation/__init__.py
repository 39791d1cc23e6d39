"""Positions and records of games as text.

A *position* is one line, to be pasted into a bug report and read back to an equal state. A *record* tells a game:
tags, lines for deals, passes, exposures and tricks, comments, points and winners; a file can hold any number of them.
Both are written in one canonical way and read with some leniency; the page "Notation" of the documentation is their
grammar.

Reading is a matter of syntax alone for a record: its moves may be illegal, and `heartsrules.play.game.verify` judges
them. A position is played again by the engine, so that an impossible one is refused.
"""

from typing import TYPE_CHECKING

from heartsrules.base.lazy import lazy

if TYPE_CHECKING:
    from heartsrules.formats.notation._api import *
else:
    __getattr__, __dir__ = lazy(__name__)
