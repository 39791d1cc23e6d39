"""Changes to the C that mypyc writes, for what mypyc does not offer.

Each is a regular expression over the text. `patched` raises `PatchError`, which names the patch, when the text is no
longer what a patch expects: a new mypyc writes other C, or has made the patch needless. mypyc 2.4.1 gives functions
and classes a signature but no docstring, has read-only attributes only where they are `Final`, reads arguments by a
parser of formats even where they are given in order, and shares its variables between the interpreters of a process.
"""

from __future__ import annotations

import ast
import copy
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeAlias

__all__ = ["DECLARATIONS", "DEFINITIONS", "PATCHES", "Patch", "PatchError", "declare_products", "patched", "shims_of"]

Node: TypeAlias = ast.Module | ast.ClassDef | ast.FunctionDef
"""A declaration in Python."""

_LITERAL = r'NULL|"(?:[^"\\]|\\.)*"'
"""A docstring in C."""

_SLOTS = """static PyModuleDef_Slot slots[] = {
    {Py_mod_create, create},
#if PY_VERSION_HEX >= 0x030C0000
    /* So CPython calls `create` in every interpreter, and it is `create` that refuses. */
    {Py_mod_multiple_interpreters, Py_MOD_PER_INTERPRETER_GIL_SUPPORTED},
#endif
    {0, NULL},
};
"""
_CREATE_GROUP = """#ifdef _MSC_VER
#include <intrin.h>
#define TAKE(flag) _InterlockedExchange(&flag, 1)
#else
#define TAKE(flag) __sync_lock_test_and_set(&flag, 1)
#endif
/* Variables hold objects of the first interpreter, even after its end. A mark in its dict identifies it. */
static int is_refused(void) {
    static volatile long taken = 0;
    PyObject *own = PyInterpreterState_GetDict(PyInterpreterState_Get());
    int known = own == NULL ? 0 : PyDict_ContainsString(own, "GROUP");
    if (known != 0)
        return known < 0;
    if (own != NULL && !TAKE(taken))
        return PyDict_SetItemString(own, "GROUP", Py_None) < 0;
    PyErr_SetString(PyExc_ImportError, "REFUSAL");
    return 1;
}
static PyObject *create(PyObject *spec, PyModuleDef *def) {
    static PyObject *module = NULL;
    if (is_refused())
        return NULL;
    if (module == NULL) {
        module = PyModule_Create(&module_def_GROUP);
        if (module != NULL && exec_GROUP(module) < 0)
            Py_CLEAR(module);
    }
    return Py_XNewRef(module);
}
"""
_CREATE_MODULE = """#include <Python.h>
static PyObject *create(PyObject *spec, PyModuleDef *def) {
    PyObject *group = PyImport_ImportModule("GROUP");
    if (group == NULL)
        return NULL;
    PyObject *capsule = PyObject_GetAttrString(group, def->m_name);
    Py_DECREF(group);
    if (capsule == NULL)
        return NULL;
    PyObject *(*init)(void) = (PyObject *(*)(void))PyCapsule_GetPointer(capsule, PyCapsule_GetName(capsule));
    Py_DECREF(capsule);
    /* mypyc points to the module in a variable, but without a reference of its own. */
    return init == NULL ? NULL : Py_XNewRef(init());
}
"""
_INIT = """static PyModuleDef def_NAME = {PyModuleDef_HEAD_INIT, .m_name = "TITLE", .m_slots = slots};
PyMODINIT_FUNC PyInit_NAME(void) {
    return PyModuleDef_Init(&def_NAME);
}
"""
REFUSAL = (
    "heartsrules is compiled, and only the first interpreter of a process that imports it can use it: run one "
    "interpreter in each process (mod_wsgi: WSGIApplicationGroup %{GLOBAL}), or install heartsrules with "
    "HEARTSRULES_COMPILE=0"
)
"""The message of the ImportError in a second interpreter."""


