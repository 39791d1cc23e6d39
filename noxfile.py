"""The project's checks. `nox` alone runs all that must pass before a change is done."""

from __future__ import annotations

import os
import shutil
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import nox

nox.needs_version = ">=2025.2.9"
nox.options.sessions = ["lint", "types", "tests", "docs", "web"]
nox.options.error_on_external_run = True
nox.options.reuse_venv = "yes"
# uv installs in seconds; where it is not there, nothing else changes.
nox.options.default_venv_backend = "uv|virtualenv"
os.environ.setdefault("UV_SYSTEM_CERTS", "1")  # as pip does: behind a proxy of a company nothing else works

PYPROJECT = nox.project.load_toml("pyproject.toml")
TYPED = ["src", "tests", "bench", "noxfile.py", "setup.py"]
QUICKLY = {"HEARTSRULES_COMPILE": "0"}
"""For sessions that do not run the rules."""
DOCUMENTED = ".[cli,openspiel,pettingzoo,plot,testing,vector]"
"""What the documentation is built with; .readthedocs.yaml has it too."""
SITE = Path("docs/_build/html")
QUICK = "not long and not web and not types"
"""The marks of the quick tests."""

_SITE: list[Path] = []
"""The documentation, if this run has built it."""
_BUILT: dict[str, Path] = {}


def group(name: str) -> tuple[str, ...]:
    """The requirements of a dependency group."""
    return nox.project.dependency_groups(PYPROJECT, name)


@nox.session
def tests(session: nox.Session) -> None:
    """Run the tests against a built wheel of each build; HEARTSRULES_BUILD in the environment asks for one of them.

    What does not depend on the build runs once, in the build that conftest.py names.
    """
    chosen = os.environ.get("HEARTSRULES_BUILD")
    builds = [chosen] if chosen else ["interpreted", "compiled"]
    session.install(*group("test"))
    # A file that is asked for need not have tests for a build: 5 says that none was chosen.
    codes = [0, 5] if session.posargs else [0]
    with ThreadPoolExecutor(1) as behind:
        # The compiler takes one core for two minutes: meanwhile the interpreted wheel is tested.
        wheels = {build: behind.submit(build_wheel, session, build) for build in builds}
        for build, built in wheels.items():
            run_tests(session, build, built.result(), "not web and not types and not figures", codes)


@nox.session
def quick(session: nox.Session) -> None:
    """Run the quick tests of one build, interpreted unless HEARTSRULES_BUILD says otherwise: three minutes."""
    build = os.environ.get("HEARTSRULES_BUILD", "interpreted")
    session.install(*group("test"))
    run_tests(session, build, build_wheel(session, build), QUICK, [0, 5] if session.posargs else [0])


def run_tests(session: nox.Session, build: str, wheel: Path, chosen: str, codes: list[int]) -> None:
    """Run the tests that an expression of marks chooses, those of this build, against a wheel of it."""
    session.install("--force-reinstall", "--no-deps", str(wheel))
    session.install(f"{wheel}[cli]")
    other = "compiled" if build == "interpreted" else "interpreted"
    command = ["pytest", "-n", "auto", "--dist", "worksteal", "-m", f"{chosen} and not once_{other}"]
    session.run(*command, *session.posargs, env={"HEARTSRULES_BUILD": build}, success_codes=codes)


@nox.session
def figures(session: nox.Session) -> None:
    """Play the games of documented figures once more, those that are too long for `nox -s tests`."""
    session.install(*group("test"), ".[cli]")
    session.run("pytest", "-n", "auto", "-m", "figures", "tests")


@nox.session
def coverage(session: nox.Session) -> None:
    """Measure how much of the package the quick tests reach; tracing makes them take three times as long.

    The long tests reach nothing that the others do not.
    """
    session.install(*group("test"))
    wheel = build_wheel(session, "interpreted")
    session.install("--force-reinstall", "--no-deps", str(wheel))
    session.install(f"{wheel}[cli]")
    session.run("pytest", "-n", "auto", "-m", QUICK, "--cov", "--cov-report=term")


