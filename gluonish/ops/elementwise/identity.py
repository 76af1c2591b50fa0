"""Copies, conversions and constants of an array's shape; gradients that stop or start there."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import torch
from torch import Tensor
from typing_extensions import override

from gluonish.array.dtypes import torch_dtype
from gluonish.errors import InvalidArgumentError
from gluonish.ops.table import Graph, op
from gluonish.ops.table.inference import elementwise
from gluonish.process.replay_marks import compilable, opaque

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import TypeAlias

    from gluonish.array.dtypes import DTypeLike
    from gluonish.context import Context


@op(nd=("Cast", "cast"), npx="cast", reverse=elementwise)
def cast(data: Tensor, dtype: DTypeLike) -> Tensor:
    """Convert to a dtype, rounding towards zero where it is an integer's.

    Parameters
    ----------
    data : Tensor, any shape
        Numbers.
    dtype : str, type or dtype
        The new dtype.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.nd.cast(mx.nd.array([1.7, -1.7]), 'int32').asnumpy()
    array([ 1, -1], dtype=int32)
    """
    return data.to(torch_dtype(dtype), copy=True)


@op(nd="amp_cast", reverse=elementwise)
def amp_cast(data: Tensor, dtype: DTypeLike) -> Tensor:
    """Convert floating-point numbers to a dtype; leave integers as they are.

    Parameters
    ----------
    data : Tensor, any shape
        Numbers.
    dtype : str, type or dtype
        The new dtype.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.nd.amp_cast(mx.nd.array([1.5]), 'float16').dtype
    <class 'numpy.float16'>
    """
    return data.to(torch_dtype(dtype)) if data.is_floating_point() else data.clone()


def _cast_count(given: Mapping[str, Any]) -> int:
    """Rule for the number of outputs: that of the inputs."""
    return int(given["num_outputs"])


@op(nd="amp_multicast", outputs=_cast_count, graph=Graph(own_dtypes=("data",)))
def amp_multicast(
    *data: Tensor, num_outputs: int | None = None, cast_narrow: bool = False
) -> list[Tensor]:
    """Convert several arrays to the widest of their floating-point dtypes.

    Parameters
    ----------
    *data : Tensor
        The arrays.
    num_outputs : int, optional
        How many there are; checked if given.
    cast_narrow : bool, default False
        Whether to use the narrowest dtype instead.

    Examples
    --------
    >>> import gluonish as mx
    >>> x = mx.nd.ones((1,))
    >>> [part.dtype.__name__ for part in mx.nd.amp_multicast(x, x.astype('float16'))]
    ['float32', 'float32']
    """
    check_count("amp_multicast", len(data), num_outputs, "num_outputs")
    sizes = {part.dtype: part.element_size() for part in data if part.is_floating_point()}
    if not sizes:
        return [part.clone() for part in data]
    choose = min if cast_narrow else max
    dtype = choose(sizes, key=lambda key: sizes[key])
    return [part.to(dtype) if part.is_floating_point() else part.clone() for part in data]


def check_count(name: str, count: int, told: int | None, keyword: str) -> None:
    """Check a number of arrays that the caller states as well.

    Raises
    ------
    InvalidArgumentError
        The numbers differ, or there is no array at all.
    """
    if not count:
        msg = f"{name}: no array was given. Expected at least one. Write {name}(x, y)."
        raise InvalidArgumentError(msg)
    if told is not None and told != count:
        msg = (
            f"{name}: {count} arrays and {keyword}={told} were given. Expected {keyword} to be "
            f"the number of arrays. Leave {keyword} out."
        )
        raise InvalidArgumentError(msg)


@op(nd=("_internal._copy", "identity"), reverse=elementwise)
def identity(data: Tensor) -> Tensor:
    """Return a copy; the gradient passes unchanged.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.nd.identity(mx.nd.array([1, 2])).asnumpy()
    array([1., 2.], dtype=float32)
    """
    return data.clone()


@op(
    nd=("BlockGrad", "stop_gradient"),
    npx="stop_gradient",
    reverse=elementwise,
    graph=Graph(is_loss=True),
)
def stop_gradient(data: Tensor) -> Tensor:
    """Return the same values as a constant: no gradient passes.

    Examples
    --------
    >>> import gluonish as mx
    >>> x = mx.nd.array([3])
    >>> x.attach_grad()
    >>> with mx.autograd.record():
    ...     y = x * mx.nd.stop_gradient(x)
    >>> y.backward()
    >>> x.grad.asnumpy()
    array([3.], dtype=float32)
    """
    return data.detach()


def _check_place(name: str, data: Tensor, options: dict[str, object]) -> None:
    ctx = options.pop("ctx", None)
    if options or (ctx is not None and getattr(ctx, "device", None) != data.device):
        given = ", ".join(f"{key}=..." for key in sorted(options)) or f"ctx={ctx}"
        msg = (
            f"{name}: {given} was given for data on {data.device}. Expected dtype, or the data's "
            f"own context as ctx. Move the result with .as_in_context(ctx)."
        )
        raise InvalidArgumentError(msg)


@op(nd="zeros_like", nd_method="zeros_like", reverse=elementwise)
def zeros_like(data: Tensor, *, dtype: DTypeLike | None = None, **options: object) -> Tensor:
    """Return zeros of the data's shape and dtype.

    Parameters
    ----------
    data : Tensor, any shape
        Gives shape, dtype and context.
    dtype : str, type or dtype, optional
        Another dtype.
    **options : Context
        `ctx` may name the data's own context.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.nd.zeros_like(mx.nd.array([1, 2])).asnumpy()
    array([0., 0.], dtype=float32)
    """
    if options:
        _check_place("zeros_like", data, options)
    return torch.zeros_like(data, dtype=None if dtype is None else torch_dtype(dtype))


@op(nd="ones_like", nd_method="ones_like", reverse=elementwise)
def ones_like(data: Tensor, *, dtype: DTypeLike | None = None, **options: object) -> Tensor:
    """Return ones of the data's shape and dtype.

    Parameters
    ----------
    data : Tensor, any shape
        Gives shape, dtype and context.
    dtype : str, type or dtype, optional
        Another dtype.
    **options : Context
        `ctx` may name the data's own context.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.nd.ones_like(mx.nd.array([1, 2])).asnumpy()
    array([1., 1.], dtype=float32)
    """
    if options:
        _check_place("ones_like", data, options)
    return torch.ones_like(data, dtype=None if dtype is None else torch_dtype(dtype))


Saved: TypeAlias = Any
"""What torch hands to both directions of a function of its own."""


class _Loss(torch.autograd.Function):
    """Identity whose gradient is a constant, whatever comes from above."""

    @staticmethod
    @override
    def forward(ctx: Saved, data: Tensor, scale: Tensor | float) -> Tensor:
        ctx.scale = scale
        ctx.save_for_backward(data)
        return data.clone()

    @staticmethod
    @override
    def backward(ctx: Saved, *_: Tensor) -> tuple[Tensor, None]:
        (data,) = ctx.saved_tensors
        return torch.ones_like(data) * ctx.scale, None


@op(nd="make_loss", output_names=("loss",), reverse=elementwise, graph=Graph(is_loss=True))
@compilable
@opaque
def make_loss(data: Tensor) -> Tensor:
    """Mark a loss: its gradient is 1, whatever is computed from it.

    Examples
    --------
    >>> import gluonish as mx
    >>> x = mx.nd.array([3])
    >>> x.attach_grad()
    >>> with mx.autograd.record():
    ...     y = 5 * mx.nd.make_loss(2 * x)
    >>> y.backward()
    >>> x.grad.asnumpy()
    array([2.], dtype=float32)
    """
    return _Loss.apply(data, 1.0)  # type: ignore[no-any-return,no-untyped-call]


@op(nd="MakeLoss", reverse=elementwise, graph=Graph(is_loss=True))
@compilable
@opaque
def scaled_loss(
    data: Tensor,
    grad_scale: float = 1.0,
    valid_thresh: float = 0.0,
    normalization: str = "null",
) -> Tensor:
    """Mark a loss: its gradient is `grad_scale`, whatever is computed from it.

    Parameters
    ----------
    data : Tensor, any shape
        Values of the loss.
    grad_scale : float, default 1.0
        The gradient of each element.
    valid_thresh : float, default 0.0
        With 'valid', elements above this count.
    normalization : {'null', 'batch', 'valid'}, default 'null'
        Whether to divide by the batch size or by the number of valid elements.

    Examples
    --------
    >>> import gluonish as mx
    >>> x = mx.nd.array([3, 4])
    >>> x.attach_grad()
    >>> with mx.autograd.record():
    ...     y = mx.nd.MakeLoss(2 * x, normalization='batch')
    >>> y.backward()
    >>> x.grad.asnumpy()
    array([1., 1.], dtype=float32)
    """
    if normalization not in ("null", "batch", "valid"):
        msg = (
            f"MakeLoss: normalization={normalization!r} was given. Expected 'null', 'batch' or "
            f"'valid'. Leave normalization out for no division."
        )
        raise InvalidArgumentError(msg)
    scale: Tensor | float = grad_scale
    if normalization == "batch":
        scale = grad_scale / data.shape[0]
    elif normalization == "valid":
        scale = grad_scale / (data > valid_thresh).sum().clamp(min=1)
    return _Loss.apply(data, scale)  # type: ignore[no-any-return,no-untyped-call]


@op(nd="shape_array", npx="shape_array", nd_method="shape_array")
def shape_array(data: Tensor) -> Tensor:
    """Return the shape as an array of int64.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.nd.shape_array(mx.nd.zeros((2, 3))).asnumpy()
    array([2, 3])
    """
    return torch.tensor(data.shape, dtype=torch.int64, device=data.device)


@op(nd="size_array", nd_method="size_array")
def size_array(data: Tensor) -> Tensor:
    """Return the number of elements as an array of int64.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.nd.size_array(mx.nd.zeros((2, 3))).asnumpy()
    array([6])
    """
    return torch.tensor([data.numel()], dtype=torch.int64, device=data.device)


@op(nd="cast_storage", reverse=elementwise)
def cast_storage(data: Tensor, stype: str) -> Tensor:
    """Return a copy in a storage type; in a graph, which is dense, it is a hint.

    Parameters
    ----------
    data : Tensor, any shape
        Values.
    stype : {'default', 'row_sparse', 'csr'}
        The storage type.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.nd.cast_storage(mx.nd.ones((2,)), 'default').stype
    'default'
    """
    if stype not in ("default", "row_sparse", "csr"):
        msg = (
            f"cast_storage: stype={stype!r} was given. Expected 'default', 'row_sparse' or 'csr'. "
            f"Choose one of them."
        )
        raise InvalidArgumentError(msg)
    return data.clone()


@op(nd=("contrib.arange_like",), npx="arange_like")
def arange_like(
    data: Tensor,
    start: float = 0.0,
    step: float = 1.0,
    repeat: int = 1,
    ctx: Context | None = None,
    axis: int | None = None,
) -> Tensor:
    """Return evenly spaced numbers of the data's shape, or of the length of one of its axes.

    Parameters
    ----------
    data : Tensor, any shape
        Gives shape, dtype and context.
    start, step : float, default 0 and 1
        First number and distance.
    repeat : int, default 1
        How often each number comes.
    ctx : Context, optional
        Where the result is; by default where the data is.
    axis : int, optional
        Give a vector of this axis' length instead.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.nd.contrib.arange_like(mx.nd.zeros((2, 3)), axis=1).asnumpy()
    array([0., 1., 2.], dtype=float32)
    """
    shape = (data.shape[axis],) if axis is not None else tuple(data.shape)
    device = data.device if ctx is None or data.is_meta else ctx.device
    count = 1
    for length in shape:
        count *= length
    position = torch.arange(count, device=device)
    if repeat != 1:
        position = position.div(repeat, rounding_mode="floor")
    return (start + step * position.to(data.dtype)).to(data.dtype).reshape(shape)
