"""What a move makes happen: which events, in what order, what of them a seat is told, and what cannot have happened."""

from __future__ import annotations

import copy
import pickle
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from random import Random
from typing import Any, Final, assert_never, get_args

import attrs
import pytest
from hypothesis import event, given

from heartsrules import (
    AwaitingDeal,
    Card,
    Cards,
    ChooseMoon,
    ChoosingMoon,
    Deal,
    DealingBack,
    DealScore,
    Event,
    Expose,
    Exposing,
    GameOver,
    IllegalMove,
    InvalidSeat,
    InvalidState,
    Move,
    Pass,
    Passing,
    Play,
    Playing,
    Rules,
    State,
    Suit,
    View,
    advance,
    apply,
    deal,
    legal_moves,
    new_game,
    public_view,
    redact,
    transition,
    view,
)
from heartsrules.base.values import replaced
from heartsrules.play.events import (
    CardPlayed,
    CardsDealt,
    CardsDealtHidden,
    CardsExposed,
    CardsPassed,
    CardsPassedHidden,
    DealScored,
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
)
from heartsrules.rules import ExposeBeforePass, Exposure, HeartsBreak, KittyShownTo, Moon, QueenBreaks
from heartsrules.testing import names
from heartsrules.views import AwaitingDealView, ChoosingMoonView, GameOverView, PassingView, PlayingView
from heartsrules.views import view_of as seen
from support.builds import wrong_type
from support.corruptions import corrupted
from support.rounds import laws
from support.strategies import QUEEN, Match, any_rules, generators, match, matches, random_rules
from support.tables import rules_of
from test_docs import read, sections
from test_views import Viewer, lines_of, viewers

EVENTS: Final = get_args(Event)
TWINS: Final[Mapping[type[Event], type[Event]]] = {
    CardsDealt: CardsDealtHidden,
    PassCommitted: PassCommittedHidden,
    ExposureCommitted: ExposureCommittedHidden,
    CardsPassed: CardsPassedHidden,
    KittyTaken: KittyTakenHidden,
}
"""The events that not everybody may know, and what they are for those who may not."""


def told_in(played: Match) -> Iterator[tuple[State, Move, State, tuple[Event, ...]]]:
    """Each move of a match, the states around it, and its events in full."""
    for state, move in zip(played.states, played.moves, strict=False):
        result = transition(state, move)
        yield state, move, result.state, result.events


def events_of(played: Match) -> list[Event]:
    return [what for *_, events in told_in(played) for what in events]


# ---------------------------------------------------------------------------------------------- order and completeness


def grammar(rules: Rules) -> re.Pattern[str]:
    """The codes of all events of one deal."""
    players, tricks = rules.players, rules.cards_per_hand
    passing = f"(?:pass-committed ){{{players}}}cards-passed "
    together = f"(?:exposure-committed ){{{players}}}(?:cards-exposed ){{0,{players}}}"
    showing = f"(?:cards-exposed ){{{players}}}" if rules.exposure is Exposure.IN_TURN else together
    if rules.exposure in (Exposure.ROUNDS, Exposure.ROUNDS_IN_TURN):
        showing = f"(?:cards-exposed ){{{players},}}"
    exposing = showing if rules.exposable else ""
    trick = f"(?:card-played (?:hearts-broken )?){{{players}}}(?:trick-void|trick-won(?: kitty-taken)?) "
    end = "(?:moon-shot moon-chosen )?deal-scored(?: game-ended)?"
    if rules.expose_before_pass is not ExposeBeforePass.NEVER:
        passing = f"(?:{exposing})?{passing}"
    return re.compile(f"cards-dealt (?:{passing})?{exposing}play-began (?:{trick}){{{tricks}}}{end}")


@pytest.mark.untraced
@laws(50)
@given(matches(any_rules()))
def test_the_events_of_a_deal_come_in_order(played: Match) -> None:
    for line in lines_of(played):
        told = events_of(Match(played.rules, line.states, line.moves))
        text = " ".join(what.code for what in told)
        assert grammar(played.rules).fullmatch(text)
        for code in ("hearts-broken", "kitty-taken", "moon-shot"):
            assert text.count(code) <= 1
        for viewer in viewers(played.rules):
            own = " ".join(what.code for what in redact(told, viewer))
            assert own.replace("-hidden", "") == text


