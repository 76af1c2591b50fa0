"""CustomOp and CustomOpProp: what operators that are written in Python derive from."""

from __future__ import annotations

import inspect
from typing import TYPE_CHECKING, Any, TypeVar

from gluonish.errors import DTypeError, InvalidArgumentError
from gluonish.ops.graph.custom import makers

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import TypeAlias

    from gluonish.array import NDArray
    from gluonish.context import Context

    Inferred: TypeAlias = tuple[Sequence[Any], ...]

__all__ = ["CustomOp", "CustomOpProp", "register"]

Class = TypeVar("Class", bound=type)


class CustomOp:
    """Base of the operators that are written in Python.

    Nothing that happens in `forward` and `backward` is recorded: the gradient is what `backward`
    says.

    Examples
    --------
    >>> import gluonish as mx
    >>> class Sigmoid(mx.operator.CustomOp):
    ...     def forward(self, is_train, req, in_data, out_data, aux):
    ...         self.assign(out_data[0], req[0], 1 / (1 + mx.nd.exp(-in_data[0])))
    ...     def backward(self, req, out_grad, in_data, out_data, in_grad, aux):
    ...         y = out_data[0]
    ...         self.assign(in_grad[0], req[0], out_grad[0] * y * (1 - y))
    >>> @mx.operator.register('example_sigmoid')
    ... class SigmoidProp(mx.operator.CustomOpProp):
    ...     def create_operator(self, ctx, in_shapes, in_dtypes):
    ...         return Sigmoid()
    >>> x = mx.nd.zeros((2,))
    >>> x.attach_grad()
    >>> with mx.autograd.record():
    ...     y = mx.nd.Custom(x, op_type='example_sigmoid')
    >>> y.backward()
    >>> x.grad.asnumpy()
    array([0.25, 0.25], dtype=float32)
    """

    def forward(
        self,
        is_train: bool,
        req: Sequence[str],
        in_data: Sequence[NDArray],
        out_data: Sequence[NDArray],
        aux: Sequence[NDArray],
    ) -> None:
        """Compute the outputs; what is not written stays 0.

        Parameters
        ----------
        is_train : bool
            Whether layers behave as in training.
        req : list of str
            How to write each output, for `assign`.
        in_data, out_data, aux : list of NDArray
            Inputs, outputs to write to, and auxiliary states, which may be changed.
        """

    def backward(
        self,
        req: Sequence[str],
        out_grad: Sequence[NDArray],
        in_data: Sequence[NDArray],
        out_data: Sequence[NDArray],
        in_grad: Sequence[NDArray],
        aux: Sequence[NDArray],
    ) -> None:
        """Compute the gradients of the inputs; what is not written stays 0.

        Parameters
        ----------
        req : list of str
            How to write each gradient, for `assign`.
        out_grad, in_data, out_data : list of NDArray
            Gradients of the outputs, inputs and outputs: without elements where
            `declare_backward_dependency` leaves them out.
        in_grad : list of NDArray
            Gradients to write to.
        aux : list of NDArray
            Auxiliary states, which may be changed.
        """

    def assign(self, dst: NDArray, req: str, src: NDArray | float) -> None:
        """Write a result as `req` says.

        Parameters
        ----------
        dst : NDArray
            Where it goes.
        req : {'write', 'inplace', 'add', 'null'}
            Whether to replace what is there, to add to it, or to leave it alone.
        src : NDArray or number
            The result.

        Raises
        ------
        InvalidArgumentError
            `req` is none of these.

        Examples
        --------
        >>> import gluonish as mx
        >>> x = mx.nd.ones((2,))
        >>> mx.operator.CustomOp().assign(x, 'add', 2)
        >>> x.asnumpy()
        array([3., 3.], dtype=float32)
        """
        if req in ("write", "inplace"):
            dst[:] = src
        elif req == "add":
            dst[:] += src
        elif req != "null":
            msg = (
                f"CustomOp.assign: req={req!r} was given. Expected 'write', 'inplace', 'add' or "
                f"'null'. Pass on what forward or backward was given: req[0], req[1], ..."
            )
            raise InvalidArgumentError(msg)


