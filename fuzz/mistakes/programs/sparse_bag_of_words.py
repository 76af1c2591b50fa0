"""Logistic regression on sparse rows, and a look at csr and row_sparse arrays."""

import gluonish as mx
from gluonish import autograd, gluon, nd
from gluonish.ndarray import sparse

mx.random.seed(52)

values = [1.0, 2.0, 1.0, 3.0, 1.0, 1.0]
columns = [0, 4, 1, 5, 0, 7]
bag = sparse.csr_matrix((values, columns, [0, 2, 4, 5, 6]), shape=(4, 8))
spam = nd.array([1, 0, 1, 0])
print(bag.stype, bag.indptr.asnumpy().tolist(), bag[1:3].asnumpy().sum())

weight = nd.random.normal(0, 0.1, shape=(8, 1)).tostype("row_sparse")
weight.attach_grad(stype="row_sparse")
bias = nd.zeros((1,))
bias.attach_grad()
loss_function = gluon.loss.SigmoidBinaryCrossEntropyLoss()
adagrad = mx.optimizer.AdaGrad(learning_rate=0.5)
history = adagrad.create_state(0, weight)
for epoch in range(15):
    with autograd.record():
        scores = sparse.dot(bag, weight) + bias
        loss = loss_function(scores.reshape((-1,)), spam)
    loss.backward()
    adagrad.update(0, weight, weight.grad, history)
    bias -= 0.1 * bias.grad
print("loss below 0.4:", loss.mean().asscalar() < 0.4, weight.grad.stype)

rows = sparse.row_sparse_array(([[1, 2], [3, 4]], [1, 4]), shape=(6, 2))
kept = sparse.retain(rows, nd.array([4]))
print(
    kept.indices.asnumpy(),
    kept.data.asnumpy().tolist(),
    sparse.zeros("csr", (2, 2)).asnumpy().sum(),
)
