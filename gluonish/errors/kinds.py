"""Errors for arguments of another type than a signature says."""

from __future__ import annotations

import functools
import inspect
import math
import numbers
import os
import re
import sys
import types
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

import numpy as onp
import torch

from gluonish.errors import ArgumentKindError
from gluonish.errors.arguments import no_array, value_text
from gluonish.errors.examples import for_example
from gluonish.errors.program_arguments import arguments as given_arguments, inner_argument
from gluonish.errors.program_text import name_of
from gluonish.errors.wording import listed
from gluonish.late import LateModule

if TYPE_CHECKING:
    from gluonish.errors import habits
else:
    habits = LateModule("gluonish.errors.habits")

_SIMPLE: Final[dict[str, tuple[type, ...]]] = {
    "int": (numbers.Integral,),
    "float": (numbers.Real,),
    "bool": (int,),
    "str": (str,),
    "path": (str, os.PathLike),
    "None": (type(None),),
    "list": (list,),
    "tuple": (tuple,),
    "dict": (dict,),
    "Sequence": (Sequence,),
    "Mapping": (Mapping,),
    "Callable": (Callable,),  # type: ignore[dict-item]
    "type": (type,),
    "Tensor": (torch.Tensor,),
    "torch.dtype": (torch.dtype,),
    "onp.dtype": (onp.dtype,),
    "dtype": (str, type, onp.dtype, torch.dtype),
}
_WORDS: Final = {  # of annotations, in messages
    "DTypeLike": "dtype",
    **dict.fromkeys(("FileName", "FilePath"), "str | path"),
    "Root": "str | path | None",
    "os.PathLike[str]": "path",
    "Sizes": "int | Sequence[int]",
    "torch.Tensor": "Tensor",
}
_OWN: Final = {  # classes of ours, and where they are when everything is imported
    "NDArray": "ndarray",
    "Symbol": "symbol",
    "Context": "context",
    "Block": "gluon",
    "HybridBlock": "gluon",
    "Trainer": "gluon",
    "Parameter": "gluon",
    "ParameterDict": "gluon",
    "Optimizer": "optimizer",
    "EvalMetric": "metric",
    "DataIter": "io",
}
_METHODS: Final = "0 is nearest, 1 bilinear, 2 bicubic, 3 area, 4 Lanczos"
_NUMBERED: Final = {"interpolation": _METHODS, "interp": _METHODS}  # for what has names elsewhere
_TRAINED: Final = (
    "An optimizer takes no parameters: write trainer = gluon.Trainer(net.collect_params(), "
    "mx.optimizer.SGD(learning_rate=0.1)), whose step(batch_size) updates them"
)
_OF_PARAMETERS: Final = (
    "Write p.grad() for gradients, p.data() for values, as in "
    "[p.grad() for p in net.collect_params().values()]"
)
# What to write for something of one class where another is expected.
_INSTEAD: Final = {
    (
        "Tensor",
        "NDArray",
    ): "mx.nd.from_torch(x) makes an array of a tensor",
    ("ndarray", "NDArray"): "mx.nd.array(x) makes an array of NumPy's",
    ("Parameter", "NDArray"): _OF_PARAMETERS,
    ("ParameterDict", "NDArray"): _OF_PARAMETERS,
    ("BatchEndParam", "int"): "A callback is an object of its class, as in "
    "batch_end_callback=mx.callback.Speedometer(32, 50)",
    ("Block", "Symbol"): "net.export('model') writes the graph and the parameters of a net, "
    "net(mx.sym.var('data')) is its graph",
    ("Symbol", "Block"): "gluon.SymbolBlock(symbol, mx.sym.var('data')) makes a Block of a graph",
    ("Module", "Block"): "A Module is trained by mod.fit(...); gluon needs a Block",
    ("Block", "ParameterDict"): "Write net.collect_params()",
    ("ParameterDict", "float"): _TRAINED,
    ("dict", "path"): "Give the name of the file, which is read here",
    ("dict", "float"): "Name settings, as in SGD(learning_rate=0.1), or SGD(**settings)",
    ("Block", "float"): _TRAINED,
    ("str", "Context"): "Write mx.cpu() or mx.gpu(0)",
    ("function", "Context"): "Call it: mx.cpu(), with the parentheses",
}
_AS_IN: Final = {  # what is written for it
    "bool": "True",
    "int": "1",
    "float": "0.1",
    "number or list of numbers": "0.5",
    "whole number or list of whole numbers": "2",
    "list of numbers": "[1, 2]",
    "function": "function, by its name",
    "two numbers": "(0.5, 1.0)",
}
_FUNCTION = "function"
_FUNCTIONS: Final = re.compile(r"Callable\[[^|]*\]")
_NUMBERS: Final = {  # annotations, and what they are called
    "float | Sequence[float]": "number or list of numbers",
    "int | Sequence[int]": "whole number or list of whole numbers",
    "Sequence[int]": "list of numbers",
    "Size": "whole number or list of whole numbers",
    "Sequence[float]": "list of numbers",
    **dict.fromkeys(("tuple[float, float]", "tuple[int, int]"), "two numbers"),
}
_TWO: Final = "two numbers"
_ROWS: Final = frozenset(_NUMBERS.values()) - {_TWO}
_KEPT: Final = frozenset(_AS_IN)
_FUNCTION_TYPES: Final = (types.FunctionType, types.MethodType, types.BuiltinFunctionType)
_ARRAY: Final = "Write mx.nd.array(...) or mx.np.array(...)."
_SHOWN = 6  # names
_NUMBER: Final = re.compile(r"-?\d+(\.\d+)?(e-?\d+)?")
_NUMBERS_AS_TEXT: Final = re.compile(r"[-+]?inf|[-+.,()\[\] \de]*\d[-+.,()\[\] \de]*")


