"""Warnings for first data that can't be meant: ids outside of what there is, probabilities."""

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


_CLASSES = 2  # at least
_NEAR = 1e-4
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
    tensor = _readable(ids)
    if tensor is None:
        return
    with without_functions():
        low, high = (float(each) for each in tensor.aminmax())
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


def warn_of_probabilities(block: Block, scores: object, axis: int) -> None:
    """Warn where a loss that takes a softmax is given what is one already, for the first data.

    Nothing fails then, and little is learned.

    Parameters
    ----------
    block : Block
        The loss.
    scores : NDArray
        What it is given; others than arrays are passed over.
    axis : int
        Where the classes are.

    Examples
    --------
    >>> import warnings
    >>> import gluonish as mx
    >>> loss = mx.gluon.loss.SoftmaxCrossEntropyLoss(prefix='loss_')
    >>> with warnings.catch_warnings(record=True) as told:
    ...     warnings.simplefilter("always")
    ...     _ = loss(mx.nd.array([[0.2, 0.8]]), mx.nd.array([1]))
    >>> print(str(told[0].message).partition(". ")[0])
    SoftmaxCrossEntropyLoss 'loss': pred of probabilities was given, 0.2 to 0.8, which sum to 1
    """
    tensor = _readable(scores)
    if tensor is None or not tensor.is_floating_point() or tensor.size(axis) < _CLASSES:
        return
    with without_functions():
        low, high = (float(each) for each in tensor.aminmax())
        if not (low >= 0 and high < 1):  # nor where one is NaN
            return
        if float((tensor.float().sum(axis) - 1).abs().max()) > _NEAR:
            return
    if block in _told:
        return
    _told.add(block)
    msg = (
        f"{type(block).__name__} '{block.name}': pred of probabilities was given, {low:.3g} to "
        f"{high:.3g}, which sum to 1. Expected scores, whose softmax this loss takes itself. Leave "
        f"the softmax out of the net, or pass nd.log(pred) and make the loss with "
        f"from_logits=True. (Later batches are not looked at.)"
    )
    warnings.warn(msg, stacklevel=users_level())


def _readable(array: object) -> Tensor | None:
    """Return the tensor of an array on a CPU, if there is one and it has elements."""
    if not isinstance(array, NDArray) or is_sparse(array):
        return None
    try:
        tensor = held(array)
    except MissingTensorError:  # a shape is being found
        return None
    if type(tensor) is not Tensor or tensor.device.type != "cpu" or not tensor.numel():
        return None
    return tensor.detach()
