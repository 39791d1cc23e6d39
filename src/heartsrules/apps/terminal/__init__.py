"""A game of Hearts at a terminal (extra `cli`), started by `heartsrules play`.

It uses only the public API.
"""

from heartsrules.base.extras import needs

with needs("cli", "the game at a terminal"):
    import rich  # noqa: F401 (the modules that draw import it)
