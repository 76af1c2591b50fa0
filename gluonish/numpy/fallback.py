"""Functions that NumPy itself computes for `mx.np`, on copies of the values."""

from __future__ import annotations

import functools
import inspect
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as onp
import torch

from gluonish.array import NDArray, ndarray, wrap
from gluonish.array.tensors import assign
from gluonish.context import current_context
from gluonish.errors import MXNetError
from gluonish.errors.arguments import note_call
from gluonish.errors.namespaces import build_late
from gluonish.errors.tracebacks import is_from_ours, shorten

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from types import ModuleType

    from gluonish.context import Context

_ERRORS = (TypeError, ValueError, LookupError, AttributeError, ArithmeticError)
NAMES = (
    "apply_along_axis",
    "apply_over_axes",
    "argpartition",
    "choose",
    "correlate",
    "divmod",
    "float_power",
    "frexp",
    "histogram2d",
    "histogram_bin_edges",
    "histogramdd",
    "i0",
    "intersect1d",
    "ix_",
    "lexsort",
    "modf",
    "nanmedian",
    "nanpercentile",
    "nanquantile",
    "packbits",
    "partition",
    "piecewise",
    "poly",
    "polyadd",
    "polydiv",
    "polyfit",
    "polyint",
    "polymul",
    "polysub",
    "roots",
    "setdiff1d",
    "setxor1d",
    "signbit",
    "spacing",
    "trim_zeros",
    "union1d",
    "unpackbits",
    "unravel_index",
    "unwrap",
)


_OWN = (  # which MXNet leaves to NumPy, and gluonish computes itself
    "allclose alltrue argwhere array_equal array_equiv compress corrcoef count_nonzero cov "
    "digitize extract flatnonzero heaviside in1d interp isclose isin min_scalar_type mirr "
    "msort nanargmax nanargmin nancumprod nancumsum nanmax nanmin nanprod ndim npv positive "
    "ppmt promote_types ptp pv rate real result_type rollaxis searchsorted select size "
    "take_along_axis trapz tril_indices_from triu_indices_from vander"
)

# NumPy's functions under the names of this module of MXNet, as far as NumPy still has them.
__all__ = [name for name in sorted({*NAMES, *_OWN.split()}) if name in vars(onp)]
globals().update({name: getattr(onp, name) for name in __all__})


def fill(module: ModuleType) -> list[str]:
    """Have `mx.np` build the functions, save those it has already; return their names."""
    known = {*vars(module), *dir(module)}
    missing = [name for name in NAMES if name not in known]
    for name in missing:
        build_late(module, name, partial(through_numpy, getattr(onp, name), name))
    return missing


def through_numpy(function: Callable[..., Any], name: str) -> Callable[..., Any]:
    """Return a function that converts arrays to NumPy's, calls `function` and converts back.

    Results are on the context of the first array. There is no gradient: results count as
    constants. What NumPy writes to an array that was given (`out`), and returns, is written to
    that array and returned as it.
    """

    def call(*args: Any, **kwargs: Any) -> Any:
        found: list[tuple[NDArray, onp.ndarray]] = []
        plain_args = [_to_numpy(value, found) for value in args]
        plain_kwargs = {key: _to_numpy(value, found) for key, value in kwargs.items()}
        try:
            result = function(*plain_args, **plain_kwargs)
        except BaseException as error:
            is_told = isinstance(error, MXNetError) or not is_from_ours(error)
            if isinstance(error, _ERRORS) and not is_told:
                note_call(error, [name], call, args, kwargs)
            shorten(error)
            raise
        return _from_numpy(result, _context(found), found)

    call.__name__ = call.__qualname__ = name
    call.__doc__ = (
        f"Return what `numpy.{name}` returns, as `mx.np` arrays; it has no gradient.\n\n"
        f"The arguments are those of `numpy.{name}`.\n"
    )
    try:
        call.__signature__ = inspect.signature(function)  # type: ignore[attr-defined]
    except ValueError:
        return call
    return call


def _to_numpy(value: Any, found: list[tuple[NDArray, onp.ndarray]]) -> Any:
    if isinstance(value, NDArray):
        copied = value.asnumpy()
        found.append((value, copied))
        return copied
    if isinstance(value, (list, tuple)):
        return type(value)(_to_numpy(part, found) for part in value)
    if callable(value) and not isinstance(value, type):
        return _on_arrays(value, found)
    return value


def _on_arrays(
    function: Callable[..., Any], found: list[tuple[NDArray, onp.ndarray]]
) -> Callable[..., Any]:
    """Let a user's function see arrays of ours where NumPy passes its own."""

    @functools.wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        ctx = _context(found)
        result = function(*(_from_numpy(value, ctx) for value in args), **kwargs)
        return _to_numpy(result, found)

    return call


def _context(found: Sequence[tuple[NDArray, onp.ndarray]]) -> Context:
    return found[0][0].context if found else current_context()


def _from_numpy(value: Any, ctx: Context, found: Sequence[tuple[NDArray, onp.ndarray]] = ()) -> Any:
    """Return arrays for NumPy's: of those `found`, the one whose copy NumPy wrote to."""
    if isinstance(value, onp.ndarray) and value.dtype.kind in "biufc":
        for array, copied in found:
            if copied is value:
                assign(array, torch.from_numpy(value), "out[:] = result")
                return array
        return wrap(torch.from_numpy(onp.array(value, order="C")).to(ctx.device), ctx, ndarray)
    if isinstance(value, (list, tuple)):
        return type(value)(_from_numpy(part, ctx, found) for part in value)
    return value
