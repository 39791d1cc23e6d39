"""The pages of the API reference: a page for each module, whose part with the names is written by `nox -s generate`.

Everything comes from the sources: `__all__`, the docstrings and the order of the declarations.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from itertools import groupby
from pathlib import Path
from typing import Final, TypeAlias, TypeGuard

import attrs

from support.modules import MODULES

__all__ = ["FOLDER", "INDEX", "INTERNAL", "documented", "name_table", "names_of", "parts", "tree"]

_ROOT: Final = Path(__file__).resolve().parents[2]
_SOURCE: Final = _ROOT / "src"
INDEX: Final = _ROOT / "docs" / "reference" / "api.md"
FOLDER: Final = INDEX.with_suffix("")
"""The folder of the pages."""

HEADINGS: Final = {
    **dict.fromkeys(("base", "cards"), "Base and cards"),
    "rules": "Rules",
    "chance": "Chance",
    "play": "Play",
    "views": "Views and worlds",
    "setup": "Setups",
    "messages": "Messages",
    "formats": "Formats",
    "pictures": "Pictures",
    "analysis": "Analysis",
    "bots": "Bots",
    "simulation": "Simulation",
    "bridges": "Bridges",
    "testing": "Test kit",
    "apps": "Programs",
}
"""The headings of the index, by room."""
INTERNAL: Final = (
    *("apps.command_line", "apps.streams", "base", "base.native", "base.typed", "base.values"),
    *("play.taking_back", "play.view_classes", "play.view_selection", "simulation.tally"),
)
"""Modules for this package alone whose names are listed, there or in a package: they have no page."""
_BASES: Final = ("InMatch", "InPass", "InExposure", "InPlay", "InChoice", "InEnd", "KnownDeal")
"""The base classes of states, views and deals."""
_OPTIONS: Final = """
   .. py:attribute:: OPTIONS
      :type: tuple[heartsrules.rules.Option, ...]

      The declarations of the fields, in their order; whatever reads, writes, checks or shows options goes by them.
