"""Whether a graph gives the results and the gradients that it should."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias, cast

import numpy as onp

from gluonish.array import NDArray
from gluonish.errors import InvalidArgumentError, RefusedArgumentError
from gluonish.ndarray.creation import array
from gluonish.ndarray.sparse import cast_storage, zeros
from gluonish.symbol import make_loss, var
from gluonish.symbol.np_symbol import NumpySymbol
from gluonish.test_utils.comparisons import assert_almost_equal
from gluonish.test_utils.defaults import default_context
from gluonish.test_utils.tolerances import default_numeric_eps, get_tolerance

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from gluonish.array.dtypes import DTypeLike
    from gluonish.context import Context
    from gluonish.executor import Executor
    from gluonish.symbol import Symbol
    from gluonish.test_utils.tolerances import Tolerance

    Value: TypeAlias = NDArray | onp.ndarray[Any, Any]
    Values: TypeAlias = Mapping[str, Value] | Sequence[Value]
    Kind: TypeAlias = Any  # a class of NumPy's numbers, or 'asnumpy'
    Requests: TypeAlias = str | Sequence[str] | Mapping[str, str]

__all__ = [
    "check_numeric_gradient",
    "check_symbolic_backward",
    "check_symbolic_forward",
    "numeric_grad",
    "simple_forward",
]

_FLOATS = (onp.float16, onp.float32, onp.float64)


def simple_forward(
    sym: Symbol,
    ctx: Context | None = None,
    is_train: bool = False,
    **inputs: Any,
) -> onp.ndarray[Any, Any] | list[onp.ndarray[Any, Any]]:
    """Return what a graph gives for NumPy arrays, as a NumPy array, or a list of them.

    Parameters
    ----------
    sym : Symbol
        The graph.
    ctx : Context, optional
        Where to compute; by default the context of tests.
    is_train : bool, default False
        Whether operators do what they do in training.
    **inputs
        Values of its arguments by name.

    Examples
    --------
    >>> import gluonish as mx
    >>> x = mx.sym.var('x')
    >>> mx.test_utils.simple_forward(x + 1, x=[1, 2]).tolist()
    [2.0, 3.0]
    """
    given = {name: array(value) for name, value in inputs.items()}
    outputs = sym.bind(ctx or default_context(), args=given).forward(is_train=is_train)
    found = [each.asnumpy() for each in outputs]
    return found[0] if len(found) == 1 else found


def numeric_grad(
    executor: Executor,
    location: dict[str, Any],
    aux_states: Mapping[str, Value] | None = None,
    eps: float = 1e-4,
    use_forward_train: bool = True,
    dtype: DTypeLike = onp.float32,
) -> dict[str, onp.ndarray[Any, Any]]:
    """Return the gradients of the sum of an Executor's first output by finite differences.

    Parameters
    ----------
    executor : Executor
        What computes the output.
    location : dict of str to numpy.ndarray
        Values of all arguments. Those that are no numbers of floating point get zeros.
    aux_states : dict of str to array, optional
        Values of the auxiliary states.
    eps : float, default 1e-4
        How far apart the two points of a difference are.
    use_forward_train : bool, default True
        Whether operators do what they do in training.
    dtype : {float16, float32, float64}, default float32
        Dtype of the arguments, and of the gradients.

    Examples
    --------
    >>> import numpy
    >>> import gluonish as mx
    >>> executor = (mx.sym.var('x') ** 2).simple_bind(mx.cpu(), x=(2,))
    >>> at = {'x': numpy.array([1.0, 3.0])}
    >>> mx.test_utils.numeric_grad(executor, at, eps=2**-9)['x'].round(3).tolist()
    [2.0, 6.0]
    """
    kind = _checked_dtype("numeric_grad", dtype)
    for name, value in location.items():
        location[name] = onp.asarray(_numpy(value), order="C")
    for name, value in location.items():
        if executor.arg_dict[name].stype == "default":
            _assign(executor.arg_dict[name], value, kind)

    def forward(name: str, point: onp.ndarray[Any, Any]) -> onp.ndarray[Any, Any]:
        _assign(executor.arg_dict[name], point, kind)
        for state, value in (aux_states or {}).items():
            _assign(executor.aux_dict[state], _numpy(value), kind)
        return executor.forward(is_train=use_forward_train)[0].asnumpy()

    found = {}
    for name, value in location.items():
        grad = found[name] = onp.zeros(value.shape, dtype=kind)
        if value.dtype.kind != "f":
            continue
        for place in onp.ndindex(value.shape):
            point = value.copy()
            point[place] += eps / 2.0
            above = forward(name, point)
            point[place] -= eps
            grad[place] = (above - forward(name, point)).sum() / eps
        _assign(executor.arg_dict[name], value, kind)
    return found


def check_numeric_gradient(
    sym: Symbol,
    location: Values,
    aux_states: Values | None = None,
    numeric_eps: Tolerance = None,
    rtol: Tolerance = None,
    atol: Tolerance = None,
    grad_nodes: Sequence[str] | Mapping[str, str] | None = None,
    use_forward_train: bool = True,
    ctx: Context | None = None,
    grad_stype_dict: Mapping[str, str] | None = None,
    dtype: DTypeLike = onp.float32,
) -> None:
    """Check a graph's gradients against finite differences.

    Parameters
    ----------
    sym : Symbol
        The graph, of one output.
    location : list or dict of str to array
        Values of all arguments, in their order or by name.
    aux_states : list or dict of str to array, optional
        Values of the auxiliary states.
    numeric_eps : float or dict of dtype to float, optional
        How far apart the two points of a difference are, at least 1e-5 but for float64; by default
        that of `default_numeric_eps`.
    rtol, atol : float or dict of dtype to float, optional
        Tolerances, as those of `assert_almost_equal`.
    grad_nodes : list of str or dict of str to str, optional
        Which arguments' gradients to check, and by which `grad_req`; by default all, by 'write'.
    use_forward_train : bool, default True
        Whether operators do, for the differences, what they do in training.
    ctx : Context, optional
        Where to compute; by default the context of tests.
    grad_stype_dict : dict of str to str, optional
        Storage types of gradients that are not dense.
    dtype : {float16, float32, float64}, default float32
        Dtype of all arrays.

    Raises
    ------
    DifferentArraysError
        A gradient differs.
    InvalidArgumentError
        Names do not fit the graph's, or a `grad_req` is unknown.
    RefusedArgumentError
        `dtype` or `numeric_eps` is none that can be used.

    Examples
    --------
    >>> import numpy
    >>> import gluonish as mx
    >>> x = mx.sym.var('x')
    >>> mx.test_utils.check_numeric_gradient(x * x, [numpy.ones((2, 2))])
    """
    kind = _checked_dtype("check_numeric_gradient", dtype)
    ctx = ctx or default_context()
    arguments = _parse_location(sym, location, ctx, kind)
    states = _parse_aux_states(sym, aux_states, ctx, kind)
    requests = _requests_of(sym, grad_nodes)
    shapes = {name: each.shape for name, each in arguments.items()}
    shape = cast("list[tuple[int, ...]]", sym.infer_shape(**shapes)[1])[0]
    draws = onp.random  # seeded by programs
    weights = array(draws.rand(*shape) + 0.1, ctx=ctx, dtype=kind)  # far enough from 0
    before = {name: draws.normal(0, 0.01, size=arguments[name].shape) for name in requests}
    grads = {name: array(value, ctx=ctx, dtype=kind) for name, value in before.items()}
    for name in grads.keys() & (grad_stype_dict or {}).keys():
        stype = (grad_stype_dict or {})[name]
        if stype != "default":
            grads[name] = zeros(stype, grads[name].shape, ctx=ctx, dtype=kind)
    places = {name: each.asnumpy() for name, each in arguments.items()}
    kept = None if states is None else {name: each.asnumpy() for name, each in states.items()}
    executor = _weighted(sym).bind(
        ctx, {**arguments, _WEIGHTS: weights}, grads, requests, aux_states=states
    )
    outputs = executor.forward(is_train=True)
    eps = get_tolerance(outputs[0], numeric_eps, default_numeric_eps())
    if kind != onp.float64 and eps < 1e-5:
        msg = (
            f"check_numeric_gradient: numeric_eps={eps} was given with {onp.dtype(kind)}. Expected "
            f"at least 1e-5, less is lost in rounding. Take dtype=numpy.float64."
        )
        raise RefusedArgumentError(msg)
    executor.backward()
    numeric = numeric_grad(executor, places, kept, eps, use_forward_train, kind)
    for name, request in requests.items():
        found, names = grads[name], (f"NUMERICAL_{name}", f"BACKWARD_{name}")
        _check_gradient(numeric[name], found, before[name], request, rtol, atol, names)


def check_symbolic_forward(
    sym: Symbol,
    location: Values,
    expected: Values,
    rtol: Tolerance = None,
    atol: Tolerance = None,
    aux_states: Values | None = None,
    ctx: Context | None = None,
    equal_nan: bool = False,
    dtype: DTypeLike = onp.float32,
) -> list[NDArray]:
    """Check what a graph gives, and return it.

    Parameters
    ----------
    sym : Symbol
        The graph.
    location : list or dict of str to array
        Values of all arguments, in their order or by name.
    expected : list or dict of str to array
        What its outputs should be.
    rtol, atol : float or dict of dtype to float, optional
        Tolerances, as those of `assert_almost_equal`.
    aux_states : list or dict of str to array, optional
        Values of the auxiliary states.
    ctx : Context, optional
        Where to compute; by default the context of tests.
    equal_nan : bool, default False
        Whether not-a-number equals itself.
    dtype : {float16, float32, float64, 'asnumpy'}, default float32
        Dtype of all arrays; 'asnumpy' leaves each its own.

    Raises
    ------
    DifferentArraysError
        An output differs.
    InvalidArgumentError
        Names do not fit the graph's.
    RefusedArgumentError
        `dtype` is none that can be used.

    Examples
    --------
    >>> import numpy
    >>> import gluonish as mx
    >>> x = mx.sym.var('x')
    >>> found = mx.test_utils.check_symbolic_forward(x + 1, [numpy.ones(2)], [numpy.full(2, 2)])
    >>> found[0].asnumpy().tolist()
    [2.0, 2.0]
    """
    kind = _checked_dtype("check_symbolic_forward", dtype, "asnumpy")
    ctx = ctx or default_context()
    arguments = _parse_location(sym, location, ctx, kind)
    states = _parse_aux_states(sym, aux_states, ctx, kind)
    names = sym.list_outputs()
    wanted = [expected[name] for name in names] if isinstance(expected, dict) else expected
    outputs = sym.bind(ctx, arguments, aux_states=states, grad_req="null").forward(is_train=False)
    for name, one, two in zip(names, wanted, outputs, strict=False):
        called = (f"EXPECTED_{name}", f"FORWARD_{name}")
        assert_almost_equal(one, two, rtol, atol, called, equal_nan=equal_nan)
    return outputs


def check_symbolic_backward(
    sym: Symbol,
    location: Values,
    out_grads: Values | None,
    expected: Values,
    rtol: Tolerance = None,
    atol: Tolerance = None,
    aux_states: Values | None = None,
    grad_req: Requests = "write",
    ctx: Context | None = None,
    grad_stypes: Mapping[str, str | None] | None = None,
    equal_nan: bool = False,
    dtype: DTypeLike = onp.float32,
) -> dict[str, NDArray]:
    """Check a graph's gradients, and return them.

    Parameters
    ----------
    sym : Symbol
        The graph.
    location : list or dict of str to array
        Values of all arguments, in their order or by name.
    out_grads : list or dict of str to array, or None
        Gradients of its outputs; None for losses.
    expected : list or dict of str to array
        What the arguments' gradients should be; only those that are given are compared.
    rtol, atol : float or dict of dtype to float, optional
        Tolerances, as those of `assert_almost_equal`.
    aux_states : list or dict of str to array, optional
        Values of the auxiliary states.
    grad_req : str, list of str or dict of str to str, default 'write'
        'write', 'add' (to random numbers, which are subtracted before the comparison) or 'null'.
    ctx : Context, optional
        Where to compute; by default the context of tests.
    grad_stypes : dict of str to str, optional
        Storage types of gradients that are not dense.
    equal_nan : bool, default False
        Whether not-a-number equals itself.
    dtype : {float16, float32, float64, 'asnumpy'}, default float32
        Dtype of all arrays; 'asnumpy' leaves each its own.

    Raises
    ------
    DifferentArraysError
        A gradient differs.
    InvalidArgumentError
        Names do not fit the graph's, or a `grad_req` is unknown.
    RefusedArgumentError
        `dtype` is none that can be used.

    Examples
    --------
    >>> import numpy
    >>> import gluonish as mx
    >>> x, one = mx.sym.var('x'), numpy.ones(2)
    >>> found = mx.test_utils.check_symbolic_backward(3 * x, [one], [one], [one * 3])
    >>> found['x'].asnumpy().tolist()
    [3.0, 3.0]
    """
    kind = _checked_dtype("check_symbolic_backward", dtype, "asnumpy")
    ctx = ctx or default_context()
    arguments = _parse_location(sym, location, ctx, kind)
    states = _parse_aux_states(sym, aux_states, ctx, kind)
    names = sym.list_arguments()
    wanted = dict(expected if isinstance(expected, dict) else zip(names, expected, strict=False))
    requests = _by_name(grad_req, names)
    before, grads = {}, {}
    for name, value in sorted(wanted.items()):
        before[name] = onp.random.normal(size=value.shape)  # noqa: NPY002 - seeded by programs
        own = value.dtype if kind == "asnumpy" else kind
        stype = (grad_stypes[name] if name in (grad_stypes or ()) else None) or "default"  # type: ignore[index]
        if stype == "default":
            grads[name] = array(before[name], ctx=ctx, dtype=own)
        else:
            grads[name] = zeros(stype, value.shape, ctx=ctx)
    executor = sym.bind(ctx, arguments, grads, requests, aux_states=states)
    executor.forward(is_train=True)
    if isinstance(out_grads, dict):
        executor.backward({name: _array(each, ctx, kind) for name, each in out_grads.items()})
    elif out_grads is None:
        executor.backward()
    else:
        heads = cast("Sequence[Value]", out_grads)
        executor.backward([_array(each, ctx, kind) for each in heads])
    for name, value in wanted.items():
        called = (f"EXPECTED_{name}", f"BACKWARD_{name}")
        found, request = grads[name], requests[name]
        _check_gradient(value, found, before[name], request, rtol, atol, called, equal_nan)
    return grads


_WEIGHTS = "__random_proj"


def _weighted(sym: Symbol) -> Symbol:
    """Return a loss: a graph's output times weights."""
    if isinstance(sym, NumpySymbol):
        return make_loss((sym * var(_WEIGHTS).as_np_ndarray()).as_nd_ndarray())
    return make_loss(sym * var(_WEIGHTS))


