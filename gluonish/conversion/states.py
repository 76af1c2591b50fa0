"""Converts the states of optimizers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import torch

from gluonish.conversion.plans import Converted
from gluonish.errors import ConversionError, InvalidArgumentError
from gluonish.optimizer.saving import leaves, to_mxnet, to_safetensors, unpack
from gluonish.serialization.elements import byte_view
from gluonish.serialization.files import open_source, replacing

if TYPE_CHECKING:
    from gluonish.conversion.plans import Choices, PlannedJob
    from gluonish.optimizer.saving import Saved


def convert_states(plan: PlannedJob, choices: Choices) -> Converted:
    """Convert a file of states; see `convert`.

    Raises
    ------
    FileFormatError
        The file is damaged.
    ConversionError
        The result holds something else.
    """
    path, target = plan.job.states or "", plan.outputs[0]
    if choices.dtype or choices.names or choices.renames:
        msg = (
            f"{path!r} holds states of an optimizer. Expected neither --dtype nor new names for "
            f"them. Convert it by itself, without these."
        )
        raise InvalidArgumentError(msg)
    content = _read(path)
    saved = unpack(content, path)
    with replacing(target) as stream:
        if choices.to == "torch":
            torch.save(_as_dictionary(saved), stream)
        else:
            convert = to_mxnet if choices.to == "mxnet" else to_safetensors
            stream.write(convert(content, path))
        stream.flush()
        checks = _verified(saved, stream.name, target, choices) if choices.verify else ""
    tensors = _tensors(saved.states)
    return Converted(
        (path,),
        (target,),
        len(tensors),
        sum(tensor.numel() for tensor in tensors),
        sum(tensor.numel() * tensor.itemsize for tensor in tensors),
        checks,
    )


def _read(path: str) -> bytes:
    with open_source(path) as source:
        return source.stream.read()


def _as_dictionary(saved: Saved) -> dict[str, Any]:
    """Return states in plain containers, which torch.load takes with weights_only=True."""
    return {"state": saved.states, "names": saved.names, "optimizer": saved.optimizer}


def _tensors(states: dict[Any, Any]) -> list[torch.Tensor]:
    found = [leaf for state in states.values() for leaf in leaves(state)]
    return [leaf for leaf in found if isinstance(leaf, torch.Tensor)]


def _verified(saved: Saved, temporary: str, path: str, choices: Choices) -> str:
    """Read a result, compare it with its source, and return what was found."""
    if choices.to == "torch":
        written = torch.load(temporary, weights_only=True)["state"]
    else:
        written = unpack(_read(temporary), path).states
    same = written.keys() == saved.states.keys()
    if not same or not all(_equal(written[key], saved.states[key]) for key in written):
        msg = (
            f"{path!r}: as written, the states differ from those in the source. Expected equal "
            f"ones. It was not put in its place; report this with the output of `gluonish doctor`."
        )
        raise ConversionError(msg)
    return f"{len(_tensors(written))} arrays equal, bit for bit"


def _equal(one: Any, other: Any) -> bool:  # noqa: ANN401 - a tree
    if isinstance(one, torch.Tensor) and isinstance(other, torch.Tensor):
        if one.dtype != other.dtype or one.shape != other.shape:
            return False
        return torch.equal(byte_view(one.contiguous()), byte_view(other.contiguous()))
    if isinstance(one, (tuple, list)):
        return type(one) is type(other) and len(one) == len(other) and all(map(_equal, one, other))
    return type(one) is type(other) and bool(one == other)
