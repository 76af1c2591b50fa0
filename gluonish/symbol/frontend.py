"""Builds the functions and methods of the front end sym out of the op table."""

from __future__ import annotations

import functools
import inspect
import sys
from collections.abc import Mapping
from types import ModuleType
from typing import TYPE_CHECKING, Any, cast

import numpy as onp
from typing_extensions import override

from gluonish import name as naming
from gluonish.array.guises import as_written, plain_number
from gluonish.array.texts import parse
from gluonish.base import NOT_GIVEN
from gluonish.errors import InvalidArgumentError, MXNetError, SymbolTypeError, UnknownNameError
from gluonish.errors.arguments import meant, value_text
from gluonish.errors.namespaces import lacks, without_inner
from gluonish.errors.program_arguments import with_keyword
from gluonish.errors.program_text import name_of
from gluonish.errors.tracebacks import shorten
from gluonish.ndarray.flags import flag_of
from gluonish.ndarray.frontend import numpy_names, public_signature
from gluonish.ops import ops
from gluonish.ops.elementwise.forms import MIRRORED
from gluonish.ops.random.forms import drawn
from gluonish.ops.table import Call
from gluonish.ops.table.choices import check_choices
from gluonish.ops.table.graph_names import find
from gluonish.ops.table.loose_keywords import is_hidden, loose, tell
from gluonish.ops.table.signatures import LateSignature
from gluonish.symbol import attributes
from gluonish.symbol.arrays_in_graphs import constant
from gluonish.symbol.graph import Entry, Node
from gluonish.symbol.np_symbol import NumpySymbol
from gluonish.symbol.symbol import Symbol

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from gluonish.ops.table import Op

_NUMBERS = (int, float, onp.generic)
_WHOLE = (int, onp.int32, onp.int64)  # the others of NumPy's count as floats in MXNet's graphs
VARIADIC = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
_OF_NUMPY = (onp.generic, onp.ndarray)
_EXAMPLES = {
    "num_filter": "32",
    "num_hidden": "10",
    "kernel": "(3, 3)",
    "axis": "1",
    "act_type": "'relu'",
    "pool_type": "'max'",
}
_SKIPPED = ("out", "ctx")  # what graphs do not compute with
_LABELS = {"num_args": "arg", "num_arrays": "array_", "num_outputs": "data_"}

BY_FILE: dict[str, tuple[Op, str, str]] = {}  # name in files -> operator, front end, name there
for _op in ops():
    for (_space, _path), _file in _op.files.items():
        BY_FILE.setdefault(_file, (_op, _space, _path))
_SCALARS = {
    (space, path if space == "np" else file): (op, space, path)
    for op in ops()
    for (space, path), file in op.files.items()
    if file.endswith("_scalar")
}
_BY_PATH = {
    (_space, path): op
    for _space in ("nd", "np", "npx")
    for op in ops()
    for path in getattr(op, _space)
}
# For each class of Symbols, the operators that `hybrid_forward` receives: nd's.
OPERATORS: dict[type[Symbol], Any] = {}


def by_path(space: str, path: str) -> Op:
    """Return the operator that a front end has under a name."""
    return _BY_PATH[space, path]


def has_path(space: str, path: str) -> bool:
    """Return whether a front end has an operator under a name."""
    return (space, path) in _BY_PATH


