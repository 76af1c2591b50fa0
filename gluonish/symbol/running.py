"""Evaluating a Symbol's graph on arrays."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gluonish.array.core import NDArray, np_class, wrap
from gluonish.array.tensors import unwrap
from gluonish.context import current_context, is_np_array
from gluonish.errors import SymbolNameError
from gluonish.symbol.plan import GraphPlan
from gluonish.symbol.shape_inference import infer

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from gluonish.symbol.graph import Entry


def evaluate(entries: Sequence[Entry], values: Mapping[str, NDArray]) -> list[NDArray]:
    """Return the outputs of a graph on arrays; recorded inside of `autograd.record()`.

    Parameters
    ----------
    entries : sequence of Entry
        The outputs.
    values : dict of str to NDArray
        The value of each variable, auxiliary states included; other names are ignored.

    Returns
    -------
    list of NDArray
        One for each output: `np.ndarray`s if one of the values is.

    Raises
    ------
    SymbolNameError
        Variables have no value.

    Examples
    --------
    >>> import gluonish as mx
    >>> from gluonish.symbol.running import evaluate
    >>> x = mx.sym.var('x')
    >>> evaluate((x * 2).entries, {'x': mx.nd.ones((2,))})[0].asnumpy()
    array([2., 2.], dtype=float32)
    """
    plan = GraphPlan(entries)
    missing = [name for name in plan.variables if name not in values]
    if missing:
        msg = (
            f"evaluate: there is no value for {', '.join(map(repr, missing))}. Expected one for "
            f"each of the variables {plan.variables}. Add what is missing."
        )
        raise SymbolNameError(msg)
    arrays = [values[name] for name in plan.variables]
    if plan.is_open:
        shapes = infer(entries, {name: values[name].shape for name in plan.variables})
        plan = GraphPlan(entries, shapes)
    ctx = arrays[0].context if arrays else current_context()
    cls = np_class() if _is_np(arrays) else NDArray
    outputs = plan.run([unwrap(array) for array in arrays], ctx)
    return [wrap(output, ctx, cls) for output in outputs]


def _is_np(arrays: Sequence[NDArray]) -> bool:
    if not arrays:
        return is_np_array()
    return any(isinstance(array, np_class()) for array in arrays)
