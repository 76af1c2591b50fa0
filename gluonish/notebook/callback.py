"""Callbacks of `fit` that keep metrics as tables, and draw them while a training runs."""

from __future__ import annotations

import datetime
import importlib
import time
from collections import defaultdict
from typing import TYPE_CHECKING, Any

from typing_extensions import override

from gluonish.display.tables import is_shown_in_notebook
from gluonish.errors import InvalidArgumentError, MissingExtraError, MissingMethodError
from gluonish.viz import plot_history

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from gluonish.model import BatchEndParam

__all__ = [
    "LiveBokehChart",
    "LiveLearningCurve",
    "LiveTimeSeries",
    "PandasLogger",
    "args_wrapper",
]

_TABLES = ("train", "eval", "epoch")


class PandasLogger:
    """Keeps the metrics of a training in three tables: of batches, of evaluations, of epochs.

    Parameters
    ----------
    batch_size : int
        Samples in a batch.
    frequent : int, default 50
        Batches between two rows of the first table.

    Notes
    -----
    Rows are kept as they come; `train_df` and the others make tables of pandas from them.

    Examples
    --------
    >>> import gluonish as mx
    >>> logger = mx.notebook.callback.PandasLogger(batch_size=8, frequent=1)
    >>> logger.append_metrics({"accuracy": 0.5}, "train")
    >>> logger.rows["train"]
    [{'accuracy': 0.5}]
    """

    def __init__(self, batch_size: int, frequent: int = 50) -> None:
        self.batch_size = batch_size
        self.frequent = frequent
        self.rows: dict[str, list[dict[str, Any]]] = {name: [] for name in _TABLES}
        self.last_time = time.time()
        self.start_time = self.last_epoch_time = datetime.datetime.now()

    @property
    def train_df(self) -> Any:
        """Rows of batches, `frequent` apart, as a `pandas.DataFrame`."""
        return self.all_dataframes["train"]

    @property
    def eval_df(self) -> Any:
        """Rows of evaluations as a `pandas.DataFrame`."""
        return self.all_dataframes["eval"]

    @property
    def epoch_df(self) -> Any:
        """Rows of epochs, with the time that each took, as a `pandas.DataFrame`."""
        return self.all_dataframes["epoch"]

    @property
    def all_dataframes(self) -> dict[str, Any]:
        """All three tables by name: `train`, `eval` and `epoch`.

        Raises
        ------
        MissingExtraError
            pandas is not installed.
        """
        try:
            pd = importlib.import_module("pandas")
        except ImportError as error:
            msg = (
                "PandasLogger: pandas is not installed. Expected it for tables; logger.rows has "
                "the same as lists of dictionaries. Install it with: pip install pandas"
            )
            raise MissingExtraError(msg) from error
        return {name: pd.DataFrame(rows) for name, rows in self.rows.items()}

    def elapsed(self) -> datetime.timedelta:
        """Return the time since the logger was made."""
        return datetime.datetime.now() - self.start_time

    def append_metrics(self, metrics: Mapping[str, Any], df_name: str) -> None:
        """Add a row to one of the tables.

        Raises
        ------
        InvalidArgumentError
            There is no table of that name.
        """
        if df_name not in self.rows:
            msg = (
                f"PandasLogger.append_metrics: df_name={df_name!r} was given. Expected one of "
                f"{', '.join(_TABLES)}. Name a table that there is."
            )
            raise InvalidArgumentError(msg)
        self.rows[df_name].append(dict(metrics))

    def train_cb(self, param: BatchEndParam) -> None:
        """Add a row after every `frequent` batches: `batch_end_callback`."""
        if param.nbatch % self.frequent == 0:
            self._process_batch(param, "train")

    def eval_cb(self, param: BatchEndParam) -> None:
        """Add a row after an evaluation: `eval_end_callback`."""
        self._process_batch(param, "eval")

    def epoch_cb(self, *_: object) -> None:
        """Add a row after an epoch: `epoch_end_callback`."""
        now = datetime.datetime.now()
        row = {"elapsed": self.elapsed(), "epoch_time": now - self.last_epoch_time}
        self.append_metrics(row, "epoch")
        self.last_epoch_time = now

    def _process_batch(self, param: BatchEndParam, df_name: str) -> None:
        now = time.time()
        metrics = _taken(param)
        passed = now - self.last_time
        speed = self.frequent / passed if passed else float("inf")
        metrics["batches_per_sec"] = speed * self.batch_size  # MXNet has these two by each
        metrics["records_per_sec"] = speed  # other's name
        metrics["elapsed"] = self.elapsed()
        metrics["minibatch_count"] = param.nbatch
        metrics["epoch"] = param.epoch
        self.append_metrics(metrics, df_name)
        self.last_time = now

    def callback_args(self) -> dict[str, Callable[..., None]]:
        """Return arguments for `fit`: `module.fit(data, **logger.callback_args())`."""
        return {
            "batch_end_callback": self.train_cb,
            "eval_end_callback": self.eval_cb,
            "epoch_end_callback": self.epoch_cb,
        }


