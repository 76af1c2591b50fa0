"""What is done with each file: it is read, and what came out is used as users do."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any

import torch

import gluonish as mx
from gluonish import serialization
from gluonish.array.sparse_tensor import SparseTensor
from gluonish.conversion import inspect
from gluonish.errors import FileFormatError, MXNetError, UnknownOperatorError
from gluonish.gluon import SymbolBlock
from gluonish.optimizer.saving import unpack
from gluonish.serialization.idx_format import read_idx
from gluonish.serialization.states import read_states
from gluonish.symbol import Symbol
from gluonish.symbol.reading import from_json

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from fuzz.family import Family

REFUSALS = (FileFormatError, UnknownOperatorError)  # what reading may raise
REFUSED = object()


class ChangedError(AssertionError):
    """What was read is not what was written from it."""


def read(family: Family, path: Path, data: bytes, number: int) -> Any:
    """Read a file.

    Parameters
    ----------
    family : Family
        Its format.
    path : Path
        Where it is.
    data : bytes
        Its content.
    number : int
        Odd numbers take the path, even ones the bytes, where both can be read.

    Returns
    -------
    object
        What is in it; `REFUSED` if it was refused with one of `REFUSALS`.
    """
    try:
        return family.read(path, data, number)
    except REFUSALS as error:
        _check_message(error)
        return REFUSED


def use(family: Family, content: Any, path: Path) -> None:
    """Use what `read` returned, as users do, which may fail with errors of gluonish alone."""
    if family.use is not None:
        try:
            family.use(content, path)
        except MXNetError as error:
            _check_message(error)


def look(path: Path, number: int) -> None:
    """Show what is in a file, as `gluonish inspect` does, which takes damaged ones, too."""
    try:
        report = inspect(path, statistics=number % 8 == 1, progress=False)
    except MXNetError as error:
        _check_message(error)
    else:
        str(report.damage).encode()


def _check_message(error: MXNetError) -> None:
    """Refuse messages that cannot be printed, or that fill the screen."""
    text = str(error)
    text.encode()
    if len(text) > 20_000:
        msg = f"a message of {len(text)} characters: {text[:200]}"
        raise ChangedError(msg)


def arrays(path: Path, data: bytes, number: int) -> Any:
    """Return the arrays of a file of any format that `load` takes."""
    if number % 2:
        content = serialization.load(path, keeps_sparse=True)
        serialization.describe(path)
        return content
    return serialization.load_bytes(data, keeps_sparse=True)


def use_arrays(content: Any, path: Path) -> None:
    """Write arrays and read them again, and load them into a net."""
    again = serialization.load_bytes(serialization.save_bytes(content), keeps_sparse=True)
    before, after = _told(content), _told(again)
    if before != after:
        msg = f"{before} became {after}"
        raise ChangedError(msg)
    mx.nd.load(str(path))
    _net().load_parameters(str(path), allow_missing=True, ignore_extra=True)


def _told(content: Any) -> list[Any]:
    """Return all that a file says, names, shapes, dtypes and bits, as what can be compared."""
    named = content.items() if isinstance(content, dict) else enumerate(content)
    return [(name, *_parts(value)) for name, value in named]


def _parts(value: Any) -> list[Any]:
    if isinstance(value, SparseTensor):
        indices = [part.long() for part in (value.indices, value.indptr) if part is not None]
        return [value.shape, *(part for each in (value.values, *indices) for part in _parts(each))]
    bits = value.contiguous().reshape(-1).view(torch.uint8).numpy().data
    return [tuple(value.shape), value.dtype, bytes(bits)]


@functools.cache
def _net() -> Any:
    net = mx.gluon.nn.HybridSequential()
    net.add(mx.gluon.nn.Dense(8, in_units=6, activation="relu"), mx.gluon.nn.Dense(3, in_units=8))
    net.initialize()
    return net


def symbol(_: Path, data: bytes, __: int) -> Any:
    """Return a graph."""
    return Symbol(from_json(data, "case"))


def use_symbol(symbol: Any, _: Path) -> None:
    """Look at a graph, write it and read it again, infer, bind."""
    for look in (
        symbol.list_arguments, symbol.list_auxiliary_states, symbol.list_outputs, symbol.attr_dict,
        symbol.debug_str, symbol.__repr__, symbol.get_children, symbol.get_internals().list_outputs,
    ):  # fmt: skip
        look()
    text = symbol.tojson()
    again = mx.sym.load_json(text).tojson()
    if again != text:
        msg = f"{text[:300]} became {again[:300]}"
        raise ChangedError(msg)
    inputs = symbol.list_inputs()
    first = inputs[0] if inputs else ""
    shapes = {first: (2, 3)} if inputs else {}
    for ask in (
        lambda: symbol.infer_shape_partial(),
        lambda: symbol.infer_shape_partial(**shapes),
        lambda: symbol.infer_type_partial(),
        lambda: SymbolBlock(symbol, [mx.sym.var(first)]),
        lambda: symbol.bind(mx.cpu(), {}),
        lambda: symbol.bind(mx.cpu(), [mx.nd.ones((2, 3)) for _ in inputs]),
    ):
        try:
            ask()
        except MXNetError as error:
            _check_message(error)


def own_states(_: Path, data: bytes, __: int) -> Any:
    """Return states that gluonish wrote."""
    return unpack(data, "case")


def states(_: Path, data: bytes, __: int) -> Any:
    """Return states that MXNet pickled."""
    return read_states(data, "case")


def use_states(_: Any, path: Path) -> None:
    """Load states into a Trainer."""
    _trainer().load_states(str(path))


@functools.cache
def _trainer() -> Any:
    net = mx.gluon.nn.Dense(2, in_units=3, prefix="dense0_")
    net.initialize()
    return mx.gluon.Trainer(net.collect_params(), "adam", kvstore=None)


def recordio(path: Path, _: bytes, __: int) -> list[bytes]:
    """Return records."""
    return list(_records(mx.recordio.MXRecordIO(str(path), "r")))


def _records(reader: Any) -> Iterable[bytes]:
    try:
        while (record := reader.read()) is not None:
            yield record
    finally:
        reader.close()


def use_records(records: list[bytes], _: Path) -> None:
    """Unpack records, and decode their pictures."""
    for record in records:
        for use in (mx.recordio.unpack, mx.recordio.unpack_img):
            try:
                use(record)
            except MXNetError as error:
                _check_message(error)


def index(path: Path, _: bytes, __: int) -> Any:
    """Return nothing, after reading records by an index."""
    record = path.with_suffix(".rec")
    reader = mx.recordio.MXIndexedRecordIO(str(path), str(record), "r")
    try:
        for key in reader.keys[:20]:
            reader.read_idx(key)
    finally:
        reader.close()


def idx(path: Path, _: bytes, __: int) -> Any:
    """Return the array of an IDX file."""
    return read_idx(path)
