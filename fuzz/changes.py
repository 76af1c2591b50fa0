"""Changes to good files, by what knows their formats."""

from __future__ import annotations

import functools
import gzip
import json
import struct
from typing import TYPE_CHECKING, Any

from fuzz import (
    container_format,
    good_files,
    json_format,
    parts,
    small_formats,
    symbol_format,
    zip_format,
)
from fuzz.parts import Blob, Group
from gluonish.ops.table.graph_names import _index
from gluonish.serialization.safetensors_format import States

if TYPE_CHECKING:
    from collections.abc import Callable
    from random import Random

    from fuzz.family import Seed

_STATES_KEY = States.key
_COUNTS = (1, 1, 1, 2, 2, 3, 4, 8)  # changes to a file


def _changed(
    random: Random,
    one: Group,
    other: Group,
    words: tuple[bytes, ...],
    repair: Callable[[Group], None] | None,
) -> tuple[Group, list[str]]:
    tree = parts.copy(one)
    steps = []
    for _ in range(random.choice(_COUNTS)):
        steps.append(parts.change(random, tree, other, words))
        if repair is not None and random.random() < 0.5:
            repair(tree)
            steps.append("repaired")
    return tree, steps


def plain(random: Random, one: Seed, other: Seed) -> tuple[bytes, list[str]]:
    """Return a changed copy of a file of which nothing is known, and what was done."""
    tree, steps = _changed(random, one.tree, other.tree, (), None)
    return parts.write(tree), steps


def container(random: Random, one: Seed, other: Seed) -> tuple[bytes, list[str]]:
    """Return a changed copy of MXNet's container, and what was done."""
    tree, steps = _changed(
        random, one.tree, other.tree, container_format.WORDS, container_format.repair
    )
    return parts.write(tree), steps


def pickle(random: Random, one: Seed, other: Seed) -> tuple[bytes, list[str]]:
    """Return a changed copy of a pickle, and what was done."""
    tree = parts.copy(one.tree)
    steps = []
    for _ in range(random.choice(_COUNTS)):
        choice = random.random()
        if choice < 0.25:
            place = random.randint(0, len(tree.parts))
            evil = random.choice(small_formats.EVIL_OPS)
            tree.parts.insert(place, Blob("operation", evil))
            steps.append(f"operation {place} := {evil[:40]!r}")
        elif choice < 0.45:
            steps.append(_record_in_pickle(random, tree))
        else:
            words = small_formats.EVIL_OPS if random.random() < 0.2 else container_format.WORDS
            steps.append(parts.change(random, tree, other.tree, words))
        if random.random() < 0.5:
            small_formats.repair_pickle(tree)
    return parts.write(tree), steps


def _record_in_pickle(random: Random, tree: Group) -> str:
    """Change an array inside of a pickle, and the lengths around it."""
    marks = (b"\xc8\xfa\x93\xf9", b"\xc9\xfa\x93\xf9", b"\xca\xfa\x93\xf9")
    blobs = [blob for blob in parts.blobs(tree) if blob.data[:4] in marks]
    if not blobs:
        return "no array is there"
    blob = random.choice(blobs)
    try:
        record = container_format.parse_record(blob.data)
    except (ValueError, LookupError, ArithmeticError, MemoryError, struct.error):
        blob.data = parts.damage(random, blob.data)
        return "an array's bytes damaged"
    step = parts.change(random, record, record)
    blob.data = parts.write(record)
    small_formats.repair_pickle(tree)
    return f"in an array: {step}"


def symbol(random: Random, one: Seed, other: Seed) -> tuple[bytes, list[str]]:
    """Return a changed copy of a graph, and what was done."""
    graph = json.loads(one.data)
    operators = _operators()
    steps = []
    for _ in range(random.choice(_COUNTS)):
        if random.random() < 0.3 and isinstance(graph, dict):
            steps.append(json_format.change(random, graph, other.tree))
        else:
            steps.append(symbol_format.change(random, graph, other.tree, operators))
    return _text(random, graph), steps


@functools.cache
def _operators() -> list[str]:
    return sorted(_index())


def _text(random: Random, tree: Any) -> bytes:
    if random.random() < 0.02:
        return json_format.dump(tree).encode(random.choice(("utf-16", "utf-8-sig", "utf-32")))
    return json_format.dump(tree).encode("utf-8", "surrogatepass")


def safetensors(random: Random, one: Seed, other: Seed) -> tuple[bytes, list[str]]:
    """Return a changed copy of a safetensors file, and what was done."""
    header, body = json.loads(json.dumps(one.tree[0])), one.tree[1]
    steps = []
    for _ in range(random.choice(_COUNTS)):
        if random.random() < 0.35:
            steps.append(_offsets(random, header, len(body)))
        else:
            steps.append(json_format.change(random, header, other.tree[0]))
        if random.random() < 0.2:
            body = parts.damage(random, body)
            steps.append("values damaged")
    return _with_length(random, _text(random, header), body, steps)