def _fits_elsewhere(
    value: object, signature: inspect.Signature, given: Mapping[str, object]
) -> str | None:
    """Return the argument, not given, that an object of ours may have been meant for."""
    cls = type(value)
    if not cls.__module__.startswith("gluonish."):
        return None
    kind = re.compile(rf"\b{cls.__name__}\b")
    for name, one in signature.parameters.items():
        if name not in given and kind.search(str(one.annotation)):
            return name
    return None


def misfit(
    names: Sequence[str],
    function: Callable[..., Any],
    args: Sequence[Any],
    kwargs: Mapping[str, Any],
    error: Exception,
) -> ArgumentKindError | None:
    """Return the error for a call that failed inside, by an argument of another type than said.

    Parameters
    ----------
    names, function, args, kwargs
        As for `refused_call`.
    error : Exception
        What happened.

    Returns
    -------
    ArgumentKindError or None
        None, if all arguments have the types of the signature, as far as that is easy to see.

    Examples
    --------
    >>> from gluonish.errors.kinds import misfit
    >>> def wait(seconds: int):
    ...     ...
    >>> print(misfit(['wait'], wait, ['2'], {}, TypeError()))
    wait: seconds='2' was given, a str. Expected int. Write for example seconds=2.
    """
    signature = inspect.signature(function)
    try:
        given = signature.bind(*args, **kwargs).arguments
    except TypeError:
        return None
    found = []
    several = [_spelt(each.annotation, function) for each in signature.parameters.values()]
    for name, value in given.items():
        one = signature.parameters[name]
        said = _spelt(one.annotation, function)
        said = "" if said in ("Any", "object") else said
        if one.kind is one.VAR_KEYWORD:
            continue
        said = f"Sequence[{said}]" if one.kind is one.VAR_POSITIONAL and said else said
        how = next(
            (f" {habits.POSITIONS[each]}." for each in names if each in habits.POSITIONS), ""
        )
        other = _fits_elsewhere(value, signature, given)
        how = (
            f" Write {other}={'mx.' * (type(value).__name__ == 'Context')}{value}."
            if other
            else how
        )
        how = how or for_example(names[0], function, args, is_needed=False)
        told = _misfit_inside(names[0], name, value, said)
        told = told or _misfit(names[0], name, value, said, how, is_alone=several.count(said) == 1)
        if told is None and value is None and one.default is one.empty and not said:
            usage = listed(each for each in signature.parameters if each not in ("self", "cls"))
            told = ArgumentKindError(
                f"{names[0]}: {name}=None was given. Expected {names[0]}({usage}).{how}"
            )
        if told is not None:
            is_number = isinstance(value, numbers.Number)  # which may do for an array
            found.append((is_number and "Tensor" in said, told))
    if not found:
        return None
    told = min(found, key=lambda each: each[0])[1]
    told.__cause__ = error
    told.is_kept = True  # type: ignore[attr-defined]
    return told


