"""The patterns of the page's texts, filled in by Node.js as by the package."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from heartsrules.messages import LOCALES
from heartsrules.messages._format import names_in, parsed, render
from support.bundle import PAGE, bundled, parts_of, prepare
from support.page_checks import FOR_NODE

pytestmark = pytest.mark.web

FILL = """
import { format, type Pattern } from "./format.ts";
import { readFileSync } from "node:fs";
const cases: [Pattern, Record<string, unknown>, string][] = JSON.parse(readFileSync(0, "utf8"));
const language = process.argv[2];
console.log(JSON.stringify(cases.filter(([pattern, args, told]) => format(pattern, args, language) !== told)));
"""


class Given:
    """The arguments of a pattern."""

    def __init__(self, args: dict[str, Any]) -> None:
        self.args = args

    def value(self, name: str) -> object:
        return self.args[name]

    def text(self, value: object) -> str:
        return str(value)


@pytest.mark.parametrize("language", ["en", "de"])
def test_the_page_fills_in_patterns_as_the_package_does(tmp_path: Path, language: str) -> None:
    if shutil.which("npm") is None:
        pytest.skip("Node.js is not installed: node and npm are needed to run the page's modules")
    patterns = [
        *json.loads((PAGE / f"words.{language}.json").read_text("utf-8")).values(),
        "it''s '{quoted}' {count, plural, offset:-1 =0 {none} one {#} other {'#' is # of {count, number}}}",
    ]
    cases = []
    for pattern in patterns:
        for number in (0, 1, 2, 1234):
            args = dict.fromkeys(names_in(parsed(pattern)), number)
            cases.append([parts_of(parsed(pattern)), args, render(parsed(pattern), Given(args), LOCALES[language])])
    page = prepare(tmp_path)
    (page / "fill.ts").write_text(FILL, "utf-8")
    bundled(page, "fill.ts", *FOR_NODE, "--outfile=fill.mjs")
    command = ["node", "fill.mjs", language]
    done = subprocess.run(command, cwd=page, input=json.dumps(cases), capture_output=True, text=True, check=True)
    assert json.loads(done.stdout) == []
