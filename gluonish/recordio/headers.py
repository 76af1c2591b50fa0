"""Headers of image records: labels and numbers that stand before the image."""

from __future__ import annotations

import numbers
import struct
from typing import Any, NamedTuple

import numpy as onp
from typing_extensions import override

from gluonish.errors import ArgumentKindError, DTypeError, RecordHeaderError
from gluonish.errors.program_arguments import arguments

_IR_FORMAT = "IfQQ"
_LAYOUT = struct.Struct(f"<{_IR_FORMAT}")
_IR_SIZE = _LAYOUT.size
_FIELDS = 4


class IRHeader(NamedTuple):
    """Header of an image record.

    Parameters
    ----------
    flag : int
        Number of labels that follow the header, or 0; `pack` sets it.
    label : float or array
        The label, or several of them.
    id : int
        Number of the record.
    id2 : int
        Higher part of it; usually 0.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.recordio.IRHeader(0, 3.0, 7, 0)
    HEADER(flag=0, label=3.0, id=7, id2=0)
    """

    flag: int
    label: Any
    id: int
    id2: int

    @override
    def __repr__(self) -> str:
        return f"HEADER(flag={self.flag}, label={self.label!r}, id={self.id}, id2={self.id2})"


def pack(header: IRHeader | tuple[Any, Any, Any, Any], s: Any) -> bytes:
    """Return a header and some bytes as one record.

    Parameters
    ----------
    header : IRHeader
        Its label may be a number or an array; `flag` is set to suit.
    s : bytes
        What follows the header: an encoded image, for example.

    Raises
    ------
    RecordHeaderError
        A label is no number, or an id is none from 0 to 2**64 - 1.
    DTypeError
        `s` is not bytes.

    Examples
    --------
    >>> import gluonish as mx
    >>> record = mx.recordio.pack(mx.recordio.IRHeader(0, [1, 2], 7, 0), b"image")
    >>> mx.recordio.unpack(record)
    (HEADER(flag=2, label=array([1., 2.], dtype=float32), id=7, id2=0), b'image')
    """
    if not isinstance(s, bytes | bytearray | memoryview):
        own = (arguments(2) or ["", "s"])[1]
        msg = (
            f"recordio.pack: s={str(s)[:40]!r}, of type {type(s).__name__}, was given. Expected "
            f"bytes. Encode text with {own}.encode(), and arrays with {own}.tobytes()."
        )
        raise DTypeError(msg)
    if not isinstance(header, (tuple, list)) or len(header) != _FIELDS:
        msg = (
            f"recordio.pack: header={header!r} was given. Expected an IRHeader, or a tuple (flag, "
            f"label, id, id2). Write IRHeader(0, label, id, 0)."
        )
        raise ArgumentKindError(msg)
    given = IRHeader(*header)
    flag, label, labels = 0, given.label, b""
    if not isinstance(label, numbers.Number):
        values = _label_values(label)
        flag, label, labels = values.size, 0, values.tobytes()
    try:
        head = _LAYOUT.pack(flag, label, given.id, given.id2)
    except (struct.error, OverflowError, TypeError) as error:
        msg = (
            f"recordio.pack: {given} was given ({error}). Expected a label that fits float32, and "
            f"whole numbers from 0 to 2**64 - 1 as id and id2. Number the records from 0."
        )
        raise RecordHeaderError(msg) from error
    return head + labels + bytes(s)


def unpack(s: Any) -> tuple[IRHeader, bytes]:
    """Return the header of a record, and the bytes that follow it.

    Parameters
    ----------
    s : bytes
        A record that `pack` made.

    Returns
    -------
    header : IRHeader
        Its label is a float, or a NumPy array of float32 if `flag` is above 0.
    s : bytes
        The rest: an encoded image, for example.

    Raises
    ------
    RecordHeaderError
        The record is shorter than its header, or than the labels it announces.
    DTypeError
        `s` is not bytes.

    Examples
    --------
    >>> import gluonish as mx
    >>> header, image = mx.recordio.unpack(bytes(24) + b"image")
    >>> header.label, image
    (0.0, b'image')
    """
    if not isinstance(s, bytes | bytearray | memoryview):
        msg = (
            f"recordio.unpack: {type(s).__name__} was given. Expected the bytes of a record. Pass "
            f"what read() or read_idx() returned; read() returns None after the last record."
        )
        raise DTypeError(msg)
    data = bytes(s)
    if len(data) < _LAYOUT.size:
        msg = (
            f"recordio.unpack: a record of {len(data)} bytes was given. Expected a header of "
            f"{_LAYOUT.size} bytes first. Read records without headers as they are."
        )
        raise RecordHeaderError(msg)
    header = IRHeader(*_LAYOUT.unpack_from(data))
    rest = len(data) - _LAYOUT.size
    if header.flag == 0:
        return header, data[_LAYOUT.size :]
    if 4 * header.flag > rest:
        msg = (
            f"recordio.unpack: the header announces {header.flag} labels, and {rest} bytes "
            f"follow. Expected 4 for each label. The record is damaged, or has no header."
        )
        raise RecordHeaderError(msg)
    label = onp.frombuffer(data, "<f4", header.flag, _LAYOUT.size)
    image = data[_LAYOUT.size + label.nbytes :]
    return header._replace(label=label), image


def _label_values(label: Any) -> onp.ndarray[Any, Any]:
    try:
        return onp.asarray(label, dtype="<f4")
    except (TypeError, ValueError) as error:
        msg = (
            f"recordio.pack: label={label!r} was given ({error}). Expected a number, or an array "
            f"of numbers. Give numbers to names: names.index(name)."
        )
        raise RecordHeaderError(msg) from error