DECLARATIONS = """#include <Python.h>
PyObject *refused_call(const char *name, const char *parameters, int bound, PyObject *const *args, Py_ssize_t nargs,
                       PyObject *named, PyObject *kwnames);
PyObject *made_class(PyObject *template, PyObject *bases, PyObject *module);
PyObject *state_of(PyObject *object);
"""
"""The beginning of each C file."""

DEFINITIONS = r"""
/* Refuse a call in Python's own words: those for a function with the same name and the same parameters. */
PyObject *refused_call(const char *name, const char *parameters, int bound, PyObject *const *args, Py_ssize_t nargs,
                       PyObject *named, PyObject *kwnames) {
    PyObject *kind, *value, *traceback, *scope, *code, *done = NULL, *function = NULL, *called = NULL;
    if (!PyErr_ExceptionMatches(PyExc_TypeError)) return NULL;
    PyErr_Fetch(&kind, &value, &traceback);
    scope = PyDict_New();
    code = PyUnicode_FromFormat("def called(%s): 0\ncalled.__qualname__ = '%s'\n", parameters, name);
    if (scope != NULL && code != NULL)
        done = PyRun_String(PyUnicode_AsUTF8(code), Py_file_input, scope, scope);
    if (done != NULL) function = PyDict_GetItemString(scope, "called");
    if (function != NULL) called = bound ? PyMethod_New(function, Py_None) : Py_NewRef(function);
    if (called != NULL)
        Py_XDECREF(named != NULL ? PyObject_VectorcallDict(called, args, nargs, named)
                                 : PyObject_Vectorcall(called, args, nargs, kwnames));
    if (PyErr_Occurred()) {
        Py_XDECREF(kind);
        Py_XDECREF(value);
        Py_XDECREF(traceback);
    } else {
        PyErr_Restore(kind, value, traceback);
    }
    Py_XDECREF(called);
    Py_XDECREF(done);
    Py_XDECREF(code);
    Py_XDECREF(scope);
    return NULL;
}

/* Make a class that Python cannot derive from, without a method that crashes when Python calls it. */
PyObject *made_class(PyObject *template, PyObject *bases, PyObject *module) {
    PyObject *made = CPyType_FromTemplate(template, bases, module);
    if (made != NULL) {
        if (PyDict_DelItemString(((PyTypeObject *)made)->tp_dict, "__internal_mypyc_setup") < 0) PyErr_Clear();
        ((PyTypeObject *)made)->tp_flags &= ~Py_TPFLAGS_BASETYPE;
        PyType_Modified((PyTypeObject *)made);
    }
    return made;
}

/* Get the state of an object for a copy or a pickle, and refuse a generator as Python does. */
PyObject *state_of(PyObject *object) {
    if (strcmp(Py_TYPE(object)->tp_name, "generator") == 0)
        return PyErr_Format(PyExc_TypeError, "cannot pickle 'generator' object");
    return CPyPickle_GetState(object);
}
"""
"""What the patched C calls, for one of the C files."""


class PatchError(RuntimeError):
    """A patch did not find what it is to change."""


@dataclass(frozen=True)
class Sources:
    """What the compiled modules declare, by the names that mypyc gives it in C."""

    names: Mapping[str, Node]
    classes_at: Mapping[tuple[str, int], ast.ClassDef]
    """Classes by the path of the file, as tracebacks show it, and the line."""
    frozen: frozenset[str]
    """The names of the classes whose attributes are to be read-only."""
    qualified: Mapping[Node, str]
    """The qualified names of the functions and methods."""
    documented: set[Node] = field(default_factory=set)
    """What has been given its docstring; the patches add to it."""


@dataclass(frozen=True)
class Patch:
    """A change to the C."""

    name: str
    lacks: str
    """What mypyc lacks, in a sentence."""
    pattern: re.Pattern[str]
    change: Callable[[Sources, re.Match[str]], str]
    """The text that replaces a match."""
    covers: Callable[[Node], bool]
    """Which declarations must have been given a docstring when all patches are applied."""


