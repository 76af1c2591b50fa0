"""Programs with Executors, run under the real MXNet for golden values and under gluonish by tests.

Each calls the same Executor several times: the first run is recorded, later ones are replayed.
"""

from __future__ import annotations

import numpy as onp


def shown(array):
    """Return an array as nested lists; None as it is."""
    return None if array is None else array.asnumpy().tolist()


def all_shown(arrays):
    """Return arrays by their names as nested lists."""
    return {name: shown(array) for name, array in sorted(arrays.items())}


def fill(executor, seed=0, skip=()):
    """Give all arguments but some values of a fixed stream, and variances ones."""
    random = onp.random.RandomState(seed)
    for name, array in executor.arg_dict.items():
        if name not in skip:
            array[:] = random.uniform(-1, 1, array.shape).astype("float32")
    for name, array in executor.aux_dict.items():
        array[:] = 1 if name.endswith("var") else 0


def mlp(mx, hidden=6, classes=3):
    """Return a net of two layers."""
    net = mx.sym.Variable("data")
    net = mx.sym.FullyConnected(data=net, name="fc1", num_hidden=hidden)
    net = mx.sym.Activation(data=net, name="relu1", act_type="relu")
    net = mx.sym.FullyConnected(data=net, name="fc2", num_hidden=classes)
    return mx.sym.SoftmaxOutput(data=net, name="out")


def conv_net(mx):
    """Return a net with what has states of its own: BatchNorm; and what draws: Dropout."""
    net = mx.sym.Variable("data")
    net = mx.sym.Convolution(net, kernel=(3, 3), num_filter=4, pad=(1, 1), name="conv")
    net = mx.sym.BatchNorm(net, name="bn", fix_gamma=False, eps=1e-3)
    net = mx.sym.Activation(net, act_type="tanh", name="act")
    net = mx.sym.Pooling(net, kernel=(2, 2), stride=(2, 2), pool_type="max", name="pool")
    net = mx.sym.Dropout(mx.sym.Flatten(net), p=0.4, name="drop")
    net = mx.sym.FullyConnected(net, num_hidden=3, name="fc")
    return mx.sym.SoftmaxOutput(net, name="out", normalization="batch")


def training(mx):
    """The loop of MXNet's tutorial: every array that has a gradient is updated."""
    executor = mlp(mx).simple_bind(mx.cpu(), data=(8, 5))
    fill(executor, skip=("data", "out_label"))
    random = onp.random.RandomState(3)
    outputs = []
    for _ in range(6):
        executor.arg_dict["data"][:] = random.uniform(-1, 1, (8, 5))
        executor.arg_dict["out_label"][:] = random.randint(0, 3, (8,))
        executor.forward(is_train=True)
        executor.backward()
        for weight, grad in zip(executor.arg_arrays, executor.grad_arrays, strict=True):
            weight[:] -= 0.5 * (grad / 8)
        outputs.append(shown(executor.outputs[0]))
    return outputs, all_shown(executor.arg_dict), all_shown(executor.grad_dict)


def states(mx):
    """Moving averages move on the way back; predictions use them."""
    executor = conv_net(mx).simple_bind(mx.cpu(), data=(4, 2, 6, 6))
    fill(executor, skip=("out_label",))
    executor.arg_dict["out_label"][:] = [0, 1, 2, 1]
    mx.random.seed(5)
    seen = []
    for _ in range(4):
        executor.forward(is_train=True)
        seen.append([shown(executor.outputs[0]), all_shown(executor.aux_dict)])
        executor.backward()
        mx.nd.waitall()
        for name in ("conv_weight", "bn_gamma", "bn_beta", "fc_weight"):
            executor.arg_dict[name][:] -= 0.3 * executor.grad_dict[name]
    seen += [shown(executor.forward()[0]) for _ in range(3)]
    return seen


def prediction(mx):
    """The way back after a prediction, in both modes."""
    net = mx.sym.FullyConnected(mx.sym.Variable("data"), num_hidden=4, name="fc")
    net = mx.sym.BatchNorm(net, name="bn", fix_gamma=False)
    net = mx.sym.SoftmaxOutput(mx.sym.tanh(net), name="out")
    executor = net.simple_bind(mx.cpu(), data=(4, 2))
    fill(executor, skip=("out_label",))
    executor.arg_dict["out_label"][:] = [0, 1, 2, 1]
    seen = []
    for is_train in (True, False):
        executor.forward()
        executor.backward(is_train=is_train)
        mx.nd.waitall()
        seen.append(all_shown(executor.grad_dict))
        for state in executor.aux_arrays:
            state[:] = 0.5
    return seen


