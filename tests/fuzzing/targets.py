"""What every reader, and every function that takes foreign data, promises about any input: a value that the other forms
can say too, or a documented error."""

from __future__ import annotations

import json
from collections.abc import Callable
from random import Random
from typing import Any, Final
from xml.etree import ElementTree

import attrs

from fuzzing.mutations import SEPARATOR
from heartsrules import presets
from heartsrules.apps.serve import Service
from heartsrules.base.errors import (
    HeartsError,
    InvalidNotation,
    InvalidPicture,
    InvalidRules,
    InvalidState,
    InvalidWire,
    TooManyCopies,
)
from heartsrules.bridges import openspiel
from heartsrules.cards import Card, Cards
from heartsrules.formats.foreign import turbo_hearts, xinxin
from heartsrules.formats.notation import (
    format_position,
    format_record,
    parse_field,
    parse_position,
    parse_record,
    parse_rules,
    parse_setup,
    scan_records,
)
from heartsrules.formats.wire import from_json, judge, to_json
from heartsrules.pictures import svg
from heartsrules.pictures.notebooks import as_html
from heartsrules.play import stateless
from heartsrules.play.engine import is_legal, legal_moves, new_game, pass_options, why_illegal
from heartsrules.play.events import Event
from heartsrules.play.game import Game, Record, moves_of, replay, verify
from heartsrules.play.moves import Move, Pass, Play
from heartsrules.play.position_keys import position_key
from heartsrules.play.public import Trick
from heartsrules.play.sheet import DealScore
from heartsrules.play.state import State
from heartsrules.play.stateless import legal_cards, score_deal, trick_winner, why_illegal_card, winning_seat
from heartsrules.play.transitions import Transition
from heartsrules.play.violations import IllegalMove, Violation
from heartsrules.rules import Exposure, Kitty, MoonScope, OpeningLeader, PassOptional, QueenBreaks, Rules
from heartsrules.setup import Setup, check
from heartsrules.views import PassingView, PlayingView, View, advance, view_of
from heartsrules.views.worlds import sample_world

LONGEST: Final = 2000
"""The characters that a message may have."""
MOST: Final = 100
"""The problems that an error may name."""

TRICK: Final = Trick(2, tuple([Play(seat, card) for seat, card in enumerate(Cards("2C QS 4C 5C"))]), 0)
TAGS: Final = ("svg", "title", "desc", "rect", "ellipse", "circle", "path", "g", "text")
"""The elements of a picture."""
_SERVICE: Final = Service()


class Broken(AssertionError):
    """A promise that a reader did not keep."""


def refused(error: HeartsError) -> None:
    """Hold an error against what all errors promise."""
    if len(str(error)) > LONGEST:
        raise Broken(f"a message of {len(str(error))} characters")
    if isinstance(error, InvalidNotation) and min(error.line, error.column) < 1:
        raise Broken(f"line {error.line}, column {error.column}")
    problems = getattr(error, "problems", ())
    if len(problems) > MOST:
        raise Broken(f"{len(problems)} problems")
    for problem in problems:
        if len(problem.message) > LONGEST:
            raise Broken(f"a problem's message of {len(problem.message)} characters")


def same(one: object, other: object, what: str) -> None:
    """Demand that two ways give the same."""
    if one != other:
        raise Broken(f"{what}: {one!r} is not {other!r}")


def believed(state: State) -> None:
    """A state that was believed is itself again in every form."""
    same(check(Setup.of(state)), state, "a setup")
    same(from_json(to_json(state), State), state, "JSON")
    same(parse_position(format_position(state)), state, "a line of text")
    same(position_key(check(Setup.of(state))), position_key(state), "a position key")
    list(zip(range(3), legal_moves(state)))  # noqa: B905 - some of them are enough
    try:
        game = Game.of(state)
    except InvalidState as error:
        refused(error)
        return
    same(game.state, state, "the game of a state")
    same(game.moves, moves_of(state), "the moves of a state")


def _json(kind: Any, after: Callable[[Any], None]) -> Callable[[bytes], None]:
    def run(data: bytes) -> None:
        try:
            value = from_json(data, kind)
        except InvalidWire as error:
            refused(error)
            return
        same(from_json(to_json(value), kind), value, "JSON")
        after(value)

    return run


