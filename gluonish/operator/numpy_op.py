"""NumpyOp and NDArrayOp: how operators were written in Python before CustomOp."""

from __future__ import annotations

import itertools
import warnings
from typing import TYPE_CHECKING, Any

from typing_extensions import override

from gluonish import symbol
from gluonish.errors import MissingMethodError
from gluonish.errors.tracebacks import users_level
from gluonish.operator.base import CustomOp, CustomOpProp
from gluonish.ops.graph.custom import makers

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import TypeAlias

    from gluonish.array import NDArray
    from gluonish.context import Context
    from gluonish.symbol import Symbol

    Arrays: TypeAlias = Sequence[Any]

__all__ = ["NDArrayOp", "NumpyOp", "PythonOp"]

_numbers = itertools.count()


class PythonOp:
    """Base of NumpyOp and NDArrayOp; new programs write a CustomOp.

    Parameters
    ----------
    need_top_grad : bool, default True
        Whether the gradient depends on that of the outputs; False for losses.

    Warns
    -----
    UserWarning
        Always: CustomOp has taken its place.

    Examples
    --------
    >>> import warnings
    >>> import gluonish as mx
    >>> with warnings.catch_warnings():
    ...     warnings.simplefilter("ignore")
    ...     op = mx.operator.NumpyOp()
    >>> op.list_arguments(), op.list_outputs(), op.infer_shape([[2]])
    (['data'], ['output'], ([[2]], [[2]]))
    """

    def __init__(self, need_top_grad: bool = True) -> None:
        self.need_top_grad_ = need_top_grad
        self._op_type = f"_python_op{next(_numbers)}"
        makers[self._op_type] = self._describe
        warnings.warn("PythonOp has been deprecated. Please use CustomOp", stacklevel=users_level())

    def _describe(self) -> CustomOpProp:
        return _Prop(self)

    def __call__(self, *args: Symbol, **kwargs: Symbol | str) -> Symbol:
        """Return `get_symbol(*args, **kwargs)`."""
        return self.get_symbol(*args, **kwargs)

    def get_symbol(self, *args: Symbol, **kwargs: Symbol | str) -> Symbol:
        """Return a Symbol that calls the operator.

        Parameters
        ----------
        *args, **kwargs : Symbol
            Its arguments, in order or by name; `name` may name the Symbol.

        Raises
        ------
        MissingMethodError
            It derives from neither NumpyOp nor NDArrayOp.
        """
        if not isinstance(self, (NumpyOp, NDArrayOp)):
            msg = (
                f"{type(self).__name__}.get_symbol: Must override this. Expected a subclass of "
                f"NumpyOp or NDArrayOp. Derive your class from mx.operator.CustomOp instead."
            )
            raise MissingMethodError(msg)
        options: dict[str, Any] = kwargs
        return symbol.Custom(*args, op_type=self._op_type, **options)

    def forward(self, in_data: Arrays, out_data: Arrays) -> None:
        """Write the outputs; by default, the first argument."""
        out_data[0][:] = in_data[0]

    def backward(
        self,
        out_grad: Arrays,  # noqa: ARG002 - for subclasses
        in_data: Arrays,  # noqa: ARG002
        out_data: Arrays,  # noqa: ARG002
        in_grad: Arrays,
    ) -> None:
        """Write the gradients; by default, ones."""
        in_grad[0][:] = 1.0

    def infer_shape(self, in_shape: list[list[int]]) -> tuple[Sequence[Any], ...]:
        """Return the shapes of arguments and outputs."""
        return in_shape, [in_shape[0]]

    def list_outputs(self) -> list[str]:
        """Return the names of the outputs."""
        return ["output"]

    def list_arguments(self) -> list[str]:
        """Return the names of the arguments."""
        return ["data"]

    def need_top_grad(self) -> bool:
        """Return whether the gradient depends on that of the outputs."""
        return self.need_top_grad_


