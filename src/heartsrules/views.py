"""Who may know what: one class of view for each phase, made by selection from a state.

A view of a seat holds what that seat may know and nothing that depends on anything else; a spectator's view has no seat
and no hand. `legal_moves`, `is_legal`, `why_illegal` and `to_act` take views as well as states, so a client validates
with the code of its server.
"""

from __future__ import annotations

from typing import ClassVar, NoReturn, TypeAlias

import attrs

from heartsrules.cards import NO_CARDS, SUIT_MASKS, Cards, Suit
from heartsrules.errors import InvalidSeat
from heartsrules.events import may_see_kitty
from heartsrules.legality import playable
from heartsrules.moves import Pass, Play
from heartsrules.phases import Phase
from heartsrules.rules import PassStep, Rules, Seat
from heartsrules.sheet import DealScore, ScoreSheet
from heartsrules.state import (
    AwaitingDeal,
    ChoosingMoon,
    GameOver,
    Passing,
    PlayedDeal,
    Playing,
    State,
    Trick,
)
from heartsrules.tables import HIGH_SPADES
from heartsrules.tricks import breaks_hearts
from heartsrules.values import checked_int

__all__ = [
    "AwaitingDealView",
    "ChoosingMoonView",
    "DealStartView",
    "GameOverView",
    "PassingView",
    "PlayedDealView",
    "PlayingView",
    "View",
    "public_view",
    "view",
]


@attrs.frozen
class DealStartView:
    """What one seat knows of what was settled before the first card of a deal was played."""

    rules: Rules
    seat: Seat | None
    """Whose view it is; None: a spectator's."""
    scores: tuple[int, ...]
    """The running totals by seat before this deal."""
    deal_number: int
    """From 0."""
    deal_scores: ScoreSheet
    """The score sheet: a row for each finished deal."""
    commitment: Pass | None
    """What this seat committed; None if this deal had no passing."""
    passed: Cards
    """What left this seat's hand."""
    received: Cards
    """What came into it."""
    declined: frozenset[Seat]
    """Who declined to pass."""

    @property
    def dealer(self) -> Seat:
        """Who dealt."""
        return self.rules.dealer(self.deal_number)


@attrs.frozen
class PlayedDealView:
    """What one seat knows of a deal as far as its tricks are completed. Tuples are by seat."""

    start: DealStartView
    leader: Seat
    """Who leads, or led, to the current trick; of a finished deal, to the last one."""
    tricks: tuple[Trick, ...]
    """The completed tricks, in order."""
    captured: tuple[Cards, ...]
    """The cards that each seat has won; the kitty's are among them only if this seat may see them."""
    tricks_won: tuple[int, ...]
    """How many tricks each seat has won."""
    trick_number: int
    """How many tricks are completed, won or not."""
    set_aside: Cards
    """The cards of tricks that nobody won, waiting for the next winner."""
    kitty_taker: Seat | None
    """Who has taken the kitty, if anybody has."""
    kitty: Cards | None
    """The kitty, if this seat may see it; None: it may not, or not yet."""

    @property
    def passed(self) -> Cards:
        """What left this seat's hand."""
        return self.start.passed

    @property
    def received(self) -> Cards:
        """What came into this seat's hand."""
        return self.start.received


@attrs.frozen
class AwaitingDealView:
    """A view of `AwaitingDeal`."""

    phase: ClassVar[Phase] = Phase.DEAL

    rules: Rules
    seat: Seat | None
    """Whose view it is; None: a spectator's."""
    scores: tuple[int, ...]
    """The running totals by seat."""
    deal_number: int
    """The number of the coming deal, from 0."""
    deal_scores: ScoreSheet
    """The score sheet: a row for each finished deal."""
    last_deal: PlayedDealView | None
    """The deal that has just ended; None before the first."""

    @property
    def dealer(self) -> Seat:
        """Who deals the coming deal."""
        return self.rules.dealer(self.deal_number)


@attrs.frozen
class PassingView:
    """A view of `Passing`: who has committed is known, what and whether they pass is not."""

    phase: ClassVar[Phase] = Phase.PASS

    rules: Rules
    seat: Seat | None
    """Whose view it is; None: a spectator's."""
    scores: tuple[int, ...]
    """The running totals by seat."""
    deal_number: int
    """The number of this deal, from 0."""
    deal_scores: ScoreSheet
    """The score sheet: a row for each finished deal."""
    hand: Cards
    """This seat's hand as it was dealt; empty for a spectator."""
    commitment: Pass | None
    """What this seat passes, or None: it has not committed yet."""
    committed: frozenset[Seat]
    """Who has committed."""

    @property
    def dealer(self) -> Seat:
        """Who dealt."""
        return self.rules.dealer(self.deal_number)

    @property
    def step(self) -> PassStep:
        """What every seat passes, and to whom."""
        return self.rules.step(self.deal_number)

    @property
    def hand_sizes(self) -> tuple[int, ...]:
        """How many cards each seat holds."""
        return (self.rules.cards_per_hand,) * self.rules.players


