"""What a parameter says where it has no values, no gradient, or none of the kind asked for."""

from __future__ import annotations

import enum
from typing import TYPE_CHECKING

from gluonish.block.partial_shapes import shown
from gluonish.errors import (
    DeferredInitializationError,
    ParameterError,
    UninitializedParameterError,
)

if TYPE_CHECKING:
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
    msg = (
        f"Parameter: name of type {kind} was given. Expected text. Write Parameter('weight', "
        f"shape=(2, 3)), and set_data(array) once it is initialized."
    )
    return ParameterError(msg)


def other_shape(
    name: str, known: PartialShape, given: PartialShape, origin: str | None
) -> ParameterError:
    """Return the error for a shape that contradicts the one that a parameter has."""
    how = "Build the layer with other sizes, or leave them out to have them inferred."
    if origin is not None:
        how = (
            f"The shape {shown(known)} was inferred from {origin}. Build the Block anew, or call "
            f"it with data like that."
        )
    msg = (
        f"Parameter {name!r}: Expected shape {shown(given)} is incompatible with given shape "
        f"{shown(known)}. Expected known dimensions to stay. {how}"
    )
    return ParameterError(msg)


def not_there(
    param: Parameter, ctx: Context | None
) -> UninitializedParameterError | DeferredInitializationError:
    """Return the error for values that are not on a context, or not there at all."""
    if param.state is State.READY:
        msg = (
            f"Parameter '{param.name}' was not initialized on context {ctx}. It was only "
            f"initialized on {param.list_ctx()}. Move the data with x.as_in_context(...), or "
            f"the parameters with collect_params().reset_ctx({ctx})."
        )
        return UninitializedParameterError(msg)
    if param.state is State.DEFERRED:
        msg = (
            f"Parameter '{param.name}' has not been initialized yet because initialization was "
            f"deferred: its shape {param.shape} is not known. Actual initialization happens "
            f"during the first forward pass. Please pass one batch of data through the "
            f"network before accessing Parameters. You can also avoid deferred initialization "
            f"by specifying in_units, num_features, etc., for network layers."
        )
        return DeferredInitializationError(msg)
    if param.is_nowhere:
        where = "" if ctx is None else f" on context {ctx}"
        msg = (
            f"Parameter '{param.name}' was not initialized{where}. It was only initialized on []: "
            f"ctx was an empty list. Expected a context or more; a list of the GPUs of a machine "
            f"without any is empty. Call net.initialize(ctx=mx.cpu())."
        )
        return UninitializedParameterError(msg)
    msg = (
        f"Parameter '{param.name}' has not been initialized. Note that you should initialize "
        f"parameters and create Trainer with Block.collect_params() instead of Block.params "
        f"because the later does not include Parameters of nested child Blocks. Call "
        f"net.initialize() first; Blocks kept in a list or dict need register_child()."
    )
    return UninitializedParameterError(msg)


def no_gradient(param: Parameter) -> UninitializedParameterError:
    """Return the error for a gradient that is not there."""
    msg = (
        f"Cannot get gradient array for Parameter '{param.name}' because "
        f"grad_req='{param.grad_req}'. Expected 'write' or 'add', and a floating-point "
        f"dtype. Set its grad_req."
    )
    return UninitializedParameterError(msg)


def not_in_rows(param: Parameter, where: str) -> UninitializedParameterError:
    """Return the error for rows of a parameter whose values are dense."""
    msg = (
        f"Cannot return a copy of Parameter '{param.name}' via {where}() because its "
        f"storage type is {param._stype}. Expected 'row_sparse'. Please use data() instead."
    )
    return UninitializedParameterError(msg)


def not_dense(
    param: Parameter, ctx: Context | None = None, where: str = "data"
) -> UninitializedParameterError:
    """Return the error for all values of a parameter that has some rows only."""
    msg = (
        f"Cannot return a copy of Parameter '{param.name}' on ctx {ctx} via {where}() because "
        f"its storage type is {param._stype}. Expected 'default'. Please use row_sparse_data() "
        f"instead."
    )
    return UninitializedParameterError(msg)
