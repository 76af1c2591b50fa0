"""NDArray: a thin wrapper over one torch tensor that knows its context."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING, Any, ClassVar, Protocol, TypeVar, overload

import numpy as onp
import torch
from torch import Tensor
from typing_extensions import override

from gluonish.array import indexing, printing, refusals, torch_functions
from gluonish.array.contexts import compatible, context_of
from gluonish.array.dtypes import DTypeLike, shown_dtype, tensor_of, torch_dtype
from gluonish.array.fluent import NDFluent
from gluonish.array.gradients import Gradient, attach, attachment, run_backward
from gluonish.array.pickles import Packed, packed, unpacked
from gluonish.array.pinned import page_locked, send
from gluonish.array.single import as_number
from gluonish.array.tensors import (
    as_default,
    assign,
    check_outside_graph,
    plain,
    recorded,
    unwrap,
    writable,
)
from gluonish.array.writes import give_out
from gluonish.array.zero_pages import zeros_for
from gluonish.context import Context, as_context, cpu
from gluonish.errors import MXNetError, SparseStorageError
from gluonish.errors.doors import door
from gluonish.errors.suggestions import with_hints
from gluonish.errors.tracebacks import shorten, users_level
from gluonish.process.recording import differentiated, state
from gluonish.process.replay_marks import once_only

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from typing import Never, Self, TypeAlias

A = TypeVar("A", bound="NDArray")
Number: TypeAlias = "complex | bool | onp.generic"


class NDArray(NDFluent):
    """Array of numbers on a context, as MXNet's `nd` front end has it.

    Made by `mx.nd.array` and every other function of `mx.nd`; the class itself wraps another
    array.

    Parameters
    ----------
    handle : NDArray or torch.Tensor
        What to share memory with.
    writable : bool, default True
        Whether assignment is allowed.

    Examples
    --------
    >>> import gluonish as mx
    >>> x = mx.nd.array([[1, 2, 3], [4, 5, 6]])
    >>> x.shape, x.context
    ((2, 3), cpu(0))
    >>> print(x[0])
    <BLANKLINE>
    [1. 2. 3.]
    <NDArray 3 @cpu(0)>
    """

    # _tensor is what operators see while recording: the leaf of an array with a gradient, the
    # recorded result, or simply the tensor. _plain is the same memory outside of the graph and
    # exists only where _tensor requires a gradient and was asked for outside of record().
    __slots__ = ("__weakref__", "_attached", "_ctx", "_plain", "_tensor")
    __array_priority__ = 1000.0
    stype: ClassVar[str] = "default"
    _gradient_class: ClassVar[type[Gradient]]  # of arrays that gradients arrive in
    _has_scalars = False  # x[0] of a vector has shape (1,) here, () in np.ndarray
    _basic_indexing_slice_is_contiguous = staticmethod(indexing.is_contiguous)

    _tensor: Tensor
    _plain: Tensor
    _ctx: Context
    _attached: Gradient

    def __init__(self, handle: Any, writable: bool = True) -> None:
        if not writable:
            raise refusals.read_only(type(self))
        if isinstance(handle, NDArray):
            self._tensor, self._ctx = plain(handle), handle._ctx
        elif isinstance(handle, Tensor):
            self._tensor, self._ctx = handle, context_of(handle)
        elif handle is None:  # what MXNet's pickles begin with
            self._tensor, self._ctx = torch.zeros(0), cpu()
        else:
            raise refusals.no_array(type(self), handle)

    # --- what it is -------------------------------------------------------------------------

    @property
    def shape(self) -> tuple[int, ...]:
        """Length of each axis."""
        return tuple(self._tensor.shape)

    @property
    def ndim(self) -> int:
        """Number of axes."""
        return self._tensor.ndim

    @property
    def size(self) -> int:
        """Number of elements."""
        return self._tensor.numel()

    @property
    def dtype(self) -> Any:
        """NumPy scalar type of the elements (`numpy.float32`)."""
        return shown_dtype(self._tensor.dtype)

    @property
    def context(self) -> Context:
        """Context that holds the array."""
        return self._ctx

    @property
    def ctx(self) -> Context:
        """Context that holds the array."""
        return self._ctx

    @property
    def tensor(self) -> Tensor:
        """The torch tensor, sharing memory: inside `autograd.record()` the recorded one."""
        return unwrap(self)

    @property
    def handle(self) -> int:
        """Address of the first element in memory, in bytes."""
        return self._tensor.data_ptr()

    @property
    def writable(self) -> bool:
        """Whether elements can be assigned to."""
        return True

    @property
    def T(self) -> Self:  # noqa: N802 - MXNet's and NumPy's name
        """The array with its axes in reverse order, sharing memory."""
        tensor = unwrap(self)
        return like(self, tensor.permute(tuple(range(tensor.ndim - 1, -1, -1))))

    def __len__(self) -> int:
        try:
            if self._tensor.ndim == 0:
                raise refusals.no_length()
            return len(self._tensor)
        except MXNetError as error:
            shorten(error)
            raise

    @override
    def __repr__(self) -> str:
        return printing.repr_nd(self)

    @override
    def __str__(self) -> str:
        return repr(self)

    __hash__ = object.__hash__

    # --- reading ----------------------------------------------------------------------------

    def asnumpy(self) -> onp.ndarray[Any, Any]:
        """Return the values as a NumPy array of its own memory.

        One of a single element is a number, too, as it was before NumPy 2.4: `float(x.asnumpy())`.

        Examples
        --------
        >>> import gluonish as mx
        >>> mx.nd.ones((2,)).asnumpy()
        array([1., 1.], dtype=float32)
        """
        tensor = plain(self)
        if tensor.dtype is torch.bfloat16:
            tensor = tensor.float()
        return as_number(onp.array(tensor.cpu().numpy(), order="C"))

    def to_numpy(self) -> onp.ndarray[Any, Any]:
        """Return `asnumpy()`, by the name that matplotlib and others ask for.

        Examples
        --------
        >>> import gluonish as mx
        >>> mx.nd.ones(2).to_numpy()
        array([1., 1.], dtype=float32)
        """
        return self.asnumpy()

    def asscalar(self) -> Any:
        """Return the only element as a NumPy scalar; of several axes, as NumPy's array of them.

        Raises
        ------
        InvalidArgumentError
            The array does not have exactly one element.

        Examples
        --------
        >>> import gluonish as mx
        >>> float(mx.nd.ones((1,)).asscalar())
        1.0
        """
        if self._tensor.numel() != 1:
            raise refusals.no_scalar(self.shape)
        value = self.asnumpy()
        return value if value.ndim > 1 else value.reshape(-1)[0]

    def item(self, *args: int) -> Any:
        """Return one element as a Python number.

        Parameters
        ----------
        *args : int
            Nothing for an array of one element, a flat position, or one index per axis.

        Examples
        --------
        >>> import gluonish as mx
        >>> mx.np.arange(4).item(2)
        2.0
        """
        return self.asnumpy().item(*args) if args else self.asscalar().item()

    def tolist(self) -> Any:
        """Return the values as nested lists of Python numbers.

        Examples
        --------
        >>> import gluonish as mx
        >>> mx.np.arange(3).tolist()
        [0.0, 1.0, 2.0]
        """
        return plain(self).tolist()

    def __bool__(self) -> bool:
        try:
            if self._tensor.numel() <= 1:
                return self._tensor.numel() == 1 and bool(plain(self))
            raise refusals.ambiguous(self.shape, "np" if isinstance(self, above.np_class) else "nd")
        except MXNetError as error:
            shorten(error)
            raise

    def __float__(self) -> float:
        try:
            return float(self._only())
        except MXNetError as error:
            shorten(error)
            raise

    def __int__(self) -> int:
        try:
            return int(self._only())
        except MXNetError as error:
            shorten(error)
            raise

    def __index__(self) -> int:
        try:
            if self._tensor.dtype.is_floating_point:
                raise refusals.no_index(self._tensor.dtype)
            return int(self._only())
        except MXNetError as error:
            shorten(error)
            raise

    @door
    def __complex__(self) -> complex:
        return complex(self._only())

    def _only(self) -> Any:
        if self._tensor.numel() != 1:
            raise refusals.no_number(self.shape)
        return plain(self).item()

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> onp.ndarray[Any, Any]:
        if copy is False:
            return self._shared_with_numpy(dtype)
        values = self.asnumpy()
        return values if dtype is None else values.astype(dtype, copy=False)

    def _shared_with_numpy(self, dtype: Any) -> onp.ndarray[Any, Any]:
        tensor = plain(self)
        if tensor.device.type == "cpu" and tensor.dtype is not torch.bfloat16:
            values: onp.ndarray[Any, Any] = tensor.numpy()
            if dtype in (None, values.dtype):
                return values
        raise refusals.not_shared(tensor.dtype, self._ctx)

    def wait_to_read(self) -> None:
        """Wait until the values are there; returns at once on a CPU.

        Examples
        --------
        >>> import gluonish as mx
        >>> mx.nd.ones((2,)).wait_to_read()
        """
        if self._tensor.is_cuda:
            torch.cuda.synchronize(self._tensor.device)

    @classmethod
    def __torch_function__(
        cls,
        func: Callable[..., Any],
        types: Iterable[type],
        args: Sequence[Any] = (),
        kwargs: Mapping[str, Any] | None = None,
    ) -> Never:
        """Say what to write where a function of torch is given an array."""
        try:
            torch_functions.refuse(cls, func)
        except MXNetError as error:
            shorten(error)
            raise

    # --- parts ------------------------------------------------------------------------------

    def __getitem__(self, key: indexing.Key) -> Self:
        try:
            tensor = self._tensor
            if tensor.requires_grad:
                tensor = recorded(self) if state.recording else plain(self)
            part = new(type(self))
            part._ctx = self._ctx
            is_whole = type(key) is slice and key == _ALL and not tensor.requires_grad
            if is_whole and (tensor.ndim or not self._has_scalars):
                part._tensor = tensor  # x[:] -= y is how arrays are updated
                return part
            if not self._has_scalars:
                if type(key) in _MAY_BE_BOOLS:
                    key = indexing.as_integers(key)
                elif isinstance(key, NDArray):
                    indexing.warn_of_mask(tensor, plain(key))
            selected = indexing.read(tensor, unwrap_key(key))
            if not selected.ndim and tensor.ndim and not self._has_scalars:
                selected = selected.reshape(1)
            part._tensor = selected
        except MXNetError as error:
            shorten(error)
            raise
        return part

    def __setitem__(self, key: indexing.Key, value: Any) -> None:
        try:
            if type(key) is slice and key == _ALL and _is_same_memory(self, value):
                return  # what x[:] -= y ends with
            source = as_operand(self, value)
            key = unwrap_key(key)
            if isinstance(key, Tensor) and not self._has_scalars:
                indexing.warn_of_mask(self._tensor, key, indexing.TO_WRITE)
            if type(key) is slice and key == _ALL and not (self._tensor.ndim or self._has_scalars):
                key = ()
            if state.recording and isinstance(source, Tensor) and source.requires_grad:
                check_outside_graph(self, "x[...] = y")
                copy = self._tensor.clone()
                indexing.write(copy, key, source)
                self._tensor = copy
                return
            tensor = writable(self, "x[...] = y")
            indexing.write(tensor, key, source)
        except MXNetError as error:
            shorten(error)
            raise

    def __iter__(self) -> Iterator[Self]:
        if not self._tensor.ndim:
            raise refusals.no_axis()
        return self._rows()

    def _rows(self) -> Iterator[Self]:
        for position in range(len(self._tensor)):
            yield self[position]

    # --- copies and moves -------------------------------------------------------------------

    def copy(self) -> Self:
        """Return the same values in memory of their own, on the same context.

        Examples
        --------
        >>> import gluonish as mx
        >>> x = mx.nd.ones((2,))
        >>> x.copy()[0] = 5
        >>> print(x.asnumpy())
        [1. 1.]
        """
        return like(self, unwrap(self).clone())

    @overload
    def copyto(self, other: Context) -> Self: ...
    @overload
    def copyto(self, other: A) -> A: ...

    def copyto(self, other: Any) -> Any:
        """Copy the values into another array, or into a new one on a context.

        Parameters
        ----------
        other : NDArray or Context
            An array of the same shape, of any dtype and context; or where the copy shall be.

        Returns
        -------
        NDArray or bool
            `other`, or the new array; False for the array itself, with a warning.

        Raises
        ------
        ShapeError
            The shapes differ.

        Examples
        --------
        >>> import gluonish as mx
        >>> mx.nd.ones((2,)).copyto(mx.cpu(1)).context
        cpu(1)
        """
        if isinstance(other, Context):
            return wrap(_copied(self, other), other, type(self))
        if not isinstance(other, NDArray):
            raise refusals.nowhere_to_copy(other)
        if other is self:
            warnings.warn(refusals.ITSELF, RuntimeWarning, stacklevel=users_level())
            return False
        if other.shape != self.shape:
            raise refusals.other_shape(self.shape, other.shape)
        if other.stype != "default":
            other[:] = self
            return other
        assign(other, unwrap(self), "x.copyto(y)")
        return other

    def as_in_context(self, context: Context) -> Self:
        """Return the array on a context: itself if it is there, else a copy.

        Examples
        --------
        >>> import gluonish as mx
        >>> x = mx.nd.ones((2,))
        >>> x.as_in_context(mx.cpu()) is x, x.as_in_context(mx.cpu(1)).context
        (True, cpu(1))
        """
        try:
            if self._ctx is context:
                return self
            where: Any = context  # a name does, too
            where = as_context(where) if isinstance(where, str) else where
            return self if self._ctx == where else self.copyto(where)
        except MXNetError as error:
            shorten(error)
            raise

    def as_in_ctx(self, ctx: Context) -> Self:
        """Return the array on a context: itself if it is there, else a copy."""
        return self.as_in_context(ctx)

    def astype(self, dtype: DTypeLike, copy: bool = True) -> Self:
        """Return the values in another dtype.

        Parameters
        ----------
        dtype : str, type or dtype
            The new dtype.
        copy : bool, default True
            Whether to copy where the dtype is that already.

        Examples
        --------
        >>> import gluonish as mx
        >>> mx.nd.array([1.7, -1.7]).astype('int32').asnumpy()
        array([ 1, -1], dtype=int32)
        """
        try:
            target = torch_dtype(dtype)
            if not copy and self._tensor.dtype is target:
                return self
            return like(self, unwrap(self).to(target, copy=True))
        except MXNetError as error:
            shorten(error)
            raise

    def detach(self) -> Self:
        """Return the same memory, cut off from the computation that made it.

        Examples
        --------
        >>> import gluonish as mx
        >>> x = mx.nd.ones((2,))
        >>> x.detach()[0] = 3
        >>> print(x.asnumpy())
        [3. 1.]
        """
        return like(self, plain(self))

    def as_nd_ndarray(self) -> NDArray:
        """Return an `mx.nd.NDArray` of the same memory."""
        return self if type(self) is NDArray else alias(self, NDArray)

    def as_np_ndarray(self) -> NDArray:
        """Return an `mx.np.ndarray` of the same memory."""
        return alias(self, np_class())

    def tostype(self, stype: str) -> Any:
        """Return the array's values in a storage type, in memory of their own.

        Parameters
        ----------
        stype : {'default', 'csr', 'row_sparse'}
            Dense; a matrix that stores elements; an array that stores rows.

        Raises
        ------
        InvalidArgumentError
            There is no such storage type, or 'csr' was asked of what is no matrix.

        Examples
        --------
        >>> import gluonish as mx
        >>> mx.nd.ones((2, 2)).tostype('row_sparse')
        <BLANKLINE>
        <RowSparseNDArray 2x2 @cpu(0)>
        """
        return self.copy() if stype == "default" else above.storages.cast(self, stype)

    # --- gradients --------------------------------------------------------------------------

    @property
    def grad(self) -> Self | None:
        """Gradient of the last `backward()`, or None without `attach_grad()`."""
        attached = attachment(self)
        return None if attached is None else attached.buffer  # type: ignore[return-value]

    @property
    def _fresh_grad(self) -> bool:
        attached = attachment(self)
        return attached is not None and attached.is_fresh

    @_fresh_grad.setter
    def _fresh_grad(self, value: bool) -> None:
        attached = attachment(self)
        if attached is not None:
            attached.is_fresh = bool(value)

    def attach_grad(self, grad_req: str = "write", stype: str | None = None) -> None:
        """Ask for the gradient with respect to this array.

        The array is cut off from whatever computed it.

        Parameters
        ----------
        grad_req : {'write', 'add', 'null'}, default 'write'
            Whether `backward()` overwrites `x.grad`, adds to it, or leaves it alone.
        stype : {'default', 'row_sparse', 'csr'}, optional
            Storage type of the gradient; by default the array's.

        Examples
        --------
        >>> import gluonish as mx
        >>> x = mx.nd.array([3.])
        >>> x.attach_grad()
        >>> with mx.autograd.record():
        ...     y = x * x
        >>> y.backward()
        >>> print(x.grad.asnumpy())
        [6.]
        """
        if stype in (None, "default"):
            attach(self, like(self, zeros_for(plain(self))), grad_req)
        else:
            zeros = above.storages.zeros(self.shape, self._tensor.dtype, self._ctx, stype)
            attach(self, zeros, grad_req)

    def _attach(self, buffer: NDArray, grad_req: str) -> None:
        """Have gradients with respect to this array arrive in `buffer`."""
        attach(self, buffer, grad_req)

    def _in_graph(self) -> NDArray:
        """Return the array whose tensor is in the recorded graph, which a sparse one has not."""
        return self

    def backward(
        self,
        out_grad: NDArray | None = None,
        retain_graph: bool = False,
        train_mode: bool = True,
    ) -> None:
        """Compute the gradient of this array for every array with an attached gradient.

        Parameters
        ----------
        out_grad : NDArray, optional
            Gradient of this array's elements; ones by default.
        retain_graph : bool, default False
            Whether `backward()` may be called again.
        train_mode : bool, default True
            Whether BatchNorm that was recorded in prediction mode is differentiated as in
            training, which is MXNet's rule. Other operators are differentiated as recorded.

        Raises
        ------
        AutogradError
            The array was not recorded, or its graph was used up.

        Examples
        --------
        >>> import gluonish as mx
        >>> x = mx.nd.array([1., 2.])
        >>> x.attach_grad()
        >>> with mx.autograd.record():
        ...     y = 2 * x
        >>> y.backward(mx.nd.array([10., 1.]))
        >>> print(x.grad.asnumpy())
        [20.  2.]
        """
        head_grads: list[NDArray | None] | None = None if out_grad is None else [out_grad]
        if train_mode:
            run_backward([self], head_grads, retain_graph=retain_graph)
            return
        with differentiated(as_training=False):
            run_backward([self], head_grads, retain_graph=retain_graph)

    # --- exchange ---------------------------------------------------------------------------

    @override
    def __reduce__(self) -> tuple[Callable[..., NDArray], tuple[Any, ...]]:
        return _rebuild, (type(self), packed(plain(self)), self._ctx)

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Take the values that MXNet has pickled: the bytes of its format for one array."""
        handle = state["handle"]
        self._ctx = cpu()
        self._tensor = torch.zeros(0) if handle is None else above.unpickled(bytes(handle))

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        return like(self, plain(self).clone())

    def __copy__(self) -> Self:
        return self.copy()

    def __dlpack__(self, **options: Any) -> Any:
        return give_out(plain(self)).__dlpack__(**options)

    def __dlpack_device__(self) -> tuple[Any, int]:
        return plain(self).__dlpack_device__()

    def to_dlpack_for_read(self) -> Any:
        """Return a DLPack capsule of the array's memory, for reading.

        Examples
        --------
        >>> import gluonish as mx
        >>> mx.nd.from_dlpack(mx.nd.ones((2,)).to_dlpack_for_read()).shape
        (2,)
        """
        return _capsule(plain(self))

    def to_dlpack_for_write(self) -> Any:
        """Return a DLPack capsule of the array's memory, for reading and writing."""
        return _capsule(give_out(plain(self)))


