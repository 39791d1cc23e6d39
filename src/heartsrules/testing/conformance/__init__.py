"""A conformance suite for implementations in other languages, as JSON Lines.

Its lines are positions with the expected results. `write`, or `heartsrules conformance -o DIR`, writes them. The page
"Test your server or port" explains the lines.

Documents within the lines are documents of `heartsrules.formats.wire`, so this module needs the extra `json`. Equal
arguments give equal bytes in every version of Python.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from importlib.resources import files
from itertools import count
from pathlib import Path
from typing import Annotated, Any, Final, Literal, TypeAlias, TypeVar

from heartsrules import presets
from heartsrules.base.values import checked_count
from heartsrules.cards import ALL_FACES, NO_CARDS, Cards
from heartsrules.chance import Bits, SeededBits, below

# Before msgspec itself, so that a user without it learns what to install.
from heartsrules.formats.wire import VERSION as WIRE_VERSION
from heartsrules.formats.wire import to_json
from heartsrules.play.dealing import chance_to_act, deal
from heartsrules.play.engine import apply, legal_moves, new_game, why_illegal, why_illegal_cards
from heartsrules.play.events import CardPlayed, KittyTaken, redact
from heartsrules.play.moves import ChooseMoon, Deal, Expose, Move, Pass, Play
from heartsrules.play.state import AwaitingDeal, DealingBack, Exposing, GameOver, Passing, Playing, State
from heartsrules.play.stateless import display_score, standings
from heartsrules.play.transitions import Transition, transition
from heartsrules.play.violations import PRECEDENCE
from heartsrules.rules import Moon, Rules, Seat
from heartsrules.testing.conformance._options import OPTIONS
from heartsrules.testing.conformance._positions import positions
from heartsrules.testing.laws import Shape, chosen_move, shaped_deal, tried_exposures, tried_passes
from heartsrules.testing.rule_sets import random_rules
from heartsrules.views import view, view_of

import msgspec  # isort: skip
from msgspec import Meta  # isort: skip

__all__ = [
    "DEALS",
    "OPTIONS",
    "RANDOM_RULE_SETS",
    "VERSION",
    "CaseLine",
    "EndLine",
    "IllegalMoveLine",
    "LegalMovesLine",
    "Line",
    "OtherSeatLine",
    "RulesLine",
    "ScoresLine",
    "StandingLine",
    "chosen",
    "lines",
    "schema",
    "write",
]
__dir__ = __all__.copy

T = TypeVar("T")

VERSION: Final = 1
"""The version of the format of the lines."""

DEALS: Final = 12
"""The limit on deals of a match. Most matches to 100 points are over by then."""

RANDOM_RULE_SETS: Final = 20
"""The default number of random rule sets in a suite."""

# ----------------------------------------------------------------------------------------------------------- lines

_WIRE: Final = f"urn:heartsrules:wire:{WIRE_VERSION}:"


def _document(kind: str, *, or_null: bool = False) -> Meta:
    reference = {"$ref": _WIRE + kind}
    return Meta(extra_json_schema={"anyOf": [reference, {"type": "null"}]} if or_null else reference)


_RulesJson: TypeAlias = Annotated[msgspec.Raw, _document("rules")]
_StateJson: TypeAlias = Annotated[msgspec.Raw, _document("state")]
_ViewJson: TypeAlias = Annotated[msgspec.Raw, _document("view")]
_ViewOrNull: TypeAlias = Annotated[msgspec.Raw, _document("view", or_null=True)]
_MoveJson: TypeAlias = Annotated[msgspec.Raw, _document("move")]
_MoveOrNull: TypeAlias = Annotated[msgspec.Raw, _document("move", or_null=True)]
_TransitionOrNull: TypeAlias = Annotated[msgspec.Raw, _document("transition", or_null=True)]
_EventsJson: TypeAlias = Annotated[msgspec.Raw, _document("events")]
_EventsOrNull: TypeAlias = Annotated[msgspec.Raw, _document("events", or_null=True)]
_RowJson: TypeAlias = Annotated[msgspec.Raw, _document("deal-score")]

_Version: TypeAlias = Annotated[Literal[1], Meta(description="The version of the format of the lines.")]
_Count: TypeAlias = Annotated[int, Meta(ge=0)]
_SeatNumber: TypeAlias = Annotated[int, Meta(ge=0, le=10, description="A seat, clockwise from 0.")]
_CardText: TypeAlias = Annotated[str, Meta(pattern="^[2-9TJQKA][CDSH]$")]
_BagText: TypeAlias = Annotated[str, Meta(pattern="^([2-9TJQKA][CDSH]( [2-9TJQKA][CDSH])*)?$")]
_Code: TypeAlias = Annotated[str, Meta(extra_json_schema={"enum": [violation.code for violation in PRECEDENCE]})]


class _Part(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The base of the parts of a line that are not wire documents."""


