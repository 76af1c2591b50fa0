"""NDArray: a thin wrapper over one torch tensor that knows its context."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING, Any, ClassVar, Protocol, TypeVar, overload

import numpy as onp
import torch
from torch import Tensor
from typing_extensions import override

from gluonish.array import indexing, printing
from gluonish.array.dtypes import DTypeLike, numpy_dtype, shown_dtype, tensor_of, torch_dtype
from gluonish.array.fluent import NDFluent
from gluonish.array.pinned import arrive, page_locked, send
from gluonish.context import Context, current_context
from gluonish.errors import (
    AutogradError,
    ContextError,
    DTypeError,
    GradientRequestError,
    InvalidArgumentError,
    ShapeError,
    SparseStorageError,
)
from gluonish.errors.suggestions import with_hints
from gluonish.errors.tracebacks import alone
from gluonish.process.recording import differentiated, state
from gluonish.process.replay_marks import once_only

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Self, TypeAlias

A = TypeVar("A", bound="NDArray")
Number: TypeAlias = "complex | bool | onp.generic"

_ENGINE = torch.autograd.Variable._execution_engine  # spares 10 us a backward
_IN_GRAPH = (
    "{what}: the array takes part in a gradient computation that is being recorded. Expected an "
    "array outside of the graph; in-place operations such as +=, *=, relu(x, out=x) and "
    "y[idx] = x would change values that the gradient needs. Write x = x + y, or do it outside "
    "of autograd.record()."
)


@with_hints
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

    _tensor: Tensor
    _plain: Tensor
    _ctx: Context
    _attached: Gradient

    def __init__(self, handle: Any, writable: bool = True) -> None:
        if not writable:
            msg = (
                f"{type(self).__name__}: writable=False was given. Expected True: arrays of "
                f"gluonish can be assigned to. Make a copy for readers that must not write."
            )
            raise InvalidArgumentError(msg)
        if isinstance(handle, NDArray):
            self._tensor, self._ctx = plain(handle), handle._ctx
        elif isinstance(handle, Tensor):
            self._tensor, self._ctx = handle, context_of(handle)
        else:
            msg = (
                f"{type(self).__name__}: {type(handle).__name__} was given. Expected an array or a "
                f"tensor. Make arrays of other data with mx.nd.array or mx.np.array."
            )
            raise DTypeError(msg)

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
        return len(self._tensor)

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

        Examples
        --------
        >>> import gluonish as mx
        >>> mx.nd.ones((2,)).asnumpy()
        array([1., 1.], dtype=float32)
        """
        tensor = plain(self)
        if tensor.dtype is torch.bfloat16:
            tensor = tensor.float()
        return onp.array(tensor.cpu().numpy(), order="C")

    def asscalar(self) -> Any:
        """Return the only element as a NumPy scalar.

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
            msg = (
                f"The current array is not a scalar: its shape is {self.shape}. Expected exactly "
                f"one element. Reduce it first (x.sum()) or pick one (x[0])."
            )
            raise InvalidArgumentError(msg)
        return self.asnumpy().reshape(-1)[0]

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
        if self._tensor.numel() <= 1:
            return self._tensor.numel() == 1 and bool(plain(self))
        msg = (
            "The truth value of an ndarray with multiple elements is ambiguous: its shape is "
            f"{self.shape}. Expected one element. Use (x != 0).sum() > 0, or x.asnumpy().any()."
        )
        raise InvalidArgumentError(msg)

    def __float__(self) -> float:
        return float(self._only())

    def __int__(self) -> int:
        return int(self._only())

    def __index__(self) -> int:
        if self._tensor.dtype.is_floating_point:
            msg = (
                f"an array of dtype {numpy_dtype(self._tensor.dtype)} was given as an index. "
                f"Expected integers. Write x.astype('int64')."
            )
            raise DTypeError(msg)
        return int(self._only())

    def __complex__(self) -> complex:
        return complex(self._only())

    def _only(self) -> Any:
        if self._tensor.numel() != 1:
            msg = (
                f"an array of shape {self.shape} can't become one Python number. Expected "
                f"exactly one element. Reduce it first (x.sum()) or pick one (x[0])."
            )
            raise DTypeError(msg)
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
        msg = (
            f"numpy: copy=False was given for an array of dtype {numpy_dtype(tensor.dtype)} on "
            f"{self._ctx}. Expected memory and a dtype to share. Leave copy=False out."
        )
        raise InvalidArgumentError(msg)

    def wait_to_read(self) -> None:
        """Wait until the values are there; returns at once on a CPU.

        Examples
        --------
        >>> import gluonish as mx
        >>> mx.nd.ones((2,)).wait_to_read()
        """
        if self._tensor.is_cuda:
            torch.cuda.synchronize(self._tensor.device)

    # --- parts ------------------------------------------------------------------------------

    def __getitem__(self, key: indexing.Key) -> Self:
        tensor = self._tensor
        if tensor.requires_grad and not state.recording:
            tensor = plain(self)
        part = new(type(self))
        part._ctx = self._ctx
        if type(key) is slice and key == _ALL and tensor.ndim and not tensor.requires_grad:
            part._tensor = tensor  # x[:] -= y is how arrays are updated
            return part
        selected = indexing.read(tensor, unwrap_key(key))
        part._tensor = selected if selected.ndim or self._has_scalars else selected.reshape(1)
        return part

    def __setitem__(self, key: indexing.Key, value: Any) -> None:
        if type(key) is slice and key == _ALL and _is_same_memory(self, value):
            return  # what x[:] -= y ends with
        source = as_operand(self, value)
        key = unwrap_key(key)
        if state.recording and isinstance(source, Tensor) and source.requires_grad:
            _check_outside_graph(self, "x[...] = y")
            copy = self._tensor.clone()
            indexing.write(copy, key, source)
            self._tensor = copy
            return
        tensor = writable(self, "x[...] = y")
        indexing.write(tensor, key, source)

    def __iter__(self) -> Iterator[Self]:
        if not self._tensor.ndim:
            msg = "iteration over a 0-d array: expected one axis or more. Write x.reshape(1)."
            raise DTypeError(msg)
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
        NDArray
            `other`, or the new array.

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
            msg = (
                f"copyto: {type(other).__name__} was given. Expected an array or a context. "
                f"Write x.copyto(mx.cpu()) or x.copyto(y)."
            )
            raise DTypeError(msg)
        if other is self:
            msg = "You are attempting to copy an array to itself"
            warnings.warn(msg, RuntimeWarning, stacklevel=2)
            return other
        if other.shape != self.shape:
            msg = (
                f"copyto: an array of shape {self.shape} was to be copied into one of shape "
                f"{other.shape}. Expected the same shape. Reshape one of them."
            )
            raise ShapeError(msg)
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
        return self if self._ctx is context else self.copyto(context)

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
        target = torch_dtype(dtype)
        if not copy and self._tensor.dtype is target:
            return self
        return like(self, unwrap(self).to(target, copy=True))

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
        """Return the array in a storage type.

        Parameters
        ----------
        stype : {'default', 'csr', 'row_sparse'}
            Dense, which is the array itself; a matrix that stores elements; an array that stores
            rows.

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
        return self if stype == "default" else above.storages.cast(self, stype)

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
            attach(self, like(self, torch.zeros_like(plain(self))), grad_req)
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
        tensor = plain(self).cpu()
        return _rebuild, (type(self), tensor.clone(), self._ctx)

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        return like(self, plain(self).clone())

    def __copy__(self) -> Self:
        return self.copy()

    def __dlpack__(self, **options: Any) -> Any:
        return plain(self).__dlpack__(**options)

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
        return _capsule(plain(self))


