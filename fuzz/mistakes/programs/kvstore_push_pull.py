"""Push and pull values of a KVStore, with and without an updater."""

import gluonish as mx
from gluonish import kv, nd

mx.random.seed(71)

store = kv.create("local")
shape = (2, 3)
store.init(3, nd.ones(shape) * 2)
out = nd.zeros(shape)
store.pull(3, out=out)
print("pulled:", out.asnumpy()[0].tolist(), store.type, store.num_workers)

devices = [mx.cpu(i) for i in range(4)]
store.push(3, [nd.ones(shape, ctx=dev) for dev in devices])
store.pull(3, out=out)
print("summed:", out.asnumpy().max())

keys = ["w", "b", "gamma"]
store_with_rule = kv.create("device")


def add_twice(key, pushed, stored):
    stored += pushed * 2


store_with_rule.init(keys, [nd.zeros(shape)] * len(keys))
store_with_rule._set_updater(add_twice)
store_with_rule.push(keys, [nd.ones(shape)] * len(keys))
outs = [nd.empty(shape) for _ in keys]
store_with_rule.pull(keys, out=outs)

trained = mx.kvstore.create("local")
trained.init("weight", nd.random.uniform(shape=(4,)))
trained.set_optimizer(mx.optimizer.Adam(learning_rate=0.1))
weight = nd.zeros((4,))
for _ in range(10):
    trained.pull("weight", out=weight)
    trained.push("weight", 2 * weight)
print("updated:", outs[1].asnumpy().sum(), "smaller:", weight.max().asscalar() < 0.6)