def well_formed(document: str) -> ElementTree.Element:
    """A drawing is a document of XML that refers to nothing outside it."""
    try:
        root = ElementTree.fromstring(document)
    except ElementTree.ParseError as error:
        raise Broken(f"a drawing cannot be read: {error}") from error
    if any([name.rpartition("}")[2] in ("href", "src") for part in root.iter() for name in part.attrib]):
        raise Broken("a drawing refers to something")
    return root


def drawn(shown: State | View) -> None:
    """What was believed can be looked at."""
    str(shown)
    well_formed(svg.table(shown))
    well_formed(svg.score_sheet(shown))


def _believed_and_drawn(state: State) -> None:
    believed(state)
    drawn(state)


def _names(data: bytes) -> None:
    """Whatever players are called, their names stand in the picture and nowhere else."""
    text = data.decode("utf-8", "surrogateescape")
    root = well_formed(svg.trick(TRICK, names=[text] * 4, signs={Card("QS"): text[:4]}))
    if {part.tag for part in root.iter()} - {f"{{{root.tag[1:-4]}}}{tag}" for tag in TAGS}:
        raise Broken("a name has become an element")
    try:
        svg.Colours(felt=text)
    except InvalidPicture as error:
        refused(error)
    well_formed(as_html(Record(rules=Rules(), tags=[(text, text)])))


def _nothing(_: Any) -> None:
    """There is no more to say of it."""


def _record(record: Record) -> None:
    verdict = verify(record)
    str(verdict.failure)
    str(record)
    well_formed(as_html(record))
    try:
        text = format_record(record)
    except InvalidState as error:
        refused(error)
        return
    same(parse_record(text).moves, record.moves, "text")


def _view(seen: View) -> None:
    if isinstance(seen, PlayingView):
        same(seen.winning_seat in (None, *[play.seat for play in seen.trick]), True, "the winner is one who has played")
        same(sum(seen.card_points), sum(seen.side_card_points), "points by side")
    drawn(seen)
    if not isinstance(seen, PlayingView) or seen.trick_number == len(seen.tricks):
        try:
            world = sample_world(seen, Random(1))
        except InvalidState as error:
            # Only a position without its history has no worlds.
            if error.problems[0].code != "no-history":
                raise
            return
        same(check(Setup.of(world)), world, "a world")
        same(view_of(world, seen.seat), seen, "the view of a world")


def _judge(data: bytes) -> None:
    state, _, move = data.partition(SEPARATOR)
    for whole in (True, False):
        said = judge(state, move, has_full_history=whole)
        if not said.startswith(b'{"heartsrules":1,"kind":"judgement"'):
            raise Broken(f"a judgement is {said[:80]!r}")
        if b'"ok":true' in said[:60]:
            before, tried = from_json(state, State), from_json(move, Move)
            same(why_illegal(before, tried), (), "the reasons against a legal move")


def _serve(data: bytes) -> None:
    answer = _SERVICE.answer(data)
    said = json.loads(answer.body)
    ok = answer.status == 200
    same(list(said), ["id", "ok", "result" if ok else "problems"], "the keys of an answer")
    same(said["ok"], ok, "what an answer says of itself")
    if answer.status not in (200, 400, 404, 413, 422):
        raise Broken(f"an answer of the status {answer.status}: {answer.body[:200]!r}")
    if ok:
        return
    if not 0 < len(said["problems"]) <= MOST:
        raise Broken(f"{len(said['problems'])} problems")
    for problem in said["problems"]:
        if len(problem["message"]) > LONGEST or problem["place"][:1] not in ("", "/"):
            raise Broken(f"a problem: {problem!r}")


def _advance(data: bytes) -> None:
    start, _, told = data.partition(SEPARATOR)
    try:
        seen, events = from_json(start, View), from_json(told, tuple[Event, ...])
    except InvalidWire as error:
        refused(error)
        return
    try:
        after = advance(seen, events)
    except InvalidState as error:
        refused(error)
        return
    to_json(after)


