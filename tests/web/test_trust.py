"""Who may see a hand: newcomers, stand-ins, votes and what everybody is told of them, one by one."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import attrs
from starlette.testclient import TestClient

from heartsrules import Rules
from heartsrules.apps.table.protocol import AWAY
from heartsrules.rules import Tie, left
from support import web_player as W

RULES = attrs.evolve(W.tiny("2C 3C 2D 3D 2S 3S"), max_deals=1000)
"""Two tricks of three cards."""


def until(player: W.Player, seen: Any) -> dict[str, Any]:
    """Wait until a page is told so of who plays."""
    while not seen(player.described):
        player.until("table")
    return player.described


def notes(player: W.Player) -> list[tuple[str, str, str]]:
    told = [message["note"] for message in player.received if message["type"] == "note"]
    return [(note["code"], note["name"], note["why"]) for note in told]


def log_of(player: W.Player) -> list[Any]:
    """The log that a page was last sent, by the codes of its lines."""
    while not any(message["type"] == "log" for message in player.received):
        player.receive()
    entries = next(message for message in reversed(player.received) if message["type"] == "log")["entries"]
    return [
        code
        for entry in entries
        for code in ([entry["note"]["code"]] if entry["note"] else [each["code"] for each in entry["events"]])
    ]


def test_whoever_comes_from_an_address_that_plays_is_let_in_by_all_others(client: TestClient) -> None:
    rules = attrs.evolve(W.tiny("2C 3C 2D 3D 2S 3S"), players=3, max_deals=1000)
    table, token = W.open_table(client, rules)
    home = W.visitor(client, "192.0.2.7")
    with W.sit(client, table, token) as ann, W.sit(home, table, W.take_seat(home, table)) as bob:
        ann.ask({"type": "start"})
        W.play_a_card(ann, bob)
        answer = W.ask_for_seat(home, table, 2, "Kim").json()
        with W.sit(home, table, answer["token"]) as kim:
            assert until(ann, lambda told: told["newcomers"])["newcomers"] == [
                {"seat": 2, "name": "Kim", "near": [1], "asked": [0, 1]}
            ]
            assert kim.ask({"type": "agree", "seat": 2})["code"] == "not-asked"
            assert bob.ask({"type": "agree", "seat": 2})["type"] == "accepted"
            assert bob.ask({"type": "agree", "seat": 1})["code"] == "not-asked"
            W.play_deal(ann, bob)
            assert kim.described["seat"] is None, "Bob has, who may be the same person"
            assert ann.ask({"type": "agree", "seat": 2})["type"] == "accepted"
            W.play_deal(ann, bob)
            told = until(kim, lambda told: told["seat"] == 2)
            assert [person["near"] for person in told["people"]] == [[], [2], [1]]
            assert ("seat-taken", "Kim", "consent") in notes(ann)


def test_before_the_game_people_at_other_addresses_agree_to_a_second_seat(client: TestClient) -> None:
    with W.hosted(client, RULES) as (table, _, ann):
        home = W.visitor(client, "192.0.2.7")
        assert not W.ask_for_seat(home, table, None, "Bob").json()["waits"], "an address has one seat without asking"
        assert client.get(f"/api/tables/{table}").json()["people"][1]["near"] == []
        assert W.ask_for_seat(home, table, None, "Kim").json()["waits"]
        assert ann.ask({"type": "agree", "seat": 2})["type"] == "accepted"
        told = until(ann, lambda told: told["people"][2]["kind"] == "person")
        assert [person["near"] for person in told["people"]] == [[], [2], [1]]
    house, _ = W.open_table(client, RULES)
    W.take_seat(client, house)
    assert [person["near"] for person in client.get(f"/api/tables/{house}").json()["people"]] == [[1], [0], []]


def test_people_of_one_house_start_together_until_a_card_is_played(tmp_path: Path) -> None:
    rules = attrs.evolve(RULES, pass_cycle=(left(1),))
    with W.server(tmp_path) as client, W.hosted(client, rules) as (table, _token, ann):
        ann.ask({"type": "start"})
        ann.until_turn()
        answer = W.ask_for_seat(client, table, 1, "Bea").json()
        with W.sit(client, table, answer["token"]) as bea:
            until(bea, lambda told: told["seat"] == 1)
            bea.until_turn()
            assert (bea.now["view"]["deal_number"], len(bea.now["view"]["hand"].split())) == (0, 2)
            assert log_of(sit_again(client, table, answer["token"])).count("cards-dealt-hidden") == 1
            W.play_a_card(ann, bea)
            assert ("seat-taken", "Bea", "together") in notes(ann)
            cid = W.ask_for_seat(client, table, 2, "Cid").json()
            with W.sit(client, table, cid["token"]):
                assert until(ann, lambda told: told["newcomers"])["newcomers"][0]["asked"] == [0, 1]
    with W.server(tmp_path) as client, W.sit(client, table, answer["token"]) as bea:
        assert bea.now["view"]["seat"] == 1, "what was taken back is not there after a restart"


def test_who_has_given_up_a_seat_has_it_back_unless_somebody_new_is_at_the_address(tmp_path: Path) -> None:
    with W.server(tmp_path) as client, W.hosted(client, RULES) as (table, token, ann):
        home = W.visitor(client, "192.0.2.7")
        cid_token = W.take_seat(home, table, "Cid")
        again = {"name": "Ann", "seat": 0, "token": token}
        with W.sit(home, table, cid_token) as cid:
            ann.ask({"type": "start"})
            W.play_a_card(ann, cid)
            ann.leave()
            answer = client.post(f"/api/tables/{table}/seats", json=again).json()
            assert answer == {"seat": 0, "token": token, "waits": False}
            with W.sit(client, table, token) as back:
                assert back.now["view"]["seat"] == 0
                assert not cid.described["newcomers"], "nobody is asked"
                back.leave()
            zoe_token = W.ask_for_seat(client, table, 2, "Zoe").json()["token"]
            with W.sit(client, table, zoe_token) as zoe:
                W.play_deal(cid)
                until(zoe, lambda told: told["seat"] == 2)
                assert client.post(f"/api/tables/{table}/seats", json=again).json()["waits"]
                assert until(cid, lambda told: told["newcomers"])["newcomers"][0]["asked"] == [1, 2]


def test_people_at_one_address_have_one_vote_and_newcomers_none_in_their_first_deal(tmp_path: Path) -> None:
    clock = W.SetClock()
    with W.server(tmp_path, clock) as client, ExitStack() as pages:
        table, token = W.open_table(client, Rules(max_deals=1, target=None), away=None)
        home, cid_home = W.visitor(client, "192.0.2.7"), W.visitor(client, "192.0.2.8")
        tokens = [W.take_seat(home, table, "Bob"), W.take_seat(cid_home, table, "Cid")]
        kim = W.ask_for_seat(home, table, None, "Kim").json()["token"]
        ann, cid = [
            pages.enter_context(W.sit(*each)) for each in ((client, table, token), (cid_home, table, tokens[1]))
        ]
        for page in (ann, cid):
            page.ask({"type": "agree", "seat": 3})
        bob, second = [pages.enter_context(W.sit(home, table, each)) for each in (tokens[0], kim)]
        ann.ask({"type": "start"})
        ann.until_turn()
        clock.advance(AWAY)  # nobody has passed
        until(bob, lambda told: (0, 2) in [(each["seat"], each["needed"]) for each in told["absent"]])
        for page in (bob, second):
            assert page.ask({"type": "vote", "seat": 0})["type"] == "accepted"
        assert not bob.described["people"][0]["stand_in"], "Bob and Kim count as one of two"
        assert cid.ask({"type": "vote", "seat": 0})["type"] == "accepted"
        assert until(bob, lambda told: told["people"][0]["stand_in"])


def test_who_plays_on_from_the_address_of_another_one_is_said(client: TestClient) -> None:
    table, token = W.open_table(client, RULES)
    home = W.visitor(client, "192.0.2.7")
    bob_token = W.take_seat(home, table)
    with W.sit(client, table, token) as ann:
        ann.ask({"type": "start"})
        with W.sit(client, table, bob_token) as bob:
            assert bob.now["view"]["seat"] == 1
            told = until(ann, lambda told: told["people"][1]["near"])
            assert [person["near"] for person in told["people"]] == [[1], [0], []]
            assert notes(ann)[-1][:2] == ("near", "Bob")


def test_the_log_is_what_each_page_was_told_from_the_start(tmp_path: Path) -> None:
    """Whoever has seen everything, and whoever comes late with the same knowledge, have the same entries, also after a
    restart, and without what was taken back."""

    def entries(messages: Iterable[dict[str, Any]]) -> list[Any]:
        return [entry for each in messages for entry in ([each["note"]] if each.get("note") else each["events"])]

    def lived(player: W.Player) -> list[Any]:
        return entries(message for message in player.received if message["type"] in ("view", "note"))

    def logged(client: TestClient, table: str, token: str | None) -> list[Any]:
        page = sit_again(client, table, token)
        return entries(next(message for message in page.received if message["type"] == "log")["entries"])

    rules = Rules(max_deals=1, target=None, tie=Tie.SHARED)
    with (
        W.server(tmp_path) as client,
        W.hosted(client, rules) as (table, token, ann),
        W.sit(client, table, None) as watcher,
    ):
        ann.ask({"type": "start"})
        W.play_a_card(ann)
        with W.sit(client, table, W.ask_for_seat(client, table, 1, "Kim").json()["token"]) as kim:
            ann.ask({"type": "agree", "seat": 1, "agreed": False})
            assert kim.until("refused")["message"] == "the others did not agree"
        assert until(ann, lambda told: not told["newcomers"])["people"][1]["name"] == "Bruno"
        ann.play_on()
        watcher.play_on()
        assert [logged(client, table, key) for key in (token, None)] == [lived(ann), lived(watcher)]
        assert {"cards-dealt-hidden", "seat-declined", "deal-scored"} <= {each["code"] for each in lived(ann)}
        assert [each["seat"] for each in lived(ann) if each["code"] == "pass-committed"] == [0]
        assert "pass-committed" not in {each["code"] for each in lived(watcher)}
    with W.server(tmp_path) as client:
        assert logged(client, table, token) == lived(ann)


def test_a_move_taken_back_is_taken_out_of_the_log(client: TestClient) -> None:
    with W.hosted(client, Rules(max_deals=1, target=None, pass_cycle=((),))) as (table, token, ann):
        ann.ask({"type": "start"})
        ann.until_turn()
        before = log_of(sit_again(client, table, token))
        ann.make_move()
        ann.ask({"type": "undo"})
        assert log_of(ann) == before


def sit_again(client: TestClient, table: str, token: str | None) -> W.Player:
    """A page that has been told everything, and is closed."""
    with W.sit(client, table, token) as page:
        log_of(page)
        return page


def test_a_newcomer_is_told_no_private_line_of_earlier_deals(client: TestClient) -> None:
    table, token = W.open_table(client, attrs.evolve(RULES, pass_cycle=(left(1),)))
    home = W.visitor(client, "192.0.2.7")
    with W.sit(client, table, token) as ann:
        ann.ask({"type": "start"})
        W.play_a_card(ann)
        with W.sit(home, table, W.ask_for_seat(home, table, 1, "Eve").json()["token"]) as eve:
            W.play_deal(ann)
            until(eve, lambda told: told["seat"] == 1)
            while [message["type"] for message in eve.received].count("log") < 2:
                eve.receive()  # when she came, and when she got the seat
            assert "pass-committed-hidden" in log_of(eve)
            assert "pass-committed" not in log_of(eve)
            assert "pass-committed" in log_of(sit_again(client, table, token))
