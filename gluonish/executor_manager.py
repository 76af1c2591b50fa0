"""`mx.executor_manager`: executors on several contexts that share batches, as before modules."""

from __future__ import annotations

import logging
from collections import Counter
from typing import TYPE_CHECKING, Any

from gluonish.errors import (
    InvalidArgumentError,
    MissingMethodError,
    ModuleStateError,
    RefusedArgumentError,
)
from gluonish.executor_group.group import mean_into
from gluonish.executor_group.loading import cut, load_general
from gluonish.executor_group.slices import split_input_slice as _split_input_slice
from gluonish.io import DataDesc

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from gluonish.array import NDArray
    from gluonish.context import Context
    from gluonish.metric import EvalMetric
    from gluonish.symbol import Symbol
    from gluonish.symbol.executor import Executor

__all__ = ["DataParallelExecutorGroup", "DataParallelExecutorManager", "_split_input_slice"]


class DataParallelExecutorGroup:
    """Executors of one Symbol, one for each context, for one shape of batches.

    Parameters
    ----------
    sym : Symbol
        The graph.
    arg_names : list of str
        What `sym.list_arguments()` returns.
    param_names : list of str
        Which of them are weights.
    ctx : list of Context
        Where the executors are.
    slices : list of slice
        The part of a batch that each takes.
    train_data : DataIter or DataBatch
        Has descriptions of a batch, `provide_data` and `provide_label`.
    shared_group : DataParallelExecutorGroup, optional
        A group whose weights, gradients and auxiliary states this one uses.

    Raises
    ------
    InvalidArgumentError
        Two arguments of the Symbol have one name.

    Examples
    --------
    >>> import gluonish as mx
    >>> net = mx.sym.SoftmaxOutput(mx.sym.FullyConnected(
    ...     mx.sym.var('data'), num_hidden=2, name='fc'), name='softmax')
    >>> batches = mx.io.NDArrayIter(mx.nd.ones((4, 3)), mx.nd.zeros((4,)), 4)
    >>> group = mx.executor_manager.DataParallelExecutorGroup(
    ...     net, net.list_arguments(), ['fc_weight', 'fc_bias'], [mx.cpu(0), mx.cpu(1)],
    ...     [slice(0, 3), slice(3, 4)], batches)
    >>> [arrays[0].shape for arrays in group.param_arrays], group.data_arrays[0][0][1].shape
    ([(2, 3), (2,)], (3, 3))
    """

    def __init__(
        self,
        sym: Symbol,
        arg_names: Sequence[str],
        param_names: Sequence[str],
        ctx: Sequence[Context],
        slices: Sequence[slice],
        train_data: Any,
        shared_group: DataParallelExecutorGroup | None = None,
    ) -> None:
        _check_names(sym)
        wanted = set(param_names)
        self.slices = list(slices)
        self.param_idx = [i for i, name in enumerate(arg_names) if name in wanted]
        self.param_names = [arg_names[i] for i in self.param_idx]
        self.aux_names = sym.list_auxiliary_states()
        self.shared_data_arrays: list[dict[str, NDArray]] = (
            [{} for _ in ctx] if shared_group is None else shared_group.shared_data_arrays
        )
        data, labels = _described(train_data.provide_data), _described(train_data.provide_label)
        self.data_names = [one.name for one in data]
        self.label_names = [one.name for one in labels]
        given = {one.name for one in data + labels}
        requests = {
            name: "write" if name in wanted and name not in given else "null" for name in arg_names
        }
        self.train_execs: list[Executor] = [
            sym.simple_bind(
                device,
                requests,
                {one.name: one.dtype for one in data + labels},
                shared_arg_names=self.param_names,
                shared_exec=None if shared_group is None else shared_group.train_execs[i],
                shared_buffer=self.shared_data_arrays[i],
                **{
                    one.name: (part.stop - part.start, *one.shape[1:])  # type: ignore[arg-type]
                    for one in data + labels
                },
            )
            for i, (device, part) in enumerate(zip(ctx, self.slices, strict=True))
        ]
        execs = self.train_execs
        self.data_arrays = self._parts(self.data_names)
        self.label_arrays = self._parts(self.label_names)
        self.param_arrays = [[one.arg_arrays[i] for one in execs] for i in self.param_idx]
        self.grad_arrays = [[one.grad_arrays[i] for one in execs] for i in self.param_idx]
        count = range(len(self.aux_names))
        self.aux_arrays = [[one.aux_arrays[i] for one in execs] for i in count]

    def _parts(self, names: Sequence[str]) -> list[list[tuple[slice, NDArray]]]:
        pairs = list(zip(self.slices, self.train_execs, strict=True))
        return [[(part, one.arg_dict[name]) for part, one in pairs] for name in names]

    def load_data_batch(self, data_batch: Any) -> None:
        """Copy the data and the labels of a batch into the executors."""
        for arrays, parts, names in (
            (data_batch.data, self.data_arrays, self.data_names),
            (data_batch.label, self.label_arrays, self.label_names),
        ):
            load_general(arrays, parts, [0] * len(parts), names)

    def forward(self, is_train: bool = False) -> None:
        """Run all executors, as in training or not."""
        for one in self.train_execs:
            one.forward(is_train=is_train)

    def backward(self) -> None:
        """Run all executors backwards, from their losses."""
        for one in self.train_execs:
            one.backward()

    def update_metric(
        self, metric: EvalMetric, labels: Sequence[Any], pre_sliced: bool = False
    ) -> None:
        """Have a metric compare the outputs with the labels of a batch.

        Parameters
        ----------
        metric : EvalMetric
            The metric.
        labels : list of NDArray, or list of lists
            The labels; with `pre_sliced` those of each context.
        pre_sliced : bool, default False
            Whether labels are in parts.
        """
        for i, (one, part) in enumerate(zip(self.train_execs, self.slices, strict=True)):
            its = labels[i] if pre_sliced else [cut(label, part, 0) for label in labels]
            metric.update(its, one.outputs)


