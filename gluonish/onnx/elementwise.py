"""ONNX's operators of single elements, and their sums along axes."""

from __future__ import annotations

import functools
import operator
from typing import TYPE_CHECKING, Any

import numpy as onp

from gluonish import symbol
from gluonish.onnx.values import DTYPES, OPERATORS, handles

sym: Any = symbol  # whose functions are those of the op table

if TYPE_CHECKING:
    from collections.abc import Callable

    from gluonish.onnx.values import Node
    from gluonish.symbol import Symbol

# ONNX's operators that one of MXNet's is.
_UNARY = {
    "Abs": "abs", "Acos": "arccos", "Acosh": "arccosh", "Asin": "arcsin", "Asinh": "arcsinh",
    "Atan": "arctan", "Atanh": "arctanh", "Ceil": "ceil", "Cos": "cos", "Cosh": "cosh",
    "Erf": "erf", "Exp": "exp", "Floor": "floor", "Identity": "identity", "Log": "log",
    "Neg": "negative", "Not": "logical_not", "Reciprocal": "reciprocal", "Relu": "relu",
    "Sigmoid": "sigmoid", "Sign": "sign", "Sin": "sin", "Sinh": "sinh", "Softsign": "softsign",
    "Sqrt": "sqrt", "Tan": "tan", "Tanh": "tanh",
}  # fmt: skip
_BINARY: dict[str, tuple[str, Callable[[Any, Any], Any]]] = {
    "Add": ("broadcast_add", operator.add),
    "Sub": ("broadcast_sub", operator.sub),
    "Mul": ("broadcast_mul", operator.mul),
    "Equal": ("broadcast_equal", operator.eq),
    "Greater": ("broadcast_greater", operator.gt),
    "GreaterOrEqual": ("broadcast_greater_equal", operator.ge),
    "Less": ("broadcast_lesser", operator.lt),
    "LessOrEqual": ("broadcast_lesser_equal", operator.le),
}
_LOGICAL = {
    "And": "broadcast_logical_and", "Or": "broadcast_logical_or", "Xor": "broadcast_logical_xor",
}  # fmt: skip


def _unary(name: str, node: Node) -> Any:
    return getattr(sym, name)(node[0], name=node.name)


def _binary(name: str, simple: Callable[[Any, Any], Any], node: Node) -> Any:
    one, other = node.number(0), node.number(1)
    if other is not None:
        result = simple(node[0], other)
    elif one is not None:
        result = simple(one, node[1])
    else:
        result = getattr(sym, name)(node[0], _second(node), name=node.name)
    return result


def _logical(name: str, node: Node) -> Any:
    # What is a truth value in ONNX has the dtype here of what was compared.
    first, second = (sym.cast(each, dtype="int32") for each in (node[0], _second(node)))
    return getattr(sym, name)(first, second, name=node.name)


def _second(node: Node) -> Any:
    second = node[1]
    if node.version < 7 and "axis" in node.attrs:  # the axis with which the second one begins
        for _ in range(node.rank() - node.axis(-1) - node.rank(1)):
            second = sym.expand_dims(second, axis=-1)
    return second


for _name, _ours in _UNARY.items():
    OPERATORS[_name] = functools.partial(_unary, _ours)
for _name, _both in _BINARY.items():
    OPERATORS[_name] = functools.partial(_binary, *_both)
for _name, _ours in _LOGICAL.items():
    OPERATORS[_name] = functools.partial(_logical, _ours)


@handles("Div")
def _div(node: Node) -> Any:
    one, other = node.number(0), node.number(1)
    if other is not None:
        result = node[0] / other
    elif one is not None:
        result = one / node[1]
    else:
        result = sym.broadcast_div(node[0], node[1], name=node.name)
    return sym.trunc(result) if "int" in (node.dtype(0) or node.dtype(1) or "") else result


@handles("Mod")
def _mod(node: Node) -> Any:
    if node.attrs.get("fmod", 0):
        parts = sym.trunc(sym.broadcast_div(node[0], node[1]))
        return node[0] - sym.broadcast_mul(parts, node[1])
    return sym.broadcast_mod(node[0], node[1], name=node.name)


def _folded(node: Node, name: str) -> Any:
    return functools.reduce(getattr(sym, name), node.all())


@handles("Sum")
def _sum(node: Node) -> Any:
    return _folded(node, "broadcast_add")


