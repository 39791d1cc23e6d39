"""Compile the modules on the path of a play, a view and a judgement with mypyc, where there is a C compiler.

The rest is in pyproject.toml.

HEARTSRULES_COMPILE=1 makes the installation fail where they cannot be compiled, HEARTSRULES_COMPILE=0 leaves them as
they are. Either way the same sources are installed, and `heartsrules.COMPILED` tells which build it is.
"""

from __future__ import annotations

import ast
import gzip
import os
import re
import sys
import tarfile
import tomllib
from pathlib import Path
from typing import Any, TypeAlias

from setuptools import setup
from setuptools.command.build_ext import build_ext
from setuptools.command.sdist import sdist

MODULES = [
    "values",
    "cards",
    "tables",
    "arguments",
    "moves",
    "board",
    "legality",
    "tricks",
    "sheet",
    "state",
    "choices",
    "passing",
    "exposing",
    "scoring",
    "keys",
    "chance/bits",
    "chance/stream",
    "chance/words",
    "chance/shuffling",
    "chance/faults",
    "chance/dealing",
    "chance/all_deals",
    "engine",
    "transitions",
    "choosing",
    "playout",
    "lots/parts",
    "lots/in_turn",
    "lots/planned",
    "lots/exchanged",
    "lots/drawing",
    "inferring",
    "hidden",
    "rollouts",
    "analysis/prospects",
    "analysis/likelihood",
    "analysis/trying",
    "tally",
    "analysis/_solving",
    "compat/_observing",
    "compat/_batch",
    "views/base",
    "views/voids",
    "views/classes",
    "views/selecting",
    "setup/_parts",
    "setup/_replay",
    "setup/_middle",
    "setup/_check",
    "wire/_texts",
    "wire/_convert",
]
"""What is compiled, together: calls between them are calls of C functions."""

FLAGS = ["-fno-semantic-interposition", "-fno-plt", "-fvisibility=hidden", "-fwrapv"]
"""For gcc and clang: calls between the modules are direct, since nobody replaces a function of the library, and
products of machine integers wrap around, as `popcount` needs it."""

WISH = os.environ.get("HEARTSRULES_COMPILE", "")


def say(text: str) -> None:
    """Tell whoever installs; pip shows it with -v, or when the installation fails."""
    print(f"heartsrules: {text}", file=sys.stderr, flush=True)


Declared: TypeAlias = ast.Module | ast.ClassDef | ast.FunctionDef

_LITERAL = r'NULL|"(?:[^"\\]|\\.)*"'
"""A docstring in C."""
_FILLER = r"/\* 'mypyc filler docstring' \*/"
"""What mypyc puts in the place of the docstring of a class that is not native."""


def declarations() -> dict[str, Declared]:
    """What the compiled modules declare, by the names that it has in the C of mypyc, and classes by their lines too."""
    found: dict[str, Declared] = {}
    for name in MODULES:
        module = ast.parse(Path(f"src/heartsrules/{name}.py").read_text(encoding="utf-8"))
        stem = name.rpartition("/")[2]
        found[f"heartsrules.{name.replace('/', '.')}"] = module
        for node in module.body:
            if isinstance(node, ast.FunctionDef | ast.ClassDef):
                found[f"{stem}___{node.name}"] = node
            if isinstance(node, ast.ClassDef):
                found[f"{stem}:{node.lineno}"] = node
                for part in node.body:
                    if isinstance(part, ast.FunctionDef):
                        found[f"{stem}___{node.name}___{part.name}"] = part
                        # In a class that is not native, each method is an object of a class with this name.
                        found[f"{stem}___{part.name}_{node.name}_obj"] = part
    return found


def signature_of(node: ast.FunctionDef, name: str, *, bound: bool) -> str:
    """The signature as CPython reads it from a docstring; a default that is not a constant is written as `...`."""
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


def in_c(text: str) -> str:
    """A text as C writes it, a literal for each line: compilers limit the length of one."""
    lines = []
    for line in text.splitlines(keepends=True):
        kept = [
            chr(byte) if 32 <= byte < 127 and chr(byte) not in '"\\?' else f"\\{byte:03o}" for byte in line.encode()
        ]
        lines.append(f'"{"".join(kept)}"')
    return " ".join(lines) or '""'


