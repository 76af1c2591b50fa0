"""Names that few programs use: values as MXNet's, and what is refused."""

from __future__ import annotations

import importlib
import json
import logging
import sys
from pathlib import Path

import numpy as onp
import pytest

import gluonish as mx
from gluonish.errors import (
    CallCountError,
    DTypeError,
    InvalidArgumentError,
    InvalidIndexError,
    MissingMethodError,
    ModuleStateError,
    OperandError,
    RefusedArgumentError,
    SymbolTypeError,
    UnknownArgumentError,
)

GOLDEN = Path(__file__).parent / "golden"
FOUND = json.loads((GOLDEN / "small_names.json").read_text())["results"]
sys.path.insert(0, str(GOLDEN))
PROGRAMS = importlib.import_module("small_name_programs")


def check(ours: object, theirs: object) -> None:
    if isinstance(theirs, list):
        assert isinstance(ours, list)
        assert len(ours) == len(theirs)
        for mine, other in zip(ours, theirs, strict=True):
            check(mine, other)
    elif isinstance(theirs, dict) and "values" in theirs:
        assert (ours["dtype"], ours["shape"]) == (theirs["dtype"], theirs["shape"])
        onp.testing.assert_allclose(ours["values"], theirs["values"], rtol=1e-5, atol=5e-6)
    elif isinstance(theirs, float):
        assert ours == pytest.approx(theirs, rel=1e-5)
    else:
        assert ours == theirs


@pytest.mark.parametrize("name", PROGRAMS.PROGRAMS)
def test_what_few_programs_use_is_as_in_mxnet(name: str) -> None:
    check(PROGRAMS.run(mx, name), FOUND[name])


# --- what is drawn, or goes further than MXNet ----------------------------------------------------


def _sample(**options):
    graph = PROGRAMS._complete(mx)
    seed = mx.nd.array([0], dtype="int64")
    return mx.nd.contrib.dgl_csr_neighbor_uniform_sample(graph, seed, **options)


def test_sampled_edges_are_edges_of_the_graph_and_repeat_with_the_seed():
    graph = PROGRAMS._complete(mx).asnumpy()
    seen = set()
    for seed in range(20):
        mx.random.seed(seed)
        vertices, edges, layers = _sample(num_neighbor=2, num_hops=2, max_num_vertices=5)
        mx.random.seed(seed)
        again = _sample(num_neighbor=2, num_hops=2, max_num_vertices=5)
        assert (again[1].asnumpy() == edges.asnumpy()).all()
        count = int(vertices[-1].asscalar())
        rows = vertices.asnumpy()[:count]
        dense = edges.asnumpy()
        assert (dense[:count][dense[:count] > 0] == graph[rows][dense[:count] > 0]).all()
        assert ((dense[:count] > 0).sum(1) <= 2).all()
        assert set(layers.asnumpy()[:count]) <= {0, 1, 2}
        seen.add(tuple(edges.indices.asnumpy()[:2]))
    assert len(seen) == 6  # each pair of four neighbours


def test_neighbours_are_drawn_by_their_probabilities():
    graph, seed = PROGRAMS._complete(mx), mx.nd.array([0], dtype="int64")
    counts = onp.zeros(5)
    for _ in range(400):
        _, edges, given, _ = mx.nd.contrib.dgl_csr_neighbor_non_uniform_sample(
            graph, mx.nd.array([0.1, 0.4, 0.3, 0.2, 0.0]), seed, num_neighbor=1
        )
        counts[edges.indices.asnumpy()] += 1
        assert given[0].asscalar() == pytest.approx(0.1)
    assert counts[4] == 0
    assert counts[1:4] / 400 == pytest.approx([4 / 9, 3 / 9, 2 / 9], abs=0.08)


def test_a_truncated_sample_is_told(caplog):
    with caplog.at_level(logging.WARNING, "gluonish.ndarray.edges"):
        _sample(num_neighbor=4, num_hops=2, max_num_vertices=3)
    assert "max number of vertices" in caplog.text


def test_compact_graphs_know_the_edges_numbers():
    vertices, graph, _ = _sample(num_neighbor=4, max_num_vertices=6)
    _, old = mx.nd.contrib.dgl_graph_compact(graph, vertices, graph_sizes=5, return_mapping=True)
    assert old.data.asnumpy().tolist() == [1, 2, 3, 4]


