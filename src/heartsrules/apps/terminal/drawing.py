"""Texts made of views and redacted events.

Nothing here takes a state, so no text can show what its reader may not know.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final, TypeAlias, assert_never

import attrs
from rich.table import Table
from rich.text import Text

from heartsrules import (
    Card,
    Cards,
    ChooseMoon,
    DealScore,
    Event,
    Expose,
    Move,
    Pass,
    Play,
    Rules,
    Seat,
    Suit,
    View,
    Violation,
    display_score,
    standings,
    why_illegal_cards,
)
from heartsrules.analysis import Assessment, hint
from heartsrules.apps.terminal.answers import COMMANDS
from heartsrules.apps.terminal.seating import Seating
from heartsrules.base.errors import counted
from heartsrules.messages import describe
from heartsrules.play.events import (
    CardPlayed,
    CardsDealt,
    CardsDealtHidden,
    CardsPassed,
    CardsPassedHidden,
    CardsShown,
    DealScored,
    ExposureCommitted,
    ExposureCommittedHidden,
    GameEnded,
    HeartsBroken,
    KittyTaken,
    KittyTakenHidden,
    MoonChosen,
    MoonShot,
    PassCommitted,
    PassCommittedHidden,
    PlayBegan,
    TrickVoid,
    TrickWon,
)
from heartsrules.play.exposing import compiled_with
from heartsrules.play.violations import (
    AlreadyExposed,
    AlreadyPassed,
    NotTheShooter,
    NotYourTurn,
    WrongNumberOfCards,
    WrongPhase,
)
from heartsrules.rules import ANY_NUMBER, HOLD, Exposure, Reckoning, TargetScope, TargetTest
from heartsrules.views import (
    AwaitingDealView,
    ChoosingMoonView,
    ExposingView,
    GameOverView,
    PassingView,
    PlayedDealView,
    PlayingView,
    deal_of,
)

__all__ = ["GLUE", "Line", "Pen"]

GLUE: Final = "\ue000"
"""A placeholder of a blank at which lines are not wrapped, as between a name and a card."""

Line: TypeAlias = Text | Table
"""One line of output, or a table."""

_DIM: Final = "dim"
_HEADING: Final = "bold"
_RED: Final = "red"
_WINS: Final = "bold green"
_WHAT_SHOWING_DOES: Final = (
    "A shown card counts double, a shown heart doubles all hearts, and a shown doubler its effect."
)
_WITH_ERRORS: Final = 60
"""The least columns of a table of moves with standard errors."""


def _joined(parts: Iterable[Text | str], between: str = ", ") -> Text:
    text = Text()
    for number, part in enumerate(parts):
        text.append(between if number else "")
        text.append(part)
    return text


def _amount(count: int) -> str:
    """The number of cards of a gift; 0 stands for any."""
    return counted(count, "card") if count else "any number of cards"


def _of(*parts: Text | str) -> Text:
    return Text.assemble(*parts)


@attrs.frozen
class Pen:
    """Writes texts for one reader."""

    seating: Seating
    reader: Seat | None
    """The seat of the reader; None: all players together."""
    plain: bool
    """For screen readers and pipes: sentences, and cards as `QS`."""
    symbols: bool
    """Whether cards are written as `Q♠`."""

    # Parts of lines

    def who(self, seat: Seat) -> str:
        """The name of a player."""
        return self.seating.who(seat, self.reader).replace(" ", GLUE)

    def several(self, seats: Sequence[Seat]) -> str:
        """The names of players: `Ann, Bob and Cleo`."""
        *names, last = map(self.who, seats)
        return f"{', '.join(names)} and {last}" if names else last

    def card(self, card: Card, style: str = "") -> Text:
        """A card, in the colour of its suit."""
        text = f"{card.rank.letter}{card.suit.symbol}" if self.symbols and not self.plain else str(card)
        return Text(text, style=style or self.colour(card))

    @staticmethod
    def colour(card: Card) -> str:
        """The colour of a suit."""
        return _RED if card.suit in (Suit.DIAMONDS, Suit.HEARTS) else ""

    def cards(self, cards: Iterable[Card]) -> Text:
        """Cards, separated by blanks."""
        return _joined(map(self.card, cards), " ") or Text("none")

    def plays(self, rules: Rules, plays: Sequence[Play], winner: Seat | None) -> Text:
        """The plays of a trick. Styles mark the winner, the penalty cards and the discards."""
        return _joined([self._play(rules, play, plays[0].card.suit, play.seat == winner) for play in plays])

    def _play(self, rules: Rules, play: Play, led: Suit, wins: bool) -> Text:
        style = self.colour(play.card)
        if self.counts(rules, play.card):
            style += " bold"
        elif play.card.suit is not led:
            style += " dim"
        name = Text(f"{self.who(play.seat)}{GLUE}", style=_WINS if wins else "")
        return _of(name, self.card(play.card, f"{style} underline" if wins else style))

    def gifts(self, move: Pass, seen: PassingView) -> Text:
        """The gifts of a pass, with their receivers."""
        if not move.gifts:
            return Text("nothing: you decline")
        return _joined(
            [
                _of(self.cards(gift), f" to {self.receiver(seen, offset)}")
                for gift, (offset, _) in zip(move.gifts, seen.step, strict=True)
            ]
        )

    def receiver(self, seen: PassingView, offset: int) -> str:
        """The player at an offset from the seat of a view, or the middle."""
        if not offset:
            return "the middle"
        players = seen.rules.players
        seat = ((seen.seat or 0) + offset) % players
        where = {1: "left", players - 1: "right"}.get(offset % players, "")
        if 2 * (offset % players) == players:
            where = "across"
        return f"{self.who(seat)} ({where})" if where else self.who(seat)

    def reason(self, violation: Violation, seen: View) -> str:
        """A violation as a text with the names of players."""
        if isinstance(violation, WrongNumberOfCards) and isinstance(seen, PassingView):
            takes = ", ".join([f"{_amount(count)} for {self.receiver(seen, offset)}" for offset, count in seen.step])
            given = "gift" if violation.gift is None else "card"
            where = ""
            if violation.gift is not None and len(seen.step) > 1:
                where = f" for {self.receiver(seen, seen.step[violation.gift][0])}"
            return f"{counted(violation.count, given)}{where}, but this deal takes {takes}"
        if isinstance(violation, WrongPhase):
            return "no card can be played now"
        if isinstance(violation, NotYourTurn):
            whose = "your" if violation.turn == self.reader else f"{self.who(violation.turn)}'s"
            return f"it is {whose} turn"
        if isinstance(violation, NotTheShooter):
            return f"{self.who(violation.shooter)} shot the moon, and chooses what it does"
        if isinstance(violation, (AlreadyPassed, AlreadyExposed)):
            return "you have chosen already, and cannot change that"
        return str(violation)

    def heading(self, text: str) -> Text:
        """A heading."""
        return Text(text, style=_HEADING) if self.plain else Text(f"\n{text}", style=_HEADING)

    # The player's turn

    def situation(self, seen: View) -> Iterator[Line]:
        """The table and the hand of the reader."""
        if isinstance(seen, PassingView):
            yield from self.passing(seen)
        elif isinstance(seen, ExposingView):
            yield from self.exposing(seen)
        elif isinstance(seen, PlayingView):
            yield from self.playing(seen)
        elif isinstance(seen, ChoosingMoonView):
            yield from self.moon(seen)
        else:
            yield from self.between_deals(seen)

    def passing(self, seen: PassingView) -> Iterator[Line]:
        """The prompt for a pass."""
        yield self.heading(f"Deal {seen.deal_number + 1}: the pass")
        yield from self.hand(seen.hand, seen.hand - self.locked(seen))
        yield Text(f"You pass {self.takes(seen)}.")
        if seen.rules.compiled.through_middle(seen.deal_number):
            yield Text("What all pass there is shuffled, and everybody is dealt back as many cards.")
        if seen.may_decline:
            yield Text("Type decline to pass nothing.")

    def takes(self, seen: PassingView) -> str:
        """The number of cards in each gift of a pass, with their receivers."""
        return ", then ".join([f"{_amount(count)} to {self.receiver(seen, offset)}" for offset, count in seen.step])

    @staticmethod
    def locked(seen: PassingView) -> Cards:
        """The cards of the hand that may not be passed."""
        return Cards([card for card in seen.hand if card in seen.rules.unpassable])

    def exposing(self, seen: ExposingView) -> Iterator[Line]:
        """The prompt for showing cards."""
        yield self.heading(f"Deal {seen.deal_number + 1}: showing cards")
        yield from self.open_cards(seen)
        free = self.exposable(seen)
        yield from self.hand(seen.hand, free)
        if free:
            yield _of("You may show any of these: ", self.cards(free), f". {_WHAT_SHOWING_DOES}")
        else:
            yield Text("You hold no card that may be shown.")
        if seen.before_pass:
            yield Text("If anybody shows a card, nobody passes.")

    @staticmethod
    def exposable(seen: ExposingView) -> Cards:
        """The cards of the hand that may be shown."""
        shown = Cards() if seen.seat is None else seen.start.shown[seen.seat]
        return (seen.hand & seen.rules.exposable) - shown

    def open_cards(self, seen: ExposingView | PlayingView) -> Iterator[Line]:
        """The shown cards that have not been played, by seat."""
        by_seat = enumerate(seen.lying_open)
        parts = [_of(f"{self.who(seat)}{GLUE}", self.cards(cards)) for seat, cards in by_seat if cards]
        if parts:
            yield _of("Lying open: ", _joined(parts))

    def playing(self, seen: PlayingView) -> Iterator[Line]:
        """The prompt for a play."""
        broken = "hearts are broken" if seen.hearts_broken else "hearts are not broken"
        yield self.heading(f"Deal {seen.deal_number + 1}, trick {seen.trick_number + 1}: {broken}")
        if seen.set_aside:
            yield _of("Set aside: ", self.cards(seen.set_aside))
        yield from self.open_cards(seen)
        if seen.tricks:
            yield self.taken_so_far(seen.deal)
        yield self.trick(seen) if seen.trick else Text("You lead.")
        yield from self.hand(seen.hand, self.playable(seen))

    def trick(self, seen: PlayingView) -> Text:
        """The current trick, and its winner so far."""
        text = _of("On the table: ", self.plays(seen.rules, seen.trick, seen.winning_seat))
        if len(seen.trick) > 1:
            winner = seen.winning_seat
            text.append(f". {'Nobody' if winner is None else self.who(winner)}{GLUE}")
            text.append("would win it.")
        return text

    def taken_so_far(self, deal: PlayedDealView) -> Text:
        """The points of each player in a deal, and the special cards that they have captured."""
        rules = deal.start.rules
        parts: list[Text] = []
        for seat in range(rules.players):
            special = self.special(rules, deal.captured[seat])
            points = deal.card_points[seat]
            if points or special:
                named = _of(f"{GLUE}(", self.cards(special), ")") if special else ""
                parts.append(_of(f"{self.who(seat)}{GLUE}{self.shown(rules, points)}", named))
        return _of("Points in this deal: ", _joined(parts) if parts else "nobody has any", ".")

    @staticmethod
    def shown(rules: Rules, points: int) -> int:
        """Convert penalty points to points of the displayed score."""
        return display_score(rules, points) - display_score(rules, 0)

    @staticmethod
    def special(rules: Rules, cards: Cards) -> list[Card]:
        """The cards that count and are not hearts."""
        return [card for card in cards if card.suit is not Suit.HEARTS and Pen.counts(rules, card)]

    @staticmethod
    def playable(seen: PlayingView) -> Cards:
        """The cards of the hand that may be played now."""
        return Cards([card for card, reasons in why_illegal_cards(seen) if not reasons])

    def free(self, seen: View) -> Cards:
        """The cards of the hand that may be chosen now."""
        if isinstance(seen, PassingView):
            return seen.hand - self.locked(seen)
        if isinstance(seen, ExposingView):
            return self.exposable(seen)
        return self.playable(seen) if isinstance(seen, PlayingView) else Cards()

    def hand(self, hand: Cards, free: Cards) -> Iterator[Line]:
        """A hand by suit. Cards that may not be chosen are dimmed, in parentheses."""
        if self.plain:
            yield Text(f"You may choose: {self._spoken(free)}.")
            if len(free) < len(hand):
                yield Text(f"You also hold, but may not choose: {self._spoken(hand - free)}.")
            return
        yield Text("Your hand:")
        for suit in Suit:
            row = [
                self.card(card) if card in free else Text(f"({self.card(card)})", style=_DIM)
                for card in hand.of_suit(suit)
            ]
            if row:
                yield _of("  ", _joined(row, " "))

    def _spoken(self, cards: Cards) -> str:
        suits = [", ".join(map(str, cards.of_suit(suit))) for suit in Suit]
        named = [f"{suit.name.lower()} {text}" for suit, text in zip(Suit, suits, strict=True) if text]
        return "; ".join(named) or "nothing"

    def moon(self, seen: ChoosingMoonView) -> Iterator[Line]:
        """The prompt for the effect of a moon."""
        yield self.heading(f"Deal {seen.deal_number + 1}: {self.who(seen.shooter)} shot the moon")
        for number, row in enumerate((seen.others_up, seen.shooter_down), 1):
            yield _of(f"{number} = {row.effect}: ", self.changes(seen.rules, seen.scores, row))

    # Commands

    def help(self, seen: View) -> Iterator[Line]:
        """The answers and commands that can be typed."""
        if isinstance(seen, PassingView):
            needed = sum([count for _, count in seen.step]) or 2
            example = " ".join(map(str, list(seen.hand - self.locked(seen))[:needed]))
            yield Text(f"Type the cards that you pass, such as {example}.")
            if len(seen.step) > 1:
                yield Text("First come the cards of the first gift, then those of the next.")
        elif isinstance(seen, ExposingView):
            yield Text(f"Type the cards that you show, or none. They stay in your hand. {_WHAT_SHOWING_DOES}")
            if not self.exposable(seen):
                yield Text("You hold no card that may be shown: Enter goes on.")
        elif isinstance(seen, PlayingView):
            example = str(next(iter(self.playable(seen))))
            yield Text(f"Type the card that you play, such as {example}, or only its rank where that is enough.")
            yield Text("If only one card may be played, Enter plays it.")
            if not self.plain:
                yield Text("Cards in parentheses may not be played now.")
        elif isinstance(seen, ChoosingMoonView):
            yield Text("Type 1 or 2.")
        else:
            yield Text("Enter goes on.")
        for word, meaning in COMMANDS.items():
            yield _of(Text(word, style=_HEADING), f": {meaning}")

    def why(self, seen: View) -> Iterator[Line]:
        """The reasons against cards of the hand, each with its cards."""
        if isinstance(seen, PassingView):
            locked = self.locked(seen).faces()
            if locked:
                yield _of(self.cards(locked), ": may not be passed under these rules")
            else:
                yield Text("Every card of your hand may be passed.")
            return
        by_code: dict[tuple[str, ...], list[Card]] = {}
        against = dict(why_illegal_cards(seen))
        for card, reasons in against.items():
            if reasons:
                by_code.setdefault(tuple([reason.code for reason in reasons]), []).append(card)
        for cards in by_code.values():
            said = [self.reason(reason, seen) for reason in against[cards[0]]]
            others = f" (the same goes for {' '.join(map(str, cards[1:]))})" if len(cards) > 1 else ""
            yield Text(f"{'; '.join(said)}{others}")
        if not by_code:
            what = "shown" if isinstance(seen, ExposingView) else "played"
            yield Text(f"Every card of your hand may be {what}." if against else "You hold no cards now.")

    def passed(self, seen: View) -> Iterator[Line]:
        """The cards that the reader passed and received in this deal."""
        if isinstance(seen, PassingView):
            yield Text("The cards have not been passed yet.")
            return
        played = deal_of(seen)
        start = seen.start if isinstance(seen, ExposingView) else None if played is None else played.start
        if start is not None and start.seat is None and start.pass_counts:
            yield Text("There was a pass. Each player is told only about their own.")
            return
        if start is None or start.commitment is None:
            yield Text("There was no pass in this deal.")
            return
        yield _of("You passed: ", self.cards(start.passed))
        yield _of("You received: ", self.cards(start.received))

    def last_trick(self, seen: View) -> Iterator[Line]:
        """The last completed trick."""
        played = deal_of(seen)
        if played is None or not played.tricks:
            yield Text("No trick has been completed in this deal.")
            return
        trick = played.tricks[-1]
        winner = "nobody" if trick.winner is None else self.who(trick.winner)
        yield _of(
            f"Trick {played.trick_number}: ", self.plays(seen.rules, trick.plays, trick.winner), f". Won by {winner}."
        )

    def taken(self, seen: View) -> Iterator[Line]:
        """The tricks and penalty cards of each player."""
        played = deal_of(seen)
        if played is None:
            yield Text("Nothing has been taken in this deal yet.")
            return
        rules = seen.rules
        for seat, (pile, points) in enumerate(zip(played.captured, played.card_points, strict=True)):
            worth = [card for card in pile if self.counts(rules, card)]
            cost = counted(self.shown(rules, points), "point")
            text = f"{self.who(seat)}: {counted(played.tricks_won[seat], 'trick')}, {cost}"
            yield _of(
                text, ": " if worth else "", _joined([self.marked(rules, card, played.shown) for card in worth], " ")
            )
        if played.set_aside:
            yield _of("Set aside: ", self.cards(played.set_aside))
        if played.kitty_taker is not None:
            cards = self.cards(played.kitty) if played.kitty is not None else "hidden"
            yield _of(f"The kitty, taken by {self.who(played.kitty_taker)}: ", cards)

    @staticmethod
    def counts(rules: Rules, card: Card) -> bool:
        """Whether a card counts when it is captured."""
        return bool(card.bit & rules.compiled.counting)

    def marked(self, rules: Rules, card: Card, shown: tuple[Cards, ...]) -> Text:
        """A card, with its bonus or factor after what has been shown."""
        compiled = compiled_with(rules, shown)
        note = "".join([f"{GLUE}(bonus{GLUE}{each.points})" for each in compiled.bonuses if each.faces == card.bit])
        if card.bit == compiled.doubler:
            note = f"{GLUE}(times{GLUE}{compiled.doubler_factor})"
        return _of(self.card(card), note)

    @staticmethod
    def gain(rules: Rules, cards: Cards, shown: tuple[Cards, ...]) -> str:
        """The worth of captured cards: `13 points, the bonus and the doubler`."""
        values = compiled_with(rules, shown).values
        bonuses = sum([cards.count(bonus.card) for bonus in rules.bonuses])
        parts = [counted(sum([values[card.index] for card in cards]), "point")]
        if bonuses:
            parts.append("the bonus" if bonuses == 1 else f"{bonuses} bonuses")
        if rules.doubler is not None and rules.doubler.card in cards:
            parts.append("the doubler" if cards.count(rules.doubler.card) == 1 else "both doublers")
        *first, last = parts
        return f"{', '.join(first)} and {last}" if first else last

    def rules(self, rules: Rules, *, everything: bool = False) -> Iterator[Line]:
        """The rules in sentences: those that differ from the usual four-player game, or all."""
        usual = () if everything else describe(Rules())
        with_names = describe(rules, names=self.seating.names)
        sentences = [named for plain, named in zip(describe(rules), with_names, strict=True) if plain not in usual]
        yield from map(Text, sentences or ["The usual four-player game to 100."])

    # Assessments

    def moves(self, assessment: Assessment, width: int) -> Iterator[Line]:
        """The assessment of each move, the best first."""
        errors = width >= _WITH_ERRORS
        if self.plain:
            for each in assessment.moves:
                yield Text(f"{hint(assessment, move=each.move)}.")
        else:
            table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
            table.add_column("move", overflow="fold")
            for name in ("points", *([""] if errors else []), "moon", "against", "match"):
                table.add_column(name, justify="right", no_wrap=True)
            for number, each in enumerate(assessment.moves):
                chances = [f"{100 * chance:.0f} %" for chance in (each.moon, each.moon_against, each.win)]
                points = [f"{assessment.shown(each.points):.1f}"]
                if errors and each.points_interval is not None:
                    points.append(f"± {(each.points_interval[1] - each.points_interval[0]) / 2:.1f}")
                style = _HEADING if not number else ""
                table.add_row(self.named(each.move), *points, *chances, style=style)
            yield table
        yield Text(f"By {counted(assessment.worlds, 'deal')} that agree with what you know.")

    def named(self, move: Move) -> Text:
        """A move in short."""
        if isinstance(move, Play):
            return self.card(move.card)
        if isinstance(move, Pass):
            if not move.gifts:
                return Text("pass nothing")
            return _joined([self.cards(gift) for gift in move.gifts], " / ")
        if isinstance(move, Expose):
            return self.cards(move.cards)
        assert isinstance(move, ChooseMoon)
        return Text(str(move.effect))

    # Scores

    def changes(self, rules: Rules, before: Sequence[int], row: DealScore) -> Text:
        """The changes of the displayed totals in a deal."""
        return Text(
            ", ".join(
                [
                    f"{self.who(seat)}{GLUE}{self.shown(rules, after - total):+}"
                    for seat, (total, after) in enumerate(zip(before, row.totals, strict=True))
                ]
            )
        )

    def between_deals(self, seen: AwaitingDealView | GameOverView) -> Iterator[Line]:
        """The end of a deal, or of the game."""
        over = isinstance(seen, GameOverView)
        yield self.heading("The game is over" if over else f"After deal {seen.deal_number}")
        if isinstance(seen, GameOverView):
            yield Text(f"Won by: {self.several(seen.winners)}")

    def sheet(self, seen: View, width: int) -> Iterator[Line]:
        """The score sheet: the changes of each deal and the totals, as displayed."""
        rules = seen.rules
        rows = seen.deal_scores
        first = seen.deal_number + isinstance(seen, GameOverView) - len(rows)
        totals = [(0,) * rules.players, *[row.totals for row in rows]]
        shown = [[display_score(rules, total) for total in line] for line in totals]
        if not rows:
            yield Text("No deal has been scored yet.")
        elif self.plain:
            for number, row in enumerate(rows):
                yield _of(f"Deal {first + number + 1}: ", self.changes(rules, totals[number], row), ".")
        else:
            yield from self._blocks(shown, first, width)
        for number, row in enumerate(rows, first + 1):
            if row.shooter is not None:
                sun = ", taking every trick" if row.sun else ""
                yield Text(f"Deal {number}: {self.who(row.shooter)} shot the moon{sun} ({row.effect}).")
        if rows:
            yield Text("Standing: " + "; ".join(self._standing(rules, totals[-1])))
        yield Text(self._goal(rules))

    def _blocks(self, shown: list[list[int]], first: int, width: int) -> Iterator[Table]:
        """A row for each player and a column for each deal, split into tables that fit the width."""
        players = range(len(shown[0]))
        names = [self.seating.who(seat, self.reader) for seat in players]
        deals = len(shown) - 1
        cells = [[f"{shown[n + 1][seat] - shown[n][seat]:+}" for seat in players] for n in range(deals)]
        widths = [max(len(str(first + n + 1)), *map(len, cells[n])) + 2 for n in range(deals)]
        available = width - max(map(len, names)) - 2
        start = 0
        while start < deals:
            end = start
            used = max(len("total"), *[len(str(total)) for line in shown for total in line])
            while end < deals and (end == start or used + widths[end] <= available):
                used += widths[end]
                end += 1
            table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
            table.add_column("deal", overflow="fold")
            for n in range(start, end):
                table.add_column(str(first + n + 1), justify="right", no_wrap=True)
            table.add_column("total", justify="right", no_wrap=True)
            for seat in players:
                row = [cells[n][seat] for n in range(start, end)]
                style = _HEADING if seat == self.reader else ""
                table.add_row(names[seat], *row, str(shown[end][seat]), style=style)
            yield table
            start = end

    def _standing(self, rules: Rules, totals: tuple[int, ...]) -> Iterator[str]:
        for standing in standings(rules, totals):
            total = display_score(rules, standing.total)
            yield f"{standing.place}.{GLUE}{self.several(standing.seats)}{GLUE}{total}"

    @staticmethod
    def _goal(rules: Rules) -> str:
        goals: list[str] = []
        limits = [limit for limit in (rules.target, -(rules.bonus_target or 0)) if limit]
        if limits:
            passes = "reaches" if rules.target_test is TargetTest.REACHED else "passes"
            side = "team" if rules.teams and rules.target_scope is TargetScope.SIDE else "player"
            shown = " or ".join([str(display_score(rules, limit)) for limit in limits])
            goals.append(f"when a {side} {passes} {shown}")
        if rules.max_deals is not None:
            goals.append(f"after {counted(rules.max_deals, 'deal')}")
        best = "lowest" if rules.reckoning is Reckoning.PENALTY else "highest"
        return f"The game ends {' or '.join(goals)}; the {best} total wins."

    # Events

    def story(self, before: View, events: Iterable[Event]) -> Iterator[Line]:
        """Tell the events after a view in sentences. They are redacted for the reader."""
        rules = before.rules
        new: list[Play] = []
        shown = before.shown if isinstance(before, PlayingView) else ()
        nobody_shows = rules.exposure is Exposure.TOGETHER
        for event in events:
            match event:
                case CardsDealtHidden():
                    number = before.deal_number
                    yield Text(f"Deal {number + 1}: {self.who(before.dealer)} dealt.")
                    if rules.step(number) == HOLD:
                        yield Text("No cards are passed.")
                case PassCommitted(move=move) if isinstance(before, PassingView):
                    yield _of("You pass ", self.gifts(move, before), ".")
                case CardsPassedHidden(received=received, counts=counts):
                    none = [seat for seat, count in enumerate(counts) if not count]
                    if rules.step(before.deal_number) == ANY_NUMBER:
                        laid = [f"{self.who(seat)} {count}" for seat, count in enumerate(counts)]
                        yield Text(f"Cards laid into the middle: {', '.join(laid)}.")
                    elif none:
                        yield Text(f"Declined to pass: {self.several(none)}.")
                    if received:
                        yield _of("You receive ", self.cards(received), ".")
                    else:
                        yield Text("You keep your cards.")
                case ExposureCommitted(move=move):
                    yield _of("You have decided to show ", self.cards(move.cards) if move.cards else "nothing", ".")
                case CardsShown(seat=seat, cards=cards):
                    nobody_shows = False
                    yield _of(f"{self.who(seat)} showed ", self.cards(cards) if cards else "nothing", ".")
                case PlayBegan() if nobody_shows and isinstance(before, ExposingView):
                    yield Text("Nobody showed a card.")
                case CardPlayed(seat=seat, card=card):
                    new.append(Play(seat, card))
                case HeartsBroken(seat=seat, card=card):
                    yield _of(f"{self.who(seat)} ", self.card(card), ": hearts are broken.")
                case TrickWon(winner=winner, cards=cards):
                    yield _of(
                        self._trick(before, new, winner),
                        f". Taken by {self.who(winner)}: {self.gain(rules, cards, shown)}.",
                    )
                case TrickVoid():
                    yield _of(self._trick(before, new, None), ". Nobody wins it: it is set aside.")
                case KittyTaken(seat=seat, cards=cards):
                    yield _of(f"The kitty goes to {self.who(seat)}: ", self.cards(cards), ".")
                case KittyTakenHidden(seat=seat):
                    yield Text(f"The kitty goes to {self.who(seat)}.")
                case MoonShot(shooter=shooter):
                    yield Text(f"{self.who(shooter)} shot the moon. The shooter chooses what it does.")
                case MoonChosen(seat=seat, effect=effect):
                    yield Text(f"{self.who(seat)} chose {effect}.")
                case DealScored(score=score):
                    yield _of("The deal is over: ", self.changes(rules, before.scores, score), ".")
                case (
                    PlayBegan()
                    | PassCommittedHidden()
                    | ExposureCommittedHidden()
                    | GameEnded()
                    | PassCommitted()
                    | CardsDealt()
                    | CardsPassed()
                ):
                    # The next prompt shows the leader and the winners; no reader gets the others.
                    pass
                case _:
                    assert_never(event)

    def _trick(self, before: View, new: Sequence[Play], winner: Seat | None) -> Text:
        plays = [*before.trick, *new] if isinstance(before, PlayingView) else new
        number = before.trick_number + 1 if isinstance(before, PlayingView) else 1
        return _of(f"Trick {number}: ", self.plays(before.rules, plays, winner))
