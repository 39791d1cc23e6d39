"""Packing for a static page: its Python library, without unneeded parts. This runs in Pyodide during the build."""

from __future__ import annotations

import asyncio
import importlib
import importlib.util
import json
import marshal
import sys
import zipfile
from pathlib import Path
from types import CodeType
from typing import Any, Final

from heartsrules import Rules
from heartsrules.apps.table.in_page import PageServer
from heartsrules.apps.table.settings import RoomPace, Settings
from heartsrules.formats.wire import to_json

_NATIVE: Final = ("msgspec",)
"""Packages with compiled modules, which cannot be imported from an archive."""
_WITH_DOCSTRINGS: Final = ("_pyodide", "pyodide")
"""Packages that read their own docstrings."""
_OLDEST: Final = (1980, 1, 1, 0, 0, 0)


async def pack(given: str, library: str) -> None:
    """Write the library: an archive of compiled modules and of the data in `given`.

    It contains the part of the standard library that is loaded after importing every module of `given` and playing a
    deal.

    Args:
        given: a folder with the page's packages, which is on the module path.
        library: the path of the archive.
    """
    root = Path(given)
    for path in sorted(root.glob("heartsrules/**/*.py")):
        if path.name != "__main__.py":
            importlib.import_module(".".join(path.relative_to(root).with_suffix("").parts).removesuffix(".__init__"))
    await _rehearse()
    files = {str(path.relative_to(root)): path.read_bytes() for path in sorted(root.rglob("*")) if path.is_file()}
    archive = next(path for path in sys.path if path.endswith(".zip"))
    with zipfile.ZipFile(archive) as standard:
        loaded = [getattr(module, "__file__", None) or "" for module in tuple(sys.modules.values())]
        names = sorted({path.removeprefix(f"{archive}/") for path in loaded if path.startswith(f"{archive}/")})
        files |= {name: standard.read(name) for name in names}
    native = []
    with zipfile.ZipFile(library, "w") as packed:
        for name, content in files.items():
            written, body = _compiled(name, content) if name.endswith(".py") else (name, content)
            if name.startswith(_NATIVE):
                native.append(written)
                written = f"native/{written}"
            packed.writestr(zipfile.ZipInfo(written, _OLDEST), body)
        packed.writestr(zipfile.ZipInfo("native.txt", _OLDEST), "\n".join(native))


def _compiled(name: str, source: bytes) -> tuple[str, bytes]:
    """Compile a module without docstrings and asserts, as with `-OO`, and without line numbers."""
    optimize = 0 if name.startswith(_WITH_DOCSTRINGS) else 2
    code = compile(source, name, "exec", dont_inherit=True, optimize=optimize)
    header = importlib.util.MAGIC_NUMBER + bytes(12)  # no date of a source is compared
    return f"{name}c", header + marshal.dumps(_without_lines(code))


def _without_lines(code: CodeType) -> CodeType:
    constants = [_without_lines(each) if isinstance(each, CodeType) else each for each in code.co_consts]
    return code.replace(co_linetable=b"", co_consts=tuple(constants))


async def _rehearse() -> None:
    """Play a deal between bots, and make every kind of request."""
    over = asyncio.Event()
    answers: list[dict[str, Any]] = []

    def post(text: str) -> None:
        message = json.loads(text)
        if message["type"] == "answer":
            answers.append(message["body"])
            over.set()
        elif message["type"] == "text" and '"phase":"game-over"' in message["text"]:
            over.set()

    async def ask(path: str, body: Any = None) -> Any:
        over.clear()
        server.receive(json.dumps({"type": "ask", "id": 1, "path": path, **({"body": body} if body else {})}))
        await over.wait()
        return answers[-1]

    server = PageServer(post, Settings(pace=RoomPace(0, 0, 0), hint_worlds=2))
    await server.start()
    rules = json.loads(to_json(Rules(max_deals=1, target=None)))
    await ask("api/rules?language=de", rules)
    await ask("api/rules", {**rules, "players": 99})
    table = (await ask("api/tables", {"rules": rules, "play": False, "seats": [{"friend": False}] * 4}))["table"]
    over.clear()
    server.receive(json.dumps({"type": "open", "socket": 1, "table": table}))
    server.receive(json.dumps({"type": "text", "socket": 1, "text": '{"type":"hello","token":null}'}))
    await over.wait()
    await ask(f"api/tables/{table}/record")
    await server.stop()
