"""Writes graphs with their parameters as ONNX models."""

from __future__ import annotations

import logging
import os
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as onp

from gluonish.array.dtypes import numpy_dtype, torch_dtype
from gluonish.errors import ArgumentKindError, InvalidArgumentError, ShapeError
from gluonish.ndarray.io import save
from gluonish.onnx.importing import package
from gluonish.symbol import Symbol, load

if TYPE_CHECKING:
    from typing import TypeAlias

    from gluonish.array import NDArray
    from gluonish.array.dtypes import DTypeLike

    FileName: TypeAlias = str | os.PathLike[str]
    Params: TypeAlias = Mapping[str, NDArray] | Sequence[Mapping[str, NDArray]] | FileName
    Shapes: TypeAlias = Sequence[tuple[int, ...]]
    Types: TypeAlias = DTypeLike | Sequence[DTypeLike]

__all__ = ["export_model"]

_LOG = logging.getLogger(__name__)
_FLOATS = ("float16", "float32", "float64")


def export_model(
    sym: Symbol | FileName,
    params: Params,
    in_shapes: Shapes | None = None,
    in_types: Types = "float32",
    onnx_file_path: FileName = "model.onnx",
    verbose: bool = False,
    dynamic: bool = False,
    dynamic_input_shapes: Sequence[Sequence[int | str | None]] | None = None,
    run_shape_inference: bool = False,
    input_type: Types | None = None,
    input_shape: Shapes | None = None,
) -> str:
    """Write a graph and its parameters as an ONNX model, and check what the model computes.

    It is what `gluonish convert --to onnx` does.

    Parameters
    ----------
    sym : Symbol or path
        The graph, or its file.
    params : dict, list of two dicts, or path
        The parameters, `arg_params` and `aux_params`, or their file. Names may begin with `arg:`
        and `aux:`.
    in_shapes : list of tuple of int
        The shape of each input in the graph's order; labels may be left out. By default what
        follows from the parameters' shapes, for a batch of 1, if that is all.
    in_types : dtype or list of dtype, default 'float32'
        What inputs and parameters are: float16, float32 or float64, all the same.
    onnx_file_path : path, default 'model.onnx'
        Where to write the model. A file that is there is replaced.
    verbose : bool, default False
        Whether the log tells what was done and checked.
    dynamic : bool, default False
        Whether the model takes batches of any length.
    dynamic_input_shapes : list of tuple, optional
        With `dynamic`, the shapes with None or a name in place of the length of the batch.
    run_shape_inference : bool, default False
        Whether onnx writes the shapes of all values inside into the model.
    input_type, input_shape
        Older names of `in_types` and `in_shapes`.

    Returns
    -------
    str
        The file's name.

    Raises
    ------
    InvalidArgumentError
        The shapes are not those of the inputs, or the types not equal floating-point ones.
    ConversionError
        An operator can't be written, or the model does not compute the same; all reasons at once.
    MissingExtraError
        The package onnx is not installed: `pip install 'gluonish[onnx]'`.

    Notes
    -----
    With `dynamic`, MXNet leaves all lengths open; here it is that of the batch, the first axis.

    Examples
    --------
    ::

        net.export('net')
        mx.onnx.export_model('net-symbol.json', 'net-0000.params', [(1, 3, 224, 224)],
                             onnx_file_path='net.onnx', dynamic=True)
    """
    shapes = in_shapes if input_shape is None else input_shape
    dtype = _float_type(in_types if input_type is None else input_type)
    _check_dynamic(dynamic, dynamic_input_shapes, shapes)
    target = os.fspath(onnx_file_path)
    # Only here: it needs the packages of an extra, and importing it takes a while.
    from gluonish.conversion import convert

    with tempfile.TemporaryDirectory() as folder:
        graph, values = _files(sym, params, Path(folder))
        names = _inputs(load(graph), _names(values))
        given = _named(names, shapes)
        try:
            done = convert(
                [graph, values],
                "onnx",
                target,
                dtype=None if dtype == "float32" else dtype,
                input_shapes=given,
                dynamic_batch=dynamic,
                force=True,
            )
        except ShapeError as error:
            told = f"in_shapes={list(given.values())} was given for {names}"
            msg = f"onnx.export_model: {told}. {error}"
            raise ShapeError(msg) from None
    if run_shape_inference:
        package("onnx.shape_inference").infer_shapes_path(target, target)
    if verbose:
        for each in done:
            _LOG.warning("%s: %s", target, "; ".join([each.checks, *each.notes]))
    return target