@pytest.mark.untraced
@laws(35)
@given(matches(any_rules()))
def test_the_events_of_a_match_hold_its_moves_and_nothing_is_told_twice(played: Match) -> None:
    made: list[Move] = []
    deals = 0
    for what in events_of(played):
        match what:
            case CardsDealt(hands, kitty):
                made.append(Deal(hands, kitty))
                deals += 1
            case CardsPassed(received=received) if played.rules._resolved.through_middle(deals - 1):
                made.append(Deal(received))
            case PassCommitted(move):
                made.append(move)
            case ExposureCommitted(move):
                made.append(move)
            case CardsExposed(seat, cards) if played.rules.exposure is not Exposure.TOGETHER:
                made.append(Expose(seat, cards))
            case CardPlayed(seat, card):
                made.append(Play(seat, card))
            case MoonChosen(seat, effect):
                made.append(ChooseMoon(seat, effect))
    assert tuple(made) == played.moves


def breaks_hearts(state: Playing, card: Card) -> bool:
    """Whether a card breaks hearts, as the rules reference says it."""
    breaks = state.rules.queen_breaks
    if card is not QUEEN:
        discarded = bool(state.trick) and state.trick[0].card.suit is not Suit.HEARTS
        ways = {HeartsBreak.PLAYED: True, HeartsBreak.NOT_LED: bool(state.trick), HeartsBreak.DISCARDED: discarded}
        return card.suit is Suit.HEARTS and ways.get(state.rules.hearts_break, False)
    if not state.trick:
        return breaks in (QueenBreaks.LED, QueenBreaks.PLAYED)
    if state.trick[0].card.suit is Suit.SPADES:
        return breaks is QueenBreaks.PLAYED
    return breaks in (QueenBreaks.DISCARDED, QueenBreaks.PLAYED)


def expected(state: State, move: Move, after: State) -> Iterator[Event]:
    """The events of a move, found from the states before and after it."""
    match state, move:
        case AwaitingDeal(), Deal(hands, kitty):
            yield CardsDealt(hands, kitty)
        case Passing(), Pass():
            yield PassCommitted(move)
            if isinstance(after, (Exposing, Playing)):
                counts = tuple(sum(map(len, passed.cards)) for passed in after.passes)
                yield CardsPassed(after.passed, after.received, counts)
        case DealingBack(), Deal() if isinstance(after, (Exposing, Playing)):
            counts = tuple(sum(map(len, passed.cards)) for passed in after.passes)
            yield CardsPassed(after.passed, after.received, counts)
        case Exposing(), Expose(seat, cards):
            if state.rules.exposure is not Exposure.TOGETHER:
                yield CardsExposed(seat, cards)
            else:
                yield ExposureCommitted(move)
                if isinstance(after, Playing):
                    yield from [CardsExposed(each, bag) for each, bag in enumerate(after.exposed) if bag]
        case Playing(), Play(seat, card):
            yield CardPlayed(seat, card)
            if breaks_hearts(state, card) and not state.hearts_broken:
                yield HeartsBroken(seat, card)
            if len(state.trick) == state.rules.players - 1:
                yield from end_of_trick(state, move, after)
        case ChoosingMoon(), ChooseMoon(seat, effect):
            yield MoonChosen(seat, effect)
    if isinstance(after, Playing) and not isinstance(state, Playing):
        yield PlayBegan(after.turn)
    if isinstance(after, ChoosingMoon):
        yield MoonShot(after.shooter, after.others_up, after.shooter_down)
    if isinstance(state, (Playing, ChoosingMoon)) and isinstance(after, (AwaitingDeal, GameOver)):
        yield DealScored(after.score_sheet[-1])
    if isinstance(after, GameOver):
        yield GameEnded(after.winners)


