"""What an error of a Block's call says: where it happened, what was given, how it is called."""

from __future__ import annotations

import ast
import inspect
import re
from typing import TYPE_CHECKING, Any

import numpy as onp
import torch
from typing_extensions import override

from gluonish.array.dtypes import dtype_name, torch_dtype
from gluonish.block import calls, first_call
from gluonish.errors import (
    MXNetError,
    OperandError,
    ShapeError,
    StateCountError,
    UninitializedParameterError,
    UnknownArgumentError,
    UnknownShapeError,
)
from gluonish.errors.arguments import how_to_array, value_text
from gluonish.errors.program_arguments import arguments, taken_apart, with_unused, without_list
from gluonish.errors.program_layers import added_to
from gluonish.errors.program_text import name_of, of_function, targets
from gluonish.errors.signatures import add_or_leave_out, named, unexpected
from gluonish.errors.tracebacks import alone, explained, is_from_ours, shorten
from gluonish.errors.wording import class_name, counted, listed
from gluonish.hybrid.structure import map_arrays

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gluonish.array import NDArray
    from gluonish.block.block import Block

_LONGEST = 100  # characters of an argument in a note
_ABOUT_STATES = "recurrent state shape"
_TRANSFORMS = "gluonish.gluon.data.vision.transforms"
_LAST = "seem to have their channels last"
_CHANNELS = (1, 3, 4)  # of pictures
_LINES = 10  # Blocks in the notes of an error, half of them from each end


def explain(block: Block, error: Exception, args: tuple[Any, ...]) -> None:
    """Add to an error where it happened: the Blocks it left, and the shapes they were given.

    Raises
    ------
    BlockError
        The Block's constructor did not call its parent's.
    """
    if "_children" not in block.__dict__:
        raise calls.not_constructed(block) from error
    if isinstance(error, RecursionError):
        told = (
            f"{type(block).__name__} '{block.__dict__['_name']}' is called while it is called. "
            f"Expected a forward() that calls other Blocks only. Look for self(...) in it."
        )
        error.__notes__ = [told]
    else:
        explain_signature(block, error, args)
        _check_inputs(block, error, args)
        if isinstance(error, MXNetError) and "_blocks_left" not in error.__dict__:
            if hasattr(block, "_init_counter"):
                _name_states(block, error, args)
            elif isinstance(error, OperandError):
                _name_several(block, error, args)
        if isinstance(error, UninitializedParameterError):
            _name_hidden(block, error)
        if isinstance(error, ShapeError):
            if "_blocks_left" not in error.__dict__:
                _note_origins(block, error)
            _note_pictures(block, error, args)
            _note_unused(block, error)
        shapes = _short(map_arrays(_describe, args))
        text = f"{type(block).__name__} '{block.name}'", f"called with {shapes}"
        _note_path(block, error, text)
    shorten(alone(error) if isinstance(error, (MXNetError, RecursionError)) else error)


def _check_inputs(block: Block, error: Exception, args: tuple[Any, ...]) -> None:
    """Refuse what no layer of ours takes, where an error of Python's came of it."""
    cls = type(block)
    is_explained = isinstance(error, MXNetError) or hasattr(error, "is_explained")
    if is_explained or not cls.__module__.startswith("gluonish.") or not is_from_ours(error):
        return
    forward = cls.hybrid_forward if hasattr(cls, "hybrid_forward") else cls.forward
    parameters = [one for name, one in inspect.signature(forward).parameters.items() if name != "F"]
    given = [
        value
        for one, value in zip(parameters[1:], args, strict=False)
        if (one.default is one.empty if value is None else not may_be_array(value))
    ]
    if given:
        how = how_to_array(given[0], "Write mx.nd.array(...) or mx.np.array(...).")
        msg = (
            f"{cls.__name__} '{block.name}': {value_text(given[0])} was given. Expected an array. "
            f"{how}"
        )
        raise alone(shorten(OperandError(msg))) from None


def may_be_array(value: object) -> bool:
    """Return whether something is an array, or a list with one in it."""
    if isinstance(value, (list, tuple)):
        return any(map(may_be_array, value))
    return hasattr(value, "shape") or type(value).__name__ == "Symbol"


