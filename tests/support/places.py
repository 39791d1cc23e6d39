"""The project files that name places: where the repository and the site are, and who is told of weaknesses and changes.

`[tool.heartsrules.places]` in pyproject.toml holds the addresses, and setup.py and docs/conf.py take theirs from there
themselves. `nox -s generate` writes the rest. What is not filled in is left out.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import yaml

__all__ = ["files", "with_part"]

_PARTS: Final = (("SECURITY.md", "report"), ("CODE_OF_CONDUCT.md", "contact"))


def files(root: Path) -> Iterator[tuple[Path, bytes]]:
    """The files of a copy of the project as they should be."""
    project = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))
    places: dict[str, str] = project["tool"]["heartsrules"]["places"]
    released = _released((root / "CHANGELOG.md").read_text(encoding="utf-8"))
    yield root / "CITATION.cff", _yaml(_citation(project["project"], places, released)).encode()
    yield root / ".github" / "ISSUE_TEMPLATE" / "config.yml", _yaml(_choices(places)).encode()
    yield root / ".github" / "CODEOWNERS", _owners(places["owners"]).encode()
    for name, part in _PARTS:
        path = root / name
        text = path.read_text(encoding="utf-8")
        yield path, with_part(text, part, f"\n{_SAID[part](places)}\n\n").encode()


def with_part(text: str, part: str, inside: str, comment: str = "<!-- {} -->") -> str:
    """A text with another one in one of its generated parts."""
    before, begin, rest = text.partition(comment.format(f"{part}: written by nox -s generate") + "\n")
    _, end, after = rest.partition(comment.format(f"end of {part}"))
    assert begin, part
    assert end, part
    return before + begin + inside + end + after


def _released(changelog: str) -> str | None:
    """The day of the newest version, if it is released."""
    newest = re.search(r"^## .*? \((.*)\)$", changelog, re.MULTILINE)
    assert newest is not None
    return newest[1] if newest[1] != "unreleased" else None


def _citation(project: dict[str, Any], places: dict[str, str], released: str | None) -> dict[str, Any]:
    told = {
        "cff-version": "1.2.0",
        "message": "If you use heartsrules in research, please cite it as below.",
        "type": "software",
        "title": project["name"],
        "abstract": project["description"],
        "authors": [{"name": author["name"]} for author in project["authors"]],
        "version": project["version"],
        "date-released": released,
        "license": project["license"],
        "keywords": project["keywords"],
        "repository-code": places["repository"],
        "url": places["site"],
    }
    return {key: value for key, value in told.items() if value}


def _choices(places: dict[str, str]) -> dict[str, Any]:
    links = [
        (
            "Questions about the rules of Hearts",
            places["site"],
            "The laws of Hearts and the page of disputes answer most.",
        ),
        ("Weaknesses", _advisories(places), "Please report them privately: SECURITY.md says how."),
    ]
    told = [{"name": name, "url": url, "about": about} for name, url, about in links if url]
    return {"blank_issues_enabled": True, **({"contact_links": told} if told else {})}


def _owners(owners: str) -> str:
    head = "# Written by nox -s generate, from pyproject.toml. docs/contributing/releases.md says who decides what.\n"
    return f"{head}* {owners}\n" if owners else head


def _advisories(places: dict[str, str]) -> str:
    repository = places["repository"]
    return f"{repository}/security/advisories/new" if repository else ""


def _report(places: dict[str, str]) -> str:
    ways = [f"[on a private form]({_advisories(places)})"] if places["repository"] else []
    ways += [f"to {places['contact']}"] if places["contact"] else []
    if not ways:
        return "This copy of the project names no address: tell whoever gave it to you, and nobody else."
    return f"Report it {' or '.join(ways)}, and nowhere else until it is mended."


def _contact(places: dict[str, str]) -> str:
    if not places["contact"]:
        return "This copy of the project names no address: write to whoever gave it to you."
    return f"Write to {places['contact']}."


_SAID: Final = {"report": _report, "contact": _contact}


def _yaml(value: dict[str, Any]) -> str:
    written = yaml.safe_dump(value, sort_keys=False, allow_unicode=True, width=1000)
    return f"# Written by nox -s generate, from pyproject.toml.\n{written}"
