"""Operators written in Python do what they do in the real MXNet 1.9.1."""

from __future__ import annotations

import importlib.util
import json
import re
import traceback
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as onp
import pytest
from closeness import assert_close

import gluonish as mx
from gluonish import autograd, nd
from gluonish.gluon import nn
from gluonish.ops.graph.custom import makers, specialized

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

GOLDEN = Path(__file__).parents[2] / "golden"
_SPEC = importlib.util.spec_from_file_location("custom_programs", GOLDEN / "custom_programs.py")
programs = importlib.util.module_from_spec(_SPEC)
_SPEC.loader.exec_module(programs)


@pytest.fixture(autouse=True)
def registry() -> Iterator[None]:
    """Forget what a test registers."""
    before = dict(makers)
    yield
    makers.clear()
    makers.update(before)


class Double(mx.operator.CustomOp):
    def forward(self, is_train, req, in_data, out_data, aux):
        self.assign(out_data[0], req[0], 2 * in_data[0])

    def backward(self, req, out_grad, in_data, out_data, in_grad, aux):
        self.assign(in_grad[0], req[0], 2 * out_grad[0])


def registered(
    op: Callable[[], mx.operator.CustomOp] = Double,
    arguments: Sequence[str] = ("data",),
    auxiliary: Sequence[str] = (),
    **methods: Any,
) -> type[mx.operator.CustomOpProp]:
    """Register an operator as `it`."""

    class Prop(mx.operator.CustomOpProp):
        def list_arguments(self):
            return list(arguments)

        def list_auxiliary_states(self):
            return list(auxiliary)

        def create_operator(self, ctx, in_shapes, in_dtypes):
            return op()

    for name, method in methods.items():
        setattr(Prop, name, method)
    return mx.operator.register("it")(Prop)


def test_programs_do_what_they_do_in_mxnet() -> None:
    golden = json.loads((GOLDEN / "custom.json").read_text())
    found = json.loads(json.dumps(programs.run(mx)))
    assert found["told"] == golden["told"]
    for ours, theirs in zip(found["results"], golden["results"], strict=True):
        assert_close(ours, theirs)


def test_arrays_may_be_given_by_name() -> None:
    registered(arguments=("left", "right"))
    x, y = nd.array([1]), nd.array([5])
    assert nd.Custom(right=y, left=x, op_type="it").asscalar() == 2
    assert nd.Custom(y, right=x, op_type="it").asscalar() == 10


def test_class_of_the_arrays_follows_the_numpy_switch() -> None:
    seen = []

    class Look(Double):
        def forward(self, is_train, req, in_data, out_data, aux):
            seen.append(type(in_data[0]))

    registered(Look)
    nd.Custom(nd.ones(1), op_type="it")
    with mx.np_array(True):
        nd.Custom(nd.ones(1), op_type="it")
    assert seen == [nd.NDArray, mx.np.ndarray]


def test_dtypes_are_asked_for() -> None:
    def infer_type(self, in_type):
        assert in_type == [onp.float32]
        return in_type, [onp.int32]

    registered(infer_type=infer_type)
    x = nd.array([1.6])
    x.attach_grad()
    with autograd.record():
        assert nd.Custom(x, op_type="it").dtype == onp.int32


def test_nothing_is_kept_for_backward_that_it_does_not_look_at() -> None:
    sizes = []

    class Look(Double):
        def backward(self, req, out_grad, in_data, out_data, in_grad, aux):
            sizes.append([part[0].size for part in (out_grad, in_data, out_data, in_grad)])

    registered(Look, declare_backward_dependency=lambda self, heads, inputs, outputs: outputs)
    x = nd.ones((2, 3))
    x.attach_grad()
    with autograd.record():
        y = nd.Custom(x, op_type="it")
    y.backward()
    assert sizes == [[0, 0, 6, 6]]
    assert not x.grad.asnumpy().any()


class Net(nn.HybridBlock):
    def hybrid_forward(self, F, x):
        return F.Custom(x + 1, op_type="it") * 3


