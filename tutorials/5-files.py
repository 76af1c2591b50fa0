# %% [markdown]
# # 5. Files
#
# Arrays, parameters and whole nets go into files and come back. Names that end in `.safetensors` are written in that
# format; all others in MXNet's own, so that MXNet 1.9.1 reads them.
#
# **What you should see:** everything that is loaded equals what was saved, also in a net that has other layers behind.

# %%
import os

import gluonish as mx
from gluonish import autograd, gluon, np, npx
from gluonish.gluon import nn

npx.set_np()
mx.random.seed(7)

# %% [markdown]
# ## Arrays: one, several, named

# %%
x, y = np.arange(4), np.ones((2, 2))
npx.save("one", x)
npx.save("list", [x, y])
npx.save("named.safetensors", {"x": x, "y": y})
print(npx.load("one"))
print(npx.load("list"))
print(npx.load("named.safetensors"))

# %% [markdown]
# ## Parameters
#
# A file of parameters has no program in it: build the net, then load. No `initialize()` is needed, nor a first call.


# %%
class Perceptron(nn.HybridBlock):
    def __init__(self, **options):
        super().__init__(**options)
        self.hidden = nn.Dense(64, activation="relu")
        self.output = nn.Dense(10)

    def hybrid_forward(self, F, x):
        return self.output(self.hidden(x))


net = Perceptron()
net.initialize()
x = np.random.uniform(size=(2, 20))
y = net(x)
net.save_parameters("net.params")

clone = Perceptron()
clone.load_parameters("net.params")
print("equal:", (clone(x) == y).all(), "-", os.path.getsize("net.params"), "bytes")

# %% [markdown]
# The command `gluonish inspect net.params` shows what a file holds. It can be called from Python, too:

# %%
from gluonish.cli import main

main(["inspect", "net.params"])
# %% [markdown]
# A file that does not fit changes nothing, and the message says all that does not fit.

# %% raises
other = nn.HybridSequential()
other.add(nn.Dense(64))
other.load_parameters("net.params")

# %% [markdown]
# ## Exercises, solved
#
# ### 1. What is saving good for on one machine?
#
# To go on after a crash, to keep the best epoch rather than the last, to compare versions, to start several
# experiments from one point, and to show later what a result came from. A training goes on from a `Checkpoint`, which
# has the optimizer's states and random numbers, too:

# %%
trainer = gluon.Trainer(net.collect_params(), "adam")
checkpoint = gluon.Checkpoint("run", net, trainer)
for epoch in checkpoint.epochs(2):
    with autograd.record():
        loss = (net(x) ** 2).mean()
    loss.backward()
    trainer.step(1)
    checkpoint.save()
print(sorted(os.listdir("run")))

# %% [markdown]
# ### 2. The first layer for another net
#
# Parameters may be loaded into a part, or taken from a dictionary; or the layer itself goes into the new net.


# %%
class Other(nn.HybridBlock):
    def __init__(self, **options):
        super().__init__(**options)
        self.hidden = nn.Dense(64, activation="relu")
        self.head = nn.Dense(3)

    def hybrid_forward(self, F, x):
        return self.head(self.hidden(x))


other = Other()
other.load_parameters("net.params", allow_missing=True, ignore_extra=True)
other.head.initialize()
print(other(x).shape, (other.hidden.weight.data() == clone.hidden.weight.data()).all())

# %% [markdown]
# ### 3. The architecture, too
#
# A hybridized net can `export` its graph as JSON beside the parameters. Its `forward` has to be one graph: no branches
# on values. `SymbolBlock.imports` makes a net of the two files, without your class.

# %%
net.hybridize()
net(x)
graph, parameters = net.export("whole")
again = gluon.SymbolBlock.imports(graph, ["data"], parameters)
print(graph, parameters, "- equal:", np.abs(again(x) - net(x)).max() < 1e-6)
