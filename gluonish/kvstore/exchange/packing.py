"""Compressed elements as they are sent: two bits or one for each, or half precision."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch
from torch.nn.functional import pad

if TYPE_CHECKING:
    from torch import Tensor

    from gluonish.kvstore.compression import Compression


def packed(values: Tensor, compression: Compression | None) -> Tensor:
    """Return values that compression has rounded in as few bits as tell them apart.

    Parameters
    ----------
    values : Tensor, shape (elements,)
        What `Compression.quantize` returned.
    compression : Compression or None
        What has rounded them; None if nothing has, so that they stay as they are.

    Examples
    --------
    >>> import torch
    >>> from gluonish.kvstore.compression import Compression
    >>> from gluonish.kvstore.exchange.packing import packed, unpacked
    >>> values, bits = torch.tensor([0.5, 0, -0.5, 0.5, 0]), Compression({'type': '2bit'})
    >>> packed(values, bits)
    tensor([134,   1], dtype=torch.uint8)
    >>> unpacked(packed(values, bits), values, bits)
    tensor([ 0.5000,  0.0000, -0.5000,  0.5000,  0.0000])
    """
    if compression is None:
        return values
    if compression.type == "fp16":
        return values.to(torch.float16)
    count = compression.per_byte
    codes = (values > 0).to(torch.uint8)
    if compression.type == "2bit":
        codes += (values >= 0).to(torch.uint8)
    rows = pad(codes, (0, -len(codes) % count)).view(-1, count)
    bits = 8 // count
    total = rows[:, 0].clone()
    for place in range(1, count):
        total |= rows[:, place] << (bits * place)
    return total


def unpacked(message: Tensor, like: Tensor, compression: Compression | None) -> Tensor:
    """Return the values that `packed` was given.

    Parameters
    ----------
    message : Tensor
        What `packed` returned.
    like : Tensor
        A tensor of the shape and dtype of the values.
    compression : Compression or None
        What has rounded them.
    """
    if compression is None:
        return message
    if compression.type == "fp16":
        return message.to(like.dtype)
    count = compression.per_byte
    bits = 8 // count
    shifts = torch.arange(0, 8, bits, dtype=torch.uint8)
    codes = ((message.unsqueeze(1) >> shifts) & (2**bits - 1)).view(-1)[: like.numel()]
    values: Tensor = codes.to(like.dtype)
    if compression.type == "1bit":
        return values.mul_(2).sub_(1)
    return values.sub_(1).mul_(compression.threshold)


def packed_size(elements: int, compression: Compression | None) -> int:
    """Return how many items a number of elements takes in a message."""
    each = 1 if compression is None else compression.per_byte
    return -(-elements // each)


def packed_dtype(dtype: torch.dtype, compression: Compression | None) -> torch.dtype:
    """Return of which dtype the items of a message are, for elements of a dtype."""
    if compression is None:
        return dtype
    return torch.float16 if compression.type == "fp16" else torch.uint8
