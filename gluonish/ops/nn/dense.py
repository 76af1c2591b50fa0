"""Layers that multiply by a weight matrix or look rows of it up."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NoReturn

import torch
from torch import Tensor
from torch.nn.functional import linear

from gluonish.array.storage import wants_rows
from gluonish.errors import DTypeError, InvalidArgumentError, ShapeError
from gluonish.errors.program_layers import where_given
from gluonish.errors.wording import counted
from gluonish.ops.nn.pictures import DENSE, EMBEDDING
from gluonish.ops.table import EITHER, Graph, Precision, Quantized, Sparse, op, shape_rules
from gluonish.ops.table.explain import TORCH_ERRORS, describe, one_dtype
from gluonish.ops.table.inference import merged, unless
from gluonish.process.replay_marks import runs_once

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from gluonish.array.dtypes import DTypeLike
    from gluonish.ops.table import Shape


def dense_shapes(
    shapes: dict[str, Shape | None],
    num_hidden: int | None,
    no_bias: bool,  # noqa: ARG001 - rules receive all arguments
    flatten: bool,
) -> dict[str, Shape]:
    """Rule for unknown shapes: the features of one row of data, and the units."""
    data = shapes["data"]
    found: dict[str, Shape] = {"bias": (num_hidden,)}
    if data is not None and None not in data:
        sizes = [size for size in data if size is not None]
        features = math.prod(sizes[1:]) if flatten else sizes[-1]
        found["weight"] = (num_hidden, features)
    return found


def _dense_reverse(
    shapes: Mapping[str, Shape | None], outputs: Sequence[Shape | None], flatten: bool, **_: object
) -> dict[str, Shape]:
    """Rule: the data's axes but the last are those of the output."""
    data, output = shapes["data"], outputs[0]
    if data is None or output is None:
        return {}
    if flatten:
        return {"data": (merged([data[:1], output[:1]]) or data[:1]) + data[1:]}
    return {"data": (merged([data[:-1], output[:-1]]) or data[:-1]) + data[-1:]}


@op(
    nd="FullyConnected",
    npx="fully_connected",
    shapes=dense_shapes,
    arguments=unless("no_bias", "data", "weight", "bias"),
    reverse=_dense_reverse,
    graph=Graph(needed=("num_hidden",)),
    precision=Precision("low", others={"_sparse_FullyConnected": EITHER}),
    sparse=Sparse(names=("FullyConnected",)),
    picture=DENSE,
    quantized=Quantized(
        "_contrib_quantized_fully_connected",
        role="product",
        layer="_sg_mkldnn_fully_connected",
        parameters=("weight", "bias"),
        is_wide=True,
        is_must=True,
    ),
)
def fully_connected(
    data: Tensor,
    weight: Tensor,
    bias: Tensor | None = None,
    num_hidden: int | None = None,
    no_bias: bool = False,
    flatten: bool = True,
) -> Tensor:
    """Multiply rows of features by a weight matrix and add a bias.

    Parameters
    ----------
    data : Tensor, shape (batch, *, features)
        Rows of features.
    weight : Tensor, shape (num_hidden, features)
        One row of weights per unit.
    bias : Tensor, shape (num_hidden,), optional
        What is added to each unit.
    num_hidden : int, optional
        Number of units; by default what the weight says.
    no_bias : bool, default False
        Whether there is no bias.
    flatten : bool, default True
        Whether all axes but the first count as features; otherwise the last axis alone does.

    Returns
    -------
    Tensor, shape (batch, num_hidden), or (batch, *, num_hidden) without `flatten`

    Raises
    ------
    ShapeError
        Data and weight do not fit.

    Examples
    --------
    >>> import gluonish as mx
    >>> x, w, b = mx.nd.ones((1, 2)), mx.nd.array([[1, 2], [3, 4]]), mx.nd.array([10, 20])
    >>> print(mx.nd.FullyConnected(x, w, b, num_hidden=2).asnumpy())
    [[13. 27.]]
    """
    rows = data
    if flatten and data.dim() != 2:
        rows = data.flatten(1) if data.dim() > 1 else data.unsqueeze(-1)
    # One length is looked at: torch refuses the other, but for a bias of 1, which it would repeat.
    told = weight if bias is None or num_hidden == 1 else bias
    if no_bias is not (bias is None) or (num_hidden is not None and told.size(0) != num_hidden):
        _refuse_dense(data, weight, bias, num_hidden, no_bias)
    try:
        return linear(rows, weight, bias)
    except RuntimeError as error:
        if num_hidden not in (None, weight.size(0)):
            _refuse_dense(data, weight, bias, num_hidden, no_bias)
        _explain_dense(data, rows.shape[-1], weight, bias, error)


