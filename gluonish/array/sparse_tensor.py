"""Stored sparse arrays: their parts, what can be wrong with them, and their dense form."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

import torch
from typing_extensions import override

from gluonish.array.pickles import packed, unpacked

if TYPE_CHECKING:
    from collections.abc import Sequence

    from torch import Tensor

    from gluonish.array.pickles import Packed

Stored: TypeAlias = "list[Tensor | SparseTensor] | dict[str, Tensor | SparseTensor]"


@dataclass(frozen=True, slots=True, eq=False)
class SparseTensor:
    """The parts of a sparse array, as files hold them.

    Attributes
    ----------
    shape : tuple of int
        Shape of the array.
    values : Tensor, shape (rows, *) or (elements,)
        The rows, or the elements, that are stored.
    indices : Tensor, shape (rows,) or (elements,)
        Where the rows are, or the column of each element.
    indptr : Tensor, shape (shape[0] + 1,), optional
        Where each row's elements begin; None if whole rows are stored.
    """

    shape: tuple[int, ...]
    values: Tensor
    indices: Tensor
    indptr: Tensor | None = None

    @property
    def storage(self) -> str:
        """What MXNet calls this kind of storage: `'row_sparse'` or `'csr'`."""
        return "row_sparse" if self.indptr is None else "csr"

    @property
    def dtype(self) -> torch.dtype:
        """Type of the values."""
        return self.values.dtype

    def problem(self) -> str | None:
        """Return what is wrong with the indices, if anything."""
        if self.indptr is None:
            return row_sparse_problem(self.shape, self.indices)
        return csr_problem(self.shape, self.indptr, self.indices)

    def dense(self) -> Tensor:
        """Return the array as a dense tensor; the indices have been checked."""
        if self.indptr is None:
            return densify_rows(self.shape, self.values, self.indices)
        return densify_csr(self.shape, self.values, self.indptr, self.indices)

    @override
    def __reduce__(self) -> tuple[Any, ...]:
        starts = None if self.indptr is None else packed(self.indptr)
        return _opened, (self.shape, packed(self.values), packed(self.indices), starts)


def _opened(
    shape: tuple[int, ...], values: Packed, indices: Packed, indptr: Packed | None
) -> SparseTensor:
    starts = None if indptr is None else unpacked(indptr)
    return SparseTensor(shape, unpacked(values), unpacked(indices), starts)


def row_sparse_problem(shape: Sequence[int], rows: Tensor) -> str | None:
    """Return what is wrong with the row indices, if anything."""
    if rows.numel() == 0:
        return None
    low, high = int(rows.min()), int(rows.max())
    if low < 0 or high >= shape[0]:
        bad = low if low < 0 else high
        return f"row index {bad} is outside of the array; expected 0 to {shape[0] - 1}"
    if torch.unique(rows).numel() != rows.numel():
        return "a row index occurs twice; expected distinct rows"
    return None


def csr_problem(shape: Sequence[int], starts: Tensor, columns: Tensor) -> str | None:
    """Return what is wrong with the row starts and column indices, if anything."""
    count = columns.numel()
    if int(starts[0]) != 0 or int(starts[-1]) != count:
        return (
            f"indptr runs from {int(starts[0])} to {int(starts[-1])}; "
            f"expected 0 to {count}, the number of values"
        )
    if bool((starts[1:] < starts[:-1]).any()):
        return "indptr falls; expected each row to start where the row before it ends"
    if count == 0:
        return None
    low, high = int(columns.min()), int(columns.max())
    if low < 0 or high >= shape[1]:
        bad = low if low < 0 else high
        return f"column index {bad} is outside of the array; expected 0 to {shape[1] - 1}"
    places = row_numbers(starts) * shape[1] + columns.long()
    if torch.unique(places).numel() != count:
        return "a column occurs twice in one row; expected distinct columns"
    return None


def densify_rows(shape: Sequence[int], values: Tensor, rows: Tensor) -> Tensor:
    """Return the dense form of checked row_sparse parts."""
    return _scatter(shape, values, rows.long(), shape[0])


def densify_csr(shape: Sequence[int], values: Tensor, starts: Tensor, columns: Tensor) -> Tensor:
    """Return the dense form of checked csr parts."""
    places = row_numbers(starts) * shape[1] + columns.long()
    return _scatter(shape, values, places, shape[0] * shape[1])


def row_numbers(starts: Tensor) -> Tensor:
    """Return the row of each element of a csr array."""
    lengths = (starts[1:] - starts[:-1]).long()
    rows = torch.arange(lengths.numel(), device=starts.device)
    return torch.repeat_interleave(rows, lengths)


def _scatter(shape: Sequence[int], values: Tensor, places: Tensor, count: int) -> Tensor:
    # Bytes are moved, not numbers: torch cannot index all of the unsigned types.
    dense = torch.zeros(tuple(shape), dtype=values.dtype, device=values.device)
    if values.numel():
        target = dense.reshape(count, -1).view(torch.uint8)
        target[places] = values.contiguous().reshape(places.numel(), -1).view(torch.uint8)
    return dense
