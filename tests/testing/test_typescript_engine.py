"""The engine in TypeScript: it plays as Python does, and the conformance suite notices its faults.

`python -m support.typescript_engine` plays a million games.
"""

from __future__ import annotations

import gzip
import json
import subprocess
from pathlib import Path

import pytest

from heartsrules.testing.conformance import write
from support import typescript_engine
from support.typescript import PACKAGE, Missing, built
from support.typescript_engine import FAULTS, Fault, games, hunt, played

pytestmark = pytest.mark.once_compiled

SAMPLE = (Path(__file__).parents[1] / "data" / "conformance" / "sample.jsonl").read_text(encoding="utf-8").splitlines()
CASES = len(SAMPLE) - 1
"""How many cases the sample has: its first line is the rule set."""
END = f'{{"kind":"end","conformance":1,"rules":1,"cases":{CASES}}}'


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the compiled package."""
    try:
        return built(tmp_path_factory.mktemp("engine"))
    except Missing as error:
        pytest.skip(str(error))


@pytest.fixture(scope="module")
def sample(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The sample as a whole file of a suite."""
    path = tmp_path_factory.mktemp("sample") / "sample.jsonl"
    path.write_text("\n".join([*SAMPLE, END]), encoding="utf-8")
    return path


def check(engine: Path, *suites: Path) -> subprocess.CompletedProcess[str]:
    command = ["node", str(engine / "tests" / "suite.mjs"), *map(str, suites)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_the_engine_agrees_with_a_suite_and_with_random_games(engine: Path, sample: Path) -> None:
    run = check(engine, sample)
    assert (run.returncode, run.stderr) == (0, "")
    assert run.stdout == f"{CASES} cases, 0 wrong\n"
    assert played(engine, 200).startswith("200 deals, ")


@pytest.mark.long
def test_the_engine_agrees_with_the_suites_of_all_options(engine: Path, tmp_path: Path) -> None:
    written = write(tmp_path, ["charged_hearts", "dicegamedepot_cancellation", "goldsmith", "gonzo"], random=20)
    run = check(engine, tmp_path)
    assert (run.returncode, run.stderr) == (0, "")
    assert run.stdout == f"{sum(end.cases for end in written.values())} cases, 0 wrong\n"
    assert [name for name, line in hunt(engine, [tmp_path], FAULTS).items() if line is None] == []


@pytest.mark.long
def test_the_engine_says_what_is_wrong(engine: Path, tmp_path: Path) -> None:
    case = json.loads(SAMPLE[1])
    wrong = tmp_path / "wrong.jsonl"
    spoiled = json.dumps({**case, "deal_seed": "another"})
    wrong.write_text("\n".join([SAMPLE[0], spoiled, *SAMPLE[2:], END]), encoding="utf-8")
    run = check(engine, wrong)
    assert (run.returncode, run.stdout) == (1, f"{CASES} cases, 1 wrong\n")
    assert run.stderr.startswith(f"{case['id']}: deal.hands is ")
    wrong.write_text("\n".join(SAMPLE), encoding="utf-8")
    assert check(engine, wrong).returncode == 2
    assert check(engine).returncode == 2


@pytest.mark.long
def test_a_game_that_is_played_otherwise_is_told(engine: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    line = next(games("1", 0))
    monkeypatch.setattr(typescript_engine, "games", lambda *_: iter([line.replace(b'"to":{', b'"to":{"more":1,')]))
    with pytest.raises(ValueError, match="the deal ends as"):
        played(engine, 10**9)  # those after it are not played


@pytest.mark.long
def test_a_fault_is_noticed_and_what_is_none_is_not(engine: Path, sample: Path) -> None:
    (fault,) = [fault for fault in FAULTS if fault.name == "what lies open is shown again"]
    nobody = next(fault for fault in FAULTS if fault.name == "nobody follows suit")
    same = Fault("nothing at all", 'export const SUITS = "CDSH";', 'export const SUITS = "CDSH";')
    found = hunt(engine, [sample], [nobody, fault, same])
    assert found.pop("nobody follows suit")
    assert found == {"what lies open is shown again": None, "nothing at all": None}


def test_every_fault_can_be_planted() -> None:
    assert len({fault.name for fault in FAULTS}) == len(FAULTS)
    for fault in FAULTS:
        assert fault.file.endswith(".ts")
        assert fault.old != fault.new
    with pytest.raises(ValueError, match="nowhere: the engine has 0 places to plant it"):
        assert Fault("nowhere", "this is not in the engine", "").file


@pytest.mark.long
def test_the_engine_is_small(engine: Path) -> None:
    others = ("client", "documents", "index", "operations")
    names = sorted([path.stem for path in (PACKAGE / "src").glob("*.ts") if path.stem not in others])
    code = b"".join([(engine / "dist" / f"{name}.js").read_bytes() for name in names])
    assert len(gzip.compress(code)) < 21_000
    assert sum([len((PACKAGE / "src" / f"{name}.ts").read_text("utf-8").splitlines()) for name in names]) < 2_000