class LegalMovesLine(_Part, frozen=True):
    """The legal moves of a seat.

    If `moves` has fewer than `count`, they are the first, the last and some others.
    """

    count: _Count | None
    """The number of legal moves, or null for deals, which are too many to count."""
    moves: tuple[_MoveJson, ...]


class IllegalMoveLine(_Part, frozen=True):
    """An illegal move."""

    move: _MoveJson
    codes: Annotated[tuple[_Code, ...], Meta(min_length=1)]
    """The codes of all violations, in order of precedence."""


class StandingLine(_Part, frozen=True):
    """A side's place in the game."""

    place: Annotated[int, Meta(ge=1)]
    seats: tuple[_SeatNumber, ...]
    total: int


class ScoresLine(_Part, frozen=True):
    """The result of the deal that the move completed."""

    row: _RowJson
    standings: tuple[StandingLine, ...]
    shown: tuple[int, ...]
    """Each seat's total, as `score_display` shows it."""


class OtherSeatLine(_Part, frozen=True):
    """A move as a seat sees it that does not make it."""

    seat: _SeatNumber
    view: _ViewJson
    """The seat's view before the move."""
    seen_events: _EventsJson
    """The events, redacted for the seat."""
    seen_next: _ViewJson
    """The seat's view of the next state."""


class RulesLine(_Part, frozen=True, tag_field="kind", tag="rules"):
    """A rule set with its derived values.

    The cases after it refer to its id.
    """

    conformance: _Version
    id: str
    seed: str
    """The seed of the cases."""
    rules: _RulesJson
    deck: _BagText
    """The cards in play."""
    cards_per_hand: Annotated[int, Meta(ge=1)]
    kitty_size: _Count
    penalties: tuple[tuple[_CardText, Annotated[int, Meta(ge=1)]], ...]
    """The cards with a penalty value, and the value."""
    penalty_total: _Count
    """The penalty value of all cards in play."""


class CaseLine(_Part, frozen=True, tag_field="kind", tag="case"):
    """A position, its legal and some illegal moves, and the result of one move."""

    conformance: _Version
    id: str
    rules: str
    """The id of the rule set's line."""
    state: _StateJson
    seat: _SeatNumber | None
    """The seat that makes the move, or null where chance deals and when the game is over."""
    view: _ViewJson
    """That seat's view, or a spectator's without a seat."""
    legal: LegalMovesLine
    """The legal moves of that seat."""
    illegal: tuple[IllegalMoveLine, ...]
    """Illegal moves, which are all other cards of the hand while playing, and a few more."""
    move: _MoveOrNull
    """A legal move, or null when the game is over or can have no further deal."""
    deal_seed: str | None
    """The seed of a deal by the seeded shuffle, or null for every other move."""
    next: _TransitionOrNull
    """The state after the move and all events, or null without a move."""
    seen_events: _EventsOrNull
    """The events, redacted for that seat or a spectator."""
    public_events: _EventsOrNull
    """The events, redacted for a spectator."""
    seen_next: _ViewOrNull
    """The next state's view, for that seat or a spectator."""
    other: OtherSeatLine | None
    """The move as another seat sees it, or null without a move and for a play that does not win the kitty."""
    scores: ScoresLine | None
    """The result of the deal if the move completed its scoring, otherwise null."""


class EndLine(_Part, frozen=True, tag_field="kind", tag="end"):
    """The last line of a file, with the number of lines of the other kinds."""

    conformance: _Version
    rules: _Count
    cases: _Count


Line: TypeAlias = RulesLine | CaseLine | EndLine
"""A line of a file. `msgspec.json.decode(line, type=Line)` decodes one, but not its documents."""