class NumpyOp(PythonOp):
    """Operator on NumPy arrays.

    Parameters
    ----------
    need_top_grad : bool, default True
        Whether the gradient depends on that of the outputs; False for losses.

    Examples
    --------
    >>> import warnings
    >>> import gluonish as mx
    >>> class Square(mx.operator.NumpyOp):
    ...     def forward(self, in_data, out_data):
    ...         out_data[0][:] = in_data[0] ** 2
    ...     def backward(self, out_grad, in_data, out_data, in_grad):
    ...         in_grad[0][:] = 2 * in_data[0] * out_grad[0]
    >>> with warnings.catch_warnings():
    ...     warnings.simplefilter("ignore")
    ...     square = Square()
    >>> square.need_top_grad()
    True
    """


class NDArrayOp(PythonOp):
    """Operator on NDArrays.

    Parameters
    ----------
    need_top_grad : bool, default True
        Whether the gradient depends on that of the outputs; False for losses.

    Examples
    --------
    >>> import warnings
    >>> import gluonish as mx
    >>> with warnings.catch_warnings():
    ...     warnings.simplefilter("ignore")
    ...     op = mx.operator.NDArrayOp(need_top_grad=False)
    >>> op.declare_backward_dependency([0], [1], [2])
    [1, 2]
    """

    def declare_backward_dependency(
        self, out_grad: list[int], in_data: list[int], out_data: list[int]
    ) -> list[int]:
        """Return which arrays `backward` looks at; the others are not kept for it."""
        return CustomOpProp(self.need_top_grad()).declare_backward_dependency(
            out_grad, in_data, out_data
        )


class _Prop(CustomOpProp):
    """Describes a PythonOp as `Custom` needs it."""

    def __init__(self, op: PythonOp) -> None:
        super().__init__(op.need_top_grad())
        self._op = op

    @override
    def list_arguments(self) -> list[str]:
        return self._op.list_arguments()

    @override
    def list_outputs(self) -> list[str]:
        return self._op.list_outputs()

    @override
    def infer_shape(self, in_shape: list[list[int]]) -> tuple[Sequence[Any], ...]:
        return self._op.infer_shape(in_shape)

    @override
    def declare_backward_dependency(
        self, out_grad: list[int], in_data: list[int], out_data: list[int]
    ) -> list[int]:
        declare = super().declare_backward_dependency
        if isinstance(self._op, NDArrayOp):
            declare = self._op.declare_backward_dependency
        return declare(out_grad, in_data, out_data)

    @override
    def create_operator(
        self, ctx: Context, in_shapes: list[list[int]], in_dtypes: list[Any]
    ) -> CustomOp:
        return _Caller(self._op)


class _Caller(CustomOp):
    """Calls a PythonOp: on NumPy copies, unless it wants NDArrays."""

    def __init__(self, op: PythonOp) -> None:
        super().__init__()
        self._op = op

    @override
    def forward(
        self,
        is_train: bool,
        req: Sequence[str],
        in_data: Sequence[NDArray],
        out_data: Sequence[NDArray],
        aux: Sequence[NDArray],
    ) -> None:
        results = self._shown(out_data)
        self._op.forward(in_data=self._shown(in_data), out_data=results)
        self._take(out_data, results, req)

    @override
    def backward(
        self,
        req: Sequence[str],
        out_grad: Sequence[NDArray],
        in_data: Sequence[NDArray],
        out_data: Sequence[NDArray],
        in_grad: Sequence[NDArray],
        aux: Sequence[NDArray],
    ) -> None:
        results = self._shown(in_grad)
        self._op.backward(
            out_grad=self._shown(out_grad),
            in_data=self._shown(in_data),
            out_data=self._shown(out_data),
            in_grad=results,
        )
        self._take(in_grad, results, req)

    def _shown(self, arrays: Sequence[NDArray]) -> list[Any]:
        if isinstance(self._op, NDArrayOp):
            return list(arrays)
        return [array.asnumpy() for array in arrays]

    def _take(self, arrays: Sequence[NDArray], results: list[Any], req: Sequence[str]) -> None:
        if not isinstance(self._op, NDArrayOp):
            for array, result, how in zip(arrays, results, req, strict=True):
                self.assign(array, how, result)
