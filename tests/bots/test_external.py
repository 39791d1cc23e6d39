"""Players in other processes: what they are told, how they fail, that they end, and our own bots as such programs."""

from __future__ import annotations

import gc
import json
import os
import pickle
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random
from typing import Any

import jsonschema
import pytest

import heartsrules
from heartsrules import (
    Cards,
    ChoosingMoon,
    Move,
    Playing,
    Rules,
    State,
    apply,
    deal,
    legal_moves,
    new_game,
    presets,
    public_view,
    to_act,
    view,
)
from heartsrules.apps.serve import Service
from heartsrules.apps.serve.openapi import example_request
from heartsrules.apps.serve.playing import PLAYER_OPERATIONS
from heartsrules.bots import heuristic, uniform
from heartsrules.bots.external import MOST_MOVES, External, Introduction
from heartsrules.bots.failures import (
    IllegalAnswer,
    ProgramEnded,
    ProgramError,
    ProgramNotStarted,
    ProgramRefused,
    ProgramTooSlow,
    WrongAnswer,
    WrongProtocol,
)
from heartsrules.chance import RandomStream
from heartsrules.formats.wire import from_json, to_json
from heartsrules.formats.wire.parts import component_schemas
from heartsrules.play.moves import ChooseMoon
from heartsrules.rules import HOLD, Moon, left
from heartsrules.setup import set_up
from heartsrules.simulation import play_match, tournament
from heartsrules.simulation.executors import Processes
from heartsrules.views.worlds import sample_world

pytestmark = pytest.mark.once_compiled

if sys.platform != "win32":
    import fcntl

FAKE = Path(__file__).parents[1] / "support" / "fake_player.py"
EXAMPLE = Path(__file__).parents[2] / "docs" / "examples" / "player" / "player.mjs"
PLAYING = Rules(pass_cycle=[HOLD])
DEADLINE = 60.0


def fake(how: str, folder: Path, **options: Any) -> External:
    """A player that is the fake program."""
    return External([sys.executable, "-I", "-S", str(FAKE), how, str(folder)], **options)


def told(folder: Path) -> dict[int, list[dict[str, Any]]]:
    """The requests that the processes of the fake program were given, by process."""
    return {
        int(path.stem): [json.loads(line) for line in path.read_text("utf-8").splitlines()]
        for path in sorted(folder.glob("*.jsonl"), key=lambda path: path.stat().st_mtime_ns)
    }


def alive(folder: Path) -> list[int]:
    """The processes of the fake program that have not ended."""
    found = []
    for number in told(folder):
        try:
            os.kill(number, 0)
        except ProcessLookupError:
            continue
        found.append(number)
    return found


def wait_until(happened: Callable[[], bool]) -> bool:
    """Wait for something to happen; false if it does not."""
    end = time.monotonic() + DEADLINE
    while not happened():
        if time.monotonic() > end:
            return False
        time.sleep(0.01)
    return True


def choosing(rules: Rules = PLAYING, seed: int = 1) -> Playing:
    """A state in which the seat to play has a choice."""
    state = new_game(rules)
    playing: State = apply(state, deal(state, seed=seed))
    while isinstance(playing, Playing) and len(legal_moves(playing)) == 1:
        playing = apply(playing, legal_moves(playing)[0])
    assert isinstance(playing, Playing)
    return playing


# -------------------------------------------------------------------------------------------------------- what is asked


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    "rules", [presets.microsoft(), presets.gong_zhu(4), presets.pagat_cancellation(8)], ids=["pass", "show", "decks"]
)
def test_a_program_plays_and_is_told_its_view_and_nothing_else(rules: Rules, tmp_path: Path) -> None:
    """The whole of every request: its keys, its schema, and what each view holds."""
    schemas = component_schemas([operation.result for operation in PLAYER_OPERATIONS.values()])
    with fake("good", tmp_path) as player:
        assert player.introduce() == Introduction("fake", "the tests")
        end = play_match(rules, [player] * rules.players, seed="a", deals=1)
        again = play_match(rules, [player] * rules.players, seed="a", deals=1)
    assert end == again, "its moves come from the seeds"
    assert alive(tmp_path) == []
    by_process = told(tmp_path)
    assert len(by_process) == rules.players
    for requests in by_process.values():
        assert [request["op"] for request in requests[:2]] == ["hello", "new-game"]
        assert [request["id"] for request in requests] == list(range(1, len(requests) + 1))
        (seat,) = {request["seat"] for request in requests if request["op"] == "new-game"}
        for number, request in enumerate(requests):
            if request["op"] == "choose" and number % 5:
                continue  # of the same kind as others
            schema = PLAYER_OPERATIONS[request["op"]].request_schema() | {"components": {"schemas": schemas}}
            jsonschema.validate(request, schema)
        for request in requests:
            if request["op"] == "choose":
                assert request["view"]["seat"] == seat
                assert request["view"]["kind"] == "view"
                assert request["count"] > 1
                assert len(request["moves"]) == min(request["count"], MOST_MOVES)
                assert {move["seat"] for move in request["moves"]} == {seat}
                assert request["milliseconds"] == 10_000


