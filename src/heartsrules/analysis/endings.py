"""End deals early, by finding decided points and claims of the remaining tricks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from heartsrules.analysis.playout import playout
from heartsrules.base.errors import InvalidState, Problem
from heartsrules.base.values import wrong_type
from heartsrules.cards import NO_CARDS, SUIT_MASKS, Card, Cards, bag_of, popcount
from heartsrules.chance import RandomStream
from heartsrules.play.engine import apply, legal_moves
from heartsrules.play.exposing import resolved_with
from heartsrules.play.legality import playable
from heartsrules.play.moves import Move, Play
from heartsrules.play.position_keys import position_key
from heartsrules.play.public import faces_of
from heartsrules.play.score_traits import open_faces, open_tricks
from heartsrules.play.scoring import deal_outcome, open_moons
from heartsrules.play.state import AwaitingDeal, ChoosingMoon, GameOver, Playing, State
from heartsrules.play.tricks import breaks_hearts, masks_of
from heartsrules.rules import Rules, Seat
from heartsrules.rules import resolved as C
from heartsrules.views import PlayingView, View, view
from heartsrules.views.hidden_hands import hypotheses

__all__ = ["MOST_NODES", "can_claim", "decided", "is_settled", "play_out", "take_the_rest"]
__dir__ = __all__.copy

MOST_NODES: Final = 100_000
"""The node budget of `decided`, in positions."""
_TRIES: Final = 12
"""The number of random continuations compared before the search."""


def decided(state: State) -> tuple[int, ...] | None:
    """Return the current deal's points if no further move can change them.

    The points hold for all plays and choices by a shooter, but the numbers of tricks won can still change.

    Returns:
        The points, one for each seat, as in `DealScore.points`. None if they are not decided, if the search exceeded
        `MOST_NODES` positions, or if no deal is in progress.

    >>> from heartsrules import apply, deal, legal_moves, new_game, presets
    >>> start = new_game(presets.cardstock())
    >>> state = apply(start, deal(start, seed=7))
    >>> while decided(state) is None:
    ...     state = apply(state, legal_moves(state)[0])
    >>> state.trick_number, decided(state)
    (11, (0, 4, 15, 7))
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
    ends = [playout(state, stream).score_sheet[-1].points for _ in range(_TRIES)]
    points = _common(ends)
    return points if points is not None and _Search(points).finds_none(state) else None


def _common(found: Iterable[tuple[int, ...]]) -> tuple[int, ...] | None:
    points = set(found)
    return points.pop() if len(points) == 1 else None


def _points_so_far(state: Playing) -> tuple[int, ...] | None:
    """Return the points if no remaining cards or tricks can change them."""
    coming = state.set_aside.lo | faces_of(state.hands) | masks_of(state.trick)[0]
    if state.kitty_winner is None:
        coming |= state.kitty.lo
    return _settled_points(state, coming)


def _settled_points(state: Playing | PlayingView, coming: int) -> tuple[int, ...] | None:
    """Return the settled points, given the mask of the cards not yet in any pile."""
    rules = state.rules
    resolved = rules._resolved
    moons = open_moons(resolved, state.captured)
    if coming & open_faces(resolved, moons) or min(state.tricks_won) < open_tricks(resolved, moons, state.tricks_won):
        return None
    start = state.start
    if any(start.exposed):
        resolved = resolved_with(rules, start.exposed)
    _, rows = deal_outcome(resolved, state.captured, state.tricks_won, start.scores, start.deal_number, start.exposed)
    return _common([row.points for row in rows])


