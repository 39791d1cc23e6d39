"""Statistics as data, rows and plots; and the page that is made of them."""

from __future__ import annotations

import importlib.util
import json
import math
import re
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from xml.etree import ElementTree

import attrs
import pytest

from heartsrules import Rules, presets
from heartsrules.base.extras import MissingExtra
from heartsrules.rules import HeartValues
from heartsrules.simulation.figures import (
    Run,
    check_path,
    figures,
    from_data,
    plot,
    plot_branching,
    plot_comparison,
    plot_points,
    to_data,
)
from heartsrules.simulation.many_games import simulate
from heartsrules.simulation.statistics import wilson_interval
from support.benches import bench

pytestmark = pytest.mark.once_compiled

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "bench" / "results" / "variants-in-figures.md"
DATA = PAGE.with_suffix(".json")


def run_of(rules: Rules, games: int = 4, name: str = "some") -> Run:
    return Run(name, simulate(rules, games, seed="f", max_deals=30), "f")


RUNS = {
    "microsoft": run_of(presets.microsoft()),
    "cancellation": run_of(presets.pagat_cancellation(7)),
    "teams": run_of(presets.partner_hearts()),
    "no games": run_of(presets.cardstock(), 0),
    "one deal": run_of(presets.cardstock(5), 1),
    "never ends": run_of(Rules(heart_values=(0,) * 12 + (1,), queen_points=0, target=10**9), 1),
    "far apart": run_of(Rules(heart_values=HeartValues.SPOT, queen_points=10**5, target=10**7), 3),
}


@pytest.fixture(params=list(RUNS.values()), ids=list(RUNS))
def run(request: pytest.FixtureRequest) -> Run:
    return request.param  # type: ignore[no-any-return]


# Data and rows


def test_data_can_be_written_read_and_added_up(run: Run) -> None:
    text = json.dumps(to_data(run), allow_nan=False)
    again = from_data(json.loads(text))
    assert again == run
    both = again.statistics + run.statistics
    assert both.games == 2 * run.statistics.games


def test_the_figures_are_those_of_the_statistics() -> None:
    s = RUNS["microsoft"].statistics
    got = figures(s)
    assert got["legal cards"] == round(s.mean_choices, 6)
    assert got["moons"]["share"] == round(s.moons / s.deals, 6)
    assert [got["moons"]["low"], got["moons"]["high"]] == pytest.approx(wilson_interval(s.moons, s.deals), abs=1e-6)
    assert [decision["mean"] for decision in got["branching"]] == [round(m.mean, 6) for m in s.branching]
    assert [won["share"] for won in got["wins"]] == [round(won / s.games, 6) for won in s.wins]
    assert got["points"]["50 %"] == s.deal_points.quantile(0.5)
    assert got["points by position"][3]["mean"] == round(s.points_by_position[3].mean, 6)


def test_damaged_data_is_refused() -> None:
    data = json.loads(json.dumps(to_data(RUNS["microsoft"])))
    with pytest.raises(ValueError, match="totals has 4 items instead of 5"):
        from_data({**data, "rules": "players=5 removed=2C,2D"})
    with pytest.raises(KeyError, match="moons"):
        from_data({**data, "counts": {name: part for name, part in data["counts"].items() if name != "moons"}})


@pytest.mark.parametrize(
    ("count", "kind", "message"),
    [
        ({"games": 1.7}, TypeError, "games must be an int, not a float"),
        ({"games": "12"}, TypeError, "games must be an int, not a str"),
        ({"games": math.inf}, TypeError, "games must be an int, not a float"),
        ({"games": -5}, ValueError, "games is -5: a count is 0 or more"),
        ({"wins": [1, 1, 1, -1]}, ValueError, r"wins\[3\] is -1"),
        ({"wins": {"0": 1}}, TypeError, "wins must be a list, not a dict"),
        ({"deals_per_game": ["a", 2, 3, 4, 5]}, TypeError, "an item of deals_per_game must be an int, not a str"),
        ({"deals_per_game": [1, 2, 4, None, 2]}, TypeError, "an item of deals_per_game must be an int, not None"),
        ({"deals_per_game": {"count": 3, "total": 2}}, TypeError, "deals_per_game must be a list, not a dict"),
        ({"deals_per_game": [3, 2]}, ValueError, "deals_per_game has 2 items instead of 5"),
        ({"deals_per_game": [0, 2, 4, None, None]}, ValueError, "lowest and highest of any numbers"),
        ({"deals_per_game": [2, 9, 41, 5, 4]}, ValueError, "lowest and highest of any numbers"),
        ({"deals_per_game": [2, 9, 40, 4, 5]}, ValueError, "lowest and highest of any numbers"),
        ({"deal_points": [[5, 1], [1, 1]]}, ValueError, "deal_points is not of rising values"),
        ({"deal_points": [[5, 1], [5, 2]]}, ValueError, "deal_points is not of rising values"),
        ({"deal_points": [[5, -1]]}, ValueError, "deal_points is not of rising values"),
        ({"deal_points": [5]}, TypeError, "an item of deal_points must be a list, not an int"),
    ],
)
def test_counts_that_no_run_can_have_are_refused(count: dict[str, object], kind: type[Exception], message: str) -> None:
    data = to_data(RUNS["microsoft"])
    with pytest.raises(kind, match=message):
        from_data({**data, "counts": {**data["counts"], **count}})  # type: ignore[dict-item]


