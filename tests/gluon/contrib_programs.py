"""Programs with layers of gluon.contrib, run under the real MXNet and by tests."""

from __future__ import annotations

import json

import numpy as onp


def data(mx, *shape):
    """Return an array of a fixed stream."""
    values = onp.random.RandomState(sum(shape)).uniform(-1, 1, shape)
    return mx.nd.array(values.astype("float32"))


def described(mx, net, *shape):
    """Return what a layer computes from data, its gradient, its printed form and its graph."""
    net.initialize(mx.init.Constant(0.1))
    x = data(mx, *shape)
    x.attach_grad()
    with mx.autograd.record():
        y = net(x)
    y.backward()
    return {
        "y": y.asnumpy().tolist(),
        "grad": x.grad.asnumpy().tolist(),
        "names": [name[len(net.prefix) :] for name in net.collect_params()],
        "graph": graph_of(mx, net) if hasattr(net, "hybrid_forward") else None,
    }


def graph_of(mx, net):
    """Return a layer's graph; shapes of variables may be lists in MXNet."""
    graph = json.loads(net(mx.sym.var("data")).tojson())
    for node in graph["nodes"]:
        node.get("attrs", {}).pop("__shape__", None)
    return graph


def branches(mx, cls):
    """Return layers side by side, all with names of their own."""
    net = cls(axis=1, prefix="net_")
    with net.name_scope():
        net.add(mx.gluon.nn.Dense(2, in_units=3))
        net.add(mx.gluon.contrib.nn.Identity())
    return net


def sync_batch_norm(mx):
    """Return SyncBatchNorm's values and printed form."""
    net = mx.gluon.contrib.nn.SyncBatchNorm(in_channels=3, num_devices=1, prefix="bn_")
    found = described(mx, net, 4, 3, 2)
    return {**found, "text": repr(net), "mean": net.running_mean.data().asnumpy().tolist()}


def intervals(mx):
    """Return the positions that samplers give."""
    sampler = mx.gluon.contrib.data.IntervalSampler
    samplers = [sampler(13, 3), sampler(13, 3, rollover=False), sampler(3, 3), sampler(5, 1)]
    return [[len(each), *each] for each in samplers]


def deformable(mx, name, **options):
    """Return what a deformable convolution does."""
    net = getattr(mx.gluon.contrib.cnn, name)(4, kernel_size=(3, 3), prefix="conv_", **options)
    return described(mx, net, 2, 4, 6, 5)


PROGRAMS = {
    "HybridConcurrent": lambda mx: described(
        mx, branches(mx, mx.gluon.contrib.nn.HybridConcurrent), 2, 3
    ),
    "Concurrent": lambda mx: described(mx, branches(mx, mx.gluon.contrib.nn.Concurrent), 2, 3),
    "SyncBatchNorm": sync_batch_norm,
    "PixelShuffle1D": lambda mx: described(mx, mx.gluon.contrib.nn.PixelShuffle1D(2), 2, 6, 3),
    "PixelShuffle2D": lambda mx: described(
        mx, mx.gluon.contrib.nn.PixelShuffle2D((2, 3)), 1, 12, 2, 3
    ),
    "PixelShuffle3D": lambda mx: described(
        mx, mx.gluon.contrib.nn.PixelShuffle3D((2, 1, 3)), 1, 12, 2, 3, 2
    ),
    "IntervalSampler": intervals,
    "DeformableConvolution": lambda mx: deformable(
        mx, "DeformableConvolution", padding=(1, 1), strides=(2, 2), groups=2,
        num_deformable_group=2, activation="relu", offset_weight_initializer=mx.init.Constant(0.3),
    ),
    "DeformableConvolution plain": lambda mx: deformable(
        mx, "DeformableConvolution", use_bias=False, offset_use_bias=False, in_channels=4,
    ),
}  # fmt: skip
FORWARD = {
    "ModulatedDeformableConvolution": {"padding": (1, 1), "strides": (2, 2)},
    "modulated without biases": {"use_bias": False, "offset_use_bias": False, "in_channels": 4},
}


def modulated(mx, options):
    """Return what a modulated convolution computes; MXNet has no gradient of it on CPUs."""
    net = mx.gluon.contrib.cnn.ModulatedDeformableConvolution(
        4, kernel_size=(3, 3), prefix="conv_", offset_weight_initializer=mx.init.Constant(0.3),
        **options,
    )  # fmt: skip
    net.initialize(mx.init.Constant(0.1))
    return {
        "y": net(data(mx, 2, 4, 6, 5)).asnumpy().tolist(),
        "names": list(net.collect_params()),
        "graph": graph_of(mx, net),
    }


