"""The two builds are compared: the installed package, if it is compiled, and its sources as they are.

Both are in this process, as two packages of one name that do not know of each other. Every value of the one is told by
its `repr`, which is Python and the same in both; the other evaluates it.
"""

from __future__ import annotations

import ast
import contextlib
import copy
import importlib
import inspect
import os
import pickle
import random
import shutil
import sys
from collections.abc import Iterator
from functools import reduce
from pathlib import Path
from types import GetSetDescriptorType, MemberDescriptorType, ModuleType
from typing import Any

import attrs
import pytest

import heartsrules
from heartsrules import (
    COMPILED,
    Card,
    Cards,
    ChooseMoon,
    ChoosingMoon,
    Deal,
    DealingBack,
    DealScore,
    Expose,
    Exposing,
    GameOver,
    Pass,
    Passing,
    Play,
    Playing,
    Rules,
    ScoreSheet,
    State,
    Trick,
    apply,
    deal,
    legal_moves,
    new_game,
)
from heartsrules.base.values import Value
from heartsrules.cards import NO_CARDS
from heartsrules.chance import RandomStream, SeededBits
from heartsrules.play.dealing import DealMoves
from heartsrules.play.lazy_moves import Choices
from heartsrules.play.legality import CardChoice
from heartsrules.play.state import MidDealPosition, PlayedDeal
from heartsrules.play.view_classes import SeenDeal
from heartsrules.rules import Moon
from heartsrules.views import PlayingView, view
from support import digests
from support.modules import MODULES, public
from support.random_play import reached
from support.rounds import rounds
from support.strategies import random_rules

ROUNDS = rounds(24)


def test_this_is_the_build_that_was_asked_for() -> None:
    wanted = os.environ.get("HEARTSRULES_BUILD")
    if wanted is None:
        pytest.skip("no build was asked for")
    assert (wanted == "compiled") == COMPILED


def test_editors_find_the_sources_with_the_types_beside_what_is_compiled() -> None:
    folder = Path(str(heartsrules.__file__)).parent
    assert (folder / "py.typed").exists()
    compiled = [path for path in folder.rglob("*") if path.suffix in (".so", ".pyd")]
    assert compiled or not COMPILED
    for path in compiled:
        tree = ast.parse(path.with_name(f"{path.name.partition('.')[0]}.py").read_text(encoding="utf-8"))
        functions = [node for node in tree.body if isinstance(node, ast.FunctionDef) and node.name[0] != "_"]
        assert all([node.returns is not None for node in functions]), path


def test_random_games_have_the_digest_that_they_have_in_the_other_build() -> None:
    assert digests.digest(digests.FEW) == digests.FILE.read_text().strip()


def test_the_digest_does_not_depend_on_the_number_of_processes_but_on_all_else() -> None:
    few = digests.digest(60, "x")
    assert digests.digest(60, "x", jobs=2) == few
    assert len({few, digests.digest(60, "y"), digests.digest(90, "x")}) == 3


@contextlib.contextmanager
def packages(modules: dict[str, ModuleType], folder: Path | None = None) -> Iterator[None]:
    """Let `heartsrules` mean these modules, or those in a folder, which are added to them."""
    mine = {name: sys.modules.pop(name) for name in list(sys.modules) if name.partition(".")[0] == "heartsrules"}
    sys.modules.update(modules)
    if folder is not None:
        sys.path.insert(0, str(folder))
    try:
        yield
    finally:
        if folder is not None:
            sys.path.remove(str(folder))
        for name in list(sys.modules):
            if name.partition(".")[0] == "heartsrules":
                modules[name] = sys.modules.pop(name)
        sys.modules.update(mine)


class Build:
    """One of the two builds."""

    def __init__(self, modules: dict[str, ModuleType]) -> None:
        self.modules = modules
        self.api: Any = modules["heartsrules"]
        with packages(modules):
            extra = [
                importlib.import_module(f"heartsrules.{name}")
                for name in ("analysis.playout", "analysis.policies", "analysis.rollouts", "views.worlds")
            ]
            self.names = importlib.import_module("heartsrules.testing.namespace").names()
            # The package imports each when it is first asked for.
            self.names.update({name: getattr(self.api, name) for name in self.api.__all__})
        for module in extra:
            self.names.update({name: getattr(module, name) for name in module.__all__})

    def value(self, text: str) -> Any:
        """What a `repr` of either build means here."""
        return eval(text, dict(self.names))

    def load(self, pickled: bytes) -> Any:
        with packages(self.modules):
            return pickle.loads(pickled)

    def text(self, value: object) -> str:
        """The value as text, for which more may be imported."""
        with packages(self.modules):
            return str(value)

    def dump(self, value: object) -> bytes:
        with packages(self.modules):
            return pickle.dumps(value)


