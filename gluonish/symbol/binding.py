"""`Symbol.bind`, `simple_bind` and `eval`: graphs get arrays."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any, NamedTuple

import torch

from gluonish.array.contexts import is_one_place
from gluonish.array.core import NDArray
from gluonish.array.dtypes import numpy_dtype, torch_dtype
from gluonish.context import Context, current_context
from gluonish.errors import (
    ContextError,
    DTypeError,
    GradientRequestError,
    InvalidArgumentError,
    MXNetError,
    ShapeError,
    SymbolError,
    SymbolNameError,
    SymbolTypeError,
)
from gluonish.errors.arguments import value_text
from gluonish.errors.program_arguments import arguments, with_keyword
from gluonish.errors.program_text import name_of
from gluonish.errors.suggestions import did_you_mean, nearest
from gluonish.errors.wording import class_name
from gluonish.symbol import attributes, dtype_inference, shape_inference, storages
from gluonish.symbol.attributes import some
from gluonish.symbol.executor import Executor
from gluonish.symbol.graph import order, variables
from gluonish.symbol.inference import declared_dtypes, declared_shapes
from gluonish.symbol.memory import zeros
from gluonish.symbol.missing_arrays import WEIGHTS, all_of, in_a_dictionary, no_arrays
from gluonish.symbol.reshaping import part_of
from gluonish.symbol.shape_inference import known_part
from gluonish.symbol.storages import DEFAULT

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence
    from typing import TypeAlias

    from gluonish.symbol.graph import Entry, Node
    from gluonish.symbol.shape_inference import Shape
    from gluonish.symbol.symbol import Symbol

    Arrays: TypeAlias = "Sequence[NDArray | None] | Mapping[str, NDArray] | None"
    Requests: TypeAlias = "str | Sequence[str] | Mapping[str, str]"

_REQUESTS = ("null", "write", "add")
_FEW = 3  # shapes that an error repeats
_STORAGE = ("default", "row_sparse", "csr")


class _Names(NamedTuple):
    """The variables of a graph."""

    nodes: list[Node]
    arguments: list[str]
    states: list[str]


def bind(
    symbol: Symbol,
    ctx: Context,
    args: Arrays,
    args_grad: Arrays,
    grad_req: Requests,
    aux_states: Arrays,
    group2ctx: Mapping[str, Context] | None,
    shared_exec: object,
) -> Executor:
    """Return an Executor for arrays; see `Symbol.bind`."""
    _check_context(ctx)
    if not isinstance(shared_exec, (Executor, type(None))):
        msg = f"bind: shared_exec={shared_exec!r} was given. Expected an Executor, or None."
        raise SymbolTypeError(msg)
    names = _names(symbol)
    arrays = _by_name(args, names.arguments, "args", symbol)
    arrays |= _by_name(aux_states, names.states, "aux_states")
    grads = _some_by_name(args_grad, names.arguments)
    requests = _requests(grad_req, names.arguments)
    contexts = _contexts(names.nodes, ctx, group2ctx)
    places = _places(names.nodes, ctx, contexts)
    for name, array in arrays.items():
        _check_place(name, array, places[name], is_alone=not contexts)
    for name, grad in grads.items():
        _check_grad(name, grad, arrays[name])
    shapes = shape_inference.infer(
        symbol.entries, {name: array.shape for name, array in arrays.items()}
    )
    dtypes = dtype_inference.infer(
        symbol.entries, {name: storages.dtype_of(array) for name, array in arrays.items()}
    )
    return Executor(symbol, ctx, arrays, grads, requests, shapes, dtypes, contexts)


def simple_bind(
    symbol: Symbol,
    ctx: Context | None,
    grad_req: Requests,
    type_dict: Mapping[str, Any] | None,
    stype_dict: Mapping[str, str] | None,
    group2ctx: Mapping[str, Context] | None,
    shared: Shared,
    shapes: Mapping[str, Any],
) -> Executor:
    """Return an Executor with arrays of its own; see `Symbol.simple_bind`."""
    ctx = current_context() if ctx is None else ctx
    _check_context(ctx)
    for name, stype in (stype_dict or {}).items():
        if stype not in _STORAGE:
            msg = (
                f"simple_bind: storage {stype!r} was asked for {name!r}. Expected 'default', "
                f"'row_sparse' or 'csr'. Leave it out of stype_dict for a dense array."
            )
            raise InvalidArgumentError(msg)
    names = _names(symbol)
    requests = _requests(grad_req, names.arguments)
    try:
        found, dtypes = _infer(symbol, names, shapes, type_dict or {})
    except MXNetError as error:
        error.add_note(f"simple_bind error. Arguments:\n{_listed(shapes) or 'none were given'}")
        raise
    contexts = _contexts(names.nodes, ctx, group2ctx)
    places = _places(names.nodes, ctx, contexts)
    arrays: dict[str, NDArray] = {}
    grads: dict[str, NDArray] = {}
    states = set(names.states)
    stypes = storages.declared(names.nodes) | dict(stype_dict or {})
    kinds = storages.of_results(symbol.entries, found, dtypes, stypes)
    grad_kinds = storages.of_gradients(symbol.entries, kinds)
    for entry, shape in found.items():
        name, dtype = entry.node.name, dtypes[entry]
        if not entry.node.is_variable or shape is None or dtype is None:
            continue
        size = tuple(length or 0 for length in shape)
        made = _Made(name, size, dtype, places[name])
        if stypes.get(name, DEFAULT) == DEFAULT:
            arrays[name] = shared.array(made, is_state=name in states)
        else:
            arrays[name] = storages.zeros(size, dtype, places[name], stypes[name])
        if name not in states and requests[name] != "null":
            if name in grad_kinds:
                grads[name] = storages.zeros(size, dtype, places[name], grad_kinds[name])
            else:
                grads[name] = shared.grad(made)
    return Executor(symbol, ctx, arrays, grads, requests, found, dtypes, contexts)


class _Made(NamedTuple):
    """An array that is to be made."""

    name: str
    shape: tuple[int, ...]
    dtype: torch.dtype
    ctx: Context

    def zeros(self) -> NDArray:
        """Return it, filled with 0."""
        return zeros(self.shape, self.dtype, self.ctx, repr(self.name))

    def fits(self, array: NDArray) -> bool:
        """Return whether an array is just like it."""
        tensor = array._tensor
        return tuple(tensor.shape) == self.shape and tensor.dtype == self.dtype


class Shared:
    """Where `simple_bind` finds arrays that others use, too.

    Parameters
    ----------
    names : sequence of str
        Arguments whose arrays are those of another Executor.
    executor : Executor or None
        That Executor.
    buffer : dict of str to NDArray or None
        Memory for other arguments; what is missing or too small is put there.
    """

    def __init__(
        self,
        names: Sequence[str],
        executor: Executor | None,
        buffer: dict[str, NDArray] | None,
    ) -> None:
        self._names = set(names)
        self._executor = executor
        self._buffer = buffer

    def array(self, made: _Made, *, is_state: bool) -> NDArray:
        """Return the array of an argument or an auxiliary state."""
        other = self._executor
        if other is not None and self._names and (is_state or made.name in self._names):
            there = other.aux_dict if is_state else other.arg_dict
            return _checked(made, there.get(made.name))
        return made.zeros() if is_state else self._buffered(made, made.name)

    def grad(self, made: _Made) -> NDArray:
        """Return the array of an argument's gradient."""
        if self._executor is not None and made.name in self._names:
            found = self._executor.grad_dict.get(made.name)
            return made.zeros() if found is None else _checked(made, found)
        return self._buffered(made, f"grad of {made.name}")

    def _buffered(self, made: _Made, key: str) -> NDArray:
        if self._buffer is None or made.name in self._names:
            return made.zeros()
        found = self._buffer.get(key)
        count = torch.Size(made.shape).numel()
        if found is None or found._tensor.dtype != made.dtype or found.size < count:
            found = self._buffer[key] = made.zeros()
        return part_of(found, made.shape)