def lacking_key(
    names: Sequence[str],
    function: Callable[..., Any],
    args: Sequence[Any],
    kwargs: Mapping[str, Any],
    error: Exception,
) -> ArgumentKindError | None:
    """Return the error for a call that looked for a key which no dict it was given has, or None.

    Parameters
    ----------
    names, function, args, kwargs, error
        As for `misfit`.

    Examples
    --------
    >>> from gluonish.errors.kinds import lacking_key
    >>> def load(state):
    ...     ...
    >>> print(lacking_key(['load'], load, [{'a': 1}], {}, KeyError('epoch')))
    load: state={'a': 1} was given. Expected a dict with the key 'epoch'. Add it.
    """
    if not isinstance(error, KeyError) or len(error.args) != 1:
        return None
    key = error.args[0]
    given = inspect.signature(function).bind(*args, **kwargs).arguments
    for name, value in given.items():
        if type(value) is dict and isinstance(key, str) and key not in value:
            how = for_example(names[0], function, args, is_needed=False) or " Add it."
            told = ArgumentKindError(
                f"{names[0]}: {name}={value_text(value)} was given. Expected a dict with the key "
                f"{key!r}.{how}"
            )
            told.__cause__ = error
            return told
    return None


def _misfit(
    where: str, name: str, value: object, said: str, how: str, *, is_alone: bool
) -> ArgumentKindError | None:
    """Return the error for a value of another type than the signature says.

    `is_alone` tells whether nothing else has that type.
    """
    kinds = _kinds(said)
    is_text = isinstance(value, str) and Sequence in kinds and str not in kinds
    if not kinds or (isinstance(value, kinds) and not is_text):
        return None
    expected = said.replace("Sequence[", "list[").replace(" | ", " or ")
    expected = expected.replace("list[Tensor]", "a list of arrays").replace("Tensor", "array")
    if said == "Tensor":
        return ArgumentKindError(no_array(where, name, value, _ARRAY, is_alone=is_alone))
    if isinstance(value, str) and name in _NUMBERED:
        how = f" {_NUMBERED[name]}."
    write, like = _instead(value, expected), _like(value, kinds)
    if isinstance(value, Mapping) and "path" in expected and (file := inner_argument()):
        write = f"Write {file}, the name of the file, which is read here"
    if "list[NDArray]" in expected and type(value).__name__.endswith("values"):
        (values,) = given_arguments(1) or ["net.collect_params().values()"]
        holds = any(cls.__name__ == "Parameter" for v in value for cls in type(v).__mro__)  # type: ignore[attr-defined]
        write = f"Write [p.grad() for p in {values}]" if holds else f"Write list({values})"
    if write is not None or like == "..." or (like == "[...]" and how):
        how = how if write is None else f" {write}."
    elif f"{name}=" not in how:
        how = f" Write for example {name}={like}.{how}"
    how = how or " Pass such a one."
    given = "" if value is None else f", {_a(type(value).__name__)}"
    return ArgumentKindError(
        f"{where}: {name}={value_text(value)} was given{given}. Expected {expected}.{how}"
    )


def _spelt(annotation: object, function: Callable[..., Any]) -> str:
    """Return an annotation in full: what stands for a union replaced by it."""
    text = annotation if isinstance(annotation, str) else getattr(annotation, "__name__", "")
    known = getattr(inspect.unwrap(function), "__globals__", {})
    parts = []
    for part in _parts(text):
        name = part.strip()
        longer = _WORDS.get(name, known.get(name))
        parts.append(longer if isinstance(longer, str) else name)
    return " | ".join(parts)


def _misfit_inside(where: str, name: str, value: object, said: str) -> ArgumentKindError | None:
    """Return the error for an element of a list that is of another type than the signature says.

    Or for one of a dict.
    """
    if isinstance(value, Mapping):
        return _misfit_of_key(where, name, value, said)
    rows = [re.fullmatch(r"(?:list|Sequence)\[(\w+)\]", part.strip()) for part in _parts(said)]
    of = next(filter(None, rows), None)
    kinds = () if of is None else _kinds(of[1])
    if of is None or not kinds or not isinstance(value, (list, tuple)):
        return None
    for position, each in enumerate(value):
        if not isinstance(each, kinds):
            kind = type(each).__name__
            told = _instead(each, of[1]) or f"Write for example {name}=[{_like(each, kinds)}]"
            return ArgumentKindError(
                f"{where}: {name}[{position}]={value_text(each)} was given, {_a(kind)}. Expected "
                f"a list of {'arrays' if of[1] == 'Tensor' else of[1]}. {told}."
            )
    return None


