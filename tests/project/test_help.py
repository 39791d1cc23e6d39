"""`help` shows the docstring and the signature of every public name, method and property, in either build."""

from __future__ import annotations

import inspect
import pydoc
from importlib import import_module
from types import ModuleType

import pytest

from support.modules import MODULES, public


def imported(name: str) -> ModuleType:
    """A public module; without its extra, the test is skipped."""
    try:
        return import_module(name)
    except ImportError as error:
        if getattr(error, "code", "") != "missing-extra":
            raise
        pytest.skip(str(error))


@pytest.mark.parametrize("name", MODULES)
def test_every_public_name_says_what_it_is(name: str) -> None:
    module = imported(name)
    assert (module.__doc__ or "").strip()
    silent = [
        part
        for part, value in public(module)
        # A class inherits the docstring of its base, which says nothing of it.
        if not (vars(value).get("__doc__") if inspect.isclass(value) else inspect.getdoc(value))
    ]
    assert silent == []


@pytest.mark.parametrize("name", MODULES)
def test_every_public_function_and_method_says_how_it_is_called(name: str) -> None:
    for part, value in public(imported(name)):
        if inspect.isroutine(value):
            assert str(inspect.signature(value)).startswith("("), part
            assert "(...)" not in pydoc.plain(pydoc.render_doc(value)), part