# Nobody can see what is done to the memory afterwards, so a captured graph can't do it again.
@once_only
def _capsule(tensor: Tensor) -> Any:
    return torch.to_dlpack(tensor)  # type: ignore[attr-defined]


new = NDArray.__new__


def np_class() -> type[NDArray]:
    """Return `np.ndarray`, the subclass with NumPy's rules."""
    return above.np_class


def register_np_class(cls: type[A]) -> type[A]:
    """Name the subclass with NumPy's rules (used once, as a decorator)."""
    above.np_class = cls
    return cls


class Gradient:
    """What `attach_grad` adds to an array: the gradient's array and how it is updated."""

    __slots__ = ("buffer", "grad_req", "is_fresh", "listener")

    def __init__(self, buffer: NDArray, grad_req: str) -> None:
        self.buffer = buffer
        self.grad_req = grad_req
        self.is_fresh = False
        self.listener: Callable[[], None] | None = None  # told of each new gradient

    def listen(self, leaf: Tensor) -> None:
        """Be told when torch has accumulated the gradient of a leaf."""
        leaf.register_post_accumulate_grad_hook(self.receive)  # type: ignore[no-untyped-call]

    def receive(self, leaf: Tensor) -> None:
        """Take over the gradient that torch has just accumulated on the leaf."""
        gradient = leaf.grad
        leaf.grad = None
        if gradient is None:
            return
        if self.grad_req == "add":
            self.buffer._tensor.add_(gradient)
        else:
            self.buffer._tensor = gradient
        self.is_fresh = True
        if self.listener is not None:
            self.listener()


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

    __slots__ = ("np_class", "storages")
    np_class: type[NDArray]
    storages: Storages


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