def declare_products() -> None:
    """Make mypyc check every product of ints for an error, as it does quotients. To be called before `mypycify`.

    CPython handles signals while it multiplies large ints, and a signal handler may raise.

    Raises:
        PatchError: mypyc declares products otherwise.
    """
    from mypyc.ir.ops import ERR_MAGIC, ERR_NEVER
    from mypyc.ir.rtypes import int_rprimitive
    from mypyc.primitives.registry import binary_op, binary_ops

    for name in ("*", "*="):
        declared = [each for each in binary_ops[name] if each.c_function_name == _PRODUCT]
        if [each.error_kind for each in declared] != [ERR_NEVER]:
            raise PatchError(f"products: mypyc does not declare {name} of ints without an error value")
        binary_ops[name].remove(declared[0])
        binary_op(name, [int_rprimitive] * 2, int_rprimitive, ERR_MAGIC, _PRODUCT)


_PRODUCT = "CPyTagged_Multiply"
"""The function of mypyc's runtime library that multiplies ints."""
_CHECKED_PRODUCT = re.compile(
    rf" (\w+) = {_PRODUCT}\(.*\);\n(?:    CPy\w*DECREF\(\w+\);\n)*    if \(unlikely\(\1 == CPY_INT_TAG\)\)"
)


def patched(codes: Mapping[str, str], modules: Mapping[str, Path], frozen_bases: Iterable[str]) -> dict[str, str]:
    """The C files of one group of modules with all patches applied.

    Args:
        codes: the text of each file, by any name.
        modules: the path of the Python source of each compiled module, by the name of the module; the path as it was
            given to mypyc.
        frozen_bases: the names of base classes; attributes of what is derived from them directly cannot be set.

    Raises:
        PatchError: the C is not what a patch expects, or ignores the error of a product.
    """
    sources = read_sources(modules, frozenset(frozen_bases))
    found = dict(codes)
    for patch in PATCHES:
        changed = 0

        def change(match: re.Match[str], patch: Patch = patch) -> str:
            nonlocal changed
            text = patch.change(sources, match)
            changed += text != match.group()
            return text

        found = {name: patch.pattern.sub(change, code) for name, code in found.items()}
        if not changed:
            raise PatchError(f"{patch.name}: this patch found nothing to change in the C of mypyc")
    for patch in PATCHES:
        forgotten = [
            name
            for name, node in sources.names.items()
            if patch.covers(node) and _is_public(name) and ast.get_docstring(node) and node not in sources.documented
        ]
        if forgotten:
            raise PatchError(f"{patch.name}: no docstring found its way into the C of {', '.join(forgotten)}")
    if any(len(_CHECKED_PRODUCT.findall(code)) < code.count(f"{_PRODUCT}(") for code in found.values()):
        raise PatchError("products: there is one that is not checked for an error")
    left = sorted({name for code in found.values() for name in _setters(sources, code)})
    if left:
        raise PatchError(f"{READ_ONLY.name}: there are still setters of {', '.join(left)}")
    return found


def read_sources(modules: Mapping[str, Path], frozen_bases: frozenset[str]) -> Sources:
    """Parse the modules, and name what they declare as mypyc does."""
    from mypyc.namegen import make_module_translation_map

    prefixes = make_module_translation_map(list(modules))
    names: dict[str, Node] = {}
    classes_at: dict[tuple[str, int], ast.ClassDef] = {}
    frozen = set()
    qualified: dict[Node, str] = {}
    for module, path in modules.items():
        tree = ast.parse(path.read_text(encoding="utf-8"))
        prefix = prefixes[module].replace("___", "___3_").replace(".", "___")
        names[module] = tree
        for name, node in _declared(tree):
            names[prefix + name] = node
            if isinstance(node, ast.FunctionDef):
                qualified.setdefault(node, name.replace("___", ".", 1) if node.name != name else name)
            if isinstance(node, ast.ClassDef):
                classes_at[path.as_posix(), node.lineno] = node
                if any(isinstance(base, ast.Name) and base.id in frozen_bases for base in node.bases):
                    frozen.add(prefix + name)
    return Sources(names, classes_at, frozenset(frozen), qualified)


