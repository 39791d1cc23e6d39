"""The base class of all views, for modules that do not need to know the phases."""

from __future__ import annotations

from heartsrules.base.values import Drawable

__all__ = ["BaseView"]


class BaseView(Drawable):
    """The base of the classes of views. The `phase` of a view says which class it is. Printed, it is a diagram."""

    __slots__ = ()
