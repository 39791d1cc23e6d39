"""What all views are, for those who need not know of what."""

from __future__ import annotations

from heartsrules._lazy import later

__all__ = ["BaseView"]


class BaseView:
    """The base of the classes of views. Which one a view is of, its `phase` tells. Printed, it is a diagram."""

    __slots__ = ()

    def __str__(self) -> str:
        return str(later("diagrams", "diagram", self))

    def _repr_svg_(self) -> str:
        return str(later("notebooks", "as_svg", self))