def test_what_a_seat_may_not_know_does_not_reach_its_program(tmp_path: Path) -> None:
    """The lines are the same, byte by byte, for two states that differ in hidden cards alone."""
    state = choosing()
    other = sample_world(view(state, state.turn), Random(1))
    assert isinstance(other, Playing)
    assert other != state
    with fake("good", tmp_path, processes="game") as player:
        for each in (state, other):
            player.begin(PLAYING, state.turn)
            player(view(each, state.turn), RandomStream(7))
    one, two = told(tmp_path).values()
    assert one == two
    assert str(other.hands[(state.turn + 1) % 4]) not in json.dumps(one)


def test_of_millions_of_passes_some_are_told(tmp_path: Path) -> None:
    rules = Rules(players=3, pass_cycle=[left(8)], removed="2C")
    state = new_game(rules)
    passing = apply(state, deal(state, seed=1))
    with fake("good", tmp_path, seconds=None) as player:
        move = player(view(passing, 0), RandomStream(1))
    assert move in legal_moves(passing, 0)
    (((_, request),)) = told(tmp_path).values()
    assert (request["count"], len(request["moves"])) == (24310, MOST_MOVES)
    assert request["milliseconds"] is None


def test_a_forced_move_is_not_asked_for(tmp_path: Path) -> None:
    state = new_game(PLAYING)
    playing = apply(state, deal(state, seed=1))
    (seat,) = to_act(playing)
    with fake("good", tmp_path) as player:
        assert player(view(playing, seat), RandomStream(1)) == legal_moves(playing)[0]
        with pytest.raises(ValueError, match="has nothing to do"):
            player(view(playing, (seat + 1) % 4), RandomStream(1))
    assert told(tmp_path) == {}


@pytest.mark.sampled(3)
@pytest.mark.parametrize(("processes", "count"), [("seat", 4), ("game", 8), ("one", 1)])
def test_which_seats_share_a_process(processes: Any, count: int, tmp_path: Path) -> None:
    with fake("good", tmp_path, processes=processes) as player:
        for seed in (1, 2):
            play_match(PLAYING, [player] * 4, seed=seed, deals=1)
        assert len(alive(tmp_path)) == min(count, 4)
    by_process = told(tmp_path)
    assert len(by_process) == count
    seats = [{request["view"]["seat"] for request in each if request["op"] == "choose"} for each in by_process.values()]
    assert sorted(map(len, seats)) == [4 if processes == "one" else 1] * count


def test_the_bits_are_the_seed(tmp_path: Path) -> None:
    state = choosing()
    with fake("good", tmp_path) as player:
        player(view(state, state.turn), RandomStream(5))
    (((_, request),)) = told(tmp_path).values()
    assert int(request["seed"], 16) == RandomStream(5).getrandbits(64)
    assert len(request["seed"]) == 16


