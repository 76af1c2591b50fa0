"""A Block as a `torch.nn.Module` that shares its parameters."""

from __future__ import annotations

import contextlib
import threading
from typing import TYPE_CHECKING, Any, NamedTuple

import torch
from torch import Tensor, nn
from typing_extensions import override

from gluonish import autograd
from gluonish.array import NDArray, ndarray, wrap
from gluonish.array.contexts import context_of
from gluonish.array.tensors import plain, unwrap
from gluonish.block.hooks import attached
from gluonish.context import is_np_array
from gluonish.errors import DeferredInitializationError
from gluonish.hybrid.structure import first_array, map_arrays
from gluonish.process.recording import state

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from typing import Self

    from gluonish.block.block import Block
    from gluonish.block.parameter import Parameter
    from gluonish.context import Context

_MOST_LISTED = 10
_HOOKS = ("_forward_pre_hooks", "_forward_hooks", "_backward_pre_hooks", "_backward_hooks")
_NOTHING: Any = ()
_running = threading.RLock()  # a Block's parameters stand for one module's tensors at a time


class Part(nn.Module):
    """One Block of a network that has become a module: it holds parameters, by their names.

    What it computes is computed by the whole; `train()` and `eval()` of a part are respected,
    and its hooks are called.
    """

    def __init__(self, label: str) -> None:
        super().__init__()
        self._label = label

    @override
    def _get_name(self) -> str:
        return self._label


class _Place(NamedTuple):
    """Where a parameter's tensor is: in a part, under a name."""

    param: Parameter
    part: nn.Module
    name: str

    @property
    def tensor(self) -> Tensor:
        part, name = self.part, self.name
        found: Tensor | None = part._parameters.get(name)  # noqa: SLF001 - names of any kind
        if found is None:
            found = part._buffers.get(name)  # noqa: SLF001
        return getattr(part, name) if found is None else found


class _Seat(NamedTuple):
    """Where a Block's part is: in the part of its parent, under a name."""

    parent: nn.Module | None
    name: str
    part: nn.Module

    @property
    def holder(self) -> nn.Module:
        """What is there by now: the part, or what wraps it or was put in its place."""
        if self.parent is None:
            return self.part
        found = self.parent._modules.get(self.name)  # noqa: SLF001 - names of any kind
        return self.part if found is None else found


class TorchModule(Part):
    """A Block as a `torch.nn.Module`; made by `Block.to_torch`.

    Parameters
    ----------
    block : Block
        Whose parameters to share. They must have their values.
    label : str, optional
        Class name to show; the Block's by default.

    Notes
    -----
    The parameters' memory is the Block's, by structural names such as `'0.weight'`, as
    `save_parameters` writes them (a SymbolBlock's without what all of them begin with); what no
    gradient changes (running statistics, constants) are buffers. Whatever moves or replaces the
    module's tensors, `to()`, `half()`, `load_state_dict(assign=True)`, moves the Block's along;
    tensors that are put in one by one (`part.weight = ...`, `p.data = ...`) are the module's own.
    The other way round, `cast`, `reset_ctx` and `initialize(force_reinit=True)` give the Block
    memory of its own: call `to_torch()` again.

    What is put in the place of a part is called instead of it. Under `DistributedDataParallel`
    the Block has what is learned at once. `fully_shard` and `FullyShardedDataParallel` give each
    worker memory of its own for its share, and the Block keeps the values from before; when the
    training is over, `net.to_torch().load_state_dict(state)` brings it what was learned, where
    `state` is what `torch.distributed.checkpoint.state_dict.get_model_state_dict` returns with
    `full_state_dict=True`. Running statistics stay the Block's all the time.

    In the module torch's rules hold: `train()` and `eval()` choose the mode, Dropout and other
    draws take torch's random numbers, BatchNorm in training mode always moves its statistics and
    in prediction mode is differentiated with them as constants. Gradients arrive in torch's
    `.grad`, apart from Gluon's.

    Examples
    --------
    >>> import torch
    >>> import gluonish as mx
    >>> net = mx.gluon.nn.Dense(1, in_units=2)
    >>> net.initialize(mx.init.One())
    >>> module = net.to_torch()
    >>> module(torch.ones(1, 2)).item()
    2.0
    >>> list(module.state_dict())
    ['weight', 'bias']
    """

    def __init__(self, block: Block, label: str | None = None) -> None:
        super().__init__(type(block).__name__ if label is None else label)
        self._block = block
        self._blocks = list(_parts_of(_Seat(None, "", self), block))
        self._places: list[_Place] = []
        shared: dict[int, Tensor] = {}
        for path, param in block._collect_params_with_prefix().items():
            *way, name = path.split(".")
            part: nn.Module = self
            for step in way:
                part = _part(part, step)
            if id(param) not in shared:
                shared[id(param)] = _tensor_of(param)
                self._places.append(_Place(param, part, name or param.name))
            tensor = shared[id(param)]
            is_parameter = isinstance(tensor, nn.Parameter)
            # Directly, since a parameter may be called as a method of modules is.
            kept: dict[str, Any] = part.__dict__["_parameters" if is_parameter else "_buffers"]
            kept[name or param.name] = tensor
        _let_compilers_in()

    @property
    def block(self) -> Block:
        """The Block that computes."""
        return self._block

    @override
    def forward(self, x: Any = _NOTHING, /, *args: Any, **kwargs: Any) -> Any:
        """Compute the Block's output on tensors, which stand for its arrays, nested or not."""
        given = args if x is _NOTHING else (x, *args)
        modes = [seat.part.training for seat, _ in self._blocks]
        if torch.compiler.is_dynamo_compiling():
            return _traced(self, modes, given, kwargs)
        return _run(self, modes, given, kwargs)

    # --- the memory shared with the Block ---------------------------------------------------

    @override
    def _apply(self, fn: Callable[..., Any], recurse: bool = True) -> Self:
        super()._apply(fn, recurse)  # type: ignore[no-untyped-call]
        self._lead_block()
        return self

    @override
    def load_state_dict(
        self, state_dict: Mapping[str, Any], strict: bool = True, assign: bool = False
    ) -> Any:
        """Take values by structural name; see `torch.nn.Module.load_state_dict`."""
        result = super().load_state_dict(state_dict, strict, assign)
        self._lead_block()
        return result

    @override
    def __setstate__(self, values: dict[str, Any]) -> None:
        """Take the attributes of a copy, whose Block shares its parameters from now on."""
        super().__setstate__(values)  # type: ignore[no-untyped-call]
        self._lead_block()
        _let_compilers_in()

    def _lead_block(self) -> None:
        """Give the Block's parameters the memory that the module's have by now."""
        for place in self._places:
            if not place.tensor.is_meta:
                place.param.adopt(place.tensor.data, context_of(place.tensor))


