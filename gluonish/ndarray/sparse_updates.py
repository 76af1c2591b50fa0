"""Updates of the rows of weights that a gradient has, and of no others."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from gluonish.array import storage
from gluonish.array.core import NDArray, plain, unwrap, wrap
from gluonish.array.sparse import is_sparse

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from gluonish.array.pending import Inferable

UPDATES = "sgd_update sgd_mom_update adam_update ftrl_update adagrad_update group_adagrad_update"


def update_rows(call: Callable[..., Any], op: Inferable, given: Mapping[str, Any]) -> Any:
    """Call an optimizer's operator for the rows of a gradient; its states change in place."""
    arrays = {name: given[name] for name in op.inputs if name in given}
    names = list(arrays)
    gradient = arrays[names[1]]
    if not is_sparse(gradient) or gradient.stype != "row_sparse":
        return NotImplemented
    options = {name: value for name, value in given.items() if name not in arrays}
    states = names[2:]
    if any(is_sparse(arrays[name]) for name in states):
        kept = {name: arrays[name].tostype("default") for name in states}
        result = update_rows(call, op, {**given, **kept})
        for name in states:
            if is_sparse(arrays[name]):
                arrays[name][:] = kept[name]
        return result
    if not options.get("lazy_update", True):
        return NotImplemented
    weight = arrays[names[0]].tostype("default")
    rows, ctx = gradient._parts.indices, weight._ctx
    parts = {name: storage.taken(plain(arrays[name]), rows) for name in states}
    pieces = [storage.taken(unwrap(weight), rows), gradient._parts.values, *parts.values()]
    updated = call(*[wrap(piece, ctx, NDArray) for piece in pieces], **options)
    for name, piece in parts.items():
        plain(arrays[name])[rows] = piece
    result = plain(weight).clone()
    result[rows] = unwrap(updated)
    return wrap(result, ctx, NDArray)
