"""Module: a Symbol with its parameters, bound to one or several contexts."""

from __future__ import annotations

import logging
import warnings
from typing import TYPE_CHECKING, Any

from typing_extensions import override

from gluonish import optimizer as optimizers
from gluonish.errors import (
    ModuleStateError,
)
from gluonish.errors.tracebacks import users_level
from gluonish.executor_group.group import DataParallelExecutorGroup
from gluonish.executor_group.whole_steps import whole_steps
from gluonish.io import DataDesc
from gluonish.model.checkpoint import load_checkpoint, params_path, save_graph_and_params
from gluonish.model.stores import (
    create_kvstore,
    initialize_kvstore,
    update_params,
    update_params_on_kvstore,
)
from gluonish.module.arguments import (
    as_optimizer,
    batch_shapes,
    check_presence,
    contexts,
    described,
    fill,
    work_load,
    zeros,
)
from gluonish.module.base_module import BaseModule
from gluonish.module.names import check_input_names, parse_data_desc as _parse_data_desc
from gluonish.module.refusals import how_to_bind
from gluonish.serialization.files import open_source, replacing

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from gluonish.array import NDArray
    from gluonish.context import Context
    from gluonish.executor_group.group import Groups
    from gluonish.executor_group.whole_steps import WholeSteps
    from gluonish.metric import EvalMetric
    from gluonish.model.checkpoint import Params
    from gluonish.module.given import Binding, Updates, Values
    from gluonish.serialization.files import PathLike
    from gluonish.symbol import Symbol

__all__ = ["Module", "load_checkpoint"]


