"""Games on the whole screen, played by keys and mouse through Textual's pilot."""

from __future__ import annotations

import asyncio
import io
import itertools
import re
import sys
import threading
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import attrs
import pytest
import typer
from rich.text import Text
from textual.pilot import Pilot
from textual.widgets import Static
from typer.testing import CliRunner

from heartsrules import Card, Cards, Deal, Expose, GameOver, Move, Pass, Passing, Play, Playing, Rules, presets
from heartsrules.analysis import Theme, drills, review
from heartsrules.apps.command_line import app
from heartsrules.apps.command_line.play import _play_on_full_screen
from heartsrules.apps.terminal import sitting as sitting_module
from heartsrules.apps.terminal.drawing import Pen
from heartsrules.apps.terminal.full_screen import Ending, FullScreen, Hand, Sheet
from heartsrules.apps.terminal.keeping import Keeper
from heartsrules.apps.terminal.picture import DARK, LIGHT, Frame, hand_places, table_picture
from heartsrules.apps.terminal.screen import Screen
from heartsrules.apps.terminal.seating import seat_players
from heartsrules.apps.terminal.sitting import Sitting
from heartsrules.apps.terminal.words import ENGLISH, Phrases
from heartsrules.base.files import LockedFile
from heartsrules.bots import BOTS
from heartsrules.formats.notation import parse_record
from heartsrules.play.game import Game, verify
from heartsrules.rules import HOLD, Bonus, Exposure, Kitty, Moon, PassOptional, Tie, left, scatter
from heartsrules.views import PassingView, PlayingView
from support.terminal_players import PtyGame, cards_in, english_in, known_cards

SUITS = {suit: " ".join(f"{rank}{suit}" for rank in "23456789TJQKA") for suit in "CDSH"}
SMALL, LARGE = (80, 24), (120, 40)


def short(rules: Rules, deals: int = 1) -> Rules:
    """The same game for so many deals."""
    return attrs.evolve(rules, max_deals=deals, tie=Tie.SHARED)


def clubs(**fields: Any) -> Game:
    """A deal in which seat 0 holds all clubs, and takes every trick."""
    rules = attrs.evolve(Rules(pass_cycle=(HOLD,), max_deals=1, tie=Tie.SHARED), **fields)
    return Game.start(rules).play(Deal([Cards(SUITS[suit]) for suit in "CDSH"], Cards()))


class Table:
    """A game on the whole screen, and the one who plays it."""

    def __init__(self, pilot: Pilot[Ending], app: FullScreen) -> None:
        self.pilot = pilot
        self.app = app

    async def settle(self) -> None:
        """Wait until the others have played, and everything is drawn."""
        await self.app.workers.wait_for_complete()
        await self.pilot.pause()

    async def press(self, *keys: str) -> None:
        """Press keys, each when what the last one has started is done."""
        for key in keys:
            await self.pilot.press(key)
            await self.settle()

    async def choose(self, *cards: str) -> None:
        """Choose cards of the hand that are to be passed or shown."""
        held = list(self.app.hand)
        for card in cards:
            self.app.cursor = held.index(Card(card))
            await self.press("space")

    async def play(self, card: str) -> None:
        """Go to a card by its suit and the arrows, and play it."""
        self.app.cursor = list(self.app.hand).index(Card(card))
        await self.press("enter")

    @property
    def sheet(self) -> str:
        """What there is to read above the table; empty: nothing."""
        if not isinstance(self.app.screen, Sheet):
            return ""
        told = [line.plain if isinstance(line, Text) else "" for line in self.app.screen.lines]
        return "\n".join([self.app.screen.heading, *told, self.app.screen.foot])

    @property
    def said(self) -> str:
        """What is said about the move."""
        return "\n".join([line.plain for line in self.app.notes if isinstance(line, Text)])

    @property
    def told(self) -> str:
        """What has happened."""
        return "\n".join([line.plain for line in self.app.log_lines if isinstance(line, Text)])

    @property
    def asked(self) -> str:
        """What is asked for."""
        return str(self.app.screen_stack[0].query_one("#asked", Static).render())

    @property
    def picture(self) -> str:
        """Everything on the screen."""
        rows = self.app.screen._compositor.render_strips()
        return "\n".join(["".join([segment.text for segment in row]) for row in rows])