def compose(
    op: Op,
    space: str,
    path: str,
    cls: type[Symbol],
    args: tuple[Any, ...],
    kwargs: dict[str, Any],
    added: str = "",
    hint: str = "",
) -> Any:
    """Return the Symbol for a call of an operator; a list of them for several outputs in np mode.

    Array inputs that are missing become variables, named after the operator: `fc1_weight`.
    `added` names the function that MXNet has for it, if that writes arguments that are not given;
    `hint` is what the node's name begins with, if it is not the operator's.

    Raises
    ------
    SymbolTypeError
        Something else than a Symbol stands where an array is needed.
    InvalidArgumentError
        The operator has no such argument.
    """
    name, attr = kwargs.pop("name", None), kwargs.pop("attr", None)
    if op.graph.stands_for is not None:
        op = op.graph.stands_for(_options(kwargs))
    given, params = _bind(op, path, args, kwargs)
    written, started = op.graph.written, f"{space}.{path}"
    attrs = attributes.in_scope(attr)
    if op.recorded is not None:
        _keep_loose(op, started, params, attrs)
        recorded = op.recorded(_call(op, cls, {**given, **params}, name))
        if isinstance(recorded, tuple) and (found := find(recorded[0])) is not None:
            op, space, path = found
            given = {key: value for key, value in recorded[1].items() if key in op.inputs}
            params = {key: value for key, value in recorded[1].items() if key not in op.inputs}
        elif recorded is not None:
            return recorded  # several operators, in Symbols
    op, space, path, given, params = _resolve(op, space, path, given, params)
    _keep_loose(op, started, params, attrs)
    values = _values(op, params, path)
    check_choices(op, path, values)
    absent = attributes.missing(op, values | given)
    if absent:
        numbers = [f"{each!r}" for each in args if isinstance(each, int)]
        where = f", where {numbers[0]} stands without a name" if numbers else ""
        value = numbers[0] if numbers else _EXAMPLES.get(absent[0], "...")
        call = with_keyword(absent[0], value, f"{path}(..., {absent[0]}={value})")
        msg = (
            f"{path}: Required parameter {', '.join(absent)} is not presented, in operator "
            f"{name or 'without a name'}{where}. Give it as a keyword, "
            f"for example {call}."
        )
        raise InvalidArgumentError(msg)
    is_nd = started.startswith("nd.")  # whose functions write a dtype of None, too
    hint = hint or _hint(op, space, path, is_np=not is_nd)
    full = naming.current().get(name, hint)
    node = Node(op, full, space, path, values, attrs)
    node.spelled = {
        node.written(key): attributes.text(value)
        for key, value in params.items()
        if key not in op.graph.unwritten and (key != "dtype" or value is not None or is_nd)
    }
    if op.takes_ctx and kwargs.get("ctx") is not None:
        node.spelled["ctx"] = str(kwargs["ctx"])  # files keep it; graphs run where they are bound
    if not path.startswith("_internal._sample_"):
        _add(node, given, _texts(written.get(added or started, "")))
    inputs = list(_inputs(op, node, given))
    if op.counted:
        node.spelled.setdefault(op.counted, str(len(inputs)))
    node.names = tuple(key for key, _, _ in inputs)
    node.inputs = [_entry(value, path, label, node) for _, label, value in inputs]
    entries = [Entry(node, index) for index in range(node.outputs)]
    if cls is NumpySymbol and len(entries) > 1:
        return [cls([entry]) for entry in entries]
    return cls(entries)


def _keep_loose(op: Op, started: str, params: dict[str, Any], attrs: dict[str, str]) -> None:
    """Move keywords that the operator does not have to the attributes; see `_attribute`.

    Attributes that were given as such, or by `AttrScope`, are refused as these keywords are.
    """
    names = {*op.signature.parameters, *op.attributes, op.counted}
    if not names <= {*op.inputs, ""}:  # those without parameters take all
        for key in attrs.keys() - names:
            _attribute(op, started, key, attrs[key])
    for key in [key for key in params if key not in names]:
        kept = _attribute(op, started, key, params[key])
        attrs[kept] = attributes.text(params.pop(key))


def _call(op: Op, cls: type[Symbol], given: Mapping[str, Any], name: str | None) -> Call:
    """Return what rules for graphs receive; see `recorded` of `Op`."""
    operators = OPERATORS[cls if cls in OPERATORS else Symbol]
    is_np = issubclass(cls, NumpySymbol)
    return Call(op, given, operators, name or "", is_np=is_np, write=functools.partial(write, cls))


def write(cls: type[Symbol], file: str, arguments: dict[str, Any]) -> Any:
    """Return the Symbol of an operator by its name in files and its arguments."""
    op, space, path = cast("tuple[Op, str, str]", find(file))
    return compose(op, space, path, cls, (), arguments)


def _values(op: Op, params: Mapping[str, Any], path: str) -> dict[str, Any]:
    """Return an operator's arguments, with those read that were given as text."""
    found = {}
    for key, value in params.items():
        name = op.attributes.get(key, key)
        parameter = op.signature.parameters.get(name)
        if parameter is not None and key != op.counted:
            if isinstance(value, str) and name not in op.flags:
                found[name] = parse(value, parameter, path)
            else:
                plain = value.item() if isinstance(value, onp.generic) else value
                found[name] = flag_of(op, name, plain)
    return found