def _note_unused(block: Block, error: ShapeError) -> None:
    """Say which one of its layers a program's Block makes, and no method of it mentions."""
    cls = type(block)
    if cls.__module__.partition(".")[0] == "gluonish":
        return
    own = {id(value): name for name, value in vars(block).items() if not name.startswith("_")}
    layers = [own[id(child)] for child in block._children.values() if id(child) in own]
    own_classes = [each for each in cls.__mro__ if not each.__module__.startswith("gluonish.")]
    methods = [pair for each in own_classes for pair in vars(each).items()]
    trees = [of_function(value) for name, value in methods if name != "__init__"]
    text = "\n".join(ast.unparse(tree) for tree in trees if tree is not None)
    left = [name for name in layers if not re.search(rf"\bself\.{name}\b", text)]
    if len(left) == 1 < len(layers) and "getattr" not in text and "_children" not in text:
        error.add_note(f"No method of {cls.__name__} uses its layer self.{left[0]}.")


def _note_origins(block: Block, error: ShapeError) -> None:
    """Say which shapes were inferred, and from what, where data do not fit them."""
    if not error.is_of_inference:
        return
    found: dict[tuple[str, bool], list[str]] = {}
    for param in block._reg_params.values():
        origin = first_call.origin(param)
        if origin is not None:
            key = origin, first_call.is_inferring(param)
            found.setdefault(key, []).append(f"'{param.name}' of shape {param.shape}")
    for (origin, is_now), params in found.items():
        is_one = len(params) == 1
        text = f"{', '.join(params)} {'was' if is_one else 'were'} inferred from {origin}"
        if is_now:
            text += ", in this call. Nothing of that is kept."
        else:
            text += (
                ". If that was the wrong one, initialize(force_reinit=True) has the next call "
                f"infer {'it' if is_one else 'them'} anew, and draw {'its' if is_one else 'their'} "
                "values anew."
            )
        error.add_note(text)


def _note_pictures(block: Block, error: ShapeError, args: tuple[Any, ...]) -> None:
    """Say how large a net wants its pictures, and where their channels seem to come last."""
    notes = [note for note in getattr(error, "__notes__", []) if _LAST not in note]
    shape = getattr(args[0], "shape", None) if args else None
    if shape and len(shape) == 4:
        side = getattr(type(block), "image_size", None)  # which nets of the model zoo have
        if side is not None and min(shape[2:]) < side:
            notes.append(f"{type(block).__name__} is made for pictures of {side} by {side} pixels.")
        is_told = "x.transpose((0, 3, 1, 2))" in str(error)
        if _has_channels_last(shape) and not (is_told or _takes_channels_last(block)):
            notes.append(
                f"Data of shape {tuple(shape)} {_LAST}. Layers take (batch, channels, height, "
                f"width): write x.transpose((0, 3, 1, 2))."
            )
    error.__notes__ = notes


def _has_channels_last(shape: tuple[int, ...]) -> bool:
    """Return whether pictures of a shape would have few channels if these came last."""
    return shape[3] in _CHANNELS and shape[1] not in _CHANNELS and shape[2] > shape[3]


def _takes_channels_last(block: Block) -> bool:
    found: list[bool] = []
    block.apply(
        lambda each: found.append(str(getattr(each, "_kwargs", {}).get("layout", "")).endswith("C"))
    )
    return any(found)


def _stacked(arrays: Sequence[Any]) -> str:
    """Return how a program makes one array of many."""
    name = name_of(arrays) or "arrays"
    is_np = type(arrays[0]).__name__ == "ndarray"
    return f"mx.np.stack({name})" if is_np else f"mx.nd.stack(*{name})"


def _name_several(block: Block, error: OperandError, args: tuple[Any, ...]) -> None:
    """Say which argument of a loss is several arrays, such as what a net of two heads gives."""
    if not hasattr(block, "_batch_axis"):  # which losses have
        return
    for value in args:
        if (
            isinstance(value, (list, tuple))
            and len(value) > 1
            and all(hasattr(one, "shape") for one in value)
        ):
            names = ("one", "two", "three", "four")
            how = f"Write {', '.join(names[: len(value)])} = net(x), for example, and give it one."
            if len(value) > len(names):
                how = f"Make one of them first: {_stacked(value)}."
            msg = (
                f"{type(block).__name__} '{block.name}': {value_text(value)} was given. Expected "
                f"one array. {how}"
            )
            error.args = (msg,)
            return


