# prints: 2 True
import mxnet as mx
from mxnet import autograd, gluon, nd
from mxnet.gluon import nn


def net(*units):
    block = nn.Sequential()
    with block.name_scope():
        for n in units[:-1]:
            block.add(nn.Dense(n), nn.LeakyReLU(0.2))
        block.add(nn.Dense(units[-1]))
    block.initialize(mx.init.Normal(0.02))
    return block


netG, netD = net(5, 2), net(5, 3, 1)
loss = gluon.loss.SigmoidBinaryCrossEntropyLoss()
trainers = [
    gluon.Trainer(n.collect_params(), "adam", {"learning_rate": 0.01, "beta1": 0.5})
    for n in (netG, netD)
]
real, noise = nd.random.normal(shape=(8, 2)), nd.random.normal(shape=(8, 2))
with autograd.record():
    fake = netG(noise)
    errD = loss(netD(real), nd.ones(8)) + loss(netD(fake.detach()), nd.zeros(8))
    errD.backward()
trainers[1].step(8)
with autograd.record():
    errG = loss(netD(netG(noise)), nd.ones(8))
    errG.backward()
trainers[0].step(8)
print(len(trainers), bool(errG.mean().asscalar() > 0))
