"""Texts from views and redacted events.

No function takes a state, so no text can show hidden cards.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
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
    Phase,
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
from heartsrules.apps.terminal.seating import ALONE, Seating
from heartsrules.apps.terminal.words import COMMAND_KEYS, ENGLISH, Phrases, Selector
from heartsrules.messages import describe, text
from heartsrules.pictures.facts import TableFacts, change, changes, displayed
from heartsrules.pictures.svg import card_name
from heartsrules.play import events as E
from heartsrules.play import violations as V
from heartsrules.play.exposing import resolved_with
from heartsrules.rules import ANY_NUMBER, HOLD, Exposure, Moon, ScoreDisplay, TargetScope
from heartsrules.views import ChoosingMoonView, DealtView, ExposingView, PassingView, PlayingView, deal_of

GLUE: Final = "\ue000"
"""A placeholder of a blank without a line break, as between a name and a card."""

Line: TypeAlias = Text | Table
"""A line of output, or a table."""

_DIM: Final = "dim"
_HEADING: Final = "bold"
_RED: Final = "red"
_WINS: Final = "bold green"
_WITH_ERRORS: Final = 60
"""The least columns of a table of moves with standard errors."""


def _joined(parts: Iterable[Text | str], between: str = ", ") -> Text:
    return Text(between).join(map(Text.assemble, parts))


@attrs.frozen
class Pen:
    """A writer of texts for one reader."""

    seating: Seating
    reader: Seat | None
    """The reader's seat, or None for all players together."""
    plain: bool
    """True to write sentences, for screen readers and pipes."""
    words: Phrases = ENGLISH

    # Parts of lines

    def who(self, seat: Seat) -> str:
        return self._who(seat).replace(" ", GLUE)

    def _who(self, seat: Seat) -> str:
        name = self.seating.names[seat]
        return self.words.tell("you") if seat == self.reader or name == ALONE else name

    @property
    def names(self) -> list[str]:
        return list(map(self._who, range(len(self.seating.names))))

    def player(self, seat: Seat | None) -> dict[str, object]:
        """Return a pattern's arguments for a player, who can be the reader or no one."""
        if seat is None:
            return {"name": "", "you": False, "nobody": True}
        return {"name": self.who(seat), "you": seat == self.reader, "nobody": False}

    def several(self, seats: Sequence[Seat]) -> str:
        return self.words.joined(list(map(self.who, seats)))

    def card(self, card: Card, style: str = "") -> Text:
        return Text(self.words.card(card), style=style or self.colour(card))

    @staticmethod
    def colour(card: Card) -> str:
        return _RED if card.suit in (Suit.DIAMONDS, Suit.HEARTS) else ""

    def cards(self, cards: Iterable[Card]) -> Text:
        return _joined(map(self.card, cards), " ") or self.words.say("term.nothing")

    def plays(self, rules: Rules, plays: Sequence[Play], winner: Seat | None) -> Text:
        """Write a trick's plays, with styles for the winner, penalty cards and discards."""
        return _joined([self._play(rules, play, plays[0].card.suit, play.seat == winner) for play in plays])

    def _play(self, rules: Rules, play: Play, led: Suit, wins: bool) -> Text:
        style = self.colour(play.card)
        if play.card.bit & rules._resolved.counting:
            style += " bold"
        elif play.card.suit is not led:
            style += " dim"
        name = Text(f"{self.who(play.seat)}{GLUE}", style=_WINS if wins else "")
        return Text.assemble(name, self.card(play.card, f"{style} underline" if wins else style))

    def gifts(self, move: Pass, seen: PassingView) -> Text:
        """Write the passed cards with their recipients."""
        if not move.cards:
            return self.words.say("decline")
        return _joined(
            [
                self.words.say("to", what=self.cards(gift), **self.receiver(seen, offset))
                for gift, (offset, _) in zip(move.cards, seen.plan, strict=True)
            ]
        )

    def receiver(self, seen: PassingView, offset: int) -> dict[str, object]:
        """Return a pattern's arguments for a recipient of the view's seat, or the middle."""
        if not offset:
            return {"name": "", "middle": True}
        players = seen.rules.players
        seat = ((seen.seat or 0) + offset) % players
        way = {1: "left", players - 1: "right"}.get(offset % players, "")
        if 2 * (offset % players) == players:
            way = "across"
        return {"name": self.words.tell("at", name=self.who(seat), way=Selector(way)), "middle": False}

    def reason(self, violation: Violation, seen: View) -> str:
        """Write a violation with the players' names."""
        tell = self.words.tell
        if isinstance(violation, V.WrongNumberOfCards) and isinstance(seen, PassingView):
            takes = [
                tell("for", what=tell("cards", count=count), **self.receiver(seen, offset))
                for offset, count in seen.plan
            ]
            given = tell("gifts" if violation.gift is None else "given", count=violation.count)
            if violation.gift is not None and len(seen.plan) > 1:
                given = tell("for", what=given, **self.receiver(seen, seen.plan[violation.gift][0]))
            return tell("wrong-number", given=given, takes=", ".join(takes))
        if isinstance(violation, V.WrongPhase):
            return tell("no-play")
        if isinstance(violation, V.NotYourTurn):
            return tell("turn", **self.player(violation.turn))
        if isinstance(violation, V.NotTheShooter):
            return tell("shooter", **self.player(violation.shooter))
        if isinstance(violation, (V.AlreadyPassed, V.AlreadyDecided)):
            return tell("chosen")
        return text(violation, self.words.language)

    def effect(self, effect: Moon | None) -> str:
        return self.words.tell("picture.effect", effect=effect)

    def heading(self, text: str) -> Text:
        return Text(text, style=_HEADING) if self.plain else Text(f"\n{text}", style=_HEADING)

    # The player's turn

    def situation(self, seen: View) -> Iterator[Line]:
        match seen.phase:
            case Phase.PASS:
                yield from self.passing(seen)
            case Phase.EXPOSE:
                yield from self.exposing(seen)
            case Phase.PLAY:
                yield from self.playing(seen)
            case Phase.MOON:
                yield from self.moon(seen)
            case Phase.DEAL:
                yield self.heading(self.words.tell("after", deal=seen.deal_number))
            case Phase.OVER:
                yield self.heading(self.words.tell("over"))
                yield self.words.say("won-by", names=self.several(seen.winners))

    def passing(self, seen: PassingView) -> Iterator[Line]:
        yield self.heading(self.words.tell("passing", deal=seen.deal_number + 1))
        yield from self.hand(seen.hand, self.free(seen))
        yield self.words.say("pass", gifts=self.takes(seen))
        if seen.rules._resolved.through_middle(seen.deal_number):
            yield self.words.say("shuffled")
        if seen.may_decline:
            yield self.words.say("may-decline", word=self.words.word("decline"))

    def takes(self, seen: PassingView) -> str:
        """Write the number of cards for each recipient of a pass."""
        tell = self.words.tell
        first, *rest = [
            tell("to", what=tell("cards", count=count), **self.receiver(seen, offset)) for offset, count in seen.plan
        ]
        for each in rest:
            first = tell("then", first=first, next=each)
        return first

    def exposing(self, seen: ExposingView) -> Iterator[Line]:
        yield self.heading(self.words.tell("exposing", deal=seen.deal_number + 1))
        yield from self.open_cards(seen)
        free = self.free(seen)
        yield from self.hand(seen.hand, free)
        if free:
            yield self.words.say("may-show", cards=self.cards(free), showing=self.words.say("showing"))
        else:
            yield self.words.say("nothing-to-show")
        if seen.before_pass:
            yield self.words.say("before-pass")

    def open_cards(self, seen: ExposingView | PlayingView) -> Iterator[Line]:
        by_seat = enumerate(seen.face_up)
        parts = [Text.assemble(f"{self.who(seat)}{GLUE}", self.cards(cards)) for seat, cards in by_seat if cards]
        if parts:
            yield self.words.say("lying-open", cards=_joined(parts))

    def playing(self, seen: PlayingView) -> Iterator[Line]:
        numbers = {"deal": seen.deal_number + 1, "trick": seen.trick_number + 1}
        yield self.heading(self.words.tell("playing", **numbers, broken=seen.hearts_broken))
        if seen.set_aside:
            yield self.words.say("set-aside", cards=self.cards(seen.set_aside))
        yield from self.open_cards(seen)
        if seen.tricks:
            yield self.taken_so_far(seen)
        yield self.trick(seen) if seen.trick else self.words.say("lead")
        yield from self.hand(seen.hand, self.free(seen))

    def trick(self, seen: PlayingView) -> Text:
        plays = self.plays(seen.rules, seen.trick, seen.winning_seat)
        if len(seen.trick) == 1:
            return self.words.say("on-table", plays=plays)
        return self.words.say("would-win", plays=plays, **self.player(seen.winning_seat))

    def taken_so_far(self, seen: PlayingView) -> Text:
        """Write each player's points in a deal, and the special cards captured."""
        facts = TableFacts(seen)
        parts: list[Text] = []
        for seat, (pile, points) in enumerate(zip(seen.captured, seen.card_points, strict=True)):
            _, special = facts.counting(pile)
            if points or special:
                named = Text.assemble(f"{GLUE}(", self.cards(special), ")") if special else ""
                parts.append(Text.assemble(f"{self.who(seat)}{GLUE}{change(seen.rules, points)}", named))
        return self.words.say("points-so-far", points=_joined(parts) if parts else self.words.say("no-points"))

    @staticmethod
    def free(seen: View) -> Cards:
        """Return the cards of the hand that may be chosen now."""
        return seen.hand - TableFacts(seen).barred(seen.seat) if isinstance(seen, DealtView) else Cards()

    def hand(self, hand: Cards, free: Cards) -> Iterator[Line]:
        """Write a hand by suit, with illegal cards dimmed in parentheses."""
        if self.plain:
            yield self.words.say("may-choose", cards=self._spoken(free))
            if len(free) < len(hand):
                yield self.words.say("may-not-choose", cards=self._spoken(hand - free))
            return
        yield self.words.say("hand")
        for suit in Suit:
            row = [
                self.card(card) if card in free else Text(f"({self.card(card)})", style=_DIM)
                for card in hand.of_suit(suit)
            ]
            if row:
                yield Text.assemble("  ", _joined(row, " "))

    def _spoken(self, cards: Cards) -> str:
        suits = [(self.words.tell("term.suit", suit=suit), ", ".join(map(str, cards.of_suit(suit)))) for suit in Suit]
        return "; ".join([f"{suit} {held}" for suit, held in suits if held]) or self.words.tell("nothing")

    def moon(self, seen: ChoosingMoonView) -> Iterator[Line]:
        yield self.heading(self.words.tell("moon", deal=seen.deal_number + 1, **self.player(seen.shooter)))
        for number, row in enumerate((seen.others_up, seen.shooter_down), 1):
            yield Text.assemble(f"{number} = {self.effect(row.effect)}: ", self.changes(seen.rules, seen.scores, row))

    # Commands

    def help(self, seen: View, *, keys: bool = False) -> Iterator[Line]:
        """List the possible answers and commands, and say whether keys answer at once."""
        say = self.words.say
        if keys:
            yield say("help-keys")
        if isinstance(seen, PassingView):
            needed = sum([count for _, count in seen.plan]) or 2
            example = " ".join(map(str, list(self.free(seen))[:needed]))
            yield say("help-pass", cards=example)
            if len(seen.plan) > 1:
                yield say("help-gifts")
        elif isinstance(seen, ExposingView):
            yield say("help-show", none=self.words.word("none"), showing=say("showing"))
            if not self.free(seen):
                yield say("help-show-none")
        elif isinstance(seen, PlayingView):
            card = next(iter(self.free(seen)))
            example = self.words.tell("example", name=card_name(card, self.words.language), code=str(card))
            yield say("help-play", card=example)
            yield say("help-enter")
            if not self.plain:
                yield say("help-parentheses")
        elif isinstance(seen, ChoosingMoonView):
            yield say("help-moon")
        else:
            yield say("help-go-on")
        letters = {name: key for key, name in COMMAND_KEYS.items()}
        for name, word in self.words.commands.items():
            typed = f"{word}, {letters[name]}" if name in letters else word
            yield Text.assemble(Text(typed, style=_HEADING), ": ", say(f"does.{name}"))

    def why(self, seen: View) -> Iterator[Line]:
        """Explain why cards of the hand are illegal."""
        say = self.words.say
        if isinstance(seen, PassingView):
            locked = (seen.hand - self.free(seen)).distinct()
            yield say("locked", cards=self.cards(locked)) if locked else say("all-may", phase=seen.phase)
            return
        by_code: dict[tuple[str, ...], list[Card]] = {}
        against = dict(why_illegal_cards(seen))
        for card, reasons in against.items():
            if reasons:
                by_code.setdefault(tuple([reason.code for reason in reasons]), []).append(card)
        for first, *others in by_code.values():
            said = "; ".join([self.reason(reason, seen) for reason in against[first]])
            cards = " ".join(map(self.words.card, others))
            yield say("same-for", reasons=said, cards=cards) if others else Text(said)
        if not by_code:
            yield say("all-may", phase=seen.phase) if against else say("no-cards")

    def passed(self, seen: View) -> Iterator[Line]:
        if seen.phase in (Phase.PASS, Phase.DEAL_BACK):
            yield self.words.say("not-passed-yet")
            return
        played = deal_of(seen)
        started = seen if isinstance(seen, ExposingView) else played
        if started is not None and started.seat is None and started.start.pass_counts:
            yield self.words.say("secret-pass")
            return
        if started is None or started.own.commitment is None:
            yield self.words.say("no-pass")
            return
        yield self.words.say("passed", cards=self.cards(started.passed))
        yield self.words.say("received", cards=self.cards(started.received))

    def before(self, seen: View) -> Iterator[Line]:
        """Write the totals, and the cards that a player of this deal would have seen."""
        yield self.words.say("standing", places="; ".join(self._standing(seen.rules, seen.scores)))
        played = deal_of(seen)
        if played is None:
            return
        yield from self.passed(seen)
        for seat, pile in enumerate(played.captured):
            if pile:
                yield self.words.say("pile", cards=self.cards(pile), **self.player(seat))
        if played.tricks:
            yield from self.last_trick(seen)

    def last_trick(self, seen: View) -> Iterator[Line]:
        played = deal_of(seen)
        if played is None or not played.tricks:
            yield self.words.say("no-trick")
            return
        trick = played.tricks[-1]
        plays = self.plays(seen.rules, trick.plays, trick.winner)
        yield self.words.say("last", trick=played.trick_number, plays=plays, **self.player(trick.winner))

    def taken(self, seen: View) -> Iterator[Line]:
        played = deal_of(seen)
        if played is None:
            yield self.words.say("nothing-taken")
            return
        facts = TableFacts(seen)
        for seat, (pile, points) in enumerate(zip(played.captured, played.card_points, strict=True)):
            hearts, special = facts.counting(pile)
            yield self.words.say(
                "taken",
                name=self.who(seat),
                tricks=played.tricks_won[seat],
                points=change(seen.rules, points),
                some=bool(hearts or special),
                cards=_joined([self.marked(card, facts) for card in hearts + special], " "),
            )
        if played.set_aside:
            yield self.words.say("set-aside", cards=self.cards(played.set_aside))
        if played.kitty_winner is not None:
            yield self.words.say("kitty", **self.player(played.kitty_winner), **self._hidden(played.kitty))

    def _hidden(self, cards: Cards | None) -> dict[str, object]:
        return {"hidden": cards is None, "cards": self.cards(cards or ())}

    def marked(self, card: Card, facts: TableFacts) -> Text:
        """Write a card with its bonus, or its factor for the exposed cards."""
        worth = facts.marks.get(card)
        if worth is None:
            return self.card(card)
        tell = self.words.tell
        note = tell("times", factor=worth) if card == facts.doubler else tell("bonus", points=worth)
        return Text.assemble(self.card(card), f" {note}".replace(" ", GLUE))

    def gain(self, rules: Rules, cards: Cards, shown: tuple[Cards, ...]) -> str:
        """Describe captured cards, as in `13 points, the bonus and the doubler`."""
        values = resolved_with(rules, shown).values
        bonuses = sum([cards.count(bonus.card) for bonus in rules.bonuses])
        tell = self.words.tell
        parts = [tell("points", points=sum([values[card.index] for card in cards]))]
        if bonuses:
            parts.append(tell("bonuses", count=bonuses))
        if rules.doubler is not None and rules.doubler.card in cards:
            parts.append(tell("doublers", count=cards.count(rules.doubler.card)))
        return self.words.joined(parts)

    def rules(self, rules: Rules, *, everything: bool = False) -> Iterator[Line]:
        """Describe all rules, or those that differ from the usual four-player game."""
        language = self.words.language
        usual = () if everything else describe(Rules(), language)
        with_names = describe(rules, language, names=self.names)
        both = zip(describe(rules, language), with_names, strict=True)
        yield from [Text(named) for plain, named in both if plain not in usual] or [self.words.say("usual")]

    # Assessments

    def moves(self, assessment: Assessment, width: int) -> Iterator[Line]:
        errors = width >= _WITH_ERRORS
        if self.plain:
            for each in assessment.moves:
                yield Text(f"{hint(assessment, self.words.language, move=each.move, names=self.names)}.")
        else:
            table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
            move, points_column, *others = self.words.listed("columns")
            table.add_column(move, overflow="fold")
            for name in (points_column, *([""] if errors else []), *others):
                table.add_column(name, justify="right", no_wrap=True)
            for number, each in enumerate(assessment.moves):
                chances = [f"{100 * chance:.0f} %" for chance in (each.moon, each.moon_against, each.win)]
                points = [f"{assessment.shown(each.points):.1f}"]
                if errors and each.points_interval is not None:
                    points.append(f"± {(each.points_interval[1] - each.points_interval[0]) / 2:.1f}")
                style = _HEADING if not number else ""
                table.add_row(self.named(each.move), *points, *chances, style=style)
            yield table
        yield self.words.say("worlds", worlds=assessment.worlds)

    def move(self, move: Move) -> str:
        if isinstance(move, Play):
            return self.words.card(move.card)
        phases = ((Expose, Phase.EXPOSE), (Pass, Phase.PASS), (ChooseMoon, Phase.MOON))
        phase = next((phase for kind, phase in phases if isinstance(move, kind)), Phase.DEAL)
        return self.words.tell("move", phase=phase)

    def named(self, move: Move) -> Text:
        if isinstance(move, Play):
            return self.card(move.card)
        if isinstance(move, Pass):
            if not move.cards:
                return self.words.say("pass-nothing")
            return _joined([self.cards(gift) for gift in move.cards], " / ")
        if isinstance(move, Expose):
            return self.cards(move.cards)
        assert isinstance(move, ChooseMoon)
        return Text(self.effect(move.effect))

    # Scores

    def changes(self, rules: Rules, before: Sequence[int], row: DealScore) -> Text:
        given = enumerate(changes(rules, before, row.totals))
        return Text(", ".join([f"{self.who(seat)}{GLUE}{points:+}" for seat, points in given]))

    def sheet(self, seen: View, width: int) -> Iterator[Line]:
        """Show the score sheet, with each deal's changes and the totals, as displayed."""
        rules = seen.rules
        rows = seen.score_sheet
        first = rows.first
        totals = [rows.start, *[row.totals for row in rows]]
        if not rows:
            yield self.words.say("no-deal")
        elif self.plain:
            for number, row in enumerate(rows):
                changes = self.changes(rules, totals[number], row)
                yield self.words.say("changes", deal=first + number + 1, changes=changes)
        else:
            yield from self._blocks(rules, totals, first, width)
        for number, row in enumerate(rows, first + 1):
            if row.shooter is not None:
                shooter, effect = self.who(row.shooter), self.effect(row.effect)
                yield self.words.say("shot", deal=number, name=shooter, sun=row.sun, effect=effect)
        if rows:
            yield self.words.say("standing", places="; ".join(self._standing(rules, totals[-1])))
        yield Text(self._goal(rules))

    def _blocks(self, rules: Rules, totals: list[tuple[int, ...]], first: int, width: int) -> Iterator[Table]:
        players = range(rules.players)
        names = self.names
        heads = [self.words.tell(name) for name in ("deal", "total")]
        shown = [displayed(rules, line) for line in totals]
        deals = len(totals) - 1
        cells = [[f"{points:+}" for points in changes(rules, *lines)] for lines in pairwise(totals)]
        column = max(len(str(first + deals)), *[len(change) for row in cells for change in row]) + 2
        last = max(len(heads[1]), *[len(str(total)) for line in shown for total in line])
        count = max(1, (width - max(map(len, names)) - 2 - last) // column)
        for start in range(0, deals, count):
            end = min(start + count, deals)
            table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
            table.add_column(heads[0], overflow="fold")
            for n in range(start, end):
                table.add_column(str(first + n + 1), justify="right", no_wrap=True)
            table.add_column(heads[1], justify="right", no_wrap=True)
            for seat in players:
                row = [cells[n][seat] for n in range(start, end)]
                style = _HEADING if seat == self.reader else ""
                table.add_row(names[seat], *row, str(shown[end][seat]), style=style)
            yield table

    def _standing(self, rules: Rules, totals: tuple[int, ...]) -> Iterator[str]:
        for standing in standings(rules, totals):
            total = display_score(rules, standing.total)
            yield f"{standing.place}.{GLUE}{self.several(standing.seats)}{GLUE}{total}"

    def _goal(self, rules: Rules) -> str:
        goals: list[str] = []
        tell = self.words.tell
        limits = [limit for limit in (rules.target, -(rules.bonus_target or 0)) if limit]
        if limits:
            team = bool(rules.teams) and rules.target_scope is TargetScope.SIDE
            totals = list(map(str, displayed(rules, limits)))
            either = tell("term.or", others=totals[0], last=totals[1]) if len(totals) > 1 else totals[0]
            goals.append(tell("goal-target", team=team, target_test=rules.target_test, totals=either))
        if rules.max_deals is not None:
            goals.append(tell("goal-deals", deals=rules.max_deals))
        either = tell("term.or", others=goals[0], last=goals[1]) if len(goals) > 1 else goals[0]
        return tell("goal", goals=either, lowest=rules.score_display is ScoreDisplay.PENALTY)

    # Events

    def story(self, before: View, events: Iterable[Event]) -> Iterator[Line]:
        """Describe the events after a view, redacted for the reader, in sentences."""
        rules = before.rules
        new: list[Play] = []
        shown = before.exposed if isinstance(before, PlayingView) else ()
        nobody_shows = rules.exposure is Exposure.TOGETHER
        say = self.words.say
        for event in events:
            match event:
                case E.CardsDealtHidden():
                    number = before.deal_number
                    yield say("dealt", deal=number + 1, **self.player(before.dealer))
                    if rules.pass_plan(number) == HOLD:
                        yield say("hold")
                case E.PassCommitted(move=move) if isinstance(before, PassingView):
                    yield say("pass", gifts=self.gifts(move, before))
                case E.CardsPassedHidden(received=received, counts=counts):
                    none = [seat for seat, count in enumerate(counts) if not count]
                    if rules.pass_plan(before.deal_number) == ANY_NUMBER:
                        laid = [f"{self.who(seat)} {count}" for seat, count in enumerate(counts)]
                        yield say("laid", counts=", ".join(laid))
                    elif none:
                        yield say("declined", names=self.several(none))
                    yield say("you-receive", cards=self.cards(received)) if received else say("keep")
                case E.ExposureCommitted(move=move):
                    yield say("decided", none=not move.cards, cards=self.cards(move.cards))
                case E.CardsExposed(seat=seat, cards=cards):
                    nobody_shows = False
                    yield say("showed", none=not cards, cards=self.cards(cards), **self.player(seat))
                case E.PlayBegan() if nobody_shows and isinstance(before, ExposingView):
                    yield say("nobody-showed")
                case E.CardPlayed(seat=seat, card=card):
                    new.append(Play(seat, card))
                case E.HeartsBroken(seat=seat, card=card):
                    yield say("broken", name=self.who(seat), card=self.card(card))
                case E.TrickWon(winner=winner, cards=cards):
                    trick, gain = self._trick(before, new, winner), self.gain(rules, cards, shown)
                    yield say("trick-won", trick=trick, gain=gain, **self.player(winner))
                case E.TrickVoid():
                    yield say("trick-void", trick=self._trick(before, new, None))
                case E.KittyTaken(seat=seat) | E.KittyTakenHidden(seat=seat):
                    taken = event.cards if isinstance(event, E.KittyTaken) else None
                    yield say("kitty-goes", **self.player(seat), **self._hidden(taken))
                case E.MoonShot(shooter=shooter):
                    yield say("moon-shot", **self.player(shooter))
                case E.MoonChosen(seat=seat, effect=effect):
                    yield say("moon-chosen", effect=self.effect(effect), **self.player(seat))
                case E.DealScored(score=score):
                    yield say("deal-over", changes=self.changes(rules, before.scores, score))
                case (
                    E.PlayBegan()
                    | E.PassCommittedHidden()
                    | E.ExposureCommittedHidden()
                    | E.GameEnded()
                    | E.PassCommitted()
                    | E.CardsDealt()
                    | E.CardsPassed()
                ):
                    # The next prompt shows the leader and the winners; the other events never get here.
                    pass
                case _:
                    assert_never(event)

    def _trick(self, before: View, new: Sequence[Play], winner: Seat | None) -> Text:
        plays = [*before.trick, *new] if isinstance(before, PlayingView) else new
        number = before.trick_number + 1 if isinstance(before, PlayingView) else 1
        return self.words.say("trick", trick=number, plays=self.plays(before.rules, plays, winner))
