"""Products of 8-bit integers: what oneDNN's kernels need of weights is made once."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar
from weakref import ref

import torch
from torch import Tensor
from torch.nn import functional
from torch.utils.weak import WeakIdKeyDictionary

from gluonish.ops.quantized.levels import HIGHEST, LOWEST
from gluonish.process.torch_names import integer_products

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Sequence

Made = TypeVar("Made")

_CONVOLUTIONS = {1: functional.conv1d, 2: functional.conv2d, 3: functional.conv3d}
_SIGN = -128  # the bit that tells int8 from uint8: x ^ _SIGN is x + 128
_MOST_SETTINGS = 8  # for which something made of a tensor is kept
_made: WeakIdKeyDictionary = WeakIdKeyDictionary()


class Windows(NamedTuple):
    """How a convolution slides over the data."""

    stride: tuple[int, ...]
    pad: tuple[int, ...]
    dilate: tuple[int, ...]
    groups: int


class Weights(NamedTuple):
    """The weights of a layer.

    Parameters
    ----------
    integers : Tensor, shape (outputs, *)
        Integers of dtype int8.
    steps : Tensor, shape (outputs,)
        What 1 stands for in each output.
    bias : Tensor, shape (outputs,)
        What is added to each output.
    """

    integers: Tensor
    steps: Tensor
    bias: Tensor


class After(NamedTuple):
    """What becomes of a sum of products.

    Parameters
    ----------
    kind : str
        Name of the activation, as oneDNN's kernels have it; `none` if there is none.
    numbers : tuple of float
        Its arguments.
    """

    kind: str = "none"
    numbers: tuple[float, ...] = ()

    def __call__(self, values: Tensor) -> Tensor:
        """Return the activation of numbers."""
        return _ACTIVATIONS[self.kind](values, *self.numbers)


_ACTIVATIONS: dict[str, Callable[..., Tensor]] = {
    "none": lambda values: values,
    "relu": torch.relu,
    "hardtanh": torch.clamp,
    "gelu": functional.gelu,
    "leaky": lambda values, slope: torch.where(values < 0, values * slope, values),
    "elu": lambda values, slope: functional.elu(values, slope),
    "abs": torch.abs,
}
_IN_KERNELS = {True: ("none", "relu", "hardtanh"), False: ("none", "relu")}
_BESIDE_A_SUM = ("none", "relu")


def once(sources: Sequence[Tensor | None], settings: Hashable, make: Callable[[], Made]) -> Made:
    """Return what is made of tensors, made anew once any of them is written to.

    Parameters
    ----------
    sources : sequence of Tensor or None
        What it is made of. It is kept as long as the first of them lives.
    settings : hashable
        What else it depends on.
    make : callable
        Makes it.

    Examples
    --------
    >>> import torch
    >>> from gluonish.ops.quantized.packing import once
    >>> weight = torch.ones(2)
    >>> once([weight], 'sum', lambda: float(weight.sum()))
    2.0
    >>> weight[0] = 5
    >>> once([weight], 'sum', lambda: float(weight.sum()))
    6.0
    """
    first = sources[0]
    found = _made.setdefault(first, {})  # type: ignore[no-untyped-call]
    versions = [0 if t is None else t._version for t in sources]  # noqa: SLF001 - no public name
    entry = found.get(settings)
    if entry is not None:
        known, others, made = entry
        if known == versions and all(
            other is None or other() is tensor
            for other, tensor in zip(others, sources[1:], strict=True)
        ):
            return made  # type: ignore[no-any-return]
    made = make()
    others = [None if tensor is None else ref(tensor) for tensor in sources[1:]]
    while len(found) >= _MOST_SETTINGS:
        del found[next(iter(found))]
    found[settings] = (versions, others, made)
    return made


def sums(data: Tensor, weight: Tensor, windows: Windows | None) -> Tensor:
    """Return sums of products of integers, as integers of dtype int32."""
    if data.is_cpu and windows is None and _products_are_exact():
        return _matrix_sums(data, weight)
    if _is_packable(data, windows):
        unit = data.new_ones((weight.size(0),), dtype=torch.float32)
        weights = Weights(weight, unit, torch.zeros_like(unit))
        return _packed(data, 1.0, weights, windows, After(), 1.0, torch.float32).to(torch.int32)
    return _exact(data, weight, windows).to(torch.int32)


def products(
    data: Tensor,
    unit: Tensor,
    weights: Weights,
    windows: Windows | None,
    activations: tuple[After, After],
    result: tuple[torch.dtype, float] | None,
    total: tuple[Tensor, Tensor] | None = None,
) -> Tensor:
    """Return a layer's outputs: products, added up, with bias, another array and activation.

    Parameters
    ----------
    data : Tensor, shape (batch, *)
        Integers of dtype int8 or uint8.
    unit : Tensor, shape (1,)
        What 1 stands for in them.
    weights : Weights
        The layer's weights.
    windows : Windows or None
        For convolutions.
    activations : (After, After)
        The activation before the other array is added, and that afterwards.
    result : (dtype, float) or None
        The integers of the result, and what 1 stands for; None for floating-point numbers.
    total : (Tensor, Tensor), optional
        Integers that are added, and what 1 stands for.
    """
    before, after = activations
    if total is None and after.kind == "none":
        before, after = after, before
    kinds = _IN_KERNELS[windows is not None]
    is_done = before.kind == "none" and after.kind in kinds and result is not None
    if total is not None:
        is_done = is_done and windows is not None and after.kind in _BESIDE_A_SUM
    if _is_packable(data, windows) and (total is None or is_done):
        scale = float(unit)
        if is_done and result is not None and result[1]:
            if total is not None and windows is not None:
                return _added(data, scale, weights, windows, after, result, total)
            return _packed(data, scale, weights, windows, after, result[1], result[0])
        values = _packed(data, scale, weights, windows, After(), 1.0, torch.float32)
    else:
        shape = (-1, *(1,) * (0 if windows is None else data.dim() - 2))
        values = _exact(data, weights.integers, windows)
        values = values * (unit * weights.steps).view(shape) + weights.bias.view(shape)
    values = before(values)
    if total is not None:
        values = values + total[0] * total[1]
    values = after(values)
    if result is None:
        return values.float()
    dtype, step = result
    if step == 0:
        return torch.zeros_like(values, dtype=dtype)
    return (values / step).round_().clamp_(LOWEST[dtype], HIGHEST[dtype]).to(dtype)


def _is_packable(data: Tensor, windows: Windows | None) -> bool:
    is_taken = data.is_cpu and (windows is None or data.dim() == 4) and data.numel() > 0
    return is_taken and _kernels_are_exact(is_convolution=windows is not None)


@functools.cache
def _kernels_are_exact(*, is_convolution: bool) -> bool:
    """Return whether oneDNN's kernels hold all sums.

    On processors without instructions for it they add two products in 16 bits, which overflow.
    """
    sizes = (3, 3) if is_convolution else ()
    windows = Windows((1, 1), (0, 0), (1, 1), 1) if is_convolution else None
    data = torch.full((1, 64, *sizes), 255, dtype=torch.uint8)
    weight = torch.full((16, 64, *sizes), 127, dtype=torch.int8)
    weights = Weights(weight, torch.ones(16), torch.zeros(16))
    found = _packed(data, 1.0, weights, windows, After(), 1.0, torch.float32)
    return bool((found == 255.0 * 127 * weight[0].numel()).all())


@functools.cache
def _products_are_exact() -> bool:
    """Return whether torch's product of matrices of dtype int8 holds all sums."""
    ends = torch.tensor([[127], [-128]], dtype=torch.int8).expand(2, 64).repeat(16, 1)
    wide = ends.double()
    return torch.equal(integer_products(ends, ends.t().contiguous()).double(), wide @ wide.t())