def end_of_trick(state: Playing, move: Play, after: State) -> Iterator[Event]:
    played = (
        after
        if isinstance(after, Playing)
        else None
        if isinstance(after, (Passing, DealingBack, Exposing))
        else after.last_deal
    )
    assert played is not None
    cards = Cards([*(play.card for play in state.trick), move.card, *state.set_aside])
    winner = played.tricks[-1].winner
    if winner is None:
        assert played.set_aside == cards
        yield TrickVoid(cards)
    else:
        yield TrickWon(winner, cards)
    if played.kitty_winner != state.kitty_winner:
        assert played.kitty_winner is not None
        yield KittyTaken(played.kitty_winner, state.kitty, state.rules.kitty_shown_to)


@pytest.mark.untraced
@laws(50)
@given(matches(any_rules()))
def test_events_tell_what_became_different(played: Match) -> None:
    for (state, move, after, events), following in zip(told_in(played), played.states[1:], strict=True):
        for what in events:
            event(what.code)
        assert after == following
        assert events == tuple(expected(state, move, after))


@laws(35)
@given(matches(any_rules()))
def test_what_is_won_adds_up_to_what_is_captured(played: Match) -> None:
    piles: list[Cards] = []
    for _, _, after, events in told_in(played):
        for what in events:
            if isinstance(what, PlayBegan):
                piles = [Cards()] * played.rules.players
            if isinstance(what, TrickWon):
                piles[what.winner] += what.cards
            if isinstance(what, KittyTaken):
                piles[what.seat] += what.cards
        if isinstance(after, Playing):
            assert after.captured == tuple(piles)
        elif not isinstance(after, (Passing, DealingBack, Exposing)) and after.last_deal is not None:
            assert after.last_deal.captured == tuple(piles)


def test_a_refused_move_has_no_events() -> None:
    state = new_game(Rules())
    with pytest.raises(IllegalMove) as refused:
        transition(state, Play(0, Card("QS")))
    assert [reason.code for reason in refused.value.violations] == ["wrong-phase"]


# ----------------------------------------------------------------------------------------------------------- redaction


@pytest.mark.untraced
@laws(30)
@given(matches(any_rules()))
def test_redacting_again_changes_nothing_and_for_another_leaves_what_is_public(played: Match) -> None:
    told = events_of(played)
    public = redact(told, None)
    assert redact(public, None) == public
    for seat in range(played.rules.players):
        own = redact(told, seat)
        assert redact(own, seat) == own
        assert redact(public, seat) == public
        for other in {(seat + 1) % played.rules.players, 0, None} - {seat}:
            assert redact(own, other) == public


@pytest.mark.untraced
@laws(30)
@given(matches(any_rules()))
def test_only_the_hidden_events_are_changed(played: Match) -> None:
    for viewer in viewers(played.rules):
        for _, _, _, events in told_in(played):
            for what, told in zip(events, redact(events, viewer), strict=True):
                match what:
                    case CardsDealt(hands):
                        assert told == CardsDealtHidden(viewer, Cards() if viewer is None else hands[viewer])
                    case PassCommitted(move):
                        assert told == (what if move.seat == viewer else PassCommittedHidden(move.seat))
                    case ExposureCommitted(move):
                        assert told == (what if move.seat == viewer else ExposureCommittedHidden(move.seat))
                    case CardsPassed(passed, received, counts):
                        own = (Cards(), Cards()) if viewer is None else (passed[viewer], received[viewer])
                        assert told == CardsPassedHidden(viewer, *own, counts)
                    case KittyTaken(seat, _, shown_to):
                        may_see = shown_to is KittyShownTo.EVERYBODY or (
                            shown_to is KittyShownTo.TAKER and seat == viewer
                        )
                        assert told == (what if may_see else KittyTakenHidden(seat))
                    case _:
                        assert told is what


@pytest.mark.parametrize(
    ("shown_to", "seeing"),
    [(KittyShownTo.TAKER, {1}), (KittyShownTo.NOBODY, set()), (KittyShownTo.EVERYBODY, {0, 1, 2, None})],
)
def test_who_is_shown_the_kitty(shown_to: KittyShownTo, seeing: set[Viewer]) -> None:
    taken = KittyTaken(1, Cards("QS"), shown_to)
    told = {viewer: redact([taken], viewer)[0] for viewer in (0, 1, 2, None)}
    assert told == {viewer: taken if viewer in seeing else KittyTakenHidden(1) for viewer in told}


