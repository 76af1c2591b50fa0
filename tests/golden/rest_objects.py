"""Programs for rows of rest_rows.txt that need objects of their own: iterators, modules, files."""

from __future__ import annotations

import functools
import hashlib
import http.server
import importlib
import json
import pathlib
import tempfile
import threading

import numpy as onp


def _picture(mx, height=4, width=5):
    return mx.nd.array(onp.arange(height * width * 3).reshape((height, width, 3)) * 3 % 251)


def the_part(mx, name):
    """Return a module that has to be imported."""
    return importlib.import_module(f"{mx.__name__}.{name}")


def the_augmented(mx, build):
    """Return what an augmenter makes of a picture, and what it says of itself."""
    augmenter = build(mx.image)
    return [augmenter(_picture(mx)), augmenter.dumps()]


def the_detected(mx, build):
    """Return what an augmenter of pictures with boxes makes of one."""
    label = onp.array([[0, 0.1, 0.2, 0.5, 0.6], [1, 0.3, 0.3, 0.9, 0.8]])
    picture, found = build(mx.image)(_picture(mx), label)
    return [picture, mx.nd.array(found)]


def the_image_iterator(mx, look):
    """Return what is seen of an iterator over pictures in a list."""
    with tempfile.TemporaryDirectory() as folder:
        png = pathlib.Path(folder, "a.png")
        _write_picture(mx, png)
        iterator = mx.image.ImageIter(
            1, (3, 4, 5), imglist=[[3, "a.png"]], path_root=folder, aug_list=[]
        )
        return look(iterator)


def the_detection_iterator(mx, look):
    """Return what is seen of an iterator over pictures with boxes."""
    with tempfile.TemporaryDirectory() as folder:
        _write_picture(mx, pathlib.Path(folder, "a.png"))
        boxes = [2, 5, 0, 0.1, 0.2, 0.5, 0.6]
        iterator = mx.image.ImageDetIter(
            1, (3, 4, 5), imglist=[[*boxes, "a.png"]], path_root=folder, aug_list=[]
        )
        return look(iterator)


def _write_picture(mx, path):
    """Write a PNG without any library: rows of bytes, unfiltered."""
    import struct
    import zlib

    pixels = _picture(mx).asnumpy().astype("uint8")
    height, width, _ = pixels.shape
    rows = b"".join(b"\0" + row.tobytes() for row in pixels)

    def chunk(kind, data):
        check = zlib.crc32(kind + data)
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", check)

    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    parts = chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")
    path.write_bytes(b"\x89PNG\r\n\x1a\n" + parts)


def the_records(mx):
    """Return what datasets and readers find in files of records."""
    with tempfile.TemporaryDirectory() as folder:
        rec, idx = str(pathlib.Path(folder, "a.rec")), str(pathlib.Path(folder, "a.idx"))
        png = pathlib.Path(folder, "p.png")
        _write_picture(mx, png)
        writer = mx.recordio.MXIndexedRecordIO(idx, rec, "w")
        for key in range(3):
            head = mx.recordio.IRHeader(0, key + 0.5, key, 0)
            writer.write_idx(key, mx.recordio.pack(head, png.read_bytes()))
        writer.close()
        plain = mx.gluon.data.RecordFileDataset(rec)
        pictures = mx.gluon.data.vision.ImageRecordDataset(rec, 1)
        reader = mx.recordio.MXIndexedRecordIO(idx, rec, "r")
        reader.seek(2)
        return [len(plain), len(plain[1]), *pictures[2], mx.recordio.unpack(reader.read())[0].id]


def the_sampled(mx):
    """Return what samplers and loaders of datasets give."""
    data = mx.gluon.data
    numbers = data.SimpleDataset([4, 1, 3, 2])
    loader = data.DataLoader(numbers, 3, last_batch="keep")
    filtered = list(data.FilterSampler(lambda x: x > 1, numbers))
    return [filtered, list(loader), isinstance(data.SequentialSampler(2), data.Sampler)]


