"""The law of the browser table: in one deal, one person is shown one hand. And nobody plays for another seat, and no
deal is stuck: a state machine of people who try everything, over the real app."""

from __future__ import annotations

from typing import Any

import attrs
import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, precondition, rule, run_state_machine_as_test

from heartsrules import Cards
from heartsrules.apps.table.messages import read_move
from heartsrules.apps.table.protocol import AWAY
from heartsrules.apps.table.room import Room
from heartsrules.apps.table.seats import TableSeat
from heartsrules.apps.table.settings import RoomPace
from heartsrules.apps.table.table import Table
from support.rounds import rounds
from support.tables import rules_of
from support.web_loop import LoopServer, Page
from support.web_player import TINY, first_move, rules_document

pytestmark = pytest.mark.usefixtures("at_once")
SEATS = 4
RULES = rules_of("players=4 first_dealer=3 pass_cycle=L1 max_deals=1000", TINY, deck="2C 3C 4C 5C 2D 3D 2S 3S")
"""Two tricks, after a pass."""
PHASES = ("passing", "exposing", "playing", "choosing-moon")
ADDRESSES = ("192.0.2.1", "192.0.2.2", "192.0.2.3", "192.0.2.3")
"""By person. The last two share a home: they are two people or one, which nobody can know."""
seats = st.integers(0, SEATS - 1)
people = st.integers(0, len(ADDRESSES) - 1)
picks = st.integers(0, 5)


@attrs.define
class Key:
    """A key that somebody was given: its holder is known at the table by a name that nobody else has."""

    person: int
    token: str | None
    name: str
    agreed: set[str] = attrs.Factory(set)
    """The names of those who have consented to it."""
    let_in: bool = False
    """Whether it has got a seat beside another one of its address, as all others wanted it."""

    @property
    def address(self) -> str:
        return ADDRESSES[self.person]


