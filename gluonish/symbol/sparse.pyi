"""Operators sparse.* of sym.

Written by scripts/make_stubs.py; do not edit.
"""

import builtins
from collections.abc import Mapping, Sequence
from typing import Unpack

from gluonish.array.dtypes import DTypeLike
from gluonish.symbol.attributes import Attributes
from gluonish.symbol.symbol import Symbol

def abs(
    data: Symbol | None = None,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> Symbol: ...
def adagrad_update(
    weight: Symbol | None = None,
    grad: Symbol | None = None,
    history: Symbol | None = None,
    lr: builtins.float = ...,
    epsilon: builtins.float = 1e-07,
    wd: builtins.float = 0.0,
    rescale_grad: builtins.float = 1.0,
    clip_gradient: builtins.float = -1.0,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> Symbol: ...
def adam_update(
    weight: Symbol | None = None,
    grad: Symbol | None = None,
    mean: Symbol | None = None,
    var: Symbol | None = None,
    lr: builtins.float = ...,
    beta1: builtins.float = 0.9,
    beta2: builtins.float = 0.999,
    epsilon: builtins.float = 1e-08,
    wd: builtins.float = 0.0,
    rescale_grad: builtins.float = 1.0,
    clip_gradient: builtins.float = -1.0,
    lazy_update: builtins.bool = True,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> Symbol: ...
def add_n(
    *args: Symbol,
    num_args: builtins.int | None = None,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> Symbol: ...
def arccos(
    data: Symbol | None = None,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> Symbol: ...
def arccosh(
    data: Symbol | None = None,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> Symbol: ...
def arcsin(
    data: Symbol | None = None,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> Symbol: ...
def arcsinh(
    data: Symbol | None = None,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> Symbol: ...
def arctan(
    data: Symbol | None = None,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> Symbol: ...
def arctanh(
    data: Symbol | None = None,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> Symbol: ...
def broadcast_add(
    lhs: Symbol | builtins.float | None = None,
    rhs: Symbol | builtins.float | None = None,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> Symbol: ...
def broadcast_div(
    lhs: Symbol | builtins.float | None = None,
    rhs: Symbol | builtins.float | None = None,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> Symbol: ...
def broadcast_minus(
    lhs: Symbol | builtins.float | None = None,
    rhs: Symbol | builtins.float | None = None,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> Symbol: ...
def broadcast_mul(
    lhs: Symbol | builtins.float | None = None,
    rhs: Symbol | builtins.float | None = None,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> Symbol: ...
def broadcast_plus(
    lhs: Symbol | builtins.float | None = None,
    rhs: Symbol | builtins.float | None = None,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> Symbol: ...
def broadcast_sub(
    lhs: Symbol | builtins.float | None = None,
    rhs: Symbol | builtins.float | None = None,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> Symbol: ...
def cast_storage(
    data: Symbol | None = None,
    stype: builtins.str = ...,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> Symbol: ...
def cbrt(
    data: Symbol | None = None,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> Symbol: ...
def ceil(
    data: Symbol | None = None,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> Symbol: ...
def clip(
    data: Symbol | None = None,
    a_min: builtins.float = ...,
    a_max: builtins.float = ...,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> Symbol: ...
def concat(
    *data: Symbol,
    dim: builtins.int = 1,
    num_args: builtins.int | None = None,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> Symbol: ...
def cos(
    data: Symbol | None = None,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> Symbol: ...
def cosh(
    data: Symbol | None = None,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> Symbol: ...
def degrees(
    data: Symbol | None = None,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> Symbol: ...
def dot(
    lhs: Symbol | None = None,
    rhs: Symbol | None = None,
    transpose_a: builtins.bool = False,
    transpose_b: builtins.bool = False,
    forward_stype: builtins.str | None = None,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> Symbol: ...
def ElementWiseSum(
    *args: Symbol,
    num_args: builtins.int | None = None,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> Symbol: ...
def elemwise_add(
    lhs: Symbol | builtins.float | None = None,
    rhs: Symbol | builtins.float | None = None,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> Symbol: ...
def elemwise_div(
    lhs: Symbol | builtins.float | None = None,
    rhs: Symbol | builtins.float | None = None,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> Symbol: ...
def elemwise_mul(
    lhs: Symbol | builtins.float | None = None,
    rhs: Symbol | builtins.float | None = None,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> Symbol: ...
def elemwise_sub(
    lhs: Symbol | builtins.float | None = None,
    rhs: Symbol | builtins.float | None = None,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> Symbol: ...
def Embedding(
    data: Symbol | None = None,
    weight: Symbol | None = None,
    input_dim: builtins.int | None = None,
    output_dim: builtins.int | None = None,
    dtype: DTypeLike | None = "float32",
    sparse_grad: builtins.bool = False,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> Symbol: ...
def exp(
    data: Symbol | None = None,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> Symbol: ...
def expm1(
    data: Symbol | None = None,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> Symbol: ...
def fix(
    data: Symbol | None = None,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> Symbol: ...
def floor(
    data: Symbol | None = None,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> Symbol: ...
def ftrl_update(
    weight: Symbol | None = None,
    grad: Symbol | None = None,
    z: Symbol | None = None,
    n: Symbol | None = None,
    lr: builtins.float = ...,
    lamda1: builtins.float = 0.01,
    beta: builtins.float = 1.0,
    wd: builtins.float = 0.0,
    rescale_grad: builtins.float = 1.0,
    clip_gradient: builtins.float = -1.0,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> Symbol: ...
def FullyConnected(
    data: Symbol | None = None,
    weight: Symbol | None = None,
    bias: Symbol | None = None,
    num_hidden: builtins.int | None = None,
    no_bias: builtins.bool = False,
    flatten: builtins.bool = True,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> Symbol: ...
def gamma(
    data: Symbol | None = None,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> Symbol: ...
def gammaln(
    data: Symbol | None = None,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> Symbol: ...
def LinearRegressionOutput(
    data: Symbol | None = None,
    label: Symbol | None = None,
    grad_scale: builtins.float = 1.0,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> Symbol: ...
def log(
    data: Symbol | None = None,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> Symbol: ...
def log10(
    data: Symbol | None = None,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> Symbol: ...
def log1p(
    data: Symbol | None = None,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> Symbol: ...
def log2(
    data: Symbol | None = None,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> Symbol: ...
def LogisticRegressionOutput(
    data: Symbol | None = None,
    label: Symbol | None = None,
    grad_scale: builtins.float = 1.0,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> Symbol: ...
def MAERegressionOutput(
    data: Symbol | None = None,
    label: Symbol | None = None,
    grad_scale: builtins.float = 1.0,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> Symbol: ...
def make_loss(
    data: Symbol | None = None,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> Symbol: ...
def mean(
    data: Symbol | None = None,
    axis: builtins.int | Sequence[builtins.int] | None = None,
    keepdims: builtins.bool = False,
    exclude: builtins.bool = False,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> Symbol: ...
def negative(
    data: Symbol | None = None,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> Symbol: ...
def norm(
    data: Symbol | None = None,
    ord: builtins.int = 2,
    axis: builtins.int | Sequence[builtins.int] | None = None,
    out_dtype: DTypeLike | None = None,
    keepdims: builtins.bool = False,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> Symbol: ...
def radians(
    data: Symbol | None = None,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> Symbol: ...
def relu(
    data: Symbol | None = None,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> Symbol: ...
def retain(
    data: Symbol | None = None,
    indices: Symbol | None = None,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> Symbol: ...
def rint(
    data: Symbol | None = None,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> Symbol: ...
def round(
    data: Symbol | None = None,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> Symbol: ...
def rsqrt(
    data: Symbol | None = None,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> Symbol: ...
def sgd_mom_update(
    weight: Symbol | None = None,
    grad: Symbol | None = None,
    mom: Symbol | None = None,
    lr: builtins.float = ...,
    momentum: builtins.float = 0.0,
    wd: builtins.float = 0.0,
    rescale_grad: builtins.float = 1.0,
    clip_gradient: builtins.float = -1.0,
    lazy_update: builtins.bool = True,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> Symbol: ...
def sgd_update(
    weight: Symbol | None = None,
    grad: Symbol | None = None,
    lr: builtins.float = ...,
    wd: builtins.float = 0.0,
    rescale_grad: builtins.float = 1.0,
    clip_gradient: builtins.float = -1.0,
    lazy_update: builtins.bool = True,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> Symbol: ...
def sigmoid(
    data: Symbol | None = None,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> Symbol: ...
def sign(
    data: Symbol | None = None,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> Symbol: ...
def sin(
    data: Symbol | None = None,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> Symbol: ...
def sinh(
    data: Symbol | None = None,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> Symbol: ...
def slice(
    data: Symbol | None = None,
    begin: builtins.int | Sequence[builtins.int | None] | None = ...,
    end: builtins.int | Sequence[builtins.int | None] | None = ...,
    step: builtins.int | Sequence[builtins.int | None] | None = (),
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> Symbol: ...
def sqrt(
    data: Symbol | None = None,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> Symbol: ...
def square(
    data: Symbol | None = None,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> Symbol: ...
def stop_gradient(
    data: Symbol | None = None,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> Symbol: ...
def sum(
    data: Symbol | None = None,
    axis: builtins.int | Sequence[builtins.int] | None = None,
    keepdims: builtins.bool = False,
    exclude: builtins.bool = False,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> Symbol: ...
def tan(
    data: Symbol | None = None,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> Symbol: ...
def tanh(
    data: Symbol | None = None,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> Symbol: ...
def trunc(
    data: Symbol | None = None,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> Symbol: ...
def where(
    condition: Symbol | None = None,
    x: Symbol | None = None,
    y: Symbol | None = None,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> Symbol: ...
def zeros_like(
    data: Symbol | None = None,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> Symbol: ...
