"""`Custom`: operators that are written in Python on arrays, found by the name they registered."""

from __future__ import annotations

import contextlib
import inspect
import re
import traceback
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import numpy as onp
import torch
from torch import Tensor
from typing_extensions import override

from gluonish.array.contexts import context_of
from gluonish.array.core import NDArray, np_class, wrap
from gluonish.array.dtypes import numpy_dtype, torch_dtype
from gluonish.array.tensors import held
from gluonish.context import current_context, is_np_array
from gluonish.errors import (
    CustomOperatorError,
    InvalidArgumentError,
    MissingNameError,
    ShapeError,
    UnsupportedOptionError,
)
from gluonish.errors.callables import check_arity
from gluonish.errors.program_layers import classes_without
from gluonish.errors.suggestions import nearest
from gluonish.errors.tracebacks import is_ours, shorten
from gluonish.errors.wording import listed
from gluonish.ops.table import FULL, Graph, Op, op
from gluonish.ops.table.explain import describe
from gluonish.process.recording import differentiation, state
from gluonish.process.replay_marks import opaque

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from typing import TypeAlias

    from gluonish.ops.table import Shape

Prop: TypeAlias = "Any"  # a CustomOpProp, or what has its methods
Operator: TypeAlias = "Any"  # a CustomOp, or what has its methods

makers: dict[str, Callable[..., Prop]] = {}  # by the names that they registered


def make(op_type: object, attributes: Mapping[str, object]) -> Prop:
    """Return the properties of a registered operator.

    Parameters
    ----------
    op_type : str
        The name it registered.
    attributes : dict
        Its other arguments, which it receives as strings.

    Raises
    ------
    MissingNameError
        No operator has that name.
    CustomOperatorError
        Its constructor failed.
    """
    if not isinstance(op_type, str) or op_type not in makers:
        known = listed(_public()) or "none"
        msg = (
            f"Custom: Cannot find custom operator {op_type}. Expected one of those registered: "
            f"{known}. {_how_to_name(op_type)}"
        )
        raise MissingNameError(msg)
    texts = {key: str(value) for key, value in attributes.items()}
    with _user_code(op_type, "__init__"):
        return makers[op_type](**texts)


def _how_to_name(op_type: object) -> str:
    if not op_type:
        return "Name one, as in nd.Custom(x, op_type='name')."
    if len(own := classes_without("CustomOpProp", "register")) == 1:
        return f"Write @mx.operator.register({op_type!r}) above class {own[0]}."
    found = nearest(str(op_type), _public(), cutoff=0.4)
    meant = (
        "Decorate" if found is None else f"Write op_type={found!r} if that is meant, or decorate"
    )
    return f"{meant} its CustomOpProp with @mx.operator.register({op_type!r})."


def _public() -> list[str]:
    """Return the names of operators, but for those that NumpyOp and its kin get by themselves."""
    return sorted(name for name in makers if not name.startswith("_"))


_CALLED = {
    "CustomOp.forward": (
        "forward(self, is_train, req, in_data, out_data, aux). Add what is missing; operators "
        "derive from mx.operator.CustomOp."
    ),
    "CustomOp.backward": (
        "backward(self, req, out_grad, in_data, out_data, in_grad, aux). Add what is missing; "
        "operators derive from mx.operator.CustomOp."
    ),
}


def _inside(error: TypeError) -> TypeError:
    """Return an error without the frame in which `_user_code` waited."""
    trace = error.__traceback__
    return error.with_traceback(None if trace is None else trace.tb_next)


def _how_to_answer(method: str) -> str:
    if method.startswith("list_"):
        return f"Expected a list of names. Write, for example, return ['data'] in {method}."
    return f"Expected what {method} takes, and returns: correct its definition, or this call."


