"""What is said where the arrays of a graph are not all there, or not by their names."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING, Any

from gluonish.errors import MXNetError, SymbolNameError, SymbolTypeError
from gluonish.errors.program_arguments import arguments
from gluonish.errors.program_operands import as_keywords
from gluonish.errors.program_text import names_of_objects
from gluonish.symbol.attributes import some

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from gluonish.array.core import NDArray
    from gluonish.symbol.symbol import Symbol

WEIGHTS = ("weight", "bias", "gamma", "beta", "parameters")
"""How the names of what is learned end."""

_FEW = 3  # arrays that an error writes out


def all_of(names: Iterable[str]) -> str:
    """Return names as a list of Python, of which some stand for many.

    Examples
    --------
    >>> from gluonish.symbol.missing_arrays import all_of
    >>> all_of(["a", "b"])
    "['a', 'b']"
    """
    return f"[{some(map(repr, names))}]"


def no_arrays(
    missing: Sequence[str],
    names: Sequence[str],
    found: Mapping[str, NDArray],
    what: str,
    symbol: Symbol | None,
) -> SymbolNameError:
    """Return the error for names without an array.

    Parameters
    ----------
    missing, names : list of str
        The names, and all that there are.
    found : dict of str to NDArray
        The arrays of the others.
    what : str
        The argument that should have them.
    symbol : Symbol, optional
        The graph.

    Examples
    --------
    >>> from gluonish.symbol.missing_arrays import no_arrays
    >>> print(no_arrays(["b"], ["a", "b"], {}, "args", None).args[0][:72])
    key `b` is missing in `args`. Expected arrays for all of ['a', 'b']. Add
    """
    (ctx,) = arguments(1) or ["mx.cpu()"]
    known = "".join(f", {name}={found[name].shape}" for name in names if name in found)
    more = _to_add(symbol, found, missing)
    how = f"Add {more or some(missing, ' and ') + ', with arrays,'} to it"
    if not more and not any(name.endswith(WEIGHTS) for name in missing):
        pairs = ", ".join(f"{name!r}: mx.nd.ones(shape)" for name in missing)
        how = f"Add {pairs} to it, with a tuple of lengths as shape, which nothing else tells"
    elif not more or any(name.endswith(WEIGHTS) for name in missing):
        how = (
            f"{how}, or use simple_bind({ctx}{known or ', ...'}) with the shapes of the data, "
            f"which makes the arrays of all others"
        )
    return SymbolNameError(
        f"key `{some(missing, '`, `')}` is missing in `{what}`. Expected arrays for all of "
        f"{all_of(names)}. {how}."
    )


def _to_add(symbol: Symbol | None, found: Mapping[str, NDArray], missing: Sequence[str]) -> str:
    """Return how arrays are written that are missing; '' if the others don't tell shapes."""
    with contextlib.suppress(MXNetError, AttributeError):
        if symbol is not None and found:
            shapes, _, _ = symbol.infer_shape_partial(**{k: v.shape for k, v in found.items()})
            known = dict(zip(symbol.list_arguments(), shapes or [], strict=True))
            if len(missing) <= _FEW and all(known[name] and all(known[name]) for name in missing):
                return ", ".join(f"{name!r}: {_one_of(known[name], found)}" for name in missing)
    return ""


def _one_of(shape: tuple[int, ...], found: Mapping[str, NDArray]) -> str:
    """Return what a program calls its one other array of a shape, or how to make one."""
    given = {id(array) for array in found.values()}
    held = names_of_objects(
        lambda each: hasattr(type(each), "attach_grad") and getattr(each, "shape", 0) == shape
    )
    names = [name for name, array in held if id(array) not in given]
    return names[0] if len(names) == 1 else f"mx.nd.zeros({shape})"


def in_a_dictionary(values: Mapping[str, Any], known: Sequence[str]) -> SymbolTypeError | None:
    """Return the error for arrays that come in one dictionary, by no known name; None if none do.

    Examples
    --------
    >>> from gluonish.symbol.missing_arrays import in_a_dictionary
    >>> print(in_a_dictionary({"feed_dict": {"a": 1}}, ["a"]))
    eval: a dictionary of a was given for feed_dict. Expected arrays by their names, ['a']. \
Write eval(a=...).
    """
    for name, value in values.items():
        if name not in known and isinstance(value, dict):
            own = as_keywords(name) or ", ".join(f"{one}=..." for one in known)
            return SymbolTypeError(
                f"eval: a dictionary of {some([*map(str, value)], ' and ')} was given for {name}. "
                f"Expected arrays by their names, {all_of(known)}. Write eval({own})."
            )
    return None
