"""The game as a full-screen application: `heartsrules play --full-screen` (extra `tui`).

It draws the view of the only human with `Pen` and `picture`, and plays on a `Sitting`, as `Session` does.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType
from typing import ClassVar, Final, Literal, TypeAlias

from heartsrules.base.extras import needs

with needs("tui", "the game on the whole screen"):
    from textual.app import App, ComposeResult
    from textual.binding import Binding, BindingType
    from textual.containers import Container, Vertical, VerticalScroll
    from textual.events import Click, Key, Resize
    from textual.screen import ModalScreen
    from textual.widget import Widget
    from textual.widgets import Footer, ProgressBar, Static

from rich.console import Group
from rich.measure import Measurement
from rich.table import Table
from rich.text import Text

from heartsrules import (
    Card,
    Cards,
    ChooseMoon,
    DealingBack,
    Expose,
    Move,
    Pass,
    Phase,
    Play,
    Seat,
    View,
    redact,
    why_illegal,
)
from heartsrules.analysis import Assessment, Drill, Review, hint
from heartsrules.analysis.endings import can_claim
from heartsrules.apps.terminal.drawing import GLUE, Line, Pen
from heartsrules.apps.terminal.drilling import DrillQuestion
from heartsrules.apps.terminal.picture import (
    DARK,
    LIGHT,
    TALL,
    TILE,
    CardPlace,
    Frame,
    Look,
    coloured,
    hand_picture,
    hand_places,
    table_picture,
)
from heartsrules.apps.terminal.seating import DEFAULT_BOT
from heartsrules.apps.terminal.sitting import Sitting
from heartsrules.apps.terminal.words import ENGLISH, Phrases
from heartsrules.base.errors import TooManyWorlds
from heartsrules.messages import text
from heartsrules.pictures.reviews import review_lines
from heartsrules.rules import Moon
from heartsrules.views import (
    AwaitingDealView,
    ChoosingMoonView,
    DealingBackView,
    DealtView,
    ExposingView,
    GameOverView,
    PassingView,
    PlayingView,
)

DEFAULT_PACE: Final = 0.5
"""Seconds between two plays; a complete trick stays twice as long."""
Ending: TypeAlias = Literal["over", "left", "interrupted"]
"""How a game has ended."""
_MOST_LINES: Final = 300
"""The most lines of the log."""
_TALL_FROM: Final = 32
"""The least rows of a screen on which cards have several rows."""
LEAST_WIDTH: Final = 60
"""The least columns."""
LEAST_HEIGHT: Final = 20
"""The least rows."""
_WIDEST_SHEET: Final = 96
_MARGIN: Final = 9
"""The columns of a dialog besides its text."""
_SILENT: Final = (
    *(("m", "moves"), ("p", "read('passed')"), ("t", "read('taken')"), ("i", "read('rules')"), ("b", "bright")),
    *(("v", "review"), ("e", "drill")),
)
"""Keys with their actions that the footer does not name."""
_NAMED: Final = (
    *(("space", "choose"), ("enter", "go"), ("d", "decline"), ("h", "hint"), ("w", "why"), ("u", "undo")),
    *(("r", "redo"), ("x", "rest"), ("l", "read('last')"), ("s", "read('score')")),
    *(("question_mark", "read('help')"), ("q", "leave")),
)
"""Those that it does."""
_BACK: Final[Mapping[str, str]] = MappingProxyType(dict.fromkeys(("enter", "escape", "space", "q"), "back"))
_ANSWERS: Final = "123456789abcdefghij"
"""The keys that answer a drill."""


def _shown(lines: Iterable[Line | str]) -> list[Text | Table]:
    """Replace the glue of lines by blanks."""
    shown: list[Text | Table] = []
    for line in lines:
        if isinstance(line, Table):
            shown.append(line)
        else:
            text = Text(line) if isinstance(line, str) else line.copy()
            text.plain = text.plain.replace(GLUE, " ").strip("\n")
            shown.append(text)
    return shown


class Sheet(ModalScreen[str]):
    """A dialog with a text."""

    def __init__(self, title: str, lines: Iterable[Line | str], keys: Mapping[str, str], foot: str) -> None:
        super().__init__()
        self.heading: Final = title
        self.lines: Final = _shown(lines)
        self.keys: Final = keys
        self.foot: Final = foot

    def compose(self) -> ComposeResult:
        with Vertical(id="sheet"):
            yield Static(Text(self.heading), id="heading")
            look = self.app.look if isinstance(self.app, FullScreen) else DARK
            available = self.app.size.width - _MARGIN
            options = self.app.console.options
            widest = max([Measurement.get(self.app.console, options, line).maximum for line in self.lines], default=0)
            with VerticalScroll() as scroll:
                scroll.styles.width = min(widest, available) + 1
                for line in self.lines:
                    part = Static(coloured(line, look) if isinstance(line, Text) else line)
                    # Textual measures a table in here too narrow.
                    part.styles.width = min(widest, available)
                    yield part
            yield Static(Text(self.foot), id="foot")

    def on_key(self, event: Key) -> None:
        if event.key in self.keys:
            event.stop()
            self.dismiss(self.keys[event.key])
            if isinstance(self.app, FullScreen):
                # The screen may be large enough for a sheet, but too small for the table.
                self.app.call_after_refresh(self.app.check_size)


class TooSmall(ModalScreen[None]):
    """A notice while the terminal is too small for the table."""

    dismissed = False
    """Whether it is being dismissed."""

    def compose(self) -> ComposeResult:
        yield Static(id="too-small")

    def on_resize(self, _: Resize) -> None:
        """Update the notice, or dismiss it."""
        self._look()

    def on_screen_resume(self) -> None:
        """Update the notice: the terminal may have grown under a dialog."""
        self._look()

    def _look(self) -> None:
        width, height = self.app.size
        if not _large_enough(width, height):
            words = self.app.words if isinstance(self.app, FullScreen) else ENGLISH
            sizes = {"width": LEAST_WIDTH, "height": LEAST_HEIGHT, "columns": width, "rows": height}
            self.query_one("#too-small", Static).update(words.say("too-small", **sizes))
        elif self.is_current and not self.dismissed:
            self.dismissed = True
            self.dismiss()


def _large_enough(width: int, height: int) -> bool:
    """Whether the table fits in a terminal of this size."""
    return width >= LEAST_WIDTH and height >= LEAST_HEIGHT


class Reviewing(ModalScreen[None]):
    """A progress bar while moves are reviewed. Escape gives up."""

    def __init__(self, what: str) -> None:
        super().__init__()
        self.what: Final = what
        self.given_up: Final = threading.Event()

    def compose(self) -> ComposeResult:
        with Vertical(id="sheet"):
            yield Static(Text(self.what), id="heading")
            yield ProgressBar(show_eta=False)

    def update(self, done: int, count: int) -> None:
        """Show how much is done."""
        self.query_one(ProgressBar).update(total=count, progress=done)

    def on_key(self, event: Key) -> None:
        if event.key in _BACK:
            event.stop()
            self.given_up.set()
            self.dismiss()


class _GivenUp(Exception):
    """A player waits for a review no longer."""


class Painted(Widget):
    """A widget that draws itself for its current size."""

    def __init__(self, draw: Callable[[int, int], Text], *, id: str) -> None:  # noqa: A002 - the name of Textual
        super().__init__(id=id)
        self._draw: Final = draw

    def render(self) -> Text:
        return self._draw(self.size.width, self.size.height)


class Hand(Painted):
    """The hand, whose cards can be clicked."""

    def __init__(self, draw: Callable[[int, int], Text], clicked: Callable[[int, int], None]) -> None:
        super().__init__(draw, id="hand")
        self._clicked: Final = clicked

    def on_click(self, event: Click) -> None:
        self._clicked(event.x, event.y)


class FullScreen(App[Ending]):
    """A game of one human with bots. `run` returns how it has ended."""

    ENABLE_COMMAND_PALETTE = False
    CSS = """
    #main { layout: vertical; height: 1fr; }
    #game { height: 1fr; }
    #state { height: 1; padding: 0 1; background: $panel; text-style: bold; }
    #table { height: 1fr; min-height: 10; }
    #hand { margin: 0 1; }
    #asked { height: 1; padding: 0 1; text-style: bold; color: $text-accent; }
    #notes { height: auto; min-height: 2; max-height: 4; padding: 0 1; }
    #papers { height: auto; }
    #log { height: 3; padding: 0 1; background: $panel; scrollbar-size: 0 0; }
    .paper { display: none; }
    #log, .paper { border-title-color: $text; }
    .-wide #main { layout: horizontal; }
    .-wide #game { width: 1fr; }
    .-wide #papers { width: 44; height: 1fr; }
    .-wide #log { height: 1fr; }
    .-wide.-tall #log { border: round $panel-lighten-2; background: $background; }
    .-wide.-tall .paper { display: block; height: auto; padding: 0 1; border: round $panel-lighten-2;
             scrollbar-size: 0 0; }
    .-wide.-tall #score { max-height: 12; }
    .-wide.-tall #rules { max-height: 11; }
    .-low #log { display: none; }
    Sheet { align: center middle; }
    #sheet { width: auto; max-width: 100%; height: auto; max-height: 100%; padding: 0 2;
             border: round $primary; background: $surface; }
    #sheet VerticalScroll { height: auto; max-height: 75vh;
             scrollbar-size: 0 0; }
    #sheet Static { width: auto; max-width: 90vw; }
    #heading { text-style: bold; margin-bottom: 1; }
    #foot { color: $text-muted; margin-top: 1; }
    TooSmall { align: center middle; background: $background; overflow: hidden; }
    #too-small { width: auto; max-width: 100%; padding: 0 1; text-align: center; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("left", "step(-1)", show=False),
        Binding("right", "step(1)", show=False),
        Binding("up", "suit(-1)", show=False),
        Binding("down", "suit(1)", show=False),
        *[Binding(key, action, show=False) for key, action in _SILENT],
        Binding("ctrl+q", "leave", show=False, priority=True),
        Binding("ctrl+c", "interrupt", show=False, priority=True),
    ]

    def __init__(
        self, sitting: Sitting, *, symbols: bool = True, pace: float = DEFAULT_PACE, words: Phrases = ENGLISH
    ) -> None:
        super().__init__()
        self.words: Final = words
        for key, action in _NAMED:
            name = {"leave": "quit"}.get(action, action.removeprefix("read('").removesuffix("')"))
            display = words.listed("keys")[2] if key == "space" else None
            self.bind(key, action, description=words.tell(f"key.{name}"), key_display=display)
        self.HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (110, "-wide")]
        self.VERTICAL_BREAKPOINTS = [(0, "-low"), (24, "-high"), (_TALL_FROM, "-tall")]
        assert sitting.alone is not None
        self.sitting: Final = sitting
        self.seat: Final[Seat] = sitting.alone
        self.pen: Final = Pen(sitting.seating, self.seat, plain=False, symbols=symbols, words=words)
        self.pace: Final = pace
        self.seen: View = sitting.game.view(self.seat)
        """The view on the screen."""
        self.asked = False
        """Whether the player is to move."""
        self.cursor = 0
        """The index of the card under the cursor."""
        self.chosen: list[int] = []
        """The indices of the cards to be passed or shown, in the order of their choice."""
        self.notes: list[Text | Table] = []
        """The last remarks on the move that is asked for."""
        self.log_lines: Final[list[Text | Table]] = []
        """The log."""
        self._can_claim = False
        """Whether the player is certain to win all remaining tricks."""
        self._enabled: tuple[bool | None, ...] = ()
        """Whether each of the keys that depend on the situation was enabled."""
        self._papers: tuple[int, int, Look] | None = None
        """The width, the deals and the colours of the score sheet beside the table; None: it has not been written."""
        self._shown_plies = sitting.game.ply
        """The count of moves in the log."""
        self._skip_pause: Final = asyncio.Event()

    # The parts of the screen

    def compose(self) -> ComposeResult:
        with Container(id="main"):
            with Vertical(id="game"):
                yield Static(id="state")
                yield Painted(self._table, id="table")
                yield Hand(self._hand, self._clicked)
                yield Static(id="asked")
                yield Static(id="notes")
            with Vertical(id="papers"):
                for paper in ("score", "rules"):
                    with VerticalScroll(id=paper, classes="paper", can_focus=False) as scroll:
                        scroll.border_title = self.words.tell(f"title.{paper}")
                        yield Static(id=f"{paper}-text")
                with VerticalScroll(id="log", can_focus=False) as log:
                    log.border_title = self.words.tell("title.log")
                    yield Static(id="story")
        yield Footer()

    def on_mount(self) -> None:
        self.title = "Hearts"
        self.query_one("#log", VerticalScroll).anchor()
        self._go_on()

    def on_resize(self, _: Resize) -> None:
        """Redraw, and check the size."""
        self._redraw()
        self.check_size()

    def check_size(self) -> None:
        """Show a notice if the terminal is too small, and no dialog is open."""
        covered = any([isinstance(screen, (Sheet, TooSmall)) for screen in self.screen_stack])
        if not covered and not _large_enough(*self.size):
            self.push_screen(TooSmall(), self._grown)

    def _grown(self, _: None) -> None:
        """Redraw after the layout for the new size."""
        self.call_after_refresh(self._redraw)

    @property
    def look(self) -> Look:
        """The colours of the theme."""
        return DARK if self.current_theme.dark else LIGHT

    @property
    def tall(self) -> bool:
        """Whether cards have several rows."""
        return self.size.height >= _TALL_FROM

    @property
    def hand(self) -> Cards:
        """The hand of the player."""
        return self.seen.hand if isinstance(self.seen, DealtView) else Cards()

    @property
    def free(self) -> Cards:
        """The cards that may be chosen now."""
        return self.pen.free(self.seen) if self.asked or not isinstance(self.seen, PlayingView) else Cards()

    def _places(self, width: int) -> list[CardPlace]:
        return hand_places(self.hand, width, self.tall)

    def _table(self, width: int, height: int) -> Text:
        return table_picture(self.seen, self.pen, Frame(self.look, width, height))

    def _hand(self, width: int, height: int) -> Text:
        cursor = self.cursor if self.asked else None
        free = self.free if self.asked else self.hand
        frame = Frame(self.look, width, height)
        return hand_picture(self._places(width), free, self.chosen, cursor, self.pen, frame, tall=self.tall)

    def _redraw(self) -> None:
        # A dialog may cover it.
        screen = self.screen_stack[0]
        if not screen.query("#story"):
            return
        hand = screen.query_one(Hand)
        room = hand.size.width or self.size.width - 2
        lines = len({place.y for place in self._places(room)})
        hand.styles.height = max(lines, 1) * ((TALL if self.tall else 1) + 2)
        screen.query_one("#state", Static).update(self._state())
        screen.query_one("#asked", Static).update(self._asked())
        screen.query_one("#notes", Static).update(Group(*self.notes))
        screen.query_one("#story", Static).update(self._group(self.log_lines))
        width = max(screen.query_one("#score").size.width - 2, 30)
        if self._papers != (papers := (width, len(self.seen.score_sheet), self.look)):
            self._papers = papers
            screen.query_one("#score-text", Static).update(self._group(self.pen.sheet(self.seen, width)))
            screen.query_one("#rules-text", Static).update(self._group(self.pen.rules(self.seen.rules)))
        screen.query_one("#table", Painted).refresh()
        hand.refresh()
        self._can_claim = self.asked and can_claim(self.seen)
        enabled = tuple([self.check_action(action, ()) for action in ("choose", "decline", "rest", "redo", "why")])
        if enabled != self._enabled:
            # Slow: the footer is rebuilt.
            self._enabled = enabled
            self.refresh_bindings()

    def _group(self, lines: Iterable[Line | str]) -> Group:
        """Lines in the colours of the theme."""
        return Group(*[coloured(line, self.look) if isinstance(line, Text) else line for line in _shown(lines)])

    def _state(self) -> Text:
        """The line of the phase."""
        seen = self.seen
        tell = self.words.tell
        parts = [tell("state-deal", deal=seen.deal_number + 1)]
        if isinstance(seen, (PassingView, DealingBackView)):
            parts.append(tell("state-pass"))
        elif isinstance(seen, ExposingView):
            parts.append(tell("state-show"))
        elif isinstance(seen, PlayingView):
            parts.append(tell("state-trick", trick=seen.trick_number + 1, tricks=seen.rules.cards_per_hand))
            parts.append(tell("state-broken", broken=seen.hearts_broken))
            if seen.set_aside:
                parts.append(tell("state-aside", cards=self.pen.cards(seen.set_aside)))
        elif isinstance(seen, AwaitingDealView):
            parts = [tell("after", deal=seen.deal_number)]
        elif isinstance(seen, GameOverView):
            parts = [tell("over")]
        return Text(" · ".join(parts))

    def _asked(self) -> Text:
        """The prompt."""
        seen = self.seen
        say = self.words.say
        if not self.asked:
            return Text("")
        if isinstance(seen, PassingView):
            cards = self.pen.gifts(self._pass(seen), seen) if self.chosen else ""
            line = say("do-pass", gifts=self.pen.takes(seen), some=bool(self.chosen), cards=cards)
        elif isinstance(seen, ExposingView):
            line = say("do-show", cards=self.pen.cards([self._card(place) for place in self.chosen]))
        elif not isinstance(seen, PlayingView):
            line = say("do-moon")
        elif not seen.trick:
            line = say("lead")
        else:
            line = say("do-play", suit=seen.trick[0].card.suit, **self.pen.player(seen.winning_seat))
        return Text(line.plain.replace(GLUE, " "))

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Whether an action is enabled; the footer hides the others."""
        del parameters
        seen = self.seen
        if action == "choose":
            return isinstance(seen, (PassingView, ExposingView))
        if action == "decline":
            return isinstance(seen, PassingView) and seen.may_decline
        if action == "rest":
            return self._can_claim
        if action == "redo":
            return bool(self.sitting.game.undone)
        if action in ("review", "drill"):
            return self.sitting.turn is None
        # The dialog for the effect of a moon has its own key for a hint.
        return action not in ("why", "hint", "moves") or not isinstance(seen, ChoosingMoonView)

    # The game

    def _go_on(self) -> None:
        """Let the bots play until the player is to move or a deal has ended."""
        self.asked = False
        self.chosen = []
        self.notes = []
        self._skip_pause.clear()
        self._update()
        self.run_worker(self._play_on(), exclusive=True)

    async def _play_on(self) -> None:
        sitting = self.sitting
        while True:
            seat = sitting.turn
            if seat is None:
                state = sitting.game.state
                if sitting.over or (state.score_sheet and not isinstance(state, DealingBack)):
                    self._end_of_deal()
                    return
                self._deal()
            elif seat == self.seat:
                self._ask()
                return
            else:
                game = sitting.game
                move = await asyncio.to_thread(sitting.bots_move, seat)
                assert sitting.game is game, "a move was made meanwhile"
                self._make(move)
                if isinstance(move, Play):
                    await self._wait()

    async def _wait(self) -> None:
        """Pause after a play, longer if it ends the trick."""
        ended = isinstance(self.seen, PlayingView) and not self.seen.trick
        seconds = self.pace * (2 if ended else 1)
        if not seconds or self._skip_pause.is_set():
            return
        try:
            await asyncio.wait_for(self._skip_pause.wait(), seconds)
        except TimeoutError:
            return

    def _deal(self) -> None:
        self.sitting.deal()
        self._update()

    def _make(self, move: Move) -> None:
        self.sitting.make(move)
        self._update()

    def _update(self) -> None:
        """Show the current game, and log the new events."""
        game = self.sitting.game
        for ply in range(self._shown_plies, game.ply):
            moved = game.fork(ply + 1)
            before = game.fork(ply).view(self.seat)
            self.log_lines.extend(_shown(self.pen.story(before, redact(moved.events(ply), self.seat))))
        self._shown_plies = game.ply
        for player, code in self.sitting.failures:
            self.log_lines.append(self.words.say("failed", player=player, code=code, bot=DEFAULT_BOT))
        self.sitting.failures.clear()
        if self.sitting.unkept is not None:
            self.log_lines.append(self.words.say("unkept", reason=self.sitting.unkept.strerror or ""))
        del self.log_lines[:-_MOST_LINES]
        self.seen = game.view(self.seat)
        self._redraw()

    def _ask(self) -> None:
        self.asked = True
        self.chosen = []
        places = list(self.hand)
        free = self.free
        self.cursor = next((number for number, card in enumerate(places) if card in free), 0)
        self._redraw()
        if self._can_claim:
            self._tell("may-claim", key=True, word="")
        if isinstance(self.seen, ChoosingMoonView):
            self._ask_moon(self.seen)

    def _ask_moon(self, seen: ChoosingMoonView, *more: str) -> None:
        title, *rows = self.pen.moon(seen)
        keys = {"1": "1", "2": "2", "h": "hint", **self._other_keys()}
        foot = self.words.tell("moon-foot")

        def answered(key: str | None) -> None:
            if key in ("1", "2"):
                effect = Moon.OTHERS_UP if key == "1" else Moon.SHOOTER_DOWN
                self._move(ChooseMoon(self.seat, effect))
            elif key == "hint":
                self._assess(lambda found: self._ask_moon(seen, f"{hint(found, self.words.language)}."))
            else:
                self._after_sheet(key)

        self.push_screen(Sheet(str(title).strip(), [*rows, *more], keys, foot), answered)

    def _end_of_deal(self) -> None:
        over = self.sitting.over
        self._redraw()
        title, *rows = self.pen.between_deals(self.seen)  # type: ignore[arg-type]
        sheet = self.pen.sheet(self.seen, min(self.size.width - _MARGIN, _WIDEST_SHEET))
        keys = {"enter": "on", "space": "on", "escape": "on", "v": "v", "e": "e", **self._other_keys()}
        foot = self.words.tell("sheet-foot", over=over)

        def answered(key: str | None) -> None:
            if key in ("v", "e"):
                self._look_back(drill=key == "e")
            elif key != "on":
                self._after_sheet(key)
            elif over:
                self.exit("over")
            else:
                self._deal()
                self._go_on()

        self.push_screen(Sheet(str(title).strip(), [*rows, *sheet], keys, foot), answered)

    # Reviews and drills

    def _look_back(self, *, drill: bool) -> None:
        """Review the moves of the deal, or ask for better ones; then go back to its end."""
        waiting = Reviewing(self.words.tell("reviewing"))
        self.push_screen(waiting)
        self.run_worker(self._review(waiting, drill=drill), exclusive=True)

    async def _review(self, waiting: Reviewing, *, drill: bool) -> None:
        def progress(done: int, count: int) -> None:
            if waiting.given_up.is_set() or not self.is_running:
                raise _GivenUp
            self.call_from_thread(waiting.update, done, count)

        def work() -> tuple[Review, list[Drill]]:
            found = self.sitting.review(whole=False, progress=progress)
            return found, self.sitting.drills(found) if drill else []

        try:
            found, drills = await asyncio.to_thread(work)
        except _GivenUp:
            self._end_of_deal()
            return
        if not waiting.given_up.is_set():
            waiting.dismiss()
        if drills:
            self._ask_drill(drills, 0)
            return
        lines = review_lines(found, self.words.language, self.pen.names)
        told = [self.words.tell("no-mistakes")] if drill else list(lines)
        heading = self.words.tell("key.review")
        self.push_screen(Sheet(heading, told, _BACK, self.words.tell("back-foot")), lambda _: self._end_of_deal())

    def _ask_drill(self, drills: list[Drill], number: int) -> None:
        asked = DrillQuestion(drills[number], number + 1, len(drills), self.words, symbols=self.pen.symbols)
        lines = [*asked.table.splitlines(), "", asked.choices(_ANSWERS)]

        def judged(key: str | None) -> None:
            if key == "on" and number + 1 < len(drills):
                self._ask_drill(drills, number + 1)
            else:
                self._end_of_deal()

        def answered(key: str | None) -> None:
            if key is None or key == "back":
                self._end_of_deal()
                return
            verdict = asked.verdict(asked.moves[_ANSWERS.index(key)])
            keys = {"enter": "on", "space": "on", "escape": "back", "q": "back"}
            foot = self.words.tell("drill-on")
            self.push_screen(Sheet(asked.title, [*lines, "", *verdict], keys, foot), judged)

        keys = {"enter": "back", "escape": "back"} | {key: key for key, _ in zip(_ANSWERS, asked.moves, strict=False)}
        self.push_screen(Sheet(asked.title, lines, keys, self.words.tell("drill-foot")), answered)

    def _other_keys(self) -> dict[str, str]:
        """The keys of a dialog that asks for a move, besides those of the move. Each of them closes it."""
        keys = {"u": "undo", "q": "quit", "ctrl+c": "interrupt"}
        if self.sitting.game.undone:
            keys["r"] = "redo"
        return keys

    def _after_sheet(self, key: str | None) -> None:
        """Handle one of the other keys of a dialog that asks for a move."""
        if key == "undo":
            self.action_undo()
        elif key == "redo":
            self.action_redo()
        elif key == "interrupt":
            self.action_interrupt()
        else:
            self.action_leave()

    def _move(self, move: Move) -> bool:
        """Make a move of the player; if it is illegal, show the reasons and return False."""
        reasons = why_illegal(self.seen, move)
        if reasons:
            self._say(*[f"{self.pen.reason(reason, self.seen)}." for reason in reasons])
            return False
        self.asked = False
        self._make(move)
        self._go_on()
        return True

    def _tell(self, name: str, **params: object) -> None:
        self._say(self.words.say(name, **params))

    def _say(self, *lines: Line | str) -> None:
        self.notes = _shown(lines)
        self._redraw()

    # Choosing cards

    def _card(self, place: int) -> Card:
        return list(self.hand)[place]

    def _pass(self, seen: PassingView) -> Pass:
        """The pass of the chosen cards."""
        cards = [self._card(place) for place in self.chosen]
        gifts: list[Cards] = []
        for number, (_, count) in enumerate(seen.plan, 1):
            here = cards if number == len(seen.plan) else cards[:count]
            cards = cards[len(here) :]
            gifts.append(Cards(here))
        return Pass(self.seat, gifts)

    def _clicked(self, x: int, y: int) -> None:
        if not self.asked:
            self._skip_pause.set()
            return
        for number, place in enumerate(self._places(self.screen_stack[0].query_one(Hand).size.width)):
            half = 1 if self.tall else 0
            row = place.y - (number in self.chosen)
            if place.x <= x < place.x + TILE and row - half <= y <= row + half:
                self.cursor = number
                if isinstance(self.seen, PlayingView):
                    self.action_go()
                else:
                    self.action_choose()
                return

    def action_step(self, by: int) -> None:
        """Move the cursor to the next or previous card that may be chosen."""
        cards = list(self.hand)
        if not self.asked or not cards:
            return
        free = self.free
        places = [number for number, card in enumerate(cards) if card in free] or list(range(len(cards)))
        later = [place for place in places if place > self.cursor]
        earlier = [place for place in places if place < self.cursor]
        self.cursor = (later or places)[0] if by > 0 else (earlier or places)[-1]
        self._redraw()

    def action_suit(self, by: int) -> None:
        """Move the cursor to the first card of the next or previous suit."""
        cards = list(self.hand)
        if not self.asked or not cards:
            return
        suits = sorted({card.suit for card in cards})
        suit = suits[(suits.index(cards[self.cursor].suit) + by) % len(suits)]
        self.cursor = next(number for number, card in enumerate(cards) if card.suit is suit)
        self._redraw()

    def action_choose(self) -> None:
        """Choose the card under the cursor, or put it back."""
        seen = self.seen
        if not self.asked:
            return
        if self.cursor in self.chosen:
            self.chosen.remove(self.cursor)
            self._say()
        elif isinstance(seen, PassingView):
            card = self._card(self.cursor)
            most = sum([count for _, count in seen.plan])
            if card not in self.free:
                self._tell("may", card=self.pen.card(card), may=False, phase=Phase.PASS, rules=True)
            elif len(self.chosen) == most > 0:
                self._tell("pass-full", count=most)
            else:
                self.chosen.append(self.cursor)
                self._say()
        elif isinstance(seen, ExposingView):
            reasons = why_illegal(seen, Expose(self.seat, Cards([self._card(self.cursor)])))
            if not reasons:
                self.chosen.append(self.cursor)
            self._say(*[f"{self.pen.reason(reason, seen)}." for reason in reasons])

    def action_go(self) -> None:
        """Make the chosen move; while bots play, skip the pause."""
        seen = self.seen
        if not self.asked:
            self._skip_pause.set()
        elif isinstance(seen, PassingView):
            self._move(self._pass(seen))
        elif isinstance(seen, ExposingView):
            self._move(Expose(self.seat, Cards([self._card(place) for place in self.chosen])))
        elif isinstance(seen, PlayingView):
            self._move(Play(self.seat, self._card(self.cursor)))

    def action_decline(self) -> None:
        """Pass nothing."""
        if self.asked:
            self._move(Pass(self.seat, ()))

    # Other keys

    def action_why(self) -> None:
        """Show the reasons against the card under the cursor."""
        if not self.asked or not self.hand:
            return
        card = self._card(self.cursor)
        phase = self.pen.phase(self.seen)
        reasons: list[Line | str] = []
        if isinstance(self.seen, PlayingView):
            against = why_illegal(self.seen, Play(self.seat, card))
            reasons += [f"{self.pen.reason(each, self.seen)}." for each in against]
        barred = phase is not Phase.PLAY and card not in self.free
        may = self.words.say("may", card=self.pen.card(card), may=not barred, phase=phase, rules=barred)
        self._say(*(reasons or [may]))

    def action_hint(self) -> None:
        """Suggest a move, and select its cards."""

        def tell(assessment: Assessment) -> None:
            move = assessment.best.move
            if isinstance(move, Play):
                self.cursor = list(self.hand).index(move.card)
            elif isinstance(move, Pass):
                self.chosen = self._places_of([card for gift in move.cards for card in gift])
            elif isinstance(move, Expose):
                self.chosen = self._places_of(move.cards)
            self._say(f"{hint(assessment, self.words.language)}.")

        self._assess(tell)

    def action_moves(self) -> None:
        """Show the assessment of each move."""

        def tell(assessment: Assessment) -> None:
            self._say()
            lines = self.pen.moves(assessment, self.size.width)
            self.push_screen(Sheet(self.words.tell("title.moves"), lines, _BACK, self.words.tell("back-foot")))

        self._assess(tell)

    def _assess(self, tell: Callable[[Assessment], None]) -> None:
        """Assess the moves in the background, and pass the result on unless the player moves first."""
        if not self.asked:
            return
        self._tell("thinking")
        self.run_worker(self._think(tell), exclusive=True)

    async def _think(self, tell: Callable[[Assessment], None]) -> None:
        try:
            assessment = await asyncio.to_thread(self.sitting.assessment, self.seat)
        except TooManyWorlds as error:
            self._tell("no", reason=text(error.problems[0], self.words.language))
        else:
            tell(assessment)

    def _places_of(self, cards: Iterable[Card]) -> list[int]:
        """Distinct indices of these cards in the hand."""
        held = list(self.hand)
        places: list[int] = []
        for card in cards:
            places.append(next(place for place, each in enumerate(held) if each == card and place not in places))
        return places

    def action_undo(self) -> None:
        """Undo the last move of the player."""
        move = self.sitting.undo()
        if move is None:
            self._tell("nothing-to-undo")
            return
        self._shown_plies = self.sitting.game.ply
        self.log_lines.append(self.words.say("taken-back", move=self.pen.move(move)))
        self._go_on()

    def action_redo(self) -> None:
        """Redo the move that was undone."""
        # Not while bots play: they repeat their moves by themselves.
        move = self.sitting.redo() if self.asked or self.sitting.turn is None else None
        if move is not None:
            self.log_lines.append(self.words.say("made-again", move=self.pen.move(move)))
            self._go_on()

    def action_rest(self) -> None:
        """Claim the remaining tricks."""
        self.sitting.take_the_rest()
        self._update()
        self._go_on()

    def action_read(self, what: str) -> None:
        """Show a text in a dialog."""
        title = self.words.tell("title.keys" if what == "help" else f"title.{what}")
        self.push_screen(Sheet(title, self._to_read(what), _BACK, self.words.tell("back-foot")))

    def _to_read(self, what: str) -> Iterable[Line | str]:
        seen, pen = self.seen, self.pen
        match what:
            case "last":
                return pen.last_trick(seen)
            case "passed":
                return pen.passed(seen)
            case "taken":
                return pen.taken(seen)
            case "score":
                return pen.sheet(seen, min(self.size.width - _MARGIN, _WIDEST_SHEET))
            case "rules":
                return pen.rules(seen.rules)
            case _:
                keys = zip(self.words.listed("keys"), self.words.listed("keys-do"), strict=True)
                return [Text.assemble((key, "bold"), f": {meaning}") for key, meaning in keys]

    def action_bright(self) -> None:
        """Switch between the dark and the light theme."""
        self.theme = "textual-light" if self.current_theme.dark else "textual-dark"
        self._redraw()

    def action_leave(self) -> None:
        """Leave the game."""
        self.exit("left")

    def action_interrupt(self) -> None:
        """Leave the game as Ctrl+C does."""
        self.exit("interrupted")
