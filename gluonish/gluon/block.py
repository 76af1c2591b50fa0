"""MXNet's import path of the Blocks, with helpers that Blocks of other libraries import."""

from __future__ import annotations

import os.path
from typing import TYPE_CHECKING, Any

from gluonish.array import NDArray
from gluonish.array.symbols import is_symbol
from gluonish.block import Block, HybridBlock, Parameter, ParameterDict
from gluonish.block.hooks import HookHandle
from gluonish.block.naming import BlockScope as _BlockScope
from gluonish.block.nesting import flatten as _flatten, regroup as _regroup
from gluonish.errors import DeferredInitializationError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gluonish.block import SymbolBlock
    from gluonish.context import Context

__all__ = ["Block", "HybridBlock", "SymbolBlock"]

_FOR_BLOCKS_OF_OTHERS = (
    DeferredInitializationError,
    HookHandle,
    Parameter,
    ParameterDict,
    _BlockScope,
    _flatten,
    _regroup,
)
_LATE_NAMES = {  # for them, too
    "gluonish.block.symbol_block": ("SymbolBlock",),
    "gluonish.gluon.kinds": ("tensor_types",),
    "gluonish.gluon.utils": ("_brief_print_list", "_indent"),
    "gluonish.symbol": ("Symbol",),
}


def _common_prefix(names: Sequence[str]) -> str:
    """Return what all names begin with."""
    return os.path.commonprefix(list(names))  # noqa: RUF071 - names, not paths


def _gather_type_ctx_info(args: Any) -> tuple[bool, bool, set[Context], Context | None]:
    """Return whether there are Symbols and arrays in lists, all contexts, and the first one."""
    if isinstance(args, NDArray):
        return False, True, {args.context}, args.context
    if is_symbol(args):
        return True, False, set(), None
    has_symbol, has_array, contexts, first = False, False, set(), None
    for each in args if isinstance(args, (list, tuple)) else ():
        inner = _gather_type_ctx_info(each)
        has_symbol, has_array = has_symbol or inner[0], has_array or inner[1]
        contexts |= inner[2]
        first = inner[3] if first is None else first
    return has_symbol, has_array, contexts, first
