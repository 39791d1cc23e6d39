"""Load bots from a user's file or module, as in `my_bots.py:ducker`."""

from __future__ import annotations

import importlib
import importlib.util
import sys
from functools import lru_cache
from pathlib import Path
from typing import cast

import attrs

from heartsrules.base.errors import truncated
from heartsrules.bots.interface import Bot
from heartsrules.chance import Bits
from heartsrules.play.moves import Move
from heartsrules.views import View


@attrs.frozen
class FromSource:
    """A bot loaded where it plays, including other processes.

    Args:
        source: the path of a Python file, ending in `.py`, or the name of a module. The current folder is searched
            first.
        name: the name of a bot in it, a function or another callable as described in `heartsrules.bots.Bot`.

    Raises:
        ValueError: the source cannot be imported, or contains no such callable.
    """

    source: str
    name: str

    def __attrs_post_init__(self) -> None:
        _loaded(self.source, self.name)

    def __call__(self, view: View, rng: Bits, /) -> Move:
        return _loaded(self.source, self.name)(view, rng)


@lru_cache(maxsize=64)
def _loaded(source: str, name: str) -> Bot:
    try:
        if source.endswith(".py"):
            path = Path(source).resolve()
            spec = importlib.util.spec_from_file_location(path.stem, path)
            assert spec is not None
            assert spec.loader is not None
            module = importlib.util.module_from_spec(spec)
            spec.loader.exec_module(module)
        else:
            sys.path.insert(0, "")
            try:
                module = importlib.import_module(source)
            finally:
                sys.path.remove("")
    except Exception as error:
        raise ValueError(f"{source} cannot be imported: {truncated(repr(error), 300)}") from error
    bot = getattr(module, name, None)
    if not callable(bot):
        raise ValueError(f"{source} has no function {name}: name one that takes a view and a source of chance")
    return cast("Bot", bot)
