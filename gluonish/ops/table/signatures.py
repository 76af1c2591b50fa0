"""Signatures of operators, built when somebody asks: an import builds a thousand functions."""

from __future__ import annotations

import inspect
from types import FunctionType
from typing import TYPE_CHECKING, Any, NamedTuple

from typing_extensions import override

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

_VARIADIC = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
_BY_POSITION = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
_LATE = ("_parameters", "_return_annotation")  # where `inspect` has what a signature consists of


class LateSignature(inspect.Signature):
    """A signature that is built when something of it is asked for.

    Parameters
    ----------
    build : callable
        What returns the signature.

    Examples
    --------
    >>> import inspect
    >>> from gluonish.ops.table.signatures import LateSignature
    >>> late = LateSignature(lambda: inspect.signature(lambda x, axis=None: x))
    >>> late, list(late.parameters)
    (<Signature (x, axis=None)>, ['x', 'axis'])
    """

    __slots__ = ("_build",)

    def __init__(self, build: Callable[[], inspect.Signature]) -> None:
        self._build = build

    def __getattr__(self, name: str) -> object:
        # Asked for slots that are not set yet: what `inspect` reads then needs no code of ours.
        if name not in _LATE:
            msg = f"'Signature' object has no attribute '{name}'"
            raise AttributeError(msg, name=name, obj=self)
        built = self._build()
        self._parameters = built.parameters
        self._return_annotation = built.return_annotation
        return getattr(self, name)

    @override
    def replace(self, **changes: Any) -> inspect.Signature:  # type: ignore[override]
        return self._plain().replace(**changes)

    __replace__ = replace  # type: ignore[assignment]

    @override
    def __reduce__(self) -> Any:
        return self._plain().__reduce__()

    @override
    def __repr__(self) -> str:
        return repr(self._plain())

    def _plain(self) -> inspect.Signature:
        return inspect.Signature(
            list(self.parameters.values()), return_annotation=self.return_annotation
        )


class Fact(NamedTuple):
    """What the op table knows of a parameter."""

    annotation: str
    default: Any
    is_variadic: bool
    is_by_position: bool


def facts(function: Callable[..., Any]) -> Mapping[str, Fact]:
    """Return what a function's parameters are, in order, as `inspect.signature` has them.

    Examples
    --------
    >>> from gluonish.ops.table.signatures import facts
    >>> def take(a: Tensor, *indices: Tensor, axis: int = 0): ...
    >>> for name, fact in facts(take).items():
    ...     print(name, fact.annotation, fact.is_variadic)
    a Tensor False
    indices Tensor True
    axis int False
    """
    if type(function) is not FunctionType or function.__dict__.keys() & {
        "__signature__",
        "__wrapped__",
    }:
        return {
            name: Fact(
                str(each.annotation),
                each.default,
                each.kind in _VARIADIC,
                each.kind in _BY_POSITION,
            )
            for name, each in inspect.signature(function).parameters.items()
        }
    code, annotations = function.__code__, function.__annotations__
    by_position, by_name = code.co_argcount, code.co_kwonlyargcount
    names = list(code.co_varnames)
    placed = names[:by_position]
    order = placed.copy()
    variadic = []
    behind = by_position + by_name
    if code.co_flags & inspect.CO_VARARGS:
        variadic.append(names[behind])
        order.append(names[behind])
        behind += 1
    order += names[by_position : by_position + by_name]
    if code.co_flags & inspect.CO_VARKEYWORDS:
        variadic.append(names[behind])
        order.append(names[behind])
    defaults = dict(function.__kwdefaults__ or {})
    given = function.__defaults__ or ()
    defaults.update(zip(names[by_position - len(given) : by_position], given, strict=True))
    empty = inspect.Parameter.empty
    return {
        name: Fact(
            str(annotations.get(name, empty)),
            defaults.get(name, empty),
            name in variadic,
            name in placed,
        )
        for name in order
    }