def test_every_hidden_twin_is_named_after_its_event() -> None:
    for kind, hidden in TWINS.items():
        assert (hidden.__name__, hidden.code) == (f"{kind.__name__}Hidden", f"{kind.code}-hidden")
    assert {kind for kind in EVENTS if kind.__name__.endswith("Hidden")} == set(TWINS.values())
    assert len({kind.code for kind in EVENTS}) == len(EVENTS)


@pytest.mark.parametrize("seat", [-1, 3, 99])
def test_redacting_for_a_seat_that_the_table_does_not_have(seat: int) -> None:
    hands = (Cards("2C"), Cards("3C"), Cards("4C"))
    for what in (CardsDealt(hands, Cards()), CardsPassed(hands, hands, (1, 1, 1))):
        with pytest.raises(ValueError if seat < 0 else InvalidSeat, match=f"^there is no seat {seat}") as caught:
            redact([what], seat)
        at = ": seats count from 0" if seat < 0 else " at a table of 3: seats are 0 to 2"
        assert str(caught.value) == f"there is no seat {seat}{at}"


def test_redacting_for_a_seat_that_no_table_has() -> None:
    with pytest.raises(ValueError, match="there is no seat -1"):
        redact([], -1)
    with pytest.raises(ValueError, match="there is no seat a number of about 5001 digits: seats count from 0"):
        redact([], -(10**5000))
    with pytest.raises(InvalidSeat, match="there is no seat a number of about 5001 digits at a table of 1"):
        redact([CardsDealt((Cards("2C"),), Cards())], 10**5000)


@pytest.mark.parametrize("wrong", [None, 3, "events", PlayBegan(0)])
def test_events_of_a_wrong_type(wrong: Any) -> None:
    for use in (lambda: redact(wrong, 0), lambda: advance(view(new_game(Rules()), 0), wrong)):
        with wrong_type("events must be an iterable of events"):
            use()


@pytest.mark.parametrize("wrong", [None, 3, "event", Play(0, Card("QS")), PlayBegan])
def test_what_is_no_event(wrong: Any) -> None:
    for use in (lambda: redact([wrong], 0), lambda: advance(view(new_game(Rules()), 0), [wrong])):
        with wrong_type("events must hold only events"):
            use()


# ------------------------------------------------------------------------------------------ what cannot have happened

SMALL: Final = rules_of(
    "players=3 hand_size=2 kitty=first-trick kitty_shown_to=everybody pass_cycle=L1 opening_leader=dealer-left "
    "moon=choice target=none max_deals=1",
    deck="2C 3C 4C AC 2H 3H 4H",
)
"""Three players with two cards each and one in the kitty: a deal that can be gone through by hand."""


def small_match() -> dict[str, View]:
    """What seat 0 sees of one deal: each view under the name of what has just happened.

    Seat 1 leads the A♣, wins everything, takes the kitty, and shoots the moon.
    """
    state: State = new_game(SMALL)
    moves: dict[str, Move] = {
        "dealt": Deal((Cards("2C 3H"), Cards("4C AC"), Cards("3C 2H")), Cards("4H")),
        "0 passed": Pass(0, Cards("3H")),
        "2 passed": Pass(2, Cards("2H")),
        "1 passed": Pass(1, Cards("4C")),
        "AC": Play(1, Card("AC")),
        "2 follows": Play(2, Card("3C")),
        "0 follows": Play(0, Card("2C")),
        "3H": Play(1, Card("3H")),
        "2 discards": Play(2, Card("4C")),
        "moon": Play(0, Card("2H")),
        "chosen": ChooseMoon(1, Moon.OTHERS_UP),
    }
    views = {"start": view(state, 0)}
    for name, move in moves.items():
        state = apply(state, move)
        views[name] = view(state, 0)
    return views


