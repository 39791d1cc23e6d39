"""What needs an extra says which one, and how to install it, where it is missing; nothing else needs one."""

from __future__ import annotations

import json
import pickle
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from heartsrules.base.extras import PACKAGES, MissingExtra, needs
from support.modules import MODULES

pytestmark = pytest.mark.once_interpreted

ROOT = Path(__file__).resolve().parents[2]
IMPORTED = {"open-spiel": ("open_spiel", "pyspiel")}
"""The names under which a distribution is imported, if they are not its own."""
NEEDED = {
    "heartsrules.bots._inputs": "learned",
    "heartsrules.bots._network": "learned",
    "heartsrules.bots.external": "json",
    "heartsrules.apps.command_line": "cli",
    "heartsrules.bridges.openspiel.game": "openspiel",
    "heartsrules.bridges.gymnasium": "pettingzoo",
    "heartsrules.bridges.pettingzoo": "pettingzoo",
    "heartsrules.bridges.datasets": "vector",
    "heartsrules.bridges.vector": "vector",
    "heartsrules.testing.conformance": "json",
    "heartsrules.apps.serve.answering": "json",
    "heartsrules.apps.serve.declaring": "json",
    "heartsrules.apps.serve.http": "web",
    "heartsrules.apps.serve.lines": "json",
    "heartsrules.apps.serve.openapi": "json",
    "heartsrules.apps.serve.operations": "json",
    "heartsrules.apps.serve.playing": "json",
    "heartsrules.apps.static_document": "web",
    "heartsrules.apps.table": "web",
    "heartsrules.apps.web_server": "web",
    "heartsrules.apps.terminal": "cli",
    "heartsrules.testing.machine": "testing",
    "heartsrules.testing.strategies": "testing",
    "heartsrules.formats.wire": "json",
}
"""The modules and packages that cannot be imported without an extra. What each tells lies within the package too."""


def without(packages: tuple[str, ...], code: str) -> str:
    """What Python code prints where these packages are not installed."""
    block = f"import sys; sys.modules.update(dict.fromkeys({packages!r})); sys.argv = ['heartsrules']\n"
    done = subprocess.run([sys.executable, "-c", block + code], capture_output=True, text=True, check=False)
    return done.stdout + done.stderr


def test_the_packages_of_each_extra_are_those_that_it_installs() -> None:
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["optional-dependencies"]

    def brought(extra: str) -> set[str]:
        found: set[str] = set()
        for wanted in extras[extra]:
            if other := re.match(r"heartsrules\[(\w+)\]", wanted):
                found |= brought(other[1])
            else:
                name = re.split(r"[<>=]", wanted)[0].replace("_", "-")
                found |= set(IMPORTED.get(name, (name.replace("-", "_"),)))
        return found

    assert {extra: set(packages) for extra, packages in PACKAGES.items()} == {extra: brought(extra) for extra in extras}


def test_every_module_can_be_imported_or_names_its_extra() -> None:
    code = f"""
import importlib, json
found = {{}}
for name in {MODULES!r}:
    try:
        importlib.import_module(name)
    except ImportError as error:
        found[name] = [getattr(error, "extra", None), str(error)]
print(json.dumps(found))
"""
    everything = tuple({package for packages in PACKAGES.values() for package in packages})
    found = json.loads(without(everything, code))
    for name in MODULES:
        extra = next((needed for part, needed in NEEDED.items() if f"{name}.".startswith(f"{part}.")), None)
        if extra is None:
            assert name not in found
        else:
            assert found[name][0] == extra, name
            assert f"pip install 'heartsrules[{extra}]'" in found[name][1]


@pytest.mark.sampled(4)
@pytest.mark.parametrize(
    ("extra", "code", "words"),
    [
        ("cli", "from heartsrules.__main__ import main; main()", "heartsrules: the command line needs rich"),
        (
            "dask",
            "import heartsrules.apps.command_line.workers as w; w.Workers(w.WorkerOptions(dask='tcp://x:1')).chunked()",
            "MissingExtra: --dask needs distributed",
        ),
        ("json", "from heartsrules.formats.wire import to_json", "MissingExtra: JSON needs msgspec"),
        ("learned", "from heartsrules.bots import bot_named; bot_named('learned')", "the bot learned needs numpy"),
        ("openspiel", "from heartsrules.bridges.openspiel import rules_of; rules_of('hearts')", "a game that is named"),
        ("openspiel", "import heartsrules.bridges.openspiel.game", "heartsrules.bridges.openspiel.game needs numpy"),
        ("pettingzoo", "import heartsrules.bridges.pettingzoo", "heartsrules.bridges.pettingzoo needs gymnasium"),
        (
            "plot",
            "import pathlib; from heartsrules.simulation.figures import check_path; check_path(pathlib.Path('x.svg'))",
            "MissingExtra: a plot needs matplotlib",
        ),
        (
            "parquet",
            "from heartsrules.simulation.kept_games import *; KeptGames(Path('x.parquet'), 'columns', None)",
            "MissingExtra: a Parquet file needs pyarrow",
        ),
        ("parquet", "import heartsrules.bridges.datasets", "heartsrules.bridges.datasets needs pyarrow"),
        ("vector", "import heartsrules.bridges.datasets", "heartsrules.bridges.datasets needs numpy"),
        ("ray", "from heartsrules.simulation.on_ray import RayTasks; RayTasks()", "an executor on Ray needs ray"),
        ("testing", "from heartsrules.testing import states", "heartsrules.testing.strategies needs hypothesis"),
        ("testing", "import heartsrules.testing.machine", "heartsrules.testing.machine needs hypothesis"),
        ("vector", "import heartsrules.bridges.vector", "heartsrules.bridges.vector needs gymnasium"),
        ("web", "import heartsrules.apps.table.app", "the browser table needs"),
    ],
)
def test_the_message_says_how_to_install_what_is_missing(extra: str, code: str, words: str) -> None:
    printed = without(PACKAGES[extra], code)
    assert words in printed
    assert f"which is not installed: pip install 'heartsrules[{extra}]'" in printed


def test_the_error_has_its_parts_and_can_be_pickled() -> None:
    with pytest.raises(MissingExtra) as caught, needs("json", "JSON"):
        raise ModuleNotFoundError("No module named 'msgspec.structs'", name="msgspec.structs")
    error: MissingExtra
    for error in (caught.value, pickle.loads(pickle.dumps(caught.value))):
        assert isinstance(error, ImportError)
        assert (error.code, error.what, error.extra, error.name) == ("missing-extra", "JSON", "json", "msgspec")
        assert str(error) == "JSON needs msgspec, which is not installed: pip install 'heartsrules[json]'"


def test_another_error_is_not_blamed_on_the_extra() -> None:
    for other in (ModuleNotFoundError("no", name="secrets"), ModuleNotFoundError("no"), ImportError("no", name="rich")):
        with pytest.raises(ImportError) as caught, needs("cli", "the command line"):
            raise other
        assert caught.value is other
    inner = MissingExtra("JSON", "json", "msgspec")
    with pytest.raises(MissingExtra) as within, needs("cli", "the command line"):
        raise inner
    assert within.value is inner
