"""JSON: round trips, byte-exact golden files, strictness, checked states, schemas, the judge, hostile documents.

`nox -s generate` writes the golden files anew.
"""

from __future__ import annotations

import copy
import json
import pickle
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from random import Random
from types import UnionType
from typing import Any, get_args

import attrs
import pytest
from hypothesis import event, given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator
from referencing import Registry, Resource

from heartsrules import (
    AwaitingDeal,
    Card,
    Cards,
    ChooseMoon,
    ChoosingMoon,
    Deal,
    DealScore,
    Event,
    Expose,
    Exposing,
    GameOver,
    Move,
    Pass,
    Passing,
    Phase,
    Play,
    Playing,
    Problem,
    Rules,
    State,
    Suit,
    Transition,
    View,
    Violation,
    apply,
    deal,
    legal_moves,
    new_game,
    presets,
    public_view,
    redact,
    transition,
    view,
    why_illegal,
)
from heartsrules.base.errors import MAX_PROBLEMS, HeartsError, InvalidWire
from heartsrules.base.values import replaced
from heartsrules.formats.wire import _texts, from_json, judge, to_json
from heartsrules.messages import text
from heartsrules.play.dealing import chance_to_act
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
from heartsrules.play.game import Game, Record, verify
from heartsrules.play.violations import (
    AlreadyPassed,
    BadDeal,
    CardIsCompulsory,
    GameIsOver,
    HeartsNotBroken,
    MayNotDecline,
    MustFollowSuit,
    NoSuchEffect,
    NoSuchSeat,
    NotInHand,
    NotTheShooter,
    NotYourTurn,
    OpeningCardRequired,
    PointsOnFirstTrick,
    QueenBeforeHearts,
    TooManyDeals,
    UnpassableCards,
    WrongNumberOfCards,
    WrongPhase,
)
from heartsrules.rules import (
    HOLD,
    Bonus,
    Compulsory,
    Doubler,
    Exposure,
    FirstTrick,
    HeartsBreak,
    HeartsLead,
    HeartValues,
    Kitty,
    KittyShownTo,
    Moon,
    MoonCards,
    OpeningCard,
    OpeningLeader,
    PassOptional,
    TargetScope,
    middle,
)
from heartsrules.setup import Setup, check, set_up
from heartsrules.testing import names
from heartsrules.views import PlayingView
from heartsrules.views.view_check import believable
from heartsrules.views.worlds import sample_world
from support import wire_schemas
from support.examples import of_every_class
from support.history import forgotten
from support.random_play import first_move, play_cards, random_move
from support.rounds import SEED, examples, rounds
from support.strategies import match, random_rules, rules_sets, states_of

GOLDEN = Path(__file__).resolve().parents[1] / "data" / "golden"

# --------------------------------------------------------------------------------------------------------- samples

TINY = Cards("2C 3C 4C QS KS AS")
THREE = Cards("2C 3C 4C 5C QS KS AS")
HANDS = (Cards("4C AS"), Cards("2C QS"), Cards("3C KS"))
ROW = DealScore((0, 13, 13, 0), (13, 0, 0, 0), 0, Moon.OTHERS_UP, False, (13, 0, 0, 0), (0, 13, 13, 0), 0)
LINE = ("2C", "3C", "4C", "AS", "QS", "KS")
"""The plays of the tiny deal: seat 1 leads, seat 0 wins both tricks and the queen."""


def pack() -> Cards:
    return Rules(pass_cycle=(HOLD,)).deck


def tiny(**fields: Any) -> Rules:
    """Three players with two cards each; the queen is the only penalty card."""
    return Rules(players=3, removed=pack() - TINY, pass_cycle=(HOLD,), **fields)


def after_line(rules: Rules, plays: int, dealt: Deal | None = None) -> State:
    """The tiny deal after so many of its plays."""
    state = apply(new_game(rules), dealt or Deal(HANDS, Cards()))
    return play_cards(state, " ".join(LINE[:plays]))


def first_moves(state: State, count: int) -> State:
    """The state after so many moves, always the first legal one."""
    for _ in range(count):
        state = apply(state, first_move(state, "golden"))
    return state


def without_history() -> Playing:
    rules = Rules(pass_cycle=(HOLD,))
    state = first_moves(new_game(rules), 41)
    assert isinstance(state, Playing)
    return set_up(
        rules,
        hands=state.hands,
        leader=state.leader,
        captured=state.captured,
        tricks_won=state.tricks_won,
        hearts_broken=state.hearts_broken,
        scores=(20, 30, 10, 5),
        deal_number=3,
    )


def after_the_queen() -> Playing:
    """The first lead of a deal that begins with whoever took the queen in the deal before, which is not told."""
    rules = queen_taker_leads(pass_cycle=(HOLD,))
    dealt = first_moves(new_game(rules), 1)
    assert isinstance(dealt, Playing)
    return set_up(rules, hands=dealt.hands, scores=(20, -30, 10, 5), deal_number=3, queen_taker=1)


def queen_taker_leads(**fields: Any) -> Rules:
    """The taker of the queen leads; with cards that lower a score, and one that doubles it."""
    return Rules(
        opening_leader=OpeningLeader.QUEEN_TAKER,
        opening_card=OpeningCard.UNRESTRICTED,
        bonuses=[Bonus(Card("JD"), 10), Bonus(Card("9D"), 5)],
        doubler=Doubler(Card("TC"), 2, 50),
        **fields,
    )


def exposure(shows: Exposure, **fields: Any) -> Rules:
    """Four cards may be shown, one of which doubles a score."""
    return queen_taker_leads(exposable="QS JD TC AH", exposure=shows, moon=Moon.SHOOTER_DOWN, **fields)


