"""Handlers that keep what was measured: a history, a table in a file, files for TensorBoard."""

from __future__ import annotations

import csv
import io
import math
from pathlib import Path
from typing import TYPE_CHECKING, Any

from typing_extensions import override

from gluonish.errors import FileFormatError, MissingNameError
from gluonish.errors.suggestions import did_you_mean
from gluonish.errors.tracebacks import shorten
from gluonish.gluon.contrib.estimator.events import (
    BatchEnd,
    EpochBegin,
    EpochEnd,
    TrainBegin,
    TrainEnd,
)
from gluonish.gluon.contrib.estimator.steps import check_period
from gluonish.gluon.summary_writer import summary_writer
from gluonish.serialization.files import replacing

if TYPE_CHECKING:
    import os
    from collections.abc import Iterable

    from gluonish.gluon.contrib.estimator.estimator import Estimator
    from gluonish.metric import EvalMetric

__all__ = ["CSVHandler", "HistoryHandler", "TensorBoardHandler"]


class History(dict[str, list[float]]):
    """The metrics after each epoch, by name, which says what it has where a name is wrong.

    Examples
    --------
    >>> from gluonish.gluon.contrib.estimator.recorders import History
    >>> History(accuracy=[0.5])["acc"]
    Traceback (most recent call last):
    gluonish.errors.MissingNameError: history: it has no 'acc'. Expected one of accuracy. Print it \
after fit, which fills it.
    """

    def __missing__(self, name: object) -> list[float]:
        try:
            raise self._lacks(name)
        except MissingNameError as error:
            shorten(error)
            raise

    def _lacks(self, name: object) -> MissingNameError:
        known = f"one of {', '.join(self)}" if self else "a name; it is empty"
        msg = (
            f"history: it has no {name!r}. Expected {known}. Print it after fit, which fills it."
            f"{did_you_mean(str(name), self)}"
        )
        return MissingNameError(msg)


class HistoryHandler(EpochBegin, EpochEnd):
    """Adds the metrics of each epoch to the Estimator's `history`; `fit` has one.

    Validation metrics of an epoch without validation are NaN.

    Parameters
    ----------
    priority : float, default 0
        When it is called: after handlers of lower ones.

    Examples
    --------
    >>> from gluonish.gluon.contrib.estimator import HistoryHandler
    >>> HistoryHandler().priority
    0
    """

    def __init__(self, priority: float = 0) -> None:
        self.priority = priority
        self._before: dict[str, float] = {}

    @override
    def epoch_begin(self, estimator: Estimator, *args: Any, **kwargs: Any) -> None:
        estimator.is_validated = False
        self._before = _values(estimator.val_metrics)

    @override
    def epoch_end(self, estimator: Estimator, *args: Any, **kwargs: Any) -> None:
        row = _values(estimator.train_metrics)
        for name, value in _values(estimator.val_metrics).items():
            if estimator.is_validated or value != self._before.get(name):
                row[name] = value
        add_row(estimator.history, row)


class CSVHandler(TrainBegin, EpochEnd):
    """Writes the Estimator's `history` into a file of comma-separated values after each epoch.

    The file has a row for each epoch, and a column for each metric beside the epoch's number, from
    1; it is replaced as a whole. Where a CheckpointHandler goes on from a checkpoint, the history
    until then is read from the file.

    Parameters
    ----------
    path : path
        The file.

    Raises
    ------
    FileFormatError
        There is a file to go on with that is no such table.
    FileAccessError
        The file can't be written.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> import gluonish as mx
    >>> from gluonish.gluon.contrib.estimator import CSVHandler, Estimator
    >>> net = mx.gluon.nn.Dense(1, in_units=2)
    >>> net.initialize(mx.init.Zero())
    >>> trainer = mx.gluon.Trainer(net.collect_params(), 'sgd', {'learning_rate': 0.25})
    >>> estimator = Estimator(net, mx.gluon.loss.L2Loss(), trainer=trainer)
    >>> data = mx.gluon.data.ArrayDataset(mx.nd.ones((4, 2)), mx.nd.ones((4, 1)))
    >>> estimator.logger.setLevel("WARNING")  # no lines
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = Path(folder, "history.csv")
    ...     loader = mx.gluon.data.DataLoader(data, batch_size=4)
    ...     estimator.fit(loader, epochs=2, event_handlers=CSVHandler(file))
    ...     print(file.read_text())
    epoch,training l2loss
    1,0.5
    2,0.03125
    <BLANKLINE>
    """

    priority = math.inf

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = Path(path)

    @override
    def train_begin(self, estimator: Estimator, *args: Any, **kwargs: Any) -> None:
        wanted = estimator.resumed_epochs - rows_of(estimator.history)
        if wanted > 0 and self.path.exists():
            for row in _read(self.path)[:wanted]:
                add_row(estimator.history, row)

    @override
    def epoch_end(self, estimator: Estimator, *args: Any, **kwargs: Any) -> None:
        history, text = estimator.history, io.StringIO(newline="")
        writer = csv.writer(text, lineterminator="\n")
        writer.writerow(["epoch", *history])
        for number, row in enumerate(zip(*history.values(), strict=True), 1):
            writer.writerow([number, *("" if math.isnan(value) else value for value in row)])
        self.path.parent.mkdir(parents=True, exist_ok=True)
        with replacing(str(self.path)) as file:
            file.write(text.getvalue().encode())


