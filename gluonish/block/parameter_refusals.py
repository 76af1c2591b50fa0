"""What a parameter says where it is described wrongly, or lacks what is asked for."""

from __future__ import annotations

import ast
import enum
import re
from typing import TYPE_CHECKING

from gluonish.block.partial_shapes import shown
from gluonish.errors import (
    DeferredInitializationError,
    InvalidArgumentError,
    MXNetError,
    ParameterError,
    UninitializedParameterError,
)
from gluonish.errors.program_arguments import arguments
from gluonish.errors.program_layers import attribute_set, made_in_call, where_written
from gluonish.errors.program_recording import call_above
from gluonish.errors.program_text import names_of_objects, of_function
from gluonish.errors.tracebacks import users_frame
from gluonish.errors.wording import listed

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from gluonish.block.parameter import Parameter
    from gluonish.block.partial_shapes import PartialShape
    from gluonish.context import Context


class State(enum.Enum):
    """How far a parameter's initialization has come."""

    UNINITIALIZED = "initialize() was not called"
    DEFERRED = "initialize() was called, the shape is not known yet"
    READY = "initialized"


def no_name(given: object) -> ParameterError:
    """Return the error for a parameter whose first argument is no name."""
    kind = type(given).__name__
    shape = tuple(getattr(given, "shape", (2, 3)))
    name, text = attribute_set()
    filled = re.search(r"\.(ones|zeros)\(", text)
    init = f", init={filled[1]!r}" if filled else ""
    then = "" if init else f", then net.{name}.set_data(array)"
    return ParameterError(
        f"Parameter: name of type {kind} was given. Expected text. In a Block, write self.{name} = "
        f"self.params.get('{name}', shape={shape}{init}), which net.initialize() finds{then}; "
        f"alone, gluon.Parameter('{name}', shape={shape}{init})."
    )


def no_initializer(name: str, given: float) -> ParameterError:
    """Return the error for a number where an initializer belongs."""
    size = (
        f" for such values; where {given} is a size, give it by the name of its argument, as in "
        f"LSTMCell(20, input_size=10) and Dense(20, in_units=10)"
    )
    return ParameterError(
        f"Parameter {name!r}: init={given} was given. Expected an Initializer or its name. Write "
        f"mx.init.Constant({given}){size if isinstance(given, int) else ''}."
    )


def no_storage(name: str, what: str, given: object) -> ParameterError:
    """Return the error for a storage type that there is not."""
    return ParameterError(
        f"{what} for Parameter {name!r} must be one of 'default', 'row_sparse', or 'csr', but got "
        f"{given!r}. Leave it out for dense arrays."
    )


def no_matrix(name: str) -> ParameterError:
    """Return the error for values that shall be a matrix of stored elements."""
    return ParameterError(
        f"Parameter {name!r}: stype='csr' was given. Expected 'default' or 'row_sparse', which "
        f"initializers can fill. Leave it out for dense arrays."
    )


def no_grad_req(name: str, given: object) -> ParameterError:
    """Return the error for a grad_req that there is not."""
    return ParameterError(
        f"Parameter {name!r}: grad_req must be one of 'write', 'add', or 'null', but got "
        f"{given!r}. Set 'null' for what shall not change, 'write' for what is learnt, 'add' to "
        f"add gradients up."
    )


def negative(name: str, shape: tuple[int, ...]) -> ParameterError:
    """Return the error for a shape with a length below 0."""
    return ParameterError(
        f"Parameter {name!r}: shape dimension size cannot be less than 0, while received "
        f"{min(shape)}. Expected lengths of 1 or more, or 0 where data will tell. Check units, "
        f"in_units, channels, in_channels and the like."
    )


def not_deferred(param: Parameter) -> InvalidArgumentError:
    """Return the error for a shape that is not known, and that no call shall tell."""
    return InvalidArgumentError(
        f"Cannot initialize Parameter {param.name!r} because it has invalid shape: {param.shape}. "
        f"Expected all of its lengths (0, -1 and None are unknown). Give the full shape, or have "
        f"the first batch tell it: self.params.get('weight', shape=..., allow_deferred_init=True)."
    )


def still_unknown(param: Parameter) -> ParameterError:
    """Return the error for a shape that the first call did not tell."""
    return ParameterError(
        f"Cannot initialize Parameter {param.name!r} because it has invalid shape: {param.shape}. "
        f"Please specify in_units, in_channels, etc for `Block`s."
    )