@contextlib.contextmanager
def _user_code(
    op_type: str, method: str, given: Mapping[str, str] = MappingProxyType({})
) -> Iterator[None]:
    """Say which operator an error comes from, so that no front end takes it for its own."""
    try:
        yield
    except Exception as error:
        if isinstance(error, TypeError) and method in _CALLED:
            where = f"Custom: {op_type!r}"
            check_arity(where, _user_code, _inside(error), _CALLED[method])
        places = [
            place
            for place in traceback.extract_tb(error.__traceback__)
            if not is_ours(place.filename)
        ]
        if not places:
            how = f"{_how_to_answer(method)}{_as_text(error, given)}"
            what = f"{type(error).__name__}: {error}"
            msg = f"Custom: Error in {method} of {op_type!r}: {what}. {how}"
            raise CustomOperatorError(msg) from error
        place = places[-1]
        msg = (
            f"Custom: Error in {method} of {op_type!r}: {type(error).__name__}: {error} "
            f"({place.filename}, line {place.lineno}). Correct that line; the error above "
            f"this one has all of its traceback.{_as_text(error, given)}"
        )
        shorten(error)
        raise CustomOperatorError(msg) from error


def _as_text(error: Exception, given: Mapping[str, str]) -> str:
    """Return what to add where a number of the program's arrived as text, and was used as one."""
    if not (given and isinstance(error, TypeError) and re.search(r"\bstr\b", str(error))):
        return ""
    name, text = next(iter(given.items()))
    return (
        f" What is given to Custom arrives as text, as {name}={text!r} did: write self.{name} = "
        f"float({name}) in the __init__ of its CustomOpProp."
    )