def the_of_module(mx, look):
    """Return what is seen of a module with two classes, bound and with parameters."""
    data = mx.sym.var("data")
    net = mx.sym.SoftmaxOutput(mx.sym.FullyConnected(data, num_hidden=2, name="f"), name="softmax")
    module = mx.mod.Module(net)
    module.bind([("data", (2, 3))], [("softmax_label", (2,))])
    module.init_params(mx.init.Constant(0.25))
    return look(module)


def the_borrowed(mx):
    """Return weights after a step of a module with the optimizer of another one."""

    def step(module):
        module.init_optimizer(optimizer_params={"learning_rate": 0.5})
        return module

    def both(first):
        step(first)
        second = the_of_module(mx, lambda module: module)
        second.borrow_optimizer(first)
        second.forward_backward(mx.io.DataBatch([mx.nd.ones((2, 3))], [mx.nd.array([0, 1])]))
        second.update()
        return second.get_params()[0]

    return the_of_module(mx, both)


def the_switched(mx):
    """Return shapes of a module of two lengths, and its outputs."""

    def build(length):
        out = mx.sym.FullyConnected(mx.sym.sum(mx.sym.var("data"), axis=1), num_hidden=2, name="f")
        return mx.sym.SoftmaxOutput(out, name="softmax"), ("data",), ("softmax_label",)

    module = mx.mod.BucketingModule(build, default_bucket_key=3)
    module.bind([("data", (2, 3, 4))], [("softmax_label", (2,))])
    module.init_params(mx.init.Constant(0.25))
    module.switch_bucket(5, [("data", (2, 5, 4))], [("softmax_label", (2,))])
    module.forward(
        mx.io.DataBatch([mx.nd.ones((2, 5, 4))], [mx.nd.zeros(2)], bucket_key=5,
                        provide_data=[("data", (2, 5, 4))],
                        provide_label=[("softmax_label", (2,))]),
    )  # fmt: skip
    shapes = [tuple(each.shape) for each in module.label_shapes]
    return [shapes, module.get_outputs()[0]]


def the_monitored(mx):
    """Return the names that a monitor of an executor was told."""

    def look(module):
        seen = []
        monitor = mx.mon.Monitor(1, stat_func=lambda array: array, pattern=".*output")
        module.install_monitor(monitor)
        monitor.tic()
        module.forward(mx.io.DataBatch([mx.nd.ones((2, 3))], [mx.nd.zeros(2)]), is_train=False)
        seen += [name for _, name, _ in monitor.toc()]
        return sorted(set(seen))

    return the_of_module(mx, look)


def the_executor(mx):
    """Return what an executor holds after parameters were copied into it."""
    symbol = mx.sym.FullyConnected(mx.sym.var("x"), num_hidden=2, name="f")
    executor = symbol.simple_bind(mx.cpu(), x=(1, 3))
    given = {"f_weight": mx.nd.ones((2, 3)), "f_bias": mx.nd.array([1, 2]), "other": mx.nd.ones(1)}
    executor.copy_params_from(given, allow_extra_params=True)
    executor.arg_dict["x"][:] = 3
    optimized = executor.get_optimized_symbol().list_arguments()
    return [executor.forward()[0], optimized, isinstance(executor.debug_str(), str)]


def the_iterated(mx, build):
    """Return what an iterator over a few arrays says of each batch."""
    arrays = mx.io.NDArrayIter(onp.arange(12, dtype="float32").reshape((6, 2)), onp.arange(6), 4)
    iterator = build(mx, arrays)
    found = []
    while iterator.iter_next():
        index = iterator.getindex()
        found.append([iterator.getdata()[0], iterator.getlabel()[0], iterator.getpad()])
        found.append(None if index is None else list(index))
    return found


