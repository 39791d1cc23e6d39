"""A reader for the game files of xinxin, Nathan Sturtevant's Hearts program.

The program saves its user's games in a file that ends in `.play`. The source of the format is `HeartsGameHistories.cpp`
in [nathansttt/hearts](https://github.com/nathansttt/hearts), version of August 2020.

A file consists of numbers separated by white space, and three names:

- the number of games;
- for each game, the number of deals and, on a separate line, the names of seats 0 to 2 and the rule flags;
- for each deal, each seat's points; each seat's hand as four sets of cards (spades, diamonds, clubs, hearts; the ace is
  bit 0, the two bit 12) and its three passed cards, or -1 for each; and the 52 cards in the order of play.

A card is a number, 16 times its suit plus its rank in the same order: 0 is ♠A, 2 is ♠Q, 44 is ♣2, 48 is ♥A. The hands
are those *after* the pass.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

import attrs

from heartsrules.base.values import checked_int, wrong_type
from heartsrules.cards import Card, Cards, Rank, Suit
from heartsrules.formats.foreign.logs import applied
from heartsrules.formats.notation.scan import Source, parse_int
from heartsrules.play.engine import new_game
from heartsrules.play.game import Record
from heartsrules.play.moves import Deal, Move, Pass, Play
from heartsrules.play.state import Playing, State
from heartsrules.rules import (
    HOLD,
    MAX_DEALS,
    Bonus,
    FirstTrick,
    HeartsLead,
    Moon,
    OpeningCard,
    OpeningLeader,
    PassStep,
    QueenBreaks,
    Rules,
    Seat,
    Tie,
    across,
    default_pass_cycle,
    left,
    right,
)

__all__ = ["read_xinxin", "rules_of_flags"]
__dir__ = __all__.copy

QUEEN: Final = 0x0001
JACK: Final = 0x0002
NO_TRICKS: Final = 0x0004
JACK_FOR_MOON: Final = 0x0010
TWO_OF_CLUBS_LEADS: Final = 0x0020
CLUBS_LEAD: Final = 0x0040
NO_HEARTS_FIRST: Final = 0x0080
NO_QUEEN_FIRST: Final = 0x0100
QUEEN_BREAKS: Final = 0x0200
MUST_BREAK: Final = 0x0800
HEARTS_FREE: Final = 0x1000
NO_MOON: Final = 0x2000

_SEATS: Final = 4
_DEALT: Final = 13
_CARDS: Final = 52
_PASSED: Final = 3
_SUITS: Final = (Suit.SPADES, Suit.DIAMONDS, Suit.CLUBS, Suit.HEARTS)
_CARD_OF: Final = {
    16 * place + number: Card.of(rank, suit)
    for place, suit in enumerate(_SUITS)
    for number, rank in enumerate(reversed(Rank))
}
_NO_CARD: Final = -1
_STEPS: Final = {1: left(), 2: across(), 3: right()}
_NUMBER: Final = re.compile(r"\S+")
_LINE: Final = re.compile(r"[^\S\n]*+\n?+[^\n]*+")
"""A pattern for the line of the names, from the end of the preceding number."""


def rules_of_flags(flags: int, *, target: int | None = None) -> Rules:
    """Return the rule set for a game's flags.

    Unused bits are ignored, and so is whether there is a pass, which each deal shows. If only the ♠Q is barred from the
    first trick, all discards are allowed there, because no option has that rule.

    Args:
        flags: the number after the names.
        target: the total that ends a game, which is not in the file; the program's own is 100. Defaults to no limit,
            which also applies if no card counts.

    >>> rules = rules_of_flags(0x0001 | 0x0020 | 0x0080 | 0x0100 | 0x0200 | 0x0800)
    >>> rules.opening_card, rules.queen_breaks, rules.first_trick
    (OpeningCard.LOWEST_CLUB, QueenBreaks.PLAYED, FirstTrick.NO_POINTS)

    Raises:
        InvalidRules: there is no such target.
    """
    number = checked_int("flags", flags)
    if number & HEARTS_FREE and not number & QUEEN:
        target = None
    has_moon = not number & (NO_MOON | HEARTS_FREE)
    bars_hearts = bool(number & NO_HEARTS_FIRST)
    leader, card = OpeningLeader.DEALER_LEFT, OpeningCard.ANY
    if number & (TWO_OF_CLUBS_LEADS | CLUBS_LEAD):
        leader = OpeningLeader.LOWEST_CLUB
        card = OpeningCard.LOWEST_CLUB if number & TWO_OF_CLUBS_LEADS else OpeningCard.ANY_CLUB
    return Rules(
        first_dealer=_SEATS - 1,
        opening_leader=leader,
        opening_card=card,
        first_trick=(FirstTrick.NO_POINTS if number & NO_QUEEN_FIRST else FirstTrick.NO_HEARTS)
        if bars_hearts
        else FirstTrick.FREE,
        hearts_lead=HeartsLead.WHEN_BROKEN if number & MUST_BREAK else HeartsLead.ANY_TIME,
        queen_breaks=QueenBreaks.PLAYED if number & QUEEN_BREAKS and number & MUST_BREAK else QueenBreaks.NEVER,
        heart_values=(0,) * _DEALT if number & HEARTS_FREE else (1,) * _DEALT,
        queen_points=13 if number & QUEEN else 0,
        bonuses=(Bonus(Card("JD"), 10),) if number & JACK else (),
        no_tricks_bonus=5 if number & NO_TRICKS else 0,
        no_tricks_bonus_on_moon=False,
        moon=Moon.OTHERS_UP if has_moon else Moon.OFF,
        moon_points=26 if has_moon else None,
        moon_needs_bonus=bool(number & JACK and number & JACK_FOR_MOON and has_moon),
        target=target,
        max_deals=MAX_DEALS if target is None else None,
        tie=Tie.SHARED,
    )


@attrs.frozen
class _LoggedDeal:
    """A deal of the file, with the cards' positions."""

    points: tuple[int, ...]
    hands: tuple[Cards, ...]
    """Each seat's hand after the pass."""
    passed: tuple[Cards, ...]
    offset: int
    """The number of seats to the left that the passed cards went, or 0 without a pass."""
    plays: tuple[tuple[int, Card], ...]
    at: int


