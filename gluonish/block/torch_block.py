"""TorchBlock: any torch module as a Block."""

from __future__ import annotations

import textwrap
import threading
from typing import TYPE_CHECKING, Any, NamedTuple

import torch
from torch import Tensor, nn
from typing_extensions import override

from gluonish import init as initializers
from gluonish.array import NDArray, ndarray, wrap
from gluonish.array.contexts import context_of
from gluonish.array.dtypes import shown_dtype, torch_dtype
from gluonish.array.tensors import plain, unwrap
from gluonish.array.writes import give_out
from gluonish.block import deferred
from gluonish.block.block import Block, HybridBlock
from gluonish.block.composing import has_symbols
from gluonish.block.parameter import Parameter
from gluonish.block.torch_module import map_tensors
from gluonish.context import Context, Contexts, current_context, is_np_array
from gluonish.errors import BlockTypeError, ExportError, InvalidArgumentError, ParameterError
from gluonish.hybrid.structure import first_array, map_arrays
from gluonish.process.recording import state
from gluonish.process.replay_marks import opaque

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from gluonish.array.dtypes import DTypeLike
    from gluonish.block.parameter_dict import ParameterDict

_UNKNOWN = (nn.UninitializedParameter, nn.UninitializedBuffer)
_lock = threading.RLock()  # a module's tensors are replaced while it runs


class TorchParameter(Parameter):
    """Parameter or buffer of a torch module, in the module's memory.

    Parameters
    ----------
    name : str
        Full name.
    source : Tensor
        The module's tensor.
    is_buffer : bool
        Whether it is a buffer, which no gradient changes.
    """

    def __init__(self, name: str, source: Tensor, *, is_buffer: bool) -> None:
        super().__init__(
            name,
            grad_req="write" if source.requires_grad else "null",
            shape=tuple(source.shape),
            dtype=shown_dtype(source.dtype),
            init=_initializer(name, source, is_buffer=is_buffer),
            differentiable=not is_buffer and source.dtype.is_floating_point,
        )
        self.follow(source)

    @override
    def initialize(
        self,
        init: Any = None,
        ctx: Contexts = None,
        default_init: Any = None,
        force_reinit: bool = False,
    ) -> None:
        """Move the module's values to contexts; fill them anew only if `force_reinit`."""
        if force_reinit:
            super().initialize(init, ctx, default_init, force_reinit=True)
        elif ctx is not None:
            self.reset_ctx(ctx)

    @override
    def _init_impl(
        self, data: NDArray, contexts: Sequence[Context], *, is_own: bool = False
    ) -> None:
        super()._init_impl(data, contexts, is_own=is_own)
        self._lead_module()

    @override
    def cast(self, dtype: DTypeLike) -> None:
        if self._source.dtype.is_floating_point:
            super().cast(dtype)
            self._lead_module()

    @override
    def adopt(self, tensor: Tensor, ctx: Context) -> None:
        super().adopt(tensor, ctx)
        self._lead_module()

    @override
    def __setstate__(self, state: dict[str, Any]) -> None:
        super().__setstate__(state)
        self._lead_module()

    def follow(self, source: Tensor) -> None:
        """Take the memory of a module's tensor."""
        self._source = source
        self.adopt(source.data, context_of(source))

    def is_in(self, tensor: Tensor) -> bool:
        """Return whether a tensor is the module's, in the memory that it had."""
        return tensor is self._source and tensor.data_ptr() == self._address

    def _lead_module(self) -> None:
        """Give the module's tensor the memory of the (first) array."""
        for array in self._arrays.values():
            self._source.data = give_out(plain(array))
            self._address = self._source.data_ptr()
            return


def _initializer(name: str, source: Tensor, *, is_buffer: bool) -> Any:
    """Return how `force_reinit` fills a tensor of a module; None if by the Block's initializer."""
    if is_buffer:
        return initializers.Constant(wrap(source.detach().clone(), context_of(source), NDArray))
    if source.ndim > 1:
        return None
    return "ones" if name.endswith("weight") else "zeros"


class _Slot(NamedTuple):
    """Where a tensor is in a module: in one of two dictionaries of a part, under a name."""

    part: nn.Module
    kind: str
    name: str

    @property
    def tensor(self) -> Tensor:
        return self.part.__dict__[self.kind][self.name]  # type: ignore[no-any-return]

    def put(self, tensor: Tensor) -> None:
        self.part.__dict__[self.kind][self.name] = tensor


