"""The primitives of mypyc on ints that have no error value, with the operators of Python that they stand for."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any, Final

__all__ = ["WITHOUT_ERROR"]

WITHOUT_ERROR: Final[dict[str, Callable[..., Any] | None]] = {
    "CPyDict_NextItem": None,
    "CPyDict_NextKey": None,
    "CPyDict_NextValue": None,
    "CPyTagged_Add": operator.add,
    "CPyTagged_And": operator.and_,
    "CPyTagged_Invert": operator.invert,
    "CPyTagged_IsEq_": operator.eq,
    "CPyTagged_IsLt_": operator.lt,
    "CPyTagged_Negate": operator.neg,
    "CPyTagged_Or": operator.or_,
    "CPyTagged_Subtract": operator.sub,
    "CPyTagged_Xor": operator.xor,
    "int_eq": operator.eq,
    "int_ge": operator.ge,
    "int_gt": operator.gt,
    "int_le": operator.le,
    "int_lt": operator.lt,
    "int_ne": operator.ne,
}
"""By name; None: it takes an index, and does no arithmetic that can fail."""
