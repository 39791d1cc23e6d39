"""The command line: what it prints where, its exit codes, and what bad input gets."""

from __future__ import annotations

import contextlib
import io
import json
import os
import re
import runpy
import shlex
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path
from typing import Any, Final

import attrs
import pytest
from typer.main import get_command
from typer.testing import CliRunner

import heartsrules
from heartsrules import Card, Rules, presets
from heartsrules.__main__ import main
from heartsrules.analysis.policies import Watchful
from heartsrules.apps.command_line import app, progress
from heartsrules.bots import BOTS, heuristic, uniform
from heartsrules.formats.notation import format_field, parse_field
from heartsrules.formats.wire import from_json
from heartsrules.rules import Bonus, Doubler, HeartValues, Kitty, Moon, scatter
from heartsrules.simulation import tournament, tournaments
from heartsrules.simulation.figures import Run, from_data
from heartsrules.simulation.many_games import SimulationFailed, SimulationInterrupted, simulate
from heartsrules.simulation.statistics import Statistics
from support.chores import Losing
from support.commands import SOURCE, heed_interrupts, in_one_line, python, run

pytestmark = [pytest.mark.once_compiled, pytest.mark.usefixtures("plain_environment")]

FIELDS = [field.name for field in attrs.fields(Rules) if field.init]


def rows(output: str) -> dict[str, str]:
    """The lines of tables by their first column, the rest with single spaces."""
    parts = [line.strip().split("  ", 1) for line in output.splitlines() if "  " in line.strip()]
    return {first.strip(): " ".join(rest.split()) for first, rest in parts}


# presets


def test_presets_lists_all_with_counts_and_sources() -> None:
    code, out, err = run("presets")
    assert (code, err) == (0, "")
    for preset in presets.ALL.values():
        (line,) = [line for line in out.splitlines() if line.split()[:1] == [preset.name]]
        assert preset.source in line
        assert preset.summary in line
        counts = (preset.players[0], preset.players[-1])
        shown = f"{counts[0]}" if len(preset.players) == 1 else f"{counts[0]}-{counts[1]}"
        assert line.split()[1] == shown
        assert list(preset.players) == list(range(counts[0], counts[1] + 1)), "shown as a range"


# rules


def test_rules_shows_every_field_and_marks_those_that_differ() -> None:
    code, out, err = run("rules", "black-maria")
    assert (code, err) == (0, "")
    lines = {line[3:].split("  ")[0].strip(): line for line in out.splitlines() if line[3:].strip()}
    changed = presets.black_maria().changes()
    for field in FIELDS:
        assert lines[field].startswith("*" if field in changed else " ")
    assert lines["extra_penalties"].split() == ["*", "extra_penalties", "KS:10,AS:7"]
    assert lines["moon"].split() == ["*", "moon", "off"]
    assert lines["target"].split() == ["target", "100"]
    assert "black_maria, 3 players\n51 cards: 17 for each player and 0 left over; 43 penalty points in all\n" in out


@pytest.mark.long
def test_the_values_that_rules_shows_are_those_that_set_takes() -> None:
    for preset in presets.ALL.values():
        for players in preset.players:
            rules = preset(players)
            texts = {field: format_field(field, getattr(rules, field), players) for field in FIELDS}
            read: dict[str, Any] = {field: parse_field(field, text, players) for field, text in texts.items()}
            assert Rules(**read) == rules
            settings = [part for field in FIELDS if field != "players" for part in ("--set", f"{field}={texts[field]}")]
            code, _, err = run("rules", preset.name, "--players", str(players), *settings)
            assert (code, err) == (0, "")


@pytest.mark.parametrize(
    ("name", "text", "value"),
    [
        ("hand_size", "none", None),
        ("target", "None", None),
        ("removed", "2c,3D  qs", heartsrules.Cards("2C 3D QS")),
        ("unpassable", "", heartsrules.Cards()),
        ("kitty", "first-trick", Kitty.FIRST_TRICK),
        ("kitty", "FIRST_TRICK", Kitty.FIRST_TRICK),
        ("moon", " Choice ", Moon.CHOICE),
        ("sun", "yes", True),
        ("sun", "OFF", False),
        ("heart_values", "spot", HeartValues.SPOT),
        ("heart_values", "0 0 0 0 0 0 0 0 0 0 0 0 1", (0,) * 12 + (1,)),
        ("heart_values", "1,1,1,1,1,1,1,1,1,2,3,4,5", HeartValues.FACE.values),
        ("bonuses", "jd:10 TD:5", (Bonus(Card("JD"), 10), Bonus(Card("TD"), 5))),
        ("doubler", "tc", Doubler(Card("TC"))),
        ("doubler", "TC:3:50", Doubler(Card("TC"), 3, 50)),
        ("compulsory_cards", "QS,TD", heartsrules.Cards("QS TD")),
        ("exact_resets", "100:50 50:25", ((100, 50), (50, 25))),
        ("pass_cycle", "L3 r2 A3 hold", (((1, 3),), ((-1, 2),), (("across", 3),), ())),
        ("pass_cycle", "scatter", (scatter(players=4),)),
        ("pass_cycle", "1:3+2:1,L1+R1", (((1, 3), (2, 1)), ((1, 1), (-1, 1)))),
    ],
)
def test_values_are_read(name: str, text: str, value: object) -> None:
    assert parse_field(name, text, 4) == value


def test_what_a_preset_offers_is_chosen_as_the_preset_does_it() -> None:
    code, out, _ = run("rules", "dicegamedepot", "--set", "kitty=first-point", "--set", "passing=yes")
    assert code == 0
    assert "52 cards: 12 for each player and 4 left over" in out
    assert "dicegamedepot, 4 players, kitty=first-point, passing=yes\n" in out
    assert "L3,R3,A3,hold" in out
    assert "This preset has further options for --set: passing\n" in out
    code, out, _ = run("rules", "openspiel", "--set", "pass-direction=across", "--set", "jd_bonus=on")
    assert code == 0
    assert "JD:10" in out
    assert "A3" in out


