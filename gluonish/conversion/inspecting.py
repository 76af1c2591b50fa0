"""Shows what is in files, damaged ones included."""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING, Any, Final

import torch

from gluonish.array.dtypes import dtype_name
from gluonish.array.sparse_tensor import SparseTensor
from gluonish.conversion.finding import graph_beside
from gluonish.conversion.graph_reports import graph_report
from gluonish.conversion.naming import MARKS, json_of, split_mark
from gluonish.conversion.record_reports import index_report, records_report
from gluonish.conversion.reports import (
    ArrayReport,
    Report,
    bytes_bar,
    is_shown,
    statistics_of,
    tally,
)
from gluonish.errors import FileFormatError
from gluonish.optimizer.saving import leaves, unpack
from gluonish.serialization.any_format import open_arrays
from gluonish.serialization.files import open_source, path_text
from gluonish.serialization.foreign import foreign
from gluonish.serialization.formats import DENSE, ArrayFormat
from gluonish.serialization.kinds import Kind, kind_of_source
from gluonish.serialization.safetensors_format import Checkpoint

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from gluonish.serialization.files import PathLike
    from gluonish.serialization.formats import Arrays

_FULL_NAME: Final = re.compile(r"[A-Za-z]\w*_\w+")
_SHOWN_SETTINGS: Final = ("lr", "wd", "momentum", "beta1", "beta2", "epsilon", "num_update")


def inspect(
    path: PathLike,
    *,
    statistics: bool = False,
    input_shapes: Mapping[str, tuple[int, ...]] | None = None,
    progress: bool | None = None,
) -> Report:
    """Return what is in a file: of MXNet, gluonish, PyTorch or NumPy.

    Parameters
    ----------
    path : path
        File or URL.
    statistics : bool, default False
        Whether to read all values, too, for their least, largest and mean.
    input_shapes : dict of str to tuple of int, optional
        Shapes of a graph's inputs, from which all others are found.
    progress : bool, optional
        Whether a bar shows the progress; by default on files of 64 MiB or more.

    Raises
    ------
    MissingFileError
        There is no such file.
    FileAccessError
        The file cannot be read.

    Notes
    -----
    Nothing in a file is ever run. Of a damaged file, the report says where the damage is and has
    what stands before it.

    Examples
    --------
    >>> import tempfile
    >>> import gluonish as mx
    >>> from gluonish.conversion import inspect
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     mx.nd.save(f'{folder}/x', {'fc_weight': mx.nd.ones((2, 3))})
    ...     report = inspect(f'{folder}/x', statistics=True)
    >>> report.kind.value, report.arrays[0].shape, report.arrays[0].statistics.mean
    ('MXNet parameters', (2, 3), 1.0)
    """
    name = path_text(path)
    with open_source(path) as source:
        kind, size = kind_of_source(source), source.size
    report = Report(name, kind, size)
    shows = is_shown(size, progress)
    if kind.format.use == "states":
        _fill_states(report, statistics=statistics)
    elif isinstance(kind.format, ArrayFormat):
        _fill_arrays(report, kind.format, statistics=statistics, shows=shows)
    elif kind is Kind.GRAPH:
        graph_report(report, input_shapes or {})
    elif kind is Kind.RECORDS:
        records_report(report, shows=shows)
    elif kind is Kind.RECORD_INDEX:
        index_report(report)
    elif size == 0:
        report.damage = f"{name!r} is empty. Expected some content. Copy or download it again."
    elif kind is Kind.UNKNOWN:
        report.damage = _of_others(name)
    return report


def _of_others(name: str) -> str:
    """Say what a file is that is none of ours."""
    with open_source(name) as source:
        known = foreign(source)
    kinds = ", ".join(each.format.title for each in Kind if each is not Kind.UNKNOWN)
    what, fix = ("of no known kind", "Name another file") if known is None else known
    return f"{name!r} is {what}. Expected one of these: {kinds}. {fix}."


def _fill_arrays(report: Report, kind: ArrayFormat, *, statistics: bool, shows: bool) -> None:
    try:
        with open_arrays(report.path, partial=True) as arrays:
            report.facts |= _array_facts(report.path, kind, arrays)
            total = sum(item.size for item in arrays.items)
            with bytes_bar(total, shows=shows and statistics) as bar:
                for position, item in enumerate(arrays.items):
                    numbers = None  # indices and truth values can be wrong: they are read
                    if statistics or item.storage != DENSE or item.dtype is torch.bool:
                        array = arrays.read(position)
                        values = array.values if isinstance(array, SparseTensor) else array
                        numbers = statistics_of(values)
                    bar.update(item.size)
                    report.arrays.append(
                        ArrayReport(
                            item.name,
                            item.shape,
                            dtype_name(item.dtype),
                            item.storage,
                            item.size,
                            numbers if statistics else None,
                        )
                    )
            if arrays.damage is not None:
                report.damage = str(arrays.damage)
    except FileFormatError as error:
        report.damage = str(error)