def requests(mx):
    """Gradients are written, added or left alone, as each argument wants it."""
    x, w, b = (mx.sym.Variable(name) for name in "xwb")
    net = mx.sym.sum(x * w + b * b, axis=1)
    seen = []
    for request in (
        "write", "add", "null", ["add", "write", "null"], {"w": "add", "x": "null"},
    ):  # fmt: skip
        executor = net.simple_bind(mx.cpu(), grad_req=request, x=(2, 3), w=(2, 3), b=(2, 3))
        fill(executor)
        for _ in range(3):
            executor.forward(is_train=True)
            executor.backward(mx.nd.array([1, 2]))
            executor.backward([mx.nd.array([3, 4])])
        seen.append(all_shown(executor.grad_dict))
    arrays = {name: mx.nd.ones((2, 3)) * 2 for name in "xwb"}
    one = mx.nd.zeros((2, 3))
    executor = net.bind(mx.cpu(), arrays, args_grad={"b": one})
    for _ in range(3):
        arrays["b"] *= 2
        executor.forward(is_train=True)
        executor.backward(mx.nd.array([1, 2]))
    return seen, shown(one), executor.grad_dict["x"] is None


def heads(mx):
    """Several outputs, of which losses need no gradient."""
    x, w = mx.sym.Variable("x"), mx.sym.Variable("w")
    loss = mx.sym.MakeLoss(mx.sym.sum(x * w), name="loss", grad_scale=2)
    seen = []
    for others, given in (
        ([mx.sym.BlockGrad(x + w)], None),
        ([x + w], [mx.nd.ones((1,)), mx.nd.array([3, 4])]),
        ([mx.sym.exp(x), mx.sym.argmax(w, axis=0)], [mx.nd.ones((1,))] + [mx.nd.ones((2,))] * 2),
    ):
        net = mx.sym.Group([loss, *others])
        executor = net.simple_bind(mx.cpu(), x=(2,), w=(2,))
        fill(executor)
        for _ in range(3):
            executor.forward(is_train=True)
            if given is not None and given[-1].shape != executor.outputs[-1].shape:
                given[-1] = mx.nd.ones(executor.outputs[-1].shape)
            executor.backward(given)
        seen.append([[shown(each) for each in executor.outputs], all_shown(executor.grad_dict)])
    return seen


def changes(mx):
    """What is changed between the way there and the way back counts on the way back."""
    executor = (mx.sym.Variable("x") * mx.sym.Variable("w")).simple_bind(mx.cpu(), x=(2,), w=(2,))
    fill(executor)
    for _ in range(3):
        executor.forward(is_train=True)
    executor.arg_dict["w"][:] = 100
    executor.backward(mx.nd.ones((2,)))
    seen = [all_shown(executor.grad_dict), shown(executor.outputs[0])]
    executor.forward(is_train=True, x=mx.nd.array([5, 6]), w=onp.array([7, 8]))
    executor.backward(dict.fromkeys(executor.output_dict, mx.nd.ones((2,))))
    return [*seen, all_shown(executor.grad_dict), shown(executor.outputs[0])]


def reshaping(mx):
    """Another shape, with weights in common and the data's memory."""
    executor = mlp(mx).simple_bind(mx.cpu(), data=(4, 5))
    fill(executor)
    seen = []
    small = executor.reshape(data=(2, 5), out_label=(2,))
    large = executor.reshape(data=(6, 5), out_label=(6,), allow_up_sizing=True)
    for other in (small, large):
        shapes = {name: array.shape for name, array in sorted(other.arg_dict.items())}
        seen.append({name: list(shape) for name, shape in shapes.items()})
    small.arg_dict["data"][:] = 0.5
    small.arg_dict["fc1_weight"][:] = 0.25
    small.forward(is_train=True)
    small.backward()
    seen += [shown(executor.arg_dict["data"]), shown(large.arg_dict["fc1_weight"])]
    return [*seen, shown(executor.grad_dict["fc1_weight"]), shown(small.outputs[0])]


def sharing(mx):
    """Executors with arguments, gradients and a buffer in common."""
    buffer = {}
    one = mlp(mx).simple_bind(
        mx.cpu(), data=(4, 5), shared_arg_names=["fc1_weight"], shared_buffer=buffer
    )
    fill(one)
    two = mlp(mx).simple_bind(
        mx.cpu(),
        data=(2, 5),
        shared_arg_names=["fc1_weight"],
        shared_exec=one,
        shared_buffer=buffer,
    )
    two.forward(is_train=True)
    two.backward()
    mx.nd.waitall()
    return (
        sorted(buffer),
        shown(two.outputs[0]),
        all_shown(two.arg_dict),
        shown(one.grad_dict["fc1_weight"]),
    )


