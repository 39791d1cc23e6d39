"""What the type checkers must say: revealed types, exhaustive matches, lines that must not type-check, and typed pages.

A line that must fail carries an ignore comment; each checker reports one that it does not need.
"""

# pyright: reportUnnecessaryTypeIgnoreComment=true

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Never, assert_never, assert_type

import attrs
import pytest

from heartsrules import (
    AwaitingDeal,
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
    IllegalMove,
    Move,
    Pass,
    Passing,
    Play,
    PlayedDeal,
    Playing,
    Rules,
    Standing,
    State,
    Suit,
    View,
    Violation,
    apply,
    deal,
    is_legal,
    legal_cards,
    legal_moves,
    new_game,
    pass_options,
    score_deal,
    standings,
    to_act,
    trick_winner,
    view,
    why_illegal,
    why_illegal_card,
    winning_seat,
)
from heartsrules.play.events import Event
from heartsrules.play.game import Game, moves_of
from heartsrules.play.passing import PassOptions
from heartsrules.play.violations import (
    AlreadyPassed,
    GameIsOver,
    MustFollowSuit,
    NoSuchSeat,
    NotYourTurn,
    TooManyDeals,
    WrongPhase,
)
from heartsrules.rules import HOLD, Tie
from heartsrules.setup import set_up
from heartsrules.views import (
    AwaitingDealView,
    ChoosingMoonView,
    DealingBackView,
    ExposingView,
    GameOverView,
    PassingView,
    PlayingView,
)

pytestmark = pytest.mark.once_interpreted

ROOT = Path(__file__).resolve().parents[2]


def test_the_functions_have_these_types() -> None:
    start = assert_type(new_game(Rules()), State)
    state = assert_type(apply(start, assert_type(deal(start), Deal)), State)
    assert_type(deal(start, seed=1), Deal)
    assert_type(deal(start, rng=Random(1)), Deal)
    assert_type(to_act(state), frozenset[int])
    moves = assert_type(legal_moves(state), Sequence[Move])
    assert_type(is_legal(state, moves[0]), bool)
    assert_type(why_illegal(state, moves[0]), tuple[Violation, ...])
    hand = Cards("2C QS")
    assert_type(legal_cards(Rules(), hand, first_trick=False, hearts_broken=False), Cards)
    assert_type(hand + hand.distinct() - hand & hand, Cards)
    assert_type(
        why_illegal_card(Rules(), hand, Card("QS"), first_trick=False, hearts_broken=False), tuple[Violation, ...]
    )
    trick = [Play(seat, card) for seat, card in enumerate(Cards("2C 3C 4C 5C"))]
    assert_type(trick_winner(Rules(), trick), int | None)
    assert_type(winning_seat(Rules(), trick[:2]), int | None)
    seen = view(state, 0)
    assert isinstance(seen, PassingView)
    assert_type(pass_options(seen, [Cards()]), PassOptions)
    game = assert_type(Game.of(state), Game)
    assert_type(game.back().step(game.moves[-1]), tuple[Game, tuple[Event, ...]])
    assert_type(game.back().forward(), Game)
    assert_type(moves_of(state), tuple[Move, ...])
    row = assert_type(score_deal(Rules(), [Rules().deck, Cards(), Cards(), Cards()], (13, 0, 0, 0)), DealScore)
    assert_type(row.totals, tuple[int, ...])
    assert_type(standings(Rules(), row.totals), tuple[Standing, ...])
    assert_type(attrs.evolve(Rules(), target=50), Rules)
    assert_type([card for card in hand], list[Card])  # noqa: C416
    assert_type(hand + hand, Cards)
    assert isinstance(start, AwaitingDeal)
    assert_type(start.last_deal, PlayedDeal | None)


def check_the_moves_of_each_phase(state: State, seen: View) -> None:
    """`legal_moves` is known to give one kind of move in each phase, for states and views."""
    assert_type(legal_moves(state), Sequence[Move])
    assert_type(legal_moves(seen), Sequence[Move])
    assert_type(legal_moves(state, 2), Sequence[Move])
    match state:
        case AwaitingDeal():
            assert_type(legal_moves(state), Sequence[Deal])
        case Passing():
            assert_type(legal_moves(state), Sequence[Pass])
        case DealingBack():
            assert_type(legal_moves(state), Sequence[Deal])
        case Exposing():
            assert_type(legal_moves(state), Sequence[Expose])
        case Playing():
            assert_type(legal_moves(state), Sequence[Play])
            assert_type(legal_moves(state, seat=2), Sequence[Play])
        case ChoosingMoon():
            assert_type(legal_moves(state), Sequence[ChooseMoon])
        case GameOver():
            assert_type(legal_moves(state), Sequence[Never])
    match seen:
        case AwaitingDealView() | DealingBackView() | GameOverView():
            assert_type(legal_moves(seen), Sequence[Never])
        case PassingView():
            assert_type(legal_moves(seen), Sequence[Pass])
        case ExposingView():
            assert_type(legal_moves(seen), Sequence[Expose])
        case PlayingView():
            assert_type(legal_moves(seen), Sequence[Play])
            assert_type(legal_moves(seen)[0].card, Card)
        case ChoosingMoonView():
            assert_type(legal_moves(seen), Sequence[ChooseMoon])


