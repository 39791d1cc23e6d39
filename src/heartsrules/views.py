"""Who may know what: one class of view for each phase, made by selection from a state, and kept by events.

A view of a seat holds what that seat may know and nothing that depends on anything else; a spectator's view has no seat
and no hand. `legal_moves`, `is_legal`, `why_illegal` and `to_act` take views as well as states, so a client validates
with the code of its server.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NoReturn, TypeAlias

import attrs

from heartsrules.cards import NO_CARDS, SUIT_MASKS, Cards, Suit
from heartsrules.errors import InvalidSeat, InvalidState, Problem
from heartsrules.events import (
    CardPlayed,
    CardsDealtHidden,
    CardsPassedHidden,
    DealScored,
    Event,
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
    may_see_kitty,
    redact,
)
from heartsrules.legality import playable
from heartsrules.moves import Pass, Play
from heartsrules.passing import passes_of
from heartsrules.rules import PassStep, Rules, Seat
from heartsrules.sheet import DealScore, ScoreSheet
from heartsrules.state import (
    AwaitingDeal,
    ChoosingMoon,
    Course,
    GameOver,
    Passing,
    Playing,
    State,
    Trick,
)
from heartsrules.tables import HIGH_SPADES
from heartsrules.tricks import breaks_hearts
from heartsrules.values import checked_int

__all__ = [
    "AwaitingDealView",
    "BackgroundView",
    "ChoosingMoonView",
    "CourseView",
    "GameOverView",
    "PassingView",
    "PlayerView",
    "PlayingView",
    "advance",
    "public_view",
    "view",
]


@attrs.frozen
class BackgroundView:
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
class CourseView:
    """What one seat knows of a deal as far as its tricks are completed. Tuples are by seat."""

    background: BackgroundView
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
        return self.background.passed

    @property
    def received(self) -> Cards:
        """What came into this seat's hand."""
        return self.background.received


@attrs.frozen
class AwaitingDealView:
    """A view of `AwaitingDeal`."""

    rules: Rules
    seat: Seat | None
    """Whose view it is; None: a spectator's."""
    scores: tuple[int, ...]
    """The running totals by seat."""
    deal_number: int
    """The number of the coming deal, from 0."""
    deal_scores: ScoreSheet
    """The score sheet: a row for each finished deal."""
    last_deal: CourseView | None
    """The deal that has just ended; None before the first."""

    @property
    def dealer(self) -> Seat:
        """Who deals the coming deal."""
        return self.rules.dealer(self.deal_number)


@attrs.frozen
class PassingView:
    """A view of `Passing`: who has committed is known, what and whether they pass is not."""

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

    course: CourseView
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
        return self.course.background.rules

    @property
    def seat(self) -> Seat | None:
        """Whose view it is; None: a spectator's."""
        return self.course.background.seat

    @property
    def scores(self) -> tuple[int, ...]:
        """The running totals by seat before this deal."""
        return self.course.background.scores

    @property
    def deal_number(self) -> int:
        """The number of this deal, from 0."""
        return self.course.background.deal_number

    @property
    def deal_scores(self) -> ScoreSheet:
        """The score sheet: a row for each finished deal."""
        return self.course.background.deal_scores

    @property
    def dealer(self) -> Seat:
        """Who dealt."""
        return self.course.background.dealer

    @property
    def leader(self) -> Seat:
        """Who leads, or led, to the current trick."""
        return self.course.leader

    @property
    def tricks(self) -> tuple[Trick, ...]:
        """The completed tricks, in order."""
        return self.course.tricks

    @property
    def captured(self) -> tuple[Cards, ...]:
        """The cards that each seat has won; the kitty's only if this seat may see them."""
        return self.course.captured

    @property
    def tricks_won(self) -> tuple[int, ...]:
        """How many tricks each seat has won."""
        return self.course.tricks_won

    @property
    def trick_number(self) -> int:
        """How many tricks are completed, won or not."""
        return self.course.trick_number

    @property
    def set_aside(self) -> Cards:
        """The cards of tricks that nobody won, waiting for the next winner."""
        return self.course.set_aside

    @property
    def kitty(self) -> Cards | None:
        """The kitty, if this seat may see it; None: it may not, or not yet."""
        return self.course.kitty

    @property
    def kitty_taker(self) -> Seat | None:
        """Who has taken the kitty, if anybody has."""
        return self.course.kitty_taker

    @property
    def passed(self) -> Cards:
        """What left this seat's hand."""
        return self.course.background.passed

    @property
    def received(self) -> Cards:
        """What came into this seat's hand."""
        return self.course.background.received

    @property
    def declined(self) -> frozenset[Seat]:
        """Who declined to pass."""
        return self.course.background.declined

    @property
    def hand_sizes(self) -> tuple[int, ...]:
        """How many cards each seat holds."""
        left = self.rules.cards_per_hand - self.course.trick_number
        played = {play.seat for play in self.trick}
        return tuple([left - (seat in played) for seat in range(self.rules.players)])

    @property
    def voids(self) -> tuple[frozenset[Suit], ...]:
        """By seat, the suits that its plays have shown it to hold no card of: by not following suit, by leading a
        heart that only a hand of nothing but hearts may lead, and the like."""
        return known_voids(self.course, self.trick)