def test_columns_are_counted():
    x = mx.nd.array([[0, 2, 1], [3, 0, 1]]).tostype("csr")
    assert mx.nd.contrib.getnnz(x, axis=0).asnumpy().tolist() == [1, 1, 2]
    out = mx.nd.zeros((1,), dtype="int64")
    assert mx.nd.contrib.getnnz(x, out=out) is out
    assert out.asscalar() == 4


def _few():
    return PROGRAMS._few(mx)


def _ids(*values):
    return mx.nd.array(values, dtype="int64")


C = mx.nd.contrib


@pytest.mark.parametrize(
    ("call", "error", "text"),
    [
        (lambda: C.getnnz(mx.nd.ones((2, 2))), OperandError, "Expected a CSRNDArray"),
        (lambda: C.getnnz(_few(), axis=2), InvalidArgumentError, r"value for axis\(2\)"),
        (lambda: C.edge_id(_few(), _ids(0, 1), _ids(0)), InvalidArgumentError, "one length"),
        (lambda: C.edge_id(_few(), _ids(0), _ids(4)), InvalidIndexError, "v from 4 to 4"),
        (lambda: C.dgl_adjacency(_few().astype("float32")), DTypeError, "Expected int64"),
        (lambda: C.dgl_subgraph(_few(), _ids(2, 0), return_mapping=True), InvalidArgumentError,
         "has to be sorted"),
        (lambda: C.dgl_subgraph(_few(), mx.nd.ones((1,)), return_mapping=True), DTypeError,
         "float32"),
        (lambda: C.dgl_subgraph(_few(), _ids(7), return_mapping=True), InvalidIndexError,
         "from 7 to 7"),
        (lambda: C.dgl_subgraph(_few(), _few(), return_mapping=True), OperandError,
         "dense vector"),
        (lambda: C.dgl_subgraph(_few(), _ids(0), num_args=3, return_mapping=True),
         InvalidArgumentError, "num_args=2 and nothing else"),
        (lambda: C.dgl_graph_compact(_few(), graph_sizes=1, return_mapping=False),
         InvalidArgumentError, "as many vectors of vertices"),
        (lambda: C.dgl_graph_compact(_few(), _ids(0, 1), graph_sizes=2, return_mapping=False),
         InvalidArgumentError, "last number of each vector"),
        (lambda: C.dgl_graph_compact(_few(), _ids(0, 0, 1), graph_sizes=1, return_mapping=False),
         InvalidArgumentError, "an edge ends at vertex 3"),
        (lambda: _sample(max_num_vertices=0), InvalidArgumentError, "max_num_vertices=0"),
        (lambda: C.dgl_csr_neighbor_non_uniform_sample(_few(), mx.nd.ones((2,)), _ids(0)),
         InvalidArgumentError, "one for each of the 4 vertices"),
        (lambda: mx.nd.CachedOp(3), SymbolTypeError, "type int"),
        (lambda: mx.nd.CachedOp(mx.sym.var("x"), [("fast", 1)]), UnknownArgumentError, "'fast'"),
        (lambda: mx.nd.CachedOp(mx.sym.var("x"), [("static_alloc", "no")]), InvalidArgumentError,
         "static_alloc='no'"),
        (lambda: mx.nd.CachedOp(mx.sym.var("x"))(), OperandError, r"for the inputs \['x'\]"),
        (lambda: mx.nd.CachedOp(mx.sym.var("x"))(mx.nd.ones((1,)), y=1), UnknownArgumentError,
         "unexpected keyword"),
        (lambda: PROGRAMS._managed(mx, work_load_list=[1]), RefusedArgumentError,
         "settings for work load"),
        (lambda: mx.gluon.rnn.SequentialRNNCell().hybrid_forward(mx.nd, 1), MissingMethodError,
         "HybridSequentialRNNCell"),
    ],
)  # fmt: skip
def test_errors(call, error, text):
    with pytest.raises(error, match=text):
        call()


def test_a_handle_holds_one_hook():
    handle = mx.gluon.utils.HookHandle()
    handle.detach()
    handle.attach({}, print)
    with pytest.raises(CallCountError, match="attached twice"):
        handle.attach({}, print)