def _offsets(random: Random, header: Any, size: int) -> str:
    found = [each for each in header.values() if isinstance(each, dict) and "dtype" in each]
    if not found:
        return "no array is there"
    entry = random.choice(found)
    choice = random.randrange(3)
    if choice == 0:
        kinds = ("F32", "F64", "BF16", "BOOL", "U8", "I64", "F8_E4M3", "C64", "F4", "X", "U16")
        entry["dtype"] = random.choice(kinds)
    elif choice == 1 and isinstance(entry.get("data_offsets"), list):
        numbers = entry["data_offsets"]
        if numbers and isinstance(numbers[0], int):
            numbers[random.randrange(len(numbers))] = parts.strange(random, numbers[0], [size])
    elif isinstance(entry.get("shape"), list):
        dims = entry["shape"]
        place = random.randint(0, len(dims))
        dims[place : place + 1] = [parts.strange(random, 3, [size])]
    return f"an array's entry := {str(entry)[:60]}"


def _with_length(
    random: Random, header: bytes, body: bytes, steps: list[str]
) -> tuple[bytes, list[str]]:
    length = len(header)
    if random.random() < 0.1:
        length = parts.strange(random, length, [len(body)])
        steps.append(f"header's length := {length}")
    return (length & ((1 << 64) - 1)).to_bytes(8, "little") + header + body, steps


def own_states(random: Random, one: Seed, other: Seed) -> tuple[bytes, list[str]]:
    """Return a changed copy of gluonish's own file of states, and what was done."""
    header, body = json.loads(json.dumps(one.tree[0])), one.tree[1]
    told = json.loads(header["__metadata__"][_STATES_KEY])
    theirs = json.loads(other.tree[0]["__metadata__"][_STATES_KEY])
    steps = []
    for _ in range(random.choice(_COUNTS)):
        if random.random() < 0.7:
            steps.append(json_format.change(random, told, theirs))
        else:
            steps.append(json_format.change(random, header, other.tree[0]))
    if isinstance(header.get("__metadata__"), dict):
        header["__metadata__"][_STATES_KEY] = _text(random, told).decode("utf-8", "replace")
    return _with_length(random, _text(random, header), body, steps)


def recordio(random: Random, one: Seed, other: Seed) -> tuple[bytes, list[str]]:
    """Return a changed copy of a file of records, and what was done."""
    tree, steps = _changed(
        random, one.tree, other.tree, (b"\x0a\x23\xd7\xce",), small_formats.repair_recordio
    )
    if random.random() < 0.3:
        chunk = random.choice(tree.groups("chunk") or [Group("chunk")])
        chunk.set("flag and length", random.choice((1, 2, 3, 4, 7)) << 29)
        small_formats.repair_recordio(tree)
        steps.append("another flag")
    return parts.write(tree), steps


def index_lines(random: Random, one: Seed, other: Seed) -> tuple[bytes, list[str]]:
    """Return a changed copy of an index of records, and what was done."""
    tree, steps = _changed(random, one.tree, other.tree, small_formats.TEXTS, None)
    return parts.write(tree), steps


def npz(random: Random, one: Seed, _: Seed) -> tuple[bytes, list[str]]:
    """Return a changed copy of an archive, and what was done."""
    return zip_format.mutate(random, one.tree, [seed.tree for seed in good_files.npz()])


def npy(random: Random, one: Seed, other: Seed) -> tuple[bytes, list[str]]:
    """Return a changed copy of an array of NumPy, and what was done."""
    tree, steps = _changed(
        random, one.tree, other.tree, small_formats.HEADERS, small_formats.repair_npy
    )
    return parts.write(tree), steps


def idx(random: Random, one: Seed, other: Seed) -> tuple[bytes, list[str]]:
    """Return a changed copy of an IDX file, and what was done."""
    tree, steps = _changed(random, one.tree, other.tree, (), small_formats.repair_idx)
    return parts.write(tree), steps


def idx_gz(random: Random, one: Seed, other: Seed) -> tuple[bytes, list[str]]:
    """Return a changed copy of a gzipped IDX file, and what was done."""
    data, steps = idx(random, one, other)
    if random.random() < 0.002:
        size = 1 << random.choice((24, 27))
        data = bytes([0, 0, 8, 1]) + size.to_bytes(4, "big") + bytes(size)
        steps = [f"a bomb of {size} bytes"]
    packed = gzip.compress(data, random.choice((0, 1, 6)), mtime=0)
    choice = random.random()
    if choice < 0.4:
        packed = parts.damage(random, packed)
        steps.append("gzip data damaged")
    elif choice < 0.5:
        packed += gzip.compress(data[:100], mtime=0)
        steps.append("another member")
    return packed, steps