def _checked(made: _Made, array: NDArray | None) -> NDArray:
    if array is not None and made.fits(array):
        return array
    have = "there is none" if array is None else f"it has shape {array.shape}"
    msg = (
        f"simple_bind: {made.name!r} of shape {made.shape} is to be shared with another Executor, "
        f"where {have}. Expected the same shape and dtype. Leave it out of shared_arg_names."
    )
    raise ShapeError(msg)


def _infer(
    symbol: Symbol, names: _Names, given: Mapping[str, Any], types: Mapping[str, Any]
) -> tuple[dict[Entry, Shape | None], dict[Entry, torch.dtype | None]]:
    inputs = {*names.arguments, *names.states}
    shapes = declared_shapes(names.nodes)
    for name, shape in given.items():
        if name not in inputs and not isinstance(shape, (list, tuple)):
            continue  # force_rebind=True and the like, which programs leave over
        known = known_part(_as_shape(name, shape))
        if name in inputs and known is not None:
            shapes[name] = known
    dtypes = declared_dtypes(names.nodes)
    dtypes.update((name, torch_dtype(dtype)) for name, dtype in types.items() if name in inputs)
    found = shape_inference.infer(symbol.entries, shapes, dtypes)
    unknown = {
        entry.node.name: shape
        for entry, shape in found.items()
        if entry.node.is_variable and (shape is None or None in shape)
    }
    if unknown:
        strangers = _strangers(given, inputs, _free(names, unknown))
        how = "" if strangers else _how_to_give(names, given, unknown)
        msg = (
            f"simple_bind: {strangers}InferShape pass cannot decide shapes for the following "
            f"arguments (None means unknown dimensions). Please consider providing them as "
            f"inputs:\n{_listed(unknown)}{how}"
        )
        raise SymbolError(msg)
    return found, dtype_inference.infer(symbol.entries, dtypes, torch.float32)


