"""KVStoreBase, from which stores of one's own derive, and the smallest of them, TestStore."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING, Any, ClassVar, NoReturn, TypeVar

from typing_extensions import override

from gluonish.array import NDArray
from gluonish.errors import InvalidArgumentError, MissingMethodError
from gluonish.errors.tracebacks import users_level

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gluonish.kvstore.keys import Keys, Values
    from gluonish.optimizer import Optimizer
    from gluonish.serialization.files import PathLike

__all__ = ["KVStoreBase", "TestStore"]

_LATE_NAMES = {"gluonish.kvstore.creation": ("create",)}

K = TypeVar("K", bound="KVStoreBase")


class KVStoreBase:
    """Base of all stores.

    A store of one's own defines `broadcast` and `pushpull`, the properties `type`, `rank` and
    `num_workers`, and `is_capable`; if that says that it updates weights itself, also
    `set_optimizer`, `save_optimizer_states` and `load_optimizer_states`.

    Examples
    --------
    >>> import gluonish as mx
    >>> @mx.kv.KVStoreBase.register
    ... class Alone(mx.kv.KVStoreBase):
    ...     type, rank, num_workers = 'alone', 0, 1
    ...     def broadcast(self, key, value, out, priority=0):
    ...         for array in out if isinstance(out, list) else [out]:
    ...             value.copyto(array)
    ...     def pushpull(self, key, value, out=None, priority=0):
    ...         pass
    ...     @staticmethod
    ...     def is_capable(capability):
    ...         return False
    >>> mx.kv.create('alone').num_workers
    1
    """

    OPTIMIZER = "optimizer"
    kv_registry: ClassVar[dict[str, type[KVStoreBase]]] = {}

    @staticmethod
    def register(klass: type[K]) -> type[K]:
        """Make a store known to `create` by its class name in lower case."""
        name = klass.__name__.lower()
        if name in KVStoreBase.kv_registry:
            warnings.warn(
                f"WARNING: New kvstore {klass.__module__}.{klass.__name__} is overriding existing "
                f"kvstore {name}",
                stacklevel=users_level(),
            )
        KVStoreBase.kv_registry[name] = klass
        return klass

    @property
    def type(self) -> str:
        """The name of this kind of store."""
        self._lacks("the property `type`")

    @property
    def rank(self) -> int:
        """The number of this process among all."""
        self._lacks("the property `rank`")

    @property
    def num_workers(self) -> int:
        """How many processes share the store."""
        self._lacks("the property `num_workers`")

    def broadcast(
        self,
        key: Keys,  # noqa: ARG002 - the signature to override
        value: Values,  # noqa: ARG002
        out: Values | None,  # noqa: ARG002
        priority: int = 0,  # noqa: ARG002
    ) -> None:
        """Set a key's first value, and copy it into all of `out`."""
        self._lacks("broadcast(key, value, out, priority=0)")

    def pushpull(
        self,
        key: Keys,  # noqa: ARG002 - the signature to override
        value: Values,  # noqa: ARG002
        out: Values | None = None,  # noqa: ARG002
        priority: int = 0,  # noqa: ARG002
    ) -> None:
        """Sum values over contexts and processes, and copy what results into all of `out`."""
        self._lacks("pushpull(key, value, out=None, priority=0)")

    def set_optimizer(self, optimizer: Optimizer) -> None:  # noqa: ARG002
        """Have the store update its values by an optimizer."""
        self._lacks("set_optimizer(optimizer)")

    def save_optimizer_states(self, fname: PathLike, dump_optimizer: bool = False) -> None:  # noqa: ARG002
        """Save the optimizer's states in a file."""
        self._lacks("save_optimizer_states(fname, dump_optimizer=False)")

    def load_optimizer_states(self, fname: PathLike) -> None:  # noqa: ARG002
        """Go on with the optimizer's states in a file."""
        self._lacks("load_optimizer_states(fname)")

    @staticmethod
    def is_capable(capability: str) -> bool:
        """Return whether the store can do something: `'optimizer'`, to update its values itself."""
        msg = (
            f"is_capable({capability!r}): the store does not say what it can do. Expected a static "
            f"method is_capable(capability). Define it in the store's class."
        )
        raise MissingMethodError(msg)

    def _lacks(self, what: str) -> NoReturn:
        msg = (
            f"{type(self).__name__}: it has no {what} of its own. Expected one in every store. "
            f"Define it in the class."
        )
        raise MissingMethodError(msg)


class OfProcesses:
    """What stores of several processes are, whose modules are imported for the first one."""


@KVStoreBase.register
class TestStore(KVStoreBase):
    """Sums what it is given over contexts, and keeps nothing: `kv.create('teststore')`.

    Examples
    --------
    >>> import gluonish as mx
    >>> store, sums = mx.kv.create('teststore'), mx.nd.zeros(2)
    >>> store.pushpull('w', [mx.nd.ones(2), mx.nd.ones(2)], out=sums)
    >>> print(sums.asnumpy())
    [2. 2.]
    """

    __test__ = False  # the name is MXNet's; it is no test to be collected

    type = "teststore"
    rank = 0
    num_workers = 1

    @override
    def broadcast(self, key: Any, value: Any, out: Any, priority: int = 0) -> None:
        for array in _several(out):
            array[:] = value

    @override
    def pushpull(self, key: Any, value: Any, out: Any = None, priority: int = 0) -> None:
        values = _several(value)
        total = values[0]
        for other in values[1:]:
            total = total + other.as_in_context(total.context)
        for array in values if out is None else _several(out):
            array[:] = total

    @staticmethod
    @override
    def is_capable(capability: str) -> bool:
        if capability.lower() == KVStoreBase.OPTIMIZER:
            return False
        msg = (
            f"TestStore.is_capable: {capability!r} was given. Unknown capability: expected "
            f"{KVStoreBase.OPTIMIZER!r}. Ask for that."
        )
        raise InvalidArgumentError(msg)


def _several(arrays: NDArray | Sequence[NDArray]) -> list[NDArray]:
    return [arrays] if isinstance(arrays, NDArray) else list(arrays)
