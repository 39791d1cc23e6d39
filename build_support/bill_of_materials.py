"""The software bill of materials of a wheel (PEP 770), in CycloneDX: the package, and what is compiled into it."""

from __future__ import annotations

import json
import re
from typing import Any

__all__ = ["bill_of_materials"]


def bill_of_materials(project: dict[str, Any], compilers: list[str], *, compiled: bool) -> str:
    """The bill as JSON, the same whenever it is made.

    What the package needs when it runs is no part of a wheel; its metadata name it.

    Args:
        project: the table `project` of pyproject.toml.
        compilers: the requirements that a compiled build has, mypy among them, pinned.
        compiled: whether the wheel holds the runtime library of mypyc.
    """
    name, version = project["name"], project["version"]
    own = _component(name, version, project["license"], project["description"])
    parts: list[dict[str, Any]] = []
    if compiled:
        (mypy,) = [found[1] for each in compilers if (found := re.fullmatch(r"mypy==([\w.]+)", each))]
        # mypy's LICENSE names the files of the runtime library that are Python's own.
        parts.append(
            _component("mypy", mypy, "MIT AND PSF-2.0", "The runtime library of mypyc, in the extension modules.")
        )
    bill = {
        "$schema": "http://cyclonedx.org/schema/bom-1.6.schema.json",
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {"component": own},
        "components": parts,
        "dependencies": [{"ref": own["bom-ref"], "dependsOn": [part["bom-ref"] for part in parts]}],
    }
    return json.dumps(bill, indent=2) + "\n"


def _component(name: str, version: str, licence: str, description: str) -> dict[str, Any]:
    address = f"pkg:pypi/{name}@{version}"
    return {
        "type": "library",
        "bom-ref": address,
        "name": name,
        "version": version,
        "description": description,
        "licenses": [{"expression": licence}],
        "purl": address,
    }
