"""Products of matrices: dot, batch_dot, khatri_rao."""

from __future__ import annotations

import math

import torch
from torch import Tensor

from gluonish.errors import InvalidArgumentError, ShapeError
from gluonish.errors.program_arguments import arguments, exchanged, with_keyword
from gluonish.errors.program_assignments import line_of_call, made_by
from gluonish.errors.program_text import operands
from gluonish.ops.table import FULL, WIDEST, Sparse, op
from gluonish.ops.table.choices import STORAGE_TYPES
from gluonish.ops.table.explain import explained
from gluonish.ops.table.variadic import flat


def _check_storage_type(name: str, stype: str) -> None:
    if stype not in STORAGE_TYPES:
        msg = (
            f"{name}: forward_stype={stype!r} was given. Expected "
            f"{' or '.join(map(repr, STORAGE_TYPES))}. Leave forward_stype out."
        )
        raise InvalidArgumentError(msg)


def _inner_lengths(
    lhs: Tensor, rhs: Tensor, transpose_a: bool, transpose_b: bool, *_: object
) -> str:
    shapes = tuple(lhs.shape), tuple(rhs.shape)
    names = operands()
    if not all(names):
        first, second = arguments(2) or names
        names = first, second
    how = how_to_multiply(*shapes, transpose_a, transpose_b, names)
    if any(name and made_by(name, "flatten") for name in names):
        how = (
            f"{how}; for vectors write x.reshape(-1) in the place of x.flatten(), which keeps the "
            f"first axis"
        )
    return how


def _of_batches(lhs: Tensor, rhs: Tensor, transpose_a: bool, transpose_b: bool, *_: object) -> str:
    one, other = tuple(lhs.shape), tuple(rhs.shape)
    if one[:-2] != other[:-2]:
        return f"equal batch axes, not {one[:-2]} and {other[:-2]}. Repeat or cut one"
    return (
        f"equal batch axes, and {how_to_multiply(one[-2:], other[-2:], transpose_a, transpose_b)}"
    )


def how_to_multiply(
    one: tuple[int, ...],
    other: tuple[int, ...],
    transpose_a: bool,
    transpose_b: bool,
    names: tuple[str, str] = ("", ""),
) -> str:
    """Return what `dot` expects of two arrays of some shapes, and which flags would do.

    `names` are what a program calls the arrays, where that is known.

    Examples
    --------
    >>> from gluonish.ops.linear.products import how_to_multiply
    >>> how_to_multiply((10, 6), (5, 1), False, False)[52:]
    'no transpose fits. Make the second of shape (6, 1)'
    """
    rule = "as many columns of the first as rows of the second"
    one, other = one or (1,), other or (1,)
    first, second = names[0] or "x", names[1] or "y"
    if len(one) == len(other) == 3 and one[0] == other[0]:
        for flag, rows in (("", other[1]), (", transpose_b=True", other[2])):
            if rows == one[2] and not transpose_a:
                return (
                    f"{rule}. Write nd.batch_dot({first}, {second}{flag}), which multiplies the "
                    f"matrices of each of {one[0]} examples"
                )
    ways = {}
    for a, b in ((transpose_a, not transpose_b), (not transpose_a, transpose_b), (True, True)):
        turns_a_vector = (a and len(one) == 1) or (b and len(other) == 1)
        if one[0 if a else -1] == other[-1 if b else 0] and not turns_a_vector:
            flags = [f"transpose_{name}={flag}" for name, flag in (("a", a), ("b", b)) if flag]
            shape = (*(one[1:] if a else one[:-1]), *(other[:-1] if b else other[1:]))
            ways[", ".join(flags) or "no transpose_a and no transpose_b"] = shape
    both = "transpose_a=True, transpose_b=True"
    if list(ways) == [both]:
        other_way = exchanged(f"dot({second}, {first})")
        return f"{rule}. Exchange them, as in {other_way}, or write {both}"
    if ways:
        ways.pop(both, None)
        told = [f"{way} for a result of shape {shape}" for way, shape in ways.items()]
        if one == other and len(one) == 2:
            told.append(f"({first} * {second}).sum(axis=-1) for one number from each pair of rows")
        (way, *others), is_as_given = ways, not (transpose_a or transpose_b)
        if not others and way in ("transpose_a=True", "transpose_b=True") and is_as_given:
            return f"{rule}. Write {with_keyword(way.partition('=')[0], 'True', way)}"
        return f"{rule}. Write {', or '.join(told if len(told) > 1 else ways)}"
    inner = one[0 if transpose_a else -1]
    if len(one) > 2 == len(other) and math.prod(one[1:]) == other[0]:
        return f"{rule}. Flatten the first, with {first}.reshape({(one[0], other[0])})"
    if len(other) == 1:
        longer = f", or the first of shape {(*one[:-1], other[0])}" if not transpose_a else ""
        return f"{rule}: no transpose fits. Make the second of shape {(inner,)}{longer}"
    if len(one) <= 2 == len(other):
        shape = (other[0], inner) if transpose_b else (inner, other[1])
        return f"{rule}: no transpose fits. Make the second of shape {shape}"
    return f"{rule}. Reshape them to matrices"


