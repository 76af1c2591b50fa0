"""Stores by name, and the store that training on some contexts takes."""

from __future__ import annotations

import logging
import os
import warnings
from importlib import import_module
from typing import TYPE_CHECKING, Final

import torch
from typing_extensions import TypeIs

from gluonish.errors import ContextError, DTypeError, InvalidArgumentError
from gluonish.errors.suggestions import did_you_mean
from gluonish.errors.tracebacks import users_level
from gluonish.kvstore.base import KVStoreBase, OfProcesses
from gluonish.kvstore.kvstore import ON_CPU, ON_DEVICE, KVStore
from gluonish.kvstore.workers.group import expects_others

if TYPE_CHECKING:
    from collections.abc import Iterable

    from gluonish.kvstore.dist import DistKVStore

_log: Final = logging.getLogger("gluonish.kvstore")

_SYNC = ("dist", "dist_device", "dist_device_sync", "dist_sync", "dist_sync_device")
_ASYNC = ("dist_async", "dist_async_device", "dist_device_async")
_SUMMING = ("byteps", "horovod")
_LOCAL = (*ON_CPU, *ON_DEVICE)
_LARGE = 1 << 24  # elements of an array above which a 'local' store leaves updates to others


def create(name: str = "local") -> KVStoreBase:
    """Return a new store.

    Parameters
    ----------
    name : str, default 'local'
        In capitals or not. For the contexts of one process: `'local'`, `'device'`,
        `'local_update_cpu'`, `'local_allreduce_cpu'` or `'local_allreduce_device'`. For those of
        all processes, which torchrun or MXNet's launcher has started: `'dist_sync'`,
        `'dist_device_sync'` or `'dist_sync_device'`, in step, or `'dist_async'`, each at its own
        pace. `'horovod'` and `'byteps'` only sum, in step, over torch.distributed as all others;
        a line of the log says so. `'nccl'` needs a GPU: it sums if there are several processes,
        and is like `'device'` otherwise. Or the name of a store that was registered.

    Returns
    -------
    KVStore, or the registered class

    Raises
    ------
    InvalidArgumentError
        There is no such store.
    ContextError
        `'nccl'` was asked for where there is no GPU.
    DistributedError
        Other processes did not come in time.
    DTypeError
        The name is not text.

    Notes
    -----
    Without a launcher this process is the only one, so that a program for many runs by itself.

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
    if kind in _SYNC:
        return _of_processes("dist_sync", "SyncKVStore", kind)
    if kind in _ASYNC:
        return _of_processes("dist_async", "AsyncKVStore", kind)
    if kind == "nccl" and not torch.cuda.is_available():
        msg = (
            f"kv.create: 'nccl' was asked for, and torch sees no GPU. Expected one or more. Write "
            f"kv.create({'dist_sync' if expects_others() else 'device'!r}), which works on CPUs."
        )
        raise ContextError(msg)
    if kind in _SUMMING:
        _log.warning(
            "kv.create: %r stands for sums over torch.distributed here; the package %s is not "
            "used.",
            name,
            kind,
        )
    if kind in _SUMMING or (kind == "nccl" and expects_others()):
        return _of_processes("dist_sync", "SummingKVStore", kind)
    if kind in _LOCAL:
        return KVStore(kind)
    raise _unknown(name)


def check_name(kvstore: KVStoreBase | str | None) -> None:
    """Refuse what `choose` will refuse on any number of contexts, without making a store.

    Raises
    ------
    InvalidArgumentError
        There is no store for several processes of that name.
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
    if kvstore.lower() not in _known() and "dist" in kvstore:
        raise _unknown(kvstore)


def is_shared(kvstore: KVStoreBase | str | None) -> bool:
    """Return whether a store, or the one that a name will give, is that of several processes.

    Examples
    --------
    >>> from gluonish.kvstore.creation import is_shared
    >>> is_shared('dist_sync')
    False
    """
    if isinstance(kvstore, str):
        kind = kvstore.lower()
        names = {*_SYNC, *_ASYNC, *_SUMMING, "nccl"} - KVStoreBase.kv_registry.keys()
        return kind in names and expects_others()
    return is_of_processes(kvstore) and kvstore.num_workers > 1


def is_of_processes(store: object) -> TypeIs[DistKVStore]:
    """Return whether something is a store of several processes.

    Examples
    --------
    >>> import gluonish as mx
    >>> from gluonish.kvstore.creation import is_of_processes
    >>> is_of_processes(mx.kv.create('device'))
    False
    """
    return isinstance(store, OfProcesses)


def _of_processes(module: str, cls: str, kind: str) -> DistKVStore:
    """Return a new store, whose modules are imported now: few programs need them."""
    store: DistKVStore = getattr(import_module(f"gluonish.kvstore.{module}"), cls)(kind)
    return store


def _known() -> set[str]:
    return {*_LOCAL, *_SYNC, *_ASYNC, *_SUMMING, *KVStoreBase.kv_registry}


def _unknown(name: str) -> InvalidArgumentError:
    known = ", ".join(map(repr, sorted(_known())))
    msg = (
        f"kv.create: {name!r} was given. Expected one of {known}. Write kv.create('local'), or "
        f"register a store of that name with @mx.kv.KVStoreBase.register."
        f"{did_you_mean(name, _known())}"
    )
    return InvalidArgumentError(msg)


def choose(
    kvstore: KVStoreBase | str | None, contexts: int, sizes: Iterable[int]
) -> tuple[KVStoreBase | None, bool]:
    """Return the store for training on a number of contexts, and whether it is to do the updates.

    Parameters
    ----------
    kvstore : KVStoreBase, str or None
        What a program asked for. For one context of one process a name means no store; one that
        no store has gives a warning.
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
    if contexts == 1 and kvstore.lower() == "nccl" and not expects_others():
        return None, False
    is_known = kvstore.lower() in _known() or "dist" in kvstore
    if contexts == 1 and not is_known and not expects_others():
        warnings.warn(
            f"kvstore={kvstore!r} was given. Expected the name of a store, such as 'local'. On one "
            f"context none is used, as in MXNet. If an optimizer was meant, write "
            f"optimizer={kvstore!r}.",
            stacklevel=users_level(),
        )
        return None, False
    store = create(kvstore)
    if contexts == 1 and store.num_workers == 1:
        return None, False
    if kvstore == "local" and max(sizes, default=0) > _LARGE:
        updates = False
    return store, updates and store.is_capable(KVStoreBase.OPTIMIZER)
