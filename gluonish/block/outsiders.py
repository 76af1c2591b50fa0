"""Warnings for ids and labels outside of what there is, which are moved to the nearest."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING
from weakref import WeakSet

from torch import Tensor

from gluonish.array import NDArray
from gluonish.array.sparse import is_sparse
from gluonish.array.tensors import held
from gluonish.errors import MissingTensorError
from gluonish.errors.tracebacks import users_level
from gluonish.process.torch_names import without_functions

if TYPE_CHECKING:
    from gluonish.block.block import Block


_told: WeakSet[Block] = WeakSet()  # a first call may go through a Block twice, for shapes


def warn_of_outsiders(block: Block, what: str, ids: object, number: int, size: str) -> None:
    """Warn where numbers are not below another, as in MXNet they would be moved silently.

    Called for the first data alone, and for those of CPUs: reading waits for a device.

    Parameters
    ----------
    block : Block
        Who takes them.
    what : str
        What they are.
    ids : NDArray
        The numbers; others than arrays are passed over.
    number : int
        How many there may be.
    size : str
        What would have to be larger.

    Examples
    --------
    >>> import warnings
    >>> import gluonish as mx
    >>> net = mx.gluon.nn.Embedding(3, 2)
    >>> net.initialize()
    >>> with warnings.catch_warnings(record=True) as told:
    ...     warnings.simplefilter("always")
    ...     _ = net(mx.nd.array([1, 3]))
    >>> print(str(told[0].message).partition(". ")[0])
    Embedding 'embedding0': ids from 1 to 3 were given
    """
    if not isinstance(ids, NDArray) or is_sparse(ids):
        return
    try:
        tensor = held(ids)
    except MissingTensorError:  # a shape is being found
        return
    if type(tensor) is not Tensor or tensor.device.type != "cpu" or not tensor.numel():
        return
    with without_functions():
        low, high = (float(each) for each in tensor.detach().aminmax())
    if (low > -1 and high < number) or block in _told:
        return
    _told.add(block)
    mend = f", or make {size} {high + 1:g}" if high >= number else ""
    if low >= 1 and high == number:
        mend = f": write y - 1 where they begin at 1{mend}"
    msg = (
        f"{type(block).__name__} '{block.name}': {what} from {low:g} to {high:g} were given. "
        f"Expected 0 to {number - 1}; others count as the nearest, as in MXNet. Correct the "
        f"{what}{mend}. (Later batches are not looked at.)"
    )
    warnings.warn(msg, stacklevel=users_level())
