"""Builds the functions and methods of the front end sym out of the op table."""

from __future__ import annotations

import inspect
import sys
from types import ModuleType
from typing import TYPE_CHECKING, Any

import numpy as onp
from typing_extensions import override

from gluonish import name as naming
from gluonish.errors import InvalidArgumentError, SymbolTypeError
from gluonish.ndarray.frontend import numpy_names, public_signature
from gluonish.ops import ops
from gluonish.ops.custom import custom, specialized
from gluonish.symbol import attributes
from gluonish.symbol.graph import Entry, Node
from gluonish.symbol.symbol import Symbol

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from gluonish.ops.table import Op

_NUMBERS = (int, float, onp.generic)
_VARIADIC = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
_SKIPPED = ("out", "ctx")  # what only arrays need

BY_FILE: dict[str, tuple[Op, str, str]] = {}  # name in files -> operator, front end, name there
for _op in ops():
    for (_space, _path), _file in _op.files.items():
        BY_FILE.setdefault(_file, (_op, _space, _path))
_BY_PATH = {
    (_space, path): op
    for _space in ("nd", "np", "npx")
    for op in ops()
    for path in getattr(op, _space)
}


def by_path(space: str, path: str) -> Op:
    """Return the operator that a front end has under a name."""
    return _BY_PATH[space, path]


def compose(
    op: Op,
    space: str,
    path: str,
    cls: type[Symbol],
    args: tuple[Any, ...],
    kwargs: dict[str, Any],
) -> Any:
    """Return the Symbol for a call of an operator.

    Array inputs that are missing become variables, named after the operator: `fc1_weight`.

    Raises
    ------
    SymbolTypeError
        Something else than a Symbol stands where an array is needed.
    InvalidArgumentError
        The operator has no such argument.
    """
    name, attr = kwargs.pop("name", None), kwargs.pop("attr", None)
    if op.function is custom:
        op = _registered(kwargs)
    given, params = _bind(op, path, args, kwargs)
    op, space, path, given, params = _resolve(op, space, path, given, params)
    attrs = attributes.in_scope(attr)
    for key in [key for key in params if key not in op.signature.parameters]:
        attrs[_attribute(op, path, key)] = attributes.text(params.pop(key))
    full = naming.current().get(name, _hint(op, space, path))
    node = Node(op, full, space, path, params, attrs)
    names, entries = [], []
    for key, value in _inputs(op, node, given):
        names.append(key)
        entries.append(_entry(value, path, key, node))
    node.names, node.inputs = tuple(names), entries
    return cls(Entry(node, index) for index in range(node.outputs))


def _registered(kwargs: Mapping[str, Any]) -> Op:
    """Return the operator that is registered under an `op_type`, for its other arguments."""
    options = {
        key: value
        for key, value in kwargs.items()
        if not (isinstance(value, Symbol) or attributes.is_hidden(key))
    }
    return specialized(options.pop("op_type", ""), options)


def _hint(op: Op, space: str, path: str) -> str:
    """Return what a node's name starts with: MXNet's function makes `_zeros0` of `zeros`."""
    name = op.files[space, path] if op.takes_ctx else path.rpartition(".")[2]
    return name.lower().removeprefix("_npi_").removeprefix("_npx_")