def shown(rules: Rules, count: int, moves: int = 0) -> State:
    """The first deal after so many seats have shown all they can; then after so many more moves."""
    state = first_moves(new_game(rules), 1)
    while isinstance(state, Passing):
        state = first_moves(state, 1)
    for _ in range(count):
        assert isinstance(state, Exposing)
        seat = min(state.to_act)
        state = apply(state, Expose(seat, state.hands[seat] & rules.exposable))
    return first_moves(state, moves)


def shown_without_history() -> Playing:
    """In the ninth trick, of which two cards are played; which suits were led before is told, but not which cards."""
    state = shown(exposure(Exposure.TOGETHER, pass_cycle=(HOLD,)), 4, 34)
    assert isinstance(state, Playing)
    middle = forgotten(state)
    assert any(middle.exposed)
    assert middle.start.led_before
    return middle


def states() -> dict[str, State]:
    whisthub = new_game(presets.whisthub())
    optional = attrs.evolve(presets.cardzmania(4), pass_optional=PassOptional.SKIP)
    kitty = Rules(
        players=3, removed=pack() - THREE, hand_size=2, kitty=Kitty.FIRST_TRICK, pass_cycle=(HOLD,), max_deals=1
    )
    declined: State = first_moves(new_game(optional), 1)
    for seat in range(4):
        declined = apply(declined, legal_moves(declined, seat)[-1 if seat % 2 else 0])
    return {
        "awaiting-first-deal": whisthub,
        "awaiting-deal": after_line(tiny(), 6),
        "passing": first_moves(whisthub, 3),
        "dealing-back": first_moves(new_game(Rules(pass_cycle=(middle(2),))), 5),
        "exposing": shown(exposure(Exposure.TOGETHER), 2),
        "exposing-in-turn": shown(exposure(Exposure.IN_TURN, pass_cycle=(HOLD,)), 3),
        "playing-first-lead": first_moves(whisthub, 5),
        "playing-after-declined-passes": first_moves(declined, 6),
        "playing-middle": first_moves(whisthub, 27),
        "playing-second-deal": first_moves(whisthub, 65),
        "playing-cancellation": first_moves(new_game(presets.dicegamedepot_cancellation(8)), 40),
        "playing-without-history": first_moves(without_history(), 6),
        "playing-after-the-queen": after_the_queen(),
        "playing-shown": shown(exposure(Exposure.TOGETHER), 4, 10),
        "playing-shown-without-history": first_moves(shown_without_history(), 6),
        "awaiting-deal-shown": shown(exposure(Exposure.IN_TURN), 4, 52),
        "playing-kitty-taken": after_line(kitty, 4, Deal(HANDS, Cards("5C"))),
        "choosing-moon": after_line(tiny(moon=Moon.CHOICE), 6),
        "game-over": after_line(tiny(max_deals=1), 6),
    }


EVENTS: tuple[Event, ...] = (
    CardsDealt(HANDS, Cards("5C")),
    CardsDealtHidden(1, HANDS[1]),
    PassCommitted(Pass(1, Cards("QS"), Cards("2C"))),
    PassCommittedHidden(1),
    CardsPassed(HANDS, (HANDS[1], HANDS[2], HANDS[0]), (9, 10, 0)),
    CardsPassedHidden(None, Cards(), Cards(), (3, 0, 3)),
    ExposureCommitted(Expose(1, Cards("QS JD"))),
    ExposureCommittedHidden(1),
    CardsExposed(1, Cards("QS JD")),
    PlayBegan(1),
    CardPlayed(1, Card("2C")),
    HeartsBroken(2, Card("TH")),
    TrickWon(0, Cards("2C 3C 3C 4C")),
    TrickVoid(Cards("2C 2C 4C 4C")),
    KittyTaken(0, Cards("5C"), KittyShownTo.TAKER),
    KittyTakenHidden(0),
    MoonShot(0, ROW, replaced(ROW, effect=Moon.SHOOTER_DOWN)),
    MoonChosen(0, Moon.SHOOTER_DOWN),
    DealScored(replaced(ROW, shooter=None, effect=None)),
    GameEnded((0, 2)),
)

_CHOSEN: tuple[Violation, ...] = (
    GameIsOver(),
    WrongPhase(Phase.DEAL, Phase.PLAY),
    TooManyDeals(),
    NoSuchSeat(-7, 4),
    NotYourTurn(1, 2),
    AlreadyPassed(3),
    NotTheShooter(1, 0),
    NoSuchEffect(Moon.AUTO_SAVE),
    BadDeal((Problem("wrong-kitty-size", ("kitty", "hands"), message="the kitty is too large"),)),
    MayNotDecline(),
    WrongNumberOfCards(None, 2, 1),
    NotInHand(Cards("QS QS")),
    UnpassableCards(Cards("2C")),
    MustFollowSuit(Card("TH"), Suit.SPADES, 3),
    OpeningCardRequired(Card("TH"), OpeningCard.NON_POINT),
    HeartsNotBroken(Card("KS"), HeartsLead.POINTS_WHEN_BROKEN),
    QueenBeforeHearts(),
    PointsOnFirstTrick(Card("TH"), FirstTrick.NO_HEARTS),
    CardIsCompulsory(Card("2C"), Cards("TD QS"), Compulsory.SAFE),
)
VIOLATIONS: tuple[Violation, ...] = of_every_class(_CHOSEN)


