"""MXNet's files of optimizer states: read without running the pickle, and written as one."""

from __future__ import annotations

import io
import struct
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import torch

from gluonish.errors import DTypeError
from gluonish.serialization import container
from gluonish.serialization.cursor import refuse
from gluonish.serialization.pickled_names import Names, PickledArray, Record, States
from gluonish.serialization.pickles import Machine, Value

if TYPE_CHECKING:
    from collections.abc import Mapping

_DEEPEST: Final = 6
_FIX: Final = "Nothing in it was run. Give a file of save_states() or save_optimizer_states()."
_STARTS: Final = (b"\x80", b"(", b"}", b"c")


@dataclass(frozen=True)
class MXNetStates:
    """What a file of MXNet's optimizer states holds.

    Attributes
    ----------
    states : dict of int or str to object
        State of each weight by its index or name: None, a number, a tensor on the CPU, or a tuple
        or list of these.
    optimizer : Record or None
        The optimizer's class and attributes, if they were saved.
    """

    states: dict[int | str, Any]
    optimizer: Record | None


def is_pickle(data: bytes | memoryview) -> bool:
    r"""Return whether bytes begin as pickles do.

    Examples
    --------
    >>> from gluonish.serialization.states import is_pickle
    >>> is_pickle(b'\x80\x04}.')
    True
    """
    return bytes(data[:1]) in _STARTS


def read_states(data: bytes | memoryview, source: str, own: Names = ()) -> MXNetStates:
    """Read optimizer states that MXNet pickled; nothing in them is run or imported.

    Parameters
    ----------
    data : bytes or memoryview
        Content of the file.
    source : str
        Its name, for messages.
    own : collection of (str, str), optional
        Modules and names of the program's own optimizers and schedules, which may occur in the
        file beside MXNet's.

    Raises
    ------
    FileFormatError
        The file is damaged, or holds something else than states of an optimizer.

    Examples
    --------
    >>> import torch
    >>> from gluonish.serialization.states import read_states, write_states
    >>> read_states(write_states({0: (torch.ones(1), None)}), 'memory').states
    {0: (tensor([1.]), None)}
    """
    found = Machine(data, source, States(source, len(data), own)).run()
    optimizer = None
    if type(found) is tuple and len(found) == 2:
        found, optimizer = found
    if type(found) is not dict:
        refuse(
            source, "", f"it holds {type(found).__name__}; expected a dictionary of states", _FIX
        )
    if optimizer is not None and not isinstance(optimizer, Record):
        kind = type(optimizer).__name__
        refuse(source, "", f"beside the states it holds {kind}; expected an optimizer", _FIX)
    trees = _Trees(source, 2 * len(data))
    return MXNetStates({key: trees.read(state, key, 0) for key, state in found.items()}, optimizer)


class _Trees:
    """Turns states into trees of tensors, of bounded depth and number of parts."""

    def __init__(self, source: str, left: int) -> None:
        self._source = source
        self._left = left

    def read(self, value: Value, key: object, depth: int) -> Value:
        self._left -= 1
        if depth > _DEEPEST or self._left < 0:
            refuse(self._source, f"state {key!r}", "it is nested too deeply; expected arrays", _FIX)
        if value is None or type(value) in (int, float, bool):
            return value
        if isinstance(value, PickledArray) and value.tensor is not None:
            return value.tensor
        if type(value) in (tuple, list):
            parts = [self.read(part, key, depth + 1) for part in value]
            return parts if type(value) is list else tuple(parts)
        kind = (
            "an array without values" if isinstance(value, PickledArray) else type(value).__name__
        )
        problem = f"it holds {kind}; expected None, arrays, numbers, or tuples and lists of them"
        return refuse(self._source, f"state {key!r}", problem, _FIX)


# --- writing --------------------------------------------------------------------------------