def schema() -> bytes:
    """Return the JSON Schema (2020-12) of a line.

    It refers to the schema files of `heartsrules.formats.wire` by their `$id`.
    """
    (body,), definitions = msgspec.json.schema_components([Line], ref_template="#/$defs/{name}")
    document = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": f"urn:heartsrules:conformance:{VERSION}:line",
        "title": "A line of the conformance suite",
        **body,
        "$defs": dict(sorted(definitions.items())),
    }
    return msgspec.json.format(msgspec.json.encode(document), indent=2) + b"\n"


def _json(value: object) -> msgspec.Raw:
    return msgspec.Raw(b"null" if value is None else to_json(value, language=None))


def _rules_line(rules: Rules, name: str, seed: str) -> RulesLine:
    return RulesLine(
        conformance=VERSION,
        id=name,
        seed=seed,
        rules=_json(rules),
        deck=str(rules.deck),
        cards_per_hand=rules.cards_per_hand,
        kitty_size=rules.kitty_size,
        penalties=tuple([(str(card), rules.penalty(card)) for card in rules.penalty_cards.distinct()]),
        penalty_total=rules.penalty_total,
    )


def _case(
    rules_id: str,
    name: str,
    state: State,
    move: Move | None,
    bits: Bits,
    others: Iterator[int],
    deal_seed: str | None = None,
) -> CaseLine:
    seat = _seat_of(move)
    seen = view_of(state, seat)
    moved = None if move is None else transition(state, move)
    after = None if moved is None else moved.state
    return CaseLine(
        conformance=VERSION,
        id=f"{rules_id}/{name}",
        rules=rules_id,
        state=_json(state),
        seat=seat,
        view=_json(seen),
        legal=_legal(state, seat, move, bits),
        illegal=tuple(
            [
                IllegalMoveLine(_json(tried), tuple([reason.code for reason in reasons]))
                for tried in dict.fromkeys(_suspects(state, seat, bits))
                if (reasons := why_illegal(state, tried))
            ]
        ),
        move=_json(move),
        deal_seed=deal_seed,
        next=_json(moved),
        seen_events=_json(None if moved is None else redact(moved.events, seat)),
        public_events=_json(None if moved is None else redact(moved.events, None)),
        seen_next=_json(None if after is None else view_of(after, seat)),
        other=None if moved is None else _other(state, seat, moved, others),
        scores=_scores(after) if after is not None and len(after.score_sheet) > len(state.score_sheet) else None,
    )


def _other(state: State, seat: Seat | None, moved: Transition, others: Iterator[int]) -> OtherSeatLine | None:
    # All seats see the same of a play, except of the kitty.
    if isinstance(moved.events[0], CardPlayed) and not any([isinstance(event, KittyTaken) for event in moved.events]):
        return None
    players = state.rules.players
    other = next(others) % players if seat is None else (seat + 1 + next(others) % (players - 1)) % players
    events = redact(moved.events, other)
    return OtherSeatLine(other, _json(view(state, other)), _json(events), _json(view(moved.state, other)))


def _scores(state: State) -> ScoresLine:
    rules = state.rules
    return ScoresLine(
        row=_json(state.score_sheet[-1]),
        standings=tuple([StandingLine(side.place, side.seats, side.total) for side in standings(rules, state.scores)]),
        shown=tuple([display_score(rules, total) for total in state.scores]),
    )


_LISTED: Final = 12
"""The limit on legal moves listed in full, except that plays always are."""


def _legal(state: State, seat: Seat | None, drawn: Move | None, bits: Bits) -> LegalMovesLine:
    if chance_to_act(state) and drawn is not None:
        return LegalMovesLine(None, (_json(drawn),))
    moves = legal_moves(state, seat)
    count = len(moves)
    places: Iterable[int] = range(count)
    if count > _LISTED and not isinstance(state, Playing):
        places = sorted({0, count - 1, *[below(bits, count) for _ in range(4)]})
    return LegalMovesLine(count, tuple([_json(moves[place]) for place in places]))