def _bind(
    op: Op, path: str, args: tuple[Any, ...], kwargs: dict[str, Any]
) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return array inputs and other arguments by name; None where an input is meant to be."""
    parameters = op.signature.parameters
    positional = [
        p for p in parameters.values() if p.kind is p.POSITIONAL_OR_KEYWORD and p.name != "ctx"
    ]
    star = next((p.name for p in parameters.values() if p.kind is p.VAR_POSITIONAL), None)
    bound: dict[str, Any] = {}
    if star is not None:
        bound[star] = args
    elif len(args) > len(positional):
        msg = (
            f"{path}: {len(args)} positional arguments were given. Expected at most "
            f"{len(positional)}: {', '.join(p.name for p in positional)}."
        )
        raise SymbolTypeError(msg)
    else:
        bound.update((p.name, value) for p, value in zip(positional, args, strict=False))
    twice = bound.keys() & kwargs.keys()
    if twice:
        msg = f"{path}: got multiple values for argument {', '.join(map(repr, sorted(twice)))}."
        raise SymbolTypeError(msg)
    bound.update(kwargs)
    given = {key: bound.pop(key) for key in op.inputs if key in bound}
    given = {key: value for key, value in given.items() if value is not None}
    params = {key: value for key, value in bound.items() if key not in _SKIPPED}
    if star is not None and not given[star]:
        parts = {key: value for key, value in params.items() if isinstance(value, Symbol)}
        given[star] = tuple(parts.values())  # Concat(arg0=x, arg1=y)
        params = {key: value for key, value in params.items() if key not in parts}
    if star is not None:
        params.pop("num_args", None)
    for key, value in params.items():
        if isinstance(value, Symbol):
            msg = (
                f"{path}: {key}={value!r} was given. Expected Symbols for "
                f"{', '.join(op.inputs) or 'nothing'} alone."
            )
            raise SymbolTypeError(msg)
    return given, _that_differ(op, params)


def _that_differ(op: Op, params: dict[str, Any]) -> dict[str, Any]:
    """Leave out arguments that are None by default and None as given."""
    parameters = op.signature.parameters
    return {
        key: value
        for key, value in params.items()
        if not (value is None and key in parameters and parameters[key].default is None)
    }


def _attribute(op: Op, path: str, key: str) -> str:
    """Return how a node keeps a keyword that is no argument of its operator."""
    if attributes.is_hidden(key):
        return key
    if key in attributes.HIDDEN:
        return f"__{key}__"
    if any(key.endswith(f"_{hidden}") for hidden in attributes.HIDDEN):
        return key
    names = [name for name in op.signature.parameters if name not in op.inputs]
    msg = (
        f"{path}: Cannot find argument '{key}', Possible Arguments: {', '.join(names) or 'none'}. "
        f"Attributes of your own start and end with two underscores."
    )
    raise InvalidArgumentError(msg)


def _inputs(op: Op, node: Node, given: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """Yield each array input's name and Symbol, or None where a variable is to be made."""
    expected = set(_expected(op, node))
    for key in op.inputs:
        if key in given:
            value = given[key]
            if isinstance(value, (list, tuple)):
                yield from ((key, part) for part in value)
            else:
                yield key, value
        elif key in expected:
            yield key, None


def _expected(op: Op, node: Node) -> Iterable[str]:
    if op.arguments is not None:
        return op.arguments(node.arguments())
    parameters = op.signature.parameters
    return [
        key
        for key in op.inputs
        if parameters[key].default is inspect.Parameter.empty
        and parameters[key].kind not in _VARIADIC
    ]


def _entry(value: Any, path: str, key: str, node: Node) -> Entry:
    if value is None:
        return Entry(Node(None, f"{node.name}_{key}", attrs=_for_variable(node, key)), 0)
    if not isinstance(value, Symbol):
        msg = (
            f"{path}: Argument {key} must be Symbol instances, but got {value!r}. Make a variable "
            f"with mx.sym.var({key!r})."
        )
        raise SymbolTypeError(msg)
    return value.single_entry(f"{path}({key})")


def _for_variable(node: Node, key: str) -> dict[str, str]:
    """Return the attributes of a variable that a node makes: its own, as MXNet has it."""
    found = node.texts()
    for hidden in attributes.HIDDEN:
        own = found.pop(f"{key}_{hidden}", None)
        if own is not None:
            found[f"__{hidden}__"] = own
            del node.attrs[f"{key}_{hidden}"]
    return found


def _resolve(
    op: Op, space: str, path: str, given: dict[str, Any], params: dict[str, Any]
) -> tuple[Op, str, str, dict[str, Any], dict[str, Any]]:
    """Choose among the forms of an operator: by whether its operands are arrays or numbers."""
    numbers = {key: value for key, value in given.items() if isinstance(value, _NUMBERS)}
    arrays = {key: value for key, value in given.items() if key not in numbers}
    if path.startswith("random."):
        kind = "sample" if arrays else "random"
        other = f"_internal._{kind}_{path.removeprefix('random.')}"
        found = _BY_PATH.get((space, other))
        if found is not None and found.signature.parameters.keys() >= {*given, *params}:
            op, path = found, other
    if len(numbers) == 1 and len(op.inputs) == 2 and len(given) == 2:
        scalar = scalar_form(op, space, reflected=op.inputs[0] in numbers)
        if scalar is not None:
            op, space, path = scalar
            return (
                *scalar,
                {op.inputs[0]: next(iter(arrays.values()))},
                {"scalar": next(iter(numbers.values()))},
            )
    for key, value in numbers.items():
        if "float" in str(op.signature.parameters[key].annotation):
            params[key] = value  # an operator that takes numbers for arrays
            del given[key]
    return op, space, path, given, params


