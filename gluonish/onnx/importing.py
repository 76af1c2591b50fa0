"""Reads ONNX models as graphs with parameters."""

from __future__ import annotations

import importlib
import os
from typing import TYPE_CHECKING, Any

from gluonish.block import SymbolBlock
from gluonish.errors import FileFormatError, MissingExtraError, MissingFileError
from gluonish.ndarray import array
from gluonish.symbol import var

if TYPE_CHECKING:
    from types import ModuleType

    from gluonish.array import NDArray
    from gluonish.context import Contexts
    from gluonish.onnx.values import Graph
    from gluonish.symbol import Symbol

    FileName = str | os.PathLike[str]

__all__ = ["get_model_metadata", "import_model", "import_to_gluon"]


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


def _read(model_file: FileName) -> tuple[Symbol, list[str], Graph]:
    # Only here: most programs read no such model, and importing it takes a while.
    from gluonish.onnx.reading import read

    return read(_load(model_file), os.fspath(model_file))
