"""THE op table: every operator once, with the names that each front end gives it."""

from __future__ import annotations

import inspect
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import TypeAlias

Shape: TypeAlias = "tuple[int | None, ...]"
ShapeRule: TypeAlias = "Callable[..., Mapping[str, Shape]]"
Function = TypeVar("Function", bound="Callable[..., Any]")


@dataclass(frozen=True, slots=True)
class Op:
    """One operator.

    Parameters
    ----------
    function : callable
        The operator on torch tensors. Parameters annotated with `Tensor` are its array inputs.
    nd, np, npx : tuple of str
        Its names in each front end; dots lead into sub-namespaces (`random.uniform`).
    nd_method, np_method : tuple of str
        Names of the methods of `NDArray` and `np.ndarray` that call it, operators included.
    outputs : int
        How many arrays it returns; 0 where that depends on its arguments.
    shapes : callable, optional
        Rule that finds shapes of inputs that are not known yet: it receives the shapes of the
        known inputs and the other arguments, all by name, and returns the missing shapes.
    """

    function: Callable[..., Any]
    nd: tuple[str, ...] = ()
    np: tuple[str, ...] = ()
    npx: tuple[str, ...] = ()
    nd_method: tuple[str, ...] = ()
    np_method: tuple[str, ...] = ()
    outputs: int = 1
    shapes: ShapeRule | None = None
    signature: inspect.Signature = field(init=False)
    inputs: tuple[str, ...] = field(init=False)
    takes_ctx: bool = field(init=False)

    def __post_init__(self) -> None:
        signature = inspect.signature(self.function)
        object.__setattr__(self, "signature", signature)
        inputs = tuple(
            name
            for name, parameter in signature.parameters.items()
            if "Tensor" in str(parameter.annotation)
        )
        object.__setattr__(self, "inputs", inputs)
        object.__setattr__(self, "takes_ctx", "ctx" in signature.parameters)

    @property
    def name(self) -> str:
        """The operator's first public name."""
        return (self.nd or self.npx or self.np)[0]


_table: list[Op] = []


def op(
    *,
    nd: str | Sequence[str] = (),
    np: str | Sequence[str] = (),
    npx: str | Sequence[str] = (),
    nd_method: str | Sequence[str] = (),
    np_method: str | Sequence[str] = (),
    method: str | Sequence[str] = (),
    outputs: int = 1,
    shapes: ShapeRule | None = None,
) -> Callable[[Function], Function]:
    """Register a function on tensors as an operator; the function itself stays as it was.

    `method` stands for the same name in `nd_method` and `np_method`; see `Op` for the rest.
    """
    both = _names(method)

    def register(function: Function) -> Function:
        _table.append(
            Op(
                function,
                _names(nd),
                _names(np),
                _names(npx),
                both + _names(nd_method),
                both + _names(np_method),
                outputs,
                shapes,
            )
        )
        return function

    return register


def ops() -> tuple[Op, ...]:
    """Return all registered operators, in the order of registration."""
    return tuple(_table)


def _names(names: str | Sequence[str]) -> tuple[str, ...]:
    return (names,) if isinstance(names, str) else tuple(names)
