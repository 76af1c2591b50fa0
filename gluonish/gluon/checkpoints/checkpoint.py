"""Checkpoint: everything that a training is, saved together, so that it can go on."""

from __future__ import annotations

import json
import logging
import re
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Final

from gluonish.block import Block
from gluonish.errors import (
    DTypeError,
    FileAccessError,
    FileFormatError,
    InvalidArgumentError,
    MissingFileError,
    MXNetError,
)
from gluonish.gluon.checkpoints import file, networks, randomness, trainers
from gluonish.gluon.checkpoints.resumption import Resumption
from gluonish.gluon.checkpoints.values import decode, encode
from gluonish.gluon.checkpoints.workers import Crew
from gluonish.gluon.data import DataLoader
from gluonish.gluon.data.sampler import state_of
from gluonish.gluon.trainer import Trainer
from gluonish.serialization.files import path_text
from gluonish.serialization.folders import inside, make_folder, names_in, remove

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from torch import Tensor

    from gluonish.serialization.files import PathLike

_log = logging.getLogger("gluonish.checkpoint")
_FILE: Final = re.compile(r"checkpoint-(\d{8,})\.safetensors")
_DAMAGE: Final = (AttributeError, IndexError, KeyError, RuntimeError, TypeError, ValueError)


class Checkpoint:
    """A folder of files, each of which holds everything that a training needs to go on.

    That is: the parameters of the Blocks, the states, settings, counts of updates and the learning
    rate schedule of the Trainers, the scale of losses of mixed precision, all random streams, the
    place in the data, and values of your own. A training that goes on from it gives bit for bit
    what it would have given without an interruption.

    Parameters
    ----------
    folder : str or os.PathLike
        Folder or URL; it is made if it is not there.
    net : Block, or list or dict of Block
        Whose parameters are saved.
    trainer : Trainer, or list or dict of Trainer, optional
        Whose optimizers are saved.
    keep : int, optional, default 3
        How many checkpoints stay in the folder; None keeps all.

    Notes
    -----
    A file appears in the folder when all of it is on the disk, so that a crash at any moment leaves
    the checkpoints that were there. Each has a checksum: one that was damaged later is told in the
    log, and the one before it is used.

    Where a Trainer's store is one of several processes, all of them call `save` and `restore`:
    worker 0 writes one file, in which each has its own place in the data and its own random
    numbers. The folder has to be one that all workers see. Another number of workers can go on
    from the end of an epoch.

    Random numbers are those of the calling thread (`mx.random`), of NumPy, Python and torch. What
    happens to the weights is not random in itself, with two exceptions: convolutions on GPUs, and a
    `FusedStep`, which takes up its compiled step after a time, with other roundings; use
    `backend='fx'` where every bit counts. Of an optimizer of your own, numbers and text in
    attributes are saved.

    Examples
    --------
    >>> import tempfile
    >>> import gluonish as mx
    >>> def train(folder, epochs):
    ...     net = mx.gluon.nn.Dense(1, in_units=1, use_bias=False)
    ...     net.initialize(mx.init.One())
    ...     trainer = mx.gluon.Trainer(net.collect_params(), 'adam')
    ...     checkpoint = mx.gluon.Checkpoint(folder, net, trainer)
    ...     checkpoint.restore()
    ...     for epoch in checkpoint.epochs(epochs):
    ...         with mx.autograd.record():
    ...             loss = net(mx.nd.ones((1, 1))).sum()
    ...         loss.backward()
    ...         trainer.step(1)
    ...         checkpoint.save(loss=loss.asscalar())
    ...     return net.weight.data().asscalar()
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     half = train(folder, 2)
    ...     whole = train(folder, 4)  # epochs 2 and 3
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     bool(train(folder, 4) == whole)
    True
    """

    def __init__(
        self,
        folder: PathLike,
        net: Block | Sequence[Block] | Mapping[str, Block],
        trainer: Trainer | Sequence[Trainer] | Mapping[str, Trainer] | None = None,
        keep: int | None = 3,
    ) -> None:
        self.folder = path_text(folder)
        self._nets: dict[str, Block] = _named(net, Block, "net")
        self._trainers: dict[str, Trainer] = _named(
            () if trainer is None else trainer, Trainer, "trainer"
        )
        if keep is not None and (not isinstance(keep, int) or keep < 1):
            msg = (
                f"Checkpoint: keep={keep!r} was given. Expected a number of files from 1, or None "
                f"for all. Leave it out for 3."
            )
            raise InvalidArgumentError(msg)
        self.keep = keep
        self._epoch: int | None = None
        self._next_epoch = 0
        self._done: int | None = None
        self._start: dict[str, Any] | None = None
        self._data: Any = None
        self._pending: dict[str, Any] = {}

    # --- files ------------------------------------------------------------------------------

    def paths(self) -> list[str]:
        """Return the paths of the checkpoints in the folder, from the first to the last."""
        numbers = {
            int(match[1]): name
            for name in names_in(self.folder)
            if (match := _FILE.fullmatch(name))
        }
        return [inside(self.folder, numbers[number]) for number in sorted(numbers)]

    def latest(self) -> str | None:
        """Return the path of the last checkpoint that is whole, or None.

        The length of the file is looked at; `restore` looks at every byte.
        """
        return next((path for path in reversed(self.paths()) if file.is_whole(path)), None)

    def save(self, epoch: int | None = None, batch: int | None = None, **values: Any) -> str:
        """Save everything in a new file, then remove what is more than `keep` files.

        Parameters
        ----------
        epoch : int, optional
            Number of the epoch; by default that of `epochs`.
        batch : int, optional
            Number of batches done, if the epoch is not finished; by default that of `batches`.
        **values
            Values of your own: numbers, text, lists and dictionaries of these.

        Returns
        -------
        str
            The file's path.

        Raises
        ------
        DTypeError
            A value can't be saved.
        FileAccessError
            The file can't be written, the disk is full. The other checkpoints stay.
        UninitializedParameterError
            A parameter has no values yet.
        """
        tensors: dict[str, Tensor] = {}
        crew = Crew(self._trainers.values())
        state = {
            "random": randomness.get_state(),
            "start": self._start,
            "data": state_of(self._data),
        }
        description = {
            "workers": crew.size,
            "epoch": self._epoch if epoch is None else epoch,
            "batch": self._done if batch is None else batch,
            "values": _checked(values),
            "nets": [
                [label, networks.describe(net, tensors, f"net/{label}/")]
                for label, net in self._nets.items()
            ],
            "trainers": [
                [label, trainers.describe(trainer, tensors, f"trainer/{label}/")]
                for label, trainer in self._trainers.items()
            ],
            **{name: encode(one, tensors, name) for name, one in state.items()},
        }
        residuals = [trainers.residuals(trainer) for trainer in self._trainers.values()]
        for rank, part in enumerate(crew.gather({**state, "residuals": residuals}), 1):
            tensors[f"worker/{rank}"] = part
        return crew.once(lambda: self._write(description, tensors), "Checkpoint.save")

    def _write(self, description: Mapping[str, Any], tensors: dict[str, Tensor]) -> str:
        make_folder(self.folder)
        present = self.paths()
        number = int(_FILE.search(present[-1])[1]) + 1 if present else 1  # type: ignore[index]
        path = inside(self.folder, f"checkpoint-{number:08d}.safetensors")
        file.write(path, description, tensors)
        self._remove_old(present)
        return path

    def restore(self, path: PathLike | None = None) -> Resumption | None:
        """Go on from a checkpoint: by default the last one that is not damaged.

        Call it when net, Trainer and data are built, since building them draws random numbers.

        Parameters
        ----------
        path : str or os.PathLike, optional
            One of `paths()`.

        Returns
        -------
        Resumption or None
            Where the training was; None if there is no checkpoint yet.

        Raises
        ------
        FileFormatError
            The file that was named is damaged, or all are.
        InvalidArgumentError
            Another number of workers saved it in the middle of an epoch, or the workers see
            different files.
        ParameterFileError
            The net or the Trainer is another one than that which was saved. Nothing has changed.
        """
        crew = Crew(self._trainers.values())
        if path is not None:
            return self._restore(path_text(path), (), crew)
        damaged: list[str] = []
        for one in reversed(crew.agreed(self.paths(), self.folder)):
            try:
                return self._restore(one, tuple(damaged), crew)
            except FileFormatError as error:
                _log.warning("%s", error)
                damaged.append(one)
        if damaged:
            msg = (
                f"Checkpoint {self.folder!r}: all {len(damaged)} files are damaged, the log says "
                f"how. Expected one that is whole. Begin anew in another folder, or get an older "
                f"copy of this one."
            )
            raise FileFormatError(msg)
        return None

    def _restore(self, path: str, damaged: tuple[str, ...], crew: Crew) -> Resumption:
        try:
            nets, progress, found, own = self._read(path, damaged, crew)
        except FileFormatError:
            crew.any(True)
            raise
        if crew.any(False):
            file.refuse(path, "another worker finds it damaged")
        for net in nets:
            net.apply()
        for one in progress:
            one.apply()
        for net in nets:
            net.finish()
        if own is not None:
            randomness.set_state(own["random"])
        self._next_epoch, self._epoch, self._done = found.next_epoch, None, None
        self._pending = {} if own is None else {**own, "batch": found.batch}
        return found

    def _read(
        self, path: str, damaged: tuple[str, ...], crew: Crew
    ) -> tuple[
        list[networks.Values], list[trainers.TrainerProgress], Resumption, dict[str, Any] | None
    ]:
        """Return what a file holds, and this worker's own part of it."""
        description, tensors = file.read(path)
        try:
            nets, progress = self._parts(description, tensors, path)
            own = crew.own_part(description, tensors, path)
            if crew.rank == 0:
                own = {
                    name: decode(description[name], tensors) for name in ("random", "start", "data")
                }
            if own is not None:
                randomness.check(own["random"])
                for one, residuals in zip(progress, own.get("residuals", ()), strict=False):
                    one.residuals = residuals
                if description.get("workers", 1) != crew.size:
                    own["data"] = None
            found = Resumption(
                path,
                description["epoch"],
                description["batch"],
                description["values"],
                damaged,
            )
        except MXNetError:
            raise
        except _DAMAGE as error:
            file.refuse(path, f"its description is damaged ({error!r})")
        return nets, progress, found, own

    def _parts(
        self, description: Mapping[str, Any], tensors: Mapping[str, Tensor], path: str
    ) -> tuple[list[networks.Values], list[trainers.TrainerProgress]]:
        for what, own in (("nets", self._nets), ("trainers", self._trainers)):
            labels = [label for label, _ in description[what]]
            if labels != list(own):
                msg = (
                    f"Loading checkpoint {path!r}: it holds {what} {labels}, here are {list(own)}. "
                    f"Expected the same. Give Checkpoint the {what} that it was saved with."
                )
                raise InvalidArgumentError(msg)
        values = [
            networks.Values(self._nets[label], found, tensors, f"net/{label}/", path)
            for label, found in description["nets"]
        ]
        progress = [
            trainers.TrainerProgress(self._trainers[label], found, tensors, path)
            for label, found in description["trainers"]
        ]
        return values, progress

    def _remove_old(self, present: list[str]) -> None:
        """Remove files before the last `keep` ones that are whole; the newest is."""
        if self.keep is None:
            return
        left = self.keep - 1
        for path in reversed(present):
            if left == 0:
                with suppress(MissingFileError):
                    try:
                        remove(path)
                    except FileAccessError as error:
                        _log.warning("An old checkpoint stays: %s", error)
            elif file.is_whole(path):
                left -= 1

    # --- epochs and batches -----------------------------------------------------------------

    def epochs(self, stop: int) -> Iterator[int]:
        """Return the numbers of the epochs that are left, up to `stop`.

        Parameters
        ----------
        stop : int
            The number of epochs of the whole training.
        """
        for epoch in range(self._next_epoch, stop):
            self._epoch = epoch
            yield epoch
            self._next_epoch = epoch + 1

    def batches(self, data: Any) -> Iterator[Any]:
        """Return the batches of an epoch; after `restore`, those that are left of it.

        With it, `save` can be called in the middle of an epoch: it keeps the order of the data and
        the number of batches done. These are read again and dropped when the training goes on.

        Parameters
        ----------
        data : DataLoader, NDArrayIter or iterable
            The data; an iterator like NDArrayIter is reset first. What else is iterated over has to
            draw its order from NumPy's, Python's or mx's random numbers when the iteration begins.

        Raises
        ------
        InvalidArgumentError
            The iterator's place can't be saved.
        """
        _check_data(data)
        pending, self._pending = self._pending, {}
        start = pending.get("start") if pending.get("batch") is not None else None
        skipped = 0 if start is None else pending["batch"]
        known = start["data"] if start is not None else pending.get("data")
        if known is not None:
            data.set_state(known)
        if start is not None:
            randomness.set_state(start["random"])
        elif _is_iterator(data):
            data.reset()
        self._data = data
        self._start = {"random": randomness.get_state(), "data": state_of(data)}
        self._done = 0
        try:
            iterator = iter(data)
            for _ in range(skipped):
                next(iterator, None)
            self._done = skipped
            if start is not None:
                randomness.set_state(pending["random"])
            for batch in iterator:
                self._done += 1
                yield batch
        finally:
            self._done = self._start = None


