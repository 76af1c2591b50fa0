"""What torch makes of arrays: its functions are told what to write, its DataLoader takes them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NoReturn

import torch

from gluonish.errors import OperandError
from gluonish.errors.suggestions import names_of
from gluonish.process.torch_names import default_collate_fn_map

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from torch import Tensor


def refuse(cls: type, function: Callable[..., Any]) -> NoReturn:
    """Raise the error for a function of torch that is called with arrays.

    Raises
    ------
    OperandError
        Always: a function of torch takes tensors.

    Examples
    --------
    >>> import torch
    >>> import gluonish as mx
    >>> torch.relu(mx.nd.ones(2))
    Traceback (most recent call last):
    gluonish.errors.OperandError: torch.relu: an NDArray was given. Expected tensors. Write \
torch.relu(x.tensor), which shares memory, or nd.relu(x).
    """
    name = getattr(function, "__name__", "function")
    is_of_layers = "nn" in (getattr(function, "__module__", None) or "")
    where = f"torch.nn.functional.{name}" if is_of_layers else f"torch.{name}"
    has_own = name in names_of("gluonish.ndarray")
    msg = (
        f"{where}: an {cls.__name__} was given. Expected tensors. Write {where}(x.tensor), which "
        f"shares memory{f', or nd.{name}(x)' if has_own else ''}."
    )
    raise OperandError(msg)


def take_in_batches(cls: type) -> None:
    """Have torch's DataLoader make batches of arrays of a class: tensors, as of NumPy's arrays.

    Examples
    --------
    >>> import torch
    >>> import gluonish as mx
    >>> data = mx.gluon.data.ArrayDataset(mx.nd.ones((4, 2)), mx.nd.arange(4))
    >>> x, y = next(iter(torch.utils.data.DataLoader(data, batch_size=3)))
    >>> x.shape, y
    (torch.Size([3, 2]), tensor([0., 1., 2.]))
    """
    default_collate_fn_map[cls] = _stacked


def _stacked(batch: Sequence[Any], *, collate_fn_map: object = None) -> Tensor:  # noqa: ARG001
    return torch.stack([array.tensor for array in batch])
