"""What follows a match: its record as a file, and another game with the same people. And who is called what."""

from __future__ import annotations

from pathlib import Path

from heartsrules import Rules
from heartsrules.formats.wire import from_json
from heartsrules.play.game import Record, verify
from heartsrules.rules import HOLD
from support.web_player import open_table, server, sit, states_of, take_seat

SHORT = Rules(players=3, removed="2D", max_deals=1, target=None, pass_cycle=(HOLD,))


def test_the_record_of_a_match_is_a_file_once_it_is_over(tmp_path: Path) -> None:
    with server(tmp_path) as client:
        table, token = open_table(client, SHORT)
        with sit(client, table, token) as ann:
            ann.send({"type": "start", "id": 1})
            refused = client.get(f"/api/tables/{table}/record")
            assert (refused.status_code, refused.json()["code"]) == (409, "not-over")
            ann.play_on()
        answer = client.get(f"/api/tables/{table}/record")
        assert client.get("/api/tables/nowhere/record").status_code == 404
    assert answer.headers["content-disposition"] == 'attachment; filename="hearts.json"'
    record: Record = from_json(answer.content, Record)
    assert verify(record).valid
    assert verify(record).finished
    assert record.tags == (("Seat0", "Ann"), ("Seat1", "Bruno"), ("Seat2", "Carla"))
    states = states_of(tmp_path / "tables.sqlite3", table)
    assert record.points == tuple([score.points for score in states[-1].score_sheet])


def test_the_same_people_play_again_with_the_same_tokens(tmp_path: Path) -> None:
    with server(tmp_path) as client:
        table, token = open_table(client, SHORT)
        other = take_seat(client, table)
        with sit(client, table, token) as ann, sit(client, table, other) as bob, sit(client, table, None) as watcher:
            assert ann.ask({"type": "again"})["code"] == "not-over"
            ann.send({"type": "start", "id": 0})
            while ann.now["view"]["phase"] != "game-over":
                for player in (ann, bob):
                    if player.asked:
                        player.play_one()
                        break
                else:
                    ann.until("view")
                for player in (ann, bob):
                    player.catch_up(max(ann.now["ply"], bob.now["ply"]))
            assert watcher.ask({"type": "again"})["code"] == "spectator"
            # Whoever asks first is the host of the next game; to ask again opens no other one.
            assert bob.ask({"type": "again"})["type"] == "accepted"
            assert ann.ask({"type": "again"})["type"] == "accepted"
            (following,) = {message["next"] for message in ann.received if message.get("next")}
        with sit(client, following, other) as bob:
            told = [message for message in bob.received if message["type"] == "table"][-1]
            assert (told["seat"], told["host"], told["started"]) == (1, 1, False)
            assert [person["name"] for person in told["people"]] == ["Ann", "Bob", "Carla"]
            with sit(client, following, token) as ann:
                assert bob.ask({"type": "start"})["type"] == "accepted"
                assert ann.until("view")["view"]["phase"] == "playing"


def test_alone_with_bots_the_next_game_begins_at_once(tmp_path: Path) -> None:
    with server(tmp_path) as client:
        table, token = open_table(client, SHORT)
        with sit(client, table, token) as ann:
            ann.send({"type": "start", "id": 0})
            ann.play_on()
            ann.ask({"type": "again"})
            (following,) = {message["next"] for message in ann.received if message.get("next")}
        with sit(client, following, token) as ann:
            assert ann.play_on()["view"]["phase"] == "game-over"


def test_two_people_of_the_same_name_are_told_apart(tmp_path: Path) -> None:
    with server(tmp_path) as client:
        table, token = open_table(client, Rules())
        for name in ("ann", "Dario", "Ann"):
            take_seat(client, table, name)
        with sit(client, table, token) as ann:
            told = [message for message in ann.received if message["type"] == "table"][-1]
            assert [person["name"] for person in told["people"]] == ["Ann", "ann (2)", "Dario (2)", "Ann (3)"]
        answer = client.post(f"/api/tables/{table}/seats", json={"name": "An\u200bn"})
        assert answer.json()["code"] == "bad-name"
