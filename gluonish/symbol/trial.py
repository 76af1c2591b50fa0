"""Trial runs of operators on tensors without elements: what shapes and dtypes come out."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

import torch

from gluonish.context import Context
from gluonish.errors import DTypeError, MXNetError, ShapeError
from gluonish.ops.table.explain import TORCH_ERRORS
from gluonish.ops.table.inference import elementwise
from gluonish.process.torch_names import data_dependent_shape_error
from gluonish.symbol.graph import Entry, Node
from gluonish.symbol.meta import without_compiler
from gluonish.symbol.plan import PlanStep

if TYPE_CHECKING:
    from collections.abc import Sequence

Known: TypeAlias = "tuple[tuple[int, ...], torch.dtype]"

_DATA_DEPENDENT = data_dependent_shape_error()
_META = Context.apart("meta")
_CPU = Context.apart("cpu")
_ERRORS = (ArithmeticError, AssertionError, LookupError, *TORCH_ERRORS)
_LIMIT = 4096  # results that are kept
_cache: dict[object, tuple[Known, ...]] = {}
_STEP_ASIDE = (torch.int64, torch.bool)  # for operators that refuse floating-point numbers


class UnknowableError(Exception):
    """What comes out depends on values; for the callers in this package alone."""


def run(node: Node, inputs: Sequence[Known], ctx: Context = _META) -> tuple[Known, ...]:
    """Return shape and dtype of each output of a node.

    Parameters
    ----------
    node : Node
        A use of an operator.
    inputs : sequence of (shape, dtype)
        What goes into it.
    ctx : Context, optional
        Where; by default where arrays have no elements.

    Raises
    ------
    MXNetError
        The operator refuses the inputs.
    UnknowableError
        The result depends on values.
    """
    key = (node.op and node.op.function, repr(node.params), node.names, tuple(inputs), ctx)
    found = _cache.get(key)
    if found is None:
        found = _run(node, inputs, ctx)
        if len(_cache) >= _LIMIT:
            _cache.clear()
        _cache[key] = found
    return found


def run_for_shapes(node: Node, inputs: Sequence[Known]) -> tuple[Known, ...]:
    """Do the same; where the operator refuses the dtypes, for other ones.

    Operators that work on each element are tried on one element: torch needs a second to get
    ready for doing that without elements, once in a process.
    """
    op = node.op
    if op is not None and op.graph.dtypes is not None:
        known, _ = op.graph.dtypes(node.names, node.arguments(), [None] * len(inputs))
        pairs = zip(inputs, known, strict=True)
        return run(node, [(shape, dtype or torch.int8) for (shape, _), dtype in pairs])
    if op is not None and inputs and op.reverse is elementwise and not op.takes_ctx:
        shape = inputs[0][0]
        if all(other == shape for other, _ in inputs):
            found = _run_somehow(node, [((1,), dtype) for _, dtype in inputs], _CPU)
            return tuple((shape, dtype) for _, dtype in found)
    return _run_somehow(node, inputs, _META)


def _run_somehow(node: Node, inputs: Sequence[Known], ctx: Context) -> tuple[Known, ...]:
    try:
        return run(node, inputs, ctx)
    except DTypeError as error:
        for dtype in _STEP_ASIDE:
            try:
                return run(node, [(shape, dtype) for shape, _ in inputs], ctx)
            except MXNetError:
                continue
        raise error from error.__cause__


def _run(node: Node, inputs: Sequence[Known], ctx: Context) -> tuple[Known, ...]:
    alone = node.copy()  # each input is an entry of its own
    alone.inputs = [Entry(Node(None, entry.node.name), 0) for entry in node.inputs]
    step = PlanStep(alone, {entry: slot for slot, entry in enumerate(alone.inputs)}, len(inputs))
    make = torch.empty if ctx is _META else torch.zeros
    try:
        tensors = [make(shape, dtype=dtype, device=ctx.device) for shape, dtype in inputs]
    except _ERRORS as error:
        msg = f"The shapes {[shape for shape, _ in inputs]} are none of arrays ({error})."
        raise ShapeError(msg) from error
    try:
        with without_compiler():
            results = step.run(tensors, ctx)
    except (NotImplementedError, _DATA_DEPENDENT) as error:
        raise UnknowableError(str(error)) from error
    except MXNetError as error:
        is_unknowable = isinstance(error.__cause__, (NotImplementedError, _DATA_DEPENDENT))
        if is_unknowable and ctx is _META:  # elsewhere a kernel is missing: the dtype is refused
            raise UnknowableError(str(error)) from error
        raise
    except _ERRORS as error:  # torch checks shapes with assertions where there are no elements
        told = str(error).strip().partition("\n")[0]
        msg = f"The shapes {[shape for shape, _ in inputs]} do not fit ({told})."
        raise ShapeError(msg) from error
    return tuple((tuple(result.shape), result.dtype) for result in results)
