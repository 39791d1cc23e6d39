"""`python -m support.spinning serve --stdio`: the command line, with an operation that does what none may do."""

from __future__ import annotations

import hashlib
import os
from typing import Annotated

from heartsrules.apps.serve import operations
from heartsrules.apps.serve.declaring import Result, declare

__all__ = ["SPINNING"]


class Said(Result, frozen=True):
    """A text."""

    text: str


def spin(*, how: Annotated[str, "What to do."]) -> Said:
    """Do what no operation does."""
    if how == "fail":
        raise KeyError(how)
    if how == "deep":
        return spin(how=how)
    if how == "wait":  # for ever, in C: no handler of a signal is run meanwhile
        hashlib.pbkdf2_hmac("sha256", b"", b"", 2**31 - 1)
    if how == "abort":
        os.abort()
    return Said(how)


SPINNING = {**operations.OPERATIONS, "spin": declare("spin", lambda: {"how": "end"})(spin)}

if __name__ == "__main__":
    setattr(operations, "OPERATIONS", SPINNING)  # noqa: B010 (it is declared Final)
    from heartsrules.__main__ import main

    main()
