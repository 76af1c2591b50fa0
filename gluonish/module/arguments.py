"""What modules are given: contexts, loads, shapes of batches and values of parameters."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING, Any

from gluonish import init, ndarray as nd, optimizer as optimizers
from gluonish.context import Context, cpu
from gluonish.errors import ArgumentKindError, MissingParameterError, RefusedArgumentError
from gluonish.errors.program_arguments import arguments
from gluonish.errors.tracebacks import users_level
from gluonish.init import InitDesc
from gluonish.io import DataDesc

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import TypeAlias

    from gluonish.array import NDArray
    from gluonish.context import Contexts
    from gluonish.model.checkpoint import Params
    from gluonish.symbol import Symbol

    # Each parameter's name and array, and the values that were given for its kind.
    ToFill: TypeAlias = Sequence[tuple[str, NDArray, Mapping[str, NDArray] | None]]


def contexts(context: Contexts) -> list[Context]:
    """Return contexts as a list; the first CPU where none is given."""
    if context is None:
        return [cpu()]
    return [context] if isinstance(context, Context) else list(context)


def work_load(given: Sequence[float] | None, contexts: Sequence[Context]) -> list[float]:
    """Return how much each context has to do; the same for all where nothing is said."""
    found = [1.0] * len(contexts) if given is None else list(given)
    if len(found) != len(contexts):
        msg = (
            f"Module: work_load_list={given!r} was given for {len(contexts)} contexts. Expected a "
            f"number for each. Leave it out for equal parts."
        )
        raise RefusedArgumentError(msg)
    return found


def zeros(names: Sequence[str], arrays: Sequence[Sequence[NDArray]]) -> Params:
    """Return new arrays on the CPU, of the shapes, dtypes and storage types of some."""
    return {
        name: nd.zeros(parts[0].shape, cpu(), dtype=parts[0].dtype, stype=parts[0].stype)
        for name, parts in zip(names, arrays, strict=True)
    }


def check_presence(
    plan: ToFill,
    *,
    allow_missing: bool,
    initializer: Any,
) -> None:
    """Raise if parameters would get no values, and nobody said that they may keep theirs."""
    missing = [
        name
        for name, _, given in plan
        if (initializer is None if given is None else name not in given and not allow_missing)
    ]
    if missing:
        shown = ", ".join(missing[:10]) + (f", ... {len(missing) - 10} more" * (len(missing) > 10))
        verb = "are" if missing[1:] else "is"
        msg = (
            f"Module.init_params: {shown} {verb} not presented among the values that were given. "
            f"Expected one for each of {len(plan)} parameters. Add it, or pass allow_missing=True."
        )
        raise MissingParameterError(msg)


def batch_shapes(batch: Any, what: str, axes: Sequence[int]) -> list[tuple[int, ...]]:
    """Return the shapes of data or labels; of all parts together, if there is one for a context.

    Raises
    ------
    ArgumentKindError
        It is no batch.
    """
    for one in batch if isinstance(batch, list) else [batch]:
        if not hasattr(one, "data"):
            inside = "" if one is batch else f" that holds an object of class {type(one).__name__}"
            how = "Return mx.io.DataBatch(data=[x], label=[y]) from next() of the iterator"
            if isinstance(batch, nd.NDArray):
                (name,) = arguments(1) or ["x"]
                how = f"Write mx.io.DataBatch([{name}]), with its label=[y] to train"
            msg = (
                f"Module: a batch is of class {type(batch).__name__}{inside}. Expected an "
                f"mx.io.DataBatch. {how}."
            )
            raise ArgumentKindError(msg)
    if not isinstance(batch, list):
        return [tuple(array.shape) for array in getattr(batch, what, None) or ()]
    found = []
    for axis, parts in zip(axes, zip(*(getattr(x, what) for x in batch), strict=True), strict=True):
        shape = list(parts[0].shape)
        if axis >= 0:
            shape[axis] = sum(part.shape[axis] for part in parts)
        found.append(tuple(shape))
    return found


def described(
    bound: Sequence[DataDesc], shapes: Sequence[tuple[int, ...]]
) -> list[DataDesc] | None:
    """Return descriptions of the same arrays with other shapes; None where there are none."""
    return [
        DataDesc(desc.name, shape, desc.dtype, desc.layout)
        for desc, shape in zip(bound, shapes, strict=False)
    ] or None


def fill(plan: ToFill, initializer: Any, attrs: Mapping[str, Any]) -> None:
    """Fill parameters with the values that were given for them, the others by an initializer."""
    by = init.create(initializer) if isinstance(initializer, str) else initializer
    for name, array, given in plan:
        if given is not None and name in given:
            if given[name] is not array:
                given[name].copyto(array)
        elif by is not None:
            by(InitDesc(name, attrs.get(name)), array)


def as_optimizer(
    optimizer: Any, options: Any, symbol: Symbol, rescale_grad: float, indices: dict[int, str]
) -> optimizers.Optimizer:
    """Return an optimizer that was given, by name or itself; it knows the parameters' names."""
    if isinstance(optimizer, str):
        given = {"rescale_grad": rescale_grad, **dict(options)}
        return optimizers.create(optimizer, sym=symbol, param_idx2name=indices, **given)
    if not isinstance(optimizer, optimizers.Optimizer):
        msg = (
            f"Module.init_optimizer: optimizer={optimizer!r} was given. Expected an Optimizer "
            f"or its name. Write optimizer='sgd'."
        )
        raise RefusedArgumentError(msg)
    if optimizer.rescale_grad != rescale_grad:
        warnings.warn(
            f"Optimizer created manually outside Module but rescale_grad is not normalized to "
            f"1.0/batch_size/num_workers ({optimizer.rescale_grad} vs. {rescale_grad}). Is "
            f"this intended?",
            stacklevel=users_level(),
        )
    if not optimizer.idx2name:
        optimizer.idx2name = dict(indices)
    return optimizer
