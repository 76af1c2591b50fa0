"""FeedForward: MXNet's first model class, which trains and uses a Symbol."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING, Any

import numpy as onp

from gluonish import ndarray as nd, optimizer as optimizers
from gluonish.array import NDArray
from gluonish.context import Context, cpu, current_context
from gluonish.errors import (
    DTypeError,
    InvalidArgumentError,
    MissingEpochsError,
    MissingParameterError,
    RefusedArgumentError,
    SymbolNameError,
)
from gluonish.executor_group.loading import load_general
from gluonish.init import InitDesc, Uniform
from gluonish.io import DataDesc, DataIter, NDArrayIter
from gluonish.model.checkpoint import load_checkpoint, save_checkpoint
from gluonish.model.reporting import BatchEndParam, LogValidationMetricsCallback, as_metric, call
from gluonish.model.stores import create_kvstore
from gluonish.model.training import train_multi_device
from gluonish.symbol import Symbol

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from gluonish.model.checkpoint import Params
    from gluonish.model.reporting import Callbacks

_UNIFORM = Uniform(0.01)
_LOG_VALIDATION = LogValidationMetricsCallback()
_DATA = ("data", "label")


class FeedForward:
    """A Symbol with its parameters, trained on arrays or iterators.

    Parameters
    ----------
    symbol : Symbol or callable
        The graph; or what makes one for a bucket's key.
    ctx : Context or list of Context, optional
        Where it is trained; it predicts on the first one.
    num_epoch : int, optional
        The number after that of the last epoch.
    epoch_size : int, optional
        How many batches an epoch has; all of the data by default.
    optimizer : str or Optimizer
        What updates the parameters.
    initializer : Initializer
        What fills parameters without values.
    numpy_batch_size : int, default 128
        The length of batches that arrays are cut into.
    arg_params, aux_params : dict of str to NDArray, optional
        Values of parameters.
    allow_extra_params : bool, default False
        Whether values that the Symbol does not need are ignored.
    begin_epoch : int, default 0
        The number of the first epoch.
    **kwargs
        Arguments of the optimizer.

    Examples
    --------
    >>> import gluonish as mx
    >>> net = mx.sym.FullyConnected(mx.sym.var('data'), num_hidden=2, name='fc')
    >>> net = mx.sym.SoftmaxOutput(net, name='softmax')
    >>> x, y = mx.nd.array([[1, 0], [0, 1]] * 8), mx.nd.array([1, 0] * 8)
    >>> model = mx.model.FeedForward(net, num_epoch=20, learning_rate=1.0)
    >>> model.fit(x, y)
    >>> model.predict(x).argmax(axis=1)[:4]
    array([1, 0, 1, 0])
    """

    def __init__(
        self,
        symbol: Symbol | Callable[[Any], Symbol],
        ctx: Context | Sequence[Context] | None = None,
        num_epoch: int | None = None,
        epoch_size: int | None = None,
        optimizer: Any = "sgd",
        initializer: Any = _UNIFORM,
        numpy_batch_size: int = 128,
        arg_params: Mapping[str, NDArray] | None = None,
        aux_params: Mapping[str, NDArray] | None = None,
        allow_extra_params: bool = False,
        begin_epoch: int = 0,
        **kwargs: Any,
    ) -> None:
        self.symbol: Any = symbol if isinstance(symbol, Symbol) else None
        self.sym_gen: Any = None if isinstance(symbol, Symbol) else symbol
        is_usable = self.symbol is not None or callable(symbol)
        if not is_usable:
            msg = (
                f"FeedForward: symbol={symbol!r} was given. Expected a Symbol, or a function that "
                f"makes one for a bucket's key. Compose one with mx.sym."
            )
            raise RefusedArgumentError(msg)
        if ctx is None:
            ctx = current_context()
        self.ctx = [ctx] if isinstance(ctx, Context) else list(ctx)
        self.arg_params: Params | None = None if arg_params is None else dict(arg_params)
        self.aux_params: Params | None = None if aux_params is None else dict(aux_params)
        self.allow_extra_params = allow_extra_params
        self.argument_checked = False
        if self.symbol is not None:
            self._check_arguments()
        self.num_epoch = num_epoch
        self.epoch_size = epoch_size
        self.kwargs = kwargs.copy()
        self.optimizer = optimizer
        self.initializer = initializer
        self.numpy_batch_size = numpy_batch_size
        self.begin_epoch = begin_epoch
        self._pred_exec: Any = None

    def _check_arguments(self) -> None:
        """Check the parameters against the Symbol, once."""
        if self.argument_checked:
            return
        symbol = self.symbol
        known = (symbol.list_arguments(), symbol.list_auxiliary_states())
        for names, what in zip(known, ("arguments", "auxiliary states"), strict=True):
            _check_distinct(names, what)
        if self.allow_extra_params:
            if self.arg_params:
                self.arg_params = _only(self.arg_params, known[0])
            if self.aux_params:
                self.aux_params = _only(self.aux_params, known[1])
        self.argument_checked = True

    @staticmethod
    def _is_data_arg(name: str) -> bool:
        """Return whether an argument is data or a label, by its name."""
        return name.endswith(_DATA)

    # --- parameters -------------------------------------------------------------------------

    def _init_params(
        self, inputs: Sequence[Any], overwrite: bool = False
    ) -> tuple[list[str], list[str], list[str]]:
        """Give all parameters values; return the names of arguments, parameters and states."""
        given = [x if isinstance(x, DataDesc) else DataDesc(*x) for x in inputs]
        names = [desc.name for desc in given]
        shapes = {desc.name: desc.shape for desc in given}
        arg_names = self.symbol.list_arguments()
        unknown = [name for name in names if name not in arg_names]
        if unknown:
            msg = (
                f"FeedForward: the data has {', '.join(map(repr, unknown))}, which is no argument "
                f"of the Symbol: it has {arg_names}. Expected data and labels that it takes. Name "
                f"them so in the Symbol, or in the iterator."
            )
            raise SymbolNameError(msg)
        arg_shapes, _, aux_shapes = self.symbol.infer_shape(**shapes)
        arg_types, _, aux_types = self.symbol.infer_type(
            **{desc.name: desc.dtype for desc in given}
        )
        if arg_shapes is None or arg_types is None:
            msg = (
                f"FeedForward: the shapes of {arg_names} don't follow from {shapes}. Expected a "
                f"Symbol for which they do. Give variables a shape: mx.sym.var(name, shape=...)."
            )
            raise MissingParameterError(msg)
        param_names = [name for name in arg_names if name not in names]
        aux_names = self.symbol.list_auxiliary_states()
        attrs = self.symbol.attr_dict()

        def made(
            wanted: Sequence[str], all_names: Any, shapes: Any, dtypes: Any, own: Params | None
        ) -> Params:
            kinds = {n: (s, t) for n, s, t in zip(all_names, shapes, dtypes, strict=True)}
            arrays = {n: nd.zeros(kinds[n][0], cpu(), dtype=kinds[n][1]) for n in wanted}
            for name, array in arrays.items():
                if own and name in own and not overwrite:
                    array[:] = own[name]
                else:
                    self._fill(name, array, attrs)
            return arrays

        self.arg_params, self.aux_params = (
            made(param_names, arg_names, arg_shapes, arg_types, self.arg_params),
            made(aux_names, aux_names, aux_shapes, aux_types, self.aux_params),
        )
        return arg_names, param_names, aux_names

    def _fill(self, name: str, array: NDArray, attrs: Mapping[str, Mapping[str, str]]) -> None:
        """Fill a parameter by an initializer of its own, or by the rules for plain names."""
        own = attrs.get(name, {})
        if "__init__" in own:
            self.initializer(InitDesc(name, own), array)
            return
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)
            self.initializer(name, array)

    # --- data -------------------------------------------------------------------------------

    def _init_iter(self, X: Any, y: Any, is_train: bool) -> Any:
        """Return an iterator over data."""
        if not isinstance(X, (onp.ndarray, NDArray)):
            if not isinstance(X, DataIter):
                msg = (
                    f"FeedForward: X is of class {type(X).__name__}. X must be DataIter, NDArray "
                    f"or numpy.ndarray. Convert it with numpy.array."
                )
                raise DTypeError(msg)
            return X
        y = _labels(X, y, is_train=is_train)
        return NDArrayIter(
            X,
            y,
            min(X.shape[0], self.numpy_batch_size),
            shuffle=is_train,
            last_batch_handle="roll_over" if is_train else "pad",
        )

    def _init_eval_iter(self, eval_data: Any) -> Any:
        """Return an iterator over data for evaluation."""
        if eval_data is None or isinstance(eval_data, DataIter):
            return eval_data
        if not isinstance(eval_data, (tuple, list)) or len(eval_data) != 2:
            msg = (
                f"FeedForward: eval_data is of class {type(eval_data).__name__}. Eval data must be "
                f"DataIter, or NDArray/numpy.ndarray/list pair (i.e. tuple/list of length 2). "
                f"Write eval_data=(x, y)."
            )
            raise DTypeError(msg)
        data, label = eval_data
        if data is None:
            msg = "FeedForward: Eval data is NONE. Expected data and labels. Pass (x, y)."
            raise InvalidArgumentError(msg)
        if isinstance(data, DataIter) and label is None:
            return data
        data = onp.array(data) if isinstance(data, list) else data
        label = onp.array(label) if isinstance(label, list) else label
        return self._init_iter(data, label, is_train=True)

    # --- prediction -------------------------------------------------------------------------

    def _init_predictor(
        self, input_shapes: Sequence[Any], type_dict: Mapping[str, Any] | None = None
    ) -> None:
        """Bind an executor for data of some shapes."""
        if self.arg_params is None:
            msg = (
                "FeedForward: it has no parameters yet. Expected a model that is trained or "
                "loaded. Call fit(...) before."
            )
            raise MissingParameterError(msg)
        shapes = {name: array.shape for name, array in self.arg_params.items()}
        shapes.update((desc[0], tuple(desc[1])) for desc in input_shapes)
        known = self._pred_exec
        if known is not None and all(
            name in known.arg_dict and known.arg_dict[name].shape == shape
            for name, shape in shapes.items()
        ):
            known.copy_params_from(self.arg_params, self.aux_params)
            return
        names = set(self.symbol.list_arguments())
        extra = sorted(shapes.keys() - names)
        if extra:
            msg = (
                f'Find name "{extra[0]}" that is not in the arguments. Expected some of '
                f"{sorted(names)}. Pass allow_extra_params=True."
            )
            raise SymbolNameError(msg)
        executor = self.symbol.simple_bind(
            self.ctx[0], grad_req="null", type_dict=dict(type_dict or {}), **shapes
        )
        executor.copy_params_from(self.arg_params, self.aux_params)
        self._pred_exec = executor

    def _predictor(self, data: Any) -> Callable[[Any], list[NDArray]]:
        """Return a function from batches to outputs."""
        types = {name: array.dtype for name, array in (self.arg_params or {}).items()}
        types |= {desc[0]: getattr(desc, "dtype", onp.float32) for desc in data.provide_data}
        self._init_predictor(data.provide_data, types)
        executor = self._pred_exec
        names = [desc[0] for desc in data.provide_data]
        targets = [[(slice(None), executor.arg_dict[name])] for name in names]

        def run(batch: Any) -> list[NDArray]:
            load_general(batch.data, targets, [0] * len(names), names)
            executor.forward(is_train=False)
            outputs: list[NDArray] = executor.outputs
            return outputs

        return run

    def predict(
        self, X: Any, num_batch: int | None = None, return_data: bool = False, reset: bool = True
    ) -> Any:
        """Return the outputs for data, on the first context.

        Parameters
        ----------
        X : DataIter, NDArray or numpy.ndarray
            The data.
        num_batch : int, optional
            How many batches are taken; all by default.
        return_data : bool, default False
            Whether data and labels are returned too.
        reset : bool, default True
            Whether the data begins anew before.

        Returns
        -------
        numpy.ndarray, or list of numpy.ndarray
            The output, or the outputs; with `return_data` a tuple with data and labels.
        """
        source = self._init_iter(X, None, is_train=False)
        if reset:
            source.reset()
        run = self._predictor(source)
        outputs, data, labels = [], [], []
        for i, batch in enumerate(source):
            if i == num_batch:
                break
            size = source.batch_size - (batch.pad or 0)
            outputs.append([output[:size].asnumpy() for output in run(batch)])
            if return_data:
                data.append([array[:size].asnumpy() for array in batch.data])
                labels.append([array[:size].asnumpy() for array in batch.label or ()])
        joined = [_joined(parts) for parts in (outputs, data, labels)]
        return tuple(joined) if return_data else joined[0]

    def score(
        self,
        X: Any,
        eval_metric: Any = "acc",
        num_batch: int | None = None,
        batch_end_callback: Callbacks = None,
        reset: bool = True,
    ) -> Any:
        """Return how well data is predicted.

        Parameters
        ----------
        X : DataIter
            Data and labels.
        eval_metric : EvalMetric, or what `metric.create` takes
            What is measured.
        num_batch : int, optional
            How many batches are taken; all by default.
        batch_end_callback : callable or list of callable, optional
            Called with a `BatchEndParam` after each batch.
        reset : bool, default True
            Whether the data begins anew before.

        Returns
        -------
        float, or list of float
            The metric's value.
        """
        metric = as_metric(eval_metric)
        source = self._init_iter(X, None, is_train=False)
        if reset:
            source.reset()
        run = self._predictor(source)
        for i, batch in enumerate(source):
            if i == num_batch:
                break
            metric.update(batch.label, run(batch))
            call(batch_end_callback, BatchEndParam(0, i, metric, locals()))
        return metric.get()[1]

    # --- training ---------------------------------------------------------------------------

    def fit(
        self,
        X: Any,
        y: Any = None,
        eval_data: Any = None,
        eval_metric: Any = "acc",
        epoch_end_callback: Callbacks = None,
        batch_end_callback: Callbacks = None,
        kvstore: Any = "local",
        logger: Any = None,
        work_load_list: Sequence[float] | None = None,
        monitor: Any = None,
        eval_end_callback: Callbacks = _LOG_VALIDATION,
        eval_batch_end_callback: Callbacks = None,
        progress_bar: bool = False,
    ) -> None:
        """Train the parameters.

        Parameters
        ----------
        X : DataIter, NDArray or numpy.ndarray
            Data for training.
        y : NDArray or numpy.ndarray, optional
            Labels, for data in an array.
        eval_data : DataIter, or pair of arrays, optional
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
        logger : Logger, optional
            Where it reports to; the module `logging` by default.
        work_load_list : list of float, optional
            How much of a batch each context takes.
        monitor : Monitor, optional
            Watches the executors.
        progress_bar : bool, default False
            Whether a bar shows how far each epoch is. (MXNet does not have this argument.)

        Raises
        ------
        MissingEpochsError
            `num_epoch` was not given to the constructor.
        """
        if self.num_epoch is None:
            msg = (
                "FeedForward.fit: num_epoch is None. Expected a number of epochs. Pass "
                "num_epoch=10 to FeedForward."
            )
            raise MissingEpochsError(msg)
        data = self._init_iter(X, y, is_train=True)
        eval_data = self._init_eval_iter(eval_data)
        if self.sym_gen is not None:
            self.symbol = self.sym_gen(data.default_bucket_key)
            self._check_arguments()
        self.kwargs["sym"] = self.symbol
        arg_names, param_names, aux_names = self._init_params(
            [*data.provide_data, *data.provide_label]
        )
        store, on_store = create_kvstore(kvstore, len(self.ctx), self.arg_params or {})
        count = 1 if on_store else len(self.ctx)
        indices = {i * count + k: n for i, n in enumerate(param_names) for k in range(count)}
        self.kwargs["param_idx2name"] = indices
        train_multi_device(
            self.symbol,
            self.ctx,
            arg_names,
            param_names,
            aux_names,
            self.arg_params or {},
            self.aux_params or {},
            begin_epoch=self.begin_epoch,
            end_epoch=self.num_epoch,
            epoch_size=self.epoch_size,
            optimizer=self._made_optimizer(data.batch_size, store, indices),
            kvstore=store,
            update_on_kvstore=on_store,
            train_data=data,
            eval_data=eval_data,
            eval_metric=as_metric(eval_metric),
            epoch_end_callback=epoch_end_callback,
            batch_end_callback=batch_end_callback,
            logger=logger,
            work_load_list=work_load_list,
            monitor=monitor,
            eval_end_callback=eval_end_callback,
            eval_batch_end_callback=eval_batch_end_callback,
            sym_gen=self.sym_gen,
            progress_bar=progress_bar,
        )

    def _made_optimizer(
        self, batch_size: int, store: Any, indices: dict[int, str]
    ) -> optimizers.Optimizer:
        if isinstance(self.optimizer, optimizers.Optimizer):
            if not self.optimizer.idx2name:
                self.optimizer.idx2name = dict(indices)
            return self.optimizer
        if store is not None and "dist" in store.type and "_async" not in store.type:
            batch_size *= store.num_workers
        return optimizers.create(
            self.optimizer, **{"rescale_grad": 1.0 / batch_size, **self.kwargs}
        )

    # --- files ------------------------------------------------------------------------------

    def save(self, prefix: str, epoch: int | None = None, remove_amp_cast: bool = True) -> None:
        """Save Symbol and parameters; see `save_checkpoint`.

        Parameters
        ----------
        prefix : str
            What the files' names begin with.
        epoch : int, optional
            The number in the name of the file of parameters; `num_epoch` by default.
        remove_amp_cast : bool, default True
            Whether casts of mixed precision are left out of the graph.
        """
        epoch = self.num_epoch if epoch is None else epoch
        if epoch is None:
            msg = (
                "FeedForward.save: neither epoch nor num_epoch is known. Expected a number for "
                "the file's name. Pass epoch=0."
            )
            raise MissingEpochsError(msg)
        save_checkpoint(
            prefix, epoch, self.symbol, self.arg_params or {}, self.aux_params or {},
            remove_amp_cast,
        )  # fmt: skip

    @staticmethod
    def load(
        prefix: str, epoch: int, ctx: Context | Sequence[Context] | None = None, **kwargs: Any
    ) -> FeedForward:
        """Return the model of a checkpoint.

        Parameters
        ----------
        prefix : str
            What the files' names begin with.
        epoch : int
            The number in the name of the file of parameters; training goes on with it.
        ctx : Context or list of Context, optional
            Where it is trained.
        **kwargs
            Further arguments of `FeedForward`.
        """
        symbol, arg_params, aux_params = load_checkpoint(prefix, epoch)
        return FeedForward(
            symbol,
            ctx=ctx,
            arg_params=arg_params,
            aux_params=aux_params,
            begin_epoch=epoch,
            **kwargs,
        )

    @staticmethod
    def create(
        symbol: Symbol | Callable[[Any], Symbol],
        X: Any,
        y: Any = None,
        ctx: Context | Sequence[Context] | None = None,
        num_epoch: int | None = None,
        epoch_size: int | None = None,
        optimizer: Any = "sgd",
        initializer: Any = _UNIFORM,
        eval_data: Any = None,
        eval_metric: Any = "acc",
        epoch_end_callback: Callbacks = None,
        batch_end_callback: Callbacks = None,
        kvstore: Any = "local",
        logger: Any = None,
        work_load_list: Sequence[float] | None = None,
        eval_end_callback: Callbacks = _LOG_VALIDATION,
        eval_batch_end_callback: Callbacks = None,
        **kwargs: Any,
    ) -> FeedForward:
        """Return a new model that has been trained.

        Parameters
        ----------
        symbol, ctx, num_epoch, epoch_size, optimizer, initializer, **kwargs
            As for `FeedForward`; arguments of `fit` may be among the last ones.
        X, y, eval_data, eval_metric, epoch_end_callback, batch_end_callback, kvstore, logger, \
