"""A whole layer on 8-bit integers: product, normalization, sum and activation at once."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import torch
from torch import Tensor

from gluonish.ops.quantized.levels import (
    STEPS,
    WHOLE_STEPS,
    divided,
    product_range,
    rounded,
    step,
)
from gluonish.ops.quantized.packing import After, Weights, Windows, once, products

if TYPE_CHECKING:
    from collections.abc import Sequence

Range = tuple[float, float]


class Normal(NamedTuple):
    """The parameters of a batch normalization after the product."""

    gamma: Tensor
    beta: Tensor
    mean: Tensor
    variance: Tensor
    eps: float
    fix_gamma: bool


class Stored(NamedTuple):
    """Integers, and both ends of the range that they span."""

    integers: Tensor
    low: Tensor
    high: Tensor


class Layer(NamedTuple):
    """What a quantized layer computes.

    Parameters
    ----------
    windows : Windows or None
        For convolutions.
    before, after : After
        The activation before another array is added, and that afterwards.
    flattens : bool
        Whether all axes but the first are features, for dense layers.
    by_channel : bool
        Whether each output has weights of its own range.
    is_unsigned : bool
        Whether its results are never negative.
    calibrated : (float, float) or None
        The range of its results.
    gives_floats : bool
        Whether its results are the numbers, no integers.
    """

    windows: Windows | None
    before: After
    after: After
    flattens: bool
    by_channel: bool
    is_unsigned: bool
    calibrated: Range | None
    gives_floats: bool

    def __call__(
        self,
        data: Stored,
        weight: Tensor | Stored,
        bias: Tensor | Stored | None,
        normal: Normal | None,
        total: Stored | None,
    ) -> list[Tensor]:
        """Return integers with the ends of their range, or floating-point numbers."""
        weights = self._weights(weight, bias, normal)
        unit = step(data.integers.dtype, data.low, data.high)
        weights = _with_whole_bias(weights, unit)
        integers = data.integers
        if self.windows is None and self.flattens and integers.dim() != 2:
            integers = integers.flatten(1)
        other = None
        if total is not None:
            other = total.integers, step(total.integers.dtype, total.low, total.high)
        activations = self.before, self.after
        if self.gives_floats:
            return [products(integers, unit, weights, self.windows, activations, None, other)]
        if self.calibrated is not None:
            low, high = self.calibrated
            dtype = torch.uint8 if self.is_unsigned else torch.int8
            result = dtype, max(abs(low), abs(high)) / STEPS[dtype]
            found = products(integers, unit, weights, self.windows, activations, result, other)
            return [found, data.low.new_full((1,), low), data.low.new_full((1,), high)]
        found = products(integers, unit, weights, self.windows, activations, None, other)
        one = weights.steps.max().reshape(1)
        top = one * STEPS[torch.int8]
        ends = product_range((integers.dtype, data.low, data.high), (torch.int8, -top, top))
        most = WHOLE_STEPS[torch.int32]
        sums = (found.double() / (unit * one)).nan_to_num_(0.0).round_().clamp_(-most, most)
        return [sums.to(torch.int32), *ends]

    def _weights(
        self, weight: Tensor | Stored, bias: Tensor | Stored | None, normal: Normal | None
    ) -> Weights:
        sources: list[Tensor | None] = [*_tensors(weight), *_tensors(bias), *_tensors(normal)]
        by_channel = self.by_channel
        settings = "layer", by_channel, None if normal is None else normal[4:]
        return once(sources, settings, lambda: _made(weight, bias, normal, by_channel=by_channel))


def _tensors(value: Tensor | tuple[object, ...] | None) -> Sequence[Tensor | None]:
    if isinstance(value, tuple):
        return [part for part in value if isinstance(part, Tensor)]
    return [value]


def _with_whole_bias(weights: Weights, unit: Tensor) -> Weights:
    """Return weights with a bias of whole products, which MXNet adds to integers of 32 bits.

    A bias that these do not hold, as where the data's range is empty, stays as it is.
    """

    def make() -> Tensor:
        products = unit * weights.steps
        whole = (weights.bias / products).round_()
        return torch.where(whole.abs() < 2**30, whole * products, weights.bias)

    bias = once([weights.bias], float(unit), make) if unit.is_cpu else make()
    return weights._replace(bias=bias)


def _made(
    weight: Tensor | Stored,
    bias: Tensor | Stored | None,
    normal: Normal | None,
    *,
    by_channel: bool,
) -> Weights:
    """Return the integers of a layer's weights, and its bias as numbers."""
    if isinstance(bias, Stored):
        bias = bias.integers.float() * step(bias.integers.dtype, bias.low, bias.high)
    if isinstance(weight, Stored):
        integers = weight.integers.contiguous()
        steps = step(integers.dtype, weight.low, weight.high).repeat(len(integers))
        shift = integers.new_zeros(len(integers), dtype=torch.float32) if bias is None else bias
        return Weights(integers, steps, shift)
    weight = weight.detach()
    shift = weight.new_zeros(weight.size(0)) if bias is None else bias.detach()
    if normal is not None:
        gamma = torch.ones_like(normal.gamma) if normal.fix_gamma else normal.gamma
        # With 64 bits, as in MXNet: weights that lie between two integers fall to the same one.
        by = (gamma.double() / (normal.variance.double() + normal.eps).sqrt()).float()
        weight = weight * by.view(-1, *(1,) * (weight.dim() - 1))
        shift = (shift - normal.mean) * by + normal.beta
    tops = weight.abs().flatten(1).amax(1)
    if not by_channel:
        tops = tops.amax().expand(len(tops))
    steps = tops / STEPS[torch.int8]
    steps = torch.where(steps > 0, steps, torch.ones_like(steps))
    # The largest weight lies halfway between two integers: MXNet's own product decides.
    by = divided(STEPS[torch.int8], tops).nan_to_num(posinf=1.0)
    integers = rounded(weight * by.view(-1, *(1,) * (weight.dim() - 1)), torch.int8)
    return Weights(integers, steps.contiguous(), shift.contiguous())