class TorchBlock(HybridBlock):
    """Block that computes what a `torch.nn.Module` computes, with its parameters.

    Parameters
    ----------
    module : torch.nn.Module
        Any module. Its tensors share memory with the Block's parameters, also when the Block is
        cast, or moved to another context.
    prefix : str, optional
        Start of the parameters' names.
    params : ParameterDict, optional
        Parameters of another TorchBlock to share.

    Notes
    -----
    Parameters and persistent buffers have the module's names in files, and `prefix` before them,
    with underscores for dots, in `collect_params()`. `initialize()` keeps the module's values,
    unless `force_reinit=True`. The module is in training mode inside of `autograd.train_mode()`
    or `record()`, in evaluation mode elsewhere; parts that were in evaluation mode when a module
    in training mode was given stay so. Random numbers are torch's.

    Where torch's means move or replace the module's tensors, `module.to()`, `half()`,
    `load_state_dict(assign=True)`, the next call of the TorchBlock takes them over. A hybridized
    TorchBlock stays Python inside: the graphs of Blocks around it call the module; after such a
    change, hybridize them again.

    Raises
    ------
    BlockTypeError
        `module` is none.
    InvalidArgumentError
        The module has parameters without values.

    Examples
    --------
    >>> import torch
    >>> import gluonish as mx
    >>> block = mx.gluon.TorchBlock(torch.nn.Linear(2, 1), prefix='linear_')
    >>> block(mx.nd.ones((3, 2))).shape
    (3, 1)
    >>> list(block.collect_params())
    ['linear_weight', 'linear_bias']
    """

    def __init__(
        self,
        module: nn.Module,
        prefix: str | None = None,
        params: ParameterDict | None = None,
    ) -> None:
        super().__init__(prefix, params)
        self._check(module)
        self._torch_module = module
        is_whole = module.training
        self._frozen = [part for part in module.modules() if is_whole and not part.training]
        self._slots: list[tuple[_Slot, Parameter]] = []
        self._own: list[tuple[_Slot, TorchParameter]] = []  # those that are not shared
        self._others: list[_Slot] = []  # buffers that are not saved
        made: dict[int, Parameter] = {}
        for name, slot, is_saved in _slots_of(module):
            if not is_saved:
                self._others.append(slot)
                continue
            tensor = slot.tensor
            if id(tensor) not in made:
                made[id(tensor)] = self._parameter(name, slot)
            param = self._reg_params[name] = made[id(tensor)]
            self._slots.append((slot, param))
            if isinstance(param, TorchParameter) and param.is_in(tensor):
                self._own.append((slot, param))
        module.eval()

    def _check(self, module: object) -> None:
        where = f"TorchBlock '{self.name}'"
        if not isinstance(module, nn.Module):
            msg = (
                f"{where}: an object of type {type(module).__name__} was given. Expected a "
                f"torch.nn.Module. Pass a module, such as torch.nn.Linear(2, 3)."
            )
            raise BlockTypeError(msg)
        for name, tensor in (*module.named_parameters(), *module.named_buffers()):
            if tensor.is_meta or isinstance(tensor, _UNKNOWN):
                msg = (
                    f"{where}: '{name}' of {type(module).__name__} has no values yet. Expected a "
                    f"module whose tensors have their shapes and values. Call a lazy module on a "
                    f"batch of data first; use to_empty() and load_state_dict() for one on 'meta'."
                )
                raise InvalidArgumentError(msg)

    def _parameter(self, name: str, slot: _Slot) -> Parameter:
        full = self.prefix + name.replace(".", "_")
        if full in self.params:
            full = self.prefix + name
        shared = self._params._find(full)
        source = slot.tensor
        if shared is None:
            param = TorchParameter(full, source, is_buffer=slot.kind == "_buffers")
            self._params.update({full: param})
            return param
        if shared.shape != tuple(source.shape):
            msg = (
                f"TorchBlock '{self.name}': parameter {full!r} to share has shape {shared.shape}. "
                f"Expected {tuple(source.shape)}, as the module's. Share one of the same sizes."
            )
            raise ParameterError(msg)
        return shared

    @property
    def module(self) -> nn.Module:
        """The torch module."""
        return self._torch_module

    @override
    def __repr__(self) -> str:
        return f"{type(self).__name__}(\n{textwrap.indent(repr(self._torch_module), '  ')}\n)"

    # --- calling ----------------------------------------------------------------------------

    @override
    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Run the module on arrays; see `Block.__call__`."""
        return Block.__call__(self, *args, **kwargs)

    @override
    def forward(self, *args: Any, **kwargs: Any) -> Any:
        """Compute the module's results on arrays, which may be nested in the arguments."""
        if has_symbols(args, kwargs):
            msg = (
                f"TorchBlock '{self.name}': a Symbol was given. Expected arrays: a torch module "
                f"has no graph of MXNet's operators. Export the network by torch: "
                f"torch.export.export(net.to_torch(), (x,))."
            )
            raise ExportError(msg)
        array = first_array((args, kwargs))
        cls: type[NDArray] = ndarray if is_np_array() else NDArray
        if array is not None:
            cls = type(array)
        ctx = current_context() if array is None else array.context
        self._follow_module()
        tensors = [unwrap(_values_of(param, ctx, cls)) for _, param in self._slots]
        given = map_arrays(unwrap, args), map_arrays(unwrap, kwargs)
        flags = bool(state.recording), state.training
        outputs, template = run_module(self, flags, ctx.device, tensors, *given)
        arrays = [_array(output, ctx, cls) for output in outputs]
        return _filled(template, arrays)

    def _follow_module(self) -> None:
        """Take over tensors that were put into the module, or moved there, by torch's means."""
        for slot, param in self._own:
            tensor = slot.tensor
            if not param.is_in(tensor):
                param.follow(tensor)
                for other, tied in self._slots:
                    if tied is param:
                        other.put(tensor)

    @override
    def cast(self, dtype: DTypeLike) -> None:
        """Turn parameters and buffers of floating-point numbers into another dtype."""
        super().cast(dtype)
        for slot in self._others:
            if slot.tensor.dtype.is_floating_point:
                slot.put(slot.tensor.to(torch_dtype(dtype)))