@pytest.fixture(scope="module")
def builds(tmp_path_factory: pytest.TempPathFactory) -> tuple[Build, Build]:
    if not COMPILED:
        pytest.skip("there is only one build here: this package is not compiled")
    folder = tmp_path_factory.mktemp("interpreted")
    source = Path(str(heartsrules.__file__)).parent
    shutil.copytree(source, folder / "heartsrules", ignore=shutil.ignore_patterns("*.so", "*.pyd", "__pycache__"))
    modules: dict[str, ModuleType] = {}
    with packages(modules, folder):
        importlib.import_module("heartsrules")
    here = {name: module for name, module in sys.modules.items() if name.partition(".")[0] == "heartsrules"}
    compiled, interpreted = Build(here), Build(modules)
    # What was imported for it belongs here for good: a second copy would be another package to the next test.
    sys.modules.update(compiled.modules)
    assert compiled.api.COMPILED
    assert not interpreted.api.COMPILED
    assert compiled.api.Cards is not interpreted.api.Cards
    return compiled, interpreted


def fields_of(value: Any) -> list[str]:
    """The public attributes of a value: its parts, and its properties."""
    kind = type(value)
    named = [field.name for field in attrs.fields(kind)] if attrs.has(kind) else list(kind.__match_args__)
    # A compiled class has descriptors of its own kind for its attributes and properties.
    own = {
        name for cls in kind.__mro__ for name, what in vars(cls).items() if hasattr(what, "__get__") and name[0] != "_"
    }
    return [name for name in sorted({*named, *own}) if not callable(getattr(value, name))]


def same(one: Any, other: Any) -> None:
    """Both builds have the same value."""
    text = repr(one)
    assert text == repr(other)
    if isinstance(one, (tuple, list)):
        assert len(one) == len(other)


def compare(one: Any, other: Any, builds: tuple[Build, Build]) -> None:
    """Every attribute, hash, repr, pickle and copy of two values is the same, and neither can be changed."""
    same(one, other)
    assert type(one).__name__ == type(other).__name__
    names = sorted({*fields_of(one), *fields_of(other)} - {"tables"})
    for name in names:
        same(getattr(one, name), getattr(other, name))
    assert hash(one) == hash(other)
    compiled, interpreted = builds
    there, back = interpreted.load(compiled.dump(one)), compiled.load(interpreted.dump(other))
    assert (there, back) == (other, one)
    assert (copy.copy(one), copy.deepcopy(other)) == (one, other)
    for value in (one, other):
        parts = (
            type(value).__match_args__
            if not attrs.has(type(value))
            else [field.name for field in attrs.fields(type(value))]
        )
        for name in [*parts, "novel"]:
            with pytest.raises((AttributeError, TypeError)):
                setattr(value, name, None)
            with pytest.raises((AttributeError, TypeError)):
                delattr(value, name)
    if isinstance(one, Value):
        for name in type(one).__match_args__:
            with pytest.raises((AttributeError, TypeError)):
                object.__setattr__(one, name, None)


