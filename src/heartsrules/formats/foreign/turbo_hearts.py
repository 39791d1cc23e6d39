"""A reader for the events of turbo-hearts, an online server for Hearts.

Its players charge cards. The events are JSON objects with a `type`, described in the README of
[tjwilson90/turbo-hearts](https://github.com/tjwilson90/turbo-hearts) under "GET /game/subscribe": seats, hands, passed
and charged cards, and plays. The reader accepts them as the server sends them: one after the other, in an array, as the
lines of a stream (`data:`), or as its summary of a game, where each is the `event` of an object in `hands`. It ignores
events of other types, such as `chat`, and keys that it does not need.

The rules are the preset `charged_hearts`, which lists the differences. The main one: on the server, a trick with a nine
of the suit led goes round again; the reader refuses a log in which a player plays on in such a trick. A record cannot
show two things the way the server does:

- A player may charge twice with no other charge in between; a record has one exposure.
- A deal can end with a claim. The record has plays that give the claimer all remaining tricks, and a comment that they
  were not played.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from typing import Any, Final, NoReturn, TypeVar

import attrs

from heartsrules.base.errors import InvalidWire, Problem, in_words
from heartsrules.base.values import wrong_type
from heartsrules.cards import NO_CARDS, Card, Cards, Rank
from heartsrules.formats.foreign.logs import applied
from heartsrules.formats.notation.scan import CARD_OF
from heartsrules.play.engine import apply, legal_moves, new_game
from heartsrules.play.game import Record
from heartsrules.play.moves import Deal, Expose, Move, Pass, Play
from heartsrules.play.state import AwaitingDeal, Exposing, GameOver, Playing, State
from heartsrules.rules import Exposure, Rules, Seat, presets

__all__ = ["read_turbo_hearts"]
__dir__ = __all__.copy

V = TypeVar("V")

_NAMES: Final = ("north", "east", "south", "west")
_SEATS: Final = len(_NAMES)
_DIRECTIONS: Final = ("left", "right", "across", "keeper")
_KEEPER: Final = _DIRECTIONS[-1]
_IN_ANY_ORDER: Final = ("classic", "blind")
_IN_TURN: Final = ("bridge", "blind_bridge", "chain", "blind_chain")
_MOST_POINTS: Final = 1 << 15
_MOST_NODES: Final = 20_000
"""Node budget of the search for the plays of a claim."""

_BETWEEN: Final = re.compile(r"(?:\s++|^(?::|id:|event:|retry:)[^\n]*+$|^data:)*+", re.MULTILINE)
"""A pattern for text between two values, such as white space or a stream's field names."""


def read_turbo_hearts(text: str) -> tuple[Record, ...]:
    """Read the games of a log as records of legal moves.

    A log may begin with a later deal than the first; the record's match then begins there. It may end anywhere: the
    record has all passes made so far, but exposures only if a play follows. Finished deals keep the points of the log,
    so `heartsrules.play.game.verify` checks whether the rules agree.

    Args:
        text: the events, as sent to a spectator, or of a finished game: events sent to a player hide the other hands.

    Returns:
        One record for each `sit` event, or a single record if there are only other events. Its tags name the players
        (`Seat0`) and the way of charging (`Charging`).

    Raises:
        InvalidWire: the text is not such a log. A problem's place is a JSON pointer into the array of all events in the
            text; its message names the line where the event's document begins.
        IllegalMove: the rules forbid a move; a note gives its event.
    """
    if not isinstance(text, str):
        wrong_type("text", "a str", text)
    games: list[_Game] = []
    for event in _events(text):
        if event.kind == "sit":
            games.append(_Game(event.choice("rules", (*_IN_ANY_ORDER, *_IN_TURN)), event))
        elif event.kind in _READ:
            if not games:
                games.append(_Game(_IN_ANY_ORDER[0]))
            _READ[event.kind](games[-1], event)
    return tuple([game.record() for game in games])


