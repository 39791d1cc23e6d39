"""Generated files are up to date."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from support import bundle, generated

pytestmark = pytest.mark.once_compiled


def test_nothing_generated_is_stale() -> None:
    wanted = dict(generated.files())
    stale = [path for path, content in wanted.items() if not path.exists() or path.read_bytes() != content]
    names = [str(path.relative_to(generated.ROOT)) for path in [*stale, *generated.left_overs(wanted)]]
    assert names == [], "run nox -s generate"
    assert len({path.parent for path in wanted}) == 22, (
        "schemas, golden files, samples, messages, exports, the corpus, pages, figures, pictures, "
        "the logo, vectors, parts of runs, project files, the page's protocol, the bundle"
    )


def test_a_changed_source_or_file_of_the_bundle_is_noticed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    shutil.copytree(bundle.PAGE, tmp_path / "static")
    shutil.copytree(bundle.BUILT, tmp_path / "bundle")
    monkeypatch.setattr(bundle, "PAGE", tmp_path / "static")
    monkeypatch.setattr(bundle, "BUILT", tmp_path / "bundle")
    monkeypatch.setattr(shutil, "which", lambda _: None)
    assert {path.name: content for path, content in bundle.files().items()} == {
        path.name: path.read_bytes() for path in bundle.BUILT.iterdir()
    }
    for changed in ("static/hand.ts", "static/words.de.json", "bundle/main.js"):
        before = (tmp_path / changed).read_bytes()
        (tmp_path / changed).write_bytes(before + b"\n")
        with pytest.raises(RuntimeError, match="install npm"):
            bundle.files()
        (tmp_path / changed).write_bytes(before)


@pytest.mark.long
@pytest.mark.skipif(shutil.which("npm") is None, reason="npm is not installed")
def test_esbuild_makes_the_bundle_that_is_kept() -> None:
    kept = {path.name: path.read_bytes() for path in bundle.BUILT.iterdir() if path.name != bundle.DIGEST}
    assert bundle.build() == kept
