# prints: [[3. 3. 3.] [3. 3. 3.]] True 18.0
import mxnet as mx

a = mx.nd.ones((2, 3), ctx=mx.cpu())
b = a * 2 + 1
print(str(b.asnumpy()).replace("\n", ""), (b == 3).asnumpy().all(), b.sum().asscalar())