# ------------------------------------------------------------------------------------------------------------ events


@attrs.frozen
class _Event:
    fields: dict[str, Any]
    number: int
    line: int

    @property
    def kind(self) -> str:
        return self.value("type", str, "name")

    def value(self, key: str, kind: type[V], expected: str) -> V:
        if key not in self.fields:
            self.fail("missing-key", f"/{key}", "event")
        value = self.fields[key]
        if not isinstance(value, kind) or isinstance(value, bool):
            self.fail("wrong-type", f"/{key}", "event", expected=expected, found=_KINDS[type(value)])
        return value

    def choice(self, key: str, among: tuple[str, ...]) -> str:
        value = self.value(key, str, "name")
        if value not in among:
            self.fail("foreign-value", f"/{key}", "event-name", value=value, choices=among)
        return value

    def seat(self, key: str) -> Seat:
        return _NAMES.index(self.choice(key, _NAMES))

    def card(self, key: str) -> Card:
        return self._card(self.value(key, str, "card"), f"/{key}")

    def _card(self, value: object, place: str) -> Card:
        card = CARD_OF.get(value) if isinstance(value, str) else None
        if card is None:
            if isinstance(value, str):
                self.fail("foreign-value", place, "event-card", value=value)
            self.fail("foreign-value", place, "event-no-card", value=in_words(value))
        return card

    def points(self, key: str) -> int:
        points = self.value(key, int, "points")
        if not -_MOST_POINTS <= points < _MOST_POINTS:
            self.fail("out-of-range", f"/{key}", "event-points", points=points)
        return points

    def cards(self, key: str) -> Cards:
        cards: list[Card] = []
        for place, value in enumerate(self.value(key, list, "cards")):
            card = self._card(value, f"/{key}/{place}")
            if card in cards:
                self.fail("card-twice", f"/{key}/{place}", "event", card=card)
            cards.append(card)
        return Cards(cards)

    def fail(self, code: str, place: str, detail: str, **params: Any) -> NoReturn:
        fields = (f"/{self.number}{place}",)
        raise InvalidWire((Problem.of(code, fields, detail, event=self.number, line=self.line, **params),))


_KINDS: Final[dict[type, str]] = {
    bool: "bool",
    int: "int",
    float: "float",
    str: "str",
    list: "array",
    dict: "object",
    type(None): "null",
}


def _events(text: str) -> Iterator[_Event]:
    number = line = counted_to = 0
    for start, value in _values(text):
        line += text.count("\n", counted_to, start)
        counted_to = start
        for fields in _unwrapped(value):
            if not isinstance(fields, dict):
                _Event({}, number, line + 1).fail(
                    "wrong-type", "", "event", expected="object", found=_KINDS[type(fields)]
                )
            yield _Event(fields, number, line + 1)
            number += 1


def _values(text: str) -> Iterator[tuple[int, Any]]:
    decoder = json.JSONDecoder()
    at = 0
    while True:
        between = _BETWEEN.match(text, at)
        at = between.end() if between else at
        if at == len(text):
            return
        start = at
        try:
            value, at = decoder.raw_decode(text, start)
        except RecursionError:
            raise InvalidWire((Problem.of("too-deep", ("",)),)) from None
        except ValueError as error:
            # Python also refuses numbers with thousands of digits, without a position.
            place = getattr(error, "pos", start)
            problem = Problem.of(
                "malformed",
                ("",),
                "line",
                reason=_reason(error),
                line=text.count("\n", 0, place) + 1,
                column=place - text.rfind("\n", 0, place),
            )
            raise InvalidWire((problem,)) from None
        yield start, value


def _reason(error: ValueError) -> str:
    """Describe Python's refusal of a JSON text, the same in all its versions."""
    if not isinstance(error, json.JSONDecodeError):
        return "too-many-digits"
    return next((name for start, name in _REASONS.items() if error.msg.startswith(start)), error.msg)


