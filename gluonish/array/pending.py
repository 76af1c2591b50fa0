"""Arrays whose shape is not known yet: how a parameter's shape is found from the data's."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import torch
from torch import Tensor

from gluonish.array.core import NDArray
from gluonish.array.dtypes import DTypeLike, torch_dtype
from gluonish.errors import OperandError, ShapeError, SparseStorageError

if TYPE_CHECKING:
    import inspect
    from collections.abc import Callable, Mapping
    from typing import Protocol

    class HasShape(Protocol):
        """What a pending array stands for: a named thing with a partly known shape."""

        name: str
        dtype: DTypeLike

        @property
        def shape(self) -> tuple[int | None, ...] | None:
            """Length of each axis, None where it is unknown."""

        @shape.setter
        def shape(self, value: tuple[int | None, ...]) -> None: ...

    class Inferable(Protocol):
        """The part of an operator that inference needs."""

        @property
        def function(self) -> Callable[..., Any]:
            """What computes it."""

        @property
        def name(self) -> str:
            """How errors name the operator."""

        @property
        def inputs(self) -> tuple[str, ...]:
            """Names of its array inputs."""

        @property
        def signature(self) -> inspect.Signature:
            """Its arguments."""

        @property
        def shapes(self) -> Callable[..., Mapping[str, tuple[int | None, ...]]] | None:
            """The rule that finds unknown shapes."""


# What calls operators with sparse arrays; the front end adds it.
dispatchers: list[Callable[[Any, Callable[..., Any], tuple[Any, ...], dict[str, Any]], Any]] = []


class PendingArray(NDArray):
    """Stand-in for an array with unknown dimensions, while shapes are being inferred."""

    __slots__ = ("owner",)
    owner: HasShape

    def settle(self, shape: tuple[int, ...]) -> None:
        """Learn the shape: from now on the array has a tensor."""
        self.owner.shape = shape
        dtype = torch_dtype(self.owner.dtype)
        self._tensor = torch.zeros(shape, dtype=dtype, device=self._ctx.device)


def resolve(
    op: Inferable, call: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]
) -> Any:
    """Settle the pending inputs of an operator by its shape rule, then call it again.

    Called where reading an input failed; if none is pending or sparse, the failure was something
    else.

    Raises
    ------
    ShapeError
        The operator has no rule, or its rule leaves dimensions open.
    """
    if isinstance(sys.exception(), SparseStorageError) and dispatchers:
        return dispatchers[0](op, call, args, kwargs)
    bound = op.signature.bind(*args, **{k: v for k, v in kwargs.items() if k != "name"})
    bound.apply_defaults()
    inputs = {name: bound.arguments[name] for name in op.inputs if name in bound.arguments}
    pending = {
        name: value
        for name, value in inputs.items()
        if isinstance(value, PendingArray) and not isinstance(_tensor(value), Tensor)
    }
    if not pending:
        _refuse_what_is_no_array(op, inputs, sys.exception())
        raise  # the AttributeError that the caller is handling
    known = {name: _shape(value) for name, value in inputs.items()}
    rest = {name: value for name, value in bound.arguments.items() if name not in inputs}
    found = dict(op.shapes(known, **rest)) if op.shapes is not None else {}
    missing = sorted(
        value.owner.name
        for name, value in pending.items()
        if name not in found or None in found[name]
    )
    if missing:
        msg = (
            f"{op.name}: the shape of parameter {', '.join(map(repr, missing))} can't be inferred "
            f"from the inputs' shapes {known}. Expected an operator that fixes it, such as "
            f"FullyConnected. Give the parameter its full shape when it is created."
        )
        raise ShapeError(msg)
    for name, value in pending.items():
        value.settle(tuple(size for size in found[name] if size is not None))
    return call(*args, **kwargs)


def _refuse_what_is_no_array(
    op: Inferable, inputs: Mapping[str, Any], error: BaseException | None
) -> None:
    """Raise the error for an input that the operator took for an array, and that is none."""
    culprit = getattr(error, "obj", None)
    for name, value in inputs.items():
        if value is culprit and not isinstance(value, (NDArray, Tensor)):
            msg = (
                f"{op.name}: {name}={value!r} was given. Expected an array. Write "
                f"mx.nd.array(...) or mx.np.array(...)."
            )
            raise OperandError(msg) from error


def _tensor(array: NDArray) -> Tensor | None:
    return getattr(array, "_tensor", None)


def _shape(value: Any) -> tuple[int | None, ...] | None:
    if isinstance(value, PendingArray) and _tensor(value) is None:
        return value.owner.shape
    if isinstance(value, (NDArray, Tensor)):
        return tuple(value.shape)
    return None