def _free(names: _Names, unknown: Iterable[str]) -> list[str]:
    """Return the names without a shape that no operator's weight or label has."""
    own = {  # made with the operator that they are of, which tells their shapes
        entry.node.name
        for node in names.nodes
        for entry in node.inputs
        if entry.node.name.startswith(f"{node.name}_")
    }
    own |= {  # which stand where a weight is taken
        entry.node.name
        for node in names.nodes
        if node.op is not None
        for entry, wanted in zip(node.inputs, node.op.inputs, strict=False)
        if wanted in WEIGHTS and entry.node.is_variable
    }
    return [name for name in unknown if name not in own]


def _how_to_give(names: _Names, given: Mapping[str, Any], unknown: Mapping[str, Any]) -> str:
    free = _free(names, unknown)
    if given:
        lengths = [shape for shape in given.values() if isinstance(shape, tuple) and shape]
        is_batch = len(lengths) == len(given) and all(name.endswith("label") for name in given)
        wanted = f"({lengths[0][0]}, ...)" if is_batch else "shape"
        how = "lengths in the place of the dots" if is_batch else "a tuple of lengths as shape"
        more = ", ".join(f"{name}={wanted}" for name in free)
        known = ", ".join(f"{name}={each}" for name, each in given.items())
        known = known if len(given) <= _FEW else "..."
        (ctx,) = arguments(1, ("ctx",)) or ["mx.cpu()"]
        told = f"\nWrite simple_bind({ctx}, {known}, {more}), with {how}."
        return told if more else ""
    first = next(iter(unknown))
    kernels = [
        node.params.get("kernel")
        for node in names.nodes
        if any(entry.node.name == first for entry in node.inputs)
    ]
    axes = next((len(kernel) for kernel in kernels if isinstance(kernel, (list, tuple))), 0)
    shape = (2, 3, *[32] * axes)
    alone = f"Only the shape of {first} is needed, which tells those of the others. "
    call = with_keyword(first, str(shape), f"simple_bind(mx.cpu(), {first}={shape})")
    return (
        f"\n{alone if free == [first] else ''}Write {call}, for example, with the shape of your "
        f"batches in the place of {shape}."
    )


def _strangers(given: Mapping[str, Any], inputs: Collection[str], free: Sequence[str]) -> str:
    """Return what to say of names with shapes that the graph does not have."""
    strange = sorted(name for name in given if name not in inputs)
    if not strange:
        return ""
    name = strange[0]
    if len(strange) == len(free) > 1:
        pairs = dict(zip(strange, _alike(strange, free), strict=True))
        own = ", ".join(f"{pairs[each]}={given[each]}" for each in given if each in pairs)
        return f"The graph has no {', '.join(map(repr, strange))}. Write {own} in their place. "
    others = [each for each in inputs if each not in given]
    meant = f" Write {(free or sorted(others))[0]}={given[name]} in the place of {name}."
    mend = meant if len(free) == 1 else did_you_mean(name, others) or meant
    return f"The graph has no {', '.join(map(repr, strange))}.{mend} "


def _alike(strange: Sequence[str], names: Sequence[str]) -> list[str]:
    """Return which of as many names each of the strange ones means."""
    left, found = [*names], list[str]()
    for each in strange:
        found.append(nearest(each, left) or left[0])
        left.remove(found[-1])
    return found


