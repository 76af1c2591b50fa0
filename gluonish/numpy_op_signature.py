"""`mx.numpy_op_signature`: the functions behind names of `np` and `npx` operators."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from gluonish import numpy, numpy_extension

if TYPE_CHECKING:
    from collections.abc import Callable

__all__: list[str] = []


def _get_builtin_op(op_name: str) -> Callable[..., Any] | None:
    """Return the function for an operator's name, such as `_np_sum`, or None."""
    for start, module in (("_npx_", numpy_extension), ("_npi_", numpy), ("_np_", numpy)):
        if op_name.startswith(start):
            found: Any = module
            for part in op_name.removeprefix(start).replace("linalg_", "linalg.").split("."):
                found = getattr(found, part, None)
            return found if callable(found) else None
    return None
