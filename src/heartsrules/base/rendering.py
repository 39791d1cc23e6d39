"""Rendering of values for people: sentences, diagrams, pictures.

A value can be printed or drawn without its module knowing the room that does it: `heartsrules/__init__.py` registers
the renderers, and each is imported when it is first called.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

_RENDERERS: dict[str, str] = {}


def register_renderers(renderers: dict[str, str]) -> None:
    """Register renderers, each as `"module:function"` under its name."""
    _RENDERERS.update(renderers)


def rendered(name: str, *values: object, **params: object) -> Any:
    """Call a registered renderer, importing its module if that has not been done, and return its result."""
    module, _, function = _RENDERERS[name].partition(":")
    return getattr(import_module(module), function)(*values, **params)