def _suspects(state: State, seat: Seat | None, bits: Bits) -> Iterator[Move]:
    players = state.rules.players
    stranger = _one_of(ALL_FACES, bits)
    if seat is None:
        yield Play(0, stranger)
        if isinstance(state, AwaitingDeal):
            yield from _wrong_deals(state, bits)
        elif isinstance(state, DealingBack):
            yield from _wrong_deals_back(state, bits)
        return
    other = (seat + 1 + below(bits, players - 1)) % players
    if isinstance(state, Playing):
        hand = state.hands[seat]
        for card in hand.distinct():
            yield Play(seat, card)
        if stranger not in hand:
            yield Play(seat, stranger)
        for card in list(state.hands[other])[:1]:
            yield Play(other, card)
            yield Play(players, card)
        yield Pass(seat)
        if state.rules.exposable:
            yield Expose(seat, NO_CARDS)
    elif isinstance(state, Exposing):
        yield from tried_exposures(state, seat)
        yield Expose(seat, Cards([stranger]))
        yield Expose(other, NO_CARDS)
        yield Expose(players, NO_CARDS)
        yield Pass(seat)
    elif isinstance(state, Passing):
        yield from tried_passes(state, seat)
        yield Pass(seat)
        yield Pass(players)
    else:
        yield ChooseMoon(other, Moon.OTHERS_UP)
        yield ChooseMoon(seat, Moon.AUTO_SAVE)
    if isinstance(state, (Passing, Exposing)):
        yield from [committed for committed in state.commitments if committed is not None]
    if not isinstance(state, Playing):
        yield Play(seat, stranger)


def _wrong_deals(state: AwaitingDeal, bits: Bits) -> Iterator[Move]:
    right = deal(state, rng=bits)
    first, second, *others = right.hands
    card = next(iter(first))
    wandered = second - Cards([card, card]) + Cards([card])
    yield Deal((first - Cards([card]), wandered, *others), right.kitty)
    yield Deal((first, wandered, *others), right.kitty)
    yield Deal((second, *others), right.kitty)


def _wrong_deals_back(state: DealingBack, bits: Bits) -> Iterator[Move]:
    right = deal(state, rng=bits)
    yield Pass(0)
    yield Deal(right.hands[1:])
    for seat, hand in enumerate(right.hands):
        if hand:
            others = (right.hands[:seat], right.hands[seat + 1 :])
            card = next(iter(hand))
            yield Deal((*others[0], hand - Cards([card]), *others[1]))
            # All cards may be in the middle.
            for stranger in [face for face in ALL_FACES if face not in sum(right.hands, NO_CARDS)][:1]:
                yield Deal((*others[0], hand - Cards([card]) + Cards([stranger]), *others[1]))
            return


# --------------------------------------------------------------------------------------------------------- matches


def _one_of(items: Sequence[T], bits: Bits) -> T:
    return items[below(bits, len(items))]


def lines(rules: Rules, rules_id: str, seed: str, *, matches: bool = True) -> Iterator[RulesLine | CaseLine]:
    """Yield the line of a rule set, then its cases.

    The cases are of a random match, of one with many moons, and of positions set up to test an option or a ruling. In
    the first deal of the first match every position is a case. In other deals these are: the positions before the deal,
    before the exchange, before the last exposure, before the last card, before a shooter's choice, and at the end of
    the game; positions where a card of the hand is illegal for a reason new to the cases; and one in 72 others. A match
    has at most `DEALS` deals.

    Args:
        rules: the rule set.
        rules_id: the id of the rule set in the cases.
        seed: the seed of deals and moves, a printable text.
        matches: True to play the two matches.

    Raises:
        ValueError: the seed is not printable.
    """
    _check_seed(seed)
    start = new_game(rules)
    yield _rules_line(rules, rules_id, seed)
    others = count()
    covered: set[str] = set()
    for name in ("random", "moon") if matches else ():
        bits = SeededBits(seed, f"conformance {name}")
        state: State = start
        number = 0
        while state.deal_number < DEALS:
            # Random players rarely shoot the moon, so each seat is strong in two deals.
            strong = state.deal_number // 2 % rules.players if name == "moon" else None
            move, deal_seed = _next_move(state, strong, f"{seed}/{name}", bits)
            dense = state.deal_number < (strong is None)
            if dense or _is_notable(state) or not _refusals(state, _seat_of(move)) <= covered or not below(bits, 72):
                case = _case(rules_id, f"{name}/{number}", state, move, bits, others, deal_seed)
                covered.update(code for illegal in case.illegal for code in illegal.codes)
                yield case
            if move is None:
                break
            state = apply(state, move)
            number += 1
    bits = SeededBits(seed, "conformance positions")
    for position in positions(rules, bits):
        for number, tried in enumerate(position.moves or (None,), 1):
            name = f"position/{position.name}" + (f"/{number}" if len(position.moves) > 1 else "")
            yield _case(rules_id, name, position.state, tried, bits, others)


