"""Saving and loading of the parameters of Blocks: everything is checked, then applied."""

from __future__ import annotations

import contextlib
import logging
import os
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import torch

from gluonish import serialization
from gluonish.array import NDArray, ndarray
from gluonish.array.core import wrap
from gluonish.array.dtypes import dtype_name, torch_dtype
from gluonish.array.sparse import memory
from gluonish.array.tensors import as_default, plain
from gluonish.block import matching
from gluonish.block.misfits import Findings, refuse
from gluonish.block.parameter import State
from gluonish.context import Context, as_contexts, is_np_array, is_np_shape
from gluonish.errors import (
    DTypeError,
    InvalidArgumentError,
    ParameterFileError,
    RefusedArgumentError,
)
from gluonish.errors.wording import listed
from gluonish.serialization.opened import opened

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from torch import Tensor

    from gluonish.block.block import Block
    from gluonish.block.parameter import Parameter
    from gluonish.block.parameter_dict import ParameterDict
    from gluonish.context import Contexts
    from gluonish.serialization.opened import OpenedArrays

_log = logging.getLogger("gluonish.block")
_DTYPE_SOURCES: Final = ("current", "saved")
_SCOPE_ADVICE: Final = (
    "The Block may share parameters of others, or 'with name_scope():' was left out where its "
    "children were made"
)


@dataclass(frozen=True, slots=True)
class _Options:
    """How to load, as the caller said."""

    ctx: Contexts
    allow_missing: bool
    ignore_extra: bool
    cast_dtype: bool
    dtype_source: str


# --- public doors of Block and ParameterDict ---------------------------------------------------


def save_parameters(
    block: Block, filename: str | os.PathLike[str], deduplicate: bool = False
) -> None:
    """Write the parameters of a Block by structural name.

    Parameters
    ----------
    block : Block
        Its own and all of its children's parameters are written.
    filename : str or path
        Where to.
    deduplicate : bool, default False
        Whether a shared parameter is written under the last of its names only.

    Raises
    ------
    UninitializedParameterError
        A parameter has no values yet.
    """
    params = block._collect_params_with_prefix()
    if deduplicate:
        last_names = {id(param): name for name, param in params.items()}
        params = {name: params[name] for name in last_names.values()}
    _save(filename, params)


def save_parameter_dict(
    params: ParameterDict, filename: str | os.PathLike[str], strip_prefix: str = ""
) -> None:
    """Write parameters by full name, less a prefix.

    Raises
    ------
    InvalidArgumentError
        A name does not start with the prefix.
    UninitializedParameterError
        A parameter has no values yet.
    """
    others = [name for name in params.keys() if not name.startswith(strip_prefix)]  # noqa: SIM118
    if others:
        msg = (
            f"Saving to {os.fspath(filename)!r}: prefix {strip_prefix!r} is to be stripped and "
            f"{listed(others)} do not start with it. Expected all names to. Write "
            f"net.save_parameters({os.fspath(filename)!r}), which needs no prefixes, and "
            f"net.load_parameters reads it. {_SCOPE_ADVICE}."
        )
        raise InvalidArgumentError(msg)
    _save(filename, {name[len(strip_prefix) :]: param for name, param in params.items()})


def load_parameters(
    block: Block,
    filename: str | os.PathLike[str],
    ctx: Contexts = None,
    allow_missing: bool = False,
    ignore_extra: bool = False,
    cast_dtype: bool = False,
    dtype_source: str = "current",
) -> None:
    """Read the parameters of a Block from a file; on any error none is changed.

    Structural names, full names and those that `export` writes are told apart by themselves.
    Names that differ are matched where that is possible in one way only, and said in the log.

    Parameters
    ----------
    block : Block
        Whose parameters to set.
    filename : str or path
        A file of `save_parameters`, `ParameterDict.save` (told by names without dots) or MXNet.
    ctx : Context or list of Context, optional
        Where to put parameters that are not initialized yet.
    allow_missing, ignore_extra : bool, default False
        Whether the file may lack parameters, or hold others.
    cast_dtype : bool, default False
        Whether dtypes may differ.
    dtype_source : {'current', 'saved'}, default 'current'
        Which dtype wins then.

    Raises
    ------
    ParameterFileError
        File and Block do not fit together; the message lists every difference.
    """
    options = _options(ctx, allow_missing, ignore_extra, cast_dtype, dtype_source)
    source = os.fspath(filename)
    with opened(filename) as file:
        values = matching.unmarked(_named(file, source), source)
        structural = block._collect_params_with_prefix()
        if not values and not structural:
            return
        with form_kept(block):
            if not matching.is_whole(structural, values):
                _take_form(block, values.keys())
                structural = block._collect_params_with_prefix()
            if matching.is_whole(structural, values):
                match = matching.Match(structural, values)
            else:
                full = dict(block.collect_params().items())
                match = matching.for_block(structural, full, block.prefix, values)
            _apply(source, f"{type(block).__name__} '{block.name}'", match, options, file)