@attrs.frozen
class ChoosingMoonView:
    """A view of `ChoosingMoon`."""

    last_deal: CourseView
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
        return self.last_deal.background.rules

    @property
    def seat(self) -> Seat | None:
        """Whose view it is; None: a spectator's."""
        return self.last_deal.background.seat

    @property
    def scores(self) -> tuple[int, ...]:
        """The running totals by seat before this deal."""
        return self.last_deal.background.scores

    @property
    def deal_number(self) -> int:
        """The number of this deal, from 0."""
        return self.last_deal.background.deal_number

    @property
    def deal_scores(self) -> ScoreSheet:
        """The score sheet: a row for each finished deal, this one not yet among them."""
        return self.last_deal.background.deal_scores

    @property
    def dealer(self) -> Seat:
        """Who dealt."""
        return self.last_deal.background.dealer


@attrs.frozen
class GameOverView:
    """A view of `GameOver`."""

    rules: Rules
    seat: Seat | None
    """Whose view it is; None: a spectator's."""
    scores: tuple[int, ...]
    """The final totals by seat."""
    deal_number: int
    """The number of the last deal, from 0."""
    deal_scores: ScoreSheet
    """The score sheet: a row for each deal."""
    last_deal: CourseView
    """The last deal."""
    winners: tuple[Seat, ...]
    """The seats that have won, in order."""

    @property
    def dealer(self) -> Seat:
        """Who dealt the last deal."""
        return self.rules.dealer(self.deal_number)


PlayerView: TypeAlias = AwaitingDealView | PassingView | PlayingView | ChoosingMoonView | GameOverView
"""What one seat, or a spectator, may know of a state."""


def view(state: State, seat: Seat) -> PlayerView:
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


def public_view(state: State) -> PlayerView:
    """What a spectator may know of a state: what all seats know.

    Raises:
        TypeError: `state` is no state.
    """
    return _view(state, None)


def _no_state(state: object) -> NoReturn:
    raise TypeError(f"state must be a State, not {type(state).__name__}")


def _view(state: State, seat: Seat | None) -> PlayerView:
    if isinstance(state, Playing):
        return PlayingView(
            course=_course(state.course, seat),
            hand=NO_CARDS if seat is None else state.hands[seat],
            turn=state.seat,
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
            last_deal=None if state.last_deal is None else _course(state.last_deal, seat),
        )
    if isinstance(state, ChoosingMoon):
        return ChoosingMoonView(
            last_deal=_course(state.last_deal, seat),
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
            last_deal=_course(state.last_deal, seat),
            winners=state.winners,
        )
    _no_state(state)


def _course(course: Course, seat: Seat | None) -> CourseView:
    background = course.background
    rules = background.rules
    taker = course.kitty_taker
    captured = course.captured
    kitty: Cards | None = None
    if may_see_kitty(rules.kitty_shown_to, taker, seat):
        kitty = background.kitty
    elif taker is not None:
        captured = (*captured[:taker], captured[taker] - background.kitty, *captured[taker + 1 :])
    return CourseView(
        background=BackgroundView(
            rules=rules,
            seat=seat,
            scores=background.scores,
            deal_number=background.deal_number,
            deal_scores=background.deal_scores,
            commitment=background.passes[seat] if background.passes and seat is not None else None,
            passed=NO_CARDS if seat is None else background.passed[seat],
            received=NO_CARDS if seat is None else background.received[seat],
            declined=frozenset([commitment.seat for commitment in background.passes if not commitment.gifts]),
        ),
        leader=course.leader,
        tricks=course.tricks,
        captured=captured,
        tricks_won=course.tricks_won,
        trick_number=course.trick_number,
        set_aside=course.set_aside,
        kitty_taker=taker,
        kitty=kitty,
    )


