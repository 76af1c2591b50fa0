"""Nested values as JSON and tensors, and back."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as onp
import torch

from gluonish.array import NDArray
from gluonish.array.tensors import plain
from gluonish.errors import DTypeError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from torch import Tensor

_SIMPLE: Final = (bool, int, float, str, type(None))
_DEEPEST: Final = 16


def encode(value: Any, tensors: dict[str, Tensor], name: str) -> Any:
    """Return what JSON can hold of a value, and put its arrays beside it.

    Parameters
    ----------
    value : object
        Numbers, text and arrays; tuples, lists and dictionaries of them.
    tensors : dict of str to Tensor
        Where arrays are put.
    name : str
        What their names begin with.

    Raises
    ------
    DTypeError
        A value of another kind.

    Examples
    --------
    >>> import numpy
    >>> from gluonish.gluon.checkpoints.values import decode, encode
    >>> tensors = {}
    >>> found = encode({'a': (1, numpy.zeros(2))}, tensors, 'x')
    >>> decode(found, tensors)
    {'a': (1, array([0., 0.]))}
    """
    if isinstance(value, onp.generic):
        value = value.item()
    if isinstance(value, _SIMPLE):
        return value
    if isinstance(value, dict):
        pairs = [
            [key, encode(part, tensors, f"{name}.{place}")]
            for place, (key, part) in enumerate(value.items())
            if isinstance(key, (str, int))
        ]
        if len(pairs) == len(value):
            return {"dict": pairs}
    if isinstance(value, (list, tuple)):
        parts = [encode(part, tensors, f"{name}.{place}") for place, part in enumerate(value)]
        return parts if isinstance(value, list) else {"tuple": parts}
    if isinstance(value, onp.ndarray) and value.dtype.kind in "biuf":
        tensors[name] = torch.from_numpy(value.copy())
        return {"numpy": name}
    if isinstance(value, (NDArray, torch.Tensor)):
        tensors[name] = (plain(value) if isinstance(value, NDArray) else value).detach().cpu()
        return {"tensor": name}
    msg = (
        f"Checkpoint: {name!r} is of type {type(value).__name__}. Expected numbers, text, arrays, "
        f"or tuples, lists and dictionaries of them. Save what it can be made of again."
    )
    raise DTypeError(msg)


def decode(found: Any, tensors: Mapping[str, Tensor], depth: int = 0) -> Any:
    """Return the value that `encode` was given; NDArrays come back as tensors.

    Raises
    ------
    ValueError, KeyError, TypeError
        It is none that `encode` returned.
    """
    if depth > _DEEPEST:
        msg = "values are nested too deeply"
        raise ValueError(msg)
    if isinstance(found, _SIMPLE):
        return found
    if isinstance(found, list):
        return [decode(part, tensors, depth + 1) for part in found]
    ((kind, content),) = found.items()
    if kind == "dict":
        return {key: decode(part, tensors, depth + 1) for key, part in content}
    if kind == "tuple":
        return tuple(decode(part, tensors, depth + 1) for part in content)
    return tensors[content].numpy() if kind == "numpy" else tensors[content]