work_load_list, eval_end_callback, eval_batch_end_callback
            As for `fit`.
        """
        own = {key: kwargs.pop(key) for key in ("monitor", "progress_bar") if key in kwargs}
        model = FeedForward(
            symbol,
            ctx=ctx,
            num_epoch=num_epoch,
            epoch_size=epoch_size,
            optimizer=optimizer,
            initializer=initializer,
            **kwargs,
        )
        model.fit(
            X,
            y,
            eval_data=eval_data,
            eval_metric=eval_metric,
            epoch_end_callback=epoch_end_callback,
            batch_end_callback=batch_end_callback,
            kvstore=kvstore,
            logger=logger,
            work_load_list=work_load_list,
            eval_end_callback=eval_end_callback,
            eval_batch_end_callback=eval_batch_end_callback,
            **own,
        )
        return model


def _labels(X: Any, y: Any, *, is_train: bool) -> Any:
    """Return one label for each sample; zeros where none are needed."""
    if y is None:
        if is_train:
            msg = (
                "FeedForward: there are no labels; y must be specified when X is numpy.ndarray. "
                "Expected one for each sample. Pass y=labels."
            )
            raise InvalidArgumentError(msg)
        return onp.zeros(X.shape[0])
    if not isinstance(y, (onp.ndarray, NDArray)):
        msg = (
            f"FeedForward: y is of class {type(y).__name__}; y must be ndarray when X is "
            f"numpy.ndarray. Write numpy.array(y)."
        )
        raise DTypeError(msg)
    if X.shape[0] != y.shape[0]:
        msg = (
            f"FeedForward: The numbers of data points and labels not equal: {X.shape[0]} and "
            f"{y.shape[0]}. Expected as many. Cut the longer one."
        )
        raise InvalidArgumentError(msg)
    if y.ndim == 2 and y.shape[1] == 1:
        y = y.reshape((-1,))
    if y.ndim != 1:
        msg = (
            f"FeedForward: y has shape {tuple(y.shape)}. Label must be 1D or 2D (with 2nd "
            f"dimension being 1). Use an iterator for other labels."
        )
        raise InvalidArgumentError(msg)
    return y


def _joined(batches: Sequence[Sequence[Any]]) -> Any:
    """Return the arrays of all batches joined; one array if there is one for each batch."""
    arrays = [onp.concatenate(parts) for parts in zip(*batches, strict=True)]
    return arrays[0] if len(arrays) == 1 else arrays


def _only(params: Params, names: Sequence[str]) -> Params:
    return {name: array for name, array in params.items() if name in names}


def _check_distinct(names: Sequence[str], what: str) -> None:
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        msg = (
            f'Find duplicated argument name "{twice[0]}" among the {what} {names}. Expected each '
            f"once. Please make the weight name non-duplicated (using name arguments)."
        )
        raise SymbolNameError(msg)
