"""The picture of the results: how many times as fast as PyTorch's best each contestant is."""

from __future__ import annotations

import importlib.util
from typing import TYPE_CHECKING, Any

from benchmarks.contestants import TITLES
from benchmarks.ratios import over_torch

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

__all__ = ["draw", "is_available"]

_STYLES = {
    "mxnet": ("#b5b5b5", "s"),
    "mxnet-hybrid": ("#7d7d7d", "D"),
    "whole": ("#c62828", "v"),
    "eager": ("#9dc6e8", "o"),
    "hybrid": ("#1f6fb4", "o"),
    "fused": ("#0b3560", "*"),
}
_PANELS = {"forward": "Forward", "step": "Training step"}
_LARGE = 170  # marker area of a star
_REGULAR = 60


def is_available() -> bool:
    """Return whether matplotlib is installed."""
    return importlib.util.find_spec("matplotlib") is not None


def draw(results: Mapping[str, Any], path: Path) -> None:
    """Draw the speeds into a file; its name's end decides the format."""
    import matplotlib as mpl
    from matplotlib.figure import Figure

    titles = list(dict.fromkeys(case["title"] for case in results["speed"]))
    with mpl.rc_context({"svg.hashsalt": "gluonish", "svg.fonttype": "none"}):
        figure = Figure(figsize=(11, 1.9 + 0.42 * len(titles)), layout="constrained")
        figure.set_facecolor("white")
        panels = figure.subplots(1, 2, sharey=True)
        for axes, (mode, name) in zip(panels, _PANELS.items(), strict=True):
            _draw_panel(axes, [c for c in results["speed"] if c["mode"] == mode], titles)
            axes.set_title(name)
        handles = {}
        for axes in panels:
            found, labels = axes.get_legend_handles_labels()
            handles.update(zip(labels, found, strict=True))
        figure.legend(
            handles.values(), handles.keys(), loc="outside lower center", ncols=6, frameon=False
        )
        path.parent.mkdir(parents=True, exist_ok=True)
        metadata = {"Date": None} if path.suffix == ".svg" else None
        figure.savefig(path, dpi=120, metadata=metadata)


def _draw_panel(axes: Any, cases: list[Any], titles: list[str]) -> None:  # noqa: ANN401
    for name, (color, marker) in _STYLES.items():
        points = [
            (ratio, titles.index(case["title"]))
            for case in cases
            if (ratio := over_torch(case, name)) is not None
        ]
        if points:
            across, down = zip(*points, strict=True)
            size = _LARGE if marker == "*" else _REGULAR
            axes.scatter(
                across, down, size, color=color, marker=marker, label=TITLES[name], zorder=3
            )
    axes.axvline(1, color="#333333", linewidth=1)
    axes.set_xscale("log", base=2)
    axes.xaxis.set_major_formatter(lambda value, _: f"{value:g}x")
    axes.set_xlabel("times as fast as PyTorch's best; further right is faster")
    axes.set_yticks(range(len(titles)), titles)
    axes.set_ylim(len(titles) - 0.5, -0.5)
    axes.grid(alpha=0.3)
    axes.spines[["top", "right"]].set_visible(False)
