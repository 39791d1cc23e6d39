"""The project files: no address is invented, what is filled in reaches every file, and the changelog keeps its form."""

from __future__ import annotations

import os
import re
import runpy
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path
from types import ModuleType
from typing import Any, Final

import pytest

from support import places

ROOT: Final = Path(__file__).resolve().parents[2]
ADDRESSES: Final = {
    "repository": "https://forge.example/cards/heartsrules",
    "site": "https://hearts.example/docs/",
    "contact": "hearts@cards.example",
    "owners": "@ann @cards/law",
}
NONE: Final = dict.fromkeys(ADDRESSES, "")
TOLD: Final = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
SECTIONS: Final = ("Rules", "Added", "Changed", "Fixed", "Removed", "Security")


def copied(folder: Path, addresses: dict[str, str]) -> Path:
    """A copy of the files that name places, and of what they are made of, with other addresses."""
    for name in (
        "pyproject.toml",
        "setup.py",
        "CHANGELOG.md",
        "README.md",
        "LICENSE",
        "SECURITY.md",
        "CODE_OF_CONDUCT.md",
    ):
        shutil.copy(ROOT / name, folder / name)
    (folder / "docs").mkdir()
    shutil.copy(ROOT / "docs" / "conf.py", folder / "docs" / "conf.py")
    (folder / "src" / "heartsrules").mkdir(parents=True)
    (folder / "src" / "heartsrules" / "__init__.py").touch()
    text = (folder / "pyproject.toml").read_text(encoding="utf-8")
    for name, address in addresses.items():
        text, found = re.subn(rf'^{name} = ".*?"', f'{name} = "{address}"', text, flags=re.MULTILINE)
        assert found == 1, name
    (folder / "pyproject.toml").write_text(text, encoding="utf-8")
    for path, content in places.files(folder):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    return folder


def metadata_of(folder: Path) -> tuple[list[str], str]:
    """The addresses in a package's metadata, and its description."""
    command = [sys.executable, "setup.py", "-q", "egg_info"]
    subprocess.run(command, cwd=folder, check=True, capture_output=True, env={**os.environ, "HEARTSRULES_COMPILE": "0"})
    (info,) = (folder / "src").glob("*.egg-info/PKG-INFO")
    head, _, description = info.read_text(encoding="utf-8").partition("\n\n")
    assert "\nDescription-Content-Type: text/markdown\n" in head
    return [line for line in head.split("\n") if line.startswith(("Project-URL", "Home-page"))], description