class Strangers(RuleBasedStateMachine):
    """People who try to see more than one hand, by keys, pages and time."""

    def __init__(self) -> None:
        super().__init__()
        self.server = LoopServer(
            pace=RoomPace(play=1, trick=0, deal=1),
            idle_seconds=10**9,
            keep_days=10**5,
            message_burst=10**6,
            hint_worlds=2,
            hint_seconds=None,
        )
        self.keys: dict[str, Key] = {}
        self.pages: list[Page] = []
        self.seated: list[str] = []
        """By seat, who played there at the end of the last step."""
        self.dealt: dict[int, set[str]] = {}
        """By deal, those who had a right to a seat when it was dealt."""
        self.shown: dict[int, dict[int, set[int]]] = {}
        """By deal and person, the seats whose hands this person was shown."""
        self.moved: set[int] = set()
        """The seats that have sent a move, or claimed, since the last step."""
        self.made: set[int] = set()
        """Those of them whose move was made."""
        self.replaced = False
        """Whether somebody has had a bot take the place of another one since the last step, or has voted for it."""
        self.read: dict[int, int] = {}
        self.gone_since: dict[str, float] = {}
        self.asked_since: dict[str, float] = {}
        """When each person was seen to be away, and to be asked for a move, of those who still are."""
        self.stood_in: set[str] = set()
        self.owners: set[str] = set()
        self.claimed = -2
        """The last deal in which somebody has claimed: the server plays it out."""

    @initialize(
        away=st.sampled_from([30, None]),
        friends=st.integers(0, SEATS),
        here=st.booleans(),
        hints=st.sampled_from(["alone", "always"]),
    )
    def open(self, away: int | None, friends: int, here: bool, hints: str) -> None:
        plans = [{"friend": seat < friends} for seat in range(SEATS)]
        body = {"rules": rules_document(RULES), "name": "P0", "seats": plans, "away": away, "hints": hints}
        _, answer = self.server.post("/api/tables", body, ADDRESSES[0])
        self.table = answer["table"]
        self.patience = AWAY if away is None else away
        self.by_time = away is not None
        self.keys["P0"] = Key(0, answer["token"], "P0")
        self.observer = self.server.visit(self.table, "192.0.2.99", None)
        self.step()
        if here:
            self.open_page(self.keys["P0"])
        if here and friends == 1:
            self.ask(0, {"type": "start"})

    @rule(person=people, seat=st.none() | seats)
    def ask_for_a_seat(self, person: int, seat: int | None) -> None:
        name = f"P{len(self.keys)}"
        path = f"/api/tables/{self.table}/seats"
        status, answer = self.server.post(path, {"name": name, "seat": seat}, ADDRESSES[person])
        if status == 201:
            self.keys[name] = Key(person, answer["token"], name)
        self.step()

    @rule(key=st.integers(0, 11), watch=st.booleans(), person=people)
    def open_a_page(self, key: int, watch: bool, person: int) -> None:
        keys = list(self.keys.values())
        own = keys[-1 - key % len(keys)]
        self.open_page(Key(person, None, "") if watch else own)

    def open_page(self, key: Key) -> None:
        self.pages.append(self.server.visit(self.table, key.address, key.token))
        self.step()

    @precondition(lambda self: self.pages)
    @rule(pick=picks)
    def close_a_page(self, pick: int) -> None:
        page = self.pages.pop(pick % len(self.pages))
        page.close()
        self.server.settle()
        self.read.pop(id(page), None)
        self.step()

    @precondition(lambda self: self.pages)
    @rule(pick=picks)
    def begin(self, pick: int) -> None:
        self.ask(pick, {"type": "start"})

    @precondition(lambda self: self.pages)
    @rule(
        pick=picks,
        seat=seats,
        kind=st.sampled_from(["stand-in", "vote", "agree", "agree", "fill", "leave", "back", "undo", "go-on", "again"]),
        yes=st.booleans(),
    )
    def ask_something(self, pick: int, seat: int, kind: str, yes: bool) -> None:
        more: dict[str, dict[str, Any]] = {
            "stand-in": {"seat": seat},
            "vote": {"seat": seat, "wanted": yes},
            "agree": {"seat": seat, "agreed": yes or seat > 0},
            "fill": {"seat": seat, "level": "beginner", "friend": yes},
        }
        self.ask(pick, {"type": kind, **more.get(kind, {})})

    @precondition(lambda self: self.pages)
    @rule(pick=picks, claim=st.booleans())
    def play(self, pick: int, claim: bool) -> None:
        now = self.pages[pick % len(self.pages)].last("view")
        if now is None or not now["choice"]["mine"]:
            return
        if claim and now["choice"].get("claim"):
            answer = self.ask(pick, {"type": "claim", "ply": now["ply"]})
            if answer is not None and answer["type"] == "accepted":
                self.claimed = now["view"]["deal_number"]
            return
        self.ask(pick, {"type": "move", "ply": now["ply"], "move": first_move(now)})

    @precondition(lambda self: self.pages)
    @rule(pick=picks, other=picks)
    def play_for_another_seat(self, pick: int, other: int) -> None:
        page, others = self.pages[pick % len(self.pages)], self.pages[other % len(self.pages)]
        now, described = others.last("view"), page.last("table")
        if now is None or not now["choice"]["mine"] or described is None or described["seat"] == now["view"]["seat"]:
            return
        answer = self.ask(pick, {"type": "move", "ply": now["ply"], "move": first_move(now)})
        assert answer is None or answer["type"] == "refused", "somebody has played for another seat"

    @precondition(lambda self: self.pages)
    @rule(pick=picks, kind=st.sampled_from(["hint", "choose"]), other=picks)
    def ask_what_to_play(self, pick: int, kind: str, other: int) -> None:
        now = self.pages[other % len(self.pages)].last("view")
        if now is None or not now["choice"]["mine"]:
            return
        move = {"move": first_move(now)} if kind == "choose" else {}
        self.ask(pick, {"type": kind, "ply": now["ply"], **move})

    @rule(seconds=st.sampled_from([0.3, 1, 1, 1, 2, 29, 30, 120]))
    def wait(self, seconds: float) -> None:
        self.server.advance(seconds)
        self.step()

    @rule(count=st.integers(1, 12))
    def let_bots_play(self, count: int) -> None:
        for _ in range(count):
            self.server.advance(1)
            self.step()

    @precondition(lambda self: self.pages)
    @rule()
    def restart(self) -> None:
        self.server.restart(*self.pages, self.observer)
        self.pages.clear()
        self.read.clear()
        self.observer = self.server.visit(self.table, "192.0.2.99", None)
        self.step()

    def ask(self, pick: int, message: dict[str, Any]) -> dict[str, Any] | None:
        """Send a request from a page: the answer, if there is any."""
        page = self.pages[pick % len(self.pages)]
        described, begun = page.last("table"), len(page.messages)
        number = page.send(message)
        if message["type"] in ("move", "claim") and described is not None and described["seat"] is not None:
            self.moved.add(described["seat"])
        newcomers = self.newcomers
        self.server.settle()
        answer = next((each for each in page.messages[begun:] if each.get("id") == number), None)
        if message["type"] in ("move", "claim") and answer is not None and answer["type"] == "accepted":
            self.made |= self.moved
        self.replaced = message["type"] in ("vote", "stand-in")
        if message["type"] == "agree" and answer is not None and answer["type"] == "accepted":
            self.keys[newcomers[message["seat"]]].agreed.add(self.name_of(page))
        self.step()
        return answer

    def told(self, kind: str) -> dict[str, Any]:
        """The last message of a kind that somebody is sent who only watches."""
        message = self.observer.last(kind)
        assert message is not None
        return message

    def name_of(self, page: Page) -> str:
        return next((key.name for key in self.keys.values() if key.token == page.token), "")

    def hand_of(self, page: Page) -> Cards:
        """The hand of the seat of a page, as the page itself was shown it."""
        now = page.last("view")
        return Cards(now["view"].get("hand", "")) if now is not None else Cards()

    @property
    def newcomers(self) -> dict[int, str]:
        return {each["seat"]: each["name"] for each in self.told("table")["newcomers"]}

    def step(self) -> None:
        """Look at all that was told since the last step."""
        described, now = self.told("table"), self.told("view")
        if _taken_back(self.observer.messages[self.read.get(id(self.observer), 0) :]):
            self.dealt.pop(0, None)
            self.shown.pop(0, None)
        self.look_at_seats(described, now["view"])
        for page in self.pages:
            self.look_at_views(page)
        self.look_at_moves(described)
        self.look_at_absences(described, now["choice"]["to_act"])
        self.seated = [each["name"] if each["kind"] == "person" else "" for each in described["people"]]
        self.moved.clear()
        self.made.clear()
        self.replaced = False

    def look_at_seats(self, described: dict[str, Any], seen: dict[str, Any]) -> None:
        """Whoever gets a seat beside another one of their address has the consent of the others."""
        holders = [each["name"] if each["kind"] == "person" else "" for each in described["people"]]
        owners = {each["owner"] for each in described["people"] if each["owner"]}
        deal = seen["deal_number"]
        new = self.observer.messages[self.read.get(id(self.observer), 0) :]
        notes = [message["note"] for message in new if message["type"] == "note"]
        together = {note["name"] for note in notes if note["why"] == "together"}
        if seen["phase"] in PHASES and deal not in self.dealt:
            self.dealt[deal] = {*holders, *owners}
        before = self.seated or [""] * SEATS
        for seat, name in enumerate(holders):
            if not name or name in before or self.keys[name].let_in or name in owners:
                continue
            key = self.keys[name]
            others = [each for at, each in enumerate(before) if at != seat and each in holders and each]
            near = [each for each in others if self.keys[each].address == key.address]
            if near:
                asked = described["started"] and name not in together
                needed = {each for each in others if asked or self.keys[each].address != key.address}
                assert needed <= key.agreed, f"{name} has got a seat without the consent of {needed - key.agreed}"
                key.let_in = True

    def look_at_views(self, page: Page) -> None:
        """A page is shown the hand of its own seat alone, dealt when its key had a right to the seat."""
        new = page.messages[self.read.get(id(page), 0) :]
        for message in new[_taken_back(new) :]:
            if message["type"] in ("hint", "options"):
                assert self.hand_of(page) >= _cards_named(message), "a page was told of cards that it does not hold"
            if message["type"] != "view":
                continue
            seen = message["view"]
            if seen["seat"] is None:
                assert not seen.get("hand")
                continue
            name, deal = self.name_of(page), seen["deal_number"]
            assert name, "a page without a key was shown a hand"
            if seen["phase"] not in PHASES:
                continue
            assert name in self.dealt.get(deal, {name}), f"{name} was shown a hand that was dealt before they came"
            person = self.keys[name].person
            shown = self.shown.setdefault(deal, {}).setdefault(person, set())
            shown.add(seen["seat"])
            alone = len(shown) == 1 or any(key.let_in for key in self.keys.values() if key.person == person)
            assert alone, f"person {person} was shown the hands of {shown} in deal {deal}"
        self.read[id(page)] = len(page.messages)

    def look_at_moves(self, described: dict[str, Any]) -> None:
        """Nobody moves for somebody who is here, or away for less than the time that the host chose."""
        start = self.read.get(id(self.observer), 0)
        for message in self.observer.messages[start:]:
            for event in message["events"] if message["type"] == "view" else []:
                if event["code"] not in ("card-played", "pass-committed-hidden"):
                    continue
                seat = event["seat"]
                person = described["people"][seat]
                same = self.seated and self.seated[seat] == person["name"] and not person["stand_in"]
                claimed = message["view"]["deal_number"] in (self.claimed, self.claimed + 1)
                assert not same or seat in self.moved or claimed, f"somebody has played for seat {seat}"
        self.read[id(self.observer)] = len(self.observer.messages)

    def look_at_absences(self, described: dict[str, Any], acting: list[int]) -> None:
        """Nobody gets a bot who has not been away, or idle, for the time that the host chose."""
        now = self.server.clock.seconds
        persons = {each["name"]: each for each in described["people"] if each["kind"] == "person"}
        stood_in = {name for name, each in persons.items() if each["stand_in"]}
        for name in stood_in - self.stood_in:
            since = min(self.gone_since.get(name, now), self.asked_since.get(name, now))
            returned = name in self.owners  # the seat was given back to somebody who is away
            assert returned or now - since >= self.patience, f"a bot plays for {name} after {now - since} seconds"
            assert returned or self.by_time or self.replaced, f"a bot plays for {name}, which the host did not want"
        self.stood_in = stood_in
        gone = {name for name, each in persons.items() if not each["here"]}
        asked = ({described["people"][seat]["name"] for seat in acting} & set(persons)) - stood_in
        self.owners = {each["owner"] for each in persons.values() if each["owner"]}
        self.gone_since = {name: self.gone_since.get(name, now) for name in gone}
        self.asked_since = {name: self.asked_since.get(name, now) for name in asked - self.movers(described)}

    def movers(self, described: dict[str, Any]) -> set[str]:
        return {described["people"][seat]["name"] for seat in self.made}

    def teardown(self) -> None:
        """No deal is stuck: it ends when all people go, or come back and play if no bot may play for them."""
        try:
            if hasattr(self, "table"):
                self.finish_the_deal()
        finally:
            self.server.close(*self.pages, *([self.observer] if hasattr(self, "observer") else []))

    def finish_the_deal(self) -> None:
        described, now = self.told("table"), self.told("view")
        if not described["started"] or now["view"]["phase"] == "game-over":
            return
        deal, away = now["view"]["deal_number"], self.observer.messages[0]["away"]
        if away is None:
            for key in list(self.keys.values()):
                self.pages.append(self.server.visit(self.table, key.address, key.token))
        else:
            for page in self.pages:
                page.close()
            self.server.settle()
            self.pages.clear()
            self.step()  # sees since when they are away
            self.server.advance(away)
        self.step()
        for _ in range(60):
            for page in self.pages:
                own = page.last("view")
                if own is not None and own["choice"]["mine"] and not page.closed:
                    seat = (page.last("table") or {})["seat"]
                    self.moved.add(seat)
                    self.made.add(seat)
                    page.send({"type": "move", "ply": own["ply"], "move": first_move(own)})
                    self.server.settle()
                    self.step()
            self.server.advance(1)
            self.step()
            now = self.told("view")
            if now["view"]["deal_number"] > deal or now["view"]["phase"] == "game-over":
                return
        raise AssertionError(f"deal {deal} is stuck: {described}")


