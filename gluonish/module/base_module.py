"""BaseModule: what all modules can do with forward, backward and update: fit, score, predict."""

from __future__ import annotations

import logging
import time
import warnings
from typing import TYPE_CHECKING, Any, NoReturn

import numpy as onp

from gluonish import ndarray as nd
from gluonish.array import NDArray
from gluonish.base import _as_list
from gluonish.errors.suggestions import with_hints
from gluonish.errors.tracebacks import users_level
from gluonish.io import DataBatch, DataIter
from gluonish.model.checkpoint import read_params, save_params
from gluonish.model.progress import Progress
from gluonish.model.reporting import BatchEndParam, as_metric, call
from gluonish.module.given import SGD, UNIFORM, Binding, Updates, Values
from gluonish.module.names import (
    check_input_names as _check_input_names,
    check_names_match as _check_names_match,
    parse_data_desc as _parse_data_desc,
)
from gluonish.module.refusals import (
    check_batches,
    different_outputs,
    lacks,
    no_data,
    no_end,
    no_states,
    not_merged,
    not_yet,
)
from gluonish.process.keeping import kept
from gluonish.profiler.stages import measured

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from typing import TypeAlias

    from gluonish.metric import EvalMetric
    from gluonish.model.checkpoint import Params
    from gluonish.model.reporting import Callbacks
    from gluonish.serialization.files import PathLike
    from gluonish.symbol import Symbol

    Outputs: TypeAlias = list[NDArray]

__all__ = ["BaseModule", "_as_list", "_check_input_names", "_check_names_match", "_parse_data_desc"]


