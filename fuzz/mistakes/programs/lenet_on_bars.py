"""LeNet tells pictures of upright bars from those of lying ones."""

import gluonish as mx
from gluonish import autograd, gluon, init, np, npx
from gluonish.gluon import nn

npx.set_np()
mx.random.seed(11)


def pictures_of_bars(n):
    X = np.random.uniform(0, 0.3, size=(n, 1, 28, 28))
    y = np.random.randint(0, 2, size=(n,))
    for i in range(n):
        k = 3 + i % 20
        if int(y[i]) == 0:
            X[i, 0, :, k : k + 3] = 1
        else:
            X[i, 0, k : k + 3, :] = 1
    return X, y


lenet = nn.HybridSequential()
lenet.add(
    nn.Conv2D(channels=6, kernel_size=5, padding=2, activation="relu"),
    nn.AvgPool2D(pool_size=2, strides=2),
    nn.Conv2D(channels=16, kernel_size=5, activation="relu"),
    nn.MaxPool2D(pool_size=2, strides=2),
    nn.Flatten(),
    nn.Dense(60, activation="relu"),
    nn.Dense(2),
)
lenet.initialize(init.Xavier())
lenet.hybridize()
X, y = pictures_of_bars(64)
loss_fn = gluon.loss.SoftmaxCrossEntropyLoss()
trainer = gluon.Trainer(lenet.collect_params(), "adam", {"learning_rate": 0.005})
for _ in range(5):
    for i in range(0, 64, 16):
        with autograd.record():
            loss = loss_fn(lenet(X[i : i + 16]), y[i : i + 16])
        loss.backward()
        trainer.step(16)
guesses = lenet(X).argmax(axis=1).astype("int32")
print("right:", float((guesses == y.astype("int32")).astype("float32").mean()))
