"""What `advance` believes: nothing that public data refutes, and everything that happened."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from random import Random
from typing import Any, Final

import attrs
import pytest
from hypothesis import given, settings

from heartsrules import (
    Card,
    Cards,
    Deal,
    Event,
    Expose,
    InvalidState,
    Pass,
    Play,
    Playing,
    Rules,
    Seat,
    State,
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
from heartsrules.formats.wire import from_json, to_json
from heartsrules.play.events import (
    CardPlayed,
    CardsDealt,
    CardsExposed,
    CardsPassed,
    CardsPassedHidden,
    DealScored,
    GameEnded,
    HeartsBroken,
    KittyTaken,
    KittyTakenHidden,
    MoonShot,
    PlayBegan,
    TrickVoid,
    TrickWon,
)
from heartsrules.rules import ANY_NUMBER, Bonus, Compulsory, Duplicates, Exposure, Moon, OpeningCard, OpeningLeader
from heartsrules.testing.laws import random_games
from heartsrules.views import AwaitingDealView, PassingView, PlayingView
from heartsrules.views import view_of as seen
from heartsrules.views.worlds import sample_world
from support.corruptions import corrupted
from support.history import forgotten
from support.parts import with_parts
from support.random_play import play_cards
from support.rounds import examples
from support.strategies import FACES, Match, generators, match, matches, random_rules
from support.tables import rules_of

Viewer = Seat | None


def viewers(rules: Rules) -> tuple[Viewer, ...]:
    return (*range(rules.players), None)


def refusal(before: View, events: Sequence[Event]) -> tuple[str, int | None]:
    """The code of what is wrong with events, and the index of the event, if it is one of them."""
    with pytest.raises(InvalidState) as refused:
        advance(before, events, strict=False)
    (problem,) = refused.value.problems
    assert len(problem.message) < 500
    (place,) = problem.fields
    return problem.code, where(place)


def where(place: str) -> int | None:
    """The index of an event of its place among the events."""
    return None if place == "events" else int(place.removeprefix("events[").removesuffix("]"))


# ------------------------------------------------------------------------------------------------------ line by line

FACES_OF_FIVE: Final = Cards("2C 3C 4C 5C 6C 2D 3D 4D 5D 2S 3S QS 4S 2H 3H")
FIVE: Final = rules_of(
    "players=5 hand_size=3 kitty=first-trick kitty_shown_to=everybody pass_cycle=hold target=none max_deals=1 "
    "tie=shared",
    deck="2C 3C 4C 5C 6C 2D 3D 4D 5D 2S 3S 4S QS 2H 3H AH",
)
"""Five players with three cards each and one in the kitty; the 2♣ opens, nobody passes."""

HANDS: Final = (Cards("3C 2D QS"), Cards("2C 3D 2S"), Cards("4C 4D 3S"), Cards("5C 5D 2H"), Cards("6C 3H 4S"))
PLAYS: Final = "2C 4C 5C 6C 3C 4S QS 2S 3S 2H 2D 3D 4D 5D 3H"


def five() -> tuple[list[State], list[tuple[Event, ...]]]:
    """The states of the deal of five, and the events between them. Seats 4, 0 and 3 win a trick each, 4 the kitty."""
    states: list[State] = [new_game(FIVE)]
    told: list[tuple[Event, ...]] = []
    moves: list[Any] = [Deal(HANDS, Cards("AH"))]
    result = transition(states[0], moves[0])
    states.append(result.state)
    told.append(result.events)
    for text in PLAYS.split():
        state = states[-1]
        assert isinstance(state, Playing)
        result = transition(state, Play(state.turn, Card(text)))
        states.append(result.state)
        told.append(result.events)
    return states, told


STATES, TOLD = five()
DEALT, LEAD, END, QUEEN, HEART, LAST = 0, 1, 5, 7, 10, 15
"""At which of the moves something happens: the first trick begins and ends, the queen follows, a heart is discarded."""


def changed(move: int, kind: type[Event], **parts: Any) -> list[Event]:
    """The events of a move, with other parts in the event of one class."""
    events = list(TOLD[move])
    (at,) = [at for at, event in enumerate(events) if type(event) is kind]
    events[at] = attrs.evolve(events[at], **parts)
    return events


def without(move: int, kind: type[Event]) -> list[Event]:
    events = [event for event in TOLD[move] if type(event) is not kind]
    assert len(events) == len(TOLD[move]) - 1
    return events


def test_the_deal_of_five_is_what_the_lines_take_it_for() -> None:
    assert [event.code for event in TOLD[DEALT]] == ["cards-dealt", "play-began"]
    assert [event.code for event in TOLD[END]] == ["card-played", "trick-won", "kitty-taken"]
    assert [event.code for event in TOLD[HEART]] == ["card-played", "hearts-broken", "trick-won"]
    assert [event.code for event in TOLD[LAST]] == ["card-played", "trick-won", "deal-scored", "game-ended"]
    for before, after, events in zip(STATES, STATES[1:], TOLD, strict=False):
        for viewer in viewers(FIVE):
            assert advance(seen(before, viewer), redact(events, viewer)) == seen(after, viewer)


ROW: Final = next(event.score for event in TOLD[LAST] if isinstance(event, DealScored))
ENDED: Final = next(event for event in TOLD[LAST] if isinstance(event, GameEnded))

WRONG: Final = "wrong-event"
STRANGE: Final = "strange-event"
MISSING: Final = "missing-event"


def scored(**parts: Any) -> list[Event]:
    """The end of the deal with another row."""
    return changed(LAST, DealScored, score=replaced(ROW, **parts))


LINES: Final[dict[str, tuple[int, list[Event], str, int | None]]] = {
    "winners that the table has not": (LAST, changed(LAST, GameEnded, winners=(11,)), WRONG, 3),
    "wrong winners": (LAST, changed(LAST, GameEnded, winners=(0, 1)), WRONG, 3),
    "no end": (LAST, without(LAST, GameEnded), MISSING, None),
    "no score": (LAST, without(LAST, DealScored), STRANGE, 2),
    "a wrong trick winner": (END, changed(END, TrickWon, winner=3), WRONG, 1),
    "a winner beyond all ints": (END, changed(END, TrickWon, winner=2**70), WRONG, 1),
    "a trick that nobody won": (END, [TOLD[END][0], TrickVoid(Cards("2C 3C 4C 5C 6C"))], STRANGE, 1),
    "a lost kitty": (END, without(END, KittyTaken), MISSING, None),
    "a hidden kitty that is shown": (END, [*TOLD[END][:2], KittyTakenHidden(4)], STRANGE, 2),
    "a kitty of another seat": (END, changed(END, KittyTaken, seat=3), WRONG, 2),
    "a kitty of a card that was played": (END, changed(END, KittyTaken, cards=Cards("2C")), WRONG, 2),
    "a kitty that is too large": (END, changed(END, KittyTaken, cards=Cards("2H AH")), WRONG, 2),
    "broken hearts that are lost": (HEART, without(HEART, HeartsBroken), STRANGE, 1),
    "hearts that are not broken": (LEAD, [*TOLD[LEAD], HeartsBroken(1, Card("2C"))], STRANGE, 1),
    "hearts broken by another seat": (HEART, changed(HEART, HeartsBroken, seat=0), WRONG, 1),
    "a seat out of turn": (HEART, changed(HEART, CardPlayed, seat=0), WRONG, 0),
    "a seat that the table has not": (HEART, changed(HEART, CardPlayed, seat=2**63), WRONG, 0),
    "a card that was played before": (HEART, [CardPlayed(3, Card("2C"))], WRONG, 0),
    "a card that is not in play": (QUEEN, [CardPlayed(0, Card("AS"))], WRONG, 0),
    "points of another seat": (LAST, scored(points=ROW.points[::-1]), WRONG, 2),
    "a row of four": (LAST, scored(points=ROW.points[:4]), WRONG, 2),
    "totals of other points": (LAST, scored(totals=(0,) * 5), WRONG, 2),
    "tricks won by others": (LAST, scored(tricks_won=(0, 0, 0, 0, 3)), WRONG, 2),
    "a queen that another took": (LAST, scored(queen_taker=3), WRONG, 2),
    "a queen that nobody took": (LAST, scored(queen_taker=None), WRONG, 2),
    "a moon that nobody shot": (LAST, scored(shooter=4, effect=Moon.OTHERS_UP), WRONG, 2),
    "a choice that nobody has": (LAST, [*TOLD[LAST][:2], MoonShot(4, ROW, ROW)], STRANGE, 2),
    "a leader without the lowest club": (DEALT, changed(DEALT, PlayBegan, leader=2), WRONG, 1),
    "a leader that the table has not": (DEALT, changed(DEALT, PlayBegan, leader=11), WRONG, 1),
    "a hand too few": (DEALT, changed(DEALT, CardsDealt, hands=HANDS[:4]), WRONG, 0),
    "a card that is dealt twice": (DEALT, changed(DEALT, CardsDealt, kitty=Cards("2C")), WRONG, 0),
}  # fmt: skip


@pytest.mark.parametrize("line", LINES)
def test_what_public_data_refutes(line: str) -> None:
    move, events, code, place = LINES[line]
    # Seat 1 holds the lowest club of the deck.
    assert refusal(seen(STATES[move], 1), events) == (code, place)


@pytest.mark.parametrize("line", [line for line in LINES if LINES[line][0] != DEALT])
def test_what_public_data_refutes_for_spectators(line: str) -> None:
    move, events, code, place = LINES[line]
    assert refusal(public_view(STATES[move]), events) == (code, place)


def test_an_event_that_no_unseen_cards_fit_is_named() -> None:
    """After a seat has shown that it holds no diamond, it plays one: the play is named, whatever follows it."""
    rules = rules_of("players=3 removed=2D pass_cycle=hold opening_leader=dealer-left opening_card=any")
    start = apply(new_game(rules), deal(new_game(rules), seed=1))
    told: list[Event] = []
    for seat, text in ((1, "AD"), (2, "4S"), (0, "KD")):
        told.append(CardPlayed(seat, Card(text)))
    told.append(TrickWon(1, Cards("AD 4S KD")))
    told += [CardPlayed(1, Card("3D")), CardPlayed(2, Card("4D")), CardPlayed(0, Card("5D"))]
    assert refusal(public_view(start), [*told, TrickWon(0, Cards("3D 4D 5D"))]) == (WRONG, 5)
    # A later one of a kind that cannot follow does not hide it.
    assert refusal(public_view(start), [*told, HeartsBroken(0, Card("5D"))]) == (WRONG, 5)
    followed = advance(public_view(start), told[:5])
    assert isinstance(sample_world(followed, Random(1)), Playing)


@pytest.mark.parametrize("compulsory", [Compulsory.NO, Compulsory.ALWAYS])
def test_hearts_that_broke_since_do_not_excuse_the_lead_that_broke_them(compulsory: Compulsory) -> None:
    """Seat 1 leads a heart before they are broken, so it holds nothing else, and later plays a club."""
    rules = Rules(
        players=3,
        removed=Cards(FACES) - Cards("3C 2D 3D 4D QS 2H 3H 4H 5H"),
        pass_cycle=[()],
        opening_leader=OpeningLeader.DEALER_LEFT,
        opening_card=OpeningCard.UNRESTRICTED,
        compulsory=compulsory,
    )
    begun = public_view(apply(new_game(rules), deal(new_game(rules), seed=1)))
    told: list[Event] = [CardPlayed(seat, Card(text)) for seat, text in ((1, "4D"), (2, "2D"), (0, "3D"))]
    told += [TrickWon(1, Cards("2D 3D 4D")), CardPlayed(1, Card("2H")), HeartsBroken(1, Card("2H"))]
    told += [CardPlayed(2, Card("3H")), CardPlayed(0, Card("4H")), TrickWon(0, Cards("2H 3H 4H"))]
    told.append(CardPlayed(0, Card("QS")))
    assert isinstance(advance(begun, told), PlayingView)
    assert refusal(begun, [*told, CardPlayed(1, Card("3C"))]) == (WRONG, 10)


def test_the_taker_of_the_queen_leads_and_nobody_else() -> None:
    rules = rules_of(
        "players=3 pass_cycle=hold opening_leader=queen-taker opening_card=unrestricted", deck="2D 3D 4D 2S QS KS"
    )
    state: State = new_game(rules)
    # In the first deal the lowest spade leads, and the king takes the queen; in the second nothing else matters.
    for hands, leader in (("2S 2D|QS 3D|KS 4D", 0), ("QS 2D|2S 3D|KS 4D", 2)):
        before = state
        result = transition(before, Deal(tuple(Cards(hand) for hand in hands.split("|"))))
        dealt, began = redact(result.events, None)
        assert isinstance(began, PlayBegan)
        assert began.leader == leader
        for seat in range(3):
            events = [dealt, attrs.evolve(began, leader=seat)]
            if seat == leader:
                assert advance(public_view(before), events) == public_view(result.state)
            elif before.deal_number:
                assert refusal(public_view(before), events) == (WRONG, 1)
            else:
                # Who may hold the lowest spade is not seen, until somebody else plays it.
                assert isinstance(advance(public_view(before), events), PlayingView)
        state = result.state
        state = play_cards(state, "2S QS KS 4D 2D 3D" if leader == 0 else "")


# ---------------------------------------------------------------------------------------------------------- passing

PASSERS: Final = rules_of("pass_optional=skip")


def about_to_exchange(rules: Rules, *declining: Seat) -> tuple[State, State, tuple[Event, ...]]:
    """The state before the last pass of a first deal, the state after it, and what happened."""
    state: State = apply(new_game(rules), deal(new_game(rules), seed=6))
    for seat in range(rules.players):
        moves = legal_moves(state, seat)
        move = moves[-1 if seat in declining else 0]
        result = transition(state, move)
        if isinstance(result.state, Playing):
            return state, result.state, result.events
        state = result.state
    raise AssertionError("the exchange comes with the last pass")


def exchanged(events: Sequence[Event], **parts: Any) -> list[Event]:
    """The events of an exchange with other parts, as seat 1 is told of it."""
    return [
        attrs.evolve(event, **parts) if isinstance(event, CardsPassedHidden) else event for event in redact(events, 1)
    ]


@pytest.mark.parametrize(
    ("rules", "declining", "parts"),
    [
        (Rules(), (), {"counts": (3, 3, 0, 3)}),
        (PASSERS, (), {"counts": (3, 0, 3, 3)}),
        (PASSERS, (1,), {"counts": (3, 3, 3, 3)}),
        (PASSERS, (), {"counts": (3, 3, 3, 3, 0)}),
        (PASSERS, (), {"counts": (3, 3, 3, 2**70)}),
        (PASSERS, (), {"counts": (0, 3, 0, 0)}),
        (PASSERS, (1,), {"passed": Cards("2C 3C 4C")}),
        (PASSERS, (), {"passed": Cards()}),
        (Rules(), (), {"received": Cards("2C 3C")}),
        (Rules(unpassable=Cards("QS")), (), {"received": Cards("QS KS AS")}),
    ],
)  # fmt: skip
def test_an_exchange_that_cannot_be(rules: Rules, declining: tuple[Seat, ...], parts: dict[str, Any]) -> None:
    before, _, events = about_to_exchange(rules, *declining)
    assert refusal(view(before, 1), exchanged(events, **parts)) == (WRONG, 1)


def test_received_cards_come_from_other_hands() -> None:
    before, after, events = about_to_exchange(Rules())
    known = view(before, 1)
    assert isinstance(after, Playing)
    assert refusal(known, exchanged(events, received=after.passed[1])) == (WRONG, 1)
    kept = list(after.hands[1] - after.received[1])[:3]
    assert refusal(known, exchanged(events, received=Cards(kept))) == (WRONG, 1)
    assert advance(known, redact(events, 1)) == view(after, 1)


def test_who_shows_other_cards_than_it_decided_is_told_so_at_its_own_event() -> None:
    """Seats 0, 1 and 2 have decided to show a card each; seat 1 knows what it decided itself."""
    rules = Rules(exposable="QS AH JD", bonuses=[Bonus(Card("JD"), 10)], pass_cycle=[()])
    exposed = {0: Cards("JD"), 1: Cards("QS AH"), 2: Cards(), 3: Cards()}
    for _ in range(2):
        rest = iter(rules.deck - Cards("JD QS AH"))
        hands = [bag + Cards([next(rest) for _ in range(13 - len(bag))]) for bag in exposed.values()]
        state: State = apply(new_game(rules), Deal(tuple(hands)))
        for seat in range(3):
            state = apply(state, Expose(seat, exposed[seat]))
        before, events = view(state, 1), redact(transition(state, Expose(3, exposed[3])).events, 1)
        assert isinstance(advance(before, events), PlayingView)
        place = next(place for place, event in enumerate(events) if isinstance(event, CardsExposed) and event.seat == 1)
        fewer = [*events]
        fewer[place] = CardsExposed(1, Cards("AH"))
        assert refusal(before, fewer) == (WRONG, place)
        del fewer[place]
        assert refusal(before, fewer) == (MISSING, None)
        # The other time the last seat shows its card, after seat 1.
        exposed |= {0: Cards(), 3: Cards("JD")}


@pytest.mark.parametrize("viewer", [0, 1, 2, None])
def test_what_a_seat_shows_in_rounds_fits_in_its_hand(viewer: Viewer) -> None:
    """Each seat holds two cards. Seat 3 has shown one, then seat 0; seat 3 may show one more, and not two."""
    rules = rules_of(
        "exposable=TC,JD,QS,AH bonuses=TC:10,JD:10 pass_cycle=hold exposure=rounds opening_card=unrestricted",
        deck="2C 7C 8C 9C TC JD QS AH",
    )
    state: State = apply(new_game(rules), Deal((Cards("AH 2C"), Cards("7C 8C"), Cards("9C TC"), Cards("QS JD"))))
    state = apply(apply(state, Expose(3, Cards("QS"))), Expose(0, Cards("AH")))
    before = seen(state, viewer)
    assert advance(before, [CardsExposed(3, Cards("JD"))]) == seen(apply(state, Expose(3, Cards("JD"))), viewer)
    assert refusal(before, [CardsExposed(3, Cards("JD TC"))]) == (WRONG, 0)


def test_a_full_exchange_has_an_item_for_every_seat() -> None:
    before, _, events = about_to_exchange(Rules())
    short = [
        attrs.evolve(event, passed=event.passed[:3]) if isinstance(event, CardsPassed) else event for event in events
    ]
    assert refusal(view(before, 1), short) == (WRONG, 1)


# --------------------------------------------------------------------------------------------------- every corruption

REFUTED: Final = (
    *("CardPlayed twice", "CardPlayed.seat", "CardPlayed and broken hearts", "CardPlayed and a trick"),
    *("HeartsBroken lost", "HeartsBroken twice", "HeartsBroken swapped", "HeartsBroken.seat", "HeartsBroken.card"),
    *("TrickWon lost", "TrickWon twice", "TrickWon swapped", "TrickWon.winner", "TrickWon.cards", "TrickWon void"),
    *("TrickWon and a kitty", "TrickVoid lost", "TrickVoid twice", "TrickVoid.cards", "TrickVoid won"),
    *("KittyTaken lost", "KittyTaken twice", "KittyTaken.seat", "KittyTaken hidden", "KittyTakenHidden lost"),
    *("KittyTakenHidden twice", "KittyTakenHidden.seat", "CardsPassedHidden lost", "CardsPassedHidden twice"),
    *("CardsPassedHidden.passed", "PlayBegan lost", "PlayBegan twice", "PlayBegan.leader beyond"),
    *("MoonShot lost", "MoonShot twice", "MoonShot.shooter", "MoonShot.others_up", "MoonShot.shooter_down"),
    *("MoonChosen twice", "MoonChosen.seat", "MoonChosen.effect", "DealScored lost", "DealScored twice"),
    *("DealScored.score", "GameEnded lost", "GameEnded twice", "GameEnded.winners"),
    *("DealScored and the end", "MoonShot and the end"),
    *("ExposureCommitted twice", "ExposureCommitted hidden", "ExposureCommitted.move.seat"),
    *("ExposureCommittedHidden twice", "CardsExposed twice", "CardsExposed unseen"),
)
"""Kinds of corruptions of which none may pass, by the beginning of their names."""

SOMETIMES: Final = (
    *("CardPlayed.card", "CardsDealtHidden.hand", "CardsPassedHidden.counts", "CardsPassedHidden.received"),
    *("ExposureCommitted.move.cards", "ExposureCommittedHidden.seat", "CardsExposed.cards"),
    *("PassCommitted.move.cards", "PassCommittedHidden.seat", "PlayBegan.leader", "KittyTaken.cards"),
)
"""Kinds that may be the truth of another deal: some of them are refused, and some pass."""


def told_in_games(seed: int, games: int) -> Iterator[tuple[State, State, tuple[Event, ...], Viewer]]:
    """Moves of matches over random rules, and somebody who is told of each. Moons that leave a choice, shown cards and
    two decks come often; most plays within a trick are left out."""
    rng = Random(seed)
    for number in range(games):
        fixed: list[dict[str, Any]] = [
            {"moon": Moon.CHOICE},
            {"exposure": list(Exposure)[number // 3 % 2]},
            {"decks": 2, "duplicates": Duplicates.CANCEL},
        ]
        rules = random_rules(rng, **fixed[number % 3])
        if len(rules.deck) > 44:
            continue
        for state, move, after in match(rules, rng, 2):
            told = transition(state, move).events
            if len(told) > 1 or not isinstance(state, Playing) or rng.randrange(4) == 0:
                yield state, after, told, rng.choice(viewers(rules))


@pytest.mark.long
@pytest.mark.once_compiled
def test_no_corruption_passes_that_public_data_refutes() -> None:
    arrived: Counter[str] = Counter()
    refused: Counter[str] = Counter()
    rng = Random(3)
    for state, after, told, viewer in told_in_games(5, 260):
        before, honest, own = seen(state, viewer), seen(after, viewer), redact(told, viewer)
        assert advance(before, own) == honest
        for kind, events in corrupted(own, state.rules, rng):
            if events == own:
                continue
            if not events:
                # The only event of a move is lost: nothing has happened yet.
                assert advance(before, events) == before
                continue
            arrived[kind] += 1
            try:
                result = advance(before, events)
            except InvalidState as error:
                (problem,) = error.problems
                assert problem.code in ("secret-event", "strange-event", "wrong-event", "missing-event")
                refused[kind] += 1
                continue
            if result not in (honest, before):
                # It is what somebody at another table may have been told.
                sample_world(result, rng)
                assert from_json(to_json(result), View) == result
    for name in (*REFUTED, *SOMETIMES):
        kinds = [kind for kind in arrived if kind.startswith(name)]
        came = sum([arrived[kind] for kind in kinds])
        kept_out = sum([refused[kind] for kind in kinds])
        assert came >= 10, (name, came)
        assert kept_out == came if name in REFUTED else 0 < kept_out < came, (name, came, kept_out)
    assert sum(refused.values()) > 10_000


def test_a_seat_that_passed_its_whole_hand_has_no_unpassable_card() -> None:
    rules = Rules(
        hand_size=3, kitty="first-trick", pass_cycle=[ANY_NUMBER], unpassable="2H", opening_leader="dealer-left"
    )
    hands = [Cards(f"3{suit} 4{suit} 5{suit}") for suit in "CDSH"]
    state: Any = apply(new_game(rules), Deal(hands, rules.deck - sum(hands, start=Cards())))
    for seat, hand in enumerate(hands):
        state = apply(state, Pass(seat, hand))
    state = apply(state, Deal([*hands[1:], hands[0]]))
    before = view(state, 3)
    with pytest.raises(InvalidState) as info:
        advance(before, [CardPlayed(state.turn, Card("2H"))])
    assert info.value.problems[0].detail == "no-deal"
    assert advance(before, [CardPlayed(state.turn, Card("3S"))]) != before


@pytest.mark.untraced
def test_an_impossible_event_is_named_wherever_it_stands() -> None:
    """The events of a whole deal at once are refused where they are refused move by move."""
    rng = Random(9)
    checked = 0
    for _ in range(25):
        rules = random_rules(rng)
        if len(rules.deck) > 44:
            continue
        moves = list(match(rules, rng, 1))
        viewer = rng.choice(viewers(rules))
        stream = [redact(transition(state, move).events, viewer) for state, move, _ in moves]
        for at, events in enumerate(stream):
            kind, other = rng.choice(list(corrupted(events, rules, rng)))
            try:
                advance(seen(moves[at][0], viewer), other, strict=False)
            except InvalidState as error:
                (problem,) = error.problems
                before = [event for earlier in stream[:at] for event in earlier]
                place = problem.fields[0]
                index = (
                    None if place == "events" else len(before) + int(place.removeprefix("events[").removesuffix("]"))
                )
                assert refusal(seen(moves[0][0], viewer), [*before, *other]) == (problem.code, index), kind
                checked += 1
    assert checked > 200


# ------------------------------------------------------------------------------------------------- what did happen


def test_honest_events_of_long_games() -> None:
    for rules in (Rules(), rules_of("players=3 removed=2D moon=choice")):
        for game in random_games(rules, games=2, seed="honest", max_deals=2):
            for viewer in viewers(rules):
                told = [event for events in [game.events()] for event in redact(events, viewer)]
                assert advance(seen(game.at(0), viewer), told) == seen(game.state, viewer)


@pytest.mark.long
@pytest.mark.untraced
def test_a_position_without_its_history_follows_honest_events() -> None:
    rng = Random(21)
    followed: Counter[str] = Counter()
    for _ in range(200):
        rules = random_rules(rng, moon=Moon.CHOICE)
        moves = list(match(rules, rng, 2))
        starts = [at for at, (state, _, _) in enumerate(moves) if isinstance(state, Playing) and state.trick_number]
        if not starts:
            continue
        at = rng.choice(starts)
        middle = moves[at][0]
        assert isinstance(middle, Playing)
        start: State = forgotten(middle)
        viewer = rng.choice(viewers(rules))
        known = seen(start, viewer)
        for _, move, _ in moves[at:]:
            result = transition(start, move)
            known = advance(known, redact(result.events, viewer))
            assert known == seen(result.state, viewer)
            start = result.state
            followed.update([event.code for event in result.events])
    for code in ("card-played", "hearts-broken", "trick-won", "trick-void", "kitty-taken", "moon-shot", "deal-scored"):
        assert followed[code] >= 3, code


@settings(max_examples=examples(40))
@given(matches(), generators())
@pytest.mark.long
def test_what_advance_returns_can_be_written_and_read(played: Match, rng: Random) -> None:
    viewer = rng.choice(viewers(played.rules))
    known = seen(played.states[0], viewer)
    for state, move, after in zip(played.states, played.moves, played.states[1:], strict=False):
        own = redact(transition(state, move).events, viewer)
        kinds = list(corrupted(own, played.rules, rng))
        for events in (rng.choice(kinds)[1], own):
            try:
                result = advance(known, events)
            except InvalidState:
                assert events is not own
                continue
            assert from_json(to_json(result), View) == result
        known = advance(known, own)
        assert known == seen(after, viewer)


# ------------------------------------------------------------------------------------------------ views from outside


@pytest.mark.untraced
def test_a_view_that_was_made_up_is_refused_in_one_way_only() -> None:
    """No reader believes a view that no deal leads to; made up by hand, `advance` refuses it by an `InvalidState`."""
    rng = Random(4)
    outcomes: Counter[str] = Counter()
    for state, _, told, viewer in told_in_games(8, 40):
        for _ in range(3):
            known = made_up(seen(state, viewer), rng)
            try:
                advance(known, redact(told, known.seat))
                outcomes["followed"] += 1
            except InvalidState as error:
                (problem,) = error.problems
                outcomes[problem.code] += 1
                assert (problem.fields == ("before",)) is (problem.code == "impossible-view")
    assert set(outcomes) <= {
        "followed",
        "secret-event",
        "strange-event",
        "wrong-event",
        "missing-event",
        "impossible-view",
    }
    assert min(outcomes["followed"], outcomes["wrong-event"]) > 50, outcomes


def made_up(known: View, rng: Random) -> View:
    """A view with one of its parts changed."""
    if isinstance(known, PlayingView):
        played = known
        players = known.rules.players
        changes: list[dict[str, Any]] = [
            {"hand": Cards(rng.sample(FACES, len(known.hand)))},
            {"turn": (known.turn + 1) % players},
            {"hearts_broken": not known.hearts_broken},
            {"trick": known.trick[:-1]},
            {"captured": played.captured[::-1]},
            {"tricks_won": played.tricks_won[::-1]},
            {"leader": (played.leader + 1) % players},
            {"trick_number": played.trick_number + 1},
            {"set_aside": Cards(rng.sample(FACES, players))},
        ]
        return with_parts(known, **rng.choice(changes))
    if isinstance(known, PassingView):
        committed = frozenset(rng.sample(range(known.rules.players), 2))
        hand = Cards(rng.sample(FACES, len(known.hand)))
        parts: list[dict[str, Any]] = [{"hand": hand}, {"committed": committed}]
        return replaced(known, **rng.choice(parts))
    if isinstance(known, AwaitingDealView):
        return replaced(known, score_sheet=replaced(known.score_sheet, first=known.deal_number + 1))
    return known