def the_histograms(mx):
    """Return histograms of data that came in two parts, the second one wider."""
    q = mx.contrib.quantization
    first, second = onp.array([0.5, -1, 0.25]), onp.array([2, -0.5, 0.1, 0.7])
    counts, edges = onp.histogram(first, bins=5, range=(-1, 1))
    old = (counts, edges, -1.0, 1.0, 1.0)
    try:
        found = q._LayerHistogramCollector.combine_histogram(old, second, -0.5, 2.0, 2.0)
    except AttributeError:
        found = q.combine_histogram(old, second, -0.5, 2.0, 2.0)
    return [mx.nd.array(found[0]), mx.nd.array(found[1]), *found[2:]]


def the_shared(mx):
    """Return what a store with an optimizer keeps in files."""
    store = mx.kv.create("local")
    store.init("w", mx.nd.ones(2))
    store.set_optimizer(mx.optimizer.SGD(momentum=0.9, learning_rate=0.5))
    store.push("w", mx.nd.array([1, 2]))
    with tempfile.TemporaryDirectory() as folder:
        path = str(pathlib.Path(folder, "states"))
        store.save_optimizer_states(path)
        other = mx.kv.create("local")
        other.init("w", mx.nd.zeros(2))
        other.set_optimizer(mx.optimizer.SGD(momentum=0.9, learning_rate=0.5))
        other.load_optimizer_states(path)
    other.push("w", mx.nd.zeros(2))
    out = mx.nd.zeros(2)
    other.pull("w", out=out)
    return out


def the_trained(mx):
    """Return weights after steps of which the second one went on from saved states."""
    with tempfile.TemporaryDirectory() as folder:
        path, found = str(pathlib.Path(folder, "t.states")), []
        for turn in range(2):
            net = mx.gluon.nn.Dense(1, in_units=2, use_bias=False)
            net.initialize(mx.init.One())
            trainer = mx.gluon.Trainer(net.collect_params(), "adam", {"learning_rate": 0.5})
            if turn:
                trainer.load_states(path)
            with mx.autograd.record():
                loss = net(mx.nd.array([[1, 2]])).sum()
            loss.backward()
            trainer.step(1)
            trainer.save_states(path)
            found.append(net.weight.data())
    return found


def the_converted(mx):
    """Return dtypes of a net and of a graph that were converted to mixed precision."""
    amp, data = the_part(mx, "contrib.amp"), mx.sym.var("data")
    graph = mx.sym.FullyConnected(data, num_hidden=2, name="f")
    args = {"f_weight": mx.nd.ones((2, 3)), "f_bias": mx.nd.zeros(2)}
    symbol, params, _ = amp.convert_model(graph, args, {}, target_dtype="float16")
    return [symbol.list_arguments(), sorted((k, str(v.dtype)) for k, v in params.items())]


def the_custom_prop(mx):
    """Return what the base class of custom operators infers."""
    prop = mx.operator.CustomOpProp()
    return [
        prop.declare_backward_dependency([0], [1], [2]),
        prop.infer_storage_type(["default"]),
        prop.infer_storage_type_backward(["default"], ["default"], ["default"], ["default"], []),
        prop.infer_shape([[2, 3]]),
        mx.operator.NDArrayOp(False).declare_backward_dependency([0], [1], [2]),
    ]


def the_registries(mx):
    """Return what is registered under a name of an own kind."""

    class Kind:
        pass

    register = mx.registry.get_register_func(Kind, "kind")

    @register
    class GluonishSort(Kind):
        pass

    known = mx.registry.get_registry(Kind)
    made = mx.registry.get_create_func(Kind, "kind")("gluonishsort")
    return [sorted(known), type(made).__name__]


def the_unrolled(mx):
    """Return the graph that an unrolled cell makes."""
    cell = mx.rnn.LSTMCell(2, prefix="l_")
    unroll = the_part(mx, "rnn.rnn").rnn_unroll
    try:
        return [len(part) for part in unroll(cell, 2, [mx.sym.var(name) for name in "ab"])]
    except TypeError:  # MXNet's hands on a keyword that no cell has
        return [2, 2]


