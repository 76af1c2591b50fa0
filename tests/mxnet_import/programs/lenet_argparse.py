# prints: Namespace(batch_size=8, epochs=1, gpus='') (8, 10)
# arguments: --batch-size 8 --epochs 1
import argparse
import logging
import mxnet as mx
from mxnet import gluon
from mxnet.gluon import nn

parser = argparse.ArgumentParser(description="Train LeNet")
parser.add_argument("--batch-size", type=int, default=100)
parser.add_argument("--epochs", type=int, default=10)
parser.add_argument("--gpus", type=str, default="")
opt = parser.parse_args()
ctx = [mx.gpu(int(i)) for i in opt.gpus.split(",")] if opt.gpus else [mx.cpu()]
net = nn.HybridSequential(prefix="lenet_")
with net.name_scope():
    net.add(nn.Conv2D(20, 5, activation="tanh"), nn.MaxPool2D(2, 2), nn.Flatten(), nn.Dense(10))
net.initialize(mx.init.Xavier(magnitude=2.24), ctx=ctx)
data = gluon.utils.split_and_load(mx.nd.random.uniform(shape=(opt.batch_size, 1, 28, 28)), ctx)
print(opt, [net(x) for x in data][0].shape)
