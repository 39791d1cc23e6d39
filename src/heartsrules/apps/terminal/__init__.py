"""A game of Hearts at a terminal (extra `cli`), started by `heartsrules play`.

It uses only the public API. Drawing code gets a seat's view and redacted events, but no states.
"""

from heartsrules.base.extras import needs

with needs("cli", "the game at a terminal"):
    import rich  # noqa: F401 (the modules that draw import it)
