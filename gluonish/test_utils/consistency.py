"""Whether a network gives the same wherever and however it runs."""

from __future__ import annotations

import json
import logging
from typing import TYPE_CHECKING, Any

import numpy as onp

from gluonish import autograd
from gluonish.array import NDArray
from gluonish.errors import RefusedArgumentError
from gluonish.init import Load
from gluonish.ndarray.creation import array
from gluonish.symbol import Symbol
from gluonish.test_utils.comparisons import assert_almost_equal
from gluonish.test_utils.tolerances import get_tols
from gluonish.util import use_np

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from gluonish.executor import Executor
    from gluonish.test_utils.tolerances import Tolerance

    Value = NDArray | onp.ndarray[Any, Any]

__all__ = ["check_consistency", "check_gluon_hybridize_consistency", "same_symbol_structure"]

_log = logging.getLogger(__name__)


def check_consistency(
    sym: Symbol | Sequence[Symbol],
    ctx_list: Sequence[Mapping[str, Any]],
    scale: float = 1.0,
    grad_req: str | Sequence[str] | Mapping[str, str] = "write",
    arg_params: dict[str, Any] | None = None,
    aux_params: dict[str, Any] | None = None,
    rtol: Tolerance = None,
    atol: Tolerance = None,
    raise_on_err: bool = True,
    ground_truth: Mapping[str, Any] | None = None,
    equal_nan: bool = False,
    use_uniform: bool = False,
    rand_type: Any = onp.float64,  # noqa: ANN401 - a dtype of NumPy,
) -> dict[str, Any]:
    """Check that a graph gives the same in several places and dtypes, forward and backward.

    Parameters
    ----------
    sym : Symbol or list of Symbol
        The graph, or one for each place.
    ctx_list : list of dict
        What `simple_bind` takes for each place, two at least: `ctx`, shapes of arguments,
        `type_dict`.
    scale : float, default 1
        Standard deviation of the arguments, which are random.
    grad_req : str, list of str or dict of str to str, default 'write'
        What becomes of gradients; 'null' compares outputs only.
    arg_params, aux_params : dict of str to array, optional
        Values of arguments and auxiliary states. Those that are missing are entered: random
        numbers, and 0.
    rtol, atol : float or dict of dtype to float, optional
        Tolerances, as those of `assert_almost_equal`.
    raise_on_err : bool, default True
        Whether a difference is an error; else it is told by the log (`gluonish`).
    ground_truth : dict of str to array, optional
        What outputs and gradients should be; by default those of the most precise place.
    equal_nan : bool, default False
        Whether not-a-number equals itself.
    use_uniform : bool, default False
        Whether the arguments are uniform, from (-0.92, 0.92) times `scale`, not normal.
    rand_type : dtype, default float64
        What the arguments are rounded to.

    Returns
    -------
    dict of str to array
        What outputs and gradients were compared with.

    Raises
    ------
    DifferentArraysError
        Something differs.
    RefusedArgumentError
        There is one place only, or the graphs' names differ.

    Examples
    --------
    >>> import gluonish as mx
    >>> types = [{'x': 'float64'}, {'x': 'float32'}]
    >>> places = [{'ctx': mx.cpu(), 'x': (2, 3), 'type_dict': each} for each in types]
    >>> sorted(mx.test_utils.check_consistency(mx.sym.exp(mx.sym.var('x'), name='y'), places))
    ['x', 'y_output']
    """
    graphs = [sym] * len(ctx_list) if isinstance(sym, Symbol) else list(sym)
    _check_graphs(graphs, ctx_list)
    executors = [
        graph.simple_bind(grad_req=grad_req, **options)
        for graph, options in zip(graphs, ctx_list, strict=True)
    ]
    arguments = {} if arg_params is None else arg_params
    states = {} if aux_params is None else aux_params
    for name, each in sorted(executors[0].arg_dict.items()):
        if name not in arguments:
            arguments[name] = _draw(each.shape, scale, use_uniform).astype(rand_type)
    for name in executors[0].aux_dict:
        states.setdefault(name, 0)
    for executor in executors:
        for name, each in executor.arg_dict.items():
            each[:] = arguments[name]
        for name, each in executor.aux_dict.items():
            each[:] = states[name]
        for grad in executor.grad_arrays:
            if grad is not None:
                grad[:] = 0
    comparison = _Comparison(executors, ground_truth, rtol, atol, equal_nan, raise_on_err)
    for executor in executors:
        executor.forward(is_train=False)
    comparison.compare("Predict", with_grads=False)
    if grad_req != "null":
        _train(executors)
        comparison.compare("Train", with_grads=True)
    return comparison.truth(with_grads=grad_req != "null")