def test_hybridized_block_calls_the_operator_at_each_replay() -> None:
    calls = []

    class Count(Double):
        def forward(self, is_train, req, in_data, out_data, aux):
            calls.append(is_train)
            super().forward(is_train, req, in_data, out_data, aux)

    registered(Count)
    net = Net()
    net.hybridize()
    x = nd.array([1, 2])
    x.attach_grad()
    for _ in range(4):
        with autograd.record():
            y = net(x)
        y.backward()
        assert y.asnumpy().tolist() == [12, 18]
        assert x.grad.asnumpy().tolist() == [6, 6]
    assert net(x).asnumpy().tolist() == [12, 18]
    assert net.graph is not None
    assert calls.count(True) >= 4
    assert calls[-1] is False


def test_shapes_are_known_without_values() -> None:
    registered(infer_shape=lambda self, shapes: (shapes, [shapes[0] + [2]], []))
    assert nd.Custom(nd.NDArray(nd.ones(3).tensor.to("meta")), op_type="it").shape == (3, 2)


def test_specialized_operator_has_inputs_and_a_state_of_its_own() -> None:
    made = []

    class Count(Double):
        def __init__(self):
            made.append(self)

    def infer_shape(self, shapes):
        return [shapes[0], [shapes[0][0]]], [shapes[0]], [[2]]

    programs.define(mx, lambda *what: None)
    registered(Count, ("data", "label"), ("mean",), infer_shape=infer_shape)
    op = specialized("it", {})
    assert op.inputs == ("data", "label", "mean")
    assert op.aux == ("mean",)
    assert op.output_names == ("output",)
    known = {"data": (4, 3), "label": None, "mean": None}
    open_pair = specialized("golden_pair", {"factor": 1}).shapes
    assert open_pair({"left": (1, 2), "right": None}) == {"left": (1, 2), "count": (1,)}
    assert op.shapes(known) == {"data": (4, 3), "label": (4,), "mean": (2,)}
    tensors = [nd.ones(shape).tensor for shape in ((4, 3), (4,), (2,))]
    for _ in range(3):
        assert op.function(*tensors[:2], mean=tensors[2]).sum() == 24
    assert len(made) == 1
    op.function(tensors[0][:2].clone(), tensors[1][:2].clone(), tensors[2])
    assert len(made) == 2


@pytest.mark.parametrize(
    ("methods", "where", "method"),
    [
        ({"__init__": lambda self: 1 / 0}, "ZeroDivisionError", "__init__"),
        ({"list_arguments": lambda self: self.bogus}, "AttributeError", "list_arguments"),
        ({"infer_shape": lambda self, shapes: shapes[9]}, "IndexError", "infer_shape"),
        ({"infer_type": lambda self, types: int("x")}, "ValueError", "infer_type"),
        ({"create_operator": lambda self: 1}, "TypeError", "create_operator"),
    ],
)
def test_errors_of_a_description_are_told_apart(
    methods: dict[str, Any], where: str, method: str
) -> None:
    registered(**methods)
    with pytest.raises(mx.MXNetError, match=f"Error in {method} of 'it': {where}: ") as caught:
        nd.Custom(nd.ones(2), op_type="it")
    assert type(caught.value.__cause__).__name__ == where


def test_errors_of_an_operator_keep_their_traceback() -> None:
    class Fails(mx.operator.CustomOp):
        def forward(self, is_train, req, in_data, out_data, aux):
            raise KeyError(in_data[0].shape)

    registered(Fails)
    with pytest.raises(
        mx.MXNetError, match=r"Error in CustomOp.forward of 'it': KeyError"
    ) as found:
        nd.Custom(nd.ones(2), op_type="it")
    lines = "".join(traceback.format_exception(found.value))
    assert "raise KeyError(in_data[0].shape)" in lines