def values() -> list[Any]:
    """A value of each class that is sealed when interpreted, and native when compiled."""
    start = new_game(Rules(pass_cycle=(((1, 1),),), moon=Moon.CHOICE))
    passing = apply(start, deal(start, seed=1))
    assert isinstance(passing, Passing)
    state: Any = reached(passing, lambda state: isinstance(state, Playing) and bool(state.tricks))
    played = PlayedDeal(state.public, state.secrets)
    row = DealScore((0,) * 4, (0,) * 4, None, None, False, (13, 0, 0, 0), (0,) * 4)
    sheet = start.score_sheet.with_row(row)
    return [
        Card("QS"),
        Cards("QS KS"),
        NO_CARDS,
        Deal(passing.hands),
        state.passes[0],
        Expose(1, Cards("QS")),
        Play(3, Card("QS")),
        Play(12, Card("QS")),
        ChooseMoon(2, Moon.OTHERS_UP),
        played.tricks[0],
        MidDealPosition(0, (NO_CARDS,) * 4),
        state.start,
        state.public,
        state.secrets,
        played,
        start,
        passing,
        DealingBack(start.rules, start.score_sheet, passing.hands, NO_CARDS, state.passes),
        Exposing(state.start, state.secrets, passing.hands, (Expose(0, NO_CARDS), None, None, None)),
        state,
        ChoosingMoon(played, 0, row, row),
        GameOver(sheet, played, (0,)),
        row,
        sheet,
        CardChoice(start.rules, 0, NO_CARDS, NO_CARDS, (), 0, False),
        *views_of(start, passing, state, row),
    ]


def views_of(start: State, passing: Passing, state: Playing, row: DealScore) -> list[Any]:
    """A view of each class, and of each class inside one."""
    played = PlayedDeal(state.public, state.secrets)
    seen: Any = view(state, 0)
    return [
        seen,
        seen.own,
        SeenDeal(seen.public, seen.own),
        view(start, 0),
        view(passing, 0),
        view(DealingBack(start.rules, start.score_sheet, passing.hands, NO_CARDS, state.passes), 0),
        view(Exposing(state.start, state.secrets, passing.hands, (Expose(0, NO_CARDS), None, None, None)), 1),
        view(ChoosingMoon(played, 0, row, row), 2),
        view(GameOver(start.score_sheet.with_row(row), played, (0,)), 3),
    ]


def test_values_lists_every_class() -> None:
    assert {type(value) for value in values()} == {
        value
        for module in (
            "cards",
            "play.moves",
            "play.sheet",
            "play.public",
            "play.state",
            "play.legality",
            "play.view_classes",
        )
        for value in vars(importlib.import_module(f"heartsrules.{module}")).values()
        if isinstance(value, type) and issubclass(value, Value) and not value.__subclasses__()
    }


@pytest.mark.parametrize("value", values(), ids=lambda value: type(value).__name__)
def test_nothing_that_python_offers_changes_a_value(value: Any) -> None:
    kind = type(value)
    shown, number = repr(value), hash(value)
    # What the constructor sets, and what is kept once it was worked out: mypyc makes other descriptors, and no slots.
    attributes = [
        name
        for base in kind.__mro__
        for name, part in vars(base).items()
        if base is not object and isinstance(part, (MemberDescriptorType, GetSetDescriptorType))
    ]
    assert len(attributes) >= (2 if kind is Cards else len(kind.__match_args__))
    with pytest.raises((AttributeError, TypeError)):
        value.__class__ = Deal if kind is Pass else Pass
    for name in [*attributes, "novel"]:
        for part in (None, getattr(value, name, None)):
            with pytest.raises((AttributeError, TypeError)):
                setattr(value, name, part)
            with pytest.raises((AttributeError, TypeError)):
                value.__setattr__(name, part)
        with pytest.raises((AttributeError, TypeError)):
            delattr(value, name)
        with pytest.raises((AttributeError, TypeError)):
            value.__delattr__(name)
        # Interpreted, object's own methods reach the slots: docs/explanation/design.md says so.
        if COMPILED or name == "novel":
            with pytest.raises((AttributeError, TypeError)):
                object.__setattr__(value, name, None)
            with pytest.raises((AttributeError, TypeError)):
                object.__delattr__(value, name)
    assert not hasattr(value, "__dict__")
    assert (repr(value), hash(value)) == (shown, number)


@pytest.mark.parametrize(
    "kind", [*map(type, values()), DealMoves, Choices, RandomStream, SeededBits], ids=lambda kind: kind.__name__
)
def test_no_class_that_is_native_when_compiled_has_subclasses(kind: type) -> None:
    for body in ({}, {"__slots__": ()}, {"__init__": lambda _: None}):
        with pytest.raises(TypeError, match=f"^type '{kind.__name__}' is not an acceptable base type$"):
            type("Derived", (kind,), body)
    assert not hasattr(kind, "__internal_mypyc_setup")


