"""Zip archives as NumPy writes them: their members, and all that an archive can lie about."""

from __future__ import annotations

import io
import zipfile
import zlib
from typing import TYPE_CHECKING, NamedTuple

from fuzz import parts, small_formats
from fuzz.parts import Blob, Group, Number, Part

if TYPE_CHECKING:
    from random import Random

_STORED, _DEFLATED = 0, 8
_NAMES = (b"a.npy", b"w/format.npy", b"w/data.npy", b"", b"/etc/passwd.npy", b"../PWNED.npy", b"a",
b"PWNED",
          b"\xff\xfe.npy", b"a\0b.npy", b"x" * 300 + b".npy", b"w/shape.npy", b"w/indptr.npy",
          b"data.pkl")  # fmt: skip
_BOMB_SIZE = 1 << 27
_BOMB_HEADER = (
    b"{'descr': '|u1', 'fortran_order': False, 'shape': (134217728,), }".ljust(117) + b"\n"
)
_BOMB_NPY = b"\x93NUMPY\1\0" + len(_BOMB_HEADER).to_bytes(2, "little") + _BOMB_HEADER
_bomb: list[bytes] = []


class Member(NamedTuple):
    """A member of an archive."""

    name: bytes
    method: int
    npy: Group


def parse(data: bytes) -> list[Member]:
    """Return the members of a good archive."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return [
            Member(
                info.filename.encode(),
                info.compress_type,
                small_formats.parse_npy(archive.read(info)),
            )
            for info in archive.infolist()
        ]


def mutate(
    random: Random, members: list[Member], others: list[list[Member]]
) -> tuple[bytes, list[str]]:
    """Return a changed archive, and what was done."""
    made = [Member(m.name, m.method, parts.copy(m.npy)) for m in members]
    theirs = random.choice(random.choice(others))
    steps = []
    for _ in range(random.choice((0, 1, 1, 2))):
        position = random.randrange(len(made))
        name, method, npy = made[position]
        choice = random.randrange(6)
        if choice <= 2:
            steps.append(parts.change(random, npy, theirs.npy, small_formats.HEADERS))
            if random.random() < 0.6:
                small_formats.repair_npy(npy)
        elif choice == 3:
            made[position] = Member(random.choice(_NAMES), method, npy)
            steps.append(f"member called {made[position].name[:40]!r}")
        elif choice == 4:
            made[position] = Member(name, _DEFLATED, npy)
            steps.append("member deflated")
        else:
            twin = random.choice((name, b"more.npy"))
            made.insert(position, Member(twin, theirs.method, parts.copy(theirs.npy)))
            steps.append("member from another file")
    tree = _tree(random, made, steps)
    for _ in range(random.choice((0, 0, 1, 1, 2, 3))):
        steps.append(parts.change(random, tree, tree))
        if random.random() < 0.3:
            _repair(tree)
    return parts.write(tree), steps


def _tree(random: Random, members: list[Member], steps: list[str]) -> Group:
    locals_, central = [], []
    offset = 0
    for member in members:
        data = parts.write(member.npy)
        packed = data
        if member.method == _DEFLATED:
            packer = zlib.compressobj(1, zlib.DEFLATED, -15)
            packed = packer.compress(data) + packer.flush()
        if random.random() < 0.0005:
            data, packed = _BOMB_NPY, _packed_bomb()
            member = member._replace(method=_DEFLATED)
            steps.append("a bomb")
        size = len(data) + (_BOMB_SIZE if packed in _bomb else 0)
        shared = [
            Number("version", "<H", 20), Number("flags", "<H", 0), Number("method", "<H",
            member.method),
            Number("time", "<I", 0), Number("crc", "<I", zlib.crc32(data)),
            Number("packed size", "<I", len(packed)), Number("size", "<I", size),
            Number("name length", "<H", len(member.name)), Number("extra length", "<H", 0),
        ]  # fmt: skip
        local = Group(
            "local", [Number("mark", "<I", 0x04034B50), *shared, Blob("name", member.name)]
        )
        local.parts += [Blob("extra", b""), Blob("data", packed)]
        again = parts.copy(Group("", list(shared))).parts
        own = [Number(kind, "<H", 0) for kind in ("comment length", "disk", "attributes")]
        central.append(
            Group(
                "central",
                [
                    Number("mark", "<I", 0x02014B50), Number("made by", "<H", 20), *again, *own,
                    Number("more attributes", "<I", 0), Number("offset", "<I", offset),
                    Blob("name", member.name), Blob("extra", b""),
                ],
            )
        )  # fmt: skip
        locals_.append(local)
        offset += parts.size_of(local)
    length = sum(map(parts.size_of, central))
    count = len(central)
    end: list[Part] = [
        Number("mark", "<I", 0x06054B50),
        Number("disk", "<H", 0),
        Number("first disk", "<H", 0),
    ]
    end += [Number("count here", "<H", count), Number("count", "<H", count)]
    end += [
        Number("size", "<I", length),
        Number("offset", "<I", offset),
        Number("comment", "<H", 0),
    ]
    return Group("file", [*locals_, *central, Group("end", end)])


def _packed_bomb() -> bytes:
    if not _bomb:
        packer = zlib.compressobj(9, zlib.DEFLATED, -15)
        zeros = bytes(1 << 20)
        pieces = [packer.compress(_BOMB_NPY)]
        pieces += [packer.compress(zeros) for _ in range(_BOMB_SIZE >> 20)]
        _bomb.append(b"".join([*pieces, packer.flush()]))
    return _bomb[0]


def _repair(tree: Group) -> None:
    """Make offsets and counts true again."""
    central = tree.groups("central")
    offset = 0
    offsets = []
    for part in tree.parts:
        if part.kind == "local":
            offsets.append(offset)
        offset += parts.size_of(part)
    for group, place in zip(central, offsets, strict=False):
        group.set("offset", place)
    size = sum(map(parts.size_of, central))
    for end in tree.groups("end"):
        end.set("count", len(central))
        end.set("count here", len(central))
        end.set("size", size)
        end.set("offset", sum(map(parts.size_of, tree.groups("local"))))
