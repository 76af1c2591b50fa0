"""Finding the unknown dimensions of a Block's parameters by running it without data."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Any

import torch
from typing_extensions import override

from gluonish.array import NDArray, wrap
from gluonish.array.dtypes import torch_dtype
from gluonish.array.pending import PendingArray, zeros_to_read
from gluonish.array.tensors import as_default, held, plain
from gluonish.context import Context
from gluonish.errors import CompileError, MXNetError, ShapeError
from gluonish.hybrid.recorder import Recorder, written
from gluonish.hybrid.structure import first_array, map_arrays
from gluonish.late import LateModule
from gluonish.ops.random.draws import draw

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from torch import fx

    from gluonish.block import graph_inference
    from gluonish.block.block import HybridBlock
    from gluonish.block.parameter import Parameter
else:
    graph_inference = LateModule("gluonish.block.graph_inference")


class _Ambient(threading.local):
    """What a rehearsal of one thread is for.

    Attributes
    ----------
    stand_ins : list of (Parameter, NDArray) or None
        The stand-ins of the parameters, where somebody wants to know them.
    wanted : list of Parameter
        Parameters whose shapes end the rehearsal once they are all known.
    """

    stand_ins: list[tuple[Parameter, NDArray]] | None = None
    wanted: list[Parameter] = []  # noqa: RUF012 - replaced, never changed


_ambient = _Ambient()

# Contexts of their own, so that a parameter's arrays are never found for them on the hot path.
_SHAPES_ONLY = Context.apart("meta")
_ON_CPU = Context.apart("cpu")
REHEARSALS = (_SHAPES_ONLY, _ON_CPU)


class _AllKnown(BaseException):
    """All shapes are known that were wanted."""


def infer_shapes(block: HybridBlock, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
    """Fix the shapes of the Block's parameters from the inputs' shapes.

    The Block runs on arrays without elements, until all of its own parameters are known. Where
    an operator comes before the one that tells a weight's shape, its graph is asked.

    Raises
    ------
    ShapeError
        A shape does not follow from the inputs.
    """
    plain_args, plain_kwargs = map_arrays(_without_data, (args, kwargs))
    outer = _ambient.wanted
    _ambient.wanted = list(block._reg_params.values())
    try:
        with _SHAPES_ONLY:
            type(block).forward(block, *plain_args, **plain_kwargs)
    except _AllKnown:
        pass
    except ShapeError:
        _ambient.wanted = []
        if not graph_inference.infer_from_graph(block, args, kwargs):
            raise
    finally:
        _ambient.wanted = outer


def initialize_in_graph_order(
    block: HybridBlock, args: tuple[Any, ...], kwargs: dict[str, Any]
) -> None:
    """Finish all deferred initializations, in the order that MXNet has when hybridized.

    It draws parameters in the order of the graph's inputs: depth first from the output,
    arguments from left to right. To know the graph, the Block is rehearsed with zeros for
    parameters: on a CPU with copies of the inputs, elsewhere with arrays that have no elements.
    A Block that can't be rehearsed is left alone: its children initialize themselves as they
    are called.
    """
    first = first_array((args, kwargs))
    is_on_cpu = first is not None and first.context.device.type == "cpu"
    given = map_arrays(_copied if is_on_cpu else _without_data, (args, kwargs))
    recorder = _Rehearsal([], is_watching=False)
    found: list[tuple[Parameter, NDArray]] = []
    _ambient.stand_ins = found
    try:
        with _ON_CPU if is_on_cpu else _SHAPES_ONLY, recorder:
            result = type(block).forward(block, *given[0], **given[1])
    except (MXNetError, RuntimeError, NotImplementedError):
        return
    finally:
        _ambient.stand_ins = None
    outputs: list[NDArray] = []
    map_arrays(outputs.append, result)
    owners = {recorder.node_of(held(array)): param for param, array in found}
    for node in _depth_first(recorder, outputs):
        if node in owners:
            owners[node]._finish_deferred_init()
    for param, _ in found:
        param._finish_deferred_init()


class _Rehearsal(Recorder):
    """A recorder whose program draws no random numbers and writes to no array but its own."""

    @override
    def __torch_function__(
        self,
        func: Callable[..., Any],
        types: Any,
        args: tuple[Any, ...] = (),
        kwargs: dict[str, Any] | None = None,
    ) -> Any:
        if func is draw:
            _, shape, dtype, device, *_ = args
            return torch.zeros(shape, dtype=dtype, device=device)
        targets = written(getattr(func, "__name__", ""), args, kwargs or {})
        if not all(map(self.knows, targets)):
            msg = "a rehearsal writes to an array from elsewhere"
            raise CompileError(msg)
        return super().__torch_function__(func, types, args, kwargs)


def _depth_first(recorder: Recorder, outputs: list[NDArray]) -> Iterator[fx.Node]:
    seen: set[fx.Node] = set()
    stack = [recorder.node_of(held(array)) for array in reversed(outputs)]
    while stack:
        node = stack.pop()
        if node in seen:
            continue
        seen.add(node)
        yield node
        stack.extend(reversed(node.all_input_nodes))


def _without_data(array: NDArray) -> NDArray:
    tensor = torch.empty(array.shape, dtype=torch_dtype(array.dtype), device="meta")
    return wrap(tensor, _SHAPES_ONLY, _dense_class(array))


def _copied(array: NDArray) -> NDArray:
    return wrap(plain(as_default(array)).clone(), _ON_CPU, _dense_class(array))


def _dense_class(array: NDArray) -> type[NDArray]:
    return type(array) if array.stype == "default" else NDArray


def stand_in(param: Parameter, cls: type[NDArray], ctx: Context) -> NDArray:
    """Return zeros on the context of a rehearsal for a parameter; without shape if unknown."""
    if not param.is_shape_known():
        return _noted(param, PendingArray(_Owner(param), ctx))
    shape = tuple(size for size in param._shape or () if size is not None)
    tensor = zeros_to_read(shape, torch_dtype(param.dtype), ctx.device)
    return _noted(param, wrap(tensor, ctx, cls))


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
        wanted = _ambient.wanted
        if wanted and all(param.is_shape_known() for param in wanted):
            raise _AllKnown