class CustomCall:
    """A registered operator with its arguments: what it knows of its inputs and outputs.

    Parameters
    ----------
    op_type : str
        The name it registered.
    attributes : dict
        Its other arguments.

    Attributes
    ----------
    arguments, outputs, auxiliary : tuple of str
        What its inputs, outputs and auxiliary states are called.
    """

    def __init__(self, op_type: str, attributes: Mapping[str, object]) -> None:
        self.op_type = op_type
        self.texts = {key: str(value) for key, value in attributes.items()}
        self.prop = make(op_type, attributes)
        with self.running("list_arguments"):
            self.arguments = tuple(map(str, self.prop.list_arguments()))
        with self.running("list_outputs"):
            self.outputs = tuple(map(str, self.prop.list_outputs()))
        with self.running("list_auxiliary_states"):
            self.auxiliary = tuple(map(str, self.prop.list_auxiliary_states() or ()))
        self._made: tuple[Any, Operator] | None = None

    def running(self, method: str) -> contextlib.AbstractContextManager[None]:
        """Say which operator an error comes from, while a method of the program runs."""
        return _user_code(self.op_type, method, self.texts)

    @property
    def names(self) -> tuple[str, ...]:
        """The names of all of its arrays: arguments, then auxiliary states."""
        return self.arguments + self.auxiliary

    def how_to_take(self, name: str) -> str:
        """Return what makes an array of another name one of its inputs."""
        return (
            f"{type(self.prop).__name__}.list_arguments() returns {list(self.arguments)}: have it "
            f"return {[*self.arguments, name]} if {name!r} is an input"
        )

    def shapes(self, known: Sequence[Shape | None]) -> tuple[list[Shape], ...]:
        """Return the shapes of arguments, outputs and auxiliary states, open lengths as None.

        Parameters
        ----------
        known : sequence of tuple or None
            What is known of the arguments' shapes.
        """
        given = [
            [] if shape is None else [-1 if size is None else size for size in shape]
            for shape in known
        ]
        with self.running("infer_shape"):
            found = list(self.prop.infer_shape(given))
        counts = (len(self.arguments), len(self.outputs), len(self.auxiliary))
        return tuple(
            [tuple(size if size > 0 else None for size in shape) for shape in part]
            for part in self._checked("infer_shape", found, counts)
        )

    def dtypes(self, given: Sequence[torch.dtype]) -> tuple[list[torch.dtype], ...]:
        """Return the dtypes of arguments, outputs and auxiliary states."""
        types = [numpy_dtype(dtype) for dtype in given]
        with self.running("infer_type"):
            found = list(self.prop.infer_type([onp.dtype(each).type for each in types]))
        counts = (len(self.arguments), len(self.outputs), len(self.auxiliary))
        parts = self._checked("infer_type", found, counts)
        return tuple([torch_dtype(dtype) for dtype in part] for part in parts)

    def known_dtypes(
        self, given: Sequence[torch.dtype | None]
    ) -> tuple[list[torch.dtype | None], list[torch.dtype | None]]:
        """Return the dtypes of a graph's inputs and outputs as far as they follow from some.

        Inputs of which the program says nothing have the dtype of the first.
        """
        types = [
            None if dtype is None else onp.dtype(numpy_dtype(dtype)).type
            for dtype in given[: len(self.arguments)]
        ]
        with self.running("infer_type"):
            found = list(self.prop.infer_type(types))
        counts = (len(self.arguments), len(self.outputs), len(self.auxiliary))
        inner, outer, auxiliary = (
            [None if one is None else torch_dtype(one) for one in part]
            for part in self._checked("infer_type", found, counts)
        )
        if inner:
            inner = [inner[0] if one is None else one for one in inner]
        return inner + auxiliary, outer

    def _checked(
        self, method: str, parts: list[Any], counts: tuple[int, int, int]
    ) -> list[list[Any]]:
        """Return lists for arguments, outputs and auxiliary states, the last one completed."""
        lists = [list(part) for part in parts]
        if len(lists) == 2:
            lists.append([])
        if len(lists) != 3 or tuple(map(len, lists)) != counts:
            one = "shape" if method == "infer_shape" else "type"
            like = (f"[{', '.join([one] * count)}]" for count in counts)
            msg = (
                f"Custom: {method} of {self.op_type!r} returned {', '.join(map(str, parts))}: "
                f"lists of {', '.join(str(len(part)) for part in lists)} entries. Expected one for "
                f"each of its {counts[0]} arguments, {counts[1]} outputs and {counts[2]} auxiliary "
                f"states. Write return {', '.join(like)}."
            )
            raise ShapeError(msg)
        return lists

    def operator(self, arrays: Sequence[NDArray]) -> Operator:
        """Return the operator for arrays like these; another one where they differ."""
        context = arrays[0].context if arrays else current_context()
        key = context, [(array.shape, array.dtype) for array in arrays]
        if self._made is not None and self._made[0] == key:
            return self._made[1]
        self._check_storage()
        shapes = [list(array.shape) for array in arrays]
        with self.running("create_operator"):
            operator = self.prop.create_operator(key[0], shapes, [a.dtype for a in arrays])
        self._made = key, operator
        return operator

    def _check_storage(self) -> None:
        inputs = ["default"] * len(self.arguments)
        outputs = ["default"] * len(self.outputs)
        auxiliary = ["default"] * len(self.auxiliary)
        with self.running("infer_storage_type"):
            found = list(self.prop.infer_storage_type(list(inputs)))
        with self.running("infer_storage_type_backward"):
            found += self.prop.infer_storage_type_backward(
                list(outputs), list(inputs), list(outputs), list(inputs), auxiliary
            )
        sparse = sorted({kind for part in found for kind in part} - {"default", "undefined"})
        if sparse:
            msg = (
                f"Custom: {self.op_type!r} asks for arrays of storage type {', '.join(sparse)}. "
                f"Expected 'default': gluonish holds arrays densely. Leave infer_storage_type out."
            )
            raise UnsupportedOptionError(msg)

    def kept(self) -> tuple[list[bool], list[bool], list[bool]]:
        """Return which of head gradients, inputs and outputs its gradient looks at."""
        heads, inputs = len(self.outputs), len(self.arguments)
        numbers = list(range(2 * heads + inputs))
        parts = numbers[:heads], numbers[heads : heads + inputs], numbers[heads + inputs :]
        with self.running("declare_backward_dependency"):
            needed = set(self.prop.declare_backward_dependency(*(list(part) for part in parts)))
        one, two, three = ([number in needed for number in part] for part in parts)
        return one, two, three

    def run(self, tensors: Sequence[Tensor]) -> Tensor | tuple[Tensor, ...]:
        """Return the operator's results for arguments and auxiliary states."""
        self._check_count(tensors)
        count = len(self.arguments)
        _, shapes, auxiliary = self.shapes([tuple(one.shape) for one in tensors[:count]])
        self._check_auxiliary(tensors[count:], auxiliary)
        _, dtypes, _ = self.dtypes([one.dtype for one in tensors[:count]])
        likes = list(zip(self._complete(shapes), dtypes, strict=True))
        if tensors and tensors[0].is_meta:
            outputs = tuple(torch.empty(size, dtype=d, device="meta") for size, d in likes)
        elif any(one.requires_grad for one in tensors[:count]):
            outputs = _Bridge.apply(self, likes, state.training, *tensors)  # type: ignore[no-untyped-call]
        else:
            outputs = self.forward(likes, tensors)[0]
        return outputs[0] if len(outputs) == 1 else outputs

    def _check_count(self, tensors: Sequence[Tensor]) -> None:
        if len(tensors) != len(self.names):
            msg = (
                f"Custom: {self.op_type!r} was given {len(tensors)} arrays. Expected "
                f"{len(self.names)}, for {', '.join(self.names)}. Pass them in that order, or by "
                f"name."
            )
            raise InvalidArgumentError(msg)

    def _check_auxiliary(self, tensors: Sequence[Tensor], shapes: Sequence[Shape]) -> None:
        for name, one, shape in zip(self.auxiliary, tensors, shapes, strict=True):
            if tuple(one.shape) != shape:
                msg = (
                    f"Custom: the auxiliary state {name!r} of {self.op_type!r} is an "
                    f"{describe(one)}. Expected shape {shape}, as infer_shape says. Correct one "
                    f"of them."
                )
                raise ShapeError(msg)

    def _complete(self, shapes: Sequence[Shape]) -> list[tuple[int, ...]]:
        # What infer_shape calls 0 is a length of 0 here: all inputs are known.
        return [tuple(size or 0 for size in shape) for shape in shapes]

    def forward(
        self, likes: Sequence[tuple[tuple[int, ...], torch.dtype]], tensors: Sequence[Tensor]
    ) -> tuple[tuple[Tensor, ...], Operator, list[list[NDArray]]]:
        """Run `forward`; return the results, the operator and its lists of arrays."""
        count = len(self.arguments)
        device = tensors[0].device if tensors else current_context().device
        arrays = [_array(one.detach()) for one in tensors]
        outputs = [_array(torch.zeros(size, dtype=d, device=device)) for size, d in likes]
        operator = self.operator(arrays)
        inputs, auxiliary = arrays[:count], arrays[count:]
        with _scope(training=state.training), self.running("CustomOp.forward"):
            operator.forward(
                is_train=state.training,
                req=["write"] * len(outputs),
                in_data=inputs,
                out_data=outputs,
                aux=auxiliary,
            )
        return tuple(held(one) for one in outputs), operator, [inputs, outputs, auxiliary]


