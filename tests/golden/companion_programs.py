"""Programs that need packages beside MXNet: tables of pandas, charts of Bokeh, models of ONNX."""

from __future__ import annotations

import importlib
import pathlib
import tempfile
from types import SimpleNamespace

import numpy as onp

INPUTS = {"x": (2, 3, 4, 4)}


def callbacks(mx):
    """Return the module of callbacks for notebooks."""
    return importlib.import_module(f"{mx.__name__}.notebook.callback")


def train(mx, **options):
    """Train for three epochs on eight samples, and evaluate after each."""
    data = mx.io.NDArrayIter(
        onp.eye(8, dtype="float32"), onp.arange(8) % 2, 2, label_name="softmax_label"
    )
    net = mx.sym.FullyConnected(mx.sym.var("data"), num_hidden=2, name="f")
    module = mx.mod.Module(mx.sym.SoftmaxOutput(net, name="softmax"))
    params = {"f_weight": mx.nd.array(onp.arange(16).reshape(2, 8) % 5 * 0.1 - 0.2)}
    module.fit(
        data,
        eval_data=data,
        arg_params={**params, "f_bias": mx.nd.zeros(2)},
        num_epoch=3,
        optimizer_params={"learning_rate": 0.3},
        **options,
    )


def told_rows(table):
    """Return rows of a table without what depends on time; only its names are kept."""
    kept = ("accuracy", "minibatch_count", "epoch")
    names = {name for row in table for name in row}
    return [sorted(names), [[number(row.get(name)) for name in kept] for row in table]]


def number(value):
    """Return a number of a table, None where the table has none."""
    return None if value is None or value != value else float(value)


def tables(logger):
    """Return a logger's tables as lists of rows: of pandas in MXNet."""
    if hasattr(logger, "rows"):
        return logger.rows
    return {name: frame.to_dict("records") for name, frame in logger.all_dataframes.items()}


def logger(mx):
    """Tables of a training: each batch, each second one, evaluations."""
    every, some = (callbacks(mx).PandasLogger(2, frequent=frequent) for frequent in (1, 2))
    given = callbacks(mx).args_wrapper(every, some)
    names = sorted(given)
    del given["epoch_end_callback"]  # which MXNet's fit hands more than its method takes
    train(mx, **given)
    every.append_metrics({"accuracy": 0.5, "new": 3}, "train")
    every.append_metrics({"accuracy": 0.25}, "epoch")
    found = [told_rows(tables(each)[name]) for each in (every, some) for name in ("train", "eval")]
    last = tables(every)["train"][-1]
    sizes = {name: len(rows) for name, rows in tables(every).items()}
    return [names, found, sizes, last["accuracy"], last["new"], every.elapsed().days]


def logger_alone(mx):
    """What callbacks of a logger do with the metrics of a batch."""
    logger = callbacks(mx).PandasLogger(batch_size=3)
    metric = mx.metric.Accuracy()
    metric.update([mx.nd.array([1, 0])], [mx.nd.array([[0, 1], [0, 1]])])
    batch = SimpleNamespace(epoch=2, nbatch=50, eval_metric=metric)
    logger.train_cb(batch)
    logger.train_cb(SimpleNamespace(epoch=2, nbatch=51, eval_metric=metric))
    logger.eval_cb(SimpleNamespace(epoch=2, nbatch=7, eval_metric=None))
    logger.epoch_cb()
    found = tables(logger)
    ends = [sorted(found["epoch"][0]), len(found["epoch"]), sorted(logger.callback_args())]
    return [*(told_rows(found[name]) for name in ("train", "eval")), str(metric.get()[1]), *ends]


def own_chart(mx):
    """When a chart of one's own is set up and drawn."""
    seen = []

    class Chart(callbacks(mx).LiveBokehChart):
        def setup_chart(self):
            seen.append(("setup", self.metric_name, self.display_freq))

        def update_chart_data(self):
            seen.append("update")

        def _push_render(self):
            seen.append("render")

    chart = Chart(None, "accuracy", display_freq=1000, batch_size=4, frequent=3)
    chart.batch_cb(None)
    seen.append(chart.interval_elapsed())
    chart.last_update -= 2000
    seen.append(chart.interval_elapsed())
    chart.batch_cb(None)
    chart.eval_cb(None)
    logger = chart.pandas_logger
    seen += [logger.batch_size, logger.frequent, sorted(chart.callback_args())]
    shared = callbacks(mx).PandasLogger(8)
    return [*seen, Chart(shared, "loss").pandas_logger is shared]


