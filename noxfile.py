"""The project's checks. `nox` alone runs all that must pass before a change is done."""

from __future__ import annotations

from pathlib import Path

import nox

nox.needs_version = ">=2025.2.9"
nox.options.sessions = ["lint", "types", "tests", "docs"]
nox.options.error_on_external_run = True
nox.options.reuse_venv = "yes"

PYPROJECT = nox.project.load_toml("pyproject.toml")
TYPED = ["src", "tests", "bench", "noxfile.py"]


def group(name: str) -> tuple[str, ...]:
    """The requirements of a dependency group."""
    return nox.project.dependency_groups(PYPROJECT, name)


@nox.session
def tests(session: nox.Session) -> None:
    """Run all tests against the built wheel, and measure how much of the package they reach."""
    session.install(*group("test"))
    wheel = build_wheel(session)
    session.install("--force-reinstall", "--no-deps", str(wheel))
    session.install(f"{wheel}[cli]")
    session.run("pytest", "-n", "auto", "-m", "not long", "--cov", "--cov-report=term", *session.posargs)
    # Tracing would slow these down several times over, and they reach nothing that the others do not.
    session.run("pytest", "-n", "auto", "-m", "long", *session.posargs)


def build_wheel(session: nox.Session) -> Path:
    """Build the wheel, so that what is tested is what is shipped."""
    target = Path(session.create_tmp()) / "dist"
    for old in target.glob("*.whl"):
        old.unlink()
    session.install("build")
    session.run("python", "-m", "build", "--wheel", "--outdir", str(target), ".", silent=True)
    (wheel,) = target.glob("*.whl")
    return wheel


@nox.session
def types(session: nox.Session) -> None:
    """Check the types of the package, the tests and the examples with mypy and pyright."""
    session.install(*group("types"), ".[cli]")
    session.run("mypy", *TYPED)
    session.run("pyright")


@nox.session
def lint(session: nox.Session) -> None:
    """Check style and the order of the layers."""
    session.install(*group("lint"), ".[cli]")
    session.run("ruff", "check", ".")
    session.run("ruff", "format", "--check", ".")
    session.run("lint-imports")


@nox.session
def docs(session: nox.Session) -> None:
    """Build the documentation; warnings are errors. (Its examples run with the tests.)"""
    session.install(*group("docs"), ".[cli]")
    session.run("sphinx-build", "-W", "--keep-going", "-q", "-b", "html", "docs", "docs/_build/html")


@nox.session
def bench(session: nox.Session) -> None:
    """Measure the speed of a play and the size of a state beside OpenSpiel, in one process."""
    session.install(*group("bench"), ".")
    session.run("python", "bench/bench.py", *session.posargs)
    session.run("python", "bench/wire.py")
