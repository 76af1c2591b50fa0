"""The curves of a training, each in one call."""

from __future__ import annotations

import importlib
import importlib.util
import io
import math
from typing import TYPE_CHECKING, Any

from gluonish.errors import InvalidArgumentError, MissingExtraError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Protocol

    from matplotlib.figure import Figure

    from gluonish.gluon.contrib.estimator import LearningRates

    class Columns(Protocol):
        """Values by name: a dictionary, or a DataFrame."""

        def __iter__(self) -> Iterator[Any]: ...

        def __getitem__(self, name: Any, /) -> Any: ...  # noqa: ANN401 - dtypes of columns


__all__ = ["plot_history", "plot_learning_rates"]


def plot_history(
    history: Columns,
    path: str | None = None,
    xlabel: str = "epoch",
    size: tuple[float, float] = (7.0, 3.0),
) -> Figure:
    """Draw what was measured after each epoch; losses in one panel, all else in another.

    Parameters
    ----------
    history : dict of str to sequence of float, or pandas.DataFrame
        Values by name, an Estimator's `history` for one. Names with 'loss' or 'perplexity' in them
        make the first panel. NaN is left out; what is named as `xlabel` says where values are.
    path : str, optional
        File to write the picture to; its ending says in which format.
    xlabel : str, default 'epoch'
        What is counted, from 1 if there are no values of that name.
    size : tuple of float, default (7.0, 3.0)
        Inches.

    Returns
    -------
    matplotlib.figure.Figure
        The picture, which notebooks show.

    Raises
    ------
    InvalidArgumentError
        If there are no values.
    MissingExtraError
        If matplotlib is not installed.

    Examples
    --------
    >>> import gluonish as mx
    >>> figure = mx.viz.plot_history({'train loss': [2.0, 1.1, 0.7], 'accuracy': [0.4, 0.6, 0.8]})
    >>> len(figure.axes)
    2
    """
    if not hasattr(history, "keys"):
        msg = (
            f"plot_history: {history!r} was given. Expected values by name. Write for example "
            f"plot_history({{'train loss': values}})."
        )
        raise InvalidArgumentError(msg)
    columns = {name: [float(value) for value in history[name]] for name in history}
    places = columns.pop(xlabel, None)
    if not columns or not all(map(len, columns.values())):
        msg = (
            f"plot_history: {columns!r} was given. Expected names with values of at least "
            "one epoch. Append to lists while you train: history['train loss'].append(...)."
        )
        raise InvalidArgumentError(msg)
    figure: Figure = _figure(size, "plot_history")
    losses = [name for name in columns if _is_loss(name)]
    panels = [panel for panel in (losses, [n for n in columns if n not in losses]) if panel]
    for axes, names in zip(figure.subplots(1, len(panels), squeeze=False)[0], panels, strict=True):
        for name in names:
            values = columns[name]
            at = range(1, len(values) + 1) if places is None else places
            known = [(x, y) for x, y in zip(at, values, strict=True) if not math.isnan(y)]
            mark = "." if len(known) < 50 else ""
            axes.plot([x for x, _ in known], [y for _, y in known], label=name, marker=mark)
        axes.set_xlabel(xlabel)
        axes.xaxis.get_major_locator().set_params(integer=True)
        axes.grid(visible=True, alpha=0.3)
        axes.legend(loc="lower center", bbox_to_anchor=(0.5, 1.0), frameon=False)  # above curves
    if path is not None:
        figure.savefig(path)
    return figure


def plot_learning_rates(
    found: LearningRates, path: str | None = None, size: tuple[float, float] = (5.0, 3.0)
) -> Figure:
    """Draw losses over learning rates, and the rate at which the loss falls fastest.

    Parameters
    ----------
    found : LearningRates
        What `Estimator.find_learning_rate` returned.
    path : str, optional
        File to write the picture to; its ending says in which format.
    size : tuple of float, default (5.0, 3.0)
        Inches.

    Returns
    -------
    matplotlib.figure.Figure
        The picture, which notebooks show.

    Raises
    ------
    MissingExtraError
        If matplotlib is not installed.

    Examples
    --------
    >>> import gluonish as mx
    >>> from gluonish.gluon.contrib.estimator import LearningRates
    >>> found = LearningRates([0.001, 0.01, 0.1], [2.0, 1.5, 3.0], 0.01)
    >>> mx.viz.plot_learning_rates(found).axes[0].get_xscale()
    'log'
    """
    figure: Figure = _figure(size, "plot_learning_rates")
    axes = figure.subplots()
    axes.plot(found.rates, found.losses)
    label = f"falls fastest: {found.suggestion:.2g}"
    axes.axvline(found.suggestion, color="tab:orange", linestyle="--", label=label)
    axes.set(xscale="log", xlabel="learning rate", ylabel="loss")
    axes.grid(visible=True, alpha=0.3)
    axes.legend()
    if path is not None:
        figure.savefig(path)
    return figure


def _is_loss(name: str) -> bool:
    return any(word in name.lower() for word in ("loss", "perplexity", "entropy", "error"))


def _figure(size: tuple[float, float], owner: str) -> Any:  # noqa: ANN401 - matplotlib may be absent
    if importlib.util.find_spec("matplotlib") is None:
        msg = f"{owner}: matplotlib is not installed. Install it with: pip install 'gluonish[viz]'"
        raise MissingExtraError(msg)
    base = importlib.import_module("matplotlib.figure").Figure

    class Curves(base):  # type: ignore[misc, valid-type]
        """A picture that notebooks show without further ado."""

        def _repr_png_(self) -> bytes:
            file = io.BytesIO()
            self.savefig(file, format="png", dpi=120)
            return file.getvalue()

    return Curves(figsize=size, layout="constrained")
