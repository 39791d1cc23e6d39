"""The exception of a table that grows too large, in a module that is not compiled: `help` shows its signature."""


class TooManyEntries(Exception):
    """A table would exceed its limit of entries."""