def _name_states(block: Any, error: Exception, args: tuple[Any, ...]) -> None:
    """Say what was given to a cell as states, where that is no list of arrays."""
    states = args[1] if len(args) > 1 else None
    is_array = hasattr(states, "shape")
    if is_array and not (isinstance(error, StateCountError) or _ABOUT_STATES in str(error)):
        return
    if not is_array and not (
        isinstance(states, (list, tuple)) and any(isinstance(one, (list, tuple)) for one in states)
    ):
        return
    expected = counted(len(block.state_info(1)), "array")
    batch = args[0].shape[0] if len(getattr(args[0], "shape", ())) > 1 else "batch_size"
    given = f"states={value_text(states)} was given"
    given += ", one array" if is_array else ", the output and the states that a cell returns"
    msg = (
        f"{type(block).__name__}: {given}. Expected a list of {expected}. Write "
        f"{_step_of(block, states)} at each step; cell.begin_state({batch}) gives the first states."
    )
    error.args = (msg,)


def _step_of(block: Any, states: Any) -> str:
    """Return how a program calls a cell, with the names that it has for what it hands over."""
    written = arguments(2)
    is_written_out = bool(written) and written[1][:1] in ("(", "[")
    if not is_written_out or len(block.state_info(1)) != len(states):
        return "output, states = cell(x, states)"
    return f"output, {written[1]} = {name_of(block) or 'cell'}({', '.join(written)})"


def _name_hidden(block: Block, error: UninitializedParameterError) -> None:
    """Say that a Block lies in a list or dictionary, where nobody finds its parameters."""
    inner = error.__dict__.get("_last_block_left")
    name = next((name for name, part in calls.hidden_blocks(block) if id(part) == inner), None)
    if name is None:
        return
    kind = type(block.__dict__[name]).__name__
    begin = re.split(r"[.,] ", str(error))[0]
    msg = (
        f"{begin}. It is that of a Block in {type(block).__name__}.{name}, a {kind}, which "
        f"initialize() does not see. Write self.{name} = nn.Sequential(), then "
        f"{added_to(type(block), name)}."
    )
    error.args = (msg,)


def _note_path(block: Block, error: Exception, text: tuple[str, str]) -> None:
    """Add a line for a Block, and its key to the paths of the Blocks inside it."""
    left: list[tuple[str, str, str]] = error.__dict__.setdefault("_blocks_left", [])
    before = set(_lines(left))
    inner = error.__dict__.get("_last_block_left")
    key = next((key for key, child in block._children.items() if id(child) == inner), None)
    if key is not None:
        left[:] = [(f"{key}.{path}" if path else key, one, two) for path, one, two in left]
    left.append(("", *text))
    error.__dict__["_last_block_left"] = id(block)
    others = [note for note in getattr(error, "__notes__", []) if note not in before]
    is_told = isinstance(error, TypeError) and hasattr(error, "is_explained")  # by advice
    error.__notes__ = others + _lines(left) if is_told else _lines(left) + others