@use_np
def check_gluon_hybridize_consistency(
    net_builder: Callable[..., Any],
    data_l: Sequence[Any],
    numpy_func: Callable[..., Any] | None = None,
    test_grad: bool = True,
    rtol: float = 1e-4,
    atol: float = 1e-4,
) -> None:
    """Check that a HybridBlock gives the same eager, recorded, hybridized, and both.

    Parameters
    ----------
    net_builder : callable
        Makes the block; takes `prefix`.
    data_l : list of ndarray
        Its arguments, `np` arrays.
    numpy_func : callable, optional
        A function of NumPy arrays that gives what the block should give.
    test_grad : bool, default True
        Whether the arguments' gradients are compared, too.
    rtol, atol : float, default 1e-4
        Tolerances.

    Raises
    ------
    DifferentArraysError
        Something differs.

    Examples
    --------
    >>> import gluonish as mx
    >>> dense = lambda prefix: mx.gluon.nn.Dense(2, prefix=prefix)
    >>> mx.test_utils.check_gluon_hybridize_consistency(dense, [mx.np.ones((3, 4))])
    """
    init: Any = None
    first: Any = None
    first_grads: list[Any] | None = None
    for hybridized in (False, True):
        for recorded in (False, True) if test_grad else (False,):
            net = net_builder(prefix="net_")
            net.initialize(init)
            if hybridized:
                net.hybridize()
            arrays = [each.copy() for each in data_l]
            if recorded:
                for each in arrays:
                    each.attach_grad()
            with autograd.record() if recorded else autograd.pause():
                out = net(*arrays)
            if init is None:
                init = Load({name: each.data() for name, each in net.collect_params().items()})
            if first is None:
                first = out.asnumpy()
            assert_almost_equal(out, first, rtol, atol)
            if recorded:
                out.backward(out)
                grads = [each.grad.asnumpy() for each in arrays]
                first_grads = first_grads or grads
                for one, two in zip(grads, first_grads, strict=True):
                    assert_almost_equal(one, two, rtol, atol)
    if numpy_func is not None:
        expected = numpy_func(*(each.asnumpy() for each in data_l))
        assert_almost_equal(first, expected, rtol, atol)


def same_symbol_structure(sym1: Symbol, sym2: Symbol) -> bool:
    """Return whether two graphs have the same operators, node by node as files list them.

    Nodes that one of them has beyond the other's are not looked at.

    Examples
    --------
    >>> import gluonish as mx
    >>> x, y = mx.sym.var('x'), mx.sym.var('y')
    >>> mx.test_utils.same_symbol_structure(x + 1, y + 2)
    True
    """
    both = (json.loads(each.tojson())["nodes"] for each in (sym1, sym2))
    return all(one["op"] == two["op"] for one, two in zip(*both, strict=False))


