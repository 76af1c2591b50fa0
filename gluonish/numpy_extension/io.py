"""Saving and loading of `np` arrays: `npx.save` and `npx.load`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gluonish import serialization
from gluonish.array import ndarray
from gluonish.ndarray.io import arrays_of, load_tensors, tensors_of

if TYPE_CHECKING:
    import os

__all__ = ["load", "save"]


def save(file: str | os.PathLike[str], arr: ndarray | list[ndarray] | dict[str, ndarray]) -> None:
    """Write arrays to a file, as a whole or not at all.

    Parameters
    ----------
    file : str or path
        File or URL. A name that ends in `.safetensors` gives a safetensors file, any other name
        MXNet's container (with NumPy's scalars and empty arrays).
    arr : ndarray, list of ndarray, or dict of str to ndarray
        What to write; an array alone is written as a list of one.

    Raises
    ------
    DTypeError
        Something in the list or dictionary is no `np.ndarray`, or a key is no str.
    InvalidArgumentError
        `arr` is something else.
    FileAccessError
        The file cannot be written; one that was there stays as it was.

    Examples
    --------
    >>> import tempfile
    >>> from gluonish import np, npx
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     npx.save(f'{folder}/x', [np.arange(2), np.zeros(())])
    ...     npx.load(f'{folder}/x')
    [array([0., 1.]), array(0.)]
    """
    serialization.save(file, tensors_of("npx.save", arr, ndarray), np_shape=True)


def load(file: str | os.PathLike[str]) -> list[ndarray] | dict[str, ndarray]:
    """Read the arrays of a file.

    Parameters
    ----------
    file : str or path
        File or URL, whatever its name: MXNet's container, safetensors, `.npz` or `.npy`; or what
        `pickle` made of MXNet's arrays, which is read as data.

    Returns
    -------
    list of ndarray or dict of str to ndarray
        What was saved, on `cpu(0)`.

    Raises
    ------
    MissingFileError
        There is no such file.
    FileFormatError
        The file is damaged, or in another format.

    Examples
    --------
    >>> import tempfile
    >>> from gluonish import np, npx
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     npx.save(f'{folder}/x', {'a': np.ones(2)})
    ...     npx.load(f'{folder}/x')
    {'a': array([1., 1.])}
    """
    return arrays_of(load_tensors(file, keeps_sparse=False), ndarray)
