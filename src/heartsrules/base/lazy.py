"""Packages that import their public names on first use."""

from __future__ import annotations

import sys
from collections.abc import Callable
from importlib import import_module


def lazy(package: str, **elsewhere: str) -> tuple[Callable[[str], object], Callable[[], list[str]]]:
    """Make `__getattr__` and `__dir__` for a package with its public names in `_api`.

    The first use of such a name imports `_api`. Modules of the package are attributes too.

    Args:
        package: the name of the package.
        elsewhere: names that are imported without `_api`, each with its module.
    """
    namespace = vars(sys.modules[package])

    def public() -> dict[str, object]:
        api = vars(import_module(f"{package}._api"))
        return {name: value for name, value in api.items() if not name.startswith("_")}

    def get(name: str) -> object:
        if name == "__all__":
            return sorted({*public(), *[each for each in elsewhere if not each.startswith("_")]})
        found: dict[str, object] = {}
        if name in elsewhere:
            found = {name: getattr(import_module(elsewhere[name]), name)}
        # Tools ask every module for attributes such as `__warningregistry__`, which must not import anything.
        elif not name.startswith("_"):
            from importlib.util import find_spec

            # `_api` may need an extra that this module does not.
            module = f"{package}.{name}"
            found = {name: import_module(module)} if find_spec(module) else public()
        if name not in found:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        namespace.update(found)
        return found[name]

    return get, lambda: sorted({*public(), *elsewhere})
