"""What stops a way of counting. It is not compiled: a compiled exception has no signature for `help`."""

__all__ = ["TooManyEntries"]


class TooManyEntries(Exception):
    """The tables would have more entries than they may."""
