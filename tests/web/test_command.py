"""`heartsrules table`: its options, its errors and how it ends; and that the table is an app on the public API."""

from __future__ import annotations

import ast
import importlib
import os
import re
import signal
import socket
import sys
from pathlib import Path
from typing import Any

import httpx2
import pytest
import uvicorn
from starlette.testclient import TestClient

import heartsrules
import heartsrules.apps.table
from heartsrules.apps.command_line.table import print_code
from heartsrules.apps.table.addresses import lan_addresses, qr_text
from support import commands
from support.web_process import served

ROOT = Path(__file__).resolve().parents[2]
SOURCE = Path(heartsrules.apps.table.__file__).parent


def run(*arguments: str) -> tuple[int, str, str]:
    """Run `heartsrules table`, and return its exit code, stdout, and stderr in one line."""
    code, out, err = commands.run("table", *arguments, COLUMNS="200")
    return code, out, " ".join(err.split())


def reaches_itself_by_ipv6() -> bool:
    """Whether this machine has IPv6."""
    try:
        socket.create_server(("::1", 0), family=socket.AF_INET6).close()
    except OSError:
        return False
    return True


class Started:
    """What a server was started with; it serves nobody."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.sockets: list[tuple[Any, ...]] = []
        self.app: Any = None
        """What it would have served, with all that uvicorn puts around it."""

        def serve(server: uvicorn.Server, sockets: list[socket.socket]) -> None:
            server.config.load()
            self.app = server.config.loaded_app
            self.sockets += [each.getsockname() for each in sockets]

        monkeypatch.setattr(uvicorn.Server, "run", serve)
        # It would close every handler of the process, those of other tests as well.
        monkeypatch.setattr(uvicorn.Config, "configure_logging", lambda _: None)


def test_it_listens_to_this_machine_alone_or_an_inherited_socket_and_says_where(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    started = Started(monkeypatch)
    code, out, err = run("--port", "0", "--database", str(tmp_path / "kept"))
    ((host, port),) = started.sockets
    assert host == "127.0.0.1"
    assert (code, out, err) == (0, f"Hearts tables at http://127.0.0.1:{port}/ (stop with Ctrl-C)\n", "")
    with socket.create_server(("127.0.0.1", 0)) as mine:
        assert run("--fd", str(os.dup(mine.fileno())), "--database", str(tmp_path / "kept"))[0] == 0
        assert started.sockets[1:] == [mine.getsockname()]


def test_in_a_network_it_answers_to_the_hosts_that_it_prints(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    started = Started(monkeypatch)
    monkeypatch.setattr("heartsrules.apps.table.addresses.lan_addresses", lambda: ("192.168.1.20", "10.0.0.7"))
    always = ["--lan", "--port", "0", "--database", str(tmp_path / "kept")]
    code, out, err = run(*always, "--public-host", "hearts.example")
    ((host, port),) = started.sockets
    assert (code, host, err) == (0, "0.0.0.0", "")
    lines = out.splitlines()
    page = f"http://192.168.1.20:{port}/"
    assert lines[:3] == [
        f"Hearts tables at http://127.0.0.1:{port}/ or http://localhost:{port}/ (stop with Ctrl-C)",
        f"For everyone in your network: {page}",
        f"For everyone in your network: http://10.0.0.7:{port}/",
    ]
    assert "\n".join(lines[3:]).strip("\n") == qr_text(page).strip("\n")
    answers = {}
    with TestClient(started.app) as client:
        for name in ("127.0.0.1", "localhost", "192.168.1.20", "10.0.0.7", "hearts.example", "0.0.0.0", "evil.example"):
            answers[name] = client.get("/", headers={"host": f"{name}:{port}"}).status_code
    assert list(answers.values()) == [200] * 5 + [400] * 2


@pytest.mark.parametrize(("everywhere", "here"), [("0.0.0.0", "127.0.0.1"), ("::", "[::1]")])
def test_names_that_are_answered(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, everywhere: str, here: str) -> None:
    if ":" in everywhere and not reaches_itself_by_ipv6():
        pytest.skip("this machine has no IPv6")
    started = Started(monkeypatch)
    always = ["--host", everywhere, "--port", "0", "--database", str(tmp_path / "kept")]
    code, out, _ = run(*always, "--public-host", "hearts.example")
    assert code == 0
    assert out.startswith(f"Hearts tables at http://{here}:")
    said = "It answers to localhost, 127.0.0.1, [::1], hearts.example, to no other name: --public-host adds one."
    assert out.splitlines()[1] == said
    with TestClient(started.app) as client:
        assert client.get("/", headers={"host": "hearts.example"}).status_code == 200


def test_a_code_needs_its_characters(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    class Ascii:
        encoding = "ascii"

    monkeypatch.setattr("heartsrules.apps.command_line.table.sys.stdout", Ascii())
    print_code("█▀▄")
    monkeypatch.undo()
    assert capsys.readouterr().out == ""


def test_the_addresses_of_this_machine_are_found_without_asking_anybody(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []
    own = {"192.0.2.1": "192.168.1.20", "10.255.255.255": "10.0.0.7", "192.168.255.255": "192.168.1.20"}

    class Datagrams:
        def __init__(self, family: int, kind: int) -> None:
            assert (family, kind) == (socket.AF_INET, socket.SOCK_DGRAM), "nothing is sent when such a one is connected"

        def connect(self, address: tuple[str, int]) -> None:
            asked.append(address[0])
            if address[0] not in own:
                raise OSError("network is unreachable")

        def getsockname(self) -> tuple[str, int]:
            return own[asked[-1]], 12345

        def close(self) -> None:
            pass

    monkeypatch.setattr("heartsrules.apps.table.addresses.socket.socket", Datagrams)
    assert lan_addresses() == ("192.168.1.20", "10.0.0.7")
    assert len(asked) == 4
    own.update(dict.fromkeys(own, "127.0.0.1"))
    assert lan_addresses() == ()


@pytest.mark.parametrize(
    ("options", "refused"),
    [("", True), ("--proxy 10.0.0.9", True), ("--proxy 10.0.0.9 --proxy 10.0.0.1", False), ("--request-rate 0", False)],
)
def test_proxies_to_believe(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, options: str, refused: bool) -> None:
    """Each address may take so many seats. Whoever is believed to speak for others can take as many as it likes."""
    started = Started(monkeypatch)
    monkeypatch.setenv("FORWARDED_ALLOW_IPS", "*")
    run("--port", "0", "--database", str(tmp_path / "kept"), "--request-rate", "0.001", *options.split())
    codes = []
    with TestClient(started.app, base_url="http://localhost", client=("10.0.0.1", 5)) as client:
        for number in range(40):
            claimed = {"x-forwarded-for": f"10.9.9.{number}"}
            codes.append(client.post("/api/tables/nowhere/seats", json={"name": "Eve"}, headers=claimed).status_code)
    assert set(codes[:30]) == {404}
    assert set(codes[30:]) == ({429} if refused else {404})


def test_it_proposes_a_rule_set(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    started = Started(monkeypatch)
    choices = []
    for given in ("", "cardstock --players 3 --set target=50"):
        assert run(*given.split(), "--port", "0", "--database", str(tmp_path / "kept"))[0] == 0
        with TestClient(started.app, base_url="http://localhost") as client:
            choices.append(client.get("/api/choices").json())
    usual, proposing = choices
    first, *others = proposing["presets"]
    name = "cardstock, 3 players, target=50"
    assert (first["name"], first["players"], first["named"]) == (name, 3, [3])
    assert first["rules"]["3"]["target"] == 50
    assert others == usual["presets"]
    # The first game is the one of "Play now".
    assert usual["games"][0]["preset"] == "microsoft"
    first, *others = proposing["games"]
    assert (first["name"], first["preset"], first["players"]) == (name, "cardstock", 3)
    assert others == usual["games"]


def test_a_socket_that_is_no_place_for_browsers_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    started = Started(monkeypatch)
    always = ["--database", str(tmp_path / "kept")]
    kinds = [(socket.AF_INET, socket.SOCK_DGRAM)]
    if hasattr(socket, "AF_UNIX"):
        kinds.append((socket.AF_UNIX, socket.SOCK_STREAM))
    for kind in kinds:
        with socket.socket(*kind) as mine:
            number = os.dup(mine.fileno())
            code, out, err = run("--fd", str(number), *always)
            assert (code, out, err) == (
                1,
                "",
                f"Error: the socket {number} cannot be listened on: it is not a TCP socket",
            )
    # It is bound already: an address for the others would be a false one.
    with socket.create_server(("127.0.0.1", 0)) as mine:
        for other in (["--lan"], ["--host", "10.0.0.7"]):
            code, _, err = run("--fd", str(mine.fileno()), *other, *always)
            assert code == 2
            assert "the socket has its own address; omit it or" in err
    assert not started.sockets


@pytest.mark.parametrize(
    ("given", "code", "said"),
    [
        *[(f"--keep-days {value}", 2, "--keep-days") for value in ("inf", "1e15", "nan")],
        *[(f"--pace {value}", 2, "--pace") for value in ("inf", "nan")],
        ("--request-rate nan", 2, "--request-rate"),
        *[(f"--proxy {value}", 2, "--proxy") for value in ("nonsense", "10.0.0.1:80", "*")],
        ("cardstok", 2, "did you mean cardstock"),
        ("--set teams=3", 1, "uneven-teams"),
        ("--lan", 1, "Error: this machine has no network address; connect it to a network, or omit --lan"),
        ("--lan --host 10.0.0.7", 2, "omit one of them"),
        ("--player nobody", 2, "there is no bot"),
        ("--player sampling:20", 2, "has no name of its own; write NAME=BOT"),
        ("--player usual=heuristic", 2, "the name 'usual' is taken; choose another one"),
        ("--player a=heuristic --player a=uniform", 2, "the name 'a' is taken; choose another one"),
        ("--player a=external:", 2, "external needs a command"),
        ("--player a=external:/no/such/program", 1, "/no/such/program"),
        ("--database letter.txt", 2, "Invalid value for --database: 'letter.txt': file is not a database"),
        ("--database missing/kept", 2, "Invalid value for --database: 'missing/kept': unable to open database file"),
        ("--database .", 2, "Invalid value for --database: '.': unable to open database file"),
    ],
)
def test_what_would_do_nothing_or_fail_later_is_refused(
    given: str, code: int, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    started = Started(monkeypatch)
    monkeypatch.setattr("heartsrules.apps.table.addresses.lan_addresses", lambda: ())
    monkeypatch.chdir(tmp_path)
    (tmp_path / "letter.txt").write_text("Dear Ann, this is not a database. " * 100)
    database = [] if "--database" in given else ["--database", "kept"]
    got, out, err = run("--port", "0", *database, *given.split())
    assert (got, out) == (code, "")
    assert said in err
    assert not started.sockets
    assert given == "--lan" or not (tmp_path / "kept").exists(), "only a network is looked for later"


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGINT for another process")
def test_ctrl_c_stops_a_server_that_serves(tmp_path: Path) -> None:
    with served(tmp_path) as server:
        assert httpx2.get(server.url).status_code == 200
        assert server.process is not None
        server.process.send_signal(signal.SIGINT)
        assert server.process.wait(30) == 130


def test_an_address_that_is_taken_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    started = Started(monkeypatch)
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        code, out, err = run("--port", str(port), "--database", str(tmp_path / "kept"))
    assert (code, out) == (1, "")
    assert err.startswith(f"Error: '127.0.0.1', port {port}, cannot be listened on: ")
    code, out, err = run("--fd", "999999", "--database", str(tmp_path / "kept"))
    assert (code, out) == (1, "")
    assert err.startswith("Error: the socket 999999 cannot be listened on: ")
    assert not started.sockets


def test_the_page_names_every_option() -> None:
    page = (ROOT / "docs" / "how-to" / "host-a-table.md").read_text("utf-8")
    code, out, _ = run("--help")
    assert code == 0
    options = set(re.findall(r"--[a-z-]+", out)) - {"--help"}
    assert len(options) == 18
    assert {option for option in options if not re.search(f"`{option}[ `]", page)} == set()


def documented() -> set[str]:
    """The modules that the reference names: those of the API, and `heartsrules.formats.wire`, which has a page of its
    own."""
    pages = [page.read_text("utf-8") for page in (ROOT / "docs" / "reference").rglob("*.md")]
    return {name for page in pages for name in re.findall(r"(?<![\w.])heartsrules(?:\.[a-z_]+)*", page)}


@pytest.mark.parametrize("path", sorted(SOURCE.glob("*.py")), ids=lambda path: path.stem)
def test_the_table_takes_public_names_of_documented_modules_alone(path: Path) -> None:
    modules = documented()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            assert not [alias.name for alias in node.names if alias.name.split(".")[0] == "heartsrules"]
        if not isinstance(node, ast.ImportFrom) or (node.module or "").split(".")[0] != "heartsrules":
            continue
        assert node.module is not None
        if node.module.startswith("heartsrules.apps."):
            continue
        assert node.module in modules
        assert {alias.name for alias in node.names} <= set(importlib.import_module(node.module).__all__)
