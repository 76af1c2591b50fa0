"""Saving and loading of arrays: `nd.save`, `nd.load` and `nd.load_frombuffer`."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, NoReturn, TypeGuard

import numpy as onp
from torch import Tensor

from gluonish import serialization
from gluonish.array import NDArray, ndarray
from gluonish.array.core import wrap
from gluonish.array.sparse import is_sparse, sparse_array
from gluonish.array.sparse_base import parts_of
from gluonish.array.sparse_tensor import SparseTensor
from gluonish.array.storage import moved
from gluonish.array.tensors import plain
from gluonish.context import Context, is_np_shape
from gluonish.errors import DTypeError, FileFormatError, InvalidArgumentError
from gluonish.errors.arguments import value_text
from gluonish.errors.program_arguments import arguments, exchanged
from gluonish.serialization import pickled_arrays
from gluonish.serialization.arrays import load_source
from gluonish.serialization.files import buffer_source, open_source

if TYPE_CHECKING:
    from gluonish.array.core import A
    from gluonish.array.sparse_tensor import Stored
    from gluonish.serialization.elements import Tensors
    from gluonish.serialization.files import Source

__all__ = ["load", "load_frombuffer", "save"]


def save(fname: str | os.PathLike[str], data: NDArray | list[NDArray] | dict[str, NDArray]) -> None:
    """Write arrays to a file, as a whole or not at all.

    Parameters
    ----------
    fname : str or path
        File or URL. A name that ends in `.safetensors` gives a safetensors file, any other name
        MXNet's container, which MXNet reads too.
    data : NDArray, list of NDArray, or dict of str to NDArray
        What to write; an array alone is written as a list of one.

    Raises
    ------
    DTypeError
        Something in the list or dictionary is no NDArray, or a key is no str.
    InvalidArgumentError
        `data` is something else.
    FileAccessError
        The file cannot be written; one that was there stays as it was.

    Examples
    --------
    >>> import tempfile
    >>> import gluonish as mx
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     mx.nd.save(f'{folder}/x', {'a': mx.nd.ones((2,)), 'b': mx.nd.zeros((1,))})
    ...     list(mx.nd.load(f'{folder}/x'))
    ['a', 'b']
    """
    if isinstance(data, ndarray):
        _refuse_part("nd.save", data, NDArray)
    serialization.save(fname, tensors_of("nd.save", data, NDArray), np_shape=is_np_shape())


def load(fname: str | os.PathLike[str]) -> list[NDArray] | dict[str, NDArray]:
    """Read the arrays of a file.

    Parameters
    ----------
    fname : str or path
        File or URL, whatever its name: MXNet's container, safetensors, `.npz` or `.npy`; or what
        `pickle` made of MXNet's arrays, alone, in a list or in a dictionary. It is read as data:
        nothing in it runs.

    Returns
    -------
    list of NDArray or dict of str to NDArray
        What was saved, on `cpu(0)`; sparse arrays as such, if they were not pickled.

    Raises
    ------
    MissingFileError
        There is no such file.
    FileFormatError
        The file is damaged, or in another format.

    Notes
    -----
    The values of a local file of 1 MiB or more are mapped: each page is read when it is used, and
    what is written to the arrays stays in this process. While they are in use, others must not
    cut or overwrite the file itself; to replace it by a new one, as all of gluonish's own saves do,
    is safe. `GLUONISH_MAP_FILES=0` has everything read at once.

    Examples
    --------
    >>> import tempfile
    >>> import gluonish as mx
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     mx.nd.save(f'{folder}/x', mx.nd.ones((2,)))
    ...     mx.nd.load(f'{folder}/x')
    [
    [1. 1.]
    <NDArray 2 @cpu(0)>]
    """
    return arrays_of(load_tensors(fname), NDArray)


def load_frombuffer(buf: object) -> list[NDArray] | dict[str, NDArray]:
    """Read the arrays of a file that is in memory already.

    Parameters
    ----------
    buf : bytes, bytearray or memoryview
        The content of the file.

    Raises
    ------
    DTypeError
        `buf` is something else.
    FileFormatError
        The content is damaged, or in another format.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.nd.load_frombuffer(bytes([0x12, 1] + 30 * [0]))
    []
    """
    if not isinstance(buf, bytes | bytearray | memoryview):
        msg = (
            f"nd.load_frombuffer: {type(buf).__name__} was given. Expected bytes. "
            f"Pass the content of the file, or its name to nd.load."
        )
        raise DTypeError(msg)
    return arrays_of(_read(buffer_source(buf), keeps_sparse=True), NDArray)


def load_tensors(fname: str | os.PathLike[str], *, keeps_sparse: bool = True) -> Tensors | Stored:
    """Return the tensors of a file of arrays, in any format or pickled by MXNet."""
    with open_source(fname, entire=True) as source:
        return _read(source, keeps_sparse=keeps_sparse)


def _read(source: Source, *, keeps_sparse: bool) -> Tensors | Stored:
    try:
        return load_source(source, keeps_sparse=keeps_sparse)
    except FileFormatError as error:
        return pickled_arrays.read(source, error)


def tensors_of(where: str, data: object, cls: type[NDArray]) -> Stored:
    """Return the tensors of what is to be saved, after checking all of it.

    Parameters
    ----------
    where : str
        The function that was called, for messages.
    data : object
        What it was given.
    cls : type
        The only class of arrays it takes; subclasses are another front end's.
    """
    if _belongs(data, cls):
        return [_stored(data)]
    if isinstance(data, dict):
        for name, value in data.items():
            if not isinstance(name, str):
                msg = (
                    f"{where}: the key {name!r}, of type {type(name).__name__}, was given. "
                    f"Expected {_kind_of(cls)}s, in a dict under str keys. Write str({name!r})."
                )
                raise DTypeError(msg)
            if not _belongs(value, cls):
                others = [repr(key) for key, each in data.items() if type(each) is type(value)]
                _refuse_part(f"{where}: {' and '.join(others)}", value, cls, len(others))
        return {name: _stored(value) for name, value in data.items()}
    if isinstance(data, list):
        for value in data:
            if not _belongs(value, cls):
                _refuse_part(where, value, cls)
        return [_stored(value) for value in data]
    expected = f"one {_kind_of(cls)}, a list of them, or a dict of str to {_kind_of(cls)}"
    if isinstance(data, (str, os.PathLike)):
        msg = (
            f"{where}: data={os.fspath(data)!r} was given, a name. Expected {expected}, after the "
            f"name of the file: {where}(fname, data), where PyTorch's save has the name last. "
            f"Write {exchanged(f'{where}(fname, data)')}."
        )
    else:
        how = "Put other data into arrays first"
        if hasattr(data, "save_parameters") or hasattr(data, "get_constant"):
            how = "net.save_parameters(fname) writes all parameters of a net"
            given = arguments(2)[1:]
            if given and hasattr(data, "get_constant"):
                how = (
                    f"Write {where}({arguments(1)[0]}, {{name: p.data() for name, p in "
                    f"{given[0]}.items()}}); {how}, which net.load_parameters(fname) reads"
                )
        msg = f"{where}: data={value_text(data)} was given. Expected {expected}. {how}."
    raise InvalidArgumentError(msg)


def _stored(array: NDArray) -> Tensor | SparseTensor:
    return parts_of(array) if is_sparse(array) else plain(array)


def arrays_of(tensors: Tensors | Stored, cls: type[A]) -> list[A] | dict[str, A]:
    """Return arrays of one front end around loaded tensors."""
    if isinstance(tensors, dict):
        return {name: _array_of(tensor, cls) for name, tensor in tensors.items()}
    return [_array_of(tensor, cls) for tensor in tensors]


def _array_of(tensor: Tensor | SparseTensor, cls: type[A]) -> A:
    ctx = Context("cpu", 0)
    if isinstance(tensor, SparseTensor):
        array: A = sparse_array(moved(tensor, ctx.device), ctx)
        return array
    return wrap(tensor, ctx, cls)


def _belongs(value: object, cls: type[A]) -> TypeGuard[A]:
    """Return whether a value is an array of the front end whose class is `cls`."""
    return isinstance(value, cls) and isinstance(value, ndarray) == issubclass(cls, ndarray)


def _refuse_part(where: str, value: object, cls: type[NDArray], count: int = 1) -> NoReturn:
    other = "npx.save" if cls is NDArray else "nd.save"
    fix = (
        f"Convert it with {'as_nd_ndarray' if cls is NDArray else 'as_np_ndarray'}(), "
        f"or use {other}"
        if isinstance(value, NDArray)
        else f"Put other data into arrays first: mx.{'nd' if cls is NDArray else 'np'}.array(...)"
    )
    if any(base.__name__ == "Parameter" for base in type(value).__mro__):
        fix = (
            "Take the arrays of parameters, as in {key: p.data() for key, p in "
            "net.collect_params().items()}, or write net.save_parameters(file) for all at once"
        )
    if isinstance(value, (bool, int, float)):
        fix = f"Write mx.{'nd' if cls is NDArray else 'np'}.array([...]) around each number"
    if isinstance(value, (onp.ndarray, Tensor)):
        which = "it" if count == 1 else "each"
        fix = f"Write mx.{'nd' if cls is NDArray else 'np'}.array(...) around {which}"
    msg = (
        f"{where}: {_kind(value)} was given{' first' * (count > 1)} among what is to be saved. "
        f"Expected {_kind_of(cls)}s only, in a dict under str keys. {fix}."
    )
    raise DTypeError(msg)


def _kind(value: Any) -> str:
    if isinstance(value, (onp.ndarray, Tensor)):
        return f"a {type(value).__module__}.{type(value).__name__} of shape {tuple(value.shape)}"
    return _kind_of(type(value)) if isinstance(value, NDArray) else f"{type(value).__name__}"


def _kind_of(cls: type[NDArray]) -> str:
    return "np.ndarray" if issubclass(cls, ndarray) else "NDArray"
