"""Recorder: writes every torch call of a running program into a torch.fx graph."""

from __future__ import annotations

import sys
import threading
import types
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import torch
from torch import Tensor, fx
from torch.overrides import TorchFunctionMode
from typing_extensions import override

from gluonish.hybrid.graph_writer import GraphWriter, address, has_tensor
from gluonish.hybrid.watch import Watch

if TYPE_CHECKING:
    from collections.abc import Callable

_PACKAGE = str(Path(__file__).resolve().parent.parent)
_TORCH = str(Path(torch.__file__).resolve().parent)


class _Ambient(threading.local):
    recorder: Recorder | None = None


_ambient = _Ambient()


def is_capturing() -> bool:
    """Return whether this thread runs a program that is being captured."""
    return _ambient.recorder is not None


class Obstacle(NamedTuple):
    """Why a program can't be captured, and where."""

    file: str
    line: int
    reason: str

    @override
    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.reason}"


# Calls that tell about a tensor without looking at its values.
_METADATA = frozenset(
    {
        "dim", "ndimension", "size", "numel", "nelement", "stride", "storage_offset", "data_ptr",
        "is_contiguous", "is_floating_point", "is_complex", "is_signed", "element_size", "__len__",
        "get_device", "is_same_size", "_version", "__hash__", "__repr__", "type", "is_set_to",
        "_is_view", "register_hook", "register_post_accumulate_grad_hook", "__format__", "__dir__",
        "result_type", "can_cast", "promote_types", "is_tensor", "broadcast_shapes",
    }
)  # fmt: skip
# Calls that give values of a tensor to Python.
READS = frozenset(
    {
        "item", "tolist", "numpy", "__bool__", "__float__", "__int__", "__index__", "__complex__",
        "__array__", "__contains__", "__dlpack__", "is_nonzero", "equal", "allclose", "storage",
        "untyped_storage", "to_dlpack", "__reduce_ex__", "__iter__", "__deepcopy__",
    }
)  # fmt: skip


# Calls whose result has a size that the sizes of the arguments don't tell.
_SIZED_BY_VALUES = frozenset(
    {
        "nonzero", "argwhere", "masked_select", "unique", "_unique2", "unique_consecutive",
        "unique_dim", "_return_output", "_unique_impl", "_consecutive_return_output",
        "_consecutive_return_counts", "_return_inverse", "_return_counts", "bincount",
    }
)  # fmt: skip
_WRAPS_MEMORY = frozenset({"as_tensor", "asarray", "frombuffer"})
_SELECTS = frozenset({"__getitem__", "index", "take_along_dim", "repeat_interleave"})
_METHODS = {
    function: name
    for name, function in vars(Tensor).items()
    if isinstance(function, types.FunctionType)
}


