"""The configuration of the documentation."""

from __future__ import annotations

import json
import os
import re
import tomllib
from importlib import metadata, resources
from pathlib import Path
from typing import Any

from docutils import nodes
from myst_parser.parsers.sphinx_ import MystParser

project = "heartsrules"
author = "The heartsrules developers"
project_copyright = "the heartsrules developers"
try:
    release = metadata.version("heartsrules")
except metadata.PackageNotFoundError:
    release = "unreleased"

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
exclude_patterns = ["_build", "**/node_modules"]
html_theme = "furo"
html_title = "heartsrules"
pygments_dark_style = "github-dark"
html_logo = "_static/logo.svg"
html_favicon = "../src/heartsrules/apps/table/static/icon.svg"
# A package that was built without Node.js has no client.
_CLIENT = resources.files("heartsrules").joinpath("apps", "serve", "clients", "heartsrules.js")
html_static_path = ["_static", *([str(_CLIENT)] if _CLIENT.is_file() else [])]
_PROJECT = Path(__file__).resolve().parents[1] / "pyproject.toml"
_PLACES = tomllib.loads(_PROJECT.read_text(encoding="utf-8"))["tool"]["heartsrules"]["places"]
html_baseurl = _PLACES["site"]
html_css_files = ["site.css"]
html_search_scorer = str(Path(__file__).with_name("search_order.js"))
html_theme_options: dict[str, Any] = {
    "light_css_variables": {"color-brand-primary": "#14603a", "color-brand-content": "#14603a"},
    "dark_css_variables": {"color-brand-primary": "#7fd6a5", "color-brand-content": "#7fd6a5"},
}
if _PLACES["repository"]:
    html_theme_options |= {
        "source_repository": _PLACES["repository"],
        "source_branch": "main",
        "source_directory": "docs/",
    }
# A folder in which `play` is the table without a server, with all that another page needs to run the rules; `nox -s
# docs` builds it.
if "HEARTSRULES_IN_BROWSER" in os.environ:
    html_static_path.append(os.environ["HEARTSRULES_IN_BROWSER"])

# A single backtick in a docstring is code, as it is in the Markdown pages.
default_role = "code"
myst_heading_anchors = 3

# `nox -s docs -- links` asks whether what pages lead to elsewhere is there.
linkcheck_timeout = 20
linkcheck_retries = 2
linkcheck_workers = 4
linkcheck_ignore = [r"http://(127\.0\.0\.1|localhost|hearts\.example)\b.*"]
# The anchors of these are made by scripts.
linkcheck_anchors_ignore_for_url = [r"https://github\.com/.*"]

autodoc_member_order = "bysource"
autodoc_typehints_format = "short"
autodoc_type_aliases = {name: name for name in ("Bits", "Event", "Move", "PassPlan", "View", "State", "Violation")}
napoleon_numpy_docstring = False


class NotebookParser(MystParser):  # type: ignore[misc]
    """A parser that shows a notebook with its stored outputs, which tests verify."""

    supported = ("notebook",)

    def parse(self, inputstring: str, document: nodes.document) -> None:
        """Parse the cells as equivalent Markdown."""
        super().parse("\n\n".join(map(_as_markdown, json.loads(inputstring)["cells"])), document)


def _as_markdown(cell: dict[str, Any]) -> str:
    source = "".join(cell["source"])
    if cell["cell_type"] == "markdown":
        return source
    parts = [f"```python\n{source}\n```"]
    for output in cell["outputs"]:
        data = output.get("data", {})
        shown = data.get("text/html") or data.get("image/svg+xml")
        if shown:
            parts.append(f"````{{raw}} html\n{''.join(shown)}\n````")
        else:
            parts.append(f"```text\n{''.join(output.get('text') or data['text/plain'])}\n```")
    return "\n\n".join(parts)


def _mark(_name: str, _raw: str, text: str, *_: Any, **__: Any) -> tuple[list[nodes.Node], list[Any]]:
    """Return the mark of a ruling, `{hr}`, which is also its anchor: a link to itself, to be copied."""
    part, _dot, number = text.partition(".")
    shown = nodes.reference(
        "", "#" if part == "refused" else text, refuri=f"#HR-{text}", classes=["ruling"], reftitle=f"HR-{part}.{number}"
    )
    shown["ids"].append(f"HR-{text}")
    return [shown], []


def setup(app: Any) -> None:
    """Add the parser of notebooks and the marks of rulings, and connect the hooks below.

    The first hook must run before napoleon's, the last one before furo's.
    """
    app.add_role("hr", _mark)
    app.add_source_suffix(".ipynb", "notebook")
    app.add_source_parser(NotebookParser)
    app.connect("autodoc-process-docstring", _keep_colons, priority=400)
    app.connect("autodoc-process-signature", _name_aliases)
    app.connect("html-page-context", _navigate_by_titles, priority=400)


def _keep_colons(_app: Any, what: str, _name: str, _obj: object, _options: object, lines: list[str]) -> None:
    # Of an attribute's docstring napoleon takes what is before a colon in the first line for its type.
    if what in ("attribute", "data", "property"):
        lines.insert(0, "\\ ")  # an escaped space, which is rendered as nothing


def _navigate_by_titles(app: Any, _page: str, _template: str, context: dict[str, Any], _doctree: Any) -> None:
    # For each page Sphinx copies the headings and the members of all pages before it drops all but the titles, which
    # takes two fifths of the time of a build.
    if "toctree" not in context:
        return
    toctree, env = context["toctree"], app.env
    if not hasattr(app, "titles_of_pages"):
        app.titles_of_pages = {page: _only_title(toc) for page, toc in env.tocs.items()}

    def tree_of_titles(**options: Any) -> str:
        whole, env.tocs = env.tocs, app.titles_of_pages
        try:
            return str(toctree(**options))
        finally:
            env.tocs = whole

    context["toctree"] = tree_of_titles


def _only_title(toc: nodes.bullet_list) -> nodes.bullet_list:
    # What leads to other pages stays.
    kept = toc.deepcopy()
    for inner in list(kept.findall(nodes.list_item)):
        leads_on = any(each.tagname == "toctree" for each in inner.findall(nodes.Element))
        if inner.parent is not kept and not leads_on:
            inner.parent.remove(inner)
    return kept


def _name_aliases(*given: Any) -> tuple[str | None, str | None]:
    # Inside a generic, autodoc shows the wrapper that it puts around an alias; attrs shows a factory as NOTHING. What a
    # function checks itself is a union with a type without instances, and the masks of a bag are not for users.
    *_, signature, annotation = given
    return _plain(signature), _plain(annotation)


def _plain(text: str | None) -> str | None:
    if text is None:
        return None
    text = re.sub(r"TypeAliasForwardRef\('(\w+)'\)", r"\1", text).replace("NOTHING", "...")
    # As autodoc evaluates an annotation; and as it is written, where it cannot: brackets within brackets, not deeper.
    text = re.sub(r" \| (?:~?[\w.]+\.)?_Nothing\b", "", text)
    text = re.sub(r"\bUnchecked\[((?:[^\[\]]|\[[^\[\]]*\])*)\]", r"\1", text)
    return text.replace(", lo: i64 = -1, hi: i64 = 0)", ")")