def to_torch(block: Block, example: tuple[Any, ...]) -> TorchModule:
    """Return a Block as a module; see `Block.to_torch`.

    Raises
    ------
    DeferredInitializationError
        Parameters have no values yet.
    """
    if example and not _is_ready(block):
        cls = ndarray if is_np_array() else NDArray
        with autograd.pause():
            block(*map_tensors(lambda tensor: wrap(tensor, context_of(tensor), cls), example))
    missing = [p.name for p in block.collect_params().values() if not p._arrays]
    if missing:
        more = len(missing) - _MOST_LISTED
        msg = (
            f"{type(block).__name__} '{block.name}': to_torch() found parameters without values: "
            f"{', '.join(map(repr, missing[:_MOST_LISTED]))}"
            f"{f' and {more} more' if more > 0 else ''}. Expected all of them to have values. Call "
            f"net.initialize() and pass one batch of data through the network before, or give "
            f"that batch: net.to_torch(x)."
        )
        raise DeferredInitializationError(msg)
    return TorchModule(block)


def _is_ready(block: Block) -> bool:
    return all(param._arrays for param in block.collect_params().values())


def map_tensors(function: Callable[[Tensor], Any], value: Any) -> Any:
    """Return a nested value with every tensor replaced by `function(tensor)`.

    Examples
    --------
    >>> import torch
    >>> from gluonish.block.torch_module import map_tensors
    >>> map_tensors(len, (torch.ones(2), {'a': [torch.ones(3), None]}))
    (2, {'a': [3, None]})
    """
    if isinstance(value, Tensor):
        return function(value)
    if isinstance(value, dict):
        pairs = ((key, map_tensors(function, part)) for key, part in value.items())
        return type(value)(pairs)
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        return type(value)(*(map_tensors(function, part) for part in value))
    if isinstance(value, (list, tuple)):
        return type(value)(map_tensors(function, part) for part in value)
    return value


# --- parts -------------------------------------------------------------------------------------


def _parts_of(seat: _Seat, block: Block) -> Iterator[tuple[_Seat, Block]]:
    """Make the parts for a Block's children; yield where each part is, with its Block."""
    yield seat, block
    for key, child in block._children.items():
        parent = own = seat.part
        *_, name = steps = key.split(".")
        for step in steps:
            parent, own = own, _part(own, step)
        if isinstance(own, Part):
            own._label = type(child).__name__  # noqa: SLF001 - made here
        yield from _parts_of(_Seat(parent, name, own), child)


def _part(part: nn.Module, name: str) -> nn.Module:
    children = part._modules  # noqa: SLF001 - parts may be called as methods of modules are
    found = children.get(name)
    if found is None:
        found = children[name] = Part("Part")
    return found


def _tensor_of(param: Parameter) -> Tensor:
    tensor = plain(param.list_data()[0])
    if param.is_differentiable:
        return nn.Parameter(tensor, requires_grad=_has_gradient(param, tensor))
    return tensor


def _has_gradient(param: Parameter, tensor: Tensor) -> bool:
    return param.grad_req != "null" and tensor.dtype.is_floating_point


