"""Reading and assigning parts of arrays as NumPy does, on any device, with gradients."""

from __future__ import annotations

import ast
import math
import re
import warnings
from typing import TYPE_CHECKING, Any

import numpy as onp
import torch
from torch import Tensor

from gluonish.array.dtypes import number_in, tensor_of, writable
from gluonish.errors import IndexKindError, InvalidIndexError, ShapeError
from gluonish.errors.program_text import (
    computed_index,
    divided,
    expression,
    indexed,
    place,
    place_in,
    short_name,
)
from gluonish.errors.tracebacks import users_level
from gluonish.errors.wording import class_name, with_last_axes
from gluonish.process.device_positions import within
from gluonish.process.replay_marks import compilable, opaque

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import TypeAlias

Key: TypeAlias = Any

SIMPLE = frozenset((int, slice, type(None), type(...)))
"""Types of parts of keys that torch takes as they are."""
_WHOLE = {int, bool}
_MASKS = (torch.bool,)
_NUMBERS = (int, float)
_ALL = slice(None)
_HELD = 65504  # by all dtypes of floating point
_ELSEWHERE = "indices should be either on cpu"
_EXPECTED = "Expected integers, slices, None, ..., boolean or integer arrays that fit the shape."


def read(tensor: Tensor, key: Key) -> Tensor:
    """Return `tensor[key]` by NumPy's rules; a view where NumPy gives one and steps are positive.

    Raises
    ------
    InvalidIndexError
        The key does not fit the tensor's shape.
    IndexKindError
        The key holds something that is no index, such as text.
    """
    is_simple = type(key) is int or (type(key) is slice and key.step is None)
    plain = key if is_simple else _plain_key(key)
    try:
        if tensor.is_cuda:
            plain = _within(tensor, plain)
        if not is_simple and _is_beyond_torch(plain):
            return _read_by_position(tensor, plain)
        return tensor[plain]
    except (IndexError, TypeError, ValueError) as error:
        raise _explain(tensor, key, error) from error
    except RuntimeError as error:
        if _ELSEWHERE not in str(error):
            raise
        return read(tensor, _here(plain))


def is_contiguous(key: Sequence[slice], shape: tuple[int, ...]) -> bool:
    """Return whether what a slice of each axis reads lies in memory without gaps, in order.

    Examples
    --------
    >>> from gluonish.array.indexing import is_contiguous
    >>> is_contiguous((slice(1, 3), slice(None)), (4, 5))
    True
    >>> is_contiguous((slice(None), slice(2)), (4, 5))
    False
    """
    strides = tuple(math.prod(shape[axis + 1 :]) for axis in range(len(shape)))
    stand_in = onp.lib.stride_tricks.as_strided(onp.zeros(1, "int8"), shape, strides)
    return bool(stand_in[tuple(key)].flags.contiguous)


def as_integers(key: Key) -> Key:
    """Return a key of integers and True and False alone with 1 and 0 for these, as `nd` reads it.

    Examples
    --------
    >>> from gluonish.array.indexing import as_integers
    >>> as_integers((0, True)), as_integers((slice(1), True))
    ((0, 1), (slice(None, 1, None), True))
    """
    if type(key) is tuple:
        kinds = set(map(type, key))
        return tuple(map(int, key)) if bool in kinds and kinds <= _WHOLE else key
    return int(key)


_TO_READ = "nd.contrib.boolean_mask(x, mask) for rows, nd.where(mask, x, 0 * x) for elements"
TO_WRITE = "x = nd.where(mask, y, x) with y of x's shape, such as 0 * x"


def _named(how: str) -> str:
    """Return advice about an array `x` and a `mask` with what the program calls them."""
    node = expression(place())
    node = node.targets[0] if isinstance(node, ast.Assign) else node
    if not isinstance(node, ast.Subscript) or not short_name(node.value):
        return how
    key, name = ast.unparse(node.slice), short_name(node.value)
    how = re.sub(r"\bx\b", lambda _: name, how)
    return re.sub(r"\bmask\b(?!s|_)", lambda _: key, how)


def warn_of_mask(tensor: Tensor, key: Tensor, how: str = _TO_READ) -> None:
    """Warn where rows are asked for by what a comparison of `nd` gives: 0 and 1 in floating point.

    Such keys are row numbers, as in MXNet. On devices nothing is looked at, which would wait.
    """
    if how is _TO_READ and tensor.ndim == 1:
        how = "nd.contrib.boolean_mask(x, mask)"
    is_like = key.shape == tensor.shape and key.is_floating_point() and key.numel() > 1
    if not is_like or key.is_cuda or not bool(((key == 0) | (key == 1)).all()):
        return
    warnings.warn(
        f"x[mask]: an array of 0 and 1 of shape {tuple(key.shape)} was given as an index. Expected "
        f"row numbers, which these are taken for: comparisons of mx.nd give numbers. Write "
        f"{_named(how)}; arrays of mx.np take masks.",
        stacklevel=users_level(),
    )


