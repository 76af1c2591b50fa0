# prints: ['data', 'fc1_weight', 'fc1_bias', 'fc2_weight', 'fc2_bias', 'softmax_label'] True
import logging
import mxnet as mx
import numpy as np
from mxnet.module.base_module import BaseModule

data = mx.sym.Variable("data")
fc1 = mx.sym.FullyConnected(data, name="fc1", num_hidden=16)
act1 = mx.sym.Activation(fc1, name="relu1", act_type="relu")
fc2 = mx.sym.FullyConnected(act1, name="fc2", num_hidden=2)
mlp = mx.sym.SoftmaxOutput(fc2, name="softmax")
rng = np.random.RandomState(0)
x = rng.uniform(-1, 1, (200, 4)).astype("float32")
y = (x.sum(1) > 0).astype("float32")
train = mx.io.NDArrayIter(x, y, 20, shuffle=True)
mod = mx.mod.Module(
    symbol=mlp, context=mx.cpu(), data_names=["data"], label_names=["softmax_label"]
)
mod.fit(
    train, optimizer="sgd", optimizer_params={"learning_rate": 0.5}, eval_metric="acc", num_epoch=15
)
print(mlp.list_arguments(), isinstance(mod, BaseModule) and mod.score(train, "acc")[0][1] > 0.9)
