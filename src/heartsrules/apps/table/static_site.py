"""The browser table as static files. They play without a server, even offline, and any file host can serve them."""

from __future__ import annotations

import gzip
import hashlib
import json
import shutil
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Iterator
from importlib import metadata, resources
from pathlib import Path
from typing import Final

import attr
import attrs

from heartsrules.analysis import drills
from heartsrules.apps.table.answering import drill_answer
from heartsrules.apps.table.documents import BUNDLE
from heartsrules.apps.table.offering import choices_document
from heartsrules.apps.table.settings import Proposal
from heartsrules.formats.wire.parts import write_part
from heartsrules.messages import languages

PYODIDE: Final = "314.0.7"
"""The version of Pyodide, from npm."""
_DIGEST: Final = (
    "d18bd7c4485f11da4b7dbfd790cd8114078c44eab488c517d9bcf31fda4eb6dc"
    "8c716930abe1db139bb2b860fcd8b37bcb6abe48dbe2ffa579244b0e943d91d4"
)
"""The SHA-512 of its package."""
PYTHON: Final = "3.14"
PLATFORM: Final = "pyemscripten_2026_0_wasm32"
_RUNTIME: Final = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "pyodide-lock.json", "python_stdlib.zip")
"""The files of the npm package that a build needs."""
_LEFT_OUT: Final = (
    *("__main__.py", "apps/command_line", "apps/terminal", "bots/_process.py", "bots/external.py", "bridges"),
    *[f"apps/{name}.py" for name in ("completion", "static_document", "web_server")],
    *[f"apps/serve/{name}.py" for name in ("__main__", "http", "lines", "openapi", "playing")],
    *[f"apps/table/{name}.py" for name in ("addresses", "app", "documents", "static_site", "store", "thinkers")],
    *[f"bots/{name}.py" for name in ("_inputs", "_lockstep", "_network")],
    *[f"pictures/{name}.py" for name in ("notebooks", "pages", "reviews", "viewer")],
    *("formats/foreign", "simulation", "testing", "analysis/drills.jsonl"),
)
"""The parts of the package that need a server, a terminal or another program, or that no page uses.

The documentation's page on Pyodide has the same copy, and uses the operations of `apps.serve` and pictures.
"""
_DATA: Final = ("analysis", "messages", "pictures")
"""The subpackages with data files."""

_POLICY: Final = (
    "default-src 'none'; script-src 'self'; worker-src 'self'; style-src 'self'; img-src 'self'; "
    "connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; "
    "require-trusted-types-for 'script'; trusted-types hearts"
)
"""The content security policy, in the page itself: a file host sends no headers of its own."""


class CannotBuild(Exception):
    """The page cannot be built. The message names the missing part."""


def build_page(folder: Path, pyodide: Path | None = None, proposal: Proposal | None = None) -> dict[str, int]:
    """Build the page, and return the sizes of its files in bytes, by name.

    Args:
        folder: the target; new, empty, or with such a page.
        pyodide: a folder with the npm package `pyodide`, and the wheel of msgspec for it. By default, npm and pip
            download them.
        proposal: the form's initial choice. Defaults to the usual game.

    Raises:
        CannotBuild: the folder has other contents, or Node.js, npm, pip or a file is missing.
        OSError: the folder cannot be written.
    """
    if folder.exists() and any(folder.iterdir()) and not (folder / "service-worker.js").is_file():
        raise CannotBuild(f"{str(folder)!r} has other files: name a new folder, or an empty one")
    with tempfile.TemporaryDirectory() as work:
        files = dict(_files(Path(work), pyodide, proposal))
    names = ["./", *sorted(files)]
    digest = hashlib.sha256(repr(sorted(files.items())).encode()).hexdigest()[:16]
    keeper = _page_file("service-worker.js").decode()
    head = f"const VERSION = {json.dumps(digest)};\nconst FILES = {json.dumps(names)};\n"
    files["service-worker.js"] = (head + keeper).encode()
    for part in ("api", "rules", "static"):
        shutil.rmtree(folder / part, ignore_errors=True)
    for name, content in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(content)
    return {name: len(content) for name, content in files.items()}


