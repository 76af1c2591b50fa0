"""Parameters of Blocks in checkpoints: values of all contexts, and gradients that are summed up."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import torch

from gluonish.array import NDArray, wrap
from gluonish.array.dtypes import dtype_name, torch_dtype
from gluonish.array.tensors import as_default, plain
from gluonish.block.matching import fits
from gluonish.block.parameter_memory import attachments, copies_of
from gluonish.context import cpu
from gluonish.errors import ParameterFileError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from torch import Tensor

    from gluonish.block import Block, Parameter

_SHOWN = 10


def describe(net: Block, tensors: dict[str, Tensor], prefix: str) -> list[list[Any]]:
    """Return names of parameters and numbers of copies; put the values beside them."""
    described = []
    for name, param in _named(net).items():
        copies = _copies(param)
        grads = _summed_gradients(param)
        for place, tensor in enumerate(copies):
            tensors[f"{prefix}{name}@{place}"] = tensor
        for place, tensor in enumerate(grads):
            tensors[f"{prefix}{name}@grad{place}"] = tensor
        described.append([name, len(copies), len(grads)])
    return described


class Values:
    """Values of a checkpoint for the parameters of a Block, which fit them.

    Parameters
    ----------
    net : Block
        Whose parameters they are for.
    described : list
        What `describe` returned.
    tensors : dict of str to Tensor
        The tensors beside it.
    prefix : str
        What their names begin with.
    source : str
        Name of the file, for messages.

    Raises
    ------
    ParameterFileError
        They do not fit.
    """

    def __init__(
        self,
        net: Block,
        described: list[list[Any]],
        tensors: Mapping[str, Tensor],
        prefix: str,
        source: str,
    ) -> None:
        self._found: list[tuple[Parameter, list[Tensor], list[Tensor]]] = []
        params = net._collect_params_with_prefix()
        problems = [f"{name!r} is only in the file" for name, *_ in described if name not in params]
        met = set()
        for name, copies, grads in described:
            if name not in params:
                continue
            param = params[name]
            met.add(id(param))
            values = [tensors[f"{prefix}{name}@{place}"] for place in range(copies)]
            problems += _problems(name, param, values[0])
            self._found.append(
                (param, values, [tensors[f"{prefix}{name}@grad{n}"] for n in range(grads)])
            )
        problems += [
            f"{name!r} is only in the Block"
            for name, param in params.items()
            if id(param) not in met
        ]
        if problems:
            more = f" and {len(problems) - _SHOWN} more" if len(problems) > _SHOWN else ""
            msg = (
                f"Loading checkpoint {source!r} into {type(net).__name__} {net.name!r}: they do "
                f"not fit together, nothing was changed: {'; '.join(problems[:_SHOWN])}{more}. "
                f"Expected equal names, shapes and dtypes. Build the net as it was when the "
                f"checkpoint was saved, or give another folder."
            )
            raise ParameterFileError(msg)

    def apply(self) -> None:
        """Give them to the parameters, those of the first context to all contexts."""
        for param, values, _ in self._found:
            param._load_init(wrap(values[0], cpu(), NDArray), None)

    def finish(self) -> None:
        """Give each context its own values, after stores have met the parameters."""
        for param, values, grads in self._found:
            if len(values) > 1:
                _set_copies(param, values)
            buffers = _buffers(param)
            if len(buffers) == len(grads):
                for buffer, grad in zip(buffers, grads, strict=True):
                    plain(buffer).copy_(grad)


def _named(net: Block) -> dict[str, Parameter]:
    """Return each parameter once, under the first of its names."""
    named: dict[str, Parameter] = {}
    met = set()
    for name, param in net._collect_params_with_prefix().items():
        if id(param) not in met:
            met.add(id(param))
            named[name] = param
    return named


def _copies(param: Parameter) -> list[Tensor]:
    """Return the values on all contexts; one where all are the same."""
    first, *others = map(_values, copies_of(param)) if copies_of(param) else [_missing(param)]
    if all(torch.equal(first, other) for other in others):
        return [first]
    return [first, *others]


def _values(array: NDArray) -> Tensor:
    dense = as_default(array)
    return plain(dense).detach().cpu()


def _missing(param: Parameter) -> Tensor:
    return plain(param.data())


def _summed_gradients(param: Parameter) -> list[Tensor]:
    """Return gradients to which more are added, since they are part of the training's state."""
    if param._grad_req != "add":
        return []
    return [_values(buffer) for buffer in _buffers(param)]


def _buffers(param: Parameter) -> list[NDArray]:
    return [one.buffer for one in attachments(param)]


def _problems(name: str, param: Parameter, value: Tensor) -> list[str]:
    problems = []
    if not fits(param, tuple(value.shape)):
        problems.append(f"{name!r} is {tuple(value.shape)} in the file and {param.shape} here")
    wanted = torch_dtype(param.dtype)
    if wanted != value.dtype:
        problems.append(
            f"{name!r} is {dtype_name(value.dtype)} in the file and {dtype_name(wanted)} here"
        )
    return problems


def _set_copies(param: Parameter, values: list[Tensor]) -> None:
    """Give each context its own values; where their number is another one, all their mean."""
    arrays = copies_of(param)
    if len(values) != len(arrays) and values[0].is_floating_point():
        mean = torch.stack(values).double().mean(0).to(values[0].dtype)
        param.set_data(wrap(mean, cpu(), NDArray))
    elif len(values) == len(arrays):
        for array, value in zip(arrays, values, strict=True):
            array[:] = wrap(value.to(array.context.device), array.context, type(array))
