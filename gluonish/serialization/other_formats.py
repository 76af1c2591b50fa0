"""Kinds of files that other parts of gluonish read or write: how they begin."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from typing_extensions import override

from gluonish.serialization.formats import Format, Target

if TYPE_CHECKING:
    from gluonish.serialization.formats import Start

RECORD_MAGIC: Final = b"\x0a\x23\xd7\xce"
_MARK: Final = b"\xef\xbb\xbf"  # of UTF-8
_GRAPH_KEYS: Final = (b'"nodes"', b'"arg_nodes"', b'"heads"')
_INDEX_LINES: Final = re.compile(rb"[^\t\n]+\t\d+\r?\n")


class Records(Format):
    """Records, such as images with labels; see `gluonish.recordio`."""

    title = "RecordIO"
    advice = " Read its records with mx.recordio.MXRecordIO."
    ends = (".rec",)

    @override
    def begins(self, head: bytes, name: str) -> bool:
        return head[:4] == RECORD_MAGIC


class RecordIndex(Format):
    """Lines of keys and of places in a file of records."""

    title = "RecordIO index"
    advice = " It belongs to the .rec file of the same name."

    @override
    def begins(self, head: bytes, name: str) -> bool:
        return bool(_INDEX_LINES.match(head)) or (not head and name.endswith(".idx"))


class Graph(Format):
    """A Symbol in JSON; see `gluonish.symbol.reading`."""

    title = "MXNet graph"
    use = "graph"
    ends = ("-symbol.json",)

    @override
    def begins(self, head: bytes, name: str) -> bool:
        return head.removeprefix(_MARK).lstrip()[:1] == b"{"

    @override
    def is_sure(self, start: Start) -> bool:
        is_named = start.source.name.endswith(self.ends)
        return is_named or any(key in start.head for key in _GRAPH_KEYS)


class PickledStates(Format):
    """States of an optimizer as MXNet pickles them; see `gluonish.serialization.states`."""

    title = "optimizer states"
    use = "states"
    ends = (".states",)

    @override
    def begins(self, head: bytes, name: str) -> bool:
        return head[:1] == b"\x80" and head[1:2] <= b"\x05"


class Onnx(Format):
    """A model in ONNX's format, which has no mark."""

    title = "ONNX model"
    advice = " ONNX models can be written, not read."
    target = Target("onnx", ".onnx", "graph and parameters, for ONNX Runtime and others")
    ends = (target.end,)


class Unknown(Format):
    """Whatever is no other kind."""

    title = "unknown"
