"""Shows the operators of HybridBlocks at work: what `register_op_hook` registers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from gluonish.array import NDArray
from gluonish.block import deferred, exporting
from gluonish.block.cached_op import CachedOp
from gluonish.block.nesting import flatten, regroup
from gluonish.errors import MXNetError
from gluonish.hybrid.structure import first_array, map_arrays
from gluonish.ops import ops

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import ModuleType
    from typing import TypeAlias

    from gluonish.block.block import Block, HybridBlock
    from gluonish.symbol import Symbol

OpHook: TypeAlias = "Callable[[bytes, bytes, NDArray], Any]"

_OPERATORS = {name: op for op in ops() for name in op.nd}


def watch(block: Block, callback: OpHook, monitor_all: bool) -> None:
    """Have `callback` called for each operator of a HybridBlock, and of its children."""
    for child in block._children.values():
        watch(child, callback, monitor_all)
    if not hasattr(block, "hybrid_forward"):
        return
    original = type(block).hybrid_forward

    def hybrid_forward(F: ModuleType, *args: Any, **kwargs: Any) -> Any:  # noqa: N803
        first = first_array((args, kwargs))
        if first is not None and first.context in deferred.REHEARSALS:
            return original(block, F, *args, **kwargs)
        graph = _graph(block, args, kwargs)  # type: ignore[arg-type]
        if graph is not None:
            return _run(block, graph, args, callback, monitor_all)
        return original(block, _Watched(F, block.name, callback, monitor_all), *args, **kwargs)

    object.__setattr__(block, "hybrid_forward", hybrid_forward)


def _graph(
    block: HybridBlock, args: tuple[Any, ...], kwargs: dict[str, Any]
) -> tuple[list[Symbol], Any] | None:
    """Return the graph of a hybridized Block, whose nodes have MXNet's names; None without one."""
    is_plain = block._graphs is not None and not set(kwargs) - set(block._reg_params)
    if not is_plain or type(block)._has_own_forward:  # noqa: SLF001 - the Block's other half
        return None
    try:
        return exporting.graph_of(block, args)
    except (MXNetError, TypeError, ValueError, AttributeError):
        return None  # it reads values, as the plain way can


def _run(
    block: Block,
    graph: tuple[list[Symbol], Any],
    args: tuple[Any, ...],
    callback: OpHook,
    monitor_all: bool,
) -> Any:
    """Return what a graph makes of a call's arrays, with its operators watched."""
    inputs, outputs = graph
    arrays: list[NDArray] = []
    map_arrays(arrays.append, args)
    params = block.collect_params()
    if not all(param._arrays for param in params.values()):
        deferred.initialize_in_graph_order(block, args, {})  # type: ignore[arg-type]
    values = {str(x.name): array for x, array in zip(inputs, arrays, strict=True)}
    values |= {name: param.data(arrays[0].context) for name, param in params.items()}
    symbol = exporting.grouped(outputs)
    run = CachedOp(symbol)
    run._register_op_hook(callback, monitor_all)  # noqa: SLF001 - MXNet's name
    found = run(*[values[name] for name in symbol.list_inputs()])
    results = found if isinstance(found, list) else [found]
    return regroup(results, flatten(outputs, "output")[1])[0]


class _Watched:
    """A front end whose operators report to a callback."""

    def __init__(
        self, frontend: ModuleType, name: str, callback: OpHook, monitor_all: bool
    ) -> None:
        self._frontend = frontend
        self._name = name
        self._callback = callback
        self._monitor_all = monitor_all
        self._calls = 0
        for key, value in vars(frontend).items():
            if key in _OPERATORS:
                setattr(self, key, self._watched(key, value))
            elif not hasattr(self, key):
                setattr(self, key, value)

    def _watched(self, op_name: str, function: Callable[..., Any]) -> Callable[..., Any]:
        def call(*args: Any, **kwargs: Any) -> Any:
            node = f"{self._name}_fwd" + (str(self._calls) if self._calls else "")
            self._calls += 1
            result = function(*args, **kwargs)  # a first call may end here, and begin anew
            if self._monitor_all:
                named = {**dict(zip(_OPERATORS[op_name].inputs, args, strict=False)), **kwargs}
                for name, value in named.items():
                    self._report(f"{node}_{name}", op_name, value)
            outputs = result if isinstance(result, (list, tuple)) else [result]
            for position, value in enumerate(outputs):
                self._report(f"{node}_output{position or ''}", op_name, value)
            return result

        return call

    def _report(self, name: str, op_name: str, value: Any) -> None:
        if isinstance(value, NDArray):
            self._callback(name.encode(), op_name.encode(), value)
