"""DataParallelExecutorGroup: executors of one Symbol on several contexts, each with its slice."""

from __future__ import annotations

import logging
from collections import OrderedDict
from typing import TYPE_CHECKING, Any

from gluonish.array import NDArray, wrap
from gluonish.array.tensors import as_default, plain
from gluonish.errors import (
    ArgumentKindError,
    InvalidArgumentError,
    MissingNameError,
    ModuleStateError,
    RefusedArgumentError,
)
from gluonish.errors.arguments import value_text
from gluonish.errors.program_layers import is_told, where_written
from gluonish.executor_group.loading import cut, load_general, merge_multi_context as merge_arrays
from gluonish.executor_group.slices import split_input_slice
from gluonish.io import DataDesc
from gluonish.process.keeping import kept

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import TypeAlias

    from gluonish.context import Context
    from gluonish.metric import EvalMetric
    from gluonish.symbol import Symbol

    Requests: TypeAlias = str | Sequence[str] | Mapping[str, str]
    Groups: TypeAlias = Mapping[str, Any] | Sequence[Mapping[str, Context]] | None
    Parts: TypeAlias = list[list[tuple[slice, NDArray]]]


class DataParallelExecutorGroup:
    """Executors of one Symbol, one for each context, which share the samples of a batch.

    Parameters
    ----------
    symbol : Symbol
        The graph.
    contexts : list of Context
        Where the executors are.
    workload : list of float
        How much of each batch each context takes.
    data_shapes, label_shapes : list of DataDesc
        What a batch holds; labels may be None.
    param_names : list of str
        Which arguments are weights.
    for_training : bool
        Whether gradients are computed.
    inputs_need_grad : bool
        Whether gradients of the data are computed too.
    shared_group : DataParallelExecutorGroup, optional
        A group whose weights, gradients and auxiliary states this one uses: a Symbol of the same
        parameters for batches of another length.
    logger : Logger, optional
        Where it reports to.
    fixed_param_names : list of str, optional
        Weights without gradients.
    grad_req : str, list of str, or dict of str to str
        What happens to gradients: 'write', 'add' or 'null'; in general or for each argument.
    state_names : list of str, optional
        Arguments that are states: neither weights nor in a batch.
    group2ctxs : dict or list of dict, optional
        Contexts for values of the attribute `ctx_group`.

    Attributes
    ----------
    execs : list of Executor
        The executors.
    slices : list of slice
        Their parts of a batch.
    batch_size : int
        The length of a batch.
    param_arrays, grad_arrays, aux_arrays, data_arrays, label_arrays, state_arrays, \
input_grad_arrays : list
        For each name a list with an array for each context.
    """

    def __init__(
        self,
        symbol: Symbol,
        contexts: Sequence[Context],
        workload: Sequence[float],
        data_shapes: Sequence[Any],
        label_shapes: Sequence[Any] | None,
        param_names: Sequence[str],
        for_training: bool,
        inputs_need_grad: bool,
        shared_group: DataParallelExecutorGroup | None = None,
        logger: Any = logging,
        fixed_param_names: Sequence[str] | None = None,
        grad_req: Requests = "write",
        state_names: Sequence[str] | None = None,
        group2ctxs: Groups = None,
    ) -> None:
        self.symbol, self.logger = symbol, logger
        self.contexts, self.workload = list(contexts), list(workload)
        self.arg_names = symbol.list_arguments()
        self.aux_names = symbol.list_auxiliary_states()
        self.output_names = symbol.list_outputs()
        self.param_names = list(param_names)
        self.fixed_param_names = list(fixed_param_names or ())
        self.state_names = list(state_names or ())
        self.for_training, self.inputs_need_grad = for_training, inputs_need_grad
        self.group2ctxs = prepare_group2ctxs(group2ctxs, len(self.contexts))
        self.output_layouts = [
            DataDesc.get_batch_axis(symbol[position].attr("__layout__"))
            for position in range(len(self.output_names))
        ]
        self.num_outputs = len(self.output_names)
        shapes = [DataDesc(*x) if not isinstance(x, DataDesc) else x for x in data_shapes]
        self.grad_req = self._requests(grad_req, [desc.name for desc in shapes])
        shared = [] if shared_group is None else shared_group.shared_data_arrays
        self.batch_size: int | None = None
        self.slices: list[slice] = []
        self.shared_data_arrays: list[dict[str, NDArray]] = [
            shared[i] if i < len(shared) else {} for i in range(len(self.contexts))
        ]
        self.execs: list[Any] = []
        self._default_execs: list[Any] = []
        self._total_exec_bytes = 0
        self.bind_exec(data_shapes, label_shapes, shared_group)

    def _requests(self, grad_req: Requests, data_names: Sequence[str]) -> dict[str, str]:
        """Return what happens to the gradient of each argument."""
        if not self.for_training:
            return dict.fromkeys(self.arg_names, "null")
        given: dict[str, str] = {}
        general = "write"
        if isinstance(grad_req, str):
            general = grad_req
        elif isinstance(grad_req, (list, tuple)):
            if len(grad_req) != len(self.arg_names):
                msg = (
                    f"grad_req: {len(grad_req)} values were given. Expected one for each of the "
                    f"arguments {self.arg_names}. Pass a dict to name some."
                )
                raise RefusedArgumentError(msg)
            return dict(zip(self.arg_names, grad_req, strict=True))
        elif hasattr(grad_req, "items"):
            given = dict(grad_req.items())
        else:
            msg = (
                f"grad_req must be one of str, list, tuple, or dict: {grad_req!r} was given. "
                f"Write grad_req='write'."
            )
            raise InvalidArgumentError(msg)
        wanted = {name: general for name in self.param_names if name not in self.fixed_param_names}
        if self.inputs_need_grad:
            wanted |= dict.fromkeys(data_names, general)
        found = {name: wanted.get(name, "null") for name in self.arg_names}
        return found | given

    # --- binding ----------------------------------------------------------------------------

    def decide_slices(self, data_shapes: Sequence[DataDesc]) -> list[int]:
        """Set which part of a batch each context takes; return the axis of samples of each array.

        Raises
        ------
        RefusedArgumentError
            Arrays differ in their number of samples.
        """
        axes = [DataDesc.get_batch_axis(desc.layout) for desc in data_shapes]
        for desc, axis in zip(data_shapes, axes, strict=True):
            if axis < 0:
                continue
            length = desc.shape[axis]
            if self.batch_size is None:
                self.batch_size = length
                self.slices = split_input_slice(length, self.workload)
            elif length != self.batch_size:
                msg = (
                    f"all data must have the same batch size: batch_size = {self.batch_size}, but "
                    f"{desc.name} has shape {desc.shape}. Expected {self.batch_size} along axis "
                    f"{axis}. Bind all for one batch size."
                )
                raise RefusedArgumentError(msg)
        return axes

    def bind_exec(
        self,
        data_shapes: Sequence[Any],
        label_shapes: Sequence[Any] | None,
        shared_group: DataParallelExecutorGroup | None = None,
        reshape: bool = False,
    ) -> None:
        """Bind the executors.

        Parameters
        ----------
        data_shapes, label_shapes : list of DataDesc
            What a batch holds.
        shared_group : DataParallelExecutorGroup, optional
            Whose arrays are used.
        reshape : bool, default False
            Whether the executors are those there are, for other shapes.
        """
        self.data_shapes = _descriptions(data_shapes)
        self.label_shapes = None if label_shapes is None else _descriptions(label_shapes)
        self.data_names = [desc.name for desc in self.data_shapes]
        self.label_names = [desc.name for desc in self.label_shapes or ()]
        self.batch_size, self.slices = None, []
        self.data_layouts = self.decide_slices(self.data_shapes)
        self.label_layouts = self.decide_slices(self.label_shapes or ())
        self._output_shapes: list[tuple[str, tuple[int, ...]]] | None = None
        self._check_labels()
        bound = []
        for i in range(len(self.contexts)):
            data = self._sliced_shape(self.data_shapes, i, self.data_layouts)
            labels = self._sliced_shape(self.label_shapes or (), i, self.label_layouts)
            if reshape:
                shapes = {desc.name: desc.shape for desc in data + labels}
                shapes |= self._following(shapes)
                bound.append(self._default_execs[i].reshape(allow_up_sizing=True, **shapes))
            else:
                bound.append(self._bind_ith_exec(i, data, labels, shared_group))
        self.execs = bound
        if not reshape:
            self._default_execs = list(bound)
        self._collect_arrays()

    def _following(self, shapes: Mapping[str, tuple[int, ...]]) -> dict[str, tuple[int, ...]]:
        """Return the shapes of labels and states, where those of the data tell them."""
        rest = [name for name in self.arg_names if name not in self.param_names]
        rest = [name for name in rest if name not in shapes]
        if not rest:
            return {}
        found, _, _ = self.symbol.infer_shape_partial(**shapes)
        inferred = dict(zip(self.arg_names, found or (), strict=False))
        return {name: inferred[name] for name in rest if inferred.get(name)}

    def _check_labels(self) -> None:
        unknown = [name for name in self.label_names if name not in self.arg_names]
        if unknown:
            labels = [name for name in self.arg_names if name.endswith("label")]
            how = "Name them with Module(..., label_names=...), or bind with label_shapes=None"
            if len(labels) == 1 and where_written(labels[0]):  # a variable of the program's own
                how = (
                    f"Write label_name={labels[0]!r} where the NDArrayIter is made, or "
                    f"{{{labels[0]!r}: y}} where it is given labels in a dictionary"
                )
                if not is_told("label_names", labels[0]):
                    how += f", and label_names={labels} in Module(...)"
            elif len(labels) == 1:
                how = self._renamed_loss(unknown, labels[0]) + (
                    f"write label_name={labels[0]!r} where the NDArrayIter is made, or "
                    f"{{{labels[0]!r}: y}} where it is given labels in a dictionary, and "
                    f"label_names={labels} in Module(...)"
                )
            msg = (
                f"bind: label {', '.join(map(repr, unknown))} is no argument of the Symbol, which "
                f"has {self.arg_names}. Expected labels that it takes. {how[:1].upper()}{how[1:]}."
            )
            raise MissingNameError(msg)

    def _renamed_loss(self, unknown: list[str], label: str) -> str:
        """Return which layer to name so that its label is called as the data's label is."""
        ours, loss = (name.removesuffix("_label") for name in (unknown[0], label))
        is_layer = f"{loss}_output" in self.symbol.get_internals().list_outputs()
        if not is_layer or len(unknown) != 1 or ours == unknown[0]:
            return ""
        return f"Write name={ours!r} in the place of name={loss!r}: a loss names its label. Or "

    def _sliced_shape(
        self, shapes: Sequence[DataDesc], i: int, major_axis: Sequence[int]
    ) -> list[DataDesc]:
        """Return what context `i` gets of a batch."""
        found = []
        for desc, axis in zip(shapes, major_axis, strict=True):
            shape = list(desc.shape)
            if axis >= 0:
                shape[axis] = self.slices[i].stop - self.slices[i].start
            found.append(DataDesc(desc.name, tuple(shape), desc.dtype, desc.layout))
        return found

    def _bind_ith_exec(
        self,
        i: int,
        data_shapes: Sequence[DataDesc],
        label_shapes: Sequence[DataDesc],
        shared_group: DataParallelExecutorGroup | None,
    ) -> Any:
        """Return the executor of context `i`."""
        given = [*data_shapes, *label_shapes]
        shapes: dict[str, Any] = {desc.name: desc.shape for desc in given}
        return self.symbol.simple_bind(
            ctx=self.contexts[i],
            grad_req=self.grad_req,
            type_dict={desc.name: desc.dtype for desc in given},
            shared_arg_names=self.param_names,
            shared_exec=None if shared_group is None else shared_group.execs[i],
            shared_buffer=self.shared_data_arrays[i],
            group2ctx=self.group2ctxs[i],
            **shapes,
        )

    def _collect_arrays(self) -> None:
        """Note where arrays of batches, weights and gradients are."""
        execs = self.execs
        known = set(self.arg_names)
        self.data_arrays = self._parts(self.data_names)
        self.label_arrays = None
        if self.label_shapes is not None:
            self.label_arrays = self._parts(self.label_names)
        self.state_arrays = [[one.arg_dict[name] for one in execs] for name in self.state_names]
        weights = set(self.param_names)
        places = [i for i, name in enumerate(self.arg_names) if name in weights]
        self.param_arrays = [[one.arg_arrays[i] for one in execs] for i in places]
        self.grad_arrays: Any = None
        if self.for_training:
            self.grad_arrays = [[one.grad_arrays[i] for one in execs] for i in places]
        self.param_names = [self.arg_names[i] for i in places]
        self.input_grad_arrays: list[list[NDArray | None]] = []
        if self.inputs_need_grad:
            own = [self.arg_names.index(name) for name in self.data_names if name in known]
            self.input_grad_arrays = [[one.grad_arrays[i] for one in execs] for i in own]
        count = range(len(self.aux_names))
        self.aux_arrays = [[one.aux_arrays[i] for one in execs] for i in count]

    def _parts(self, names: Sequence[str]) -> Parts:
        pairs = list(zip(self.slices, self.execs, strict=True))
        return [[(part, one.arg_dict[name]) for part, one in pairs] for name in names]

    def reshape(self, data_shapes: Sequence[Any], label_shapes: Sequence[Any] | None) -> None:
        """Go on with batches of other shapes; weights and states stay.

        Parameters
        ----------
        data_shapes, label_shapes : list of DataDesc
            What a batch holds.
        """
        if data_shapes == self.data_shapes and label_shapes == self.label_shapes:
            return
        with kept(self):
            self.bind_exec(data_shapes, label_shapes, reshape=True)

    # --- parameters -------------------------------------------------------------------------

    def set_params(
        self,
        arg_params: Mapping[str, NDArray],
        aux_params: Mapping[str, NDArray],
        allow_extra: bool = False,
    ) -> None:
        """Copy parameters into all executors.

        Parameters
        ----------
        arg_params, aux_params : dict of str to NDArray
            Values by name.
        allow_extra : bool, default False
            Whether names that the Symbol does not have are ignored.
        """
        for one in self.execs:
            one.copy_params_from(arg_params, aux_params, allow_extra_params=allow_extra)

    def get_params(
        self, arg_params: Mapping[str, NDArray], aux_params: Mapping[str, NDArray]
    ) -> None:
        """Copy the parameters, as means over the contexts, into arrays by name.

        Parameters
        ----------
        arg_params, aux_params : dict of str to NDArray
            What is overwritten.
        """
        for names, arrays, targets in (
            (self.param_names, self.param_arrays, arg_params),
            (self.aux_names, self.aux_arrays, aux_params),
        ):
            for name, copies in zip(names, arrays, strict=True):
                mean_into(copies, targets[name])

    # --- computation ------------------------------------------------------------------------

    def forward(self, data_batch: Any, is_train: bool | None = None) -> None:
        """Copy a batch into the executors, and run them.

        Parameters
        ----------
        data_batch : DataBatch, or list of DataBatch
            A list has a batch for each context.
        is_train : bool, optional
            Whether as in training; by default if bound for training.
        """
        self.load(data_batch)
        train = self.for_training if is_train is None else is_train
        for one in self.execs:
            one.forward(is_train=train)

    def load(self, data_batch: Any) -> None:
        """Copy a batch into the executors.

        Parameters
        ----------
        data_batch : DataBatch, or list of DataBatch
            A list has a batch for each context.
        """
        data: Any
        label: Any
        if isinstance(data_batch, list):
            self._check_parts(data_batch)
            data = _by_array([batch.data for batch in data_batch])
            label = _by_array([batch.label for batch in data_batch if batch.label])
        else:
            data, label = data_batch.data, getattr(data_batch, "label", None)
        load_general(data, self.data_arrays, self.data_layouts, self.data_names)
        if self.label_arrays and label:
            load_general(label, self.label_arrays, self.label_layouts, self.label_names)

    def _check_parts(self, batches: list[Any]) -> None:
        if len(batches) != len(self.contexts):
            msg = (
                f"forward: a list of {len(batches)} batches was given. Expected one for each of "
                f"the contexts {self.contexts}. Pass one batch, which is split, or as many."
            )
            raise RefusedArgumentError(msg)

    def backward(self, out_grads: NDArray | Sequence[NDArray] | None = None) -> None:
        """Run the executors backwards.

        Parameters
        ----------
        out_grads : list of NDArray, optional
            The gradients of the outputs; needed where those are no losses.

        Raises
        ------
        ModuleStateError
            It is not bound for training.
        """
        if not self.for_training:
            msg = (
                "backward: the executors are not bound for training, re-bind with "
                "for_training=True to run backward."
            )
            raise ModuleStateError(msg)
        if out_grads is not None and not isinstance(out_grads, (list, tuple)):
            out_grads = [out_grads]  # type: ignore[list-item]
        for which, ctx, one in zip(self.slices, self.contexts, self.execs, strict=True):
            if out_grads is None:
                one.backward()
                continue
            pairs = zip(out_grads, self.output_layouts, strict=True)
            single = len(self.execs) == 1
            one.backward(
                out_grads=[
                    (grad if single else cut(grad, which, axis)).as_in_context(ctx)
                    for grad, axis in pairs
                ]
            )

    def get_output_shapes(self) -> list[tuple[str, tuple[int, ...]]]:
        """Return names and shapes of the outputs for a whole batch."""
        if self._output_shapes is None:
            pairs = []
            for name, axis, output in zip(
                self.output_names, self.output_layouts, self.execs[0].outputs, strict=True
            ):
                shape = list(output.shape)
                if axis >= 0 and self.batch_size is not None:
                    shape[axis] = self.batch_size
                pairs.append((name, tuple(shape)))
            self._output_shapes = pairs
        return self._output_shapes

    def get_outputs(
        self, merge_multi_context: bool = True, begin: int = 0, end: int | None = None
    ) -> Any:
        """Return what the last forward pass gave.

        Parameters
        ----------
        merge_multi_context : bool, default True
            Whether the parts of all contexts are joined; otherwise each output is a list.
        begin, end : int, optional
            Which of the outputs.
        """
        return self._gathered(
            [[one.outputs[i] for one in self.execs] for i in range(self.num_outputs)][begin:end],
            self.output_layouts[begin:end],
            merge_multi_context=merge_multi_context,
        )

    def get_input_grads(self, merge_multi_context: bool = True) -> Any:
        """Return the gradients of the data.

        Parameters
        ----------
        merge_multi_context : bool, default True
            Whether the parts of all contexts are joined; otherwise each gradient is a list.

        Raises
        ------
        ModuleStateError
            It is not bound with `inputs_need_grad=True`.
        """
        if not self.inputs_need_grad:
            msg = (
                "get_input_grads: no gradients of the data are computed. Expected executors that "
                "do. Bind with inputs_need_grad=True."
            )
            raise ModuleStateError(msg)
        return self._gathered(
            self.input_grad_arrays, self.data_layouts, merge_multi_context=merge_multi_context
        )

    def get_states(self, merge_multi_context: bool = True) -> Any:
        """Return the states.

        Parameters
        ----------
        merge_multi_context : bool, default True
            Has to be False: each state is a list with an array for each context.

        Raises
        ------
        ModuleStateError
            It is True.
        """
        if merge_multi_context:
            msg = (
                "merge_multi_context=True is not supported for get_states yet. Expected False: "
                "states are a list for each name. Write get_states(merge_multi_context=False)."
            )
            raise ModuleStateError(msg)
        return self.state_arrays

    def set_states(self, states: Any = None, value: float | None = None) -> None:
        """Set the states.

        Parameters
        ----------
        states : list of list of NDArray, optional
            For each state an array for each context, as `get_states` and `get_outputs` with
            `merge_multi_context=False` return them.
        value : float, optional
            A number for all.

        Raises
        ------
        ModuleStateError
            Both or none were given.
        """
        if (states is None) == (value is None):
            msg = (
                "set_states: Only one of states & value can be specified, and one is needed. "
                "Write set_states(value=0)."
            )
            raise ModuleStateError(msg)
        if states is None:
            for arrays in self.state_arrays:
                for array in arrays:
                    array[:] = value
            return
        for name, sources, arrays in zip(self.state_names, states, self.state_arrays, strict=True):
            targets = [(slice(0, 0), array) for array in arrays]
            load_general([list(sources)], [targets], [0], [name])

    @staticmethod
    def _gathered(arrays: Any, axes: Sequence[int], *, merge_multi_context: bool) -> Any:
        return merge_arrays(arrays, axes) if merge_multi_context else arrays

    def update_metric(self, eval_metric: EvalMetric, labels: Any, pre_sliced: bool = False) -> None:
        """Have a metric compare the outputs with labels.

        Parameters
        ----------
        eval_metric : EvalMetric
            The metric.
        labels : list of NDArray, or list of lists
            The labels of the batch, or with `pre_sliced` of each context's part.
        pre_sliced : bool, default False
            Whether labels are in parts.
        """
        if hasattr(labels, "label"):
            msg = (
                f"update_metric: labels={value_text(labels)} was given. Expected a list of arrays. "
                f"Write mod.update_metric(metric, batch.label)."
            )
            raise ArgumentKindError(msg)
        single = len(self.execs) == 1
        for i, (one, which) in enumerate(zip(self.execs, self.slices, strict=True)):
            if pre_sliced:
                part = labels[i]
            elif single:
                part = labels
            else:
                axes = self.label_layouts or [0] * len(labels)
                part = [cut(x, which, axis) for x, axis in zip(labels, axes, strict=False)]
            named = OrderedDict(zip(self.label_names, part or (), strict=False))
            outputs = OrderedDict(zip(self.output_names, one.outputs, strict=True))
            eval_metric.update_dict(named, outputs)

    def install_monitor(self, mon: Any) -> None:
        """Have a monitor watch all executors.

        Parameters
        ----------
        mon : Monitor
            The monitor.
        """
        for one in self.execs:
            mon.install(one)


