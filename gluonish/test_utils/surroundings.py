"""Where a test runs: variables, error output, features, tools."""

from __future__ import annotations

import contextlib
import io
import os
import platform
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from gluonish import runtime
from gluonish.errors import InvalidArgumentError, MissingFileError
from gluonish.ndarray import waitall

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = [
    "discard_stderr",
    "environment",
    "get_im2rec_path",
    "has_tvm_ops",
    "is_aarch64_run",
    "is_cd_run",
    "is_op_runnable",
]


@contextlib.contextmanager
def environment(*args: str | dict[str, str | None] | None) -> Iterator[None]:
    """Set environment variables inside a `with` block: a name and a value, or a dictionary.

    A value of None removes the variable.

    Examples
    --------
    >>> import gluonish as mx
    >>> with mx.test_utils.environment('GLUONISH_EXAMPLE', '1'):
    ...     mx.util.getenv('GLUONISH_EXAMPLE')
    '1'
    """
    if len(args) == 1 and isinstance(args[0], dict):
        wanted = dict(args[0])
    elif len(args) == 2 and isinstance(args[0], str) and not isinstance(args[1], dict):
        wanted = {args[0]: args[1]}
    else:
        msg = (
            f"environment: {args!r} was given. Expected a name and a value, or a dictionary. Write "
            f"environment('NAME', 'value')."
        )
        raise InvalidArgumentError(msg)
    before = {name: os.environ.get(name) for name in wanted}
    _set_all(wanted)
    try:
        yield
    finally:
        waitall()
        _set_all(before)


@contextlib.contextmanager
def discard_stderr() -> Iterator[None]:
    """Throw away, inside a `with` block, what is written to the error output.

    What libraries in other languages write goes, too. Where the error output is no file (in a
    notebook), only Python's is thrown away.

    Examples
    --------
    >>> import sys
    >>> import gluonish as mx
    >>> with mx.test_utils.discard_stderr():
    ...     print('nobody reads this', file=sys.stderr)
    """
    with contextlib.ExitStack() as stack:
        numbers = {2}  # where libraries in other languages write
        try:
            numbers.add(sys.stderr.fileno())
        except (AttributeError, io.UnsupportedOperation):
            stack.enter_context(contextlib.redirect_stderr(io.StringIO()))
        nowhere = stack.enter_context(Path(os.devnull).open("w", encoding="utf-8"))
        sys.stderr.flush()
        for number in numbers:
            kept = os.dup(number)
            stack.callback(os.close, kept)
            stack.callback(os.dup2, kept, number)
            os.dup2(nowhere.fileno(), number)
        stack.callback(sys.stderr.flush)
        yield


def is_cd_run() -> bool:
    """Return whether a test runs in MXNet's continuous delivery: `CD_JOB` is 1.

    Examples
    --------
    >>> import gluonish as mx
    >>> with mx.test_utils.environment('CD_JOB', '1'):
    ...     mx.test_utils.is_cd_run()
    True
    """
    return os.environ.get("CD_JOB") == "1"


def is_aarch64_run() -> bool:
    """Return whether the processor is an ARM of 64 bits that calls itself `aarch64`.

    Examples
    --------
    >>> import platform
    >>> import gluonish as mx
    >>> mx.test_utils.is_aarch64_run() == (platform.machine() == 'aarch64')
    True
    """
    return platform.machine() == "aarch64"


def has_tvm_ops() -> bool:
    """Return whether there are operators that TVM compiled: never here.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.test_utils.has_tvm_ops()
    False
    """
    return runtime.Features().is_enabled("TVM_OP")


def is_op_runnable() -> bool:
    """Return whether tests of operators can run: not where TVM's operators lack float16.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.test_utils.is_op_runnable()
    True
    """
    return not has_tvm_ops()


def get_im2rec_path(home_env: str = "MXNET_HOME") -> str:
    """Return the path of MXNet's `im2rec.py`, which packs pictures into files of records.

    Parameters
    ----------
    home_env : str, default 'MXNET_HOME'
        Name of the environment variable that says where MXNet's source is.

    Raises
    ------
    MissingFileError
        There is none: it is a program of MXNet's source, which does not come with gluonish.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> import gluonish as mx
    >>> tools = pathlib.Path(tempfile.mkdtemp(), 'tools')
    >>> tools.mkdir()
    >>> (tools / 'im2rec.py').touch()
    >>> with mx.test_utils.environment('MXNET_HOME', str(tools.parent)):
    ...     pathlib.Path(mx.test_utils.get_im2rec_path()).name
    'im2rec.py'
    """
    home = os.environ.get(home_env, "")
    for path in (Path(home, "tools", "im2rec.py"), Path(home, "../../tools/im2rec.py")):
        if home and path.is_file():
            return str(path)
    msg = (
        f"Could not find path to tools/im2rec.py: {home_env}={home!r} was looked at. Expected a "
        f"folder with MXNet's source. Write records with mx.recordio.pack_img."
    )
    raise MissingFileError(msg)


def _set_all(values: dict[str, str | None]) -> None:
    for name, value in values.items():
        if value is None:
            os.environ.pop(name, None)
        else:
            os.environ[name] = value
