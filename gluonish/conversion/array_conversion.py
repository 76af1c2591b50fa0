"""Converts files of arrays, one array after another."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import torch
from tqdm.auto import tqdm

from gluonish.array.sparse_tensor import SparseTensor
from gluonish.conversion import writers
from gluonish.conversion.arrays import DENSE, open_arrays
from gluonish.conversion.graphs import copy_graph
from gluonish.conversion.naming import NAMES_KEY, mark_all, marks_of, original_names, renamed
from gluonish.conversion.plans import DTYPES, Array, Converted
from gluonish.errors import ConversionError, InvalidArgumentError
from gluonish.serialization.elements import byte_view, check_dtype, stored_form
from gluonish.serialization.files import replacing_together
from gluonish.symbol.files import load as load_symbol

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import BinaryIO

    from torch import Tensor

    from gluonish.conversion.arrays import Arrays
    from gluonish.conversion.plans import Choices, Plan

LARGE: Final = 1 << 26  # bytes from which on a bar shows the progress
_SHOWN: Final = 5


class _Result(NamedTuple):
    """What a result will hold."""

    arrays: list[Array]
    named: bool
    metadata: dict[str, str]
    np_shape: bool
    notes: list[str]


def convert_arrays(plan: Plan, choices: Choices) -> Converted:
    """Convert a file of arrays; see `convert`."""
    job, path = plan.job, plan.outputs[0]
    assert job.arrays is not None  # noqa: S101 - the caller looked
    with open_arrays(job.arrays) as source:
        result = _planned(source, plan, choices)
        total = sum(array.size for array in result.arrays)
        with bar_of(job.stem, total * (1 + choices.verify), choices) as bar:

            def values(array: Array) -> Any:  # noqa: ANN401 - for MXNet sparse arrays, too
                found = _stored(source, array)
                bar.update(array.size)
                return found

            with replacing_together(*plan.outputs) as (stream, *further):
                for graph_stream in further:
                    copy_graph(job.graph or "", graph_stream)
                _write(stream, result, values, choices)
                checks = ""
                if choices.verify:
                    stream.flush()
                    checks = _verified(stream.name, path, result, values)
    sources = (job.arrays, job.graph) if len(plan.outputs) > 1 else (job.arrays,)
    return Converted(
        tuple(name for name in sources if name),
        plan.outputs,
        len(result.arrays),
        sum(torch.Size(array.shape).numel() for array in result.arrays),
        total,
        checks,
        tuple(source.notes + result.notes),
    )


def _planned(source: Arrays, plan: Plan, choices: Choices) -> _Result:
    """Return what a result will hold, with all that keeps it from being written found first."""
    old = [item.name for item in source.items]
    notes: list[str] = []
    new = _names(source, old, plan, choices)
    arrays = []
    for position, (name, item) in enumerate(zip(new, source.items, strict=True)):
        dtype = item.dtype
        check_dtype(torch.empty(0, dtype=dtype), f"array {item.name!r}")
        if choices.dtype is not None and dtype.is_floating_point:
            dtype = DTYPES[choices.dtype]
        is_sparse = item.storage != DENSE and choices.to == "mxnet"
        arrays.append(Array(name, position, item.shape, dtype, is_sparse))
    sparse = [item.name for item in source.items if item.storage != DENSE]
    if sparse and choices.to != "mxnet":
        notes.append(f"{counted(len(sparse), 'sparse array')} made dense: {_listed(sparse)}")
    np_shape = choices.to == "mxnet" and writers.needs_np_shape(arrays)
    if np_shape:
        odd = [array.name for array in arrays if 0 in array.shape or not array.shape]
        notes.append(
            f"V3 records, for {_listed(odd)} without dimensions or elements: MXNet reads them "
            f"after npx.set_np() or under mx.util.np_shape()"
        )
    return _Result(arrays, source.named, _metadata(source, old, new), np_shape, notes)


def _names(source: Arrays, old: Sequence[str], plan: Plan, choices: Choices) -> list[str]:
    if not source.named:
        if choices.renames or choices.names == "torch":
            msg = (
                f"{source.name!r} holds a list without names. Expected names to change. Leave out "
                f"--names and --rename."
            )
            raise InvalidArgumentError(msg)
        return list(old)
    if choices.to != "mxnet" or choices.names is not None:
        return renamed(old, choices.names or "plain", choices.renames)
    told = original_names(source.metadata)
    original = [told.get(name, name) for name in old]
    if plan.job.graph is not None and not marks_of(original):
        auxiliary = dict.fromkeys(load_symbol(plan.job.graph).list_auxiliary_states())
        original = mark_all(original, auxiliary)
    return renamed(original, "keep", choices.renames)


def _metadata(source: Arrays, old: Sequence[str], new: Sequence[str]) -> dict[str, str]:
    """Return what a safetensors file tells of where its arrays come from."""
    found = {key: text for key, text in source.metadata.items() if not key.startswith("gluonish.")}
    found |= {"format": "pt", "gluonish.kind": "dict" if source.named else "list"}
    layouts = sorted({item.layout for item in source.items})
    found["gluonish.source"] = ", ".join(layouts)
    original = original_names(source.metadata)
    changed = {
        after: original.get(before, before)
        for before, after in zip(old, new, strict=True)
        if original.get(before, before) != after
    }
    if changed:
        found[NAMES_KEY] = json.dumps(changed, ensure_ascii=False)
    return found


def _stored(source: Arrays, array: Array) -> Tensor | SparseTensor:
    """Return an array as the result holds it."""
    if not array.is_sparse:
        return _cast(source.dense(array.position), array.dtype)
    found = source.read(array.position)
    if isinstance(found, SparseTensor):
        return SparseTensor(
            found.shape, _cast(found.values, array.dtype), found.indices.long(),
            None if found.indptr is None else found.indptr.long(),
        )  # fmt: skip
    return _cast(found, array.dtype)


def _cast(tensor: Tensor, dtype: torch.dtype) -> Tensor:
    return stored_form(tensor if tensor.dtype == dtype else tensor.to(dtype))


def _write(
    stream: BinaryIO, result: _Result, values: Callable[[Array], Any], choices: Choices
) -> None:
    if choices.to == "safetensors":
        writers.write_safetensors(stream, result.arrays, values, result.metadata)
    elif choices.to == "torch":
        writers.write_torch(stream, result.arrays, values, named=result.named)
    else:
        writers.write_container(
            stream,
            result.arrays,
            values,
            named=result.named,
            np_shape=result.np_shape,
        )


def _verified(temporary: str, path: str, result: _Result, values: Callable[[Array], Any]) -> str:
    """Read a result, compare each array with its source, and return what was found."""
    with open_arrays(temporary) as written:
        positions = {item.name: place for place, item in enumerate(written.items)}
        wrong = sorted(positions.keys() ^ {array.name for array in result.arrays})
        for array in result.arrays:
            if wrong:
                break
            if not _equal(written.read(positions[array.name]), values(array)):
                wrong.append(array.name)
    if wrong:
        msg = (
            f"{path!r}: as written, {counted(len(wrong), 'array')} differ from the source: "
            f"{_listed(wrong)}. Expected equal ones. It was not put in its place; report this with "
            f"the output of `gluonish doctor`."
        )
        raise ConversionError(msg)
    return f"{counted(len(result.arrays), 'array')} equal, bit for bit"


def _equal(found: Tensor | SparseTensor, expected: Tensor | SparseTensor) -> bool:
    if isinstance(found, SparseTensor) and isinstance(expected, SparseTensor):
        pairs = [(found.values, expected.values), (found.indices, expected.indices)]
        if found.indptr is not None and expected.indptr is not None:
            pairs.append((found.indptr, expected.indptr))
        is_alike = found.shape == expected.shape and found.storage == expected.storage
        return is_alike and all(_equal(*pair) for pair in pairs)
    if isinstance(found, SparseTensor) or isinstance(expected, SparseTensor):
        return False
    if found.shape != expected.shape or found.dtype != expected.dtype:
        return False
    return torch.equal(byte_view(stored_form(found)), byte_view(expected))


def bar_of(label: str, total: int, choices: Choices) -> tqdm[Any]:
    """Return the bar that shows the progress in bytes."""
    shown = total >= LARGE if choices.progress is None else choices.progress
    return tqdm(
        total=total, desc=label, unit="B", unit_scale=True, disable=not shown, dynamic_ncols=True
    )


def counted(number: int, what: str) -> str:
    """Return a number with its noun: `1 array`, `2 arrays`."""
    return f"{number:,} {what}{'' if number == 1 else 's'}"


def _listed(names: Sequence[str]) -> str:
    more = f" and {len(names) - _SHOWN} more" if len(names) > _SHOWN else ""
    return ", ".join(names[:_SHOWN]) + more
