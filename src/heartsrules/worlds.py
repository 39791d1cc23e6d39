"""Worlds for bots: whole states that fit a view, drawn at random, and the check whether a state fits.

A world agrees with everything that its seat knows, and everything that has been played in it was legal. What the past
says about a hidden hand is asked of the legality pipeline itself, so no rule of play is written here a second time;
only who leads first depends on several hands at once. See "Worlds" in the documentation for the distribution.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from typing import Final, NoReturn, TypeAlias

import attrs

from heartsrules import tables as T
from heartsrules.cards import NO_CARDS, Cards, Suit, bag_of, cards_of, either, without
from heartsrules.chance import Bits, SeededBits, below, shuffled
from heartsrules.chance.bits import checked_bits
from heartsrules.engine import apply, legal_moves
from heartsrules.errors import InvalidState, Problem
from heartsrules.exposing import exposures_in
from heartsrules.legality import beaten_by, playable
from heartsrules.lots import MOST_ENTRIES, Lots, Part
from heartsrules.moves import Expose, Move, Pass, Play
from heartsrules.passing import SeatPasses, exchange, receivers
from heartsrules.rules import Seat
from heartsrules.setup import Setup, check
from heartsrules.state import (
    AwaitingDeal,
    ChoosingMoon,
    DealStart,
    Exposing,
    GameOver,
    Passing,
    PlayedDeal,
    Playing,
    State,
    faces_of,
    waiting_of,
)
from heartsrules.tables import Tables
from heartsrules.tricks import breaks_hearts, fixed_leader, led_suit
from heartsrules.values import wrong_type
from heartsrules.views import (
    AwaitingDealView,
    ChoosingMoonView,
    DealStartView,
    ExposingView,
    GameOverView,
    PassingView,
    PlayedDealView,
    PlayingView,
    View,
    public_view,
)
from heartsrules.views import view as seat_view
from heartsrules.views.unseen import KITTY, first_openers, passed_to, telling

__all__ = ["consistent", "may_hold", "sample_world"]

Draw: TypeAlias = Callable[[Bits], State]
"""Draws one world of a view."""


def sample_world(view: View, rng: Bits) -> State:
    """A whole state, drawn at random from those that a view could come from.

    Every way in which the cards that the seat has not seen can lie is equally likely, equal cards of two decks told
    apart, as after a fair shuffle; given the hands, all passes that others can have made are equally likely. How
    people play and pass is not modelled. What the view says about the hidden cards is worked out when the first world
    of it is drawn, and kept for the views used last.

    Args:
        view: a view of any phase, of a seat or of a spectator.
        rng: a source of random bits, such as `random.Random`. Equal views and equal bits give equal worlds.

    Returns:
        A state of the view's phase; `consistent(view, state)` holds. Of `AwaitingDealView` the coming deal is not
        dealt: only what is hidden of the last one is filled in.

    >>> from random import Random
    >>> from heartsrules import Rules, apply, deal, new_game, view
    >>> start = new_game(Rules())
    >>> seen = view(apply(start, deal(start, seed=7)), 2)
    >>> world = sample_world(seen, Random(1))
    >>> view(world, 2) == seen, world == sample_world(seen, Random(2))
    (True, False)

    Raises:
        InvalidState: the position was set up without its history, so that what the play has shown is lost, or no
            state at all has such a view.
        TypeError: `view` is not a view, or `rng` has no `getrandbits`.
    """
    _check_view(view)
    return _worlds(view)(checked_bits(rng))


def consistent(view: View, state: State) -> bool:
    """Whether a view could come from a state that the rules lead to.

    The state must have that view, and `check` must believe it: its current deal (or its last one), played again
    through the engine from the cards dealt over the passes to the last play, leads to it, and every row of its score
    sheet is possible.

    >>> from heartsrules import Rules, deal, new_game
    >>> start = new_game(Rules())
    >>> consistent(public_view(start), start), consistent(public_view(start), new_game(Rules(target=50)))
    (True, False)

    Raises:
        InvalidState: the position was set up without its history, so there is nothing to play again.
        TypeError: `view` is not a view, or `state` is not a state.
    """
    _check_view(view)
    if not isinstance(state, State):
        wrong_type("state", "a State", state)
    if state.rules != view.rules:
        return False
    if view != (public_view(state) if view.seat is None else seat_view(state, view.seat)):
        return False
    played = _deal_of(state)
    if played is not None:
        _check_history(played)
    try:
        return check(Setup.of(state)) == state
    except (ValueError, TypeError):  # not a state that the rules lead to, or not made of the right parts
        return False


def _check_view(view: object) -> None:
    if not isinstance(view, View):
        wrong_type("view", "a View", view)


def _check_history(played: PlayedDeal | PlayedDealView) -> None:
    if len(played.tricks) != played.trick_number:
        raise InvalidState((Problem.of("no-history", ("view",), "tricks"),))


def _impossible() -> NoReturn:
    raise InvalidState((Problem.of("impossible-view", ("view",), "argument"),))


def _deal_of(state: State) -> PlayedDeal | None:
    """The deal that is being played or has just been."""
    if isinstance(state, Playing):
        return state.deal
    return None if isinstance(state, (Passing, Exposing)) else state.last_deal


def _played(plays: Iterable[Play], seat: Seat) -> Cards:
    return Cards([play.card for play in plays if play.seat == seat])


# ------------------------------------------------------------------------------------------------- drawing one world


@lru_cache(maxsize=8)
def _worlds(view: View) -> Draw:
    """Draws worlds of a view, of which one has been checked.

    One is enough: another differs from it only in cards that the play so far allows just as well.
    """
    try:
        if isinstance(view, PlayingView):
            draw = _playing_worlds(view)
        elif isinstance(view, PassingView):
            draw = _passing_worlds(view)
        elif isinstance(view, ExposingView):
            draw = _exposing_worlds(view)
        else:
            draw = _finished_worlds(view)
        if consistent(view, draw(SeededBits(0, "worlds"))):
            return draw
    except InvalidState:
        raise
    except (ValueError, LookupError):  # a view that was made up: a card three times, a seat that is not at the table
        _impossible()
    _impossible()


def _passing_worlds(view: PassingView) -> Draw:
    rules = view.rules
    size = rules.cards_per_hand
    if len(view.hand) != (0 if view.seat is None else size):
        _impossible()
    unseen = list(without(rules.deck, view.hand))

    def draw(rng: Bits) -> State:
        pack = shuffled(unseen, rng)
        hands: list[Cards] = []
        for seat in range(rules.players):
            if seat == view.seat:
                hands.append(view.hand)
            else:
                hands.append(Cards(pack[:size]))
                del pack[:size]
        nobody = (None,) * rules.players
        state: State = Passing(
            rules, view.scores, view.deal_number, view.deal_scores, tuple(hands), Cards(pack), nobody
        )
        for seat in sorted(view.committed):
            move: Move | None = view.commitment if seat == view.seat else None
            if move is None:
                moves = legal_moves(state, seat)
                if not moves:
                    _impossible()
                move = moves[below(rng, len(moves))]
            state = apply(state, move)
        return state

    return draw


def _exposing_worlds(view: ExposingView) -> Draw:
    """The hidden hands after the exchange, and what those who have moved unseen may have shown of theirs."""
    start = view.start
    rules = view.rules
    size = rules.cards_per_hand
    given = passed_to(start)
    known = {
        seat: either(given.get(seat, NO_CARDS), start.shown[seat]) for seat in range(rules.players) if seat != view.seat
    }
    unseen = without(rules.deck, view.hand)
    for cards in known.values():
        unseen = without(unseen, cards)
    if len(view.hand) != (0 if view.seat is None else size) or any([len(cards) > size for cards in known.values()]):
        _impossible()
    in_turn = rules.tables.shows_in_turn

    def draw(rng: Bits) -> State:
        pack = shuffled(list(unseen), rng)
        hands: list[Cards] = []
        for seat in range(rules.players):
            if seat == view.seat:
                hands.append(view.hand)
            else:
                room = size - len(known[seat])
                hands.append(known[seat] + Cards(pack[:room]))
                del pack[:room]
        passes = _passes(start, tuple(hands), rng)
        nothing = rules.tables.nothing
        passed, received = exchange(rules, start.deal_number, passes) if passes else (nothing, nothing)
        settled = DealStart(
            rules,
            start.scores,
            start.deal_number,
            start.deal_scores,
            Cards(pack),
            passes,
            passed,
            received,
            nothing,
        )
        moves: list[Expose | None] = []
        for seat in range(rules.players):
            if seat not in view.committed:
                moves.append(None)
            elif seat == view.seat and view.commitment is not None:
                moves.append(view.commitment)
            elif in_turn:
                moves.append(Expose(seat, start.shown[seat]))
            else:
                ways = exposures_in(rules.tables, seat, hands[seat])
                moves.append(ways.at(below(rng, ways.count)))
        return Exposing(settled, tuple(hands), tuple(moves))

    return draw


def _finished_worlds(view: AwaitingDealView | ChoosingMoonView | GameOverView) -> Draw:
    """Of a deal that is over, every card has been seen but those of the kitty, which is what remains."""
    seen = view.last_deal
    if seen is None:
        return lambda _: AwaitingDeal(view.rules, view.scores, view.deal_number, view.deal_scores, None)
    _check_history(seen)
    rules = view.rules
    plays = [play for trick in seen.tricks for play in trick.plays]
    hands = tuple([_played(plays, seat) for seat in range(rules.players)])
    kitty = rules.deck
    for hand in hands:
        kitty = without(kitty, hand)

    def draw(rng: Bits) -> State:
        played = _filled_in(seen, hands, kitty, rng)
        if isinstance(view, ChoosingMoonView):
            return ChoosingMoon(played, view.shooter, view.others_up, view.shooter_down)
        if isinstance(view, GameOverView):
            return GameOver(rules, view.scores, view.deal_number, view.deal_scores, played, view.winners)
        return AwaitingDeal(rules, view.scores, view.deal_number, view.deal_scores, played)

    return draw


def _filled_in(seen: PlayedDealView, hands: tuple[Cards, ...], kitty: Cards, rng: Bits) -> PlayedDeal:
    """A deal with all that the seat has not seen of it; `hands` are those after the exchange, the kitty is whole."""
    start = seen.start
    rules = start.rules
    passes = _passes(start, hands, rng)
    nothing = rules.tables.nothing
    passed, received = exchange(rules, start.deal_number, passes) if passes else (nothing, nothing)
    captured = seen.captured
    taker = seen.kitty_taker
    if taker is not None and seen.kitty is None:
        captured = (*captured[:taker], captured[taker] + kitty, *captured[taker + 1 :])
    return PlayedDeal(
        DealStart(
            rules,
            start.scores,
            start.deal_number,
            start.deal_scores,
            kitty,
            passes,
            passed,
            received,
            start.shown,
        ),
        seen.leader,
        seen.tricks,
        captured,
        seen.tricks_won,
        seen.trick_number,
        seen.set_aside,
        taker,
    )


def _passes(seen: DealStartView, hands: tuple[Cards, ...], rng: Bits) -> tuple[Pass, ...]:
    """What every seat committed, drawn from all that the hands after the exchange allow.

    A gift lies in the hand that received it, or with its giver if it stayed there; every card of that hand that may be
    passed may belong to it. No seat can lack cards for it: a step never takes more than a hand can surely pass.
    """
    rules = seen.rules
    own = seen.seat
    step = rules.step(seen.deal_number)
    if not step or (own is not None and seen.commitment is None):
        return ()
    gifts: dict[tuple[Seat, int], Cards] = {}
    if own is not None and seen.commitment is not None:
        gifts = {(own, number): gift for number, gift in enumerate(seen.commitment.gifts)}
    routes = receivers(rules, seen.deal_number, seen.declined)
    lying: list[list[tuple[Seat, int]]] = [[] for _ in hands]
    passable: list[Cards] = []
    locked = rules.unpassable.lo
    for seat, hand in enumerate(hands):
        passable.append(seen.received if seat == own else bag_of(hand.lo & ~locked, hand.hi & ~locked))
    for giver in range(rules.players):
        for number in range(0 if giver in seen.declined else len(step)):
            at = routes.get((giver, number), giver)
            if giver != own:
                lying[at].append((giver, number))
            elif at != own:
                passable[at] = without(passable[at], gifts[giver, number])
    for seat, keys in enumerate(lying):
        ways = SeatPasses(seat, passable[seat], tuple([step[number][1] for _, number in keys]), False)
        if not ways.count:
            _impossible()
        gifts.update(zip(keys, ways.at(below(rng, ways.count)).gifts, strict=True))
    return tuple(
        [
            Pass(giver, () if giver in seen.declined else [gifts[giver, number] for number in range(len(step))])
            for giver in range(rules.players)
        ]
    )


# ------------------------------------------------------------------------------------------- the middle of a deal


def _playing_worlds(view: PlayingView, most: int = MOST_ENTRIES) -> Draw:
    played = view.deal
    seats = range(view.rules.players)
    known, gone, lots = _hidden(view, most)
    if not lots.possible:
        _impossible()

    leads = _leads_past_a_compulsory_card(view)

    def draw(rng: Bits) -> State:
        for _ in range(_MOST_DRAWS):
            drawn = lots.draw(rng)
            hands = tuple([known[seat] + Cards(drawn.get(seat, ())) for seat in seats])
            if all([lead.is_legal(hands[lead.play.seat]) for lead in leads]):
                break
        else:
            _impossible()
        kitty = Cards(drawn.get(KITTY, ())) if played.kitty is None else played.kitty
        left = tuple([hand - cards for hand, cards in zip(hands, gone, strict=True)])
        return Playing(_filled_in(played, hands, kitty, rng), left, view.turn, view.trick, view.hearts_broken)

    return draw


_MOST_DRAWS: Final = 10_000
"""So often the hidden cards are drawn until every lead past a compulsory card was legal."""


@attrs.frozen
class _Lead:
    """A lead of a seat that had shown a card which it would have had to play, had that not been held back.

    It is the one play that two cards of a hand bar together: the shown card, unless another of its suit is beside it.
    """

    play: Play
    tables: Tables
    gone: int
    """The cards that the seat had played before, as a mask."""
    first_trick: bool
    hearts_broken: bool
    waiting: int

    def is_legal(self, hand: Cards) -> bool:
        """Whether the lead was legal from the hand after the exchange."""
        held = hand.lo & ~self.gone
        return (
            playable(self.tables, held, 0, self.first_trick, self.hearts_broken, 0, self.waiting, None) & self.play.bit
            != 0
        )


def _leads_past_a_compulsory_card(view: PlayingView) -> list[_Lead]:
    """The leads of other seats of which `may_hold` does not know all that they tell."""
    tables = view.rules.tables
    leads: list[_Lead] = []
    if tables.compulsory != T.COMPULSORY_ALWAYS or not faces_of(view.shown) & tables.compulsory_faces:
        return leads
    waiting = faces_of(view.shown)
    gone = [0] * view.rules.players
    broken = False
    for number, plays in enumerate([*[trick.plays for trick in view.tricks], view.trick]):
        for place, play in enumerate(plays):
            seat = play.seat
            due = view.shown[seat].lo & waiting & tables.compulsory_faces & ~gone[seat] & ~play.bit
            if not place and due and seat != view.seat:
                leads.append(_Lead(play, tables, gone[seat], number == 0, broken, waiting))
            broken = broken or breaks_hearts(tables, led_suit(plays[:place]), play.bit)
            gone[seat] |= play.bit
        waiting &= ~led_suit(plays)
    return leads


def _hidden(view: PlayingView, most: int = MOST_ENTRIES) -> tuple[dict[Seat, Cards], list[Cards], Lots]:
    """The cards that each seat is known to have held and those that it has played, and the ways in which the rest lies.

    The tables that count those ways have at most `most` entries.
    """
    played = view.deal
    _check_history(played)
    rules = view.rules
    seats = range(rules.players)
    plays = [play for trick in played.tricks for play in trick.plays] + list(view.trick)
    gone = [_played(plays, seat) for seat in seats]
    given = passed_to(played.start)
    shown = played.start.shown
    known = {seat: either(either(cards, given.get(seat, NO_CARDS)), shown[seat]) for seat, cards in enumerate(gone)}
    room = {seat: rules.cards_per_hand - len(cards) for seat, cards in known.items()}
    if view.seat is not None:
        known[view.seat] = view.hand + gone[view.seat]
        del room[view.seat]
    if played.kitty is None:
        room[KITTY] = rules.kitty_size
    unseen = rules.deck if played.kitty is None else without(rules.deck, played.kitty)
    for cards in known.values():
        unseen = without(unseen, cards)
    if min(room.values()) < 0 or sum(room.values()) != len(unseen):
        _impossible()
    return known, gone, Lots(_parts(view, known, room, unseen), most)


def may_hold(
    view: PlayingView,
    known: Mapping[Seat, Cards],
    seats: Iterable[Seat],
    faces: int,
    first: int = 0,
    broken: bool = False,
    led_before: tuple[Suit, ...] = (),
) -> dict[Seat, int]:
    """Which of some faces each seat may hold besides the cards that it is known to have been dealt or to have received.

    Of a deal that is told from its middle on, `first` is the number of the first trick, and `broken` says whether
    hearts were broken before it, `led_before` which suits were led; `known` are then the cards known to have been held
    there.

    A play tells something of the rest of a hand by being legal. Every stage of the pipeline bars the card that was
    played on account of single cards beside it (one of the suit led, one that is not a heart, the Q♠), never of several
    together, so each face is tried by itself.
    """
    tables = view.rules.tables
    hands = dict(known)
    holdable = dict.fromkeys(seats, faces)
    waiting = waiting_of(faces_of(view.shown), led_before, ())
    for number, plays in enumerate([*[trick.plays for trick in view.tricks], view.trick], first):
        for place, play in enumerate(plays):
            earlier = plays[:place]
            seat = play.seat
            led = led_suit(earlier)
            if seat in holdable:
                held = telling(tables, hands[seat].lo, led, waiting, play.bit)
                situation = led, number == 0, broken, beaten_by(tables, earlier), waiting, None
                if not playable(tables, held | holdable[seat], *situation) & play.bit:
                    tried = [card.bit for card in cards_of(holdable[seat])]
                    holdable[seat] = sum([bit for bit in tried if playable(tables, held | bit, *situation) & play.bit])
            hands[seat] -= Cards([play.card])
            broken = broken or breaks_hearts(tables, led, play.bit)
        waiting &= ~led_suit(plays)
    return holdable


def _parts(view: PlayingView, known: Mapping[Seat, Cards], room: Mapping[int, int], unseen: Cards) -> list[Part]:
    """The ways in which the unseen cards may lie, in parts that have none in common."""
    rules = view.rules
    seats = [seat for seat in room if seat != KITTY]
    holdable = may_hold(view, known, seats, unseen.lo)
    cards = tuple(unseen)
    kitty = {KITTY: unseen.lo}
    start = view.deal.start
    if fixed_leader(rules, start.dealer, start.deal_scores.queen_taker) is not None:
        return [Part(room, cards, holdable | kitty)]
    leader = view.tricks[0].leader if view.tricks else view.leader
    parts: list[Part] = []
    held = [known[seat] for seat in range(rules.players)]
    for lowest, may in first_openers(view.deal, held, unseen, room.get(KITTY, 0), holdable):
        if lowest in known[leader]:
            parts.append(Part(room, cards, may | kitty))
        elif room.get(leader, 0) and may[leader] & lowest.bit:
            # The leader holds one of the copies; or not that one, but the other.
            rest = unseen - Cards([lowest])
            parts.append(Part(room, tuple(rest), may | kitty, {leader: lowest}))
            if lowest in rest:
                other = may | kitty | {leader: may[leader] & ~lowest.bit}
                parts.append(Part(room, tuple(rest), other, {leader: lowest}))
    return parts
