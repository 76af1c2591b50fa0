"""Reads the graph of an ONNX model, node by node."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as onp

from gluonish.errors import ConversionError
from gluonish.errors.wording import listed
from gluonish.onnx.importing import package
from gluonish.onnx.operators import OPERATORS
from gluonish.onnx.shapes import fold_lengths
from gluonish.onnx.values import Graph, Node
from gluonish.symbol import Group, Symbol, var

if TYPE_CHECKING:
    from collections.abc import Iterator

    from gluonish.onnx.values import Value

OPSETS = range(6, 25)  # versions of ONNX's operators; those in between change what is known here
# Operators that are computed while a model is read, of constants alone.
_UNFOLDED = ("ConstantFill", "If", "Loop", "Scan")  # by ONNX's own evaluator
_GRAPHS = (5, 10)  # ONNX's numbers of the kinds of attributes that are a graph, or several
_KNOWN_ONLY = (
    "Constant", "EyeLike", "NonZero", "Range", "ScatterElements", "ScatterND", "Shape",
)  # fmt: skip


def read(model: Any, path: str) -> tuple[Symbol, list[str], Graph]:
    """Return a model's outputs, the names of its inputs, and the graph they are in."""
    onnx = package("onnx")
    opset = next((each.version for each in model.opset_import if each.domain in ("", "ai.onnx")), 0)
    _check(model, opset, path)
    model = onnx.inliner.inline_local_functions(model) if model.functions else model
    model = package("onnx.shape_inference").infer_shapes(model, data_prop=True)
    source = model.graph
    graph = Graph(opset=opset)
    to_array = package("onnx.numpy_helper").to_array
    graph.values = {each.name: _plain(to_array(each)) for each in source.initializer}
    inputs = []
    for each in (*source.value_info, *source.output, *source.input):
        graph.types[each.name] = each.type.tensor_type.elem_type
        if each.type.tensor_type.HasField("shape"):
            graph.shapes[each.name] = [
                dim.dim_value if dim.HasField("dim_value") else None
                for dim in each.type.tensor_type.shape.dim
            ]
    for each in source.input:
        if each.name not in graph.values:
            inputs.append(each.name)
            graph.values[each.name] = var(each.name)
            shape = [length or 0 for length in graph.shapes.get(each.name, ())]
            if shape:
                graph.given[each.name] = tuple(shape)
    graph.read = _outputs
    _run(source, graph)
    outputs = [Node("Output", each.name, [each.name], [], {}, graph)[0] for each in source.output]
    return (Group(outputs) if len(outputs) > 1 else outputs[0]), inputs, graph


def _outputs(source: Any, graph: Graph) -> list[Value]:
    """Return the outputs of a graph that a node holds."""
    to_array = package("onnx.numpy_helper").to_array
    graph.values |= {each.name: _plain(to_array(each)) for each in source.initializer}
    _run(source, graph)
    return [graph.values[each.name] for each in source.output]


def _run(source: Any, graph: Graph) -> None:
    """Compute the values of all nodes of a graph."""
    graph.used = {name for body in _bodies(source) for each in body for name in each.input}
    graph.used |= {each.name for each in source.output}
    for inner in _inner(source):
        graph.used |= {each.name for each in inner.output}
    for number, each in enumerate(source.node):
        _add(each, number, graph)


def _inner(source: Any) -> Iterator[Any]:
    """Yield the graphs that nodes of a graph or function hold, and those inside of them."""
    for node in source.node:
        for attr in node.attribute:
            for graph in (attr.g, *attr.graphs) if attr.type in _GRAPHS else ():
                yield graph
                yield from _inner(graph)


def _bodies(source: Any) -> list[Any]:
    """Return the nodes of a graph or function, and of all graphs inside of it."""
    return [source.node, *(each.node for each in _inner(source))]


def _check(model: Any, opset: int, path: str) -> None:
    if opset not in OPSETS:
        msg = (
            f"mx.onnx: {path!r} has operators of version {opset}. Expected versions from "
            f"{OPSETS[0]} to {OPSETS[-1]}. Convert it with onnx.version_converter."
        )
        raise ConversionError(msg)
    own = {(each.domain, each.name) for each in model.functions}
    bodies = [body for each in (model.graph, *model.functions) for body in _bodies(each)]
    unknown = {
        each.op_type if each.domain in ("", "ai.onnx") else f"{each.domain}.{each.op_type}"
        for body in bodies
        for each in body
        if (each.domain, each.op_type) not in own
        and (each.domain not in ("", "ai.onnx") or each.op_type not in {*OPERATORS, *_KNOWN_ONLY})
    }
    if unknown:
        msg = (
            f"mx.onnx: {path!r} has operators that there is no way for: {listed(sorted(unknown))}. "
            f"Expected those of mx.onnx.operators. Export the model without them, or run it with "
            f"onnxruntime."
        )
        raise ConversionError(msg)


def _add(each: Any, number: int, graph: Graph) -> None:
    """Compute the values of one node."""
    get = package("onnx.helper").get_attribute_value
    attrs = {attr.name: _attribute(get(attr)) for attr in each.attribute}
    inputs, outputs = list(each.input), list(each.output)
    name = each.name or next(filter(None, outputs), f"node{number}")
    node = Node(each.op_type, name, inputs, outputs, attrs, graph)
    given = [graph.values[one] for one in inputs if one]
    result: Any = fold_lengths(node)
    is_foldable = each.op_type not in _UNFOLDED and not _is_random(each.op_type)
    if result is None and is_foldable and all(_is_known(value) for value in given):
        result = _folded(each, given, graph)
    if result is None and each.op_type in _KNOWN_ONLY:
        node.refuse("its inputs are computed", "constants")
    if result is None:
        result = OPERATORS[each.op_type](node)
    results = result if isinstance(result, list) else [result]
    for output, value in zip(outputs, results, strict=False):
        graph.values[output] = value
    missing = [output for output in outputs[len(results) :] if output in graph.used]
    if missing:
        node.refuse(f"its outputs {listed(missing)} are asked for", f"{len(results)} alone")


def _is_known(value: Value) -> bool:
    return isinstance(value, onp.ndarray) and value.dtype != object


def _is_random(op: str) -> bool:
    return op.startswith("Random") or op in ("Bernoulli", "Dropout", "Multinomial")


def _folded(each: Any, given: list[onp.ndarray], graph: Graph) -> list[onp.ndarray]:
    """Return what a node of known numbers computes, by ONNX's own definition."""
    helper, numpy_helper = package("onnx.helper"), package("onnx.numpy_helper")
    names = [name for name in each.input if name]
    tensors = [
        numpy_helper.from_array(value, name) for name, value in zip(names, given, strict=True)
    ]
    outputs = [helper.make_empty_tensor_value_info(name) for name in each.output if name]
    body = helper.make_graph(
        [each], "node", [], outputs, list({t.name: t for t in tensors}.values())
    )
    model = helper.make_model(body, opset_imports=[helper.make_opsetid("", graph.opset)])
    run = package("onnx.reference").ReferenceEvaluator(model).run
    return [_plain(onp.asarray(value)) for value in run(None, {})]


def _plain(value: onp.ndarray) -> onp.ndarray:
    """Return an array of a dtype that NumPy itself has."""
    return (
        value.astype("float32")
        if value.dtype.kind == "V" or "bfloat16" in str(value.dtype)
        else value
    )


def _attribute(value: Any) -> Any:
    return value.decode() if isinstance(value, bytes) else value
