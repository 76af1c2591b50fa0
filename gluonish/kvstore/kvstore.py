"""KVStore: one object that sums and shares arrays between the contexts of a process."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from typing_extensions import override

from gluonish.array.tensors import plain
from gluonish.errors import (
    DTypeError,
    InvalidArgumentError,
    MissingOptimizerError,
    RefusedArgumentError,
    SparseStorageError,
)
from gluonish.errors.arguments import value_text
from gluonish.kvstore.base import KVStoreBase
from gluonish.kvstore.compression import Compression
from gluonish.kvstore.dense import copy_tensors, sum_into
from gluonish.kvstore.keys import paired
from gluonish.kvstore.sparse import copy_into, ids_by_key, pull_rows, total_of
from gluonish.kvstore.stored import Stored
from gluonish.kvstore.totals import Totals
from gluonish.optimizer import Optimizer, Updater, get_updater
from gluonish.serialization.files import open_source, replacing

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from torch import Tensor

    from gluonish.array import NDArray
    from gluonish.kvstore.keys import Group, Key, Keys, Values
    from gluonish.serialization.files import PathLike

__all__ = ["ON_CPU", "ON_DEVICE", "KVStore"]

ON_CPU: Final = ("local", "local_allreduce_cpu", "local_update_cpu")
_ASKED: Final = ("update_multi_precision", "create_state_multi_precision", "aggregate_num")
ON_DEVICE: Final = ("device", "local_allreduce_device", "nccl")


class KVStore(KVStoreBase):
    """Arrays by key, which all contexts of a process push to and pull from.

    Made by `mx.kv.create`. What is pushed is summed, and the sum replaces what is stored, or
    updates it by an optimizer or a function. All arrays of a key have one shape. Keys are numbers
    or text, of one kind in a store; a list of keys goes with a list that has an array, or a list
    of arrays, for each.

    Parameters
    ----------
    type : str, default 'local'
        Its name, which `create` has checked.

    Examples
    --------
    >>> import gluonish as mx
    >>> kv = mx.kv.create('local')
    >>> kv.init('w', mx.nd.zeros((2,)))
    >>> kv.push('w', [mx.nd.ones((2,), mx.cpu(i)) for i in range(4)])
    >>> a = mx.nd.zeros((2,))
    >>> kv.pull('w', out=a)
    >>> print(a.asnumpy())
    [4. 4.]
    """

    def __init__(self, type: str = "local") -> None:  # noqa: A002 - MXNet's name of the attribute
        self._type = type
        self._stored = Stored()
        self._totals = Totals(self._stored, is_on_device=type in ON_DEVICE)
        self._updater: Callable[[Any, Any, Any], Any] | None = None

    @property
    @override
    def type(self) -> str:
        """The name of this kind of store, as `create` takes it."""
        return self._type

    @property
    @override
    def rank(self) -> int:
        """The number of this process among all: 0."""
        return 0

    @property
    @override
    def num_workers(self) -> int:
        """How many processes share the store: 1."""
        return 1

    @staticmethod
    @override
    def is_capable(capability: str) -> bool:
        """Return whether the store can do something; it can do `'optimizer'`, all there is to ask.

        Raises
        ------
        InvalidArgumentError
            Another capability was named.

        Examples
        --------
        >>> import gluonish as mx
        >>> mx.kv.create().is_capable('optimizer')
        True
        """
        if str(capability).lower() == KVStoreBase.OPTIMIZER:
            return True
        msg = (
            f"is_capable: Unknown capability: {capability}. Expected 'optimizer'. Write "
            f"kv.is_capable('optimizer')."
        )
        raise InvalidArgumentError(msg)

    def barrier(self) -> None:
        """Wait for all processes that share the store; there is one, so it returns at once.

        Examples
        --------
        >>> import gluonish as mx
        >>> mx.kv.create().barrier()
        """

    _barrier = barrier

    # --- values -----------------------------------------------------------------------------

    def init(self, key: Keys, value: Values) -> None:
        """Set the first value of keys, once for each.

        Parameters
        ----------
        key : int, str or list of them
            Keys that are not there yet.
        value : NDArray or list of NDArray
            One array for each key, which is copied.

        Raises
        ------
        InvalidArgumentError
            A key is there already, or got several arrays. Nothing was stored.

        Examples
        --------
        >>> import gluonish as mx
        >>> kv = mx.kv.create()
        >>> kv.init([5, 7], [mx.nd.ones((2,)), mx.nd.zeros((3,))])
        """
        for one, array in self._stored.new(key, value, "kv.init"):
            self._put(one, array.detach().copy())

    def push(self, key: Keys, value: Values, priority: int = 0) -> None:
        """Sum arrays, and set or update what is stored.

        Parameters
        ----------
        key : int, str or list of them
            Keys that `init` has set.
        value : NDArray, list of NDArray, or list of lists of NDArray
            Arrays for each key, on any contexts.
        priority : int, default 0
            A hint at which transfers are urgent, for stores that queue them. This one is done
            when the call returns.

        Raises
        ------
        MissingNameError
            There is no such key.
        ShapeError
            An array is of another shape than what is stored.

        Examples
        --------
        >>> import gluonish as mx
        >>> kv = mx.kv.create()
        >>> kv.init(3, mx.nd.zeros((2,)))
        >>> kv.push(3, mx.nd.ones((2,)) * 8)
        """
        self._offer(self._stored.grouped(key, value, "kv.push"), priority, is_lent=False)

    def pull(
        self,
        key: Keys,
        out: Values | None = None,
        priority: int = 0,  # noqa: ARG002 - nothing is queued
        ignore_sparse: bool = True,
    ) -> None:
        """Copy what is stored into arrays.

        Parameters
        ----------
        key : int, str or list of them
            Keys that `init` has set.
        out : NDArray, list of NDArray, or list of lists of NDArray
            Arrays for each key, on any contexts, all of which are overwritten.
        priority : int, default 0
            See `push`.
        ignore_sparse : bool, default True
            Whether sparse arrays in `out` are left as they are; see `row_sparse_pull` for these.

        Raises
        ------
        RefusedArgumentError
            `out` is missing.

        Examples
        --------
        >>> import gluonish as mx
        >>> kv = mx.kv.create()
        >>> kv.init(3, mx.nd.ones((2,)))
        >>> b = [mx.nd.zeros((2,), mx.cpu(i)) for i in range(4)]
        >>> kv.pull(3, out=b)
        >>> print(b[1].asnumpy())
        [1. 1.]
        """
        if out is None:
            msg = f"kv.pull: out=None was given for key {key!r}. Expected arrays. Pass out=array."
            raise RefusedArgumentError(msg)
        groups = self._stored.targets(key, out, "kv.pull")
        if ignore_sparse:
            groups = [(one, [x for x in outs if x.stype == "default"]) for one, outs in groups]
        self.spread(groups)

    @override
    def pushpull(
        self, key: Keys, value: Values, out: Values | None = None, priority: int = 0
    ) -> None:
        """Push arrays, and pull what is stored then into `out`, by default into the same arrays.

        Parameters
        ----------
        key : int, str or list of them
            Keys that `init` has set.
        value : NDArray, list of NDArray, or list of lists of NDArray
            See `push`.
        out : NDArray, list of NDArray, or list of lists of NDArray, optional
            See `pull`.
        priority : int, default 0
            See `push`.

        Examples
        --------
        >>> import gluonish as mx
        >>> kv = mx.kv.create('device')
        >>> kv.init(3, mx.nd.zeros((2,)))
        >>> b = [mx.nd.ones((2,), mx.cpu(i)) for i in range(2)]
        >>> kv.pushpull(3, b)
        >>> print(b[1].asnumpy())
        [2. 2.]
        """
        groups = self._stored.grouped(key, value, "kv.pushpull")
        targets = self._stored.targets(key, value if out is None else out, "kv.pushpull")
        self._offer(groups, priority)
        self.spread(targets)

    @override
    def broadcast(self, key: Keys, value: Values, out: Values | None, priority: int = 0) -> None:
        """Set the first value of keys, and copy it into arrays.

        Parameters
        ----------
        key : int, str or list of them
            Keys that are not there yet.
        value : NDArray or list of NDArray
            See `init`.
        out : NDArray, list of NDArray, or list of lists of NDArray
            See `pull`.
        priority : int, default 0
            See `push`.

        Examples
        --------
        >>> import gluonish as mx
        >>> b = [mx.nd.zeros((2,), mx.cpu(i)) for i in range(4)]
        >>> mx.kv.create().broadcast('w', mx.nd.ones((2,)), out=b)
        >>> print(b[3].asnumpy())
        [1. 1.]
        """
        paired(key, out, "kv.broadcast")
        self.init(key, value)
        self.spread(self._stored.targets(key, out, "kv.broadcast"))

    def row_sparse_pull(
        self,
        key: Keys,
        out: Values | None = None,
        priority: int = 0,  # noqa: ARG002 - nothing is queued
        row_ids: NDArray | Sequence[NDArray] | None = None,
    ) -> None:
        """Copy some rows of what is stored into arrays of storage type 'row_sparse'.

        Parameters
        ----------
        key : int, str or list of them
            Keys that `init` has set.
        out : RowSparseNDArray, list of them, or list of lists of them
            Arrays for each key, on any contexts, all of which are overwritten.
        priority : int, default 0
            See `push`.
        row_ids : NDArray or list of NDArray
            Numbers of the rows: one array for all of `out`, or one for each.

        Raises
        ------
        RefusedArgumentError
            `out` or `row_ids` is missing, or an array is not of storage type 'row_sparse'.

        Examples
        --------
        >>> import gluonish as mx
        >>> kv = mx.kv.create()
        >>> kv.init(3, mx.nd.ones((3, 1)).tostype('row_sparse'))
        >>> b = mx.nd.sparse.zeros('row_sparse', (3, 1))
        >>> kv.row_sparse_pull(3, out=b, row_ids=mx.nd.array([0, 2]))
        >>> b.asnumpy().tolist()
        [[1.0], [0.0], [1.0]]
        """
        for name, value in (("out", out), ("row_ids", row_ids)):
            if value is None:
                what = "the numbers of the rows that are wanted, such as mx.nd.array([0, 2])"
                how = f"row_ids={what}" if name == "row_ids" else "out=array"
                msg = (
                    f"kv.row_sparse_pull: {name}=None was given for key {key!r}. Expected arrays. "
                    f"Pass {how}."
                )
                raise RefusedArgumentError(msg)
        groups = self._stored.found(key, out, "kv.row_sparse_pull")
        self._pull_rows(groups, ids_by_key(key, row_ids, len(groups)))

    def _offer(self, groups: Sequence[Group], priority: int, *, is_lent: bool = True) -> None:  # noqa: ARG002
        """Take what is pushed; `is_lent` says that it stays as it is until values are asked for."""
        self.merge(groups)

    def _pull_rows(self, groups: Sequence[Group], ids: Sequence[Any]) -> None:
        """Copy rows of keys, with numbers for each key, into arrays."""
        for (one, arrays), wanted in zip(groups, ids, strict=False):
            pull_rows(self._stored[one], arrays, wanted, one)

    # --- updates ----------------------------------------------------------------------------

    def set_updater(self, updater: Callable[[Any, NDArray, NDArray], Any]) -> None:
        """Have a function update what is stored by what is pushed.

        Parameters
        ----------
        updater : callable
            Called with the key, the sum of what was pushed, and the stored array, which it
            changes in place. Keys of one call come in ascending order, text in that of `init`.

        Examples
        --------
        >>> import gluonish as mx
        >>> kv = mx.kv.create()
        >>> kv.init(3, mx.nd.ones((2,)) * 4)
        >>> def update(key, input, stored):
        ...     print(f'update on key: {key}')
        ...     stored += input * 2
        >>> kv.set_updater(update)
        >>> kv.push(3, mx.nd.ones((2,)))
        update on key: 3
        >>> a = mx.nd.zeros((2,))
        >>> kv.pull(3, out=a)
        >>> print(a.asnumpy())
        [6. 6.]
        """
        if isinstance(updater, (type, str, Optimizer)) or not callable(updater):
            msg = (
                f"kv.set_updater: {value_text(updater)} was given. Expected a function. Write "
                f"def update(key, input, stored): stored += input, or, for an optimizer, "
                f"kv.set_optimizer(mx.optimizer.create('sgd'))."
            )
            raise DTypeError(msg)
        self._updater = updater

    _set_updater = set_updater

    @override
    def set_optimizer(self, optimizer: Optimizer) -> None:
        """Have an optimizer update what is stored by what is pushed, as gradients.

        Parameters
        ----------
        optimizer : Optimizer
            From `mx.optimizer.create`, or an object that has its methods. The store calls it with
            its keys as indices.

        Examples
        --------
        >>> import gluonish as mx
        >>> kv = mx.kv.create()
        >>> kv.init(0, mx.nd.ones((2,)))
        >>> kv.set_optimizer(mx.optimizer.SGD(learning_rate=0.5))
        >>> a = mx.nd.zeros((2,))
        >>> kv.pushpull(0, mx.nd.ones((2,)), out=a)
        >>> print(a.asnumpy())
        [0.5 0.5]
        """
        given: object = optimizer
        if isinstance(given, type) or not all(hasattr(given, name) for name in _ASKED):
            raise no_optimizer(given)
        self._updater = get_updater(optimizer)

    @override
    def save_optimizer_states(self, fname: PathLike, dump_optimizer: bool = False) -> None:
        """Save the optimizer's states in a file.

        Parameters
        ----------
        fname : str or os.PathLike
            The file, which is replaced as a whole.
        dump_optimizer : bool, default False
            Whether the optimizer's settings and counts of updates are added.

        Raises
        ------
        MissingOptimizerError
            `set_optimizer` was not called.
        """
        content = self._states("save").get_states(dump_optimizer)
        with replacing(fname) as stream:
            stream.write(content)

    @override
    def load_optimizer_states(self, fname: PathLike) -> None:
        """Go on with the optimizer's states in a file.

        Parameters
        ----------
        fname : str or os.PathLike
            What `save_optimizer_states` wrote.

        Raises
        ------
        MissingOptimizerError
            `set_optimizer` was not called.
        FileFormatError
            The file is damaged, or comes from elsewhere.
        """
        updater = self._states("load")
        with open_source(fname) as opened:
            updater.set_states(opened.stream.read())

    def _states(self, what: str) -> Updater:
        if isinstance(self._updater, Updater):
            return self._updater
        msg = (
            f"kv.{what}_optimizer_states: Cannot {what} states: the store has no optimizer. "
            f"Expected one. Call kv.set_optimizer(optimizer) first."
        )
        raise MissingOptimizerError(msg)

    def set_gradient_compression(self, compression_params: Mapping[str, Any]) -> None:
        """Have each array quantized before it is summed, with what is lost kept for the next one.

        Parameters
        ----------
        compression_params : dict
            `{'type': '2bit', 'threshold': 0.5}`: -0.5, 0 or 0.5 is sent for each element.

        Raises
        ------
        InvalidArgumentError
            The store sums on the CPU ('local'), or something else was given.

        Examples
        --------
        >>> import gluonish as mx
        >>> kv = mx.kv.create('device')
        >>> kv.set_gradient_compression({'type': '2bit', 'threshold': 0.5})
        >>> kv.init(0, mx.nd.zeros((3,)))
        >>> a = mx.nd.zeros((3,))
        >>> kv.pushpull(0, mx.nd.array([0.3, 0.6, -2]), out=a)
        >>> print(a.asnumpy())
        [ 0.   0.5 -0.5]
        """
        if self._type not in ON_DEVICE:
            msg = (
                f"kv.set_gradient_compression: Gradient compression is not supported for this type "
                f"of kvstore, {self._type!r}. Expected 'device'. Write kv.create('device')."
            )
            raise InvalidArgumentError(msg)
        self._totals.compression = Compression(compression_params)

    # --- for Trainers -----------------------------------------------------------------------

    @property
    def residuals(self) -> dict[Any, list[Tensor]]:
        """What compression has lost of the gradients so far, by key and place."""
        compression = self._totals.compression
        return {} if compression is None else compression.residuals

    def has(self, key: Key) -> bool:
        """Return whether there is a key.

        Examples
        --------
        >>> import gluonish as mx
        >>> mx.kv.create().has('w')
        False
        """
        return key in self._stored

    def adopt(self, key: Key, array: NDArray) -> None:
        """Store an array itself rather than a copy, in place of what was there.

        Examples
        --------
        >>> import gluonish as mx
        >>> kv, x = mx.kv.create(), mx.nd.zeros((2,))
        >>> kv.adopt('w', x)
        >>> kv.push('w', mx.nd.ones((2,)))
        >>> print(x.asnumpy())
        [1. 1.]
        """
        if self._stored.get(key) is not array:
            self._put(key, array)

    def reduce(self, groups: Iterable[Group]) -> None:
        """Sum the arrays of each key in place, leaving what is stored as it is.

        Examples
        --------
        >>> import gluonish as mx
        >>> x, y = mx.nd.ones((2,)), mx.nd.ones((2,), mx.cpu(1))
        >>> mx.kv.create().reduce([('w', [x, y])])
        >>> print(y.asnumpy())
        [2. 2.]
        """
        targets: list[Tensor] = []
        sources: list[Tensor] = []
        for key, arrays in groups:
            try:
                total, *others = tensors = [plain(array) for array in arrays]
            except SparseStorageError:
                whole = total_of(arrays, arrays[0].context)
                for array in arrays:
                    copy_into(array, whole)
                continue
            sum_into(self._totals.sent(key, tensors), total)
            targets += others
            sources += [total] * len(others)
        copy_tensors(targets, sources)

    def merge(self, groups: Sequence[Group]) -> None:
        """Do what `push` does, with arrays of keys that are there, each once.

        Examples
        --------
        >>> import gluonish as mx
        >>> kv = mx.kv.create()
        >>> kv.init('w', mx.nd.zeros((2,)))
        >>> kv.merge([('w', [mx.nd.ones((2,)), mx.nd.ones((2,))])])
        """
        updater = self._updater
        if updater is None:
            for key, arrays in groups:
                try:
                    plain(self._stored[key])  # before anything is compressed
                    sum_into(self._totals.tensors(key, arrays), plain(self._stored[key]))
                except SparseStorageError:
                    copy_into(self._stored[key], self._totals.of_rows(key, arrays))
            return
        merged = [self._totals.merged(key, arrays) for key, arrays in groups]
        if type(updater) is Updater and len(groups) > 1 and updater.takes_lists():
            keys = [key for key, _ in groups]
            updater(keys, merged, [self._stored[key] for key in keys])
            return
        for (key, _), total in zip(groups, merged, strict=True):
            updater(key, total, self._stored[key])

    def spread(self, groups: Iterable[Group]) -> None:
        """Do what `pull` does, for keys that are there.

        Examples
        --------
        >>> import gluonish as mx
        >>> kv, x = mx.kv.create(), mx.nd.ones((2,))
        >>> kv.init('w', mx.nd.zeros((2,)))
        >>> kv.spread([('w', [x])])
        >>> print(x.asnumpy())
        [0. 0.]
        """
        targets: list[Tensor] = []
        sources: list[Tensor] = []
        for key, arrays in groups:
            try:
                source = plain(self._stored[key])
                found = [plain(array) for array in arrays]
            except SparseStorageError:
                for array in arrays:
                    copy_into(array, self._stored[key])
                continue
            for target in found:
                if target is not source:
                    targets.append(target)
                    sources.append(source)
        copy_tensors(targets, sources)

    def _put(self, key: Key, array: NDArray) -> None:
        self._stored.put(key, array)


def no_optimizer(given: object) -> DTypeError:
    """Return the error for something else in the place of an optimizer."""
    msg = (
        f"kv.set_optimizer: {given!r} was given. Expected an optimizer. Write "
        f"kv.set_optimizer(mx.optimizer.create('sgd'))."
    )
    return DTypeError(msg)