class _Comparison:
    """What Executors give, beside the truth: what was given, or the most precise one gives."""

    def __init__(
        self,
        executors: Sequence[Executor],
        given: Mapping[str, Any] | None,
        rtol: Tolerance,
        atol: Tolerance,
        equal_nan: bool,
        raises: bool,
    ) -> None:
        self._executors = executors
        self._given = given
        self._tolerances = (rtol, atol)
        self._equal_nan = equal_nan
        self._raises = raises
        self._best = 0

    def truth(self, *, with_grads: bool) -> dict[str, Any]:
        """Return what is compared with."""
        if self._given is not None:
            return dict(self._given)
        best = self._executors[self._best]
        return {**best.output_dict, **(best.grad_dict if with_grads else {})}

    def compare(self, when: str, *, with_grads: bool) -> None:
        """Check outputs, and gradients if they are there, of all Executors but the best."""
        dtypes = [onp.dtype(each.outputs[0].dtype) for each in self._executors]
        self._best = int(onp.argmax([each.itemsize for each in dtypes]))
        truth = self.truth(with_grads=with_grads)
        for number, executor in enumerate(self._executors):
            if number == self._best:
                continue
            found = {**executor.output_dict, **(executor.grad_dict if with_grads else {})}
            for name, value in found.items():
                if value is None or truth.get(name) is None:
                    continue
                kinds = (dtypes[number], dtypes[self._best])
                try:
                    self._check(value, truth[name], kinds)
                except AssertionError as error:
                    where = f"{when} Err: ctx {number} vs ctx {self._best} at {name}"
                    if self._raises:
                        error.add_note(where)
                        raise
                    _log.warning("%s: %s", where, error)

    def _check(self, value: Value, truth: Value, outputs: Sequence[onp.dtype[Any]]) -> None:
        """Compare as coarsely as the outputs are: a float16 net's float32 gradients are float16."""
        pair = [each.asnumpy() if isinstance(each, NDArray) else each for each in (value, truth)]
        coarse = [
            each.astype(dtype) if dtype.itemsize < each.dtype.itemsize else each
            for each, dtype in zip(pair, outputs, strict=True)
        ]
        rtol, atol = self._tolerances
        if any(one is not two for one, two in zip(coarse, pair, strict=True)):
            rtol, atol = get_tols(coarse[0], coarse[1], rtol, atol)
        assert_almost_equal(value, truth, rtol, atol, equal_nan=self._equal_nan)


def _train(executors: Sequence[Executor]) -> None:
    """Run Executors forward and back, from the first one's outputs in the coarsest dtype."""
    found = [executor.forward(is_train=True) for executor in executors]
    heads = []
    for column in zip(*found, strict=True):
        coarsest = min((onp.dtype(each.dtype) for each in column), key=lambda dtype: dtype.itemsize)
        heads.append(column[0].asnumpy().astype(coarsest))
    for executor, outputs in zip(executors, found, strict=True):
        grads = [
            array(head, ctx=output.context, dtype=output.dtype).tostype(output.stype)
            for head, output in zip(heads, outputs, strict=True)
        ]
        executor.backward(grads)


def _draw(shape: tuple[int, ...], scale: float, uniform: bool) -> onp.ndarray[Any, Any]:
    draws = onp.random  # seeded by programs
    if uniform:
        return onp.asarray(draws.uniform(-0.92 * scale, 0.92 * scale, size=shape))
    return onp.asarray(draws.normal(size=shape, scale=scale))


def _check_graphs(graphs: Sequence[Symbol], ctx_list: Sequence[Mapping[str, Any]]) -> None:
    if len(ctx_list) < 2 or len(graphs) != len(ctx_list):
        msg = (
            f"check_consistency: {len(graphs)} graphs and {len(ctx_list)} contexts were given. "
            f"Expected a graph for each context, and two at least. Add another dtype."
        )
        raise RefusedArgumentError(msg)
    names = {(*each.list_arguments(), *each.list_outputs()) for each in graphs}
    if len(names) > 1:
        msg = (
            f"check_consistency: graphs of the names {sorted(names)} were given. Expected the same "
            f"arguments and outputs. Name their operators."
        )
        raise RefusedArgumentError(msg)
