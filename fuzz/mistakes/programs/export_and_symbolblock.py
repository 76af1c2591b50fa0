"""Export a hybridized net and take it up again as a SymbolBlock."""

import os
import tempfile

import gluonish as mx
from gluonish import gluon, nd, sym
from gluonish.gluon import nn


def build_net():
    net = nn.HybridSequential()
    with net.name_scope():
        net.add(nn.Conv2D(8, kernel_size=3, padding=1))
        net.add(nn.LeakyReLU(alpha=0.1))
        net.add(nn.GlobalAvgPool2D())
        net.add(nn.Dense(5))
    return net


if __name__ == "__main__":
    mx.random.seed(100)
    pic = nd.random.uniform(shape=(2, 3, 16, 16))
    net = build_net()
    net.initialize(mx.init.MSRAPrelu())
    net.hybridize()
    expected = net(pic)

    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "convnet")
        net.export(path, epoch=3)
        print(sorted(os.listdir(folder)))
        imported = gluon.SymbolBlock.imports(
            path + "-symbol.json", ["data"], path + "-0003.params", ctx=mx.cpu()
        )
        print("same output:", nd.abs(imported(pic) - expected).max().asscalar() < 1e-5)
    symbol = net(sym.var("data"))
    print(symbol.list_arguments()[0], len(symbol.list_arguments()), len(symbol.list_outputs()))