def _values_of(param: Parameter, ctx: Context, cls: type[NDArray]) -> NDArray:
    return deferred.stand_in(param, cls, ctx) if ctx in deferred.REHEARSALS else param.data(ctx)


def _slots_of(module: nn.Module) -> Iterator[tuple[str, _Slot, bool]]:
    """Yield name and place of all tensors of a module, and whether each is saved."""
    for path, part in module.named_modules(remove_duplicate=False):
        start = f"{path}." if path else ""
        passing = part.__dict__["_non_persistent_buffers_set"]
        for kind in ("_parameters", "_buffers"):
            for name, tensor in part.__dict__[kind].items():
                if tensor is not None:
                    is_saved = kind == "_parameters" or name not in passing
                    yield start + name, _Slot(part, kind, name), is_saved


# --- running -----------------------------------------------------------------------------------


class _Place(NamedTuple):
    """Where a tensor goes in a nested result."""

    position: int


@opaque  # since a recorder sees torch's functions only, and a module may do anything
def run_module(
    block: TorchBlock,
    flags: tuple[bool, bool],
    device: torch.device,
    tensors: list[Tensor],
    args: tuple[Any, ...],
    kwargs: dict[str, Any],
) -> tuple[tuple[Tensor, ...], Any]:
    """Run a Block's module on tensors, with tensors for its parameters.

    Returns
    -------
    tuple
        The tensors among the results, and what is around them.
    """
    is_recording, is_training = flags
    outputs: list[Tensor] = []

    def place(tensor: Tensor) -> _Place:
        outputs.append(tensor)
        return _Place(len(outputs) - 1)

    slots = [slot for slot, _ in block._slots]  # noqa: SLF001 - the Block's other half
    others = block._others  # noqa: SLF001
    with _lock, torch.set_grad_enabled(is_recording):
        own = [slot.tensor for slot in (*slots, *others)]
        moved = [slot.tensor.to(device) for slot in others]
        given = [*tensors, *moved]
        try:
            for slot, tensor in zip((*slots, *others), given, strict=True):
                slot.put(tensor)
            if is_training:
                _set_mode(block, is_training=True)
            result = block.module(*args, **kwargs)
        finally:
            if is_training:
                _set_mode(block, is_training=False)
            for slot, tensor, before in zip((*slots, *others), given, own, strict=True):
                _keep(slot.tensor, tensor)
                slot.put(before)
        for tensor, before in zip(moved, own[len(slots) :], strict=True):
            _keep(tensor, before)
        template = map_tensors(place, result)
    return tuple(outputs), template


def _set_mode(block: TorchBlock, *, is_training: bool) -> None:
    for part in block.module.modules():
        part.__dict__["training"] = is_training
    for part in block._frozen:  # noqa: SLF001 - the Block's other half
        part.__dict__["training"] = False


def _keep(new: Tensor, tensor: Tensor) -> None:
    """Write into a tensor what a module has put in its place, such as a new running average."""
    if new is not tensor:
        with torch.no_grad():
            tensor.copy_(new)


def _array(tensor: Tensor, ctx: Context, cls: type[NDArray]) -> NDArray:
    if tensor.device != ctx.device:
        ctx = context_of(tensor)
    if not tensor.ndim and cls is NDArray:
        tensor = tensor.reshape(1)
    return wrap(tensor, ctx, cls)


def _filled(template: Any, arrays: list[NDArray]) -> Any:
    if isinstance(template, _Place):
        return arrays[template.position]
    if isinstance(template, dict):
        return type(template)((key, _filled(part, arrays)) for key, part in template.items())
    if isinstance(template, tuple) and hasattr(template, "_fields"):
        return type(template)(*(_filled(part, arrays) for part in template))
    if isinstance(template, (list, tuple)):
        return type(template)(_filled(part, arrays) for part in template)
    return template
