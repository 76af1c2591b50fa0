"""`Symbol.infer_shape`, `infer_type` and their like: what users give and what they get."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING, Any, TypeAlias

import torch

from gluonish.array.dtypes import DTYPE_OF_CODE, numpy_dtype, torch_dtype
from gluonish.array.texts import parse_int, parse_shape
from gluonish.context import is_np_shape
from gluonish.errors import DTypeError, SymbolError, SymbolNameError, SymbolTypeError
from gluonish.errors.suggestions import did_you_mean
from gluonish.errors.tracebacks import users_level
from gluonish.symbol import dtype_inference, shape_inference
from gluonish.symbol.graph import order, variables
from gluonish.symbol.shape_inference import known_part

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from gluonish.symbol.graph import Entry, Node
    from gluonish.symbol.shape_inference import Shape
    from gluonish.symbol.symbol import Symbol

Found: TypeAlias = "tuple[list[Any], list[Any], list[Any]] | tuple[None, None, None]"

_SHOWN = 10  # unknown arguments that a warning names


def shapes_of(
    symbol: Symbol,
    args: Sequence[Any],
    kwargs: Mapping[str, Any],
    *,
    is_partial: bool,
) -> Found:
    """Return what `infer_shape` returns; see there."""
    given = _by_name(symbol, args, kwargs, "shapes")
    nodes = order(symbol.entries)
    shapes = declared_shapes(nodes)
    for name, value in given.items():
        shape = _given_shape(name, value)
        if shape is not None:
            shapes[name] = shape
    declared = declared_dtypes(nodes)
    try:
        found = shape_inference.infer(symbol.entries, shapes, declared)
    except DTypeError:  # which is for those who run it: MXNet looks at shapes alone
        alike = {
            name: torch.float32 if dtype.is_floating_point else dtype
            for name, dtype in declared.items()
        }
        found = shape_inference.infer(symbol.entries, shapes, alike)
    lists = _sorted_out(symbol, nodes, found)
    unknown = [shape for part in lists for shape in part if shape is None or None in shape]
    shown: tuple[list[Any], ...] = tuple([_shown_shape(shape) for shape in part] for part in lists)
    if unknown and not is_partial:
        what = "shape", " (0s in shape means unknown dimensions)"
        _warn(*what, symbol, lists[0], shown[0], lambda shape: shape is None or None in shape)
        return None, None, None
    return shown[0], shown[1], shown[2]


def dtypes_of(
    symbol: Symbol,
    args: Sequence[Any],
    kwargs: Mapping[str, Any],
    *,
    is_partial: bool,
) -> Found:
    """Return what `infer_type` returns; see there."""
    given = _by_name(symbol, args, kwargs, "types")
    nodes = order(symbol.entries)
    dtypes = declared_dtypes(nodes) | {name: torch_dtype(dtype) for name, dtype in given.items()}
    found = dtype_inference.infer(symbol.entries, dtypes)
    lists = _sorted_out(symbol, nodes, found)
    shown: tuple[list[Any], ...] = tuple([_shown_dtype(dtype) for dtype in part] for part in lists)
    if not is_partial and any(dtype is None for part in lists for dtype in part):
        _warn("type", "", symbol, lists[0], shown[0], lambda dtype: dtype is None)
        return None, None, None
    return shown[0], shown[1], shown[2]


def declared_shapes(nodes: Iterable[Node]) -> dict[str, Shape]:
    """Return the shapes that variables say they have."""
    found = {}
    for node in nodes:
        text = node.attrs.get("__shape__") if node.is_variable else None
        shape = None if text is None else known_part(parse_shape(text, f"__shape__ of {node.name}"))
        if shape is not None:
            found[node.name] = shape
    return found


def declared_dtypes(nodes: Iterable[Node]) -> dict[str, torch.dtype]:
    """Return the dtypes that variables say they have."""
    found = {}
    for node in nodes:
        text = node.attrs.get("__dtype__") if node.is_variable else None
        code = -1 if text is None else parse_int(text, f"__dtype__ of {node.name}")
        if code in DTYPE_OF_CODE:
            found[node.name] = DTYPE_OF_CODE[code]
    return found


def _by_name(
    symbol: Symbol, args: Sequence[Any], kwargs: Mapping[str, Any], what: str
) -> dict[str, Any]:
    """Return what was given, by the arguments' names; what is None is left out."""
    if args and kwargs:
        msg = (
            f"{symbol!r}: Can only specify known argument {what} either by positional or kwargs "
            f"way. Give all of them by name."
        )
        raise SymbolNameError(msg)
    names = symbol.list_arguments()
    if len(args) > len(names):
        msg = (
            f"{symbol!r}: {len(args)} {what} were given. Expected at most {len(names)}, for the "
            f"arguments {names}."
        )
        raise SymbolError(msg)
    given = dict(zip(names, args, strict=False)) or dict(kwargs)
    candidates = symbol.list_inputs()
    unknown = sorted(given.keys() - set(candidates))
    if unknown:
        near = [*candidates[:_SHOWN], f"... {len(candidates) - _SHOWN} more"][: len(candidates)]
        msg = (
            f"{symbol!r}: argument name {', '.join(unknown)} not found. Candidate arguments: "
            f"{', '.join(near)}."
            f"{did_you_mean(unknown[0], candidates) or f' Write for example {candidates[0]}=...'}"
        )
        raise SymbolNameError(msg)
    return {name: value for name, value in given.items() if value is not None}


def _given_shape(name: str, shape: Any) -> Shape | None:
    if not isinstance(shape, tuple) or not all(hasattr(size, "__index__") for size in shape):
        msg = (
            f"Arguments need to be shapes (tuple), but '{name}' is {type(shape)}: {shape!r} was "
            f"given. Expected a tuple of integers. Name the input: {name}=(2, 3), for example."
        )
        raise SymbolTypeError(msg)
    return known_part(shape)


def _sorted_out(
    symbol: Symbol, nodes: Sequence[Node], found: Mapping[Entry, Any]
) -> tuple[list[Any], list[Any], list[Any]]:
    """Return what was found for arguments, outputs and auxiliary states."""
    by_node = {id(entry.node): value for entry, value in found.items() if entry.node.is_variable}
    arguments, updated = ([by_node[id(node)] for node in part] for part in variables(nodes))
    return arguments, [found[entry] for entry in symbol.entries], updated


def _shown_shape(shape: Shape | None) -> tuple[int, ...] | None:
    if is_np_shape():
        return None if shape is None else tuple(-1 if size is None else size for size in shape)
    return () if shape is None else tuple(size or 0 for size in shape)


def _shown_dtype(dtype: torch.dtype | None) -> Any:
    if dtype is None:
        return None
    found = numpy_dtype(dtype)
    return found if found.names else found.type


def _warn(
    what: str,
    remark: str,
    symbol: Symbol,
    values: Iterable[Any],
    shown: Iterable[Any],
    is_unknown: Callable[[Any], bool],
) -> None:
    names = symbol.list_arguments()
    lines = [
        f"{name}: {text}"
        for name, value, text in zip(names, values, shown, strict=True)
        if is_unknown(value)
    ]
    if len(lines) > _SHOWN:
        lines = [*lines[:_SHOWN], "..."]
    msg = (
        f"Cannot decide {what} for the following arguments{remark}. Consider providing them as "
        f"input:\n\t" + "\n\t".join(lines)
    )
    warnings.warn(msg, stacklevel=users_level())
