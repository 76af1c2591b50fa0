"""What a Block does around its forward: registration, parameters on hand."""

from __future__ import annotations

import ast
import inspect
import re
import warnings
from typing import TYPE_CHECKING, Any

import numpy as onp
import torch

from gluonish.array import NDArray, ndarray
from gluonish.block import deferrals, deferred
from gluonish.block.frontends import FRONTENDS
from gluonish.block.hooks import is_watched
from gluonish.block.parameter import Parameter, State
from gluonish.block.parameter_dict import ParameterDict
from gluonish.errors import (
    BlockError,
    BlockTypeError,
    InvalidArgumentError,
    ParameterError,
    RecursiveBlockError,
    UnknownArgumentError,
    habits,
)
from gluonish.errors.arguments import how_to_array, unknown_keywords
from gluonish.errors.habits.keywords import POSITIONS
from gluonish.errors.program_text import of_function
from gluonish.errors.tracebacks import users_level
from gluonish.errors.wording import class_name
from gluonish.hybrid import ChangeCounts
from gluonish.hybrid.recorder import report
from gluonish.hybrid.structure import first_array
from gluonish.late import LateModule

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from types import ModuleType

    from gluonish.block.block import Block, HybridBlock
    from gluonish.hybrid import backends, graphs
    from gluonish.hybrid.backends import Backend
    from gluonish.hybrid.graphs import GraphCache
else:
    backends = LateModule("gluonish.hybrid.backends")
    graphs = LateModule("gluonish.hybrid.graphs")

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
    # Which inputs of MXNet's cached operator are data: a captured graph tells them apart itself.
    **dict.fromkeys(
        ("data_indices", "param_indices"),
        lambda value: all(isinstance(each, int) for each in onp.ravel(value).tolist()),
    ),
}


# --- registration ---------------------------------------------------------------------------


def not_constructed(block: Block) -> BlockError:
    """Return the error for a Block whose constructor did not call its parent's."""
    name = type(block).__name__
    kinds = [one.kind for one in inspect.signature(type(block).__init__).parameters.values()]
    more = "**kwargs" if inspect.Parameter.VAR_KEYWORD in kinds else ""
    msg = (
        f"'{name}' object has no attribute '_children': the {name} was used, or given a layer or a "
        f"parameter, before its parent's constructor ran. Expected super().__init__({more}) as "
        f"the first line of {name}.__init__. {_called_late(type(block))}."
    )
    return BlockError(msg)


def _called_late(cls: type) -> str:
    """Return what to do with the call of a parent's constructor: move it, if it is there."""
    tree = of_function(vars(cls).get("__init__"))
    for node in tree.body[1:] if tree is not None else ():
        call = node.value if isinstance(node, ast.Expr) else None
        text = ast.unparse(call) if isinstance(call, ast.Call) else ""
        if re.match(r"(super\(.*\)|\w+(\.\w+)*)\.__init__\(", text):
            line = node.lineno + inspect.getsourcelines(vars(cls)["__init__"])[1] - 1
            return f"Move {text} there from line {line}"
    return "Add it"


class NotConstructed:
    """Stands for an attribute that the constructor sets, until it does."""

    def __get__(self, block: Block | None, owner: type[Block]) -> Any:
        """Tell what was forgotten."""
        if block is None:
            return self
        raise not_constructed(block)


def unknown_arguments(block: Block, given: Mapping[str, object]) -> UnknownArgumentError:
    """Return the error for keywords that no constructor of a Block's class takes."""
    known: dict[str, None] = {}
    classes = type(block).__mro__[:-1]
    for cls in classes:
        if "__init__" in vars(cls):
            parameters = inspect.signature(vars(cls)["__init__"]).parameters.values()
            kinds = (inspect.Parameter.VAR_KEYWORD, inspect.Parameter.POSITIONAL_ONLY)
            known.update((one.name, None) for one in parameters if one.kind not in kinds)
    known.pop("self", None)
    return unknown_keywords([cls.__name__ for cls in classes], given, known)


def no_prefix(block: Block, prefix: object) -> BlockTypeError:
    """Return the error for a first argument that is no prefix, of a class that takes only that."""
    name = type(block).__name__
    hint = POSITIONS.get(name, f"Write {name}(), or name the arguments")
    msg = f"{name}: prefix={prefix!r} was given. Expected text, or nothing at all. {hint}."
    return BlockTypeError(msg)