def documented(code: str) -> str:
    """The C of mypyc, with the docstrings, which mypyc leaves out.

    So `help` tells the same in both builds, and it costs nothing when the package is imported. Signatures have names,
    kinds and defaults, and no annotations: CPython has no place for them in a function that is written in C.

    Raises:
        RuntimeError: something public would stay without its docstring, since the C is not as expected here.
    """
    declared = declarations()
    done: set[Declared] = set()

    def said(node: Declared, old: str, function: Declared | None, name: str, *, bound: bool = False) -> str:
        done.add(node)
        text = ast.get_docstring(node) or ""
        # What C escapes in a literal, Python escapes likewise.
        signature = "" if old == "NULL" else str(ast.literal_eval(old)).partition("\n--")[0]
        if isinstance(function, ast.FunctionDef):
            if old == "NULL":
                signature = signature_of(function, name, bound=bound)
            elif not function.args.posonlyargs and (name == "__init__" or not name.startswith("__")):
                # mypyc adds this where arguments are native integers; they can be given by name all the same.
                signature = signature.replace(", /)", ")")
        return in_c(f"{signature}\n--\n\n{text}" if signature else text)

    def function(found: re.Match[str]) -> str:
        before, name, between, old = found.groups()
        node = declared.get(name)
        if not isinstance(node, ast.FunctionDef):
            return found.group()
        return f"{before}{name}{between}{said(node, old, node, node.name)})"

    def native_class(found: re.Match[str]) -> str:
        before, name, between, old = found.groups()
        node = declared.get(name)
        if node is None:
            return found.group()
        start = declared.get(f"{name}_____init__")
        return f"{before}{name}{between}{said(node, old, start, name.rpartition('___')[2], bound=True)})"

    def attribute(found: re.Match[str]) -> str:
        before, name, owner = found.groups()
        node = declared.get(f"{owner}___{name}")
        return found.group() if node is None else f"{before}{said(node, 'NULL', None, name)}, NULL}}"

    def module(found: re.Match[str]) -> str:
        before, name = found.groups()
        return f"{before}{said(declared[name], 'NULL', None, name)}"

    def other_class(found: re.Match[str]) -> str:
        between, stem, line = found.groups()
        return f"PyUnicode_FromString({said(declared[f'{stem}:{line}'], 'NULL', None, stem)});{between}"

    for pattern, change in (
        (rf'(\(PyCFunction\)CPyPy_)(\w+)(,[^"{{}}]*?PyDoc_STR\()({_LITERAL})\)', function),
        (rf"(CPyType_)(\w+)(_template_ = {{[^}}]*?\.tp_doc = PyDoc_STR\()({_LITERAL})\)", native_class),
        (r'({"(\w+)",\s*\(getter\)(\w+)_get_\2,\s*(?:\(setter\)\w+|NULL),\s*)NULL, NULL}', attribute),
        (r'("(heartsrules[\w.]+)",\s*)NULL(?=, /\* docstring \*/)', module),
        (
            rf'CPyStatics\[\d+\];(?= {_FILLER})((?:.|\n)*?CPy_AddTraceback\("[^"]*?(\w+)\.py", "<module>", (\d+),)',
            other_class,
        ),
    ):
        code = re.sub(pattern, change, code)
    forgotten = [
        name
        for name, node in declared.items()
        if node not in done and ast.get_docstring(node) and not re.search(r"(^|___)_", name)
    ]
    if forgotten:
        raise RuntimeError(f"no docstring found its way into the C of {', '.join(forgotten)}")
    return code


BASES = ("Value", "Hashed", "Drawn", "BaseView")
"""The bases of values."""


def sealed(code: str) -> str:
    """The C of mypyc, without the setters of values: what a value keeps, only compiled code writes.

    mypyc makes none for a `Final` attribute; a value may have others for what is worked out when somebody asks for it.

    Raises:
        RuntimeError: an attribute of a value can still be set, since the C is not as expected here.
    """
    values = [
        name
        for name, node in declarations().items()
        if isinstance(node, ast.ClassDef)
        and any(isinstance(base, ast.Name) and base.id in BASES for base in node.bases)
    ]
    owners = "|".join(values)
    code = re.sub(rf'({{"(\w+)",\s*\(getter\)({owners})_get_\2,\s*)\(setter\)\w+,', r"\1NULL,", code)
    left = re.findall(rf"\(setter\)((?:{owners})_set_\w+)", code)
    if left:
        raise RuntimeError(f"there are still setters of values: {', '.join(left)}")
    return code


def mended(source: str | os.PathLike[str]) -> str:
    """A file beside one of mypyc's that says the same, has the docstrings and seals the values."""
    path = Path(source)
    beside = path.with_name(f"mended{path.name}")
    code = sealed(documented(path.read_text(encoding="utf-8")))
    # What is the same is not compiled again.
    if not beside.exists() or beside.read_text(encoding="utf-8") != code:
        beside.write_text(code, encoding="utf-8")
    return str(beside)


