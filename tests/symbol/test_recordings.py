"""`autograd.get_symbol`: what was recorded, as a graph, beside the real MXNet's answers."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import numpy as onp
import pytest

import gluonish as mx
from gluonish import autograd, nd
from gluonish.array.constant_results import tensors_in
from gluonish.symbol import recordings
from tests.golden import recorded_programs
from tests.ops import samples, samples_np

ANSWERS = json.loads((Path(recorded_programs.__file__).parent / "recorded.json").read_text())
# What we write in another way, with the attribute or operator that differs.
OTHERWISE = {
    "nd.elemwise_add(w, x)": "broadcast_add computes the same, and is what the function is",
    "w.reshape((-1,))": "shape=(-1,) as it was given; MXNet writes the length",
}
# Calls that have no form in graphs with these arguments, or whose results are none of an operator.
WITHOUT_GRAPH = {
    "f.expand_dims(axis=0, inplace=True)", "np.meshgrid(v, u)", "np.meshgrid(v, u, indexing='ij')",
    "np.meshgrid(v, u, sparse=True)", "f.reshape_view(3, 2, 2)",
    "np.broadcast_arrays(v, f)", "np.delete(v, np.array([0, 2], dtype='int64'))",
    "np.insert(v, np.array([0, 2], dtype='int64'), u[:2])", "np.interp(0.3, sv, sv * 2)",
    "np.heaviside(v, 0.5)",
}  # fmt: skip
# A copy by NumPy, sizes that do not divide, several results that are one array in graphs.
NOT_IN_GRAPHS = {
    "np.array(f)",
    "np.array_split(v, 3)",
    "np.array_split(f, 2)",
    "np.diag_indices_from(q)",
}


@pytest.mark.parametrize("row", recorded_programs.rows(recorded_programs.ND))
def test_graph_of_nd_is_mxnets(row):
    found = recorded_programs.graph(mx, row, is_np=False)
    assert (found == ANSWERS["nd"][row]) is (row not in OTHERWISE)


@pytest.mark.parametrize("row", recorded_programs.rows(recorded_programs.NP))
def test_graph_of_np_is_mxnets(row):
    with mx.util.np_shape(True), mx.util.np_array(True):
        assert recorded_programs.graph(mx, row, is_np=True) == ANSWERS["np"][row]


def variables(origin):
    """Return the tensors behind a graph's variables."""
    found = {} if origin.call else {origin.name: None}
    for call in recordings._calls_before(origin):
        for tensor in tensors_in((call.args, call.kwargs)):
            source = getattr(tensor, recordings._ORIGIN)
            if source.call is None:
                found[source.name] = tensor
    return found


def evaluated(array):
    """Return what the graph of an array gives for the arrays that it was computed from."""
    symbol = autograd.get_symbol(array)
    known = variables(getattr(array._tensor, recordings._ORIGIN))
    args = {name: nd.NDArray(known[name].detach().clone()) for name in symbol.list_arguments()}
    aux = {name: nd.NDArray(known[name].clone()) for name in symbol.list_auxiliary_states()}
    executor = symbol.bind(mx.cpu(), args, aux_states=aux, grad_req="null")
    return executor.forward(is_train=True)[0].asnumpy()


def check(row, space, values):
    for array in values.values():
        if array.dtype == onp.float32:
            array.attach_grad()
    with autograd.record():
        results = eval(row, {**space, **values})
    count = 0
    for result in results if isinstance(results, (list, tuple)) else [results]:
        is_given = any(result is value for value in values.values())
        if not isinstance(result, nd.NDArray) or result.stype != "default" or is_given:
            continue
        if getattr(getattr(result._tensor, recordings._ORIGIN, None), "call", row) is None:
            continue  # the memory of an array that was given
        if row in WITHOUT_GRAPH:
            with pytest.raises(mx.MXNetError, match=r"autograd\.get_symbol: .* on the way"):
                autograd.get_symbol(result)
        elif hasattr(result._tensor, recordings._ORIGIN):
            expected = result.asnumpy()
            found = evaluated(result)
            assert found.shape == expected.shape, row
            onp.testing.assert_allclose(found, expected, rtol=1e-4, atol=1e-5, err_msg=row)
            count += 1
        else:
            assert not result._tensor.requires_grad, row
    return count


@pytest.mark.parametrize("family", samples.FAMILIES)
def test_graphs_compute_what_was_recorded(family):
    count = 0
    for row in samples.rows(family):
        values = {key: nd.array(v, dtype=v.dtype) for key, v in samples.data().items()}
        count += check(row, {"nd": nd, "mx": mx, "onp": onp}, values)
    assert count or family == "creation"