def describe_state(state: State) -> str:
    match state:
        case AwaitingDeal():
            return "deal"
        case Passing():
            return "pass"
        case DealingBack():
            return "deal back"
        case Exposing():
            return "expose"
        case Playing():
            return "play"
        case ChoosingMoon():
            return "moon"
        case GameOver():
            return "over"
        case _:
            assert_never(state)


def describe_move(move: Move) -> str:
    match move:
        case Deal(hands, kitty):
            assert_type(hands, tuple[Cards, ...])
            return f"deal with a kitty of {len(kitty)}"
        case Pass(seat, gifts):
            assert_type(gifts, tuple[Cards, ...])
            return f"{seat} passes"
        case Expose(seat, cards):
            assert_type(cards, Cards)
            return f"{seat} shows {len(cards)}"
        case Play(seat, card):
            assert_type(card, Card)
            return f"{seat} plays {card}"
        case ChooseMoon(seat, effect):
            return f"{seat} chooses {effect}"
        case _:
            assert_never(move)


def describe_violation(violation: Violation) -> str:
    match violation:
        case GameIsOver() | WrongPhase() | TooManyDeals() | NoSuchSeat() | NotYourTurn() | AlreadyPassed():
            return "not now"
        case MustFollowSuit(card, suit, count):
            assert_type(card, Card)
            assert_type(suit, Suit)
            return f"{count} cards of {suit} in the hand"
        case _:
            return violation.code


def test_matches_are_exhaustive() -> None:
    start = new_game(Rules())
    move = deal(start, seed=1)
    passing = apply(start, move)
    for state in (start, passing):
        check_the_moves_of_each_phase(state, view(state, 0))
    assert (describe_state(start), describe_state(passing)) == ("deal", "pass")
    assert describe_move(move) == "deal with a kitty of 0"
    assert describe_move(legal_moves(passing)[0]) == "0 passes"
    assert describe_move(Play(2, Card("AH"))) == "2 plays AH"
    (violation,) = why_illegal(passing, Play(2, Card("AH")))
    assert describe_violation(violation) == "not now"


def test_lines_that_must_not_type_check() -> None:
    state = new_game(Rules())
    with pytest.raises(AttributeError):
        state.scores = (1, 2, 3, 4)  # type: ignore[misc]
    with pytest.raises(AttributeError):
        Card("QS").index = 3  # type: ignore[misc]
    with pytest.raises(TypeError):
        Rules(4)  # type: ignore[call-arg]
    with pytest.raises(TypeError):
        Rules(players="4")  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        Play("0", Card("QS"))  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        Play(0, 36)  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        Pass(0, 36)  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        Pass(0, [Cards("QS KS KH")])  # type: ignore[list-item]
    with pytest.raises(TypeError):
        Rules(moon=1)  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        Rules(moon=Tie.SHARED)  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        deal(state, seed=1, rng=Random(1))  # type: ignore[call-overload]
    with pytest.raises(TypeError):
        set_up(Rules())  # type: ignore[call-arg]
    with pytest.raises(AttributeError):
        state.hands  # type: ignore[union-attr]  # noqa: B018
    with pytest.raises(TypeError):
        IllegalMove()  # type: ignore[call-arg]
    with pytest.raises(TypeError):
        Cards("QS") - Card("QS")  # type: ignore[operator]


def test_a_view_offers_no_secrets() -> None:
    start = new_game(Rules(pass_cycle=[HOLD]))
    state = apply(start, deal(start, seed=1))
    seen = view(state, 0)
    assert isinstance(seen, PlayingView)
    with pytest.raises(AttributeError):
        seen.secrets  # type: ignore[attr-defined]  # noqa: B018
    with pytest.raises(AttributeError):
        seen.hands  # type: ignore[attr-defined]  # noqa: B018
    with pytest.raises(AttributeError):
        seen.passes  # type: ignore[attr-defined]  # noqa: B018
    with pytest.raises(AttributeError):
        seen.public.secrets  # type: ignore[attr-defined]  # noqa: B018
    with pytest.raises(AttributeError):
        seen.public.hands  # type: ignore[attr-defined]  # noqa: B018


