"""Executor: a Symbol's graph bound to arrays, which runs it forward and back."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as onp

from gluonish.array.core import NDArray
from gluonish.array.sparse import is_sparse
from gluonish.array.sparse_base import parts_of
from gluonish.array.tensors import as_default, plain
from gluonish.errors import (
    MissingGradientError,
    MissingNameError,
    OperandError,
    ShapeError,
    SymbolNameError,
    SymbolTypeError,
)
from gluonish.errors.arguments import value_text
from gluonish.errors.wording import class_name
from gluonish.hybrid.report import HybridReport, row_of
from gluonish.profiler.stages import measured
from gluonish.symbol import storages
from gluonish.symbol.execution import Execution
from gluonish.symbol.heads import needing_gradients
from gluonish.symbol.memory import zeros
from gluonish.symbol.plan import GraphPlan
from gluonish.symbol.reshaping import reshaped
from gluonish.symbol.storages import links, of_results, put
from gluonish.symbol.watching import Monitoring

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import TypeAlias

    import torch
    from torch import Tensor

    from gluonish.context import Context
    from gluonish.symbol.graph import Entry
    from gluonish.symbol.symbol import Symbol

    Callback: TypeAlias = "Callable[[str, NDArray], object]"
    Grads: TypeAlias = "NDArray | Sequence[NDArray] | Mapping[str, NDArray] | None"
    Shape: TypeAlias = "tuple[int | None, ...] | None"

__all__ = ["Executor"]


class Executor:
    """A graph with arrays for its arguments; made by `Symbol.bind` and `Symbol.simple_bind`.

    Parameters
    ----------
    symbol : Symbol
        The graph.
    ctx : Context
        Where it runs.
    arrays : dict of str to NDArray
        The values of arguments and auxiliary states.
    grads : dict of str to NDArray
        Where gradients go.
    grad_req : dict of str to str
        What is done with them: `'write'`, `'add'` or `'null'`, for each argument.
    shapes : dict of Entry to shape
        The shapes of all results.
    dtypes : dict of Entry to dtype
        Their dtypes.
    contexts : dict of int to Context, optional
        Where nodes run, by `id`, that do not run on `ctx`.

    Examples
    --------
    >>> import gluonish as mx
    >>> x, w = mx.sym.var('x'), mx.sym.var('w')
    >>> executor = (x * w).simple_bind(mx.cpu(), x=(2,), w=(2,))
    >>> executor.arg_dict['w'][:] = 3
    >>> print(executor.forward(is_train=True, x=mx.nd.array([1, 2]))[0].asnumpy())
    [3. 6.]
    >>> executor.backward(mx.nd.ones((2,)))
    >>> print(executor.grad_dict['w'].asnumpy())
    [1. 2.]
    """

    def __init__(
        self,
        symbol: Symbol,
        ctx: Context,
        arrays: Mapping[str, NDArray],
        grads: Mapping[str, NDArray],
        grad_req: Mapping[str, str],
        shapes: Mapping[Entry, Shape],
        dtypes: Mapping[Entry, torch.dtype | None],
        contexts: Mapping[int, Context] | None = None,
    ) -> None:
        self.symbol = symbol
        self.ctx = ctx
        self.contexts = dict(contexts or {})
        self.grad_req = dict(grad_req)
        names, states = symbol.list_arguments(), symbol.list_auxiliary_states()
        self._arg_dict = {name: arrays[name] for name in names}
        self._aux_dict = {name: arrays[name] for name in states}
        self._grad_dict = {name: grads.get(name) for name in names}
        self.arg_arrays = list(self._arg_dict.values())
        self.aux_arrays = list(self._aux_dict.values())
        self.grad_arrays = list(self._grad_dict.values())
        self._links = links(arrays, grads, grad_req)
        if self._links is not None:
            arrays = self._links.arrays
        plan = GraphPlan(symbol.entries, shapes, contexts)
        places = {name: position for position, name in enumerate(plan.variables)}
        targets = {
            places[name]: (grad, grad_req[name])
            for name, grad in (grads if self._links is None else self._links.grads).items()
            if grad_req[name] != "null"
        }
        self.execution = Execution(
            plan,
            ctx,
            [arrays[name] for name in plan.variables],
            {places[name] for name in states},
            targets,
        )
        self._needs = needing_gradients(
            symbol.entries, {name for name in names if places[name] in targets}
        )
        self._monitoring: Monitoring | None = None
        stypes = {name: array.stype for name, array in {**self.arg_dict, **self.aux_dict}.items()}
        kinds = of_results(symbol.entries, shapes, dtypes, stypes)
        self.outputs = [
            _empty(
                entry, shapes[entry], dtypes[entry], self.contexts.get(id(entry.node), ctx),
                kinds.get(entry),
            )
            for entry in symbol.entries
        ]  # fmt: skip
        self._stores_parts = any(entry in kinds for entry in symbol.entries)

    @property
    def _ctx(self) -> Context:
        return self.ctx  # programs look at these, as at MXNet's

    @property
    def _symbol(self) -> Symbol:
        return self.symbol

    @property
    def arg_dict(self) -> dict[str, NDArray]:
        """The arrays of the arguments, by name."""
        return self._arg_dict

    @property
    def grad_dict(self) -> dict[str, NDArray | None]:
        """The arrays of their gradients, by name; None where there is none."""
        return self._grad_dict

    @property
    def aux_dict(self) -> dict[str, NDArray]:
        """The arrays of the auxiliary states, by name."""
        return self._aux_dict

    @property
    def is_watched(self) -> bool:
        """Whether a monitor is called with what operators return."""
        return self._monitoring is not None

    @property
    def is_dense(self) -> bool:
        """Whether no array of it is sparse."""
        return self._links is None and not self._stores_parts

    @property
    def output_dict(self) -> dict[str, NDArray]:
        """The outputs by their names.

        Raises
        ------
        SymbolNameError
            Two outputs have the same name.
        """
        names = self.symbol.list_outputs()
        if len(set(names)) < len(names):
            msg = (
                f"Duplicate names detected, {names}. Expected a name of its own for each output. "
                f"Use executor.outputs, or give the operators names."
            )
            raise SymbolNameError(msg)
        return dict(zip(names, self.outputs, strict=True))

    def forward(self, is_train: bool = False, **kwargs: Any) -> list[NDArray]:
        """Compute the outputs.

        Parameters
        ----------
        is_train : bool, default False
            Whether operators behave as in training, and `backward()` will be called.
        **kwargs : NDArray or numpy.ndarray
            Values for arguments, which are copied into their arrays first.

        Returns
        -------
        list of NDArray
            The outputs: always the same arrays, `executor.outputs`.

        Raises
        ------
        SymbolTypeError
            There is no such argument.
        ShapeError
            An array has not the shape of its argument.
        """
        if kwargs:
            self._feed(kwargs)
        watch = self._monitoring
        if watch is not None:
            watch.begin()
        if self._links is not None:
            self._links.read()
        outputs = self.outputs
        found = self.execution.forward(is_train=bool(is_train), watch=watch)
        if self._stores_parts:
            for array, tensor in zip(outputs, found, strict=False):
                put(array, tensor)
            return outputs
        for array, tensor in zip(outputs, found, strict=False):
            array._tensor = tensor
        return outputs

    def _feed(self, values: Mapping[str, Any]) -> None:
        for name, value in values.items():
            target = self.arg_dict.get(name)
            if target is None:
                shape = getattr(value, "shape", None)
                fits = [key for key, one in self.arg_dict.items() if one.shape == shape]
                how = (
                    f"Write {fits[0]}=..., which has that shape"
                    if len(fits) == 1
                    else f"Write one of these for {name}, or leave it out"
                )
                msg = (
                    f"Executor.forward: {name}={value_text(value)} was given. Unknown argument "
                    f"{name}. Expected one of {', '.join(self.arg_dict)}. {how}."
                )
                raise SymbolTypeError(msg)
            if not isinstance(value, (NDArray, onp.ndarray)):
                msg = (
                    f"forward: {name}={value!r} was given. only accept keyword argument of "
                    f"NDArrays and numpy.ndarray. Write {name}=mx.nd.array(...)."
                )
                raise SymbolNameError(msg)
            if value.shape != target.shape:
                msg = (
                    f"Shape not match! Argument {name}, need: {target.shape}, received: "
                    f"{value.shape}. Bind the Symbol for the new shape, or call reshape()."
                )
                raise ShapeError(msg)
        for name, value in values.items():
            self.arg_dict[name][:] = value

    def backward(self, out_grads: Grads = None, is_train: bool = True) -> None:
        """Compute the gradients of the arguments, of the last `forward(is_train=True)`.

        Parameters
        ----------
        out_grads : NDArray, list of NDArray or dict of str to NDArray, optional
            The gradient of each output, in order or by name. Losses such as SoftmaxOutput need
            none.
        is_train : bool, default True
            Whether operators are differentiated as in training. If not, or after a forward pass
            without `is_train`, the graph runs again, in prediction mode, with the values that
            the arguments have now.

        Raises
        ------
        MissingGradientError
            An output that is no loss has no gradient.
        ShapeError
            A gradient has not the shape of its output.
        """
        if out_grads is None and not any(self._needs):
            self._go_back([None] * len(self.outputs), is_train=bool(is_train))
            return
        given = self._by_position(out_grads)
        heads: list[Tensor | None] = []
        for position, (needs, output) in enumerate(zip(self._needs, self.outputs, strict=True)):
            grad = given[position] if position < len(given) else None
            if not self.execution.has_gradient(position):
                grad = None  # whatever its shape is: nothing flows back from there
            elif grad is None and needs:
                raise self._missing(position)
            heads.append(None if grad is None else _as_head(grad, output, position))
        self._go_back(heads, is_train=bool(is_train))

    def _go_back(self, heads: Sequence[Tensor | None], *, is_train: bool) -> None:
        links = self._links
        if links is not None:
            links.read_gradients()
        self.execution.backward(heads, is_train=is_train)
        if links is not None:
            links.write_gradients()
        if self._monitoring is not None:
            self._monitoring.tell_gradients()

    def _by_position(self, grads: Grads) -> Sequence[NDArray]:
        if grads is None:
            return ()
        if isinstance(grads, NDArray):
            return (grads,)
        if isinstance(grads, dict):
            names = self.symbol.list_outputs()
            missing = [name for name in names if name not in grads]
            if missing:
                msg = (
                    f"backward: out_grads has no gradient of {', '.join(map(repr, missing))}. "
                    f"Expected one for each of {names}. Add what is missing."
                )
                raise MissingNameError(msg)
            grads = [grads[name] for name in names]
        if not isinstance(grads, (list, tuple)) or not all(
            isinstance(grad, NDArray) for grad in grads
        ):
            msg = (
                f"backward: out_grads={class_name(grads)} was given. inputs must be NDArray, or "
                f"a list or dictionary of them. Write mx.nd.array(...)."
            )
            raise OperandError(msg)
        return grads

    def _missing(self, position: int) -> MissingGradientError:
        name = self.symbol.list_outputs()[position]
        msg = (
            f"backward: there is no gradient of output {position}, {name!r}. Because the last "
            f"operator is not Loss function, head_gradient is required when calling backward. If "
            f"you are attempting to minimize the output as an objective, please modify your "
            f"network and pass it through the make_loss symbol."
        )
        return MissingGradientError(msg)

    def set_monitor_callback(self, callback: Callback | None, monitor_all: bool = False) -> None:
        """Have a function called with every operator's results.

        Parameters
        ----------
        callback : callable or None
            Called with a name such as `'fc1_output'` and the array; while it is set, operators
            run one by one. None ends it.
        monitor_all : bool, default False
            Whether it is called with every operator's inputs too.

        Examples
        --------
        >>> import gluonish as mx
        >>> executor = mx.sym.exp(mx.sym.var('x'), name='e').simple_bind(mx.cpu(), x=(2,))
        >>> executor.set_monitor_callback(lambda name, array: print(name, array.asnumpy()))
        >>> _ = executor.forward()
        e_output [1. 1.]
        """
        if callback is None:
            self._monitoring = None
        else:
            self._monitoring = Monitoring(
                callback, self.ctx, self.contexts, sees_inputs=monitor_all
            )

    def copy_params_from(
        self,
        arg_params: Mapping[str, NDArray],
        aux_params: Mapping[str, NDArray] | None = None,
        allow_extra_params: bool = False,
    ) -> None:
        """Copy values into the arrays of arguments and auxiliary states.

        Parameters
        ----------
        arg_params : dict of str to NDArray
            Values by the arguments' names.
        aux_params : dict of str to NDArray, optional
            Values by the auxiliary states' names.
        allow_extra_params : bool, default False
            Whether other names are left out instead of being an error.

        Raises
        ------
        SymbolNameError
            There are no such arguments or auxiliary states.
        ShapeError
            An array has another shape.
        """
        pairs = [
            *self._targets(arg_params, self.arg_dict, "arguments", allow_extra_params),
            *self._targets(aux_params or {}, self.aux_dict, "auxiliary states", allow_extra_params),
        ]
        for name, target, value in pairs:
            if value.shape != target.shape:
                msg = (
                    f"copy_params_from: {name!r} of shape {value.shape} was given. Expected "
                    f"{target.shape}, the shape that it is bound with. Reshape it."
                )
                raise ShapeError(msg)
        for _, target, value in pairs:
            target[:] = value

    def _targets(
        self,
        values: Mapping[str, NDArray],
        targets: Mapping[str, NDArray],
        what: str,
        allow_extra: bool,
    ) -> list[tuple[str, NDArray, NDArray]]:
        extra = sorted(values.keys() - targets.keys())
        if extra and not allow_extra:
            msg = (
                f'Find name "{", ".join(extra)}" that is not in the {what}. Expected some of '
                f"{list(targets)}. Pass allow_extra_params=True to leave others out."
            )
            raise SymbolNameError(msg)
        return [(name, targets[name], values[name]) for name in values if name in targets]

    def reshape(
        self, partial_shaping: bool = False, allow_up_sizing: bool = False, **kwargs: Any
    ) -> Executor:
        """Return an Executor for other shapes, which shares the arrays that stay as they are.

        Who monitors this one monitors the other one, too.

        Parameters
        ----------
        partial_shaping : bool, default False
            Whether arguments that are not named may get another shape too.
        allow_up_sizing : bool, default False
            Whether arrays may become larger, and then be new ones. Smaller ones share memory.
        **kwargs : tuple of int
            New shapes by the arguments' names.

        Raises
        ------
        SymbolError
            Other arguments would change, or become larger, without leave.

        Examples
        --------
        >>> import gluonish as mx
        >>> executor = mx.sym.exp(mx.sym.var('x')).simple_bind(mx.cpu(), x=(4, 2))
        >>> executor.reshape(x=(1, 2)).outputs[0].shape
        (1, 2)
        """
        other = reshaped(
            self, kwargs, partial_shaping=partial_shaping, allow_up_sizing=allow_up_sizing
        )
        other._monitoring = self._monitoring  # noqa: SLF001 - of the same class
        return other

    def debug_str(self) -> str:
        """Return a description of the graph, and the size of its arrays.

        Examples
        --------
        >>> import gluonish as mx
        >>> executor = mx.sym.exp(mx.sym.var('x')).simple_bind(mx.cpu(), x=(4, 2))
        >>> print(executor.debug_str().splitlines()[-1])
        Total 0 MB allocated
        """
        arrays = [*self.arg_arrays, *self.aux_arrays, *self.outputs]
        arrays += [grad for grad in self.grad_arrays if grad is not None]
        tensors = [parts_of(array).values if is_sparse(array) else plain(array) for array in arrays]
        size = sum(tensor.numel() * tensor.element_size() for tensor in tensors)
        return f"{self.symbol.debug_str()}Total {size >> 20} MB allocated\n"

    def hybrid_report(self) -> HybridReport:
        """Return a table of the captured graphs; see `Block.hybrid_report`.

        Examples
        --------
        >>> import gluonish as mx
        >>> executor = mx.sym.exp(mx.sym.var('x')).simple_bind(mx.cpu(), x=(4, 2))
        >>> for _ in range(2):
        ...     _ = executor.forward()
        >>> [row.signature for row in executor.hybrid_report().rows]
        ['forward']
        """
        return HybridReport([row_of(self, record) for record in self.execution.records()])

    @property
    def name(self) -> str:
        """The names of the graph's outputs."""
        return ", ".join(self.symbol.list_outputs())

    def get_optimized_symbol(self) -> Symbol:
        """Return the graph that runs; optimization goes on below, in the backend."""
        return self.symbol.__copy__()


def _empty(
    entry: Entry, shape: Shape, dtype: torch.dtype | None, ctx: Context, stype: str | None
) -> NDArray:
    known = tuple(length or 0 for length in shape or ())
    if stype is not None and dtype is not None:
        return storages.zeros(known, dtype, ctx, stype)
    return zeros(known, dtype, ctx, f"output {entry.position} of {entry.node.name!r}")


def _as_head(grad: NDArray, output: NDArray, position: int) -> Tensor:
    tensor = plain(as_default(grad))
    if tuple(tensor.shape) != output.shape:
        msg = (
            f"backward: a gradient of shape {tuple(tensor.shape)} was given for output {position} "
            f"of shape {output.shape}. Expected the same shape. Write "
            f"nd.ones_like(executor.outputs[{position}]) for ones."
        )
        raise ShapeError(msg)
    like = parts_of(output).values if is_sparse(output) else output._tensor
    return tensor.to(like)


measured(Executor, "forward", "forward")
measured(Executor, "backward", "backward")