@op(
    nd="dot",
    precision=WIDEST,
    sparse=Sparse("multiplies matrices", names=("dot",)),
    choices={"forward_stype": STORAGE_TYPES},
)
@explained(_inner_lengths)
def dot(
    lhs: Tensor,
    rhs: Tensor,
    transpose_a: bool = False,
    transpose_b: bool = False,
    forward_stype: str | None = None,
) -> Tensor:
    """Multiply matrices: sum over the last axis of the first and the first of the second array.

    Parameters
    ----------
    lhs : Tensor, shape (*, inner)
        First factor.
    rhs : Tensor, shape (inner, *)
        Second factor.
    transpose_a : bool, default False
        Whether to sum over the first axis of `lhs` instead.
    transpose_b : bool, default False
        Whether to sum over the last axis of `rhs` instead.
    forward_stype : {'default', 'row_sparse', 'csr'}, optional
        Storage type of the result of `mx.nd.dot`; in graphs it is dense.

    Examples
    --------
    >>> import gluonish as mx
    >>> x = mx.nd.array([[1, 2], [3, 4]])
    >>> mx.nd.dot(x, x, transpose_b=True).asnumpy()
    array([[ 5., 11.],
           [11., 25.]], dtype=float32)
    """
    if forward_stype is not None:
        _check_storage_type("dot", forward_stype)
    if lhs.ndim == 2 and rhs.ndim == 2:
        return torch.mm(lhs.t() if transpose_a else lhs, rhs.t() if transpose_b else rhs)
    if lhs.ndim == 1 and rhs.ndim == 1:
        return torch.dot(lhs, rhs).reshape(1)
    inner = 0 if transpose_a else lhs.ndim - 1, rhs.ndim - 1 if transpose_b else 0
    if lhs.ndim and rhs.ndim and lhs.shape[inner[0]] != rhs.shape[inner[1]]:
        raise _unequal(lhs.shape[inner[0]], rhs.shape[inner[1]])
    result: Tensor = torch.tensordot(lhs, rhs, ([inner[0]], [inner[1]]))
    return result


def _unequal(first: int, second: int) -> ValueError:
    """Return the error for sums over lengths of which one is 1, which torch would repeat."""
    return ValueError(f"{first} columns, {second} rows")


def _how_to_stack(lhs: Tensor, rhs: Tensor) -> str:
    """Return what makes stacks of matrices of two arrays."""
    if lhs.ndim == rhs.ndim == 2:
        return "nd.dot(x, y) multiplies matrices"
    first, second = operands()
    for name, array in ((first, lhs), (second, rhs)):
        if array.ndim == 4 and name and (line := line_of_call(name, "dot")):
            return (
                f"nd.dot multiplies each matrix of a batch by all of the other: write nd.batch_dot "
                f"in its place in line {line}, for three axes of {name}"
            )
    if lhs.ndim == 3 and rhs.shape == (lhs.shape[0], lhs.shape[2]):
        return f"For vectors write {second or 'y'}.expand_dims(2)"
    if rhs.ndim == 3 and lhs.shape == (rhs.shape[0], rhs.shape[1]):
        return f"For vectors write {first or 'x'}.expand_dims(1)"
    return _ADD_AXIS