_REASONS: Final = {
    "Expecting value": "no-value",
    "Expecting ':'": "no-colon",
    "Expecting ','": "no-comma",
    "Expecting property name": "no-name",
    "Unterminated string": "open-string",
    "Invalid control character": "control-character",
    "Invalid \\": "escape",
    "Illegal trailing comma": "trailing-comma",
}


def _unwrapped(value: Any) -> Iterator[Any]:
    stack = [value]
    while stack:
        value = stack.pop()
        if isinstance(value, list):
            stack += reversed(value)
        elif isinstance(value, dict) and isinstance(value.get("hands"), list) and "type" not in value:
            stack.append(value["hands"])
        elif isinstance(value, dict) and isinstance(value.get("event"), dict) and "type" not in value:
            stack += [value.get("synthetic_events", []), value["event"]]
        else:
            yield value


# -------------------------------------------------------------------------------------------------------------- games


@cache
def _rules(charging: str, first: int) -> Rules:
    """Return the rules of a match that begins with this one of the four deals."""
    rules = presets.charged_hearts(exposure=Exposure.ROUNDS if charging in _IN_ANY_ORDER else Exposure.ROUNDS_IN_TURN)
    steps = rules.pass_cycle
    return attrs.evolve(
        rules,
        pass_cycle=steps[first:] + steps[:first],
        first_dealer=(_SEATS - 1 + first) % _SEATS,
        max_deals=_SEATS - first,
    )


