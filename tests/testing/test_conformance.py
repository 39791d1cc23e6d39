"""The conformance suite: every line agrees with the engine, and the program in JavaScript sees what is wrong with it.

`nox -s generate` writes the sample anew, whose lines pin the format byte for byte.
"""

from __future__ import annotations

import json
import shutil
import subprocess
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import attrs
import msgspec
import pytest
from jsonschema import Draft202012Validator
from referencing import Registry, Resource

from heartsrules import (
    Card,
    Cards,
    DealScore,
    Move,
    Pass,
    Play,
    Rules,
    State,
    apply,
    is_legal,
    presets,
    why_illegal_cards,
)
from heartsrules.chance import SeededBits
from heartsrules.formats.wire import from_json
from heartsrules.play.violations import PRECEDENCE
from heartsrules.rules import Bonus, Compulsory, Exposure, Kind, Moon, left
from heartsrules.testing import conformance, random_rules
from heartsrules.testing.conformance import OPTIONS, CaseLine, EndLine, RulesLine, chosen, lines, schema, write
from heartsrules.testing.conformance._options import lacking
from heartsrules.testing.conformance._positions import positions
from support.conforming import agrees, cases_of, lines_of
from support.rounds import SEED, rounds
from support.tables import rules_of

pytestmark = pytest.mark.once_compiled

ROOT = Path(__file__).resolve().parents[2]
SAMPLE = ROOT / "tests" / "data" / "conformance" / "sample.jsonl"
CHECKER = ROOT / "docs" / "examples" / "conformance"

SMALL = rules_of(
    "players=3 pass_cycle=L1 exposable=QS,AH moon=choice target=none max_deals=1",
    deck="2C 5C JC 3D KD 4S QS KS 2H 7H QH AH",
)
"""Twelve cards: short deals, and a moon that the strong seat can shoot."""


