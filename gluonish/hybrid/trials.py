"""Compares what a compiled graph computes with what it should, on copies of real tensors."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import torch

from gluonish import random_streams
from gluonish.errors import CompileError
from gluonish.hybrid.program import extent

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Sequence

    from torch import Tensor

    from gluonish.hybrid.compilations import Run

    Exact = tuple[Sequence[Tensor], Sequence[Tensor]]

_TOLERANCES = {
    torch.float64: 1e-7, torch.float32: 1e-3, torch.float16: 3e-2, torch.bfloat16: 1e-1,
    torch.complex64: 1e-3, torch.complex128: 1e-7,
}  # fmt: skip
OF_CHANGES = 10  # times as much: differences of numbers that are close to each other
AS_EXACT = 4  # times the error of the plain way
PIECE = 2**16  # elements: of what is compared at a time


class Trial:
    """A trial run of a compiled graph, on copies of the tensors that it may write to.

    Parameters
    ----------
    tensors : sequence of Tensor
        What the graph is to run on.
    written : collection of int
        Places of those that it may write to; the others, however large, need no copies.
    replaced : collection of int, optional
        Places of those among them whose values it does not read.
    is_thorough : bool, default True
        Whether to keep what was there before, for a closer look at what differs; that takes as
        much memory again.

    Raises
    ------
    CompileError
        They can't be copied.
    """

    def __init__(
        self,
        tensors: Sequence[Tensor],
        written: Collection[int],
        replaced: Collection[int] = (),
        *,
        is_thorough: bool = True,
    ) -> None:
        self._written = sorted(written)
        self._changed = {i: tensors[i].detach() for i in self._written if i not in replaced}
        self._bounds: dict[int, float] = {}
        self._before: list[Tensor] | None = None
        try:
            self._after = [_copy(t) if i in written else t for i, t in enumerate(tensors)]
            if is_thorough:
                changed = self._changed
                self._before = [
                    _copy(tensor) if i in changed else tensor
                    for i, tensor in enumerate(self._after)
                ]
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
            outputs = run(list(self._after))
        except RuntimeError as error:
            lines = str(error).strip().splitlines() or [""]
            msg = f"the compiled graph fails: {lines[0]}"
            raise CompileError(msg) from error
        finally:
            if before is not None:
                random_streams.set_state(before)
        for place in self._written:
            after = self._after[place]
            if not after.is_floating_point() or after.dtype not in _TOLERANCES:
                continue  # such values are equal, or they are not
            if place in self._changed:
                self._bounds[place] = _bound(after, self._changed[place])
            else:
                self._bounds[place] = OF_CHANGES * _bound(after)
        return outputs

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
        for place in self._written:
            mask = None if sure is None else sure.get(place)
            if not self._is_alike(place, tensors[place].detach(), mask):
                different.append(count + place)
        found = None
        if different and exact is not None and self._before is not None:
            found = exact(self._before)
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

    def _is_alike(self, place: int, right: Tensor, mask: Tensor | None) -> bool:
        """Return whether a tensor was left as it should be."""
        after, bound = self._after[place], self._bounds.get(place)
        if bound is None or after.shape != right.shape or after.dtype != right.dtype:
            return torch.equal(after, right)
        if self._before is not None and place in self._changed:
            return are_close(after, right, self._before[place], mask)
        return _are_near(after, right, None, mask, atol=bound)


def _copy(tensor: Tensor) -> Tensor:
    """Return a copy that lies in memory as a tensor does, gaps and repetitions included.

    A compiled graph relies on that: it would read past the end of a denser copy.
    """
    tensor = tensor.detach()
    if not tensor.numel():
        return tensor.clone()
    return extent(tensor).clone().as_strided(tensor.shape, tensor.stride())


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
    largest = 0.0
    for piece, right in _pieces(values.detach(), exact):
        difference = torch.where(piece == right, 0.0, (piece.double() - right).abs())
        largest = max(largest, float(difference.nan_to_num(float("inf")).max()))
    return largest


def are_close(
    values: Tensor, expected: Tensor, before: Tensor | None = None, mask: Tensor | None = None
) -> bool:
    """Return whether values agree within what another order of operations can explain.

    It goes piece by piece, so as to need little memory.

    Parameters
    ----------
    values, expected : Tensor
        The values, and what they should be.
    before : Tensor, optional
        What was there before: changes from it are compared, which have its rounding.
    mask : Tensor of bool, optional
        Which elements of these have to agree; all by default.
    """
    if values.shape != expected.shape or values.dtype != expected.dtype:
        return False
    if not values.numel():
        return True
    tolerance = _TOLERANCES.get(values.dtype)
    if tolerance is None:
        return torch.equal(values, expected)
    if values.is_complex():
        return torch.allclose(values, expected, rtol=tolerance, atol=tolerance)
    bound = _bound(expected, before, mask)
    if before is not None:
        tolerance *= OF_CHANGES
    return _are_near(values, expected, before, mask, rtol=tolerance, atol=bound)


def _bound(values: Tensor, before: Tensor | None = None, mask: Tensor | None = None) -> float:
    """Return by how much something may differ from values, or from changes to what was before."""
    tolerance = _TOLERANCES[values.dtype]
    if before is None:
        return tolerance * _largest(values)
    rounding = torch.finfo(values.dtype).eps * 4
    return rounding * _largest(before) + tolerance * OF_CHANGES * _largest(values, before, mask)


def _are_near(
    values: Tensor,
    expected: Tensor,
    before: Tensor | None = None,
    mask: Tensor | None = None,
    *,
    rtol: float = 0.0,
    atol: float,
) -> bool:
    """Return whether values, or changes to what was before, are as near as that."""
    pairs = zip(_compared(values, before, mask), _compared(expected, before, mask), strict=True)
    return all(torch.allclose(*pair, rtol=rtol, atol=atol, equal_nan=True) for pair in pairs)


def _largest(values: Tensor, before: Tensor | None = None, mask: Tensor | None = None) -> float:
    """Return the largest absolute value, or change, that is finite; 0 if there is none."""
    pieces = _compared(values, before, mask)
    found = (float(piece.abs().nan_to_num(0.0, 0.0, 0.0).max()) for piece in pieces)
    return max(found, default=0.0)


def _compared(
    values: Tensor, before: Tensor | None = None, mask: Tensor | None = None
) -> Iterator[Tensor]:
    """Yield what is compared of a tensor, piece by piece, in single precision or better."""
    kind = torch.float64 if values.dtype == torch.float64 else torch.float32
    for piece, old, chosen in _pieces(values, before, mask):
        found = piece if old is None else piece - old
        yield (found if chosen is None else found * chosen).to(kind)


def _pieces(*tensors: Any) -> Iterator[tuple[Any, ...]]:
    """Yield tensors of one shape, or None, in pieces that lie at the same places, as views."""
    first = tensors[0]
    count = first.numel()
    if count <= PIECE:
        if count:
            yield tensors
        return
    size = max(PIECE * len(first) // count, 1)
    for start in range(0, len(first), size):
        rows = [None if one is None else one[start : start + size] for one in tensors]
        if first[start : start + size].numel() <= PIECE:
            yield tuple(rows)
        else:
            yield from _pieces(*(None if row is None else row[0] for row in rows))
