"""Names that few programs use, called in the real MXNet and in gluonish alike."""

from __future__ import annotations

import collections
import pathlib
import tempfile

import numpy as onp

PICTURES = pathlib.Path(__file__).parent / "pictures"


def _ids(mx, values):
    return mx.nd.array(onp.array(values), dtype="int64")


def _complete(mx, shape=(5, 5)):
    """Return a graph of five vertices, each with an edge to each other one."""
    ends = [[end for end in range(5) if end != start] for start in range(5)]
    starts = onp.arange(0, 21, 4)
    values = onp.arange(1, 21), onp.concatenate(ends), starts
    parts = [onp.array(each, dtype="int64") for each in values]
    return mx.nd.sparse.csr_matrix(tuple(parts), shape=shape)


def _few(mx):
    parts = [[1, 2, 3, 4, 5, 6, 7], [0, 3, 0, 2, 1, 1, 2], [0, 2, 4, 5, 7]]
    return mx.nd.sparse.csr_matrix(
        tuple(onp.array(each, dtype="int64") for each in parts), shape=(4, 4)
    )


def _numbers(mx):
    parts = onp.array([1, 0, 3], "float32"), onp.array([0, 1, 2]), onp.array([0, 1, 2, 3])
    return mx.nd.sparse.csr_matrix(parts, shape=(3, 3))


def _sampled(mx, graph, seeds, probability=None, **options):
    """Return what is sampled, without memory that MXNet does not set."""
    c = mx.nd.contrib
    arrays = [_ids(mx, seed) for seed in seeds]
    if probability is None:
        found = c.dgl_csr_neighbor_uniform_sample(
            graph, *arrays, num_args=1 + len(seeds), **options
        )
    else:
        weights = mx.nd.array(probability)
        found = c.dgl_csr_neighbor_non_uniform_sample(
            graph, weights, *arrays, num_args=2 + len(seeds), **options
        )
    count = len(seeds)
    sizes = [int(vertices[-1].asscalar()) for vertices in found[:count]]
    result = [vertices[:size] for vertices, size in zip(found[:count], sizes)]  # noqa: B905
    result += found[count : 2 * count]
    for i, part in enumerate(found[2 * count :]):
        result.append(part[: sizes[i % count]])
    return result


def _compacted(mx, *seeds):
    found = mx.nd.contrib.dgl_csr_neighbor_uniform_sample(
        _few(mx), *[_ids(mx, seed) for seed in seeds], num_args=1 + len(seeds),
        num_neighbor=4, max_num_vertices=6,
    )  # fmt: skip
    vertices, graphs = found[: len(seeds)], found[len(seeds) : 2 * len(seeds)]
    sizes = tuple(int(each[-1].asscalar()) for each in vertices)
    return mx.nd.contrib.dgl_graph_compact(
        *graphs, *vertices, num_args=2 * len(seeds), graph_sizes=sizes, return_mapping=False
    )


def _cached(mx):
    a, b = mx.sym.var("a"), mx.sym.var("b")
    layer = mx.sym.FullyConnected(a, weight=b, num_hidden=2, no_bias=True, name="fc")
    op = mx.nd.CachedOp(mx.sym.Group([layer, layer * 2]), [("static_alloc", True)])
    seen = []
    op._register_op_hook(lambda *told: seen.append(told[:2]))
    w = mx.nd.ones((2, 3))
    w.attach_grad()
    with mx.autograd.record():
        first, second = op(mx.nd.array([[1, 2, 3]]), w)
        (first + second).backward()
    out = mx.nd.zeros((1, 2))
    alone = mx.nd.CachedOp(layer)
    same = alone(mx.nd.ones((1, 3)), w, out=out) is out
    return [first, second, w.grad, out, same, seen[0][0].decode(), seen[0][1].decode()]


def _net(mx, length):
    data = mx.sym.var("data")
    layer = mx.sym.FullyConnected(data, num_hidden=2, flatten=length is None, name="fc")
    if length is not None:
        layer = mx.sym.mean(layer, axis=1)
    return mx.sym.SoftmaxOutput(mx.sym.BatchNorm(layer, fix_gamma=False, name="bn"), name="softmax")


def _values(shape, start=0.0):
    return (onp.arange(onp.prod(shape), dtype="float32") / 7 + start).reshape(shape) % 1


