"""Sums and copies of arrays some of which are sparse, for stores."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import torch

from gluonish.array import NDArray, wrap
from gluonish.array.sparse import (
    RowSparseNDArray,
    is_sparse,
    memory,
    replace_parts,
    sparse_array,
)
from gluonish.array.sparse_base import parts_of
from gluonish.array.storage import complete, is_complete, moved, retained, summed
from gluonish.array.tensors import as_default, plain
from gluonish.errors import InvalidArgumentError, RefusedArgumentError
from gluonish.errors.wording import class_name

if TYPE_CHECKING:
    from collections.abc import Sequence

    from torch import Tensor

    from gluonish.context import Context
    from gluonish.kvstore.keys import Key, Keys


def total_of(arrays: Sequence[NDArray], ctx: Context) -> NDArray:
    """Return the sum of arrays on a context; as rows, if all of them store rows."""
    if all(isinstance(array, RowSparseNDArray) for array in arrays):
        parts = [moved(parts_of(array), ctx.device) for array in arrays if is_sparse(array)]
        rows: NDArray = sparse_array(summed(parts), ctx)
        return rows
    first, *others = (as_default(array).as_in_context(ctx) for array in arrays)
    total = plain(first).clone()
    for array in others:
        total.add_(plain(array))
    return wrap(total, ctx, NDArray)


def copy_into(target: NDArray, source: NDArray) -> None:
    """Overwrite an array by another of any storage type and context."""
    if target is source:
        return
    if all(is_sparse(each) and is_complete(parts_of(each)) for each in (target, source)):
        memory(target).copy_(memory(source))
    else:
        target[:] = source.as_in_context(target.context)


def ids_by_key(key: Keys, row_ids: Any, count: int) -> list[Any]:  # noqa: ANN401 - as given
    """Return the row_ids of each of some keys: those of a list, or the same for all."""
    if isinstance(row_ids, (list, tuple)) and isinstance(key, (list, tuple)):
        return list(row_ids)
    return [row_ids] * count


def wanted_rows(ids_of_keys: Sequence[Any]) -> list[Tensor]:
    """Return the numbers of rows that are wanted of each of some keys, each once, in order."""
    found = []
    for ids in ids_of_keys:
        arrays = [ids] if isinstance(ids, NDArray) else ids
        numbers = [plain(array).flatten().to("cpu", torch.int64) for array in arrays]
        found.append(torch.unique(torch.cat([torch.zeros(0, dtype=torch.int64), *numbers])))
    return found


def pull_rows(
    stored: NDArray, outs: Sequence[Any], row_ids: NDArray | Sequence[NDArray], key: Key
) -> None:
    """Write some rows of what is stored into row_sparse arrays.

    Parameters
    ----------
    stored : NDArray
        What a store has for the key.
    outs : sequence of RowSparseNDArray
        What to write to.
    row_ids : NDArray or list of NDArray
        Numbers of the rows, for all or one each; more than once counts once.
    key : int or str
        The key, for messages.
    """
    ids = [row_ids] * len(outs) if isinstance(row_ids, NDArray) else list(row_ids)
    if len(ids) != len(outs):
        msg = (
            f"kv.row_sparse_pull: {len(ids)} row_ids and {len(outs)} arrays were given for key "
            f"{key!r}. Expected row_ids for each array, or one for all. Pass lists of one length."
        )
        raise InvalidArgumentError(msg)
    rows = parts_of(stored) if is_sparse(stored) else complete(plain(stored))
    for out, wanted in zip(outs, ids, strict=True):
        if not isinstance(out, RowSparseNDArray):
            msg = (
                f"kv.row_sparse_pull: {class_name(out)} was given as out for key {key!r}. "
                f"Expected an array of storage type 'row_sparse'. Make one with "
                f"mx.nd.sparse.zeros('row_sparse', shape)."
            )
            raise RefusedArgumentError(msg)
        parts = retained(rows, wanted._tensor)
        replace_parts(out, moved(parts, out.context.device, parts_of(out).dtype, copy=True))
