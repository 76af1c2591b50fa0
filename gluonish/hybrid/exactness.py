"""Computes a captured graph in double precision, to tell what rounding makes of its results.

It takes about as much memory as the graph itself: what a call leaves for others is kept in single
precision, and large arguments are computed with part by part.
"""

from __future__ import annotations

import itertools
import operator
from typing import TYPE_CHECKING, Any

import torch
from torch import Tensor, fx
from typing_extensions import override

from gluonish.array.writes import versions
from gluonish.hybrid.piecewise import PIECE, cuts, gives_views, piecewise

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from gluonish.hybrid.steps import StepUpdate

_COARSE = frozenset({torch.float32, torch.float16, torch.bfloat16})
_TO_COARSE = frozenset({"float", "half", "bfloat16"})


class _WroteToCopyError(Exception):
    """A call wrote to the copy of what another one had left."""


class _InDouble(fx.Interpreter):
    """Runs a graph's calls with double in the place of each coarser floating-point dtype.

    Parameters
    ----------
    module : fx.GraphModule
        The graph.
    given : sequence of Tensor
        What it runs on, in double precision: calls may write to it, and return views of it.
    is_compact : bool, default True
        Whether to keep results in single precision for the calls that take them.
    """

    def __init__(
        self, module: fx.GraphModule, given: Sequence[Tensor], *, is_compact: bool = True
    ) -> None:
        super().__init__(module)
        self._given = set(map(_memory, given))
        self._returned = _returned(module.graph) if is_compact else set(module.graph.nodes)
        self._may_narrow = False  # as to the call that comes next

    @override
    def run_node(self, n: fx.Node) -> Any:
        self._may_narrow = n not in self._returned
        return super().run_node(n)

    def _keep(self, value: Any) -> Any:
        """Return what to keep of a result for the calls that take it."""
        if not isinstance(value, Tensor) or value.numel() <= PIECE:
            return value  # of several results, parts are taken next
        return value if _memory(value) in self._given else self._keep_part(value)

    def _keep_part(self, value: Tensor) -> Tensor:
        is_wide = value.dtype == torch.float64
        return value.float() if is_wide and self._may_narrow else value

    @override
    def fetch_attr(self, target: str) -> Any:
        return in_double(super().fetch_attr(target))

    @override
    def call_function(self, target: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        return self._called(super().call_function, target, args, kwargs)

    @override
    def call_method(self, target: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        name = "double" if target in _TO_COARSE else target
        return self._called(super().call_method, name, args, kwargs)

    def _called(
        self, call: Callable[..., Any], target: Any, args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> Any:
        if gives_views(target) and not any(map(_is_dtype, (*args, *kwargs.values()))):
            return call(target, args, kwargs)
        cut = None if kwargs else cuts(target, args)
        if cut is None:
            return self._keep(self._in_double(call, target, args, kwargs))
        axes, joins = cut
        whole = [
            in_double(arg) if axis is None else arg
            for arg, axis in itertools.zip_longest(args, axes[: len(args)])
        ]

        def once(part: Sequence[Any]) -> Any:
            return self._in_double(call, target, part, kwargs)

        return self._keep(piecewise(once, whole, axes, joins, self._keep_part))

    def _in_double(
        self, call: Callable[..., Any], target: Any, args: Sequence[Any], kwargs: dict[str, Any]
    ) -> Any:
        """Return what a call gives for its arguments in double precision."""
        copies: list[Tensor] = []

        def widened(value: Any) -> Any:
            if isinstance(value, torch.dtype):
                return _wide(value)
            wide = in_double(value)
            if wide is not value:
                copies.append(wide)
            return wide

        args, kwargs = fx.node.map_aggregate((tuple(args), kwargs), widened)
        before = versions(copies)
        found = call(target, args, kwargs)
        if versions(copies) != before:
            raise _WroteToCopyError
        return found


def _memory(tensor: Tensor) -> int:
    """Return where a tensor's memory begins."""
    return tensor.untyped_storage().data_ptr()


def _returned(graph: fx.Graph) -> set[fx.Node]:
    """Return the nodes whose values a graph returns, or parts or views of them."""
    found: set[fx.Node] = set()
    waiting = [one for node in graph.nodes if node.op == "output" for one in node.all_input_nodes]
    while waiting:
        node = waiting.pop()
        if node in found:
            continue
        found.add(node)
        if node.target is operator.getitem or gives_views(node.target):
            waiting.extend(node.all_input_nodes)
    return found


def _is_dtype(value: Any) -> bool:
    return isinstance(value, torch.dtype)


def exactly(
    module: fx.GraphModule, update: StepUpdate | None, tensors: Sequence[Tensor], inputs: int
) -> tuple[Sequence[Tensor], list[Tensor]] | None:
    """Return the results of a graph, and tensors as it leaves them; None if it can't be said.

    Parameters
    ----------
    module : fx.GraphModule
        The graph, with its draws as its last inputs.
    update : StepUpdate or None
        What makes a training step of it.
    tensors : sequence of Tensor
        What it runs on; they are not written to.
    inputs : int
        How many of them the graph takes; the others are the step's.
    """
    for is_compact in (True, False):
        try:
            with torch.no_grad():
                return _run(module, update, tensors, inputs, is_compact=is_compact)
        except _WroteToCopyError:
            continue
        except (RuntimeError, TypeError, ValueError):  # a kernel that takes no other dtype
            break
    return None


def _run(
    module: fx.GraphModule,
    update: StepUpdate | None,
    tensors: Sequence[Tensor],
    inputs: int,
    *,
    is_compact: bool,
) -> tuple[Sequence[Tensor], list[Tensor]]:
    copies = [tensor.detach().to(_wide(tensor.dtype), copy=True) for tensor in tensors]
    run: Any = _InDouble(module, copies, is_compact=is_compact).run
    if update is not None:
        run = update.function(run, inputs)
    return run(*copies), copies


def in_double(value: Any) -> Any:
    """Return a tensor in double precision; anything else, and other dtypes, as they are."""
    return value.double() if isinstance(value, Tensor) and value.dtype in _COARSE else value


def _wide(dtype: torch.dtype) -> torch.dtype:
    """Return double precision for coarser floating-point dtypes; others as they are."""
    return torch.float64 if dtype in _COARSE else dtype