def _check_seed(seed: str) -> None:
    # Unprintable text might not be encodable.
    if not seed.isprintable():
        raise ValueError("seed must be printable text")


def _seat_of(move: Move | None) -> Seat | None:
    return None if move is None or isinstance(move, Deal) else move.seat


def _next_move(state: State, strong: Seat | None, seed: str, bits: Bits) -> tuple[Move | None, str | None]:
    if isinstance(state, GameOver):
        return None, None
    if isinstance(state, AwaitingDeal) and strong is not None:
        return shaped_deal(state, Shape.STRONG_SEAT, strong, bits), None
    if chance_to_act(state):
        return deal(state, seed=seed), seed
    return chosen_move(state, strong, bits), None


def _refusals(state: State, seat: Seat | None) -> set[str]:
    refused = () if seat is None else why_illegal_cards(state, seat)
    return {reason.code for _, reasons in refused for reason in reasons}


def _is_notable(state: State) -> bool:
    if isinstance(state, (Passing, Exposing)):
        return state.commitments.count(None) < 2
    if isinstance(state, Playing):
        return sum([len(hand) for hand in state.hands]) == 1
    return True


# ----------------------------------------------------------------------------------------------------------- files


def write(
    directory: Path,
    names: Iterable[str] = tuple(presets.ALL),
    random: int = RANDOM_RULE_SETS,
    seed: str = "1",
    *,
    options: bool = True,
) -> dict[Path, EndLine]:
    """Write a suite.

    It has `NAME.jsonl` for each preset, `options.jsonl`, `random.jsonl`, and the JSON Schema in `schema/`.

    Args:
        directory: the directory, created if needed; files of the same names are replaced.
        names: names of presets, written for every number of players.
        random: the number of random rule sets, or 0 for no such file.
        seed: the seed of everything, a printable text. A preset's file does not depend on the other arguments.
        options: True to write the rule sets with the option values that no preset has.

    Returns:
        The paths of the files of lines with their last lines, in the order of writing.

    Raises:
        ValueError: there is no preset of a name, `random` is negative, or the seed is not printable.
        OSError: a file cannot be written.
    """
    _check_seed(seed)
    wanted = tuple(dict.fromkeys(names))
    for name in wanted:
        if name not in presets.ALL:
            raise ValueError(f"there is no preset {name!r}: choose from {', '.join(presets.ALL)}")
    checked_count("random", random, 0)
    schemas = directory / "schema"
    schemas.mkdir(parents=True, exist_ok=True)
    for file in (files("heartsrules.formats.wire") / "schema").iterdir():
        (schemas / file.name).write_bytes(file.read_bytes())
    (schemas / "conformance.json").write_bytes(schema())
    suites: dict[str, list[tuple[str, Rules]]] = {
        name: [(f"{name}-{players}", presets.ALL[name](players)) for players in presets.ALL[name].players]
        for name in wanted
    }
    if options:
        suites["options"] = [(f"options-{name}", rules) for name, rules in OPTIONS.items()]
    if random:
        drawn = [random_rules(SeededBits(seed, f"rules {number}")) for number in range(random)]
        suites["random"] = [(f"random-{number}", rules) for number, rules in enumerate(drawn)]
    paths = {directory / f"{name}.jsonl": name for name in suites}
    return {path: _write_file(path, suites[name], seed, matches=name != "options") for path, name in paths.items()}


def _write_file(path: Path, sets: Sequence[tuple[str, Rules]], seed: str, *, matches: bool = True) -> EndLine:
    encoder = msgspec.json.Encoder()
    written = 0
    with path.open("wb") as file:
        for rules_id, rules in sets:
            own = f"{seed}/{rules_id}"
            for line in lines(rules, rules_id, own, matches=matches):
                file.write(encoder.encode(line) + b"\n")
                written += 1
        end = EndLine(VERSION, len(sets), written - len(sets))
        file.write(encoder.encode(end) + b"\n")
    return end


def chosen(names: Sequence[str], random: int | None, options: bool | None) -> dict[str, Any]:
    """Return the arguments of `write` for a command line.

    If presets are named, random rule sets and options are written only on request.
    """
    return {
        "names": names or tuple(presets.ALL),
        "random": (0 if names else RANDOM_RULE_SETS) if random is None else random,
        "options": not names if options is None else options,
    }