def write(tensor: Tensor, key: Key, value: Tensor | float) -> None:
    """Do `tensor[key] = value` in place by NumPy's rules.

    Raises
    ------
    InvalidIndexError
        The key does not fit the tensor's shape.
    ShapeError
        The value can't be broadcast to the selected part.
    """
    if (
        type(value) in _NUMBERS
        and type(key) is slice
        and key == _ALL
        and -_HELD <= value <= _HELD
        and tensor.is_floating_point()
        and tensor.ndim
    ):
        tensor.fill_(value)
        return
    plain = _plain_key(key)
    if isinstance(value, Tensor):
        value = _unshared(value.to(tensor.dtype), tensor)
    try:
        if tensor.is_cuda:
            plain = _within(tensor, plain)
        else:
            _check_bounds(tensor, plain)
        if _is_beyond_torch(plain):
            _write_by_position(tensor, plain, value)
        else:
            tensor[plain] = value
    except (IndexError, TypeError, ValueError) as error:
        if (held := _held(value, tensor.dtype)) is not None:
            write(tensor, key, held)
            return
        raise _explain(tensor, key, error) from error
    except RuntimeError as error:
        if _ELSEWHERE in str(error):
            write(tensor, _here(plain), value)
            return
        if (held := _held(value, tensor.dtype)) is not None:
            write(tensor, key, held)
            return
        if not isinstance(value, Tensor):
            raise
        shape = tuple(value.shape)
        part = tuple(read(tensor, key).shape)
        if 0 in shape and 0 in part:
            return  # nothing is written, whatever the other lengths
        if _fits(shape, part):
            raise
        longer = part if math.prod(shape) == math.prod(part) else with_last_axes(shape, part)
        how = f"Give a value of shape {part}, or write to a part of shape {shape}"
        if len(shape) == 1 == len(part) and shape < part and isinstance(key, int):
            where = f"{indexed()}[{place_in(key)}, :{shape[0]}]"
            how = f"Give a value of shape {part}, or write to a part: {where}"
        if longer is not None:
            how = f"Reshape the value, with y.reshape({longer})"
        msg = (
            f"assignment to x[{_show(key)}]: a value of shape {shape} was given for a part of "
            f"shape {part}. Expected a shape that broadcasts to it. {how}."
        )
        raise ShapeError(msg) from error


def _held(value: object, dtype: torch.dtype) -> float | None:
    """Return what a number that a dtype does not hold becomes there, None if it is held."""
    if not isinstance(value, _NUMBERS):
        return None
    held = number_in(value, dtype)
    is_same = type(held) is type(value) and (held == value or math.isnan(held))
    return None if is_same else held


def _fits(shape: tuple[int, ...], part: tuple[int, ...]) -> bool:
    if any(length != 1 for length in shape[: max(len(shape) - len(part), 0)]):
        return False
    pairs = zip(reversed(shape), reversed(part), strict=False)
    return all(one in (1, other) or other == 1 for one, other in pairs)


@compilable
@opaque
def _unshared(value: Tensor, target: Tensor) -> Tensor:
    if type(value) is not Tensor:  # a compiler's, which have no memory
        return value.clone()
    shared = value.untyped_storage().data_ptr() == target.untyped_storage().data_ptr()
    return value.clone() if shared else value


def _plain_key(key: Key) -> Key:
    kind = type(key)
    if kind is int or kind is slice or key is None or key is Ellipsis:
        return key
    if kind is tuple:
        if SIMPLE.issuperset(map(type, key)):
            return key
        return tuple(_plain_key(part) for part in key)
    if isinstance(key, Tensor):
        if key.dtype in _MASKS:
            return key
        return key.to(torch.int64)
    if isinstance(key, (list, onp.ndarray)):
        return _plain_key(torch.from_numpy(_index_array(key)))
    if isinstance(key, onp.generic):
        key = key.item()
    if isinstance(key, (str, bytes, float, complex, dict, set)):
        msg = f"{_asked(key)}: a {class_name(key)} was given. {_EXPECTED} {_how_to_index(key)}"
        raise IndexKindError(msg)
    return key


def _how_to_index(key: object) -> str:
    if isinstance(key, float) and key.is_integer():
        return f"Convert it, as in {indexed()}[{int(key)}], or x[int(i)] for a float i."
    if isinstance(key, str) and key.isdigit():
        return f"Leave out the quotes, as in {indexed()}[{key}]; int(text) is the number in a text."
    if isinstance(key, float):
        return f"Convert it, as in x[int({key!r})]."
    return "Axes and rows have numbers, no names: x[0] is the first row, x[:, 0] a column."