def write_states(
    states: Mapping[Any, Any], optimizer: Record | None = None, np_arrays: bool = False
) -> bytes:
    r"""Return states as MXNet 1.x reads them, a pickle of protocol 4.

    Parameters
    ----------
    states : dict of int or str to object
        State of each weight: None, a number, a tensor, or tuples and lists of these.
    optimizer : Record, optional
        The optimizer's class and attributes.
    np_arrays : bool, default False
        Whether arrays are those of `mx.np` instead of `mx.nd`.

    Raises
    ------
    DTypeError
        A value of a kind that such files do not hold.

    Examples
    --------
    >>> from gluonish.serialization.states import write_states
    >>> write_states({0: None})
    b'\x80\x04}(K\x00Nu.'
    """
    writer = _Writer(np_arrays=np_arrays)
    writer.value(dict(states))
    if optimizer is not None:
        writer.value(optimizer)
        writer.emit(b"\x86")
    return writer.finish()


class _Writer:
    """Writes plain values, arrays and records as opcodes; shared dictionaries once."""

    def __init__(self, *, np_arrays: bool) -> None:
        self._stream = io.BytesIO()
        self._memo: dict[int, int] = {}
        self._shares = False
        self._np_arrays = np_arrays
        self.emit(b"\x80\x04")

    def emit(self, *parts: bytes) -> None:
        for part in parts:
            self._stream.write(part)

    def finish(self) -> bytes:
        self.emit(b".")
        return self._stream.getvalue()

    def value(self, value: Value) -> None:
        kind = type(value)
        if value is None:
            self.emit(b"N")
        elif kind is bool:
            self.emit(b"\x88" if value else b"\x89")
        elif kind is int:
            self._integer(value)
        elif kind is float:
            self.emit(b"G", struct.pack(">d", value))
        elif kind is str:
            encoded = value.encode("utf-8", "surrogatepass")
            self.emit(b"X", struct.pack("<I", len(encoded)), encoded)
        elif kind in (tuple, list):
            self.emit(b"(")
            for part in value:
                self.value(part)
            self.emit(b"t" if kind is tuple else b"l")
        elif kind is dict:
            self._dict(value)
        elif isinstance(value, torch.Tensor):
            self._array(value)
        elif kind is Record:
            self._record(value)
        else:
            msg = (
                f"Writing states for MXNet: {kind.__name__} was found. Expected None, numbers, "
                f"text, arrays, or dictionaries, tuples and lists of them. Leave it out."
            )
            raise DTypeError(msg)

    def _integer(self, value: int) -> None:
        if 0 <= value < 256:
            self.emit(b"K", bytes([value]))
        elif -(2**31) <= value < 2**31:
            self.emit(b"J", struct.pack("<i", value))
        else:
            size = value.bit_length() // 8 + 1
            self.emit(b"\x8a", bytes([size]), value.to_bytes(size, "little", signed=True))

    def _dict(self, value: dict[Any, Any]) -> None:
        if id(value) in self._memo:
            self.emit(b"j", struct.pack("<I", self._memo[id(value)]))
            return
        self.emit(b"}")
        if self._shares:
            self._memo[id(value)] = len(self._memo)
            self.emit(b"\x94")
        self.emit(b"(")
        for key, item in value.items():
            self.value(key)
            self.value(item)
        self.emit(b"u")

    def _array(self, tensor: torch.Tensor) -> None:
        stream = io.BytesIO()
        container.write_record(stream, tensor, np_shape=self._np_arrays)
        record = stream.getbuffer()
        module = "mxnet.numpy.multiarray" if self._np_arrays else "mxnet.ndarray.ndarray"
        self._global(module, "ndarray" if self._np_arrays else "NDArray")
        self.emit(b"N\x85R}")
        self.value("handle")
        self._global("builtins", "bytearray")
        self.emit(b"\x8e", struct.pack("<Q", len(record)))
        self._stream.write(record)
        self.emit(b"\x85Rsb")

    def _record(self, record: Record) -> None:
        self._shares = True
        self._global(record.module, record.name)
        self.emit(b")\x81")
        self._dict(record.attributes)
        self.emit(b"b")

    def _global(self, module: str, name: str) -> None:
        self.value(module)
        self.value(name)
        self.emit(b"\x93")
