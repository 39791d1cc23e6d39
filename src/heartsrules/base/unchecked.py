"""The type of a parameter that a compiled function checks itself.

mypyc checks a parameter of type `Card` before the function begins, with a message that does not name the argument.
`Unchecked[Card]` is a union with a type without instances, so mypyc leaves the check to the function, which calls
`values.wrong_type`. `Unchecked[int]` also refuses a bool, which mypyc would convert.

To a type checker, which reads the stub next to this file, `Unchecked[Card]` is `Card`.
"""

from __future__ import annotations

from typing import NoReturn, Protocol, TypeAlias, TypeVar

_T = TypeVar("_T")


class _Nothing(Protocol):
    """A type without instances."""

    def _nothing_is_one_of_these(self) -> NoReturn: ...


Unchecked: TypeAlias = _T | _Nothing