class Module(BaseModule):
    """A Symbol with its parameters and an optimizer, on one or several contexts.

    Parameters
    ----------
    symbol : Symbol
        The graph.
    data_names, label_names : list of str
        Which of its arguments are data and labels; labels may be None.
    logger : Logger, default the module `logging`
        Where `fit` reports to.
    context : Context or list of Context, default cpu()
        Where it computes; a batch is split over several.
    work_load_list : list of float, optional
        How much of a batch each context takes; equal parts by default.
    fixed_param_names : list of str, optional
        Parameters that are not trained.
    state_names : list of str, optional
        Arguments that are states: neither parameters nor in a batch; 0 at first.
    group2ctxs : dict of str to Context or list of Context, or list of dict, optional
        Contexts for values of the attribute `ctx_group`.
    compression_params : dict, optional
        See `KVStore.set_gradient_compression`.

    Examples
    --------
    >>> import gluonish as mx
    >>> net = mx.sym.FullyConnected(mx.sym.var('data'), num_hidden=1, name='fc')
    >>> net = mx.sym.LinearRegressionOutput(net, name='lro')
    >>> module = mx.mod.Module(net, label_names=['lro_label'])
    >>> x, y = mx.nd.array([[1.], [2.]]), mx.nd.array([2., 4.])
    >>> batches = mx.io.NDArrayIter(x, y, batch_size=2, label_name='lro_label')
    >>> module.fit(batches, eval_metric='mse', num_epoch=300, initializer=mx.init.Zero(),
    ...            optimizer_params={'learning_rate': 0.4})
    >>> print(module.predict(batches).asnumpy().round(2).ravel())
    [2. 4.]
    """

    _takes_some = True

    def __init__(
        self,
        symbol: Symbol,
        data_names: Sequence[str] | None = ("data",),
        label_names: Sequence[str] | None = ("softmax_label",),
        logger: Any = logging,
        context: Context | Sequence[Context] | None = None,
        work_load_list: Sequence[float] | None = None,
        fixed_param_names: Sequence[str] | None = None,
        state_names: Sequence[str] | None = None,
        group2ctxs: Groups = None,
        compression_params: Mapping[str, Any] | None = None,
    ) -> None:
        super().__init__(logger=logger)
        self._context = contexts(context)
        self._work_load_list = work_load(work_load_list, self._context)
        self._group2ctxs = group2ctxs
        self._symbol = symbol
        self._data_names = list(data_names or ())
        self._label_names = list(label_names or ())
        self._state_names = list(state_names or ())
        self._fixed_param_names = list(fixed_param_names or ())
        check_input_names(symbol, self._data_names, "data", True)
        check_input_names(symbol, self._label_names, "label", False)
        check_input_names(symbol, self._state_names, "state", True)
        check_input_names(symbol, self._fixed_param_names, "fixed_param", True)
        inputs = {*self._data_names, *self._label_names, *self._state_names}
        self._param_names = [name for name in symbol.list_arguments() if name not in inputs]
        self._aux_names = symbol.list_auxiliary_states()
        self._output_names = symbol.list_outputs()
        self._compression_params = compression_params
        self._arg_params: Params | None = None
        self._aux_params: Params | None = None
        self._grad_req: Any = None
        self._steps: tuple[Any, WholeSteps | None] | None = None
        self._reset_optimizer()
        self._preload_opt_states: str | None = None
        self._reset_bind()

    def _reset_optimizer(self) -> None:
        self.optimizer_initialized = False
        self._optimizer: Any = None
        self._kvstore: Any = None
        self._update_on_kvstore: bool | None = None
        self._updater: Any = None

    def _reset_bind(self) -> None:
        """Forget what it is bound to."""
        self.binded = False
        self._exec_group: Any = None
        self._data_shapes: list[DataDesc] | None = None
        self._label_shapes: list[DataDesc] | None = None

    # --- files ------------------------------------------------------------------------------

    @staticmethod
    def load(prefix: str, epoch: int, load_optimizer_states: bool = False, **kwargs: Any) -> Module:
        """Return the module of a checkpoint.

        Parameters
        ----------
        prefix : str
            What the files' names begin with.
        epoch : int
            The number in the name of the file of parameters.
        load_optimizer_states : bool, default False
            Whether `init_optimizer` goes on with the states that were saved.
        **kwargs
            Arguments of `Module`.
        """
        symbol, arg_params, aux_params = load_checkpoint(prefix, epoch)
        module = Module(symbol=symbol, **kwargs)
        module._arg_params, module._aux_params = arg_params, aux_params
        module.params_initialized = True
        if load_optimizer_states:
            module._preload_opt_states = _states_path(prefix, epoch)
        return module

    def save_checkpoint(
        self,
        prefix: str,
        epoch: int,
        save_optimizer_states: bool = False,
        remove_amp_cast: bool = True,
    ) -> None:
        """Save Symbol and parameters, and the optimizer's states if wanted.

        Parameters
        ----------
        prefix : str
            What the files' names begin with.
        epoch : int
            The number in the name of the file of parameters.
        save_optimizer_states : bool, default False
            Whether the optimizer's states are saved, in `prefix-0001.states` for epoch 1.
        remove_amp_cast : bool, default True
            Whether casts of mixed precision are left out of the graph.
        """
        path, states = params_path(prefix, epoch), _states_path(prefix, epoch)
        if save_optimizer_states:  # first: whoever finds the parameters finds their states too
            self.save_optimizer_states(states)
        graph = self._symbol.tojson(remove_amp_cast)
        save_graph_and_params(f"{prefix}-symbol.json", graph, path, *self.get_params())
        _log.info('Saved checkpoint to "%s"', path)
        if save_optimizer_states:
            _log.info('Saved optimizer state to "%s"', states)

    def save_optimizer_states(self, fname: PathLike) -> None:
        """Save the optimizer's states in a file.

        Parameters
        ----------
        fname : str
            The file; a safetensors file, whatever its name.
        """
        self._check("save_optimizer_states", "optimizer_initialized")
        if self._update_on_kvstore:
            self._kvstore.save_optimizer_states(fname)
            return
        with replacing(fname) as stream:
            stream.write(self._updater.get_states())

    def load_optimizer_states(self, fname: PathLike) -> None:
        """Go on with the optimizer's states in a file.

        Parameters
        ----------
        fname : str
            What `save_optimizer_states` wrote.
        """
        self._check("load_optimizer_states", "optimizer_initialized")
        if self._update_on_kvstore:
            self._kvstore.load_optimizer_states(fname)
            return
        with open_source(fname) as opened:
            self._updater.set_states(opened.stream.read())

    # --- what it is -------------------------------------------------------------------------

    @property
    @override
    def data_names(self) -> list[str]:
        return self._data_names

    @property
    def label_names(self) -> list[str]:
        """Names of the labels."""
        return self._label_names

    @property
    @override
    def output_names(self) -> list[str]:
        return self._output_names

    @property
    @override
    def data_shapes(self) -> list[DataDesc]:
        self._check("data_shapes", "binded")
        return self._data_shapes  # type: ignore[return-value]

    @property
    @override
    def label_shapes(self) -> list[DataDesc] | None:
        self._check("label_shapes", "binded")
        return self._label_shapes

    @property
    @override
    def output_shapes(self) -> list[tuple[str, tuple[int, ...]]]:
        self._check("output_shapes", "binded")
        return self._exec_group.get_output_shapes()  # type: ignore[no-any-return]

    # --- parameters -------------------------------------------------------------------------

    @override
    def get_params(self) -> tuple[Params, Params]:
        self._check("get_params", "binded", "params_initialized")
        if self._params_dirty:
            self._sync_params_from_devices()
        return self._known_params()

    def _known_params(self) -> tuple[Params, Params]:
        return self._arg_params or {}, self._aux_params or {}

    def _sync_params_from_devices(self) -> None:
        """Copy the parameters of the executors into those that `get_params` returns."""
        self._exec_group.get_params(*self._known_params())
        self._params_dirty = False

    @override
    def _init_params(self, given: Values) -> None:
        if self.params_initialized and not given.force_init:
            warnings.warn(
                "Parameters already initialized and force_init=False. init_params call ignored.",
                stacklevel=users_level(),
            )
            return
        if not self.binded:
            msg = (
                "Module.init_params: the shapes of parameters are not known. Expected a bound "
                f"module. {how_to_bind(self, 'init_params')}."
            )
            raise ModuleStateError(msg)
        pairs = zip(self._known_params(), (given.arg_params, given.aux_params), strict=True)
        plan = [(name, own[name], values) for own, values in pairs for name in sorted(own)]
        check_presence(plan, allow_missing=given.allow_missing, initializer=given.initializer)
        fill(plan, given.initializer, self._symbol.attr_dict())
        self.params_initialized = True
        self._params_dirty = False
        self._exec_group.set_params(*self._known_params(), allow_extra=given.allow_extra)

    @override
    def _set_some_params(
        self,
        arg_params: Mapping[str, NDArray] | None,
        aux_params: Mapping[str, NDArray] | None,
        allow_extra: bool,
    ) -> None:
        self._exec_group.set_params(arg_params or {}, aux_params or {}, allow_extra=allow_extra)

    @override
    def _wanted(self) -> tuple[dict[str, tuple[int, ...]], dict[str, tuple[int, ...]]]:
        if not self.binded:
            return {}, {}
        shapes = {each[0]: each[1] for each in (*self.data_shapes, *(self.label_shapes or ()))}
        arguments, _, states = self._symbol.infer_shape_partial(**shapes)
        found = dict(zip(self._symbol.list_arguments(), arguments or (), strict=False))
        return (
            {name: found[name] for name in self._param_names if name in found},
            dict(zip(self._aux_names, states or (), strict=False)),
        )

    # --- binding ----------------------------------------------------------------------------

    @override
    def _bind(self, given: Binding) -> None:
        self._reset_bind()
        for_training, inputs_need_grad = given.for_training, given.inputs_need_grad
        if inputs_need_grad and not for_training:
            msg = (
                "Module.bind: inputs_need_grad=True and for_training=False were given. Expected "
                "gradients only in training. Pass for_training=True."
            )
            raise ModuleStateError(msg)
        self.for_training, self.inputs_need_grad = for_training, inputs_need_grad
        self._grad_req = given.grad_req
        parsed = _parse_data_desc(
            self._data_names,
            self._label_names,
            given.data_shapes,
            given.label_shapes,
            self._symbol.list_arguments(),
        )
        shared_module = given.shared_module
        shared = None if shared_module is None else self._shared_group(shared_module)
        self._exec_group = DataParallelExecutorGroup(
            self._symbol,
            self._context,
            self._work_load_list,
            *parsed,
            self._param_names,
            for_training,
            inputs_need_grad,
            shared,
            logger=self.logger,
            fixed_param_names=self._fixed_param_names,
            grad_req=given.grad_req,
            state_names=self._state_names,
            group2ctxs=self._group2ctxs,
        )
        self._data_shapes, self._label_shapes = parsed
        self.binded = True
        if shared_module is not None:
            self.params_initialized = True
            self._arg_params, self._aux_params = shared_module.get_params()
            if shared_module.optimizer_initialized:
                self.borrow_optimizer(shared_module)
        elif self.params_initialized:  # a checkpoint's, or those from before
            self._exec_group.set_params(*self._known_params())
        else:
            group = self._exec_group
            self._arg_params = zeros(group.param_names, group.param_arrays)
            self._aux_params = zeros(group.aux_names, group.aux_arrays)

    def _shared_group(self, other: Module) -> DataParallelExecutorGroup:
        is_ready = (
            isinstance(other, Module)
            and other.binded
            and other.params_initialized
            and len(other._context) >= len(self._context)
        )
        if not is_ready:
            msg = (
                f"Module.bind: shared_module={other!r} was given. Expected a Module that is bound "
                f"to {len(self._context)} contexts and has parameters. Bind and initialize it "
                f"before."
            )
            raise ModuleStateError(msg)
        group: DataParallelExecutorGroup = other._exec_group
        return group

    def reshape(
        self, data_shapes: Sequence[Any], label_shapes: Sequence[Any] | None = None
    ) -> None:
        """Go on with data of other shapes; parameters stay.

        Parameters
        ----------
        data_shapes, label_shapes : list of DataDesc or of (str, tuple)
            What a batch holds from now on.
        """
        self._check("reshape", "binded")
        parsed = _parse_data_desc(self._data_names, self._label_names, data_shapes, label_shapes)
        self._exec_group.reshape(*parsed)
        self._data_shapes, self._label_shapes = parsed

    # --- updates ----------------------------------------------------------------------------

    @override
    def _init_optimizer(self, given: Updates) -> None:
        self._check("init_optimizer", "binded", "params_initialized")
        if self.optimizer_initialized and not given.force_init:
            self.logger.warning("optimizer already initialized, ignoring...")
            return
        arg_params, _ = self.get_params()
        group = self._exec_group
        store, on_store = create_kvstore(given.kvstore, len(self._context), arg_params)
        batch_size = group.batch_size
        if store is not None and "dist" in store.type and "_sync" in store.type:
            batch_size *= store.num_workers
        names = group.param_names
        count = 1 if on_store else len(self._context)
        indices = {i * count + k: name for i, name in enumerate(names) for k in range(count)}
        self._optimizer = as_optimizer(
            given.optimizer, given.optimizer_params, self._symbol, 1.0 / batch_size, indices
        )
        self._kvstore, self._update_on_kvstore = store, on_store
        self._updater = None if on_store else optimizers.get_updater(self._optimizer)
        if store is not None:
            if self._compression_params:
                store.set_gradient_compression(self._compression_params)
            if on_store:
                store.set_optimizer(self._optimizer)
            initialize_kvstore(store, group.param_arrays, arg_params, names, on_store)
        self.optimizer_initialized = True
        if self._preload_opt_states is not None:
            self.load_optimizer_states(self._preload_opt_states)
            self._preload_opt_states = None

    def borrow_optimizer(self, shared_module: Module) -> None:
        """Use another module's optimizer, with its states.

        Parameters
        ----------
        shared_module : Module
            The other one, which has the same parameters.
        """
        shared_module._check("borrow_optimizer", "optimizer_initialized")
        self._optimizer = shared_module._optimizer
        self._kvstore = shared_module._kvstore
        self._update_on_kvstore = shared_module._update_on_kvstore
        self._updater = shared_module._updater
        self.optimizer_initialized = True

    @override
    def update(self) -> None:
        self._check("update", "binded", "params_initialized", "optimizer_initialized")
        self._params_dirty = True
        group = self._exec_group
        if self._update_on_kvstore:
            update_params_on_kvstore(
                group.param_arrays, group.grad_arrays, self._kvstore, group.param_names
            )
            return
        update_params(
            group.param_arrays,
            group.grad_arrays,
            updater=self._updater,
            num_device=len(self._context),
            kvstore=self._kvstore,
            param_names=group.param_names,
        )

    @override
    def _step(self, data_batch: Any) -> None:
        is_plain = self._steps_are(Module, "forward_backward", "forward", "backward")
        steps = self._whole_steps() if is_plain else None
        if steps is None:
            super()._step(data_batch)
            return
        self._fit_to(data_batch)
        self._exec_group.load(data_batch)
        self._params_dirty = True
        steps(self._exec_group, self.update)

    def _whole_steps(self) -> WholeSteps | None:
        """Return what trains in whole steps, if that is possible."""
        key = self._exec_group, self._updater
        if self._steps is None or self._steps[0] != key:
            group, updater = key
            self._steps = key, whole_steps(group, updater, self._kvstore, "Module.fit")
        return self._steps[1]

    # --- computation ------------------------------------------------------------------------

    @override
    def forward(self, data_batch: Any, is_train: bool | None = None) -> None:
        self._check("forward", "binded", "params_initialized")
        self._fit_to(data_batch)
        self._exec_group.forward(data_batch, is_train)

    def _fit_to(self, batch: Any) -> None:
        """Reshape for a batch of other shapes than it is bound to."""
        bound, group = self.data_shapes, self._exec_group
        shapes = batch_shapes(batch, "data", group.data_layouts)
        same = all(desc.shape == shape for desc, shape in zip(bound, shapes, strict=False))
        if same and not (self._lacks_labels() and getattr(batch, "label", None)):
            return
        data: Any = getattr(batch, "provide_data", None) or described(bound, shapes)
        labels = getattr(batch, "provide_label", None)
        if not labels and self._label_names:
            known = self._label_shapes or [DataDesc(name, ()) for name in self._label_names]
            found = batch_shapes(batch, "label", group.label_layouts or [0] * len(known))
            labels = described(known, found)
        self.reshape(data, labels or None)

    def _lacks_labels(self) -> bool:
        """Return whether it is bound for training without the labels that it takes."""
        if not self.for_training or self._label_shapes is not None or not self._label_names:
            return False
        known = self._exec_group.arg_names
        return all(name in known for name in self._label_names)

    @override
    def backward(self, out_grads: NDArray | Sequence[NDArray] | None = None) -> None:
        self._check("backward", "binded", "params_initialized")
        self._exec_group.backward(out_grads=out_grads)

    @override
    def get_outputs(self, merge_multi_context: bool = True) -> Any:
        self._check("get_outputs", "binded", "params_initialized")
        return self._exec_group.get_outputs(merge_multi_context=merge_multi_context)

    @override
    def get_input_grads(self, merge_multi_context: bool = True) -> Any:
        self._check("get_input_grads", "binded", "params_initialized", "inputs_need_grad")
        return self._exec_group.get_input_grads(merge_multi_context=merge_multi_context)

    @override
    def get_states(self, merge_multi_context: bool = True) -> Any:
        self._check("get_states", "binded", "params_initialized")
        return self._exec_group.get_states(merge_multi_context=merge_multi_context)

    @override
    def set_states(self, states: Any = None, value: float | None = None) -> None:
        self._check("set_states", "binded", "params_initialized")
        self._exec_group.set_states(states, value)

    @override
    def update_metric(self, eval_metric: EvalMetric, labels: Any, pre_sliced: bool = False) -> None:
        self._exec_group.update_metric(eval_metric, labels, pre_sliced)

    @override
    def install_monitor(self, mon: Any) -> None:
        self._check("install_monitor", "binded")
        self._exec_group.install_monitor(mon)

    @override
    def prepare(self, data_batch: Any, sparse_row_id_fn: Callable[..., Any] | None = None) -> None:
        self._check("prepare", "binded")
        if sparse_row_id_fn is not None and not self._update_on_kvstore:
            warnings.warn(
                "Parameters are not updated in the KVStore. No need to call sparse_row_id_fn.",
                stacklevel=users_level(),
            )


_log = logging.getLogger()


def _states_path(prefix: str, epoch: int) -> str:
    return f"{prefix}-{epoch:04d}.states"
