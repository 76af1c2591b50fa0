"""What a module says where it lacks something, is not far enough, or gets no batches."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gluonish.errors import (
    ArgumentKindError,
    InvalidArgumentError,
    MissingEpochsError,
    MissingMethodError,
    ModuleStateError,
    RefusedArgumentError,
)
from gluonish.errors.arguments import value_text
from gluonish.errors.program_arguments import arguments
from gluonish.errors.program_assignments import moved_below
from gluonish.errors.program_text import name_of, names_of_objects
from gluonish.errors.wording import class_name

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gluonish.module.base_module import BaseModule


_MISSING = {
    "binded": (
        "is not bound",
        "Expected a module that knows the shapes of its data. {bind}.",
    ),
    "params_initialized": (
        "has no parameters yet",
        "Expected values for all of them. {init}.",
    ),
    "optimizer_initialized": (
        "has no optimizer yet",
        (
            "Expected one. Write {mod}.init_optimizer(optimizer='sgd') after {mod}.init_params(), "
            "before all loops, with the optimizer of your training (of the run that saved the "
            "states, to load them)."
        ),
    ),
    "inputs_need_grad": (
        "computes no gradients of its data",
        "Expected a module that does. Bind it with inputs_need_grad=True.",
    ),
}


def lacks(module: BaseModule, what: str) -> MissingMethodError:
    """Return the error for what a subclass does not define."""
    return MissingMethodError(
        f"{type(module).__name__}: it has no {what}. Expected a subclass of BaseModule that "
        f"defines it. Define {what} in the class."
    )


def not_yet(module: BaseModule, where: str, state: str) -> ModuleStateError:
    """Return the error for a call that comes too early."""
    first, then = _MISSING[state]
    mod = name_of(module) or "mod"
    init = f"Call {mod}.init_params() or {mod}.set_params(...) before"
    init = moved_below(where, "init_params") or init
    then = then.format(bind=how_to_bind(module, where), mod=mod, init=init)
    msg = f"{type(module).__name__}.{where}: it {first}. {then}"
    return ModuleStateError(msg)


def how_to_bind(module: BaseModule, method: str) -> str:
    """Return what binds a module before a method: its own line, or a call with an iterator."""
    if moved := moved_below(method, "bind"):
        return moved
    names = [
        [str(name) for name in getattr(module, f"_{kind}_names", [kind]) or ()]
        for kind in ("data", "label")
    ]
    given = [f"{kind}_shapes=it.provide_{kind}" for kind in ("data", "label")]
    if not names_of_objects(lambda value: hasattr(type(value), "iter_next")):
        shapes = _shapes_of_a_batch(names)
        pairs = [", ".join(f"({name!r}, {shapes[name]})" for name in each) for each in names]
        given = [f"data_shapes=[{pairs[0]}]", f"label_shapes=[{pairs[1]}]"]
    call = f"mod.bind({', '.join(given[: 2 if names[1] else 1])})"
    call = f"Call bind before, as in {call}"
    return call if module.params_initialized else f"{call}, and mod.init_params() after it"


def _shapes_of_a_batch(names: list[list[str]]) -> dict[str, str]:
    """Return the shapes of data and labels: those of a batch, if the program has one."""
    held = {name for name, _ in names_of_objects(lambda value: hasattr(value, "shape"))}
    found = {
        name: f"{name}.shape" if name in held else lengths
        for each, lengths in zip(names, ("(32, 10)", "(32,)"), strict=False)
        for name in each
    }
    batches = [held for _, held in names_of_objects(lambda v: type(v).__name__ == "DataBatch")]
    for batch in batches[:1]:
        for each, arrays in zip(names, (batch.data, batch.label), strict=True):
            for name, array in zip(each, arrays or (), strict=False):
                found[name] = str(tuple(array.shape))
    return found


def not_merged() -> ModuleStateError:
    """Return the error for the states of several contexts in one array."""
    return ModuleStateError(
        "merge_multi_context=True is not supported for get_states yet. Expected False: states are "
        "a list for each name. Write get_states(merge_multi_context=False)."
    )


def no_states(module: BaseModule) -> ModuleStateError:
    """Return the error for states given to a module without any."""
    return ModuleStateError(
        f"{type(module).__name__}.set_states: states were given, and it has none. Expected an "
        f"empty list. Leave the call out."
    )


def no_end() -> MissingEpochsError:
    """Return the error for a training without a last epoch."""
    msg = "fit: please specify number of epochs. Expected num_epoch. Pass num_epoch=10."
    return MissingEpochsError(msg)


def no_data(given: object) -> InvalidArgumentError:
    """Return the error for data to predict of another kind."""
    return InvalidArgumentError(
        f"predict: {class_name(given)} was given; eval_data must be of type NDArray or "
        f"DataIter. Wrap the data in mx.io.NDArrayIter."
    )


def different_outputs(batches: Sequence[Sequence[object]]) -> RefusedArgumentError:
    """Return the error for joining batches that have different numbers of outputs."""
    return RefusedArgumentError(
        f"predict: batches have {sorted({len(outputs) for outputs in batches})} outputs. Cannot "
        f"merge batches, as num of outputs is not the same in mini-batches. Maybe bucketing is "
        f"used? Pass merge_batches=False."
    )


def check_batches(method: str, name: str, data: object) -> None:
    """Refuse arrays and loaders where an iterator of MXNet's batches is expected."""
    needed = ("reset", "provide_data", "provide_label") if method == "fit" else ("reset",)
    lacking = [each for each in needed if not hasattr(data, each)]
    if not lacking:
        return
    if lacking[0] != "reset" and hasattr(data, "next"):  # an iterator that says too little
        example = "('data', (batch_size, 10))"
        if lacking[0] == "provide_label":
            example = "('softmax_label', (batch_size,))"
        kind = type(data).__name__
        msg = (
            f"Module.{method}: {name}, a {kind}, has no {' and no '.join(lacking)}. Expected an "
            f"iterator that says what its batches hold. Give {kind} such a property, which returns "
            f"[mx.io.DataDesc{example}], for example; where there are no labels [] is theirs."
        )
        raise ArgumentKindError(msg)
    rows = len(data[0]) if isinstance(data, (list, tuple)) and hasattr(data[0], "shape") else 32
    given = arguments(2)
    names = ", ".join(given) if given and hasattr(data, "shape") else "data, label"
    how = f"mx.io.NDArrayIter({names}, batch_size={min(rows, 32)})"
    if type(data).__name__ == "DataLoader":
        how = "mx.contrib.io.DataLoaderIter(loader)"
    msg = (
        f"Module.{method}: {name}={value_text(data)} was given. Expected an iterator of batches, "
        f"a DataIter. Pass {how}."
    )
    raise ArgumentKindError(msg)