def played(
    game: Game,
    play: Callable[[Table], Awaitable[None]],
    *,
    size: tuple[int, int] = SMALL,
    bots: str = "uniform",
    keeper: Keeper | None = None,
    language: str = "en",
) -> FullScreen:
    """Play a game; the application as it is afterwards."""
    rules = game.rules
    seating = seat_players(rules, ["You"], [bots])
    app = FullScreen(Sitting(game, seating, "a table", keeper), pace=0, words=Phrases(language))

    async def run() -> None:
        async with app.run_test(size=size) as pilot:
            table = Table(pilot, app)
            await table.settle()
            await play(table)

    asyncio.run(run())
    return app


@pytest.fixture(autouse=True)
def _few_worlds(monkeypatch: pytest.MonkeyPatch) -> None:
    """Hints look at so many worlds, not at the clock."""
    monkeypatch.setattr(sitting_module, "_WORLDS", 3)
    monkeypatch.setattr(sitting_module, "_SECONDS", None)


async def whole_game(table: Table) -> None:
    """Play to the end, whatever comes; nothing is shown that the player may not know."""
    app = table.app
    for _ in range(400):
        game = app.sitting.game
        leaked = cards_in(table.picture) - known_cards(game, 0)
        assert not leaked, table.picture
        if isinstance(app.screen, Sheet):
            over = isinstance(game.state, GameOver)
            await table.press("1" if "1" in app.screen.keys else "enter")
            if over:
                return
        elif isinstance(game.state, Passing):
            assert isinstance(app.seen, PassingView)
            need = sum([count for _, count in app.seen.plan])
            for _ in range(need):
                await table.press("space", "right")
            await table.press("enter")
        else:
            await table.press("enter")
    raise AssertionError("the game has not ended")


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    ("rules", "size"),
    [
        (short(presets.partner_hearts()), LARGE),
        (short(presets.gong_zhu(5)), SMALL),
        (short(presets.dicegamedepot_cancellation(11)), (70, 20)),
    ],
    ids=["teams", "shown cards", "eleven players"],
)
def test_whole_games_show_nothing_that_is_hidden(rules: Rules, size: tuple[int, int]) -> None:
    app = played(Game.start(rules), whole_game, size=size)
    assert app.return_value == "over"
    assert isinstance(app.sitting.game.state, GameOver)


@pytest.mark.long
def test_a_large_screen_has_score_sheet_rules_and_log_beside_the_table() -> None:
    async def look(table: Table) -> None:
        papers = [table.app.query_one(f"#{name}") for name in ("score", "rules", "log")]
        game = table.app.query_one("#game")
        for paper in papers:
            assert paper.region.x >= game.region.right
            assert paper.region.height > 2
        assert all([paper.region.bottom <= below.region.y for paper, below in itertools.pairwise(papers)])
        assert game.region.width >= 70
        for text in ("The score sheet", "What is special about the rules", "What has happened"):
            assert text in table.picture

    async def look_at_little(table: Table) -> None:
        assert not table.app.query_one("#score").display
        assert "The score sheet" not in table.picture

    played(clubs(), look, size=LARGE)
    played(clubs(), look_at_little, size=SMALL)


@pytest.mark.long
def test_a_whole_game_in_german_has_no_english_word_on_the_screen() -> None:
    seen: set[str] = set()

    async def play(table: Table) -> None:
        for key in ("question_mark", "i", "s", "l", "p", "t"):
            await table.press(key)
            seen.update(english_in(table.picture))
            await table.press("enter")
        await table.press("h")
        for _ in range(60):
            seen.update(english_in(table.picture))
            over = isinstance(table.app.sitting.game.state, GameOver)
            await table.press("w", "enter")
            if over:
                return

    app = played(clubs(), play, size=LARGE, language="de")
    assert app.return_value == "over"
    assert seen == set()


