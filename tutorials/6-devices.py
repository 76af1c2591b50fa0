# %% [markdown]
# # 6. Devices
#
# Arrays live on a *context*: `cpu()`, `gpu(0)`, `gpu(1)`. Operators run where their arrays are, and arrays of
# different devices do not mix by accident. `cpu(0)` and `cpu(1)` are different contexts over the same memory, so that
# programs for several devices run, and are tested, on any machine.
#
# **What you should see:** arrays that say where they are, one net on two contexts that computes the same on both; and times of your machine, which differ each time.

# %%
import time

import gluonish as mx
from gluonish import np, npx
from gluonish.gluon import nn

npx.set_np()
mx.random.seed(7)

# %% varies
print("GPUs:", npx.num_gpus())


# %%
def devices(count):
    """Return GPUs where there are enough of them, and else as many contexts of the CPU."""
    there = npx.num_gpus() >= count
    return [npx.gpu(i) if there else npx.cpu(i) for i in range(count)]


first, second = devices(2)
x = np.ones((2, 3), ctx=first)
print(x.context == first)

# %% [markdown]
# ## Copying
#
# `as_in_ctx` copies only if it has to, `copyto` always.

# %%
y = x.as_in_ctx(second)
print(y.context == second, x.as_in_ctx(first) is x, x.copyto(first) is x)

# %% [markdown]
# An operator's result is where its first array is. All contexts of a CPU share one memory, so that their arrays may meet; those of GPUs, or of a GPU
# and a CPU, may not: copy one of them.

# %%
print((x + np.ones((2, 3), ctx=mx.cpu(3))).context, (np.ones((2, 3), ctx=mx.cpu(3)) + x).context)

# %% [markdown]
# ## A net on a device
#
# `initialize(ctx=...)` puts parameters there. With several, each context has a copy, and `Trainer` keeps them equal.

# %%
net = nn.Sequential()
net.add(nn.Dense(64, activation="relu"), nn.Dense(1))
net.initialize(ctx=[first, second])
same = net(x).asnumpy() == net(y).asnumpy()
print("same results:", same.all(), "- places:", len(net[0].weight.list_ctx()))

# %% [markdown]
# ## Exercises, solved
#
# ### 1. Large work and small work
#
# A GPU needs a large product to be worth the way there. On a CPU the same is true of several threads. `wait_to_read` (or
# `asnumpy`, or printing) waits until a result is there: without it, a GPU's time is only that of the asking.


# %% varies
def seconds(size, times, ctx):
    a = np.random.uniform(size=(size, size), ctx=ctx)
    np.dot(a, a).wait_to_read()
    started = time.perf_counter()
    for _ in range(times):
        product = np.dot(a, a)
    product.wait_to_read()
    return (time.perf_counter() - started) / times


for size, times in ((10, 500), (100, 200), (1000, 3)):
    print(size, f"{seconds(size, times, first) * 1e6:,.0f} microseconds")

# %% [markdown]
# ### 2. Parameters of a GPU in files
#
# Files know no devices. `load_parameters(..., ctx=...)` says where to; a net that was trained on a GPU is loaded on a laptop.

# %%
net.save_parameters("net.params")
clone = nn.Sequential()
clone.add(nn.Dense(64, activation="relu"), nn.Dense(1))
clone.load_parameters("net.params", ctx=mx.cpu())
clone(np.ones((2, 3))).shape

# %% [markdown]
# ### 3. One result at a time, or one at the end
#
# Asking for a number makes the program wait for the device. Collecting on the device and asking once lets it work on
# meanwhile; on a CPU the two are nearly the same.

# %% varies
a = np.random.uniform(size=(100, 100), ctx=first)
started = time.perf_counter()
norms = [np.trace(np.dot(a, a.T)).item() for _ in range(1000)]
each = time.perf_counter() - started

started = time.perf_counter()
norms = np.zeros(1000, ctx=first)
for i in range(1000):
    norms[i] = np.trace(np.dot(a, a.T))
norms = norms.asnumpy()
print(f"one at a time {each:.3f} s, at the end {time.perf_counter() - started:.3f} s")

# %% [markdown]
# ### 4. Two devices at once
#
# Two GPUs work at the same time, as asking does not wait; two contexts of one CPU share its cores.


# %% varies
def both(contexts):
    arrays = [np.random.uniform(size=(500, 500), ctx=ctx) for ctx in contexts]
    started = time.perf_counter()
    for _ in range(10):
        products = [np.dot(a, a) for a in arrays]
    for product in products:
        product.wait_to_read()
    return time.perf_counter() - started


print(f"one after another {both([first, first]):.3f} s, at once {both([first, second]):.3f} s")
