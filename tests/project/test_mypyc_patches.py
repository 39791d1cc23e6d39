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


def test_every_docstring_is_there_and_attributes_are_read_only(patches: ModuleType, codes: dict[str, str]) -> None:
    before = "".join(codes.values())
    assert "What the module says" not in before
    assert before.count("(setter)first___Frozen_set_part") == 1
    found = patches.patched(codes, MODULES, ["Base"])
    assert found.keys() == codes.keys()
    after = "".join(found.values())
    for says in ("says", "says elsewhere"):
        for what in ("module", "base", "frozen class", "property", "method", "open class", "function"):
            assert f"What the {what} {says}" in after
        assert rf"What the enum {says}: \042\134\042 is a backslash, and \342\231\240 a spade." in after
    assert "(setter)first___Frozen_set_part" not in after
    assert "(setter)second___Frozen_set_part" not in after
    assert "(setter)first___Open_set_part" in after


def test_signatures_have_every_argument(patches: ModuleType, codes: dict[str, str]) -> None:
    """CPython cannot read a default that is not a constant, so mypyc writes no signature of such a function."""
    after = "".join(patches.patched(codes, MODULES, ["Base"]).values())
    for text in ("called(one, *, other=...)", "plus($self, other=1)", "Frozen(part)"):
        assert f'"{text}\\012" "--\\012"' in after


def test_arguments_in_order_are_taken_as_they_come(patches: ModuleType, codes: dict[str, str]) -> None:
    after = patches.patched(codes, MODULES, ["Base"])["__native_sample___first.c"]
    wrapper = after.partition("*CPyPy_first___either(PyObject *self, PyObject *const *args")[2].partition(
        "\n        }\n"
    )[0]
    assert "if (kwnames == NULL && nargs >= 1 && nargs <= 2)" in wrapper
    assert "{ obj_one = args[0]; if (nargs > 1) obj_other = args[1]; }" in wrapper
    assert (
        "else if (!CPyArg_ParseStackAndKeywordsSimple(args, nargs, kwnames, &parser, &obj_one, &obj_other))" in wrapper
    )
    # What any object passes is not checked, and what must be an int is.
    assert re.search(r"PyObject \*arg_one;\n +arg_one = obj_one;\n", wrapper)
    assert "PyLong_Check(obj_other)" in wrapper


def test_refused_calls_are_worded_for_the_function_of_the_source(patches: ModuleType, codes: dict[str, str]) -> None:
    after = patches.patched(codes, MODULES, ["Base"])["__native_sample___first.c"]
    for called in (
        '"called", "one, *, other=0", 0, args, nargs, NULL, kwnames',
        '"counted", "least, *, most", 0, args, nargs, NULL, kwnames',
        '"Frozen.plus", "self, other=0", 1, args, nargs, NULL, kwnames',
        '"Frozen.__new__", "self, part", 1, &PyTuple_GET_ITEM(args, 0), PyTuple_GET_SIZE(args), kw, NULL',
        '"Open.__init__", "self, part", 1, &PyTuple_GET_ITEM(args, 0), PyTuple_GET_SIZE(args), kw, NULL',
    ):
        assert f"return refused_call({called});" in after


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


def test_a_single_docstring_that_is_lost_is_an_error(patches: ModuleType, codes: dict[str, str]) -> None:
    changed = {
        file: code.replace("(PyCFunction)CPyPy_first___called", "(PyCFunction)x") for file, code in codes.items()
    }
    with pytest.raises(patches.PatchError, match=r"^docstrings of functions: no docstring .* of first___called$"):
        patches.patched(changed, MODULES, ["Base"])


def test_a_setter_that_stays_is_an_error(patches: ModuleType, codes: dict[str, str]) -> None:
    changed = {
        file: code.replace("(getter)first___Frozen_get_part", "(getfunc)first___Frozen_get_part")
        for file, code in codes.items()
    }
    with pytest.raises(
        patches.PatchError, match=r"^read-only attributes: there are still setters of first___Frozen_set"
    ):
        patches.patched(changed, MODULES, ["Base"])


def test_no_operator_of_ints_ends_the_process(patches: ModuleType, codes: dict[str, str]) -> None:
    assert "PyNumber_Add(left_obj, right_obj)" in codes["int_ops.c"]
    code = patches.patched(codes, MODULES, ["Base"])["int_ops.c"]
    assert not re.search(r"PyNumber_(?!TrueDivide)|RichCompareBool", code)
    product = code.partition("CPyTagged_Multiply_(")[2].partition("\n}\n")[0]
    assert "return CPY_INT_TAG;" in product
    assert "OutOfMemory" not in product


def test_a_product_whose_error_is_ignored_is_an_error(patches: ModuleType, codes: dict[str, str]) -> None:
    name = "__native_sample___first.c"
    # In each of the three functions there is one.
    assert len(re.findall(r" = CPyTagged_Multiply\(", codes[name])) == 3
    changed, count = re.subn(
        r"( (\w+) = CPyTagged_Multiply\(.*\);\n(?:.*DECREF.*\n)*?    if \(unlikely\(\2) == ",
        r"\1 != ",
        codes[name],
        count=1,
    )
    assert count == 1
    with pytest.raises(patches.PatchError, match=r"^products: there is one that is not checked for an error$"):
        patches.patched({**codes, name: changed}, MODULES, ["Base"])


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