class _Search:
    """A search of all continuations for one with points other than `points`."""

    def __init__(self, points: tuple[int, ...]) -> None:
        self.points = points
        self.seen: set[object] = set()
        """The keys of the positions visited."""

    def finds_none(self, state: State) -> bool:
        if isinstance(state, (AwaitingDeal, GameOver)):
            return state.score_sheet[-1].points == self.points
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
    """Return the legal moves, with one from each run of interchangeable cards."""
    moves = legal_moves(state)
    if not isinstance(state, Playing) or state.rules.decks == 2 or not (state.trick or state.trick_number):
        return moves
    others = tuple([hand for seat, hand in enumerate(state.hands) if seat != state.turn])
    between = faces_of(others) | masks_of(state.trick)[0]
    return distinct_plays(state.rules, moves, between, state.start.exposed_mask)


def distinct_plays(rules: Rules, moves: Iterable[Move], between: int, exposed_mask: int) -> list[Move]:
    """Select the lowest from each run of interchangeable cards of one deck.

    Two cards are interchangeable if they are of one kind (`ResolvedRules.kinds`), neither is exposed, and no card
    between them is in `between`.

    Args:
        moves: plays of one seat, in card order.
        between: the mask of the cards in other hands, the kitty or the trick.
        exposed_mask: the mask of the exposed cards.
    """
    kinds = rules._resolved.kinds
    kept: list[Move] = []
    last = 0
    for move in moves:
        assert isinstance(move, Play), "only cards are played"
        bit = move.bit
        if (
            not last
            or (bit | last) & exposed_mask
            or kinds[bit % 53] != kinds[last % 53]
            or between & (bit - 1) & -last
        ):
            kept.append(move)
        last = bit
    return kept


# ------------------------------------------------------------------------------------------------------------ claims


def can_claim(view: View) -> bool:
    """Return True if the view's seat is on lead and can win every remaining trick.

    True is always right: one order of the hand wins every trick, whatever the others hold and play. False can be wrong
    in rare cases, because the search ignores that another seat might be forced to discard the winning card, or that
    several equal cards might cancel out.

    Args:
        view: a view in any phase. The result is False for a spectator and for a seat that is not on lead.

    >>> from heartsrules import apply, deal, legal_moves, new_game, presets, view
    >>> start = new_game(presets.cardstock())
    >>> state = apply(start, deal(start, seed=12))
    >>> while not can_claim(view(state, state.turn)):
    ...     state = apply(state, legal_moves(state)[-1])
    >>> state.trick_number, state.hands[state.turn]
    (7, Cards('AC TD 2S 2H 3H 4H'))
    """
    if not isinstance(view, View):
        wrong_type("view", "a View", view)
    return _lead_of(view) is not None


def is_settled(view: View) -> bool:
    """Return True if a view shows that the points of the deal cannot change any more.

    True is always right, and `decided` then returns the points. False can be wrong if the hidden cards settle the deal.

    Args:
        view: a view in any phase and from any seat. The result is False between deals.

    >>> from heartsrules import apply, deal, legal_moves, new_game, presets, public_view
    >>> start = new_game(presets.cardstock())
    >>> state = apply(start, deal(start, seed=12))
    >>> while not is_settled(public_view(state)):
    ...     state = apply(state, legal_moves(state)[-1])
    >>> state.trick_number, decided(state)
    (10, (8, 17, 0, 1))
    """
    if not isinstance(view, View):
        wrong_type("view", "a View", view)
    if not isinstance(view, PlayingView):
        return False
    # The cards of a kitty taken unseen can be anywhere.
    coming = view.rules.deck - sum(view.captured, start=NO_CARDS)
    return _settled_points(view, coming.lo | coming.hi) is not None


def play_out(state: State) -> tuple[Play, ...]:
    """Return plays that finish a settled deal with each seat's lowest legal card.

    Args:
        state: a state in which cards are played.

    Returns:
        Every play to the end of the deal, in order, or none in another phase.
    """
    if not isinstance(state, State):
        wrong_type("state", "a State", state)
    return tuple(_to_the_end(state, None))


