"""Shows the operators of HybridBlocks at work: what `register_op_hook` registers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from gluonish.array import NDArray
from gluonish.ops import ops

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import ModuleType
    from typing import TypeAlias

    from gluonish.block.block import Block

OpHook: TypeAlias = "Callable[[bytes, bytes, NDArray], Any]"

_INPUTS = {name: op.inputs for op in ops() for name in op.nd}


def watch(block: Block, callback: OpHook, monitor_all: bool) -> None:
    """Have `callback` called for each operator of a HybridBlock, and of its children."""
    for child in block._children.values():
        watch(child, callback, monitor_all)
    if not hasattr(block, "hybrid_forward"):
        return
    original = type(block).hybrid_forward

    def hybrid_forward(F: ModuleType, *args: Any, **kwargs: Any) -> Any:  # noqa: N803
        return original(block, _Watched(F, block.name, callback, monitor_all), *args, **kwargs)

    object.__setattr__(block, "hybrid_forward", hybrid_forward)


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
            if key in _INPUTS:
                setattr(self, key, self._watched(key, value))
            elif not hasattr(self, key):
                setattr(self, key, value)

    def _watched(self, op_name: str, function: Callable[..., Any]) -> Callable[..., Any]:
        def call(*args: Any, **kwargs: Any) -> Any:
            node = f"{self._name}_fwd" + (str(self._calls) if self._calls else "")
            self._calls += 1
            result = function(*args, **kwargs)  # a first call may end here, and begin anew
            if self._monitor_all:
                named = {**dict(zip(_INPUTS[op_name], args, strict=False)), **kwargs}
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
