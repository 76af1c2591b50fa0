"""Tape: writes every kernel that torch calls, those of gradients too, into a torch.fx graph."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING, Any

import torch
from torch import Tensor, fx
from torch.overrides import TorchFunctionMode
from typing_extensions import override

from gluonish.hybrid.graph_writer import GraphWriter, address
from gluonish.hybrid.recorder import READS
from gluonish.hybrid.replaying import shape_of
from gluonish.process.replay_marks import is_opaque
from gluonish.process.torch_names import TorchDispatchMode

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

_aten = torch.ops.aten
# Kernels whose result, or its size, depends on values that Python then sees.
_REFUSED = frozenset(
    {
        "_local_scalar_dense", "item", "nonzero", "masked_select", "_unique2", "unique_dim",
        "unique_consecutive", "equal", "is_nonzero", "bincount", "nonzero_numpy",
    }
)  # fmt: skip

# What runs a kernel sooner than its overload does: a function of torch with the same arguments.
_SOONER: dict[Any, Callable[..., Any]] = {
    getattr(getattr(_aten, name), overload): getattr(torch, name)
    for name, overload in (
        ("_log_softmax", "default"), ("_softmax", "default"), ("abs", "default"),
        ("add", "Tensor"), ("addmm", "default"), ("baddbmm", "default"), ("bmm", "default"),
        ("cat", "default"), ("clamp", "default"), ("clone", "default"), ("div", "Tensor"),
        ("eq", "Scalar"), ("eq", "Tensor"), ("exp", "default"), ("log", "default"),
        ("gather", "default"), ("index_select", "default"), ("maximum", "default"),
        ("minimum", "default"), ("mm", "default"), ("mul", "Tensor"),
        ("ne", "Scalar"), ("neg", "default"),
        ("relu", "default"), ("rsqrt", "default"), ("scatter", "src"), ("scatter", "value"),
        ("scatter", "value_reduce"), ("scatter_add", "default"),
        ("sigmoid", "default"), ("sqrt", "default"), ("squeeze", "dim"), ("sub", "Tensor"),
        ("sum", "dim_IntList"), ("t", "default"), ("tanh", "default"), ("transpose", "int"),
        ("unsqueeze", "default"), ("zeros_like", "default"),
    )
}  # fmt: skip


class Tape(GraphWriter, TorchDispatchMode):
    """Runs a program once and keeps its kernels as a graph.

    Unlike a `Recorder`, it sees what `torch.autograd.grad` computes. Functions that others must
    not look into, such as draws of random numbers, are nodes of the graph too.

    Parameters
    ----------
    keeps_values : bool, default False
        Whether all that is computed stays; otherwise it goes when the program lets it go.

    Attributes
    ----------
    obstacle : str or None
        Why a replay would not do what the program did.
    writers : dict of fx.Node to set of int
        Nodes that write to a tensor that was there before, and the address of their memory.
    reads : dict of fx.Node to set of int
        The addresses of the memory that nodes are given.
    values : dict of fx.Node to Tensor
        The result of each node, if they are kept.
    """

    def __init__(self, *, keeps_values: bool = False) -> None:
        super().__init__()
        self.keeps_values = keeps_values
        self.obstacle: str | None = None
        self.writers: dict[fx.Node, set[int]] = {}
        self.reads: dict[fx.Node, set[int]] = {}
        self.values: dict[fx.Node, Tensor] = {}
        self._views: dict[Any, _Views] = {}
        self._places: dict[int, Any] = {}  # of tensors, by their ids
        self._given: set[int] = set()  # addresses of what the last node is given
        self._is_paused = False

    @classmethod
    @override
    def _should_skip_dynamo(cls) -> bool:
        return False  # skipping it imports all of torch's compiler

    def input(self, name: str, tensor: Tensor) -> fx.Node:
        """Make a tensor an input of the graph."""
        node = self.graph.placeholder(name)
        self._bind(tensor, node)
        return node

    def alias(self, tensor: Tensor, source: Tensor) -> None:
        """Say that a tensor is the same as another."""
        self._bind(tensor, self._nodes[id(source)])

    @override
    def __enter__(self) -> Tape:
        self._calls = _Calls(self)
        self._calls.__enter__()  # type: ignore[no-untyped-call]
        super().__enter__()  # type: ignore[no-untyped-call]
        return self

    @override
    def __exit__(self, *error: Any) -> None:
        super().__exit__(*error)  # type: ignore[no-untyped-call]
        self._calls.__exit__(*error)  # type: ignore[no-untyped-call]
        del self._calls  # which knows the tape, whose values are to go with it

    @contextlib.contextmanager
    def going_back(self) -> Iterator[None]:
        """Let torch compute gradients, of which kernels alone are seen."""
        self._calls.__exit__(None, None, None)  # type: ignore[no-untyped-call]
        try:
            yield
        finally:
            self._calls.__enter__()  # type: ignore[no-untyped-call]

    @override
    def __torch_dispatch__(
        self, func: Any, types: Any, args: tuple[Any, ...] = (), kwargs: Any = None
    ) -> Any:
        kwargs = kwargs or {}
        result = func(*args, **kwargs)
        if self.obstacle is None and not self._is_paused:
            self._note(func, args, kwargs, result)
        return result

    def _note(self, func: Any, args: tuple[Any, ...], kwargs: dict[str, Any], result: Any) -> None:
        name = func.overloadpacket.__name__
        schema = func._schema  # noqa: SLF001 - no public name
        known = self._views.get(_place(result)) if is_view(schema) else None
        if known is not None:  # such as what detach, or t of t, gives
            self._bind(result, known.node)
            return
        if name in _REFUSED or (name == "index" and _has_mask(args[1])):
            self.stop(f"a result depends on values ({name})")
            return
        if func is _aten.view.default and (node := self._sum_of(args[0], result)) is not None:
            self._bind(result, node)
            return
        node = self._call(*_sooner(func, args, kwargs))
        if schema.is_mutable:
            for argument, value in zip(schema.arguments, args, strict=False):
                if argument.alias_info is not None and argument.alias_info.is_write:
                    self._write(node, value)
            for key, value in kwargs.items():
                if key == "out":
                    self._write(node, value)
        self._bind_result(result, node)

    def _sum_of(self, source: Tensor, result: Tensor) -> fx.Node | None:
        """Return a sum that drops its axes, where it has kept them and a view drops them."""
        made = self.node_of(source)
        if made.target is not torch.sum or made.args[2:] != (True,) or made.kwargs:
            return None
        summed: Any = made.args[0]
        axes: Any = made.args[1]
        shape = shape_of(summed)
        assert shape is not None  # noqa: S101 - for the type checker: the tape wrote it down
        dropped = {axis % len(shape) for axis in axes} if axes else set()
        if tuple(result.shape) != tuple(n for i, n in enumerate(shape) if i not in dropped):
            return None
        return self.graph.call_function(torch.sum, (summed, axes))

    def _write(self, node: fx.Node, target: Any) -> None:
        for tensor in target if isinstance(target, (list, tuple)) else (target,):
            if not isinstance(tensor, Tensor):
                continue
            place = address(tensor)
            if place in self.constants:
                self.stop("a constant is written to")
            self.writers.setdefault(node, set()).add(place)

    def call(self, function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """Call a function that becomes one node of the graph."""
        self._is_paused = True
        try:
            result = function(*args, **kwargs)
        finally:
            self._is_paused = False
        if not getattr(function, "is_replayable", True) or _has_gradient(result):
            self.stop(f"{function.__name__.strip('_')} has a gradient of its own")
        elif self.obstacle is None:
            self._bind_result(result, self._call(function, args, kwargs))
        return result

    def _call(self, target: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> fx.Node:
        self._given = set()
        node_args: Any = fx.node.map_aggregate(args, self._argument)
        node_kwargs: Any = fx.node.map_aggregate(kwargs, self._argument)
        create = self.graph.call_method if isinstance(target, str) else self.graph.call_function
        node = create(target, node_args, node_kwargs)
        self.reads[node] = self._given
        return node

    @override
    def _argument(self, value: Any) -> Any:
        if isinstance(value, Tensor):
            self._given.add(address(value))
        return super()._argument(value)

    @override
    def _bind(self, tensor: Tensor, node: fx.Node) -> None:
        super()._bind(tensor, node)
        if tensor.numel():
            number, place = id(tensor), _place(tensor)
            if self._places.get(number) != place:
                self._forgotten(number)
                self._views.setdefault(place, _Views(node)).count += 1
                self._places[number] = place
        if self.keeps_values:
            self.values.setdefault(node, tensor)

    @override
    def _forgotten(self, number: int) -> None:
        place = self._places.pop(number, None)
        if place is None:
            return
        views = self._views[place]
        views.count -= 1
        if not views.count:  # another tensor may come to lie there
            del self._views[place]

    def stop(self, reason: str) -> None:
        """Say why a replay would not do what the program did."""
        if self.obstacle is None:
            self.obstacle = reason


class _Views:
    """A node, and how many tensors are alive that look at its result in one way."""

    __slots__ = ("count", "node")

    def __init__(self, node: fx.Node) -> None:
        self.node, self.count = node, 0


class _Calls(TorchFunctionMode):
    """Sees the calls that are not made of kernels alone."""

    def __init__(self, tape: Tape) -> None:
        super().__init__()
        self._tape = tape

    @override
    def __torch_function__(
        self, func: Any, types: Any, args: tuple[Any, ...] = (), kwargs: Any = None
    ) -> Any:
        kwargs = kwargs or {}
        if is_opaque(func):
            if getattr(func, "is_compilable", False):
                with self:
                    return func.__wrapped__(*args, **kwargs)
            return self._tape.call(func, args, kwargs)
        if getattr(func, "__name__", "") in READS:
            self._tape.stop(f"Python reads a value of the data ({func.__name__.strip('_')})")
        return func(*args, **kwargs)


def _sooner(
    func: Any, args: tuple[Any, ...], kwargs: dict[str, Any]
) -> tuple[Any, tuple[Any, ...], dict[str, Any]]:
    """Return what does the same as an overload: a function, or the name of a method."""
    if func is _aten.view.default:
        return "view", args, kwargs
    name = func.overloadpacket.__name__
    if name == "_to_copy" and [*kwargs] == ["dtype"] and kwargs["dtype"] is not args[0].dtype:
        return "to", (args[0], kwargs["dtype"]), {}
    return _SOONER.get(func, func), args, kwargs


def is_view(schema: Any) -> bool:
    """Return whether a kernel does nothing but look at a tensor in another way."""
    returns = schema.returns
    return len(returns) == 1 and returns[0].alias_info is not None and not schema.is_mutable


def _place(value: Any) -> Any:
    """Return what tells apart all tensors that are alive at one time."""
    if not isinstance(value, Tensor):
        return None
    return value.data_ptr(), value.shape, value.stride(), value.dtype, value.is_conj()


def _has_mask(indices: Any) -> bool:
    """Return whether values tell how much an index selects."""
    return any(isinstance(each, Tensor) and each.dtype == torch.bool for each in indices)


def _has_gradient(result: Any) -> bool:
    parts = result if isinstance(result, (list, tuple)) else (result,)
    return any(isinstance(part, Tensor) and part.requires_grad for part in parts)
