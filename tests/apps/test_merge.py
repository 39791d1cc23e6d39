"""Parts on the command line: they are merged to what one process prints, and clusters run them by files of the docs."""

from __future__ import annotations

import gzip
import os
import shlex
import subprocess
import sys
import tomllib
from pathlib import Path

import attrs
import pytest
import yaml

from heartsrules.formats.files import LockedFile
from heartsrules.simulation.parts import RunPart
from support.commands import in_one_line, run
from support.run_parts import GOLDEN

ROOT = Path(__file__).resolve().parents[2]
CLUSTER = ROOT / "docs" / "examples" / "cluster"
RECORDS = ROOT / "tests" / "data" / "records" / "games.hearts"
SIMULATE = ("simulate", "cardstock", "--games", "7", "--seed", "s", "--jobs", "1")
MATCH = ("match", "heuristic", "uniform", "--deals", "1", "--preset", "cardstock", "--seed", "s", "--jobs", "1")
LINE_UP = ("match", "heuristic", "uniform", "uniform", "uniform", *MATCH[3:])


@pytest.mark.parametrize(
    ("command", "shown"),
    [
        (SIMULATE, ("--format", "json")),
        ((*SIMULATE, "--policy", "watchful", "--set", "moon=off"), ()),
        ((*MATCH, "--tables", "3"), ()),
        ((*LINE_UP, "--tables", "2", "--seatings", "rotations"), ("--format", "json")),
    ],
    ids=["simulate", "watchful", "match", "line-up"],
)
def test_merged_parts_print_what_the_whole_run_prints(
    tmp_path: Path, command: tuple[str, ...], shown: tuple[str, ...]
) -> None:
    paths = [str(tmp_path / f"{number}.json") for number in (1, 2)]
    for number, path in enumerate(paths, 1):
        assert run(*command, "--part", f"{number}/2", "--out", path)[0] == 0
    whole = run(*command, *shown)
    both = str(tmp_path / "both.json")
    assert run("merge", *paths, "--out", both, *shown) == whole
    assert run("merge", both, *shown) == whole
    code, _, err = run("merge", paths[1], *shown)
    assert code == 1
    assert err.startswith("Missing: ")


def test_parts_of_a_judgement_are_merged(tmp_path: Path) -> None:
    bad = tmp_path / "bad.hearts"
    bad.write_text("no header\nHearts/1\nRules: default\nTrick 0: 1:2C AC\nResult: *\n", encoding="utf-8")
    files = [str(RECORDS), str(bad)]
    whole = run("verify", *files, "--jobs", "1")
    paths = [str(tmp_path / f"{number}.json") for number in (1, 2, 3)]
    lines = []
    for number, path in enumerate(paths, 1):
        _, out, _ = run("verify", *files, "--jobs", "1", "--part", f"{number}/3", "--out", path)
        lines += out.splitlines()[:-1]
    assert lines == whole[1].splitlines()[:-1]
    assert run("merge", *paths) == run("verify", *files, "--jobs", "1", "--quiet")


def test_what_does_not_fit_is_refused_with_the_name_of_its_file(tmp_path: Path) -> None:
    part = str(tmp_path / "part.json")
    assert run(*SIMULATE, "--part", "1/2", "--out", part)[0] == 0
    for given, words in (
        ((part, part), f"Error: {part}: /done: 0 to 2 are in both parts: add each part once\n"),
        ((part, str(GOLDEN / "match.json")), f"Error: {GOLDEN / 'match.json'}: /work: this part belongs to"),
        ((str(RECORDS),), f"Error: {RECORDS}: the document: the document is not JSON"),
    ):
        code, out, err = run("merge", *given)
        assert (code, out) == (1, "")
        assert err.startswith(words)
    code, _, err = run("merge", str(tmp_path / "none.json"))
    assert code == 2
    assert "No such file or directory" in err
    code, out, err = run(*SIMULATE, "--part", "2/2", "--out", part)
    assert (code, out) == (1, "")
    assert err == f"Error: {part}: /done: the file has games of another part than 3 to 6: choose another file\n"


def test_builds_are_mixed_only_when_asked(tmp_path: Path) -> None:
    paths = [tmp_path / f"{number}.json" for number in (1, 2)]
    for number, path in enumerate(paths, 1):
        run(*SIMULATE, "--part", f"{number}/2", "--out", str(path))
    part = RunPart.from_json(paths[0].read_bytes())
    paths[0].write_bytes(attrs.evolve(part, builds=("3f2a9c0d1e7b compiled",)).to_json())
    merged, resumed = ("merge", *map(str, paths)), (*SIMULATE, "--part", "1/2", "--out", str(paths[0]))
    for command, place in ((merged, paths[1]), (resumed, paths[0])):
        code, out, err = run(*command)
        assert (code, out) == (1, "")
        assert err.startswith(f"Error: {place}: /builds: this part was played with build ")
        assert all(name in err for name in ("3f2a9c0d1e7b compiled", *part.builds))
        assert run(*command, "--mixed-builds")[0] == 0
    assert run(*merged, "--mixed-builds") == run(*SIMULATE)


