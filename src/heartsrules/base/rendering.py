"""Registered functions that render values as sentences, diagrams or pictures.

A value's module does not know its renderers: `heartsrules/__init__.py` registers them, and each is imported on first
use.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

_RENDERERS: dict[str, str] = {}


def register_renderers(renderers: dict[str, str]) -> None:
    """Register renderers by name, each as `"module:function"`."""
    _RENDERERS.update(renderers)


def rendered(name: str, *values: object, **params: object) -> Any:
    """Call a registered renderer, importing its module first if necessary."""
    module, _, function = _RENDERERS[name].partition(":")
    return getattr(import_module(module), function)(*values, **params)
