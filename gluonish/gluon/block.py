"""MXNet's import path of the Blocks, with helpers that Blocks of other libraries import."""

from __future__ import annotations

import os.path
from typing import TYPE_CHECKING, Any

from gluonish.array import NDArray
from gluonish.block import Block, HybridBlock, Parameter, ParameterDict, SymbolBlock
from gluonish.block.hooks import HookHandle
from gluonish.block.naming import BlockScope as _BlockScope
from gluonish.errors import DeferredInitializationError, InvalidArgumentError
from gluonish.gluon.parameter import tensor_types
from gluonish.gluon.utils import _brief_print_list, _indent
from gluonish.symbol import Symbol

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gluonish.context import Context

__all__ = ["Block", "HybridBlock", "SymbolBlock"]

_FOR_BLOCKS_OF_OTHERS = (
    DeferredInitializationError,
    HookHandle,
    Parameter,
    ParameterDict,
    _BlockScope,
    _brief_print_list,
    _indent,
    tensor_types,
)


def _flatten(args: Any, inout_str: str) -> tuple[list[Any], Any]:
    """Return what is in nested lists as one list, and the format that `_regroup` reads.

    It has 0 for an array, -1 for None, the number of outputs for a Symbol of several.

    Raises
    ------
    InvalidArgumentError
        There is something else.
    """
    if args is None:
        return [None], -1
    if isinstance(args, NDArray):
        return [args], 0
    if isinstance(args, Symbol):
        count = len(args.list_outputs())
        return [args], count if count > 1 else 0
    if isinstance(args, (list, tuple)):
        parts = [_flatten(each, inout_str) for each in args]
        return [one for flat, _ in parts for one in flat], [fmt for _, fmt in parts]
    msg = (
        f"When hybridized, the input of HybridBlock {inout_str} must be (nested) list of Symbol or "
        f"NDArray, but got {args} of type {type(args)}"
    )
    raise InvalidArgumentError(msg)


def _regroup(args: Any, fmt: Any) -> tuple[Any, Any]:
    """Return nested lists of a format out of one list, and what is left of that.

    Raises
    ------
    InvalidArgumentError
        There is something where the format says None.
    """
    if not isinstance(fmt, int):
        groups = []
        for each in fmt:
            group, args = _regroup(args, each)
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


def _common_prefix(names: Sequence[str]) -> str:
    """Return what all names begin with."""
    return os.path.commonprefix(list(names))  # noqa: RUF071 - names, not paths


def _gather_type_ctx_info(args: Any) -> tuple[bool, bool, set[Context], Context | None]:
    """Return whether there are Symbols and arrays in lists, all contexts, and the first one."""
    if isinstance(args, NDArray):
        return False, True, {args.context}, args.context
    if isinstance(args, Symbol):
        return True, False, set(), None
    has_symbol, has_array, contexts, first = False, False, set(), None
    for each in args if isinstance(args, (list, tuple)) else ():
        inner = _gather_type_ctx_info(each)
        has_symbol, has_array = has_symbol or inner[0], has_array or inner[1]
        contexts |= inner[2]
        first = inner[3] if first is None else first
    return has_symbol, has_array, contexts, first