AT: Final = small_match()
SCORE: Final = DealScore((0,) * 3, (0,) * 3, None, None, False, (0,) * 3, (0,) * 3)
DEALT: Final = CardsDealtHidden(0, Cards("2C 3H"))
COUNTS: Final = (1, 1, 1)
EXCHANGED: Final = CardsPassedHidden(0, Cards("3H"), Cards("2H"), COUNTS)
LAST_PASS: Final = PassCommittedHidden(1)
FIRST_TRICK: Final = CardPlayed(0, Card("2C"))
WON: Final = TrickWon(1, Cards("2C 3C AC"))
KITTY: Final = KittyTaken(1, Cards("4H"), KittyShownTo.EVERYBODY)
LAST_CARD: Final = CardPlayed(0, Card("2H"))
LAST_WON: Final = TrickWon(1, Cards("4C 2H 3H"))
ROW: Final = DealScore((3, 0, 3), (0, 3, 0), 1, Moon.OTHERS_UP, False, (0, 2, 0), (3, 0, 3))
SHOT: Final = MoonShot(1, ROW, replaced(ROW, points=(0, -3, 0), effect=Moon.SHOOTER_DOWN, totals=(0, -3, 0)))
CHOSEN: Final = MoonChosen(1, Moon.OTHERS_UP)
ENDED: Final = GameEnded((1,))