def unusual_rules() -> Rules:
    return Rules(
        players=6,
        decks=2,
        removed="2C 2C 3D 3D 4S 4S 5H 5H",
        kitty=Kitty.FIRST_HEART,
        kitty_shown_to=KittyShownTo.EVERYBODY,
        teams=3,
        first_dealer=4,
        pass_cycle=(((2, 1), (-1, 2)), HOLD),
        unpassable="QS",
        opening_leader=OpeningLeader.DEALER_LEFT,
        opening_card=OpeningCard.ANY,
        first_trick=FirstTrick.NO_HEARTS,
        hearts_lead=HeartsLead.POINTS_WHEN_BROKEN,
        hearts_break=HeartsBreak.DISCARDED,
        compulsory=Compulsory.SAFE,
        compulsory_cards="QS TD",
        heart_values=(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12),
        extra_penalties=((Card("KS"), 10), (Card("AS"), 7)),
        bonuses=(Bonus(Card("JD"), 10), Bonus(Card("9D"), 5)),
        doubler=Doubler(Card("TC"), 3, 50),
        moon=Moon.AUTO_SAVE,
        moon_cards=MoonCards.HEARTS_AND_QUEEN,
        moon_points=30,
        sun=True,
        target=None,
        target_scope=TargetScope.PLAYER,
        bonus_target=500,
        max_deals=7,
    )


def record() -> Record:
    game = Game.start(tiny(target=25))
    while not isinstance(game.state, GameOver):
        move = Deal(HANDS, Cards()) if isinstance(game.state, AwaitingDeal) else legal_moves(game.state)[0]
        game = game.play(move)
    written = Record.of(game, tags=[("Event", "club ♣ night"), ("Event", 'a "quoted" name')])
    return attrs.evolve(written, comments=((0, "the deal"), (len(game.moves), "the end")))


def samples() -> dict[str, tuple[Any, Any]]:
    """The golden values by file name, each with the type that it is read as."""
    found: dict[str, tuple[Any, Any]] = {
        "rules-default": (Rules(), Rules),
        "rules-resets": (Rules(exact_resets=((50, 25), (100, 50)), heart_values=HeartValues.SPOT), Rules),
        "rules-unusual": (unusual_rules(), Rules),
        "deal-score": (ROW, DealScore),
        "record": (record(), Record),
        "transition": (transition(after_line(tiny(moon=Moon.CHOICE), 6), ChooseMoon(0, Moon.OTHERS_UP)), Transition),
        "events": (EVENTS, tuple[Event, ...]),
        "events-none": ((), tuple[Event, ...]),
    }
    moves: tuple[Move, ...] = (
        Deal(HANDS, Cards("QD QD")),
        Pass(3, Cards("QS 2C"), Cards("TH")),
        Expose(3, Cards("QS JD")),
        Play(2, Card("TH")),
        ChooseMoon(0, Moon.SHOOTER_DOWN),
    )
    found |= {f"move-{type(move).__name__.lower()}": (move, Move) for move in moves}
    found["move-expose-nothing"] = (Expose(0, Cards()), Move)
    found |= {f"event-{value.code}": (value, Event) for value in EVENTS}
    found |= {f"violation-{value.code}": (value, Violation) for value in VIOLATIONS}
    for name, state in states().items():
        found[f"state-{name}"] = (state, State)
        found[f"view-{name}"] = (view(state, 1), View)
        found[f"view-{name}-public"] = (public_view(state), View)
    return found


SAMPLES = samples()
STATES = {name: value for name, (value, kind) in SAMPLES.items() if kind == State}


def golden_files() -> dict[Path, bytes]:
    """The golden files as they are written now."""
    return {GOLDEN / f"{name}.json": to_json(value) + b"\n" for name, (value, _) in SAMPLES.items()}


# ----------------------------------------------------------------------------------------------------- golden files


@pytest.mark.parametrize("name", SAMPLES)
def test_golden_files_are_written_byte_for_byte(name: str) -> None:
    assert to_json(SAMPLES[name][0]) + b"\n" == (GOLDEN / f"{name}.json").read_bytes()


@pytest.mark.parametrize("name", SAMPLES)
def test_documents_of_version_1_stay_readable(name: str) -> None:
    value, kind = SAMPLES[name]
    assert from_json((GOLDEN / f"{name}.json").read_bytes(), kind) == value


def test_there_is_a_golden_file_of_every_class() -> None:
    assert {path.stem for path in GOLDEN.glob("*.json")} == set(SAMPLES)
    classes = {type(value) for value, _ in SAMPLES.values()}
    for kind in (Move, State, View, Event, Violation):
        assert set(get_args(kind)) <= classes


@pytest.mark.parametrize("name", SAMPLES)
def test_spelling_does_not_matter(name: str) -> None:
    """White space, the order of keys and escapes: the same value, and written it is canonical again."""
    value, kind = SAMPLES[name]
    tree = json.loads(to_json(value))
    spelled = json.dumps(dict(sorted(tree.items(), reverse=True)), indent=3, ensure_ascii=True)
    assert from_json(spelled, kind) == value
    assert to_json(from_json(spelled, kind)) == to_json(value)
    assert from_json(to_json(value, indent=2), kind) == value
    assert json.loads(to_json(value, indent=0)) == tree


def test_one_class_of_a_union_can_be_asked_for() -> None:
    data = to_json(Play(2, Card("AH")))
    assert from_json(data, Play) == Play(2, Card("AH"))
    assert problems(data, Pass) == {("/move", "foreign-value")}
    assert problems(to_json(STATES["state-passing"]), Playing) == {("/phase", "foreign-value")}
    assert problems(to_json(GameIsOver()), AlreadyPassed) == {("/code", "foreign-value")}


