"""What a node of an ONNX graph is given: Symbols, numbers that are known, and shapes."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as onp

from gluonish import symbol
from gluonish.errors import ConversionError

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import NoReturn, TypeAlias

    from gluonish.symbol import Symbol

    # A Symbol; numbers; or numbers some of which are lengths that only data tell.
    Value: TypeAlias = "Symbol | onp.ndarray"
    Result: TypeAlias = "Value | list[Value]"


# What ONNX counts dtypes by.
DTYPES = {
    1: "float32", 2: "uint8", 3: "int8", 6: "int32", 7: "int64", 9: "bool", 10: "float16",
    11: "float64",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Length:
    """The length of an axis, which only data tell."""

    source: Symbol
    axis: int


@dataclass(slots=True)
class Graph:
    """The values of a graph by name, as far as it is read.

    Attributes
    ----------
    values : dict of str to Symbol or array
        What nodes have computed, inputs and initializers.
    shapes : dict of str to list of int or None
        The shapes that are known; lengths of None are not.
    used : set of str
        The names of values that others need.
    asked : set of str
        The names of values whose operators have been asked for their shape.
    given : dict of str to tuple of int
        Those of the inputs.
    types : dict of str to int
        ONNX's numbers of the dtypes that are known.
    opset : int
        The version of ONNX's operators.
    params : dict of str to array
        Arrays that became variables.
    auxiliary : set of str
        Those of them that are no arguments.
    read : callable
        Returns the outputs of a graph that a node holds, when it is given that and a Graph.
    """

    values: dict[str, Any] = field(default_factory=dict)
    shapes: dict[str, list[int | None]] = field(default_factory=dict)
    types: dict[str, int] = field(default_factory=dict)
    opset: int = 0
    used: set[str] = field(default_factory=set)
    asked: set[str] = field(default_factory=set)
    given: dict[str, tuple[int, ...]] = field(default_factory=dict)
    params: dict[str, onp.ndarray] = field(default_factory=dict)
    auxiliary: set[str] = field(default_factory=set)
    read: Callable[[Any, Graph], list[Value]] | None = None
    _variables: dict[str, Symbol] = field(default_factory=dict)
    _sources: dict[str, onp.ndarray] = field(default_factory=dict)

    def variable(self, name: str, value: onp.ndarray) -> Symbol:
        """Return the variable for an array, the same one for a name and its value."""
        # A step of a loop has other numbers under the names of the step before.
        first, number = name, 0
        while name in self._sources and not _is_same(self._sources[name], value):
            number += 1
            name = f"{first}_{number}"
        if name not in self._variables:
            self._sources[name] = value
            if value.dtype == object:
                msg = (
                    f"ONNX value {name!r} is a shape that only data tell, and is computed with. "
                    f"Expected known shapes. Export the model for one size of batches."
                )
                raise ConversionError(msg)
            kept = value.astype("int32") if value.dtype == bool else value
            self.params[name] = kept.reshape(kept.shape or (1,))
            self._variables[name] = symbol.var(name, shape=self.params[name].shape)
        return self._variables[name]


def _is_same(one: onp.ndarray, other: onp.ndarray) -> bool:
    if one is other:
        return True
    return one.shape == other.shape and one.dtype == other.dtype and bool((one == other).all())


class Node:
    """One node of an ONNX graph.

    Parameters
    ----------
    op : str
        Its operator.
    name : str
        What its Symbol is called.
    inputs, outputs : list of str
        Names of values; '' for one that is left out.
    attrs : dict
        Its attributes.
    graph : Graph
        Where the values are.
    """

    def __init__(
        self,
        op: str,
        name: str,
        inputs: list[str],
        outputs: list[str],
        attrs: dict[str, Any],
        graph: Graph,
    ) -> None:
        self.op, self.name = op, name
        self.inputs, self.outputs, self.attrs = inputs, outputs, attrs
        self.graph = graph

    @property
    def version(self) -> int:
        """The version of ONNX's operators."""
        return self.graph.opset

    def has(self, place: int) -> bool:
        """Whether an input is given."""
        return place < len(self.inputs) and bool(self.inputs[place])

    def __getitem__(self, place: int) -> Symbol:
        """Return an input as a Symbol."""
        value = self.graph.values[self.inputs[place]]
        if isinstance(value, onp.ndarray):
            return self.graph.variable(self.inputs[place], value)
        found: Symbol = value
        return found

    def value(self, place: int) -> Value:
        """Return an input as it is: a Symbol, or numbers that are known."""
        found: Value = self.graph.values[self.inputs[place]]
        return found

    def inside(self, attr: str, given: dict[str, Any]) -> list[Value]:
        """Return the outputs of a graph that is one of its attributes, for values of its inputs.

        Names that the graph does not have are those of the graph around it.
        """
        outer = self.graph
        known = {key: shape for key, shape in outer.shapes.items() if key not in given}
        inner = replace(
            outer, values={**outer.values, **given}, shapes=known, used=set(), asked=set()
        )
        assert outer.read is not None  # noqa: S101 - for the type checker
        return outer.read(self.attrs[attr], inner)

    def all(self) -> list[Symbol]:
        """Return all inputs as Symbols."""
        return [self[place] for place in range(len(self.inputs))]

    def number(self, place: int) -> float | None:
        """Return an input that is one known number, or None."""
        value = self.graph.values[self.inputs[place]]
        if isinstance(value, onp.ndarray) and value.size == 1 and value.ndim <= 1:
            found = value.item()
            return None if isinstance(found, Length) else found
        return None

    def known(self, place: int, attr: str = "", default: Any = None) -> Any:
        """Return an input, or an attribute that it was in an older version, as Python's numbers."""
        if attr in self.attrs:
            return self.attrs[attr]
        if not self.has(place):
            return default
        value = self.graph.values[self.inputs[place]]
        if not isinstance(value, onp.ndarray):
            self.refuse(f"its input {self.inputs[place]!r} is computed", "a constant")
        return value.tolist()

    def array(self, place: int) -> onp.ndarray:
        """Return an input that is known as an array."""
        value = self.graph.values[self.inputs[place]]
        if not isinstance(value, onp.ndarray):
            self.refuse(f"its input {self.inputs[place]!r} is computed", "a constant")
        return value

    def shape(self, place: int) -> list[int | None]:
        """Return an input's shape, lengths of None being unknown."""
        name = self.inputs[place]
        value = self.graph.values[name]
        if isinstance(value, onp.ndarray):
            return list(value.shape)
        shapes, given = self.graph.shapes, self.graph.given
        is_open = name not in shapes or (
            None in shapes[name] and all(0 not in shape for shape in given.values())
        )
        if given and is_open and name not in self.graph.asked:
            # What the file does not tell follows from the operators.
            self.graph.asked.add(name)
            found = value.infer_shape_partial(**given)[1][0]
            if found:
                shapes[name] = [length or None for length in found]
        if name not in shapes:
            self.refuse(f"the number of axes of {name!r} is not known", "a known one")
        return shapes[name]

    def dtype(self, place: int) -> str | None:
        """Return an input's dtype, if it is known."""
        value = self.graph.values[self.inputs[place]]
        if isinstance(value, onp.ndarray):
            return str(value.dtype)
        return DTYPES.get(self.graph.types.get(self.inputs[place], 0))

    def rank(self, place: int = 0) -> int:
        """Return how many axes an input has."""
        return len(self.shape(place))

    def axis(self, default: int, attr: str = "axis") -> int:
        """Return an axis counted from the front."""
        axis = int(self.attrs.get(attr, default))
        return axis + self.rank() if axis < 0 else axis

    def constant(self, suffix: str, value: onp.ndarray) -> Symbol:
        """Return a parameter that the node needs beside those of the graph."""
        return self.graph.variable(f"{self.name}_{suffix}", value)

    def refuse(self, what: str, expected: str) -> NoReturn:
        """Raise an error about the node."""
        msg = (
            f"ONNX node {self.name!r} ({self.op}, opset {self.version}): {what}. Expected "
            f"{expected}. Export the model with other options, or simplify it first."
        )
        raise ConversionError(msg)

    def only(self, attr: str, *allowed: Any) -> None:
        """Check that an attribute has one of the values that there is a way for."""
        value = self.attrs.get(attr, allowed[0])
        if value not in allowed:
            self.refuse(f"{attr}={value!r}", f"one of {', '.join(map(repr, allowed))}")


OPERATORS: dict[str, Callable[[Node], Any]] = {}


def handles(*names: str) -> Callable[[Callable[[Node], Any]], Callable[[Node], Any]]:
    """Have a function compute what nodes of ONNX's operators give."""

    def register(function: Callable[[Node], Any]) -> Callable[[Node], Any]:
        OPERATORS.update(dict.fromkeys(names, function))
        return function

    return register
