"""The game on the whole screen of a terminal: `heartsrules play --full-screen` (extra `tui`).

It shows what `Pen` and `picture` make of the view of the only human's seat, and moves with a `Sitting` as the plain
game does.
"""

from __future__ import annotations

import asyncio
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
    from textual.widgets import Footer, Static

from rich.console import Group
from rich.measure import Measurement
from rich.table import Table
from rich.text import Text

from heartsrules import Card, Cards, ChooseMoon, Expose, Move, Pass, Play, Seat, View, redact, why_illegal
from heartsrules.apps.terminal.drawing import GLUE, Line, Pen
from heartsrules.apps.terminal.picture import (
    DARK,
    LIGHT,
    TALL,
    TILE,
    Look,
    Place,
    coloured,
    hand_picture,
    hand_places,
    table_picture,
)
from heartsrules.apps.terminal.session import named
from heartsrules.apps.terminal.sitting import Sitting
from heartsrules.base.errors import counted
from heartsrules.rules import Moon, PassOptional
from heartsrules.search.analysis import Assessment, hint
from heartsrules.search.endings import can_claim
from heartsrules.views import AwaitingDealView, ChoosingMoonView, ExposingView, GameOverView, PassingView, PlayingView

__all__ = ["DEFAULT_PACE", "Ending", "FullScreen"]

DEFAULT_PACE: Final = 0.5
"""The seconds that a card lies on the table before the next one is played; a complete trick lies there twice as
long."""
Ending: TypeAlias = Literal["over", "left", "interrupted"]
"""How a sitting has ended."""
_MOST_LINES: Final = 300
"""So many lines of what happened are kept."""
_TALL_FROM: Final = 32
"""The rows of a screen from which on the cards of the hand have several."""
LEAST_WIDTH: Final = 60
"""So many columns the table, the hand and what is said need."""
LEAST_HEIGHT: Final = 20
"""So many rows."""
_WIDEST_SHEET: Final = 96
_MARGIN: Final = 9
"""The columns that a sheet leaves beside what it says."""
_KEYS: Final = MappingProxyType(
    {
        "← →, ↑ ↓": "from card to card, from suit to suit; the mouse does it too",
        "Enter": "play the card, or pass or show what is chosen; while the others play, go on at once",
        "Space": "choose a card to pass or to show, or put it back",
        "d": "decline to pass, where the rules let you",
        "h, m": "what you might do, and why; what each of your moves is worth",
        "w": "why the card may not be chosen",
        "l, p, t": "the last trick; what you passed and received; who took what in this deal",
        "s, i": "the score sheet; what is special about the rules",
        "u, r": "take your last move back; make it again",
        "x": "take all the tricks that are left, when nobody can stop you",
        "b": "a bright screen, or a dark one",
        "q": "leave the game; so does Ctrl+C",
    }
)
"""What the keys do, for the help."""
_BACK: Final[Mapping[str, str]] = MappingProxyType(dict.fromkeys(("enter", "escape", "space", "q"), "back"))
_GOES_BACK: Final = "Enter goes back, ↑ ↓ show more."