class _Bridge(torch.autograd.Function):
    """torch's side of a custom operator."""

    @staticmethod
    @override
    def forward(
        ctx: Any, call: CustomCall, likes: Sequence[Any], training: bool, *tensors: Tensor
    ) -> tuple[Tensor, ...]:
        results, operator, (inputs, outputs, auxiliary) = call.forward(likes, tensors)
        heads, used, made = call.kept()
        ctx.call, ctx.operator, ctx.auxiliary = call, operator, auxiliary
        ctx.heads = heads
        ctx.likes = [(one.shape, held(one).dtype) for one in inputs]
        ctx.inputs = [_kept(one, keep=keep) for one, keep in zip(inputs, used, strict=True)]
        ctx.outputs = [_kept(one, keep=keep) for one, keep in zip(outputs, made, strict=True)]
        ctx.mark_non_differentiable(*(one for one in results if not one.is_floating_point()))
        return results

    @staticmethod
    @override
    def backward(ctx: Any, *grads: Tensor) -> Any:
        call, device = ctx.call, grads[0].device
        needed = ctx.needs_input_grad[3 : 3 + len(call.arguments)]
        found = [_array(torch.zeros(size, dtype=d, device=device)) for size, d in ctx.likes]
        with (
            _scope(training=differentiation.as_training),
            call.running("CustomOp.backward"),
        ):
            ctx.operator.backward(
                req=["write" if need else "null" for need in needed],
                out_grad=[
                    _kept(_array(one.detach()), keep=keep)
                    for one, keep in zip(grads, ctx.heads, strict=True)
                ],
                in_data=ctx.inputs,
                out_data=ctx.outputs,
                in_grad=found,
                aux=ctx.auxiliary,
            )
        results = [held(one) if need else None for one, need in zip(found, needed, strict=True)]
        return (None, None, None, *results, *[None] * len(call.auxiliary))


