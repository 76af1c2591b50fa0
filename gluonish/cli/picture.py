"""The picture that the demo draws: how it learned, and what it reads."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as onp

from gluonish.errors import MissingExtraError

if TYPE_CHECKING:
    from pathlib import Path

    from gluonish.array import NDArray
    from gluonish.cli.demo import History

_SHOWN = 20  # digits
_MISTAKES = 5  # at most so many of them
_BLUE, _ORANGE, _RED, _GREY = "#1f6fb4", "#e07b1a", "#c62828", "#6b6b6b"


def draw(
    history: History, images: NDArray, labels: NDArray, probabilities: NDArray, path: Path
) -> Path:
    """Draw curves and twenty digits into a file, and return its path.

    Parameters
    ----------
    history : History
        What training looked like.
    images : NDArray, shape (count, 1, 28, 28)
        Test digits.
    labels : NDArray, shape (count,)
        What they are.
    probabilities : NDArray, shape (count, 10)
        What the net takes them for.
    path : Path
        File name; its end decides the format.

    Raises
    ------
    MissingExtraError
        matplotlib is not installed.
    """
    try:
        from matplotlib.figure import Figure
    except ImportError as error:
        msg = (
            "matplotlib is not installed. Expected it for drawing pictures. Install it with: "
            "pip install 'gluonish[viz]'"
        )
        raise MissingExtraError(msg) from error

    figure = Figure(figsize=(13, 6.2), layout="constrained", facecolor="white")
    left, right = figure.subfigures(1, 2, squeeze=False, width_ratios=(1, 1.25), wspace=0.04)[0]
    above, below = left.subplots(2, 1)
    _draw_losses(above, history)
    _draw_accuracies(below, history)
    _draw_digits(right, images.asnumpy(), labels.asnumpy(), probabilities.asnumpy())
    figure.savefig(path, dpi=120)
    return path


def _draw_losses(axes: Any, history: History) -> None:  # noqa: ANN401 - matplotlib is optional
    losses = onp.asarray(history.losses)
    epochs = onp.arange(1, len(losses) + 1) * len(history.test_accuracies) / len(losses)
    width = max(1, len(losses) // 40)
    smooth = onp.convolve(losses, onp.ones(width) / width, "valid")
    axes.plot(epochs, losses, color=_BLUE, alpha=0.25, linewidth=0.8, label="each batch")
    axes.plot(epochs[width - 1 :], smooth, color=_BLUE, linewidth=1.8, label=f"mean of {width}")
    axes.set(yscale="log", ylabel="training loss", title="How LeNet learned")
    axes.legend(frameon=False)
    _tidy(axes)


def _draw_accuracies(axes: Any, history: History) -> None:  # noqa: ANN401
    epochs = range(1, len(history.test_accuracies) + 1)
    best = history.test_accuracies[-1]
    for accuracies, color, label in (
        (history.train_accuracies, _BLUE, "training, shifted and with dropout"),
        (history.test_accuracies, _ORANGE, f"test: {best:.1%} in the end"),
    ):
        percent = [100 * value for value in accuracies]
        axes.plot(epochs, percent, color=color, marker="o", markersize=3.5, label=label)
    lowest = 100 * min(history.train_accuracies + history.test_accuracies)
    axes.set(xlabel="epoch", ylabel="right answers, %", ylim=(max(lowest - 1, 85), 100.3))
    axes.legend(frameon=False, loc="lower right")
    _tidy(axes)


def _draw_digits(
    figure: Any,  # noqa: ANN401
    images: onp.ndarray[Any, Any],
    labels: onp.ndarray[Any, Any],
    probabilities: onp.ndarray[Any, Any],
) -> None:
    answers = probabilities.argmax(1)
    wrong = onp.flatnonzero(answers != labels)
    right = onp.flatnonzero(answers == labels)
    mistakes = wrong[:_MISTAKES]
    shown = [*_varied(right, labels)[: _SHOWN - len(mistakes)], *mistakes]
    figure.suptitle(
        f"What it reads: {len(right):,} of {len(labels):,} test digits right\n"
        f"Its answer and how sure it is; {len(mistakes)} of its {len(wrong)} mistakes in red",
        fontsize=12,
    )
    for axes, position in zip(figure.subplots(4, 5).flat, shown, strict=False):
        answer, truth = answers[position], labels[position]
        axes.imshow(images[position, 0], cmap="gray_r", vmin=0, vmax=1)
        axes.set(xticks=[], yticks=[])
        color = _GREY if answer == truth else _RED
        for spine in axes.spines.values():
            spine.set(color=color, linewidth=0.6 if answer == truth else 2)
        text = f"{answer}" if answer == truth else f"{answer}, is {truth}"
        axes.set_title(f"{text}  ({probabilities[position, answer]:.0%})", color=color, fontsize=10)


def _varied(
    positions: onp.ndarray[Any, Any], labels: onp.ndarray[Any, Any]
) -> onp.ndarray[Any, Any]:
    """Return positions so that each digit comes once before any comes twice."""
    seen: dict[int, int] = {}
    rounds = []
    for label in labels[positions].tolist():
        seen[label] = seen.get(label, 0) + 1
        rounds.append(seen[label])
    return positions[onp.lexsort((labels[positions], rounds))]


def _tidy(axes: Any) -> None:  # noqa: ANN401
    axes.grid(alpha=0.3)
    axes.spines[["top", "right"]].set_visible(False)