def _check_gradient(
    expected: Value,
    found: NDArray,
    before: onp.ndarray[Any, Any],
    request: str,
    rtol: Tolerance,
    atol: Tolerance,
    names: tuple[str, str],
    equal_nan: bool = False,
) -> None:
    """Check a gradient that overwrote what was there before, was added to it, or left it."""
    compared: Value = found
    if request == "add":
        compared = found.asnumpy() - before
    elif request == "null":
        expected = before
    elif request != "write":
        msg = (
            f"Invalid grad_req {request!r} for argument {names[1].removeprefix('BACKWARD_')!r}. "
            f"Expected 'write', 'add' or 'null'. Take 'write'."
        )
        raise InvalidArgumentError(msg)
    assert_almost_equal(expected, compared, rtol, atol, names, equal_nan=equal_nan)


def _requests_of(
    sym: Symbol, grad_nodes: Sequence[str] | Mapping[str, str] | None
) -> dict[str, str]:
    if grad_nodes is None:
        grad_nodes = sym.list_arguments()
    if isinstance(grad_nodes, dict):
        return dict(grad_nodes)
    if not isinstance(grad_nodes, list | tuple):
        msg = (
            f"check_numeric_gradient: grad_nodes={grad_nodes!r} was given. Expected a list of "
            f"arguments' names, or a dictionary of names and grad_req. Write ['x']."
        )
        raise InvalidArgumentError(msg)
    return dict.fromkeys(grad_nodes, "write")


