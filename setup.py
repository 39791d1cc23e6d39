"""Compile the modules on the path of a play, a view and a judgement with mypyc, where there is a C compiler.

The rest is in pyproject.toml.

HEARTSRULES_COMPILE=1 makes the installation fail where they cannot be compiled. So does HEARTSRULES_COMPILE=release,
which takes longer and is what wheels are built with. HEARTSRULES_COMPILE=0 leaves the modules as they are. Either way
the same sources are installed, and `heartsrules.COMPILED` tells which build it is.
"""

from __future__ import annotations

import gc
import gzip
import os
import re
import subprocess
import sys
import sysconfig
import tarfile
import tomllib
from concurrent.futures import Executor, ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

from setuptools import setup
from setuptools.command.bdist_wheel import bdist_wheel
from setuptools.command.build_ext import build_ext
from setuptools.command.sdist import sdist

MODULES = [
    "base/unchecked",
    "base/values",
    "cards",
    "rules/resolved",
    "rules/arguments",
    "play/moves",
    "play/board",
    "play/legality",
    "play/tricks",
    "play/sheet",
    "play/public",
    "play/taking_back",
    "play/state",
    "play/lazy_moves",
    "play/passing",
    "play/exposing",
    "play/scoring",
    "play/score_traits",
    "play/position_keys",
    "play/stateless",
    "chance/bits",
    "chance/stream",
    "chance/words",
    "chance/shuffling",
    "play/dealing",
    "play/engine",
    "play/transitions",
    "analysis/card_choice",
    "analysis/playout",
    "views/worlds/counting",
    "views/inferring",
    "views/passed_cards",
    "views/hidden_hands",
    "analysis/seat_words",
    "analysis/word_table",
    "views/worlds/hidden_cards",
    "analysis/rollouts",
    "analysis/_prospects",
    "analysis/likelihood",
    "analysis/trials",
    "simulation/tally",
    "analysis/_solving",
    "bots/_sparse",
    "bridges/_batch",
    "play/voids",
    "play/view_classes",
    "play/view_selection",
    "setup/_parts",
    "setup/replay",
    "setup/_middle",
    "setup/row_check",
    "setup/_check",
    "formats/wire/_texts",
    "formats/wire/_convert",
]
"""The modules that are compiled, as one group: calls between them are calls of C functions."""

HOT = [
    "cards",
    "play/board",
    "play/legality",
    "play/tricks",
    "chance/bits",
    "chance/stream",
    "chance/words",
    "chance/shuffling",
    "analysis/card_choice",
    "analysis/playout",
    "analysis/rollouts",
    "simulation/tally",
    "views/inferring",
]
"""The modules with the loops of plays and playouts. They are one C file, in which functions are inlined, at -O3."""

BRISK = [
    "play/engine",
    "play/public",
    "play/taking_back",
    "play/state",
    "play/moves",
    "base/values",
    "base/unchecked",
    "play/scoring",
    "analysis/seat_words",
    "analysis/word_table",
    "bridges/_batch",
]
"""The modules that every step of a game or an environment goes through, and scoring. They are one C file with the
runtime library of mypyc, whose functions are then inlined: a step takes 5 % less time than with the library apart."""

FLAGS = ["-fno-semantic-interposition", "-fno-plt", "-fvisibility=hidden", "-fwrapv"]
"""For gcc and clang: calls between the modules are direct, since nobody replaces a function of the library, and
products of machine integers wrap around, as `popcount` needs it."""

INLINING = ["--param=max-inline-insns-auto=150", "--param=inline-unit-growth=200", "--param=large-function-growth=1000"]
"""For the file of hot modules: gcc inlines the methods of a board into the loop of playouts, which then takes 8 % less
time."""

LIST_ITEMS = """#include <CPy.h>
static inline PyObject *list_item(PyObject *list, int64_t index) {
    if (likely((uint64_t)index < (uint64_t)PyList_GET_SIZE(list)))
        return Py_NewRef(PyList_GET_ITEM(list, index));
    return CPyList_GetItemInt64(list, index);
}
static inline PyObject *borrowed_list_item(PyObject *list, int64_t index) {
    if (likely((uint64_t)index < (uint64_t)PyList_GET_SIZE(list)))
        return PyList_GET_ITEM(list, index);
    return CPyList_GetItemInt64Borrow(list, index);
}
#define CPyList_GetItemInt64 list_item
#define CPyList_GetItemInt64Borrow borrowed_list_item
"""
"""For the file of hot modules: an item of a list without a call of the runtime library, unless the index is negative or
out of range. A random deal then takes 6 % less time."""