@pytest.mark.parametrize("wrong", [{"preset": 5}, {"seed": None}, {"bots": "abcd"}, {"bots": [1]}, {"policy": ["x"]}])
def test_names_of_another_type_are_refused(wrong: dict[str, object]) -> None:
    with pytest.raises(TypeError, match=f"{next(iter(wrong))} must be a (str|list), not "):
        from_data({**to_data(RUNS["microsoft"]), **wrong})


# Plots

mpl = pytest.mark.skipif(importlib.util.find_spec("matplotlib") is None, reason="the extra plot is not installed")


@pytest.mark.long
@pytest.mark.untraced
@mpl
def test_every_run_can_be_drawn(run: Run, tmp_path: Path) -> None:
    plot(run, tmp_path / "figure.svg")
    assert (tmp_path / "figure.svg").read_bytes().startswith(b"<?xml")


@mpl
def test_a_run_can_be_drawn_in_pixels(tmp_path: Path) -> None:
    plot(RUNS["one deal"], tmp_path / "figure.png")
    assert (tmp_path / "figure.png").read_bytes().startswith(b"\x89PNG")


@pytest.mark.sampled(3)
@mpl
@pytest.mark.parametrize("draw", [plot_comparison, plot_branching, plot_points])
def test_runs_are_drawn_side_by_side(draw: Callable[..., None], tmp_path: Path) -> None:
    runs = [RUNS["microsoft"], RUNS["cancellation"], Run("other", RUNS["teams"].statistics)]
    draw(runs, tmp_path / "a.svg", about="about it")
    text = (tmp_path / "a.svg").read_text(encoding="utf-8")
    assert "about it" in text
    assert "some" in text
    assert "other" in text
    draw([RUNS["no games"]], tmp_path / "b.png")


@pytest.mark.untraced
@mpl
def test_every_preset_has_a_line_of_its_own_and_a_legend_that_fits(tmp_path: Path) -> None:
    drawn = tmp_path / "a.svg"
    plot_branching([Run(name, RUNS["teams"].statistics) for name in presets.ALL], drawn)
    text = drawn.read_text(encoding="utf-8")
    lines = re.findall(r'style="fill: none; (.*?)stroke: (#\w+); stroke-width: 1.2', text)
    assert len(set(lines)) == len(presets.ALL)
    height = float(re.findall(r'height="([\d.]+)pt"', text)[0])
    (legend,) = re.findall(r'<g id="legend_1">.*?<path d="(.*?)"', text, re.DOTALL)
    edges = [float(number) for number in re.findall(r"[\d.]+ ([\d.]+)", legend)]
    assert 0 < min(edges) < max(edges) < height


@pytest.mark.long
@pytest.mark.untraced
@mpl
def test_equal_runs_give_equal_bytes_without_a_date(tmp_path: Path) -> None:
    plot(RUNS["microsoft"], tmp_path / "a.svg")
    plot(RUNS["microsoft"], tmp_path / "b.svg")
    first = (tmp_path / "a.svg").read_bytes()
    assert first == (tmp_path / "b.svg").read_bytes()
    assert b"dc:date" not in first
    ElementTree.fromstring(first)


@mpl
def test_another_kind_of_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"'a.pdf' ends in neither .svg nor .png"):
        plot(RUNS["microsoft"], tmp_path / "a.pdf")
    with pytest.raises(ValueError, match=r"'a.pdf' ends in neither"):
        check_path(tmp_path / "a.pdf")
    with pytest.raises(FileNotFoundError, match="there is no directory"):
        check_path(tmp_path / "no" / "a.svg")
    check_path(tmp_path / "a.SVG")


@mpl
def test_what_cannot_be_drawn_is_refused_before_it_is_drawn(tmp_path: Path) -> None:
    for draw in (plot_comparison, plot_branching, plot_points):
        with pytest.raises(ValueError, match="runs is empty: give at least one"):
            draw([], tmp_path / "a.svg")
    assert not list(tmp_path.iterdir())