def scalar_form(op: Op, space: str, *, reflected: bool) -> tuple[Op, str, str] | None:
    """Return the operator that takes a number on the right, or on the left, with its name."""
    for (where, _), file in op.files.items():
        if where != space:
            continue
        start, _, stem = file.rpartition("_") if file.startswith("_npi_") else ("", "", file)
        start = f"{start}_" if start else "_"
        stem = stem.removeprefix("_")
        for name in (f"r{stem}", _MIRRORED.get(stem, stem)) if reflected else (stem,):
            found = BY_FILE.get(f"{start}{name}_scalar")
            if found is not None:
                return found
    return None


_MIRRORED = {
    "greater": "lesser", "lesser": "greater", "greater_equal": "lesser_equal",
    "lesser_equal": "greater_equal", "less": "greater", "less_equal": "greater_equal",
}  # fmt: skip


def build_function(op: Op, space: str, path: str, cls: type[Symbol]) -> Callable[..., Any]:
    """Return the front end's function for an operator; its results are of class `cls`."""
    renamed = numpy_names(op) if space == "np" else {}

    def call(*args: Any, **kwargs: Any) -> Any:
        if renamed:
            kwargs = {renamed.get(key, key): value for key, value in kwargs.items()}
        return compose(op, space, path, cls, args, kwargs)

    return _dress(call, op, path, public_signature(op, renamed=renamed))


def _build_method(op: Op, space: str, path: str, name: str) -> Callable[..., Any]:
    def method(self: Symbol, *args: Any, **kwargs: Any) -> Any:
        return compose(op, space, path, type(self), (self, *args), kwargs)

    return _dress(method, op, name, public_signature(op, is_method=True))


def _dress(
    call: Callable[..., Any], op: Op, path: str, signature: inspect.Signature
) -> Callable[..., Any]:
    kept = [p for p in signature.parameters.values() if p.name not in _SKIPPED]
    at = len(kept) - (bool(kept) and kept[-1].kind is inspect.Parameter.VAR_KEYWORD)
    for extra in ("attr", "name"):
        if extra not in signature.parameters:
            kind = inspect.Parameter.KEYWORD_ONLY
            kept.insert(at, inspect.Parameter(extra, kind, default=None))
    call.__name__ = call.__qualname__ = path.rpartition(".")[2]
    call.__module__ = op.function.__module__
    call.__doc__ = op.function.__doc__
    call.__signature__ = signature.replace(parameters=kept)  # type: ignore[attr-defined]
    return call


class Frontend(ModuleType):
    """A module of functions on Symbols, each built when it is asked for.

    Parameters
    ----------
    name, doc : str
        The module's.
    space : str
        Field of the op table that holds its names: `nd`, `np` or `npx`.
    cls : type
        Class of the results.
    start : str, default ''
        What its names start with in the table, such as `contrib.`.
    """

    def __init__(self, name: str, doc: str, space: str, cls: type[Symbol], start: str = "") -> None:
        super().__init__(name, doc)
        self._space = space
        self._cls = cls
        self._found = {
            path.removeprefix(start): op
            for op in ops()
            for path in getattr(op, space)
            if path.startswith(start)
        }
        self._start = start
        self.__all__ = sorted({path for path in self._found if "." not in path})
        for inner in {path.partition(".")[0] for path in self._found if "." in path}:
            full = f"{name}.{inner}"
            doc = f"Operators {start}{inner}.* of {name}."
            module = Frontend(full, doc, space, cls, f"{start}{inner}.")
            sys.modules[full] = module
            setattr(self, inner, module)

    @override
    def __getattr__(self, name: str) -> Any:
        op = self.__dict__.get("_found", {}).get(name)
        if op is None:
            msg = f"module {self.__name__!r} has no attribute {name!r}"
            raise AttributeError(msg)
        function = build_function(op, self._space, self._start + name, self._cls)
        setattr(self, name, function)
        return function

    @override
    def __dir__(self) -> list[str]:
        return sorted({*super().__dir__(), *self.__all__})


def install_methods(cls: type[Symbol], *fields: str) -> None:
    """Install the operators' methods on a class of Symbols; later fields replace earlier ones."""
    for field in fields:
        for op in ops():
            spaces = (field.removesuffix("_method"), "nd", "npx", "np")
            space = next((space for space in spaces if getattr(op, space)), None)
            if space is None:
                continue  # only arrays have it
            paths = getattr(op, space)
            for name in getattr(op, field):
                if not (name.startswith("__") or name in vars(Symbol)):
                    path = name if name in paths else paths[0]
                    setattr(cls, name, _build_method(op, space, path, name))


def not_an_operand(symbol: Symbol, other: object) -> SymbolTypeError:
    """Return the error for an operand that is neither Symbol nor number."""
    msg = (
        f"{symbol!r} and {other!r} were given: type {type(other)} not supported. Expected two "
        f"Symbols, or a Symbol and a number."
    )
    return SymbolTypeError(msg)