def _manager(net, **options):
    batches = mx.io.NDArrayIter(mx.nd.ones((4, 3)), mx.nd.zeros((4,)), 4)
    args = net.list_arguments()
    batches.default_bucket_key = 3
    return mx.executor_manager.DataParallelExecutorManager(
        net, [mx.cpu()], batches, args, ["fc_weight", "fc_bias"], [], **options
    )


def test_managers_want_a_batch_and_names():
    layer = mx.sym.FullyConnected(mx.sym.var("data"), num_hidden=2, name="fc")
    net = mx.sym.SoftmaxOutput(layer, name="softmax")
    manager = _manager(net)
    with pytest.raises(ModuleStateError, match="forward: there is no batch yet"):
        manager.forward()
    seen = []
    monitor = mx.mon.Monitor(1, stat_func=lambda x: seen.append(x.shape) or x.sum())
    manager.install_monitor(monitor)
    batch = mx.io.DataBatch([mx.nd.ones((4, 3))], [mx.nd.zeros((4,))])
    manager.load_data_batch(batch)
    monitor.tic()
    manager.forward()
    assert monitor.toc()
    with pytest.raises(MissingMethodError, match="not implemented for bucketing"):
        _manager(net, sym_gen=lambda key: net).install_monitor(monitor)
    twice = mx.sym.SoftmaxOutput(
        layer + mx.sym.FullyConnected(mx.sym.var("data"), num_hidden=2, name="fc"), name="softmax"
    )
    with pytest.raises(InvalidArgumentError, match="duplicated argument name: data, fc_bias"):
        _manager(twice)


def test_quantized_lstms_of_several_layers_are_near_their_floats():
    draw = onp.random.RandomState(0)
    data = draw.uniform(-1, 1, (6, 3, 8))
    weights = mx.nd.array(draw.uniform(-0.4, 0.4, 2 * 2 * 4 * 8 * (8 + 10) + 2 * 4 * 8 * 8))
    states = [mx.nd.array(draw.uniform(-1, 1, (4, 3, 8))) for _ in range(2)]
    options = {
        "state_size": 8, "num_layers": 2, "bidirectional": True, "mode": "lstm",
        "state_outputs": True,
    }  # fmt: skip
    quantized, scale, shift = mx.nd.contrib.quantize_asym(
        mx.nd.array(data), min_calib_range=-1, max_calib_range=1
    )
    ours = mx.nd.contrib.quantized_rnn(quantized, weights, *states, scale, shift, **options)
    exact = mx.nd.RNN(mx.nd.array(data), weights, *states, **options)
    for mine, other in zip(ours, exact, strict=True):
        assert abs(mine - other).max().asscalar() < 0.02
    names = [mx.sym.var(name) for name in ("data", "w", "h", "c", "scale", "shift")]
    graph = mx.sym.load_json(mx.sym.contrib.quantized_rnn(*names, **options).tojson())
    given = [quantized, weights, *states, scale, shift]
    arrays = dict(zip(graph.list_arguments(), given, strict=True))
    for mine, other in zip(graph.eval(**arrays), ours, strict=True):
        assert (mine.asnumpy() == other.asnumpy()).all()
    shapes, results, _ = graph.infer_shape(data=(6, 3, 8))
    assert (shapes[1], results[0]) == (weights.shape, (6, 3, 16))


@pytest.mark.parametrize(
    ("options", "error", "text"),
    [
        ({"mode": "gru"}, InvalidArgumentError, "only supports LSTM"),
        ({"projection_size": 3}, InvalidArgumentError, "projection_size=3"),
        ({"data": mx.nd.ones((1, 1, 1))}, DTypeError, "Expected uint8"),
    ],
)
def test_quantized_lstms_refuse(options, error, text):
    one, zero = mx.nd.ones((1,)), mx.nd.zeros((1, 1, 1))
    given = {
        "data": mx.nd.ones((1, 1, 1), dtype="uint8"), "parameters": mx.nd.ones((16,)),
        "state": zero, "state_cell": zero, "data_scale": one, "data_shift": one, "mode": "lstm",
        "state_size": 1, "num_layers": 1,
    }  # fmt: skip
    with pytest.raises(error, match=text):
        mx.nd.contrib.quantized_rnn(**{**given, **options})


def test_callbacks_of_models_are_those_of_callback():
    assert mx.model.LogValidationMetricsCallback is mx.callback.LogValidationMetricsCallback