@pytest.mark.long
def test_keys_review_and_drill_the_deal_that_is_over(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sitting_module, "review", lambda game, seat, **rest: review(game, seat, worlds=4, **rest))
    drill = next(each for each in drills() if each.theme is Theme.QUEEN)
    monkeypatch.setattr(sitting_module, "drills_of", lambda _, **__: [drill, drill])

    async def play(table: Table) -> None:
        while not table.sheet:
            await table.press("enter")
        end = table.sheet
        await table.press("v")
        assert "What cost something" in table.sheet
        await table.press("enter")
        assert table.sheet == end
        await table.press("e")
        assert table.sheet.startswith("Drill 1 of 2: the queen")
        await table.press("1")
        assert "Right: " in table.sheet or "Wrong: " in table.sheet
        await table.press("enter")
        assert table.sheet.startswith("Drill 2 of 2")
        await table.press("escape")
        assert table.sheet == end
        monkeypatch.setattr(sitting_module, "drills_of", lambda _, **__: [])
        await table.press("e")
        assert "No mistake of this deal can be asked for." in table.sheet
        await table.press("enter", "enter")

    assert played(clubs(), play).return_value == "over"


@pytest.mark.long
def test_who_waits_no_longer_goes_back_to_the_sheet(monkeypatch: pytest.MonkeyPatch) -> None:
    begun, given_up = threading.Event(), threading.Event()

    def slow(game: Game, _: int, *, progress: Callable[[int, int], None]) -> None:
        progress(1, game.ply)
        begun.set()
        assert given_up.wait(60)
        progress(2, game.ply)

    monkeypatch.setattr(sitting_module, "review", slow)

    async def play(table: Table) -> None:
        while not table.sheet:
            await table.press("enter")
        end = table.sheet
        await table.pilot.press("v")
        await asyncio.to_thread(begun.wait, 60)
        await table.pilot.press("escape")
        given_up.set()
        await table.settle()
        assert table.sheet == end

    played(clubs(), play)


@pytest.mark.long
def test_the_record_is_kept_and_goes_on(tmp_path: Path) -> None:
    rules = short(presets.cardstock())
    path = tmp_path / "game.txt"
    file = LockedFile(path)
    keeper = Keeper(file, seat_players(rules, ["You"], ["uniform"]), "a table")

    async def some(table: Table) -> None:
        await table.press("enter", "enter", "q")

    first = played(Game.start(rules), some, keeper=keeper)
    assert first.return_value == "left"
    record = parse_record(path.read_text(encoding="utf-8"))
    assert record.moves == first.sitting.game.moves
    game = Game.start(rules)
    for move in record.moves:
        game = game.play(move)
    played(game, whole_game, keeper=keeper)
    file.close()
    verdict = verify(parse_record(path.read_text(encoding="utf-8")))
    assert verdict.valid
    assert verdict.finished


HANDS = (
    "2C 9C KC 3D JD 5S QS KS 4H 7H QH KH AH",
    "3C 4C 5C 6C 7C 8C 2D 4D 5D 2S 3S 2H 3H",
    "TC JC QC 6D 7D 8D 9D 4S 6S 7S 5H 6H 8H",
    "AC TD QD KD AD 8S 9S TS JS AS 9H TH JH",
)


def dealt(rules: Rules) -> Game:
    """The first deal of a game, always the same."""
    return Game.start(rules).play(Deal([Cards(hand) for hand in HANDS], Cards()))


def test_cards_are_chosen_to_be_passed() -> None:
    async def play(table: Table) -> None:
        assert table.asked == "Pass 3 cards to Bot 1 (left)."
        assert "gets 3" in table.picture
        assert "gives 3" in table.picture
        await table.press("enter")
        assert table.said == "0 cards, but this deal takes 3 cards for Bot 1 (left)."
        await table.choose("QS", "KS", "AH")
        assert table.asked == "Pass 3 cards to Bot 1 (left): Q♠ K♠ A♥ to Bot 1 (left)"
        await table.choose("2C")
        assert table.said == "You pass 3 cards: Enter passes them, Space puts one back."
        await table.choose("AH", "KC")
        await table.press("enter")
        assert "You pass K♣ Q♠ K♠ to Bot 1 (left)." in table.told
        assert isinstance(table.app.sitting.game.state, Playing)

    game = played(dealt(Rules()), play).sitting.game
    assert Pass(0, (Cards("KC QS KS"),)) in game.moves


