"""What the losses of gluon say of the same guesses."""

import gluonish as mx
from gluonish import gluon, nd
from gluonish.gluon.loss import HingeLoss, HuberLoss, L1Loss, L2Loss, LogisticLoss

mx.random.seed(6)

pred = nd.array([[0.5, -1.0], [2.0, 3.0], [-0.2, 0.1]])
label = nd.array([[1.0, -1.0], [1.0, 0.0], [-1.0, 1.0]])
weights = nd.array([[1.0], [0.5], [2.0]])

total = nd.zeros((3,))
for loss in (L2Loss(), HuberLoss(rho=0.5), L2Loss(weight=2.0)):
    total += loss(pred, label, weights)

signs = nd.sign(label + 0.5)
hinge = HingeLoss(margin=1)(pred, signs).asnumpy()
logistic = LogisticLoss(label_format="signed")(pred, signs).asnumpy()

logits = nd.random.normal(shape=(4, 5))
classes = nd.array([0, 3, 1, 4])
sparse_ce = gluon.loss.SoftmaxCELoss()(logits, classes)
dense_ce = gluon.loss.SoftmaxCELoss(sparse_label=False)(logits, nd.one_hot(classes, 5))
kl = gluon.loss.KLDivLoss(from_logits=False)(logits, nd.softmax(nd.random.normal(shape=(4, 5))))
anchor, good, bad = (nd.random.normal(shape=(2, 8)) for _ in range(3))
triplet = gluon.loss.TripletLoss(margin=1)(anchor, good, bad)
cosine = gluon.loss.CosineEmbeddingLoss()(anchor, good, nd.array([1, -1]))
poisson = gluon.loss.PoissonNLLLoss(from_logits=True)(nd.ones((2, 2)), nd.ones((2, 2)))
same = nd.abs(sparse_ce - dense_ce).max().asscalar() < 1e-6
print("same:", same, total.asnumpy().round(2), hinge.round(2), logistic.round(2))
l1 = L1Loss()(pred, label).mean().asscalar()
print(round(l1, 3), kl.shape, triplet.shape, cosine.shape, round(poisson.asscalar(), 4))