def _managed(mx, length=None, work_load_list=None):
    """Return what two executors that share batches make of one, and of another bucket's."""
    shape = (6, 3) if length is None else (6, length, 3)
    batches = mx.io.NDArrayIter(_values(shape), onp.arange(6) % 2, 6, label_name="softmax_label")
    net = _net(mx, length)
    args, states = net.list_arguments(), net.list_auxiliary_states()
    params = [name for name in args if name not in ("data", "softmax_label")]
    options = {}
    if length is not None:
        options["sym_gen"] = lambda key: _net(mx, key)
        batches.default_bucket_key = length
    manager = mx.executor_manager.DataParallelExecutorManager(
        net, [mx.cpu(0), mx.cpu(1)], batches, args, params, states, work_load_list, **options
    )
    shapes = dict(zip(args, net.infer_shape(data=shape)[0]))  # noqa: B905
    weights = {name: mx.nd.array(_values(shapes[name], 0.3)) for name in params}
    means = {name: mx.nd.ones((2,)) for name in states}
    manager.set_params(weights, means)
    metric = mx.metric.create(["acc", "ce"])
    found = []
    for key in (length, length and length + 1):
        batch = next(iter(batches))
        batches.reset()
        if length is not None:
            data = mx.nd.concat(batch.data[0], batch.data[0], dim=1)[:, :key]
            batch = mx.io.DataBatch(
                [data], batch.label, bucket_key=key,
                provide_data=[("data", data.shape)], provide_label=[("softmax_label", (6,))],
            )  # fmt: skip
        manager.load_data_batch(batch)
        manager.forward(is_train=True)
        manager.backward()
        manager.update_metric(metric, batch.label)
        found += [list(metric.get()[1]), [grad for grads in manager.grad_arrays for grad in grads]]
    for arrays in (manager.param_arrays, manager.aux_arrays):
        arrays[0][0][:] = 5
    manager.copy_to(weights, means)
    slices = [str(part) for part in manager.slices]
    return [*found, slices, list(weights.values()), list(means.values())]


def _cast_by_attribute(mx):
    w = mx.gluon.Parameter("w", shape=(2,))
    w.initialize(mx.init.One())
    w.dtype = "float16"
    return [w.data(), w.grad(), onp.dtype(w.dtype).name]


def _records(mx, name, **options):
    with tempfile.TemporaryDirectory() as folder:
        path = str(pathlib.Path(folder, "a.rec"))
        writer = mx.recordio.MXRecordIO(path, "w")
        for i in range(5):
            picture = (PICTURES / f"{2 * (i % 4)}.png").read_bytes()
            header = mx.recordio.IRHeader(0, i, i, 0)
            writer.write(mx.recordio.pack(header, picture))
        writer.close()
        batches = getattr(mx.io, name)(
            path_imgrec=path, data_shape=(3, 4, 4), batch_size=2, preprocess_threads=1, **options
        )
        found = [[batch.data[0], batch.label[0], batch.pad] for batch in batches]
        batches.reset()
        batches.debug_skip_load()
        return found + [batches.next().label[0] for _ in range(4)]


def _quantized_lstm(mx, layers=1, bidirectional=False, steps=3, features=4, units=5):
    """Return an LSTM on integers so small that no sum of two products is cut to 16 bits."""
    draw = onp.random.RandomState(3)
    sides = 2 if bidirectional else 1
    inputs = [features] + [units * sides] * (layers - 1)
    count = sides * sum(4 * units * (size + units + 2) for size in inputs)
    weights = draw.uniform(-0.5, 0.5, count)
    states = [draw.uniform(-1, 1, (layers * sides, 2, units)) for _ in range(2)]
    data = draw.randint(14, 115, (steps, 2, features))
    arrays = [mx.nd.array(each) for each in (weights, *states, [50], [64])]
    return mx.nd.contrib.quantized_rnn(
        mx.nd.array(data, dtype="uint8"), *arrays, state_size=units, num_layers=layers,
        bidirectional=bidirectional, mode="lstm", state_outputs=True,
    )  # fmt: skip


def _registered(mx):
    @mx.error.register_error
    class DataError(mx.error.MXNetError):
        pass

    mx.base.register_error("Other", KeyError)
    mx.error.register("Third")(OSError)
    types = mx.base.error_types
    found = [types["DataError"] is DataError, types["Other"] is KeyError, types["Third"] is OSError]
    found.append("MXNet hint:" in str(mx.error.InternalError("x")))
    return [*found, sorted(set(types) & {"ValueError", "InternalError", "IndexError"})]


def _handle(mx):
    hooks = collections.OrderedDict()
    with mx.gluon.utils.HookHandle() as handle:
        handle.attach(hooks, print)
        inside = len(hooks)
    return [inside, len(hooks)]


def _features(mx):
    features = mx.runtime.Features()
    names = list(features)
    features.move_to_end("CUDA")
    last = list(features)[-1]
    features.move_to_end("CUDA", last=False)
    is_one = features is mx.runtime.Features() is mx.runtime.Features.instance
    return [is_one, last, names]


def _grouped(mx):
    symbols = [mx.sym.np._Symbol] if hasattr(mx.sym.np, "_Symbol") else []
    a = mx.sym.var("a").as_np_ndarray()
    group = mx.sym.Group([a, a + 1], create_fn=symbols[0])
    return [type(group) is symbols[0], len(group.list_outputs())]


def _drawn(mx):
    mx.random.seed(5)
    first = mx.nd.contrib.uniform(0, 2, shape=(3,))
    mx.random.seed(5)
    shapes = mx.sym.contrib.uniform(shape=(2,)).infer_shape()[1]
    return [first, mx.nd.random.uniform(0, 2, shape=(3,)), shapes]


def _loaded(mx):
    with tempfile.TemporaryDirectory() as folder:
        path = str(pathlib.Path(folder, "a.params"))
        mx.nd.save(path, {"w": mx.nd.array([1, 2])})
        return mx.init.load(path)["w"]


