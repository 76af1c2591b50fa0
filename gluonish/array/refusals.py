"""What an array says where it can't be read, written or copied as asked."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from gluonish.array.dtypes import numpy_dtype
from gluonish.errors import DTypeError, InvalidArgumentError, ShapeError
from gluonish.errors.program_operands import is_beside_several, joined_by_words, with_flat_operands
from gluonish.errors.program_text import as_index, condition, mentions, of_receiver, place
from gluonish.errors.wording import class_name

if TYPE_CHECKING:
    from typing import TypeAlias

    import torch

    from gluonish.context import Context

    Shape: TypeAlias = tuple[int, ...]


_COMPARISONS = ("==", "!=", "<", ">")
_LOSS = re.compile(r"(\w*(?:loss|err|cost)\w*) [<>]=? ")


def read_only(cls: type) -> InvalidArgumentError:
    """Return the error for an array that nobody may assign to."""
    return InvalidArgumentError(
        f"{cls.__name__}: writable=False was given. Expected True: arrays of gluonish can be "
        f"assigned to. Make a copy for readers that must not write."
    )


def no_array(cls: type, given: object) -> DTypeError:
    """Return the error for a class of arrays that is called with other data."""
    return DTypeError(
        f"{cls.__name__}: {class_name(given)} was given. Expected an array or a tensor. Make "
        f"arrays of other data with mx.nd.array or mx.np.array."
    )


def no_scalar(shape: Shape) -> InvalidArgumentError:
    """Return the error for the only element of several, or of none."""
    read = "item" if mentions(".item(") else "asscalar"
    how = with_flat_operands() or of_receiver(
        f"Reduce it first (x.mean().{read}(), x.sum().{read}()) or pick one "
        f"(x{[0] * len(shape)}.{read}()).",
        r"x\b",
        place(),
    )
    return InvalidArgumentError(
        f"The current array is not a scalar: its shape is {shape}. Expected exactly one element. "
        f"{how}"
    )


def no_number(shape: Shape) -> DTypeError:
    """Return the error for several elements, or none, where Python wants a number."""
    return DTypeError(
        f"an array of shape {shape} can't become one Python number. Expected exactly one element. "
        f"Reduce it first (x.mean(), x.sum()) or pick one (x[0])."
    )


def ambiguous(shape: Shape, space: str) -> InvalidArgumentError:
    """Return the error for the truth of several elements."""
    asked = condition()
    joined = joined_by_words()
    how = joined or (
        f"In place of `if a > b`, {space}.where(a > b, x, y) chooses for each element, "
        "(a > b).min() tells whether all hold, (a > b).max() whether one does; the losses of "
        "several samples become one number by loss.mean(); masks are joined as "
        "(x > 1) * (x < 5), or with + for or."
    )
    if asked and not joined:
        inside = asked.removeprefix("(").removesuffix(")")
        how = (
            f"{asked}.min() is true where all elements are, {asked}.max() where one is; "
            f"{space}.where({inside}, x, y) chooses for each element."
        )
        number = None if mentions("while ") or is_beside_several(asked) else _LOSS.match(inside)
        if number is not None and not number[1].endswith("losses"):
            how = (
                f"Write {number[1]} = {number[1]}.mean() in the line before, which makes one "
                f"number of it; {how}"
            )
        if mentions("while "):
            how = f"Write while {asked}.max(): to go on as long as it holds for one; {how}"
        elif any(sign in inside for sign in _COMPARISONS):
            how = (
                f"{how[:-1]}; {asked}.sum().asscalar() is the number of elements for which it "
                f"holds, .mean() their share."
            )
    return InvalidArgumentError(
        f"The truth value of an ndarray with multiple elements is ambiguous: its shape is {shape}. "
        f"Expected one element. {how}"
    )


def no_index(dtype: torch.dtype) -> DTypeError:
    """Return the error for an index that is no integer."""
    return DTypeError(
        f"an array of dtype {numpy_dtype(dtype)} was given as an index. Expected integers. Write "
        f"{as_index('x')} for the place in a list, or x.astype('int64')."
    )


def not_shared(dtype: torch.dtype, ctx: Context) -> InvalidArgumentError:
    """Return the error for memory that NumPy can't look into."""
    return InvalidArgumentError(
        f"numpy: copy=False was given for an array of dtype {numpy_dtype(dtype)} on {ctx}. "
        f"Expected memory and a dtype to share. Leave copy=False out."
    )


def no_axis() -> DTypeError:
    """Return the error for going through an array without axes."""
    msg = "iteration over a 0-d array: expected one axis or more. Write x.reshape(1)."
    return DTypeError(msg)


def no_length() -> DTypeError:
    """Return the error for the length of an array without axes."""
    return DTypeError("len() of a 0-d array: expected one axis or more. x.size is 1, x.shape ().")


ITSELF = "You are attempting to copy an array to itself"


def nowhere_to_copy(given: object) -> DTypeError:
    """Return the error for a copy into something else than an array."""
    return DTypeError(
        f"copyto, as_in_context: {given!r} was given. Expected a context, as mx.cpu() or mx.gpu() "
        f"returns it, or an array for copyto. Write x.as_in_context(mx.cpu()) or x.copyto(y)."
    )


def other_shape(shape: Shape, target: Shape) -> ShapeError:
    """Return the error for a copy into an array of another shape."""
    return ShapeError(
        f"copyto: an array of shape {shape} was to be copied into one of shape {target}. Expected "
        f"the same shape. Reshape one of them."
    )


def no_numbers(shape: Shape, given: object) -> DTypeError:
    """Return the error for assigning what numbers can't be made of."""
    return DTypeError(
        f"assignment to an array of shape {shape}: {class_name(given)} was given. Expected "
        f"numbers, or lists or arrays of numbers. Convert the value first."
    )