@nox.session
def web(session: nox.Session) -> None:
    """Play at the browser table in Chromium, and look at the documentation if this run has built it."""
    if shutil.which("chromium") is None:
        session.skip("there is no Chromium: install it (Debian: apt-get install chromium) to run these tests")
    # A compiled wheel of this run saves compiling anew.
    session.install(*group("web"), f"{_BUILT['compiled']}[web]" if "compiled" in _BUILT else ".[web]")
    given = {"HEARTSRULES_WHEEL": str(build_wheel(session, "interpreted"))}
    if _SITE:
        given["HEARTSRULES_SITE"] = str(_SITE[0].resolve())
    session.run("pytest", "-n", "auto", "--dist", "worksteal", "-m", "web", "tests/web", *session.posargs, env=given)


@nox.session
def pyodide(session: nox.Session) -> None:
    """Play 2,000 games of random rules in Pyodide as in CPython, and try the page of the built docs in Chromium.

    `nox -s web` does the same with fewer games and without building the docs.
    """
    for program in ("npm", "chromium"):
        if shutil.which(program) is None:
            session.skip(f"there is no {program}: install it to run these tests")
    session.install(*group("docs"), *group("web"), ".[openspiel,pettingzoo,plot,testing,vector,web]", env=QUICKLY)
    wheel = build_wheel(session, "interpreted")
    built = Path(session.create_tmp()).resolve() / "html"
    session.run("sphinx-build", "-q", "-b", "html", "docs", str(built), env=in_browser(session, wheel))
    given = {"HEARTSRULES_WHEEL": str(wheel), "HEARTSRULES_DOCS": str(built), "HEARTSRULES_ROUNDS": "2000"}
    session.run("pytest", "-m", "web", "tests/web/test_pyodide.py", *session.posargs, env=given)


def in_browser(session: nox.Session, wheel: Path) -> dict[str, str]:
    """Gather what the page of the docs runs the rules with, and say in the environment where it is."""
    folder = Path(session.create_tmp()).resolve() / "in-browser"
    command = ["python", "-m", "support.pyodide", str(folder / "rules"), str(wheel)]
    session.run(*command, env={"PYTHONPATH": "tests"})
    return {"HEARTSRULES_IN_BROWSER": str(folder)}


def build_wheel(session: nox.Session, build: str) -> Path:
    """The wheel of one build, made from a source distribution, so that what is tested is what is shipped.

    All sessions of one run share it.
    """
    if build in _BUILT:
        return _BUILT[build]
    target = Path(session.create_tmp()) / build
    shutil.rmtree(target, ignore_errors=True)
    session.install("build[uv]")
    wish = {"HEARTSRULES_COMPILE": str(int(build == "compiled"))}
    command = ["python", "-m", "build", "--installer", "uv", "--outdir", str(target), "."]
    session.run(*command, silent=True, env=wish)
    (_BUILT[build],) = target.resolve().glob("*.whl")
    return _BUILT[build]


@nox.session
def types(session: nox.Session) -> None:
    """Check the types of the package, the tests and the bots of the how-to with mypy and pyright."""
    session.install(*group("types"), ".[cli]", env=QUICKLY)
    # Each of them uses one core.
    with ThreadPoolExecutor() as both:
        for checker in [both.submit(session.run, "mypy", *TYPED), both.submit(session.run, "pyright")]:
            checker.result()
    session.run("pytest", "-m", "types", "tests/test_types.py")


@nox.session
def lint(session: nox.Session) -> None:
    """Check style, spelling, the order of the layers, and pyproject.toml."""
    session.install(*group("lint"), ".[cli]", env=QUICKLY)
    session.run("ruff", "check", ".")
    session.run("ruff", "format", "--check", ".")
    session.run("lint-imports")
    session.run("codespell")
    session.run("validate-pyproject", "pyproject.toml")


@nox.session
def docs(session: nox.Session) -> None:
    """Build the documentation; warnings are errors. (Its examples run with the tests.)"""
    session.install(*group("docs"), DOCUMENTED, env=QUICKLY)
    if shutil.which("npm") is None:
        session.log("there is no npm: the page on web pages without a server can only say that Pyodide is not there")
        extra = {}
    else:
        extra = in_browser(session, build_wheel(session, "interpreted"))
    session.run("sphinx-build", "-W", "--keep-going", "-q", "-j", "auto", "-b", "html", "docs", str(SITE), env=extra)
    _SITE.append(SITE)