PROGRAMS = {
    "stored elements": lambda mx: mx.nd.contrib.getnnz(_numbers(mx)),
    "stored elements of rows": lambda mx: mx.nd.contrib.getnnz(_few(mx), axis=1),
    "numbers of edges": lambda mx: mx.nd.contrib.edge_id(
        _numbers(mx), mx.nd.array([0, 0, 1, 1, 2, 2]), mx.nd.array([0, 1, 1, 2, 0, 2])
    ),
    "whole numbers of edges": lambda mx: mx.nd.contrib.edge_id(
        _few(mx), _ids(mx, [3, 1, 0, 2]), _ids(mx, [1, 2, 0, 2])
    ),
    "adjacency": lambda mx: mx.nd.contrib.dgl_adjacency(_few(mx)),
    "subgraph": lambda mx: mx.nd.contrib.dgl_subgraph(
        _few(mx), _ids(mx, [0, 1, 2]), return_mapping=True
    ),
    "subgraphs": lambda mx: mx.nd.contrib.dgl_subgraph(
        _few(mx), _ids(mx, [0, 1, 2]), _ids(mx, [1, 3]), num_args=3, return_mapping=True
    ),
    "subgraphs without mapping": lambda mx: mx.nd.contrib.dgl_subgraph(
        _complete(mx), _ids(mx, [0, 2, 4]), _ids(mx, [1]), return_mapping=False
    ),
    "all neighbours": lambda mx: _sampled(
        mx, _complete(mx), [[0, 1, 2, 3, 4]], num_neighbor=9, max_num_vertices=6
    ),
    "neighbours of neighbours": lambda mx: _sampled(
        mx, _few(mx), [[3]], num_hops=2, num_neighbor=4, max_num_vertices=6
    ),
    "no hop": lambda mx: _sampled(mx, _few(mx), [[3]], num_hops=0, max_num_vertices=6),
    "two samples": lambda mx: _sampled(
        mx, _few(mx), [[3], [0, 2]], num_neighbor=4, max_num_vertices=6
    ),
    "few vertices": lambda mx: _sampled(
        mx, _complete(mx), [[0]], num_neighbor=4, max_num_vertices=3
    ),
    "as many vertices as seeds": lambda mx: _sampled(
        mx, _complete(mx), [[1, 0, 3]], num_neighbor=4, max_num_vertices=3
    ),
    "the same vertex twice": lambda mx: _sampled(
        mx, _complete(mx), [[1, 1, 0]], num_neighbor=4, max_num_vertices=5
    ),
    "probable neighbours": lambda mx: _sampled(
        mx,
        _few(mx),
        [[3], [1]],
        [0.9, 0.8, 0.2, 0.4],
        num_hops=2,
        num_neighbor=4,
        max_num_vertices=6,
    ),
    "compact": lambda mx: _compacted(mx, [3]),
    "compact graphs": lambda mx: _compacted(mx, [3], [0, 2]),
    "cached": _cached,
    "managed": _managed,
    "managed unevenly": lambda mx: _managed(mx, work_load_list=[2, 1]),
    "managed buckets": lambda mx: _managed(mx, 3),
    "dtype of a parameter": _cast_by_attribute,
    "records": lambda mx: _records(mx, "ImageRecordIter_v1", mean_r=1, scale=0.5),
    "records of bytes": lambda mx: _records(mx, "ImageRecordUInt8Iter_v1"),
    "quantized lstm": _quantized_lstm,
    "quantized lstm, as many features": lambda mx: _quantized_lstm(mx, features=5),
    "quantized lstm, both directions": lambda mx: _quantized_lstm(mx, bidirectional=True, steps=6),
    "errors": _registered,
    "handle": _handle,
    "features": _features,
    "group": _grouped,
    "uniform": _drawn,
    "load": _loaded,
    "backward multiplier": lambda mx: mx.nd.contrib.backward_gradientmultiplier(
        mx.nd.array([1, 2]), scalar=3
    ),
    "backward multiplier of integers": lambda mx: [
        mx.nd.contrib.backward_gradientmultiplier(
            mx.nd.array([1, 2], dtype="int32"), scalar=2.5, is_int=is_int
        )
        for is_int in (True, False)
    ],
    "scopes": lambda mx: [
        mx.AttrScope.current.get(None),
        mx.name.NameManager.current.get("x", "y"),
        mx.name.Prefix.current.get("x", "y"),
        mx.model.Uniform is mx.init.Uniform,
        callable(mx.model.get_updater(mx.optimizer.SGD())),
    ],
}


def told(result):
    """Return a result as plain data."""
    if isinstance(result, (list, tuple)):
        return [told(part) for part in result]
    if hasattr(result, "asnumpy"):
        array = result.asnumpy()
        values = [float(value) for value in array.ravel()]
        return {"dtype": array.dtype.name, "shape": list(array.shape), "values": values}
    return result


def run(mx, name):
    """Return what a program tells."""
    return told(PROGRAMS[name](mx))