def _pass_options(data: bytes) -> None:
    """A view, and what is chosen of each gift, a line each."""
    document, _, told = data.partition(SEPARATOR)
    try:
        seen = from_json(document, View)
        gifts = [Cards(line) for line in told.decode("utf-8", "surrogateescape").split("\n")]
    except (InvalidWire, InvalidNotation, TooManyCopies) as error:
        refused(error)
        return
    if not isinstance(seen, PassingView):
        return
    try:
        options = pass_options(seen, gifts)
    except InvalidState as error:
        refused(error)
        return
    whole = [*gifts, *[Cards()] * (len(seen.plan) - len(gifts))]
    if seen.seat is not None:
        same(options.complete, is_legal(seen, Pass(seen.seat, *whole)), "a complete pass")
    for addable, against in zip(options.addable, options.reasons, strict=True):
        same(addable, Cards([card for card, reasons in against if not reasons]), "what may be added")


def _winning_seat(data: bytes) -> None:
    """The rules and the plays of a record, as if they were one trick."""
    try:
        record = from_json(data, Record)
    except InvalidWire as error:
        refused(error)
        return
    plays = [move for move in record.moves if isinstance(move, Play)]
    for count in range(record.rules.players + 2):
        try:
            winner = winning_seat(record.rules, plays[:count])
        except InvalidState as error:
            refused(error)
        else:
            same(winner in (None, *[play.seat for play in plays[:count]]), True, "the winner is one who has played")


def _text(read: Callable[[str], Any], *errors: type[HeartsError]) -> Callable[[bytes], Any]:
    def run(data: bytes) -> Any:
        try:
            return read(data.decode("utf-8", "surrogateescape"))
        except errors as error:
            refused(error)
            return None

    return run


def _position(data: bytes) -> None:
    state = _text(parse_position, InvalidNotation, InvalidState)(data)
    if state is not None:
        believed(state)


def _setup(data: bytes) -> None:
    told = _text(parse_setup, InvalidNotation)(data)
    if told is None:
        return
    same(parse_setup(format_position(told)), told, "a line of text")
    try:
        by_text = check(told)
    except InvalidState as error:
        refused(error)
        by_text = None
    try:
        data = to_json(told)
    except InvalidWire as error:
        refused(error)
        return
    try:
        by_json = from_json(data, State)
    except InvalidWire as error:
        refused(error)
        by_json = None
    if told.score_sheet and told.scores is None:
        return
    same(by_json, by_text, "JSON and text")


def _records(data: bytes) -> None:
    for found in scan_records(data.decode("utf-8", "surrogateescape")):
        if isinstance(found, InvalidNotation):
            refused(found)
        else:
            verify(found)
            same(parse_record(format_record(found)), found, "text")


_FIELDS: Final = frozenset(field.name for field in attrs.fields(Rules))


def _field(data: bytes) -> None:
    name, _, text = data.decode("utf-8", "surrogateescape").partition("=")
    if name not in _FIELDS:
        return
    try:
        parse_field(name, text, 4)
    except ValueError as error:
        if len(str(error)) > LONGEST:
            raise Broken(f"a message of {len(str(error))} characters") from error


def _history(data: bytes) -> None:
    actions = [byte - 1 for byte in data]
    try:
        states = openspiel.replay_history(actions, {"pass_cards": bool(data[:1] > b"\x01")})
    except (InvalidState, IllegalMove) as error:
        refused(error)
        return
    believed(states[-1])


def _log(read: Callable[[str], tuple[Record, ...]]) -> Callable[[bytes], None]:
    """A log of another program: the moves of what is read are legal, and the other forms can say it."""

    def run(data: bytes) -> None:
        for record in _text(read, InvalidNotation, InvalidWire, InvalidRules, IllegalMove)(data) or ():
            same(verify(record).plies, len(record.moves), "the legal moves of a log")
            same(parse_record(format_record(record)), record, "text")

    return run


_TABLES: Final = (
    Rules(),
    Rules(players=3, removed="2D", pass_optional=PassOptional.SKIP, unpassable="QS"),
    Rules(players=5, kitty=Kitty.FIRST_POINT, queen_breaks=QueenBreaks.LED, pass_cycle=[((1, 2), (-1, 1)), ()]),
    Rules(teams=2, moon_scope=MoonScope.TEAM, opening_leader=OpeningLeader.QUEEN_TAKER),
    Rules(exposable="QS AH", exposure=Exposure.IN_TURN, max_deals=3),
    presets.dicegamedepot_cancellation(6),
)