def test_errors_of_a_gradient_keep_their_traceback() -> None:
    class Fails(Double):
        def backward(self, req, out_grad, in_data, out_data, in_grad, aux):
            raise ValueError(in_data[0].shape)

    registered(Fails)
    x = nd.ones(2)
    x.attach_grad()
    for differentiate in (nd.NDArray.backward, lambda y: autograd.grad(y, x)):
        with autograd.record():
            y = nd.Custom(x, op_type="it")
        with pytest.raises(mx.MXNetError, match=r"CustomOp.backward of 'it': ValueError") as found:
            differentiate(y)
        assert "raise ValueError(in_data[0].shape)" in "".join(
            traceback.format_exception(found.value)
        )
    assert not autograd.is_recording()


@pytest.mark.parametrize(
    ("call", "kind", "message"),
    [
        ("nd.Custom(x, op_type='bogus')", KeyError, "Cannot find custom operator bogus. Expected"),
        ("nd.Custom(x)", KeyError, "Name one, as in nd.Custom(x, op_type='name')."),
        ("nd.Custom(x, op_type='y')", KeyError, "Decorate its CustomOpProp with @mx.operator.reg"),
        (
            "nd.Custom(x, x, op_type='it')",
            ValueError,
            "'it' was given 2 arrays. Expected 3, for a, b, s. Pass them in that order, or by name",
        ),
        (
            "nd.Custom(x, b=x, op_type='it')",
            ValueError,
            "1 arrays by position, and b by name. Expected the arrays a, b, s. Give each of them",
        ),
        (
            "nd.Custom(x, x, nd.ones((3, 1)), op_type='it')",
            ValueError,
            "of 'it' is an array of shape (3, 1) and dtype float32. Expected shape (2,), as infer",
        ),
        ("mx.operator.register('it')(5)", TypeError, "5 was given. Expected a subclass of"),
        (
            "mx.operator.CustomOp().assign(x, 'bogus', x)",
            ValueError,
            "req='bogus' was given. Expected 'write', 'inplace', 'add' or 'null'.",
        ),
        ("mx.operator.get_operator_arguments('bogus')", AttributeError, "bogus is not registered"),
    ],
)
def test_what_does_not_fit_is_refused(call: str, kind: type, message: str) -> None:
    registered(
        arguments=("a", "b"), auxiliary=("s",), infer_shape=lambda *_: ([[2]] * 2, [[2]], [[2]])
    )
    with pytest.raises(kind, match=re.escape(message)) as caught:
        eval(call, {"nd": nd, "mx": mx, "x": nd.ones(2)})
    assert isinstance(caught.value, mx.MXNetError)


def test_lists_of_wrong_length_are_refused() -> None:
    registered(infer_shape=lambda self, shapes: (shapes, [], []))
    message = "lists of 1, 0, 0 entries. Expected one for each of its 1 arguments, 1 outputs and 0"
    with pytest.raises(ValueError, match=message):
        nd.Custom(nd.ones(2), op_type="it")


def test_sparse_storage_is_refused() -> None:
    registered(infer_storage_type=lambda self, kinds: (kinds, ["csr"], []))
    with pytest.raises(NotImplementedError, match="asks for arrays of storage type csr. Expected"):
        nd.Custom(nd.ones(2), op_type="it")


def test_assign_writes_as_requested() -> None:
    x, op = nd.zeros(2), mx.operator.CustomOp()
    found = []
    for req in ("write", "add", "null", "inplace"):
        op.assign(x, req, nd.array([1, 2]))
        found.append(x.asnumpy().tolist())
    assert found == [[1, 2], [2, 4], [2, 4], [1, 2]]