def test_gifts_are_filled_in_their_order_and_cards_may_be_barred() -> None:
    async def play(table: Table) -> None:
        await table.choose("QS")
        assert table.said == "Q♠ may not be passed under these rules."
        await table.press("w")
        assert table.said == "Q♠ may not be passed under these rules."
        await table.choose("AH", "2C", "KC")
        assert table.asked.endswith("A♥ to Bot 1 (left), 2♣ to Bot 2 (across), K♣ to Bot 3 (right)")
        await table.press("w")
        assert table.said == "K♣ may be passed."
        await table.press("enter")

    game = played(dealt(Rules(pass_cycle=(scatter(4),), unpassable=Cards("QS"))), play).sitting.game
    assert Pass(0, (Cards("AH"), Cards("2C"), Cards("KC"))) in game.moves


def test_a_player_may_decline() -> None:
    async def play(table: Table) -> None:
        await table.press("d")

    declining = Rules(pass_cycle=(left(),), pass_optional=PassOptional.UNANIMOUS)
    assert Pass(0, ()) in played(dealt(declining), play).sitting.game.moves
    assert played(dealt(Rules()), play).sitting.game.ply == 4


def test_cards_are_shown() -> None:
    rules = Rules(exposable="QS JD AH", exposure=Exposure.TOGETHER, pass_cycle=(HOLD,), bonuses=[Bonus(Card("JD"), 10)])

    async def play(table: Table) -> None:
        assert table.asked == "Cards to show: none"
        await table.choose("2C")
        assert "may not be shown" in table.said
        await table.press("w")
        assert table.said == "2♣ may not be shown under these rules."
        await table.choose("QS", "JD", "QS")
        assert table.asked == "Cards to show: J♦"
        await table.press("enter")
        assert "You showed J♦." in table.told
        assert "[J♦" in table.picture

    assert Expose(0, Cards("JD")) in played(dealt(rules), play).sitting.game.moves


def test_keys_and_reasons_while_cards_are_played() -> None:
    async def play(table: Table) -> None:
        assert table.asked == "You lead."
        await table.press("down", "enter")
        assert table.said == "3D may not open: the first lead of the deal must be the lowest club of the hand."
        await table.press("down", "w")
        assert table.said.startswith("5S may not open")
        await table.press("up", "up", "w")
        assert table.said == "2♣ may be played."
        await table.press("left", "right", "enter")
        assert "Trick 1: You 2♣" in table.told
        assert " were led, and Bot 3 would win the trick." in table.asked
        assert "trick 2 of 13" in table.picture
        assert "★" in table.picture

    played(dealt(Rules(pass_cycle=(HOLD,))), play)


def test_undo_and_redo() -> None:
    async def play(table: Table) -> None:
        app = table.app
        await table.press("u")
        assert table.said == "There is no move of yours to take back."
        await table.press("enter", "enter")
        game = app.sitting.game
        await table.press("u")
        assert "Taken back: " in table.told
        assert app.sitting.game != game
        await table.press("r")
        assert "Made again: " in table.told
        assert app.sitting.game == game
        await table.press("r")
        assert app.sitting.game == game

    played(dealt(Rules(pass_cycle=(HOLD,))), play)


@pytest.mark.long
def test_the_moon_and_the_end_of_the_game() -> None:
    async def play(table: Table) -> None:
        app = table.app
        assert "x takes them all" in table.said
        await table.press("x")
        assert "1 = others-up: You +0, Bot 1 +26" in table.sheet.replace("\ue000", " ")
        await table.press("h")
        assert "points expected" in table.sheet
        await table.press("2")
        assert "The game is over\nWon by: You" in table.sheet
        assert "The deal is over: You -26" in table.told
        await table.press("u")
        assert table.sheet.startswith("Deal 1: You shot the moon")
        await table.press("u")
        assert table.sheet == ""
        assert list(app.hand) == [Card("AC")]
        await table.press("r")
        await table.press("1")
        assert "The deal is over: You +0, Bot 1 +26" in table.told
        await table.press("u", "r")
        assert "The game is over" in table.sheet
        await table.press("r")
        assert "The game is over" in table.sheet, "nothing is taken back, so there is nothing to make again"
        await table.press("enter")

    app = played(clubs(moon=Moon.CHOICE), play)
    assert app.return_value == "over"


