"""Nested lists of arrays or Symbols: one list and a format, as Blocks of MXNet have them."""

from __future__ import annotations

from typing import Any

from gluonish.array import NDArray
from gluonish.array.symbols import is_symbol
from gluonish.errors import InvalidArgumentError


def flatten(args: Any, inout_str: str) -> tuple[list[Any], Any]:
    """Return what is in nested lists as one list, and the format that `regroup` reads.

    It has 0 for an array, -1 for None, the number of outputs for a Symbol of several.

    Raises
    ------
    InvalidArgumentError
        There is something else.

    Examples
    --------
    >>> import gluonish as mx
    >>> from gluonish.block.nesting import flatten
    >>> x = mx.nd.ones(2)
    >>> flatten([x, [None, x]], "input")[1]
    [0, [-1, 0]]
    """
    if args is None:
        return [None], -1
    if isinstance(args, NDArray):
        return [args], 0
    if is_symbol(args):
        count = len(args.list_outputs())
        return [args], count if count > 1 else 0
    if isinstance(args, (list, tuple)):
        parts = [flatten(each, inout_str) for each in args]
        return [one for flat, _ in parts for one in flat], [fmt for _, fmt in parts]
    msg = (
        f"When hybridized, the input of HybridBlock {inout_str} must be (nested) list of Symbol or "
        f"NDArray, but got {args} of type {type(args)}"
    )
    raise InvalidArgumentError(msg)


def regroup(args: Any, fmt: Any) -> tuple[Any, Any]:
    """Return nested lists of a format out of one list, and what is left of that.

    Raises
    ------
    InvalidArgumentError
        There is something where the format says None.

    Examples
    --------
    >>> from gluonish.block.nesting import regroup
    >>> regroup([1, 2, 3], [0, [0]])
    ([1, [2]], [3])
    """
    if not isinstance(fmt, int):
        groups = []
        for each in fmt:
            group, args = regroup(args, each)
            groups.append(group)
        return groups, args
    if fmt > 0:
        return args[:fmt], args[fmt:]
    if fmt == -1 and args[0] is not None:
        msg = (
            f"We do not support passing types that are not None when the initial HybridBlock has "
            f"received NoneType and has been hybridized. Received arg = {args[0]}, fmt = {fmt}."
        )
        raise InvalidArgumentError(msg)
    return args[0], args[1:]
