# %% [markdown]
# # 4. Layers of your own
#
# A layer is a class with a `forward`. If it has parameters, it says their names and shapes.
#
# **What you should see:** a layer that centres its input, a dense layer written by hand that learns and finds its
# own input size, and a small layer that recovers a hidden rule from data.

# %%
import gluonish as mx
from gluonish import autograd, gluon, np, npx
from gluonish.gluon import nn

npx.set_np()
mx.random.seed(7)

# %% [markdown]
# ## Without parameters


# %%
class Centred(nn.Block):
    def forward(self, x):
        return x - x.mean()


net = nn.Sequential()
net.add(nn.Dense(32), Centred())
net.initialize()
print(Centred()(np.array([1, 2, 3, 4, 5])))
print(
    "mean of the net's output is below 1e-6:",
    abs(net(np.random.uniform(size=(4, 8))).mean()) < 1e-6,
)

# %% [markdown]
# ## With parameters
#
# `self.params.get(name, shape=...)` makes a parameter. From then on it is initialized, trained, saved and loaded.


# %%
class Rectified(nn.Block):
    def __init__(self, units, in_units, **options):
        super().__init__(**options)
        self.weight = self.params.get("weight", shape=(in_units, units))
        self.bias = self.params.get("bias", shape=(units,), init="zeros")

    def forward(self, x):
        return npx.relu(np.dot(x, self.weight.data()) + self.bias.data())


net = nn.Sequential()
net.add(Rectified(8, in_units=64), Rectified(1, in_units=8))
net.initialize()
print(net(np.random.uniform(size=(2, 64))).shape)
print(net[0].params)

# %% [markdown]
# ## With sizes that are found
#
# A `HybridBlock` gets its parameters as arguments of `hybrid_forward`. A length of 0 in a shape is left to the first
# call: for the operators of gluonish the rule is known. And it can be captured by `hybridize()`.


# %%
class Deferred(nn.HybridBlock):
    def __init__(self, units, **options):
        super().__init__(**options)
        self.units = units
        self.weight = self.params.get("weight", shape=(units, 0), allow_deferred_init=True)

    def hybrid_forward(self, F, x, weight):
        return F.npx.relu(F.npx.fully_connected(x, weight, num_hidden=self.units, no_bias=True))


layer = Deferred(3)
layer.initialize()
layer.hybridize()
print(layer(np.ones((2, 7))).shape, layer.weight.shape)

# %% [markdown]
# ## Exercises, solved
#
# ### 1. Remove the mean, learn what is added


# %%
class Shift(nn.Block):
    def __init__(self, features, **options):
        super().__init__(**options)
        self.shift = self.params.get("shift", shape=(features,), init="zeros")

    def forward(self, x):
        return x - x.mean(axis=0) + self.shift.data()


layer = Shift(3)
layer.initialize()
x = np.random.normal(5, 1, size=(100, 3))
target = np.array([1, 2, 3])
trainer = gluon.Trainer(layer.collect_params(), "sgd", {"learning_rate": 0.5})
for _ in range(20):
    with autograd.record():
        loss = ((layer(x) - target) ** 2).sum(axis=1).mean()
    loss.backward()
    trainer.step(1)
print(layer.shift.data().round(2))

# %% [markdown]
# ### 2. A reduction: y[k] is the sum of W[i, j, k] x[i] x[j]
#
# `einsum` says it in one line. We let the layer learn a hidden `W` from examples; as `x[i] x[j]` is `x[j] x[i]`, only the
# symmetric part of `W` can be found, and is.


# %%
class Quadratic(nn.Block):
    def __init__(self, features, units, **options):
        super().__init__(**options)
        self.weight = self.params.get("weight", shape=(features, features, units))

    def forward(self, x):
        return np.einsum("ijk,bi,bj->bk", self.weight.data(), x, x)


hidden = np.random.normal(size=(3, 3, 2))
x = np.random.normal(size=(256, 3))
y = np.einsum("ijk,bi,bj->bk", hidden, x, x)
layer = Quadratic(3, 2)
layer.initialize()
trainer = gluon.Trainer(layer.collect_params(), "adam", {"learning_rate": 0.05})
for _ in range(300):
    with autograd.record():
        loss = ((layer(x) - y) ** 2).mean()
    loss.backward()
    trainer.step(1)
found = layer.weight.data()
print("loss is below 1e-3:", loss.item() < 1e-3)
print(
    "largest difference of the symmetric parts is below 0.05:",
    np.abs(found + found.swapaxes(0, 1) - hidden - hidden.swapaxes(0, 1)).max() < 0.05,
)

# %% [markdown]
# ### 3. The leading half of the Fourier coefficients
#
# `mx.nd.contrib.fft` gives real and imaginary parts in turn; the first half of them belongs to the low frequencies.


# %%
class LowFrequencies(nn.Block):
    def forward(self, x):
        return mx.nd.contrib.fft(x)[:, : x.shape[1]]


import numpy

signal = mx.nd.array(numpy.sin(numpy.arange(16) * 2 * numpy.pi * 3 / 16).reshape(1, 16))
parts = LowFrequencies()(signal).asnumpy().reshape(-1, 2)
sizes = numpy.hypot(parts[:, 0], parts[:, 1])
print("a sine of 3 periods is in coefficient", sizes.argmax())
print("of size", round(float(sizes.max()), 3))
