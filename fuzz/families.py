"""All formats that are fuzzed."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING

from fuzz import changes, good_files, targets
from fuzz.family import UNPACKED, Family
from gluonish.serialization.formats import ArrayFormat
from gluonish.serialization.kinds import Kind

if TYPE_CHECKING:
    from collections.abc import Iterator

_ARRAYS = targets.arrays, targets.use_arrays
_OWN = (
    Family("params", Kind.PARAMS, 30, good_files.params, changes.container, *_ARRAYS),
    Family(
        "states", Kind.PICKLED_STATES, 18, good_files.states, changes.pickle,
        targets.states, targets.use_states,
    ),
    Family(
        "symbol", Kind.GRAPH, 14, good_files.symbols, changes.symbol,
        targets.symbol, targets.use_symbol,
    ),
    Family(
        "recordio", Kind.RECORDS, 12, good_files.recordio, changes.recordio,
        targets.recordio, targets.use_records,
    ),
    Family(
        "safetensors", Kind.SAFETENSORS, 8, good_files.safetensors, changes.safetensors, *_ARRAYS
    ),
    Family(
        "own_states", Kind.STATES, 5, good_files.own_states, changes.own_states,
        targets.own_states, targets.use_states,
    ),
    Family(
        "index", Kind.RECORD_INDEX, 3, good_files.index, changes.index_lines, targets.index,
        file="case.idx", beside="recordio",
    ),
    Family("npz", Kind.NPZ, 3, good_files.npz, changes.npz, *_ARRAYS, UNPACKED),
    Family("npy", Kind.NPY, 4, good_files.npy, changes.npy, *_ARRAYS),
    Family("idx", Kind.IDX, 2, good_files.idx, changes.idx, targets.idx),
    Family("idx_gz", Kind.IDX, 1, good_files.idx, changes.idx_gz, targets.idx, free=UNPACKED),
)  # fmt: skip


def family_of(kind: Kind, each: ArrayFormat) -> Family:
    """Return the family of a format of arrays that nobody has taught the fuzzer: bytes change."""
    make = functools.partial(good_files.written, each)
    return Family(kind.name.lower(), kind, 3, make, changes.plain, *_ARRAYS, UNPACKED)


def _further() -> Iterator[Family]:
    """Yield families of the formats that `load` takes, and that have none of their own."""
    own = {family.kind for family in _OWN}
    for kind in Kind:
        if kind not in own and isinstance(kind.format, ArrayFormat) and kind.format.spelled:
            yield family_of(kind, kind.format)


FAMILIES = {family.name: family for family in (*_OWN, *_further())}