def test_a_document_of_another_kind_is_refused_for_its_kind() -> None:
    documents = {
        "move": Play(0, "2C"),
        "rules": Rules(),
        "state": new_game(Rules()),
        "record": Record(rules=Rules(), moves=()),
    }
    for kind, value in documents.items():
        for other in documents.keys() - {kind}:
            with pytest.raises(InvalidWire) as caught:
                from_json(to_json(value), type(documents[other]))
            assert [(each.code, *each.fields) for each in caught.value.problems] == [("foreign-value", "/kind")]
            assert f"expected a document of kind {other}" in str(caught.value)


@pytest.mark.parametrize("violation", [*VIOLATIONS, NotInHand(Cards("2H 3H")), BadDeal(())])
def test_violations_are_values(violation: Violation) -> None:
    again = eval(repr(violation), names())
    assert again == pickle.loads(pickle.dumps(violation)) == violation
    assert hash(violation) == hash(again)
    assert isinstance(str(violation), str)


# ------------------------------------------------------------------------------------------------------ round trips


@pytest.mark.parametrize("name", STATES)
def test_the_views_of_every_seat_come_back(name: str) -> None:
    state = STATES[name]
    seen = [view(state, seat) for seat in range(state.rules.players)]
    assert [from_json(to_json(each), View) for each in seen] == seen
    kitties = {each.kitty for each in seen if isinstance(each, PlayingView)}
    assert (Cards("5C") in kitties) == (name == "state-playing-kitty-taken")


def assert_round_trip(value: Any, kind: Any) -> bytes:
    data = to_json(value)
    again = from_json(data, kind)
    assert again == value
    assert type(again) is type(value)
    assert to_json(again) == data
    assert from_json(data.decode(), kind) == value
    return data


@pytest.mark.parametrize("name", sorted(presets.ALL))
def test_presets(name: str) -> None:
    preset = presets.ALL[name]
    for players in preset.players:
        assert_round_trip(preset(players), Rules)


@given(rules=rules_sets())
def test_random_rules(rules: Rules) -> None:
    assert_round_trip(rules, Rules)


@pytest.mark.untraced
@settings(max_examples=examples(40))
@given(state=states_of())
def test_random_states_their_views_moves_and_violations(state: State) -> None:
    event(type(state).__name__)
    data = assert_round_trip(state, State)
    VALIDATORS["state"].validate(json.loads(data))
    for seen in (public_view(state), *(view(state, seat) for seat in range(state.rules.players))):
        VALIDATORS["view"].validate(json.loads(assert_round_trip(seen, View)))
    if chance_to_act(state):
        moves: list[Move] = [deal(state, seed=1)]
    else:
        moves = [*legal_moves(state)[:2], *legal_moves(state)[-2:]]
    for move in moves:
        VALIDATORS["move"].validate(json.loads(assert_round_trip(move, Move)))
        VALIDATORS["transition"].validate(json.loads(assert_round_trip(transition(state, move), Transition)))
    for wrong in (Play(0, Card("QS")), Pass(1, Cards("2H")), ChooseMoon(0, Moon.OFF), Deal((), Cards("2C"))):
        for reason in why_illegal(state, wrong):
            VALIDATORS["violation"].validate(json.loads(assert_round_trip(reason, Violation)))


@settings(max_examples=examples(15))
@given(seed=st.integers(0, 2**32))
def test_whole_matches(seed: int) -> None:
    rng = Random(seed)
    rules = random_rules(rng)
    moves: list[Move] = []
    for before, move, after in match(rules, rng, 2):
        moves.append(move)
        if rng.random() < 0.2:
            assert_round_trip(after, State)
            events = transition(before, move).events
            for seat in (None, rng.randrange(rules.players)):
                assert_round_trip(redact(events, seat), tuple[Event, ...])
    written = Record(rules=rules, moves=moves)
    VALIDATORS["record"].validate(json.loads(assert_round_trip(written, Record)))
    assert verify(from_json(to_json(written), Record)).valid


@pytest.mark.untraced
@settings(max_examples=examples(40))
@given(state=states_of(Playing), seed=st.integers(0, 2**32))
def test_positions_without_history_and_what_they_lead_to(state: State, seed: int) -> None:
    if not isinstance(state, Playing) or not state.trick_number:
        return
    following: State = forgotten(state)
    rng = Random(seed)
    while not isinstance(following, GameOver) and following.deal_number <= state.deal_number + 1:
        event(type(following).__name__)
        assert_round_trip(following, State)
        for seat in (None, rng.randrange(state.rules.players)):
            seen = public_view(following) if seat is None else view(following, seat)
            assert_round_trip(seen, View)
        following = apply(following, random_move(following, rng))


def test_the_suits_led_before_free_a_shown_card() -> None:
    state = shown(exposure(Exposure.TOGETHER, pass_cycle=(HOLD,)), 4, 32)
    assert isinstance(state, Playing)
    assert state.hands[0] == Cards("9D JD QD 3H 9H")
    tree = json.loads(to_json(forgotten(state)))
    for suits, legal in ((["C", "D", "S"], True), (["S", "D"], True), (["C", "S"], False), ([], False)):
        read = from_json(json.dumps(changed(tree, "/resumed_from/suits_led", suits)), State)
        assert (Play(0, Card("JD")) in legal_moves(read)) == legal
        for seen in (view(read, 0), view(read, 2), public_view(read)):
            assert from_json(to_json(seen), View) == seen
            assert believable(seen)