@nox.session
def links(session: nox.Session) -> None:
    """Ask whether the places elsewhere that the documentation leads to are there; needs the network."""
    session.install(*group("docs"), DOCUMENTED, env=QUICKLY)
    session.run("sphinx-build", "--keep-going", "-q", "-b", "linkcheck", "docs", "docs/_build/links")


@nox.session
def generate(session: nox.Session) -> None:
    """Write everything that is generated: schemas, golden files, samples, the fuzzing corpus, tables of the docs."""
    session.install(*group("test"), ".[cli]", env=QUICKLY)
    session.run("python", "-m", "support.generated", env={"PYTHONPATH": "src:tests"})


@nox.session
def bench(session: nox.Session) -> None:
    """Measure the speed of a play and the size of a state beside OpenSpiel, in one process."""
    session.install(*group("bench"), ".")
    session.run("python", "bench/bench.py", *session.posargs)
    session.run("python", "bench/rollouts.py")
    session.run("python", "bench/wire.py")
    session.run("python", "bench/learning.py")


@nox.session
def peers(session: nox.Session) -> None:
    """Measure a move in other libraries, of Hearts and of other games, beside a play here."""
    session.install(*group("peers"), ".")
    session.run("python", "bench/peers.py", *session.posargs)


@nox.session
def train(session: nox.Session) -> None:
    """Train a player with PyTorch for ten minutes, or as the options of docs/examples/train/ppo.py say."""
    session.install(".[plot,train,vector]")
    session.run("python", "docs/examples/train/ppo.py", *session.posargs)


@nox.session
def steps(session: nox.Session) -> None:
    """Measure whether a play has become slower: give it an old and a new wheel, and options of bench/steps.py."""
    session.install("attrs>=23.2")
    session.run("python", "bench/steps.py", *session.posargs)


@nox.session
def digests(session: nox.Session) -> None:
    """Play a million random games, or as an argument says, in both builds and compare their digests: takes minutes."""
    games = session.posargs[0] if session.posargs else "1000000"
    session.install("attrs>=23.2", "hypothesis>=6.130")
    found = set()
    for build in ("compiled", "interpreted"):
        session.install("--force-reinstall", "--no-deps", str(build_wheel(session, build)))
        command = ["python", "-m", "support.digests", "--games", games, "--jobs", str(os.cpu_count() or 1)]
        line = str(session.run(*command, env={"PYTHONPATH": "tests"}, silent=True))
        session.log(line)
        found.add(line.split()[0])
    if len(found) > 1:
        session.error("the builds do not play the same games")


@nox.session
def fuzz(session: nox.Session) -> None:
    """Give every reader spoiled inputs, guided by coverage (interpreted) and at random in both builds: takes minutes.

    An argument is how many inputs each build is given, a million by default.
    """
    inputs = int(session.posargs[0]) if session.posargs else 1_000_000
    session.install("attrs>=23.2", "msgspec>=0.22")
    environment = {"PYTHONPATH": "tests"}
    for build in ("compiled", "interpreted"):
        session.install("--force-reinstall", "--no-deps", str(build_wheel(session, build)))
        session.run("python", "-m", "fuzzing.run", "--inputs", str(inputs), env=environment)
    session.install("atheris>=3")
    listed = session.run("python", "-m", "fuzzing.run", "--list", env=environment, silent=True)
    targets = str(listed).split()
    for target in targets:
        runs = f"-runs={inputs // (4 * len(targets))}"
        session.run("python", "-m", "fuzzing.guided", target, runs, "-timeout=20", "-verbosity=0", env=environment)


@nox.session(venv_backend="virtualenv")
def mutants(session: nox.Session) -> None:
    """Change the rules, one operator at a time, and list what no test notices; takes hours, or name some modules."""
    session.install(*group("test"), ".[cli]", env=QUICKLY)
    # A copy of the source is what is changed and tested.
    session.run("pip", "uninstall", "--yes", "--quiet", "heartsrules")
    session.run("python", "-m", "support.mutants", *session.posargs, env={"PYTHONPATH": "tests"})


@nox.session
def faults(session: nox.Session) -> None:
    """Plant faults in the naive model and in an engine in JavaScript, which the conformance suite must notice."""
    session.install(*group("test"), ".[json]", env=QUICKLY)
    session.run("python", "-m", "support.faults", *session.posargs, env={"PYTHONPATH": "tests"})
