"""Cards of operators of two operands: those for arrays of one shape, those that broadcast."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from gluonish.ops.table import UNLISTED, WIDEST, Precision, Sparse, op
from gluonish.ops.table.inference import elementwise

if TYPE_CHECKING:
    from collections.abc import Callable

    from gluonish.ops.table.registry import Function


def same_shape(
    shapes: dict[str, tuple[int | None, ...] | None], **_: object
) -> dict[str, tuple[int | None, ...]]:
    """Infer the shape of one operand as that of the other."""
    known = [s for s in shapes.values() if s is not None and None not in s]
    return dict.fromkeys(shapes, known[0]) if known else {}


def of_one_shape(
    *names: str,
    python: tuple[str, ...] = (),
    sparse: str = "",
    precision: Precision = WIDEST,
    **facts: Any,
) -> Callable[[Function], Function]:
    """Register an operator of arrays of one shape.

    Names with an underscore are internal; `sparse` is the rule for sparse arrays, for which the
    others stand, too; `python` are the functions of `mx.nd.sparse` that are this operator; `facts`
    are what else its card says.
    """
    public = tuple(name for name in names if not name.startswith("_"))
    return op(
        nd=tuple(f"_internal.{name}" if name.startswith("_") else name for name in names),
        shapes=elementwise,
        reverse=elementwise,
        precision=precision,
        sparse=Sparse(sparse, public[:1], python) if sparse else Sparse(),
        **facts,
    )


def broadcasting(
    *names: str,
    python: tuple[str, ...] = (),
    sparse: str = "",
    bfloat16: str | None = None,
    **facts: Any,
) -> Callable[[Function], Function]:
    """Register an operator that broadcasts; `facts` are what else its card says.

    `python` are the functions that MXNet has in Python, which mixed precision does not know;
    `sparse` is the rule for sparse arrays, for which `names` stand, too.
    """
    return op(
        nd=names + python,
        functions=python,
        shapes=same_shape,
        precision=Precision("widest", bfloat16, others=dict.fromkeys(python, UNLISTED)),
        sparse=Sparse(sparse, tuple(sorted(names))) if sparse else Sparse(),
        **facts,
    )