# Nobody can see what is done to the memory afterwards, so a captured graph can't do it again.
@once_only
def _capsule(tensor: Tensor) -> Any:
    return torch.to_dlpack(tensor)  # type: ignore[attr-defined]


with_hints(NDArray, foreign=dir(Tensor))
torch_functions.take_in_batches(NDArray)


new = NDArray.__new__


def np_class() -> type[NDArray]:
    """Return `np.ndarray`, the subclass with NumPy's rules."""
    return above.np_class


def register_np_class(cls: type[A]) -> type[A]:
    """Name the subclass with NumPy's rules (used once, as a decorator)."""
    above.np_class = cls
    return cls


class Storages(Protocol):
    """What makes arrays of the sparse storage types."""

    def cast(self, array: NDArray, stype: str) -> NDArray:
        """Return a dense array in a sparse storage type."""

    def zeros(
        self, shape: tuple[int, ...], dtype: torch.dtype, ctx: Context, stype: str | None
    ) -> NDArray:
        """Return zeros in a storage type."""


class Above:
    """What modules above this one put here when they are imported."""

    __slots__ = ("np_class", "storages", "unpickled")
    np_class: type[NDArray]
    storages: Storages
    unpickled: Callable[[bytes], Tensor]


NDArray._gradient_class = Gradient
above: Above = Above()


