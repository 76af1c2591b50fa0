"""Sums over the contexts of a process, and what compression leaves of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch

from gluonish.array import NDArray, wrap
from gluonish.array.core import like
from gluonish.array.sparse import is_sparse
from gluonish.array.tensors import plain
from gluonish.errors import SparseStorageError
from gluonish.kvstore.dense import sum_into
from gluonish.kvstore.sparse import total_of

if TYPE_CHECKING:
    from torch import Tensor

    from gluonish.kvstore.compression import Compression
    from gluonish.kvstore.keys import Key
    from gluonish.kvstore.stored import Stored


class Totals:
    """Sums of what is pushed to a store.

    Parameters
    ----------
    stored : Stored
        What the store has.
    is_on_device : bool
        Whether sums are made on the device of what is pushed, where what is stored moves to.

    Attributes
    ----------
    compression : Compression or None
        How arrays are quantized before they are summed.
    """

    def __init__(self, stored: Stored, *, is_on_device: bool) -> None:
        self.compression: Compression | None = None
        self._stored = stored
        self._is_on_device = is_on_device
        self._memory: dict[Key, Tensor] = {}

    def tensors(self, key: Key, arrays: list[NDArray]) -> list[Tensor]:
        """Return what is to be summed of a key's arrays."""
        tensors = [plain(array) for array in arrays]
        stored = self._stored[key]
        if tensors[0].is_cuda and not stored._tensor.is_cuda and self._is_on_device:
            self._stored[key] = stored.as_in_context(arrays[0].context)
        return self.sent(key, tensors)

    def sent(self, key: Key, tensors: list[Tensor]) -> list[Tensor]:
        """Return what is left of tensors after compression."""
        return tensors if self.compression is None else self.compression.quantize(key, tensors)

    def total(self, key: Key, arrays: list[NDArray]) -> Tensor:
        """Return the sum of a key's arrays, which is an array itself if there is one."""
        tensors = [plain(array) for array in arrays]
        dtype = plain(self._stored[key]).dtype
        total = tensors[0]
        if len(tensors) > 1 or total.dtype is not dtype:
            total = torch.empty_like(total, dtype=dtype)
            sum_into(tensors, total)
        return self.sent(key, [total])[0]

    def merged(self, key: Key, arrays: list[NDArray]) -> NDArray:
        """Return the sum of arrays for an updater, in memory that is used again."""
        stored = self._stored[key]
        try:
            device = stored._tensor.device
            tensors = self.tensors(key, arrays)
        except SparseStorageError:
            return self.of_rows(key, arrays)
        first = tensors[0]
        if len(tensors) == 1:
            return wrap(first.to(device), stored.context, type(stored))
        total = self._memory.get(key)
        if total is None or (total.shape, total.dtype, total.device) != (
            first.shape, first.dtype, device,
        ):  # fmt: skip
            total = self._memory[key] = torch.empty(first.shape, dtype=first.dtype, device=device)
        sum_into(tensors, total)
        return wrap(total, stored.context, type(stored))

    def of_rows(self, key: Key, arrays: list[NDArray]) -> NDArray:
        """Return the sum of a key's arrays, where they or what is stored have rows.

        Dense ones are compressed first, as MXNet does it.
        """
        if self.compression is not None and not any(map(is_sparse, arrays)):
            tensors = self.sent(key, list(map(plain, arrays)))
            arrays = [like(array, tensor) for array, tensor in zip(arrays, tensors, strict=True)]
        return total_of(arrays, self._stored[key].context)
