"""Check the page of the browser table without a browser: `python -m support.page_checks`.

It runs the compiler of TypeScript, the formatter of the styles, and the tests of `tests/web/page` in Node.js. It needs
npm, which installs what `package-lock.json` pins.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Final

from support.bundle import ROOT, bundled, prepare

__all__ = ["FOR_NODE", "main"]

TESTS: Final = ROOT / "tests" / "web" / "page"
FOR_NODE: Final = ("--bundle", "--platform=node", "--format=esm", "--log-level=warning")
"""Options of esbuild for scripts that run in Node.js."""


def main() -> int:
    """Run all checks, and return 1 if one of them fails."""
    with tempfile.TemporaryDirectory() as folder:
        page = prepare(Path(folder))
        shutil.copytree(TESTS, page / "tests")
        tests = sorted(path.stem for path in TESTS.glob("*.test.ts"))
        bundled(page, *[f"tests/{name}.ts" for name in tests], *FOR_NODE, "--out-extension:.js=.mjs", "--outdir=made")
        commands = (
            ("node_modules/.bin/tsc", "--project", "."),
            ("node_modules/.bin/prettier", "--print-width", "120", "--check", "*.css"),
            ("node", "--test", *[f"made/{name}.mjs" for name in tests]),
        )
        codes = [subprocess.run(command, cwd=page, check=False).returncode for command in commands]
    return int(any(codes))


if __name__ == "__main__":
    sys.exit(main())
