"""The command that starts the server, and what only a real connection shows."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import httpx2
import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import ClientConnection, connect
from websockets.typing import Origin

from heartsrules import GameOver, Rules
from support.web_player import first_move, rules_document, states_of
from support.web_process import served

RULES = Rules(max_deals=2, target=None)


def opened(url: str, play: bool = True) -> dict[str, Any]:
    answer = httpx2.post(f"{url}api/tables", json={"rules": rules_document(RULES), "name": "Ann", "play": play})
    assert answer.status_code == 201, answer.text
    table: dict[str, Any] = answer.json()
    return table


@contextmanager
def connected(address: str, table: dict[str, Any], **options: Any) -> Iterator[ClientConnection]:
    with connect(f"ws://{address}/api/tables/{table['table']}/socket", **options) as socket:
        socket.send(json.dumps({"type": "hello", "token": table["token"]}))
        yield socket


def next_view(socket: ClientConnection) -> dict[str, Any]:
    while True:
        message: dict[str, Any] = json.loads(socket.recv(timeout=30))
        assert message["type"] != "refused", message
        if message["type"] == "view":
            return message


@pytest.mark.long
def test_a_server_that_is_killed_again_and_again_loses_no_move(tmp_path: Path) -> None:
    acknowledged = 0
    kills = 0
    with served(tmp_path) as server, ExitStack() as sockets:
        table = opened(server.url)
        socket = sockets.enter_context(connected(server.address, table))
        socket.send(json.dumps({"type": "start", "id": 0}))
        now = next_view(socket)
        answered = -1
        while now["view"]["phase"] != "game-over":
            acknowledged = now["ply"]
            if not now["choice"]["mine"] or now["since"] <= answered:
                now = next_view(socket)
                continue
            answered = now["ply"]
            socket.send(json.dumps({"type": "move", "id": 1, "ply": now["ply"], "move": first_move(now)}))
            if kills < 4 and acknowledged > 15 * (kills + 1):
                kills += 1
                server.kill()
                server.start()
                socket = sockets.enter_context(connected(server.address, table))
                answered = -1  # whether the move arrived is for the server to say
                now = next_view(socket)
                assert now["ply"] >= acknowledged
                continue
            now = next_view(socket)
    assert kills == 4
    states = states_of(server.database, table["table"])
    assert isinstance(states[-1], GameOver)
    assert len(states) - 1 == now["ply"]


@pytest.mark.long
def test_an_oversized_message_is_cut_off_and_the_table_goes_on(tmp_path: Path) -> None:
    with served(tmp_path) as server:
        table = opened(server.url)
        with connected(server.address, table) as socket:
            next_view(socket)
            socket.send("x" * 1_000_000)
            with pytest.raises(ConnectionClosed) as closed:
                next_view(socket)
            assert closed.value.rcvd is not None
            assert closed.value.rcvd.code == 1009
        with connected(server.address, table) as socket:
            assert next_view(socket)["view"]["phase"] == "awaiting-deal"


def test_another_origin_and_another_host_are_refused(tmp_path: Path) -> None:
    with served(tmp_path) as server:
        table = opened(server.url)
        with (
            pytest.raises(InvalidStatus) as refused,
            connected(server.address, table, origin=Origin("http://evil.example")),
        ):
            pass
        assert refused.value.response.status_code == 403
        assert httpx2.get(server.url, headers={"host": "rebound.example"}).status_code == 400
        headers = httpx2.get(server.url).headers
        assert "default-src 'none'" in headers["content-security-policy"]
        assert "server" not in headers
