"""Generated files are up to date."""

from __future__ import annotations

from support import generated


def test_nothing_generated_is_stale() -> None:
    wanted = dict(generated.files())
    stale = [path for path, content in wanted.items() if not path.exists() or path.read_bytes() != content]
    names = [str(path.relative_to(generated.ROOT)) for path in [*stale, *generated.left_overs(wanted)]]
    assert names == [], "run nox -s generate"
    assert len({path.parent for path in wanted}) == 20, (
        "schemas, the protocol, golden files, samples, messages, exports, the corpus, pages, figures, pictures, "
        "the logo, vectors, project files"
    )
