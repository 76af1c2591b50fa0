"""Checkpoints of several processes: one file, with a part for each of them."""

from __future__ import annotations

import io
import json
from typing import TYPE_CHECKING, Any, Final

import torch

from gluonish.errors import FileFormatError, InvalidArgumentError
from gluonish.gluon.checkpoints.values import decode, encode
from gluonish.kvstore.creation import is_of_processes, is_shared
from gluonish.kvstore.workers.messages import gather_bytes, once
from gluonish.serialization import json_text, safetensors_format
from gluonish.serialization.cursor import Cursor
from gluonish.serialization.elements import stored_form

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from torch import Tensor

    from gluonish.gluon.trainer import Trainer
    from gluonish.kvstore.dist import DistKVStore

_KEY: Final = "gluonish.worker"


class Crew:
    """The workers of a job, who save and restore together; or one that is alone.

    Parameters
    ----------
    trainers : iterable of Trainer
        Those whose store may be one of several processes.
    """

    def __init__(self, trainers: Iterable[Trainer]) -> None:
        self._store: DistKVStore | None = None
        for trainer in trainers:
            if not is_shared(trainer._kvstore_params["kvstore"]):  # noqa: SLF001
                continue  # a store of this process takes the weights as they are restored
            trainer.prepare()
            if is_of_processes(trainer._kvstore):
                self._store = trainer._kvstore

    @property
    def rank(self) -> int:
        """The number of this process."""
        return 0 if self._store is None else self._store.rank

    @property
    def size(self) -> int:
        """How many processes there are."""
        return 1 if self._store is None else self._store.num_workers

    def gather(self, own: Mapping[str, Any]) -> list[Tensor]:
        """Return what workers 1, 2, ... have, on worker 0; nothing on the others."""
        if self._store is None:
            return []
        tensors: dict[str, Tensor] = {}
        described = encode(dict(own), tensors, "own") if self.rank else None
        stored = {name: stored_form(tensor) for name, tensor in tensors.items()}
        content = safetensors_format.to_bytes(stored, {_KEY: json.dumps(described)})
        found = gather_bytes(self._store.steps, content, "Checkpoint.save")
        return [torch.frombuffer(bytearray(one), dtype=torch.uint8) for one in found[1:]]

    def once(self, act: Callable[[], str], where: str) -> str:
        """Have worker 0 do something, and return what it returned on all.

        Raises
        ------
        DistributedError
            It did not work on worker 0, which raises the error itself.
        """
        steps = None if self._store is None else self._store.steps
        content = once(steps, lambda: act().encode(errors="surrogateescape"), where)
        return content.decode(errors="surrogateescape")

    def any(self, flag: bool) -> bool:
        """Return whether a worker says yes."""
        if self._store is None:
            return flag
        return self._store.any_of([flag], "Checkpoint.restore")[0]

    def agreed(self, paths: Sequence[str], folder: str) -> list[str]:
        """Return the files in the folder as worker 0 sees them.

        Raises
        ------
        InvalidArgumentError
            Another worker does not see the last one, or sees others.
        """
        if self._store is None:
            return list(paths)
        known = json.loads(self.once(lambda: json.dumps(list(paths)), "Checkpoint.restore"))
        if self.any(list(paths)[-1:] != known[-1:]):
            msg = (
                f"Checkpoint {folder!r}: the workers see different files; the last is "
                f"{known[-1] if known else 'none'} for worker 0, {paths[-1] if paths else 'none'} "
                f"for worker {self.rank}. Expected a folder that all of them share. Use one of a "
                f"shared disk, or a URL as in 's3://bucket/run'."
            )
            raise InvalidArgumentError(msg)
        return list(known)

    def own_part(
        self, description: Mapping[str, Any], tensors: Mapping[str, Tensor], path: str
    ) -> dict[str, Any] | None:
        """Return what `gather` was given by this worker; None if there was no such worker.

        Raises
        ------
        InvalidArgumentError
            Another number of workers was in the middle of an epoch.
        """
        count = description.get("workers", 1)
        if count != self.size and description["batch"] is not None:
            msg = (
                f"Loading checkpoint {path!r}: {count} workers have saved it in the middle of an "
                f"epoch, with their shares of the data; here are {self.size}. Expected as many. "
                f"Start {count}, or restore one that was saved after an epoch: restore(path)."
            )
            raise InvalidArgumentError(msg)
        if not 0 < self.rank < count:
            return None
        content = tensors[f"worker/{self.rank}"].numpy().tobytes()
        cursor = Cursor(io.BytesIO(content), len(content), path)
        found, metadata = safetensors_format.read(cursor)
        if not isinstance(found, dict):
            raise FileFormatError(path)
        part = decode(json_text.parse(metadata[_KEY]), found)
        return dict(part)