def configured(folder: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """What the documentation is configured with; what it is built with need not be there."""
    for name in ("docutils", "docutils.nodes", "myst_parser", "myst_parser.parsers", "myst_parser.parsers.sphinx_"):
        monkeypatch.setitem(sys.modules, name, ModuleType(name))
    monkeypatch.setattr(sys.modules["docutils"], "nodes", ModuleType("nodes"), raising=False)
    monkeypatch.setattr(sys.modules["docutils.nodes"], "document", object, raising=False)
    monkeypatch.setattr(sys.modules["myst_parser.parsers.sphinx_"], "MystParser", object, raising=False)
    return runpy.run_path(str(folder / "docs" / "conf.py"))


def test_addresses_reach_every_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = copied(tmp_path, ADDRESSES)
    repository, site, contact, owners = ADDRESSES.values()
    addresses, description = metadata_of(folder)
    assert addresses == [
        f"Project-URL: Documentation, {site}",
        f"Project-URL: Repository, {repository}",
        f"Project-URL: Issues, {repository}/issues",
        f"Project-URL: Changelog, {repository}/blob/main/CHANGELOG.md",
    ]
    links = set(re.findall(r"\]\(([^)]*)\)", description))
    assert f"{repository}/blob/main/docs/reference/wire.md" in links
    assert all(link.startswith("https://") for link in links)
    pictures = re.findall(r'\b(?:src|srcset)="([^"]*)"', description)
    assert f"{repository}/raw/main/docs/how-to/pictures/readme-light.svg" in pictures
    assert all(picture.startswith("https://") for picture in pictures)
    citation = (folder / "CITATION.cff").read_text(encoding="utf-8")
    assert f'\nrepository-code: "{repository}"\nurl: "{site}"\n' in citation
    choices = (folder / ".github" / "ISSUE_TEMPLATE" / "config.yml").read_text(encoding="utf-8")
    assert f'    url: "{site}"\n' in choices
    assert f'    url: "{repository}/security/advisories/new"\n' in choices
    security = (folder / "SECURITY.md").read_text(encoding="utf-8")
    assert f"[on a private form]({repository}/security/advisories/new) or to {contact}," in security
    assert (folder / ".github" / "CODEOWNERS").read_text(encoding="utf-8").endswith(f"\n* {owners}\n")
    assert f"\nWrite to {contact}.\n" in (folder / "CODE_OF_CONDUCT.md").read_text(encoding="utf-8")
    options = configured(folder, monkeypatch)
    assert options["html_baseurl"] == site
    assert options["html_theme_options"]["source_repository"] == repository


def test_where_there_is_no_address_there_is_no_empty_key(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = copied(tmp_path, NONE)
    addresses, description = metadata_of(folder)
    assert addresses == []
    assert description.strip() == (ROOT / "README.md").read_text(encoding="utf-8").strip()
    for name in ("CITATION.cff", ".github/ISSUE_TEMPLATE/config.yml"):
        text = (folder / name).read_text(encoding="utf-8")
        assert '""' not in text, name
        assert "url" not in text, name
        assert "repository" not in text, name
        assert not re.search(r":\n(?!  - )", text), name
    assert (folder / ".github" / "CODEOWNERS").read_text(encoding="utf-8").count("\n") == 1
    for name in ("SECURITY.md", "CODE_OF_CONDUCT.md"):
        text = (folder / name).read_text(encoding="utf-8")
        assert "names no address" in text
        assert "()" not in text
    options = configured(folder, monkeypatch)
    assert options["html_baseurl"] == ""
    assert "source_repository" not in options["html_theme_options"]


@pytest.mark.parametrize(
    ("given", "report", "contact"),
    [
        ("repository", "on a private form", "names no address"),
        ("contact", f"Report it to {ADDRESSES['contact']},", f"Write to {ADDRESSES['contact']}."),
        ("site", "names no address", "names no address"),
    ],
)
def test_one_address_alone(tmp_path: Path, given: str, report: str, contact: str) -> None:
    folder = copied(tmp_path, {**NONE, given: ADDRESSES[given]})
    assert report in (folder / "SECURITY.md").read_text(encoding="utf-8")
    assert contact in (folder / "CODE_OF_CONDUCT.md").read_text(encoding="utf-8")


def test_the_day_of_a_release_is_cited(tmp_path: Path) -> None:
    folder = copied(tmp_path, NONE)
    log = folder / "CHANGELOG.md"
    text = log.read_text(encoding="utf-8")
    for said, cited in (("unreleased", None), ("2027-01-31", "2027-01-31")):
        newest = re.sub(r"^(## \S+) \(.*\)$", rf"\1 ({said})", text, count=1, flags=re.MULTILINE)
        log.write_text(newest, encoding="utf-8")
        written = dict(places.files(folder))[folder / "CITATION.cff"].decode()
        found = re.search(r'^date-released: "(.*)"$', written, re.MULTILINE)
        assert (None if found is None else found[1]) == cited


def test_the_changelog_keeps_its_form() -> None:
    text = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    assert text.startswith("# Changelog\n\n")
    headings = re.findall(r"^## (.*)$", text, re.MULTILINE)
    found = [re.fullmatch(r"(\d+)\.(\d+)\.(\d+) \((unreleased|\d{4}-\d\d-\d\d)\)", heading) for heading in headings]
    assert all(found), headings
    versions = [tuple(map(int, match.groups()[:3])) for match in found if match]
    days = [match[4] for match in found if match]
    assert versions == sorted(set(versions), reverse=True)
    assert "unreleased" not in days[1:]
    assert days[1:] == sorted(days[1:], reverse=True)
    assert ".".join(map(str, versions[0])) == TOLD["project"]["version"]
    for part in re.split(r"^## .*$", text, flags=re.MULTILINE)[1:]:
        sections = re.findall(r"^### (.*)$", part, re.MULTILINE)
        assert sections, "a version without anything"
        assert sections == sorted(set(sections), key=SECTIONS.index)
        assert not re.search(r"^####", part, re.MULTILINE)
        for section in re.split(r"^### .*$", part, flags=re.MULTILINE)[1:]:
            assert re.match(r"\n\n- \S", section), section[:80]
            assert all(re.match(r"- \S|  \S|$", line) for line in section.split("\n")), "items begin with a dash"


def test_what_runs_before_a_commit_is_what_lint_runs() -> None:
    text = (ROOT / ".pre-commit-config.yaml").read_text(encoding="utf-8")
    pinned = dict(re.findall(r'additional_dependencies: \["([\w-]+)([<>=]=[\d.]+)"\]', text))
    assert pinned.keys() == {"ruff", "codespell", "validate-pyproject", "nox"}
    groups = TOLD["dependency-groups"]
    for name, version in pinned.items():
        assert f"{name}{version}" in [*groups["lint"], *groups["types"]]
    assert set(re.findall(r"^ *- repo: (.*)$", text, re.MULTILINE)) == {"local"}, "no forge is needed"


def test_no_empty_file_is_kept_but_those_that_mark_a_package() -> None:
    if not (ROOT / ".git").exists():
        pytest.skip("this is not a clone")
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    kept = [ROOT / name for name in listed.splitlines() if (ROOT / name).is_file()]
    assert {path.name for path in kept if path.stat().st_size == 0} == {"__init__.py", "py.typed"}
