"""How operators are written into ONNX models that torch's exporter does not know."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

import torch

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    Value = Any  # of onnxscript

_SUFFIX: Final = re.compile(r"_output(\d*)$")


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


def output_names(outputs: Sequence[str], inputs: Sequence[str]) -> list[str]:
    """Return the names of a model's outputs: those of nodes, as MXNet's exporter writes them.

    Examples
    --------
    >>> from gluonish.conversion.onnx_translations import output_names
    >>> output_names(["fc_output", "split_output0", "split_output1", "data"], ["data"])
    ['fc', 'split0', 'split1', 'data_output']
    """
    short = [_SUFFIX.sub(r"\1", name) for name in outputs]
    short = [f"{name}_output" if name in inputs else name for name in short]
    return short if len(set(short)) == len(short) else list(outputs)


def keep_parameters(model: Any, names: Mapping[str, str]) -> None:  # noqa: ANN401 - of onnx_ir
    """Give a model's parameters their own names, where nodes that only hand them on had others."""
    graph = model.graph
    for node in list(graph):
        handed = node.inputs[0] if node.op_type == "Identity" else None
        if handed is not None and handed.is_initializer() and not node.outputs[0].is_graph_output():
            node.outputs[0].replace_all_uses_with(handed)
            graph.remove(node, safe=True)
    taken = {value.name for node in graph.all_nodes() for value in node.outputs}
    for old, new in names.items():
        value = graph.initializers.pop(old, None)
        if value is not None:
            value.name = new if new not in taken and new not in graph.initializers else old
            graph.initializers[value.name] = value


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
