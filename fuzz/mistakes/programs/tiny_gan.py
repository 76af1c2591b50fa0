"""A GAN whose generator learns to imitate a cloud of points."""

import gluonish as mx
from gluonish import autograd, gluon, init, np, npx
from gluonish.gluon import nn

npx.set_np()
mx.random.seed(91)


def update_D(X, Z, net_D, net_G, loss, trainer_D):
    ones = np.ones((X.shape[0], 1))
    zeros = np.zeros((X.shape[0], 1))
    with autograd.record():
        fake_X = net_G(Z)
        loss_D = (loss(net_D(X), ones) + loss(net_D(fake_X.detach()), zeros)) / 2
    loss_D.backward()
    trainer_D.step(X.shape[0])
    return float(loss_D.mean())


def update_G(Z, net_D, net_G, loss, trainer_G):
    ones = np.ones((Z.shape[0], 1))
    with autograd.record():
        loss_G = loss(net_D(net_G(Z)), ones)
    loss_G.backward()
    trainer_G.step(Z.shape[0])
    return float(loss_G.mean())


cloud = np.random.normal(0, 1, (128, 2)) @ np.array([[1, 2], [-0.1, 0.5]]) + np.array([1, 2])
net_G, net_D = nn.Sequential(), nn.Sequential()
net_G.add(nn.Dense(2))
net_D.add(nn.Dense(5, activation="tanh"), nn.Dense(3, activation="tanh"), nn.Dense(1))
net_D.initialize(init=init.Normal(0.02), force_reinit=True)
net_G.initialize(init=init.Normal(0.02), force_reinit=True)
loss = gluon.loss.SigmoidBCELoss()
trainer_D = gluon.Trainer(net_D.collect_params(), "adam", {"learning_rate": 0.05})
trainer_G = gluon.Trainer(net_G.collect_params(), "adam", {"learning_rate": 0.02})
for i in range(40):
    batch = cloud[i % 4 * 32 : (i % 4 + 1) * 32]
    noise = np.random.normal(0, 1, size=(32, 2))
    d = update_D(batch, noise, net_D, net_G, loss, trainer_D)
    g = update_G(noise, net_D, net_G, loss, trainer_G)
print(f"losses below 2: {d < 2} {g < 2}, shape of fakes: {net_G(noise).shape}")
