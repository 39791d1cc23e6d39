"""The search through an ending in which every card is known: every player takes the fewest points that it can.

It is max^n: whoever is to play chooses what is best for its own side, and expects the same of all others. A position
that was looked at is kept, in a form that many positions share: of a suit only the order of its cards counts, who holds
each, and what is special about it. Cards next to each other in one hand that are special in the same way are one move.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, final

from heartsrules.base.interrupts import pause
from heartsrules.cards import ALL_FACES, Cards, bag_of, with_bag
from heartsrules.play.board import Board, Chair
from heartsrules.play.exposing import compiled_with
from heartsrules.play.legality import beaten_faces, playable
from heartsrules.play.moves import Play
from heartsrules.play.scoring import card_points, deal_outcome
from heartsrules.play.state import Playing
from heartsrules.play.tricks import breaks_hearts, complete_trick, masks_of
from heartsrules.rules import compiled as C
from heartsrules.rules import switch
from heartsrules.rules.compiled import CompiledRules
from heartsrules.search._errors import TooManyPositions

if TYPE_CHECKING:
    from mypy_extensions import i64

__all__ = ["Ending"]

_SUN: Final[i64] = switch("sun")


@final
class _Taken:
    """What was taken so far, as far as the points that are still to come depend on it."""

    __slots__ = (
        "after",
        "aside_hi",
        "aside_lo",
        "beside",
        "captured",
        "floors",
        "kitty_waits",
        "known",
        "last",
        "shooting",
        "spent",
        "told",
        "waits_for",
        "won",
    )

    def __init__(
        self,
        captured: tuple[Cards, ...],
        won: tuple[bool, ...],
        shooting: tuple[int, ...],
        aside_lo: i64,
        aside_hi: i64,
        kitty_waits: bool,
    ) -> None:
        self.captured: Final[tuple[Cards, ...]] = captured
        """By seat, as far as it makes a difference."""
        self.won: Final[tuple[bool, ...]] = won
        """By seat, whether it has won a trick, as far as it makes a difference."""
        self.shooting: Final[tuple[int, ...]] = shooting
        """The places in `moon_sides` of those that can still shoot the moon."""
        self.aside_lo: Final[i64] = aside_lo
        self.aside_hi: Final[i64] = aside_hi
        self.kitty_waits: Final[bool] = kitty_waits
        self.beside: i64 = 0
        """The faces that a trick may bring beside its own: those set aside, and the kitty if it waits."""
        self.waits_for: i64 = 0
        """The seats whose first trick would make a difference, a bit each."""
        self.spent: bool = False
        """Nothing but cards that count can make a difference."""
        self.floors: list[int] = []
        """By seat, a number that the points to come of its side cannot fall below, bonus cards left out."""
        self.last: tuple[int, ...] = ()
        """What is to come if no card that counts is left: the points by seat, and last who shot the moon (or -1)."""
        self.after: Final[dict[int, _Taken]] = {}
        """What follows a trick, by its winner and its cards that count."""
        self.told: Final[dict[tuple[int, ...], _Taken]] = {}
        """The same where a number cannot tell the cards."""
        self.known: Final[dict[object, tuple[int, ...]]] = {}
        """What is to come in the positions that were looked at, likewise."""


_AT_ONCE: Final = 1024
"""So many positions are looked at before Ctrl-C and other threads have their turn."""
_SEAT_BITS: Final[list[int]] = [2**seat for seat in range(11)]
_HOPELESS: Final = -(10**30)


@final
class Ending:
    """An ending that is searched.

    Args:
        state: in which a card is to be played.
        paranoid: whether all others play against the side whose turn it is, instead of for themselves.
        most_positions: how many positions may be looked at.
        like: another ending of the same deal, with other hands, from which what follows from the rules is taken.
    """

    def __init__(self, state: Playing, paranoid: bool, most_positions: int, like: Ending | None = None) -> None:
        played = state.deal
        start = played.start
        rules = start.rules
        compiled = compiled_with(rules, start.shown) if start.exposed else played.compiled
        self.state: Final = state
        self.compiled: Final[CompiledRules] = compiled
        self.paranoid: Final = paranoid
        self.most: Final = most_positions
        self.positions: int = 0
        """How many positions were looked at."""
        self.sides: Final[i64] = compiled.sides
        self.side: Final[i64] = state.turn % int(compiled.sides)
        self.alone: Final[bool] = compiled.sides == compiled.players
        """Every player is a side."""
        self.one_deck: Final[bool] = compiled.deck_hi == 0
        bonus = compiled.bonus_faces
        self.adds_up: Final[bool] = not compiled.doubler and not (bonus and compiled.bonus_floor != C.FLOOR_NONE)
        """The points of a card are the same whatever else its taker has, but for the moon."""
        self.counting: Final[i64] = compiled.counting
        """The faces that make a difference when they are taken."""
        self.watches: Final[bool] = compiled.no_tricks_bonus != 0
        """Whether it makes a difference who has won a trick."""
        self.unwatched: Final[tuple[bool, ...]] = (False,) * int(compiled.players)
        """In place of who has won a trick."""
        self.exact: Final[bool] = compiled.switches & _SUN != 0 or compiled.moon >= C.MOON_AUTO_SAVE
        """Whether a moon depends on all that was taken."""
        moon: i64 = compiled.moon_lo | compiled.moon_queens
        if len(compiled.moon_sides) < compiled.players:
            # Of partners, whoever has taken most points is the shooter.
            moon |= compiled.penalty
        self.for_moon: Final[i64] = moon
        """The faces that a moon depends on, if not on all."""
        best = 0
        for each in compiled.bonuses:
            best += max(each.points, 0) * (2 if compiled.deck_hi & each.faces else 1)
        self.best_bonus: Final[int] = best
        self.kitty_lo: Final[i64] = start.kitty.lo
        self.kitty_hi: Final[i64] = start.kitty.hi
        self.number: i64 = played.trick_number
        board = Board(state.scores)
        for chair in board.chairs:
            hand = state.hands[chair.seat]
            chair.hand_lo = hand.lo
            chair.hand_hi = hand.hi
        board.close_ring()
        self.board: Final = board
        self.chairs: Final[list[Chair]] = board.chairs
        present: i64 = 0
        twice: i64 = 0
        for hand in state.hands:
            present, twice = with_bag(present, twice, hand.lo, hand.hi)
        for play in state.trick:
            twice |= present & play.bit
            present |= play.bit
        self.present: Final[i64] = present
        """The faces that were not taken yet."""
        self.twice: Final[i64] = twice
        exposed: i64 = start.exposed
        self.exposed: Final[i64] = exposed
        self.kind: Final[list[int]] = [0] * 53 if like is None else like.kind
        """What is special about a face, at the remainder of its bit by 53; equal neighbours of a suit are one move."""
        if like is None:
            self._sort_faces(compiled, exposed)
        self.owner: Final[list[int]] = [0] * 52
        """Who holds each face, or has played it to the current trick; of one deck."""
        for seat, hand in enumerate(state.hands):
            for card in hand:
                self.owner[card.index] = seat
        for play in state.trick:
            self.owner[play.card.index] = play.seat
        self.suits: Final[list[list[int]]] = [[-1] * 8192 for _ in range(4)]
        """For each suit and what is left of it, the number of its form."""
        self.forms: Final[list[dict[tuple[int, ...], int]]] = [{}, {}, {}, {}]
        self.takens: Final[dict[tuple[object, ...], _Taken]] = {}
        taker = played.kitty_taker
        captured = tuple([bag_of(pile.lo & self.counting, pile.hi & self.counting) for pile in played.captured])
        won = tuple([count > 0 for count in played.tricks_won])
        aside = played.set_aside
        groups = 0 if compiled.moon == C.MOON_OFF else len(compiled.moon_sides)
        self.taken: Final[_Taken] = self._taken(captured, won, tuple(range(groups)), aside.lo, aside.hi, taker is None)
        self.so_far: Final[tuple[int, ...]] = (*[self._gain(pile.lo, pile.hi) for pile in captured], 0)

    def _sort_faces(self, compiled: CompiledRules, exposed: i64) -> None:
        numbers: dict[tuple[int, bool], int] = {}
        for card in ALL_FACES:
            place = card.bit % 53
            sign = (compiled.kinds[place], card.bit & exposed != 0)
            self.kind[place] = numbers.setdefault(sign, len(numbers))

    def values(self) -> list[tuple[int, ...]]:
        """For each legal play, in order, the points of the deal by seat, and last who shot the moon (-1: nobody did).

        Raises:
            TooManyPositions: there are too many positions.
        """
        state = self.state
        trick = state.trick
        lo, hi = masks_of(trick)
        chair = self.chairs[state.turn]
        found: list[tuple[int, ...]] = []
        led: i64 = 0
        if trick:
            led = trick[0].suit_mask
        legal = self._legal(chair, led, lo, hi, state.hearts_broken, state.deal.waiting)
        before: i64 = 0
        points: tuple[int, ...] = ()
        while legal:
            bit = legal & -legal
            legal ^= bit
            if not before or not self._same(before, bit, self.present):
                to_come = self._after(
                    chair, bit, trick, led, lo, hi, self.present, state.hearts_broken, state.deal.waiting, self.taken
                )
                points = tuple([now + then for now, then in zip(self.so_far, to_come, strict=True)])
            before = bit
            found.append(points)
        self.board.open_ring()
        return found

    def _legal(self, chair: Chair, led: i64, lo: i64, hi: i64, broken: bool, waiting: i64) -> i64:
        compiled = self.compiled
        beaten: i64 = 0
        if compiled.compulsory == C.COMPULSORY_SAFE:
            beaten = beaten_faces(compiled, led, lo, hi)
        return playable(compiled, chair.hand_lo, led, self.number == 0, broken, beaten, waiting, None)

    def _same(self, lower: i64, higher: i64, present: i64) -> bool:
        """Whether it makes no difference which of two cards of a hand is played: nothing lies between them."""
        if self.kind[lower % 53] != self.kind[higher % 53] or (lower | higher) & self.twice:
            return False
        return not present & (higher - 1) & ~(lower + lower - 1)

    def _play(
        self,
        chair: Chair,
        plays: tuple[Play, ...],
        led: i64,
        lo: i64,
        hi: i64,
        present: i64,
        broken: bool,
        waiting: i64,
        taken: _Taken,
    ) -> tuple[int, ...]:
        """What is to come, when it is this seat's turn, with the points of the trick that is being played."""
        legal = self._legal(chair, led, lo, hi, broken, waiting)
        seat = chair.seat
        against = self.paranoid and seat % self.sides != self.side
        least = taken.floors[seat]
        if self.best_bonus and (present | taken.beside) & self.compiled.bonus_faces:
            least -= self.best_bonus
        best: tuple[int, ...] = ()
        lowest = 0
        before: i64 = 0
        while legal:
            bit = legal & -legal
            legal ^= bit
            if before and self._same(before, bit, present):
                before = bit
                continue
            before = bit
            value = self._after(chair, bit, plays, led, lo, hi, present, broken, waiting, taken)
            if against:
                own = -self._of_side(value, self.side)
            elif self.alone:
                own = value[seat]
            else:
                own = self._of_side(value, seat % self.sides)
            if not best or own < lowest:
                best = value
                lowest = own
                if not against and own <= least:
                    break
        return best

    def _of_side(self, value: tuple[int, ...], side: i64) -> int:
        points = 0
        seat: i64 = side
        while seat < self.compiled.players:
            points += value[seat]
            seat += self.sides
        return points

    def _after(
        self,
        chair: Chair,
        bit: i64,
        plays: tuple[Play, ...],
        led: i64,
        lo: i64,
        hi: i64,
        present: i64,
        broken: bool,
        waiting: i64,
        taken: _Taken,
    ) -> tuple[int, ...]:
        """What is to come when this card is played."""
        twice = chair.hand_hi & bit
        if twice:
            chair.hand_hi ^= bit
        else:
            chair.hand_lo ^= bit
        compiled = self.compiled
        play = chair.plays[bit % 53]
        made = plays + play.alone
        if not broken:
            broken = breaks_hearts(compiled, led, bit)
        if not led:
            led = play.suit_mask
        hi |= lo & bit
        lo |= bit
        if len(made) < compiled.players:
            value = self._play(chair.next, made, led, lo, hi, present, broken, waiting, taken)
        else:
            value = self._complete(made, led, lo, hi, present, broken, waiting, taken)
        if twice:
            chair.hand_hi ^= bit
        else:
            chair.hand_lo ^= bit
        return value

    def _complete(
        self,
        plays: tuple[Play, ...],
        led: i64,
        lo: i64,
        hi: i64,
        present: i64,
        broken: bool,
        waiting: i64,
        taken: _Taken,
    ) -> tuple[int, ...]:
        compiled = self.compiled
        left = present & ~lo
        if not self.one_deck:
            left = 0
            for chair in self.chairs:
                left |= chair.hand_lo
        self.number += 1
        last = self.number == compiled.hand_size
        position, lo, hi, takes = complete_trick(
            compiled, plays, lo, hi, taken.aside_lo, taken.aside_hi, taken.kitty_waits, last
        )
        if position < 0:
            value = self._lead(
                self.chairs[plays[0].seat], left, broken, waiting & ~led, self._next(taken, -1, lo, hi, False)
            )
            self.number -= 1
            return value
        winner = plays[position].seat
        if takes:
            lo, hi = with_bag(lo, hi, self.kitty_lo, self.kitty_hi)
        gain = 0
        following = taken
        if lo & self.counting or takes or taken.aside_lo or taken.waits_for & _SEAT_BITS[winner]:
            following = self._next(taken, winner, lo, hi, takes)
            gain = self._gain(lo, hi)
        value = self._lead(self.chairs[winner], left, broken, waiting & ~led, following)
        self.number -= 1
        if gain:
            changed = list(value)
            changed[winner] += gain
            value = tuple(changed)
        return value

    def _gain(self, lo: i64, hi: i64) -> int:
        """The points of cards for whoever takes them, where they add up."""
        if not self.adds_up:
            return 0
        compiled = self.compiled
        points = card_points(compiled, lo, hi)
        if lo & compiled.bonus_faces:
            for each in compiled.bonuses:
                if hi & each.faces:
                    points -= 2 * each.points
                elif lo & each.faces:
                    points -= each.points
        return points

    def _next(self, taken: _Taken, winner: i64, lo: i64, hi: i64, takes: bool) -> _Taken:
        """What is taken after a trick; with no winner (-1) its cards are set aside."""
        faces = lo & self.counting
        if self.one_deck:
            key = (int(faces) * 16 + winner) * 2 + takes
            found = taken.after.get(key)
            if found is None:
                found = self._made(taken, winner, faces, 0, 0, 0, takes)
                taken.after[key] = found
            return found
        many = (int(winner), int(lo), int(hi), int(takes))
        found = taken.told.get(many)
        if found is None:
            if winner < 0:
                found = self._made(taken, winner, 0, 0, lo, hi, takes)
            else:
                found = self._made(taken, winner, faces, hi & self.counting, 0, 0, takes)
            taken.told[many] = found
        return found

    def _made(self, taken: _Taken, winner: i64, lo: i64, hi: i64, aside_lo: i64, aside_hi: i64, takes: bool) -> _Taken:
        captured = list(taken.captured)
        won = list(taken.won)
        if winner >= 0:
            pile = captured[winner]
            lo, hi = with_bag(pile.lo, pile.hi, lo, hi)
            captured[winner] = bag_of(lo, hi)
            won[winner] = True
        waits = taken.kitty_waits and not takes
        return self._taken(tuple(captured), tuple(won), taken.shooting, aside_lo, aside_hi, waits)

    def _taken(
        self,
        captured: tuple[Cards, ...],
        won: tuple[bool, ...],
        shooting: tuple[int, ...],
        aside_lo: i64,
        aside_hi: i64,
        kitty_waits: bool,
    ) -> _Taken:
        """The one object for all that makes no difference from this.

        It keeps what is in its key and nothing else: the rest would be that of another line of play.
        """
        compiled = self.compiled
        if shooting:
            shooting = self._shooting(shooting, captured)
        flags = self.watches or (shooting and compiled.switches & _SUN != 0)
        if not flags:
            won = self.unwatched
        parts: list[object] = [int(aside_lo), int(aside_hi), kitty_waits, won, shooting]
        if not self.adds_up or (shooting and self.exact):
            parts += captured
        elif not shooting:
            captured = compiled.nothing
        else:
            kept = list(compiled.nothing)
            for number in shooting:
                for seat in compiled.moon_sides[number]:
                    pile = captured[seat]
                    if pile.lo & self.for_moon:
                        kept[seat] = bag_of(pile.lo & self.for_moon, pile.hi & self.for_moon)
                        parts += [seat, kept[seat]]
            captured = tuple(kept)
        key = tuple(parts)
        found = self.takens.get(key)
        if found is None:
            found = _Taken(captured, won, shooting, aside_lo, aside_hi, kitty_waits)
            self._work_out(found, bool(flags))
            self.takens[key] = found
        return found

    def _shooting(self, before: tuple[int, ...], captured: tuple[Cards, ...]) -> tuple[int, ...]:
        """Which of those that could shoot the moon still can: no moon card is in another pile."""
        compiled = self.compiled
        holders = [seat for seat, pile in enumerate(captured) if pile.lo & compiled.moon_lo]
        return tuple([number for number in before if all([seat in compiled.moon_sides[number] for seat in holders])])

    def _work_out(self, taken: _Taken, flags: bool) -> None:
        compiled = self.compiled
        captured = taken.captured
        taken.beside = taken.aside_lo | (self.kitty_lo if taken.kitty_waits else 0)
        waits: i64 = 0
        if flags:
            for seat, won in enumerate(taken.won):
                if not won:
                    waits |= _SEAT_BITS[seat]
        taken.waits_for = waits
        taken.spent = not waits
        floors: list[int] = []
        may_shoot = {seat for number in taken.shooting for seat in compiled.moon_sides[number]}
        for seat in range(len(captured)):
            if not self.adds_up:
                floors.append(_HOPELESS)
                continue
            members = [one for one in range(len(captured)) if one % int(self.sides) == seat % int(self.sides)]
            floor = -compiled.no_tricks_bonus * len(members) if compiled.no_tricks_bonus > 0 else 0
            if any([one in may_shoot for one in members]):
                for one in members:
                    floor -= card_points(compiled, captured[one].lo, captured[one].hi)
                if compiled.moon != C.MOON_OTHERS_UP:
                    floor -= 2 * (compiled.moon_value + compiled.queens_value)
            floors.append(floor)
        taken.floors = floors
        # What does not count makes up the rest of the deck: where it lies makes no difference.
        piles = list(captured)
        rest = bag_of(compiled.deck_lo, compiled.deck_hi) - bag_of(taken.aside_lo, taken.aside_hi)
        if taken.kitty_waits:
            rest -= self.state.kitty
        rest_lo = rest.lo & ~self.counting
        rest_hi = rest.hi & ~self.counting
        winners = [seat for seat, won in enumerate(taken.won) if won]
        if winners:
            pile = piles[winners[0]]
            piles[winners[0]] = bag_of(pile.lo | rest_lo, pile.hi | rest_hi)
        start = self.state.deal.start
        counts = tuple([int(won) for won in taken.won])
        shooter, rows = deal_outcome(compiled, piles, counts, start.scores, start.deal_number, start.shown)
        points = rows[0].points
        if shooter >= 0:
            side = shooter % int(self.sides)
            other = rows[1].points
            better = self._of_side(other, side) - self._of_side(points, side)
            if self.paranoid and side != self.side:
                better = self._of_side(points, self.side) - self._of_side(other, self.side)
            if better < 0:
                points = other
        to_come = [each - self._gain(captured[seat].lo, captured[seat].hi) for seat, each in enumerate(points)]
        row = rows[0]
        to_come.append(-1 if row.shooter is None else row.shooter)
        taken.last = tuple(to_come)

    def _lead(self, chair: Chair, present: i64, broken: bool, waiting: i64, taken: _Taken) -> tuple[int, ...]:
        """What is to come when this seat is to lead."""
        if not present:
            return taken.last
        if taken.spent and not (present | taken.beside) & self.counting:
            return taken.last
        key: object
        if self.one_deck:
            number: i64 = 0
            at: i64 = 0
            rest = present
            while at < 4:
                pattern = rest & 8191
                form: i64 = self.suits[at][pattern]
                if form < 0:
                    form = self._form(at, pattern)
                number = number * 8192 + form
                rest >>= 13
                at += 1
            number = number * 16 + chair.seat
            number = number * 2
            if broken:
                number += 1
            number = number * 16
            if waiting:
                number += self._waiting_suits(waiting)
            key = number
        else:
            hands: list[int] = []
            for one in self.chairs:
                hands.append(one.hand_lo)
                hands.append(one.hand_hi)
            key = (tuple(hands), int(chair.seat), broken, int(waiting))
        found = taken.known.get(key)
        if found is not None:
            return found
        self.positions += 1
        if self.positions > self.most:
            raise TooManyPositions(self.most)
        if self.positions % _AT_ONCE == 0:
            pause()
        value = self._play(chair, (), 0, 0, 0, present, broken, waiting, taken)
        taken.known[key] = value
        return value

    def _waiting_suits(self, waiting: i64) -> i64:
        suits: i64 = 0
        at: i64 = 1
        while waiting:
            if waiting & 8191:
                suits += at
            at += at
            waiting >>= 13
        return suits

    def _form(self, suit: i64, pattern: i64) -> i64:
        """The number of a form: who holds the cards of a suit that are left, from low to high, and what is special."""
        signs: list[int] = []
        first = int(suit) * 13
        for rank in range(13):
            card = ALL_FACES[rank]
            if pattern & card.bit:
                face = ALL_FACES[first + rank]
                signs.append(self.owner[face.index] * 64 + self.kind[int(face.bit) % 53])
        numbers = self.forms[suit]
        number = numbers.setdefault(tuple(signs), len(numbers))
        self.suits[suit][pattern] = number
        return number