def _refuse_dense(
    data: Tensor, weight: Tensor, bias: Tensor | None, num_hidden: int | None, no_bias: bool
) -> NoReturn:
    if bool(no_bias) is (bias is None) and num_hidden in (None, weight.size(0)):
        _check_bias(weight, bias)  # of another length
    if bool(no_bias) is (bias is None):
        how = f"Pass num_hidden={weight.size(0)}, or another weight."
        if weight.dim() == 2 and weight.size(1) == num_hidden:
            how = "It has a row for each unit: transpose it, with w.T."
        msg = (
            f"FullyConnected: num_hidden={num_hidden} and a weight of shape "
            f"{tuple(weight.shape)} were given for data of shape {tuple(data.shape)}. Expected a "
            f"weight with {num_hidden} rows. {how}"
        )
        raise ShapeError(msg)
    refuse_bias("FullyConnected", bias)


def _check_bias(weight: Tensor, bias: Tensor | None) -> None:
    if bias is not None and bias.shape != weight.shape[:1]:
        msg = (
            f"FullyConnected: a bias of shape {tuple(bias.shape)} was given beside a weight of "
            f"shape {tuple(weight.shape)}. Expected shape {tuple(weight.shape[:1])}: one number "
            f"per unit. Pass such a bias."
        )
        raise ShapeError(msg)


def refuse_bias(where: str, bias: Tensor | None) -> NoReturn:
    """Raise the error for a bias that contradicts no_bias."""
    if bias is None:
        msg = (
            f"{where}: no bias was given although no_bias=False. Expected 3 inputs: data, weight "
            f"and bias. Pass bias, or no_bias=True."
        )
    else:
        msg = (
            f"{where}: a bias of shape {tuple(bias.shape)} was given although no_bias=True. "
            f"Expected 2 inputs: data and weight. Leave bias out, or pass no_bias=False."
        )
    raise InvalidArgumentError(msg)


def _explain_dense(
    data: Tensor, features: int, weight: Tensor, bias: Tensor | None, error: RuntimeError
) -> NoReturn:
    if isinstance(error, torch.OutOfMemoryError):
        raise error
    shape, expected = tuple(data.shape), tuple(weight.shape)
    if len(expected) != 2 or features != expected[1]:
        line = where_given("in_units", expected[-1])
        inferred = "or without in_units to have it inferred"
        ways = [
            f"build the layer with in_units={features}{line}, {inferred}",
            f"give it data of {expected[-1]} features",
        ]
        text = "; or ".join(ways if features > 1 else ways[::-1])
        how = f"{text[0].upper()}{text[1:]}."
        is_longer = len(shape) > 2 and not expected[-1] % (shape[-1] or 1)
        if is_longer and shape[-1] != expected[-1]:
            how = (
                f"All axes but the first make one row, as long as the examples are. Dense("
                f"{expected[0]}, flatten=False) applies the layer at each of the "
                f"{' x '.join(map(str, shape[1:-1]))} places, to rows of "
                f"{shape[-1]}; or give data of {expected[-1]} features."
            )
        elif is_longer:
            how = f"Write flatten=False, which makes a row of each of the {shape[:-1]} places."
        msg = (
            f"FullyConnected: data of shape {shape} has {counted(features, 'feature')} per row. "
            f"The weight of shape {expected} expects {expected[-1]}. {how}"
        )
        if shape == (expected[-1],):
            msg += " One example becomes a batch of one with x.expand_dims(0)."
        elif data.numel() == 1:
            msg += (
                " One number was given: mx.nd.random.normal(shape=(n, m)), for example, draws "
                "n rows of m."
            )
        raise ShapeError(msg) from error
    _check_bias(weight, bias)
    msg = (
        f"FullyConnected: data is an {describe(data)}, weight an {describe(weight)}, bias "
        f"{describe(bias)}. Expected one floating-point dtype for all. "
        f"{one_dtype(data, weight)}"
    )
    raise DTypeError(msg) from error


