"""The names of `gluon.utils`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gluonish.context import is_np_shape
from gluonish.gluon.clipping import clip_global_norm
from gluonish.gluon.download import check_sha1, download, replace_file, repository_url
from gluonish.gluon.splitting import split_and_load, split_data

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = [
    "check_sha1",
    "clip_global_norm",
    "download",
    "replace_file",
    "shape_is_known",
    "split_and_load",
    "split_data",
]

_get_repo_file_url = repository_url  # what programs with files of their own import


def _get_repo_url() -> str:
    """Return the address of MXNet's repository, or of the one MXNET_GLUON_REPO names."""
    return repository_url("", "").rstrip("/") + "/"


def shape_is_known(shape: Sequence[int] | None) -> bool:
    """Return whether a shape has no unknown dimension: 0, or -1 under NumPy's shapes.

    Examples
    --------
    >>> from gluonish.gluon.utils import shape_is_known
    >>> shape_is_known((2, 3)), shape_is_known((0, 3)), shape_is_known(None)
    (True, False, False)
    """
    if shape is None:
        return False
    smallest = 0 if is_np_shape() else 1
    return (len(shape) > 0 or is_np_shape()) and all(size >= smallest for size in shape)
