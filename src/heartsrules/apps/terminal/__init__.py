"""A game of Hearts at a terminal (extra `cli`; the full screen: `tui`). `heartsrules play` starts it.

It uses the public API alone. The code that draws gets no states: a player is shown the view of a seat and its redacted
events.
"""

from heartsrules.base.extras import needs

with needs("cli", "the game at a terminal"):
    import rich  # noqa: F401 (the modules that draw import it)
