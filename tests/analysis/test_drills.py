"""Drills: those that are shipped, those of a review, what they say, and the script that makes them."""

from __future__ import annotations

import json
from collections import Counter
from importlib import resources
from pathlib import Path
from random import Random

import pytest

from heartsrules import Play, deal, legal_moves, presets, to_act, view
from heartsrules.analysis import Drill, Quality, Theme, drills, drills_of, explain, review
from heartsrules.analysis._drills import SHIPPED, offered, theme_of
from heartsrules.analysis._reviewing import choices_of
from heartsrules.bots import uniform
from heartsrules.chance import RandomStream
from heartsrules.messages import UnknownLanguage, languages
from heartsrules.play.game import Game, replay_strict
from heartsrules.play.state import AwaitingDeal
from heartsrules.views import PassingView, PlayingView
from support.benches import bench

pytestmark = pytest.mark.once_compiled

RIGHT = (Quality.BEST, Quality.FINE)


def test_each_shipped_drill_has_one_clear_answer() -> None:
    found = drills()
    assert len(found) == 200
    assert len({each.view for each in found}) == 200
    for each in found:
        moves = [choice.move for choice in each.choices]
        legal = legal_moves(each.view)
        assert set(moves) <= set(legal)
        assert len(set(moves)) == len(moves) > 2
        assert isinstance(each.view, PassingView) or len(moves) == len(legal)
        assert each.best[0] == moves[0]
        assert theme_of(each.view, each.choices) is each.theme
        for choice in each.choices:
            assert each.is_right(choice.move) == (choice.move in each.best)
            assert choice.move in each.best or (choice.cost.low > 0 and choice.reasons)


def test_every_theme_is_shipped() -> None:
    counts = Counter([each.theme for each in drills()])
    assert set(counts) == set(Theme) - {Theme.OTHER}
    assert min(counts.values()) >= 20


@pytest.mark.sampled(2)
@pytest.mark.parametrize("language", languages())
def test_every_answer_is_told_with_its_reason(language: str) -> None:
    for each in drills():
        assert len({each.judge(choice.move, language)[1] for choice in each.choices}) > 1
        for choice in each.choices:
            verdict, reason, *costs = each.judge(choice.move, language)
            assert len(costs) == len(each.choices)
            assert explain(choice, language) == reason or each.is_right(choice.move)
            for line in (verdict, reason, *costs):
                assert line
                assert not set("{}\n") & set(line)


def test_a_line_of_the_file_is_what_the_drill_says() -> None:
    lines = resources.files("heartsrules.analysis").joinpath(SHIPPED).read_text(encoding="utf-8").splitlines()
    drill_line = bench("drills").drill_line
    for line, each in zip(lines, drills(), strict=True):
        assert drill_line(json.loads(line)["position"], each) == line


# ------------------------------------------------------------------------------------------------------ of a review


def finished(seed: str) -> Game:
    """A deal of uniform players."""
    rng = Random(seed)
    return Game.start(presets.cardstock()).play_on(lambda seen: uniform(seen, rng), rng=rng)


def test_drills_of_a_review_are_its_mistakes() -> None:
    whole = finished("mine")
    late = replay_strict(whole.at(26), whole.moves[26:46])
    found = review(late, worlds=16)
    own = list(drills_of(found, worlds=16))
    assert own == list(drills_of(found, worlds=16))
    errors = {
        view(found.game.at(each.ply), each.seat): each.move
        for each in found.decisions
        if each.quality in (Quality.MISTAKE, Quality.BLUNDER)
    }
    assert own
    for each in own:
        assert each.answered(errors[each.view]).quality not in RIGHT
        assert {choice.move for choice in each.choices} == set(legal_moves(each.view))


def test_a_pass_offers_what_was_passed_and_few_others() -> None:
    start = Game.start(presets.microsoft())
    assert isinstance(start.state, AwaitingDeal)
    seen = view(start.play(deal(start.state, seed=7)).state, 1)
    assert isinstance(seen, PassingView)
    tried = {choice.move for choice in choices_of(seen, RandomStream("pass"), 4, [])}
    made = next(each for each in legal_moves(seen) if each not in tried)
    choices = choices_of(seen, RandomStream("pass"), 4, [made])
    assert len(choices) == 25
    few = offered(choices, made)
    assert len(few) == 6
    assert few[0] == choices[0]
    assert made in [each.move for each in few]
    assert theme_of(seen, few) is Theme.PASSING


def test_what_is_refused() -> None:
    drill = next(each for each in drills() if isinstance(each.view, PlayingView))
    other = next(card for card in drill.view.rules.deck if Play(drill.seat, card) not in legal_moves(drill.view))
    with pytest.raises(ValueError, match="not one of the choices"):
        drill.answered(Play(drill.seat, other))
    with pytest.raises(UnknownLanguage):
        drill.judge(drill.best[0], "xx")
    with pytest.raises(ValueError, match="worlds"):
        drills_of(review(finished("own").fork(1), 0, worlds=2), worlds=1)


def test_the_script_makes_drills_again(tmp_path: Path) -> None:
    made: list[list[str]] = []
    for name in ("one", "two"):
        file = tmp_path / name
        bench("drills").main([str(file), "--seed", "try", "--count", "2", "--worlds", "6"])
        made.append(file.read_text(encoding="utf-8").splitlines())
    assert made[0] == made[1]
    assert len(made[0]) == 2
    assert {"theme", "seat", "position", "moves"} == set(json.loads(made[0][0]))


def test_a_drill_is_what_its_seat_may_know() -> None:
    for each in drills():
        assert isinstance(each, Drill)
        assert each.view.seat == each.seat == each.best[0].seat  # type: ignore[union-attr]
        assert to_act(each.view) == {each.seat} or isinstance(each.view, PassingView)