@handles("Mean")
def _mean(node: Node) -> Any:
    return _folded(node, "broadcast_add") / len(node.inputs)


@handles("Max")
def _max(node: Node) -> Any:
    return _folded(node, "broadcast_maximum")


@handles("Min")
def _min(node: Node) -> Any:
    return _folded(node, "broadcast_minimum")


@handles("Clip")
def _clip(node: Node) -> Any:
    lows, highs = _bound(node, 1, "min", -onp.inf), _bound(node, 2, "max", onp.inf)
    if lows == -onp.inf and highs == onp.inf:
        return node[0]
    return sym.clip(node[0], a_min=lows, a_max=highs, name=node.name)


def _bound(node: Node, place: int, attr: str, default: float) -> float:
    found = onp.asarray(node.known(place, attr, default)).item()
    return float(found)


@handles("Round")
def _round(node: Node) -> Any:
    # Halves go to the even number, as in ONNX.
    return sym.np.around(node[0].as_np_ndarray()).as_nd_ndarray()


@handles("Cast")
def _cast(node: Node) -> Any:
    code = node.attrs["to"]
    if code not in DTYPES:
        node.refuse(f"to={code} is a type that arrays do not have", "one of numbers")
    # MXNet's comparisons and conditions are numbers.
    dtype = "int32" if DTYPES[code] == "bool" else DTYPES[code]
    data = node[0] != 0 if DTYPES[code] == "bool" else node[0]
    return sym.Cast(data, dtype=dtype, name=node.name)


@handles("CastLike")
def _cast_like(node: Node) -> Any:
    dtype = node.dtype(1)
    if dtype is None:
        node.refuse(f"the dtype of {node.inputs[1]!r} is not known", "a known one")
    return sym.Cast(node[0], dtype=dtype, name=node.name)


@handles("Pow")
def _pow(node: Node) -> Any:
    power, dtype = node.number(1), node.dtype(0)
    if power is not None:
        return node[0] ** power
    other = node[1] if dtype is None or dtype == node.dtype(1) else sym.Cast(node[1], dtype=dtype)
    return sym.broadcast_power(node[0], other, name=node.name)


@handles("Where")
def _where(node: Node) -> Any:
    parts = [each.as_np_ndarray() for each in node.all()]
    return sym.np.where(*parts).as_nd_ndarray()


@handles("IsNaN")
def _isnan(node: Node) -> Any:
    return node[0] != node[0]


@handles("IsInf")
def _isinf(node: Node) -> Any:
    above, below = node.attrs.get("detect_positive", 1), node.attrs.get("detect_negative", 1)
    if above and below:
        return sym.contrib.isinf(node[0])
    sign = sym.sign(node[0]) if above else sym.negative(sym.sign(node[0]))
    return sym.elemwise_mul(sym.contrib.isinf(node[0]), sym.relu(sign))


# --- activations -------------------------------------------------------------------------------


@handles("LeakyRelu")
def _leaky(node: Node) -> Any:
    slope = node.attrs.get("alpha", 0.01)
    return sym.LeakyReLU(node[0], act_type="leaky", slope=slope, name=node.name)


@handles("PRelu")
def _prelu(node: Node) -> Any:
    slope = node[1]
    if node.version < 7 and node.shape(1) != [1]:  # one for each channel
        slope = sym.reshape(slope, shape=(1, -1) + (1,) * (node.rank() - 2))
    below = sym.broadcast_mul(sym.clip(node[0], a_min=-onp.inf, a_max=0), slope)
    return sym.elemwise_add(sym.relu(node[0]), below, name=node.name)


@handles("Elu")
def _elu(node: Node) -> Any:
    slope = node.attrs.get("alpha", 1.0)
    return sym.LeakyReLU(node[0], act_type="elu", slope=slope, name=node.name)


@handles("Celu")
def _celu(node: Node) -> Any:
    alpha = node.attrs.get("alpha", 1.0)
    below = alpha * sym.expm1(sym.clip(node[0], a_min=-onp.inf, a_max=0) / alpha)
    return sym.relu(node[0]) + below


@handles("Selu")
def _selu(node: Node) -> Any:
    alpha = node.attrs.get("alpha", 1.6732632423543772)
    gamma = node.attrs.get("gamma", 1.0507009873554805)
    below = alpha * sym.expm1(sym.clip(node[0], a_min=-onp.inf, a_max=0))
    return gamma * (sym.relu(node[0]) + below)


