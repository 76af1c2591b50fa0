"""Making variables: the inputs of a graph."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from gluonish.array.dtypes import CODE_OF_DTYPE, torch_dtype
from gluonish.errors import RefusedArgumentError, SymbolTypeError
from gluonish.errors.arguments import value_text
from gluonish.symbol import attributes
from gluonish.symbol.graph import Entry, Node
from gluonish.symbol.symbol import Symbol

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from gluonish.array.dtypes import DTypeLike


def var(
    name: str,
    attr: Mapping[str, str] | None = None,
    shape: Sequence[int] | None = None,
    lr_mult: float | None = None,
    wd_mult: float | None = None,
    dtype: DTypeLike | None = None,
    init: Any = None,
    stype: str | None = None,
    profiler_scope: str | None = None,
    **kwargs: Any,
) -> Symbol:
    """Return a variable: an input of a graph.

    Parameters
    ----------
    name : str
        How it is called; bound arrays are found by that.
    attr : dict of str to str, optional
        Attributes.
    shape : tuple of int, optional
        Its shape; 0 (-1 in np mode) stands for a length that is not known.
    lr_mult, wd_mult : float, optional
        What multiplies its learning rate and its weight decay.
    dtype : str, optional
        Its dtype.
    init : Initializer or str, optional
        What fills it.
    stype : str, optional
        Its storage, `default`, `row_sparse` or `csr`.
    profiler_scope : str, optional
        A hint for MXNet's profiler.
    **kwargs
        More attributes; their names start and end with two underscores.

    Raises
    ------
    SymbolTypeError
        The name is no string.
    SymbolNameError
        A keyword has no underscores around it.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.sym.var('x', shape=(2, 3)).infer_shape()
    ([(2, 3)], [(2, 3)], [])
    """
    _check_name(name)
    options = {
        "__shape__": None if shape is None else _as_tuple(shape),
        "__lr_mult__": lr_mult,
        "__wd_mult__": wd_mult,
        "__dtype__": None if dtype is None else CODE_OF_DTYPE[torch_dtype(dtype)],
        "__init__": None if init is None else _describe(init),
        "__storage_type__": None if stype is None else _STORAGE.get(stype, stype),
        "__profiler_scope__": profiler_scope,
    }
    return Symbol([Entry(Node(None, name, attrs=attributes.of_variable(attr, options, kwargs)), 0)])


def _check_name(name: object) -> None:
    if not isinstance(name, str):
        msg = f"var: {name!r} was given. Expect a string for variable `name`."
        raise SymbolTypeError(msg)


_STORAGE = {"default": 0, "row_sparse": 1, "csr": 2}


def _as_tuple(shape: Sequence[int] | int) -> tuple[int, ...]:
    return (shape,) if isinstance(shape, int) else tuple(shape)


def _describe(init: Any) -> str:
    """Return an initializer as text: itself, or its name and settings in JSON."""
    if isinstance(init, str):
        return init
    dumps = getattr(init, "dumps", None)
    if dumps is None:
        given = value_text(init)
        made = (
            f"mx.init.Constant({given})" if isinstance(init, (int, float)) else "mx.init.Xavier()"
        )
        msg = f"init={given} was given. Expected an Initializer or its name. Write init={made}."
        raise RefusedArgumentError(msg)
    return str(dumps())
