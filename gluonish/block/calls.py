"""What a Block does around its forward: registration, parameters on hand, notes on errors."""

from __future__ import annotations

import re
import warnings
from typing import TYPE_CHECKING, Any

from typing_extensions import override

from gluonish.block import deferred
from gluonish.block.frontends import FRONTENDS
from gluonish.block.parameter import Parameter, State
from gluonish.block.parameter_dict import ParameterDict
from gluonish.errors import BlockError, BlockTypeError, InvalidArgumentError, ParameterError
from gluonish.hybrid import GraphCache, Structure
from gluonish.hybrid.backends import Backend, is_switched_off, resolve
from gluonish.hybrid.recorder import report
from gluonish.hybrid.structure import first_array, map_arrays

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from types import ModuleType

    from gluonish.array import NDArray
    from gluonish.block.block import Block, HybridBlock

# MXNet's hints to its engine, which a captured graph does not need, and what they may be.
_HINTS: dict[str, Callable[[Any], bool]] = {
    **dict.fromkeys(
        ("static_alloc", "static_shape", "clear", "partition_if_dynamic"),
        lambda value: isinstance(value, (bool, int)),
    ),
    **dict.fromkeys(
        ("inline_limit", "forward_bulk_size", "backward_bulk_size"),
        lambda value: isinstance(value, int) and value >= 0,
    ),
}

_LONGEST = 100  # characters of an argument in a note


# --- registration ---------------------------------------------------------------------------


def not_constructed(block: Block) -> BlockError:
    """Return the error for a Block whose constructor did not call its parent's."""
    name = type(block).__name__
    msg = (
        f"'{name}' object has no attribute '_children': the {name} was used, or given a layer or a "
        f"parameter, before its parent's constructor ran. Expected super().__init__(**kwargs) as "
        f"the first line of {name}.__init__. Add it."
    )
    return BlockError(msg)


class NotConstructed:
    """Stands for an attribute that the constructor sets, until it does."""

    def __get__(self, block: Block | None, owner: type[Block]) -> Any:
        """Tell what was forgotten."""
        if block is None:
            return self
        raise not_constructed(block)


def check_replacement(block: Block, name: str, existing: object, value: object) -> None:
    """Refuse to replace a child or a parameter by something of another kind."""
    if isinstance(value, type(existing)):
        return
    msg = (
        f"{type(block).__name__} '{block.name}': Changing attribute type for {name} from "
        f"{type(existing)} to {type(value)} is not allowed. Expected the same type. Use another "
        f"attribute name."
    )
    raise BlockTypeError(msg)


def note_change(block: Block, name: str, value: object) -> None:
    """Tell captured graphs that an attribute is set, unless it stays the same object."""
    attributes = block.__dict__
    if name in ("_graphs", "_watchers") or (name in attributes and attributes[name] is value):
        return
    what = f"attribute '{name}' of {type(block).__name__}"
    report(f"{what} is set")
    if "_watchers" in attributes:
        attributes["_watchers"].tell(what)


def register_parameter(block: Block, name: str, param: Parameter) -> None:
    """Make a parameter one of the Block's own."""
    try:
        registered = block._reg_params
    except AttributeError as error:
        raise not_constructed(block) from error
    if registered.get(name, param) is not param:
        msg = (
            f"Overriding Parameter attribute {name} is not allowed. If you want to share "
            f"parameters, pass params=other.params when the Block is constructed."
        )
        raise ParameterError(msg)
    registered[name] = param
    Structure.changed()


def warn_of_hidden_blocks(block: Block) -> None:
    """Warn of children in lists and dictionaries, whose parameters nobody would find."""
    children = set(block._children.values())
    for name, value in block.__dict__.items():
        if name.startswith("__") or name in ("_children", "_reg_params"):
            continue
        if isinstance(value, (list, tuple, dict)) and any(
            part not in children for part in _blocks_in(value)
        ):
            label = f"{type(block).__name__}.{name}"
            warnings.warn(
                f'"{label}" is an unregistered container with Blocks. Note that Blocks inside the '
                f"list, tuple or dict will not be registered automatically. Make sure to register "
                f"them using register_child() or switching to nn.Sequential/nn.HybridSequential "
                f"instead. ",
                stacklevel=4,
            )


def _blocks_in(value: Any) -> Iterator[Any]:
    if isinstance(value, dict):
        value = value.values()
    elif not isinstance(value, (list, tuple)):
        if hasattr(value, "_reg_params"):
            yield value
        return
    for part in value:
        yield from _blocks_in(part)


# --- parameters -----------------------------------------------------------------------------


def collect_params(block: Block, select: str | None) -> ParameterDict:
    """Return the parameters of a Block and its children, by full name."""
    warn_of_hidden_blocks(block)
    found = ParameterDict(block.params.prefix)
    if select is None:
        found.update(block.params)
    else:
        pattern = re.compile(select)
        found.update({n: p for n, p in block.params.items() if pattern.match(n)})
    for child in block._children.values():
        found.update(child.collect_params(select=select))
    return found


