# prints: [8. 8.] local 1
import mxnet as mx
from mxnet import kv

store = kv.create("local")
store.init(3, mx.nd.ones(2))
store.push(3, [mx.nd.ones(2) * 2, mx.nd.ones(2) * 6])
a = mx.nd.zeros(2)
store.pull(3, out=a)
print(a.asnumpy(), store.type, store.num_workers)
