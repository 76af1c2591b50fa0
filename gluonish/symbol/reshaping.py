"""`Executor.reshape`: the same graph on arrays of other shapes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import torch

from gluonish.array.core import NDArray, wrap
from gluonish.array.sparse import empty, is_sparse
from gluonish.array.tensors import plain
from gluonish.errors import SymbolError, SymbolNameError
from gluonish.symbol import dtype_inference, shape_inference
from gluonish.symbol.shape_inference import known_part
from gluonish.symbol.storages import dtype_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from gluonish.symbol.executor import Executor
    from gluonish.symbol.graph import Entry
    from gluonish.symbol.shape_inference import Shape


def part_of(array: NDArray, shape: tuple[int, ...]) -> NDArray:
    """Return an array of another shape on the beginning of an array's memory."""
    if array.shape == shape:
        return array
    tensor = plain(array).reshape(-1)[: torch.Size(shape).numel()].view(shape)
    return wrap(tensor, array.context, type(array))


def reshaped(
    executor: Executor,
    given: Mapping[str, Any],
    *,
    partial_shaping: bool,
    allow_up_sizing: bool,
) -> Executor:
    """Return an Executor for other shapes; see `Executor.reshape`."""
    arrays = executor.arg_dict | executor.aux_dict
    found = _infer(executor, arrays, given)
    new: dict[str, NDArray] = {}
    grads: dict[str, NDArray] = {}
    for entry, shape in found.items():
        name = entry.node.name
        if not entry.node.is_variable or shape is None:
            continue
        size = tuple(length or 0 for length in shape)
        array, grad = arrays[name], executor.grad_dict.get(name)
        if size != array.shape and name not in given and not partial_shaping:
            raise _unspecified(name, array.shape, size, arrays, given)
        if torch.Size(size).numel() > array.size and not allow_up_sizing:
            raise _larger(name, array.shape, size)
        new[name] = _resized(array, size)
        if grad is not None:
            grads[name] = _resized(grad, size)
    dtypes = dtype_inference.infer(
        executor.symbol.entries, {name: dtype_of(array) for name, array in arrays.items()}
    )
    return type(executor)(
        executor.symbol, executor.ctx, new, grads, executor.grad_req, found, dtypes,
        executor.contexts,
    )  # fmt: skip


def _infer(
    executor: Executor, arrays: Mapping[str, NDArray], given: Mapping[str, Any]
) -> dict[Entry, Shape | None]:
    unknown = sorted(given.keys() - arrays.keys())
    if unknown:
        msg = (
            f"reshape: there is no argument {', '.join(map(repr, unknown))}. Expected some of "
            f"{list(arrays)}. Check the name."
        )
        raise SymbolNameError(msg)
    entries = executor.symbol.entries
    known = {name: known_part(tuple(shape)) for name, shape in given.items()}
    shapes = {name: shape for name, shape in known.items() if shape is not None}
    found = shape_inference.infer(entries, shapes)
    while True:  # what the new shapes do not tell stays as it is, one after the other
        open_name = next(
            (
                entry.node.name
                for entry, shape in found.items()
                if entry.node.is_variable and (shape is None or None in shape)
            ),
            None,
        )
        if open_name is None:
            return found
        shapes[open_name] = arrays[open_name].shape
        found = shape_inference.infer(entries, shapes)


def _resized(array: NDArray, shape: tuple[int, ...]) -> NDArray:
    if is_sparse(array):
        same = shape == array.shape
        return array if same else empty(shape, dtype_of(array), array.context, array.stype)
    if torch.Size(shape).numel() <= array.size:
        return part_of(array, shape)
    return wrap(plain(array).new_zeros(shape), array.context, type(array))


def _unspecified(
    name: str,
    old: tuple[int, ...],
    new: tuple[int, ...],
    arrays: Mapping[str, NDArray],
    given: Mapping[str, Any],
) -> SymbolError:
    changed = [
        f"{each!r} has shape {tuple(shape)}, and had {arrays[each].shape}"
        for each, shape in given.items()
        if arrays[each].shape[1:] != tuple(shape)[1:]
    ]
    msg = (
        f"reshape: Shape of unspecified arg: {name} changed, from {old} to {new}. This can cause "
        f"the new executor to not share parameters with the old one. Please check for error in "
        f"network. Expected data of the lengths that it was bound with: "
        f"{', '.join(changed) or 'others were given'}. Give data of these lengths; other ones need "
        f"other parameters, as after mod.bind(..., force_rebind=True) and "
        f"mod.init_params(force_init=True). An Executor takes partial_shaping=True."
    )
    return SymbolError(msg)


def _larger(name: str, old: tuple[int, ...], new: tuple[int, ...]) -> SymbolError:
    msg = (
        f"reshape: New shape of arg: {name} is larger than original, {new} after {old}. First "
        f"making a big executor and then down sizing it is more efficient than the reverse. If you "
        f"really want to up size, set allow_up_sizing=True to enable allocation of new arrays."
    )
    return SymbolError(msg)