def _as_shape(name: str, shape: Any) -> tuple[int, ...]:
    if isinstance(shape, (list, tuple)) and all(hasattr(size, "__index__") for size in shape):
        return tuple(shape)
    msg = (
        f"simple_bind: {name}={shape!r} was given. Expected a shape: a tuple of integers. Write "
        f"{name}=(32, 10), for example."
    )
    raise SymbolTypeError(msg)


def _listed(values: Mapping[str, Any]) -> str:
    lines = [f"{name}: {value}" for name, value in values.items()]
    return "\n".join([*lines[:10], f"... {len(lines) - 10} more"] if len(lines) > 10 else lines)


def _names(symbol: Symbol) -> _Names:
    nodes = order(symbol.entries)
    names = [node.name for node in nodes if node.is_variable]
    twice = sorted(name for name, count in Counter(names).items() if count > 1)
    if twice:
        msg = (
            f'Find duplicated argument name "{some(twice)}". Expected a name of its own for '
            f"each variable. {_how_to_part(nodes, twice[0])}"
        )
        raise SymbolNameError(msg)
    return _Names(nodes, *([node.name for node in part] for part in variables(nodes)))


def _how_to_part(nodes: Sequence[Node], twice: str) -> str:
    """Return how two variables of one name get two: operators of one name make such."""
    users = [
        node for node in nodes if any(each.node.name == twice for each in node.inputs) and node.op
    ]
    name = users[0].name if users else ""
    if len(users) > 1 and all(node.name == name for node in users):
        return (
            f"{len(users)} operators are called {name!r}: give each a name of its own, "
            f"name='{name}0' and name='{name}1', for example."
        )
    return "Use the same variable in both places, or give one another name."


def _check_context(ctx: object) -> None:
    if not isinstance(ctx, Context):
        msg = f"Context type error: ctx={ctx!r} was given. Expected a context. Write mx.cpu()."
        raise SymbolTypeError(msg)


def _by_name(
    given: Arrays, names: Sequence[str], what: str, symbol: Symbol | None = None
) -> dict[str, NDArray]:
    """Return arrays by name; one for each of the names."""
    found = _named(
        [] if given is None else given,
        names,
        what,
        "Pass a dictionary, {name: array, ...}, for all.",
    )
    missing = [name for name in names if name not in found]
    if missing:
        raise no_arrays(missing, names, found, what, symbol)
    return _arrays({name: found[name] for name in names}, what)


def _some_by_name(given: Arrays, names: Sequence[str]) -> dict[str, NDArray]:
    """Return arrays by name, of those names for which there is one."""
    if given is None:
        return {}
    fix = "Use None where no gradient is wanted, or pass a dictionary by name."
    found = _named(given, names, "args_grad", fix)
    return _arrays({n: found[n] for n in names if found.get(n) is not None}, "args_grad")


def _named(given: Any, names: Sequence[str], what: str, fix: str) -> dict[str, Any]:
    """Return what was given as a list, or as a dictionary, as a dictionary."""
    if isinstance(given, dict):
        return given
    if not isinstance(given, (list, tuple)):
        raise _not_arrays(given, what)
    if len(given) != len(names):
        msg = (
            f"Length of {what} does not match the number of arguments: {len(given)} arrays "
            f"were given. Expected {len(names)}, for {all_of(names)}, of which a list has one "
            f"each. {fix}"
        )
        raise SymbolNameError(msg)
    return dict(zip(names, given, strict=True))


def _arrays(found: dict[str, Any], what: str) -> dict[str, NDArray]:
    for name, array in found.items():
        if not isinstance(array, NDArray):
            wrong = [key for key, one in found.items() if not isinstance(one, NDArray)]
            raise _not_arrays(array, f"{what}[{name!r}]", found, wrong)
    return found


def _not_arrays(
    value: object, what: str, given: Mapping[str, Any] | None = None, wrong: Sequence[str] = ()
) -> SymbolTypeError:
    how, also = "mx.nd.array(...)", ""
    if given is not None and all(isinstance(given[name], (int, float)) for name in wrong):
        how = " and ".join(f"{name}=mx.nd.array([{given[name]!r}])" for name in wrong)
    elif given is not None and all(name_of(given[name]) for name in wrong):
        calls = [f"mx.nd.array({name_of(given[name])})" for name in wrong]
        how = " and ".join(f"{name}={call}" for name, call in zip(wrong, calls, strict=True))
    if given is not None and how != "mx.nd.array(...)":
        others = [f"{name!r}" for name in wrong[1:]]
        also = f", and for {', '.join(others)}" if others else ""
    return SymbolTypeError(
        f"{what}: {class_name(value)} was given{also}. Only accept list of NDArrays or dict of str "
        f"to NDArray. Write {how}."
    )


