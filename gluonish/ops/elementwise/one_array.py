"""Registers functions of one array, which differ in their names and in what torch is asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch
from torch import Tensor

from gluonish.ops.table import Graph, Precision, Sparse, op
from gluonish.ops.table.explain import explained
from gluonish.ops.table.inference import elementwise

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import TypeAlias

    # Name, function, what it returns "of each element", and an example: numbers and results.
    Row: TypeAlias = tuple[str, Callable[[Tensor], Tensor], str, str, str]

_OWN_IN_NPX = ("relu", "sigmoid")  # which files know apart from those of nd
_DOC = """Return {what} of each element.

Parameters
----------
data : Tensor, any shape
    Numbers. Integers are computed in floating point, then truncated, as MXNet does.

Examples
--------
>>> import gluonish as mx
>>> mx.{space}.{name}(mx.{space}.array([{given}])).asnumpy().round(4)
array([{result}], dtype=float32)
"""


def family(
    module: str,
    precision: Precision,
    sparse: str | None = None,
    *,
    nd: tuple[str, ...] = ("{}",),
    np: tuple[str, ...] = ("{}",),
    npx: tuple[str, ...] = (),
    method: tuple[str, ...] = ("{}",),
    hint: Mapping[str, str] | None = None,
) -> Callable[..., None]:
    """Return what registers functions of one tensor that have all of this in common.

    It receives a `Row` for each of them. `module` is the one that they belong to; `{}` in the
    patterns for names is a function's own; `sparse` is the rule for sparse arrays, if MXNet has
    them for these, too; `hint` as in `Graph`.
    """

    def register(*rows: Row) -> None:
        for name, function, what, given, result in rows:
            call = _restoring(function)
            call.__name__ = name
            call.__module__ = module
            space = "nd" if nd else "np"
            call.__doc__ = _DOC.format(
                what=what, space=space, name=name, given=given, result=result
            )
            op(
                nd=_names(nd, name),
                np=_names(np, name),
                npx=_names(npx, name),
                method=_names(method, name),
                file=f"_npx_{name}" if name in _OWN_IN_NPX else "",
                reverse=elementwise,
                graph=Graph(hint=hint or ""),
                precision=precision,
                sparse=Sparse() if sparse is None else Sparse(sparse, names=(name,)),
            )(call)

    return register


def rounded_once(function: Callable[[Tensor], Tensor]) -> Callable[[Tensor], Tensor]:
    """Return what computes numbers of 16 bits in 32, as MXNet does, whose gradient squares them.

    Examples
    --------
    >>> import torch
    >>> from gluonish.ops.elementwise.one_array import rounded_once
    >>> x = torch.tensor([300.0], dtype=torch.float16, requires_grad=True)
    >>> rounded_once(torch.atan)(x).backward()
    >>> x.grad
    tensor([1.1086e-05], dtype=torch.float16)
    """

    def call(data: Tensor) -> Tensor:
        if data.is_floating_point() and data.element_size() < 4:
            return function(data.float()).to(data.dtype)
        return function(data)

    return call


def _names(patterns: tuple[str, ...], name: str) -> tuple[str, ...]:
    return tuple(pattern.format(name) for pattern in patterns)


def _restoring(function: Callable[[Tensor], Tensor]) -> Callable[[Tensor], Tensor]:
    @explained("one array of numbers. Convert with x.astype('float32')")
    def call(data: Tensor) -> Tensor:
        answer = function(data)
        return answer if answer.dtype is data.dtype else _restore(function, answer, data)

    return call


def _restore(function: Callable[[Tensor], Tensor], answer: Tensor, data: Tensor) -> Tensor:
    if data.dtype is torch.bool:
        return answer
    if answer.dtype is not torch.float64:
        answer = function(data.to(torch.float64))
    return answer.to(data.dtype)