def _misfit_of_key(
    where: str, name: str, value: Mapping[Any, Any], said: str
) -> ArgumentKindError | None:
    rows = [re.fullmatch(r"(?:dict|Mapping)\[str, (\w+)\]", part.strip()) for part in _parts(said)]
    of = next((row[1] for row in rows if row is not None), "")
    kinds = _kinds(of)
    for key, each in value.items() if kinds else ():
        if not isinstance(each, kinds):
            told = _instead(each, of) or f"Write for example {_like(each, kinds)}"
            return ArgumentKindError(
                f"{where}: {name}[{key!r}]={value_text(each)} was given, "
                f"{_a(type(each).__name__)}. Expected a dict of {of}s. {told}."
            )
    return None


def _instead(value: object, expected: str) -> str | None:
    """Return what to write for a value of another class than expected, if that is known."""
    names = [cls.__name__ for cls in type(value).__mro__]
    words = re.findall(r"\w+", expected)
    found = (_INSTEAD.get((name, word)) for name in names for word in words)
    return next((text for text in found if text is not None), None)


def kept_misfit(
    function: Callable[..., Any], args: Sequence[Any], kwargs: Mapping[str, Any]
) -> Callable[[Sequence[str]], ArgumentKindError] | None:
    """Return what makes the error for something that a constructor kept, and can't mean; or None.

    Only flags and numbers are looked at: what is used at once fails at once, and a flag that is a
    text, or a size with a fraction, is found out late, or never.

    Parameters
    ----------
    function, args, kwargs
        As for `refused_call`.

    Examples
    --------
    >>> from gluonish.errors.kinds import kept_misfit
    >>> def make(self, units: int, use_bias: bool = True):
    ...     ...
    >>> kept_misfit(make, [None, 4], {}) is None
    True
    >>> print(kept_misfit(make, [None, 4, 'zeros'], {})(['Layer']))
    Layer: use_bias='zeros' was given, a str. Expected bool. Write for example use_bias=True. By \
position, Layer takes units, use_bias: name what else is meant.
    """
    places, kinds = _plain_kinds(function)
    takes_text = args and any(base.__name__ == "DataIter" for base in type(args[0]).__mro__)
    if not kinds or takes_text:  # as MXNet's iterators do
        return None
    for name, value in (*zip(places, args, strict=False), *kwargs.items()):
        kind = kinds.get(name)
        if name.endswith("axis") and isinstance(value, (list, tuple)):  # means take several
            continue
        if kind is not None and not (_is_kept(value, kind) or _is_size(args, value, kind)):
            order = places[1:] if name not in kwargs else ()
            return functools.partial(_kept, name, value, kind, order)
    return None


@functools.cache
def _plain_kinds(function: Callable[..., Any]) -> tuple[tuple[str, ...], dict[str, str]]:
    """Return the names of what is taken by position, and which are flags and numbers."""
    parameters = inspect.signature(function).parameters.values()
    by_position = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    places = tuple(one.name for one in parameters if one.kind in by_position)
    said = {one.name: str(one.annotation).removesuffix(" | None") for one in parameters}
    said = {name: _NUMBERS.get(kind, kind) for name, kind in said.items()}
    said = {name: _FUNCTION if _FUNCTIONS.fullmatch(s) else s for name, s in said.items()}
    return places, {name: kind for name, kind in said.items() if kind in _KEPT}


def _is_size(args: Sequence[Any], value: object, kind: str) -> bool:
    """Return whether a text is a layer's size: these take numbers in every guise, as MXNet's."""
    if kind != "int" or not isinstance(value, str) or not value.isdigit():
        return False
    return any(base.__name__ == "Block" for base in type(args[0]).__mro__)