def test_more_suits_than_tricks_are_refused() -> None:
    state = shown(exposure(Exposure.TOGETHER, pass_cycle=(HOLD,)), 4, 6)
    assert isinstance(state, Playing)
    tree = json.loads(to_json(forgotten(state)))
    assert len(tree["resumed_from"]["suits_led"]) == 1
    more = changed(tree, "/resumed_from/suits_led", ["D", "S"])
    assert problems(json.dumps(more), State) == {("/resumed_from/suits_led", "too-many-suits")}
    again = changed(tree, "/resumed_from/suits_led", tree["resumed_from"]["suits_led"] * 2)
    assert from_json(json.dumps(again), State) == forgotten(state)


# --------------------------------------------------------------------------------------------------------- schemas

SCHEMA_FILES = {name: json.loads(content) for name, content in wire_schemas.files().items()}
REGISTRY: Registry[Any] = Registry().with_resources(
    [(schema["$id"], Resource.from_contents(schema)) for schema in SCHEMA_FILES.values()]
)
VALIDATORS = {
    name.removesuffix(".json"): Draft202012Validator(schema, registry=REGISTRY) for name, schema in SCHEMA_FILES.items()
}


@pytest.mark.sampled(4)
@pytest.mark.parametrize("name", SCHEMA_FILES)
def test_schemas_are_valid_against_the_meta_schema(name: str) -> None:
    Draft202012Validator.check_schema(SCHEMA_FILES[name])


@pytest.mark.sampled(4)
@pytest.mark.parametrize("name", SAMPLES)
def test_golden_files_fit_their_schema_and_the_index(name: str) -> None:
    tree = json.loads(to_json(SAMPLES[name][0]))
    VALIDATORS[tree["kind"]].validate(tree)
    VALIDATORS["index"].validate(tree)


# ------------------------------------------------------------------------------------------------------ strictness

GONE = object()


def problems(data: bytes | str, kind: Any) -> set[tuple[str, str]]:
    """The places and codes of what is wrong with a document."""
    with pytest.raises(InvalidWire) as caught:
        from_json(data, kind)
    found = caught.value.problems
    assert found
    assert all(isinstance(problem.fields[0], str) and problem.message for problem in found)
    return {(problem.fields[0], problem.code) for problem in found}


def changed(tree: Any, pointer: str, value: Any) -> Any:
    """A copy of a tree with one place changed, added or taken out."""
    tree = copy.deepcopy(tree)
    *way, last = pointer.split("/")[1:]
    at = tree
    for part in way:
        at = at[int(part) if isinstance(at, list) else part]
    key: Any = int(last) if isinstance(at, list) else last
    if value is GONE:
        del at[key]
    elif isinstance(at, list) and key == len(at):
        at.append(value)
    else:
        at[key] = value
    return tree


MIDDLE = "state-playing-middle"
EXPOSING = "state-exposing"
IN_TURN = "state-exposing-in-turn"
SHOWN = "state-playing-shown"
SHOWN_BEFORE = "state-awaiting-deal-shown"
SHOWN_MIDDLE = "state-playing-shown-without-history"
UNSEEN = (1.0, "QS QS QS")
"""What a schema cannot refuse: to it, 1.0 is an integer, and it does not count cards."""
LEAVES: tuple[Any, ...] = (
    *(GONE, True, 3, -3, 2**53, 1.5, 1.0, "QS", "QS QS QS", None, [], {}, [1], [None] * 60, "x" * 400),
)
"""A value of each type of JSON; and no value."""


def refusal(data: str, kind: Any) -> Problem | None:
    """The first thing that is wrong with a document, if anything is."""
    try:
        from_json(data, kind)
    except InvalidWire as error:
        return error.problems[0]
    return None


def test_a_reader_and_the_schema_refuse_the_same_shapes() -> None:
    """Change any part of any document, or add a key: the reader refuses what the schema does, there, in it or around
    it; and of what the schema lets pass, it calls no shape wrong."""
    rng = Random(SEED)
    trees = [(json.loads(to_json(value)), kind) for value, kind in SAMPLES.values()]
    shapes = 0
    for _ in range(rounds(1500)):
        tree, kind = rng.choice(trees)
        pointer, _ = rng.choice([*places(tree), ("/novel", 0)])
        value = rng.choice(LEAVES[1:] if pointer == "/novel" else LEAVES)
        spoiled = changed(tree, pointer, value)
        fits = VALIDATORS[tree["kind"]].is_valid(spoiled)
        problem = refusal(json.dumps(spoiled), kind)
        assert fits or problem is not None, (pointer, value)
        if problem is not None and problem.code in ("wrong-shape", "missing-key", "foreign-value"):
            shapes += 1
            (place,) = problem.fields
            assert "_or_" not in text(problem)  # a select without a case for these types
            assert place.startswith(pointer) or pointer.startswith(place), (pointer, value, problem)
            assert not fits or value in UNSEEN, (pointer, value, problem)
    assert shapes > rounds(1500) // 2


def test_the_first_wrong_shape_stands_alone() -> None:
    tree = json.loads(to_json(SAMPLES[MIDDLE][0]))
    for pointer, value in {"/turn": "1", "/hands/0": "XX", "/more": 1, "/kitty": GONE}.items():
        tree = changed(tree, pointer, value)
    assert len(problems(json.dumps(tree), State)) == 1


