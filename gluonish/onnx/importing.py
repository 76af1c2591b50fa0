"""Reads ONNX models as graphs with parameters."""

from __future__ import annotations

import importlib
import os
from typing import TYPE_CHECKING, Any

import numpy as onp

from gluonish.block import SymbolBlock
from gluonish.errors import ConversionError, FileFormatError, MissingExtraError, MissingFileError
from gluonish.errors.wording import listed
from gluonish.ndarray import array
from gluonish.onnx.operators import OPERATORS
from gluonish.onnx.shapes import fold_lengths
from gluonish.onnx.values import Graph, Node
from gluonish.symbol import Group, Symbol, var

if TYPE_CHECKING:
    from types import ModuleType

    from gluonish.array import NDArray
    from gluonish.context import Contexts
    from gluonish.onnx.values import Value

    FileName = str | os.PathLike[str]

__all__ = ["get_model_metadata", "import_model", "import_to_gluon"]

OPSETS = range(6, 25)  # versions of ONNX's operators; those in between change what is known here
# Operators that are computed while a model is read, of constants alone.
_KNOWN_ONLY = (
    "Constant", "EyeLike", "NonZero", "Range", "ScatterElements", "ScatterND", "Shape",
)  # fmt: skip


def import_model(model_file: FileName) -> tuple[Symbol, dict[str, NDArray], dict[str, NDArray]]:
    """Return the graph of an ONNX model, and its parameters.

    Parameters
    ----------
    model_file : path
        The model, with operators of versions 6 to 24.

    Returns
    -------
    tuple
        A Symbol, and dictionaries of arrays: arguments, and auxiliary states.

    Raises
    ------
    MissingFileError
        There is no such file.
    FileFormatError
        The file is no ONNX model.
    ConversionError
        There is no way for some of its operators; the message names all of them.
    MissingExtraError
        The package onnx is not installed: `pip install 'gluonish[onnx]'`.

    Examples
    --------
    ::

        sym, arg_params, aux_params = mx.contrib.onnx.import_model('net.onnx')
        module = mx.mod.Module(sym, ['data'], None)
    """
    outputs, _, graph = _read(model_file)
    arrays = {name: array(value, dtype=value.dtype) for name, value in graph.params.items()}
    used = set(outputs.list_inputs())
    arg = {name: each for name, each in arrays.items() if name in used - graph.auxiliary}
    aux = {name: each for name, each in arrays.items() if name in used & graph.auxiliary}
    return outputs, arg, aux


def import_to_gluon(model_file: FileName, ctx: Contexts = None) -> SymbolBlock:
    """Return an ONNX model as a Block.

    Parameters
    ----------
    model_file : path
        The model, with operators of versions 6 to 24.
    ctx : Context or list of Context, optional
        Where to put its parameters; the CPU by default.

    Raises
    ------
    MissingFileError, FileFormatError, ConversionError, MissingExtraError
        As of `import_model`.

    Examples
    --------
    ::

        net = mx.contrib.onnx.import_to_gluon('net.onnx', ctx=mx.cpu())
        net(x)
    """
    outputs, inputs, graph = _read(model_file)
    net = SymbolBlock(outputs, [var(name) for name in inputs])
    params = net.collect_params()
    values = {
        name: array(value, dtype=value.dtype)
        for name, value in graph.params.items()
        if name in params
    }
    for name, value in values.items():
        params[name].cast(value.dtype)
    params.load_dict(values, ctx=ctx)
    return net


def get_model_metadata(model_file: FileName) -> dict[str, list[Any]]:
    """Return the names and shapes of an ONNX model's inputs and outputs.

    Parameters
    ----------
    model_file : path
        The model.

    Returns
    -------
    dict
        Lists of pairs, `input_tensor_data` and `output_tensor_data`. Lengths that are not fixed
        are 0.

    Raises
    ------
    MissingFileError, FileFormatError, MissingExtraError
        As of `import_model`.

    Examples
    --------
    ::

        mx.onnx.get_model_metadata('net.onnx')
        # {'input_tensor_data': [('data', (1, 3, 224, 224))],
        #  'output_tensor_data': [('fc', (1, 1000))]}
    """
    graph = _load(model_file, values=False).graph
    values = {each.name for each in graph.initializer}
    return {
        "input_tensor_data": [_described(each) for each in graph.input if each.name not in values],
        "output_tensor_data": [_described(each) for each in graph.output],
    }


def package(name: str) -> ModuleType:
    """Return a module of the package onnx.

    Raises
    ------
    MissingExtraError
        It is not installed.
    """
    try:
        return importlib.import_module(name)
    except ImportError as error:
        msg = (
            f"mx.onnx: the package onnx is not installed ({error}). Expected it for ONNX models. "
            f"Install it with: pip install 'gluonish[onnx]'"
        )
        raise MissingExtraError(msg) from error


def _described(value: Any) -> tuple[str, tuple[int, ...]]:
    return value.name, tuple(each.dim_value for each in value.type.tensor_type.shape.dim)


def _load(model_file: FileName, *, values: bool = True) -> Any:
    onnx, path = package("onnx"), os.fspath(model_file)
    damaged = importlib.import_module("google.protobuf.message").DecodeError
    try:
        return onnx.load(path, load_external_data=values)
    except FileNotFoundError as error:
        msg = (
            f"mx.onnx: there is no file {error.filename or path!r}. Expected an ONNX model, with "
            f"its data beside it. Look at the name."
        )
        raise MissingFileError(msg) from error
    except damaged as error:
        msg = (
            f"mx.onnx: {path!r} is no ONNX model, or is damaged. Expected one. Write or copy it "
            f"again."
        )
        raise FileFormatError(msg) from error


# --- reading a graph ---------------------------------------------------------------------------


def _read(model_file: FileName) -> tuple[Symbol, list[str], Graph]:
    """Return a model's outputs, the names of its inputs, and the graph they are in."""
    model = _load(model_file)
    onnx = package("onnx")
    opset = next((each.version for each in model.opset_import if each.domain in ("", "ai.onnx")), 0)
    _check(model, opset, os.fspath(model_file))
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
    graph.used = {name for each in source.node for name in each.input}
    graph.used |= {each.name for each in source.output}
    for number, each in enumerate(source.node):
        _add(each, number, graph)
    outputs = [Node("Output", each.name, [each.name], [], {}, graph)[0] for each in source.output]
    return (Group(outputs) if len(outputs) > 1 else outputs[0]), inputs, graph


def _check(model: Any, opset: int, path: str) -> None:
    if opset not in OPSETS:
        msg = (
            f"mx.onnx: {path!r} has operators of version {opset}. Expected versions from "
            f"{OPSETS[0]} to {OPSETS[-1]}. Convert it with onnx.version_converter."
        )
        raise ConversionError(msg)
    own = {(each.domain, each.name) for each in model.functions}
    bodies = [model.graph.node, *(each.node for each in model.functions)]
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
    if result is None and all(_is_known(value) for value in given) and not _is_random(each.op_type):
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