def elsewhere(param: Parameter, wanted: Sequence[Context]) -> ParameterError:
    """Return the error for values loaded for other contexts than those that have them."""
    return ParameterError(
        f"Failed to load Parameter {param.name!r} on {wanted} because it was previously "
        f"initialized on {param.list_ctx()}. Expected the same contexts. Call reset_ctx first, or "
        f"leave ctx out."
    )


def on_no_context(param: Parameter) -> UninitializedParameterError:
    """Return the error for the contexts of what was never initialized."""
    return UninitializedParameterError(
        f"Parameter '{param.name}' has not been initialized. Expected initialize() before. Call "
        f"{_owner(param)}.initialize() first."
    )


def _owner(param: Parameter) -> str:
    """Return what a program calls the Block whose parameters are to be initialized, or `net`.

    Where some of that Block's are, it is the part of it that has the parameter.
    """
    path, inside = _of_program(param)
    is_part = any(each._arrays or each._deferred_init for each in inside)
    return (_written(path) if is_part else path[0]) if path else "net"


def layer_of(param: Parameter) -> str | None:
    """Return how a program reaches the Block that has a parameter, as in `net[0]`; or None."""
    path, _ = _of_program(param)
    return _written(path) if path else None


def how_to_use(params: list[Parameter]) -> str:
    """Return where a forward of the program does not call a Block that it has."""
    rest = "add the loss of what they compute before backward()"
    paths = [path for param in params if (path := layer_of(param)) and path.count(".") == 1]
    for net, _, name in (path.partition(".") for path in paths):
        block = dict(names_of_objects(lambda value: hasattr(value, "collect_params"))).get(net)
        forward = of_function(getattr(type(block), "forward", None))
        text = "" if forward is None else ast.unparse(forward)
        if not text or not name.isidentifier():
            continue
        if f"self.{name}" in text:
            return (
                f"Add the loss of what self.{name} computes to that of the others, inside of 'with "
                f"autograd.record():'"
            )
        called = re.findall(r"self\.(\w+)\(", text)
        twice = [each for each in called if called.count(each) > 1]
        layer = type(getattr(block, name, None))
        alike = [each for each in twice if type(getattr(block, each, None)) is layer]
        if alike:
            other = alike[0]
            where = f"{type(block).__name__}.forward"
            return f"{where} calls self.{other} twice: write self.{name} in one of them; or {rest}"
        if (use := _unused_argument(forward)) is not None:
            return (
                f"Write self.{name}({use[0]}) in {type(block).__name__}.forward{use[1]}; or {rest}"
            )
        x = next((each for each in _chained(forward)), "x")
        where = f"{type(block).__name__}.forward, where it belongs"
        return f"Write {x} = self.{name}({x}) in {where}; or {rest}"
    return f"Have forward() use their Blocks; or {rest}"


def _unused_argument(forward: ast.FunctionDef | None) -> tuple[str, str] | None:
    """Return which of several arguments no layer of a forward takes, and what stands for it."""
    names = [each.arg for each in forward.args.args[1:]] if forward is not None else []
    names = names[names[:1] == ["F"] :]
    inner = [*ast.walk(forward)] if forward is not None else []
    taken = {
        given.id
        for node in inner
        if isinstance(node, ast.Call) and ast.unparse(node.func).startswith("self.")
        for given in node.args
        if isinstance(given, ast.Name)
    }
    free = [name for name in names if name not in taken]
    if len(names) == 1 or len(free) != 1:
        return None
    parts = [
        ast.unparse(node)
        for node in inner
        if isinstance(node, ast.Subscript) and ast.unparse(node.value) == free[0]
    ]
    return free[0], f", in the place of {parts[0]}" if len(parts) == 1 else ", where it belongs"


def _chained(forward: ast.FunctionDef | None) -> Iterator[str]:
    """Give what a forward hands to its last layer."""
    for node in [] if forward is None else forward.body[::-1]:
        call = node.value if isinstance(node, (ast.Return, ast.Assign)) else None
        given = call.args if isinstance(call, ast.Call) else []
        yield from (each.id for each in given[:1] if isinstance(each, ast.Name))


def owners(params: list[Parameter]) -> str:
    """Return the names of parameters, after what the program calls their Blocks."""
    blocks: dict[str | None, list[str]] = {}
    for param in params:
        blocks.setdefault(layer_of(param), []).append(param.name)
    alone = blocks.pop(None, [])
    return listed([f"{block} ({', '.join(names)})" for block, names in blocks.items()] + alone)


