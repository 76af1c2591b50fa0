# %% [markdown]
# # 8. Train on images
#
# LeNet on 4,000 of MNIST's handwritten digits, which come with gluonish; 1,000 others tell how good it got.
#
# **What you should see:** the loss falls within the first epoch, and more than 95% of the digits which the net has never
# seen are recognized. The digits it gets wrong are hard ones.

# %%
import numpy
from matplotlib import pyplot as plt

import gluonish as mx
from gluonish import autograd, gluon, init, metric, nd
from gluonish.gluon import nn
from gluonish.gluon.data.vision import MNISTSample, transforms

mx.random.seed(1)
numpy.random.seed(1)  # the order of the data follows NumPy's generator, as in MXNet

# %% [markdown]
# ## The data
#
# A dataset gives an image of bytes and a label for each index. `transform_first` changes images on the way out: `ToTensor`
# makes float32 of 0 to 1, channels first.

# %%
training = MNISTSample(train=True).transform_first(transforms.ToTensor(), lazy=False)
test = MNISTSample(train=False).transform_first(transforms.ToTensor(), lazy=False)
image, label = training[0]
print(len(training), len(test), image.shape, image.dtype, label)

# %%
figure, axes = plt.subplots(2, 8)
for i, axis in enumerate(axes.ravel()):
    image, label = training[i]
    axis.imshow(image[0].asnumpy(), cmap="gray_r")
    axis.set_title(int(label))
    axis.axis("off")

# %% [markdown]
# ## The net
#
# No layer says what comes into it.

# %%
net = nn.HybridSequential()
net.add(nn.Conv2D(20, kernel_size=5, activation="relu"), nn.MaxPool2D(2, 2))
net.add(nn.Conv2D(50, kernel_size=5, activation="relu"), nn.MaxPool2D(2, 2))
net.add(nn.Dense(128, activation="relu"), nn.Dropout(0.3), nn.Dense(10))
net.initialize(init.Xavier())
net.hybridize(backend="fx")
net(nd.zeros((1, 1, 28, 28)))
print(net)

# %% [markdown]
# ## The loop


# %%
def evaluate(net):
    right = metric.Accuracy()
    for x, y in gluon.data.DataLoader(test, 250):
        right.update(y, net(x))
    return right.get()[1]


loss_of = gluon.loss.SoftmaxCrossEntropyLoss()
trainer = gluon.Trainer(net.collect_params(), "adam", {"learning_rate": 0.002})
losses = []
for epoch in range(4):
    for x, y in gluon.data.DataLoader(training, 64, shuffle=True):
        with autograd.record():
            loss = loss_of(net(x), y)
        loss.backward()
        trainer.step(len(x))
        losses.append(loss.mean().asscalar())
    mean = numpy.mean(losses[-62:])
    print(f"epoch {epoch + 1}: loss {mean:.3f}, test accuracy {evaluate(net):.1%}")

# %%
mx.viz.plot_history({"loss": losses}, xlabel="step")

# %% [markdown]
# ## What it gets wrong
#
# Above each digit stands what the net says, and what it is.

# %%
((x, y),) = gluon.data.DataLoader(test, len(test))
said = net(x).argmax(axis=1).asnumpy().astype(int)
wrong = [int(i) for i in numpy.flatnonzero(said != y.asnumpy())][:8]
figure, axes = plt.subplots(1, 8, figsize=(6, 1.2))
for axis in axes:
    axis.axis("off")
for i, axis in zip(wrong, axes):
    axis.imshow(x[i, 0].asnumpy(), cmap="gray_r")
    axis.set_title(f"{said[i]} / {int(y[i].asscalar())}", fontsize=9)
print("more than 95% are right:", evaluate(net) > 0.95)

# %% [markdown]
# ## Keep it

# %%
net.save_parameters("lenet.params")
net.export("lenet")

# %% [markdown]
# `lenet.params` goes into the same class again; `lenet-symbol.json` and `lenet-0000.params` need no class at all, and are what
# [carrying it to PyTorch or ONNX](../convert.md) starts from.