@functools.cache
def _texts(written: str) -> Mapping[str, str]:
    """Return arguments by name that stand in a row, as `axis=None keepdims=False`."""
    pairs = (word.split("=", 1) for word in written.replace(", ", ",").split())
    return {key: value.replace(",", ", ") for key, value in pairs}


def _add(node: Node, given: Mapping[str, Any], texts: Mapping[str, str]) -> None:
    """Give a node the arguments that MXNet's function writes where they are not given."""
    op, spelled = node.op, node.spelled
    if op is None or spelled is None:
        return
    for key, text in texts.items():
        name = op.attributes.get(key, key)
        if key in spelled:
            continue
        spelled[key] = "None" if name in given else text  # "None" for an array, not a number
        parameter = op.signature.parameters.get(name)
        if parameter is not None and key != "ctx" and name not in op.inputs:
            value = parse(text, parameter, op.name)
            if value != parameter.default and not (value is None or key == "dtype"):
                node.params[name] = value


def _options(kwargs: Mapping[str, Any]) -> dict[str, Any]:
    """Return the arguments that are neither arrays nor attributes of a node."""
    return {
        key: value
        for key, value in kwargs.items()
        if not (isinstance(value, Symbol) or is_hidden(key))
    }


def _hint(op: Op, space: str, path: str, *, is_np: bool) -> str:
    """Return what a node's name starts with: MXNet's function makes `_zeros0` of `zeros`."""
    name = path.rpartition(".")[2]
    if f"{space}.{path}" in op.graph.written and space == "nd":
        name = op.files[space, path]
    if is_np:
        hint = op.graph.hint
        name = hint.get(name, name) if isinstance(hint, Mapping) else hint or name
    for start in ("_npi_", "_npx_", "_np_", "_" if is_np else ""):
        name = name.removeprefix(start)
    return name.lower()


