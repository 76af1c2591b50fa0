"""A siamese net puts points of one group close together, with TripletLoss."""

import gluonish as mx
from gluonish import autograd, gluon, nd
from gluonish.gluon import nn


class Siamese(gluon.nn.HybridBlock):
    def __init__(self, width):
        super().__init__()
        self.tower = nn.HybridSequential()
        self.tower.add(nn.Dense(width, activation="relu"))
        self.tower.add(nn.Dense(4))

    def hybrid_forward(self, F, anchor, positive, negative):
        codes = [self.tower(x) for x in (anchor, positive, negative)]
        return [F.L2Normalization(code, mode="instance") for code in codes]


def triplets(centers, n):
    group = nd.random.randint(0, 3, shape=n)
    other = (group + 1) % 3
    noise = nd.random.normal(0, 0.6, shape=(3, n, 8))
    return centers[group] + noise[0], centers[group] + noise[1], centers[other] + noise[2]


if __name__ == "__main__":
    mx.random.seed(131)
    centers = nd.random.uniform(-1, 1, shape=(3, 8))
    twin = Siamese(width=16)
    twin.initialize(mx.init.Xavier())
    twin.hybridize()
    triplet_loss = gluon.loss.TripletLoss(margin=0.5)
    trainer = gluon.Trainer(twin.collect_params(), "adam", {"learning_rate": 0.02})
    for step in range(25):
        a, p, n = triplets(centers, 32)
        with autograd.record():
            a, p, n = twin(a, p, n)
            loss = triplet_loss(a, p, n)
        loss.backward()
        trainer.step(32)
    a, p, n = twin(*triplets(centers, 100))
    ordered = nd.square(a - p).sum(axis=1) < nd.square(a - n).sum(axis=1)
    print("loss %.2f, well ordered %.2f" % (loss.mean().asscalar(), ordered.mean().asscalar()))