def _exact(data: Tensor, weight: Tensor, windows: Windows | None) -> Tensor:
    """Return sums of products, exactly: float64 holds all integers that occur."""
    left, right = data.double(), weight.double()
    if windows is None:
        return functional.linear(left, right)
    convolve = _CONVOLUTIONS[data.dim() - 2]
    return convolve(left, right, None, *windows)


def _matrix_sums(data: Tensor, weight: Tensor) -> Tensor:
    """Return sums of products by torch's kernel for int8; x - 128 stands for x of dtype uint8."""
    rows = data.reshape(-1, data.shape[-1])
    if data.shape[-1] == 1:  # where torch's kernel takes a transposed weight for another one
        found = rows.to(torch.int32) * weight.t().to(torch.int32)
    elif data.dtype is torch.uint8:
        found = integer_products(rows.bitwise_xor(128).view(torch.int8), weight.t())
        found = found + 128 * weight.sum(1, dtype=torch.int32)
    else:
        found = integer_products(rows, weight.t())
    return found.view(*data.shape[:-1], -1)


def _unsigned(data: Tensor) -> tuple[Tensor, int]:
    """Return data as the kernels take it, and which integer stands for 0."""
    if data.dtype is torch.uint8:
        return data, 0
    return data.bitwise_xor(_SIGN).view(torch.uint8), 128