def _index_array(key: list[Any] | onp.ndarray[Any, Any]) -> onp.ndarray[Any, Any]:
    values = onp.asarray(key)
    if values.size == 0 and values.dtype != bool:
        return values.astype(onp.int64)
    if values.dtype.kind not in "biuf":
        msg = (
            f"{_asked(key)}: a list of others than numbers was given. {_EXPECTED} "
            f"Slices stand beside each other: x[0:2, 1]."
        )
        raise IndexKindError(msg)
    kind = bool if values.dtype == bool else onp.int64
    return writable(values, kind)


def _check_bounds(tensor: Tensor, key: Key) -> None:
    """Refuse positions that the array does not have, before torch has written the others."""
    parts = key if type(key) is tuple else (key,)
    if not any(isinstance(part, Tensor) for part in parts):
        return
    sizes = _sizes_by_part(tuple(tensor.shape), parts)
    for axis, (part, size) in enumerate(zip(parts, sizes, strict=True)):
        if not isinstance(part, Tensor) or part.dtype in _MASKS or not part.numel():
            continue
        lowest, highest = (int(bound) for bound in part.aminmax())
        if lowest < -size or highest >= size:
            wrong = lowest if lowest < -size else highest
            msg = f"position {wrong} of part {axis} is out of bounds for {size} elements"
            raise IndexError(msg)


def _here(key: Key) -> Key:
    """Return a key for an array on the CPU with arrays there, as MXNet moves them."""
    parts = key if type(key) is tuple else (key,)
    found = tuple(part.cpu() if isinstance(part, Tensor) else part for part in parts)
    return found if type(key) is tuple else found[0]


def _within(tensor: Tensor, key: Key) -> Key:
    """Return the key for an array on a GPU, with positions there that its kernels may use."""
    parts = key if type(key) is tuple else (key,)
    if not any(isinstance(part, Tensor) for part in parts):
        return key
    place = 0
    found = []
    for part, size in zip(parts, _sizes_by_part(tuple(tensor.shape), parts), strict=True):
        is_places = isinstance(part, Tensor) and part.dtype not in _MASKS
        found.append(
            within(part.to(tensor.device), size, place, counts_back=True) if is_places else part
        )
        place += _axes_of(part)
    return tuple(found) if type(key) is tuple else found[0]


def _sizes_by_part(shape: tuple[int, ...], parts: tuple[Key, ...]) -> list[int]:
    """Return the length of the axis that each part of a key picks from; 0 where it has none."""
    taken = [_axes_of(part) for part in parts]
    missing = len(shape) - sum(taken)
    sizes: list[int] = []
    axis = 0
    for part, count in zip(parts, taken, strict=True):
        sizes.append(shape[axis] if count and axis < len(shape) else 0)
        axis += missing if part is Ellipsis else count
    return sizes


def _axes_of(part: Key) -> int:
    if part is None or part is Ellipsis or type(part) is bool:
        return 0
    return part.ndim if isinstance(part, Tensor) and part.dtype in _MASKS else 1


def _is_beyond_torch(key: Key) -> bool:
    """Say whether torch refuses the key, or gives the selected axes another place than NumPy."""
    if type(key) is slice:
        return key.step is not None and key.step < 0
    if type(key) is not tuple:
        return False
    has_arrays = has_integers = False
    for part in key:
        kind = type(part)
        if kind is slice:
            if part.step is not None and part.step < 0:
                return True
        elif kind is Tensor:
            has_arrays = True
        elif kind is int:
            has_integers = True
    return has_arrays and has_integers and _are_apart([type(part) for part in key])


def _are_apart(kinds: list[type]) -> bool:
    # NumPy counts integers as arrays: with a slice between them, the selected axes come first.
    places = [place for place, kind in enumerate(kinds) if kind is int or kind is Tensor]
    return places[-1] - places[0] >= len(places)


def _positions(tensor: Tensor, key: Key) -> Tensor:
    """Return the flat position of every selected element, found by NumPy itself."""
    parts = key if type(key) is tuple else (key,)
    numpy_key = tuple(part.cpu().numpy() if isinstance(part, Tensor) else part for part in parts)
    flat = onp.arange(tensor.numel()).reshape(tuple(tensor.shape))[numpy_key]
    return tensor_of(flat).to(tensor.device)


def _read_by_position(tensor: Tensor, key: Key) -> Tensor:
    plain = _forwards(key, tuple(tensor.shape))
    if not _is_beyond_torch(plain):
        return tensor[plain]
    return tensor.reshape(-1)[_positions(tensor, key)]


