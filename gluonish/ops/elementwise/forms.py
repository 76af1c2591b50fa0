"""The forms of operators of two operands: with two arrays, and with an array and a number."""

from __future__ import annotations

import math
import operator
from typing import TYPE_CHECKING, Any, TypeAlias

from gluonish.ops.elementwise.arithmetic import add, divide, multiply, subtract, true_divide

if TYPE_CHECKING:
    from collections.abc import Callable

Forms: TypeAlias = tuple[str, str, str]

# Python's name, then the operator of two arrays, of array and number, of number and array: that
# one of its names in the table by which MXNet's `nd` side calls it, and names its nodes.
OPERATORS: dict[str, Forms] = {
    "add": ("_plus", "_PlusScalar", "_PlusScalar"),
    "sub": ("_minus", "_MinusScalar", "_RMinusScalar"),
    "mul": ("_mul", "_MulScalar", "_MulScalar"),
    "truediv": ("_div", "_DivScalar", "_RDivScalar"),
    "mod": ("_mod", "_ModScalar", "_RModScalar"),
    "pow": ("_power", "_PowerScalar", "_rpower_scalar"),
    "eq": ("_equal", "_equal_scalar", ""),
    "ne": ("_not_equal", "_not_equal_scalar", ""),
    "gt": ("_greater", "_greater_scalar", ""),
    "ge": ("_greater_equal", "_greater_equal_scalar", ""),
    "lt": ("_lesser", "_lesser_scalar", ""),
    "le": ("_lesser_equal", "_lesser_equal_scalar", ""),
}
# The same for functions of two Symbols, or of a Symbol and a number; and what they do to numbers.
FUNCTIONS: dict[str, tuple[Forms, Callable[[Any, Any], Any]]] = {
    "maximum": (("_maximum", "_MaximumScalar", "_MaximumScalar"), max),
    "minimum": (("_minimum", "_MinimumScalar", "_MinimumScalar"), min),
    "hypot": (("_hypot", "_HypotScalar", "_HypotScalar"), math.hypot),
    "power": (("_power", "_PowerScalar", "_RPowerScalar"), pow),
    "pow": (("_power", "_PowerScalar", "_RPowerScalar"), pow),
}
# What a comparison is whose operands change places, by its names less what files put around them.
MIRRORED = {
    "greater": ("lesser", "less"),
    "greater_equal": ("lesser_equal", "less_equal"),
    "lesser": ("greater",),
    "lesser_equal": ("greater_equal",),
    "less": ("greater",),
    "less_equal": ("greater_equal",),
}
# What MXNet calls operators of an array and a number, in this order and in the other.
WITH_NUMBER = {
    "broadcast_add": ("_plus_scalar", "_plus_scalar"),
    "broadcast_sub": ("_minus_scalar", "_rminus_scalar"),
    "broadcast_mul": ("_mul_scalar", "_mul_scalar"),
    "broadcast_div": ("_div_scalar", "_rdiv_scalar"),
    "broadcast_mod": ("_mod_scalar", "_rmod_scalar"),
    "broadcast_power": ("_power_scalar", "_rpower_scalar"),
    "broadcast_hypot": ("_hypot_scalar", "_hypot_scalar"),
    "broadcast_maximum": ("_maximum_scalar", "_maximum_scalar"),
    "broadcast_minimum": ("_minimum_scalar", "_minimum_scalar"),
    "__rsub__": ("_rminus_scalar", "_rminus_scalar"),
    "__rtruediv__": ("_rdiv_scalar", "_rdiv_scalar"),
    "__rmod__": ("_rmod_scalar", "_rmod_scalar"),
    "__rpow__": ("_rpower_scalar", "_rpower_scalar"),
}
# What operators do with floating-point tensors, without asking further.
AT_ONCE: dict[Callable[..., Any], Callable[..., Any]] = {
    add: operator.add,
    subtract: operator.sub,
    multiply: operator.mul,
    divide: operator.truediv,
    true_divide: operator.truediv,
}