def known_voids(course: CourseView, trick: tuple[Play, ...]) -> tuple[frozenset[Suit], ...]:
    """By seat, the suits that its plays have shown it to hold no card of.

    A play shows a suit to be void if it would have been illegal from a hand that also held any card of that suit.
    """
    tables = course.background.rules._tables
    voids: list[set[Suit]] = [set() for _ in range(tables.players)]
    number = course.trick_number - len(course.tricks)
    # Of a position without its history nobody can tell whether hearts were broken before.
    broken = number > 0
    for plays in [*[completed.plays for completed in course.tricks], trick]:
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


def _strange(event: object) -> NoReturn:
    message = f"{type(event).__name__} cannot follow here: give a view the events of its own seat, in their order"
    raise InvalidState((Problem("strange-event", ("events",), message),))


class _Draft:
    """A view that is being carried on: its fields, whatever the phase."""

    def __init__(self, before: PlayerView) -> None:
        self.before = before
        self.rules = before.rules
        self.seat = before.seat
        self.scores = before.scores
        self.deal_number = before.deal_number
        self.deal_scores = before.deal_scores
        self.phase: type[PlayerView] = type(before)
        self.last: Event | None = None
        """The event before this one."""
        self.course: CourseView | None = None
        self.commitment: Pass | None = None
        self.committed: frozenset[Seat] = frozenset()
        self.declined: frozenset[Seat] = frozenset()
        self.moon: MoonShot | None = None
        self.begin_deal(NO_CARDS)
        self.phase = type(before)
        self.turn = 0
        self.trick: tuple[Play, ...] = ()
        self.winners: tuple[Seat, ...] = ()
        if isinstance(before, PassingView):
            self.hand, self.commitment, self.committed = before.hand, before.commitment, before.committed
        elif isinstance(before, PlayingView):
            self.hand, self.turn, self.trick = before.hand, before.turn, before.trick
            self.course, self.hearts_broken = before.course, before.hearts_broken
        else:
            self.course = before.last_deal
        if isinstance(before, ChoosingMoonView):
            self.moon = MoonShot(before.shooter, before.others_up, before.shooter_down)
        if isinstance(before, GameOverView):
            self.winners = before.winners

    def begin_deal(self, hand: Cards) -> None:
        """Forget the last deal."""
        self.phase = PassingView
        self.hand = hand
        self.course = None
        self.commitment = None
        self.committed = frozenset()
        self.exchanged = not self.rules.step(self.deal_number)
        self.passed = NO_CARDS
        self.received = NO_CARDS
        self.declined = frozenset()
        self.hearts_broken = False
        self.moon = None

    @property
    def unfinished(self) -> bool:
        """Whether the move that the last event belongs to must bring more."""
        if self.phase is PassingView:
            return self.exchanged or len(self.committed) == self.rules.players
        if self.phase is PlayingView and self.course is not None:
            ended = self.course.trick_number == self.rules.cards_per_hand
            return ended or len(self.trick) == self.rules.players
        return self.phase is ChoosingMoonView and isinstance(self.last, MoonChosen)

    def seen(self, course: CourseView) -> Cards:
        """The cards of which this seat knows where they are."""
        bags = [self.hand, *course.captured, course.set_aside, *[Cards([play.card]) for play in self.trick]]
        return sum(bags, start=NO_CARDS)

    def need(self, event: Event, condition: bool) -> None:
        """Refuse an event that cannot follow here."""
        if not condition:
            _strange(event)

    def need_seat(self, event: Event, seat: Seat) -> None:
        """Refuse an event of a seat that the table does not have."""
        self.need(event, 0 <= seat < self.rules.players)

    def playing(self, event: Event) -> CourseView:
        """The course of the deal that is being played."""
        if self.phase is not PlayingView or self.course is None:
            _strange(event)
        return self.course

    def played_out(self, event: Event) -> CourseView:
        """The course of the deal whose last trick has just been completed."""
        course = self.playing(event)
        self.need(event, not self.trick and course.trick_number == self.rules.cards_per_hand)
        return course


