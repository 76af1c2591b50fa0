"""Binary files as trees of numbers and bytes, which can be changed one at a time and can lie."""

from __future__ import annotations

import struct
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Iterator
    from random import Random


@dataclass(slots=True)
class Number:
    """A number of a file: what it is for, its layout as `struct` has it, and its value."""

    kind: str
    layout: str
    value: int


@dataclass(slots=True)
class Blob:
    """Bytes of a file: names, values, text."""

    kind: str
    data: bytes


@dataclass(slots=True)
class Group:
    """Parts that stand together, such as a record."""

    kind: str
    parts: list[Part] = field(default_factory=list)

    def groups(self, kind: str) -> list[Group]:
        """Return the groups of a kind that stand directly in this one."""
        return [part for part in self.parts if isinstance(part, Group) and part.kind == kind]

    def part(self, kind: str) -> Part | None:
        """Return the first part of a kind that stands directly in this one."""
        return next((part for part in self.parts if part.kind == kind), None)

    def set(self, kind: str, value: int) -> None:
        """Set the first number of a kind that stands directly in this group, if there is one."""
        part = self.part(kind)
        if isinstance(part, Number):
            part.value = value


Part: TypeAlias = Number | Blob | Group

_POWERS = (7, 8, 15, 16, 20, 29, 30, 31, 32, 33, 40, 48, 53, 61, 62, 63, 64)
_SMALL = (0, 1, 2, 3, 4, 5, 8, 12, 13, 16, 32, 33, 64, 99, 255, 256, 1000, 65535)
_LONGEST = 1 << 16  # bytes that a change may add


def size_of(part: Part) -> int:
    """Return how many bytes a part takes."""
    if isinstance(part, Blob):
        return len(part.data)
    if isinstance(part, Number):
        return struct.calcsize(part.layout)
    return sum(map(size_of, part.parts))


def write(part: Part) -> bytes:
    """Return a part as bytes; numbers that are too big for their layout are cut."""
    if isinstance(part, Blob):
        return part.data
    if isinstance(part, Number):
        size = struct.calcsize(part.layout)
        value = part.value & ((1 << 8 * size) - 1)
        return value.to_bytes(size, "big" if part.layout[0] == ">" else "little")
    return b"".join(map(write, part.parts))


def copy(part: Group) -> Group:
    """Return a copy that can be changed."""
    made: list[Part] = []
    for each in part.parts:
        if isinstance(each, Group):
            made.append(copy(each))
        elif isinstance(each, Number):
            made.append(Number(each.kind, each.layout, each.value))
        else:
            made.append(Blob(each.kind, each.data))
    return Group(part.kind, made)


def walk(group: Group) -> Iterator[tuple[Group, int]]:
    """Yield each part of a tree: the group it stands in, and its position there."""
    for position, part in enumerate(group.parts):
        yield group, position
        if isinstance(part, Group):
            yield from walk(part)


def numbers(group: Group) -> list[Number]:
    """Return all numbers of a tree."""
    found = (parent.parts[position] for parent, position in walk(group))
    return [part for part in found if isinstance(part, Number)]


def blobs(group: Group) -> list[Blob]:
    """Return all bytes of a tree."""
    found = (parent.parts[position] for parent, position in walk(group))
    return [part for part in found if isinstance(part, Blob)]


def strange(random: Random, value: int, others: list[int]) -> int:
    """Return another number: near the old one, at the edge of a type, or one of the file's own."""
    choice = random.randrange(8)
    if choice == 0:
        return random.choice(_SMALL)
    if choice == 1:
        return -random.choice(_SMALL)
    if choice == 2:
        sign = random.choice((1, -1))
        return sign * (1 << random.choice(_POWERS)) + random.choice((-1, 0, 0, 1))
    if choice == 3:
        return value + random.choice((-4, -2, -1, 1, 2, 4, 8))
    if choice == 4:
        return value ^ (1 << random.randrange(64))
    if choice == 5 and others:
        return random.choice(others)
    if choice == 6:
        return value * random.choice((2, 4, 8, 1 << 16, -1))
    return random.getrandbits(random.choice((8, 16, 32, 64)))


def damage(random: Random, data: bytes) -> bytes:
    """Return other bytes: cut, longer, with a piece changed, repeated, moved or left out."""
    choice = random.randrange(8)
    size = len(data)
    start = random.randint(0, size)
    stop = random.randint(start, min(size, start + random.choice((1, 4, 16, 1 << 20))))
    piece = data[start:stop]
    if choice == 0:
        return data[:start]
    if choice == 1:
        return data + random.randbytes(random.choice((1, 2, 4, 8, 100)))
    if choice == 2:
        return data[:start] + random.randbytes(len(piece)) + data[stop:]
    if choice == 3:
        times = random.choice((2, 3, 100))
        return data[:start] + piece * min(times, _LONGEST // (len(piece) or 1)) + data[stop:]
    if choice == 4:
        place = random.randint(0, size - len(piece))
        rest = data[:start] + data[stop:]
        return rest[:place] + piece + rest[place:]
    if choice == 5:
        return data[:start] + data[stop:]
    if choice == 6:
        number = strange(random, 0, [size, start]) & 0xFFFF_FFFF_FFFF_FFFF
        bits = number.to_bytes(8, random.choice(("little", "big")))[: random.choice((1, 4, 8))]
        return data[:start] + bits + data[start + len(bits) :]
    flipped = bytearray(data)
    for _ in range(random.randint(1, 8) if size else 0):
        flipped[random.randrange(size)] ^= 1 << random.randrange(8)
    return bytes(flipped)


def change(random: Random, tree: Group, other: Group, words: tuple[bytes, ...] = ()) -> str:
    """Change one part of a tree, and return what was done.

    Parameters
    ----------
    random : random.Random
        What draws.
    tree : Group
        The tree.
    other : Group
        Another file's tree, to take parts from.
    words : tuple of bytes, optional
        Texts that mean something in this format.
    """
    places = list(walk(tree))
    if not places:
        return "nothing is left to change"
    group, position = random.choice(places)
    part = group.parts[position]
    choice = random.random()
    if choice < 0.6 and isinstance(part, Number):
        part.value = strange(random, part.value, [each.value for each in numbers(tree)])
        return f"{group.kind}.{part.kind} := {part.value}"
    if choice < 0.6 and isinstance(part, Blob):
        if words and random.random() < 0.4:
            part.data = random.choice(words)
        else:
            part.data = damage(random, part.data)
        return f"{group.kind}.{part.kind} damaged"
    if choice < 0.7:
        del group.parts[position]
        return f"{group.kind}.{part.kind} left out"
    if choice < 0.8:
        repeated = copy(Group("", [part])).parts * random.choice((1, 1, 2, 50))
        group.parts[position:position] = repeated if size_of(part) < 1000 else repeated[:1]
        return f"{group.kind}.{part.kind} repeated"
    if choice < 0.9:
        place = random.randrange(len(group.parts))
        group.parts[position], group.parts[place] = group.parts[place], part
        return f"{group.kind}: {position} and {place} exchanged"
    theirs = [p.parts[i] for p, i in walk(other) if type(p.parts[i]) is type(part)]
    if theirs:
        alike = [each for each in theirs if each.kind == part.kind]
        taken = copy(Group("", [random.choice(alike or theirs)])).parts
        group.parts[position : position + random.choice((0, 1))] = taken
    return f"{group.kind}.{part.kind} from another file"
