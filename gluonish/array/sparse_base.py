"""What sparse arrays of all storage types share."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING, Any, NoReturn, TypeGuard, TypeVar

import torch
from typing_extensions import override

from gluonish.array import refusals, storage
from gluonish.array.core import NDArray, new, wrap
from gluonish.array.dtypes import DTypeLike, numpy_dtype, shown_dtype, torch_dtype
from gluonish.array.gradients import attachment
from gluonish.array.tensors import assign, in_graph, plain, unwrap
from gluonish.context import Context
from gluonish.errors import (
    DTypeError,
    GradientRequestError,
    InvalidArgumentError,
    InvalidIndexError,
    ShapeError,
    SparseStorageError,
)
from gluonish.errors.doors import door
from gluonish.errors.program_text import indexed
from gluonish.errors.tracebacks import users_level
from gluonish.errors.wording import class_name
from gluonish.process.recording import state

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Self

    import numpy as onp
    from torch import Tensor

    from gluonish.array.indexing import Key
    from gluonish.array.sparse_tensor import SparseTensor

S = TypeVar("S", bound="BaseSparseNDArray")


class BaseSparseNDArray(NDArray):
    """What sparse arrays share; made by the functions of `mx.nd.sparse`.

    Operators that would fill the zeros compute with the dense array instead, and give a dense
    result.

    Examples
    --------
    >>> import gluonish as mx
    >>> x = mx.nd.sparse.csr_matrix(([5.], [1], [0, 0, 1]), shape=(2, 3))
    >>> isinstance(x, mx.nd.sparse.BaseSparseNDArray), x.stype
    (True, 'csr')
    """

    # _parts replaces _tensor, which is not there: what needs a dense array ends in an error, and
    # operators then find out what to do. _leaf is a dense tensor of the same values, in the graph
    # that is recorded; the parts and their version tell whether it still has these values.
    __slots__ = ("_leaf", "_parts")
    _parts: SparseTensor
    _leaf: tuple[SparseTensor, int, Tensor]

    def __init__(self, handle: Any, writable: bool = True) -> None:
        if not isinstance(handle, type(self)) or not writable:
            msg = (
                f"{type(self).__name__}: {class_name(handle)} was given. Expected an array of "
                f"this class. Make others with mx.nd.sparse.csr_matrix(...), "
                f"mx.nd.sparse.row_sparse_array(...) or x.tostype({self.stype!r})."
            )
            raise DTypeError(msg)
        self._parts, self._ctx = handle._parts, handle._ctx

    @property
    @override
    def _tensor(self) -> Tensor:  # type: ignore[override]  # there is none
        msg = (
            f"{type(self).__name__}: an array of shape {self.shape} was given where the memory of "
            f"a dense array is needed. Expected storage type 'default'. Write "
            f"x.tostype('default')."
        )
        raise SparseStorageError(msg)

    # --- what it is -------------------------------------------------------------------------

    @property
    @override
    def shape(self) -> tuple[int, ...]:
        """Length of each axis."""
        return self._parts.shape

    @property
    @override
    def ndim(self) -> int:
        """Number of axes."""
        return len(self._parts.shape)

    @property
    @override
    def size(self) -> int:
        """Number of elements, zeros included."""
        return torch.Size(self._parts.shape).numel()

    @property
    @override
    def dtype(self) -> Any:
        """NumPy scalar type of the elements (`numpy.float32`)."""
        return shown_dtype(self._parts.dtype)

    @property
    def data(self) -> NDArray:
        """What is stored: elements, or rows; sharing memory.

        Examples
        --------
        >>> import gluonish as mx
        >>> x = mx.nd.array([[0, 2], [3, 0]]).tostype('csr')
        >>> x.data.asnumpy(), x.indices.asnumpy(), x.indptr.asnumpy()
        (array([2., 3.], dtype=float32), array([1, 0]), array([0, 1, 2]))
        """
        return wrap(self._parts.values, self._ctx, NDArray)

    @property
    def indices(self) -> NDArray:
        """Where the rows are, or the column of each element, as int64; a copy."""
        return wrap(self._parts.indices.clone(), self._ctx, NDArray)

    @property
    def _num_aux(self) -> int:
        """How many arrays say where the stored elements are."""
        return 1 if self._parts.indptr is None else 2

    @property
    @override
    def handle(self) -> int:
        """Address of the first stored element in memory, in bytes."""
        return self._parts.values.data_ptr()

    @property
    @override
    def T(self) -> NDArray:  # type: ignore[override]
        """The array with its axes in reverse order, dense."""
        return self.todense().T

    @override
    def __len__(self) -> int:
        return self.shape[0]

    @override
    def __repr__(self) -> str:
        shape = "x".join(map(str, self.shape))
        return f"\n<{type(self).__name__} {shape} @{self.context}>"

    __hash__ = object.__hash__

    # --- reading ----------------------------------------------------------------------------

    def todense(self) -> NDArray:
        """Return the array with all of its zeros, in memory of its own.

        Examples
        --------
        >>> import gluonish as mx
        >>> mx.nd.sparse.zeros('csr', (1, 2)).todense().asnumpy()
        array([[0., 0.]], dtype=float32)
        """
        tensor = self._variable()
        return wrap(self._parts.dense() if tensor is None else tensor, self._ctx, NDArray)

    @override
    def asnumpy(self) -> onp.ndarray[Any, Any]:
        return wrap(self._parts.dense(), self._ctx, NDArray).asnumpy()

    @override
    def asscalar(self) -> Any:
        return self.todense().asscalar()

    @override
    def tolist(self) -> Any:
        return self.asnumpy().tolist()

    @override
    @door
    def __bool__(self) -> bool:
        return bool(self.todense())

    @override
    def _only(self) -> Any:
        return self.todense()._only()

    @override
    @door
    def __index__(self) -> int:
        return self.todense().__index__()

    @override
    def _shared_with_numpy(self, dtype: Any) -> onp.ndarray[Any, Any]:
        msg = (
            f"numpy: copy=False was given for a {type(self).__name__}. Expected a dense array, "
            f"whose memory NumPy can share. Leave copy=False out."
        )
        raise InvalidArgumentError(msg)

    @override
    def wait_to_read(self) -> None:
        self.data.wait_to_read()

    def check_format(self, full_check: bool = True) -> None:
        """Check that the parts belong together: none is missing, none lies outside.

        Parameters
        ----------
        full_check : bool, default True
            Whether the indices of every row are looked at; otherwise only the parts' lengths.

        Raises
        ------
        InvalidIndexError
            An index is outside of the array, occurs twice, or stands after a larger one of its row.

        Examples
        --------
        >>> import gluonish as mx
        >>> mx.nd.sparse.zeros('row_sparse', (2, 2)).check_format()
        """
        problem = storage.length_problem(self._parts)
        if problem is None and full_check:
            problem = self._parts.problem() or storage.order_problem(self._parts)
        if problem is not None:
            error = bad_indices("check_format", self.shape, problem)
            raise error

    # --- parts ------------------------------------------------------------------------------

    @override
    def __setitem__(self, key: Key, value: Any) -> None:
        if not (isinstance(key, slice) and key == slice(None)):
            msg = (
                f"{type(self).__name__}: x[{key!r}] = ... was asked for. Expected x[:] = ..., "
                f"which replaces all of it. Write the elements into a dense array first: "
                f"y = {indexed()}.tostype('default'), y[...] = ..., then "
                f"{indexed()} = y.tostype('{self.stype}')."
            )
            raise InvalidIndexError(msg)
        self._assign(value, "x[:] = y")

    def _assign(self, value: Any, what: str) -> None:
        """Replace all of the array; while recording, it then stands for `value`.

        Raises
        ------
        AutogradError
            The array is part of a graph that is being recorded.
        """
        if self._variable() is not None:
            error = in_graph(what)
            raise error
        tensor = None
        if is_sparse(value) and value.stype == self.stype and value.shape == self.shape:
            tensor, device = value._variable(), self._ctx.device
            parts = storage.moved(value._parts, device, self._parts.dtype, copy=True)
            if tensor is not None:
                tensor = tensor.to(device, self._parts.dtype)
        else:
            memory = torch.empty(self.shape, dtype=self._parts.dtype, device=self._ctx.device)
            dense = wrap(memory, self._ctx, NDArray)
            dense[:] = value
            parts, tensor = storage.stored(plain(dense), self.stype), dense._tensor
        self._replace(parts)
        with_leaf(self, tensor)

    def _replace(self, parts: SparseTensor) -> None:
        self._parts = parts

    @override
    def __iter__(self) -> Iterator[Any]:
        for position in range(len(self)):
            yield self[position]

    # --- copies and moves -------------------------------------------------------------------

    @override
    def copy(self) -> Self:
        parts = storage.moved(self._parts, self._ctx.device, copy=True)
        return with_leaf(build(parts, self._ctx, type(self)), self._variable())

    @override
    def copyto(self, other: Any) -> Any:
        """Copy the values into another array, or into a new one on a context.

        Parameters
        ----------
        other : NDArray or Context
            A dense array, or one of this class, of the same shape; or where the copy shall be.

        Raises
        ------
        ShapeError
            The shapes differ.
        DTypeError
            `other` has another sparse storage type, or is something else.

        Examples
        --------
        >>> import gluonish as mx
        >>> x = mx.nd.ones((1, 2)).tostype('row_sparse')
        >>> x.copyto(mx.nd.zeros((1, 2))).asnumpy()
        array([[1., 1.]], dtype=float32)
        """
        if isinstance(other, Context):
            copy = build(storage.moved(self._parts, other.device, copy=True), other, type(self))
            tensor = self._variable()
            return copy if tensor is None else with_leaf(copy, tensor.to(other.device))
        if other is self:
            warnings.warn(refusals.ITSELF, RuntimeWarning, stacklevel=users_level())
            return False
        if not isinstance(other, NDArray) or other.stype not in ("default", self.stype):
            shown = f"stype {other.stype}" if isinstance(other, NDArray) else type(other).__name__
            msg = (
                f"copyto does not support destination NDArray {shown}. Expected a context, or an "
                f"array of stype 'default' or {self.stype!r}. Convert it with tostype first."
            )
            raise DTypeError(msg)
        if other.shape != self.shape:
            msg = (
                f"copyto: an array of shape {self.shape} was to be copied into one of shape "
                f"{other.shape}. Expected the same shape. Make one of shape {self.shape}."
            )
            raise ShapeError(msg)
        if is_sparse(other):
            other[:] = self
        else:
            assign(other, unwrap(self.todense().as_in_context(other._ctx)), "x.copyto(y)")
        return other

    @override
    def astype(self, dtype: DTypeLike, copy: bool = True) -> Self:
        target = torch_dtype(dtype)
        if not copy and self._parts.dtype is target:
            return self
        parts = storage.moved(self._parts, self._ctx.device, target, copy=True)
        tensor = self._variable()
        result = build(parts, self._ctx, type(self))
        return result if tensor is None else with_leaf(result, tensor.to(target))

    @override
    def detach(self) -> Self:
        return build(self._parts, self._ctx, type(self))

    @override
    def as_nd_ndarray(self) -> NDArray:
        return self

    @override
    def as_np_ndarray(self) -> NDArray:
        return self.todense().as_np_ndarray()

    @override
    def tostype(self, stype: str) -> Any:
        """Return the array in a storage type: its own, or `'default'`.

        Raises
        ------
        InvalidArgumentError
            The other sparse storage type, or an unknown one.

        Examples
        --------
        >>> import gluonish as mx
        >>> mx.nd.ones((1, 2)).tostype('csr').tostype('default').asnumpy()
        array([[1., 1.]], dtype=float32)
        """
        if stype == "default":
            return self.todense()
        if stype != self.stype:
            known = stype in storage.STORAGE_TYPES
            what = "is not supported" if known else "is not known"
            msg = (
                f"cast_storage from {self.stype} to {stype} {what}. Expected 'default' or "
                f"{self.stype!r}. Write x.tostype('default').tostype(...) for other ones."
            )
            raise InvalidArgumentError(msg)
        return self.copy()

    # --- gradients --------------------------------------------------------------------------

    @override
    def attach_grad(self, grad_req: str = "write", stype: str | None = None) -> None:
        kind = self.stype if stype is None else stype
        self._attach(empty(self.shape, self._parts.dtype, self._ctx, kind), grad_req)

    @override
    def _attach(self, buffer: NDArray, grad_req: str) -> None:
        """Have gradients with respect to this array arrive in `buffer`."""
        if grad_req not in ("write", "add", "null"):
            msg = (
                f"grad_req {grad_req!r} was given. Expected 'write', 'add' or 'null'. Write "
                f"x.attach_grad('write')."
            )
            raise GradientRequestError(msg)
        if not self._parts.dtype.is_floating_point:
            msg = (
                f"attach_grad: an array of dtype {numpy_dtype(self._parts.dtype)} has no gradient. "
                f"Expected floating-point numbers. Write x.astype('float32')."
            )
            raise DTypeError(msg)
        self._attached = buffer._gradient_class(buffer, grad_req)
        if hasattr(self, "_leaf"):
            del self._leaf

    def _variable(self) -> Tensor | None:
        """Return the dense tensor that gradients flow through, while they are recorded."""
        return self._recorded_tensor() if state.recording else None

    def _recorded_tensor(self) -> Tensor | None:
        attached = attachment(self)
        if attached is not None:
            return None if attached.grad_req == "null" else self._own_leaf()
        return self._valid_leaf()

    def _valid_leaf(self) -> Tensor | None:
        if not hasattr(self, "_leaf"):
            return None
        parts, version, tensor = self._leaf
        is_valid = parts is self._parts and version == _version(parts)
        return tensor if is_valid else None

    def _own_leaf(self) -> Tensor:
        """Return the dense leaf whose gradient is this array's."""
        found = self._valid_leaf()
        if found is not None:
            return found
        parts = self._parts
        tensor = parts.values.detach() if storage.is_complete(parts) else parts.dense()
        leaf = tensor.requires_grad_()
        self._attached.listen(leaf)
        self._leaf = (parts, _version(parts), leaf)
        return leaf

    @override
    def _in_graph(self) -> NDArray:
        tensor = self._recorded_tensor()
        return wrap(self._parts.dense() if tensor is None else tensor, self._ctx, NDArray)

    @override
    def backward(
        self,
        out_grad: NDArray | None = None,
        retain_graph: bool = False,
        train_mode: bool = True,
    ) -> None:
        self._in_graph().backward(out_grad, retain_graph, train_mode)

    # --- exchange ---------------------------------------------------------------------------

    @override
    def __reduce__(self) -> tuple[Callable[..., Any], tuple[Any, ...]]:
        return _rebuild, (type(self), self._parts, self._ctx)

    @override
    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        return self.copy()

    def _refuse_dlpack(self) -> NoReturn:
        msg = (
            f"DLPack: a {type(self).__name__} was to be shared. Expected a dense array. Write "
            f"x.tostype('default')."
        )
        raise InvalidArgumentError(msg)

    @override
    def __dlpack__(self, **options: Any) -> Any:
        self._refuse_dlpack()

    @override
    def __dlpack_device__(self) -> tuple[Any, int]:
        self._refuse_dlpack()

    @override
    def to_dlpack_for_read(self) -> Any:
        """Return a DLPack capsule of the stored elements alone, as MXNet does."""
        return wrap(self._parts.values, self._ctx, NDArray).to_dlpack_for_read()

    @override
    def to_dlpack_for_write(self) -> Any:
        """Return a DLPack capsule of the stored elements alone, for reading and writing."""
        return wrap(self._parts.values, self._ctx, NDArray).to_dlpack_for_write()