def _shown(lines: Iterable[Line | str]) -> list[Text | Table]:
    """Lines as they can be shown, with blanks in them."""
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
    """Something to read above the table.

    Args:
        title: its first line.
        lines: what there is to read.
        keys: what is returned for the keys that close it.
        foot: what is said about them.
    """

    def __init__(self, title: str, lines: Iterable[Line | str], keys: Mapping[str, str], foot: str) -> None:
        super().__init__()
        self.heading: Final = title
        self.lines: Final = _shown(lines)
        self.keys: Final = keys
        self.foot: Final = foot

    def compose(self) -> ComposeResult:
        """The parts of it."""
        with Vertical(id="sheet"):
            yield Static(Text(self.heading), id="heading")
            look = self.app.look if isinstance(self.app, FullScreen) else DARK
            room = self.app.size.width - _MARGIN
            options = self.app.console.options
            widest = max([Measurement.get(self.app.console, options, line).maximum for line in self.lines], default=0)
            with VerticalScroll() as scroll:
                scroll.styles.width = min(widest, room) + 1
                for line in self.lines:
                    part = Static(coloured(line, look) if isinstance(line, Text) else line)
                    # A table that measures itself in here comes out too narrow.
                    part.styles.width = min(widest, room)
                    yield part
            yield Static(Text(self.foot), id="foot")

    def on_key(self, event: Key) -> None:
        """Close it, if the key does."""
        if event.key in self.keys:
            event.stop()
            self.dismiss(self.keys[event.key])
            if isinstance(self.app, FullScreen):
                # A sheet can be read on a small screen; the table that it lies above cannot.
                self.app.call_after_refresh(self.app.check_size)


class TooSmall(ModalScreen[None]):
    """Says that the terminal is too small for the table, as long as it is."""

    gone = False
    """Whether it is about to go."""

    def compose(self) -> ComposeResult:
        """The one thing that it says."""
        yield Static(id="too-small")

    def on_resize(self, _: Resize) -> None:
        """Say it for the new size, or go."""
        self._look()

    def on_screen_resume(self) -> None:
        """Nothing lies above it any more: the terminal may have grown meanwhile."""
        self._look()

    def _look(self) -> None:
        width, height = self.app.size
        if not _large_enough(width, height):
            needs = f"The table needs {LEAST_WIDTH} columns and {LEAST_HEIGHT} rows; here are {width} and {height}."
            self.query_one("#too-small", Static).update(Text(f"{needs} Make it larger, or leave with Ctrl+C."))
        elif self.is_current and not self.gone:
            self.gone = True
            self.dismiss()


def _large_enough(width: int, height: int) -> bool:
    """Whether a terminal of so many columns and rows is large enough for the table."""
    return width >= LEAST_WIDTH and height >= LEAST_HEIGHT


class Painted(Widget):
    """A part of the screen that is drawn anew whenever it is refreshed, for the columns and rows that it has."""

    def __init__(self, draw: Callable[[int, int], Text], *, id: str) -> None:  # noqa: A002 - the name of Textual
        super().__init__(id=id)
        self._draw: Final = draw

    def render(self) -> Text:
        """What it shows."""
        return self._draw(self.size.width, self.size.height)


class Hand(Painted):
    """The hand, in which cards can be clicked."""

    def __init__(self, draw: Callable[[int, int], Text], clicked: Callable[[int, int], None]) -> None:
        super().__init__(draw, id="hand")
        self._clicked: Final = clicked

    def on_click(self, event: Click) -> None:
        """A card is clicked, or the table beside it."""
        self._clicked(event.x, event.y)