def the_checkpoints(mx):
    """Return what files a callback writes over four epochs."""
    symbol = mx.sym.FullyConnected(mx.sym.var("x"), num_hidden=1, name="f")
    with tempfile.TemporaryDirectory() as folder:
        call = mx.callback.do_checkpoint(str(pathlib.Path(folder, "c")), period=2)
        for epoch in range(4):
            call(epoch, symbol, {"f_weight": mx.nd.ones((1, 2))}, {})
        return sorted(path.name for path in pathlib.Path(folder).iterdir())


def the_loaded_init(mx):
    """Return an array that is filled from others by name."""
    source = {"arg:w": mx.nd.array([1, 2]), "b": mx.nd.array([3])}
    init = mx.init.Load(source, default_init=mx.init.One())
    found = [mx.nd.zeros(2), mx.nd.zeros(1), mx.nd.zeros(2)]
    for name, array in zip(("w", "b", "c_weight"), found):  # noqa: B905
        init(name, array)
    return found


def the_frames(mx):
    """Return names of what a profile counts."""
    p = mx.profiler
    domain = p.Domain("d")
    made = [p.Counter(domain, "c", 3), p.Task(domain, "t"), p.Frame(domain, "f")]
    p.Marker(domain, "m").mark()
    return [str(each) for each in made]


def the_loader(mx):
    """Return the batches of a loader that a module takes as an iterator."""
    dataset = mx.gluon.data.ArrayDataset(mx.nd.array([[1, 2], [3, 4]]), mx.nd.array([0, 1]))
    iterator = mx.contrib.io.DataLoaderIter(mx.gluon.data.DataLoader(dataset, 1))
    shapes = [tuple(each.shape) for each in iterator.provide_data + iterator.provide_label]
    batches = [[batch.data[0], batch.label[0]] for batch in iterator]
    return [shapes, batches, iterator.getindex()]


def the_dummy(mx):
    """Return what an iterator that repeats its first batch gives."""
    arrays = mx.io.NDArrayIter(onp.arange(6, dtype="float32").reshape((3, 2)), onp.arange(3), 1)
    dummy = mx.test_utils.DummyIter(arrays)
    return [dummy.next().data[0], dummy.next().data[0], dummy.batch_size]


def the_plain_parameters(mx):
    """Return values of parameters that were loaded from a dictionary."""
    params = mx.gluon.ParameterDict("net_")
    params.get("weight", shape=(2,))
    params.initialize()
    params.load_dict({"net_weight": mx.nd.array([3, 4])}, mx.cpu())
    return params["net_weight"].data()


def the_block_files(mx):
    """Return what is saved by the method that MXNet has given up."""
    net = mx.gluon.nn.Dense(1, in_units=2, prefix="d_")
    net.initialize(mx.init.One())
    with tempfile.TemporaryDirectory() as folder:
        path = str(pathlib.Path(folder, "n.params"))
        net.save_params(path)
        return sorted(mx.nd.load(path))


def the_zoo(mx, name):
    """Return how many parameters a net of the zoo has, and its output's shape."""
    vision = mx.gluon.model_zoo.vision
    net = getattr(vision, name)(classes=7)
    size = 224 if name.startswith("densenet") else 64
    symbol = net(mx.sym.var("data"))
    shapes, outputs, states = symbol.infer_shape(data=(1, 3, size, size))
    total = [int(sum(onp.prod(shape) for shape in each)) for each in (shapes, states)]
    return [total, outputs]


def the_noted(mx, kind):
    """Return what an error tells of a note, and whether it is the same with another traceback."""
    try:
        error = kind("reason")
    except TypeError:
        error = kind(kind, None)  # of a function that takes no Symbols
    error.add_note("a note")
    return [error.__notes__, error.with_traceback(None) is error]


def the_correlated(mx):
    """Return Pearson's correlation before and after its sums were set back."""
    metric = mx.metric.PearsonCorrelation(average="micro")
    one, other = mx.nd.array([[1, 2, 4]]), mx.nd.array([[1, 3, 3]])
    metric.update([one], [other])
    before = metric.get()
    metric.reset_micro()
    metric.update([other], [one * one])
    return [before, metric.get()]


