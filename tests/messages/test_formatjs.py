"""Every pattern, filled by intl-messageformat with the `arguments` of a document, says what Python says."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from typing import Final

import pytest

from heartsrules.base.errors import Problem
from heartsrules.formats.wire import to_json
from heartsrules.messages import arguments, catalogue, key, languages, text
from test_messages import things

PACKAGE: Final = "intl-messageformat@12.1.5"
PROGRAM: Final = """\
import { IntlMessageFormat } from "intl-messageformat";
import { readFileSync } from "node:fs";

const { language, patterns, told } = JSON.parse(readFileSync(0, "utf8"));
const say = ([key, values]) => {
  try {
    return new IntlMessageFormat(patterns[key], language).format(values);
  } catch (error) {
    return String(error);
  }
};
console.log(JSON.stringify(told.map(say)));
"""


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    npm = shutil.which("npm")
    if npm is None:
        pytest.skip("Node.js is not installed")
    folder = tmp_path_factory.mktemp("formatjs")
    (folder / "package.json").write_text("{}", encoding="utf-8")
    command = [npm, "install", "--ignore-scripts", "--no-audit", "--no-fund", PACKAGE]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False, timeout=180)
    if done.returncode:
        pytest.skip(f"npm could not install {PACKAGE}: {done.stderr.strip()[-300:]}")
    (folder / "say.mjs").write_text(PROGRAM, encoding="utf-8")
    return folder / "say.mjs"


@pytest.mark.once_interpreted
@pytest.mark.parametrize("language", languages())
def test_a_library_of_icu_messages_says_the_same(program: Path, language: str) -> None:
    found = list(things())
    told = [
        arguments(thing, language)
        if isinstance(thing, Problem)
        else json.loads(to_json(thing, language=language)).get("arguments", {})
        for thing in found
    ]
    keys = [key(thing) for thing in found]
    given = {"language": language, "patterns": dict(catalogue(language)), "told": list(zip(keys, told, strict=True))}
    done = subprocess.run(
        ["node", str(program)], input=json.dumps(given), capture_output=True, text=True, check=True, encoding="utf-8"
    )
    said = json.loads(done.stdout)
    assert [
        (key(thing), values, each, text(thing, language))
        for thing, values, each in zip(found, told, said, strict=True)
        if each != text(thing, language)
    ] == []
