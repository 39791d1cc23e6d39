"""`python tests/smoke.py compiled` tries a wheel of that build, or `interpreted`: the smoke test of releases.

It needs nothing but the wheel and what the wheel needs. The wheel must be what is imported, be of that build, have
every file of the package, and play 2,000 games of random rules as all builds, Pythons and machines do.
"""

from __future__ import annotations

import argparse
import platform
import sys
import sysconfig
from pathlib import Path
from typing import Final

import heartsrules
from support import digests

SOURCE: Final = Path(__file__).resolve().parents[1] / "src" / "heartsrules"
BUNDLED: Final = SOURCE / "apps" / "table" / "static"
"""The sources of the page of the table: a wheel has the bundle that is made of them."""


def faults(build: str, installed: Path, *, compiled: bool) -> list[str]:
    """What is wrong with a package in a folder that should be of that build, without playing."""
    found = []
    if compiled != (build == "compiled"):
        found.append(f"it is {'compiled' if compiled else 'not compiled'}")
    if installed == SOURCE:
        found.append("it is the source and not a wheel")
    made = {".pyc", ".so", ".pyd"}
    shipped = [path for path in SOURCE.rglob("*") if path.suffix not in made and BUNDLED not in path.parents]
    files = [path.relative_to(SOURCE) for path in shipped if path.is_file()]
    found += [f"{path.as_posix()} is not in it" for path in sorted(files) if not (installed / path).is_file()]
    return found


def main() -> None:
    """Try what is installed, and exit with an error that says all that is wrong."""
    parser = argparse.ArgumentParser(description="Try an installed wheel.")
    parser.add_argument("build", choices=["compiled", "interpreted"])
    asked = parser.parse_args()
    found = faults(asked.build, Path(str(heartsrules.__file__)).resolve().parent, compiled=heartsrules.COMPILED)
    if digests.digest(digests.FEW) != digests.FILE.read_text(encoding="ascii").strip():
        found.append(f"its {digests.FEW} games are not those of other builds")
    python = f"{platform.python_implementation()} {platform.python_version()} on {sysconfig.get_platform()}"
    what = f"heartsrules {heartsrules.__version__}, {asked.build}, {python}"
    if found:
        sys.exit(f"{what}: {'; '.join(found)}")
    print(f"{what}: the {digests.FEW} games of random rules are as they should be")


if __name__ == "__main__":
    main()