@contextlib.contextmanager
def _scope(*, training: bool) -> Iterator[None]:
    """Record nothing: an operator's gradient is its own."""
    before = state.recording, state.training
    state.recording, state.training = False, training
    try:
        yield
    finally:
        state.recording, state.training = before


def _array(tensor: Tensor) -> NDArray:
    return wrap(tensor, context_of(tensor), np_class() if is_np_array() else NDArray)


def _kept(array: NDArray, *, keep: bool) -> NDArray:
    """Return an array on the same memory, or on none where nobody looks at it."""
    tensor = held(array).detach()
    return _array(tensor if keep else tensor.new_empty(0))


def _arguments(arguments: Mapping[str, Any]) -> tuple[str, ...]:
    """Rule for the names of the inputs."""
    return _call_of(arguments).names


def _count(arguments: Mapping[str, Any]) -> int:
    """Rule for the number of outputs."""
    return len(_call_of(arguments).outputs)


def _call_of(arguments: Mapping[str, Any]) -> CustomCall:
    rest = {key: value for key, value in arguments.items() if key not in ("data", "op_type")}
    return CustomCall(arguments.get("op_type", ""), rest)


def _registered(arguments: Mapping[str, Any]) -> Op:
    """Rule for the operator that is registered under an `op_type`."""
    rest = dict(arguments)
    return specialized(rest.pop("op_type", ""), rest)


@op(
    nd="Custom",
    outputs=_count,
    arguments=_arguments,
    precision=FULL,
    graph=Graph(stands_for=_registered),
)
@opaque
def custom(*data: Tensor, op_type: str = "", **attributes: object) -> Tensor | tuple[Tensor, ...]:
    """Call an operator that is written in Python.

    Parameters
    ----------
    *data : Tensor
        The operator's arguments, then its auxiliary states; also by their names.
    op_type : str
        The name under which it was registered with `mx.operator.register`.
    **attributes : object
        Further arguments of its `CustomOpProp`, which receives them as strings.

    Returns
    -------
    Tensor or tuple of Tensor
        One for each name of `list_outputs`.

    Examples
    --------
    >>> import gluonish as mx
    >>> class Double(mx.operator.CustomOp):
    ...     def forward(self, is_train, req, in_data, out_data, aux):
    ...         self.assign(out_data[0], req[0], 2 * in_data[0])
    ...     def backward(self, req, out_grad, in_data, out_data, in_grad, aux):
    ...         self.assign(in_grad[0], req[0], 2 * out_grad[0])
    >>> @mx.operator.register('example_double')
    ... class DoubleProp(mx.operator.CustomOpProp):
    ...     def create_operator(self, ctx, in_shapes, in_dtypes):
    ...         return Double()
    >>> mx.nd.Custom(mx.nd.array([1, 2]), op_type='example_double').asnumpy()
    array([2., 4.], dtype=float32)
    """
    named = {key: value for key, value in attributes.items() if isinstance(value, Tensor)}
    rest = {key: value for key, value in attributes.items() if key not in named}
    call = CustomCall(op_type, rest)
    return call.run(_in_order(call, data, named))


