"""Views updated with the events of their seat.

The engine's functions compute what follows from the view, for comparison with the events. Unknown facts must at least
be possible. So an updated view can be trusted like one made from the state.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from typing import Any, Final, NoReturn, TypeAlias, TypeVar, get_args, get_type_hints

import attrs

from heartsrules.base.errors import InvalidState, Problem, is_plain
from heartsrules.base.typed import misfit, phrase_of
from heartsrules.base.values import replaced, type_phrase, wrong_type
from heartsrules.cards import NO_CARDS, Cards, bag_of, either
from heartsrules.play.dealing import deal_problems
from heartsrules.play.engine import completed
from heartsrules.play.events import (
    CardPlayed,
    CardsDealt,
    CardsDealtHidden,
    CardsExposed,
    CardsPassed,
    CardsPassedHidden,
    DealScored,
    Event,
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
    may_see_kitty,
    redact,
)
from heartsrules.play.exposing import exposures_in, resolved_with_exposed
from heartsrules.play.moves import Deal, Expose, Play
from heartsrules.play.passing import moves_cards, pass_counts_of, passes_of, receivers
from heartsrules.play.public import DealStart, first_trick, playable_now, with_exposed, with_item
from heartsrules.play.scoring import deal_outcome, row_winners
from heartsrules.play.sheet import ROW_TYPES, DealScore
from heartsrules.play.tricks import breaks_hearts, fixed_leader, led_suit
from heartsrules.play.view_classes import (
    AwaitingDealView,
    ChoosingMoonView,
    DealingBackView,
    ExposingView,
    GameOverView,
    OwnKnowledge,
    PassingView,
    PlayingView,
    SeenDeal,
    View,
)
from heartsrules.rules import ANY_NUMBER, KittyShownTo, Moon, PassPlan, Rules, Seat
from heartsrules.views.hidden_hands import could_be
from heartsrules.views.passed_cards import laid_away, passed_to

E = TypeVar("E")

_Params: TypeAlias = tuple[tuple[str, Any], ...]


def advance(before: View, events: Iterable[Event], *, strict: bool = True) -> View:
    """Update a view with the events of whole moves, redacted for its seat.

    A client that receives its first view, and then only its own events, has the same views as the server:
    `view(apply(s, m), seat) == advance(view(s, seat), redact(transition(s, m).events, seat))`.

    The events are checked as well as the view allows: the legality of a play, broken hearts, the winners of the trick
    and the kitty, the deal's score, the end of the game.

    Args:
        before: a view of any phase, from `view`, `public_view`, `advance` or `from_json`.
        events: all events since then, in order, from `redact` for the view's seat.
        strict: False to redact an event that this seat must not see. The default refuses it, so that a client's tests
            notice a server that sends every hand.

    Raises:
        InvalidState: an event is not redacted for this seat (`secret-event`), cannot follow (`strange-event`), or
            contradicts the view (`wrong-event`; the field is its position, such as `events[2]`); an event is missing
            (`missing-event`); or no state has the view `before` (`impossible-view`, if noticed).
    """
    if not isinstance(before, View):
        wrong_type("before", "a View", before)
    if not isinstance(strict, bool):
        wrong_type("strict", "a bool", strict)
    try:
        follower = _Follower(before, _own_events(events, before.rules, before.seat, strict))
        follower.follow()
    except (ValueError, LookupError) as error:
        if isinstance(error, InvalidState):
            raise
        raise InvalidState((Problem.of("impossible-view", ("before",), "argument"),)) from None
    return follower.view


# ------------------------------------------------------------------------------------------------------ the refusals


def _refuse(code: str, at: int | None, params: _Params, detail: str = "") -> NoReturn:
    place = "events" if at is None else f"events[{at}]"
    raise InvalidState((Problem(code, (place,), params, detail),)) from None


def _wrong(event: Event, at: int, part: str, reason: str, params: _Params = ()) -> NoReturn:
    _refuse("wrong-event", at, (("event", _name_of(event)), ("part", part), *params), reason)


def _strange(event: Event, at: int) -> NoReturn:
    _refuse("strange-event", at, (("event", _name_of(event)),))


def _name_of(event: Event) -> str:
    return type(event).__name__


def _no_seat(seat: Seat, rules: Rules) -> _Params:
    return (("given", seat), ("last", rules.players - 1))


_INSIDE: Final[dict[type, dict[str, Any]]] = {DealScore: ROW_TYPES}
_PARTS: Final = {
    kind: {field.name: get_type_hints(kind)[field.name] for field in attrs.fields(kind)} for kind in get_args(Event)
}


def _own_events(events: Iterable[Event], rules: Rules, seat: Seat | None, strict: bool) -> tuple[Event, ...]:
    """Check events and redact them for a seat, or refuse them if `strict`."""
    if isinstance(events, Iterable) and not isinstance(events, str):
        events = tuple(events)
        for at, event in enumerate(events):
            for name, hint in _PARTS.get(type(event), {}).items():
                value = getattr(event, name)
                if misfit(value, hint, _INSIDE) is not None:
                    expected = phrase_of(hint) + " of ints, a Moon and a bool" * (hint is DealScore)
                    raise TypeError(f"events[{at}].{name} must be {expected}, not {_kind_of(value)}")
            if isinstance(event, (CardsDealt, CardsPassed, CardsDealtHidden, CardsPassedHidden)):
                _check_redacted(event, at, rules)
    own = redact(events, seat)
    if strict:
        for at, (event, seen) in enumerate(zip(events, own, strict=True)):
            if seen != event:
                _refuse("secret-event", at, (("event", _name_of(event)),))
    return own


def _kind_of(value: object) -> str:
    return type_phrase(value) + (" of other things" if isinstance(value, (tuple, frozenset, DealScore)) else "")


def _check_redacted(
    event: CardsDealt | CardsPassed | CardsDealtHidden | CardsPassedHidden, at: int, rules: Rules
) -> None:
    players = rules.players
    if isinstance(event, CardsDealt):
        problems = deal_problems(rules, Deal(event.hands, event.kitty))
        if problems:
            # Only the codes: the problems name other seats' cards.
            codes = tuple(dict.fromkeys([each.code for each in problems]))
            _wrong(event, at, "deal", "deal", (("problems", codes),))
    elif isinstance(event, CardsPassed):
        for name, bags in (("passed", event.passed), ("received", event.received)):
            if len(bags) != players:
                _wrong(event, at, name, "by-seat", (("count", len(bags)), ("players", players)))
    elif event.seat is not None and not 0 <= event.seat < players:
        _wrong(event, at, "seat", "seats", _no_seat(event.seat, rules))


# --------------------------------------------------------------------------------------------------- the follower


@attrs.frozen
class _Checkpoint:
    """The seat's knowledge of a deal after an event that constrains the hidden cards."""

    event: Event
    at: int
    seen: PlayingView

    @property
    def impossible(self) -> bool:
        return not could_be(self.seen)


