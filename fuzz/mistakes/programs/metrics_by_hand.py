"""Metrics: ready ones, a composite one, one by a function and one's own class."""

import gluonish as mx
from gluonish import metric, nd

mx.random.seed(17)


class WithinTolerance(mx.metric.EvalMetric):
    def __init__(self, tolerance=0.1, name="within"):
        super(WithinTolerance, self).__init__(name)
        self.tolerance = tolerance

    def update(self, labels, preds):
        for label, pred in zip(labels, preds):
            close = nd.abs(label - pred) < self.tolerance
            self.sum_metric += close.sum().asscalar()
            self.num_inst += label.size


truth = nd.random.uniform(0, 1, shape=(50,))
guess = truth + nd.random.normal(0, 0.1, shape=(50,))
errors = metric.CompositeEvalMetric([metric.MAE(), "rmse"])
errors.add(WithinTolerance(0.15))
errors.update([truth], [guess])
names, values = errors.get()
print(names, [round(float(v), 3) for v in values])

probs = nd.softmax(nd.random.normal(shape=(40, 4)))
y_true = nd.random.randint(0, 4, shape=(40,))
for m in [metric.Accuracy(), metric.TopKAccuracy(top_k=2), metric.create("ce")]:
    m.update(labels=[y_true], preds=[probs])
print(m.get())


def spread(label, pred):
    return abs(label.std() - pred.std())


own = mx.metric.np(spread)
f1 = metric.F1()
f1.update([nd.array([0, 1, 1])], [nd.array([[0.3, 0.7], [0.0, 1.0], [0.4, 0.6]])])
own.update([truth], [guess])
print(own.get()[0], own.get()[1] < 0.1, f1.get())
