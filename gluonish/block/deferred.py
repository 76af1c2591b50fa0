"""Finding the unknown dimensions of a Block's parameters by running it without data."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Any

import torch

from gluonish.array import NDArray, wrap
from gluonish.array.core import new
from gluonish.array.dtypes import torch_dtype
from gluonish.array.pending import PendingArray
from gluonish.context import Context
from gluonish.errors import MXNetError
from gluonish.hybrid.recorder import Recorder
from gluonish.hybrid.structure import map_arrays

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torch import fx

    from gluonish.block.block import HybridBlock
    from gluonish.block.parameter import Parameter


class _Ambient(threading.local):
    """The stand-ins of the parameters, where somebody wants to know them, of one thread."""

    stand_ins: list[tuple[Parameter, NDArray]] | None = None


_ambient = _Ambient()

# A context of its own, so that a parameter's arrays are never found for it on the hot path.
SHAPES_ONLY = Context.without_data()


def infer_shapes(block: HybridBlock, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
    """Fix the shapes of the Block's parameters, and its children's, from the inputs' shapes.

    Raises
    ------
    ShapeError
        A shape does not follow from the inputs.
    """
    plain_args, plain_kwargs = map_arrays(_without_data, (args, kwargs))
    with SHAPES_ONLY:
        type(block).forward(block, *plain_args, **plain_kwargs)


def initialize_in_graph_order(
    block: HybridBlock, args: tuple[Any, ...], kwargs: dict[str, Any]
) -> None:
    """Finish all deferred initializations, in the order that MXNet has when hybridized.

    It draws parameters in the order of the graph's inputs: depth first from the output,
    arguments from left to right. A Block that can't run without data is left alone: its
    children initialize themselves as they are called.
    """
    plain_args, plain_kwargs = map_arrays(_without_data, (args, kwargs))
    recorder = Recorder([], is_watching=False)
    found: list[tuple[Parameter, NDArray]] = []
    _ambient.stand_ins = found
    try:
        with SHAPES_ONLY, recorder:
            result = type(block).forward(block, *plain_args, **plain_kwargs)
    except (MXNetError, RuntimeError, NotImplementedError):
        return
    finally:
        _ambient.stand_ins = None
    outputs: list[NDArray] = []
    map_arrays(outputs.append, result)
    owners = {recorder.node_of(array._tensor): param for param, array in found}
    for node in _depth_first(recorder, outputs):
        if node in owners:
            owners[node]._finish_deferred_init()
    for param, _ in found:
        param._finish_deferred_init()


def _depth_first(recorder: Recorder, outputs: list[NDArray]) -> Iterator[fx.Node]:
    seen: set[fx.Node] = set()
    stack = [recorder.node_of(array._tensor) for array in reversed(outputs)]
    while stack:
        node = stack.pop()
        if node in seen:
            continue
        seen.add(node)
        yield node
        stack.extend(reversed(node.all_input_nodes))


def _without_data(array: NDArray) -> NDArray:
    tensor = torch.empty(array.shape, dtype=array._tensor.dtype, device="meta")
    return wrap(tensor, SHAPES_ONLY, type(array))


def stand_in(param: Parameter, cls: type[NDArray]) -> NDArray:
    """Return an array without data for a parameter; without shape too if that is unknown."""
    if not param.is_shape_known():
        pending: PendingArray = new(PendingArray)
        pending._ctx = SHAPES_ONLY
        pending.owner = _Owner(param)
        return _noted(param, pending)
    shape = tuple(size for size in param._shape or () if size is not None)
    tensor = torch.empty(shape, dtype=torch_dtype(param.dtype), device="meta")
    return _noted(param, wrap(tensor, SHAPES_ONLY, cls))


def _noted(param: Parameter, array: NDArray) -> NDArray:
    if _ambient.stand_ins is not None:
        _ambient.stand_ins.append((param, array))
    return array


class _Owner:
    """A parameter as inference sees it: unknown dimensions are None."""

    __slots__ = ("_param", "dtype", "name")

    def __init__(self, param: Parameter) -> None:
        self._param = param
        self.name = param.name
        self.dtype = param.dtype

    @property
    def shape(self) -> tuple[int | None, ...] | None:
        return self._param._shape

    @shape.setter
    def shape(self, value: tuple[int | None, ...]) -> None:
        self._param.shape = value