def prepare_group2ctxs(group2ctxs: Groups, count: int) -> list[Mapping[str, Any] | None]:
    """Return, for each of `count` contexts, where the parts of a graph go.

    Parameters
    ----------
    group2ctxs : dict, list of dict, or None
        A dict has a context, or a list with one for each executor, for each `ctx_group`.
    count : int
        The number of executors.

    Raises
    ------
    RefusedArgumentError
        A list is too short or too long.
    """
    if group2ctxs is None:
        return [None] * count
    if isinstance(group2ctxs, (list, tuple)):
        found = list(group2ctxs)
        lengths = [len(found)]
    else:
        rows: dict[str, list[Any]] = {}
        for key, value in group2ctxs.items():  # type: ignore[union-attr]
            row = list(value) if isinstance(value, (list, tuple)) else [value]
            rows[key] = row * count if len(row) == 1 else row
        lengths = [len(row) for row in rows.values()]
        found = [{key: row[i] for key, row in rows.items() if i < len(row)} for i in range(count)]
    if any(length != count for length in lengths):
        msg = (
            f"group2ctxs={group2ctxs!r} was given for {count} contexts. Length of group2ctxs "
            f"should be {count}. Pass a context for each, or one for all."
        )
        raise RefusedArgumentError(msg)
    return found


def _descriptions(shapes: Sequence[Any]) -> list[DataDesc]:
    return [x if isinstance(x, DataDesc) else DataDesc(*x) for x in shapes]


def _by_array(batches: Sequence[Sequence[NDArray]]) -> list[list[NDArray]]:
    """Return for each array its parts in the batches."""
    return [list(parts) for parts in zip(*batches, strict=True)]


def mean_into(copies: Sequence[NDArray], target: NDArray) -> None:
    """Write the mean of arrays, which may be on several contexts, into another one."""
    tensors = [plain(as_default(copy)) for copy in copies]
    total = tensors[0]
    for other in tensors[1:]:
        total = total + other.to(total.device)
    if len(tensors) > 1:
        total = total / len(tensors)
    target[:] = wrap(total, copies[0].context, NDArray)
