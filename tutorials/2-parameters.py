# %% [markdown]
# # 2. Parameters
#
# A parameter is an array with a name, a gradient and a place in files. This page reads parameters, sets
# them, initializes them in several ways, and shares them.
#
# **What you should see:** names such as `0.weight`, histograms of three initializers, and a shared layer
# whose gradient is the sum over its two uses.

# %%
from matplotlib import pyplot as plt

import gluonish as mx
from gluonish import autograd, gluon, init, np, npx
from gluonish.gluon import nn

npx.set_np()
mx.random.seed(7)
net = nn.Sequential()
net.add(nn.Dense(64, activation="relu"), nn.Dense(10))
net.initialize()
x = np.random.uniform(size=(2, 20))
net(x).shape

# %% [markdown]
# ## Reading
#
# Each layer has its own in `params`; `collect_params()` has those of the children too, and takes a pattern.

# %%
print(net[1].params)
print(net.collect_params(".*weight"))

# %%
print(net[0].weight.shape, net[0].weight.data().dtype, net[0].bias.data()[:3])
net.collect_params()["dense1_bias"].data()

# %% [markdown]
# There is a gradient after `backward()`, and memory for it before: zeros.

# %%
with autograd.record():
    loss = net(x).sum()
loss.backward()
net[1].bias.grad()

# %% [markdown]
# ## Setting
#
# `set_data` takes an array; `data()` may be written to, too.

# %%
net[1].bias.set_data(np.arange(10))
net[1].weight.data()[0, 0] = 42
print(net[1].bias.data(), net[1].weight.data()[0, :2])

# %% [markdown]
# ## Initializing
#
# An initializer is named or built, for a net, a layer or one parameter. `force_reinit=True` says that values
# which are there may go.

# %%
figure, axes = plt.subplots(1, 3, sharey=True)
for axis, way in zip(axes, (init.Normal(0.1), init.Uniform(0.2), init.Xavier())):
    net.initialize(way, force_reinit=True)
    axis.hist(net[0].weight.data().asnumpy().ravel(), bins=30)
    axis.set_title(type(way).__name__)

# %%
net[0].weight.initialize(init.Xavier(), force_reinit=True)
net[1].initialize(init.Constant(1), force_reinit=True)
net[1].weight.data()[0, :4]

# %% [markdown]
# An initializer of your own is a class with `_init_weight(name, data)`, which fills `data`. This one sets
# what is near zero to zero.


# %%
class Sparse(init.Initializer):
    def _init_weight(self, name, data):
        data[:] = np.random.uniform(-10, 10, data.shape)
        data *= np.abs(data) >= 5


net.initialize(Sparse(), force_reinit=True)
net[0].weight.data()[0, :6]

# %% [markdown]
# ## Sharing
#
# `params=` has a layer use another's parameters. They are one object: they count once, and train once.

# %%
net = nn.Sequential()
first = nn.Dense(8, activation="relu")
net.add(nn.Dense(8, activation="relu"), first)
net.add(nn.Dense(8, activation="relu", params=first.params), nn.Dense(1))
net.initialize()
net(x)
print(net[1].weight is net[2].weight, len(net.collect_params()))

# %% [markdown]
# ## Exercises, solved
#
# ### 1. The parameters of a winding net
#
# Constants stand among the parameters, with `grad_req` "null".


# %%
class Winding(nn.Block):
    def __init__(self, **options):
        super().__init__(**options)
        self.fixed = self.params.get_constant("fixed", np.random.uniform(size=(20, 20)))
        self.layer = nn.Dense(20, activation="relu")

    def forward(self, x):
        return self.layer(npx.relu(np.dot(self.layer(x), self.fixed.data()) + 1)).sum()


winding = Winding()
winding.initialize()
winding(x)
for name, parameter in winding.collect_params().items():
    print(name, parameter.shape, parameter.grad_req)

# %% [markdown]
# ### 2. Other initializers

# %%
layer = nn.Dense(4, in_units=3)
for way in ("zeros", "ones", init.Orthogonal(), init.MSRAPrelu(), init.LSTMBias()):
    layer.weight.initialize(way, force_reinit=True)
    print(f"{way if isinstance(way, str) else type(way).__name__:12}", layer.weight.data()[0])

# %% [markdown]
# ### 3. Between `initialize()` and the first call
#
# Lengths that the input decides are not known yet: 0 stands for them (-1 in np mode). The bias has all it needs.

# %%
fresh = nn.Dense(5)
fresh.initialize()
print(fresh.weight.shape, fresh.bias.data())
fresh(x)
print(fresh.weight.shape)

# %% [markdown]
# ### 4. Training with a shared layer
#
# The shared layer's gradient is the sum of what its two uses contribute: we compare with a net whose layers
# have the same values, but are two.

# %%
y = x.sum(axis=1)
loss_of = gluon.loss.L2Loss()
apart = nn.Sequential()
apart.add(*(nn.Dense(8, activation="relu") for _ in range(3)), nn.Dense(1))
apart.initialize()
apart(x)
for to, source in zip(apart, net):
    to.weight.set_data(source.weight.data())
    to.bias.set_data(source.bias.data())
with autograd.record():
    losses = [loss_of(net(x), y), loss_of(apart(x), y)]
autograd.backward(losses)
both = apart[1].weight.grad() + apart[2].weight.grad()
print("largest difference is below 1e-6:", np.abs(net[1].weight.grad() - both).max() < 1e-6)

# %%
trainer = gluon.Trainer(net.collect_params(), "sgd", {"learning_rate": 0.05})
course = []
for _ in range(30):
    with autograd.record():
        loss = loss_of(net(x), y)
    loss.backward()
    trainer.step(2)
    course.append(loss.mean().item())
plt.plot(course)
plt.xlabel("step")
plt.ylabel("loss")
print("still one object:", net[1].weight is net[2].weight)
print("loss fell:", course[-1] < course[0])

# %% [markdown]
# ### 5. Why share?
#
# Fewer numbers to store and to learn from the same data; and a statement about the problem: the same thing is to
# be done at both places, as at every position of a picture, or at every step of a sequence.