# --------------------------------------------------------------------------------------------------------- how it fails


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    ("how", "error", "message"),
    [
        ("crash", ProgramEnded, "no answer to 'choose': it ended with exit code 3"),
        ("garbage", WrongAnswer, "its answer makes no sense: the line: the document is not JSON: line 1, column 1"),
        ("number", WrongAnswer, "the line: expected an object, not an integer"),
        ("strange", WrongAnswer, "/thanks: no such key is known here"),
        ("empty", WrongAnswer, "/result: the key is missing"),
        ("stale", WrongAnswer, "/id: 99 is not possible here: choose "),
        ("no-move", WrongAnswer, "/result/move"),
        ("long", WrongAnswer, "the answer to 'choose' has more than 65536 bytes"),
        ("endless", WrongAnswer, "the answer to 'choose' has more than 65536 bytes"),
        ("illegal", IllegalAnswer, "illegal move Play"),
        ("other", IllegalAnswer, "this seat cannot make this move"),
        ("dealer", IllegalAnswer, "this seat cannot make this move"),
        ("modern", WrongProtocol, "it speaks version 2 of the protocol, and this is version 1"),
        ("silent", ProgramTooSlow, "no answer to 'choose' within 0.001 seconds"),
    ],
)
def test_a_program_that_fails_is_a_typed_error_and_ended(
    how: str, error: type[ProgramError], message: str, tmp_path: Path
) -> None:
    state = choosing()
    with fake(how, tmp_path, seconds=0.001 if how == "silent" else None, start_seconds=None) as player:
        with pytest.raises(error) as caught:
            player(view(state, state.turn), RandomStream(1))
        assert alive(tmp_path) == []
    failed = caught.value
    assert message in str(failed)
    assert failed.program.startswith(sys.executable[:20])
    assert failed.place == (
        "hello" if how == "modern" else f"seat {state.turn}, deal 1, trick {state.trick_number + 1}"
    )
    assert f"({failed.place})" in str(failed)
    assert len(str(failed)) <= 2000
    assert bool(failed.violations) is (how == "illegal")
    assert bool(failed.problems) is (error is WrongAnswer and how not in ("long", "endless"))
    same = pickle.loads(pickle.dumps(failed))
    assert (type(same), str(same), same.place, same.violations) == (error, str(failed), failed.place, failed.violations)
    if how == "crash":
        assert failed.last_words[:2] == ("thought 4 \\x1b[2J", "thought 5 \\x1b[2J")
        assert len(failed.last_words) == 5
        assert max(map(len, failed.last_words)) <= 200
        assert "It said: thought 4" in str(failed)


def test_a_line_that_nobody_asked_for_is_refused(tmp_path: Path) -> None:
    state = choosing()
    with fake("early", tmp_path) as player:
        player(view(state, state.turn), RandomStream(1))
        with pytest.raises(WrongAnswer, match=r"before it was asked 'choose'|/id: 2 is not possible here"):
            player(view(state, state.turn), RandomStream(1))


def test_a_program_may_refuse_rules(tmp_path: Path) -> None:
    with fake("choosy", tmp_path) as player:
        with pytest.raises(ProgramRefused, match=r"it refuses 'new-game': only\\nfour players") as caught:
            play_match(PLAYING, [player, uniform, uniform, uniform], seed=1, deals=1)
        assert caught.value.place == "seat 0, new game"


@pytest.mark.parametrize(
    ("command", "reason"),
    [
        ("/no/such/program", "cannot be started: No such file or directory"),
        ("/", "cannot be started: Permission denied"),
        (["a\0b"], "cannot be started: embedded null byte"),
        (["\ud800"], "cannot be started: "),
    ],
)
def test_a_program_that_cannot_be_started(command: str | Sequence[str], reason: str) -> None:
    with pytest.raises(ProgramNotStarted) as caught:
        External(command).introduce()
    assert reason in str(caught.value)


@pytest.mark.parametrize(("seconds", "words"), [(0.001, "0.001 seconds"), (1, "1 second")])
def test_a_program_that_says_nothing_at_all_is_not_waited_for(seconds: float, words: str) -> None:
    sleeper = External([sys.executable, "-I", "-S", "-c", "import time; time.sleep(3600)"], start_seconds=seconds)
    with pytest.raises(ProgramTooSlow, match=rf"\(hello\): no answer to 'hello' within {words}$"):
        sleeper.introduce()


def test_after_an_error_and_after_the_end_it_is_started_again(tmp_path: Path) -> None:
    state = choosing()
    seen = view(state, state.turn)
    player = fake("mortal", tmp_path)
    with pytest.raises(ProgramEnded):
        player(seen, RandomStream(1))
    assert player(seen, RandomStream(1)) in legal_moves(state)
    player.close()
    player.close()
    assert player(seen, RandomStream(1)) in legal_moves(state)
    player.close()
    assert len(told(tmp_path)) == 3
    assert alive(tmp_path) == []


def test_what_is_interrupted_is_ended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    state = choosing()
    with fake("good", tmp_path) as player:
        player(view(state, state.turn), RandomStream(1))
        (first,) = alive(tmp_path)
        monkeypatch.setattr("heartsrules.bots.external._read_answer", interrupted)
        with pytest.raises(KeyboardInterrupt):
            player(view(state, state.turn), RandomStream(1))
        monkeypatch.undo()
        assert alive(tmp_path) == []
        player(view(state, state.turn), RandomStream(1))
        assert alive(tmp_path) != [first]


def test_a_program_whose_greeting_is_interrupted_is_started_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    seen = view(choosing(), choosing().turn)
    with fake("good", tmp_path) as player:
        monkeypatch.setattr("heartsrules.bots.external.write_part", interrupted)
        with pytest.raises(KeyboardInterrupt):
            player(seen, RandomStream(1))
        monkeypatch.undo()
        player(seen, RandomStream(1))
        assert [[each["op"] for each in requests] for requests in told(tmp_path).values() if requests] == [
            ["hello", "choose"]
        ]


