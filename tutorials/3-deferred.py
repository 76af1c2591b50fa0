# %% [markdown]
# # 3. Deferred initialization
#
# `Dense(10)` does not say how many numbers come in. gluonish finds that out at the first call, and draws
# the initial values then. This page watches when it happens.
#
# **What you should see:** unknown lengths before the first call, "fills ..." lines exactly when memory is
# filled, and three messages for sizes that do not fit.

# %%
import gluonish as mx
from gluonish import init, np, npx
from gluonish.gluon import nn

npx.set_np()
mx.random.seed(7)


def perceptron(**options):
    net = nn.Sequential()
    net.add(nn.Dense(64, activation="relu", **options), nn.Dense(10))
    return net


net = perceptron()
print(net.collect_params())

# %% [markdown]
# Nothing can be read before `initialize()`; after it, there is still no weight, as its size is not known.

# %% raises
net.initialize()
net[0].weight.data()

# %% [markdown]
# One call tells all sizes, through the whole net.

# %%
net(np.ones((2, 20)))
print(net.collect_params())

# %% [markdown]
# ## Watching it
#
# An initializer of our own says when it runs: not in `initialize()`, but in the first call, and never again.


# %%
class Told(init.Initializer):
    def _init_weight(self, name, data):
        print("fills", name, data.shape)
        data[:] = 0.1


net = perceptron()
print("initialize")
net.initialize(Told())
print("first call")
net(np.ones((2, 20)))
print("second call")
net(np.ones((2, 20)))
# %% [markdown]
# ## At once
#
# Where `in_units` (for convolutions `in_channels`) says the size, values are there after `initialize()`. So they are
# with `force_reinit=True` once a net has been called.

# %%
net.initialize(Told(), force_reinit=True)

# %% [markdown]
# Without data to call it with, `infer_shape` finds sizes, and the values come with them.

# %%
layer = nn.Dense(3)
layer.initialize()
layer.infer_shape(np.ones((1, 7)))
layer.weight.shape

# %% [markdown]
# ## Exercises, solved
#
# ### 1. Only some sizes are given
#
# Each parameter is initialized as soon as *its* size is known: the first layer at once, the second later.

# %%
net = perceptron(in_units=20)
print("initialize")
net.initialize(Told())
print("first call")
net(np.ones((2, 20)))
# %% [markdown]
# ### 2. Sizes that do not fit

# %% raises
net = nn.Sequential()
net.add(nn.Dense(64, in_units=20), nn.Dense(10, in_units=30))
net.initialize()
net(np.ones((2, 20)))

# %% [markdown]
# The message names the layer, what came, and what it expected. The same goes for a later input:

# %% raises
net = perceptron()
net.initialize()
net(np.ones((2, 20)))
net(np.ones((2, 25)))

## %% [markdown]
# ### 3. Inputs of several widths
#
# One weight has one width. Give each width an entrance of its own and share what follows;
# or bring inputs to one width, as global pooling does for pictures of any size.


# %%
class Entrances(nn.Block):
    def __init__(self, widths, **options):
        super().__init__(**options)
        for width in widths:
            self.register_child(nn.Dense(16, in_units=width), f"entrance{width}")
        self.body = nn.Dense(4)

    def forward(self, x):
        return self.body(self._children[f"entrance{x.shape[1]}"](x))


net = Entrances((20, 25))
net.initialize()
print(net(np.ones((2, 20))).shape, net(np.ones((2, 25))).shape)

pooled = nn.Sequential()
pooled.add(nn.Conv2D(8, 3), nn.GlobalAvgPool2D(), nn.Dense(4))
pooled.initialize()
print(pooled(np.ones((1, 3, 32, 32))).shape, pooled(np.ones((1, 3, 48, 20))).shape)
