# %% [markdown]
# # 7. From Python to graphs
#
# Python is good to write nets in and slow to run small ones. `hybridize()` has the first call written down as a graph; later
# calls run that graph without your Python. What is computed stays the same.
#
# **What you should see:** equal results, the graph as code, a net with a branch that stays in Python and says why, and times of
# your machine, which differ each time.

# %%
import logging
import sys
import time

import gluonish as mx
from gluonish import autograd, gluon, nd
from gluonish.gluon import nn

mx.random.seed(7)


class Small(nn.HybridBlock):
    def __init__(self, **options):
        super().__init__(**options)
        self.layer = nn.Dense(3)

    def hybrid_forward(self, F, x):
        return F.relu(self.layer(x))


net = Small()
net.initialize()
x = nd.ones((2, 4))
plain = net(x)
net.hybridize(backend="fx")
first, second = net(x), net(x)
print("equal:", (first == plain).min().asscalar() == 1, (second == plain).min().asscalar() == 1)

# %% [markdown]
# The graph is a `torch.fx.GraphModule`: readable, and without a trace of the class above. The parameters are its inputs, so
# that training, loading and setting them goes on as before.

# %%
print(net.graph.code)

# %% [markdown]
# ## What cannot be in a graph
#
# A branch on a *value* is decided anew for each input. A graph has no place for that, so this Block stays in Python; its
# children are captured. One line of the log says where and why.


# %%
class Branching(nn.HybridBlock):
    def __init__(self, **options):
        super().__init__(prefix="branching_", **options)
        self.layer = nn.Dense(3)

    def hybrid_forward(self, F, x):
        y = self.layer(x)
        return y if y.sum().asscalar() > 0 else -y


logger = logging.getLogger("gluonish.hybrid")
handler = logging.StreamHandler(sys.stdout)
logger.addHandler(handler)
branching = Branching()
branching.initialize()
branching.hybridize(backend="fx")
branching(x)
logger.removeHandler(handler)

# %% [markdown]
# Branches on *shapes* and on settings are no problem: a graph belongs to one shape, and another shape gets its own.
#
# ## What it brings
#
# The smaller the net, the more. The report has a line for each graph.


# %% varies
def microseconds(net, x, times=500):
    net(x)
    started = time.perf_counter()
    for _ in range(times):
        net(x)
    return (time.perf_counter() - started) / times * 1e6


def tower():
    net = nn.HybridSequential()
    net.add(*(nn.Dense(32, activation="relu") for _ in range(10)))
    net.initialize()
    return net


net = tower()
before = microseconds(net, x)
net.hybridize(backend="fx")
print(f"{before:.0f} microseconds a call before, {microseconds(net, x):.0f} after")

# %% table
net.hybrid_report()

# %% [markdown]
# ## A whole step
#
# Half of training is the gradient and the update. `FusedStep` makes one graph of forward, loss, gradient and update;
# [hybridize: what happens](../hybridize.md) has the details.

# %%
y = nd.array([0, 1])
trainer = gluon.Trainer(net.collect_params(), "sgd", {"learning_rate": 0.1})
step = gluon.FusedStep(net, gluon.loss.SoftmaxCrossEntropyLoss(), trainer, backend="fx")
losses = [step(x, y).mean().asscalar() for _ in range(20)]
print("loss fell:", losses[-1] < losses[0])

# %% [markdown]
# ## Exercises, solved
#
# ### 1. Does the last, smaller batch need care?
#
# No. It is another shape, and gets another graph.

# %%
net(nd.ones((1, 4)))
print([row.signature for row in net.hybrid_report().rows][-1])

# %% [markdown]
# ### 2. Does dropout still draw anew?
#
# Yes, random numbers are drawn at each replay, from the same stream as without `hybridize()`.


# %%
def draws(hybrid):
    net = nn.HybridSequential()
    net.add(nn.Dropout(0.5))
    if hybrid:
        net.hybridize(backend="fx")
    mx.random.seed(3)
    with autograd.train_mode():
        return [net(nd.ones((1, 8))).asnumpy().ravel().tolist() for _ in range(3)]


drawn = draws(hybrid=True)
print(
    "same as without:",
    drawn == draws(hybrid=False),
    "- another one each time:",
    drawn[0] != drawn[1],
)
