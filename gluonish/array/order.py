"""The order of elements in memory, which views such as `reshape` depend on."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gluonish.array.tensors import plain
from gluonish.process.recording import state
from gluonish.process.torch_names import sees_functions

if TYPE_CHECKING:
    from gluonish.array.core import NDArray

_is_captured = sees_functions


def put_in_order(array: NDArray) -> None:
    """Have an array's own memory hold its elements in order, so that other shapes can share it.

    Operators may give their results another order, as convolutions of images do. What is a view
    of another array stays one.
    """
    tensor = array._tensor
    is_view = tensor._is_view()  # no public name
    if is_view or state.recording:
        return
    if not _is_captured():
        outside = plain(array)
        tensor.data = outside.data = outside.contiguous()
    elif not tensor.requires_grad:
        array._tensor = tensor.contiguous()