def _in_order(
    call: CustomCall, data: Sequence[Tensor], named: Mapping[str, Tensor]
) -> tuple[Tensor, ...]:
    if not named:
        return tuple(data)
    open_names = call.names[len(data) :]
    if set(named) != set(open_names):
        msg = (
            f"Custom: {call.op_type!r} was given {len(data)} arrays by position, and "
            f"{', '.join(sorted(named))} by name. Expected the arrays {', '.join(call.names)}. "
            f"Give each of them once."
        )
        if strange := sorted(set(named) - set(call.names)):
            msg += f" {call.how_to_take(strange[0])}."
        raise InvalidArgumentError(msg)
    return (*data, *(named[name] for name in open_names))


def specialized(op_type: str, attributes: Mapping[str, object]) -> Op:
    """Return `Custom` for one registered operator, with that operator's own inputs and outputs.

    Its state lasts from call to call while shapes, dtypes and context stay, as that of a node
    in an Executor does.

    Parameters
    ----------
    op_type : str
        The name it registered.
    attributes : dict
        Its other arguments.

    Returns
    -------
    Op
        Its function's attribute `needs_heads` tells whether its gradient depends on those of
        its outputs: False for a loss; `how_to_take` what makes an array an input.

    Examples
    --------
    >>> import gluonish as mx
    >>> from gluonish.ops.graph.custom import specialized
    >>> class Pair(mx.operator.CustomOpProp):
    ...     def list_arguments(self):
    ...         return ['left', 'right']
    ...     def list_outputs(self):
    ...         return ['sum', 'product']
    >>> _ = mx.operator.register('example_pair')(Pair)
    >>> op = specialized('example_pair', {})
    >>> op.inputs, op.outputs, op.output_names
    (('left', 'right'), 2, ('sum', 'product'))
    """
    call = CustomCall(op_type, attributes)

    @opaque
    def function(*args: Tensor, **kwargs: Any) -> Tensor | tuple[Tensor, ...]:
        bound = signature.bind(*args, **kwargs)
        return call.run([bound.arguments[name] for name in call.names])

    def rule(shapes: Mapping[str, Shape | None], **_: object) -> dict[str, Shape]:
        found = call.shapes([shapes.get(name) for name in call.arguments])
        pairs = zip(call.names, found[0] + found[2], strict=True)
        return {name: shape for name, shape in pairs if shape}  # () is MXNet's "not known"

    either, keyword = inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY
    texts = {"op_type": op_type, **{key: str(value) for key, value in attributes.items()}}
    signature = inspect.Signature(
        [inspect.Parameter(name, either, annotation="Tensor") for name in call.names]
        + [
            inspect.Parameter(key, keyword, default=text, annotation="str")
            for key, text in texts.items()
        ]
    )
    function.__signature__ = signature  # type: ignore[attr-defined]
    function.__name__, function.__doc__ = "Custom", custom.__doc__
    function.needs_heads = any(call.kept()[0])  # type: ignore[attr-defined]
    function.how_to_take = call.how_to_take  # type: ignore[attr-defined]
    return Op(
        function,
        nd=("Custom",),
        outputs=len(call.outputs),
        shapes=rule,
        aux=call.auxiliary,
        output_names=call.outputs,
        files={("nd", "Custom"): "Custom"},
        graph=Graph(
            is_loss=not function.needs_heads,  # type: ignore[attr-defined]
            dtypes=lambda _names, _arguments, given: call.known_dtypes(given),
        ),
    )