@pytest.mark.skipif(os.name != "posix", reason="links as POSIX has them")
def test_no_command_writes_a_file_that_it_reads_or_writes_a_file_twice(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for name, link in (("games.hearts", "g"), ("part.json", "p")):
        Path(name).write_text(name, encoding="utf-8")
        Path(f"{link}.soft").symlink_to(name)
        Path(f"{link}.hard").hardlink_to(name)
    Path("site", "pyodide").mkdir(parents=True)
    before = {path: path.read_bytes() for path in Path().iterdir() if path.is_file()}
    for given in (
        "verify games.hearts --out games.hearts",
        "verify part.json games.hearts --out g.soft",
        "merge part.json --out p.hard",
        "merge part.json p.soft --out ./part.json",
        "merge part.json --out x.svg --plot x.svg",
        "show games.hearts --html g.hard",
        "review games.hearts --annotate g.soft",
        "review games.hearts --html games.hearts",
        "review games.hearts --html x --annotate ./x",
        "review --html - --annotate -",
        f"{' '.join(MATCH)} --tables 2 --out new.gz --keep site/../NEW.gz",
        "table --static site --pyodide site/pyodide",
    ):
        code, out, err = run(*given.split())
        assert (code, out) == (2, ""), given
        assert "choose another" in in_one_line(err), given
    assert {path: path.read_bytes() for path in Path().iterdir() if path.is_file()} == before


def test_a_file_of_another_run_is_refused_in_a_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with LockedFile(Path("p.json")):
        for given in (
            (*SIMULATE, "--out", "p.json"),
            ("play", "--record", "p.json"),
            ("verify", "--out", "p.json", "p"),
        ):
            Path("p").touch()
            code, out, err = run(*given)
            assert (code in (1, 2), out) == (True, ""), given
            assert "p.json" in err
            assert "Another process uses this file" in in_one_line(err)
    assert [path.name for path in Path().iterdir()] == ["p"]


def test_a_part_may_be_compressed_but_not_too_long(tmp_path: Path) -> None:
    path, packed = tmp_path / "p.json", tmp_path / "p.json.gz"
    whole = run(*SIMULATE, "--out", str(path))[1]
    packed.write_bytes(gzip.compress(path.read_bytes()))
    assert run("merge", str(packed)) == (0, whole, "")
    code, out, err = run("merge", "--max-bytes", "1000", str(packed))
    assert (code, out) == (1, "")
    assert err == f"Error: {packed}: the file has more than 1,000 bytes, the limit of --max-bytes\n"


def test_verify_reads_what_was_kept(tmp_path: Path) -> None:
    pytest.importorskip("pyarrow")
    games = [str(tmp_path / name) for name in ("games.gz", "games.parquet", "match.parquet", "texts.parquet")]
    for path in games[:2]:
        run(*SIMULATE, "--keep", path)
    run(*MATCH, "--tables", "2", "--keep", games[2])
    run(*SIMULATE, "--keep", games[3], "--keep-as", "records")
    games = [str(Path(path).with_stem(f"{Path(path).stem}-00000")) for path in games]
    code, out, _ = run("verify", "--quiet", *games)
    assert (code, out) == (0, "29 records: 29 valid (29 finished), 0 invalid, 0 unreadable\n")
    Path(games[1]).write_bytes(b"PAR1 no more")
    code, out, _ = run("verify", games[1])
    assert code == 1
    assert "the file cannot be read" in out


# The files of the docs, as processes


def processes(commands: list[tuple[list[str], dict[str, str]]], folder: Path) -> None:
    """Run commands at once, each with variables of its own."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    running = [
        subprocess.Popen(command, cwd=folder, env={**os.environ, "PATH": path, **variables})
        for command, variables in commands
    ]
    assert [process.wait() for process in running] == [0] * len(running)


def merged(folder: Path, games: int) -> None:
    parts = [str(path) for path in sorted(folder.glob("*.json"))]
    deals = ("--set", "max_deals=1", "--set", "tie=shared", "--games", str(games))
    whole = run("simulate", "microsoft", *deals, "--seed", "table 7", "--jobs", "1")
    assert run("merge", *parts) == whole
    assert all(len(RunPart.from_json(Path(path).read_bytes()).done) == 1 for path in parts)


@pytest.mark.long
def test_a_slurm_array_and_an_indexed_job_play_the_whole_run(tmp_path: Path) -> None:
    script = CLUSTER / "simulate.slurm"
    numbers = {"DEALS": "3", "SLURM_ARRAY_TASK_COUNT": "2", "SLURM_CPUS_PER_TASK": "1"}
    processes([(["bash", str(script)], {**numbers, "SLURM_ARRAY_TASK_ID": str(number)}) for number in (1, 2)], tmp_path)
    merged(tmp_path / "parts", 3)

    job = yaml.safe_load((CLUSTER / "simulate-job.yaml").read_text(encoding="utf-8"))
    spec = job["spec"]
    (container,) = spec["template"]["spec"]["containers"]
    values = {each["name"]: each["value"] for each in container["env"]}
    assert (values["PARTS"], values["FOLDER"]) == (str(spec["completions"]), container["volumeMounts"][0]["mountPath"])
    folder = tmp_path / "volume"
    folder.mkdir()
    values |= {"DEALS": "3", "PARTS": "2", "FOLDER": str(folder)}
    command = [*container["command"], *container["args"]]
    processes([(command, {**values, "JOB_COMPLETION_INDEX": str(index)}) for index in (0, 1)], tmp_path)
    merged(folder, 3)


def test_the_image_has_the_command_and_the_extras() -> None:
    text = (CLUSTER / "Dockerfile").read_text(encoding="utf-8")
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    installed = next(word for word in shlex.split(text.replace("\n", " ")) if word.endswith("]") and "whl" in word)
    assert set(installed.partition("[")[2].rstrip("]").split(",")) <= set(project["optional-dependencies"])
    assert 'ENTRYPOINT ["heartsrules"]' in text
    assert "heartsrules" in project["scripts"]
