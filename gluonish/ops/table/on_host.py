"""Calls that a GPU has no kernel for, such as products of integers: the CPU computes them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import torch
from torch import Tensor

from gluonish.array.writes import versions

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

_NO_KERNEL = "not implemented for '"


def on_host(
    function: Callable[..., Any], args: Sequence[Any], kwargs: Mapping[str, Any], error: Exception
) -> Any:  # noqa: ANN401 - whatever the operator gives
    """Return what the CPU makes of a call that failed; None if a GPU's kernels were not the cause.

    Parameters
    ----------
    function : callable
        The operator's function.
    args, kwargs
        What it was called with: tensors, lists of them, and others.
    error : Exception
        How it failed.

    Examples
    --------
    >>> import torch
    >>> from gluonish.ops.table.on_host import on_host
    >>> on_host(torch.mm, [torch.eye(2)], {}, RuntimeError("no")) is None
    True
    """
    if not any(_NO_KERNEL in str(each) for each in _causes(error)):
        return None
    given: list[Tensor] = []
    moved: list[Tensor] = []

    def note(tensor: Tensor) -> Tensor:
        given.append(tensor)
        return tensor

    def move(tensor: Tensor) -> Tensor:
        moved.append(tensor.cpu())
        return moved[-1]

    there = _mapped(note, (list(args), dict(kwargs)))
    devices = {tensor.device for tensor in given}
    if len(devices) != 1 or not _is_elsewhere(*devices):
        return None
    [device] = devices
    here = _mapped(move, there)
    before = versions(moved)
    try:
        result = function(*here[0], **here[1])
    except Exception:  # noqa: BLE001 - what to tell is how it failed where the arrays are
        return None
    for place, (old, new) in enumerate(zip(before, versions(moved), strict=True)):
        if old != new:
            given[place].copy_(moved[place])
    return _mapped(lambda tensor: tensor.to(device), result)


def _mapped(function: Callable[[Tensor], Tensor], value: Any) -> Any:  # noqa: ANN401 - arguments and results
    if isinstance(value, Tensor):
        return function(value)
    if type(value) in (list, tuple):
        return type(value)(_mapped(function, part) for part in value)
    if type(value) is dict:
        return {key: _mapped(function, part) for key, part in value.items()}
    return value


def _is_elsewhere(device: torch.device) -> bool:
    return device.type not in ("cpu", "meta")  # of which the latter holds no values


def _causes(error: BaseException | None) -> Iterator[BaseException]:
    while error is not None:
        yield error
        error = error.__cause__