def advance(before: PlayerView, events: Iterable[Event]) -> PlayerView:
    """Carry a view on by what its seat was told: the events of whole moves, redacted for that seat.

    A client that is given its first view, and from then on only its own events, holds the same views as the server
    would compute: `view(apply(s, m), seat) == advance(view(s, seat), redact(transition(s, m).events, seat))`.

    Raises:
        InvalidState: an event cannot follow there, as far as the view can tell.
        TypeError: an argument has the wrong type.
    """
    if not isinstance(before, (AwaitingDealView, PassingView, PlayingView, ChoosingMoonView, GameOverView)):
        raise TypeError(f"before must be a PlayerView, not {type(before).__name__}")
    draft = _Draft(before)
    for event in _own(events, before.seat):
        try:
            _happen(draft, event)
        except ValueError as error:
            if isinstance(error, InvalidState):
                raise
            # A bag would have held a card for the third time.
            _strange(event)
        draft.last = event
    if draft.last is not None and draft.unfinished:
        message = f"something must follow {type(draft.last).__name__}: give all events of a move together"
        raise InvalidState((Problem("missing-event", ("events",), message),))
    return _finished(draft)


def _own(events: Iterable[Event], seat: Seat | None) -> tuple[Event, ...]:
    try:
        return redact(events, seat)
    except ValueError:
        message = f"the events are of a table that has no seat {seat}: give a view the events of its own table"
        raise InvalidState((Problem("strange-event", ("events",), message),)) from None


def _happen(draft: _Draft, event: Event) -> None:
    rules = draft.rules
    match event:
        case CardsDealtHidden(seat=seat, hand=hand):
            expected = 0 if seat is None else rules.cards_per_hand
            draft.need(event, draft.phase is AwaitingDealView and seat == draft.seat and len(hand) == expected)
            draft.begin_deal(hand)
        case PassCommitted(move=move):
            passes = passes_of(rules, draft.deal_number, move.seat, draft.hand)
            draft.need(event, move.seat == draft.seat and passes.holds(move))
            _commit(draft, event, move.seat)
            draft.commitment = move
        case PassCommittedHidden(seat=seat):
            draft.need(event, seat != draft.seat)
            _commit(draft, event, seat)
        case CardsPassedHidden(seat=seat, passed=passed, received=received, declined=declined):
            draft.need(event, draft.phase is PassingView and seat == draft.seat and not draft.exchanged)
            draft.need(event, len(draft.committed) == rules.players and passed <= draft.hand)
            draft.need(event, len(passed) == len(received))
            draft.hand = draft.hand - passed + received
            draft.passed, draft.received, draft.declined = passed, received, declined
            draft.exchanged = True
        case PlayBegan(leader=leader):
            draft.need_seat(event, leader)
            draft.need(event, draft.phase is PassingView and draft.exchanged)
            _begin(draft, leader)
        case CardPlayed(seat=seat, card=card):
            course = draft.playing(event)
            draft.need(event, seat == draft.turn and len(draft.trick) < rules.players)
            draft.need(event, course.trick_number < rules.cards_per_hand)
            if seat == draft.seat:
                draft.need(event, card in draft.hand)
                draft.hand -= Cards([card])
            draft.need(event, draft.seen(course) + Cards([card]) <= rules.deck)
            draft.trick = (*draft.trick, Play(seat, card))
            draft.turn = (seat + 1) % rules.players
        case HeartsBroken(seat=seat, card=card):
            draft.playing(event)
            draft.need(event, not draft.hearts_broken and draft.last == CardPlayed(seat, card))
            draft.hearts_broken = True
        case TrickWon(winner=winner, cards=cards):
            draft.need_seat(event, winner)
            course = _complete(draft, event, cards, winner)
            won = course.tricks_won
            draft.course = attrs.evolve(
                course,
                captured=_with(course.captured, winner, cards),
                tricks_won=(*won[:winner], won[winner] + 1, *won[winner + 1 :]),
                set_aside=NO_CARDS,
            )
        case TrickVoid(cards=cards):
            course = _complete(draft, event, cards, None)
            draft.course = attrs.evolve(course, set_aside=cards)
        case KittyTaken(seat=seat, cards=cards):
            course = _take_kitty(draft, event, seat)
            draft.need(event, len(cards) == rules.kitty_size)
            captured = _with(course.captured, seat, cards)
            draft.course = attrs.evolve(course, kitty_taker=seat, kitty=cards, captured=captured)
        case KittyTakenHidden(seat=seat):
            draft.course = attrs.evolve(_take_kitty(draft, event, seat), kitty_taker=seat)
        case MoonShot(shooter=shooter):
            draft.need_seat(event, shooter)
            draft.played_out(event)
            draft.phase, draft.moon = ChoosingMoonView, event
        case MoonChosen(seat=seat):
            draft.need(event, draft.phase is ChoosingMoonView)
            draft.need(event, draft.moon is not None and draft.moon.shooter == seat)
        case DealScored(score=score):
            if draft.phase is ChoosingMoonView:
                draft.need(event, isinstance(draft.last, MoonChosen))
            else:
                draft.played_out(event)
            draft.need(event, len(score.totals) == rules.players)
            draft.scores = score.totals
            draft.deal_scores = draft.deal_scores.with_row(score)
            draft.phase = AwaitingDealView
            draft.deal_number += 1
        case GameEnded(winners=winners):
            draft.need(event, isinstance(draft.last, DealScored))
            draft.phase, draft.winners = GameOverView, winners
            draft.deal_number -= 1
        case _:
            # The others never come out of a redaction.
            _strange(event)


