"""Products of sparse and dense matrices, with gradients by the dense ones."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any

import torch
from typing_extensions import override

from gluonish.array import storage
from gluonish.array.core import NDArray, wrap
from gluonish.array.sparse import is_in_graph, is_sparse, sparse_array
from gluonish.array.sparse_base import parts_of
from gluonish.array.tensors import unwrap
from gluonish.errors import MXNetError, ShapeError
from gluonish.errors.tracebacks import shorten
from gluonish.ops.linear.products import how_to_multiply

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from torch import Tensor

    from gluonish.array.sparse_tensor import SparseTensor
    from gluonish.ops import Op


def dot(_: Callable[..., Any], __: Op, given: Mapping[str, Any]) -> Any:
    """Multiply two arrays one of which is sparse; NotImplemented where both are to be dense."""
    lhs, rhs = given["lhs"], given["rhs"]
    turns = bool(given.get("transpose_a")), bool(given.get("transpose_b"))
    if (
        not (isinstance(lhs, NDArray) and isinstance(rhs, NDArray))
        or lhs.context is not rhs.context
    ):
        return NotImplemented
    kind = given.get("forward_stype")
    if _is_constant_csr(lhs) and rhs.stype != "csr" and rhs.ndim <= 2:
        kind = kind or ("row_sparse" if turns[0] and not turns[1] else "default")
        return _csr_first(lhs, rhs, turns, kind)
    if _is_constant_csr(rhs) and lhs.stype == "default" and lhs.ndim == 2:
        return _csr_second(lhs, rhs, turns, kind or ("default" if turns[0] else "csr"))
    return NotImplemented


def _is_constant_csr(array: NDArray) -> bool:
    return is_sparse(array) and array.stype == "csr" and not is_in_graph(array)


def with_storage_type(function: Callable[..., Any]) -> Callable[..., Any]:
    """Have a product of dense arrays come in the storage type that `forward_stype` asks for."""

    @functools.wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        try:
            if not kwargs and len(args) < 5:
                return function(*args)
            result = function(*args, **kwargs)
            wanted = kwargs.get("forward_stype") if len(args) < 5 else args[4]
            if wanted is None or kwargs.get("out") is not None or wanted == result.stype:
                return result
            return result.tostype(wanted)
        except MXNetError as error:
            shorten(error)
            raise

    return call


def _csr_first(lhs: Any, rhs: NDArray, turns: tuple[bool, bool], kind: str) -> Any:
    other = rhs.todense() if is_sparse(rhs) else rhs
    tensor = unwrap(other)
    vector = tensor.ndim == 1
    matrix = tensor.unsqueeze(1) if vector else tensor.t() if turns[1] else tensor
    height = lhs.shape[0 if turns[0] else 1]
    if matrix.shape[0] != height:
        raise _mismatch(lhs, rhs, turns)
    result = _Product.apply(matrix, parts_of(lhs), turns[0], storage.wants_rows(tensor))  # type: ignore[no-untyped-call]
    result = result.squeeze(1) if vector else result
    if kind == "row_sparse" and not (vector or result.requires_grad):
        return sparse_array(storage.stored(result, kind), lhs.context)
    return wrap(result, lhs.context, NDArray)


def _csr_second(lhs: NDArray, rhs: Any, turns: tuple[bool, bool], kind: str) -> Any:
    tensor = unwrap(lhs)
    matrix = tensor if turns[0] else tensor.t()
    if matrix.shape[0] != rhs.shape[1 if turns[1] else 0]:
        raise _mismatch(lhs, rhs, turns)
    product = _Product.apply(matrix, parts_of(rhs), not turns[1], False)  # type: ignore[no-untyped-call]
    result = product.t().contiguous()
    if kind == "csr" and not result.requires_grad:
        return sparse_array(storage.stored(result, kind), lhs.context)
    return wrap(result, lhs.context, NDArray)


def _mismatch(lhs: NDArray, rhs: NDArray, turns: tuple[bool, bool]) -> ShapeError:
    msg = (
        f"dot: arrays of shapes {lhs.shape} and {rhs.shape} were given, with "
        f"transpose_a={turns[0]} and transpose_b={turns[1]}. Expected "
        f"{how_to_multiply(lhs.shape, rhs.shape, *turns)}."
    )
    return ShapeError(msg)


class _Product(torch.autograd.Function):
    """A csr matrix, or its transpose, times a dense one; differentiable by the dense one."""

    @staticmethod
    @override
    def forward(
        ctx: Any, dense: Tensor, parts: SparseTensor, transposed: bool, wants_rows: bool
    ) -> Tensor:
        ctx.parts, ctx.transposed, ctx.wants_rows = parts, transposed, wants_rows
        return storage.product(parts, dense, transposed=transposed)

    @staticmethod
    @override
    def backward(ctx: Any, *grads: Tensor) -> Any:
        parts = ctx.parts
        (grad,) = grads
        if not ctx.wants_rows or ctx.transposed:
            return storage.product(parts, grad, transposed=not ctx.transposed), None, None, None
        rows, inverse = torch.unique(parts.indices, return_inverse=True)
        part = storage.with_columns(parts, inverse, rows.numel())
        values = storage.product(part, grad, transposed=True)
        shape = (parts.shape[1], grad.shape[1])
        gradient = torch.sparse_coo_tensor(
            rows[None], values, shape, is_coalesced=True, check_invariants=False
        )
        return gradient, None, None, None
