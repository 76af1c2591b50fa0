"""How operators are written into ONNX models that torch's exporter does not know."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import torch

if TYPE_CHECKING:
    from collections.abc import Callable

    Value = Any  # of onnxscript


def table() -> dict[Callable[..., Any], Callable[..., Any]]:
    """Return what writes an operator, by torch's name of it.

    Examples
    --------
    >>> from gluonish.conversion.onnx_translations import table
    >>> [str(operator) for operator in table()]
    ['aten.sort.stable', 'aten.multinomial.default', 'aten.randint.low', 'aten.randperm.default']
    """
    # Only here: it is the package of an extra.
    from onnxscript import DOUBLE, FLOAT, INT64, opset18

    write: Any = opset18  # whose types of values do not add up

    def sort(data: Value, stable: bool = True, dim: int = -1, descending: bool = False) -> Value:
        # TopK gives the first of equals first, whatever `stable` says.
        del stable
        count = write.Shape(data, start=dim, end=dim + 1 or None)
        return write.TopK(data, count, axis=dim, largest=int(descending), sorted=1)

    def multinomial(data: Value, count: int, replacement: bool = False) -> Value:
        logs = write.Log(data)
        if replacement:
            return write.Multinomial(logs, dtype=INT64.dtype, sample_size=count)
        # The largest logarithms with noise of Gumbel's distribution are draws without replacement.
        uniform = write.RandomUniformLike(logs, low=2.0**-24)
        noise = write.Neg(write.Log(write.Neg(write.Log(uniform))))
        wanted = write.Constant(value_ints=[count])
        return write.TopK(write.Add(logs, noise), wanted, axis=-1)[1]

    def randint(low: int, high: int, size: Value, dtype: int = INT64.dtype, **_: object) -> Value:
        # In float64, which knows all limits up to 2**53; what is rounded to `high` is below it.
        shape = write.ConstantOfShape(size)
        uniform = write.RandomUniformLike(shape, dtype=DOUBLE.dtype)
        least, count, most = (
            write.Cast(write.Constant(value_int=each), to=DOUBLE.dtype)
            for each in (low, high - low, high - 1)
        )
        drawn = write.Floor(write.Add(write.Mul(uniform, count), least))
        return write.Cast(write.Min(drawn, most), to=dtype)

    def randperm(length: int, **_: object) -> Value:
        size = write.Constant(value_ints=[length])
        uniform = write.RandomUniformLike(write.ConstantOfShape(size), dtype=FLOAT.dtype)
        return write.TopK(uniform, size)[1]

    return {
        torch.ops.aten.sort.stable: sort,
        torch.ops.aten.multinomial.default: multinomial,
        torch.ops.aten.randint.low: randint,
        torch.ops.aten.randperm.default: randperm,
    }


def keep_constants(model: Any) -> None:  # noqa: ANN401 - of onnx_ir
    """Enter the constants of a model that have lost their place to others of the same name.

    onnxscript 0.7 names those that it makes of a value's limits for the value, so that the second
    pair of them takes the place of the first.
    """
    graph = model.graph
    for node in graph.all_nodes():
        for value in node.inputs:
            if value is None or value.const_value is None or value.producer() is not None:
                continue
            if not (value.is_initializer() or value.is_graph_input()):
                while value.name in graph.initializers:
                    value.name += "_"
                graph.initializers[value.name] = value