def unwrap(array: NDArray) -> Tensor:
    """Return the tensor that operators work on: in the graph only while recording."""
    tensor = array._tensor
    if tensor.requires_grad and not state.recording:
        return plain(array)
    return tensor


def plain(array: NDArray) -> Tensor:
    """Return the array's memory outside of any graph."""
    tensor = array._tensor
    if not tensor.requires_grad:
        return tensor
    try:
        return array._plain
    except AttributeError:
        # .data, not .detach(): MXNet lets a program overwrite what was recorded.
        array._plain = outside = tensor.data
        return outside


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
        return tuple(unwrap_key(part) for part in key)
    if type(key) is list and any(isinstance(part, NDArray) for part in key):
        return [plain(part).tolist() if isinstance(part, NDArray) else part for part in key]
    return key


def context_of(tensor: Tensor) -> Context:
    """Return the context that a tensor's device stands for."""
    device = tensor.device
    if device.type == "cuda":
        return Context("gpu", device.index or 0)
    ambient = current_context()
    return ambient if ambient.device_type == "cpu" else Context("cpu", 0)


def mismatch(first: NDArray, second: NDArray, where: str) -> ContextError:
    """Return the error for operands on different contexts."""
    msg = (
        f"{where}: an array of shape {first.shape} is on {first._ctx}, another of shape "
        f"{second.shape} on {second._ctx}. Expected all on one context. Move one with "
        f"x.as_in_context({second._ctx}) or x.copyto({second._ctx})."
    )
    return ContextError(msg)


def compatible(first: Context, second: Context) -> bool:
    """Return whether arrays of two contexts may meet: pinned and shared memory count as CPU."""
    if first is second or "meta" in (first.device.type, second.device.type):
        return True
    types = {first.device_type, second.device_type}
    return "gpu" not in types and types != {"cpu"}


def as_operand(array: NDArray, value: Any) -> Tensor | float:
    """Return what is to be written into an array, on its device."""
    if isinstance(value, NDArray):
        try:
            tensor = unwrap(value)
        except SparseStorageError:
            tensor = unwrap(value.tostype("default"))
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
        msg = (
            f"assignment to an array of shape {array.shape}: {type(value).__name__} was given. "
            f"Expected numbers, or lists or arrays of numbers. Convert the value first."
        )
        raise DTypeError(msg) from error


def _check_outside_graph(array: NDArray, what: str) -> None:
    if array._tensor.requires_grad:
        error = in_graph(what)
        raise error


def in_graph(what: str) -> AutogradError:
    """Return the error for writing to an array that is part of a recorded graph."""
    return AutogradError(_IN_GRAPH.format(what=what))


def writable(array: NDArray, what: str) -> Tensor:
    """Return the memory to write to.

    Raises
    ------
    AutogradError
        The array is part of a graph that is being recorded.
    """
    if state.recording:
        _check_outside_graph(array, what)
    if array._ctx.device_type == "cpu_pinned":
        arrive()
    return plain(array)


def assign(array: NDArray, value: Tensor, what: str) -> None:
    """Write all elements of an array; while recording, the array then stands for `value`."""
    target = array._tensor
    if value.shape != target.shape and not _broadcasts(value, target):
        msg = (
            f"{what}: the result has shape {tuple(value.shape)}, x has {tuple(target.shape)}. "
            f"Expected a result that fits into x. Write x = ... to make a new array."
        )
        raise ShapeError(msg)
    if state.recording:
        _check_outside_graph(array, what)
        if value.requires_grad:
            array._tensor = value.expand_as(target).to(target, copy=True)
            return
    if array._ctx.device_type == "cpu_pinned":
        arrive()
    plain(array).copy_(value)