def wrap(tensor: Tensor, ctx: Context, cls: type[A]) -> A:
    """Return an array of class `cls` around a tensor, sharing its memory."""
    array: A = new(cls)
    array._tensor = tensor
    array._ctx = ctx
    return array


def like(array: A, tensor: Tensor) -> A:
    """Return an array of the same class and context around a tensor."""
    return wrap(tensor, array._ctx, type(array))


def in_graph_form(array: NDArray) -> NDArray:
    """Return the array whose tensor is in the recorded graph: for a sparse one, a dense one."""
    return array._in_graph()


def alias(array: NDArray, cls: type[A]) -> A:
    """Return another object, of class `cls`, for the same array: memory, graph and gradient."""
    other = wrap(array._tensor, array._ctx, cls)
    for name in ("_plain", "_attached"):
        if hasattr(array, name):
            setattr(other, name, getattr(array, name))
    return other


_ALL = slice(None)
_MAY_BE_BOOLS = (bool, tuple)


def _is_same_memory(array: NDArray, value: object) -> bool:
    if not isinstance(value, NDArray):
        return False
    try:
        one, other = array._tensor, value._tensor
    except SparseStorageError:
        return False
    if one is other:
        return not one.requires_grad
    return (
        one.data_ptr() == other.data_ptr()
        and one.shape == other.shape
        and one.stride() == other.stride()
        and one.dtype is other.dtype
        and not (one.requires_grad or other.requires_grad)
    )


