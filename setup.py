"""Compile the modules on the path of a play, a view and a judgement with mypyc, where there is a C compiler.

The rest is in pyproject.toml.

HEARTSRULES_COMPILE=1 makes the installation fail where they cannot be compiled. So does HEARTSRULES_COMPILE=release,
which takes longer and is what wheels are built with. HEARTSRULES_COMPILE=0 leaves the modules as they are. Either way
the same sources are installed, and `heartsrules.COMPILED` tells which build it is.
"""

from __future__ import annotations

import gzip
import os
import re
import sys
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
    "rules/compiled",
    "rules/arguments",
    "play/moves",
    "play/board",
    "play/legality",
    "play/tricks",
    "play/sheet",
    "play/state",
    "play/move_lists",
    "play/passing",
    "play/exposing",
    "play/scoring",
    "play/position_keys",
    "chance/bits",
    "chance/stream",
    "chance/words",
    "chance/shuffling",
    "play/wrong_deals",
    "play/dealing",
    "play/all_deals",
    "play/engine",
    "play/transitions",
    "search/card_choice",
    "search/playout",
    "views/worlds/counting/parts",
    "views/worlds/counting/by_place",
    "views/worlds/counting/by_plan",
    "views/worlds/counting/markov_chain",
    "views/worlds/counting/drawing",
    "views/inferring",
    "views/worlds/hidden_cards",
    "search/rollouts",
    "search/prospects",
    "search/likelihood",
    "search/trials",
    "simulation/tally",
    "search/_solving",
    "bridges/_observing",
    "bridges/_batch",
    "play/base_view",
    "play/voids",
    "play/view_classes",
    "play/view_selection",
    "setup/_parts",
    "setup/_replay",
    "setup/_middle",
    "setup/_check",
    "formats/wire/_texts",
    "formats/wire/_convert",
]
"""What is compiled, together: calls between them are calls of C functions."""

HOT = [
    "cards",
    "play/board",
    "play/legality",
    "play/tricks",
    "chance/bits",
    "chance/stream",
    "chance/words",
    "search/card_choice",
    "search/playout",
    "search/rollouts",
]
"""The modules with the loops of plays and playouts. They are one C file, in which functions are inlined, at -O3."""

FLAGS = ["-fno-semantic-interposition", "-fno-plt", "-fvisibility=hidden", "-fwrapv"]
"""For gcc and clang: calls between the modules are direct, since nobody replaces a function of the library, and
products of machine integers wrap around, as `popcount` needs it."""

FROZEN = ("Value", "Hashed", "Drawn", "BaseView")
"""The base classes of values. What a value keeps, only compiled code writes."""

CHOSEN = os.environ.get("HEARTSRULES_COMPILE", "")
REQUIRED = CHOSEN in ("1", "release")
"""Whether a build that cannot be compiled is a failure."""
FAST, QUICK = "-O3", "-O3" if CHOSEN == "release" else "-O1"
"""How the C files with hot loops are compiled, and the others."""

ROOT = Path(__file__).resolve().parent
sys.path.insert(0, str(ROOT / "build_support"))
HOT_FILE = Path("build", "__hot_heartsrules.c")
RUNTIME_FILE = Path("build", "__runtime_heartsrules.c")
"""The runtime library of mypyc, whose twenty files take longer to compile one by one."""


def say(text: str) -> None:
    """Tell whoever installs; pip shows it with -v, or when the installation fails."""
    print(f"heartsrules: {text}", file=sys.stderr, flush=True)


def builds_something() -> bool:
    """Whether this run is to build, and not only to describe the package, as installers ask first."""
    describing = {"egg_info", "dist_info", "sdist"}
    return "bdist_wheel" in sys.argv or not describing.intersection(sys.argv)


def translated() -> list[Any]:
    """The modules as C, or nothing where that is not wanted or not possible."""
    if CHOSEN not in ("", "0", "1", "release"):
        raise SystemExit(
            f"HEARTSRULES_COMPILE is {CHOSEN!r}: choose 1 (compile or fail), release (the same, and take time to make "
            "it as fast as can be), 0 (do not compile) or nothing"
        )
    if CHOSEN == "0":
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
    """Write the modules as C, and return the extensions that are made of it."""
    if sys.implementation.name != "cpython":
        raise RuntimeError(f"mypyc makes no extensions for {sys.implementation.name}")
    from mypyc.build import mypycify

    modules = {f"heartsrules.{name.replace('/', '.')}": Path(f"src/heartsrules/{name}.py") for name in names}
    say(f"mypyc writes {len(modules)} modules as C")
    before: dict[Path, Any] = {
        path: (path.read_text(encoding="utf-8"), path.stat()) for path in Path("build").glob("__*.c")
    }
    # msgspec is an extra, and need not be there where the package is built: no type of its own is compiled.
    options = ["--follow-imports=silent", "--ignore-missing-imports"]
    extensions = list(
        mypycify(
            [*options, *map(str, modules.values())],
            debug_level="0",
            group_name="heartsrules",
            multi_file=True,
        )
    )
    # The first one has the code of all modules, the others import it.
    together: Any = extensions[0]
    written = [Path(source) for source in together.sources]
    hot = [Path("build", f"__native_heartsrules___{c_name(name)}.c") for name in HOT]
    runtime = [path for path in written if not path.name.startswith("__native_")]
    finished = patched_files([path for path in written if path not in runtime], modules)
    finished |= {HOT_FILE: including(hot), RUNTIME_FILE: including(runtime)}
    for path, code in finished.items():
        path.write_text(code, encoding="utf-8")
        if path in before and before[path][0] == code:
            # What is the same is not compiled again.
            os.utime(path, ns=(before[path][1].st_atime_ns, before[path][1].st_mtime_ns))
    included = {*hot, *runtime}
    together.sources = [str(path) for path in finished if path not in included]
    together.depends = [*together.depends, *map(str, included)]
    if sys.platform != "win32":
        for extension in extensions:
            extension.extra_compile_args = [*extension.extra_compile_args, *FLAGS]
    return extensions