def test_refusals_of_single_keys() -> None:
    """A document needs every key, so that no refusal advises to omit one."""
    start = new_game(Rules(pass_cycle="hold", exposable="QS"))
    exposing = apply(start, deal(start, seed=1))
    playing = apply(new_game(Rules(pass_cycle="hold")), deal(start, seed=1))
    assert isinstance(playing, Playing)
    for value, kind, key, wrong, message in (
        (playing, State, "hearts_broken", True, "hearts_broken is True, but the rest makes it False"),
        (view(exposing, 0), View, "exposed", ["2C", "", "", ""], "exposed[0] contains 2C, but it may not be exposed"),
        (view(exposing, 0), View, "hand", {}, "expected a string, not an object"),
    ):
        with pytest.raises(InvalidWire) as caught:
            from_json(json.dumps(json.loads(to_json(value)) | {key: wrong}), kind)
        (problem,) = caught.value.problems
        assert problem.fields[0].startswith(f"/{key}")
        assert str(problem).startswith(message)
        assert "omit" not in str(problem)


def test_problems_of_rules_are_reported_together() -> None:
    text = '{"heartsrules":1,"kind":"rules","players":5,"teams":2,"target":null}'
    assert {place for place, _ in problems(text, Rules)} == {"/removed", "/teams", "/target"}
    nested = changed(json.loads(to_json(STATES[MIDDLE])), "/rules/decks", 2)
    nested["rules"]["players"] = 5
    assert problems(json.dumps(nested), State) == {("/rules/removed", "uneven-deal")}


# ------------------------------------------------------------------------------------------------- impossible states


@pytest.mark.long
@pytest.mark.once_compiled
@pytest.mark.untraced
def test_every_change_of_a_state_is_refused_or_is_another_state() -> None:
    """Take each value of each document and put the others of its kind in its place: what is read is what was said."""
    accepted = set[tuple[str, str]]()
    of_rules = set[str]()
    for name, state in STATES.items():
        tree = json.loads(to_json(state))
        for pointer, value in places(tree):
            for other in OTHERS:
                if other == value and type(other) is type(value):
                    continue
                spoiled = changed(tree, pointer, other)
                try:
                    read = from_json(json.dumps(spoiled), State)
                except InvalidWire:
                    continue
                assert from_json(to_json(read), State) == read
                if pointer.startswith("/rules"):
                    of_rules.add(pointer.removeprefix("/rules/"))
                    continue
                accepted.add((name, pointer))
                assert (read == state) == ((name, pointer) in FOLLOWS), (name, pointer, other)
    assert accepted == FOLLOWS | TAKEN_BACK | NOT_KNOWN | NOT_SHOWN
    assert of_rules == {
        *("bonuses", "bonuses/0/points", "bonuses/1/points", "doubler", "doubler/alone", "hand_size", "max_deals"),
        *("moon_points", "pass_cycle/1", "pass_cycle/1/0/0", "pass_cycle/1/0/1", "target"),
    }


def test_nobody_can_have_passed_what_is_there_twice_already() -> None:
    state = STATES["state-playing-cancellation"]
    assert isinstance(state, Playing)
    seat, twice = next((seat, card) for seat, hand in enumerate(state.hands) for card in hand if hand.count(card) == 2)
    others = [str(card) for card in ("2C", "3C", "4C") if card != str(twice)][:2]
    tree = changed(json.loads(to_json(state)), f"/passes/{seat}/0", " ".join([str(twice), *others]))
    assert (f"/passes/{seat}", "illegal-pass") in problems(json.dumps(tree), State)


OTHERS: tuple[Any, ...] = (1, "2H", None, [])
FOLLOWS = {
    ("state-awaiting-deal", "/score_sheet"),
    (SHOWN_BEFORE, "/score_sheet"),
    ("state-game-over", "/score_sheet"),
    ("state-playing-without-history", "/resumed_from/tricks_won"),
    (SHOWN_MIDDLE, "/resumed_from/tricks_won"),
    (SHOWN_MIDDLE, "/resumed_from/hearts_broken"),
    ("state-playing-without-history", "/resumed_from/hearts_broken"),
}
"""What may be left out because it follows from the rest: the row of the last deal, and of the middle of a deal what its
cards show."""
TAKEN_BACK = {
    *[("state-passing", f"/passes{seat}") for seat in ("", "/0", "/1")],
    *[(EXPOSING, f"/exposures{seat}") for seat in ("", "/0", "/1")],
    *[(IN_TURN, f"/exposures{seat}") for seat in ("", "/3")],
}
"""A seat that has committed may just as well not have done so yet; where they show in turn, the last one."""
NOT_SHOWN = {(SHOWN, "/exposed"), (SHOWN_MIDDLE, "/exposed"), (SHOWN_MIDDLE, "/resumed_from/suits_led")}
"""Seats may just as well have shown nothing, and no trick have been led in the suit of a card that was shown."""
NOT_KNOWN = {("state-playing-without-history", "/queen_taker")}
"""Anybody may have captured the queen before the sheet begins, where nobody leads for it."""


def places(tree: Any, at: str = "") -> Iterator[tuple[str, Any]]:
    items = tree.items() if isinstance(tree, dict) else enumerate(tree) if isinstance(tree, list) else ()
    for key, value in items:
        yield f"{at}/{key}", value
        yield from places(value, f"{at}/{key}")


def test_a_view_is_refused_for_a_deal_without_passing() -> None:
    tree = json.loads(to_json(SAMPLES["view-passing"][0]))
    held = changed(tree, "/rules/pass_cycle", [[]])
    assert ("/plan", "contradiction") in problems(json.dumps(held), View)
    held |= {"plan": [], "committed": [], "to_act": [0, 1, 2, 3], "commitment": None}
    assert problems(json.dumps(held), View) == {("", "impossible-view")}


VIEWS = {name: value for name, (value, kind) in SAMPLES.items() if kind == View}


