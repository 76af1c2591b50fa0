"""Whether two optimizers do the same."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from gluonish.errors import RefusedArgumentError
from gluonish.random import uniform
from gluonish.test_utils.comparisons import assert_almost_equal
from gluonish.test_utils.defaults import default_context
from gluonish.test_utils.drawn_arrays import rand_ndarray

if TYPE_CHECKING:
    from gluonish.array import NDArray
    from gluonish.array.dtypes import DTypeLike
    from gluonish.optimizer import Optimizer

Arrays: TypeAlias = "NDArray | tuple[Arrays, ...] | None"

__all__ = ["compare_ndarray_tuple", "compare_optimizer"]


def compare_ndarray_tuple(
    t1: Arrays, t2: Arrays, rtol: float | None = None, atol: float | None = None
) -> None:
    """Check that arrays, or tuples of them, however deep, are nearly the same.

    Parameters
    ----------
    t1, t2 : NDArray, tuple or None
        What to compare; nothing is compared where either is None.
    rtol, atol : float, optional
        Tolerances, as those of `assert_almost_equal`.

    Raises
    ------
    AssertionError
        They differ.

    Examples
    --------
    >>> import gluonish as mx
    >>> x = mx.nd.ones((2,))
    >>> mx.test_utils.compare_ndarray_tuple((x, None), (x + 0, None))
    """
    if t1 is None or t2 is None:
        return
    if isinstance(t1, tuple) and isinstance(t2, tuple):
        for one, two in zip(t1, t2, strict=True):
            compare_ndarray_tuple(one, two, rtol, atol)
    else:
        assert_almost_equal(t1, t2, rtol=rtol, atol=atol)


def compare_optimizer(
    opt1: Optimizer,
    opt2: Optimizer,
    shape: tuple[int, ...] | list[tuple[int, ...]],
    dtype: DTypeLike,
    w_stype: str = "default",
    g_stype: str = "default",
    rtol: float = 1e-4,
    atol: float = 1e-5,
    compare_states: bool = True,
    ntensors: int = 1,
) -> None:
    """Check that two optimizers do the same to random weights, by random gradients.

    Parameters
    ----------
    opt1, opt2 : Optimizer
        The optimizers.
    shape : tuple of int, or list of tuples
        Shape of the weight. For a list there is a weight of each shape: `opt1` updates one after
        the other, `opt2` all of them in one call.
    dtype : str
        Dtype of weights and gradients.
    w_stype, g_stype : {'default', 'row_sparse', 'csr'}, default 'default'
        Storage types of what `opt2` gets; `opt1` gets the same numbers dense.
    rtol, atol : float, default 1e-4 and 1e-5
        Tolerances.
    compare_states : bool, default True
        Whether the optimizers' states have to agree, too.
    ntensors : int, default 1
        How many weights there are.

    Raises
    ------
    DifferentArraysError
        Weights or states differ.
    RefusedArgumentError
        `ntensors` does not go with `shape`.

    Examples
    --------
    >>> import gluonish as mx
    >>> one, two = (mx.optimizer.SGD(learning_rate=0.1, momentum=0.9) for _ in range(2))
    >>> mx.test_utils.compare_optimizer(one, two, (3, 4), 'float32')
    """
    several = isinstance(shape, list)
    shapes: list[tuple[int, ...]] = shape if isinstance(shape, list) else [shape]
    if ntensors != len(shapes):
        msg = (
            f"compare_optimizer: ntensors={ntensors!r} was given with shape={shape!r}. Expected "
            f"the number of shapes, {len(shapes)}. Give a list of as many shapes."
        )
        raise RefusedArgumentError(msg)
    weights = [_drawn(each, w_stype, dtype, 1.0) for each in shapes]
    grads = [_drawn(each, g_stype, dtype, None) for each in shapes]
    dense = [each.copy().tostype("default") for each in weights]
    states = [opt2.create_state_multi_precision(i, each) for i, each in enumerate(weights)]
    if several:
        opt2.update_multi_precision(list(range(ntensors)), weights, grads, states)
    else:
        opt2.update_multi_precision(0, weights[0], grads[0], states[0])
    for number, weight in enumerate(dense):
        state = opt1.create_state_multi_precision(number, weight)
        opt1.update_multi_precision(number, weight, grads[number].tostype("default"), state)
        if compare_states:
            compare_ndarray_tuple(state, states[number], rtol, atol)
        compare_ndarray_tuple(weight, weights[number], rtol, atol)


def _drawn(shape: tuple[int, ...], stype: str, dtype: DTypeLike, density: float | None) -> NDArray:
    if stype == "default":
        drawn: NDArray = uniform(shape=shape, ctx=default_context(), dtype=dtype)
        return drawn
    return rand_ndarray(shape, stype, density=density, dtype=dtype)