CLASSES: dict[str, type[BaseSparseNDArray]] = {}  # by storage type


def is_sparse(value: object) -> TypeGuard[BaseSparseNDArray]:
    """Return whether a value is a sparse array."""
    return isinstance(value, BaseSparseNDArray)


def is_in_graph(array: BaseSparseNDArray) -> bool:
    """Return whether gradients flow through an array, while they are recorded."""
    return array._variable() is not None


def parts_of(array: BaseSparseNDArray) -> SparseTensor:
    """Return what a sparse array stores: its elements and where they are."""
    return array._parts


def replace_parts(array: BaseSparseNDArray, parts: SparseTensor) -> None:
    """Have an array store other elements; what was recorded of it is left behind."""
    array._replace(parts)


def replace_all(array: BaseSparseNDArray, value: Any, what: str) -> None:
    """Write all of an array, as `x[:] = value` does; `what` names it in errors.

    Raises
    ------
    AutogradError
        The array is part of a graph that is being recorded.
    """
    array._assign(value, what)


def build(parts: SparseTensor, ctx: Context, cls: type[S]) -> S:
    """Return a sparse array around its parts, sharing memory."""
    array: S = new(cls)
    array._parts = parts
    array._ctx = ctx
    return array


def with_leaf(array: S, tensor: Tensor | None) -> S:
    """Have gradients with respect to an array flow through a dense tensor of the same values."""
    if tensor is not None and tensor.requires_grad:
        array._leaf = (array._parts, _version(array._parts), tensor)
    return array