@attrs.frozen
class PlayingView:
    """A view of `Playing`."""

    phase: ClassVar[Phase] = Phase.PLAY

    deal: PlayedDealView
    """The deal as far as its tricks are completed."""
    hand: Cards
    """This seat's hand; empty for a spectator."""
    turn: Seat
    """Whose turn it is."""
    trick: tuple[Play, ...]
    """The plays of the current trick, in order."""
    hearts_broken: bool
    """Whether hearts are broken."""

    @property
    def rules(self) -> Rules:
        """The rule set."""
        return self.deal.start.rules

    @property
    def seat(self) -> Seat | None:
        """Whose view it is; None: a spectator's."""
        return self.deal.start.seat

    @property
    def scores(self) -> tuple[int, ...]:
        """The running totals by seat before this deal."""
        return self.deal.start.scores

    @property
    def deal_number(self) -> int:
        """The number of this deal, from 0."""
        return self.deal.start.deal_number

    @property
    def deal_scores(self) -> ScoreSheet:
        """The score sheet: a row for each finished deal."""
        return self.deal.start.deal_scores

    @property
    def dealer(self) -> Seat:
        """Who dealt."""
        return self.deal.start.dealer

    @property
    def leader(self) -> Seat:
        """Who leads, or led, to the current trick."""
        return self.deal.leader

    @property
    def tricks(self) -> tuple[Trick, ...]:
        """The completed tricks, in order."""
        return self.deal.tricks

    @property
    def captured(self) -> tuple[Cards, ...]:
        """The cards that each seat has won; the kitty's only if this seat may see them."""
        return self.deal.captured

    @property
    def tricks_won(self) -> tuple[int, ...]:
        """How many tricks each seat has won."""
        return self.deal.tricks_won

    @property
    def trick_number(self) -> int:
        """How many tricks are completed, won or not."""
        return self.deal.trick_number

    @property
    def set_aside(self) -> Cards:
        """The cards of tricks that nobody won, waiting for the next winner."""
        return self.deal.set_aside

    @property
    def kitty(self) -> Cards | None:
        """The kitty, if this seat may see it; None: it may not, or not yet."""
        return self.deal.kitty

    @property
    def kitty_taker(self) -> Seat | None:
        """Who has taken the kitty, if anybody has."""
        return self.deal.kitty_taker

    @property
    def passed(self) -> Cards:
        """What left this seat's hand."""
        return self.deal.start.passed

    @property
    def received(self) -> Cards:
        """What came into this seat's hand."""
        return self.deal.start.received

    @property
    def declined(self) -> frozenset[Seat]:
        """Who declined to pass."""
        return self.deal.start.declined

    @property
    def hand_sizes(self) -> tuple[int, ...]:
        """How many cards each seat holds."""
        left = self.rules.cards_per_hand - self.deal.trick_number
        played = {play.seat for play in self.trick}
        return tuple([left - (seat in played) for seat in range(self.rules.players)])

    @property
    def voids(self) -> tuple[frozenset[Suit], ...]:
        """By seat, the suits that its plays have shown it to hold no card of: by not following suit, by leading a
        heart that only a hand of nothing but hearts may lead, and the like."""
        return known_voids(self.deal, self.trick)


@attrs.frozen
class ChoosingMoonView:
    """A view of `ChoosingMoon`."""

    phase: ClassVar[Phase] = Phase.MOON

    last_deal: PlayedDealView
    """The deal that has just been played."""
    shooter: Seat
    """Who shot the moon and is to choose."""
    others_up: DealScore
    """What the deal comes to if the points are added to the others."""
    shooter_down: DealScore
    """What the deal comes to if they are subtracted from the shooter."""

    @property
    def rules(self) -> Rules:
        """The rule set."""
        return self.last_deal.start.rules

    @property
    def seat(self) -> Seat | None:
        """Whose view it is; None: a spectator's."""
        return self.last_deal.start.seat

    @property
    def scores(self) -> tuple[int, ...]:
        """The running totals by seat before this deal."""
        return self.last_deal.start.scores

    @property
    def deal_number(self) -> int:
        """The number of this deal, from 0."""
        return self.last_deal.start.deal_number

    @property
    def deal_scores(self) -> ScoreSheet:
        """The score sheet: a row for each finished deal, this one not yet among them."""
        return self.last_deal.start.deal_scores

    @property
    def dealer(self) -> Seat:
        """Who dealt."""
        return self.last_deal.start.dealer


@attrs.frozen
class GameOverView:
    """A view of `GameOver`."""

    phase: ClassVar[Phase] = Phase.OVER

    rules: Rules
    seat: Seat | None
    """Whose view it is; None: a spectator's."""
    scores: tuple[int, ...]
    """The final totals by seat."""
    deal_number: int
    """The number of the last deal, from 0."""
    deal_scores: ScoreSheet
    """The score sheet: a row for each deal."""
    last_deal: PlayedDealView
    """The last deal."""
    winners: tuple[Seat, ...]
    """The seats that have won, in order."""

    @property
    def dealer(self) -> Seat:
        """Who dealt the last deal."""
        return self.rules.dealer(self.deal_number)