def _declared(tree: ast.Module) -> Iterator[tuple[str, ast.ClassDef | ast.FunctionDef]]:
    """The functions, classes and methods of a module, each with the end of its name in C."""
    for node in tree.body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            yield node.name, node
        if isinstance(node, ast.ClassDef):
            for part in node.body:
                if isinstance(part, ast.FunctionDef):
                    yield f"{node.name}___{part.name}", part
                    # In a class that is not native, each method is an object of a class with this name.
                    yield f"{part.name}_{node.name}_obj", part


def _is_public(name: str) -> bool:
    """Whether a name in C, or of a module, has no part that starts with an underscore."""
    return not re.search(r"(^|___)_", name)


def docstring(sources: Sources, node: Node, signature: str = "") -> str:
    """The docstring of a declaration as C, after its signature as CPython expects it there."""
    sources.documented.add(node)
    text = ast.get_docstring(node) or ""
    return in_c(f"{signature}\n--\n\n{text}" if signature else text)


def in_c(text: str) -> str:
    """A text as C writes it, a literal for each line: compilers limit the length of one."""
    lines = []
    for line in text.splitlines(keepends=True):
        kept = [
            chr(byte) if 32 <= byte < 127 and chr(byte) not in '"\\?' else f"\\{byte:03o}" for byte in line.encode()
        ]
        lines.append(f'"{"".join(kept)}"')
    return " ".join(lines) or '""'


def signature(node: ast.FunctionDef, name: str, literal: str, *, bound: bool = False) -> str:
    """The signature of a function as CPython reads it from a docstring, made of what mypyc wrote as its docstring."""
    if literal == "NULL":
        return _signature_of(node, name, bound=bound)
    # What C escapes in a literal, Python escapes likewise.
    text = str(ast.literal_eval(literal)).partition("\n--")[0]
    if not node.args.posonlyargs and (node.name == "__init__" or not node.name.startswith("__")):
        # mypyc adds this where arguments are native integers; they can be given by name all the same.
        text = text.replace(", /)", ")")
    return text


def _signature_of(node: ast.FunctionDef, name: str, *, bound: bool) -> str:
    """The signature, with `...` for a default that is not a constant: there mypyc writes no signature at all."""
    given = node.args
    required: list[ast.expr | None] = [None] * (len(given.args) - len(given.defaults))
    parts = []
    for argument, default in zip(
        given.args + given.kwonlyargs, required + given.defaults + given.kw_defaults, strict=True
    ):
        if given.kwonlyargs and argument is given.kwonlyargs[0]:
            parts.append("*")
        if default is None:
            parts.append(argument.arg)
        elif isinstance(default, ast.Constant | ast.Tuple):
            parts.append(f"{argument.arg}={ast.unparse(default)}")
        else:
            parts.append(f"{argument.arg}=...")
    if parts[:1] == ["self"]:
        parts[:1] = [] if bound else ["$self"]
    return f"{name}({', '.join(parts)})"


def _document_module(sources: Sources, match: re.Match[str]) -> str:
    before, name = match.groups()
    node = sources.names.get(name)
    return match.group() if node is None else f"{before}{docstring(sources, node)}"


def _document_function(sources: Sources, match: re.Match[str]) -> str:
    before, name, between, literal = match.groups()
    node = sources.names.get(name)
    if not isinstance(node, ast.FunctionDef):
        return match.group()
    return f"{before}{name}{between}{docstring(sources, node, signature(node, node.name, literal))})"


def _document_property(sources: Sources, match: re.Match[str]) -> str:
    before, name, owner = match.groups()
    node = sources.names.get(f"{owner}___{name}")
    return match.group() if node is None else f"{before}{docstring(sources, node)}, NULL}}"


def _document_native_class(sources: Sources, match: re.Match[str]) -> str:
    before, name, between, literal = match.groups()
    # It may be a function: see _declared.
    node = sources.names.get(name)
    if node is None or isinstance(node, ast.Module):
        return match.group()
    start = sources.names.get(f"{name}_____init__")
    if isinstance(start, ast.FunctionDef):
        head = signature(start, node.name, literal, bound=True)
    else:
        head = "" if literal == "NULL" else str(ast.literal_eval(literal)).partition("\n--")[0]
    return f"{before}{name}{between}{docstring(sources, node, head)})"


