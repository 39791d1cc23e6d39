"""Positions and records of games as text.

A *position* is one line. Paste it into a bug report and read it back: the state is equal. A *record* contains a game:
tags, lines for deals, passes, exposures and tricks, comments, points and winners; a file can hold any number of
records. Both have one canonical form and are read with some leniency; the page "Notation" of the documentation has
their grammar.

Reading a record checks only its syntax; `heartsrules.play.game.verify` checks its moves. An impossible position is
refused.
"""

from typing import TYPE_CHECKING

from heartsrules.base.lazy import lazy

if TYPE_CHECKING:
    from heartsrules.formats.notation._api import *
else:
    __getattr__, __dir__ = lazy(__name__)