def test_a_program_that_does_not_heed_the_end_is_killed(tmp_path: Path) -> None:
    with fake("stubborn", tmp_path) as player:
        player.introduce()
        assert len(alive(tmp_path)) == 1
    assert alive(tmp_path) == []


def child_alive(folder: Path) -> bool:
    """Whether the child of a fake program runs: it holds a lock."""
    with (folder / "lock").open() as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return True
    return False


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no process groups of this kind")
def test_the_end_of_a_program_whose_child_holds_its_output_is_noticed(tmp_path: Path) -> None:
    state = choosing()
    with fake("parent", tmp_path, seconds=DEADLINE) as player:
        with pytest.raises(ProgramEnded, match="it ended with exit code 4"):
            player(view(state, state.turn), RandomStream(1))
        assert wait_until(lambda: not child_alive(tmp_path))


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no process groups of this kind")
def test_a_child_that_leaves_the_group_holds_nobody_up(tmp_path: Path) -> None:
    state = choosing()
    with fake("daemons", tmp_path, seconds=DEADLINE) as player:
        try:
            with pytest.raises(ProgramEnded, match="it ended with exit code 4"):
                player(view(state, state.turn), RandomStream(1))
        finally:
            os.kill(int((tmp_path / "lock").read_text()), signal.SIGKILL)


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no process groups of this kind")
def test_what_a_program_has_started_ends_with_it(tmp_path: Path) -> None:
    with fake("nurse", tmp_path) as player:
        player.introduce()
        assert child_alive(tmp_path)
    assert wait_until(lambda: not child_alive(tmp_path))
    assert alive(tmp_path) == []


def test_nobody_uses_it_any_more(tmp_path: Path) -> None:
    player = fake("good", tmp_path)
    player.introduce()
    del player
    gc.collect()
    assert alive(tmp_path) == []


def test_python_ends(tmp_path: Path) -> None:
    program = (
        "import sys; from heartsrules.bots.external import External; "
        "player = External(sys.argv[1:]); player.introduce(); print('over')"
    )
    command = [sys.executable, "-c", program, sys.executable, "-I", "-S", str(FAKE), "stubborn", str(tmp_path)]
    source = str(Path(heartsrules.__file__).parents[1])
    done = subprocess.run(
        command, capture_output=True, text=True, check=False, env={**os.environ, "PYTHONPATH": source}, timeout=DEADLINE
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "over\n", "")
    assert len(told(tmp_path)) == 1
    assert alive(tmp_path) == []


@pytest.mark.long
def test_workers_start_their_own_programs_and_end_them(tmp_path: Path) -> None:
    player = fake("good", tmp_path)
    assert repr(pickle.loads(pickle.dumps(player))) == repr(player)
    alone = tournament(PLAYING, player, uniform, tables=3, seed=1, deals=1)
    own = alive(tmp_path)
    assert len(own) == 4
    with Processes(2) as executor:
        assert tournament(PLAYING, player, uniform, tables=3, seed=1, deals=1, executor=executor) == alone
    assert wait_until(lambda: alive(tmp_path) == own)
    assert len(told(tmp_path)) > 4
    player.close()
    assert alive(tmp_path) == []


@pytest.mark.parametrize(
    ("error", "make", "message"),
    [
        (TypeError, lambda: External(7), "command must be a text or a sequence of texts, not an int"),  # type: ignore[arg-type]
        (TypeError, lambda: External(["a", 7]), "command must hold only texts, not an int"),  # type: ignore[list-item]
        (ValueError, lambda: External(" "), "command is empty: name a program"),
        (ValueError, lambda: External([]), "command is empty"),
        (ValueError, lambda: External("say 'ah"), "No closing quotation"),
        (TypeError, lambda: External("a", seconds=True), "seconds must be a number or None, not a bool"),
        (ValueError, lambda: External("a", seconds=0), "seconds is 0: choose a number above 0, up to 1,000,000"),
        (ValueError, lambda: External("a", start_seconds=float("nan")), "start_seconds is nan"),
        (ValueError, lambda: External("a", processes="two"), "choose from seat, game, one"),  # type: ignore[arg-type]
    ],
)
def test_arguments_are_checked(error: type[Exception], make: Callable[[], object], message: str) -> None:
    with pytest.raises(error, match=message):
        make()


# ------------------------------------------------------------------------------------------------- our bots as programs