_ACTIVATIONS = ("ReLU", "Sigmoid", "Tanh")  # of PyTorch, that have the name of ours


def _made(cls: type) -> str:
    """Return how a class is made an object: `Flatten()`, `Dense(...)`."""
    needed = [
        each
        for each in inspect.signature(cls).parameters.values()
        if each.default is each.empty and each.kind is each.POSITIONAL_OR_KEYWORD
    ]
    return f"{cls.__name__}({'...' if needed else ''})"


def how_to_make_a_child(
    child: object, function_block: str, parent: str = "the one that takes it"
) -> str:
    """Return the sentence that says how something becomes a Block."""
    if isinstance(child, type):
        return f"Write {_made(child)}: a layer is an object of its class."
    if isinstance(child, (list, tuple)):
        return "Write net.add(*layers), with the star, for the layers of a list."
    if isinstance(child, torch.nn.Module):
        name = type(child).__name__
        ours = f"nn.Activation({name.lower()!r}) is Gluon's. " if name in _ACTIVATIONS else ""
        return f"{ours}Write gluon.TorchBlock(module): a module of PyTorch becomes a Block by it."
    if hasattr(child, "register_child"):
        return (
            f"Derive {type(child).__name__} from gluon.HybridBlock, with a "
            f"hybrid_forward(self, F, x), or make {parent} an nn.Sequential()."
        )
    if isinstance(child, str):
        return f"Write nn.Activation({child!r}), if that is a function's name."
    if isinstance(child, dict):
        return "Write Sequential(*blocks.values()), or net.add(block) for each."
    name = getattr(child, "__name__", "")
    if name in habits.LAYERS_OF_FUNCTIONS:
        return f"Write {habits.LAYERS_OF_FUNCTIONS[name]} in its place, which is a Block."
    named = name if name.isidentifier() else "function"
    of_both = function_block == "HybridLambda"
    given = f"lambda F, x: {named}(x)" if of_both else named
    return f"Make it a Block; a function becomes one with nn.{function_block}({given})."


def shown(child: object) -> str:
    """Return how an error names what was to be a child."""
    if isinstance(child, type):
        return f"the class {child.__name__} of type {type(child)}"
    if inspect.isroutine(child):
        return f"{getattr(child, '__name__', 'one')}, a function,"
    if hasattr(child, "register_child"):
        return f"a {type(child).__name__} of type {type(child)}"
    return f"{child!r} of type {type(child)}"


def check_child(block: Block, child: object, kind: type[Block]) -> None:
    """Refuse children that are no Blocks, or that have the Block inside them."""
    if not isinstance(child, kind):
        msg = (
            f"{type(block).__name__} '{block.name}': {shown(child)} was to be a child. Expected a "
            f"Block. {how_to_make_a_child(child, 'Lambda')}"
        )
        raise BlockTypeError(msg)
    if child is block or (child._children and _has_inside(child, block)):
        msg = (
            f"{type(block).__name__} '{block.name}': it was to be its own child"
            f"{'' if child is block else f', by way of {type(child).__name__} {child.name!r}'}. "
            f"Expected Blocks that form a tree. To keep a Block without making it a child, put "
            f"it into a tuple, as in self.other = (block,)."
        )
        raise RecursiveBlockError(msg)


def of_one_kind(block: Block, result: Any) -> Any:
    """Return results, unless they are arrays of both kinds where programs use NumPy's.

    Raises
    ------
    BlockTypeError
        They are.
    """
    kinds = {isinstance(array, ndarray) for array in _arrays(result)}
    if len(kinds) > 1:
        msg = (
            f"{type(block).__name__} '{block.name}': it returned arrays of mx.np and of mx.nd. "
            f"Expected Block's output ndarrays/symbols to be of type `mxnet.numpy.ndarray` or "
            f"`mxnet.symbol.numpy._Symbol`. Write x.as_np_ndarray() for those of mx.nd."
        )
        raise BlockTypeError(msg)
    return result


def _arrays(result: object) -> Iterator[NDArray]:
    if isinstance(result, NDArray):
        yield result
    elif isinstance(result, (list, tuple)):
        for each in result:
            yield from _arrays(each)