def _float_type(given: Types) -> str:
    types: list[Any] = list(given) if isinstance(given, (list, tuple)) else [given]
    names = {onp.dtype(numpy_dtype(torch_dtype(each))).name for each in types}
    if len(names) == 1 and names <= set(_FLOATS):
        return names.pop()
    msg = (
        f"onnx.export_model: in_types={sorted(names)} was given. Expected one of "
        f"{', '.join(_FLOATS)} for all inputs; those that are indices are written as whole "
        f"numbers in this type. Leave in_types out for float32."
    )
    raise InvalidArgumentError(msg)


def _check_dynamic(
    dynamic: bool, given: Sequence[Sequence[int | str | None]] | None, shapes: Shapes | None
) -> None:
    if given is None:
        return
    fixed = [tuple(shape) for shape in shapes or ()]
    batches = [tuple(shape) for shape in given]
    alike = len(fixed) == len(batches) and all(
        len(one) == len(other) and not isinstance(one[0], int) and one[1:] == other[1:]
        for one, other in zip(batches, fixed, strict=True)
    )
    if not (dynamic and alike):
        msg = (
            f"onnx.export_model: dynamic={dynamic} and dynamic_input_shapes={batches} were given "
            f"for in_shapes={fixed}. Expected dynamic=True, and the same shapes with None as the "
            f"first length alone. Leave dynamic_input_shapes out, it is what dynamic=True means."
        )
        raise InvalidArgumentError(msg)


def _files(sym: object, params: Params, folder: Path) -> tuple[str, str]:
    """Return the names of files of a graph and its parameters, written where need be."""
    if isinstance(sym, Symbol):
        graph = str(folder / "model-symbol.json")
        sym.save(graph)
    elif isinstance(sym, (str, os.PathLike)):
        graph = os.fspath(sym)
    else:
        msg = (
            f"onnx.export_model: a {type(sym).__name__} was given as sym. Expected a Symbol, or "
            f"the name of its file. Of a net: net.export('net'), then export_model("
            f"'net-symbol.json', 'net-0000.params', [(1, 3, 224, 224)], onnx_file_path='net.onnx')."
        )
        raise ArgumentKindError(msg)
    if isinstance(params, (str, os.PathLike)):
        return graph, os.fspath(params)
    parts = [params] if isinstance(params, Mapping) else params
    arrays = {name: array for part in parts for name, array in part.items()}
    values = str(folder / "model-0000.params")
    save(values, {name if ":" in name else f"arg:{name}": each for name, each in arrays.items()})
    return graph, values


def _names(values: str) -> set[str]:
    from gluonish.serialization.any_format import open_arrays

    with open_arrays(values) as arrays:
        return {item.name.removeprefix("arg:").removeprefix("aux:") for item in arrays.items}


def _inputs(symbol: Symbol, params: set[str]) -> list[str]:
    return [name for name in symbol.list_inputs() if name not in params]


def _named(names: list[str], shapes: Shapes | None) -> dict[str, tuple[int, ...]]:
    if shapes is None:
        return {}
    if any(not isinstance(shape, (tuple, list)) for shape in shapes):
        msg = (
            f"onnx.export_model: in_shapes={shapes!r} was given. Expected a list of shapes, one "
            f"for each input. Write in_shapes=[{shapes!r}]."
        )
        raise InvalidArgumentError(msg)
    given = [tuple(shape) for shape in shapes]
    wanted = names
    if len(given) < len(names):  # those that only training needs
        wanted = [name for name in names if not name.endswith("label")]
    if len(given) != len(wanted):
        known = dict(zip(wanted, map(str, given), strict=False))
        shown = [known.get(name, f"shape of {name!r}") for name in wanted]
        msg = (
            f"onnx.export_model: in_shapes={given} was given, {len(given)} shapes. Expected one "
            f"for each of the inputs, in their order: in_shapes=[{', '.join(shown)}]."
        )
        raise InvalidArgumentError(msg)
    return dict(zip(wanted, given, strict=True))
