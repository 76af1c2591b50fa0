"""Compares what a compiled graph computes with what it should, on copies of real tensors."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch

from gluonish import random_streams
from gluonish.errors import CompileError
from gluonish.hybrid.program import extent

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence

    from torch import Tensor

    from gluonish.hybrid.compilations import Run

    Exact = tuple[Sequence[Tensor], Sequence[Tensor]]

_TOLERANCES = {
    torch.float64: 1e-7, torch.float32: 1e-3, torch.float16: 3e-2, torch.bfloat16: 1e-1,
    torch.complex64: 1e-3, torch.complex128: 1e-7,
}  # fmt: skip
AS_EXACT = 4  # times the error of the plain way


class Trial:
    """A trial run of a compiled graph, on copies of the tensors that it may write to.

    Parameters
    ----------
    tensors : sequence of Tensor
        What the graph is to run on.
    written : collection of int
        Places of those that it may write to; the others, however large, need no copies.

    Raises
    ------
    CompileError
        They can't be copied.
    """

    def __init__(self, tensors: Sequence[Tensor], written: Collection[int]) -> None:
        try:
            self._before, self._after = (
                [_copy(tensor) if i in written else tensor for i, tensor in enumerate(tensors)]
                for _ in range(2)
            )
        except RuntimeError as error:
            msg = f"there is no memory for a trial ({str(error).strip().splitlines()[0]})"
            raise CompileError(msg) from error

    def run(self, run: Run, *, has_draws: bool) -> Sequence[Tensor]:
        """Run the graph, and return its results; streams stay as they are.

        Raises
        ------
        CompileError
            It fails.
        """
        before = random_streams.get_state() if has_draws else None
        try:
            return run(list(self._after))
        except RuntimeError as error:
            lines = str(error).strip().splitlines() or [""]
            msg = f"the compiled graph fails: {lines[0]}"
            raise CompileError(msg) from error
        finally:
            if before is not None:
                random_streams.set_state(before)

    def difference(
        self,
        outputs: Sequence[Tensor],
        expected: Sequence[Tensor],
        tensors: Sequence[Tensor],
        sure: dict[int, Tensor] | None = None,
        exact: Callable[[Sequence[Tensor]], Exact | None] | None = None,
    ) -> str | None:
        """Return how results, or changes to tensors, differ from what they should be, or None.

        What differs by no more than rounding explains is as it should be, even if little of it is
        left but rounding: the loss of what is learned by heart, for example.

        Parameters
        ----------
        outputs, expected : sequence of Tensor
            Results of the trial, and of the program itself.
        tensors : sequence of Tensor
            What the program itself ran on, as it left them.
        sure : dict of int to Tensor, optional
            For positions of tensors, which elements have to agree; all by default.
        exact : callable, optional
            Computes results, and tensors as they are left, from tensors as they were before, in
            double precision; None if it can't be said.
        """
        different = [
            position
            for position, (output, right) in enumerate(zip(outputs, expected, strict=True))
            if not are_close(output, right.detach())
        ]
        count = len(outputs)
        for position, (before, after, right) in enumerate(
            zip(self._before, self._after, tensors, strict=True), count
        ):
            mask = None if sure is None else sure.get(position - count)
            if after is not right and not _are_changed_alike(before, after, right.detach(), mask):
                different.append(position)
        found = exact(self._before) if different and exact is not None else None
        if found is not None:
            exact_results, exact_tensors = found
            values = [*outputs, *self._after]
            others = [*expected, *tensors]
            right_ones = [*exact_results[:count], *exact_tensors]
            different = [
                position
                for position in different
                if not is_as_exact(values[position], others[position], right_ones[position])
            ]
        if not different:
            return None
        first = different[0]
        if first < count:
            return f"result {first}"
        return f"what is written to tensor {first - count}"


def _copy(tensor: Tensor) -> Tensor:
    """Return a copy that lies in memory as a tensor does, gaps and repetitions included.

    A compiled graph relies on that: it would read past the end of a denser copy.
    """
    tensor = tensor.detach()
    if not tensor.numel():
        return tensor.clone()
    return extent(tensor).clone().as_strided(tensor.shape, tensor.stride())


def _are_changed_alike(before: Tensor, after: Tensor, right: Tensor, mask: Tensor | None) -> bool:
    if not before.is_floating_point():
        return torch.equal(after, right)
    change, expected = after - before, right - before
    if mask is not None:
        change, expected = change * mask, expected * mask
    return are_close(change, expected, like=before)


def is_as_exact(values: Tensor, expected: Tensor, exact: Tensor) -> bool:
    """Return whether values are about as near to what is exact as the expected ones are."""
    if not values.is_floating_point() or values.dtype != expected.dtype:
        return False
    if not exact.shape == values.shape == expected.shape:
        return False
    error, usual = (_largest_error(one, exact) for one in (values, expected))
    return error <= AS_EXACT * usual


def _largest_error(values: Tensor, exact: Tensor) -> float:
    """Return the largest difference, infinite where one is not finite and the other is."""
    difference = (values.detach().double() - exact).abs()
    return float(torch.where(values == exact, 0.0, difference).nan_to_num(float("inf")).max())


def are_close(values: Tensor, expected: Tensor, like: Tensor | None = None) -> bool:
    """Return whether values agree within what another order of operations can explain.

    `like` is what both were subtracted from, whose rounding they then have.
    """
    if values.shape != expected.shape or values.dtype != expected.dtype:
        return False
    if not values.numel():
        return True
    tolerance = _TOLERANCES.get(values.dtype)
    if tolerance is None:
        return torch.equal(values, expected)
    kind = torch.float64 if values.dtype == torch.float64 else torch.float32
    if values.is_complex():
        return torch.allclose(values, expected, rtol=tolerance, atol=tolerance)
    a, b = values.to(kind), expected.to(kind)
    if like is not None:
        tolerance *= 10  # differences of numbers that are close to each other
    bound = tolerance * _largest(b)
    if like is not None:
        rounding = torch.finfo(values.dtype).eps * 4
        bound += rounding * _largest(like.to(kind))
    return torch.allclose(a, b, rtol=tolerance, atol=bound, equal_nan=True)


def _largest(values: Tensor) -> float:
    """Return the largest absolute value that is finite, or 0."""
    return float(values.abs().nan_to_num(0.0, 0.0, 0.0).max())
