"""The benchmark of a play in two wheels: it loads both and plays the same games."""

from __future__ import annotations

import re
import subprocess
import sys
import zipfile
from pathlib import Path
from types import ModuleType

import pytest

import heartsrules
from heartsrules import COMPILED
from support.benches import BENCH, bench

pytestmark = pytest.mark.once_interpreted

SCRIPT = BENCH / "steps.py"
PACKAGE = Path(heartsrules.__file__).parent
EXTENSIONS = (".so", ".pyd")


@pytest.fixture(scope="module")
def script() -> ModuleType:
    return bench("steps")


def wheel(path: Path, *, compiled: bool) -> Path:
    """What is installed here as a wheel, with or without what was compiled of it."""
    with zipfile.ZipFile(path, "w") as archive:
        for file in sorted(PACKAGE.rglob("*")):
            name = file.relative_to(PACKAGE.parent).as_posix()
            if "__pycache__" not in file.parts and (compiled or file.suffix not in EXTENSIONS):
                archive.write(file, name)
        if compiled:
            together = Path(str(sys.modules["heartsrules__mypyc"].__file__))
            archive.write(together, together.name)
    return path


def run(*arguments: object) -> tuple[int, str, str]:
    done = subprocess.run(
        [sys.executable, str(SCRIPT), *map(str, arguments)], capture_output=True, text=True, timeout=300, check=False
    )
    return done.returncode, done.stdout, done.stderr


@pytest.mark.long
@pytest.mark.parametrize("compiled", [False, True])
def test_two_wheels_in_one_process(tmp_path: Path, script: ModuleType, compiled: bool) -> None:
    if compiled and not COMPILED:
        pytest.skip("what is installed here is not compiled")
    wheels = [wheel(tmp_path / f"{name}.whl", compiled=compiled) for name in ("old", "new")]
    before = {name: module for name, module in sys.modules.items() if name.startswith("heartsrules")}
    apis = [script.load(path, tmp_path / path.stem) for path in wheels]
    assert {name: module for name, module in sys.modules.items() if name.startswith("heartsrules")} == before
    assert [api.COMPILED for api in apis] == [compiled] * 2
    files = [Path(api.play.engine.__file__) for api in apis]
    assert [file.relative_to(tmp_path).parts[0] for file in files] == ["old", "new"]
    assert all((file.suffix in EXTENSIONS) == compiled for file in files)
    assert len({heartsrules.Cards, *[api.Cards for api in apis]}) == 3
    # Neither knows the states of the other: they share no compiled code.
    state = apis[0].new_game(apis[0].Rules())
    with pytest.raises(TypeError):
        apis[1].legal_moves(state)
    with pytest.raises(TypeError):
        apis[1].apply(state, apis[0].deal(state))

    code, out, err = run(*wheels, "--rounds", 2, "--games", 2)
    assert (code, err) == (0, "")
    build = "compiled" if compiled else "interpreted"
    assert f"old: old.whl, {build}\nnew: new.whl, {build}\n" in out
    assert re.search(r"^2 games of the default rules, \d+ deals, \d+ moves; 2 rounds, seed 1$", out, re.MULTILINE)
    number = r"\d+\.\d{4}"
    spread = rf"{number}   \(10th to 90th percentile {number} to {number}, all {number} to {number}\)"
    assert re.search(rf"^new / old: {spread}$", out, re.MULTILINE)
