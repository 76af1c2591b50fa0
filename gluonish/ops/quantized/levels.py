"""What an integer of a quantized array stands for: one step of its range."""

from __future__ import annotations

import torch
from torch import Tensor

from gluonish.errors import DTypeError
from gluonish.ops.table.explain import describe

# MXNet's kernels divide most ranges by 127.5 or 255.5. `quantize`, `requantize` and the ranges of
# products have 127 and 255.
STEPS = {torch.int8: 127.5, torch.uint8: 255.5}
WHOLE_STEPS = {torch.int8: 127.0, torch.uint8: 255.0, torch.int32: float(2**31 - 1)}
LOWEST = {torch.int8: -128, torch.uint8: 0}
HIGHEST = {torch.int8: 127, torch.uint8: 255}
DTYPES = {"int8": torch.int8, "uint8": torch.uint8}


def widest(low: Tensor, high: Tensor) -> Tensor:
    """Return the largest magnitude of a range, of shape (1,).

    Examples
    --------
    >>> import torch
    >>> from gluonish.ops.quantized.levels import widest
    >>> widest(torch.tensor([-3.0]), torch.tensor([2.0]))
    tensor([3.])
    """
    first, second = low.abs(), high.abs()
    return torch.where(first < second, second, first).reshape(-1)[:1]  # as MXNet treats NaN


def scale(dtype: torch.dtype, low: Tensor, high: Tensor) -> Tensor:
    """Return the integer that 1.0 becomes, of shape (1,); infinite for an empty range."""
    return divided(STEPS[dtype], widest(low, high))


def divided(number: float, by: Tensor) -> Tensor:
    """Return a number divided by an array, rounded once; torch multiplies it by 1 / array.

    Examples
    --------
    >>> import torch
    >>> from gluonish.ops.quantized.levels import divided
    >>> divided(127.5, torch.tensor([3.0]))
    tensor([42.5000])
    """
    return by.new_tensor(number) / by


def step(dtype: torch.dtype, low: Tensor, high: Tensor) -> Tensor:
    """Return the number that 1 stands for, of shape (1,)."""
    return widest(low, high) / STEPS[dtype]


def rounded(values: Tensor, dtype: torch.dtype) -> Tensor:
    """Return the nearest integers, halves to even ones, cut to what the dtype holds."""
    return values.round().clamp(LOWEST[dtype], HIGHEST[dtype]).to(dtype)


def at_scale(values: Tensor, by: Tensor, dtype: torch.dtype) -> Tensor:
    """Return the integers for numbers times a scale; zeros where the range was empty.

    What is no number becomes the largest of int8, and the least of uint8, as in MXNet's kernels.
    """
    nothing = HIGHEST[dtype] if dtype is torch.int8 else LOWEST[dtype]
    product = torch.where(values == 0, 0.0, values * by)
    return rounded(product.nan_to_num(nothing, torch.inf, -torch.inf), dtype)


def product_range(*factors: tuple[torch.dtype, Tensor, Tensor]) -> tuple[Tensor, Tensor]:
    """Return the range that the integers of type int32 span for a product of quantized arrays."""
    top = factors[0][1].new_full((1,), WHOLE_STEPS[torch.int32])
    for dtype, low, high in factors:
        top = top * (widest(low, high) / WHOLE_STEPS[dtype])
    return -top, top


def check_integers(where: str, **arrays: Tensor) -> None:
    """Raise an error unless arrays hold integers of 8 bits."""
    for name, tensor in arrays.items():
        if tensor.dtype not in STEPS:
            msg = (
                f"{where}: {name} is an {describe(tensor)}. Expected int8 or uint8. Quantize it "
                f"with nd.contrib.quantize_v2."
            )
            raise DTypeError(msg)