_ADD_AXIS = "Add an axis with x.expand_dims(0), or broadcast with x.broadcast_to(...)"


@op(
    nd="batch_dot",
    npx="batch_dot",
    precision=WIDEST,
    choices={"forward_stype": STORAGE_TYPES},
)
@explained(_of_batches)
def batch_dot(
    lhs: Tensor,
    rhs: Tensor,
    transpose_a: bool = False,
    transpose_b: bool = False,
    forward_stype: str | None = None,
) -> Tensor:
    """Multiply batches of matrices.

    Parameters
    ----------
    lhs : Tensor, shape (batch, rows, inner)
        First factors.
    rhs : Tensor, shape (batch, inner, columns)
        Second factors.
    transpose_a, transpose_b : bool, default False
        Whether to exchange the last two axes of a factor first.
    forward_stype : {'default', 'row_sparse', 'csr'}, optional
        Graphs of MXNet may have it; batches of matrices are always dense, as in MXNet.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.nd.batch_dot(mx.nd.ones((5, 2, 3)), mx.nd.ones((5, 3, 4))).shape
    (5, 2, 4)
    """
    if forward_stype is not None:
        _check_storage_type("batch_dot", forward_stype)
    if lhs.ndim < 3 or rhs.ndim != lhs.ndim:
        msg = (
            f"batch_dot: arrays of shape {tuple(lhs.shape)} and {tuple(rhs.shape)} were given. "
            f"Expected as many axes of both, three or more: a batch of matrices. "
            f"{_how_to_stack(lhs, rhs)}."
        )
        raise ShapeError(msg)
    left = lhs.transpose(-1, -2) if transpose_a else lhs
    right = rhs.transpose(-1, -2) if transpose_b else rhs
    if left.ndim == 3:
        try:
            return torch.bmm(left, right)
        except RuntimeError as error:
            if left.shape[0] == right.shape[0] and left.shape[2] != right.shape[1]:
                msg = f"{left.shape[2]} columns, {right.shape[1]} rows"
                raise RuntimeError(msg) from error
            raise
    if left.shape[:-2] != right.shape[:-2]:
        msg = "the batch axes differ"
        raise RuntimeError(msg)
    return torch.matmul(left, right)


@op(nd="khatri_rao", precision=FULL)
@explained("matrices with the same number of columns. Transpose or cut them")
def khatri_rao(*args: Tensor) -> Tensor:
    """Return the Khatri-Rao product: for each column, the Kronecker product of the columns.

    Parameters
    ----------
    *args : Tensor, shape (rows, columns)
        The matrices.

    Examples
    --------
    >>> import gluonish as mx
    >>> x = mx.nd.array([[1, 2], [3, 4]])
    >>> mx.nd.khatri_rao(x, x).asnumpy()
    array([[ 1.,  4.],
           [ 3.,  8.],
           [ 3.,  8.],
           [ 9., 16.]], dtype=float32)
    """
    matrices = flat(args)
    result = matrices[0]
    for matrix in matrices[1:]:
        if matrix.shape[1:] != result.shape[1:]:  # which torch would repeat
            msg = (
                f"khatri_rao: matrices of {result.shape[1]} and {matrix.shape[1]} columns were "
                f"given. Expected as many in each. Write x.broadcast_axis(axis=1, size=...)."
            )
            raise ShapeError(msg)
        result = torch.einsum("ik,jk->ijk", result, matrix).reshape(-1, result.shape[1])
    return result if len(matrices) > 1 else result.clone()