def unfinished_chart(mx):
    """What a chart without methods of its own raises."""
    try:
        callbacks(mx).LiveBokehChart(None, "accuracy", batch_size=4)
    except NotImplementedError:
        return "refused"


def learning_curve(mx):
    """Points of a curve of learning, with its metrics begun anew after each."""
    curve = callbacks(mx).LiveLearningCurve("accuracy", display_freq=0, frequent=2)
    train(mx, **callbacks(mx).args_wrapper(curve))
    data = curve._data
    curve.update_chart_data()
    sizes = {which: len(data[which]["elapsed"]) for which in data}
    points = {which: data[which]["accuracy"] for which in data}
    return [sizes, points, curve.interval_elapsed(), sorted(curve.callback_args())]


def time_series(mx):
    """Points of a series that a program tells."""
    series = callbacks(mx).LiveTimeSeries()
    for value in (2.0, 3.0, -1.0):
        series.update_chart_data(value)
    times = [each.days for each in (*series.x_axis_val, series.elapsed())]
    return [series.y_axis_val, times, series.display_freq, series.metric_name]


def model(which):
    """Return a small ONNX model, of operators that MXNet's importer knows."""
    import onnx
    from onnx import TensorProto, helper, numpy_helper

    def weight(name, *shape):
        values = (onp.arange(onp.prod(shape)) * 0.37 % 1 - 0.4).astype("float32")
        return numpy_helper.from_array(values.reshape(shape), name)

    node, initial = helper.make_node, []
    if which == "convolutions":
        initial = [weight("w", 5, 3, 3, 3), weight("b", 5), weight("fw", 2, 20), weight("fb", 2)]
        initial += [weight("gamma", 5), weight("beta", 5), weight("mean", 5)]
        initial.append(numpy_helper.from_array(onp.full(5, 0.7, "float32"), "var"))
        nodes = [
            node("Conv", ["x", "w", "b"], ["c"], kernel_shape=[3, 3], pads=[1, 1, 1, 1]),
            node("BatchNormalization", ["c", "gamma", "beta", "mean", "var"], ["n"], epsilon=1e-3),
            node("Relu", ["n"], ["r"]),
            node("MaxPool", ["r"], ["p"], kernel_shape=[2, 2], strides=[2, 2]),
            node("Flatten", ["p"], ["f"]),
            node("Gemm", ["f", "fw", "fb"], ["y"], transB=1),
        ]
        shape = [2, 2]
    elif which == "elementwise":
        initial = [weight("w", 1, 3, 1, 1)]
        nodes = [
            node("Add", ["x", "w"], ["a"]),
            node("Sigmoid", ["a"], ["s"]),
            node("Tanh", ["x"], ["t"]),
            node("Mul", ["s", "t"], ["m"]),
            node("Sub", ["m", "x"], ["d"]),
            node("Exp", ["d"], ["y"]),
        ]
        shape = [2, 3, 4, 4]
    else:
        nodes = [
            node("Transpose", ["x"], ["t"], perm=[0, 2, 3, 1]),
            node("Concat", ["t", "t"], ["c"], axis=3),
            node("ReduceMean", ["c"], ["r"], axes=[1], keepdims=0),
            node("LeakyRelu", ["r"], ["l"], alpha=0.1),
            node("Softmax", ["l"], ["y"], axis=2),
        ]
        shape = [2, 4, 6]
    made = [helper.make_tensor_value_info("x", TensorProto.FLOAT, INPUTS["x"])]
    made += [
        helper.make_tensor_value_info(each.name, TensorProto.FLOAT, each.dims) for each in initial
    ]
    out = [helper.make_tensor_value_info("y", TensorProto.FLOAT, shape)]
    graph = helper.make_graph(nodes, which, made, out, initial)
    made = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 8)])
    made.ir_version = 4
    onnx.checker.check_model(made)
    return made


