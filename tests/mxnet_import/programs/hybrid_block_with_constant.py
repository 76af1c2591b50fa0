# prints: (2, 5) [[0.5 0.5]] True
import mxnet as mx
from mxnet.gluon.block import HybridBlock
from mxnet.gluon.nn import Dense
from mxnet.gluon.parameter import Parameter


class Scaled(HybridBlock):
    def __init__(self, units, in_units, prefix=None, params=None):
        super().__init__(prefix=prefix, params=params)
        with self.name_scope():
            self.scale = self.params.get_constant("scale", mx.nd.full((1, 2), 0.5))
            self.weight = self.params.get("weight", shape=(units, in_units))

    def hybrid_forward(self, F, x, scale, weight):
        return F.relu(F.dot(F.broadcast_mul(x, scale), weight, transpose_b=True))


net = Scaled(5, 2)
net.initialize(mx.init.One())
net.hybridize(static_alloc=True, static_shape=True)
print(net(mx.nd.ones((2, 2))).shape, net.scale.data().asnumpy(), isinstance(net.weight, Parameter))