def _version(parts: SparseTensor) -> int:
    return parts.values._version  # no public name


def sparse_array(parts: SparseTensor, ctx: Context) -> Any:
    """Return the sparse array of the class that goes with its parts."""
    return build(parts, ctx, CLASSES[parts.storage])


def empty(shape: tuple[int, ...], dtype: torch.dtype, ctx: Context, stype: str) -> NDArray:
    """Return an array of zeros of a storage type."""
    if stype == "default":
        return wrap(torch.zeros(shape, dtype=dtype, device=ctx.device), ctx, NDArray)
    return sparse_array(storage.nothing(shape, dtype, ctx.device, stype), ctx)  # type: ignore[no-any-return]


def bad_indices(where: str, shape: tuple[int, ...], problem: str) -> InvalidIndexError:
    """Return the error for parts that do not belong together."""
    part = "indptr" if problem.startswith("indptr has") else "the indices"
    what, expected, fix = (*problem.split("; "), "")[:3]
    msg = (
        f"{where}: an array of shape {shape} was given, and {what}. {expected[:1].upper()}"
        f"{expected[1:]}. {fix or f'Correct {part}'}."
    )
    return InvalidIndexError(msg)


def _rebuild(cls: type[Any], parts: SparseTensor, ctx: Context) -> Any:
    return build(storage.moved(parts, ctx.device), ctx, cls)
