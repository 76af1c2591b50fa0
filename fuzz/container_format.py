"""MXNet's container as a tree of parts; written apart from gluonish's reader."""

from __future__ import annotations

import math
import struct

from fuzz.parts import Blob, Group, Number, numbers

WORDS = (
    b"", b"arg:", b"aux:", b"arg:data", b"a\0b", b"\xff\xfe", b"__class__", b"0.weight",
    b"0..weight",
    b"../../PWNED", b"\xed\xa0\x80", "\u202e\U0001f600".encode(), b"x" * 5000, b"%s%n{0}{x!r}",
    b"weight", b"bias", b"\x1b[2J", b"rnn._unfused.0.i2h_weight",
)  # fmt: skip
_SIZES = (4, 8, 2, 1, 4, 1, 8, 1, 2, 2, 4, 8, 2)  # of each dtype code
_FIRST = {0xF993FAC8: 1, 0xF993FAC9: 2, 0xF993FACA: 3}


class _Reader:
    """Cuts parts off a good file."""

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.offset = 0

    def number(self, kind: str, layout: str) -> Number:
        (value,) = struct.unpack_from(layout, self.data, self.offset)
        self.offset += struct.calcsize(layout)
        return Number(kind, layout, value)

    def blob(self, kind: str, size: int) -> Blob:
        self.offset += size
        return Blob(kind, self.data[self.offset - size : self.offset])

    def shape(self, kind: str, ndim: Number, layout: str) -> Group:
        return Group(kind, [ndim, *[self.number("dim", layout) for _ in range(ndim.value)]])


def parse(data: bytes) -> Group:
    """Return the tree of a good file."""
    reader = _Reader(data)
    head = [reader.number(kind, "<Q") for kind in ("magic", "reserved", "count")]
    records = [_record(reader) for _ in range(head[2].value)]
    count = reader.number("name count", "<Q")
    names = []
    for _ in range(count.value):
        length = reader.number("length", "<Q")
        names.append(Group("name", [length, reader.blob("text", length.value)]))
    return Group("file", [*head, *records, count, *names])


def parse_record(data: bytes) -> Group:
    """Return the tree of one bare record."""
    return _record(_Reader(data))


def _record(reader: _Reader) -> Group:
    mark = reader.number("version", "<I")
    version = _FIRST.get(mark.value, 0)
    group = Group("record", [mark])
    storage = 0
    aux: list[int] = []
    count = 0
    if version >= 2:
        kind = reader.number("storage", "<i")
        storage = kind.value
        group.parts.append(kind)
        if storage:
            group.parts.append(reader.shape("storage shape", reader.number("ndim", "<i"), "<q"))
    if version:
        shape = reader.shape("shape", reader.number("ndim", "<i"), "<q")
    else:
        group.parts.clear()
        shape = reader.shape("shape", mark, "<I")
    device = [reader.number(kind, "<i") for kind in ("device", "device id", "dtype")]
    group.parts += [shape, *device]
    dims = [part.value for part in numbers(shape)[1:]]
    for _ in range(storage):
        code = reader.number("aux dtype", "<i")
        found = reader.shape("aux shape", reader.number("ndim", "<i"), "<q")
        group.parts.append(Group("aux", [code, found]))
        lengths = [part.value for part in numbers(found)[1:]]
        aux.append(math.prod(lengths) * _SIZES[code.value])
        count = lengths[0]
    if storage:
        dims = [count, *(dims[1:] if storage == 1 else [])]
    group.parts.append(reader.blob("values", math.prod(dims) * _SIZES[device[-1].value]))
    group.parts += [reader.blob("indices", length) for length in aux]
    return group


def repair(tree: Group) -> None:
    """Make counts and lengths true again, so that what else was changed is reached."""
    names = tree.groups("name")
    tree.set("count", len(tree.groups("record")))
    tree.set("name count", len(names))
    for name in names:
        text = name.part("text")
        name.set("length", len(text.data) if isinstance(text, Blob) else 0)