def load_parameter_dict(
    params: ParameterDict,
    source: str | os.PathLike[str] | Mapping[str, NDArray],
    ctx: Contexts = None,
    allow_missing: bool = False,
    ignore_extra: bool = False,
    restore_prefix: str = "",
    cast_dtype: bool = False,
    dtype_source: str = "current",
    filename: str | None = None,
) -> None:
    """Set parameters by full name from a file or a dictionary; on any error none is changed.

    Parameters
    ----------
    params : ParameterDict
        Which parameters to set.
    source : str, path or dict of str to NDArray
        Where the values are.
    ctx, allow_missing, ignore_extra, cast_dtype, dtype_source
        As in `load_parameters`.
    restore_prefix : str, default ''
        Put before the names of the source.
    filename : str, optional
        Name for messages, if the source is a dictionary.

    Raises
    ------
    ParameterFileError
        Source and parameters do not fit together; the message lists every difference.
    RefusedArgumentError
        A parameter's name does not start with the prefix.
    """
    options = _options(ctx, allow_missing, ignore_extra, cast_dtype, dtype_source)
    with contextlib.ExitStack() as cleanup:
        if isinstance(source, Mapping):
            file, loaded = None, _tensors_of(source)
            label = "param_dict" if filename is None else filename
        else:
            label = os.fspath(source)
            file = cleanup.enter_context(opened(source))
            loaded = _named(file, label)
        full = dict(params.items())
        _check_prefix(full, restore_prefix)
        values = matching.unmarked(loaded, label)
        match = matching.for_dictionary(full, restore_prefix, values)
        _apply(label, f"ParameterDict '{params.prefix}'", match, options, file)


@contextlib.contextmanager
def form_kept(block: Block) -> Iterator[None]:
    """Give Blocks the children back that they had, on an error."""
    before: list[tuple[Block, dict[str, Block]]] = []
    block.apply(lambda each: before.append((each, dict(each._children))))
    try:
        yield
    except BaseException:
        for each, children in before:
            for name, child in children.items():
                if each._children[name] is not child:
                    each.register_child(child, name)
        raise


def _take_form(block: Block, names: Collection[str]) -> None:
    """Have Blocks of several forms, such as bottlenecks, take that of a file with these names."""
    for name, child in list(block._children.items()):
        start = f"{name}."
        _take_form(child, {each[len(start) :] for each in names if each.startswith(start)})
    take_form = getattr(block, "take_form_of", None)
    if take_form is not None:
        take_form(names)


# --- files -------------------------------------------------------------------------------------


def _save(filename: str | os.PathLike[str], params: Mapping[str, Parameter]) -> None:
    tensors = {name: plain(param._reduce()) for name, param in params.items()}
    serialization.save(filename, tensors, np_shape=is_np_shape())


def _named(file: OpenedArrays, source: str) -> dict[str, Tensor]:
    """Return a file's arrays by name; those of recurrent layers that are cut have values."""
    loaded = file.tensors
    if isinstance(loaded, dict):
        return {
            name: file.read(value) if name.endswith(matching.FLAT) else value
            for name, value in loaded.items()
        }
    if loaded:
        msg = (
            f"Loading {source!r}: it holds a list of {len(loaded)} arrays without names. Expected "
            f"parameters by name. Save them with save_parameters(), or read the list with "
            f"nd.load()."
        )
        raise ParameterFileError(msg)
    return {}


def _tensors_of(source: Mapping[Any, Any]) -> dict[str, Tensor]:
    for name, array in source.items():
        if not isinstance(name, str) or not isinstance(array, NDArray):
            msg = (
                f"param_dict: {name!r} has a value of type {type(array).__name__}. "
                f"Expected NDArrays under names. Put other data into arrays first."
            )
            raise DTypeError(msg)
    return {name: plain(as_default(array)) for name, array in source.items()}