class DataParallelExecutorManager:
    """Executors on several contexts, which share each batch, for one Symbol or one per bucket.

    Parameters
    ----------
    symbol : Symbol
        The graph.
    ctx : list of Context
        Where it runs.
    train_data : DataIter
        Has descriptions of a batch, `provide_data` and `provide_label`, and its `batch_size`.
    arg_names, param_names, aux_names : list of str
        The arguments of the Symbol, which of them are weights, and its auxiliary states.
    work_load_list : list of float, optional
        How much of each batch each context takes; alike by default.
    logger : Logger, optional
        Where it reports to.
    sym_gen : callable, optional
        Returns the Symbol for a batch's `bucket_key`.

    Raises
    ------
    RefusedArgumentError
        `work_load_list` has another length than `ctx`.
    InvalidArgumentError
        Two arguments of the Symbol have one name, or a batch has too few samples.

    Examples
    --------
    >>> import gluonish as mx
    >>> net = mx.sym.SoftmaxOutput(mx.sym.FullyConnected(
    ...     mx.sym.var('data'), num_hidden=2, name='fc'), name='softmax')
    >>> batches = mx.io.NDArrayIter(mx.nd.ones((4, 3)), mx.nd.zeros((4,)), 4)
    >>> manager = mx.executor_manager.DataParallelExecutorManager(
    ...     net, [mx.cpu(0), mx.cpu(1)], batches, net.list_arguments(),
    ...     ['fc_weight', 'fc_bias'], [])
    >>> manager.set_params({'fc_weight': mx.nd.zeros((2, 3)), 'fc_bias': mx.nd.array([1, 0])}, {})
    >>> metric = mx.metric.Accuracy()
    >>> for batch in batches:
    ...     manager.load_data_batch(batch)
    ...     manager.forward(is_train=True)
    ...     manager.backward()
    ...     manager.update_metric(metric, batch.label)
    >>> metric.get()
    ('accuracy', 1.0)
    """

    def __init__(
        self,
        symbol: Symbol,
        ctx: Sequence[Context],
        train_data: Any,
        arg_names: Sequence[str],
        param_names: Sequence[str],
        aux_names: Sequence[str],
        work_load_list: Sequence[float] | None = None,
        logger: Any = None,
        sym_gen: Callable[[Any], Symbol] | None = None,
    ) -> None:
        (logger or logging).info("Start training with %s", ctx)
        loads = [1] * len(ctx) if work_load_list is None else work_load_list
        if not isinstance(loads, list) or len(loads) != len(ctx):
            msg = (
                f"Invalid settings for work load: {work_load_list!r} was given for the contexts "
                f"{list(ctx)}. Expected a list with a number for each. Leave it out to divide "
                f"batches evenly."
            )
            raise RefusedArgumentError(msg)
        self.slices = _split_input_slice(train_data.batch_size, loads)
        self.symbol, self.ctx, self.sym_gen = symbol, ctx, sym_gen
        self.arg_names, self.param_names, self.aux_names = arg_names, param_names, aux_names
        self.execgrp = DataParallelExecutorGroup(
            symbol, arg_names, param_names, ctx, self.slices, train_data
        )
        self.curr_execgrp: DataParallelExecutorGroup | None = None
        if sym_gen is not None:
            self.execgrp_bucket = {train_data.default_bucket_key: self.execgrp}

    def install_monitor(self, monitor: Any) -> None:
        """Have a monitor watch all executors.

        Raises
        ------
        MissingMethodError
            There is a Symbol for each bucket.
        """
        if self.sym_gen is not None:
            msg = (
                "install_monitor: Monitoring is not implemented for bucketing. Use a "
                "BucketingModule, which can be watched, or leave sym_gen out."
            )
            raise MissingMethodError(msg)
        for one in self.execgrp.train_execs:
            monitor.install(one)

    def set_params(
        self, arg_params: Mapping[str, NDArray], aux_params: Mapping[str, NDArray]
    ) -> None:
        """Copy weights and auxiliary states, by name, into all executors."""
        for one in self.execgrp.train_execs:
            one.copy_params_from(arg_params, aux_params)

    def copy_to(self, arg_params: Mapping[str, NDArray], aux_params: Mapping[str, NDArray]) -> None:
        """Write the means over all contexts into arrays of weights and auxiliary states."""
        for names, arrays, targets in (
            (self.execgrp.param_names, self.param_arrays, arg_params),
            (self.aux_names, self.aux_arrays, aux_params),
        ):
            for name, copies in zip(names, arrays, strict=True):
                mean_into(copies, targets[name])

    @property
    def param_arrays(self) -> list[list[NDArray]]:
        """For each weight a list with its array on each context."""
        return self.execgrp.param_arrays

    @property
    def grad_arrays(self) -> list[list[Any]]:
        """For each weight a list with its gradient on each context."""
        return self.execgrp.grad_arrays

    @property
    def aux_arrays(self) -> list[list[NDArray]]:
        """For each auxiliary state a list with its array on each context."""
        return self.execgrp.aux_arrays

    def load_data_batch(self, data_batch: Any) -> None:
        """Copy a batch into the executors, those of its `bucket_key` where there are several."""
        group = self.execgrp
        if self.sym_gen is not None:
            key = data_batch.bucket_key
            if key not in self.execgrp_bucket:
                self.execgrp_bucket[key] = DataParallelExecutorGroup(
                    self.sym_gen(key),
                    self.arg_names,
                    self.param_names,
                    self.ctx,
                    self.slices,
                    data_batch,
                    shared_group=self.execgrp,
                )
            group = self.execgrp_bucket[key]
        group.load_data_batch(data_batch)
        self.curr_execgrp = group

    def forward(self, is_train: bool = False) -> None:
        """Run the executors on the batch, as in training or not."""
        self._current("forward").forward(is_train=is_train)

    def backward(self) -> None:
        """Run the executors backwards, from their losses."""
        self._current("backward").backward()

    def update_metric(
        self, metric: EvalMetric, labels: Sequence[Any], pre_sliced: bool = False
    ) -> None:
        """Have a metric compare the outputs with labels: whole ones, or each context's."""
        self._current("update_metric").update_metric(metric, labels, pre_sliced)

    def _current(self, where: str) -> DataParallelExecutorGroup:
        if self.curr_execgrp is None:
            msg = (
                f"DataParallelExecutorManager.{where}: there is no batch yet. Expected one. Call "
                f"load_data_batch(batch) before."
            )
            raise ModuleStateError(msg)
        return self.curr_execgrp


def _described(shapes: Sequence[Any]) -> list[DataDesc]:
    return [one if isinstance(one, DataDesc) else DataDesc(*one) for one in shapes]


def _check_names(sym: Symbol) -> None:
    """Refuse a graph two of whose arguments, or states, have one name."""
    for kind, names in (
        ("arguments", sym.list_arguments()),
        ("auxiliary states", sym.list_auxiliary_states()),
    ):
        twice = sorted(name for name, count in Counter(names).items() if count > 1)
        if twice:
            msg = (
                f"Find duplicated argument name: {', '.join(twice)}. The {kind} are {names}. "
                f"Expected a name for each. Give layers names of their own, with name=."
            )
            raise InvalidArgumentError(msg)