def _by_name(grad_req: Requests, names: Sequence[str]) -> dict[str, str]:
    if isinstance(grad_req, str):
        return dict.fromkeys(names, grad_req)
    if isinstance(grad_req, list | tuple):
        return dict(zip(names, grad_req, strict=False))
    return dict(grad_req)  # type: ignore[arg-type]


def _parse_location(
    sym: Symbol, location: Values, ctx: Context, dtype: Kind = onp.float32
) -> dict[str, NDArray]:
    """Return the arrays of a graph's arguments by name, in alphabetical order."""
    if not isinstance(location, dict | list | tuple):
        msg = (
            f"location={location!r} was given. Expected a list of arrays for the symbol's "
            f"arguments, or a dictionary. Write [x] for one array."
        )
        raise RefusedArgumentError(msg)
    return dict(sorted(_named(sym.list_arguments(), location, ctx, dtype, "location").items()))


def _parse_aux_states(
    sym: Symbol, aux_states: Values | None, ctx: Context, dtype: Kind = onp.float32
) -> dict[str, NDArray] | None:
    """Return the arrays of a graph's auxiliary states by name, or None."""
    if aux_states is None:
        return None
    names = sym.list_auxiliary_states()
    found = _named(names, aux_states, ctx, dtype, "aux_states")
    return {name: _array(each, ctx, dtype, always=True) for name, each in found.items()}