"""
_LONGEST: Final = 100
"""The most characters of a type or of a value that are shown."""

Node: TypeAlias = ast.ClassDef | ast.FunctionDef | ast.Assign | ast.AnnAssign


@attrs.frozen
class Name:
    """A public name."""

    name: str
    home: str
    """The module that declares it."""
    node: Node
    text: str
    """Its docstring."""

    @property
    def sentence(self) -> str:
        """The first sentence of the docstring."""
        return first_sentence(self.text)


def first_sentence(text: str) -> str:
    """The first sentence of a docstring, on one line."""
    return re.split(r"(?<=[.])\s", " ".join(text.split("\n\n")[0].split()), maxsplit=1)[0].replace("|", "\\|")


@cache
def documented() -> list[str]:
    """The modules that list their public names, in the order of the index: each has a page."""
    own = {"heartsrules", *[f"heartsrules.{name}" for name in INTERNAL]}
    listed = [module for module in MODULES if module not in own and _all(module)]
    return sorted(listed, key=lambda module: (list(HEADINGS).index(module.split(".")[1]), module))


def _path(module: str) -> Path:
    path = _SOURCE.joinpath(*module.split("."))
    return path / "__init__.py" if path.is_dir() else path.with_suffix(".py")


@cache
def tree(module: str) -> ast.Module:
    return ast.parse(_path(module).read_text(encoding="utf-8"))


def _body(module: str) -> list[ast.stmt]:
    """The statements of a module; those of the module `_api` of a package count as its own."""
    api = _path(module).with_name("_api.py") if _path(module).name == "__init__.py" else None
    return [*tree(module).body, *(tree(f"{module}._api").body if api is not None and api.exists() else ())]


def _all(module: str) -> list[str]:
    body = _body(module)
    for node in body:
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__all__":
            taken = [name for node in body if _takes_all(node) for name in _all(str(node.module))]
            return [*map(str, ast.literal_eval(node.value)), *taken]
    aliases = [alias for node in body if isinstance(node, ast.ImportFrom) for alias in node.names]
    return [alias.name for alias in aliases if alias.asname == alias.name]


def _takes_all(node: ast.stmt) -> TypeGuard[ast.ImportFrom]:
    """Whether a module takes all public names of another one."""
    return isinstance(node, ast.ImportFrom) and node.names[0].name == "*"


def _statements(module: str) -> Iterator[tuple[ast.stmt, ast.stmt | None]]:
    """The statements of a module, each with the next one; those under `if TYPE_CHECKING` too."""
    body: list[ast.stmt] = []
    for node in _body(module):
        body += node.body if isinstance(node, (ast.If, ast.With)) else [node]
    yield from zip(body, [*body[1:], None], strict=True)


@cache
def _name(module: str, name: str) -> Name:
    """A name where it is declared, also if this module takes it from another one."""
    for node, after in _statements(module):
        if isinstance(node, ast.ImportFrom) and node.module is not None:
            if _takes_all(node) and name in _all(node.module):
                return _name(node.module, name)
            for alias in node.names:
                if (alias.asname or alias.name) == name:
                    return _name(node.module, alias.name)
        elif isinstance(node, (ast.ClassDef, ast.FunctionDef)) and node.name == name:
            if not [each for each in node.decorator_list if ast.unparse(each) == "overload"]:
                return Name(name, module, node, ast.get_docstring(node) or "")
        elif isinstance(node, (ast.Assign, ast.AnnAssign)):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            if name in [ast.unparse(target) for target in targets]:
                said = isinstance(after, ast.Expr) and isinstance(after.value, ast.Constant)
                text = str(after.value.value) if said else ""  # type: ignore[union-attr]
                return Name(name, module, node, text)
    raise LookupError(f"{module} has no {name}")


@cache
def _top() -> dict[str, str]:
    """The names of the package itself, each with the module that it comes from."""
    found = {}
    for node, _ in _statements("heartsrules"):
        if isinstance(node, ast.ImportFrom):
            for alias in node.names:
                if alias.name in _all("heartsrules"):
                    module = f"{node.module}.{alias.name}"
                    found[alias.name] = module if _path(module).exists() else str(node.module)
    return found


def names_of(module: str) -> list[Name]:
    """What stands on the page of a module, in the order in which it is declared.

    A name that a module takes from another one with a page of its own stands there alone, but a package has those of
    its modules.
    """
    pages = documented()
    own = []
    for name in _all(module):
        found = _name(module, name)
        within = found.home.startswith(f"{module}.") or found.home.removeprefix("heartsrules.") in INTERNAL
        inside = within and found.home not in pages
        private = found.home.rpartition(".")[2].startswith("_")
        if found.home == module or inside or private:
            own.append(found)
    homes = list(dict.fromkeys(str(node.module) for node, _ in _statements(module) if isinstance(node, ast.ImportFrom)))
    homes.append(module)
    return sorted(own, key=lambda name: (homes.index(name.home) if name.home in homes else -1, name.node.lineno))


def _directive(name: Name) -> list[str]:
    """How Sphinx is told to show a name."""
    node = name.node
    if isinstance(node, ast.FunctionDef):
        return [f".. autofunction:: {name.name}"]
    if isinstance(node, ast.ClassDef):
        if [base for base in node.bases if re.search(r"(Error|Interrupt|Problems|Failed)$", ast.unparse(base))]:
            return [f".. autoexception:: {name.name}"]
        lines = [f".. autoclass:: {name.name}", "   :members:"]
        # The docstring of Rules gets its attributes from the declarations of the options.
        _, listed, fields = name.text.partition("\nAttributes:\n")
        has_code = "code: ClassVar" in ast.unparse(node)
        if name.name != "Rules" and (has_code or not listed):
            lines.append("   :undoc-members:")
        if listed and (has_code or "NamedTuple" in map(ast.unparse, node.bases)):
            lines.append("   :exclude-members: " + ", ".join(re.findall(r"(?m)^    (\w+):", fields)))
        operators = [
            part.name
            for part in node.body
            if isinstance(part, ast.FunctionDef) and re.match(r"__(?!init|new)", part.name) and ast.get_docstring(part)
        ]
        if operators:
            lines.append(f"   :special-members: {', '.join(operators)}")
        if _is_of_a_match(node):
            lines.append("   :inherited-members:")
        if name.name == "Rules":
            lines += ["   :exclude-members: OPTIONS", *_OPTIONS.splitlines()]
        return lines
    assert name.text, f"{name.home}.{name.name} has no docstring"
    value = "" if node.value is None else _short(ast.unparse(node.value))
    annotation = ast.unparse(node.annotation) if isinstance(node, ast.AnnAssign) else ""
    if annotation == "TypeAlias":
        lines = [f".. py:type:: {name.name}", f"   :canonical: {value}"]
    else:
        lines = [f".. py:data:: {name.name}"]
        kind = re.sub(r"^(Final|ClassVar)\b\[?(.*?)\]?$", r"\2", annotation)
        lines += [f"   :type: {kind}"] * bool(kind)
        if isinstance(node.value, (ast.Constant, ast.Tuple, ast.BinOp, ast.UnaryOp)) and not value.endswith("..."):
            lines.append(f"   :value: {value}")
    text = [f"   {line}".rstrip() for line in ast_text(name.text).splitlines()]
    return [*lines, "", *text, ""]


def _is_of_a_match(node: ast.ClassDef) -> bool:
    """Whether a class is a state, a view or a deal, whose attributes are those of its base classes too."""
    return any(ast.unparse(base) in _BASES for base in node.bases)


def ast_text(text: str) -> str:
    """A docstring of a constant without its indentation."""
    first, *rest = text.expandtabs().splitlines()
    indent = min([len(line) - len(line.lstrip()) for line in rest if line.strip()], default=0)
    return "\n".join([first.strip(), *[line[indent:] for line in rest]]).strip()


def _short(text: str) -> str:
    text = " ".join(text.split())
    if len(text) <= _LONGEST:
        return text
    parts = text.split(" | ")
    return f"{parts[0]} | ... | {parts[-1]}" if len(parts) > 3 else f"{text[: _LONGEST - 4]} ..."


def name_part(module: str) -> str:
    """The names of a module as reStructuredText within Markdown."""
    lines = ["", "```{eval-rst}", f".. automodule:: {module}", ""]
    inside = module
    for name in names_of(module):
        space = "heartsrules" if name.name in _top() else module
        if space != inside:
            lines += ["", f".. currentmodule:: {space}", ""]
            inside = space
        directive = _directive(name)
        if f"{space}.{name.name}" in _elsewhere():
            directive.insert(1, "   :no-index:")
        lines += directive
    text = "\n".join([*lines, "```", "", ""])
    return re.sub(r"\n{3,}", "\n\n", text)


@cache
def _elsewhere() -> frozenset[str]:
    """The names that another page of the documentation describes too; it has their place in the index."""
    found = set()
    for page in (_ROOT / "docs").rglob("*.md"):
        if "_build" not in page.parts and page != INDEX and FOLDER not in page.parents:
            module = ""
            text = page.read_text(encoding="utf-8")
            for kind, name in re.findall(r"^\.\. (?:py:)?(currentmodule|auto\w+):: ([\w.]+)$", text, re.MULTILINE):
                if kind == "currentmodule":
                    module = name
                else:
                    found.add(f"{module}.{name}")
    return frozenset(found)


def name_table() -> str:
    """List the names that are imported from `heartsrules` itself, under the pages that describe them."""
    names: dict[str, list[str]] = {}
    for name, home in sorted(_top().items(), key=lambda item: item[0].lower()):
        # The page of a package describes names of its internal modules.
        page = home.removeprefix("heartsrules.")
        while page not in INTERNAL and f"heartsrules.{page}" not in documented():
            page = page.rpartition(".")[0]
        names.setdefault(page, []).append(f"`{name}`")
    lines = []
    for page in sorted(names):
        link = "[About the build](#about-the-build)" if page in INTERNAL else f"[`heartsrules.{page}`](api/{page}.md)"
        lines.append(f"- {link}: {', '.join(names[page])}.")
    return "\n".join(["", *lines, "", ""])


def module_tables() -> str:
    """List the modules under each heading, and the table of contents."""
    lines: list[str] = []
    for heading, modules in groupby(documented(), key=lambda module: HEADINGS[module.split(".")[1]]):
        lines += ["", f"### {heading}", ""]
        for name in modules:
            said = first_sentence(ast.get_docstring(tree(name)) or "")
            lines.append(f"- [`{name}`](api/{name.removeprefix('heartsrules.')}.md): {said}")
    entries = [f"api/{module.removeprefix('heartsrules.')}" for module in documented()]
    return "\n".join([*lines, "", "```{toctree}", ":hidden:", ":maxdepth: 1", "", *entries, "```", "", ""])


def parts() -> Iterator[tuple[str, dict[str, str]]]:
    """The pages with their generated parts, by the names of both."""
    yield "reference/api", {"names": name_table(), "modules": module_tables()}
    for module in documented():
        yield f"reference/api/{module.removeprefix('heartsrules.')}", {"names": name_part(module)}