def test_what_a_value_keeps_is_not_part_of_it() -> None:
    """Copies and pickles do not carry what was worked out, and it makes no value different."""
    for value, asked in zip(values(), values(), strict=True):
        hash(asked)
        if isinstance(asked, Playing):
            assert legal_moves(asked)
            assert asked.hands
        if isinstance(asked, PlayingView):
            assert asked.voids is asked.voids
        assert repr(asked) == repr(value)
        assert asked == value
        assert pickle.dumps(asked) == pickle.dumps(value)
        assert hash(pickle.loads(pickle.dumps(asked))) == hash(asked) == hash(asked)


def test_values_that_are_nested_deeply_can_be_freed() -> None:
    """CPython puts off the freeing of what lies fifty deep; where a class has no room for that, it spoils memory."""
    for value in values():
        written = pickle.dumps(value)
        for _ in range(4):
            nested: Any = None
            for _ in range(120):
                nested = (pickle.loads(written), nested)
            del nested
        assert pickle.loads(written) == value


OTHERS: dict[type, tuple[Any, ...]] = {
    Card: ("2H",),
    Cards: ("2H",),
    Deal: ((),),
    Pass: (3, ()),
    Play: (13, Card("2H")),
    ChooseMoon: (1, Moon.SHOOTER_DOWN),
    ScoreSheet: ((1, 2, 3), 7, ()),
}
"""Arguments of constructors that look at them; the others take anything."""


@pytest.mark.parametrize("value", values(), ids=lambda value: type(value).__name__)
def test_a_second_init_changes_nothing(value: Any) -> None:
    kind = type(value)
    shown, number = repr(value), hash(value)
    other = next((one for one in values() if type(one) is kind and one is not value), value)
    arguments = OTHERS.get(kind, tuple([getattr(other, name) for name in reversed(kind.__match_args__)]))
    for given in (arguments, ()):
        with contextlib.suppress(TypeError):
            value.__init__(*given)
        with contextlib.suppress(TypeError):
            kind.__init__(value, *given)
    assert (repr(value), hash(value)) == (shown, number)
    assert value == copy.deepcopy(value) == pickle.loads(pickle.dumps(value))


def test_there_is_one_object_for_each_card_and_play() -> None:
    assert Play(2, Card("AH")) is Play(2, Card("AH")) is Play(seat=2, card=Card(text="ah"))
    assert pickle.loads(pickle.dumps(Play(2, Card("AH")))) is Play(2, Card("AH"))
    assert Play(12, Card("AH")) is not Play(12, Card("AH"))
    assert Play(12, Card("AH")) == Play(12, Card("AH"))


def test_constructors_take_names_and_defaults_and_refuse_others() -> None:
    assert Trick(plays=(), winner=None, leader=2) == Trick(2, (), None)
    assert Deal(hands=()).kitty is NO_CARDS
    assert Cards(cards="2H") == Cards([Card("2H")])
    wrong: list[tuple[tuple[Any, ...], dict[str, Any]]] = [
        ((), {}),
        ((1, (), None, 4), {}),
        ((1, ()), {"novel": 3}),
        ((1, (), None), {"leader": 1}),
    ]
    for arguments, named in wrong:
        with pytest.raises(TypeError):
            Trick(*arguments, **named)


def refusal(build: Build, state: Any, move: Any) -> tuple[str, str]:
    try:
        build.api.apply(state, move)
    except build.api.IllegalMove as error:
        return repr(error.violations), build.text(error)
    return "", ""


def candidates(rng: random.Random, players: int) -> list[str]:
    """Moves, legal or not, as text."""
    cards = [f"{rank}{suit}" for rank in "23456789TJQKA" for suit in "CDSH"]
    found = [f"Play({rng.randrange(players + 1)}, Card('{rng.choice(cards)}'))" for _ in range(6)]
    found += [f"Pass({seat}, Cards('{' '.join(rng.sample(cards, rng.randint(1, 3)))}'))" for seat in range(2)]
    return [*found, "Pass(1)", "ChooseMoon(1, Moon.OTHERS_UP)", "ChooseMoon(0, Moon.CHOICE)"]