class TensorBoardHandler(TrainBegin, BatchEnd, EpochEnd, TrainEnd):
    """Writes metrics and the learning rate to files that TensorBoard shows.

    Values of an epoch stand at its number, from 1; those of batches, under `batch/`, at the number
    of batches since the training began.

    Parameters
    ----------
    logging_dir : path
        Folder of the files; give each run one of its own.
    batch_period : int, optional
        After how many batches the metrics of training are written as well; never by default.
    weights : bool, default False
        Whether there is a histogram of each parameter after each epoch.

    Raises
    ------
    MissingExtraError
        The package `tensorboard` is not installed.
    InvalidArgumentError
        The period is no whole number.

    Examples
    --------
    ::

        handler = TensorBoardHandler('logs/run-1', batch_period=50)
        estimator.fit(train_data, val_data, epochs=10, event_handlers=handler)

    and `tensorboard --logdir logs` in a terminal.
    """

    priority = math.inf

    def __init__(
        self,
        logging_dir: str | os.PathLike[str],
        batch_period: int | None = None,
        *,
        weights: bool = False,
    ) -> None:
        self.batch_period = check_period("TensorBoardHandler", "batch_period", batch_period)
        self.summary_writer = summary_writer(logging_dir, "TensorBoardHandler")
        self.weights = weights
        self.current_batch = 0

    @override
    def train_begin(self, estimator: Estimator, *args: Any, **kwargs: Any) -> None:
        self.current_batch = 0

    @override
    def batch_end(self, estimator: Estimator, *args: Any, **kwargs: Any) -> None:
        self.current_batch += 1
        if self.batch_period and self.current_batch % self.batch_period == 0:
            for name, value in _values(estimator.train_metrics).items():
                self.summary_writer.add_scalar(f"batch/{name}", value, self.current_batch)

    @override
    def epoch_end(self, estimator: Estimator, *args: Any, **kwargs: Any) -> None:
        history = estimator.history
        number = rows_of(history)
        row = {name: values[-1] for name, values in history.items()}
        for name, value in {**row, "learning rate": estimator.trainer.learning_rate}.items():
            if not math.isnan(value):
                self.summary_writer.add_scalar(name, value, number)
        if self.weights:
            for name, param in estimator.net.collect_params().items():
                values = param.data(param.list_ctx()[0]).asnumpy()
                self.summary_writer.add_histogram(name, values, number)
        self.summary_writer.flush()

    @override
    def train_end(self, estimator: Estimator, *args: Any, **kwargs: Any) -> None:
        self.summary_writer.flush()


def add_row(history: dict[str, list[float]], row: dict[str, float]) -> None:
    """Add an epoch to a history; what one of its epochs lacks is NaN.

    Examples
    --------
    >>> from gluonish.gluon.contrib.estimator.recorders import add_row
    >>> history = {'loss': [1.0]}
    >>> add_row(history, {'loss': 0.5, 'accuracy': 0.9})
    >>> history
    {'loss': [1.0, 0.5], 'accuracy': [nan, 0.9]}
    """
    length = rows_of(history)
    for name in row:
        history.setdefault(name, [math.nan] * length)
    for name, values in history.items():
        values.append(row.get(name, math.nan))


def rows_of(history: dict[str, list[float]]) -> int:
    """Return how many epochs a history has.

    Examples
    --------
    >>> from gluonish.gluon.contrib.estimator.recorders import rows_of
    >>> rows_of({}), rows_of({'loss': [1.0]})
    (0, 1)
    """
    return max(map(len, history.values()), default=0)


def _values(metrics: Iterable[EvalMetric]) -> dict[str, float]:
    pairs = [pair for each in metrics for pair in each.get_name_value()]
    return {str(name): float(value) for name, value in pairs if not math.isnan(value)}


def _read(path: Path) -> list[dict[str, float]]:
    """Return the rows of a file that a CSVHandler wrote."""
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
        rows = list(csv.DictReader(lines, strict=True))
        for row in rows:
            row.pop("epoch")
        return [{name: float(text or "nan") for name, text in row.items()} for row in rows]
    except (csv.Error, KeyError, TypeError, ValueError) as error:
        msg = (
            f"CSVHandler: {str(path)!r} is no table of numbers ({error}). Expected what a "
            f"CSVHandler wrote, to go on with. Give another path, or delete the file."
        )
        raise FileFormatError(msg) from error