def _array_facts(path: str, kind: ArrayFormat, arrays: Arrays) -> dict[str, Any]:
    facts: dict[str, Any] = {}
    layouts = tally([item.layout for item in arrays.items])
    if layouts:
        facts["layout"] = ", ".join(layouts)
    writers = [who for base, who in kind.writers.items() if any(base in each for each in layouts)]
    if writers:
        facts["written by"] = "; ".join(writers)
    names = [item.name for item in arrays.items]
    if arrays.items and arrays.damage is None and kind.tells_names:
        facts["names"] = _naming(names) if arrays.named else "none: a list"
    marks = tally([mark for mark, _ in map(split_mark, names) if mark in MARKS])
    facts |= {"arguments": marks["arg"]} if "arg" in marks else {}
    facts |= {"auxiliary": marks["aux"]} if "aux" in marks else {}
    sparse = tally([item.storage for item in arrays.items if item.storage != DENSE])
    if sparse:
        facts["sparse"] = sparse
    facts["dtypes"] = tally([dtype_name(item.dtype) for item in arrays.items])
    facts |= _checkpoint_facts(arrays.metadata)
    shown = {key: text for key, text in arrays.metadata.items() if len(text) <= 200}
    if shown:
        facts["metadata"] = shown
    graph = graph_beside(path)
    if graph is not None:
        facts["graph"] = graph
    if arrays.notes:
        facts["notes"] = list(arrays.notes)
    return facts


def _checkpoint_facts(metadata: Mapping[str, str]) -> dict[str, Any]:
    """Return what a checkpoint says of how far the training was."""
    told = json_of(metadata, Checkpoint.key)
    facts = {key: told[key] for key in ("epoch", "batch") if type(told.get(key)) is int}
    for key in ("nets", "trainers"):
        if isinstance(told.get(key), list):
            facts[key] = len(told[key])
    if isinstance(told.get("values"), dict) and told["values"]:
        facts["values"] = {key: str(value)[:80] for key, value in told["values"].items()}
    return facts


def _naming(names: Sequence[str]) -> str:
    if all(name.startswith(("arg:", "aux:")) for name in names):
        return "arg: and aux:, as HybridBlock.export and save_checkpoint write them"
    if any("." in name for name in names):
        return "structural, as Block.save_parameters and state_dict() write them"
    if all(_FULL_NAME.fullmatch(name) for name in names):
        return "full, as ParameterDict.save writes them"
    return "chosen by the program that saved them"


def _fill_states(report: Report, *, statistics: bool) -> None:
    try:
        with open_source(report.path) as source:
            saved = unpack(source.stream.read(), report.path)
    except FileFormatError as error:
        report.damage = str(error)
        return
    facts = report.facts
    is_pickle = report.kind is Kind.PICKLED_STATES
    facts["layout"] = "pickle, read without running it" if is_pickle else "safetensors"
    facts["written by"] = "MXNet" if is_pickle else "gluonish"
    if saved.optimizer is None:
        facts["optimizer"] = "not in the file: states alone"
    else:
        facts["optimizer"] = saved.optimizer["name"]
        constants = saved.optimizer["constants"]
        settings = {key: constants[key] for key in _SHOWN_SETTINGS if key in constants}
        facts["settings"] = {key: text for key, text in settings.items() if text is not None}
        schedule = saved.optimizer["scheduler"]
        if schedule is not None:
            facts["schedule"] = schedule["name"]
    facts["weights"] = len(saved.states)
    for index, state in saved.states.items():
        label = saved.names.get(index, str(index))
        parts = leaves(state)
        for number, tensor in enumerate(parts):
            if hasattr(tensor, "shape"):
                shape = tuple(tensor.shape)
                report.arrays.append(
                    ArrayReport(
                        label if len(parts) == 1 else f"{label}.{number}",
                        shape,
                        dtype_name(tensor.dtype),
                        DENSE,
                        math.prod(shape) * tensor.itemsize,
                        statistics_of(tensor) if statistics else None,
                    )
                )


def graph_of(path: str, kind: Kind) -> str | None:
    """Return the graph that a file is, or that belongs to it."""
    return path if kind is Kind.GRAPH else graph_beside(path)
