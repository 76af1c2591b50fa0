"""np.ndarray: the array class that follows NumPy's rules."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as onp
from typing_extensions import override

from gluonish.array import printing
from gluonish.array.core import NDArray, alias, register_np_class
from gluonish.array.dtypes import numpy_dtype
from gluonish.array.fluent import NumpyFluent
from gluonish.errors import DTypeError

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
    def __format__(self, spec: str) -> str:
        if not spec:
            return str(self)
        if self.ndim:
            msg = (
                f"format: {spec!r} was given for an array of shape {self.shape}. Expected a "
                f"format for arrays without axes only. Format x.item() or str(x)."
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
