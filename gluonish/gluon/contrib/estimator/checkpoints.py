"""CheckpointHandler: parameters and states of the optimizer, saved as training goes on."""

from __future__ import annotations

import json
import math
import re
import warnings
from pathlib import Path
from typing import TYPE_CHECKING, Any

from typing_extensions import override

from gluonish.block import HybridBlock
from gluonish.block.exporting import grouped, latest_graph
from gluonish.errors import (
    FileFormatError,
    InvalidArgumentError,
    MissingCheckpointError,
    MXNetError,
    RefusedArgumentError,
)
from gluonish.errors.tracebacks import users_level
from gluonish.gluon.contrib.estimator.events import BatchEnd, EpochEnd, TrainBegin
from gluonish.gluon.contrib.estimator.metrics import Comparison, check_monitor
from gluonish.gluon.contrib.estimator.steps import check_period
from gluonish.serialization import json_text
from gluonish.serialization.files import open_source, replacing
from gluonish.serialization.refusals import refuse_file

if TYPE_CHECKING:
    import os

    from gluonish.gluon.contrib.estimator.estimator import Estimator
    from gluonish.metric import EvalMetric

__all__ = ["CheckpointHandler"]

_LONGEST = 1 << 16  # bytes of the note of the best value
_NAME = "CheckpointHandler with save_best=True"


