"""Bases of Symbols: what the op table adds to them.

Written by scripts/make_stubs.py; do not edit.
"""

import builtins
from collections.abc import Mapping, Sequence
from typing import Any, NoReturn, Self, TypeAlias, Unpack

import numpy as onp

from gluonish.array.dtypes import DTypeLike
from gluonish.symbol.attributes import Attributes
from gluonish.symbol.np_symbol import NumpySymbol
from gluonish.symbol.symbol import Symbol

_Operand: TypeAlias = Symbol | float | onp.generic

class SymbolFluent:
    def __abs__(self) -> Self: ...
    def __add__(self, other: _Operand) -> Self: ...
    def __eq__(self, other: _Operand) -> Self: ...  # type: ignore[override,explicit-override]
    def __ge__(self, other: _Operand) -> Self: ...
    def __gt__(self, other: _Operand) -> Self: ...
    def __le__(self, other: _Operand) -> Self: ...
    def __lt__(self, other: _Operand) -> Self: ...
    def __mod__(self, other: _Operand) -> Self: ...
    def __mul__(self, other: _Operand) -> Self: ...
    def __ne__(self, other: _Operand) -> Self: ...  # type: ignore[override,explicit-override]
    def __neg__(self) -> Self: ...
    def __pow__(self, other: _Operand) -> Self: ...
    def __radd__(self, other: _Operand) -> Self: ...
    def __rmod__(self, other: _Operand) -> Self: ...
    def __rmul__(self, other: _Operand) -> Self: ...
    def __rpow__(self, other: _Operand) -> Self: ...
    def __rsub__(self, other: _Operand) -> Self: ...
    def __rtruediv__(self, other: _Operand) -> Self: ...
    def __sub__(self, other: _Operand) -> Self: ...
    def __truediv__(self, other: _Operand) -> Self: ...
    def abs(
        self,
        *,
        name: builtins.str | None = None,
        attr: Mapping[builtins.str, builtins.str] | None = None,
        **attributes: Unpack[Attributes],
    ) -> Self: ...
    def arccos(
        self,
        *,
        name: builtins.str | None = None,
        attr: Mapping[builtins.str, builtins.str] | None = None,
        **attributes: Unpack[Attributes],
    ) -> Self: ...
    def arccosh(
        self,
        *,
        name: builtins.str | None = None,
        attr: Mapping[builtins.str, builtins.str] | None = None,
        **attributes: Unpack[Attributes],
    ) -> Self: ...
    def arcsin(
        self,
        *,
        name: builtins.str | None = None,
        attr: Mapping[builtins.str, builtins.str] | None = None,
        **attributes: Unpack[Attributes],
    ) -> Self: ...
    def arcsinh(
        self,
        *,
        name: builtins.str | None = None,
        attr: Mapping[builtins.str, builtins.str] | None = None,
        **attributes: Unpack[Attributes],
    ) -> Self: ...
    def arctan(
        self,
        *,
        name: builtins.str | None = None,
        attr: Mapping[builtins.str, builtins.str] | None = None,
        **attributes: Unpack[Attributes],
    ) -> Self: ...
    def arctanh(
        self,
        *,
        name: builtins.str | None = None,
        attr: Mapping[builtins.str, builtins.str] | None = None,
        **attributes: Unpack[Attributes],
    ) -> Self: ...
    def argmax(
        self,
        axis: builtins.int | None = None,
        keepdims: builtins.bool = False,
        *,
        name: builtins.str | None = None,
        attr: Mapping[builtins.str, builtins.str] | None = None,
        **attributes: Unpack[Attributes],
    ) -> Self: ...
    def argmax_channel(
        self,
        *,
        name: builtins.str | None = None,
        attr: Mapping[builtins.str, builtins.str] | None = None,
        **attributes: Unpack[Attributes],
    ) -> Self: ...
    def argmin(
        self,
        axis: builtins.int | None = None,
        keepdims: builtins.bool = False,
        *,
        name: builtins.str | None = None,
        attr: Mapping[builtins.str, builtins.str] | None = None,
        **attributes: Unpack[Attributes],
    ) -> Self: ...
    def argsort(
        self,
        axis: builtins.int | None = -1,
        is_ascend: builtins.bool = True,
        dtype: DTypeLike | None = "float32",
        *,
        name: builtins.str | None = None,
        attr: Mapping[builtins.str, builtins.str] | None = None,
        **attributes: Unpack[Attributes],
    ) -> Self: ...
    def as_in_context(self, *args: Any, **kwargs: Any) -> NoReturn: ...
    def as_np_ndarray(self) -> NumpySymbol: ...
    def asnumpy(self, *args: Any, **kwargs: Any) -> NoReturn: ...
    def asscalar(self, *args: Any, **kwargs: Any) -> NoReturn: ...
    def astype(self, dtype: DTypeLike, **kwargs: Any) -> Self: ...
    def attach_grad(self, *args: Any, **kwargs: Any) -> NoReturn: ...
    def backward(self, *args: Any, **kwargs: Any) -> NoReturn: ...
    def broadcast_axes(
        self,
        axis: builtins.int | Sequence[builtins.int] | None = (),
        size: builtins.int | Sequence[builtins.int] | None = (),
        *,
        name: builtins.str | None = None,
        attr: Mapping[builtins.str, builtins.str] | None = None,
        **attributes: Unpack[Attributes],
    ) -> Self: ...
    def broadcast_axis(
        self,
        axis: builtins.int | Sequence[builtins.int] | None = (),
        size: builtins.int | Sequence[builtins.int] | None = (),
        *,
        name: builtins.str | None = None,
        attr: Mapping[builtins.str, builtins.str] | None = None,
        **attributes: Unpack[Attributes],
    ) -> Self: ...
    def broadcast_like(
        self,
        rhs: Symbol | None = None,
        lhs_axes: builtins.int | Sequence[builtins.int] | None = None,
        rhs_axes: builtins.int | Sequence[builtins.int] | None = None,
        *,
        name: builtins.str | None = None,
        attr: Mapping[builtins.str, builtins.str] | None = None,
        **attributes: Unpack[Attributes],
    ) -> Self: ...
    def broadcast_to(
        self,
        shape: builtins.int | Sequence[builtins.int] = (),
        *,
        name: builtins.str | None = None,
        attr: Mapping[builtins.str, builtins.str] | None = None,
        **attributes: Unpack[Attributes],
    ) -> Self: ...
    def cbrt(
        self,
        *,
        name: builtins.str | None = None,
        attr: Mapping[builtins.str, builtins.str] | None = None,
        **attributes: Unpack[Attributes],
    ) -> Self: ...
    def ceil(
        self,
        *,
        name: builtins.str | None = None,
        attr: Mapping[builtins.str, builtins.str] | None = None,
        **attributes: Unpack[Attributes],
    ) -> Self: ...
    def clip(
        self,
        a_min: builtins.float,
        a_max: builtins.float,
        *,
        name: builtins.str | None = None,
        attr: Mapping[builtins.str, builtins.str] | None = None,
        **attributes: Unpack[Attributes],
    ) -> Self: ...
    def copy(self, *args: Any, **kwargs: Any) -> NoReturn: ...
    def cos(
        self,
        *,
        name: builtins.str | None = None,
        attr: Mapping[builtins.str, builtins.str] | None = None,
        **attributes: Unpack[Attributes],
    ) -> Self: ...
    def cosh(
        self,
        *,
        name: builtins.str | None = None,
        attr: Mapping[builtins.str, builtins.str] | None = None,
        **attributes: Unpack[Attributes],
    ) -> Self: ...
    def degrees(
        self,
        *,
        name: builtins.str | None = None,
        attr: Mapping[builtins.str, builtins.str] | None = None,
        **attributes: Unpack[Attributes],
    ) -> Self: ...
    def depth_to_space(
        self,
        block_size: builtins.int,
        *,
        name: builtins.str | None = None,
        attr: Mapping[builtins.str, builtins.str] | None = None,
        **attributes: Unpack[Attributes],
    ) -> Self: ...
    def detach(self, *args: Any, **kwargs: Any) -> NoReturn: ...
    def diag(
        self,
        k: builtins.int = 0,
        axis1: builtins.int = 0,
        axis2: builtins.int = 1,
        *,
        name: builtins.str | None = None,
        attr: Mapping[builtins.str, builtins.str] | None = None,
        **attributes: Unpack[Attributes],
    ) -> Self: ...
    def exp(
        self,
        *,
        name: builtins.str | None = None,
        attr: Mapping[builtins.str, builtins.str] | None = None,
        **attributes: Unpack[Attributes],
    ) -> Self: ...
    def expand_dims(self, axis: builtins.int, **kwargs: Any) -> Self: ...
    def expm1(
        self,
        *,
        name: builtins.str | None = None,
        attr: Mapping[builtins.str, builtins.str] | None = None,
        **attributes: Unpack[Attributes],
    ) -> Self: ...
    def fix(
        self,
        *,
        name: builtins.str | None = None,
        attr: Mapping[builtins.str, builtins.str] | None = None,
        **attributes: Unpack[Attributes],
    ) -> Self: ...
    def flatten(self, **kwargs: Any) -> Self: ...
    def flip(
        self,
        axis: builtins.int | Sequence[builtins.int],
        *,
        name: builtins.str | None = None,
        attr: Mapping[builtins.str, builtins.str] | None = None,
        **attributes: Unpack[Attributes],
    ) -> Self: ...
    def floor(
        self,
        *,
        name: builtins.str | None = None,
        attr: Mapping[builtins.str, builtins.str] | None = None,
        **attributes: Unpack[Attributes],
    ) -> Self: ...
    def log(
        self,
        *,
        name: builtins.str | None = None,
        attr: Mapping[builtins.str, builtins.str] | None = None,
        **attributes: Unpack[Attributes],
    ) -> Self: ...
    def log10(
        self,
        *,
        name: builtins.str | None = None,
        attr: Mapping[builtins.str, builtins.str] | None = None,
        **attributes: Unpack[Attributes],
    ) -> Self: ...
    def log1p(
        self,
        *,
        name: builtins.str | None = None,
        attr: Mapping[builtins.str, builtins.str] | None = None,
        **attributes: Unpack[Attributes],
    ) -> Self: ...
    def log2(
        self,
        *,
        name: builtins.str | None = None,
        attr: Mapping[builtins.str, builtins.str] | None = None,
        **attributes: Unpack[Attributes],
    ) -> Self: ...
    def log_softmax(
        self,
        axis: builtins.int = -1,
        temperature: builtins.float | None = None,
        dtype: DTypeLike | None = None,
        use_length: builtins.bool = False,
        *,
        name: builtins.str | None = None,
        attr: Mapping[builtins.str, builtins.str] | None = None,
        **attributes: Unpack[Attributes],
    ) -> Self: ...
    def max(
        self,
        axis: builtins.int | Sequence[builtins.int] | None = None,
        keepdims: builtins.bool = False,
        exclude: builtins.bool = False,
        *,
        name: builtins.str | None = None,
        attr: Mapping[builtins.str, builtins.str] | None = None,
        **attributes: Unpack[Attributes],
    ) -> Self: ...
    def mean(
        self,
        axis: builtins.int | Sequence[builtins.int] | None = None,
        keepdims: builtins.bool = False,
        exclude: builtins.bool = False,
        *,
        name: builtins.str | None = None,
        attr: Mapping[builtins.str, builtins.str] | None = None,
        **attributes: Unpack[Attributes],
    ) -> Self: ...
    def min(
        self,
        axis: builtins.int | Sequence[builtins.int] | None = None,
        keepdims: builtins.bool = False,
        exclude: builtins.bool = False,
        *,
        name: builtins.str | None = None,
        attr: Mapping[builtins.str, builtins.str] | None = None,
        **attributes: Unpack[Attributes],
    ) -> Self: ...
    def nanprod(
        self,
        axis: builtins.int | Sequence[builtins.int] | None = None,
        keepdims: builtins.bool = False,
        exclude: builtins.bool = False,
        *,
        name: builtins.str | None = None,
        attr: Mapping[builtins.str, builtins.str] | None = None,
        **attributes: Unpack[Attributes],
    ) -> Self: ...
    def nansum(
        self,
        axis: builtins.int | Sequence[builtins.int] | None = None,
        keepdims: builtins.bool = False,
        exclude: builtins.bool = False,
        *,
        name: builtins.str | None = None,
        attr: Mapping[builtins.str, builtins.str] | None = None,
        **attributes: Unpack[Attributes],
    ) -> Self: ...
    def norm(
        self,
        ord: builtins.int = 2,
        axis: builtins.int | Sequence[builtins.int] | None = None,
        out_dtype: DTypeLike | None = None,
        keepdims: builtins.bool = False,
        *,
        name: builtins.str | None = None,
        attr: Mapping[builtins.str, builtins.str] | None = None,
        **attributes: Unpack[Attributes],
    ) -> Self: ...
    def one_hot(
        self,
        depth: builtins.int,
        on_value: builtins.float = 1.0,
        off_value: builtins.float = 0.0,
        dtype: DTypeLike | None = "float32",
        *,
        name: builtins.str | None = None,
        attr: Mapping[builtins.str, builtins.str] | None = None,
        **attributes: Unpack[Attributes],
    ) -> Self: ...
    def ones_like(
        self,
        *,
        name: builtins.str | None = None,
        attr: Mapping[builtins.str, builtins.str] | None = None,
        **attributes: Unpack[Attributes],
    ) -> Self: ...
    def pad(
        self,
        mode: builtins.str = "",
        pad_width: Sequence[builtins.int] = (),
        constant_value: builtins.float = 0.0,
        *,
        name: builtins.str | None = None,
        attr: Mapping[builtins.str, builtins.str] | None = None,
        **attributes: Unpack[Attributes],
    ) -> Self: ...
    def pick(
        self,
        index: Symbol | None = None,
        axis: builtins.int | None = -1,
        keepdims: builtins.bool = False,
        mode: builtins.str = "clip",
        *,
        name: builtins.str | None = None,
        attr: Mapping[builtins.str, builtins.str] | None = None,
        **attributes: Unpack[Attributes],
    ) -> Self: ...
    def prod(
        self,
        axis: builtins.int | Sequence[builtins.int] | None = None,
        keepdims: builtins.bool = False,
        exclude: builtins.bool = False,
        *,
        name: builtins.str | None = None,
        attr: Mapping[builtins.str, builtins.str] | None = None,
        **attributes: Unpack[Attributes],
    ) -> Self: ...
    def radians(
        self,
        *,
        name: builtins.str | None = None,
        attr: Mapping[builtins.str, builtins.str] | None = None,
        **attributes: Unpack[Attributes],
    ) -> Self: ...
    def rcbrt(
        self,
        *,
        name: builtins.str | None = None,
        attr: Mapping[builtins.str, builtins.str] | None = None,
        **attributes: Unpack[Attributes],
    ) -> Self: ...
    def reciprocal(
        self,
        *,
        name: builtins.str | None = None,
        attr: Mapping[builtins.str, builtins.str] | None = None,
        **attributes: Unpack[Attributes],
    ) -> Self: ...
    def relu(
        self,
        *,
        name: builtins.str | None = None,
        attr: Mapping[builtins.str, builtins.str] | None = None,
        **attributes: Unpack[Attributes],
    ) -> Self: ...
    def repeat(
        self,
        repeats: builtins.int,
        axis: builtins.int | None = None,
        *,
        name: builtins.str | None = None,
        attr: Mapping[builtins.str, builtins.str] | None = None,
        **attributes: Unpack[Attributes],
    ) -> Self: ...
    def reshape(self, *shape: builtins.int | Sequence[builtins.int], **kwargs: Any) -> Self: ...
    def reshape_like(
        self,
        rhs: Symbol | None = None,
        lhs_begin: builtins.int | None = None,
        lhs_end: builtins.int | None = None,
        rhs_begin: builtins.int | None = None,
        rhs_end: builtins.int | None = None,
        *,
        name: builtins.str | None = None,
        attr: Mapping[builtins.str, builtins.str] | None = None,
        **attributes: Unpack[Attributes],
    ) -> Self: ...
    def rint(
        self,
        *,
        name: builtins.str | None = None,
        attr: Mapping[builtins.str, builtins.str] | None = None,
        **attributes: Unpack[Attributes],
    ) -> Self: ...
    def round(self, *args: Any, **kwargs: Any) -> Self: ...
    def rsqrt(
        self,
        *,
        name: builtins.str | None = None,
        attr: Mapping[builtins.str, builtins.str] | None = None,
        **attributes: Unpack[Attributes],
    ) -> Self: ...
    def shape_array(
        self,
        *,
        name: builtins.str | None = None,
        attr: Mapping[builtins.str, builtins.str] | None = None,
        **attributes: Unpack[Attributes],
    ) -> Self: ...
    def sigmoid(
        self,
        *,
        name: builtins.str | None = None,
        attr: Mapping[builtins.str, builtins.str] | None = None,
        **attributes: Unpack[Attributes],
    ) -> Self: ...
    def sign(
        self,
        *,
        name: builtins.str | None = None,
        attr: Mapping[builtins.str, builtins.str] | None = None,
        **attributes: Unpack[Attributes],
    ) -> Self: ...
    def sin(
        self,
        *,
        name: builtins.str | None = None,
        attr: Mapping[builtins.str, builtins.str] | None = None,
        **attributes: Unpack[Attributes],
    ) -> Self: ...
    def sinh(
        self,
        *,
        name: builtins.str | None = None,
        attr: Mapping[builtins.str, builtins.str] | None = None,
        **attributes: Unpack[Attributes],
    ) -> Self: ...
    def size_array(
        self,
        *,
        name: builtins.str | None = None,
        attr: Mapping[builtins.str, builtins.str] | None = None,
        **attributes: Unpack[Attributes],
    ) -> Self: ...
    def slice(
        self,
        begin: builtins.int | Sequence[builtins.int | None] | None,
        end: builtins.int | Sequence[builtins.int | None] | None,
        step: builtins.int | Sequence[builtins.int | None] | None = (),
        *,
        name: builtins.str | None = None,
        attr: Mapping[builtins.str, builtins.str] | None = None,
        **attributes: Unpack[Attributes],
    ) -> Self: ...
    def slice_axis(
        self,
        axis: builtins.int,
        begin: builtins.int,
        end: builtins.int | None,
        *,
        name: builtins.str | None = None,
        attr: Mapping[builtins.str, builtins.str] | None = None,
        **attributes: Unpack[Attributes],
    ) -> Self: ...
    def slice_like(
        self,
        shape_like: Symbol | None = None,
        axes: builtins.int | Sequence[builtins.int] | None = (),
        *,
        name: builtins.str | None = None,
        attr: Mapping[builtins.str, builtins.str] | None = None,
        **attributes: Unpack[Attributes],
    ) -> Self: ...
    def softmax(
        self,
        length: Symbol | None = None,
        axis: builtins.int = -1,
        temperature: builtins.float | None = None,
        dtype: DTypeLike | None = None,
        use_length: builtins.bool = False,
        *,
        name: builtins.str | None = None,
        attr: Mapping[builtins.str, builtins.str] | None = None,
        **attributes: Unpack[Attributes],
    ) -> Self: ...
    def softmin(
        self,
        axis: builtins.int = -1,
        temperature: builtins.float | None = None,
        dtype: DTypeLike | None = None,
        use_length: builtins.bool = False,
        *,
        name: builtins.str | None = None,
        attr: Mapping[builtins.str, builtins.str] | None = None,
        **attributes: Unpack[Attributes],
    ) -> Self: ...
    def sort(
        self,
        axis: builtins.int | None = -1,
        is_ascend: builtins.bool = True,
        *,
        name: builtins.str | None = None,
        attr: Mapping[builtins.str, builtins.str] | None = None,
        **attributes: Unpack[Attributes],
    ) -> Self: ...
    def space_to_depth(
        self,
        block_size: builtins.int,
        *,
        name: builtins.str | None = None,
        attr: Mapping[builtins.str, builtins.str] | None = None,
        **attributes: Unpack[Attributes],
    ) -> Self: ...
    def split(
        self,
        num_outputs: builtins.int,
        axis: builtins.int = 1,
        squeeze_axis: builtins.bool = False,
        *,
        name: builtins.str | None = None,
        attr: Mapping[builtins.str, builtins.str] | None = None,
        **attributes: Unpack[Attributes],
    ) -> Self: ...
    def split_v2(
        self,
        indices_or_sections: builtins.int | Sequence[builtins.int],
        axis: builtins.int = 0,
        squeeze_axis: builtins.bool = False,
        *,
        name: builtins.str | None = None,
        attr: Mapping[builtins.str, builtins.str] | None = None,
        **attributes: Unpack[Attributes],
    ) -> Self: ...
    def sqrt(
        self,
        *,
        name: builtins.str | None = None,
        attr: Mapping[builtins.str, builtins.str] | None = None,
        **attributes: Unpack[Attributes],
    ) -> Self: ...
    def square(
        self,
        *,
        name: builtins.str | None = None,
        attr: Mapping[builtins.str, builtins.str] | None = None,
        **attributes: Unpack[Attributes],
    ) -> Self: ...
    def squeeze(
        self, axis: builtins.int | Sequence[builtins.int] | None = None, **kwargs: Any
    ) -> Self: ...
    def sum(
        self,
        axis: builtins.int | Sequence[builtins.int] | None = None,
        keepdims: builtins.bool = False,
        exclude: builtins.bool = False,
        *,
        name: builtins.str | None = None,
        attr: Mapping[builtins.str, builtins.str] | None = None,
        **attributes: Unpack[Attributes],
    ) -> Self: ...
    def swapaxes(
        self,
        dim1: builtins.int = 0,
        dim2: builtins.int = 0,
        *,
        name: builtins.str | None = None,
        attr: Mapping[builtins.str, builtins.str] | None = None,
        **attributes: Unpack[Attributes],
    ) -> Self: ...
    def take(self, indices: Symbol, *args: Any, **kwargs: Any) -> Self: ...
    def tan(
        self,
        *,
        name: builtins.str | None = None,
        attr: Mapping[builtins.str, builtins.str] | None = None,
        **attributes: Unpack[Attributes],
    ) -> Self: ...
    def tanh(
        self,
        *,
        name: builtins.str | None = None,
        attr: Mapping[builtins.str, builtins.str] | None = None,
        **attributes: Unpack[Attributes],
    ) -> Self: ...
    def tile(
        self,
        reps: builtins.int | Sequence[builtins.int],
        *,
        name: builtins.str | None = None,
        attr: Mapping[builtins.str, builtins.str] | None = None,
        **attributes: Unpack[Attributes],
    ) -> Self: ...
    def topk(
        self,
        axis: builtins.int | None = -1,
        k: builtins.int = 1,
        ret_typ: builtins.str = "indices",
        is_ascend: builtins.bool = False,
        dtype: DTypeLike | None = "float32",
        *,
        name: builtins.str | None = None,
        attr: Mapping[builtins.str, builtins.str] | None = None,
        **attributes: Unpack[Attributes],
    ) -> Self: ...
    def transpose(self, *axes: Any, **kwargs: Any) -> Self: ...
    def trunc(
        self,
        *,
        name: builtins.str | None = None,
        attr: Mapping[builtins.str, builtins.str] | None = None,
        **attributes: Unpack[Attributes],
    ) -> Self: ...
    def wait_to_read(self, *args: Any, **kwargs: Any) -> NoReturn: ...
    def zeros_like(
        self,
        *,
        name: builtins.str | None = None,
        attr: Mapping[builtins.str, builtins.str] | None = None,
        **attributes: Unpack[Attributes],
    ) -> Self: ...