@attrs.frozen
class _Game:
    names: tuple[str, ...]
    flags: int
    deals: tuple[_LoggedDeal, ...]


def read_xinxin(text: str, *, target: int | None = None) -> tuple[Record, ...]:
    """Read the games of a file as records of legal moves.

    The records have the points of the file, so `heartsrules.play.game.verify` checks whether the rules agree.

    Args:
        text: a complete `.play` file, or a single game without the number of games, as the program transmits it.
        target: as for `rules_of_flags`. Where the ♦J counts (flags 2 and 16), the program scores a moon differently, so
            its games can go beyond 100.

    Returns:
        One record for each game. Its tags are the names of seats 0 to 2 (`Seat0`) and the flags (`Flags`).

    Raises:
        InvalidNotation: the text is not such a file; the message gives line, column and the expected text.
        IllegalMove: the rules forbid a move; a note gives its line and column.
        InvalidRules: as for `rules_of_flags`.
    """
    if not isinstance(text, str):
        wrong_type("text", "a str", text)
    if target is not None:
        checked_int("target", target)
    reader = _Reader(text)
    return tuple([_record(game, reader, target) for game in reader.games()])


class _Reader:
    def __init__(self, text: str) -> None:
        self.source = Source(text)
        self.at = 0

    def place(self, at: int) -> str:
        text = self.source.text
        return f"line {text.count(chr(10), 0, at) + 1}, column {at - text.rfind(chr(10), 0, at)}"

    def games(self) -> list[_Game]:
        count = self._number("how many games there are", least=0)[1]
        start = self.at
        # A single game begins with its number of deals, followed by the line of names.
        if _NUMBER.search(self.source.text, start) is None or self._alone():
            games = [self._game(self._number("how many deals there are", least=0)[1]) for _ in range(count)]
        else:
            games = [self._game(count)]
        rest = _NUMBER.search(self.source.text, self.at)
        if rest is not None:
            self.source.fail(rest.start(), "the end of the text")
        return games

    def _alone(self) -> bool:
        text, found = self.source.text, _NUMBER.search(self.source.text, self.at)
        assert found is not None
        end = text.find("\n", found.end())
        return not text[found.end() : len(text) if end < 0 else end].strip()

    def _game(self, deals: int) -> _Game:
        line = _LINE.match(self.source.text, self.at)
        words = [*_NUMBER.finditer(self.source.text, self.at, line.end())] if line else []
        if not words:
            self.source.fail(len(self.source.text), "three names and the flags of the rules")
        *names, last = words
        flags = parse_int(self.source, last.start(), last.end(), "the flags of the rules, as a number")
        if len(names) != _SEATS - 1:
            what = "three names without spaces, and the flags of the rules"
            self.source.fail(words[0].start(), what, end=last.end())
        self.at = last.end()
        return _Game(tuple([name[0] for name in names]), flags, tuple([self._deal() for _ in range(deals)]))

    def _deal(self) -> _LoggedDeal:
        points = tuple([self._number("the points of a seat")[1] for _ in range(_SEATS)])
        hands: list[Cards] = []
        passed: list[tuple[int, int]] = []
        held: set[Card] = set()
        first = _NUMBER.search(self.source.text, self.at)
        for _ in range(_SEATS):
            hands.append(self._hand(held))
            passed += [self._number("a card that is passed, or -1") for _ in range(_PASSED)]
        plays = [self._card(*self._number("a card that is played"), "a card that is played") for _ in range(_CARDS)]
        offset, gifts = self._gifts(hands, passed)
        return _LoggedDeal(points, tuple(hands), gifts, offset, tuple(plays), first.start() if first else 0)

    def _hand(self, held: set[Card]) -> Cards:
        start = -1
        cards: list[Card] = []
        for place, suit in enumerate(_SUITS):
            at, bits = self._number(f"the {suit.name.lower()} of a seat, as a number", least=0, most=(1 << _DEALT) - 1)
            start = at if start < 0 else start
            for number in range(_DEALT):
                if bits >> number & 1:
                    card = _CARD_OF[16 * place + number]
                    if card in held:
                        self.source.fail(at, "cards that no other seat holds", f"{card} is held by two seats")
                    held.add(card)
                    cards.append(card)
        if len(cards) != _DEALT:
            self.source.fail(start, "the 13 cards of a seat", f"a seat has 13 cards, but this one has {len(cards)}")
        return Cards(cards)

    def _gifts(self, hands: list[Cards], numbers: list[tuple[int, int]]) -> tuple[int, tuple[Cards, ...]]:
        if all(number == _NO_CARD for _, number in numbers):
            return 0, (Cards(),) * _SEATS
        offset = 0
        passed: dict[Card, Seat] = {}
        for place, (at, number) in enumerate(numbers):
            seat, card = place // _PASSED, self._card(at, number, "a card that is passed, as the other seats do")[1]
            if card in passed:
                self.source.fail(at, "a card that is passed once", f"{card} is passed twice")
            passed[card] = seat
            offset = offset or next(holder for holder in range(_SEATS) if card in hands[holder])
            if not offset:
                self.source.fail(
                    at, "a card that another seat holds", f"{card} was passed, but its seat still holds it"
                )
            if card not in hands[(seat + offset) % _SEATS]:
                self.source.fail(
                    at,
                    "a card that is held where the others of the pass went",
                    f"{card} is not held {offset} to the left of its seat, where the first card that was passed went",
                )
        return offset, tuple(
            [Cards([card for card, giver in passed.items() if giver == seat]) for seat in range(_SEATS)]
        )

    def _card(self, at: int, number: int, what: str) -> tuple[int, Card]:
        card = _CARD_OF.get(number)
        if card is None:
            self.source.fail(at, what)
        return at, card

    def _number(self, what: str, least: int | None = None, most: int | None = None) -> tuple[int, int]:
        found = _NUMBER.search(self.source.text, self.at)
        if found is None:
            self.source.fail(len(self.source.text), what)
        at = found.start()
        number = parse_int(self.source, at, found.end(), what)
        if (least is not None and number < least) or (most is not None and number > most):
            self.source.fail(at, what if most is None else f"{what} from {least} to {most}")
        self.at = found.end()
        return at, number


