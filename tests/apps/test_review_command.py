"""`heartsrules review`: its text, its JSON, its page and the annotated record; what it refuses."""

from __future__ import annotations

import json
import re
from pathlib import Path
from random import Random
from urllib.parse import unquote

import pytest

from heartsrules import Play, legal_moves, presets
from heartsrules.analysis import _reviewing, review
from heartsrules.bots import policy_named, uniform
from heartsrules.formats.notation import format_record, parse_evaluation, parse_position, parse_record, parse_variation
from heartsrules.pictures.reviews import review_lines
from heartsrules.play.game import Game, Record, replay
from support import commands

pytestmark = pytest.mark.once_compiled


@pytest.fixture(scope="module")
def game() -> Game:
    rng = Random("command")
    return Game.start(presets.cardstock(3)).play_on(lambda seen: uniform(seen, rng), rng=rng)


@pytest.fixture
def file(game: Game, tmp_path: Path) -> Path:
    written = tmp_path / "night.hearts"
    tags = [("Seat0", "Ann"), ("Seat1", "Bob"), ("Seat2", "Cleo")]
    written.write_text(format_record(Record.of(game, tags)), encoding="utf-8")
    return written


def run(*arguments: object, stdin: str | None = None) -> tuple[int, str]:
    code, out, err = commands.run("review", *arguments, given=stdin or "")
    return code, out + err


def test_text_is_that_of_the_library_with_the_names_of_the_record(game: Game, file: Path) -> None:
    wanted = "\n".join(review_lines(review(game, 1, worlds=3), "de", ("Ann", "Bob", "Cleo")))
    assert run(file, "--seat", 1, "--worlds", 3, "--language", "de") == (0, wanted + "\n")
    assert (
        run("--seat", 1, "--worlds", 3, "--language", "de", stdin=file.read_text(encoding="utf-8"))[1] == wanted + "\n"
    )


def test_json_is_the_data_of_the_review(game: Game, file: Path) -> None:
    code, out = run(file, "--worlds", 2, "--format", "json")
    assert code == 0
    assert json.loads(out) == json.loads(json.dumps(review(game, worlds=2).data()))


def test_the_network_plays_on_if_it_is_named(
    game: Game, file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_reviewing, "average_points", lambda *_, **__: 6.5)
    begun = game.fork(7)
    file.write_text(format_record(Record.of(begun)), encoding="utf-8")
    code, out = run(file, "--worlds", 4, "--format", "json", "--playouts", "Learned")
    assert code == 0
    found, other = [review(begun, worlds=4, policy=policy_named(name)).data() for name in ("learned", "watchful")]
    assert json.loads(out) == json.loads(json.dumps(found)) != json.loads(json.dumps(other))
    code, out = run(file, "--playouts", "learnedd")
    assert code == 2
    assert "there is no policy" in out
    unknown = tmp_path / "unknown.hearts"
    unknown.write_text(format_record(Record.of(Game.start(presets.black_maria(4)))), encoding="utf-8")
    assert "watchful players replace it" in run(unknown, "--playouts", "learned")[1]


def test_the_page_and_the_annotated_record_are_files(game: Game, file: Path, tmp_path: Path) -> None:
    page, annotated = tmp_path / "night.html", tmp_path / "reviewed.hearts"
    assert run(file, "--worlds", 2, "--html", page, "--annotate", annotated) == (0, "")
    assert "Cleo" in page.read_text(encoding="utf-8")
    record = parse_record(annotated.read_text(encoding="utf-8"))
    assert record.moves == game.moves
    found = review(game, worlds=2)
    told = [(ply, parse_evaluation(comment)) for ply, comment in record.comments]
    assert [(each.ply, each.quality.value) for each in found.decisions] == [
        (ply, evaluation.quality) for ply, evaluation in told if evaluation is not None
    ]
    better = [(ply, line) for ply, comment in record.comments if (line := parse_variation(comment)) is not None]
    assert [(ply, variation.moves[0]) for ply, variation in better] == [
        (each.ply, each.best[0]) for each in found.decisions if each.reasons
    ]
    for ply, variation in better:
        assert replay(game.rules, [*game.moves[:ply], *variation.moves]).failure is None


def test_a_page_links_its_positions_to_a_table(game: Game, file: Path, tmp_path: Path) -> None:
    page = tmp_path / "night.html"
    assert run(file, "--worlds", 2, "--html", page, "--table", "https://hearts.example/play/") == (0, "")
    links = re.findall(r'href="https://hearts.example/play/#position=([^"&]+)&amp;seat=(\d)"', page.read_text("utf-8"))
    errors = [each for each in review(game, worlds=2).decisions if each.reasons]
    assert [(parse_position(unquote(position)), int(seat)) for position, seat in links] == [
        (game.at(each.ply), each.seat) for each in errors
    ]
    # While a deal is played, its hands are secret.
    played = game.at(9)
    file.write_text(format_record(Record.of(Game.of(played))), encoding="utf-8")
    assert run(file, "--worlds", 2, "--html", page, "--table", "https://hearts.example/play/") == (0, "")
    assert "#position" not in page.read_text("utf-8")


def test_a_record_is_reviewed_up_to_an_illegal_move(game: Game, tmp_path: Path) -> None:
    broken = tmp_path / "broken.hearts"
    wrong = Play((game.at(9).turn + 1) % 3, legal_moves(game.at(9))[0].card)  # type: ignore[union-attr]
    broken.write_text(format_record(Record(rules=game.rules, moves=[*game.moves[:9], wrong])), encoding="utf-8")
    code, out = run(broken, "--worlds", 2)
    assert code == 1
    assert "accuracy" in out
    assert "illegal" in out