def _prepared(
    weights: Weights, zero: int, windows: Windows | None, shape: torch.Size
) -> tuple[Tensor, Tensor]:
    """Return weights as the kernel for data of a shape takes them, and the zeros beside them."""
    integers = weights.integers

    def make() -> tuple[Tensor, Tensor]:
        zeros = torch.zeros(integers.size(0), dtype=torch.int32)
        if windows is None:
            return torch.ops.onednn.qlinear_prepack(integers, None), zeros
        stride, pad, dilate, groups = windows
        packed = torch.ops.onednn.qconv_prepack(
            integers, weights.steps, 1.0, zero, stride, pad, dilate, groups, shape
        )
        return packed, zeros

    # Each shape of images has a kernel with an order of its own: in another one weights would be
    # brought into order at each call, which takes longer than the products.
    settings = (zero, windows) if windows is None else (zero, windows, tuple(shape))
    return once([integers], settings, make)


def _packed(
    data: Tensor,
    scale: float,
    weights: Weights,
    windows: Windows | None,
    after: After,
    step: float,
    dtype: torch.dtype,
) -> Tensor:
    data, zero = _unsigned(data)
    packed, zeros = _prepared(weights, zero, windows, data.shape)
    numbers: Any = list(after.numbers)
    if windows is None:
        return torch.ops.onednn.qlinear_pointwise(  # type: ignore[no-any-return]
            data, scale, zero, packed, weights.steps, zeros, weights.bias, step, 0, dtype,
            after.kind, numbers, "",
        )  # fmt: skip
    data = data.contiguous(memory_format=torch.channels_last)
    return torch.ops.onednn.qconv2d_pointwise(  # type: ignore[no-any-return]
        data, scale, zero, packed, weights.steps, zeros, weights.bias, *windows, step, 0,
        dtype, after.kind, numbers, "",
    )  # fmt: skip


def _added(
    data: Tensor,
    scale: float,
    weights: Weights,
    windows: Windows,
    after: After,
    result: tuple[torch.dtype, float],
    total: tuple[Tensor, Tensor],
) -> Tensor:
    """Return a convolution added to another array; the kernel writes its result over that."""
    dtype, step = result
    other, origin = total[0], 0
    if other.dtype is dtype:
        other = other.clone(memory_format=torch.channels_last)
    else:
        other = other.contiguous(memory_format=torch.channels_last)
        origin = 128 if dtype is torch.uint8 else -128
        other = other.bitwise_xor(128 if other.dtype is torch.uint8 else _SIGN).view(dtype)
    data, zero = _unsigned(data)
    packed, zeros = _prepared(weights, zero, windows, data.shape)
    data = data.contiguous(memory_format=torch.channels_last)
    kind = None if after.kind == "none" else after.kind
    return torch.ops.onednn.qconv2d_pointwise.binary(  # type: ignore[no-any-return]
        data, scale, zero, packed, weights.steps, zeros, other, weights.bias, *windows, step, 0,
        dtype, float(total[1]), origin, "sum", 1.0, kind, [], "",
    )  # fmt: skip