def test_base_classes_have_mxnets_defaults() -> None:
    prop = mx.operator.CustomOpProp()
    assert prop.infer_type([onp.float32]) == ([onp.float32], [onp.float32], [])
    assert prop.infer_storage_type(["default"]) == (["default"], ["default"], [])
    assert prop.infer_storage_type_backward(*"abcde") == tuple("abcde")
    assert prop.declare_backward_dependency([0], [1], [2]) == [0, 1, 2]
    assert mx.operator.CustomOpProp(need_top_grad=False).declare_backward_dependency(
        [0], [1], [2]
    ) == [1, 2]
    mx.operator.register("it")(mx.operator.CustomOpProp)
    assert nd.Custom(nd.ones(2), op_type="it").asnumpy().tolist() == [0, 0]


@pytest.mark.parametrize("base", [mx.operator.NumpyOp, mx.operator.NDArrayOp])
def test_python_ops_compute_and_differentiate(base: type[mx.operator.PythonOp]) -> None:
    kinds = []

    class Square(base):
        def forward(self, in_data, out_data):
            kinds.append(type(in_data[0]))
            out_data[0][:] = in_data[0] ** 2

        def backward(self, out_grad, in_data, out_data, in_grad):
            in_grad[0][:] = 2 * in_data[0] * out_grad[0]

    with pytest.warns(UserWarning, match="PythonOp has been deprecated. Please use CustomOp"):
        op = Square()
    x = nd.array([3, 4])
    x.attach_grad()
    with autograd.record():
        y = nd.Custom(x, op_type=op._op_type)
    y.backward(nd.array([1, 10]))
    assert y.asnumpy().tolist() == [9, 16]
    assert x.grad.asnumpy().tolist() == [6, 80]
    assert kinds == [onp.ndarray if base is mx.operator.NumpyOp else nd.NDArray]
    with (
        pytest.warns(UserWarning, match="deprecated"),
        pytest.raises(NotImplementedError, match="Must override this"),
    ):
        mx.operator.PythonOp()()


def test_operators_and_their_arguments_are_listed() -> None:
    names = mx.operator.get_all_registered_operators()
    assert {"FullyConnected", "_plus_scalar", "Custom", "_npi_add"} <= set(names)
    groups = mx.operator.get_all_registered_operators_grouped()
    assert sorted(groups) == names
    found = mx.operator.get_operator_arguments("SoftmaxOutput")
    assert found.narg == 10
    assert found.names[:4] == ["data", "label", "grad_scale", "ignore_label"]
    assert found.types[:5] == [
        "NDArray-or-Symbol",
        "NDArray-or-Symbol",
        "float, optional, default=1",
        "float, optional, default=-1",
        "boolean, optional, default=0",
    ]
    assert mx.operator.get_operator_arguments("add_n").types[0] == "NDArray-or-Symbol[]"


def test_symbols_know_what_a_registered_operator_takes_and_returns() -> None:
    told: list[Any] = []
    programs.define(mx, lambda *what: told.append(what))
    pair = mx.sym.Custom(left=mx.sym.var("q"), op_type="golden_pair", name="n", factor=3)
    assert pair.list_arguments() == ["q", "n_right"]
    assert pair.list_outputs() == ["n_product", "n_difference"]
    assert pair.list_auxiliary_states() == ["n_count"]
    assert pair.attr_dict()["n"] == {"op_type": "golden_pair", "factor": "3"}
    assert pair.infer_shape(q=(2, 3), n_right=(2, 3)) == ([(2, 3)] * 2, [(2, 3)] * 2, [(1,)])
    net = mx.sym.Custom(mx.sym.var("data"), name="softmax", op_type="golden_softmax")
    assert net.infer_shape(data=(4, 3)) == ([(4, 3), (4,)], [(4, 3)], [])
    assert told[0] == ("init", "3", [])


def test_symbols_call_python_ops() -> None:
    class Square(mx.operator.NumpyOp):
        def forward(self, in_data, out_data):
            out_data[0][:] = in_data[0] ** 2

    with pytest.warns(UserWarning, match="deprecated"):
        square = Square()
    y = square(mx.sym.var("x"), name="square")
    assert y.list_outputs() == ["square_output"]
    assert y.eval(x=nd.array([1, 3]))[0].asnumpy().tolist() == [1, 9]