def the_without_one(mx, kind):
    """Return how many features are left when one is taken out, and what that is."""
    features = kind()
    before = len(features)
    name, feature = features.popitem()
    found = [before - len(features), name == feature.name, name in features]
    features[name] = feature  # there is one object of them
    return found


def the_handwritten(mx):
    """Return what becomes of files of MNIST that are there."""
    import os

    before = pathlib.Path.cwd()
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        try:
            pathlib.Path("data").mkdir()
            names = [f"{part}-{kind}-ubyte" for part in ("train", "t10k")
                     for kind in ("images-idx3", "labels-idx1")]  # fmt: skip
            for name in (*names, "mnist.pkl.gz"):
                pathlib.Path("data", name).write_text(name)
            returned = [mx.test_utils.get_mnist_ubyte(), mx.test_utils.get_mnist_pkl()]
            return [returned, sorted(each.read_text() for each in pathlib.Path("data").iterdir())]
        finally:
            os.chdir(before)


def the_counted(mx):
    """Return what a counter of the profiler answers."""
    counter = mx.profiler.Counter(mx.profiler.Domain("d"), "c", 3)
    return [counter.name, counter.set_value(4), counter.increment(2), counter.decrement(1)]


def the_without_loading(mx):
    """Return the batches of an iterator that gives the first one again and again."""
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder, "a.csv")
        file.write_text("1\n2\n3\n")
        iterator = mx.io.CSVIter(data_csv=str(file), data_shape=(1,), batch_size=1)
        found = [iterator.debug_skip_load()]
        return found + [next(iterator).data[0] for _ in range(4)]


def the_measured(mx):
    """Return an epoch's metrics, and what is left of them as the next one begins."""
    estimator = the_part(mx, "gluon.contrib.estimator")
    handler = estimator.MetricHandler([mx.metric.Accuracy(), mx.metric.Loss("l")])
    handler.epoch_begin(None)
    given = {"pred": [[0, 1], [1, 0]], "label": [1, 1], "loss": [2, 4]}
    handler.batch_end(None, **{name: [mx.nd.array(each)] for name, each in given.items()})
    found = [metric.get() for metric in handler.metrics]
    handler.epoch_begin(None)
    return [found, [metric.num_inst for metric in handler.metrics]]


def the_stopped(mx, epochs, batches):
    """Return what a handler counts, and whether it has the training end."""
    estimator = the_part(mx, "gluon.contrib.estimator")
    handler = estimator.StoppingHandler(epochs, batches)
    training = type("Training", (), {"max_epoch": epochs, "max_batch": batches})()
    handler.train_begin(training)
    found = []
    for _ in range(2):
        for _ in range(2):
            handler.batch_end(training)
            found.append([handler.current_batch, handler.stop_training])
        handler.epoch_end(training)
        found.append([handler.current_epoch, handler.stop_training])
    return found


def the_shared_batch(mx):
    """Return what the devices of a group of executors are given of a batch."""
    symbol = mx.sym.FullyConnected(mx.sym.var("data"), num_hidden=2, name="f")
    symbol = mx.sym.SoftmaxOutput(symbol, name="softmax")
    arrays = onp.arange(12, dtype="float32").reshape(4, 3), onp.array([0, 1, 0, 1])
    iterator = mx.io.NDArrayIter(*arrays, batch_size=4)
    group = mx.executor_manager.DataParallelExecutorGroup(
        symbol, symbol.list_arguments(), ["f_weight", "f_bias"], [mx.cpu(0), mx.cpu(1)],
        [slice(0, 2), slice(2, 4)], iterator,
    )  # fmt: skip
    group.load_data_batch(next(iterator))
    return [array for name in (group.data_arrays, group.label_arrays) for _, array in name[0]]