STRANGE: Final[Sequence[tuple[str, tuple[Event, ...]]]] = [
    # The deal.
    ("start", (CardsDealtHidden(1, Cards("2C 3H")),)),
    ("start", (CardsDealtHidden(None, Cards()),)),
    ("start", (CardsDealtHidden(0, Cards("2C")),)),
    ("start", (CardsDealtHidden(0, Cards("2C 2H 3H")),)),
    ("start", (DEALT, DEALT)),
    ("dealt", (DEALT,)),
    ("AC", (DEALT,)),
    ("moon", (DEALT,)),
    ("chosen", (DEALT,)),
    # Passing.
    ("start", (PassCommittedHidden(1),)),
    ("dealt", (PassCommittedHidden(3),)),
    ("dealt", (PassCommittedHidden(-1),)),
    ("dealt", (PassCommittedHidden(0),)),
    ("dealt", (PassCommitted(Pass(0)),)),
    ("dealt", (PassCommitted(Pass(0, Cards("AC"))),)),
    ("dealt", (PassCommitted(Pass(0, Cards("2C 3H"))),)),
    ("dealt", (PassCommitted(Pass(0, Cards("2C"), Cards("3H"))),)),
    ("0 passed", (PassCommitted(Pass(0, Cards("3H"))),)),
    ("2 passed", (PassCommittedHidden(2),)),
    ("AC", (PassCommittedHidden(1),)),
    ("2 passed", (EXCHANGED,)),
    ("start", (EXCHANGED,)),
    ("AC", (EXCHANGED,)),
    ("2 passed", (LAST_PASS, EXCHANGED, EXCHANGED)),
    ("2 passed", (LAST_PASS, EXCHANGED, PassCommittedHidden(1))),
    ("2 passed", (LAST_PASS, CardsPassedHidden(1, Cards("3H"), Cards("2H"), COUNTS))),
    ("2 passed", (LAST_PASS, CardsPassedHidden(0, Cards("AC"), Cards("2H"), COUNTS))),
    ("2 passed", (LAST_PASS, CardsPassedHidden(0, Cards("3H"), Cards("2H 4C"), COUNTS))),
    # The play.
    ("dealt", (PlayBegan(1),)),
    ("2 passed", (LAST_PASS, PlayBegan(1))),
    ("2 passed", (LAST_PASS, EXCHANGED, PlayBegan(3))),
    ("2 passed", (LAST_PASS, EXCHANGED, PlayBegan(-1))),
    ("AC", (PlayBegan(1),)),
    ("start", (PlayBegan(1),)),
    ("dealt", (CardPlayed(1, Card("AC")),)),
    ("1 passed", (CardPlayed(2, Card("3C")),)),
    ("1 passed", (CardPlayed(3, Card("3C")),)),
    ("AC", (CardPlayed(1, Card("4C")),)),
    ("2 follows", (CardPlayed(0, Card("4C")),)),
    ("2 follows", (FIRST_TRICK, CardPlayed(1, Card("3H")))),
    ("moon", (CardPlayed(1, Card("3H")),)),
    ("2 discards", (LAST_CARD, LAST_WON, CardPlayed(1, Card("3H")))),
    ("2 follows", (HeartsBroken(2, Card("3C")),)),
    ("2 follows", (FIRST_TRICK, HeartsBroken(0, Card("3H")))),
    ("3H", (HeartsBroken(1, Card("3H")),)),
    ("dealt", (HeartsBroken(1, Card("3H")),)),
    # The end of a trick.
    ("2 follows", (WON,)),
    ("2 follows", (FIRST_TRICK, TrickWon(3, Cards("2C 3C AC")))),
    ("2 follows", (FIRST_TRICK, TrickWon(-1, Cards("2C 3C AC")))),
    ("2 follows", (FIRST_TRICK, TrickWon(1, Cards("2C 3C")))),
    ("2 follows", (FIRST_TRICK, TrickWon(1, Cards("2C 3C 4C")))),
    ("2 follows", (FIRST_TRICK, WON, WON)),
    ("2 follows", (FIRST_TRICK, TrickVoid(Cards("2C 3C")))),
    ("2 follows", (FIRST_TRICK, WON, TrickVoid(Cards()))),
    ("dealt", (WON,)),
    ("dealt", (TrickVoid(Cards()),)),
    ("AC", (KITTY,)),
    ("start", (KITTY,)),
    ("2 follows", (FIRST_TRICK, KITTY)),
    ("2 follows", (FIRST_TRICK, WON, KittyTaken(2, Cards("4H"), KittyShownTo.EVERYBODY))),
    ("2 follows", (FIRST_TRICK, WON, KittyTaken(1, Cards("2H 4H"), KittyShownTo.EVERYBODY))),
    ("2 follows", (FIRST_TRICK, WON, KITTY, KITTY)),
    ("2 follows", (FIRST_TRICK, WON, KittyTakenHidden(0))),
    ("2 follows", (FIRST_TRICK, WON, KittyTakenHidden(3))),
    ("2 discards", (LAST_CARD, LAST_WON, KITTY)),
    # The end of a deal.
    ("2 follows", (FIRST_TRICK, WON, KITTY, MoonShot(1, SCORE, SCORE))),
    ("2 discards", (MoonShot(1, SCORE, SCORE),)),
    ("2 discards", (LAST_CARD, MoonShot(1, SCORE, SCORE))),
    ("2 discards", (LAST_CARD, LAST_WON, MoonShot(3, SCORE, SCORE))),
    ("start", (MoonShot(1, SCORE, SCORE),)),
    ("2 discards", (CHOSEN,)),
    ("moon", (MoonChosen(0, Moon.OTHERS_UP),)),
    ("chosen", (CHOSEN,)),
    ("moon", (DealScored(SCORE),)),
    ("AC", (DealScored(SCORE),)),
    ("dealt", (DealScored(SCORE),)),
    ("2 discards", (LAST_CARD, DealScored(SCORE))),
    ("2 discards", (LAST_CARD, LAST_WON, DealScored(ROW))),
    ("2 discards", (LAST_CARD, LAST_WON, SHOT, DealScored(ROW))),
    ("moon", (CHOSEN, DealScored(SCORE))),
    ("moon", (CHOSEN, DealScored(replaced(ROW, totals=(0, 0))))),
    ("moon", (CHOSEN, GameEnded((0,)))),
    ("start", (GameEnded((0,)),)),
    ("AC", (GameEnded((0,)),)),
    ("chosen", (GameEnded((0,)),)),
    ("moon", (CHOSEN, DealScored(ROW), GameEnded((0,)))),
    ("moon", (CHOSEN, DealScored(ROW), ENDED, ENDED)),
]


REFUSALS: Final = ("secret-event", "strange-event", "wrong-event")


