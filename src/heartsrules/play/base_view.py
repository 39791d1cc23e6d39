"""The base class of all views, for modules that do not need to know the phases."""

from __future__ import annotations

from heartsrules.base.values import Drawable


class BaseView(Drawable):
    """The base class of views. Each class has its `phase`."""

    __slots__ = ()