class NumpySymbolFluent:
    @property
    def T(self) -> Self: ...
    def __add__(self, other: _Operand) -> Self: ...
    def __eq__(self, other: _Operand) -> Self: ...  # type: ignore[override,explicit-override]
    def __ge__(self, other: _Operand) -> Self: ...
    def __getitem__(self, key: builtins.object) -> Self: ...
    def __gt__(self, other: _Operand) -> Self: ...
    def __iter__(self) -> Self: ...
    def __le__(self, other: _Operand) -> Self: ...
    def __len__(self) -> Self: ...
    def __lt__(self, other: _Operand) -> Self: ...
    def __matmul__(self, other: _Operand) -> Self: ...
    def __mod__(self, other: _Operand) -> Self: ...
    def __mul__(self, other: _Operand) -> Self: ...
    def __ne__(self, other: _Operand) -> Self: ...  # type: ignore[override,explicit-override]
    def __neg__(self) -> Self: ...
    def __pow__(self, other: _Operand) -> Self: ...
    def __radd__(self, other: _Operand) -> Self: ...
    def __rmod__(self, other: _Operand) -> Self: ...
    def __rmul__(self, other: _Operand) -> Self: ...
    def __rpow__(self, other: _Operand) -> Self: ...
    def __rsub__(self, other: _Operand) -> Self: ...
    def __rtruediv__(self, other: _Operand) -> Self: ...
    def __sub__(self, other: _Operand) -> Self: ...
    def __truediv__(self, other: _Operand) -> Self: ...
    def abs(
        self,
        *,
        name: builtins.str | None = None,
        attr: Mapping[builtins.str, builtins.str] | None = None,
        **attributes: Unpack[Attributes],
    ) -> Self: ...
    def all(
        self,
        axis: builtins.int | Sequence[builtins.int] | None = None,
        keepdims: builtins.bool = False,
        *,
        name: builtins.str | None = None,
        attr: Mapping[builtins.str, builtins.str] | None = None,
        **attributes: Unpack[Attributes],
    ) -> Self: ...
    def any(
        self,
        axis: builtins.int | Sequence[builtins.int] | None = None,
        keepdims: builtins.bool = False,
        *,
        name: builtins.str | None = None,
        attr: Mapping[builtins.str, builtins.str] | None = None,
        **attributes: Unpack[Attributes],
    ) -> Self: ...
    def arccos(
        self,
        *,
        name: builtins.str | None = None,
        attr: Mapping[builtins.str, builtins.str] | None = None,
        **attributes: Unpack[Attributes],
    ) -> Self: ...
    def arccosh(
        self,
        *,
        name: builtins.str | None = None,
        attr: Mapping[builtins.str, builtins.str] | None = None,
        **attributes: Unpack[Attributes],
    ) -> Self: ...
    def arcsin(
        self,
        *,
        name: builtins.str | None = None,
        attr: Mapping[builtins.str, builtins.str] | None = None,
        **attributes: Unpack[Attributes],
    ) -> Self: ...
    def arcsinh(
        self,
        *,
        name: builtins.str | None = None,
        attr: Mapping[builtins.str, builtins.str] | None = None,
        **attributes: Unpack[Attributes],
    ) -> Self: ...
    def arctan(
        self,
        *,
        name: builtins.str | None = None,
        attr: Mapping[builtins.str, builtins.str] | None = None,
        **attributes: Unpack[Attributes],
    ) -> Self: ...
    def arctanh(
        self,
        *,
        name: builtins.str | None = None,
        attr: Mapping[builtins.str, builtins.str] | None = None,
        **attributes: Unpack[Attributes],
    ) -> Self: ...
    def argmax(
        self,
        axis: builtins.int | None = None,
        keepdims: builtins.bool = False,
        *,
        name: builtins.str | None = None,
        attr: Mapping[builtins.str, builtins.str] | None = None,
        **attributes: Unpack[Attributes],
    ) -> Self: ...
    def argmax_channel(
        self,
        *,
        name: builtins.str | None = None,
        attr: Mapping[builtins.str, builtins.str] | None = None,
        **attributes: Unpack[Attributes],
    ) -> Self: ...
    def argmin(
        self,
        axis: builtins.int | None = None,
        keepdims: builtins.bool = False,
        *,
        name: builtins.str | None = None,
        attr: Mapping[builtins.str, builtins.str] | None = None,
        **attributes: Unpack[Attributes],
    ) -> Self: ...
    def argsort(
        self,
        axis: builtins.int | None = -1,
        kind: builtins.str | None = None,
        order: builtins.str | None = None,
        *,
        name: builtins.str | None = None,
        attr: Mapping[builtins.str, builtins.str] | None = None,
        **attributes: Unpack[Attributes],
    ) -> Self: ...
    def broadcast_axes(
        self,
        axis: builtins.int | Sequence[builtins.int] | None = (),
        size: builtins.int | Sequence[builtins.int] | None = (),
        *,
        name: builtins.str | None = None,
        attr: Mapping[builtins.str, builtins.str] | None = None,
        **attributes: Unpack[Attributes],
    ) -> Self: ...
    def broadcast_axis(
        self,
        axis: builtins.int | Sequence[builtins.int] | None = (),
        size: builtins.int | Sequence[builtins.int] | None = (),
        *,
        name: builtins.str | None = None,
        attr: Mapping[builtins.str, builtins.str] | None = None,
        **attributes: Unpack[Attributes],
    ) -> Self: ...
    def broadcast_like(
        self,
        rhs: Symbol | None = None,
        lhs_axes: builtins.int | Sequence[builtins.int] | None = None,
        rhs_axes: builtins.int | Sequence[builtins.int] | None = None,
        *,
        name: builtins.str | None = None,
        attr: Mapping[builtins.str, builtins.str] | None = None,
        **attributes: Unpack[Attributes],
    ) -> Self: ...
    def broadcast_to(
        self,
        shape: builtins.int | Sequence[builtins.int],
        *,
        name: builtins.str | None = None,
        attr: Mapping[builtins.str, builtins.str] | None = None,
        **attributes: Unpack[Attributes],
    ) -> Self: ...
    def cbrt(
        self,
        *,
        name: builtins.str | None = None,
        attr: Mapping[builtins.str, builtins.str] | None = None,
        **attributes: Unpack[Attributes],
    ) -> Self: ...
    def ceil(
        self,
        *,
        name: builtins.str | None = None,
        attr: Mapping[builtins.str, builtins.str] | None = None,
        **attributes: Unpack[Attributes],
    ) -> Self: ...
    def clip(
        self,
        min: Symbol | builtins.float | None = None,
        max: Symbol | builtins.float | None = None,
        *,
        name: builtins.str | None = None,
        attr: Mapping[builtins.str, builtins.str] | None = None,
        **attributes: Unpack[Attributes],
    ) -> Self: ...
    def cos(
        self,
        *,
        name: builtins.str | None = None,
        attr: Mapping[builtins.str, builtins.str] | None = None,
        **attributes: Unpack[Attributes],
    ) -> Self: ...
    def cosh(
        self,
        *,
        name: builtins.str | None = None,
        attr: Mapping[builtins.str, builtins.str] | None = None,
        **attributes: Unpack[Attributes],
    ) -> Self: ...
    def cumsum(
        self,
        axis: builtins.int | None = None,
        dtype: DTypeLike | None = None,
        *,
        name: builtins.str | None = None,
        attr: Mapping[builtins.str, builtins.str] | None = None,
        **attributes: Unpack[Attributes],
    ) -> Self: ...
    def degrees(
        self,
        *,
        name: builtins.str | None = None,
        attr: Mapping[builtins.str, builtins.str] | None = None,
        **attributes: Unpack[Attributes],
    ) -> Self: ...
    def depth_to_space(
        self,
        block_size: builtins.int,
        *,
        name: builtins.str | None = None,
        attr: Mapping[builtins.str, builtins.str] | None = None,
        **attributes: Unpack[Attributes],
    ) -> Self: ...
    def diag(
        self,
        k: builtins.int = 0,
        *,
        name: builtins.str | None = None,
        attr: Mapping[builtins.str, builtins.str] | None = None,
        **attributes: Unpack[Attributes],
    ) -> Self: ...
    def dot(
        self,
        b: Symbol | builtins.float | None = None,
        *,
        name: builtins.str | None = None,
        attr: Mapping[builtins.str, builtins.str] | None = None,
        **attributes: Unpack[Attributes],
    ) -> Self: ...
    def exp(
        self,
        *,
        name: builtins.str | None = None,
        attr: Mapping[builtins.str, builtins.str] | None = None,
        **attributes: Unpack[Attributes],
    ) -> Self: ...
    def expm1(
        self,
        *,
        name: builtins.str | None = None,
        attr: Mapping[builtins.str, builtins.str] | None = None,
        **attributes: Unpack[Attributes],
    ) -> Self: ...
    def fix(
        self,
        *,
        name: builtins.str | None = None,
        attr: Mapping[builtins.str, builtins.str] | None = None,
        **attributes: Unpack[Attributes],
    ) -> Self: ...
    def flip(
        self,
        axis: builtins.int | Sequence[builtins.int],
        *,
        name: builtins.str | None = None,
        attr: Mapping[builtins.str, builtins.str] | None = None,
        **attributes: Unpack[Attributes],
    ) -> Self: ...
    def floor(
        self,
        *,
        name: builtins.str | None = None,
        attr: Mapping[builtins.str, builtins.str] | None = None,
        **attributes: Unpack[Attributes],
    ) -> Self: ...
    def log(
        self,
        *,
        name: builtins.str | None = None,
        attr: Mapping[builtins.str, builtins.str] | None = None,
        **attributes: Unpack[Attributes],
    ) -> Self: ...
    def log10(
        self,
        *,
        name: builtins.str | None = None,
        attr: Mapping[builtins.str, builtins.str] | None = None,
        **attributes: Unpack[Attributes],
    ) -> Self: ...
    def log1p(
        self,
        *,
        name: builtins.str | None = None,
        attr: Mapping[builtins.str, builtins.str] | None = None,
        **attributes: Unpack[Attributes],
    ) -> Self: ...
    def log2(
        self,
        *,
        name: builtins.str | None = None,
        attr: Mapping[builtins.str, builtins.str] | None = None,
        **attributes: Unpack[Attributes],
    ) -> Self: ...
    def log_softmax(
        self,
        axis: builtins.int = -1,
        temperature: builtins.float | None = None,
        dtype: DTypeLike | None = None,
        use_length: builtins.bool = False,
        *,
        name: builtins.str | None = None,
        attr: Mapping[builtins.str, builtins.str] | None = None,
        **attributes: Unpack[Attributes],
    ) -> Self: ...
    def max(
        self,
        axis: builtins.int | Sequence[builtins.int] | None = None,
        keepdims: builtins.bool = False,
        *,
        name: builtins.str | None = None,
        attr: Mapping[builtins.str, builtins.str] | None = None,
        **attributes: Unpack[Attributes],
    ) -> Self: ...
    def mean(
        self,
        axis: builtins.int | Sequence[builtins.int] | None = None,
        dtype: DTypeLike | None = None,
        keepdims: builtins.bool = False,
        *,
        name: builtins.str | None = None,
        attr: Mapping[builtins.str, builtins.str] | None = None,
        **attributes: Unpack[Attributes],
    ) -> Self: ...
    def min(
        self,
        axis: builtins.int | Sequence[builtins.int] | None = None,
        keepdims: builtins.bool = False,
        *,
        name: builtins.str | None = None,
        attr: Mapping[builtins.str, builtins.str] | None = None,
        **attributes: Unpack[Attributes],
    ) -> Self: ...
    def nanprod(
        self,
        axis: builtins.int | Sequence[builtins.int] | None = None,
        keepdims: builtins.bool = False,
        exclude: builtins.bool = False,
        *,
        name: builtins.str | None = None,
        attr: Mapping[builtins.str, builtins.str] | None = None,
        **attributes: Unpack[Attributes],
    ) -> Self: ...
    def nansum(
        self,
        axis: builtins.int | Sequence[builtins.int] | None = None,
        keepdims: builtins.bool = False,
        exclude: builtins.bool = False,
        *,
        name: builtins.str | None = None,
        attr: Mapping[builtins.str, builtins.str] | None = None,
        **attributes: Unpack[Attributes],
    ) -> Self: ...
    def nonzero(
        self,
        *,
        name: builtins.str | None = None,
        attr: Mapping[builtins.str, builtins.str] | None = None,
        **attributes: Unpack[Attributes],
    ) -> list[Self]: ...
    def norm(
        self,
        ord: builtins.int = 2,
        axis: builtins.int | Sequence[builtins.int] | None = None,
        out_dtype: DTypeLike | None = None,
        keepdims: builtins.bool = False,
        *,
        name: builtins.str | None = None,
        attr: Mapping[builtins.str, builtins.str] | None = None,
        **attributes: Unpack[Attributes],
    ) -> Self: ...
    def one_hot(
        self,
        depth: builtins.int,
        on_value: builtins.float = 1.0,
        off_value: builtins.float = 0.0,
        dtype: DTypeLike | None = "float32",
        *,
        name: builtins.str | None = None,
        attr: Mapping[builtins.str, builtins.str] | None = None,
        **attributes: Unpack[Attributes],
    ) -> Self: ...
    def ones_like(
        self,
        *,
        name: builtins.str | None = None,
        attr: Mapping[builtins.str, builtins.str] | None = None,
        **attributes: Unpack[Attributes],
    ) -> Self: ...
    def pad(
        self,
        mode: builtins.str = "",
        pad_width: Sequence[builtins.int] = (),
        constant_value: builtins.float = 0.0,
        *,
        name: builtins.str | None = None,
        attr: Mapping[builtins.str, builtins.str] | None = None,
        **attributes: Unpack[Attributes],
    ) -> Self: ...
    def pick(
        self,
        index: Symbol | None = None,
        axis: builtins.int | None = -1,
        keepdims: builtins.bool = False,
        mode: builtins.str = "clip",
        *,
        name: builtins.str | None = None,
        attr: Mapping[builtins.str, builtins.str] | None = None,
        **attributes: Unpack[Attributes],
    ) -> Self: ...
    def prod(
        self,
        axis: builtins.int | Sequence[builtins.int] | None = None,
        dtype: DTypeLike | None = None,
        keepdims: builtins.bool = False,
        *,
        name: builtins.str | None = None,
        attr: Mapping[builtins.str, builtins.str] | None = None,
        **attributes: Unpack[Attributes],
    ) -> Self: ...
    def radians(
        self,
        *,
        name: builtins.str | None = None,
        attr: Mapping[builtins.str, builtins.str] | None = None,
        **attributes: Unpack[Attributes],
    ) -> Self: ...
    def ravel(
        self,
        order: builtins.str = "C",
        *,
        name: builtins.str | None = None,
        attr: Mapping[builtins.str, builtins.str] | None = None,
        **attributes: Unpack[Attributes],
    ) -> Self: ...
    def rcbrt(
        self,
        *,
        name: builtins.str | None = None,
        attr: Mapping[builtins.str, builtins.str] | None = None,
        **attributes: Unpack[Attributes],
    ) -> Self: ...
    def reciprocal(
        self,
        *,
        name: builtins.str | None = None,
        attr: Mapping[builtins.str, builtins.str] | None = None,
        **attributes: Unpack[Attributes],
    ) -> Self: ...
    def relu(
        self,
        *,
        name: builtins.str | None = None,
        attr: Mapping[builtins.str, builtins.str] | None = None,
        **attributes: Unpack[Attributes],
    ) -> Self: ...
    def repeat(
        self,
        repeats: builtins.int | Sequence[builtins.int],
        axis: builtins.int | None = None,
        *,
        name: builtins.str | None = None,
        attr: Mapping[builtins.str, builtins.str] | None = None,
        **attributes: Unpack[Attributes],
    ) -> Self: ...
    def reshape_like(
        self,
        rhs: Symbol | None = None,
        lhs_begin: builtins.int | None = None,
        lhs_end: builtins.int | None = None,
        rhs_begin: builtins.int | None = None,
        rhs_end: builtins.int | None = None,
        *,
        name: builtins.str | None = None,
        attr: Mapping[builtins.str, builtins.str] | None = None,
        **attributes: Unpack[Attributes],
    ) -> Self: ...
    def rint(
        self,
        *,
        name: builtins.str | None = None,
        attr: Mapping[builtins.str, builtins.str] | None = None,
        **attributes: Unpack[Attributes],
    ) -> Self: ...
    def rsqrt(
        self,
        *,
        name: builtins.str | None = None,
        attr: Mapping[builtins.str, builtins.str] | None = None,
        **attributes: Unpack[Attributes],
    ) -> Self: ...
    def shape_array(
        self,
        *,
        name: builtins.str | None = None,
        attr: Mapping[builtins.str, builtins.str] | None = None,
        **attributes: Unpack[Attributes],
    ) -> Self: ...
    def sigmoid(
        self,
        *,
        name: builtins.str | None = None,
        attr: Mapping[builtins.str, builtins.str] | None = None,
        **attributes: Unpack[Attributes],
    ) -> Self: ...
    def sign(
        self,
        *,
        name: builtins.str | None = None,
        attr: Mapping[builtins.str, builtins.str] | None = None,
        **attributes: Unpack[Attributes],
    ) -> Self: ...
    def sin(
        self,
        *,
        name: builtins.str | None = None,
        attr: Mapping[builtins.str, builtins.str] | None = None,
        **attributes: Unpack[Attributes],
    ) -> Self: ...
    def sinh(
        self,
        *,
        name: builtins.str | None = None,
        attr: Mapping[builtins.str, builtins.str] | None = None,
        **attributes: Unpack[Attributes],
    ) -> Self: ...
    def size_array(
        self,
        *,
        name: builtins.str | None = None,
        attr: Mapping[builtins.str, builtins.str] | None = None,
        **attributes: Unpack[Attributes],
    ) -> Self: ...
    def slice(
        self,
        begin: builtins.int | Sequence[builtins.int | None] | None,
        end: builtins.int | Sequence[builtins.int | None] | None,
        step: builtins.int | Sequence[builtins.int | None] | None = (),
        *,
        name: builtins.str | None = None,
        attr: Mapping[builtins.str, builtins.str] | None = None,
        **attributes: Unpack[Attributes],
    ) -> Self: ...
    def slice_axis(
        self,
        axis: builtins.int,
        begin: builtins.int,
        end: builtins.int | None,
        *,
        name: builtins.str | None = None,
        attr: Mapping[builtins.str, builtins.str] | None = None,
        **attributes: Unpack[Attributes],
    ) -> Self: ...
    def slice_like(
        self,
        shape_like: Symbol | None = None,
        axes: builtins.int | Sequence[builtins.int] | None = (),
        *,
        name: builtins.str | None = None,
        attr: Mapping[builtins.str, builtins.str] | None = None,
        **attributes: Unpack[Attributes],
    ) -> Self: ...
    def softmax(
        self,
        length: Symbol | None = None,
        axis: builtins.int = -1,
        temperature: builtins.float | None = None,
        dtype: DTypeLike | None = None,
        use_length: builtins.bool = False,
        *,
        name: builtins.str | None = None,
        attr: Mapping[builtins.str, builtins.str] | None = None,
        **attributes: Unpack[Attributes],
    ) -> Self: ...
    def softmin(
        self,
        axis: builtins.int = -1,
        temperature: builtins.float | None = None,
        dtype: DTypeLike | None = None,
        use_length: builtins.bool = False,
        *,
        name: builtins.str | None = None,
        attr: Mapping[builtins.str, builtins.str] | None = None,
        **attributes: Unpack[Attributes],
    ) -> Self: ...
    def sort(
        self,
        axis: builtins.int | None = -1,
        kind: builtins.str | None = None,
        order: builtins.str | None = None,
        *,
        name: builtins.str | None = None,
        attr: Mapping[builtins.str, builtins.str] | None = None,
        **attributes: Unpack[Attributes],
    ) -> Self: ...
    def space_to_depth(
        self,
        block_size: builtins.int,
        *,
        name: builtins.str | None = None,
        attr: Mapping[builtins.str, builtins.str] | None = None,
        **attributes: Unpack[Attributes],
    ) -> Self: ...
    def split(
        self,
        num_outputs: builtins.int,
        axis: builtins.int = 1,
        squeeze_axis: builtins.bool = False,
        *,
        name: builtins.str | None = None,
        attr: Mapping[builtins.str, builtins.str] | None = None,
        **attributes: Unpack[Attributes],
    ) -> Any: ...
    def split_v2(
        self,
        indices_or_sections: builtins.int | Sequence[builtins.int],
        axis: builtins.int = 0,
        squeeze_axis: builtins.bool = False,
        *,
        name: builtins.str | None = None,
        attr: Mapping[builtins.str, builtins.str] | None = None,
        **attributes: Unpack[Attributes],
    ) -> Any: ...
    def sqrt(
        self,
        *,
        name: builtins.str | None = None,
        attr: Mapping[builtins.str, builtins.str] | None = None,
        **attributes: Unpack[Attributes],
    ) -> Self: ...
    def square(
        self,
        *,
        name: builtins.str | None = None,
        attr: Mapping[builtins.str, builtins.str] | None = None,
        **attributes: Unpack[Attributes],
    ) -> Self: ...
    def std(
        self,
        axis: builtins.int | Sequence[builtins.int] | None = None,
        dtype: DTypeLike | None = None,
        ddof: builtins.float = 0,
        keepdims: builtins.bool = False,
        *,
        name: builtins.str | None = None,
        attr: Mapping[builtins.str, builtins.str] | None = None,
        **attributes: Unpack[Attributes],
    ) -> Self: ...
    def sum(
        self,
        axis: builtins.int | Sequence[builtins.int] | None = None,
        dtype: DTypeLike | None = None,
        keepdims: builtins.bool = False,
        initial: builtins.float | None = None,
        *,
        name: builtins.str | None = None,
        attr: Mapping[builtins.str, builtins.str] | None = None,
        **attributes: Unpack[Attributes],
    ) -> Self: ...
    def swapaxes(
        self,
        axis1: builtins.int,
        axis2: builtins.int,
        *,
        name: builtins.str | None = None,
        attr: Mapping[builtins.str, builtins.str] | None = None,
        **attributes: Unpack[Attributes],
    ) -> Self: ...
    def tan(
        self,
        *,
        name: builtins.str | None = None,
        attr: Mapping[builtins.str, builtins.str] | None = None,
        **attributes: Unpack[Attributes],
    ) -> Self: ...
    def tanh(
        self,
        *,
        name: builtins.str | None = None,
        attr: Mapping[builtins.str, builtins.str] | None = None,
        **attributes: Unpack[Attributes],
    ) -> Self: ...
    def tile(
        self,
        reps: builtins.int | Sequence[builtins.int],
        *,
        name: builtins.str | None = None,
        attr: Mapping[builtins.str, builtins.str] | None = None,
        **attributes: Unpack[Attributes],
    ) -> Self: ...
    def topk(
        self,
        axis: builtins.int | None = -1,
        k: builtins.int = 1,
        ret_typ: builtins.str = "indices",
        is_ascend: builtins.bool = False,
        dtype: DTypeLike | None = "float32",
        *,
        name: builtins.str | None = None,
        attr: Mapping[builtins.str, builtins.str] | None = None,
        **attributes: Unpack[Attributes],
    ) -> Any: ...
    def trunc(
        self,
        *,
        name: builtins.str | None = None,
        attr: Mapping[builtins.str, builtins.str] | None = None,
        **attributes: Unpack[Attributes],
    ) -> Self: ...
    def var(
        self,
        axis: builtins.int | Sequence[builtins.int] | None = None,
        dtype: DTypeLike | None = None,
        ddof: builtins.float = 0,
        keepdims: builtins.bool = False,
        *,
        name: builtins.str | None = None,
        attr: Mapping[builtins.str, builtins.str] | None = None,
        **attributes: Unpack[Attributes],
    ) -> Self: ...
    def zeros_like(
        self,
        *,
        name: builtins.str | None = None,
        attr: Mapping[builtins.str, builtins.str] | None = None,
        **attributes: Unpack[Attributes],
    ) -> Self: ...