def test_without_the_extra_it_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    calls: list[Callable[[], None]] = [
        lambda: plot(RUNS["microsoft"], tmp_path / "a.svg"),
        lambda: check_path(tmp_path / "a.svg"),
    ]
    for call in calls:
        with pytest.raises(MissingExtra, match=r"pip install 'heartsrules\[plot\]'") as caught:
            call()
        assert (caught.value.extra, caught.value.code) == ("plot", "missing-extra")
        assert isinstance(caught.value, ImportError)


# The page "The variants in figures"


@pytest.fixture(scope="module")
def script() -> ModuleType:
    return bench("figures")


def test_the_page_says_what_its_data_say(script: ModuleType) -> None:
    runs = [from_data(data) for data in script.read_data(DATA)]
    assert PAGE.read_text(encoding="utf-8") == script.page(runs), "run nox -s generate"
    measured = [(run.preset, run.statistics.rules) for run in runs]
    assert measured == [variant for variant in script.variants() if variant in measured], (
        "some data are of rules that no preset has: drop them with bench/figures.py --redraw"
    )
    assert [run.statistics.games for run in runs] == [script.games_of(run.statistics.rules) for run in runs]


def test_the_pictures_are_those_of_the_data(script: ModuleType) -> None:
    shown = re.findall(r"!\[[^\]]*\]\((variants-in-figures-[a-z]+\.svg)\)", PAGE.read_text(encoding="utf-8"))
    assert sorted(shown) == sorted(f"variants-in-figures-{name}.svg" for name in script.PICTURES)
    for name in shown:
        assert script.digest(DATA) in PAGE.with_name(name).read_text(encoding="utf-8"), "bench/figures.py --redraw"


@pytest.mark.untraced
def test_the_data_are_those_of_this_package(script: ModuleType) -> None:
    for data in script.read_data(DATA):
        rules = from_data(data).statistics.rules
        assert data["first games"] == script.probe(data["preset"], rules), (
            f"{data['preset']}: the games are no longer those of the page; drop them with bench/figures.py --redraw"
        )


@pytest.fixture
def newcomer(monkeypatch: pytest.MonkeyPatch) -> str:
    """The name of a preset for 3, 4 and 5 players that has just been added, and was never measured."""
    new = attrs.evolve(presets.ALL["bicycle"], name="newcomer")
    monkeypatch.setattr(presets, "ALL", {**presets.ALL, new.name: new})
    return new.name


def test_a_new_preset_is_not_yet_measured(script: ModuleType, newcomer: str) -> None:
    data = script.read_data(DATA)
    runs = [from_data(item) for item in data]
    text = script.page(runs)
    lines = [line for line in text.splitlines() if newcomer in line]
    first, named, last = [line.replace(" |", "").rstrip() for line in lines]
    assert first == last == "| `newcomer` 4 not yet measured"
    assert named.startswith("Not yet measured, and in no picture: ")
    assert named.endswith("`newcomer` with 3, 4, 5 players.")
    bars = [line.count("|") for line in lines]
    assert bars == [11, 0, 9], "as many cells as the headings have"
    known = PAGE.read_text(encoding="utf-8").splitlines()
    assert [line for line in text.splitlines() if line not in known] == list(dict.fromkeys(lines)), (
        "nothing else changes"
    )
    assert all(map(script.is_current, data[:2]))


def test_data_of_other_rules_are_not_kept(script: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    data = next(item for item in script.read_data(DATA) if item["preset"] == "whisthub")
    assert script.is_current(data)
    assert not script.is_current({**data, "first games": "0" * 16})
    other = attrs.evolve(presets.ALL["pagat"], name="whisthub")
    monkeypatch.setattr(presets, "ALL", {**presets.ALL, other.name: other})
    assert not script.is_current(data)


@pytest.mark.figures
def test_before_a_release_every_preset_is_measured(script: ModuleType) -> None:
    runs = [from_data(data) for data in script.read_data(DATA)]
    assert script.missing(runs) == [], "measure them with bench/figures.py --missing"
    assert [run.statistics.games for run in runs] == [script.games_of(run.statistics.rules) for run in runs]


def test_the_data_agree_with_what_cardstock_publishes(script: ModuleType) -> None:
    (s,) = [
        from_data(data).statistics
        for data in script.read_data(DATA)
        if (data["preset"], data["players"]) == ("cardstock", 4)
    ]
    assert abs(s.mean_choices - 3.5911) < 4 * s.choices_per_deal.standard_error / 52 + 0.0002
    assert abs(s.moon_rate - 0.0106) < 4 * math.sqrt(0.0106 / s.deals) + 0.00005
    assert abs(s.tie_rate - 0.244) < 4 * math.sqrt(0.244 / s.games) + 0.0005