def test_our_bots_play_as_programs() -> None:
    source = str(Path(heartsrules.__file__).parents[1])
    command = ["env", f"PYTHONPATH={source}", sys.executable, "-m", "heartsrules", "bot", "Heuristic"]
    with External(command, processes="one") as player:
        assert player.introduce() == Introduction("heuristic", "heartsrules")
        end = play_match(presets.gong_zhu(4), [player, uniform, uniform, uniform], seed=3, deals=1)
        state = choosing()
        seen = view(state, state.turn)
        seed = f"{RandomStream(9).getrandbits(64):016x}"
        assert player(seen, RandomStream(9)) == heuristic(seen, RandomStream(seed))
    assert len(end.score_sheet) == 1


def answer(request: dict[str, Any] | bytes) -> dict[str, Any]:
    """What the heuristic player answers."""
    data = request if isinstance(request, bytes) else json.dumps(request).encode()
    said: dict[str, Any] = json.loads(Service(operations=PLAYER_OPERATIONS).answer(data).body)
    return said


def test_the_examples_are_answered() -> None:
    results = {name: answer(example_request(operation)) for name, operation in PLAYER_OPERATIONS.items()}
    assert all(result["ok"] for result in results.values())
    asked = json.loads(example_request(PLAYER_OPERATIONS["choose"]))
    assert results["choose"]["result"]["move"] in asked["moves"]
    assert results["hello"]["result"] == {"protocol": 1, "name": "heuristic", "author": "heartsrules"}
    assert results["new-game"]["result"] == {}


@pytest.mark.parametrize(
    ("op", "change", "place", "code"),
    [
        ("hello", {"protocol": 2}, "/protocol", "wrong-shape"),
        ("hello", {"state": 1}, "/state", "unknown-key"),
        ("new-game", {"rules": {"heartsrules": 1, "kind": "rules", "players": 2}}, "/rules/players", "wrong-shape"),
        ("new-game", {"seat": 11}, "/seat", "wrong-shape"),
        ("choose", {"milliseconds": 0}, "/milliseconds", "wrong-shape"),
        ("choose", {"seed": 7}, "/seed", "wrong-shape"),
        ("play", {}, "/op", "no-such-operation"),
    ],
)
def test_our_programs_refuse_what_makes_no_sense(op: str, change: dict[str, Any], place: str, code: str) -> None:
    asked = json.loads(example_request(PLAYER_OPERATIONS.get(op, PLAYER_OPERATIONS["hello"]))) | {"op": op} | change
    said = answer(asked)
    assert not said["ok"]
    assert (said["problems"][0]["place"], said["problems"][0]["code"]) == (place, code)


def test_a_view_of_somebody_who_has_nothing_to_do_is_refused() -> None:
    state = choosing()
    asked = json.loads(example_request(PLAYER_OPERATIONS["choose"]))
    for seat in ((state.turn + 1) % 4, None):
        seen = view(state, seat) if seat is not None else public_view(state)
        said = answer(asked | {"view": json.loads(to_json(seen))})
        assert [(each["place"], each["code"]) for each in said["problems"]] == [("/view", "nothing-to-do")]


def test_a_program_chooses_what_a_moon_does() -> None:
    rules = Rules(pass_cycle=[HOLD], moon=Moon.CHOICE)
    hands = ["AC", "2C", "3C", "4C"]
    captured = [rules.deck - Cards(" ".join(hands)), Cards(), Cards(), Cards()]
    state: State = set_up(rules, hands=[Cards(hand) for hand in hands], leader=0, captured=captured, hearts_broken=True)
    while isinstance(state, Playing):
        state = apply(state, legal_moves(state)[0])
    assert isinstance(state, ChoosingMoon)
    seen = view(state, 0)
    asked = json.loads(example_request(PLAYER_OPERATIONS["choose"])) | {"view": json.loads(to_json(seen))}
    move = from_json(json.dumps(answer(asked)["result"]["move"]), Move)
    assert move in legal_moves(seen)
    assert isinstance(move, ChooseMoon)


# -------------------------------------------------------------------------------------------------------- in JavaScript


@pytest.mark.skipif(shutil.which("node") is None, reason="Node.js is not installed")
def test_the_player_in_javascript_plays_and_ducks() -> None:
    with External(["node", str(EXAMPLE)]) as player:
        assert player.introduce().name == "Duck"
        for rules in (presets.microsoft(), presets.gong_zhu(4), presets.pagat()):
            end = play_match(rules, [player, uniform, player, uniform], seed=2, deals=2)
            assert end == play_match(rules, [player, uniform, player, uniform], seed=2, deals=2)
        assert tournament(presets.cardstock(), player, uniform, tables=10, seed=1).margin.low > 0
