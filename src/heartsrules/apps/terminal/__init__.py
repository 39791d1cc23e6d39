"""A game of Hearts at a terminal (extra `cli`). `heartsrules play` starts it.

It uses only the public API. The code that draws gets no states: a player is shown the view of a seat and its redacted
events.
"""

from heartsrules.base.extras import needs

with needs("cli", "the game at a terminal"):
    import rich  # noqa: F401 (the modules that draw import it)