def assert_some_state_has(seen: View, rng: Random) -> None:
    """Draw a world of a view: `check` believes it, and it looks so."""
    world = sample_world(seen, rng)
    assert check(Setup.of(world)) == world
    assert (public_view(world) if seen.seat is None else view(world, seen.seat)) == seen


@pytest.mark.long
@pytest.mark.once_compiled
@pytest.mark.untraced
def test_every_change_of_a_view_is_refused_or_some_state_has_it() -> None:
    """As above; what is read is then the view of another seat, of fewer or other tricks, or of other passes."""
    rng = Random("views")
    accepted = Counter[str]()
    for name, seen in VIEWS.items():
        tree = json.loads(to_json(seen))
        for pointer, value in places(tree):
            for other in OTHERS:
                if (other == value and type(other) is type(value)) or pointer.startswith("/rules"):
                    continue
                try:
                    read = from_json(json.dumps(changed(tree, pointer, other)), View)
                except InvalidWire:
                    continue
                accepted[pointer] += 1
                assert read != seen
                assert from_json(to_json(read), View) == read
                if pointer != "/tricks" and "without-history" not in name:
                    assert_some_state_has(read, rng)
    assert set(accepted) == {
        "/seat",
        "/pass_counts",
        "/last_deal/pass_counts",
        "/tricks",
        "/last_deal",
        "/queen_taker",
        "/led_before",
    }


def test_a_hidden_card_that_nobody_can_hold_refuses_a_view() -> None:
    """Told from the middle on: everybody else has discarded on hearts, but a heart is left."""
    hands = [Cards("3S KS"), Cards("9H 9D"), Cards("2C 9C"), Cards("3C TC")]
    rest = Rules().deck - Cards("3S KS 9H 9D 2C 9C 3C TC")
    state: State = set_up(Rules(), hands=hands, leader=1, captured=[Cards(), rest, Cards(), Cards()])
    state = play_cards(state, "9H 2C 3C 3S")
    seen = view(state, 1)
    assert assert_round_trip(seen, View)
    tree = json.loads(to_json(seen))
    exchanged = changed(tree, "/captured/1", tree["captured"][1].replace("TH", "9C"))
    assert problems(json.dumps(exchanged), View) == {("", "impossible-view")}


@settings(max_examples=examples(60))
@given(state=states_of(), seed=st.integers(0, 2**32))
def test_every_world_of_a_view_that_was_read_is_a_state(state: State, seed: int) -> None:
    rng = Random(seed)
    seat = rng.choice([None, *range(state.rules.players)])
    seen: View = public_view(state) if seat is None else view(state, seat)
    read: View = from_json(to_json(seen), View)
    event(type(state).__name__)
    for _ in range(2):
        assert_some_state_has(read, rng)


# ------------------------------------------------------------------------------------------------ hostile documents

PLAY = b'{"move":"play","heartsrules":1,"kind":"move","seat":2,"card":"AH"}'


@pytest.mark.parametrize(
    "name",
    [
        MIDDLE,
        "state-playing-second-deal",
        "state-playing-after-the-queen",
        "state-passing",
        "record",
        "events",
        "rules-unusual",
    ],
)
def test_a_key_twice_anywhere(name: str) -> None:
    value, kind = SAMPLES[name]
    text = to_json(value, language=None).decode()
    starts = [place for place, letter in enumerate(text) if letter == "{"]
    for start in starts:
        if text[start + 1] == "}":
            continue
        key, rest = text[start + 1 :].split(":", 1)[0], text[start + 1 :]
        scalar = rest.split(":", 1)[1].split(",")[0].rstrip("}")
        if scalar.startswith(("[", "{")):
            continue
        found = problems(f"{text[: start + 1]}{key}:{scalar},{rest}", kind)
        assert {code for _, code in found} == {"repeated-key"}
    hidden = text.replace('"heartsrules":1', '"heartsrules" :1,"heartsrules" : 1')
    assert problems(hidden, kind) == {("/heartsrules", "repeated-key")}


def test_no_more_problems_are_reported_than_anybody_reads() -> None:
    twice = b'{"move":"play","seat":1,"seat":1,"card":"2C"}'
    record = to_json(Record(rules=Rules())).replace(b'"moves":[', b'"moves":[' + b",".join([twice] * 1_000))
    with pytest.raises(InvalidWire) as caught:
        from_json(record, Record)
    assert len(caught.value.problems) == MAX_PROBLEMS
    assert caught.value.problems[1].fields == ("/moves/1/seat",)


# ------------------------------------------------------------------------------------------------------- the judge


def judged(state: bytes | str, move: bytes | str) -> Any:
    return json.loads(judge(state, move))


@settings(max_examples=examples(20))
@given(seed=st.integers(0, 2**32))
def test_a_whole_match_through_the_judge(seed: int) -> None:
    rng = Random(seed)
    rules = random_rules(rng)
    document: Any = json.loads(to_json(new_game(rules)))
    for before, move, after in match(rules, rng, 1):
        wrong = Play(rng.randrange(rules.players), rng.choice(list(pack())))
        reasons = why_illegal(before, wrong)
        answer = judged(json.dumps(document), to_json(wrong))
        assert answer["ok"] == (not reasons)
        if reasons:
            assert [(each["code"], each["message"]) for each in answer["violations"]] == [
                (reason.code, text(reason)) for reason in reasons
            ]
        answer = judged(json.dumps(document), to_json(move))
        if rng.randrange(20) == 0:
            VALIDATORS["judgement"].validate(answer)
        document = answer["state"]
        assert from_json(json.dumps(document), State) == after
        events = {"heartsrules": 1, "kind": "events", "events": answer["events"]}
        assert from_json(json.dumps(events), tuple[Event, ...]) == transition(before, move).events


