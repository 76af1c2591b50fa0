"""The names of `gluon.utils`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gluonish.array import NDArray, ndarray
from gluonish.block.hooks import HookHandle  # noqa: F401 - what registers hooks asks
from gluonish.context import is_np_array, is_np_shape  # noqa: F401 - the same
from gluonish.errors import DTypeError
from gluonish.gluon.clipping import clip_global_norm
from gluonish.gluon.download import check_sha1, download, replace_file, repository_url
from gluonish.gluon.splitting import split_and_load, split_data
from gluonish.symbol.np_symbol import NumpySymbol
from gluonish.symbol.symbol import Symbol

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = [
    "check_sha1",
    "clip_global_norm",
    "download",
    "replace_file",
    "shape_is_known",
    "split_and_load",
    "split_data",
]
_UNSTARRED = ("HookHandle", "is_np_shape")

_get_repo_file_url = repository_url  # what programs with files of their own import


def _get_repo_url() -> str:
    """Return the address of MXNet's repository, or of the one MXNET_GLUON_REPO names."""
    return repository_url("", "").rstrip("/") + "/"


def _indent(s_: str, numSpaces: int) -> str:
    """Return a text with spaces before each line but the first."""
    first, *others = s_.split("\n")
    return "\n".join([first, *[" " * numSpaces + line for line in others]])


def _brief_print_list(lst: Sequence[object], limit: int = 7) -> str:
    """Return names in quotes, those in the middle left out where there are many."""
    if len(lst) > limit:
        start, end = lst[: limit // 2], lst[-limit // 2 :]
        return f"{_brief_print_list(start, limit)}, ..., {_brief_print_list(end, limit)}"
    return ", ".join(f"'{one}'" for one in lst)


def shape_is_known(shape: Sequence[int] | None) -> bool:
    """Return whether a shape has no unknown dimension: 0, or -1 under NumPy's shapes.

    Examples
    --------
    >>> from gluonish.gluon.utils import shape_is_known
    >>> shape_is_known((2, 3)), shape_is_known((0, 3)), shape_is_known(None)
    (True, False, False)
    """
    if shape is None:
        return False
    smallest = 0 if is_np_shape() else 1
    return (len(shape) > 0 or is_np_shape()) and all(size >= smallest for size in shape)


def _check_all_np_ndarrays(out: object) -> None:
    """Refuse arrays and symbols, in lists and tuples too, that are not those of `mx.np`."""
    if isinstance(out, (list, tuple)):
        for each in out:
            _check_all_np_ndarrays(each)
    elif isinstance(out, (NDArray, Symbol)) and not isinstance(out, (ndarray, NumpySymbol)):
        msg = (
            f"Block's output ndarrays/symbols must be of type `mxnet.numpy.ndarray` or "
            f"`mxnet.symbol.numpy._Symbol`, while got output type {type(out)}. Write "
            f"as_np_ndarray() behind it."
        )
        raise DTypeError(msg)


def _check_same_symbol_type(symbols: Sequence[Symbol]) -> type[Symbol]:
    """Return whether symbols are those of `mx.sym.np` or `mx.sym`, by the class; refuse both."""
    kinds = {isinstance(symbol, NumpySymbol) for symbol in symbols}
    if len(kinds) > 1:
        msg = (
            "Found both classic symbol (mx.sym.Symbol) and numpy symbol (mx.sym.np._Symbol) "
            "in outputs. Expected one kind. Write as_np_ndarray() or as_nd_ndarray() behind the "
            "others."
        )
        raise DTypeError(msg)
    return NumpySymbol if kinds == {True} else Symbol
