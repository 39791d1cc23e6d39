"""The end of a deal before its last card: what is decided already, and who may take the rest."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from heartsrules.base.errors import InvalidState, Problem
from heartsrules.base.values import Unchecked, wrong_type
from heartsrules.cards import NO_CARDS, SUIT_MASKS, Card, Cards, bag_of, popcount
from heartsrules.chance import RandomStream
from heartsrules.play.engine import apply, legal_moves
from heartsrules.play.exposing import compiled_with
from heartsrules.play.legality import playable
from heartsrules.play.moves import Move, Play
from heartsrules.play.position_keys import position_key
from heartsrules.play.scoring import deal_outcome
from heartsrules.play.state import AwaitingDeal, ChoosingMoon, GameOver, Playing, State, faces_of
from heartsrules.play.tricks import breaks_hearts
from heartsrules.rules import compiled as C
from heartsrules.search.playout import playout
from heartsrules.views import PlayingView, View, view
from heartsrules.views.unseen import HiddenCards

__all__ = ["MOST_NODES", "can_claim", "decided", "take_the_rest"]

MOST_NODES: Final = 100_000
"""How many positions `decided` looks at before it gives up."""
_TRIES: Final = 12
"""How many random continuations are compared before the search begins."""


def decided(state: Unchecked[State]) -> tuple[int, ...] | None:
    """The points of the deal that is being played, by seat, if nothing that is still to come can change them.

    Whatever is played, and whatever a shooter chooses, the row of the score sheet has these points; how many tricks
    each seat wins may still change. Some random continuations are compared first; if they agree, all are searched.

    Args:
        state: of any phase.

    Returns:
        The points by seat, as in `DealScore.points`. None if they are not decided, or if `MOST_NODES` positions were
        not enough to tell; and between two deals and after the last one.

    >>> from heartsrules import apply, deal, legal_moves, new_game, presets
    >>> start = new_game(presets.cardstock())
    >>> state = apply(start, deal(start, seed=7))
    >>> while decided(state) is None:
    ...     state = apply(state, legal_moves(state)[0])
    >>> state.trick_number, decided(state)
    (11, (0, 4, 15, 7))

    Raises:
        TypeError: `state` is not a state.
    """
    if not isinstance(state, State):
        wrong_type("state", "a State", state)
    if isinstance(state, (AwaitingDeal, GameOver)):
        return None
    if isinstance(state, ChoosingMoon):
        return _common([state.others_up.points, state.shooter_down.points])
    if isinstance(state, Playing):
        points = _points_so_far(state)
        if points is not None:
            return points
    stream = RandomStream("decided")
    ends = [playout(state, stream).deal_scores[-1].points for _ in range(_TRIES)]
    points = _common(ends)
    if points is None:
        return None
    return points if _Search(points).finds_none(state) else None


def _common(found: Iterable[tuple[int, ...]]) -> tuple[int, ...] | None:
    points = set(found)
    return points.pop() if len(points) == 1 else None


def _points_so_far(state: Playing) -> tuple[int, ...] | None:
    """The points of a deal in which no card that is still to be won counts, and no number of tricks; otherwise None."""
    rules, played = state.rules, state.deal
    compiled = rules.compiled
    coming = state.set_aside.lo | faces_of(state.hands)
    for play in state.trick:
        coming |= play.bit
    if state.kitty_taker is None:
        coming |= state.kitty.lo
    if coming & compiled.counting:
        return None
    if rules.no_tricks_bonus and not all(state.tricks_won):
        return None
    # The sun is of a side, whoever of it won the tricks.
    if rules.sun and len({seat % compiled.sides for seat, won in enumerate(state.tricks_won) if won}) < 2:
        return None
    start = played.start
    if start.exposed:
        compiled = compiled_with(rules, start.shown)
    _, rows = deal_outcome(compiled, state.captured, state.tricks_won, start.scores, start.deal_number, start.shown)
    return _common([row.points for row in rows])


class _Search:
    """A search of all continuations of a deal for one with other points than these."""

    def __init__(self, points: tuple[int, ...]) -> None:
        self.points = points
        self.seen: set[object] = set()
        """The keys of the positions visited."""

    def finds_none(self, state: State) -> bool:
        """Whether there is none. False too where the node budget is exceeded."""
        if isinstance(state, (AwaitingDeal, GameOver)):
            return state.deal_scores[-1].points == self.points
        if isinstance(state, ChoosingMoon):
            return state.others_up.points == self.points == state.shooter_down.points
        if isinstance(state, Playing):
            points = _points_so_far(state)
            if points is not None:
                return points == self.points
        key = position_key(state)
        if key in self.seen:
            return True
        self.seen.add(key)
        if len(self.seen) > MOST_NODES:
            return False
        return all(self.finds_none(apply(state, move)) for move in _different(state))


def _different(state: State) -> Iterable[Move]:
    """The legal moves, with one representative for each run of interchangeable cards."""
    moves = legal_moves(state)
    if not isinstance(state, Playing) or state.rules.decks == 2 or not (state.trick or state.trick_number):
        return moves
    compiled = state.rules.compiled
    exposed = state.deal.start.exposed
    kinds = compiled.kinds
    between = 0
    for seat, hand in enumerate(state.hands):
        if seat != state.turn:
            between |= hand.lo
    for play in state.trick:
        between |= play.bit
    kept: list[Move] = []
    last = 0
    for move in moves:
        assert isinstance(move, Play), "only cards are played"
        bit = move.bit
        if not last or (bit | last) & exposed or kinds[bit % 53] != kinds[last % 53] or between & (bit - 1) & -last:
            kept.append(move)
        last = bit
    return kept


# -------------------------------------------------------------------------------------------------------- who claims


def can_claim(view: Unchecked[View]) -> bool:
    """Whether the seat of a view, on lead, can win every trick that is left, whatever the others hold and play.

    It is worked out from the view alone: for every way in which the hidden cards can lie there is an order of its
    cards in which it wins each trick. True is always right. False can be wrong, rarely: that another seat may be
    forced to throw away the card that would win, or that several equal cards cancel out, is not looked into.

    Args:
        view: of any phase; of a spectator, and of a seat that is not on lead, the answer is False.

    >>> from heartsrules import apply, deal, legal_moves, new_game, presets, view
    >>> start = new_game(presets.cardstock())
    >>> state = apply(start, deal(start, seed=12))
    >>> while not can_claim(view(state, state.turn)):
    ...     state = apply(state, legal_moves(state)[-1])
    >>> state.trick_number, state.hands[state.turn]
    (7, Cards('AC TD 2S 2H 3H 4H'))

    Raises:
        TypeError: `view` is not a view.
    """
    if not isinstance(view, View):
        wrong_type("view", "a View", view)
    return _lead_of(view) is not None


def take_the_rest(state: Unchecked[State]) -> tuple[Play, ...]:
    """The plays that end a deal in which the seat on lead claims the rest, for the record.

    The seat leads the cards that win, the others play the lowest card that they may.

    Args:
        state: a state in which `can_claim` of the view of the seat whose turn it is holds.

    Returns:
        Every play to the end of the deal, in order.

    Raises:
        InvalidState: the seat cannot claim (`cannot-claim`).
        TypeError: `state` is not a state.
    """
    if not isinstance(state, State):
        wrong_type("state", "a State", state)
    plays: list[Play] = []
    claimer = state.turn if isinstance(state, Playing) else None
    now: State = state
    while isinstance(now, Playing) and now.deal_number == state.deal_number:
        if now.turn == claimer:
            card = _lead_of(view(now, now.turn))
        else:
            card = min([move.card for move in legal_moves(now) if isinstance(move, Play)], key=_by_rank)
        if card is None:
            break
        plays.append(Play(now.turn, card))
        now = apply(now, plays[-1])
    if claimer is None or isinstance(now, Playing):
        raise InvalidState((Problem.of("cannot-claim", ("state",)),))
    return tuple(plays)


def _by_rank(card: Card) -> tuple[int, int]:
    return card.rank, card.suit


def _lead_of(seen: View) -> Card | None:
    """The card to lead for a seat that can claim the rest; None: it cannot."""
    if not isinstance(seen, PlayingView) or seen.seat != seen.turn or seen.trick:
        return None
    return _Claim(seen).lead()


class _Claim:
    """The tricks that a seat on lead is sure to win."""

    def __init__(self, seen: PlayingView) -> None:
        self.seen = seen
        self.rules = seen.rules
        self.compiled = seen.rules.compiled
        self.exposed = faces_of(seen.shown)
        self.hidden = HiddenCards(seen.deal, seen.hand, ())
        self.possible = self.hidden.fits and self.hidden.plays_could_be_legal(seen.hearts_broken)
        self.sure: dict[tuple[Card, int], bool] = {}
        self.losing: set[tuple[Cards, bool]] = set()
        """Memo of hands, with `hearts_broken`, that are not sure to win."""

    def lead(self) -> Card | None:
        """The first card of an order in which every trick is won."""
        if not self.possible or self._pairs_may_void():
            return None
        for card in self._leads(self.seen.hand, self.seen.hearts_broken):
            if self._wins_with(card, self.seen.hand, self.seen.hearts_broken):
                return card
        return None

    def _pairs_may_void(self) -> bool:
        """Whether the others may have two pairs for one trick, be their cards known or not."""
        if not self.rules.two_pairs_void or self.rules.players < 5:
            return False
        elsewhere = self.rules.deck - self.seen.hand - self.seen.set_aside - sum(self.seen.captured, start=NO_CARDS)
        return popcount(elsewhere.hi) > 1

    def _leads(self, hand: Cards, broken: bool) -> Cards:
        """What the seat may lead from what is left of its hand, after all its tricks so far."""
        gone = self.seen.hand - hand
        waiting = self.seen.deal.waiting
        for card in gone:
            waiting &= ~SUIT_MASKS[card.suit]
        first = not self.seen.trick_number and not gone
        return bag_of(playable(self.compiled, hand.lo, 0, first, broken, 0, waiting, None), 0)

    def _wins(self, hand: Cards, broken: bool) -> bool:
        if not hand:
            return True
        key = hand, broken
        if key in self.losing:
            return False
        if any(self._wins_with(card, hand, broken) for card in self._leads(hand, broken)):
            return True
        self.losing.add(key)
        return False

    def _wins_with(self, card: Card, hand: Cards, broken: bool) -> bool:
        """Whether it wins this trick and all others with a lead, whether or not the others break hearts."""
        before = len((self.seen.hand - hand).of_suit(card.suit))
        if not self._is_sure(card, before + 1):
            return False
        rest = hand - Cards([card])
        broken = broken or breaks_hearts(self.compiled, 0, card.bit)
        return self._wins(rest, broken) and (broken or self._wins(rest, True))

    def _is_sure(self, card: Card, time: int) -> bool:
        """Whether nobody can beat a card when its suit is led for the first, second, ... time from now on.

        To beat it a player must have followed each time before, so must hold that many cards of the suit now.
        """
        sure = self.sure.get((card, time))
        if sure is None:
            suit = SUIT_MASKS[card.suit]
            # Of equal cards the second one cancels the first, or wins, or neither.
            beating = suit & -(2 * card.bit if self.compiled.duplicates in (C.SINGLE, C.FIRST_WINS) else card.bit)
            others = [seat for seat in range(self.rules.players) if seat != self.seen.seat]
            sure = not any(self.hidden.may_hold(seat, suit, time, beating) for seat in others)
            self.sure[card, time] = sure
        return sure
