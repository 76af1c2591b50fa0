"""Builds the functions and methods of the front ends nd, np and npx out of the op table."""

from __future__ import annotations

import inspect
import sys
from functools import partial
from types import ModuleType
from typing import TYPE_CHECKING, Any

from gluonish.array.order import put_in_order
from gluonish.array.waiting import WAITING, following
from gluonish.errors import MissingTensorError, MXNetError
from gluonish.errors.namespaces import build_late
from gluonish.errors.tracebacks import shorten
from gluonish.ndarray.calls import caller, creator
from gluonish.ndarray.operators import binary, build_in_place
from gluonish.ops.arrays.shapes import SHARING
from gluonish.ops.table.loose_keywords import loose
from gluonish.ops.table.signatures import LateSignature

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from gluonish.array import NDArray
    from gluonish.ops.table import Op

_POSITIONAL = inspect.Parameter.POSITIONAL_OR_KEYWORD
_COMPARISONS = ("eq", "ne", "lt", "le", "gt", "ge")
_ARITHMETIC = (
    "add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "matmul", "and", "or", "xor",
    "lshift", "rshift",
)  # fmt: skip
_BINARY_NAMES = frozenset(
    [f"__{name}__" for name in _COMPARISONS + _ARITHMETIC]
    + [f"__r{name}__" for name in _ARITHMETIC]
)
# Not of powers: MXNet's arrays have no method for `x **= y`, so that Python makes a new array.
_IN_PLACE = {f"__{name}__": f"__i{name}__" for name in _ARITHMETIC if name != "pow"}
_signatures: dict[tuple[Any, ...], inspect.Signature] = {}  # operators live as long as this does
_NUMPY_NAMES = {"data": "x", "lhs": "x1", "rhs": "x2", "base": "x1", "exp": "x2"}


def build_function(
    op: Op,
    cls: type[NDArray],
    name: str,
    *,
    space: str,
    renamed: Mapping[str, str] | None = None,
) -> Callable[..., Any]:
    """Return a front end's function for an operator; its results are of class `cls`.

    `space` is the front end's field of the op table;
    `renamed` gives parameters that have another name in this front end: its name -> the
    operator's.
    """
    kind = loose(op, space, name)
    call = creator(op, cls, kind) if op.takes_ctx else caller(op, cls, kind, renamed)
    return _dress(call, op, name, renamed=renamed)


def build_method(op: Op, cls: type[NDArray], name: str, space: str) -> Callable[..., Any]:
    """Return the method of `cls` that calls an operator; results are of that class."""
    if name in _BINARY_NAMES:
        return _dress(binary(op), op, name, is_method=True)
    call = caller(op, cls, loose(op, space, name))
    return _dress(_sharing(call) if name in SHARING else call, op, name, is_method=True)


def _sharing(call: Callable[..., Any]) -> Callable[..., Any]:
    """Return a method whose result shares memory with its array, whatever order that has had."""

    def method(self: NDArray, *args: Any, **kwargs: Any) -> Any:
        try:
            in_order = self._tensor.is_contiguous()
        except MissingTensorError:
            in_order = True
        if not in_order:
            put_in_order(self)
        try:
            return call(self, *args, **kwargs)
        except MXNetError as error:
            shorten(error)
            raise

    return method


def _dress(
    call: Callable[..., Any],
    op: Op,
    name: str,
    *,
    is_method: bool = False,
    renamed: Mapping[str, str] | None = None,
) -> Callable[..., Any]:
    """Give a built function the operator's name, documentation and signature."""
    call.__name__ = name.rpartition(".")[2]
    call.__qualname__ = call.__name__
    call.__module__ = op.function.__module__
    call.__doc__ = op.function.__doc__
    signature = public_signature(op, is_method=is_method, renamed=renamed)
    call.__signature__ = signature  # type: ignore[attr-defined]
    return call


def numpy_names(op: Op) -> dict[str, str]:
    """Return NumPy's names of parameters that an operator has under MXNet's first names."""
    found = [name for name in op.parameters if name in _NUMPY_NAMES] if op.nd else ()
    return {_NUMPY_NAMES[name]: name for name in found}


def public_signature(
    op: Op, *, is_method: bool = False, renamed: Mapping[str, str] | None = None
) -> inspect.Signature:
    """Return the signature that users see: the operator's, with `out` and, on methods, `self`."""
    key = (id(op), is_method, *(renamed or {}).items())
    if key not in _signatures:
        build = partial(_public_signature, op, renamed, is_method=is_method)
        _signatures[key] = LateSignature(build)
    return _signatures[key]


def _public_signature(
    op: Op, renamed: Mapping[str, str] | None, *, is_method: bool
) -> inspect.Signature:
    parameters = list(op.signature.parameters.values())
    if renamed:
        new = {old: name for name, old in renamed.items()}
        parameters = [each.replace(name=new.get(each.name, each.name)) for each in parameters]
    if is_method and parameters and parameters[0].kind is _POSITIONAL:
        parameters[0] = parameters[0].replace(name="self", annotation=inspect.Parameter.empty)
    if not is_method and "out" not in op.signature.parameters:
        out = inspect.Parameter("out", inspect.Parameter.KEYWORD_ONLY, default=None)
        at = len(parameters)
        if parameters and parameters[-1].kind is inspect.Parameter.VAR_KEYWORD:
            at -= 1
        parameters.insert(at, out)
    return op.signature.replace(parameters=parameters)


def fill(module: ModuleType, table: Iterable[Op], field: str, cls: type[NDArray]) -> list[str]:
    """Have a module and its sub-namespaces build one front end's functions; return their names.

    Each is built when it is asked for first, and stays.
    """
    names = []
    for op in table:
        for path in getattr(op, field):
            *spaces, name = path.split(".")
            target = module
            for space in spaces:
                target = _subspace(target, space)
            build_late(target, name, partial(_build_for, field, op, cls, path))
            if not spaces:
                names.append(name)
    return names


def _build_for(field: str, op: Op, cls: type[NDArray], path: str) -> Callable[..., Any]:
    renamed = numpy_names(op) if field == "np" else None
    return build_function(op, cls, path, space=field, renamed=renamed)


def _subspace(module: ModuleType, name: str) -> ModuleType:
    found = vars(module).get(name)
    if isinstance(found, ModuleType):
        return found
    path = f"{module.__name__}.{name}"
    space = ModuleType(path, f"Operators {name}.* of {module.__name__}.")
    sys.modules[path] = space
    setattr(module, name, space)
    return space


def install_methods(cls: type[NDArray], table: Iterable[Op], *fields: str) -> None:
    """Install the operators' methods on an array class; later fields replace earlier ones."""
    for field in fields:
        for op in table:
            for name in getattr(op, field):
                method = build_method(op, cls, name, field)
                setattr(cls, name, method)
                if cls in WAITING:
                    setattr(WAITING[cls], name, following(method))
                if name in _IN_PLACE:
                    setattr(cls, _IN_PLACE[name], build_in_place(op, name))
