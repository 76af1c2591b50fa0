"""Storage types in graphs: what stores rows or elements, while the graph works on dense arrays."""

from __future__ import annotations

import operator
from typing import TYPE_CHECKING, Any

import torch

from gluonish import ndarray
from gluonish.array import storage
from gluonish.array.core import NDArray, wrap
from gluonish.array.sparse import empty, is_sparse, replace_parts, sparse_array
from gluonish.array.sparse_base import parts_of
from gluonish.array.tensors import plain
from gluonish.context import cpu
from gluonish.ndarray.sparse_rules import stored_result
from gluonish.symbol.graph import order

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from gluonish.array.sparse import BaseSparseNDArray
    from gluonish.context import Context
    from gluonish.symbol.graph import Entry, Node

    Shape = tuple[int | None, ...] | None

DEFAULT = "default"
_CPU = cpu()
_BY_NUMBER = {"0": DEFAULT, "1": "row_sparse", "2": "csr"}
_KEEPING = frozenset(("keeps zeros", "adds", "subtracts", "adds several", "sums squares"))


def dtype_of(array: NDArray) -> torch.dtype:
    """Return the dtype of an array of any storage type."""
    return parts_of(array).dtype if is_sparse(array) else array._tensor.dtype


def declared(nodes: Sequence[Node]) -> dict[str, str]:
    """Return the storage types that variables were made with, where these are not dense."""
    found = {
        node.name: _BY_NUMBER.get(str(node.attrs.get("__storage_type__", 0)), DEFAULT)
        for node in nodes
        if node.is_variable
    }
    return {name: stype for name, stype in found.items() if stype != DEFAULT}


def of_results(
    entries: Sequence[Entry],
    shapes: Mapping[Entry, Shape],
    dtypes: Mapping[Entry, torch.dtype | None],
    given: Mapping[str, str],
) -> dict[Entry, str]:
    """Return the storage types of a graph's results, where these are not dense.

    Parameters
    ----------
    entries : sequence of Entry
        The graph's outputs.
    shapes, dtypes : dict of Entry to shape, and to dtype
        Of all results.
    given : dict of str to str
        Storage types of variables.
    """
    found: dict[Entry, str] = {}
    for node in order(entries):
        if node.is_variable:
            stype = given.get(node.name, DEFAULT)
        else:
            stype = _of_result(node, shapes, dtypes, found)
        if stype != DEFAULT:
            found.update((entry, stype) for entry in shapes if entry.node is node)
    return found


def of_gradients(entries: Sequence[Entry], kinds: Mapping[Entry, str]) -> dict[str, str]:
    """Return the variables whose gradients are rows, as what computes with them tells."""
    found: dict[str, set[str]] = {}
    for node in order(entries):
        for name, entry in zip(node.names, node.inputs, strict=True):
            if entry.node.is_variable:
                found.setdefault(entry.node.name, set()).add(_of_gradient(node, name, kinds))
    return {name: "row_sparse" for name, stypes in found.items() if stypes == {"row_sparse"}}


def _of_gradient(node: Node, name: str, kinds: Mapping[Entry, str]) -> str:
    assert node.op is not None  # noqa: S101 - variables have no inputs
    inputs = [kinds.get(entry, DEFAULT) for entry in node.inputs]
    rule, params = node.op.sparse.rule, node.params
    if rule == "multiplies matrices":
        turned = params.get("transpose_a") or params.get("transpose_b")
        has_rows = name == "rhs" and inputs[0] == "csr" and not turned
    elif rule == "gives rows":
        is_asked = params.get("sparse_grad", node.path != node.op.nd[0])  # the second always does
        has_rows = name == "weight" and bool(is_asked)
    else:
        has_rows = rule in _KEEPING and set(inputs) == {"row_sparse"}
    return "row_sparse" if has_rows else DEFAULT