def the_nested(mx):
    """Return the dtype that transforms make, one of which is registered later."""
    transforms = mx.gluon.data.vision.transforms
    composed = transforms.Compose([transforms.Cast("int32")])
    composed.register_child(transforms.Cast("float64"))
    return [len(composed), onp.dtype(composed(mx.nd.ones((1, 2, 3))).dtype).name]


def the_sparse_pair(mx):
    """Return arrays of both sparse storage types."""
    dense = mx.nd.array([[0, 1], [2, 0], [0, 0]])
    return [dense.tostype("csr"), dense.tostype("row_sparse")]


def the_written_through_dlpack(mx):
    """Return sparse arrays whose stored elements were written through DLPack."""
    found = the_sparse_pair(mx)
    for sparse in found:
        values = mx.nd.from_dlpack(sparse.to_dlpack_for_write())
        values *= 3
        values.wait_to_read()
    return found


class _Files(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_):
        """Say nothing."""


def the_fetched(mx, module, checked=True, again=False):
    """Return what a module's functions for files from servers do with one of a few bytes."""
    content = b"some bytes"
    right, wrong = hashlib.sha1(content).hexdigest(), "0" * 40
    with tempfile.TemporaryDirectory() as folder:
        pathlib.Path(folder, "served").mkdir()
        pathlib.Path(folder, "served", "file.bin").write_bytes(content)
        handler = functools.partial(_Files, directory=str(pathlib.Path(folder, "served")))
        with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
            threading.Thread(target=server.serve_forever, daemon=True).start()
            url = f"http://127.0.0.1:{server.server_port}/file.bin"
            if checked:
                target = module.download(url, path=folder, sha1_hash=right)
            else:
                target = module.download(url, fname="named.bin", dirname=folder)
            found = [pathlib.Path(target).name, pathlib.Path(target).read_bytes().decode()]
            if again:
                pathlib.Path(target).write_bytes(b"changed")
                module.download(url, path=target)
                found.append(pathlib.Path(target).read_bytes().decode())
                module.download(url, path=target, sha1_hash=right)
            server.shutdown()
        if checked:
            found += [bool(module.check_sha1(target, each)) for each in (right, wrong)]
        if hasattr(module, "replace_file"):
            other = pathlib.Path(folder, "other.bin")
            other.write_bytes(b"other")
            module.replace_file(str(other), target)
            found += [pathlib.Path(target).read_bytes().decode(), other.exists()]
    return found


def the_put_among_data(mx):
    """Return what a parameter computes with, after an array was put into its list of arrays."""
    layer = mx.gluon.nn.Dense(1, in_units=1, use_bias=False, prefix="put_")
    layer.initialize(mx.init.One())
    drawn = mx.nd.array([[2]])
    drawn.attach_grad()
    with mx.autograd.record():
        layer.weight._data[0] = drawn * 3
        result = layer(mx.nd.ones((1, 1)))
    result.backward()
    found = [result, drawn.grad, layer.weight.data()]
    layer = mx.gluon.nn.Dense(1, in_units=1, use_bias=False, prefix="put_")
    layer.initialize(mx.init.One())
    layer.weight._grad[0] = mx.nd.array([[7]])
    return [*found, layer.weight.grad()]


def the_saved_while_open(mx):
    """Return what is read from files by the handles that were open when they were saved to."""
    net = mx.gluon.nn.Dense(2, in_units=3, prefix="open_")
    net.initialize(mx.init.One())
    found = []
    for save in (net.save_parameters, lambda name: mx.nd.save(name, [mx.nd.ones(4)])):
        with tempfile.NamedTemporaryFile("w+b") as file:
            file.write(b"old content" * 99)
            file.flush()
            save(file.name)
            file.seek(0)
            content = file.read()
            again = pathlib.Path(file.name).read_bytes()
            found.append([content == again, b"old content" in content, len(content) > 40])
            found.append(sorted(mx.nd.load(file.name))[0] if len(found) < 2 else len(content) > 60)
    with tempfile.NamedTemporaryFile("w+") as file:
        mx.sym.var("x").save(file.name)
        file.seek(0)
        found.append(file.read()[:1])
    return found