@pytest.mark.sampled(10)
@pytest.mark.parametrize("number", range(ROUNDS))
def test_both_builds_play_the_same_games(number: int, builds: tuple[Build, Build]) -> None:
    compiled, interpreted = builds
    rng = random.Random(f"builds {number}")
    rules = random_rules(rng)
    states = [build.api.new_game(build.value(repr(rules))) for build in builds]
    deals = 0
    while deals < 2:
        one, other = states
        compare(one, other, builds)
        kind = type(one).__name__
        if kind == "GameOver":
            break
        if kind in ("AwaitingDeal", "DealingBack"):
            deals += kind == "AwaitingDeal"
            moves = [build.api.deal(state, seed=number) for build, state in zip(builds, states, strict=True)]
        else:
            lists = [build.api.legal_moves(state) for build, state in zip(builds, states, strict=True)]
            assert len(lists[0]) == len(lists[1])
            index = rng.randrange(len(lists[0]))
            moves = [legal[index] for legal in lists]
        compare(moves[0], moves[1], builds)
        for text in rng.sample(candidates(rng, rules.players), 4):
            asked = [build.value(text) for build in builds]
            assert repr(compiled.api.why_illegal(one, asked[0])) == repr(interpreted.api.why_illegal(other, asked[1]))
            assert refusal(compiled, one, asked[0]) == refusal(interpreted, other, asked[1])
        seat = rng.randrange(rules.players)
        views = [build.api.view(state, seat) for build, state in zip(builds, states, strict=True)]
        same(*views)
        steps = [build.api.transition(state, move) for build, state, move in zip(builds, states, moves, strict=True)]
        same(*[step.events for step in steps])
        states = [step.state for step in steps]


WRONG = [
    "Card('QX')",
    "Cards('2H 2H 2H')",
    "Cards([Card('2H')] * 3)",
    "Cards('2H 2H') + Cards('2H')",
    "apply(new_game(Rules()), Play(0, Card('2C')))",
    "len(legal_moves(new_game(Rules())))",
    "deal(new_game(Rules()), seed=1, rng=RandomStream(1))",
    "deal_cards(new_game(Rules()), [Card('2C')])",
    "deal_cards(new_game(Rules()), 'QS')",
    "cut_for_deal(2, RandomStream(1))",
    "cut_for_deal(2**70, RandomStream(1))",
    "RandomStream(0, words=(-1, 0, 0, 0))",
    "RandomStream(0, words=(1, 2, 3))",
    "RandomStream(0, words=(0, 0, 0, 2**32))",
    "RandomStream.from_bits(-1)",
    "RandomStream.from_bits(2**64)",
    "RandomStream(1).below(0)",
    "RandomStream(1).below(2**65)",
    "RandomStream(1).getrandbits(65)",
    "rollouts(new_game(Rules()), RandomStream(1), 0)",
    "rollout_points([new_game(Rules()), 3], RandomStream(1))",
    "rollout_points([], RandomStream(1))",
    "playout(new_game(Rules()), RandomStream(1), deals=0)",
    "score_deal(Rules(), (), (), deal_number=True)",
    "score_deal(Rules(), (Cards(),) * 4, (0, 0, 0, 14))",
    "standings(Rules(), (1, 2))",
    "trick_winner(Rules(), [Play(0, Card('2C'))])",
    "legal_cards(Rules(), Cards('2C'), trick=Cards('3C'), first_trick=True, hearts_broken=False)",
    "replaced(new_game(Rules()), novel=1)",
    "view(new_game(Rules()), 9)",
    "[Card('2C')] + Cards('3C')",
    "(Card('2C'),) + Cards('3C')",
    "{Card('3C')} - Cards('3C')",
    "{Card('3C')} & Cards('3C')",
    "Cards('3C') + [Card('2C')]",
]


@pytest.mark.parametrize("text", WRONG)
def test_both_builds_refuse_the_same_with_the_same_errors(text: str, builds: tuple[Build, Build]) -> None:
    errors = []
    for build in builds:
        with pytest.raises(Exception) as caught:  # noqa: PT011 - which one it is, is what is compared
            build.value(text)
        errors.append(caught.value)
    one, other = errors
    assert type(one).__name__ == type(other).__name__
    assert builds[0].text(one) == builds[1].text(other)