class Recorder(GraphWriter, TorchFunctionMode):
    """Runs a program once and keeps its torch calls as a graph.

    Parameters
    ----------
    inputs : list of (str, list of Tensor)
        Name of each placeholder, and the tensors that stand for it.
    moving : list of Tensor, optional
        Tensors that will be replaced by others, so that the program must not read them.
    is_watching : bool, default True
        Whether to look for calls that a replay can't repeat, such as those of a clock.
    """

    def __init__(
        self,
        inputs: list[tuple[str, list[Tensor]]],
        moving: list[Tensor] | None = None,
        *,
        is_watching: bool = True,
    ) -> None:
        super().__init__()
        self._moving = {id(tensor) for tensor in moving or ()}
        self._watch = Watch(self.stop) if is_watching else None
        self.obstacle: Obstacle | None = None
        self._detached: dict[int, fx.Node] = {}
        for name, tensors in inputs:
            node = self.graph.placeholder(name)
            for tensor in tensors:
                self._bind(tensor, node)

    def add_detached(self, tensor: Tensor, source: Tensor) -> None:
        """Say that a tensor is the same memory as another, outside of the graph of gradients."""
        self._detached[id(tensor)] = self._nodes[id(source)]
        self._alive.append(tensor)

    @override
    def __enter__(self) -> Recorder:
        _ambient.recorder = self
        super().__enter__()  # type: ignore[no-untyped-call]
        if self._watch is not None:
            self._watch.start()
        return self

    @override
    def __exit__(self, *error: Any) -> None:
        if self._watch is not None:
            self._watch.stop()
        super().__exit__(*error)  # type: ignore[no-untyped-call]
        _ambient.recorder = None

    @override
    def __torch_function__(
        self,
        func: Callable[..., Any],
        types: Any,
        args: tuple[Any, ...] = (),
        kwargs: dict[str, Any] | None = None,
    ) -> Any:
        kwargs = kwargs or {}
        result = func(*args, **kwargs)
        if self.obstacle is None:
            self._note(func, args, kwargs, result)
        return result

    def _note(
        self, func: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any], result: Any
    ) -> None:
        name = getattr(func, "__name__", "")
        if not getattr(func, "is_replayable", True):
            self.stop(f"{name.strip('_')} can't be replayed")
        elif name in READS:
            self.stop(f"Python reads a value of the data ({name.strip('_')})")
        elif name in _SIZED_BY_VALUES or (name in _SELECTS and _has_mask(args)):
            self.stop(f"the size of a result depends on the data ({name.strip('_')})")
        elif name in _WRAPS_MEMORY and isinstance(result, Tensor) and not has_tensor(args):
            values = self._constant(result.clone())
            self._bind(result, self.graph.call_method("clone", (values,)))
        elif has_tensor(result):
            node = self._call(func, name, args, kwargs)
            self._bind_result(result, node)
        elif name == "__setitem__" or (name.endswith("_") and not name.endswith("__")):
            self._call(func, name, args, kwargs)
        elif name == "__set__":
            self.stop("an attribute of a tensor is set")
        elif name != "__get__" and name not in _METADATA and result is not None:
            self.stop(f"Python reads a value of the data ({name.strip('_')})")

    def _call(
        self, func: Callable[..., Any], name: str, args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> fx.Node:
        self._check_target(name, args, kwargs)
        node_args = fx.node.map_aggregate(args, self._argument)
        node_kwargs = fx.node.map_aggregate(kwargs, self._argument)
        if name == "__get__":
            return self.graph.call_function(getattr, (node_args[0], func.__self__.__name__))  # type: ignore[attr-defined]
        owner = getattr(func, "__objclass__", None)
        is_method = owner is not None and issubclass(Tensor, owner)
        if not is_method and func in _METHODS:
            is_method, name = True, _METHODS[func]
        if is_method and args and isinstance(args[0], Tensor):
            return self.graph.call_method(name, node_args, node_kwargs)
        return self.graph.call_function(func, node_args, node_kwargs)

    def _check_target(self, name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
        """Refuse writing to what is a constant of the graph: each replay would write again."""
        for tensor in written(name, args, kwargs):
            self.node_of(tensor)
            if address(tensor) in self.constants:
                self.stop("an array that is made of Python's numbers is written to")

    def knows(self, tensor: Tensor) -> bool:
        """Return whether the program has made a tensor, or was given it."""
        return id(tensor) in self._nodes

    def is_reordered(self, tensor: Tensor, source: Tensor) -> bool:
        """Return whether a tensor has the values of another in another order, and no new ones."""
        node, of = self._nodes.get(id(tensor)), self._nodes.get(id(source))
        is_copy = node is not None and node.target == "contiguous" and node.args == (of,)
        return is_copy and tensor._version == 0  # noqa: SLF001 - no public name

    @override
    def _from_elsewhere(self, tensor: Tensor) -> fx.Node:
        source = self._detached.get(id(tensor))
        if source is not None:
            return self.graph.call_function(getattr, (source, "data"))
        if id(tensor) in self._moving:
            self.stop("the gradient of an array is read")
        elif tensor.requires_grad:
            self.stop("an array with a gradient is used that is no attribute, nor a parameter")
        return self._constant(tensor)

    def output_of(self, tensor: Tensor) -> fx.Node:
        """Return the node for a result, a copy if it is a constant, which others may change."""
        node = self.node_of(tensor)
        if address(tensor) in self.constants:
            return self.graph.call_method("clone", (node,))
        return node

    def stop(self, reason: str) -> None:
        """Say why the program can't be captured; the place is where Python is now."""
        if self.obstacle is not None:
            return
        frame = _of_program(sys._getframe(1))  # noqa: SLF001 - the public way is slower
        self.obstacle = Obstacle(frame.f_code.co_filename, frame.f_lineno, reason)


def _of_program(frame: types.FrameType) -> types.FrameType:
    """Return the innermost frame that is neither ours nor torch's."""
    while frame.f_back is not None and frame.f_code.co_filename.startswith((_PACKAGE, _TORCH)):
        frame = frame.f_back
    return frame


def line_of_program() -> str:
    """Return file and line of the program that is being run."""
    frame = _of_program(sys._getframe(1))  # noqa: SLF001 - no public name
    return f"{frame.f_code.co_filename}:{frame.f_lineno}"


def _has_mask(args: tuple[Any, ...]) -> bool:
    """Return whether a selection takes truth values, or counts, from a tensor."""
    if len(args) < 2:
        return False
    key = args[1]
    parts = key if isinstance(key, (list, tuple)) else (key,)
    return any(isinstance(part, Tensor) and part.dtype in _MASKS for part in parts)


_MASKS = (torch.bool, torch.uint8)


def written(name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> list[Tensor]:
    """Return the tensors that a torch function of this name writes to."""
    targets = kwargs.get("out")
    if targets is None and args and _writes(name):
        targets = args[0]
    parts = targets if isinstance(targets, (list, tuple)) else (targets,)
    return [part for part in parts if isinstance(part, Tensor)]


def _writes(name: str) -> bool:
    if name.startswith("__"):
        return name == "__setitem__" or (name.startswith("__i") and name in _IN_PLACE)
    return name.endswith("_")


_IN_PLACE = frozenset(
    f"__i{name}__"
    for name in ("add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "and", "or", "xor")
)


def report(reason: str) -> None:
    """Say that the program which this thread captures, if any, can't be captured."""
    if _ambient.recorder is not None:
        _ambient.recorder.stop(reason)
