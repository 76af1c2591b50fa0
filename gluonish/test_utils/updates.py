"""Whether two optimizers do the same."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from gluonish.test_utils.comparisons import assert_almost_equal
from gluonish.test_utils.drawn_arrays import rand_ndarray

if TYPE_CHECKING:
    from collections.abc import Sequence

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
    shape: tuple[int, ...],
    dtype: DTypeLike,
    w_stype: str = "default",
    g_stype: str = "default",
    rtol: float = 1e-4,
    atol: float = 1e-5,
    compare_states: bool = True,
    ntensors: int | Sequence[int] = 1,
) -> None:
    """Check that two optimizers do the same to random weights, by random gradients.

    Parameters
    ----------
    opt1, opt2 : Optimizer
        The optimizers.
    shape : tuple of int
        Shape of the weights.
    dtype : str
        Dtype of weights and gradients.
    w_stype, g_stype : {'default', 'row_sparse'}, default 'default'
        Storage types of weights and gradients.
    rtol, atol : float, default 1e-4 and 1e-5
        Tolerances.
    compare_states : bool, default True
        Whether the optimizers' states have to agree, too.
    ntensors : int or sequence of int, default 1
        How many weights are updated at once; one run for each number.

    Raises
    ------
    AssertionError
        Weights or states differ.

    Examples
    --------
    >>> import gluonish as mx
    >>> one, two = (mx.optimizer.SGD(learning_rate=0.1, momentum=0.9) for _ in range(2))
    >>> mx.test_utils.compare_optimizer(one, two, (3, 4), 'float32')
    """
    for count in [ntensors] if isinstance(ntensors, int) else ntensors:
        weights = [rand_ndarray(shape, w_stype, 1.0, dtype) for _ in range(count)]
        grads = [rand_ndarray(shape, g_stype, 1.0, dtype) for _ in range(count)]
        found = [_updated(opt, weights, grads) for opt in (opt1, opt2)]
        if compare_states:
            compare_ndarray_tuple(found[0][1], found[1][1], rtol, atol)
        compare_ndarray_tuple(found[0][0], found[1][0], rtol, atol)


def _updated(
    optimizer: Optimizer, weights: list[NDArray], grads: list[NDArray]
) -> tuple[tuple[NDArray, ...], tuple[Arrays, ...]]:
    """Return copies of weights after one update, and the optimizer's states."""
    copies, given = [each.copy() for each in weights], [each.copy() for each in grads]
    numbers = range(len(copies))
    states = [optimizer.create_state_multi_precision(i, copies[i]) for i in numbers]
    if len(copies) == 1:
        optimizer.update_multi_precision(0, copies[0], given[0], states[0])
    else:
        optimizer.update_multi_precision(list(numbers), copies, given, states)
    return tuple(copies), tuple(states)