class CustomOpProp:
    """Base of the descriptions of custom operators: their inputs, outputs and shapes.

    Parameters
    ----------
    need_top_grad : bool, default True
        Whether the gradient depends on that of the outputs; False for losses.

    Notes
    -----
    A subclass is registered with `register`, and made anew for each call of `Custom` (for each
    node of a Symbol, once), with the call's other arguments as strings.

    Examples
    --------
    >>> import gluonish as mx
    >>> class ScaleProp(mx.operator.CustomOpProp):
    ...     def __init__(self, factor):
    ...         super().__init__()
    ...         self.factor = float(factor)
    >>> prop = ScaleProp('2.5')
    >>> prop.list_arguments(), prop.list_outputs(), prop.infer_shape([[2, 3]])
    (['data'], ['output'], ([[2, 3]], ([2, 3],), ()))
    """

    def __init__(self, need_top_grad: bool = True) -> None:
        self.need_top_grad_ = need_top_grad

    def infer_shape(self, in_shape: list[list[int]]) -> Inferred:
        """Return the shapes of arguments, outputs and auxiliary states.

        Parameters
        ----------
        in_shape : list of list of int
            Shape of each argument: `[]` for one that is not known, -1 for an unknown length.
        """
        return in_shape, (in_shape[0],) * len(self.list_outputs()), ()

    def infer_type(self, in_type: list[Any]) -> Inferred:
        """Return the dtypes of arguments, outputs and auxiliary states.

        Parameters
        ----------
        in_type : list of type
            NumPy's type of each argument.
        """
        outputs = [in_type[0]] * len(self.list_outputs())
        return in_type, outputs, [in_type[0]] * len(self.list_auxiliary_states())

    def infer_storage_type(self, in_stype: list[str]) -> Inferred:
        """Return the storage types of arguments, outputs and auxiliary states: all 'default'.

        Parameters
        ----------
        in_stype : list of str
            Storage type of each argument.
        """
        outputs = ["default"] * len(self.list_outputs())
        return in_stype, outputs, ["default"] * len(self.list_auxiliary_states())

    def infer_storage_type_backward(
        self,
        ograd_stype: list[str],
        in_stype: list[str],
        out_stype: list[str],
        igrad_stype: list[str],
        aux_stype: list[str],
    ) -> Inferred:
        """Return the storage types of what `backward` is given: all 'default'.

        Parameters
        ----------
        ograd_stype, in_stype, out_stype, igrad_stype, aux_stype : list of str
            Storage types of head gradients, inputs, outputs, gradients and auxiliary states.
        """
        return ograd_stype, in_stype, out_stype, igrad_stype, aux_stype

    def list_outputs(self) -> list[str]:
        """Return the names of the outputs."""
        return ["output"]

    def list_arguments(self) -> list[str]:
        """Return the names of the arguments."""
        return ["data"]

    def list_auxiliary_states(self) -> list[str]:
        """Return the names of the auxiliary states, which the operator changes itself."""
        return []

    def declare_backward_dependency(
        self, out_grad: list[int], in_data: list[int], out_data: list[int]
    ) -> list[int]:
        """Return which arrays `backward` looks at; the others are not kept for it.

        Parameters
        ----------
        out_grad, in_data, out_data : list of int
            Numbers of head gradients, inputs and outputs.
        """
        needed = list(out_grad) if self.need_top_grad_ else []
        return needed + list(in_data) + list(out_data)

    def create_operator(
        self,
        ctx: Context,  # noqa: ARG002 - for subclasses
        in_shapes: list[list[int]],  # noqa: ARG002
        in_dtypes: list[Any],  # noqa: ARG002
    ) -> CustomOp:
        """Return the operator for arrays of these shapes and dtypes; overridden by subclasses.

        Parameters
        ----------
        ctx : Context
            Where the arrays are.
        in_shapes, in_dtypes : list
            Shapes and dtypes of arguments and auxiliary states.
        """
        return CustomOp()


def register(reg_name: str) -> Callable[[Class], Class]:
    """Return a decorator that makes a `CustomOpProp` known to `Custom` by a name.

    Parameters
    ----------
    reg_name : str
        What `op_type` then says. An operator that had the name before is replaced.

    Raises
    ------
    DTypeError
        When it decorates something else than a class with a `CustomOpProp`'s methods.

    Examples
    --------
    >>> import gluonish as mx
    >>> @mx.operator.register('example_copy')
    ... class CopyProp(mx.operator.CustomOpProp):
    ...     pass
    >>> mx.nd.Custom(mx.nd.ones((2,)), op_type='example_copy').shape
    (2,)
    """

    def decorate(prop_cls: Class) -> Class:
        if not (inspect.isclass(prop_cls) and hasattr(prop_cls, "create_operator")):
            msg = (
                f"operator.register({reg_name!r}): {prop_cls!r} was given. Expected a subclass of "
                f"CustomOpProp. Derive your class from mx.operator.CustomOpProp."
            )
            raise DTypeError(msg)
        makers[reg_name] = prop_cls
        return prop_cls

    return decorate
