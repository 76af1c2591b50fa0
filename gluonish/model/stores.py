"""Updating weights on several contexts, by a store or by each context itself."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from gluonish.errors import DTypeError, RefusedArgumentError
from gluonish.kvstore.base import KVStoreBase
from gluonish.kvstore.creation import choose, create
from gluonish.kvstore.kvstore import KVStore

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import TypeAlias

    from gluonish.array import NDArray

    Arrays: TypeAlias = Sequence[Sequence[NDArray]]
    Grads: TypeAlias = Sequence[Sequence[NDArray | None]]


def create_kvstore(
    kvstore: Any, num_device: int, arg_params: Mapping[str, NDArray]
) -> tuple[Any, bool]:
    """Return the store for training, or None, and whether it is to update the weights.

    Parameters
    ----------
    kvstore : KVStoreBase, str or None
        What a program asked for.
    num_device : int
        The number of contexts.
    arg_params : dict of str to NDArray
        The weights; a 'local' store leaves the updates of large ones to the contexts.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.model._create_kvstore('local', 1, {})
    (None, False)
    """
    return choose(kvstore, num_device, (array.size for array in arg_params.values()))


def create_sparse_kvstore(kvstore: Any) -> tuple[Any, bool]:
    """Return the store for training with weights whose gradients are sparse, which updates them.

    Parameters
    ----------
    kvstore : KVStore or str
        What a program asked for.

    Raises
    ------
    DTypeError
        It is neither.
    RefusedArgumentError
        The store cannot update weights.

    Examples
    --------
    >>> import gluonish as mx
    >>> store, updates = mx.model._create_sparse_kvstore('local')
    >>> store.type, updates
    ('local', True)
    """
    if not isinstance(kvstore, (KVStore, str)):
        msg = (
            f"Cannot create '{kvstore}' KVStore with row_sparse parameters. The type must be "
            f"KVStore or str. Write 'local', or mx.kv.create('local')."
        )
        raise DTypeError(msg)
    store = create(kvstore) if isinstance(kvstore, str) else kvstore
    if not store.is_capable(KVStoreBase.OPTIMIZER):
        msg = (
            f"kvstore={kvstore!r}: KVStore with sparse weight requires optimizer support, which "
            f"{type(store).__name__} lacks. Expected a store that updates weights. Write 'local'."
        )
        raise RefusedArgumentError(msg)
    return store, True


def initialize_kvstore(
    kvstore: Any,
    param_arrays: Arrays,
    arg_params: Mapping[str, NDArray],
    param_names: Sequence[str],
    update_on_kvstore: bool,
) -> None:
    """Give a store the weights, and all contexts the store's.

    Parameters
    ----------
    kvstore : KVStoreBase
        The store.
    param_arrays : list of list of NDArray
        For each weight its array on each context.
    arg_params : dict of str to NDArray
        The weights' values by name.
    param_names : list of str
        The names, in the order of `param_arrays`.
    update_on_kvstore : bool
        Whether the store is to update the weights.
    """
    for name, arrays in zip(param_names, param_arrays, strict=True):
        if update_on_kvstore:
            kvstore.broadcast(name, arg_params[name], out=list(arrays))
        else:
            kvstore.init(name, arg_params[name])


def update_params_on_kvstore(
    param_arrays: Arrays, grad_arrays: Grads, kvstore: Any, param_names: Sequence[str]
) -> None:
    """Have a store update weights by gradients, and copy them to all contexts.

    Parameters
    ----------
    param_arrays, grad_arrays : list of list of NDArray
        For each weight its array, and its gradient, on each context; without a gradient it stays.
    kvstore : KVStoreBase
        The store, which has an optimizer.
    param_names : list of str
        The store's keys.
    """
    for position, (name, weights, grads) in enumerate(
        zip(param_names, param_arrays, grad_arrays, strict=True)
    ):
        if grads[0] is not None:
            kvstore.pushpull(name, list(grads), out=list(weights), priority=-position)


def update_params_on_kvstore_nccl(
    param_arrays: Arrays, grad_arrays: Grads, kvstore: Any, param_names: Sequence[str]
) -> None:
    """Do the same as `update_params_on_kvstore`, with several weights in a call.

    Their number is in the environment variable MXNET_UPDATE_AGGREGATION_SIZE, 16 by default.
    """
    rows = [
        (name, list(weights), list(grads))
        for name, weights, grads in zip(param_names, param_arrays, grad_arrays, strict=True)
        if grads[0] is not None
    ]
    size = int(os.environ.get("MXNET_UPDATE_AGGREGATION_SIZE", "16"))
    for start in range(0, len(rows), size):
        names, weights, grads = map(list, zip(*rows[start : start + size], strict=True))
        kvstore.pushpull(names, grads, out=weights, priority=-start)


def update_params(
    param_arrays: Arrays,
    grad_arrays: Grads,
    updater: Callable[[Any, Any, Any], Any],
    num_device: int,
    kvstore: Any = None,
    param_names: Sequence[str] | None = None,
) -> None:
    """Update the weights of each context by itself, after gradients were summed by a store.

    Parameters
    ----------
    param_arrays, grad_arrays : list of list of NDArray
        For each weight its array, and its gradient, on each context; without a gradient it stays.
    updater : Updater
        Called once for each context, with lists of indices, gradients and weights.
    num_device : int
        The number of contexts; weight i has the index `i * num_device + k` on context k.
    kvstore : KVStoreBase, optional
        Sums the gradients.
    param_names : list of str, optional
        The store's keys.
    """
    trained = [
        (position, weights, grads)
        for position, (weights, grads) in enumerate(zip(param_arrays, grad_arrays, strict=True))
        if grads[0] is not None
    ]
    if kvstore is not None and param_names is not None:
        for position, _, grads in trained:
            kvstore.pushpull(param_names[position], list(grads), priority=-position)
    if not trained:
        return
    for device in range(num_device):
        updater(
            [position * num_device + device for position, _, _ in trained],
            [grads[device] for _, _, grads in trained],
            [weights[device] for _, weights, _ in trained],
        )