def _document_other_class(sources: Sources, match: re.Match[str]) -> str:
    between, path, line = match.groups()
    node = sources.classes_at.get((path, int(line)))
    return match.group() if node is None else f"PyUnicode_FromString({docstring(sources, node)});{between}"


def _make_read_only(sources: Sources, match: re.Match[str]) -> str:
    before, _, owner = match.groups()
    return f"{before}NULL," if owner in sources.frozen else match.group()


def _read_in_order(_: Sources, match: re.Match[str]) -> str:
    """Take arguments without names as they come."""
    before, formats, between, targets, call = match.groups()
    names = re.findall(r"&(\w+)", targets)
    least = len(formats.partition("|")[0])
    assigned = [
        f"{name} = args[{at}];" if at < least else f"if (nargs > {at}) {name} = args[{at}];"
        for at, name in enumerate(names)
    ]
    enough = f"nargs >= {least} && nargs <= {len(names)}" if least else f"nargs <= {len(names)}"
    return f"{before}{formats}{between}if (kwnames == NULL && {enough}) {{ {' '.join(assigned)} }} else {call}"


def _pass_unchecked(_: Sources, match: re.Match[str]) -> str:
    """Skip all checks of an argument that every object passes."""
    head, name, label = match.groups()
    return f"{head}            arg_{name} = obj_{name};\n            goto {label};\n"


def _serve_one_interpreter(_: Sources, match: re.Match[str]) -> str:
    """Refuse the group of modules to a second interpreter."""
    name = match[1]
    create = _CREATE_GROUP.replace("GROUP", name).replace("REFUSAL", REFUSAL)
    return create + _SLOTS + _INIT.replace("NAME", name).replace("TITLE", name)


def shims_of(names: Iterable[str], group: str) -> str:
    """Return the C of shims, extensions that each take a module from the library of a group.

    They replace the shims of mypyc. Those share a tuple between interpreters, and CPython runs them in an isolated
    interpreter before it refuses them, or in another interpreter.

    Args:
        names: The full names of the modules.
        group: The name of the library.
    """
    inits = [
        _INIT.replace("NAME", name.rpartition(".")[2]).replace("TITLE", f"init_{name.replace('.', '___')}")
        for name in names
    ]
    return "".join([_CREATE_MODULE.replace("GROUP", group), _SLOTS, *inits])


def _call_int(_: Sources, match: re.Match[str]) -> str:
    """Call the operator of `int` itself."""
    name = re.sub(r"\B(?=[A-Z])", "_", match[1]).lower()
    return f"PyLong_Type.tp_as_number->nb_{name}("


def _return_error(_: Sources, match: re.Match[str]) -> str:
    """Return the error value after an exception in place of ending the process."""
    before, test, after = match.groups()
    return f"{before}{after}{test}        return CPY_INT_TAG;\n    }}\n"


def _compare_ints(_: Sources, match: re.Match[str]) -> str:
    """Call the comparison of `int` itself, which returns True or False."""
    before, operands, operator = match.groups()
    return f"""{before}PyObject *answer = PyLong_Type.tp_richcompare({operands}, {operator});
{before}int result = answer == Py_True;
{before}Py_DECREF(answer);
"""


def _refuse_like_python(sources: Sources, match: re.Match[str]) -> str:
    """Have Python word the refusal of a call, if the function is one of those that modules declare."""
    before, name, arguments, between = match.groups()
    own = name.endswith("_obj_____call__")
    node = sources.names.get(name.removesuffix("_____call__") if own else name)
    if not isinstance(node, ast.FunctionDef):
        return match.group()
    called = sources.qualified[node]
    if node.name == "__init__" and name.removesuffix("_____init__") in sources.frozen:
        called = called.replace("__init__", "__new__")
    bound = "PyObject *obj_self = self;" in between or "PyObject *obj_cls = self;" in between
    given = (
        "&PyTuple_GET_ITEM(args, 0), PyTuple_GET_SIZE(args), kw, NULL"
        if arguments.endswith("kw")
        else "args, nargs, NULL, kwnames"
    )
    return (
        f"{before}{name}({arguments}) {{{between}"
        f"                return refused_call({in_c(called)}, {in_c(_bare_parameters(node))}, {bound:d}, {given});\n"
    )


