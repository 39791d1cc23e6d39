"""How likely the play of a deal was, if the others held what they hold in a world."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, final

from heartsrules.cards import Cards, popcount, with_card
from heartsrules.chance import RandomStream
from heartsrules.play.board import Board
from heartsrules.play.legality import beaten_faces, playable
from heartsrules.play.tricks import breaks_hearts, complete_trick
from heartsrules.rules.compiled import CompiledRules
from heartsrules.search.card_choice import highest_face, moon_in, sees_taker, watchful_face
from heartsrules.views import PlayingView

if TYPE_CHECKING:
    from mypy_extensions import i64

__all__ = ["Likelihood"]

_LEAD: Final = 0
_FOLLOW: Final = 1
_DISCARD: Final = 2

_AS_EXPECTED: Final = (0.48, 0.76, 0.72)
"""How often leads, cards of the suit led, and discards are what a watchful player would play, where there is a choice:
measured in self-play of heuristic and of sampling players."""
_TRUST: Final = (0.15, 0.15, 0.25)
"""To what power these likelihoods are taken: a player who differs from the model does so again, and few worlds should
not count for all. With 0.3 and 0.5 the Q♠ is guessed still better, and other cards worse."""


@final
class _Decision:
    """A play of another seat, and what lay on the table before it."""

    __slots__ = (
        "beaten",
        "bit",
        "broken",
        "gone",
        "later",
        "led",
        "lo",
        "moon",
        "number",
        "place",
        "seat",
        "taker",
        "waiting",
    )

    def __init__(
        self,
        number: i64,
        place: i64,
        seat: i64,
        bit: i64,
        led: i64,
        lo: i64,
        beaten: i64,
        broken: bool,
        waiting: i64,
        gone: i64,
        moon: i64,
        taker: i64,
    ) -> None:
        self.number: Final[i64] = number
        """The trick, from 0."""
        self.place: Final[i64] = place
        """How many cards lay in it."""
        self.seat: Final[i64] = seat
        self.bit: Final[i64] = bit
        """The card that was played."""
        self.led: Final[i64] = led
        self.lo: Final[i64] = lo
        self.beaten: Final[i64] = beaten
        self.broken: Final = broken
        self.waiting: Final[i64] = waiting
        self.gone: Final[i64] = gone
        """The faces that had been captured."""
        self.moon: Final[i64] = moon
        self.taker: Final[i64] = taker
        self.later: i64 = bit
        """The faces that the seat has played since, and this one."""


@final
class Likelihood:
    """How likely the play was that a view has seen, world by world.

    The others are thought to play what `heartsrules.search.policies.Watchful` would play most of the time, and any
    other legal card otherwise. Where a seat had no choice, its play tells nothing.
    """

    def __init__(self, view: PlayingView) -> None:
        deal = view.deal
        compiled = view.rules.compiled
        self._tables: Final[CompiledRules] = compiled
        self._stream: Final = RandomStream.from_bits(0)
        self._decisions: Final[list[_Decision]] = []
        self._expected: Final[list[float]] = []
        """By kind of play, how likely one as expected is,"""
        self._other: Final[list[list[float]]] = []
        """and each other one, by how many of these there are."""
        for kind, often in enumerate(_AS_EXPECTED):
            trust = _TRUST[kind]
            self._expected.append(often**trust)
            self._other.append(
                [1.0] + [((1 - often) / others) ** trust for others in range(1, int(compiled.hand_size))]
            )
        self._read(view)
        later: list[i64] = [0] * len(deal.captured)
        for decision in reversed(self._decisions):
            later[decision.seat] |= decision.bit
            decision.later = later[decision.seat]

    def _read(self, view: PlayingView) -> None:
        deal = view.deal
        compiled = self._tables
        board = Board((0,) * len(deal.captured))
        kitty = deal.kitty
        kitty_waits = deal.kitty_taker is not None
        aside_lo: i64 = 0
        aside_hi: i64 = 0
        gone: i64 = 0
        broken = False
        waiting: i64 = 0
        for cards in deal.start.shown:
            waiting |= cards.lo
        number: i64 = 0
        count: i64 = len(deal.tricks)
        while number <= count:
            plays = deal.tricks[number].plays if number < count else view.trick
            moon = moon_in(compiled, board.chairs)
            watches = sees_taker(compiled, moon)
            led: i64 = 0
            lo: i64 = 0
            hi: i64 = 0
            for place, play in enumerate(plays):
                bit = play.bit
                if play.seat != view.seat:
                    taker: i64 = -1
                    if watches and led:
                        best = highest_face(lo & led)
                        for before in plays:
                            if before.bit == best:
                                taker = before.seat
                                break
                    beaten = beaten_faces(compiled, led, lo, hi)
                    self._decisions.append(
                        _Decision(number, place, play.seat, bit, led, lo, beaten, broken, waiting, gone, moon, taker)
                    )
                if not broken:
                    broken = breaks_hearts(compiled, led, bit)
                lo, hi = with_card(lo, hi, bit)
                if not led:
                    led = play.suit_mask
            if number == count:
                break
            number += 1
            waiting &= ~led
            # No play follows the last trick, so this is another one.
            position, lo, hi, takes = complete_trick(compiled, plays, lo, hi, aside_lo, aside_hi, kitty_waits, False)
            aside_lo = lo
            aside_hi = hi
            if position >= 0:
                aside_lo = 0
                aside_hi = 0
                if takes:
                    kitty_waits = False
                    if kitty is not None:
                        lo |= kitty.lo
                board.chairs[plays[position].seat].pile_lo |= lo
                gone |= lo

    def of(self, hands: tuple[Cards, ...]) -> float:
        """How likely the play was, if these are the hands now, by seat."""
        compiled = self._tables
        stream = self._stream
        players = compiled.players
        likely = 1.0
        for decision in self._decisions:
            seat = decision.seat
            led = decision.led
            held = hands[seat].lo | decision.later
            legal = playable(
                compiled, held, led, decision.number == 0, decision.broken, decision.beaten, decision.waiting, None
            )
            if not legal & (legal - 1):
                continue
            stream.jump_to(0, decision.number * players + seat)
            chosen = watchful_face(
                compiled,
                held,
                legal,
                led,
                decision.lo,
                decision.place,
                decision.gone,
                decision.moon,
                seat,
                decision.taker,
                0,
                stream,
            )
            kind = _LEAD
            if led:
                kind = _FOLLOW if held & led else _DISCARD
            others = popcount(legal) - 1
            if chosen == decision.bit or self._alike(chosen, decision.bit, held | decision.gone | decision.lo):
                likely *= self._expected[kind]
            else:
                likely *= self._other[kind][others]
        return likely

    def _alike(self, one: i64, other: i64, known: i64) -> bool:
        """Whether two cards are of one suit, no card between them is out, and the rules name neither."""
        compiled = self._tables
        both = one | other
        if both & compiled.named_faces:
            return False
        low = one if one < other else other
        high = both ^ low
        suit: i64 = 0x1FFF
        while low & ~suit:
            suit <<= 13
        return high & suit != 0 and not (high - 1) & ~(low + low - 1) & compiled.deck_lo & ~known
