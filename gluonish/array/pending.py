"""Arrays whose shape is not known yet: how a parameter's shape is found from the data's."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Final

import torch
from typing_extensions import override

from gluonish.array.core import NDArray
from gluonish.array.dtypes import DTypeLike, torch_dtype
from gluonish.errors import AxisError, OperandError, ShapeError, UnknownShapeError
from gluonish.errors.arguments import no_array
from gluonish.errors.habits.keywords import POSITIONS

if TYPE_CHECKING:
    import inspect
    from collections.abc import Callable, Mapping
    from typing import Protocol

    from torch import Tensor

    from gluonish.context import Context

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


_LARGE: Final = 2**16  # elements


class PendingArray(NDArray):
    """Stand-in for an array with unknown dimensions, while shapes are being inferred."""

    __slots__ = ("_settled", "owner")

    def __init__(self, owner: HasShape, ctx: Context) -> None:
        self._ctx = ctx
        self._settled: Tensor | None = None
        self.owner = owner

    @property  # type: ignore[explicit-override]  # mypy sees no @override on two-way ones
    @override
    def _tensor(self) -> Tensor:
        if self._settled is not None:
            return self._settled
        msg = (
            f"Parameter '{self.owner.name}' of shape {self.owner.shape}: its lengths, or its "
            f"values, were asked for while the missing lengths are found from the data. Expected "
            f"an operator that fixes them, such as FullyConnected. Give the parameter its full "
            f"shape when it is created."
        )
        raise UnknownShapeError(msg)

    @_tensor.setter
    def _tensor(self, tensor: Tensor) -> None:
        self._settled = tensor

    @property
    def is_settled(self) -> bool:
        """Whether the shape is known."""
        return self._settled is not None

    def known_shape(self) -> tuple[int | None, ...] | None:
        """Return the length of each axis, None where it is unknown."""
        return self.owner.shape if self._settled is None else tuple(self._settled.shape)

    def settle(self, shape: tuple[int, ...]) -> None:
        """Learn the shape: from now on the array has a tensor."""
        self.owner.shape = shape
        self._settled = zeros_to_read(shape, torch_dtype(self.owner.dtype), self._ctx.device)


def zeros_to_read(shape: tuple[int, ...], dtype: torch.dtype, device: torch.device) -> Tensor:
    """Return zeros that stand for a parameter: large ones are all the same element of memory.

    What a net writes to itself, such as running averages, is small.

    Examples
    --------
    >>> import torch
    >>> from gluonish.array.pending import zeros_to_read
    >>> zeros_to_read((1000, 1000), torch.float32, torch.device('cpu')).stride()
    (0, 0)
    """
    if math.prod(shape) < _LARGE:
        return torch.zeros(shape, dtype=dtype, device=device)
    return torch.zeros((), dtype=dtype, device=device).expand(shape)


def settle_inputs(
    op: Inferable, args: tuple[Any, ...], kwargs: dict[str, Any], error: UnknownShapeError
) -> None:
    """Settle the pending inputs of an operator by its shape rule.

    Raises
    ------
    ShapeError
        The operator has no rule, or its rule leaves dimensions open.
    UnknownShapeError
        What has no shape is none of the inputs that the operator names.
    """
    bound = op.signature.bind(*args, **{k: v for k, v in kwargs.items() if k != "name"})
    bound.apply_defaults()
    inputs = {name: bound.arguments[name] for name in op.inputs if name in bound.arguments}
    known = {name: _shape(value) for name, value in inputs.items()}
    waiting = {
        name: value
        for name, value in inputs.items()
        if isinstance(value, PendingArray) and not value.is_settled
    }
    if not waiting:
        raise error
    rest = {name: value for name, value in bound.arguments.items() if name not in inputs}
    found = dict(op.shapes(known, **rest)) if op.shapes is not None else {}
    missing = sorted(
        value.owner.name
        for name, value in waiting.items()
        if name not in found or None in found[name]
    )
    data, axis = next(iter(known.values()), None), rest.get("axis")
    if missing and data and isinstance(axis, int) and not -len(data) <= axis < len(data):
        msg = (
            f"{op.name}: axis={axis} was given for data of shape {data}. Expected one of its axes: "
            f"{-len(data)} to {len(data) - 1}. "
            f"{POSITIONS.get(op.name, 'Leave axis out, or check the shape of the data')}."
        )
        raise AxisError(msg)
    strange = next((name for name in inputs if known[name] is None), None)
    if missing and strange is not None and isinstance(inputs[strange], (list, tuple, dict)):
        how = "Write mx.nd.array(...) or mx.np.array(...)."
        raise OperandError(no_array(op.name, strange, inputs[strange], how))
    shapes = [shape for name, shape in known.items() if name not in waiting and shape is not None]
    if missing and op.shapes is not None and all(len(s) < 2 and None not in s for s in shapes):
        msg = (
            f"{op.name}: data of shape {data} were given, from which the shape of "
            f"{', '.join(map(repr, missing))} can't be inferred. Expected a batch, with more axes. "
            f"One example becomes a batch by x.expand_dims(0)."
        )
        raise ShapeError(msg)
    if missing:
        msg = (
            f"{op.name}: the shape of parameter {', '.join(map(repr, missing))} can't be inferred "
            f"from the inputs' shapes {known}. Expected an operator that fixes it, such as "
            f"FullyConnected. Give the parameter its full shape when it is created."
        )
        raise ShapeError(msg)
    for name, value in waiting.items():
        value.settle(tuple(size for size in found[name] if size is not None))


def _shape(value: Any) -> tuple[int | None, ...] | None:
    if isinstance(value, PendingArray):
        return value.known_shape()
    if isinstance(value, (NDArray, torch.Tensor)):
        return tuple(value.shape)
    return None