def _taken(param: BatchEndParam) -> dict[str, Any]:
    """Return the metrics of a batch by name, and have them begin anew."""
    if param.eval_metric is None:
        return {}
    found = dict(param.eval_metric.get_name_value())
    param.eval_metric.reset()
    return found


class LiveBokehChart:
    """A chart that is drawn anew every few seconds while a training runs; to be subclassed.

    Subclasses define `setup_chart`, which returns a handle, and `update_chart_data`.

    Parameters
    ----------
    pandas_logger : PandasLogger or None
        Where the metrics come from; None makes one.
    metric_name : str
        The metric that is drawn.
    display_freq : float, default 10
        Seconds between two drawings.
    batch_size, frequent : int
        For a logger that is made.

    Examples
    --------
    >>> import gluonish as mx
    >>> class Printed(mx.notebook.callback.LiveBokehChart):
    ...     def setup_chart(self):
    ...         return "chart"
    ...     def update_chart_data(self):
    ...         print("drawn")
    >>> Printed(None, "accuracy", batch_size=8).eval_cb(None)
    drawn
    """

    def __init__(
        self,
        pandas_logger: PandasLogger | None,
        metric_name: str | None,
        display_freq: float = 10,
        batch_size: int | None = None,
        frequent: int = 50,
    ) -> None:
        self.pandas_logger = pandas_logger or PandasLogger(batch_size or 1, frequent)
        self.display_freq = display_freq
        self.last_update = time.time()
        self.metric_name = metric_name
        self.handle = self.setup_chart()

    def setup_chart(self) -> Any:
        """Make the chart and return what shows it."""
        raise _not_defined(self, "setup_chart()")

    def update_chart_data(self) -> None:
        """Bring the chart up to date."""
        raise _not_defined(self, "update_chart_data()")

    def interval_elapsed(self) -> bool:
        """Return whether it is time to draw."""
        return time.time() - self.last_update > self.display_freq

    def _push_render(self) -> None:
        self.last_update = time.time()

    def _do_update(self) -> None:
        self.update_chart_data()
        self._push_render()

    def batch_cb(self, param: BatchEndParam) -> None:  # noqa: ARG002 - the name is MXNet's
        """Draw after a batch, if it is time: `batch_end_callback`."""
        if self.interval_elapsed():
            self._do_update()

    def eval_cb(self, param: BatchEndParam) -> None:  # noqa: ARG002 - the same
        """Draw after an evaluation: `eval_end_callback`."""
        self._do_update()

    def callback_args(self) -> dict[str, Callable[..., None]]:
        """Return arguments for `fit`: `module.fit(data, **chart.callback_args())`."""
        return {"batch_end_callback": self.batch_cb, "eval_end_callback": self.eval_cb}


def _not_defined(chart: LiveBokehChart, method: str) -> MissingMethodError:
    msg = (
        f"{type(chart).__name__}: {method} is not defined. Expected a subclass of LiveBokehChart "
        f"that defines setup_chart() and update_chart_data(). LiveLearningCurve is one."
    )
    return MissingMethodError(msg)


