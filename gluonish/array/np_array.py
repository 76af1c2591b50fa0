"""np.ndarray: the array class that follows NumPy's rules."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as onp
from typing_extensions import override

from gluonish.array import printing
from gluonish.array.core import NDArray, alias, like, register_np_class
from gluonish.array.dtypes import DTypeLike, numpy_dtype
from gluonish.array.fluent import NumpyFluent
from gluonish.array.tensors import unwrap
from gluonish.errors import DTypeError, InvalidArgumentError, MXNetError, UnsupportedOptionError
from gluonish.errors.doors import door
from gluonish.errors.tracebacks import shorten

if TYPE_CHECKING:
    from typing import Self

    from gluonish.context import Context


@register_np_class
class ndarray(NumpyFluent, NDArray):  # type: ignore[misc]  # noqa: N801 - NumPy's name
    """Array of numbers on a context, as MXNet's `np` front end has it.

    It has zero-dimensional arrays, comparisons give booleans, and it prints as NumPy does.

    Examples
    --------
    >>> from gluonish import np
    >>> x = np.arange(6).reshape(2, 3)
    >>> x.sum(axis=1)
    array([ 3., 12.])
    >>> x > 3
    array([[False, False, False],
           [False,  True,  True]])
    """

    __slots__ = ()
    _has_scalars = True

    @property
    @override
    def dtype(self) -> onp.dtype[Any]:
        """NumPy dtype of the elements."""
        return numpy_dtype(self._tensor.dtype)

    @override
    def as_in_context(self, context: Context) -> Self:
        """Return the array on a context: the same memory if it is there, else a copy.

        Examples
        --------
        >>> import gluonish as mx
        >>> x = mx.np.ones((2,))
        >>> x.as_in_context(mx.cpu()) is x, x.as_in_ctx(mx.cpu()) is x
        (False, True)
        """
        return alias(self, type(self)) if self._ctx is context else self.copyto(context)

    @override
    def as_in_ctx(self, ctx: Context) -> Self:
        """Return the array on a context: itself if it is there, else a copy."""
        return self if self._ctx is ctx else self.copyto(ctx)

    @override
    def astype(  # type: ignore[override]  # NumPy's order of arguments, as in MXNet
        self,
        dtype: DTypeLike,
        order: str = "K",
        casting: str = "unsafe",
        subok: bool = True,
        copy: bool = True,
    ) -> Self:
        """Return the values in another dtype.

        Parameters
        ----------
        dtype : str, type or dtype
            The new dtype.
        order : {'K', 'C'}, default 'K'
            NumPy's argument; elements are stored row by row either way.
        casting : {'unsafe'}, default 'unsafe'
            NumPy's argument; every dtype is converted.
        subok : {True}, default True
            NumPy's argument.
        copy : bool, default True
            Whether to copy where the dtype is that already.

        Examples
        --------
        >>> import gluonish as mx
        >>> mx.np.array([1.7, -1.7]).astype('int32')
        array([ 1, -1], dtype=int32)
        """
        if order not in ("K", "C") or casting != "unsafe" or subok is not True:
            msg = (
                f"astype: order={order!r}, casting={casting!r} and subok={subok!r} were given. "
                f"Expected 'K' or 'C', 'unsafe' and True. Leave them out."
            )
            raise InvalidArgumentError(msg)
        try:
            return super().astype(dtype, copy)
        except MXNetError as error:
            shorten(error)
            raise

    @override
    def copy(self, order: str = "C") -> Self:
        """Return the same values in memory of their own, on the same context.

        Examples
        --------
        >>> import gluonish as mx
        >>> x = mx.np.ones((2,))
        >>> x.copy()[0] = 5
        >>> x
        array([1., 1.])
        """
        if order != "C":
            msg = (
                f"copy: order={order!r} was given. Expected 'C': elements are stored row by row. "
                f"Leave order out."
            )
            raise UnsupportedOptionError(msg)
        return like(self, unwrap(self).clone())

    @property
    def itemsize(self) -> int:
        """Length of one element, in bytes."""
        return self._tensor.element_size()

    @property
    def nbytes(self) -> int:
        """Length of all elements, in bytes."""
        return self._tensor.element_size() * self._tensor.numel()

    @override
    def __repr__(self) -> str:
        return printing.repr_np(self)

    @override
    def __str__(self) -> str:
        return printing.str_np(self)

    @override
    @door
    def __format__(self, spec: str) -> str:
        if not spec:
            return str(self)
        if self.ndim:
            msg = (
                f"format: {spec!r} was given for an array of shape {self.shape}. Expected a "
                f"format for arrays without axes only. Format each element, as "
                f"in [f'{{v:{spec}}}' for v in x.tolist()], or str(x)."
            )
            raise DTypeError(msg)
        return format(self.item(), spec)

    @override
    def __len__(self) -> int:
        if not self._tensor.ndim:
            msg = "len() of a 0-d array: expected one axis or more. Use x.size."
            raise DTypeError(msg)
        return len(self._tensor)

    def __contains__(self, value: object) -> bool:
        return bool((self.asnumpy() == onp.asarray(value)).any())