FROZEN = (
    *("Value", "Hashed", "InMatch", "StartedDeal", "KnownDeal"),
    *("InPlay", "InPass", "InExposure", "InChoice", "InEnd"),
)
"""The base classes of values, whose attributes only compiled code may set."""

COMPILE = os.environ.get("HEARTSRULES_COMPILE", "")
REQUIRED = COMPILE in ("1", "release")
"""Whether a build that cannot be compiled is a failure."""
OTHER_LEVEL = "-O3" if COMPILE == "release" else "-O1"
"""The optimization of the C files with neither hot nor brisk modules; those of these are compiled at -O3."""
LEFT_OUT = ("tree-pta", "tree-dominator-opts", "tree-bit-ccp", "tree-sink", "tree-dse", "if-conversion")
"""Optimizations below -O3 that take gcc a tenth of its time at -O1, and gain nothing that can be measured here."""

ROOT = Path(__file__).resolve().parent
sys.path.insert(0, str(ROOT / "build_support"))
HOT_FILE = Path("build", "__hot_heartsrules.c")
BRISK_FILE = Path("build", "__brisk_heartsrules.c")
OTHER_FILES = [Path("build", f"__other_heartsrules_{number}.c") for number in range(6)]
"""Include the other modules, shared out evenly. Compiled one by one, each would read Python's headers again."""
SHIM_FILE = Path("build", "__shim_heartsrules.c")
"""The shims: one for each module, which takes its code from the extension that has all of it."""


def say(text: str) -> None:
    """Print a line for the user; pip shows it with -v, or when the installation fails."""
    print(f"heartsrules: {text}", file=sys.stderr, flush=True)


def make_clients() -> None:
    """Make the client and the engine in TypeScript, where Node.js is installed."""
    from clients import NotBuilt, build, can_build, clear, needed

    if not {"bdist_wheel", "editable_wheel", "sdist"}.intersection(sys.argv):
        return
    if needed():
        try:
            build()
        except NotBuilt as error:
            say(f"without the client and the engine in TypeScript: {error}")
    elif not can_build() and not (ROOT / "PKG-INFO").exists():
        clear()
        say("without the client and the engine in TypeScript: node and npm are not installed")


def builds_something() -> bool:
    """Whether this run builds something: installers first ask only for a description of the package."""
    describing = {"egg_info", "dist_info", "sdist"}
    return "bdist_wheel" in sys.argv or not describing.intersection(sys.argv)


def extensions() -> list[Any]:
    """The extensions to build; none where compiling is not wanted or not possible."""
    if COMPILE not in ("", "0", "1", "release"):
        raise SystemExit(
            f"HEARTSRULES_COMPILE is {COMPILE!r}: choose 1 (compile or fail), release (the same, and take time to make "
            "it as fast as can be), 0 (do not compile) or nothing"
        )
    if COMPILE == "0":
        say("not compiled, as HEARTSRULES_COMPILE=0 asks")
        return []
    if not builds_something():
        return []
    try:
        return extensions_of(MODULES)
    except (Exception, SystemExit) as error:
        if REQUIRED:
            raise
        say(f"not compiled: {error}. It runs interpreted, and slower")
        return []