@with_hints
class BaseModule:
    """Base of all modules: a part of a computation with parameters, forward and backward.

    A module is bound to the shapes of its data (`bind`), its parameters get values
    (`init_params`), and it gets an optimizer (`init_optimizer`); then it computes (`forward`,
    `backward`, `update`). `fit`, `score` and `predict` do all of that with data of an iterator.

    A subclass defines `data_names`, `output_names`, `data_shapes`, `label_shapes`,
    `output_shapes`, `get_params`, `init_params`, `bind`, `init_optimizer`, `forward`, `backward`,
    `update`, `get_outputs`, `get_input_grads`, `update_metric` and `install_monitor`.

    Parameters
    ----------
    logger : Logger, default the module `logging`
        Where `fit` reports to.

    Attributes
    ----------
    binded, for_training, inputs_need_grad, params_initialized, optimizer_initialized : bool
        How far it is.
    """

    _takes_some = False  # whether it is told some parameters' values without looking for the others

    def __init__(self, logger: Any = logging) -> None:
        self.logger = logger
        self.binded = False
        self.for_training = False
        self.inputs_need_grad = False
        self.params_initialized = False
        self.optimizer_initialized = False
        self._params_dirty = False
        self._symbol: Any = None
        self._total_exec_bytes = 0

    # --- the high-level interface -----------------------------------------------------------

    def forward_backward(self, data_batch: Any) -> None:
        """Compute the outputs and the gradients of a batch.

        Parameters
        ----------
        data_batch : DataBatch
            Data and labels.
        """
        self.forward(data_batch, is_train=True)
        self.backward()

    def score(
        self,
        eval_data: DataIter,
        eval_metric: Any,
        num_batch: int | None = None,
        batch_end_callback: Callbacks = None,
        score_end_callback: Callbacks = None,
        reset: bool = True,
        epoch: int = 0,
        sparse_row_id_fn: Callable[..., Any] | None = None,
    ) -> list[tuple[str, float]]:
        """Return how well data is predicted.

        Parameters
        ----------
        eval_data : DataIter
            Data and labels.
        eval_metric : EvalMetric, or what `metric.create` takes
            What is measured.
        num_batch : int, optional
            How many batches are taken; all by default.
        batch_end_callback, score_end_callback : callable or list of callable, optional
            Called with a `BatchEndParam` after each batch, and at the end.
        reset : bool, default True
            Whether the data begins anew before.
        epoch : int, default 0
            What callbacks are told.
        sparse_row_id_fn : callable, optional
            See `prepare`.

        Returns
        -------
        list of (str, float)
            Names and values.
        """
        self._check("score", "binded", "params_initialized")
        check_batches("score", "eval_data", eval_data)
        metric = as_metric(eval_metric)
        metric.reset()
        if reset:
            eval_data.reset()
        count = 0
        for nbatch, eval_batch in enumerate(eval_data):
            if nbatch == num_batch:
                break
            self.prepare(eval_batch, sparse_row_id_fn=sparse_row_id_fn)
            self.forward(eval_batch, is_train=False)
            self._measure(metric, eval_batch)
            call(batch_end_callback, BatchEndParam(epoch, nbatch, metric, locals()))
            count += 1
        call(score_end_callback, BatchEndParam(epoch, count, metric, locals()))
        return metric.get_name_value()

    def _measure(self, metric: EvalMetric, batch: Any) -> None:
        if isinstance(batch, list):
            self.update_metric(metric, [part.label for part in batch], pre_sliced=True)
        else:
            self.update_metric(metric, batch.label)

    def iter_predict(
        self,
        eval_data: DataIter,
        num_batch: int | None = None,
        reset: bool = True,
        sparse_row_id_fn: Callable[..., Any] | None = None,
    ) -> Iterator[tuple[Outputs, int, Any]]:
        """Yield outputs, number and data of each batch; padding is left out of the outputs.

        Parameters
        ----------
        eval_data : DataIter
            The data.
        num_batch : int, optional
            How many batches are taken; all by default.
        reset : bool, default True
            Whether the data begins anew before.
        sparse_row_id_fn : callable, optional
            See `prepare`.
        """
        self._check("iter_predict", "binded", "params_initialized")
        if reset:
            eval_data.reset()
        for nbatch, eval_batch in enumerate(eval_data):
            if nbatch == num_batch:
                break
            self.prepare(eval_batch, sparse_row_id_fn=sparse_row_id_fn)
            self.forward(eval_batch, is_train=False)
            pad = eval_batch.pad or 0
            outputs = [output[: output.shape[0] - pad] for output in self.get_outputs()]
            yield outputs, nbatch, eval_batch

    def predict(
        self,
        eval_data: Any,
        num_batch: int | None = None,
        merge_batches: bool = True,
        reset: bool = True,
        always_output_list: bool = False,
        sparse_row_id_fn: Callable[..., Any] | None = None,
    ) -> Any:
        """Return the outputs for data.

        Parameters
        ----------
        eval_data : DataIter, NDArray or numpy.ndarray
            The data; an array is one batch.
        num_batch : int, optional
            How many batches are taken; all by default.
        merge_batches : bool, default True
            Whether the outputs of all batches are joined.
        reset : bool, default True
            Whether the data begins anew before.
        always_output_list : bool, default False
            Whether a single output comes in a list too.
        sparse_row_id_fn : callable, optional
            See `prepare`.

        Returns
        -------
        NDArray, list of NDArray, or list of list of NDArray
            The output, or the outputs; for each batch where they are not joined.

        Raises
        ------
        InvalidArgumentError
            The data is none of these.
        RefusedArgumentError
            Batches differ in their number of outputs.
        """
        self._check("predict", "binded", "params_initialized")
        if isinstance(eval_data, (NDArray, onp.ndarray)):
            batch = nd.array(eval_data) if isinstance(eval_data, onp.ndarray) else eval_data
            self.forward(DataBatch([batch]))
            return self.get_outputs()[0]
        if not isinstance(eval_data, DataIter):
            raise no_data(eval_data)
        batches = [
            [output.copy() for output in outputs]
            for outputs, _, _ in self.iter_predict(eval_data, num_batch, reset, sparse_row_id_fn)
        ]
        if not batches or not merge_batches:
            return batches
        if any(len(outputs) != len(batches[0]) for outputs in batches):
            raise different_outputs(batches)
        merged = [nd.concat(*parts, dim=0) for parts in zip(*batches, strict=True)]
        return merged[0] if len(merged) == 1 and not always_output_list else merged

    def fit(
        self,
        train_data: Any,
        eval_data: DataIter | None = None,
        eval_metric: Any = "acc",
        epoch_end_callback: Callbacks = None,
        batch_end_callback: Callbacks = None,
        kvstore: Any = "local",
        optimizer: Any = "sgd",
        optimizer_params: Any = SGD,
        eval_end_callback: Callbacks = None,
        eval_batch_end_callback: Callbacks = None,
        initializer: Any = UNIFORM,
        arg_params: Mapping[str, NDArray] | None = None,
        aux_params: Mapping[str, NDArray] | None = None,
        allow_missing: bool = False,
        force_rebind: bool = False,
        force_init: bool = False,
        begin_epoch: int = 0,
        num_epoch: int | None = None,
        validation_metric: Any = None,
        monitor: Any = None,
        sparse_row_id_fn: Callable[..., Any] | None = None,
        progress_bar: bool = False,
    ) -> None:
        """Train the parameters on data.

        Parameters
        ----------
        train_data : DataIter
            Data and labels for training.
        eval_data : DataIter, optional
            Data and labels on which the result of each epoch is measured.
        eval_metric : EvalMetric, or what `metric.create` takes
            What is measured.
        epoch_end_callback : callable or list of callable, optional
            Called with the epoch's number, the Symbol, arguments and auxiliary states.
        batch_end_callback, eval_end_callback, eval_batch_end_callback : callable or list, optional
            Called with a `BatchEndParam` after each batch; at the end of each measurement on
            `eval_data`; after each of its batches.
        kvstore : str or KVStore
            What sums gradients of several contexts.
        optimizer : str or Optimizer
            What updates the parameters.
        optimizer_params : dict
            Its arguments, where it is given by name.
        initializer : Initializer
            What fills parameters without values.
        arg_params, aux_params : dict of str to NDArray, optional
            Values of parameters.
        allow_missing : bool, default False
            Whether the initializer fills parameters that are not among these.
        force_rebind, force_init : bool, default False
            Whether to bind, and to initialize, again.
        begin_epoch : int, default 0
            The number of the first epoch.
        num_epoch : int
            The number after that of the last one.
        validation_metric : EvalMetric, or what `metric.create` takes, optional
            What is measured on `eval_data`; `eval_metric` by default.
        monitor : Monitor, optional
            Watches the executors.
        sparse_row_id_fn : callable, optional
            See `prepare`.
        progress_bar : bool, default False
            Whether a bar shows how far each epoch is. (MXNet does not have this argument.)

        Raises
        ------
        MissingEpochsError
            `num_epoch` is missing.
        """
        if num_epoch is None:
            raise no_end()
        check_batches("fit", "train_data", train_data)
        self.bind(
            data_shapes=train_data.provide_data,
            label_shapes=train_data.provide_label,
            for_training=True,
            force_rebind=force_rebind,
        )
        if monitor is not None:
            self.install_monitor(monitor)
        self.init_params(
            initializer=initializer,
            arg_params=arg_params,
            aux_params=aux_params,
            allow_missing=allow_missing,
            force_init=force_init,
        )
        self.init_optimizer(kvstore=kvstore, optimizer=optimizer, optimizer_params=optimizer_params)
        if validation_metric is None:
            validation_metric = eval_metric
        eval_metric = as_metric(eval_metric)
        arguments = locals()
        batches = None
        for epoch in range(begin_epoch, num_epoch):
            tic = time.time()
            with Progress(epoch, shown=progress_bar, total=batches) as progress:
                values = self._train_epoch(
                    train_data, epoch, eval_metric, batch_end_callback, monitor,
                    sparse_row_id_fn, progress, arguments,
                )  # fmt: skip
            batches = progress.count
            for name, value in values:
                self.logger.info("Epoch[%d] Train-%s=%f", epoch, name, value)
            self.logger.info("Epoch[%d] Time cost=%.3f", epoch, time.time() - tic)
            arg_params, aux_params = self.get_params()
            self.set_params(arg_params, aux_params)
            call(epoch_end_callback, epoch, self.symbol, arg_params, aux_params)
            if eval_data is not None:
                values = self.score(
                    eval_data,
                    validation_metric,
                    score_end_callback=eval_end_callback,
                    batch_end_callback=eval_batch_end_callback,
                    epoch=epoch,
                )
                for name, value in values:
                    self.logger.info("Epoch[%d] Validation-%s=%f", epoch, name, value)
            train_data.reset()

    def _train_epoch(
        self,
        train_data: Any,
        epoch: int,
        eval_metric: EvalMetric,
        batch_end_callback: Callbacks,
        monitor: Any,
        sparse_row_id_fn: Callable[..., Any] | None,
        progress: Progress,
        arguments: Mapping[str, Any],
    ) -> list[tuple[str, float]]:
        """Train on all batches; return what the metric says at the end.

        Callbacks are told of the `arguments` of `fit` too.
        """
        eval_metric.reset()
        values: list[tuple[str, float]] = []
        batches = iter(train_data)
        data_batch = next(batches, None)
        nbatch = 0
        while data_batch is not None:
            if monitor is not None:
                monitor.tic()
            self._step(data_batch)
            self._measure(eval_metric, data_batch)
            next_data_batch = next(batches, None)
            if next_data_batch is not None:
                self.prepare(next_data_batch, sparse_row_id_fn=sparse_row_id_fn)
            if monitor is not None:
                monitor.toc_print()
            if next_data_batch is None:  # before callbacks, which may reset the metric
                values = eval_metric.get_global_name_value()
            if batch_end_callback is not None:
                told = {**arguments, **locals()}
                call(batch_end_callback, BatchEndParam(epoch, nbatch, eval_metric, told))
            progress.advance(eval_metric)
            nbatch += 1
            data_batch = next_data_batch
        return values

    def _step(self, data_batch: Any) -> None:
        """Train on one batch."""
        self.forward_backward(data_batch)
        self.update()

    def _steps_are(self, kind: type[BaseModule], *names: str) -> bool:
        """Return whether nobody replaced these methods of a class of modules."""
        own = type(self)
        return not any(
            getattr(own, name) is not getattr(kind, name) or name in self.__dict__ for name in names
        )

    # --- parameters -------------------------------------------------------------------------

    def set_params(
        self,
        arg_params: Mapping[str, NDArray] | None,
        aux_params: Mapping[str, NDArray] | None,
        allow_missing: bool = False,
        force_init: bool = True,
        allow_extra: bool = False,
    ) -> None:
        """Set the values of parameters.

        Parameters
        ----------
        arg_params, aux_params : dict of str to NDArray
            Values by name.
        allow_missing : bool, default False
            Whether others keep their values.
        force_init : bool, default True
            Whether values that are there are replaced.
        allow_extra : bool, default False
            Whether names that it does not have are ignored.
        """
        if not (allow_missing and self._takes_some):
            self.init_params(None, arg_params, aux_params, allow_missing, force_init, allow_extra)
            return
        if self.params_initialized and not force_init:
            warnings.warn(
                "Parameters already initialized and force_init=False. set_params call ignored.",
                stacklevel=users_level(),
            )
            return
        self._check("set_params", "binded")
        self._set_some_params(arg_params, aux_params, allow_extra)
        self._params_dirty = True
        self.params_initialized = True

    def _set_some_params(
        self,
        arg_params: Mapping[str, NDArray] | None,
        aux_params: Mapping[str, NDArray] | None,
        allow_extra: bool,
    ) -> None:
        """Set values of some parameters, for modules that `_takes_some`."""

    def save_params(self, fname: PathLike) -> None:
        """Save the parameters in a file.

        Parameters
        ----------
        fname : str
            The file; MXNet reads it too.
        """
        save_params(fname, *self.get_params())

    def load_params(self, fname: PathLike) -> None:
        """Set the parameters to what `save_params` or `save_checkpoint` wrote.

        A bound module also takes files of Gluon's `save_parameters` and `ParameterDict.save`, if
        names, or attributes and shapes, tell what each array is.

        Parameters
        ----------
        fname : str
            The file.

        Raises
        ------
        FileFormatError
            It holds something else.
        """
        self.set_params(*read_params(fname, *self._wanted()))

    def _wanted(self) -> tuple[dict[str, tuple[int, ...]], dict[str, tuple[int, ...]]]:
        """Return names and shapes of arguments and states; none if they are not known."""
        return {}, {}

    def get_states(self, merge_multi_context: bool = True) -> Any:
        """Return the states; a module without states returns an empty list.

        Parameters
        ----------
        merge_multi_context : bool, default True
            Has to be False for a module that has states.
        """
        self._check("get_states", "binded", "params_initialized")
        if merge_multi_context:
            raise not_merged()
        return []

    def set_states(self, states: Any = None, value: float | None = None) -> None:
        """Set the states, which this module does not have.

        Parameters
        ----------
        states : list, optional
            Has to be empty.
        value : float, optional
            Has to be None.
        """
        self._check("set_states", "binded", "params_initialized")
        if states or value:
            raise no_states(self)

    def prepare(
        self,
        data_batch: Any,  # noqa: ARG002 - the signature to override
        sparse_row_id_fn: Callable[..., Any] | None = None,
    ) -> None:
        """Get ready for a batch.

        Parameters
        ----------
        data_batch : DataBatch
            What comes next.
        sparse_row_id_fn : callable, optional
            In MXNet it says which rows of sparse weights are needed; all weights are dense here.
        """
        if sparse_row_id_fn is not None:
            warnings.warn(
                "sparse_row_id_fn is not invoked for BaseModule.", stacklevel=users_level()
            )

    @property
    def symbol(self) -> Symbol:
        """The Symbol."""
        return self._symbol  # type: ignore[no-any-return]

    # --- what subclasses define -------------------------------------------------------------

    @property
    def data_names(self) -> list[str]:
        """Names of the data."""
        self._lacks("data_names")

    @property
    def output_names(self) -> list[str]:
        """Names of the outputs."""
        self._lacks("output_names")

    @property
    def data_shapes(self) -> Any:
        """Names and shapes of the data."""
        self._lacks("data_shapes")

    @property
    def label_shapes(self) -> Any:
        """Names and shapes of the labels; None if it takes none."""
        self._lacks("label_shapes")

    @property
    def output_shapes(self) -> list[tuple[str, tuple[int, ...]]]:
        """Names and shapes of the outputs."""
        self._lacks("output_shapes")

    def get_params(self) -> tuple[Params, Params]:
        """Return arguments and auxiliary states by name."""
        self._lacks("get_params")

    def init_params(
        self,
        initializer: Any = UNIFORM,
        arg_params: Mapping[str, NDArray] | None = None,
        aux_params: Mapping[str, NDArray] | None = None,
        allow_missing: bool = False,
        force_init: bool = False,
        allow_extra: bool = False,
    ) -> None:
        """Give the parameters values."""
        self._init_params(
            Values(initializer, arg_params, aux_params, allow_missing, force_init, allow_extra)
        )

    def _init_params(self, given: Values) -> None:  # noqa: ARG002 - a hook
        self._lacks("init_params")

    def install_monitor(self, mon: Any) -> None:  # noqa: ARG002
        """Have a monitor watch the computation."""
        self._lacks("install_monitor")

    def forward(self, data_batch: Any, is_train: bool | None = None) -> None:  # noqa: ARG002
        """Compute the outputs for a batch."""
        self._lacks("forward")

    def backward(self, out_grads: Any = None) -> None:  # noqa: ARG002
        """Compute the gradients."""
        self._lacks("backward")

    def get_outputs(self, merge_multi_context: bool = True) -> Any:  # noqa: ARG002
        """Return the outputs."""
        self._lacks("get_outputs")

    def get_input_grads(self, merge_multi_context: bool = True) -> Any:  # noqa: ARG002
        """Return the gradients of the data."""
        self._lacks("get_input_grads")

    def update(self) -> None:
        """Update the parameters."""
        self._lacks("update")

    def update_metric(self, eval_metric: EvalMetric, labels: Any, pre_sliced: bool = False) -> None:  # noqa: ARG002
        """Have a metric compare the outputs with labels."""
        self._lacks("update_metric")

    def bind(
        self,
        data_shapes: Any,
        label_shapes: Any = None,
        for_training: bool = True,
        inputs_need_grad: bool = False,
        force_rebind: bool = False,
        shared_module: Any = None,
        grad_req: Any = "write",
    ) -> None:
        """Get ready to compute with data of some shapes."""
        if self.binded and not force_rebind:
            self.logger.warning("Already bound, ignoring bind()")
            return
        given = Binding(
            data_shapes, label_shapes, for_training, inputs_need_grad, force_rebind,
            shared_module, grad_req,
        )  # fmt: skip
        with kept(self, *self._parts()):
            self._bind(given)

    def _parts(self) -> Sequence[BaseModule]:
        """Return the modules that are bound with this one."""
        return ()

    def _bind(self, given: Binding) -> None:  # noqa: ARG002 - a hook
        self._lacks("bind")

    def init_optimizer(
        self,
        kvstore: Any = "local",
        optimizer: Any = "sgd",
        optimizer_params: Any = SGD,
        force_init: bool = False,
    ) -> None:
        """Choose what updates the parameters."""
        self._init_optimizer(Updates(kvstore, optimizer, optimizer_params, force_init))

    def _init_optimizer(self, given: Updates) -> None:  # noqa: ARG002 - a hook
        self._lacks("init_optimizer")

    # --- parts ------------------------------------------------------------------------------

    def _lacks(self, what: str) -> NoReturn:
        raise lacks(self, what)

    def _check(self, where: str, *states: str) -> None:
        """Raise unless the module is far enough."""
        for state in states:
            if not getattr(self, state):
                raise not_yet(self, where, state)


measured(BaseModule, "forward", "forward", "forward_backward")
measured(BaseModule, "backward", "backward")
measured(BaseModule, "update", "update")
measured(BaseModule, "metrics", "update_metric")
