"""Pictures of the results: how many times as fast as PyTorch's best, and steps against seconds."""

from __future__ import annotations

import importlib.util
from typing import TYPE_CHECKING, Any

from benchmarks.contestants import TITLES
from benchmarks.ratios import over_torch
from benchmarks.time_lines import TITLES as LINE_TITLES

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

__all__ = ["draw", "draw_lines", "is_available"]

_STYLES = {
    "mxnet": ("#b5b5b5", "s"),
    "mxnet-hybrid": ("#7d7d7d", "D"),
    "whole": ("#c62828", "v"),
    "eager": ("#9dc6e8", "o"),
    "unfused": ("#6aa5d6", "^"),
    "hybrid": ("#1f6fb4", "o"),
    "fused": ("#0b3560", "*"),
}
_LINES = {
    "hybrid": "#1f6fb4",
    "hybrid-alone": "#9dc6e8",
    "torch": "#e08a00",
    "whole": "#c62828",
    "mxnet-hybrid": "#7d7d7d",
}
_PANELS = {"forward": "Forward", "step": "Training step"}
_LARGE = 170  # marker area of a star
_REGULAR = 60


def is_available() -> bool:
    """Return whether matplotlib is installed."""
    return importlib.util.find_spec("matplotlib") is not None


def draw(results: Mapping[str, Any], path: Path) -> None:
    """Draw the speeds into a file; its name's end decides the format."""
    titles = list(dict.fromkeys(case["title"] for case in results["speed"]))

    def fill(panels: Any) -> None:  # noqa: ANN401
        for axes, (mode, name) in zip(panels, _PANELS.items(), strict=True):
            _draw_panel(axes, [c for c in results["speed"] if c["mode"] == mode], titles)
            axes.set_title(name)

    _save(path, (11, 1.9 + 0.42 * len(titles)), {"ncols": 2, "sharey": True}, fill, 6)


def draw_lines(results: Mapping[str, Any], path: Path) -> None:
    """Draw how many steps are done after how many seconds into a file."""
    cases = results["time"]

    def fill(panels: Any) -> None:  # noqa: ANN401
        for axes, case in zip(panels.flat, cases, strict=True):
            _draw_steps(axes, case)

    _save(path, (5.5 * len(cases), 4.4), {"ncols": len(cases), "squeeze": False}, fill, 4)


def _save(
    path: Path,
    size: tuple[float, float],
    panels: Mapping[str, Any],
    fill: Callable[[Any], None],
    columns: int,
) -> None:
    """Save a figure of panels with one legend for all."""
    import matplotlib as mpl
    from matplotlib.figure import Figure

    with mpl.rc_context({"svg.hashsalt": "gluonish", "svg.fonttype": "none"}):
        figure = Figure(figsize=size, layout="constrained")
        figure.set_facecolor("white")
        fill(figure.subplots(**panels))
        handles = {}
        for axes in figure.axes:
            found, labels = axes.get_legend_handles_labels()
            handles.update(zip(labels, found, strict=True))
        figure.legend(
            handles.values(),
            handles.keys(),
            loc="outside lower center",
            ncols=columns,
            frameon=False,
        )
        path.parent.mkdir(parents=True, exist_ok=True)
        metadata = {"Date": None} if path.suffix == ".svg" else None
        figure.savefig(path, dpi=120, metadata=metadata)


def _draw_steps(axes: Any, case: Mapping[str, Any]) -> None:  # noqa: ANN401
    for key, line in case["lines"].items():
        name, state = key.split()
        if name not in _LINES:
            continue
        has_states = f"{name} warm" in case["lines"]
        title = LINE_TITLES[name] + (f", {state}" if has_states else "")
        seconds = [time for _, time in line]
        style = "--" if state == "cold" and has_states else "-"
        axes.plot(seconds, [step for step, _ in line], style, color=_LINES[name], label=title)
    last = case["lines"]["torch cold"][-1]
    axes.set_title(case["title"])
    axes.set_xlim(0, 1.6 * last[1])
    axes.set_ylim(0, last[0])
    axes.set_xlabel("seconds since the start")
    axes.set_ylabel("steps done")
    axes.grid(alpha=0.3)
    axes.spines[["top", "right"]].set_visible(False)


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
