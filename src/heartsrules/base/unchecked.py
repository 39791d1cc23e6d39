"""The type of parameters that a function checks itself, as mypyc sees it; type checkers read the stub beside this file.

Compiled, a parameter of type `Card` is checked before the function begins, and the message names no argument. One of
type `Unchecked[Card]` is a union with a type that has no instances: mypyc leaves the check to the function, where
`values.wrong_type` names the argument. Likewise `Unchecked[int]` refuses a bool; of type int, compiled, True is 1.
Functions that only this package calls do without. To a type checker, `Unchecked[Card]` is `Card`, in its messages too.
"""

from __future__ import annotations

from typing import NoReturn, Protocol, TypeAlias, TypeVar

_T = TypeVar("_T")


class _Nothing(Protocol):
    """A type without instances."""

    def _nothing_is_one_of_these(self) -> NoReturn: ...


Unchecked: TypeAlias = _T | _Nothing