@pytest.fixture(scope="module")
def suite(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A suite of some presets, and of everything else that the command writes by default."""
    directory = tmp_path_factory.mktemp("suite")
    some = ("catsatcards", "gong_zhu", "leekha", "pagat_cancellation", "partner_hearts", "plain_hearts", "whisthub")
    write(directory, some, random=8)
    return directory


@pytest.fixture(scope="module")
def small_suite(tmp_path_factory: pytest.TempPathFactory) -> Path:
    directory = tmp_path_factory.mktemp("small")
    write(directory, ["openspiel"], random=0, options=False)
    return directory


# ------------------------------------------------------------------------------------------------- what it contains


@pytest.mark.long
@pytest.mark.untraced
def test_every_preset_for_every_count_of_players_and_other_rules_are_there(tmp_path: Path) -> None:
    write(tmp_path)
    expected = {
        f"{name}-{players}": preset(players) for name, preset in presets.ALL.items() for players in preset.players
    }
    found = {
        line.id: from_json(bytes(line.rules), Rules)
        for path in tmp_path.glob("*.jsonl")
        for line in lines_of(path)
        if isinstance(line, RulesLine)
    }
    expected |= {f"options-{name}": rules for name, rules in OPTIONS.items()}
    assert {name: rules for name, rules in found.items() if not name.startswith("random-")} == expected
    assert len(found) == len(expected) + 20


def test_every_value_of_every_option_is_in_a_suite() -> None:
    of_presets = [preset(players) for preset in presets.ALL.values() for players in preset.players]
    for option in Rules.OPTIONS:
        values = {str(getattr(rules, option.name)) for rules in (*of_presets, *OPTIONS.values())}
        if option.kind in (Kind.CHOICE, Kind.BOOL):
            assert values == set(map(str, option.choices)), option.name
        else:
            assert len(values) > 1, option.name


def test_the_positions_of_the_usual_game(tmp_path: Path) -> None:
    write(tmp_path, ["microsoft"], random=0, options=False)
    ids = {case.id for _, case in cases_of(tmp_path.glob("*.jsonl"))}
    for name in (
        "first-trick-only-penalty-cards/1",
        "lead-only-hearts",
        "lead-hearts-and-a-queen",
        "end-at-100",
        "end-before-100",
        "end-past-100",
        "end-lowest-tied-past-100",
        "end-highest-tied-past-100",
        "end-extra-deal",
        "end-over",
        "open-after-step-3",
        "score-one-takes-all-but-the-least",
    ):
        assert f"microsoft-4/position/{name}" in ids


def test_what_no_rule_set_was_chosen_for_gets_one() -> None:
    assert dict(lacking(OPTIONS)) == {}
    found = dict(lacking({name: rules for name, rules in OPTIONS.items() if name != "show-in-turn"}))
    assert set(found) == {"exposure-in-turn", "queen-discard-after-hearts-true"}
    assert found["exposure-in-turn"].exposure is Exposure.IN_TURN
    assert found["queen-discard-after-hearts-true"].queen_discard_after_hearts


def occurrences(case: CaseLine) -> Iterator[tuple[str, Any]]:
    """The phase of a case, and the reasons, events and effects of a moon that come up in it."""
    yield "phase", json.loads(bytes(case.state))["phase"]
    yield from (("reason", code) for illegal in case.illegal for code in illegal.codes)
    yield from (("event", event["code"]) for event in (json.loads(bytes(case.next)) or {"events": []})["events"])
    if case.scores is not None:
        row = json.loads(bytes(case.scores.row))
        yield "effect", (row["effect"], row["sun"])


OCCURRENCES = {
    *(("phase", phase) for phase in (
        "awaiting-deal", "passing", "dealing-back", "exposing", "playing", "choosing-moon", "game-over",
    )),
    *(("reason", violation.code) for violation in PRECEDENCE),
    *(("event", code) for code in (
        "cards-dealt", "pass-committed", "cards-passed", "exposure-committed", "cards-exposed", "play-began",
        "card-played", "hearts-broken", "trick-won", "trick-void", "kitty-taken", "moon-shot", "moon-chosen",
        "deal-scored", "game-ended",
    )),
    ("effect", (None, False)),
    *(("effect", (str(effect), sun)) for moon in Moon for effect in moon.effects for sun in (False, True)),
}  # fmt: skip


def test_a_worthless_heart_may_be_a_bonus_card_of_two_decks() -> None:
    rules = Rules(decks=2, heart_values=(0,) * 13, bonuses=[Bonus(Card("2H"), 10)], removed="2C 2D 3D 2S")
    names = [line.id for line in lines(rules, "heart", "1", matches=False)]
    assert "heart/position/trick-one-wins-the-last" in names


@pytest.mark.long
@pytest.mark.untraced
def test_every_phase_reason_and_event_occurs(suite: Path) -> None:
    found = {item for _, case in cases_of(suite.glob("*.jsonl")) for item in occurrences(case)}
    # What one rule set in ten comes to may be missing from a suite, and every new option changes all that is drawn.
    for number in range(200):
        if found >= OCCURRENCES:
            break
        rules = random_rules(SeededBits("further", f"rules {number}"))
        for line in lines(rules, "further", f"further {number}"):
            if isinstance(line, CaseLine):
                found.update(occurrences(line))
    assert found == OCCURRENCES


@pytest.mark.long
def test_every_reason_against_a_card_that_a_match_comes_to_has_a_case(monkeypatch: pytest.MonkeyPatch) -> None:
    refused: set[str] = set()

    def watch(state: State, move: Move) -> State:
        if isinstance(move, (Pass, Play)):
            refused.update(reason.code for _, reasons in why_illegal_cards(state, move.seat) for reason in reasons)
        return apply(state, move)

    monkeypatch.setattr(conformance, "apply", watch)
    for number in range(8):
        refused.clear()
        cases = [line for line in lines(Rules(), "game", str(number)) if isinstance(line, CaseLine)]
        assert refused
        assert refused <= {code for case in cases for illegal in case.illegal for code in illegal.codes}, number


@pytest.mark.parametrize("which", ["small_suite", pytest.param("suite", marks=pytest.mark.long)])
def test_no_two_cases_have_the_same_id(which: str, request: pytest.FixtureRequest) -> None:
    written: Path = request.getfixturevalue(which)
    ids = [case.id for _, case in cases_of(written.glob("*.jsonl"))]
    assert len(set(ids)) == len(ids)


def made(rules: Rules, seed: str) -> set[str]:
    """The names of the positions of a rule set; each has moves that are legal, and a name of its own."""
    found = list(positions(rules, SeededBits(seed, "conformance positions")))
    for position in found:
        for move in position.moves:
            assert is_legal(position.state, move), (position.name, move, rules)
    names = {position.name for position in found}
    assert len(names) == len(found), rules
    return names


@pytest.mark.parametrize(
    ("rules", "names"),
    [
        pytest.param(
            attrs.evolve(SMALL, pass_cycle=(left(3),)), {"show-1-of-2", "show-0-of-2"},
            id="a pass takes cards that may be shown",
        ),
        pytest.param(
            attrs.evolve(SMALL, pass_cycle=(left(3),), unpassable="2H"), {"unpassable"},
            id="there is one way to pass",
        ),
        pytest.param(
            rules_of("players=3 decks=2", deck="2C 3D 3D KD 4S QS KS KS 2H 7H QH AH"), {"open-after-step-0"},
            id="two decks have one club",
        ),
        pytest.param(
            Rules(exposable="AH", compulsory=Compulsory.ALWAYS, compulsory_cards="2H"), {"shown-AH-leading"},
            id="another card must be led",
        ),
    ],
)  # fmt: skip
def test_positions_are_put_together_where_there_is_little_room(rules: Rules, names: set[str]) -> None:
    for number in range(5):
        assert names <= made(rules, str(number))


def test_positions_are_put_together_for_any_rule_set() -> None:
    for number in range(rounds(100, interpreted=30)):
        made(random_rules(SeededBits(SEED, f"rules {number}")), f"{SEED} {number}")


@pytest.mark.parametrize("which", ["small_suite", pytest.param("suite", marks=pytest.mark.long)])
@pytest.mark.untraced
def test_the_first_deal_of_a_match_is_there_move_by_move(which: str, request: pytest.FixtureRequest) -> None:
    written: Path = request.getfixturevalue(which)
    for _, rules_id in (
        (rules, case.rules) for rules, case in cases_of(written.glob("*.jsonl")) if case.id.endswith("/random/0")
    ):
        path = written / f"{rules_id.rpartition('-')[0]}.jsonl"
        before: bytes | None = None
        for line in lines_of(path):
            if not isinstance(line, CaseLine) or line.rules != rules_id or "/random/" not in line.id:
                continue
            if before is not None:
                assert msgspec.json.decode(before) == msgspec.json.decode(line.state)
            after = json.loads(bytes(line.next))
            if after is None or after["state"]["deal_number"] or after["state"]["phase"] == "game-over":
                break
            before = msgspec.json.encode(after["state"])
        assert before is not None, rules_id


# --------------------------------------------------------------------------------------------- agrees with the engine


@pytest.mark.long
def test_every_line_agrees_with_the_engine(tmp_path: Path) -> None:
    write(tmp_path, ["catsatcards", "gong_zhu"], random=8, seed="agree")
    phases = set()
    for rules, case in cases_of(tmp_path.glob("*.jsonl")):
        agrees(rules, case)
        phases.add(json.loads(bytes(case.state))["phase"])
    assert phases == {phase for kind, phase in OCCURRENCES if kind == "phase"}


@pytest.mark.long
def test_some_lines_of_every_rule_set_agree_with_the_engine(suite: Path) -> None:
    for number, (rules, case) in enumerate(cases_of(suite.glob("*.jsonl"))):
        if number % 20 == 0:
            agrees(rules, case)


@pytest.mark.long
@pytest.mark.parametrize("exposure", Exposure)
def test_lines_where_cards_are_shown_agree_with_the_engine(exposure: Exposure) -> None:
    """Every reason against an exposure is told, and shown cards are held back, counted double and seen by all."""
    rules = attrs.evolve(SMALL, exposure=exposure)
    reasons: Counter[str] = Counter()
    shown = 0
    for number in range(12):
        for line in lines(rules, "exposed", str(number)):
            if not isinstance(line, CaseLine):
                continue
            agrees(rules, line)
            if json.loads(bytes(line.state))["phase"] == "exposing":
                reasons.update(code for illegal in line.illegal for code in illegal.codes)
            else:
                reasons.update({code for each in line.illegal for code in each.codes} & {"exposed-card-restricted"})
            if line.scores is not None:
                shown += any(from_json(bytes(line.scores.row), DealScore).exposed)
    codes = {"no-such-seat", "not-exposable", "not-in-hand", "wrong-phase", "exposed-card-restricted"}
    codes.add("not-your-turn" if rules._resolved.shows_in_turn else "already-decided")
    if rules._resolved.shows_in_rounds:
        codes.add("already-exposed")
    assert codes <= set(reasons)
    assert shown


def of_small(wanted: Callable[[CaseLine], bool]) -> CaseLine:
    return next(case for case in lines(SMALL, "small", "1") if isinstance(case, CaseLine) and wanted(case))


def test_a_spoiled_case_does_not_agree() -> None:
    case = of_small(lambda case: case.illegal[0].codes == ("must-follow-suit",))
    agrees(SMALL, case)
    illegal = case.illegal[0]
    spoiled: list[dict[str, Any]] = [
        {"legal": msgspec.structs.replace(case.legal, moves=case.legal.moves + (illegal.move,))},
        {"legal": msgspec.structs.replace(case.legal, moves=case.legal.moves[1:])},
        {"illegal": (msgspec.structs.replace(illegal, codes=("game-over",)), *case.illegal[1:])},
        {"illegal": case.illegal[1:]},
        {"seat": (case.seat or 0) + 1},
        {"move": illegal.move},
        {"seen_events": msgspec.Raw(b'{"heartsrules":1,"kind":"events","events":[]}')},
        {"public_events": msgspec.Raw(b'{"heartsrules":1,"kind":"events","events":[]}')},
        {"seen_next": case.view},
    ]
    for changes in spoiled:
        with pytest.raises((AssertionError, ValueError)):
            agrees(SMALL, msgspec.structs.replace(case, **changes))
    passed = of_small(lambda case: case.other is not None and b'"passing"' in bytes(case.state))
    agrees(SMALL, passed)
    assert passed.other is not None
    for name in ("seen_events", "seen_next"):
        other = msgspec.structs.replace(passed.other, **{name: getattr(passed, name)})
        with pytest.raises((AssertionError, ValueError)):
            agrees(SMALL, msgspec.structs.replace(passed, other=other))


def test_other_seats_follow_in_turn_where_they_see_another_event() -> None:
    kitty = rules_of("players=3 hand_size=16 kitty=first-trick pass_cycle=L1 exposable=QS,AH max_deals=1")
    cases = [line for line in lines(kitty, "kitty", "1") if isinstance(line, CaseLine)]
    for case in cases:
        moved = json.loads(bytes(case.next)) or {"events": []}
        codes = {event["code"] for event in moved["events"]}
        assert (case.other is None) == (not codes or ("card-played" in codes and "kitty-taken" not in codes)), case.id
    pairs = {(case.seat, case.other.seat) for case in cases if case.other is not None}
    assert pairs >= {(seat, other) for seat in range(3) for other in range(3) if seat != other}


@pytest.mark.long
@pytest.mark.untraced
def test_a_rules_line_says_what_the_rule_set_comes_to(suite: Path) -> None:
    for path in suite.glob("*.jsonl"):
        for line in lines_of(path):
            if isinstance(line, RulesLine):
                rules = from_json(bytes(line.rules), Rules)
                deck = Cards(line.deck)
                assert deck == rules.deck
                assert len(deck) == line.cards_per_hand * rules.players + line.kitty_size
                values = {Card(text): points for text, points in line.penalties}
                assert {card for card in deck if card in values} == set(rules.penalty_cards)
                assert sum(values.get(card, 0) for card in deck) == line.penalty_total == rules.penalty_total


# --------------------------------------------------------------------------------------------------------- the format


@pytest.mark.long
@pytest.mark.untraced
def test_lines_fit_the_schema_files_beside_them(suite: Path) -> None:
    documents = [json.loads(path.read_bytes()) for path in (suite / "schema").glob("*.json")]
    registry: Registry[Any] = Registry().with_resources(
        [(document["$id"], Resource.from_contents(document)) for document in documents]
    )
    own = json.loads(schema())
    Draft202012Validator.check_schema(own)
    validator = Draft202012Validator(own, registry=registry)
    for case in (case for number, (_, case) in enumerate(cases_of(suite.glob("*.jsonl"))) if number % 1500 == 0):
        line = json.loads(msgspec.json.encode(case))
        assert validator.is_valid(line)
        assert not validator.is_valid(line | {"colour": "red"})
        assert not validator.is_valid(line | {"conformance": 2})
        assert not validator.is_valid(line | {"state": None})
        assert not validator.is_valid(line | {"view": line["state"]})
        assert not validator.is_valid({key: value for key, value in line.items() if key != "scores"})


def sample() -> bytes:
    """The lines of a small rule set, of the positions one in five."""
    encoder = msgspec.json.Encoder()
    written = enumerate(lines(SMALL, "small", "1"))
    kept = [line for number, line in written if number % 5 == 0 or "/position/" not in line.id]
    return b"".join([encoder.encode(line) + b"\n" for line in kept])


def test_the_sample_is_written_byte_for_byte() -> None:
    assert sample() == SAMPLE.read_bytes()
    phases = {json.loads(bytes(line.state))["phase"] for line in lines_of(SAMPLE) if isinstance(line, CaseLine)}
    # No card goes through the middle.
    assert phases == {phase for kind, phase in OCCURRENCES if kind == "phase"} - {"dealing-back"}


def contents(directory: Path) -> dict[str, bytes]:
    return {path.relative_to(directory).as_posix(): path.read_bytes() for path in directory.rglob("*.json*")}


@pytest.mark.long
def test_a_suite_depends_on_its_seed_alone(tmp_path: Path) -> None:
    ends = write(tmp_path / "one", ["cardstock", "openspiel", "cardstock"], random=2)
    write(tmp_path / "two", ["openspiel"], random=1)
    write(tmp_path / "three", ["openspiel"], random=1, seed="2")
    one, two, three = (contents(tmp_path / name) for name in ("one", "two", "three"))
    assert [path.name for path in ends] == ["cardstock.jsonl", "openspiel.jsonl", "options.jsonl", "random.jsonl"]
    assert one["options.jsonl"] == two["options.jsonl"] != three["options.jsonl"]
    assert one["openspiel.jsonl"] == two["openspiel.jsonl"] != three["openspiel.jsonl"]
    first = two["random.jsonl"].splitlines()[:-1]
    assert first == one["random.jsonl"].splitlines()[: len(first)]
    assert three["random.jsonl"] != two["random.jsonl"]
    schemas = {name for name in one if name.startswith("schema/")}
    assert "schema/conformance.json" in schemas
    assert {name: one[name] for name in schemas} == {name: three[name] for name in schemas}


@pytest.mark.parametrize("which", ["small_suite", pytest.param("suite", marks=pytest.mark.long)])
@pytest.mark.untraced
def test_the_last_line_counts_the_others(which: str, request: pytest.FixtureRequest) -> None:
    written: Path = request.getfixturevalue(which)
    for path in written.glob("*.jsonl"):
        *others, last = lines_of(path)
        counts = Counter(type(line) for line in others)
        assert last == EndLine(1, counts[RulesLine], counts[CaseLine])
        assert isinstance(others[0], RulesLine)


def test_no_other_rule_sets_and_no_file_of_them(tmp_path: Path) -> None:
    written = write(tmp_path, ["cardstock"], random=0, options=False)
    assert [path.name for path in written] == ["cardstock.jsonl"] == [path.name for path in tmp_path.glob("*.jsonl")]


def test_wrong_arguments_are_named(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="no preset 'whist'"):
        write(tmp_path, ["whist"])
    with pytest.raises(ValueError, match="random is -1"):
        write(tmp_path, random=-1)
    with pytest.raises(ValueError, match="random is a number of about 5001 digits: choose 0 or more"):
        write(tmp_path, random=-(10**5000))
    for wrong in ("x", None, 1.5, True):
        with pytest.raises(TypeError, match=r"^random must be .*, not "):
            write(tmp_path, random=wrong)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="seed must be printable text"):
        write(tmp_path, seed="\udcff")
    with pytest.raises(ValueError, match="seed must be printable text"):
        next(lines(SMALL, "small", "\udcff"))
    with pytest.raises(TypeError, match="rules must be a Rules"):
        next(lines("microsoft", "small", "1"))  # type: ignore[arg-type]
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("names", "random", "options", "expected"),
    [
        ([], None, None, (tuple(presets.ALL), 20, True)),
        (["pagat"], None, None, (["pagat"], 0, False)),
        (["pagat"], 3, True, (["pagat"], 3, True)),
        ([], 0, False, (tuple(presets.ALL), 0, False)),
    ],
)
def test_who_names_presets_gets_nothing_else_unasked(
    names: list[str], random: int | None, options: bool | None, expected: tuple[object, ...]
) -> None:
    assert tuple(chosen(names, random, options).values()) == expected


# ------------------------------------------------------------------------------------------ the program in JavaScript

Check = Callable[[Path], subprocess.CompletedProcess[str]]


@pytest.fixture(scope="module")
def check(tmp_path_factory: pytest.TempPathFactory) -> Check:
    """Run check.mjs, with its dependencies installed in a folder of its own."""
    node, npm = shutil.which("node"), shutil.which("npm")
    if node is None or npm is None:
        pytest.skip("Node.js is not installed: node and npm are needed to run check.mjs")
    folder = tmp_path_factory.mktemp("checker")
    for name in ("check.mjs", "package.json", "package-lock.json"):
        shutil.copy(CHECKER / name, folder)
    install = [npm, "ci", "--ignore-scripts", "--no-audit", "--no-fund"]
    try:
        installed = subprocess.run(install, cwd=folder, capture_output=True, text=True, check=False, timeout=120)
    except subprocess.TimeoutExpired:
        pytest.skip("npm could not install ajv within two minutes")
    if installed.returncode:
        pytest.skip(f"npm could not install ajv: {installed.stderr.strip()[-300:]}")

    def run(directory: Path) -> subprocess.CompletedProcess[str]:
        command = [node, str(folder / "check.mjs"), str(directory)]
        return subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)

    return run


@pytest.mark.long
@pytest.mark.untraced
def test_the_program_passes_the_suite(check: Check, tmp_path: Path) -> None:
    suite = tmp_path / "suite"
    write(suite, ["microsoft", "gong_zhu", "charged_hearts", "trend_hearts", "dicegamedepot_cancellation"], random=2)
    run = check(suite)
    ends = [line for path in suite.glob("*.jsonl") for line in lines_of(path) if isinstance(line, EndLine)]
    phases = [json.loads(bytes(case.state)) for _, case in cases_of(suite.glob("*.jsonl"))]
    playing = [state for state in phases if state["phase"] == "playing"]
    assert (run.returncode, run.stderr) == (0, "")
    assert run.stdout == (
        f"{len(ends)} files, {sum(end.rules for end in ends)} rule sets, {sum(end.cases for end in ends)} cases; "
        f"follow suit checked in {len(playing)} plays, {sum(bool(state['trick']) for state in playing)} of them "
        "to a suit led; 0 problems\n"
    )


def plays(line: dict[str, Any]) -> bool:
    return bool(line["kind"] == "case" and line["state"]["phase"] == "playing")


def must_follow(line: dict[str, Any]) -> bool:
    """Whether the seat has cards to follow suit with, two or more, and others."""
    if not plays(line) or line["legal"]["count"] < 2:
        return False
    return any("must-follow-suit" in illegal["codes"] for illegal in line["illegal"])


def revoke(line: dict[str, Any]) -> dict[str, Any]:
    """Any refused card of the hand that does not follow suit."""
    found: dict[str, Any] = next(each for each in line["illegal"] if "must-follow-suit" in each["codes"])
    return found


def make_legal(line: dict[str, Any], illegal: dict[str, Any]) -> None:
    line["legal"]["moves"].append(illegal["move"])
    line["legal"]["count"] += 1


def add_legal(line: dict[str, Any]) -> None:
    make_legal(line, revoke(line))


def move_to_legal(line: dict[str, Any]) -> None:
    illegal = revoke(line)
    line["illegal"].remove(illegal)
    make_legal(line, illegal)


def remove_legal(line: dict[str, Any]) -> None:
    line["legal"]["moves"].pop()
    line["legal"]["count"] -= 1


def move_to_illegal(line: dict[str, Any]) -> None:
    move = line["legal"]["moves"].pop()
    line["legal"]["count"] -= 1
    line["illegal"].append({"move": move, "codes": ["hearts-not-broken"]})


def miscount(line: dict[str, Any]) -> None:
    line["legal"]["count"] += 1


def play_a_revoke(line: dict[str, Any]) -> None:
    line["move"] = revoke(line)["move"]


def other_reason(line: dict[str, Any]) -> None:
    revoke(line)["codes"] = ["hearts-not-broken"]


def needless_reason(line: dict[str, Any]) -> None:
    """A reason of its own for a card that a leader may not lead."""
    line["illegal"].append({"move": line["legal"]["moves"].pop(), "codes": ["must-follow-suit"]})
    line["legal"]["count"] -= 1


def other_hand(line: dict[str, Any]) -> None:
    line["state"]["hands"][line["seat"]] = "2C"


def other_trick(line: dict[str, Any]) -> None:
    rank, suit = line["state"]["trick"][0]
    line["state"]["trick"][0] = rank + ("D" if suit != "D" else "S")


def setting(pointer: str, value: object) -> Callable[[dict[str, Any]], None]:
    """Give the item at a path, such as `illegal/0/codes`, another value."""

    def spoil(line: dict[str, Any]) -> None:
        *path, last = pointer.split("/")
        inner: Any = line
        for key in path:
            inner = inner[int(key)] if isinstance(inner, list) else inner[key]
        inner[last] = value

    return spoil


def missing_key(line: dict[str, Any]) -> None:
    del line["next"]


SPOILS: list[tuple[Callable[[dict[str, Any]], bool], Callable[[dict[str, Any]], None], str]] = [
    (must_follow, add_legal, "could follow suit"),
    (must_follow, move_to_legal, "could follow suit"),
    (must_follow, remove_legal, "not each either legal or refused"),
    (must_follow, move_to_illegal, "follows suit, but is refused by hearts-not-broken"),
    (must_follow, miscount, "are listed"),
    (must_follow, play_a_revoke, "is played, but not legal"),
    (must_follow, other_reason, "but it revokes"),
    (lambda line: plays(line) and not line["state"]["trick"], needless_reason, "but it does not revoke"),
    (must_follow, other_hand, "not each either legal or refused"),
    (must_follow, other_trick, "suit"),
    (plays, setting("legal/count", "2"), "/legal/count must be"),
    (plays, setting("colour", "red"), "must NOT have additional properties"),
    (plays, setting("state/colour", "red"), "/state must NOT have additional properties"),
    (plays, setting("illegal/0/codes", ["because"]), "/illegal/0/codes/0 must be equal to one of the allowed values"),
    (plays, setting("illegal/0/codes", []), "/illegal/0/codes must NOT have fewer than 1 items"),
    (plays, missing_key, "must have required property 'next'"),
    (plays, setting("conformance", 2), "/conformance must be equal"),
    (plays, setting("kind", "position"), "/kind must be equal"),
    (plays, setting("move/card", "1S"), "/move/card must match pattern"),
    (plays, setting("rules", "whist-4"), "no line before says what the rules whist-4 are"),
]


def let_it_follow(line: dict[str, Any]) -> None:
    """A shown card is legal in the first trick of its suit."""
    held = next(each for each in line["illegal"] if each["codes"] == ["exposed-card-restricted"])
    line["illegal"].remove(held)
    make_legal(line, held)


@pytest.mark.long
@pytest.mark.parametrize(
    ("spoil", "said"),
    [(let_it_follow, "is legal, but was exposed, and "), (setting("state/exposed", []), "but nothing holds it back")],
)
def test_the_program_knows_which_exposed_cards_wait(
    check: Check, tmp_path: Path, spoil: Callable[[dict[str, Any]], None], said: str
) -> None:
    (path,) = write(tmp_path, ["gong_zhu"], random=0, options=False)
    texts = path.read_text(encoding="utf-8").splitlines()
    place = -1
    for place, text in enumerate(texts):
        line = json.loads(text)
        if plays(line) and any(each["codes"] == ["exposed-card-restricted"] for each in line["illegal"]):
            if not line["state"]["trick"]:
                continue
            spoil(line)
            texts[place] = json.dumps(line)
            break
    path.write_text("".join(text + "\n" for text in texts), encoding="utf-8")
    run = check(tmp_path)
    assert run.returncode == 1
    assert run.stderr.startswith(f"gong_zhu.jsonl:{place + 1}: ")
    assert said in run.stderr


def spoiled_copy(suite: Path, directory: Path, change: Callable[[list[str]], list[str]]) -> Path:
    shutil.copytree(suite, directory / "suite")
    path = directory / "suite" / "openspiel.jsonl"
    changed = change(path.read_text(encoding="utf-8").splitlines())
    path.write_text("".join(line + "\n" for line in changed), encoding="utf-8")
    return directory / "suite"


@pytest.mark.sampled(7)
@pytest.mark.parametrize("part", range(0, len(SPOILS), 3))
def test_the_program_refuses_each_spoiled_line(check: Check, small_suite: Path, tmp_path: Path, part: int) -> None:
    """Three in one file: each run of the program takes a second, and it prints twenty complaints at most."""
    spoiled: dict[int, str] = {}

    def change(texts: list[str]) -> list[str]:
        for wanted, spoil, said in SPOILS[part : part + 3]:
            number = next(
                place for place, text in enumerate(texts) if place not in spoiled and wanted(json.loads(text))
            )
            line = json.loads(texts[number])
            spoil(line)
            texts[number] = json.dumps(line)
            spoiled[number] = said
        return texts

    run = check(spoiled_copy(small_suite, tmp_path, change))
    assert run.returncode == 1
    complaints: dict[int, list[str]] = {}
    for text in run.stderr.splitlines():
        if text.startswith("openspiel.jsonl:"):
            _, told, complaint = text.split(":", 2)
            complaints.setdefault(int(told) - 1, []).append(complaint)
    assert complaints.keys() >= spoiled.keys(), run.stderr
    for number, said in spoiled.items():
        assert any(said in complaint for complaint in complaints[number]), (said, complaints[number])
    assert " 0 problems" not in run.stdout


@pytest.mark.long
@pytest.mark.parametrize("kind", ["rules", "end"])
def test_the_program_refuses_a_spoiled_first_or_last_line(
    check: Check, small_suite: Path, tmp_path: Path, kind: str
) -> None:
    def change(texts: list[str]) -> list[str]:
        number = next(place for place, text in enumerate(texts) if json.loads(text)["kind"] == kind)
        return [*texts[:number], json.dumps({**json.loads(texts[number]), "colour": "red"}), *texts[number + 1 :]]

    run = check(spoiled_copy(small_suite, tmp_path, change))
    assert run.returncode == 1
    assert "must NOT have additional properties" in run.stderr


@pytest.mark.sampled(5)
@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda texts: texts[:-1], "the last line is missing"),
        (lambda texts: texts[:3] + texts[4:], "are announced, but not there"),
        (lambda texts: [*texts, texts[1]], "a line after the last one"),
        (lambda texts: [*texts[:3], texts[3][:-9], *texts[4:]], "JSON"),
        (lambda texts: texts[1:], "no line before says"),
    ],
    ids=["no end", "a line less", "a line more", "cut off", "no rules"],
)
def test_the_program_refuses_a_spoiled_file(
    check: Check, small_suite: Path, tmp_path: Path, change: Callable[[list[str]], list[str]], said: str
) -> None:
    run = check(spoiled_copy(small_suite, tmp_path, change))
    assert run.returncode == 1
    assert said in run.stderr


@pytest.mark.long
def test_the_program_says_what_it_cannot_read(check: Check, small_suite: Path, tmp_path: Path) -> None:
    assert check(tmp_path).returncode == 2
    shutil.copytree(small_suite / "schema", tmp_path / "schema")
    run = check(tmp_path)
    assert (run.returncode, run.stdout) == (2, "")
    assert "no .jsonl files" in run.stderr
    (tmp_path / "schema" / "conformance.json").unlink()
    assert "has no schema" in check(tmp_path).stderr


def test_the_lock_file_names_no_place_to_download_from() -> None:
    lock = json.loads((CHECKER / "package-lock.json").read_text(encoding="utf-8"))
    wanted = json.loads((CHECKER / "package.json").read_text(encoding="utf-8"))["dependencies"]
    assert lock["packages"][""]["dependencies"] == wanted
    installed = {name: package for name, package in lock["packages"].items() if name}
    assert all("resolved" not in package and package["integrity"] for package in installed.values())
