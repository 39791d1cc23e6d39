"""A game of Hearts at a terminal: `heartsrules play` (extra `cli`).

It is built on the public API alone, and a state never reaches the code that draws: what is shown to a player is made of
the view of that player's seat and of the events that are redacted for it.
"""

from heartsrules.base.extras import needs

with needs("cli", "the game at a terminal"):
    import rich  # noqa: F401 (all of it is imported below)
    import typer  # noqa: F401

from heartsrules.apps.terminal.command import register_play

__all__ = ["register_play"]
