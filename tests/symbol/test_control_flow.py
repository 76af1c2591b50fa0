"""Loops and branches, on arrays and in graphs, compared with the real MXNet."""

from __future__ import annotations

import copy
import json
from pathlib import Path

import numpy as onp
import pytest
from closeness import assert_close
from control_flow_programs import GRAPHS, PROGRAMS, flat, in_graphs, numbers, on_arrays

import gluonish as mx
from gluonish.errors import (
    FileFormatError,
    InvalidArgumentError,
    InvalidIndexError,
    OperandError,
    RefusedArgumentError,
    ShapeError,
    SymbolNameError,
)
from gluonish.symbol import cutting

GOLDEN = Path(__file__).parents[1] / "golden" / "control_flow.json"
EXPECTED = json.loads(GOLDEN.read_text())["results"]


@pytest.fixture(autouse=True)
def _fresh_names(monkeypatch):
    monkeypatch.setattr(cutting, "_counts", type(cutting._counts)(int))
    with mx.name.NameManager():
        yield


def assert_same(found, expected):
    if isinstance(expected, dict):
        assert sorted(found) == sorted(expected)
        for key, value in expected.items():
            assert_same(found[key], value)
    elif isinstance(expected, list) and expected and isinstance(expected[0], list):
        assert len(found) == len(expected)
        for one, other in zip(found, expected, strict=True):
            assert_same(one, other)
    else:
        onp.testing.assert_allclose(found, expected, rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("name", sorted(PROGRAMS))
def test_arrays_are_looped_over_as_in_mxnet(name):
    found = on_arrays(mx, *PROGRAMS[name])
    expected = EXPECTED[f"nd/{name}"]
    if name == "capped":  # MXNet leaves the rows unset that no step fills
        found["results"][0] = found["results"][0][: len(expected["results"][0])]
    assert_same(found, expected)


@pytest.mark.parametrize("name", sorted(GRAPHS))
def test_graphs_loop_as_in_mxnet(name):
    found = in_graphs(mx, *GRAPHS[name])
    expected = EXPECTED[f"sym/{name}"]
    for key in ("outputs", "arguments", "graph"):
        assert found[key] == expected[key], key
    for one, other in zip(found["shapes"], expected["shapes"], strict=True):
        assert tuple(one) == tuple(other)
    for one, other in zip(found["runs"], expected["runs"], strict=True):
        assert_same(one, other)


@pytest.mark.parametrize("name", sorted(set(PROGRAMS)))
def test_graphs_give_what_arrays_give_and_survive_files(name):
    program, *values = PROGRAMS[name]
    names = "abcdef"[: len(values)]
    parts = flat(program(mx.sym, *[mx.sym.var(each) for each in names]))
    net = mx.sym.Group(parts)
    again = mx.sym.load_json(net.tojson())
    assert again.tojson() == net.tojson()
    arrays = {key: mx.nd.array(value) for key, value in zip(names, values, strict=True)}
    for symbol in (net, again):
        found = symbol.eval(**arrays)
        expected = flat(program(mx.nd, *arrays.values()))
        for one, other in zip(found, expected, strict=True):
            onp.testing.assert_allclose(one.asnumpy(), other.asnumpy(), rtol=1e-5, atol=1e-6)


def test_files_of_mxnet_are_read_and_written_alike():
    for name in GRAPHS:
        text = json.dumps(EXPECTED[f"sym/{name}"]["graph"])
        assert json.loads(mx.sym.load_json(text).tojson()) == json.loads(text), name


def test_shapes_of_weights_inside_loops_are_found():
    program, x, s = GRAPHS["dense_steps"]
    net = mx.sym.Group(flat(program(mx.sym, mx.sym.var("x"), mx.sym.var("s"))))
    shapes = dict(zip(net.list_arguments(), net.infer_shape(x=x.shape, s=s.shape)[0], strict=True))
    assert shapes["i2h_weight"] == (4, 5)
    executor = net.simple_bind(mx.cpu(), x=x.shape)
    assert executor.arg_dict["s"].shape == s.shape


def test_dtypes_are_found_through_loops():
    x, s = mx.sym.var("x"), mx.sym.var("s")
    net = mx.sym.Group(mx.sym.contrib.foreach(lambda d, state: (d * 2, state + 1), x, s))
    arguments, outputs, _ = net.infer_type(x="float64", s="int32")
    assert arguments == [onp.float64, onp.int32]
    assert outputs == [onp.float64, onp.int32]


class Recurrent(mx.gluon.HybridBlock):
    def __init__(self):
        super().__init__()
        with self.name_scope():
            self.dense = mx.gluon.nn.Dense(3, flatten=False)

    def hybrid_forward(self, F, x, s):
        outputs, last = F.contrib.foreach(lambda d, state: (state, self.dense(d) + state), x, s)
        return F.contrib.cond(last.sum() > 0, lambda: outputs * 2, lambda: outputs)


class Counting(mx.gluon.HybridBlock):
    def hybrid_forward(self, F, x):
        found, _ = F.contrib.while_loop(
            lambda s: s.sum() < 20, lambda s: (s, s * 2), x, max_iterations=6
        )
        return found


@pytest.mark.parametrize("F", [mx.nd, mx.np])
def test_blocks_loop_hybridized_or_not(F):
    net = Recurrent()
    net.initialize(mx.init.One())
    x, s = F.ones((4, 2, 5)), F.zeros((2, 3))
    plain = net(x, s).asnumpy()
    negative = net(-x, s).asnumpy()
    assert plain[1].tolist() == [[10.0] * 3] * 2
    assert negative[1].tolist() == [[-5.0] * 3] * 2
    net.hybridize()
    for _ in range(3):
        for data, expected in ((x, plain), (-x, negative)):
            found = net(data, s)
            assert type(found) is type(data)
            onp.testing.assert_allclose(found.asnumpy(), expected)


def test_loops_are_learned_through_when_hybridized():
    grads = []
    for active in (False, True):
        net = Recurrent()
        net.initialize(mx.init.One())
        net.hybridize(active=active)
        for _ in range(3):
            with mx.autograd.record():
                loss = (net(mx.nd.ones((4, 2, 5)), mx.nd.zeros((2, 3))) ** 2).mean()
            loss.backward()
        grads.append(net.dense.weight.grad().asnumpy())
    assert grads[0].any()
    assert_close(grads[0], grads[1])


def test_while_loops_stay_right_when_hybridized():
    net = Counting()
    net.initialize()
    net.hybridize()
    for _ in range(2):
        for start in (1.0, 3.0, 30.0):
            found = net(mx.nd.array([start]))
            steps = [start * 2**k for k in range(6) if start * 2**k < 20]
            if steps:
                assert found.asnumpy()[:, 0].tolist() == steps + [0.0] * (6 - len(steps))
            else:
                assert found == []


def test_blocks_with_loops_are_exported_and_imported(tmp_path):
    net = Recurrent()
    net.initialize(mx.init.One())
    net.hybridize()
    x, s = mx.nd.ones((4, 2, 5)), mx.nd.zeros((2, 3))
    expected = net(x, s).asnumpy()
    graph, params = net.export(str(tmp_path / "net"))
    again = mx.gluon.SymbolBlock.imports(graph, ["data0", "data1"], params)
    for active in (False, True):
        again.hybridize(active=active)
        for _ in range(3):
            assert_close(again(x, s).asnumpy(), expected)
            onp.testing.assert_allclose(again(-x, s).asnumpy()[1], -5.0)


def test_states_of_operators_in_loops_are_updated():
    def body(d, state):
        return mx.sym.BatchNorm(d, name="bn", momentum=0.5), state + 1

    net = mx.sym.Group(flat(mx.sym.contrib.foreach(body, mx.sym.var("x"), mx.sym.var("s"))))
    executor = net.simple_bind(mx.cpu(), x=(2, 4, 3), s=(1,))
    executor.arg_dict["x"][:] = 1
    executor.arg_dict["bn_moving_var"][:] = 1
    executor.forward(is_train=True)
    executor.backward([mx.nd.ones((2, 4, 3)), mx.nd.ones((1,))])
    onp.testing.assert_allclose(executor.arg_dict["bn_moving_mean"].asnumpy(), 0.75, rtol=1e-5)


def test_loops_that_never_run_give_zeros_in_graphs():
    i = mx.sym.var("i")
    outputs, last = mx.sym.contrib.while_loop(
        lambda i: i < 3, lambda i: ([i, i + 1], i + 1), i, max_iterations=2
    )
    found = mx.sym.Group([*outputs, last]).eval(i=mx.nd.array([7]))
    assert [each.asnumpy().tolist() for each in found] == [[[0], [0]], [[0], [0]], [7]]


def test_what_is_composed_outside_is_an_input():
    x = mx.sym.var("x")
    doubled = x * 2
    outputs, _ = mx.sym.contrib.foreach(lambda d, s: (d * doubled.sum(), s), doubled, [])
    assert outputs.list_arguments() == ["x"]
    found = outputs.eval(x=mx.nd.array([1, 2]))[0]
    assert found.asnumpy().tolist() == [[12], [24]]


def test_loops_over_np_arrays_give_np_arrays():
    x = mx.np.arange(3)
    outputs, last = mx.nd.contrib.foreach(lambda d, s: (d + s, d + s), x, mx.np.zeros(()))
    assert (type(outputs), type(last)) == (type(x), type(x))
    assert outputs.shape == (3,)
    assert last.item() == 3


def test_outputs_keep_their_nesting():
    x = mx.nd.ones((2, 1))
    outputs, states = mx.nd.contrib.foreach(
        lambda d, s: ([d[0], [d[1][0]]], s), [x, [x]], (x[0], [x[1]])
    )
    assert outputs[1][0].shape == (2, 1)
    assert isinstance(states, tuple)


X, S = mx.sym.var("x"), mx.sym.var("s")
ARRAY = mx.nd.ones((3,))
LOOP, WHILE, COND = (getattr(mx.nd.contrib, n) for n in ("foreach", "while_loop", "cond"))
SYM_LOOP, SYM_WHILE, SYM_COND = (
    getattr(mx.sym.contrib, n) for n in ("foreach", "while_loop", "cond")
)
WRONG = [
    (lambda: LOOP(lambda d, s: (d, s), 3, []), OperandError, "foreach input must be"),
    (lambda: LOOP(lambda d, s: (d, s), ARRAY, None), OperandError, "foreach states must be"),
    (lambda: LOOP(lambda d, s: (3, s), ARRAY, []), OperandError, "foreach output must be"),
    (lambda: LOOP(lambda d, s: (d, s), [], []), InvalidIndexError, "at least one array"),
    (
        lambda: LOOP(lambda d, s: (d, s), mx.nd.zeros((0, 2)), []),
        ShapeError,
        "same length of at least 1",
    ),
    (
        lambda: LOOP(lambda d, s: (d, s), [ARRAY, ARRAY[:2]], []),
        InvalidIndexError,
        "same length of at least 1",
    ),
    (
        lambda: LOOP(lambda d, s: (mx.nd.ones((int(s.asscalar()),)), s + 1), ARRAY, ARRAY[:1]),
        ShapeError,
        "the same shape from each call",
    ),
    (lambda: WHILE(lambda i: i < 1, lambda i: (i, i), [ARRAY]), InvalidArgumentError, "max_iter"),
    (
        lambda: WHILE(lambda i: i < 1, lambda i: (i, i), [ARRAY], "x"),
        InvalidArgumentError,
        "Cannot convert max_iteration",
    ),
    (lambda: WHILE(bool, lambda: (0, 0), [], 2), InvalidArgumentError, "at least one element"),
    (lambda: WHILE(bool, lambda i: (i, i), 3, 2), OperandError, "while loop_vars must be"),
    (
        lambda: WHILE(lambda i: True, lambda i: (i, [i, i]), [ARRAY], 2),
        InvalidArgumentError,
        "should be consistent",
    ),
    (
        lambda: WHILE(lambda i: i < 3, lambda i: (i, i), [ARRAY], 2),
        InvalidArgumentError,
        "not a scalar",
    ),
    (lambda: COND(ARRAY, list, list), InvalidArgumentError, "not a scalar"),
    (lambda: COND(lambda: True, list, list), OperandError, "Call the function"),
    (lambda: SYM_LOOP(lambda d, s: (d, s), 3, S), OperandError, "foreach input must be"),
    (lambda: SYM_LOOP(lambda d, s: (d, d), X, S), RefusedArgumentError, "state arrays have to be"),
    (lambda: SYM_LOOP(lambda d, s: (s, s), X, S), RefusedArgumentError, "data arrays have to be"),
    (lambda: SYM_LOOP(lambda d, s: (d, [s, s]), X, S), RefusedArgumentError, "different format"),
    (
        lambda: SYM_WHILE(lambda i: i < 1, lambda i: (i, i), [X], 0),
        InvalidArgumentError,
        "greater equal to 1",
    ),
    (lambda: SYM_WHILE(lambda i: i < 1, lambda i: (i, i), []), InvalidArgumentError, "max_iter"),
    (lambda: SYM_WHILE(bool, lambda: (0, 0), [], 2), InvalidArgumentError, "at least one element"),
    (
        lambda: SYM_WHILE(lambda i: True, lambda i: (i, i), [X], 2),
        SymbolNameError,
        "Return of cond must be a Symbol",
    ),
    (
        lambda: SYM_WHILE(lambda i: i < 1, lambda i: (i, [i, i]), [X], 2),
        InvalidArgumentError,
        "should be consistent",
    ),
    (
        lambda: SYM_WHILE(lambda i, s: i < 1, lambda i, s: (i, [i, i]), [X, S], 2),
        InvalidArgumentError,
        "2-th loop_var doesn't involve",
    ),
    (lambda: SYM_COND(True, lambda: X, lambda: X), OperandError, "cond outputs must be"),
    (lambda: SYM_COND(X, lambda: X, lambda: [X, S]), InvalidArgumentError, "differs between"),
    (
        lambda: SYM_COND(mx.sym.Group([X, S]), lambda: X, lambda: X),
        InvalidArgumentError,
        "single one",
    ),
    (
        lambda: SYM_COND(X, lambda: X, lambda: S).eval(x=ARRAY, s=ARRAY),
        InvalidArgumentError,
        "not a scalar",
    ),
    (
        lambda: SYM_LOOP(lambda d, s: (d[0] + d[1], s), [X, S], [])[0].eval(x=ARRAY, s=ARRAY[:2]),
        ShapeError,
        "same length of at least 1",
    ),
]


@pytest.mark.parametrize("case", range(len(WRONG)))
def test_wrong_calls_are_explained(case):
    call, error, text = WRONG[case]
    with pytest.raises(error, match=text):
        call()


def test_outputs_must_be_as_many_in_each_step():
    def body(d, s):
        return ([d] if s.asscalar() else [d, d]), s + 1

    with pytest.raises(InvalidArgumentError, match="Number of elements in step_output"):
        LOOP(body, ARRAY, mx.nd.zeros((1,)))


def damaged(name, **changes):
    """Return the file of a graph in which attributes of the loop are others."""
    graph = copy.deepcopy(EXPECTED[f"sym/{name}"]["graph"])
    node = next(node for node in graph["nodes"] if "subgraphs" in node)
    if "subgraphs" in changes:
        node["subgraphs"] = changes.pop("subgraphs")
    node["attrs"].update(changes)
    return json.dumps(graph)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        (damaged("running_sums", in_data_locs="[7]"), "not different numbers below 3"),
        (damaged("running_sums", in_data_locs="x"), "not different numbers below 3"),
        (damaged("running_sums", in_data_locs="[]"), "do not fit in_data_locs"),
        (damaged("running_sums", num_out_data="9"), "out of range"),
        (damaged("running_sums", nonsense="9"), "Cannot find argument 'nonsense'"),
        (damaged("running_sums", subgraphs=[]), "does not hold 1 graphs"),
        (damaged("running_sums", subgraphs=[{}]), "no list of nodes"),
        (damaged("powers", func_var_locs="[0]"), "outputs of the function do not fit"),
        (damaged("powers", func_input_locs="[0]"), "has 1 numbers for"),
        (damaged("powers", max_iterations="0"), "max_iterations is 0"),
        (damaged("then", then_input_locs="[]"), "has 0 numbers for"),
    ],
)
def test_damaged_files_are_refused(text, problem):
    with pytest.raises(FileFormatError, match=problem):
        mx.sym.load_json(text)


def test_graphs_in_graphs_in_graphs_have_an_end():
    graph = EXPECTED["sym/running_sums"]["graph"]
    for _ in range(25):
        outer = copy.deepcopy(EXPECTED["sym/running_sums"]["graph"])
        outer["nodes"][-1]["subgraphs"] = [graph]
        graph = outer
    with pytest.raises(FileFormatError, match="hold graphs that hold graphs"):
        mx.sym.load_json(json.dumps(graph))


def test_numbers_of_the_programs_are_fixed():
    assert numbers(0, 2).tolist() == pytest.approx([0.09762701, 0.43037874])


def test_variables_of_one_name_are_one_input_of_both_branches():
    def x():
        return mx.sym.var("x")

    (found,) = mx.sym.contrib.cond(mx.sym.var("p") > 0, lambda: [x() * 2], lambda: [x() - 1])
    assert found.list_inputs() == ["p", "x"]
    given = {"p": mx.nd.array([0]), "x": mx.nd.array([5])}
    assert found.eval(**given)[0].asscalar() == 4
    (node,) = [each for each in json.loads(found.tojson())["nodes"] if each["op"] == "_cond"]
    assert node["attrs"]["then_input_locs"] == node["attrs"]["else_input_locs"] == "[1]"