def prepare(
    block: HybridBlock, args: tuple[Any, ...], kwargs: dict[str, Any]
) -> tuple[ModuleType, dict[str, NDArray]]:
    """Return front end and parameters for a call that is out of the ordinary.

    It is the first one, it has no array as first argument, or it only infers shapes.

    Raises
    ------
    InvalidArgumentError
        There is no array among the arguments.
    """
    array = first_array((args, kwargs))
    if array is None:
        raise no_array(block)
    frontend = FRONTENDS.get(type(array))
    if frontend is None:
        frontend = next(f for cls, f in reversed(FRONTENDS.items()) if isinstance(array, cls))
    params = block._reg_params
    has_unknown = not all(param.is_shape_known() for param in params.values())
    if has_unknown and block._has_own_infer_shape:
        block.infer_shape(*args)
        has_unknown = False
    if array._ctx in deferred.REHEARSALS:
        cls = type(array)
        return frontend, {name: deferred.stand_in(p, cls, array._ctx) for name, p in params.items()}
    if any(param.state is State.DEFERRED for param in params.values()):
        if has_unknown:
            deferred.infer_shapes(block, args, kwargs)
        for param in block.params.values():
            param._finish_deferred_init()
    return frontend, {name: param.data(array._ctx) for name, param in params.items()}


def no_array(block: Block) -> InvalidArgumentError:
    """Return the error for a call without any array."""
    msg = (
        f"{type(block).__name__} '{block.name}': In HybridBlock, there must be one NDArray or one "
        f"Symbol in the input. Please check the type of the args. Make arrays with mx.nd.array or "
        f"mx.np.array."
    )
    return InvalidArgumentError(msg)


# --- hybridization --------------------------------------------------------------------------


def hybridize(block: Block, active: bool, options: dict[str, Any]) -> None:
    """Switch capturing on or off for a Block and its children."""
    where = f"{type(block).__name__} '{block.name}': hybridize()"
    given = dict(options)
    for name, check in _HINTS.items():
        value = given.pop(name, None)
        if value is not None and not check(value):
            msg = (
                f"{where}: {name}={value!r} was given. Expected True or False, or for limits and "
                f"sizes a number of operators from 0. Leave it out."
            )
            raise InvalidArgumentError(msg)
    chosen = given.pop("backend", None)
    if given and chosen in (None, "auto", "fx"):
        msg = (
            f"{where} was given {', '.join(sorted(given))}. Expected options among backend, "
            f"{', '.join(sorted(_HINTS))}. Leave the others out, or name the backend they are for."
        )
        raise BlockTypeError(msg)
    backend = resolve(chosen, given, where) if active else None
    if is_switched_off():
        backend = None
    block._graphs = None if backend is None else graphs_for(block, backend)
    for child in block._children.values():
        child.hybridize(active, **options)
    Structure.changed()


def graphs_for(block: Block, backend: Backend) -> GraphCache:
    """Return an empty cache for a Block's captured graphs."""
    return GraphCache(block, _obstacle, _initialize, backend)


def _initialize(block: Block, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
    if hasattr(block, "hybrid_forward"):
        deferred.initialize_in_graph_order(block, args, kwargs)  # type: ignore[arg-type]


def _obstacle(block: Block) -> str | None:
    if "hybrid_forward" in block.__dict__:
        return f"{type(block).__name__} '{block.name}' has operator hooks"
    for child in block._children.values():
        if child._forward_hooks or child._forward_pre_hooks:
            return f"{type(child).__name__} '{child.name}' has hooks"
        reason = _obstacle(child)
        if reason is not None:
            return reason
    return None


# --- errors ---------------------------------------------------------------------------------


def explain(block: Block, error: Exception, args: tuple[Any, ...]) -> None:
    """Add to an error where it happened: the Block, and the shapes that it was given.

    Raises
    ------
    BlockError
        The Block's constructor did not call its parent's.
    """
    if "_children" not in block.__dict__:
        raise not_constructed(block) from error
    shapes = map_arrays(_describe, args)
    error.add_note(f"in {type(block).__name__} '{block.name}' called with {_short(shapes)}")


def _describe(array: NDArray) -> Any:
    tensor = getattr(array, "_tensor", None)
    if tensor is None:
        return _Text("array of unknown shape")
    dtype = str(tensor.dtype).removeprefix("torch.")
    return _Text(f"{dtype} {tuple(tensor.shape)} on {array._ctx}")


def _short(value: Any) -> str:
    if isinstance(value, tuple):
        return ", ".join(map(_short, value)) or "nothing"
    text = repr(value)
    return text if len(text) <= _LONGEST else type(value).__name__


class _Text(str):
    """Text that shows without quotes."""

    __slots__ = ()

    @override
    def __repr__(self) -> str:
        return str(self)
