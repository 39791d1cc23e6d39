"""Search endings in which every card is known (max^n).

Keys of the memo contain, for each suit, only the order of the cards, their holders and special properties. Only one of
several interchangeable cards is tried.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, final

from heartsrules.analysis._errors import TooManyPositions
from heartsrules.analysis.point_bounds import point_bounds
from heartsrules.base.interrupts import pause
from heartsrules.cards import ALL_FACES, Cards, bag_of, with_bag
from heartsrules.play.board import Board, SeatState, UndoRecord
from heartsrules.play.exposing import resolved_with
from heartsrules.play.score_traits import traits_of
from heartsrules.play.scoring import card_points, count_pile, deal_outcome, is_automatic
from heartsrules.play.state import Playing
from heartsrules.rules import resolved as C
from heartsrules.rules import switch
from heartsrules.rules.resolved import ResolvedRules

if TYPE_CHECKING:
    from mypy_extensions import i64

_SUN: Final[i64] = switch("sun")


@final
class _PileState:
    """The parts of the piles that affect future points, shared by equivalent piles.

    Tuples and lists have one item per seat.
    """

    def __init__(
        self,
        captured: tuple[Cards, ...],
        won: tuple[int, ...],
        shooting: tuple[int, ...],
        aside_lo: i64,
        aside_hi: i64,
        kitty_waits: bool,
    ) -> None:
        self.captured: Final[tuple[Cards, ...]] = captured
        """The captured cards that make a difference."""
        self.won: Final[tuple[int, ...]] = won
        """The number of tricks won, up to the last that changes the points."""
        self.shooting: Final[tuple[int, ...]] = shooting
        """The indices in `moon_sides` of the groups that can still shoot the moon."""
        self.aside_lo: Final[i64] = aside_lo
        self.aside_hi: Final[i64] = aside_hi
        self.kitty_waits: Final[bool] = kitty_waits
        self.beside: i64 = 0
        """The cards that the next trick can win in addition, set aside or in the kitty."""
        self.waits_for: i64 = 0
        """A bit for each seat whose next trick would make a difference."""
        self.spent: bool = False
        """True if only counting cards can make a difference."""
        self.floors: list[int] = []
        """A lower bound of each side's remaining points, without bonus cards."""
        self.last: tuple[int, ...] = ()
        """The remaining points once no counting card is left, then the shooter or -1."""
        self.after: Final[dict[int, _PileState]] = {}
        """The state after a trick, by its winner and counting cards, for one deck."""
        self.by_masks: Final[dict[tuple[int, ...], _PileState]] = {}
        """The state after a trick, by its winner and masks, for two decks."""
        self.memo: Final[dict[object, tuple[int, ...]]] = {}
        """The remaining points, by position key."""


_AT_ONCE: Final = 1024
"""The positions between two pauses for Ctrl-C and other threads."""
_SEAT_BITS: Final[list[int]] = [2**seat for seat in range(11)]
_HOPELESS: Final = -(10**30)