def _is_kept(value: object, kind: str) -> bool:
    """Return whether a flag or number can be meant by a value."""
    if type(value) is bool or value is None:
        return True
    if kind == _FUNCTION:
        return callable(value)
    if isinstance(value, str) and kind != "bool":  # as MXNet reads numbers
        return _NUMBERS_AS_TEXT.fullmatch(value) is not None
    if kind == _TWO:
        return hasattr(value, "__len__") or not isinstance(value, numbers.Real)
    if kind in _ROWS:
        return not (isinstance(value, (bytes, Mapping, type)) or _is_own(value))
    if isinstance(value, (numbers.Real, onp.generic)):
        if kind == "bool":
            return value in (0, 1)
        return kind == "float" or isinstance(value, numbers.Integral) or value == int(value)  # type: ignore[arg-type]
    if _is_array(value) or isinstance(value, _FUNCTION_TYPES):
        return False
    is_text = isinstance(value, (str, bytes))
    return not (is_text or isinstance(value, (list, tuple, Mapping, type)) or _is_own(value))


def _is_array(value: object) -> bool:
    """Return whether something is an array that is no number."""
    shape = getattr(value, "shape", None)
    return isinstance(shape, tuple) and math.prod(shape) != 1


def _is_own(value: object) -> bool:
    """Return whether something is an object of ours other than an array, which may be a number."""
    home = type(value).__module__
    return home.startswith("gluonish.") and not hasattr(value, "asscalar")


def _kept(
    name: str, value: object, kind: str, order: Sequence[str], names: Sequence[str]
) -> ArgumentKindError:
    write = _instead(value, kind)
    if _is_array(value):
        write = f"Make the object first, then call it with arrays: {names[0]}(...)(x)"
    more = ""
    if write is None and len(order) > 1:
        more = f" By position, {names[0]} takes {listed(order, _SHOWN)}: name what else is meant."
    if write is None and kind == "int" and _is_own(value) and hasattr(value, "__len__"):
        own = name_of(value) or "x"
        write, more = f"Write len({own}), the number of its elements", more
    elif write is None and kind == "int" and isinstance(value, numbers.Real):
        least = int(float(value))
        write = f"Write {name}={least} or {name}={least + 1}"
    elif write is None:
        is_number = kind != "bool" and isinstance(value, str) and _NUMBER.fullmatch(value)
        write = f"Write for example {name}={value if is_number else _AS_IN[kind]}"
    if isinstance(value, str) and name in _NUMBERED:
        write = f"Write {name}=1, for example: {_NUMBERED[name]}"
    told = ArgumentKindError(
        f"{names[0]}: {name}={value_text(value)} was given, {_a(type(value).__name__)}. "
        f"Expected {_a(kind) if ' ' in kind and kind != _TWO else kind}. {write}.{more}"
    )
    told.is_kept = True  # type: ignore[attr-defined]
    return told


def _a(name: str) -> str:
    return f"{'an' if name[:1].lower() in 'aeio' else 'a'} {name}"


def _kinds(annotation: str) -> tuple[type, ...]:
    """Return the types an annotation consists of, or () if it has others than simple ones."""
    found: list[type] = []
    for part in _parts(annotation):
        name = part.partition("[")[0].strip()
        kinds = _SIMPLE.get(name)
        if kinds is None and name in _OWN:
            kinds = (getattr(sys.modules[f"gluonish.{_OWN[name]}"], name),)
        if kinds is None:
            return ()
        found += kinds
    return tuple(found)


def _parts(annotation: str) -> list[str]:
    """Return the types of a union, those inside of brackets left together."""
    parts, depth = [""], 0
    for letter in annotation:
        depth += (letter == "[") - (letter == "]")
        if letter == "|" and not depth:
            parts.append("")
        else:
            parts[-1] += letter
    return parts


def _like(value: object, kinds: Sequence[type]) -> str:
    """Return an example of what to write in place of a value of another type."""
    number = str(int(value)) if isinstance(value, str) and value.isdecimal() else None
    if torch.Tensor in kinds:
        return "mx.nd.array([1, 2])"
    if torch.dtype in kinds:
        return "'float32'"
    if numbers.Integral in kinds or numbers.Real in kinds:
        return number or "1"
    if list in kinds or Sequence in kinds:
        return "[...]"
    return "'name'" if str in kinds else "None" if type(None) in kinds else "..."