def _named(given: Any, kind: type, what: str) -> dict[str, Any]:
    """Return objects by label: 0, 1, ... for those of a list."""
    if isinstance(given, kind):
        given = [given]
    if isinstance(given, (list, tuple)):
        given = {str(place): one for place, one in enumerate(given)}
    if not isinstance(given, dict) or not all(isinstance(one, kind) for one in given.values()):
        msg = (
            f"Checkpoint: {what}={given!r} was given. Expected a {kind.__name__}, or a list or "
            f"dictionary of them. Write Checkpoint(folder, net, trainer)."
        )
        raise DTypeError(msg)
    return {str(label): one for label, one in given.items()}


def _checked(values: dict[str, Any]) -> dict[str, Any]:
    """Return values as JSON gives them back."""
    try:
        text = json.dumps(values, default=lambda value: value.item())
    except (AttributeError, TypeError, ValueError) as error:
        msg = (
            f"Checkpoint.save: values {', '.join(sorted(values))}: {str(error).rstrip('.')}. "
            f"Expected numbers, text, and lists and dictionaries of these. Convert the others."
        )
        raise DTypeError(msg) from error
    found: dict[str, Any] = json.loads(text)
    return found


def _is_iterator(data: Iterable[Any]) -> bool:
    from gluonish.io import DataIter  # many programs never ask for it

    return isinstance(data, DataIter)


def _check_data(data: Iterable[Any]) -> None:
    if isinstance(data, DataLoader) and data.auto_reload:
        msg = (
            "Checkpoint.batches: a DataLoader with auto_reload=True was given, which draws the "
            "order of an epoch before it begins. Expected one without. Leave auto_reload out."
        )
        raise InvalidArgumentError(msg)
    if _is_iterator(data) and not hasattr(data, "get_state"):
        msg = (
            f"Checkpoint.batches: {type(data).__name__} was given, whose place can't be saved. "
            f"Expected a DataLoader, an NDArrayIter, or an iterator with get_state() and "
            f"set_state(state). Iterate over it itself, and save at the end of epochs."
        )
        raise InvalidArgumentError(msg)
