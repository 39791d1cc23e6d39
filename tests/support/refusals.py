"""One refusal of every sentence that documents, lines, pictures, views, OpenSpiel's games, the protocol, logs and the
functions for apps have for what is wrong."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import redirect_stderr
from functools import cache, partial
from io import StringIO
from random import Random
from typing import Any, Final

import attrs

from heartsrules import (
    Card,
    Cards,
    Deal,
    Event,
    Expose,
    Exposing,
    InvalidWire,
    Pass,
    Play,
    Playing,
    Rules,
    Seat,
    State,
    advance,
    apply,
    deal,
    legal_moves,
    new_game,
    presets,
    public_view,
    redact,
    transition,
    view,
)
from heartsrules.apps.serve.answering import Service
from heartsrules.apps.serve.declaring import Result, declare
from heartsrules.apps.serve.http import HttpApp, HttpLimits
from heartsrules.apps.serve.openapi import example_request
from heartsrules.apps.serve.operations import OPERATIONS
from heartsrules.apps.serve.playing import PLAYER_OPERATIONS
from heartsrules.base.errors import InvalidRules, InvalidState, Problem, TooManyCopies
from heartsrules.base.values import replaced
from heartsrules.bots.external import _read_answer
from heartsrules.bridges import openspiel
from heartsrules.bridges._actions import check_covered
from heartsrules.formats.foreign.turbo_hearts import read_turbo_hearts
from heartsrules.formats.notation import format_position, format_record
from heartsrules.formats.wire import _NOT_WHOLE, from_json, to_json
from heartsrules.formats.wire._convert import _param_of
from heartsrules.formats.wire.parts import Json
from heartsrules.play.dealing import back_faults, deal_faults, deal_problems
from heartsrules.play.events import CardsExposed, CardsPassedHidden, ExposureCommitted, ExposureCommittedHidden
from heartsrules.play.game import Game, Record, moves_of
from heartsrules.play.moves import ChooseMoon
from heartsrules.play.stateless import legal_cards
from heartsrules.rules import Exposure, Kitty, KittyShownTo, Moon, OpeningCard, OpeningLeader, PassOptional
from heartsrules.setup import Setup
from heartsrules.views import PassingView
from heartsrules.views.hidden_hands import Case
from heartsrules.views.worlds import sample_world
from heartsrules.views.worlds.counting import ArrangementSampler
from support.history import forgotten
from support.random_play import play_cards
from support.refused_calls import CALLS
from support.serving import OURS, ask_app, endless, reply_of

__all__ = ["refusals"]

Call = Callable[[], object]


def refuse(error: type[InvalidRules | InvalidState | InvalidWire], problems: Iterable[Problem]) -> None:
    """Raise what a caller of the function would raise."""
    raise error(tuple(problems))


# ------------------------------------------------------------------------------------------------------- documents

_MOVE: Final = '{"heartsrules":1,"kind":"move","move":"%s","seat":%s%s}'


_DOCUMENTS: Final[tuple[Call, ...]] = (
    partial(from_json, '{"target":"50"}', Rules),
    partial(from_json, _MOVE % ("expose", 0, ',"cards":"2C 2C 2C"'), Expose),
    partial(_read_answer, b'{"id":2,"ok":true,"result":{}}', 1, Json),
    partial(_read_answer, b'{"novel":1}', 1, Json),
    partial(from_json, _MOVE % ("play", 0, ',"card":"QS"'), Deal),
    lambda: refuse(InvalidWire, [_NOT_WHOLE]),
)
"""`test_refused_documents.py` has the others."""


# ----------------------------------------------------------------------------------------------------------- deals

PASSERS: Final = Rules(pass_optional=PassOptional.SKIP, unpassable="QS")
HELD: Final = attrs.evolve(PASSERS, pass_optional=PassOptional.NO)
SHOWING: Final = Rules(pass_cycle=[()], extra_penalties=[(Card("TD"), 1), (Card("KS"), 1)], exposable="TD QS KS")
IN_TURN: Final = attrs.evolve(SHOWING, exposure=Exposure.IN_TURN)
FEW: Final = Rules(
    players=3,
    removed=Rules().deck - Cards("2C 3C 4C 2D 3D 4D QS KS AS"),
    pass_cycle=[[(1, 3)]],
    extra_penalties=[(Card("KS"), 1), (Card("AS"), 1)],
    exposable="QS KS AS",
    opening_card=OpeningCard.ANY,
    opening_leader=OpeningLeader.DEALER_LEFT,
)
"""Three players with three cards each, who pass them all."""
MOON: Final = Rules(
    players=3,
    removed=Rules().deck - Cards("2S QS AS"),
    pass_cycle=[()],
    opening_card=OpeningCard.ANY,
    opening_leader=OpeningLeader.DEALER_LEFT,
    moon=Moon.CHOICE,
)
"""One trick, in which the ace takes the queen, the only penalty card."""
KITTY: Final = Rules(
    players=3,
    removed=Rules().deck - Cards("2C 3C 4C 5C 2D 3D 4D 5D"),
    hand_size=2,
    kitty=Kitty.FIRST_TRICK,
    kitty_shown_to=KittyShownTo.EVERYBODY,
    pass_cycle=[()],
    target=None,
    max_deals=1,
    moon=Moon.OFF,
)
"""Three players with two cards each, and two cards for whoever wins the first trick."""
SIX: Final = Rules(
    players=3,
    removed=Rules().deck - Cards("2C 3C 4C 2D 3D 4D"),
    pass_cycle=[()],
    opening_card=OpeningCard.ANY,
    opening_leader=OpeningLeader.DEALER_LEFT,
    target=None,
    max_deals=1,
    moon=Moon.OFF,
)
"""Three players with two cards each, none of them a penalty card."""


@cache
def begun(rules: Rules) -> tuple[State, tuple[Event, ...]]:
    """The state after the deal, and what happened."""
    moved = transition(new_game(rules), deal(new_game(rules), seed=6))
    return moved.state, moved.events


def dealt(rules: Rules, hands: str, kitty: str = "") -> tuple[State, tuple[Event, ...]]:
    moved = transition(new_game(rules), Deal(tuple([Cards(hand) for hand in hands.split("|")]), Cards(kitty)))
    return moved.state, moved.events


@cache
def about_to_exchange(rules: Rules) -> tuple[State, tuple[Event, ...]]:
    """The state before the last pass, and what happens then."""
    state, _ = begun(rules)
    for seat in range(rules.players - 1):
        state = apply(state, legal_moves(state, seat)[0])
    return state, transition(state, legal_moves(state, rules.players - 1)[0]).events


def told(state: State, events: Sequence[Event], viewer: Seat | None = 1) -> Call:
    """A view that is carried on."""
    return partial(advance, public_view(state) if viewer is None else view(state, viewer), events)


def changed(events: Iterable[Event], kind: type[Event], **parts: Any) -> list[Event]:
    return [attrs.evolve(event, **parts) if isinstance(event, kind) else event for event in events]


def exchanged(rules: Rules = PASSERS, **parts: Any) -> Call:
    state, events = about_to_exchange(rules)
    return told(state, changed(redact(events, 1), CardsPassedHidden, **parts))


def _views() -> Iterator[Call]:
    """`test_refused_events.py` has the others."""
    yield exchanged(HELD, counts=(3, 3, 0, 3))
    yield exchanged(received=Cards("QS KS AS"))
    few, _ = dealt(FEW, "2C 3C 4C|2D 3D 4D|QS KS AS")
    for seat in range(3):
        few = apply(few, legal_moves(few, seat)[0])
    shown: list[Event] = [ExposureCommittedHidden(0), ExposureCommitted(Expose(1, Cards())), ExposureCommittedHidden(2)]
    yield told(few, [*shown, CardsExposed(2, Cards("QS"))])
    yield partial(sample_world, public_view(forgotten(_playing())), Random(1))
    seen = view(begun(PASSERS)[0], 1)
    assert isinstance(seen, PassingView)
    yield partial(sample_world, replaced(seen, hand=Cards("2C")), Random(1))
    masks = [Cards(cards).lo for cards in ("2C 3C", "3C 4C", "2C 4C")]
    yield partial(ArrangementSampler, [Case([1, 1, 1], Cards("2C 3C 4C"), masks, [0, 0, 0])], 1)


def _playing() -> Playing:
    state: State = begun(Rules(pass_cycle=[()]))[0]
    for _ in range(5):
        state = apply(state, legal_moves(state)[0])
    assert isinstance(state, Playing)
    return state


# ------------------------------------------------------------------------------------------------------------ setups


def _after(cards: str) -> State:
    """The first of two deals after some plays; in the first trick seat 2 shows that it has no club."""
    state, _ = dealt(attrs.evolve(SIX, max_deals=2), "3C 4C|2C 4D|2D 3D")
    return play_cards(state, cards)


def _of_setups() -> Iterator[Call]:
    untold = Setup.of(_playing())
    over = Setup.of(_after("2C 2D 3C 4C 4D 3D"))
    yield partial(format_position, attrs.evolve(untold, deal_number=10**5000))
    yield partial(format_position, attrs.evolve(untold, last_deal=over.last_deal))
    exposing, _ = begun(SHOWING)
    assert isinstance(exposing, Exposing)
    yield partial(format_position, replaced(exposing, commitments=()))
    yield partial(format_record, Record(rules=Rules(), tags=[("no name", ""), ("x" * 100, "")]))
    yield partial(format_record, Record(rules=Rules(), comments=[(3, "")]))
    yield partial(format_record, Record(rules=Rules(), points=[(1, -(10**600))], winners=(10**600,)))


# ----------------------------------------------------------------------------------------------- requests and functions


def _asked(name: str, *keys: str) -> Call:
    return lambda: refuse(InvalidWire, OPERATIONS[name].problems_of_keys(keys))


def _of_requests() -> Iterator[Call]:
    yield _asked("view", "state", "seat", "x")
    yield _asked("legal-moves")
    yield _asked("legal-moves", "state", "view")
    for name in ("whist-hub", "bezique"):
        yield partial(OPERATIONS["preset"].run, name=name)
    for option, value in (("targets", b"1"), ("x", b"1"), ("target", b"60"), ("teams", b"null")):
        yield partial(OPERATIONS["preset"].run, name="leekha", options={option: value})
    yield partial(OPERATIONS["preset"].run, name="dicegamedepot", options={"target": b"null"})
    yield partial(OPERATIONS["judge"].run, state=forgotten(_playing()), move=Play(0, Card("QS")))
    yield partial(OPERATIONS["playability"].run, state=begun(PASSERS)[0])


def _refuse_deal(judge: Callable[[Rules, Deal], Iterable[Problem]], rules: Rules, move: Deal) -> None:
    refuse(InvalidState, judge(rules, move))


def _of_functions() -> Iterator[Call]:
    rules = Rules()
    half = Cards(list(rules.deck)[:26])
    deals = (
        (rules, Deal((half, half), Cards("AH"))),
        (rules, Deal((half - Cards("2C"), Cards("3C"), Cards(), Cards("QS")))),
        (attrs.evolve(rules, removed="2C 3C 2D 3D"), Deal((Cards("2C"),))),
    )
    for by, told_deal in deals:
        yield partial(_refuse_deal, deal_problems, by, told_deal)
        yield partial(_refuse_deal, deal_faults, by, told_deal)
    yield lambda: refuse(InvalidState, back_faults(rules, rules._resolved.nothing, Deal((Cards("2C"),))))
    yield partial(legal_cards, rules, Cards("2C 2C"), trick=[], first_trick=False, hearts_broken=False)
    yield partial(legal_cards, rules, Cards(list(rules.deck)[:14]), first_trick=False, hearts_broken=False)
    yield partial(
        legal_cards,
        attrs.evolve(rules, players=3, removed="2C", pass_cycle=[()]),
        Cards("2C"),
        first_trick=False,
        hearts_broken=False,
    )
    yield partial(legal_cards, rules, Cards("2C"), trick=[Card("2C")], first_trick=False, hearts_broken=False)
    yield partial(
        legal_cards, rules, Cards("2C"), trick=[], exposed=Cards("QS"), first_trick=False, hearts_broken=False
    )
    yield partial(moves_of, forgotten(_playing()))
    yield lambda: Record.of(Game(_playing()))


# -------------------------------------------------------------------------------------------------------- OpenSpiel


class _OtherGame:
    """A game of OpenSpiel that is not Hearts, as far as the bridge looks at it."""

    short_name = "spades"

    def get_type(self) -> _OtherGame:
        return self

    def get_parameters(self) -> dict[str, bool]:
        return {}


def _of_openspiel() -> Iterator[Call]:
    yield partial(openspiel.rules_of, _OtherGame())
    game = Problem.of("no-such-game", ("parameters",), game="harts", reason="Unknown game 'harts'")
    yield lambda: refuse(InvalidRules, [game])
    yield partial(openspiel.rules_of, {"jd_bonuss": True, "x": True})
    yield partial(openspiel.pass_direction_of, Rules(pass_cycle=[[(1, 2), (2, 1)]]))
    yield partial(openspiel.parameters_of, Rules(moon=Moon.OFF))
    yield partial(check_covered, presets.charged_hearts())
    cards = list(range(52))
    for history in ([4], [0, 52], [0, 7, 7], [0, *cards, *cards, 0], [0, *cards, *cards, 0, 1]):
        yield partial(openspiel.replay_history, history, {})
    yield partial(openspiel.actions_of, Pass(0))
    yield partial(openspiel.actions_of, Expose(0, Cards()))
    yield partial(openspiel.actions_of, ChooseMoon(0, Moon.OTHERS_UP))
    yield partial(openspiel.actions_of, Deal(()))
    rules = presets.openspiel(pass_direction="across")
    dealt_ = deal(new_game(rules), seed=1)
    yield partial(openspiel.history_of, rules, [dealt_, Pass(2, Cards(list(dealt_.hands[2])[:3]))])


# ----------------------------------------------------------------------------------------------------- the protocol


def _told_again(body: bytes) -> None:
    """Refuse what the problems of an answer tell."""
    found = [
        Problem(
            each["code"],
            (each["place"],),
            tuple([(name, _param_of(name, _tuples(value))) for name, value in each.get("params", {}).items()]),
            each.get("detail", ""),
        )
        for each in json.loads(body)["problems"]
    ]
    refuse(InvalidWire, found)


def _tuples(value: Any) -> Any:
    return tuple([_tuples(item) for item in value]) if isinstance(value, list) else value


@declare(dict)
def _third_copy() -> Result:
    """Hold a card three times."""
    raise TooManyCopies("2C")


@declare(dict)
def _mistake() -> Result:
    """Do what no operation does."""
    raise KeyError


_BROKEN: Final = {each.name: each for each in (_third_copy, _mistake)}


def _answered(request: str, op: str | None = None, service: Service | None = None) -> None:
    with redirect_stderr(StringIO()):  # where a service tells of a mistake
        answer = (service or Service()).answer(request.encode(), op)
    _told_again(answer.body)


def _requested(limits: HttpLimits | None = None, times: int = 1, **request: Any) -> None:
    app = HttpApp(Service(), limits, clock=lambda: 0)
    replies = [ask_app(app, **request) for _ in range(times)]
    _told_again(replies[-1].content)


def _busy() -> None:
    """A request while the body of another is incomplete."""
    app = HttpApp(Service(), HttpLimits(waiting=1, body_seconds=60))

    async def ask() -> bytes:
        half = asyncio.create_task(reply_of(app, endless()))
        while (reply := await reply_of(app)).status_code == 200:
            await asyncio.sleep(0)
        half.cancel()
        return reply.content

    _told_again(asyncio.run(ask()))


_TOO_MUCH: Final[dict[str, Any]] = {
    "rules": Rules(),
    "captured": (Rules().deck, Cards(), Cards(), Cards()),
    "tricks_won": (13, 0, 0, 0),
    "totals": (0, 2**53 - 1, 0, 0),
}


def _of_the_protocol() -> Iterator[Call]:
    yield partial(_answered, "{}")
    yield partial(_answered, '{"op":7}')
    yield partial(_answered, '{"op":"preset","named":"bicycle"}')
    yield partial(_answered, '{"op":"catalogue","language":"tlh"}')
    yield partial(_answered, '{"op":"view"}', "presets")
    yield partial(_answered, '{"op":"new-gam"}')
    yield partial(_answered, '{"op":"it\'s"}')
    yield partial(_answered, "{}", "presets", Service(max_bytes=1))
    for name in _BROKEN:
        yield partial(_answered, "{}", name, Service(operations=_BROKEN))
    state = new_game(Rules())
    asked = json.loads(example_request(PLAYER_OPERATIONS["choose"])) | {"view": json.loads(to_json(view(state, 0)))}
    yield partial(_answered, json.dumps(asked), "choose", Service(operations=PLAYER_OPERATIONS))
    yield partial(_answered, f'{{"state":{to_json(state).decode()},"seat":4}}', "view")
    yield partial(OPERATIONS["score-deal"].run, **_TOO_MUCH)
    yield partial(OPERATIONS["render"].run, state=state, width=25)
    yield partial(OPERATIONS["render"].run, record=Record(rules=Rules()), form="svg")
    yield partial(OPERATIONS["render"].run, view=public_view(state))
    yield partial(_requested, path="/")
    yield partial(_requested, method="GET")
    yield partial(_requested, headers=[])
    yield partial(_requested, headers=[("host", "")])
    yield partial(_requested, headers=[*OURS, ("content-encoding", "gzip")])
    yield partial(_requested, headers=[*OURS, ("origin", "http://127.0.0.1:8001")])
    yield partial(_requested, HttpLimits(rate=1), times=2)
    yield _busy
    yield lambda: _requested(HttpLimits(body_seconds=0), body=endless())


# ------------------------------------------------------------------------------------------------ logs of turbo-hearts

_SEATS: Final = ("north", "east", "south", "west")


def _logged(*events: Any) -> Call:
    return partial(read_turbo_hearts, "\n".join(map(json.dumps, events)))


def _event(kind: str, **keys: Any) -> dict[str, Any]:
    return {"type": kind, **keys}


def _of_logs() -> Iterator[Call]:
    whole = {name: [f"{rank}{suit}" for rank in "23456789TJQKA"] for name, suit in zip(_SEATS, "CDSH", strict=True)}
    left, keeper = [_event("deal", **{"pass": direction}, **whole) for direction in ("left", "keeper")]
    yield _logged({"kind": "ping"})
    yield _logged(17)
    yield _logged(_event("sit", rules="strict"))
    for cards in (["1C"], [8], ["8C", "8C"], "8C"):
        yield _logged({**left, "north": cards})
    yield _logged(_event("hand_complete", north_score=40_000))
    yield _logged(left, left)
    yield _logged({**left, "north": []})
    yield _logged(_event("recv_pass", to="west", cards=[]))
    tricks = zip(_SEATS * 2, ("2C", "2D", "2S", "2H", "9C", "3D", "3S", "3H"), strict=True)
    plays = [_event("play", seat=seat, card=card) for seat, card in tricks]
    again = _event("play", seat="east", card="4D")
    yield _logged(keeper, _event("charge", seat="north", cards=["TC"]), *plays, again)
    yield _logged(keeper, _event("blind_charge", seat="west", count=1), _event("play", seat="north", card="2C"))
    agreed = [_event("accept_claim", claimer="east", acceptor=name) for name in ("north", "south", "west")]
    yield _logged(agreed[0])
    yield _logged(keeper, _event("claim", seat="east"), *agreed)
    yield _logged(_event("hidden_send_pass"))
    for text in ("x", '{"a" 1}', "[1 2]", "{1:2}", '"x', '"\t"', r'"\x"', "9" * 5000):
        yield partial(read_turbo_hearts, text)


def refusals() -> Iterator[tuple[str, Call]]:
    """What raises an error with problems, and what it is about."""
    yield from [("document", call) for call in _DOCUMENTS]
    yield from [("setup", call) for call in _of_setups()]
    yield from [("request", call) for call in _of_requests()]
    yield from [("function", call) for call in _of_functions()]
    yield from [("view", call) for call in _views()]
    yield from [("openspiel", call) for call in _of_openspiel()]
    yield from [("protocol", call) for call in _of_the_protocol()]
    yield from [("turbo-hearts", call) for call in _of_logs()]
    yield from CALLS