def extensions_of(names: list[str]) -> list[Any]:
    """Translate modules to C, and return the extensions made of it."""
    if sys.implementation.name != "cpython":
        raise RuntimeError(f"mypyc makes no extensions for {sys.implementation.name}")
    if sysconfig.get_config_var("Py_GIL_DISABLED"):
        raise RuntimeError("the compiled modules need the global interpreter lock")
    from mypyc.build import mypycify

    from mypyc_patches import DECLARATIONS, DEFINITIONS, declare_products

    declare_products()
    modules = {f"heartsrules.{name.replace('/', '.')}": Path(f"src/heartsrules/{name}.py") for name in names}
    say(f"mypyc writes {len(modules)} modules as C")
    before: dict[Path, Any] = {
        path: (path.read_text(encoding="utf-8"), path.stat()) for path in Path("build").glob("__*.c")
    }
    # msgspec is an extra, and need not be there where the package is built: no type of its own is compiled.
    options = ["--follow-imports=silent", "--ignore-missing-imports"]
    made = list(
        mypycify([*options, *map(str, modules.values())], debug_level="0", group_name="heartsrules", multi_file=True)
    )
    # Python would take the trees of mypy apart when the process ends: 6 s.
    gc.freeze()
    # The first one has the code of all modules, the others import it.
    together: Any = made[0]
    shims: list[Any] = made[1:]
    written = [Path(source) for source in together.sources]
    hot, brisk = c_files(HOT), c_files(BRISK)
    runtime = [path for path in written if not path.name.startswith("__native_")]
    finished = patched_files(written, modules)
    rest = sorted(
        [path for path in finished if path not in (*hot, *brisk, *runtime)],
        key=lambda path: (-len(finished[path]), path),
    )
    shares = shared_out(rest, [len(finished[path]) for path in rest], len(OTHER_FILES))
    # The longest to compile comes first, so that no core is left with it at the end.
    files = [HOT_FILE, BRISK_FILE, *OTHER_FILES]
    together.sources = [str(path) for path in files]
    together.depends = [*together.depends, *map(str, written)]
    for path, share in zip(files, [hot, [*runtime, *brisk], *shares], strict=True):
        finished[path] = including(share)
    finished[HOT_FILE] = LIST_ITEMS + finished[HOT_FILE]
    finished[BRISK_FILE] += DEFINITIONS
    for path in files:
        finished[path] = DECLARATIONS + finished[path]
    if sys.platform != "win32":
        for shim in shims:
            shim.sources = [str(SHIM_FILE)]
    finished |= shim_files(shims, together.name)
    for path, code in finished.items():
        path.write_text(code, encoding="utf-8")
        if path in before and before[path][0] == code:
            # An unchanged file is not compiled again.
            os.utime(path, ns=(before[path][1].st_atime_ns, before[path][1].st_mtime_ns))
    if sys.platform != "win32":
        for extension in made:
            extension.extra_compile_args = [*extension.extra_compile_args, *FLAGS]
    return made


def c_files(names: list[str]) -> list[Path]:
    """The C files that mypyc writes of modules."""
    parts = [name.replace("/", ".").replace("___", "___3_").replace(".", "___") for name in names]
    return [Path("build", f"__native_heartsrules___{part}.c") for part in parts]


def shared_out(paths: list[Path], sizes: list[int], count: int) -> list[list[Path]]:
    """Share files out so that all shares are about as large; the largest files come first."""
    shares: list[list[Path]] = [[] for _ in range(count)]
    filled = [0] * count
    for path, size in zip(paths, sizes, strict=True):
        smallest = filled.index(min(filled))
        shares[smallest].append(path)
        filled[smallest] += size
    return shares


def including(paths: list[Path]) -> str:
    """The text of a C file that includes others."""
    return "".join([f'#include "{path.name}"\n' for path in paths])


def shim_files(shims: list[Any], group: str) -> dict[Path, str]:
    """Write the C files of shims, those of one file together, in place of the ones of mypyc."""
    from mypyc_patches import shims_of

    sources = {Path(shim.sources[0]) for shim in shims}
    return {
        source: shims_of([shim.name for shim in shims if Path(shim.sources[0]) == source], group) for source in sources
    }


def patched_files(paths: list[Path], modules: dict[str, Path]) -> dict[Path, str]:
    """Patch C files of mypyc."""
    from mypyc_patches import patched

    texts = patched({str(path): path.read_text(encoding="utf-8") for path in paths}, modules, FROZEN)
    return {Path(name): text for name, text in texts.items()}


class BuildAllOrNone(build_ext):
    """Build all extensions, or install none: they work only together."""

    shim: str | None = None
    """The shim that is built first."""

    def run(self) -> None:
        """Build, or go on without extensions where no compiler can build them."""
        try:
            super().run()
        except Exception as error:
            if REQUIRED:
                raise
            for path in self.get_outputs():
                Path(path).unlink(missing_ok=True)
            self.extensions.clear()
            say(f"not compiled: {error}. It runs interpreted, and slower")

    def build_extensions(self) -> None:
        """Build, with a C compiler on each core if its options are those of gcc."""
        compiler: Any = self.compiler
        if compiler.compiler_type != "unix":
            super().build_extensions()
            return
        cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
        count = len({source for extension in self.extensions for source in extension.sources})
        say(f"{compiler.compiler_so[0]} compiles {count} C files, {cores} at a time")
        # One after the other, since most shims are copies of the first.
        self.parallel = None
        with ThreadPoolExecutor(cores) as pool:
            compiler.compile = partial(compile_in, pool, compiler)
            super().build_extensions()

    def build_extension(self, extension: Any) -> None:
        """Build one extension; all shims are copies of the first."""
        if extension.sources != [str(SHIM_FILE)]:
            super().build_extension(extension)
            return
        path = self.get_ext_fullpath(extension.name)
        if self.shim is None:
            super().build_extension(extension)
            self.shim = path
        else:
            self.mkpath(str(Path(path).parent))
            self.copy_file(self.shim, path)


