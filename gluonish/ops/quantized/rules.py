"""What the cards of quantized operators share: ranges are one number each, results three parts."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar

import torch

from gluonish.ops.table import Graph

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import TypeAlias

    from gluonish.ops.table import Shape

    DTypes: TypeAlias = "Sequence[torch.dtype | None]"
    Result: TypeAlias = "Callable[[Mapping[str, Any], DTypes], torch.dtype | None]"

Given = ParamSpec("Given")
Found = TypeVar("Found")

RANGED: dict[str, Any] = {"outputs": 3, "output_names": ("output", "min_output", "max_output")}
_KNOWN = {"weight": torch.int8, "bias": torch.int8}
_DATA = ("data", "lhs", "rhs")


def constant(function: Callable[Given, Found]) -> Callable[Given, Found]:
    """Let no gradient through an operator: MXNet's have none, of ranges neither."""

    @functools.wraps(function)
    def detached(*args: Given.args, **kwargs: Given.kwargs) -> Found:
        found: Any = function(*args, **kwargs)
        if isinstance(found, torch.Tensor):
            return found.detach()  # type: ignore[return-value]
        return type(found)(each.detach() for each in found)  # type: ignore[no-any-return]

    return detached


def of_the_same(start: str) -> Callable[[str, str], str]:
    """Return the rule for an operator that is called like one on floating-point numbers.

    Parameters
    ----------
    start : str
        What stands before that one's name.
    """
    return lambda name, _: f"{name.removeprefix(start)}_output"


def integers(
    result: torch.dtype | Result, count: int = 3, data: torch.dtype | None = None, **facts: Any
) -> Graph:
    """Return what graphs know of an operator on integers.

    Parameters
    ----------
    result : dtype or callable
        Dtype of the first result; a rule for the arguments and the dtypes of the arrays.
    count : int, default 3
        How many results there are.
    data : dtype, optional
        Dtype of the data, where there is one alone.
    **facts
        What else there is to know.
    """

    def rule(
        names: Sequence[str], given: Mapping[str, Any], dtypes: DTypes
    ) -> tuple[list[torch.dtype | None], list[torch.dtype | None]]:
        known = [data if name in _DATA else _KNOWN.get(name, torch.float32) for name in names]
        arrays = [dtype for name, dtype in zip(names, dtypes, strict=True) if name in _DATA]
        first = result(given, arrays) if callable(result) else result
        size = 1 if given.get("enable_float_output") else count
        return known, [first, *[torch.float32] * (size - 1)]

    return Graph(dtypes=rule, **facts)


def same(_: Mapping[str, Any], dtypes: DTypes) -> torch.dtype | None:
    """Rule: the result has the dtype of the data."""
    return dtypes[0]


def of_pair(given: Mapping[str, Any], dtypes: DTypes) -> torch.dtype | None:
    """Rule: sums and products have 32 bits, or 8 where they are calibrated."""
    if given.get("enable_float_output"):
        return torch.float32
    if given["min_calib_range"] is None:
        return torch.int32
    return joined(given, dtypes)


def joined(_: Mapping[str, Any], dtypes: DTypes) -> torch.dtype | None:
    """Rule: int8 where one array has that."""
    if torch.int8 in dtypes:
        return torch.int8
    return None if None in dtypes else torch.uint8


def ranges(*names: str) -> Callable[..., dict[str, Shape]]:
    """Return a rule for unknown shapes: some inputs are one number each.

    Examples
    --------
    >>> from gluonish.ops.quantized.rules import ranges
    >>> ranges('low', 'high')({'data': (3, 4), 'low': None, 'high': None})
    {'low': (1,), 'high': (1,)}
    """

    def rule(shapes: Mapping[str, Shape | None], **_: object) -> dict[str, Shape]:
        return {name: (1,) for name in names if name in shapes}

    return rule


def with_ranges(*names: str) -> Callable[[Mapping[str, Any]], tuple[str, ...]]:
    """Return a rule for the inputs of a product: arrays, then the ends of each one's range.

    There is no bias, the last one, where `no_bias` says so.

    Examples
    --------
    >>> from gluonish.ops.quantized.rules import with_ranges
    >>> with_ranges('data', 'bias')({'no_bias': True})
    ('data', 'min_data', 'max_data')
    """

    def rule(given: Mapping[str, Any]) -> tuple[str, ...]:
        present = names[:-1] if given["no_bias"] else names
        return (*present, *(f"{end}_{name}" for name in present for end in ("min", "max")))

    return rule