def _forwards(key: Key, shape: tuple[int, ...]) -> Key:
    """Return a key with one row where a slice goes backwards through no other, as MXNet has it."""
    parts = key if type(key) is tuple else (key,)
    if any(type(part) is not slice for part in parts) or len(parts) > len(shape):
        return key
    found = []
    for part, length in zip(parts, shape, strict=False):
        rows = range(*part.indices(length))
        is_one = rows.step < 0 and len(rows) == 1
        found.append(slice(rows[0], rows[0] + 1) if is_one else part)
    return tuple(found)


def _write_by_position(tensor: Tensor, key: Key, value: Tensor | float) -> None:
    positions = _positions(tensor, key)
    if tensor.is_contiguous():
        tensor.view(-1)[positions] = value
        return
    copy = tensor.contiguous()
    copy.view(-1)[positions] = value
    tensor.copy_(copy)


def _show(key: Key) -> str:
    parts = key if type(key) is tuple else (key,)
    return ", ".join(map(_show_part, parts))


def _asked(key: Key) -> str:
    return f"index {indexed()}[{_show(key)}]"


def _show_part(part: Key) -> str:
    if isinstance(part, slice):
        text = ":".join("" if end is None else str(end) for end in (part.start, part.stop))
        return text if part.step is None else f"{text}:{part.step}"
    if part is Ellipsis:
        return "..."
    shape = getattr(part, "shape", None)
    return repr(part) if shape is None else f"array of shape {tuple(shape)}"


def _axis_of_mask(parts: tuple[Any, ...], shape: tuple[int, ...]) -> int:
    """Return the axis of the first mask that is not as long, counted in the whole array."""
    taken = [
        0 if part is None or part is Ellipsis else part.ndim if _is_mask(part) else 1
        for part in parts
    ]
    axis = 0
    for part, count in zip(parts, taken, strict=True):
        if _is_mask(part) and tuple(part.shape) != shape[axis : axis + count]:
            return axis
        axis += len(shape) - sum(taken) if part is Ellipsis else count
    return 0


def _is_mask(part: object) -> bool:
    return str(getattr(part, "dtype", "")).endswith("bool") and hasattr(part, "ndim")


def _misfit_mask(key: Key, shape: tuple[int, ...], said: str) -> InvalidIndexError:
    """Return the error for a mask that is not as long as the axes it chooses from."""
    found = re.search(r"mask \[([\d, ]*)\] at index", said)
    axis = _axis_of_mask(key if type(key) is tuple else (key,), shape)
    given = f"a mask of shape ({found[1]})" if found is not None else "a mask"
    length = shape[axis] if axis < len(shape) else 1
    msg = (
        f"{_asked(key)} into an array of shape {shape}: {given} was given for axis {axis}. "
        f"Expected one of length {length}, as that axis, or of the shape of the array. Make it of "
        f"the same rows, as x[:, 0] > 0, or as x > 0 is."
    )
    return InvalidIndexError(msg)


def _how_to_end(said: str, size: int) -> str:
    """Return which index is the last, or where a loop must end that computes one."""
    found = re.search(r"index (\d+) is out", said)
    computed = computed_index()
    if found is None or not computed:
        return f"The last is {size - 1}, or -1, and range({size}) counts all."
    more = int(found[1]) - size + 1
    return (
        f"{computed} is {found[1]} here, and may be {size - 1}: let the loop end {more} earlier, "
        f"or leave what is too far out by an if."
    )


def _explain(tensor: Tensor, key: Key, error: Exception) -> InvalidIndexError | IndexKindError:
    cls = InvalidIndexError if isinstance(error, IndexError) else IndexKindError
    said = str(error).rstrip(".")
    shape = tuple(tensor.shape)
    bounds = re.search(r"(?:dimension|axis) (\d+) with size (\d+)", said)
    if bounds is not None and int(bounds[2]):
        size = int(bounds[2])
        msg = (
            f"{_asked(key)} into an array of shape {shape}: {said.partition(' for ')[0]}. "
            f"Expected 0 to {size - 1} along axis {bounds[1]}, or {-size} to -1. "
            f"{_how_to_end(said, size)}"
        )
        return cls(msg)
    if "too many ind" in said:
        count = sum(part is not None for part in key) if isinstance(key, tuple) else 1
        how = f"There is one index for each axis, at most {len(shape)}: leave "
        how += f"{max(count - len(shape), 1)} out."
    elif "slice indices must be" in said:
        how = f"Write {divided() or 'int(n), or divide with // for whole numbers'}."
    elif "shape of the mask" in said:
        return _misfit_mask(key, shape, said)
    else:
        how = ""
    said = said.replace("the indexed tensor", "the array")
    said = said.replace("tensor of dimension", "an array, axes:")
    expected = _EXPECTED if not how else f"{_EXPECTED} {how}"
    msg = f"{_asked(key)} into an array of shape {shape}: {said}. {expected}"
    return cls(msg)
