"""Results that no gradient flows through, such as comparisons: part of a graph all the same.

MXNet gives zeros to every array that such a result was computed from, and knows these by the graph.
torch forgets at once what they were computed from, so that it is noted here.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import torch
from torch import Tensor
from torch.autograd import Function
from typing_extensions import override

from gluonish.array.storage import wants_rows
from gluonish.array.used_graphs import leaves, note_used, reached
from gluonish.process.torch_names import count_function_modes

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

_SOURCES = "computed_from"
_modes = count_function_modes


def is_captured() -> bool:
    """Return whether what is being computed is captured as a graph."""
    return bool(_modes())


def join(result: Any, sources: Any) -> Any:
    """Return an operator's result as part of the graph of what it was computed from.

    Parameters
    ----------
    result : Tensor, or lists of them
        What was computed.
    sources : Tensor, or lists of them
        The operator's arguments.
    """
    if _modes():  # what captures a call joins its results
        return result
    if isinstance(result, (list, tuple)):
        parts = [join(part, sources) for part in result]
        return type(result)(*parts) if hasattr(result, "_fields") else type(result)(parts)
    if not isinstance(result, Tensor) or result.requires_grad:
        return result
    found = [tensor for tensor in tensors_in(sources) if tensor.requires_grad]
    if result.is_floating_point():
        return _joined(result, found)
    setattr(result, _SOURCES, leaves(found))
    return result


def beside(result: Tensor, source: Tensor) -> Tensor:
    """Return a result with a gradient as part of another array's graph, too, which gets zeros.

    Parameters
    ----------
    result : Tensor
        What was computed.
    source : Tensor
        An argument in a graph that no gradient flows to, such as indices.
    """
    if _modes():
        return result
    joined: Tensor = _Beside.apply(result, *leaves([source]))  # type: ignore[no-untyped-call]
    return joined


def unreached(outputs: Sequence[Tensor], inputs: Sequence[Tensor]) -> list[int]:
    """Return the positions of inputs with gradients that no output's gradient flows to."""
    nodes = reached(node for output in outputs if (node := output.grad_fn) is not None)
    seen = {id(node) for node in nodes}
    seen |= {id(node.variable) for node in nodes if hasattr(node, "variable")}
    return [
        position
        for position, tensor in enumerate(inputs)
        if tensor.requires_grad and id(tensor.grad_fn or tensor) not in seen
    ]


def join_outputs(
    outputs: Sequence[Tensor], inputs: Sequence[Tensor], missing: Sequence[int]
) -> list[Tensor]:
    """Return a captured graph's outputs as part of the graph of all of its inputs.

    Parameters
    ----------
    outputs : sequence of Tensor
        What was computed.
    inputs : sequence of Tensor
        What it was computed from.
    missing : sequence of int
        Positions of inputs that no gradient flows to: they get zeros.
    """
    joined = [join(output, inputs) for output in outputs]
    ends = leaves([inputs[position] for position in missing])
    for position, output in enumerate(outputs):
        if ends and output.requires_grad:
            joined[position] = _Beside.apply(output, *ends)  # type: ignore[no-untyped-call]
            break
    return joined


def head(tensor: Tensor) -> Tensor | None:
    """Return what stands for a result without gradient where one goes back from it, or None."""
    if tensor.requires_grad:
        return tensor
    found = getattr(tensor, _SOURCES, None)
    return None if not found else _joined(torch.zeros(tensor.shape, device=tensor.device), found)


def has_own_gradients(tensors: Sequence[Tensor]) -> bool:
    """Return whether an operator with a gradient of its own had a part, as losses have.

    Such a gradient has none itself.
    """
    nodes = reached(node for tensor in tensors if (node := tensor.grad_fn) is not None)
    kinds = [getattr(node, "_forward_cls", _Constant) for node in nodes]
    return any(not issubclass(kind, _Constant) for kind in kinds)


def _joined(result: Tensor, sources: list[Tensor]) -> Tensor:
    ends = leaves(sources)
    if not ends or not torch.is_grad_enabled():  # as where torch traces a module
        return result
    joined: Tensor = _Constant.apply(result, *ends)  # type: ignore[no-untyped-call]
    note_used(joined, ends)
    return joined


def tensors_in(values: Any) -> Iterable[Tensor]:
    """Yield the tensors among arguments or results, in lists and dictionaries too."""
    if isinstance(values, Tensor):
        yield values
    elif isinstance(values, (list, tuple)):
        for value in values:
            yield from tensors_in(value)
    elif isinstance(values, dict):
        yield from tensors_in(tuple(values.values()))


class _Constant(Function):
    """A result whose gradients are zeros, which arrive in `ends` without a way through a graph."""

    @staticmethod
    @override
    def forward(ctx: Any, result: Tensor, *ends: Tensor) -> Tensor:
        ctx.ends = [(end.shape, end.dtype, end.device, wants_rows(end)) for end in ends]
        return result.detach()

    @staticmethod
    @override
    def backward(ctx: Any, *_heads: Tensor) -> tuple[Tensor | None, ...]:
        return None, *(_zeros(*end) for end in ctx.ends)


class _Beside(_Constant):
    """A result through which gradients flow, beside zeros for `ends`."""

    @staticmethod
    @override
    def backward(ctx: Any, *heads: Tensor) -> tuple[Tensor | None, ...]:
        return heads[0], *(_zeros(*end) for end in ctx.ends)


def _zeros(shape: torch.Size, dtype: torch.dtype, device: torch.device, as_rows: bool) -> Tensor:
    if as_rows:
        rows = torch.zeros((1, 0), dtype=torch.int64, device=device)
        values = torch.zeros((0, *shape[1:]), dtype=dtype, device=device)
        return torch.sparse_coo_tensor(rows, values, shape, check_invariants=False)
    return torch.zeros((), dtype=dtype, device=device).expand(shape)
