"""How operators are written into ONNX models that torch's exporter does not know."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import torch

if TYPE_CHECKING:
    from collections.abc import Callable


def table() -> dict[Callable[..., Any], Callable[..., Any]]:
    """Return what writes an operator, by torch's name of it.

    Examples
    --------
    >>> from gluonish.conversion.onnx_translations import table
    >>> [str(operator) for operator in table()]
    ['aten.sort.stable']
    """
    # Only here: it is the package of an extra.
    from onnxscript import opset18

    def sort(
        data: Any,  # noqa: ANN401 - a value of onnxscript
        stable: bool = True,
        dim: int = -1,
        descending: bool = False,
    ) -> Any:  # noqa: ANN401
        # TopK gives the first of equals first, whatever `stable` says.
        del stable
        count = opset18.Shape(data, start=dim, end=dim + 1 or None)
        return opset18.TopK(data, count, axis=dim, largest=int(descending), sorted=1)

    return {torch.ops.aten.sort.stable: sort}