LARGE = [
    "Rules(target=10**9, queen_points=10**5)",
    "Rules(bonuses=(Bonus(Card('JD'), 10**5),), no_tricks_bonus=10**5)",
    "score_deal(Rules(queen_points=10**5, moon=Moon.OFF), [Rules().deck] + [Cards()] * 3, (13, 0, 0, 0))",
    "score_deal(Rules(), [Rules().deck] + [Cards()] * 3, (13, 0, 0, 0), deal_number=999_999)",
    "score_deal(Rules(), [Rules().deck] + [Cards()] * 3, (13, 0, 0, 0), (10**30, -10**30, 2**62, 2**63))",
    "score_deal(Rules(heart_values=(10**5,) * 13, moon=Moon.OFF), [Rules().deck] + [Cards()] * 3, (13, 0, 0, 0))",
    "score_deal(Rules(moon_points=10**5, queen_points=0), [Rules().deck] + [Cards()] * 3, (13, 0, 0, 0))",
    "AwaitingDeal(Rules(), ScoreSheet((0,) * 4, 10**30), None).dealer",
    "deal(AwaitingDeal(Rules(), ScoreSheet((0,) * 4, 10**30), None), seed=1)",
    "standings(Rules(teams=2), (2**63, 2**63, 1, 1))",
    "display_score(Rules(score_display=ScoreDisplay.NEGATIVE), 2**80)",
]


@pytest.mark.parametrize("text", LARGE)
def test_numbers_may_be_large_in_both(text: str, builds: tuple[Build, Build]) -> None:
    same(*[build.value(text) for build in builds])


def test_playouts_come_to_the_same_in_both(builds: tuple[Build, Build]) -> None:
    rng = random.Random("playouts")
    for number in range(150):
        text = repr(random_rules(rng))
        ends = []
        for build in builds:
            stream = build.names["RandomStream"](number)
            state = build.names["playout"](build.api.new_game(build.value(text)), stream, deals=3)
            many = build.names["rollouts"](build.api.new_game(state.rules), stream, 2)
            watchful = build.names["rollout_points"](
                build.api.new_game(state.rules), stream, 2, policy=build.names["Watchful"]()
            )
            ends.append((repr(state), repr(many), repr(watchful), repr(stream)))
        assert ends[0] == ends[1]


NOT_CONSTANT = {
    ("heartsrules.play.moves.Deal", "kitty"),
    ("heartsrules.play.state.MidDealPosition", "set_aside"),
    ("heartsrules.play.stateless.why_illegal_deal", "kitty"),
    ("heartsrules.play.view_classes.OwnKnowledge", "passed"),
    ("heartsrules.play.view_classes.OwnKnowledge", "received"),
}
"""Arguments whose default is a bag of cards. Of what is written in C, CPython reads constants alone: it tells `...`."""


def told(value: Any) -> tuple[str | None, list[tuple[str, Any, str]]]:
    """What `help` shows: the docstring, and the name, kind and default of each argument.

    Annotations are left out, and `self`: what is written in C has none, and `self` cannot be given by name there.
    Nobody calls a protocol, and the first versions of Python 3.11 tell another signature of it.
    """
    called = callable(value) and not getattr(value, "_is_protocol", False)
    arguments = inspect.signature(value).parameters.values() if called else ()
    return inspect.getdoc(value) or None, [
        (each.name, each.kind, repr(each.default)) for each in arguments if each.name not in ("self", "cls")
    ]


def test_help_tells_the_same_in_both(builds: tuple[Build, Build]) -> None:
    folder = Path(str(heartsrules.__file__)).parent
    in_c = {path.name.partition(".")[0] for kind in ("so", "pyd") for path in folder.rglob(f"*.{kind}")}
    compiled = [name for name in MODULES if name.rpartition(".")[2] in in_c]
    assert "heartsrules.play.engine" in compiled
    different = set()
    for name in compiled:
        found = []
        for build in builds:
            with packages(build.modules):
                found.append(importlib.import_module(name))
        one, other = found
        assert inspect.getdoc(one) == inspect.getdoc(other)
        for part, value in public(other):
            place = f"{name}.{part}"
            text, arguments = told(reduce(getattr, part.split("."), one))
            expected, wanted = told(value)
            assert text == expected, place
            assert [argument[:2] for argument in arguments] == [argument[:2] for argument in wanted], place
            pairs = zip(arguments, wanted, strict=True)
            different |= {(place, argument[0]) for argument, default in pairs if argument != default}
    assert different == NOT_CONSTANT