@pytest.mark.long
def test_the_choice_of_the_moon_stays_in_sight() -> None:
    async def play(table: Table) -> None:
        await table.press("x", "r")
        assert table.sheet.startswith("Deal 1: You shot the moon"), "nothing is taken back"
        # The second key comes while the hint is being thought about.
        await table.pilot.press("h", "m")
        await table.settle()
        assert table.sheet.startswith("Deal 1: You shot the moon")
        await table.press("1")
        assert "The game is over" in table.sheet

    played(clubs(moon=Moon.CHOICE), play)


@pytest.mark.long
def test_a_match_of_two_deals_goes_on_after_the_sheet() -> None:
    async def play(table: Table) -> None:
        await table.press("x")
        assert "After deal 1" in table.sheet
        await table.press("u")
        assert table.sheet == ""
        await table.press("r")
        assert "After deal 1" in table.sheet
        await table.press("enter")
        assert table.app.sitting.game.state.deal_number == 1
        assert "Deal 2" in table.picture

    played(clubs(max_deals=2), play)


@pytest.mark.long
@pytest.mark.sampled(9)
@pytest.mark.parametrize(
    ("key", "said"),
    [
        ("question_mark", "what you might do, and why"),
        ("l", "No trick has been completed in this deal."),
        ("p", "There was no pass in this deal."),
        ("t", "You: 0 tricks, 0 points"),
        ("s", "No deal has been scored yet."),
        ("i", "No cards are passed."),
    ],
)
def test_there_is_much_to_read(key: str, said: str) -> None:
    async def play(table: Table) -> None:
        await table.press(key)
        assert said in table.sheet
        assert said in " ".join(table.picture.replace("│", " ").split())
        # What is drawn anew below a sheet stays below it.
        await table.pilot.resize_terminal(*LARGE)
        await table.settle()
        assert said in table.sheet
        await table.press("escape")
        assert table.sheet == ""

    played(dealt(Rules(pass_cycle=(HOLD,))), play)


@pytest.mark.long
@pytest.mark.sampled(3)
@pytest.mark.parametrize("size", [(59, 24), (80, 19), (20, 5)])
def test_a_screen_that_is_too_small_says_so_until_it_is_larger(size: tuple[int, int]) -> None:
    async def play(table: Table) -> None:
        columns, rows = size
        told = f"The table needs 60 columns and 20 rows; here are {columns} and {rows}."
        assert told in " ".join(table.picture.split())
        await table.press("enter", "space", "h")
        assert not table.app.sitting.game.state.score_sheet
        assert table.app.hand
        await table.pilot.resize_terminal(60, 20)
        await table.settle()
        assert "The table needs" not in table.picture
        assert table.asked in table.picture
        # A sheet can be read before.
        await table.press("s")
        await table.pilot.resize_terminal(columns, rows)
        await table.settle()
        assert "No deal has been scored yet" in table.sheet
        await table.press("enter")
        await table.settle()
        assert told in " ".join(table.picture.split())
        await table.pilot.resize_terminal(*LARGE)
        await table.settle()
        assert table.asked in table.picture

    played(dealt(Rules(pass_cycle=(HOLD,))), play, size=size)


