"""Train a Module with fit, callbacks and checkpoints, then predict and score."""

import os
import tempfile

import numpy as np

import gluonish as mx

mx.random.seed(33)
np.random.seed(33)


def make_symbol(num_classes):
    net = mx.sym.var("data")
    net = mx.sym.FullyConnected(net, num_hidden=20, name="hidden")
    net = mx.sym.Activation(net, act_type="tanh")
    net = mx.sym.Dropout(net, p=0.1)
    net = mx.sym.FullyConnected(net, num_hidden=num_classes, name="scores")
    return mx.sym.SoftmaxOutput(net, name="softmax")


data = np.random.normal(size=(200, 8)).astype("float32")
label = data[:, :3].argmax(axis=1).astype("float32")
train = mx.io.NDArrayIter(data[:160], label[:160], batch_size=20, shuffle=True)
val = mx.io.NDArrayIter(data[160:], label[160:], batch_size=20)

mod = mx.mod.Module(make_symbol(3), data_names=["data"], label_names=["softmax_label"])
with tempfile.TemporaryDirectory() as folder:
    prefix = os.path.join(folder, "blobs")
    mod.fit(
        train,
        eval_data=val,
        eval_metric="acc",
        optimizer="sgd",
        optimizer_params={"learning_rate": 0.3, "momentum": 0.9},
        initializer=mx.init.Xavier(),
        batch_end_callback=mx.callback.Speedometer(20, 4),
        epoch_end_callback=mx.callback.do_checkpoint(prefix, period=2),
        num_epoch=4,
    )
    symbol, arg_params, aux_params = mx.model.load_checkpoint(prefix, 4)
print(mod.predict(val).shape, sorted(arg_params))
print("accuracy above 0.7:", mod.score(val, ["acc"])[0][1] > 0.7)