# --- running -----------------------------------------------------------------------------------


@contextlib.contextmanager
def _standing_in(module: TorchModule, modes: list[bool]) -> Iterator[None]:
    """Have the module's tensors stand for the Block's parameters meanwhile."""
    before = state.recording, state.training, state.as_module
    arrays: list[tuple[Parameter, dict[Context, NDArray]]] = []
    graphs: list[tuple[Block, Any]] = []
    with _running, contextlib.ExitStack() as hooks:
        try:
            # A trace takes the parameters themselves, with gradients or without.
            is_traced = torch.jit.is_tracing()  # type: ignore[attr-defined, no-untyped-call]
            state.recording = torch.is_grad_enabled() or is_traced
            state.training, state.as_module = modes[0], True
            for place in module._places:  # noqa: SLF001 - the module's other half
                param = place.param
                arrays.append((param, param._arrays))
                param._arrays = _stand_in(place.tensor, param)
            for (seat, block), mode in zip(module._blocks, modes, strict=True):  # noqa: SLF001
                if block._graphs is not None:
                    graphs.append((block, block._graphs))
                    block.__dict__["_graphs"] = None
                if len(set(modes)) > 1:
                    hooks.enter_context(_in_mode(block, mode))
                if seat.parent is not None and _is_called_by_torch(seat):
                    hooks.enter_context(_called_as_part(module, seat, block))
            yield
        finally:
            state.recording, state.training, state.as_module = before
            for param, own in arrays:
                param._arrays = own
            for block, own_graphs in graphs:
                block.__dict__["_graphs"] = own_graphs


def _stand_in(tensor: Tensor, param: Parameter) -> dict[Context, NDArray]:
    ctx = context_of(tensor)
    cls = type(next(iter(param._arrays.values())))
    return {ctx: wrap(tensor if state.recording else tensor.detach(), ctx, cls)}


@contextlib.contextmanager
def _in_mode(block: Block, mode: bool) -> Iterator[None]:
    """Have a Block run in a mode of its own, and what it calls, unless that has another."""
    before: list[bool] = []

    def enter(*_: Any) -> None:
        before.append(state.training)
        state.training = mode

    def leave(*_: Any) -> None:
        state.training = before.pop()

    with attached(block._forward_pre_hooks, enter), attached(block._forward_hooks, leave):
        yield


def _is_called_by_torch(seat: _Seat) -> bool:
    return seat.holder is not seat.part or any(getattr(seat.part, name) for name in _HOOKS)


@contextlib.contextmanager
def _called_as_part(module: TorchModule, seat: _Seat, block: Block) -> Iterator[None]:
    """Have a Block's forward called by torch, as that of its part, between the part's hooks."""
    compute, part, holder = block.forward, seat.part, seat.holder
    within = set(part.modules())
    cls: type[NDArray] = ndarray if is_np_array() else NDArray

    def forward(*args: Any, **kwargs: Any) -> Any:
        for place in module._places:  # noqa: SLF001 - the module's other half
            if place.part in within:  # hooks may have computed them anew
                place.param._arrays = _stand_in(place.tensor, place.param)
        given = map_tensors(as_array, (args, kwargs))
        return map_arrays(unwrap, compute(*given[0], **given[1]))

    def as_array(tensor: Tensor) -> NDArray:
        return wrap(tensor, context_of(tensor), cls)

    def call(*args: Any, **kwargs: Any) -> Any:
        nonlocal cls
        array = first_array((args, kwargs))
        cls = cls if array is None else type(array)
        given = map_arrays(unwrap, (args, kwargs))
        return map_tensors(as_array, holder(*given[0], **given[1]))

    part.__dict__["forward"], block.__dict__["forward"] = forward, call
    try:
        with attached(block._forward_hooks, lambda *_: None):  # else forward is passed over
            yield
    finally:
        del part.__dict__["forward"], block.__dict__["forward"]


def _run(
    module: TorchModule, modes: list[bool], args: tuple[Any, ...], kwargs: dict[str, Any]
) -> Any:
    """Run a module's Block on tensors, each part in training mode or not."""
    places = module._places  # noqa: SLF001 - the module's other half
    cls: type[NDArray] = ndarray if is_np_array() else NDArray
    if places:
        cls = type(next(iter(places[0].param._arrays.values())))
    tensors: list[Tensor] = []
    map_tensors(tensors.append, (args, kwargs))
    ctx = context_of(tensors[0] if tensors else places[0].tensor if places else torch.empty(0))
    with _standing_in(module, modes), ctx:
        given = map_tensors(lambda tensor: wrap(tensor, context_of(tensor), cls), (args, kwargs))
        return map_arrays(unwrap, module.block(*given[0], **given[1]))


_traced = _run


def _let_compilers_in() -> None:
    """Tell torch.compile that it may trace the Block by running it, which is what export does."""
    global _traced
    if _traced is _run:
        from torch import _dynamo

        _traced = _dynamo.nonstrict_trace(_run)
