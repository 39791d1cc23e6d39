"""Draw the curve of a training run: `python curve.py curve.json curve.svg` (extra `plot`)."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import matplotlib

matplotlib.use("Agg")
matplotlib.rcParams["svg.hashsalt"] = "heartsrules"
from matplotlib import pyplot  # noqa: E402 - the backend comes first


def main(given: str, written: str) -> None:
    """Draw the means and their 95 % intervals against the number of deals played, and par."""
    rows = json.loads(Path(given).read_text(encoding="utf-8"))
    figure, axes = pyplot.subplots(figsize=(7, 3.5), layout="constrained")
    deals = [row["deals"] / 1000 for row in rows]
    axes.errorbar(deals, [row["points"] for row in rows], [row["half"] for row in rows], marker="o", capsize=3)
    axes.axhline(6.5, color="gray", linestyle="--")
    axes.annotate("par: what a uniform player takes", (deals[-1], 6.5), (0, 4), textcoords="offset points", ha="right")
    axes.set_xlabel("deals of self-play, in thousands")
    axes.set_ylabel("points a deal against uniform players")
    axes.set_ylim(0, 7.5)
    axes.grid(alpha=0.3)
    figure.savefig(written, metadata={"Date": None})


if __name__ == "__main__":
    main(*sys.argv[1:])
