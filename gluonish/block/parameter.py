"""Parameter: a named weight of a Block, one array per context, made when its shape is known."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING, Any, NoReturn

import numpy as onp
import torch
from typing_extensions import override

from gluonish import autograd, init as initializers
from gluonish.array import NDArray, ndarray, wrap
from gluonish.array.dtypes import DTypeLike, shown_dtype, torch_dtype
from gluonish.array.gradients import attach, drop_gradient
from gluonish.array.sparse import RowSparseNDArray, memory, rows_in_graph, with_all_rows
from gluonish.array.tensors import plain
from gluonish.array.waiting import handed_out
from gluonish.array.writes import give_out
from gluonish.block import deferrals, first_call
from gluonish.block.parameter_memory import (
    array_of,
    average,
    copied,
    dense,
    is_same_memory,
    moved,
    no_gradient_yet,
)
from gluonish.block.parameter_names import PrivateNames
from gluonish.block.parameter_refusals import (
    State,
    elsewhere,
    negative,
    no_grad_req,
    no_gradient,
    no_initializer,
    no_matrix,
    no_name,
    no_storage,
    not_deferred,
    not_dense,
    not_in_rows,
    not_there,
    nothing_given,
    nothing_to_move,
    nothing_to_set,
    on_no_context,
    other_shape,
    still_unknown,
    without_trainer,
)
from gluonish.block.partial_shapes import agree, forgets, partial, shown
from gluonish.context import (
    Context,
    as_context,
    as_contexts,
    cpu,
    current_context,
    is_np_array,
)
from gluonish.errors import MXNetError
from gluonish.errors.suggestions import with_hints
from gluonish.errors.tracebacks import users_level
from gluonish.errors.uncalled import asked_for
from gluonish.hybrid import ChangeCounts
from gluonish.init.base import fill_by
from gluonish.late import LateModule
from gluonish.ops.table.explain import out_of_memory
from gluonish.process.heap import pages_apart

if TYPE_CHECKING:
    from collections.abc import Sequence

    from torch import Tensor

    from gluonish.block.partial_shapes import PartialShape
    from gluonish.context import Contexts
    from gluonish.symbol import Symbol, np_symbol, variables
else:
    np_symbol = LateModule("gluonish.symbol.np_symbol")
    variables = LateModule("gluonish.symbol.variables")


__all__ = ["Parameter", "State"]

_GRAD_REQS = ("write", "add", "null")
_STORAGE = ("default", "row_sparse", "csr")


@with_hints
class Parameter(PrivateNames):
    """Weight of a Block, held as one array for each context.

    Parameters
    ----------
    name : str
        Full name, such as `'dense0_weight'`.
    grad_req : {'write', 'add', 'null'}, default 'write'
        Whether `backward()` overwrites the gradient, adds to it, or there is none.
    shape : int or tuple of int, optional
        Length of each axis; 0 or -1 where it is to be found at the first call.
    dtype : str or dtype, default 'float32'
        Type of the elements.
    lr_mult, wd_mult : float, default 1.0
        Factors on the learning rate and the weight decay of this parameter.
    init : Initializer or str, optional
        How to fill it; the Block's initializer by default.
    allow_deferred_init : bool, default False
        Whether unknown dimensions may be found at the first call.
    differentiable : bool, default True
        False for values that no gradient changes, such as running statistics.
    stype, grad_stype : {'default', 'row_sparse', 'csr'}, default 'default'
        Storage types of values and gradient. With `grad_stype='row_sparse'` optimizers update
        the rows of a gradient only; values of `stype='row_sparse'` are given out by rows.

    Raises
    ------
    ParameterError
        `grad_req` or a storage type is not known.

    Examples
    --------
    >>> import gluonish as mx
    >>> w = mx.gluon.Parameter('w', shape=(2, 2))
    >>> w.initialize(mx.init.One())
    >>> print(w.data().asnumpy())
    [[1. 1.]
     [1. 1.]]
    """

    def __init__(
        self,
        name: str,
        grad_req: str = "write",
        shape: int | Sequence[int | None] | None = None,
        dtype: DTypeLike = onp.float32,
        lr_mult: float = 1.0,
        wd_mult: float = 1.0,
        init: Any = None,
        allow_deferred_init: bool = False,
        differentiable: bool = True,
        stype: str = "default",
        grad_stype: str = "default",
    ) -> None:
        if not isinstance(name, str):
            raise no_name(name)
        if init and isinstance(init, (int, float)):
            raise no_initializer(name, init)
        self.name = name
        self._dtype = dtype
        self.lr_mult = lr_mult
        self.wd_mult = wd_mult
        self.init = init
        self.attributes: dict[str, Any] = {}
        self._arrays: dict[Context, NDArray] = {}
        self.is_nowhere = False  # initialized on no context
        self._deferred_init: tuple[Any, ...] = ()
        self._allow_deferred_init = allow_deferred_init
        self._differentiable = differentiable
        self._trainer: Any = None
        self._var: Symbol | None = None
        self._shape = None if shape is None else partial(shape)
        self._declared: PartialShape | None = None  # the shape before data told the rest
        for what, storage in (("stype", stype), ("grad_stype", grad_stype)):
            if storage not in _STORAGE:
                raise no_storage(name, what, storage)
        if stype == "csr":
            raise no_matrix(name)
        self._stype, self._grad_stype = stype, grad_stype
        if stype == "row_sparse":
            self.data = self._no_dense_data  # type: ignore[method-assign]
        self.grad_req = grad_req

    # --- what it is -------------------------------------------------------------------------

    @property
    def state(self) -> State:
        """How far the initialization has come."""
        if self._arrays:
            return State.READY
        return State.DEFERRED if self._deferred_init else State.UNINITIALIZED

    @property
    def shape(self) -> tuple[int, ...] | None:
        """Length of each axis; what is unknown shows as 0, or as -1 under `npx.set_np()`."""
        if self._shape is None:
            return None
        return shown(self._shape)

    @shape.setter
    def shape(self, value: Sequence[int | None]) -> None:
        new = partial(value)
        known = self._shape
        if known is not None and (not agree(known, new) or forgets(known, new)):
            raise other_shape(self.name, known, new, first_call.origin(self))
        if self._declared is None:
            self._declared = self._shape
        self._shape = new

    @property
    def grad_req(self) -> str:
        """`'write'`, `'add'` or `'null'`: what `backward()` does to the gradient."""
        return self._grad_req

    @grad_req.setter
    def grad_req(self, value: str) -> None:
        value = self._allowed(value)
        if getattr(self, "_grad_req", None) == value:
            return
        self._grad_req = value
        ChangeCounts.grad_req_changed()
        if value != "null" and self._arrays:
            self._init_grad()
            return
        for array in self._arrays.values():
            drop_gradient(array)

    def _allowed(self, grad_req: str) -> str:
        """Return the grad_req to have where one is asked for."""
        if grad_req not in _GRAD_REQS:
            raise no_grad_req(self.name, grad_req)
        return grad_req if self._differentiable else "null"

    def _take_shape(self, data: NDArray) -> None:
        """Take the shape of values that are given; the graph's variable has it, too."""
        declared = self._declared
        self.shape = data.shape
        self._declared = declared

    def is_shape_known(self) -> bool:
        """Return whether every dimension is known."""
        return self._shape is not None and None not in self._shape

    @override
    def __repr__(self) -> str:
        return f"{type(self).__name__} {self.name} (shape={self.shape}, dtype={self.dtype})"

    # --- initialization ---------------------------------------------------------------------

    def initialize(
        self,
        init: Any = None,
        ctx: Contexts = None,
        default_init: Any = None,
        force_reinit: bool = False,
    ) -> None:
        """Make the arrays and fill them, or remember to do so when the shape is known.

        Parameters
        ----------
        init : Initializer or str, optional
            How to fill it; by default the parameter's own `init`, then `default_init`.
        ctx : Context or list of Context, optional
            Where to put a copy; the current context by default.
        default_init : Initializer or str, optional
            Used where neither `init` nor the parameter's own is given; `Uniform()` by default.
        force_reinit : bool, default False
            Whether to fill it anew if it is initialized already.

        Raises
        ------
        InvalidArgumentError
            The shape is unknown and may not be deferred.

        Examples
        --------
        >>> import gluonish as mx
        >>> w = mx.gluon.Parameter('w', shape=(2,))
        >>> w.initialize(ctx=[mx.cpu(0), mx.cpu(1)])
        >>> w.list_ctx()
        [cpu(0), cpu(1)]
        """
        if self._arrays and not force_reinit:
            warnings.warn(
                f"Parameter '{self.name}' is already initialized, ignoring. "
                f"Set force_reinit=True to re-initialize.",
                stacklevel=users_level(),
            )
            return
        default_init = initializers.Uniform() if default_init is None else default_init
        if init is None:
            init = default_init if self.init is None else self.init
        if not self.is_shape_known() and not self._allow_deferred_init:
            raise not_deferred(self)
        self._arrays = {}
        asked = self._deferred_init = (init, as_contexts(ctx), default_init, None)
        if self.is_shape_known():
            self._finish_deferred_init()
        deferrals.noted(self, asked)

    def _finish_deferred_init(self) -> None:
        """Fill the parameter, whose shape is known by now, as `initialize()` asked."""
        if not self._deferred_init:
            return
        init, contexts, default_init, data = self._deferred_init
        if not self.is_shape_known():
            raise still_unknown(self)
        is_own = data is None
        if data is None:
            try:
                with autograd.pause(), pages_apart():
                    data = self._empty()
                    descriptor = initializers.InitDesc(self.name, {"__init__": init})
                    fill_by(default_init, descriptor, data)
            except MXNetError as error:
                error.add_note(f"in Parameter {self.name!r} of shape {self.shape}")
                raise
        self._deferred_init = ()
        self._fill(data, contexts, is_own=is_own)

    def _fill(self, data: NDArray, contexts: Sequence[Context], *, is_own: bool) -> None:
        """Call `_init_impl`; a program's own has MXNet's two arguments."""
        self.is_nowhere = not contexts
        if "_init_impl" not in self.overridden:
            self._init_impl(data, contexts, is_own=is_own)
            return
        with autograd.pause():
            self._init_impl(data, list(contexts))

    def _empty(self) -> NDArray:
        cls = ndarray if is_np_array() else NDArray
        shape = tuple(size for size in self._shape or () if size is not None)
        if min(shape, default=1) < 0:
            raise negative(self.name, shape)
        try:
            return wrap(torch.zeros(shape, dtype=torch_dtype(self.dtype)), cpu(), cls)
        except RuntimeError as error:
            too_large = out_of_memory("initialize", f"shape {shape}", error)
            raise (too_large or error) from error.__cause__

    def _init_impl(
        self, data: NDArray, contexts: Sequence[Context], *, is_own: bool = False
    ) -> None:
        """Take `data` as the values on every context; the memory too, if nobody else has it."""
        ChangeCounts.structure_changed()
        placed = moved if is_own and len(contexts) == 1 else copied
        cls = type(data) if data.stype == "default" else NDArray
        with pages_apart():
            values = dense(data)
            tensors = {ctx: placed(values, ctx) for ctx in contexts}
        if self._stype == "row_sparse":
            self._arrays = {ctx: with_all_rows(tensor, ctx) for ctx, tensor in tensors.items()}
        else:
            self._arrays = {ctx: wrap(tensor, ctx, cls) for ctx, tensor in tensors.items()}
        self._init_grad()

    def _init_grad(self) -> None:
        """Give the values gradients, unless there are to be none."""
        if self._grad_req != "null":
            for array in self._arrays.values():
                self._attach(array)

    def _attach(self, array: NDArray) -> None:
        if memory(array).dtype.is_floating_point:
            attach(array, no_gradient_yet(array, self._grad_stype), self._grad_req)

    def _load_init(
        self,
        data: NDArray,
        ctx: Contexts,
        cast_dtype: bool = False,
        dtype_source: str = "current",
        *,
        is_own: bool = False,
    ) -> None:
        """Take loaded values; they also fix the shape of a parameter that waits for it."""
        if cast_dtype and dtype_source == "saved":
            self.cast(data.dtype)
        elif cast_dtype:
            data = data.astype(self.dtype)
        self._take_shape(data)
        if not self._arrays:
            if self._deferred_init:
                contexts = list(self._deferred_init[1]) if ctx is None else as_contexts(ctx)
            else:
                contexts = as_contexts(ctx)
            self._deferred_init = ()
            self._fill(data, contexts, is_own=is_own)
            return
        if ctx is not None and set(as_contexts(ctx)) != set(self._arrays):
            raise elsewhere(self, as_contexts(ctx))
        self.set_data(data)

    # --- values -----------------------------------------------------------------------------

    @asked_for
    def data(self, ctx: Context | None = None) -> NDArray:
        """Return the values on one context.

        Parameters
        ----------
        ctx : Context, optional
            Where; by default the only context, or the current one of several.

        Raises
        ------
        UninitializedParameterError
            There are no values yet, or none on that context.
        DeferredInitializationError
            The shape is not known before the first call.

        Examples
        --------
        >>> import gluonish as mx
        >>> w = mx.gluon.Parameter('w', shape=(2,), init='ones')
        >>> w.initialize()
        >>> print(w.data().asnumpy())
        [1. 1.]
        """
        if self._looks_up:
            return self._check_and_get(self._data, ctx)  # type: ignore[no-any-return]
        arrays = self._arrays
        if ctx is None and len(arrays) == 1:
            return handed_out(next(iter(arrays.values())))
        found = arrays.get(current_context() if ctx is None else ctx)
        if found is None and ctx is not None and ctx.device_type in ("cpu_pinned", "cpu_shared"):
            found = arrays.get(Context("cpu", ctx.device_id))
        if found is None:
            raise not_there(self, current_context() if ctx is None else ctx)
        return handed_out(found)

    def list_data(self) -> list[NDArray]:
        """Return the values on every context.

        Examples
        --------
        >>> import gluonish as mx
        >>> w = mx.gluon.Parameter('w', shape=(2,))
        >>> w.initialize()
        >>> len(w.list_data())
        1
        """
        if not self._arrays:
            raise not_there(self, None)
        if self._stype == "row_sparse":
            raise not_dense(self, None, "list_data")
        if self._looks_up:
            return self._check_and_get(self._data, list)  # type: ignore[no-any-return]
        return list(map(handed_out, self._arrays.values()))

    def row_sparse_data(self, row_id: NDArray) -> RowSparseNDArray:
        """Return some rows of a parameter of storage type 'row_sparse', on the ids' context.

        As in MXNet, a Trainer that has the parameter must be there first.

        Parameters
        ----------
        row_id : NDArray
            Numbers of the rows.

        Raises
        ------
        UninitializedParameterError
            The values are dense, or there are none yet, or no Trainer has the parameter.

        Examples
        --------
        >>> import gluonish as mx
        >>> w = mx.gluon.Parameter('w', shape=(3, 1), init='ones', stype='row_sparse')
        >>> w.initialize()
        >>> trainer = mx.gluon.Trainer([w], 'sgd')
        >>> w.row_sparse_data(mx.nd.array([0, 2])).asnumpy().tolist()
        [[1.0], [0.0], [1.0]]
        """
        if self._stype != "row_sparse":
            raise not_in_rows(self, "row_sparse_data")
        return self._rows_on(row_id.context, row_id)

    def list_row_sparse_data(self, row_id: NDArray) -> list[RowSparseNDArray]:
        """Return some rows of a parameter of storage type 'row_sparse', on every context.

        Parameters
        ----------
        row_id : NDArray
            Numbers of the rows.

        Raises
        ------
        UninitializedParameterError
            The values are dense, or there are none yet, or no Trainer has the parameter.
        """
        if self._stype != "row_sparse":
            raise not_in_rows(self, "list_row_sparse_data")
        return [self._rows_on(ctx, row_id) for ctx in self.list_ctx()]

    def _rows_on(self, ctx: Context, row_id: NDArray) -> RowSparseNDArray:
        if self._trainer is None:
            raise without_trainer(self)
        array = self._arrays.get(ctx)
        if not isinstance(array, RowSparseNDArray):
            raise not_there(self, ctx)
        return rows_in_graph(array, row_id.as_in_context(ctx))

    def _no_dense_data(self, ctx: Context | None = None) -> NoReturn:
        raise not_dense(self, ctx) if self._arrays else not_there(self, ctx)

    @asked_for
    def grad(self, ctx: Context | None = None) -> NDArray:
        """Return the gradient of the last `backward()` on one context.

        Raises
        ------
        UninitializedParameterError
            There is no gradient: `grad_req` is `'null'`, or there are no values yet.

        Examples
        --------
        >>> import gluonish as mx
        >>> w = mx.gluon.Parameter('w', shape=(2,))
        >>> w.initialize()
        >>> print(w.grad().asnumpy())
        [0. 0.]
        """
        if self._grad_req == "null" and self._arrays:  # whatever its arrays were attached since
            raise no_gradient(self)
        if self._looks_up and self._arrays:
            return self._check_and_get(self._grad, ctx)  # type: ignore[no-any-return]
        plainly = self._stype == "default"
        array = Parameter.data(self, ctx) if plainly else self._array_on(ctx)
        gradient = array.grad
        if gradient is None:
            raise no_gradient(self)
        return handed_out(gradient)

    def _array_on(self, ctx: Context | None) -> NDArray:
        only = len(self._arrays) == 1 and ctx is None
        wanted = next(iter(self._arrays)) if only else as_context(ctx)
        found = self._arrays.get(wanted)
        if found is None:
            raise not_there(self, wanted)
        return found

    def list_grad(self) -> list[NDArray]:
        """Return the gradients on every context."""
        if not self._arrays:
            raise not_there(self, None)
        if self._grad_req == "null":
            raise no_gradient(self)
        gradients = self._gradients()
        found = [handed_out(gradient) for gradient in gradients if gradient is not None]
        if len(found) != len(gradients):
            raise no_gradient(self)
        return self._check_and_get(self._grad, list) if self._looks_up else found

    def list_ctx(self) -> list[Context]:
        """Return the contexts that hold the parameter, or will after a deferred initialization."""
        if self._arrays:
            return list(self._arrays)
        if self._deferred_init:
            return list(self._deferred_init[1])
        if self.is_nowhere:
            return []
        raise on_no_context(self)

    def set_data(self, data: NDArray | onp.ndarray[Any, Any] | float) -> None:
        """Overwrite the values on all contexts.

        Parameters
        ----------
        data : NDArray
            The new values, of the parameter's shape.

        Raises
        ------
        ParameterError
            The shape differs, or `initialize()` was not called.

        Examples
        --------
        >>> import gluonish as mx
        >>> w = mx.gluon.Parameter('w', shape=(2,))
        >>> w.initialize()
        >>> w.set_data(mx.nd.array([1, 2]))
        >>> print(w.data().asnumpy())
        [1. 2.]
        """
        array = data if isinstance(data, NDArray) else array_of(data)
        if not self._arrays and not self._deferred_init:
            raise nothing_to_set(self.name)
        if not (self._arrays or all(array.shape)):
            raise nothing_given(self.name, array.shape)
        self._take_shape(array)
        if not self._arrays:
            self._deferred_init = (*self._deferred_init[:3], array)
            return
        if self._trainer is not None:
            self._trainer._reset_kvstore()
        for target in self._arrays.values():
            memory(target).copy_(dense(array))

    def zero_grad(self) -> None:
        """Set the gradients on all contexts to 0.

        Examples
        --------
        >>> import gluonish as mx
        >>> w = mx.gluon.Parameter('w', shape=(2,))
        >>> w.initialize()
        >>> w.zero_grad()
        """
        for array in self._arrays.values():
            gradient = array.grad
            if gradient is None:
                continue
            if gradient.stype == "default":
                plain(gradient).zero_()
            else:
                gradient[:] = 0

    def reset_ctx(self, ctx: Contexts) -> None:
        """Move the parameter to other contexts.

        Parameters
        ----------
        ctx : Context or list of Context
            Where it shall be; the current context by default.

        Raises
        ------
        InvalidArgumentError
            `initialize()` was not called.

        Examples
        --------
        >>> import gluonish as mx
        >>> w = mx.gluon.Parameter('w', shape=(2,))
        >>> w.initialize()
        >>> w.reset_ctx([mx.cpu(1), mx.cpu(2)])
        >>> w.list_ctx()
        [cpu(1), cpu(2)]
        """
        contexts = as_contexts(ctx)
        if self._arrays:
            self._fill(self._reduce(), contexts, is_own=False)
        elif self._deferred_init:
            init, _, default_init, data = self._deferred_init
            self._deferred_init = (init, contexts, default_init, data)
        else:
            raise nothing_to_move(self.name)

    def cast(self, dtype: DTypeLike) -> None:
        """Turn values and gradients into another dtype.

        Examples
        --------
        >>> import gluonish as mx
        >>> w = mx.gluon.Parameter('w', shape=(2,))
        >>> w.initialize()
        >>> w.cast('float16')
        >>> w
        Parameter w (shape=(2,), dtype=float16)
        """
        target = torch_dtype(dtype)
        ChangeCounts.structure_changed()
        self._dtype = dtype
        self._var = None
        if self._stype == "row_sparse" and self._arrays:
            self._fill(self._reduce().astype(dtype), list(self._arrays), is_own=False)
            return
        for ctx, array in list(self._arrays.items()):  # which a program may hold, as they are
            self._arrays[ctx] = cast = wrap(plain(array).to(target, copy=True), ctx, type(array))
            if self._grad_req != "null":
                self._attach(cast)

    @property
    def dtype(self) -> DTypeLike:
        """What the values are made of; setting it casts them, and their gradients."""
        return self._dtype

    @dtype.setter
    def dtype(self, dtype: DTypeLike) -> None:
        self.cast(dtype)

    @property
    def is_differentiable(self) -> bool:
        """Whether gradients may change it, which is not so for running statistics."""
        return self._differentiable

    def adopt(self, tensor: Tensor, ctx: Context) -> None:
        """Take a tensor's memory for the values, unless they are in that memory already.

        Captured graphs read such values at each replay, since others may write to them.

        Parameters
        ----------
        tensor : Tensor
            The values, outside of any graph of gradients.
        ctx : Context
            Where they are.

        Examples
        --------
        >>> import torch
        >>> import gluonish as mx
        >>> w = mx.gluon.Parameter('w', shape=(2,))
        >>> values = torch.ones(2)
        >>> w.adopt(values, mx.cpu())
        >>> _ = values.mul_(3)
        >>> print(w.data().asnumpy())
        [3. 3.]
        """
        give_out(tensor)
        present = next(iter(self._arrays.values()), None)
        if present is not None and is_same_memory(plain(present), tensor):
            return
        ChangeCounts.structure_changed()
        default = ndarray if is_np_array() else NDArray
        cls = default if present is None else type(present)
        self._dtype = shown_dtype(tensor.dtype)
        self._var = None
        self._shape = tuple(tensor.shape)
        self._deferred_init = ()
        self._arrays = {ctx: wrap(tensor, ctx, cls)}
        if self._grad_req != "null":
            self._attach(self._arrays[ctx])

    def _reduce(self) -> NDArray:
        """Return the average of the values on all contexts, on the CPU."""
        if not self._arrays:
            raise not_there(self, None)
        return average(list(self._arrays.values()))

    # --- as a variable ----------------------------------------------------------------------

    def var(self) -> Symbol:
        """Return the variable that stands for the parameter in graphs, always the same one.

        Its attributes are the shape, the dtype, the factors and the initializer.

        Examples
        --------
        >>> import gluonish as mx
        >>> w = mx.gluon.Parameter('w', shape=(2, 3), init='zeros', wd_mult=0)
        >>> w.var()
        <Symbol w>
        >>> w.var().attr('__shape__'), w.var().attr('__wd_mult__')
        ('(2, 3)', '0')
        """
        if self._var is None:
            is_inferred = self._inferred_from is not None and self._declared is not None
            declared = self._declared if is_inferred else self._shape
            self._var = variables.var(
                self.name,
                shape=None if declared is None else shown(declared),
                dtype=self.dtype,
                lr_mult=self.lr_mult,
                wd_mult=self.wd_mult,
                init=self._init_in_graph(),
                stype=self._stype,
            )
            if is_np_array():
                self._var = np_symbol.NumpySymbol(self._var.entries)
        return self._var

    def rename(self, name: str) -> None:
        """Give the parameter another name."""
        self.name = name
        self._var = None

    def represent(self, variable: Symbol) -> None:
        """Take a variable of a graph as the one that stands for the parameter."""
        self._var = variable

    def _init_in_graph(self) -> Any:
        return self.init

    @override
    def __getstate__(self) -> dict[str, Any]:
        return self.__dict__ | {"_var": None, "_fresh": None}

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Take the attributes of a copy, whose arrays come without gradients."""
        self.__dict__.update(state)
        self._init_grad()