def _bare_parameters(node: ast.FunctionDef) -> str:
    """The parameters of a function without their types, and with 0 for each default."""
    given = copy.deepcopy(node.args)
    for part in ast.walk(given):
        if isinstance(part, ast.arg):
            part.annotation = None
    given.defaults = [ast.Constant(0) for _ in given.defaults]
    given.kw_defaults = [default and ast.Constant(0) for default in given.kw_defaults]
    return ast.unparse(given)


def _setters(sources: Sources, code: str) -> list[str]:
    """The attributes of frozen classes that can be set in this C."""
    owners = "|".join(sources.frozen)
    return [] if not owners else re.findall(rf"\(setter\)((?:{owners})_set_\w+)", code)


def _is_property(node: Node) -> bool:
    return isinstance(node, ast.FunctionDef) and any(
        isinstance(decorator, ast.Name) and decorator.id == "property" for decorator in node.decorator_list
    )


def _is_function(node: Node) -> bool:
    return isinstance(node, ast.FunctionDef) and not _is_property(node)


def _is_class(node: Node) -> bool:
    return isinstance(node, ast.ClassDef)


def _is_nothing(_: Node) -> bool:
    return False


READ_ONLY = Patch(
    "read-only attributes",
    "mypyc makes `Final` attributes read-only, and no others, which methods may set later.",
    re.compile(r'({"(\w+)",\s*\(getter\)(\w+)_get_\2,\s*)\(setter\)\w+,'),
    _make_read_only,
    _is_nothing,
)
PATCHES = [
    Patch(
        "docstrings of modules",
        "mypyc writes no docstrings of modules.",
        re.compile(r'("([A-Za-z_][\w.]*)",\s*)NULL(?=, /\* docstring \*/)'),
        _document_module,
        lambda node: isinstance(node, ast.Module),
    ),
    Patch(
        "docstrings of properties",
        "mypyc writes no docstrings of properties.",
        re.compile(r'({"(\w+)",\s*\(getter\)(\w+)_get_\2,\s*(?:\(setter\)\w+|NULL),\s*)NULL, NULL}'),
        _document_property,
        _is_property,
    ),
    Patch(
        "docstrings of functions",
        "mypyc writes the signatures of functions and methods, and not their docstrings.",
        re.compile(rf'(\(PyCFunction\)CPyPy_)(\w+)(,[^"{{}}]*?PyDoc_STR\()({_LITERAL})\)'),
        _document_function,
        _is_function,
    ),
    Patch(
        "docstrings of native classes",
        "mypyc writes the signatures of native classes, and not their docstrings.",
        re.compile(rf"(CPyType_)(\w+)(_template_ = {{[^}}]*?\.tp_doc = PyDoc_STR\()({_LITERAL})\)"),
        _document_native_class,
        _is_class,
    ),
    Patch(
        "docstrings of other classes",
        "mypyc gives a class that is not native a docstring that says nothing.",
        re.compile(
            r"CPyStatics\[\d+\];(?= /\* 'mypyc filler docstring' \*/)"
            r'((?:.|\n)*?CPy_AddTraceback\("([^"]*)", "<module>", (\d+),)'
        ),
        _document_other_class,
        _is_class,
    ),
    READ_ONLY,
    Patch(
        "arguments in order",
        "mypyc parses arguments by a format and a list of names, even where none is given by its name.",
        re.compile(
            r'(static CPyArg_Parser parser = {")(O*(?:\|O+)?)(:(?:(?!CPyArg_Parse|}\n)(?:.|\n))*?)'
            r"(?=if \(!CPyArg_ParseStackAndKeywordsSimple\(args, nargs, kwnames, &parser((?:, &obj_\w+)+)\)\))()"
        ),
        _read_in_order,
        _is_nothing,
    ),
    Patch(
        "arguments of any type",
        "mypyc checks an argument against all members of a union, even where one of them is `object`.",
        re.compile(
            r"(            PyObject \*arg_(\w+);\n"
            r"(?:            if \(obj_\2 == NULL\) {\n                arg_\2 = NULL;\n"
            r"                goto __LL\d+;\n            }\n)?)"
            r"(?:            if \(.*\)\n                arg_\2 = obj_\2;\n            else {\n"
            r"                arg_\2 = NULL;\n            }\n            if \(arg_\2 != NULL\) goto __LL\d+;\n)+"
            r"            arg_\2 = obj_\2;\n            if \(arg_\2 != NULL\) goto (__LL\d+);\n"
        ),
        _pass_unchecked,
        _is_nothing,
    ),
    Patch(
        "one interpreter",
        "mypyc lets a second interpreter use the objects of the first one.",
        re.compile(r"PyMODINIT_FUNC PyInit_(\w+)\(void\) {\n    static PyObject \*module = NULL;\n(?:.|\n)*?\n}\n"),
        _serve_one_interpreter,
        _is_nothing,
    ),
    Patch(
        "operators of ints",
        "mypyc calls the operators of subclasses of int, and ends the process where one raises.",
        re.compile(r"\bPyNumber_(\w+)\((?=(?:left_|num_|[al])?obj\b)"),
        _call_int,
        _is_nothing,
    ),
    Patch(
        "errors of products",
        "mypyc takes every error of a product of ints for lack of memory, and ends the process.",
        re.compile(
            r"(nb_multiply\(.*\);\n)(    if \(result == NULL\) {\n)        CPyError_OutOfMemory\(\);\n    }\n"
            r"((?:    Py_DECREF\(\w+\);\n)*)"
        ),
        _return_error,
        _is_nothing,
    ),
    Patch(
        "comparisons of ints",
        "mypyc ends the process where a comparison of ints raises, as any can at the recursion limit.",
        re.compile(r"( +)int result = PyObject_RichCompareBool\((left_obj, right_obj), (Py_\w+)\);\n"),
        _compare_ints,
        _is_nothing,
    ),
    Patch(
        "refused calls",
        "mypyc words the refusal of too many, too few and unknown arguments in another way than Python.",
        re.compile(
            r"(PyObject \*CPyPy_)(\w+)\((PyObject \*self, (?:PyObject \*const \*args, size_t nargs, PyObject \*kwnames"
            r"|PyObject \*args, PyObject \*kw))\) {((?:(?!\n        }\n).)*?"
            r"if \(!CPyArg_Parse\w+\([^;{]*\)\) {\n) +return NULL;\n",
            re.DOTALL,
        ),
        _refuse_like_python,
        _is_nothing,
    ),
    Patch(
        "operators of other types",
        "mypyc calls the reflected operator itself and refuses where there is none, so nothing else is asked.",
        re.compile(r"return CPy_CallReverseOpMethod\([^;]*\);"),
        lambda _, __: "return Py_NewRef(Py_NotImplemented);",
        _is_nothing,
    ),
    Patch(
        "classes",
        "mypyc gives native classes a method that crashes, and refuses only the objects of a derived class.",
        re.compile(r"(?<!PyObject \*)\bCPyType_FromTemplate\("),
        lambda _, __: "made_class(",
        _is_nothing,
    ),
    Patch(
        "names of generators",
        "mypyc names the class of a generator after its function.",
        re.compile(r'(?<=\.tp_name = ")\w+_gen(?=")'),
        lambda _, __: "generator",
        _is_nothing,
    ),
    Patch(
        "copies of generators",
        "mypyc lets generators be copied and pickled, which fails with an error of its own.",
        re.compile(r"(?<=\(PyCFunction\))CPyPickle_GetState\b"),
        lambda _, __: "state_of",
        _is_nothing,
    ),
]
"""The patches, in the order in which they are applied."""