@pytest.mark.long
def test_hints_say_why_and_go_to_the_card() -> None:
    async def play(table: Table) -> None:
        await table.press("h")
        assert "points expected" in table.said
        app = table.app
        best = app.sitting.assessment(0).best.move
        if isinstance(best, Pass):
            assert isinstance(app.seen, PassingView)
            assert app._pass(app.seen) == best
        elif isinstance(best, Play):
            assert app._card(app.cursor) == best.card
        else:
            assert isinstance(best, Expose)
            assert Cards([app._card(place) for place in app.chosen]) == best.cards
        await table.press("m")
        assert table.sheet.startswith("What your moves are worth")
        assert re.search(r"By [3-6] deals that agree with what you know\.", table.sheet)
        assert "points" in table.picture
        assert "match" in table.picture
        await table.press("enter")

    played(dealt(Rules()), play)
    played(dealt(Rules(pass_cycle=(HOLD,))), play)
    played(dealt(Rules(pass_cycle=(HOLD,), exposable="QS AH")), play)


@pytest.mark.long
def test_a_card_is_played_by_a_click() -> None:
    async def play(table: Table) -> None:
        hand = table.app.query_one(Hand)
        place = hand_places(table.app.hand, hand.size.width, table.app.tall)[0]
        assert place.card == Card("2C")
        await table.pilot.click(Hand, offset=(place.x + 1, place.y))
        await table.settle()
        assert "Trick 1: You 2♣" in table.told

    async def choose(table: Table) -> None:
        hand = table.app.query_one(Hand)
        for place in hand_places(table.app.hand, hand.size.width, table.app.tall)[:2]:
            await table.pilot.click(Hand, offset=(place.x + 1, place.y))
        await table.pilot.click(Hand, offset=(0, 0))
        assert table.app.chosen == [0, 1]

    for size in (SMALL, LARGE):
        played(dealt(Rules(pass_cycle=(HOLD,))), play, size=size)
        played(dealt(Rules()), choose, size=size)


def test_bright_and_dark() -> None:
    async def play(table: Table) -> None:
        assert table.app.look == DARK
        await table.press("b")
        assert table.app.look == LIGHT
        await table.press("b")
        assert table.app.look == DARK

    played(dealt(Rules()), play)


@pytest.mark.long
@pytest.mark.sampled(9)
@pytest.mark.parametrize(("key", "ending"), [("q", "left"), ("ctrl+q", "left"), ("ctrl+c", "interrupted")])
def test_leaving(key: str, ending: str) -> None:
    async def play(table: Table) -> None:
        await table.press(key)

    async def at_the_end(table: Table) -> None:
        await table.press("x", key)

    assert played(dealt(Rules()), play).return_value == ending
    assert played(clubs(), at_the_end).return_value == ending


@pytest.mark.long
def test_whoever_is_in_a_hurry_need_not_wait_and_may_undo_while_others_play(monkeypatch: pytest.MonkeyPatch) -> None:
    """A bot thinks until it is told to go on, and cards lie on the table for ever unless Enter is pressed."""
    go = threading.Event()
    uniform = BOTS["uniform"]

    def slow(view: object, rng: object) -> Move:
        go.wait()
        return uniform(view, rng)  # type: ignore[arg-type]

    monkeypatch.setattr("heartsrules.apps.terminal.sitting.BOTS", {**BOTS, "uniform": slow})
    game = dealt(Rules(pass_cycle=(HOLD,)))
    app = FullScreen(Sitting(game, seat_players(game.rules, ["You"], ["uniform"]), "a table"), pace=10_000)

    async def run() -> None:
        async with app.run_test(size=SMALL) as pilot:
            table = Table(pilot, app)
            await table.settle()
            await pilot.press("enter")
            assert not app.asked
            # What the bot comes to is dropped.
            await pilot.press("u")
            go.set()
            await table.settle()
            assert app.asked
            assert app.sitting.game == game
            await pilot.press("enter")
            # One Enter is for all that is played before the player is asked.
            await pilot.press("enter")
            await table.settle()
            assert app.asked
            assert "Trick 1: You 2♣" in table.told

    asyncio.run(run())


def test_a_record_that_cannot_be_written_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rules = Rules(pass_cycle=(HOLD,))
    file = LockedFile(tmp_path / "game.txt")
    keeper = Keeper(file, seat_players(rules, ["You"], ["uniform"]), "a table")

    def full(_: Game) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(keeper, "write", full)

    async def play(table: Table) -> None:
        await table.press("enter")
        assert "The record cannot be written: No space left on device." in table.told

    assert played(dealt(rules), play, keeper=keeper).sitting.unkept is not None
    file.close()