def _bind(
    op: Op, path: str, args: tuple[Any, ...], kwargs: dict[str, Any]
) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return array inputs and other arguments by name; None where an input is meant to be."""
    parameters = op.signature.parameters
    star = next((p.name for p in parameters.values() if p.kind is p.VAR_POSITIONAL), None)
    names = list(parameters) if star is None else list(parameters)[: list(parameters).index(star)]
    positional = [
        name
        for name in names
        if parameters[name].kind is not inspect.Parameter.KEYWORD_ONLY and name != "ctx"
    ]
    bound: dict[str, Any] = dict(zip(positional, args, strict=False))
    rest = args[len(positional) :]
    if star is not None:
        bound[star] = rest
    elif rest:
        msg = (
            f"{path}: {len(args)} positional arguments were given. Expected at most "
            f"{len(positional)}: {', '.join(positional)}."
        )
        raise SymbolTypeError(msg)
    twice = bound.keys() & kwargs.keys()
    if twice:
        msg = f"{path}: got multiple values for argument {', '.join(map(repr, sorted(twice)))}."
        raise SymbolTypeError(msg)
    bound.update(kwargs)
    bound = {key: value for key, value in bound.items() if value is not NOT_GIVEN}
    given = {key: bound.pop(key) for key in op.inputs if key in bound}
    given = {
        key: plain_number(value)
        if isinstance(value, str) and "float" in str(parameters[key].annotation)
        else _number(value)
        for key, value in given.items()
        if value is not None
    }
    params = {key: _plain(value) for key, value in bound.items() if key not in _SKIPPED}
    if star in op.inputs and not given[star]:
        parts = {key: value for key, value in params.items() if isinstance(value, Symbol)}
        given[star] = tuple(parts.values())  # Concat(arg0=x, arg1=y)
        params = {key: value for key, value in params.items() if key not in parts}
    for key, value in params.items():
        if isinstance(value, Symbol):
            how = getattr(op.function, "how_to_take", "Leave {} out".format)
            msg = (
                f"{path}: {key}={value!r} was given. Expected Symbols for "
                f"{', '.join(op.inputs) or 'nothing'} alone. {how(key)}."
            )
            raise SymbolTypeError(msg)
    return given, params


def _number(value: Any) -> Any:
    """Return an input with a number in the place of an array of NumPy without axes."""
    return _plain(value) if isinstance(value, onp.ndarray) else value


def _plain(value: Any) -> Any:
    """Return a parameter with Python's numbers in the place of NumPy's, which count as written."""
    if type(value) in (list, tuple) and any(isinstance(each, _OF_NUMPY) for each in value):
        return type(value)(map(_plain, value))
    return as_written(value)


def _attribute(op: Op, started: str, key: str, value: object) -> str:
    """Return how a node keeps a keyword that is no argument of its operator.

    `started` is the front end's name and the function's there.
    """
    space, _, path = started.partition(".")
    kind = loose(op, space, path)
    if is_hidden(key):
        return key
    if key in attributes.HIDDEN:
        return f"__{key}__"
    if any(key.endswith(f"_{hidden}") for hidden in attributes.HIDDEN):
        return key
    if kind == "everything":
        tell(path, key, tuple(op.signature.parameters))
        return key
    names = [name for name in op.signature.parameters if name not in op.inputs]
    own = " Attributes of your own start and end with two underscores."
    msg = (
        f"{path}: Cannot find argument '{key}', Possible Arguments: {', '.join(names) or 'none'}."
        f"{meant([path.rpartition('.')[2]], {key: value}, names, is_one=True) or own}"
    )
    raise (SymbolTypeError if kind == "nothing" else InvalidArgumentError)(msg)


def _inputs(op: Op, node: Node, given: Mapping[str, Any]) -> Iterator[tuple[str, str, Any]]:
    """Yield each array input's name, what a variable for it is called, and its Symbol if given."""
    expected = [] if op.is_variadic else list(_expected(op, node))
    for key in op.inputs:
        value = given.get(key)
        if isinstance(value, (list, tuple)) and op.takes_many(key):
            yield from ((key, key, part) for part in value)
        elif value is not None:
            yield key, key, value
        elif key in expected and key not in node.params:
            yield key, key, None
    if op.is_variadic:
        count = len(given.get(op.inputs[-1], ()))
        yield from ((op.inputs[-1], label, None) for label in _missing(op, node, count))


def _missing(op: Op, node: Node, count: int) -> list[str]:
    """Return what the variables are called that stand for missing parts of a list."""
    texts = node.texts()
    parts = () if op.graph.parts is None else op.graph.parts(texts)
    if parts:
        return list(parts[count:])
    if count:
        return []
    if op.counted not in texts:
        return []
    return [f"{_LABELS[op.counted]}{i}" for i in range(int(texts[op.counted]))]


def _expected(op: Op, node: Node) -> Iterable[str]:
    if op.arguments is not None:
        return op.arguments(node.arguments())
    parameters = op.signature.parameters
    return [
        key
        for key in op.inputs
        if parameters[key].default is inspect.Parameter.empty
        and parameters[key].kind not in VARIADIC
    ]


def _entry(value: Any, path: str, key: str, node: Node) -> Entry:
    if value is None:
        found = Entry(Node(None, f"{node.name}_{key}", attrs=_for_variable(node, key)), 0)
    elif isinstance(value, Symbol):
        found = value.single_entry(f"{path}({key})")
    else:
        own = name_of(value)
        how = constant(value) or (
            f"Write mx.sym.var({key!r}) in the place of {own}"
            if own
            else f"Make a variable with mx.sym.var({key!r})"
        )
        if isinstance(value, (list, tuple)) and any(isinstance(each, Symbol) for each in value):
            how = (
                f"Take the {type(value).__name__} apart with a star: sym.{path}(*inputs)"
                if node.op is not None and node.op.is_variadic
                else "Give one Symbol: one of them, or all put together by mx.sym.concat(*inputs)"
            )
        if callable(value) and (name := getattr(value, "__name__", "<")).isidentifier():
            how = f"Call it, with parentheses, for the Symbol that it returns: {name}(...)"
        msg = (
            f"{path}: Argument {key} must be Symbol instances, but got {value_text(value)}. {how}."
        )
        raise SymbolTypeError(msg)
    start = None if node.op is None else attributes.initial(node.op, key)
    if start is not None and found.node.is_variable:
        found.node.attrs.setdefault("__init__", start)
    return found


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
    is_left = op.inputs[:1] == tuple(numbers)
    arrays = {key: value for key, value in given.items() if key not in numbers}
    if space == "nd" and path.startswith("random."):
        path, given, params = drawn(path, {**given, **params}, bool(arrays))
        op = _BY_PATH[space, path]
        numbers = {key: value for key, value in given.items() if isinstance(value, _NUMBERS)}
    if len(numbers) == 1 and len(op.inputs) == 2 and len(given) == 2:
        scalar = scalar_form(op, space, reflected=is_left)
        if scalar is not None:
            op, space, path = scalar
            return (
                *scalar,
                {op.inputs[0]: next(iter(arrays.values()))},
                scalar_arguments(space, next(iter(numbers.values())), is_left=is_left),
            )
    for key, value in numbers.items():
        kinds = str(op.signature.parameters[key].annotation)
        if "float" in kinds or "int" in kinds:
            params[key] = value  # an operator that takes numbers for arrays
            del given[key]
    return op, space, path, given, params


