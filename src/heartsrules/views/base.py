"""What all views are, for those who need not know of what."""

from __future__ import annotations

__all__ = ["BaseView"]


class BaseView:
    """The base of the classes of views. Which one a view is of, its `phase` tells."""

    __slots__ = ()