def _of_program(param: Parameter) -> tuple[list[str], list[Parameter]]:
    """Return the keys from the largest Block with a name to a parameter's, and all inside it."""
    found: tuple[list[str], list[Parameter]] = ([], [])
    for name, block in names_of_objects(
        lambda value: hasattr(type(value), "_collect_params_with_prefix")
    ):
        try:
            inside = block._collect_params_with_prefix()
        except (MXNetError, AttributeError):  # its constructor has not come to its end
            continue
        path = next((path for path, each in inside.items() if each is param), None)
        if path is not None and len(inside) >= len(found[1]):
            found = ([name, *path.split(".")[:-1]], [*inside.values()])
    return found


def _written(path: list[str]) -> str:
    return "".join(f"[{part}]" if part.isdigit() else f".{part}" for part in path)[1:]


def nothing_to_set(name: str) -> ParameterError:
    """Return the error for values given to what was never initialized."""
    return ParameterError(
        f"Parameter '{name}' has not been initialized. Expected initialize() before set_data(). "
        f"Call it first."
    )


def nothing_to_move(name: str) -> InvalidArgumentError:
    """Return the error for moving what was never initialized."""
    return InvalidArgumentError(
        f"Cannot reset context for Parameter {name!r} because it has not been initialized. "
        f"Expected initialize() before. Call it with ctx=... instead."
    )


def other_shape(
    name: str, known: PartialShape, given: PartialShape, origin: str | None
) -> ParameterError:
    """Return the error for a shape that contradicts the one that a parameter has."""
    how = (
        f"Give values of shape {shown(known)}; for those of shape {shown(given)}, build the layer "
        f"with such sizes; in_units and in_channels may be left out to have them inferred."
    )
    if origin is not None:
        how = (
            f"The shape {shown(known)} was inferred from {origin}. Build the Block anew, or call "
            f"it with data like that."
        )
    if given is not None and known is not None and len(given) > 1 and given == known[::-1]:
        (value,) = arguments(1) or ["x"]
        how = f"It is the other way round: transpose it, with {value}.T."
    return ParameterError(
        f"Parameter {name!r}: shape {shown(given)} was given, which is incompatible with its shape "
        f"{shown(known)}. Expected known dimensions to stay. {how}"
    )


def nothing_given(name: str, shape: tuple[int, ...]) -> ParameterError:
    """Return the error for values without elements of a parameter whose shape is not known."""
    return ParameterError(
        f"Parameter '{name}': set_data was given an array of shape {shape}. Expected elements "
        f"along each axis. Make an array of the shape that the parameter shall have."
    )


def _contexts_with(ctx: Context | None) -> str:
    """Return what a program calls its list of several contexts that has one, or ''."""

    def is_it(value: object) -> bool:
        contexts = value if isinstance(value, list) and len(value) > 1 else []
        return all(type(each) is type(ctx) for each in contexts) and ctx in contexts

    found = names_of_objects(is_it)
    return found[0][0] if len(found) == 1 else ""