def _lines(left: list[tuple[str, str, str]]) -> list[str]:
    lines = [
        f"in {block} ({path}) {called}" if path else f"in {block} {called}"
        for path, block, called in left
    ]
    if len(lines) > _LINES:
        lines[_LINES // 2 : -_LINES // 2] = [f"in {len(lines) - _LINES} Blocks between"]
    return lines


def explain_signature(block: Block, error: Exception, args: tuple[Any, ...]) -> None:
    """Say what a forward is called with, where the arguments do not fit.

    Raises
    ------
    UnknownArgumentError
        It is a layer of ours. What a program's own forward refuses, gets a note.
    """
    names = () if hasattr(error, "is_explained") else ("hybrid_forward", "forward")
    for name in names:
        method = getattr(type(block), name, None)
        where = f"{getattr(method, '__qualname__', '')}() "
        if type(error) is not TypeError or method is None or not str(error).startswith(where):
            continue
        parameters = inspect.signature(method).parameters
        own = ("self", "F", *block._reg_params)
        taken = [key for key in named(parameters.values()) if key not in own]
        title = f"{type(block).__name__} '{block.name}'"
        how = _how_it_is_called(error, block, taken, args, name)
        if method.__module__.startswith("gluonish."):
            word = unexpected(str(error))
            shown = f" ({listed(map(value_text, args), 3)})" if args else ""
            given = f"{counted(len(args), 'argument')}{shown}" + (f" and {word}=" if word else "")
            msg = f"{title}: got {given}. Expected a call with ({', '.join(taken)}).{how}"
            raise alone(shorten(UnknownArgumentError(msg))) from None
        word = unexpected(str(error))
        if name == "hybrid_forward" and word in block._reg_params and len(taken) > len(args):
            others = taken[len(args) :]
            lacking = [key for key in block._reg_params if key not in parameters]
            how = f"Rename its argument {others[0]} to {word}, or self.{word} to self.{others[0]}"
            if len(others) == len(lacking) > 1:
                renamed = dict(zip(others, lacking, strict=True))
                written = ", ".join(renamed.get(key, key) for key in parameters)
                how = f"Write hybrid_forward({written}), and these names in it"
            error.add_note(
                f"{title}: self.{word} is a parameter, which hybrid_forward() gets as {word}=, but "
                f"it has ({', '.join([*parameters][1:])}). {how}."
            )
            explained(error)
            continue
        inside = (
            ", hybrid_forward() with (F, x)" if name != "forward" and "F" not in parameters else ""
        )
        msg = f"{title} is called with ({', '.join(taken)}){inside}."
        if name == "hybrid_forward" and block._reg_params:
            msg += (
                f" Its parameters ({', '.join(block._reg_params)}) are passed to "
                f"hybrid_forward() by name: it needs an argument for each of them."
            )
            if word in block._reg_params:
                others = [key for key in block._reg_params if key not in parameters]
                lacking = others if word in others else [word]
                how = (
                    f" Write hybrid_forward({', '.join([*parameters, *others])}), and use "
                    f"{' and '.join(lacking)} in it, in place of "
                    f"{' and '.join(f'self.{each}' for each in lacking)}, without .data()."
                )
        if name == "hybrid_forward" and "F" not in parameters:
            data = ", ".join([key for key in parameters if key != "self"] or ["x"])
            msg += f" Write hybrid_forward(self, F, {data}): F has the operators, and comes first."
        error.add_note(msg + how)
        explained(error)


def _how_it_is_called(
    error: Exception, block: Block, taken: list[str], args: Sequence[Any], name: str
) -> str:
    """Return what to add to a call of a Block, or to leave out."""
    cls = type(block)
    given = len(args)
    if str(error).endswith("required positional argument: 'states'"):
        batch = next((x.shape[0] for x in args if len(getattr(x, "shape", ())) > 1), 2)
        output, states = targets(2) or ["output", "states"]
        return (
            f" Write {output}, {states} = {name_of(block) or 'cell'}({(arguments(1) or ['x'])[0]}, "
            f"{states}), with {states} = cell.begin_state(batch_size={batch}) before the first "
            f"step."
        )
    if given == 1 < len(taken) == len(args[0] if isinstance(args[0], (list, tuple)) else ()):
        return (
            f" One {type(args[0]).__name__} of {len(taken)} was given: write them one by one, as "
            f"in {without_list(', '.join(taken))}."
        )
    if (call := taken_apart(len(taken))) and given < len(taken):
        return f" Write {call}."
    if given == len(taken) - 1 and (call := with_unused(args)):
        return f" Write {call}."
    how = add_or_leave_out(str(error), taken, [cls.__name__, "Block"])
    if how:
        return how
    if given > len(taken) and cls.__module__.startswith(_TRANSFORMS):
        own = name_of(block) or "transform"
        return (
            f" Where each sample is a picture and its label, dataset.transform_first({own}) "
            f"in place of dataset.transform({own}) gives it the picture alone."
        )
    if given > len(taken) and not hasattr(cls, "add"):
        return f" Leave {'one' if given == len(taken) + 1 else given - len(taken)} out."
    if given > len(taken) and not any(hasattr(each, "shape") for each in args[len(taken) :]):
        return f" Leave {listed(map(value_text, args[len(taken) :]))} out."
    if given > len(taken):
        return (
            f" Each layer of a {cls.__name__} takes what the one before it returns: join the "
            f"arrays, as in nd.concat(x, y, dim=1), or write a Block whose {name} takes them all."
        )
    return ""


def _describe(array: NDArray) -> Any:
    try:
        dtype, shape = dtype_name(torch_dtype(array.dtype)), array.shape
    except UnknownShapeError:
        return _Text("array of unknown shape")
    context = array.context
    where = f" on {context}" if context.device_id >= 0 else ""  # of an array that has none yet
    return _Text(f"{dtype} {shape}{where}")


def _short(value: Any) -> str:
    if isinstance(value, tuple):
        given = ", ".join(
            f"({_short(one)})" if type(one) is tuple else _short(one) for one in value
        )
        return "nothing" if given in ("", "None") else given
    if isinstance(value, (onp.ndarray, torch.Tensor)):
        dtype = dtype_name(value.dtype)
        return f"{class_name(value)} of {dtype} {tuple(value.shape)}"
    text = repr(value)
    return text if len(text) <= _LONGEST else type(value).__name__


class _Text(str):
    """Text that shows without quotes."""

    __slots__ = ()

    @override
    def __repr__(self) -> str:
        return str(self)