def scalar_arguments(space: str, number: Any, *, is_left: bool) -> dict[str, Any]:
    """Return the arguments of an operator with a number; one on the left counts as float."""
    if space == "nd":
        return {"scalar": int(number) if isinstance(number, bool) else number}
    return {"scalar": float(number), "is_int": isinstance(number, _WHOLE) and not is_left}


def scalar_form(op: Op, space: str, *, reflected: bool) -> tuple[Op, str, str] | None:
    """Return the operator that takes a number on the right, or on the left, with its name."""
    for (where, path), file in op.files.items():
        if where != space:
            continue
        start = "_npi_" if space == "np" else "_"
        stem = path if space == "np" else file.removeprefix("_")
        mirrored = MIRRORED.get(stem, (stem,))
        for name in (f"r{stem}", *mirrored) if reflected else (stem,):
            found = _SCALARS.get((space, f"{start}{name}_scalar"))
            if found is not None:
                return found
    return None


def build_function(
    op: Op, space: str, path: str, cls: type[Symbol], hint: str = ""
) -> Callable[..., Any]:
    """Return the front end's function for an operator; its results are of class `cls`.

    `hint` as for `compose`.
    """
    renamed = numpy_names(op) if space == "np" else {}

    def call(*args: Any, **kwargs: Any) -> Any:
        try:
            if renamed:
                kwargs = {renamed.get(key, key): value for key, value in kwargs.items()}
            return compose(op, space, path, cls, args, kwargs, hint=hint)
        except MXNetError as error:
            shorten(error)
            raise

    return dress(call, op, path, public_signature(op, renamed=renamed))


def dress(
    call: Callable[..., Any], op: Op, path: str, signature: inspect.Signature
) -> Callable[..., Any]:
    """Give a function or method of Symbols its operator's name, documentation and signature."""
    call.__name__ = call.__qualname__ = path.rpartition(".")[2]
    call.__module__ = op.function.__module__
    call.__doc__ = op.function.__doc__
    late = LateSignature(functools.partial(_of_symbols, signature))
    call.__signature__ = late  # type: ignore[attr-defined]
    return call


def _of_symbols(signature: inspect.Signature) -> inspect.Signature:
    """Return a function's signature with what graphs take beside arrays' arguments."""
    kept = [p for p in signature.parameters.values() if p.name != "out"]
    at = len(kept) - (bool(kept) and kept[-1].kind is inspect.Parameter.VAR_KEYWORD)
    for extra in ("attr", "name"):
        if extra not in signature.parameters:
            kind = inspect.Parameter.KEYWORD_ONLY
            kept.insert(at, inspect.Parameter(extra, kind, default=None))
    return signature.replace(parameters=kept)


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
            try:
                lacks(self.__name__, name)
            except UnknownNameError as error:
                shorten(error)
                raise
        function = build_function(op, self._space, self._start + name, self._cls)
        setattr(self, name, function)
        return function

    @override
    def __dir__(self) -> list[str]:
        return sorted({*without_inner(super().__dir__()), *self.__all__})
