"""CachedOp: a graph as a function of arrays, as MXNet's C library has it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from gluonish.array import NDArray, ndarray, wrap
from gluonish.array.tensors import held, unwrap
from gluonish.block.calls import without_hints
from gluonish.errors import OperandError, SymbolTypeError, UnknownArgumentError
from gluonish.ndarray.sparse_rules import write
from gluonish.symbol import Symbol, shape_inference
from gluonish.symbol.np_symbol import NumpySymbol
from gluonish.symbol.plan import GraphPlan

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from torch import Tensor

    from gluonish.context import Context
    from gluonish.symbol.graph import Node


__all__ = ["CachedOp"]


class CachedOp:
    """A graph as a function of arrays, whose gradients are recorded as those of an operator.

    Parameters
    ----------
    sym : Symbol
        The graph.
    flags : list of (str, object)
        MXNet's hints to its engine, `static_alloc` and the like, which are checked.

    Raises
    ------
    SymbolTypeError
        `sym` is no Symbol.
    UnknownArgumentError, InvalidArgumentError
        There is no such flag, or it has another type.

    Notes
    -----
    It is called with an array for each of `sym.list_inputs()`, and returns an array or, where the
    graph has several outputs, a list; `out` takes arrays to write them to. A HybridBlock that is
    hybridized does the same faster.

    Examples
    --------
    >>> import gluonish as mx
    >>> x, y = mx.sym.var('x'), mx.sym.var('y')
    >>> multiply = mx.nd.CachedOp(x * y + 1, [('static_alloc', True)])
    >>> print(multiply(mx.nd.array([1, 2]), mx.nd.array([3, 4])).asnumpy())
    [4. 9.]
    """

    def __init__(self, sym: Any, flags: Sequence[tuple[str, Any]] = ()) -> None:
        if not isinstance(sym, Symbol):
            msg = (
                f"CachedOp: an object of type {type(sym).__name__} was given. Expected a Symbol. "
                f"Hybridize Blocks instead."
            )
            raise SymbolTypeError(msg)
        unknown = without_hints("CachedOp", dict(flags))
        if unknown:
            msg = (
                f"CachedOp: Cannot find argument {', '.join(map(repr, unknown))}. Expected flags "
                f"such as static_alloc and static_shape. Leave the others out."
            )
            raise UnknownArgumentError(msg)
        self._symbol: Symbol = sym
        self._plan = GraphPlan(sym.entries)
        self._plans: dict[Any, GraphPlan] = {}
        self._hook: Callable[..., Any] | None = None
        self._hook_sees_inputs = False

    @property
    def is_np_sym(self) -> bool:
        """Whether its results are those of `mx.np`."""
        return isinstance(self._symbol, NumpySymbol)

    def __call__(self, *args: NDArray, out: Any = None, **kwargs: Any) -> Any:
        """Compute the outputs for some arrays."""
        if kwargs:
            msg = (
                f"CachedOp.__call__ got unexpected keyword argument(s): {', '.join(kwargs)}. "
                f"Expected arrays in the order of list_inputs(), and out. Leave the keywords away."
            )
            raise UnknownArgumentError(msg)
        names = self._symbol.list_inputs()
        if len(args) != len(names) or not all(isinstance(array, NDArray) for array in args):
            shown = [type(array).__name__ for array in args]
            msg = (
                f"CachedOp: {shown} was given. Expected {len(names)} arrays, for the inputs "
                f"{names}. Pass one for each, in that order."
            )
            raise OperandError(msg)
        given = dict(zip(names, args, strict=True))
        plan = self._planned(given)
        ctx = args[0].context
        watcher = None if self._hook is None else _Watcher(self._hook, ctx, self._hook_sees_inputs)
        outputs = plan.run([unwrap(given[name]) for name in plan.variables], ctx, watcher)
        cls = ndarray if self.is_np_sym else NDArray
        found = [wrap(output, ctx, cls) for output in outputs]
        result = found[0] if len(found) == 1 else found
        return result if out is None else write(result, out, "CachedOp")

    def _planned(self, given: dict[str, NDArray]) -> GraphPlan:
        """Return the order of evaluation; zeros of open shape need one for each set of shapes."""
        if not self._plan.is_open:
            return self._plan
        shapes = {name: tuple(held(array).shape) for name, array in given.items()}
        key = tuple(shapes.values())
        if key not in self._plans:
            entries = self._symbol.entries
            self._plans[key] = GraphPlan(entries, shape_inference.infer(entries, shapes))
        return self._plans[key]

    def _register_op_hook(
        self, callback: Callable[[bytes, bytes, NDArray], Any], monitor_all: bool = False
    ) -> None:
        """Have a function called with each operator's result: a name, its operator, the array."""
        self._hook, self._hook_sees_inputs = callback, monitor_all


class _Watcher:
    """Tells a function of what operators return, and perhaps of what they get."""

    def __init__(self, hook: Callable[..., Any], ctx: Context, sees_inputs: bool) -> None:
        self._hook = hook
        self._device = ctx
        self._sees_inputs = sees_inputs

    def before(self, node: Node, inputs: list[Tensor]) -> list[Tensor]:
        """Tell of the inputs of an operator."""
        if self._sees_inputs:
            for name, tensor in zip(node.watched_names, inputs, strict=True):
                self._tell(f"{node.name}_{name}", node, tensor)
        return inputs

    def after(self, node: Node, outputs: Sequence[Tensor]) -> None:
        """Tell of the results of an operator."""
        for name, tensor in zip(node.output_names, outputs, strict=False):
            self._tell(name, node, tensor)

    def _tell(self, name: str, node: Node, tensor: Tensor) -> None:
        array = wrap(tensor.detach(), self._device, NDArray)
        self._hook(name.encode(), node.file_name.encode(), array)