def in_short(value: str | tuple[Event, ...]) -> str:
    return value if isinstance(value, str) else " ".join(what.code for what in value)


@pytest.mark.parametrize(("name", "events"), STRANGE, ids=in_short)
def test_an_event_that_cannot_follow_is_refused(name: str, events: tuple[Event, ...]) -> None:
    before = pickle.dumps(AT[name])
    with pytest.raises(InvalidState) as refused:
        advance(AT[name], events)
    (problem,) = refused.value.problems
    assert (problem.code in REFUSALS, problem.fields) == (True, (f"events[{len(events) - 1}]",))
    assert dict(problem.params)["event"] == type(events[-1]).__name__
    assert not re.search(r"[2-9TJQKA][CDSH]\b", problem.message), "no card is named"
    assert pickle.dumps(AT[name]) == before


def test_what_comes_before_a_strange_event_is_possible() -> None:
    for name, events in STRANGE:
        codes, _ = advanced(AT[name], events[:-1])
        # The events of half a move are possible, but no whole move.
        assert codes in ([], ["missing-event"]), (name, events)


@pytest.mark.parametrize(
    ("name", "events"), [("2 passed", [LAST_PASS]), ("2 passed", [LAST_PASS, EXCHANGED]), ("2 follows", [FIRST_TRICK])]
)
def test_half_a_move_is_not_enough(name: str, events: list[Event]) -> None:
    with pytest.raises(InvalidState) as caught:
        advance(AT[name], events)
    assert [problem.code for problem in caught.value.problems] == ["missing-event"]
    assert type(events[-1]).__name__ in str(caught.value)


def test_the_events_of_another_table() -> None:
    three = CardsDealt((Cards("2C"), Cards("3C"), Cards("4C")), Cards())
    with pytest.raises(InvalidState) as refused:
        advance(view(new_game(Rules()), 3), [three])
    (problem,) = refused.value.problems
    assert (problem.code, problem.fields) == ("wrong-event", ("events[0]",))
    assert "wrong-number-of-hands" in problem.message
    assert not re.search(r"[2-9TJQKA][CDSH]\b", problem.message), "no card is named"


def test_what_did_happen_is_accepted() -> None:
    assert advance(AT["start"], [DEALT]) == AT["dealt"]
    assert advance(AT["2 passed"], [LAST_PASS, EXCHANGED, PlayBegan(1)]) == AT["1 passed"]
    assert advance(AT["2 follows"], [FIRST_TRICK, WON, KITTY]) == AT["0 follows"]
    assert [type(AT[name]) for name in ("start", "dealt", "AC", "moon", "chosen")] == [
        AwaitingDealView,
        PassingView,
        PlayingView,
        ChoosingMoonView,
        GameOverView,
    ]


def test_a_card_that_would_be_there_for_the_third_time_is_refused() -> None:
    rules = rules_of("players=3 decks=2 pass_cycle=L1", deck="2C 2C 3C 3C 4C 4C 2H 2H 3H")
    start = view(new_game(rules), 0)
    told: list[Event] = [
        CardsDealtHidden(0, Cards("2C 2C 3C")),
        PassCommitted(Pass(0, Cards("3C"))),
        PassCommittedHidden(1),
        PassCommittedHidden(2),
    ]
    assert isinstance(advance(start, told[:-1]), PassingView)
    with pytest.raises(InvalidState) as refused:
        advance(start, [*told, CardsPassedHidden(0, Cards("3C"), Cards("2C"), (1, 1, 1))])
    assert [problem.code for problem in refused.value.problems] == ["wrong-event"]


def test_where_there_is_no_kitty_nobody_takes_it() -> None:
    rules = Rules(pass_cycle=[()])
    state = apply(new_game(rules), deal(new_game(rules), seed=4))
    for _ in range(3):
        state = apply(state, legal_moves(state)[0])
    told = transition(state, legal_moves(state)[0]).events
    winner = next(what.winner for what in told if isinstance(what, TrickWon))
    for kitty in (KittyTakenHidden(winner), KittyTaken(winner, Cards(), KittyShownTo.EVERYBODY)):
        with pytest.raises(InvalidState):
            advance(public_view(state), [*told, kitty])