def given():
    """Return the input of the models."""
    return (onp.arange(96).reshape(INPUTS["x"]) * 0.13 % 1 - 0.5).astype("float32")


def listed(array):
    """Return an array's shape and values."""
    return [list(array.shape), [float(value) for value in array.asnumpy().ravel()]]


def shapes(found):
    """Return names and shapes of what a model takes or gives."""
    return [[each[0], list(each[1])] for each in found]


def imported(mx, which, public=True):
    """Return what MXNet's functions make of an ONNX model: a graph, a Block, what it says."""
    import onnx

    functions = importlib.import_module(f"{mx.__name__}.contrib.onnx")
    end = "" if public else "_"
    with tempfile.TemporaryDirectory() as folder:
        path = str(pathlib.Path(folder, "model.onnx"))
        onnx.save(model(which), path)
        symbol, arg, aux = getattr(functions, f"import_model{end}")(path)
        net = getattr(functions, f"import_to_gluon{end}")(path, mx.cpu())
        about = getattr(functions, f"get_model_metadata{end}")(path)
    executor = symbol.bind(mx.cpu(), {**arg, "x": mx.nd.array(given())}, aux_states=aux)
    return {
        "parameters": sorted(arg), "states": sorted(aux),
        "input": shapes(about["input_tensor_data"]), "output": shapes(about["output_tensor_data"]),
        "graph": listed(executor.forward()[0]), "block": listed(net(mx.nd.array(given()))),
    }  # fmt: skip


def exported(mx, how):
    """Return what is said of a model that MXNet's exporter wrote, and its results imported."""
    functions = importlib.import_module(f"{mx.__name__}.contrib.onnx")
    public = importlib.import_module(f"{mx.__name__}.onnx")
    net = mx.sym.Convolution(mx.sym.var("x"), kernel=(3, 3), num_filter=2, name="c")
    net = mx.sym.Activation(net, act_type="relu", name="r")
    params = {
        "c_weight": mx.nd.array((onp.arange(54).reshape(2, 3, 3, 3) * 0.29 % 1) - 0.5),
        "c_bias": mx.nd.array([0.25, -0.5]),
    }
    with tempfile.TemporaryDirectory() as folder:
        path = str(pathlib.Path(folder, "model.onnx"))
        if how == "checkpoint":
            prefix = str(pathlib.Path(folder, "saved"))
            mx.model.save_checkpoint(prefix, 3, net, params, {})
            given_files = (f"{prefix}-symbol.json", f"{prefix}-0003.params")
        else:
            given_files = (net, params)
        export = {"contrib": "export_model_", "checkpoint": "export_model", "net": "export_model"}
        module = functions if how == "contrib" else public
        written = getattr(module, export[how])(*given_files, [INPUTS["x"]], onp.float32, path)
        about = functions.get_model_metadata(path)
        symbol, arg, aux = functions.import_model(path)
    executor = symbol.bind(mx.cpu(), {**arg, "x": mx.nd.array(given())}, aux_states=aux)
    inputs = [each for each in shapes(about["input_tensor_data"]) if each[0] == "x"]
    results = listed(executor.forward()[0])
    return [written == path, inputs, shapes(about["output_tensor_data"]), sorted(arg), results]


def supported(mx):
    """Return operators that are exported at opset 13, but for one that MXNet's writer forgets."""
    found = importlib.import_module(f"{mx.__name__}.onnx").get_operator_support(13)
    return sorted(set(found) - {"broadcast_maximum"})


PROGRAMS = {
    each.__name__: each
    for each in (
        logger, logger_alone, own_chart, unfinished_chart, learning_curve, time_series, supported
    )
}  # fmt: skip
MODELS = ("convolutions", "elementwise", "shapes")
PROGRAMS |= {f"imported {name}": (lambda mx, name=name: imported(mx, name)) for name in MODELS}
PROGRAMS["imported by inner names"] = lambda mx: imported(mx, "convolutions", public=False)
PROGRAMS |= {
    f"exported {how}": (lambda mx, how=how: exported(mx, how))
    for how in ("net", "checkpoint", "contrib")
}


def run(mx, name):
    """Return what a program finds, as plain data."""
    return PROGRAMS[name](mx)