View: TypeAlias = AwaitingDealView | PassingView | PlayingView | ChoosingMoonView | GameOverView
"""What one seat, or a spectator, may know of a state."""


def view(state: State, seat: Seat) -> View:
    """What one seat may know of a state.

    Raises:
        InvalidSeat: the table has no such seat.
        TypeError: an argument has the wrong type.
    """
    seat = checked_int("seat", seat)
    if not isinstance(state, (AwaitingDeal, Passing, Playing, ChoosingMoon, GameOver)):
        _no_state(state)
    players = state.rules.players
    if not 0 <= seat < players:
        raise InvalidSeat(seat, players)
    return _view(state, seat)


def public_view(state: State) -> View:
    """What a spectator may know of a state: what all seats know.

    Raises:
        TypeError: `state` is no state.
    """
    return _view(state, None)


def _no_state(state: object) -> NoReturn:
    raise TypeError(f"state must be a State, not {type(state).__name__}")


def _view(state: State, seat: Seat | None) -> View:
    if isinstance(state, Playing):
        return PlayingView(
            deal=_played_deal(state.deal, seat),
            hand=NO_CARDS if seat is None else state.hands[seat],
            turn=state.turn,
            trick=state.trick,
            hearts_broken=state.hearts_broken,
        )
    if isinstance(state, Passing):
        return PassingView(
            rules=state.rules,
            seat=seat,
            scores=state.scores,
            deal_number=state.deal_number,
            deal_scores=state.deal_scores,
            hand=NO_CARDS if seat is None else state.hands[seat],
            commitment=None if seat is None else state.commitments[seat],
            committed=frozenset([at for at, commitment in enumerate(state.commitments) if commitment is not None]),
        )
    if isinstance(state, AwaitingDeal):
        return AwaitingDealView(
            rules=state.rules,
            seat=seat,
            scores=state.scores,
            deal_number=state.deal_number,
            deal_scores=state.deal_scores,
            last_deal=None if state.last_deal is None else _played_deal(state.last_deal, seat),
        )
    if isinstance(state, ChoosingMoon):
        return ChoosingMoonView(
            last_deal=_played_deal(state.last_deal, seat),
            shooter=state.shooter,
            others_up=state.others_up,
            shooter_down=state.shooter_down,
        )
    if isinstance(state, GameOver):
        return GameOverView(
            rules=state.rules,
            seat=seat,
            scores=state.scores,
            deal_number=state.deal_number,
            deal_scores=state.deal_scores,
            last_deal=_played_deal(state.last_deal, seat),
            winners=state.winners,
        )
    _no_state(state)


def _played_deal(played: PlayedDeal, seat: Seat | None) -> PlayedDealView:
    start = played.start
    rules = start.rules
    taker = played.kitty_taker
    captured = played.captured
    kitty: Cards | None = None
    if may_see_kitty(rules.kitty_shown_to, taker, seat):
        kitty = start.kitty
    elif taker is not None:
        captured = (*captured[:taker], captured[taker] - start.kitty, *captured[taker + 1 :])
    return PlayedDealView(
        start=DealStartView(
            rules=rules,
            seat=seat,
            scores=start.scores,
            deal_number=start.deal_number,
            deal_scores=start.deal_scores,
            commitment=start.passes[seat] if start.passes and seat is not None else None,
            passed=NO_CARDS if seat is None else start.passed[seat],
            received=NO_CARDS if seat is None else start.received[seat],
            declined=frozenset([commitment.seat for commitment in start.passes if not commitment.gifts]),
        ),
        leader=played.leader,
        tricks=played.tricks,
        captured=captured,
        tricks_won=played.tricks_won,
        trick_number=played.trick_number,
        set_aside=played.set_aside,
        kitty_taker=taker,
        kitty=kitty,
    )


def known_voids(played: PlayedDealView, trick: tuple[Play, ...]) -> tuple[frozenset[Suit], ...]:
    """By seat, the suits that its plays have shown it to hold no card of.

    A play shows a suit to be void if it would have been illegal from a hand that also held any card of that suit.
    """
    tables = played.start.rules.tables
    voids: list[set[Suit]] = [set() for _ in range(tables.players)]
    number = played.trick_number - len(played.tricks)
    # Of a position without its history nobody can tell whether hearts were broken before.
    broken = number > 0
    for plays in [*[completed.plays for completed in played.tricks], trick]:
        led = 0
        high_spade = False
        for play in plays:
            for suit in Suit:
                faces = tables.deck_lo & SUIT_MASKS[suit]
                shown = suit != play.suit and faces != 0
                while shown and faces:
                    face = faces & -faces
                    faces ^= face
                    legal = playable(tables, play.bit | face, led, number == 0, broken, high_spade, None)
                    shown = not legal & play.bit
                if shown:
                    voids[play.seat].add(suit)
            broken = broken or breaks_hearts(tables, led, play.bit)
            led = plays[0].suit_mask
            high_spade = high_spade or play.bit & HIGH_SPADES != 0
        number += 1
    return tuple([frozenset(sorted(suits)) for suits in voids])
