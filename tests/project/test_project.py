"""The project files: no address is invented, and what is filled in reaches every file."""

from __future__ import annotations

import re
import shutil
from pathlib import Path
from typing import Final

import pytest

from support import places

pytestmark = pytest.mark.once_interpreted

ROOT: Final = Path(__file__).resolve().parents[2]
ADDRESSES: Final = {
    "repository": "https://forge.example/cards/heartsrules",
    "site": "https://hearts.example/docs/",
    "contact": "hearts@cards.example",
    "owners": "@ann @cards/law",
}


def with_addresses(folder: Path, **addresses: str) -> dict[str, str]:
    """The files that name places, of a copy of the project with these addresses."""
    for name in ("pyproject.toml", "CHANGELOG.md", "SECURITY.md", "CODE_OF_CONDUCT.md"):
        shutil.copy(ROOT / name, folder / name)
    project = folder / "pyproject.toml"
    text = project.read_text(encoding="utf-8")
    for name, address in addresses.items():
        text, found = re.subn(rf'^{name} = ".*?"', f'{name} = "{address}"', text, flags=re.MULTILINE)
        assert found == 1, name
    project.write_text(text, encoding="utf-8")
    return {path.name: content.decode() for path, content in places.files(folder)}


def test_addresses_reach_the_files_that_name_them(tmp_path: Path) -> None:
    files = with_addresses(tmp_path, **ADDRESSES)
    repository, site, contact, owners = ADDRESSES.values()
    assert f"\nrepository-code: {repository}\nurl: {site}\n" in files["CITATION.cff"]
    assert f"\n  url: {repository}/security/advisories/new\n" in files["config.yml"]
    assert f"[on a private form]({repository}/security/advisories/new) or to {contact}," in files["SECURITY.md"]
    assert files["CODEOWNERS"].endswith(f"\n* {owners}\n")
    assert f"\nWrite to {contact}.\n" in files["CODE_OF_CONDUCT.md"]


def test_where_there_is_no_address_there_is_no_empty_key(tmp_path: Path) -> None:
    files = with_addresses(tmp_path, **dict.fromkeys(ADDRESSES, ""))
    for name in ("CITATION.cff", "config.yml"):
        assert not re.search(r"''|url|repository|: null|:\n(?!- )", files[name]), name
    for name in ("SECURITY.md", "CODE_OF_CONDUCT.md"):
        assert "names no address" in files[name]
        assert "()" not in files[name]