def _embedding_shapes(
    shapes: dict[str, Shape | None],  # noqa: ARG001 - rules receive all arguments
    input_dim: int | None,
    output_dim: int | None,
    **_: object,
) -> dict[str, Shape]:
    """Rule for an unknown weight: it has one row per id."""
    return {"weight": (input_dim, output_dim)}


@op(
    nd=(("Embedding",), ("contrib.SparseEmbedding",)),
    reverse=shape_rules.lookup,
    npx="embedding",
    shapes=_embedding_shapes,
    graph=Graph(needed=("input_dim", "output_dim"), own_dtypes=("data",)),
    precision=EITHER,
    sparse=Sparse("gives rows", names=("Embedding",)),
    picture=EMBEDDING,
    quantized=Quantized("_contrib_quantized_embedding", parameters=("weight",), floats=("data",)),
)
def embedding(
    data: Tensor,
    weight: Tensor,
    input_dim: int | None = None,
    output_dim: int | None = None,
    dtype: DTypeLike | None = "float32",  # noqa: ARG001 - the weight's own dtype decides
    sparse_grad: bool = False,
) -> Tensor:
    """Look up the row of a table for each id.

    Parameters
    ----------
    data : Tensor, shape (*)
        Ids of any dtype; ids outside of the table count as the nearest row, as in MXNet.
    weight : Tensor, shape (input_dim, output_dim)
        The table.
    input_dim, output_dim : int, optional
        Shape of the table; by default the weight's.
    dtype : str, optional
        Dtype of the table, which the weight itself says.
    sparse_grad : bool, default False
        Whether the weight's gradient has the rows of the ids only, where the weight's gradient is
        to be of storage type 'row_sparse'.

    Returns
    -------
    Tensor, shape (*, output_dim)

    Examples
    --------
    >>> import gluonish as mx
    >>> table = mx.nd.array([[1, 2], [3, 4], [5, 6]])
    >>> print(mx.nd.Embedding(mx.nd.array([2, 0]), table, input_dim=3, output_dim=2).asnumpy())
    [[5. 6.]
     [1. 2.]]
    """
    if input_dim is not None and weight.shape != (input_dim, output_dim):
        msg = (
            f"Embedding: a weight of shape {tuple(weight.shape)} was given with "
            f"input_dim={input_dim} and output_dim={output_dim}. Expected a weight of shape "
            f"{(input_dim, output_dim)}. Pass such a weight, or correct the dimensions."
        )
        raise ShapeError(msg)
    try:
        ids = data.long()
        if not sparse_grad and runs_once(weight):
            try:
                return torch.embedding(weight, ids)
            except IndexError:  # some are outside
                pass
        ids = ids.clamp(0, weight.size(0) - 1)
        return torch.nn.functional.embedding(ids, weight, sparse=sparse_grad and wants_rows(weight))
    except TORCH_ERRORS as error:
        msg = (
            f"Embedding: data is an {describe(data)}, weight an {describe(weight)}. Expected "
            f"numbers as ids and a table of two axes. Pass those."
        )
        raise ShapeError(msg) from error