class FullScreen(App[Ending]):
    """A game of one human with bots. `run` returns how it has ended.

    Args:
        sitting: the game.
        symbols: cards as `Q♠`.
        pace: the seconds that a card lies on the table before the next one is played.
    """

    ENABLE_COMMAND_PALETTE = False
    CSS = """
    #main { layout: vertical; height: 1fr; }
    #game { height: 1fr; }
    #state { height: 1; padding: 0 1; background: $panel; text-style: bold; }
    #table { height: 1fr; min-height: 10; }
    #hand { margin: 0 1; }
    #asked { height: 1; padding: 0 1; text-style: bold; color: $text-accent; }
    #said { height: auto; min-height: 2; max-height: 4; padding: 0 1; }
    #log { height: 3; padding: 0 1; background: $panel; scrollbar-size: 0 0; }
    .-wide #main { layout: horizontal; }
    .-wide #game { width: 1fr; }
    .-wide #log { width: 40; height: 1fr; }
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
        Binding("space", "choose", "Choose"),
        Binding("enter", "go", "Do it"),
        Binding("d", "decline", "Decline"),
        Binding("h", "hint", "Hint"),
        Binding("m", "moves", show=False),
        Binding("w", "why", "Why"),
        Binding("u", "undo", "Undo"),
        Binding("r", "redo", "Redo"),
        Binding("x", "rest", "Take the rest"),
        Binding("l", "read('last')", "Last"),
        Binding("p", "read('passed')", show=False),
        Binding("t", "read('taken')", show=False),
        Binding("s", "read('score')", "Score"),
        Binding("i", "read('rules')", show=False),
        Binding("b", "bright", show=False),
        Binding("question_mark", "read('help')", "Help"),
        Binding("q", "leave", "Quit"),
        Binding("ctrl+q", "leave", show=False, priority=True),
        Binding("ctrl+c", "interrupt", show=False, priority=True),
    ]

    def __init__(self, sitting: Sitting, *, symbols: bool = True, pace: float = DEFAULT_PACE) -> None:
        super().__init__()
        self.HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (110, "-wide")]
        self.VERTICAL_BREAKPOINTS = [(0, "-low"), (24, "-high")]
        assert sitting.alone is not None
        self.sitting: Final = sitting
        self.seat: Final[Seat] = sitting.alone
        self.pen: Final = Pen(sitting.seating, self.seat, plain=False, symbols=symbols)
        self.pace: Final = pace
        self.seen: View = sitting.game.view(self.seat)
        """What the screen shows."""
        self.asked = False
        """Whether a move is asked for."""
        self.cursor = 0
        """The place in the hand that the keys are at."""
        self.chosen: list[int] = []
        """The places in the hand that are chosen to be passed or shown, in the order in which they were."""
        self.said: list[Text | Table] = []
        """What was said last about the move that is asked for."""
        self.told: Final[list[Text | Table]] = []
        """What has happened."""
        self._sure = False
        """Whether all tricks that are left are the player's."""
        self._offered: tuple[bool | None, ...] = ()
        """What keys can do that do not always do something."""
        self._known = sitting.game.ply
        """How many moves the player has been told of."""
        self._hurry: Final = asyncio.Event()

    # The parts of the screen

    def compose(self) -> ComposeResult:
        """The parts of it."""
        with Container(id="main"):
            with Vertical(id="game"):
                yield Static(id="state")
                yield Painted(self._table, id="table")
                yield Hand(self._hand, self._clicked)
                yield Static(id="asked")
                yield Static(id="said")
            with VerticalScroll(id="log", can_focus=False):
                yield Static(id="told")
        yield Footer()

    def on_mount(self) -> None:
        """Begin."""
        self.title = "Hearts"
        self.query_one("#log", VerticalScroll).anchor()
        self._go_on()

    def on_resize(self, _: Resize) -> None:
        """Draw it for the new size, or say that it is too small."""
        self._redraw()
        self.check_size()

    def check_size(self) -> None:
        """Say that the terminal is too small, if it is and nothing is being read."""
        said = any([isinstance(screen, (Sheet, TooSmall)) for screen in self.screen_stack])
        if not said and not _large_enough(*self.size):
            self.push_screen(TooSmall(), self._grown)

    def _grown(self, _: None) -> None:
        """Draw the table anew once it has been laid out for its new size."""
        self.call_after_refresh(self._redraw)

    @property
    def look(self) -> Look:
        """The colours of the theme."""
        return DARK if self.current_theme.dark else LIGHT

    @property
    def tall(self) -> bool:
        """Whether there is room for cards of several rows."""
        return self.size.height >= _TALL_FROM

    @property
    def hand(self) -> Cards:
        """The hand of the player."""
        return self.seen.hand if isinstance(self.seen, (PassingView, ExposingView, PlayingView)) else Cards()

    @property
    def free(self) -> Cards:
        """The cards that may be chosen now."""
        seen = self.seen
        if isinstance(seen, PassingView):
            return seen.hand - self.pen.locked(seen)
        if isinstance(seen, ExposingView):
            return self.pen.exposable(seen)
        return self.pen.playable(seen) if isinstance(seen, PlayingView) and self.asked else Cards()

    def _places(self, width: int) -> list[Place]:
        return hand_places(self.hand, width, self.tall)

    def _table(self, width: int, height: int) -> Text:
        return table_picture(self.seen, self.pen, self.look, width, height)

    def _hand(self, width: int, height: int) -> Text:
        cursor = self.cursor if self.asked else None
        free = self.free if self.asked else self.hand
        return hand_picture(
            self._places(width), free, self.chosen, cursor, self.pen, self.look, width, height, self.tall
        )

    def _redraw(self) -> None:
        # A sheet may lie above it.
        screen = self.screen_stack[0]
        if not screen.query("#told"):
            return
        hand = screen.query_one(Hand)
        room = hand.size.width or self.size.width - 2
        lines = len({place.y for place in self._places(room)})
        hand.styles.height = max(lines, 1) * ((TALL if self.tall else 1) + 2)
        screen.query_one("#state", Static).update(self._state())
        screen.query_one("#asked", Static).update(self._asked())
        screen.query_one("#said", Static).update(Group(*self.said))
        told = [coloured(line, self.look) if isinstance(line, Text) else line for line in self.told]
        screen.query_one("#told", Static).update(Group(*told))
        screen.query_one("#table", Painted).refresh()
        hand.refresh()
        self._sure = self.asked and can_claim(self.seen)
        offered = tuple([self.check_action(action, ()) for action in ("choose", "decline", "rest", "redo", "why")])
        if offered != self._offered:
            # The line of the keys is made anew, which takes longer than all the rest.
            self._offered = offered
            self.refresh_bindings()

    def _state(self) -> Text:
        """Where the game is."""
        seen = self.seen
        parts = [f"Deal {seen.deal_number + 1}"]
        if isinstance(seen, PassingView):
            parts.append("the pass")
        elif isinstance(seen, ExposingView):
            parts.append("showing cards")
        elif isinstance(seen, PlayingView):
            parts.append(f"trick {seen.trick_number + 1} of {seen.rules.cards_per_hand}")
            parts.append("hearts are broken" if seen.hearts_broken else "hearts are not broken")
            if seen.set_aside:
                parts.append(f"set aside: {self.pen.cards(seen.set_aside)}")
        elif isinstance(seen, AwaitingDealView):
            parts = [f"After deal {seen.deal_number}"]
        elif isinstance(seen, GameOverView):
            parts = ["The game is over"]
        return Text(" · ".join(parts))

    def _asked(self) -> Text:
        """What is asked for."""
        seen = self.seen
        if not self.asked:
            return Text("")
        if isinstance(seen, PassingView):
            gifts = [f"{counted(count, 'card')} to {self.pen.receiver(seen, offset)}" for offset, count in seen.step]
            chosen = self.pen.gifts(self._pass(seen), seen) if self.chosen else ""
            text = f"Pass {', then '.join(gifts)}"
            return Text(f"{text}: {chosen}".replace(GLUE, " ") if self.chosen else f"{text}.".replace(GLUE, " "))
        if isinstance(seen, ExposingView):
            chosen = " ".join([str(self.pen.card(self._card(place))) for place in self.chosen])
            return Text(f"Cards to show: {chosen or 'none'}")
        if isinstance(seen, PlayingView):
            return Text(self._trick(seen).replace(GLUE, " "))
        return Text("What does your moon do? Press 1 or 2.")

    def _trick(self, seen: PlayingView) -> str:
        if not seen.trick:
            return "You lead."
        winner = seen.winning_seat
        led = seen.trick[0].card.suit.name.lower()
        whose = "nobody" if winner is None else self.pen.who(winner)
        return f"Your card: {led} were led, and {whose} would win the trick."

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Whether a key can do something in this phase; the others are not offered."""
        del parameters
        seen = self.seen
        if action == "choose":
            return isinstance(seen, (PassingView, ExposingView))
        if action == "decline":
            return isinstance(seen, PassingView) and seen.rules.pass_optional is not PassOptional.NO
        if action == "rest":
            return self._sure
        if action == "redo":
            return bool(self.sitting.game.undone)
        # What a moon does is chosen on a sheet, which has its own key for a hint.
        return action not in ("why", "hint", "moves") or not isinstance(seen, ChoosingMoonView)

    # The game

    def _go_on(self) -> None:
        """Let the others play until the player is asked, a deal has ended or the game is over."""
        self.asked = False
        self.chosen = []
        self.said = []
        self._hurry.clear()
        self._look_again()
        self.run_worker(self._play_on(), exclusive=True)

    async def _play_on(self) -> None:
        sitting = self.sitting
        while True:
            seat = sitting.turn
            if seat is None:
                if sitting.over or sitting.game.state.deal_scores:
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
        """Let the player see the card that was played, and longer if it ends the trick."""
        ended = isinstance(self.seen, PlayingView) and not self.seen.trick
        seconds = self.pace * (2 if ended else 1)
        if not seconds or self._hurry.is_set():
            return
        try:
            await asyncio.wait_for(self._hurry.wait(), seconds)
        except TimeoutError:
            return

    def _deal(self) -> None:
        self.sitting.deal()
        self._look_again()

    def _make(self, move: Move) -> None:
        self.sitting.make(move)
        self._look_again()

    def _look_again(self) -> None:
        """Show the game as it is now, and tell what has happened since the last time."""
        game = self.sitting.game
        for ply in range(self._known, game.ply):
            moved = game.fork(ply + 1)
            before = game.fork(ply).view(self.seat)
            self.told.extend(_shown(self.pen.story(before, redact(moved.events(ply), self.seat))))
        self._known = game.ply
        self.told.extend([Text(complaint) for complaint in self.sitting.complaints])
        self.sitting.complaints.clear()
        if self.sitting.unkept is not None:
            self.told.append(Text(f"The record cannot be written: {self.sitting.unkept.strerror}."))
        del self.told[:-_MOST_LINES]
        self.seen = game.view(self.seat)
        self._redraw()

    def _ask(self) -> None:
        self.asked = True
        self.chosen = []
        places = list(self.hand)
        free = self.free
        self.cursor = next((number for number, card in enumerate(places) if card in free), 0)
        self._redraw()
        if self._sure:
            self._say("Every trick that is left is yours: x takes them all.")
        if isinstance(self.seen, ChoosingMoonView):
            self._ask_moon(self.seen)

    def _ask_moon(self, seen: ChoosingMoonView, *more: str) -> None:
        title, *rows = self.pen.moon(seen)
        keys = {"1": "1", "2": "2", "h": "hint", **self._other_keys()}
        foot = "1 or 2 chooses, h gives a hint. u takes your last card back, q leaves the game."

        def answered(key: str | None) -> None:
            if key in ("1", "2"):
                effect = Moon.OTHERS_UP if key == "1" else Moon.SHOOTER_DOWN
                self._move(ChooseMoon(self.seat, effect))
            elif key == "hint":
                self._assess(lambda found: self._ask_moon(seen, f"{hint(found)}."))
            else:
                self._after_sheet(key)

        self.push_screen(Sheet(str(title).strip(), [*rows, *more], keys, foot), answered)

    def _end_of_deal(self) -> None:
        over = self.sitting.over
        self._redraw()
        title, *rows = self.pen.between_deals(self.seen)  # type: ignore[arg-type]
        sheet = self.pen.sheet(self.seen, min(self.size.width - _MARGIN, _WIDEST_SHEET))
        keys = {"enter": "on", "space": "on", "escape": "on", **self._other_keys()}
        foot = f"Enter {'ends the game' if over else 'goes on'}. u takes your last move back."

        def answered(key: str | None) -> None:
            if key != "on":
                self._after_sheet(key)
            elif over:
                self.exit("over")
            else:
                self._deal()
                self._go_on()

        self.push_screen(Sheet(str(title).strip(), [*rows, *sheet], keys, foot), answered)

    def _other_keys(self) -> dict[str, str]:
        """The keys of a sheet that waits for a move, besides those of the move. Each closes it: none may do nothing."""
        keys = {"u": "undo", "q": "quit", "ctrl+c": "interrupt"}
        if self.sitting.game.undone:
            keys["r"] = "redo"
        return keys

    def _after_sheet(self, key: str | None) -> None:
        """Do what a key has asked for that closed a sheet."""
        if key == "undo":
            self.action_undo()
        elif key == "redo":
            self.action_redo()
        elif key == "interrupt":
            self.action_interrupt()
        else:
            self.action_leave()

    def _move(self, move: Move) -> bool:
        """Make a move of the player; False: it is not allowed, and the reasons are said."""
        reasons = why_illegal(self.seen, move)
        if reasons:
            self._say(*[f"{self.pen.reason(reason, self.seen)}." for reason in reasons])
            return False
        self.asked = False
        self._make(move)
        self._go_on()
        return True

    def _say(self, *lines: Line | str) -> None:
        self.said = _shown(lines)
        self._redraw()

    # Choosing cards

    def _card(self, place: int) -> Card:
        return list(self.hand)[place]

    def _pass(self, seen: PassingView) -> Pass:
        """What is chosen, gift by gift."""
        cards = [self._card(place) for place in self.chosen]
        gifts: list[Cards] = []
        for number, (_, count) in enumerate(seen.step, 1):
            here = cards if number == len(seen.step) else cards[:count]
            cards = cards[len(here) :]
            gifts.append(Cards(here))
        return Pass(self.seat, gifts)

    def _clicked(self, x: int, y: int) -> None:
        if not self.asked:
            self._hurry.set()
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
        """Go to the next card that may be chosen, or to the one before."""
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
        """Go to the first card of the next suit of the hand, or of the one before, whether it may be chosen or not."""
        cards = list(self.hand)
        if not self.asked or not cards:
            return
        suits = sorted({card.suit for card in cards})
        suit = suits[(suits.index(cards[self.cursor].suit) + by) % len(suits)]
        self.cursor = next(number for number, card in enumerate(cards) if card.suit is suit)
        self._redraw()

    def action_choose(self) -> None:
        """Choose a card, or put it back."""
        seen = self.seen
        if not self.asked:
            return
        if self.cursor in self.chosen:
            self.chosen.remove(self.cursor)
            self._say()
        elif isinstance(seen, PassingView):
            card = self._card(self.cursor)
            most = sum([count for _, count in seen.step])
            if card not in self.free:
                self._say(f"{self.pen.card(card)} may not be passed under these rules.")
            elif len(self.chosen) == most:
                self._say(f"You pass {counted(most, 'card')}: Enter passes them, Space puts one back.")
            else:
                self.chosen.append(self.cursor)
                self._say()
        elif isinstance(seen, ExposingView):
            reasons = why_illegal(seen, Expose(self.seat, Cards([self._card(self.cursor)])))
            if not reasons:
                self.chosen.append(self.cursor)
            self._say(*[f"{self.pen.reason(reason, seen)}." for reason in reasons])

    def action_go(self) -> None:
        """Make the move that is chosen; while the others play, go on at once."""
        seen = self.seen
        if not self.asked:
            self._hurry.set()
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

    # What else the keys do

    def action_why(self) -> None:
        """Say why the card may not be chosen."""
        if not self.asked or not self.hand:
            return
        card = self._card(self.cursor)
        what = "passed" if isinstance(self.seen, PassingView) else "shown"
        reasons: list[str] = []
        if isinstance(self.seen, PlayingView):
            what = "played"
            reasons = [self.pen.reason(each, self.seen) for each in why_illegal(self.seen, Play(self.seat, card))]
        elif card not in self.free:
            reasons = [f"{self.pen.card(card)} may not be {what} under these rules"]
        self._say(*[f"{reason}." for reason in reasons] or [f"{self.pen.card(card)} may be {what}."])

    def action_hint(self) -> None:
        """Say what the player might do, and go to the card that it is."""

        def tell(assessment: Assessment) -> None:
            move = assessment.best.move
            if isinstance(move, Play):
                self.cursor = list(self.hand).index(move.card)
            elif isinstance(move, Pass):
                self.chosen = self._places_of([card for gift in move.gifts for card in gift])
            elif isinstance(move, Expose):
                self.chosen = self._places_of(move.cards)
            self._say(f"{hint(assessment)}.")

        self._assess(tell)

    def action_moves(self) -> None:
        """Show what each move is worth."""

        def tell(assessment: Assessment) -> None:
            self._say()
            lines = self.pen.moves(assessment, self.size.width)
            self.push_screen(Sheet("What your moves are worth", lines, _BACK, _GOES_BACK))

        self._assess(tell)

    def _assess(self, tell: Callable[[Assessment], None]) -> None:
        """Think about the moves, and tell what came of it, unless the player moves meanwhile."""
        if not self.asked:
            return
        self._say("Thinking...")
        self.run_worker(self._think(tell), exclusive=True)

    async def _think(self, tell: Callable[[Assessment], None]) -> None:
        tell(await asyncio.to_thread(self.sitting.assessment, self.seat))

    def _places_of(self, cards: Iterable[Card]) -> list[int]:
        """Where these cards are in the hand; of equal ones each has a place of its own."""
        held = list(self.hand)
        places: list[int] = []
        for card in cards:
            places.append(next(place for place, each in enumerate(held) if each == card and place not in places))
        return places

    def action_undo(self) -> None:
        """Take the last move of the player back."""
        move = self.sitting.undo()
        if move is None:
            self._say("There is no move of yours to take back.")
            return
        self._known = self.sitting.game.ply
        self.told.append(Text(f"Taken back: {named(move)}."))
        self._go_on()

    def action_redo(self) -> None:
        """Make the move again that was taken back."""
        # While the others play, they make again what they did.
        move = self.sitting.redo() if self.asked or self.sitting.turn is None else None
        if move is not None:
            self.told.append(Text(f"Made again: {named(move)}."))
            self._go_on()

    def action_rest(self) -> None:
        """Take all the tricks that are left."""
        self.sitting.take_the_rest()
        self._look_again()
        self._go_on()

    def action_read(self, what: str) -> None:
        """Show something to read."""
        title, lines = self._to_read(what)
        self.push_screen(Sheet(title, lines, _BACK, _GOES_BACK))

    def _to_read(self, what: str) -> tuple[str, Iterable[Line | str]]:
        seen, pen = self.seen, self.pen
        match what:
            case "last":
                return "The last trick", pen.last_trick(seen)
            case "passed":
                return "The pass", pen.passed(seen)
            case "taken":
                return "Taken in this deal", pen.taken(seen)
            case "score":
                return "The score sheet", pen.sheet(seen, min(self.size.width - _MARGIN, _WIDEST_SHEET))
            case "rules":
                return "What is special about the rules", pen.rules(seen.rules)
            case _:
                return "The keys", [Text.assemble((key, "bold"), f": {meaning}") for key, meaning in _KEYS.items()]

    def action_bright(self) -> None:
        """Change between dark and light."""
        self.theme = "textual-light" if self.current_theme.dark else "textual-dark"
        self._redraw()

    def action_leave(self) -> None:
        """Leave the game."""
        self.exit("left")

    def action_interrupt(self) -> None:
        """Leave it as Ctrl+C does."""
        self.exit("interrupted")
