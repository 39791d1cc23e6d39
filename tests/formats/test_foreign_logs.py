"""Logs of other programs: games are read as they were played, and what is wrong with a log is told with its place."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any, Final

import attrs
import pytest

from heartsrules import (
    Card,
    Cards,
    Deal,
    Expose,
    IllegalMove,
    InvalidNotation,
    InvalidRules,
    InvalidWire,
    Pass,
    Play,
    Rules,
    presets,
)
from heartsrules.formats.foreign import turbo_hearts, xinxin
from heartsrules.play.game import ScoreMismatch, verify
from heartsrules.rules import (
    HOLD,
    Exposure,
    FirstTrick,
    HeartsLead,
    Moon,
    OpeningCard,
    OpeningLeader,
    QueenBreaks,
    across,
    left,
    middle,
    right,
)
from support import foreign_logs

pytestmark = pytest.mark.once_compiled

FOLDER: Final = Path(__file__).parents[1] / "data" / "foreign"
XINXIN: Final = (FOLDER / "xinxin.play").read_text(encoding="utf-8")
TURBO: Final = (FOLDER / "turbo_hearts.jsonl").read_text(encoding="utf-8")
FLAGS: Final = 0x1 | 0x20 | 0x80 | 0x100 | 0x200 | 0x400 | 0x800
CHARGED: Final = attrs.evolve(presets.charged_hearts(), first_dealer=3)

Events = list[dict[str, Any]]


# ------------------------------------------------------------------------------------------------------------- xinxin


def test_a_file_of_xinxin_is_read() -> None:
    first, second = xinxin.read_xinxin(XINXIN)
    assert first.tags == (("Seat0", "Ann"), ("Seat1", "Bob"), ("Seat2", "Cleo"), ("Flags", "4001"))
    assert first.points == ((3, 8, 1, 14), (22, 0, 4, 0))
    assert [len(first.moves), len(second.moves)] == [2 * 57, 57]
    # 41 38 11 are 5♣ 8♣ 3♠, which seat 0 passed to the left; then seat 1 opens with 44, the 2♣.
    assert first.moves[1] == Pass(0, Cards("5C 8C 3S"))
    assert first.moves[5] == Play(1, Card("2C"))
    assert [verify(record).failure for record in (first, second)] == [None, None]


@pytest.mark.parametrize("flags", [FLAGS, 0x1 | 0x40 | 0x2000, 0x1 | 0x20 | 0x80 | 0x800])
def test_whole_matches_of_xinxin_come_back(flags: int) -> None:
    played = [foreign_logs.uniform_game(xinxin.rules_of_flags(flags, target=100), seed) for seed in range(3)]
    text = foreign_logs.xinxin(played, flags)
    read = xinxin.read_xinxin(text, target=100)
    for record, other in zip(read, played, strict=True):
        assert (record.rules, record.points) == (other.rules, other.points)
        assert Counter(record.moves) == Counter(other.moves)  # the file does not tell who passed first
        assert (verify(record).failure, verify(record).state) == (None, verify(other).state)
    assert not any(verify(record).finished for record in xinxin.read_xinxin(text))


def test_line_ends_and_spaces_make_no_difference() -> None:
    games = xinxin.read_xinxin(XINXIN)
    for text in (
        XINXIN.replace("\n", "\r\n"),
        XINXIN.replace(" \n", "\n"),
        XINXIN.replace(" \n", "   \n\n"),
        XINXIN.strip(),
    ):
        assert xinxin.read_xinxin(text) == games


def test_a_game_by_itself_is_read_like_one_in_a_file() -> None:
    lines = XINXIN.splitlines(keepends=True)
    alone = "".join(lines[-12:])
    assert xinxin.read_xinxin("1\n" + alone) == xinxin.read_xinxin(alone) == xinxin.read_xinxin(XINXIN)[1:]
    assert xinxin.read_xinxin("0\n") == ()
    (empty,) = xinxin.read_xinxin("1\n0\nAnn Bob Cleo 4001\n")
    assert empty.moves == ()


def test_the_pass_steps_are_those_that_were_passed() -> None:
    assert [record.rules.pass_cycle for record in xinxin.read_xinxin(XINXIN)] == [Rules().pass_cycle] * 2
    rules = attrs.evolve(xinxin.rules_of_flags(FLAGS), pass_cycle=(right(), left(2 + 1)), max_deals=2)
    (record,) = xinxin.read_xinxin(foreign_logs.xinxin([foreign_logs.uniform_game(rules, 3)], FLAGS))
    assert record.rules.pass_cycle == (right(), left())
    held = attrs.evolve(rules, pass_cycle=(HOLD,))
    (record,) = xinxin.read_xinxin(foreign_logs.xinxin([foreign_logs.uniform_game(held, 3)], FLAGS))
    assert record.rules.pass_cycle == (HOLD,)


def test_flags_of_xinxin_are_options() -> None:
    nothing, everything = (
        xinxin.rules_of_flags(0x1),
        xinxin.rules_of_flags(0x1 | 0x2 | 0x4 | 0x10 | 0x40 | 0x80 | 0x200 | 0x800),
    )
    assert (nothing.opening_leader, nothing.opening_card) == (OpeningLeader.DEALER_LEFT, OpeningCard.ANY)
    assert (nothing.first_trick, nothing.hearts_lead) == (FirstTrick.FREE, HeartsLead.ANY_TIME)
    assert (nothing.moon, nothing.moon_value, nothing.bonuses) == (Moon.OTHERS_UP, 26, ())
    assert (everything.opening_card, everything.first_trick) == (OpeningCard.ANY_CLUB, FirstTrick.NO_HEARTS)
    assert (everything.queen_breaks, everything.no_tricks_bonus) == (QueenBreaks.PLAYED, 5)
    assert everything.moon_needs_bonus
    assert everything.bonuses[0].card == Card("JD")
    assert xinxin.rules_of_flags(0x1000).penalty_total == 0
    assert xinxin.rules_of_flags(0x3FFF).moon is Moon.OFF
    with pytest.raises(InvalidRules, match="target"):
        xinxin.rules_of_flags(1, target=0)


def test_flags_of_xinxin_can_be_played_whatever_they_are() -> None:
    assert len({xinxin.rules_of_flags(flags) for flags in range(0, 1 << 14, 53)}) > 100
    assert xinxin.rules_of_flags(-1) == xinxin.rules_of_flags(0x3FFF)


def changed(line: int, old: str, new: str, text: str = XINXIN) -> str:
    """A file with something changed in a line of it, numbered from 1."""
    lines = text.splitlines(keepends=True)
    assert old in lines[line - 1]
    lines[line - 1] = lines[line - 1].replace(old, new, 1)
    return "".join(lines)


@pytest.mark.parametrize(
    ("text", "line", "column", "said"),
    [
        ("", 1, 1, "expected how many games there are"),
        ("many\n", 1, 1, "expected how many games there are"),
        ("-1\n", 1, 1, "expected how many games there are"),
        ("1\n2\n", 3, 1, "expected three names and the flags of the rules"),
        ("1\n2\n7\n", 3, 1, "expected three names without spaces"),
        (f"1\n2\n{' ' * 10**5}\n", 4, 1, "expected three names and the flags of the rules"),
        (f"1\n2\nAnn{' ' * 10**5}Bob Cid\n", 3, 100_008, "expected the flags of the rules, as a number"),
        (changed(3, "Ann Bob", "Ann"), 3, 1, "expected three names without spaces"),
        (changed(3, "Ann Bob", "Ann Maria Bob"), 3, 1, "expected three names without spaces"),
        (changed(3, "4001", "omnibus"), 3, 14, "expected the flags of the rules, as a number"),
        (changed(4, "8", "eight"), 4, 3, "expected the points of a seat"),
        (changed(5, "512", "8192"), 5, 1, "expected the spades of a seat, as a number from 0 to 8191"),
        (changed(7, "2112", "2624"), 7, 1, "5S is held by two seats"),
        (changed(5, "962", "960"), 5, 1, "a seat has 13 cards, but this one has 12"),
        (changed(6, "41", "-1"), 6, 1, "expected a card that is passed, as the other seats do"),
        (changed(8, "26", "13"), 8, 4, "expected a card that is passed, as the other seats do"),
        (changed(8, "26", "41"), 8, 4, "5C is passed twice"),
        (changed(6, "41", "9"), 6, 1, "5S was passed, but its seat still holds it"),
        (changed(8, "26", "9"), 8, 4, "5S is not held 1 to the left of its seat"),
        (changed(13, " 33", " 99"), 13, 7, "expected a card that is played"),
        (XINXIN[:-20], 35, 128, "expected a card that is played"),
        (XINXIN + "7", 36, 1, "expected the end of the text"),
    ],
)
def test_what_is_not_a_file_of_xinxin_is_told_with_its_place(text: str, line: int, column: int, said: str) -> None:
    with pytest.raises(InvalidNotation) as refused:
        xinxin.read_xinxin(text)
    assert (refused.value.line, refused.value.column) == (line, column)
    assert said in str(refused.value)
    assert refused.value.expected


def test_an_illegal_move_in_a_file_of_xinxin_is_told_with_its_place() -> None:
    with pytest.raises(IllegalMove, match="is not in the hand") as refused:
        xinxin.read_xinxin(changed(13, "44 39", "39 44"))
    assert refused.value.__notes__ == ["at line 13, column 1"]
    with pytest.raises(IllegalMove, match="is not in the hand") as refused:
        xinxin.read_xinxin(changed(35, " 52 51 ", " 51 51 "))
    assert refused.value.__notes__ == ["at line 35, column 141"]


def test_points_of_xinxin_that_the_rules_do_not_give_are_the_verdict() -> None:
    record = xinxin.read_xinxin(changed(4, "3 8 1 14", "3 8 2 13"))[0]
    assert verify(record).failure == ScoreMismatch(0, (3, 8, 2, 13), (3, 8, 1, 14))


def test_a_match_of_xinxin_that_goes_on_after_its_target_is_refused_there() -> None:
    with pytest.raises(IllegalMove, match="the game is over") as refused:
        xinxin.read_xinxin(XINXIN, target=10)
    assert refused.value.__notes__ == ["at line 15, column 1"]


# ------------------------------------------------------------------------------------------------------- turbo-hearts


def lines(events: Events) -> str:
    return "".join([json.dumps(event) + "\n" for event in events])


def events_of(text: str = TURBO) -> Events:
    return [json.loads(line) for line in text.splitlines()]


def test_events_of_turbo_hearts_are_read() -> None:
    (record,) = turbo_hearts.read_turbo_hearts(TURBO)
    assert dict(record.tags) == {
        "Seat0": "u-north",
        "Seat1": "u-east",
        "Seat2": "u-south",
        "Seat3": "u-west (bot)",
        "Charging": "blind",
    }
    assert record.rules.pass_cycle[:2] == (across(), middle(None))
    assert (record.rules.first_dealer, record.rules.max_deals) == (1, 2)
    assert record.points == ((4, 72, 2, 0), (3, 0, 0, 26))
    verdict = verify(record)
    assert (verdict.failure, verdict.finished) == (None, True)
    # West charged the Q♠ and, a round later, the A♥; in the fourth deal nobody did.
    shown = [move for move in record.moves if isinstance(move, Expose) and move.cards]
    assert shown == [Expose(3, Cards("QS AH"))]


def test_the_fourth_deal_of_turbo_hearts_goes_through_the_middle() -> None:
    (record,) = turbo_hearts.read_turbo_hearts(TURBO)
    last = max(ply for ply, move in enumerate(record.moves) if isinstance(move, Deal))
    nobody = [Expose(seat, Cards()) for seat in range(4)]
    laid = [(Cards("5C"),), (Cards("7C"),), (), ()]
    assert record.moves[last - 8 : last + 5] == (
        *nobody,
        *[Pass(seat, *gifts) for seat, gifts in enumerate(laid)],
        Deal([Cards("7C"), Cards("5C"), Cards(), Cards()]),
        *nobody,
    )
    assert isinstance(record.moves[last - 9], Deal)


def test_a_claim_is_played_out_with_a_comment() -> None:
    (record,) = turbo_hearts.read_turbo_hearts(TURBO)
    ((claim_ply, claim),) = record.comments
    assert claim == "north claimed the rest: what follows was not played"
    last = verify(record).state.last_deal  # type: ignore[union-attr]
    assert last is not None
    assert {trick.winner for trick in last.tricks[9:]} == {0}
    assert len(record.moves) - claim_ply == 52 - 38


@pytest.mark.parametrize("charging", ["classic", "blind", "bridge", "blind_bridge", "chain", "blind_chain"])
def test_whole_matches_of_turbo_hearts_come_back(charging: str) -> None:
    in_any_order = charging in ("classic", "blind")
    rules = attrs.evolve(CHARGED, exposure=Exposure.ROUNDS if in_any_order else Exposure.ROUNDS_IN_TURN)
    for seed in range(3):
        played = foreign_logs.uniform_game(rules, seed, passes=seed > 0)
        assert seed == 0 or any(isinstance(move, Pass) and len(move.cards) == 1 for move in played.moves[-70:])
        (read,) = turbo_hearts.read_turbo_hearts(lines(list(foreign_logs.turbo_hearts(played, charging))))
        assert (read.rules, read.points) == (rules, played.points)
        assert Counter(read.moves) == Counter(played.moves)
        assert verify(read).state == verify(played).state


def test_events_are_read_in_every_form_that_the_server_gives() -> None:
    events = events_of()
    games = turbo_hearts.read_turbo_hearts(TURBO)
    stream = "".join([f": ping\nid:{number}\ndata:{json.dumps(event)}\n\n" for number, event in enumerate(events)])
    entries = [{"timestamp": 1, "event": event, "synthetic_events": [{"type": "ping"}]} for event in events]
    summary = {"game_id": "g", "players": [], "rules": "blind", "hands": [entries[:70], entries[70:]]}
    for text in (
        json.dumps(events),
        json.dumps(events, indent=2),
        "".join(map(json.dumps, events)),
        stream,
        stream.replace("\n", "\r\n"),
        json.dumps(summary),
        json.dumps([summary]),
    ):
        assert turbo_hearts.read_turbo_hearts(text) == games
    assert turbo_hearts.read_turbo_hearts(TURBO * 2) == games * 2
    assert (
        turbo_hearts.read_turbo_hearts("")
        == turbo_hearts.read_turbo_hearts("[]")
        == turbo_hearts.read_turbo_hearts('{"type": "ping"}')
        == ()
    )


def test_a_log_may_lack_its_beginning_and_its_end() -> None:
    events = events_of()
    (whole,) = turbo_hearts.read_turbo_hearts(TURBO)
    (record,) = turbo_hearts.read_turbo_hearts(lines(events[1:]))
    assert (record.tags, record.moves) == ((), whole.moves)
    for count in range(1, len(events)):
        (record,) = turbo_hearts.read_turbo_hearts(lines(events[:count]))
        assert verify(record).valid
        assert record.moves == whole.moves[: len(record.moves)]
    (record,) = turbo_hearts.read_turbo_hearts(lines(events[:6]))
    assert len(record.moves) == 2


def test_points_before_which_some_are_missing_are_left_out() -> None:
    events = [event for number, event in enumerate(events_of()) if number != 77]
    assert [event["type"] for event in events].count("hand_complete") == 1
    (record,) = turbo_hearts.read_turbo_hearts(lines(events))
    assert record.points == ()
    assert verify(record).valid


def spoiled(number: int, **changes: Any) -> str:
    """The events with some values of one of them changed; None takes a key away."""
    events = events_of()
    events[number] = {key: value for key, value in (events[number] | changes).items() if value is not None}
    return lines(events)


@pytest.mark.parametrize(
    ("text", "code", "place", "said"),
    [
        ("{", "malformed", "", "line 1, column 2"),
        ('{"type": "ping"}\n{"type" "play"}', "malformed", "", "expected ':', at line 2, column 9"),
        ("9" * 5000, "malformed", "", "at line 1, column 1"),
        ("[" * 100_000, "too-deep", "", "nested too deeply"),
        ("17", "wrong-type", "/0", "event 0 (line 1): expected an object, not an int"),
        ('[{"type": "ping"}, null]', "wrong-type", "/1", "expected an object, not null"),
        ('{"kind": "ping"}', "missing-key", "/0/type", "the key is missing"),
        ('{"type": 3}', "wrong-type", "/0/type", "expected a name, not an int"),
        (spoiled(0, rules="strict"), "foreign-value", "/0/rules", "'strict' is none of classic, blind"),
        (spoiled(0, west=None), "missing-key", "/0/west", "the key is missing"),
        (spoiled(0, west="Ann"), "wrong-type", "/0/west", "expected a player, not a str"),
        (spoiled(2, **{"pass": "up"}), "foreign-value", "/2/pass", "'up' is none of left, right, across and keeper"),
        (spoiled(2, north=["8C", "1C"]), "foreign-value", "/2/north/1", "expected a card such as QS, not '1C'"),
        (spoiled(2, north=["8C", 8]), "foreign-value", "/2/north/1", "expected a card such as QS, not 8"),
        (spoiled(2, north=["8C", "8C"]), "card-twice", "/2/north/1", "8C occurs twice"),
        (spoiled(2, north=[]), "redacted", "/2/north", "the hand of north is hidden"),
        (spoiled(5, **{"from": "up"}), "foreign-value", "/5/from", "'up' is none of north, east, south and west"),
        (spoiled(5, type="hidden_send_pass"), "redacted", "/5/type", "only whole logs can be read"),
        (spoiled(5, cards="QS"), "wrong-type", "/5/cards", "expected an array of cards, not a str"),
        (spoiled(23, type="blind_charge", seat="west", count=1), "redacted", "/25/type", "not revealed"),
        (spoiled(24, type="charge", seat="west", cards=["QS"]), "card-twice", "/24/cards", "QS occurs twice"),
        (spoiled(25, card=True), "wrong-type", "/25/card", "expected a card, not a bool"),
        (
            spoiled(30, type="recv_pass", to="west", cards=[]),
            "out-of-order",
            "/30/type",
            "between a deal and its first",
        ),
        (spoiled(77, north_score=40_000), "out-of-range", "/77/north_score", "16 bits, not 40000"),
        (spoiled(77, north_score=1.5), "wrong-type", "/77/north_score", "a number of points, not a float"),
        (
            spoiled(78, **{"pass": "left"}),
            "foreign-value",
            "/78/pass",
            "expected the deal that passes keeper, not left",
        ),
        (spoiled(-4, claimer="west"), "out-of-order", "/138/claimer", "west has not claimed the rest"),
    ],
)
def test_what_is_not_a_log_of_turbo_hearts_is_told_with_its_place(text: str, code: str, place: str, said: str) -> None:
    with pytest.raises(InvalidWire) as refused:
        turbo_hearts.read_turbo_hearts(text)
    (problem,) = refused.value.problems
    assert (problem.code, problem.fields) == (code, (place,))
    assert said in problem.message


@pytest.mark.parametrize(
    ("text", "said", "place"),
    [
        (spoiled(2, north=["8C"]), "hand", "at event 2"),
        (spoiled(5, cards=["4D", "5D"]), "this deal passes 3", "at event 5"),
        (spoiled(5, cards=["4D", "5D", "2C"]), "is not in the hand", "at event 5"),
        (spoiled(14, cards=["JD"]), "is not in the hand", "at event 14"),
        (spoiled(84, cards=["2H"]), "is not in the hand", "at event 84"),
        (spoiled(79, cards=["JD"]), "not for a pass", "at event 84"),
        (spoiled(88, cards=["5C"]), "not the cards in the middle", "at event 91"),
        (spoiled(27, card="2S"), "does not follow suit", "at event 27"),
        (spoiled(27, seat="east"), "turn", "at event 27"),
        (lines(events_of()[:40] + events_of()[78:]), "deal", "at event 40"),
        (lines([*events_of(), events_of()[133]]), "the game is over", "at event 142"),
    ],
)
def test_an_illegal_move_of_turbo_hearts_is_told_with_its_event(text: str, said: str, place: str) -> None:
    with pytest.raises(IllegalMove, match=said) as refused:
        turbo_hearts.read_turbo_hearts(text)
    assert refused.value.__notes__ == [place]


def test_a_trick_that_goes_round_again_is_refused() -> None:
    """A play of `test_seeded_game` in server/src/test.rs, where the 9♣ makes the trick of the 6♣ one of eight cards."""
    hands = {
        "north": "TC 9C 8C 4C JD TD 8D 5D 3D TS 6S 8H 7H",
        "east": "7C 6D AH TH 9H 6H 5H 3H 2H QH 7S 4S 2S",
        "south": "QC KC 3C AD 4D QS KS JS 9S 8S 5S KH 4H",
        "west": "2C 5C 6C JC AC 2D 7D 9D QD KD 3S AS JH",
    }
    events: Events = [{"type": "deal", **{name: hand.split() for name, hand in hands.items()}, "pass": "keeper"}]
    events.append({"type": "charge", "seat": "east", "cards": ["AH"]})
    plays = "w2C n8C e7C sQC s8S w3S n6S e2S sAD w7D nTD e6D s4D wQD n8D eAH w6C n9C e7S s3C"
    names = {name[0]: name for name in hands}
    events += [{"type": "play", "seat": names[play[0]], "card": play[1:]} for play in plays.split()]
    (record,) = turbo_hearts.read_turbo_hearts(lines(events))
    assert verify(record).valid
    # The 9♣ has won by our rules, but west, who led, plays on.
    with pytest.raises(InvalidWire, match="west plays on in a trick that a nine sends round again") as refused:
        turbo_hearts.read_turbo_hearts(lines([*events, {"type": "play", "seat": "west", "card": "AC"}]))
    assert refused.value.problems[0].code == "booster-nine"


def test_a_claim_that_cannot_be_played_is_refused() -> None:
    events = events_of()
    claim = next(number for number, event in enumerate(events) if event["type"] == "claim")
    events[claim + 1] = {"type": "accept_claim", "claimer": "east", "acceptor": "north"}
    events[claim + 2 :] = [
        {"type": "accept_claim", "claimer": "east", "acceptor": name} for name in ("south", "west", "west")
    ]
    with pytest.raises(InvalidWire, match="no plays were found that give east all the rest") as refused:
        turbo_hearts.read_turbo_hearts(lines(events))
    assert refused.value.problems[0].code == "claim-cannot-win"


def test_the_search_for_the_plays_of_a_claim_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(turbo_hearts, "_MOST_NODES", 13)
    with pytest.raises(InvalidWire, match="no plays were found that give north all the rest"):
        turbo_hearts.read_turbo_hearts(TURBO)


def test_a_player_without_an_id_has_no_name() -> None:
    (record,) = turbo_hearts.read_turbo_hearts(spoiled(0, west={"type": "human"}))
    assert [name for name, _ in record.tags] == ["Seat0", "Seat1", "Seat2", "Charging"]
