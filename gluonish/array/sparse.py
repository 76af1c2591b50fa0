"""Sparse arrays: `CSRNDArray` stores elements that are not 0, `RowSparseNDArray` whole rows."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any, SupportsIndex

import torch
from typing_extensions import override

from gluonish.array import storage
from gluonish.array.core import NDArray, above, wrap
from gluonish.array.gradients import Gradient, attachment
from gluonish.array.sparse_base import (
    CLASSES,
    BaseSparseNDArray,
    bad_indices,
    build,
    empty,
    is_in_graph,
    is_sparse,
    replace_all,
    replace_parts,
    sparse_array,
    with_leaf,
)
from gluonish.array.tensors import plain, unwrap
from gluonish.errors import (
    InvalidArgumentError,
    InvalidIndexError,
    MissingExtraError,
)

if TYPE_CHECKING:
    from torch import Tensor

    from gluonish.context import Context


__all__ = [
    "BaseSparseNDArray",
    "CSRNDArray",
    "RowSparseNDArray",
    "SparseGradient",
    "bad_indices",
    "build",
    "empty",
    "is_in_graph",
    "is_sparse",
    "memory",
    "replace_all",
    "replace_parts",
    "rows_in_graph",
    "sparse_array",
    "with_all_rows",
]


class CSRNDArray(BaseSparseNDArray):
    """Matrix that stores its elements row by row, each with its column.

    Made by `mx.nd.sparse.csr_matrix`, or `x.tostype('csr')`.

    Examples
    --------
    >>> import gluonish as mx
    >>> x = mx.nd.array([[0, 2], [3, 0]]).tostype('csr')
    >>> x
    <BLANKLINE>
    <CSRNDArray 2x2 @cpu(0)>
    >>> x[1].asnumpy()
    array([[3., 0.]], dtype=float32)
    """

    __slots__ = ()
    stype = "csr"

    @property
    def indptr(self) -> NDArray:
        """Where the elements of each row begin, as int64, and where the last one ends; a copy."""
        starts = self._parts.indptr
        assert starts is not None  # noqa: S101 - for the type checker
        return wrap(starts.clone(), self._ctx, NDArray)

    @override
    def __getitem__(self, key: Any) -> CSRNDArray:
        """Return some rows that follow each other; a number gives one, as a matrix."""
        count = self.shape[0]
        if isinstance(key, tuple):
            msg = (
                f"CSRNDArray: x[{', '.join(map(repr, key))}] was asked for. Multi-dimension "
                f"indexing is not supported. Expected a number or a slice. Write "
                f"x[1:3].tostype('default')[:, 2], or nd.slice(x, begin=..., end=...)."
            )
            raise InvalidArgumentError(msg)
        if isinstance(key, slice):
            start, stop, step = key.indices(count)
            if step != 1:
                msg = (
                    f"CSRNDArray only supports continuous slicing on axis 0: {key} was given. "
                    f"Expected no step. Write x.tostype('default')[{key.start}:{key.stop}:{step}]."
                )
                raise InvalidArgumentError(msg)
        else:
            start = _row(key, count)
            stop = start + 1
        if stop <= start:
            msg = (
                f"CSRNDArray: x[{start}:{stop}] of {count} rows is empty. Expected one row or "
                f"more. Choose others."
            )
            raise InvalidIndexError(msg)
        rows = build(storage.rows(self._parts, start, stop), self._ctx, CSRNDArray)
        tensor = self._variable()
        return rows if tensor is None else with_leaf(rows, tensor[start:stop])

    def asscipy(self) -> Any:
        """Return the matrix as a `scipy.sparse.csr_matrix`.

        Raises
        ------
        MissingExtraError
            SciPy is not installed.

        Examples
        --------
        >>> import gluonish as mx
        >>> mx.nd.sparse.zeros('csr', (2, 3)).asscipy().shape
        (2, 3)
        """
        try:
            scipy = importlib.import_module("scipy.sparse")
        except ImportError as error:
            msg = (
                "asscipy: SciPy is not installed. Expected the package scipy, which does not come "
                'with gluonish. Install it with: pip install "gluonish[sparse]".'
            )
            raise MissingExtraError(msg) from error
        parts = (self.data.asnumpy(), self.indices.asnumpy(), self.indptr.asnumpy())
        return scipy.csr_matrix(parts, shape=self.shape, dtype=self.dtype)


class RowSparseNDArray(BaseSparseNDArray):
    """Array most rows of which are 0: it stores the others, and where they are.

    Made by `mx.nd.sparse.row_sparse_array`, or `x.tostype('row_sparse')`. Gradients of
    embeddings are such arrays.

    Examples
    --------
    >>> import gluonish as mx
    >>> x = mx.nd.array([[0, 0], [3, 0]]).tostype('row_sparse')
    >>> x
    <BLANKLINE>
    <RowSparseNDArray 2x2 @cpu(0)>
    >>> x.data.asnumpy(), x.indices.asnumpy()
    (array([[3., 0.]], dtype=float32), array([1]))
    """

    __slots__ = ()
    stype = "row_sparse"

    @override
    def __getitem__(self, key: Any) -> RowSparseNDArray:
        """Return the array itself, for `x[:]`; there is no other index."""
        if isinstance(key, slice) and key == slice(None):
            return self
        msg = (
            f"RowSparseNDArray: x[{key!r}] was asked for, and only supports [:] for __getitem__. "
            f"Expected x[:]. Write x.retain(rows) for some rows, or x.tostype('default')[...]."
        )
        raise InvalidIndexError(msg)

    def retain(self, indices: Any) -> RowSparseNDArray:
        """Return the array with some of its rows, and zeros for the others.

        Parameters
        ----------
        indices : NDArray
            Which rows; those that are not stored stay zeros.

        Examples
        --------
        >>> import gluonish as mx
        >>> x = mx.nd.array([[1, 2], [0, 0], [3, 4]]).tostype('row_sparse')
        >>> x.retain(mx.nd.array([0, 1])).asnumpy()
        array([[1., 2.],
               [0., 0.],
               [0., 0.]], dtype=float32)
        """
        parts = storage.retained(self._parts, _row_numbers(indices))
        result = build(parts, self._ctx, RowSparseNDArray)
        tensor = self._variable()
        if tensor is None:
            return result
        kept = torch.zeros_like(tensor).index_copy(0, parts.indices, tensor[parts.indices])
        return with_leaf(result, kept)


class SparseGradient(Gradient):
    """Gradient that arrives as the rows, or elements, that are not 0."""

    __slots__ = ()

    @override
    def listen(self, leaf: Tensor) -> None:
        super().listen(leaf)
        if self.buffer.stype == "row_sparse":
            storage.ask_for_rows(leaf)

    @override
    def receive(self, leaf: Tensor) -> None:
        gradient = leaf.grad
        leaf.grad = None
        if gradient is None:
            return
        buffer = self.buffer
        assert isinstance(buffer, BaseSparseNDArray)  # noqa: S101 - for the type checker
        parts = storage.stored(gradient, buffer.stype)
        if self.grad_req == "add":
            parts = storage.summed([buffer._parts, parts])
        buffer._replace(parts)
        self.is_fresh = True


class _Storages:
    def cast(self, array: NDArray, stype: str) -> NDArray:
        tensor = unwrap(array)
        result: BaseSparseNDArray = sparse_array(storage.stored(tensor, stype), array._ctx)
        return with_leaf(result, tensor)

    def zeros(
        self, shape: tuple[int, ...], dtype: torch.dtype, ctx: Context, stype: str | None
    ) -> NDArray:
        return empty(shape, dtype, ctx, stype or "default")


BaseSparseNDArray._gradient_class = SparseGradient
above.storages = _Storages()
CLASSES.update(csr=CSRNDArray, row_sparse=RowSparseNDArray)


def with_all_rows(tensor: Tensor, ctx: Context) -> RowSparseNDArray:
    """Return a row_sparse array that stores all rows, zeros too, in the memory of a tensor."""
    return build(storage.complete(tensor), ctx, RowSparseNDArray)


def rows_in_graph(array: RowSparseNDArray, rows: Any) -> RowSparseNDArray:
    """Return some rows of an array; gradients with respect to them are those of the array."""
    parts = storage.retained(array._parts, _row_numbers(rows))
    part = build(parts, array._ctx, RowSparseNDArray)
    attached = attachment(array)
    if attached is not None and attached.grad_req != "null":
        part._attached = attached
        with_leaf(part, array._own_leaf())
    return part


def _row_numbers(rows: Any) -> Tensor:
    return plain(rows) if isinstance(rows, NDArray) else torch.as_tensor(rows)


def memory(array: NDArray) -> Tensor:
    """Return the memory of all elements: of a dense array, or of one that stores all rows.

    Raises
    ------
    SparseStorageError
        A sparse array does not store all rows.
    """
    if is_sparse(array) and storage.is_complete(array._parts):
        return array._parts.values
    return plain(array)


def _row(key: Any, count: int) -> int:
    if not isinstance(key, SupportsIndex):
        msg = (
            f"CSRNDArray: x[{key!r}] was asked for. Expected a number or a slice. Write "
            f"x.tostype('default')[...] for others."
        )
        raise InvalidArgumentError(msg)
    row = key.__index__()
    if not -count <= row < count:
        msg = (
            f"CSRNDArray: x[{row}] of {count} rows was asked for. Expected {-count} to {count - 1}."
        )
        raise InvalidIndexError(msg)
    return row % count