def _record(game: _Game, reader: _Reader, target: int | None) -> Record:
    rules = _rules(game.flags, target, _cycle(game.deals))
    state: State = new_game(rules)
    moves: list[Move] = []
    for logged in game.deals:
        first: list[Move] = [Deal([_before(logged, seat) for seat in range(_SEATS)])]
        if logged.offset:
            first += [Pass(seat, cards) for seat, cards in enumerate(logged.passed)]
        for move in first:
            state = applied(state, move, logged.at, reader.place)
            moves.append(move)
        for at, card in logged.plays:
            play = Play(state.turn if isinstance(state, Playing) else 0, card)
            state = applied(state, play, at, reader.place)
            moves.append(play)
    tags = [(f"Seat{seat}", name) for seat, name in enumerate(game.names)]
    return Record(
        rules=rules,
        moves=moves,
        tags=[*tags, ("Flags", str(game.flags))],
        points=[logged.points for logged in game.deals],
    )


@lru_cache(maxsize=64)
def _rules(flags: int, target: int | None, cycle: tuple[PassStep, ...]) -> Rules:
    return attrs.evolve(rules_of_flags(flags, target=target), pass_cycle=cycle)


def _before(logged: _LoggedDeal, seat: Seat) -> Cards:
    return logged.hands[seat] - logged.passed[(seat - logged.offset) % _SEATS] + logged.passed[seat]


def _cycle(deals: tuple[_LoggedDeal, ...]) -> tuple[PassStep, ...]:
    """Return the program's own pass cycle if it fits, otherwise the deals' passes."""
    steps = tuple([_STEPS.get(deal.offset, HOLD) for deal in deals])
    usual = default_pass_cycle(_SEATS)
    if all(step == usual[number % len(usual)] for number, step in enumerate(steps)):
        return usual
    return (HOLD,) if steps == (HOLD,) * len(steps) else steps
