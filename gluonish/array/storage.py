"""The parts of sparse arrays: made from dense tensors, cut, moved, added up and multiplied."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import torch
from torch import Tensor

from gluonish.array.sparse_tensor import SparseTensor, row_numbers
from gluonish.errors import InvalidArgumentError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

STORAGE_TYPES: Final = ("default", "row_sparse", "csr")
_SIGNED: Final = {
    torch.uint16: torch.int16,
    torch.uint32: torch.int32,
    torch.uint64: torch.int64,
}  # torch computes little with the former
_WANTS_ROWS: Final = "wants_rows"


def ask_for_rows(leaf: Tensor) -> None:
    """Have operators that can do so give the gradient of a leaf as rows."""
    setattr(leaf, _WANTS_ROWS, True)


def wants_rows(tensor: Tensor) -> bool:
    """Return whether the gradient with respect to a tensor shall be rows."""
    return hasattr(tensor, _WANTS_ROWS)


def nothing(
    shape: Sequence[int], dtype: torch.dtype, device: torch.device, stype: str
) -> SparseTensor:
    """Return a sparse array of zeros."""
    check_kind(stype, shape)
    count = 0 if stype == "csr" else (0, *shape[1:])
    values = torch.zeros(count, dtype=dtype, device=device)
    indices = torch.zeros(0, dtype=torch.int64, device=device)
    indptr = None
    if stype == "csr":
        indptr = torch.zeros(shape[0] + 1, dtype=torch.int64, device=device)
    return SparseTensor(tuple(shape), values, indices, indptr)


def complete(tensor: Tensor) -> SparseTensor:
    """Return a row_sparse array that stores all rows, in the memory of a tensor."""
    rows = torch.arange(tensor.shape[0], device=tensor.device)
    return SparseTensor(tuple(tensor.shape), tensor, rows)


def is_complete(parts: SparseTensor) -> bool:
    """Return whether all rows are stored, in their order."""
    count = parts.shape[0]
    if parts.indptr is not None or parts.indices.numel() != count:
        return False
    return torch.equal(parts.indices, torch.arange(count, device=parts.indices.device))


def check_kind(stype: str, shape: Sequence[int]) -> None:
    """Check that arrays of a shape can have a sparse storage type.

    Raises
    ------
    InvalidArgumentError
        They can't, or there is no such storage type.
    """
    if stype == "csr" and len(shape) != 2:
        msg = (
            f"tostype: 'csr' was asked for an array of shape {tuple(shape)}. Expected 2 axes: To "
            f"convert to a CSR, the NDArray should be 2 Dimensional. Reshape it, or use "
            f"'row_sparse'."
        )
        raise InvalidArgumentError(msg)
    if stype == "row_sparse" and not shape:
        msg = (
            "tostype: 'row_sparse' was asked for an array without axes. Expected one axis or "
            "more. Write x.reshape((1,))."
        )
        raise InvalidArgumentError(msg)
    if stype not in STORAGE_TYPES[1:]:
        msg = (
            f"storage type: unknown storage type: {stype!r} was asked for. Expected 'default', "
            f"'row_sparse' or 'csr'. Write one of these names."
        )
        raise InvalidArgumentError(msg)


def stored(tensor: Tensor, stype: str) -> SparseTensor:
    """Return what is not 0 of a dense tensor, or of a gradient that came as rows."""
    shape = tuple(tensor.shape)
    check_kind(stype, shape)
    if tensor.layout is not torch.strided:
        if stype == "row_sparse" and tensor.sparse_dim() == 1:
            rows = tensor.coalesce()
            return SparseTensor(shape, rows.values(), rows.indices()[0])
        tensor = tensor.to_dense()
    tensor = tensor.detach()
    is_there = _signed(tensor) != 0
    if stype == "row_sparse":
        rows = is_there.flatten(1).any(1) if len(shape) > 1 else is_there
        indices = rows.nonzero().squeeze(1)
        return SparseTensor(shape, taken(tensor, indices), indices)
    places = is_there.nonzero()
    values = _signed(tensor)[is_there].view(tensor.dtype)
    return SparseTensor(shape, values, places[:, 1].contiguous(), starts_of(is_there.sum(1)))


def starts_of(counts: Tensor) -> Tensor:
    """Return where rows begin that have these numbers of elements, and where the last ends."""
    first = torch.zeros(1, dtype=torch.int64, device=counts.device)
    return torch.cat([first, counts.cumsum(0)])


def taken(tensor: Tensor, rows: Tensor) -> Tensor:
    """Return some rows of a tensor of any dtype."""
    return _signed(tensor).index_select(0, rows).view(tensor.dtype)


def _signed(tensor: Tensor) -> Tensor:
    other = _SIGNED.get(tensor.dtype)
    return tensor if other is None else tensor.view(other)


def moved(
    parts: SparseTensor,
    device: torch.device,
    dtype: torch.dtype | None = None,
    *,
    copy: bool = False,
) -> SparseTensor:
    """Return the parts on a device, with indices of 64 bits."""
    starts = parts.indptr
    return SparseTensor(
        parts.shape,
        parts.values.to(device, parts.dtype if dtype is None else dtype, copy=copy),
        parts.indices.to(device, torch.int64, copy=copy),
        None if starts is None else starts.to(device, torch.int64, copy=copy),
    )


def order_problem(parts: SparseTensor) -> str | None:
    """Return which index stands after a larger one of its row, if one does."""
    if parts.indptr is None:
        falls = parts.indices[1:] < parts.indices[:-1]
    else:
        rows = row_numbers(parts.indptr)
        falls = (parts.indices[1:] < parts.indices[:-1]) & (rows[1:] == rows[:-1])
    if not bool(falls.any()):
        return None
    place = int(falls.nonzero()[0])
    before, after = (int(parts.indices[place + step]) for step in (0, 1))
    return f"index {after} stands after {before}; expected ascending indices"


def length_problem(parts: SparseTensor) -> str | None:
    """Return which part has a length that does not fit, if one has."""
    count = parts.indices.numel()
    expected = (count, *(parts.shape[1:] if parts.indptr is None else ()))
    if tuple(parts.values.shape) != expected:
        given = tuple(parts.values.shape)
        if given[1:] == expected[1:]:
            return (
                f"the data have {given[0]} rows beside {count} indices; expected an index for each "
                f"row of data; Give as many indices as rows"
            )
        return f"the data have shape {given}; expected {expected}"
    if parts.indptr is not None and parts.indptr.numel() != parts.shape[0] + 1:
        return (
            f"indptr has {parts.indptr.numel()} entries; expected {parts.shape[0] + 1} for "
            f"{parts.shape[0]} rows"
        )
    return None


def starts(parts: SparseTensor) -> Tensor:
    """Return where the rows of a csr array begin."""
    assert parts.indptr is not None  # noqa: S101 - for the type checker
    return parts.indptr


def places(parts: SparseTensor) -> tuple[Tensor, Tensor]:
    """Return row and column of each element of a csr array."""
    return row_numbers(starts(parts)), parts.indices


def rows(parts: SparseTensor, start: int, stop: int) -> SparseTensor:
    """Return rows of a csr array that follow each other, sharing memory."""
    edges = starts(parts)[start : stop + 1]
    piece = slice(int(edges[0]), int(edges[-1]))
    shape = (stop - start, parts.shape[1])
    return SparseTensor(shape, parts.values[piece], parts.indices[piece], edges - edges[0])


def columns(parts: SparseTensor, start: int, stop: int) -> SparseTensor:
    """Return columns of a csr array that follow each other."""
    row, column = places(parts)
    inside = (column >= start) & (column < stop)
    counts = torch.bincount(row[inside], minlength=parts.shape[0])
    values = _signed(parts.values)[inside].view(parts.dtype)
    shape = (parts.shape[0], stop - start)
    return SparseTensor(shape, values, column[inside] - start, starts_of(counts))


def below(arrays: Sequence[SparseTensor]) -> SparseTensor:
    """Return csr arrays one below the other."""
    return SparseTensor(
        (sum(each.shape[0] for each in arrays), arrays[0].shape[1]),
        torch.cat([each.values for each in arrays]),
        torch.cat([each.indices for each in arrays]),
        starts_of(torch.cat([starts(each).diff() for each in arrays])),
    )


def chosen(parts: SparseTensor, wanted: Tensor) -> SparseTensor:
    """Return rows of a csr array, in any order, also more than once."""
    edges = starts(parts)
    counts = edges.diff()[wanted]
    begin = starts_of(counts)
    row = row_numbers(begin)
    source = torch.arange(row.numel(), device=row.device) - begin[row] + edges[wanted][row]
    values = taken(parts.values, source)
    return SparseTensor((wanted.numel(), parts.shape[1]), values, parts.indices[source], begin)


def retained(parts: SparseTensor, wanted: Tensor) -> SparseTensor:
    """Return a row_sparse array with the wanted rows only; those that it lacks are zeros."""
    wanted = torch.unique(wanted.to(parts.indices.device).flatten().to(torch.int64))
    count = parts.shape[0]
    if wanted.numel() and not 0 <= int(wanted[0]) <= int(wanted[-1]) < count:
        msg = (
            f"retain: rows {int(wanted[0])} to {int(wanted[-1])} of an array of shape "
            f"{parts.shape} were asked for. Expected 0 to {count - 1}. Leave others out."
        )
        raise InvalidArgumentError(msg)
    if is_complete(parts):
        return SparseTensor(parts.shape, taken(parts.values, wanted), wanted)
    values = torch.zeros((wanted.numel(), *parts.shape[1:]), dtype=parts.dtype).to(wanted.device)
    known, order = parts.indices.sort()
    if known.numel():
        found = torch.searchsorted(known, wanted).clamp(max=known.numel() - 1)
        is_known = known[found] == wanted
        source = taken(parts.values, order[found[is_known]])
        _signed(values)[is_known] = _signed(source)
    return SparseTensor(parts.shape, values, wanted)


def summed(arrays: Sequence[SparseTensor]) -> SparseTensor:
    """Return the sum of sparse arrays of one storage type and shape."""
    keys, inverse = torch.unique(torch.cat([_keys(each) for each in arrays]), return_inverse=True)
    values = torch.cat([each.values for each in arrays])
    total = torch.zeros((keys.numel(), *values.shape[1:]), dtype=values.dtype, device=values.device)
    return _at(keys, total.index_add_(0, inverse, values), arrays[0])


def combined(
    first: SparseTensor, second: SparseTensor, function: Callable[[Tensor, Tensor], Tensor]
) -> SparseTensor:
    """Compute, element by element, with what is stored in either of two arrays."""
    ours, theirs = _keys(first), _keys(second)
    keys, inverse = torch.unique(torch.cat([ours, theirs]), return_inverse=True)
    spread = []
    for each, where in ((first, inverse[: len(ours)]), (second, inverse[len(ours) :])):
        size = (keys.numel(), *each.values.shape[1:])
        full = torch.zeros(size, dtype=each.dtype, device=keys.device)
        full[where] = each.values
        spread.append(full)
    return _at(keys, function(*spread), first)


def of_pairs(shape: tuple[int, ...], values: Tensor, row: Tensor, column: Tensor) -> SparseTensor:
    """Return a csr array of elements in any order; those of one place are added up."""
    keys, inverse = torch.unique(row * shape[1] + column, return_inverse=True)
    total = torch.zeros(keys.numel(), dtype=values.dtype, device=values.device)
    return _at(keys, total.index_add_(0, inverse, values), nothing_of(shape, values))


def nothing_of(shape: tuple[int, ...], values: Tensor) -> SparseTensor:
    """Return a csr array of zeros, of the dtype and on the device of a tensor."""
    return nothing(shape, values.dtype, values.device, "csr")


def with_values(parts: SparseTensor, values: Tensor) -> SparseTensor:
    """Return an array with other values in the same places."""
    return SparseTensor(parts.shape, values, parts.indices, parts.indptr)


def with_columns(parts: SparseTensor, indices: Tensor, width: int) -> SparseTensor:
    """Return a csr array whose elements stand in other columns, of another number."""
    return SparseTensor((parts.shape[0], width), parts.values, indices, parts.indptr)


def values_at(dense: Tensor, parts: SparseTensor) -> Tensor:
    """Return the values that a dense tensor, broadcast, has where a sparse array has its own."""
    spread = dense.expand(parts.shape)
    if parts.indptr is None:
        return spread[parts.indices]
    return spread[places(parts)]


def _keys(parts: SparseTensor) -> Tensor:
    """Return one number for the place of each row, or element."""
    if parts.indptr is None:
        return parts.indices
    row, column = places(parts)
    return row * parts.shape[1] + column


def _at(keys: Tensor, values: Tensor, like: SparseTensor) -> SparseTensor:
    if like.indptr is None:
        return SparseTensor(like.shape, values, keys)
    row = torch.div(keys, max(like.shape[1], 1), rounding_mode="floor")
    counts = torch.bincount(row, minlength=like.shape[0])
    return SparseTensor(like.shape, values, keys - row * like.shape[1], starts_of(counts))


def product(parts: SparseTensor, dense: Tensor, *, transposed: bool) -> Tensor:
    """Multiply a csr array, or its transpose, by a dense matrix."""
    row, column = places(parts)
    if transposed:
        row, column = column, row
    height = parts.shape[1 if transposed else 0]
    if dense.dtype in (torch.float32, torch.float64) and parts.dtype is dense.dtype:
        shape = (height, dense.shape[0])
        pairs = torch.stack([row, column])
        matrix = torch.sparse_coo_tensor(pairs, parts.values, shape, check_invariants=False)
        result: Tensor = torch.sparse.mm(matrix, dense)
        return result
    kind = torch.promote_types(parts.dtype, dense.dtype)
    total = torch.zeros((height, dense.shape[1]), dtype=kind, device=dense.device)
    step = max(1, 2**24 // max(1, dense.shape[1]))
    for start in range(0, row.numel(), step):
        piece = slice(start, start + step)
        terms = parts.values[piece, None].to(kind) * dense[column[piece]].to(kind)
        total.index_add_(0, row[piece], terms)
    return total