class _Curves(LiveBokehChart):
    """Curves that are drawn by Matplotlib, in a notebook in the same place each time."""

    @override
    def setup_chart(self) -> Any:
        if not is_shown_in_notebook():
            return None
        shown = importlib.import_module("IPython.display")
        return shown.display("waiting for the first numbers", display_id=True)

    def _show(self, curves: Mapping[str, list[float]]) -> None:
        """Draw curves over the points so far; nothing is drawn outside of notebooks."""
        if self.handle is not None and any(curves.values()):
            self.handle.update(plot_history(dict(curves)))


class LiveTimeSeries(_Curves):
    """A curve of numbers that a program tells, in their order.

    Parameters
    ----------
    **fig_params
        Options of Bokeh's figures, which are not used: Matplotlib draws.

    Examples
    --------
    >>> import gluonish as mx
    >>> series = mx.notebook.callback.LiveTimeSeries()
    >>> series.update_chart_data(0.5)
    >>> series.y_axis_val
    [0.5]
    """

    def __init__(self, **fig_params: Any) -> None:
        self.fig_params = fig_params
        self.start_time = datetime.datetime.now()
        self.x_axis_val: list[datetime.timedelta] = []
        self.y_axis_val: list[float] = []
        super().__init__(None, None)

    def elapsed(self) -> datetime.timedelta:
        """Return the time since the chart was made."""
        return datetime.datetime.now() - self.start_time

    @override
    def update_chart_data(self, value: float) -> None:  # type: ignore[override]
        self.x_axis_val.append(self.elapsed())
        self.y_axis_val.append(value)
        self._show({"value": self.y_axis_val})
        self._push_render()


class LiveLearningCurve(_Curves):
    """Curves of a metric in training and in evaluation while a training runs.

    Parameters
    ----------
    metric_name : str
        The metric that is drawn.
    display_freq : float, default 10
        Seconds between two drawings.
    frequent : int, default 50
        Batches between two points.

    Examples
    --------
    >>> import gluonish as mx
    >>> curve = mx.notebook.callback.LiveLearningCurve("accuracy", frequent=1)
    >>> sorted(curve.callback_args())
    ['batch_end_callback', 'eval_end_callback']
    """

    def __init__(self, metric_name: str, display_freq: float = 10, frequent: int = 50) -> None:
        self.frequent = frequent
        self.start_time = datetime.datetime.now()
        self._data: dict[str, dict[str, list[Any]]] = {
            "train": {"elapsed": []},
            "eval": {"elapsed": []},
        }
        super().__init__(None, metric_name, display_freq, frequent=frequent)

    @override
    def batch_cb(self, param: BatchEndParam) -> None:
        if param.nbatch % self.frequent == 0:
            self._process_batch(param, "train")
        if self.interval_elapsed():
            self._do_update()

    @override
    def eval_cb(self, param: BatchEndParam) -> None:
        self._process_batch(param, "eval")
        self._do_update()

    def _process_batch(self, param: BatchEndParam, df_name: str) -> None:
        metrics = _taken(param)
        metrics["elapsed"] = datetime.datetime.now() - self.start_time
        for key, value in metrics.items():
            self._data[df_name].setdefault(key, []).append(value)

    @override
    def update_chart_data(self) -> None:
        name = str(self.metric_name)
        found = {"train": self._data["train"], "validation": self._data["eval"]}
        self._show({f"{which} {name}": rows.get(name, []) for which, rows in found.items()})


def args_wrapper(*args: Any) -> dict[str, list[Any]]:
    """Return arguments for `fit` that call several loggers and charts.

    Examples
    --------
    >>> import gluonish as mx
    >>> callback = mx.notebook.callback
    >>> both = callback.args_wrapper(callback.PandasLogger(8), callback.PandasLogger(8, 10))
    >>> {name: len(calls) for name, calls in both.items()}
    {'batch_end_callback': 2, 'eval_end_callback': 2, 'epoch_end_callback': 2}
    """
    out: dict[str, list[Any]] = defaultdict(list)
    for each in args:
        for name, call in each.callback_args().items():
            out[name].append(call)
    return dict(out)
