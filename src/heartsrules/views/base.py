"""What all views are, for those who need not know of what."""

from __future__ import annotations

from heartsrules.values import Drawn

__all__ = ["BaseView"]


class BaseView(Drawn):
    """The base of the classes of views. Which one a view is of, its `phase` tells. Printed, it is a diagram."""

    __slots__ = ()
