"""Commands that are used wrongly: what each of them says, and that it does nothing else."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Final

import pytest

from heartsrules import Rules
from heartsrules.formats.notation import format_record
from heartsrules.play.game import Game, Record
from support.commands import in_one_line, run

pytestmark = [pytest.mark.once_compiled, pytest.mark.usefixtures("plain_environment")]

DATA: Final = Path(__file__).parents[1] / "data" / "records"
LONG: Final = "x" * 5000

PRESETS: Final = (
    ("rules microsft", "there is no 'microsft': did you mean microsoft?"),
    ("simulate cards", "did you mean"),
    ("simulate zzz", "there is no 'zzz': choose from dicegamedepot, "),
    ("simulate", "Missing argument"),
    ("simulate microsoft --players 5", "microsoft is not for 5 players: choose from 4"),
    ("simulate bicycle --players two", "--players"),
    ("rules bicycle --set players=9", "Invalid value for --set: bicycle is not for 9 players"),
    ("rules bicycle --players 3 --set players=3", "--players also sets players; omit one of them"),
    ("rules microsoft --set target", "'target' has no '='; write field=value"),
    ("rules microsoft --set targt=3", "there is no field 'targt': did you mean target"),
    ("rules microsoft --set passing=yes", "there is no field 'passing': did you mean"),
    ("rules microsoft --set qqq=3", "there is no field 'qqq': choose from players, decks, "),
    ("rules microsoft --set sun=yes --set sun=no", "sun is given twice"),
    ("rules microsoft --set moon=chioce", "moon: there is no 'chioce': did you mean choice?"),
    ("rules openspiel --set pass_direction=lft", "pass_direction: there is no 'lft': did you mean left?"),
    ("rules openspiel --set pass_cards=3", "pass_cards: '3' is neither yes nor no"),
    ("presets microsoft", "unexpected extra argument"),
    ("simulat", "simulate"),
)
"""`formats/test_refused_texts.py` has what is said of the value of each option."""
SIMULATE: Final = "simulate cardstock --games 7 --seed s --jobs 1"
GAMES: Final = (
    ("simulate microsoft --games 0", "--games"),
    ("simulate microsoft --games many", "--games"),
    ("simulate microsoft --max-deals-per-match 0", "--max-deals-per-match"),
    ("simulate microsoft --seed 'a\nb'", "a seed must be printable text"),
    ("simulate microsoft --seed \udcff", "a seed must be printable text"),
    ("simulate microsoft --gmaes 3", "--games"),
    ("simulate microsoft --bots uniform,uniform,uniform,uniform,uniform", "got 5 bots for 4 seats; name at most 4"),
    ("compare microsoft cardzmania --bots uniform,uniform,uniform,uniform,uniform", "5 bots for 3 seats"),
    *[
        (f"{command} {wrong}", message)
        for command in ("simulate microsoft", "compare microsoft cardzmania")
        for wrong, message in (
            ("--bots heuristik", "for --bots: there is no bot 'heuristik': did you mean heuristic?"),
            ("--bots heuristic,", "there is no bot '': choose from uniform, heuristic, sampling, learned"),
            ("--bots uniform --policy watchful", "for --policy: --policy replaces --bots"),
            ("--policy heuristic", "'heuristic' is not one of 'uniform', 'watchful'"),
        )
    ],
    (f"{SIMULATE} --part 3/2 --out p.json", "there is no part 3 of 2: choose 1 to 2"),
    (f"{SIMULATE} --part two --out p.json", "'two' is not K/N, such as 3/64"),
    (f"{SIMULATE} --part 1/2", "a part needs an output file"),
    (f"{SIMULATE} --keep s3://bucket/games.gz", "--keep is the address 's3://bucket/games.gz': choose a path"),
    (f"{SIMULATE} --out s3://bucket/p.json", "--out is the address 's3://bucket/p.json': choose a path"),
    ("merge p.json --out s3://bucket/p.json", "--out is the address 's3://bucket/p.json': choose a path"),
    (f"{SIMULATE} --mixed-builds", "for --mixed-builds: this option needs --out, the part to resume"),
    (f"{SIMULATE} --keep-as records", "for --keep-as: this option needs --keep, the file for the games"),
    (f"{SIMULATE} --keep games.gz --keep-as columns", "'games.gz' cannot have columns: choose a name"),
    (f"{SIMULATE} --keep games.parquet --keep-as rows", "'rows' is not one of 'columns', 'records'"),
    (f"{SIMULATE} --keep games.txt", "choose a name that ends in .gz or .parquet"),
    (f"{SIMULATE} --out p.gz --keep ./p.gz", "'p.gz' is also the file of --out; choose another one"),
    (f"{SIMULATE} --out p.svg --plot p.svg", "'p.svg' is also the file of --out; choose another one"),
    ("simulate cardstock --games 7 --out p.json", "all parts of a run need the same seed"),
    ("verify - --out p.json", "standard input cannot be split into parts"),
)
MATCHES: Final = (
    ("heuristik uniform", "for BOT: there is no bot 'heuristik': did you mean heuristic?"),
    ("uniform nobody", "there is no bot 'nobody': choose from uniform, heuristic, sampling, learned, external"),
    ("uniform sampling:none", "for BOT: sampling:none must say how many worlds it draws"),
    ("uniform uniform --preset cardstok", "there is no 'cardstok': did you mean cardstock?"),
    ("uniform uniform --set moon=of", "for --set: moon:"),
    ("uniform uniform --tables 1", "--tables"),
    ("uniform uniform --deals 0", "--deals"),
    ("uniform uniform --format svg", "'svg'"),
    ("uniform uniform --seatings all", "for --seatings: this option needs a line-up of 4 bots"),
    ("uniform uniform --seconds 3", "for --seconds: no player is a program, and only programs have a time limit"),
    ("uniform", "for BOT: one bot is not enough; name another one for the other seats, or a bot for each seat"),
    ("", "BOT"),
    ("uniform uniform uniform", "for BOT: got 3 bots for 4 seats; name two, or one for each seat"),
    ("uniform uniform uniform uniform", "for BOT: all bots of the line-up are the same player"),
    ("a=uniform a=heuristic", "for BOT: two players are called 'a': rename one with NAME=BOT"),
    (
        "a=uniform b=uniform c=uniform d=uniform e=uniform f=uniform --preset dicegamedepot --players 6",
        "720 seatings, and at most 120 are played: choose --seatings rotations",
    ),
    (
        "a=uniform b=uniform a=uniform c=uniform --preset partner_hearts --seatings rotations",
        "'b' and 'c' are partners in every seating, so they cannot be compared: choose --seatings all",
    ),
)
RECORDS: Final = (
    ("verify games.hearts nowhere", "'nowhere': No such file or directory"),
    ("verify .", "is a directory"),
    ("verify --input xml", "xml"),
    ("verify --loud", "--loud"),
    ("show nowhere.hearts", "'nowhere.hearts': No such file or directory"),
    ("show .", "is a directory"),
    (f"show {LONG}", "File name too long"),
    ("show '\0'", "embedded null"),
    ("show games.hearts --record 9", "there is no record 9"),
    ("show games.hearts --record 0", "--record"),
    ("show games.hearts --ply 172", "there is no ply 172; this record has plies 0 to 171"),
    ("show games.hearts --ply -1", "--ply"),
    ("show games.hearts --seat 4", "there is no seat 4; seats are 0 to 3"),
    ("show positions.txt --record 99", "there is no record 99; positions.txt has"),
    ("show 'hearts/1; x' --record 2", "a position is not a file of records; omit --record"),
    ("show positions.txt --ply 1", "a position has no plies; omit --ply"),
    ("review games.hearts --seat 4", "no seat 4"),
    ("review games.hearts --language xx", "catalogue"),
    ("review games.hearts --record 9", "no record 9"),
    ("review games.hearts --html . --worlds 2", "--html"),
    ("review games.hearts --table https://hearts.example/", "links need a page; add --html"),
    ("review none", "none"),
    ("review 'hearts/1; rules default; phase deal; deal 0'", "not a game"),
    ("drill --language xx", "catalogue"),
    ("drill --theme bridge", "bridge"),
    ("drill --count 0", "--count"),
    ("drill --seat 1", "--seat"),
    ("drill --record 1", "--record"),
    ("drill -", "standard input"),
    ("drill begun.hearts --seat 4", "no seat 4"),
)
PLAY: Final = (
    ("nosuch", "there is no 'nosuch'"),
    ("cardstock --players 9", "not for 9 players"),
    ("cardstock --humans Ann,Bob", "several people need a terminal"),
    ("cardstock --humans ,", "give at least one name"),
    ("cardstock --bots best", "there is no bot 'best'"),
    ("cardstock --playouts best", "there is no policy 'best'"),
    ("cardstock --humans A,B,C,D --bots uniform", "no seat is left for a bot; omit --bots"),
    ("cardstock --seed 'a\tb'", "a seed has at most 200 printable characters"),
    ("cardstock --resume x", "the record determines the rules"),
    ("cardstock --player ours=sampling:4 --bots theirs", "choose from uniform, heuristic, sampling, learned, ours"),
    ("cardstock --player heuristic=uniform", "the name 'heuristic' is taken"),
    ("--resume nosuch.txt", "No such file"),
    ("--resume 'a\0b'", "null"),
    ("--record .", "exists"),
    ("--record nosuch/file", "No such file"),
)
PROGRAMS: Final = (
    ("bot nobody", "for BOT: there is no bot 'nobody'"),
    ("bot external:cat", "an external player is already a program"),
    ("conformance openspiel", "--out"),
    ("conformance whist -o x", "there is no 'whist'"),
    ("conformance -o x --random -1", "--random"),
    ("conformance openspiel -o file/no --seed \udcff", "a seed must be printable text"),
    ("serve --stdio --max-bytes 0", "max_bytes is 0: choose 1 to 1,073,741,824"),
    ("serve --stdio x", "x"),
    *[
        (f"serve --stdio {option} 3", f"Invalid value for {option}: this option is for HTTP")
        for option in ("--port", "--fd", "--rate", "--waiting")
    ],
)
WRONG: Final = (
    *(*PRESETS, *GAMES, *RECORDS, *PROGRAMS),
    *[(f"match {line}", message) for line, message in MATCHES],
    *[(f"play {line}", message) for line, message in PLAY],
)


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with records and positions, in which the commands run."""
    for name in ("games.hearts", "positions.txt"):
        (tmp_path / name).write_bytes((DATA / name).read_bytes())
    (tmp_path / "begun.hearts").write_text(format_record(Record.of(Game.start(Rules()))), encoding="utf-8")
    (tmp_path / "file").write_text("no record", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize(("line", "message"), WRONG, ids=[f"{line[:12]}...{line[-30:]}" for line, _ in WRONG])
def test_wrong_use_is_explained_and_exits_with_2(line: str, message: str, folder: Path) -> None:
    before = sorted(folder.iterdir())
    code, out, err = run(*shlex.split(line))
    assert (code, out) == (2, "")
    assert message in in_one_line(err)
    assert err.startswith(("Usage: heartsrules", "Error: "))
    assert sorted(folder.iterdir()) == before


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("match uniform uniform --set teams=3", "uneven-teams"),
        ("play cardstock --set teams=3", "uneven-teams"),
        ("conformance openspiel -o file", "Error: "),
        ("schema -o file", "Error: "),
        ("serve --fd 999999", "Error: the socket 999999"),
        ("review file", "cannot be read"),
        ("play --resume file", "cannot be resumed"),
    ],
)
def test_what_cannot_be_done_is_told_and_exits_with_1(line: str, message: str) -> None:
    code, out, err = run(*shlex.split(line))
    assert (code, out) == (1, "")
    assert message in in_one_line(err)
