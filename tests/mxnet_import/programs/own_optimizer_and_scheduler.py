# prints: 0.25 [0.75 0.75]
import mxnet as mx
from mxnet.lr_scheduler import FactorScheduler
from mxnet.optimizer import Optimizer


@Optimizer.register
class Plain(Optimizer):
    def create_state(self, index, weight):
        return None

    def update(self, index, weight, grad, state):
        self._update_count(index)
        weight[:] = weight - self._get_lr(index) * grad


opt = mx.optimizer.create("plain", learning_rate=0.25)
w = mx.nd.ones(2)
mx.optimizer.get_updater(opt)(0, mx.nd.ones(2), w)
schedule = FactorScheduler(step=2, factor=0.5, base_lr=1.0)
print([schedule(i) for i in range(1, 6)][-1], w.asnumpy())
