"""Records pictures and tables of networks that the real MXNet 1.9.1 makes."""

from __future__ import annotations

import contextlib
import io
import json
import warnings
from pathlib import Path

import mxnet as mx

HERE = Path(__file__).parent

LENET = """
net = sym.var('data')
for i, filters in enumerate((20, 50), 1):
    net = sym.Convolution(net, kernel=(5, 5), num_filter=filters, name=f'conv{i}')
    net = sym.Activation(net, act_type='tanh', name=f'tanh{i}')
    net = sym.Pooling(net, pool_type='max', kernel=(2, 2), stride=(2, 2), name=f'pool{i}')
net = sym.FullyConnected(sym.Flatten(net, name='flatten'), num_hidden=500, name='fc1')
net = sym.Activation(net, act_type='tanh', name='tanh3')
net = sym.FullyConnected(net, num_hidden=10, name='fc2')
net = sym.SoftmaxOutput(net, name='softmax')
"""
RESIDUAL = """
data = sym.var('data')
net = sym.Convolution(data, kernel=(3, 3), stride=(2, 2), pad=(1, 1), num_filter=8, no_bias=True,
                      name='conv0')
net = sym.relu(sym.BatchNorm(net, name='bn0'), name='relu0')
net = sym.Convolution(net, kernel=(3, 3), stride=(1, 1), pad=(1, 1), num_filter=8, no_bias=True,
                      name='conv1')
net = sym.BatchNorm(net, name='bn1')
net = net + sym.Convolution(data, kernel=(1, 1), stride=(2, 2), num_filter=8, name='conv2')
net = sym.relu(net, name='relu1')
"""
MANY = """
x, y = sym.var('x'), sym.var('y')
a = sym.LeakyReLU(sym.BatchNorm(x, name='bn'), act_type='leaky', name='lr')
d = sym.Deconvolution(sym.Concat(a, y, dim=1, name='cat'), kernel=(2, 2), num_filter=3, name='dec')
e = sym.Dropout(d, p=.5, name='drop')
f = sym.Pooling(e, global_pool=True, kernel=(1, 1), pool_type='avg', name='gp')
g = sym.Reshape(f, shape=(0, -1), name='rs')
h = sym.Embedding(y, input_dim=5, output_dim=3, name='emb')
i = sym.split(g, num_outputs=3, name='sp')
j = sym.softmax(sym.elemwise_add(i[0], i[1], name='add'), name='sm')
k = sym.LinearRegressionOutput(i[2], name='lin')
m = sym.LRN(d, nsize=3, name='lrn')
n = sym.Activation(x, act_type='softrelu', name='acts')
o = sym.LeakyReLU(x, name='plain')
p = sym.transpose(x, name='tr')
q = sym.Convolution(x, kernel=(3, 3), stride=(2, 2), num_filter=4, no_bias=True, name='cv')
r = sym.Pooling(x, kernel=(3, 3), stride=(2, 2), pad=(1, 1), pool_type='max', name='po')
t = sym.FullyConnected(sym.Flatten(r, name='fl'), num_hidden=3, no_bias=True, name='fcn')
v = sym.MakeLoss(t, name='ml')
w = sym.Convolution(x, kernel=(3, 3), num_filter=8, num_group=2, name='cg')
net = sym.Group([j, k, h, m, n, o, p, q, v, w])
"""
SHARED = """
w = sym.var('w_weight')
net = sym.var('data')
for i in range(2):
    net = sym.FullyConnected(net, w, no_bias=True, num_hidden=4, name=f'fc{i}')
"""
SHAPES = {
    "lenet": {"data": (2, 1, 28, 28)},
    "residual": {"data": (1, 4, 16, 16)},
    "many": {"x": (2, 4, 8, 8), "y": (2, 4, 8, 8)},
    "shared": {"data": (2, 4)},
}
PROGRAMS = {"lenet": LENET, "residual": RESIDUAL, "many": MANY, "shared": SHARED}
PICTURES = [
    {},
    {"shape": True},
    {"hide_weights": False, "title": "T", "save_format": "png"},
    {"shape": True, "dtype": True, "node_attrs": {"shape": "oval", "fixedsize": "false"}},
]
TABLES = [
    {},
    {"shape": True},
    {"shape": True, "line_length": 80, "positions": [0.3, 0.5, 0.7, 1.0]},
    {"line_length": 100, "positions": [30, 50, 70, 100]},
]


def filled(options, name):
    options = dict(options)
    if "shape" in options:
        options["shape"] = SHAPES[name]
    if "dtype" in options:
        options["dtype"] = dict.fromkeys(SHAPES[name], "float32")
    return options


def main():
    warnings.simplefilter("ignore")
    found = {}
    for name, source in PROGRAMS.items():
        space = {"sym": mx.sym}
        exec(source, space)
        entry = found[name] = {"source": source, "pictures": [], "tables": []}
        for options in PICTURES:
            given = filled(options, name)
            picture = mx.viz.plot_network(space["net"], **given)
            body = [line.strip() for line in picture.body]
            entry["pictures"].append([given, picture.name, picture.format, body])
        for options in TABLES:
            given = filled(options, name)
            text = io.StringIO()
            with contextlib.redirect_stdout(text):
                mx.viz.print_summary(space["net"], **given)
            entry["tables"].append([given, text.getvalue()])
    (HERE / "viz.json").write_text(json.dumps(found, indent=1) + "\n")


if __name__ == "__main__":
    main()
