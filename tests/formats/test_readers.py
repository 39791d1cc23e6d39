"""Whatever one reader accepts, every other accepts in its own form, as far as its form can say it.

Random setups, true and spoiled ones, are read as they are by `check`, as JSON, as text, and as arguments of
`set_up`. What each form cannot say is worked out here once more, apart from the package; docs/reference/setup.md has
it as a table.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import islice
from random import Random
from typing import Any, Final

import attrs
import pytest

from heartsrules import (
    Card,
    Cards,
    DealScore,
    InvalidState,
    InvalidWire,
    Pass,
    Phase,
    Play,
    Playing,
    Rules,
    State,
    Trick,
    deal_cards,
    new_game,
)
from heartsrules.formats.notation import (
    format_position,
    format_record,
    parse_position,
    parse_record,
    parse_rules,
    parse_setup,
)
from heartsrules.formats.wire import from_json, judge, to_json
from heartsrules.play.game import Game, Record
from heartsrules.rules import HOLD, Moon
from heartsrules.setup import DealSetup, Setup, check, set_up
from support.rounds import SEED, rounds
from support.setups import CLAIMS, CLAIMS_OF_DEAL, CODES, IN_HAND, setups, true_setups

pytestmark = pytest.mark.once_compiled

ROUNDS: Final = rounds(400)

EFFECTS: Final = tuple([effect for effect in Moon if effect.effects == (effect,)])
"""What a moon can have done, as a row of the score sheet says it."""
LARGEST: Final = 2**53 - 1
SEAT_CLAIMS: Final = ("leader", "turn", "shooter")
POINTERS: Final = str.maketrans({".": "/", "[": "/", "]": None})
"""What makes a JSON pointer of a field such as `tricks[0].winner`."""
PROBE: Final = to_json(Play(0, Card("2C")))


@attrs.frozen
class Outcome:
    """What a reader makes of a setup: a state, or the codes of its problems and, not compared, their first fields."""

    state: State | None
    codes: frozenset[str]
    fields: list[str] = attrs.field(factory=list, eq=False)


def outcome(read: Callable[[], State]) -> Outcome:
    """What a reader answers. Any error but the documented ones goes through, and fails the test."""
    try:
        return Outcome(read(), frozenset())
    except (InvalidState, InvalidWire) as refused:
        problems = refused.problems
    assert 1 <= len(problems) <= 100
    assert all(problem.fields and 0 < len(problem.message) < 2_000 for problem in problems)
    return Outcome(None, frozenset([problem.code for problem in problems]), [problem.fields[0] for problem in problems])


# ------------------------------------------------------------------------------------------ what each form can say


def in_order(plays: tuple[Play, ...], leader: int, players: int) -> bool:
    """Whether cards from a leader on say these plays."""
    return all(play.seat == (leader + place) % players for place, play in enumerate(plays))


def passes_by_seat(deal: DealSetup) -> bool:
    return all(move is None or move.seat == seat for seat, move in enumerate(deal.passes))


def exposures_by_seat(deal: DealSetup) -> bool:
    return all(move is None or move.seat == seat for seat, move in enumerate(deal.exposures))


def deals_of(setup: Setup) -> Iterator[DealSetup]:
    yield setup
    if setup.last_deal is not None:
        yield setup.last_deal


def default(setup: DealSetup, *names: str) -> bool:
    """Whether nothing is told in these attributes."""
    fields = attrs.fields_dict(type(setup))
    return all(getattr(setup, name) == fields[name].default for name in names)


PARTS: Final = ("hands", "kitty", "passes", "dealt_back", "exposures", "exposed", "tricks", "trick", "resumed_from")


def text_can_say(setup: Setup) -> bool:
    """Whether a line can say all of a setup but its claims."""
    players = setup.rules.players
    last = setup.last_deal
    if setup.effect is not None or (setup.start is None) > (setup.first == 0) or setup.start == ():
        return False
    if setup.queen_taker is not None and (setup.start is None or not 0 <= setup.queen_taker < 10_000):
        return False
    if setup.phase in IN_HAND:
        deal: DealSetup = setup
        if last is not None:
            return False
    else:
        deal = DealSetup() if last is None else last
        if not default(setup, "kitty", "passes", "dealt_back", "exposures", "exposed", "tricks", "resumed_from"):
            return False
        if not default(deal, "hands", "trick"):
            return False
        if last is None and (setup.hands or setup.trick):
            return False
        if last is not None and not deal.tricks and not setup.hands:
            return False
        if setup.trick and not setup.hands:
            return False
    if deal.dealt_back and not any(deal.passes):
        return False
    trick = setup.trick
    if trick and (not setup.hands or not in_order(trick, trick[0].seat % players, players)):
        return False
    if trick and not 0 <= trick[0].seat < players:
        return False
    cards = setup.hands or deal.tricks
    told_kitty = deal.kitty is not None and (deal.kitty or setup.rules.kitty_size)
    if not cards and (told_kitty or any(deal.passes) or deal.exposed or deal.resumed_from is not None):
        return False
    if any(deal.exposures) and (not setup.hands or len(deal.exposures) != players or not exposures_by_seat(deal)):
        return False
    if any(deal.passes) and (len(deal.passes) != players or not passes_by_seat(deal)):
        return False
    if deal.resumed_from is not None and () in (deal.resumed_from.tricks_won, deal.resumed_from.captured):
        return False
    if any(not in_order(trick.plays, trick.leader, players) for trick in deal.tricks):
        return False
    return all(map(text_can_say_row, setup.score_sheet))


def text_can_say_row(row: DealScore) -> bool:
    if () in (row.points, row.card_points, row.tricks_won, row.totals):
        return False
    if row.queen_taker is not None and not 0 <= row.queen_taker < 10_000:
        return False
    if row.effect is None:
        return row.shooter is None and not row.sun
    return row.effect in EFFECTS and row.shooter is not None and 0 <= row.shooter < 10_000


def said_in_text(setup: Setup) -> Setup:
    """What of a setup is said in a line."""
    nothing: dict[str, Any] = dict.fromkeys(CLAIMS)
    of_deal: dict[str, Any] = dict.fromkeys((*CLAIMS_OF_DEAL, "hearts_broken"))
    last = setup.last_deal
    if setup.phase in IN_HAND:
        nothing |= no_kitty(setup, setup.rules)
    elif last is not None:
        last = attrs.evolve(last, **of_deal, **no_kitty(last, setup.rules))
    return attrs.evolve(setup, last_deal=last, **nothing)


def no_kitty(deal: DealSetup, rules: Rules) -> dict[str, Any]:
    """Without a kitty in the rules, no kitty is told as an empty one; and no pass of anybody as no passes,
    nor an exposure."""
    changes: dict[str, Any] = {"kitty": Cards()} if deal.kitty is None and not rules.kitty_size else {}
    changes |= {name: () for name in ("passes", "exposures") if not any(getattr(deal, name))}
    return changes


NEEDED: Final = {
    Phase.DEAL: (),
    Phase.PASS: ("kitty",),
    Phase.DEAL_BACK: ("kitty",),
    Phase.EXPOSE: ("kitty",),
    Phase.PLAY: ("kitty", "leader", "turn", "hearts_broken"),
    Phase.MOON: ("last_deal", "shooter"),
    Phase.OVER: ("last_deal", "winners"),
}
SHOWING: Final = (
    "exposed", "tricks", "trick", "resumed_from", "leader", "hearts_broken", "turn", "last_deal", "shooter", "winners",
)  # fmt: skip
FOREIGN: Final = {
    Phase.DEAL: (*PARTS, "leader", "hearts_broken", "turn", "shooter", "winners"),
    Phase.PASS: ("dealt_back", "exposures", *SHOWING),
    Phase.DEAL_BACK: ("dealt_back", "exposures", *SHOWING),
    Phase.EXPOSE: SHOWING[1:],
    Phase.PLAY: ("exposures", "last_deal", "shooter", "winners"),
    Phase.MOON: (*PARTS, "leader", "hearts_broken", "turn", "winners"),
    Phase.OVER: (*PARTS, "leader", "hearts_broken", "turn", "shooter"),
}


def json_can_say(setup: Setup) -> bool:
    """Whether a document can say all of a setup but the claims that no document makes."""
    players = setup.rules.players
    if any(getattr(setup, name) is None for name in ("has_full_history", "scores", *NEEDED[setup.phase])):
        return False
    if not default(setup, "effect", *FOREIGN[setup.phase]):
        return False
    last = setup.last_deal
    if last is not None and (last.kitty is None or not default(last, "hands", "exposures", "trick", "hearts_broken")):
        return False
    numbers = [*(setup.scores or ()), *(setup.start or ())]
    counts = [setup.deal_number, setup.first]
    seats: list[int | None] = [
        setup.leader, setup.turn, setup.shooter, setup.queen_taker, *(setup.winners or ())
    ]  # fmt: skip
    for row in setup.score_sheet:
        numbers += [*row.points, *row.totals]
        counts += [*row.card_points, *row.tricks_won]
        seats += [row.shooter, row.queen_taker]
        if row.effect not in (None, *EFFECTS):
            return False
    for deal in deals_of(setup):
        if not passes_by_seat(deal) or not exposures_by_seat(deal):
            return False
        for trick in deal.tricks:
            seats += [trick.leader, trick.winner]
            if not in_order(trick.plays, trick.leader, players):
                return False
        if deal.resumed_from is not None:
            seats += [deal.resumed_from.leader, deal.resumed_from.kitty_winner]
            counts += deal.resumed_from.tricks_won or ()
    if setup.phase is Phase.PLAY and not in_order(setup.trick, setup.leader or 0, players):
        return False
    return (
        all(-LARGEST <= number <= LARGEST for number in numbers)
        and all(0 <= count <= LARGEST for count in counts)
        and all(seat is None or 0 <= seat <= 10 for seat in seats)
    )


def said_in_json(setup: Setup) -> Setup:
    """What of a setup a document says."""
    claims = [name for name in CLAIMS_OF_DEAL if name != "leader"]
    nothing: dict[str, Any] = dict.fromkeys((*claims, "others_up", "shooter_down"))
    of_deal: dict[str, Any] = dict.fromkeys(CLAIMS_OF_DEAL)
    last = setup.last_deal
    return attrs.evolve(setup, last_deal=None if last is None else attrs.evolve(last, **of_deal), **nothing)


def arguments(setup: Setup) -> dict[str, Any] | None:
    """The arguments with which `set_up` says a setup, or None: it cannot."""
    rules = setup.rules
    number = setup.deal_number
    rows = setup.score_sheet
    if setup.phase is not Phase.PLAY or not default(
        setup,
        "last_deal",
        "effect",
        "has_full_history",
        "turn",
        "trick_number",
        "shooter",
        "others_up",
        "shooter_down",
        "winners",
    ):
        return None
    if None in setup.passes or setup.exposures:
        return None
    if rows or number <= 0:
        if setup.first or setup.start is not None:
            return None
    elif setup.first != number or setup.start is None or setup.start != setup.scores:
        return None
    middle = setup.resumed_from
    full = any(
        len(hand) + any(play.seat == seat for play in setup.trick) >= rules.cards_per_hand
        for seat, hand in enumerate(setup.hands)
    )
    given: dict[str, Any] = {
        "hands": setup.hands,
        "trick": setup.trick,
        "kitty": setup.kitty,
        "hearts_broken": setup.hearts_broken,
        "scores": setup.scores,
        "deal_number": number,
        "score_sheet": rows,
        "queen_taker": setup.queen_taker,
        "passes": setup.passes,
        "dealt_back": setup.dealt_back,
        "exposed": setup.exposed,
    }
    names = ("captured", "tricks_won", "set_aside", "kitty_winner")
    if middle is None:
        if not setup.tricks and not full:
            return None
        tricks = setup.tricks if setup.tricks else None
        leader = setup.leader
        if leader is not None and setup.trick and 0 <= leader < rules.players and leader != setup.trick[0].seat:
            return None
        return given | {"tricks": tricks, "leader": leader} | {name: getattr(setup, name) for name in names}
    if setup.tricks or full or not default(setup, *names) or middle.hearts_broken is not None:
        return None
    if setup.leader != middle.leader or (setup.trick and setup.trick[0].seat != middle.leader):
        return None
    return given | {name: getattr(middle, name) for name in (*names, "leader", "suits_led")}


# -------------------------------------------------------------------------------------------------------- the law


class Tally:
    """What was met in a run."""

    def __init__(self) -> None:
        self.codes: Counter[str] = Counter()
        self.read: Counter[str] = Counter()


def compare(setup: Setup, tally: Tally, with_judge: bool) -> None:
    """Every reader answers alike about a setup, as far as its form can say it."""
    told = outcome(lambda: check(setup))
    tally.codes.update(told.codes)
    tally.read["accepted" if told.state is not None else "refused"] += 1
    if told.state is not None:
        assert check(Setup.of(told.state)) == told.state
    compare_text(setup, told, tally)
    compare_json(setup, told, tally, with_judge)
    given = arguments(setup)
    if given is not None:
        tally.read["set_up"] += 1
        assert outcome(lambda: set_up(setup.rules, **given)) == told


def compare_text(setup: Setup, told: Outcome, tally: Tally) -> None:
    if not text_can_say(setup):
        tally.read["text cannot"] += 1
        with pytest.raises(InvalidState) as caught:
            format_position(setup)
        assert {problem.code for problem in caught.value.problems} == {"unwritable"}
        return
    line = format_position(setup)
    said = said_in_text(setup)
    assert parse_setup(line) == said
    read = outcome(lambda: parse_position(line))
    agree(setup, said, told, read, tally, "text")


def compare_json(setup: Setup, told: Outcome, tally: Tally, with_judge: bool) -> None:
    if not json_can_say(setup):
        tally.read["json cannot"] += 1
        with pytest.raises(InvalidWire):
            to_json(setup)
        return
    document = to_json(setup)
    said = said_in_json(setup)
    assert from_json(document, Setup) == said
    read = outcome(lambda: from_json(document, State))
    fields = outcome(lambda: check(said)).fields
    assert read.fields == [f"/{field.translate(POINTERS)}" for field in fields]
    agree(setup, said, told, read, tally, "json")
    if with_judge:
        tally.read["judge"] += 1
        answer = json.loads(judge(document, PROBE, has_full_history=False))
        assert {problem["code"] for problem in answer.get("problems", ())} == read.codes


def agree(setup: Setup, said: Setup, told: Outcome, read: Outcome, tally: Tally, form: str) -> None:
    """A form that says all gives the same state or the same codes; one that leaves out claims may only accept more."""
    if said == setup:
        tally.read[f"{form} says all"] += 1
        assert read == told
    else:
        tally.read[f"{form} says what is not a claim"] += 1
        assert read == outcome(lambda: check(said))
        if told.state is not None and read != told:
            # The cards of a middle may leave open whether hearts were broken; then the claim alone says it.
            assert setup.resumed_from is not None
            assert setup.resumed_from.hearts_broken is None
            assert told == outcome(lambda: check(attrs.evolve(said, hearts_broken=setup.hearts_broken)))


@pytest.mark.untraced
def test_all_readers_agree() -> None:
    tally = Tally()
    rng = Random(f"readers {SEED}")
    for number, setup in enumerate(islice(setups(rng), ROUNDS)):
        try:
            compare(setup, tally, number % 8 == 0)
        except BaseException as error:
            error.add_note(f"setup {number} of seed {SEED}: {setup!r}")
            raise
    print(*[f"{count} {name}" for name, count in tally.read.most_common()], sep="\n")
    print(*[f"{count} {code}" for code, count in tally.codes.most_common()], sep="\n")
    assert set(tally.codes) <= CODES
    assert len(tally.codes) > 15
    for name in ("accepted", "refused", "text says all", "json says all", "set_up", "judge", "text cannot"):
        assert tally.read[name] * 200 > ROUNDS, name


@pytest.mark.untraced
def test_every_form_says_all_of_every_state() -> None:
    rng = Random(f"states {SEED}")
    seen: Counter[str] = Counter()
    for _ in range(max(ROUNDS // 40, 12)):
        for setup in true_setups(rng):
            state = check(setup)
            seen[f"{type(state).__name__} {'has_full_history' if state.has_full_history else 'in part'}"] += 1
            of = Setup.of(state)
            assert json_can_say(of)
            assert text_can_say(of)
            assert from_json(to_json(of), State) == from_json(to_json(state), State) == state
            assert parse_position(format_position(of)) == parse_position(format_position(state)) == state
            assert to_json(of) == to_json(state)
            assert format_position(of) == format_position(state)
            assert "\n" not in format_position(state)
    assert len(seen) >= 8, seen


def test_a_trick_whose_seats_skip_one_is_refused_by_every_form() -> None:
    rules = Rules(players=3, removed="2D", pass_cycle=[()])
    plays = (Play(0, Card("2C")), Play(2, Card("3C")), Play(1, Card("4C")))
    setup = Setup(phase=Phase.PLAY, rules=rules, hands=(Cards(),) * 3, tricks=(Trick(0, plays, 1),))
    with pytest.raises(InvalidState, match="no line can express tricks"):
        format_position(setup)
    full = attrs.evolve(
        setup, has_full_history=True, scores=(0, 0, 0), kitty=Cards(), leader=1, turn=1, hearts_broken=False
    )
    with pytest.raises(InvalidWire, match="no document can express tricks"):
        to_json(full)


def test_what_a_document_must_say_is_asked_for() -> None:
    setup = Setup(phase=Phase.PLAY, rules=Rules(), hands=(Cards(),) * 4)
    with pytest.raises(InvalidWire) as caught:
        to_json(setup)
    assert [(problem.code, problem.fields) for problem in caught.value.problems] == [
        ("wrong-shape", ("/has_full_history",))
    ]
    finished = Setup(
        phase=Phase.OVER, rules=Rules(), has_full_history=True, scores=(0,) * 4, winners=(), last_deal=DealSetup()
    )
    with pytest.raises(InvalidWire) as caught:
        to_json(finished)
    assert [problem.fields for problem in caught.value.problems] == [("/last_deal/kitty",)]


def test_playing_on_from_a_position_told_in_part_is_told_in_part() -> None:
    rng = Random(5)
    found = [check(setup) for _ in range(20) for setup in true_setups(rng)]
    parts = [state for state in found if not state.has_full_history]
    assert len(parts) > 20
    assert all(isinstance(state, Playing) or state.score_sheet.first or state.deal_number >= 0 for state in parts)


@pytest.mark.parametrize("spelling", ["C2", "♣2", "c2", "2c", "2♣"])
def test_another_spelling_of_a_card_is_read_in_text_and_not_in_json(spelling: str) -> None:
    assert Cards(f"3C {spelling}") == Cards("2C 3C")
    assert parse_rules(f"compulsory=always compulsory_cards={spelling}").compulsory_cards == Cards("2C")
    start = new_game(Rules(pass_cycle=[HOLD]))
    game = Game(start).play(deal_cards(start, list(start.rules.deck)))
    assert isinstance(game.state, Playing)
    game = game.play(Play(game.state.turn, Card("2C")))
    line = format_position(game.state)
    assert parse_position(line.replace("trick 1:2C", f"trick 1:{spelling}")) == game.state
    record = Record.of(game)
    text = format_record(record)
    assert parse_record(text.replace("1:2C", f"1:{spelling}")) == record
    told = json.dumps(spelling).encode()
    for document, kind in ((to_json(Play(0, Card("2C"))), Play), (to_json(Pass(0, Cards("2C"))), Pass)):
        with pytest.raises(InvalidWire):
            from_json(document.replace(b'"2C"', told), kind)
