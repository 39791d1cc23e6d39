"""Positions in one line of text.

A line is a `Setup` as text, with all passes, exposures and plays of the deal so far.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Final, TypeAlias

import attrs

from heartsrules.base.errors import InvalidState, Problem
from heartsrules.base.values import checked_int, wrong_type
from heartsrules.cards import NO_CARDS, Cards, Suit
from heartsrules.formats.notation.fields import format_rules, read_rules
from heartsrules.formats.notation.move_text import format_move
from heartsrules.formats.notation.scan import (
    EMPTY,
    MAX_LINE,
    Source,
    folded,
    format_bag,
    parse_bag,
    parse_cards,
    parse_exposure,
    parse_int,
    parse_ints,
    parse_pass,
    parse_seat,
    size_of,
    spans_between,
    tokens_of,
)
from heartsrules.play.moves import Expose, Move, Pass, Play
from heartsrules.play.phases import Phase
from heartsrules.play.public import Trick
from heartsrules.play.sheet import DealScore
from heartsrules.play.state import MidDealPosition, State
from heartsrules.rules import Moon, Rules, Seat
from heartsrules.setup import DealSetup, Setup, check

MAGIC: Final = "hearts/1"

_NEEDS: Final[dict[str, tuple[str, ...]]] = {
    "rules": (),
    "phase": (),
    "deal": (),
    "start": (),
    "sheet": (),
    "hands": (),
    "kitty": ("hands", "tricks"),
    "passes": ("hands", "tricks"),
    "back": ("passes",),
    "exposures": ("hands",),
    "exposed": ("hands", "tricks"),
    "captured": ("hands", "tricks"),
    "won": ("captured",),
    "aside": ("captured",),
    "leader": ("captured",),
    "taker": ("captured",),
    "broken": ("captured",),
    "led": ("captured",),
    "tricks": (),
    "trick": ("hands",),
}
"""The sections after the first in canonical order, each with sections of which it needs at least one."""

_QUEEN: Final = re.compile(r"Q([0-9]{1,4})", re.IGNORECASE)
_QUEEN_EXAMPLE: Final = "who captured the QS, such as Q2"
_WORDS: Final = {effect: effect.value.rpartition("-")[2] for moon in Moon for effect in moon.effects}
"""Words for the effects of a moon, such as `up` for OTHERS_UP."""
_EFFECTS: Final = {word: effect for effect, word in _WORDS.items()}
_ROW_MOON: Final = re.compile(rf"([0-9]{{1,4}})({'|'.join(_EFFECTS)})(\*?)", re.IGNORECASE)
_SAME: Final = "="
_NOBODY: Final = "-"
_SHOWN: Final = "exposed="
_LETTERS: Final = "CcDdSsHh"
_IN_HAND: Final = (Phase.PASS, Phase.DEAL_BACK, Phase.EXPOSE, Phase.PLAY)
_PHASES: Final = {phase.value: phase for phase in Phase}

_Spans: TypeAlias = dict[str, tuple[int, int]]
_Section: TypeAlias = tuple[str, Callable[[Any], str], Callable[["_Reader", str], Any]]

# ---------------------------------------------------------------------------------------------------------------
# Writing


def format_position(state: State | Setup) -> str:
    """Write a state or a setup as one line.

    A state is checked first, so that reading the line gives an equal state. A setup is written without its claims.

    >>> from heartsrules.play.engine import new_game
    >>> format_position(new_game(Rules(players=3, removed="2D")))
    'hearts/1; rules players=3 removed=2D; phase deal; deal 0'

    Raises:
        InvalidState: the state is inconsistent, or a line cannot express parts of a setup.
    """
    if isinstance(state, Setup):
        return _of_setup(state)
    if not isinstance(state, State):
        wrong_type("state", "a State or a Setup", state)
    try:
        setup = Setup.of(state)
    except TypeError:
        raise _contradiction() from None
    if check(setup) != state:
        raise _contradiction()
    return _line(setup)


def _line(setup: Setup) -> str:
    sections = dict(_sections(setup))
    return "; ".join([MAGIC, *[f"{name} {sections[name]}" for name in _NEEDS if name in sections]])


def _of_setup(setup: Setup) -> str:
    """Write a setup as a line, or refuse one that a line cannot express."""
    try:
        line = _line(setup)
        read = parse_setup(line, max_bytes=len(line))
    except (KeyError, ValueError):
        # A number has too many digits, no moon has the effect, or tuples are empty.
        raise InvalidState((Problem.of("unwritable", ("setup",), "setup"),)) from None
    said = _without_claims(setup)
    lost = [field.name for field in attrs.fields(Setup) if getattr(said, field.name) != getattr(read, field.name)]
    if lost:
        raise InvalidState(tuple([Problem.of("unwritable", (name,), "line", name=name) for name in lost]))
    return line


_CLAIMS: Final = ("leader", "captured", "tricks_won", "trick_number", "set_aside", "kitty_winner", "hearts_broken")
_CLAIMS_OF_MATCH: Final = ("has_full_history", "scores", "turn", "shooter", "others_up", "shooter_down", "winners")


def _without_claims(setup: Setup) -> Setup:
    last = setup.last_deal
    if last is not None:
        last = attrs.evolve(last, **_said_of_deal(last, setup.rules))
    nothing: dict[str, Any] = dict.fromkeys(_CLAIMS_OF_MATCH)
    deal = _said_of_deal(setup, setup.rules) if setup.phase in _IN_HAND else dict.fromkeys(_CLAIMS)
    return attrs.evolve(setup, last_deal=last, **nothing, **deal)


def _said_of_deal(setup: DealSetup, rules: Rules) -> dict[str, Any]:
    said: dict[str, Any] = dict.fromkeys(_CLAIMS)
    if setup.kitty is None and not rules.kitty_size:
        said["kitty"] = Cards()
    if not any(setup.passes):
        said["passes"] = ()
    if not any(setup.exposures):
        said["exposures"] = ()
    return said


def _contradiction() -> InvalidState:
    return InvalidState((Problem.of("contradiction", ("state",), "state"),))


def _sections(setup: Setup) -> Iterator[tuple[str, str]]:
    yield "rules", format_rules(setup.rules)
    yield "phase", setup.phase.value
    yield "deal", str(setup.deal_number)
    if setup.start is not None:
        taker = "" if setup.queen_taker is None else f":Q{setup.queen_taker}"
        yield "start", f"{setup.first}:{_ints(setup.start)}{taker}"
    if setup.score_sheet:
        yield "sheet", " ".join(map(_format_row, setup.score_sheet))
    if setup.hands:
        yield "hands", _bags(setup.hands)
    deal = setup if setup.last_deal is None else setup.last_deal
    yield from _told(deal, _OF_DEAL)
    if deal.kitty == NO_CARDS and setup.rules.kitty_size:
        yield "kitty", EMPTY
    if deal.resumed_from is not None:
        yield from _told(deal.resumed_from, _OF_MIDDLE)
    trick = setup.trick or deal.trick
    if trick:
        yield "trick", f"{trick[0].seat}:{_cards(trick)}"


def _told(owner: DealSetup | MidDealPosition, table: Mapping[str, _Section]) -> Iterator[tuple[str, str]]:
    for name, (attribute, write, _) in table.items():
        value = getattr(owner, attribute)
        text = "" if value is None or value == NO_CARDS else write(value)
        if text:
            yield name, text


def _bags(bags: Iterable[Cards]) -> str:
    return " ".join(map(format_bag, bags))


def _cards(plays: Iterable[Play]) -> str:
    return "".join([str(play.card) for play in plays])


def _ints(numbers: Iterable[int]) -> str:
    return ",".join(map(str, numbers))


def _moves(moves: Iterable[Move | None]) -> str:
    return " ".join([format_move(move) for move in moves if move is not None])


def _tricks(tricks: Iterable[Trick]) -> str:
    return " ".join(
        [
            f"{trick.leader}:{_cards(trick.plays)}:{_NOBODY if trick.winner is None else trick.winner}"
            for trick in tricks
        ]
    )


def _format_row(row: DealScore) -> str:
    cards = _SAME if row.card_points == row.points else _ints(row.card_points)
    parts = [_ints(row.points), cards, _ints(row.tricks_won), _ints(row.totals)]
    if row.effect is not None:
        parts.append(f"{row.shooter}{_WORDS[row.effect]}{'*' if row.sun else ''}")
    if row.queen_taker is not None:
        parts.append(f"Q{row.queen_taker}")
    if row.exposed:
        parts.append(_SHOWN + ",".join(map(format_bag, row.exposed)))
    return "/".join(parts)


# ---------------------------------------------------------------------------------------------------------------
# Reading


def parse_position(text: str, *, max_bytes: int = MAX_LINE) -> State:
    """Parse a position and check it against the rules.

    >>> state = parse_position("hearts/1; rules players=3 removed=2D; phase deal; deal 0")
    >>> state.deal_number, state.rules.players
    (0, 3)

    Args:
        text: a line as `format_position` writes it, with sections in any order.
        max_bytes: the longest text accepted, in bytes of UTF-8.

    Raises:
        InvalidNotation: the text is not a position; the message has the place and the expected text.
        InvalidState: no play can lead to the position; `fields` are attributes of `Setup`.
    """
    return check(parse_setup(text, max_bytes=max_bytes))


def parse_setup(text: str, *, max_bytes: int = MAX_LINE) -> Setup:
    """Parse a position without checking it against the rules.

    Arguments and `InvalidNotation` are the same as for `parse_position`.
    """
    if not isinstance(text, str):
        wrong_type("text", "a str", text)
    checked_int("max_bytes", max_bytes)
    source = Source(text)
    if size_of(text) > max_bytes:
        source.too_long(max(max_bytes, 0), f"{max_bytes} bytes")
    return _Reader(source, _spans(source)).setup()


def _spans(source: Source) -> _Spans:
    text = source.text
    spans: _Spans = {}
    start = 1 if text[:1] == "\ufeff" else 0
    while True:
        semicolon = text.find(";", start)
        end = len(text) if semicolon < 0 else semicolon
        word = next(tokens_of(source, start, end), None)
        if word is None:
            # One semicolon after the last section is harmless.
            if semicolon >= 0 or not spans:
                source.fail(end, "a section" if spans else MAGIC, end=end)
        elif not spans:
            if folded(text[slice(*word)]) != MAGIC or next(tokens_of(source, word[1], end), None) is not None:
                source.fail(word[0], MAGIC, end=end)
            spans[MAGIC] = word
        else:
            name = folded(text[slice(*word)])
            if name not in _NEEDS:
                source.fail(word[0], f"one of the sections {', '.join(_NEEDS)}", end=word[1])
            if name in spans:
                source.fail(word[0], "each section only once", end=word[1])
            spans[name] = (word[1], end)
        if semicolon < 0:
            break
        start = end + 1
    _refuse_lacking(source, spans)
    return spans


def _refuse_lacking(source: Source, spans: _Spans) -> None:
    for name in ("rules", "phase", "deal"):
        if name not in spans:
            source.fail(len(source.text), f"a section {name}")
    for name, others in _NEEDS.items():
        if name in spans and others and not any(other in spans for other in others):
            source.fail(len(source.text), f"a section {' or '.join(others)} because there is a section {name}")
    if "captured" in spans and "leader" not in spans:
        source.fail(len(source.text), "a section leader because there is a section captured")


class _Reader:
    def __init__(self, source: Source, spans: _Spans) -> None:
        self.source = source
        self.spans = spans
        self.rules = read_rules(source, list(tokens_of(source, *spans["rules"])), spans["rules"][1])

    def setup(self) -> Setup:
        first, start, queen_taker = self._start()
        phase = _PHASES[self._word("phase", _PHASES)]
        rules = self.rules
        deal: dict[str, Any] = {
            "hands": self._bags("hands"),
            **self._read(_OF_DEAL),
            "trick": self._current(),
            "resumed_from": MidDealPosition(**self._read(_OF_MIDDLE)) if "captured" in self.spans else None,
        }
        number = self._number("deal", "the number of the deal, from 0")
        rows = tuple([self._row(*token) for token in self._tokens("sheet")])
        match: dict[str, Any] = {
            "phase": phase,
            "rules": rules,
            "deal_number": number,
            "first": first,
            "start": start,
            "queen_taker": queen_taker,
            "score_sheet": rows,
        }
        if phase in _IN_HAND:
            return Setup(**match, **deal)
        if "hands" in self.spans or "trick" in self.spans:
            # The game is not over: `check` refuses it and names the field.
            return Setup(**match, hands=deal.pop("hands"), trick=deal.pop("trick"), last_deal=DealSetup(**deal))
        return Setup(**match, last_deal=DealSetup(**deal) if deal["tricks"] else None)

    def _read(self, table: Mapping[str, _Section]) -> dict[str, Any]:
        return {attribute: read(self, name) for name, (attribute, _, read) in table.items()}

    def _tokens(self, name: str) -> list[tuple[int, int]]:
        if name not in self.spans:
            return []
        found = list(tokens_of(self.source, *self.spans[name]))
        if not found:
            end = self.spans[name][1]
            self.source.fail(end, f"something behind {name}, or no such section", end=end)
        return found

    def _one(self, name: str, what: str) -> tuple[int, int]:
        found = list(tokens_of(self.source, *self.spans[name]))
        if not found:
            self.source.fail(self.spans[name][1], what, end=self.spans[name][1])
        if len(found) > 1:
            self.source.fail(found[1][0], "the end of the section", end=found[1][1])
        return found[0]

    def _word(self, name: str, words: Iterable[str]) -> str:
        what = f"one of {', '.join(words)}"
        start, end = self._one(name, what)
        word = folded(self.source.text[start:end])
        if word not in words:
            self.source.fail(start, what, end=end)
        return word

    def _number(self, name: str, what: str) -> int:
        return parse_int(self.source, *self._one(name, what), what)

    def _seat(self, name: str) -> Seat | None:
        return self._number(name, "a seat") if name in self.spans else None

    def _bag(self, name: str) -> Cards | None:
        if name in self.spans:
            return parse_bag(self.source, *self._one(name, "cards"))
        return None if name == "kitty" and self.rules.kitty_size else NO_CARDS

    def _won(self, name: str) -> tuple[int, ...] | None:
        return parse_ints(self.source, *self._one(name, "tricks won"), "tricks won") if name in self.spans else None

    def _broken(self, name: str) -> bool | None:
        return self._word(name, ("yes", "no")) == "yes" if name in self.spans else None

    def _bags(self, name: str) -> tuple[Cards, ...]:
        return tuple([parse_bag(self.source, *token) for token in self._tokens(name)])

    def _by_seat(self, name: str) -> tuple[Pass | Expose | None, ...]:
        parse, what = (parse_pass, "pass") if name == "passes" else (parse_exposure, "exposure")
        found: dict[Seat, Pass | Expose] = {}
        players = self.rules.players
        for start, end in self._tokens(name):
            move = parse(self.source, start, end)
            if not 0 <= move.seat < players or move.seat in found:
                self.source.fail(start, f"the {what} of another seat from 0 to {players - 1}", end=end)
            found[move.seat] = move
        return tuple([found.get(seat) for seat in range(players)]) if found else ()

    def _suits(self, name: str) -> tuple[Suit, ...]:
        if name not in self.spans:
            return ()
        what = "letters of suits, such as CDS"
        start, end = self._one(name, what)
        for place in range(start, end):
            if self.source.text[place] not in _LETTERS:
                self.source.fail(place, what, end=end)
        return tuple([Suit(_LETTERS.index(letter) // 2) for letter in self.source.text[start:end]])

    def _start(self) -> tuple[int, tuple[int, ...] | None, Seat | None]:
        if "start" not in self.spans:
            return 0, None, None
        what = "the number of the first deal of the sheet, a colon and the totals before it, such as 3:13,0,13,0"
        start, end = self._one("start", what)
        number, start = parse_seat(self.source, start, end, what, what)
        second = self.source.text.find(":", start, end)
        taker: Seat | None = None
        if second >= 0:
            queen = _QUEEN.fullmatch(self.source.text, second + 1, end)
            if queen is None:
                self.source.fail(second + 1, _QUEEN_EXAMPLE, end=end)
            taker, end = int(queen[1]), second
        return number, parse_ints(self.source, start, end, "totals"), taker

    def _row(self, start: int, end: int) -> DealScore:
        text = self.source.text
        parts = list(spans_between(self.source, start, end, "/"))
        bags: tuple[Cards, ...] = ()
        if len(parts) > 4 and folded(text[slice(*parts[-1])][: len(_SHOWN)]) == _SHOWN:
            at, stop = parts.pop()
            bags = tuple(
                [parse_bag(self.source, *part) for part in spans_between(self.source, at + len(_SHOWN), stop, ",")]
            )
        if not 4 <= len(parts) <= 6:
            what = (
                "points/card points/tricks won/totals, then /2up if seat 2 shot the moon, /Q2 if it has the QS, and "
                "/exposed=-,SQ,-,- if seat 1 has shown the QS"
            )
            self.source.fail(start, what, end=end)
        points = parse_ints(self.source, *parts[0], "points")
        same = text[slice(*parts[1])] == _SAME
        cards = points if same else parse_ints(self.source, *parts[1], "card points")
        won = parse_ints(self.source, *parts[2], "tricks won")
        totals = parse_ints(self.source, *parts[3], "totals")
        rest = parts[4:]
        queen = _QUEEN.fullmatch(text, *rest[-1]) if rest else None
        if queen is not None:
            rest.pop()
        elif len(rest) == 2:
            self.source.fail(rest[1][0], _QUEEN_EXAMPLE, end=rest[1][1])
        taker = None if queen is None else int(queen[1])
        if not rest:
            return DealScore(points, cards, None, None, False, won, totals, taker, bags)
        moon = _ROW_MOON.fullmatch(text, *rest[0])
        if moon is None:
            what = "the shooter and what the moon did, such as 2up, 2down or 2up*"
            self.source.fail(rest[0][0], what if len(parts) == 6 else f"{what}, or {_QUEEN_EXAMPLE}", end=rest[0][1])
        effect = _EFFECTS[moon[2].lower()]
        return DealScore(points, cards, int(moon[1]), effect, bool(moon[3]), won, totals, taker, bags)

    def _plays(self, leader: Seat, start: int, end: int) -> tuple[Play, ...]:
        players = self.rules.players
        cards = parse_cards(self.source, start, end)
        return tuple([Play((leader + place) % players, card) for place, (_, card) in enumerate(cards)])

    def _tricks(self, name: str) -> tuple[Trick, ...]:
        return tuple([self._trick(*token) for token in self._tokens(name)])

    def _trick(self, start: int, end: int) -> Trick:
        what = "the leader, the cards and the winner, such as 0:7C5CAC:2"
        text = self.source.text
        last = text.rfind(":", start, end)
        if text.find(":", start, end) == last:
            self.source.fail(start, what, end=end)
        leader, at = parse_seat(self.source, start, end, what, what)
        plays = self._plays(leader, at, last)
        nobody = text[last + 1 : end] == _NOBODY
        return Trick(leader, plays, None if nobody else parse_int(self.source, last + 1, end, "the winner, or -"))

    def _current(self) -> tuple[Play, ...]:
        if "trick" not in self.spans:
            return ()
        what = "the leader and the cards of the current trick, such as 0:7C5C"
        start, end = self._one("trick", what)
        if self.source.text.find(":", start, end) == end - 1:
            self.source.fail(start, what, end=end)
        leader, at = parse_seat(self.source, start, end, what, what)
        return self._plays(leader, at, end)


_OF_DEAL: Final[dict[str, _Section]] = {
    "kitty": ("kitty", format_bag, _Reader._bag),
    "passes": ("passes", _moves, _Reader._by_seat),
    "back": ("dealt_back", _bags, _Reader._bags),
    "exposures": ("exposures", _moves, _Reader._by_seat),
    "exposed": ("exposed", _bags, _Reader._bags),
    "tricks": ("tricks", _tricks, _Reader._tricks),
}
_OF_MIDDLE: Final[dict[str, _Section]] = {
    "broken": ("hearts_broken", lambda broken: "yes" if broken else "no", _Reader._broken),
    "won": ("tricks_won", _ints, _Reader._won),
    "aside": ("set_aside", format_bag, _Reader._bag),
    "leader": ("leader", str, _Reader._seat),
    "captured": ("captured", _bags, _Reader._bags),
    "taker": ("kitty_winner", str, _Reader._seat),
    "led": ("suits_led", lambda suits: "".join([suit.letter for suit in suits]), _Reader._suits),
}
"""The attribute of each section in the middle of a deal, with its writer and its reader."""