def _broadcasts(value: Tensor, target: Tensor) -> bool:
    missing = target.ndim - value.ndim
    return missing >= 0 and all(
        size in (1, goal) for size, goal in zip(value.shape, target.shape[missing:], strict=True)
    )


def attachment(array: NDArray) -> Gradient | None:
    """Return what `attach_grad` added, or None."""
    try:
        return array._attached
    except AttributeError:
        return None


_GRAD_REQS = ("write", "add", "null")


def attach(array: NDArray, buffer: NDArray, grad_req: str) -> None:
    """Make an array a leaf whose gradient goes into `buffer`.

    Raises
    ------
    GradientRequestError
        `grad_req` is not known.
    DTypeError
        The array holds no floating-point numbers.
    """
    if grad_req not in _GRAD_REQS:
        msg = (
            f"grad_req {grad_req!r} was given. Expected 'write', 'add' or 'null'. Write "
            f"x.attach_grad('write')."
        )
        raise GradientRequestError(msg)
    if array.stype != "default":
        array._attach(buffer, grad_req)
        return
    outside = plain(array)
    if grad_req == "null":
        array._tensor = outside
        array._attached = Gradient(buffer, grad_req)
        return
    if not (outside.dtype.is_floating_point or outside.dtype.is_complex):
        msg = (
            f"attach_grad: an array of dtype {numpy_dtype(outside.dtype)} has no gradient. "
            f"Expected floating-point numbers. Write x.astype('float32')."
        )
        raise DTypeError(msg)
    leaf = outside.data.requires_grad_()
    gradient = buffer._gradient_class(buffer, grad_req)
    gradient.listen(leaf)
    array._plain = outside
    array._tensor = leaf
    array._attached = gradient


def drop_gradient(array: NDArray) -> None:
    """Undo `attach_grad`."""
    array._tensor = plain(array)
    if attachment(array) is not None:
        del array._attached


def rebind(array: NDArray, tensor: Tensor) -> None:
    """Give an array other memory, keeping its attached gradient where it has one."""
    attached = attachment(array)
    array._tensor = tensor
    if hasattr(array, "_plain"):
        del array._plain
    if attached is not None:
        attach(array, attached.buffer, attached.grad_req)


def run_backward(
    heads: list[NDArray], head_grads: list[NDArray | None] | None, *, retain_graph: bool
) -> None:
    """Run torch's backward from some arrays; gradients arrive where they are attached."""
    tensors = [head._tensor for head in heads]
    for tensor in tensors:
        if not tensor.requires_grad:
            msg = (
                f"backward: an array of shape {tuple(tensor.shape)} was not computed inside "
                f"autograd.record() from an array with a gradient. Expected a recorded result. "
                f"Call x.attach_grad() first and compute inside 'with autograd.record():'."
            )
            raise AutogradError(msg)
    grads = [
        torch.ones_like(tensor) if grad is None else _head_gradient(tensor, grad)
        for tensor, grad in zip(tensors, head_grads or [None] * len(tensors), strict=True)
    ]
    try:
        # What torch.autograd.backward calls after it has checked what is checked above.
        _ENGINE.run_backward(
            tuple(tensors), tuple(grads), retain_graph, False, (),
            allow_unreachable=True, accumulate_grad=True,
        )  # fmt: skip
    except RuntimeError as error:
        explained = explain_backward(error)
        if explained is error:
            raise  # with the cause that it has
        explained.__cause__ = error
        raise explained from alone(explained).__cause__


def _head_gradient(tensor: Tensor, grad: NDArray) -> Tensor:
    value = plain(grad)
    if value.shape != tensor.shape:
        msg = (
            f"backward: a head gradient of shape {tuple(value.shape)} was given for an array of "
            f"shape {tuple(tensor.shape)}. Expected the same shape. Reshape the gradient."
        )
        raise ShapeError(msg)
    return value.to(tensor.dtype)


def explain_backward(error: RuntimeError) -> RuntimeError:
    """Return the error to raise for what torch said about a backward pass."""
    if "second time" not in str(error):
        return error
    msg = (
        "backward: the recorded graph was used up by an earlier backward(). Expected one "
        "backward() per recording. Call the first one with retain_graph=True, or record again."
    )
    return AutogradError(msg)


def _rebuild(cls: type[NDArray], tensor: Tensor, ctx: Context) -> NDArray:
    return wrap(tensor.to(ctx.device), ctx, cls)