@final
class Ending:
    """A search of one ending.

    Args:
        state: a state in which a seat must play a card.
        paranoid: True if all others play against the side to act.
        most_positions: the node budget.
    """

    def __init__(self, state: Playing, paranoid: bool, most_positions: int) -> None:
        played = state.public
        start = played.start
        rules = start.rules
        resolved = resolved_with(rules, start.exposed) if start.exposed_mask else played._resolved
        self.state: Final = state
        self.resolved: Final[ResolvedRules] = resolved
        self.paranoid: Final = paranoid
        self.most: Final = most_positions
        self.positions: int = 0
        self.sides: Final[i64] = resolved.sides
        self.side: Final[i64] = state.turn % int(resolved.sides)
        self.alone: Final[bool] = resolved.sides == resolved.players
        """True if every player is a side."""
        self.one_deck: Final[bool] = resolved.deck_hi == 0
        traits = traits_of(resolved)
        self.adds_up: Final[bool] = traits.adds_up
        """True if a card's points depend only on the moon, not on the rest of the pile."""
        self.counting: Final[i64] = resolved.counting | resolved.moon_lo
        """The cards that matter when captured."""
        self.tricks: Final[i64] = traits.tricks
        """The number of tricks up to which each trick of a seat makes a difference."""
        self.unwatched: Final[tuple[int, ...]] = (0,) * int(resolved.players)
        self.exact: Final[bool] = resolved.switches & _SUN != 0 or is_automatic(resolved) or not traits.moon_adds_up
        """True if a moon depends on whole piles."""
        moon: i64 = resolved.moon_lo | resolved.moon_queens
        if len(resolved.moon_sides) < resolved.players:
            # Of partners, the one with most points is the shooter.
            moon |= resolved.penalty
        self.for_moon: Final[i64] = moon
        """The cards that a moon depends on, if not all."""
        self.pile: Final = SeatState(0, 0)
        self.lowest: Final[dict[int, int]] = {}
        self._count(resolved.deck_lo, resolved.deck_hi)
        self.best_bonus: Final[int] = self.pile.bonus
        self.kitty_lo: Final[i64] = state.kitty.lo
        self.kitty_hi: Final[i64] = state.kitty.hi
        self.board: Final = Board(played._resolved, state.scores)
        present: i64 = 0
        twice: i64 = 0
        for hand in state.hands:
            present, twice = with_bag(present, twice, hand.lo, hand.hi)
        for play in state.trick:
            twice |= present & play.bit
            present |= play.bit
        self.present: i64 = present
        """The cards in hands and in the trick, unchanged during a trick."""
        self.twice: Final[i64] = twice
        exposed_mask: i64 = start.exposed_mask
        self.exposed_mask: Final[i64] = exposed_mask
        self.kind: Final[list[int]] = [0] * 53
        """The kind of a card, indexed by its bit modulo 53.

        Cards of one kind have the same special properties.
        """
        numbers: dict[tuple[int, bool], int] = {}
        for card in ALL_FACES:
            place = card.bit % 53
            sign = (resolved.kinds[place], card.bit & exposed_mask != 0)
            self.kind[place] = numbers.setdefault(sign, len(numbers))
        self.owner: Final[list[int]] = [0] * 52
        """The holder of each card in hands and the current trick, for one deck."""
        for seat, hand in enumerate(state.hands):
            for card in hand:
                self.owner[card.index] = seat
        for play in state.trick:
            self.owner[play.card.index] = play.seat
        self.suits: Final[list[list[int]]] = [[-1] * 8192 for _ in range(4)]
        """The form number of each suit, indexed by the ranks left, or -1 if unknown."""
        self.forms: Final[list[dict[tuple[int, ...], int]]] = [{}, {}, {}, {}]
        self.pile_states: Final[dict[tuple[object, ...], _PileState]] = {}
        taker = played.kitty_winner
        captured = tuple([bag_of(pile.lo & self.counting, pile.hi & self.counting) for pile in state.captured])
        won = played.tricks_won
        aside = played.set_aside
        groups = 0 if resolved.moon == C.MOON_OFF else len(resolved.moon_sides)
        self.piles: Final[_PileState] = self._pile_state(
            captured, won, tuple(range(groups)), aside.lo, aside.hi, taker is None
        )
        self.so_far: Final[tuple[int, ...]] = (*[self._gain(pile.lo, pile.hi) for pile in captured], 0)

    def values(self) -> list[tuple[int, ...]]:
        """Compute each seat's points after each legal play, then the shooter or -1."""
        board = self.board
        board.set_from(self.state)
        undo = UndoRecord()
        found: list[tuple[int, ...]] = []
        legal = board.legal()
        before: i64 = 0
        points: tuple[int, ...] = ()
        while legal:
            bit = legal & -legal
            legal ^= bit
            if not before or not self._same(before, bit):
                to_come = self._after(bit, undo, self.piles)
                points = tuple([now + then for now, then in zip(self.so_far, to_come, strict=True)])
            before = bit
            found.append(points)
        board.open_ring()
        return found

    def _same(self, lower: i64, higher: i64) -> bool:
        """Return True if cards are of one kind with nothing between them."""
        if self.kind[lower % 53] != self.kind[higher % 53] or (lower | higher) & self.twice:
            return False
        return not self.present & (higher - 1) & ~(lower + lower - 1)

    def _best(self, piles: _PileState) -> tuple[int, ...]:
        """Compute the remaining points under best play, including the current trick."""
        board = self.board
        seat = board.turn.seat
        against = self.paranoid and seat % self.sides != self.side
        least = piles.floors[seat]
        if self.best_bonus and (self.present | piles.beside) & self.resolved.bonus_faces:
            least -= self.best_bonus
        undo = UndoRecord()
        best: tuple[int, ...] = ()
        lowest = 0
        before: i64 = 0
        legal = board.legal()
        while legal:
            bit = legal & -legal
            legal ^= bit
            if before and self._same(before, bit):
                before = bit
                continue
            before = bit
            value = self._after(bit, undo, piles)
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
        while seat < self.resolved.players:
            points += value[seat]
            seat += self.sides
        return points

    def _after(self, bit: i64, undo: UndoRecord, piles: _PileState) -> tuple[int, ...]:
        board = self.board
        if board.try_play(bit, undo):
            value = self._after_trick(undo, piles)
        else:
            value = self._best(piles)
        board.undo(undo)
        return value

    def _after_trick(self, undo: UndoRecord, piles: _PileState) -> tuple[int, ...]:
        board = self.board
        lo, hi = undo.cards_won()
        present = self.present
        if self.one_deck:
            self.present = present & ~lo
        else:
            self.present = 0
            for seat in board.seats:
                self.present |= seat.hand_lo
        winner = board.winner
        following = piles
        gain = 0
        if winner < 0:
            following = self._next(piles, -1, lo, hi, False)
        else:
            takes = undo.kitty_waits and not board.kitty_waits
            if takes:
                lo, hi = with_bag(lo, hi, self.kitty_lo, self.kitty_hi)
            if lo & self.counting or takes or piles.aside_lo or piles.waits_for & _SEAT_BITS[winner]:
                following = self._next(piles, winner, lo, hi, takes)
                gain = self._gain(lo, hi)
        value = self._lead(following)
        self.present = present
        if gain:
            changed = list(value)
            changed[winner] += gain
            value = tuple(changed)
        return value

    def _gain(self, lo: i64, hi: i64) -> int:
        if not self.adds_up:
            return 0
        self._count(lo, hi)
        return self.pile.card_points - self.pile.bonus

    def _count(self, lo: i64, hi: i64) -> None:
        self.pile.pile_lo = lo
        self.pile.pile_hi = hi
        count_pile(self.resolved, self.pile)

    def _next(self, piles: _PileState, winner: i64, lo: i64, hi: i64, takes: bool) -> _PileState:
        """Return the state after a trick.

        Without a winner (-1), its cards are set aside.
        """
        faces = lo & self.counting
        if self.one_deck:
            key: i64 = (faces << 5) | ((winner + 1) << 1) | takes
            found = piles.after.get(key)
            if found is None:
                found = self._with_trick(piles, winner, faces, 0, 0, 0, takes)
                piles.after[key] = found
            return found
        many = (int(winner), int(lo), int(hi), int(takes))
        found = piles.by_masks.get(many)
        if found is None:
            if winner < 0:
                found = self._with_trick(piles, winner, 0, 0, lo, hi, takes)
            else:
                found = self._with_trick(piles, winner, faces, hi & self.counting, 0, 0, takes)
            piles.by_masks[many] = found
        return found

    def _with_trick(
        self, piles: _PileState, winner: i64, lo: i64, hi: i64, aside_lo: i64, aside_hi: i64, takes: bool
    ) -> _PileState:
        captured = list(piles.captured)
        won = list(piles.won)
        if winner >= 0:
            pile = captured[winner]
            lo, hi = with_bag(pile.lo, pile.hi, lo, hi)
            captured[winner] = bag_of(lo, hi)
            won[winner] += 1
        waits = piles.kitty_waits and not takes
        return self._pile_state(tuple(captured), tuple(won), piles.shooting, aside_lo, aside_hi, waits)

    def _pile_state(
        self,
        captured: tuple[Cards, ...],
        won: tuple[int, ...],
        shooting: tuple[int, ...],
        aside_lo: i64,
        aside_hi: i64,
        kitty_waits: bool,
    ) -> _PileState:
        """Return the unique object for all equivalent piles."""
        # It stores only the key, since other data would belong to a different line of play.
        resolved = self.resolved
        if shooting:
            shooting = self._shooting(shooting, captured)
        tricks = self.tricks
        if not tricks and shooting and resolved.switches & _SUN:
            tricks = 1
        won = tuple([min(count, tricks) for count in won]) if tricks else self.unwatched
        parts: list[object] = [int(aside_lo), int(aside_hi), kitty_waits, won, shooting]
        if not self.adds_up or (shooting and self.exact):
            parts += captured
        elif not shooting:
            captured = resolved.nothing
        else:
            kept = list(resolved.nothing)
            for number in shooting:
                for seat in resolved.moon_sides[number]:
                    pile = captured[seat]
                    if pile.lo & self.for_moon:
                        kept[seat] = bag_of(pile.lo & self.for_moon, pile.hi & self.for_moon)
                        parts += [seat, kept[seat]]
            captured = tuple(kept)
        key = tuple(parts)
        found = self.pile_states.get(key)
        if found is None:
            found = _PileState(captured, won, shooting, aside_lo, aside_hi, kitty_waits)
            self._work_out(found, tricks)
            self.pile_states[key] = found
        return found

    def _shooting(self, before: tuple[int, ...], captured: tuple[Cards, ...]) -> tuple[int, ...]:
        resolved = self.resolved
        holders = [seat for seat, pile in enumerate(captured) if pile.lo & resolved.moon_lo]
        return tuple([number for number in before if all([seat in resolved.moon_sides[number] for seat in holders])])

    def _work_out(self, piles: _PileState, tricks: i64) -> None:
        resolved = self.resolved
        captured = piles.captured
        piles.beside = piles.aside_lo | (self.kitty_lo if piles.kitty_waits else 0)
        waits: i64 = 0
        for seat, won in enumerate(piles.won):
            if won < tricks:
                waits |= _SEAT_BITS[seat]
        piles.waits_for = waits
        piles.spent = not waits
        floors: list[int] = []
        may_shoot = {seat for number in piles.shooting for seat in resolved.moon_sides[number]}
        for seat in range(len(captured)):
            if not self.adds_up:
                floors.append(_HOPELESS)
                continue
            members = range(seat % int(self.sides), len(captured), int(self.sides))
            moon = any([one in may_shoot for one in members])
            floor = self._lowest(members, moon)
            if moon:
                for one in members:
                    floor -= card_points(resolved, captured[one].lo, captured[one].hi)
            floors.append(floor)
        piles.floors = floors
        # The location of cards that do not count makes no difference.
        whole = list(captured)
        rest = bag_of(resolved.deck_lo, resolved.deck_hi) - bag_of(piles.aside_lo, piles.aside_hi)
        if piles.kitty_waits:
            rest -= self.state.kitty
        rest_lo = rest.lo & ~self.counting
        rest_hi = rest.hi & ~self.counting
        winners = [seat for seat, won in enumerate(piles.won) if won]
        if winners:
            pile = whole[winners[0]]
            whole[winners[0]] = bag_of(pile.lo | rest_lo, pile.hi | rest_hi)
        start = self.state.start
        shooter, rows = deal_outcome(resolved, whole, piles.won, start.scores, start.deal_number, start.exposed)
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
        piles.last = tuple(to_come)

    def _lowest(self, members: range, moon: bool) -> int:
        key = 2 * members.start + moon
        if key not in self.lowest:
            self.lowest[key] = point_bounds(self.resolved, members, self.state.scores, cards=False, moon=moon)[0]
        return self.lowest[key]

    def _lead(self, piles: _PileState) -> tuple[int, ...]:
        present = self.present
        if not present:
            return piles.last
        if piles.spent and not (present | piles.beside) & self.counting:
            return piles.last
        key = self._key()
        found = piles.memo.get(key)
        if found is not None:
            return found
        self.positions += 1
        if self.positions > self.most:
            raise TooManyPositions(self.most)
        if self.positions % _AT_ONCE == 0:
            pause()
        value = self._best(piles)
        piles.memo[key] = value
        return value

    def _key(self) -> object:
        """Compute the position's key at a lead, without the piles."""
        board = self.board
        if not self.one_deck:
            hands: list[int] = []
            for seat in board.seats:
                hands.append(seat.hand_lo)
                hands.append(seat.hand_hi)
            return tuple(hands), int(board.turn.seat), board.broken, int(board.waiting)
        number: i64 = 0
        suit: i64 = 0
        rest = self.present
        while suit < 4:
            pattern = rest & 8191
            form: i64 = self.suits[suit][pattern]
            if form < 0:
                form = self._form(suit, pattern)
            number = number * 8192 + form
            rest >>= 13
            suit += 1
        number = number * 16 + board.turn.seat
        number = number * 2
        if board.broken:
            number += 1
        number = number * 16
        if board.waiting:
            number += self._waiting_suits(board.waiting)
        return number

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
        """Return the form number of a suit.

        A form consists of the holders of its remaining cards, from low to high, and their special properties.
        """
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