def _copied(array: NDArray, ctx: Context) -> Tensor:
    """Return a copy of the array's tensor for a context."""
    if ctx.device_type == "cpu_pinned":
        return page_locked(unwrap(array))
    if array._ctx.device_type == "cpu_pinned":
        return send(unwrap(array), ctx.device)
    return unwrap(array).to(ctx.device, copy=True)


def unwrap_key(key: indexing.Key) -> indexing.Key:
    """Return an index with arrays replaced by their tensors."""
    if isinstance(key, NDArray):
        return plain(key)
    if type(key) is tuple:
        if indexing.SIMPLE.issuperset(map(type, key)):
            return key
        return tuple(unwrap_key(part) for part in key)
    if type(key) is list and any(isinstance(part, NDArray) for part in key):
        return [plain(part).tolist() if isinstance(part, NDArray) else part for part in key]
    return key


def as_operand(array: NDArray, value: Any) -> Tensor | float:
    """Return what is to be written into an array, on its device."""
    if isinstance(value, NDArray):
        try:
            tensor = unwrap(value)
        except SparseStorageError:
            tensor = unwrap(as_default(value))
        return tensor if compatible(array._ctx, value._ctx) else tensor.to(array._tensor.device)
    if isinstance(value, (bool, int, float)):
        return value
    if isinstance(value, onp.generic):
        return value.item()  # type: ignore[no-any-return]
    if isinstance(value, Tensor):
        return value.to(array._tensor.device)
    try:
        return tensor_of(value).to(array._tensor.device)
    except (TypeError, ValueError) as error:
        raise refusals.no_numbers(array.shape, value) from error


def _rebuild(cls: type[NDArray], values: Packed | Tensor, ctx: Context) -> NDArray:
    return wrap(unpacked(values).to(ctx.device), ctx, cls)