def _to_the_end(state: State, claimer: Seat | None) -> Iterator[Play]:
    """Yield the lowest legal plays, but a claimer's sure winners as long as there are any."""
    while isinstance(state, Playing):
        if state.turn == claimer:
            card = _lead_of(view(state, state.turn))
        else:
            cards = [move.card for move in legal_moves(state) if isinstance(move, Play)]
            card = min(cards, key=lambda card: (card.rank, card.suit))
        if card is None:
            return
        play = Play(state.turn, card)
        yield play
        state = apply(state, play)


def take_the_rest(state: State) -> tuple[Play, ...]:
    """Return plays to finish a deal after the seat on lead claims the rest.

    The seat leads its winning cards, and the others play their lowest legal cards.

    Args:
        state: a state in which `can_claim` is True for the seat on lead.

    Returns:
        Every play to the end of the deal, in order.

    Raises:
        InvalidState: the seat cannot claim (`cannot-claim`).
    """
    if not isinstance(state, State):
        wrong_type("state", "a State", state)
    plays = tuple(_to_the_end(state, state.turn)) if isinstance(state, Playing) else ()
    if not isinstance(state, Playing) or len(plays) < sum(map(len, state.hands)):
        raise InvalidState((Problem.of("cannot-claim", ("state",)),))
    return plays


def _lead_of(seen: View) -> Card | None:
    """Return the next lead of a seat that can claim, or None if it cannot."""
    if not isinstance(seen, PlayingView) or seen.seat != seen.turn or seen.trick:
        return None
    return _Claim(seen).lead()


class _Claim:
    """A search for an order of leads that is sure to win every remaining trick."""

    def __init__(self, seen: PlayingView) -> None:
        self.seen = seen
        self.rules = seen.rules
        self.resolved = seen.rules._resolved
        self.exposed_mask = faces_of(seen.exposed)
        self.hidden = list(hypotheses(seen))
        self.sure: dict[tuple[Card, int], bool] = {}
        self.losing: set[tuple[Cards, bool]] = set()
        """Pairs of hand and hearts broken from which no order is sure to win."""

    def lead(self) -> Card | None:
        if not self.hidden or self._pairs_may_void():
            return None
        hand, broken = self.seen.hand, self.seen.hearts_broken
        return next((card for card in self._leads(hand, broken) if self._wins_with(card, hand, broken)), None)

    def _pairs_may_void(self) -> bool:
        """Return True if the others can hold two pairs, enough to void a trick."""
        if not self.rules.two_pairs_void or self.rules.players < 5:
            return False
        elsewhere = self.rules.deck - self.seen.hand - self.seen.set_aside - sum(self.seen.captured, start=NO_CARDS)
        return popcount(elsewhere.hi) > 1

    def _leads(self, hand: Cards, broken: bool) -> Cards:
        gone = self.seen.hand - hand
        waiting = self.seen.public._waiting
        for card in gone:
            waiting &= ~SUIT_MASKS[card.suit]
        first = not self.seen.trick_number and not gone
        return bag_of(playable(self.resolved, hand.lo, 0, first, broken, 0, waiting, None), 0)

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
        before = len((self.seen.hand - hand).of_suit(card.suit))
        if not self._is_sure(card, before + 1):
            return False
        rest = hand - Cards([card])
        broken = broken or breaks_hearts(self.resolved, 0, card.bit)
        return self._wins(rest, broken) and (broken or self._wins(rest, True))

    def _is_sure(self, card: Card, time: int) -> bool:
        """Return True if a lead is unbeatable in the `time`-th trick of its suit from now.

        Only a player with `time` cards of the suit can beat it.
        """
        sure = self.sure.get((card, time))
        if sure is None:
            suit = SUIT_MASKS[card.suit]
            # The second of two equal cards cancels the first, wins, or does neither.
            beating = suit & -(2 * card.bit if self.resolved.duplicates in (C.SINGLE, C.FIRST_WINS) else card.bit)
            others = [seat for seat in range(self.rules.players) if seat != self.seen.seat]
            sure = not any(hands.may_hold(seat, suit, time, beating) for hands in self.hidden for seat in others)
            self.sure[card, time] = sure
        return sure