def advanced(before: View, events: Iterable[Event]) -> tuple[list[str], View]:
    """Why the events are refused, if they are, and the view that follows."""
    try:
        return [], advance(before, events)
    except InvalidState as refused:
        return [problem.code for problem in refused.problems], before


@pytest.mark.untraced
@laws(50)
@given(matches(any_rules()), generators())
def test_spoiled_events_are_refused_in_one_way_only(played: Match, rng: Random) -> None:
    told = list(told_in(played))
    for state, _, _, events in told[:: 1 + len(told) // 30]:
        viewer = rng.choice(viewers(played.rules))
        _, spoiled = rng.choice(list(corrupted(redact(events, viewer), played.rules, rng)))
        own = list(spoiled)
        if rng.randrange(4) == 0:
            own.insert(rng.randrange(len(own) + 1), redact(rng.choice(told)[3], viewer)[0])
        codes, known = advanced(seen(state, viewer), own)
        event("refused" if codes else "not noticed")
        assert codes in ([], ["secret-event"], ["strange-event"], ["wrong-event"], ["missing-event"])
        assert (known.seat, known.rules) == (viewer, played.rules)


# ------------------------------------------------------------------------------------------------- events are values


@pytest.fixture(scope="module")
def samples() -> dict[type[Event], Event]:
    """An event of every class, as it came up in a match."""
    found: dict[type[Event], Event] = {}
    rng = Random(1)
    while len(found) < len(EVENTS):
        rules = random_rules(rng, kitty_shown_to=rng.choice(tuple(KittyShownTo)), moon=Moon.CHOICE)
        for state, move, _ in match(rules, rng, 1):
            full = transition(state, move).events
            for what in (*full, *redact(full, 0)):
                found.setdefault(type(what), what)
    return found


@pytest.mark.parametrize("kind", EVENTS)
def test_events_are_values(samples: dict[type[Event], Event], kind: type[Event]) -> None:
    what = samples[kind]
    assert type(what) is kind
    assert eval(repr(what), names()) == what
    for other in (pickle.loads(pickle.dumps(what)), copy.copy(what), copy.deepcopy(what)):
        assert (other, repr(other), hash(other)) == (what, repr(what), hash(what))
    for name in [*(field.name for field in attrs.fields(kind)), "code"]:
        with pytest.raises(attrs.exceptions.FrozenInstanceError):
            setattr(what, name, None)
    assert [other for other in samples.values() if other == what] == [what]


def code_of(what: Event) -> str:
    match what:
        case CardsDealt() | CardsDealtHidden() | PassCommitted() | PassCommittedHidden() | CardsPassed():
            return what.code
        case CardsPassedHidden() | ExposureCommitted() | ExposureCommittedHidden() | CardsExposed() | PlayBegan():
            return what.code
        case CardPlayed() | HeartsBroken() | TrickWon() | TrickVoid() | KittyTaken() | KittyTakenHidden():
            return what.code
        case MoonShot() | MoonChosen() | DealScored() | GameEnded():
            return what.code
        case _:
            assert_never(what)


def test_a_match_over_events_is_exhaustive_and_takes_their_fields_in_order(samples: dict[type[Event], Event]) -> None:
    assert len({code_of(what) for what in samples.values()}) == len(EVENTS)
    for kind in EVENTS:
        assert kind.__match_args__ == tuple([field.name for field in attrs.fields(kind)])


def test_the_reference_has_a_section_for_every_event() -> None:
    text = sections("reference/events")
    assert list(text) == [kind.__name__ for kind in EVENTS]
    for kind in EVENTS:
        assert text[kind.__name__].strip().startswith(f"Code `{kind.code}`.")
        for field in attrs.fields(kind):
            assert f"`{field.name}`" in text[kind.__name__], (kind, field.name)
    for kind, hidden in TWINS.items():
        assert f"| `{kind.__name__}` | `{hidden.__name__}` |" in read("reference/events")
