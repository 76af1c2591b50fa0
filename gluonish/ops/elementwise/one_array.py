"""Registers functions of one array, which differ in their names and in what torch is asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch
from torch import Tensor

from gluonish.ops.table import UNLISTED, Precision, Sparse, op
from gluonish.ops.table.explain import explained
from gluonish.ops.table.inference import elementwise

if TYPE_CHECKING:
    from collections.abc import Callable

_OWN_IN_NPX = ("relu", "sigmoid")  # which files know apart from those of nd
_DOC = """Return {what} of each element.

Parameters
----------
data : Tensor, any shape
    Numbers. Integers are computed in float32, then truncated to their dtype, as MXNet does.

Examples
--------
>>> import gluonish as mx
>>> mx.{space}.{name}(mx.{space}.array({given})).asnumpy().round(4)
array({result}, dtype=float32)
"""


def register(
    module: str,
    name: str,
    function: Callable[[Tensor], Tensor],
    what: str,
    given: str,
    result: str,
    *,
    nd: tuple[str, ...] | None = None,
    np: tuple[str, ...] | None = None,
    npx: tuple[str, ...] = (),
    method: tuple[str, ...] | None = None,
    precision: Precision = UNLISTED,
    sparse: str | None = None,
) -> None:
    """Register a function of one tensor under its names (by default `name` everywhere).

    `module` is the one that it belongs to; `sparse` is the rule for sparse arrays, if MXNet has
    it for them, too.
    """

    @explained("one array of numbers. Convert with x.astype('float32')")
    def call(data: Tensor) -> Tensor:
        answer = function(data)
        return answer if answer.dtype is data.dtype else _restore(answer, data)

    in_nd = (name,) if nd is None else nd
    in_np = (name,) if np is None else np
    call.__name__ = name
    call.__module__ = module
    space = "nd" if in_nd else "np"
    call.__doc__ = _DOC.format(what=what, space=space, name=name, given=given, result=result)
    methods = (name,) if method is None else method
    file = f"_npx_{name}" if name in _OWN_IN_NPX else ""
    op(
        nd=in_nd,
        np=in_np,
        npx=npx,
        method=methods,
        file=file,
        reverse=elementwise,
        precision=precision,
        sparse=Sparse() if sparse is None else Sparse(sparse, names=(name,)),
    )(call)


def _restore(answer: Tensor, data: Tensor) -> Tensor:
    return answer if data.dtype is torch.bool else answer.to(data.dtype)