def compile_in(pool: Executor, compiler: Any, sources: list[str], *args: Any, **options: Any) -> list[str]:
    """Compile sources in parallel, each with its optimization, in place of `compile` of setuptools' compilers."""
    names = ("output_dir", "macros", "include_dirs", "debug", "extra_preargs", "extra_postargs", "depends")
    given = dict(zip(names, args, strict=False)) | options
    _, objects, last, paths, files = compiler._setup_compile(
        given.get("output_dir"),
        given.get("macros"),
        given.get("include_dirs"),
        sources,
        given.get("depends"),
        given.get("extra_postargs"),
    )
    first = compiler._get_cc_args(paths, given.get("debug", False), given.get("extra_preargs"))
    by_gcc = is_gcc(compiler.compiler_so[0])

    def compile_one(target: str) -> None:
        source, suffix = files[target]
        options = [*last, "-O3" if Path(source) in (HOT_FILE, BRISK_FILE) else OTHER_LEVEL]
        if by_gcc and Path(source) == HOT_FILE:
            options += INLINING
        elif by_gcc and options[-1] != "-O3":
            options += [f"-fno-{name}" for name in LEFT_OUT]
        compiler._compile(target, source, suffix, first, options, paths)

    for done in [pool.submit(compile_one, target) for target in files]:
        done.result()
    return list(objects)


def is_gcc(command: str) -> bool:
    """Whether a C compiler is gcc; clang, which goes by that name elsewhere, refuses some of its options."""
    told = subprocess.run([command, "--version"], capture_output=True, text=True, check=False).stdout
    return "Free Software Foundation" in told


class WheelWithBill(bdist_wheel):
    """A wheel with a software bill of materials."""

    def write_wheelfile(self, wheelfile_base: str, *args: Any, **options: Any) -> None:
        """Write the bill beside the file that is written last; only now is it known whether anything was compiled."""
        super().write_wheelfile(wheelfile_base, *args, **options)
        from bill_of_materials import bill_of_materials

        project = pyproject()
        compilers = project["tool"]["heartsrules"]["compilers"]
        bill = bill_of_materials(project["project"], compilers, compiled=bool(self.distribution.has_ext_modules()))
        folder = Path(wheelfile_base, "sboms")
        folder.mkdir(exist_ok=True)
        (folder / "heartsrules.cdx.json").write_text(bill, encoding="utf-8")


class ReproducibleSdist(sdist):
    """Make the same archive of the same files, with SOURCE_DATE_EPOCH in the environment.

    setuptools does so for wheels, but writes times, users and permissions into a source distribution.
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
        """Write the folder `base_dir` as the archive `base_name` plus suffix, and return its path."""
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


def pyproject() -> dict[str, Any]:
    """The contents of pyproject.toml."""
    with Path("pyproject.toml").open("rb") as file:
        return tomllib.load(file)


def index_metadata() -> dict[str, Any]:
    """The metadata that an index of packages shows: the README, and the addresses in pyproject.toml.

    Links of the README into the repository become absolute.
    """
    places = pyproject()["tool"]["heartsrules"]["places"]
    text = Path("README.md").read_text(encoding="utf-8")
    addresses = {"Documentation": places["site"]}
    if places["repository"]:
        inside = f"{places['repository']}/blob/main/"
        text = re.sub(r"\]\((?!\w+:|#)", f"]({inside}", text)
        text = re.sub(r'\b(src|srcset)="(?!\w+:)', rf'\1="{places["repository"]}/raw/main/', text)
        addresses["Repository"] = places["repository"]
        addresses["Issues"] = f"{places['repository']}/issues"
        addresses["Changelog"] = f"{inside}CHANGELOG.md"
    return {
        "long_description": text,
        "long_description_content_type": "text/markdown",
        "project_urls": {name: address for name, address in addresses.items() if address},
    }


COMMANDS: dict[str, Any] = {"bdist_wheel": WheelWithBill, "build_ext": BuildAllOrNone, "sdist": ReproducibleSdist}
if "SOURCE_DATE_EPOCH" in os.environ:
    # The files that setuptools writes itself get the same permissions in every wheel.
    os.umask(0o022)
make_clients()
setup(ext_modules=extensions(), cmdclass=COMMANDS, **index_metadata())