# The pictures


@pytest.mark.parametrize("players", range(3, 12))
@pytest.mark.parametrize("size", [(60, 10), (80, 13), (78, 30), (120, 40)])
def test_everybody_has_a_place_at_the_table(players: int, size: tuple[int, int]) -> None:
    """After the first trick every card of it is there, and every name."""
    rules = Rules(players=players, decks=1 + (players > 7), pass_cycle=(HOLD,), kitty=Kitty.FIRST_TRICK)
    sitting = Sitting(Game.start(rules), seat_players(rules, ["You"], ["uniform"]), "a table")
    sitting.deal()
    for _ in range(players):
        seat = sitting.turn
        assert seat is not None
        held = sitting.game.view(seat)
        assert isinstance(held, PlayingView)
        sitting.make(Play(seat, next(iter(Pen.playable(held)))))
    pen = Pen(sitting.seating, 0, plain=False, symbols=True)
    seen = sitting.game.view(0)
    for look in (DARK, LIGHT):
        text = table_picture(seen, pen, Frame(look, *size)).plain
        rows = text.split("\n")
        assert [len(row) for row in rows] == [size[0]] * size[1]
        for name in sitting.seating.names:
            assert name in text
        assert isinstance(seen, PlayingView)
        for play in seen.tricks[0].plays:
            assert str(pen.card(play.card)) in text
        assert text.count("★") == (seen.tricks[0].winner is not None)


def test_large_hands_take_several_lines() -> None:
    hand = Cards(" ".join(SUITS[suit] for suit in "CDS"))
    places = hand_places(hand, 78, tall=False)
    assert [place.card for place in places] == list(hand)
    assert {place.y for place in places} == {1, 4, 7}
    assert len({(place.x, place.y) for place in places}) == len(places)
    assert max(place.x for place in places) + 4 <= 78
    assert hand_places(Cards(), 78, tall=True) == []


# The command


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--full-screen",), "--full-screen needs a terminal that can move the cursor"),
        (("--full-screen", "--plain"), "choose one of --plain and --full-screen"),
        (("--pace", "1"), "only with --full-screen"),
    ],
)
def test_wrong_uses(arguments: tuple[str, ...], said: str) -> None:
    result = CliRunner().invoke(app, ["play", *arguments], prog_name="heartsrules")
    assert (result.exit_code, result.stdout) == (2, "")
    assert said in " ".join(result.stderr.replace("│", " ").split())


@pytest.mark.long
@pytest.mark.parametrize(("key", "code", "said"), [("q", 0, "You have left the game."), ("\x03", 130, "Interrupted.")])
def test_at_a_terminal(key: str, code: int, said: str, tmp_path: Path) -> None:
    path = tmp_path / "game.txt"
    game = PtyGame("cardstock", "--full-screen", "--bots", "uniform", "--seed", "1", "--record", str(path))
    game.child.expect("Bot 2")
    game.child.send(key)
    assert game.end() == code
    assert said in game.output
    assert "Go on with it: heartsrules play --resume" in game.output
    assert verify(parse_record(path.read_text(encoding="utf-8"))).valid


def test_without_its_extra_it_is_a_wrong_use(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delitem(sys.modules, "heartsrules.apps.terminal.full_screen")
    monkeypatch.setitem(sys.modules, "textual.app", None)
    sitting = Sitting(Game.start(Rules()), seat_players(Rules(), ["You"], ["uniform"]), "1")
    with pytest.raises(typer.Exit) as caught:
        _play_on_full_screen(sitting, Screen(stdin=io.StringIO(), stdout=io.StringIO()), None, ENGLISH)
    assert caught.value.exit_code == 2
    assert "pip install 'heartsrules[tui]'" in capsys.readouterr().err


def test_several_people_cannot_use_the_whole_screen() -> None:
    game = PtyGame("cardstock", "--full-screen", "--humans", "Ann,Bob")
    assert game.end() == 2
    assert "only one player can use" in " ".join(game.text.replace("│", " ").split())