def _own_state(data: bytes) -> None:
    """What an app tells of its own state: a function, rules, numbers, and bags of cards, all of it anything at all."""
    asked, table, first, second, *rest = [*data[:4], *bytes(4 - len(data[:4])), *data[4:]]
    rules = _TABLES[table % len(_TABLES)]
    # Bytes of cards stand between bytes that are larger; a card for the third time ends a bag too.
    bags: list[Cards] = [Cards()]
    cards: list[Card] = []
    for byte in rest:
        if byte >= 52:
            bags.append(Cards())
            continue
        card = Card.from_index(byte)
        same(card.index, byte, "the index of a card")
        cards.append(card)
        if bags[-1].count(card) == 2:
            bags.append(Cards())
        bags[-1] += Cards([card])
    hand, *others = bags
    small, seat = first % 12 - 1, second % 12 - 1
    step = rules.pass_plan(first) if second % 4 else ((small, 3),)
    seats = [byte % 12 for byte in rest[:12]]
    ways: list[Callable[[], object]] = [
        lambda: legal_cards(
            rules,
            hand,
            trick=cards[-(first % 8) :],
            exposed=others[0] if others else (),
            suits_led=(),
            first_trick=False,
            hearts_broken=False,
        ),
        lambda: why_illegal_card(
            rules,
            hand,
            Card.from_index(first % 52),
            trick=[Play(seat, card) for card in cards[:2]],
            first_trick=False,
            hearts_broken=False,
        ),
        lambda: trick_winner(
            rules, [Play((seat + place) % 12, card) for place, card in enumerate(cards)], last_trick=second > 99
        ),
        lambda: stateless.why_illegal_pass(rules, hand, others, step),
        lambda: stateless.exchange_gifts(rules, bags[::2], [[bag] for bag in bags[1::2]], step),
        lambda: stateless.why_illegal_exposure(rules, hand, others[0] if others else hand),
        lambda: stateless.may_expose(rules, seat, seats),
        lambda: stateless.first_leader(rules, bags, seat, None if small < 0 else small),
        lambda: stateless.card_breaks_hearts(rules, Card.from_index(first % 52), cards[: second % 12]),
        lambda: stateless.wins_kitty(rules, hand, last_trick=second > 99),
        lambda: stateless.moon_shooter(rules, bags, seat, exposed=others[:small] if small > 0 else ()),
        lambda: score_deal(rules, bags, seats, deal_number=small),
        lambda: stateless.winners(rules, [byte * 3 - 99 for byte in rest], second - 1),
    ]
    try:
        ways[asked % len(ways)]()
    except InvalidState as error:
        refused(error)


def _moves(data: bytes) -> None:
    """Any moves at all, of which the first illegal one is named."""
    try:
        record = from_json(data, Record)
    except InvalidWire as error:
        refused(error)
        return
    result = replay(new_game(record.rules), record.moves)
    believed(result.game.state)
    if result.failure is not None:
        for violation in result.failure.violations:
            if len(str(violation)) > LONGEST:
                raise Broken("a violation of many words")


TARGETS: Final[dict[str, Callable[[bytes], Any]]] = {
    "rules": _json(Rules, _nothing),
    "move": _json(Move, _nothing),
    "state": _json(State, _believed_and_drawn),
    "setup": _json(Setup, _nothing),
    "view": _json(View, _view),
    "event": _json(Event, _nothing),
    "events": _json(tuple[Event, ...], _nothing),
    "violation": _json(Violation, _nothing),
    "deal-score": _json(DealScore, _nothing),
    "record": _json(Record, _record),
    "transition": _json(Transition, _nothing),
    "judge": _judge,
    "advance": _advance,
    "serve": _serve,
    "replay": _moves,
    "position-text": _position,
    "setup-text": _setup,
    "record-text": _records,
    "rules-text": _text(parse_rules, InvalidNotation, InvalidRules),
    "field-text": _field,
    "card-text": _text(Card, InvalidNotation),
    "cards-text": _text(Cards, InvalidNotation),
    "own-state": _own_state,
    "openspiel": _history,
    "xinxin": _log(xinxin.read_xinxin),
    "turbo-hearts": _log(turbo_hearts.read_turbo_hearts),
    "pass-options": _pass_options,
    "winning-seat": _winning_seat,
    "names": _names,
}
"""Every reader by name. A target returns, or raises what nobody has promised."""