def _has_inside(block: Block, wanted: Block) -> bool:
    return any(
        child is wanted or (child._children and _has_inside(child, wanted))
        for child in block._children.values()
    )


def _how_to_set(name: str, existing: object, value: object) -> str:
    if isinstance(existing, Parameter) and hasattr(value, "asnumpy"):
        return f"Write net.{name}.set_data(array) for another value, or use another attribute name."
    if isinstance(value, type) and hasattr(value, "collect_params"):
        return f"Write net.{name} = {_made(value)}: a layer is an object of its class."
    if hasattr(existing, "collect_params") and hasattr(value, "collect_params"):
        kind, other = type(existing).__name__, type(value).__name__
        return (
            f"Give it a {kind}; or, for a {other}, build a network of the parts: net2 = "
            f"nn.HybridSequential(), then net2.add(net.features, head), for example. Under another "
            f"attribute name forward() would not call it."
        )
    if hasattr(existing, "collect_params") and callable(value):
        return (
            "No function takes the place of a layer. Leave it, and call the part of the net that "
            "is wanted, as in net.features(x), with the function on what that returns."
        )
    return "Use another attribute name."


def check_replacement(block: Block, name: str, existing: object, value: object) -> None:
    """Refuse to replace a child or a parameter by something of another kind."""
    if isinstance(value, type(existing)):
        return
    msg = (
        f"{type(block).__name__} '{block.name}': Changing attribute type for {name} from "
        f"{type(existing)} to {type(value)} is not allowed. Expected the same type. "
        f"{_how_to_set(name, existing, value)}"
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
    deferrals.joined()
    if param.is_read_by_methods:
        block.__dict__["_has_own_forward"] = True  # calls then ask each parameter
    ChangeCounts.structure_changed()


def warn_of_hidden_blocks(block: Block) -> None:
    """Warn of children in lists and dictionaries, whose parameters nobody would find."""
    for name in dict(hidden_blocks(block)):
        label = f"{type(block).__name__}.{name}"
        warnings.warn(
            f'"{label}" is an unregistered container with Blocks. Note that Blocks inside the '
            f"list, tuple or dict will not be registered automatically. Make sure to register "
            f"them using register_child() or switching to nn.Sequential/nn.HybridSequential "
            f"instead. ",
            stacklevel=users_level(),
        )


def hidden_blocks(block: Block) -> Iterator[tuple[str, Any]]:
    """Yield attributes that are lists or dictionaries, and each Block in them that is no child."""
    children = set(block._children.values())
    for name, value in block.__dict__.items():
        if name.startswith("__") or name in ("_children", "_reg_params"):
            continue
        if isinstance(value, (list, tuple, dict)):
            yield from ((name, part) for part in _blocks_in(value) if part not in children)


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
        pattern = _pattern(block, select)
        found.update({n: p for n, p in block.params.items() if pattern.match(n)})
    for child in block._children.values():
        found.update(child.collect_params(select=select))
    if select is not None and not found:
        found.note_search(select, block.collect_params())
    return found


def _pattern(block: Block, select: object) -> re.Pattern[str]:
    try:
        return re.compile(select)  # type: ignore[call-overload, no-any-return]
    except (re.error, TypeError) as error:
        how = "Write '.*weight' for all names that end so"
        if isinstance(select, str) and select.startswith("*"):
            how = f"Write '.{select}': a dot is any character, a star repeats it"
        msg = (
            f"{type(block).__name__} '{block.name}': collect_params({select!r}): {error}. Expected "
            f"a regular expression that names match from their start. {how}."
        )
        raise InvalidArgumentError(msg) from error


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
        raise no_array(block, args)
    frontend = FRONTENDS.get(type(array))
    if frontend is None:
        frontend = next(f for cls, f in reversed(FRONTENDS.items()) if isinstance(array, cls))
    params = block._reg_params
    has_unknown = not all(param.is_shape_known() for param in params.values())
    if has_unknown and block._has_own_infer_shape:
        block.infer_shape(*args)
        has_unknown = False
    if array.context in deferred.REHEARSALS:
        cls = type(array)
        return frontend, {
            name: deferred.stand_in(p, cls, array.context) for name, p in params.items()
        }
    if any(param.state is State.DEFERRED for param in params.values()):
        if has_unknown:
            deferred.infer_shapes(block, args, kwargs)
        for param in block.params.values():
            param._finish_deferred_init()
    return frontend, {name: param.data(array.context) for name, param in params.items()}


def no_array(block: Block, args: tuple[Any, ...]) -> InvalidArgumentError:
    """Return the error for a call without any array."""
    given = args[:1] if args[1:] and not any(each is not None for each in args[1:]) else args
    kinds = ["None" if value is None else class_name(value) for value in given]
    if len(kinds) == 1 and isinstance(given[0], (onp.ndarray, torch.Tensor, list, tuple)):
        how = how_to_array(args[0], "Write net(mx.nd.array(x)), or net(mx.np.array(x))")
        if isinstance(given[0], tuple) and None in given[0]:
            how = "Leave this call out: the first one with an array finds the shapes"
        if isinstance(args[0], torch.Tensor):
            how = "Write net(mx.nd.from_torch(x)), which shares its memory"
    else:
        how = "Make arrays with mx.nd.array or mx.np.array"
        if not args:
            how = "Give it the data, as in net(x); where it is made, leave the second () out"
        how = how_to_array(args[0], how) if args else how
    msg = (
        f"{type(block).__name__} '{block.name}': {', '.join(kinds) or 'nothing'} was given. In "
        f"HybridBlock, there must be one NDArray or one Symbol in the input. Please check the "
        f"type of the args. {how.rstrip('.')}."
    )
    return InvalidArgumentError(msg)


# --- hybridization --------------------------------------------------------------------------


def hybridize(block: Block, active: object, options: dict[str, Any]) -> None:
    """Switch capturing on or off for a Block and its children."""
    where = f"{type(block).__name__} '{block.name}': hybridize()"
    if isinstance(active, str):
        msg = (
            f"{where}: active={active!r} was given. Expected True or False. Name a backend by "
            f"its keyword: hybridize(backend={active!r})."
        )
        raise InvalidArgumentError(msg)
    given = without_hints(where, options)
    chosen, fuses = given.pop("backend", None), given.pop("fuse_loop", None)
    if given and chosen in (None, "auto", "fx"):
        msg = (
            f"{where} was given {', '.join(sorted(given))}. Expected options among backend, "
            f"{', '.join(sorted(_HINTS))}. Leave the others out, or name the backend they are for."
        )
        raise BlockTypeError(msg)
    backend = backends.resolve(chosen, given, where) if active else None
    if backend is not None and fuses is False:
        backend.fuses_loops = False
    if backends.is_switched_off():
        backend = None
    block._graphs = None if backend is None else graphs_for(block, backend)
    for child in block._children.values():
        child.hybridize(bool(active), **options)
    ChangeCounts.structure_changed()


def without_hints(where: str, options: Mapping[str, Any]) -> dict[str, Any]:
    """Return options but MXNet's hints to its engine, which are checked.

    Raises
    ------
    InvalidArgumentError
        A hint has another type than it should.
    """
    given = dict(options)
    for name, check in _HINTS.items():
        value = given.pop(name, None)
        if value is not None and not check(value):
            msg = (
                f"{where}: {name}={value!r} was given. Expected True or False, or for limits and "
                f"sizes a number of operators from 0. Leave it out."
            )
            raise InvalidArgumentError(msg)
    return given


def graphs_for(block: Block, backend: Backend) -> GraphCache:
    """Return an empty cache for a Block's captured graphs."""
    return graphs.GraphCache(block, _obstacle, _initialize, backend)


def graphs_for_loops(block: Block) -> GraphCache:
    """Return an empty cache for a Block that nobody hybridized, which says nothing."""
    found = graphs_for(block, backends.resolve("auto", {}, "a loop"))
    found.is_quiet = True
    return found


def _initialize(block: Block, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
    if hasattr(block, "hybrid_forward"):
        deferred.initialize_in_graph_order(block, args, kwargs)  # type: ignore[arg-type]


def _obstacle(block: Block) -> str | None:
    if "hybrid_forward" in block.__dict__:
        return f"{type(block).__name__} '{block.name}' has operator hooks"
    for param in block._reg_params.values():
        if param.is_read_by_methods:
            return f"{type(param).__name__} '{param.name}' has methods of its own for its values"
    for child in block._children.values():
        if is_watched(child):
            return f"{type(child).__name__} '{child.name}' has hooks"
        reason = _obstacle(child)
        if reason is not None:
            return reason
    return None
