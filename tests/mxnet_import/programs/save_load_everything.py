# prints: ['w'] True (1, 2) True
import os, tempfile
import mxnet as mx
from mxnet import gluon, nd
from mxnet.gluon import nn

folder = tempfile.mkdtemp()
nd.save(os.path.join(folder, "x"), {"w": nd.ones(3)})
net = nn.HybridSequential()
net.add(nn.Dense(3, activation="relu"), nn.Dense(2))
net.initialize()
net.hybridize()
x = nd.ones((1, 4))
y = net(x)
net.save_parameters(os.path.join(folder, "net.params"))
net.export(os.path.join(folder, "net"), epoch=1)
again = gluon.SymbolBlock.imports(
    os.path.join(folder, "net-symbol.json"),
    ["data"],
    os.path.join(folder, "net-0001.params"),
    ctx=mx.cpu(),
)
sym, args, auxs = mx.model.load_checkpoint(os.path.join(folder, "net"), 1)
print(
    list(nd.load(os.path.join(folder, "x"))),
    bool((again(x) == y).min().asscalar()),
    again(x).shape,
    isinstance(sym, mx.sym.Symbol),
)