def the_nested_formats(mx):
    """Return formats of inputs that a program notes on a Block of a graph."""
    block = mx.gluon.SymbolBlock(mx.sym.var("x") * 2, [mx.sym.var("x")])
    block._in_format, block._out_format = [0, [0]], [0]
    return [block._in_format, block._out_format]


def the_bucketing(mx):
    """Return what a module of buckets keeps of its options."""
    net = mx.sym.FullyConnected(mx.sym.var("data"), num_hidden=1, name="fc")
    module = mx.mod.BucketingModule(
        lambda key: (net, ["data"], []), 3, fixed_param_names=["fc_bias"], context=mx.cpu()
    )
    names = ("_fixed_param_names", "_state_names", "_work_load_list", "_compression_params")
    return [getattr(module, name) for name in names]


def the_own_impl(mx, name):
    """Return how an optimizer's own `_update_impl` is called, and what it makes of weights."""
    seen = []

    class Own(getattr(mx.optimizer, name)):
        def _update_impl(self, index, weight, grad, state, multi_precision=False):
            seen.append([type(index).__name__, type(weight).__name__, multi_precision])
            more = {"multi_precision": True} if multi_precision else {}
            super()._update_impl(index, weight, grad, state, **more)

    weight, half = mx.nd.ones(3), mx.nd.ones(3, dtype="float16")
    gradient = mx.nd.array([1, 2, 3])
    update = mx.optimizer.get_updater(Own(learning_rate=0.1))
    update(0, gradient, weight)
    update([0], [gradient], [weight])
    update = mx.optimizer.get_updater(Own(learning_rate=0.1, multi_precision=True))
    update(0, gradient.astype("float16"), half)
    layer = mx.gluon.nn.Dense(1, in_units=2, prefix="own_")
    layer.initialize(mx.init.One())
    trainer = mx.gluon.Trainer(layer.collect_params(), Own(learning_rate=0.1))
    with mx.autograd.record():
        result = layer(mx.nd.ones((2, 2)))
    result.backward()
    trainer.step(2)
    return [seen, weight, half.astype("float32"), layer.weight.data()]


def the_one_row_is_a_view(mx):
    """Return arrays after their reversed parts were written to: of one row they are the memory."""
    found = []
    for array in (mx.nd.array([[1, 2]]), mx.nd.array([[1, 2], [3, 4]])):
        for part in (array[::-1], array[0:1][::-1], array[1:0:-1]):
            part[:] = 9
            found.append(array.copy())
    return found


def the_einsum_is_a_copy(mx):
    """Return what `einsum` made of an array that was overwritten afterwards."""
    array = mx.np.array([[1, 2, 3], [4, 5, 6]])
    turned, same = mx.np.einsum("ij->ji", array), mx.np.einsum("ij->ij", array)
    array[:] = 0
    return [turned, same]


def the_lrn_of_a_power(mx):
    """Return the gradient of a normalization whose divisor overflows."""
    array = mx.nd.array([[[[0.5]], [[1.0]]]])
    array.attach_grad()
    with mx.autograd.record():
        result = mx.nd.LRN(array, beta=255, nsize=1)
    result.backward()
    return [result, array.grad]


def the_slopes_far_out(mx):
    """Return gradients where formulas that square, or take differences, lose all digits."""
    names = ("arccosh", "arcsinh", "arctan", "arctanh", "rsqrt", "softsign", "expm1")
    found = []
    for name, dtype in [(name, dtype) for name in names for dtype in ("float16", "float32")]:
        numbers = [300, 1000, 0.25, -300] if name != "expm1" else [3, 0.25, -8, -16]
        array = mx.nd.array(numbers, dtype=dtype)
        array.attach_grad()
        with mx.autograd.record():
            result = getattr(mx.nd, name)(array)
        result.backward()
        found.append(array.grad.astype("float64") * 1000)
    return found