class _Game:
    def __init__(self, charging: str, sit: _Event | None = None) -> None:
        self.charging: Final = charging
        self.rules = _rules(charging, 0)
        self.state: State = new_game(self.rules)
        self.moves: Final[list[Move]] = []
        self.tags: Final = [] if sit is None else [*_who(sit), ("Charging", charging)]
        self.comments: Final[list[tuple[int, str]]] = []
        self.points: Final[list[tuple[int, ...]]] = []
        self.deals = 0
        self.first = 0
        """The match's first deal in the log, 0 to 3."""
        self.pending: _PendingDeal | None = None
        """The events before the first play of a deal, until that play."""
        self.claims: dict[Seat, set[Seat]] = {}
        """The seats that agree to each claim, including the claimer."""

    def record(self) -> Record:
        self._deal_out()
        return Record(rules=self.rules, moves=self.moves, tags=self.tags, comments=self.comments, points=self.points)

    def _move(self, move: Move, event: _Event) -> None:
        self.state = applied(self.state, move, event.number, _place)
        self.moves.append(move)

    # ------------------------------------------------------------------------------------------ before the first play

    def deal(self, event: _Event) -> None:
        self._deal_out()
        direction = event.choice("pass", _DIRECTIONS)
        if not self.deals:
            # A match of its own begins with the first deal of the log.
            self.first = _DIRECTIONS.index(direction)
            self.rules = _rules(self.charging, self.first)
            self.state = new_game(self.rules)
        elif direction != (due := _DIRECTIONS[(self.first + self.deals) % _SEATS]):
            event.fail("foreign-value", "/pass", "event-pass", expected=due, value=direction)
        self.deals += 1
        hands = [event.cards(name) for name in _NAMES]
        for name, hand in zip(_NAMES, hands, strict=True):
            if not hand:
                event.fail("redacted", f"/{name}", "hand", name=name)
        self.pending = _PendingDeal(event, hands, direction)
        self.claims = {}

    def _of_deal(self, event: _Event) -> _PendingDeal:
        if self.pending is None:
            event.fail("out-of-order", "/type", "before-play", kind=event.kind)
        return self.pending

    def send_pass(self, event: _Event) -> None:
        pending = self._of_deal(event)
        if pending.direction == _KEEPER and not pending.sent:
            # Charges so far precede the pass.
            pending.charged_first, pending.charges = pending.charges, []
        pending.sent.append((event.seat("from"), event.cards("cards"), event))

    def recv_pass(self, event: _Event) -> None:
        pending = self._of_deal(event)
        pending.got[event.seat("to")] = event.cards("cards")
        pending.last_got = event

    def blind_charge(self, event: _Event) -> None:
        self._of_deal(event).unseen += event.value("count", int, "count") != 0

    def reveal_charges(self, event: _Event) -> None:
        pending = self._of_deal(event)
        pending.unseen = 0
        for seat, name in enumerate(_NAMES):
            new = event.cards(name) - sum([each.cards for each in pending.charges if each.seat == seat], NO_CARDS)
            if new:
                pending.charge(event, seat, new, f"/{name}")

    def charge(self, event: _Event) -> None:
        self._of_deal(event).charge(event, event.seat("seat"), event.cards("cards"), "/cards")

    def _deal_out(self) -> None:
        pending = self.pending
        if pending is None or pending.dealt:
            return
        pending.dealt = True
        self._move(Deal(pending.hands), pending.event)
        if pending.direction == _KEEPER and pending.sent:
            self._show(pending.charged_first, pending.sent[0][2])
        for seat, cards, event in pending.sent:
            self._move(Pass(seat, *[cards] if cards else []), event)
        if pending.direction == _KEEPER and pending.last_got is not None and len(pending.got) == _SEATS:
            self._move(Deal([pending.got[seat] for seat in range(_SEATS)]), pending.last_got)

    def _show(self, charges: Iterable[_Charge], event: _Event) -> None:
        """Add some seats' charges and no charges for all others, before the event."""
        for charge in charges:
            self._move(Expose(charge.seat, charge.cards), charge.event)
        while isinstance(self.state, Exposing):
            self._move(Expose(self.state.to_act[0], NO_CARDS), event)

    def _begin(self, event: _Event) -> None:
        self._deal_out()
        pending, self.pending = self.pending, None
        if pending is None:
            return
        if pending.unseen:
            event.fail("redacted", "/type", "charges")
        self._show(pending.charges, event)

    # ------------------------------------------------------------------------------------------ from the first play on

    def play(self, event: _Event) -> None:
        move = Play(event.seat("seat"), event.card("card"))
        self._begin(event)
        if self._goes_round_again(move.seat):
            event.fail("booster-nine", "/seat", "", name=_NAMES[move.seat])
        self._move(move, event)

    def _goes_round_again(self, seat: Seat) -> bool:
        """Return True if a seat plays on in a trick that these rules end after one round."""
        state = self.state
        if not isinstance(state, Playing) or state.trick or not state.tricks or seat == state.turn:
            return False
        plays = state.tricks[-1].plays
        return any([play.card.suit is plays[0].card.suit and play.card.rank is Rank.NINE for play in plays])

    def claim(self, event: _Event) -> None:
        seat = event.seat("seat")
        self.claims[seat] = {seat}

    def reject_claim(self, event: _Event) -> None:
        self.claims.pop(event.seat("claimer"), None)

    def accept_claim(self, event: _Event) -> None:
        claimer, acceptor = event.seat("claimer"), event.seat("acceptor")
        agreed = self.claims.get(claimer)
        if agreed is None:
            event.fail("out-of-order", "/claimer", "claim", name=_NAMES[claimer])
        agreed.add(acceptor)
        if len(agreed) < _SEATS:
            return
        self._begin(event)
        plays = _Claim(claimer).plays(self.state)
        if plays is None:
            event.fail("claim-cannot-win", "/claimer", "", name=_NAMES[claimer])
        self.comments.append((len(self.moves), f"{_NAMES[claimer]} claimed the rest: what follows was not played"))
        for move in plays:
            self._move(move, event)

    def hand_complete(self, event: _Event) -> None:
        points = tuple([event.points(f"{name}_score") for name in _NAMES])
        # A record's points begin with its first deal, without gaps.
        if len(self.points) == self.deals - 1:
            self.points.append(points)

    def hidden(self, event: _Event) -> None:
        event.fail("redacted", "/type", "pass")