@pytest.mark.parametrize(
    ("preset", "settings", "shown"),
    [
        # Not among the targets of the source, and no target at all, which it has not either.
        ("cardzmania", ["target=42"], "target 42"),
        ("cardzmania", ["target=none", "max_deals=4"], "target none"),
        ("cardzmania", ["kitty=first-trick", "hand_size=12"], "kitty first-trick"),
        # Valid together only.
        ("cardzmania", ["bonus_floor=total", "bonuses=JD:10"], "bonus_floor total"),
        ("microsoft", ["decks=2", "two_pairs_void=yes"], "two_pairs_void yes"),
        ("whisthub", ["max_deals=8"], "tie shared"),
        ("microsoft", ["removed=2C 2D 2S 2H", "hand-size=12"], "removed 2C,2D,2S,2H"),
    ],
)
def test_anything_else_changes_the_finished_rule_set(preset: str, settings: list[str], shown: str) -> None:
    code, out, err = run("rules", preset, *[part for setting in settings for part in ("--set", setting)])
    assert (code, err) == (0, "")
    assert f"* {shown}" in [" ".join(line.split()) for line in out.splitlines()]


def test_players_may_be_given_as_a_field() -> None:
    assert run("rules", "bicycle", "--set", "players=5")[1] == run("rules", "bicycle", "--players", "5")[1]


def test_a_rule_set_that_cannot_be_played_shows_all_its_problems() -> None:
    settings = ["--set", "exposable=KH,AH", "--set", "teams=3", "--set", "exact_resets=50:60"]
    for command in ("rules", "simulate"):
        code, out, err = run(command, "microsoft", *settings)
        assert (code, out) == (1, "")
        first, *problems = err.splitlines()
        assert first == "Error: this rule set cannot be played:"
        assert [problem.split(":")[0].strip() for problem in problems] == [
            "several-hearts-exposable",
            "uneven-teams",
            "reset-not-lower",
        ]


def test_problems_of_the_preset_and_of_the_rule_set_come_together() -> None:
    code, out, err = run(
        "rules", "whisthub", "--set", "target=50", "--set", "max_deals=4", "--set", "exact_resets=50:60"
    )
    assert (code, out) == (1, "")
    assert [line.split(":")[0].strip() for line in err.splitlines()[1:]] == ["contradicting-options", "reset-not-lower"]
    code, _, err = run("rules", "openspiel", "--set", "pass_cards=no", "--set", "pass_direction=left")
    assert code == 1
    assert err.splitlines()[1:] == [
        "  contradicting-options: `pass_direction` is left, but `pass_cards` is False: choose none, or set `pass_cards`"
    ]


# Wrong values


@pytest.mark.sampled(4)
@pytest.mark.parametrize("field", FIELDS)
def test_every_field_can_be_set_and_refuses_nonsense(field: str) -> None:
    code, out, err = run("rules", "bicycle", "--set", f"{field}=;;")
    assert (code, out) == (2, "")
    assert f"Invalid value for --set: {field}: " in err


@pytest.mark.parametrize(
    "setting", ["hand_size=0", "pass_cycle=none", "pass_cycle=4:3", "heart_values=1 2", "bonuses=JD:0", "doubler=TC:1"]
)
def test_values_out_of_range_are_problems_of_the_rule_set(setting: str) -> None:
    code, out, err = run("rules", "microsoft", "--set", setting)
    assert (code, out) == (1, "")
    assert setting.split("=")[0] in err


# simulate


def test_simulate_prints_what_the_library_counts() -> None:
    given = ["dicegamedepot_cancellation", "--players", "7", "--games", "4", "--seed", "x y", "--set", "target=50"]
    code, out, err = run("simulate", *given)
    assert (code, err) == (0, "")
    assert out.startswith("dicegamedepot_cancellation, 7 players, target=50, seed x y\n")
    got = simulate(presets.dicegamedepot_cancellation(7, target=50), 4, seed="x y")
    shown = rows(out)
    assert shown["games"] == "4"
    assert shown["deals"] == str(got.deals)
    low, high = got.deals_per_game.interval
    assert shown["deals per game"] == f"{got.deals_per_game.mean:.2f} ({low:.2f} to {high:.2f})"
    assert shown["legal cards"] == f"{got.mean_choices:.2f}"
    assert shown["void tricks"].startswith(f"{100 * got.void_tricks / got.tricks:.2f} % (")
    # What there was none of is left out.
    assert "suns" not in shown
    spreads = rows(out[out.index("of each player") :])
    points = got.deal_points
    quantiles = [points.quantile(share) for share in (0, 0.05, 0.25, 0.5, 0.75, 0.95, 1)]
    assert spreads["points of a deal"].split()[2:] == list(map(str, quantiles))
    assert spreads["final total"].startswith(f"{got.final_totals.moments.mean:.2f} ")
    seats = rows(out[out.index("seat ") :])
    for seat, totals in enumerate(got.totals):
        low, high = got.win_intervals[seat]
        assert seats[str(seat)].startswith(f"{totals.mean:.2f} (")
        assert seats[str(seat)].endswith(f" {25 * got.wins[seat]:.2f} % ({100 * low:.2f} to {100 * high:.2f})")


# simulate with bots and policies


def test_bots_play_at_the_seats_in_turn() -> None:
    given = ["cardstock", "--players", "5", "--games", "3", "--seed", "s", "--bots", "heuristic, Uniform"]
    seated = [heuristic, uniform, heuristic, uniform, heuristic]
    expected = simulate(presets.cardstock(5), 3, seed="s", players=seated)
    code, out, err = run("simulate", *given, "--format", "json")
    assert (code, err) == (0, "")
    names = ("heuristic", "uniform", "heuristic", "uniform", "heuristic")
    assert from_data(json.loads(out)) == Run("cardstock", expected, "s", bots=names)
    assert expected != simulate(presets.cardstock(5), 3, seed="s")
    code, out, err = run("simulate", *given)
    assert (code, err) == (0, "")
    assert out.startswith("cardstock, 5 players, bots heuristic,uniform, seed s\n")
    seats = rows(out[out.index("seat ") :])
    assert [seats[str(seat)].split()[0] for seat in range(5)] == list(names)
    code, out, err = run("compare", *given, "--format", "json")
    assert (code, err) == (0, "")
    assert from_data(json.loads(out)[0]).statistics == expected