def test_the_judge_says_what_is_wrong_with_which_document() -> None:
    state = to_json(STATES[MIDDLE])
    assert judged(state, b"[]")["problems"] == [
        {
            "document": "move",
            "place": "",
            "code": "wrong-shape",
            "message": "expected an object, not an array",
            "params": {"expected": "object", "optional": False, "found": "array"},
            "detail": "type",
            "arguments": {"expected": "object", "optional": "false", "found": "array"},
        }
    ]
    both = judged(state.replace(b'"hearts_broken":false', b'"hearts_broken":true'), PLAY[:-1])
    assert [(each["document"], each["place"]) for each in both["problems"]] == [
        ("state", "/hearts_broken"),
        ("move", ""),
    ]
    assert not both["ok"]
    VALIDATORS["judgement"].validate(both)
    VALIDATORS["index"].validate(both)
    VALIDATORS["judgement"].validate(judged(state, PLAY))
    rules = json.loads(state) | {"rules": {"teams": 3}}
    uneven = judged(json.dumps(rules), PLAY)
    assert uneven["problems"] == [
        {
            "document": "state",
            "place": "/rules/teams",
            "code": "uneven-teams",
            "message": "4 players do not divide into 3 teams: change one of the two numbers",
            "params": {"players": 4, "teams": 3},
            "arguments": {"players": 4, "teams": 3},
        }
    ]
    VALIDATORS["judgement"].validate(uneven)
    strange = judged(state, b'{"move":"play","heartsrules":1,"kind":"move","seat":77,"card":"AH"}')
    assert [each["code"] for each in strange["violations"]] == ["no-such-seat"]


# ------------------------------------------------------------------------------------------- errors and arguments


def test_invalid_wire_is_data() -> None:
    told = "/seat: expected an integer, not a string"
    with pytest.raises(InvalidWire, match=f"^{told}$") as caught:
        from_json(PLAY.replace(b"2", b'"2","x":1'), Move)
    error = caught.value
    assert error.code == "invalid-wire"
    assert isinstance(error, HeartsError)
    assert isinstance(error, ValueError)
    again = pickle.loads(pickle.dumps(error))
    assert type(again) is InvalidWire
    assert (again.problems, str(again)) == (error.problems, str(error))
    assert error.__cause__ is None
    assert str(InvalidWire((Problem("malformed", ("",), message="no JSON"),))) == "the document: no JSON"


@pytest.mark.parametrize(
    "kind", [int, str, list, tuple, "Rules", None, tuple[int, ...], tuple[Event], int | str, object]
)
def test_types_without_a_json_form(kind: Any) -> None:
    with pytest.raises(TypeError, match=r"^kind must be"):
        from_json(PLAY, kind)


@pytest.mark.parametrize("data", [None, 1, bytearray(PLAY), json.loads(PLAY)])
def test_documents_are_bytes_or_text(data: Any) -> None:
    with pytest.raises(TypeError, match=r"^data must be"):
        from_json(data, Move)
    with pytest.raises(TypeError, match=r"^state must be"):
        judge(data, PLAY)
    with pytest.raises(TypeError, match=r"^move must be"):
        judge(PLAY, data)


@pytest.mark.parametrize("value", [None, 1, "QS", Card("QS"), Cards("QS"), [*EVENTS], (1,), (PLAY, EVENTS), Rules])
def test_values_without_a_json_form(value: Any) -> None:
    with pytest.raises(TypeError, match=r"^value must be"):
        to_json(value)


def test_indent_is_at_most_16_spaces() -> None:
    assert to_json(Rules(), indent=16).splitlines()[1].startswith(b" " * 16 + b'"')
    for indent in (-1, 17, 2**31, -(2**63), 2**63, 10**5000):
        with pytest.raises(ValueError, match=r"^indent is .*: choose 0 to 16, or None$"):
            to_json(Rules(), indent=indent)


@pytest.mark.parametrize(
    ("value", "place"),
    [
        (Play(2**53, Card("AH")), "/seat"),
        (Play(10**30, Card("AH")), "/seat"),
        (Record(rules=Rules(), tags=[("Event", "\ud800")]), ""),
        (Record(rules=Rules(), comments=[(-1, "before the start")]), "/comments/0/0"),
    ],
)
def test_values_that_no_document_may_hold(value: Any, place: str) -> None:
    with pytest.raises(InvalidWire) as caught:
        to_json(value)
    assert [problem.fields[0] for problem in caught.value.problems] == [place]


def test_a_part_without_a_json_form() -> None:
    with pytest.raises(TypeError, match=r"^an object cannot be written as JSON"):
        _texts.encode_custom(object())


def test_equal_rules_give_equal_bytes_however_they_were_spelled() -> None:
    one = Rules(pass_cycle=(((5, 3),),), heart_values=HeartValues.SPOT, removed="3D 3C 2D 2C")
    two = Rules(pass_cycle=(((1, 3),),), heart_values=range(2, 15), removed="2C 3C 2D 3D")
    assert to_json(one) == to_json(two)
    full = json.loads(to_json(one)) | {"players": 4, "decks": 1, "hand_size": None, "moon": "others-up"}
    assert from_json(json.dumps(full), Rules) == one


def test_types() -> None:
    rules: Rules = from_json(to_json(Rules()), Rules)
    events: tuple[Event, ...] = from_json(to_json(EVENTS), tuple[Event, ...])
    assert (rules, events) == (Rules(), EVENTS)
    assert isinstance(State, UnionType)
    assert isinstance(STATES["state-choosing-moon"], ChoosingMoon)
