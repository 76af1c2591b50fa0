"""What the methods of modules were given, as one thing to hand on."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

from gluonish.init import Uniform

if TYPE_CHECKING:
    from collections.abc import Mapping

    from gluonish.array import NDArray

UNIFORM: Final = Uniform(0.01)
SGD: Final = (("learning_rate", 0.01),)


class Binding(NamedTuple):
    """What `bind` was given."""

    data_shapes: Any
    label_shapes: Any
    for_training: bool
    inputs_need_grad: bool
    force_rebind: bool
    shared_module: Any
    grad_req: Any


class Values(NamedTuple):
    """What `init_params` was given."""

    initializer: Any
    arg_params: Mapping[str, NDArray] | None
    aux_params: Mapping[str, NDArray] | None
    allow_missing: bool
    force_init: bool
    allow_extra: bool


class Updates(NamedTuple):
    """What `init_optimizer` was given."""

    kvstore: Any
    optimizer: Any
    optimizer_params: Any
    force_init: bool