def draws(mx):
    """Random numbers come from MXNet's stream, in the order of the graph."""
    x = mx.sym.Variable("x")
    net = mx.sym.Dropout(x + mx.sym.random.uniform(shape=(6,)), p=0.5)
    net = mx.sym.Group([net, mx.sym.random.normal(shape=(2,)), mx.sym.Dropout(x, p=0.3)])
    executor = net.simple_bind(mx.cpu(), x=(6,))
    executor.arg_dict["x"][:] = 1
    mx.random.seed(11)
    modes = (True, True, True, False, False, True)
    seen = [[shown(each) for each in executor.forward(is_train=mode)] for mode in modes]
    seen.append([shown(each) for each in net.eval(x=mx.nd.ones((6,)))])
    return seen


def monitored(mx):
    """What a monitor sees of a forward pass."""
    import ctypes

    executor = mlp(mx).simple_bind(mx.cpu(), data=(4, 5))
    fill(executor)
    seen = []

    def note(name, array):
        if not hasattr(array, "asnumpy"):
            name = name.decode()
            array = mx.nd.NDArray(ctypes.cast(array, mx.base.NDArrayHandle), writable=False)
        seen.append([name, shown(array)])

    executor.set_monitor_callback(note)
    executor.forward(is_train=False)
    executor.forward(is_train=True)
    executor.backward()
    return seen


def monitored_gradients(mx):
    """Whose gradients a monitor sees where not all are asked for; MXNet leaves those unset."""
    net = mx.sym.BatchNorm(mx.sym.Variable("data"), name="norm", fix_gamma=False)
    net = mx.sym.FullyConnected(net, num_hidden=3, name="fc")
    net = mx.sym.Activation(net, act_type="tanh", name="act")
    net = mx.sym.SoftmaxOutput(net, mx.sym.Variable("label"), name="out")
    asked = {
        name: "null" if name in ("data", "label") else "write" for name in net.list_arguments()
    }
    executor = net.simple_bind(mx.cpu(), grad_req=asked, data=(4, 5), label=(4,))
    fill(executor)
    seen = []
    executor.set_monitor_callback(
        lambda name, array: seen.append(name if isinstance(name, str) else name.decode())
    )
    executor.forward(is_train=True)
    executor.backward()
    mx.nd.waitall()
    return sorted(name for name in seen if "backward" in name)


def grouped(mx):
    """Halves of a net on two contexts."""
    with mx.AttrScope(ctx_group="one"):
        net = mx.sym.FullyConnected(mx.sym.Variable("data"), num_hidden=4, name="f1")
    with mx.AttrScope(ctx_group="two"):
        net = mx.sym.FullyConnected(net, num_hidden=2, name="f2")
        net = mx.sym.SoftmaxOutput(net, name="out")
    places = {"one": mx.cpu(1), "two": mx.cpu(2)}
    executor = net.simple_bind(mx.cpu(0), data=(3, 5), group2ctx=places)
    fill(executor)
    for _ in range(3):
        executor.forward(is_train=True)
        executor.backward()
    contexts = {name: str(array.context) for name, array in sorted(executor.arg_dict.items())}
    grads = {name: str(array.context) for name, array in sorted(executor.grad_dict.items())}
    where = str(executor.outputs[0].context)
    return contexts, grads, where, shown(executor.outputs[0]), all_shown(executor.grad_dict)


def open_zeros(mx):
    """Zeros whose shape the rest of the graph tells."""
    net = mx.sym.zeros((0, 3)) + mx.sym.Variable("x")
    executor = net.simple_bind(mx.cpu(), x=(2, 3))
    fill(executor)
    return [shown(executor.forward()[0]) for _ in range(3)]


