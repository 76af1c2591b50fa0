"""NumPy's products of vectors and matrices."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as onp
import torch
from torch import Tensor

from gluonish.array.dtypes import dtype_name
from gluonish.errors import DTypeError, ShapeError
from gluonish.errors.program_text import operands
from gluonish.ops.np import recorded
from gluonish.ops.np.arguments import Out, as_tensors, into, shape_error
from gluonish.ops.table import Graph, Precision, Sparse, op

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from gluonish.ops.table import Shape


def _turned(a: Tensor, b: Tensor) -> str:
    """Return which of two matrices to transpose."""
    first, second = (name or alone for name, alone in zip(operands(), "xy", strict=True))
    if a.ndim == b.ndim == 2:
        if a.shape == b.shape:
            ways = f"np.dot({first}.T, {second})", f"np.dot({first}, {second}.T)"
            sizes = a.shape[1], a.shape[0]
            told = (f"{way} has shape ({n}, {n})" for way, n in zip(ways, sizes, strict=True))
            return f"Transpose one of them: {', '.join(told)}"
        if a.shape[1] == b.shape[1]:
            return f"Transpose the second, as in np.dot({first}, {second}.T)"
        if a.shape[0] == b.shape[0]:
            return f"Transpose the first, as in np.dot({first}.T, {second})"
    return "Transpose one of them"


def _refuse(where: str, a: Tensor, b: Tensor, error: Exception) -> ShapeError | DTypeError:
    if a.dtype is not b.dtype:
        msg = (
            f"{where}: arrays of dtype {dtype_name(a.dtype)} and {dtype_name(b.dtype)} were given. "
            f"Expected one dtype. Convert one with x.astype('{dtype_name(b.dtype)}')."
        )
        return DTypeError(msg)
    said = str(error).splitlines()[0].rstrip(".")
    told = "" if "mat1 and mat2" in said else f" ({said})"
    msg = (
        f"{where}: arrays of shape {tuple(a.shape)} and {tuple(b.shape)} were given{told}. "
        f"Expected the last axis of the first to be "
        f"as long as the second to last (or only) axis of the second. {_turned(a, b)}."
    )
    return ShapeError(msg)


def _product_shapes(
    shapes: Mapping[str, Shape | None],
    outputs: Sequence[Shape | None] = (),  # noqa: ARG001 - which fix no more
    **_: object,
) -> dict[str, Shape]:
    """Rule: the last axis of the first is as long as the second to last (or only) of the second."""
    a, b = shapes["a"], shapes["b"]
    if not (a and b):
        return {}
    return _paired(a, b, [(len(a) - 1, max(len(b) - 2, 0))])


def contracted_shapes(
    shapes: Mapping[str, Shape | None],
    outputs: Sequence[Shape | None] = (),  # noqa: ARG001 - which fix no more
    axes: int | Sequence[int | Sequence[int]] = 2,
    a_axes_summed: Sequence[int] | None = None,
    b_axes_summed: Sequence[int] = (),
) -> dict[str, Shape]:
    """Rule: axes that are summed over are as long in both arrays.

    Examples
    --------
    >>> from gluonish.ops.np.products import contracted_shapes
    >>> contracted_shapes({"a": (2, 3, 4), "b": (None, None, 5)})["b"]
    (3, 4, 5)
    """
    a, b = shapes["a"], shapes["b"]
    if a is None or b is None:
        return {}
    if a_axes_summed is not None:
        pairs = list(zip(a_axes_summed, b_axes_summed, strict=False))
    elif isinstance(axes, int):
        pairs = [(len(a) - axes + place, place) for place in range(axes)]
    else:
        first, second = ([each] if isinstance(each, int) else list(each) for each in axes)
        pairs = list(zip(first, second, strict=False))
    fit = all(-len(a) <= one < len(a) and -len(b) <= other < len(b) for one, other in pairs)
    return _paired(a, b, pairs) if fit else {}


def _paired(a: Shape, b: Shape, pairs: Iterable[tuple[int, int]]) -> dict[str, Shape]:
    """Return shapes whose axes are as long as their partners where one of them is not known."""
    first, second = list(a), list(b)
    for one, other in pairs:
        if first[one] is None:
            first[one] = second[other]
        if second[other] is None:
            second[other] = first[one]
    return {"a": tuple(first), "b": tuple(second)}


def _over(a: Tensor, b: Tensor, axes: int | tuple[list[int], list[int]]) -> Tensor:
    if isinstance(axes, int):
        first, second = list(range(a.ndim - axes, a.ndim)), list(range(axes))
    else:
        first, second = axes
    if [a.shape[axis] for axis in first] != [b.shape[axis] for axis in second]:
        lengths = [[x.shape[axis] for axis in axes] for x, axes in ((a, first), (b, second))]
        msg = f"axes of lengths {lengths[0]} and {lengths[1]}"  # of which torch would repeat 1
        raise RuntimeError(msg)
    product: Tensor = torch.tensordot(a, b, (first, second))
    return product


def _dot(where: str, a: Tensor, b: Tensor) -> Tensor:
    try:
        if b.ndim <= 2 and a.ndim and b.ndim:
            return torch.matmul(a, b)
        if not (a.ndim and b.ndim):
            return a * b
        return _over(a, b, ([a.ndim - 1], [b.ndim - 2]))
    except RuntimeError as error:
        raise _refuse(where, a, b, error) from error


@op(
    np="dot",
    file="_np_dot",
    np_method="dot",
    shapes=_product_shapes,
    reverse=_product_shapes,
    sparse=Sparse("multiplies matrices"),
)
def dot(a: Tensor | float, b: Tensor | float, out: Out = None) -> Tensor:
    """Return the dot product: of vectors, matrices, or the last axis with the second to last.

    Parameters
    ----------
    a : ndarray, shape (..., n)
        First factor.
    b : ndarray, shape (n,) or (..., n, m)
        Second factor. With an array without axes, or a number, it is the plain product.
    out : ndarray, optional
        Where to put the result.

    Examples
    --------
    >>> from gluonish import np
    >>> np.dot(np.array([1, 2]), np.array([3, 4]))
    array(11.)
    """
    if not (isinstance(a, Tensor) and isinstance(b, Tensor)):
        a, b = as_tensors((a, b))
    result = _dot("np.dot", a, b)
    return result if out is None else into(out, result)


@op(
    np="matmul",
    output_names=("out",),
    np_method="__matmul__",
    shapes=_product_shapes,
    reverse=_product_shapes,
    precision=Precision(like="dot"),
)
def matmul(a: Tensor, b: Tensor, out: Out = None) -> Tensor:
    """Return the matrix product; more axes are batches of matrices.

    Examples
    --------
    >>> from gluonish import np
    >>> np.ones((2, 3)) @ np.ones((3, 1))
    array([[3.],
           [3.]])
    """
    try:
        return into(out, torch.matmul(a, b))
    except TypeError:
        return into(out, torch.matmul(*as_tensors((a, b))))
    except RuntimeError as error:
        msg = "np.matmul"
        raise _refuse(msg, a, b, error) from error


@op(np_method="__rmatmul__")
def reversed_matmul(a: Tensor, b: Tensor) -> Tensor:
    """Return the matrix product of the second operand with the first.

    Examples
    --------
    >>> import numpy
    >>> from gluonish import np
    >>> numpy.ones((1, 2), dtype='float32') @ np.ones((2, 1))
    array([[2.]])
    """
    return matmul(b, a)


@op(np="inner", recorded=recorded.inner, precision=Precision(like="dot"))
def inner(a: Tensor, b: Tensor) -> Tensor:
    """Return sums of products over the last axes.

    Examples
    --------
    >>> from gluonish import np
    >>> np.inner(np.array([1, 2]), np.array([3, 4]))
    array(11.)
    """
    a, b = as_tensors((a, b))
    try:
        return torch.inner(a, b)
    except RuntimeError as error:
        raise shape_error(error, "np.inner", a, b) from error


@op(np="outer")
def outer(a: Tensor, b: Tensor) -> Tensor:
    """Return the product of each element of one array with each of another.

    Examples
    --------
    >>> from gluonish import np
    >>> np.outer(np.array([1, 2]), np.array([3, 4]))
    array([[3., 4.],
           [6., 8.]])
    """
    a, b = as_tensors((a, b))
    return torch.outer(a.reshape(-1), b.reshape(-1))


@op(np="vdot", precision=Precision(like="dot"))
def vdot(a: Tensor, b: Tensor) -> Tensor:
    """Return the dot product of two arrays' elements in order.

    Examples
    --------
    >>> from gluonish import np
    >>> np.vdot(np.ones((2, 2)), np.ones((2, 2)))
    array(4.)
    """
    a, b = as_tensors((a, b))
    return _dot("np.vdot", a.reshape(-1), b.reshape(-1))


@op(np="cross")
def cross(
    a: Tensor,
    b: Tensor,
    axisa: int = -1,
    axisb: int = -1,
    axisc: int = -1,
    axis: int | None = None,
) -> Tensor:
    """Return the cross product of vectors of three elements.

    Examples
    --------
    >>> from gluonish import np
    >>> np.cross(np.array([1, 0, 0]), np.array([0, 1, 0]))
    array([0., 0., 1.])
    """
    if axis is not None:
        axisa = axisb = axisc = axis
    a, b = as_tensors((a, b))
    try:
        product: Tensor = torch.linalg.cross(a.movedim(axisa, -1), b.movedim(axisb, -1))
        return product.movedim(-1, axisc)
    except (RuntimeError, IndexError) as error:
        raise shape_error(error, "np.cross", a, b) from error


@op(np="kron", precision=Precision(like="dot"))
def kron(a: Tensor, b: Tensor) -> Tensor:
    """Return the Kronecker product.

    Examples
    --------
    >>> from gluonish import np
    >>> np.kron(np.array([1, 10]), np.array([1, 2]))
    array([ 1.,  2., 10., 20.])
    """
    a, b = as_tensors((a, b))
    return torch.kron(a.contiguous(), b.contiguous())


@op(
    np="tensordot",
    shapes=contracted_shapes,
    reverse=contracted_shapes,
    recorded=recorded.tensordot,
    precision=Precision(like="dot"),
)
def tensordot(
    a: Tensor, b: Tensor, axes: int | Sequence[int] | Sequence[Sequence[int]] = 2
) -> Tensor:
    """Return sums of products over chosen axes of two arrays.

    Parameters
    ----------
    a, b : ndarray
        The factors.
    axes : int or pair of (sequence of) int, default 2
        How many last axes of `a` and first axes of `b`, or which axes of each.

    Examples
    --------
    >>> from gluonish import np
    >>> np.tensordot(np.ones((2, 3)), np.ones((3, 4)), axes=1).shape
    (2, 4)
    """
    a, b = as_tensors((a, b))
    pairs: int | tuple[list[int], list[int]]
    if isinstance(axes, int):
        # MXNet takes negative numbers for 0, and multiplies by an array without axes.
        pairs = max(axes, 0) if a.ndim and b.ndim else 0
    else:
        first, second = ([each] if isinstance(each, int) else list(each) for each in axes)
        pairs = first, second
    try:
        return _over(a, b, pairs)
    except (RuntimeError, IndexError) as error:
        raise shape_error(error, "np.tensordot", a, b) from error


@op(
    np="einsum",
    recorded=recorded.einsum,
    graph=Graph(written={"np.einsum": "optimize=0"}),
    precision=Precision(like="dot"),
)
def einsum(
    subscripts: str, *operands: Tensor, out: Out = None, optimize: bool | int | str = False
) -> Tensor:
    """Return sums of products that Einstein's notation names.

    Parameters
    ----------
    subscripts : str
        One letter for each axis of each array, then `->` and the axes of the result. Without
        `->` the letters that stand once remain, in alphabetical order.
    *operands : ndarray
        The arrays.
    out : ndarray, optional
        Where to put the result.
    optimize : bool or str, default False
        Whether, and how, NumPy plans the order in which three or more arrays are multiplied.

    Examples
    --------
    >>> from gluonish import np
    >>> np.einsum('ij,j->i', np.ones((2, 3)), np.arange(3))
    array([3., 3.])
    """
    tensors = as_tensors(operands)
    spelled = subscripts.replace(" ", "")
    try:
        if optimize and len(tensors) > 2:
            return into(out, _einsum_in_order(spelled, tensors, optimize))
        if len(tensors) > 1 and all(each.dtype is torch.bool for each in tensors):
            counted = torch.einsum(spelled, *(each.to(torch.int64) for each in tensors))
            return into(out, counted != 0)
        if len(tensors) == 1:  # of which torch may give a view
            return into(out, torch.einsum(spelled, *tensors).to(tensors[0].dtype, copy=True))
        return into(out, torch.einsum(spelled, *tensors))
    except (RuntimeError, ValueError) as error:
        raise shape_error(error, f"np.einsum({subscripts!r})", *tensors) from error


def _einsum_in_order(subscripts: str, tensors: list[Tensor], optimize: int | str) -> Tensor:
    """Contract a few arrays at a time, in the order that NumPy's planner finds."""
    stand_ins = [onp.broadcast_to(onp.float32(0), tuple(each.shape)) for each in tensors]
    choice = optimize if isinstance(optimize, str) else "greedy"
    inputs, _, result = subscripts.partition("->")
    if not result and "->" not in subscripts:
        letters = inputs.replace(",", "").replace(".", "")
        single = "".join(sorted(each for each in set(letters) if letters.count(each) == 1))
        result = ("..." if "..." in inputs else "") + single
    plan = onp.einsum_path(f"{inputs}->{result}", *stand_ins, optimize=choice)[0][1:]
    terms, left = inputs.split(","), list(tensors)
    for step in plan:
        places = sorted(step, reverse=True)
        taken_terms = [terms.pop(place) for place in places]
        taken = [left.pop(place) for place in places]
        kept = _kept_letters(taken_terms, [*terms, result]) if terms else result
        terms.append(kept)
        part: Tensor = torch.einsum(f"{','.join(taken_terms)}->{kept}", *taken)
        left.append(part)
    return left[0]


def _kept_letters(taken: list[str], others: list[str]) -> str:
    """Return the axes of a product that are needed later, an ellipsis first."""
    needed = set("".join(others))
    letters = sorted({each for each in "".join(taken) if each in needed and each != "."})
    return ("..." if any("..." in each for each in taken) else "") + "".join(letters)