def _check_prefix(params: Mapping[str, Parameter], prefix: str) -> None:
    others = [name for name in params if not name.startswith(prefix)]
    if others:
        msg = (
            f"restore_prefix is {prefix!r} and {listed(others)} do not start with it. "
            f"Expected the names of all parameters to. {_SCOPE_ADVICE}; "
            f"net.collect_params().load() reads a file by full name."
        )
        raise RefusedArgumentError(msg)


def _options(
    ctx: Contexts, allow_missing: bool, ignore_extra: bool, cast_dtype: bool, dtype_source: str
) -> _Options:
    if dtype_source not in _DTYPE_SOURCES:
        msg = (
            f"dtype_source: {dtype_source!r} was given. Expected 'current' or 'saved'. "
            f"Choose whose dtype the parameters have after loading."
        )
        raise RefusedArgumentError(msg)
    for context in as_contexts(ctx):
        _ = context.device  # a GPU that is not there is refused before anything is changed
    return _Options(ctx, allow_missing, ignore_extra, cast_dtype, dtype_source)


# --- checking, then applying -------------------------------------------------------------------


def _apply(
    source: str,
    target: str,
    match: matching.Match,
    options: _Options,
    file: OpenedArrays | None,
) -> None:
    """Compare values with parameters, and set all of them if everything fits."""
    params, values = match.params, match.values
    findings = _compare(params, values, options, len(match.prefix))
    if findings != Findings():
        refuse(source, target, match, findings)
    cls = ndarray if is_np_array() else NDArray
    for name, value in values.items():
        if name in params and not (file and _read_in_place(params[name], value, file)):
            is_own = file is not None and file.is_waiting(value)
            present = value if file is None else file.read(value)
            _set(params[name], wrap(present, Context("cpu", 0), cls), options, is_own=is_own)
    if match.how is not None:
        pairs = [f"{name!r} is {meant!r}" for name, meant in match.renamed.items()]
        _log.warning(
            "Loading %r into %s: the names differ and were matched %s: %s",
            source,
            target,
            match.how,
            listed(pairs),
        )


def _read_in_place(param: Parameter, value: Tensor, file: OpenedArrays) -> bool:
    """Read values into the memory that a parameter has already, if they can be taken as they are.

    So a file of the size of the net is never in memory beside the net.
    """
    if not file.is_waiting(value) or len(param._arrays) != 1:
        return False
    (array,) = param._arrays.values()
    tensor = memory(array)
    if (
        not tensor.is_cpu
        or tensor.layout is not torch.strided
        or tensor.dtype is not value.dtype
        or tensor.shape != value.shape
        or not tensor.is_contiguous()
    ):
        return False
    file.read_into(value, tensor)
    torch.autograd.graph.increment_version(tensor)
    return True


def _set(param: Parameter, data: NDArray, options: _Options, *, is_own: bool) -> None:
    if torch_dtype(param.dtype) == plain(data).dtype:
        param._load_init(data, options.ctx, is_own=is_own)
    elif options.dtype_source == "saved":
        dtype = plain(data).dtype
        param.cast("bfloat16" if dtype_name(dtype) == "bfloat16" else data.dtype)
        param._load_init(data, options.ctx)
    else:
        param._load_init(data, options.ctx, cast_dtype=True)


def _compare(
    params: Mapping[str, Parameter],
    loaded: Mapping[str, Tensor],
    options: _Options,
    hidden: int,
) -> Findings:
    findings = Findings()
    if not options.allow_missing:
        present = {id(params[name]) for name in loaded if name in params}
        findings.missing = [
            repr(name[hidden:]) for name, param in params.items() if id(param) not in present
        ]
    if not options.ignore_extra:
        findings.extra = [repr(name[hidden:]) for name in loaded if name not in params]
    for name, value in loaded.items():
        if name in params:
            _compare_one(name[hidden:], params[name], value, options, findings)
    return findings


def _compare_one(
    name: str, param: Parameter, value: Tensor, options: _Options, findings: Findings
) -> None:
    shape, given = param.shape, tuple(value.shape)
    if shape is not None and not matching.fits(param, given):
        findings.shapes.append(f"{name!r} is {given} in the file and {shape} in the Block")
    wanted = torch_dtype(param.dtype)
    if wanted != value.dtype and not options.cast_dtype:
        findings.dtypes.append(
            f"{name!r} is {dtype_name(value.dtype)} in the file and {dtype_name(wanted)} in the "
            f"Block"
        )
    if options.ctx is not None and param.state is not State.UNINITIALIZED:
        asked, present = as_contexts(options.ctx), param.list_ctx()
        if set(asked) != set(present):
            findings.contexts.append(f"{name!r} was asked for on {asked} and is on {present}")
