"""Trees of RecordIO, IDX, `.npy` and pickles; written apart from gluonish's readers."""

from __future__ import annotations

import pickletools
import struct

from fuzz.parts import Blob, Group, Number, Part, size_of

_RECORD_MAGIC = 0xCED7230A
_LENGTHS = {-2: "<B", -3: "<i", -4: "<I", -5: "<Q"}  # pickletools: where an opcode's length stands
_FIXED = {1: "<B", 2: "<H", 4: "<i", 8: "<Q"}

EVIL_OPS = (
    b"cos\nsystem\n", b"cbuiltins\neval\n", b"c__builtin__\nexec\n", b"cposix\nmkdir\n",
    b"\x8c\x05posix\x8c\x05mkdir\x93\x8c\x05PWNED\x85R", b"cos\nmkdir\n(S'PWNED'\ntR", b"R", b"b",
    b"o", b"\x81", b"\x92", b"(ios\nmkdir\n", b"\x82\x01", b"\x84\xff\xff\xff\x7f", b"Pfile\n",
    b"Q",
    b"\x94" * 50, b"r\xff\xff\xff\xff", b"p99999999999\n", b"j\xff\xff\xff\xff", b"g12345\n",
    b"h\0",
    b"2\x86" * 40, b"2\x87" * 30, b"(" * 400, b"]" * 300, b"\x85" * 400, b"]\x94h\0a",
    b"}\x94h\0h\0s",
    b"\x95\xff\xff\xff\xff\xff\xff\xff\x7f", b"\x96\xff\xff\xff\xff\xff\xff\xff\x0f",
    b"\x8e\0\0\0\0\0\0\0\x10", b"\x8d\0\0\0\0\1\0\0\0", b"B\xff\xff\xff\x7f", b"T\xff\xff\xff\xff",
    b"\x8b\xff\xff\xff\x7f", b"\x8b\xff\xff\xff\xff", b"\x97", b"\x98", b"\x8f", b"\x90", b"\x91",
    b"I" + b"9" * 5000 + b"\n", b"L" + b"9" * 5000 + b"L\n", b"F1e999\n", b"Fnan\n", b"S'\\x'\n",
    b"V\\ud800\n", b"S\"\\U0011\"\n", b"Iabc\n", b".", b"0", b"1", b"N", b"\x88", b"K\x01", b"u",
    b"e",
    b"s", b"a", b"t", b"d", b"l", b"\x8c\x04base\x8c\x09os.system\x93",
    b"cmxnet.ndarray.ndarray\nNDArray\n", b"cmxnet.optimizer.optimizer\nOptimizer.__init__\n",
    b"cnumpy\nload\n", b"cnumpy.core.multiarray\n_reconstruct\n", b"c_codecs\nencode\n",
    b"c__builtin__\nbytearray\n", b"ccollections\nOrderedDict\n", b"ccopy_reg\n_reconstructor\n",
)  # fmt: skip
TEXTS = (
    b"", b"0\t0\n", b"1\t-4\n", b"1\t99999999999999999999\n", b"x\ty\n", b"1 0\n", b"1\t0\t0\n",
    b"\n\n",
    b"1\t0", b"1\t3\n", b"\xff\xfe\t0\n", b"1\t1e3\n", b"9" * 5000 + b"\t0\n", b"1\t" + b"9" * 5000,
    b"\t0\n", b"1_0\t0\n", "\u0661\t0\n".encode(), b"\0\t\0\n", b"nan\t0\n", b"-1\t0\n",
)  # fmt: skip
HEADERS = (
    b"{'descr': '|O', 'fortran_order': False, 'shape': (3,), }",
    b"{'descr': '<f4', 'fortran_order': True, 'shape': (2, 3), }",
    b"{'descr': '<f4', 'fortran_order': False, 'shape': (9223372036854775807, 0), }",
    b"{'descr': '<f4', 'fortran_order': False, 'shape': (4294967296, 4294967296), }",
    b"{'descr': '<f4', 'fortran_order': False, 'shape': (-1,), }",
    b"{'descr': [('a', '<f4'), ('b', '<i4')], 'fortran_order': False, 'shape': (1,), }",
    b"{'descr': [('bfloat16', '<u2')], 'fortran_order': False, 'shape': (2,), }",
    b"{'descr': '>i8', 'fortran_order': False, 'shape': (), }",
    b"{'descr': '<c16', 'fortran_order': False, 'shape': (1,), }",
    b"__import__('os').mkdir('PWNED')", b"{'descr': '<f4', 'shape': " + b"(" * 300,
    b"{'descr': '<f4', 'fortran_order': False, 'shape': (" + b"1, " * 300 + b"), }",
    b"{'descr': '<M8[ns]', 'fortran_order': False, 'shape': (1,), }", b"9**9**9**9",
    b"{'descr': '<f4', 'fortran_order': False, 'shape': (1L,), }", b"{}", b"\xff" * 100,
)  # fmt: skip