def _requests(given: Any, names: Sequence[str]) -> dict[str, str]:
    """Return what is to be done with each argument's gradient."""
    if isinstance(given, str):
        found = dict.fromkeys(names, given)
    elif isinstance(given, (list, tuple)):
        if len(given) != len(names):
            msg = (
                f"grad_req: a list of {len(given)} was given. The length of grad_req list does not "
                f"match the number of input arguments, expected {len(names)}, for {all_of(names)}."
            )
            raise InvalidArgumentError(msg)
        found = dict(zip(names, given, strict=True))
    elif isinstance(given, dict):
        found = {name: given.get(name, "null") for name in names}
    else:
        msg = (
            f"grad_req={given!r} was given. Expected 'write', 'add' or 'null', a list of these, or "
            f"a dictionary by the arguments' names."
        )
        raise SymbolTypeError(msg)
    for name, request in found.items():
        if not isinstance(request, str) or request not in _REQUESTS:
            msg = (
                f"grad_req={value_text(request)} was given for {name!r}. grad_req must be in "
                f"{_REQUESTS}. Write grad_req='write', and {name}=(2, 3) for a shape."
            )
            raise GradientRequestError(msg)
    return found


def _contexts(
    nodes: Sequence[Node], ctx: Context, group2ctx: Mapping[str, Context] | None
) -> dict[int, Context]:
    """Return where nodes run, by `id`, where there are groups.

    What is in no group runs where its inputs are, or else where its result goes.
    """
    if not group2ctx:
        return {}
    found: dict[int, Context] = {}
    for node in nodes:
        group = attributes.look_up(node.attrs, "ctx_group")
        if group is None:
            near = [found[id(e.node)] for e in node.inputs if id(e.node) in found]
            if near:
                found[id(node)] = near[0]
            continue
        if group not in group2ctx:
            msg = (
                f"The device assignment not found for group {group} of {node.name!r}. Expected "
                f"one of {sorted(group2ctx)}. Add {group!r} to group2ctx."
            )
            raise SymbolError(msg)
        _check_context(group2ctx[group])
        found[id(node)] = group2ctx[group]
    for node in reversed(nodes):
        place = found.setdefault(id(node), ctx)
        for entry in node.inputs:
            found.setdefault(id(entry.node), place)
    return found


def _places(
    nodes: Iterable[Node], ctx: Context, contexts: Mapping[int, Context]
) -> dict[str, Context]:
    """Return where the arrays of variables are: where their groups are."""
    return {node.name: contexts.get(id(node), ctx) for node in nodes if node.is_variable}


def _check_place(name: str, array: NDArray, ctx: Context, *, is_alone: bool) -> None:
    if is_alone and not is_one_place(array.context, ctx):
        msg = (
            f"Input array {name!r} is in {array.context} while binding with ctx={ctx}. All "
            f"arguments must be in global context ({ctx}) unless group2ctx is specified for "
            f"cross-device graph. Move it with x.as_in_context({ctx})."
        )
        raise ContextError(msg)


def _check_grad(name: str, grad: NDArray, array: NDArray) -> None:
    if grad.shape != array.shape:
        msg = (
            f"args_grad[{name!r}] has shape {grad.shape}. Expected {array.shape}, the argument's. "
            f"Make it with mx.nd.zeros({array.shape})."
        )
        raise ShapeError(msg)
    found, expected = storages.dtype_of(grad), storages.dtype_of(array)
    if found != expected:
        msg = (
            f"args_grad[{name!r}] has dtype {numpy_dtype(found)}. Expected "
            f"{numpy_dtype(expected)}, the argument's. Convert it with x.astype(...)."
        )
        raise DTypeError(msg)


def evaluated(symbol: Symbol, ctx: Context | None, values: Mapping[str, NDArray]) -> list[NDArray]:
    """Return the outputs for values; see `Symbol.eval`."""
    ctx = current_context() if ctx is None else ctx
    names = _names(symbol)
    if (unknown := in_a_dictionary(values, (*names.arguments, *names.states))) is not None:
        raise unknown
    states = {name: values[name] for name in names.states if name in values}
    arrays = {name: array for name, array in values.items() if name not in states}
    executor = bind(symbol, ctx, arrays, None, "null", states, None, None)
    return executor.forward()