def _named(
    names: list[str], values: Values, ctx: Context, dtype: Kind, what: str
) -> dict[str, NDArray]:
    if not isinstance(values, dict):
        given = dict(zip(names, cast("Sequence[Value]", values), strict=False))
    elif values.keys() != set(names):
        kind = "arguments" if what == "location" else "aux_states names"
        msg = (
            f"Symbol {kind} and keys of the given {what} do not match: {sorted(values)} were "
            f"given. Expected {sorted(names)}. Give a value for each."
        )
        raise InvalidArgumentError(msg)
    else:
        given = values
    return {name: _array(value, ctx, dtype) for name, value in given.items()}


def _array(value: Value, ctx: Context, dtype: Kind, *, always: bool = False) -> NDArray:
    """Return a NumPy array as an `nd` array; an `nd` array as it is, or always a new one."""
    if isinstance(value, onp.ndarray) or always:
        return array(value, ctx=ctx, dtype=value.dtype if dtype == "asnumpy" else dtype)
    return value


def _assign(target: NDArray, value: onp.ndarray[Any, Any], dtype: Kind) -> None:
    given = array(value, dtype=dtype)
    target[:] = given if target.stype == "default" else cast_storage(given, target.stype)


def _numpy(value: Value) -> onp.ndarray[Any, Any]:
    return value.asnumpy() if isinstance(value, NDArray) else onp.asarray(value)


def _checked_dtype(caller: str, dtype: Kind, *names: str) -> Kind:
    """Return a dtype that a check can use: a class of NumPy, or one of some names."""
    if isinstance(dtype, str) and dtype in names:
        return dtype
    if dtype not in _FLOATS:
        msg = (
            f"{caller}: dtype={dtype!r} was given. Expected numpy.float16, numpy.float32 or "
            f"numpy.float64{''.join(f', or {name!r}' for name in names)}. Take numpy.float32."
        )
        raise RefusedArgumentError(msg)
    return dtype
