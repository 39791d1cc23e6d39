"""PyInstaller hooks for modules and files of the package that it does not find."""

from importlib.util import find_spec
from pathlib import Path
from typing import Final

_ROOT: Final = Path(__file__).parents[2]
_COMPILED: Final = (".so", ".pyd")


def hook_dirs() -> list[str]:
    """Return the folder of the hooks, as the entry point must."""
    return [str(Path(__file__).parent)]


def modules(*packages: str) -> list[str]:
    paths = [path.relative_to(_ROOT.parent) for package in packages for path in (_ROOT / package).rglob("*.py")]
    return sorted(".".join(path.with_suffix("").parts).removesuffix(".__init__") for path in paths)


def library() -> list[str]:
    return ["heartsrules__mypyc"] if find_spec("heartsrules__mypyc") else []


def data() -> list[tuple[str, str]]:
    paths = [path for path in _ROOT.rglob("*") if path.is_file() and path.suffix not in (".py", ".pyc", *_COMPILED)]
    return [(str(path), str(path.parent.relative_to(_ROOT.parent))) for path in paths]