def _taken_back(messages: list[dict[str, Any]]) -> int:
    """The number of messages before the first deal, or before it was taken back for the last time."""
    views = [message["view"] if message["type"] == "view" else {} for message in messages]
    first = [view.get("phase") == "awaiting-deal" and view["deal_number"] == 0 for view in views]
    return len(first) - first[::-1].index(True) if True in first else 0


def _cards_named(message: dict[str, Any]) -> Cards:
    """The cards of a hand that an answer names."""
    if message["type"] == "options":
        return Cards(" ".join(card for against in message["options"]["cards"] for card in against)).distinct()
    move = message["move"]
    return Cards(" ".join(move.get("cards", [move.get("card", "")])))


SETTINGS = settings(
    max_examples=rounds(25),
    stateful_step_count=40,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
)
TestStrangers = Strangers.TestCase
TestStrangers.settings = SETTINGS


async def seat_at_once(room: Room, seat: int) -> None:
    """A fault: newcomers are seated in mid-deal."""
    newcomer = room.table.seats[seat].newcomer
    assert newcomer is not None
    await room._change_seat(seat, room.table.admitted(seat, newcomer))


async def sit_and_see(self: Room, name: str, wanted: int | None, *more: str) -> tuple[int, str, bool]:
    seat, token, waits = await SIT(self, name, wanted, *more)
    if waits and not self.table.consent_needed(seat):
        await self.do(lambda: seat_at_once(self, seat))
    return seat, token, False