def test_a_policy_chooses_for_all_players() -> None:
    given = ["simulate", "cardstock", "--games", "9", "--seed", "s"]
    code, out, err = run(*given, "--policy", "watchful", "--format", "json")
    assert (code, err) == (0, "")
    expected = simulate(presets.cardstock(), 9, seed="s", players=Watchful())
    assert from_data(json.loads(out)) == Run("cardstock", expected, "s", policy="watchful")
    assert run(*given, "--policy", "watchful")[1].startswith("cardstock, 4 players, policy watchful, seed s\n")
    same = run(*given, "--policy", "uniform")[1].replace(", policy uniform", "")
    assert same == run(*given)[1] != run(*given, "--policy", "watchful")[1]


def test_a_seed_is_drawn_and_printed_so_that_the_run_can_be_repeated() -> None:
    code, out, _ = run("simulate", "cardstock", "--games", "3")
    assert code == 0
    seed = out.splitlines()[0].rpartition(" ")[2]
    assert run("simulate", "cardstock", "--games", "3", "--seed", seed)[1] == out
    assert run("simulate", "cardstock", "--games", "3")[1] != out


def test_matches_without_end_are_stopped() -> None:
    settings = ["--set", "heart_values=0 0 0 0 0 0 0 0 0 0 0 0 0", "--set", "moon=shooter-down"]
    given = ["simulate", "microsoft", "--games", "2", "--max-deals-per-match", "9", *settings]
    code, out, _ = run(*given)
    assert code == 0
    shown = rows(out)
    assert shown["unfinished games"].startswith("100.00 % (")
    assert shown["deals"] == "18"
    assert "deals per game" not in shown
    assert rows(out[out.index("seat ") :])["0"] == "- -"