class _Follower:
    def __init__(self, before: View, events: Sequence[Event]) -> None:
        self.view = before
        """The view after the last whole move."""
        self.rules = before.rules
        self.resolved = before.rules._resolved
        self.seat = before.seat
        self.events = events
        self.at = 0
        self.checkpoints: list[_Checkpoint] = []
        """The checkpoints since the last check."""

    def follow(self) -> None:
        try:
            while self.at < len(self.events):
                self.view = self.moved(self.view)
        except InvalidState:
            # An earlier event may be the impossible one; then it is the one to name.
            self.check_hidden_cards()
            raise
        self.check_hidden_cards()

    def moved(self, seen: View) -> View:
        event = self.events[self.at]
        self.at += 1
        if isinstance(seen, PlayingView) and isinstance(event, CardPlayed):
            return self.played(seen, event)
        if isinstance(seen, PassingView) and isinstance(event, (PassCommitted, PassCommittedHidden)):
            return self.committed(seen, event)
        if isinstance(seen, DealingBackView) and isinstance(event, CardsPassedHidden):
            self.at -= 1
            return self.exchanged(seen)
        if isinstance(seen, ExposingView):
            return self.exposed(seen, event)
        if isinstance(seen, AwaitingDealView) and isinstance(event, CardsDealtHidden):
            return self.dealt(seen, event)
        if isinstance(seen, ChoosingMoonView) and isinstance(event, MoonChosen):
            self.check_number(event, "seat", event.seat, seen.shooter, "shooter")
            rows = {Moon.OTHERS_UP: seen.others_up, Moon.SHOOTER_DOWN: seen.shooter_down}
            self.check(event, "effect", event.effect in rows, "effect")
            return self.scored(seen.last_deal, rows[event.effect])
        _strange(event, self.at - 1)

    def check(self, event: Event, part: str, right: bool, reason: str, params: _Params = ()) -> None:
        """Refuse the last event unless a part of it is right.

        `reason` is the problem's detail.
        """
        if not right:
            _wrong(event, self.at - 1, part, reason, params)

    def check_number(self, event: Event, part: str, given: int, expected: int, reason: str) -> None:
        """Refuse the last event unless a seat or a number in it is the expected one."""
        self.check(event, part, given == expected, reason, (("expected", expected), ("given", given)))

    def take(self, kind: type[E]) -> E:
        last = _name_of(self.events[self.at - 1])
        if self.at == len(self.events):
            _refuse("missing-event", None, (("expected", kind.__name__), ("last", last)))
        event = self.events[self.at]
        if not isinstance(event, kind):
            params = (("event", _name_of(event)), ("expected", kind.__name__), ("last", last))
            _refuse("strange-event", self.at, params, "instead")
        self.at += 1
        return event

    def expect(self, expected: Event) -> None:
        event = self.take(type(expected))
        for name in _PARTS[type(expected)]:
            given, wanted = getattr(event, name), getattr(expected, name)
            if given != wanted and is_plain(given) and is_plain(wanted):
                _wrong(event, self.at - 1, name, "value", (("expected", wanted), ("given", given)))
            self.check(event, name, given == wanted, "other")

    def add_checkpoint(self, seen: PlayingView) -> None:
        at = self.at - 1
        self.checkpoints.append(_Checkpoint(self.events[at], at, seen))

    def check_hidden_cards(self) -> None:
        """Refuse the first event that leaves no possible arrangement of the hidden cards.

        Later arrangements are then impossible too, so a binary search finds it.
        """
        if self.checkpoints and self.checkpoints[-1].impossible:
            first = self.checkpoints[bisect_left(self.checkpoints, True, key=lambda each: each.impossible)]
            _refuse("wrong-event", first.at, (("event", _name_of(first.event)),), "no-deal")
        self.checkpoints.clear()

    # ------------------------------------------------------------------------------------------ dealing and passing

    def dealt(self, seen: AwaitingDealView, event: CardsDealtHidden) -> View:
        rules = self.rules
        size = 0 if self.seat is None else rules.cards_per_hand
        if event.seat != self.seat:
            _strange(event, self.at - 1)
        self.check(event, "hand", len(event.hand) == size, "size", (("count", size), ("given", len(event.hand))))
        self.check(event, "hand", event.hand <= rules.deck, "not-in-play")
        if not rules.pass_plan(seen.deal_number) or self.resolved.shows_before_pass(seen.deal_number):
            start = DealStart(rules, seen.score_sheet, (), self.resolved.nothing)
            return self.before_play(start, OwnKnowledge(self.seat), event.hand)
        return self.passing(seen, event.hand)

    def passing(self, seen: AwaitingDealView | ExposingView, hand: Cards) -> PassingView:
        return PassingView(
            rules=self.rules,
            seat=self.seat,
            score_sheet=seen.score_sheet,
            hand=hand,
            commitment=None,
            committed=frozenset(),
        )

    def committed(self, seen: PassingView, event: PassCommitted | PassCommittedHidden) -> View:
        players = self.rules.players
        commitment = seen.commitment
        if isinstance(event, PassCommittedHidden):
            seat = event.seat
            self.check(event, "seat", seat != self.seat, "own-pass")
        else:
            seat = event.move.seat
            # After redaction, this is the viewer's own.
            passes = passes_of(self.rules, seen.deal_number, seat, seen.hand)
            self.check(event, "move", passes.holds(event.move), "pass")
            commitment = event.move
        self.check(event, "seat", 0 <= seat < players, "seats", _no_seat(seat, self.rules))
        self.check(event, "seat", seat not in seen.committed, "committed", (("given", seat),))
        seen = replaced(seen, commitment=commitment, committed=frozenset(sorted({*seen.committed, seat})))
        if len(seen.committed) < players:
            return seen
        if self.resolved.through_middle(seen.deal_number):
            return DealingBackView(self.rules, self.seat, seen.score_sheet, seen.hand, commitment)
        return self.exchanged(seen)

    def exchanged(self, seen: PassingView | DealingBackView) -> View:
        rules = self.rules
        event = self.take(CardsPassedHidden)
        if event.seat != self.seat:
            _strange(event, self.at - 1)
        counts = event.counts
        plan = rules.pass_plan(seen.deal_number)
        declined = self.declined_by(event, counts, plan)
        passed = NO_CARDS
        count = 0
        through = self.resolved.through_middle(seen.deal_number)
        if self.seat is not None and seen.commitment is not None:
            gifts = seen.commitment.cards
            (own,) = pass_counts_of((seen.commitment,))
            self.check_number(event, "counts", counts[self.seat], own, "own-decision")
            if through and gifts and moves_cards(rules, declined):
                passed, count = gifts[0], len(gifts[0])
            for (giver, number), receiver in receivers(rules, seen.deal_number, declined).items():
                if giver == self.seat:
                    passed += gifts[number]
                elif receiver == self.seat:
                    count += plan[number][1]
        self.check(event, "passed", event.passed == passed, "passed")
        received = event.received
        self.check(event, "received", len(received) == count, "received", (("count", count), ("given", len(received))))
        self.check(event, "received", not received & rules.unpassable, "unpassable")
        # A seat can get its own cards back from the middle; a single contributor always does.
        possible = received <= rules.deck - (seen.hand - passed if through else seen.hand)
        self.check(event, "received", possible, "held-before")
        alone = through and count > 0 and len(declined) == rules.players - 1
        self.check(event, "received", received == passed or not alone, "other")
        start = DealStart(rules, seen.score_sheet, counts, self.resolved.nothing)
        own_part = OwnKnowledge(self.seat, seen.commitment, passed, received)
        return self.before_play(start, own_part, seen.hand - passed + received)

    def declined_by(self, event: Event, counts: tuple[int, ...], step: PassPlan) -> frozenset[Seat]:
        rules = self.rules
        by_seat = (("count", len(counts)), ("players", rules.players))
        self.check(event, "counts", len(counts) == rules.players, "by-seat", by_seat)
        declined = frozenset([seat for seat, count in enumerate(counts) if not count])
        if step == ANY_NUMBER:
            most = rules.cards_per_hand
            self.check(event, "counts", min(counts) >= 0 and max(counts) <= most, "count-of-any", (("most", most),))
            return declined
        whole = sum([count for _, count in step])
        self.check(event, "counts", set(counts) <= {0, whole}, "count-of-step", (("expected", whole),))
        self.check(event, "counts", self.resolved.may_decline or not declined, "may-not-decline")
        return declined

    # -------------------------------------------------------------------------------------------------- the exposure

    def before_play(self, start: DealStart, own: OwnKnowledge, hand: Cards) -> View:
        if self.resolved.exposable:
            return ExposingView(start, own, hand, None, frozenset())
        return self.began(start, own, hand)

    def exposed(self, seen: ExposingView, event: Event) -> View:
        players = self.rules.players
        start = seen.start
        before = seen.committed
        if self.resolved.shows_openly:
            if not isinstance(event, CardsExposed):
                _strange(event, self.at - 1)
            seat = event.seat
            if self.resolved.shows_in_turn:
                self.check_number(event, "seat", seat, seen.to_act[0], "turn-to-show")
            start = self.with_shown(seen, start, event)
            move = Expose(seat, start.exposed[seat]) if seat == self.seat else seen.exposure
        elif isinstance(event, ExposureCommittedHidden):
            seat, move = event.seat, seen.exposure
            self.check(event, "seat", seat != self.seat, "own-exposure")
        elif isinstance(event, ExposureCommitted):
            # After redaction, this is the viewer's own.
            seat, move = event.move.seat, event.move
            holds = exposures_in(self.resolved, seat, seen.hand, NO_CARDS).holds(move)
            self.check(event, "move", holds, "exposure")
        else:
            _strange(event, self.at - 1)
        self.check(event, "seat", 0 <= seat < players, "seats", _no_seat(seat, self.rules))
        self.check(event, "seat", seat not in before, "decided", (("given", seat),))
        if self.resolved.shows_in_rounds and isinstance(event, CardsExposed) and event.cards:
            before = frozenset()
            if seat != self.seat:
                move = None
        committed = frozenset(sorted({*before, seat}))
        if len(committed) < players:
            return replaced(seen, start=start, exposure=move, committed=committed)
        if not self.resolved.shows_openly:
            start = self.all_shown(seen, move)
        if seen.before_pass and not any(start.exposed):
            return self.passing(seen, seen.hand)
        return self.began(start, seen.own, seen.hand)

    def all_shown(self, seen: ExposingView, own: Expose | None) -> DealStart:
        start = seen.start
        last = -1
        while self.at < len(self.events) and isinstance(self.events[self.at], CardsExposed):
            event = self.take(CardsExposed)
            self.check(event, "seat", event.seat > last, "order", (("given", event.seat), ("last", last)))
            self.check(event, "cards", len(event.cards) > 0, "shows-nothing")
            decided = own is None or event.seat != own.seat or event.cards == own.cards
            self.check(event, "cards", decided, "own-cards")
            start = self.with_shown(seen, start, event)
            last = event.seat
        if own is not None and start.exposed[own.seat] != own.cards:
            last_event = _name_of(self.events[self.at - 1])
            params = (("expected", CardsExposed.__name__), ("seat", own.seat), ("last", last_event))
            _refuse("missing-event", None, params, "own-cards")
        return start

    def with_shown(self, seen: ExposingView, start: DealStart, event: CardsExposed) -> DealStart:
        hand = seen.hand
        players = self.rules.players
        seat, cards = event.seat, event.cards
        self.check(event, "seat", 0 <= seat < players, "seats", _no_seat(seat, self.rules))
        allowed = bag_of(self.resolved.exposable, 0)
        self.check(event, "cards", cards <= allowed, "not-exposable")
        if self.seat is not None:
            own = cards <= hand if seat == self.seat else not cards & hand
            self.check(event, "cards", own, "holder")
        before = [bag for bag in start.exposed if bag & cards]
        self.check(event, "cards", not before, "shown-before")
        laid, layers = laid_away(seen)
        self.check(event, "cards", seat in layers or not laid & cards, "holder")
        known = passed_to(seen)
        for other, given in known.items():
            self.check(event, "cards", other == seat or not given & cards, "holder")
        # In rounds, a seat may have exposed other cards before.
        exposed = start.exposed[seat] + cards
        most = self.rules.cards_per_hand
        self.check(
            event, "cards", len(either(known.get(seat, NO_CARDS), exposed)) <= most, "too-many", (("most", most),)
        )
        return with_exposed(start, with_item(start.exposed, seat, exposed))

    def began(self, start: DealStart, own: OwnKnowledge, hand: Cards) -> PlayingView:
        event = self.take(PlayBegan)
        leader = event.leader
        self.check(event, "leader", 0 <= leader < self.rules.players, "seats", _no_seat(leader, self.rules))
        right = fixed_leader(self.resolved, start.dealer, start.score_sheet.queen_taker)
        self.check(event, "leader", right in (None, leader), "leader", (("given", leader), ("seat", right)))
        after = PlayingView(first_trick(start, leader), own, hand, leader, (), False)
        self.add_checkpoint(after)
        return after

    # ------------------------------------------------------------------------------------------------------ the play

    def played(self, seen: PlayingView, event: CardPlayed) -> View:
        public, own, hand, broken = seen.public, seen.own, seen.hand, seen.hearts_broken
        seat, card = event.seat, event.card
        self.check_number(event, "seat", seat, seen.turn, "turn")
        if seat == self.seat:
            self.check(event, "card", playable_now(seen, hand.lo) & card.bit != 0, "play")
            hand -= Cards([card])
        else:
            bags = [hand, seen.set_aside, *seen.captured]
            times = sum([bag.count(card) for bag in bags]) + sum([play.card is card for play in seen.trick])
            self.check(event, "card", times < self.rules.deck.count(card), "elsewhere")
        play = Play(seat, card)
        trick = (*seen.trick, play)
        if seat != self.seat:
            self.add_checkpoint(PlayingView(public, own, hand, seen.turn, trick, broken))
        if not broken and breaks_hearts(self.resolved, led_suit(seen.trick), play.bit):
            self.expect(HeartsBroken(seat, card))
            broken = True
        if len(trick) < self.rules.players:
            return PlayingView(public, own, hand, (seat + 1) % self.rules.players, trick, broken)
        after = self.completed(PlayingView(public, own, hand, seat, trick, broken))
        if after.trick_number < self.rules.cards_per_hand:
            return after
        self.check_hidden_cards()
        return self.finished(SeenDeal(after.public, after.own))

    def completed(self, seen: PlayingView) -> PlayingView:
        before = seen.public
        after = completed(before, seen.trick, None)
        cards = Cards([play.card for play in seen.trick]) + before.set_aside
        winner = after.tricks[-1].winner
        self.expect(TrickVoid(cards) if winner is None else TrickWon(winner, cards))
        taken = replaced(seen, public=after, turn=after.leader, trick=())
        return self.kitty_taken(taken) if after.kitty_winner != before.kitty_winner else taken

    def kitty_taken(self, seen: PlayingView) -> PlayingView:
        rules = self.rules
        public = seen.public
        seat = public.kitty_winner
        assert seat is not None
        if not may_see_kitty(rules.kitty_shown_to, seat, self.seat):
            self.expect(KittyTakenHidden(seat))
            return seen
        event = self.take(KittyTaken)
        self.check_number(event, "seat", event.seat, seat, "taker")
        self.check(event, "shown_to", event.shown_to is rules.kitty_shown_to, "shown-to")
        cards = event.cards
        self.check(
            event,
            "cards",
            len(cards) == rules.kitty_size,
            "kitty",
            (("count", rules.kitty_size), ("given", len(cards))),
        )
        unseen = rules.deck - seen.hand - public.set_aside
        for pile in public.captured:
            unseen -= pile
        self.check(event, "cards", cards <= unseen, "kitty-elsewhere")
        if rules.kitty_shown_to is KittyShownTo.EVERYBODY:
            after = replaced(seen, public=replaced(public, kitty=cards))
        else:
            after = replaced(seen, own=replaced(seen.own, kitty=cards))
        self.add_checkpoint(after)
        return after

    # -------------------------------------------------------------------------------------------- the end of a deal

    def finished(self, played: SeenDeal) -> View:
        start = played.start
        captured = played.public.captured
        taker = played.kitty_winner
        if taker is not None:
            kitty = self.rules.deck - played.set_aside
            for pile in captured:
                kitty -= pile
            captured = with_item(captured, taker, captured[taker] + kitty)
        shooter, rows = deal_outcome(
            resolved_with_exposed(self.rules, start.exposed_mask),
            captured,
            played.tricks_won,
            start.scores,
            start.deal_number,
            start.exposed,
        )
        if shooter < 0:
            return self.scored(played, rows[0])
        shot = MoonShot(shooter, *rows)
        self.expect(shot)
        return ChoosingMoonView(played, shooter, shot.others_up, shot.shooter_down)

    def scored(self, played: SeenDeal, row: DealScore) -> View:
        self.expect(DealScored(row))
        sheet = played.score_sheet.with_row(row)
        winners = row_winners(self.resolved, row, sheet.next_deal)
        if winners is None:
            return AwaitingDealView(self.rules, self.seat, sheet, played)
        self.expect(GameEnded(winners))
        return GameOverView(sheet, played, winners)