def code_of(page: Path) -> str:
    """The code of a page as one module: its blocks in their order, examples as the statements that they are."""
    blocks = re.findall(r"^```python\n(.*?)^```", page.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)
    code = []
    for block in blocks:
        lines = block.splitlines()
        if block.startswith(">>> "):
            lines = [line[4:] for line in lines if line.startswith((">>> ", "... ")) or line in (">>>", "...")]
        code += [*lines, ""]
    return "\n".join(code)


@pytest.mark.types
@pytest.mark.parametrize(
    "checker", [["mypy", "--strict"], ["pyright", "--pythonpath", sys.executable]], ids=lambda command: command[0]
)
def test_the_bots_of_the_how_to_are_typed_as_they_are_written(checker: list[str], tmp_path: Path) -> None:
    code = code_of(ROOT / "docs" / "how-to" / "write-a-bot.md")
    right, wrong = tmp_path / "right.py", tmp_path / "wrong.py"
    right.write_text(code, encoding="utf-8")
    # A bot that asks passes for their card: what is wrong with it must be found.
    wrong.write_text(code.replace("isinstance(view, PlayingView)", "view.phase is Phase.PASS"), encoding="utf-8")
    command = [sys.executable, "-m", *checker, str(right), str(wrong)]
    run = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    found = re.findall(r"(right|wrong)\.py:\d+:.*\berror\b", run.stdout)
    assert set(found) == {"wrong"}, run.stdout + run.stderr


@pytest.mark.types
@pytest.mark.parametrize(
    "checker", [["mypy", "--strict"], ["pyright", "--pythonpath", sys.executable]], ids=lambda command: command[0]
)
def test_the_first_programs_are_typed_as_they_are_written(checker: list[str], tmp_path: Path) -> None:
    """Elsewhere than in the repository, as a user: without its settings."""
    tutorial = (ROOT / "docs" / "tutorial.md").read_text(encoding="utf-8")
    (saved,) = re.findall(r"^```python\n((?!>>>).*?)^```", tutorial, flags=re.MULTILINE | re.DOTALL)
    (tmp_path / "hearts.py").write_text(saved, encoding="utf-8")
    (tmp_path / "readme.py").write_text(code_of(ROOT / "README.md"), encoding="utf-8")
    typed = code_of(ROOT / "docs" / "tutorial.md").replace(saved, "")
    (tmp_path / "tutorial.py").write_text(typed, encoding="utf-8")
    (tmp_path / "loop.py").write_text(LOOP, encoding="utf-8")
    programs = ["hearts.py", "readme.py", "tutorial.py", "loop.py"]
    command = [sys.executable, "-m", *checker, *programs]
    run = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert not run.returncode, run.stdout + run.stderr


LOOP = """\
import heartsrules as hearts

state = hearts.new_game(hearts.Rules(moon="choice", max_deals=1))
while not isinstance(state, hearts.GameOver):
    if not hearts.to_act(state):
        state = hearts.apply(state, hearts.deal(state))
        continue
    seat = min(hearts.to_act(state))
    seen = hearts.view(state, seat)
    state = hearts.apply(state, hearts.legal_moves(seen)[0])
print(state.winners)
"""
"""The loop that every program writes."""


WRONG = """\
from heartsrules import Card, Cards, Play, Rules, apply, deal, is_legal, legal_cards, legal_moves, new_game, view
from heartsrules.analysis.endings import decided

state = new_game(Rules())
legal_moves(3)
legal_moves(state, "1")
apply(state, "x")
apply("x", deal(state))
is_legal(state, 1)
view(state, "1")
Play("0", Card("QS"))
Play(0, 36)
Card(3)
Cards("QS").count("QS")
"QS" in Cards("QS")
legal_cards(Rules(), 3, first_trick=1)
deal("x")
decided(None)
reveal_type(apply)
reveal_type(legal_moves)
reveal_type(Play)
"""
"""A user's program; every line from `legal_moves(3)` on must be reported."""


@pytest.mark.types
@pytest.mark.parametrize(
    "checker", [["mypy", "--strict"], ["pyright", "--pythonpath", sys.executable]], ids=lambda command: command[0]
)
def test_messages_for_users_name_only_types_that_they_know(checker: list[str], tmp_path: Path) -> None:
    program = tmp_path / "program.py"
    program.write_text(WRONG, encoding="utf-8")
    # Elsewhere than in the repository, as a user: without its settings.
    command = [sys.executable, "-m", *checker, program.name]
    run = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    reported = {int(line) for line in re.findall(r"program\.py:(\d+):", run.stdout)}
    lines = WRONG.splitlines()
    assert reported == set(range(lines.index("legal_moves(3)") + 1, len(lines) + 1)), run.stdout + run.stderr
    # In a parameter; `Sequence[Never]` is what a game that is over has for moves.
    assert not re.search(r"Unchecked|_nothing_is_one_of_these|\| Never|Never \|", run.stdout), run.stdout
