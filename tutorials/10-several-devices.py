# %% [markdown]
# # 10. Train on several devices
#
# Each device gets a slice of every batch and computes its gradients; `Trainer` adds them up and gives all devices the same
# new parameters. The result is that of one device with the whole batch.
#
# **What you should see:** the digits are learned on two contexts, all contexts have the same parameters, and they are those
# that one context finds, up to rounding. On a machine with two GPUs or more the program uses them; elsewhere two contexts of the CPU.

# %%
import numpy

import gluonish as mx
from gluonish import autograd, gluon, init, metric
from gluonish.gluon import nn
from gluonish.gluon.data.vision import MNISTSample, transforms

there = mx.num_gpus() >= 2
devices = [mx.gpu(i) if there else mx.cpu(i) for i in range(2)]
training = MNISTSample(train=True).transform_first(transforms.ToTensor(), lazy=False)
test = MNISTSample(train=False).transform_first(transforms.ToTensor(), lazy=False)

# %% [markdown]
# `split_and_load` cuts a batch into slices, one for each device. Losses and backward run for each slice, one after another in
# the program and at the same time on GPUs; `step` divides by the length of the *whole* batch.


# %%
def train(devices, epochs):
    mx.random.seed(1)
    numpy.random.seed(1)
    net = nn.HybridSequential()
    net.add(
        nn.Conv2D(16, kernel_size=5, strides=2, activation="relu"),
        nn.Dense(64, activation="relu"),
        nn.Dense(10),
    )
    net.initialize(init.Xavier(), ctx=devices)
    net.hybridize(backend="fx")
    trainer = gluon.Trainer(net.collect_params(), "sgd", {"learning_rate": 0.1, "momentum": 0.9})
    loss_of = gluon.loss.SoftmaxCrossEntropyLoss()
    for _ in range(epochs):
        for x, y in gluon.data.DataLoader(training, 100, shuffle=True):
            slices = zip(
                gluon.utils.split_and_load(x, devices), gluon.utils.split_and_load(y, devices)
            )
            with autograd.record():
                losses = [loss_of(net(x), y) for x, y in slices]
            autograd.backward(losses)
            trainer.step(len(x))
    return net


net = train(devices, epochs=2)
right = metric.Accuracy()
for x, y in gluon.data.DataLoader(test, 250):
    x, y = gluon.utils.split_and_load(x, devices), gluon.utils.split_and_load(y, devices)
    right.update(y, [net(part) for part in x])
print(f"test accuracy {right.get()[1]:.1%}")

# %% [markdown]
# ## The same everywhere

# %%
for name, parameter in net.collect_params().items():
    first, second = (value.asnumpy() for value in parameter.list_data())
    if not (first == second).all():
        print(name, "differs")
print("contexts of each parameter:", len(parameter.list_ctx()))

# %%
short, alone = train(devices, epochs=1), train(devices[:1], epochs=1)
largest = max(
    abs(a.list_data()[0].asnumpy() - b.data().asnumpy()).max()
    for a, b in zip(short.collect_params().values(), alone.collect_params().values())
)
print("within 0.001 of one device's parameters:", largest < 1e-3)

# %% [markdown]
# ## Several processes
#
# A program for several processes or machines differs in its store: `gluon.Trainer(..., kvstore="dist_sync")`. Started alone it is a job of
# one worker. `torchrun` starts several, here two on this machine; each reads its own part of the data.

# %%
program = """
import numpy
import gluonish as mx
from gluonish import autograd, gluon, nd

store = mx.kv.create("dist_sync")
mx.random.seed(1)
net = gluon.nn.Dense(1)
net.initialize()
trainer = gluon.Trainer(net.collect_params(), "sgd", {"learning_rate": 0.1}, kvstore=store)
numpy.random.seed(store.rank)
for _ in range(50):
    x = nd.array(numpy.random.normal(size=(8, 2)))
    y = 2 * x[:, 0] - x[:, 1]
    with autograd.record():
        loss = ((net(x)[:, 0] - y) ** 2).sum()
    loss.backward()
    trainer.step(8 * store.num_workers)
store.barrier()
if store.rank == 0:
    print(store.num_workers, "workers found", net.weight.data().asnumpy().round(2))
"""
with open("train.py", "w") as file:
    file.write(program)

# %%
import subprocess
import sys

command = [
    sys.executable,
    "-m",
    "torch.distributed.run",
    "--standalone",
    "--nproc-per-node",
    "2",
    "train.py",
]
done = subprocess.run(command, capture_output=True, text=True, timeout=120)
print(done.stdout if done.returncode == 0 else done.stderr[-3000:])