def whatever_the_host_wants(self: Room, now: float) -> None:
    away, self.table.away = self.table.away, AWAY
    REPLACE(self, now)
    self.table.away = away


SIT = Room.sit
REPLACE = Room._replace_who_is_away
FAULTS: dict[str, tuple[type, str, object]] = {
    "a newcomer sees the hand of the deal": (Room, "sit", sit_and_see),
    "an address may have two seats": (Table, "consent_needed", lambda *_: set()),
    "a bot stands in at once": (Room, "_long_gone", lambda self, seat, _: seat in self._left_at),
    "a bot stands in by time against the wish of the host": (Room, "_replace_who_is_away", whatever_the_host_wants),
    "a move for another seat": (Table, "_own_move", lambda _, __, tried: read_move(bytes(tried.move))),
    "no bot plays for absent people": (TableSeat, "automatic", property(lambda self: self.kind == "bot")),
}


@pytest.mark.long
@pytest.mark.parametrize("fault", FAULTS)
def test_the_machine_notices_a_fault(fault: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(*FAULTS[fault])
    hard = settings(SETTINGS, max_examples=400, phases=[Phase.generate], database=None, derandomize=True)
    with pytest.raises((AssertionError, BaseExceptionGroup)):
        run_state_machine_as_test(Strangers, settings=hard)