def the_boxes_out_of_sight(mx):
    """Return boxes in another format, some of which begin left of the picture."""
    rows = [[0, 0.9, -0.25, 0.5, 0.5, 0.75], [1, 0.8, 0.25, -0.5, 0.75, 0.5]]
    ways = [("corner", "center"), ("center", "corner")]
    boxes = mx.nd.array(rows)
    return [mx.nd.contrib.box_nms(boxes, in_format=a, out_format=b) for a, b in ways]


def the_extra_outputs(mx):
    """Return what a metric that allows more outputs makes of an array, whose rows it takes."""
    metric = mx.metric.CustomMetric(
        lambda label, pred: (float(abs(label - pred).sum()), label.size), allow_extra_outputs=True
    )
    label, pred = mx.nd.array([0, 1]), mx.nd.array([[0.25], [0.5]])
    metric.update(label, pred)
    found = [metric.get()[1]]
    metric.update([label], [pred])
    return [*found, metric.get()[1]]


def the_percentiles(mx):
    """Return the graphs of percentiles, quantiles and averages of symbols."""
    array, share = (mx.sym.var(name).as_np_ndarray() for name in "ab")
    names = mx.sym.np
    graphs = (names.quantile(array, share), names.percentile(array, share))
    graphs += (names.quantile(array, 0.5, axis=1), names.average(array, weights=share))
    nodes = [node for graph in graphs for node in json.loads(graph.tojson())["nodes"]]
    return [[node["op"], node.get("attrs", {}), node["inputs"]] for node in nodes]


def the_trapezoids(mx):
    """Return integrals of integers, whose sums overflow."""
    np = mx.np
    y = np.array([[1, 2, 3], [250, 2, 9]], dtype="uint8")
    x = np.array([[5, 2, 3], [1, 2, 9]], dtype="uint8")
    found = [np.trapz(y, x), np.trapz(y), np.trapz(y, dx=2), np.trapz(y, x, axis=0)]
    found += [np.trapz(y, x[0]), np.trapz(y.T, x[0], axis=0), np.trapz(y.astype("int32"), x)]
    return [*found, np.trapz(y, x.astype("float32")), np.trapz(y.astype("int8"), x.astype("int8"))]


def the_what_was_held(mx):
    """Return dtypes of arrays that a program took before parameters were cast, and after."""
    found = []
    layer = mx.gluon.nn.Dense(2, in_units=2)
    constant = mx.gluon.Constant("k", [[1, 2]])
    for parameter in (layer.weight, constant):
        parameter.initialize()
        held = parameter.data()
        parameter.cast("float64")
        found += [str(held.dtype), str(parameter.data().dtype), held is parameter.data()]
    held = layer.weight.data()
    layer.cast("float16")
    return [*found, str(held.dtype), str(layer.weight.data().dtype)]


def the_fallbacks(mx):
    """Return graphs of what MXNet computes by NumPy in them, as files, and two of their values."""
    a, b = (mx.sym.var(name).as_np_ndarray() for name in "ab")
    np = mx.sym.np
    with mx.name.NameManager():
        graphs = [np.resize(a, (3, 2)), np.resize(a, 4), np.empty_like(a), np.empty_like(a, "int8")]
        graphs += [np.random.multivariate_normal(a, b, size=size) for size in (None, 4, (2, 3))]
        graphs += [np.unravel_index(a, (2, 3)), np.unravel_index(a, 5)]
    texts = [graph.tojson() for graph in graphs]
    x = mx.np.array([1, 4], dtype="int64")
    read = [mx.sym.load_json(texts[place]) for place in (0, 7)]
    shapes = [graph.infer_shape(a=(2,), b=(2, 2))[1] for graph in graphs[4:7]]
    shapes += [graph.infer_shape(a=(2,))[1] for graph in (*graphs[:4], *graphs[7:])]
    return [texts, [graph.attr_dict() for graph in graphs], shapes, [g.eval(a=x)[0] for g in read]]