@handles("Gelu")
def _gelu(node: Node) -> Any:
    x = node[0]
    if node.attrs.get("approximate", "none") == "tanh":
        return 0.5 * x * (1 + sym.tanh((2 / onp.pi) ** 0.5 * (x + 0.044715 * x * x * x)))
    return sym.LeakyReLU(x, act_type="gelu", name=node.name)


@handles("HardSigmoid")
def _hard_sigmoid(node: Node) -> Any:
    alpha, beta = node.attrs.get("alpha", 0.2), node.attrs.get("beta", 0.5)
    return sym.hard_sigmoid(node[0], alpha=alpha, beta=beta, name=node.name)


@handles("HardSwish")
def _hard_swish(node: Node) -> Any:
    return node[0] * sym.hard_sigmoid(node[0], alpha=1 / 6, beta=0.5)


@handles("Mish")
def _mish(node: Node) -> Any:
    return node[0] * sym.tanh(sym.Activation(node[0], act_type="softrelu"))


@handles("Swish")
def _swish(node: Node) -> Any:
    return node[0] * sym.sigmoid(node.attrs.get("alpha", 1.0) * node[0])


@handles("Softplus")
def _softplus(node: Node) -> Any:
    return sym.Activation(node[0], act_type="softrelu", name=node.name)


@handles("ThresholdedRelu")
def _thresholded(node: Node) -> Any:
    return node[0] * (node[0] > node.attrs.get("alpha", 1.0))


@handles("Shrink")
def _shrink(node: Node) -> Any:
    x, bias, edge = node[0], node.attrs.get("bias", 0.0), node.attrs.get("lambd", 0.5)
    return (x < -edge) * (x + bias) + (x > edge) * (x - bias)


# --- along axes --------------------------------------------------------------------------------


def _reduced(node: Node, name: str, data: Symbol) -> Any:
    axes = node.known(1, "axes")
    keep = bool(node.attrs.get("keepdims", 1))
    if not axes:
        if node.attrs.get("noop_with_empty_axes", 0):
            return data
        axes = list(range(node.rank()))
    axes = tuple(sorted(axis + node.rank() if axis < 0 else axis for axis in axes))
    return getattr(sym, name)(data, axis=axes, keepdims=keep, name=node.name)


for _name, _ours in {
    "Sum": "sum",
    "Mean": "mean",
    "Max": "max",
    "Min": "min",
    "Prod": "prod",
}.items():
    OPERATORS[f"Reduce{_name}"] = functools.partial(
        lambda node, ours: _reduced(node, ours, node[0]), ours=_ours
    )


@handles("ReduceL1")
def _reduce_l1(node: Node) -> Any:
    return _reduced(node, "sum", sym.abs(node[0]))


@handles("ReduceL2")
def _reduce_l2(node: Node) -> Any:
    return sym.sqrt(_reduced(node, "sum", sym.square(node[0])))


@handles("ReduceLogSum")
def _reduce_log_sum(node: Node) -> Any:
    return sym.log(_reduced(node, "sum", node[0]))


@handles("ReduceLogSumExp")
def _reduce_log_sum_exp(node: Node) -> Any:
    largest = sym.BlockGrad(sym.max(node[0]))
    parts = sym.exp(sym.broadcast_sub(node[0], largest))
    return sym.broadcast_add(sym.log(_reduced(node, "sum", parts)), largest)


@handles("ReduceSumSquare")
def _reduce_sum_square(node: Node) -> Any:
    return _reduced(node, "sum", sym.square(node[0]))


@handles("ArgMax", "ArgMin")
def _arg(node: Node) -> Any:
    node.only("select_last_index", 0)
    function = sym.argmax if node.op == "ArgMax" else sym.argmin
    keep = bool(node.attrs.get("keepdims", 1))
    found = function(node[0], axis=node.axis(0), keepdims=keep)
    return sym.Cast(found, dtype="int64", name=node.name)


@handles("CumSum")
def _cumsum(node: Node) -> Any:
    axis = int(onp.asarray(node.known(1)).item())
    data = sym.reverse(node[0], axis=axis) if node.attrs.get("reverse", 0) else node[0]
    result = sym.np.cumsum(data.as_np_ndarray(), axis=axis).as_nd_ndarray()
    if node.attrs.get("exclusive", 0):
        result = result - data
    return sym.reverse(result, axis=axis) if node.attrs.get("reverse", 0) else result
