"""Attributes of nodes: what MXNet writes between underscores, and values as text."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypedDict

import numpy as onp

from gluonish import attribute
from gluonish.errors import InvalidArgumentError, SymbolNameError
from gluonish.ops.table.loose_keywords import is_hidden

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from gluonish.ops.table import Op

_SHOWN = 10  # names that an error shows


class Attributes(TypedDict, total=False):
    """What every function of `mx.sym` takes beside its own arguments."""

    ctx_group: str
    lr_mult: float | str
    wd_mult: float | str
    force_mirroring: bool | str
    mirror_stage: int | str
    profiler_scope: str


# Keys that MXNet keeps with two underscores at both ends, and shows without them too.
HIDDEN = tuple(Attributes.__annotations__)


def text(value: object) -> str:
    """Return a value as MXNet's files have it.

    Examples
    --------
    >>> import numpy
    >>> from gluonish.symbol.attributes import text
    >>> text((3, 3)), text(True), text(numpy.float16)
    ('(3, 3)', 'True', 'float16')
    """
    if isinstance(value, (type, onp.dtype)):
        return onp.dtype(value).name
    if isinstance(value, onp.generic):
        return str(value.item())
    if isinstance(value, (list, tuple)) and any(isinstance(part, onp.generic) for part in value):
        value = type(value)(
            part.item() if isinstance(part, onp.generic) else part for part in value
        )
    return str(value)


def cut(value: str, length: int = 80) -> str:
    """Return a text, or its beginning if it is longer than some characters."""
    return value if len(value) <= length else f"{value[:length]}..."


def some(names: Iterable[str], separator: str = ", ", length: int = 80) -> str:
    """Return names in a row, ten of them at most, cut at some characters.

    Examples
    --------
    >>> from gluonish.symbol.attributes import some
    >>> some(map(str, range(12)))
    '0, 1, 2, 3, 4, 5, 6, 7, 8, 9, ... 2 more'
    """
    names = list(names)
    more = [f"... {len(names) - _SHOWN} more"] if len(names) > _SHOWN else []
    return separator.join([*(cut(name, length) for name in names[:_SHOWN]), *more])


def initial(op: Op, name: str) -> str | None:
    """Return what an operator's own input starts with, as the attribute `__init__` says it."""
    words = op.graph.initial or (_MOMENTS if op.aux else {})
    return words.get(name)


_MOMENTS = {"moving_mean": '["zero", {}]', "moving_var": '["one", {}]'}


def missing(op: Op, params: Mapping[str, Any]) -> list[str]:
    """Return the arguments that graphs need and that are not among some arguments.

    Examples
    --------
    >>> from gluonish.ops.table.graph_names import find
    >>> from gluonish.symbol.attributes import missing
    >>> missing(find('Embedding').op, {'input_dim': 3})
    ['output_dim']
    """
    parameters = op.signature.parameters
    needed = [
        name
        for name, parameter in parameters.items()
        if parameter.default is parameter.empty
        and parameter.kind not in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD)
        and not (name in op.inputs or name == "ctx" or name in op.defaults)
    ]
    absent = [name for name in needed if name not in params]
    return absent + [name for name in op.graph.needed if params.get(name) is None]


def in_scope(attr: Mapping[str, Any] | None) -> dict[str, str]:
    """Return the attributes of a new operator: those given, as text, and those of `AttrScope`."""
    found: dict[str, Any] = dict(attribute.current().get(attr))
    return {(f"__{key}__" if key in HIDDEN else key): str(found[key]) for key in found}


def shown(attrs: Mapping[str, str]) -> dict[str, str]:
    """Return attributes as users see them: hidden ones under both of their spellings."""
    found = dict(attrs)
    for key in HIDDEN:
        if f"__{key}__" in attrs:
            found[key] = attrs[f"__{key}__"]
    return found


def look_up(attrs: Mapping[str, str], key: str) -> str | None:
    """Return one attribute, by either spelling; None if there is none."""
    return shown(attrs).get(key)


def of_variable(
    attr: Mapping[str, Any] | None, options: Mapping[str, Any], extra: Mapping[str, Any]
) -> dict[str, str]:
    """Return a variable's attributes.

    Parameters
    ----------
    attr : dict of str to str or None
        Attributes that a user gave.
    options : dict
        Arguments of `Variable` by MXNet's hidden names; None is left out.
    extra : dict
        Other keywords.

    Raises
    ------
    InvalidArgumentError
        An attribute is not a string.
    SymbolNameError
        A keyword has no underscores around it.
    """
    for key, value in (attr or {}).items():
        if not isinstance(value, str):
            msg = (
                f"Attributes need to be string: {key}={value!r} was given. Write "
                f"{key}={str(value)!r}."
            )
            raise InvalidArgumentError(msg)
    found = in_scope(attr)
    for key, value in extra.items():
        if not is_hidden(key):
            msg = (
                f"Attribute name={key} is not supported. Additional attributes must start and "
                f"end with double underscores, e.g, __yourattr__"
            )
            raise SymbolNameError(msg)
        found[key] = text(value)
    found.update((key, text(value)) for key, value in options.items() if value is not None)
    return found