def _of_result(
    node: Node,
    shapes: Mapping[Entry, Shape],
    dtypes: Mapping[Entry, torch.dtype | None],
    kinds: Mapping[Entry, str],
) -> str:
    """Ask the operator's rule for arrays that store nothing."""
    op = node.op
    assert op is not None  # noqa: S101 - the caller has looked
    is_dense = not any(entry in kinds for entry in node.inputs)
    if node.space != "nd" or (is_dense and op.sparse.rule != "casts"):
        return DEFAULT
    if op.sparse.rule in ("refuses", "scatters"):  # the graph does not know which rows are stored
        return DEFAULT
    if op.sparse.rule == "casts":
        return str(node.params.get("stype", DEFAULT))
    arrays: dict[str, Any] = {}
    for name, entry in zip(node.names, node.inputs, strict=True):
        arrays.setdefault(name, []).append(_nothing(entry, shapes, dtypes, kinds))
    given = {name: value for name, value in node.params.items() if name in op.signature.parameters}
    ordered: dict[str, Any] = {}
    for name in op.signature.parameters:
        if name in arrays:
            many = op.is_variadic and name in op.inputs
            ordered[name] = tuple(arrays[name]) if many else arrays[name][0]
        elif name in given:
            ordered[name] = given[name]
    result = stored_result(operator.attrgetter(node.path)(ndarray), op, ordered)
    return DEFAULT if result is NotImplemented else str(result.stype)


def _nothing(
    entry: Entry,
    shapes: Mapping[Entry, Shape],
    dtypes: Mapping[Entry, torch.dtype | None],
    kinds: Mapping[Entry, str],
) -> NDArray:
    shape = tuple(length or 0 for length in shapes[entry] or ())
    dtype, ctx = dtypes[entry] or torch.float32, _CPU
    if entry in kinds:
        return empty(shape, dtype, ctx, kinds[entry])
    return wrap(torch.zeros((), dtype=dtype).expand(shape), ctx, NDArray)


class SparseLinks:
    """The sparse arrays of an Executor, each beside the dense one that the graph works on.

    Parameters
    ----------
    arrays, grads : dict of str to NDArray
        Arguments and auxiliary states, and where gradients go, by name.
    requests : dict of str to str
        What is done with gradients.
    """

    def __init__(
        self,
        arrays: Mapping[str, NDArray],
        grads: Mapping[str, NDArray],
        requests: Mapping[str, str],
    ) -> None:
        self.arrays = {name: _dense(array) for name, array in arrays.items()}
        self.grads = {name: _dense(grad) for name, grad in grads.items()}
        self._read = [(a, self.arrays[n]) for n, a in arrays.items() if is_sparse(a)]
        self._added = [
            (grad, self.grads[name])
            for name, grad in grads.items()
            if is_sparse(grad) and requests[name] == "add"
        ]
        self._written = [(g, self.grads[n]) for n, g in grads.items() if is_sparse(g)]

    def read(self) -> None:
        """Give the graph what the sparse arrays hold at present."""
        for array, dense in self._read:
            plain(dense).copy_(parts_of(array).dense())

    def read_gradients(self) -> None:
        """Give the graph the gradients that others are added to."""
        for grad, dense in self._added:
            plain(dense).copy_(parts_of(grad).dense())

    def write_gradients(self) -> None:
        """Put the graph's gradients into the sparse arrays."""
        for grad, dense in self._written:
            replace_parts(grad, storage.stored(plain(dense), grad.stype))


def links(
    arrays: Mapping[str, NDArray], grads: Mapping[str, NDArray], requests: Mapping[str, str]
) -> SparseLinks | None:
    """Return what links sparse arrays with the graph; None if all are dense."""
    if any(is_sparse(array) for array in (*arrays.values(), *grads.values())):
        return SparseLinks(arrays, grads, requests)
    return None


def put(output: NDArray, tensor: torch.Tensor) -> None:
    """Have an output of an Executor hold a result."""
    if is_sparse(output):
        replace_parts(output, storage.stored(tensor, output.stype))
    else:
        output._tensor = tensor


def zeros(shape: tuple[int, ...], dtype: torch.dtype, ctx: Context, stype: str) -> NDArray:
    """Return a sparse array that stores nothing."""
    found: BaseSparseNDArray = sparse_array(storage.nothing(shape, dtype, ctx.device, stype), ctx)
    return found


def _dense(array: NDArray) -> NDArray:
    return array.tostype(DEFAULT) if is_sparse(array) else array
