# %% [markdown]
# # 1. Layers and Blocks
#
# A net is a *Block* made of Blocks. A layer is one, a chain of layers is one, and so is a class of your
# own. Each takes arrays and returns arrays, owns its parameters, and knows its children. This page
# builds the same net in three ways and then does what only code can do.
#
# **What you should see:** every net turns two rows of 20 numbers into two rows of results, the first two
# nets have the same parameters, and the exercises at the end show what goes wrong, with the messages.

# %%
import gluonish as mx
from gluonish import autograd, np, npx
from gluonish.gluon import nn

npx.set_np()
mx.random.seed(7)
x = np.random.uniform(size=(2, 20))

# %% [markdown]
# ## A chain
#
# `Sequential` calls its children one after another. `Dense(64)` says how many results it gives; how many
# numbers come in, it finds at the first call.

# %%
chain = nn.Sequential()
chain.add(nn.Dense(64, activation="relu"), nn.Dense(10))
chain.initialize()
print(chain(x).shape)
print(chain)

# %% [markdown]
# ## A class
#
# Children are made in `__init__` and used in `forward`. There is no `backward` to write: what `forward`
# calls is recorded.


# %%
class Perceptron(nn.Block):
    def __init__(self, **options):
        super().__init__(**options)
        self.hidden = nn.Dense(64, activation="relu")
        self.output = nn.Dense(10)

    def forward(self, x):
        return self.output(self.hidden(x))


net = Perceptron()
net.initialize()
print(net(x).shape)
print(net)

# %% [markdown]
# ## A chain of our own
#
# What `Sequential` does is small: it registers children, and calls them in order. `register_child` tells a
# Block of a child that is not an attribute.


# %%
class Chain(nn.Block):
    def add(self, *blocks):
        for block in blocks:
            self.register_child(block)

    def forward(self, x):
        for child in self._children.values():
            x = child(x)
        return x


net = Chain()
net.add(nn.Dense(64, activation="relu"), nn.Dense(10))
net.initialize()
net(x).shape

# %% [markdown]
# ## Code in between
#
# `forward` is Python: it may loop, branch, call a layer twice (then both calls share its parameters), and
# use *constants*, which are saved with the net and never trained.


# %%
class Winding(nn.Block):
    def __init__(self, **options):
        super().__init__(**options)
        self.fixed = self.params.get_constant("fixed", np.random.uniform(size=(20, 20)))
        self.layer = nn.Dense(20, activation="relu")

    def forward(self, x):
        x = self.layer(x)
        x = npx.relu(np.dot(x, self.fixed.data()) + 1)
        x = self.layer(x)
        while np.abs(x).sum() > 1:
            x = x / 2
        return x.sum()


net = Winding()
net.initialize()
print(net(x))
print(net.collect_params())

# %% [markdown]
# Blocks nest in any way. Here a chain holds a class, a layer and the winding net.

# %%
mixed = nn.Sequential()
mixed.add(Perceptron(), nn.Dense(20), Winding())
mixed.initialize()
mixed(x)

# %% [markdown]
# `summary` shows a net layer by layer.

# %%
chain.summary(x)

# %% [markdown]
# ## Exercises, solved
#
# ### 1. What if `__init__` does not call that of its parent?
#
# Then there is nothing yet that children could be registered in. The message says so:


# %% raises
class Forgetful(nn.Block):
    def __init__(self):
        self.layer = nn.Dense(4)


Forgetful()

# %% [markdown]
# ### 2. What if the loop's condition is an array?
#
# Python asks an array whether it is true. With one element that works, as in `Winding` above; with
# several there is no answer. `.item()` (in `mx.nd`: `.asscalar()`) says in the program that one number is meant.

# %% raises
while np.abs(x) > 1:
    x = x / 2

# %% [markdown]
# ### 3. What if children are kept in a list?
#
# A plain list is not looked into: its layers are unknown to `initialize`, `collect_params` and files. A
# warning says which attribute it is, and their first call fails, as they were never initialized.


# %%
import warnings


class Listed(nn.Block):
    def __init__(self, **options):
        super().__init__(**options)
        self.parts = [nn.Dense(64, activation="relu"), nn.Dense(32)]
        self.last = nn.Dense(16)

    def forward(self, x):
        for part in self.parts:
            x = part(x)
        return self.last(x)


net = Listed()
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    net.initialize()
    print(caught[0].message)
    print(list(net.collect_params()))

# %% raises
net(x)

# %% [markdown]
# The remedy is a `Sequential`, or `self.register_child(part)` for each of them.
#
# ### 4. Two nets side by side


# %%
class Parallel(nn.Block):
    def __init__(self, first, second, **options):
        super().__init__(**options)
        self.first = first
        self.second = second

    def forward(self, x):
        return np.concatenate([self.first(x), self.second(x)], axis=1)


net = Parallel(nn.Dense(3), nn.Dense(4, activation="tanh"))
net.initialize()
with autograd.record():
    loss = (net(x) ** 2).sum()
loss.backward()
print(net(x).shape, np.abs(net.second.weight.grad()).sum() > 0)

# %% [markdown]
# ### 5. A factory of equal parts
#
# Each call of `part` makes layers of its own. Adding *one* object several times would share its parameters.


# %%
def part(units):
    net = nn.Sequential()
    net.add(nn.Dense(units, activation="relu"), nn.Dense(units))
    return net


def tower(count, units):
    net = nn.Sequential()
    net.add(*(part(units) for _ in range(count)))
    return net


own, shared = tower(3, 5), nn.Sequential()
one = part(5)
shared.add(one, one, one)
for net in (own, shared):
    net.initialize()
    net(x[:, :5])
    print(len(net.collect_params()), "parameters")
