"""Stores by name, and the store that training on some contexts takes."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from gluonish.errors import DTypeError, InvalidArgumentError
from gluonish.kvstore.base import KVStoreBase
from gluonish.kvstore.kvstore import ON_CPU, ON_DEVICE, KVStore

if TYPE_CHECKING:
    from collections.abc import Iterable

_ELSEWHERE = ("byteps", "horovod")
_LARGE = 1 << 24  # elements of an array above which a 'local' store leaves updates to others


def create(name: str = "local") -> KVStoreBase:
    """Return a new store.

    Parameters
    ----------
    name : str, default 'local'
        `'local'`, `'device'`, `'nccl'`, `'local_update_cpu'`, `'local_allreduce_cpu'` or
        `'local_allreduce_device'`, for the contexts of one process, in capitals or not; or the
        name of a store that was registered.

    Returns
    -------
    KVStore, or the registered class

    Raises
    ------
    InvalidArgumentError
        There is no such store, or it needs several processes.
    DTypeError
        The name is not text.

    Examples
    --------
    >>> import gluonish as mx
    >>> kv = mx.kv.create('local')
    >>> kv.init(3, mx.nd.ones((2,)) * 2)
    >>> a = mx.nd.zeros((2,))
    >>> kv.pull(3, out=a)
    >>> print(a.asnumpy())
    [2. 2.]
    """
    is_text = isinstance(name, str)
    if not is_text:
        msg = f"kv.create: {name!r} was given. Expected text: name must be a string, as in 'local'."
        raise DTypeError(msg)
    kind = name.lower()
    registered = KVStoreBase.kv_registry.get(kind)
    if registered is not None:
        return registered()
    if kind in ON_CPU or kind in ON_DEVICE:
        return KVStore(kind)
    raise _unknown(name)


def check_name(kvstore: KVStoreBase | str | None) -> None:
    """Refuse what `choose` will refuse, without making a store.

    Raises
    ------
    InvalidArgumentError
        There is no store of that name.
    DTypeError
        It is no store, and no name.

    Examples
    --------
    >>> from gluonish.kvstore.creation import check_name
    >>> check_name('device')
    """
    if kvstore is None or isinstance(kvstore, KVStoreBase):
        return
    is_text = isinstance(kvstore, str)
    if not is_text:
        msg = (
            f"kvstore={kvstore!r} was given. kvstore must be KVStore, str or None. Write "
            f"kvstore='device', or kvstore=mx.kv.create('device')."
        )
        raise DTypeError(msg)
    if kvstore.lower() not in {*ON_CPU, *ON_DEVICE, *KVStoreBase.kv_registry}:
        raise _unknown(kvstore)


def _unknown(name: str) -> InvalidArgumentError:
    if name.lower().startswith("dist"):
        msg = (
            f"kv.create: {name!r} was given, a store of several processes, which needs torchrun "
            f"to start them. Expected a store of one process. Write kv.create('device')."
        )
    elif name.lower() in _ELSEWHERE:
        msg = (
            f"kv.create: {name!r} was given, and no package has registered a store of that name. "
            f"Expected its class in KVStoreBase.kv_registry. Register it with "
            f"@mx.kv.KVStoreBase.register, or write kv.create('device')."
        )
    else:
        known = ", ".join(map(repr, sorted({*ON_CPU, *ON_DEVICE, *KVStoreBase.kv_registry})))
        msg = (
            f"kv.create: {name!r} was given. Expected one of {known}. Write kv.create('local'), or "
            f"register a store of that name with @mx.kv.KVStoreBase.register."
        )
    return InvalidArgumentError(msg)


def choose(
    kvstore: KVStoreBase | str | None, contexts: int, sizes: Iterable[int]
) -> tuple[KVStoreBase | None, bool]:
    """Return the store for training on a number of contexts, and whether it is to do the updates.

    Parameters
    ----------
    kvstore : KVStoreBase, str or None
        What a program asked for. For one context a name means no store.
    contexts : int
        How many contexts the parameters are on.
    sizes : iterable of int
        How many elements each parameter has. A 'local' store leaves the updates of large ones to
        the contexts.

    Raises
    ------
    DTypeError
        `kvstore` is of another kind.

    Notes
    -----
    The environment variable MXNET_UPDATE_ON_KVSTORE=0 has no store do updates.

    Examples
    --------
    >>> from gluonish.kvstore.creation import choose
    >>> choose('device', 1, [])
    (None, False)
    >>> store, updates = choose('device', 2, [])
    >>> store.type, updates
    ('device', True)
    """
    check_name(kvstore)
    updates = os.environ.get("MXNET_UPDATE_ON_KVSTORE", "1") != "0"
    if kvstore is None:
        return None, False
    if isinstance(kvstore, KVStoreBase):
        return kvstore, updates and kvstore.is_capable(KVStoreBase.OPTIMIZER)
    store = create(kvstore)
    if contexts == 1 and isinstance(store, KVStore):
        return None, False
    if kvstore == "local" and max(sizes, default=0) > _LARGE:
        updates = False
    return store, updates and store.is_capable(KVStoreBase.OPTIMIZER)