@attrs.define
class _PendingDeal:
    event: _Event
    hands: list[Cards]
    direction: str
    sent: list[tuple[Seat, Cards, _Event]] = attrs.Factory(list)
    got: dict[Seat, Cards] = attrs.Factory(dict)
    last_got: _Event | None = None
    charged_first: list[_Charge] = attrs.Factory(list)
    """The charges before a pass that depends on them, like `charges`."""
    charges: list[_Charge] = attrs.Factory(list)
    """The charges in order, with the decisions to charge nothing more that still hold."""
    unseen: int = 0
    dealt: bool = False
    """True if the moves of the deal and its passes have been added."""

    def charge(self, event: _Event, seat: Seat, cards: Cards, place: str) -> None:
        """Add a seat's charge, or its decision to charge nothing more.

        The cards of a second charge are added to the first, or replace its decision to charge nothing.
        """
        for card in cards:
            if any([card in each.cards for each in self.charges]):
                event.fail("card-twice", place, "event", card=card)
        last = max([number for number, each in enumerate(self.charges) if each.cards], default=-1)
        since = self.charges[max(last, 0) :]
        if not cards:
            if seat not in [each.seat for each in since]:
                self.charges.append(_Charge(event, seat, cards))
        elif last >= 0 and self.charges[last].seat == seat:
            self.charges[last:] = [_Charge(self.charges[last].event, seat, self.charges[last].cards + cards)]
        else:
            self.charges[last + 1 :] = [each for each in self.charges[last + 1 :] if each.seat != seat]
            self.charges.append(_Charge(event, seat, cards))


@attrs.frozen
class _Charge:
    event: _Event
    seat: Seat
    cards: Cards


_place: Final = "event {}".format


def _who(sit: _Event) -> Iterator[tuple[str, str]]:
    for seat, name in enumerate(_NAMES):
        player = sit.value(name, dict, "player")
        if isinstance(player.get("user_id"), str):
            yield f"Seat{seat}", player["user_id"] + (" (bot)" if player.get("type") == "bot" else "")


class _Claim:
    """A search for plays that give a seat every remaining trick."""

    def __init__(self, claimer: Seat) -> None:
        self.claimer = claimer
        self.nodes = 0

    def plays(self, state: State) -> list[Play] | None:
        self.nodes += 1
        if not isinstance(state, Playing) or self.nodes > _MOST_NODES:
            return None
        moves = [move for move in legal_moves(state) if isinstance(move, Play)]
        moves.sort(key=lambda move: (move.card.rank, move.card.suit), reverse=state.turn == self.claimer)
        for move in moves:
            after = apply(state, move)
            if len(after.score_sheet) > len(state.score_sheet):
                last = after.last_deal if isinstance(after, (AwaitingDeal, GameOver)) else None
                if last is not None and last.tricks[-1].winner == self.claimer:
                    return [move]
            elif isinstance(after, Playing) and (after.trick or after.turn == self.claimer):
                rest = self.plays(after)
                if rest is not None:
                    return [move, *rest]
        return None


_READ: Final[dict[str, Callable[[_Game, _Event], None]]] = {
    "deal": _Game.deal,
    "send_pass": _Game.send_pass,
    "recv_pass": _Game.recv_pass,
    "charge": _Game.charge,
    "blind_charge": _Game.blind_charge,
    "reveal_charges": _Game.reveal_charges,
    "play": _Game.play,
    "claim": _Game.claim,
    "accept_claim": _Game.accept_claim,
    "reject_claim": _Game.reject_claim,
    "hand_complete": _Game.hand_complete,
    "hidden_send_pass": _Game.hidden,
    "hidden_recv_pass": _Game.hidden,
}
"""The handlers of events by type. Other events are ignored."""