class CheckpointHandler(TrainBegin, BatchEnd, EpochEnd):
    """Saves parameters and the optimizer's states every few epochs or batches.

    The files are `PREFIX-epochEbatchB.params` and `.states`; `PREFIX-best.params` and `.states`
    for the best, whose value is noted in `PREFIX-best.json`, so that a fit that is resumed goes on
    from it; and `PREFIX-symbol.json`, the graph of a net that is hybridized.

    Parameters
    ----------
    model_dir : path
        Folder of the files, made if need be.
    model_prefix : str, default 'model'
        What their names begin with.
    monitor : EvalMetric, optional
        One of the Estimator's `train_metrics` or `val_metrics`, which says what is best.
    verbose : int, default 0
        Whether there is a line for each checkpoint, if it is more than 0.
    save_best : bool, default False
        Whether to save the best so far.
    mode : {'auto', 'min', 'max'}, default 'auto'
        Whether lower or higher values of the monitor are better; 'auto' goes by its kind.
    epoch_period : int, optional, default 1
        After how many epochs; never if it is None.
    batch_period : int, optional
        After how many batches; never by default.
    max_checkpoints : int, default 5
        How many of them are kept; the oldest goes first. The best does not count.
    resume_from_checkpoint : bool, default False
        Whether to go on from the latest of the folder, if there is one.

    Raises
    ------
    InvalidArgumentError
        `save_best` lacks a monitor, a number is not positive, or all is done already.
    RefusedArgumentError
        It was to resume, and saves by another period than `fit` counts by.
    MissingCheckpointError
        Half of a checkpoint is missing.
    FileAccessError
        The folder cannot be made.

    Notes
    -----
    MXNet's 'auto' takes higher values of every metric for better ones, also of losses.

    Examples
    --------
    >>> from gluonish.gluon.contrib.estimator import CheckpointHandler
    >>> handler = CheckpointHandler("models", epoch_period=2, max_checkpoints=3)
    >>> handler.saved_checkpoints
    []
    """

    def __init__(
        self,
        model_dir: str | os.PathLike[str],
        model_prefix: str = "model",
        monitor: EvalMetric | None = None,
        verbose: int = 0,
        save_best: bool = False,
        mode: str = "auto",
        epoch_period: int | None = 1,
        batch_period: int | None = None,
        max_checkpoints: int = 5,
        resume_from_checkpoint: bool = False,
    ) -> None:
        check_period("CheckpointHandler", "max_checkpoints", max_checkpoints)
        self.monitor = monitor
        self.verbose = verbose
        self.model_dir = str(Path(model_dir))
        self.model_prefix = model_prefix
        self.save_best = save_best
        self.epoch_period = check_period("CheckpointHandler", "epoch_period", epoch_period)
        self.batch_period = check_period("CheckpointHandler", "batch_period", batch_period)
        self.current_batch = self._batches = 0
        self.current_epoch = 0
        self.max_checkpoints = max_checkpoints
        self.resume_from_checkpoint = resume_from_checkpoint
        self.saved_checkpoints: list[str] = []
        self.trained_epoch = self.trained_batch = -1
        self._comparison: Comparison | None = None
        if save_best:
            self._comparison = Comparison(check_monitor(monitor, _NAME), mode, _NAME)
            self.best = self._comparison.worst

    @override
    def train_begin(self, estimator: Estimator, *args: Any, **kwargs: Any) -> None:
        self.current_epoch = self.current_batch = 0
        self.trained_epoch = self.trained_batch = -1
        if self._comparison is not None:
            self.best = self._comparison.worst
        try:
            Path(self.model_dir).mkdir(parents=True, exist_ok=True)
        except OSError as error:
            refuse_file(error, "Saving", self.model_dir)
        if self.resume_from_checkpoint:
            self._check_periods(estimator)
            self._resume_from_checkpoint(estimator)

    @override
    def batch_end(self, estimator: Estimator, *args: Any, **kwargs: Any) -> None:
        if not self.current_batch:
            self._save_symbol(estimator)
        if self.batch_period and (self.current_batch + 1) % self.batch_period == 0:
            self._batches = self.current_batch + 1
            self._save_checkpoint(estimator)
        self.current_batch += 1

    @override
    def epoch_end(self, estimator: Estimator, *args: Any, **kwargs: Any) -> None:
        if self.epoch_period and (self.current_epoch + 1) % self.epoch_period == 0:
            self._batches = self.current_batch
            self._save_checkpoint(estimator)
        self.current_epoch += 1

    def _save_checkpoint(self, estimator: Estimator) -> None:
        """Save under the numbers of the epoch and the batch, those of earlier fits included."""
        number = self.current_batch
        if self.resume_from_checkpoint:
            number += self.trained_batch + (not estimator.max_epoch)
        epoch = self.current_epoch + self.trained_epoch + 1
        name = f"{self.model_prefix}-epoch{epoch}batch{number}"
        self._say(
            estimator,
            "trained total %d batches, saving model at %s with prefix: %s",
            self._batches,
            self.model_dir,
            name,
        )
        if self.max_checkpoints:
            self._save_params_and_trainer(estimator, name)
            self.saved_checkpoints = [each for each in self.saved_checkpoints if each != name]
            self.saved_checkpoints.append(name)
        while len(self.saved_checkpoints) > self.max_checkpoints:
            oldest = self.saved_checkpoints.pop(0)
            for file in self._files(oldest):
                file.unlink(missing_ok=True)
        if self._comparison is not None:
            self._save_best(estimator, check_monitor(self.monitor, _NAME), self._comparison)

    def _save_best(self, estimator: Estimator, monitor: EvalMetric, comparison: Comparison) -> None:
        name, value = monitor.get()
        if math.isnan(value):
            msg = (
                f"CheckpointHandler: skipping save best because {name} is not updated, or not a "
                f"number. Expected one of the metric objects estimator.train_metrics and "
                f"estimator.val_metrics, the latter with validation. Make sure you pass one of "
                f"them as monitor."
            )
            warnings.warn(msg, RuntimeWarning, stacklevel=users_level())
        elif comparison.better(value, self.best):
            best = f"{self.model_prefix}-best"
            self._say(
                estimator,
                "%s improved from %0.5f to %0.5f, updating best model at %s with prefix: %s",
                name,
                self.best,
                value,
                self.model_dir,
                best,
            )
            self._save_params_and_trainer(estimator, best)
            with replacing(self._best_file()) as file:
                file.write(json.dumps({"monitor": name, "value": float(value)}).encode())
            self.best = value
        else:
            said = "%s did not improve from %0.5f, skipping updating best model"
            self._say(estimator, said, name, self.best)

    def _best_file(self) -> Path:
        return Path(self.model_dir, f"{self.model_prefix}-best.json")

    def _recall_best(self, estimator: Estimator, monitor: EvalMetric) -> None:
        """Go on from the best of the fit that is resumed, if the same metric was watched."""
        path = self._best_file()
        if not path.exists():
            return
        try:
            with open_source(path) as source:
                noted = json_text.parse(source.stream.read(_LONGEST))
            name, value = noted["monitor"], float(noted["value"])
        except (ValueError, TypeError, LookupError) as error:
            msg = (
                f"CheckpointHandler: {str(path)!r} is no note of the best value ({error}). "
                f"Expected a file as save_best=True writes it. Delete it: the best is found anew."
            )
            raise FileFormatError(msg) from error
        if name == monitor.get()[0]:
            self.best = value
            self._say(estimator, "%s was %0.5f at best before", name, value)

    def _say(self, estimator: Estimator, text: str, *values: object) -> None:
        if self.verbose > 0:
            line = f"[Epoch %d] CheckpointHandler: {text}"
            estimator.logger.info(line, self.current_epoch, *values)

    def _save_params_and_trainer(self, estimator: Estimator, name: str) -> None:
        values, states = self._files(name)
        estimator.net.save_parameters(values)
        estimator.trainer.save_states(states)

    def _files(self, name: str) -> tuple[Path, Path]:
        folder = Path(self.model_dir)
        return folder / f"{name}.params", folder / f"{name}.states"

    def _save_symbol(self, estimator: Estimator) -> None:
        net, file = estimator.net, Path(self.model_dir, f"{self.model_prefix}-symbol.json")
        try:
            graph = latest_graph(net) if isinstance(net, HybridBlock) else ()
            if graph:
                grouped(graph[1]).save(file)
                return
            reason = "the net is no HybridBlock, or not hybridized"
        except MXNetError as error:
            reason = f"it has no graph: {error}"
        estimator.logger.info(
            "Model architecture(symbol file) is not saved, %s. Please use HybridBlock to construct "
            "your model, and call net.hybridize() before passing to Estimator in order to save "
            "model architecture as %s.",
            reason,
            file,
        )

    def _check_periods(self, estimator: Estimator) -> None:
        by_epochs = bool(estimator.max_epoch)
        if bool(self.epoch_period) == by_epochs and bool(self.batch_period) != by_epochs:
            return
        said, wrong = ("epochs", "batch_period") if by_epochs else ("batches", "epoch_period")
        msg = (
            f"CheckpointHandler: epoch_period={self.epoch_period!r} and batch_period="
            f"{self.batch_period!r} were given, and fit counts {said}. To use resume from "
            f"checkpoint, you must only specify the same type of period you used for training. "
            f"Set {wrong} to None, and the other one to a number."
        )
        raise RefusedArgumentError(msg)

    def _resume_from_checkpoint(self, estimator: Estimator) -> None:
        unit = "epochs" if estimator.max_epoch else "batches"
        begin = f"{self.model_prefix}-epoch"
        epoch = self._find_max_iteration(self.model_dir, begin, "epoch", "batch")
        batch = self._find_max_iteration(self.model_dir, f"{begin}{epoch}", "batch", ".")
        if epoch < 0 or batch < 0:
            estimator.logger.info(
                "CheckpointHandler: No checkpoint found, training from scratch for %d %s",
                estimator.max_epoch or estimator.max_batch,
                unit,
            )
            return
        done = epoch if estimator.max_epoch else batch
        limit = estimator.max_epoch or estimator.max_batch or 0
        if done >= limit - 1:
            msg = (
                f"CheckpointHandler: Found checkpoint with maximum number of {unit} {limit} "
                f"reached in {self.model_dir!r}. Expected more to train. Please specify "
                f"resume_from_checkpoint=False (default value) to train from scratch, or more "
                f"{unit}."
            )
            raise InvalidArgumentError(msg)
        for file in self._files(f"{self.model_prefix}-epoch{epoch}batch{batch}"):
            if not file.exists():
                msg = (
                    f"CheckpointHandler: Failed to load checkpoint, {str(file)!r} does not exist. "
                    f"Expected both files of the latest checkpoint. Delete its other one to "
                    f"resume from the one before."
                )
                raise MissingCheckpointError(msg)
        values, states = self._files(f"{self.model_prefix}-epoch{epoch}batch{batch}")
        if self._comparison is not None:
            self._recall_best(estimator, check_monitor(self.monitor, _NAME))
        estimator.net.load_parameters(values, ctx=estimator.context)
        estimator.trainer.load_states(states)
        self.trained_epoch, self.trained_batch = epoch, batch
        estimator.resumed_epochs = epoch + 1 if estimator.max_epoch else epoch
        left = limit - done - 1
        if estimator.max_epoch:
            estimator.max_epoch = left
        else:
            estimator.max_batch = left
        estimator.logger.info(
            "CheckpointHandler: Checkpoint resumed from epoch %d batch %d, "
            "continue to train for %d %s ",
            epoch,
            batch,
            left,
            unit,
        )

    def _find_max_iteration(
        self,
        dir: str | os.PathLike[str],  # noqa: A002 - MXNet's name
        prefix: str,
        start: str,
        end: str,
        saved_checkpoints: list[str] | None = None,
    ) -> int:
        """Return the largest number between two words of the names that begin so, or -1.

        Checkpoints whose names have one are added to `saved_checkpoints`.
        """
        number = re.compile(rf"{re.escape(start)}(\d+){re.escape(end)}")
        largest = -1
        for file in sorted(Path(dir).iterdir()):
            is_one = file.name.startswith(prefix) and file.suffix in (".params", ".states")
            rest = file.name.removeprefix(prefix.removesuffix(start))
            if is_one and (match := number.match(rest)) is not None:
                largest = max(largest, int(match[1]))
                if saved_checkpoints is not None and file.stem not in saved_checkpoints:
                    saved_checkpoints.append(file.stem)
        return largest