# Name, what makes the graph, the shapes of its arguments.
ZOO = {
    "convolution": (
        lambda s, x, y: s.Convolution(x, kernel=(3, 3), num_filter=2, stride=(2, 2), name="c"),
        {"x": (2, 3, 7, 7)},
    ),
    "grouped convolution": (
        lambda s, x, y: s.Convolution(x, kernel=(3,), num_filter=4, num_group=2, name="c"),
        {"x": (2, 4, 7)},
    ),
    "deconvolution": (
        lambda s, x, y: s.Deconvolution(x, kernel=(3, 3), num_filter=2, name="c"),
        {"x": (2, 3, 4, 4)},
    ),
    "pooling": (
        lambda s, x, y: s.Pooling(x, kernel=(2, 2), stride=(2, 2), pool_type="avg"),
        {"x": (2, 3, 5, 5)},
    ),
    "lrn": (lambda s, x, y: s.LRN(x, nsize=3), {"x": (2, 5, 3, 3)}),
    "layer norm": (lambda s, x, y: s.LayerNorm(x, name="n"), {"x": (2, 5)}),
    "instance norm": (lambda s, x, y: s.InstanceNorm(x, name="n"), {"x": (2, 3, 4)}),
    "l2": (lambda s, x, y: s.L2Normalization(x, mode="channel"), {"x": (2, 3, 4)}),
    "batch norm by data": (lambda s, x, y: s.BatchNorm(x, name="n"), {"x": (4, 3)}),
    "batch norm with global statistics": (
        lambda s, x, y: s.BatchNorm(x, use_global_stats=True, name="n"),
        {"x": (4, 3)},
    ),
    "leaky": (lambda s, x, y: s.LeakyReLU(x, act_type="elu", slope=0.3), {"x": (4, 3)}),
    "prelu": (lambda s, x, y: s.LeakyReLU(x, act_type="prelu", name="p"), {"x": (4, 3)}),
    "concat": (
        lambda s, x, y: s.Concat(x, y, x, dim=1),
        {"x": (2, 3), "y": (2, 1)},
    ),
    "slices": (
        lambda s, x, y: s.Group(list(s.SliceChannel(x, num_outputs=3))),
        {"x": (2, 3)},
    ),
    "dot": (
        lambda s, x, y: s.dot(x, y, transpose_b=True),
        {"x": (2, 3), "y": (4, 3)},
    ),
    "batch dot": (
        lambda s, x, y: s.batch_dot(x, y),
        {"x": (2, 3, 4), "y": (2, 4, 2)},
    ),
    "broadcast": (
        lambda s, x, y: s.broadcast_mul(x, y) ** 2,
        {"x": (2, 3), "y": (2, 1)},
    ),
    "take": (
        lambda s, x, y: s.take(x, s.BlockGrad(s.abs(y * 3))),
        {"x": (4, 2), "y": (3,)},
    ),
    "where": (
        lambda s, x, y: s.where(x > 0, x * 2, y),
        {"x": (2, 3), "y": (2, 3)},
    ),
    "sorting": (lambda s, x, y: s.sort(x, axis=0) * x, {"x": (4, 2)}),
    "softmax": (lambda s, x, y: s.log_softmax(x) + s.softmax(x), {"x": (4, 3)}),
    "upsampling": (
        lambda s, x, y: s.UpSampling(x, scale=2, sample_type="nearest"),
        {"x": (1, 2, 3, 3)},
    ),
    "swap": (lambda s, x, y: s.reshape(s.swapaxes(x, 0, 1), (-1, 2)), {"x": (2, 3, 2)}),
    "embedding": (
        lambda s, x, y: s.Embedding(s.BlockGrad(s.abs(y * 3)), input_dim=4, output_dim=2, name="e"),
        {"y": (3,)},
    ),
    "regression": (
        lambda s, x, y: s.LinearRegressionOutput(x, y, grad_scale=2),
        {"x": (2, 3), "y": (2, 3)},
    ),
    "identity": (lambda s, x, y: s.identity(x), {"x": (2, 3)}),
    "variable": (lambda s, x, y: s.Group([x + 1, s.identity(x)]), {"x": (2, 3)}),
    "sequence": (lambda s, x, y: s.SequenceReverse(x) * x, {"x": (3, 2, 2)}),
}


def animal(mx, name):
    """Run one graph of the zoo: three times there and back, then twice in prediction."""
    make, shapes = ZOO[name]
    net = make(mx.sym, mx.sym.Variable("x"), mx.sym.Variable("y"))
    executor = net.simple_bind(mx.cpu(), **shapes)
    fill(executor)
    random = onp.random.RandomState(1)
    heads = [mx.nd.array(random.uniform(-1, 1, each.shape)) for each in executor.outputs]
    seen = []
    for _ in range(3):
        executor.forward(is_train=True)
        executor.backward(heads)
        mx.nd.waitall()
        outputs = [shown(each) for each in executor.outputs]
        seen.append([outputs, all_shown(executor.grad_dict), all_shown(executor.aux_dict)])
    return seen + [[shown(each) for each in executor.forward()] for _ in range(2)]


PROGRAMS = {
    program.__name__: program
    for program in (
        training, states, prediction, requests, heads, changes, reshaping, sharing, draws,
        monitored, monitored_gradients, grouped, open_zeros,
    )
}  # fmt: skip