def test_an_operator_without_inputs():
    class Ones(mx.operator.CustomOp):
        def forward(self, is_train, req, in_data, out_data, aux):
            self.assign(out_data[0], req[0], nd.ones(out_data[0].shape))

    @mx.operator.register("ones_of_nothing")
    class OnesProp(mx.operator.CustomOpProp):
        def list_arguments(self):
            return []

        def infer_shape(self, in_shape):
            return [], [[2]], []

        def infer_type(self, in_type):
            return [], [onp.float32], []

        def create_operator(self, ctx, shapes, dtypes):
            return Ones()

    assert nd.Custom(op_type="ones_of_nothing").asnumpy().tolist() == [1, 1]


class Scaled(mx.operator.CustomOp):
    def forward(self, is_train, req, in_data, out_data, aux):
        self.assign(out_data[0], req[0], in_data[0] * in_data[1])


class ScaledProp(mx.operator.CustomOpProp):
    """Knows the shape of a weight by that of the data, and insists on both."""

    seen: list[object]

    def list_arguments(self):
        return ["data", "scale"]

    def infer_shape(self, in_shape):
        self.seen.append([list(each) for each in in_shape])
        assert len(in_shape[0]) == 2
        assert in_shape[0][0] == 4
        return [in_shape[0], (in_shape[0][1],)], [in_shape[0]], []

    def create_operator(self, ctx, in_shapes, in_dtypes):
        return Scaled()


@pytest.mark.parametrize("hybridize", [False, True])
def test_a_parameter_has_the_shape_that_a_registered_operator_says(hybridize: bool) -> None:
    class Scale(nn.HybridBlock):
        def __init__(self):
            super().__init__()
            self.scale = self.params.get("scale", shape=(0,), allow_deferred_init=True)

        def hybrid_forward(self, F, x, scale):
            return F.Custom(x, scale, op_type="scaled_here")

    mx.operator.register("scaled_here")(type("Prop", (ScaledProp,), {"seen": []}))
    net = Scale()
    net.initialize(mx.init.One())
    if hybridize:
        net.hybridize()
    assert net(nd.ones((4, 3))).asnumpy().tolist() == [[1, 1, 1]] * 4
    assert net.scale.shape == (3,)


def test_a_description_is_asked_for_no_shapes_but_the_graph_s() -> None:
    prop = type("Prop", (ScaledProp,), {"seen": []})
    mx.operator.register("scaled_there")(prop)
    data = mx.sym.softmax(mx.sym.var("data"))
    net = mx.sym.Custom(data=data, scale=mx.sym.var("scale"), op_type="scaled_there")
    executor = net.simple_bind(mx.cpu(), data=(4, 5))
    assert executor.arg_dict["scale"].shape == (5,)
    assert executor.forward()[0].shape == (4, 5)
    assert net.infer_shape(data=(4, 5)) == ([(4, 5), (5,)], [(4, 5)], [])
    assert [one[0] for one in prop.seen] == [[4, 5]] * len(prop.seen)


def test_a_description_says_the_dtypes_of_a_graph() -> None:
    """As the real MXNet 1.9.1 infers them, with None for what is not known."""

    class Mixed(ScaledProp):
        seen: list[object] = []  # noqa: RUF012 - one for the class

        def infer_type(self, in_type):
            self.seen.append(in_type)
            return [in_type[0], onp.float32], [onp.float32], []

    mx.operator.register("mixed_types")(Mixed)
    net = mx.sym.Custom(mx.sym.var("data"), mx.sym.var("scale"), op_type="mixed_types")
    assert net.infer_type(data="float16") == ([onp.float16, onp.float32], [onp.float32], [])
    assert Mixed.seen[0] == [onp.float16, None]
    executor = net.simple_bind(mx.cpu(), data=(4, 2), type_dict={"data": "float16"})
    assert {name: one.dtype for name, one in executor.arg_dict.items()} == {
        "data": onp.float16,
        "scale": onp.float32,
    }
