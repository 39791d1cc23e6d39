"""Small worlds, whole: a few deals of them, in the engine and the model; `nox -s exhaustive` goes through all."""

from __future__ import annotations

from pathlib import Path
from random import Random
from types import ModuleType

import pytest

from heartsrules import Rules
from heartsrules.rules import HOLD
from support import naive
from support.against_model import Disagreement
from support.exhaustive import LEFT_OUT, VALUES, WORLDS, _drawn, deals_of, explore, made

pytestmark = pytest.mark.once_compiled


def test_every_option_is_varied_or_left_out_with_a_reason() -> None:
    options = {option.name for option in Rules.OPTIONS}
    assert options == (set(VALUES) - {"world"}) | set(LEFT_OUT)
    assert not set(VALUES) & set(LEFT_OUT)


def test_every_deal_comes_once() -> None:
    for number, count in enumerate([2520, 282, 1680, 264, 2520]):
        deals = list(deals_of(made({"world": number, "kitty": 1 if number == 4 else 0})))
        assert len(deals) == len(set(deals)) == count, list(WORLDS)[number]


@pytest.mark.long
@pytest.mark.parametrize("seed", range(10))
def test_engine_and_model_agree_on_every_line_of_some_deals(seed: int) -> None:
    rng = Random(seed)
    chosen = None
    while chosen is None:
        chosen = _drawn({"world": seed % len(WORLDS)}, rng)
    rules = made(chosen)
    assert rules.pass_cycle == (HOLD,)
    count = explore(rules, every=len(list(deals_of(rules))) // 4)
    assert count.deals >= 4
    assert count.states > count.deals


@pytest.mark.parametrize(
    ("old", "new"),
    [
        pytest.param("        if same_suit:\n", "        if False:\n", id="nobody has to follow"),
        pytest.param(
            "    if not candidates:\n        return None\n    highest",
            "    candidates = list(plays)\n    highest",
            id="the highest card of any suit wins",
        ),
        pytest.param("        return last_trick\n", "        return False\n", id="the last trick brings no kitty"),
    ],
)
def test_a_model_with_a_fault_disagrees(old: str, new: str) -> None:
    source = Path(naive.__file__).read_text(encoding="utf-8")
    assert source.count(old) == 1
    faulty = ModuleType("naive with a fault")
    exec(compile(source.replace(old, new), "naive", "exec"), faulty.__dict__)
    rules = made({"world": 4, "kitty": 4, "opening_leader": 1, "opening_card": 4})
    assert rules.kitty.name == "LAST_TRICK"
    with pytest.raises(Disagreement):
        explore(rules, every=500, model=faulty.Model)
    assert explore(rules, every=500).deals == 6