def _commit(draft: _Draft, event: Event, seat: Seat) -> None:
    draft.need_seat(event, seat)
    draft.need(event, draft.phase is PassingView and not draft.exchanged and seat not in draft.committed)
    draft.committed = frozenset(sorted({*draft.committed, seat}))


def _begin(draft: _Draft, leader: Seat) -> None:
    players = draft.rules.players
    draft.phase, draft.turn = PlayingView, leader
    draft.course = CourseView(
        background=BackgroundView(
            rules=draft.rules,
            seat=draft.seat,
            scores=draft.scores,
            deal_number=draft.deal_number,
            deal_scores=draft.deal_scores,
            commitment=draft.commitment,
            passed=draft.passed,
            received=draft.received,
            declined=draft.declined,
        ),
        leader=leader,
        tricks=(),
        captured=(NO_CARDS,) * players,
        tricks_won=(0,) * players,
        trick_number=0,
        set_aside=NO_CARDS,
        kitty_taker=None,
        kitty=None,
    )


def _with(piles: tuple[Cards, ...], seat: Seat, cards: Cards) -> tuple[Cards, ...]:
    return (*piles[:seat], piles[seat] + cards, *piles[seat + 1 :])


def _complete(draft: _Draft, event: Event, cards: Cards, winner: Seat | None) -> CourseView:
    """Put the current trick among the completed ones; the last one of a deal leaves the leader as it is."""
    course = draft.playing(event)
    draft.need(event, len(draft.trick) == draft.rules.players)
    draft.need(event, cards == Cards([play.card for play in draft.trick]) + course.set_aside)
    number = course.trick_number + 1
    leader = course.leader
    if winner is not None and number < draft.rules.cards_per_hand:
        leader = winner
    course = attrs.evolve(
        course,
        tricks=(*course.tricks, Trick(course.leader, draft.trick, winner)),
        trick_number=number,
        leader=leader,
    )
    draft.trick = ()
    draft.turn = leader
    return course


def _take_kitty(draft: _Draft, event: Event, seat: Seat) -> CourseView:
    course = draft.playing(event)
    draft.need(event, draft.rules.kitty_size > 0 and course.kitty_taker is None)
    draft.need(event, isinstance(draft.last, TrickWon) and draft.last.winner == seat)
    return course


def _finished(draft: _Draft) -> PlayerView:
    """The view that a draft has become."""
    course = draft.course
    if draft.phase is AwaitingDealView:
        return AwaitingDealView(
            rules=draft.rules,
            seat=draft.seat,
            scores=draft.scores,
            deal_number=draft.deal_number,
            deal_scores=draft.deal_scores,
            last_deal=course,
        )
    if draft.phase is PassingView:
        return PassingView(
            rules=draft.rules,
            seat=draft.seat,
            scores=draft.scores,
            deal_number=draft.deal_number,
            deal_scores=draft.deal_scores,
            hand=draft.hand,
            commitment=draft.commitment,
            committed=draft.committed,
        )
    if course is not None:
        if draft.phase is PlayingView:
            return PlayingView(
                course=course,
                hand=draft.hand,
                turn=draft.turn,
                trick=draft.trick,
                hearts_broken=draft.hearts_broken,
            )
        if draft.phase is GameOverView:
            return GameOverView(
                rules=draft.rules,
                seat=draft.seat,
                scores=draft.scores,
                deal_number=draft.deal_number,
                deal_scores=draft.deal_scores,
                last_deal=course,
                winners=draft.winners,
            )
        if draft.moon is not None:
            return ChoosingMoonView(
                last_deal=course,
                shooter=draft.moon.shooter,
                others_up=draft.moon.others_up,
                shooter_down=draft.moon.shooter_down,
            )
    return draft.before