def translated() -> list[Any]:
    """The modules as C, or nothing where that is not wanted or not possible."""
    if WISH not in ("", "0", "1"):
        raise SystemExit(f"HEARTSRULES_COMPILE is {WISH!r}: choose 1 (compile or fail), 0 (do not compile) or nothing")
    if WISH == "0":
        say("not compiled, as HEARTSRULES_COMPILE=0 asks")
        return []
    try:
        if sys.implementation.name != "cpython":
            raise RuntimeError(f"mypyc makes no extensions for {sys.implementation.name}")
        from mypyc.build import mypycify

        # msgspec is an extra, and need not be there where the package is built: no type of its own is compiled.
        paths = ["--follow-imports=silent", "--ignore-missing-imports"]
        paths += [f"src/heartsrules/{name}.py" for name in MODULES]
        extensions = list(mypycify(paths, opt_level="3", debug_level="0", group_name="heartsrules"))
        # The first one has the code of all modules, the others import it.
        extensions[0].sources = [mended(source) for source in extensions[0].sources]
        if sys.platform != "win32":
            for extension in extensions:
                extension.extra_compile_args += FLAGS
        return extensions
    except (Exception, SystemExit) as error:
        if WISH == "1":
            raise
        say(f"not compiled: {error}. It runs interpreted, and slower")
        return []


class BuildAllOrNone(build_ext):
    """Build every extension, or install none of them: they work only together."""

    def run(self) -> None:
        """Build, and go on without extensions where there is no compiler that can."""
        try:
            super().run()
        except Exception as error:
            if WISH == "1":
                raise
            for path in self.get_outputs():
                Path(path).unlink(missing_ok=True)
            self.extensions.clear()
            say(f"not compiled: {error}. It runs interpreted, and slower")


class SameEverywhere(sdist):
    """With SOURCE_DATE_EPOCH in the environment, the same files make the same archive, whenever and wherever.

    setuptools does so for wheels, but writes into a source distribution the time, the user and what files are allowed.
    """

    def make_archive(
        self,
        base_name: Any,
        format: str,  # noqa: A002 (its name in setuptools)
        root_dir: Any = None,
        base_dir: str | None = None,
        owner: str | None = None,
        group: str | None = None,
    ) -> str:
        """Write the folder `base_dir` as the archive `base_name` and a suffix, and return where it is."""
        epoch = os.environ.get("SOURCE_DATE_EPOCH")
        if epoch is None or format != "gztar" or base_dir is None:
            return str(super().make_archive(base_name, format, root_dir, base_dir, owner, group))

        def alike(entry: tarfile.TarInfo) -> tarfile.TarInfo:
            entry.mtime = int(epoch)
            entry.mode = 0o755 if entry.isdir() or entry.mode & 0o100 else 0o644
            entry.uid = entry.gid = 0
            entry.uname = entry.gname = ""
            return entry

        path = f"{base_name}.tar.gz"
        with (
            Path(path).open("wb") as file,
            gzip.GzipFile("", "wb", 9, file, int(epoch)) as packed,
            tarfile.open(fileobj=packed, mode="w") as archive,
        ):
            # It sorts what is in a folder.
            archive.add(base_dir, filter=alike)
        return path


def described() -> dict[str, Any]:
    """What an index of packages shows: the README, and the addresses that pyproject.toml tells.

    There is no page there that a link inside the repository could lead to.
    """
    with Path("pyproject.toml").open("rb") as file:
        places = tomllib.load(file)["tool"]["heartsrules"]["places"]
    text = Path("README.md").read_text(encoding="utf-8")
    addresses = {"Documentation": places["site"]}
    if places["repository"]:
        inside = f"{places['repository']}/blob/main/"
        text = re.sub(r"\]\((?!\w+:|#)", f"]({inside}", text)
        addresses["Repository"] = places["repository"]
        addresses["Issues"] = f"{places['repository']}/issues"
        addresses["Changelog"] = f"{inside}CHANGELOG.md"
    return {
        "long_description": text,
        "long_description_content_type": "text/markdown",
        "project_urls": {name: address for name, address in addresses.items() if address},
    }


if "SOURCE_DATE_EPOCH" in os.environ:
    # What setuptools writes itself has the same permissions in every wheel.
    os.umask(0o022)
setup(ext_modules=translated(), cmdclass={"build_ext": BuildAllOrNone, "sdist": SameEverywhere}, **described())