def test_an_interruption_keeps_what_is_done(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(rules: Rules, games: int, **options: Any) -> Statistics:
        raise SimulationInterrupted(simulate(rules, 2, **options), (range(2, games),))

    monkeypatch.setattr("heartsrules.apps.command_line.simulation.simulate", interrupted)
    code, out, err = run("simulate", "microsoft", "--games", "9", "--seed", "s")
    assert (code, err) == (130, "Interrupted after 2 of 9 games (seed s).\n")
    monkeypatch.undo()
    assert run("simulate", "microsoft", "--games", "2", "--seed", "s", "--jobs", "1") == (0, out, "")


def test_an_interrupted_comparison_keeps_what_is_done(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(rules: Rules, games: int, **options: Any) -> Statistics:
        if rules.players < 5:
            return simulate(rules, games, **options)
        raise SimulationInterrupted(simulate(rules, 0, **options), (range(games),))

    monkeypatch.setattr("heartsrules.apps.command_line.simulation.simulate", interrupted)
    code, out, err = run("compare", "cardstock", "--games", "4", "--seed", "s", "--jobs", "1")
    assert (code, err) == (130, "Interrupted after 8 of 12 games (seed s).\n")
    assert [line.split()[:3] for line in out.splitlines()[4:]] == [["cardstock", "3", "4"], ["cardstock", "4", "4"]]


def test_an_interruption_before_the_first_game_prints_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("heartsrules.apps.command_line.simulation.simulate", interrupted)
    code, out, err = run("simulate", "microsoft", "--games", "5", "--seed", "s")
    assert (code, out, err) == (130, "", "Interrupted after 0 of 5 games (seed s).\n")


def test_workers_that_die_are_told_and_what_is_done_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    def failing(rules: Rules, games: int, **options: Any) -> Statistics:
        done = simulate(rules, 2, **options)
        raise SimulationFailed("the chunk of games 7 to 8", 3, done, (range(2, games),)) from OSError("gone")

    monkeypatch.setattr("heartsrules.apps.command_line.simulation.simulate", failing)
    code, out, err = run("simulate", "microsoft", "--games", "9", "--seed", "s")
    assert code == 1
    assert rows(out)["games"] == "2"
    assert "Error: the chunk of games 7 to 8 failed 3 times on the executor" in err
    assert "(gone)" in err
    assert "Ended after 2 of 9 games (seed s)." in err


# Many processes


@pytest.fixture
def _at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Processes are started however little there is to do."""
    monkeypatch.setattr("heartsrules.apps.command_line.workers._SOON", 0.0)


@pytest.mark.long
@pytest.mark.usefixtures("_at_once")
def test_the_output_does_not_depend_on_the_number_of_processes() -> None:
    for command in (
        ["simulate", "cardstock", "--games", "30", "--seed", "1"],
        ["compare", "cardstock", "openspiel", "--games", "7", "--seed", "1", "--format", "json"],
        ["simulate", "cardstock", "--games", "9", "--seed", "1", "--bots", "heuristic,uniform"],
        ["simulate", "cardstock", "--games", "30", "--seed", "1", "--policy", "watchful"],
    ):
        one = run(*command, "--jobs", "1")
        assert one[0] == 0
        assert run(*command, "--jobs", "2") == one


def test_quick_work_starts_no_process(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise AssertionError("no process is needed")

    monkeypatch.setattr("heartsrules.apps.command_line.workers.Processes", refuse)
    assert run("simulate", "cardstock", "--games", "7", "--jobs", "8")[0] == 0


def test_a_cluster_that_does_not_answer_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("distributed")
    monkeypatch.setattr("heartsrules.apps.command_line.workers._ANSWER", "200ms")
    with socket.socket() as nobody:
        nobody.bind(("127.0.0.1", 0))  # and does not listen
        address = f"tcp://127.0.0.1:{nobody.getsockname()[1]}"
        code, out, err = run("simulate", "cardstock", "--dask", address)
    assert (code, out) == (1, "")
    assert err.startswith(f"Error: no Dask scheduler answers at '{address}': ")
    code, out, err = run("simulate", "cardstock", "--dask", address, "--jobs", "2")
    assert code == 2
    assert "a Dask cluster sets its own number of jobs" in err


# compare, and other formats


def test_compare_shows_presets_side_by_side() -> None:
    code, out, err = run("compare", "cardstock", "spot-hearts", "cardstock", "--games", "6", "--seed", "1")
    assert (code, err) == (0, "")
    assert out.startswith("6 games of each, seed 1\n")
    lines = [line.split() for line in out.splitlines()[4:]]
    assert [line[:3] for line in lines] == [
        ["cardstock", "3", "6"],
        ["cardstock", "4", "6"],
        ["cardstock", "5", "6"],
        ["spot_hearts", "4", "6"],
    ]
    got = simulate(presets.spot_hearts(), 6, seed="1")
    assert f"{got.mean_choices:.2f}" in lines[3]
    assert f"{100 * got.moon_rate:.2f}" in lines[3]


def test_compare_takes_every_preset_for_a_count_of_players() -> None:
    code, out, _ = run("compare", "--players", "8", "--games", "1", "--format", "json")
    assert code == 0
    names = [name for name, preset in presets.ALL.items() if 8 in preset.players]
    assert [data["preset"] for data in json.loads(out)] == names
    code, out, err = run("compare", "cardstock", "--players", "8")
    assert (code, out) == (2, "")
    assert "none of these presets allows 8 players" in err


def test_json_holds_every_counter() -> None:
    code, out, err = run("simulate", "cardstock", "--games", "6", "--seed", "1", "--format", "json")
    assert (code, err) == (0, "")
    assert from_data(json.loads(out)) == Run("cardstock", simulate(presets.cardstock(), 6, seed="1"), "1")
    code, out, _ = run("compare", "cardstock", "--players", "4", "--games", "6", "--seed", "1", "--format", "json")
    assert [from_data(data).statistics.games for data in json.loads(out)] == [6]


@pytest.mark.long
def test_plots_are_written_and_checked_first(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    for command in (["simulate", "cardstock"], ["compare", "cardstock"]):
        path = tmp_path / f"{command[0]}.svg"
        code, _, err = run(*command, "--games", "3", "--seed", "1", "--plot", str(path))
        assert (code, err) == (0, "")
        assert path.read_text(encoding="utf-8").startswith("<?xml")
    for name, message in (
        ("figure.pdf", "'figure.pdf' ends in neither .svg nor .png"),
        ("none/figure.svg", "there is no directory"),
    ):
        code, out, err = run("simulate", "cardstock", "--games", "1000000", "--plot", str(tmp_path / name))
        assert (code, out) == (2, "")
        assert message in in_one_line(err)


def test_the_version_is_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(heartsrules, "__version__", "1.2")
    assert run("--version") == (0, "heartsrules 1.2\n", "")


COMMANDS = sorted(get_command(app).commands)  # type: ignore[attr-defined]


@pytest.mark.parametrize("command", [[], *[[name] for name in COMMANDS]], ids=str)
def test_help_is_given_within_80_columns(command: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    code, out, err = run(*command, "--help")
    assert (code, err) == (0, "")
    assert out.startswith("Usage: heartsrules")
    assert [line for line in out.splitlines() if len(line) > 80] == []
    assert run(*command, "-h") == (0, out, "")


@pytest.mark.parametrize("columns", ["80", "120"])
def test_the_help_of_every_group_has_whole_summaries(columns: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", columns)
    groups: list[tuple[list[str], Any]] = [([], get_command(app))]
    for path, group in groups:
        summaries = rows(run(*path, "--help")[1].partition("Commands:")[2])
        assert set(summaries) == set(group.commands)
        for name in group.commands:
            command = group.get_command(None, name)
            first = (command.help or "").partition("\n\n")[0]
            assert summaries[name] == " ".join(first.split()), (
                "the first paragraph is too long for a line, or two sentences"
            )
            if hasattr(command, "commands"):
                groups.append(([*path, name], command))


# JSON


@pytest.mark.parametrize("name", ["presets", "rules", "simulate", "compare", "match", "show", "verify"])
def test_whatever_prints_data_prints_it_for_people_or_as_json(name: str) -> None:
    _, out, _ = run(name, "--help")
    assert re.search(r"--format +.text\|json\W", out)
    assert not re.search(r"--json\b", out)


def test_presets_as_json() -> None:
    code, out, err = run("presets", "--format", "json")
    assert (code, err) == (0, "")
    found = json.loads(out)
    assert [each["name"] for each in found] == list(presets.ALL)
    for each in found:
        preset = presets.ALL[each["name"]]
        assert each == {
            "name": preset.name,
            "players": list(preset.players),
            "default_players": preset.default_players,
            "summary": preset.summary,
            "source": preset.source,
            "options": list(preset.options),
        }


def test_rules_as_json() -> None:
    given = ["rules", "dicegamedepot", "--players", "5", "--set", "kitty=first-trick"]
    code, out, err = run(*given, "--format", "json")
    assert (code, err) == (0, "")
    data = json.loads(out)
    rules = presets.dicegamedepot(5, kitty=Kitty.FIRST_TRICK)
    assert from_json(json.dumps(data["rules"]).encode(), Rules) == rules
    assert data["fields"] == {field: format_field(field, getattr(rules, field), 5) for field in FIELDS}
    assert set(data["changed"]) == set(rules.changes())
    assert {name: data[name] for name in ("preset", "players", "options", "cards", "kitty_size", "penalty_total")} == {
        "preset": "dicegamedepot",
        "players": 5,
        "options": ["passing"],
        "cards": 52,
        "kitty_size": rules.kitty_size,
        "penalty_total": 26,
    }
    assert run("rules", "microsoft", "--set", "teams=3", "--format", "json")[:2] == (1, "")


# Completion


def asking(*words: str) -> dict[str, str]:
    """What bash puts into the environment to be offered what the last of some words may be."""
    line = " ".join(["heartsrules", *words])
    return {"_HEARTSRULES_COMPLETE": "complete_bash", "COMP_WORDS": line, "COMP_CWORD": str(len(words))}


def completed(*words: str) -> list[str]:
    """What bash is offered for the last of some words."""
    result = CliRunner().invoke(app, env=asking(*words), prog_name="heartsrules")
    assert result.exit_code == 0, result.output
    return result.stdout.split()


@pytest.mark.skipif(sys.platform == "win32", reason="there is no home to put the file into by a variable")
def test_the_completion_of_a_shell_is_shown_and_installed(tmp_path: Path) -> None:
    environment = {"HOME": str(tmp_path), "_TYPER_COMPLETE_TEST_DISABLE_SHELL_DETECTION": "1"}
    done = python("-m", "heartsrules", "--show-completion", "bash", **environment)
    assert (done.returncode, done.stderr) == (0, "")
    assert "_HEARTSRULES_COMPLETE=complete_bash" in done.stdout
    assert "complete -o default -F _heartsrules_completion heartsrules" in done.stdout
    done = python("-m", "heartsrules", "--install-completion", "bash", **environment)
    assert (done.returncode, done.stderr) == (0, "")
    (script,) = tmp_path.rglob("*.sh")
    assert "complete_bash" in script.read_text(encoding="utf-8")
    assert str(script) in (tmp_path / ".bashrc").read_text(encoding="utf-8")
    assert "--install-completion" in run("--help")[1]


@pytest.mark.parametrize(
    ("words", "offered"),
    [
        (["sim"], ["simulate"]),
        (["rules", "dicegamedepot_"], ["dicegamedepot_cancellation"]),
        (["compare", "cardstock", "gon"], ["gong_zhu", "gonzo"]),
        (["play", "whist"], ["whisthub"]),
        (["table", "--set", "tie=s"], ["tie=shared"]),
        (["match", "uniform", "uniform", "--preset", "micro"], ["microsoft"]),
        (["simulate", "pagat", "--bots", "heuristic,s"], ["heuristic,sampling", "heuristic,sampling:"]),
        (["simulate", "pagat", "--bots", "external:./MyBot,u"], ["external:./MyBot,uniform"]),
        (["match", "uniform", "e"], ["external:"]),
        (["bot", "h"], ["heuristic"]),
        (["simulate", "pagat", "--policy", "w"], ["watchful"]),
        (["presets", "--format", ""], ["text", "json"]),
        (
            ["rules", "pagat", "--set", "sun"],
            ["sun=", "sun=no", "sun=yes", "sun_points=", "sun_scope=", "sun_scope=player", "sun_scope=team"],
        ),
        (["simulate", "--pl"], ["--players", "--plot"]),
    ],
    ids=lambda case: " ".join(case),
)
def test_a_shell_completes(words: list[str], offered: list[str]) -> None:
    assert sorted(completed(*words)) == sorted(offered)


def test_a_program_that_bash_starts_completes() -> None:
    done = python("-m", "heartsrules", **asking("rules", "pagat", "--set", "sun"))
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.split() == completed("rules", "pagat", "--set", "sun") != []


PAGES: Final = Path(__file__).parents[2] / "docs" / "how-to"


def documented(page: str) -> list[tuple[str, list[str], int]]:
    """The commands of a page, with the lines of output that it shows (`...` for any) and the exit code."""
    examples: list[tuple[str, list[str], int]] = []
    for block in (PAGES / page).read_text(encoding="utf-8").split("```console\n")[1:]:
        lines = block[: block.index("```")].splitlines()
        code = int(lines[-1]) if lines[-2:-1] == ["$ echo $?"] else 0
        shown = lines[1:-2] if lines[-2:-1] == ["$ echo $?"] else lines[1:]
        examples.append((lines[0].removeprefix("$ "), [line for line in shown if line != "..."], code))
    return examples


COMMAND_LINE: Final = documented("command-line.md")
KEEP_GAMES: Final = documented("keep-games.md")


@pytest.mark.sampled(4)
@pytest.mark.parametrize(("command", "shown", "code"), [*COMMAND_LINE, *KEEP_GAMES], ids=lambda each: str(each)[:60])
def test_the_pages_show_what_happens(
    command: str, shown: list[str], code: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    night = (PAGES / "keep-games.md").read_text(encoding="utf-8").split("```text\n")[1].split("```")[0]
    (tmp_path / "night.hearts").write_text(night, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    program, *arguments = shlex.split(command)
    assert program == "heartsrules"
    got, out, err = run(*arguments)
    assert got == code
    lines = iter([" ".join(line.split()) for line in (out + err).splitlines()])
    for line in shown:
        assert " ".join(line.split()) in lines, line


def test_the_pages_have_examples() -> None:
    assert {shlex.split(command)[1] for command, _, _ in COMMAND_LINE} >= {"presets", "rules", "simulate"}
    assert {code for _, _, code in COMMAND_LINE} == {0, 1, 2}
    assert [shlex.split(command)[1] for command, _, _ in KEEP_GAMES] == ["verify", "verify", "show", "show", "show"]


# Terminals and pipes


def test_a_terminal_gets_a_progress_bar_on_stderr_and_tables_that_fit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("COLUMNS", "80")
    code, out, err = run("simulate", "cardstock", "--games", "3", "--seed", "1")
    assert code == 0
    assert "games" in err
    assert "3/3" in err
    assert "3/3" not in out
    code, out, _ = run("presets")
    assert code == 0
    assert "\x1b[" in out
    monkeypatch.setenv("NO_COLOR", "1")
    assert "\x1b[3" not in run("presets")[1]


def test_a_log_gets_lines_of_progress(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("heartsrules.apps.command_line.progress.time.monotonic", iter(range(0, 10_000, 10)).__next__)
    lines = progress._Lines("games", 60_000, 10_000, counts=True)
    with pytest.MonkeyPatch.context() as patch:
        said: list[str] = []
        patch.setattr("heartsrules.apps.command_line.progress.typer.echo", lambda text, **_: said.append(text))
        for done in (1000, 2000, 12_000, 14_000, 14_500, 15_000):
            lines.update(completed=done)
        files = progress._Lines("records", 2000, 0, counts=False)
        for _ in range(3):
            files.update(completed=500, description="7 records")
    assert said == [
        "games: 22,000 of 60,000 (36 %), 400 a second, 0:01:35 left",
        "games: 25,000 of 60,000 (41 %), 250 a second, 0:02:20 left",
        "7 records: 25 %, 0:01:30 left",
    ]
    # What an earlier attempt has done is counted.
    monkeypatch.undo()
    monkeypatch.setattr(progress, "EVERY", 0.0)
    part = ["--seed", "1", "--jobs", "1", "--out", str(tmp_path / "p.json")]
    _, _, err = run("simulate", "cardstock", "--games", "3", *part)
    assert err.splitlines()[-1].startswith("games: 3 of 3 (100 %), ")
    assert run("simulate", "cardstock", "--games", "3", *part)[2] == ""


@pytest.mark.parametrize(
    "command",
    [
        ["presets"],
        ["rules", "microsoft", "--set", "removed=2C 3C 4C 5C 6C 7C 8C 2D 3D 4D 5D 6D 7D 8D 9D TD JD QD KD AD"],
        ["simulate", "pagat-cancellation", "--players", "10", "--games", "2", "--seed", "1"],
        ["compare", "cardstock", "pagat-cancellation", "--games", "2", "--seed", "1"],
        ["match", "heuristic", "uniform", "--tables", "2", "--deals", "1", "--seed", "1"],
    ],
    ids=lambda command: command[0],
)
def test_no_word_is_broken_at_a_terminal_of_80_columns(command: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    wide = run(*command)[1]
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setenv("COLUMNS", "80")
    code, out, _ = run(*command)
    assert code == 0
    lines = re.sub(r"\x1b\[[0-9;]*m", "", out).splitlines()
    assert max(map(len, lines)) <= 80

    def words(text: str) -> set[str]:
        return {word for word in text.replace(",", " ").split() if set(word) != {"─"}}

    assert words("\n".join(lines)) <= words(f"{wide} summary, and the source below it")


def test_a_pipe_gets_whole_lines_and_no_escapes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    for command in (["presets"], ["rules", "cardzmania"], ["simulate", "cardstock", "--games", "2", "--seed", "1"]):
        code, out, err = run(*command)
        assert (code, err) == (0, "")
        assert "\x1b" not in out
    line = next(line for line in run("presets")[1].splitlines() if line.startswith("black_maria"))
    assert presets.ALL["black_maria"].summary in line
    assert presets.ALL["black_maria"].source in line


def test_the_module_runs_as_a_program() -> None:
    done = python("-m", "heartsrules", "simulate", "cardstock", "--games", "2", "--seed", "1")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == run("simulate", "cardstock", "--games", "2", "--seed", "1")[1]
    wrong = python("-m", "heartsrules", "simulate", "cardstok")
    assert (wrong.returncode, wrong.stdout) == (2, "")
    assert "did you mean cardstock" in wrong.stderr


def test_the_main_function_runs_the_command(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["heartsrules", "rules", "microsft"])
    monkeypatch.delitem(sys.modules, "heartsrules.__main__")
    with pytest.raises(SystemExit) as ending:
        runpy.run_module("heartsrules", run_name="__main__")
    assert ending.value.code == 2
    assert "did you mean microsoft" in capsys.readouterr().err


def test_a_command_does_not_wait_for_the_modules_of_the_others() -> None:
    code = (
        "import sys; from heartsrules.apps.command_line import app; app(['presets'], standalone_mode=False); "
        "print(sorted(name for name in sys.modules if name.startswith('heartsrules.apps.command_line.')))"
    )
    loaded = python("-c", code).stdout.splitlines()[-1]
    assert "command_line.catalogue" in loaded
    assert not {name for name in ("match", "table", "verify", "play", "serve") if f"command_line.{name}'" in loaded}


def test_output_that_cannot_be_written_is_told(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def full(**_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("heartsrules.apps.command_line.app", full)
    with pytest.raises(SystemExit) as ending:
        main()
    assert ending.value.code == 1
    assert capsys.readouterr().err == "heartsrules: [Errno 28] No space left on device\n"


def test_an_encoding_without_the_characters_is_no_error() -> None:
    done = python("-m", "heartsrules", "simulate", "cardstock", "--games", "2", "--seed", "é", PYTHONIOENCODING="ascii")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("cardstock, 4 players, seed \\xe9\n")


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGINT for another process")
def test_ctrl_c_ends_a_run_with_130() -> None:
    with subprocess.Popen(
        [sys.executable, "-m", "heartsrules", "simulate", "microsoft", "--games", "1000000", "--seed", "s"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": SOURCE, "FORCE_COLOR": "1", "COLUMNS": "80"},
        preexec_fn=heed_interrupts,
    ) as process:
        assert process.stderr is not None
        # The bar shows that games are being played.
        deadline = time.monotonic() + 30
        seen = ""
        while "/1000000" not in seen and time.monotonic() < deadline:
            seen += process.stderr.read(1)
        process.send_signal(signal.SIGINT)
        try:
            out, err = process.communicate(timeout=30)
        finally:
            process.kill()
    assert process.returncode == 130
    done = int(err.partition("Interrupted after ")[2].split()[0])
    assert rows(out)["games"] == str(done) if done else out == ""
    assert "of 1000000 games (seed s)." in err
    assert "Traceback" not in err


def test_output_may_be_redirected_within_a_program() -> None:
    with contextlib.redirect_stdout(io.StringIO()) as out:
        app(["presets"], standalone_mode=False)
    assert out.getvalue() == run("presets")[1]


LONG = 100_000


@pytest.mark.parametrize(
    "arguments",
    [
        ["rules", "microsoft", "--set", "extra_penalties=" + "KS:1," * 20_000],
        ["rules", "microsoft", "--set", "extra_penalties=" + "KS:1," * 40_000],
        ["rules", "microsoft", "--set", "exact_resets=" + "2:3," * 20_000],
        ["rules", "microsoft", "--set", "heart_values=" + "2," * 40_000],
        ["rules", "microsoft", "--set", "pass_cycle=" + ",".join(["L14"] * 1000)],
        ["rules", "microsoft", "--set", "pass_cycle=" + "L0+R14+0:1," * 1000],
        ["rules", "microsoft", "--set", "removed=" + "2C," * 30_000],
        ["rules", "microsoft", "--set", "unpassable=" + "x" * LONG],
        ["rules", "microsoft", "--set", "moon=" + "x" * LONG],
        ["rules", "microsoft", "--set", "target=" + "9" * 590],
        ["rules", "microsoft", "--set", "players=" + "9" * 590],
        ["rules", "microsoft", "--set", "target=" + "9" * LONG],
        ["rules", "microsoft", "--set", "x" * LONG],
        ["rules", "microsoft", "--set", "x" * LONG + "=1"],
        ["rules", "cardzmania", "--set", "kitty=" + "x" * LONG],
        ["rules", "microsoft", "--players", "9" * 4000],
        ["rules", "microsoft", "--players", "9" * LONG],
        ["rules", "x" * LONG],
        ["rules", "--" + "x" * LONG],
        ["x" * LONG],
        ["simulate", "microsoft", "--games", "9" * 4000],
        ["simulate", "microsoft", "--games", str(10**15 + 1)],
        ["simulate", "microsoft", "--max-deals-per-match", "9" * 30],
        ["simulate", "microsoft", "--seed", "\x07" * LONG],
        ["simulate", "microsoft", "--format", "x" * LONG],
        ["simulate", "microsoft", "--plot", "x" * LONG],
        ["compare", "--players", "9" * 4000],
        ["verify", "x" * LONG],
        ["verify", "--format", "x" * LONG],
        ["show", "x" * LONG],
        ["show", "hearts/1; " + "x" * LONG],
        ["show", "hearts/1; rules target=" + "9" * LONG],
    ],
    ids=lambda arguments: " ".join(arguments)[:40],
)
def test_no_refusal_is_long(arguments: list[str]) -> None:
    code, out, err = run(*arguments)
    assert code in (1, 2)
    assert out == ""
    assert 0 < len(err) <= 2000


def test_the_problems_that_are_not_told_are_counted() -> None:
    _, _, err = run("rules", "microsoft", "--set", "pass_cycle=" + ",".join(["L14"] * 1000))
    told = err.count("  gifts-too-large: ")
    assert told > 10
    assert err.endswith(f"  and {1000 - told} further problems\n")


def test_a_verdict_is_one_short_line(tmp_path: Path) -> None:
    path = tmp_path / "games"
    path.write_text(
        "\n".join([f'[Event "{number}{"x" * 100}"]' for number in range(2000)]) + "\nhearts/1\n" + "x" * LONG
    )
    code, out, _ = run("verify", str(path))
    assert code == 1
    assert all(len(line) <= 2000 for line in out.splitlines())


# ------------------------------------------------------------------------------------------------------------- matches


def matched(*arguments: str) -> dict[str, Any]:
    """What a match of bots prints as JSON."""
    code, out, err = run("match", *arguments, "--format", "json")
    assert (code, err) == (0, "")
    data: dict[str, Any] = json.loads(out)
    return data


def test_a_match_is_a_tournament() -> None:
    given = ["heuristic", "uniform", "--tables", "3", "--seed", "1", "--deals", "2"]
    data = matched(*given, "--preset", "cardstock", "--players", "3", "--set", "target=50", "--jobs", "1")
    rules = attrs.evolve(presets.cardstock(3), target=50)
    result = tournament(rules, heuristic, uniform, tables=3, seed="1", deals=2)
    assert data == {
        "bot": "heuristic",
        "field": "uniform",
        "preset": "cardstock",
        "players": 3,
        "rules": "cardstock, 3 players, target=50",
        "seed": "1",
        "deals": 2,
        "tables": 3,
        "games": 9,
        "unfinished": 0,
        "margin": {"mean": result.margin.mean, "low": result.margin.low, "high": result.margin.high},
        "share": {"mean": result.share.mean, "low": max(0.0, result.share.low), "high": min(1.0, result.share.high)},
        "wins": {"mean": result.wins.mean, "low": max(0.0, result.wins.low), "high": min(1.0, result.wins.high)},
    }


def test_the_intervals_of_rates_stay_from_0_to_1() -> None:
    two = matched("heuristic", "uniform", *LINE_UP[4:])
    line_up = matched(*LINE_UP)
    rates = [two["share"], two["wins"]]
    rates += [each[name] for each in line_up["results"] for name in ("share", "wins", "matchpoints")]
    rates += [each[name] for each in line_up["duels"] for name in ("matchpoints", "ahead")]
    assert all(0 <= rate["low"] <= rate["mean"] <= rate["high"] <= 1 for rate in rates)
    assert {end for rate in rates for end in (rate["low"], rate["high"])} & {0, 1}


@pytest.mark.parametrize("bots", [["heuristic", "uniform"], ["heuristic", "heuristic", "uniform", "uniform"]])
def test_the_text_of_a_match_says_when_the_tables_are_few(bots: list[str]) -> None:
    given = [*bots, "--preset", "cardstock", "--set", "hand_size=1", "--set", "kitty=first-trick", "--seed", "1"]
    for count, few in (("29", True), ("30", False)):
        code, out, err = run("match", *given, "--tables", count)
        assert (code, err) == (0, "")
        assert out.endswith("With fewer than 30 tables, the intervals are unreliable.\n") is few


def test_a_match_is_printed_as_a_table() -> None:
    given = ["heuristic", "Uniform", "--tables", "3", "--seed", "1", "--deals", "1", "--jobs", "1"]
    data = matched(*given)
    code, out, err = run("match", *given)
    assert (code, err) == (0, "")
    assert out.startswith("heuristic against uniform: microsoft, 4 players, seed 1\n")
    shown = rows(out)
    margin, wins = data["margin"], data["wins"]
    assert "\n3 tables, 12 games, 0 unfinished\n" in out
    assert shown["heuristic"].startswith(f"{margin['mean']:.2f} ({margin['low']:.2f} to {margin['high']:.2f}) ")
    assert shown["heuristic"].endswith(
        f" {100 * wins['mean']:.2f} % ({100 * wins['low']:.2f} to {100 * wins['high']:.2f})"
    )


@pytest.mark.usefixtures("_at_once")
def test_a_match_does_not_depend_on_the_number_of_processes() -> None:
    given = ["sampling", "heuristic", "--tables", "3", "--seed", "1", "--deals", "1", "--preset", "cardstock"]
    rules = ["--players", "3", "--set", "hand_size=3", "--set", "kitty=last-trick"]
    assert matched(*given, *rules, "--jobs", "1") == matched(*given, *rules, "--jobs", "2")


def test_an_interrupted_match_keeps_the_tables_that_were_played(monkeypatch: pytest.MonkeyPatch) -> None:
    given = ["heuristic", "uniform", "--seed", "1", "--deals", "1", "--jobs", "1"]
    play = tournaments._Job.play_table
    left = 2

    def interrupted(job: Any, number: int) -> Any:
        nonlocal left
        left -= 1
        if left < 0:
            raise KeyboardInterrupt
        return play(job, number)

    monkeypatch.setattr(tournaments._Job, "play_table", interrupted)
    code, out, err = run("match", *given, "--tables", "9")
    assert (code, err) == (130, "Interrupted after 2 of 9 tables (seed 1).\n")
    left = 1
    code, alone, err = run("match", *given, "--tables", "9")
    assert (code, err) == (130, "Interrupted after 1 of 9 tables (seed 1).\n")
    assert "\n1 tables, 4 games, 0 unfinished\n" in alone
    left = 0
    assert run("match", *given, "--tables", "9") == (130, "", "Interrupted after 0 of 9 tables (seed 1).\n")
    monkeypatch.undo()
    assert run("match", *given, "--tables", "2") == (0, out, "")


@pytest.mark.usefixtures("_at_once")
def test_workers_that_die_end_a_match_with_what_was_done(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        "heartsrules.apps.command_line.workers.Processes",
        lambda _: Losing(lambda call, _: "lost" if call > 1 else "done"),
    )
    code, out, err = run("match", "heuristic", "uniform", "--tables", "9", "--seed", "1", "--deals", "1", "--jobs", "2")
    assert code == 1
    assert "\n1 tables, " in out
    assert err.startswith("Error: the chunk of tables 1 to ")
    assert err.endswith("Ended after 1 of 9 tables (seed 1).\n")


def test_the_help_of_a_match_names_every_bot() -> None:
    _, out, _ = run("match", "--help")
    assert f"{', '.join(BOTS)}, sampling:N" in " ".join(out.split())


LINE_UP = ["heuristic", "heuristic", "uniform", "uniform", "--tables", "3", "--seed", "1", "--deals", "1"]


def test_a_match_of_a_line_up_is_a_tournament() -> None:
    data = matched(*LINE_UP, "--jobs", "1")
    players = {"heuristic": heuristic, "uniform": uniform}
    result = tournament(presets.microsoft(), players, LINE_UP[:4], tables=3, seed="1", deals=1)
    found, duels = data.pop("results"), data.pop("duels")
    assert data == {
        "line_up": ["heuristic", "heuristic", "uniform", "uniform"],
        "seatings": "all",
        "preset": "microsoft",
        "players": 4,
        "rules": "microsoft, 4 players",
        "seed": "1",
        "deals": 1,
        "tables": 3,
        "games": 18,
        "unfinished": 0,
    }
    assert [each["player"] for each in found] == ["heuristic", "uniform"]
    margin, rating = result.of("uniform").margin, result.ratings()["uniform"]
    assert found[1]["margin"] == {"mean": margin.mean, "low": margin.low, "high": margin.high}
    assert rating.error is not None
    assert found[1]["rating"] == {
        "mean": rating.value,
        "low": rating.value - rating.error,
        "high": rating.value + rating.error,
    }
    (duel,) = duels
    assert (duel["player"], duel["against"]) == ("heuristic", "uniform")
    difference = result.duel("heuristic", "uniform").difference
    assert duel["difference"] == {"mean": difference.mean, "low": difference.low, "high": difference.high}
    assert set(duel) == {"player", "against", "difference", "matchpoints", "ahead"}
    assert set(found[0]) == {"player", "points", "margin", "share", "wins", "matchpoints", "rating"}


def test_a_line_up_is_printed_as_tables() -> None:
    data = matched(*LINE_UP)
    code, out, err = run("match", *LINE_UP)
    assert (code, err) == (0, "")
    assert out.startswith("heuristic, heuristic, uniform, uniform: microsoft, 4 players, seed 1\n3 tables, 18 games, ")
    shown = rows(out)
    margin = data["results"][1]["margin"]
    assert f"{margin['mean']:.2f} ({margin['low']:.2f} to {margin['high']:.2f})" in shown["uniform"]
    difference = data["duels"][0]["difference"]
    assert (
        f"uniform {difference['mean']:.2f} ({difference['low']:.2f} to {difference['high']:.2f})" in shown["heuristic"]
    )


def program(how: str, folder: Path) -> str:
    """The text of a player that is a program of the tests."""
    command = [
        sys.executable,
        "-I",
        "-S",
        str(Path(__file__).parents[1] / "support" / "fake_player.py"),
        how,
        str(folder),
    ]
    return f"fake=external:{shlex.join(command)}"


@pytest.mark.long
@pytest.mark.usefixtures("_at_once")
def test_programs_play_matches_here_and_in_workers(tmp_path: Path) -> None:
    given = [program("good", tmp_path), "uniform", "--tables", "3", "--seed", "1", "--deals", "1"]
    alone = matched(*given, "--jobs", "1")
    assert alone["bot"] == "fake"
    assert matched(*given, "--jobs", "2", "--seconds", "60") == alone
    assert len(list(tmp_path.iterdir())) > 8
    code, out, err = run("simulate", "cardstock", "--games", "2", "--seed", "1", "--bots", f"{given[0]},sampling:2")
    assert (code, err) == (0, "")
    assert out.startswith("cardstock, 4 players, bots fake,sampling:2, seed 1\n")


@pytest.mark.parametrize("jobs", ["1", "2"])
@pytest.mark.usefixtures("_at_once")
def test_a_program_that_fails_ends_a_match(jobs: str, tmp_path: Path) -> None:
    given = ["match", program("crash", tmp_path), "uniform", "--tables", "3", "--seed", "1", "--jobs", jobs]
    code, out, err = run(*given)
    assert (code, out) == (1, "")
    assert "(seat 0, deal 1): no answer to 'choose': it ended with exit code 3. It said: thought 4" in err
    assert err.endswith("Ended after 0 of 3 tables (seed 1).\n")
    code, out, err = run("match", "external:/no/such/player", "uniform")
    assert (code, out) == (1, "")
    assert err == "Error: /no/such/player (hello): it cannot be started: No such file or directory\n"


def test_a_program_that_fails_ends_a_simulation(tmp_path: Path) -> None:
    code, _, err = run("simulate", "microsoft", "--games", "3", "--seed", "1", "--bots", program("crash", tmp_path))
    assert code == 1
    assert "it ended with exit code 3" in err
    assert err.endswith("Ended after 0 of 3 games (seed 1).\n")


def test_a_bot_is_served_as_a_program() -> None:
    lines = b'{"id": 1, "op": "hello", "protocol": 1}\nnonsense\n'
    done = subprocess.run(
        [sys.executable, "-m", "heartsrules", "bot", "sampling:7"],
        input=lines,
        capture_output=True,
        timeout=60,
        env={**os.environ, "PYTHONPATH": SOURCE},
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, b"")
    hello, refusal = [json.loads(line) for line in done.stdout.splitlines()]
    assert hello["result"] == {"protocol": 1, "name": "sampling:7", "author": "heartsrules"}
    assert not refusal["ok"]