def parse_recordio(data: bytes) -> Group:
    """Return the tree of a good RecordIO file."""
    file = Group("file")
    offset = 0
    while offset < len(data):
        magic, word = struct.unpack_from("<II", data, offset)
        size = word & ((1 << 29) - 1)
        payload = data[offset + 8 : offset + 8 + size]
        end = offset + 8 + (size + 3) // 4 * 4
        parts: list[Part] = [Number("magic", "<I", magic), Number("flag and length", "<I", word)]
        if len(payload) >= 24:  # perhaps an image with its header
            layouts = ("<I", "<I", "<Q", "<Q")
            names = ("label count", "label", "id", "id2")
            place = 0
            for name, layout in zip(names, layouts, strict=True):
                (value,) = struct.unpack_from(layout, payload, place)
                place += struct.calcsize(layout)
                parts.append(Number(name, layout, value))
            payload = payload[24:]
        parts += [Blob("payload", payload), Blob("padding", data[offset + 8 + size : end])]
        file.parts.append(Group("chunk", parts))
        offset = end
    return file


def repair_recordio(tree: Group) -> None:
    """Make lengths and padding true again; the flag stays."""
    for chunk in tree.groups("chunk"):
        size = sum(map(size_of, chunk.parts[2:])) if len(chunk.parts) > 2 else 0
        padding = chunk.part("padding")
        if isinstance(padding, Blob):
            size -= len(padding.data)
            padding.data = bytes(-size % 4)
        word = chunk.part("flag and length")
        if isinstance(word, Number):
            word.value = (word.value & ~((1 << 29) - 1)) | (size & ((1 << 29) - 1))
        chunk.set("magic", _RECORD_MAGIC)


def parse_idx(data: bytes) -> Group:
    """Return the tree of a good IDX file."""
    ndim = data[3]
    dims = struct.unpack_from(f">{ndim}I", data, 4)
    return Group(
        "file",
        [
            Number("zeros", ">H", 0),
            Number("type", ">B", data[2]),
            Number("ndim", ">B", ndim),
            *[Number("dim", ">I", dim) for dim in dims],
            Blob("values", data[4 + 4 * ndim :]),
        ],
    )


def repair_idx(tree: Group) -> None:
    """Make the number of dimensions true again."""
    tree.set("ndim", sum(part.kind == "dim" for part in tree.parts))


def parse_npy(data: bytes) -> Group:
    """Return the tree of a good `.npy` file."""
    layout = "<H" if data[6] == 1 else "<I"
    (length,) = struct.unpack_from(layout, data, 8)
    start = 8 + struct.calcsize(layout)
    return Group(
        "npy",
        [
            Blob("mark", data[:6]),
            Number("major", "<B", data[6]),
            Number("minor", "<B", data[7]),
            Number("length", layout, length),
            Blob("header", data[start : start + length]),
            Blob("values", data[start + length :]),
        ],
    )


def repair_npy(tree: Group) -> None:
    """Make the header's length true again."""
    header = tree.part("header")
    if isinstance(header, Blob):
        tree.set("length", len(header.data))


def parse_lines(data: bytes) -> Group:
    """Return the tree of a text: its lines, and the words between tabs."""
    file = Group("file")
    for line in data.splitlines(keepends=True):
        words = line.rstrip(b"\n").split(b"\t")
        parts: list[Part] = []
        for word in words:
            parts += [Blob("word", word), Blob("tab", b"\t")]
        parts[-1] = Blob("end", b"\n")
        file.parts.append(Group("line", parts))
    return file


def parse_pickle(data: bytes) -> Group:
    """Return the tree of a good pickle: its operations, and their arguments."""
    found = [(op, position) for op, _, position in pickletools.genops(data)]
    starts = [position or 0 for _, position in found]
    file = Group("file")
    for (op, _), start, end in zip(found, starts, [*starts[1:], len(data)], strict=True):
        parts: list[Part] = [Blob("code", data[start : start + 1])]
        rest = data[start + 1 : end]
        size = op.arg.n if op.arg is not None else 0
        if size in _LENGTHS:
            layout = _LENGTHS[size]
            width = struct.calcsize(layout)
            parts.append(Number("length", layout, struct.unpack_from(layout, rest)[0]))
            parts.append(Blob("argument", rest[width:]))
        elif size in _FIXED:
            parts.append(Number("argument", _FIXED[size], struct.unpack(_FIXED[size], rest)[0]))
        elif rest:
            parts.append(Blob("argument", rest))
        file.parts.append(Group(f"op {op.name}", parts))
    return file


def repair_pickle(tree: Group) -> None:
    """Make the lengths of arguments true again."""
    for group in tree.parts:
        if isinstance(group, Group):
            argument = group.part("argument")
            if isinstance(argument, Blob):
                group.set("length", len(argument.data))
