"""Packages of extras that are not installed: each command that needs one says how to install it."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Final

import pytest
from typer.testing import CliRunner

from heartsrules import __main__ as program
from heartsrules.apps.command_line import app
from support.commands import missing, run

pytestmark = [pytest.mark.once_compiled, pytest.mark.usefixtures("plain_environment")]

GAMES: Final = Path(__file__).parents[1] / "data" / "records" / "games.hearts"
AT_FIRST_USE: Final = {"msgspec": "heartsrules.formats.wire", "uvicorn": "heartsrules.apps.web_server"}
"""The module of ours that imports a package; it may have been imported already."""


def message(what: str, package: str, extra: str) -> str:
    """Return the message that names a package and how it is installed."""
    return f"{what} needs {package}, which is not installed: pip install 'heartsrules[{extra}]'"


@pytest.mark.parametrize(
    ("package", "arguments", "what", "extra", "else_"),
    [
        ("distributed", "simulate cardstock --games 1000000 --dask tcp://127.0.0.1:1", "--dask", "dask", ""),
        ("matplotlib", "simulate cardstock --games 1000000 --plot x.svg", "a plot", "plot", ""),
        ("msgspec", "rules microsoft --format json", "JSON", "json", ""),
        ("msgspec", "verify --input json", "JSON", "json", ""),
        ("uvicorn", "serve", "HTTP", "web", ", or use --stdio"),
        ("uvicorn", "table --database kept", "HTTP", "web", ""),
    ],
)
def test_a_command_names_the_package_that_it_needs(
    package: str, arguments: str, what: str, extra: str, else_: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setitem(sys.modules, package, None)
    if package in AT_FIRST_USE:
        monkeypatch.delitem(sys.modules, AT_FIRST_USE[package], raising=False)
    assert run(*arguments.split()) == (2, "", f"Error: {message(what, package, extra)}{else_}\n")


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    ("package", "arguments", "what", "extra"),
    [
        ("msgspec", "serve --stdio", "Error: serving", "json"),
        ("typer", "", "heartsrules: the command line", "cli"),
        ("rich", "", "heartsrules: the command line", "cli"),
        ("starlette", "table --database kept", "Error: the browser table", "web"),
        ("msgspec", "table --database kept", "Error: the browser table", "web"),
        ("segno", "table --database kept", "Error: the browser table", "web"),
        ("msgspec", f"verify --input json {GAMES}", "Error: JSON", "json"),
    ],
)
def test_a_program_without_a_package_says_so(
    package: str, arguments: str, what: str, extra: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    done = missing(package, *arguments.split())
    assert (done.returncode, done.stdout, done.stderr) == (2, "", f"{message(what, package, extra)}\n")
    assert not list(tmp_path.iterdir()), "nothing is written before it is said"


@pytest.mark.long
def test_without_msgspec_only_json_is_missing(tmp_path: Path) -> None:
    done = missing("msgspec", "verify", GAMES)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith(f"{GAMES} #1: valid")
    done = missing("msgspec", "conformance", "openspiel", "-o", tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    assert message("", "msgspec", "json") in done.stderr


@pytest.mark.parametrize(
    ("module", "arguments"),
    [
        ("heartsrules.apps.serve.http", ["serve"]),
        ("heartsrules.apps.table.messages", ["table", "--database", "nowhere"]),
        ("heartsrules.testing.conformance", ["conformance", "openspiel", "--out", "nowhere"]),
    ],
)
def test_a_module_of_our_own_is_in_no_extra(
    module: str, arguments: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its absence is a mistake, and is not hidden."""
    monkeypatch.chdir(tmp_path)
    parent, _, name = module.rpartition(".")
    monkeypatch.delattr(sys.modules.get(parent, program), name, raising=False)
    monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(ModuleNotFoundError, match=module.replace(".", r"\.")):
        CliRunner().invoke(app, arguments, catch_exceptions=False)


def test_another_missing_module_is_not_blamed_on_the_extra() -> None:
    done = missing("secrets")
    assert done.returncode == 1
    assert "ModuleNotFoundError" in done.stderr
    assert "heartsrules[cli]" not in done.stderr


def forget_the_command_line(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in list(sys.modules):
        if name == "heartsrules.apps.command_line" or name.startswith("heartsrules.apps.command_line."):
            monkeypatch.delitem(sys.modules, name)
    # When it is imported again, its package refers to the new one.
    monkeypatch.delattr("heartsrules.apps.command_line")


def test_the_main_function_misses_the_extra(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    forget_the_command_line(monkeypatch)
    monkeypatch.setitem(sys.modules, "typer", None)
    with pytest.raises(SystemExit) as ending:
        program.main()
    assert ending.value.code == 2
    assert "pip install 'heartsrules[cli]'" in capsys.readouterr().err
    monkeypatch.undo()
    forget_the_command_line(monkeypatch)
    monkeypatch.setitem(sys.modules, "heartsrules.base.errors", None)
    with pytest.raises(ModuleNotFoundError, match=r"base\.errors"):
        program.main()
