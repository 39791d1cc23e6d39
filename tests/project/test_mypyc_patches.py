"""The patches over the C of mypyc do what they are for, and fail by their names when mypyc writes other C.

mypyc, which comes with mypy, writes the C of a small package; nothing is compiled.
"""

from __future__ import annotations

import importlib.util
import os
import re
import subprocess
import sys
from pathlib import Path
from types import ModuleType
from typing import Final

import pytest

from support.int_operators import WITHOUT_ERROR

pytestmark = pytest.mark.types
pytest.importorskip("mypyc")

ROOT: Final = Path(__file__).resolve().parents[2]
SAMPLE: Final = '''"""What the module says."""

from collections.abc import Iterator
from enum import Enum
from typing import Protocol


class Nothing(Protocol):
    """What the protocol says."""


class Base:
    """What the base says."""


class Frozen(Base):
    """What the frozen class says."""

    def __init__(self, part: int) -> None:
        self.part = part

    @property
    def double(self) -> int:
        """What the property says."""
        return 2 * self.part

    def plus(self, other: int = 1) -> int:
        """What the method says."""
        return self.part + other

    def __add__(self, other: "Frozen") -> "Frozen":
        return Frozen(self.part + other.part)


class Open:
    """What the open class says."""

    def __init__(self, part: int) -> None:
        self.part = part


class Colour(Enum):
    """What the enum says: "\\\\" is a backslash, and ♠ a spade."""

    RED = 1

    @property
    def letter(self) -> str:
        """What the property of the enum says."""
        return self.name[0]


ONE = Frozen(1)


def called(one: int, *, other: Frozen = ONE) -> int:
    """What the function says,

    in two lines.
    """
    one *= 3
    return one + other.part * len(str(one))


def counted(least: int, *, most: int) -> Iterator[int]:
    """What the generator says."""
    yield from range(least, most)


def either(one: int | Nothing, other: int = 2) -> object:
    """What the other function says."""
    return one
'''
GENERATE: Final = """
import setuptools
from mypyc.build import mypycify
from mypyc_patches import declare_products
declare_products()
mypycify(["sample/first.py", "sample/second.py"], multi_file=True, group_name="sample")
"""
CHANGES: Final = {
    "docstrings of modules": ("NULL, /* docstring */", "NULL, /* doc */"),
    "docstrings of properties": ("(getter)", "(getfunc)"),
    "docstrings of functions": ("(PyCFunction)CPyPy_", "(PyCFunction)CPyWrapper_"),
    "docstrings of native classes": (".tp_doc = ", ".tp_document = "),
    "docstrings of other classes": ("'mypyc filler docstring'", "'no docstring'"),
    "read-only attributes": ("(setter)", "(setfunc)"),
    "arguments in order": ("CPyArg_ParseStackAndKeywordsSimple", "CPyArg_ParseOtherwise"),
    "arguments of any type": ("PyObject *arg_", "PyObject * arg_"),
    "one interpreter": ("PyMODINIT_FUNC", "PyMODINIT"),
    "operators of ints": ("PyNumber_", "PyInt_"),
    "errors of products": ("CPyError_OutOfMemory", "CPyError_NoMemory"),
    "comparisons of ints": ("int result = PyObject_RichCompareBool", "bool result = PyObject_RichCompareBool"),
    "refused calls": ("PyObject *CPyPy_", "PyObject * CPyPy_"),
    "operators of other types": ("CPy_CallReverseOpMethod(", "CPy_CallOtherMethod("),
    "classes": ("CPyType_FromTemplate(", "CPyType_FromOther("),
    "names of generators": ('_gen"', '_generator"'),
    "copies of generators": ("CPyPickle_GetState", "CPyPickle_GetOther"),
}
"""By the name of each patch, a change to the C of mypyc that it cannot cope with."""


@pytest.fixture(scope="module")
def patches() -> ModuleType:
    spec = importlib.util.spec_from_file_location("mypyc_patches", ROOT / "build_support" / "mypyc_patches.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    # Its data classes look it up there.
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A package of two modules, and their C in the folder `build`."""
    found = tmp_path_factory.mktemp("sample")
    (found / "sample").mkdir()
    (found / "sample" / "__init__.py").touch()
    (found / "sample" / "first.py").write_text(SAMPLE, encoding="utf-8")
    (found / "sample" / "second.py").write_text(SAMPLE.replace("says", "says elsewhere"), encoding="utf-8")
    environ = {**os.environ, "PYTHONPATH": str(ROOT / "build_support")}
    subprocess.run(
        [sys.executable, "-c", GENERATE], cwd=found, check=True, capture_output=True, timeout=300, env=environ
    )
    return found


@pytest.fixture
def codes(folder: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    """The C by the names of the files, as mypyc wrote it. Paths of modules are as they were given to mypyc."""
    monkeypatch.chdir(folder)
    return {path.name: path.read_text(encoding="utf-8") for path in Path("build").glob("*.c")}


MODULES: Final = {f"sample.{name}": Path(f"sample/{name}.py") for name in ("first", "second")}


@pytest.mark.parametrize("name", CHANGES)
def test_other_c_is_an_error_with_the_name_of_the_patch(name: str, patches: ModuleType, codes: dict[str, str]) -> None:
    old, new = CHANGES[name]
    changed = {file: code.replace(old, new) for file, code in codes.items()}
    assert changed != codes
    with pytest.raises(patches.PatchError, match=f"^{name}: this patch found nothing to change"):
        patches.patched(changed, MODULES, ["Base"])


def test_each_patch_has_such_a_change_and_says_what_mypyc_lacks(patches: ModuleType) -> None:
    assert [patch.name for patch in patches.PATCHES] == [*CHANGES]
    for patch in patches.PATCHES:
        assert re.fullmatch(r"mypyc .*\.", patch.lacks)


DECLARED: Final = """
from importlib import import_module
from pkgutil import iter_modules
import mypyc.primitives
from mypyc.ir.ops import ERR_NEVER, PrimitiveDescription
from mypyc.ir.rtypes import is_tagged
from mypyc.primitives import registry
from mypyc_patches import declare_products
declare_products()
named = [vars(import_module(f"mypyc.primitives.{each.name}")) for each in iter_modules(mypyc.primitives.__path__)]
by_operator = [registry.binary_ops, registry.unary_ops, registry.method_call_ops, registry.function_ops]
found = [each for names in named for each in names.values()]
found += [each for ops in by_operator for several in ops.values() for each in several]
for each in found:
    if isinstance(each, PrimitiveDescription | registry.CFunctionDescription) and each.error_kind == ERR_NEVER:
        if any(is_tagged(kind) for kind in each.arg_types):
            print(each.c_function_name or each.name)
"""


def test_each_primitive_of_ints_without_an_error_value_is_known() -> None:
    """`tests/base/test_interrupted_calls.py` shows that no signal is handled in these."""
    environ = {**os.environ, "PYTHONPATH": str(ROOT / "build_support")}
    done = subprocess.run([sys.executable, "-c", DECLARED], check=True, capture_output=True, text=True, env=environ)
    assert set(done.stdout.split()) == WITHOUT_ERROR.keys()