@pytest.mark.parametrize("family", samples_np.FAMILIES)
def test_graphs_compute_what_was_recorded_in_np(family):
    count = 0
    with mx.util.np_shape(True), mx.util.np_array(True):
        for row in samples_np.rows(family):
            if row in NOT_IN_GRAPHS:
                continue
            arrays = samples_np.data().items()
            values = {key: mx.np.array(v, dtype=v.dtype) for key, v in arrays}
            space = {"nd": nd, "np": mx.np, "npx": mx.npx, "mx": mx, "onp": onp}
            count += check(row, space, values)
    assert count or family == "creation"


INDICES = (
    "x[1:2]", "x[0, 1]", "x[:, ::2]", "x[:, ::-1]", "x[..., 1]", "x[None]", "x[1, 2, 3]", "x[0][1]",
    "x[:, 1:0:-1]", "x[-1]", "x[nd.array([1, 0])]", "x[[1, 0]]", "x[:, nd.array([1, 0, 1])]",
    "x[nd.array([1, 0]), nd.array([2, 0])]", "x.astype('float16')", "x.copy()", "x[:]",
    "x.as_in_context(mx.cpu(1))", "x.T",
)  # fmt: skip


@pytest.mark.parametrize("row", INDICES)
@pytest.mark.parametrize("is_np", [False, True])
def test_parts_and_copies_are_in_graphs(row, is_np):
    with mx.util.np_shape(is_np), mx.util.np_array(is_np):
        x = (mx.np if is_np else nd).arange(24).reshape((2, 3, 4))
        x.attach_grad()
        with autograd.record():
            part = eval(row, {"x": x, "nd": mx.np if is_np else nd, "mx": mx}) * 1
        onp.testing.assert_array_equal(evaluated(part), part.asnumpy())


def test_names_of_arrays_stay_from_graph_to_graph():
    x, y = nd.ones((2,)), nd.ones((2,))
    x.attach_grad()
    with autograd.record():
        first, second = x * y, y * x * 2
    assert {*autograd.get_symbol(first).list_arguments()} == {
        *autograd.get_symbol(second).list_arguments()
    }
    assert autograd.get_symbol(x).list_arguments()[0].startswith("var")


def test_hybridized_blocks_are_in_graphs_operator_by_operator(caplog):
    net = mx.gluon.nn.HybridSequential()
    net.add(mx.gluon.nn.Dense(3, activation="relu"), mx.gluon.nn.Dense(2))
    net.initialize()
    net.hybridize()
    x = nd.ones((4, 5))
    net(x)
    for _ in range(3):
        with autograd.record():
            y = net(x)
        graph = autograd.get_symbol(y)
        assert [*graph.get_internals()][-1].list_outputs() == ["node_2_output"]
        assert len(graph.list_arguments()) == 5
    assert sum(name.startswith("var") for name in graph.list_arguments()) == 4


def test_what_was_not_recorded_has_no_graph():
    x = nd.ones((2,))
    with pytest.raises(mx.MXNetError, match=r"shape \(2,\): NDArray is not part of a computation"):
        autograd.get_symbol(x)
    x.attach_grad()
    with autograd.record():
        y = x * 2
    y.backward()
    with pytest.raises(mx.MXNetError, match=r"ask before backward\(\), which forgets it"):
        autograd.get_symbol(y)
    with pytest.raises(TypeError, match=r"list was given. Expected one array. Write \[autograd"):
        autograd.get_symbol([y])


def test_what_is_no_operator_is_named():
    class Twice(autograd.Function):
        def forward(self, x):
            return x * 2

        def backward(self, dy):
            return dy * 2

    x = nd.ones((2,))
    x.attach_grad()
    with autograd.record():
        y = Twice()(x) + 1
    with pytest.raises(mx.MXNetError, match=r"shape \(2,\) on the way was computed by something"):
        autograd.get_symbol(y)


def test_files_that_do_not_speak_of_it_are_noted_once_it_was_asked_for(tmp_path):
    (tmp_path / "part.py").write_text(
        "import mxnet as mx\nfrom mxnet import autograd\nx = mx.nd.ones((2,))\nx.attach_grad()\n"
        "def make():\n    with autograd.record():\n        return x * 2\n"
        "def get_symbol(units):\n    'Of the same name.'\n"
    )
    (tmp_path / "program.py").write_text(
        "import part\n"
        "y = part.make()\nasked = getattr(part.autograd, 'get_' + 'symbol')\n"
        "try: asked(y)\nexcept Exception as error: print(error)\nprint(asked(part.make()))\n"
    )
    command = [sys.executable, "-m", "gluonish", "run", "program.py"]
    found = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True)
    assert (
        "Record it once more: operators of nd, np and npx are noted since this call."
        in found.stdout
    )
    assert found.stdout.splitlines()[-1].startswith("<Symbol node_0>")