def c_name(module: str) -> str:
    """The name of a module, as a path, in the name of the C file that mypyc writes of it."""
    return module.replace("/", ".").replace("___", "___3_").replace(".", "___")


def including(paths: list[Path]) -> str:
    """One C file that is made of several."""
    return "".join([f'#include "{path.name}"\n' for path in paths])


def patched_files(paths: list[Path], modules: dict[str, Path]) -> dict[Path, str]:
    """The C files of mypyc with the patches."""
    from mypyc_patches import patched

    texts = patched({str(path): path.read_text(encoding="utf-8") for path in paths}, modules, FROZEN)
    return {Path(name): text for name, text in texts.items()}


class BuildAllOrNone(build_ext):
    """Build every extension, or install none of them: they work only together."""

    def run(self) -> None:
        """Build, and go on without extensions where there is no compiler that can."""
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
        """Build, with a C compiler on each core if it is one that takes the options of gcc."""
        compiler: Any = self.compiler
        if compiler.compiler_type != "unix":
            super().build_extensions()
            return
        cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
        count = sum(len(extension.sources) for extension in self.extensions)
        say(f"{compiler.compiler_so[0]} compiles {count} C files, {cores} at a time")
        # Linking, and the small files, need not wait for the large ones.
        self.parallel = self.parallel or 2
        with ThreadPoolExecutor(cores) as pool:
            compiler.compile = partial(compile_in, pool, compiler)
            super().build_extensions()


def compile_in(pool: Executor, compiler: Any, sources: list[str], *args: Any, **options: Any) -> list[str]:
    """Compile sources side by side, with the optimization that each is worth: `compile` of setuptools' compilers."""
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

    def compile_one(target: str) -> None:
        source, suffix = files[target]
        level = FAST if Path(source) in (HOT_FILE, RUNTIME_FILE) else QUICK
        compiler._compile(target, source, suffix, first, [*last, level], paths)

    # The largest are first, so that no core is left with one at the end. (The file of hot modules includes them.)
    paths_of = {target: Path(source) for target, (source, _) in files.items()}
    waiting = sorted(files, key=lambda target: (paths_of[target] != HOT_FILE, -paths_of[target].stat().st_size))
    for done in [pool.submit(compile_one, target) for target in waiting]:
        done.result()
    return list(objects)


class WheelWithBill(bdist_wheel):
    """A wheel with a software bill of materials."""

    def write_wheelfile(self, wheelfile_base: str, *args: Any, **options: Any) -> None:
        """Write the bill beside the file that is written last; only now is it known whether anything was compiled."""
        super().write_wheelfile(wheelfile_base, *args, **options)
        from bill_of_materials import bill_of_materials

        told = pyproject()
        compilers = told["tool"]["heartsrules"]["compilers"]
        bill = bill_of_materials(told["project"], compilers, compiled=bool(self.distribution.has_ext_modules()))
        folder = Path(wheelfile_base, "sboms")
        folder.mkdir(exist_ok=True)
        (folder / "heartsrules.cdx.json").write_text(bill, encoding="utf-8")


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


def pyproject() -> dict[str, Any]:
    """The contents of pyproject.toml."""
    with Path("pyproject.toml").open("rb") as file:
        return tomllib.load(file)


def described() -> dict[str, Any]:
    """What an index of packages shows: the README, and the addresses that pyproject.toml tells.

    There is no page there that a link inside the repository could lead to.
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


COMMANDS: dict[str, Any] = {"bdist_wheel": WheelWithBill, "build_ext": BuildAllOrNone, "sdist": SameEverywhere}
if "SOURCE_DATE_EPOCH" in os.environ:
    # What setuptools writes itself has the same permissions in every wheel.
    os.umask(0o022)
setup(ext_modules=translated(), cmdclass=COMMANDS, **described())