def _files(work: Path, pyodide: Path | None, proposal: Proposal | None) -> Iterator[tuple[str, bytes]]:
    """Return the names and contents of all files except the worker that caches them."""
    source = _fetched(work / "fetched") if pyodide is None else pyodide
    missing = [name for name in _RUNTIME if not (source / name).is_file()]
    if missing:
        raise CannotBuild(f"{str(source)!r} has no {missing[0]}: name a folder with the npm package pyodide")
    yield "rules/pyodide.mjs", (source / "pyodide.mjs").read_bytes()
    lock = json.loads((source / "pyodide-lock.json").read_bytes())
    yield "rules/pyodide-lock.json", json.dumps({"info": lock["info"], "packages": {}}).encode()
    yield "rules/pyodide.asm.mjs.bin", _compressed((source / "pyodide.asm.mjs").read_bytes())
    yield "rules/python.wasm.bin", _compressed((source / "pyodide.asm.wasm").read_bytes())
    yield "rules/library.zip.bin", _compressed(_library(work, source))
    for path in BUNDLE.iterdir():
        if path.name not in ("digest.txt", "index.html", "manifest.webmanifest", "service-worker.js"):
            yield f"static/{path.name}", path.read_bytes()
    yield "index.html", _index()
    yield "manifest.webmanifest", _page_file("manifest.webmanifest")
    yield "api/choices.bin", _compressed(choices_document(proposal=proposal))
    for language in languages():
        found = [drill_answer("", str(number), language).drill for number in range(len(drills()))]
        yield f"api/drills-{language}.bin", _compressed(write_part(found))


def _page_file(name: str) -> bytes:
    return (BUNDLE / name).read_bytes()


def _index() -> bytes:
    """Return the page, with paths that work in any folder of a host."""
    head = (
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">\n'
        '    <meta name="hearts-server" content="page">\n    <title>'
    )
    page = _page_file("index.html").decode().replace("/api/choices", "/api/choices.bin")
    return page.replace('href="/', 'href="').replace('src="/', 'src="').replace("<title>", head).encode()


def _compressed(content: bytes) -> bytes:
    return gzip.compress(content, 9, mtime=0)


# ----------------------------------------------------------------------------------------------------------- Python


def _fetched(folder: Path) -> Path:
    folder.mkdir()
    _run("npm", "pack", "--silent", f"pyodide@{PYODIDE}", folder=folder)
    (archive,) = folder.glob("*.tgz")
    if hashlib.sha512(archive.read_bytes()).hexdigest() != _DIGEST:
        raise CannotBuild(f"npm gives another package than pyodide {PYODIDE}: its digest differs")
    shutil.unpack_archive(archive, folder, filter="data")
    package = folder / "package"
    wanted = f"--platform={PLATFORM} --python-version={PYTHON} --only-binary=:all: --no-deps".split()
    download = [sys.executable, *["-m", "pip", "download", "--quiet", "--disable-pip-version-check"]]
    requirement, *_ = [each for each in metadata.requires("heartsrules") or () if each.startswith("msgspec")]
    _run(*download, *wanted, requirement.partition(";")[0].strip(), folder=package)
    return package


def _run(*command: str, folder: Path) -> None:
    try:
        subprocess.run(command, cwd=folder, check=True, capture_output=True, text=True, timeout=600)
    except FileNotFoundError:
        raise CannotBuild(f"{command[0]} is not installed: a static page is built with Node.js and npm") from None
    except subprocess.CalledProcessError as error:
        # Node.js also prints the line that failed, which may be a whole program.
        lines = [line for line in (error.stderr or error.stdout).splitlines() if len(line) < 500]
        told = "\n".join(lines).strip()[-1000:]
        raise CannotBuild(f"{' '.join(command[:4])} has failed: {told}") from None


def _library(work: Path, pyodide: Path) -> bytes:
    given = work / "given"
    ours = Path(str(resources.files("heartsrules"))).resolve()
    for path in ours.rglob("*"):
        inside = path.relative_to(ours)
        data = path.suffix in (".json", ".jsonl") and inside.parts[0] in _DATA
        if (path.suffix == ".py" or data) and not any([inside.is_relative_to(each) for each in _LEFT_OUT]):
            (given / "heartsrules" / inside).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(path, given / "heartsrules" / inside)
    for package in (attr, attrs):
        shutil.copytree(
            Path(str(package.__file__)).parent,
            given / package.__name__,
            ignore=shutil.ignore_patterns("*.pyi", "__pycache__", "*.typed"),
        )
    wheels = sorted(pyodide.glob(f"msgspec-*{PLATFORM}.whl"))
    if not wheels:
        raise CannotBuild(f"{str(pyodide)!r} has no wheel of msgspec for {PLATFORM}")
    with zipfile.ZipFile(wheels[-1]) as wheel:
        names = [name for name in wheel.namelist() if name.startswith("msgspec/")]
        wheel.extractall(given, [name for name in names if not name.endswith((".pyi", ".typed"))])
    library = work / "library.zip"
    script = Path(str(resources.files("heartsrules.apps.table"))) / "pack.mjs"
    _run("node", str(script), str(pyodide.resolve()), str(given), str(library), folder=work)
    return library.read_bytes()