def not_there(
    param: Parameter, ctx: Context | None
) -> UninitializedParameterError | DeferredInitializationError:
    """Return the error for values that are not on a context, or not there at all."""
    if param.state is State.READY:
        wanted = next((name for name, _ in names_of_objects(lambda each: each is ctx)), f"mx.{ctx}")
        both = f"[mx.{param.list_ctx()[0]}, mx.{ctx}]"
        line, call = call_above("initialize", f"ctx={wanted}") or (0, "")
        how = f"{call} in line {line}" if line else f"net.collect_params().reset_ctx({wanted})"
        if (several := _contexts_with(ctx)) and line:
            every = call.replace(f"ctx={wanted}", f"ctx={several}")
            return UninitializedParameterError(
                f"Parameter '{param.name}' was not initialized on context {ctx}. It was only "
                f"initialized on {param.list_ctx()}. Expected all of {several}. Write {every} in "
                f"line {line}."
            )
        return UninitializedParameterError(
            f"Parameter '{param.name}' was not initialized on context {ctx}. It was only "
            f"initialized on {param.list_ctx()}. To compute on {ctx}, write {how}; to compute "
            f"where it is, give the net x.as_in_context(mx.{param.list_ctx()[0]}), and move labels "
            f"there, too; ctx={both} is for a part of each batch on both "
            f"(gluon.utils.split_and_load)."
        )
    if param.state is State.DEFERRED:
        return DeferredInitializationError(
            f"Parameter '{param.name}' has not been initialized yet because initialization was "
            f"deferred: its shape {param.shape} is not known. {_how_to_know(param)}"
        )
    if param.is_nowhere:
        where = "" if ctx is None else f" on context {ctx}"
        return UninitializedParameterError(
            f"Parameter '{param.name}' was not initialized{where}. It was only initialized on []: "
            f"ctx was an empty list. Expected a context or more; a list of the GPUs of a machine "
            f"without any is empty. Call net.initialize(ctx=mx.cpu())."
        )
    if made := made_in_call(param):
        return UninitializedParameterError(
            f"Parameter '{param.name}' has not been initialized: {made[0]} is made anew in each "
            f"call, where initialize() does not find it. Write self.{made[1]} = {made[0]} in "
            f"__init__, and {made[2]} here."
        )
    own = param.name.rpartition("_")[2]
    owner = _owner(param)
    path, inside = _of_program(param)
    if path and not any(each._arrays or each._deferred_init for each in inside):
        return UninitializedParameterError(
            f"Parameter '{param.name}' has not been initialized, nor has any other one of {owner}. "
            f"Call {owner}.initialize() before the first call."
        )
    return UninitializedParameterError(
        f"Parameter '{param.name}' has not been initialized. Call {owner}.initialize() "
        f"before the first call, and again for layers that were added after it. Note that you "
        f"should initialize parameters and create Trainer with Block.collect_params() instead of "
        f"Block.params because the later does not include Parameters of nested child Blocks; "
        f"Blocks kept in a list or dict need register_child(), and what a Block learns itself is "
        f"made by self.params.get('{own}', shape=...)."
    )


def _how_to_know(param: Parameter) -> str:
    """Return what makes a parameter's shape known: a first batch, unless its own Block asks."""
    _, frame = users_frame()
    block = None if frame is None else frame.f_locals.get("self")
    name = next((n for n, p in getattr(block, "_reg_params", {}).items() if p is param), None)
    if name is not None:
        held = () if frame is None else frame.f_locals.values()
        shapes = [each.shape for each in held if hasattr(each, "as_in_context")]
        is_vector = param.shape in ((0,), (-1,)) and bool(shapes) and len(shapes[0]) == len("NC")
        shape = f"({shapes[0][1]},)" if is_vector else "..."
        return (
            f"Nothing infers it in the forward pass of {type(block).__name__} itself. Expected a "
            f"length for each axis. Write them in "
            f"self.params.get('{param.name.rpartition('_')[2]}', shape={shape}), where a 0 stands "
            f"for one that is not known."
        )
    return (
        "Actual initialization happens during the first forward pass. Please pass one batch of "
        "data through the network before accessing Parameters: net(x), for example. You can also "
        "avoid deferred initialization by specifying in_units (Dense), in_channels (Conv2D, "
        "BatchNorm) or input_size (LSTM) for network layers."
    )


def no_gradient(param: Parameter) -> UninitializedParameterError:
    """Return the error for a gradient that is not there."""
    line = f" to 'write'{where_written('null')}" if param.grad_req == "null" else ""
    return UninitializedParameterError(
        f"Cannot get gradient array for Parameter '{param.name}' because "
        f"grad_req='{param.grad_req}'. Expected 'write' or 'add', and a floating-point "
        f"dtype. Leave out what is frozen, by `if p.grad_req != 'null'`, or set its grad_req{line}."
    )


def not_in_rows(param: Parameter, where: str) -> UninitializedParameterError:
    """Return the error for rows of a parameter whose values are dense."""
    return UninitializedParameterError(
        f"Cannot return a copy of Parameter '{param.name}' via {where}() because its "
        f"storage type is {param._stype}. Expected 'row_sparse'. Please use data() instead."
    )


def without_trainer(param: Parameter) -> UninitializedParameterError:
    """Return the error for rows of a parameter that nobody updates."""
    return UninitializedParameterError(
        f"Cannot get row_sparse data for Parameter '{param.name}' when no Trainer is created with "
        f"it. Expected a gluon.Trainer that was given the parameter. Make the Trainer first."
    )


def not_dense(
    param: Parameter, ctx: Context | None = None, where: str = "data"
) -> UninitializedParameterError:
    """Return the error for all values of a parameter that has some rows only."""
    return UninitializedParameterError(
        f"Cannot return a copy of Parameter '{param.name}' on ctx {ctx} via {where}() because "
        f"its storage type is {param._stype}. Expected 'default'. Please use row_sparse_data() "
        f"instead."
    )
