"""`mx.recordio`: files of records, one after the other, and images packed into them."""

from __future__ import annotations

from gluonish.recordio.files import MXIndexedRecordIO, MXRecordIO
from gluonish.recordio.headers import (
    _IR_FORMAT,  # noqa: F401 - readers of other formats ask
    _IR_SIZE,  # noqa: F401
    IRHeader,
    pack,
    unpack,
)
from gluonish.recordio.packed_images import pack_img, unpack_img

__all__ = [
    "IRHeader",
    "MXIndexedRecordIO",
    "MXRecordIO",
    "pack",
    "pack_img",
    "unpack",
    "unpack_img",
]
