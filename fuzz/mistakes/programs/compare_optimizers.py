"""Train the same net with several optimizers and compare the losses."""

import gluonish as mx
from gluonish import autograd, np, npx
from gluonish.gluon import Trainer, loss as gloss, nn

npx.set_np()
mx.random.seed(13)
X_train = np.random.uniform(-2, 2, size=(128, 2))
y_train = np.prod(X_train, axis=1, keepdims=True)


def train(optimizer, hyperparams, num_epochs=4):
    net = nn.Sequential()
    net.add(nn.Dense(24, activation="tanh"), nn.Dense(1))
    net.initialize(mx.init.Xavier(rnd_type="gaussian", factor_type="in"), force_reinit=True)
    l2 = gloss.L2Loss()
    trainer = Trainer(net.collect_params(), optimizer, hyperparams)
    for _ in range(num_epochs):
        for k in range(0, 128, 32):
            xb, yb = X_train[k : k + 32], y_train[k : k + 32]
            with autograd.record():
                loss = l2(net(xb), yb)
            loss.backward()
            trainer.step(batch_size=32)
    return l2(net(X_train), y_train).mean().item()


results = {}
for name, params in [
    ("sgd", {"learning_rate": 0.1, "momentum": 0.9, "wd": 1e-4}),
    ("nag", {"learning_rate": 0.1, "momentum": 0.5}),
    ("adam", {"learning_rate": 0.05, "beta1": 0.8}),
    ("adagrad", {"learning_rate": 0.2, "eps": 1e-6}),
    ("rmsprop", {"learning_rate": 0.02, "gamma1": 0.9, "clip_gradient": 5.0}),
]:
    results[name] = train(name, params)
for name, value in sorted(results.items())[:3]:
    print(f"{name:8s} {value:.3f}")