PROGRAMS |= {
    name: lambda mx, options=options: modulated(mx, options) for name, options in FORWARD.items()
}


def steps_of(mx, cell, features):
    """Return the nodes of a cell's graph of two steps that are operators."""
    inputs = [mx.sym.var(f"step{i}", shape=(2, *features)) for i in range(2)]
    outputs, _ = cell.unroll(2, inputs)
    nodes = json.loads(mx.sym.Group(outputs).tojson())["nodes"]
    return sorted([node["name"], node["op"]] for node in nodes if node["op"] != "null")


CELLS = {
    "Conv1DRNNCell": lambda rnn: (rnn.Conv1DRNNCell((2, 6), 3, 3, 3, prefix="c_"), (2, 6)),
    "Conv2DLSTMCell": lambda rnn: (rnn.Conv2DLSTMCell((2, 6, 6), 3, 3, 3, prefix="c_"), (2, 6, 6)),
    "Conv1DGRUCell": lambda rnn: (rnn.Conv1DGRUCell((2, 6), 3, 3, 3, prefix="c_"), (2, 6)),
    "LSTMPCell": lambda rnn: (rnn.LSTMPCell(3, 2, prefix="c_"), (4,)),
}
PROGRAMS |= {
    f"graph of {name}": lambda mx, build=build: steps_of(mx, *build(mx.gluon.contrib.rnn))
    for name, build in CELLS.items()
}


def at_once(mx, kind, layout, ends, is_symbolic, **options):
    """Return what `dynamic_unroll` gives, and gradients."""
    cell = getattr(mx.gluon.rnn, kind)(3, prefix="cell_")
    cell.initialize(mx.init.Constant(0.1))
    x = data(mx, 4, 2, 5) if layout == "TNC" else data(mx, 2, 4, 5)
    states = [data(mx, 2, 3) + i for i in range(len(cell.state_info()))]
    cell(data(mx, 2, 5), states)
    lengths = mx.nd.array(ends) if ends else None
    x.attach_grad()

    class Net(mx.gluon.HybridBlock):
        def __init__(self):
            super().__init__()
            self.cell = cell

        def hybrid_forward(self, F, x, states, lengths=None):
            rnn_cell = mx.gluon.contrib.rnn.rnn_cell
            return rnn_cell.dynamic_unroll(
                cell, x, states, layout=layout, valid_length=lengths, **options
            )

    net = Net()
    if is_symbolic:
        net.hybridize()
    with mx.autograd.record(train_mode=False):
        y, after = net(x, states, *([lengths] if ends else []))
        total = (y * y).sum() + sum((state * 2).sum() for state in after)
    total.backward()
    return {
        "y": y.asnumpy().tolist(),
        "grad": x.grad.asnumpy().tolist(),
        "mean": [state.asnumpy().tolist() for state in after],
    }


PROGRAMS |= {
    f"dynamic_unroll {kind} {layout} {ends} {is_symbolic}": lambda mx, given=(
        kind, layout, ends, is_symbolic,
    ): at_once(mx, *given)
    for kind, layout, ends in (
        ("LSTMCell", "TNC", None),
        ("GRUCell", "NTC", [4, 2]),
        ("LSTMCell", "NTC", [1, 3]),
        ("RNNCell", "TNC", [3, 4]),
    )
    for is_symbolic in (False, True)
}  # fmt: skip


def own_cell(mx, activation):
    """Return what a cell computes whose step asks for its activation function."""

    class Own(mx.gluon.rnn.HybridRecurrentCell):
        def state_info(self, batch_size=0):
            return [{"shape": (batch_size, 3), "__layout__": "NC"}]

        def hybrid_forward(self, F, inputs, states):
            output = self._get_activation(F, inputs + states[0], activation(mx))
            return output, [output]

    outputs, _ = Own().unroll(2, data(mx, 2, 2, 3), merge_outputs=True)
    return {"y": outputs.asnumpy().tolist()}


PROGRAMS |= {
    f"cell with {name}": lambda mx, activation=activation: own_cell(mx, activation)
    for name, activation in {
        "tanh": lambda mx: "tanh",
        "softrelu": lambda mx: "softrelu",
        "LeakyReLU": lambda mx: mx.gluon.nn.LeakyReLU(0.3),
        "function": lambda mx: mx.nd.abs,
    }.items()
}
